"""The table of riichi declarations: row by row beside a slow replay, and what is null where nobody can know."""

from __future__ import annotations

import polars as pl
import pytest

from tests.kit.audits import CHECKS, LOGS, audited, log_bytes, read_all
from tests.kit.log_writer import name
from tests.kit.plain import mjlog_reader
from tests.kit.plain import stats as plain_stats

COLUMNS = ["turn", "discard", "double", "waits", "kinds", "unseen", "paid"]

# Seat 0 waits for 4s and 7s: a 7s is the indicator, so that four 4s and three 7s are unseen.
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
    """Audit a told log; give its rows of the table, each as a tuple."""
    return audited(log_bytes(text)).tables["riichis"].select(COLUMNS).rows()


def test_shipped_games_row_by_row(shipped_dataset):
    """Place, turn, discard, waits, unseen tiles and stick are those of a replay tile by tile."""
    table = pl.read_parquet(f"{shipped_dataset}/riichis/*.parquet").drop("source", "within")
    games = pl.read_parquet(f"{shipped_dataset}/games/*.parquet")
    ids = dict(games.select("source", "game_id").rows())
    expected = []
    for path, source in zip(LOGS, read_all(LOGS)[0], strict=True):
        game = mjlog_reader.read(source.data)
        no_reds = int(game.head["type"]) & 2  # ids of red fives are ordinary ones
        for row in plain_stats.riichis(game):
            *place, discard, double, kinds, unseen, paid = row
            waits = " ".join(name(4 * kind + 1) for kind in kinds)
            expected.append(
                (
                    ids[str(path)],
                    *place,
                    name(discard // 4 * 4 + 1 if no_reds else discard),
                    double,
                    waits,
                    len(kinds),
                    unseen,
                    paid,
                )
            )
    assert sorted(table.rows()) == sorted(expected)
    assert table.columns[5:] == COLUMNS[1:]


def test_double_riichi():
    """The first turn, nobody has called: double; the indicator is seen."""
    assert rows(READY) == [(1, "E", True, "4s 7s", 2, 7, True)]


@pytest.mark.parametrize(
    ("change", "row"),
    [
        # A river's tile is seen, and a second turn is no double riichi.
        (("0 riichi", ("0 discards E\n1 draws 7s\n1 discards 7s\n2 draws 1m\n2 discards 1m\n3 draws 1m\n3 discards 1m\n"
          "0 draws E\n0 riichi")), (2, "E", False, "4s 7s", 2, 6, True)),
        # So is another seat's meld: its own two tiles; what it took lay in a river before.
        (("0 draws E\n0 riichi", ("1 holds 56s 19m 19p 19s ESWNP\n0 draws 7s\n0 discards 7s\n1 chi 7s with 56s\n"
          "1 discards E\n2 draws 4s\n2 discards 4s\n3 draws 4s\n3 discards 4s\n0 draws E\n0 riichi")),
         (2, "E", False, "4s 7s", 2, 4, True)),
        (("0 draws E\n0 riichi", ("0 draws S\n0 discards S\n1 draws 1m\n1 discards 1m\n2 draws 4s\n2 discards 4s\n"
          "3 holds 44s 19m 19p 19s ESWNP\n3 pon 4s from 2\n3 discards E\n0 draws E\n0 riichi")),
         (2, "E", False, "4s 7s", 2, 4, True)),
        # The hand is not tenpai: no kind.
        (("56s 88s", "59s 88s"), (1, "E", True, "", 0, 0, True)),
        # A red five is told as one.
        (("0 draws E\n0 riichi\n0 discards E", "0 draws 0m\n0 riichi\n0 discards 0m"),
         (1, "0m", True, "4s 7s", 2, 7, True)),
        # A hand that discards what it has not: nobody knows its waits.
        (("0 discards E", "0 discards W"), (1, "W", True, None, None, None, True)),
        # Another that does: the waits stand, what is left of them does not.
        (("1 draws 9m\n1 discards 9m", "1 draws 9m\n1 discards 7s"), (1, "E", True, "4s 7s", 2, None, True)),
    ],
)  # fmt: skip
def test_what_a_hand_sees(change, row):
    """The same riichi told otherwise."""
    assert READY.count(change[0]) == 1
    assert rows(READY.replace(*change)) == [row]


def test_own_ankan():
    """A call, be it an own ankan, ends the first turn; its indicator is seen."""
    text = READY.replace("678p", "PPP").replace("0 draws E", "0 draws P\n0 ankan P\ndora 4s\n0 draws E")
    assert rows(text) == [(1, "E", False, "4s 7s", 2, 6, True)]


def test_ron_on_the_declaring_discard():
    """The stick is not paid; the waits are known all the same."""
    head = READY.split("0 deposit", maxsplit=1)[0].replace("0 holds", "2 holds 123p 456p 789p 123s E\n0 holds")
    text = head + "2 wins E from 0\n  fu 40\n  points 5200\n  yaku ittsuu 2\n  change -5200 0 5200 0\nend\n"
    assert rows(text) == [(1, "E", True, "4s 7s", 2, 7, False)]


def test_a_round_that_breaks_off():
    """Whether the stick was still to be paid, nobody knows; what was declared stands."""
    head = READY.split("1 draws", maxsplit=1)[0]
    row = (1, "E", True, "4s 7s", 2, 7)
    assert rows(head + "1 draws 9m\ncut") == [(*row, True)]
    assert rows(head.replace("0 deposit", "1 draws 9m\n1 discards 9m") + "cut") == [(*row, None)]
    assert rows(head.replace("0 deposit\n", "") + "cut") == [(1, None, True, None, None, None, None)]


def test_declared_twice():
    """Each declaration has its row; of the second nothing but its place is known."""
    table = audited((CHECKS / "r106_declared_twice" / "fail.mjlog").read_bytes()).tables["riichis"]
    assert table["seat"].to_list() == [1, 1]
    assert table.select(pl.col("waits", "kinds", "unseen", "paid").is_not_null()).rows() == [(True,) * 4, (False,) * 4]


def test_an_indicator_out_of_place():
    """What was turned without a kan says nothing of what the hand sees."""
    assert rows(READY.replace("0 riichi", "dora 4s\n0 riichi")) == [(1, "E", True, "4s 7s", 2, None, True)]
