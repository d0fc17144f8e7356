"""Reader of Tenhou's JSON (the form of its viewer, ``tenhou.net/6``): games of four and three players → canonical tables.

Facts: auditor/readers/tenhou_json/FORMAT.md. Converters and editors write this form too, for games of other platforms.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from auditor.log import tables
from auditor.log.columns import RANGES
from auditor.log.seats import by_seat
from auditor.log.tables import SEATS
from auditor.readers.contract import Reader
from auditor.readers.tenhou_json import documents, play, results, rounds, rules
from auditor.readers.tenhou_json.absent import ABSENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from auditor.readers.tenhou_json.documents import Game
    from auditor.sources.log_files import Source
    from engine.rules.rule_sets import RuleSet

_SEARCHED = 1 << 20
_LOG = re.compile(rb'(?:"log"|%22log%22)\s*(?::|%3A)\s*(?:\[|%5B)', re.IGNORECASE)
_OTHERS = (b'"qipai"', b'"qijia"', b'"type":"start_kyoku"')
_POINTS = RANGES["games"]["final_points"]
_SCORES = RANGES["games"]["final_scores"]


def is_format(data: bytes) -> bool:
    """Return whether a file has rounds of Tenhou's JSON in it: a key ``log`` with a list, and no other format's keys."""
    start = data[:_SEARCHED]
    return data[:1] != b"<" and bool(_LOG.search(start)) and not any(key in start for key in _OTHERS)


def parse(sources: Sequence[Source], base: RuleSet) -> tables.Log:
    """Read a batch of files.

    Parameters
    ----------
    sources
        files whose ``data`` is UTF-8 text
    base
        rules that hold wherever the logs state none

    Returns
    -------
    Log
        one game for each game in the files, and for each text that should be a game

    """
    games = documents.games(sources)
    seats = [rounds.players(game) for game in games]
    read = rounds.read(games, seats)
    players = np.array(seats, dtype=np.int8)[np.array(read.game, dtype=np.int64)]
    ended = results.read(read, players)
    played = play.read(read, players, play.Ending(np.array(ended.count, dtype=np.int64), ended.won()))
    origins = [rules.origin(game, count, base) for game, count in zip(games, seats, strict=True)]
    sets = {each: place for place, each in enumerate(dict.fromkeys(origin.rules for origin in origins))}
    claims = results.claims(ended, played, players)
    frame, wrong = _games(games, sources, seats, read, played)
    frame |= {
        "platform": [origin.platform for origin in origins],
        "rules": [sets[origin.rules] for origin in origins],
        "start_time": pl.Series([origin.start for origin in origins], dtype=pl.Datetime("us")),
    }
    unruled = [(game, origin.fault) for game, origin in enumerate(origins) if origin.fault]
    return tables.Log(
        games=tables.conform(frame, tables.GAMES, ABSENT["games"]),
        rounds=played.rounds,
        events=played.events,
        melds=played.melds,
        deals=played.deals,
        deposits=pl.DataFrame(schema=tables.DEPOSITS),
        claims=claims,
        shows=pl.DataFrame(schema=tables.SHOWS),
        problems=_problems(games, read, played, ended, [*wrong, *unruled]),
        rules=list(sets),
    )


def _games(
    games: Sequence[Game], sources: Sequence[Source], seats: Sequence[int], read: rounds.Rounds, played: play.JsonPlay
) -> tuple[dict[str, Any], list[tuple[int, str]]]:
    """Return the columns of the games table, and what is wrong with the head of a game, by game."""
    wrong: list[tuple[int, str]] = []
    final, known = np.zeros((len(games), SEATS, 2)), np.zeros(len(games), dtype=bool)
    for number, (game, count) in enumerate(zip(games, seats, strict=True)):
        stated = game.head.get("sc")
        if stated is None or not game.rounds:
            continue
        values = _final(stated, count)
        if values is None:
            wrong.append((number, f"sc {stated}"[:80]))
        else:
            final[number], known[number] = values, True
    number_of = played.events["event"].to_numpy()
    game_of = np.array(read.game, dtype=np.int64)[played.events["round"].to_numpy()]
    last = np.full(len(games), -1, dtype=np.int64)
    last[game_of] = number_of
    players = np.array(seats, dtype=np.int8)
    return {
        "game": np.arange(len(games)),
        "game_id": [game.game_id for game in games],
        "source": [sources[game.file].name for game in games],
        "within": pl.Series([game.within for game in games], dtype=pl.String),
        "players": players,
        **{
            column: pl.Series([_texts(game.head.get(key), count) for game, count in zip(games, seats, strict=True)])
            .cast(tables.GAMES[column])
            for column, key in (("names", "name"), ("ranks", "dan"))
        },
        "ratings": pl.Series(
            [_numbers(game.head.get("rate"), count) for game, count in zip(games, seats, strict=True)],
            dtype=tables.GAMES["ratings"],
        ),
        "table": [_table(game) for game in games],
        "ended": pl.Series([True if known[number] else None for number in range(len(games))], dtype=pl.Boolean),
        "final_scores": by_seat(final[:, :, 0].astype(np.int32), players, known),
        "final_points": by_seat(final[:, :, 1], players, known),
        "places": by_seat(np.zeros((len(games), SEATS), dtype=np.uint8), players, np.zeros(len(games), dtype=bool)),
        "states_end": ["ver" in game.head for game in games],
        "hands_shown": [False] * len(games),
        "liable_stated": [True] * len(games),
        "deposits_inferred": [True] * len(games),
        "last_event": pl.Series([value if value >= 0 else None for value in last.tolist()], dtype=pl.UInt32),
    }, wrong


def _final(stated: object, seats: int) -> list[list[float]] | None:
    """Return score and final points of four seats, from a list that alternates; None if it is no such list."""
    if not isinstance(stated, list) or len(stated) not in {2 * seats, 2 * SEATS}:
        return None
    kept = stated[: 2 * seats]
    if not all(type(each) in {int, float} for each in kept):
        return None
    pairs = [[float(score), float(points)] for score, points in zip(kept[::2], kept[1::2], strict=True)]
    fits = all(
        _SCORES.low <= score <= _SCORES.high and score == int(score) and _POINTS.low <= points <= _POINTS.high
        for score, points in pairs
    )
    return [*pairs, *[[0.0, 0.0]] * (SEATS - seats)] if fits else None


def _texts(value: object, seats: int) -> list[str] | None:
    """Return a text for each player; None if there is no such list."""
    if not isinstance(value, list) or len(value) < seats:
        return None
    return [str(each).encode("utf-8", "backslashreplace").decode() for each in value[:seats]]


def _numbers(value: object, seats: int) -> list[float] | None:
    """Return a number for each player; None if there is no such list."""
    if not isinstance(value, list) or len(value) < seats or not all(type(each) in {int, float} for each in value[:seats]):
        return None
    found = [float(each) for each in value[:seats]]
    low, high = RANGES["games"]["ratings"][:2]
    return found if all(low <= each <= high for each in found) else None


def _table(game: Game) -> str | None:
    """Return the room as the game names it."""
    rule = game.head.get("rule")
    disp = rule.get("disp") if isinstance(rule, dict) else None
    return disp.encode("utf-8", "backslashreplace").decode() if isinstance(disp, str) and disp else None


def _problems(
    games: Sequence[Game],
    read: rounds.Rounds,
    played: play.JsonPlay,
    ended: results.Results,
    heads: list[tuple[int, str]],
) -> pl.DataFrame:
    """Return everything that cannot be read as rows of the canonical table."""
    numbers = played.rounds["event"].to_list()
    rows: list[tuple[Any, ...]] = [
        (game.code, number, None, None, game.fault, "a whole game", None, None)
        for number, game in enumerate(games) if game.code
    ]  # fmt: skip
    rows += [("L003", number, None, None, recorded, "what Tenhou's viewer writes", None, None) for number, recorded in heads]
    rows += [
        (each.code, read.game[each.round], each.round, numbers[each.round], each.recorded, each.expected, each.play, each.rest)
        for each in (*read.faults, *played.faults)
    ]
    rows += [
        ("L003", read.game[round_], round_, numbers[round_], recorded, expected, False, False)
        for round_, recorded, expected in ended.problems
    ]
    names = ("code", "game", "round", "event", "recorded", "expected", "play", "rest")
    frame = pl.DataFrame(rows, schema={name: tables.PROBLEMS[name] for name in names}, orient="row")
    return tables.problem_rows(frame.with_columns(pl.col("recorded").str.replace_all(r"[\r\n]+", " ")))


READER = Reader("tenhou_json", is_format, parse, ABSENT)
