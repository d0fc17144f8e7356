"""Colour for findings on a terminal: severities, the finding's seat, moved tiles, and values that differ.

Colour only repeats what the text says, so nothing is lost without it. The text is escaped before it is coloured; a name
or a log can therefore colour nothing.
"""

from __future__ import annotations

import os
import re
import sys

import typer

from auditor.base import printing

_SEVERITY = {"error": typer.colors.RED, "rule": typer.colors.YELLOW, "note": typer.colors.CYAN}
_LABEL = slice(2, 12)
"""The columns of a line that have its label, as show/table_text.py lays it out."""
_TABLE = re.compile(r"seat \d [ESWN?] *|  (?:melds|river|kita|shown) *")
"""Labels of lines that have only tiles."""


def wanted() -> bool:
    """Say whether to colour: on a terminal, unless NO_COLOR is set or TERM is dumb; or where FORCE_COLOR is set."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def echo(text: str) -> None:
    """Print findings, in colour if that is wanted; invisible characters are escaped in either case."""
    safe = printing.lines(text)
    typer.echo(painted(safe) if wanted() else safe, color=wanted())


def painted(text: str) -> str:
    """Return findings in colour; without the colours, the text is the same."""
    found, of_tiles = [], False
    for line in text.split("\n"):
        mark, label, rest = line[:2], line[_LABEL], line[_LABEL.stop :]
        if head := re.match(r"[A-Z]\d{3} (error|rule|note)(?=: )", line):
            found.append(typer.style(head[0], fg=_SEVERITY[head[1]], bold=True) + line[head.end() :])
        elif mark in ("  ", "> "):
            if label.strip():  # without a label, the line before goes on
                of_tiles = _TABLE.fullmatch(label) is not None
            found.append(_label(mark + label) + _content(rest, of_tiles=of_tiles))
        else:
            found.append(line)
    return "\n".join(found)


def _label(text: str) -> str:
    if text.startswith(">"):
        return typer.style(text, fg=typer.colors.YELLOW, bold=True)
    return typer.style(text, dim=True) if text.strip() else text


def _content(text: str, *, of_tiles: bool) -> str:
    """Colour the tiles that the event moves, or a recorded value that is not the expected one."""
    if of_tiles:
        return re.sub(r"\[[^\]]*\]", lambda tile: typer.style(tile[0], fg=typer.colors.YELLOW, bold=True), text)
    return typer.style(text, fg=typer.colors.RED) if text.endswith(" *") else text
