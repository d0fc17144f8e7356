"""The command that converts logs from one format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from auditor.base.choices import Written
from auditor.cli import options
from auditor.cli.exits import CLEAN, FAILED, FINDINGS, echo, failed

_MOST = 20


def convert(
    source: Annotated[list[str], typer.Argument(help="Logs, folders, archives, as for auditor run.")],
    to: Annotated[Written, typer.Option("--to", help="The format to write.")],
    out: Annotated[Path, typer.Option(help="Folder for the files, one a game; made if it does not exist.")],
    rules: options.Rules = "tenhou",
) -> None:
    """Write games in another format, as far as the logs and that format go; what cannot be told is named.

    An audit of the written files gives what an audit of the logs gives, as far as the format can say it. A value that
    the format must have and a log lacks, such as fu or who was tenpai, is recomputed from the hands, and named too.

    Example: auditor convert ~/logs --to mjai --out converted

    Exit code 0: all games are written; 1: some logs or games are not; 2: nothing is.
    """
    from auditor.cli.rule_option import RulesError, named
    from auditor.convert.files import convert as converted
    from auditor.sources.log_files import SourceError, find

    try:
        totals = converted(find(source, out, []), to.value, out, named(rules))
    except (SourceError, RulesError, OSError) as error:
        raise failed(error) from None
    lines = [f"{totals.written:,} games written to {out}"]
    for title, found in (
        ("not written", [*totals.refused]),
        ("not read", [f"{name}: {reason}" for name, reason in totals.unread.items()]),
        (
            "not told by the logs, or not by this format (games)",
            [f"{what} ({count:,})" for what, count in totals.lacks.most_common()],
        ),
    ):
        lines += [f"{title}:", *(f"  {each}" for each in found[:_MOST])] if found else []
        lines += [f"  … and {len(found) - _MOST:,} more"] if len(found) > _MOST else []
    echo("\n".join(lines))
    if not totals.written:
        raise typer.Exit(FAILED)
    raise typer.Exit(FINDINGS if totals.refused or totals.unread else CLEAN)
