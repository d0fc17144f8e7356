"""Logs of three players: seat 3 does not exist. Whatever a log states about it is one problem; all else is read."""

from __future__ import annotations

import re

import numpy as np
import polars as pl
import pytest

from auditor.log.invariants import check_rows
from auditor.readers import mjlog
from tests.kit.audits import TENHOU, audited, files_below, log_bytes, read_all, source
from tests.kit.plain import mjlog_reader

ROUND = """
table 17
East 2.0, dora 9p, scores 42000 33000 30000
0 holds 234p 678p 234s 56s 88s
1 holds 123p 456p 789p EE S N
2 holds 1199m 147p 147s WPF
1 draws S
1 riichi
1 discards N
1 deposit
2 draws N
2 kita N
2 draws 7s
2 discards 7s
0 wins 7s from 2
  fu 30
  points 2000
  yaku pinfu 1, tanyao 1
  change 3000 0 -2000
"""
WON = f"""{ROUND}East 3.0, dora 9p
0 holds 234p 678p 234s 56s 88s
2 draws 7s
2 discards 7s
0 wins 7s from 2
  fu 30
  points 2000
  yaku pinfu 1, tanyao 1
  change 2000 0 -2000
end
"""
DRAWN = f"""{ROUND}East 3.0, dora 9p
2 holds 19m 19p 19s ESWNPFC
2 draws 7s
draw
  type yao9
  tenpai 2
East 3.1, dora 9p
0 holds 234p 678p 234s 56s 88s
2 draws 7s
2 discards 7s
0 wins 7s from 2
  fu 30
  points 2000
  yaku pinfu 1, tanyao 1
  honba 1
  change 2200 0 -2200
end
"""
PON = """
table 17
East 2.0, dora 9p, scores 42000 33000 30000
0 holds 1199m 147p 147s EE N
1 holds 19m 258p 369s ESWPF
2 holds 19m 258p 369s SWPFC
1 draws C
1 discards E
0 pon E from 1
0 discards N
1 draws C
cut
"""


def findings_of(data):
    """Give the findings of a log as (code, recorded, expected)."""
    return audited(data).tables["findings"].select("code", "recorded", "expected").rows()


def changed(text, old, new, nth=0):
    """Replace the nth place of a pattern in a written log."""
    data = log_bytes(text).decode()
    at = list(re.finditer(old, data))[nth]
    return (data[: at.start()] + at.expand(new) + data[at.end() :]).encode()


def reading(data):
    """Read a log, and check that its rows keep the contract."""
    log = mjlog.READER.read([source(data)], TENHOU.rules)
    check_rows(log)
    return log


TEN = "4 whole number(s) in -100000..100000, the last 0: three play"
SC = "8 numbers, the last two 0: three play"
FINAL = "score and points of each seat, the last two 0: three play"
SEAT = "seat 0, 1 or 2: three play"
SEED = "6 whole numbers in 0..15, 0..99, 0..99, 0..5, 0..5, 0..135, the first none of 3, 7, 11, 15: three play"
ACT = "a draw or discard of seat 0, 1 or 2: three play"
HAND = ",".join(map(str, range(4, 17)))
NOTHING_LOST = {
    "points at the deal": (r'ten="420,330,300,0"', 'ten="420,330,300,10"', TEN),
    "points beside a stick": (r'ten="420,320,300,0"', 'ten="420,320,300,-1"', TEN),
    "points before a result": (r'(sc=".*?),0,0"', r'\1,250,0"', SC),
    "a payment": (r'(sc=".*?),0,0"', r'\1,0,10"', SC),
    "a score at the end": (r'(owari=".*?),0,0.0"', r'\1,10,0.0"', FINAL),
    "points at the end": (r'(owari=".*?),0,0.0"', r'\1,0,-2.0"', FINAL),
    "tiles at the deal": (r'hai3=""', f'hai3="{HAND}"', "no tiles: three play"),
    "fewer tiles": (r'hai3=""', 'hai3="4,5,6"', "no tiles: three play"),
    "no tiles but a text": (r'hai3=""', 'hai3="none"', "no tiles: three play"),
    "an absence": (r"(<V121/>)", r'<BYE who="3"/>\1', SEAT),
    "a return": (r"(<V121/>)", r'<UN n3="%44"/>\1', SEAT),
    "the liable seat": (r'fromWho="2"', 'fromWho="2" paoWho="3"', SEAT),
}  # fmt: skip
"""Statements about seat 3 (pattern, replacement, what is expected) without which the log is as before."""
RECORDED = {
    "INIT ten", "REACH ten", "AGARI sc", "owari", "INIT hai3", "BYE who", "UN of seat 3 alone", "AGARI paoWho",
}  # fmt: skip


