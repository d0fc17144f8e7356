"""The command line: plant faults in logs and print, kind by kind, what the auditor found."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from make_archive import read_text

from mutate.fault import FAULTS, breed
from mutate.judge import Line, findings, judge, summary
from mutate.mjlog import Game

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CHIPS_OR_PARLOUR, THREE_PLAYERS = 0x0600, 0x10


def clean_logs(paths: Iterable[Path]) -> dict[str, str]:
    """Read the logs of `log_texts` in which the auditor finds nothing."""
    return clean(log_texts(paths))


def log_texts(paths: Iterable[Path]) -> dict[str, str]:
    """Read the ranked four-player logs at and below paths, by name.

    Other tables have rules that their logs do not settle, so that a fault may rightly go unreported. Of a file of
    電脳麻将 each line is a log.
    """
    below = [file for path in paths for file in ([path] if path.is_file() else path.rglob("*"))]
    files = sorted({file for file in below if file.is_file()})
    texts: dict[str, str] = {}
    for file in files:
        text = read_text(file)
        if text.startswith("{"):
            texts |= {f"{file.name}-{number}": line for number, line in enumerate(text.splitlines()) if line}
        elif _is_ranked(text):
            texts.setdefault(file.name, text)
    return texts


def clean(texts: Mapping[str, str]) -> dict[str, str]:
    """Return those in which the auditor finds nothing."""
    found = findings((name, text.encode()) for name, text in texts.items())
    return {name: text for name, text in texts.items() if not found[name]}


def _is_ranked(text: str) -> bool:
    if "<mjloggm" not in text:
        return False
    go = Game.parse(text).first("GO").attributes
    odd = int(go["type"]) & (CHIPS_OR_PARLOUR | THREE_PLAYERS)
    return not odd and go.get("lobby", "0") == "0" and "csrule" not in go


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
    parser = argparse.ArgumentParser(prog="python scripts/mutate", description=__doc__)
    parser.add_argument("logs", nargs="+", type=Path, help="mjlog files or folders of them")
    parser.add_argument("--per-kind", type=int, default=5, help="mutants of each kind")
    parser.add_argument("--kind", default="", help="only kinds whose name contains this, such as W104")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="name every mutant that was missed or drew other codes")
    options = parser.parse_args(argv)
    begun = time.perf_counter()
    logs = clean_logs(options.logs)
    faults = [fault for fault in FAULTS if options.kind in str(fault)]
    verdicts = judge([mutant for fault in faults for mutant in breed(fault, logs, options.per_kind, options.seed)])
    lines = summary(faults, verdicts)
    print_table(lines)
    if options.show:
        for verdict in verdicts:
            if not verdict.recalled or verdict.stray:
                print(f"{verdict.mutant.name} round {verdict.mutant.nth}: {sorted(verdict.found, key=str)}")
    print(f"{len(logs)} clean logs; {dict(total(lines))} in {time.perf_counter() - begun:.1f} s")
