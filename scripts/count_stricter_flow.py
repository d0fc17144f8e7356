"""Audit 電脳麻将's self-play under a stricter flow than its own, and count the violations again by a plain loop.

    python -m scripts.count_stricter_flow LOGS...

Each game is audited as if another rule held: head bump, no aborts, aborts, riichi only with draws and points left, no
nagashi mangan or one, no noten payments, tenpai hands always open, furiten until the next own draw, fifth tiles of
melds. Every round is played event by event, with waits by trying all tiles; nothing is shared with auditor or
engine. Events and seats are compared, not only numbers. The tool prints a line for each rule and code, and the first
places in which the two differ; exit code 1 if there is one.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter
from pathlib import Path

from tests.kit.stricter.flow import CODES, STRICTER, audited, counted


def main() -> None:
    """Count, audit, compare."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("logs", nargs="+", type=Path)
    totals: Counter[tuple[str, str, str]] = Counter()
    differ: list[str] = []
    for path in parser.parse_args().logs:
        games = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
        expected, actual = counted(games), audited(games)
        for rule in STRICTER:
            theirs, ours = expected[rule], actual[rule]
            for name, each in (("counted", theirs), ("found", ours)):
                totals.update((rule, code, name) for _, (_, code, _) in each)
            for number, place in sorted(theirs ^ ours, key=str):
                who = "only counted" if (number, place) in theirs else "only found"
                differ.append(f"{rule}: {path.name} {games[number]['id']} {place} {who}")
    for rule in STRICTER:
        for code in CODES[rule]:
            counts = [totals[rule, code, name] for name in ("counted", "found")]
            print(f"{rule:22} {code}  counted {counts[0]:6}  found {counts[1]:6}")
    print(f"{len(differ)} differ", *differ[:20], sep="\n")
    sys.exit(bool(differ))


if __name__ == "__main__":
    main()
