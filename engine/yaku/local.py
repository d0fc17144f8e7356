"""Local yaku: a rule set plays those that its rule ``local_yaku`` names, by the name of the function here.

110 to 123 are the yaku of Mahjong Soul's ancient mode, with its values (RULES.md 4.7). The others are from the article
"Local yaku" of MahjongRepository/mahjong_wiki @23074d3; "AW" means this article below. Where tables differ in what a
yaku needs or is worth, the docstring states the choice made here. Renhou is not here: Tenhou has a number for it (36),
and the rule ``renhou`` decides whether it counts.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from engine.tiles.hands import ANKAN, NO_MELD
from engine.tiles.kinds import (
    DRAGONS,
    GREEN,
    HONOURS,
    MANZU,
    PINZU,
    RED_DRAGON,
    RUN_STARTS,
    SOUZU,
    WINDS,
    exactly,
    mask_of,
    only,
    some,
)
from engine.yaku.declaration import yaku, yakuman

if TYPE_CHECKING:
    from engine.tiles.arrays import Bools
    from engine.yaku.features import Features

SIX_STARTS = mask_of(start + i for start in (0, 9, 18) for i in range(6))
TWO_TO_EIGHT = mask_of(range(1, 8))
ONE_PIN, NINE_PIN = 1 << 9, 1 << 17
GREEN_SOUZU = GREEN & SOUZU


@yaku(110, "燕返し", "tsubame gaeshi", "swallow reversal", closed=1, open=1, mahjong_soul=51)
def tsubame_gaeshi(f: Features) -> Bools:
    """Ron on the tile with which another seat declared riichi."""
    called: Bools = f.wins.riichi_discard[f.hand] & ~f.tsumo
    return called


@yaku(111, "槓振り", "kanburi", "discard after a kan", closed=1, open=1, mahjong_soul=52)
def kanburi(f: Features) -> Bools:
    """Ron on the discard that follows another seat's kan."""
    called: Bools = f.wins.kan_discard[f.hand] & ~f.tsumo
    return called


@yaku(112, "十二落抬", "shiiaruraotai", "twelve tiles called", open=1, mahjong_soul=53)
def shiiaruraotai(f: Features) -> Bools:
    """Four called melds, so that one tile waits for a pair; an ankan is not a called meld here (AW: tables differ)."""
    melds = f.wins.hands.meld_type
    called: Bools = ((melds != NO_MELD) & (melds != ANKAN)).all(axis=1)[f.hand]
    return called


@yaku(113, "五門斉", "uumensai", "all types", closed=2, open=2, mahjong_soul=54)
def uumensai(f: Features) -> Bools:
    """Tiles of all three suits, of winds and of dragons."""
    holds: Bools = np.logical_and.reduce([some(f.kinds & group) for group in (MANZU, PINZU, SOUZU, WINDS, DRAGONS)])
    return holds


@yaku(114, "三連刻", "sanrenkou", "three chained triplets", closed=2, open=2, mahjong_soul=55)
def sanrenkou(f: Features) -> Bools:
    """Triplets of three neighbours in one suit."""
    return some(f.triplets & f.triplets >> 1 & f.triplets >> 2 & RUN_STARTS)


@yaku(115, "一色三順", "isshoku sanjun", "pure triple sequence", closed=3, open=2, beats=(9,), mahjong_soul=56)
def isshoku_sanjun(f: Features) -> Bools:
    """Three runs of the same tiles."""
    return some(f.same_runs(3))


@yaku(116, "一筒摸月", "iipinmoyue", "moon under the sea", closed=5, open=5, beats=(5,), mahjong_soul=57)
def iipinmoyue(f: Features) -> Bools:
    """Haitei with 1 of pinzu; five han as in Mahjong Soul. Elsewhere it is a mangan, even with other yaku."""
    return f.last_tile & f.tsumo & ~f.rinshan & some(f.win & ONE_PIN)


@yaku(117, "九筒撈魚", "chuupinraoyui", "fish under the river", closed=5, open=5, beats=(6,), mahjong_soul=58)
def chuupinraoyui(f: Features) -> Bools:
    """Houtei with 9 of pinzu; five han as in Mahjong Soul. Elsewhere it is a mangan, even with other yaku."""
    return f.last_tile & ~f.tsumo & some(f.win & NINE_PIN)


@yakuman(118, "大車輪", "daisharin", "big wheels", mahjong_soul=60)
def daisharin(f: Features) -> Bools:
    """22334455667788 of pinzu."""
    return _wheel(f, 9)


@yakuman(119, "大竹林", "daichikurin", "bamboo forest", mahjong_soul=61)
def daichikurin(f: Features) -> Bools:
    """22334455667788 of souzu."""
    return _wheel(f, 18)


@yakuman(120, "大数隣", "daisuurin", "numerous neighbours", mahjong_soul=62)
def daisuurin(f: Features) -> Bools:
    """22334455667788 of manzu."""
    return _wheel(f, 0)


