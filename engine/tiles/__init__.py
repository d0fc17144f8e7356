"""Tiles, melds and hands: their numbers, and the notation in which people write them.

In: arrays of tile numbers, or texts such as ``123m0p55z,4-56m``. Out: `engine.tiles.hands.Hands`, many hands as arrays;
faults of texts with the place of the character. Imports no other room.

- ``arrays``: names for the types of arrays
- ``kinds``: the numbers of tiles, sets of kinds as bit masks
- ``melds``: types of melds, and one meld as somebody wrote it
- ``faults``: the possible faults of a text, and their messages
- ``tokens``: the grammar; from characters to tiles
- ``notation``: from tiles to hands, lists and single tiles
- ``hands``: `Hands`
"""
