"""The command that removes from a dataset what left the archive of logs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from auditor.cli import options
from auditor.cli.exits import echo, failed

_MOST = 10


def forget(
    source: Annotated[
        list[str],
        typer.Argument(help="Logs, folders, archives, URIs, written in any way, or as the table sources has them."),
        options.SOURCE,
    ],
    folder: Annotated[Path, typer.Option("--dir", help="Folder that `auditor run … --out` wrote.", metavar="DIR")],
    missing: Annotated[
        bool, typer.Option("--missing", help="Forget only those files in SOURCE that are not there any more.")
    ] = False,
    wait: Annotated[bool, typer.Option("--wait", help="Wait for a run into the same folder to end.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Change nothing; print what would be forgotten.")] = False,
) -> None:
    """Remove logs that left the archive from a dataset, with all their rows.

    Their findings are gone then; `auditor compare DIR --before RUN` lists them. A log that is still there is audited
    again by the next run that meets it.

    Example: auditor forget logs/2019 --dir audited

    Exit code 0: it is done; 2: the dataset has no such log, or cannot be written.
    """
    from auditor.dataset.opened import DatasetError
    from auditor.run import forget as forgetting

    try:
        lost = forgetting.forget(folder, source, missing=missing, dry=dry_run, wait=wait)
    except (DatasetError, forgetting.SourceError, forgetting.OutputError) as error:
        raise failed(error) from None
    lines = [f"  {name}" for name in lost.sources[:_MOST]]
    lines += [f"  ... and {len(lost.sources) - _MOST:,} more"] if len(lost.sources) > _MOST else []
    counts = ((len(lost.sources), "source"), (lost.games, "game"), (lost.findings, "finding"))
    sources, games, findings = (f"{count:,} {name}{'' if count == 1 else 's'}" for count, name in counts)
    verb = "would be forgotten" if dry_run else "forgotten"
    echo("\n".join([f"{sources} {verb}: {games}, {findings} gone", *lines]))
