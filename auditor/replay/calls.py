"""Chi, pon and daiminkan: each with the discard that it takes, the caller's next discard, and the rules it breaks.

A value is null where it is not checkable: a hand with doubts (trust.py), a discard whose tile was not read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import where_known
from auditor.log.event_kinds import CODE, MELD_TYPE, OPEN_CALLS
from auditor.log.tables import SEATS, Kind
from auditor.log.tile_ids import KIND, NONE
from auditor.replay.columns import PLACE, Columns
from auditor.replay.running_sums import UNITS
from auditor.replay.trust import HAND_DOUBTS, ORDER_DOUBTS, TURN_DOUBTS
from auditor.replay.turns import LIVE_TILES
from engine.legality import actions
from engine.legality.reasons import Reason
from engine.tiles.hands import CHI, NO_MELD, PON, Hands
from engine.tiles.kinds import EAST, KINDS

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
    ``not_last``, ``not_left``, ``in_riichi`` or ``stuck`` is true, or ``tiles_left`` too low. The discard is wrong if
    ``same`` or ``suji`` is true (kuikae). :data:`CALL_COLUMNS` says what each column means. Calls in rounds with
    TURN_DOUBTS have no row.
    """
    made = played.made[played.is_kind(*OPEN_CALLS)[played.made.row]]
    row = made.row
    before, after = order.before(row), order.after(row)
    kind, seat = played.kind[row], played.seat[row]
    took = played.seat[before]
    is_chi = kind == CODE["chi"]
    # The caller's own discard comes directly before, out of order: another check reports that discard.
    late = (took == seat) & np.isin(before, order.misplaced["row"].to_numpy())
    last = np.where(played.kind[before] == CODE["discard"], played.tile_id[before], NONE)
    hidden = (played.kind[before] == CODE["discard"]) & (played.tile_id[before] == NONE)
    foreign = (made.tile_ids[:, 0] != last) | (took == seat) | (~is_chi & (made.source != took))
    left = (seat - 1) % SEATS
    follows = (played.kind[after] == CODE["discard"]) & (played.seat[after] == seat) & (after > row)
    level = rules.of(played.round[row]).assumed("kuikae_level")
    stuck, same, suji = _kuikae(played, made, np.where(follows, after, -1), trust, level)
    led = log.events[after]
    at = log.events[row]
    return pl.DataFrame(
        {
            "round": at["round"],
            "event": at["event"],
            "pos": at["pos"],
            "seat": at["seat"],
            "kind": at["kind"],
            "tile_id": at["tile_id"],
            "source": made.source,
            "last_kind": log.events["kind"].gather(before),
            "last_seat": took,
            "last_tile_id": played.tile_id[before],
            "not_last": where_known(foreign, ~hidden),
            "not_left": is_chi & ~foreign & ((took != left) | (made.source != left)),
            "in_riichi": played.riichi[row] > 0,
            "tiles_left": tiles_left(played, trust, row),
            # Kuikae depends on the tile that was really called, which is unknown if the call states another one.
            "stuck": pl.select(pl.when(~pl.Series(foreign)).then(stuck)).to_series(),
            "same": same & ~pl.Series(foreign),
            "suji": suji & ~pl.Series(foreign),
            "discard_event": led["event"],
            "discard_pos": led["pos"],
            "discard_tile_id": led["tile_id"],
        }
    ).filter(~over(played, row) & pl.Series(trust.rounds.free_of(TURN_DOUBTS)[played.round[row]] & ~late))


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
    made = played.made[~played.is_kind("kita")[played.made.row]]
    at = log.events[made.row].select("round", "event", "pos", "seat", "kind")
    tile_ids = {f"p{place}": made.tile_ids[:, place] for place in range(made.tile_ids.shape[1])}
    wrong = pl.Series(malformed(made, played.kind[made.row]))
    return at.with_columns(**{name: pl.Series(each) for name, each in tile_ids.items()}, malformed=wrong).filter(
        ~over(played, made.row)
    )


def over(played: Replay, row: Ints) -> pl.Series:
    """Return which of these rows come after the first result of their round; L004 reports such events."""
    return pl.Series(played.over[row])


