"""The commands ``hand`` and ``score`` for three players: their tiles, seats, dora and payments (RULES.md 4.6)."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from auditor.cli.main import app
from auditor.hands.explain import Situation, describe
from auditor.hands.files import read_table
from auditor.hands.table import scored
from auditor.hands.text import as_text
from engine.rules.rule_sets import preset

PUBLISHED = read_table(Path(__file__).resolve().parents[2] / "fixtures" / "hands" / "published_sanma.csv")
"""Hands of three players on whose value three other engines agree, most of them from logs (cases sm-001 to sm-015)."""

TENHOU = preset("tenhou")
SANMA = TENHOU.changed(players=3, uma=(20, 0, -20))

KITA = "112233456p789s4z"
"""Waits for North: iipeikou."""

WHITE = "99m406p789s55z111s"
"""Waits for 9m and the white dragon. By ron on the latter: 20 + 10 + 8 + 4 fu, one han and a red five."""


def explained(text, rules=TENHOU, **known):
    """Describe a hand of three players."""
    return describe(text, Situation(rules=[rules], **{"players": 3, **known}))


def command(*words):
    """Run ``hand`` for three players."""
    return CliRunner().invoke(app, ["hand", *words, "--players", "3"])


def test_runs_of_manzu_do_not_exist():
    """A fourth 1m is of no use, so this hand is two exchanges away, and no kind from 2m to 8m is useful."""
    found = explained("11119999m11444z")
    assert (found["players"], found["shanten"]["exact"], found["shanten"]["standard"]) == (3, 2, 2)
    assert not {f"{n}m" for n in range(1, 10)} & set(found["useful"])
    assert "three players" in as_text(found)
    four = explained("11119999m11444z", players=None)
    assert (four["players"], four["shanten"]["exact"]) == (4, 1)
    assert list(four["useful"]) == ["2m", "3m", "7m", "8m"]
    assert "players" not in as_text(four)


def test_discards_know_the_kinds():
    """After each discard the useful tiles are those of three players."""
    found = explained("11119999m114445z")
    assert {row["shanten"] for row in found["discards"] if row["discard"] == "P"} == {2}
    assert not any(f"{n}m" in row["useful"] for row in found["discards"] for n in range(2, 9))


def test_the_rules_can_say_how_many_play():
    """Without the option, the rule ``players`` decides; the option is stronger."""
    assert explained("11119999m11444z", SANMA, players=None)["shanten"]["exact"] == 2
    assert explained("11119999m11444z", SANMA, players=4)["shanten"]["exact"] == 1
    result = CliRunner().invoke(app, ["hand", "19m", "--rules", "tenhou; players=3; uma=[20, 0, -20]", "--json"])
    assert json.loads(result.output)["players"] == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["19m406p"], None),
        (["123m"], "2m: three players play without 2m to 8m"),
        (["0m"], "5m: three players play without"),
        (["55z,777m="], "7m: three players play without"),
        (["19m", "--dora", "3m"], "3m: three players play without"),
        (["19m", "--visible", "8m"], "8m: three players play without"),
        (["19m", "--seat", "N"], "three players have no North seat"),
        ([WHITE, "--win", "5z="], "mark = with three players"),
        (["55z,777=z"], "mark = with three players"),
        (["19p,1-23p"], "chi: the rules of three players have none"),
        ([WHITE, "--win", "5z-", "--kita", "1"], None),
        ([KITA, "--win", "4z+", "--on-kita"], None),
        ([KITA, "--win", "4z", "--on-kita"], "on kita on a tsumo"),
        ([WHITE, "--win", "5z-", "--on-kita"], "on kita with another winning tile than North"),
        ([KITA, "--win", "4z+", "--on-kita", "--chankan"], "on kita with chankan"),
        ([KITA, "--win", "4z+", "--on-kita", "--last"], "on kita with the last tile"),
        ([KITA, "--win", "4z+", "--kita", "3"], "5 copies of N in hand"),
        ([WHITE, "--win", "5z", "--rinshan"], "rinshan without a kan among the melds, and without kita"),
        ([WHITE, "--win", "5z", "--rinshan", "--kita", "1"], None),
        ([WHITE, "--win", "5z", "--rinshan", "--kita", "1", "--riichi", "1", "--ippatsu"], "an own kan or kita ends"),
        ([WHITE, "--win", "5z", "--first", "--kita", "1"], "first turn with kita, which ends it"),
        ([WHITE, "--kita", "1", "--rules", "tenhou_sanma; kita=false"], "kita, but the rules have no kita"),
        ([KITA, "--win", "4z+", "--on-kita", "--rules", "tenhou_sanma; kita_ron=false"], "no ron on a North"),
        ([WHITE, "--win", "5z-", "--kita", "5"], "less than or equal to 4"),
    ],
)
def test_what_three_players_do_not_have(words, message):
    """Tiles and seats that three players do not have are refused; the message names them."""
    result = command(*words)
    assert result.exit_code == (2 if message else 0), result.output
    assert (message or "") in result.output


@pytest.mark.parametrize(("indicators", "dora"), [("1m", 2), ("9m", 0), ("1m1m", 4), ("9s", 3)])
def test_dora_of_three_players(indicators, dora):
    """The indicator 1m makes 9m dora, and 9m makes 1m dora."""
    found = explained(WHITE, win="5z-", dora=indicators)
    assert {row["name"]: row["han"] for row in found["yaku"]}.get("dora", 0) == dora


@pytest.mark.parametrize(
    ("known", "payments"),
    [
        # 2 han 50 fu by ron: 3200, for a dealer 4800. 3 han 40 fu by tsumo: 1300 and 2600, for a dealer 2600 each.
        ({"win": "5z-"}, {"South": 3200, "East": -3200}),
        ({"win": "5z+"}, {"South": 3200, "West": -3200}),
        ({"win": "5z-", "seat": 0}, {"East": 4800, "West": -4800}),
        ({"win": "5z+", "seat": 2}, {"West": 3200, "East": -3200}),
        ({"win": "5z-", "honba": 2}, {"South": 3600, "East": -3600}),
        ({"win": "5z"}, {"South": 3900, "East": -2600, "West": -1300}),
        ({"win": "5z", "seat": 0, "honba": 1}, {"East": 5400, "South": -2700, "West": -2700}),
    ],
)
def test_payments_of_three_players(known, payments):
    """The mark - is the seat before, + the next; honba are 200 on ron, and nobody pays the missing seat's share."""
    assert explained(WHITE, **known)["payments"] == payments


