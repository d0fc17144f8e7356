"""Riichi mahjong on arrays: shanten, waits, readings of a win, yaku, fu, points. See README.md."""
