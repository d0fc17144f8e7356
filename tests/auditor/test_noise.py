"""Noise written by hand: each cause is one finding at its place, and its consequences are none.

The formats are described in auditor/readers/mjlog/FORMAT.md 1, 3, 4 and auditor/readers/majiang/FORMAT.md 1, 4, 5;
test_mutations.py plants the same noise at random.
"""

from __future__ import annotations

import copy
import gzip
import json
import re

import pytest

from auditor.audit.audit_batch import Options
from engine.rules.rule_sets import preset
from tests.kit.audits import CHECKS, FIXTURES, LOGS, LOGS_OF_THREE, audited, audited_apart
from tests.kit.renamed_games import read_text

GOOD = (CHECKS / "w106_fu" / "pass.mjlog").read_bytes()
LONG = (FIXTURES / "logs" / "tenhou" / "2023112505gm-0009-0000-1917fe69.mjlog").read_bytes()
INITS = [found[0] for found in re.finditer(rb"<INIT[^>]*/>", LONG)]
PAIPU = json.loads(gzip.decompress((FIXTURES / "sources" / "majiang.jsonl.gz").read_bytes()).decode().splitlines()[0])


def found(data):
    """Give code, round and recorded text of each finding in one log."""
    table = audited(data).tables["findings"]
    return table.select("code", "round", "recorded").rows()


def with_seed(place, number):
    """Write another number into the third round's INIT seed."""
    seed = re.search(rb'seed="([^"]*)"', INITS[2])[1].split(b",")
    seed[place] = str(number).encode()
    other = re.sub(rb'seed="[^"]*"', b'seed="' + b",".join(seed) + b'"', INITS[2])
    return LONG.replace(INITS[2], other), b",".join(seed).decode()


BEYOND = [(0, 40), (0, 16), (1, 300), (2, 300), (3, 9), (4, 6), (5, 200)]


@pytest.fixture(scope="module")
def apart():
    """Give the findings (code, round, recorded) in the logs of this module's tables, by name."""
    logs = {each: with_seed(*each)[0] for each in BEYOND}
    logs |= {how: GOOD.replace(old, new) for how, (old, new, _) in ONCE.items()}
    logs |= {what: re.sub(pattern, new, LONG) for what, (pattern, new, _, _) in HEADERS.items()}
    found = {
        name: tables["findings"].select("code", "round", "recorded").rows()
        for name, tables in audited_apart(logs).items()
    }
    games = {what: changed(change) for what, (change, _) in WRONG.items()}
    return found | {
        name: tables["findings"].select("code", "round").rows()
        for name, tables in audited_apart(games, Options(preset("majiang")), "json").items()
    }


@pytest.mark.parametrize(("place", "number"), BEYOND)
def test_numbers_of_a_round_have_bounds_of_their_own(place, number, apart):
    """Rounds are 0 to 15, honba and sticks have bounds, dice 0 to 5, an indicator is one of 136 tiles."""
    _, seed = with_seed(place, number)
    assert apart[place, number] == [("L003", 2, f'INIT seed="{seed}"')]


ONCE = {
    "alike": (b'who="0"', b'who="0" who="0"', 'AGARI who="0" who="0"'),
    "differing": (b'ten="30,2000,0"', b'ten="40,2000,0" ten="30,2000,0"', 'AGARI ten="40,2000,0" ten="30,2000,0"'),
}


@pytest.mark.parametrize("how", ONCE)
def test_an_attribute_occurs_once(how, apart):
    """Of two different values in one tag neither is used: no W106 for the first."""
    old, _, recorded = ONCE[how]
    assert old in GOOD
    assert apart[how] == [("L003", 0, recorded)]


HEADERS = {
    "UN missing": (rb"<UN [^>]*>", b"", "L003", "a log without UN"),
    "TAIKYOKU missing": (rb"<TAIKYOKU[^>]*>", b"", "L003", "a log without TAIKYOKU"),
    "GO missing": (rb"<GO [^>]*>", b"", "L003", "a log without GO"),
    "GO again": (rb"(<GO [^>]*>)", rb"\1\1", "L004", "a second GO"),
    "UN again": (rb"(<UN [^>]*>)", rb"\1\1", "L004", "a second UN"),
    "not closed": (rb"</mjloggm>\s*$", b"", "L002", "the last result"),
}


@pytest.mark.parametrize("what", HEADERS)
def test_header_and_end_occur_once(what, apart):
    """Each tag of the header occurs once, and the root is closed once."""
    pattern, new, code, recorded = HEADERS[what]
    assert re.sub(pattern, new, LONG) != LONG
    assert [(each[0], each[2]) for each in apart[what]] == [(code, recorded)]