def test_the_written_logs_have_no_finding():
    """These logs, without statements about seat 3, are faultless."""
    for text in (WON, DRAWN):
        assert findings_of(log_bytes(text)) == []
    assert [code for code, *_ in findings_of(log_bytes(PON))] == ["L002"]


@pytest.mark.parametrize("what", NOTHING_LOST)
def test_a_statement_about_seat_3(what):
    """It is one problem, which says what is expected; all tables are those of the log without it."""
    old, new, expected = NOTHING_LOST[what]
    data = changed(WON, old, new)
    ((code, recorded, wanted),) = findings_of(data)
    assert (code, wanted) == ("L003", expected)
    assert recorded.partition("=")[0] in RECORDED
    log, whole = reading(data), reading(log_bytes(WON))
    for table in ("rounds", "events", "melds", "deals", "deposits", "claims", "shows"):
        found, right = (getattr(each, table).drop("event", "pos", strict=False) for each in (log, whole))
        assert found.equals(right), table
    assert log.games.select("final_scores", "final_points").equals(whole.games.select("final_scores", "final_points"))


def test_a_hand_of_seat_3_at_a_draw():
    """The hand is a problem, and no hand of seat 3 is shown."""
    data = changed(DRAWN, r'hai2="([0-9,]+)"(/><INIT)', rf'hai2="\1" hai3="{HAND}"\2')
    assert findings_of(data) == [("L003", f'RYUUKYOKU hai3="{HAND}"', "no tiles: three play")]
    assert reading(data).shows["seat"].to_list() == [0, 2, 0]


LOST = {
    "a draw": (r"<V121/>", "<W121/>", "<W121/>", ACT),
    "a discard": (r"<F97/>", "<G97/>", "<G97/>", ACT),
    "a call": (r'<N who="2"', '<N who="3"', 'N who="3"', SEAT),
    "a declaration": (r'<REACH who="1" step', '<REACH who="3" step', 'REACH who="3"', SEAT),
    "a stick": (r'<REACH who="1" ten', '<REACH who="3" ten', 'REACH who="3"', SEAT),
    "a winner": (r' who="0" fromWho', ' who="3" fromWho', 'AGARI who="3"', SEAT),
    "a payer": (r'fromWho="2"', 'fromWho="3"', 'AGARI fromWho="3"', SEAT),
    "a dealer": (r'oya="1"', 'oya="3"', 'INIT oya="3"', SEAT),
    "round 3": (r'seed="1,', 'seed="3,', 'INIT seed="3,0,0,0,0,68"', SEED),
    "round 7": (r'seed="1,', 'seed="7,', 'INIT seed="7,0,0,0,0,68"', SEED),
    "round 11": (r'seed="1,', 'seed="11,', 'INIT seed="11,0,0,0,0,68"', SEED),
}
"""Tags that name seat 3 in the place of another (pattern, replacement, what is recorded and expected)."""


@pytest.mark.parametrize("what", LOST)
def test_seat_3_in_the_place_of_another(what):
    """It is one problem, which says what is expected; nothing else is reported, and the other round is read."""
    old, new, recorded, expected = LOST[what]
    data = changed(WON, old, new)
    assert findings_of(data) == [("L003", recorded, expected)]
    log = reading(data)
    assert log.rounds["nth"].to_list() == [0, 1]
    assert not (log.events.filter(pl.col("kind") != "deal")["seat"] == 3).any()


def test_a_round_of_seat_3_keeps_what_else_the_deal_says():
    """The wind is unknown; dealer, honba, sticks, scores and indicator are known."""
    round_ = reading(changed(WON, r'seed="1,', 'seed="3,')).rounds.row(0, named=True)
    assert [round_[name] for name in ("wind", "dealer", "honba", "sticks", "dora")] == [None, 1, 0, 0, 68]
    assert round_["start"] == [42000, 33000, 30000, None]


def test_a_tile_called_from_seat_3():
    """Seat 0 calls with the mark of its left neighbour, which is seat 3: from whom it is unknown."""
    code = int(re.search(r'<N who="0" m="(\d+)"', log_bytes(PON).decode())[1])
    assert code % 4 == 1
    data = changed(PON, f'm="{code}"', f'm="{code + 2}"')
    found = [finding for finding in findings_of(data) if finding[0] != "L002"]
    assert found == [("L003", f'N m="{code + 2}"', "a tile of seat 0, 1 or 2: three play")]
    assert reading(data).melds["source"].to_list() == [None]


