"""The audit of one batch: a pure function from the bytes of files to tables.

``audit_batch`` is that function. It reads files into a canonical log, runs ``checks`` over ``frames`` of it, and
returns ``findings`` and the other tables of the ``report``.

``check`` defines a check. A check looks at a subject (``subject``), a table with stated columns that is computed when
it is first needed. The function that computes it is in the room ``replay`` or ``scoring``, with its columns beside it.
A subject of several modules is an attribute of ``Frames``, which only passes arguments to these functions; a subject of
one check is in that check's module. So a check with a new frame touches four files: the check, the function of its
frame, its fixtures, and a fault to plant (CONTRIBUTING.md, "Add a check").

``rule_trials`` finds the other rules under which a finding would be right; ``unknown_rules`` tries every value of
unknown rules. Both audit ``excerpts`` of the log again. ``code_digest`` identifies the version of the program.

Imports scoring, replay, readers, dataset (the schema of tables), log, sources and base.
"""
