"""Statistics of three players: never mixed with four, seat 3 counts nowhere, kita are counted."""

from __future__ import annotations

import json

import polars as pl
import pytest

from auditor.base.choices import By
from auditor.dataset.opened import flat, shown
from auditor.dataset.schema import TABLES
from auditor.dataset.stats import STATISTICS, computed
from tests.kit.command_line import auditor

NOTHING = dict.fromkeys(("chi", "pon", "daiminkan", "ankan", "kakan", "kita"), 0) | dict.fromkeys(
    ("won", "tsumo", "dealt_in"), False
)
GAME = {"source": "log", "platform": "here", "rule_set": "tenhou"}
# Two rounds of three players: seat 1 deals seat 0 a hand of 3900 in; then only seat 2 is tenpai at the last tile.
# One round of four players, with the same scores as far as they go: seat 3 wins by own draw.
TABLES_OF = {
    "games": [
        GAME | {"game_id": "a", "players": 3, "names": ["x", "y", "z"], "final_scores": [37900, 30100, 37000, None],
                "final_points": [18.0, -20.0, 2.0, None]},
        GAME | {"game_id": "b", "players": 4, "names": ["x", "y", "z", "w"],
                "final_scores": [24000, 24000, 24000, 28000], "final_points": [-6.0, -16.0, -26.0, 48.0]},
    ],
    "rounds": [
        {"game_id": "a", "players": 3, "round": 0, "dealer": 0, "result": "win", "winners": [0], "riichi": [1],
         "start_scores": [35000, 35000, 35000, None], "end_scores": [39900, 30100, 35000, None]},
        {"game_id": "a", "players": 3, "round": 1, "dealer": 0, "result": "exhaustive", "winners": [], "riichi": [],
         "tenpai": [2], "start_scores": [39900, 31100, 35000, None], "end_scores": [38900, 30100, 37000, None]},
        {"game_id": "b", "players": 4, "round": 0, "dealer": 0, "result": "win", "winners": [3], "riichi": [],
         "start_scores": [25000, 25000, 25000, 25000], "end_scores": [24000, 24000, 24000, 28000]},
    ],
    "hands": [
        # round, seat, dealer, shanten dealt; then what happened
        {"game_id": "a", "players": 3, "round": 0, "seat": 0, "dealer": True, "shanten": 3, "tenpai_turn": 2, "pon": 1,
         "kita": 1, "kita_turn": 1, "result": "win", "won": True, "points": 3900, "change": 4900},
        {"game_id": "a", "players": 3, "round": 0, "seat": 1, "dealer": False, "shanten": 1, "tenpai_turn": 1,
         "riichi_turn": 1, "riichi_order": 1, "result": "win", "dealt_in": True, "dealt_points": 3900, "change": -4900},
        {"game_id": "a", "players": 3, "round": 0, "seat": 2, "dealer": False, "shanten": 3, "kita": 1, "kita_turn": 2,
         "result": "win", "change": 0},
        {"game_id": "a", "players": 3, "round": 1, "seat": 0, "dealer": True, "shanten": 4, "result": "exhaustive",
         "tenpai": False, "change": -1000},
        {"game_id": "a", "players": 3, "round": 1, "seat": 1, "dealer": False, "shanten": 4, "result": "exhaustive",
         "tenpai": False, "change": -1000},
        {"game_id": "a", "players": 3, "round": 1, "seat": 2, "dealer": False, "shanten": 0, "tenpai_turn": 1,
         "kita": 2, "kita_turn": 1, "result": "exhaustive", "tenpai": True, "change": 2000},
        *({"game_id": "b", "players": 4, "round": 0, "seat": seat, "dealer": seat == 0, "shanten": 2, "result": "win",
           "change": -1000, "tsumo_paid": 1000} for seat in range(3)),
        {"game_id": "b", "players": 4, "round": 0, "seat": 3, "dealer": False, "shanten": 0, "tenpai_turn": 1,
         "result": "win", "won": True, "tsumo": True, "points": 3000, "change": 3000},
    ],
    "turns": [
        {"game_id": "a", "players": 3, "round": round_, "event": event, "seat": seat, "kind": kind, "turn": turn,
         "shanten": shanten}
        for event, (round_, seat, kind, turn, shanten) in enumerate([
            (0, 0, "draw", 1, 2), (0, 0, "kita", 1, 2), (0, 0, "draw", 1, 1), (0, 1, "draw", 1, 0),
            (0, 2, "draw", 1, 3), (0, 0, "pon", 2, 0), (0, 2, "draw", 2, 3), (0, 2, "kita", 2, 3), (0, 2, "draw", 2, 3),
            (1, 2, "draw", 1, 0), (1, 2, "kita", 1, 0), (1, 2, "draw", 1, 0), (1, 2, "kita", 1, 0),
            (1, 2, "draw", 1, 0),
        ])
    ] + [{"game_id": "b", "players": 4, "round": 0, "event": 0, "seat": 3, "kind": "draw", "turn": 1, "shanten": -1}],
    "wins": [
        {"game_id": "a", "players": 3, "round": 0, "winner": 0, "payer": 1, "yaku": "tanyao 1", "riichi": False,
         "dora": 2, "ura": 0, "red": 0, "han": 3, "limit": 0, "turn": 2, "open": True,
         "points": 3900, "deltas": [4900, -3900, 0, None]},
        {"game_id": "b", "players": 4, "round": 0, "winner": 3, "payer": 3, "yaku": "tenhou 0", "riichi": False,
         "dora": 0, "ura": 0, "red": 0, "han": 0, "limit": 5, "points": 3000, "deltas": [-1000, -1000, -1000, 3000]},
    ],
    "findings": [{"game_id": "a", "code": "W106", "round": 0}],
    "sources": [{"source": "log", "format": "mjlog"}],
}  # fmt: skip