def test_the_liable_seat_of_three_players():
    """Who fed the last dragon is liable for big three dragons: the seat before a South winner is East."""
    found = explained("99m111p,555+z,666+z,777-z", win="1p")
    assert found["liable"] == "East"
    assert found["payments"] == {"South": 24000, "East": -24000}


def test_a_table_mixes_three_and_four_players():
    """The column ``players`` says for each row how many play; an empty cell means what the rules say."""
    table = pl.DataFrame(
        {
            "hand": [WHITE, WHITE, WHITE, "234m406p789s55z99m", WHITE],
            "win": ["5z", "5z", "5z", "5z-", "5z-"],
            "players": ["4", "3", None, "3", "five"],
            "dora": ["1m", "1m", "1m", "", ""],
            "points": [5200, 8000, 5200, 1000, 3200],
            "player": ["a", "b", "c", "d", "e"],
        }
    )
    found = scored(table, TENHOU)
    assert found["expected_payments"].to_list()[:3] == [
        [5200, -1300, -1300, -2600],
        [6000, -2000, -4000, None],
        [5200, -1300, -1300, -2600],
    ]
    assert found["mismatch"].to_list()[:3] == [None, "points", None]
    assert found["problem"].to_list()[3] == "2m: three players play without 2m to 8m"
    assert found["problem"].to_list()[4] == "players 'five' is neither 3 nor 4"
    assert scored(table, SANMA)["expected_points"].to_list()[:3] == [5200, 6000, 6000]


def test_an_unknown_tsumo_loss_is_tried():
    """If the rules do not say what becomes of the missing share, a tsumo of three players depends on it."""
    rules = TENHOU.changed(tsumo_loss=None)
    assert scored(pl.DataFrame({"hand": [WHITE], "win": ["5z"], "players": [3]}), rules)["depends_on"].to_list() == [
        "tsumo_loss"
    ]
    known = pl.DataFrame({"hand": [WHITE, WHITE], "win": ["5z-", "5z"], "players": [3, 4]})
    assert scored(known, rules)["depends_on"].to_list() == [None, None]


def test_published_hands_are_scored_right():
    """Every claim is right, under the preset of three players and under that of four, whose rows of three use it."""
    for name in ("tenhou_sanma", "tenhou"):
        table = scored(PUBLISHED, preset(name))
        assert table["problem"].null_count() == table["mismatch"].null_count() == len(PUBLISHED) == 15


@pytest.mark.parametrize(("column", "wrong"), [("kita", 7), ("rinshan", 2), ("players", 13)])
def test_what_the_rows_of_three_players_say_matters(column, wrong):
    """Without kita, rinshan or players claims are wrong or the row is refused; kita does not matter to a yakuman."""
    table = scored(PUBLISHED.drop(column), preset("tenhou"))
    assert len(PUBLISHED) - table["mismatch"].null_count() == wrong


