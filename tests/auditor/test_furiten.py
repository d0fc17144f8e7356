"""Furiten, riichi and several winners of one tile (W103, R101 to R107, W110): written rounds, plain loops, rules."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from auditor.replay.last_states import seen_between
from engine.rules.rule_sets import known_values
from tests.kit.audits import FIXTURES, with_changes
from tests.kit.audits import flow_findings as found
from tests.kit.check_cases import flow as flow_cases
from tests.kit.stricter import flow as strict

# Seat 0 waits for 4s and 7s from the deal on, and wins by seat 2's 7s.
WAITING, RIICHI = flow_cases.WAITING, flow_cases.RIICHI


@pytest.mark.parametrize("seed", range(20))
def test_seen_between_is_an_or_over_each_range(seed):
    """``seen_between`` gives what a plain loop gives, for ranges that overlap, are empty, or reach the end."""
    rng = np.random.default_rng(seed)
    bits = np.int64(1) << rng.integers(0, 34, rng.integers(1, 40))
    bits[rng.random(len(bits)) < 0.5] = 0
    start, end = rng.integers(0, len(bits) + 1, (2, 30))
    expected = []
    for first, last in zip(start, end, strict=True):
        seen = 0
        for place in range(first, last):
            seen |= int(bits[place])
        expected.append(seen)
    assert seen_between(bits, start, end).tolist() == expected


def test_seen_between_of_nothing():
    """Without ranges there is no result."""
    none = np.zeros(0, dtype=np.int64)
    assert seen_between(none, none, none).tolist() == []


@pytest.mark.long
def test_stricter_rules_find_what_a_plain_loop_counts():
    """Under every stricter rule, findings in games of 電脳麻将 are the events and seats that a plain loop counts."""
    lines = gzip.decompress((FIXTURES / "sources" / "majiang.jsonl.gz").read_bytes()).splitlines()
    games = [strict.json.loads(line) for line in lines]
    expected = strict.counted(games)
    assert sum(map(len, expected.values())) > 20
    actual = strict.audited(games)
    for rule in strict.STRICTER:
        assert actual[rule] == expected[rule], rule


def test_passed_tile_is_forgotten_at_the_own_discard():
    """Seat 1's 7s passes before seat 0 draws and discards, so seat 0 may win by seat 2's."""
    text = with_changes(WAITING, ("3:N", "3:7s"))
    assert found(text) == []
    # Other rule sets agree: a draw always ends it.
    assert found(text, temporary_furiten_end="own_draw") == []


def test_an_own_call_ends_it_or_only_an_own_draw():
    """Seat 0 waits for 4s and 7s, passes 4s, pons 8p, discards, and wins by 7s. A rule says whether it may."""
    text = with_changes(
        WAITING,
        ("0 holds 234m 678p 234s 56s 88s", "0 holds 34m EE 234s 56s 88s 88p"),
        ("3:N", "3:5m; 0 chi 5m with 34m; 0 discards E; 1:9m; 2:9m; 3:N"),
        ("0:W; 1:E",
         "0 draws 8p; 0 discards E; 1:4s; 2:8p; 0 pon 8p from 2; 0 discards 8p; 1:W"),
    )  # fmt: skip
    assert found(text) == []
    assert found(text, temporary_furiten_end="own_action") == []
    assert found(text, temporary_furiten_end="any_call") == []
    assert found(text, temporary_furiten_end="own_draw") == [("W103", 0)]


def test_anybodys_call_ends_it():
    """Seat 3 pons after the 7s that seat 0 passed, and discards 4s."""
    text = with_changes(
        WAITING,
        ("3:N", "3 holds EE 19m 19p 4s SSWWPP 1s; 3:N"),
        ("1:E; 2:7s; 0 wins 7s from 2",
         "1:7s; 2:E; 3 pon E from 2; 3 discards 4s; 0 wins 4s from 3"),
        ("  change 2000 0 -2000 0", "  change 2000 0 0 -2000"),
    )  # fmt: skip
    assert found(text) == [("W103", 0)]
    assert found(text, temporary_furiten_end="own_draw") == [("W103", 0)]
    assert found(text, temporary_furiten_end="any_call") == []


def test_unknown_end_of_furiten():
    """If the rule is unknown, there is a finding only where every value of the rule makes one."""
    passed = with_changes(WAITING, ("1:E", "1:7s"))
    own = with_changes(WAITING, ("0:W", "0:4s"))
    by_call = with_changes(
        WAITING,
        ("3:N", "3 holds EE 19m 19p 4s SSWWPP 1s; 3:N"),
        ("1:E; 2:7s; 0 wins 7s from 2",
         "1:7s; 2:E; 3 pon E from 2; 3 discards 4s; 0 wins 4s from 3"),
        ("  change 2000 0 -2000 0", "  change 2000 0 0 -2000"),
    )  # fmt: skip
    for value in (None, *known_values("temporary_furiten_end")):
        assert found(passed, temporary_furiten_end=value) == [("W103", 0)]
        assert found(own, temporary_furiten_end=value) == [("W103", 0)]
    assert found(by_call, temporary_furiten_end=None) == []


def test_a_discard_called_away_counts():
    """Seat 0's 4s is in seat 1's meld, and still makes seat 0 furiten."""
    text = with_changes(
        WAITING,
        ("3 draws N", "1 holds 23s 19m 19p ESWNPFC; 3 draws N"),
        ("0:W; 1:E",
         "0:4s; 1 chi 4s with 23s; 1 discards E"),
    )  # fmt: skip
    assert found(text) == [("W103", 0)]


def test_a_tile_without_yaku_counts():
    """Seat 0's open hand has a yaku only with 7s. The 4s that it passed completed the hand nevertheless."""
    text = """
table 1
East 4.0, dora 9p, scores 30000 25000 25000 20000
0 holds 23m 99m 789p 789s 56s N
3 draws 1m
3 discards 1m
0 chi 1m with 23m
0 discards N
1 draws 4s
1 discards 4s
2 draws 7s
2 discards 7s
0 wins 7s from 2
  fu 30
  points 1000
  yaku chanta 1
  change 1000 0 -1000 0
end
"""
    assert found(text) == [("W103", 0)]


