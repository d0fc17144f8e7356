"""Audit 電脳麻将's self-play with one wrong rule at a time, and count the findings that name the played rule.

    python -m scripts.wrong_rules LOGS... [--games N]

Each game without a finding under its own rules is audited with another value of one parameter. Each finding must be
right under the value that was played, which the log states and the audit does not know. The tool prints a line for
each parameter and code, and the first findings that do not name the rule; exit code 1 if there is one.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from auditor.audit import rule_trials
from engine.rules.declaration import format_value
from engine.rules.rule_sets import PARAMETERS, known_values
from tests.kit.wrong_rules import found, read


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
                        f"{name}={format_value(value)}: {row['source']}#{row['within']} event {row['event']} "
                        f"{row['code']} {row['recorded']}: {row['right_under']}, not {row['played']}"
                    )
    for (name, code), total in sorted(count.items()):
        print(f"{name:28} {code}  found {total:6}  name the rule {named[name, code]:6}")
    print(f"{len(amiss)} do not", *amiss[:40], sep="\n")
    sys.exit(bool(amiss))


if __name__ == "__main__":
    main()
