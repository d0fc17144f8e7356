"""Compare two datasets table by table, part for part and value for value.

    python -m scripts.same_tables BEFORE AFTER

To prove that a change of the program changes no result, audit the same files before and after it, each time into a
new folder, then compare the two. Parts are paired by the files whose games they hold, because a part's name depends
on the digest of the program. The comparison ignores that digest (`sources.audit`, `runs.audit`, in `runs.options`),
the begin and end of a run, and the summaries, which repeat the tables' totals. The tool prints a line for each table
and, if one differs, the first differing rows. Exit code 0 if all is the same, 1 if not, 2 if a folder is no dataset.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from auditor.dataset.schema import PARTED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

OF_THE_PROGRAM = ("audit",)
OF_THE_RUN = ("begun", "ended", "audit")
MOST_SHOWN = 3
"""Rows shown of each column that differs."""

Part = tuple[str, ...]
"""The files whose games a part holds, by name; the part of games that several batches share has no files."""


class NoDatasetError(ValueError):
    """A folder holds no dataset."""


def parts(dataset: Path) -> dict[Part, str]:
    """Give the file name of every part of a dataset, by the files whose games it holds.

    Raises
    ------
    NoDatasetError
        when the folder has no table `sources`

    """
    found = {}
    for path in sorted((dataset / "sources").glob("*.parquet")):
        found[tuple(pl.read_parquet(path, columns=["source"])["source"].sort())] = path.name
    if not found:
        raise NoDatasetError(f"{dataset} is no dataset: there is no table of sources in it")
    for path in (dataset / "findings").glob("*.parquet"):
        if path.name not in found.values():
            found[()] = path.name
    return found


def read(dataset: Path, table: str, name: str | None) -> pl.DataFrame | None:
    """Read one part of a table without the program's digest; None if there is no such file."""
    path = dataset / table / str(name)
    return pl.read_parquet(path).drop(OF_THE_PROGRAM, strict=False) if name and path.is_file() else None


def runs(dataset: Path) -> pl.DataFrame:
    """Read the runs of a dataset, oldest first, without times and the program's digest."""
    table = pl.concat([pl.read_parquet(path) for path in sorted((dataset / "runs").glob("*.parquet"))]).sort("begun")
    options = [{**json.loads(text), "program": ""} for text in table["options"]]
    return table.drop(OF_THE_RUN).with_columns(options=pl.Series([json.dumps(each) for each in options]))


def differences(before: pl.DataFrame | None, after: pl.DataFrame | None) -> Iterator[str]:
    """Yield in words how two tables differ; nothing if they have the same rows in the same order."""
    if before is None or after is None:
        if before is not after:
            yield f"only in the dataset {'after' if before is None else 'before'}"
        return
    if before.schema != after.schema:
        old, new = set(before.schema.items()), set(after.schema.items())
        named = [f"{name} {dtype}" for name, dtype in sorted(old ^ new, key=str)]
        yield f"other columns: {', '.join(named) or 'their order'}"
    elif len(before) != len(after):
        yield f"{len(before)} rows before, {len(after)} after"
    elif not before.equals(after):
        for name in before.columns:
            if not before[name].equals(after[name], null_equal=True):
                yield from _values(name, before[name].to_list(), after[name].to_list())


def _values(name: str, before: list[object], after: list[object]) -> Iterator[str]:
    rows = [row for row, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]]
    yield f"{name}: other values in {len(rows)} rows"
    for row in rows[:MOST_SHOWN]:
        yield f"  row {row}: {before[row]!r} before, {after[row]!r} after"


def compared(before: Path, after: Path) -> Mapping[str, tuple[int, list[str]]]:
    """Compare two datasets; give for each table its rows before, and its differences in words."""
    old, new = parts(before), parts(after)
    found: dict[str, tuple[int, list[str]]] = {}
    for table in PARTED:
        rows, lines = 0, []
        for part in sorted(old.keys() | new.keys()):
            one, other = read(before, table, old.get(part)), read(after, table, new.get(part))
            rows += 0 if one is None else len(one)
            label = f"{part[0]} and {len(part) - 1} more" if part else "games met twice"
            lines += [f"{label}: {line}" for line in differences(one, other)]
        found[table] = rows, lines
    one, other = runs(before), runs(after)
    found["runs"] = len(one), list(differences(one, other))
    return found


def main(argv: list[str] | None = None) -> int:
    """Compare, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("before", type=Path, help="folder of a dataset (auditor run … --out FOLDER)")
    parser.add_argument("after", type=Path, help="folder of another one")
    options = parser.parse_args(argv)
    try:
        found = compared(options.before, options.after)
    except NoDatasetError as error:
        print(error, file=sys.stderr)
        return 2
    for table, (rows, lines) in found.items():
        print(f"{table:9} {'different' if lines else 'the same'}, {rows:,} rows", *lines, sep="\n  ")
    return int(any(lines for _, lines in found.values()))


if __name__ == "__main__":
    sys.exit(main())
