"""An opened dataset: its tables as lazy frames, SQL over them, and a frame as text for the terminal."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

import polars as pl

from auditor.base import columns
from auditor.base.printing import escaped, width
from auditor.dataset import manifest
from auditor.dataset.history import history
from auditor.dataset.objects import Bucket, located
from auditor.dataset.schema import TABLES, VIEWS
from auditor.dataset.writing import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class DatasetError(Exception):
    """The folder is no dataset, a damaged one, or one of another version."""


class QueryError(Exception):
    """The SQL query is wrong or not allowed."""


def opened(folder: Path) -> dict[str, pl.LazyFrame]:
    """Return a dataset's tables by name, as lazy frames.

    Raises
    ------
    DatasetError
        when the folder has no tables, damaged ones, or tables of another version of the schema

    """
    if isinstance(out := _located(folder), Bucket):
        return _in_bucket(out)
    parts = {name: sorted((folder / name).glob("[!.]*.parquet")) for name in TABLES}
    if not any(parts.values()):
        there = "has no tables" if folder.is_dir() else "is no folder"
        raise DatasetError(f"{folder}: {there}; give the folder that `auditor run … --out` wrote")
    verify(folder)
    return {name: _scanned(name, paths) for name, paths in parts.items()}


def _located(folder: Path) -> Path | Bucket:
    try:
        return located(folder)
    except OutputError as error:
        raise DatasetError(str(error)) from error


def _in_bucket(out: Bucket) -> dict[str, pl.LazyFrame]:
    from auditor.dataset import in_bucket  # noqa: PLC0415  (a folder needs none of it)

    try:
        tables = in_bucket.opened(out)
    except (manifest.ListedError, OutputError) as error:
        raise DatasetError(str(error)) from error
    if tables is None:
        raise DatasetError(f"{out}: no run has written there; give the folder that `auditor run … --out` wrote")
    _verify_bucket(out, whole=False)
    return tables


def _verify_bucket(out: Bucket, *, whole: bool) -> None:
    from auditor.dataset import in_bucket  # noqa: PLC0415  (as above)

    try:
        # A run may be replacing objects just now, so look again: real damage is still there.
        damage = in_bucket.damage(out, whole=whole) and in_bucket.damage(out, whole=whole)
    except (manifest.ListedError, OutputError) as error:
        raise DatasetError(str(error)) from error
    if damage:
        raise DatasetError(manifest.format_damage(damage))


def verify(folder: Path, *, whole: bool = False) -> None:
    """Compare a dataset's files with the lists that runs wrote; with ``whole``, compare every digest.

    Raises
    ------
    DatasetError
        when a file is missing, damaged, foreign or of another version of the schema

    """
    if isinstance(out := _located(folder), Bucket):
        _verify_bucket(out, whole=whole)
        return
    try:
        # A run may be committing just now, so look again: real damage is still there.
        damage = manifest.look(folder, whole=whole).damage and manifest.look(folder, whole=whole).damage
    except manifest.ListedError as error:
        raise DatasetError(str(error)) from error
    if damage:
        raise DatasetError(manifest.format_damage(damage))


@contextmanager
def reading(*folders: Path) -> Iterator[None]:
    """Turn an error in reading tables into one that names the damaged file; its size and time were right.

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
        where, reason = ", ".join(str(_located(folder)) for folder in folders), " ".join(str(error).split())
        raise DatasetError(f"{where}: cannot be read ({reason}); run the audit again with --force") from error


def _scanned(name: str, paths: list[Path]) -> pl.LazyFrame:
    types = TABLES[name].types
    if not paths:
        return pl.DataFrame(schema=types).lazy()
    return pl.scan_parquet(paths, schema=types, glob=False, extra_columns="ignore")


def queried(folder: Path, sql: str) -> pl.DataFrame:
    """Return the answer to an SQL query over a dataset's tables.

    Raises
    ------
    DatasetError
        when the folder is no dataset
    QueryError
        when the query is wrong, would change something, would open anything but the dataset, or is too long

    """
    tables = opened(folder)
    refuse(sql)
    try:
        return pl.SQLContext({**tables, "history": history(tables)}, eager=False).execute(sql).collect()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        reason = str(error).split("\n\n", maxsplit=1)[0].strip()
        raise QueryError(f"{reason}; {_tables()}") from error


