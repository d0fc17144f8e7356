"""The commands that read a dataset; main.py adds them to the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from auditor.base.choices import By, Format
from auditor.base.printing import hanging
from auditor.cli import options, pages
from auditor.cli.exits import CLEAN, FINDINGS, echo, failed
from auditor.cli.tables import As, Out, RawCsv, form_of, give

Dataset = Annotated[Path, typer.Argument(help="Folder that `auditor run … --out` wrote.", metavar="DIR")]


def tables(
    folder: Dataset,
    check: Annotated[bool, typer.Option("--check", help="First compare every file with its digest.")] = False,
) -> None:
    """Print every table's columns with type, unit and meaning.

    Example: auditor tables out
    """
    from auditor.dataset.opened import DatasetError, opened, verify
    from auditor.dataset.schema import format_schema

    try:
        opened(folder)
        if check:
            verify(folder, whole=True)
    except DatasetError as error:
        raise failed(error) from None
    echo(hanging(format_schema()))


def query(
    context: typer.Context,
    folder: Dataset,
    sql: Annotated[str, typer.Argument(help="SQL over the tables by name, in Polars' dialect.", metavar="SQL")],
    form: As = None,
    out: Out = None,
    raw: RawCsv = False,
) -> None:
    """Query a dataset in SQL.

    Example: auditor query out "SELECT code, COUNT(*) AS n FROM findings GROUP BY code"
    """
    from auditor.dataset.opened import DatasetError, QueryError, queried

    chosen = form_of(context, form, out)
    try:
        answer = queried(folder, sql)
    except (DatasetError, QueryError) as error:
        raise failed(error) from None
    give(answer, chosen, out, raw=raw)


def stats(
    context: typer.Context,
    folder: Annotated[Path | None, typer.Argument(help="Folder of a dataset.", metavar="DIR")] = None,
    name: Annotated[
        str | None,
        typer.Argument(help="Name of the statistic: see --list.", metavar="NAME", autocompletion=options.statistics),
    ] = None,
    by: Annotated[By | None, typer.Option(help="Split by this column.")] = None,
    players: Annotated[
        int | None,
        typer.Option(help="Count only games of so many players; if not stated, split by it.", min=3, max=4),
    ] = None,
    min_games: Annotated[int, typer.Option(help="Leave out groups with fewer games.", min=0)] = 0,
    form: As = None,
    out: Out = None,
    raw: RawCsv = False,
    plot: pages.Plot = None,
    listed: Annotated[
        bool, typer.Option("--list", help="List the statistics, with numerators and denominators.")
    ] = False,
) -> None:
    """Print a named statistic: numerator, denominator, value, and for rates Wilson's 95 % interval.

    Example: auditor stats out rates --by player --min-games 10
    """
    from auditor.dataset.opened import DatasetError, opened, reading
    from auditor.dataset.stats import LIST_SAYS, STATISTICS, StatError, computed

    if listed:
        echo(hanging("\n\n".join([LIST_SAYS, *(each.doc for each in STATISTICS.values())])))
        return
    if folder is None or name is None:
        raise failed(StatError("give a dataset's folder and a statistic (auditor stats --list)"))
    chosen = form_of(context, form, out)
    try:
        with reading(folder):
            answer = computed(opened(folder), name, by, min_games, players)
    except (DatasetError, StatError) as error:
        raise failed(error) from None
    if plot is not None:
        pages.draw(answer, name, plot)
    give(answer, chosen, out, raw=raw)


def compare(
    context: typer.Context,
    one: Annotated[Path, typer.Argument(help="Folder of a dataset.", metavar="DIR1")],
    other: Annotated[Path, typer.Argument(help="Folder of another dataset.", metavar="DIR2")],
    form: As = None,
    out: Out = None,
    raw: RawCsv = False,
) -> None:
    """Compare two datasets: rows of each table, and by game and code the findings that disappeared or appeared.

    Exit code 0: they are the same; 1: they differ; 2: one of them is no dataset.

    Example: auditor compare before after
    """
    from auditor.dataset.compare import changed, counted
    from auditor.dataset.opened import DatasetError, opened, reading, shown

    chosen = form_of(context, form, out)
    try:
        with reading(one, other):
            before, after = opened(one), opened(other)
            counts, changes = counted(before, after), changed(before, after)
    except DatasetError as error:
        raise failed(error) from None
    if chosen is Format.table and out is None:
        echo(shown(counts) + "\n")
    give(changes, chosen, out, raw=raw)
    differs = len(changes) or not counts["before"].equals(counts["after"])
    raise typer.Exit(FINDINGS if differs else CLEAN)


def show(
    folder: Dataset,
    game: Annotated[str | None, typer.Option(help="Only games whose id is this, or begins with it.")] = None,
    code: Annotated[
        list[str] | None, typer.Option(help="Only these codes, such as W or P101.", autocompletion=options.codes)
    ] = None,
    limit: Annotated[int, typer.Option(help="Print at most this many findings.", min=1)] = 20,
) -> None:
    """Print findings in full: message, place, the table at that moment, the win, and why it is wrong.

    To draw the table, the command reads the logs again, so run it in the folder in which you ran the audit. If a log is
    gone or has changed, it prints only what the dataset has.

    Example: auditor show out --code W106 --limit 5
    """
    from auditor.audit.check import UnknownCodeError
    from auditor.dataset.opened import DatasetError, opened, reading
    from auditor.show.finding_text import NotThereError, format_findings

    try:
        with reading(folder):
            text = format_findings(opened(folder), game, code or (), limit)
    except (DatasetError, UnknownCodeError, NotThereError) as error:
        raise failed(error) from None
    echo(text)
