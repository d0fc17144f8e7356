"""Cases of checks of three players: kita (N), and chi (C107).

Fu, points, yaku and payments are worked out by hand.
"""

from __future__ import annotations

from collections import Counter

from tests.kit.check_cases.calls import TURNS
from tests.kit.check_cases.case import Case, one
from tests.kit.log_writer import ABSENT, Writer, name, names

HEAD = "table 17\nEast 3.0, dora 9p, scores 40000 35000 30000"
WAITING = "0 holds 234p 678p 234s 56s 88s"
WIN = """1 draws 7s
1 discards 7s
0 wins 7s from 1
  fu 30
  points 2000
  yaku pinfu 1, tanyao 1
  change 2000 -2000 0
end
"""

# Seat 1 sets its North aside, draws a F and discards it; seat 0 wins by its next discard.
NORTH = "1 holds 147p 147s 1m ES WW NP"
SET_ASIDE = "1 draws C\n1 kita N\n1 draws F\n1 discards F"
KITA = f"""
{HEAD}
{WAITING}
{NORTH}
2 draws E
2 discards E
0 draws W
0 discards W
{SET_ASIDE}
2 draws S
2 discards S
0 draws 9m
0 discards 9m
{WIN}"""

# The same, but seat 1 is in riichi, waits for 9s and N, and draws a C.
LOCKED = f"""
{HEAD}
{WAITING}
1 holds 123456789p 99s NN
2 draws E
2 discards E
0 draws W
0 discards W
1 draws P
1 riichi
1 discards P
1 deposit
2 draws S
2 discards S
0 draws 9m
0 discards 9m
1 draws C
1 kita N
1 draws F
1 discards F
2 draws S
2 discards S
0 draws 9m
0 discards 9m
{WIN.replace("2000 -2000 0", "3000 -2000 0")}"""

# Seat 0 has set a North aside, which is a dora.
DORA = f"""
{HEAD}
{WAITING}
2 draws E
2 discards E
0 draws N
0 kita N
0 draws W
0 discards W
1 draws 7s
1 discards 7s
0 wins 7s from 1
  fu 30
  points 3900
  yaku pinfu 1, tanyao 1, dora 1
  change 3900 -3900 0
end
"""

# Seat 0 waits for a North. A concealed triplet of honours gives 8 fu, the wait 2.
NORTH_WON = f"""
{HEAD}
0 holds 234p 678p 234s EEE N
2 draws S
2 discards S
0 draws W
0 discards W
1 draws N
1 discards N
0 wins N from 1
  fu 40
  points 1300
  yaku round wind East 1
  change 1300 -1300 0
end
"""

# Seat 1 could call a chi.
RUN = f"""
{HEAD}
{WAITING}
1 holds 12p 147s 19m ESWPFC
2 draws E
2 discards E
0 draws 3p
0 discards 3p
1 draws 9m
1 discards 9m
2 draws S
2 discards S
0 draws 9m
0 discards 9m
{WIN}"""

HANDS = ("147p 147s 19m ESWPC", "258p 258s 19m SWPFC", "369p 369s 19m ESWPF")
DRAWS = 55


def wall(left: int) -> str:
    """Describe a round in which every seat discards what it draws, until one sets aside the North that it has drawn.

    So many tiles are then left; the replacement tile is drawn in any case.
    """
    tiles = Counter(name(tile) for tile in range(136) if tile not in ABSENT)
    tiles.subtract(["9p", *"NNNN", *(tile for hand in HANDS for tile in names(hand))])
    lines = []
    for draw, tile in enumerate(list(tiles.elements())[: DRAWS - left]):
        seat = (2 + draw) % 3
        lines += [f"{seat} draws {tile}", f"{seat} discards {tile}"]
    lines[-2:-2] = [f"{lines[-1][0]} draws N", f"{lines[-1][0]} kita N"]
    return "\n".join(lines)


HOLDS = "\n".join(f"{seat} holds {hand}" for seat, hand in enumerate(HANDS))
LAST_KITA = f"\n{HEAD}\n{HOLDS}\n{wall(1)}\ndraw\nend\n"

CASES = {
    # Seat 1 calls the 3p of its left neighbour.
    "c107_chi_where_there_is_none": Case(RUN, one("1 draws 9m\n1 discards 9m", "1 chi 3p with 12p\n1 discards C")),
    # Seat 1 sets a 1m aside; or a North that is still in the wall.
    "n101_kita_without_its_north": Case(
        KITA,
        {
            "fail": (("1 kita N", "1 kita 1m"),),
            "fail_not_held": ((NORTH, NORTH.replace("N", "F")),),
        },
    ),
    # Seat 1 has called a pon; or it is seat 0's turn; or seat 1 has not drawn yet; or it is in riichi.
    "n102_kita_at_a_wrong_time": Case(
        KITA,
        {
            "fail": ((SET_ASIDE, "1 pon W from 0\n1 kita N\n1 draws F\n1 discards F"),),
            "fail_turn": (
                ("2 discards E", "2 discards E\n1 kita N\n1 draws F"),
                (SET_ASIDE, "1 draws C\n1 discards C"),
            ),
            "fail_early": ((SET_ASIDE, "1 kita N\n1 draws C\n1 draws F\n1 discards F"),),
            "fail_riichi": Writer().write(LOCKED),
        },
    ),
    "n103_no_draw_after_kita": Case(KITA, one(SET_ASIDE, "1 draws C\n1 kita N\n1 discards C")),
    "n104_norths_of_a_win": Case(DORA, one("  change 3900 -3900 0", "  change 3900 -3900 0\n  norths 0")),
    # A game of four players.
    "n105_kita_where_there_is_none": Case(
        TURNS, one("1 draws N\n1 discards N", "1 draws N\n1 kita N\n1 draws C\n1 discards C")
    ),
    # One tile is left, or none.
    "n106_kita_without_a_tile_left": Case(LAST_KITA, one(wall(1), wall(0))),
    "n107_ron_on_kita": Case(
        NORTH_WON, one("1 discards N", "1 kita N"), rules='preset = "tenhou_sanma"\nkita_ron = false\n'
    ),
}
