"""Exhaustive draws: noten payments and nagashi mangan, under every rule about them."""

from __future__ import annotations

import numpy as np
import pytest

from engine.scoring.draws import Draws, exhaustive_draw
from tests.kit.batches import rules_of


def moved(table, tenpai=(), nagashi=(), **values):
    """Give the payments of one draw; `tenpai` and `nagashi` list seats."""
    plain = {"dealer": 0, "players": 4, "honba": 3, "sticks": 2, "rule": 0} | values
    seats = np.arange(4)
    draws = Draws(
        np.isin(seats, tenpai)[None], np.isin(seats, nagashi)[None], **{k: np.array([v]) for k, v in plain.items()}
    )
    return exhaustive_draw(draws, table)[0].tolist()


@pytest.mark.parametrize(
    ("tenpai", "expected"),
    [
        ((), [0, 0, 0, 0]),
        ((1,), [-1000, 3000, -1000, -1000]),  # case dr-012
        ((1, 3), [-1500, 1500, -1500, 1500]),
        ((0, 1, 3), [1000, 1000, -3000, 1000]),
        ((0, 1, 2, 3), [0, 0, 0, 0]),  # case dr-008
    ],
)
def test_noten_payments(tenpai, expected):
    """3000 points go from the noten seats to those in tenpai; honba and sticks are not paid."""
    assert moved(rules_of(), tenpai) == expected
    assert moved(rules_of(noten_payment=(0, 0, 0)), tenpai) == [0, 0, 0, 0]  # case dr-011


def test_pool_by_number_of_tenpai_hands():
    """A lobby can have other sums (RULES.md 4.1)."""
    table = rules_of(noten_payment=(3000, 4000, 6000))
    assert moved(table, (1, 3)) == [-2000, 2000, -2000, 2000]
    assert moved(table, (0, 1, 3)) == [2000, 2000, -6000, 2000]


@pytest.mark.parametrize(
    ("tenpai", "expected"),
    [((1,), [-1000, 2000, -1000, 0]), ((0, 1), [1000, 1000, -2000, 0]), ((0, 1, 2), [0, 0, 0, 0]), ((3,), [0] * 4)],
)
def test_noten_payments_of_three(tenpai, expected):
    """With three players 2000 points are paid (auditor/readers/mjlog/FORMAT.md 8, RULES.md 4.6); nobody has seat 3."""
    assert moved(rules_of(noten_payment=(2000, 2000, 0)), tenpai, players=3) == expected


@pytest.mark.parametrize(
    ("nagashi", "expected"),
    [
        ((0,), [12000, -4000, -4000, -4000]),
        ((1,), [-4000, 8000, -2000, -2000]),
        ((0, 1), [8000, 4000, -6000, -6000]),  # the payments add up (RULES.md 2.10)
        ((1, 2, 3), [-12000, 4000, 4000, 4000]),
    ],
)
def test_nagashi_mangan(nagashi, expected):
    """Nagashi mangan is paid instead of noten payments, without honba and sticks."""
    assert moved(rules_of(), (3,), nagashi) == expected


def test_nagashi_mangan_by_rule():
    """Without the rule there are noten payments. As a win, the first seat from the dealer gets honba and sticks."""
    assert moved(rules_of(nagashi_mangan=False), (3,), (0,)) == [-1000, -1000, -1000, 3000]
    win = rules_of(nagashi_as_win=True)
    assert moved(win, (), (1,)) == [-4300, 8000 + 900 + 2000, -2300, -2300]


def test_nagashi_of_several_as_wins():
    """Seat 2 is first in turn order after dealer 1, so only this seat gets three honba and two sticks."""
    as_draw = np.array(moved(rules_of(), (), (0, 2), dealer=1))
    as_win = np.array(moved(rules_of(nagashi_as_win=True), (), (0, 2), dealer=1))
    assert (as_win - as_draw).tolist() == [-300, -300, 900 + 2000, -300]


def test_nagashi_mangan_of_three():
    """With three players nobody pays the missing share (auditor/readers/mjlog/FORMAT.md 8), or the payers halve it."""
    assert moved(rules_of(), (), (1,), players=3) == [-4000, 6000, -2000, 0]
    assert moved(rules_of(tsumo_loss=False), (), (1,), players=3) == [-5000, 8000, -3000, 0]
    assert moved(rules_of(tsumo_loss=False), (), (0,), players=3) == [12000, -6000, -6000, 0]
