"""Random wins against the PyPI package `mahjong`, where it is installed (extra `oracles`)."""

from __future__ import annotations

import numpy as np
import pytest

from engine.scoring.score import score
from engine.shapes.shanten import shanten
from engine.tiles.hands import Hands
from engine.yaku.wins import Wins
from tests.kit.batches import concatenated, rules_of
from tests.kit.deals import winning

pytest.importorskip("mahjong")

from mahjong.constants import EAST
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld
from mahjong.shanten import Shanten

RULES = OptionalRules(
    has_open_tanyao=True, has_aka_dora=False, has_double_yakuman=False, fu_for_open_pinfu=True, kiriage=False
)


def random_wins(n, seed):
    """Make winning hands: concealed counts, melds (type, lowest kind), winning kind, tsumo, riichi."""
    rng = np.random.default_rng(seed)
    made = []
    while len(made) < n:
        counts = winning(rng, 4, int(rng.integers(1, 5)))
        concealed, melds = counts.copy(), []
        for _ in range(int(rng.integers(0, 4)) if rng.random() < 0.5 else 0):
            lowest = int(rng.integers(34))
            if concealed[lowest] >= 3:
                concealed[lowest] -= 3
                melds.append(("pon", lowest))
            elif lowest < 27 and lowest % 9 <= 6 and concealed[lowest : lowest + 3].min() > 0:
                concealed[lowest : lowest + 3] -= 1
                melds.append(("chi", lowest))
        win = int(rng.choice(np.flatnonzero(concealed)))
        made.append((concealed, melds, win, bool(rng.random() < 0.5), bool(rng.random() < 0.5)))
    return made


def ours(made):
    """Score the hands in one batch; South wins in an East round."""
    hands = []
    for concealed, melds, *_ in made:
        types = [{"chi": 1, "pon": 2}[name] for name, _ in melds] + [0] * (4 - len(melds))
        lowest = [kind for _, kind in melds] + [0] * (4 - len(melds))
        hands.append(Hands.from_counts(concealed[None, :], np.array([types]), np.array([lowest])))
    wins = Wins.of(
        concatenated(hands),
        np.array([win for _, _, win, _, _ in made]),
        tsumo=np.array([tsumo for *_, tsumo, _ in made]),
        riichi=np.array([riichi and not melds for _, melds, _, _, riichi in made]),
    )
    return score(wins, rules_of())


def theirs(concealed, melds, win, tsumo, riichi):
    """Score one hand with the package: han and fu, or None."""
    used = [0] * 34

    def take(kind, n):
        first = 4 * kind + used[kind]
        used[kind] += n
        return list(range(first, first + n))

    tiles = [tile for kind in range(34) for tile in take(kind, int(concealed[kind]))]
    called = []
    for name, lowest in melds:
        taken = take(lowest, 3) if name == "pon" else [take(lowest + i, 1)[0] for i in range(3)]
        called.append(Meld(meld_type=getattr(Meld, name.upper()), tiles=taken))
    config = HandConfig(
        is_tsumo=tsumo, is_riichi=riichi and not melds, player_wind=EAST + 1, round_wind=EAST, options=RULES
    )
    everything = sorted(tiles + [tile for meld in called for tile in meld.tiles])
    win_tile = next(tile for tile in tiles if tile // 4 == win)
    result = HandCalculator.estimate_hand_value(everything, win_tile, melds=called, config=config)
    return None if result.error else (result.han, result.fu, result.cost["main"])


def test_random_wins_agree():
    """Win, han and fu of 400 random hands agree. For yakuman, both engines only need to find one."""
    made = random_wins(400, seed=11)
    scores = ours(made)
    for row, hand in enumerate(made):
        expected = theirs(*hand)
        assert bool(scores.has_yaku[row]) == (expected is not None), hand
        if expected is None or scores.units[row]:
            assert not scores.units[row] or expected[0] >= 13, hand
            continue
        assert (int(scores.han[row]), int(scores.fu[row])) == expected[:2], hand


def test_random_shanten_agrees_for_dealt_hands():
    """Shanten of 300 dealt hands agree, over all three forms."""
    rng = np.random.default_rng(12)
    counts = np.array([np.bincount(rng.permutation(136)[:13] // 4, minlength=34) for _ in range(300)])
    found = shanten(Hands.from_counts(counts).keys, np.zeros(300, dtype=np.int64))
    assert found.tolist() == [Shanten.calculate_shanten(c.tolist()) for c in counts]
