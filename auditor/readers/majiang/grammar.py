"""A grammar of paipu as one regular expression. A text that fits it need not be read value by value.

The grammar is made from the tables of fields.py. A text that fits is JSON, and has each key once, with a value of the
right type, in the order in which the engine writes them. A text that does not fit can still be right, for example if
its keys are in another order; faulty_game.py reads it value by value.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from auditor.readers.json_text import WHOLE_DIGITS
from auditor.readers.majiang.fields import ANY, END, EVENTS, HEAD, WORTH, YAKU, Field, JsonKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    import polars as pl

_SPACE = r"[ \n\r\t]*"
_ESCAPED = r'\\(?:["\\/bfnrt]|u(?:[0-9a-cefA-CEF][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2}))'  # no lone surrogate
_TEXT = rf'"(?:[^"\\\x00-\x1f]|{_ESCAPED})*"'
_WHOLE = rf"(?:0|-?[1-9][0-9]{{0,{WHOLE_DIGITS - 1}}})"
_NUMBER = rf"-?(?:0|[1-9][0-9]{{0,{WHOLE_DIGITS - 1}}})(?:\.[0-9]{{1,{WHOLE_DIGITS}}})?"


def fits(texts: pl.Series) -> pl.Series:
    """Return bool[n]: whether each text is a game that fits the grammar."""
    return texts.str.contains(GAME)


def _spaced(*parts: str) -> str:
    return _SPACE.join(parts)


def _either(*forms: str) -> str:
    return f"(?:{'|'.join(forms)})"


def _list(entry: str, entries: int) -> str:
    if entries == ANY:
        return _spaced(r"\[", f"(?:{entry}{_SPACE}(?:,{_SPACE}{entry}{_SPACE})*)?", r"\]")
    return _spaced(r"\[", *[entry, ","] * (entries - 1), entry, r"\]")


def _some(entry: str) -> str:
    """Return the pattern of a list of one or more entries."""
    return _spaced(r"\[", f"{entry}{_SPACE}(?:,{_SPACE}{entry}{_SPACE})*", r"\]")


def _pairs(pairs: Iterable[str]) -> str:
    return f"{_SPACE},{_SPACE}".join(pairs)


def _object(pairs: Iterable[str]) -> str:
    return _spaced(r"\{", _pairs(pairs), r"\}")


def _pair(name: str, value: str) -> str:
    return _spaced(f'"{name}"', ":", value)


def _value(key: Field) -> str:
    value = _list(_KIND[key.kind], key.entries) if key.entries else _KIND[key.kind]
    return _either("null", value) if key.nullable else value


def _key_pairs(keys: dict[str, Field]) -> list[str]:
    return [_pair(name, _value(key)) for name, key in keys.items()]


def _event(name: str, keys: dict[str, Field]) -> str:
    pairs = _key_pairs(keys)
    if len(pairs) == 2:  # who and what, in either order
        return _pair(name, _either(_object(pairs), _object(reversed(pairs))))
    if name == "hule":
        by_key = dict(zip(keys, pairs, strict=True))
        worth = _either(*(_pairs(by_key[each] for each in group) for group in WORTH))
        others = [each for each in keys if not any(each in group for group in WORTH)]
        before = others.index("fubaopai") + 1
        pairs = [*(by_key[each] for each in others[:before]), worth, *(by_key[each] for each in others[before:])]
    return _pair(name, _object(pairs))


def _yaku() -> str:
    required = _pairs(_pair(name, _value(key)) for name, key in YAKU.items() if not key.optional)
    optional = "".join(
        f"(?:,{_SPACE}{_pair(name, _value(key))}{_SPACE})?" for name, key in YAKU.items() if key.optional
    )
    return _spaced(r"\{", required, optional + r"\}")


_KIND = {
    JsonKind.TEXT: _TEXT,
    JsonKind.WHOLE: _WHOLE,
    JsonKind.HAN: _either(_WHOLE, r'"\*{1,2}"'),
    JsonKind.NUMBER: _either(_TEXT, _NUMBER),
}
_KIND[JsonKind.YAKU] = _yaku()


def _game() -> str:
    event = _spaced(r"\{", _either(*(_event(name, keys) for name, keys in EVENTS.items())), r"\}")
    scores, *places = _key_pairs(END)
    end = _pairs([scores, _either(_pairs(places), _pairs(reversed(places)))])
    return f"^{_object([*_key_pairs(HEAD), _pair('log', _some(_some(event))), end])}$"


GAME = _game()
"""The grammar, as a regular expression."""

WRAPPED = re.compile(rf'"paipu"{_SPACE}:{_SPACE}')
"""Matches the text before the paipu in an object that has its rules too."""
