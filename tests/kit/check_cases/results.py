"""Cases of checks of the course of games, whole logs, tiles, wins and payments (G, L, P, T101, T102, T105, W).

``tests/kit/log_writer.py`` explains the descriptions (see `ORDINARY`). A failing log is its passing one with a line or
two replaced, so that `CASES` shows the fault in each. Fu, points, yaku and payments are worked out by hand.
"""

from __future__ import annotations

from tests.kit.check_cases.case import Case, one
from tests.kit.log_writer import Writer

# Seat 0 wins by the dealer's first discard. The log begins in the last round of an East game, which
# can end there, because seat 0 has 30000 points or more.
HEAD = "East 4.0, dora 9p, scores 30000 25000 25000 20000"
HAND = "0 holds 234m 678p 234s 56s 88s"
ORDINARY = f"""
table 1
{HEAD}
{HAND}
3 draws 7s
3 discards 7s
0 wins 7s from 3
  fu 30
  points 2000
  yaku pinfu 1, tanyao 1
  change 2000 0 0 -2000
end
"""

STICK_ON_TABLE = """
table 1
East 4.0, dora 9p, sticks 1, scores 29000 25000 25000 20000
0 holds 234m 678p 234s 56s 88s
3 draws 7s
3 discards 7s
0 wins 7s from 3
  fu 30
  points 2000
  yaku pinfu 1, tanyao 1
  change 3000 0 0 -2000
end
"""

WITH_HONBA = """
table 1
East 4.2, dora 9p, scores 30000 25000 25000 20000
0 holds 234m 678p 234s 56s 88s
3 draws 7s
3 discards 7s
0 wins 7s from 3
  fu 30
  points 2000
  yaku pinfu 1, tanyao 1
  change 2600 0 0 -2600
end
"""

# The indicator 7p makes 8p dora; riichi was declared in the first turn, so it is a double riichi.
YAKU = "  yaku double riichi 2, ippatsu 1, pinfu 1, tanyao 1"
RIICHI = f"""
table 1
East 4.0, dora 7p, scores 30000 25000 25000 20000
0 holds 234m 678p 234s 56s 88s
3 draws N
3 discards N
0 draws W
0 riichi
0 discards W
0 deposit
1 draws E
1 discards E
2 draws 7s
2 discards 7s
0 wins 7s from 2
  fu 30
  points 12000
  limit 2
{YAKU}, dora 1, ura 1
  ura 1m
  change 13000 0 -12000 0
end
"""

# Seat 1 feeds the third set of dragons and is liable; seat 2 discards the winning tile: each pays half.
PAO = """
table 1
East 4.0, dora 9p, scores 30000 25000 25000 20000
0 holds PP FF CC 56s 88s 1m 4m 9m
3 draws P
3 discards P
0 pon P from 3
0 discards 1m
1 draws F
1 discards F
0 pon F from 1
0 discards 4m
1 draws C
1 discards C
0 pon C from 1
0 discards 9m
1 draws N
1 discards N
2 draws 7s
2 discards 7s
0 wins 7s from 2
  fu 40
  points 32000
  limit 5
  yakuman daisangen
  liable 1
  change 32000 -16000 -16000 0
end
"""

# The last two rounds of an East game: nobody ends it before, and nobody is bust.
TWO_ROUNDS = f"""
table 1
East 3.0, dora 9p, scores 28000 27000 25000 20000
{HAND}
2 draws 7s
2 discards 7s
0 wins 7s from 2
  fu 30
  points 2000
  yaku pinfu 1, tanyao 1
  change 2000 0 -2000 0
East 4.0, dora 9p
1 holds 234m 678p 234s 56s 88s
3 draws 7s
3 discards 7s
1 wins 7s from 3
  fu 30
  points 2000
  yaku pinfu 1, tanyao 1
  change 0 2000 0 -2000
end
"""
SECOND, SECOND_WIN, SECOND_CHANGE = "East 4.0, dora 9p", "1 wins 7s from 3", "  change 0 2000 0 -2000"

PAGE = b"<!DOCTYPE html>\n<html><body>503 Service Unavailable</body></html>\n"


def _shown_below(tiles: str) -> bytes:
    """Give RIICHI with other ura indicators."""
    return Writer().write(RIICHI).replace(b'doraHaiUra="0"', f'doraHaiUra="{tiles}"'.encode())


