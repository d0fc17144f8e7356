"""What the auditor says about mutants: one verdict each, one line a kind of fault."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor import ruleset, sources
from auditor.run import Options, audit
from auditor.sources import Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mutate.fault import Fault, Mutant

BATCH = 400


@dataclass(frozen=True)
class Verdict:
    """One mutant and its findings: (code, round) pairs."""

    mutant: Mutant
    found: frozenset[tuple[str, int | None]]

    @property
    def recalled(self) -> bool:
        """Whether the fault is named, in its round."""
        nth, code = self.mutant.nth, self.mutant.fault.code
        return any(name == code and nth in (None, round_) for name, round_ in self.found)

    @property
    def stray(self) -> frozenset[tuple[str, int | None]]:
        """Findings of other codes than the fault's and its consequences'."""
        fault = self.mutant.fault
        return frozenset(pair for pair in self.found if pair[0] not in fault.also | {fault.code})


def findings(
    files: Iterable[tuple[str, bytes]], rules: tuple[tuple[str, object], ...] = (), select: tuple[str, ...] = ()
) -> dict[str, set[tuple[str, int | None]]]:
    """Audit files (name, bytes) in batches; return the (code, round) pairs found in each.

    ``rules`` are parameters that are not Tenhou's, ``select`` the checks, those that run by default if there are none.
    """
    loaded = [sources.unpack(Source(name=name, size=len(data)), data) for name, data in files]
    options = Options(ruleset.load("tenhou").changed(**dict(rules)), select)
    found: dict[str, set[tuple[str, int | None]]] = {source.name: set() for source in loaded}
    for start in range(0, len(loaded), BATCH):
        table = audit(loaded[start : start + BATCH], options).tables["findings"]
        for name, code, nth in table.select("source", "code", "round").iter_rows():
            found[name].add((code, nth))
    return found


def judge(mutants: Sequence[Mutant]) -> list[Verdict]:
    """Audit mutants, those of other rules apart, and those that walls give away, for which all checks run."""
    found: dict[str, set[tuple[str, int | None]]] = {}
    groups: dict[tuple[tuple[tuple[str, object], ...], tuple[str, ...]], list[Mutant]] = {}
    for mutant in mutants:
        select = ("ALL",) if mutant.fault.code.startswith("S") else ()
        groups.setdefault((mutant.fault.rules, select), []).append(mutant)
    for (rules, select), group in groups.items():
        found |= findings(((mutant.name, mutant.data) for mutant in group), rules, select)
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
    """Return one line a kind of fault."""
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
