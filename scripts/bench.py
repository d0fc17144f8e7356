"""Measure the auditor on one core beside a plain Python loop, or beside another checkout.

    python -m scripts.bench [--games N] [--archive FOLDER] [--floor]
    python -m scripts.bench --against CHECKOUT [--pairs N]

The tool makes an archive of games (make_archive.py), or takes a folder of Tenhou logs, and audits it in a process of
its own. For each stage it prints what a batch costs, however small it is (ms), what each game costs (us), and how many
times as long the plain loop takes for a game. The plain loop does a part of the job: ElementTree, shanten after every
draw, and a score for every win with PyPI ``mahjong`` (the extra ``oracles``). It runs before and after the audit.

``--floor`` also prints for each stage what no program with NumPy and Polars can leave out: reading the files, finding
the tags, adding up tiles, writing the columns (_floors.py). What lies between is what the auditor does beyond that.

``--against`` measures this checkout and another one in turn, and prints the median of the ratios, this one's cost
divided by the other's. All times are processor time. Machines are noisy: quote ratios, and compare only figures of
one run.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
STAGES, FLOORS = (Path(__file__).with_name(name) for name in ("_stages.py", "_floors.py"))
ONE_CORE = {"POLARS_MAX_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "_RJEM_MALLOC_CONF": "dirty_decay_ms:5000"}
"""The environment of one core; ``auditor.cli.main`` sets the last two itself."""

Figures = dict[str, Any]
"""What ``measure`` of ``_stages.py`` or ``_floors.py`` returns."""


def measured(checkout: Path, archive: Path, script: Path = STAGES) -> Figures:
    """Return the figures of a checkout's auditor, from a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, str(script), str(archive.resolve()), str(Path(folder) / "out")],
            env={**os.environ, **ONE_CORE, "PYTHONPATH": str(checkout.resolve())},
            stdout=subprocess.PIPE,
            check=True,
        )
    figures: Figures = json.loads(done.stdout)
    return figures


def plain_seconds(archive: Path, sample: int) -> float | None:
    """Return the plain loop's seconds a game over a sample of an archive's files; None if the loop is not installed."""
    try:
        from scripts.oracles.plain_loop import plain_loop  # noqa: PLC0415
    except ImportError as error:
        print(f"no plain loop: {error} (pip install .[oracles])")
        return None
    files = sorted(path for path in archive.rglob("*") if path.is_file())
    chosen = files[:: max(1, len(files) // sample)][:sample]
    return plain_loop(chosen) / len(chosen)


def table(figures: Figures, plain: float | None) -> list[str]:
    """Return one checkout's figures as lines of text; ``plain`` is the plain loop's seconds a game."""

    def line(name: str, game: float, batch: float | None = None) -> str:
        ratio = f"{plain / game:12.1f}" if plain and game > 0 else ""
        return f"  {name:14}{'' if batch is None else f'{batch * 1e3:.1f}':>12}{game * 1e6:12.0f}{ratio}"

    stages = figures["batch"]
    return [
        f"{figures['games']:,} games in {figures['batches']} batches, files of {figures['bytes'] / 1e6:.0f} MB",
        f"  {'stage':14}{'ms a batch':>12}{'us a game':>12}{'times plain':>12}",
        *(line(name, figures["game"][name], stages[name]) for name in stages),
        line("all stages", sum(figures["game"].values()), sum(stages.values())),
        line("whole run", figures["whole"]),
        line("every check", figures["every"]),
        *([line("plain loop", plain)] if plain else []),
        f"peak {figures['peak']:,.0f} MB",
    ]


def floors(figures: Figures, least: Figures, plain: float | None) -> list[str]:
    """Return as lines of text what a game costs at each stage, the floor of it, and what the floor is."""

    def line(name: str, game: float, floor: float, words: str) -> str:
        ratio = f"{plain / floor:12.0f}" if plain else ""
        return f"  {name:14}{game * 1e6:12.0f}{floor * 1e6:12.1f}{ratio}  {words}".rstrip()

    return [
        f"  {'stage':14}{'us a game':>12}{'floor':>12}{'times plain' if plain else '':>12}".rstrip(),
        *(line(name, figures["game"][name], *least[name]) for name in least),
        line("all floors", sum(figures["game"].values()), sum(floor for floor, _ in least.values()), ""),
    ]


def ratios(pairs: list[tuple[Figures, Figures]]) -> list[str]:
    """Return the medians of this checkout's costs divided by the other's, as lines of text."""

    def line(name: str, *shares: float) -> str:
        return f"  {name:14}" + "".join(f"{share:12.2f}" for share in shares)

    def share(kind: str, name: str) -> float:
        return median(this[kind][name] / max(other[kind][name], 1e-9) for this, other in pairs)

    def total(kind: str) -> float:
        return median(sum(this[kind].values()) / sum(other[kind].values()) for this, other in pairs)

    return [
        f"this / other, median of {len(pairs)} pairs",
        f"  {'stage':14}{'a batch':>12}{'a game':>12}",
        *(line(name, share("batch", name), share("game", name)) for name in pairs[0][0]["batch"]),
        line("all stages", total("batch"), total("game")),
        *(
            f"  {label:26}{median(this[key] / other[key] for this, other in pairs):12.2f}"
            for label, key in (("whole run", "whole"), ("every check", "every"), ("peak memory", "peak"))
        ),
    ]


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--games", type=int, default=2000, help="how many games to make")
    parser.add_argument("--sample", type=int, default=60, help="games for the plain loop")
    parser.add_argument("--archive", type=Path, help="audit the Tenhou logs of this folder instead of making some")
    parser.add_argument("--floor", action="store_true", help="also measure the least that each stage can take")
    parser.add_argument("--against", type=Path, help="another checkout to compare with, instead of the plain loop")
    parser.add_argument("--pairs", type=int, default=5, help="how many times to measure both checkouts")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        archive = options.archive or Path(folder) / "archive"
        if not options.archive:
            subprocess.run(
                [sys.executable, "-m", "scripts.make_archive", str(options.games), str(archive)],
                cwd=ROOT, check=True, stdout=subprocess.DEVNULL,
            )  # fmt: skip
        if options.against:
            pairs = [(measured(ROOT, archive), measured(options.against, archive)) for _ in range(options.pairs)]
            lines = ratios(pairs)
        else:
            before = plain_seconds(archive, options.sample)
            figures = measured(ROOT, archive)
            after = plain_seconds(archive, options.sample) if before else None
            plain = (before + after) / 2 if before and after else None
            lines = table(figures, plain)
            if options.floor:
                lines += floors(figures, measured(ROOT, archive, FLOORS), plain)
        print("\n".join(lines))


if __name__ == "__main__":
    main()
