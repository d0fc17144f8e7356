"""Points: the payments of each result, and whether the stated scores follow from the scores stated before."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import points_by_seat
from auditor.log.tables import CLAIMS, SEATS, Points
from auditor.replay.columns import PLACE, Columns
from auditor.replay.trust import PAYMENT_DOUBTS
from auditor.replay.win_context import result_rows, sticks_on_table
from auditor.scoring.aborts import RULES as ABORTS
from engine.scoring.payments import Settlement, payments_from_points

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.replay.running_sums import Replay
    from auditor.replay.win_context import WinContexts
    from auditor.scoring.draws import ExhaustiveDraws
    from engine.scoring.score import Scores

    Ints = npt.NDArray[np.int64]

STICKS, HONBA, BALANCE, FLOW, NOTEN, NAGASHI = range(6)
NO_FAULT = -1
FAULTS = pl.Enum(["sticks", "honba", "balance", "flow", "noten", "nagashi"])
"""The ways in which recorded changes can differ from the expected ones; the first that applies is the fault."""


PAYMENT_COLUMNS: Columns = {
    **CLAIMS,
    **PLACE,
    "expected_honba": pl.Int16,
    "expected_sticks": pl.Int16,
    "taken": pl.Int16,  # riichi sticks that the result takes off the table
    "expected_deltas": Points,
    "fault": FAULTS,
}


def payments(
    log: Log, played: Replay, case: WinContexts, scored: Scores, wins: pl.DataFrame, *, drawn: ExhaustiveDraws
) -> pl.DataFrame:
    """Return one row for each result: the columns of ``claims``, its place, and these.

    ``expected_honba`` and ``expected_sticks`` are the counters that the result should state. ``expected_deltas`` are
    the changes that follow from the recorded points, or from the recomputed points if the recorded changes agree with
    those; null where neither is known. ``fault`` is one of :data:`FAULTS` where the recorded changes differ, else null.
    ``taken`` is how many riichi sticks the result takes off the table.
    """
    claims = log.claims
    rounds = claims["round"].to_numpy()
    first = claims["nth"].to_numpy() == 0
    table = sticks_on_table(log, played)[rounds]
    won = (claims["reason"] == "win").fill_null(value=False).to_numpy()
    expected, known, fault = _won(case, scored, wins)
    known_row = np.zeros(len(claims), dtype=bool)
    deltas = np.zeros((len(claims), SEATS), dtype=np.int32)
    faults = np.full(len(claims), NO_FAULT, dtype=np.int8)
    known_row[case.claim], deltas[case.claim], faults[case.claim] = known, expected, fault
    expected, known, differs = drawn.expected()
    known_row[drawn.claim], deltas[drawn.claim] = known, expected
    faults[drawn.claim[differs]] = np.where(drawn.nagashi[differs], NAGASHI, NOTEN)
    recorded, stated = points_by_seat(claims["deltas"]), claims["deltas"].is_not_null().to_numpy()
    aborted = claims["reason"].is_in(list(ABORTS)).fill_null(value=False).to_numpy() & stated
    known_row |= aborted
    faults[aborted & (recorded != 0).any(axis=1)] = NOTEN
    due = np.where(known_row, deltas.sum(axis=1), 0)
    faults[~won & stated & (recorded.sum(axis=1) != due)] = BALANCE
    return claims.with_columns(
        seat="winner",
        pos=log.events[result_rows(played)]["pos"],
        expected_honba=log.rounds["honba"].gather(rounds),
        expected_sticks=pl.when(log.rounds["sticks"].gather(rounds).is_not_null()).then(
            pl.Series(np.where(first, table, 0), dtype=pl.Int16)
        ),
        taken=pl.Series(np.where(first & won, table, 0), dtype=pl.Int16),
        expected_deltas=pl.when(pl.Series(known_row)).then(pl.Series(deltas, dtype=pl.Array(pl.Int32, SEATS))),
        fault=pl.when(pl.Series(faults) >= 0).then(pl.Series(faults.clip(0)).cast(pl.UInt8).cat.to(FAULTS)),
    )


def _won(
    case: WinContexts, scored: Scores, wins: pl.DataFrame
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.bool_], npt.NDArray[np.int8]]:
    """Return for each win the expected changes, whether they are known, and the fault of the recorded ones."""
    recorded = points_by_seat(wins["deltas"])
    stated = wins["points"].fill_null(0).to_numpy().astype(np.int64)
    liable = wins["liable"].fill_null(-1).to_numpy()
    # A recorded liability that the engine does not find counts for the whole value; W111 reports the liability.
    pao_points = np.where((liable >= 0) & (scored.pao != liable), stated, scored.pao_points)
    pao_points = np.where(liable >= 0, np.minimum(pao_points, stated), 0)
    settlement = Settlement.of(case.wins, pao=liable, pao_points=pao_points)
    by_points, valid = payments_from_points(stated, settlement, case.rules.table)
    valid &= wins["points"].is_not_null().to_numpy()
    scoreable = wins["scoreable"].to_numpy()
    by_score = scored.deltas
    follows_score = scoreable & (recorded == by_score).all(axis=1)
    expected = np.where((follows_score | ~valid)[:, None], by_score, by_points)
    known = (valid | scoreable) & case.doubts.free_of(PAYMENT_DOUBTS) & wins["deltas"].is_not_null().to_numpy()
    differs = known & (recorded != expected).any(axis=1)
    return expected, known, _fault(case.rules, settlement, recorded - expected, recorded, differs)


def _fault(
    rules: RulesByRow,
    case: Settlement,
    surplus: npt.NDArray[np.int32],
    recorded: npt.NDArray[np.int32],
    differs: npt.NDArray[np.bool_],
) -> npt.NDArray[np.int8]:
    """Return the fault of each win, int8[n]; ``surplus`` int32[n, 4] is the recorded changes less the expected ones."""
    row = np.arange(len(surplus))
    stick = rules.assumed("riichi_stick_value")
    of_winner = surplus[row, case.winner].astype(np.int64)
    others = surplus.copy()
    others[row, case.winner] = 0
    more = of_winner // np.maximum(stick, 1)
    sticks = (others == 0).all(axis=1) & (of_winner % np.maximum(stick, 1) == 0) & _plausible(more, case.sticks)
    unit = rules.assumed("honba_value") * (case.players.astype(np.int64) - 1)
    count = of_winner // np.maximum(unit, 1)
    moved, _ = payments_from_points(
        np.zeros(len(row), dtype=np.int64),
        replace(
            case,
            honba=count,
            sticks=np.zeros(len(row), dtype=np.int64),
            pao_points=np.zeros(len(row), dtype=np.int64),
        ),
        rules.table,
    )
    honba = (of_winner % np.maximum(unit, 1) == 0) & (moved == surplus).all(axis=1) & _plausible(count, case.honba)
    unbalanced = recorded.sum(axis=1) != case.sticks * stick
    kind = np.select([sticks, honba, unbalanced], [STICKS, HONBA, BALANCE], FLOW)
    return np.where(differs, kind, NO_FAULT).astype(np.int8)


def _plausible(more: Ints, due: npt.NDArray[np.integer]) -> npt.NDArray[np.bool_]:
    """Return which surplus counts look like a miscount: some or all forgotten, one too many, or up to twice as many."""
    plausible: npt.NDArray[np.bool_] = (more >= -due) & (more <= np.maximum(due, 1))
    return plausible


SCORE_COLUMNS: Columns = {
    **PLACE,
    "recorded": Points,  # scores that the log states at this place
    "due": Points,  # change just before these scores: a riichi deposit
    "recorded_change": Points,  # change after these scores, as recorded
    "right_change": Points,  # change after these scores, as it should be
    "known": pl.Boolean,  # the changes are known
    "cut": pl.Boolean,  # the start of a round after a round without a result
    "row": pl.Int64,  # of Log.events
    "begins": pl.Boolean,  # the start of a round
    "game": pl.UInt32,
    "expected": Points,  # the last stated scores plus the recorded changes since
    "carries": pl.Boolean,  # the stated scores follow from earlier ones
}


def scores(
    log: Log, played: Replay, payments: pl.DataFrame, rules: RulesByRow, unknown: npt.NDArray[np.bool_]
) -> pl.DataFrame:
    """Return one row for each place where the log states all scores, except the first of each game.

    Such a place is a round's start, a deposit or a result. ``expected`` is the last stated scores plus the recorded
    changes since; it is null where one of these changes is unknown, or a round in between has no result. ``carries`` is
    true if the recorded scores follow from earlier ones by the recorded changes, or by the right ones (P101 to P104
    report wrong changes). Earlier ones are those at the place before, or, if these were a mistake, the scores before
    the mistake: so one mistake gives one finding. ``unknown`` bool[rounds] marks the rounds in which it is unknown who
    paid a stick.
    """
    places = _places(log, played, payments, rules, unknown)
    recorded = points_by_seat(places["recorded"])
    stated = places["recorded"].is_not_null().to_numpy()
    game = places["game"].to_numpy()
    before = points_by_seat(places["due"])
    unknown = ~places["known"].to_numpy()
    segment = np.cumsum(places["cut"].to_numpy()) + np.cumsum(unknown) - unknown
    rows = np.flatnonzero(stated)
    previous, here = rows[:-1], rows[1:]
    same = game[previous] == game[here]
    previous, here = previous[same], here[same]
    comparable = segment[previous] == segment[here]
    expected, carries = [], []
    for changes in ("recorded_change", "right_change"):
        change = points_by_seat(places[changes])
        total = np.cumsum(before + change, axis=0) - change
        # total excludes a row's own change, so the difference includes the change made at the previous place.
        expected.append(recorded[previous] + total[here] - total[previous])
        base = recorded[rows] - total[rows]
        carries.append(_goes_on(base, game[rows], segment[rows])[1:][same])
    found: pl.DataFrame = places[here]
    return found.with_columns(
        expected=pl.when(pl.Series(comparable)).then(pl.Series(expected[0], dtype=pl.Array(pl.Int32, SEATS))),
        carries=pl.when(pl.Series(comparable)).then(pl.Series(carries[0] | carries[1])),
    )


def _goes_on(base: Ints, game: Ints, segment: Ints) -> npt.NDArray[np.bool_]:
    """Return which stated scores follow from earlier ones, bool[n].

    ``base`` int64[n, 4] is the stated scores less all changes before them, so scores that follow from each other have
    the same base. A place follows if its base is that of the place before, or that of the run of equal bases two runs
    back (the run between is then a mistake), in the same game and segment.
    """
    row = np.arange(len(base))
    before = np.maximum(row - 1, 0)
    together = (game == game[before]) & (segment == segment[before]) & (row > 0)
    same = together & (base == base[before]).all(axis=1)
    # ``other`` is where the run two back begins.
    begins = np.flatnonzero(~same)
    run = np.cumsum(~same) - 1
    other = begins[np.maximum(run - 2, 0)]
    comparable = (run >= 2) & (game == game[other]) & (segment == segment[other])
    found: npt.NDArray[np.bool_] = same | (comparable & (base == base[other]).all(axis=1))
    return found


def _places(
    log: Log, played: Replay, payments: pl.DataFrame, rules: RulesByRow, unknown: npt.NDArray[np.bool_]
) -> pl.DataFrame:
    """Return the places that state or change scores, in the order of play; :data:`SCORE_COLUMNS` has the columns."""
    kind = pl.Array(pl.Int32, SEATS)
    none = pl.lit([0] * SEATS, dtype=kind)
    where = ("round", "event", "pos", "seat")
    claimed = pl.col("round").is_in(log.claims["round"].implode())
    starts = log.rounds.select(
        "round", "event", "pos", pl.lit(None, pl.Int8).alias("seat"), recorded="start", due=none, recorded_change=none,
        right_change=none, known=pl.lit(value=True), cut=~claimed.shift(1).over("game").fill_null(value=True),
        row=np.searchsorted(played.round, np.arange(len(log.rounds))), begins=pl.lit(value=True),
    )  # fmt: skip
    rows = played.rows("deposit")
    stick = rules.of(played.round[rows]).assumed("riichi_stick_value")
    due = np.zeros((len(rows), SEATS), dtype=np.int32)
    due[np.arange(len(rows)), played.seat[rows]] = -stick
    deposits = (
        log.events[rows]
        .select(*where, due=pl.Series(due, dtype=kind), row=rows)
        .join(log.deposits, on=["round", "event", "seat"], how="left", maintain_order="left")
        .select(
            *where,
            "due",
            "row",
            recorded="scores",
            recorded_change=none,
            right_change=none,
            known=pl.col("scores").is_not_null() | ~pl.Series(unknown[played.round[rows]]),
        )
    )
    results = payments.select(
        "round", "event", "pos", pl.lit(None, pl.Int8).alias("seat"), recorded="before", due=none,
        recorded_change="deltas",
        right_change=pl.when(pl.col("fault").is_not_null()).then("expected_deltas").otherwise("deltas"),
        known=pl.col("deltas").is_not_null()
        & (pl.col("fault").is_null() | pl.col("expected_deltas").is_not_null())
        & ~pl.Series((unknown & log.deposits_inferred)[payments["round"].to_numpy()]),
        row=result_rows(played),
    )  # fmt: skip
    return (
        pl.concat([starts, deposits, results], how="diagonal")
        .with_columns(pl.col("cut", "begins").fill_null(value=False))
        .join(log.rounds.select("round", "game"), on="round", maintain_order="left")
        .sort("row")
    )
