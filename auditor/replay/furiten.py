"""Furiten: whether a hand can win on another seat's tile.

A hand is furiten if it waits for a tile that it has discarded, or that it has let pass since its last discard (a rule
says when this ends), or, in riichi, since the declaring discard. A tile counts if it completes the hand, with or
without yaku. Own discards count even if they were called. A tile that another seat adds to a kan counts as let pass.
Whether a North counts that another seat sets aside is known of no platform that writes logs (RULES.md 4.6), so a hand
that waits for it is not checkable. An own North that was set aside is no discard.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.log.arrays import expanded, filled, gathered, hand_numbers, where_known
from auditor.log.columns import REASON
from auditor.log.event_kinds import CODE
from auditor.log.tables import CALLS, SEATS
from auditor.log.tile_ids import BIT
from auditor.replay.columns import PLACE, Columns
from auditor.replay.last_states import seen_between, waits_at
from auditor.replay.trust import END_HAND_DOUBTS, ROUND_DOUBTS, SCORE_DOUBTS
from auditor.replay.win_context import result_rows

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.replay.last_states import LastStates
    from auditor.replay.running_sums import Replay
    from auditor.replay.win_context import WinContexts

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

CALLS_IN_A_ROW = 4
"""After this many calls a hand has no tiles left for another."""

Cause = pl.Enum(["own discard", "passed in riichi", "passed"])
_CAUSES = pl.Series([*Cause.categories, None], dtype=Cause)


class Furiten(NamedTuple):
    """The furiten of n hands, as masks of kinds, int64[n].

    ``waits`` are the hand's waits. Those among them that make it furiten are ``discarded`` by the hand, ``locked`` (let
    pass in riichi) or ``passed`` (let pass since the last discard). ``passed_known`` is false where an unknown rule
    decides about ``passed``, and ``no_kita`` where a wait was set aside by another seat in that time.
    """

    waits: Ints
    discarded: Ints
    locked: Ints
    passed: Ints
    passed_known: Bools
    no_kita: Bools


def furiten(played: Replay, ends: LastStates, hand: Ints, tile: Ints, rules: RulesByRow) -> Furiten:
    """Return the furiten of hands (``round * SEATS + seat``) when another seat offers a tile at the row ``tile``."""
    of_hand = rules.of(hand // SEATS)
    whole = of_hand.holds("fifth_tile_wait", "whole_hand")
    own = ends.own[hand]
    waits = waits_at(played, own, whole)
    thrown = played.discards[own].astype(np.int64)
    last = ends.discard(hand, thrown)
    last = np.where(last >= 0, last, ends.start[hand // SEATS])
    declared = ends.riichi[hand]
    declared = np.where(declared < tile, declared, -1)
    locked_from = ends.discard(hand, np.where(declared >= 0, played.discards[declared].astype(np.int64) + 1, 0))
    locked_from = np.where(locked_from >= 0, locked_from, tile)
    rule_unknown = of_hand.unknown("temporary_furiten_end")
    ends_by_call = of_hand.holds("temporary_furiten_end", "any_call")
    by_call = _since_call(played, last, tile) if (rule_unknown | ends_by_call).any() else last
    since = np.where(ends_by_call, by_call, last)
    asked = _Hands(played, ends, hand, waits)
    offered = asked.offered(np.minimum(last, locked_from), tile)
    passed = offered.after(since)
    drawing = np.flatnonzero(of_hand.holds("temporary_furiten_end", "own_draw"))
    if len(drawing):
        passed[drawing] |= _since_draw(played, ends, hand[drawing], whole[drawing])
    # Tiles that count even under the rule that ends furiten soonest count under every rule.
    surely = np.where(rule_unknown, offered.after(by_call), 0)
    passed = np.where(surely != 0, surely, passed)
    discarded = asked.discarded(thrown, tile).after(np.zeros_like(hand))
    no_kita = asked.no_kita(np.minimum(last, locked_from), tile, ~of_hand.holds("kita_ron", value=False))
    return Furiten(waits, discarded, offered.after(locked_from), passed, ~rule_unknown | (surely != 0), no_kita)


@dataclass(frozen=True)
class _Hands:
    """n hands: ``hand`` and ``waits`` int64[n]."""

    played: Replay
    ends: LastStates
    hand: Ints
    waits: Ints

    def offered(self, start: Ints, end: Ints) -> _Waited:
        """Return the waits that others offer from row ``start`` up to row ``end``: discards and tiles added to kans."""
        return self._of_others(start, end, "discard", "kakan")

    def no_kita(self, start: Ints, end: Ints, can_win: Bools) -> Bools:
        """Return which hands wait for no tile that others set aside in that time, bool[n].

        Where ``can_win`` is false, nobody can win such a tile, so it does not matter.
        """
        if not len(self.played.rows("kita")):
            return np.ones_like(can_win)
        found: Bools = ~can_win | (self._of_others(start, end, "kita").after(start) == 0)
        return found

    def _of_others(self, start: Ints, end: Ints, *kinds: str) -> _Waited:
        """Return the waits in events of these kinds by other seats from row ``start`` up to row ``end``."""
        place, row = expanded(start, np.maximum(end - start, 0))
        other = self.played.is_kind(*kinds)[row] & (self.played.seat[row] != self.hand[place] % SEATS)
        return self._waited(place[other], row[other])

    def discarded(self, count: Ints, end: Ints) -> _Waited:
        """Return the waits among the first ``count`` discards of each hand, before the row ``end``."""
        place, nth = expanded(np.ones_like(count), count)
        row = self.ends.discard(self.hand[place], nth)
        early = row < end[place]
        return self._waited(place[early], row[early])

    def _waited(self, place: Ints, row: Ints) -> _Waited:
        """Choose among the tiles of events; those that the acting hand lacked do not count."""
        bit = self.waits[place] & BIT[self.played.tile_id[row]]
        chosen = np.flatnonzero(bit)
        chosen = chosen[~np.isin(row[chosen], self.ends.absent)]
        return _Waited(len(self.hand), place[chosen], row[chosen], bit[chosen])


class _Waited(NamedTuple):
    """Tiles that some of n ``hands`` wait for: the ``place`` of the hand, the event's ``row``, the kind's ``bit``."""

    hands: int
    place: Ints
    row: Ints
    bit: Ints

    def after(self, since: Ints) -> Ints:
        """Return the kinds of each hand's tiles at or after the row ``since``, as masks, int64[n]."""
        late = self.row >= since[self.place]
        found = np.zeros(self.hands, dtype=np.int64)
        np.bitwise_or.at(found, self.place[late], self.bit[late])
        return found


