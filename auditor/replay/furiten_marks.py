"""Furiten of every seat after every event, as a platform marks it, and the waits of hands between their turns.

:mod:`auditor.replay.furiten` has the rules; it asks about single hands. Here one pass over the events answers for all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from auditor.log.tables import CALLS, SEATS
from auditor.log.tile_ids import BIT
from auditor.replay.last_states import waits_at

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.replay.running_sums import Replay

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

BETWEEN_TURNS = ("deal", "discard", "daiminkan", "ankan", "kakan", "kita")
"""Events after which a hand is one tile short, so that it can wait."""


@dataclass(frozen=True)
class Marks:
    """The state of each seat after each of n events, [n, SEATS]; rows of rounds that nobody asked about are zero.

    ``state`` int64 is the row after which the hand was last one tile short, ``waits`` int64 its waits as a mask of
    kinds. ``furiten`` bool says whether it could not win on another seat's tile; ``known`` bool whether that is known.
    """

    state: Ints
    waits: Ints
    furiten: Bools
    known: Bools


def marks(played: Replay, asked: Bools, rules: RulesByRow) -> Marks:
    """Return the marks in the ``asked`` rounds, bool[rounds].

    A tile that another seat discards counts as let pass at once: the mark is there until the seat wins.
    """
    count = len(played.kind)
    rows = np.flatnonzero(asked[played.round] & played.is_kind(*BETWEEN_TURNS) & ~played.over)
    waits = np.zeros(count, dtype=np.int64)
    waits[rows] = waits_at(played, rows, rules.of(played.round[rows]).holds("fifth_tile_wait", "whole_hand"))
    seats = [_of_seat(played, seat, waits, rules) for seat in range(SEATS)]
    return Marks(*(np.stack(column, axis=1) for column in zip(*seats, strict=True)))


def _of_seat(played: Replay, seat: int, waits_of_row: Ints, rules: RulesByRow) -> tuple[Ints, Ints, Bools, Bools]:
    """Return the columns of :class:`Marks` for one seat."""
    start = played.start[played.round]
    own = (played.seat == seat) & ~played.over
    discards = own & played.is_kind("discard")
    state = _last(own & played.is_kind(*BETWEEN_TURNS), start)
    waits = waits_of_row[state]
    thrown = _last(discards, start)
    river = _rivers(played, np.flatnonzero(discards))[thrown]
    # After the discard that declares riichi nothing that passed is forgotten.
    before = np.append(0, thrown[:-1])[: len(thrown)]
    declared = played.declared[played.round * SEATS + seat]
    late = (declared >= 0) & (before > declared)
    base = _last(discards & ~late, start)
    riichi = (declared >= 0) & (thrown > declared)
    others = (played.seat != seat) & (waits & BIT[played.tile_id] != 0) & ~played.over
    passed = _last(others & played.is_kind("discard", "kakan"), np.full(len(start), -1))
    unsettled = _last(others & played.is_kind("kita", "ankan"), np.full(len(start), -1)) > base
    locked = passed > base
    found, settled = _by_rule(played, own, passed, base, rules)
    missed = np.where(riichi, locked, found)
    furiten = (waits & river != 0) | (missed & (waits != 0))
    return (
        state,
        waits,
        furiten,
        furiten & (riichi | settled | (waits & river != 0)) | ~furiten & ~unsettled & (riichi | settled),
    )


def _by_rule(played: Replay, own: Bools, passed: Ints, base: Ints, rules: RulesByRow) -> tuple[Bools, Bools]:
    """Return whether the last tile that passed still bars a hand that is not in riichi, and whether that is known.

    ``passed`` is the row of that tile, ``base`` that of the seat's last discard.
    """
    start = played.start[played.round]
    drawn = _last(own & played.is_kind("draw"), start)
    call = _last(played.is_kind(*CALLS), start)
    by_rule = {
        "own_discard": passed > base,
        "own_draw": passed > np.maximum(drawn, start),
        "any_call": passed > np.maximum(base, call),
    }
    of_row = rules.of(played.round)
    unknown = of_row.unknown("temporary_furiten_end")
    same = by_rule["own_discard"] == by_rule["own_draw"]
    same &= by_rule["own_discard"] == by_rule["any_call"]
    found = by_rule["own_discard"].copy()
    for name in ("own_draw", "any_call"):
        holds = of_row.holds("temporary_furiten_end", name)
        found[holds] = by_rule[name][holds]
    return found, ~unknown | same


def _last(which: Bools, start: Ints) -> Ints:
    """Return for each row the last row of some at or before it, int64[n]; ``start`` where its round has none yet."""
    rows = np.maximum.accumulate(np.where(which, np.arange(len(which)), -1))
    return np.maximum(rows, start)


def _rivers(played: Replay, discards: Ints) -> Ints:
    """Return, at the rows of one seat's discards, the kinds that it has discarded in the round; 0 in other rows."""
    found = np.zeros(len(played.kind), dtype=np.int64)
    nth = played.discards[discards].astype(np.int64)
    mask = BIT[played.tile_id[discards]]
    round_ = played.round[discards]
    so_far = np.zeros(played.rounds, dtype=np.int64)
    order = np.argsort(nth, kind="stable")
    for block in np.split(order, np.flatnonzero(np.diff(nth[order])) + 1):
        so_far[round_[block]] |= mask[block]
        found[discards[block]] = so_far[round_[block]]
    return found
