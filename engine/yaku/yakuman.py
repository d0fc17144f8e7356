"""The yakuman that all rule sets play (RULES.md 3.4). `engine.yaku.ordinary` says where numbers and names come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.tiles.kinds import DRAGONS, GREEN, GREEN_DRAGON, HONOURS, TERMINALS, UNIT, WINDS, exactly, only, some
from engine.yaku.declaration import yakuman

if TYPE_CHECKING:
    from engine.tiles.arrays import Bools
    from engine.yaku.features import Features

FIRST_TURN = (36, 37, 38)
"""Yakuman of the first turn. Under some rules nothing counts beside them (``first_turn_yakuman_stacking``)."""


@yakuman(36, "人和", "renhou", "blessing of man", majiang="", mahjong_soul=59)
def renhou_yakuman(f: Features) -> Bools:
    """Ron before the first own draw and any call, where the rules make it a yakuman."""
    holds: Bools = f.renhou & (f.rules.renhou == "yakuman")
    return holds


@yakuman(37, "天和", "tenhou", "blessing of heaven", mahjong_soul=35)
def tenhou(f: Features) -> Bools:
    """The dealer wins by the first draw."""
    return f.first_turn & f.tsumo & f.dealer


@yakuman(38, "地和", "chiihou", "blessing of earth", mahjong_soul=36)
def chiihou(f: Features) -> Bools:
    """A non-dealer wins by the first own draw, before any call."""
    return f.first_turn & f.tsumo & ~f.dealer


@yakuman(39, "大三元", "daisangen", "big three dragons", mahjong_soul=37)
def daisangen(f: Features) -> Bools:
    """Triplets of all dragons."""
    return exactly(3, f.triplets & DRAGONS)


@yakuman(40, "四暗刻", "suuankou", "four concealed triplets", mahjong_soul=38)
def suuankou(f: Features) -> Bools:
    """Four triplets that were completed without the tile of another seat."""
    return exactly(4, f.concealed_triplets)


@yakuman(41, "四暗刻単騎", "suuankou tanki", "four concealed triplets, pair wait", double=True, beats=(40,),
         mahjong_soul=48)  # fmt: skip
def suuankou_tanki(f: Features) -> Bools:
    """Four concealed triplets, and the winning tile completed the pair."""
    return exactly(4, f.concealed_triplets) & f.tanki


@yakuman(42, "字一色", "tsuuiisou", "all honours", mahjong_soul=39)
def tsuuiisou(f: Features) -> Bools:
    """Nothing but honours, also as seven pairs."""
    return only(f.kinds, HONOURS)


@yakuman(43, "緑一色", "ryuuiisou", "all green", mahjong_soul=40)
def ryuuiisou(f: Features) -> Bools:
    """Nothing but 2, 3, 4, 6, 8 of souzu and green dragons; some rules need a green dragon (RULES.md 5.21)."""
    return only(f.kinds, GREEN) & (some(f.kinds & 1 << GREEN_DRAGON) | ~f.rules.on("ryuuiisou_requires_hatsu"))


@yakuman(44, "清老頭", "chinroutou", "all terminals", mahjong_soul=41)
def chinroutou(f: Features) -> Bools:
    """Nothing but terminals."""
    return only(f.kinds, TERMINALS)


@yakuman(45, "九蓮宝燈", "chuuren poutou", "nine gates", mahjong_soul=45)
def chuuren(f: Features) -> Bools:
    """1112345678999 of one suit and one more tile of it, no melds; some rules need nine waits (RULES.md 5.21)."""
    gates: Bools = np.isin(f.surplus, UNIT[:9]) & ((f.surplus == f.win_unit) | ~f.rules.on("chuuren_nine_waits_only"))
    return gates


@yakuman(46, "純正九蓮宝燈", "junsei chuuren poutou", "true nine gates", double=True, beats=(45,), mahjong_soul=47)
def pure_chuuren(f: Features) -> Bools:
    """Nine gates, and any tile of the suit would have won."""
    nine_waits: Bools = f.surplus == f.win_unit
    return nine_waits


@yakuman(47, "国士無双", "kokushi musou", "thirteen orphans", mahjong_soul=42)
def kokushi(f: Features) -> Bools:
    """One of each terminal and honour, and one more tile of these kinds."""
    return f.orphans


@yakuman(48, "国士無双十三面", "kokushi musou juusanmen", "thirteen orphans, 13 waits", double=True, beats=(47,),
         mahjong_soul=49)  # fmt: skip
def kokushi_thirteen_waits(f: Features) -> Bools:
    """Thirteen orphans, and any terminal or honour would have won."""
    return f.orphans & some(f.pair & f.win)


@yakuman(49, "大四喜", "daisuushi", "four big winds", double=True, mahjong_soul=50)
def daisuushi(f: Features) -> Bools:
    """Triplets of all winds."""
    return exactly(4, f.triplets & WINDS)


@yakuman(50, "小四喜", "shousuushi", "four little winds", mahjong_soul=43)
def shousuushi(f: Features) -> Bools:
    """Three triplets of winds and a pair of winds."""
    return exactly(3, f.triplets & WINDS) & some(f.pair & WINDS)


@yakuman(51, "四槓子", "suukantsu", "four quads", mahjong_soul=44)
def suukantsu(f: Features) -> Bools:
    """Four kans."""
    return exactly(4, f.kans)
