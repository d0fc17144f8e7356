"""Every tag and attribute of mjlog, and the numbers that each can hold (auditor/readers/mjlog/FORMAT.md 3, 4, 7, 8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from auditor.log.columns import RANGES, SCORE, SEAT

if TYPE_CHECKING:
    import numpy.typing as npt

TILE_ID = (0, 135)
MANY = range(1, 15)


@dataclass(frozen=True)
class Numbers:
    """What a comma-separated list of whole numbers can hold.

    ``counts`` are the possible lengths of the list, ``low`` and ``high`` the bounds of every number, inclusive.
    ``highs`` has an upper bound for each place, if they differ. ``melds``: the numbers are meld codes. ``of_last_seat``
    says how many numbers at the end are those of seat 3.
    """

    counts: tuple[int, ...]
    low: int
    high: int
    highs: tuple[int, ...] = ()
    melds: bool = False
    of_last_seat: int = 0

    def __str__(self) -> str:
        """Return the text for messages that says which numbers are expected."""
        if self.highs:
            return f"{len(self.highs)} whole numbers in {', '.join(f'{self.low}..{high}' for high in self.highs)}"
        few, most = min(self.counts), max(self.counts)
        if self.melds:
            return f"{most if few == most else f'{few}-{most}'} meld code(s), spare bits 0"
        count = f"{few}" if few == most else f"{few}-{most}" if len(self.counts) > 2 else f"{few} or {most}"
        return f"{count} whole number(s) in {self.low}..{self.high}"


def _one(low: int, high: int) -> Numbers:
    return Numbers((1,), low, high)


def _each(*highs: int) -> Numbers:
    return Numbers((len(highs),), 0, max(highs), highs)


_ROUND, _CLAIM = RANGES["rounds"], RANGES["claims"]
_SEAT = _one(*SEAT[:2])
_SCORE = SCORE.high // 100
_SCORES = Numbers((4,), -_SCORE, _SCORE, of_last_seat=1)
_COUNTERS = (_ROUND["honba"].high, _ROUND["sticks"].high)
_LAST_ROUND = (_ROUND["wind"].high + 1) * (SEAT.high + 1) - 1
_DICE = (_ROUND["dice"].high,) * 2
_HAI = Numbers(tuple(MANY), *TILE_ID)
_SHOWN = Numbers(tuple(range(6)), *TILE_ID)
"""Indicators. Bots write an empty text for no indicators, and for no melds."""
_RESULT = {
    "ba": _each(*_COUNTERS),
    "sc": Numbers((8, 16), -_SCORE, _SCORE, of_last_seat=2),
    "owari": None,
    "chip": None,
    "ratio": None,
}
SPEC: dict[str, dict[str, Numbers | None]] = {
    "mjloggm": {"ver": None},
    "SHUFFLE": {"seed": None, "ref": None},
    "GO": {
        "type": _one(0, 0xFFFF),
        "lobby": None,
        "title": None,
        "rule": None,
        "ranking": None,
        "csrule": None,
    },
    "UN": {
        **dict.fromkeys(("n0", "n1", "n2", "n3")),
        "dan": _each(*[20] * 4),
        **dict.fromkeys(("rate", "sx", "rc", "gold")),
    },
    "TAIKYOKU": {"oya": _SEAT, "log": None},
    "BYE": {"who": _SEAT},
    "INIT": {
        "seed": _each(_LAST_ROUND, *_COUNTERS, *_DICE, TILE_ID[1]),
        "ten": _SCORES,
        "oya": _SEAT,
        **{f"hai{seat}": Numbers((13,), *TILE_ID) for seat in range(4)},
        "shuffle": None,
        "chip": _SCORES,
    },
    "N": {"who": _SEAT, "m": Numbers((1,), 0, 0xFFFF, melds=True)},
    "REACH": {"who": _SEAT, "step": _one(1, 2), "ten": _SCORES},
    "DORA": {"hai": _one(*TILE_ID)},
    "AGARI": {
        **_RESULT,
        "hai": _HAI,
        "m": Numbers(tuple(range(9)), 0, 0xFFFF, melds=True),
        "machi": _one(*TILE_ID),
        "ten": _each(*(_CLAIM[name].high for name in ("fu", "points", "limit"))),
        "yaku": Numbers(tuple(range(0, 60, 2)), 0, _CLAIM["han"].high),
        "yakuman": Numbers(tuple(range(9)), 0, 54),
        "doraHai": _SHOWN,
        "doraHaiUra": _SHOWN,
        "who": _SEAT,
        "fromWho": _SEAT,
        "paoWho": _SEAT,
    },
    "RYUUKYOKU": {**_RESULT, "type": None, **{f"hai{seat}": _HAI for seat in range(4)}},
}
CLOSING = "/mjloggm"
NAMES = (*SPEC, CLOSING)
NAME = {name: number for number, name in enumerate(NAMES)}

FIELDS = [(tag, attribute, numbers) for tag, attributes in SPEC.items() for attribute, numbers in attributes.items()]
ATTRIBUTE = {name: number for number, name in enumerate(dict.fromkeys(attribute for _, attribute, _ in FIELDS))}
FIELD: npt.NDArray[np.int8] = np.full((len(NAMES) + 1, len(ATTRIBUTE) + 1), -1, dtype=np.int8)
for _number, (_tag, _attribute, _) in enumerate(FIELDS):
    FIELD[NAME[_tag], ATTRIBUTE[_attribute]] = _number
"""The number of each field in ``FIELDS``, by tag and attribute; -1, and the last row and column, for unknown ones."""
NUMERIC = np.array([numbers is not None for _, _, numbers in FIELDS] + [False])
_ANY = np.iinfo(np.int32)
_WITHOUT = (_ANY.min, _ANY.max)
BOUNDS: npt.NDArray[np.int32] = np.array(
    [(numbers.low, numbers.high) if numbers else _WITHOUT for *_, numbers in FIELDS] + [_WITHOUT], dtype=np.int32
)
"""The lowest and the highest number of each field, int32[fields + 1, 2]."""
COUNTS = np.array([sum(1 << count for count in numbers.counts) if numbers else 0 for *_, numbers in FIELDS] + [0])
"""For each field, a bit mask of the possible lengths of its list: bit n is set if n numbers are possible."""
SC = np.array([attribute == "sc" for _, attribute, _ in FIELDS] + [False])
IS_SEAT = np.array([numbers is _SEAT for _, _, numbers in FIELDS] + [False])
LAST_HAND = np.array([attribute == "hai3" for _, attribute, _ in FIELDS] + [False])
ROUND_NUMBER = np.array([(tag, attribute) == ("INIT", "seed") for tag, attribute, _ in FIELDS] + [False])
OF_LAST_SEAT = np.array([numbers.of_last_seat if numbers else 0 for _, _, numbers in FIELDS] + [0])
PLACED = [number for number, (_, _, numbers) in enumerate(FIELDS) if numbers and len({*numbers.highs}) > 1]
"""The fields whose numbers have different upper bounds."""
MELDS = np.array([numbers is not None and numbers.melds for _, _, numbers in FIELDS] + [False])
