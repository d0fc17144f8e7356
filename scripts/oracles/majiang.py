"""npm ``@kobalab/majiang-core``, 電脳麻将's engine; compare_majiang.py uses its readings, waits and shanten."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.rules.majiang import effective_in_majiang
from engine.shapes.readings import find_readings
from engine.tiles.kinds import DORA_OF, KINDS
from engine.tiles.melds import SEAT_MARKS
from engine.yaku.all_yaku import BY_MAJIANG
from engine.yaku.all_yaku import units as units_of
from engine.yaku.declaration import DORA, URA_DORA
from engine.yaku.features import features
from scripts.check_majiang_scores import groups
from scripts.oracles.answers import ALLOWED, Answer, Case, Oracle, indicators
from tests.kit.random_wins import batch, hand_text, tile_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.rules.rule_sets import RuleSet
    from tests.kit.random_wins import Win

PROGRAM = """
const M = require(process.argv[1]);
const [rules, ...lines] = require('fs').readFileSync(0, 'utf-8').split('\\n').filter(line => line);
const made = JSON.parse(rules).map(rule => M.rule(rule));
for (const line of lines) {
    const c = JSON.parse(line);
    c.param.rule = made[c.rule];
    const found = M.Util.hule(M.Shoupai.fromString(c.hand), c.won, M.Util.hule_param(c.param));
    console.log(JSON.stringify(found));
}
"""


def asker(core: str) -> Callable[[Sequence[Win], Sequence[RuleSet]], list[Answer]]:
    """Give a function that asks npm ``@kobalab/majiang-core`` in a folder."""

    def ask(wins: Sequence[Win], rules: Sequence[RuleSet]) -> list[Answer]:
        row = {rule: number for number, rule in enumerate(dict.fromkeys(rules))}
        lines = [json.dumps([majiang_rule(rule) for rule in row])]
        for win, rule in zip(wins, rules, strict=True):
            lines.append(json.dumps({"rule": row[rule], **_question(win, rule)}))
        done = subprocess.run(
            ["node", "-e", PROGRAM, core], input="\n".join(lines), capture_output=True, text=True, check=True
        )
        answers = map(json.loads, done.stdout.splitlines())
        return [_answer(win, answer) for win, answer in zip(wins, answers, strict=True)]

    return ask


def majiang_rule(rules: RuleSet) -> dict[str, Any]:
    """Write the rules of scoring as 電脳麻将's rule object."""
    return {
        "連風牌は2符": rules.double_wind_pair_fu == 2,
        "クイタンあり": rules.open_tanyao,
        "役満の複合あり": rules.yakuman_stacking,
        "ダブル役満あり": rules.double_yakuman,
        "数え役満あり": rules.kazoe_yakuman,
        "役満パオあり": bool(rules.pao_yakuman),
        "切り上げ満貫あり": rules.kiriage_mangan,
    }


def _question(win: Win, rules: RuleSet) -> dict[str, Any]:
    dora, ura = indicators(win, rules)
    first = win.first_turn and win.tsumo
    return {
        "hand": hand_text(win.tiles if win.tsumo else win.tiles[:-1], win.melds),
        "won": None if win.tsumo else tile_text(win.tiles[-1]) + SEAT_MARKS[(win.payer - win.winner) % 4],
        "param": {
            "zhuangfeng": win.round_wind,
            "menfeng": win.seat_wind,
            "lizhi": win.riichi,
            "yifa": win.ippatsu and bool(rules.ippatsu),
            "qianggang": win.chankan,
            "lingshang": win.rinshan,
            "haidi": (1 if win.tsumo else 2) * win.last_tile,
            "tianhu": (2 if win.seat_wind else 1) * first,
            "baopai": [tile_text(kind) for kind in dora],
            "fubaopai": [tile_text(kind) for kind in ura] if win.riichi else None,
            "changbang": win.honba,
            "lizhibang": win.sticks,
        },
    }


def _answer(win: Win, found: dict[str, Any]) -> Answer:
    if not found.get("hupai"):
        return Answer()
    names = {BY_MAJIANG[each["name"]].id: each["fanshu"] for each in found["hupai"]}
    deltas = tuple(found["fenpei"][(seat - win.dealer) % 4] for seat in range(4))
    paid = {"points": found["defen"], "deltas": deltas}
    if found.get("damanguan"):
        return Answer(won=True, units=found["damanguan"], yakuman=frozenset(names), **paid)
    return Answer(won=True, fu=found["fu"], han=found["fanshu"], yaku=names, **paid)


def several_reds(case: Case) -> Answer | None:
    """Count one of several red fives in a suit's concealed tiles, or in a meld, as the dora 5 (RULES.md 3.5)."""
    yaku = dict(case.ours.yaku)
    for number, shown in zip((DORA, URA_DORA), indicators(case.win, case.rules), strict=True):
        for group in groups(hand_text(case.win.tiles, case.win.melds)):
            fives = sum(tile_text(int(DORA_OF[kind])) == group[0] + "5" for kind in shown)
            yaku[number] = yaku.get(number, 0) - fives * max(group.count("0") - 1, 0)
    yaku = {number: han for number, han in yaku.items() if han}
    return case.revalued(yaku=yaku, han=sum(yaku.values())) if case.ours.han else None


def last_division(case: Case) -> Answer | None:
    """If yakuman do not add up, name that of the last division: all are worth the same, and the last one stays.

    Divisions are sorted by the pair, rising; at each tile, runs come before a triplet.
    """
    if case.rules.yakuman_stacking or not case.ours.units:
        return None
    won = batch([case.win], np.array([case.row]))
    found = find_readings(won.hands, won.win_kind, ~won.tsumo)
    named = units_of(features(won, found, case.table), np.array([case.rules.double_yakuman])) > 0
    order = [
        (int(pair), [int(triplets) >> kind & 1 for kind in range(KINDS)], row)
        for row, (pair, triplets) in enumerate(zip(found.pair, found.triplets, strict=True))
        if named[:, row].any()
    ]
    return case.ours._replace(yakuman=frozenset(np.flatnonzero(named[:, max(order)[-1]]).tolist()))


def oracle(core: str) -> Oracle:
    """Give the engine in a folder."""
    return Oracle(
        "majiang-core",
        ALLOWED
        | {
            "double_wind_pair_fu": (4, 2),
            "yakuman_stacking": (True, False),
            "pao_yakuman": (("daisangen", "daisuushi"), ()),
            "pao_scope": ("liable_yakuman",),
            "pao_ron_honba_payer": ("discarder",),
        },
        asker(core),
        possible=lambda win: win if win.players == 4 else None,
        settle=effective_in_majiang,
        causes={
            "several reds of a suit are one dora (RULES.md 3.5)": several_reds,
            "of yakuman that do not add up it names those of the last division": last_division,
        },
    )
