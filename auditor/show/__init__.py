"""A finding as a person reads it, with the table at that moment.

In come findings of a dataset; out goes text. ``reread`` reads the logs of the findings again, ``moment`` takes the
table at an event from the replay, ``table_text`` draws it, ``win_text`` has a win's fu item by item, and
``finding_text`` puts all of it together.

One table at a time, so loops over a round are fine here. Imports audit, replay, log, sources and base.
"""
