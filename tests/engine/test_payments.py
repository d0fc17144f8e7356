"""Who pays: shares, honba, sticks, pao."""

from __future__ import annotations

import numpy as np
import pytest
from batches import rules_of, scored, win_of

from engine.payments import Settlement, liable, payments_from_points, shares, shares_of_points
from engine.rules import PAO_YAKUMAN, RuleTable, preset
from engine.score import score

TENHOU = RuleTable.from_rules([preset("tenhou")])
DAISANGEN = "23m55p 1m 555+z 666=z 777-z"
WITH_HONOURS = "1122z 1z 555+z 666=z 777-z"
"""Two yakuman: big three dragons, all honours. Seat 3 (North) wins, seat 2 fed the third dragon."""


def settlement(**values):
    """Give one settlement: seat 1 wins 0 honba off seat 0, who deals."""
    plain = {"tsumo": False, "winner": 1, "players": 4, "pao": -1}
    plain |= dict.fromkeys(("payer", "dealer", "honba", "sticks", "rule", "pao_points"), 0)
    return Settlement(**{name: np.array([value]) for name, value in (plain | values).items()})


def paid(points, **values):
    """Move some points and give the changes."""
    changes, valid = payments_from_points(np.array([points]), settlement(**values), TENHOU)
    assert valid.all()
    return changes[0].tolist()


@pytest.mark.parametrize(
    ("points", "values", "expected"),
    [
        (3900, {}, [-3900, 3900, 0, 0]),
        (3900, {"honba": 2, "sticks": 1}, [-4500, 5500, 0, 0]),
        (5200, {"tsumo": True}, [-2600, 5200, -1300, -1300]),
        (1500, {"tsumo": True}, [-700, 1500, -400, -400]),
        (1100, {"tsumo": True, "honba": 1, "sticks": 2}, [-600, 3400, -400, -400]),
        (7800, {"tsumo": True, "winner": 0}, [7800, -2600, -2600, -2600]),
        (7800, {"tsumo": True, "winner": 0, "honba": 3}, [8700, -2900, -2900, -2900]),
        # Three players: two payers of honba, nobody pays the missing seat's share.
        (6000, {"tsumo": True, "players": 3, "honba": 1}, [-4100, 6200, -2100, 0]),
        (8000, {"players": 3, "honba": 1}, [-8200, 8200, 0, 0]),
        (4000, {"tsumo": True, "players": 3, "winner": 0}, [4000, -2000, -2000, 0]),
    ],
)
def test_payments(points, values, expected):
    """Stated points, moved: ron and tsumo, dealer and not, deposits, three players."""
    assert paid(points, **values) == expected


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("dealer_wins", [False, True])
def test_shares_come_back_from_their_sum(players, dealer_wins):
    """All values of fu and han below mangan are undone."""
    base = np.array(sorted({fu << han for fu in (20, 25, *range(30, 120, 10)) for han in range(3, 8)}))
    dealer, number = np.full(len(base), dealer_wins), np.full(len(base), players)
    expected = shares(base, dealer, number)
    found, valid = shares_of_points(expected.tsumo, dealer, number)
    assert valid.all()
    np.testing.assert_array_equal(found.dealer, expected.dealer)
    np.testing.assert_array_equal(found.other, expected.other)


@pytest.mark.parametrize(("points", "winner"), [(1000, 0), (1300, 1), (1400, 1), (1150, 1), (7900, 0)])
def test_points_that_cannot_be_shared(points, winner):
    """They are marked, and move nothing."""
    changes, valid = payments_from_points(np.array([points]), settlement(tsumo=True, winner=winner), TENHOU)
    assert not valid[0]
    assert changes.tolist() == [[0, 0, 0, 0]]


@pytest.mark.parametrize(
    ("text", "rules", "situation", "expected"),
    [
        # RULES.md 2.11, samples: two honba, one stick; seat 3 wins, seat 2 is liable.
        (DAISANGEN, "majiang", {"tsumo": True}, [0, 0, -32600, 33600]),
        (DAISANGEN, "majiang", {"payer": 1}, [0, -16600, -16000, 33600]),
        (DAISANGEN, "tenhou", {"payer": 1}, [0, -16000, -16600, 33600]),
        (DAISANGEN, "tenhou", {"payer": 2}, [0, 0, -32600, 33600]),
        # Two yakuman (RULES.md 5, point 1): the liable one only, or the whole hand.
        (WITH_HONOURS, "majiang", {"tsumo": True}, [-16200, -8200, -40200, 65600]),
        (WITH_HONOURS, "majiang", {"payer": 1}, [0, -48600, -16000, 65600]),
        (WITH_HONOURS, "tenhou", {"tsumo": True}, [0, 0, -64600, 65600]),
        (WITH_HONOURS, "tenhou", {"payer": 1}, [0, -32000, -32600, 65600]),
    ],
)
def test_pao(text, rules, situation, expected):
    """The samples of RULES.md, under both rules."""
    changes = {name: getattr(preset(rules), name) for name in ("pao_scope", "pao_ron_honba_payer")}
    scores = scored(text, changes, winner=3, honba=2, sticks=1, **situation)
    assert scores.deltas.tolist() == [expected]
    assert [int(scores.pao[0]), int(scores.pao_yakuman[0])] == [2, 39]


