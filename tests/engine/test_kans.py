"""Kans: RULES.md 2.1, 2.2 and 2.6, disputed cases (../shared/cases), and a plain definition by waits and readings."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.legality.kans import ankan, daiminkan, kakan
from engine.legality.reasons import Reason
from engine.tiles.hands import Hands, parse_hand
from engine.tiles.kinds import KIND
from tests.kit.batches import concatenated
from tests.kit.notations import kind, named, tile
from tests.kit.plain import reference

FREE = {"tiles_left": 40, "kans": 0}
LEVELS = np.arange(3)


def in_riichi(text, drawn, **known):
    """Return whether an ankan of the drawn tile is legal, at each of the three levels."""
    concealed, *melds = text.split(",")
    hands = concatenated([parse_hand(",".join([concealed + drawn, *melds]))] * 3)
    drawn_tile = np.full(3, tile(drawn))
    found = ankan(hands, KIND[drawn_tile], riichi=True, drawn=drawn_tile, level=LEVELS, **FREE, **known)
    return (found == 0).tolist()


@pytest.mark.parametrize(
    ("text", "drawn", "expected"),
    [
        # Results of 電脳麻将's engine, from RULES.md 2.6.
        ("1113444p222z,9999m", "1p", [False, False, True]),
        ("23m999p33345666s", "3s", [False, False, True]),
        ("23m999p33345666s", "6s", [False, False, True]),
        ("23m999p33345666s", "9p", [False, True, True]),
        ("1113445678999m", "1m", [False, False, True]),
        ("1112345678999m", "1m", [False, False, False]),
        ("12366m33344555s", "3s", [False, False, True]),
        ("6677778888999m", "9m", [False, False, True]),
        # kn-003: the hand would leave tenpai. kn-007: the wait is in the triplet.
        ("23m77789s,5550s,6666z", "7s", [False, False, False]),
        ("1113m456p789s999p", "1m", [False, False, False]),
        ("111z123m456p7899s", "1z", [False, True, True]),
        # A drawn red five counts as a five.
        ("555m234p23478s11z", "0m", [False, True, True]),
        # Seven pairs are a reading.
        ("1112233445566m", "1m", [False, False, False]),
    ],
)
def test_ankan_after_riichi(text, drawn, expected):
    """Level 0 allows no ankan, level 1 one that keeps all readings, level 2 one that keeps the waits."""
    assert in_riichi(text, drawn) == expected


def test_losing_nine_gates_is_a_rule_of_its_own():
    """1113445678999m keeps its waits and its sets after a kan of 1m, but loses nine gates."""
    assert in_riichi("1113445678999m", "1m", nine_gates=True) == [False, False, True]
    hand = parse_hand("11113445678999m")
    with_and_without = concatenated([hand, hand])
    found = ankan(
        with_and_without, np.zeros(2, int), riichi=True, drawn=0, level=1, nine_gates=np.array([True, False]), **FREE
    )
    assert named(found)[0] == ("SHAPE_CHANGES",)


def test_okuri_kan_is_never_legal():
    """kn-006: only the drawn tile makes a kan after riichi, whatever the level."""
    hands = concatenated([parse_hand("1111m456p789s2223z")] * 3)
    found = ankan(hands, np.zeros(3, int), riichi=True, drawn=tile("3z"), level=LEVELS, **FREE)
    assert named(found) == [("NOT_DRAWN", "KAN_IN_RIICHI"), ("NOT_DRAWN",), ("NOT_DRAWN",)]


def test_without_riichi_any_four_make_a_kan():
    """Outside riichi a kan can use four tiles from the hand, and the waits can change."""
    hand = parse_hand("1111m456p789s2223z")
    assert named(ankan(hand, np.array([0]), drawn=tile("3z"), level=0, **FREE)) == [()]
    assert named(ankan(hand, np.array([28]), drawn=tile("3z"), **FREE)) == [("NOT_HELD",)]


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ({"tiles_left": 0}, "LAST_TILE"),  # kn-001
        ({"tiles_left": 1}, None),
        ({"kans": 3}, None),
        ({"kans": 4}, "FIFTH_KAN"),  # kn-002
        ({"after_call": True}, "AFTER_CALL"),  # kn-011
    ],
)
def test_a_kan_needs_a_tile_a_turn_and_less_than_four_before(known, expected):
    """The last tile, a fifth kan and a call before forbid ankan and kakan; the first two forbid daiminkan."""
    wanted = [(expected,) if expected else ()]
    assert named(ankan(parse_hand("1111m456p789s2223z"), np.array([0]), **{**FREE, **known})) == wanted
    assert named(kakan(parse_hand("1m456p789s1z,111=m"), np.array([0]), **{**FREE, **known})) == wanted
    if "after_call" not in known:
        assert named(daiminkan(parse_hand("111m456p789s2223z"), np.array([0]), **{**FREE, **known})) == wanted


@pytest.mark.parametrize(
    ("text", "name", "riichi", "expected"),
    [
        ("111m456p789s2223z", "1m", True, ("RIICHI_HAND",)),  # kn-008
        ("11m456p789s22233z", "1m", False, ("NOT_HELD",)),
        ("505m456p789s2223z", "5m", False, ()),
    ],
)
def test_daiminkan(text, name, riichi, expected):
    """A daiminkan needs three concealed copies, and a hand not in riichi."""
    assert named(daiminkan(parse_hand(text), np.array([kind(name)]), riichi=riichi, **FREE)) == [expected]


@pytest.mark.parametrize(
    ("text", "name", "known", "expected"),
    [
        ("0m456p789s1z,555=m", "5m", {}, ()),
        ("1m456p789s1z,222=m", "1m", {}, ("NO_PON",)),
        ("1m456p789s1z,1-23m", "1m", {}, ("NO_PON",)),
        ("456p789s11z,111=m", "1m", {}, ("NOT_HELD",)),
        (
            "456p789s11z,222=m",
            "1m",
            {"riichi": True, "tiles_left": 0},
            ("NOT_HELD", "LAST_TILE", "RIICHI_HAND", "NO_PON"),
        ),
    ],
)
def test_kakan(text, name, known, expected):
    """A kakan needs the fourth tile and a pon of its kind."""
    assert named(kakan(parse_hand(text), np.array([kind(name)]), **{**FREE, **known})) == [expected]


def defined(counts, drawn):
    """Judge an ankan of the drawn kind in a hand without melds at levels 1 and 2, kind by kind."""
    before, after = counts.copy(), counts.copy()
    before[drawn] -= 1
    after[drawn] = 0
    waits = [reference.waits(before.tolist(), 0), reference.waits(after.tolist(), 1)]
    fewer = _readings(after, 3, waits[1]) < _readings(before, 4, waits[0])
    tenpai = bool(waits[1])
    return [tenpai and not fewer, tenpai and waits[0] == waits[1]]


def _readings(counts, sets, waits):
    """Count the readings of every win, seven pairs and nine gates among them."""
    total = 0
    for wait in waits:
        whole = counts.copy()
        whole[wait] += 1
        total += len(reference.readings(whole.tolist(), sets, wait))
        if sets == 4:
            total += reference.seven_pairs(whole.tolist()) == -1
            total += any((whole[k : k + 9] >= (3, 1, 1, 1, 1, 1, 1, 1, 3)).all() for k in (0, 9, 18))
    return total


@given(st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_kans_after_riichi_agree_with_the_definition(seed):
    """For random hands in tenpai that draw the fourth tile of a triplet, the plain definition gives the same."""
    rng = np.random.default_rng(seed)
    counts = np.zeros(34, dtype=np.int64)
    counts[27] = rng.choice([0, 2, 3])
    triplet = int(rng.integers(9))
    counts[triplet] = 4
    while counts.sum() < 14:
        lowest = int(rng.integers(9))
        block = rng.choice([0, 1, 2])
        kinds = [lowest, lowest + 1, lowest + 2] if block == 0 and lowest < 7 else [lowest] * (1 + block)
        counts[kinds[: 14 - counts.sum()]] += 1
    if counts.max() > 4:
        return
    hand = Hands.from_counts(counts[None, :])
    found = [
        int(ankan(hand, np.array([triplet]), riichi=True, drawn=triplet, level=level, **FREE)[0]) for level in (1, 2)
    ]
    assert [bits == 0 for bits in found] == defined(counts, triplet)


def test_level_one_is_never_looser_than_level_two():
    """A kan that keeps all readings keeps the waits (RULES.md 2.6)."""
    rng = np.random.default_rng(8)
    counts = np.array([_with_quad(rng) for _ in range(3000)])
    drawn = counts.argmax(axis=1)
    hands = Hands.from_counts(counts)
    shape, waiting = (ankan(hands, drawn, riichi=True, drawn=drawn, level=level, **FREE) for level in (1, 2))
    assert ((shape == 0) <= (waiting == 0)).all()
    assert (shape == 0).any()
    assert ((shape & Reason.SHAPE_CHANGES > 0) & (waiting == 0)).any()


def _with_quad(rng):
    """Deal four of a kind and ten other tiles of the suit that look like sets."""
    while True:
        counts = np.zeros(34, dtype=np.int64)
        counts[rng.integers(9)] = 4
        for _ in range(3):
            lowest = int(rng.integers(7))
            counts[[lowest, lowest + 1, lowest + 2] if rng.random() < 0.7 else lowest] += 1 if rng.random() < 0.8 else 3
        counts[rng.integers(9, 11)] += 1
        if counts.max() == 4 and counts.sum() == 14 and (counts == 4).sum() == 1:
            return counts
