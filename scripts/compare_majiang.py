"""Compare readings, waits, block shanten and legality with 電脳麻将's own engine on random hands.

    npm install --prefix DIR @kobalab/majiang-core
    python -m scripts.compare_majiang DIR/node_modules/@kobalab/majiang-core --hands 20000

That engine is a second opinion, not the truth. No red fives are dealt, because it has faults with them (RULES.md 2.3,
2.4, 3.5). The tool prints one line for each question and the first disagreements; exit code 1 if there is one.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.legality.actions import chi, kuikae_kinds
from engine.legality.kans import ankan
from engine.shapes.reading_notation import melds_of, reading_lists
from engine.shapes.shanten import shanten
from engine.shapes.waits import waits_of
from engine.tiles.hands import ANKAN, CHI, PON, Hands
from engine.tiles.kinds import kinds_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PROGRAM = """
const M = require(process.argv[1]);
const rules = [0, 1, 2].map(n => M.rule({'リーチ後暗槓許可レベル': n, '喰い替え許可レベル': n}));
const hand = text => M.Shoupai.fromString(text);
const ask = {
    readings: c => M.Util.hule_mianzi(hand(c.hand), c.win).map(r => r.join(' ').replace('!', '_').replace('__', '_')),
    waits: c => M.Util.tingpai(hand(c.hand)),
    block: c => M.Util.xiangting(hand(c.hand)),
    ankan: c => rules.map(rule => M.Game.get_gang_mianzi(rule, hand(c.hand), null, 40, 0).length > 0),
    chi: c => rules.map(rule => M.Game.get_chi_mianzi(rule, hand(c.hand), c.tile, 40)),
    discards: c => rules.map(rule => M.Game.get_dapai(rule, hand(c.hand))),
};
const lines = require('fs').readFileSync(0, 'utf-8').split('\\n').filter(line => line);
for (const line of lines) { const c = JSON.parse(line); console.log(JSON.stringify(ask[c.ask](c))); }
"""

Question = tuple[dict[str, str], object]
"""A question for the other engine, and this engine's answer."""


def name(kind: int) -> str:
    """Name a kind with the suit first."""
    return f"{'mpsz'[kind // 9]}{kind % 9 + 1}"


def text_of(hand: Hands, last: int | None = None) -> str:
    """Write a hand in 電脳麻将's notation, the given kind last."""
    counts = hand.counts()[0].astype(int)
    if last is not None:
        counts[last] -= 1
    tiles = [name(kind) for kind in np.repeat(np.arange(34), counts).tolist()]
    return "".join(tiles + ([name(last)] if last is not None else [])) + "".join(f",{m}" for m in melds_of(hand))


def win(rng: np.random.Generator, suits: int) -> Hands:
    """Deal a winning hand, some of its sets melded."""
    while True:
        counts, kinds = np.zeros(34, dtype=np.int64), min(34, 9 * suits)
        counts[rng.integers(kinds)] += 2
        rows = np.zeros((3, 4), dtype=np.int64)
        melds = int(rng.choice([0, 0, 0, 1, 2, 4]))
        whole = counts.copy()
        for number in range(4):
            lowest = int(rng.integers(kinds))
            run = lowest < 27 and lowest % 9 < 7 and rng.random() < 0.7
            tiles = [lowest, lowest + 1, lowest + 2] if run else [lowest] * 3
            np.add.at(whole, tiles, 1)
            if number < melds:
                meld = CHI if run else int(rng.choice([PON, ANKAN]))
                rows[:, number] = meld, lowest, 3 if meld != ANKAN else 0
                whole[lowest] += meld == ANKAN
            else:
                np.add.at(counts, tiles, 1)
        if whole.max() <= 4:
            return Hands.from_counts(counts[None, :], rows[:1], rows[1:2], rows[2:])


def readings(rng: np.random.Generator) -> Iterator[Question]:
    """Ask for all readings of a win."""
    hand = win(rng, int(rng.integers(1, 5)))
    kind = int(rng.choice(np.flatnonzero(hand.counts()[0])))
    (own,) = reading_lists(hand, np.array([kind]), np.array([0]), nine_gates=True)
    yield {"ask": "readings", "hand": text_of(hand, kind)}, sorted(" ".join(reading) for reading in own)


def waits(rng: np.random.Generator) -> Iterator[Question]:
    """Ask for the waits and the block shanten of a hand that lacks one tile or a little more."""
    hand = short(win(rng, int(rng.integers(1, 5))), rng)
    block = int(shanten(hand.keys, hand.n_melds, "block")[0])
    yield {"ask": "block", "hand": text_of(hand)}, block
    # For hands further from tenpai, that engine lists useful tiles instead.
    if block == 0:
        yield {"ask": "waits", "hand": text_of(hand)}, [name(kind) for kind in kinds_in(int(waits_of(hand)[0]))]