def frames(*games):
    """Give the tables of some of the games as a dataset has them."""
    found = {}
    for name, table in TABLES.items():
        usual = {"source": "log"} | (NOTHING if name == "hands" else {})
        rows = [usual | row for row in TABLES_OF.get(name, []) if row.get("game_id", games[0]) in games]
        whole = [{column: row.get(column) for column in table.types} for row in rows]
        found[name] = pl.DataFrame(whole, schema=table.types).lazy()
    return found


BOTH = frames("a", "b")
COUNTED = {
    # statistic, key, measure: numerator and denominator of three players, counted by hand
    ("rates", None, "win"): (1, 6),
    ("rates", None, "tsumo"): (0, 6),
    ("rates", None, "deal_in"): (1, 6),
    ("rates", None, "riichi"): (1, 6),
    ("rates", None, "call"): (1, 6),
    ("points", None, "change"): (4900 - 4900 - 1000 - 1000 + 2000, 6),
    ("placement", None, "first"): (1, 3),
    ("placement", None, "third"): (1, 3),
    ("placement", None, "fourth"): (0, 0),
    ("placement", None, "below_zero"): (0, 3),
    ("placement", None, "place"): (1 + 2 + 3, 3),
    ("placement", None, "final_score"): (105000, 3),
    ("placement", None, "final_points"): (0, 3),
    ("placement", None, "top2"): (2, 3),
    ("placement", None, "stable_dan"): (0, 0),
    ("draws", None, "exhaustive"): (3, 6),
    ("draws", None, "tenpai"): (1, 3),
    ("results", "win", "share"): (1, 2),
    ("tenpai", None, "reached"): (3, 6),
    ("tenpai", None, "turn"): (2 + 1 + 1, 3),
    ("tenpai", None, "dealt"): (3 + 1 + 3 + 4 + 4 + 0, 6),
    ("deals", 3, "win"): (1, 2),
    ("open", None, "win"): (1, 1),
    ("wins", None, "turn"): (2, 1),
    ("wins", None, "open"): (1, 1),
    ("limits", 0, "share"): (1, 1),
    ("points", None, "tsumo_paid"): (0, 0),
    ("dealerships", None, "length"): (2, 1),
    ("dealerships", None, "longest"): (2, 1),
    ("riichi", None, "first"): (1, 1),
    ("riichi_orders", 1, "deal_in"): (1, 1),
    ("shanten", 1, "shanten"): (2 + 1 + 0 + 3 + 0 + 0 + 0, 7),
    ("shanten", 2, "tenpai"): (0, 2),
    ("yaku", "tanyao", "share"): (1, 1),
    ("dora", None, "dora"): (2, 1),
    ("kita", None, "any"): (3, 6),
    ("kita", None, "kita"): (4, 6),
    ("kita", None, "turn"): (1 + 2 + 1, 3),
    ("kita", None, "kita_of_wins"): (1, 1),
    ("kita_counts", 0, "deal_in"): (1, 3),
    ("kita_counts", 1, "win"): (1, 2),
    ("kita_counts", 1, "won"): (3900, 1),
    ("kita_counts", 2, "change"): (2000, 1),
    ("mismatches", "W106", "games"): (1, 1),
    ("mismatches", "W106", "rounds"): (1, 2),
}


