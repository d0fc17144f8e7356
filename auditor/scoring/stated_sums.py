"""What a win states besides its claim: worth, the seat's wins so far, dealer, riichi, scores after it.

Each of these follows from something else that the log states. If that is recorded and recomputed with different values,
both are accepted: another check reports which of them is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.log.arrays import filled, is_known, points_by_seat, where_known
from auditor.log.columns import REASON
from auditor.log.tables import SEATS
from auditor.replay.columns import PLACE, Columns
from auditor.replay.hints import keys_of
from auditor.replay.win_context import result_rows

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.tables import Log
    from auditor.replay.running_sums import Replay

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

WORTH, WON, DEALER, RIICHI, SCORE = range(5)
"""What is stated: the hand's points, those of all wins of the seat in the game, two marks, the score after the win."""
SUM_COLUMNS: Columns = {
    **PLACE,
    "what": pl.UInt8,  # WORTH, WON, DEALER, RIICHI or SCORE
    "stated": pl.Int32,
    "expected": pl.Int32,
    "differs": pl.Boolean,  # null where what is expected is not known
}


class _Rows(NamedTuple):
    """Values that are stated: the row of the event, the seat, and the values, int64[n] each; bool[n] two flags."""

    row: Ints
    seat: Ints
    what: int
    stated: Ints
    expected: Ints
    differs: Bools
    known: Bools


def stated_sums(
    log: Log, played: Replay, wins: pl.DataFrame, succession: pl.DataFrame, followed: Bools
) -> pl.DataFrame:
    """Return one row for each value that a win states besides; :data:`SUM_COLUMNS` says what each column means.

    ``wins`` and ``succession`` are the tables of these names; ``followed`` bool[rounds] says where hands are known.
    """
    at = result_rows(played)
    winner = wins["winner"].cast(pl.Int64).fill_null(-1).to_numpy()
    row = at[wins["claim"].to_numpy()]
    hint = _hints(log, played, row, winner)
    good = filled(succession["order_fits"], value=False)
    parts = [
        *_of_hand(log, wins, row, winner, hint, _whole(log, wins, good)),
        *_marks(log, played, wins, row, winner, hint, good & is_known(log.rounds["dealer"]), followed),
        _scores(log, played, at),
    ]
    place = log.events[["round", "event", "pos"]][np.concatenate([part.row for part in parts])]
    known = np.concatenate([part.known for part in parts])
    seat, stated, expected, differs = (np.concatenate([part[nth] for part in parts]) for nth in (1, 3, 4, 5))
    what = np.repeat([part.what for part in parts], [len(part.row) for part in parts])
    columns: dict[str, pl.Series] = {
        "seat": pl.Series(seat.astype(np.int8)),
        "what": pl.Series(what.astype(np.uint8)),
        "stated": pl.Series(stated.astype(np.int32)),
        "expected": where_known(expected.astype(np.int32), known),
        "differs": where_known(differs, known),
    }
    return place.hstack([column.alias(name) for name, column in columns.items()]).select(*SUM_COLUMNS)


def _hints(log: Log, played: Replay, row: Ints, seat: Ints) -> Ints:
    """Return the row of log.hints for each event and seat, int64[n]; -1 where there is none."""
    stated = (log.hints["game"].to_numpy().astype(np.int64) << 32 | log.hints["event"].to_numpy()) * SEATS
    stated += log.hints["seat"].to_numpy()
    keys = keys_of(log, played, row) * SEATS + seat
    found = np.minimum(np.searchsorted(stated, keys), len(stated) - 1)
    return np.where((stated[found] == keys) & (seat >= 0), found, -1)


def _chosen(log: Log, name: str, hint: Ints) -> tuple[Ints, Ints]:
    """Return which of some rows state a value, and the values."""
    known = is_known(log.hints[name])
    chosen = np.flatnonzero((hint >= 0) & known[hint])
    return chosen, log.hints[name].cast(pl.Int64).fill_null(0).to_numpy()[hint[chosen]]


def _whole(log: Log, wins: pl.DataFrame, good: Bools) -> Bools:
    """Return the games that are there from their first round on, in order, with all results and wins: bool[games]."""
    game = log.rounds["game"].to_numpy().astype(np.int64)
    found = np.ones(len(log.games), dtype=bool)
    found[game[~good]] = False
    found[game[np.bincount(log.claims["round"].to_numpy(), minlength=len(game)) == 0]] = False
    unread = np.isin(log.reasons, (-1, REASON["win"]))
    unread[wins["claim"].to_numpy()] = False
    found[game[log.claims["round"].to_numpy()[unread]]] = False
    first = np.searchsorted(game, np.arange(len(log.games)))
    some = np.flatnonzero(np.isin(np.arange(len(log.games)), game))
    begins = np.ones(len(some), dtype=bool)
    for name in ("wind", "dealer", "honba"):
        begins &= filled(log.rounds[name], 1)[first[some]] == 0
    found[some[~begins]] = False
    return found


