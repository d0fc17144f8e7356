"""What the tiles of a hand form, whatever the rules: shanten, waits, useful tiles, splits, readings.

In: `engine.tiles.hands.Hands`, or their suit keys. Out: arrays with one entry a hand, or one a reading. Imports the
room ``tiles``.

- ``table_builders``, ``cache``, ``tables``: lookup tables by suit key: how they are built, kept on disk, and served
- ``shanten``, ``waits``: how far a hand is from tenpai, and which kinds complete it
- ``useful``: which kinds lower the shanten, how many tiles are left of them, and the same after each discard
- ``aims``, ``directed``: what a hand can be built towards, and the shanten towards that
- ``readings``: every way to divide a winning hand
- ``nine_gates``: the one yaku that is a shape of its own
- ``splits``, ``reading_notation``: the divisions of a hand that waits; readings as text
"""
