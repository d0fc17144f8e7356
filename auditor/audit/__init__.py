"""The audit of one batch: a pure function from the bytes of files to tables.

``audit_batch`` is that function. It reads files into a canonical log, runs ``checks`` over ``frames`` of it, and gives
``findings`` and the other tables of the ``report``.

``check`` says what a check is. A check looks at a subject (``subject``), a table with stated columns that is computed
when it is first asked for. The function that computes it stands in the room ``replay`` or ``scoring``, its columns
beside it. A subject that several modules look at is an attribute of ``Frames``, which only passes to each function what
that needs; a subject of one check stands in the check's module. So a check with a new frame touches four files: the
check, the function of its frame, its fixtures, and a fault to plant (auditor/README.md, "Add a check").

``rule_trials`` asks under which other rule a finding would be none, ``unknown_rules`` tries every value of rules that
are not known; both audit ``excerpts`` of the log again. ``code_digest`` identifies the version of the program.

Imports scoring, replay, readers, dataset (the schema of tables), log, sources and base.
"""
