"""The commands that read a dataset; main.py adds them to the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from auditor.base.choices import By, Format
from auditor.base.printing import hanging
from auditor.cli import colours, options, pages
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
    by: Annotated[list[By] | None, typer.Option(help="Split by this column; give it twice to split by two.")] = None,
    where: Annotated[
        str | None,
        typer.Option(
            help="Count only games, or seats of games, with this, such as \"platform = 'tenhou'\".", metavar="SQL"
        ),
    ] = None,
    players: Annotated[
        int | None,
        typer.Option(help="Count only games of so many players; if not stated, split by it.", min=3, max=4),
    ] = None,
    min_games: Annotated[int, typer.Option(help="Leave out groups with fewer games.", min=0)] = 0,
    sort: Annotated[
        str | None,
        typer.Option(help="Sort by this column of the answer; with - before it from the greatest.", metavar="COLUMN"),
    ] = None,
    form: As = None,
    out: Out = None,
    raw: RawCsv = False,
    plot: pages.Plot = None,
    listed: Annotated[
        bool, typer.Option("--list", help="List the statistics, with numerators and denominators.")
    ] = False,
) -> None:
    """Print a named statistic: figures, Wilson's 95 % interval of each rate, standard error of each mean.

    The statistic `players` has one row a player, and figures of the others as columns. --where is SQL over columns of
    games (players, platform, client, rules, room, mode, month, source, table, rounds, start_time, findings) and of
    their seats (player, seat, rank, rating).

    Example: auditor stats out rates --by player --by dealer --min-games 10

    Example: auditor stats out players --where "players = 4" --sort=-win
    """
    from auditor.dataset.opened import DatasetError, opened, reading
    from auditor.dataset.stats import StatError, computed, described

    if listed:
        echo(hanging(described()))
        return
    if folder is None or name is None:
        raise failed(StatError("give a dataset's folder and a statistic (auditor stats --list)"))
    chosen = form_of(context, form, out)
    try:
        with reading(folder):
            answer = computed(opened(folder), name, by, min_games, players, where, sort)
    except (DatasetError, StatError) as error:
        raise failed(error) from None
    if plot is not None:
        pages.draw(answer, name, plot)
    give(answer, chosen, out, raw=raw)


def compare(
    context: typer.Context,
    one: Annotated[Path, typer.Argument(help="Folder of a dataset.", metavar="DIR1")],
    other: Annotated[
        Path | None, typer.Argument(help="Folder of another dataset; left out with --before.", metavar="DIR2")
    ] = None,
    before: Annotated[
        str | None,
        typer.Option(
            help="The run of one dataset to compare: its time; -2: the last but one; or a day: the last run before it.",
            metavar="RUN|DATE",
        ),
    ] = None,
    after: Annotated[
        str | None,
        typer.Option(help="The run to compare with --before.", metavar="RUN", show_default="the dataset as it is now"),
    ] = None,
    code: options.Codes = None,
    severity: options.Severities = None,
    game: options.Game = None,
    player: options.Player = None,
    form: As = None,
    out: Out = None,
    raw: RawCsv = False,
) -> None:
    """Compare two datasets, or two runs of one: the findings that disappeared or appeared.

    Of two datasets, it counts the rows of each table, and the findings by game and code. Of two runs, it lists each
    finding, and why it is gone.

    Exit code 0: they are the same; 1: they differ; 2: one of them is no dataset or no run.

    Example: auditor compare before after
    """
    from auditor.dataset.choice import Choice
    from auditor.dataset.compare import CompareError, between_runs, changed, counted
    from auditor.dataset.opened import opened, reading, shown

    chosen = form_of(context, form, out)
    counts = None
    try:
        choice = Choice(_codes(code), tuple(severity or ()), game, player)
        if (before is None) == (other is None) or (after and not before):
            raise CompareError("give two datasets; or one dataset and --before RUN, with or without --after RUN")
        if before is not None:
            with reading(one):
                changes = between_runs(opened(one), before, after, choice)
        elif other is not None:
            with reading(one, other):
                old, new = choice.of_datasets(opened(one), opened(other))
                counts, changes = counted(old, new), changed(old, new)
    except _errors() as error:
        raise failed(error) from None
    if counts is not None and chosen is Format.table and out is None:
        echo(shown(counts) + "\n")
    give(changes, chosen, out, raw=raw)
    differs = len(changes) or (counts is not None and not counts["before"].equals(counts["after"]))
    raise typer.Exit(FINDINGS if differs else CLEAN)


def show(
    folder: Dataset,
    game: options.Game = None,
    code: options.Codes = None,
    severity: options.Severities = None,
    player: options.Player = None,
    new: Annotated[bool, typer.Option("--new", help="Only what is new since the run before the newest.")] = False,
    since: Annotated[
        str | None,
        typer.Option(
            help="Only what is new since this run, or since the last run before this day.", metavar="RUN|DATE"
        ),
    ] = None,
    run: Annotated[
        str | None, typer.Option(help="Only what this run was the first to see: its time, or -1: the newest.")
    ] = None,
    limit: Annotated[int, typer.Option(help="Print at most this many findings.", min=1)] = 20,
    html: pages.Html = None,
) -> None:
    """Print findings in full: message, place, the table at that moment, the win, and why it is wrong.

    To draw the table, the command reads the logs again, so run it in the folder in which you ran the audit. If a log is
    gone or has changed, it prints only what the dataset has.

    Example: auditor show out --code W106 --limit 5
    """
    from auditor.dataset.choice import Choice
    from auditor.dataset.opened import opened, reading
    from auditor.show.finding_text import format_findings

    try:
        choice = Choice(_codes(code), tuple(severity or ()), game, player, run, since, new)
        with reading(folder):
            tables = opened(folder)
            found = choice.findings(tables)
            if html is not None:
                return pages.put_findings(tables, found, limit, choice.text, html)
            text = format_findings(tables, found, limit, choice.text)
    except _errors() as error:
        raise failed(error) from None
    return colours.echo(text)


def _codes(code: list[str] | None) -> tuple[str, ...] | None:
    """Return the codes that begin so; None: all. It raises UnknownCodeError for a code that no check has."""
    from auditor.audit.check import choose

    return tuple(check.code for check in choose(code, [])) if code else None


def _errors() -> tuple[type[Exception], ...]:
    """Return the errors that end a command that looks for findings."""
    from auditor.audit.check import UnknownCodeError
    from auditor.dataset.choice import ChoiceError
    from auditor.dataset.compare import CompareError
    from auditor.dataset.opened import DatasetError

    return DatasetError, UnknownCodeError, ChoiceError, CompareError
