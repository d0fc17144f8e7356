"""A dataset opened: its tables as lazy frames, SQL over them, and a frame as table, CSV, JSON or Parquet."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import polars as pl

from auditor import layout
from auditor.choices import Format
from auditor.plain import escaped, lines, width
from auditor.schema import BEFORE, TABLES, VERSION

if TYPE_CHECKING:
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
    return {name: _scanned(name, paths) for name, paths in parts.items()}


def _scanned(name: str, paths: list[Path]) -> pl.LazyFrame:
    types = TABLES[name].types
    if not paths:
        return pl.DataFrame(schema=types).lazy()
    for path in paths[:1] + paths[-1:]:
        try:
            version = pl.read_parquet_metadata(path).get("schema_version")
        except (pl.exceptions.PolarsError, OSError) as error:
            raise DatasetError(f"{path}: cannot be read ({error}); delete the dataset and run again") from error
        if version != VERSION and version not in BEFORE:
            raise DatasetError(
                f"{path}: has schema version {version or 'none'}, this auditor reads {VERSION}; run the audit again"
            )
    if version == VERSION:
        return pl.scan_parquet(paths, schema=types, glob=False, extra_columns="ignore")
    # Columns, and parts of them, that came later are null.
    before = BEFORE[version or ""].get(name, {})
    later = pl.ScanCastOptions(missing_struct_fields="insert", extra_struct_fields="ignore")
    scanned = pl.scan_parquet(
        paths, schema={**types, **before}, glob=False,
        missing_columns="insert", extra_columns="ignore", cast_options=later,
    )  # fmt: skip
    return scanned.cast({column: types[column] for column in before})


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


def _refuse(sql: str) -> None:
    """Raise QueryError where SQL would change a table or open anything but the dataset."""
    first = re.match(r"\w*", re.sub(rf"^(?:{_COMMENT}|[\s(])+", "", sql, flags=re.DOTALL))
    word = first[0] if first else ""
    if word.upper() not in _ASKS:
        raise QueryError(
            f"{word or 'this'} is no SQL that asks: begin with SELECT or WITH, a query changes nothing; {_tables()}"
        )
    if found := re.search(_OPENS, sql):
        raise QueryError(f"{found[0]} is refused: a query opens nothing but the dataset; {_tables()}")


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
    return layout.laid_out(
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


def give(frame: pl.DataFrame, form: Format, out: Path | None) -> None:
    """Write a frame to a file, or to standard output.

    Raises
    ------
    QueryError
        when Parquet is to be printed
    OSError
        when the file cannot be written

    """
    if form is Format.parquet:
        if out is None:
            raise QueryError("Parquet needs a file: give --out FILE")
        frame.write_parquet(out)
        return
    if form is Format.csv:
        text = flat(frame).write_csv()
    else:
        text = lines(frame.write_json()) + "\n" if form is Format.json else shown(frame, whole=out is not None) + "\n"
    if out is None:
        sys.stdout.write(lines(text) if sys.stdout.isatty() else text)
    else:
        out.write_text(text, encoding="utf-8")
