"""Yaku: what each one asks for, and which of them the readings of winning hands have.

In: `Wins`, their readings, and the rules of the batch by name. Out: han and yakuman units of each yaku for each
reading. Imports the rooms ``shapes`` and ``tiles``; the rules stand above, since the rule ``local_yaku`` names yaku.

- ``wins``: `Wins`, winning hands and the moment of winning
- ``rule_columns``: what yaku and fu ask of the rules
- ``features``: one flat record of every reading, which yaku and fu are computed from
- ``declaration``: what a yaku is and how one is declared
- ``ordinary``, ``yakuman``, ``local``: the declarations, one for each yaku
- ``all_yaku``: all of them by number and name; han and units of readings
"""
