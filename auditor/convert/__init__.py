"""Converts logs: reads files in any format and writes each game in one format.

In: places of logs, and a format. Out: a file for each game, and for each source what could not be told or written.

Imports readers, log, sources and base, and the engine's rules.
"""
