"""How a file of 電脳麻将 paipu is cut into games: a bad line or entry is named, and its neighbours are audited."""

from __future__ import annotations

import json
import random

import polars as pl
import pytest

from auditor.audit.audit_batch import audit
from auditor.readers import majiang
from auditor.readers.majiang import game_texts
from tests.kit.audits import source
from tests.kit.fuzzing import logs
from tests.kit.paipu import LINES, MAJIANG, game, of_games, report, reports, text


@pytest.fixture(scope="module")
def lines_alone():
    """Audit good lines."""
    return report("\n".join(LINES)).tables


NESTED = "[" * 100_000 + "]" * 100_000
HALF = json.dumps(game())[: len(json.dumps(game())) // 2]
# What the line is, its text, its code and a word of the reason.
BAD_LINES = {
    "garbage": ("garbage", "L001", "Expecting value"),
    "null": ("null", "L001", "null"),
    "a number": ("5", "L001", "5"),
    "a list": ("[1, 2]", "L001", "[1, 2]"),
    "a foreign object": ('{"a": 1}', "L001", '{"a": 1}'),
    "an empty object": ("{}", "L001", "{}"),
    "brackets": (NESTED, "L001", "[[["),
    "cut": (HALF, "L002", "at character"),
    "cut in a text": (HALF + '"', "L002", "at character"),
    "closed too early": (text(game()) + "}", "L002", "Extra data"),
    "a bad number": (text(game()).replace('"qijia": ', '"qijia": 0', 1), "L002", "delimiter"),
    "another paipu": (text(game())[:-1] + ', "paipu": {"log": []}}', "L001", "told twice"),
}


PLACES = (0, 3, len(LINES))


@pytest.fixture(scope="module")
def bad_lines():
    """Audit files with one bad line at one place in one batch; give their tables."""
    return reports({
        (what, place): "\n".join([*LINES[:place], line, *LINES[place:]])
        for what, (line, _, _) in BAD_LINES.items()
        for place in PLACES
    })  # fmt: skip


@pytest.mark.parametrize("what", BAD_LINES)
def test_a_bad_line_costs_itself(what, lines_alone, bad_lines):
    """A bad line is named with its number and the reason; all other games are as without it."""
    _, code, reason = BAD_LINES[what]
    for place in PLACES:
        tables = bad_lines[what, place]
        wrong = tables["findings"].filter(pl.col("within") == str(place + 1))
        assert wrong["code"].to_list() == [code]
        assert reason in wrong["recorded"][0]
        others = [str(number) for number in range(1, len(LINES) + 2) if number != place + 1]
        assert of_games(tables, others) == of_games(lines_alone, [str(n) for n in range(1, len(LINES) + 1)])


def test_a_line_that_is_not_utf8_costs_itself(lines_alone):
    """A line with names in Shift_JIS is named, and the other lines are read."""
    bad = text(game()).replace('"title": "', '"title": "東', 1).replace("東", "\udc93\udc8c")
    data = "\n".join([*LINES[:2], bad, *LINES[2:]]).encode("utf-8", "surrogateescape")
    tables = audit([source(data, "log.jsonl")], MAJIANG).tables
    numbers = [str(number) for number in (1, 2, 4, 5, 6, 7)]
    assert of_games(tables, numbers) == of_games(lines_alone, [str(number) for number in range(1, 7)])
    findings = tables["findings"].filter(pl.col("within") == "3")
    assert findings["code"].to_list() == ["L002"]
    assert "escape" in findings["message"].item()
    assert "not UTF-8" in tables["sources"]["reason"].item()


@pytest.mark.parametrize("first", [b"\x80\xff noise", b"\xff\xfe{", b"{\xe9}"])
def test_a_first_line_that_is_not_utf8_costs_itself(first, lines_alone):
    """The same for a first line that begins like text in another encoding."""
    tables = audit([source(b"\n".join([first, *map(str.encode, LINES)]), "log.jsonl")], MAJIANG).tables
    numbers = [str(number) for number in range(2, len(LINES) + 2)]
    assert of_games(tables, numbers) == of_games(lines_alone, [str(number) for number in range(1, len(LINES) + 1)])
    assert len(tables["findings"].filter(pl.col("within") == "1")) == 1


def test_white_space_between_lines_changes_no_game(lines_alone):
    """Empty and indented lines, CR LF and a byte order mark change no game; line numbers count the empty lines."""
    data = "\r\n".join(["  " + LINES[0] + " ", "", "\ufeff" + LINES[1], " \t", *LINES[2:], "", ""])
    tables = report(data).tables
    assert tables["games"]["within"].to_list() == ["1", "3", *map(str, range(5, 5 + len(LINES) - 2))]
    every = tables["games"]["within"].to_list()
    assert of_games(tables, every) == of_games(lines_alone, lines_alone["games"]["within"].to_list())


@pytest.mark.parametrize("letter", ["\u2028", "\u2029", "\x85", "\x1c", "\x1d", "\x1e", "\x0b", "\x0c"])
def test_lines_end_at_line_feeds_only(letter, lines_alone):
    """Other characters that some programs take for line ends are part of names: no game is lost."""
    changed_game = game()
    changed_game["paipu"]["player"][changed_game["paipu"]["qijia"]] = "A?B"
    tables = report("\n".join([text(changed_game).replace("A?B", f"A{letter}B"), *LINES[1:]])).tables
    assert tables["findings"].is_empty()
    assert tables["games"]["names"][0][0] == f"A{letter}B"
    others = [str(number) for number in range(2, len(LINES) + 1)]
    assert of_games(tables, others) == of_games(lines_alone, others)


def test_an_entry_of_an_array_costs_itself(lines_alone):
    """Entries that are no JSON, no game, or deeply nested are named by their number; the others are audited."""
    entries = [LINES[0], "garbage", LINES[1], '{"a": [1,, {"b": "],"}]}', NESTED, "null", *LINES[2:]]
    tables = report("[" + ",\n".join(entries) + "]").tables
    assert tables["findings"].select("code", "within").rows() == [
        ("L001", "2"), ("L002", "4"), ("L001", "5"), ("L001", "6"),
    ]  # fmt: skip
    good = [str(number) for number, entry in enumerate(entries, 1) if entry in LINES]
    assert of_games(tables, good) == of_games(lines_alone, lines_alone["games"]["within"].to_list())


def test_an_array_that_breaks_off_has_the_games_before():
    """Only the last entry is cut."""
    tables = report("[" + ",".join([LINES[0], LINES[1], LINES[2][:900]])).tables
    assert tables["findings"].select("code", "within").rows() == [("L002", "3")]
    assert tables["rounds"]["game_id"].n_unique() == 2


def test_games_one_after_another_are_games():
    """Games that each take several lines, or share one, with or without white space between, are read."""
    pretty = [json.dumps(json.loads(line), indent=1) for line in LINES[:3]]
    for data in ("\n".join(pretty), "".join(LINES[:3])):
        tables = report(data).tables
        assert tables["findings"].is_empty()
        assert tables["games"]["within"].to_list() == ["1", "2", "3"]


def test_garbage_before_games_is_paipu_and_prose_is_not():
    """A first line that is no game hides nothing. A text that quotes a game is no log."""
    assert majiang.is_format("\n".join(["garbage", *LINES]).encode())
    assert not majiang.is_format("\n".join(["# How", "a log", "looks:", LINES[0], "the end"]).encode())
    assert not majiang.is_format(f"<html>\n{LINES[0]}".encode())


def test_splitting_keeps_texts_letter_for_letter():
    """The text of each line and entry is the file's, letter for letter, so that a game keeps its id."""
    assert [each for _, each in game_texts.texts("\n".join(LINES).encode())] == LINES
    assert [each for _, each in game_texts.texts(f"[{','.join(LINES)}]".encode())] == LINES


def mutant(rng):
    """Give a game with some values removed, copied, renamed or replaced."""
    changed_game = game(rng.randrange(1, 4))
    for _ in range(rng.choice((1, 1, 2, 4))):
        changed_game = logs.changed(changed_game, rng)
    return json.dumps(changed_game)


def test_mutants_raise_nothing_and_leave_neighbours_alone(lines_alone):
    """Whatever replaces a game, no audit fails, and the good lines beside it have the same tables as before."""
    rng = random.Random(11)
    for _ in range(4):
        lines = [LINES[0], *(mutant(rng) for _ in range(40)), LINES[5]]
        tables = report("\n".join(lines)).tables
        ends = [str(1), str(len(lines))]
        assert of_games(tables, ends) == of_games(lines_alone, ["1", "6"])
        assert tables["games"]["within"].to_list() == [str(number) for number in range(1, len(lines) + 1)]
