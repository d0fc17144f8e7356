"""The test kit: what tests share, imported as ``tests.kit.NAME``; the tools in ``scripts/`` are built on it too.

Logs and files to test with
    ``log_writer``      a log described in words, line by line, made into a Tenhou mjlog
    ``check_cases``     for every check a log that passes and logs that fail, in those words
    ``mutate``          faults planted in clean logs, one function a kind of fault
    ``fuzzing``         random changes to logs, archives and tables, and the judge of what they break
    ``renamed_games``   as many games as wanted, made of the shipped ones by renaming tiles
    ``containers``      the same logs as zip, tar, database, compressed, nested, cut, damaged
    ``conversion``      self-played games of 電脳麻将 written as Tenhou logs: how ``fixtures/logs`` was made
    ``random_hands``, ``random_wins``, ``deals``    seeded hands and wins

Second opinions: slow, plain, and sharing no code with what they check
    ``plain``           readers, statistics, walls, tables and shanten by plain loops
    ``stricter``        violations of stricter rules in self-played games, counted by plain loops
    ``wrong_rules``     games audited under one wrong rule each: do the findings name the rule?

Short ways to call the project
    ``command_line``, ``audits``, ``datasets``      the commands, an audit in memory, runs into a dataset
    ``batches``, ``notations``                      hands and wins for the engine, written in a line
"""
