"""Audit seeded mutants within a time limit: none may raise, hang, or change a neighbour's rows.

    python -m scripts.fuzz --mutants 2000 --seconds 600

``tests/kit/fuzzing`` has the kinds of mutant. A fault is printed with the name of its mutant, such as
``mjlog-0-1234``; ``--only NAME --write FILE`` makes that mutant again and writes it. Exit code 1 if anything broke.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tests.kit.fuzzing.fuzzer import KINDS, Fuzz, run


def main(argv: list[str] | None = None) -> int:
    """Run the mutants, and print those that broke something."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=int, default=2000, help="of each kind (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=600, help="begin no batch after them (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", action="append", choices=KINDS, help="only this kind; may be given again")
    parser.add_argument("--only", help="make this mutant alone")
    parser.add_argument("--write", type=Path, help="where to write the mutant that --only names")
    given = parser.parse_args(argv)
    if given.only:
        kind, seed, number = given.only.split("-")[:3]
        mutant = Fuzz(int(seed)).mutant(kind, int(number.partition(".")[0]))
        (given.write or Path(mutant.name)).write_bytes(mutant.data)
        return 0
    begun = time.monotonic()
    done, broken = run(Fuzz(given.seed), given.kind or KINDS, given.mutants, given.seconds)
    for name, how in broken:
        print(f"{name}: {how[:300]}")
    counts = ", ".join(f"{count:,} {kind}" for kind, count in done.items())
    print(f"{counts} in {time.monotonic() - begun:.0f} s: {len(broken):,} broke something")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
