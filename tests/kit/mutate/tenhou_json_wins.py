"""Faults of wins in Tenhou's JSON: points, yaku, dora, who wins and who is liable."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tests.kit.mutate.fault import pick, spoiled
from tests.kit.mutate.tenhou_json import kind

if TYPE_CHECKING:
    import random

    from tests.kit.mutate.tenhou_json import Round, TenhouJson


def scored(game: TenhouJson, pattern: str, part: int = 3) -> list[tuple[Round, list[Any], re.Match[str]]]:
    """List round and detail of each win whose text of the points fits a pattern."""
    found = [(each, detail, re.search(pattern, detail[part])) for each, _, detail in game.wins]
    return [(each, detail, match) for each, detail, match in found if match]


@spoiled("W106", "other fu")
def fu_wrong(game: TenhouJson, rng: random.Random) -> int:
    """Write ten fu more or less."""
    each, detail, match = pick(rng, scored(game, r"^(\d+)符"))
    fu = int(match[1])
    detail[3] = detail[3].replace(match[0], f"{pick(rng, [fu + 10, fu + 20] + [fu - 10] * (fu > 30))}符", 1)
    return each.nth


@spoiled("W107", "other points")
def points_wrong(game: TenhouJson, rng: random.Random) -> int:
    """Write other points."""
    each, detail, match = pick(rng, scored(game, r"(\d+)点"))
    detail[3] = detail[3].replace(match[0], f"{int(match[1]) + pick(rng, (100, 300, 700))}点")
    return each.nth


@spoiled("W107", "another limit")
def limit_wrong(game: TenhouJson, rng: random.Random) -> int:
    """Write the name of another limit."""
    limits = ("満貫", "跳満", "倍満", "三倍満", "役満")
    each, detail, match = pick(rng, scored(game, r"^(三倍満|満貫|跳満|倍満|役満)"))
    detail[3] = detail[3].replace(match[0], pick(rng, [limit for limit in limits if limit != match[0]]), 1)
    return each.nth


@spoiled("W113", "a total of han that the list does not have")
def total_wrong(game: TenhouJson, rng: random.Random) -> int:
    """Write one han more in the text of the points."""
    each, detail, match = pick(rng, scored(game, r"(\d+)飜"))
    detail[3] = detail[3].replace(match[0], f"{int(match[1]) + 1}飜", 1)
    return each.nth


def listed(game: TenhouJson, pattern: str) -> list[tuple[Round, list[Any], int]]:
    """List round, detail and place of each yaku that fits a pattern."""
    return [
        (each, detail, place)
        for each, _, detail in game.wins
        for place, entry in enumerate(detail[4:], 4)
        if re.search(pattern, entry)
    ]


DORA = "^(ドラ|裏ドラ|赤ドラ)"
OTHER = "^(?!ドラ|裏ドラ|赤ドラ|立直|両立直).*飜"
"""Without riichi: a win that does not name it shows no ura dora."""


@spoiled("W104", "a yaku left out", also=("W113",))
def yaku_missing(game: TenhouJson, rng: random.Random) -> int:
    """Leave out a yaku of a win that has others."""
    each, detail, place = pick(rng, [site for site in listed(game, OTHER) if len(site[1]) > 5])
    del detail[place]
    return each.nth


@spoiled("W104", "a yaku that the hand has not", also=("W113",))
def yaku_extra(game: TenhouJson, rng: random.Random) -> int:
    """Add a yaku."""
    each, detail, _ = pick(rng, listed(game, OTHER))
    have = "".join(detail[4:])
    added = ("三槓子(2飜)", "小三元(2飜)", "嶺上開花(1飜)", "三色同刻(2飜)", "槍槓(1飜)")
    detail.append(pick(rng, [yaku for yaku in added if yaku[:3] not in have]))
    return each.nth


@spoiled("W104", "another yaku of the same han")
def yaku_other(game: TenhouJson, rng: random.Random) -> int:
    """Write the name of another yaku."""
    each, detail, place = pick(rng, listed(game, r"^(断幺九|平和|一盃口|役牌|自風|場風).*\(1飜\)"))
    have = "".join(detail[4:])
    detail[place] = pick(rng, [yaku for yaku in ("嶺上開花(1飜)", "槍槓(1飜)") if yaku[:2] not in have])
    return each.nth


@spoiled("W105", "a yaku of other han", also=("W113",))
def han_wrong(game: TenhouJson, rng: random.Random) -> int:
    """Write one han more."""
    each, detail, place = pick(rng, listed(game, OTHER))
    detail[place] = re.sub(r"\((\d+)飜", lambda match: f"({int(match[1]) + 1}飜", detail[place])
    return each.nth


@spoiled("W108", "other han of dora", also=("W113",))
def dora_wrong(game: TenhouJson, rng: random.Random) -> int:
    """Write one dora more."""
    each, detail, place = pick(rng, listed(game, DORA))
    detail[place] = re.sub(r"\((\d+)飜", lambda match: f"({int(match[1]) + 1}飜", detail[place])
    return each.nth


@spoiled("W108", "dora left out", also=("W113",))
def dora_missing(game: TenhouJson, rng: random.Random) -> int:
    """Leave out a dora."""
    each, detail, place = pick(rng, listed(game, DORA))
    del detail[place]
    return each.nth


@spoiled("W108", "another ura dora indicator", also=("W107",))
def ura_wrong(game: TenhouJson, rng: random.Random) -> int:
    """Turn another ura dora indicator, of a tile that the winner never has."""
    each, tile = pick(rng, [
        (each, tile)
        for each, detail, _ in listed(game, "^裏ドラ")
        for tile in (*range(11, 19), *range(21, 29), *range(31, 39))
        if len(each.value[3]) == 1 and each.seen()[tile] < 3
        and all(tile + 1 not in set(map(kind, each.held(seat))) for seat in detail[:2])
    ])  # fmt: skip
    each.value[3][0] = tile
    return each.nth


@spoiled("W111", "a liable seat where nobody is", also=("P101",))
def liable_wrong(game: TenhouJson, rng: random.Random) -> int:
    """Name a liable seat."""
    each, _, detail = pick(rng, [site for site in game.wins if site[2][2] == site[2][0] and len(site[0].wins) == 1])
    detail[2] = pick(rng, [seat for seat in range(4) if seat not in detail[:2]])
    return each.nth


@spoiled("W101", "another winner", also=("P105", "G101", "G102", "G104", "G106"))
def winner_wrong(game: TenhouJson, rng: random.Random) -> int:
    """Say that another seat has won by ron."""
    each, moved, detail = pick(rng, [site for site in game.wins if len(site[0].wins) == 1 and site[2][0] != site[2][1]])
    other = pick(rng, [seat for seat in range(4) if seat not in detail[:2]])
    moved[other], moved[detail[0]] = moved[detail[0]], moved[other]
    detail[0] = detail[2] = other
    return each.nth


@spoiled("L003", "points that are no text of points")
def bad_points(game: TenhouJson, rng: random.Random) -> int:
    """Write something else."""
    each, _, detail = pick(rng, game.wins)
    detail[3] = pick(rng, (8000, "8000", "満貫", "満貫点", "30符点", None, []))
    return each.nth


@spoiled("L003", "changes that are no numbers")
def bad_changes(game: TenhouJson, rng: random.Random) -> int:
    """Write something else."""
    each = pick(rng, [each for each in game.rounds if each.wins])
    each.value[16][1] = pick(rng, (None, 0, [], [0, 0, 0], ["0"] * 4, [0.5, 0, 0, 0], [None] * 4))
    return each.nth
