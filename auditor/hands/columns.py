"""The columns of a table of hands: those that are read, those that are added, and misspelt ones."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from auditor.hands.parsing import FLAGS, NUMBERS

if TYPE_CHECKING:
    from collections.abc import Iterable

TEXTS = ("hand", "win", "seat", "round", "dora", "ura")
AMOUNTS = ("fu", "han", "points")
CLAIMS = (*AMOUNTS, "yaku")
KNOWN = (*TEXTS, *FLAGS, *NUMBERS, "players", *CLAIMS)

EXPECTED = tuple(f"expected_{name}" for name in ("fu", "han", "yaku", "limit", "points", "payments"))
ADDED = (*EXPECTED, "problem", "unreadable", "depends_on", "compared", "not_checkable", "mismatch")
"""Columns that scoring adds. A column of this name in the table is from an earlier scoring, and is replaced."""

_ALIKE = 0.75
_OTHER_THINGS = ("player",)
"""Names that resemble a known one, but mean something else: who won."""
_OTHERS = {
    "hand": "tiles tehai hand_tiles shoupai",
    "win": "tsumo ron winning_tile win_tile agari agarihai rongpai feeder",
    "seat": "seat_wind own_wind player_wind jikaze menfeng",
    "round": "round_wind prevalent_wind bakaze zhuangfeng",
    "dora": "dora_indicator dora_indicators baopai",
    "ura": "ura_dora uradora ura_indicator ura_indicators ura_dora_indicators fubaopai",
    "riichi": "reach double_riichi lizhi",
    "last_tile": "haitei houtei last haidi",
    "first_turn": "tenhou chiihou renhou first tianhu",
    "kita": "norths nuki nukidora nuki_dora peinuki pei babei n_kita kita_count 北 北抜き 抜きドラ",
    "on_kita": "kita_ron ron_on_kita",
    "honba": "counters repeats changbang",
    "players": "player_count number_of_players num_players n_players",
    "sticks": "riichi_sticks kyotaku deposits lizhibang",
    "fu": "minipoints fu_count total_fu 符",
    "han": "fan han_count total_han fanshu 翻 飜 番",
    "points": "score scores pts ten total_points defen cost payment payments 点 点数",
    "yaku": "yaku_list yaku_names hupai 役",
}
"""Other names that people give these columns, separated by blanks."""


def name_of(column: str) -> str:
    """Return a column's name in the spelling of the known ones: small letters, underscores for blanks and dashes."""
    return column.strip().lower().replace(" ", "_").replace("-", "_")


def misspelt(columns: Iterable[str]) -> dict[str, str]:
    """Return by unknown column the most similar known one; columns that are similar to none are left out."""
    near: dict[str, str] = {}
    for column in columns:
        name = name_of(column)
        if name not in (*KNOWN, *ADDED, *_OTHER_THINGS):
            found = difflib.get_close_matches(name, KNOWN, n=1, cutoff=_ALIKE)
            near.update((column, each) for each in found)
    return near


def in_other_words(columns: Iterable[str]) -> dict[str, str]:
    """Return by column the known column that it may be another name for."""
    meant = {other: name for name, others in _OTHERS.items() for other in others.split()}
    return {column: meant[name_of(column)] for column in columns if name_of(column) in meant}
