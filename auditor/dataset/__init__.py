"""A dataset on disk: its tables, how parts are written and verified, and how tables are queried.

- ``schema`` states every table: columns, types, units, meaning.
- ``store`` writes parts so that a crash loses none; ``writing`` writes single files whole or not at all.
- ``manifest`` lists the files of each part with their digests; ``repair`` mends a damaged dataset.
- ``history`` says when findings were first and last seen, and what is new since a run; ``changes`` and ``gone``
  find out what a run changes about that. ``choice`` chooses findings by code, player, run and so on.
- ``lock`` keeps two runs apart.
- ``objects``, ``commits``, ``lease`` and ``in_bucket`` do the same on an object store, where nothing can be renamed.
- ``opened`` gives lazy tables and SQL; ``stats`` gives statistics; ``compare`` compares two datasets.
- ``formats`` prints a table or writes it to a file.

Imports log (types of columns) and base.
"""
