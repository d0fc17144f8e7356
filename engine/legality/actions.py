"""Which discards, chi, pon and riichi are legal, for batches of hands. `engine.legality.kans` has the kans.

Each function gives the reasons (`engine.legality.reasons.Reason`) against the action of each hand, 0 where it is legal.
It judges only by the seat's own hand and the given numbers of the round.

All arguments except the hands are arrays [n] or one value for all hands. This holds for values of rules too, so that a
batch can mix rule sets. Tiles are 0 to 36; kinds are 0 to 33. ``tiles_left`` is the number of tiles that can still be
drawn, without the dead wall.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.legality.reasons import Reason
from engine.shapes.shanten import shanten
from engine.shapes.waits import waits_of
from engine.tiles.hands import CHI, NO_MELD, PON, Hands
from engine.tiles.kinds import EAST, KIND, KINDS, NO_TILE, SUIT, UNIT, kind_mask, some

if TYPE_CHECKING:
    from engine.tiles.arrays import I32, I64, Bools, Ints

KUIKAE_NONE, KUIKAE_SUJI_ALLOWED, KUIKAE_ALLOWED = range(3)
"""Values of the rule ``kuikae_level`` (RULES.md 2.3)."""


def reason_bits(n: int, *reasons: tuple[Reason, Bools | bool]) -> I32:
    """Add up the bits of the reasons that hold for each hand; int32 [n]."""
    bits = np.zeros(n, dtype=np.int32)
    for reason, holds in reasons:
        bits |= np.where(holds, np.int32(reason), np.int32(0))
    return bits


def kuikae_kinds(meld_type: Ints | int, called: Ints | int, lowest: Ints | int, level: Ints | int) -> I64:
    """Find the kinds that must not be discarded after a call (kuikae, RULES.md 2.3).

    Parameters
    ----------
    meld_type
        Type of the meld just made; [n]. Only ``CHI`` and ``PON`` forbid discards.
    called
        Kind of the called tile; [n].
    lowest
        Lowest kind of the meld; [n].
    level
        Rule ``kuikae_level``. 0: the called kind is forbidden and, after a chi by the tile at one end of the run, the
        kind beyond the other end. 1: the called kind is forbidden. 2: nothing is. [n]

    Returns
    -------
    int64 [n]
        Masks of the forbidden kinds.
    """
    same, suji = _kuikae(meld_type, called, lowest, level)
    return same | suji


def _kuikae(meld_type: Ints | int, called: Ints | int, lowest: Ints | int, level: Ints | int) -> tuple[I64, I64]:
    """Give two masks of forbidden kinds: the called kind, and the kind beyond the other end of the run."""
    meld_type, called, lowest, level = (
        np.atleast_1d(np.asarray(x, np.int64)) for x in (meld_type, called, lowest, level)
    )
    is_call = (meld_type == CHI) | (meld_type == PON)
    same = np.where(is_call & (level < KUIKAE_ALLOWED), _bit(called), 0)
    place = lowest % 9
    above = (called == lowest) & (place < 6)
    below = (called == lowest + 2) & (place > 0)
    beyond = np.where(above, lowest + 3, np.where(below, lowest - 1, NO_TILE))
    suji = np.where((meld_type == CHI) & (level == KUIKAE_NONE), _bit(beyond), 0)
    return same, suji


def _bit(kind: I64) -> I64:
    """Give the mask of each kind; 0 where the number is not a kind."""
    bits: I64 = np.where((kind >= 0) & (kind < KINDS), np.int64(1) << np.clip(kind, 0, KINDS - 1), 0)
    return bits


def discard(
    hands: Hands,
    tile: Ints,
    *,
    drawn: Ints | int = NO_TILE,
    riichi: Bools | bool = False,
    meld_type: Ints | int = NO_MELD,
    called: Ints | int = NO_TILE,
    lowest: Ints | int = NO_TILE,
    kuikae_level: Ints | int = KUIKAE_NONE,
) -> I32:
    """Judge discards.

    Parameters
    ----------
    hands
        Hands with the tile drawn or the meld just made.
    tile
        The discarded tile, 0 to 36; [n].
    drawn
        The tile just drawn; it matters in riichi.
    riichi
        Whether the seat declared riichi on an earlier turn.
    meld_type, called, lowest, kuikae_level
        The meld just made and the rule, as `kuikae_kinds`.

    Returns
    -------
    int32 [n]
        ``NOT_HELD``, ``RIICHI_HAND``, ``KUIKAE_SAME``, ``KUIKAE_SUJI``.
    """
    bit = _bit(KIND[tile].astype(np.int64))
    same, suji = _kuikae(meld_type, called, lowest, kuikae_level)
    return reason_bits(
        len(hands),
        (Reason.NOT_HELD, ~some(_held(hands) & bit)),
        (Reason.RIICHI_HAND, np.asarray(riichi) & (tile != np.asarray(drawn))),
        (Reason.KUIKAE_SAME, some(same & bit)),
        (Reason.KUIKAE_SUJI, some(suji & bit)),
    )


def chi(
    hands: Hands,
    called: Ints,
    lowest: Ints,
    *,
    tiles_left: Ints | int,
    from_left: Bools | bool = True,
    riichi: Bools | bool = False,
    kuikae_level: Ints | int = KUIKAE_NONE,
) -> I32:
    """Judge chi (RULES.md 2.1, 2.3).

    Parameters
    ----------
    hands
        Hands before the call, without the called tile.
    called
        Kind of the called tile; [n].
    lowest
        Lowest kind of the run to be made; [n].
    tiles_left
        Tiles left to draw.
    from_left
        Whether the left seat discarded the tile.
    riichi
        Whether the caller is in riichi.
    kuikae_level
        Rule ``kuikae_level``.

    Returns
    -------
    int32 [n]
        ``NOT_HELD``, ``LAST_TILE``, ``RIICHI_HAND``, ``NOT_FROM_LEFT``, ``NO_RUN``, ``NO_DISCARD``. The last one only
        where the hand has the tiles.
    """
    called, lowest = np.asarray(called, np.int64), np.asarray(lowest, np.int64)
    is_run = (lowest < EAST) & (lowest % 9 <= 6) & (lowest <= called) & (called <= lowest + 2)
    taken = np.zeros((len(hands), KINDS), dtype=np.int64)
    for step in range(3):
        kind = lowest + step
        row = np.flatnonzero(is_run & (kind != called))
        taken[row, kind[row]] = 1
    missing, stuck = _after_call(hands, taken, kuikae_kinds(CHI, called, lowest, kuikae_level))
    return reason_bits(
        len(hands),
        (Reason.NOT_HELD, missing),
        (Reason.NO_RUN, ~is_run),
        (Reason.NO_DISCARD, is_run & stuck),
        (Reason.NOT_FROM_LEFT, ~np.asarray(from_left)),
        *_no_call(tiles_left=tiles_left, riichi=riichi),
    )


def pon(
    hands: Hands,
    called: Ints,
    *,
    tiles_left: Ints | int,
    riichi: Bools | bool = False,
    kuikae_level: Ints | int = KUIKAE_NONE,
) -> I32:
    """Judge pon (RULES.md 2.1, 2.3); parameters as `chi`.

    Returns
    -------
    int32 [n]
        ``NOT_HELD``, ``LAST_TILE``, ``RIICHI_HAND``, ``NO_DISCARD``. The last one cannot occur with four copies of a
        kind.
    """
    called = np.asarray(called, np.int64)
    taken = np.zeros((len(hands), KINDS), dtype=np.int64)
    taken[np.arange(len(hands)), called] = 2
    missing, stuck = _after_call(hands, taken, kuikae_kinds(PON, called, called, kuikae_level))
    return reason_bits(
        len(hands),
        (Reason.NOT_HELD, missing),
        (Reason.NO_DISCARD, stuck),
        *_no_call(tiles_left=tiles_left, riichi=riichi),
    )


def _no_call(*, tiles_left: Ints | int, riichi: Bools | bool) -> tuple[tuple[Reason, Bools], ...]:
    return (Reason.LAST_TILE, np.asarray(tiles_left) <= 0), (Reason.RIICHI_HAND, np.asarray(riichi))


def _after_call(hands: Hands, taken: I64, forbidden: I64) -> tuple[Bools, Bools]:
    """Flag the hands that lack the tiles of a call, and those that have them but no legal discard afterwards."""
    rest: I64 = hands.counts() - taken
    missing: Bools = np.any(rest < 0, axis=1)
    return missing, ~missing & ~some(kind_mask(rest > 0) & ~forbidden)


def _held(hands: Hands) -> I64:
    return kind_mask(hands.counts() > 0)


def without(hands: Hands, kind: Ints, copies: Ints | int = 1) -> Hands:
    """Take tiles of one kind out of each hand. The hands must hold them; this is not checked."""
    keys = hands.keys.copy()
    keys[np.arange(len(hands)), SUIT[kind]] -= (UNIT[kind] * np.asarray(copies)).astype(np.int32)
    return Hands(keys, hands.meld_type, hands.meld_tile, hands.meld_from, hands.reds)


def riichi(
    hands: Hands,
    tile: Ints,
    *,
    tiles_left: Ints | int,
    points: Ints | int,
    declared: Bools | bool = False,
    without_next_draw: Bools | bool = False,
    min_points: Ints | int = 1000,
    whole_hand: Bools | bool = False,
    players: Ints | int = 4,
) -> I32:
    """Judge riichi with a given discard (RULES.md 2.5).

    Riichi stays legal in furiten, and if all tiles of the waits are visible.

    Parameters
    ----------
    hands
        Hands with the tile drawn.
    tile
        The tile to be discarded, 0 to 36; [n].
    tiles_left
        Tiles left after the draw.
    points
        The seat's points.
    declared
        Whether the hand is already in riichi.
    without_next_draw
        Rule ``riichi_without_next_draw``.
    min_points
        Rule ``riichi_min_points``; 0 allows any score, also one below zero.
    whole_hand
        Whether the rule ``fifth_tile_wait`` is ``"whole_hand"``.
    players
        How many play, 3 or 4. The seat draws again if as many tiles are left.

    Returns
    -------
    int32 [n]
        ``NOT_HELD``, ``OPEN_HAND``, ``DECLARED``, ``NOT_TENPAI``, ``NO_WAIT``, ``NO_NEXT_DRAW``, ``TOO_FEW_POINTS``.
    """
    kind = KIND[tile].astype(np.int64)
    held = some(_held(hands) & _bit(kind))
    rest = without(hands, kind, held.astype(np.int64))
    tenpai = shanten(rest.keys, rest.n_melds, "block") <= 0
    waiting = some(waits_of(rest, whole_hand=whole_hand))
    min_points = np.asarray(min_points)
    return reason_bits(
        len(hands),
        (Reason.NOT_HELD, ~held),
        (Reason.OPEN_HAND, ~hands.closed),
        (Reason.DECLARED, np.asarray(declared)),
        (Reason.NOT_TENPAI, held & ~tenpai),
        (Reason.NO_WAIT, held & tenpai & ~waiting),
        (Reason.NO_NEXT_DRAW, ~np.asarray(without_next_draw) & (np.asarray(tiles_left) < players)),
        (Reason.TOO_FEW_POINTS, (min_points > 0) & (np.asarray(points) < min_points)),
    )