def _of_hand(  # noqa: PLR0917
    log: Log, wins: pl.DataFrame, row: Ints, winner: Ints, hint: Ints, whole: Bools
) -> list[_Rows]:
    """Return what wins are worth, and the sums of that by seat and game."""
    game = log.rounds["game"].to_numpy().astype(np.int64)[wins["round"].to_numpy()]
    values = {name: filled(wins[name], 0).astype(np.int64) for name in ("points", "expected_points")}
    known = {name: is_known(wins[name]) for name in values}
    chosen, stated = _chosen(log, "worth", hint)
    values["worth"], known["worth"] = np.zeros(len(row), dtype=np.int64), np.zeros(len(row), dtype=bool)
    values["worth"][chosen], known["worth"][chosen] = stated, True
    points = values["points"][chosen]
    recomputed = known["expected_points"][chosen] & (stated == values["expected_points"][chosen])
    differs = (stated != points) & ~recomputed
    found = [_Rows(row[chosen], winner[chosen], WORTH, stated, points, differs, known["points"][chosen])]
    order = np.argsort(game * SEATS + winner, kind="stable")
    who = (game * SEATS + winner)[order]
    sums, certain = {}, {}
    for name, each in values.items():
        sums[name], certain[name] = np.zeros_like(each), np.zeros(len(each), dtype=bool)
        sums[name][order] = _running(each[order], who)
        certain[name][order] = _running((~known[name][order]).astype(np.int64), who) == 0
    chosen, stated = _chosen(log, "won", hint)
    differs = np.ones(len(chosen), dtype=bool)
    for name, total in sums.items():
        differs &= ~(certain[name][chosen] & (stated == total[chosen]))
    settled = certain["points"][chosen] & whole[game[chosen]]
    return [*found, _Rows(row[chosen], winner[chosen], WON, stated, sums["points"][chosen], differs, settled)]


def _running(values: Ints, group: Ints) -> Ints:
    """Return running sums within groups that stand together."""
    total = np.cumsum(values)
    found: Ints = total - np.append(0, total)[np.searchsorted(group, group)]
    return found


def _marks(  # noqa: PLR0917
    log: Log, played: Replay, wins: pl.DataFrame, row: Ints, winner: Ints, hint: Ints, ordered: Bools, followed: Bools
) -> list[_Rows]:
    """Return whether winners are marked as the dealer, and as in riichi."""
    round_ = wins["round"].to_numpy().astype(np.int64)
    declared = played.declared[round_ * SEATS + np.maximum(winner, 0)]
    due = {
        "dealer": (DEALER, filled(log.rounds["dealer"], 0)[round_] == winner, ordered[round_]),
        "riichi": (RIICHI, (declared >= 0) & (declared < row), followed[round_]),
    }
    found = []
    for name, (what, mark, known) in due.items():
        chosen, stated = _chosen(log, name, hint)
        expected = mark[chosen].astype(np.int64)
        found.append(_Rows(row[chosen], winner[chosen], what, stated, expected, stated != expected, known[chosen]))
    return found


def _scores(log: Log, played: Replay, at: Ints) -> _Rows:
    """Return the scores after wins: those before it and its changes, or those with which the next round begins."""
    round_ = log.claims["round"].to_numpy().astype(np.int64)
    changes = np.zeros((len(log.rounds), SEATS), dtype=np.int64)
    np.add.at(changes, round_, points_by_seat(log.claims["deltas"]))
    lost = np.zeros(len(log.rounds), dtype=bool)
    lost[round_[~is_known(log.claims["deltas"])]] = True
    first = np.flatnonzero((log.claims["nth"].to_numpy() == 0) & (log.reasons == REASON["win"]))
    of, known = round_[first], is_known(log.claims["before"])[first]
    due = points_by_seat(log.claims["before"])[first] + changes[of]
    game = log.rounds["game"].to_numpy().astype(np.int64)
    later = np.minimum(of + 1, len(game) - 1)
    goes_on = (later > of) & (game[later] == game[of])
    starts, ends = points_by_seat(log.rounds["start"]), points_by_seat(log.games["final_scores"])
    after = np.where(goes_on[:, None], starts[later], ends[game[of]])
    told = np.where(goes_on, is_known(log.rounds["start"])[later], is_known(log.games["final_scores"])[game[of]])
    row, seat = np.repeat(at[first], SEATS), np.tile(np.arange(SEATS), len(first))
    chosen, stated = _chosen(log, "points", _hints(log, played, row, seat))
    nth, who = chosen // SEATS, seat[chosen]
    differs = (stated != due[nth, who]) & ~(told[nth] & (stated == after[nth, who]))
    return _Rows(row[chosen], who, SCORE, stated, due[nth, who], differs, (known & ~lost[of])[nth])
