"""Tables printed or written to files: which format to use, and the text in that format.

One rule holds for every command. The ending of the file's name decides the format. ``--format`` decides if there is no
file or the ending is not known. If the two contradict each other, the command is refused.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import polars as pl

from auditor.base.choices import Format
from auditor.base.printing import lines
from auditor.dataset.opened import flat, shown

if TYPE_CHECKING:
    from pathlib import Path

ENDINGS = {
    ".csv": Format.csv,
    ".tsv": Format.tsv,
    ".json": Format.json,
    ".jsonl": Format.jsonl,
    ".ndjson": Format.jsonl,
    ".parquet": Format.parquet,
}
"""Formats by the ending of a file's name."""

FORMULA = r"^[=+\-@\t\r\n＝＋－＠]"
"""The beginning of a cell that a spreadsheet takes for a formula."""
WITHIN = r"([;\t\r\n])([=@＝＠]|[+\-＋－][0-9.]*[^0-9.;\s])"
"""The same after a sign at which a spreadsheet of another language, or another reader of lines, begins a new cell."""
NUMBER = r"^[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$"


class TableError(ValueError):
    """A table that cannot be read or written in the requested way."""


def chosen(form: Format | None, out: Path | None, *, stated: bool = True) -> Format:
    """Return the format in which to print or write a table.

    Parameters
    ----------
    form
        value of ``--format``; None if it is not given
    out
        the file; None for standard output
    stated
        whether ``form`` comes from the command line; if it comes from a configuration, the file's ending overrides it

    Raises
    ------
    TableError
        if ``--format`` and the ending contradict each other, if neither gives a format, or if Parquet would be printed

    """
    if out is None:
        if form is Format.parquet:
            raise TableError("Parquet needs a file: give --out FILE")
        return form or Format.table
    ending = ENDINGS.get(out.suffix.lower())
    if ending is None and form is None:
        raise TableError(f"{out}: this ending is no known format; use {_listed(ENDINGS)}, or give --format")
    if ending and form and stated and ending is not form:
        raise TableError(f"{out}: the name says {ending}, --format says {form}; change one of them")
    return ending or form or Format.table


def _listed(names: dict[str, Format]) -> str:
    *others, last = names
    return f"{', '.join(others)} or {last}"


def give(frame: pl.DataFrame, form: Format, out: Path | None, *, raw: bool = False) -> None:
    """Write a frame to a file, or to standard output.

    Parameters
    ----------
    frame
        any frame
    form
        the format, as :func:`chosen` returns it
    out
        the file; None for standard output
    raw
        whether cells of CSV and TSV stay as they are even if a spreadsheet takes them for formulas

    Raises
    ------
    TableError
        when the file cannot be written

    """
    if out is None:
        text = written(frame, form, raw=raw)
        sys.stdout.write(lines(text) if sys.stdout.isatty() else text)
        return
    try:
        if form is Format.parquet:
            with out.open("wb") as file:  # open() gives a short reason for an error, Polars a long one
                frame.write_parquet(file)
        else:
            out.write_text(written(frame, form, raw=raw, whole=True), encoding="utf-8", newline="")
    except (OSError, pl.exceptions.PolarsError) as error:
        reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise TableError(f"--out {out}: cannot be written ({reason}); give another file") from error


def written(frame: pl.DataFrame, form: Format, *, raw: bool = False, whole: bool = False) -> str:
    """Return a frame as text in any format but Parquet; ``raw`` is as in :func:`give`, ``whole`` as in `shown`."""
    if form in (Format.csv, Format.tsv):
        cells = flat(frame) if raw else inert(frame)
        return cells.write_csv(separator="\t" if form is Format.tsv else ",")
    if form is Format.jsonl:
        return lines(frame.write_ndjson())
    return (lines(frame.write_json()) if form is Format.json else shown(frame, whole=whole)) + "\n"


def inert(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame for CSV in which no spreadsheet finds a formula.

    Texts and column names that look like one begin with ``'``. So does the part of a text after a semicolon, a tab or
    the end of a line. Numbers stay as they are, also in texts and lists.
    """
    numbers = [name for name, kind in frame.schema.items() if _of_numbers(kind)]
    texts = pl.selectors.by_dtype(pl.String, pl.Categorical, pl.Enum) - pl.selectors.by_name(numbers)
    cell = texts.cast(pl.String)
    runs = cell.str.contains(FORMULA) & ~cell.str.contains(NUMBER)
    inner = cell.str.replace_all(WITHIN, "$1'$2")
    cells = flat(frame).with_columns(pl.when(runs).then(pl.lit("'") + inner).otherwise(inner).name.keep())
    return cells.rename(dict(zip(frame.columns, _inert_names(frame.columns), strict=True)))


def _of_numbers(kind: pl.DataType) -> bool:
    """Say whether a type is a list of numbers; its text in CSV is numbers and blanks, never a formula."""
    inner = kind.inner if isinstance(kind, pl.Array | pl.List) else None
    return inner is not None and pl.Series(dtype=inner).dtype.is_numeric()


def _inert_names(names: list[str]) -> list[str]:
    cells = pl.Series(names, dtype=pl.String)
    return [f"'{name}" if runs else name for name, runs in zip(names, cells.str.contains(FORMULA), strict=True)]
