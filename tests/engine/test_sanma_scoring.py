"""Scoring with three players: kita, North, payments, draws and final points (RULES.md 4.6, cases sm-001 to sm-040)."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from engine.rules.rule_sets import preset
from engine.rules.rule_table import RuleTable
from engine.scoring.draws import Draws, exhaustive_draw
from engine.scoring.payments import share_deposits
from engine.scoring.score import count_dora, score
from engine.scoring.standings import standings
from engine.tiles.hands import parse_hand
from engine.yaku.wins import Wins
from tests.kit.batches import rules_of, win_of, yaku_names

CLOSED = "234p456p678s33z34s 5s"
"""A hand of South with a pair of West, a guest wind: as a ron it has pinfu alone."""


def table_of(name="tenhou_sanma", **changes):
    """Give the table of a preset of three players with some changes."""
    return rules_of(name, **changes)


def scored(text, rules=None, **known):
    """Score a win of three players under Tenhou's rules with some changes."""
    return score(win_of(text, players=3, **known), table_of(**(rules or {})))


@pytest.mark.parametrize(
    ("known", "rules", "dora"),
    [
        ({"norths": 1}, {}, [1, 0, 0]),
        ({"norths": 4}, {}, [4, 0, 0]),
        # The indicator West makes each North one more dora, ura too (case sm-003; 2,176 of 2,176 wins at Tenhou).
        ({"norths": 3, "dora": "3z"}, {}, [6, 0, 0]),
        ({"norths": 3, "dora": "3z3z"}, {}, [9, 0, 0]),
        ({"norths": 3, "ura": "3z", "riichi": 1}, {}, [3, 3, 0]),
        ({"norths": 3, "ura": "3z"}, {}, [3, 0, 0]),
        ({"norths": 2, "dora": "8s3z"}, {"kan_dora": False, "kan_ura_dora": False, "open_kan_dora_delayed": False},
         [2, 0, 0]),
        # jansou without nuki_dora: a North has no han of its own, but indicators count it.
        ({"norths": 2}, {"kita_han": 0}, [0, 0, 0]),
        ({"norths": 2, "dora": "3z"}, {"kita_han": 0}, [2, 0, 0]),
        # 9m follows 1m, and 1m follows 9m (13 of 13, 10 of 10).
        ({"dora": "2z"}, {}, [2, 0, 0]),
        ({"dora": "4z"}, {}, [0, 0, 0]),
    ],
)  # fmt: skip
def test_dora_of_north(known, rules, dora):
    """Norths that were set aside are dora, and indicators count them like tiles of the hand."""
    win = win_of(CLOSED, players=3, **known)
    assert count_dora(win, table_of(**rules)).tolist() == [dora]


def test_kita_is_no_part_of_the_hand():
    """Closed hand, tanyao, pinfu and seven pairs stay (case sm-001); a hand needs a yaku beside kita."""
    for text, yaku in (
        ("556677p2345677s 7s", {"tanyao": 1, "iipeikou": 1}),
        ("2244p335566s88s7s 7s", {"chiitoitsu": 2, "tanyao": 1}),
    ):
        found = scored(text, norths=2)
        assert yaku.items() <= yaku_names(found).items()
        assert yaku_names(found)["dora"] == 2
    assert yaku_names(scored(CLOSED, norths=3)) == {"pinfu": 1, "dora": 3}
    assert not scored("345p456p678s999p4z 4z", norths=3).has_yaku[0]
    yakuman = scored("19m19p19s1235677z 4z", norths=1)
    assert (yakuman.units.tolist(), yakuman.yaku.sum()) == ([1], 0)


