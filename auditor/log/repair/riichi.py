"""Slips of riichi: declared or paid before or after its discard, by another seat, twice, or in silence."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.log.event_kinds import CODE
from auditor.log.repair.plan import ROOM
from auditor.log.repair.view import FULL, View
from auditor.log.tables import SEATS

if TYPE_CHECKING:
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]

_NONE = -1
MOST = 2
"""Draws out of turn in a round whose seats can still be trusted."""
_UNPAID = ("win", "triple_ron", "four_winds", "four_kans")
"""Results with which a riichi's discard does not pass, or whose stick is a rule (RULES.md 5.24)."""


class _Steps(NamedTuple):
    """Steps of riichi: their rows, and the rows of the action before, after, and after that; -1 outside the round."""

    row: Ints
    before: Ints
    after: Ints
    then: Ints

    @classmethod
    def of(cls, view: View, kind: str) -> _Steps:
        """Find the steps of this kind (``riichi``, ``deposit``)."""
        row = np.flatnonzero(view.kind == CODE[kind])
        place = np.searchsorted(view.acts, row)
        around = np.concatenate([[_NONE], view.acts, [_NONE, _NONE]])
        found = [around[place + step] for step in range(3)]
        return cls(row, *(np.where(view.plan.round[each] == view.plan.round[row], each, _NONE) for each in found))


def _riichi(view: View) -> None:
    """Put declarations and sticks where they belong, and add what sticks are counted and not told."""
    foreign = _declarations(view)
    declared = _Declared.of(view)
    _deposits(view, declared, foreign)
    _sticks(view, declared)


def _declarations(view: View) -> set[tuple[int, int]]:
    """Put declarations between draw and discard; those told of another seat than draws and discards are that seat's.

    Return the rounds and seats of which those were told.
    """
    foreign = set()
    steps = _Steps.of(view, "riichi")
    mine = (steps.before >= 0) & (view.seat[steps.before] == view.seat[steps.row])
    odd = ~(mine & np.isin(view.kind[steps.before], FULL))
    for row, before, after, then in zip(*(each[odd].tolist() for each in steps), strict=True):
        if _astray(view, row):
            continue
        seat = view.seat[row]
        told = view.describe(row)
        if _is(view, after, "draw", seat) and _is(view, then, "discard", seat):
            view.plan.put(row, after=after)
        elif _is(view, before, "discard", seat):
            view.plan.put(row, before=before)
        elif _in_turn(view, before) and _is(view, after, "discard", view.seat[before]):
            foreign.add((int(view.plan.round[row]), int(seat)))
            view.plan.seat[row] = view.seat[before]
        elif _is(view, after, "discard", seat):
            continue  # that it has not drawn is said of the discard
        view.plan.say(row, told, "the deal" if before < 0 else view.describe(before))
    return foreign


def _is(view: View, row: int, kind: str, seat: int) -> bool:
    return row >= 0 and view.kind[row] == CODE[kind] and view.seat[row] == seat


def _in_turn(view: View, row: int) -> bool:
    """Tell whether an event is a draw that follows in turn on a discard, or on an own kan or the deal."""
    if row < 0 or view.kind[row] not in FULL:
        return False
    place = int(np.searchsorted(view.acts, row))
    last = int(view.acts[place - 1]) if place else _NONE
    if last < 0 or view.plan.round[last] != view.plan.round[row]:
        return True
    step = (view.seat[row] - view.seat[last]) % SEATS
    return bool(step == 1 if view.kind[last] == CODE["discard"] else step == 0)


def _astray(view: View, row: int) -> bool:
    """Tell whether in the round of an event no seat is to be trusted.

    Others discard there than the last to draw or call, or draws are out of turn again and again.
    """
    acts = view.of_round(int(view.round[row]))
    step = (view.seat[acts[1:]] - view.seat[acts[:-1]]) % SEATS
    thrown = view.kind[acts] == CODE["discard"]
    drawn = (view.kind[acts[1:]] == CODE["draw"]) & thrown[:-1]
    return bool((thrown[1:] & (step != 0)).any() or (drawn & (step != 1)).sum() > MOST)


