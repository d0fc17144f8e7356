"""Plant faults in clean logs, and print for each kind whether the auditor reports each fault and nothing else.

    python -m scripts.mutate LOGS... --per-kind N

``tests/kit/mutate`` has the kinds of fault. A line states how many mutants of a kind were made, from how many logs,
how many were reported in their round (recall), how many had no other code (precision), and the other codes.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.kit.mutate import FAULTS, breed
from tests.kit.mutate.clean_logs import clean_logs
from tests.kit.mutate.judge import Line, judge, summary

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def print_table(lines: Iterable[Line]) -> None:
    """Print one line a kind."""
    print(f"{'kind':66} planted logs recall precision stray codes")
    for line in lines:
        rates = [f"{count}/{line.planted}" for count in (line.recalled, line.clean)]
        print(f"{line.fault!s:66} {line.planted:7} {line.logs:4} {rates[0]:>6} {rates[1]:>9} {' '.join(line.strays)}")


def total(lines: list[Line]) -> Mapping[str, int]:
    """Sum up all kinds."""
    return {name: sum(getattr(line, name) for line in lines) for name in ("planted", "recalled", "clean")}


def main(argv: list[str] | None = None) -> None:
    """Plant, audit, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("logs", nargs="+", type=Path, help="mjlog files or folders of them")
    parser.add_argument("--per-kind", type=int, default=5, help="mutants of each kind")
    parser.add_argument("--kind", default="", help="only kinds whose name contains this, such as W104")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--players", type=int, choices=(3, 4), help="only logs of that many players")
    parser.add_argument("--show", action="store_true", help="name every mutant that was missed or drew other codes")
    options = parser.parse_args(argv)
    begun = time.perf_counter()
    logs = clean_logs(options.logs, options.players)
    faults = [fault for fault in FAULTS if options.kind in str(fault)]
    verdicts = judge([mutant for fault in faults for mutant in breed(fault, logs, options.per_kind, options.seed)])
    lines = summary(faults, verdicts)
    print_table(lines)
    if options.show:
        for verdict in verdicts:
            if not verdict.recalled or verdict.stray:
                print(f"{verdict.mutant.name} round {verdict.mutant.nth}: {sorted(verdict.found, key=str)}")
    print(f"{len(logs)} clean logs; {dict(total(lines))} in {time.perf_counter() - begun:.1f} s")


if __name__ == "__main__":
    main()
