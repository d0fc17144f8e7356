"""Audits recorded riichi-mahjong games in batches; README.md beside this file is the way in."""

__version__ = "0.1.0"
