"""Mutants of clean logs: each is a log with one fault of a stated kind, as a person or a bug would make it.

``fault.py`` defines a fault and how it is planted. The faults, one function for each kind:

- of play: ``tiles.py``, ``turns.py``, ``calls.py``, ``pons.py``, ``kans.py``, ``riichi_kans.py``, ``kita.py``,
  ``indicators.py``, ``riichi.py``, ``draws.py``, ``walls.py``
- of a log's claims: ``wins.py``, ``payments.py``, ``flow.py``, ``values.py``, ``marks.py``
- of the number of players: ``three.py``
- of the file: ``files.py``, ``tags.py``, ``whole.py``
- noise, which must be reported by the one code that names its cause: ``order.py``, ``missing.py``, ``repeated.py``,
  ``exchanged.py``, ``bounds.py``, ``holes.py``; in logs of 電脳麻将 ``paipu_events.py``, ``paipu_values.py``

``table.py`` has what differs with three players, and the kinds that only four players can have.
``mjlog.py`` and ``paipu.py`` are the logs, and ``clean_logs.py`` chooses them. ``points.py`` knows the value of a win,
``kan_sites.py`` where a kan can be added. ``judge.py`` runs the auditor. ``scripts/mutate.py`` is the command.
"""

from tests.kit.mutate import (
    bounds,
    calls,
    draws,
    exchanged,
    files,
    flow,
    holes,
    indicators,
    kans,
    kita,
    marks,
    missing,
    order,
    paipu_events,
    paipu_values,
    payments,
    pons,
    repeated,
    riichi,
    riichi_kans,
    tags,
    three,
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
    "indicators",
    "kans",
    "kita",
    "marks",
    "missing",
    "order",
    "paipu_events",
    "paipu_values",
    "payments",
    "pons",
    "repeated",
    "riichi",
    "riichi_kans",
    "tags",
    "three",
    "tiles",
    "turns",
    "values",
    "walls",
    "whole",
    "wins",
]
