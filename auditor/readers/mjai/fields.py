"""The fields of mjai events, stated once: the JSON form of each value, and what each type of event needs.

Source: auditor/readers/mjai/FORMAT.md sections 2, 3 and 5. Two modules use these tables: texts.py makes a grammar of
them, and careful.py reads the texts that do not fit that grammar.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import polars as pl

from auditor.log.tile_ids import PHYSICAL
from engine.tiles.kinds import KINDS

HIDDEN = "?"
"""A tile that this log does not show."""
NORTH = PHYSICAL + 30

TILE_ID: dict[str, int] = {
    **{f"{digit}{suit}": PHYSICAL + 9 * row + digit - 1 for row, suit in enumerate("mps") for digit in range(1, 10)},
    **{name: PHYSICAL + 27 + place for place, name in enumerate("ESWNPFC")},
    **{f"5{suit}r": PHYSICAL + KINDS + row for row, suit in enumerate("mps")},
}
"""The tile id of each tile that mjai names."""

WIND = {"E": 0, "S": 1, "W": 2, "N": 3}
MOST_LISTED = 40
"""The number of entries of the longest list that is read."""


class Form(NamedTuple):
    """The JSON form of a value.

    Parameters
    ----------
    expected
        the possible values in words, for messages
    pattern
        a regular expression of their JSON, without spaces
    dtype
        the Polars type of the decoded value

    """

    expected: str
    pattern: str
    dtype: pl.DataType


def _some(entry: str) -> str:
    return rf"\[(?:{entry}(?:,{entry})*)?\]"


_TEXT = r'"(?:[ !#-\[\]-~]|\\[n"\\/])*"'
_TILE = r'"(?:[1-9][mps]|5[mps]r|[ESWNPFC]|\?)"'
_BOOL = r"(?:true|false)"
_POINTS = r"(?:0|-?[1-9][0-9]{0,6})"
_COUNT = r"(?:0|[1-9][0-9]?)"

_seat = Form("a seat, 0 to 3", "[0-3]", pl.Int8())
_tile = Form("a tile", _TILE, pl.String())
_tiles = Form("a list of tiles", _some(_TILE), pl.List(pl.String))
_hands = Form("a list of hands", _some(rf"(?:null|{_some(_TILE)})"), pl.List(pl.List(pl.String)))
_points = Form("a list of points by seat", _some(_POINTS), pl.List(pl.Int32))
_count = Form("a whole number, 0 to 99", _COUNT, pl.Int16())
_number = Form("a whole number, 0 to 999", "(?:0|[1-9][0-9]{0,2})", pl.Int16())
_truth = Form("true or false", _BOOL, pl.Boolean())

FIELDS: dict[str, Form] = {
    "type": Form("a text", '"[a-z_]+"', pl.String()),
    "actor": _seat,
    "target": _seat,
    "pai": _tile,
    "consumed": _tiles,
    "pais": _tiles,
    "tsumogiri": _truth,
    "dora_marker": _tile,
    "bakaze": Form("a wind", '"[ESWN]"', pl.String()),
    "kyoku": Form("a number, 1 to 4", "[1-4]", pl.Int8()),
    "honba": _count,
    "kyotaku": _count,
    "oya": _seat,
    "scores": _points,
    "tehais": _hands,
    "deltas": _points,
    "reason": Form("a text", _TEXT, pl.String()),
    "tenpais": Form("a list of true and false", _some(_BOOL), pl.List(pl.Boolean)),
    "hora_tehais": _tiles,
    "hora_points": Form("points", "(?:0|[1-9][0-9]{0,6})", pl.Int32()),
    "fu": _number,
    "fan": _number,
    "yakus": Form("a list of yaku and their han", _some(rf"\[{_TEXT},(?:0|[1-9][0-9]{{0,2}})\]"),
                  pl.List(pl.List(pl.String))),
    "pao": _seat,
    "ura_markers": _tiles,
    "uradora_markers": _tiles,
    "uradora_marker": _tiles,
}  # fmt: skip
"""The fields that are read. Other keys have no meaning for the game."""

UNREAD = {
    "logs": _some(rf"(?:null|{_TEXT})"),
    "haiyama": _some(_TILE),
    "tsumo": _BOOL,
    "can_act": _BOOL,
    "cannot_dahai": _some(_TILE),
}
"""Patterns of common keys that are not read, so that the texts which have them fit the grammar."""

COMPILED = {name: re.compile(form.pattern) for name, form in FIELDS.items()}
"""The patterns of single values: the careful reader applies them to each value's JSON."""

SCHEMA: dict[str, pl.DataType] = {name: form.dtype for name, form in FIELDS.items()}
"""The Polars types of a decoded event."""

NEEDS: dict[str, dict[str, int]] = {
    "start_kyoku": {},
    "haipai": {"actor": 0},
    "tsumo": {"actor": 0, "pai": 0},
    "dahai": {"actor": 0, "pai": 0},
    "chi": {"actor": 0, "target": 0, "pai": 0, "consumed": 2},
    "pon": {"actor": 0, "target": 0, "pai": 0, "consumed": 2},
    "daiminkan": {"actor": 0, "target": 0, "pai": 0, "consumed": 3},
    "kakan": {"actor": 0, "pai": 0, "consumed": 3},
    "ankan": {"actor": 0, "consumed": 4},
    "nukidora": {"actor": 0},
    "kita": {"actor": 0},
    "dora": {"dora_marker": 0},
    "reach": {"actor": 0},
    "reach_accepted": {"actor": 0},
    "hora": {"actor": 0},
    "ryukyoku": {},
    "end_kyoku": {},
    "end_game": {},
}
"""The events of a round, with the fields that each needs, and how many entries a list must have (0: no list)."""

START_GAME = "start_game"
PROTOCOL = ("none", "hello", "join", "error", "possible_actions")
"""Messages between server and players that are no events of the game."""


def grammar() -> str:
    """Return the pattern of an event's text: pairs of known keys and possible values, in any order."""
    space = "[ \t]*"
    pairs = [
        rf'"{name}"{space}:{space}{_spaced(pattern)}'
        for name, pattern in [*((name, form.pattern) for name, form in FIELDS.items()), *UNREAD.items()]
    ]
    pair = f"(?:{'|'.join(pairs)})"
    return rf"^\{{{space}{pair}{space}(?:,{space}{pair}{space})*\}}$"


def _spaced(pattern: str) -> str:
    """Return a pattern that allows a blank behind each comma between entries, as Python writes JSON."""
    return (
        pattern.replace("(?:,", "(?:, ?")
        .replace("],", "], ?")
        .replace('",', '", ?')
        .replace(f"{_TEXT},", f"{_TEXT}, ?")
    )
