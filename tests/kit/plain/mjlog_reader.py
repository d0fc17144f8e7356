"""A second reader of mjlog files, by ElementTree and plain loops, for comparison with the reader's tables.

It is written from the format notes alone (section numbers in brackets) and shares nothing with the reader. Seats,
tiles and points are as in the canonical tables; None stands for a value that the log does not state.
"""

from __future__ import annotations

import re
from types import SimpleNamespace
from urllib.parse import unquote
from xml.etree import ElementTree as ET

RANKS = [
    "新人",
    *(f"{number}級" for number in range(9, 0, -1)),
    *(f"{number}段" for number in "初二三四五六七八九十"),
    "天鳳",
]
DRAWS = {
    None: "exhaustive", "nm": "nagashi", "yao9": "kyuushu", "kaze4": "four_winds", "reach4": "four_riichi",
    "kan4": "four_kans", "ron3": "triple_ron",
}  # fmt: skip


def numbers(text):
    """Split a list of whole numbers; None stays None."""
    return None if text is None else [int(part) for part in text.split(",")]


def number(text):
    """Read one whole number; None stays None."""
    return None if text is None else int(text)


def seated(values, players):
    """Put None for the seats that do not exist, of which the log states zeros."""
    assert not any(values[players:])
    return [*values[:players], *[None] * (4 - players)]


def points(text, players):
    """Read scores, which are written in hundreds."""
    return None if text is None else seated([100 * score for score in numbers(text)], players)


def places(data):
    """List the byte where each opening tag begins, without comments and declarations."""
    blank = re.sub(rb"<!--.*?-->|<\?.*?\?>", lambda found: b" " * len(found[0]), data, flags=re.DOTALL)
    return [found.start() for found in re.finditer(rb"<(?=[A-Za-z])", blank)]


