"""The canonical log: one set of tables, whatever format a game came in.

``tables`` states the tables, their columns and types; ``ranges`` what their numbers may be; ``tile_ids`` the numbers of
the 136 tiles; ``event_kinds`` the codes and groups of kinds of events; ``round_rules`` gives the value of a rule for
rounds; ``arrays`` turns columns into arrays; ``words`` writes numbers as words; ``hand_strings`` reads hands in
writing; ``repair`` puts back a single tag that stands in the wrong place.

Imports the engine's rules and tiles, and no other room.
"""
