"""The command ``hand``: values published elsewhere, and errors that point at a character."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from auditor.cli.main import app
from auditor.hands.explain import Situation, describe
from auditor.hands.text import as_text
from auditor.log.tile_ids import PHYSICAL, TILE_NAMES
from engine.rules.rule_sets import preset
from engine.tiles.hands import parse_hand
from engine.tiles.notation import read_tile

TENHOU = [preset("tenhou")]


def explained(text, **known):
    """Describe a hand under Tenhou's rules."""
    return describe(text, Situation(rules=TENHOU, **known))


def test_both_definitions_where_they_differ():
    """123456789m1111p has shanten 1 by play, and is tenpai only by the block formula (case sh-001)."""
    found = explained("123456789m1111p")
    assert (found["shanten"]["exact"], found["shanten"]["block"]) == (1, 0)
    assert found["waits"]["tiles"] == []
    assert "fifth copy" in as_text(found)


def test_nine_gates_wait_for_nine():
    """The hand of article 003 waits for every tile of its suit, and the article's split is among the readings."""
    found = explained("1112345678999m")
    assert found["waits"]["tiles"] == [f"{number}m" for number in range(1, 10)]
    assert "(111)(999)(234)(567)[8]" in found["waits"]["splits"]
    assert sum(found["useful"].values()) == 36 - 13


def test_useful_tiles_leave_out_what_is_seen():
    """Tiles in sight are not counted as useful."""
    assert explained("123p406789s1122z")["useful"] == {"E": 2, "S": 2}
    assert explained("123p406789s1122z", visible="1z", dora="2z")["useful"] == {"E": 1, "S": 1}


def test_discards_are_ordered_best_first():
    """The discard that leaves the most useful tiles comes first."""
    found = explained("123m456p789s1123z1z")
    assert found["discards"][0]["discard"] in {"S", "W"}
    distances = [row["shanten"] for row in found["discards"]]
    assert distances == sorted(distances)


@pytest.mark.parametrize(
    ("text", "known", "value", "payments"),
    [
        # fu-008, fu-011, fu-012, fu-013 of the disputed cases.
        ("234678m77s34s5s,2-34p", {}, (1, 30, 1100), {"East": -500, "South": 1100, "West": -300, "North": -300}),
        ("555s234m46p11z5p,6-78m", {"seat": 0, "last_tile": True}, (1, 40, 2100), {"East": 2100, "South": -700}),
        ("1133m2244p6688s55z", {}, (3, 25, 3200), {"South": 3200, "East": -1600}),
        ("1133m2244p6688s5z", {"win": "5z-"}, (2, 25, 1600), {"South": 1600, "East": -1600}),
    ],
)
def test_value_of_published_hands(text, known, value, payments):
    """Han, fu, points and payments of published hands are right."""
    found = explained(text, **known)
    assert (found["han"], found["fu"], found["points"]) == value
    assert payments.items() <= found["payments"].items()


def test_every_reading_is_given():
    """The hands of article 000 have the readings that the article gives; the command prints one of them."""
    result = CliRunner().invoke(app, ["hand", "m22334455p234s234", "--win", "m3=", "--json"])
    assert result.exit_code == 0, result.output
    readings = json.loads(result.output)["readings"]
    assert sorted(map(tuple, readings)) == [
        ("m22", "m3=_45", "m345", "p234", "s234"),
        ("m55", "m23=_4", "m234", "p234", "s234"),
    ]


@pytest.mark.parametrize(("text", "place"), [("12m3x", "character 5"), ("123q", "character 4")])
def test_errors_point_at_the_character(text, place):
    """An unreadable hand is refused with the place of the fault; the exit code is that of a failed run."""
    result = CliRunner().invoke(app, ["hand", text])
    assert result.exit_code == 2
    assert place in result.output


@pytest.mark.parametrize("tiles", [1, 2, 5, 8, 10, 11, 15, 16, 17])
def test_no_hand_of_play_has_shanten_by_formula_alone(tiles):
    """13 - 3 sets - 2 partials - isolated is defined for any number of tiles; "tenpai" and "won" are terms of play."""
    text = "".join(f"{number}{suit}" for suit in "mps" for number in range(1, 10))
    found = explained(text[: 2 * tiles])
    assert found["tiles"] == tiles
    assert list(found["shanten"]) == ["block"]
    assert "block formula only" in as_text(found)
    assert "winning hand" not in as_text(found)
    assert "tenpai" not in as_text(found)
    assert ("waits" in found) == (tiles in (1, 10))
    assert ("discards" in found) == (tiles in (2, 5, 8, 11))


def test_shanten_by_formula():
    """Two runs of eight tiles and two tiles beside each other: 13 - 3 * 2 - 2 = 5."""
    assert explained("12345678m")["shanten"] == {"block": 5}


