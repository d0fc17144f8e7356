"""Audit 電脳麻将's self-play with one rule wrong at a time, and count the findings that name the rule that was played.

    python scripts/wrong_rules.py LOGS... [--games N]

Each game in which nothing is wrong by its own rules is audited with another value of one parameter. What is then found
must be right under the value that was played, which the log states and the audit does not know.
Prints a line for each parameter and code, and the first findings that do not name it; exit code 1 if there is one.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from auditor.audit import audit_batch, findings, rule_trials
from auditor.audit.check import all_checks
from auditor.audit.excerpts import taken
from auditor.audit.frames import Frames
from auditor.sources import log_files
from engine.rules.rule_sets import PARAMETERS, known_values, preset
from engine.rules.types import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.log.tables import Log

CHECKS = tuple(check for check in all_checks() if check.default and not check.whole_dataset)


class Games(NamedTuple):
    """Games that state their rules and are right by them: their log and files."""

    log: Log
    files: pl.DataFrame


def read(paths: Sequence[Path], games: int) -> Games:
    """Read the first games of each file, less those with findings: the engine has faults of its own."""
    texts = [b"\n".join(gzip.decompress(path.read_bytes()).splitlines()[:games]) for path in paths]
    files = [
        log_files.unpack(log_files.Source(path.name, len(data), hashlib.sha256(data).hexdigest()), data)
        for path, data in zip(paths, texts, strict=True)
    ]
    ((_, files, log),), _ = audit_batch.read(files, preset("majiang"))
    status = audit_batch.status(files, log, readable=True)
    wrong = findings.run(Frames(log, status), CHECKS)[0]["game"]
    return Games(taken(log, np.setdiff1d(np.arange(len(log.games)), wrong.to_numpy())), status)


def found(games: Games, name: str, value: object) -> pl.DataFrame:
    """Return what is found because a rule is wrong, with the rule as it was ``played``, and whether that is ``named``.

    Games whose own value is none of the known ones keep it.
    """
    log = games.log
    wrong = [
        replace(rules, **{name: value}) if getattr(rules, name) in known_values(name) else rules for rules in log.rules
    ]
    table, _ = rule_trials.run(Frames(replace(log, rules=wrong), games.files), CHECKS)
    told = pl.Series([f"{name}={shown(getattr(rules, name))}" for rules in log.rules], dtype=pl.String)
    played = log.games.select("source", "within", played=told.gather(log.games["rules"]))
    return table.join(
        played, on=["source", "within"], how="left", nulls_equal=True, maintain_order="left"
    ).with_columns(named=pl.col("right_under").str.split("; ").list.contains(pl.col("played")).fill_null(value=False))


def main() -> None:
    """Audit, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("logs", nargs="+", type=Path)
    parser.add_argument("--games", type=int, default=20, help="of each file")
    options = parser.parse_args()
    rule_trials.TRIALS = sys.maxsize
    count: Counter[tuple[str, str]] = Counter()
    named: Counter[tuple[str, str]] = Counter()
    amiss: list[str] = []
    for path in options.logs:
        games = read([path], options.games)
        for name, value in ((each, value) for each in PARAMETERS for value in known_values(each)):
            for row in found(games, name, value).iter_rows(named=True):
                count[name, row["code"]] += 1
                named[name, row["code"]] += row["named"]
                if not row["named"]:
                    amiss.append(
                        f"{name}={shown(value)}: {row['source']}#{row['within']} event {row['event']} {row['code']} "
                        f"{row['recorded']}: {row['right_under']}, not {row['played']}"
                    )
    for (name, code), total in sorted(count.items()):
        print(f"{name:28} {code}  found {total:6}  name the rule {named[name, code]:6}")
    print(f"{len(amiss)} do not", *amiss[:40], sep="\n")
    sys.exit(bool(amiss))


if __name__ == "__main__":
    main()
