"""Every yaku: number, names, han closed and open, what it replaces, and one expression.

Numbers are Tenhou's, 0 to 54 (formats/tenhou-mjlog.md 7); 52, 53, 54 are dora, ura dora and red fives, which
score.py counts. Values are those of RULES.md 3.3 and 3.4. A condition may hold beside a stronger one:
replacing is the business of ``beats``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.registry import ALL_YAKU, Yaku, worth_of, yaku, yakuman
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
    exactly,
    mask_of,
    only,
    some,
)

if TYPE_CHECKING:
    from engine.arrays import I8, I64, Bools
    from engine.features import Features


def one_suit(kinds: I64) -> Bools:
    """Tell which hands hold tiles of exactly one number suit."""
    man, pin, sou = (some(kinds & suit) for suit in (MANZU, PINZU, SOUZU))
    return (man ^ pin ^ sou) & ~(man & pin & sou)


FIRST_SUIT = MANZU
FIRST_RUNS = mask_of((0, 9, 18))


@yaku(0, "門前清自摸和", "menzen tsumo", closed=1)
def menzen_tsumo(f: Features) -> Bools:
    """Fully concealed hand."""
    return f.tsumo


@yaku(1, "立直", "riichi", closed=1)
def riichi(f: Features) -> Bools:
    """Riichi."""
    return f.riichi


@yaku(2, "一発", "ippatsu", closed=1)
def ippatsu(f: Features) -> Bools:
    """Win within a turn of riichi."""
    return f.ippatsu


@yaku(3, "槍槓", "chankan", closed=1, open=1)
def chankan(f: Features) -> Bools:
    """Robbing a kan."""
    return f.chankan


@yaku(4, "嶺上開花", "rinshan kaihou", closed=1, open=1, beats=(5,))
def rinshan(f: Features) -> Bools:
    """Win after a kan."""
    return f.rinshan & f.tsumo


@yaku(5, "海底摸月", "haitei", closed=1, open=1)
def haitei(f: Features) -> Bools:
    """Win by the last draw."""
    return f.last_tile & f.tsumo


@yaku(6, "河底撈魚", "houtei", closed=1, open=1)
def houtei(f: Features) -> Bools:
    """Win by the last discard."""
    return f.last_tile & ~f.tsumo


@yaku(7, "平和", "pinfu", closed=1)
def pinfu(f: Features) -> Bools:
    """No-points hand."""
    return f.pinfu


@yaku(8, "断幺九", "tanyao", closed=1, open=1)
def tanyao(f: Features) -> Bools:
    """All simples."""
    return only(f.kinds, SIMPLES) & (f.closed | f.open_tanyao)


@yaku(9, "一盃口", "iipeikou", closed=1)
def iipeikou(f: Features) -> Bools:
    """Two identical runs."""
    return some(f.runs2)


def _wind_yaku(number: int, kanji: str, romaji: str, bit: int) -> None:
    """Declare a wind's triplet by seat (ids 10-13) and by round (14-17): both count for a double wind."""

    @yaku(number, f"自風 {kanji}", f"jikaze {romaji}", closed=1, open=1)
    def seat_wind(f: Features) -> Bools:
        """Triplet of the seat's wind."""
        return some(f.triplets & f.seat_wind & bit)

    @yaku(number + 4, f"場風 {kanji}", f"bakaze {romaji}", closed=1, open=1)
    def round_wind(f: Features) -> Bools:
        """Triplet of the round's wind."""
        return some(f.triplets & f.round_wind & bit)


for _number, _kanji, _romaji in ((10, "東", "ton"), (11, "南", "nan"), (12, "西", "shaa"), (13, "北", "pei")):
    _wind_yaku(_number, _kanji, _romaji, 1 << EAST + _number - 10)


@yaku(18, "役牌 白", "haku", closed=1, open=1)
def haku(f: Features) -> Bools:
    """White dragon."""
    return some(f.triplets & 1 << WHITE)


