"""Yaku: the condition of each one, and the yaku that the readings of winning hands have.

In: `Wins`, their readings, and the rules of the batch by name. Out: han and yakuman units of each yaku for each
reading. Imports the rooms ``shapes`` and ``tiles``, but not ``rules``, which imports this room (the rule ``local_yaku``
names yaku).

- ``wins``: `Wins`, winning hands and the moment of winning
- ``rule_columns``: the rules that yaku and fu depend on
- ``features``: one flat record of every reading, from which yaku and fu are computed
- ``declaration``: `Yaku`, and the decorators that declare one
- ``ordinary``, ``yakuman``, ``local``: the declarations, one for each yaku
- ``all_yaku``: all of them by number and name; han and units of readings
"""