@pytest.mark.parametrize("chankan", [False, True])
def test_ron_on_a_north(chankan):
    """At Tenhou it has no yaku of its own (6 of 6, case sm-004); other rules can give it chankan."""
    rules = {"kita_chankan": chankan}
    found = scored("112233456p789s4z 4z", rules, on_kita=True, dora="7s")
    assert yaku_names(found) == {"iipeikou": 1, "dora": 1, **({"chankan": 1} if chankan else {})}
    assert found.points.tolist() == [5200 if chankan else 2600]
    assert scored("345p456p678s999p4z 4z", rules, on_kita=True).has_yaku.tolist() == [chankan]


@pytest.mark.parametrize(("rules", "han"), [({}, 3), ({"kita_rinshan_yaku": False}, 2)])
def test_the_replacement_of_a_kita(rules, han):
    """At Tenhou it gives rinshan (44 of 44), with pinfu 20 fu (5 of 5); a kan gives it in any case."""
    found = scored("234p456p678s99m34s 5s", rules, norths=1, tsumo=True, rinshan=True, after_kita=True)
    assert (found.fu.tolist(), found.han.tolist()) == ([20], [han + 1])  # tsumo, pinfu, kita
    after_kan = scored("456p678s99m34s 5s 1111z", rules, tsumo=True, rinshan=True)
    assert yaku_names(after_kan)["rinshan kaihou"] == 1


def test_nobody_is_liable_for_the_replacement_of_a_kita():
    """Whoever fed a daiminkan pays for the rinshan of that kan, not for one that follows a kita."""
    hand, rules = "456p678s99m34s 5s 1+111z", {"daiminkan_rinshan_pao": True}
    pao = [scored(hand, rules, tsumo=True, rinshan=True, after_kita=after).pao.tolist() for after in (False, True)]
    assert pao == [[2], [-1]]


@pytest.mark.parametrize(
    ("text", "known", "rules", "yaku", "fu"),
    [
        # Cases sm-007, sm-008, sm-015: a guest wind. A triplet has the fu of honours.
        ("66p12346s111444z 5s", {"tsumo": True}, {}, {"bakaze ton", "menzen tsumo"}, 40),
        ("34567p234567s44z 8p", {"riichi": 1}, {}, {"riichi", "pinfu"}, 30),
        # With value for all: a yaku more; the pair has 2 fu, and no pinfu.
        ("66p12346s111444z 5s", {"tsumo": True}, {"north_is_value": True}, {"bakaze ton", "menzen tsumo", "jikaze pei"},
         40),
        ("34567p234567s44z 8p", {"riichi": 1}, {"north_is_value": True}, {"riichi"}, 40),
    ],
)  # fmt: skip
def test_north_in_the_hand(text, known, rules, yaku, fu):
    """North is a guest wind for East, South and West, or a tile of value for each of them."""
    for winner in (1, 2):
        found = scored(text, rules, winner=winner, **known)
        assert set(yaku_names(found)) == yaku
        assert found.fu.tolist() == [fu]


def test_north_of_four_players_is_no_tile_of_value():
    """The rule is one of three players: it changes nothing for four, in the same batch either."""
    hands = parse_hand("66p12346s111444z5s")
    both = Wins.of(hands[np.array([0, 0])], np.array([22, 22]), tsumo=True, players=np.array([3, 4]))
    assert score(both, table_of(north_is_value=True)).yaku[:, 13].tolist() == [1, 0]


