"""Text for printing: escaped, and no wider than the terminal.

Names of players and files, and texts of logs, may contain characters that move the cursor, or colour, hide or reverse
text. These are printed as the escapes that JSON has, so that JSON stays JSON.
"""

from __future__ import annotations

import re
import shutil

from rich.cells import cell_len, set_cell_size

# Control characters (C0, C1), invisible format characters (directions, joiners that no script needs, language tags),
# separators of lines and paragraphs, halves of surrogate pairs.
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U0001d173-\U0001d17a\U000e0000-\U000e007f]"
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
# A report may be read by people who should not learn the address of an internal server.
_ENDPOINT = re.compile(r"(endpoint_override=)[^&#\s]+")


def escaped(text: str, keep: str = "") -> str:
    """Return a text with each invisible character, except those in ``keep``, written as an escape of JSON."""
    if text.isascii() and text.isprintable() and "endpoint_override" not in text:
        return text
    masked = _ENDPOINT.sub(r"\1***", text)
    return _UNSEEN.sub(lambda found: found[0] if found[0] in keep else _by_number(found[0]), masked)


def _by_number(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def lines(text: str) -> str:
    """Return a text of several lines for printing: line feeds stay, other invisible characters are escaped."""
    return escaped(text, keep="\n")


def message(text: str) -> str:
    """Return an error's message for printing: a line feed stays only before two blanks, as our messages have them.

    So a name with a line feed cannot begin a line that looks like one of the auditor's own.
    """
    return re.sub(r"\n(?!  )", r"\\n", lines(text))


def width() -> int:
    """Return the columns to print: the variable COLUMNS, or the terminal's columns, or 80; at least 20."""
    return max(shutil.get_terminal_size((80, 24)).columns, 20)


def cells(text: str) -> int:
    """Return how many columns a text takes: East Asian characters take two."""
    return len(text) if text.isascii() else cell_len(text)


def padded(text: str, size: int, *, right: bool = False) -> str:
    """Return a text padded with blanks to ``size`` columns, after it or (``right``) before it."""
    blanks = " " * (size - cells(text))
    return blanks + text if right else text + blanks


def shortened(text: str, size: int) -> str:
    """Return a text in at most ``size`` columns: a longer one becomes its beginning, ``…``, and its end."""
    if cells(text) <= size:
        return text
    room = size - 1
    tail = room // 3
    return f"{_cut(text, room - tail)}…{_cut(text[::-1], tail)[::-1]}"


def begun(text: str, size: int, mark: str) -> str:
    """Return the beginning of a text and the mark, in at most ``size`` columns."""
    return f"{_cut(text, size - cells(mark))}{mark}"


def _cut(text: str, size: int) -> str:
    return set_cell_size(text, size).rstrip() if size > 0 else ""


def wrapped(text: str, before: str = "", after: str = "", size: int | None = None) -> list[str]:
    """Return a text as lines of at most ``size`` columns, broken between words.

    ``before`` is put before the first line, ``after`` before the others. A word longer than a line stays whole.
    """
    size = size or width()
    found, line, filled = [], before, False
    for blanks, word in re.findall(r"( *)([^ ]+)", escaped(text)):
        if filled and cells(line) + len(blanks) + cells(word) > size:
            found.append(line)
            line, filled = after, False
        line += word if found and not filled else blanks + word
        filled = True
    return [*found, line if filled else line.rstrip()]


def hanging(text: str) -> str:
    """Return lines no wider than the terminal; a line that is too long goes on below the start of its last column."""
    found = []
    for line in text.split("\n"):
        start = max((gap.end() for gap in re.finditer(r"^ +|  +", line)), default=0)
        found += wrapped(line[start:], line[:start], " " * start)
    return "\n".join(found)
