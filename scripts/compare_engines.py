"""Score random wins with this engine and three others, under presets and random rules; name causes of differences.

    npm install --prefix DIR @kobalab/majiang-core
    pip install mahjong jansou
    python -m scripts.compare_engines --majiang DIR/node_modules/@kobalab/majiang-core

Each engine scores every win, under the rule sets that it can express, in turn: the presets (an unknown rule has
Tenhou's value, a rule that the engine lacks its own value) and random choices of its options. The comparison covers
win or not, fu, han, every yaku with its han, dora, yakuman and units, points, and the payment of each seat; then
exact shanten and waits of hands that lack one tile. A cause is a function that predicts the other engine's answer
(oracles/answers.py): it explains a difference only if it predicts that answer exactly. Exit code 1 if a difference is
not explained.

No engine has these rules of scoring: ``min_han``, ``rinshan_tsumo_fu``, ``chuuren_nine_waits_only``,
``ryuuiisou_requires_hatsu``, ``first_turn_yakuman_stacking`` and renhou as a mangan. check_jansou_scores.py compares
liability beyond 電脳麻将's.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from engine.rules.parameters import RULE_NAMES, RuleSet
from engine.rules.rule_sets import PARAMETERS, SANMA_STAND_IN, STAND_IN, THREE, preset, preset_names
from engine.rules.rule_table import RuleTable
from engine.scoring.score import Scores, score
from engine.shapes.shanten import shanten
from engine.shapes.waits import waits_of
from engine.tiles.kinds import kinds_in
from scripts.oracles.answers import Answer, Case, Oracle
from tests.kit.random_wins import Win, batch, deal, deal_short, hands_of

if TYPE_CHECKING:
    from collections.abc import Sequence

MORE_RULES = 12
"""The least number of random rule sets beside the presets; there are always 24 rule sets or more."""


def rule_sets(oracle: Oracle, seed: int, players: int) -> dict[RuleSet, str]:
    """Give an engine's rule sets for a number of players with their names."""
    rng = random.Random(seed)
    base = {name: getattr(preset(SANMA_STAND_IN if players == THREE else STAND_IN), name) for name in RULE_NAMES}
    found: dict[RuleSet, str] = {}

    def add(values: dict[str, object], name: str) -> None:
        kept = {rule: values[rule] if values[rule] in can else can[0] for rule, can in oracle.allowed.items()}
        rules = RuleSet.from_mapping(oracle.settle(base | kept))
        found[rules] = f"{found[rules]} = {name}" if rules in found else name

    for name in (each for each in preset_names() if preset(each).players == players):
        own = {rule: getattr(preset(name), rule) for rule in RULE_NAMES}
        add({rule: base[rule] if value is None else value for rule, value in own.items()}, name)
    presets = len(found)
    idle = {rule for rule in oracle.allowed if PARAMETERS[rule].sanma and players != THREE}
    choices = {rule: can[:1] if rule in idle else can for rule, can in oracle.allowed.items()}
    while len(found) < max(24, presets + MORE_RULES):
        add(base | {rule: rng.choice(can) for rule, can in choices.items()}, f"random {len(found) - presets + 1}")
    return found


def own_answers(scores: Scores) -> list[Answer]:
    """Give this engine's answers."""
    return [_own_answer(scores, row) for row in range(len(scores.points))]


def _own_answer(scores: Scores, row: int) -> Answer:
    if not scores.has_yaku[row]:
        return Answer()
    paid = {"points": int(scores.points[row]), "deltas": tuple(scores.deltas[row].tolist())}
    if scores.units[row]:
        names = frozenset(np.flatnonzero(scores.yakuman[row]).tolist())
        return Answer(won=True, units=int(scores.units[row]), yakuman=names, **paid)
    yaku = {int(number): int(scores.yaku[row, number]) for number in np.flatnonzero(scores.yaku[row])}
    return Answer(won=True, fu=int(scores.fu[row]), han=int(scores.han[row]), yaku=yaku, **paid)


def compare(oracle: Oracle, wins: Sequence[Win], seed: int) -> list[str]:
    """Compare one engine on all wins; print agreement by rule set and causes; give the unexplained differences."""
    numbers = sorted({win.players for win in wins})
    return [text for players in numbers for text in _compare(oracle, _played_by(wins, players), seed, players)]