_COMMENT = r"--[^\n]*(?:\n|$)|/\*.*?\*/"
_ASKS = ("SELECT", "WITH", "VALUES", "SHOW", "EXPLAIN")
# Polars' functions that open a file or an address, and some that it may get one day. They are refused in strings and
# comments too: Polars may not see a string or a comment where this module sees one.
_OPENS = (
    r"(?i)(?:read|scan)_(?:csv|parquet|ipc|nd_?json|json|avro|arrow|feather|orc|lance|delta|iceberg|excel|database|lines"
    r"|text|blob)"
)


_OPERATOR = r"(?i)[-+*/%|=<>!&^:\[]+|\b(?:AND|OR|NOT|WHEN|IS|IN|LIKE|BETWEEN|UNION|EXCEPT|INTERSECT|JOIN|SELECT)\b"
_NO_OPERATOR = r"'(?:[^']|'')*'|\"[^\"]*\"|(?<=[(,])\s*-"
"""Strings, names, and the minus of a number in a list."""
MOST_OPERATORS = 300
"""Polars recurses once for every operator of a chain; at about a thousand its stack overflows and the process dies."""


def refuse(sql: str) -> None:
    """Raise QueryError if the SQL would change a table, open anything but the dataset, or overflow Polars' stack."""
    first = re.match(r"\w*", re.sub(rf"^(?:{_COMMENT}|[\s(])+", "", sql, flags=re.DOTALL))
    word = first[0] if first else ""
    if word.upper() not in _ASKS:
        raise QueryError(
            f"{word or 'this'} does not begin a query: begin with SELECT or WITH; a query changes nothing; {_tables()}"
        )
    if found := re.search(_OPENS, sql):
        raise QueryError(f"{found[0]} is refused: a query opens nothing but the dataset; {_tables()}")
    operators = len(re.findall(_OPERATOR, re.sub(rf"{_NO_OPERATOR}|{_COMMENT}", " ", sql, flags=re.DOTALL)))
    if operators > MOST_OPERATORS:
        raise QueryError(
            f"the query has {operators:,} operators, and at most {MOST_OPERATORS} are allowed; write many values as a "
            "list, column IN ('a', 'b', …), or split the query"
        )


def _tables() -> str:
    return f"tables: {', '.join((*TABLES, *VIEWS))} (their columns: auditor tables DIR)"


def flat(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame with lists as texts, since CSV has no lists; a blank separates numbers, a semicolon texts.

    A null among the values is a -; at the end of a list it is nothing.
    """
    return frame.with_columns(_joined(name, kind) for name, kind in frame.schema.items() if kind.is_nested())


def _joined(name: str, kind: pl.DataType) -> pl.Expr:
    if isinstance(kind, pl.Struct):
        return pl.col(name).struct.json_encode()
    values = pl.col(name).arr.to_list() if isinstance(kind, pl.Array) else pl.col(name)
    inner = kind.inner if isinstance(kind, (pl.Array, pl.List)) else None
    text = pl.element().struct.json_encode() if isinstance(inner, pl.Struct) else pl.element().cast(pl.String)
    ends = pl.element().is_null().reverse().cum_min().reverse()
    return values.list.eval(text.fill_null("-").filter(~ends)).list.join("; " if inner == pl.String else " ")


def shown(frame: pl.DataFrame, *, whole: bool = False) -> str:
    """Return a frame as text, no wider than the terminal unless ``whole``; a null is an empty cell.

    Long texts are shortened; if they are few, they are printed in full below. If the terminal has no room for all
    columns side by side, each row becomes a paragraph with a line for each cell.
    """
    rounded = flat(frame).with_columns(pl.selectors.float().round(4))
    texts = rounded.select(pl.all().cast(pl.String).fill_null(""))
    texts = texts.with_columns(pl.col(_floats(rounded)).str.replace(r"\.0$", ""))
    return columns.laid_out(
        [escaped(name) for name in texts.columns],
        [[escaped(cell) for cell in column] for column in texts.iter_columns()],
        [kind.is_numeric() for kind in frame.schema.dtypes()],
        [not _is_text(kind) for kind in frame.schema.dtypes()],
        None if whole else width(),
    )


def _is_text(kind: pl.DataType) -> bool:
    """Say whether values of a type are texts or contain texts, so that they can be of any length."""
    inner = kind.inner if isinstance(kind, pl.Array | pl.List) else kind
    return inner in (pl.String, pl.Categorical, pl.Enum) or isinstance(inner, pl.Struct | pl.Enum)


def _floats(frame: pl.DataFrame) -> list[str]:
    return [name for name, kind in frame.schema.items() if kind.is_float()]
