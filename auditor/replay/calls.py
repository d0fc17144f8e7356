"""Chi, pon and daiminkan: each beside the discard it takes and the one it leads to, and what speaks against it.

Null is what cannot be judged: a hand that is not sound (holdings.py), a discard whose tile nobody read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import where_known
from auditor.log.event_kinds import CODE, MELD_TYPE, OPEN_CALLS
from auditor.log.tables import SEATS
from auditor.log.tile_ids import KIND, NONE
from auditor.replay.running_sums import UNITS, first_results
from auditor.replay.turns import LIVE_TILES
from engine.legality import actions
from engine.legality.reasons import Reason
from engine.tiles.hands import CHI, NO_MELD, PON, Hands
from engine.tiles.kinds import EAST, KINDS

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.replay.holdings import Holdings
    from auditor.replay.running_sums import Made, Replay
    from auditor.replay.turn_order import TurnOrder

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]


def calls(log: Log, played: Replay, order: TurnOrder, held: Holdings, rules: RulesByRow) -> pl.DataFrame:
    """Return one row a chi, pon or daiminkan before its round's result.

    ``last_…`` is the action before; ``discard_…`` the caller's discard that follows at once, null where there is
    none. What speaks against the call: ``not_last`` (another tile than the last discard, or another feeder),
    ``not_left``, ``in_riichi``, ``tiles_left`` (if known), ``stuck`` (no discard would be legal); against the discard:
    ``same`` and ``suji`` (kuikae).
    """
    made = played.made[played.is_kind(*OPEN_CALLS)[played.made.row]]
    row = made.row
    before, after = order.before(row), order.after(row)
    kind, seat = played.kind[row], played.seat[row]
    took = played.seat[before]
    is_chi = kind == CODE["chi"]
    blind = order.jumbled.copy()
    blind[log.disturbed] = True
    # Straight after a discard of its own seat without a draw: that discard is named.
    late = (took == seat) & np.isin(before, order.misplaced["row"].to_numpy())
    last = np.where(played.kind[before] == CODE["discard"], played.tile_id[before], NONE)
    hidden = (played.kind[before] == CODE["discard"]) & (played.tile_id[before] == NONE)
    foreign = (made.tile_ids[:, 0] != last) | (took == seat) | (~is_chi & (made.source != took))
    left = (seat - 1) % SEATS
    follows = (played.kind[after] == CODE["discard"]) & (played.seat[after] == seat) & (after > row)
    level = rules.of(played.round[row]).assumed("kuikae_level")
    stuck, same, suji = _kuikae(played, made, np.where(follows, after, -1), held, level)
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
            "tiles_left": tiles_left(log, played, order, row),
            # A call that names another tile or seat says nothing of what may be discarded.
            "stuck": pl.select(pl.when(~pl.Series(foreign)).then(stuck)).to_series(),
            "same": same & ~pl.Series(foreign),
            "suji": suji & ~pl.Series(foreign),
            "discard_event": led["event"],
            "discard_pos": led["pos"],
            "discard_tile_id": led["tile_id"],
        }
    ).filter(~over(log, played, row) & ~pl.Series(blind[played.round[row]] | late))


def melds(log: Log, played: Replay) -> pl.DataFrame:
    """Return one row a meld but kita: its tiles (``p0`` … ``p3``), and whether they are ``malformed``."""
    made = played.made[~played.is_kind("kita")[played.made.row]]
    at = log.events[made.row].select("round", "event", "pos", "seat", "kind")
    tile_ids = {f"p{place}": made.tile_ids[:, place] for place in range(made.tile_ids.shape[1])}
    wrong = pl.Series(malformed(made, played.kind[made.row]))
    return at.with_columns(**{name: pl.Series(each) for name, each in tile_ids.items()}, malformed=wrong).filter(
        ~over(log, played, made.row)
    )


def over(log: Log, played: Replay, row: Ints) -> pl.Series:
    """Return which of these rows come after a result of their round; of them L004 speaks."""
    end = first_results(played.round, played.kind, len(log.rounds))
    return pl.Series(row > end[played.round[row]])


def tiles_left(log: Log, played: Replay, order: TurnOrder, row: Ints) -> pl.Series:
    """Return how many tiles can still be drawn; null where events of the round are out of order or unread."""
    doubtful = np.zeros(len(log.rounds), dtype=bool)
    doubtful[order.misplaced["round"].to_numpy()] = True
    doubtful[log.disturbed] = True
    left = pl.Series(LIVE_TILES - played.draws[row], dtype=pl.Int16)
    return pl.select(pl.when(~pl.Series(doubtful[played.round[row]])).then(left)).to_series()


def malformed(made: Made, kind: npt.NDArray[np.uint8]) -> Bools:
    """Return which melds of these kinds (CODE) are none: no run, tiles that differ, too few or too many."""
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
    played: Replay, made: Made, discard: Ints, held: Holdings, level: Ints
) -> tuple[pl.Series, pl.Series, pl.Series]:
    """Ask the engine: would no discard be legal, is the one that follows the called kind, is it beyond the run."""
    row = made.row
    kind = played.kind[row]
    formed = ~malformed(made, kind) & (kind != CODE["daiminkan"])
    known = ~formed | held.sound[played.hand[row]]
    meld = np.where(formed, np.where(kind == CODE["chi"], MELD_TYPE["chi"], MELD_TYPE["pon"]), NO_MELD)
    tiles = KIND[made.tile_ids].astype(np.int64)
    called, lowest = tiles[:, 0], tiles.min(axis=1)
    stuck = np.zeros(len(row), dtype=bool)
    # At most seven tiles can be of the kinds that kuikae forbids: with fewer than three melds others are left.
    few = formed & known & (played.melds[row] >= 3)
    before = played.keys[row] + UNITS[made.tile_ids[:, 1:]].sum(axis=1, dtype=np.int32)
    chi, pon = (np.flatnonzero(few & (meld == type_)) for type_ in (CHI, PON))
    bits = actions.chi(hands(before[chi]), called[chi], lowest[chi], tiles_left=1, kuikae_level=level[chi])
    stuck[chi] = bits & Reason.NO_DISCARD != 0
    bits = actions.pon(hands(before[pon]), called[pon], tiles_left=1, kuikae_level=level[pon])
    stuck[pon] = bits & Reason.NO_DISCARD != 0
    # A call that leaves no legal discard is the fault itself.
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
