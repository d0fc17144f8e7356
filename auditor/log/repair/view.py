"""A log's events as arrays, for the search for slips."""

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
"""The codes of events after which a seat discards."""
ACTS = ("draw", "discard", *CALLS, "result")
"""Actions and results; other events (deal, riichi, deposit, dora, leave, return) do not count as neighbours."""


@dataclass(frozen=True)
class View:
    """A log as arrays, and the plan of its repair.

    ``kind``, ``seat`` and ``round`` have one entry for each event; ``seat`` is the plan's own array, so it changes with
    the plan. ``begin`` int64[rounds + 1] has the first row of each round, and at the end the number of rows. ``rows``
    int64 are all rows of the suspects, the rounds in which slips are looked for, and ``acts`` int64 those of actions
    and results among them.
    """

    plan: Mending
    kind: npt.NDArray[np.uint8]
    seat: npt.NDArray[np.int8]
    round: Ints
    begin: Ints
    rows: Ints
    acts: Ints

    @classmethod
    def of(cls, plan: Mending, suspects: npt.NDArray[np.bool_]) -> View:
        """Return the view of a plan's log; ``suspects`` bool[rounds] are the rounds to look at."""
        events = plan.log.events
        kind = events["kind"].to_physical().to_numpy()
        round_ = events["round"].to_numpy().astype(np.int64)
        begin = np.searchsorted(round_, np.arange(len(plan.log.rounds) + 1))
        rows = np.flatnonzero(np.repeat(suspects, np.diff(begin)))
        return cls(plan, kind, plan.seat, round_, begin, rows, rows[is_kind(kind[rows], *ACTS)])

    def of_kind(self, kind: str) -> Ints:
        """Return the rows of the suspects' events of a kind."""
        found: Ints = self.rows[self.kind[self.rows] == CODE[kind]]
        return found

    def results(self) -> Ints:
        """Return the rows of all results; the nth is that of the nth claim."""
        return np.flatnonzero(self.kind == CODE["result"])

    def of_round(self, round_: int) -> Ints:
        """Return the rows of a round's actions and results."""
        first, end = np.searchsorted(self.acts, self.begin[round_ : round_ + 2])
        return self.acts[first:end]

    def players(self, round_: int) -> int:
        """Return how many play in a round."""
        return int(self.plan.log.players[round_])

    def describe(self, row: int) -> str:
        """Return an event as text: ``draw of seat 2``, ``result``."""
        name = KINDS[self.kind[row]]
        return name if self.seat[row] < 0 else f"{name} of seat {self.seat[row]}"
