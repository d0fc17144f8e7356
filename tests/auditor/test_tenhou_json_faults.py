"""Damaged files of Tenhou's JSON: each fault is named once, in its round, and the rest of the file is audited."""

from __future__ import annotations

import copy
import json
from urllib.parse import quote

import polars as pl
import pytest

from tests.kit.audits import TENHOU, audited_apart
from tests.kit.conversion.tenhou_json import shipped

TEXT = dict(shipped())["2023112505gm-0009-0000-1917fe69"]
GAME = json.loads(TEXT)
COUNT = len(GAME["log"])
OWN = {key: kept for key, kept in GAME.items() if key != "log"}


def dumped(value):
    """Write JSON as the server does."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def audits(texts):
    """Audit files, given as texts, by name; give the tables of each."""
    return audited_apart({name: text.encode("utf-8", "surrogatepass") for name, text in texts.items()}, TENHOU, "json")


def found(tables):
    """List code and round of each finding."""
    return tables["findings"].select("code", "round").rows()


def changed(at, value, nth=6):
    """Give the game with one value of a round replaced; ``at`` is the way there."""
    game = copy.deepcopy(GAME)
    node = game["log"][nth]
    for step in at[:-1]:
        node = node[step]
    node[at[-1]] = value(node[at[-1]]) if callable(value) else value
    return dumped(game)


def head(**changes):
    """Give the game with other keys beside its rounds."""
    return dumped(GAME | changes)


HERE = ("L003", 6)
WRONG = {
    # The keys beside the rounds.
    "name a number": (head(name=7), [("L003", None)]),
    "a name is a number": (head(name=["A", 3, "C", "D"]), [("L003", None)]),
    "three names": (head(name=["A", "B", "C"]), [("L003", None)]),
    "dan an object": (head(dan={}), [("L003", None)]),
    "rate texts": (head(rate=["a", "b", "c", "d"]), [("L003", None)]),
    "rate too large": (head(rate=[1e300, 0, 0, 0]), [("L003", None)]),
    "rule a text": (head(rule="x"), [("L003", None)]),
    "ref a list": (head(ref=[1]), [("L003", None)]),
    "sc cut": (head(sc=GAME["sc"][:-1]), [("L003", None), ("L002", None)]),
    "sc of texts": (head(sc=["a"] * 8), [("L003", None), ("L002", None)]),
    "no sc": (head(sc=[]), [("L002", None)]),
    "another number of players": (head(ratingc="PF3"), [("L007", None)]),
    # A round.
    "a round is a number": (dumped(GAME | {"log": [*GAME["log"][:6], 5, *GAME["log"][7:]]}), [HERE]),
    "a round is null": (dumped(GAME | {"log": [*GAME["log"][:6], None, *GAME["log"][7:]]}), [HERE]),
    "16 lists": (dumped(GAME | {"log": [*GAME["log"][:6], GAME["log"][6][:-1], *GAME["log"][7:]]}), [HERE]),
    "18 lists": (dumped(GAME | {"log": [*GAME["log"][:6], [*GAME["log"][6], []], *GAME["log"][7:]]}), [HERE]),
    "two counters": (changed((0,), [2, 0]), [HERE]),
    "a counter is a text": (changed((0, 0), "2"), [HERE]),
    "a counter is true": (changed((0, 1), True), [HERE]),
    "round 16": (changed((0, 0), 16), [HERE]),
    "honba -1": (changed((0, 1), -1), [HERE]),
    "10,000 sticks": (changed((0, 2), 10_000), [HERE]),
    "three scores": (changed((1,), lambda scores: scores[:3]), [HERE]),
    "a score with a fraction": (changed((1, 0), 25000.5), [HERE]),
    "a score too large": (changed((1, 0), 10**12), [HERE]),
    "no indicator": (changed((2,), []), [HERE]),
    "an impossible indicator": (changed((2, 0), 10), [HERE]),
    "an indicator is a text": (changed((2, 0), "11"), [HERE]),
    "a deal is empty": (changed((7,), []), [HERE]),
    "a tile of a deal is 48": (changed((7, 3), 48), [HERE]),
    "a tile of a deal is a list": (changed((7, 3), [11]), [HERE]),
    "a tile of a deal is null": (changed((7, 3), None), [HERE]),
    # Takes and discards.
    "a take is 0": (changed((5, 3), 0), [HERE]),
    "a take is 60": (changed((5, 3), 60), [HERE]),
    "a take is a list": (changed((5, 3), [11]), [HERE]),
    "a take is an object": (changed((5, 3), {"a": 1}), [HERE]),
    "a take is null": (changed((5, 3), None), [HERE]),
    "a take is 1.5": (changed((5, 3), 1.5), [HERE]),
    "a take is true": (changed((5, 3), True), [HERE]),
    "a call of a letter": (changed((5, 3), "x111111"), [HERE]),
    "a call of four tiles": (changed((5, 3), "p11111111"), [HERE]),
    "a call in a wrong place": (changed((5, 3), "1p11111"), [HERE]),
    "a call of no tile": (changed((5, 3), "p999999"), [HERE]),
    "a kan among the takes": (changed((5, 3), "111111a11"), [HERE]),
    "a discard is 10": (changed((6, 3), 10), [HERE]),
    "a discard is 0": (changed((6, 3), 0), [HERE]),
    "a discard is -60": (changed((6, 3), -60), [HERE]),
    "a discard is rr60": (changed((6, 3), "rr60"), [HERE]),
    "a discard is r": (changed((6, 3), "r"), [HERE]),
    "a discard is a pon": (changed((6, 3), "p111111"), [HERE]),
    "a lone surrogate": (changed((6, 3), "surrogate").replace("surrogate", "\\ud800"), [HERE]),
    "a take too many": (changed((5,), lambda takes: [*takes, 11]), [("L004", 6)]),
    "a take missing": (changed((5,), lambda takes: takes[:-1]), [("L004", 6)]),
    "a discard too many": (changed((6,), lambda discards: [*discards, 60]), [("L004", 6)]),
    "a discard missing": (changed((6,), lambda discards: discards[1:]), [("L004", 6)]),
    "no takes": (changed((5,), []), [("L004", 6)]),
    # The result.
    "no result": (changed((16,), []), [("L002", 6)]),
    "an unknown draw": (changed((16,), ["八連荘", [0, 0, 0, 0]]), [HERE]),
    "a result of a number": (changed((16,), [5]), [HERE]),
    "a win without anything": (changed((16,), ["和了"]), [HERE]),
    "more behind a draw": (changed((16,), lambda result: [*result, 7]), [HERE]),
}


@pytest.fixture(scope="module")
def wrong():
    """Audit all damaged files in one batch."""
    return audits({what: text for what, (text, _) in WRONG.items()})


@pytest.mark.parametrize("what", WRONG)
def test_a_fault_is_named_once(what, wrong):
    """A damaged value gives one finding, in its round; a missing end is told too."""
    assert found(wrong[what]) == WRONG[what][1]


WIN = next(number for number, each in enumerate(GAME["log"]) if each[16][0] == "和了" and len(each[16]) == 3)
WINS = {
    "no detail": ((), lambda result: result[:2]),
    "a detail of one": ((2,), lambda detail: detail[:1]),
    "winner 4": ((2, 0), 4),
    "winner a text": ((2, 0), "1"),
    "payer null": ((2, 1), None),
    "points a number": ((2, 3), 8000),
    "points of another form": ((2, 3), "8000"),
    "points without end": ((2, 3), "30符1飜" + "9" * 20 + "点"),
    "fu without end": ((2, 3), "99999符1飜1000点"),
    "a yaku without han": ((2, 4), "立直"),
    "a yaku of 1000 han": ((2, 4), "立直(1000飜)"),
    "a yaku is a number": ((2, 4), 1),
    "three changes": ((1,), lambda moved: moved[:3]),
    "a change is a text": ((1, 0), "0"),
    "a change too large": ((1, 0), 10**9),
    "changes null": ((1,), None),
}


def test_a_fault_of_a_win_is_named():
    """A damaged value of a win gives one L003 in its round, and nothing about other rounds."""
    tables = audits({what: changed((16, *at) if at else (16,), value, WIN) for what, (at, value) in WINS.items()})
    for what, each in tables.items():
        codes = found(each)
        assert codes.count(("L003", WIN)) == 1, what
        assert {round_ for _, round_ in codes} == {WIN}, what


def of_rounds(tables):
    """Give the tables rounds, turns and wins without the columns of their place."""
    places = ("game_id", "source", "within", "event", "pos")
    return {name: tables[name].drop(places, strict=False).rows() for name in ("rounds", "turns", "wins")}


LINES = [dumped({key: OWN[key] for key in ("name", "rule", "ref")} | {"log": [each]}) for each in GAME["log"]]
WRAPPED = {
    "indented": json.dumps(GAME, indent=1),
    "in an array": json.dumps([GAME]),
    "with a byte order mark": "\ufeff" + TEXT,
    "with comments": "// saved\n" + json.dumps(GAME, indent=1).replace('"log"', '// rounds\n"log"'),
    "a round a line": "\n".join(LINES),
    "a round an address": "\n".join(f"https://tenhou.net/5/#json={line}" for line in LINES),
    "a round an encoded address": "\n".join(f"https://tenhou.net/6/#json={quote(line)}&ts=0" for line in LINES),
    "rounds among words": "\n\n".join(f"East {number}\n(played well)\n{line}" for number, line in enumerate(LINES)),
    "addresses in an array": json.dumps([f"https://tenhou.net/6/#json={quote(line)}" for line in LINES]),
    "rounds in split_logs": json.dumps({"split_logs": [json.loads(line) for line in LINES]}),
    "within an object": json.dumps({"id": 1, "tenhou": GAME}),
}


@pytest.fixture(scope="module")
def wrapped():
    """Audit the same game in all wrappings."""
    return audits({"plain": TEXT} | WRAPPED)


@pytest.mark.parametrize("how", WRAPPED)
def test_a_game_is_the_same_however_it_is_wrapped(how, wrapped):
    """One game, with the same rounds, turns and wins, and without findings."""
    assert len(wrapped[how]["games"]) == 1
    assert of_rounds(wrapped[how]) == of_rounds(wrapped["plain"])
    assert found(wrapped[how]) == []


def test_two_games_a_round_a_line_are_two():
    """A line with an earlier round begins another game, even if the players are the same."""
    tables = audits({"two": "\n".join([*LINES, *LINES])})["two"]
    assert tables["games"]["rounds"].to_list() == [COUNT, COUNT]


OTHER = json.loads(dict(shipped())["2023012707gm-0001-0000-f70d9ce8"])
TWO = {
    "lines": dumped(GAME) + "\r\n" + dumped(OTHER),
    "an array": dumped([GAME, OTHER]),
    "one indented after the other": json.dumps(GAME, indent=1) + "\n" + json.dumps(OTHER, indent=2),
    "a list of objects": dumped({"games": [{"data": GAME}, {"data": OTHER}]}),
}
ODD = {
    "a number in an array": (f"[{TEXT}, 5, {dumped(OTHER)}]", ["L001"], [COUNT, 0, 2]),
    "no JSON in an array": (f"[{TEXT}, {{bad}}, {dumped(OTHER)}]", ["L001"], [COUNT, 0, 2]),
    "an array that breaks off": (f"[{dumped(OTHER)},{TEXT[:3000]}", ["L002"], [2, 5]),
    "no rounds": ('{"log":[]}', ["L002"], [0]),
    "rounds that are numbers": ('{"log":[1,2]}', ["L003", "L003"], [2]),
    "an address that breaks off": ("https://tenhou.net/6/#json=" + quote(LINES[0])[:-9], ["L002"], [0]),
    "an address without JSON": (f"https://tenhou.net/6/#json=x\n{TEXT}", ["L001"], [0, COUNT]),
    "rounds told twice": (TEXT.replace('"log":', '"log":[],"log":', 1), ["L003"], [COUNT]),
}


@pytest.mark.parametrize("how", TWO)
def test_two_games_in_a_file(how):
    """Both games are read, without findings."""
    tables = audits({how: TWO[how]})[how]
    assert tables["games"]["rounds"].to_list() == [COUNT, 2]
    assert found(tables) == []


@pytest.mark.parametrize("what", ODD)
def test_odd_files(what):
    """What is no game is named, and the games beside it are read."""
    text, codes, rounds = ODD[what]
    tables = audits({what: text})[what]
    assert tables["findings"]["code"].to_list() == codes
    assert tables["games"]["rounds"].to_list() == rounds


BEGUN = [place for place in range(len(TEXT)) if TEXT.startswith("[[", place) and TEXT[place + 2].isdigit()]


def test_a_cut_game_is_read_up_to_the_cut():
    """A file that breaks off gives one L002, and all rounds before the cut."""
    step = len(TEXT) // 40
    tables = audits({place: TEXT[:place] for place in range(BEGUN[0] + 2, len(TEXT) - 1, step)})
    for place, each in tables.items():
        assert found(each) == [("L002", None)], place
        whole = sum(begin <= place for begin in BEGUN) - (place < TEXT.rindex("]],"))
        assert len(each["rounds"]) == min(whole, COUNT), place


def test_a_damaged_round_costs_itself():
    """A round that is no JSON is named, and the others are audited."""
    begin = BEGUN[4]
    for text in (TEXT[: begin + 40] + "?" + TEXT[begin + 40 :], TEXT[: begin + 40] + TEXT[begin + 60 :]):
        tables = audits({"damaged": text})["damaged"]
        assert len(tables["rounds"]) == COUNT
        assert {round_ for _, round_ in found(tables)} == {4}


BAD_LINES = {
    "garbage": ("garbage", "L001"),
    "an object": ('{"a":1}', "L001"),
    "a list": ("[1,2]", "L001"),
    "null": ("null", "L001"),
    "a cut game": (TEXT[: BEGUN[3] + 50], "L002"),
    "a game without its begin": (TEXT[5:], "L003"),
    "keys told twice": (TEXT.replace('"ver"', '"ref":"x","ver"', 1), "L003"),
}


@pytest.mark.parametrize("what", BAD_LINES)
def test_a_bad_line_costs_itself(what):
    """Among games, a line a game, a bad line is named, and its neighbours are audited as without it."""
    line, code = BAD_LINES[what]
    games = [text for _, text in shipped()][:3]
    tables = audits({"bad": "\n".join([*games[:2], line, games[2]]), "good": "\n".join(games)})
    wrong = tables["bad"]["findings"].filter(pl.col("within") == "3")
    assert wrong["code"].to_list() == [code]
    assert len(tables["bad"]["findings"]) == 1
    kept = tables["bad"]["wins"].filter(pl.col("within") != "3").drop("within", "source")
    assert kept.equals(tables["good"]["wins"].drop("within", "source"))
    assert tables["good"]["findings"].is_empty()


def test_tiles_of_a_fourth_seat():
    """In a game of three, lists for the fourth seat are named in their round."""
    three = copy.deepcopy(GAME)
    for each in three["log"]:
        each[13:16] = [[], [], []]
    three = {"name": ["A", "B", "C", ""], "rule": {"disp": "三般南喰赤"}, "log": three["log"]}
    three["log"][1][14] = [11]
    tables = audits({"three": dumped(three)})["three"]
    seats = tables["findings"].filter(pl.col("code") == "L003", pl.col("message").str.contains("seat 3"))
    assert seats["round"].to_list() == [1]
