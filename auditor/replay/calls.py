"""Chi, pon and daiminkan: each with the discard that it takes, the caller's next discard, and the rules it breaks.

A value is null where it is not checkable: a hand with doubts (trust.py), a discard whose tile was not read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import gathered, where_known
from auditor.log.event_kinds import CODE, MELD_TYPE_OF_CODE, NEW_MELDS, OPEN_CALLS
from auditor.log.tables import SEATS, Kind
from auditor.log.tile_ids import KIND, NONE
from auditor.replay.columns import PLACE, Columns
from auditor.replay.trust import HAND_DOUBTS, ORDER_DOUBTS, TURN_DOUBTS
from engine.legality.actions import kuikae_kinds
from engine.tiles.hands import NO_MELD, counts_of
from engine.tiles.kinds import EAST, KINDS, kind_mask

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.replay.running_sums import Made, Replay
    from auditor.replay.trust import Trust
    from auditor.replay.turn_order import TurnOrder

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]


CALL_COLUMNS: Columns = {
    **PLACE,
    "kind": Kind,
    "tile_id": pl.Int16,  # the tile called
    "source": pl.Int8,  # who fed it, as the log says; -1 nobody
    "last_kind": Kind,  # the action before
    "last_seat": pl.Int8,
    "last_tile_id": pl.Int16,
    "not_last": pl.Boolean,  # the tile is not the last discard, or the feeder is not its seat
    "allowed": pl.Boolean,  # the rules have such a call; false for a chi in most games of three players
    "left": pl.Int8,  # the caller's left neighbour
    "not_left": pl.Boolean,  # a chi from a seat other than the left neighbour
    "in_riichi": pl.Boolean,  # the caller has declared riichi
    "tiles_left": pl.Int16,  # in the wall
    "stuck": pl.Boolean,  # no discard would be legal
    "same": pl.Boolean,  # the discard is of the kind called (kuikae)
    "suji": pl.Boolean,  # the discard is of the other end of the run (kuikae)
    "discard_event": pl.UInt32,  # the discard that follows at once
    "discard_pos": pl.UInt32,
    "discard_tile_id": pl.Int16,
}


def calls(log: Log, played: Replay, order: TurnOrder, trust: Trust, rules: RulesByRow) -> pl.DataFrame:
    """Return one row for each chi, pon or daiminkan before its round's result.

    ``last_…`` is the action before, ``discard_…`` the caller's discard if it follows at once. The call is wrong if
    ``allowed`` is false, if ``not_last``, ``not_left``, ``in_riichi`` or ``stuck`` is true, or ``tiles_left`` too low.
    The discard is wrong if ``same`` or ``suji`` is true (kuikae). :data:`CALL_COLUMNS` says what each column means.
    Calls in rounds with TURN_DOUBTS have no row.
    """
    made = made_in_play(played, *OPEN_CALLS)
    made = made[trust.rounds.free_of(TURN_DOUBTS)[played.round[made.row]]]
    # The action before can be the caller's own discard, out of order: another check reports that discard.
    before = order.before(made.row)
    late = (played.seat[before] == played.seat[made.row]) & np.isin(before, order.misplaced["row"].to_numpy())
    if late.any():
        made, before = made[~late], before[~late]
    row = made.row
    after = order.after(row)
    kind, seat = played.kind[row], played.seat[row]
    took = played.seat[before]
    is_chi = kind == CODE["chi"]
    last = np.where(played.kind[before] == CODE["discard"], played.tile_id[before], NONE)
    hidden = (played.kind[before] == CODE["discard"]) & (played.tile_id[before] == NONE)
    foreign = (made.tile_ids[:, 0] != last) | (took == seat) | (~is_chi & (made.source != took))
    left = (seat - 1) % log.players[played.round[row]]
    follows = (played.kind[after] == CODE["discard"]) & (played.seat[after] == seat) & (after > row)
    level = rules.of(played.round[row]).assumed("kuikae_level")
    stuck, known, same, suji = _kuikae(played, made, np.where(follows, after, -1), trust, level)
    led = log.events[["event", "pos", "tile_id"]][after]
    return log.events[[*PLACE, "kind", "tile_id"]][row].hstack(
        pl.DataFrame(
            {
                "source": made.source,
                "last_kind": gathered(log.events["kind"], before),
                "last_seat": took,
                "last_tile_id": played.tile_id[before],
                "not_last": where_known(foreign, ~hidden),
                "allowed": _allowed(log, is_chi, played.round[row], rules),
                "left": left,
                "not_left": is_chi & ~foreign & ((took != left) | (made.source != left)),
                "in_riichi": played.riichi[row] > 0,
                "tiles_left": tiles_left(played, trust, row),
                # Kuikae depends on the tile that was really called, which is unknown if the call states another one.
                "stuck": where_known(stuck, known & ~foreign),
                "same": same & ~foreign,
                "suji": suji & ~foreign,
                "discard_event": led["event"],
                "discard_pos": led["pos"],
                "discard_tile_id": led["tile_id"],
            }
        )
    )


def _allowed(log: Log, is_chi: Bools, round_: Ints, rules: RulesByRow) -> pl.Series:
    """Return whether the rules have each of these calls as a column, null where unknown."""
    asked = is_chi & (log.players[round_] < SEATS)
    of_call = rules.of(round_)
    return where_known(~asked | of_call.holds("chi"), ~asked | ~of_call.unknown("chi"))


MELD_COLUMNS: Columns = {
    **PLACE,
    "kind": Kind,
    "p0": pl.Int16,  # the meld's tiles; NONE (tile_ids.py) where it has no more
    "p1": pl.Int16,
    "p2": pl.Int16,
    "p3": pl.Int16,
    "malformed": pl.Boolean,  # the tiles form no meld of this kind
}


def melds(log: Log, played: Replay) -> pl.DataFrame:
    """Return one row for each meld (kita is none): its tiles, and whether they form no meld of its kind."""
    made = made_in_play(played, *NEW_MELDS, "kakan")
    tile_ids = {f"p{place}": tile_id for place, tile_id in enumerate(made.tile_ids.T)}
    wrong = malformed(made, played.kind[made.row])
    return log.events[[*PLACE, "kind"]][made.row].hstack(pl.DataFrame({**tile_ids, "malformed": wrong}))


def made_in_play(played: Replay, *kinds: str) -> Made:
    """Return the melds of these kinds of calls before the first result of their round; L004 reports later events."""
    row = played.made.row
    return played.made[played.is_kind(*kinds)[row] & ~played.over[row]]


def tiles_left(played: Replay, trust: Trust, row: Ints) -> pl.Series:
    """Return how many tiles can still be drawn at each of these rows, Int16; null where a round has ORDER_DOUBTS."""
    return where_known(played.left[row].astype(np.int16), trust.rounds.free_of(ORDER_DOUBTS)[played.round[row]])


def malformed(made: Made, kind: npt.NDArray[np.uint8]) -> Bools:
    """Return which melds do not fit their kind (an event code): no run, different tiles, too few or too many."""
    low, middle, high, fourth = np.sort(KIND[made.tile_ids], axis=1).T  # padding comes last: its kind is 255
    is_chi = kind == CODE["chi"]
    three = is_chi | (kind == CODE["pon"])
    run = (middle == low + 1) & (high == low + 2) & (high < EAST) & (low // 9 == high // 9)
    alike = (low == high) & (three | (low == fourth))
    formed: Bools = (high < KINDS) & ((fourth >= KINDS) == three) & np.where(is_chi, run, alike)
    return ~formed


def _kuikae(played: Replay, made: Made, discard: Ints, trust: Trust, level: Ints) -> tuple[Bools, Bools, Bools, Bools]:
    """Return whether no discard is legal, whether that is known, and whether the next one is ``same`` or ``suji``.

    ``discard`` is the row of the caller's next discard, -1 if there is none.
    """
    row = made.row
    kind = played.kind[row]
    formed = ~malformed(made, kind) & (kind != CODE["daiminkan"])
    known = ~formed | trust.hands.free_of(HAND_DOUBTS)[played.hand[row]]
    kinds = KIND[made.tile_ids]
    called = kinds[:, 0]
    meld = np.where(formed, MELD_TYPE_OF_CODE[kind], NO_MELD)
    forbidden = kuikae_kinds(meld, called, kinds.min(axis=1), level)
    thrown = KIND[played.tile_id[discard]]
    barred = (thrown < KINDS) & (forbidden >> np.minimum(thrown, KINDS - 1) & 1 == 1)
    stuck = np.zeros(len(row), dtype=bool)
    # Kuikae forbids the kinds of at most seven tiles; with fewer than three melds the hand always has others. So has a
    # hand that discards another kind.
    few = np.flatnonzero(formed & known & (played.melds[row] >= 3) & (barred | (discard < 0)))
    stuck[few] = kind_mask(counts_of(played.keys[row[few]]) > 0) & ~forbidden[few] == 0
    # If no discard is legal, the call is the fault, not the discard.
    swapped = barred & (discard >= 0) & ~stuck
    return stuck, known, swapped & (thrown == called), swapped & (thrown != called)
