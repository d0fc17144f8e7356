"""Plain twins: slow and obvious second implementations that share no code with the auditor or the engine.

``mjlog_reader`` reads a Tenhou log by ElementTree, ``mjlog_replay`` replays one tile by tile, ``table_states`` watches
what lies on the table after each event, ``stats`` counts statistics, ``walls`` makes walls from seeds, ``reference``
defines shanten, waits and splits.
"""
