"""Texts of a win: what it is worth, and its yaku (auditor/readers/tenhou_json/FORMAT.md 6)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from auditor.log.yaku_names import fold, names
from engine.yaku.declaration import DORA

UNKNOWN_YAKU = 255
SEAT_WIND, ROUND_WIND = 1001, 1002
"""Groups of yaku_names.py: the wind itself is left to the seat and the round."""
_LIMITS = {
    "": 0, "満貫": 1, "切り上げ満貫": 1, "跳満": 2, "倍満": 3, "三倍満": 4,
    "役満": 5, "数え役満": 5, "二倍役満": 5, "三倍役満": 5,
    "Mangan": 1, "Haneman": 2, "Baiman": 3, "Sanbaiman": 4, "Yakuman": 5, "Counted Yakuman": 5, "Kazoe Yakuman": 5,
}  # fmt: skip
"""The limits by their names: Tenhou's and those of converters, in two languages."""
_WORTH = re.compile(
    r"(?:(?P<fu>[0-9]{1,3})符(?P<han>[0-9]{1,3})飜|(?P<limit>\D*?)\s*)"
    r"(?P<points>[0-9]{1,6})(?:-(?P<dealer>[0-9]{1,6}))?点(?P<all>∀?)"
)
_YAKU = re.compile(r"(?P<name>.+)\((?:(?P<han>[0-9]{1,2})飜|\D*役満)\)")
_KITA = {fold(name) for name in ("抜きドラ", "抜ドラ", "Kita", "North Dora")}


class Worth(NamedTuple):
    """What the text of a win's points says; None where it does not. ``dealer`` is what the dealer pays at a tsumo."""

    fu: int | None
    han: int | None
    limit: int
    points: int
    dealer: int | None
    from_all: bool

    def total(self, seats: int) -> int:
        """Return what the hand is worth in all, from the payments of a tsumo or the points of a ron."""
        if self.from_all:
            return self.points * (seats - 1)
        return self.points if self.dealer is None else self.points * (seats - 2) + self.dealer


@lru_cache(maxsize=1 << 14)
def worth(text: str) -> Worth | None:
    """Read the text of the points; None if it is none."""
    found = _WORTH.fullmatch(text)
    limit = _LIMITS.get(found["limit"] or "") if found else None
    if found is None or limit is None:
        return None
    fu, han, dealer = (None if found[name] is None else int(found[name]) for name in ("fu", "han", "dealer"))
    return Worth(fu, han, limit, int(found["points"]), dealer, bool(found["all"]))


@lru_cache(maxsize=1 << 14)
def yaku(text: str) -> tuple[int, int | None] | None:
    """Read an entry of the yaku: its number (or SEAT_WIND, ROUND_WIND) and its han, None for a yakuman."""
    found = _YAKU.fullmatch(text)
    if found is None:
        return None
    folded = fold(found["name"])
    # A North set aside is a dora, and Tenhou counts it among them.
    number = DORA if folded in _KITA else names().get(folded, UNKNOWN_YAKU)
    known = number <= UNKNOWN_YAKU or number in {SEAT_WIND, ROUND_WIND}
    return number if known else UNKNOWN_YAKU, None if found["han"] is None else int(found["han"])
