"""Shanten against the scalar definitions, and properties of any hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.shapes.shanten import CHUNK, seven_pairs, shanten, thirteen_orphans
from engine.tiles.hands import Hands, parse_hand
from tests.kit.deals import deal, hands
from tests.kit.plain import reference

DEFINITIONS = {"exact": reference.exact_standard, "block": reference.block_standard}
KINDS = ["dealt", "flush", "half flush", "orphans", "honours", "quads", "near"]


@pytest.mark.parametrize("definition", DEFINITIONS)
@pytest.mark.parametrize("tiles", [13, 14, 10, 8, 4, 2, 1])
@pytest.mark.parametrize("kind", KINDS)
def test_agrees_with_the_scalar_definition(kind, tiles, definition):
    """Both definitions agree with the scalar ones for dealt, flush, quad-heavy and other hands, long and short."""
    counts = deal(kind, 8, tiles, seed=tiles)
    melds = 4 - tiles // 3
    batch = hands(counts)
    expected = [reference.shanten(c.tolist(), melds, DEFINITIONS[definition]) for c in counts]
    assert shanten(batch.keys, np.full(len(batch), melds), definition).tolist() == expected


@pytest.mark.parametrize("tiles", [0, 3, 5, 6, 9, 12])
def test_block_formula_takes_any_number_of_tiles(tiles):
    """Block formula takes any number of tiles."""
    counts = deal("dealt", 5, tiles)
    batch = hands(counts)
    expected = [reference.shanten(c.tolist(), 0, reference.block_standard) for c in counts]
    assert shanten(batch.keys, np.zeros(len(batch), dtype=np.int64), "block").tolist() == expected


def test_rows_of_different_melds_do_not_mix():
    """Rows of different melds do not mix."""
    counts = np.concatenate([deal("near", 20, tiles) for tiles in (13, 10, 7, 4, 1)])
    melds = np.repeat(np.arange(5), 20)
    order = np.random.default_rng(1).permutation(len(counts))
    keys = hands(counts).keys
    together = shanten(keys[order], melds[order])
    one_by_one = [int(shanten(keys[i : i + 1], melds[i : i + 1])[0]) for i in order]
    assert together.tolist() == one_by_one


def test_chunks_join():
    """More hands than one chunk holds."""
    counts = deal("dealt", 50, 13)
    keys = np.resize(hands(counts).keys, (2 * CHUNK + 7, 4))
    found = shanten(keys, np.zeros(len(keys), dtype=np.int64))
    np.testing.assert_array_equal(found, np.resize(found[:50], len(found)))


@pytest.mark.parametrize("kind", ["dealt", "orphans", "quads"])
def test_special_forms_agree_with_the_scalar_definition(kind):
    """Seven pairs and thirteen orphans."""
    counts = deal(kind, 200, 13)
    keys = hands(counts).keys
    assert seven_pairs(keys).tolist() == [reference.seven_pairs(c.tolist()) for c in counts]
    assert thirteen_orphans(keys).tolist() == [reference.thirteen_orphans(c.tolist()) for c in counts]


@pytest.mark.parametrize(
    ("text", "exact", "block"),
    [
        ("123456789m1111p", 1, 0),  # RULES.md 3.6: the missing pair would need a fifth 1p
        ("1111z222z333z444z", 1, 0),  # RULES.md 3.6, known error of the formula
        ("11m1111z2222z333z", 2, 1),
        ("1111z2222z3333z4z", 3, 2),
    ],
)
def test_definitions_differ_where_a_fifth_copy_is_needed(text, exact, block):
    """Definitions differ where a fifth copy is needed."""
    hand = parse_hand(text)
    assert shanten(hand.keys, hand.n_melds, "exact").tolist() == [exact]
    assert shanten(hand.keys, hand.n_melds, "block").tolist() == [block]


def test_unknown_definition_is_refused():
    """Unknown definition is refused."""
    hand = parse_hand("123m")
    with pytest.raises(ValueError, match="'exact' or 'block'"):
        shanten(hand.keys, hand.n_melds, "fast")


def test_no_hands():
    """An empty batch gives an empty result."""
    assert shanten(np.zeros((0, 4), dtype=np.int32), np.zeros(0, dtype=np.int64)).tolist() == []


thirteen = st.permutations(range(136)).map(lambda ids: np.bincount(np.array(ids[:13]) // 4, minlength=34))


@settings(max_examples=60, deadline=None)
@given(counts=thirteen)
def test_a_draw_helps_by_one_at_most_and_some_draw_does(counts):
    """A draw lowers shanten by one at most, and some draw does."""
    before = one_shanten(counts)
    drawn = [counts + np.eye(34, dtype=np.int64)[k] for k in range(34) if counts[k] < 4]
    after = shanten(hands(drawn).keys, np.zeros(len(drawn), dtype=np.int64))
    assert set((before - after).tolist()) <= {0, 1}
    assert after.min() == before - 1


@settings(max_examples=60, deadline=None)
@given(counts=thirteen)
def test_exact_is_the_block_formula_or_one_more(counts):
    """Exact is the block formula or one more."""
    assert one_shanten(counts) - one_shanten(counts, "block") in (0, 1)


@settings(max_examples=60, deadline=None)
@given(counts=thirteen, order=st.permutations(range(3)), mirrored=st.booleans())
def test_suits_can_be_exchanged_and_mirrored(counts, order, mirrored):
    """Suits can be exchanged and mirrored."""
    suits = counts[:27].reshape(3, 9)[list(order), :: -1 if mirrored else 1]
    changed = np.concatenate([suits.ravel(), counts[27:]])
    for definition in DEFINITIONS:
        assert one_shanten(changed, definition) == one_shanten(counts, definition)


def one_shanten(counts, definition="exact"):
    """Give the shanten of one closed hand."""
    return int(shanten(Hands.from_counts(counts[None, :]).keys, np.zeros(1, dtype=np.int64), definition)[0])
