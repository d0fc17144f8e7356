"""Slips of riichi: a declaration or deposit at the wrong place, by the wrong seat, repeated, or missing."""

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
"""How many draws out of turn a round can have before its seats count as unreliable."""
_UNPAID = ("win", "triple_ron", "four_winds", "four_kans")
"""Results on the declaring discard that take no riichi stick, or for which a rule decides (RULES.md 5.24)."""


class _Steps(NamedTuple):
    """Riichi events of one kind: their ``row``, and the rows of the last action ``before`` and the next two.

    The next two are ``after`` and ``then``. A row is -1 if the action belongs to another round.
    """

    row: Ints
    before: Ints
    after: Ints
    then: Ints

    @classmethod
    def of(cls, view: View, kind: str) -> _Steps:
        """Return the events of this kind (``riichi`` or ``deposit``)."""
        row = view.of_kind(kind)
        place = np.searchsorted(view.acts, row)
        around = np.concatenate([[_NONE], view.acts, [_NONE, _NONE]])
        found = [around[place + step] for step in range(3)]
        return cls(row, *(np.where(view.plan.round[each] == view.plan.round[row], each, _NONE) for each in found))


def _riichi(view: View) -> None:
    """Correct declarations and deposits, and add deposits that are missing but counted by the result."""
    foreign = _declarations(view)
    declared = _Declared.of(view)
    _deposits(view, declared, foreign)
    _sticks(view, declared)


def _declarations(view: View) -> set[tuple[int, int]]:
    """Move declarations between the seat's draw and discard, or give them to the seat that draws and discards there.

    Return the (round, seat) of each declaration, as recorded, that got another seat. The round is the planned one.
    """
    foreign = set()
    steps = _Steps.of(view, "riichi")
    mine = (steps.before >= 0) & (view.seat[steps.before] == view.seat[steps.row])
    misplaced = ~(mine & np.isin(view.kind[steps.before], FULL))
    for row, before, after, then in zip(*(each[misplaced].tolist() for each in steps), strict=True):
        if _astray(view, row):
            continue
        seat = view.seat[row]
        recorded = view.describe(row)
        if _is(view, after, "draw", seat) and _is(view, then, "discard", seat):
            view.plan.put(row, after=after)
        elif _is(view, before, "discard", seat):
            view.plan.put(row, before=before)
        elif _in_turn(view, before) and _is(view, after, "discard", view.seat[before]):
            foreign.add((int(view.plan.round[row]), int(seat)))
            view.plan.seat[row] = view.seat[before]
        elif _is(view, after, "discard", seat):
            continue  # turn order reports the discard without a draw
        view.plan.say(row, recorded, "the deal" if before < 0 else view.describe(before))
    return foreign


def _is(view: View, row: int, kind: str, seat: int) -> bool:
    return row >= 0 and view.kind[row] == CODE[kind] and view.seat[row] == seat


def _in_turn(view: View, row: int) -> bool:
    """Return whether an event is a draw, chi or pon in turn: by the next seat after a discard, or after an own kan.

    The first action of a round is in turn, too.
    """
    if row < 0 or view.kind[row] not in FULL:
        return False
    place = int(np.searchsorted(view.acts, row))
    last = int(view.acts[place - 1]) if place else _NONE
    if last < 0 or view.plan.round[last] != view.plan.round[row]:
        return True
    step = (view.seat[row] - view.seat[last]) % view.players(int(view.round[row]))
    return bool(step == 1 if view.kind[last] == CODE["discard"] else step == 0)


def _astray(view: View, row: int) -> bool:
    """Return whether the seats of an event's round are unreliable.

    They are if a discard is not by the seat that acted before, or more than :data:`MOST` draws are out of turn.
    """
    acts = view.of_round(int(view.round[row]))
    step = (view.seat[acts[1:]] - view.seat[acts[:-1]]) % view.players(int(view.round[row]))
    thrown = view.kind[acts] == CODE["discard"]
    drawn = (view.kind[acts[1:]] == CODE["draw"]) & thrown[:-1]
    return bool((thrown[1:] & (step != 0)).any() or (drawn & (step != 1)).sum() > MOST)


