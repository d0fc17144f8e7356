"""The command that makes a page, and the options of others that draw; main.py adds the command to the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.cli.exits import echo, failed

if TYPE_CHECKING:
    from polars import DataFrame, LazyFrame

Plot = Annotated[
    Path | None, typer.Option(help="Also draw the statistic into this file: .svg, .png or .html.", show_default=False)
]
Html = Annotated[
    Path | None,
    typer.Option(
        help="Write a page with the findings and their tables drawn, instead of printing.", show_default=False
    ),
]


def report(
    folder: Annotated[Path, typer.Argument(help="Folder that `auditor run … --out` wrote.", metavar="DIR")],
    out: Annotated[Path, typer.Option(help="The page to write: one HTML file that needs nothing else.")],
    since: Annotated[
        str | None,
        typer.Option(
            help="Say what is new and gone since this run, or since the last run before this day.",
            metavar="RUN|DATE",
            show_default="the run before the newest",
        ),
    ] = None,
) -> None:
    """Write a page to look at: the night at a glance, findings with the table drawn, statistics with plots.

    To draw the tables, the command reads the logs again, so run it in the folder in which you ran the audit. It needs
    the extra: pip install 'riichi-log-auditor[report]'.

    Example: auditor report out --out report.html
    """
    from auditor.dataset.history import RunError
    from auditor.dataset.opened import DatasetError, opened, reading
    from auditor.report.extra import NotInstalledError, check_installed
    from auditor.report.files import FileError, write

    try:
        check_installed()
        from auditor.report import page

        with reading(folder):
            text = page.report(opened(folder), str(folder), since)
        write(out, text, "--out")
    except (NotInstalledError, DatasetError, FileError, RunError) as error:
        raise failed(error) from None
    echo(f"{out}: {len(text.encode()) / 1e6:.1f} MB")


def draw(answer: DataFrame, name: str, out: Path) -> None:
    """Draw the answer of a statistic into a file; end the command if that is not possible."""
    from auditor.dataset.stats import STATISTICS
    from auditor.report.extra import NotInstalledError, check_installed
    from auditor.report.files import FileError, form_of_plot, write

    if answer.is_empty():
        raise failed(FileError(f"--plot {out}: nothing to draw, as the statistic has no rows"))
    key = STATISTICS[name].key if name in STATISTICS else None
    try:
        form = form_of_plot(out)
        check_installed()
        from auditor.report import charts

        write(out, charts.saved(charts.plotted(answer, key), form), "--plot")
    except (NotInstalledError, FileError) as error:
        raise failed(error) from None


def put_findings(tables: dict[str, LazyFrame], found: LazyFrame, limit: int, asked: str, out: Path) -> None:
    """Write some findings as a page; end the command if that is not possible."""
    from auditor.report.extra import NotInstalledError, check_installed
    from auditor.report.files import FileError, write

    try:
        check_installed()
        from auditor.report import page

        write(out, page.of_findings(tables, found, limit, asked), "--html")
    except (NotInstalledError, FileError) as error:
        raise failed(error) from None
    echo(str(out))
