"""What players are shown after their discards, waits and furiten, beside what their hands say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import expanded, gathered, where_known
from auditor.log.tile_ids import BIT
from auditor.replay.columns import PLACE, Columns
from auditor.replay.last_states import waits_at
from auditor.replay.trust import END_HAND_DOUBTS

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.replay.last_states import LastStates
    from auditor.replay.running_sums import Replay

    Ints = npt.NDArray[np.int64]

HINT_COLUMNS: Columns = {
    **PLACE,
    "waits": pl.Int64,  # shown after the discard, mask of kinds
    "expected_waits": pl.Int64,  # of the hand
    "furiten": pl.Boolean,  # shown
    "expected_furiten": pl.Boolean,  # the hand waits for a kind that it has discarded; null in riichi
}


def hints(log: Log, played: Replay, ends: LastStates, rules: RulesByRow) -> pl.DataFrame:
    """Return one row for each discard with hints; :data:`HINT_COLUMNS` says what each column means.

    Outside riichi a discard ends every furiten but that of the own discards. Expected values are null where the hand or
    the rule on the fifth tile of a kind is unknown.
    """
    if not len(log.hints):
        return pl.DataFrame(schema=HINT_COLUMNS)
    discards = played.rows("discard")
    discards = discards[~played.over[discards]]
    game = log.rounds["game"].to_numpy()[played.round[discards]].astype(np.int64)
    key = game << 32 | log.events["event"].to_numpy()[discards]
    stated = log.hints["game"].to_numpy().astype(np.int64) << 32 | log.hints["event"].to_numpy()
    place = np.minimum(np.searchsorted(stated, key), len(stated) - 1)
    found = stated[place] == key
    rows, place = discards[found], place[found]
    of_rule = rules.of(played.round[rows])
    judged = ends.trust.hands.free_of(END_HAND_DOUBTS)[played.hand[rows]] & ~of_rule.unknown("fifth_tile_wait")
    waits = waits_at(played, rows, of_rule.holds("fifth_tile_wait", "whole_hand"))
    thrown = _discarded(played, discards, rows, waits)
    shown: pl.DataFrame = log.events[[*PLACE]][rows]
    return shown.hstack([
        gathered(log.hints["waits"], place),
        where_known(waits, judged).alias("expected_waits"),
        gathered(log.hints["furiten"], place),
        where_known(thrown, judged & (played.riichi[rows] == 0)).alias("expected_furiten"),
    ])  # fmt: skip


def _discarded(played: Replay, discards: Ints, rows: Ints, waits: Ints) -> npt.NDArray[np.bool_]:
    """Return which of some discards leave hands that wait for a kind that they have discarded, bool[n]."""
    order = np.argsort(played.hand[discards], kind="stable")
    by_hand = discards[order]
    at = np.empty(len(discards), dtype=np.int64)
    at[order] = np.arange(len(order))
    last = at[np.searchsorted(discards, rows)]
    first = np.searchsorted(played.hand[by_hand], played.hand[rows])
    waiting = np.flatnonzero(waits)
    which, which_discard = expanded(first[waiting], last[waiting] - first[waiting] + 1)
    hit = waits[waiting][which] & BIT[played.tile_id[by_hand[which_discard]]] != 0
    found = np.zeros(len(rows), dtype=bool)
    found[waiting[which[hit]]] = True
    return found
