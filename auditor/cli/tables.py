"""How commands print or write a table: the options, the format that they mean together, and the writing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.base.choices import Format
from auditor.cli.exits import failed

if TYPE_CHECKING:
    from polars import DataFrame

As = Annotated[
    Format | None,
    typer.Option("--format", help="Format of the answer, if the ending of --out does not give it; printed: table."),
]
Out = Annotated[
    Path | None,
    typer.Option(help="File to write instead of printing: .csv, .tsv, .json, .jsonl, .parquet."),
]
RawCsv = Annotated[
    bool,
    typer.Option("--raw-csv", help="Do not put a ' before cells that a spreadsheet takes for formulas (= + - @)."),
]


def form_of(context: typer.Context, form: Format | None, out: Path | None) -> Format:
    """Return the format that ``--format`` and ``--out`` mean; end the command where they contradict each other."""
    from auditor.dataset.formats import TableError, chosen

    try:
        return chosen(form, out, stated=is_stated(context))
    except TableError as error:
        raise failed(error) from None


def is_stated(context: typer.Context) -> bool:
    """Say whether the command line itself gives ``--format``, not a configuration or a variable."""
    source = context.get_parameter_source("form")
    return source is not None and source.name == "COMMANDLINE"


def give(answer: DataFrame, form: Format, out: Path | None, *, raw: bool) -> None:
    """Write an answer; end the command if the file cannot be written."""
    from auditor.dataset import formats

    try:
        formats.give(answer, form, out, raw=raw)
    except formats.TableError as error:
        raise failed(error) from None