class _Declared(NamedTuple):
    """Hands (round of the mending times SEATS, and seat; in order) that declare riichi, and their discards' rows."""

    hand: Ints
    discard: Ints

    @classmethod
    def of(cls, view: View) -> _Declared:
        """Find every hand's first declaration and the discard after it."""
        rows = np.flatnonzero(view.kind == CODE["riichi"])
        discards = np.flatnonzero(view.kind == CODE["discard"])
        room = (len(view.kind) + 1) * ROOM

        def key(row: Ints) -> Ints:
            return _hand(view, row) * room + view.plan.place[row]

        keys = np.sort(key(discards))
        at = np.searchsorted(keys, key(rows))
        found = np.append(keys, -1)[at]
        there = found // room == _hand(view, rows)
        hand, first = np.unique(_hand(view, rows[there]), return_index=True)
        return cls(hand, (found[there] % room // ROOM)[first])

    def due(self, hand: Ints) -> Ints:
        """Return the discard of each of these hands, -1 where it declares none."""
        at = np.minimum(np.searchsorted(self.hand, hand), max(len(self.hand) - 1, 0))
        if not len(self.hand):
            return np.full(len(hand), _NONE)
        return np.where(self.hand[at] == hand, self.discard[at], _NONE)


def _hand(view: View, row: Ints) -> Ints:
    found: Ints = view.plan.round[row] * SEATS + view.seat[row]
    return found


def _deposits(view: View, declared: _Declared, foreign: set[tuple[int, int]]) -> None:
    """Put sticks behind their discards, those of another seat to the one that declared; drop those told again.

    Of ``foreign`` rounds and seats it is said already that they are others.
    """
    steps = _Steps.of(view, "deposit")
    hand = _hand(view, steps.row)
    due = declared.due(hand)
    first = np.zeros(len(hand), dtype=bool)
    first[np.unique(hand, return_index=True)[1]] = True
    odd = (due != steps.before) | ~first
    paid = set(hand[first & (due >= 0)].tolist()) if odd.any() else set()
    for at in np.flatnonzero(odd).tolist():
        row, before, seat = int(steps.row[at]), int(steps.before[at]), int(view.seat[steps.row[at]])
        if _astray(view, row):
            continue
        told, follows = f"stick of seat {seat}", view.describe(before) if before >= 0 else "the deal"
        other = int(view.plan.round[row]) * SEATS + (int(view.seat[before]) if before >= 0 else seat)
        if not first[at]:
            view.plan.kept[row] = False
            follows = "itself"
        elif due[at] >= 0:
            view.plan.put(row, after=int(due[at]))
        elif before >= 0 and other not in paid and int(declared.due(np.array([other]))[0]) == before:
            view.plan.seat[row] = other % SEATS
            if (int(view.plan.round[row]), seat) in foreign:
                continue
        elif _is(view, before, "discard", seat):
            view.plan.add("riichi", [seat], like=row, before=before)
            follows = f"a discard of seat {seat} without riichi"
        view.plan.say(row, told, follows)


def _sticks(view: View, declared: _Declared) -> None:
    """Add the sticks that no tag tells, but the result counts: their discards passed (R107)."""
    log = view.plan.log
    rows = np.flatnonzero((view.kind == CODE["deposit"]) & view.plan.kept)
    lacking = ~np.isin(declared.hand, _hand(view, rows))
    # Of a round without a deal nobody knows the sticks that it began with.
    lacking &= declared.hand // SEATS % ROOM == 0
    hand, discard = declared.hand[lacking], declared.discard[lacking]
    after = np.append(view.acts, _NONE)[np.searchsorted(view.acts, discard) + 1]
    passed = (after >= 0) & (view.round[after] == view.round[discard])
    hand, discard, after = hand[passed], discard[passed], after[passed]
    if not len(hand):
        return
    round_ = hand // (SEATS * ROOM)
    claims = log.claims.unique("round", keep="first", maintain_order=True).select("round", "reason", "sticks")
    told = pl.DataFrame({"round": round_.astype(np.uint32)}).join(
        claims.cast({"reason": pl.String}), on="round", how="left", maintain_order="left"
    )
    won = told["reason"].is_in(_UNPAID).fill_null(value=True).to_numpy()
    due = ~((view.kind[after] == CODE["result"]) & won)
    start = log.rounds["sticks"].gather(round_).fill_null(_NONE).to_numpy().astype(np.int64)
    paid = np.bincount(view.round[rows], minlength=len(log.rounds))[round_]
    untold = np.bincount(round_[due], minlength=len(log.rounds))[round_]
    counted = told["sticks"].fill_null(_NONE).to_numpy() == start + paid + untold
    for at in np.flatnonzero(due & counted & (start >= 0)).tolist():
        row = int(discard[at])
        view.plan.add("deposit", [int(hand[at] % SEATS)], like=row, after=row)
        view.plan.say(row, "not told", "paid, as the result counts it", "R107")


SLIPS = (_riichi,)
