"""The next round: the dealer, honba and riichi sticks that follow from the result of a round.

RULES.md 1 (連荘方式), 1.2, 2.10. Every array has one entry for each row of ``log.rounds``. A log with one mistake can
continue from the right value or from the mistake. So a round's start is accepted if it follows from the round before
as recorded, or from all results since the game's start.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from auditor.log.arrays import filled, is_known, points_by_seat, rows_where, where_known
from auditor.log.columns import REASON, REASONS
from auditor.log.tables import ROUNDS, SEATS
from auditor.log.words import ABORTS
from auditor.replay.columns import PLACE, Columns
from auditor.replay.trust import Doubt
from auditor.replay.win_context import own_discards, sticks_paid

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.replay.running_sums import Replay
    from auditor.replay.trust import Trust

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

UNKNOWN = -1
IS_ABORT: Bools = np.isin([*REASONS, "unknown"], list(ABORTS))
"""Whether each code is that of an abort, bool[codes]; the last entry is for UNKNOWN."""


def players_by_round(log: Log) -> Ints:
    """Return the number of players in each round's game, int64[rounds]."""
    players: Ints = log.games["players"].to_numpy().astype(np.int64)[log.rounds["game"].to_numpy()]
    return players


def is_last_of_game(log: Log) -> Bools:
    """Return which rounds are the last of their game, bool[rounds]."""
    last: Bools = np.diff(log.rounds["game"].to_numpy().astype(np.int64), append=-1) != 0
    return last


def sum_by_round(log: Log, changes: npt.NDArray[np.integer]) -> Ints:
    """Return the sum of the changes of each round's claims, int64[rounds, 4]; ``changes`` is int[claims, 4]."""
    total = np.zeros((len(log.rounds), SEATS), dtype=np.int64)
    round_, again = log.claims["round"].to_numpy(), log.claims["nth"].to_numpy() > 0
    total[round_[~again]] = changes[~again]
    # Only for the few further results of a round, because np.add.at takes ten times as long as an assignment.
    np.add.at(total, round_[again], changes[again])
    return total


def no_seat(rows: int) -> pl.Series:
    """Return the column ``seat`` of a table whose rows concern no seat."""
    return pl.Series("seat", [None], dtype=pl.Int8).new_from_index(0, rows)


@dataclass(frozen=True)
class RoundOutcomes:
    """The outcome of each round.

    ``known`` is false where the consequences of the result are unknown. ``won`` (also a nagashi mangan that counts as a
    win) and ``abort`` say how the round ended. ``dealer_stays`` bool[rounds, 4] says for each seat whether the dealer
    would stay if that seat were the dealer. ``deposits`` int64[rounds, 4] counts the riichi sticks that each seat paid.
    ``honba`` and ``sticks`` are the counters that the result states, -1 if it does not. ``paid_honba`` and
    ``paid_sticks`` are the same counters, or else those that the payments of a win imply, -1 if unknown.
    """

    known: Bools
    won: Bools
    abort: Bools
    dealer_stays: Bools
    deposits: Ints
    honba: Ints
    sticks: Ints
    paid_honba: Ints
    paid_sticks: Ints

    @cached_property
    def paid(self) -> Ints:
        """How many riichi sticks are paid during each round, int64[rounds]."""
        paid: Ints = self.deposits.sum(axis=1)
        return paid


def of_rounds(record: Any, rounds: Ints) -> Any:  # noqa: ANN401 - arrays, or records of them
    """Return a record of arrays by round for other rounds, given as rows; it can have such records and tuples in it."""
    if isinstance(record, np.ndarray):
        return record[rounds]
    if isinstance(record, tuple):
        return tuple(of_rounds(each, rounds) for each in record)
    return replace(record, **{each.name: of_rounds(getattr(record, each.name), rounds) for each in fields(record)})


