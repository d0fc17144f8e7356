"""Tiles, masks, names."""

from __future__ import annotations

import numpy as np
import pytest

from engine.tiles.kinds import (
    DORA_OF,
    DORA_OF_SANMA,
    GREEN,
    KIND,
    ORPHANS,
    SIMPLES,
    SUIT,
    UNIT,
    exactly,
    kind_mask,
    kinds_in,
    mask_of,
    notation,
    only,
    tile_name,
)


def test_red_fives_are_fives():
    """Red fives are fives."""
    assert KIND[34:].tolist() == [4, 13, 22]
    assert UNIT[34:].tolist() == [625, 625, 625]
    assert SUIT[34:].tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("indicator", "dora"),
    [(0, 1), (8, 0), (17, 9), (26, 18), (27, 28), (30, 27), (31, 32), (33, 31)],  # RULES.md 3.5
)
def test_dora_follows_the_indicator(indicator, dora):
    """Dora follows the indicator."""
    assert DORA_OF[indicator] == dora


def test_every_kind_is_the_dora_of_one_indicator():
    """Every kind is the dora of one indicator."""
    assert sorted(DORA_OF.tolist()) == list(range(34))


def test_sanma_has_no_middle_manzu():
    """With three players the indicator 1m makes 9m dora: there are no 2m to 8m."""
    assert [DORA_OF_SANMA[0], DORA_OF_SANMA[8]] == [8, 0]  # RULES.md 4.6
    np.testing.assert_array_equal(DORA_OF_SANMA[9:], DORA_OF[9:])


def test_masks():
    """Sets of kinds, written out."""
    assert notation(kinds_in(ORPHANS)) == "19m19p19s1234567z"
    assert notation(kinds_in(GREEN)) == "23468s6z"
    assert SIMPLES & ORPHANS == 0
    assert SIMPLES | ORPHANS == (1 << 34) - 1


def test_mask_operations():
    """`only`, `exactly` and `kind_mask`."""
    masks = np.array([0, mask_of([3]), mask_of([3, 33])])
    assert only(masks, mask_of([3])).tolist() == [True, True, False]
    assert exactly(2, masks).tolist() == [False, False, True]
    flags = np.zeros((1, 34), dtype=np.bool_)
    flags[0, [0, 33]] = True
    assert kind_mask(flags).tolist() == [mask_of([0, 33])]


def test_names():
    """Names of tiles and the notation of several."""
    assert [tile_name(t) for t in (0, 4, 34, 27, 33, 36)] == ["1m", "5m", "0m", "E", "C", "0s"]
    assert notation([34, 4, 3, 27, 31, 17]) == "405m9p15z"


@pytest.mark.parametrize("tile", [-1, 37])
def test_a_number_that_is_no_tile_is_refused(tile):
    """A number that is not a tile is refused."""
    with pytest.raises(ValueError, match=f"{tile} is not a tile"):
        tile_name(tile)
    with pytest.raises(ValueError, match=f"{tile} is not a tile"):
        notation([tile])
