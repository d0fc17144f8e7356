"""Cuts a file into the texts of its games: one alone, an array, JSON Lines, or several one after another.

If one of the texts is no game, it is still one text, and its neighbours are not affected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.readers.json_text import SPACE, end_of_value, entries

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOG = '"log"'


def texts(data: bytes) -> Iterator[tuple[str | None, str]]:
    """Yield the number and text of each game.

    The number is that of its line, or its place in the array, from 1; None for a game alone. Lines end only at line
    feeds, because names can contain other characters that Python counts as line ends.
    """
    text = data.decode()
    lines = text.split("\n")
    if text.startswith("[") and _LOG in text and _is_array(text, lines):
        yield from ((str(number), entry) for number, entry in enumerate(entries(text), 1))
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