def test_waits_of_a_hand_whose_melds_are_not_written():
    """Seven consecutive tiles wait for three tiles; eight leave that wait after a discard at either end."""
    found = explained("1234567m")
    assert found["waits"]["tiles"] == ["1m", "4m", "7m"]
    assert (found["missing melds"], list(found["useful"])) == (2, ["1m", "4m", "7m"])
    best = explained("12345678m")["discards"][:2]
    assert [(row["discard"], list(row["useful"])) for row in best] == [
        ("1m", ["2m", "5m", "8m"]), ("8m", ["1m", "4m", "7m"]),
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", " ", "*"])
def test_a_hand_without_tiles_is_refused(text):
    """An empty hand is refused."""
    result = CliRunner().invoke(app, ["hand", text])
    assert result.exit_code == 2
    assert "without tiles" in result.output


def test_values_of_two_readings():
    """23_4 and 55 give a closed wait and three colours, 30 + 2 fu; 3_45 and 22 give pinfu, 30 fu."""
    result = CliRunner().invoke(app, ["hand", "m22334455p234s234", "--win", "m3=", "--json"])
    found = json.loads(result.output)
    worth = {
        blocks[0]: (value["han"], value["fu"], value["points"], [row["name"] for row in value["yaku"]], value["chosen"])
        for blocks, value in zip(found["readings"], found["values"], strict=True)
    }
    assert worth == {
        "m55": (4, 40, 8000, ["tanyao", "iipeikou", "sanshoku doujun"], True),
        "m22": (3, 30, 3900, ["pinfu", "tanyao", "iipeikou"], False),
    }
    said = CliRunner().invoke(app, ["hand", "m22334455p234s234", "--win", "m3="]).output
    assert "4 han 40 fu, mangan: 8000 points" in said
    assert "3 han 30 fu: 3900 points" in said
    assert said.count("(chosen)") == 1


def test_every_tile_that_is_printed_can_be_read():
    """Tile names as `show` and findings print them, separated by spaces, can be read as a hand."""
    for tile in range(37):
        assert read_tile(TILE_NAMES[PHYSICAL + tile]) == (tile, 0)
    found = explained("2m 3m 4m 0p 6p 7p  E E E  F F  7s 8s", win="9s-")
    assert found["readings"] == [["z66", "m234", "p567", "s789-_", "z111"]]


def test_tiles_seen_may_be_written_apart():
    """Indicators and seen tiles may be written with or without separators."""
    texts = ("3p1z", "3p 1z", "p3,z1", "3p, E", "🀛🀀")
    assert {explained("123p406789s1122z", visible=text)["useful"]["E"] for text in texts} == {1}


@pytest.mark.parametrize(
    ("option", "text", "place"),
    [("--win", "9z", 1), ("--dora", "1m8z", 3), ("--ura", "1m-", 3), ("--visible", "1x", 2)],
)
def test_errors_name_the_option(option, text, place):
    """An unreadable value is reported with its option."""
    result = CliRunner().invoke(app, ["hand", "123p406789s1122z", option, text])
    assert result.exit_code == 2
    assert f"{option[2:]}: " in result.output
    assert f"character {place}" in result.output


def test_readme_writes_hands_as_they_are_read():
    """In the table of auditor/hands/README.md, each pair is one hand in two notations."""
    readme = (Path(__file__).resolve().parents[2] / "auditor" / "hands" / "README.md").read_text("utf-8")
    rows = {
        row.split("|")[1].strip(): re.findall("`([^`]+)`", row) for row in readme.splitlines() if row.count("|") == 3
    }
    for name in ("tiles", "melds"):
        one, other = (parse_hand(text) for text in rows[name][:2])
        np.testing.assert_array_equal(one.keys, other.keys)
        np.testing.assert_array_equal(one.meld_type, other.meld_type)
        np.testing.assert_array_equal(one.meld_from, other.meld_from)
    assert parse_hand(rows["spaces"][0]).closed[0]
    assert parse_hand(rows["Unicode"][0]).counts()[0, :3].tolist() == [1, 1, 1]


def test_rules_are_listed_shown_and_compared():
    """Every preset is listed and can be shown; ``rules diff`` says where two differ."""
    run = CliRunner()
    names = run.invoke(app, ["rules", "list"]).output.split()
    assert {"tenhou", "majiang", "mleague", "mahjong_soul", "wrc"} <= set(names)
    assert "kiriage_mangan = false" in run.invoke(app, ["rules", "show", "tenhou"]).output
    assert "[double_yakuman]\ntenhou = false" in run.invoke(app, ["rules", "diff", "tenhou", "majiang"]).output
    missing = run.invoke(app, ["rules", "show", "tenhuo"])
    assert missing.exit_code == 2
    assert "tenhou" in missing.output
