"""Columns of text side by side, as wide as the terminal allows. No word is broken at the end of a line.

Polars' own tables do not serve: they break words in the middle, and they leave out columns without naming them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.base.printing import begun, cells, padded, shortened, wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

GAP = 2
SHORT, SHORTEST = 16, 8
"""A text of at most ``SHORT`` columns is never shortened; a longer one keeps at least ``SHORTEST``, mark included."""
NOTES = 20
"""If a column has at most this many shortened texts, they are printed in full below the table."""
ELSEWHERE = "…: the text is shortened; --format json or csv, or a larger COLUMNS, shows all of it"


def laid_out(
    names: Sequence[str],
    columns: Sequence[Sequence[str]],
    right: Sequence[bool],
    whole: Sequence[bool],
    room: int | None,
) -> str:
    """Return columns of cells as text: a line of names, and below it a line for each row.

    Parameters
    ----------
    names
        names of the columns
    columns
        cells of each column
    right
        whether the cells of each column are aligned to the right, as numbers are
    whole
        whether the cells of each column are never shortened
    room
        columns of the terminal; None: no limit

    """
    natural = [max(map(cells, (name, *column))) for name, column in zip(names, columns, strict=True)]
    least = [
        size if kept or size <= SHORT else max(SHORTEST, cells(name))
        for size, kept, name in zip(natural, whole, names, strict=True)
    ]
    gaps = GAP * (len(names) - 1)
    if room is None or sum(natural) + gaps <= room:
        return _side_by_side(names, columns, right, natural)
    if sum(least) + gaps > room:
        return _below_each_other(names, columns, room)
    sizes = _shared(natural, least, room - gaps)
    shorter, notes = _shorter(columns, natural, sizes)
    below = [line for mark, note in notes for line in wrapped(note, mark, "    ", room)]
    return "\n".join([_side_by_side(names, shorter, right, sizes), *([""] if below else []), *below])


def _side_by_side(
    names: Sequence[str], columns: Sequence[Sequence[str]], right: Sequence[bool], sizes: Sequence[int]
) -> str:
    cut = [
        [padded(cell, size, right=number) for cell in (name, *column)]
        for name, column, number, size in zip(names, columns, right, sizes, strict=True)
    ]
    return "\n".join((" " * GAP).join(row).rstrip() for row in zip(*cut, strict=True))


def _below_each_other(names: Sequence[str], columns: Sequence[Sequence[str]], room: int) -> str:
    """Return each row as a paragraph with a line for each cell that is not empty."""
    size = max(map(cells, names))
    rows = []
    for row in zip(*columns, strict=True):
        filled = [(name, cell) for name, cell in zip(names, row, strict=True) if cell] or [(names[0], "")]
        lines = (wrapped(cell, f"{padded(name, size)}  ", " " * (size + GAP), room) for name, cell in filled)
        rows.append("\n".join(line for cell in lines for line in cell))
    return "\n\n".join(rows) or "\n".join(wrapped(" ".join(names), size=room))


def _shared(natural: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Return a width for each column: narrow columns keep their own, the widest share the rest."""
    cap = max(natural)
    while sum(_capped(natural, least, cap)) > room:
        cap -= 1
    return _capped(natural, least, cap)


def _capped(natural: Sequence[int], least: Sequence[int], cap: int) -> list[int]:
    return [max(low, min(size, cap)) for size, low in zip(natural, least, strict=True)]


def _shorter(
    columns: Sequence[Sequence[str]], natural: Sequence[int], sizes: Sequence[int]
) -> tuple[list[Sequence[str]], list[tuple[str, str]]]:
    """Return columns cut to their widths, and notes for below the table: the cut texts, or a hint if they are many."""
    found: list[Sequence[str]] = []
    notes: list[tuple[str, str]] = []
    elsewhere = False
    for column, whole, size in zip(columns, natural, sizes, strict=True):
        long = list(dict.fromkeys(cell for cell in column if cells(cell) > size)) if whole > size else []
        if len(long) > NOTES:
            elsewhere = True
            found.append([shortened(cell, size) for cell in column])
            continue
        marks = {cell: len(notes) + nth for nth, cell in enumerate(long, 1)}
        notes += [(f"[{number}] ", cell) for cell, number in marks.items()]
        found.append([begun(cell, size, f"…[{marks[cell]}]") if cell in marks else cell for cell in column])
    return found, [*notes, *([("", ELSEWHERE)] if elsewhere else [])]