def figures(rows, name):
    """Give numerators and denominators by key and measure."""
    key = STATISTICS[name].key
    return {(row[key] if key else None, row["measure"]): (row["numerator"], row["denominator"]) for row in rows}


@pytest.mark.parametrize(("name", "key", "measure"), COUNTED)
def test_counted_by_hand(name, key, measure):
    """Three players have three rows a round; what seat 3 lacks is no row, and no zero."""
    rows = [row for row in computed(BOTH, name).to_dicts() if row["players"] == 3]
    assert figures(rows, name)[key, measure] == COUNTED[name, key, measure]
    assert {row["games"] for row in rows} == {1}


@pytest.mark.parametrize(
    ("name", "by"),
    [
        pytest.param(name, by, marks=[] if by is None else pytest.mark.long)
        for name in STATISTICS
        for by in (None, *STATISTICS[name].splits)
    ],
)
def test_three_and_four_are_never_mixed(name, by):
    """Of both, each statistic is split by players first; its halves are what either dataset gives alone."""
    both = computed(BOTH, name, by)
    assert both.columns[0] == "players"
    assert both.columns.count("players") == 1
    for players, game in ((3, "a"), (4, "b")):
        half = both.filter(players=players)
        alone = computed(frames(game), name, by)
        assert ("players" in alone.columns) == (by is By.players)
        # A group without rows has no figures beside another one, but zeros over nothing if it is alone.
        alone = alone.filter(pl.col("denominator") > 0).drop("players", strict=False)
        assert half.filter(pl.col("denominator") > 0).drop("players").equals(alone)
        filtered = computed(BOTH, name, by, players=players)
        assert filtered.filter(pl.col("denominator") > 0).drop("players", strict=False).equals(alone)
        assert ("players" in filtered.columns) == (by is By.players)


def test_places_of_three_are_certain():
    """One of three seats has each place, so these shares have no interval; shares of one player have."""
    places = computed(BOTH, "placement", players=3).filter(pl.col("measure").is_in(["first", "second", "third"]))
    assert places["value"].to_list() == [1 / 3] * 3
    assert places["low"].is_null().all()
    of_player = computed(BOTH, "placement", By.player, players=3).filter(measure="first")
    assert of_player["low"].is_not_null().all()


def test_min_games_counts_each_kind():
    """Player x has one game of each kind, so with at least two of a kind there is none."""
    assert computed(BOTH, "rates", By.player, min_games=1).filter(player="x")["games"].unique().to_list() == [1]
    assert computed(BOTH, "rates", By.player, min_games=2).is_empty()


def test_option(shipped_dataset):
    """``--players 4`` changes nothing in a dataset of four players; of three there is nothing; 5 is refused."""
    command = ("stats", shipped_dataset, "placement", "--format", "json")
    whole = json.loads(auditor(*command)[1])
    assert json.loads(auditor(*command, "--players", 4)[1]) == whole
    assert {row["denominator"] for row in json.loads(auditor(*command, "--players", 3)[1])} == {0}
    code, text, error = auditor(*command, "--players", 5)
    assert (code, text) == (2, "")
    assert "--players" in error


def test_a_worth_that_is_not_recorded_is_no_zero():
    """A win whose worth the log does not state counts in no mean of worths; its rates stay."""
    worthless = BOTH | {
        name: BOTH[name].with_columns(points=pl.lit(None, pl.Int32)) for name in ("hands", "wins")
    }  # fmt: skip
    worthless["hands"] = worthless["hands"].with_columns(dealt_points=pl.lit(None, pl.Int32))
    points = figures(computed(worthless, "points", players=3).to_dicts(), "points")
    assert points[None, "won"] == points[None, "dealt_in"] == (0, 0)
    assert figures(computed(worthless, "wins", players=3).to_dicts(), "wins")[None, "points"] == (0, 0)
    assert figures(computed(worthless, "rates", players=3).to_dicts(), "rates")[None, "win"] == (1, 6)


def test_a_list_as_text_keeps_the_places_of_its_values():
    """A null among values is a -, so that each value stays at its place."""
    frame = pl.DataFrame({"called_by": [[None, 2, None, 0, None], [], None, [None]]})
    assert flat(frame)["called_by"].to_list() == ["- 2 - 0", "", None, ""]


def test_lists_by_seat_end_with_the_last_seat():
    """As text, scores of three players are three numbers, as names are three; nothing stands for seat 3."""
    rounds = BOTH["rounds"].select("end_scores").collect()
    assert flat(rounds)["end_scores"].to_list() == [
        "39900 30100 35000", "38900 30100 37000", "24000 24000 24000 28000"
    ]  # fmt: skip
    assert "39900 30100 35000\n" in shown(rounds)
