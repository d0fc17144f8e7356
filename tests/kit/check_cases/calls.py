"""Cases of checks of turns, calls, kans and indicators (T103, T104, D, C, K).

Fu, points, yaku and payments are worked out by hand. Where a Tenhou log cannot show the fault, the case is a log of
電脳麻将 (`paipu`).
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from tests.kit.check_cases.case import Case, one
from tests.kit.check_cases.flow import HEAD, INDICATOR, exhausted, whole_wall
from tests.kit.log_writer import name, names

WIN = """0 wins 7s from 2
  fu 30
  points 2000
  yaku pinfu 1, tanyao 1
"""


def round_won(play: str, change: str = "2000 0 -2000 0", **hands: str) -> str:
    """Describe a round that ends with seat 0's win by seat 2's 7s; ``of_1`` and so on are hands."""
    holds = "\n".join(
        f"{seat[-1]} holds {tiles}" for seat, tiles in {"of_0": "234m 678p 234s 56s 88s", **hands}.items()
    )
    return f"\ntable 1\n{HEAD}\n{holds}\n{play.strip()}\n2 draws 7s\n2 discards 7s\n{WIN}  change {change}\nend\n"


def turns(text: str) -> str:
    """Describe turns in which seats discard the drawn tile: ``3E 0W`` is two turns."""
    return "\n".join(f"{turn[0]} draws {turn[1:]}\n{turn[0]} discards {turn[1:]}" for turn in text.split())


TURNS = round_won(turns("3E 0W 1N"))

# Seat 0 feeds seat 1.
CHI = round_won(turns("3P 02m") + "\n1 chi 2m with 34m\n1 discards 1p", of_1="345m 147p 14s ESWNP")
ELSEWHERE = round_won(
    turns("3P 02m") + "\n1 chi 2m with 34m\n1 discards 1p\n2 draws C\n2 discards C\n" + turns("3F 0C 1F"),
    of_1="34m 147p 14s ESWNPC",
    of_2="34m 258p 258s WNPF 9s",
)
PON = round_won(turns("3E 0P") + "\n1 pon P from 0\n1 discards 1p", of_1="PP 147m 147p 14s ESW")

# Seat 1 is in riichi from its first turn; later a tile of its hand is fed to it or drawn by it.
LOCKED = "345m 567p 22s 999s 67s"


def locked(play: str, hand: str = LOCKED) -> str:
    """Describe a round in which seat 1 declares riichi with its first draw, a C."""
    return round_won(f"{turns('3P 0W')}\n1 draws C\n1 riichi\n1 discards C\n1 deposit\n{turns('2F 3E')}\n{play}",
                "3000 0 -2000 0", of_1=hand)  # fmt: skip


IN_RIICHI = locked(turns("02m 1S"))
FED_KAN = locked(turns("09s 1S"))

REPLACED = "dora P\n1 draws W\n1 discards W"

ANKAN_HAND = "1 holds 999m 147p 147s ESWN"
ANKAN = round_won(f"{turns('3P 0W')}\n1 draws 9m\n1 ankan 9m\ndora P\n1 draws C\n1 discards C", of_1=ANKAN_HAND[8:])
DAIMINKAN = round_won(f"{turns('3P 09m')}\n1 daiminkan 9m from 0\n1 draws C\ndora P\n1 discards C", of_1=ANKAN_HAND[8:])
KAKAN = round_won(
    f"{turns('3P 09m')}\n1 pon 9m from 0\n1 discards 1p\n{turns('2F 3F 0W')}\n"
    "1 draws 9m\n1 kakan 9m\n1 draws C\ndora P\n1 discards C",
    of_1="99m 147p 147s ESWNF",
)
# The meld code of a kakan of 9m (tiles 32 to 35, the last one added) to a pon from the right.
KAKAN_OF_9M = 1 | 0x10 | 3 << 5 | (8 * 3) << 9

# Four kans of one seat; the next seat holds three others of a kind.
FOUR_KANS = round_won(
    f"{turns('3P 0F')}\n"
    + "\n".join(
        f"1 draws {wind}\n1 ankan {wind}\ndora {dora}" for wind, dora in zip("ESWN", ("P", "F", "C", "1p"), strict=True)
    )
    + f"\n1 draws 4p\n1 discards 4p\n2 draws 9m\n2 discards 9m\n{turns('3C 0P 1F')}",
    of_1="EEE SSS WWW NNN 5p",
    of_2="999m 147m 258p 258s P",
)

# Hands far from tenpai; the last tile of the wall is chosen.
FAR = ("999m 147p 147s ESWN", "258m 258p 258s NN PP", "236m 369p 369s PFCE", "147m 147p 147s FFCS")


def ends_with(tile: str) -> str:
    """Describe a wall whose last draw, by seat 0, is this tile."""
    lines = whole_wall(hands=FAR).splitlines()
    last = lines[-1].split()[-1]
    for place, line in enumerate(lines):
        lines[place] = f"{line[: -len(tile)]}{last}" if line.endswith(f" {tile}") else line
    lines[-2:] = [f"0 draws {tile}", f"0 discards {tile}"]
    return "\n".join(lines)


def spare(wall: str) -> list[str]:
    """List the tiles that stay in the dead wall."""
    left = Counter(name(tile) for tile in range(136))
    left.subtract([INDICATOR, *(tile for hand in FAR for tile in names(hand))])
    left.subtract(line.split()[-1] for line in wall.splitlines() if "draws" in line)
    return list(left.elements())


LAST_P, LAST_9M = ends_with("P"), ends_with("9m")
DEAD = spare(LAST_9M)
AFTER_P = spare(LAST_P)[0]


def last_turn(wall: str) -> str:
    """Give the last two lines of a wall."""
    return "\n".join(wall.splitlines()[-2:])


def paipu(deal: str, *play: dict[str, Any], second: str = "", rule: dict[str, Any] | None = None) -> bytes:
    """Write a log of 電脳麻将: the last round of an East game with these actions; seat 0 is the dealer.

    Seat 1 wins by the dealer's discard of 7s. The dealer's hand is ``deal``, seat 2's ``second``.
    """
    hule = {
        "l": 1, "shoupai": "m234p678s2345688s7", "baojia": 0, "fubaopai": None, "fu": 30, "fanshu": 2, "defen": 2000,
        "hupai": [{"name": "平和", "fanshu": 1}, {"name": "断幺九", "fanshu": 1}], "fenpei": [-2000, 2000, 0, 0],
    }  # fmt: skip
    shoupai = [deal, "m234p678s2345688", second or "m258p258s258z1122", "m369p369s369z4567"]
    qipai = {
        "zhuangfeng": 0, "jushu": 3, "changbang": 0, "lizhibang": 0, "defen": [20000, 30000, 25000, 25000],
        "baopai": "p9", "shoupai": shoupai,
    }  # fmt: skip
    game = {
        "title": "told", "player": ["A", "B", "C", "D"], "qijia": 0,
        "log": [[{"qipai": qipai}, *play, {"hule": hule}]],
        "defen": [32000, 25000, 25000, 18000], "rank": [1, 2, 3, 4], "point": ["42.0", "5.0", "-15.0", "-32.0"],
    }  # fmt: skip
    return json.dumps({"rule": {"場数": 1, **(rule or {})}, "paipu": game}, ensure_ascii=False).encode()


def turn(drawn: str, discarded: str, seat: int = 0) -> list[dict[str, Any]]:
    """Write a turn in the engine's own events."""
    return [{"zimo": {"l": seat, "p": drawn}}, {"dapai": {"l": seat, "p": discarded}}]


