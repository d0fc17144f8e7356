"""One hand explained: values published elsewhere, and errors that point at the character."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from auditor.cli import app
from auditor.hands.explain import Situation, describe
from auditor.hands.text import as_text
from engine.rules import preset

TENHOU = [preset("tenhou")]


def explained(text, **known):
    """Describe a hand under Tenhou's rules."""
    return describe(text, Situation(rules=TENHOU, **known))


def test_both_definitions_where_they_differ():
    """123456789m1111p is one away, tenpai only by the block formula (case sh-001)."""
    found = explained("123456789m1111p")
    assert (found["shanten"]["exact"], found["shanten"]["block"]) == (1, 0)
    assert found["waits"]["tiles"] == []
    assert "fifth copy" in as_text(found)


def test_nine_gates_wait_for_nine():
    """The hand of article 003 waits for every tile of its suit; the article derives this split among others."""
    found = explained("1112345678999m")
    assert found["waits"]["tiles"] == [f"{number}m" for number in range(1, 10)]
    assert "(111)(999)(234)(567)[8]" in found["waits"]["splits"]
    assert sum(found["useful"].values()) == 36 - 13


def test_useful_tiles_leave_out_what_is_seen():
    """Tiles in sight are no longer to be drawn."""
    assert explained("123p406789s1122z")["useful"] == {"E": 2, "S": 2}
    assert explained("123p406789s1122z", visible="1z", dora="2z")["useful"] == {"E": 1, "S": 1}


def test_discards_are_ordered_best_first():
    """Of a hand with one tile too many, the discard that leaves most comes first."""
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
    """Han, fu, points and payments are the published ones."""
    found = explained(text, **known)
    assert (found["han"], found["fu"], found["points"]) == value
    assert payments.items() <= found["payments"].items()


def test_every_reading_is_told():
    """The four hands of article 000 are all read as it reads them; one of them here, through the command."""
    result = CliRunner().invoke(app, ["hand", "m22334455p234s234", "--win", "m3=", "--json"])
    assert result.exit_code == 0, result.output
    readings = json.loads(result.output)["readings"]
    assert sorted(map(tuple, readings)) == [
        ("m22", "m3=_45", "m345", "p234", "s234"),
        ("m55", "m23=_4", "m234", "p234", "s234"),
    ]


@pytest.mark.parametrize(("text", "place"), [("12m3x", "character 5"), ("123q", "character 4")])
def test_errors_point_at_the_character(text, place):
    """A hand that cannot be read is refused with its place; the exit code is that of a failed run."""
    result = CliRunner().invoke(app, ["hand", text])
    assert result.exit_code == 2
    assert place in result.output


def test_rules_are_listed_shown_and_compared():
    """Every preset is listed and can be shown; two that differ say where."""
    run = CliRunner()
    names = run.invoke(app, ["rules", "list"]).output.split()
    assert {"tenhou", "majiang", "mleague", "mahjong_soul", "wrc"} <= set(names)
    assert "kiriage_mangan = False" in run.invoke(app, ["rules", "show", "tenhou"]).output
    assert "double_yakuman: False | True" in run.invoke(app, ["rules", "diff", "tenhou", "majiang"]).output
    missing = run.invoke(app, ["rules", "show", "tenhuo"])
    assert missing.exit_code == 2
    assert "tenhou" in missing.output
