"""The canonical log: one set of tables, whatever format a game came in.

- ``columns`` defines every column: type, meaning, unit, bounds.
- ``tables`` has ``Log``, the record of one batch, which takes exactly these columns.
- ``invariants`` checks the relations between rows; ``ranges`` makes impossible numbers null.
- ``tile_ids`` defines the numbers of tiles, ``event_kinds`` the codes and groups of event kinds.
- ``round_rules`` gives the value of a rule for each round.
- ``arrays`` turns columns into arrays, ``words`` turns numbers into words, ``hand_strings`` parses written hands.
- ``repair`` moves back, adds or drops a single event that the log has in the wrong place, lacks or repeats.

Imports the engine's rules and tiles, and no other room.
"""
