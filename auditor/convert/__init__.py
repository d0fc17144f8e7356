"""Converts logs: reads files in any format and writes each game in one format.

In: places of logs, and a format. Out: a file for each game, and for each source what could not be told or written.

A value that the format must have and the log lacks is recomputed by the audit (completed.py), and named.

Imports audit, readers, log, sources and base, and the engine's rules.
"""
