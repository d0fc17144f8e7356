"""What players may do after each draw, call and discard, beside what the log says that they were offered.

Wins are not here, because they need yaku (auditor/scoring/offered_wins.py); :class:`Asked` serves both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from auditor.log.arrays import filled, points_by_seat
from auditor.log.columns import OFFERS, REASON
from auditor.log.event_kinds import CODE, KANS, is_kind
from auditor.log.tables import SEATS
from auditor.log.tile_ids import KIND
from auditor.replay.hints import acting, keys_of
from auditor.replay.red_fives import red_fives_held
from auditor.replay.trust import END_HAND_DOUBTS, ORDER_DOUBTS, Doubt
from auditor.replay.win_context import interruptions, melds_of
from engine.legality import actions, kans
from engine.shapes.shanten import shanten
from engine.tiles import hands as engine_hands
from engine.tiles.hands import Hands, counts_of
from engine.tiles.kinds import EAST, NORTH, ORPHANS, count, kind_mask

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.replay.furiten_marks import Marks
    from auditor.replay.last_states import LastStates
    from auditor.replay.running_sums import Replay
    from auditor.replay.trust import Trust

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

OFFER = {name: code for code, name in enumerate(OFFERS)}
"""The code of each offer: its place in OFFERS."""
FIVES = (4, 13, 22)
NINE = 9
"""How many kinds of orphans allow the abort."""
THREE = 3
_WINS = (OFFER["tsumo"], OFFER["ron"])
_KANS = tuple(OFFER[name] for name in KANS)
_RULES = {
    "chi": ("kuikae_level",),
    "pon": ("kuikae_level",),
    "discard": ("kuikae_level",),
    "riichi": ("riichi_without_tenpai", "riichi_without_next_draw", "riichi_min_points", "fifth_tile_wait"),
    "kyuushu": ("abortive_kyuushu", "kita_interrupts"),
    "kita": ("kita",),
}
"""The rules that decide about offers; where one is unknown, the offer is not checkable."""
_IN_RIICHI = ("riichi_ankan_level", "riichi_ankan_yaku_loss", "fifth_tile_wait")
"""The rules that decide about an ankan in riichi."""
OFFER_RULES = tuple(dict.fromkeys([
    *(name for names in _RULES.values() for name in names), *_IN_RIICHI, "riichi_ankan_of_wait", "kan_max", "chi",
    "max_simultaneous_ron", "temporary_furiten_end", "kokushi_ankan_chankan", "kita_ron",
]))  # fmt: skip
"""All rules that decide about offers, but for those of yaku."""


@dataclass(frozen=True)
class Asked:
    """The n moments at which the log states what a seat was offered.

    ``row`` int64 is the event, ``seat`` int64 the seat, ``hand`` int64 its number. ``own`` bool: the event is the
    seat's own draw or call; otherwise another seat has discarded, made a kan or set a north aside.
    """

    log: Log
    played: Replay
    row: Ints
    seat: Ints
    state: Ints

    @cached_property
    def own(self) -> Bools:
        """Whether it is the seat's own event."""
        found: Bools = self.played.seat[self.row] == self.seat
        return found

    @cached_property
    def round(self) -> Ints:
        """The round of each moment."""
        return self.played.round[self.row]

    @cached_property
    def hand(self) -> Ints:
        """The number of each moment's hand."""
        return self.round * SEATS + self.seat

    @cached_property
    def at(self) -> Ints:
        """The row whose keys are those of the hand: the own event, or the last one before another seat's."""
        return np.where(self.own, self.row, self.state)

    @cached_property
    def riichi(self) -> Bools:
        """Whether the seat has declared riichi before."""
        declared = self.played.declared[self.hand]
        found: Bools = (declared >= 0) & (declared < self.row)
        return found

    def chosen(self, which: Ints) -> Asked:
        """Return some of the moments."""
        return Asked(self.log, self.played, self.row[which], self.seat[which], self.state[which])

    @cached_property
    def hands(self) -> Hands:
        """The hands, with their melds at that time."""
        played, at = self.played, self.at
        melded = melds_of(played, self.hand)
        there = np.arange(4) < played.melds[at][:, None]
        types, tiles, feeders = (
            np.where(there, column[self.hand], 0) for column in (melded.kind, melded.tile, melded.feeder)
        )
        added = played.rows("kakan")
        place = played.hand[added] * 64 + KIND[played.tile_id[added]]
        order = np.argsort(place, kind="stable")
        place, added = np.append(place[order], -1), np.append(added[order], -1)
        wanted = self.hand[:, None] * 64 + tiles
        nth = np.searchsorted(place[:-1], wanted)
        later = (types == engine_hands.KAKAN) & (place[nth] == wanted) & (added[nth] > at[:, None])
        types = np.where(later, engine_hands.PON, types)
        return Hands(
            played.keys[at].astype(np.int32), types.astype(np.uint8), tiles.astype(np.uint8), feeders.astype(np.int8),
            np.zeros(len(at), np.uint8),
        )  # fmt: skip

    @cached_property
    def kans(self) -> Ints:
        """How many kans all seats have made in the round so far."""
        made = np.cumsum(self.played.is_kind(*KANS))
        found: Ints = made[self.row] - made[self.played.start[self.round]]
        return found


