"""Exhaustive draws: which hands are tenpai, which are shown, which rivers are a nagashi mangan, and the payments.

Arrays have a row for each claim of an exhaustive draw or a nagashi mangan, and a column for each seat.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import filled, gathered, is_known, points_by_seat, rows_where, where_known
from auditor.log.columns import REASON
from auditor.log.event_kinds import CODE
from auditor.log.tables import CLAIMS, SEATS
from auditor.log.tile_ids import KIND, LIVE_TILES
from auditor.replay.columns import PLACE, Columns
from auditor.replay.last_states import waits_at
from auditor.replay.trust import END_HAND_DOUBTS, ROUND_DOUBTS
from auditor.replay.win_context import sticks_on_table
from auditor.scoring.succession import UNKNOWN, no_seat
from engine.scoring.draws import Draws, nagashi_payments, noten_payments
from engine.shapes.shanten import shanten
from engine.tiles.kinds import KINDS, ORPHANS

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.replay.last_states import LastStates
    from auditor.replay.running_sums import Replay

    Ints = npt.NDArray[np.int64]
    I32s = npt.NDArray[np.int32]
    Bools = npt.NDArray[np.bool_]

UNPAID = -1
"""In place of a mask of seats: the payments fit no set of seats."""
_SIMPLE: Bools = np.array([kind < KINDS and not ORPHANS >> kind & 1 for kind in range(256)])
"""Whether each kind is no orphan, bool[256]; false for the kind of an unknown tile."""

_MIDDLE = np.arange(8, 12)
"""Numbers of discards in the middle of a river."""


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
    drawn: I32s
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
        """The seats that get a nagashi mangan by the recorded changes, as masks; :data:`UNPAID` if none fits.

        Also UNPAID where no nagashi mangan is recorded, and no seat has one.
        """
        found = np.full(len(self.claim), UNPAID, dtype=np.int64)
        moved = self.paid & (self.recorded != 0).any(axis=1)
        draws = np.flatnonzero(moved & (self.nagashi | (self.owners > 0)))
        # Two sets of seats can have the same payments; then the right set, which comes first, is preferred.
        sets = np.column_stack([self.owners[draws], np.tile(np.arange(1, 1 << SEATS), (len(draws), 1))])
        due = self._nagashi(np.repeat(draws, 1 << SEATS), sets.ravel()).reshape(*sets.shape, SEATS)
        fits = (due == self.recorded[draws, None]).all(axis=2) & (sets > 0)
        some = fits.any(axis=1)
        found[draws[some]] = sets[some, fits.argmax(axis=1)[some]]
        return found

    def _nagashi(self, draws: Ints, seats: Ints) -> I32s:
        """Return the payments in m of the draws if these seats (masks) have a nagashi mangan, int32[m, 4]."""
        if not len(draws):
            return np.zeros((0, SEATS), dtype=np.int32)
        return nagashi_payments(replace(self.case.of(draws), nagashi=_seats(seats)), self.rules.table)

    def noten(self, tenpai: Bools) -> I32s:
        """Return the noten payments if these seats (bool[n, 4]) are tenpai, int32[n, 4]."""
        if not len(self.claim):
            return np.zeros((0, SEATS), dtype=np.int32)
        return noten_payments(replace(self.case, tenpai=tenpai), self.rules.table)

    def expected(self) -> tuple[I32s, Bools, Bools]:
        """Return the expected changes int32[n, 4], whether they are known, and whether the recorded ones differ.

        The recorded changes are accepted if they follow from the hands as played, even if other hands are shown (X102
        and X103 report that). They are also accepted if they are those of a nagashi mangan, even if the log records
        none, or it is another seat's (X107 reports that).
        """
        by_play = self.noten(self.tenpai)
        follows = (by_play == self.recorded).all(axis=1) & self.known.all(axis=1)
        expected = np.where(follows[:, None], by_play, self.noten(self.shown))
        named = np.flatnonzero(self.nagashi)
        expected[named] = self._nagashi(named, self.owners[named])
        expected = np.where((self.owners_paid > 0)[:, None], self.recorded, expected)
        known = self.paid & (~self.nagashi | (self.in_order & (self.owners > 0)) | (self.owners_paid > 0))
        return expected, known, known & (expected != self.recorded).any(axis=1)


def exhaustive_draws(log: Log, played: Replay, ends: LastStates, rules: RulesByRow) -> ExhaustiveDraws:
    """Return all draws at the end of a wall, recorded as exhaustive or nagashi."""
    reason = log.reasons
    claim = np.flatnonzero((reason == REASON["exhaustive"]) | (reason == REASON["nagashi"]))
    round_ = log.claims["round"].to_numpy()[claim].astype(np.int64)
    hand = (round_[:, None] * SEATS + np.arange(SEATS)).ravel()
    of_hand, known = (each.reshape(-1, SEATS) for each in _tenpai(played, ends, hand, rules))
    shown = log.shown[claim]
    if log.untold.any():
        # What the log does not tell is taken from play, as far as the payments agree with it.
        seated = log.seated.reshape(-1, SEATS)[round_]
        all_tenpai = (of_hand | ~known | ~seated).all(axis=1, keepdims=True) & seated
        free = (reason[claim] == REASON["nagashi"]) | ~is_known(log.claims["deltas"])[claim]
        free |= ~(rules.of(round_).assumed("noten_payment").reshape(-1, SEATS - 1) > 0).any(axis=1)
        by_play = np.where(free[:, None], of_hand, all_tenpai)
        shown = np.where(log.untold[claim, None], by_play, shown)
    dealer, players = filled(log.rounds["dealer"], UNKNOWN)[round_], log.players[round_]
    case = Draws(
        tenpai=of_hand,
        nagashi=np.zeros((len(claim), SEATS), dtype=bool),
        dealer=np.maximum(dealer, 0).astype(np.int64),
        players=players.astype(np.int64),
        honba=filled(log.rounds["honba"], 0)[round_].astype(np.int64),
        sticks=sticks_on_table(log, played)[round_],
        rule=rules.row[round_],
    )
    return ExhaustiveDraws(
        claim=claim,
        round=round_,
        nagashi=reason[claim] == REASON["nagashi"],
        in_order=ends.trust.rounds.free_of(ROUND_DOUBTS)[round_],
        drawn=LIVE_TILES[players] - played.left[ends.last[round_]],
        shown=shown,
        known=known,
        tenpai=of_hand,
        river=_rivers(played, ends, hand).reshape(-1, SEATS),
        away=_away(log, played, ends, round_),
        recorded=points_by_seat(log.claims["deltas"])[claim],
        paid=is_known(log.claims["deltas"])[claim] & (dealer >= 0),
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


def misshown_dealers(log: Log, played: Replay, ends: LastStates, rules: RulesByRow) -> Ints:
    """Return the rounds with a nagashi mangan at which the dealer is shown as tenpai or noten, and is not, int64[n].

    X102 and X103 report that. Nothing but the hands shown says there whether the dealer stays: no noten is paid.
    """
    claim = np.flatnonzero((log.reasons == REASON["nagashi"]) & ~log.untold)
    round_ = log.claims["round"].to_numpy()[claim].astype(np.int64)
    dealer = filled(log.rounds["dealer"], UNKNOWN)[round_].astype(np.int64)
    judged = (dealer >= 0) & ~rules.of(round_).holds("tenpai_declaration_optional")
    claim, round_, dealer = claim[judged], round_[judged], dealer[judged]
    tenpai, known = _tenpai(played, ends, round_ * SEATS + dealer, rules)
    found: Ints = round_[known & (tenpai != log.shown[claim, dealer])]
    return found


def _rivers(played: Replay, ends: LastStates, hand: Ints) -> Bools:
    """Return which hands, int64[m], discarded only orphans, none of which was called, bool[m]."""
    discards, count = played.rows("discard"), played.discards[ends.own[hand]]
    found = np.zeros(len(hand), dtype=bool)

    def thrown(which: Ints, nth: Ints) -> tuple[Ints, npt.NDArray[np.uint8]]:
        """Return rows and kinds of these hands' discards before the result; the last one stands for further ones."""
        rows = ends.discard(hand[which, None], np.minimum(nth, count[which, None]))
        return rows, KIND[played.tile_id[rows]]

    # The middle of a river first: hardly any has only orphans there.
    some = np.flatnonzero(count > 0)
    _, kind = thrown(some, _MIDDLE)
    some = some[~_SIMPLE[kind].any(axis=1)]
    rows, kind = thrown(some, np.arange(1, count[some].max(initial=0) + 1))
    pure = (kind < KINDS).any(axis=1) & ~_SIMPLE[kind].any(axis=1)
    some, rows = some[pure], rows[pure]
    # A call takes the last discard, even if it states another feeder (C101 and C102 report that).
    called = played.made.row[played.made.source >= 0]
    following = np.append(called, -1)[np.searchsorted(called, rows)]
    fed = np.searchsorted(discards, following) == np.searchsorted(discards, rows) + 1
    found[some] = ~fed.any(axis=1)
    return found


