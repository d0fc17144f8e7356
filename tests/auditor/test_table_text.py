"""The table as text: complete examples, written by hand, for written rounds of four and of three players."""

from __future__ import annotations

import polars as pl
import pytest

from auditor.audit.frames import Frames
from auditor.readers import mjlog
from auditor.show.moment import TableLookup
from auditor.show.table_text import WIDTH, labelled, lines
from tests.kit.audits import TENHOU, log_bytes, source


@pytest.fixture(autouse=True)
def _wide(monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")


# Event 4 is the deal, 5 the first draw.
ROUND = """
table {table}
East 2.1, dora 3s, sticks 1, scores 30000 24000 25000 20000
0 holds 19m 19p 19s ESWNPFC
1 holds 234m 678p 234s 56s 88s
2 holds 5m 1122p 3344p 667p 7s
3 holds 50m 13579s 88p 99p EN
1 draws W
1 discards W
2 draws 5p
2 discards 5m
3 pon 5m from 2 with 05m
3 discards N
0 draws 0p
0 discards 1m
1 draws F
1 riichi
1 discards F
1 deposit
2 draws 9s
2 discards 9s
3 draws 5m
3 kakan 5m
3 draws 7s
dora 9m
3 discards 7s
{end}
"""
WON = """1 wins 7s from 3
  fu 30
  points 3900
  ura P 9p
  yaku riichi 1, pinfu 1
  change 0 6200 0 -4200
end"""
DRAWN = """draw
  tenpai 1
  change -1000 3000 -1000 -1000
end"""


def drawn(event, end=WON, seat=None, table=1):
    """Give the table at an event of the round."""
    return drawn_of(ROUND.format(end=end, table=table), event, seat)


def drawn_of(text, event, seat=None):
    """Give the table at an event of a written round."""
    log = mjlog.READER.read([source(log_bytes(text))], TENHOU.rules)
    return "\n".join(lines(TableLookup(Frames(log, pl.DataFrame())).at(0, event), seat))


def test_a_call():
    """The called tile is marked in the river and the others in the hand; the caller is marked."""
    assert (
        drawn(9)
        == """\
  table     68 tiles left, indicators 3s, sticks 1
  seat 0 N   30000  1m 9m  1p 9p  1s 9s  E S W N P F C
  seat 1 E   24000  2m 3m 4m  6p 7p 8p  2s 3s 4s 5s 6s 8s 8s
    river   W_
  seat 2 S   25000  1p 1p 2p 2p 3p 3p 4p 4p 5p 6p 6p 7p  7s
    river   [5m]
> seat 3 W   20000  [0m] [5m]  8p 8p 9p 9p  1s 3s 5s 7s 9s  E N
  before    8: seat 2 discards 5m
  event     9: seat 3 calls pon of 5m from seat 2 with 5m 0m"""
    )


def test_a_discard_with_riichi():
    """The drawn tile is set apart, and the events since the draw are listed before the event."""
    assert (
        drawn(15)
        == """\
  table     66 tiles left, indicators 3s, sticks 1
  seat 0 N   30000  9m  1p 0p 9p  1s 9s  E S W N P F C
    river   1m
> seat 1 E   24000  2m 3m 4m  6p 7p 8p  2s 3s 4s 5s 6s 8s 8s  + [F]  in riichi
    river   W_
  seat 2 S   25000  1p 1p 2p 2p 3p 3p 4p 4p 5p 6p 6p 7p  7s
    river   5m>3
  seat 3 W   20000  8p 8p 9p 9p  1s 3s 5s 7s 9s  E
    melds   pon 5m<2 5m 0m
    river   N
  before    13: seat 1 draws F
            14: seat 1 declares riichi
  event     15: seat 1 discards F"""
    )


def test_a_kakan_and_its_indicator():
    """The kakan adds the drawn tile, which is last in the meld later; the new indicator is marked."""
    kakan = drawn(20).splitlines()
    assert "> seat 3 W   20000  8p 8p 9p 9p  1s 3s 5s 7s 9s  E  + [5m]" in kakan
    assert kakan[-1] == "  event     20: seat 3 makes a kakan: 5m to 5m 5m 0m"
    turned = drawn(22).splitlines()
    assert turned[0] == "  table     63 tiles left, indicators 3s [9m], sticks 2"
    assert "    melds   kakan 5m<2 5m 0m 5m" in turned
    assert turned[-1] == "  event     22: the indicator 9m is turned"
    assert not any(line.startswith(">") for line in turned)


def test_a_win():
    """The winner's hand has the winning tile, which is also marked in the river; so is a finding's seat."""
    assert (
        drawn(24, seat=2)
        == """\
  table     63 tiles left, indicators 3s 9m, sticks 2
  seat 0 N   30000  9m  1p 0p 9p  1s 9s  E S W N P F C
    river   1m
> seat 1 E   23000  2m 3m 4m  6p 7p 8p  2s 3s 4s 5s 6s 8s 8s  + [7s]  in riichi
    river   W_ F_*
> seat 2 S   25000  1p 1p 2p 2p 3p 3p 4p 4p 5p 6p 6p 7p  7s
    river   5m>3 9s_
  seat 3 W   20000  8p 8p 9p 9p  1s 3s 5s 7s 9s  E
    melds   kakan 5m<2 5m 0m 5m
    river   N [7s]_
  before    23: seat 3 discards 7s
  event     24: seat 1 wins on 7s, a tile of seat 3, 3900 points; indicators below 9p P; changes +0 +6200 +0 -4200"""
    )


def test_a_draw():
    """A draw shows the hands and the payments."""
    assert drawn(24, DRAWN).splitlines()[-1] == (
        "  event     24: the round is drawn, the wall is exhausted; hands are shown by seat 1; changes -1000 +3000 "
        "-1000 -1000"
    )


def test_a_set_without_red_fives():
    """If the rules have no red fives, the copies that would be red are ordinary."""
    red = drawn(24).splitlines()
    plain = drawn(24, table=3).splitlines()
    assert [(one, other) for one, other in zip(red, plain, strict=True) if one != other] == [
        (
            "  seat 0 N   30000  9m  1p 0p 9p  1s 9s  E S W N P F C",
            "  seat 0 N   30000  9m  1p 5p 9p  1s 9s  E S W N P F C",
        ),
        ("    melds   kakan 5m<2 5m 0m 5m", "    melds   kakan 5m<2 5m 5m 5m"),
    ]


THREE = """
table 17
East 2.0, dora 3s, sticks 1, scores 30000 34000 40000
0 holds 11p 234p 567p 3345s N
1 holds 234p 678p 234s 56s N P
2 holds 5p 1122p 3344p 667p N
1 draws N
1 kita N
1 draws 9s
1 kita N
1 draws 1s
1 discards P
2 draws 0p
2 kita N
0 wins N from 2
  fu 40
  points 1300
  yaku dora 1
  change 2300 0 -1300
end
"""


def test_norths_set_aside():
    """Three seats are drawn, with the winds of three. A north set aside is marked in the hand, then stands apart."""
    assert (
        drawn_of(THREE, 8)
        == """\
  table     53 tiles left, indicators 3s, sticks 1
  seat 0 W   30000  1p 1p 2p 3p 4p 5p 6p 7p  3s 3s 4s 5s  N
> seat 1 E   34000  2p 3p 4p 6p 7p 8p  2s 3s 4s 5s 6s  [N] P  + 9s
    kita    N
  seat 2 S   40000  1p 1p 2p 2p 3p 3p 4p 4p 5p 6p 6p 7p  N
  before    7: seat 1 draws 9s
  event     8: seat 1 sets N aside (kita)"""
    )


def test_a_win_on_a_north_set_aside():
    """The north that is won on is marked where it lies and in the winner's hand; changes are those of three seats."""
    assert (
        drawn_of(THREE, 13)
        == """\
  table     51 tiles left, indicators 3s, sticks 1
> seat 0 W   30000  1p 1p 2p 3p 4p 5p 6p 7p  3s 3s 4s 5s  N  + [N]
  seat 1 E   34000  2p 3p 4p 6p 7p 8p  1s 2s 3s 4s 5s 6s 9s
    kita    N N
    river   P
  seat 2 S   40000  1p 1p 2p 2p 3p 3p 4p 4p 0p 5p 6p 6p 7p
    kita    [N]
  before    12: seat 2 sets N aside (kita)
  event     13: seat 0 wins on N, a tile of seat 2, 1300 points; changes +2300 +0 -1300"""
    )


@pytest.mark.parametrize("event", range(4, 25))
def test_width(event):
    """No line is wider than the limit."""
    assert max(map(len, drawn(event).splitlines())) <= WIDTH


def test_long_texts_are_broken():
    """A text that does not fit continues below its beginning; a word that cannot be broken stays whole."""
    first, second = labelled("why", "word " * 30)
    assert (first, second) == (f"  why       {'word ' * 20}word", f"{' ' * 12}{'word ' * 8}word")
    assert labelled("at", "x" * 200) == [f"  at        {'x' * 200}"]
    assert labelled("at", "") == ["  at"]
