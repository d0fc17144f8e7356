"""What a run tells a person at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from auditor.totals import Totals


def line(finding: dict[str, object]) -> str:
    """Return a finding as one line: code, severity, where, the sentence, and the rules under which it would be none."""
    where = f"{finding['source']}"
    if finding["within"] is not None:
        where += f"#{finding['within']}"
    if finding["event"] is not None:
        where += f":{finding['event']}"
    if finding["round_name"] is not None:
        where += f" {finding['round_name']}"
    if finding["seat"] is not None:
        where += f" seat {finding['seat']}"
    right = "" if finding["right_under"] is None else f" (right under {finding['right_under']})"
    return f"{finding['code']} {finding['severity']} {where}: {finding['message']}{right}"


def text(total: Totals, out: Path, stopped: str | None = None) -> str:
    """Return the summary of a run."""
    lines = [line(finding) for finding in total.examples]
    more = total.findings.total() - len(lines)
    if more > 0:
        lines.append(f"... and {more:,} more in {out / 'findings'}")
    if lines:
        lines.append("")
    status = f"{total.audited:,} audited, {total.unsupported:,} unsupported, {total.unreadable:,} unreadable"
    few = {"ignored": total.ignored, "missing": total.missing, "archives": total.archives, "unchanged": total.unchanged}
    status += "".join(f", {count:,} {name}" for name, count in few.items() if count)
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
    if stopped:
        lines.append(f"stopped by {stopped} before the end; the same command goes on from here")
    lines.append(f"tables in {out}")
    return "\n".join(lines)
