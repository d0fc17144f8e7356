"""Reads a table of hands from a file or standard input: CSV, TSV, JSON Lines, JSON array or Parquet, plain or gzip."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
import zlib
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.csv

from auditor.base.choices import Format
from auditor.dataset.formats import ENDINGS, TableError

STDIN = "-"
MOST_BYTES = 2**31 - 1
"""The most bytes of an unpacked table: Arrow's text columns hold no more."""
SEPARATORS = ",;\t"

_WHOLE = r"^(?:0|-?[1-9][0-9]{0,17})$"
_DECIMAL = r"^-?(?:0|[1-9][0-9]{0,14})\.[0-9]{1,15}$"
_TRUTH = r"^(?:true|false)$"


def read_table(source: Path | str, form: Format | None = None) -> pl.DataFrame:
    """Return a table from a file, or from standard input (``-``).

    Parameters
    ----------
    source
        the file; its ending decides the format, and ``.gz`` after that means gzip
    form
        the format, whatever the name says; None: the ending decides, or for standard input the content

    Raises
    ------
    TableError
        when it cannot be read, or its content contradicts the format; the message names the line

    """
    if form is Format.table:
        raise TableError("--input-format table: that is for people; give csv, tsv, json, jsonl or parquet")
    name = "standard input" if str(source) == STDIN else str(source)
    data = _unpacked(name, _bytes(name, source))
    found = form or _by_content(data)
    stated = form or _by_name(name, source) or found
    if _family(stated) != _family(found):
        raise TableError(f"{name}: the name says {stated}, the content {found}; rename it, or give --input-format")
    try:
        frame = _read(data, found)
    except TableError as error:
        raise TableError(f"{name}: {error}") from None
    if not frame.columns:
        raise TableError(f"{name}: is empty; give a table with a column 'hand'")
    return frame


def _bytes(name: str, source: Path | str) -> bytes:
    try:
        return sys.stdin.buffer.read() if str(source) == STDIN else Path(source).read_bytes()
    except (OSError, ValueError) as error:
        raise TableError(f"{name}: cannot be read ({getattr(error, 'strerror', None) or error})") from error