@pytest.mark.parametrize("attribute", ["hai3", "n3"])
def test_seat_3_may_be_left_out(attribute):
    """A log need not say that nobody is there."""
    data = re.sub(rf' {attribute}="[^"]*"'.encode(), b"", log_bytes(WON))
    assert findings_of(data) == []


def test_names_ranks_and_ratings_are_three():
    """Whatever stands in the fourth place of UN."""
    data = changed(WON, r'n3="" dan="0,0,0,0" rate="', 'n3="%44" dan="1,2,3,4" rate="')
    game = reading(data).games.row(0, named=True)
    assert (game["names"], game["ranks"], game["ratings"]) == (["A", "B", "C"], ["9級", "8級", "7級"], [1500.0] * 3)
    assert findings_of(data) == []


FOUR = "East 4.0, dora 9p\n3 draws 7s\n3 discards 7s\ndraw\nend\n"
TYPES = {
    "three players": (WON, 17, 1, "a type of three players, with bit 16: seat 3 is dealt nothing"),
    "four players": (FOUR, 1, 17, "a type of four players, without bit 16: seat 3 is dealt tiles"),
}


@pytest.mark.parametrize("what", TYPES)
def test_a_table_type_of_another_number_of_players(what):
    """If every deal contradicts it, that is one problem, and the log is read and audited as its deals say."""
    text, right, wrong, expected = TYPES[what]
    data = changed(text, f'type="{right}"', f'type="{wrong}"')
    clean = findings_of(log_bytes(text))
    assert findings_of(data) == [("L006", f"GO type={wrong}", expected), *clean]
    log, whole = reading(data), reading(log_bytes(text))
    assert log.events.drop("pos").equals(whole.events.drop("pos"))
    assert log.rules == whole.rules
    assert log.games["players"].to_list() == whole.games["players"].to_list()


def test_a_type_is_not_contradicted_by_one_deal():
    """Three play if one deal gives tiles to seat 3, and also if all do, but the seat has no points and never acts."""
    data = changed(WON, r'hai3=""', f'hai3="{HAND}"')
    every = data.replace(b'hai3=""', f'hai3="{HAND}"'.encode())
    assert [reading(each).games["players"][0] for each in (data, every)] == [3, 3]
    assert [code for code, *_ in findings_of(every)] == ["L003", "L003"]


def test_three_and_four_players_in_one_batch():
    """Each game of a batch is read as alone."""
    texts = (WON, FOUR, DRAWN)
    both = mjlog.READER.read([source(log_bytes(text)) for text in texts], TENHOU.rules)
    alone = [reading(log_bytes(text)) for text in texts]
    assert both.games["players"].to_list() == [3, 4, 3]
    assert [list(rule.uma or ()) for rule in both.rules] == [[20, 0, -20], [20, 10, -10, -20]]
    for table in ("events", "deals", "deposits", "claims", "shows"):
        drop = ["round", "claim"]
        frames = [getattr(each, table).drop(drop, strict=False) for each in alone]
        assert pl.concat(frames).equals(getattr(both, table).drop(drop, strict=False)), table


def test_real_games_beside_a_plain_reading(shared):
    """Rounds, events, deals, sticks, claims and finals of the 67 real games are those of a reading by ElementTree."""
    sources, log = read_all(files_below(shared / "corpus" / "tenhou-mjlog-3p"))
    check_rows(log)
    assert log.problems.rows() == []
    games = [mjlog_reader.read(each.data) for each in sources]
    first = np.cumsum([0, *(len(game.rounds) for game in games)])
    columns = ["round", "wind", "dealer", "honba", "sticks", "start", "dora", "event", "pos"]
    wanted = [(at + row[0], *row[1:]) for at, game in zip(first, games, strict=False) for row in game.rounds]
    assert log.rounds.select(columns).rows() == wanted
    dealt = [(at + row[0], *row[1:]) for at, game in zip(first, games, strict=False) for row in game.deals]
    assert log.deals.rows() == dealt
    paid = [(at + row[0], *row[1:]) for at, game in zip(first, games, strict=False) for row in game.deposits]
    assert log.deposits.rows() == paid
    acts = [(at + row[0], *row[1:5], row[6]) for at, game in zip(first, games, strict=False) for row in game.events]
    assert log.events.select("round", "event", "pos", "kind", "seat", "tile_id").rows() == acts
    for name in ("before", "deltas", "winner", "payer", "points", "reason"):
        said = [claim.get(name) for game in games for claim in game.claims]
        assert log.claims[name].to_list() == said, name
    for name in ("players", "names", "ranks", "ratings", "final_scores", "final_points"):
        assert log.games[name].to_list() == [game.head[name] for game in games], name
    assert (log.events["kind"] == "kita").sum() > 1000