def asked(log: Log, played: Replay, marks: Marks) -> Asked:
    """Return the moments whose offers the log states."""
    rows, hint = acting(log, played)
    mask = filled(log.hints["asked"], 0)[hint]
    row, seat = np.nonzero(mask[:, None] >> np.arange(SEATS) & 1)
    row = rows[row]
    return Asked(log, played, row, seat.astype(np.int64), marks.state[np.maximum(row - 1, 0), seat])


@dataclass(frozen=True)
class Options:
    """Offers of n moments by kind of offer, [n, OFFERS]: ``there`` bool; ``kinds`` and ``reds`` int64 as in the log.

    ``known`` bool says where they are known.
    """

    there: Bools
    kinds: Ints
    reds: Ints
    known: Bools

    @classmethod
    def none(cls, length: int) -> Options:
        """Return no offers, all of them known."""
        shape = length, len(OFFERS)
        kinds, reds = np.zeros((2, *shape), dtype=np.int64)
        return cls(np.zeros(shape, dtype=bool), kinds, reds, np.ones(shape, dtype=bool))

    def add(self, name: str, rows: Ints, kinds: Ints | None = None, reds: Ints | None = None) -> None:
        """Enter offers of one kind at some moments; with masks, only where one of them is not 0."""
        code = OFFER[name]
        if kinds is not None:
            reds = np.zeros_like(kinds) if reds is None else reds
            some = kinds | reds != 0
            rows, kinds, reds = rows[some], kinds[some], reds[some]
            self.kinds[rows, code], self.reds[rows, code] = kinds, reds
        self.there[rows, code] = True


def followed(trust: Trust) -> Bools:
    """Return the rounds in which every hand can be followed, bool[rounds]."""
    hands = trust.hands.free_of(END_HAND_DOUBTS).reshape(-1, SEATS).all(axis=1)
    found: Bools = hands & trust.rounds.free_of(ORDER_DOUBTS | Doubt.EXTRA_COPY)
    return found


def recorded(log: Log, moments: Asked) -> Options:
    """Return what the log says that each moment offers."""
    found = Options.none(len(moments.row))
    key = keys_of(log, moments.played, moments.row) * SEATS + moments.seat
    order = np.argsort(key, kind="stable")
    offers = log.offers
    stated = (offers["game"].to_numpy().astype(np.int64) << 32 | offers["event"].to_numpy()) * SEATS
    stated += offers["seat"].to_numpy()
    place = np.minimum(np.searchsorted(key[order], stated), max(len(order) - 1, 0))
    fits = key[order][place] == stated if len(order) else np.zeros(len(stated), dtype=bool)
    row, code = order[place[fits]], offers["kind"].to_numpy()[fits]
    found.there[row, code] = True
    found.kinds[row, code], found.reds[row, code] = (offers[name].to_numpy()[fits] for name in ("kinds", "reds"))
    return found


def options(  # noqa: PLR0917
    log: Log, moments: Asked, ends: LastStates, followed: Bools, scored: Bools, rules: RulesByRow
) -> Options:
    """Return what the rules let each moment's seat do; wins are left out, and not known.

    Nothing is known of rounds that cannot be ``followed``, bool[rounds], and no riichi where the scores at the start
    are not known (``scored``, bool[rounds]).
    """
    found = Options.none(len(moments.row))
    of_rule = rules.of(moments.round)
    played = moments.played
    kind = played.kind[moments.row]
    good = followed[moments.round]
    own_draw = np.flatnonzero(good & moments.own & (kind == CODE["draw"]))
    calls = interruptions(played, rules)
    _after_draw(log, moments.chosen(own_draw), own_draw, found, of_rule.of(own_draw), calls)
    own_call = np.flatnonzero(good & moments.own & is_kind(kind, "chi", "pon"))
    found.add("discard", own_call)
    found.kinds[own_call, OFFER["discard"]] = _forbidden(played, moments.row[own_call], of_rule.of(own_call))
    on_discard = np.flatnonzero(good & ~moments.own & (kind == CODE["discard"]))
    _after_discard(log, moments.chosen(on_discard), on_discard, found, of_rule.of(on_discard))
    found.known[~scored[moments.round], OFFER["riichi"]] = False
    _limit(log, moments, found, ends, of_rule)
    found.known[~good] = False
    return found