def _unpacked(name: str, data: bytes) -> bytes:
    if data.startswith(b"\x1f\x8b"):
        try:
            with gzip.open(io.BytesIO(data)) as packed:
                data = packed.read(MOST_BYTES + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise TableError(f"{name}: gzip that cannot be unpacked: {error}") from error
    if len(data) > MOST_BYTES:
        raise TableError(f"{name}: more than 2 GiB unpacked; split it")
    return data


def _by_name(name: str, source: Path | str) -> Format | None:
    """Return the format that a file's ending stands for; None for standard input."""
    if str(source) == STDIN:
        return None
    path = Path(source)
    ending = Path(path.stem).suffix if path.suffix.lower() == ".gz" else path.suffix
    if ending.lower() not in ENDINGS:
        raise TableError(f"{name}: give a file that ends in {', '.join(ENDINGS)} (or that and .gz), or --input-format")
    return ENDINGS[ending.lower()]


def _by_content(data: bytes) -> Format:
    """Return the format that the bytes look like; CSV stands for any separator."""
    if data.startswith(b"PAR1"):
        return Format.parquet
    start = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    return {b"[": Format.json, b"{": Format.jsonl}.get(start, Format.csv)


def _family(form: Format) -> Format:
    """Return one format for all that are read alike: the content shows the separator, and arrays from lines of JSON."""
    return {Format.tsv: Format.csv, Format.json: Format.jsonl}.get(form, form)


def _read(data: bytes, form: Format) -> pl.DataFrame:
    if form is Format.parquet:
        try:
            return pl.read_parquet(data)
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
            raise TableError(f"cannot be read as Parquet: {str(error).splitlines()[0]}") from error
    text = _decoded(data)
    return _separated(text) if _family(form) is Format.csv else _json(text, form)


def _decoded(data: bytes) -> str:
    """Return the text; a byte-order mark decides the encoding, without one it is UTF-8."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encoding, start = "utf-16", 0
    else:
        encoding, start = "utf-8", 3 * data.startswith(b"\xef\xbb\xbf")
    try:
        return data[start:].decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, start + error.start) + 1
        raise TableError(
            f"line {line}: not in UTF-8 (byte {data[start + error.start]:#04x}); save it as UTF-8"
        ) from None


def _separated(text: str) -> pl.DataFrame:
    """Read lines of cells; the first line shows the separator."""
    first, _, rest = text.partition("\n")
    named = first.strip().lower().removeprefix("sep=")
    if first.lower().startswith("sep=") and named in SEPARATORS:  # a line of spreadsheets: it names the separator
        separator, text, skipped = named, rest, 1
    else:
        separator, skipped = _separator(text), 0
    names = _header(text, separator)
    if not names:
        return pl.DataFrame()
    _refuse_twins(names)
    data = text.encode()
    try:
        table = pyarrow.csv.read_csv(
            pa.py_buffer(data),
            pyarrow.csv.ReadOptions(use_threads=False, block_size=max(len(data), 1)),
            pyarrow.csv.ParseOptions(delimiter=separator, newlines_in_values=True),
            pyarrow.csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), null_values=[""], strings_can_be_null=True
            ),
        )
    except pa.ArrowInvalid as error:
        raise TableError(_fault(text, separator, len(names), skipped) or str(error).splitlines()[0]) from None
    frame = pl.from_arrow(table)
    assert isinstance(frame, pl.DataFrame)
    return frame.with_columns(map(_typed, frame.iter_columns()))


def _separator(text: str) -> str:
    """Return the separator of the first line; of several possible ones, the one that gives a column ``hand``."""

    def rank(separator: str) -> tuple[bool, int]:
        names = _header(text, separator)
        return any(name.strip().lower() == "hand" for name in names), len(names)

    return max(SEPARATORS, key=rank)


def _header(text: str, separator: str) -> list[str]:
    lines = csv.reader(io.StringIO(text[: 1 << 20], newline=""), delimiter=separator)
    try:
        return next((row for row in lines if row), [])
    except csv.Error:
        return []


def _refuse_twins(names: list[str]) -> None:
    twins = sorted({name for name in names if names.count(name) > 1})
    if twins:
        raise TableError(f"two columns are called {', '.join(map(repr, twins))}; rename one")


def _fault(text: str, separator: str, width: int, skipped: int) -> str | None:
    """Return a message about the first line with a wrong number of cells, else None. Slow: only for failed reading."""
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    begun = 0
    try:
        for row in lines:
            if row and len(row) != width:
                return (
                    f"line {begun + 1 + skipped}: {len(row)} cells, and the first line names {width} columns; "
                    f"put cells that hold {separator!r} in quotes"
                )
            begun = lines.line_num
    except csv.Error as error:
        return f"line {begun + 1 + skipped}: {error}"
    return None


def _typed(column: pl.Series) -> pl.Series:
    """Return a column of texts as numbers or booleans if every cell is written as one; else as it is."""
    for pattern, kind in ((_WHOLE, pl.Int64), (_DECIMAL, pl.Float64), (_TRUTH, pl.Boolean)):
        if column.null_count() < len(column) and column.str.contains(pattern).all():
            return column == "true" if kind == pl.Boolean else column.cast(kind)
    return column


def _json(text: str, form: Format) -> pl.DataFrame:
    """Read an array of objects, or one object a line."""
    read = pl.read_json if form is Format.json else pl.read_ndjson
    try:
        return read(io.BytesIO(text.encode()), infer_schema_length=None)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        return _with_all_as_text(_objects(text, form))


def _objects(text: str, form: Format) -> list[dict[str, Any]]:
    """Read JSON slowly, so that an error names its line."""
    if form is Format.json:
        found = _parsed(text, 1)
    else:
        try:
            found = [_parsed(text, 1)]  # one object over several lines
        except TableError:
            lines = enumerate(text.split("\n"), 1)
            found = [_parsed(line, number) for number, line in lines if line.strip()]
    for number, each in enumerate(found, 1):
        if not isinstance(each, dict):
            raise TableError(f"row {number}: no object but {json.dumps(each)[:40]}; a row is an object with columns")
    return list(found)


def _parsed(text: str, line: int) -> Any:  # noqa: ANN401  (JSON)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise TableError(f"line {line + error.lineno - 1}: no JSON ({error.msg} at column {error.colno})") from None
    except (RecursionError, ValueError) as error:
        raise TableError(f"line {line}: no JSON that can be read ({error})") from None


def _with_all_as_text(rows: list[dict[str, Any]]) -> pl.DataFrame:
    """Return rows whose values differ in type within a column: each value as text, lists as JSON."""
    names = dict.fromkeys(name for row in rows for name in row)
    columns = {name: [row.get(name) for row in rows] for name in names}
    return pl.DataFrame(
        {
            name: [
                value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False)
                for value in values
            ]
            for name, values in columns.items()
        },
        schema=dict.fromkeys(names, pl.String),
    )
