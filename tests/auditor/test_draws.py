"""Draws and aborts (X101 to X107, P106, P107): written rounds under several rules."""

from __future__ import annotations

import pytest

from tests.kit.audits import audited, log_bytes, with_changes
from tests.kit.audits import flow_findings as found
from tests.kit.check_cases import flow as flow_cases
from tests.kit.check_cases.flow import (
    AFTER_ABORT,
    EXHAUSTED,
    FOUR_WINDS,
    HEAD,
    NAGASHI,
    NINE_ORPHANS,
    exhausted,
    whole_wall,
)

TENPAI, PAYMENTS = flow_cases.TENPAI, flow_cases.NOTEN_PAYMENTS


@pytest.mark.parametrize("pool", [(0, 0, 0), (1500, 1500, 1500), (4000, 4000, 4000), None])
def test_noten_payments_by_rule(pool):
    """The noten payment is right under one pool, wrong under another, and not checkable if the pool is unknown."""
    assert found(EXHAUSTED, noten_payment=pool) == ([] if pool is None else [("P106", None)])


def test_payments_follow_hands_or_shown_hands():
    """Payments may follow the hands or the shown hands. A hand hidden wrongly is one fault, other payments another."""
    shown = with_changes(EXHAUSTED, (TENPAI, "  tenpai 0 1 2"))
    hidden = with_changes(EXHAUSTED, (TENPAI, "  tenpai 0"))
    assert found(shown) == [("X102", 2)]
    assert found(hidden) == [("X103", 1)]
    assert found(with_changes(hidden, (PAYMENTS, "  change 2000 0 -1000 -1000"))) == [("P106", None), ("X103", 1)]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ({"tenpai_declaration_optional": True}, []),
        ({"tenpai_declaration_optional": None}, []),
        ({"noten_payment": (0, 0, 0)}, []),
    ],
)
def test_a_hidden_hand_by_rule(rules, expected):
    """Seat 1 may hide its hand if the rules make that its choice, or if nothing is paid."""
    hidden = with_changes(EXHAUSTED, (TENPAI, "  tenpai 0"), (PAYMENTS, "  change 0 0 0 0" if "noten_payment" in rules
                    else "  change 3000 -1000 -1000 -1000"))  # fmt: skip
    assert found(hidden, **rules) == expected


def test_a_hand_in_riichi_is_always_opened():
    """A hand in riichi must be opened even if tenpai is a choice, but not without noten payments."""
    text = exhausted(flow_cases.declared(flow_cases.WALL, 66), "draw\n  tenpai 1\n  change -1000 3000 -1000 -1000")
    assert found(text, tenpai_declaration_optional=True) == [("X103", 0)]
    nothing = with_changes(text, ("  change -1000 3000 -1000 -1000", "  change 0 0 0 0"))
    assert found(nothing, noten_payment=(0, 0, 0)) == []


def test_nagashi_by_rule():
    """Without that rule payments for nagashi are undue; if it is unknown, not checkable. As a win it pays the same."""
    assert found(NAGASHI, nagashi_mangan=False) == [("X107", None)]
    assert found(NAGASHI, nagashi_mangan=None) == []
    assert found(NAGASHI, nagashi_as_win=True) == []
    missed = with_changes(NAGASHI, (f"  type nm\n{TENPAI}\n{flow_cases.NAGASHI_PAYMENTS}", f"{TENPAI}\n{PAYMENTS}"))
    assert found(missed) == [("X107", None)]
    assert found(missed, nagashi_mangan=False) == []


def test_nagashi_paid_to_another_seat():
    """Seat 0 has the river, seat 1 the payment: the payment is undue, not wrong."""
    other = with_changes(NAGASHI, (flow_cases.NAGASHI_PAYMENTS, "  change -2000 8000 -2000 -4000"))
    findings = audited(log_bytes(other)).tables["findings"]
    assert findings["code"].to_list() == ["X107"]
    assert findings["message"].to_list() == ["nagashi mangan of seat 1; expected seat 0"]


def test_nagashi_of_a_seat_that_has_left():
    """A seat has left: a log that pays it nagashi and a log that does not (as Tenhou does) both have no finding."""
    first = f"{(0 + 3) % 4} draws"
    assert first in NAGASHI
    left = NAGASHI.replace("\n3 draws", '\nraw <BYE who="0"/>\n3 draws', 1)
    assert found(left) == []
    ordinary = with_changes(left, (f"  type nm\n{TENPAI}\n{flow_cases.NAGASHI_PAYMENTS}", f"{TENPAI}\n{PAYMENTS}"))
    assert found(ordinary) == []


def test_nagashi_needs_an_untouched_river():
    """A tile called away from the river makes nagashi undue."""
    lines = whole_wall(orphans_to=0).splitlines()
    fed = lines.index("0 discards N")
    skipped = lines[fed + 1 : fed + 3]
    called = [*lines[: fed + 1], "1 pon N from 0", "1 discards 9s", *lines[fed + 3 :], *skipped]
    assert found(exhausted("\n".join(called), f"draw\n{TENPAI}\n{PAYMENTS}")) == []
    undue = exhausted("\n".join(called), f"draw\n  type nm\n{TENPAI}\n{flow_cases.NAGASHI_PAYMENTS}")
    assert found(undue) == [("X107", None)]


