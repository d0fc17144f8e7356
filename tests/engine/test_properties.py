"""Properties of any hand and any win: shanten and waits, readings, points, exchanged suits."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.rules.rule_sets import preset, preset_names
from engine.rules.rule_table import RuleTable
from engine.scoring.points import points_of
from engine.scoring.score import score
from engine.shapes.readings import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS, find_readings
from engine.shapes.shanten import shanten
from engine.shapes.waits import waits
from engine.tiles.hands import ANKAN, CHI, DAIMINKAN, KAKAN, PON, Hands
from engine.tiles.kinds import KINDS, NO_TILE, ORPHANS, kinds_in
from engine.yaku.wins import Wins
from tests.kit.deals import KINDS_OF, deal, winning

SEEDS = st.integers(0, 2**32)
HANDS_OF = st.sampled_from([*KINDS_OF, "quads", "near"])
PRESETS = RuleTable.from_rules([preset(name) for name in preset_names()])
GREEN_YAKUMAN, DORA = 43, [52, 53]
ONE = np.eye(KINDS, dtype=np.int64)


def melded(n_melds, n):
    """Give the melds of n hands, so many each. Shanten depends only on their number."""
    return np.full(n, n_melds)


@given(SEEDS, HANDS_OF, st.sampled_from([13, 10, 7, 4, 1]), st.sampled_from(["exact", "block"]))
@settings(max_examples=60, deadline=None)
def test_a_tile_more_or_less_changes_shanten_by_one_at_most(seed, kind, tiles, definition):
    """A draw never raises shanten, and a discard never lowers it."""
    counts = deal(kind, 1, tiles, seed=seed)[0]
    drawn = [counts + ONE[k] for k in np.flatnonzero(counts < 4)]
    kept = [counts - ONE[k] for k in np.flatnonzero(counts)]
    found = shanten(
        Hands.from_counts(np.array([counts, *drawn, *kept])).keys,
        melded(4 - tiles // 3, 1 + len(drawn) + len(kept)),
        definition,
    ).astype(int)
    assert set(found[0] - found[1 : 1 + len(drawn)]) <= {0, 1}
    assert set(found[1 + len(drawn) :] - found[0]) <= {0, 1}


@given(SEEDS, HANDS_OF, st.integers(0, 14), st.integers(0, 4))
@settings(max_examples=60, deadline=None)
def test_exact_shanten_is_at_least_block_shanten(seed, kind, tiles, n_melds):
    """Exact shanten is at least block shanten, for any number of tiles and melds."""
    keys = Hands.from_counts(deal(kind, 20, tiles, seed=seed)).keys
    exact, block = (shanten(keys, melded(n_melds, 20), each) for each in ("exact", "block"))
    assert (exact >= block).all()


@given(SEEDS, st.sampled_from(["near", "flush", "orphans", "honours"]), st.sampled_from([13, 10, 7, 4, 1]))
@settings(max_examples=60, deadline=None)
def test_a_wait_completes_the_hand_and_nothing_else_does(seed, kind, tiles):
    """With a wait a hand is complete and has a reading; with any other tile it is not and has none."""
    counts = deal(kind, 1, tiles, seed=seed)[0]
    n_melds = 4 - tiles // 3
    chi = np.array([[CHI] * n_melds + [0] * (4 - n_melds)] * KINDS)
    own = kinds_in(int(waits(Hands.from_counts(counts[None, :]).keys, melded(n_melds, 1))[0]))
    possible = np.flatnonzero(counts < 4)
    drawn = Hands.from_counts(counts + ONE[possible], meld_type=chi[: len(possible)])
    done = shanten(drawn.keys, drawn.n_melds) == -1
    assert tuple(possible[done].tolist()) == own
    readable = find_readings(drawn, possible, np.zeros(len(possible), dtype=np.bool_)).hand
    assert np.unique(readable).tolist() == np.flatnonzero(done).tolist()


def random_wins(seed, n=20):
    """Deal wins of one suit or more, with some sets melded and some kans; also seven pairs and thirteen orphans."""
    rng = np.random.default_rng(seed)
    counts, melds = np.zeros((n, KINDS), dtype=np.int64), np.zeros((3, n, 4), dtype=np.int64)
    for row in range(n):
        form = rng.random()
        if form < 0.1:
            counts[row, rng.choice(KINDS, 7, replace=False)] = 2
        elif form < 0.15:
            counts[row, [*kinds_in(ORPHANS), rng.choice(kinds_in(ORPHANS))]] = 1
            counts[row, rng.choice(kinds_in(ORPHANS))] = 2
        else:
            counts[row], melds[:, row] = _meld_some(rng, winning(rng, 4, int(rng.integers(1, 5))))
    win_kind = np.array([rng.choice(np.flatnonzero(row)) for row in counts])
    hands = Hands.from_counts(counts, *melds, reds=rng.integers(0, 3, n))
    tsumo = rng.random(n) < 0.5
    return Wins.of(
        hands,
        win_kind,
        tsumo=tsumo,
        riichi=hands.closed * rng.integers(0, 3, n),
        winner=rng.integers(0, 4, n),
        payer=0,
        round_wind=rng.integers(0, 4, n),
        last_tile=rng.random(n) < 0.2,
        rule=rng.integers(0, len(PRESETS), n),
        dora=rng.integers(0, KINDS, (n, 3)),
        ura=rng.integers(0, KINDS, (n, 3)),
    )


def _meld_some(rng, whole):
    """Take sets out of a complete hand that leave it complete; give the rest, and types, lowest kinds and feeders."""
    counts, found = whole.copy(), np.zeros((3, 4), dtype=np.int64)
    for slot in range(int(rng.choice([0, 0, 1, 2, 3]))):
        lowest = int(rng.choice(np.flatnonzero(counts)))
        left = counts.copy()
        if counts[lowest] >= 3:
            # The fourth tile of a kan is not dealt, so it must not be in a run.
            kind = int(rng.choice([PON, DAIMINKAN, ANKAN, KAKAN] if whole[lowest] == 3 else [PON]))
            left[lowest] -= 3
        elif lowest < 27 and lowest % 9 < 7 and counts[lowest : lowest + 3].min() > 0:
            kind = CHI
            left[lowest : lowest + 3] -= 1
        else:
            break
        if shanten(Hands.from_counts(left[None, :]).keys, melded(slot + 1, 1))[0] != -1:
            break
        counts, found[:, slot] = left, (kind, lowest, 0 if kind == ANKAN else 3)
    return counts, found


def bits(masks):
    """Give the kinds of masks as counts; [rows, 34]."""
    return np.array([[mask >> k & 1 for k in range(KINDS)] for mask in masks.tolist()]).reshape(-1, KINDS)


@given(SEEDS)
@settings(max_examples=60, deadline=None)
def test_every_reading_uses_exactly_the_tiles_of_the_hand(seed):
    """The blocks of a reading are the concealed tiles and the melds."""
    wins = random_wins(seed)
    found = find_readings(wins.hands, wins.win_kind, ~wins.tsumo)
    own, melds = wins.hands.counts()[found.hand], wins.hands.melded_triplets[found.hand]
    runs = sum(bits(each) for each in (found.runs, found.runs2, found.runs3, found.runs4))
    laid = runs + np.roll(runs, 1, axis=1) + np.roll(runs, 2, axis=1) + 3 * bits(found.triplets & ~melds)
    used = {
        STANDARD: laid + 2 * bits(found.pair),
        SEVEN_PAIRS: 2 * bits(found.pair),
        THIRTEEN_ORPHANS: bits(np.full(len(found), ORPHANS)) + bits(found.pair),
    }
    for form, tiles in used.items():
        rows = found.form == form
        np.testing.assert_array_equal(tiles[rows], own[rows])
    assert ((found.triplets & melds) == melds).all()
    types, lowest = wins.hands.meld_type[found.hand], wins.hands.meld_tile[found.hand].astype(np.int64)
    for masks, some in ((found.kans, types > PON), (found.melded_runs, types == CHI)):
        np.testing.assert_array_equal(masks, np.bitwise_or.reduce(np.where(some, 1 << lowest, 0), axis=1))
    assert set(found.hand.tolist()) == set(range(len(wins)))


def test_points_never_fall_when_han_or_fu_rise():
    """All fu and han under all presets, dealer or not, tsumo or ron, three or four players."""
    fu = np.array([20, 25, *range(30, 150, 10)])
    han = np.arange(1, 31)
    tried = np.stack(np.meshgrid(fu, han, range(len(PRESETS)), range(8), indexing="ij"), axis=-1).reshape(-1, 4)
    blank = Hands.from_counts(np.zeros((len(tried), KINDS), dtype=np.int64))
    wins = Wins.of(
        blank,
        np.zeros(len(tried), dtype=np.uint8),
        tsumo=tried[:, 3] & 1,
        winner=tried[:, 3] >> 1 & 1,
        players=3 + (tried[:, 3] >> 2),
        rule=tried[:, 2],
    )
    limit, points = points_of(tried[:, 0], tried[:, 1], np.zeros(len(tried), dtype=np.int64), wins, PRESETS)
    for values in (limit.astype(int), points):
        table = values.reshape(len(fu), len(han), -1)
        assert (np.diff(table, axis=1) >= 0).all()
        assert (np.diff(table, axis=0) >= 0).all()


@given(SEEDS)
@settings(max_examples=40, deadline=None)
def test_a_red_five_more_never_costs_points(seed):
    """One more han of dora never lowers the points."""
    wins = random_wins(seed)
    hands = wins.hands
    redder = Hands(hands.keys, hands.meld_type, hands.meld_tile, hands.meld_from, hands.reds + np.uint8(1))
    known = {name: getattr(wins, name) for name in Wins.__slots__ if name not in ("hands", "win_kind", "seat_wind")}
    before, after = score(wins, PRESETS), score(Wins.of(redder, wins.win_kind, **known), PRESETS)
    ordinary = before.has_yaku & (before.units == 0)
    np.testing.assert_array_equal(after.han[ordinary], before.han[ordinary] + 1)
    assert (after.points >= before.points).all()
    assert (after.limit >= before.limit).all()


def turned(wins, order, *, mirrored):
    """Exchange suits, and perhaps 1 with 9, in hands and indicators."""
    place = np.arange(KINDS)
    for new, old in enumerate(order):
        place[9 * old : 9 * old + 9] = 9 * new + (np.arange(9)[::-1] if mirrored else np.arange(9))
    hands = wins.hands
    counts = np.zeros((len(wins), KINDS), dtype=np.int64)
    counts[:, place] = hands.counts()
    # The lowest tile of a mirrored run was the highest of the run before.
    top = np.where((hands.meld_type == CHI) & mirrored, hands.meld_tile + 2, hands.meld_tile)
    known = {name: getattr(wins, name) for name in Wins.__slots__ if name not in ("hands", "win_kind", "seat_wind")}
    for name in ("dora", "ura"):
        known[name] = np.where(known[name] == NO_TILE, NO_TILE, place[np.minimum(known[name], KINDS - 1)])
    moved = Hands.from_counts(counts, hands.meld_type, place[top], hands.meld_from, hands.reds)
    return Wins.of(moved, place[wins.win_kind], **known)


@given(SEEDS, st.permutations(range(3)), st.booleans())
@settings(max_examples=60, deadline=None)
def test_suits_are_alike_but_for_green_and_dora(seed, order, mirrored):
    """Exchanged suits in hands and indicators change no value; mirrored suits change only dora and all green."""
    wins = random_wins(seed)
    before, after = score(wins, PRESETS), score(turned(wins, order, mirrored=mirrored), PRESETS)
    alike = ~(before.yakuman | after.yakuman)[:, GREEN_YAKUMAN]
    if mirrored:
        alike &= (before.yaku[:, DORA] == after.yaku[:, DORA]).all(axis=1)
    for name in ("complete", "has_yaku", "fu", "han", "yaku", "units", "yakuman", "limit", "points", "deltas"):
        np.testing.assert_array_equal(getattr(before, name)[alike], getattr(after, name)[alike], err_msg=name)


@given(SEEDS, HANDS_OF, st.permutations(range(3)))
@settings(max_examples=40, deadline=None)
def test_waits_follow_their_suits(seed, kind, order):
    """If suits are exchanged in a hand, its waits are exchanged in the same way."""
    counts = deal(kind, 20, 13, seed=seed)
    suits = counts[:, :27].reshape(-1, 3, 9)[:, order].reshape(-1, 27)
    moved = np.concatenate([suits, counts[:, 27:]], axis=1)
    first, second = (bits(waits(Hands.from_counts(each).keys, melded(0, 20))) for each in (counts, moved))
    np.testing.assert_array_equal(first[:, :27].reshape(-1, 3, 9)[:, order].reshape(-1, 27), second[:, :27])
    np.testing.assert_array_equal(first[:, 27:], second[:, 27:])
