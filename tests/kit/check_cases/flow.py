"""Cases of checks of riichi, furiten, winners of one tile, draws (R, W103, W110, X, P106, P107).

Fu, points, yaku and payments are worked out by hand.
"""

from __future__ import annotations

from collections import Counter

from tests.kit.check_cases.case import Case, one
from tests.kit.log_writer import name, names

HEAD = "East 4.0, dora 9p, scores 30000 25000 25000 20000"

# Seat 1 declares riichi in its first turn and discards once more; seat 0 wins by seat 2's tile and takes the stick.
NINE_RUNS = "1 holds 123m 456m 789m NN E 9s"
RIICHI = f"""
table 1
{HEAD}
0 holds 234m 678p 234s 56s 88s
{NINE_RUNS}
3 draws N
3 discards N
0 draws W
0 discards W
1 draws 9s
1 riichi
1 discards E
1 deposit
2 draws S
2 discards S
3 draws S
3 discards S
0 draws P
0 discards P
1 draws 2p
1 discards 2p
2 draws 7s
2 discards 7s
0 wins 7s from 2
  fu 30
  points 2000
  yaku pinfu 1, tanyao 1
  change 3000 0 -2000 0
end
"""

# Nobody is in riichi; seat 0 waits for 4s and 7s from the deal on.
WAITING = f"""
table 1
{HEAD}
0 holds 234m 678p 234s 56s 88s
3 draws N
3 discards N
0 draws W
0 discards W
1 draws E
1 discards E
2 draws 7s
2 discards 7s
0 wins 7s from 2
  fu 30
  points 2000
  yaku pinfu 1, tanyao 1
  change 2000 0 -2000 0
end
"""

# Seats 0 and 1 win by the dealer's first discard, and seat 2 could.
DOUBLE_RON = f"""
table 1
{HEAD}
0 holds 234m 678p 234s 56s 88s
1 holds 234m 678p 234p 56s 88m
2 holds 345m 345p 678m 56s 22p
3 draws 7s
3 discards 7s
0 wins 7s from 3
  fu 30
  points 2000
  yaku pinfu 1, tanyao 1
  change 2000 0 0 -2000
1 wins 7s from 3
  fu 30
  points 2000
  yaku pinfu 1, tanyao 1
  change 0 2000 0 -2000
end
"""
THIRD = """2 wins 7s from 3
  fu 30
  points 2000
  yaku pinfu 1, tanyao 1
  change 0 0 2000 -2000"""

# After an abort the dealer stays, with a honba; seat 0 wins that round.
AFTER_ABORT = """East 4.1, dora 9p
0 holds 234m 678p 234s 56s 88s
3 draws 7s
3 discards 7s
0 wins 7s from 3
  fu 30
  points 2000
  yaku pinfu 1, tanyao 1
  change 2300 0 0 -2300
end
"""
NINE = "3 holds 19m 19p 19s ESW 258p 5s"
NINE_ORPHANS = f"""
table 1
{HEAD}
{NINE}
3 draws 2m
draw
  type yao9
  tenpai 3
{AFTER_ABORT}"""

FOUR_WINDS = f"""
table 1
{HEAD}
0 holds 234m 678p 234s 56s 88s
3 draws W
3 discards W
0 draws W
0 discards W
1 draws W
1 discards W
2 draws W
2 discards W
draw
  type kaze4
{AFTER_ABORT}"""
NO_ABORT = """3 draws 7s
3 discards 7s
0 wins 7s from 3
  fu 30
  points 2000
  yaku pinfu 1, tanyao 1
  change 2000 0 0 -2000
end
"""

# Two tenpai hands, two far from it, by seat.
HANDS = (
    "234m 678p 234s 56s 88s",
    "123m 456m 789m NN 99s",
    "147m 258p 369s ESWP",
    "147m 258p 369s ESWF",
)
LIVE = 70
DEALER = 3
INDICATOR = "9p"
ORPHANS = {"1m", "9m", "1p", "9p", "1s", "9s", *"ESWNPFC"}


def whole_wall(orphans_to: int | None = None, hands: tuple[str, ...] = HANDS) -> str:
    """Describe a round without its end, in which every seat discards the drawn tile until the wall is empty.

    One seat can get only orphans.
    """
    left = Counter(name(tile) for tile in range(136))
    left.subtract([INDICATOR, *(tile for hand in hands for tile in names(hand))])
    simples = [tile for tile in left.elements() if tile not in ORPHANS]
    orphans = [tile for tile in left.elements() if tile in ORPHANS]
    lines = []
    for turn in range(LIVE):
        seat = (DEALER + turn) % 4
        tile = (orphans if seat == orphans_to or not simples else simples).pop()
        lines += [f"{seat} draws {tile}", f"{seat} discards {tile}"]
    return "\n".join(lines)


def exhausted(wall: str, end: str, hands: tuple[str, ...] = HANDS) -> str:
    """Describe a round that exhausts its wall, and its end."""
    holds = "\n".join(f"{seat} holds {hand}" for seat, hand in enumerate(hands))
    return f"\ntable 1\n{HEAD}\n{holds}\n{wall}\n{end}\nend\n"