@yakuman(121, "石の上にも三年", "ishi no ue ni mo sannen", "three years on a stone", mahjong_soul=63)
def ishinouenimosannen(f: Features) -> Bools:
    """Double riichi, and a win by the last draw or the discard that follows it."""
    return f.double_riichi & f.last_tile


@yakuman(122, "大七星", "daichisei", "big seven stars", double=True, beats=(42,), mahjong_soul=64)
def daichisei(f: Features) -> Bools:
    """Seven pairs of honours."""
    return f.seven_pairs & only(f.kinds, HONOURS)


@yakuman(123, "八連荘", "paarenchan", "eight wins in a row", mahjong_soul=46)
def paarenchan(f: Features) -> Bools:
    """The eighth win in a row of a dealer who repeats; ``Wins.eighth_win`` states it (AW: three ways to count)."""
    eighth: Bools = f.wins.eighth_win[f.hand]
    return eighth


@yakuman(130, "純正緑一色", "junsei ryuuiisou", "true all green", double=True, beats=(43,))
def junsei_ryuuiisou(f: Features) -> Bools:
    """All green without green dragons (發なし緑一色), a double yakuman (AW)."""
    return only(f.kinds, GREEN_SOUZU)


@yaku(131, "オープン立直", "open riichi", "open riichi", closed=2, beats=(1,))
def open_riichi(f: Features) -> Bools:
    """Riichi with the hand shown (AW). Some tables make a payer who is not in riichi pay a yakuman; not so here."""
    shown: Bools = f.riichi & f.wins.open_riichi[f.hand]
    return shown


@yaku(132, "オープンダブル立直", "open double riichi", "open double riichi", closed=3, beats=(1, 21, 131))
def open_double_riichi(f: Features) -> Bools:
    """Double riichi with the hand shown (AW)."""
    shown: Bools = f.double_riichi & f.wins.open_riichi[f.hand]
    return shown


@yaku(133, "三色通貫", "sanshoku tsuukan", "mixed straight", closed=2, open=1)
def sanshoku_tsuukan(f: Features) -> Bools:
    """Runs 123, 456, 789 in three suits, also called hualong, 花龍 (AW)."""
    ways = [exactly(3, f.runs & mask_of((a, b + 3, c + 6))) for a, b, c in permutations((0, 9, 18))]
    holds: Bools = np.logical_or.reduce(ways)
    return holds


@yaku(134, "三風刻", "sanpuukou", "three wind triplets", closed=2, open=2)
def sanpuukou(f: Features) -> Bools:
    """Triplets of three winds (AW)."""
    return exactly(3, f.triplets & WINDS)


@yakuman(135, "一色四順", "isshoku yonjun", "pure quadruple sequence")
def isshoku_yonjun(f: Features) -> Bools:
    """Four runs of the same tiles (AW)."""
    return some(f.same_runs(4))


@yakuman(136, "四連刻", "suurenkou", "four chained triplets")
def suurenkou(f: Features) -> Bools:
    """Triplets of four neighbours in one suit (AW)."""
    return some(f.triplets & f.triplets >> 1 & f.triplets >> 2 & f.triplets >> 3 & SIX_STARTS)


@yakuman(137, "紅一点", "kouitten", "a little red")
def kouitten(f: Features) -> Bools:
    """All green, but with red dragons instead of green ones, with at least one red dragon (AW)."""
    return only(f.kinds, GREEN_SOUZU | 1 << RED_DRAGON) & some(f.kinds & 1 << RED_DRAGON)


@yakuman(138, "紅孔雀", "benikujaku", "red peacock")
def benikujaku(f: Features) -> Bools:
    """Nothing but 1, 5, 7, 9 of souzu and red dragons, with at least one red dragon (AW)."""
    return only(f.kinds, mask_of((18, 22, 24, 26, RED_DRAGON))) & some(f.kinds & 1 << RED_DRAGON)


@yakuman(139, "黒一色", "kokuiisou", "all black")
def kokuiisou(f: Features) -> Bools:
    """Nothing but 2, 4, 8 of pinzu, at least one, and winds (AW, by its examples; its text says 2, 4, 6)."""
    return only(f.kinds, mask_of((10, 12, 16)) | WINDS) & some(f.kinds & PINZU)


@yakuman(140, "百万石", "hyakumangoku", "a million stones")
def hyakumangoku(f: Features) -> Bools:
    """Only tiles of manzu, with numbers that add up to 100 or more (AW)."""
    total = f.wins.hands.all_counts()[:, :9] @ np.arange(1, 10)
    enough: Bools = (total >= 100)[f.hand]
    return only(f.kinds, MANZU) & enough


def _wheel(f: Features, suit_start: int) -> Bools:
    """Flag the readings that are seven pairs 22334455667788 of a suit."""
    holds: Bools = f.seven_pairs & (f.pair == TWO_TO_EIGHT << suit_start)
    return holds