@yaku(19, "役牌 發", "hatsu", closed=1, open=1)
def hatsu(f: Features) -> Bools:
    """Green dragon."""
    return some(f.triplets & 1 << GREEN_DRAGON)


@yaku(20, "役牌 中", "chun", closed=1, open=1)
def chun(f: Features) -> Bools:
    """Red dragon."""
    return some(f.triplets & 1 << RED_DRAGON)


@yaku(21, "両立直", "double riichi", closed=2, beats=(1,))
def double_riichi(f: Features) -> Bools:
    """Riichi on the first discard."""
    return f.double_riichi


@yaku(22, "七対子", "chiitoitsu", closed=2)
def chiitoitsu(f: Features) -> Bools:
    """Seven pairs."""
    return f.seven_pairs


@yaku(23, "混全帯幺九", "chanta", closed=2, open=1)
def chanta(f: Features) -> Bools:
    """Orphans in every block."""
    return _in_every_block(f, ORPHANS)


@yaku(24, "一気通貫", "ittsuu", closed=2, open=1)
def ittsuu(f: Features) -> Bools:
    """Full straight."""
    return some(f.runs & f.runs >> 3 & f.runs >> 6 & FIRST_RUNS)


@yaku(25, "三色同順", "sanshoku doujun", closed=2, open=1)
def sanshoku_doujun(f: Features) -> Bools:
    """Three-colour straight."""
    return some(f.runs & f.runs >> 9 & f.runs >> 18 & FIRST_SUIT)


@yaku(26, "三色同刻", "sanshoku doukou", closed=2, open=2)
def sanshoku_doukou(f: Features) -> Bools:
    """Three-colour triplets."""
    return some(f.triplets & f.triplets >> 9 & f.triplets >> 18 & FIRST_SUIT)


@yaku(27, "三槓子", "sankantsu", closed=2, open=2)
def sankantsu(f: Features) -> Bools:
    """Three kans."""
    return exactly(3, f.kans)


@yaku(28, "対々和", "toitoi", closed=2, open=2)
def toitoi(f: Features) -> Bools:
    """All triplets."""
    return f.standard & ~some(f.runs)


@yaku(29, "三暗刻", "sanankou", closed=2, open=2)
def sanankou(f: Features) -> Bools:
    """Three concealed triplets."""
    return exactly(3, f.concealed_triplets)


@yaku(30, "小三元", "shousangen", closed=2, open=2)
def shousangen(f: Features) -> Bools:
    """Little three dragons."""
    return exactly(2, f.triplets & DRAGONS) & some(f.pair & DRAGONS)


@yaku(31, "混老頭", "honroutou", closed=2, open=2)
def honroutou(f: Features) -> Bools:
    """All terminals and honours."""
    return only(f.kinds, ORPHANS) & ~f.orphans


@yaku(32, "二盃口", "ryanpeikou", closed=3, beats=(9,))
def ryanpeikou(f: Features) -> Bools:
    """Twice two identical runs."""
    return exactly(2, f.runs2) | some(f.runs4)


@yaku(33, "純全帯幺九", "junchan", closed=3, open=2, beats=(23,))
def junchan(f: Features) -> Bools:
    """Terminals in every block."""
    return _in_every_block(f, TERMINALS)


@yaku(34, "混一色", "honitsu", closed=3, open=2)
def honitsu(f: Features) -> Bools:
    """Half flush."""
    return one_suit(f.kinds)


@yaku(35, "清一色", "chinitsu", closed=6, open=5, beats=(34,))
def chinitsu(f: Features) -> Bools:
    """Full flush."""
    return one_suit(f.kinds) & only(f.kinds, ~HONOURS)


@yaku(36, "人和", "renhou", closed=5)
def renhou(f: Features) -> Bools:
    """Ron before the first own draw."""
    return f.first_turn & ~f.tsumo & ~f.dealer & f.renhou_mangan


@yakuman(36, "人和", "renhou")
def renhou_yakuman(f: Features) -> Bools:
    """Ron before the first own draw."""
    return f.first_turn & ~f.tsumo & ~f.dealer & f.renhou_yakuman


