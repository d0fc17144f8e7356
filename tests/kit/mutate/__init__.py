"""Clean mjlogs → mutants: each a log with one fault of a stated kind, as a person or a bug would make it.

``fault.py`` has what a fault is and how it is planted; ``files.py``, ``tags.py``, ``tiles.py``, ``turns.py``,
``calls.py``, ``kans.py``, ``marks.py``, ``riichi.py``, ``draws.py``, ``wins.py``, ``values.py``, ``payments.py``,
``flow.py``, ``walls.py`` and ``whole.py`` the faults, one function a kind. Noise is in ``order.py``, ``missing.py``,
``repeated.py``, ``exchanged.py``, ``bounds.py`` and ``holes.py``, for paipu in ``paipu_events.py`` and
``paipu_values.py``: what of it must be found is the one code that tells a person the cause. ``mjlog.py`` and
``paipu.py`` are the logs, ``clean_logs.py`` chooses them; ``judge.py`` asks the auditor. ``scripts/mutate.py`` is the
command.
"""

from tests.kit.mutate import (
    bounds,
    calls,
    draws,
    exchanged,
    files,
    flow,
    holes,
    kans,
    marks,
    missing,
    order,
    paipu_events,
    paipu_values,
    payments,
    repeated,
    riichi,
    tags,
    tiles,
    turns,
    values,
    walls,
    whole,
    wins,
)
from tests.kit.mutate.fault import FAULTS, Fault, Mutant, breed

__all__ = [
    "FAULTS",
    "Fault",
    "Mutant",
    "bounds",
    "breed",
    "calls",
    "draws",
    "exchanged",
    "files",
    "flow",
    "holes",
    "kans",
    "marks",
    "missing",
    "order",
    "paipu_events",
    "paipu_values",
    "payments",
    "repeated",
    "riichi",
    "tags",
    "tiles",
    "turns",
    "values",
    "walls",
    "whole",
    "wins",
]
