"""Slips of riichi: declared or paid before or after its discard, by another seat, twice, or in silence."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from auditor.log import SEATS
from auditor.mending.plan import ROOM
from auditor.mending.view import CODE, FULL, View

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
    """Put declarations and sticks where they belong."""
    _deposits(view, _declarations(view))


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
        told = view.told(row)
        if _is(view, after, "draw", seat) and _is(view, then, "discard", seat):
            view.plan.put(row, after=after)
        elif _is(view, before, "discard", seat):
            view.plan.put(row, before=before)
        elif _in_turn(view, before) and _is(view, after, "discard", view.seat[before]):
            foreign.add((int(view.plan.round[row]), int(seat)))
            view.plan.seat[row] = view.seat[before]
        elif _is(view, after, "discard", seat):
            continue  # that it has not drawn is said of the discard
        view.plan.say(row, told, "the deal" if before < 0 else view.told(before))
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


def _declaring(view: View) -> dict[int, int]:
    """Return the row of every first declaration's discard, by hand (round of the mending times SEATS, and seat)."""
    rows = np.flatnonzero(view.kind == CODE["riichi"])
    discards = np.flatnonzero(view.kind == CODE["discard"])
    events = len(view.kind)

    def place(row: Ints) -> Ints:
        return (view.plan.round[row] * SEATS + view.seat[row]) * (events + 1) * 16

    keys = np.sort(place(discards) + view.plan.place[discards])
    own = place(rows)
    at = np.searchsorted(keys, own + view.plan.place[rows])
    found = np.append(keys, 0)[at] - own
    there = (at < len(keys)) & (found < (events + 1) * 16)
    hands = view.plan.round[rows] * SEATS + view.seat[rows]
    # Backwards, so that of two declarations the first stands.
    listed = zip(hands[there][::-1].tolist(), (found[there] // 16)[::-1].tolist(), strict=True)
    return dict(listed)


def _deposits(view: View, foreign: set[tuple[int, int]]) -> None:
    """Put sticks behind their discards, those of another seat to the one that declared; drop those told again.

    Of ``foreign`` rounds and seats it is said already that they are others.
    """
    steps = _Steps.of(view, "deposit")
    declared = _declaring(view)
    hand = view.plan.round[steps.row] * SEATS + view.seat[steps.row]
    due = np.array([declared.get(each, _NONE) for each in hand.tolist()], dtype=np.int64)
    first = np.zeros(len(hand), dtype=bool)
    first[np.unique(hand, return_index=True)[1]] = True
    odd = (due != steps.before) | ~first
    paid = set(hand[first & (due >= 0)].tolist())
    for at in np.flatnonzero(odd).tolist():
        row, before, seat = int(steps.row[at]), int(steps.before[at]), int(view.seat[steps.row[at]])
        if _astray(view, row):
            continue
        told, follows = f"stick of seat {seat}", view.told(before) if before >= 0 else "the deal"
        payer = int(view.seat[before]) if before >= 0 else _NONE
        if not first[at]:
            view.plan.kept[row] = False
            follows = "itself"
        elif due[at] >= 0:
            view.plan.put(row, after=int(due[at]))
        elif (
            declared.get(int(view.plan.round[row]) * SEATS + payer) == before
            and view.plan.round[row] * SEATS + payer not in paid
        ):
            view.plan.seat[row] = payer
            if (int(view.plan.round[row]), seat) in foreign:
                continue
        elif _is(view, before, "discard", seat):
            view.plan.add("riichi", [seat], like=row, before=before)
            follows = f"a discard of seat {seat} without riichi"
        view.plan.say(row, told, follows)


def _sticks(view: View) -> None:
    """Add the sticks that no tag tells, but the result counts: their discards passed (R107)."""
    log = view.plan.log
    declared = _declaring(view)
    rows = np.flatnonzero((view.kind == CODE["deposit"]) & view.plan.kept)
    paid = set((view.plan.round[rows] * SEATS + view.seat[rows]).tolist())
    lacking = {hand: discard for hand, discard in declared.items() if hand not in paid}
    if not lacking:
        return
    claims = log.claims.unique("round", keep="first", maintain_order=True).select("round", "reason", "sticks")
    told = {round_: (reason, sticks) for round_, reason, sticks in claims.rows()}
    count = np.bincount(view.round[rows], minlength=len(log.rounds))
    missing: dict[int, list[tuple[int, int]]] = {}
    for hand, discard in lacking.items():
        after = view.acts[np.searchsorted(view.acts, discard) + 1 :][:1]
        round_, begun = divmod(hand // SEATS, ROOM)
        if begun:  # of a round without a deal nobody knows the sticks that it began with
            continue
        reason, _ = told.get(round_, (None, None))
        passed = len(after) and view.plan.round[after[0]] == view.plan.round[discard]
        if passed and not (view.kind[after[0]] == CODE["result"] and (reason is None or reason in _UNPAID)):
            missing.setdefault(round_, []).append((hand % SEATS, discard))
    start = log.rounds["sticks"].to_list()
    for round_, sites in missing.items():
        _, counted = told.get(round_, (None, None))
        if counted is None or start[round_] is None or counted != start[round_] + count[round_] + len(sites):
            continue
        for seat, discard in sites:
            view.plan.add("deposit", [seat], like=discard, after=discard)
            view.plan.say(discard, "not told", "paid, as the result counts it", "R107")


SLIPS = (_riichi, _sticks)
