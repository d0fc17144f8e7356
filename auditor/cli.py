"""The command line: a few lines a command; what they do is in run.py and check.py."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from engine.rules import RuleSet

app = typer.Typer(no_args_is_help=True, add_completion=True, pretty_exceptions_enable=False)

CLEAN, FINDINGS, FAILED = 0, 1, 2
"""Exit codes."""


@app.callback()
def auditor() -> None:
    """Audit recorded riichi-mahjong games: replay every hand, re-score every win, follow every payment."""


@app.command()
def run(
    source: Annotated[list[Path], typer.Argument(help="Logs, or folders of logs.")],
    out: Annotated[Path, typer.Option(help="Folder for the Parquet tables; made if it is not there.")],
    rules: Annotated[
        str, typer.Option(help="Rules for what logs do not say: a preset's name, or a TOML file.")
    ] = "tenhou",
    select: Annotated[list[str] | None, typer.Option(help="Only checks with these codes, such as W or P101.")] = None,
    ignore: Annotated[list[str] | None, typer.Option(help="No checks with these codes.")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Worker processes.")] = 1,
) -> None:
    """Audit logs and write what is found.

    Exit code 0: no findings; 1: findings; 2: the run itself failed.
    """
    from auditor import run as running
    from auditor import summary
    from auditor.audit import Options
    from auditor.check import UnknownCodeError
    from auditor.report import OutputError
    from auditor.sources import SourceError, find

    try:
        options = Options(_rules(rules), tuple(select or ()), tuple(ignore or ()))
        options.checks  # noqa: B018  (raises for an unknown code before any work is done)
        files = list(find(source))
        with summary.progress(len(files)) as progress:
            total = running.run(files, out, options, jobs, progress)
    except (SourceError, OutputError, UnknownCodeError, RulesError) as error:
        typer.echo(f"auditor: {error}", err=True)
        raise typer.Exit(FAILED) from None
    typer.echo(summary.text(total, out))
    raise typer.Exit(FINDINGS if total.findings else CLEAN)


class RulesError(ValueError):
    """What ``--rules`` names is no rule set."""


def _rules(name: str) -> RuleSet:
    """Return a preset, or the rule set of a TOML file: a ``preset`` and what differs from it."""
    from auditor.ruleset import load

    try:
        return load(name)
    except (ValueError, OSError) as error:
        raise RulesError(f"--rules {name}: {error}") from error


@app.command()
def explain(code: Annotated[str, typer.Argument(help="A check's code, such as W106.")]) -> None:
    """Print what a check reports, why it is wrong, and what it leaves to others."""
    from auditor.check import UnknownCodeError, choose

    try:
        chosen = choose([code], [])
    except UnknownCodeError as error:
        typer.echo(f"auditor: {error}", err=True)
        raise typer.Exit(FAILED) from None
    for check in chosen:
        obeys = f"\n\nObeys the rules: {', '.join(check.obeys)}." if check.obeys else ""
        typer.echo(f"{check.code} ({check.severity})\n\n{check.doc}{obeys}\n")


@app.command()
def checks() -> None:
    """List all checks."""
    from auditor.check import all_checks

    for check in all_checks():
        typer.echo(f"{check.code}  {check.severity:<5}  {check.title}")


def main() -> None:
    """Run the command line."""
    app()
