"""Measure the engine on one core: scoring, useful tiles, one hand explained, shanten by batch size.

    python -m scripts.bench_engine [--wins N]

For each measurement the tool prints the best of several runs, after the tables are loaded, in processor time (shanten
in clock time), and the engine's budget. The exit code is 1 if a budget is exceeded. Wins come from
``tests/kit/random_wins.py``, each under one of the presets in turn; hands for useful tiles and shanten are dealt.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING

import numpy as np

from auditor.hands.explain import Situation, describe
from engine.rules.rule_sets import preset, preset_names
from engine.rules.rule_table import RuleTable
from engine.scoring.score import score
from engine.shapes.shanten import shanten
from engine.shapes.useful import useful
from engine.tiles.hands import Hands
from tests.kit.random_wins import batch, deal

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.kit.random_wins import Win

BATCH = 10_000

BUDGETS = {"scoring": 5.0, "useful": 3.0, "explained": 5.0}
"""Microseconds for a win and a hand, milliseconds for one explained hand."""

TENHOU = [preset("tenhou")]
EXPLAINED = (
    ("m123p067s44z77,m4-56", Situation(win="7z=", dora="4m", rules=TENHOU)),
    ("m22334455p234s234", Situation(win="3m", riichi=1, dora="4m", ura="1z", rules=TENHOU)),
    ("11123456789995m", Situation(rules=TENHOU)),
    ("2346678p3405577s", Situation(rules=TENHOU)),
    ("19m19p19s1234567z", Situation(rules=TENHOU)),
)
"""Hands that are won and hands that are not."""


def best(task: Callable[[], object], repeat: int) -> float:
    """Return the seconds of the fastest run; a run before them is not counted."""
    task()
    spent = []
    for _ in range(repeat):
        begun = time.process_time()
        task()
        spent.append(time.process_time() - begun)
    return min(spent)


def shanten_ns(sizes: tuple[int, ...] = (1, 100, 1_000, 10_000, 100_000, 1_000_000)) -> dict[int, float]:
    """Return nanoseconds a hand of 14 random tiles, by batch size."""
    chance = np.random.default_rng(1)
    deck = np.repeat(np.arange(34), 4)
    counts = np.zeros((max(sizes), 34), dtype=np.int64)
    for start in range(0, len(counts), 50_000):
        rows = counts[start : start + 50_000]
        dealt = deck[chance.random((len(rows), 136)).argpartition(14, axis=1)[:, :14]]
        np.add.at(rows, (np.arange(len(rows))[:, None], dealt), 1)
    keys = Hands.from_counts(counts).keys
    figures = {}
    for size in sizes:
        times = []
        for _ in range(5):
            begun = time.perf_counter()
            shanten(keys[:size], np.zeros(size, dtype=np.uint8))
            times.append(time.perf_counter() - begun)
        figures[size] = min(times) / size * 1e9
    return figures


def scoring_us(n: int, repeat: int = 5) -> dict[str, float]:
    """Return microseconds for a win in batches of 10,000, under mixed rules and under Tenhou's only."""
    mixed = RuleTable.from_rules([preset(name) for name in preset_names()])
    alone = RuleTable.from_rules([preset("tenhou")])
    wins = deal(n, seed=1)
    return {"mixed rules": _scoring_us(wins, mixed, repeat), "one rule set": _scoring_us(wins, alone, repeat)}


def _scoring_us(wins: list[Win], table: RuleTable, repeat: int) -> float:
    """Return microseconds for a win in the fastest batch."""
    rule = np.arange(len(wins)) % len(table)
    starts = range(0, len(wins), BATCH)
    batches = [batch(wins[start : start + BATCH], rule[start : start + BATCH]) for start in starts]
    return min(best(lambda each=each: score(each, table), repeat) / len(each) for each in batches) * 1e6


def useful_us(n: int = BATCH, repeat: int = 5) -> dict[str, float]:
    """Return microseconds for a hand of 13 and of 14 dealt tiles."""
    chance = np.random.default_rng(1)
    deck = np.repeat(np.arange(34), 4)
    figures = {}
    for tiles in (13, 14):
        dealt = deck[chance.random((n, 136)).argpartition(tiles, axis=1)[:, :tiles]]
        counts = np.zeros((n, 34), dtype=np.int64)
        np.add.at(counts, (np.arange(n)[:, None], dealt), 1)
        keys, melds = Hands.from_counts(counts).keys, np.zeros(n, dtype=np.int64)
        figures[f"{tiles} tiles"] = best(lambda keys=keys, melds=melds: useful(keys, melds), repeat) / n * 1e6
    return figures


def explained_ms(repeat: int = 20) -> dict[str, float]:
    """Return milliseconds for the full explanation of one hand."""
    return {text: best(lambda text=text, at=at: describe(text, at), repeat) * 1e3 for text, at in EXPLAINED}


def main() -> int:
    """Run all measurements and print them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--wins", type=int, default=5 * BATCH)
    options = parser.parse_args()
    parts = {
        "scoring": ("us a win in batches of 10,000", scoring_us(options.wins)),
        "useful": ("us a hand in a batch of 10,000", useful_us()),
        "explained": ("ms for one hand", explained_ms()),
    }
    over = []
    for part, (unit, figures) in parts.items():
        print(f"{part}, {unit} (budget {BUDGETS[part]:g}):")
        for name, figure in figures.items():
            print(f"  {figure:10.2f}  {name}")
        over += [part] if max(figures.values()) > BUDGETS[part] else []
    print("shanten, ns a hand by batch size:")
    for size, figure in shanten_ns().items():
        print(f"  {figure:10,.0f}  {size:,}")
    print(f"over budget: {', '.join(over)}" if over else "all within budget")
    return int(bool(over))


if __name__ == "__main__":
    sys.exit(main())