@yakuman(37, "天和", "tenhou")
def tenhou(f: Features) -> Bools:
    """Dealer's win by the first draw."""
    return f.first_turn & f.tsumo & f.dealer


@yakuman(38, "地和", "chiihou")
def chiihou(f: Features) -> Bools:
    """Non-dealer's win by the first draw."""
    return f.first_turn & f.tsumo & ~f.dealer


@yakuman(39, "大三元", "daisangen")
def daisangen(f: Features) -> Bools:
    """Big three dragons."""
    return exactly(3, f.triplets & DRAGONS)


@yakuman(40, "四暗刻", "suuankou")
def suuankou(f: Features) -> Bools:
    """Four concealed triplets."""
    return exactly(4, f.concealed_triplets)


@yakuman(41, "四暗刻単騎", "suuankou tanki", double=True, beats=(40,))
def suuankou_tanki(f: Features) -> Bools:
    """Four concealed triplets, pair wait."""
    return exactly(4, f.concealed_triplets) & f.tanki


@yakuman(42, "字一色", "tsuuiisou")
def tsuuiisou(f: Features) -> Bools:
    """All honours."""
    return only(f.kinds, HONOURS)


@yakuman(43, "緑一色", "ryuuiisou")
def ryuuiisou(f: Features) -> Bools:
    """All green."""
    return only(f.kinds, GREEN)


@yakuman(44, "清老頭", "chinroutou")
def chinroutou(f: Features) -> Bools:
    """All terminals."""
    return only(f.kinds, TERMINALS)


@yakuman(45, "九蓮宝燈", "chuuren poutou")
def chuuren(f: Features) -> Bools:
    """Nine gates."""
    gates: Bools = np.isin(f.surplus, UNIT[:9])
    return gates


@yakuman(46, "純正九蓮宝燈", "junsei chuuren poutou", double=True, beats=(45,))
def pure_chuuren(f: Features) -> Bools:
    """Nine gates, nine waits."""
    nine_waits: Bools = f.surplus == f.win_unit
    return nine_waits


@yakuman(47, "国士無双", "kokushi musou")
def kokushi(f: Features) -> Bools:
    """Thirteen orphans."""
    return f.orphans


@yakuman(48, "国士無双十三面", "kokushi musou juusanmen", double=True, beats=(47,))
def kokushi_thirteen_waits(f: Features) -> Bools:
    """Thirteen orphans, 13 waits."""
    return f.orphans & some(f.pair & f.win)


@yakuman(49, "大四喜", "daisuushi", double=True)
def daisuushi(f: Features) -> Bools:
    """Big four winds."""
    return exactly(4, f.triplets & WINDS)


@yakuman(50, "小四喜", "shousuushi")
def shousuushi(f: Features) -> Bools:
    """Little four winds."""
    return exactly(3, f.triplets & WINDS) & some(f.pair & WINDS)


@yakuman(51, "四槓子", "suukantsu")
def suukantsu(f: Features) -> Bools:
    """Four kans."""
    return exactly(4, f.kans)


def _in_every_block(f: Features, kinds: int) -> Bools:
    """Tell where every block holds one of the kinds, and some block is a run."""
    return f.standard & some(f.runs) & only(f.runs, TERMINAL_RUNS) & only(f.triplets | f.pair, kinds)


BY_ID: dict[int, Yaku] = {entry.id: entry for entry in ALL_YAKU}
"""Every yaku by number."""


def han(f: Features) -> I8:
    """Value the ordinary yaku of readings, replaced ones left out; int8 [55, rows]."""
    ordinary = [entry for entry in ALL_YAKU if not entry.yakuman]
    return worth_of(f, ordinary, lambda entry: np.where(f.closed, entry.closed, entry.open))


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
    limit_hands = [entry for entry in ALL_YAKU if entry.yakuman]
    return worth_of(f, limit_hands, lambda entry: entry.yakuman + (double & entry.double))
