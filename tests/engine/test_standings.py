"""The end of a game: places, ties, sticks, uma, oka, and every way to round."""

from __future__ import annotations

import numpy as np
import pytest

from engine.rules.rule_sets import from_majiang, preset
from engine.rules.rule_table import RuleTable
from engine.scoring.standings import standings
from tests.kit.batches import rules_of


def ended(scores, table, sticks=0, players=4, **more):
    """Give the standings of one game as lists."""
    found = standings(
        np.array([scores]), table, sticks=np.array([sticks]), players=np.array([players]), rule=np.array([0]), **more
    )
    return found.scores[0].tolist(), found.place[0].tolist(), found.points[0].tolist()


def test_exact():
    """RULES.md 4.2, IJ: 47100, 32200, 14500, 6200 under Tenhou's uma and oka."""
    assert ended([14500, 47100, 6200, 32200], rules_of()) == (
        [14500, 47100, 6200, 32200],
        [3, 1, 4, 2],
        [-25.5, 57.1, -43.8, 12.2],
    )


@pytest.mark.parametrize(
    ("scores", "uma", "points"),
    [
        # Results of real Tenhou games up to 2021: 2400 is 2, 16500 is 17, -8600 is -9, 22500 is 23.
        ([77800, 2400, 16500, 3300], 20, [88, -48, -3, -37]),
        ([38500, 50100, -8600, 20000], 20, [19, 60, -59, -20]),
        ([26900, 29200, 51400, -7500], 20, [-13, 9, 62, -58]),
        ([27200, 30500, 22500, 19800], 20, [7, 40, -17, -30]),
        ([7500, 45300, 35500, 11700], 10, [-32, 44, 11, -23]),  # an East game with the smaller uma
    ],
)
def test_tenhou_rounded_scores(scores, uma, points):
    """Each score to the nearest thousand, 500 away from zero; first place takes the difference."""
    table = rules_of(final_points_rounding="thousand", uma=(uma, uma / 2, -uma / 2, -uma))
    assert ended(scores, table)[2] == points


@pytest.mark.parametrize(
    ("rounding", "points"),
    [
        ("exact", [42.5, 8.5, -12.5, -38.5]),
        ("thousand", [41, 9, -12, -38]),  # 29, 28, 12 thousand
        ("thousand_half_up", [41, 9, -12, -38]),
        ("thousand_five_down", [44, 8, -13, -39]),  # 28, 27, 11 thousand
    ],
)
def test_ways_to_round(rounding, points):
    """Three ways to round a half: scores away from zero, results upwards, scores towards zero."""
    assert ended([32500, 28500, 27500, 11500], rules_of(final_points_rounding=rounding))[2] == points


def test_halves_below_zero():
    """-1500 is -2 where 500 goes away from zero, and its result -51.5 is -51 where halves go up."""
    scores = [60000, 30000, 11500, -1500]
    assert ended(scores, rules_of(final_points_rounding="thousand"))[2] == [70, 10, -28, -52]
    assert ended(scores, rules_of(final_points_rounding="thousand_half_up"))[2] == [69, 10, -28, -51]
    assert ended(scores, rules_of(final_points_rounding="thousand_five_down"))[2] == [70, 10, -29, -51]


def test_equal_scores_stand_in_seat_order():
    """Cases ge-001, ge-007: the earlier seat from the first dealer is ahead, and takes the sticks."""
    scores, place, points = ended([24000, 25000, 25000, 24000], rules_of(), sticks=2)
    assert scores == [24000, 27000, 25000, 24000]
    assert place == [3, 1, 2, 4]
    assert points == [-16.0, 37.0, 5.0, -26.0]