def cut_out(start, end):
    """Cut the bytes between two tags of the long log; part of each tag remains."""
    one, other = LONG.index(start), LONG.index(end)
    assert one < other
    return LONG[: one + 3] + LONG[other + 6 :]


def test_a_hole_is_named_once_and_the_next_deal_is_read():
    """The hole reaches from a draw of the first round into the second round's INIT, which is lost."""
    draw = re.search(rb"<[T-W]\d\d+/>", LONG[LONG.index(INITS[0]) :])[0]
    table = audited(cut_out(draw, INITS[1])).tables
    assert table["findings"].select("code", "round").rows() == [("L003", 0)]
    assert len(table["rounds"]) == len(INITS) - 1
    assert table["wins"]["round"].min() >= 1


def test_text_between_tags_is_not_passed_over():
    """Text between tags is a finding at its place."""
    at = LONG.index(INITS[1])
    assert found(LONG[:at] + b"T12/>" + LONG[at:]) == [("L003", 0, "T12/>")]


def test_two_logs_in_one_file():
    """The second log in a file is a finding, and is not read as part of the first."""
    assert [each[0] for each in found(LONG + LONG)] == ["L003"]


def changed(change):
    """Change a game of 電脳麻将; give its file."""
    game = copy.deepcopy(PAIPU)
    change(game["paipu"])
    return json.dumps(game, ensure_ascii=False).encode()


def deal(nth):
    """Give the path to a round's deal."""
    return lambda game: game["log"][nth][0]["qipai"]


WRONG = {
    "a wind below zero": (lambda game: deal(1)(game).update(zhuangfeng=-1), [("L003", 1)]),
    "a dealer beyond the seats": (lambda game: deal(1)(game).update(jushu=4), [("L003", 1)]),
    "a seat beyond the table": (lambda game: game["log"][1][1]["zimo"].update(l=4), [("L003", 1)]),
    "a tile that there is not": (lambda game: game["log"][1][1]["zimo"].update(p="z8"), [("L003", 1)]),
    "three scores": (lambda game: deal(1)(game)["defen"].pop(), [("L003", 1)]),
    "a round without its deal": (lambda game: game["log"][1].pop(0), [("L004", 1)]),
    "a round without events": (lambda game: game["log"][1].clear(), [("L003", 1)]),
    "the deal after the first draw": (lambda game: game["log"][1].insert(1, game["log"][1].pop(0)), [("L004", 1)]),
    "two events as one": (lambda game: game["log"][1][1].update(game["log"][1].pop(2)), [("L003", 1)]),
    "no title": (lambda game: game.pop("title"), [("L003", None)]),
    "no first dealer": (lambda game: game.pop("qijia"), [("L003", None)]),
    "no final scores": (lambda game: game.pop("defen"), [("L003", None)]),
}


@pytest.mark.parametrize("what", WRONG)
def test_impossible_values_of_a_paipu(what, apart):
    """A value that is out of bounds or missing is a finding in its round, and no other round is affected."""
    assert apart[what] == WRONG[what][1]


def test_honba_and_sticks_at_a_start_alone():
    """If only a round's start has other honba or sticks than the payments, that is one finding; no payment is wrong."""
    won = [nth for nth, events in enumerate(PAIPU["paipu"]["log"]) if nth and any("hule" in event for event in events)]
    games = {}
    for name, code in (("changbang", "G102"), ("lizhibang", "G103")):
        for nth in won:
            more = deal(nth)(PAIPU["paipu"])[name] + 1
            games[code, nth] = changed(lambda game, nth=nth, name=name, more=more: deal(nth)(game).update({name: more}))
    for expected, tables in audited_apart(games, Options(preset("majiang")), "json").items():
        assert tables["findings"].select("code", "round").rows() == [expected]


DOUBLE_RON = re.compile(r"(<AGARI[^>]*>)(<AGARI[^>]*>)(<INIT[^>]*>)(?=<[TUVW])")


@pytest.mark.parametrize("path", [path for path in (*LOGS, *LOGS_OF_THREE) if DOUBLE_RON.search(read_text(path))],
                         ids=lambda path: path.name[:33])  # fmt: skip
def test_a_hole_from_the_second_win_into_the_next_deal(path):
    """The round with a double ron has no result then: the next round that is read does not follow it."""
    text = read_text(path)
    found = DOUBLE_RON.search(text)
    nth = text[: found.start()].count("<INIT") - 1
    spoiled = text[: found.start(2) + 60] + text[text.index(" oya", found.start(3)) :]
    rows = audited(spoiled.encode()).tables["findings"].select("code", "round").unique().rows()
    assert rows == [("L003", nth)]
