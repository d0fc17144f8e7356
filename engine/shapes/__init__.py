"""The shapes of hands, which no rule changes: shanten, waits, useful tiles, splits, readings.

In: `engine.tiles.hands.Hands`, or their suit keys. Out: arrays with one entry a hand, or one a reading. Imports the
room ``tiles``.

- ``table_builders``, ``cache``, ``tables``: lookup tables by suit key: how they are built, kept on disk, and served
- ``shanten``, ``waits``: how far a hand is from tenpai, and which kinds complete it
- ``useful``: which kinds lower the shanten, how many tiles are left of them, and the same after each discard
- ``aims``, ``directed``: goals of a hand, such as a yaku, and the shanten towards them
- ``readings``: every way to divide a winning hand
- ``nine_gates``: the shape of this yaku
- ``splits``, ``reading_notation``: the divisions of a hand that waits; readings as text
"""