def tiles_left(played: Replay, trust: Trust, row: Ints) -> pl.Series:
    """Return how many tiles can still be drawn at each of these rows, Int16; null where a round has ORDER_DOUBTS."""
    known = trust.rounds.free_of(ORDER_DOUBTS)[played.round[row]]
    left = pl.Series(LIVE_TILES - played.draws[row], dtype=pl.Int16)
    return pl.select(pl.when(pl.Series(known)).then(left)).to_series()


def malformed(made: Made, kind: npt.NDArray[np.uint8]) -> Bools:
    """Return which melds do not fit their kind (an event code): no run, different tiles, too few or too many."""
    tiles = np.sort(KIND[made.tile_ids].astype(np.int64), axis=1)
    size = (made.tile_ids != NONE).sum(axis=1)
    is_chi = kind == CODE["chi"]
    three = is_chi | (kind == CODE["pon"])
    steps = np.diff(tiles, axis=1)[:, :2]
    suited = (tiles[:, 2] < EAST) & (tiles[:, 0] // 9 == tiles[:, 2] // 9)
    run = (steps == 1).all(axis=1) & suited
    alike = (tiles[:, 0] == tiles[:, 2]) & (three | (tiles[:, 0] == tiles[:, 3]))
    formed: Bools = (size == np.where(three, 3, 4)) & np.where(is_chi, run, alike)
    return ~formed


def _kuikae(
    played: Replay, made: Made, discard: Ints, trust: Trust, level: Ints
) -> tuple[pl.Series, pl.Series, pl.Series]:
    """Return whether no discard is legal, and whether the next discard is forbidden as ``same`` or as ``suji``.

    ``discard`` is the row of the caller's next discard, -1 if there is none.
    """
    row = made.row
    kind = played.kind[row]
    formed = ~malformed(made, kind) & (kind != CODE["daiminkan"])
    known = ~formed | trust.hands.free_of(HAND_DOUBTS)[played.hand[row]]
    meld = np.where(formed, np.where(kind == CODE["chi"], MELD_TYPE["chi"], MELD_TYPE["pon"]), NO_MELD)
    tiles = KIND[made.tile_ids].astype(np.int64)
    called, lowest = tiles[:, 0], tiles.min(axis=1)
    stuck = np.zeros(len(row), dtype=bool)
    # Kuikae forbids the kinds of at most seven tiles; with fewer than three melds the hand always has others.
    few = formed & known & (played.melds[row] >= 3)
    before = played.keys[row] + UNITS[made.tile_ids[:, 1:]].sum(axis=1, dtype=np.int32)
    chi, pon = (np.flatnonzero(few & (meld == type_)) for type_ in (CHI, PON))
    bits = actions.chi(hands(before[chi]), called[chi], lowest[chi], tiles_left=1, kuikae_level=level[chi])
    stuck[chi] = bits & Reason.NO_DISCARD != 0
    bits = actions.pon(hands(before[pon]), called[pon], tiles_left=1, kuikae_level=level[pon])
    stuck[pon] = bits & Reason.NO_DISCARD != 0
    # If no discard is legal, the call is the fault, not the discard.
    judged = np.flatnonzero(formed & (discard >= 0) & ~stuck)
    thrown = KIND[played.tile_id[discard[judged]]].astype(np.int64)
    forbidden = actions.kuikae_kinds(meld[judged], called[judged], lowest[judged], level[judged])
    swapped = (thrown < KINDS) & (forbidden >> np.minimum(thrown, KINDS - 1) & 1 == 1)
    same, suji = np.zeros((2, len(row)), dtype=bool)
    same[judged] = swapped & (thrown == called[judged])
    suji[judged] = swapped & (thrown != called[judged])
    return where_known(stuck, known), pl.Series(same), pl.Series(suji)


def hands(keys: npt.NDArray[np.int32]) -> Hands:
    """Return concealed tiles as hands without melds."""
    melds = np.zeros((len(keys), 4), dtype=np.uint8)
    return Hands(keys.astype(np.int32), melds, melds, melds.astype(np.int8), melds[:, 0])
