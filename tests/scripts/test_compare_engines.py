"""The comparison with other engines: random wins agree except for known causes, and a wrong rule is detected."""

from collections import Counter
from dataclasses import replace
from importlib import import_module

import pytest

from engine.tiles.hands import parse_hand
from engine.tiles.kinds import KIND, NORTH
from scripts.compare_engines import compare, compare_shapes, rule_sets
from tests.kit.random_wins import SANMA, deal, deal_short

ENGINES = ("mahjong", "jansou")


@pytest.fixture(scope="module")
def wins():
    """Deal wins for four players and for three."""
    return deal(2000, seed=5) + deal(2000, seed=5, players=3)


def oracle(name):
    """Give an engine; skip if it is not installed."""
    pytest.importorskip(name)
    return import_module(f"scripts.oracles.{name}").ORACLE


@pytest.mark.parametrize("name", ENGINES)
def test_wins_agree_but_for_causes(name, wins, capsys):
    """Wins under all rule sets, shanten and waits agree, except for known causes."""
    assert compare(oracle(name), wins, seed=2) == []
    assert compare_shapes(oracle(name), [win for win in wins if win.players == 4], seed=2) == []
    printed = capsys.readouterr().out
    assert "3 players: 2000 wins" in printed
    assert "4 players: 2000 wins" in printed


@pytest.mark.parametrize("name", ENGINES)
def test_a_cause_is_needed(name, wins):
    """Without the list of causes, differences remain."""
    assert compare(replace(oracle(name), causes={}), wins, seed=2)


@pytest.mark.parametrize(
    ("name", "ruled"),
    [
        ("mahjong", {"kiriage_mangan": False}),
        ("mahjong", {"open_tanyao": True}),
        ("mahjong", {"local_yaku": ()}),
        ("jansou", {"double_wind_pair_fu": 4}),
        ("jansou", {"kazoe_yakuman": True}),
        ("jansou", {"honba_value": 100}),
        ("jansou", {"kita_han": 1}),
        ("mahjong", {"kita_chankan": False}),
        ("mahjong", {"kita_rinshan_yaku": True}),
    ],
)
def test_a_wrong_rule_is_found_out(name, ruled, wins):
    """An engine that uses a wrong rule gives differences without a known cause."""
    right = oracle(name)

    def ask(asked, rules):
        return right.ask(asked, [each.changed(**ruled) for each in rules])

    assert compare(replace(right, ask=ask), wins, seed=2)


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("name", ENGINES)
def test_rule_sets_are_many_and_expressible(name, players):
    """There are at least twenty rule sets, with presets and random ones, all of which the engine can express."""
    found = rule_sets(oracle(name), seed=2, players=players)
    assert len(found) >= 20
    assert {rules.players for rules in found} == {players}
    assert {"tenhou" in each or "random" in each for each in found.values()} >= {True}
    for rules in found:
        assert all(getattr(rules, rule) in can for rule, can in oracle(name).allowed.items() if rule != "kan_ura_dora")


def test_wins_are_possible(wins):
    """No fifth tile among hand and indicators, no tile that three players lack, no riichi with an open hand."""
    for win in wins:
        tiles = [*win.tiles, *(tile for meld in win.melds for tile in meld.tiles)]
        kinds = [int(KIND[tile]) for tile in tiles] + [*win.dora, *win.ura] + [NORTH] * win.norths
        assert max(Counter(kinds).values()) <= 4
        assert (win.norths, win.on_kita) == (0, False) if win.players == 4 else set(kinds) <= set(SANMA)
        assert not win.on_kita or (win.tiles[-1] == NORTH and not win.tsumo)
        assert win.closed or not win.riichi
        assert len(win.tiles) + 3 * len(win.melds) == 14


def test_wins_of_three_players_are_of_all_kinds(wins):
    """Most have a North set aside; some are rons on one, or won by the replacement of one."""
    three = [win for win in wins if win.players == 3]
    assert sum(win.norths > 0 for win in three) > 1000
    assert sum(win.on_kita for win in three) > 10
    assert sum(win.after_kita for win in three) > 100


def test_wins_are_written_as_the_engine_reads_them(wins):
    """What a report prints can be put to `auditor hand`."""
    for win in wins[:100]:
        hand = parse_hand(str(win).split(" ", maxsplit=1)[0])
        assert hand.counts().sum() == len(win.tiles)
        assert hand.n_melds[0] == len(win.melds)


def test_short_hands_are_one_tile_short(wins):
    """They keep their melds and hold no fifth tile."""
    for win, short in zip(wins, deal_short(wins, seed=3), strict=True):
        assert len(short.tiles) == len(win.tiles) - 1
        kinds = [int(KIND[tile]) for tile in (*short.tiles, *(tile for meld in short.melds for tile in meld.tiles))]
        assert max(Counter(kinds).values()) <= 4