def _played_by(wins: Sequence[Win], players: int) -> list[Win]:
    return [win for win in wins if win.players == players]


def _compare(oracle: Oracle, wins: Sequence[Win], seed: int, players: int) -> list[str]:
    """Do the same for wins of one number of players."""
    names = rule_sets(oracle, seed, players)
    rules = list(names)
    table = RuleTable.from_rules(rules)
    asked = [known for win in wins if (known := oracle.possible(win))]
    row = np.arange(len(asked)) % len(rules)
    scores = score(batch(asked, table.row_of[row]), table)
    theirs = oracle.ask(asked, [rules[each] for each in row])
    pairs = zip(asked, row.tolist(), map(oracle.named, own_answers(scores)), theirs, strict=True)
    cases = [Case(win, rules[each], table, each, own, other) for win, each, own, other in pairs if own != other]
    print(f"{oracle.name}, {players} players: {len(asked)} wins under {len(rules)} rule sets, ", end="")
    print(f"{len(asked) - len(cases)} agree")
    wrong = Counter(case.row for case in cases)
    print("  " + ", ".join(f"{names[rules[each]]} {n - wrong[each]}/{n}" for each, n in Counter(row.tolist()).items()))
    print(f"  {(scores.units > 0).sum()} yakuman, {(scores.pao >= 0).sum()} with a liable seat, ", end="")
    print(f"{(~scores.has_yaku).sum()} without yaku")
    causes = [cause_of(case, oracle) for case in cases]
    for cause, count in Counter(causes).most_common():
        print(f"  {count} differ: {cause or 'without a cause'}")
    unexplained = (case for case, cause in zip(cases, causes, strict=True) if not cause)
    return [f"{oracle.name} under {names[case.rules]}: {case}" for case in unexplained]


def cause_of(case: Case, oracle: Oracle) -> str:
    """Name the cause that predicts the other answer; empty if none does."""
    return next((name for name, foretells in oracle.causes.items() if foretells(case) == case.theirs), "")


def compare_shapes(oracle: Oracle, wins: Sequence[Win], seed: int) -> list[str]:
    """Compare exact shanten and waits of hands that lack one tile; give the differences."""
    short = deal_short(wins, seed)
    hands = hands_of(short)
    counts, n_melds = hands.counts().tolist(), hands.n_melds.tolist()
    different = []
    if oracle.shanten:
        own = shanten(hands.keys, hands.n_melds).tolist()
        pairs = zip(short, own, oracle.shanten(counts, n_melds), strict=True)
        different += [f"{oracle.name} shanten {win}: {a} here, {b} there" for win, a, b in pairs if a != b]
        print(f"  shanten of {len(short)} hands: {len(different)} differ; {own.count(0)} are tenpai")
    if oracle.waits:
        own_waits = [kinds_in(int(mask)) for mask in waits_of(hands, whole_hand=True)]
        pairs = zip(short, own_waits, oracle.waits(short, counts), strict=True)
        wrong = [f"{oracle.name} waits {win}: {a} here, {b} there" for win, a, b in pairs if a != b]
        print(f"  waits of {len(short)} hands: {len(wrong)} differ")
        different += wrong
    return different


def oracles(core: str | None) -> list[Oracle]:
    """Give the installed engines."""
    found = []
    for name in ("mahjong", "jansou"):
        try:
            found.append(import_module(f"scripts.oracles.{name}").ORACLE)
        except ImportError as error:
            print(f"left out: {error}")
    return [*found, import_module("scripts.oracles.majiang").oracle(core)] if core else found


def main() -> int:
    """Deal, compare all engines, and report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--majiang", metavar="FOLDER", help="folder of @kobalab/majiang-core; left out without it")
    parser.add_argument("--wins", type=int, default=100_000, help="of four players")
    parser.add_argument("--wins3", type=int, default=50_000, help="of three players")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="one engine by name")
    options = parser.parse_args()
    wins = deal(options.wins, options.seed) + deal(options.wins3, options.seed, players=THREE)
    unexplained = []
    for oracle in oracles(options.majiang):
        if options.only in (None, oracle.name):
            unexplained += compare(oracle, wins, options.seed)
            unexplained += compare_shapes(oracle, wins[: options.wins], options.seed)
    for text in unexplained[:20]:
        print("UNEXPLAINED", text)
    return int(bool(unexplained))


if __name__ == "__main__":
    sys.exit(main())
