"""Lists of fans → the columns yaku, han, yakuman and units of claims (FORMAT.md section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from auditor.log.arrays import lists, where_known
from engine.yaku.all_yaku import BY_MAHJONG_SOUL
from engine.yaku.declaration import DORA

if TYPE_CHECKING:
    import numpy.typing as npt
    import polars as pl

    from auditor.readers.mahjong_soul.fields import Messages

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

UNKNOWN = 255
SEAT_WIND, ROUND_WIND = 10, 11
"""The fans of the seat's and the round's wind: one number for all winds."""
KITA = 34
"""The fan of the norths set aside, which canonical tables count as dora."""
_MOST = 99
"""The most han or units that a column holds."""
_FIRST_SEAT_WIND, _FIRST_ROUND_WIND = 10, 14
"""The first of four seat-wind and of four round-wind yaku."""

_ID: npt.NDArray[np.int64] = np.full(128, UNKNOWN, dtype=np.int64)
_IS_YAKUMAN: npt.NDArray[np.bool_] = np.zeros(128, dtype=bool)
for _fan, _yaku in BY_MAHJONG_SOUL.items():
    _ID[_fan], _IS_YAKUMAN[_fan] = _yaku[0].id, bool(_yaku[0].yakuman)
_ID[KITA] = DORA

NAMES = {
    "门前清自摸和": 1, "立直": 2, "枪杠": 3, "抢杠": 3, "岭上开花": 4, "海底摸月": 5, "河底捞鱼": 6, "役牌 白": 7,
    "役牌白": 7, "役牌:白": 7, "白": 7, "役牌 发": 8, "役牌发": 8, "役牌:发": 8, "发": 8, "役牌 中": 9, "役牌中": 9,
    "役牌:中": 9, "中": 9, "役牌:门风牌": 10, "役牌:自风牌": 10, "役牌:场风牌": 11, "断幺九": 12, "一杯口": 13,
    "平和": 14, "混全带幺九": 15, "一气通贯": 16, "三色同顺": 17, "两立直": 18, "三色同刻": 19, "三杠子": 20,
    "对对和": 21, "三暗刻": 22, "小三元": 23, "混老头": 24, "七对子": 25, "纯全带幺九": 26, "混一色": 27,
    "二杯口": 28, "清一色": 29, "一发": 30, "宝牌": 31, "红宝牌": 32, "赤宝牌": 32, "里宝牌": 33, "北宝牌": 34,
    "拔北宝牌": 34, "天和": 35, "地和": 36, "大三元": 37, "四暗刻": 38, "字一色": 39, "绿一色": 40, "清老头": 41,
    "国士无双": 42, "小四喜": 43, "四杠子": 44, "九莲宝灯": 45, "八连庄": 46, "纯正九莲宝灯": 47, "四暗刻单骑": 48,
    "国士无双十三面": 49, "大四喜": 50,
}  # fmt: skip
"""The fans by the names that the oldest records have in place of numbers."""


def columns(hules: Messages, winner: Ints, dealer: Ints, wind: Ints, players: Ints) -> dict[str, pl.Series]:
    """Return the four columns of each win; the other arguments, int64[wins], are its winner and those of its round."""
    row, fans = hules.parts("fans")
    fan, value = fans.numbers("id").copy(), np.clip(fans.numbers("val"), 0, _MOST)
    unnumbered = np.flatnonzero(fan == 0)
    if len(unnumbered):
        names = fans.texts("name")
        fan[unnumbered] = [NAMES.get(names[at].strip(), 0) for at in unnumbered.tolist()]
    known = (fan > 0) & (fan < len(_ID))
    yaku, yakuman = np.where(known, _ID[np.where(known, fan, 0)], UNKNOWN), _IS_YAKUMAN[np.where(known, fan, 0)]
    yaku = np.where(fan == SEAT_WIND, _FIRST_SEAT_WIND + (winner - dealer)[row] % players[row], yaku)
    yaku = np.where(fan == ROUND_WIND, _FIRST_ROUND_WIND + wind[row] % 4, yaku)
    # A fan that is unknown counts as a yakuman in a win by yakuman.
    yakuman |= (yaku == UNKNOWN) & (hules.numbers("yiman") != 0)[row]
    row, yaku, yakuman, value = _merged(row, yaku, yakuman, value)

    def column(values: Ints, chosen: Bools, dtype: type) -> pl.Series:
        size = np.bincount(row[chosen], minlength=hules.count)
        return where_known(lists(values[chosen].astype(dtype), size), size > 0)

    return {
        "yaku": column(yaku, ~yakuman, np.uint8),
        "han": column(value, ~yakuman, np.int16),
        "yakuman": column(yaku, yakuman, np.uint8),
        "units": column(np.minimum(value, 9), yakuman, np.uint8),
    }


def _merged(row: Ints, yaku: Ints, yakuman: Bools, value: Ints) -> tuple[Ints, Ints, Bools, Ints]:
    """Return the entries with one for dora where a win lists both dora and norths set aside."""
    dora = np.flatnonzero(yaku == DORA)
    first = np.append(True, row[dora][1:] != row[dora][:-1])[: len(dora)]
    again = dora[~first]
    if not len(again):
        return row, yaku, yakuman, value
    value = value.copy()
    into = dora[first][np.searchsorted(row[dora[first]], row[again])]
    np.add.at(value, into, value[again])
    kept = np.ones(len(row), dtype=bool)
    kept[again] = False
    return row[kept], yaku[kept], yakuman[kept], value[kept]
