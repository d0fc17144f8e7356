"""Whose turn it is: every event of play beside the one before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log import KINDS, SEATS
from auditor.replay import CODE

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log import Log
    from auditor.replay import Replay

ACTIONS = ("deal", "draw", "discard", "chi", "pon", "daiminkan", "ankan", "kakan", "kita", "result")
"""Events that pass the turn; the others (riichi, deposit, dora, leave, return) stand between them."""

SAME, NEXT, OTHER, DEALER, ANY = range(5)
"""Who may act, seen from the seat that acted before."""

_FOLLOWS: dict[str, dict[str, int]] = {
    "deal": {"draw": DEALER, "result": ANY},
    "draw": {"discard": SAME, "ankan": SAME, "kakan": SAME, "kita": SAME, "result": ANY},
    "discard": {"draw": NEXT, "chi": NEXT, "pon": OTHER, "daiminkan": OTHER, "result": ANY},
    "chi": {"discard": SAME},
    "pon": {"discard": SAME},
    "daiminkan": {"draw": SAME},
    "ankan": {"draw": SAME, "result": ANY},
    "kakan": {"draw": SAME, "result": ANY},
    "kita": {"draw": SAME, "result": ANY},
    "result": {"result": ANY},
}
"""What may follow what, and by whom. After an ankan a result is possible where rules let it be robbed."""

_RELATION: npt.NDArray[np.int8] = np.full((len(KINDS), len(KINDS)), -1, dtype=np.int8)
for _before, _afters in _FOLLOWS.items():
    for _after, _relation in _afters.items():
        _RELATION[CODE[_before], CODE[_after]] = _relation


def misplaced(log: Log, played: Replay) -> pl.DataFrame:
    """Return the events that cannot follow what they follow.

    ``previous`` and ``previous_seat`` say what that is; null is the deal.
    """
    acting = np.flatnonzero(played.is_kind(*ACTIONS))
    before, rows = acting[:-1], acting[1:]
    kind, seat = played.kind[rows], played.seat[rows]
    relation = _RELATION[played.kind[before], kind]
    step = (seat - played.seat[before]) % SEATS
    dealer = log.rounds["dealer"].fill_null(-1).to_numpy()[played.round[rows]]
    allowed = np.select(
        [relation == SAME, relation == NEXT, relation == OTHER, relation == DEALER, relation == ANY],
        [step == 0, step == 1, step != 0, (seat == dealer) | (dealer < 0), True],
        default=False,
    )
    # Deals are four rows a round: play begins after the last of them.
    wrong = ~allowed & (kind != CODE["deal"]) & ~np.isin(played.round[rows], log.disturbed)
    previous = log.events[before[wrong]]
    dealt = previous["kind"] == "deal"
    found: pl.DataFrame = log.events[rows[wrong]]
    return found.with_columns(
        previous=pl.when(~dealt).then(previous["kind"].cast(pl.String)),
        previous_seat=pl.when(~dealt).then(previous["seat"]),
    )