def _away(log: Log, played: Replay, ends: LastStates, round_: Ints) -> Bools:
    """Return which seats were disconnected at some time during these rounds, bool[n, 4]."""
    found = np.zeros((len(round_), SEATS), dtype=bool)
    moved = played.rows("leave", "return")
    if not len(moved):
        return found
    game = log.rounds["game"].to_numpy()
    for seat in range(SEATS):
        rows = np.append(-1, moved[played.seat[moved] == seat])
        last = rows[np.searchsorted(rows, ends.result[round_]) - 1]
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

    ``owed`` and ``allowed`` differ by the disconnected players; both are null where unknown, such as before the last
    tile (X101). ``paid`` is what the recorded changes show; 0 if the draw is not recorded as a nagashi mangan.
    """
    rule_unknown = rules.of(found.round).unknown("nagashi_mangan")
    live = LIVE_TILES[found.case.players]
    good = found.in_order & (found.drawn >= live) & (found.known | ~found.river).all(axis=1) & ~rule_unknown
    owed = found.owners & ~_mask(found.away)
    # If the changes fit no seats (P107 reports that), the nagashi mangan counts as paid to the right seats.
    paid = np.where(found.nagashi, np.where(found.owners_paid == UNPAID, found.owners, found.owners_paid), 0)
    undue = found.nagashi & (found.owners == 0)
    return pl.DataFrame([
        *(gathered(log.claims[name], found.claim) for name in ("round", "event", "reason")),
        no_seat(len(found.claim)),
        gathered(log.events["pos"], ends.result[found.round]),
        where_known(found.drawn, found.in_order).alias("drawn"),
        pl.Series("live", live),
        where_known(owed, good).alias("owed"),
        where_known(found.owners, good).alias("allowed"),
        pl.Series("paid", paid),
        pl.Series("undue", undue),
    ])  # fmt: skip


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
    at, seat = np.nonzero(found.case.seated)
    claim, round_, seat = found.claim[at], found.round[at], seat.astype(np.int8)
    disputed = rows_where(shows[["claim", "seat"]], ~shows["agrees"])
    same = np.ones((len(log.claims), SEATS), dtype=bool)
    same[disputed["claim"].to_numpy(), disputed["seat"].to_numpy()] = False
    of_hand = rules.of(round_)
    pool = of_hand.assumed("noten_payment").reshape(-1, SEATS - 1)  # a batch without rounds may have no rules
    pays = where_known(pool.sum(axis=1) > 0, ~of_hand.unknown("noten_payment"))
    chosen = of_hand.values("tenpai_declaration_optional")
    # Without noten payments no hand is shown (RULES.md 4.2), except that of a dealer who stays by tenpai: the renchan
    # mode 2 (RULES.md 1).
    deals = gathered(log.rounds["dealer"], round_) == pl.Series(seat)
    free = pays | (deals & (of_hand.values("renchan_mode") == 2))
    in_riichi = pl.Series(played.riichi[ends.own[round_ * SEATS + seat]] > 0)
    return pl.DataFrame([
        gathered(log.claims["round"], claim),
        gathered(log.claims["event"], claim),
        pl.Series("seat", seat),
        gathered(log.events["pos"], ends.result[round_]),
        pl.Series("shown", found.shown[at, seat]),
        where_known(found.tenpai[at, seat], found.known[at, seat] & same[claim, seat]).alias("tenpai"),
        pays.zip_with(in_riichi, free & ~chosen).alias("must_show"),
    ])  # fmt: skip
