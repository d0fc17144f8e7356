"""Reads the cells of a table of hands as values: texts, flags, numbers. A cell that cannot be read is reported.

A column can be of texts, numbers, booleans or lists, depending on the file's format. All are turned into text first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from auditor.dataset.formats import TableError
from auditor.hands.columns import AMOUNTS, CLAIMS, KNOWN, TEXTS, name_of
from auditor.hands.parsing import FLAGS, LONGEST, MOST, NUMBERS, PLAYERS, in_writing

if TYPE_CHECKING:
    from collections.abc import Iterable

YES = ("1", "true", "t", "yes", "y", "x", "on")
NO = ("0", "false", "f", "no", "n", "off")
WINDS = {
    "E": ("EAST", "TON", "東"),
    "S": ("SOUTH", "NAN", "南"),
    "W": ("WEST", "SHAA", "西"),
    "N": ("NORTH", "PEI", "北"),
}
"""Other ways to write a wind."""

_TILES = ("hand", "win", "dora", "ura")
_UNITS = r"(?i)\s*(?:han|fan|fu|points?|pts?|翻|飜|番|符|点)\.?$"
_WHOLE = r"^[+-]?[0-9]{1,18}(?:\.0+)?$"


@dataclass(frozen=True)
class Cells:
    """A table as it is read, a row for each of its rows.

    Attributes
    ----------
    known
        the columns that describe the win, each of its own type; null if a cell is empty
    claims
        ``fu``, ``han``, ``points`` (whole numbers) and ``yaku`` (text)
    fault
        which cells of the row in ``known`` cannot be read; null if all can
    unreadable
        which cells of the row in ``claims`` cannot be read; null if all can. Yaku names are read in yaku_names.py

    """

    known: pl.DataFrame
    claims: pl.DataFrame
    fault: pl.Series
    unreadable: pl.Series


def read_cells(table: pl.DataFrame) -> Cells:
    """Read a table's cells.

    Raises
    ------
    TableError
        when there is no column ``hand``, or two columns have the same meaning

    """
    there = _columns(table)
    texts = {
        name: _text(in_writing(table[there[name]]) if name in _TILES else table[there[name]], name).alias(name)
        if name in there
        else pl.Series(name, [None], dtype=pl.String).new_from_index(0, len(table))
        for name in KNOWN
    }
    frame = pl.DataFrame(list(texts.values()))
    read = frame.select(
        "hand",
        "win",
        *map(_wind, ("seat", "round")),
        *map(_tiles, ("dora", "ura")),
        *map(_flag, FLAGS),
        *map(_number, NUMBERS),
        _players(),
        *map(_amount, AMOUNTS),
        "yaku",
    )
    both = frame.hstack(read.select(pl.all().name.prefix("read ")))
    faults = [_not_read(name, "is neither yes (1, true, yes, y, t, x) nor no (0, false, no, n, f)") for name in FLAGS]
    faults += [
        _not_read(name, "is none of 0, 1, 2" if name == "riichi" else f"is no whole number from 0 to {MOST[name]}")
        for name in NUMBERS
    ]
    faults.append(_not_read("players", "is neither 3 nor 4"))
    return Cells(
        known=read.select(*TEXTS, *FLAGS, *NUMBERS, "players"),
        claims=read.select(*CLAIMS),
        fault=both.select(_joined(faults, "; ")).to_series(),
        unreadable=both.select(_joined((_not_read(name, "") for name in AMOUNTS), ", ")).to_series(),
    )


def _columns(table: pl.DataFrame) -> dict[str, str]:
    """Return the table's name of each column that is read."""
    there: dict[str, str] = {}
    for column in table.columns:
        name = name_of(column)
        if name in KNOWN:
            if name in there:
                raise TableError(f"columns {there[name]!r} and {column!r} are both {name}; rename one")
            there[name] = column
    if "hand" not in there:
        raise TableError(f"no column 'hand'; there are {', '.join(map(repr, table.columns))}")
    return there


