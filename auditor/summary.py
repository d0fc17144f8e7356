"""What a run shows a person: the progress bar, and the summary at its end."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from tqdm import tqdm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from auditor.run import Counts


@contextmanager
def progress(files: int) -> Iterator[Callable[[Counts], None]]:
    """Show a bar of files done, with games a second and findings so far; yield what to call after each batch."""
    with tqdm(total=files, unit="game", smoothing=0.1, dynamic_ncols=True) as bar:
        found = 0

        def advance(counts: Counts) -> None:
            nonlocal found
            found += counts.findings.total()
            bar.set_postfix(findings=found, refresh=False)
            bar.update(counts.files)

        yield advance


def line(finding: dict[str, object]) -> str:
    """Return a finding as one line: code, severity, where, and the sentence."""
    where = f"{finding['source']}"
    if finding["within"] is not None:
        where += f"#{finding['within']}"
    if finding["event"] is not None:
        where += f":{finding['event']}"
    if finding["round_name"] is not None:
        where += f" {finding['round_name']}"
    if finding["seat"] is not None:
        where += f" seat {finding['seat']}"
    return f"{finding['code']} {finding['severity']} {where}: {finding['message']}"


def text(total: Counts, out: Path) -> str:
    """Return the summary of a run."""
    lines = [line(finding) for finding in total.examples]
    more = total.findings.total() - len(lines)
    if more > 0:
        lines.append(f"... and {more:,} more in {out / 'findings'}")
    if lines:
        lines.append("")
    status = f"{total.audited:,} audited, {total.unsupported:,} unsupported, {total.unreadable:,} unreadable"
    status += f", {total.missing:,} missing" if total.missing else ""
    lines += [
        f"files    {total.files:>12,}   ({status})",
        f"games    {total.games:>12,}",
        f"rounds   {total.rounds:>12,}",
        f"turns    {total.turns:>12,}",
        f"wins     {total.wins:>12,}",
        f"findings {total.findings.total():>12,}",
    ]
    lines += [f"  {code}   {count:>12,}" for code, count in sorted(total.findings.items())]
    if total.not_checkable:
        lines.append("not checkable (the log or its rules do not say):")
        lines += [
            f"  {code}   {count:>12,} of {total.looked[code]:,}" for code, count in sorted(total.not_checkable.items())
        ]
    lines.append(f"tables in {out}")
    return "\n".join(lines)
