"""Tables of hands as files: CSV, JSON Lines, Parquet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from pathlib import Path


class TableError(ValueError):
    """The table lacks a column, or a column cannot be read."""


def read_table(path: Path) -> pl.DataFrame:
    """Return a table from a CSV, JSON Lines or Parquet file.

    Raises
    ------
    TableError
        when the file is of another kind or cannot be read as its own

    """
    kind = path.suffix.lower()
    try:
        if kind == ".csv":
            return pl.read_csv(path, infer_schema_length=None)
        if kind in (".jsonl", ".ndjson"):
            return pl.read_ndjson(path, infer_schema_length=None)
        if kind == ".parquet":
            return pl.read_parquet(path)
    except pl.exceptions.PolarsError as error:
        raise TableError(f"{path}: cannot be read as {kind[1:]}: {str(error).splitlines()[0]}") from error
    raise TableError(f"{path}: give a .csv, .jsonl or .parquet file")


def write_table(table: pl.DataFrame, path: Path) -> None:
    """Write a scored table in the form that the file's name says.

    Raises
    ------
    TableError
        when the name says no form

    """
    kind = path.suffix.lower()
    if kind == ".csv":
        lists = [name for name, dtype in table.schema.items() if dtype.is_nested()]
        flat = pl.col(lists).arr.eval(pl.element().cast(pl.String)).arr.join(" ")
        (table.with_columns(flat) if lists else table).write_csv(path)
    elif kind in (".jsonl", ".ndjson"):
        table.write_ndjson(path)
    elif kind == ".parquet":
        table.write_parquet(path)
    else:
        raise TableError(f"{path}: give a name that ends in .csv, .jsonl or .parquet")