def outcomes(log: Log, played: Replay, trust: Trust, rules: RulesByRow, misshown: Ints) -> RoundOutcomes:
    """Return the outcome of each round, from its results; of several wins, the first decides the counters.

    ``misshown`` has rounds at whose draw the dealer's hand is not what it is shown as (draws.py).
    """
    count = len(log.rounds)
    claims = log.claims
    at = claims["round"].to_numpy().astype(np.int64)
    first = claims["nth"].to_numpy() == 0

    def of_first(values: npt.NDArray[np.integer]) -> Ints:
        found = np.full(count, UNKNOWN, dtype=np.int64)
        found[at[first]] = values[first]
        return found

    reason = of_first(log.reasons)
    winner = filled(claims["winner"], UNKNOWN)
    wins, shown = np.zeros((count, SEATS), dtype=bool), np.zeros((count, SEATS), dtype=bool)
    wins[at[winner >= 0], winner[winner >= 0]] = True
    showing, seat = np.nonzero(log.shown)
    shown[at[showing], seat] = True
    change = sum_by_round(log, points_by_seat(claims["deltas"]))
    won, nagashi = reason == REASON["win"], reason == REASON["nagashi"]
    abort = IS_ABORT[reason]
    mode = rules.assumed("renchan_mode")
    by_tenpai = (mode == 3)[:, None] | ((mode == 2)[:, None] & shown)
    by_payment = nagashi & rules.assumes("nagashi_renchan", "nagashi_winner")
    by_draw = np.where(by_payment[:, None], change > 0, by_tenpai)
    stays = np.where(won[:, None], wins & (mode > 0)[:, None], by_draw) | abort[:, None]
    # A game of a single round (game_length 0) ends with a win; any draw repeats the round.
    stays = np.where(rules.assumes("game_length", 0)[:, None], ~won[:, None], stays)
    by_hands = ~won & ~abort & ~by_payment & (mode == 2)  # the dealer stays if tenpai
    drawn = np.flatnonzero((reason == REASON["exhaustive"]) & (mode == 2))
    pool = rules.of(drawn).assumed("noten_payment")
    disputed = drawn[~_noten_agrees(shown[drawn], change[drawn], pool, log.players[drawn])]
    unnamed = at[(winner < 0) | own_discards(log, played)]
    known = (reason >= 0) & trust.rounds.free_of(Doubt.STICKS_UNKNOWN)
    known[disputed] = False
    known[misshown[by_hands[misshown]]] = False
    untold = at[log.untold]
    known[untold[by_hands[untold]]] = False
    known[unnamed[won[unnamed]]] = False
    stated = {name: of_first(filled(claims[name], UNKNOWN)) for name in ("honba", "sticks")}
    return RoundOutcomes(
        known=known,
        won=won | (nagashi & rules.assumed("nagashi_as_win")),
        abort=abort,
        dealer_stays=stays,
        deposits=sticks_paid(played, count),
        **stated,
        **_paid(log, rules, stated),
    )


