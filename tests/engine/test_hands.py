"""Hands, their notation and its errors."""

from __future__ import annotations

import numpy as np
import pytest

from engine.tiles.hands import ACROSS, ANKAN, CHI, DAIMINKAN, KAKAN, LEFT, PON, RIGHT, Hands, parse_hand
from engine.tiles.notation import read_hands, read_tile
from tests.kit.deals import deal


def test_counts_come_back():
    """Counts are the same after turning them into keys and back."""
    counts = deal("dealt", 100, 14)
    np.testing.assert_array_equal(Hands.from_counts(counts).counts(), counts)


def test_four_of_each_kind_come_back():
    """A count of four survives at every position."""
    counts = np.full((1, 34), 4)
    np.testing.assert_array_equal(Hands.from_counts(counts).counts(), counts)


def test_keys_are_counts_in_base_five():
    """Position i weighs 5**i, suit by suit."""
    assert parse_hand("1199m3p7z").keys.tolist() == [[2 + 2 * 5**8, 5**2, 0, 5**6]]


def test_melds():
    """Every type of meld is read, with the seat that its mark names."""
    hand = parse_hand("55p,4-56m,777=z,1111+m,333+3s")
    assert hand.meld_type.tolist() == [[CHI, PON, DAIMINKAN, KAKAN]]
    assert hand.meld_tile.tolist() == [[3, 33, 0, 20]]
    assert hand.meld_from.tolist() == [[LEFT, ACROSS, RIGHT, RIGHT]]
    assert hand.n_melds.tolist() == [4]


def test_chi_keeps_the_lowest_tile_whichever_was_called():
    """A chi has the same lowest tile whichever tile was called."""
    assert parse_hand("11z,6-45m").meld_tile[0, 0] == 3


def test_chi_comes_from_the_left_and_a_pon_from_nobody_knows_where():
    """Without a mark a chi is from the left, and the seat of a pon is not stated."""
    assert parse_hand("11z,456m,777p").meld_from.tolist() == [[LEFT, 0, 0, 0]]


def test_ankan_keeps_a_hand_closed():
    """Ankan keeps a hand closed."""
    hands = [parse_hand(text) for text in ("11z,1111m", "11z,1111-m", "11z,111m")]
    assert [hand.meld_type[0, 0] for hand in hands] == [ANKAN, DAIMINKAN, PON]
    assert [bool(hand.closed[0]) for hand in hands] == [True, False, False]


def test_all_counts_hold_melds_and_a_kan_is_four():
    """`all_counts` counts melds too, and four tiles for a kan."""
    counts = parse_hand("1m55p,123m,7777z").all_counts()[0]
    assert {k: n for k, n in enumerate(counts.tolist()) if n} == {0: 2, 1: 1, 2: 1, 13: 2, 33: 4}


def test_red_fives_are_counted_in_melds_too():
    """Red fives are counted in melds too."""
    hand = parse_hand("0m0p,40-6s")
    assert hand.reds.tolist() == [3]
    assert hand.counts()[0, [4, 13]].tolist() == [1, 1]


