"""Which kans are legal, for batches of hands; arguments and results as in `engine.legality.actions`.

For an ankan after riichi two hands are compared: the one before the draw, and the one after the kan (RULES.md 2.6).
*Same shape* means that the readings of all wins do not become fewer. A reading counts once for each block that can
hold the winning tile; seven pairs, thirteen orphans and nine gates are readings. *Same waits* means that the waits are
equal. A kind with four concealed copies is not a wait, but the four tiles of the kan are not concealed. So a kan of a
kind that is a wait can keep this wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.legality.actions import reason_bits, without
from engine.legality.reasons import Reason
from engine.shapes.nine_gates import holds_nine_gates
from engine.shapes.readings import find_readings
from engine.shapes.splits import completed
from engine.shapes.waits import waits_of
from engine.tiles.hands import ANKAN, PON, Hands
from engine.tiles.kinds import KIND, NO_TILE, some

if TYPE_CHECKING:
    from engine.tiles.arrays import I32, I64, Bools, Ints

KAN_NEVER, KAN_SAME_SHAPE, KAN_SAME_WAITS = range(3)
"""Values of the rule ``riichi_ankan_level`` (RULES.md 2.6)."""

MOST_KANS = 4
"""The most kans in a round, of all seats together."""


def daiminkan(
    hands: Hands, called: Ints, *, tiles_left: Ints | int, kans: Ints | int, riichi: Bools | bool = False
) -> I32:
    """Judge daiminkan: kans with the discard of another seat (RULES.md 2.1).

    Parameters
    ----------
    hands
        Hands before the call, without the called tile.
    called
        Kind of the called tile; [n].
    tiles_left
        Tiles left to draw.
    kans
        Kans of all seats in the round so far.
    riichi
        Whether the seat is in riichi.

    Returns
    -------
    int32 [n]
        ``NOT_HELD``, ``LAST_TILE``, ``FIFTH_KAN``, ``RIICHI_HAND``.
    """
    return reason_bits(
        len(hands),
        (Reason.NOT_HELD, _copies(hands, called) < 3),
        (Reason.RIICHI_HAND, np.asarray(riichi)),
        *_no_kan(tiles_left, kans),
    )


def kakan(
    hands: Hands,
    kind: Ints,
    *,
    tiles_left: Ints | int,
    kans: Ints | int,
    after_call: Bools | bool = False,
    riichi: Bools | bool = False,
) -> I32:
    """Judge kakan: kans that add a tile to a pon (RULES.md 2.2).

    Parameters
    ----------
    hands
        Hands with the tile drawn.
    kind
        Kind of the kan; [n].
    tiles_left, kans, riichi
        As `daiminkan`.
    after_call
        Whether the seat has just made chi or pon instead of drawing.

    Returns
    -------
    int32 [n]
        ``NOT_HELD``, ``NO_PON``, ``LAST_TILE``, ``FIFTH_KAN``, ``AFTER_CALL``, ``RIICHI_HAND``.
    """
    pons = (hands.meld_type == PON) & (hands.meld_tile == np.asarray(kind)[:, None])
    return reason_bits(
        len(hands),
        (Reason.NOT_HELD, _copies(hands, kind) < 1),
        (Reason.NO_PON, ~pons.any(axis=1)),
        (Reason.AFTER_CALL, np.asarray(after_call)),
        (Reason.RIICHI_HAND, np.asarray(riichi)),
        *_no_kan(tiles_left, kans),
    )


def ankan(
    hands: Hands,
    kind: Ints,
    *,
    tiles_left: Ints | int,
    kans: Ints | int,
    after_call: Bools | bool = False,
    riichi: Bools | bool = False,
    drawn: Ints | int = NO_TILE,
    level: Ints | int = KAN_SAME_WAITS,
    nine_gates: Bools | bool = True,
    whole_hand: Bools | bool = False,
) -> I32:
    """Judge ankan: kans of four concealed tiles (RULES.md 2.2, 2.6).

    Parameters
    ----------
    hands
        Hands with the tile drawn.
    kind
        Kind of the kan; [n].
    tiles_left, kans, after_call, riichi
        As `kakan`.
    drawn
        The tile just drawn, 0 to 36; used for hands in riichi.
    level
        Rule ``riichi_ankan_level``.
    nine_gates
        Whether nine gates count as a reading (rule ``riichi_ankan_yaku_loss``).
    whole_hand
        Whether the rule ``fifth_tile_wait`` is ``"whole_hand"``.

    Returns
    -------
    int32 [n]
        ``NOT_HELD``, ``LAST_TILE``, ``FIFTH_KAN``, ``AFTER_CALL``. For hands in riichi also ``NOT_DRAWN`` at every
        level, ``KAN_IN_RIICHI`` at level 0, ``SHAPE_CHANGES`` at 1, ``WAITS_CHANGE`` at 2, ``NOT_TENPAI`` at 1 and 2.
    """
    n = len(hands)
    wanted: I64 = np.asarray(kind, np.int64)
    held = _copies(hands, wanted) == 4
    in_riichi, level = np.broadcast_to(riichi, n), np.broadcast_to(level, n)
    drawn = np.broadcast_to(np.asarray(drawn, np.int64), n)
    is_drawn = (drawn < len(KIND)) & (KIND[np.minimum(drawn, len(KIND) - 1)] == wanted)
    bits = reason_bits(
        n,
        (Reason.NOT_HELD, ~held),
        (Reason.AFTER_CALL, np.asarray(after_call)),
        (Reason.NOT_DRAWN, in_riichi & ~is_drawn),
        (Reason.KAN_IN_RIICHI, in_riichi & (level == KAN_NEVER)),
        *_no_kan(tiles_left, kans),
    )
    row = np.flatnonzero(in_riichi & held & is_drawn & (level != KAN_NEVER))
    gates, whole = np.broadcast_to(nine_gates, n)[row], np.broadcast_to(whole_hand, n)[row]
    bits[row] |= _changes(hands[row], wanted[row], level[row], gates, whole)
    return bits


def _changes(hands: Hands, kind: I64, level: Ints, nine_gates: Bools, whole_hand: Bools) -> I32:
    """Find the reasons that follow from the hand before the draw and the hand after the kan."""
    before, after = without(hands, kind), _with_ankan(hands, kind)
    waits_before, waits_after = (waits_of(one, whole_hand=whole_hand) for one in (before, after))
    fewer = np.zeros(len(hands), dtype=np.bool_)
    if len(row := np.flatnonzero(level == KAN_SAME_SHAPE)):  # readings take long, and only this level compares them
        gates = nine_gates[row]
        fewer[row] = _readings(after[row], waits_after[row], gates) < _readings(before[row], waits_before[row], gates)
    return reason_bits(
        len(hands),
        (Reason.NOT_TENPAI, ~some(waits_after)),
        (Reason.SHAPE_CHANGES, fewer),
        (Reason.WAITS_CHANGE, (level == KAN_SAME_WAITS) & (waits_before != waits_after)),
    )


def _readings(hands: Hands, waits: I64, nine_gates: Bools) -> I64:
    """Count the readings of all wins of each hand; int64 [n]."""
    row, kind, whole = completed(hands, waits)
    readings = find_readings(whole, kind, np.zeros(len(row), dtype=np.bool_))
    gates = row[holds_nine_gates(whole) & nine_gates[row]]
    counts: I64 = np.bincount(np.concatenate([row[readings.hand], gates]), minlength=len(hands))
    return counts


def _with_ankan(hands: Hands, kind: I64) -> Hands:
    rest = without(hands, kind, 4)
    row, slot = np.arange(len(hands)), hands.n_melds
    meld_type, meld_tile = rest.meld_type.copy(), rest.meld_tile.copy()
    meld_type[row, slot] = ANKAN
    meld_tile[row, slot] = kind
    return Hands(rest.keys, meld_type, meld_tile, rest.meld_from, rest.reds)


def _copies(hands: Hands, kind: Ints) -> Ints:
    copies: Ints = hands.counts()[np.arange(len(hands)), kind]
    return copies


def _no_kan(tiles_left: Ints | int, kans: Ints | int) -> tuple[tuple[Reason, Bools], ...]:
    return (Reason.LAST_TILE, np.asarray(tiles_left) <= 0), (Reason.FIFTH_KAN, np.asarray(kans) >= MOST_KANS)