WALL = whole_wall()
TENPAI = "  tenpai 0 1"
NOTEN_PAYMENTS = "  change 1500 1500 -1500 -1500"
EXHAUSTED = exhausted(WALL, f"draw\n{TENPAI}\n{NOTEN_PAYMENTS}")
LAST_TURN = "\n".join(WALL.splitlines()[-2:])
NAGASHI_PAYMENTS = "  change 8000 -2000 -2000 -4000"
NAGASHI = exhausted(whole_wall(orphans_to=0), f"draw\n  type nm\n{TENPAI}\n{NAGASHI_PAYMENTS}")


def declared(wall: str, turn: int) -> str:
    """Describe a wall in which the seat of this turn (from 1) declares riichi."""
    lines = wall.splitlines()
    seat = lines[2 * turn - 1][0]
    lines.insert(2 * turn - 1, f"{seat} riichi")
    lines.insert(2 * turn + 1, f"{seat} deposit")
    return "\n".join(lines)


CASES = {
    # Seat 1 pons first; its open hand is tenpai.
    "r101_open_hand": Case(RIICHI, one("0 draws W\n0 discards W\n1 draws 9s", "1 pon N from 3")),
    # 5p and 9s do not form a wait; or only a fifth 1p completes the hand.
    "r102_not_tenpai": Case(
        RIICHI,
        {
            "fail": ((NINE_RUNS, "1 holds 123m 456m 789m NN E 5p"),),
            "fail_fifth": ((NINE_RUNS, "1 holds 123m 456m 789m 111p E"), ("1 draws 9s", "1 draws 1p")),
        },
    ),
    # Seat 1 keeps the 2p that it draws.
    "r103_tile_not_drawn": Case(RIICHI, one("1 discards 2p", "1 discards 9s")),
    "r104_too_few_points": Case(RIICHI, one(HEAD, "East 4.0, dora 9p, scores 54100 900 25000 20000")),
    # Four tiles are left after draw 66, three after draw 67.
    "r105_too_few_tiles_left": Case(
        exhausted(declared(WALL, 66), f"draw\n{TENPAI}\n{NOTEN_PAYMENTS}"),
        one(declared(WALL, 66), declared(WALL, 67)),
    ),
    "r106_declared_twice": Case(RIICHI, one("1 discards 2p", "1 riichi\n1 discards 2p")),
    # The discard passes, and nothing is paid; or it is won on, and the stick is paid.
    "r107_riichi_stick": Case(
        RIICHI,
        {
            "fail": (("1 deposit", ""), ("  change 3000 0 -2000 0", "  change 2000 0 -2000 0")),
            "fail_won": (
                (NINE_RUNS, "1 holds 123m 456m 789m NN 7s 9s"),
                (RIICHI[RIICHI.index("1 discards E") : RIICHI.index("0 wins")].strip(), "1 discards 7s\n1 deposit"),
                ("0 wins 7s from 2", "0 wins 7s from 1"),
                ("  change 3000 0 -2000 0", "  change 3000 -2000 0 0"),
            ),
        },
    ),
    # Seat 0 discards the 4s that it waits for; or it does not win by the first 7s.
    "w103_furiten": Case(
        WAITING,
        {
            "fail": (("0 draws W\n0 discards W", "0 draws 4s\n0 discards 4s"),),
            "fail_passed": (("1 draws E\n1 discards E", "1 draws 7s\n1 discards 7s"),),
        },
    ),
    "w110_too_many_winners": Case(
        DOUBLE_RON, one("  change 0 2000 0 -2000\nend", f"  change 0 2000 0 -2000\n{THIRD}\nend")
    ),
    # The last turn is not played.
    "x101_tiles_left": Case(EXHAUSTED, one(f"{LAST_TURN}\ndraw", "draw")),
    # Seat 2 shows its hand and is paid; or seat 1 does not show its hand.
    "x102_shown_but_noten": Case(
        EXHAUSTED, {"fail": ((TENPAI, "  tenpai 0 1 2"), (NOTEN_PAYMENTS, "  change 1000 1000 1000 -3000"))}
    ),
    "x103_tenpai_hidden": Case(
        EXHAUSTED, {"fail": ((TENPAI, "  tenpai 0"), (NOTEN_PAYMENTS, "  change 3000 -1000 -1000 -1000"))}
    ),
    # A lobby's rules without nine orphans.
    "x104_abort_not_in_the_rules": Case(NINE_ORPHANS, one("table 1", "table 1\nrules 800")),
    # Eight kinds; or nine, but not on the first turn.
    "x105_abort_without_cause": Case(
        NINE_ORPHANS,
        {
            "fail": ((NINE, NINE.replace("19m", "15m")),),
            "fail_late": (("3 draws 2m", "3 draws 2m\n3 discards 2m\n0 draws 3m\n0 discards 3m"),),
        },
    ),
    "x106_abort_overrun": Case(FOUR_WINDS, one(f"draw\n  type kaze4\n{AFTER_ABORT}".strip(), NO_ABORT.strip())),
    # Seat 0 discards only orphans.
    "x107_nagashi": Case(
        NAGASHI, one(f"  type nm\n{TENPAI}\n{NAGASHI_PAYMENTS}", f"{TENPAI}\n{NOTEN_PAYMENTS}")
    ),
    "p106_noten_payments": Case(EXHAUSTED, one(NOTEN_PAYMENTS, "  change 2000 1000 -1500 -1500")),
    # The dealer pays no more than the others.
    "p107_nagashi_payments": Case(NAGASHI, one(NAGASHI_PAYMENTS, "  change 6000 -2000 -2000 -2000")),
}  # fmt: skip
