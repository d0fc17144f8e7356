"""Plain second implementations: slow, obvious, and without code of the auditor or the engine.

``mjlog_reader`` reads a Tenhou log by ElementTree, ``mjlog_replay`` replays one tile by tile, ``table_states`` follows
the tiles on the table after each event, ``stats`` counts statistics, ``walls`` makes walls from seeds, ``reference``
defines shanten, waits and splits.
"""
