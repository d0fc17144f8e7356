"""Audit 電脳麻将's self-play under stricter rules than its own, and count the violations again by plain loops.

    npm install --prefix DIR @kobalab/majiang-core
    python -m scripts.count_stricter DIR/node_modules/@kobalab/majiang-core LOGS...

Games that were played with kuikae, or with ankan in riichi, are audited as if that were forbidden. A loop over every
call counts kuikae; 電脳麻将's own `Game.get_gang_mianzi` says whether an ankan in riichi is allowed. Both give the
events, so that more than numbers is compared. The tool prints a line for each rule and code, and the first events in
which the two differ; exit code 1 if there is one.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter
from pathlib import Path

from tests.kit.stricter.calls import CODES, KUIKAE, STRICTER, audited, counted_ankans, counted_kuikae


def main() -> None:
    """Count, audit, compare."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("engine", help="folder of majiang-core")
    parser.add_argument("logs", nargs="+", type=Path)
    options = parser.parse_args()
    totals: Counter[tuple[str, int, str, str]] = Counter()
    differ: list[str] = []
    for path in options.logs:
        games = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
        for rule, level in STRICTER:
            looser = [game for game in games if game["rule"][rule] > level]
            if not looser:
                continue
            theirs = counted_kuikae(looser, level) if rule == KUIKAE else counted_ankans(looser, level, options.engine)
            ours = audited(looser, rule, level)
            for name, found in (("counted", theirs), ("found", ours)):
                totals.update((rule, level, code, name) for code in found.values())
            for event in sorted(theirs.keys() | ours.keys()):
                if theirs.get(event) != ours.get(event):
                    name = looser[event[0] - 1]["id"]
                    differ.append(f"{rule} {level} {name} event {event[1]}: {theirs.get(event)} {ours.get(event)}")
    for rule, level in STRICTER:
        for code in CODES[rule]:
            counts = [totals[rule, level, code, name] for name in ("counted", "found")]
            if any(counts):
                print(f"{rule} {level}  {code}  counted {counts[0]:6}  found {counts[1]:6}")
    print(f"{len(differ)} differ", *differ[:20], sep="\n")
    sys.exit(bool(differ))


if __name__ == "__main__":
    main()
