"""The numbers of yaku by the names that dialects give them: those of gimite's server, and jansou's."""

from __future__ import annotations

from engine.yaku.all_yaku import BY_ID
from engine.yaku.declaration import DORA, RED_FIVE, URA_DORA

SEAT_WIND, ROUND_WIND, DRAGONS = 10, 14, (18, 19, 20)
"""The first of four seat-wind and of four round-wind yaku; the yaku of the dragons."""
OF_SEAT, OF_ROUND, OF_DRAGONS = 1000, 1001, 1002
"""In place of a number: the yaku depends on the winner's seat, on the round, or on the winner's tiles."""
UNKNOWN = 255

GIMITE: dict[str, int] = {
    "menzenchin_tsumoho": 0, "reach": 1, "ippatsu": 2, "chankan": 3, "rinshankaiho": 4, "haiteiraoyue": 5,
    "hoteiraoyui": 6, "pinfu": 7, "tanyaochu": 8, "ipeko": 9, "jikaze": OF_SEAT, "bakaze": OF_ROUND,
    "sangenpai": OF_DRAGONS, "double_reach": 21, "chitoitsu": 22, "honchantaiyao": 23, "ikkitsukan": 24,
    "sanshokudojun": 25, "sanshokudoko": 26, "sankantsu": 27, "toitoiho": 28, "sananko": 29, "shosangen": 30,
    "honroto": 31, "ryanpeko": 32, "junchantaiyao": 33, "honiso": 34, "chiniso": 35, "tenho": 37, "chiho": 38,
    "daisangen": 39, "suanko": 40, "tsuiso": 42, "ryuiso": 43, "chinroto": 44, "churenpoton": 45, "kokushimuso": 47,
    "daisushi": 49, "shosushi": 50, "sukantsu": 51, "dora": DORA, "uradora": URA_DORA, "akadora": RED_FIVE,
}  # fmt: skip
"""The names of gimite's server, which Manue and mjaigym write too."""

JANSOU: dict[str, int] = {
    "MENZEN_TSUMO": 0, "RIICHI": 1, "IPPATSU": 2, "CHANKAN": 3, "RINSHAN": 4, "HAITEI": 5, "HOUTEI": 6, "PINFU": 7,
    "TANYAO": 8, "IIPEIKOU": 9, "YAKUHAI_SEAT": OF_SEAT, "YAKUHAI_ROUND": OF_ROUND, "YAKUHAI_HAKU": 18,
    "YAKUHAI_HATSU": 19, "YAKUHAI_CHUN": 20, "DOUBLE_RIICHI": 21, "CHIITOITSU": 22, "CHANTA": 23, "ITTSU": 24,
    "SANSHOKU_DOUJUN": 25, "SANSHOKU_DOUKOU": 26, "SANKANTSU": 27, "TOITOI": 28, "SANANKOU": 29, "SHOUSANGEN": 30,
    "HONROUTOU": 31, "RYANPEIKOU": 32, "JUNCHAN": 33, "HONITSU": 34, "CHINITSU": 35, "TENHOU": 37, "CHIIHOU": 38,
    "DAISANGEN": 39, "SUUANKOU": 40, "TSUUIISOU": 42, "RYUUIISOU": 43, "CHINROUTOU": 44, "CHUUREN": 45, "KOKUSHI": 47,
    "DAISUUSHI": 49, "SHOUSUUSHI": 50, "SUUKANTSU": 51,
}  # fmt: skip
"""The names of jansou."""

ONE_NAME = {41: 40, 46: 45, 48: 47}
"""Yakuman whose dearer form has no name of its own in these dialects: the form, and the name that it gets."""

_NUMBERED = {f"#{number}": number for number in (*BY_ID, OF_SEAT, OF_ROUND)}
_KANJI = {
    **{yaku.kanji: number for number, yaku in BY_ID.items()},
    "自風牌": OF_SEAT, "場風牌": OF_ROUND, "役牌 白": 18, "役牌 發": 19, "役牌 中": 20, "抜きドラ": DORA,
}  # fmt: skip
"""The Japanese names, as some logs of RiichiEnv have them."""
NAMES = GIMITE | JANSOU | _NUMBERED


def numbered(name: str) -> str:
    """Return the name in ``NAMES`` of a yaku by its Japanese name; another name as it is."""
    return f"#{_KANJI[name]}" if name in _KANJI else name


YAKUMAN = frozenset(range(36, 52))
"""The numbers of yakuman."""
YAKUMAN_HAN = 100
"""The han that gimite's server gives a yakuman."""
