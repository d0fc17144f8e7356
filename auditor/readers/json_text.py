"""Reads JSON of every format: cuts a text into values, and keeps what Python's own decoder loses.

That is: repeated keys, numbers as written, nesting of any depth.

It also reads control characters within texts, and NaN, although JSON has neither.
"""

from __future__ import annotations

import json
import re
from typing import Any

WHOLE_DIGITS = 9
"""The number of digits of the longest whole number that is read; no column can hold more."""
SPACE = " \t\r\n\ufeff"
"""White space of JSON, and the byte order mark that some editors put before a text."""
DEEPEST = 50
"""The number of levels of brackets that are read; no log has more than ten."""
BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},]', re.DOTALL)
"""The marks of a JSON text's structure. A quoted text is one match, so that brackets within it do not count."""
_SHOWN = 80


class Number(str):
    """The text of a JSON number that is not whole or has too many digits."""

    __slots__ = ()


class Repeated(dict[str, Any]):
    """An object with repeated keys; ``again`` has each of them, and whether its values differ."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        by_key: dict[str, list[Any]] = {}
        for key, value in pairs:
            by_key.setdefault(key, []).append(value)
        self.again = {
            key: any(each != values[0] for each in values) for key, values in by_key.items() if len(values) > 1
        }


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else Repeated(pairs)


def _whole(text: str) -> int | Number:
    return int(text) if len(text) <= WHOLE_DIGITS + 1 else Number(text)


DECODER = json.JSONDecoder(
    strict=False, object_pairs_hook=_object, parse_int=_whole, parse_float=Number, parse_constant=Number
)
"""Decodes to dict or Repeated, list, str, int, Number, bool, None; raises RecursionError if nesting is too deep."""


def shallow(text: str) -> str:
    """Return a JSON text with null for everything that is nested deeper than DEEPEST."""
    kept, depth, start = [], 0, 0
    for mark in BRACKETS.finditer(text):
        if mark[0] in "[{":
            depth += 1
            if depth == DEEPEST + 1:
                kept.append(text[start : mark.start()])
        elif mark[0] in "]}":
            if depth == DEEPEST + 1:
                kept.append("null")
                start = mark.end()
            depth -= 1
    return "".join(kept) if depth > DEEPEST else "".join(kept) + text[start:]


_SPACE = re.compile(r"[ \n\r\t\ufeff]*")


def after_space(text: str, start: int) -> int:
    """Return the place where white space that begins at ``start`` ends."""
    space = _SPACE.match(text, start)
    return space.end() if space else start


def end_of_value(text: str, start: int) -> int | None:
    """Return the place where the JSON value that begins at ``start`` ends; None if there is none that can be read."""
    try:
        return DECODER.raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return None


def entries(text: str) -> list[str]:
    """Return the texts of an array's entries. An entry that is no JSON ends at the next comma outside its brackets."""
    found, start = [], after_space(text, 1)
    while start < len(text) and text[start] != "]":
        end = end_of_value(text, start)
        following = len(text) if end is None else after_space(text, end)
        if text[following : following + 1] not in (",", "]"):
            following = _end_of_entry(text, start)
        found.append(text[start:following].strip(SPACE))
        start = following if text[following : following + 1] == "]" else after_space(text, following + 1)
    rest = text[after_space(text, start + 1) :]
    return [*found, rest] if rest else found


def _end_of_entry(text: str, start: int) -> int:
    """Return the place of the comma or bracket that ends an entry of an array, even if the entry is no JSON."""
    depth = 0
    for mark in BRACKETS.finditer(text, start):
        if mark[0] in "[{":
            depth += 1
        elif mark[0] in "]}" and depth:
            depth -= 1
        elif mark[0] in ",]" and not depth:
            return mark.start()
    return len(text)


def apart(text: str) -> list[str]:
    """Return the texts of JSON values that follow one another, and the rest of the text if it is none."""
    found, start = [], 0
    while start < len(text) and (end := end_of_value(text, start)) is not None:
        found.append(text[start:end])
        start = after_space(text, end)
    rest = text[start:]
    return [*found, rest] if rest else found


def shown(value: object) -> str:
    """Return the beginning of a value's JSON for a message, with lone surrogates written as their numbers."""
    text = value if isinstance(value, Number) else json.dumps(value, ensure_ascii=False)
    return printable(text[:_SHOWN])


def printable(text: str) -> str:
    """Return a text with lone surrogates written as their numbers: no table can hold them."""
    return text.encode("utf-8", "backslashreplace").decode()
