"""Next rounds and the end of games under other rules than Tenhou's: written logs, and games of another engine."""

from __future__ import annotations

import gzip
import json
import random

import pytest

from auditor.audit.audit_batch import Options, audit
from engine.rules.rule_sets import preset
from tests.kit.audits import audited, codes, log_bytes, source

FLOW = ("G", "L005", "L006")
WIN = "  fu 30\n  points {points}\n  yaku pinfu 1, tanyao 1\n  change {change}"
HAND = "holds 234m 678p 234s 56s 88s"


def game(place, scores, winner, end="end"):
    """Write a round that a seat wins with 2,000 points (the dealer with 2,900), and the game's end.

    The dealer discards the winning tile. If the dealer wins, the next seat does, after the dealer's first discard.
    """
    dealer = int(place[-3]) - 1
    payer = dealer if winner != dealer else (dealer + 1) % 4
    points = 2900 if winner == dealer else 2000
    change = [0] * 4
    change[winner], change[payer] = points, -points
    play = ["draws 7s", "discards 7s"] if payer == dealer else ["draws N", "discards N"]
    lines = [f"{place}, dora 9p, scores {' '.join(map(str, scores))}", f"{winner} {HAND}"]
    lines += [f"{dealer} {line}" for line in play]
    if payer != dealer:
        lines += [f"{payer} draws 7s", f"{payer} discards 7s"]
    lines += [f"{winner} wins 7s from {payer}", WIN.format(points=points, change=" ".join(map(str, change))), end]
    return "\n".join(lines)


def found(text, **rules):
    """Give the codes of FLOW found in a written game under changed rules."""
    base = preset("tenhou").changed(**rules)
    return codes(audited(log_bytes(f"table 1\n{text}"), options=Options(base, FLOW)))


EVEN = (25000, 25000, 25000, 25000)
SEAT_3_LEADS = (22000, 22000, 22000, 34000)
SEAT_0_LEADS = (34000, 22000, 22000, 22000)


@pytest.mark.parametrize(
    ("place", "scores", "winner", "rules", "early"),
    [
        ("East 4.0", SEAT_0_LEADS, 0, {}, False),
        ("East 3.0", SEAT_0_LEADS, 0, {}, True),
        ("East 4.0", EVEN, 0, {}, True),
        ("East 4.0", EVEN, 0, {"extension_mode": 0}, False),
        ("East 4.0", EVEN, 0, {"target_points": 27000}, False),
        ("South 1.0", (28000, 24000, 24000, 24000), 1, {}, True),
        ("South 1.0", (24000, 28000, 24000, 24000), 1, {}, False),
        ("South 4.0", EVEN, 0, {}, False),
        ("East 4.0", SEAT_3_LEADS, 3, {}, False),
        ("East 4.0", SEAT_3_LEADS, 3, {"agari_yame": "none"}, True),
        ("East 4.0", SEAT_3_LEADS, 3, {"agari_yame": "chosen"}, False),
        ("East 4.0", SEAT_3_LEADS, 3, {"agari_yame": None}, False),
        ("East 4.0", SEAT_3_LEADS, 3, {"agari_yame": "none", "renchan_mode": 0}, False),
        ("East 4.0", SEAT_0_LEADS, 3, {}, True),
        ("East 1.0", (2900, 0, 48500, 48500), 1, {}, True),
        ("East 1.0", (2000, 1000, 48500, 48500), 1, {"bust_threshold": "zero_or_less"}, False),
        ("East 1.0", (1900, 1100, 48500, 48500), 1, {}, False),
        ("East 1.0", (1900, 1100, 48500, 48500), 1, {"bust_threshold": "off"}, True),
        ("East 1.0", (1900, 1100, 48500, 48500), 1, {"bust_threshold": None}, False),
        ("East 1.0", EVEN, 1, {"max_rounds": 1}, False),
        ("East 1.0", (25000, 58000, 8500, 8500), 1, {"score_ceiling": 60000}, False),
        ("East 4.0", SEAT_0_LEADS, 0, {"min_rounds": 4}, True),
    ],
)
def test_end(place, scores, winner, rules, early):
    """Whether a game that ends after this round ends too early depends on these rules."""
    assert found(game(place, scores, winner), **rules) == (["G105"] if early else [])


@pytest.mark.parametrize(
    ("first", "second", "rules", "expected"),
    [
        (("East 4.0", SEAT_0_LEADS, 0), "South 1.0", {}, ["G104"]),
        (("East 4.0", EVEN, 0), "South 1.0", {}, []),
        (("East 4.0", EVEN, 0), "South 1.0", {"extension_mode": 0}, ["G104"]),
        (("East 4.0", SEAT_3_LEADS, 3), "East 4.1", {}, ["G104"]),
        (("East 4.0", SEAT_3_LEADS, 3), "East 4.1", {"agari_yame": "none"}, []),
        (("East 4.0", SEAT_3_LEADS, 3), "East 4.1", {"agari_yame": "chosen"}, []),
        (("East 4.0", SEAT_3_LEADS, 3), "South 1.1", {"agari_yame": "none"}, ["G101"]),
        (("South 1.0", (33000, 22000, 23000, 22000), 0), "South 1.1", {}, ["G104"]),
        (("South 1.0", (22000, 33000, 23000, 22000), 0), "South 1.1", {}, []),
        (("South 1.0", (22000, 33000, 23000, 22000), 0), "South 1.1", {"extension_mode": 1}, ["G104"]),
        (("South 4.0", EVEN, 0), "West 1.0", {}, ["G104"]),
        (("East 1.0", (1900, 1100, 48500, 48500), 1), "East 2.0", {}, ["G104"]),
        (("East 1.0", (1900, 1100, 48500, 48500), 1), "East 2.0", {"bust_threshold": "off"}, []),
        (("East 1.0", EVEN, 0), "East 1.1", {}, []),
        (("East 1.0", EVEN, 0), "East 2.0", {}, ["G101"]),
        (("East 1.0", EVEN, 0), "East 2.0", {"renchan_mode": 0}, []),
        (("East 1.0", EVEN, 0), "East 2.1", {"renchan_mode": 0}, ["G102"]),
        (("East 1.0", EVEN, 0), "East 2.0", {"renchan_mode": None}, []),
        (("East 1.0", EVEN, 1), "East 2.1", {}, ["G102"]),
        (("East 1.0", EVEN, 1), "East 1.1", {}, ["G101"]),
        (("East 1.0", EVEN, 1), "East 2.0, sticks 1", {}, ["G103"]),
    ],
)
def test_next_round(first, second, rules, expected):
    """The rules decide which round may follow. The second round has no end, so no finding depends on its result."""
    dealer = int(second.partition(".")[0][-1]) - 1
    text = f"{game(*first, end='')}\n{second}, dora 9p\n{dealer} draws N\n{dealer} discards N"
    assert found(text, **rules) == expected


@pytest.mark.long
def test_games_of_another_engine(shared):
    """Ten games of each file of 電脳麻将, under their own random rules, agree in rounds, scores, places and points."""
    lines = []
    for path in sorted((shared / "selfplay" / "majiang").glob("*.gz")):
        lines += random.Random(0).sample(gzip.decompress(path.read_bytes()).decode().splitlines(), 10)
    assert len({json.dumps(json.loads(line)["rule"], sort_keys=True) for line in lines}) > 50
    report = audit([source("\n".join(lines).encode(), "majiang.jsonl")], Options(preset("tenhou"), FLOW))
    assert report.tables["findings"].rows() == []
    looked = {each.code: each.looked - each.not_checkable for each in report.tallies}
    assert looked["G106"] == looked["G107"] == len(lines)
