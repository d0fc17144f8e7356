"""Seeded mutants of everything that the auditor reads, and a judge that says whether it survived each.

``values.py`` has values that no reader expects. ``logs.py`` changes XML and JSON logs, ``boxes.py`` archives and
compressed files, ``tables.py`` tables of hands and hands on the command line. ``judge.py`` audits mutants beside
clean logs; ``fuzzer.py`` makes and judges many. ``scripts/fuzz.py`` is the command.

The name of a mutant (seed, kind, number) determines it, so that a fault can be reproduced.
"""