class _Declared(NamedTuple):
    """The hands that declare riichi, in order, and the row of each one's declaring discard.

    A hand is the planned round times SEATS, plus the seat.
    """

    hand: Ints
    discard: Ints

    @classmethod
    def of(cls, view: View) -> _Declared:
        """Return every hand that declares riichi and discards afterwards."""
        rows, discards = view.of_kind("riichi"), view.of_kind("discard")
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
        """Return the row of the declaring discard of each of these hands; -1 if it does not declare riichi."""
        at = np.minimum(np.searchsorted(self.hand, hand), max(len(self.hand) - 1, 0))
        if not len(self.hand):
            return np.full(len(hand), _NONE)
        return np.where(self.hand[at] == hand, self.discard[at], _NONE)


def _hand(view: View, row: Ints) -> Ints:
    found: Ints = view.plan.round[row] * SEATS + view.seat[row]
    return found


def _deposits(view: View, declared: _Declared, foreign: set[tuple[int, int]]) -> None:
    """Move deposits behind the declaring discard, or give them to the seat that declared; drop repeated ones.

    ``foreign`` has the rounds and seats of declarations that got another seat; these are reported already.
    """
    steps = _Steps.of(view, "deposit")
    hand = _hand(view, steps.row)
    due = declared.due(hand)
    first = np.zeros(len(hand), dtype=bool)
    first[np.unique(hand, return_index=True)[1]] = True
    misplaced = (due != steps.before) | ~first
    paid = set(hand[first & (due >= 0)].tolist()) if misplaced.any() else set()
    for at in np.flatnonzero(misplaced).tolist():
        row, before, seat = int(steps.row[at]), int(steps.before[at]), int(view.seat[steps.row[at]])
        if _astray(view, row):
            continue
        recorded, follows = f"stick of seat {seat}", view.describe(before) if before >= 0 else "the deal"
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
        view.plan.say(row, recorded, follows)


def _sticks(view: View, declared: _Declared) -> None:
    """Add deposits that the log lacks although the result counts the sticks: the declaring discard passed (R107)."""
    log = view.plan.log
    rows = view.of_kind("deposit")
    rows = rows[view.plan.kept[rows]]
    lacking = ~np.isin(declared.hand, _hand(view, rows))
    # The sticks at the start of a round without a deal are unknown.
    lacking &= declared.hand // SEATS % ROOM == 0
    hand, discard = declared.hand[lacking], declared.discard[lacking]
    after = np.append(view.acts, _NONE)[np.searchsorted(view.acts, discard) + 1]
    passed = (after >= 0) & (view.round[after] == view.round[discard])
    hand, discard, after = hand[passed], discard[passed], after[passed]
    if not len(hand):
        return
    round_ = hand // (SEATS * ROOM)
    claims = log.claims.unique("round", keep="first", maintain_order=True).select("round", "reason", "sticks")
    result = pl.DataFrame({"round": round_.astype(np.uint32)}).join(
        claims.cast({"reason": pl.String}), on="round", how="left", maintain_order="left"
    )
    unpaid = result["reason"].is_in(_UNPAID).fill_null(value=True).to_numpy()
    due = ~((view.kind[after] == CODE["result"]) & unpaid)
    start = log.rounds["sticks"].gather(round_).fill_null(_NONE).to_numpy().astype(np.int64)
    paid = np.bincount(view.round[rows], minlength=len(log.rounds))[round_]
    missing = np.bincount(round_[due], minlength=len(log.rounds))[round_]
    counted = result["sticks"].fill_null(_NONE).to_numpy() == start + paid + missing
    for at in np.flatnonzero(due & counted & (start >= 0)).tolist():
        row = int(discard[at])
        view.plan.add("deposit", [int(hand[at] % SEATS)], like=row, after=row)
        view.plan.say(row, "not told", "paid, as the result counts it", "R107")


SLIPS = (_riichi,)
