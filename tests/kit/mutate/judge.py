"""The auditor's findings in mutants: one verdict each, one line for each kind of fault."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.audit.audit_batch import Options, audit
from auditor.cli import rule_option
from auditor.run import repeats
from auditor.sources import log_files
from auditor.sources.log_files import Source
from tests.kit.mutate.table import THREE_PLAYERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tests.kit.mutate.fault import Fault, Mutant

    Rules = tuple[tuple[str, object], ...]

BATCH = 400
COPY = "L005"


@dataclass(frozen=True)
class Verdict:
    """One mutant and its findings: (code, round) pairs."""

    mutant: Mutant
    found: frozenset[tuple[str, int | None]]

    @property
    def recalled(self) -> bool:
        """Whether the fault is reported in its round."""
        nth, code = self.mutant.nth, self.mutant.fault.code
        return any(name == code and nth in (None, round_) for name, round_ in self.found)

    @property
    def stray(self) -> frozenset[tuple[str, int | None]]:
        """Findings of codes that are neither the fault's nor in ``also``."""
        fault = self.mutant.fault
        return frozenset(pair for pair in self.found if pair[0] not in fault.also | {fault.code})


def findings(
    files: Iterable[tuple[str, bytes]],
    rules: Rules = (),
    select: tuple[str, ...] = (),
    ignore: tuple[str, ...] = (),
    base: str = "tenhou",
) -> dict[str, set[tuple[str, int | None]]]:
    """Audit files (name, bytes) in batches; return the (code, round) pairs found in each.

    ``rules`` are parameters that are not those of the preset ``base``; ``select`` and ``ignore`` choose the checks.
    """
    # Files are given by name, so that a file called 9.txt that holds no log is a finding.
    loaded = [log_files.unpack(Source(name=name, size=len(data), named=True), data) for name, data in files]
    options = Options(rule_option.load(base).changed(**dict(rules)), select, ignore)
    found: dict[str, set[tuple[str, int | None]]] = {source.name: set() for source in loaded}
    for start in range(0, len(loaded), BATCH):
        tables = audit(loaded[start : start + BATCH], options).tables
        copies = [repeats.repeated(tables["games"].lazy(), check) for check in options.checks if check.whole_dataset]
        for table in (tables["findings"], *copies):
            for name, code, nth in table.select("source", "code", "round").iter_rows():
                found[name].add((code, nth))
    return found


def judge(mutants: Sequence[Mutant]) -> list[Verdict]:
    """Audit mutants: those with other rules separately, and those that only a wall reveals with all checks.

    Two kinds of fault can give the same log, so L005 is ignored, except for mutants with that fault.
    """
    groups: dict[tuple[Rules, tuple[str, ...], tuple[str, ...], str], list[Mutant]] = {}
    for mutant in mutants:
        code = mutant.fault.code
        select, ignore = ("ALL",) if code.startswith("S") else (), () if code == COPY else (COPY,)
        base = "tenhou_sanma" if mutant.fault.players == THREE_PLAYERS else "tenhou"
        groups.setdefault((mutant.fault.rules, select, ignore, base), []).append(mutant)
    found: dict[str, set[tuple[str, int | None]]] = {}
    for options, group in groups.items():
        found |= findings(((mutant.name, mutant.data) for mutant in group), *options)
    return [Verdict(mutant, frozenset(found[mutant.name])) for mutant in mutants]


@dataclass(frozen=True)
class Line:
    """The sum of the verdicts on one kind of fault."""

    fault: Fault
    planted: int
    logs: int
    recalled: int
    clean: int
    strays: tuple[str, ...]


def summary(faults: Iterable[Fault], verdicts: Sequence[Verdict]) -> list[Line]:
    """Return one line for each kind of fault."""
    lines = []
    for fault in faults:
        here = [verdict for verdict in verdicts if verdict.mutant.fault is fault]
        lines.append(Line(
            fault=fault,
            planted=len(here),
            logs=len({verdict.mutant.log for verdict in here}),
            recalled=sum(verdict.recalled for verdict in here),
            clean=sum(not verdict.stray for verdict in here),
            strays=tuple(sorted({code for verdict in here for code, _ in verdict.stray})),
        ))  # fmt: skip
    return lines
