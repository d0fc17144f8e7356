"""A win shown beside the engine: its fu item by item, and a command that explains the same hand."""

from __future__ import annotations

import json
import re
import shlex

import pytest

from auditor.audit.frames import Frames
from auditor.cli.rule_option import named
from auditor.show.moment import TableLookup
from auditor.show.win_text import WinLookup
from engine.rules.rule_sets import preset
from tests.kit.audits import CHECKS, read_all
from tests.kit.command_line import auditor


def commands(frames):
    """Give the command for every win, with its row of the table of wins."""
    seen, wins = TableLookup(frames), WinLookup(frames)
    for row in frames.wins.iter_rows(named=True):
        place = row["round"], row["event"], row["winner"]
        win = wins.at(place, seen.at(place[0], place[1]))
        yield row, win


@pytest.fixture(scope="module", params=["shipped", "shipped_of_three"])
def shipped_frames(request):
    """Give the frames of the shipped games, of four and of three players."""
    return Frames(request.getfixturevalue(request.param)[1], None)


def assert_reproduced(row, win):
    """Run a command and compare its output with the expected values of the win."""
    program, *words = shlex.split(win.command)
    assert program == "auditor"
    code, text, error = auditor(*words, "--json")
    assert (code, error) == (0, ""), win.command
    found = json.loads(text)
    said = found["fu"], found["han"], found["points"]
    # The tables have no han for a yakuman, and its fu do not matter.
    expected = tuple(row[f"expected_{name}"] or 0 for name in ("fu", "han", "points"))
    assert said[1:] == expected[1:], win.command
    assert said[0] == expected[0] or not said[1], win.command
    assert found["fu items"] == win.readings[0].items, win.command


def test_the_line_of_every_win(shipped_frames):
    """The command gives fu, han and points of the table of wins, which are those that the log records."""
    count = 0
    for row, win in commands(shipped_frames):
        assert_reproduced(row, win)
        assert row["points"] == row["expected_points"]
        count += 1
    assert count > 20


@pytest.mark.long
def test_real_wins(shared):
    """The same for real wins in rare situations: kans, robbed kans, last tiles, yakuman, other rules."""
    folder = shared / "corpus" / "tenhou-mjlog-4p" / "MahjongPantheon+pantheon"
    _, log = read_all(sorted(folder.iterdir()))
    found = [(row, win) for row, win in commands(Frames(log, None)) if win is not None]
    words = {word for _, win in found for word in shlex.split(win.command) if word.startswith("--")}
    assert {"--riichi", "--ippatsu", "--rinshan", "--last", "--dora", "--ura", "--honba", "--sticks"} <= words
    for row, win in found:
        assert_reproduced(row, win)


@pytest.mark.long
def test_real_wins_of_three(corpus_of_three):
    """The same for real wins of three players, with norths set aside and rons on them."""
    found = list(commands(Frames(corpus_of_three[1], None)))
    words = [word for _, win in found for word in shlex.split(win.command) if word.startswith("--")]
    assert words.count("--kita") > 300
    assert {"--on-kita", "--rinshan", "--last", "--ippatsu", "--honba", "--sticks"} <= set(words)
    rare = [each for each in found if "--on-kita" in each[1].command or "--rinshan" in each[1].command]
    for row, win in [*found[::10], *rare]:
        assert_reproduced(row, win)
        assert "tenhou_sanma" in win.command
        assert row["points"] == row["expected_points"]


def test_show_prints_both_sides(tmp_path):
    """W106 lists the fu items of the engine, the difference to the recorded total, and a command to copy."""
    auditor("run", CHECKS / "w106_fu" / "fail.mjlog", "--out", tmp_path / "out")
    text = auditor("show", tmp_path / "out", "--code", "W106")[1]
    # A closed pinfu by ron: 20 and 10 (RULES.md 3.1); the log has 40.
    assert "  fu items  base 20 + closed ron 10 = 30 expected\n" in text
    assert "40 recorded: items of 32 to 40 in all, 2 to 10 more" in text
    line = re.search(r"^  again +(auditor hand .*)$", text, re.MULTILINE)[1]
    code, answer, _ = auditor(*shlex.split(line)[1:])
    assert code == 0
    assert "closed ron 10" in answer
    assert "2000 points" in answer


def test_a_ron_whose_tile_cannot_be_read(tmp_path):
    """If the result does not name the winning tile, the command has the tile that was discarded."""
    text = (CHECKS / "w106_fu" / "fail.mjlog").read_text()
    (tmp_path / "log.mjlog").write_text(re.sub(r'machi="\d+"', 'machi="none"', text))
    auditor("run", tmp_path / "log.mjlog", "--out", tmp_path / "out")
    shown = auditor("show", tmp_path / "out", "--code", "W106")[1]
    assert "--win s7- " in re.search(r"^  again +(auditor hand .*)$", shown, re.MULTILINE)[1]


def test_no_line_of_a_hand_that_goes_wrong(tmp_path):
    """If the replay does not trust the hand, there is no command."""
    auditor("run", CHECKS / "t102_tile_not_in_hand", "--out", tmp_path / "out")
    assert "  again " not in auditor("show", tmp_path / "out", "--code", "T102")[1]


@pytest.mark.parametrize("name", ["tenhou", "mleague", "wrc", "ema2025", "jpml_a", "mahjong_soul"])
def test_the_rules_column_is_accepted_by_rules(name):
    """--rules accepts the rules column of the table of games."""
    from auditor.audit.report import rule_text

    text = rule_text(preset(name))
    assert rule_text(named(text)) == text
    known = {rule: getattr(preset(name), rule) for rule in ("kiriage_mangan", "renhou", "pao_yakuman", "uma")}
    assert {rule: getattr(named(f"{text};"), rule) for rule in known} == known


def test_rules_in_a_line_may_be_wrong():
    """A misspelt rule is named with the nearest one; a text that is no rule is reported."""
    for text, said in (
        ("tenhou; kiriage=true", "kiriage_mangan"), ("tenhou; kiriage", "no rule"), ("tenhuo; a=1", "tenhou"),
    ):  # fmt: skip
        code, _, error = auditor("hand", "123m", "--rules", text)
        assert (code, said in error) == (2, True), error