def _text(column: pl.Series, name: str) -> pl.Series:
    """Return cells as stripped texts, null if empty; entries of lists are separated by blanks, yaku by commas."""
    separator = "," if name == "yaku" else " "
    kind = column.dtype
    if isinstance(kind, pl.Array):
        column, kind = column.arr.to_list(), pl.List(kind.inner)
    if isinstance(kind, pl.List):
        inner: Any = kind.inner
        text = pl.element().cast(pl.String)
        if isinstance(inner, pl.Struct):
            named = [field.name for field in inner.fields if field.name in ("name", "yaku", "id")]
            text = pl.element().struct.field(named[0]).cast(pl.String) if named else pl.element().struct.json_encode()
        elif isinstance(inner, pl.List):  # such as a name and its han
            text = pl.element().cast(pl.List(pl.String)).list.join(" ")
        texts = column.list.eval(text).list.join(separator)
    elif isinstance(kind, pl.Struct):
        texts = column.struct.json_encode()
    elif kind.is_float():
        whole = column.is_finite() & (column == column.round()) & (column.abs() < 1e15)
        as_number = column.fill_nan(None).cast(pl.String)
        texts = as_number.set(whole.fill_null(value=False), None).zip_with(
            ~whole.fill_null(value=False), column.cast(pl.Int64, strict=False).cast(pl.String)
        )
    else:
        texts = column.cast(pl.String, strict=False)
    texts = texts.str.strip_chars()
    if texts.str.starts_with("[").any():  # a list written as text, as JSON and Python write it
        texts = _unlisted(texts, separator).zip_with(texts.str.starts_with("["), texts)
    return texts.set(texts == "", None)


def _unlisted(texts: pl.Series, separator: str) -> pl.Series:
    """Return written lists as their entries, separated as `_text` does; lists of lists by commas, with blanks within.

    A list of lists may also come as written lists one after the other, as Polars reads it in a column of lists.
    """
    bare = texts.str.strip_chars("[] ").str.replace_all(r"[\"']", "")
    between = r"\]\s*,?\s*\["
    lists = bare.str.replace_all(between, "\n").str.replace_all(r"\s*,\s*", " ").str.replace_all("\n", ",")
    nested = texts.str.contains(rf"^\[\s*\[|{between}").fill_null(value=False)
    return lists.zip_with(nested, bare.str.replace_all(r"\s*,\s*", separator))


def _flag(name: str) -> pl.Expr:
    word = pl.col(name).str.to_lowercase()
    return pl.when(word.is_in([*YES, "1.0"])).then(statement=True).when(word.is_in([*NO, "0.0"])).then(
        statement=False
    ).alias(name)  # fmt: skip


def _number(name: str) -> pl.Expr:
    word = pl.col(name).str.to_lowercase()
    number = _whole(word)
    if name == "riichi":
        number = pl.when(word.is_in(YES[1:])).then(1).when(word.is_in(NO[1:])).then(0).otherwise(number)
    return number.cast(pl.Int64).alias(name)


def _players() -> pl.Expr:
    number = _whole(pl.col("players"))
    return pl.when(number.is_in(PLAYERS)).then(number).alias("players")


def _whole(text: pl.Expr) -> pl.Expr:
    return pl.when(text.str.contains(_WHOLE)).then(text.str.replace(r"\..*$", "")).cast(pl.Int64, strict=False)


def _amount(name: str) -> pl.Expr:
    bare = pl.col(name).str.replace(_UNITS, "")
    thousands = bare.str.contains(r"^[0-9]{1,3}(?:,[0-9]{3})+$")
    return _whole(pl.when(thousands).then(bare.str.replace_all(",", "")).otherwise(bare)).alias(name)


def _wind(name: str) -> pl.Expr:
    letters = {other: letter for letter, others in WINDS.items() for other in others}
    return pl.col(name).str.to_uppercase().replace(letters)


def _tiles(name: str) -> pl.Expr:
    """Return a list of tiles with only those separators that the grammar knows."""
    return pl.col(name).str.replace_all(r"[;|、]", ",")


def _not_read(name: str, why: str) -> pl.Expr:
    """Return the message for a cell that has a text and no value; null for all other cells."""
    cell = pl.col(name).str.slice(0, LONGEST)
    message = pl.concat_str(pl.lit(f"{name} '"), cell, pl.lit(f"' {why}".rstrip()))
    return pl.when(pl.col(name).is_not_null() & pl.col(f"read {name}").is_null()).then(message)


def _joined(parts: Iterable[pl.Expr], separator: str) -> pl.Expr:
    return pl.concat_list(*parts).list.drop_nulls().list.join(separator).replace("", None)
