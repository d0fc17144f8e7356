"""Legality: for each hand the reasons against an action, as bits; 0 is legal.

In: `engine.tiles.hands.Hands`, the action, and a few numbers of the round and of the rules. Out: int32 [n], see
`engine.legality.reasons.Reason`. Imports the rooms ``shapes`` and ``tiles``. The rules come in as values (such as
``kuikae_level``), so that the caller decides how to treat unknown ones.

- ``reasons``: the reasons
- ``actions``: discards, chi, pon, riichi
- ``kans``: kans, also after riichi
"""