def test_selection_gives_hands():
    """Selecting rows gives `Hands`."""
    hands = Hands.from_counts(deal("dealt", 5, 13))
    assert len(hands[2:4]) == 2
    assert len(hands[3]) == 1
    np.testing.assert_array_equal(hands[np.array([4, 0])].keys, hands.keys[[4, 0]])


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("m123p406s789z22,z111=", "123m406p789s22z,111=z"),
        ("m55,p4-56,z7777+,m111+1,s9999", "55m,4-56p,7777+z,111+1m,9999s"),
        ("z12m3z3", "12z3m3z"),
        ("m0,s40-6,", "0m,40-6s"),
        ("", ""),
    ],
)
def test_both_notations_are_read(first, last):
    """電脳麻将 writes the suit first, most others write it last."""
    one, other = parse_hand(first), parse_hand(last)
    for name in ("keys", "meld_type", "meld_tile", "meld_from", "reds"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


@pytest.mark.parametrize(
    ("text", "reason", "place"),
    [
        ("123m4x", "expected digits", 6),
        ("123", "digits without a suit", 3),
        ("12m,8z", "honours are 1z to 7z", 5),
        ("12m,0z", "honours are 1z to 7z", 5),
        ("11m,124m", "a meld is", 5),
        ("11m,789z", "honours are", 6),
        ("11m,1+2+3m", "more than one is marked", 8),
        ("11111m", "a fifth copy of 1m", 5),
        ("11m,111m", "a fifth copy of 1m", 7),
        ("m", "expected digits 0-9 after the suit", 1),
        ("m12p", "expected digits 0-9 after the suit", 4),
        ("mp12", "expected digits 0-9 after the suit", 2),
        ("m12x", "expected digits 0-9 with one of m p s z.*not 'x'", 4),
        ("m1-2", "a mark - = \\+ belongs to a meld", 3),
        ("m55,z888=", "honours are 1z to 7z", 6),
        ("m0555,m5=55", "a fifth copy of 5m", 8),
        ("11m,123m,123p,123s,456p,789s", "at most four melds", 25),
        ("1+1m", "a comma begins each meld", 2),
        ("123m 4-56m", "a comma begins each meld", 7),
        ("11m,6=78m", "a chi is called from the left", 6),
        ("11m,678m+", "a chi is called from the left", 9),
        ("11m,7+77-m", "more than one is marked", 9),
        ("11m,7=7z=7m", "honours|run", 5),
        ("11m,-23m", "stands behind the tile", 5),
        ("11m,5=m=55m", "a tile has one mark", 8),
        ("11m,77m", "a meld is", 5),
        ("11m,7m", "a meld is", 5),
        ("11m,77777m", "a fifth copy of 7m|a meld is", 5),
        ("11m,135m", "a meld is", 5),
        ("11m,EES", "a meld is", 5),
        ("345mr", "r makes a single five red", 5),
        ("5zr", "r makes a single five red", 3),
        ("m5r", "r makes a single five red", 3),
        ("123mm", "expected digits 0-9 before the suit", 5),
        ("12 3m", "digits without a suit", 2),
        ("11m*2m", "stands behind the concealed tiles", 4),
        ("１23m", r"not '１' \(no plain digit\)", 1),
        ("1²m", r"not '²' \(no plain digit\)", 2),
        ("e123m", "not 'e'", 1),
        ("🀇🀪", "not '🀪'", 2),
    ],
)
def test_an_error_shows_the_character(text, reason, place):
    """The message names the fault, quotes the text and points to the character."""
    with pytest.raises(ValueError, match=reason) as caught:
        parse_hand(text)
    assert text in str(caught.value)
    assert f"character {place}" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        # Spaces separate groups and do not begin a meld.
        ("123m406p789s 55z", "123m406p789s55z"),
        ("88m 234m 567p 345s 678s", "88234m567p345678s"),
        ("m123 p406\tz55", "123m406p55z"),
        # The auditor's output, with letters for honours; mjai's red five.
        ("1m 2m 3m  0p E E", "123m0p11z"),
        ("ESWNPFC", "1234567z"),
        ("1m2m5mr5m E", "1205m1z"),
        ("5sr", "0s"),
        # Unicode's order is winds, red, green, white, characters, bamboos, circles; a selector may follow.
        ("🀀🀁🀂🀃🀄🀅🀆🀇🀏🀐🀘🀙🀡", "1234765z19m19s19p"),
        ("🀇\ufe0f🀈\ufe0e🀉", "123m"),
        ("11z,🀈-🀉🀊", "11z,2-34m"),
        ("22z,EEE=,PPPP", "22z,111=z,5555z"),
        # A mark after the suit belongs to the tile before it; a space inside a meld changes nothing.
        ("11z,678m-,2p 2p 2p=", "11z,678-m,222=p"),
        # 電脳麻将 marks a hand in riichi and ends a hand after a call with a comma.
        ("m123z11*", "123m11z"),
        ("z11,m1-23,", "11z,1-23m"),
    ],
)
def test_every_way_of_writing_is_the_same_hand(text, plain):
    """Notations of other programs, mjai, Unicode and the auditor are read like the plain text next to them."""
    one, other = parse_hand(text), parse_hand(plain)
    for name in ("keys", "meld_type", "meld_tile", "meld_from", "reds"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


@pytest.mark.parametrize(("text", "column"), [("123m4x", 5), ("🀄🀄x", 4), ("🀄\ufe0fx", 2), ("5m\x1b", 2)])
def test_the_caret_stands_under_the_character(text, column):
    """Wide characters fill two columns and selectors none; control characters are written as escapes."""
    with pytest.raises(ValueError, match="character") as caught:
        parse_hand(text)
    _, shown, caret = str(caught.value).split("\n")
    assert caret.index("^") == 2 + column
    assert shown.isprintable()


@pytest.mark.parametrize("counts", [np.full((1, 34), 5), np.full((1, 34), -1), np.zeros((1, 33)), np.zeros(34)])
def test_impossible_counts_are_refused(counts):
    """Counts of a wrong shape, above four, or negative are refused."""
    with pytest.raises(ValueError, match=r"counts must be|a kind has 0 to 4"):
        Hands.from_counts(counts)


@pytest.mark.parametrize(
    ("text", "tile"),
    [("s8=", (25, 2)), ("8=s", (25, 2)), ("8s=", (25, 2)), ("E-", (27, 3)), ("5mr+", (34, 1)), (" 0p", (35, 0))],
)
def test_a_tile_and_its_giver(text, tile):
    """The mark can follow the digit, the suit, the letter or the picture."""
    assert read_tile(text) == tile


@pytest.mark.parametrize(
    ("text", "reason", "place"),
    [
        ("", "expected one tile", 1),
        ("8s9s", "expected one tile", 3),
        ("89s", "expected one tile", 2),
        ("345", "digits without a suit", 3),
        ("8s,", "not ','", 3),
        ("8s*", r"not '\*'", 3),
        ("=8s", "stands behind the tile", 1),
        ("8=s=", "a tile has one mark", 4),
    ],
)
def test_what_is_not_one_tile(text, reason, place):
    """The message points at the surplus or wrong tile."""
    with pytest.raises(ValueError, match=reason) as caught:
        read_tile(text)
    assert f"character {place}" in str(caught.value)


@pytest.mark.parametrize(
    "other", ["r-", "-", "=m", "m", "1", "123", "r", "*", ",", "\ufe0f", "🀄", "E", "", "m-5", "5", "0", "-5m", ",5m="]
)
def test_no_text_changes_its_neighbours(other):
    """Each text of a column is read independently of the others."""
    text = "33z111p,4-56m"
    alone, among = read_hands([text]), read_hands([other, text, other, text, other])
    for name in ("concealed", "melded", "last", "meld_type", "meld_tile", "meld_from", "star"):
        np.testing.assert_array_equal(getattr(among, name)[[1, 3]], getattr(alone, name)[[0, 0]])
    assert not {1, 3} & set(among.faults.row.tolist())


def test_nothing_is_a_hand_of_no_tiles():
    """An empty text is an empty hand."""
    assert parse_hand("").keys.tolist() == [[0, 0, 0, 0]]
