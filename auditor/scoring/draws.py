"""Exhaustive draws: which hands are tenpai, which are shown, which rivers are a nagashi mangan, and the payments.

Arrays have a row for each claim of an exhaustive draw or a nagashi mangan, and a column for each seat.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import points_by_seat
from auditor.log.event_kinds import CODE
from auditor.log.tables import CLAIMS, SEATS
from auditor.replay.columns import PLACE, Columns
from auditor.replay.last_states import seen_between, tile_bits, waits_at
from auditor.replay.trust import END_HAND_DOUBTS, ROUND_DOUBTS
from auditor.replay.turns import LIVE_TILES
from auditor.replay.win_context import sticks_on_table
from engine.scoring.draws import Draws, nagashi_payments, noten_payments
from engine.shapes.shanten import shanten
from engine.tiles.kinds import ORPHANS

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.replay.last_states import LastStates
    from auditor.replay.running_sums import Replay

    Ints = npt.NDArray[np.int64]
    I32s = npt.NDArray[np.int32]
    Bools = npt.NDArray[np.bool_]

NEXT_WALL = ("exhaustive", "nagashi")
"""Results of rounds whose wall is exhausted."""
UNPAID = -1
"""In place of a mask of seats: the payments fit no set of seats."""


@dataclass(frozen=True)
class ExhaustiveDraws:
    """The n draws at the end of a wall.

    ``claim`` and ``round`` are rows of those tables. ``nagashi``: it is recorded as a nagashi mangan. ``in_order``: its
    round has no ROUND_DOUBTS. ``drawn``: how many tiles were drawn. For each seat, bool[n, 4]: ``shown`` (the hand is
    shown), ``known`` (it is known whether the hand is tenpai), ``tenpai``, ``river`` (it discarded orphans only, and
    none was called), ``away`` (the player was disconnected for a time). ``recorded`` int32[n, 4] has the changes of
    score; ``paid`` says that these and the dealer are stated. ``case`` is the engine's input.
    """

    claim: Ints
    round: Ints
    nagashi: Bools
    in_order: Bools
    drawn: Ints
    shown: Bools
    known: Bools
    tenpai: Bools
    river: Bools
    away: Bools
    recorded: I32s
    paid: Bools
    case: Draws
    rules: RulesByRow

    @cached_property
    def owners(self) -> Ints:
        """The seats whose river is a nagashi mangan by the rules, as masks.

        They include disconnected players, whom Tenhou does not pay.
        """
        plays = self.rules.assumed("nagashi_mangan")
        return np.where(plays, _mask(self.river), 0)

    @cached_property
    def owners_paid(self) -> Ints:
        """The seats that get a nagashi mangan by the recorded changes, as masks; :data:`UNPAID` if none fits."""
        found = np.full(len(self.claim), UNPAID, dtype=np.int64)
        for seats in range(1, 1 << SEATS):
            found[(self._nagashi(seats) == self.recorded).all(axis=1) & (found == UNPAID)] = seats
        # Two sets of seats can have the same payments; then the right set is preferred.
        right = (self._nagashi(self.owners) == self.recorded).all(axis=1) & (self.owners > 0)
        found = np.where(right, self.owners, found)
        return np.where(self.paid & (self.recorded != 0).any(axis=1), found, UNPAID)

    def _nagashi(self, seats: Ints | int) -> I32s:
        return nagashi_payments(self._case(_seats(np.broadcast_to(seats, len(self.claim)))), self.rules.table)

    def _case(self, owners: Bools) -> Draws:
        case = self.case
        return Draws(case.tenpai, owners, case.dealer, case.players, case.honba, case.sticks, case.rule)

    def noten(self, tenpai: Bools) -> I32s:
        """Return the noten payments if these seats (bool[n, 4]) are tenpai, int32[n, 4]."""
        case = self.case
        if not len(self.claim):
            return np.zeros((0, SEATS), dtype=np.int32)
        asked = Draws(tenpai, case.nagashi, case.dealer, case.players, case.honba, case.sticks, case.rule)
        return noten_payments(asked, self.rules.table)

    def expected(self) -> tuple[I32s, Bools, Bools]:
        """Return the expected changes int32[n, 4], whether they are known, and whether the recorded ones differ.

        The recorded changes are accepted if they follow from the hands as played, even if other hands are shown (X102
        and X103 report that). They are also accepted if they are those of a nagashi mangan, even if the log records
        none, or it is another seat's (X107 reports that).
        """
        by_shown = self.noten(self.shown)
        by_play = self.noten(self.tenpai)
        all_known = self.known.all(axis=1)
        follows = (by_play == self.recorded).all(axis=1) & all_known
        called = self.nagashi | (self.owners > 0)
        right = np.where(self.nagashi[:, None], self._nagashi(self.owners), by_shown)
        expected = np.where((follows & ~self.nagashi)[:, None], by_play, right)
        expected = np.where((called & (self.owners_paid > 0))[:, None], self.recorded, expected)
        known = self.paid & (~self.nagashi | (self.in_order & (self.owners > 0)) | (self.owners_paid > 0))
        return expected, known, known & (expected != self.recorded).any(axis=1)


def exhaustive_draws(log: Log, played: Replay, ends: LastStates, rules: RulesByRow) -> ExhaustiveDraws:
    """Return all draws at the end of a wall, recorded as exhaustive or nagashi."""
    named = log.claims.select((pl.col("reason").is_in(NEXT_WALL)).fill_null(value=False)).to_series()
    claim = np.flatnonzero(named.to_numpy())
    claims = log.claims[claim]
    round_ = claims["round"].to_numpy().astype(np.int64)
    hand = round_[:, None] * SEATS + np.arange(SEATS)
    shown = np.zeros((len(log.claims), SEATS), dtype=bool)
    shown[log.shows["claim"].to_numpy(), log.shows["seat"].to_numpy()] = True
    tenpai, known = _tenpai(played, ends, hand.ravel(), rules)
    heads = log.rounds[round_]
    case = Draws(
        tenpai=tenpai.reshape(-1, SEATS),
        nagashi=np.zeros((len(claim), SEATS), dtype=bool),
        dealer=heads["dealer"].fill_null(0).to_numpy().astype(np.int64),
        players=np.full(len(claim), SEATS),
        honba=heads["honba"].fill_null(0).to_numpy().astype(np.int64),
        sticks=sticks_on_table(log, played)[round_],
        rule=rules.row[round_],
    )
    return ExhaustiveDraws(
        claim=claim,
        round=round_,
        nagashi=(claims["reason"] == "nagashi").to_numpy(),
        in_order=ends.trust.rounds.free_of(ROUND_DOUBTS)[round_],
        drawn=played.draws[ends.last[round_]],
        shown=shown[claim],
        known=known.reshape(-1, SEATS),
        tenpai=tenpai.reshape(-1, SEATS),
        river=_rivers(played, ends, hand),
        away=_away(log, played, ends, round_),
        recorded=points_by_seat(claims["deltas"]),
        paid=claims["deltas"].is_not_null().to_numpy() & heads["dealer"].is_not_null().to_numpy(),
        case=case,
        rules=rules.of(round_),
    )


def _tenpai(played: Replay, ends: LastStates, hand: Ints, rules: RulesByRow) -> tuple[Bools, Bools]:
    """Return which hands are tenpai at the end of their round, and for which that is known."""
    known = ends.trust.hands.free_of(END_HAND_DOUBTS | ROUND_DOUBTS)[hand]
    of_hand = rules.of(hand[known] // SEATS)
    own = ends.own[hand[known]]
    waits = waits_at(played, own, of_hand.holds("fifth_tile_wait", "whole_hand"))
    tenpai = np.zeros(len(hand), dtype=bool)
    tenpai[known] = waits != 0
    # If the rules count a wait for a fifth tile, the shape decides, which waits do not show. The hand is surely not
    # tenpai if the block formula says so; otherwise it is unknown.
    counts = of_hand.holds("fifth_tile_wait", "none") & (waits == 0)
    if counts.any():
        maybe = np.flatnonzero(known)[counts]
        known[maybe] = shanten(played.keys[own[counts]], played.melds[own[counts]], "block") > 0
    return tenpai, known


def _rivers(played: Replay, ends: LastStates, hand: Ints) -> Bools:
    """Return which hands discarded only orphans, none of which was called, bool[n, 4]."""
    thrown = tile_bits(played, "discard")
    found = np.zeros(hand.shape, dtype=bool)
    fed = np.zeros(len(ends.own), dtype=bool)
    made = played.made[played.made.source >= 0]
    # A call takes the last discard, even if it states another feeder (C101 and C102 report that).
    discards = np.maximum.accumulate(np.where(played.is_kind("discard"), np.arange(len(played.kind)), 0))
    fed[played.hand[discards[made.row]]] = True
    start, end = ends.start[hand[:, 0] // SEATS], ends.result[hand[:, 0] // SEATS]
    for seat in range(SEATS):
        river = seen_between(np.where(played.seat == seat, thrown, 0), start, end)
        found[:, seat] = (river != 0) & (river & ~ORPHANS == 0)
    return found & ~fed[hand]


def _away(log: Log, played: Replay, ends: LastStates, round_: Ints) -> Bools:
    """Return which seats were disconnected at some time during these rounds, bool[n, 4]."""
    found = np.zeros((len(round_), SEATS), dtype=bool)
    moved = played.is_kind("leave", "return")
    if not moved.any() or not len(round_):
        return found
    game = log.rounds["game"].to_numpy()
    for seat in range(SEATS):
        rows = np.where(moved & (played.seat == seat), np.arange(len(moved)), -1)
        last = np.maximum.accumulate(rows)[ends.result[round_] - 1]
        same = (last >= 0) & (game[played.round[last]] == game[round_])
        found[:, seat] = same & ((played.kind[last] == CODE["leave"]) | (last >= ends.start[round_]))
    return found


def _mask(seats: Bools) -> Ints:
    """Return seats bool[n, 4] as masks."""
    mask: Ints = seats @ (np.int64(1) << np.arange(SEATS))
    return mask


def _seats(mask: Ints) -> Bools:
    """Return masks as seats bool[n, 4]."""
    found: Bools = (mask[:, None] >> np.arange(SEATS)) & 1 == 1
    return found


WALL_DRAW_COLUMNS: Columns = {
    **PLACE,
    "reason": CLAIMS["reason"],
    "drawn": pl.Int32,  # tiles drawn
    "live": pl.Int32,  # tiles that can be drawn
    "owed": pl.Int64,  # seats that must get a nagashi mangan, mask
    "allowed": pl.Int64,  # seats that can get one, mask
    "paid": pl.Int64,  # seats that get one, mask
    "undue": pl.Boolean,  # a nagashi mangan is recorded, and no seat has one
}


def drawn_rounds(log: Log, found: ExhaustiveDraws, ends: LastStates, rules: RulesByRow) -> pl.DataFrame:
    """Return one row for each draw at the end of a wall: the tiles drawn, and the seats with a nagashi mangan.

    ``owed`` and ``allowed`` differ by the disconnected players; both are null where unknown. ``paid`` is what the
    recorded changes show; 0 if the draw is not recorded as a nagashi mangan.
    """
    rule_unknown = rules.of(found.round).unknown("nagashi_mangan")
    good = found.in_order & (found.known | ~found.river).all(axis=1) & ~rule_unknown
    owed = found.owners & ~_mask(found.away)
    # If the changes fit no seats (P107 reports that), the nagashi mangan counts as paid to the right seats.
    paid = np.where(found.nagashi, np.where(found.owners_paid == UNPAID, found.owners, found.owners_paid), 0)
    undue = found.nagashi & (found.owners == 0)
    return (
        log.claims[found.claim]
        .select("round", "event", "reason", pl.lit(None, pl.Int8).alias("seat"))
        .with_columns(
            pos=log.events["pos"].gather(ends.result[found.round]),
            drawn=pl.when(pl.Series(found.in_order)).then(pl.Series(found.drawn)),
            live=pl.lit(LIVE_TILES),
            owed=pl.when(pl.Series(good)).then(pl.Series(owed)),
            allowed=pl.when(pl.Series(good)).then(pl.Series(found.owners)),
            paid=pl.Series(paid),
            undue=pl.Series(undue),
        )
    )


WALL_HAND_COLUMNS: Columns = {
    **PLACE,
    "shown": pl.Boolean,  # the log shows the hand, so it counts as tenpai
    "tenpai": pl.Boolean,  # the hand as played is tenpai
    "must_show": pl.Boolean,  # by the rules, the hand must be shown if it is tenpai
}


def hands_at_draw(  # noqa: PLR0917
    log: Log, played: Replay, found: ExhaustiveDraws, ends: LastStates, shows: pl.DataFrame, rules: RulesByRow
) -> pl.DataFrame:
    """Return one row for each hand at a draw that ends a wall: ``shown``, ``tenpai`` and ``must_show``.

    ``tenpai`` is null where there are doubts about the hand, or the hand shown differs from the hand as played (T105).
    ``must_show`` is null where the rules do not say.
    """
    claim, seat = np.repeat(found.claim, SEATS), np.tile(np.arange(SEATS), len(found.claim))
    round_ = np.repeat(found.round, SEATS)
    disputed = shows.filter(~pl.col("agrees").fill_null(value=True))
    same = ~np.isin(claim * SEATS + seat, disputed["claim"].to_numpy() * SEATS + disputed["seat"].to_numpy())
    heads = log.rounds[round_]
    of_hand = rules.of(round_)
    columns = {
        "riichi": pl.Series(played.riichi[ends.own[round_ * SEATS + seat]] > 0),
        "dealt": pl.Series(seat) == heads["dealer"],
        "pays": of_hand.values("noten_payment").list.max() > 0,
        "repeats": of_hand.values("renchan_mode") == 2,
        "chosen": of_hand.values("tenpai_declaration_optional"),
    }
    # Without noten payments no hand is shown (RULES.md 4.2), except that of a dealer who stays by tenpai: the renchan
    # mode 2 (RULES.md 1).
    free = pl.col("pays") | (pl.col("dealt") & pl.col("repeats"))
    return (
        log.claims[claim]
        .select("round", "event")
        .with_columns(
            seat=pl.Series(seat, dtype=pl.Int8),
            pos=log.events["pos"].gather(ends.result[round_]),
            shown=pl.Series(found.shown.ravel()),
            tenpai=pl.when(pl.Series(found.known.ravel() & same)).then(pl.Series(found.tenpai.ravel())),
            **columns,
        )
        .with_columns(must_show=pl.when("riichi").then("pays").otherwise(free & ~pl.col("chosen")))
        .drop(*columns)
    )
