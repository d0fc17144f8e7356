"""Readings as text: the lists of koba::blog's article, and properties of every winning hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.shapes.reading_notation import reading_lists, readings
from engine.tiles.hands import Hands
from engine.tiles.kinds import KIND, notation
from engine.tiles.notation import read_tile
from tests.kit.deals import winning


def listed(*lines):
    """Turn lines of blocks into a set of lists."""
    return {tuple(line.split()) for line in lines}


def found(text, win=None, **options):
    """Give the readings as a set of lists; assert that none occurs twice."""
    lists = [tuple(reading) for reading in readings(text, win, **options)]
    assert len(lists) == len(set(lists))
    return set(lists)


ARTICLE = [
    (
        "m223344p556677s88",
        "s8=",
        listed("m22 m33 m44 p55 p66 p77 s88=_", "s88=_ m234 m234 p567 p567"),
    ),
    (
        "m111222333p78999",
        "p9=",
        listed(
            "p99=_ m123 m123 m123 p789",
            "p99 m123 m123 m123 p789=_",
            "p99=_ m111 m222 m333 p789",
            "p99 m111 m222 m333 p789=_",
        ),
    ),
    (
        "m22334455p234s234",
        "m3=",
        listed("m22 m3=_45 m345 p234 s234", "m55 m23=_4 m234 p234 s234"),
    ),
    (
        "m122334p567s88z777",
        "m2=",
        listed("s88 m12=_3 m234 p567 z777", "s88 m123 m2=_34 p567 z777"),
    ),
]


@pytest.mark.parametrize(("text", "win", "expected"), ARTICLE)
def test_the_lists_of_the_article(text, win, expected):
    """The four patterns of 和了形を求めるプログラム, in any order of readings."""
    assert found(text, win) == expected


@pytest.mark.parametrize(("text", "win", "expected"), ARTICLE)
def test_the_winning_tile_may_be_written_apart(text, win, expected):
    """A hand one tile short is completed by the winning tile."""
    place = text.index(win[1], text.index(win[0]))
    assert found(text[:place] + text[place + 1 :], win) == expected


@pytest.mark.parametrize(
    ("text", "win", "expected"),
    [
        ("m234z77,p4-56,z111=,s9999", None, listed("z77_ m234 p4-56 z111= s9999")),
        ("22234m,555+z,78-6p,1111s", "4m-", listed("m22 m234-_ z555+ p78-6 s1111")),
        ("z11m34,p4-06,z5555+,m999-9", "m2+", listed("z11 m2+_34 p4-56 z5555+ m999-9")),
        ("m5,p4-06,z5555+,m999-9,s111-", "m0", listed("m55_ p4-56 z5555+ m999-9 s111-")),
    ],
)
def test_melds_stand_behind_as_they_were_made(text, win, expected):
    """Melds keep their marks and order; a red five is a five."""
    assert found(text, win) == expected


def test_melds_of_arrays_are_written_too():
    """`Hands` does not say which tile of a chi was called: the lowest is marked."""
    hand = Hands.from_counts(
        np.bincount([33, 33], minlength=34)[None, :],
        meld_type=np.array([[1, 2, 3, 5]]),
        meld_tile=np.array([[3, 27, 9, 26]]),
        meld_from=np.array([[3, 2, 1, 3]]),
    )
    assert reading_lists(hand, np.array([33]), np.array([0])) == [[["z77_", "m4-56", "z111=", "p1111+", "s999-9"]]]


def test_thirteen_orphans():
    """The kind held twice is first; the winning tile can be any of the thirteen."""
    rest = "m9 p1 p9 s1 s9 z1 z2 z3 z4 z5 z6 z7"
    assert found("m19p19s19z1234567", "m1") == listed(f"m11_ {rest}")
    assert found("m19p19s19z123456m1", "z7+") == listed(f"m11 {rest}+_")


def test_nine_gates_are_a_form_where_rules_count_it():
    """Nine gates are one more reading: one block, with the winning tile last."""
    sets = listed("m55_ m111 m234 m678 m999")
    assert found("m11123456789995") == sets
    assert found("m11123456789995", nine_gates=True) == sets | listed("m11123456789995_")


@pytest.mark.parametrize(
    ("text", "win"),
    [("m123456789p1145", None), ("m11", "m1"), ("19m19p19s12345622z", "3z"), ("112233445566m7p", "7m")],
)
def test_a_hand_that_is_not_won_has_no_reading(text, win):
    """A hand with too few tiles, of no form, or with a tile that does not fit has no reading."""
    assert found(text, win) == set()


@pytest.mark.parametrize(
    ("text", "win", "reason"),
    [
        ("", None, "no concealed tile"),
        ("m11222333444555", "p1", "none of the concealed tiles"),
        ("m1111222333444", "m1", "0 to 4 tiles"),
        ("m1234", "m15", "expected one tile"),
        ("m1234", "x", "character 1"),
        ("m1234", "4+m-", "a tile has one mark"),
    ],
)
def test_a_tile_that_cannot_have_won_is_refused(text, win, reason):
    """The message names the fault of the winning tile."""
    with pytest.raises(ValueError, match=reason):
        readings(text, win)


@given(st.integers(0, 2**32), st.integers(1, 4), st.sampled_from("_-=+"))
@settings(max_examples=60, deadline=None)
def test_every_reading_uses_exactly_the_tiles_of_the_hand(seed, suits, mark):
    """Blocks put together give the hand back, and one tile is marked as the winning one."""
    rng = np.random.default_rng(seed)
    counts = winning(rng, 4, suits)
    win = int(rng.choice(np.flatnonzero(counts)))
    seat = {"_": 0, "+": 1, "=": 2, "-": 3}[mark]
    sign = "_" if mark == "_" else f"{mark}_"
    (lists,) = reading_lists(Hands.from_counts(counts[None, :]), np.array([win]), np.array([seat]), nine_gates=True)
    assert lists
    for reading in lists:
        text = " ".join(reading)
        assert text.count(sign) == 1
        place = text.index(sign)
        suit = text[max(text.rfind(letter, 0, place) for letter in "mpsz")]
        assert KIND[read_tile(text[place - 1] + suit)[0]] == win
        tiles = [read_tile(digit + block[0])[0] for block in reading for digit in block if digit.isdigit()]
        assert notation(tiles) == notation(np.repeat(np.arange(34), counts).tolist())
