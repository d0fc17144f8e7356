"""Waits against the scalar definition, and the rule on the fifth tile."""

from __future__ import annotations

import numpy as np
import pytest

from engine.shapes.shanten import shanten
from engine.shapes.waits import waits, waits_of
from engine.tiles.hands import parse_hand
from engine.tiles.kinds import kinds_in, notation
from tests.kit.batches import concatenated
from tests.kit.deals import deal, hands
from tests.kit.plain import reference


@pytest.mark.parametrize("tiles", [13, 10, 4, 1])
@pytest.mark.parametrize("kind", ["dealt", "flush", "half flush", "orphans", "honours", "quads", "near"])
def test_agrees_with_the_scalar_definition(kind, tiles):
    """Dealt, flush, quad-heavy and other hands, long and short."""
    counts = deal(kind, 40, tiles, seed=7)
    melds = 4 - tiles // 3
    found = waits(hands(counts).keys, np.full(len(counts), melds))
    assert [list(kinds_in(mask)) for mask in found.tolist()] == [reference.waits(c.tolist(), melds) for c in counts]


@pytest.mark.parametrize("kind", ["flush", "near", "quads"])
def test_there_is_a_wait_exactly_when_the_hand_is_tenpai(kind):
    """There is a wait exactly when the hand is tenpai."""
    keys = hands(deal(kind, 3000, 13)).keys
    melds = np.zeros(len(keys), dtype=np.int64)
    np.testing.assert_array_equal(waits(keys, melds) != 0, shanten(keys, melds) == 0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1112345678999m", "123456789m"),
        ("19m19p19s1234567z", "19m19p19s1234567z"),
        ("19m19p19s1123456z", "7z"),
        ("1122m3344p5566s1z", "1z"),
        ("1122m3344p556677s", ""),  # 14 tiles: already complete, and no tile completes it again
        ("1122334455667m", "147m"),
        ("6677778888999m", "569m"),  # RULES.md 2.6
        ("2223456777m,111z", "12345678m"),
        ("1m,111z,222z,333z,444z", "1m"),
        ("1111m,222z,333z,444z", ""),  # the concealed hand holds all four
    ],
)
def test_known_waits(text, expected):
    """Hands have the waits that books and RULES.md state."""
    hand = parse_hand(text)
    assert notation(kinds_in(int(waits(hand.keys, hand.n_melds)[0]))) == expected


@pytest.mark.parametrize(
    ("text", "concealed_only", "whole_hand"),
    [
        ("13m456p789s11z,2222m", "2m", ""),  # case wt-002
        ("9m,999=m,123p,456p,789s", "9m", ""),  # RULES.md 3.6
        ("57s99m,6666s,123p,111z", "6s", ""),  # RULES.md 3.6
        (
            "4067999s444z,8888s",
            "478s",
            "47s",
        ),  # case wt-003: no 8s is left, but Tenhou counts it as a wait
    ],
)
def test_fifth_tile(text, concealed_only, whole_hand):
    """If a hand with its melds has four of a kind, the rule ``fifth_tile_wait`` decides whether it is a wait."""
    hand = parse_hand(text)
    assert notation(kinds_in(int(waits_of(hand)[0]))) == concealed_only
    assert notation(kinds_in(int(waits_of(hand, whole_hand=True)[0]))) == whole_hand


def test_the_rule_on_the_fifth_tile_may_differ_by_hand():
    """Hands of a batch can have different rules."""
    batch = concatenated([parse_hand("13m456p789s11z,2222m")] * 2)
    found = waits_of(batch, whole_hand=np.array([False, True]))
    assert [notation(kinds_in(mask)) for mask in found.tolist()] == ["2m", ""]
