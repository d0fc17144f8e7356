"""What a log tells twice or in the wrong place, as far as only one reading is possible: found, named, and mended.

A slip of this kind is named once; left where it is, it would make turn order, payments, scores and the next round
wrong as well, and hide what else is. What has no single reading is left as it is told. Sites are few, and each is
looked at by itself; that there are none is told by a few lookups for a whole batch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.log.repair import riichi, rounds
from auditor.log.repair.plan import Mending
from auditor.log.repair.view import View

if TYPE_CHECKING:
    from auditor.log.tables import Log


def mended(log: Log) -> Log:
    """Return a log without such slips, each of them among its problems; the same log where there are none."""
    if not len(log.rounds):
        return log
    view = View.of(Mending.of(log))
    for slip in (*rounds.SLIPS, *riichi.SLIPS):
        slip(view)
    return view.plan.applied()
