"""The commands that ask a dataset: a few lines each; cli.py has them among its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.choices import Format

if TYPE_CHECKING:
    from polars import DataFrame

FAILED = 2

Dataset = Annotated[Path, typer.Argument(help="Folder that `auditor run … --out` wrote.", metavar="DIR")]
As = Annotated[Format, typer.Option("--format", help="How to print it; Parquet goes to a file.")]
Out = Annotated[Path | None, typer.Option(help="File to write instead of printing.")]


def tables(folder: Dataset) -> None:
    """Print every table's columns with types, units and what they say.

    Example: auditor tables out
    """
    from auditor.schema import told
    from auditor.tables import DatasetError, opened

    try:
        opened(folder)
    except DatasetError as error:
        raise _failed(error) from None
    typer.echo(told())


def query(
    folder: Dataset,
    sql: Annotated[str, typer.Argument(help="SQL over the tables by name, in Polars' dialect.", metavar="SQL")],
    form: As = Format.table,
    out: Out = None,
) -> None:
    """Ask a dataset in SQL.

    Example: auditor query out "SELECT code, COUNT(*) AS n FROM findings GROUP BY code"
    """
    from auditor.tables import DatasetError, QueryError, queried

    try:
        answer = queried(folder, sql)
    except (DatasetError, QueryError) as error:
        raise _failed(error) from None
    _give(answer, form, out)


def _give(answer: DataFrame, form: Format, out: Path | None) -> None:
    from auditor.tables import QueryError, give

    try:
        give(answer, form, out)
    except (QueryError, OSError) as error:
        raise _failed(error) from None


def _failed(error: Exception) -> typer.Exit:
    typer.echo(f"auditor: {error}", err=True)
    return typer.Exit(FAILED)