def test_equal_scores_share():
    """M-League and WRC: uma and oka of the tied places are averaged, and so is the place."""
    mleague = RuleTable.from_rules([preset("mleague")])
    scores, place, points = ended([35000, 35000, 20000, 10000], mleague)
    assert scores == [35000, 35000, 20000, 10000]
    assert place == [1, 1, 3, 4]
    assert points == [35.0, 35.0, -20.0, -50.0]
    wrc = RuleTable.from_rules([preset("wrc")])
    assert ended([40000, 30000, 30000, 20000], wrc)[1:] == ([1, 2, 2, 4], [25.0, 0.0, 0.0, -25.0])


def test_sticks_that_stay():
    """In Saikouisen leftover sticks go to nobody, so the final points do not add up to 0."""
    scores, _, points = ended([40000, 30000, 29000, 20000], RuleTable.from_rules([preset("saikouisen")]), sticks=1)
    assert scores == [40000, 30000, 29000, 20000]
    assert points == [40.0, 10.0, -11.0, -40.0]
    assert sum(ended([40000, 30000, 29000, 20000], rules_of(starting_points=30000), sticks=1)[2]) == 0


def test_floating_uma():
    """Uma depends on the number of seats that ended below the start (RULES.md 4.1)."""
    table = rules_of(
        floating_uma=((0.0, 0.0, 0.0, 0.0), (8.0, 4.0, 0.0, -12.0), (8.0, 4.0, -4.0, -8.0), (12.0, 0.0, -4.0, -8.0)),
        starting_points=30000,
    )
    assert ended([30000] * 4, table)[2] == [0, 0, 0, 0]
    assert ended([31000, 30500, 30000, 28500], table)[2] == [9.0, 4.5, 0.0, -13.5]
    assert ended([31000, 30500, 29000, 29500], table)[2] == [9.0, 4.5, -9.0, -4.5]
    assert ended([50000, 25000, 23000, 22000], table)[2] == [32.0, -5.0, -11.0, -16.0]


def test_mahjong_soul_has_no_oka():
    """Without oka, 25000 points at the end make 0 final points (RULES.md 4.2)."""
    table = RuleTable.from_rules([preset("mahjong_soul")])
    assert ended([38800, 25000, 20000, 16200], table)[2] == [28.8, 5.0, -10.0, -23.8]


def test_three_players():
    """Three players have three places; uma for four places is refused."""
    table = RuleTable.from_rules(
        [preset("tenhou").changed(players=3, uma=[20.0, 0.0, -20.0], starting_points=35000, return_points=40000)]
    )
    scores, place, points = ended([25000, 50000, 30000, 0], table, sticks=1, players=3)
    assert (scores, place, points) == ([25000, 51000, 30000, 0], [3, 1, 2, 0], [-35.0, 46.0, -10.0, 0.0])
    with pytest.raises(ValueError, match="uma has 4 places for 3 players"):
        ended([25000, 50000, 30000, 0], rules_of(), players=3)


def test_chombo():
    """Chombo lowers the final points of the seat that made the error (RULES.md 4.2)."""
    fouls = np.array([[0, 0, 1, 0]])
    mleague = RuleTable.from_rules([preset("mleague")])
    assert ended([40000, 30000, 20000, 10000], mleague, fouls=fouls)[2] == [60.0, 10.0, -40.0, -50.0]


def test_games_of_many_rules():
    """Each game of a batch has its own rules: uma of 電脳麻将 with decimals, and without."""
    rules = [from_majiang({}), from_majiang({"順位点": ["20", "10", "-10", "-20"]})]
    found = standings(
        np.array([[34600, 32500, 21500, 11400]] * 3),
        RuleTable.from_rules(rules),
        sticks=np.array([0, 0, 0]),
        players=np.array([4, 4, 4]),
        rule=np.array([1, 0, 1]),
    )
    assert found.points.tolist() == [[44, 13, -18, -39], [44.6, 12.5, -18.5, -38.6], [44, 13, -18, -39]]


def test_no_games():
    """An empty batch gives empty standings."""
    found = standings(
        np.zeros((0, 4), int), rules_of(), sticks=np.zeros(0, int), players=np.zeros(0, int), rule=np.zeros(0, int)
    )
    assert found.points.shape == (0, 4)
