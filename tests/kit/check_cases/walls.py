"""Cases of checks of walls and whole logs (S, L005, L006, L007)."""

from __future__ import annotations

import json

from tests.kit.check_cases.case import Case, one
from tests.kit.log_writer import Writer
from tests.kit.plain.walls import noten_round

# A round of early 2009, when each had its own seed: all discard the drawn tile, and nobody becomes tenpai.
SEED = ",".join(["mt19937ar", *(f"{0x01010101 + word:08X}" for word in range(8))])
TAGS = noten_round(SEED, 3, (30000, 25000, 25000, 20000))
INIT, WALLED = TAGS[0], "\n".join(["", "table 1", *(f"raw {tag}" for tag in TAGS), ""])
# The same with three players, in South 3: seat 0 sets a north aside and draws tile 42 instead.
SANMA = "\n".join(["", "table 25", *(f"raw {tag}" for tag in noten_round(SEED, 6, (40000, 35000, 30000))), ""])


def dealt(text: str, instead: str) -> dict[str, tuple[tuple[str, str], ...]]:
    """Make a case with one failing log, in which INIT has another text.

    Raises
    ------
    ValueError
        If the text does not occur there exactly once.
    """
    if INIT.count(text) != 1:
        raise ValueError(f"stands {INIT.count(text)} times, not once: {text!r}")
    return one(f"raw {INIT}", f"raw {INIT.replace(text, instead)}")


# Seat 0 wins in South 4 by the dealer's first discard, as 電脳麻将 writes it.
PAIPU = {
    "title": "", "player": ["A", "B", "C", "D"], "qijia": 0,
    "log": [[
        {"qipai": {
            "zhuangfeng": 1, "jushu": 3, "changbang": 0, "lizhibang": 0, "defen": [20000, 30000, 25000, 25000],
            "baopai": "p9",
            "shoupai": ["m147p258s369z1234", "m234p678s2345688", "m258p369s147z1567", "m369p147s258z2345"],
        }},
        {"zimo": {"l": 0, "p": "s7"}},
        {"dapai": {"l": 0, "p": "s7_"}},
        {"hule": {
            "l": 1, "shoupai": "m234p678s2345688s7", "baojia": 0, "fubaopai": None, "fu": 30, "fanshu": 2,
            "defen": 2000, "hupai": [{"name": "平和", "fanshu": 1}, {"name": "断幺九", "fanshu": 1}],
            "fenpei": [-2000, 2000, 0, 0],
        }},
    ]],
    "defen": [32000, 25000, 25000, 18000], "rank": [1, 2, 3, 4], "point": ["42.0", "5.0", "-15.0", "-32.0"],
}  # fmt: skip


def _json(games: list[object]) -> bytes:
    return json.dumps(games, ensure_ascii=False).encode()


def of_three(value: object) -> object:
    """Return a game without the fourth entry of each list with four, except the events of a round."""
    if isinstance(value, dict):
        return {key: value[key] if key == "log" else of_three(value[key]) for key in value} | (
            {"log": [[of_three(event) for event in events] for events in value["log"]]} if "log" in value else {}
        )
    return value[:3] if isinstance(value, list) and len(value) == 4 else value


CASES = {
    # The first game of the file occurs again.
    "l005_same_game_twice": Case(_json([PAIPU]), {"fail": _json([PAIPU, PAIPU])}),
    # Round 3 is seat 3's.
    "l006_tables_disagree": Case(WALLED, {"fail": Writer().write(WALLED).replace(b'oya="3"', b'oya="2"')}),
    # Three names, three hands, three scores.
    "l007_unsupported_variant": Case(_json([PAIPU]), {"fail": _json([of_three(PAIPU)])}),
    # Seat 0 has tile 37, which lies in the dead wall, for 112.
    "s101_dealt_tiles": Case(WALLED, dealt('hai0="112,', 'hai0="37,')),
    # Seat 3 and seat 0 have drawn each other's first tile.
    "s102_drawn_tiles": Case(
        WALLED,
        {
            "fail": (
                ("raw <W9/>", "raw <W41/>"),
                ("raw <G9/>", "raw <G41/>"),
                ("raw <T41/>", "raw <T9/>"),
                ("raw <D41/>", "raw <D9/>"),
            )
        },
    ),
    # Tile 48 lies beside the indicator, 101; or tile 40 comes after the kita.
    "s103_dead_wall": Case(
        WALLED,
        {
            **dealt('seed="3,0,0,1,2,101"', 'seed="3,0,0,1,2,48"'),
            "fail_kita": Writer().write(SANMA.replace("<T42/>", "<T40/>").replace("<D42/>", "<D40/>")),
        },
    ),
    # The first die shows 4, not 5.
    "s104_dice": Case(SANMA, {"fail": Writer().write(SANMA.replace('seed="6,0,0,4,1,2"', 'seed="6,0,0,3,1,2"'))}),
    # One digit of the seed is another; or it is the letter O.
    "s105_seed_of_other_walls": Case(
        WALLED,
        {
            **dealt("mt19937ar,01010101,", "mt19937ar,01010111,"),
            "fail_words": dealt("mt19937ar,01010101,", "mt19937ar,0101O101,")["fail"],
        },
    ),
}