def meld(code, who):
    """Decode a meld or a kita [5]: kind, feeding seat, called or added tile, other tiles."""
    feeder = (who + code % 4) % 4 if code % 4 else None
    if code & 4:
        base, place = divmod(code >> 10, 3)
        lowest = base // 7 * 9 + base % 7
        tiles = [(lowest + i) * 4 + (code >> shift & 3) for i, shift in enumerate((3, 5, 7))]
        return "chi", feeder, tiles[place], sorted(tiles[:place] + tiles[place + 1 :])
    if code & 0b11000:
        kind, place = divmod(code >> 9, 3)
        spare = kind * 4 + (code >> 5 & 3)
        tiles = [tile for tile in range(kind * 4, kind * 4 + 4) if tile != spare]
        if code & 8:
            return "pon", feeder, tiles[place], tiles[:place] + tiles[place + 1 :]
        return "kakan", None, spare, tiles
    tile = code >> 8
    if code & 0x20:
        return "kita", None, tile, []
    rest = [each for each in range(tile // 4 * 4, tile // 4 * 4 + 4) if each != tile]
    return ("daiminkan" if feeder is not None else "ankan"), feeder, tile, rest


def read(data):
    """Read one game: ``players``, ``head`` (dict), and lists of tuples, each a row of the canonical tables."""
    game = SimpleNamespace(players=4, head={}, rounds=[], events=[], deals=[], deposits=[], claims=[], shows=[])
    at = places(data)
    elements = list(ET.fromstring(data).iter())
    assert len(at) == len(elements)
    for event, (element, pos) in enumerate(zip(elements, at, strict=True)):
        _element(game, element.tag, element.attrib, event, pos)
    return game


def _element(game, tag, said, event, pos):
    if tag == "INIT":
        _init(game, said, event, pos)
    round_ = len(game.rounds) - 1

    def add(kind, seat=None, source=None, tile_id=None, others=()):
        if round_ >= 0:
            game.events.append((round_, event, pos, kind, seat, source, tile_id, tuple(others)))

    if re.fullmatch(r"[TUVWDEFG]\d+", tag):
        kind, seat = divmod("TUVWDEFG".index(tag[0]), 4)
        add(("draw", "discard")[kind], seat, None, int(tag[1:]))
    elif tag in ACTS:
        ACTS[tag](add, said)
    elif tag == "GO":
        game.players = 3 if int(said["type"]) & 0x10 else 4
        game.head |= {name: said.get(name) for name in ("type", "lobby", "csrule")} | {"players": game.players}
    elif tag == "UN":
        _players(game, said, add)
    elif tag in ("AGARI", "RYUUKYOKU"):
        add("result")
        _result(game, tag, said, round_, event)
    if tag == "REACH" and said["step"] == "2" and "ten" in said:
        game.deposits.append((round_, event, int(said["who"]), points(said["ten"], game.players)))


def _called(add, said):
    kind, source, tile_id, others = meld(int(said["m"]), int(said["who"]))
    add(kind, int(said["who"]), source, tile_id, others)


ACTS = {
    "INIT": lambda add, _: [add("deal", seat) for seat in range(4)],
    "N": _called,
    "REACH": lambda add, said: add("riichi" if said["step"] == "1" else "deposit", int(said["who"])),
    "DORA": lambda add, said: add("dora", None, None, int(said["hai"])),
    "BYE": lambda add, said: add("leave", int(said["who"])),
}
"""Columns that the simpler tags add to the events [4]."""


def _players(game, said, add):
    present = [seat for seat in range(4) if f"n{seat}" in said]
    if len(present) == 1:
        add("return", present[0])
        return
    dan, rate = said.get("dan"), said.get("rate")
    game.head |= {
        "names": [unquote(said[f"n{seat}"]) for seat in range(game.players)],
        "ranks": None if dan is None else [RANKS[int(part)] for part in dan.split(",")[: game.players]],
        "ratings": None if rate is None else [float(part) for part in rate.split(",")[: game.players]],
    }


def _init(game, said, event, pos):
    round_ = len(game.rounds)
    index, honba, sticks, _, _, dora = numbers(said["seed"])
    game.rounds.append(
        (round_, index // 4, int(said["oya"]), honba, sticks, points(said["ten"], game.players), dora, event, pos)
    )
    for seat in range(4):
        game.deals += [(round_, seat, tile) for tile in numbers(said[f"hai{seat}"] or None) or []]


def _result(game, tag, said, round_, event):
    claim = len(game.claims)
    nth = sum(each["round"] == round_ for each in game.claims)
    hundreds = numbers(said["sc"])[:8]
    ba = numbers(said["ba"])
    row = {
        "round": round_, "event": event, "nth": nth, "honba": ba[0], "sticks": ba[1],
        "before": seated([100 * score for score in hundreds[::2]], game.players),
        "deltas": seated([100 * score for score in hundreds[1::2]], game.players),
    }  # fmt: skip
    if tag == "AGARI":
        winner = int(said["who"])
        fu, value, limit = numbers(said["ten"])
        yaku = numbers(said.get("yaku"))
        row |= {
            "reason": "win", "winner": winner, "payer": int(said["fromWho"]), "liable": number(said.get("paoWho")),
            "win_tile_id": int(said["machi"]), "fu": fu, "points": value, "limit": limit,
            "yaku": yaku and yaku[::2], "han": yaku and yaku[1::2], "yakuman": numbers(said.get("yakuman")),
            "dora": numbers(said["doraHai"]), "ura": numbers(said.get("doraHaiUra")),
            "melds": sorted(_whole(code, winner) for code in numbers(said.get("m")) or []),
        }  # fmt: skip
        game.shows.append((claim, round_, event, winner, numbers(said["hai"])))
    else:
        row["reason"] = DRAWS[said.get("type")]
        game.shows += [
            (claim, round_, event, seat, numbers(said[f"hai{seat}"])) for seat in range(4) if f"hai{seat}" in said
        ]
    game.claims.append(row)
    if "owari" in said:
        pairs = [float(part) for part in said["owari"].split(",")][:8]
        game.head["final_scores"] = seated([100 * score for score in pairs[::2]], game.players)
        game.head["final_points"] = seated(pairs[1::2], game.players)


def _whole(code, who):
    kind, _, tile_id, others = meld(code, who)
    return kind, sorted([tile_id, *others])
