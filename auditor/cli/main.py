"""The command line: each command is a few lines that call another room."""

from __future__ import annotations

import gc
import os
import sys
import traceback
from contextlib import nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer

from auditor.base.choices import FailOn, Show
from auditor.cli import ask, config_command, conversion, hands, options, pages, places, upkeep
from auditor.cli.exits import CLEAN, FAILED, FINDINGS, UNREAD, echo, failed

app = typer.Typer(
    cls=config_command.Commands, no_args_is_help=True, add_completion=True, pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)  # fmt: skip


@app.callback()
def auditor(context: typer.Context, config: config_command.File = None, version: options.Version = False) -> None:
    """Audit recorded riichi-mahjong games: replay every hand, re-score every win, follow every payment.

    Example: auditor run ~/logs 2024.zip --out audited

    Every option can also be set in auditor.toml ([run] jobs = 4) or in a variable (AUDITOR_RUN_JOBS=4): see auditor
    config.
    """
    del version  # typer prints it before it reads anything else
    config_command.configure(context, config)


@app.command()
def run(
    out: Annotated[Path, typer.Option(help="Folder, or s3:// or gs:// URI, for the Parquet tables; made if needed.")],
    source: Annotated[
        list[str] | None,
        typer.Argument(help="Logs, folders, archives, URIs (s3://, gs://, hdfs://, file://); - reads a list on stdin."),
        options.SOURCE,
    ] = None,
    lists: Annotated[
        list[str] | None,
        typer.Option("--from", help="File that lists logs, folders and so on, one per line."),
        options.LIST,
    ] = None,
    rules: Annotated[
        str,
        typer.Option(
            help="Rules for logs that do not state theirs: a preset's name, or a file.", autocompletion=options.presets
        ),
        options.RULES,
    ] = "tenhou",
    select: Annotated[
        list[str] | None,
        typer.Option(
            help="Only checks with these codes, such as W or P101; ALL: every check, also those that are off (S).",
            autocompletion=options.codes,
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(help="Leave out checks with these codes.", autocompletion=options.codes)
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Worker processes.", show_default="as many as there are cores")
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="A Dask scheduler whose workers do the work: tcp://HOST:PORT, tls://HOST:PORT, or a scheduler file.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Audit unchanged logs again.")] = False,
    wait: Annotated[bool, typer.Option("--wait", help="Wait for another run into the same folder to end.")] = False,
    progress: Annotated[
        Show, typer.Option(help="A bar, lines, or nothing; auto: a bar on a terminal, else lines.")
    ] = Show.auto,
    log_json: Annotated[bool, typer.Option("--log-json", help="Print progress as JSON lines on stderr.")] = False,
    fail_on: Annotated[
        FailOn, typer.Option(help="Lowest severity of a finding that makes the exit code 1.")
    ] = FailOn.note,
) -> None:
    """Audit logs and write the findings; logs that the dataset already has are skipped if they have not changed.

    Example: auditor run ~/logs 2024.zip --out audited

    Exit code 0: no new findings; 1: new findings; 2: the run itself failed; 130, 143: stopped by a signal.
    """
    fresh = "polars" not in sys.modules  # then nothing has used it, and its threads have not begun
    gc.disable()  # what imports make stays, so looking for garbage among it is in vain
    from auditor.audit.audit_batch import Options
    from auditor.audit.check import UnknownCodeError
    from auditor.base.steps import Board
    from auditor.cli.rule_option import RulesError, named
    from auditor.dataset.objects import Bucket, located
    from auditor.dataset.writing import OutputError
    from auditor.run import progress as progressing
    from auditor.run import run_batches as running
    from auditor.run import stopping, summary
    from auditor.sources.log_files import SourceError, find

    gc.freeze()
    gc.enable()
    joined = None
    try:
        options = Options(named(rules), tuple(select or ()), tuple(ignore or ()))
        options.checks  # noqa: B018  (raises for an unknown code before any work is done)
        target = located(out)
        files = find(source or [], None if isinstance(target, Bucket) else target, lists or [])
        if isinstance(target, Bucket):
            files = (place for place in files if not target.has(place.file))
        jobs = jobs or running.cores()
        if cluster:
            from auditor.run.cluster import Cluster

            joined = Cluster(cluster)
        board = Board.of(joined.slots if joined else running.slots(jobs))
        pool = running.workers(jobs, board, fresh=fresh) if jobs > 1 and not joined else None
        with (
            pool or nullcontext(),
            stopping.Stop().on_signals() as stop,
            progressing.shown(progress, board, as_json=log_json) as shown,
        ):
            stop.heard, stop.halted = shown.stopping, shown.halted
            if joined:
                joined.say = shown.say
            how = running.How(jobs, force, wait, stop, board, pool, joined)
            total = running.run(files, target, options, how, shown)
    except (SourceError, OutputError, running.WorkerError, UnknownCodeError, RulesError) as error:
        if log_json:
            progressing.event("error", as_json=True, message=str(error))
            raise typer.Exit(FAILED) from None
        raise failed(error) from None
    finally:
        if joined:
            joined.close()
    echo(summary.text(total, target, stop.by))
    if stop.by:
        raise typer.Exit(stopping.code(stop.by))
    raise typer.Exit(FINDINGS if fail_on.failed(total.severities) else CLEAN)


