"""Readings against the scalar definition."""

from __future__ import annotations

import numpy as np
import pytest

from engine.shapes.readings import (
    KANCHAN,
    PENCHAN,
    RYANMEN,
    SEVEN_PAIRS,
    SHANPON,
    STANDARD,
    TANKI,
    THIRTEEN_ORPHANS,
    find_readings,
)
from engine.tiles.hands import CHI, NO_MELD, Hands, parse_hand
from engine.tiles.kinds import kinds_in
from tests.kit.deals import hands, winning
from tests.kit.plain import reference

NO = np.array([False])


def as_set(found, row):
    """Turn a reading into the form of the reference: pair, blocks, completed block."""
    runs = [("run", k) for mask in (found.runs, found.runs2, found.runs3, found.runs4) for k in kinds_in(mask[row])]
    triplets = [("triplet", k) for k in kinds_in(found.triplets[row])]
    name = {TANKI: "pair", SHANPON: "triplet"}.get(int(found.wait[row]), "run")
    (pair,) = kinds_in(found.pair[row])
    return pair, tuple(sorted(runs + triplets)), name, int(found.block[row])


@pytest.mark.parametrize("suits", [1, 2, 4])
@pytest.mark.parametrize("sets", [4, 3, 2, 1, 0])
def test_standard_readings_are_those_of_the_definition(sets, suits):
    """Every division with every block that the winning tile can have completed, each once."""
    rng = np.random.default_rng(sets * 10 + suits)
    chi = np.array([[CHI] * (4 - sets) + [NO_MELD] * sets])
    for _ in range(40):
        counts = winning(rng, sets, suits)
        hand = Hands.from_counts(counts[None, :], meld_type=chi)
        for win in np.flatnonzero(counts):
            found = find_readings(hand, np.array([win]), NO)
            found = found[found.form == STANDARD]
            own = [as_set(found, row) for row in range(len(found))]
            assert len(own) == len(set(own))
            assert set(own) == reference.readings(counts.tolist(), sets, win)


def test_hands_of_a_batch_keep_their_rows():
    """Hands of a batch keep their rows."""
    rng = np.random.default_rng(5)
    counts = np.array([winning(rng, 4, 1) for _ in range(50)])
    wins = np.array([np.flatnonzero(c)[0] for c in counts])
    batch = find_readings(hands(counts), wins, np.zeros(50, dtype=np.bool_))
    assert (np.diff(batch.hand) >= 0).all()
    for i in range(50):
        alone = find_readings(hands(counts[i : i + 1]), wins[i : i + 1], NO)
        rows = batch[batch.hand == i]
        for name in ("form", "pair", "runs", "triplets", "wait", "block"):
            np.testing.assert_array_equal(getattr(rows, name), getattr(alone, name))


@pytest.mark.parametrize(
    ("text", "win", "waits"),
    [
        ("123m456p789s22z111z", 0, [RYANMEN]),
        ("123m456p789s22z111z", 2, [PENCHAN]),
        ("789m456p789s22z111z", 6, [PENCHAN]),
        ("789m456p789s22z111z", 8, [RYANMEN]),
        ("123m456p789s22z111z", 1, [KANCHAN]),
        ("123m456p789s22z111z", 28, [TANKI]),
        ("123m456p789s22z111z", 27, [SHANPON]),
        ("22234m456p789s111z", 1, [TANKI, RYANMEN]),
        ("11123m456p789s111z", 0, [TANKI, RYANMEN]),
        ("11123m456p789s111z", 2, [PENCHAN]),
    ],
)
def test_wait_of_the_winning_tile(text, win, waits):
    """Each block that holds the winning tile has its own wait."""
    assert sorted(find_readings(parse_hand(text), np.array([win]), NO).wait.tolist()) == waits


@pytest.mark.parametrize(
    ("text", "win", "forms"),
    [
        ("1122m3344p5566s11z", 27, [SEVEN_PAIRS]),
        ("112233m445566p11z", 27, [STANDARD, SEVEN_PAIRS]),
        ("19m19p19s12345677z", 33, [THIRTEEN_ORPHANS]),
        ("1111m2233p4455s66z", 0, []),  # a quad is not two pairs
        ("123m456p789s1122z", 27, []),
        ("11m22m33m44p,111z", 0, []),
        ("123m", 0, []),
        ("123m456p789s22z111z", 33, []),  # the hand lacks the winning tile
    ],
)
def test_forms(text, win, forms):
    """A hand is read in all forms that it has: standard, seven pairs, thirteen orphans."""
    assert sorted(set(find_readings(parse_hand(text), np.array([win]), NO).form.tolist())) == forms


def test_ron_opens_the_triplet_it_completes_only():
    """Ron opens only the triplet that it completes."""
    hand = parse_hand("111222m11z789p,6666s")
    for ron, opened in ((True, [0]), (False, [])):
        found = find_readings(hand, np.array([0]), np.array([ron]))
        assert kinds_in(int(found.open_triplets[0])) == tuple(opened)
        assert set(kinds_in(int(found.triplets[0]))) == {0, 1, 23}
        assert kinds_in(int(found.kans[0])) == (23,)


def test_melds_take_their_places():
    """Melds are in the masks of the readings."""
    found = find_readings(parse_hand("11z,1-23m,444+p,5555s,6666=s"), np.array([27]), NO)
    assert len(found) == 1
    assert kinds_in(int(found.melded_runs[0])) == (0,)
    assert kinds_in(int(found.triplets[0])) == (12, 22, 23)
    assert kinds_in(int(found.open_triplets[0])) == (12, 23)
    assert kinds_in(int(found.kans[0])) == (22, 23)
    assert kinds_in(int(found.concealed_triplets[0])) == (22,)
