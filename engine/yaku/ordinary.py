"""The ordinary yaku that all rule sets play: number, names, han closed and open, replaced yaku, and condition.

Han are those of RULES.md 3.3. Numbers are Tenhou's (auditor/readers/mjlog/FORMAT.md 7), numbers of Mahjong Soul are
from RULES.md 4.7, names in 電脳麻将 from auditor/readers/majiang/FORMAT.md 5. The docstring of a condition states it in
words. A condition can hold together with that of a stronger yaku; ``beats`` of the stronger yaku names those that it
replaces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.tiles.kinds import (
    DRAGONS,
    EAST,
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
    WHITE,
    exactly,
    mask_of,
    only,
    some,
)
from engine.yaku.declaration import DORA, RED_FIVE, URA_DORA, counted, yaku

if TYPE_CHECKING:
    from engine.tiles.arrays import I64, Bools
    from engine.yaku.features import Features


def one_suit(kinds: I64) -> Bools:
    """Flag the masks of kinds with tiles of exactly one number suit; honours do not matter."""
    man, pin, sou = (some(kinds & suit) for suit in (MANZU, PINZU, SOUZU))
    return (man ^ pin ^ sou) & ~(man & pin & sou)


FIRST_SUIT = MANZU
FIRST_RUNS = mask_of((0, 9, 18))


@yaku(0, "門前清自摸和", "menzen tsumo", "fully concealed hand", closed=1, mahjong_soul=1)
def menzen_tsumo(f: Features) -> Bools:
    """A closed hand wins by its own draw."""
    return f.tsumo


@yaku(1, "立直", "riichi", "riichi", closed=1, mahjong_soul=2)
def riichi(f: Features) -> Bools:
    """A closed hand in tenpai was declared, for 1000 points."""
    return f.riichi


@yaku(2, "一発", "ippatsu", "one-shot", closed=1, mahjong_soul=30)
def ippatsu(f: Features) -> Bools:
    """The hand wins within a turn after riichi, before any call."""
    return f.ippatsu


@yaku(3, "槍槓", "chankan", "robbing a kan", closed=1, open=1, mahjong_soul=3)
def chankan(f: Features) -> Bools:
    """The winning tile is the one that another seat adds to its pon; in some rules also a North that it sets aside."""
    return f.chankan


@yaku(4, "嶺上開花", "rinshan kaihou", "after a kan", closed=1, open=1, beats=(5,), mahjong_soul=4)
def rinshan(f: Features) -> Bools:
    """The winning tile is the replacement draw of a kan; in most rules of three players also that of a kita."""
    return f.rinshan & f.tsumo


@yaku(5, "海底摸月", "haitei", "under the sea", closed=1, open=1, mahjong_soul=5)
def haitei(f: Features) -> Bools:
    """The winning tile is the last of the wall."""
    return f.last_tile & f.tsumo


@yaku(6, "河底撈魚", "houtei", "under the river", closed=1, open=1, mahjong_soul=6)
def houtei(f: Features) -> Bools:
    """The winning tile is the discard that follows the last draw."""
    return f.last_tile & ~f.tsumo


@yaku(7, "平和", "pinfu", "pinfu", closed=1, mahjong_soul=14)
def pinfu(f: Features) -> Bools:
    """Four runs, a pair without value and an open-ended wait, so that no block gives fu."""
    return f.pinfu


@yaku(8, "断幺九", "tanyao", "all simples", closed=1, open=1, mahjong_soul=12)
def tanyao(f: Features) -> Bools:
    """No terminals and no honours; in an open hand only where the rules have it."""
    return only(f.kinds, SIMPLES) & (f.closed | f.rules.on("open_tanyao"))


@yaku(9, "一盃口", "iipeikou", "pure double sequence", closed=1, mahjong_soul=13)
def iipeikou(f: Features) -> Bools:
    """Two runs of the same tiles."""
    return some(f.runs2)


def _wind_yaku(number: int, kanji: str, romaji: str, english: str) -> None:
    """Declare the triplet of a wind as seat wind (numbers 10 to 13) and as round wind (14 to 17); both can count."""
    bit = 1 << EAST + number - 10

    @yaku(number, f"自風 {kanji}", f"jikaze {romaji}", f"seat wind {english}", closed=1, open=1, mahjong_soul=10,
          name=f"seat_{english}")  # fmt: skip
    def seat_wind(f: Features) -> Bools:
        """A triplet of the seat's wind; with three players, in some rules also one of North for any seat."""
        return some(f.triplets & f.seat_wind & bit)

    @yaku(number + 4, f"場風 {kanji}", f"bakaze {romaji}", f"prevalent wind {english}", closed=1, open=1,
          mahjong_soul=11, name=f"round_{english}")  # fmt: skip
    def round_wind(f: Features) -> Bools:
        """A triplet of the round's wind."""
        return some(f.triplets & f.round_wind & bit)


_wind_yaku(10, "東", "ton", "east")
_wind_yaku(11, "南", "nan", "south")
_wind_yaku(12, "西", "shaa", "west")
_wind_yaku(13, "北", "pei", "north")


@yaku(18, "役牌 白", "haku", "white dragon", closed=1, open=1, majiang="翻牌 白", mahjong_soul=7)
def haku(f: Features) -> Bools:
    """A triplet of white dragons."""
    return some(f.triplets & 1 << WHITE)


@yaku(19, "役牌 發", "hatsu", "green dragon", closed=1, open=1, majiang="翻牌 發", mahjong_soul=8)
def hatsu(f: Features) -> Bools:
    """A triplet of green dragons."""
    return some(f.triplets & 1 << GREEN_DRAGON)


