"""Shanten, waits and useful tiles with three players, who play without 2m to 8m, against plain searches."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.legality.actions import riichi
from engine.legality.kans import ankan
from engine.shapes.aims import AIMS, THREE_PLAYERS
from engine.shapes.directed import UNREACHABLE, directed_shanten
from engine.shapes.shanten import shanten, standard
from engine.shapes.table_builders import HONOUR_SETS, SUIT_SETS, exact_vectors, merge
from engine.shapes.useful import NOT_HELD, after_discards, useful
from engine.shapes.waits import waits
from engine.tiles.hands import parse_hand
from engine.tiles.kinds import SANMA, kinds_in, notation
from tests.kit.batches import concatenated
from tests.kit.deals import deal, hands
from tests.kit.notations import tile
from tests.kit.plain import reference

KINDS = reference.SANMA
"""1m, 9m, and all kinds of the other suits."""
_KINDS = np.array(KINDS)


def dealt(shape, n, tiles, seed=0):
    """Deal hands of three players: from the whole wall, with whole quads, or with many 1m and 9m."""
    if shape == "sanma":
        return deal("sanma", n, tiles, seed)
    rng = np.random.default_rng(seed)
    counts = np.zeros((n, 34), dtype=np.int64)
    for hand in counts:
        quads = [0, 8] if shape == "terminals" else rng.choice(KINDS, 3, replace=False)
        hand[quads[: tiles // 4]] = 4
        while hand.sum() < tiles:
            hand[rng.choice(_KINDS[hand[_KINDS] < 4])] += 1
    return counts


def test_the_kinds_of_three_players():
    """Three players have 27 kinds: 108 tiles."""
    assert kinds_in(SANMA) == reference.SANMA
    assert notation(kinds_in(SANMA)) == "19m123456789p123456789s1234567z"


def distinct(vectors):
    """Keep each different vector once; no number but ``FAR`` has more than one hexadecimal digit."""
    _, first = np.unique(np.minimum(vectors, 15) @ 16 ** np.arange(10), return_index=True)
    return vectors[first]


def test_the_man_suit_is_right_beside_every_rest():
    """A man suit of 1m and 9m lacks as much as two kinds without runs, whatever the other suits are.

    `shanten` drops a fourth 1m and 9m, and looks the others up in the tables of four players. Here are all 25 man suits
    with every different vector of the other three suits, which are all hands that there can be.
    """
    suits, honours = (distinct(exact_vectors(sets)) for sets in (SUIT_SETS, HONOUR_SETS))
    rest = suits
    for more in (suits, honours):
        rest = distinct(merge(rest[:, None], more[None]).reshape(-1, 10))
    copies = np.stack(np.divmod(np.arange(25), 5), axis=1)
    two_kinds = exact_vectors(np.array([[3, 0], [0, 3]]))[copies @ [1, 5]]
    looked_up = exact_vectors(SUIT_SETS)[np.minimum(copies, 3) @ [1, 5**8]]
    expected, found = (merge(man[:, None], rest[None])[..., 5:] for man in (two_kinds, looked_up))
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("tiles", [13, 14, 10, 8, 4, 1])
@pytest.mark.parametrize("shape", ["sanma", "quads", "terminals"])
def test_agrees_with_the_scalar_definition(shape, tiles):
    """Exact shanten agrees with the scalar definition over 27 kinds; the block formula does not change."""
    counts = dealt(shape, 30, tiles, seed=tiles)
    melds = np.full(len(counts), 4 - tiles // 3)
    keys = hands(counts).keys
    expected = [reference.shanten(c.tolist(), 4 - tiles // 3, reference.sanma_standard) for c in counts]
    assert shanten(keys, melds, sanma=True).tolist() == expected
    assert standard(keys, melds, sanma=True).tolist() == [
        reference.sanma_standard(c.tolist(), tiles // 3) for c in counts
    ]
    np.testing.assert_array_equal(shanten(keys, melds, "block", sanma=True), shanten(keys, melds, "block"))


def exchanged(counts):
    """Give every hand that one exchange of a tile makes of some hands, each once; a set of tuples of counts."""
    less = {(*c[:k], c[k] - 1, *c[k + 1 :]) for c in counts for k in KINDS if c[k]}
    return {(*c[:k], c[k] + 1, *c[k + 1 :]) for c in less for k in KINDS if c[k] < 4}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("11119999m44z,555z", 2),  # with 2m and 3m, or 7m and 8m, it would be one exchange less
        ("1111m99m44z44p,555z", 1),
        ("9m1111222z33z,444z", 1),
        ("1111m9999m1p1s,555z", 2),
        ("1111m234p,777z,666z", 1),
        ("111m9m234p,777z,666z", 0),
    ],
)
def test_the_fewest_exchanges(text, expected):
    """Shanten is the number of exchanges, each with any of the 27 kinds, after which a hand is tenpai."""
    hand = parse_hand(text)
    reached, n = {tuple(hand.counts()[0].tolist())}, 0
    while not np.any(waits(hands(np.array(list(reached))).keys, np.repeat(hand.n_melds, len(reached)))):
        reached, n = exchanged(reached), n + 1
    assert n == expected
    assert shanten(hand.keys, hand.n_melds, sanma=True).tolist() == [expected]


def test_all_hands_of_four_tiles():
    """Every hand of four tiles and three melds is as many exchanges away from tenpai as its shanten says."""
    sets = [(k,) * 3 for k in KINDS] + [(k, k + 1, k + 2) for k in KINDS if 9 <= k < 27 and k % 9 < 7]
    won = [sorted((*tiles, pair, pair)) for tiles in sets for pair in KINDS]
    ready = {(*w[:i], *w[i + 1 :]) for w in won if all(w.count(k) <= 4 for k in w) for i in range(5)}
    every = list(combinations_with_replacement(KINDS, 4))
    level = {hand: 0 if hand in ready else 99 for hand in every}
    for _ in range(3):
        # Hands with three tiles in common are one exchange apart.
        nearest = {}
        for hand, n in level.items():
            for three in combinations(hand, 3):
                nearest[three] = min(n, nearest.get(three, 99))
        level = {hand: min(n, *(nearest[three] + 1 for three in combinations(hand, 3))) for hand, n in level.items()}
    counts = np.array([np.bincount(hand, minlength=34) for hand in every])
    found = shanten(hands(counts).keys, np.full(len(every), 3), sanma=True)
    assert found.tolist() == list(level.values())


@pytest.mark.parametrize("tiles", [13, 10, 4, 1])
@pytest.mark.parametrize("shape", ["sanma", "quads", "terminals"])
def test_waits_need_no_other_tables(shape, tiles):
    """The waits of four players are those among the 27 kinds, if the hand has no 2m to 8m."""
    counts = dealt(shape, 60, tiles, seed=5)
    found = waits(hands(counts).keys, np.full(len(counts), 4 - tiles // 3)).tolist()
    assert [list(kinds_in(mask)) for mask in found] == [
        reference.waits(c.tolist(), 4 - tiles // 3, KINDS) for c in counts
    ]


def defined(counts, melds):
    """List the kinds of three players that lower the shanten, drawing each of them."""

    def exact(tiles):
        return reference.shanten(tiles.tolist(), melds, reference.sanma_standard)

    unit = np.eye(34, dtype=np.int64)
    return tuple(k for k in KINDS if counts[k] < 4 and exact(counts + unit[k]) < exact(counts))


@pytest.mark.parametrize("tiles", [13, 10, 4])
@pytest.mark.parametrize("shape", ["sanma", "quads", "terminals"])
def test_useful_tiles(shape, tiles):
    """Useful are the kinds, without 2m to 8m, that lower the shanten."""
    counts = dealt(shape, 6, tiles, seed=2)
    found = useful(hands(counts).keys, np.full(len(counts), 4 - tiles // 3), sanma=True)
    assert [kinds_in(mask) for mask in found.tolist()] == [defined(c, 4 - tiles // 3) for c in counts]


def test_seven_pairs_lack_no_kind_that_does_not_exist():
    """Seven pairs with too few kinds gain by any new kind but 2m to 8m."""
    hand = parse_hand("1199m2222p333p99s11z")
    assert shanten(hand.keys, hand.n_melds, sanma=True).tolist() == [1]
    (found,) = useful(hand.keys, hand.n_melds, sanma=True).tolist()
    assert not found & ~SANMA
    assert kinds_in(found) == defined(hand.counts()[0].astype(np.int64), 0)


def test_three_and_four_players_mix():
    """Each hand of a batch is judged with its own kinds."""
    batch = concatenated([parse_hand("11119999m11444z")] * 2)
    three = np.array([False, True])
    assert shanten(batch.keys, batch.n_melds, sanma=three).tolist() == [1, 2]  # RULES.md 3.6
    assert standard(batch.keys, batch.n_melds, sanma=three).tolist() == [1, 2]
    found = useful(batch.keys, batch.n_melds, sanma=three).tolist()
    assert notation(kinds_in(found[0])) == "2378m"
    assert notation(kinds_in(found[1])) == "123456789p123456789s123567z"


def test_after_discards_with_three_players():
    """The discards of a mixed batch have the shanten and the useful tiles of the hands that they leave."""
    batch = concatenated([parse_hand("11119999m114445z")] * 2)
    found = after_discards(batch.keys, batch.n_melds, sanma=np.array([False, True]))
    rest = parse_hand("11119999m11444z")
    for row, three in enumerate((False, True)):
        assert found.shanten[row, tile("5z")] == shanten(rest.keys, rest.n_melds, sanma=three)[0]
        assert found.useful[row, tile("5z")] == useful(rest.keys, rest.n_melds, sanma=three)[0]
    assert found.shanten[1, tile("2z")] == NOT_HELD


@pytest.mark.parametrize("shape", ["near", "quads", "terminals"])
def test_riichi_and_its_kans(shape):
    """Riichi needs a wait among the 27 kinds, and an ankan after it keeps the waits among them."""
    counts = deal("near", 600, 14, seed=4) if shape == "near" else dealt(shape, 40, 14, seed=4)
    counts = counts[~counts[:, 1:8].any(axis=1)]
    row, kind = np.nonzero(counts)
    rest = counts[row] - np.eye(34, dtype=np.int64)[kind]
    before = [reference.waits(hand, 0, KINDS) for hand in rest.tolist()]
    legal = riichi(hands(counts)[row], kind, tiles_left=3, points=1000, players=3) == 0
    assert legal.tolist() == [bool(found) for found in before]

    four = counts[row, kind] == 4
    after = [reference.waits([n * (k != gone) for k, n in enumerate(hand)], 1, KINDS)
             for hand, gone in zip(rest[four].tolist(), kind[four].tolist(), strict=True)]  # fmt: skip
    kans = ankan(hands(counts)[row[four]], kind[four], tiles_left=3, kans=0, riichi=True, drawn=kind[four]) == 0
    same = [bool(new) and new == old for new, old in zip(after, np.array(before, dtype=object)[four], strict=True)]
    assert kans.tolist() == same


def of_three_players(tiles):
    """Make a strategy for closed hands of this many of the 108 tiles; counts [34]."""
    return st.permutations(range(108)).map(
        lambda ids: np.bincount(_KINDS[np.array(ids[:tiles]) // 4], minlength=34)
    ) | st.integers(0, 2**32).map(lambda seed: dealt("terminals", 1, tiles, seed)[0])


@settings(max_examples=60, deadline=None)
@given(counts=of_three_players(13))
def test_the_kinds_matter_only_with_four_copies_of_a_terminal(counts):
    """2m to 8m bring a hand nearer to a win only if it holds four 1m or four 9m, and tenpai never depends on them."""
    batch = hands(counts[None])
    four, three = (int(shanten(batch.keys, batch.n_melds, sanma=sanma)[0]) for sanma in (False, True))
    assert 0 <= three - four <= int(counts[0] == 4) + int(counts[8] == 4)
    assert (three == 0) == (four == 0)
    if max(counts[0], counts[8]) <= 2:
        without_middle = useful(batch.keys, batch.n_melds) & SANMA
        assert useful(batch.keys, batch.n_melds, sanma=True).tolist() == without_middle.tolist()


@settings(max_examples=60, deadline=None)
@given(counts=of_three_players(13))
def test_a_draw_helps_by_one_at_most_and_some_draw_does(counts):
    """Some kind of the 27 lowers the shanten, by one."""
    drawn = hands([counts + np.eye(34, dtype=np.int64)[k] for k in KINDS if counts[k] < 4])
    none = np.zeros(len(drawn), dtype=np.int64)
    before = shanten(hands(counts[None]).keys, none[:1], sanma=True)[0]
    gain = before - shanten(drawn.keys, none, sanma=True)
    assert set(gain.tolist()) == {0, 1} or set(gain.tolist()) == {1}


@pytest.mark.parametrize(
    ("name", "reachable"),
    [("any", True), ("tanyao", True), ("ittsuu", True), ("sanshoku doujun", False), ("sanshoku doukou", True)],
)
def test_aims_of_three_players(name, reachable):
    """Runs of three suits are no aim; the same triplet of three suits is one, with 1 and 9."""
    hand = parse_hand("111999m123p123s1z")
    (found,) = directed_shanten(hand, [AIMS[name] & THREE_PLAYERS])[0].tolist()
    assert (found < UNREACHABLE) == reachable


def test_the_aim_at_any_hand_is_the_block_formula():
    """Three players' aim at any hand is the block formula."""
    batch = hands(np.concatenate([dealt(shape, 100, 13) for shape in ("sanma", "quads", "terminals")]))
    np.testing.assert_array_equal(
        directed_shanten(batch, [THREE_PLAYERS])[:, 0], shanten(batch.keys, batch.n_melds, "block")
    )
