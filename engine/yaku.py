"""Every yaku: number, names, han closed and open, what it replaces, and one expression.

Numbers are Tenhou's, 0 to 54 (formats/tenhou-mjlog.md 7); 52, 53, 54 are dora, ura dora and red fives, which
score.py counts. Values are those of RULES.md 3.3 and 3.4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.parts import TANKI
from engine.tiles import (
    DRAGONS,
    EAST,
    GREEN,
    GREEN_DRAGON,
    HONOURS,
    MANZU,
    ORPHANS,
    PINZU,
    RED_DRAGON,
    SIMPLES,
    SOUZU,
    TERMINAL_RUNS,
    TERMINALS,
    UNIT,
    WHITE,
    WINDS,
    mask_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.arrays import I8, I64, Bools
    from engine.features import Features

    Condition = Callable[[Features], Bools]

YAKU_COUNT = 55
DORA, URA_DORA, RED_FIVE = 52, 53, 54


@dataclass(frozen=True, slots=True)
class Yaku:
    """One yaku.

    Attributes
    ----------
    id
        Tenhou's number.
    kanji, romaji, english
        Names.
    holds
        Tells for which readings it holds, before replacement.
    closed, open
        Han; 0 where it does not count. Both 0 for a yakuman.
    yakuman
        Units; 0 for an ordinary yaku.
    double
        Whether ``double_yakuman`` makes it two units.
    beats
        Numbers of the yaku that it replaces.
    """

    id: int
    kanji: str
    romaji: str
    english: str
    holds: Condition
    closed: int = 0
    open: int = 0
    yakuman: int = 0
    double: bool = False
    beats: tuple[int, ...] = ()


ALL_YAKU: list[Yaku] = []
"""In the order of their declaration."""


def yaku(
    number: int,
    kanji: str,
    romaji: str,
    english: str,
    *,
    closed: int = 0,
    open: int = 0,  # noqa: A002 - the game's word for a hand with called tiles
    beats: tuple[int, ...] = (),
) -> Callable[[Condition], Condition]:
    """Declare a yaku worth so many han."""

    def declare(holds: Condition) -> Condition:
        ALL_YAKU.append(Yaku(number, kanji, romaji, english, holds, closed=closed, open=open, beats=beats))
        return holds

    return declare


def yakuman(
    number: int, kanji: str, romaji: str, english: str, *, double: bool = False, beats: tuple[int, ...] = ()
) -> Callable[[Condition], Condition]:
    """Declare a yakuman."""

    def declare(holds: Condition) -> Condition:
        ALL_YAKU.append(Yaku(number, kanji, romaji, english, holds, yakuman=1, double=double, beats=beats))
        return holds

    return declare


def count(mask: I64) -> I64:
    """Count the bits of masks."""
    return np.bitwise_count(mask).astype(np.int64)


def only(kinds: I64, allowed: int) -> Bools:
    """Tell which hands hold nothing but the allowed kinds."""
    return (kinds & ~allowed) == 0


def suits(kinds: I64) -> I64:
    """Count the number suits in a hand."""
    return sum(((kinds & suit) != 0).astype(np.int64) for suit in (MANZU, PINZU, SOUZU))


FIRST_SUIT = MANZU
FIRST_RUNS = mask_of((0, 9, 18))


@yaku(0, "門前清自摸和", "menzen tsumo", "fully concealed hand", closed=1)
def menzen_tsumo(f: Features) -> Bools:
    return f.tsumo


@yaku(1, "立直", "riichi", "riichi", closed=1)
def riichi(f: Features) -> Bools:
    return f.riichi


@yaku(2, "一発", "ippatsu", "win within a turn of riichi", closed=1)
def ippatsu(f: Features) -> Bools:
    return f.ippatsu


@yaku(3, "槍槓", "chankan", "robbing a kan", closed=1, open=1)
def chankan(f: Features) -> Bools:
    return f.chankan


@yaku(4, "嶺上開花", "rinshan kaihou", "win after a kan", closed=1, open=1, beats=(5,))
def rinshan(f: Features) -> Bools:
    return f.rinshan & f.tsumo


@yaku(5, "海底摸月", "haitei", "win by the last draw", closed=1, open=1)
def haitei(f: Features) -> Bools:
    return f.last_tile & f.tsumo


@yaku(6, "河底撈魚", "houtei", "win by the last discard", closed=1, open=1)
def houtei(f: Features) -> Bools:
    return f.last_tile & ~f.tsumo


@yaku(7, "平和", "pinfu", "no-points hand", closed=1)
def pinfu(f: Features) -> Bools:
    return f.pinfu


@yaku(8, "断幺九", "tanyao", "all simples", closed=1, open=1)
def tanyao(f: Features) -> Bools:
    return only(f.kinds, SIMPLES) & (f.closed | f.open_tanyao)


@yaku(9, "一盃口", "iipeikou", "two identical runs", closed=1)
def iipeikou(f: Features) -> Bools:
    return f.runs2 != 0


def _value_tiles() -> None:
    """Declare the ten triplets of value: winds by seat (10-13) and by round (14-17), dragons (18-20)."""
    for i, (kanji, romaji, wind) in enumerate(
        (("東", "ton", "East"), ("南", "nan", "South"), ("西", "shaa", "West"), ("北", "pei", "North"))
    ):
        bit = 1 << EAST + i
        seat, round_ = f"{wind} as seat wind", f"{wind} as round wind"
        yaku(10 + i, f"自風 {kanji}", f"jikaze {romaji}", seat, closed=1, open=1)(
            lambda f, bit=bit: f.triplets & f.seat_wind & bit != 0  # type: ignore[misc]
        )
        yaku(14 + i, f"場風 {kanji}", f"bakaze {romaji}", round_, closed=1, open=1)(
            lambda f, bit=bit: f.triplets & f.round_wind & bit != 0  # type: ignore[misc]
        )


_value_tiles()


@yaku(18, "役牌 白", "haku", "white dragon", closed=1, open=1)
def haku(f: Features) -> Bools:
    return f.triplets & 1 << WHITE != 0


@yaku(19, "役牌 發", "hatsu", "green dragon", closed=1, open=1)
def hatsu(f: Features) -> Bools:
    return f.triplets & 1 << GREEN_DRAGON != 0


@yaku(20, "役牌 中", "chun", "red dragon", closed=1, open=1)
def chun(f: Features) -> Bools:
    return f.triplets & 1 << RED_DRAGON != 0


@yaku(21, "両立直", "double riichi", "riichi on the first discard", closed=2, beats=(1,))
def double_riichi(f: Features) -> Bools:
    return f.double_riichi


@yaku(22, "七対子", "chiitoitsu", "seven pairs", closed=2)
def chiitoitsu(f: Features) -> Bools:
    return f.seven_pairs


@yaku(23, "混全帯幺九", "chanta", "orphans in every block", closed=2, open=1)
def chanta(f: Features) -> Bools:
    return _in_every_block(f, ORPHANS)


@yaku(24, "一気通貫", "ittsuu", "full straight", closed=2, open=1)
def ittsuu(f: Features) -> Bools:
    return f.runs & f.runs >> 3 & f.runs >> 6 & FIRST_RUNS != 0


@yaku(25, "三色同順", "sanshoku doujun", "three-colour straight", closed=2, open=1)
def sanshoku_doujun(f: Features) -> Bools:
    return f.runs & f.runs >> 9 & f.runs >> 18 & FIRST_SUIT != 0


@yaku(26, "三色同刻", "sanshoku doukou", "three-colour triplets", closed=2, open=2)
def sanshoku_doukou(f: Features) -> Bools:
    return f.triplets & f.triplets >> 9 & f.triplets >> 18 & FIRST_SUIT != 0


@yaku(27, "三槓子", "sankantsu", "three kans", closed=2, open=2)
def sankantsu(f: Features) -> Bools:
    return count(f.kans) == 3


@yaku(28, "対々和", "toitoi", "all triplets", closed=2, open=2)
def toitoi(f: Features) -> Bools:
    return f.standard & (f.runs == 0)


@yaku(29, "三暗刻", "sanankou", "three concealed triplets", closed=2, open=2)
def sanankou(f: Features) -> Bools:
    return count(f.concealed_triplets) == 3


@yaku(30, "小三元", "shousangen", "little three dragons", closed=2, open=2)
def shousangen(f: Features) -> Bools:
    return (count(f.triplets & DRAGONS) == 2) & (count(f.pair & DRAGONS) == 1)


@yaku(31, "混老頭", "honroutou", "all terminals and honours", closed=2, open=2)
def honroutou(f: Features) -> Bools:
    return only(f.kinds, ORPHANS) & ~f.orphans


@yaku(32, "二盃口", "ryanpeikou", "twice two identical runs", closed=3, beats=(9,))
def ryanpeikou(f: Features) -> Bools:
    return count(f.runs2) + count(f.runs4) == 2


@yaku(33, "純全帯幺九", "junchan", "terminals in every block", closed=3, open=2, beats=(23,))
def junchan(f: Features) -> Bools:
    return _in_every_block(f, TERMINALS)


@yaku(34, "混一色", "honitsu", "half flush", closed=3, open=2)
def honitsu(f: Features) -> Bools:
    return suits(f.kinds) == 1


@yaku(35, "清一色", "chinitsu", "full flush", closed=6, open=5, beats=(34,))
def chinitsu(f: Features) -> Bools:
    return (suits(f.kinds) == 1) & only(f.kinds, ~HONOURS)


@yaku(36, "人和", "renhou", "ron before the first own draw", closed=5)
def renhou(f: Features) -> Bools:
    return f.first_turn & ~f.tsumo & ~f.dealer & f.renhou_mangan


@yakuman(36, "人和", "renhou", "ron before the first own draw")
def renhou_yakuman(f: Features) -> Bools:
    return f.first_turn & ~f.tsumo & ~f.dealer & f.renhou_yakuman


@yakuman(37, "天和", "tenhou", "dealer's win by the first draw")
def tenhou(f: Features) -> Bools:
    return f.first_turn & f.tsumo & f.dealer


@yakuman(38, "地和", "chiihou", "non-dealer's win by the first draw")
def chiihou(f: Features) -> Bools:
    return f.first_turn & f.tsumo & ~f.dealer


@yakuman(39, "大三元", "daisangen", "big three dragons")
def daisangen(f: Features) -> Bools:
    return count(f.triplets & DRAGONS) == 3


@yakuman(40, "四暗刻", "suuankou", "four concealed triplets")
def suuankou(f: Features) -> Bools:
    return count(f.concealed_triplets) == 4


@yakuman(41, "四暗刻単騎", "suuankou tanki", "four concealed triplets, pair wait", double=True, beats=(40,))
def suuankou_tanki(f: Features) -> Bools:
    return (count(f.concealed_triplets) == 4) & (f.wait == TANKI)


@yakuman(42, "字一色", "tsuuiisou", "all honours")
def tsuuiisou(f: Features) -> Bools:
    return only(f.kinds, HONOURS)


@yakuman(43, "緑一色", "ryuuiisou", "all green")
def ryuuiisou(f: Features) -> Bools:
    return only(f.kinds, GREEN)


@yakuman(44, "清老頭", "chinroutou", "all terminals")
def chinroutou(f: Features) -> Bools:
    return only(f.kinds, TERMINALS)


@yakuman(45, "九蓮宝燈", "chuuren poutou", "nine gates")
def chuuren(f: Features) -> Bools:
    return np.isin(f.surplus, UNIT[:9])


@yakuman(46, "純正九蓮宝燈", "junsei chuuren poutou", "nine gates, nine waits", double=True, beats=(45,))
def pure_chuuren(f: Features) -> Bools:
    return f.surplus == f.win_unit


@yakuman(47, "国士無双", "kokushi musou", "thirteen orphans")
def kokushi(f: Features) -> Bools:
    return f.orphans


@yakuman(48, "国士無双十三面", "kokushi musou juusanmen", "thirteen orphans, 13 waits", double=True, beats=(47,))
def kokushi_thirteen_waits(f: Features) -> Bools:
    return f.orphans & (f.pair == f.win)


@yakuman(49, "大四喜", "daisuushi", "big four winds", double=True)
def daisuushi(f: Features) -> Bools:
    return count(f.triplets & WINDS) == 4


@yakuman(50, "小四喜", "shousuushi", "little four winds")
def shousuushi(f: Features) -> Bools:
    return (count(f.triplets & WINDS) == 3) & (count(f.pair & WINDS) == 1)


@yakuman(51, "四槓子", "suukantsu", "four kans")
def suukantsu(f: Features) -> Bools:
    return count(f.kans) == 4


def _in_every_block(f: Features, kinds: int) -> Bools:
    """Tell where every block holds one of the kinds, and some block is a run."""
    return f.standard & (f.runs != 0) & only(f.runs, TERMINAL_RUNS) & only(f.triplets | f.pair, kinds)


def han(f: Features) -> I8:
    """Value the ordinary yaku of readings, replaced ones left out; int8 [55, rows]."""
    worth = np.zeros((YAKU_COUNT, len(f.kinds)), dtype=np.int8)
    ordinary = [entry for entry in ALL_YAKU if not entry.yakuman]
    for entry in ordinary:
        worth[entry.id] = entry.holds(f) * np.where(f.closed, entry.closed, entry.open)
    for entry in ordinary:
        for beaten in entry.beats:
            worth[beaten][worth[entry.id] > 0] = 0
    return worth


def units(f: Features, double: Bools) -> I8:
    """Value the yakuman of readings, replaced ones left out.

    Parameters
    ----------
    f
        The readings.
    double
        Whether the rules know double yakuman; [rows].

    Returns
    -------
    int8 [55, rows]
    """
    worth = np.zeros((YAKU_COUNT, len(f.kinds)), dtype=np.int8)
    limit_hands = [entry for entry in ALL_YAKU if entry.yakuman]
    for entry in limit_hands:
        worth[entry.id] = entry.holds(f) * np.where(double & entry.double, 2, 1)
    for entry in limit_hands:
        for beaten in entry.beats:
            worth[beaten][worth[entry.id] > 0] = 0
    return worth


NAMES: dict[int, Yaku] = {entry.id: entry for entry in ALL_YAKU}
