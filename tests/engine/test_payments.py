"""Payments: who pays how much, honba, sticks, pao."""

from __future__ import annotations

import numpy as np
import pytest

from engine.rules.rule_sets import PAO_YAKUMAN, preset
from engine.rules.rule_table import RuleTable
from engine.scoring.payments import Settlement, liable, payments_from_points, share_deposits
from engine.scoring.score import score
from engine.scoring.shares import missing_share, shares, shares_of_points
from engine.tiles.hands import parse_hand
from engine.yaku.wins import Wins
from tests.kit.batches import concatenated, rules_of, scored, win_of

TENHOU = RuleTable.from_rules([preset("tenhou")])
DAISANGEN = "23m55p 1m 555+z 666=z 777-z"
WITH_HONOURS = "1122z 1z 555+z 666=z 777-z"
"""Two yakuman: big three dragons, all honours. Seat 3 (North) wins, seat 2 fed the third dragon."""


def settlement(**values):
    """Give one `Settlement`; unless stated otherwise seat 1 wins by ron off the dealer, seat 0, without honba."""
    plain = {"tsumo": False, "winner": 1, "players": 4, "pao": -1}
    plain |= dict.fromkeys(("payer", "dealer", "honba", "sticks", "rule", "pao_points"), 0)
    return Settlement(**{name: np.array([value]) for name, value in (plain | values).items()})


def paid(points, **values):
    """Give the changes of scores for stated points."""
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
        # Three players: two seats pay honba, and nobody pays the share of the missing seat.
        (6000, {"tsumo": True, "players": 3, "honba": 1}, [-4100, 6200, -2100, 0]),
        (8000, {"players": 3, "honba": 1}, [-8200, 8200, 0, 0]),
        (4000, {"tsumo": True, "players": 3, "winner": 0}, [4000, -2000, -2000, 0]),
    ],
)
def test_payments(points, values, expected):
    """Payments of stated points: ron and tsumo, dealer and non-dealer, honba and sticks, three players."""
    assert paid(points, **values) == expected


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("dealer_wins", [False, True])
def test_shares_come_back_from_their_sum(players, dealer_wins):
    """The sum of a tsumo determines its payments, for all fu and han below mangan."""
    base = np.array(sorted({fu << han for fu in (20, 25, *range(30, 120, 10)) for han in range(3, 8)}))
    dealer, number = np.full(len(base), dealer_wins), np.full(len(base), players)
    expected = shares(base, dealer, number)
    found, valid = shares_of_points(expected.tsumo, dealer, number)
    assert valid.all()
    np.testing.assert_array_equal(found.dealer, expected.dealer)
    np.testing.assert_array_equal(found.other, expected.other)


@pytest.mark.parametrize(("points", "winner"), [(1000, 0), (1300, 1), (1400, 1), (1150, 1), (7900, 0)])
def test_points_that_cannot_be_shared(points, winner):
    """Points that no payments add up to are marked, and change no score."""
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
        # Two yakuman (RULES.md 5.1): liable for one of them only, or for the whole hand.
        (WITH_HONOURS, "majiang", {"tsumo": True}, [-16200, -8200, -40200, 65600]),
        (WITH_HONOURS, "majiang", {"payer": 1}, [0, -48600, -16000, 65600]),
        (WITH_HONOURS, "tenhou", {"tsumo": True}, [0, 0, -64600, 65600]),
        (WITH_HONOURS, "tenhou", {"payer": 1}, [0, -32000, -32600, 65600]),
    ],
)
def test_pao(text, rules, situation, expected):
    """The samples of RULES.md 2.11 and 5.1 are right, under both values of ``pao_scope``."""
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
    """The liable seat never pays more than the worth of the hand."""
    rules = {"yakuman_stacking": False, "pao_scope": "liable_yakuman"}
    scores = scored("5z 5z 111+z 222=z 333-z 444-z", rules, winner=3, tsumo=True)
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
        ("5555z 666=z 7777+z", (0, 39)),  # an earlier ankan counts (RULES.md 5.6)
        ("555+z 666=z 7777z", (-1, -1)),  # the last set is an ankan
        ("555+z 666=z 777-7z", (2, 39)),  # a kakan keeps the feeder of its pon
        ("555+5z 777=z 666-z", (2, 39)),
        ("555+z 666=z 777z", (-1, -1)),  # the feeder is not stated
        ("555+z 666=z", (-1, -1)),
        ("111+z 222=z 333-z 444=z", (1, 49)),
        ("111+z 222=z 333-z", (-1, -1)),
        ("1111m 2222m 3333-m 4444+m", (-1, -1)),
    ],
)
def test_who_is_liable(melds, expected):
    """The seat that fed the last meld of dragons or winds is liable, by the order of melds."""
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


