"""The canonical log: one set of tables, whatever format a game came in.

``columns`` states every column: type, meaning, unit, bounds. ``tables`` has ``Log``, the record of one batch, which
takes no other columns. ``invariants`` checks what holds between rows, ``ranges`` makes impossible numbers null.
``tile_ids`` has the numbers of tiles, ``event_kinds`` the codes and groups of kinds of events. ``round_rules`` gives
the value of a rule for rounds. ``arrays`` turns columns into arrays, ``words`` writes numbers as words,
``hand_strings`` reads hands in writing. ``repair`` puts back a single event that stands in the wrong place.

Imports the engine's rules and tiles, and no other room.
"""
