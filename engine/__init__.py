"""The rules of riichi mahjong on NumPy arrays: shanten, waits, readings, yaku, fu, points, payments, legality.

README.md has the rooms in reading order, examples, a glossary, and how to add a yaku, a rule or a preset.
"""