def _limit(log: Log, moments: Asked, found: Options, ends: LastStates, rules: RulesByRow) -> None:
    """Mark what unknown rules decide as not known, and what no record shows."""
    known = found.known
    known[:, _WINS] = False
    for name, names in _RULES.items():
        for rule in names:
            known[rules.unknown(rule), OFFER[name]] = False
    three = log.players[moments.round] < SEATS
    known[three & rules.unknown("chi"), OFFER["chi"]] = False
    fifth = (moments.kans >= kans.MOST_KANS) & ~rules.holds("kan_max", kans.MOST_KANS)
    known[:, _KANS] &= ~fifth[:, None]
    unsettled = ~rules.holds("riichi_ankan_of_wait")
    for rule in _IN_RIICHI:
        unsettled |= rules.unknown(rule) & ((rule != "riichi_ankan_yaku_loss") | rules.holds("riichi_ankan_level", 1))
    known[moments.riichi & unsettled, OFFER["ankan"]] = False
    # Sources contradict each other on riichi with three tiles left and three players (RULES.md 4.6).
    known[three & (moments.played.left[moments.row] == THREE), OFFER["riichi"]] = False
    # Which calls are offered of a discard that aborts the round, no record shows.
    aborted = np.zeros(len(log.rounds), dtype=bool)
    aborted[log.claims["round"].to_numpy()[log.reasons >= REASON["kyuushu"]]] = True
    last = ~moments.own & aborted[moments.round] & (ends.last[moments.round] == moments.row)
    known[last] = False


def _forbidden(played: Replay, rows: Ints, rules: RulesByRow) -> Ints:
    """Return the kinds that must not be discarded after calls, as masks."""
    made = played.made
    at = np.searchsorted(made.row, rows)
    kinds = KIND[made.tile_ids[at]]
    meld = np.where(played.kind[rows] == CODE["chi"], engine_hands.CHI, engine_hands.PON)
    return actions.kuikae_kinds(meld, kinds[:, 0], kinds.min(axis=1), rules.assumed("kuikae_level"))


def _after_draw(  # noqa: PLR0917
    log: Log, moments: Asked, place: Ints, found: Options, rules: RulesByRow, calls: Ints
) -> None:
    """Enter what a seat can do with its draw; ``place`` has each moment's place in ``found``.

    ``calls`` has the rows of the calls that end the first turn.
    """
    played, rows, hands = moments.played, moments.row, moments.hands
    counts = hands.counts()
    left, tile = played.left[rows], KIND[played.tile_id[rows]].astype(np.int64)
    players = log.players[moments.round].astype(np.int64)
    level, whole = rules.assumed("riichi_ankan_level"), rules.holds("fifth_tile_wait", "whole_hand")
    found.add("discard", place[~moments.riichi])
    at, kind = np.nonzero(counts == 4)
    bits = kans.ankan(
        hands[at], kind, tiles_left=left[at], kans=moments.kans[at], riichi=moments.riichi[at], drawn=tile[at],
        level=level[at], nine_gates=rules.assumed("riichi_ankan_yaku_loss")[at], whole_hand=whole[at],
    )  # fmt: skip
    found.add("ankan", place, _gathered(len(rows), at[bits == 0], kind[bits == 0]))
    pon = hands.meld_type == engine_hands.PON
    at, slot = np.nonzero(pon)
    kind = hands.meld_tile[at, slot].astype(np.int64)
    held = (counts[at, kind] > 0) & (left[at] > 0) & (moments.kans[at] < kans.MOST_KANS) & ~moments.riichi[at]
    found.add("kakan", place, _gathered(len(rows), at[held], kind[held]))
    _riichi(log, moments, place, found, rules)
    begun = played.start[moments.round]
    called = np.searchsorted(calls, rows) > np.searchsorted(calls, begun)
    orphans = count(kind_mask(counts > 0) & ORPHANS) >= NINE
    nine = (played.discards[rows] == 0) & ~called & orphans & rules.holds("abortive_kyuushu")
    found.add("kyuushu", place[nine])
    north = (players < SEATS) & (counts[:, NORTH] > 0) & (left > 0) & rules.holds("kita")
    found.add("kita", place[north & (~moments.riichi | (tile == NORTH))])