def test_pao_of_a_double_yakuman_covers_both_units():
    """Pao of a double yakuman covers both units."""
    rules = {"double_yakuman": True, "pao_scope": "liable_yakuman"}
    scores = scored("5m 5m 111+z 222=z 333-z 444-z", rules, winner=3, tsumo=True)
    assert scores.units.tolist() == [2]
    assert scores.deltas.tolist() == [[0, 0, -64000, 64000]]


def test_pao_covers_no_more_than_the_hand_is_worth():
    """Pao covers no more than the hand is worth."""
    rules = {"double_yakuman": True, "yakuman_stacking": False, "pao_scope": "liable_yakuman"}
    scores = scored("5m 5m 111+z 222=z 333-z 444-z", rules, winner=3, tsumo=True)
    assert scores.deltas.tolist() == [[0, 0, -32000, 32000]]


def test_without_the_rule_nobody_is_liable():
    """Without the rule nobody is liable."""
    scores = scored(DAISANGEN, {"pao_yakuman": ()}, winner=3, tsumo=True)
    assert scores.pao.tolist() == [-1]
    assert scores.deltas.tolist() == [[-16000, -8000, -8000, 32000]]


@pytest.mark.parametrize(
    ("melds", "expected"),
    [
        ("555+z 666=z 777-z", (2, 39)),
        ("555-z 666=z 777+z", (0, 39)),
        ("5555z 666=z 7777+z", (0, 39)),  # an earlier ankan counts (RULES.md 5, point 6)
        ("555+z 666=z 7777z", (-1, -1)),  # the last group is an ankan
        ("555+z 666=z 777-7z", (2, 39)),  # a kakan keeps the feeder of its pon
        ("555+5z 777=z 666-z", (2, 39)),
        ("555+z 666=z 777z", (-1, -1)),  # nobody knows who fed it
        ("555+z 666=z", (-1, -1)),
        ("111+z 222=z 333-z 444=z", (1, 49)),
        ("111+z 222=z 333-z", (-1, -1)),
        ("1111m 2222m 3333-m 4444+m", (-1, -1)),
    ],
)
def test_who_is_liable(melds, expected):
    """The feeder of the completing group, by meld order."""
    win = win_of(f"9s 9s {melds}")
    seat, yaku = liable(win.hands, np.array([3]), win.rule, TENHOU)
    assert (int(seat[0]), int(yaku[0])) == expected


@pytest.mark.parametrize(
    ("melds", "expected"),
    [
        ("1111m 2222m 3333-m 4444+m", (0, 51)),
        ("1111m 2222m 3333-m 4444m", (-1, -1)),
        ("1111m 2222m 3333-m 444+4m", (-1, -1)),
    ],
)
def test_liability_for_four_kans_is_a_rule(melds, expected):
    """Liability for four kans is a rule."""
    win = win_of(f"5p 5p {melds}")
    seat, yaku = liable(win.hands, np.array([3]), win.rule, rules_of(pao_yakuman=PAO_YAKUMAN))
    assert (int(seat[0]), int(yaku[0])) == expected


@pytest.mark.parametrize("situation", [{"tsumo": True}, {"payer": 1}, {"payer": 2}, {"tsumo": True, "dealer": 3}])
@pytest.mark.parametrize("text", [DAISANGEN, WITH_HONOURS, "23m55p345s 1m 555+z 666=z"])
def test_stated_points_move_as_scored_points_do(text, situation):
    """Stated points move as scored points do."""
    win = win_of(text, winner=3, honba=1, sticks=2, **situation)
    for rules in ("tenhou", "majiang"):
        table = RuleTable.from_rules([preset(rules)])
        scores = score(win, table)
        case = Settlement.of(win, scores.pao, scores.pao_points)
        changes, valid = payments_from_points(scores.points, case, table)
        assert valid.all()
        assert changes.tolist() == scores.deltas.tolist()
        assert scores.deltas.sum() == 2000