@pytest.mark.parametrize("rule", ["abortive_four_winds", "abortive_kyuushu"])
def test_aborts_by_rule(rule):
    """An abort that the rules do not have is one finding, whatever its condition; under an unknown rule, none."""
    text = {"abortive_four_winds": FOUR_WINDS, "abortive_kyuushu": NINE_ORPHANS}[rule]
    assert found(text) == []
    assert found(text, **{rule: False}) == [("X104", 2 if text is FOUR_WINDS else 3)]
    assert found(text, **{rule: None}) == []


def test_winds_overrun_by_rule():
    """Play may go on after four winds if the rules do not abort there, or are unknown."""
    text = with_changes(FOUR_WINDS, (f"draw\n  type kaze4\n{AFTER_ABORT}", flow_cases.NO_ABORT))
    assert found(text) == [("X106", 3)]
    assert found(text, abortive_four_winds=False) == found(text, abortive_four_winds=None) == []


def test_a_ron_comes_before_an_abort():
    """A ron on the fourth wind is no overrun abort."""
    won = f"""
table 1
{HEAD}
3 holds 123m 456m 789m 123p W
3 draws E
3 discards E
0 draws E
0 discards E
1 draws E
1 discards E
2 draws E
2 discards E
3 wins E from 2
  fu 30
  points 1000
  change 0 0 1000 -1000
end
"""
    assert found(won) == []
    assert found(with_changes(won, ("3 wins E from 2", "3:1s; 0 draws 2s; 0 wins 2s"))) == [("X106", 3)]


FOUR_RIICHI = f"""
table 1
{HEAD}
0 holds 234m 678p 234s 56s 88s
1 holds 123m 456m 789m NN 99s
2 holds 123p 456p 789p SS 11s
3 holds 111m 999m 111p EE 9p 9p
3 draws W
3 riichi
3 discards W
3 deposit
0 draws W
0 riichi
0 discards W
0 deposit
1 draws P
1 riichi
1 discards P
1 deposit
2 draws P
2 riichi
2 discards P
2 deposit
draw
  type reach4
  tenpai 0 1 2 3
{AFTER_ABORT.replace("change 2300 0 0 -2300", "change 6300 0 0 -2300")}"""


def test_four_riichi():
    """The round ends after the fourth stick is paid, neither earlier nor later."""
    text = FOUR_RIICHI.replace("999m 111p EE 9p 9p", "999m 111p EE 77p")
    assert found(text) == []
    assert found(text, abortive_four_riichi=False) == [("X104", 2)]
    three = with_changes(
        text, ("2 riichi\n", ""), ("2 deposit\n", ""), ("change 6300 0 0 -2300", "change 5300 0 0 -2300")
    )
    assert found(three) == [("X105", 2)]
    unpaid = with_changes(text, ("2 deposit\n", ""), ("change 6300 0 0 -2300", "change 5300 0 0 -2300"))
    assert found(unpaid) == [("R107", 2)]
    on = with_changes(
        text,
        ("draw\n  type reach4\n  tenpai 0 1 2 3\n", "3:C; draw\n  type reach4\n  tenpai 0 1 2 3\n"),
    )
    assert ("X106", 3) in found(on)


KANS = f"""
table 1
{HEAD}
0 holds 1111m 2222m 34m 678p
1 holds 9999m 123p 456p 678s
2 holds 1111s 123p 456p 789s
3 draws 4s
3 discards 4s
0 draws 9p
0 ankan 1m
dora 2p
0 draws 3s
0 ankan 2m
dora 3p
0 draws 4s
0 discards 4s
1 draws 8s
1 ankan 9m
dora 4p
1 draws 8s
1 discards 8s
2 draws 2s
2 ankan 1s
dora 5p
2 draws 2s
2 discards 2s
draw
  type kan4
{AFTER_ABORT}"""


def test_four_kans():
    """Four kans of three seats abort after the next discard; four kans of one seat do not."""
    assert found(KANS) == []
    assert found(KANS, abortive_four_kans=False) == [("X104", 2)]
    three = with_changes(KANS, ("2 ankan 1s; dora 5p; 2:2s\n", "2 discards 2s\n"))
    assert found(three) == [("X105", 2)]


def test_three_calls():
    """Three seats wait for the tile, none is furiten, and each has a yaku: whether three rons abort is a rule."""
    text = f"""
table 1
{HEAD}
0 holds 234m 678p 234s 56s 88s
1 holds 234m 678p 234p 56s 88m
2 holds 345m 345p 678m 56s 22p
3 draws 7s
3 discards 7s
draw
  type ron3
  tenpai 0 1 2
{AFTER_ABORT}"""
    assert found(text) == []
    assert found(text, abortive_triple_ron=False) == [("X104", 3)]
    other = with_changes(text, ("2 holds 345m 345p 678m 56s 22p", "2 holds 345m 345p 678m 57s 22p"))
    assert found(other) == [("X105", 3)]
    # 1m, 9m and a closed wait: no tanyao, no pinfu, no riichi.
    yakuless = with_changes(text, ("2 holds 345m 345p 678m 56s 22p", "2 holds 123m 345p 789m 68s 22p"))
    assert found(yakuless) == [("X105", 3)]
    ready = with_changes(yakuless, ("3:7s; draw", "3:E; 0:E; 1:N; 2:N; 3:7s; draw"))
    ready = ready.replace("2 discards N", "2 riichi\n2 discards N\n2 deposit")
    assert found(ready) == []
    furiten = with_changes(text, ("3:7s; draw", "3:E; 0:4s; 1:N; 2:N; 3:7s; draw"))  # fmt: skip
    assert found(furiten) == [("X105", 3)]
