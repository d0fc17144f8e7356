"""The test kit: code that tests share, imported as ``tests.kit.NAME``. The tools in ``scripts/`` use it too.

Logs and files to test with
    ``log_writer``      a Tenhou mjlog from a description in words, line by line
    ``check_cases``     for every check a described log that passes, and logs that fail
    ``mutate``          faults planted in clean logs, one function for each kind of fault
    ``fuzzing``         random changes to logs, archives and tables, and a judge of their effects
    ``renamed_games``   any number of games, made from the shipped ones by renaming tiles
    ``containers``      the same logs as zip, tar, database, compressed, nested, cut, damaged
    ``conversion``      self-played games of other engines as Tenhou logs: it made ``fixtures/logs``
    ``paipu``           self-played games of 電脳麻将 as JSON lines, to change and audit
    ``random_hands``, ``random_wins``, ``deals``    seeded hands and wins
    ``s3``              an S3 server on this machine
    ``grid``            a Dask scheduler and workers on this machine

Second opinions: slow, plain, and without code of what they check
    ``plain``           readers, statistics, walls, tables and shanten by plain loops
    ``stricter``        violations of stricter rules in self-played games, counted by plain loops
    ``wrong_rules``     games audited under one wrong rule each: do the findings name the rule?

Short ways to call the project
    ``command_line``, ``configuration``             the commands, and the values of the configuration
    ``audits``                                      an audit in memory
    ``datasets``, ``source_runs``                   runs into a dataset, and what they say of each source
    ``batches``, ``notations``                      hands and wins for the engine, written in a line
"""
