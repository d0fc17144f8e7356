"""Writes games in the formats that the auditor reads.

In: a canonical log. Out: the text of each game in one format, and what the log or that format cannot tell. A writer
states nothing that the log does not state: no points are recomputed, no missing event is made up.

Imports log and base.
"""