@yaku(20, "役牌 中", "chun", "red dragon", closed=1, open=1, majiang="翻牌 中", mahjong_soul=9)
def chun(f: Features) -> Bools:
    """A triplet of red dragons."""
    return some(f.triplets & 1 << RED_DRAGON)


@yaku(21, "両立直", "double riichi", "double riichi", closed=2, beats=(1,), majiang="ダブル立直", mahjong_soul=18)
def double_riichi(f: Features) -> Bools:
    """Riichi with the first discard, before any call."""
    return f.double_riichi


@yaku(22, "七対子", "chiitoitsu", "seven pairs", closed=2, mahjong_soul=25)
def chiitoitsu(f: Features) -> Bools:
    """Seven different pairs."""
    return f.seven_pairs


@yaku(23, "混全帯幺九", "chanta", "half outside hand", closed=2, open=1, mahjong_soul=15)
def chanta(f: Features) -> Bools:
    """A terminal or an honour in every block, and at least one run."""
    return _in_every_block(f, ORPHANS)


@yaku(24, "一気通貫", "ittsuu", "pure straight", closed=2, open=1, mahjong_soul=16)
def ittsuu(f: Features) -> Bools:
    """Runs 123, 456, 789 of one suit."""
    return some(f.runs & f.runs >> 3 & f.runs >> 6 & FIRST_RUNS)


@yaku(25, "三色同順", "sanshoku doujun", "mixed triple sequence", closed=2, open=1, mahjong_soul=17)
def sanshoku_doujun(f: Features) -> Bools:
    """The same run in all three suits."""
    return some(f.runs & f.runs >> 9 & f.runs >> 18 & FIRST_SUIT)


@yaku(26, "三色同刻", "sanshoku doukou", "triple triplets", closed=2, open=2, mahjong_soul=19)
def sanshoku_doukou(f: Features) -> Bools:
    """The same triplet in all three suits."""
    return some(f.triplets & f.triplets >> 9 & f.triplets >> 18 & FIRST_SUIT)


@yaku(27, "三槓子", "sankantsu", "three quads", closed=2, open=2, mahjong_soul=20)
def sankantsu(f: Features) -> Bools:
    """Three kans."""
    return exactly(3, f.kans)


@yaku(28, "対々和", "toitoi", "all triplets", closed=2, open=2, mahjong_soul=21)
def toitoi(f: Features) -> Bools:
    """Four triplets and a pair."""
    return f.standard & ~some(f.runs)


@yaku(29, "三暗刻", "sanankou", "three concealed triplets", closed=2, open=2, mahjong_soul=22)
def sanankou(f: Features) -> Bools:
    """Three triplets that were completed without the tile of another seat."""
    return exactly(3, f.concealed_triplets)


@yaku(30, "小三元", "shousangen", "little three dragons", closed=2, open=2, mahjong_soul=23)
def shousangen(f: Features) -> Bools:
    """Two triplets of dragons and a pair of dragons."""
    return exactly(2, f.triplets & DRAGONS) & some(f.pair & DRAGONS)


@yaku(31, "混老頭", "honroutou", "all terminals and honours", closed=2, open=2, mahjong_soul=24)
def honroutou(f: Features) -> Bools:
    """Nothing but terminals and honours."""
    return only(f.kinds, ORPHANS) & ~f.orphans


@yaku(32, "二盃口", "ryanpeikou", "twice pure double sequence", closed=3, beats=(9,), mahjong_soul=28)
def ryanpeikou(f: Features) -> Bools:
    """Two times two runs of the same tiles."""
    return exactly(2, f.runs2) | some(f.runs4)


@yaku(33, "純全帯幺九", "junchan", "fully outside hand", closed=3, open=2, beats=(23,), mahjong_soul=26)
def junchan(f: Features) -> Bools:
    """A terminal in every block, and at least one run."""
    return _in_every_block(f, TERMINALS)


@yaku(34, "混一色", "honitsu", "half flush", closed=3, open=2, mahjong_soul=27)
def honitsu(f: Features) -> Bools:
    """Tiles of one suit and honours."""
    return one_suit(f.kinds)


@yaku(35, "清一色", "chinitsu", "full flush", closed=6, open=5, beats=(34,), mahjong_soul=29)
def chinitsu(f: Features) -> Bools:
    """Only tiles of one suit."""
    return one_suit(f.kinds) & only(f.kinds, ~HONOURS)


@yaku(36, "人和", "renhou", "blessing of man", closed=1, majiang="")
def renhou(f: Features) -> Bools:
    """Ron before the first own draw and any call, where the rules count it in han (RULES.md 5.22)."""
    return f.renhou & (f.renhou_han > 0)


counted(DORA, "ドラ", "dora", "dora", meaning="A tile that an indicator shows.", mahjong_soul=31)
counted(
    URA_DORA,
    "裏ドラ",
    "ura dora",
    "ura dora",
    meaning="A tile that an indicator below shows, for a winner in riichi.",
    mahjong_soul=33,
)
counted(RED_FIVE, "赤ドラ", "red five", "red five", meaning="A red five.", mahjong_soul=32)


def _in_every_block(f: Features, kinds: int) -> Bools:
    """Flag readings whose every block holds one of the kinds (terminals, or also honours) and that have a run."""
    return f.standard & some(f.runs) & only(f.runs, TERMINAL_RUNS) & only(f.triplets | f.pair, kinds)
