"""The fields of a paipu, stated once: the JSON type of each, its possible values, and what is lost without it.

Source: auditor/readers/majiang/FORMAT.md sections 1 to 6. All versions write all keys except the ``optional`` ones.
Three modules use these tables: grammar.py makes a grammar of them, faulty_game.py reads texts that do not fit that
grammar, and faults.py checks decoded values.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from auditor.log.columns import RANGES, Range
from auditor.log.tables import SEATS

if TYPE_CHECKING:
    from collections.abc import Callable

    Fits = Callable[[pl.Expr], pl.Expr]

MOST_LISTED = 40
"""The number of entries of the longest list that is read; no win has more yaku or indicators."""
ANY = -1
"""As a number of entries: a list of any length."""


class JsonKind(Enum):
    """The JSON type of a value."""

    TEXT = auto()
    WHOLE = auto()
    HAN = auto()
    """A whole number, or a star or two for a yakuman."""
    NUMBER = auto()
    """A number, or a text of one."""
    YAKU = auto()
    """An object with the keys of the table YAKU."""


class Field(NamedTuple):
    """A field of an object: the JSON type of its value, and the possible values of that type.

    Parameters
    ----------
    kind
        the type of the value, or of each of its ``entries``
    expected
        the possible values in words, for messages
    fits
        takes a column of values of that kind and returns which are possible; None if all are
    entries
        0 for a single value; otherwise the length of the list, or ANY
    vital
        whether an event without it is left out
    rest
        whether the rest of the round is not read without it
    nullable
        whether null is a possible value with a meaning of its own
    optional
        whether it can be missing

    """

    kind: JsonKind
    expected: str
    fits: Fits | None = None
    entries: int = 0
    vital: bool = False
    rest: bool = False
    nullable: bool = False
    optional: bool = False

    @property
    def dtype(self) -> pl.DataType:
        """The Polars type of the decoded value."""
        return pl.List(_DTYPE[self.kind]) if self.entries else _DTYPE[self.kind]


def _between(bounds: Range) -> Fits:
    return lambda value: value.is_between(bounds.low, bounds.high)


def _like(pattern: str) -> Fits:
    return lambda value: value.str.contains(pattern)


def _each(fits: Fits) -> Fits:
    return lambda value: (
        (value.list.len() <= MOST_LISTED) & value.list.eval(fits(pl.element()).fill_null(value=True)).list.all()
    )


_TILE = r"(?:[mps][0-9]|z[1-7])"
_SHAPE = r"(?:D[-+=]?DD|DD[-+=]?D|DDD[-+=]?|DDDD[-+=]?|DDD[-+=]D)"
_MELD = f"(?:[mps]{_SHAPE.replace('D', '[0-9]')}|z{_SHAPE.replace('D', '[1-7]')})"
_HAND = rf"^(?:_|[mps][0-9]+|z[1-7]+)*\*?(?:,(?:{_MELD})?)*$"

_ROUND, _CLAIM, _GAME = RANGES["rounds"], RANGES["claims"], RANGES["games"]
_SEAT = Range(0, SEATS - 1)
_seat = Field(JsonKind.WHOLE, "a place, 0 to 3", _between(_SEAT), vital=True)
_drawn = Field(JsonKind.TEXT, "a tile", _like(rf"^(?:{_TILE}|_)_?\*?$"))
_turned = Field(JsonKind.TEXT, "a tile", _like(rf"^{_TILE}$"))
_called = Field(JsonKind.TEXT, "a meld", _like(rf"^{_MELD}$"), vital=True)
_moved = Field(JsonKind.WHOLE, "four numbers", _each(_between(_CLAIM["deltas"])), entries=SEATS)
_hands = Field(JsonKind.TEXT, "four hands", _each(_like(_HAND)), entries=SEATS)
_TURN = {"l": _seat, "p": _drawn}
_CALL = {"l": _seat, "m": _called}


def _counted(what: str, bounds: Range, *, optional: bool = False) -> Field:
    return Field(JsonKind.WHOLE, f"{what}, {bounds.low} to {bounds.high}", _between(bounds), optional=optional)


YAKU = {
    "name": Field(JsonKind.TEXT, "a yaku's name"),
    "fanshu": Field(JsonKind.HAN, "han, or a star for a yakuman"),
    "baojia": Field(JsonKind.TEXT, "who is liable: +, = or -", nullable=True, optional=True),
}
"""The fields of an entry of ``hupai``."""


def _yaku(value: pl.Expr) -> pl.Expr:
    """Return whether a yaku's han and liable seat are possible."""
    known = value.struct.field("fanshu").str.contains(r"^(?:[0-9]{1,2}|\*{1,2})$")
    return known & value.struct.field("baojia").str.contains("^[-+=]$").fill_null(value=True)