CASES = {
    # An East game goes from East 3 to South 4.
    "g101_wrong_next_round": Case(TWO_ROUNDS, one(SECOND, SECOND.replace("East", "South"))),
    # Seat 0, not the dealer, won, and yet there is a honba: only in the round's head, or paid as well.
    "g102_honba_count": Case(
        TWO_ROUNDS,
        {
            "fail": ((SECOND, SECOND.replace("4.0", "4.1")), (SECOND_WIN, f"{SECOND_WIN}\n  honba 0")),
            "fail_paid": (
                (SECOND, SECOND.replace("4.0", "4.1")),
                (SECOND_CHANGE, "  change 0 2300 0 -2300"),
            ),
        },
    ),
    # Seat 0 took all sticks, and yet there is one: only in the round's head, or won as well.
    "g103_stick_count": Case(
        TWO_ROUNDS,
        {
            "fail": ((SECOND, f"{SECOND}, sticks 1"), (SECOND_WIN, f"{SECOND_WIN}\n  sticks 0")),
            "fail_paid": ((SECOND, f"{SECOND}, sticks 1"), (SECOND_CHANGE, "  change 0 3000 0 -2000")),
        },
    ),
    # The dealer of East 3 is bust; or East 4 was played, and seat 0 had 30000.
    "g104_game_went_on": Case(
        TWO_ROUNDS,
        {
            "fail": (("East 3.0, dora 9p, scores 28000 27000 25000 20000",
                      "East 3.0, dora 9p, scores 38000 41000 1000 20000"),),
            "fail_extension": (
                (SECOND, "South 1.0, dora 9p"), ("3 draws 7s", "0 draws 7s"), ("3 discards 7s", "0 discards 7s"),
                (SECOND_WIN, "1 wins 7s from 0"), (SECOND_CHANGE, "  change -2000 2000 0 0"),
                ("East 3.0, dora 9p, scores 28000 27000 25000 20000",
                 "East 4.0, dora 9p, scores 28000 27000 25000 20000"),
                ("2 draws 7s", "3 draws 7s"), ("2 discards 7s", "3 discards 7s"),
                ("0 wins 7s from 2", "0 wins 7s from 3"), ("  change 2000 0 -2000 0", "  change 2000 0 0 -2000"),
            ),
        },
    ),
    # East 4 is over and nobody has 30000.
    "g105_ended_too_early": Case(ORDINARY, one(HEAD, HEAD.replace("30000", "25000"))),
    # The loser's 2000 are in the changes, but not in the final scores.
    "g106_final_scores": Case(ORDINARY, one("end", "end\n  final 32000 25000 25000 20000")),
    # Seats with equal scores are placed in order: seat 1 is second; or the oka goes to nobody.
    "g107_ranks_or_points": Case(
        ORDINARY,
        {
            "fail": (("end", "end\n  points 42.0 -15.0 5.0 -32.0"),),
            "fail_oka": (("end", "end\n  points 22.0 5.0 -15.0 -32.0"),),
        },
    ),
    # An error page of a server under the name of a log.
    "l001_unreadable": Case(ORDINARY, {"fail": PAGE}),
    # The round has no result; the last result does not end the game; the file breaks off in a tag.
    "l002_truncated": Case(
        ORDINARY,
        {
            "fail": ((ORDINARY[ORDINARY.index("0 wins") : ORDINARY.index("\nend")], ""), ("end", "")),
            "fail_end": (("end", ""),),
            "fail_cut": (("end", "cut"),),
        },
    ),
    # No log has a tag FURO, a BYE with an attribute why, or a seat 4.
    "l003_unknown_tag": Case(
        ORDINARY,
        {
            "fail": (("0 wins 7s from 3", "raw <FURO/>\n0 wins 7s from 3"),),
            "fail_attribute": (("3 draws 7s", 'raw <BYE who="1" why="sleep"/>\n3 draws 7s'),),
            "fail_range": (("3 draws 7s", 'raw <BYE who="4"/>\n3 draws 7s'),),
        },
    ),
    # Play goes on after the win.
    "l004_event_out_of_order": Case(ORDINARY, one("end", "end\n1 draws E")),
    # The dealer discarded the tile; seat 2 pays.
    "p101_payments": Case(ORDINARY, one("  change 2000 0 0 -2000", "  change 2000 0 -2000 0")),
    # Seat 0 gets more than is paid.
    "p102_balance": Case(ORDINARY, one("  change 2000 0 0 -2000", "  change 2000 0 0 -1900")),
    # Two honba are 600, one is paid; or two are in the round's head, and one beside the win.
    "p103_honba": Case(
        WITH_HONBA,
        {
            "fail": (("  change 2600 0 0 -2600", "  change 2300 0 0 -2300"),),
            "fail_count": (("  fu 30", "  honba 1\n  fu 30"),),
        },
    ),
    # The winner does not take the stick; or takes it, although the win states none.
    "p104_riichi_sticks": Case(
        STICK_ON_TABLE,
        {
            "fail": (("  change 3000 0 0 -2000", "  change 2000 0 0 -2000"),),
            "fail_count": (("  fu 30", "  sticks 0\n  fu 30"),),
        },
    ),
    # A thousand points changed hands during the round.
    "p105_scores_carry_over": Case(
        ORDINARY, one("  fu 30", "  before 31000 25000 25000 19000\n  fu 30")
    ),
    # Seat 1 holds four E, and one more is the indicator.
    "t101_fifth_copy": Case(
        ORDINARY.replace("3 draws", "1 holds EEEE 1m 4m 7m 1p 4p 7p 1s S W\n3 draws"),
        one(HEAD, HEAD.replace("9p", "E")),
    ),
    # The dealer discards 7s and has none.
    "t102_tile_not_in_hand": Case(ORDINARY, one("3 draws 7s", "3 draws E")),
    # The winner opens 789p for 678p.
    "t105_shown_hand": Case(ORDINARY, one("  fu 30", "  shows 234m 789p 234s 567s 88s\n  fu 30")),
    # 8s and 9s are no pair.
    "w101_not_a_winning_hand": Case(ORDINARY, one(HAND, HAND.replace("88s", "89s"))),
    # With 111m for 234m there is neither tanyao nor pinfu.
    "w102_no_yaku": Case(ORDINARY, one(HAND, HAND.replace("234m", "111m"))),
    # No two runs of the hand are equal.
    "w104_yaku_list": Case(ORDINARY, one("  yaku pinfu 1, tanyao 1", "  yaku tanyao 1, iipeikou 1")),
    # Tanyao is one han.
    "w105_han": Case(ORDINARY, one("  yaku pinfu 1, tanyao 1", "  yaku pinfu 1, tanyao 2")),
    # A closed ron with pinfu is 30 fu.
    "w106_fu": Case(ORDINARY, one("  fu 30", "  fu 40")),
    # 30 fu and two han are 2000 points, and no mangan.
    "w107_points": Case(
        ORDINARY,
        {
            "fail": (("  points 2000", "  points 2600"),),
            "fail_limit": (("  points 2000", "  points 2000\n  limit 1"),),
        },
    ),
    # The ura indicator 1m makes 2m dora, of which the hand has one; the indicator 7p counts for one 8p.
    "w108_dora": Case(
        RIICHI,
        {
            "fail": ((f"{YAKU}, dora 1, ura 1", f"{YAKU}, dora 2, ura 1"),),
            "fail_ura": ((f"{YAKU}, dora 1, ura 1", f"{YAKU}, dora 1, ura 0"),),
            "fail_red": ((f"{YAKU}, dora 1, ura 1", f"{YAKU}, dora 1, ura 1, red 1"),),
        },
    ),
    # The last tile was the dealer's 7s, not the winner's own 6s.
    "w109_winning_tile": Case(ORDINARY, one("  fu 30", "  tile 6s\n  fu 30")),
    # No liable seat is stated, though seat 1 pays half.
    "w111_liability": Case(PAO, one("  liable 1", "")),
    # One indicator is turned, so one lies below it; seat 1 was dealt another 1m, the tile 1.
    "w112_indicators_below": Case(
        RIICHI,
        {
            "fail": _shown_below("0,0"),
            "fail_in_play": _shown_below("1"),
            "fail_more": (("  ura 1m", "  ura 1m 9p"),),
        },
    ),
}  # fmt: skip
