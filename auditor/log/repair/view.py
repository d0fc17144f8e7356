"""A log's events as arrays, for those who look for slips."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from auditor.log.event_kinds import CODE, is_kind
from auditor.log.tables import CALLS, KINDS

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.repair.plan import Mending

    Ints = npt.NDArray[np.int64]

FULL = tuple(CODE[kind] for kind in ("draw", "chi", "pon"))
"""After these a seat discards."""
_ACTS = ("draw", "discard", *CALLS, "result")


@dataclass(frozen=True)
class View:
    """A log as arrays: of every event ``kind``, ``seat``, ``tile_id``; ``acts`` are the rows of actions and results.

    ``begin`` int64[rounds + 1] are the rows at which rounds begin.
    """

    plan: Mending
    kind: npt.NDArray[np.uint8]
    seat: npt.NDArray[np.int8]
    round: Ints
    acts: Ints
    begin: Ints

    @classmethod
    def of(cls, plan: Mending) -> View:
        """Look at the log of a mending."""
        events = plan.log.events
        kind = events["kind"].to_physical().to_numpy()
        round_ = events["round"].to_numpy().astype(np.int64)
        begin = np.searchsorted(round_, np.arange(len(plan.log.rounds) + 1))
        return cls(plan, kind, plan.seat, round_, np.flatnonzero(is_kind(kind, *_ACTS)), begin)

    def results(self) -> Ints:
        """Return the rows of all results, in the order of the claims."""
        return np.flatnonzero(self.kind == CODE["result"])

    def of_round(self, round_: int) -> Ints:
        """Return the rows of a round's actions and results."""
        first, end = np.searchsorted(self.acts, self.begin[round_ : round_ + 2])
        return self.acts[first:end]

    def describe(self, row: int) -> str:
        """Name an event: ``draw of seat 2``, ``result``."""
        name = KINDS[self.kind[row]]
        return name if self.seat[row] < 0 else f"{name} of seat {self.seat[row]}"
