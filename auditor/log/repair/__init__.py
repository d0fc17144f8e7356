"""Repair of a log that repeats an event, lacks one, or has one in the wrong place, if only one reading is possible.

A fault like this is called a slip. Without repair, a slip would make turn order, payments, scores and the next round
look wrong as well, and hide other faults. Repair reports it once, as a problem, and corrects it. It changes nothing
that can be read in several ways. A few comparisons find the rounds that can have slips (``suspicion.py``), and array
operations over these find the slips. There are few, so each is repaired by itself, in a loop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.log.repair import riichi, rounds
from auditor.log.repair.plan import Mending
from auditor.log.repair.suspicion import suspects
from auditor.log.repair.view import View

if TYPE_CHECKING:
    from auditor.log.tables import Log


def mended(log: Log) -> Log:
    """Return a log with all slips corrected, and each of them as a problem; the same log if there are none."""
    here = suspects(log)
    if not here.any():
        return log
    view = View.of(Mending.of(log), here)
    for slip in (*rounds.SLIPS, *riichi.SLIPS):
        slip(view)
    return view.plan.applied()
