"""The audit of one batch: a pure function from the bytes of files to tables.

``audit_batch`` is that function. It reads files into a canonical log, makes ``frames`` of it (what the checks look at,
each computed once), runs ``checks``, and gives ``findings`` and the other tables of the ``report``.

``check`` says what a check is. ``rule_trials`` asks under which other rule a finding would be none, ``unknown_rules``
tries every value of rules that are not known; both audit ``excerpts`` of the log again. ``code_digest`` tells one
version of the program from another.

Imports scoring, replay, readers, dataset (the schema of tables), log, sources and base.
"""