def _riichi(log: Log, moments: Asked, place: Ints, found: Options, rules: RulesByRow) -> None:
    """Enter the discards that declare riichi."""
    played, rows = moments.played, moments.row
    closed = moments.hands.closed & ~moments.riichi
    closed[closed] = shanten(moments.hands.keys[closed], moments.hands.n_melds[closed], "block") <= 0
    near = np.flatnonzero(closed)
    hands = moments.hands[near]
    at, kind = np.nonzero(hands.counts() > 0)
    points = points_by_seat(log.rounds["start"])[moments.round, moments.seat]
    of = near[at]
    bits = actions.riichi(
        hands[at], kind, tiles_left=played.left[rows][of], points=points[of],
        without_next_draw=rules.holds("riichi_without_next_draw")[of],
        min_points=filled(rules.values("riichi_min_points"), 0)[of],
        whole_hand=rules.holds("fifth_tile_wait", "whole_hand")[of],
        players=log.players[moments.round].astype(np.int64)[of],
    )  # fmt: skip
    found.add("riichi", place, _gathered(len(rows), of[bits == 0], kind[bits == 0]))


def _gathered(length: int, at: Ints, kind: Ints) -> Ints:
    """Return the kinds that belong to each of ``length`` places as masks."""
    found = np.zeros(length, dtype=np.int64)
    np.bitwise_or.at(found, at, np.int64(1) << kind.astype(np.int64))
    return found


def _after_discard(log: Log, moments: Asked, place: Ints, found: Options, rules: RulesByRow) -> None:
    """Enter the calls that other seats can make of a discard."""
    played, rows = moments.played, moments.row
    tile = KIND[played.tile_id[rows]].astype(np.int64)
    players = log.players[moments.round].astype(np.int64)
    follows = (moments.seat - played.seat[rows]) % players == 1
    free = (played.left[rows] > 0) & ~moments.riichi
    held = counts_of(played.keys[moments.at])[np.arange(len(rows)), tile]
    level = rules.assumed("kuikae_level")
    near = np.flatnonzero(free & (held >= 2))
    pons = near[actions.pon(moments.hands[near], tile[near], tiles_left=1, kuikae_level=level[near]) == 0]
    kinds, reds = _pairs(moments.chosen(pons), tile[pons], tile[pons])
    found.add("pon", place[pons], kinds, reds)
    can = free & (held == 3) & (moments.kans < kans.MOST_KANS)
    found.add("daiminkan", place[can], np.int64(1) << tile[can])
    runs = np.flatnonzero(free & follows & (tile < EAST) & ((players == SEATS) | rules.holds("chi")))
    kinds, reds = np.zeros((2, len(rows)), dtype=np.int64)
    for step in range(3):
        lowest = tile[runs] - step
        fits = (lowest >= 0) & (lowest // 9 == tile[runs] // 9) & (lowest % 9 <= 6)
        at, low = runs[fits], lowest[fits]
        bits = actions.chi(moments.hands[at], tile[at], low, tiles_left=1, kuikae_level=level[at])
        at, low = at[bits == 0], low[bits == 0]
        first, second = np.where(step == 0, low + 1, low), np.where(step == 2, low + 1, low + 2)
        plain, red = _pairs(moments.chosen(at), first, second)
        kinds[at] |= plain
        reds[at] |= red
    found.add("chi", place, kinds, reds)


def _pairs(moments: Asked, first: Ints, second: Ints) -> tuple[Ints, Ints]:
    """Return which pairs of tiles hands can give for a call, as masks of the lower kind: without and with a red five.

    The hands hold the two tiles.
    """
    plain, red = np.ones(len(first), dtype=bool), np.zeros(len(first), dtype=bool)
    five = np.where(np.isin(first, FIVES), first, np.where(np.isin(second, FIVES), second, -1))
    some = np.flatnonzero(five >= 0)
    reds = red_fives_held(moments.log, moments.played, moments.hand[some], five[some], moments.at[some])
    total = counts_of(moments.played.keys[moments.at[some]])[np.arange(len(some)), five[some]]
    needed = 1 + (first[some] == second[some])
    plain[some] = total - reds >= needed
    red[some] = reds >= 1
    bit = np.int64(1) << first
    return np.where(plain, bit, 0), np.where(red, bit, 0)
