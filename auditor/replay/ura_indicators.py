"""Ura dora indicators: they lie under the indicators that are turned, and winners in riichi show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import entries, gathered, is_known, lists, where_known
from auditor.log.tile_ids import TILE_IDS
from auditor.replay.columns import PLACE, Columns
from auditor.replay.holdings import capacities
from auditor.replay.trust import INDICATOR_DOUBTS
from auditor.replay.win_context import result_rows

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.replay.holdings import Holdings
    from auditor.replay.running_sums import Replay
    from auditor.replay.trust import Trust

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

FAULTS = pl.Series(["", "twice", "in play", "count", "others"])
"""The possible faults of a win's ura dora indicators, "" none; the first that applies is reported."""
_RIGHT, _TWICE, _IN_PLAY, _COUNT, _OTHERS = range(len(FAULTS))


BELOW_COLUMNS: Columns = {
    "claim": pl.UInt32,  # row of Log.claims
    **PLACE,
    "ura": pl.List(pl.Int16),  # the indicators shown
    "wrong": pl.List(pl.Int16),  # those of them that are impossible
    "first": pl.List(pl.Int16),  # those that the round's first winner with any shows
    "count": pl.UInt32,  # how many are shown
    "due": pl.Int64,  # how many should be shown
    "most": pl.Int64,  # how many can be shown at most
    "fault": pl.String,  # one of FAULTS
}


def ura_indicators(log: Log, played: Replay, held: Holdings, rules: RulesByRow) -> pl.DataFrame:
    """Return one row for each win that shows ura dora indicators.

    ``fault`` is one of :data:`FAULTS`:

    - ``twice``: the win shows a tile more often than the set has it;
    - ``in play``: a tile is in a hand, a river or a meld, or is another indicator;
    - ``count``: their number is not ``due``, or more than ``most``;
    - ``others``: they are not those that the round's first winner shows (``first``).

    ``wrong`` has the impossible tiles of the first two faults. ``most`` is the number of indicators turned in the
    round. ``due`` is the same if the rules have kan ura dora, else 1. Both are null in rounds with INDICATOR_DOUBTS;
    ``due`` also where the rules do not say.
    """
    claim, tile_id = entries(log.claims["ura"])
    shown = np.bincount(claim, minlength=len(log.claims))
    at = np.flatnonzero(shown)
    claims, count = log.claims[["claim", "round", "event", "winner", "ura"]][at], shown[at]
    round_, win = claims["round"].to_numpy().astype(np.int64), np.searchsorted(at, claim)
    impossible, twice = _impossible(log, held, round_[win] * TILE_IDS + tile_id, win, len(at))
    wrong = np.bincount(win[impossible], minlength=len(at))
    due, due_known, most, most_known = _due(log, played, rules.of(round_), held.trust, round_)
    miscounted = (due_known & (count != due)) | (most_known & (count > most))
    fault = np.select([twice, wrong > 0, miscounted], [_TWICE, _IN_PLAY, _COUNT], _RIGHT)
    first = np.searchsorted(round_, round_)
    # If the first winner's are faulty, the others' need not equal them.
    later = np.flatnonzero((first < np.arange(len(at))) & (fault == _RIGHT) & (fault[first] == _RIGHT))
    ura = claims["ura"]
    if len(later):
        fault[later[(ura[later].list.sort() != ura[first[later]].list.sort()).to_numpy()]] = _OTHERS
    return pl.DataFrame({
        "claim": claims["claim"], "round": claims["round"], "event": claims["event"],
        "pos": gathered(log.events["pos"], result_rows(played)[at]), "seat": claims["winner"],
        "ura": ura, "wrong": where_known(lists(tile_id[impossible], wrong), wrong > 0), "first": ura[first],
        "count": count.astype(np.uint32), "due": where_known(due, due_known), "most": where_known(most, most_known),
        "fault": gathered(FAULTS, fault),
    })  # fmt: skip


def _impossible(log: Log, held: Holdings, place: Ints, win: Ints, wins: int) -> tuple[Ints, Bools]:
    """Return which shown tiles are impossible, each once for a win, and which wins show a tile too often, bool[wins].

    ``place`` has the tiles shown, as ``round * TILE_IDS + tile_id``, and ``win`` the win that shows each, ascending.
    """
    _, first, shown = np.unique(win * TILE_IDS + place % TILE_IDS, return_index=True, return_counts=True)
    order = np.argsort(first)
    first, shown = first[order], shown[order]
    seen, capacity = held.times_seen[place[first]], capacities(log).ravel()[place[first]]
    # T101 reports a tile that is in play too often without these.
    wrong = (seen <= capacity) & (shown + seen > capacity)
    twice = np.zeros(wins, dtype=bool)
    twice[win[first[wrong & (shown > capacity)]]] = True
    return first[wrong], twice


def _due(log: Log, played: Replay, rules: RulesByRow, trust: Trust, round_: Ints) -> tuple[Ints, Bools, Ints, Bools]:
    """Return how many ura dora indicators a win of each of these rounds should show, and whether that is known.

    Also return how many it can show at most, and whether that is known.
    """
    turned = is_known(log.rounds["dora"]) + np.bincount(played.round[played.rows("dora")], minlength=len(log.rounds))
    most = turned[round_]
    most_known = trust.rounds.free_of(INDICATOR_DOUBTS)[round_] & (most > 0)
    each = rules.holds("kan_ura_dora")
    due_known = rules.holds("ura_dora") & ~rules.unknown("kan_ura_dora") & (most_known | ~each)
    return np.where(each, most, 1), due_known, most, most_known
