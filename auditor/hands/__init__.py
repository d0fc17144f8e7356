"""Hands that somebody wrote down: one explained, a table of them scored beside what a client claims."""
