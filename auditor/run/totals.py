"""The counts of a batch, which add up to those of the run."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from auditor.audit.report import Report

EXAMPLES = 20
"""How many findings of each code, and how many unreadable sources, a run keeps in memory to show."""


@dataclass
class Totals:
    """Counts by name.

    ``files`` counts new rows of ``sources`` and the files ``unchanged`` since an earlier run. ``depends`` counts, by
    code, the mismatches that some value of an unknown rule makes right; ``depends_on`` counts them by code and rule.
    ``damaged`` has a line for each file of the dataset that the run found damaged.

    ``known`` counts the findings that the dataset has at the end of the run, ``new`` and ``gone`` how they differ from
    those after the run before; ``earlier`` counts the runs before.
    """

    files: int = 0
    unchanged: int = 0
    audited: int = 0
    archives: int = 0
    unreadable: int = 0
    unsupported: int = 0
    ignored: int = 0
    missing: int = 0
    games: int = 0
    rounds: int = 0
    turns: int = 0
    wins: int = 0
    findings: Counter[str] = field(default_factory=Counter)
    severities: Counter[str] = field(default_factory=Counter)
    looked: Counter[str] = field(default_factory=Counter)
    not_checkable: Counter[str] = field(default_factory=Counter)
    depends: Counter[str] = field(default_factory=Counter)
    depends_on: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: list[dict[str, object]] = field(default_factory=list)
    unread: list[dict[str, object]] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)
    known: int = 0
    new: int = 0
    gone: int = 0
    earlier: int = 0

    @classmethod
    def of(cls, done: Report) -> Totals:
        """Count one batch."""
        sources, found = done.tables["sources"], done.tables["findings"]
        status = Counter(sources["status"].to_list())
        unread = sources.filter(sources["status"].is_in(["unreadable", "unsupported"]))
        return cls(
            files=len(sources),
            audited=status["audited"],
            archives=status["archive"],
            unreadable=status["unreadable"],
            unsupported=status["unsupported"],
            ignored=status["ignored"],
            missing=status["missing"],
            games=len(done.tables["games"]),
            rounds=len(done.tables["rounds"]),
            turns=len(done.tables["turns"]),
            wins=len(done.tables["wins"]),
            findings=Counter({tally.code: tally.findings for tally in done.tallies if tally.findings}),
            severities=Counter(found["severity"].to_list()),
            looked=Counter({tally.code: tally.looked for tally in done.tallies}),
            not_checkable=Counter({tally.code: tally.not_checkable for tally in done.tallies if tally.not_checkable}),
            depends=Counter({tally.code: tally.depends for tally in done.tallies if tally.depends}),
            depends_on=Counter({(tally.code, rule): n for tally in done.tallies for rule, n in tally.on.items()}),
            examples=found.filter(pl.int_range(pl.len()).over("code") < EXAMPLES).to_dicts(),
            unread=unread.select("path", "member", "status", "reason").head(EXAMPLES).to_dicts(),
        )

    def add(self, other: Totals) -> None:
        """Add another batch's counts."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))
        self.unread = self.unread[:EXAMPLES]
        self.examples = [finding for finding, nth in _numbered(self.examples) if nth < EXAMPLES]

    @property
    def first(self) -> list[dict[str, object]]:
        """At most ``EXAMPLES`` findings to show, by code; every code's first finding before any code's second."""
        turns = sorted(_numbered(self.examples), key=lambda each: (each[1], *_order(each[0])))
        return sorted((finding for finding, _ in turns[:EXAMPLES]), key=_order)


def _numbered(findings: list[dict[str, object]]) -> list[tuple[dict[str, object], int]]:
    """Return findings, each with its number among the findings of its code, from 0."""
    seen: Counter[object] = Counter()
    found = []
    for finding in findings:
        found.append((finding, seen[finding["code"]]))
        seen[finding["code"]] += 1
    return found


def _order(finding: dict[str, object]) -> tuple[int, str]:
    """Return the key that orders findings: severity, worst first, then code."""
    return ("error", "rule", "note").index(str(finding["severity"])), str(finding["code"])