@app.command()
def explain(code: options.Code) -> None:
    """Print what a check reports, why that is wrong, and what it does not report.

    Example: auditor explain W106
    """
    from auditor.audit.check import UnknownCodeError, choose

    try:
        chosen = choose([code], [])
    except UnknownCodeError as error:
        raise failed(error) from None
    for check in chosen:
        off = "" if check.default else ", off unless selected: auditor run --select S, or ALL"
        rules = f"\n\nDepends on the rules: {', '.join(check.rules)}." if check.rules else ""
        echo(f"{check.code} ({check.severity}{off})\n\n{check.doc}{rules}\n")


@app.command()
def checks() -> None:
    """List all checks: code, severity, what is wrong. "off": the check runs only if you select it (--select S, or ALL).

    Example: auditor checks
    """
    from auditor.audit.check import all_checks

    for check in all_checks():
        echo(f"{check.code}  {check.severity:<5}  {'' if check.default else 'off':<3}  {check.title}")


for command in (
    hands.hand,
    hands.score,
    ask.tables,
    ask.query,
    ask.stats,
    ask.compare,
    ask.show,
    pages.report,
    upkeep.forget,
    conversion.convert,
):
    app.command(cls=places.Placed)(command)
app.command("config", context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True})(
    config_command.show_config
)

rule_commands = typer.Typer(
    no_args_is_help=True, help="The rule sets that come with the auditor.\n\nExample: auditor rules show tenhou"
)
app.add_typer(rule_commands, name="rules")


@rule_commands.command("list")
def rules_list() -> None:
    """List the presets.

    Example: auditor rules list
    """
    from engine.rules.rule_sets import preset_names

    echo("\n".join(preset_names()))


@rule_commands.command("show")
def rules_show(name: options.RuleSetName, date: options.Date = None) -> None:
    """Print a rule set as a rule file: every value with meaning, unit and source; unknown rules are comments.

    Example: auditor rules show wrc --date 2019-05-01
    """
    from auditor.cli.rule_option import RulesError, shown

    try:
        echo(shown(name, date))
    except RulesError as error:
        raise failed(error) from None


@rule_commands.command("diff")
def rules_diff(one: options.RuleSetName, other: options.RuleSetName) -> None:
    """Print the rules in which two rule sets differ, with both values, in TOML: meaning, unit and sources.

    Example: auditor rules diff tenhou house.toml
    """
    from auditor.cli.rule_option import RulesError, differing

    try:
        echo(differing(one, other))
    except RulesError as error:
        raise failed(error) from None


def main() -> None:
    """Run the command line. An unexpected error ends with exit code 2, as a failed run does."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy would start one a core, and no matrix is multiplied here
    # Polars keeps freed memory for the next batch, five seconds long: to give it back and get it anew takes a twentieth
    # of a run. If it kept all for ever, memory would grow with the number of batches.
    os.environ.setdefault("_RJEM_MALLOC_CONF", "dirty_decay_ms:5000")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal may lack the characters of a name
    try:
        app()
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # typer and Rich exit with 1 then, which means findings
            sys.exit(UNREAD)
        raise
    except Exception:  # noqa: BLE001  (the exit code must not be 1, which means findings)
        echo(traceback.format_exc(), err=True)
        echo("auditor: this is a fault of the auditor; please report it with the lines above", err=True)
        sys.exit(FAILED)
