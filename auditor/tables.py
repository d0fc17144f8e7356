"""A dataset opened: its tables as lazy frames, SQL over them, and a frame as table, CSV, JSON or Parquet."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import polars as pl

from auditor import listed
from auditor.choices import Format
from auditor.schema import TABLES

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
        damage = listed.look(folder, whole=whole).damage and listed.look(folder, whole=whole).damage
    except listed.ListedError as error:
        raise DatasetError(str(error)) from error
    if damage:
        raise DatasetError(listed.told(damage))


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
        when the query is wrong

    """
    tables = opened(folder)
    try:
        return pl.SQLContext(tables, eager=False).execute(sql).collect()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        reason = str(error).split("\n\n", maxsplit=1)[0].strip()
        raise QueryError(f"{reason}; tables: {', '.join(tables)} (their columns: auditor tables DIR)") from error


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


def shown(frame: pl.DataFrame) -> str:
    """Return a frame as a person reads it: aligned columns, nothing left out, nothing for null."""
    rounded = flat(frame).with_columns(pl.selectors.float().round(4))
    told = rounded.select(pl.all().cast(pl.String).fill_null(""))
    cells = told.with_columns(pl.col(_floats(rounded)).str.replace(r"\.0$", "")).rows()
    names = frame.columns
    widths = [max(len(name), *(len(row[at]) for row in cells), 0) for at, name in enumerate(names)]
    right = [kind.is_numeric() for kind in frame.schema.dtypes()]

    def line(row: tuple[str, ...] | list[str]) -> str:
        padded = (
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(row, widths, right, strict=True)
        )  # fmt: skip
        return "  ".join(padded).rstrip()

    return "\n".join([line(names), *map(line, cells)])


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
        with out.open("wb") as file:  # Python's own error names the file
            frame.write_parquet(file)
        return
    if form is Format.csv:
        text = flat(frame).write_csv()
    else:
        text = frame.write_json() + "\n" if form is Format.json else shown(frame) + "\n"
    if out is None:
        sys.stdout.write(text)
    else:
        out.write_text(text, encoding="utf-8")
