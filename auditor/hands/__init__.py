"""Hands that somebody wrote down: one explained, a table of them scored beside what a client claims.

In come texts and tables of hands; out go explanations and scored tables. ``parsing`` reads the texts in the engine's
grammar, ``contradictions`` says what cannot be, ``read`` gives wins and problems; ``explain`` explains one hand and
``text`` writes that out; ``table`` scores a table, which ``files`` reads, and ``report`` says what came of it.

Imports dataset (kinds of file) and base, and the engine.
"""