def fed(second: str, meld: str, discarded: str, *before: dict[str, Any]) -> bytes:
    """Write a log in which seat 1 feeds a 2m to seat 2, which discards a tile of its hand."""
    calls = [{"fulou": {"l": 2, "m": meld}}, {"dapai": {"l": 2, "p": discarded}}] if meld else turn("z7", "z7_", 2)
    play = [*(before or turn("z6", "z6_")), *turn("m2", "m2_", 1), *calls, *turn("z1", "z1_", 3), *turn("s7", "s7_")]
    return paipu(WITHOUT_7S, *play, second=second)


def three_pons() -> list[dict[str, Any]]:
    """Write three pons that the dealer feeds to seat 2. The dealer discards from the hand, others the drawn tile."""
    play = []
    for number in "123":
        play += turn(f"z{number}", f"z{number}_")
        play += [
            {"fulou": {"l": 2, "m": f"z{number * 2}{number}="}},
            {"dapai": {"l": 2, "p": f"p{3 * int(number) - 2}"}},
        ]
        play += turn("z6", "z6_", 3) if number != "3" else turn("z7", "z7_", 3)
    return [*play, *turn("z7", "z7_")]


WITH_7S, WITHOUT_7S = "m147p147s147z4455", "m147p147s14z44555"
CALLER, STUCK = "m2345p14s14z11334", "m3455p147z112233"