def test_kita_is_printed():
    """Case sm-001: of six dora, three are for North, and the indicator West makes three more."""
    hand = ("556677p2345677s", "--win", "7s-", "--seat", "E", "--round", "S", "--kita", "3", "--dora", "3z")
    printed = command(*hand).output
    assert "dora (dora): 6 han\n           3 of them for 3 Norths set aside\n" in printed
    assert "9 han 30 fu, baiman: 24000 points" in printed
    assert json.loads(command(*hand, "--json").output)["kita"] == {"norths": 3, "han": 3}
    assert "kita" not in json.loads(command("556677p2345677s", "--win", "7s-", "--json").output)


def test_norths_set_aside_cannot_be_drawn():
    """A hand that waits for North has none of those left."""
    assert explained(KITA)["useful"] == {"N": 3}
    assert explained(KITA, kita=2)["useful"] == {"N": 1}


def test_rules_without_three_players_leave_kita_open():
    """The M-League has no rules of three players: the value of kita is unknown, and every value is tried."""
    mleague = preset("mleague")
    table = pl.DataFrame({"hand": [WHITE, WHITE], "win": ["5z-", "5z-"], "players": [3, 4], "kita": [1, 0]})
    found = scored(table, mleague)
    assert "kita_han" in found["depends_on"][0]
    assert "kita_han" not in (found["depends_on"][1] or "")
    depends = explained(WHITE, mleague, win="5z-", kita=1)["depends on"]
    assert {line.split(":")[0].split("=")[0] for line in depends} <= {"kita_han", "renhou", "local_yaku"}


def test_another_way_to_pay_the_missing_share():
    """Mangan by tsumo of a non-dealer: 8000 are paid 5300 and 2700, or 5000 and 3000 (RULES.md 4.6)."""
    rules = {"ron_value": (-5300, -2700), "halved": (-5000, -3000), "thousand_each": (-5000, -3000)}
    for way, (dealer, other) in rules.items():
        changed = preset("tenhou_sanma").changed(tsumo_loss=False, missing_share=way)
        paid = explained(WHITE, changed, win="5z", kita=1, riichi=1)["payments"]
        assert (paid["East"], paid["West"]) == (dealer, other)
    unknown = preset("tenhou_sanma").changed(tsumo_loss=False, missing_share=None)
    row = pl.DataFrame({"hand": [WHITE], "win": ["5z"], "kita": [1], "points": [4200]})
    found = scored(row, unknown)
    assert (found["depends_on"][0], found["mismatch"][0]) == ("missing_share", "points")


@pytest.mark.parametrize(("indicator", "depends"), [("3z", "dora"), ("1z", None)])
def test_an_unknown_dora_rule_touches_norths(indicator, depends):
    """Without a rule on dora, a North that was set aside is worth one han or two if West is the indicator."""
    rules = preset("tenhou_sanma").changed(dora=None)
    row = pl.DataFrame({"hand": [WHITE], "win": ["5z-"], "kita": [1], "dora": [indicator]})
    assert scored(row, rules)["depends_on"].to_list() == [depends]


@pytest.mark.parametrize(("hand", "points"), [(WHITE, 1), ("99m406p55z111s,1111z", 2)])
def test_rinshan_without_a_kan_is_that_of_a_kita(hand, points):
    """Rules can refuse rinshan after a kita; after a kan it is rinshan in any case."""
    rules = preset("tenhou_sanma").changed(kita_rinshan_yaku=False)
    known = {"win": "5z", "kita": 1, "rinshan": True}
    names = [{row["name"] for row in explained(hand, each, **known)["yaku"]} for each in (TENHOU, rules)]
    assert sum("rinshan kaihou" in each for each in names) == points


@pytest.mark.parametrize(
    ("claim", "mismatch"),
    [
        ("pinfu, tanyao, iipeikou, dora 6", None),
        ("平和 断幺九 一盃口 ドラ(3飜) 抜きドラ(3飜)", None),
        ("pinfu 1, tanyao 1, iipeikou 1, dora 3, kita 3", None),
        ("pinfu 1, tanyao 1, iipeikou 1, dora 3, nukidora 2", "yaku"),
        ("pinfu 1, tanyao 1, iipeikou 1, dora 3", "yaku"),
    ],
)
def test_kita_is_claimed_as_dora_or_by_name(claim, mismatch):
    """Case sm-001: Tenhou lists six dora, Mahjong Soul three dora and three Norths (case sm-039)."""
    row = PUBLISHED.head(1).with_columns(yaku=pl.lit(claim))
    found = scored(row, preset("tenhou_sanma"))
    assert (found["mismatch"][0], found["unreadable"][0]) == (mismatch, None)
