"""Tiles, melds and hands as numbers and in writing. Imports nothing of the engine."""
