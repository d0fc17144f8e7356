"""Clean mjlogs → mutants: each a log with one fault of a stated kind, as a person or a bug would make it.

``fault.py`` has what a fault is and how it is planted; ``files.py``, ``tags.py``, ``tiles.py``, ``wins.py``,
``values.py`` and ``payments.py`` the faults, one function a kind; ``judge.py`` asks the auditor. Run as
``python scripts/mutate LOGS... --per-kind N``.
"""

from mutate import files, payments, tags, tiles, values, wins
from mutate.fault import FAULTS, Fault, Mutant, breed

__all__ = [
    "FAULTS",
    "Fault",
    "Mutant",
    "breed",
    "files",
    "payments",
    "tags",
    "tiles",
    "values",
    "wins",
]
