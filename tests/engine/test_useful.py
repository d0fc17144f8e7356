"""Useful tiles against their definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.shapes.shanten import shanten
from engine.shapes.useful import NOT_HELD, after_discards, left, useful
from engine.shapes.waits import waits
from engine.tiles.hands import parse_hand
from engine.tiles.kinds import kinds_in, notation
from tests.kit.deals import deal, hands
from tests.kit.plain import reference

KINDS = ["dealt", "flush", "orphans", "quads", "near"]


def exact(counts, melds):
    """Give the exact shanten by the scalar definition."""
    return reference.shanten(counts.tolist(), melds, reference.exact_standard)


def defined(counts, melds):
    """List the kinds that lower the shanten, drawing each of them."""
    before = exact(counts, melds)
    row = np.eye(34, dtype=np.int64)
    return tuple(k for k in range(34) if counts[k] < 4 and exact(counts + row[k], melds) < before)


@pytest.mark.parametrize("tiles", [13, 10, 4])
@pytest.mark.parametrize("kind", KINDS)
def test_agrees_with_the_definition(kind, tiles):
    """Every kind that lowers the shanten, and no other."""
    counts = deal(kind, 3, tiles, seed=3)
    melds = 4 - tiles // 3
    found = useful(hands(counts).keys, np.full(3, melds))
    assert [kinds_in(mask) for mask in found.tolist()] == [defined(row, melds) for row in counts]


@pytest.mark.parametrize("kind", KINDS)
def test_useful_tiles_of_a_tenpai_hand_are_its_waits(kind):
    """The useful kinds of a hand in tenpai are its waits."""
    batch = hands(deal(kind, 300, 13))
    tenpai = shanten(batch.keys, batch.n_melds) == 0
    np.testing.assert_array_equal(useful(batch.keys, batch.n_melds)[tenpai], waits(batch.keys, batch.n_melds)[tenpai])


def test_a_fifth_tile_is_of_no_use():
    """A kind with four concealed copies is not useful (cases wt-006, wt-008)."""
    hand = parse_hand("1111234444999m")
    assert not set(kinds_in(int(useful(hand.keys, hand.n_melds)[0]))) & {0, 3}


def test_counts_left_are_those_not_seen():
    """Four minus the visible tiles, for useful kinds only."""
    hand = parse_hand("123456m789p2255s")
    visible = hand.counts()
    visible[0, 22] += 1
    counts = left(useful(hand.keys, hand.n_melds), visible)
    assert counts.dtype == np.uint8
    assert {k: n for k, n in enumerate(counts[0].tolist()) if n} == {19: 2, 22: 1}


def test_more_visible_than_there_are_leaves_none():
    """A count above four, as a wrong log can give, leaves 0 tiles."""
    assert left(np.array([1]), np.full((1, 34), 6))[0, 0] == 0


def test_after_each_discard():
    """wt-007: after 6p of 2346678p3455577s seven tiles are left, a red five being a five."""
    hand = parse_hand("2346678p3405577s")
    found = after_discards(hand.keys, hand.n_melds)
    rest = parse_hand("234678p3405577s")
    assert found.useful[0, 14] == useful(rest.keys, rest.n_melds)[0]
    assert found.shanten[0, 14] == 0
    assert notation(kinds_in(int(found.useful[0, 14]))) == "257s"
    assert left(found.useful[:, 14], hand.counts()).sum() == 7


@given(st.integers(0, 2**32), st.sampled_from(KINDS), st.sampled_from([14, 11, 8, 5, 2]))
@settings(max_examples=40, deadline=None)
def test_discards_are_the_hands_without_one_tile(seed, kind, tiles):
    """Shanten and useful tiles of every hand that a discard leaves."""
    counts = deal(kind, 1, tiles, seed=seed)
    batch = hands(counts)
    melds = np.array([4 - tiles // 3])
    found = after_discards(batch.keys, melds)
    for k in range(34):
        if not counts[0, k]:
            assert (found.shanten[0, k], found.useful[0, k]) == (NOT_HELD, 0)
            continue
        rest = hands(counts - np.eye(34, dtype=np.int64)[k])
        assert found.shanten[0, k] == shanten(rest.keys, melds)[0]
        assert found.useful[0, k] == useful(rest.keys, melds)[0]