EVENTS: dict[str, dict[str, Field]] = {
    "qipai": {
        "zhuangfeng": _counted("a wind", _ROUND["wind"]),
        "jushu": Field(JsonKind.WHOLE, "the dealer's number, 0 to 3", _between(_SEAT), rest=True),
        "changbang": _counted("honba", _ROUND["honba"]),
        "lizhibang": _counted("riichi sticks", _ROUND["sticks"]),
        "defen": _moved._replace(fits=_each(_between(_ROUND["start"]))),
        "baopai": _turned,
        "shoupai": _hands,
    },
    "zimo": _TURN,
    "dapai": _TURN,
    "fulou": _CALL,
    "gang": _CALL,
    "gangzimo": _TURN,
    "kaigang": {"baopai": _turned._replace(vital=True)},
    "hule": {
        "l": _seat._replace(vital=False),
        "shoupai": Field(JsonKind.TEXT, "a hand", _like(_HAND)),
        "baojia": Field(JsonKind.WHOLE, "a place, 0 to 3, or null", _between(_SEAT), nullable=True),
        "fubaopai": Field(JsonKind.TEXT, "tiles, or null", _each(_like(rf"^{_TILE}$")), entries=ANY, nullable=True),
        "fu": _counted("fu", _CLAIM["fu"], optional=True),
        "fanshu": _counted("han", _CLAIM["total_han"], optional=True),
        "damanguan": _counted("yakuman", _CLAIM["total_units"], optional=True),
        "defen": Field(JsonKind.WHOLE, "points", _between(_CLAIM["points"])),
        "hupai": Field(JsonKind.YAKU, "a list of yaku", _each(_yaku), entries=ANY),
        "fenpei": _moved,
    },
    "pingju": {
        "name": Field(JsonKind.TEXT, "a known draw"),
        "shoupai": _hands._replace(expected="four hands, empty where closed"),
        "fenpei": _moved,
    },
}  # fmt: skip
"""The keys of each event, in the order in which the engine writes them."""

RESULTS = ("hule", "pingju")

WORTH = (("fu", "fanshu"), ("damanguan",))
"""A win states its worth by one of these groups of keys."""

HEAD = {
    "title": Field(JsonKind.TEXT, "a text"),
    "player": Field(JsonKind.TEXT, "four names", entries=SEATS),
    "qijia": Field(JsonKind.WHOLE, "the first dealer's number, 0 to 3", _between(_SEAT)),
}
"""The keys of a game before its log."""

END = {
    "defen": Field(JsonKind.WHOLE, "four scores", _each(_between(_GAME["final_scores"])), entries=SEATS),
    "rank": Field(JsonKind.WHOLE, "four places", _each(_between(_GAME["places"])), entries=SEATS),
    "point": Field(JsonKind.NUMBER, "four numbers", _each(_like(r"^[-+]?[0-9]{1,5}(?:\.[0-9]{1,9})?$")), entries=SEATS),
}
"""The keys of a game after its log; a game that is not over has none of them."""

_DTYPE: dict[JsonKind, pl.DataType] = {
    JsonKind.TEXT: pl.String(),
    JsonKind.WHOLE: pl.Int32(),
    JsonKind.HAN: pl.String(),
    JsonKind.NUMBER: pl.String(),
    JsonKind.YAKU: pl.Struct(dict.fromkeys(YAKU, pl.String)),
}


def struct(keys: dict[str, Field]) -> pl.Struct:
    """Return the Polars type of a decoded object with these keys."""
    return pl.Struct({name: key.dtype for name, key in keys.items()})


PAIPU: dict[str, pl.DataType] = {
    **{name: key.dtype for name, key in HEAD.items()},
    "log": pl.List(pl.List(pl.Struct({name: struct(keys) for name, keys in EVENTS.items()}))),
    **{name: key.dtype for name, key in END.items()},
}
"""The Polars types of a decoded game, by key."""
