"""Cuts a file into the texts of its games: one alone, an array, JSON Lines, or several one after another.

If one of the texts is no game, it is still one text, and its neighbours are not affected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.readers.majiang.json_text import BRACKETS, after_space, end_of_value

if TYPE_CHECKING:
    from collections.abc import Iterator

SPACE = " \t\r\n\ufeff"
"""White space of JSON, and the byte order mark that some editors put before a text."""
_LOG = '"log"'


def texts(data: bytes) -> Iterator[tuple[str | None, str]]:
    """Yield the number and text of each game.

    The number is that of its line, or its place in the array, from 1; None for a game alone. Lines end only at line
    feeds, because names can contain other characters that Python counts as line ends.
    """
    text = data.decode()
    lines = text.split("\n")
    if text.startswith("[") and _LOG in text and _is_array(text, lines):
        yield from ((str(number), entry) for number, entry in enumerate(_entries(text), 1))
    elif len(lines) > 1 and _are_games(lines):
        stripped = ((str(number), line.strip(SPACE)) for number, line in enumerate(lines, 1))
        yield from ((number, line) for number, line in stripped if line)
    else:
        yield None, text.strip(SPACE)


def _is_array(text: str, lines: list[str]) -> bool:
    """Return whether a text that begins with ``[`` is an array of games, not JSON Lines that begin with a list."""
    begun = [line for line in lines if line.startswith("{")]
    return not begun or text.rstrip(SPACE).endswith("]") or any(line.rstrip(SPACE).endswith(",") for line in begun)


def _are_games(lines: list[str]) -> bool:
    """Return whether the lines are JSON Lines: two lines begin a game, or one is a whole game."""
    begun = [line for line in lines if line.lstrip(SPACE).startswith("{") and _LOG in line]
    if len(begun) != 1:
        return bool(begun)
    line = begun[0].strip(SPACE)
    return end_of_value(line, 0) == len(line)


def _entries(text: str) -> list[str]:
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
