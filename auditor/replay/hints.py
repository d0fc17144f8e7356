"""What a log states beside the play, next to what the play says: waits, marks of furiten, tiles left, paid sticks.

Rows are judged only in rounds in which every hand can be followed (``followed``, bool[rounds]).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.log.arrays import filled, gathered, is_known, points_by_seat, where_known
from auditor.log.columns import CALLS, REASON, SEATS
from auditor.log.event_kinds import OPEN_CALLS
from auditor.replay.columns import PLACE, Columns
from auditor.replay.last_states import waits_at
from auditor.replay.win_context import result_rows

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.replay.furiten_marks import Marks
    from auditor.replay.running_sums import Replay

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]


def keys_of(log: Log, played: Replay, rows: Ints) -> Ints:
    """Return a number for game and event of each of these rows, which sorts like them."""
    game = log.rounds["game"].to_numpy()[played.round[rows]].astype(np.int64)
    keys: Ints = game << 32 | log.events["event"].to_numpy()[rows]
    return keys


def acting(log: Log, played: Replay) -> tuple[Ints, Ints]:
    """Return the draws, discards and calls about which the log states something: their rows, and those in log.hints."""
    rows = played.rows("draw", "discard", *CALLS)
    rows = rows[~played.over[rows]]
    stated = log.hints["game"].to_numpy().astype(np.int64) << 32 | log.hints["event"].to_numpy()
    seat = log.hints["seat"].to_numpy()
    keys = keys_of(log, played, rows)
    first = np.searchsorted(stated, keys)
    found = np.full(len(rows), -1)
    for step in range(SEATS):  # an event has at most one row for each seat
        at = np.minimum(first + step, len(stated) - 1)
        hit = (stated[at] == keys) & (seat[at] == played.seat[rows])
        found[hit] = at[hit]
    return rows[found >= 0], found[found >= 0]


WAIT_COLUMNS: Columns = {
    **PLACE,
    "waits": pl.Int64,  # shown, mask of kinds
    "expected_waits": pl.Int64,  # of the hand
}


def waits_shown(log: Log, played: Replay, followed: Bools, rules: RulesByRow) -> pl.DataFrame:
    """Return one row for each discard after which the player is shown waits, and for each hand at a draw that has some.

    Expected waits are null where the hand or the rule on the fifth tile of a kind is unknown.
    """
    known = is_known(log.hints["waits"])
    rows, hint = acting(log, played)
    chosen = known[hint] & played.is_kind("discard")[rows]
    rows, hint = rows[chosen], hint[chosen]
    ends, of_end = _at_draws(log, played, known)
    seat = log.hints["seat"].to_numpy()[of_end]
    place = pl.concat([
        log.events[[*PLACE]][rows],
        log.events[["round", "event", "pos"]][ends].hstack([pl.Series("seat", seat)]),
    ])  # fmt: skip
    at = np.concatenate([rows, played.own[played.round[ends] * SEATS + seat]])
    round_ = played.round[at]
    of_rule = rules.of(round_)
    waits = waits_at(played, at, of_rule.holds("fifth_tile_wait", "whole_hand"))
    return place.hstack([
        gathered(log.hints["waits"], np.concatenate([hint, of_end])),
        where_known(waits, followed[round_] & ~of_rule.unknown("fifth_tile_wait")).alias("expected_waits"),
    ])  # fmt: skip


def _at_draws(log: Log, played: Replay, known: Bools) -> tuple[Ints, Ints]:
    """Return the rows of results without a winner that show waits, and the rows of these in log.hints."""
    drawn = np.isin(log.reasons, (REASON["exhaustive"], REASON["nagashi"]))
    rows = result_rows(played)[drawn]
    stated = log.hints["game"].to_numpy().astype(np.int64) << 32 | log.hints["event"].to_numpy()
    hint = np.flatnonzero(known)
    keys = keys_of(log, played, rows)
    at = np.minimum(np.searchsorted(keys, stated[hint]), max(len(keys) - 1, 0))
    fits = keys[at] == stated[hint] if len(keys) else np.zeros(len(hint), dtype=bool)
    return rows[at[fits]], hint[fits]


FURITEN_COLUMNS: Columns = {
    **PLACE,  # the first seat that is marked wrongly, else the one that acts
    "furiten": pl.UInt8,  # the seats that are marked, as a mask; without those that are not checkable
    "expected_furiten": pl.UInt8,  # null where nothing is checkable
}


def furiten_shown(log: Log, played: Replay, marks: Marks, followed: Bools, rules: RulesByRow) -> pl.DataFrame:
    """Return one row for each draw, discard and call that marks the seats that are furiten."""
    rows, hint = acting(log, played)
    known = is_known(log.hints["furiten"])[hint]
    rows, hint = rows[known], hint[known]
    # The marks of a call are those from before it.
    at = rows - played.is_kind(*OPEN_CALLS)[rows]
    bits = 1 << np.arange(SEATS)
    judged = (marks.known[at] * bits).sum(axis=1)
    expected = (marks.furiten[at] * bits).sum(axis=1) & judged
    stated = filled(log.hints["furiten"], 0)[hint] & judged
    round_ = played.round[rows]
    settled = followed[round_] & (judged != 0) & ~rules.of(round_).unknown("fifth_tile_wait")
    other = ((stated ^ expected)[:, None] & bits) != 0
    seat = np.where(other.any(axis=1), other.argmax(axis=1), played.seat[rows])
    return log.events[["round", "event", "pos"]][rows].hstack([
        pl.Series("seat", seat.astype(np.int8)),
        pl.Series("furiten", stated.astype(np.uint8)),
        where_known(expected.astype(np.uint8), settled).alias("expected_furiten"),
    ])  # fmt: skip


class Starts(NamedTuple):
    """In which rounds the scores, and the sticks on the table, can be counted from the start: bool[rounds] each."""

    scores: Bools
    sticks: Bools


LEFT_COLUMNS: Columns = {
    **PLACE,
    "left": pl.UInt8,  # tiles that can still be drawn, as stated
    "expected_left": pl.Int32,
}


def left_shown(log: Log, played: Replay, followed: Bools) -> pl.DataFrame:
    """Return one row for each draw with the number of tiles left."""
    rows, hint = acting(log, played)
    known = is_known(log.hints["left"])[hint]
    rows, hint = rows[known], hint[known]
    return log.events[[*PLACE]][rows].hstack([
        gathered(log.hints["left"], hint),
        where_known(played.left[rows], followed[played.round[rows]]).alias("expected_left"),
    ])  # fmt: skip


STICK_COLUMNS: Columns = {
    **PLACE,
    "of_table": pl.Boolean,  # the number is that of the sticks on the table, else the score of the seat
    "stated": pl.Int32,  # after the seat has paid
    "expected": pl.Int32,
}


def sticks_shown(log: Log, played: Replay, starts: Starts, rules: RulesByRow) -> pl.DataFrame:
    """Return two rows for each paid stick: the score of the seat, and the sticks on the table after it.

    Expected values are null where the start of the round is not known.
    """
    rows = played.rows("deposit")
    rows = rows[~played.over[rows] & (played.seat[rows] >= 0)]
    stated = (log.hints["game"].to_numpy().astype(np.int64) << 32 | log.hints["event"].to_numpy()) * SEATS
    stated += log.hints["seat"].to_numpy()
    keys = keys_of(log, played, rows) * SEATS + played.seat[rows]
    hint = np.minimum(np.searchsorted(stated, keys), len(stated) - 1)
    fits = (stated[hint] == keys) & is_known(log.hints["points"])[hint]
    paid = np.cumsum(played.is_kind("deposit"))
    rows, hint = rows[fits], hint[fits]
    round_ = played.round[rows]
    before = paid[rows] - paid[played.start[round_]]
    start = points_by_seat(log.rounds["start"])[round_, played.seat[rows].astype(np.int64)]
    of_rule = rules.of(round_)
    worth = of_rule.assumed("riichi_stick_value")
    # A seat pays once a round.
    once = np.unique(played.hand[played.rows("deposit")], return_counts=True)
    single = np.isin(played.hand[rows], once[0][once[1] == 1])
    sticks = filled(log.rounds["sticks"], 0)[round_] + before
    place = log.events[[*PLACE]][np.repeat(rows, 2)]
    of_table = np.tile([False, True], len(rows))
    expected = np.stack([start - worth, sticks], axis=1).astype(np.int32).ravel()
    known = np.stack([
        single & ~of_rule.unknown("riichi_stick_value") & starts.scores[round_], single & starts.sticks[round_]
    ], axis=1).ravel()  # fmt: skip
    shown = [log.hints[name].to_numpy()[hint].astype(np.int32) for name in ("points", "sticks")]
    return place.hstack([
        pl.Series("of_table", of_table),
        pl.Series("stated", np.stack(shown, axis=1).ravel()),
        where_known(expected, known).alias("expected"),
    ])  # fmt: skip
