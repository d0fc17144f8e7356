"""A part of a dataset in memory: its tables, their bytes on disk, and its list."""

from __future__ import annotations

import io
from functools import cache
from typing import TYPE_CHECKING

import polars as pl

from auditor.dataset.manifest import Listing
from auditor.dataset.schema import METADATA, PARTED, TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from auditor.dataset.manifest import Entry


def encoded(table: pl.DataFrame, name: str) -> memoryview:
    """Return the file of a part's table, as bytes."""
    buffer = io.BytesIO()
    bounds = name != "turns"  # the largest table by far: its bounds would take longer than all else
    statistics = {"min": bounds, "max": bounds, "null_count": True}
    table.write_parquet(buffer, compression="zstd", statistics=statistics, metadata=_metadata(name))
    return buffer.getbuffer()


@cache
def _metadata(name: str) -> dict[str, str]:
    """Return the metadata of a table's files. Its Arrow schema makes categories in memory plain texts for readers."""
    empty = io.BytesIO()
    pl.DataFrame(schema=TABLES[name].types).write_parquet(empty)
    empty.seek(0)
    return METADATA | pl.read_parquet_metadata(empty)


def without(tables: Mapping[str, pl.DataFrame], gone: AbstractSet[str]) -> dict[str, pl.DataFrame]:
    """Return a part's tables without some sources."""
    sources = pl.Series(sorted(gone), dtype=pl.String)
    return {name: tables[name].filter(~pl.col("source").is_in(sources.implode())) for name in PARTED}


def listing_of(sources: pl.DataFrame | None, files: Mapping[str, Entry]) -> Listing:
    """Return the list of a part, from its files and its table ``sources``, if it has one."""
    if sources is None:
        return Listing(files)
    paths = zip(sources["path"], sources["member"], strict=True)
    return Listing(files, len(sources), tuple(sorted({path for path, member in paths if member is not None})))