def test_two_rons():
    """Case sm-020: honba and sticks go to the winner who comes first in turn order, here the dealer, seat 0 after 2."""
    table = table_of()
    wins = Wins.of(parse_hand("1m"), np.zeros(1), players=3)[np.zeros(2, dtype=int)]
    wins = Wins.of(wins.hands, np.zeros(2), players=3, winner=np.array([1, 0]), payer=2, honba=3, sticks=3)
    honba, sticks = share_deposits(wins, np.zeros(2, dtype=int), table)
    assert (honba.tolist(), sticks.tolist()) == ([0, 3], [0, 3])
    first = scored("99m11122233p999s 9m", winner=0, payer=2, honba=3, sticks=3)
    assert first.deltas[0, 0] == -first.deltas[0, 2] + 3000 == first.points[0] + 600 + 3000


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ({"tsumo": True}, [-24000, 24000, 0, 0]),
        ({"payer": 0}, [-32000, 32000, 0, 0]),
        ({"payer": 2}, [-16000, 32000, -16000, 0]),
        ({"payer": 2, "honba": 1}, [-16200, 32200, -16000, 0]),
        ({"tsumo": True, "honba": 1}, [-24200, 24200, 0, 0]),
    ],
)
def test_the_liable_seat(known, expected):
    """Big three dragons, the last fed by seat 0, as jansou pays: all of a tsumo, half of a ron from another seat."""
    found = scored("99m11p 1p 555z+ 666z+ 777z-", **known)
    assert found.pao.tolist() == [0]
    assert found.deltas[0].tolist() == expected


def drawn(rules, tenpai=(), nagashi=()):
    """Give the payments of a draw; seat 0 deals."""
    flags = (np.isin(np.arange(4), seats)[None] for seats in (tenpai, nagashi))
    numbers = {"dealer": 0, "players": 3, "honba": 2, "sticks": 1, "rule": 0}
    return exhaustive_draw(Draws(*flags, **{k: np.array([v]) for k, v in numbers.items()}), rules)[0, :3].tolist()


@pytest.mark.parametrize("name", ["tenhou_sanma", "mahjong_soul_sanma"])
@pytest.mark.parametrize(
    ("tenpai", "expected"),
    [((), [0] * 3), ((1,), [-1000, 2000, -1000]), ((0, 2), [1000, -2000, 1000]), ((0, 1, 2), [0] * 3)],
)
def test_noten(name, tenpai, expected):
    """Case sm-021 (297 of 297); Mahjong Soul's rule page has the same 1000 and 2000."""
    assert drawn(table_of(name), tenpai) == expected


def test_noten_of_jansou():
    """Its pool is 3000."""
    rules = table_of(noten_payment=(3000, 3000, 0))
    assert drawn(rules, (1,)) == [-1500, 3000, -1500]
    assert drawn(rules, (0, 2)) == [1500, -3000, 1500]


@pytest.mark.parametrize(
    ("rules", "nagashi", "expected"),
    [
        ({}, (1,), [-4000, 6000, -2000]),  # case sm-022 (5 of 5)
        ({}, (0,), [8000, -4000, -4000]),  # both self-play engines
        ({"tsumo_loss": False, "missing_share": "halved"}, (2,), [-5000, -3000, 8000]),  # GD
        ({"tsumo_loss": False, "missing_share": "halved"}, (0,), [12000, -6000, -6000]),  # GD
        ({"tsumo_loss": False, "missing_share": "ron_value"}, (2,), [-5300, -2700, 8000]),
    ],
)
def test_nagashi_mangan(rules, nagashi, expected):
    """It is paid like a mangan by tsumo, with the missing share where the rules have it."""
    assert drawn(table_of(**rules), (0,), nagashi) == expected


@pytest.mark.parametrize(
    ("name", "day", "scores", "points"),
    [
        ("tenhou_sanma", date(2020, 6, 1), [34400, 48100, 22500], [-6.0, 43.0, -37.0]),  # case sm-036
        ("tenhou_sanma", date(2024, 6, 1), [6800, 75700, 22500], [-53.2, 70.7, -17.5]),  # case sm-036
        ("mahjong_soul_sanma", None, [35000, 45000, 25000], [0.0, 25.0, -25.0]),  # settled by 35000, uma 15
    ],
)
def test_final_points(name, day, scores, points):
    """First place takes the rest: at Tenhou also the oka of three times 5000."""
    table = RuleTable.from_rules([preset(name, day)])
    row = np.array([0])
    found = standings(np.array([[*scores, 0]]), table, sticks=row, players=np.array([3]), rule=row)
    assert found.points[0, :3].tolist() == points