@pytest.mark.parametrize(
    ("last_kan", "expected"),
    [
        (-1, (0, 51)),  # not stated: the last meld, a daiminkan
        (3, (0, 51)),
        (2, (-1, -1)),  # the kakan on the earlier pon came last, and nobody fed it
        (1, (2, 51)),  # the daiminkan of the second meld
    ],
)
def test_the_order_of_kans(last_kan, expected):
    """Melds are in the order of their calls; `Wins.last_kan` states which one became a kan last."""
    win = win_of("5p 5p 1111m 2222-m 333-3m 4444+m", winner=3, last_kan=last_kan)
    seat, yaku = liable(win.hands, win.winner, win.rule, rules_of(pao_yakuman=PAO_YAKUMAN), win.last_kan)
    assert (int(seat[0]), int(yaku[0])) == expected


RINSHAN = {"tsumo": True, "rinshan": True, "winner": 3, "honba": 1, "sticks": 1}


@pytest.mark.parametrize(
    ("melds", "last_kan", "expected"),
    [
        # 40, 60, 50 fu with rinshan and a dora; one honba and a stick.
        ("222-m 3333=z", -1, [0, -3000, 0, 4000]),  # seat 1 fed the kan
        ("222-m 3333z", -1, [-2100, -1100, -1100, 5300]),  # nobody fed an ankan
        ("222-2m 3333=z", 0, [-1700, -900, -900, 4500]),  # the kakan on the earlier pon was the last kan
        ("222-2m 3333=z", 1, [0, -3500, 0, 4500]),
        ("222-2m 3333=z", -1, [0, -3500, 0, 4500]),
    ],
)
def test_who_fed_the_kan_pays_the_rinshan(melds, last_kan, expected):
    """Case pa-013: by rule the seat that fed a daiminkan pays the rinshan tsumo and its honba (RULES.md 5.4)."""
    text = f"99p34s 5s {melds} 4-56m"
    scores = scored(text, {"daiminkan_rinshan_pao": True}, **RINSHAN, last_kan=last_kan, dora="3s")
    assert scores.deltas.tolist() == [expected]
    assert scores.pao.tolist() == ([1] if expected[0] == 0 else [-1])
    assert scored(text, **RINSHAN, dora="3s").pao.tolist() == [-1]


def test_liability_for_a_yakuman_goes_before_that_for_a_kan():
    """Big three dragons fed by seat 2, rinshan after a daiminkan of seat 0: seat 2 is liable for the yakuman."""
    scores = scored("5p 5p 555-z 666=z 7777-z 1111+m", {"daiminkan_rinshan_pao": True}, **RINSHAN)
    assert (scores.pao.tolist(), scores.pao_yakuman.tolist()) == ([2], [39])


MANGAN, THREE_HAN, ONE_HAN = 2000, 960, 240


@pytest.mark.parametrize(
    ("way", "base", "expected"),
    [
        # Mahjong Soul's rooms according to GD and TS, who differ at 30 fu 1 han (RULES.md 4.6).
        ("halved", ONE_HAN, (600, 400)),
        ("halved_apart", ONE_HAN, (700, 500)),
        ("halved", MANGAN, (5000, 3000)),
        ("halved_apart", MANGAN, (5000, 3000)),
        # A page on scoring has 3900 and a mangan in three ways (RULES.md 4.6 SG).
        ("halved_apart", THREE_HAN, (2500, 1500)),
        ("ron_value", THREE_HAN, (2600, 1300)),
        ("ron_value", MANGAN, (5300, 2700)),
        ("ron_value", ONE_HAN, (700, 300)),
        # 1000 more from each than 300/500, 1000/2000 and 2000/4000 (JW).
        ("thousand_each", ONE_HAN, (1500, 1300)),
        ("thousand_each", THREE_HAN, (3000, 2000)),
        ("thousand_each", MANGAN, (5000, 3000)),
    ],
)
def test_a_tsumo_whose_payers_pay_for_the_missing_seat(way, base, expected):
    """What dealer and other seat pay for a non-dealer's tsumo; with tsumo_loss what they pay with four players."""
    table = rules_of(tsumo_loss=False, missing_share=way)
    one, three = np.array([0]), np.array([3])
    share = shares(np.array([base]), np.array([False]), three, missing_share(three, one, table))
    assert (int(share.dealer[0]), int(share.other[0]), int(share.tsumo[0])) == (*expected, sum(expected))
    four = shares(np.array([base]), np.array([False]), np.array([4]), missing_share(np.array([4]), one, table))
    loss = shares(np.array([base]), np.array([False]), three, missing_share(three, one, rules_of(missing_share=way)))
    assert (four.dealer, four.other) == (loss.dealer, loss.other)


