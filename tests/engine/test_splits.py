"""Splits: the answer to the waits problem of makeplex salon, and the scalar definition."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.shapes.readings import STANDARD
from engine.shapes.splits import split_lines, split_texts, splits
from engine.shapes.waits import waits_of
from engine.tiles.hands import CHI, NO_MELD, Hands, parse_hand
from engine.tiles.kinds import kinds_in
from tests.kit.deals import deal, hands
from tests.kit.plain import reference

ARTICLE = [
    "(111)(234)(567)(99)[89]",
    "(111)(234)(789)(99)[56]",
    "(111)(456)(789)(99)[23]",
    "(111)(999)(234)(567)[8]",
    "(111)(999)(234)(678)[5]",
    "(111)(999)(345)(678)[2]",
    "(123)(456)(789)(11)[99]",
    "(123)(456)(789)(99)[11]",
    "(999)(123)(456)(11)[78]",
    "(999)(123)(678)(11)[45]",
    "(999)(345)(678)(11)[12]",
]


def texts(text, **options):
    """Write the splits of one hand."""
    return split_texts(splits(parse_hand(text), **options), 1)[0]


@pytest.mark.parametrize("suit", "mps")
def test_the_list_of_the_article(suit):
    """1112345678999 has eleven splits in each suit, sorted and each once."""
    assert texts(f"1112345678999{suit}") == ARTICLE


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1234m,555p,666z,777s", ["(123)[4]", "(234)[1]"]),
        ("1111m,555p,666z,777s", []),
        ("1113m,555p,666z,777s", ["(11)[13]", "(111)[3]"]),
        ("12m99p,555p,666z,777s", ["(99p)[12m]"]),
        ("99p11z,555p,666z,777s", ["(11z)[99p]", "(99p)[11z]"]),
        ("112233m445566p7z", ["(11m)(22m)(33m)(44p)(55p)(66p)[7z]", "(123m)(123m)(456p)(456p)[7z]"]),
        ("19m19p19s1234567z", ["[19m19p19s1234567z]"]),
        ("119m19p19s123456z", ["(11m)[9m19p19s123456z]"]),
        ("119m19p19s12346z5p", []),
    ],
)
def test_known_splits(text, expected):
    """Single tiles, pairs, two suits, a fifth copy, seven pairs, thirteen orphans; melds are not written."""
    assert texts(text) == expected


def test_a_split_says_what_it_waits_for():
    """Two neighbours wait at both ends, but not for a kind that the hand holds four times."""
    found = splits(parse_hand("11112233m99p,777z"))
    waits = dict(zip(split_lines(found), found.waits.tolist(), strict=True))
    assert {text: kinds_in(mask) for text, mask in waits.items()} == {
        "(111m)(123m)(99p)[23m]": (3,),
        "(123m)(123m)(11m)[99p]": (17,),
    }


def test_four_copies_may_be_counted_over_melds():
    """With ``whole_hand`` the copies in melds count too (RULES.md 3.6)."""
    assert texts("57s11z,6666s,777m,888m") == ["(11z)[57s]"]
    assert texts("57s11z,6666s,777m,888m", whole_hand=True) == []


def test_hands_of_a_batch_keep_their_rows():
    """A hand has the same splits in a batch and by itself."""
    counts = np.concatenate([deal("flush", 30, 13), deal("near", 30, 13)])
    together = split_texts(splits(hands(counts)), len(counts))
    assert together == [split_texts(splits(hands(row[None, :])), 1)[0] for row in counts]
    assert any(together)


def dealt(kind, tiles, seed):
    """Deal a hand one tile short, with chi for the tiles that it lacks to thirteen."""
    melds = 4 - tiles // 3
    counts = deal(kind, 1, tiles, seed=seed)
    return Hands.from_counts(counts, meld_type=np.array([[CHI] * melds + [NO_MELD] * (4 - melds)]))


def defined_splits(counts, sets):
    """Take the winning tile out of every reading of every completed hand, in plain code."""
    found = set()
    for wait in reference.waits(counts.tolist(), 4 - sets):
        whole = counts.copy()
        whole[wait] += 1
        for pair, blocks, name, lowest in reference.readings(whole.tolist(), sets, wait):
            groups = Counter((kind, block) for block, kind in blocks)
            groups[pair, "pair"] += 1
            groups[lowest, name] -= 1
            held = Counter([lowest, lowest + 1, lowest + 2] if name == "run" else [lowest] * _size(name))
            held[wait] -= 1
            found.add((frozenset((+groups).items()), tuple(sorted(held.elements()))))
    return found


def _size(name):
    return {"triplet": 3, "pair": 2}[name]


@given(st.integers(0, 2**32), st.sampled_from([13, 10, 7, 4, 1]), st.sampled_from(["near", "flush", "half flush"]))
@settings(max_examples=80, deadline=None)
def test_as_many_splits_as_the_definition_has(seed, tiles, kind):
    """Splits of the standard form are the readings without their winning tile, each once."""
    batch = dealt(kind, tiles, seed)
    found = splits(batch)
    assert int((found.form == STANDARD).sum()) == len(defined_splits(batch.counts()[0], tiles // 3))


@given(
    st.integers(0, 2**32), st.sampled_from([13, 10, 7, 4, 1]), st.sampled_from(["near", "flush", "orphans", "quads"])
)
@settings(max_examples=80, deadline=None)
def test_splits_show_all_waits_and_use_all_tiles(seed, tiles, kind):
    """The splits of a hand have its waits together, and each split has exactly the tiles of the hand."""
    batch = dealt(kind, tiles, seed)
    found = splits(batch)
    assert np.bitwise_or.reduce(found.waits, initial=0) == waits_of(batch)[0]
    for text in split_texts(found, 1)[0]:
        assert tiles_in(text) == batch.counts()[0].sum()


def tiles_in(text):
    """Count the digits of a split."""
    return sum(char.isdigit() for char in text)
