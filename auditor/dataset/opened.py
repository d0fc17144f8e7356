"""A dataset opened: its tables as lazy frames, SQL over them, and a frame as a person reads it."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

import polars as pl

from auditor.base import columns
from auditor.base.printing import escaped, width
from auditor.dataset import manifest
from auditor.dataset.schema import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class DatasetError(Exception):
    """The folder is no dataset, or one of another version."""


class QueryError(Exception):
    """The query is wrong."""


def opened(folder: Path) -> dict[str, pl.LazyFrame]:
    """Return a dataset's tables by name, not yet read.

    Raises
    ------
    DatasetError
        when the folder is none, or was written by another version of the schema

    """
    parts = {name: sorted((folder / name).glob("[!.]*.parquet")) for name in TABLES}
    if not any(parts.values()):
        there = "has no tables" if folder.is_dir() else "is no folder"
        raise DatasetError(f"{folder}: {there}; give the folder that `auditor run … --out` wrote")
    verify(folder)
    return {name: _scanned(name, paths) for name, paths in parts.items()}


def verify(folder: Path, *, whole: bool = False) -> None:
    """Compare a dataset's files with what runs have listed; with ``whole``, each by its digest.

    Raises
    ------
    DatasetError
        when one is missing, damaged, foreign or of another version of the schema

    """
    try:
        # A run may be committing just then: what is really damaged is so a moment later, too.
        damage = manifest.look(folder, whole=whole).damage and manifest.look(folder, whole=whole).damage
    except manifest.ListedError as error:
        raise DatasetError(str(error)) from error
    if damage:
        raise DatasetError(manifest.format_damage(damage))


@contextmanager
def reading(*folders: Path) -> Iterator[None]:
    """Turn an error in reading tables into one that names the damaged file: one whose size and time tell nothing.

    Raises
    ------
    DatasetError
        when a table cannot be read

    """
    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        for folder in folders:
            verify(folder, whole=True)
        where, reason = ", ".join(map(str, folders)), " ".join(str(error).split())
        raise DatasetError(f"{where}: cannot be read ({reason}); run the audit again with --force") from error


def _scanned(name: str, paths: list[Path]) -> pl.LazyFrame:
    types = TABLES[name].types
    if not paths:
        return pl.DataFrame(schema=types).lazy()
    return pl.scan_parquet(paths, schema=types, glob=False, extra_columns="ignore")


def queried(folder: Path, sql: str) -> pl.DataFrame:
    """Return what an SQL query over a dataset's tables gives.

    Raises
    ------
    DatasetError
        when the folder is no dataset
    QueryError
        when the query is wrong, would change something, or open anything but the dataset

    """
    tables = opened(folder)
    _refuse(sql)
    try:
        return pl.SQLContext(tables, eager=False).execute(sql).collect()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        reason = str(error).split("\n\n", maxsplit=1)[0].strip()
        raise QueryError(f"{reason}; {_tables()}") from error


_COMMENT = r"--[^\n]*(?:\n|$)|/\*.*?\*/"
_ASKS = ("SELECT", "WITH", "VALUES", "SHOW", "EXPLAIN")
# Polars' functions that open a file or an address, and those that it may have one day; in strings and comments, too:
# what looks like one to us may be none to Polars.
_OPENS = (
    r"(?i)(?:read|scan)_(?:csv|parquet|ipc|nd_?json|json|avro|arrow|feather|orc|lance|delta|iceberg|excel|database|lines"
    r"|text|blob)"
)


_OPERATOR = r"(?i)[-+*/%|=<>!&^:\[]+|\b(?:AND|OR|NOT|WHEN|IS|IN|LIKE|BETWEEN|UNION|EXCEPT|INTERSECT|JOIN|SELECT)\b"
_NO_OPERATOR = r"'(?:[^']|'')*'|\"[^\"]*\"|(?<=[(,])\s*-"
"""Strings, names, and the minus of a number in a list."""
MOST_OPERATORS = 300
"""Polars goes one call deeper with every operator of a chain: at about a thousand its stack ends, and the process."""


def _refuse(sql: str) -> None:
    """Raise QueryError where SQL would change a table, open anything but the dataset, or end the process."""
    first = re.match(r"\w*", re.sub(rf"^(?:{_COMMENT}|[\s(])+", "", sql, flags=re.DOTALL))
    word = first[0] if first else ""
    if word.upper() not in _ASKS:
        raise QueryError(
            f"{word or 'this'} is no SQL that asks: begin with SELECT or WITH, a query changes nothing; {_tables()}"
        )
    if found := re.search(_OPENS, sql):
        raise QueryError(f"{found[0]} is refused: a query opens nothing but the dataset; {_tables()}")
    operators = len(re.findall(_OPERATOR, re.sub(rf"{_NO_OPERATOR}|{_COMMENT}", " ", sql, flags=re.DOTALL)))
    if operators > MOST_OPERATORS:
        raise QueryError(
            f"the query has {operators:,} operators, and {MOST_OPERATORS} are the most; write many values as a list, "
            "column IN ('a', 'b', …), or ask in several queries"
        )


def _tables() -> str:
    return f"tables: {', '.join(TABLES)} (their columns: auditor tables DIR)"


def flat(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame whose lists are texts, their elements a blank (texts: a semicolon) apart: CSV knows no lists."""
    return frame.with_columns(_joined(name, kind) for name, kind in frame.schema.items() if kind.is_nested())


def _joined(name: str, kind: pl.DataType) -> pl.Expr:
    if isinstance(kind, pl.Struct):
        return pl.col(name).struct.json_encode()
    values = pl.col(name).arr.to_list() if isinstance(kind, pl.Array) else pl.col(name)
    inner = kind.inner if isinstance(kind, (pl.Array, pl.List)) else None
    text = pl.element().struct.json_encode() if isinstance(inner, pl.Struct) else pl.element().cast(pl.String)
    return values.list.eval(text).list.join("; " if inner == pl.String else " ")


def shown(frame: pl.DataFrame, *, whole: bool = False) -> str:
    """Return a frame as a person reads it, no wider than the terminal unless ``whole``; nothing for null.

    Long texts are shortened, and told below if they are few; columns that have no room beside each other stand below
    each other, row for row.
    """
    rounded = flat(frame).with_columns(pl.selectors.float().round(4))
    told = rounded.select(pl.all().cast(pl.String).fill_null(""))
    told = told.with_columns(pl.col(_floats(rounded)).str.replace(r"\.0$", ""))
    return columns.laid_out(
        [escaped(name) for name in told.columns],
        [[escaped(cell) for cell in column] for column in told.iter_columns()],
        [kind.is_numeric() for kind in frame.schema.dtypes()],
        [not _is_text(kind) for kind in frame.schema.dtypes()],
        None if whole else width(),
    )


def _is_text(kind: pl.DataType) -> bool:
    """Say whether a value is a text, or has texts in it, which may be of any length."""
    inner = kind.inner if isinstance(kind, pl.Array | pl.List) else kind
    return inner in (pl.String, pl.Categorical, pl.Enum) or isinstance(inner, pl.Struct | pl.Enum)


def _floats(frame: pl.DataFrame) -> list[str]:
    return [name for name, kind in frame.schema.items() if kind.is_float()]