def _since_call(played: Replay, last: Ints, tile: Ints) -> Ints:
    """Return the row of the last call by any seat before these tiles, or of the hand's last discard if that is later.

    A call takes the tile before it, so tiles count as let pass only after the call.
    """
    calls = np.append(played.rows(*CALLS), -1)  # where there is no call before, the place -1 gives this entry
    since: Ints = np.maximum(last, calls[np.searchsorted(calls[:-1], tile) - 1])
    return since


def _since_draw(played: Replay, ends: LastStates, hand: Ints, whole: Bools) -> Ints:
    """Return the waits that hands let pass between their last draw and their last discard, as masks.

    There are some only if the hand called after that draw. The waits are those that it had at that time.
    """
    found = np.zeros(len(hand), dtype=np.int64)
    drew = np.where(played.kind == CODE["draw"], np.int64(1) << np.maximum(played.seat, 0).astype(np.int64), 0)
    nth = played.discards[ends.own[hand]].astype(np.int64)
    active = np.arange(len(hand))
    for _ in range(CALLS_IN_A_ROW):
        late = ends.discard(hand[active], nth[active])
        early = ends.discard(hand[active], nth[active] - 1)
        early = np.where(early >= 0, early, ends.start[hand[active] // SEATS])
        between = seen_between(drew, early, late)
        called = (late >= 0) & (between >> (hand[active] % SEATS) & 1 == 0)
        active, early, late = active[called], early[called], late[called]
        if not len(active):
            break
        # The round's start is the deal of seat 0; the deals of the other seats follow it.
        row = np.where(played.kind[early] == CODE["deal"], early + hand[active] % SEATS, early)
        waits = waits_at(played, row, whole[active])
        found[active] |= _Hands(played, ends, hand[active], waits).offered(early, late).after(early)
        nth[active] -= 1
    return found


RON_COLUMNS: Columns = {
    **PLACE,
    "waits": pl.Int64,  # of the winner, mask of kinds
    "furiten": pl.Int64,  # the waits that forbid the win, mask of kinds
    "cause": Cause,
}


def rons(log: Log, played: Replay, ends: LastStates, case: WinContexts, rules: RulesByRow) -> pl.DataFrame:
    """Return one row for each ron, with ``waits``, ``furiten`` (the waits that forbid it) and ``cause``.

    ``furiten`` is 0 where the win is allowed. It is null where another fault makes it unknown: doubts about the hand, a
    winning tile that is not the last (W109) or does not complete the hand (W101).
    """
    ron = np.flatnonzero(~case.wins.tsumo)
    claims, last = log.claims[["round", "event", "winner"]][case.claim[ron]], case.last[ron]
    hand = hand_numbers(claims, "winner")
    judged = case.doubts.free_of(SCORE_DOUBTS | END_HAND_DOUBTS | ROUND_DOUBTS)[ron]
    good = np.flatnonzero(judged)
    found = furiten(played, ends, hand[good], last[good], rules)
    waits, bars, cause = (np.zeros(len(ron), dtype=np.int64) for _ in range(3))
    known = np.zeros(len(ron), dtype=bool)
    waits[good] = found.waits
    masks = (found.discarded, found.locked, found.passed)
    which = np.select([mask != 0 for mask in masks], range(3), 3)
    cause[good], bars[good] = which, np.choose(which, [*masks, 0])
    known[good] = (found.waits & BIT[played.tile_id[last[good]]] != 0) & np.select(
        [which < 2, which == 2], [True, found.passed_known], found.no_kita
    )
    return pl.DataFrame(
        {
            "round": claims["round"],
            "event": claims["event"],
            "pos": gathered(log.events["pos"], ends.result[hand // SEATS]),
            "seat": claims["winner"],
            "waits": where_known(waits, judged),
            "furiten": where_known(bars, known),
            "cause": gathered(_CAUSES, cause, known),
        }
    )


WON_TILE_COLUMNS: Columns = {
    **PLACE,
    "count": pl.Int8,  # seats that win the tile
    "most": pl.Int8,  # seats that can win the tile by the rules
}


def winners(log: Log, played: Replay, ends: LastStates, rules: RulesByRow) -> pl.DataFrame:
    """Return one row for each tile won by ron: how many seats won it (``count``), and how many can (``most``).

    ``most`` is null where the rules do not say. The row has the place of the first winner too many, else of the last
    winner.
    """
    winner, payer = (filled(log.claims[name], -1) for name in ("winner", "payer"))
    won = (winner >= 0) & (payer >= 0) & (winner != payer) & (log.reasons == REASON["win"])
    claim = np.flatnonzero(won)
    round_ = log.claims["round"].to_numpy()[claim].astype(np.int64)
    count = np.bincount(round_, minlength=len(log.rounds))[round_]
    place = np.arange(len(round_)) - np.searchsorted(round_, round_)
    most, known = _most(rules.of(round_), count, played.kind[ends.last[round_]] == CODE["kakan"])
    here = np.flatnonzero(place == np.where(known, np.minimum(most, count - 1), count - 1))
    claims = log.claims[["round", "event", "winner"]][claim[here]]
    return pl.DataFrame(
        {
            "round": claims["round"],
            "event": claims["event"],
            "pos": gathered(log.events["pos"], result_rows(played)[claim[here]]),
            "seat": claims["winner"],
            "count": count[here].astype(np.int8),
            "most": where_known(most[here].astype(np.int8), known[here]),
        }
    )


def _most(rules: RulesByRow, count: Ints, robbed: Bools) -> tuple[Ints, Bools]:
    """Return how many seats can win each of these tiles, which ``count`` seats win, and whether that is known."""
    aborts, goes_on = (
        np.where(robbed, rules.holds(_ABORTS[1], value), rules.holds(_ABORTS[0], value)) for value in (True, False)
    )
    # At most two can win, but a third ron does not abort: on a robbed kan all three win (RULES.md 2.8); otherwise no
    # source says what happens.
    third = rules.holds("max_simultaneous_ron", 2) & (count > 2)
    most = np.where(third, np.where(aborts, 2, 3), rules.assumed("max_simultaneous_ron"))
    known = np.where(third, aborts | (goes_on & robbed), ~rules.unknown("max_simultaneous_ron"))
    return np.where(count == 1, 1, most), known | (count == 1)


_ABORTS = ("abortive_triple_ron", "abortive_triple_ron_on_kan")