def short(hand: Hands, rng: np.random.Generator) -> Hands:
    """Remove one tile, sometimes in exchange for another."""
    counts = hand.counts().astype(np.int64)
    counts[0, rng.choice(np.flatnonzero(counts[0]))] -= 1
    if rng.random() < 0.3:
        counts[0, rng.choice(np.flatnonzero(counts[0]))] -= 1
        counts[0, rng.choice(np.flatnonzero(Hands.all_counts(hand)[0] < 4))] += 1
    return Hands.from_counts(counts, hand.meld_type, hand.meld_tile, hand.meld_from)


def kans(rng: np.random.Generator) -> Iterator[Question]:
    """Ask for an ankan after riichi at all levels, if the waits allow a riichi at all."""
    hand = short(win(rng, int(rng.integers(1, 3))), rng)
    triplets = np.flatnonzero((hand.counts()[0] == 3) & (hand.all_counts()[0] == 3))
    if not hand.closed[0] or not triplets.size or not waits_of(hand)[0]:
        return
    kind = int(rng.choice(triplets))
    counts = hand.counts().astype(np.int64)
    counts[0, kind] = 4
    drawn = Hands.from_counts(counts, hand.meld_type, hand.meld_tile, hand.meld_from)
    bits = [
        ankan(drawn, np.array([kind]), tiles_left=40, kans=0, riichi=True, drawn=kind, level=level)[0]
        for level in range(3)
    ]
    concealed, *melds = text_of(drawn, kind).split(",")
    yield {"ask": "ankan", "hand": ",".join([concealed + "*", *melds])}, [bool(bit == 0) for bit in bits]


def chis(rng: np.random.Generator) -> Iterator[Question]:
    """Ask for the possible chi of a tile at all levels, and for the discards after one of them."""
    hand = short(win(rng, 1), rng)
    kind = int(rng.integers(9))
    if hand.all_counts()[0, kind] == 4 or hand.counts().sum() < 4:
        return
    own: list[list[str]] = []
    for level in range(3):
        shapes = []
        for lowest in range(max(kind - 2, 0), min(kind, 6) + 1):
            bits = chi(hand, np.array([kind]), np.array([lowest]), tiles_left=40, kuikae_level=level)
            if bits[0] == 0:
                shapes.append(run(lowest, kind))
                yield after_chi(hand, kind, lowest)
        own.append(sorted(shapes))
    yield {"ask": "chi", "hand": text_of(hand), "tile": f"{name(kind)}_-"}, own


def run(lowest: int, called: int) -> str:
    """Write a chi with its mark."""
    return "m" + "".join(f"{kind + 1}{'-' if kind == called else ''}" for kind in range(lowest, lowest + 3))


def after_chi(hand: Hands, called: int, lowest: int) -> Question:
    """Ask for the kinds that are allowed as discards after a chi."""
    counts = hand.counts()[0].astype(np.int64)
    counts[[kind for kind in range(lowest, lowest + 3) if kind != called]] -= 1
    barred = [int(kuikae_kinds(CHI, called, lowest, level)[0]) for level in range(3)]
    own = [[name(kind) for kind in np.flatnonzero(counts).tolist() if not mask >> kind & 1] for mask in barred]
    rest = Hands.from_counts(counts[None, :], hand.meld_type, hand.meld_tile, hand.meld_from)
    return {"ask": "discards", "hand": f"{text_of(rest)},{run(lowest, called)},"}, own


SOURCES: tuple[Callable[[np.random.Generator], Iterator[Question]], ...] = (readings, waits, kans, chis)


def answers(core: str, questions: list[Question]) -> list[Any]:
    """Send the other engine all questions at once."""
    lines = "".join(json.dumps(question) + "\n" for question, _ in questions)
    done = subprocess.run(["node", "-e", PROGRAM, core], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def plain(answer: object) -> object:
    """Remove differences of order, and of null and nothing."""
    if isinstance(answer, list) and answer and all(isinstance(entry, list | None) for entry in answer):
        return [sorted(set(entry or [])) for entry in answer]
    return sorted(answer) if isinstance(answer, list) and all(isinstance(e, str) for e in answer) else answer


def main() -> int:
    """Deal, ask, compare, report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("core", help="folder of @kobalab/majiang-core")
    parser.add_argument("--hands", type=int, default=5000, help="hands of each source")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    questions = [one for source in SOURCES for _ in range(options.hands) for one in source(rng)]
    different: dict[str, list[str]] = {}
    asked = dict.fromkeys((question["ask"] for question, _ in questions), 0)
    for (question, own), other in zip(questions, answers(options.core, questions), strict=True):
        asked[question["ask"]] += 1
        if plain(own) != plain(other):
            different.setdefault(question["ask"], []).append(f"{question}: {own} here, {other} there")
    for ask, n in asked.items():
        print(f"{ask}: {n} asked, {len(different.get(ask, []))} different")
        print("".join(f"  {line}\n" for line in different.get(ask, [])[:5]), end="")
    return int(bool(different))


if __name__ == "__main__":
    sys.exit(main())
