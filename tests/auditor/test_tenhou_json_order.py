"""The order of turns, which Tenhou's JSON leaves out: the reader finds it, and a slow search finds no other."""

from __future__ import annotations

import json
import random

import polars as pl
import pytest

from auditor.readers import tenhou_json
from tests.kit.audits import TENHOU, source
from tests.kit.conversion.tenhou_json import shipped
from tests.kit.plain.tenhou_json_order import orders, random_round

TAKES = ("draw", "chi", "pon", "daiminkan")


def read(rounds):
    """Read rounds as one game; give the log."""
    text = json.dumps({"name": ["A", "B", "C", "D"], "rule": {"disp": "", "aka": 1}, "log": rounds})
    return tenhou_json.READER.read([source(text.encode(), "log.json")], TENHOU.rules)


def seats(log):
    """Give the seats that act in each round, in their order."""
    acts = log.events.filter(pl.col("kind").is_in(TAKES)).group_by("round", maintain_order=True).agg("seat")
    found = dict(acts.rows())
    return [found.get(number, []) for number in range(len(log.rounds))]


@pytest.mark.parametrize("players", [4, 3])
@pytest.mark.parametrize("turns", [1, 6, 14, 30])
def test_random_rounds(players, turns):
    """Of rounds with many calls of few tiles, the reader finds the order in which they were made; no other fits."""
    rng = random.Random(f"{players} {turns}")
    made = [random_round(rng, players, turns) for _ in range(150)]
    log = read([each for each, _ in made])
    assert log.problems.is_empty()
    assert seats(log) == [path for _, path in made]
    assert [orders(each, players) for each, _ in made] == [[path] for _, path in made]


def lists(*of_seats):
    """Make a round in which seat 0 deals, from the takes and discards of each seat."""
    flat = [each for takes, discards in of_seats for each in ([11] * 13, list(takes), list(discards))]
    return [[0, 0, 0], [25000] * 4, [11], [], *flat, []]


def test_a_later_discard_of_the_same_tile_is_called():
    """Seat 0 discards 9m twice; seat 2 can only have called the second, because it draws in between."""
    round_ = lists(
        ((11, 19, 12), (19, 60, 13)),
        ((21, 14), (60, 60)),
        ((22, "19p1919"), (60, 16)),
        ((23,), (60,)),
    )
    round_[5].pop()
    round_[6].pop()
    round_[8].pop()
    round_[9].pop()
    assert orders(round_, 4) == seats(read([round_])) == [[0, 1, 2, 3, 0, 2]]


def test_turns_that_fit_nowhere_are_named():
    """A call from a seat that did not discard stops the round there: one L004 that names the take and its seat."""
    log = read([lists(((11, 12), (21, 60)), ((), ()), (("p333333", 14), (15, 60)), ((17,), (18,)))])
    assert log.problems.select("code", "round", "play", "rest").rows() == [("L004", 0, True, True)]
    assert "p333333 by seat 2" in log.problems["recorded"].item()
    assert seats(log) == [[0]]


def test_another_tile_is_called():
    """A call of another tile than the one discarded keeps its place; C102 reports it, not the reader."""
    log = read([lists(((11,), (21,)), ((13,), (60,)), (("33p3333",), (15,)), ((17,), (18,)))])
    assert log.problems["code"].to_list() == ["L004"]  # seat 1 draws, though seat 2 called: the lists do not fit
    log = read([lists(((11,), (21,)), ((), ()), (("33p3333",), (15,)), ((17,), (18,)))])
    assert log.problems.is_empty()
    assert seats(log) == [[0, 2, 3]]


def test_rounds_of_our_own_games():
    """In the shipped games, the slow search finds the same order and no other."""
    rounds = [each for _, text in shipped() for each in json.loads(text)["log"]]
    log = tenhou_json.READER.read([source(text.encode(), name) for name, text in shipped()], TENHOU.rules)
    assert [orders(each, 4) for each in rounds] == [[path] for path in seats(log)]


def test_rounds_of_real_games(shared):
    """The same holds for every round of the corpus, of four players and of three."""
    texts = [path.read_text() for path in sorted((shared / "corpus").glob("tenhou-json-*p/*/*.json"))]
    texts = [text for text in texts if text.count('"log"') == 1]
    log = tenhou_json.READER.read([source(text.encode(), f"{n}.json") for n, text in enumerate(texts)], TENHOU.rules)
    rounds = [each for text in texts for each in json.loads(text)["log"]]
    assert len(rounds) == len(log.rounds) > 900
    for each, count, found in zip(rounds, log.players.tolist(), seats(log), strict=True):
        assert orders(each, count) == [found]