def test_a_tile_added_to_a_kan_counts():
    """Seat 0 does not rob seat 1's kan of 7s, and so may not win by the next 4s."""
    text = with_changes(
        WAITING,
        ("3:N", "1 holds 77s 19m 19p ESWPFC 1s; 3:7s; 1 pon 7s from 3; 1 discards E; 2:1p; 3:N"),
        ("1:E; 2:7s; 0 wins 7s from 2",
         "1 draws 7s; 1 kakan 7s; 1 draws 9s; dora 9m; 1 discards 9s; 2:4s; 0 wins 4s from 2"),
    )  # fmt: skip
    assert found(text) == [("W103", 0)]


def test_riichi_bars_for_good():
    """Seat 0 in riichi passes 4s, discards again, and wins by 7s: it stays furiten."""
    text = with_changes(
        WAITING,
        ("0 discards W; 1:E", "0 riichi; 0 discards W; 0 deposit; 1:4s; 2:E; 3:E; 0:P; 1:E"),
    )  # fmt: skip
    assert found(text) == [("W103", 0)]


def test_tsumo_is_free():
    """Seat 0 discarded 4s and draws 7s itself: tsumo is always allowed."""
    text = with_changes(
        WAITING,
        ("0:W", "0:4s"),
        ("2:7s; 0 wins 7s from 2", "2:N; 3:S; 0 draws 7s; 0 wins 7s"),
    )  # fmt: skip
    assert found(text) == []


def test_the_second_of_two_winners_let_nothing_pass():
    """A tile that two seats win makes neither of them furiten."""
    assert found(flow_cases.DOUBLE_RON) == []


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ({}, []),
        ({"max_simultaneous_ron": 1}, [("W110", 1)]),
        ({"max_simultaneous_ron": None}, []),
    ],
)
def test_two_winners(rules, expected):
    """The second of two winners is one too many if the rules give the tile to the next seat in turn order."""
    assert found(flow_cases.DOUBLE_RON, **rules) == expected


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ({}, [("W110", 2)]),
        ({"max_simultaneous_ron": 1}, [("W110", 1)]),
        ({"max_simultaneous_ron": 3, "abortive_triple_ron": False}, []),
        ({"abortive_triple_ron": False}, []),
    ],
)
def test_three_winners(rules, expected):
    """The third winner is one too many if three rons abort; if that is unknown, it is not checkable."""
    text = with_changes(
        flow_cases.DOUBLE_RON, ("  change 0 2000 0 -2000\n", f"  change 0 2000 0 -2000\n{flow_cases.THIRD}\n")
    )
    assert found(text, **rules) == expected


def test_riichi_rules():
    """Points, remaining draws and fifth tiles are required for riichi only if the rules say so."""
    cases = flow_cases.CASES
    poor = with_changes(RIICHI, cases["r104_too_few_points"].fails["fail"][0])
    late = with_changes(cases["r105_too_few_tiles_left"].passes, cases["r105_too_few_tiles_left"].fails["fail"][0])
    assert found(poor) == [("R104", 1)]
    assert found(poor, riichi_min_points=0) == found(poor, riichi_min_points=None) == []
    assert found(late) == [("R105", 1)]
    assert found(late, riichi_without_next_draw=True) == found(late, riichi_without_next_draw=None) == []


def test_fifth_tiles_of_melds_count_by_rule():
    """A riichi waits only for 3p, and a closed kan holds all four."""
    text = with_changes(
        RIICHI,
        (flow_cases.NINE_RUNS, "1 holds 123m 456m 99m 333p 24p"),
        ("1 draws 9s; 1 riichi", "1 draws 3p; 1 ankan 3p; dora 9m; 1 draws E; 1 riichi"),
    )
    assert found(text) == []
    assert found(text, fifth_tile_wait="whole_hand") == [("R102", 1)]
    assert found(text, fifth_tile_wait=None) == []


def test_a_stick_where_the_riichi_tile_makes_four_winds():
    """If the riichi tile makes four winds, a rule says whether the stick is paid. Here none is paid."""
    text = with_changes(
        flow_cases.FOUR_WINDS,
        ("2:W", "2 holds 123m 456m 789m NN 99p; 2 draws W; 2 riichi; 2 discards W"),
    )
    assert found(text) == [("R107", 2)]
    assert found(text, abort_takes_riichi_stick=False) == []
    assert found(text, abort_takes_riichi_stick=None) == []


def test_no_stick_for_a_tile_that_three_win():
    """Three rons abort the round, so the stick of that riichi is not paid; a recorded payment is wrong."""
    text = f"""
table 1
{flow_cases.HEAD}
0 holds 234m 678p 234s 56s 88s
1 holds 234m 678p 234p 56s 88m
2 holds 345m 345p 678m 56s 22p
3 holds 123m 456m 789m NN 9s 7s
3 draws 9s
3 riichi
3 discards 7s
draw
  type ron3
  tenpai 0 1 2
{flow_cases.AFTER_ABORT}"""
    assert found(text) == []
    paid = with_changes(text, ("3 discards 7s; draw", "3 discards 7s; 3 deposit; draw"))
    assert found(paid) == [("R107", 3)]
