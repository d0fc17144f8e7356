"""The table of riichi declarations: each row compared with a slow replay, and nulls where a value is unknowable."""

from __future__ import annotations

import polars as pl
import pytest

from auditor.audit.audit_batch import audit
from tests.kit.audits import CHECKS, LOGS, TENHOU, audited, files_below, log_bytes, read_all
from tests.kit.log_writer import name
from tests.kit.plain import mjlog_reader
from tests.kit.plain import stats as plain_stats

COLUMNS = ["turn", "discard", "double", "waits", "kinds", "unseen", "paid"]

# Seat 0 waits for 4s and 7s. A 7s is the indicator, so that four 4s and three 7s are unseen.
READY = """
table 1
East 1.0, dora 7s, scores 25000 25000 25000 25000
0 holds 234m 678p 789m 56s 88s
0 draws E
0 riichi
0 discards E
0 deposit
1 draws 9m
1 discards 9m
2 draws 4s
2 discards 4s
0 wins 4s from 2
  fu 30
  points 2000
  yaku double riichi 2
  ura 1m
  change 3000 0 -2000 0
end
"""


def rows(text):
    """Audit a written log; give its rows of the table as tuples."""
    return audited(log_bytes(text)).tables["riichis"].select(COLUMNS).rows()


def assert_row_by_row(table, games, paths):
    """Compare the tables of a dataset with a replay of its logs, tile by tile."""
    table = table.drop("source", "within", "players")
    ids = dict(games.select("source", "game_id").rows())
    expected = []
    for path, source in zip(paths, read_all(paths)[0], strict=True):
        game = mjlog_reader.read(source.data)
        no_reds = int(game.head["type"]) & 2  # ids of red fives become ordinary ones
        for row in plain_stats.riichis(game):
            *place, discard, double, kinds, unseen, furiten, paid = row
            waits = " ".join(name(4 * kind + 1) for kind in kinds)
            tile = name(discard // 4 * 4 + 1 if no_reds else discard)
            expected.append((ids[str(path)], *place, tile, double, waits, len(kinds), unseen, furiten, paid))
    assert expected
    assert sorted(table.rows()) == sorted(expected)
    assert [column for column in table.columns[5:] if column != "furiten"] == COLUMNS[1:]


def test_shipped_games_row_by_row(shipped_dataset):
    """Place, turn, discard, waits, unseen tiles and stick are those of a replay tile by tile."""
    assert_row_by_row(*(pl.read_parquet(f"{shipped_dataset}/{name}/*.parquet") for name in ("riichis", "games")), LOGS)


@pytest.mark.long
def test_real_games_of_three_row_by_row(shared):
    """So are those of three players; who waits for a north sees the norths set aside, and 2m to 8m are no waits."""
    paths = files_below(shared / "corpus" / "tenhou-mjlog-3p")[::7]
    tables = audit(read_all(paths)[0], TENHOU).tables
    assert_row_by_row(tables["riichis"], tables["games"], paths)


def test_double_riichi():
    """On the first turn without a call before, the riichi is double; the indicator counts as seen."""
    assert rows(READY) == [(1, "E", True, "4s 7s", 2, 7, True)]


@pytest.mark.parametrize(
    ("change", "row"),
    [
        # A tile in a river is seen, and on the second turn a riichi is not double.
        (("0 riichi", ("0 discards E\n1 draws 7s\n1 discards 7s\n2 draws 1m\n2 discards 1m\n3 draws 1m\n3 discards 1m\n"
          "0 draws E\n0 riichi")), (2, "E", False, "4s 7s", 2, 6, True)),
        # Another seat's meld is seen, too: its own two tiles, beside the called one from a river.
        (("0 draws E\n0 riichi", ("1 holds 56s 19m 19p 19s ESWNP\n0 draws 7s\n0 discards 7s\n1 chi 7s with 56s\n"
          "1 discards E\n2 draws 4s\n2 discards 4s\n3 draws 4s\n3 discards 4s\n0 draws E\n0 riichi")),
         (2, "E", False, "4s 7s", 2, 4, True)),
        (("0 draws E\n0 riichi", ("0 draws S\n0 discards S\n1 draws 1m\n1 discards 1m\n2 draws 4s\n2 discards 4s\n"
          "3 holds 44s 19m 19p 19s ESWNP\n3 pon 4s from 2\n3 discards E\n0 draws E\n0 riichi")),
         (2, "E", False, "4s 7s", 2, 4, True)),
        # The hand is not tenpai: it waits for nothing.
        (("56s 88s", "59s 88s"), (1, "E", True, "", 0, 0, True)),
        # A red five is given as a red five.
        (("0 draws E\n0 riichi\n0 discards E", "0 draws 0m\n0 riichi\n0 discards 0m"),
         (1, "0m", True, "4s 7s", 2, 7, True)),
        # A hand that discards a tile which it does not hold has unknown waits.
        (("0 discards E", "0 discards W"), (1, "W", True, None, None, None, True)),
        # If another hand does so, the waits are known and the number of unseen tiles is not.
        (("1 draws 9m\n1 discards 9m", "1 draws 9m\n1 discards 7s"), (1, "E", True, "4s 7s", 2, None, True)),
    ],
)  # fmt: skip
def test_each_change_changes_only_its_values(change, row):
    """Each change of the log changes only these values of the riichi."""
    assert READY.count(change[0]) == 1
    assert rows(READY.replace(*change)) == [row]


def test_own_ankan():
    """An own ankan ends the first turn, and its indicator counts as seen."""
    text = READY.replace("678p", "PPP").replace("0 draws E", "0 draws P\n0 ankan P\ndora 4s\n0 draws E")
    assert rows(text) == [(1, "E", False, "4s 7s", 2, 6, True)]


def test_ron_on_the_declaring_discard():
    """The stick is not paid after a ron on the declaring discard; the waits are known."""
    head = READY.split("0 deposit", maxsplit=1)[0].replace("0 holds", "2 holds 123p 456p 789p 123s E\n0 holds")
    text = head + "2 wins E from 0\n  fu 40\n  points 5200\n  yaku ittsuu 2\n  change -5200 0 5200 0\nend\n"
    assert rows(text) == [(1, "E", True, "4s 7s", 2, 7, False)]


def test_a_round_that_breaks_off():
    """If the log breaks off, the stick is unknown, and the declaration remains."""
    head = READY.split("1 draws", maxsplit=1)[0]
    row = (1, "E", True, "4s 7s", 2, 7)
    assert rows(head + "1 draws 9m\ncut") == [(*row, True)]
    assert rows(head.replace("0 deposit", "1 draws 9m\n1 discards 9m") + "cut") == [(*row, None)]
    assert rows(head.replace("0 deposit\n", "") + "cut") == [(1, None, True, None, None, None, None)]


def test_declared_twice():
    """Each declaration has a row; only the place of the second one is known."""
    table = audited((CHECKS / "r106_declared_twice" / "fail.mjlog").read_bytes()).tables["riichis"]
    assert table["seat"].to_list() == [1, 1]
    assert table.select(pl.col("waits", "kinds", "unseen", "paid").is_not_null()).rows() == [(True,) * 4, (False,) * 4]


def test_an_indicator_out_of_place():
    """After an indicator without a kan, the number of unseen tiles is unknown."""
    assert rows(READY.replace("0 riichi", "dora 4s\n0 riichi")) == [(1, "E", True, "4s 7s", 2, None, True)]