def _paid(log: Log, rules: RulesByRow, stated: dict[str, Ints]) -> dict[str, Ints]:
    """Return the honba and sticks that results state or, if they do not, that the round's first win pays.

    The sum of all changes is the value of the sticks. The winner's change less sticks and points is the value of the
    honba.
    """
    found = {f"paid_{name}": value.copy() for name, value in stated.items()}
    unstated = np.minimum(stated["honba"], stated["sticks"]) < 0
    asked = unstated[log.claims["round"].to_numpy()] & (log.claims["nth"].to_numpy() == 0)
    asked &= log.reasons == REASON["win"]
    if not asked.any():
        return found
    wins = rows_where(log.claims[["round", "deltas", "points", "winner"]], asked).drop_nulls()
    at, change = wins["round"].to_numpy(), points_by_seat(wins["deltas"]).astype(np.int64)
    of_win = rules.of(at)
    stick, unit = (
        of_win.assumed("riichi_stick_value"),
        of_win.assumed("honba_value") * (log.players[at] - 1).astype(np.int64),
    )
    total = change.sum(axis=1)
    more = change[np.arange(len(at)), wins["winner"].to_numpy()] - total - wins["points"].to_numpy()
    for name, amount, each in (("paid_sticks", total, stick), ("paid_honba", more, unit)):
        whole = (each > 0) & (amount >= 0) & (amount % np.maximum(each, 1) == 0) & (found[name][at] < 0)
        found[name][at[whole]] = (amount // np.maximum(each, 1))[whole]
    return found


def _noten_agrees(shown: Bools, change: Ints, pool: Ints, players: npt.NDArray[np.int8]) -> Bools:
    """Return in which exhaustive draws the seats with shown hands are those that gain points, bool[n].

    These must be the tenpai seats; otherwise X102, X103 or P106 reports the difference. All draws agree if the rules
    have no noten payment: ``pool`` is that payment, int[n, 3]. ``players`` int8[n] is the number of seats.
    """
    count = shown.sum(axis=1)
    pool = pool.reshape(-1, SEATS - 1)  # a batch without rounds may have no rules either
    paying = (count > 0) & (count < players) & (pool[np.arange(len(pool)), np.clip(count, 1, 3) - 1] > 0)
    agrees: Bools = ((change > 0) == (shown & paying[:, None])).all(axis=1) | (pool == 0).all(axis=1)
    return agrees


@dataclass(frozen=True)
class Succession:
    """The start of each round, recorded and as it follows from the round before.

    ``known`` is false where it is unknown what follows. ``order`` is the round's place in the game (0 is East 1), -1 if
    unknown. ``honba`` and ``sticks`` are the recorded counters; where only the round's start contradicts the expected
    value, they are the expected ones. ``due_*`` are the values that follow from the round before. ``*_fits`` is false
    where the recorded value does not follow in any accepted way.
    """

    known: Bools
    order: Ints
    honba: Ints
    sticks: Ints
    due_order: Ints
    due_honba: Ints
    due_sticks: Ints
    order_fits: Bools
    honba_fits: Bools
    sticks_fits: Bools
    out: RoundOutcomes

    @cached_property
    def left(self) -> Ints:
        """The riichi sticks on the table after each round, int64[rounds]."""
        left: Ints = np.where(self.out.won, 0, np.maximum(self.sticks, 0) + self.out.paid)
        return left


@dataclass(frozen=True)
class _Heads:
    """The starts of rounds as recorded; -1 where the log does not say.

    ``before`` is the row of the round before. ``known`` says whether the start can be derived from it. ``anchor`` is
    the last row, up to this one, whose start cannot. ``seats`` is the number of players.
    """

    order: Ints
    honba: Ints
    sticks: Ints
    before: Ints
    known: Bools
    anchor: Ints
    seats: Ints


def succession(log: Log, out: RoundOutcomes) -> Succession:
    """Compare the start of each round with the results before it."""
    head = _heads(log, out)
    stays = out.dealer_stays[np.arange(len(log.rounds)), head.order.clip(0) % head.seats]
    due_order, order_fits = _order(head, out, stays)
    doubtful = ~order_fits | ~order_fits[head.before]
    due_honba, honba_fits, honba = _honba(head, out, out.won & ~stays, doubtful)
    due_sticks, sticks_fits, sticks = _sticks(head, out)
    return Succession(
        known=head.known,
        order=head.order,
        honba=honba,
        sticks=sticks,
        due_order=due_order,
        due_honba=due_honba,
        due_sticks=due_sticks,
        order_fits=order_fits,
        honba_fits=honba_fits,
        sticks_fits=sticks_fits,
        out=out,
    )


def _heads(log: Log, out: RoundOutcomes) -> _Heads:
    game = log.rounds["game"].to_numpy()
    row = np.arange(len(game))
    before = np.maximum(row - 1, 0)
    seats = players_by_round(log)
    wind, dealer, honba, sticks = (_counts(log, name) for name in ("wind", "dealer", "honba", "sticks"))
    order = np.where((wind < 0) | (dealer < 0), UNKNOWN, wind * seats + dealer)
    complete = (order >= 0) & (honba >= 0) & (sticks >= 0)
    known = (row > 0) & (game == game[before]) & out.known[before] & complete[before] & complete
    anchor = np.maximum.accumulate(np.where(known, 0, row))
    return _Heads(order, honba, sticks, before, known, anchor, seats)


def _counts(log: Log, name: str) -> Ints:
    """Return a column of ``log.rounds`` as int64[rounds], with UNKNOWN for null."""
    counts: Ints = filled(log.rounds[name].cast(pl.Int64), UNKNOWN)
    return counts


def _order(head: _Heads, out: RoundOutcomes, stays: Bools) -> tuple[Ints, Bools]:
    """Return the place in the game that follows from the round before, and whether the recorded place is accepted.

    Accepted are also the place that follows from all results since the anchor, and the place that follows if the round
    before had the dealer that those results give.
    """
    before = head.before
    moved: Ints = np.cumsum(~stays) - ~stays
    chained = head.order[head.anchor] + moved - moved[head.anchor]
    stays_by_chain = out.dealer_stays[np.arange(len(stays)), chained % head.seats]
    due = head.order[before] + ~stays[before]
    fits = (head.order == due) | (head.order == chained)
    fits |= (head.order[before] != chained[before]) & (head.order == chained[before] + ~stays_by_chain[before])
    return due, fits | ~head.known


def _honba(head: _Heads, out: RoundOutcomes, back: Bools, doubtful: Bools) -> tuple[Ints, Bools, Ints]:
    """Return the expected honba, whether the recorded honba are accepted, and the honba to use.

    The honba go up by one after a draw or the dealer's win, and to zero after another win (``back``). Where the dealer
    is doubtful, both are accepted.
    """
    before, honba = head.before, head.honba
    row = np.arange(len(honba))
    reset = head.known & back[before]
    base = np.maximum.accumulate(np.where(reset | ~head.known, row, 0))
    chained = np.where(reset[base], 0, honba[base]) + row - base
    due = np.where(back[before], 0, honba[before] + 1)
    by_result = np.where(back[before] | (out.honba[before] < 0), due, out.honba[before] + 1)
    fits = ~head.known | (honba == due) | (honba == by_result) | (honba == chained)
    fits |= doubtful & ((honba == honba[before] + 1) | (out.won[before] & (honba == 0)))
    return due, fits, _to_go_by(honba, fits, out.paid_honba, due, chained)


def _sticks(head: _Heads, out: RoundOutcomes) -> tuple[Ints, Bools, Ints]:
    """Return the expected sticks, whether the recorded sticks are accepted, and the sticks to use.

    A win takes all sticks; other results leave them and add those paid in the round.
    """
    before, sticks = head.before, head.sticks
    row = np.arange(len(sticks))
    paid = out.paid
    cleared = head.known & out.won[before]
    base = np.maximum.accumulate(np.where(cleared | ~head.known, row, 0))
    total = np.cumsum(paid) - paid
    chained = np.where(cleared[base], 0, sticks[base]) + total - total[base]
    due = np.where(out.won[before], 0, sticks[before] + paid[before])
    by_result = np.where(out.won[before] | (out.sticks[before] < 0), due, out.sticks[before])
    fits = ~head.known | (sticks == due) | (sticks == by_result) | (sticks == chained)
    return due, fits, _to_go_by(sticks, fits, out.paid_sticks - paid, due, chained)


def _to_go_by(recorded: Ints, fits: Bools, by_result: Ints, due: Ints, chained: Ints) -> Ints:
    """Return the counts to use: the recorded ones, or those of the round's own result if only these are as expected."""
    agrees = ~fits & ((by_result == due) | (by_result == chained))
    return np.where(agrees, by_result, recorded)


def with_corrected_starts(log: Log, succession: Succession) -> Log:
    """Return the log with the honba and sticks to use, so that one wrong round start gives no further findings."""
    used = {"honba": succession.honba, "sticks": succession.sticks}
    if all((counts == _counts(log, name)).all() for name, counts in used.items()):
        return log
    corrected = log.rounds.with_columns(
        where_known(counts.astype(np.int16), is_known(log.rounds[name])).alias(name) for name, counts in used.items()
    )
    return replace(log, rounds=corrected)


SUCCESSION_COLUMNS: Columns = {
    **ROUNDS,
    **PLACE,
    "expected_wind": pl.Int64,
    "expected_dealer": pl.Int64,
    "expected_honba": pl.Int64,
    "expected_sticks": pl.Int64,
    "order_fits": pl.Boolean,  # wind and dealer are accepted
    "honba_fits": pl.Boolean,
    "sticks_fits": pl.Boolean,
}


def succeeding(log: Log, succession: Succession) -> pl.DataFrame:
    """Return one row for each round: the canonical columns, expected values (null where unknown), and ``*_fits``."""
    seats = players_by_round(log)
    due = {
        "expected_wind": succession.due_order // seats,
        "expected_dealer": succession.due_order % seats,
        "expected_honba": succession.due_honba,
        "expected_sticks": succession.due_sticks,
    }
    return log.rounds.hstack([
        no_seat(len(seats)),
        *(where_known(values, succession.known).alias(name) for name, values in due.items()),
        pl.Series("order_fits", succession.order_fits),
        pl.Series("honba_fits", succession.honba_fits),
        pl.Series("sticks_fits", succession.sticks_fits),
    ])  # fmt: skip
