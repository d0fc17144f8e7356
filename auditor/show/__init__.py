"""Findings as text for people, with the table at that moment.

In come findings of a dataset; out goes text.

- ``reread`` reads the logs of the findings again; ``located`` finds each finding's round in them.
- ``moment`` builds the table at an event from the replay, with ``hands``, ``open_tiles`` and ``actions``.
- ``table_text`` draws the table; ``win_text`` itemises a win's fu.
- ``finding_text`` puts everything together.

This room looks at one table at a time, so it may loop over a round. Imports audit, replay, log, sources and base.
"""
