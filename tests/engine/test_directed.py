"""Directed shanten: values of koba::blog's article, a scalar definition, and properties of any hand."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.shapes.aims import AIMS, Aim, Plan, Set, pinfu, yakuhai
from engine.shapes.directed import UNREACHABLE, directed_shanten
from engine.shapes.shanten import shanten
from engine.tiles.hands import Hands, parse_hand
from engine.tiles.kinds import EAST, HONOURS, RUN_STARTS
from tests.kit.deals import deal, hands

KINDS = ["dealt", "flush", "half flush", "orphans", "honours", "quads", "near"]


def away(text, *aims):
    """Give the shanten of a hand towards aims; an aim is given by name or as an `Aim`."""
    wanted = [AIMS[aim] if isinstance(aim, str) else aim for aim in aims]
    found = directed_shanten(parse_hand(text), wanted)[0].tolist()
    return found[0] if len(found) == 1 else found


@pytest.mark.parametrize(
    ("text", "aim", "expected"),
    [
        # The two hands of 向聴数を求めるプログラム(修正版): two sets, two partial sets, no pair; with a single tile
        # that counts, and without one.
        ("59m1119993467s1z", "honitsu s", 2),
        ("159m1119993467s", "honitsu s", 3),
        # A hand in tenpai for thirteen orphans has no tile that counts for tanyao. Neither has an empty hand.
        ("19m19p19s1234567z", "tanyao", 13),
        ("19m19p19s1234567z", "kokushi", 0),
        ("", "tanyao", 13),
        ("", "any", 13),
        ("", "haku", 13),
        ("", "chiitoitsu", 13),
        ("", "kokushi", 13),
        ("23456m234p567s66m8s", "tanyao", 0),
        ("123456m234p567s6m", "tanyao", 1),
        ("111m444p777s99s2z2z", "toitoi", 0),
        ("123789m123p99s111z", "chanta", -1),
        ("123789m123p99s111z", "junchan", 2),
        ("123789m12399p111z", "tanyao", 7),
        ("1199m1199p119s33z", "honroutou", 0),
        ("123456789m12p55z", "ittsuu", 0),
        ("123m123p12s999s44z", "sanshoku doujun", 0),
        ("333m33p333s456m11z", "sanshoku doukou", 0),
        ("112233m456p7889s", "iipeikou", 0),
        ("55566677z123m45p", "shousangen", 0),
        ("55566677z123m45p", "daisangen", 1),
        ("111222333z44z56m", "shousuushi", 0),
        ("23468s234s666z888s", "ryuuiisou", 0),
        ("11122233344z55z", "tsuuiisou", 0),
    ],
)
def test_known_hands(text, aim, expected):
    """Hands have the values of the article; other hands show the meaning of each aim."""
    assert away(text, aim) == expected


@pytest.mark.parametrize(
    ("text", "aim", "expected"),
    [
        ("23m567p668s,2-34m,666=z", "tanyao", UNREACHABLE),
        ("23m567p668s,2-34m,666=p", "tanyao", 0),
        ("23m567p668s,2-34m,666=p", "toitoi", UNREACHABLE),
        ("55z23m456p,777=z,1-23s", "chun", 0),
        ("55z23m456p,777=z,1-23s", "haku", 1),
        ("55z23m456p,777=z,1-23s", "pei", 2),
        ("11z23m,1-23s,456m,777=z", "sanshoku doujun", UNREACHABLE),
        ("23p11z,1-23s,1-23m,777=z", "sanshoku doujun", 0),
        ("2z,1111m,9999p,777z,111+1z", "toitoi", 0),
        ("2z,1111m,9999p,777z,111+1z", "chiitoitsu", UNREACHABLE),
        ("2z,1111m,9999p,777z,111+1z", "honroutou", 0),
        ("11223m456p88s,7777z", "iipeikou", 0),
        ("11223m456p88s,777+7z", "iipeikou", UNREACHABLE),
        ("1z,1-23m,4-56m,7-89m,111p", "ittsuu", 0),
        ("1z,1-23m,4-56m,7-89m,111p", "honitsu m", UNREACHABLE),
        ("1z,1-23m,4-56m,7-89m,111p", "any", 0),
        ("5z,123p,444z,222z,333z", "daisuushi", UNREACHABLE),
    ],
)
def test_melds_help_or_break_an_aim(text, aim, expected):
    """A meld can be a set that the aim requires, one that it allows, or one that rules it out."""
    assert away(text, aim) == expected


def test_aims_combine():
    """`&` needs both aims, `|` at least one."""
    hand = "1112223399m55z1p"
    assert away(hand, AIMS["honitsu"] & AIMS["toitoi"]) == 1
    assert away(hand, AIMS["chinitsu"] & AIMS["toitoi"]) == 3
    assert away(hand, AIMS["haku"] | AIMS["chiitoitsu"]) == min(away(hand, "haku", "chiitoitsu"))
    assert away(hand, AIMS["honitsu"] & AIMS["sanshoku doujun"]) == UNREACHABLE
    assert (AIMS["tanyao"] & AIMS["haku"]).plans == ()


def test_both_is_either_order_and_never_nearer():
    """``a & b`` is ``b & a``, and no hand is nearer to both aims than to one of them."""
    batch = hands(np.concatenate([deal(kind, 10, 13) for kind in KINDS]))
    for one, two in combinations_with_replacement(["honitsu", "toitoi", "haku", "iipeikou", "chanta", "ittsuu"], 2):
        both, turned = AIMS[one] & AIMS[two], AIMS[two] & AIMS[one]
        found = directed_shanten(batch, [both, turned, AIMS[one], AIMS[two]])
        np.testing.assert_array_equal(found[:, 0], found[:, 1])
        assert (found[:, 0] >= found[:, 2:].max(axis=1)).all()


def test_value_tiles_follow_the_seat():
    """Dragons have value, and the winds of seat and round; with a pair of these a hand is not pinfu."""
    hand = "11z234m567p23499s"
    assert away(hand, yakuhai(0, 2), yakuhai(1, 0), yakuhai(1, 2)) == [0, 0, 2]
    assert away("11z234567m567p23s", pinfu(1, 2), pinfu(0, 2), pinfu(1, 0)) == [0, 2, 2]
    assert away("99s234567m567p23s", pinfu(0, 0)) == 0
    assert away("99s234m567p23s,7777z", pinfu(0, 0)) == UNREACHABLE


@pytest.mark.parametrize("tiles", [13, 14, 10, 7, 0, 3, 6])
@pytest.mark.parametrize("kind", KINDS)
def test_no_aim_is_nearer_than_the_block_formula(kind, tiles):
    """Directed shanten is at least block shanten, and equal to it for the aim "any"."""
    counts = deal(kind, 40, tiles, seed=tiles)
    melds = 0 if tiles in (0, 3, 6) else 4 - tiles // 3
    batch = Hands.from_counts(counts, meld_type=np.array([[2] * melds + [0] * (4 - melds)] * 40))
    block = shanten(batch.keys, batch.n_melds, "block")
    found = directed_shanten(batch, list(AIMS.values()))
    assert (found >= block[:, None]).all()
    np.testing.assert_array_equal(found[:, list(AIMS).index("any")], block)


@given(st.integers(0, 2**32), st.sampled_from(KINDS), st.integers(0, 13))
@settings(max_examples=30, deadline=None)
def test_a_tile_more_changes_at_most_one(seed, kind, tiles):
    """One more tile lowers the shanten by one at most, and never raises it."""
    counts = deal(kind, 1, tiles, seed=seed)
    drawn = int(np.random.default_rng(seed).choice(np.flatnonzero(counts[0] < 4)))
    more = counts + np.eye(34, dtype=np.int64)[drawn]
    before, after = (directed_shanten(hands(c), list(AIMS.values())) for c in (counts, more))
    assert np.isin(before - after, (0, 1)).all()


@given(st.integers(0, 2**32), st.sampled_from(KINDS), st.permutations(range(3)))
@settings(max_examples=30, deadline=None)
def test_suits_are_alike(seed, kind, order):
    """If suits are exchanged, only all green and the aims at one named suit change."""
    counts = deal(kind, 1, 13, seed=seed)
    suits = [counts[:, 9 * suit : 9 * suit + 9] for suit in order]
    turned = np.concatenate([*suits, counts[:, EAST:]], axis=1)
    names = [name for name in AIMS if name != "ryuuiisou" and name[-2:-1] != " "]
    first, second = (directed_shanten(hands(c), [AIMS[name] for name in names]) for c in (counts, turned))
    np.testing.assert_array_equal(first, second)


def defined(counts, plan):
    """Share four sets and a pair of the plan among the suits so that most tiles of the hand are covered."""
    suits = [_covered(tuple(counts[start : start + 9]), *_allowed(plan, start)) for start in (0, 9, 18, 27)]
    best = -1
    for shares in product(range(5), repeat=4):
        if sum(shares) == 4:
            for head in range(4):
                covered = [suit[n, int(i == head)] for i, (suit, n) in enumerate(zip(suits, shares, strict=True))]
                best = max(best, sum(covered))
    return 13 - best


def _allowed(plan, start):
    """Give the sets and pairs that a plan allows in a suit, as tuples of positions."""
    last = min(start + 9, 34)
    sets = [(k, k + 1, k + 2) for k in range(start, last) if k < EAST and plan.runs >> k & 1]
    sets += [(k, k, k) for k in range(start, last) if plan.triplets >> k & 1]
    pairs = [(k, k) for k in range(start, last) if plan.pairs >> k & 1]
    return tuple(tuple(k - start for k in s) for s in sets), tuple(tuple(k - start for k in s) for s in pairs)


@cache
def _covered(suit, sets, pairs):
    """Give the most tiles that n sets and j pairs of those allowed have in common with a suit; -99 for none."""
    most = {}
    for n, j in product(range(5), range(2)):
        choices = product(combinations_with_replacement(sets, n), combinations_with_replacement(pairs, j))
        most[n, j] = max((_common(suit, sum(chosen + heads, ())) for chosen, heads in choices), default=-99)
    return most


def _common(suit, tiles):
    return sum(min(n, tiles.count(position)) for position, n in enumerate(suit))


DEFINED = ["toitoi", "chanta", "junchan", "chinroutou", "ryuuiisou"]


@pytest.mark.parametrize("name", DEFINED)
def test_agrees_with_the_scalar_definition(name):
    """For aims of one plan without required sets, it is the least over all choices of sets and a pair."""
    (plan,) = AIMS[name].plans
    counts = np.concatenate([deal(kind, 2, 13, seed=9) for kind in ("dealt", "orphans", "half flush", "near")])
    found = directed_shanten(hands(counts), [AIMS[name]])[:, 0]
    assert found.tolist() == [defined(row.tolist(), plan) for row in counts]


@pytest.mark.parametrize("name", ["sanshoku doujun", "ittsuu", "chun"])
def test_required_sets_agree_with_the_definition(name):
    """For aims with required sets, it is the least over all ways to fill them, with or without each tile that fits."""
    counts = np.concatenate([deal(kind, 4, 13, seed=5) for kind in ("dealt", "half flush", "near")])
    found = directed_shanten(hands(counts), [AIMS[name]])[:, 0]
    assert found.tolist() == [min(_with_required(row, plan) for plan in AIMS[name].plans) for row in counts]


def _with_required(counts, plan):
    """Give the least of all ways to leave tiles to the required sets or to the rest of the hand."""
    kinds = [kind for one in plan.required for kind in one.kinds]
    best = 99
    for given_up in {
        tuple(sorted(kind for kind, used in zip(kinds, way, strict=True) if used))
        for way in product((0, 1), repeat=len(kinds))
    }:
        used = np.bincount(given_up, minlength=34) if given_up else np.zeros(34, dtype=np.int64)
        if (used <= counts).all():
            rest = hands((counts - used)[None, :])
            block = shanten(rest.keys, np.array([len(plan.required)]), "block")[0]
            best = min(best, len(kinds) - len(given_up) + int(block))
    return best


def test_plans_that_no_hand_follows_are_dropped():
    """A plan is impossible if a required set is not allowed, if it needs five sets, or if it has no pair."""
    assert not Plan(pairs=0).possible
    assert not Plan(runs=0, required=(Set(0, run=True),)).possible
    assert not Plan(required=tuple(Set(kind, run=False) for kind in range(5))).possible
    assert Plan(runs=0, triplets=0, pairs=0, seven_pairs=HONOURS).possible
    assert directed_shanten(parse_hand("1m"), [Aim(())]).tolist() == [[UNREACHABLE]]
    assert Plan().runs == RUN_STARTS