ONE_TURN = paipu(WITHOUT_7S, *turn("s7", "s7_"))

CASES = {
    # Pinfu and tanyao are two han.
    "w113_stated_total": Case(ONE_TURN, {"fail": ONE_TURN.replace(b'"fanshu": 2', b'"fanshu": 3')}),
    # Seat 1 has twelve tiles; or the last discard before an exhaustive draw is missing.
    "t103_wrong_number_of_tiles": Case(
        exhausted(LAST_P, "draw", FAR),
        {
            "fail": ((f"1 holds {FAR[1]}", f"1 holds {FAR[1][:-1]}"),),
            "fail_held": ((last_turn(LAST_P), last_turn(LAST_P).splitlines()[0]),),
        },
    ),
    # The rules know no red 5p.
    "t104_tile_not_of_the_set": Case(
        paipu("m147p046s14z12345", *turn("s7", "s7_")),
        {"fail": paipu("m147p046s14z12345", *turn("s7", "s7_"), rule={"赤牌": {"m": 1, "p": 0, "s": 1}})},
    ),
    # Seat 0's turn is missing; or seat 1 draws twice; or the first draw is not the dealer's.
    "d101_draw_out_of_turn": Case(
        TURNS,
        {
            "fail": (("0 draws W\n0 discards W", ""),),
            "fail_twice": (("1 draws N", "1 draws N\n1 draws P"),),
            "fail_dealer": (("3 draws E\n3 discards E", ""),),
        },
    ),
    # A 71st draw.
    "d102_draw_from_an_exhausted_wall": Case(
        exhausted(LAST_P, "draw", FAR),
        one(last_turn(LAST_P), f"{last_turn(LAST_P)}\n1 draws {AFTER_P}\n1 discards {AFTER_P}"),
    ),
    # The dealer's only 7s is the drawn one; or it drew a 9m, and has no other.
    "d103_tsumogiri_mark": Case(
        paipu(WITHOUT_7S, *turn("s7", "s7_")),
        {
            "fail": paipu(WITHOUT_7S, *turn("s7", "s7")),
            "fail_drawn": paipu(WITH_7S, *turn("m9", "s7_")),
        },
    ),
    # 2m is called, and discarded.
    "d104_kuikae_same_tile": Case(fed(CALLER, "m2-34", "p1"), {"fail": fed(CALLER, "m2-34", "m2")}),
    # 34m are called with 2m, and 5m is discarded.
    "d105_kuikae_suji": Case(fed(CALLER, "m2-34", "p1"), {"fail": fed(CALLER, "m2-34", "m5")}),
    # Seat 1 does not draw.
    "d106_discard_without_a_draw": Case(TURNS, one("1 draws N", "")),
    # Seat 2, across from seat 0, calls.
    "c101_chi_not_from_the_left": Case(
        ELSEWHERE,
        {
            "fail": (
                ("1 chi 2m with 34m", "2 chi 2m with 34m"),
                ("1 discards 1p\n2 draws C\n2 discards C", "2 discards 2p"),
            ),
        },
    ),
    # Seat 1 has drawn first; or it names seat 2 as the feeder.
    "c102_call_of_another_tile": Case(
        PON,
        {
            "fail": (("1 pon P from 0", "1 draws N\n1 pon P from 0"),),
            "fail_feeder": (("1 pon P from 0", "1 pon P from 2"),),
        },
    ),
    # E, S and W are no run.
    "c103_tiles_form_no_meld": Case(
        CHI,
        one("0 draws 2m\n0 discards 2m\n1 chi 2m with 34m", "0 draws E\n0 discards E\n1 chi E with SW"),
    ),
    # Seat 1 is in riichi.
    "c104_call_in_riichi": Case(
        IN_RIICHI,
        one("1 draws S\n1 discards S", "1 chi 2m with 34m\n1 discards 9s"),
    ),
    # Seat 1 calls the last P.
    "c105_call_on_the_last_discard": Case(
        exhausted(LAST_P, "draw", FAR),
        one(last_turn(LAST_P), f"{last_turn(LAST_P)}\n1 pon P from 0\n1 discards 2m"),
    ),
    # The chi leaves 55m, both of them kuikae.
    "c106_call_without_a_legal_discard": Case(
        fed(STUCK, "", "", *three_pons()), {"fail": fed(STUCK, "m2-34", "m5", *three_pons())}
    ),
    # The hand has two 9m, and draws a third.
    "k101_ankan_without_four": Case(ANKAN, one(ANKAN_HAND, "1 holds 99m 147p 147s ESWN F")),
    # Four concealed 9m are written as a kakan.
    "k102_kakan_without_its_pon": Case(
        ANKAN,
        one("1 ankan 9m\ndora P\n1 draws C", f'raw <N who="1" m="{KAKAN_OF_9M}"/>\n1 draws C\ndora P'),
    ),
    # The hand has two 9m.
    "k103_daiminkan_without_three": Case(DAIMINKAN, one(ANKAN_HAND, "1 holds 99m 147p 147s ESWN F")),
    # The last tile of the wall makes an ankan.
    "k104_kan_without_a_tile_left": Case(
        exhausted(LAST_9M, "draw", FAR),
        one(
            "0 discards 9m",
            f"0 ankan 9m\ndora {DEAD[0]}\n0 draws {DEAD[1]}\n0 discards {DEAD[1]}",
        ),
    ),
    # Seat 1 has made four kans.
    "k105_fifth_kan": Case(FOUR_KANS, one("2 discards 9m", "2 ankan 9m\n2 draws 1s\n2 discards 1s")),
    # Seat 1 has called 2m and holds four 9m.
    "k106_kan_after_a_call": Case(
        CHI.replace("345m 147p 14s ESWNP", "34m 9999m 14p ESWNP"),
        one("1 discards 1p", "1 ankan 9m\ndora P\n1 draws C\n1 discards 1p"),
    ),
    # Seat 1 is in riichi.
    "k107_open_kan_in_riichi": Case(
        FED_KAN, one("1 draws S\n1 discards S", "1 daiminkan 9s from 0\n1 draws S\ndora P\n1 discards S")
    ),
    # 1111m23m with 5s: the ankan was possible from the deal on.
    "k108_kan_of_a_tile_not_drawn": Case(
        locked(turns("0W 1S"), "1111m 23m 567p 789p 5s"),
        one("1 draws S\n1 discards S", f"1 draws S\n1 ankan 1m\n{REPLACED}"),
    ),
    # 3334p wait for 2p, 4p and 5p; after the kan only for 4p.
    "k109_kan_changes_waits": Case(
        locked(turns("0W 13p"), "3334p 567m 789m 123s"), one("1 discards 3p", f"1 ankan 3p\n{REPLACED}")
    ),
    # In 1113444p the kan of 1p removes readings, and no wait (RULES.md 2.6). The lobby's rules forbid that.
    "k110_kan_changes_shape": Case(
        locked(turns("0W 11p"), "1113444p 999m SSS").replace("table 1\n", "table 1\nrules 4000000\n"),
        one("1 discards 1p", f"1 ankan 1p\n{REPLACED}"),
    ),
    # The fourth 9s is drawn.
    "k111_kan_in_riichi": Case(
        locked(turns("0W 19s")), one("1 discards 9s", f"1 ankan 9s\n{REPLACED}"), "riichi_ankan_level = 0\n"
    ),
    # The indicator of an open kan is turned before the draw, or never; or one is turned after a pon.
    "k112_indicator": Case(
        KAKAN,
        {
            "fail": (("1 draws C\ndora P", "dora P\n1 draws C"),),
            "fail_missing": (("dora P", ""),),
            "fail_extra": (("1 discards 1p", "1 discards 1p\ndora F"),),
        },
    ),
    # Seat 1 discards directly after the kan.
    "k113_no_replacement_draw": Case(ANKAN, one("1 draws C\n1 discards C", "1 discards E")),
    # 6677778888999m wait for 5m, 6m and 9m, before and after.
    "k114_kan_of_a_wait": Case(
        locked(turns("0W 19m"), "6677778888999m"),
        one("1 discards 9m", f"1 ankan 9m\n{REPLACED}"),
        "riichi_ankan_of_wait = false\n",
    ),
}
