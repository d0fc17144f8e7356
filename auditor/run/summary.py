"""The text that a run prints at its end."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from auditor.base.printing import escaped, wrapped
from auditor.log.words import format_source_of

if TYPE_CHECKING:
    from auditor.dataset.store import Out
    from auditor.run.totals import Totals


def line(finding: dict[str, object]) -> str:
    """Return a finding as one line: code, severity, place, message, and rules under which it would be no finding."""
    where = format_source_of(finding["source"], finding["within"])
    if finding["event"] is not None:
        where += f":{finding['event']}"
    if finding["round_name"] is not None:
        where += f" {finding['round_name']}"
    if finding["seat"] is not None:
        where += f" seat {finding['seat']}" + (f" ({finding['player']})" if finding["player"] else "")
    right = "" if finding["right_under"] is None else f" (right under {finding['right_under']})"
    right += "" if finding["regardless_of"] is None else f" (whatever {finding['regardless_of']}: unknown here)"
    return escaped(f"{finding['code']} {finding['severity']} {where}: {finding['message']}{right}")


def text(total: Totals, out: Out, stopped: str | None = None) -> str:
    """Return the summary of a run."""
    lines = _examples(total, out)
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
    lines += _not_checkable(total)
    lines += _depends(total)
    lines += _since(total, out)
    if stopped:
        lines.append(f"stopped by {stopped} before the end; the same command goes on from here")
    lines.append(f"tables in {out}")
    return "\n".join(lines)


def _examples(total: Totals, out: Out) -> list[str]:
    """Return lines with the first findings of each code, and the number of the others."""
    lines = []
    for code, shown in groupby(total.first, key=lambda finding: str(finding["code"])):
        found = [line(finding) for finding in shown]
        more = total.findings[code] - len(found)
        lines += [*found, *([f"{code} ... and {more:,} more"] if more > 0 else [])]
    left = set(total.findings) - {str(finding["code"]) for finding in total.first}
    if left:
        count = sum(total.findings[code] for code in left)
        lines.append(f"... and {count:,} more of other codes: {', '.join(sorted(left))}")
    if lines:
        where = "" if total.findings.total() <= len(total.first) else f"all of them: auditor show {escaped(str(out))}"
        lines += [where, ""] if where else [""]
    return lines


def _since(total: Totals, out: Out) -> list[str]:
    """Return lines about the findings of the whole dataset: how many are new or gone since the run before."""
    if not total.earlier:
        return []
    many = f"{total.known:,} finding{'' if total.known == 1 else 's'} in the whole dataset"
    lines = wrapped(f"{many}; since the run before {total.new:,} new, {total.gone:,} gone", after="  ")
    place = escaped(str(out))
    lines += [f"  auditor show {place} --new"] if total.new else []
    return lines + ([f"  auditor compare {place} --before -2"] if total.gone else [])


def _depends(total: Totals) -> list[str]:
    """Return lines that count, by check and unknown rule, the mismatches that some value of the rule makes right."""
    rules: dict[str, list[str]] = {}
    for code, rule in sorted(total.depends_on):
        rules.setdefault(code, []).append(rule)
    each = [f"{code} {count:,} on {', '.join(rules.get(code, []))}" for code, count in sorted(total.depends.items())]
    before = "mismatches that depend on unknown rules, so no findings: "
    return wrapped(before + "; ".join(each), after="  ") if each else []


def _not_checkable(total: Totals) -> list[str]:
    """Return lines that count the rows not checkable: first the checks that could judge no row, then the others."""
    never = [code for code, count in sorted(total.not_checkable.items()) if count == total.looked[code]]
    partly = {code: count for code, count in sorted(total.not_checkable.items()) if code not in never}
    texts = [
        ("not checkable, these logs never say it: ", ", ".join(f"{code} ({total.looked[code]:,})" for code in never)),
        (
            "not checkable in part (the log or its rules do not say): ",
            ", ".join(f"{code} {count:,} of {total.looked[code]:,}" for code, count in partly.items()),
        ),
    ]
    return [each for before, text in texts if text for each in wrapped(before + text, after="  ")]