@pytest.mark.parametrize(
    ("way", "base", "expected"),
    [
        ("halved", MANGAN, 6000),  # GD
        ("halved_apart", MANGAN, 6000),
        ("ron_value", MANGAN, 6000),  # 12000 from two
        ("thousand_each", MANGAN, 5000),
        ("halved_apart", ONE_HAN, 800),  # 500, and 250 rounded up
        ("ron_value", ONE_HAN, 800),  # half of 1500
    ],
)
def test_a_dealers_tsumo_whose_payers_pay_for_the_missing_seat(way, base, expected):
    """Both pay the same."""
    table, three = rules_of(tsumo_loss=False, missing_share=way), np.array([3])
    share = shares(np.array([base]), np.array([True]), three, missing_share(three, np.array([0]), table))
    assert (int(share.dealer[0]), int(share.other[0]), int(share.tsumo[0])) == (0, expected, 2 * expected)


@pytest.mark.parametrize("way", ["halved", "halved_apart", "thousand_each", "ron_value"])
@pytest.mark.parametrize("dealer_wins", [False, True])
def test_shares_with_the_missing_one_come_back_from_their_sum(way, dealer_wins):
    """The sum of a tsumo determines its payments then too; a sum that no hand has is refused."""
    base = np.array(sorted({*(fu << han for fu in (20, 25, *range(30, 120, 10)) for han in range(3, 8)), 16000}))
    base = base[(base <= MANGAN) | (base == 16000)]
    dealer, three, row = np.full(len(base), dealer_wins), np.full(len(base), 3), np.zeros(len(base), dtype=int)
    missing = missing_share(three, row, rules_of(tsumo_loss=False, missing_share=way))
    expected = shares(base, dealer, three, missing)
    found, valid = shares_of_points(expected.tsumo, dealer, three, missing)
    assert valid.all()
    np.testing.assert_array_equal(found.dealer, expected.dealer)
    np.testing.assert_array_equal(found.other, expected.other)
    _, valid = shares_of_points(expected.tsumo + 50, dealer, three, missing)
    assert not valid.any()


@pytest.mark.parametrize(
    ("rules", "honba", "sticks"),
    [({}, [0, 2, 0, 2], [0, 3, 0, 3]), ({"multiple_ron_honba": "each"}, [2, 2, 2, 2], [0, 3, 0, 3])],
)
def test_honba_and_sticks_of_several_winners(rules, honba, sticks):
    """Cases de-003, de-011: the first winner in turn order from the payer gets honba and sticks."""
    wins = concatenated_wins(
        [{"winner": 2, "payer": 3}, {"winner": 0, "payer": 3}, {"winner": 1, "payer": 3}, {"winner": 3, "tsumo": True}]
    )
    found = share_deposits(wins, np.array([7, 7, 7, 8]), rules_of(**rules))
    assert [each.tolist() for each in found] == [honba, sticks]


def concatenated_wins(situations):
    """Give wins of one hand in several situations, two honba and three sticks on the table."""
    hands = concatenated([parse_hand("234m456p678s33z345s")] * len(situations))
    columns = {name: [each.get(name, 0) for each in situations] for name in ("winner", "tsumo")}
    payer = [each.get("payer", each["winner"]) for each in situations]
    return Wins.of(hands, np.full(len(hands), 22), payer=payer, honba=2, sticks=3, **columns)


@pytest.mark.parametrize("situation", [{"tsumo": True}, {"payer": 1}, {"payer": 2}, {"tsumo": True, "dealer": 3}])
@pytest.mark.parametrize("text", [DAISANGEN, WITH_HONOURS, "23m55p345s 1m 555+z 666=z"])
def test_stated_points_move_as_scored_points_do(text, situation):
    """Stated points give the same payments as scored points."""
    win = win_of(text, winner=3, honba=1, sticks=2, **situation)
    for rules in ("tenhou", "majiang"):
        table = RuleTable.from_rules([preset(rules)])
        scores = score(win, table)
        case = Settlement.of(win, scores.pao, scores.pao_points)
        changes, valid = payments_from_points(scores.points, case, table)
        assert valid.all()
        assert changes.tolist() == scores.deltas.tolist()
        assert scores.deltas.sum() == 2000
