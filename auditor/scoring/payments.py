"""Points: the payments of each result, and whether the stated scores follow from the scores stated before."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import filled, gathered, is_known, points_by_seat, where_known
from auditor.log.columns import REASON
from auditor.log.seats import by_seat
from auditor.log.tables import CLAIMS, SEATS, Points
from auditor.replay.columns import PLACE, Columns
from auditor.replay.trust import PAYMENT_DOUBTS
from auditor.replay.win_context import result_rows, sticks_on_table
from auditor.scoring.scored_wins import liable_for_tsumo, settled
from auditor.scoring.succession import IS_ABORT
from engine.scoring.payments import Settlement, payments_from_points

if TYPE_CHECKING:
    from collections.abc import Iterable

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
_FAULT = pl.Series(FAULTS.categories, dtype=FAULTS)


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
    sticks = np.where(first, sticks_on_table(log, played)[rounds], 0).astype(np.int16)
    won = log.reasons == REASON["win"]
    recorded, stated = points_by_seat(claims["deltas"]), is_known(claims["deltas"])
    known = IS_ABORT[log.reasons] & stated
    deltas = np.zeros((len(claims), SEATS), dtype=np.int32)
    faults = np.where(known & (recorded != 0).any(axis=1), NOTEN, NO_FAULT).astype(np.int8)
    deltas[case.claim], known[case.claim], faults[case.claim] = _won(case, scored, wins)
    deltas[drawn.claim], known[drawn.claim], differs = drawn.expected()
    faults[drawn.claim[differs]] = np.where(drawn.nagashi[differs], NAGASHI, NOTEN)
    due = np.where(known, deltas.sum(axis=1), 0)
    faults[~won & stated & (recorded.sum(axis=1) != due)] = BALANCE
    columns = {
        "seat": claims["winner"],
        "pos": gathered(log.events["pos"], result_rows(played)),
        "expected_honba": log.rounds["honba"][rounds],
        "expected_sticks": where_known(sticks, is_known(log.rounds["sticks"])[rounds]),
        "taken": pl.Series(np.where(won, sticks, 0).astype(np.int16)),
        "expected_deltas": by_seat(deltas, log.players[rounds], known),
        "fault": gathered(_FAULT, faults, faults >= 0),
    }
    return claims.hstack([column.alias(name) for name, column in columns.items()])


def _won(
    case: WinContexts, scored: Scores, wins: pl.DataFrame
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.bool_], npt.NDArray[np.int8]]:
    """Return for each win the expected changes, whether they are known, and the fault of the recorded ones."""
    recorded = points_by_seat(wins["deltas"])
    expected, known = scored.deltas.copy(), is_known(wins["expected_points"]).copy()
    certain = case.doubts.free_of(PAYMENT_DOUBTS) & is_known(wins["deltas"])
    liable = np.where(is_known(wins["liable_stated"]), filled(wins["liable"], -1), scored.pao)
    # Which part of a yakuman a seat is liable for depends on what it is worth.
    certain &= settled(case.rules, scored) | (is_known(wins["points"]) & (liable < 0))
    fault = np.full(len(wins), NO_FAULT, dtype=np.int8)
    # The recorded points matter only where the recorded changes do not follow from the hand: seldom.
    rest = np.flatnonzero(~known | (recorded != expected).any(axis=1))
    if len(rest):
        points = filled(wins["points"], 0).astype(np.int64)
        # A recorded liability that the engine does not find counts for the whole value; W111 reports the liability.
        part = (scored.pao == liable) & ~liable_for_tsumo(case, scored)
        pao_points = np.where(part, np.minimum(scored.pao_points, points), points)
        settlement = Settlement.of(case.wins, liable, np.where(liable >= 0, pao_points, 0))[rest]
        by_points, valid = payments_from_points(points[rest], settlement, case.rules.table)
        valid &= is_known(wins["points"])[rest]
        expected[rest[valid]] = by_points[valid]
        known[rest] |= valid
        surplus = recorded[rest] - expected[rest]
        kind = _fault(case.rules.of(rest), settlement, surplus, recorded[rest])
        fault[rest] = np.where((known & certain)[rest] & (surplus != 0).any(axis=1), kind, NO_FAULT)
    return expected, known & certain, fault


def _fault(
    rules: RulesByRow, case: Settlement, surplus: npt.NDArray[np.int32], recorded: npt.NDArray[np.int32]
) -> npt.NDArray[np.integer]:
    """Return what is wrong with changes of wins, int[n]; ``surplus`` is the recorded ones less the right ones."""
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
    return np.select([sticks, honba, unbalanced], [STICKS, HONBA, BALANCE], FLOW)


def _plausible(more: Ints, due: npt.NDArray[np.integer]) -> npt.NDArray[np.bool_]:
    """Return which surplus counts look like a miscount: some or all forgotten, one too many, or up to twice as many."""
    plausible: npt.NDArray[np.bool_] = (more >= -due) & (more <= np.maximum(due, 1))
    return plausible


SCORE_COLUMNS: Columns = {
    **PLACE,
    "recorded": Points,  # scores that the log states at this place
    "begins": pl.Boolean,  # the start of a round
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
    rows = np.flatnonzero(places.stated)
    recorded, game, segment = places.recorded[rows], places.game[rows], places.segment[rows]
    players = log.games["players"].to_numpy()[game]
    here = np.flatnonzero(game[1:] == game[:-1]) + 1

    def total(change: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """Return all changes before each of the rows; they can wrap around, but differences are still right."""
        return (np.cumsum(places.due + change, axis=0, dtype=np.int32) - change)[rows]

    before = total(places.recorded_change)
    expected = (recorded - before)[here - 1] + before[here]
    carries = _goes_on(recorded - before, game, segment)
    if (places.recorded_change != places.right_change).any():
        carries |= _goes_on(recorded - total(places.right_change), game, segment)
    begins, at = places.begins[rows[here]], places.row[rows[here]]
    comparable = segment[here] == segment[here - 1]
    return pl.DataFrame([
        *(gathered(log.events[name], at) for name in ("round", "event", "pos")),
        gathered(log.events["seat"], at, ~begins),
        by_seat(recorded[here], players[here]).alias("recorded"),
        pl.Series("begins", begins),
        by_seat(expected, players[here], comparable).alias("expected"),
        where_known(carries[here], comparable).alias("carries"),
    ])  # fmt: skip


def _goes_on(base: npt.NDArray[np.int32], game: npt.NDArray[np.uint32], segment: Ints) -> npt.NDArray[np.bool_]:
    """Return which stated scores follow from earlier ones, bool[n].

    ``base`` int32[n, 4] is the stated scores less all changes before them, so scores that follow from each other have
    the same base. A place follows if its base is that of the place before, or that of the run of equal bases two runs
    back (the run between is then a mistake), in the same game and segment.
    """

    def follows(here: Ints | slice, there: Ints | slice) -> npt.NDArray[np.bool_]:
        together = (game[here] == game[there]) & (segment[here] == segment[there])
        same: npt.NDArray[np.bool_] = together & (base[here] == base[there]).all(axis=1)
        return same

    found = np.append(np.zeros(min(len(base), 1), dtype=bool), follows(slice(1, None), slice(-1)))
    runs = np.flatnonzero(~found)  # where each run begins
    found[runs[2:]] = follows(runs[2:], runs[:-2])
    return found


@dataclass(frozen=True)
class _Places:
    """The n places that state or change scores, in the order of play: starts of rounds, deposits and results.

    ``row`` int64[n] is the row in ``log.events``, ``game`` uint32[n] that of the game. ``begins`` bool[n] marks starts
    of rounds. ``segment`` int64[n] counts the gaps before the place: unknown changes, and rounds without a result.
    Scores and changes of score are int32[n, 4]: ``recorded`` has the scores at the place where they are ``stated``,
    bool[n]; ``due`` is the deposit just before them, ``recorded_change`` the change after them, ``right_change`` what
    that should be.
    """

    row: Ints
    game: npt.NDArray[np.uint32]
    begins: npt.NDArray[np.bool_]
    segment: Ints
    recorded: npt.NDArray[np.int32]
    stated: npt.NDArray[np.bool_]
    due: npt.NDArray[np.int32]
    recorded_change: npt.NDArray[np.int32]
    right_change: npt.NDArray[np.int32]


def _places(
    log: Log, played: Replay, payments: pl.DataFrame, rules: RulesByRow, unknown: npt.NDArray[np.bool_]
) -> _Places:
    groups = played.rows("deal")[::SEATS], played.rows("deposit"), result_rows(played)
    row = np.concatenate(groups)
    order = np.argsort(row, kind="stable")
    place = np.empty_like(row)
    place[order] = np.arange(len(row))
    start, deposit, result = np.split(place, np.cumsum([len(rows) for rows in groups[:-1]]))
    row = row[order]
    round_ = played.round[row]
    begins, lost, stated = np.zeros((3, len(row)), dtype=bool)
    recorded, due, change, right_change = np.zeros((4, len(row), SEATS), dtype=np.int32)
    begins[start] = True
    payer_unknown = unknown[round_]
    due[deposit, played.seat[row[deposit]]] = -rules.of(round_[deposit]).assumed("riichi_stick_value")
    repeated = deposit[_deposit_of_scores(log, row[deposit])]
    for at, scores in (
        (start, log.rounds["start"]), (repeated, log.deposits["scores"]), (result, payments["before"])
    ):  # fmt: skip
        recorded[at], stated[at] = points_by_seat(scores), is_known(scores)
    lost[deposit] = (payer_unknown & ~stated)[deposit]
    wrong, right = is_known(payments["fault"]), payments["expected_deltas"]
    change[result] = points_by_seat(payments["deltas"])
    right_change[result] = np.where(wrong[:, None], points_by_seat(right), change[result])
    inferred = log.deposits_inferred[payments["round"].to_numpy()]
    lost[result] = ~is_known(payments["deltas"]) | (wrong & ~is_known(right)) | (payer_unknown[result] & inferred)
    resulted, cut = np.zeros(len(start), dtype=bool), np.zeros(len(row), dtype=bool)
    resulted[payments["round"].to_numpy()] = True
    cut[start[1:]] = ~resulted[:-1]
    segment = np.cumsum(cut) + np.cumsum(lost) - lost
    game = log.rounds["game"].to_numpy()[round_]
    return _Places(row, game, begins, segment, recorded, stated, due, change, right_change)


def _deposit_of_scores(log: Log, rows: Ints) -> Ints:
    """Return for each row of ``log.deposits`` the place of its event in ``rows``, the rows of events of deposits."""

    def key(columns: Iterable[pl.Series]) -> Ints:
        round_, event, seat = (column.to_numpy().astype(np.int64) for column in columns)
        return round_ << 34 | event << 2 | seat

    names = ("round", "event", "seat")
    keys = key(gathered(log.events[name], rows) for name in names)
    order = np.argsort(keys, kind="stable")
    return order[np.searchsorted(keys, key(log.deposits[name] for name in names), sorter=order)]
