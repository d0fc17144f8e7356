"""Self-played games of three players converted into Tenhou mjlog XML.

riichienv kept the rules, scored the wins and settled the payments; ``scripts/play_riichienv.py`` chose the moves and
recorded the games. What is recorded is written as Tenhou would write the same game. A game that Tenhou would not have
played so, or of which nobody knows whether it would, is refused (``RefusedError``), never changed.

A game is one line of JSON: ``rounds``, each with ``start`` (the engine's ``start_kyoku``), ``hands`` and ``wall`` (ids
of tiles; draws come from its end, replacements from its start), and ``events`` in mjai with these additions: ``tile``
and ``own`` are the ids of the tile and of those from the hand; a win has the engine's ``yaku``, ``han``, ``fu`` and
``liable``; a draw has who was ``tenpai``. ``scores`` and ``ranks`` are final.

The source lacks some values, which are invented: dice, names, ranks and ratings, the date in the file name, the fu of a
yakuman, the final points (uma +20, 0, -20), and how many of the han are dora, ura and red fives. A game in which nobody
wins with a red five, or with an open tanyao, may as well be one of a table without them: the manifest says so.
"""

from __future__ import annotations

import csv
import hashlib
from typing import TYPE_CHECKING

from tests.kit.conversion.games import percent
from tests.kit.conversion.sanma_rounds import PLAYERS, Round, Table
from tests.kit.conversion.tiles import Event, csv_text, hundreds, require

if TYPE_CHECKING:
    from pathlib import Path

START, RETURN = 35000, 40000
UMA = (20, 0, -20)
TYPES = {"3p-red-half": 0xB9, "3p-red-east": 0xB1}
NO_REDS, NO_OPEN_TANYAO = 2, 4
EARLY, RECENT = "early", "recent"
"""Styles of 2009 and of 2024; all others are of 2020."""


def header(game: Event, kind: int, *, early: bool) -> list[str]:
    """Write the tags before the first round. The fourth slot is empty."""
    names = [f"{aim}{seat}" for seat, aim in enumerate(game["aims"])]
    people = " ".join(f'n{seat}="{percent(name)}"' for seat, name in enumerate([*names, ""]))
    rate = csv_text(["1500" if early else "1500.00"] * 4)
    lobby = "" if early else ' lobby="0"'
    return [
        f'<GO type="{kind}"{lobby}/>',
        f'<UN {people} dan="0,0,0,0" rate="{rate}" sx="C,C,C,C"/>',
        '<TAIKYOKU oya="0"/>',
    ]


def whole(score: int) -> int:
    """Round a score to thousands, half away from zero."""
    return (abs(score) + 500) // 1000 * (1 if score >= 0 else -1)


def final_points(scores: list[int], ranks: list[int], *, tenths: bool) -> list[float]:
    """Give the final points: from scores in whole thousands as until 2021, or exact ones as later.

    The first takes what the others give.
    """
    exact = [score / 1000 if tenths else float(whole(score)) for score in scores]
    points = [round(score - RETURN / 1000 + UMA[rank - 1], 1) for score, rank in zip(exact, ranks, strict=True)]
    first = ranks.index(1)
    points[first] = round(points[first] - sum(points), 1)
    return points


def owari(table: Table, game: Event, *, tenths: bool) -> str:
    """Write the final scores and points, checked against what the source claims."""
    scores, ranks = list(game["scores"]), list(game["ranks"])
    order = sorted(range(PLAYERS), key=lambda seat: (-table.scores[seat], seat))
    expected = list(table.scores)
    expected[order[0]] += table.sticks * 1000
    require(scores == expected, f"final scores {scores}, but the last round leaves {expected}")
    require([order.index(seat) + 1 for seat in range(PLAYERS)] == ranks, f"ranks {ranks}")
    points = [*final_points(scores, ranks, tenths=tenths), 0.0]
    texts = [f"{value:.0f}" if table.early else f"{value:.1f}" for value in points]
    pairs = zip(hundreds([*scores, 0]), texts, strict=True)
    return f'owari="{csv_text(value for pair in pairs for value in pair)}"'


def convert(game: Event, kind: int, style: str) -> list[str]:
    """Turn a recorded game into the tags of an mjlog, without the root and SHUFFLE."""
    early = style == EARLY
    require(kind & ~(NO_REDS | NO_OPEN_TANYAO) == TYPES[game["mode"]], f"a game of another type than {kind}")
    table = Table([START] * PLAYERS, early=early, tags=header(game, kind, early=early))
    table.reds, table.open_tanyao = not kind & NO_REDS, not kind & NO_OPEN_TANYAO
    for source in game["rounds"]:
        Round(table, source).play(source["events"])
    table.tags[-1] = f"{table.tags[-1][:-3]} {owari(table, game, tenths=style == 'recent')} />"
    return table.tags


# --- files -----------------------------------------------------------------------------------------------

YEARS = {EARLY: 2009, RECENT: 2024}


def file_name(game: Event, kind: int, style: str = "plain") -> str:
    """Name the file as Tenhou does; hour and last part come from a hash of the game's id."""
    digest = hashlib.sha256(game["id"].encode()).digest()
    day = f"{YEARS.get(style, 2020)}{digest[4] % 12 + 1:02}{digest[5] % 28 + 1:02}"
    suffix = ".gz" if style == "gzip" else ""
    return f"{day}{digest[6] % 24:02}gm-{kind:04x}-0000-{digest[:4].hex()}.mjlog{suffix}"


def read_manifest(path: Path) -> dict[str, tuple[int, str]]:
    """Read which games to write, as which type of table, in which style."""
    with path.open(encoding="utf-8", newline="") as rows:
        return {row["game"]: (int(row["type"], 16), row["style"]) for row in csv.DictReader(rows)}
