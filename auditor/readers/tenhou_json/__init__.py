"""Reader of Tenhou's JSON (the form of its viewer, ``tenhou.net/6``), of four and three players → canonical tables.

Facts: auditor/readers/tenhou_json/FORMAT.md. Converters and editors write this form too, for games of other platforms.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from auditor.base import steps
from auditor.log import tables
from auditor.log.arrays import repeated
from auditor.readers.contract import Reader
from auditor.readers.json_text import collector_paused
from auditor.readers.tenhou_json import documents, heads, play, results, rounds, rules
from auditor.readers.tenhou_json.absent import ABSENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.readers.tenhou_json.documents import Game
    from auditor.readers.tenhou_json.rules import Origin
    from auditor.sources.log_files import Source
    from engine.rules.rule_sets import RuleSet

_SEARCHED = 1 << 20
_LOG = re.compile(rb'(?:"log"|%22log%22)\s*(?::|%3A)\s*(?:\[|%5B)', re.IGNORECASE)
_OTHERS = (b'"qipai"', b'"qijia"', b'"start_kyoku"', b'"start_game"')


def is_format(data: bytes) -> bool:
    """Return whether a file has a game of Tenhou's JSON: a key ``log`` with a list, and no other format's keys."""
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
    with collector_paused():
        return _parse(sources, base)


def _parse(sources: Sequence[Source], base: RuleSet) -> tables.Log:
    """Return :func:`parse`; what is decoded is gone when it returns."""
    games = documents.games(sources)
    steps.reached(0.3)
    headed = [heads.read(game) for game in games]
    read = rounds.read([game.rounds for game in games], [each.players for each in headed])
    players = np.array([each.players for each in headed], dtype=np.int8)[np.array(read.game, dtype=np.int64)]
    ended = results.read(read, players)
    steps.reached(0.5)
    played = play.read(read, players, ended.endings(len(read.game)))
    steps.reached(0.9)
    sets = rules.RuleSets(base)
    origins = [rules.origin(game, head.players, sets) for game, head in zip(games, headed, strict=True)]
    table = _games(games, sources, origins, read, played) | heads.columns(headed)
    table["rules"] = [origin.rules for origin in origins]
    return tables.Log(
        games=tables.conform(table, tables.GAMES, ABSENT["games"]),
        rounds=played.rounds,
        events=played.events,
        melds=played.melds,
        deals=played.deals,
        deposits=pl.DataFrame(schema=tables.DEPOSITS),
        claims=results.claims(ended, read, played, players),
        shows=pl.DataFrame(schema=tables.SHOWS),
        problems=_problems(games, read, played, [*read.faults, *played.faults, *ended.faults]),
        rules=sets.listed(),
    )


def _games(
    games: Sequence[Game],
    sources: Sequence[Source],
    origins: Sequence[Origin],
    read: rounds.Rounds,
    played: play.JsonPlay,
) -> dict[str, Any]:
    """Return the columns of the games table that their heads do not state."""
    count = len(games)
    last = np.full(count, -1, dtype=np.int64)
    last[np.array(read.game, dtype=np.int64)[played.events["round"].to_numpy()]] = played.events["event"].to_numpy()
    false, true = (repeated(each, pl.Boolean, count) for each in (False, True))
    return {
        "game": np.arange(count),
        "game_id": [game.game_id for game in games],
        "source": [sources[game.file].name for game in games],
        "within": pl.Series([game.within for game in games], dtype=pl.String),
        "platform": [origin.platform for origin in origins],
        "room": pl.Series([origin.room.room for origin in origins], dtype=pl.String),
        "mode": pl.Series([origin.room.mode for origin in origins], dtype=pl.String),
        "link": pl.Series([origin.link for origin in origins], dtype=pl.String),
        "start_time": pl.Series([origin.start for origin in origins], dtype=pl.Datetime("us")),
        # Servers and their imitators write a version, and at the end the final scores.
        "states_end": ["ver" in game.head for game in games],
        "hands_shown": false,
        "liable_stated": true,
        "deposits_inferred": true,
        "kan_indicator": repeated("untimed", tables.GAMES["kan_indicator"], count),
        "last_event": pl.Series([value if value >= 0 else None for value in last.tolist()], dtype=pl.UInt32),
    }


def _problems(
    games: Sequence[Game], read: rounds.Rounds, played: play.JsonPlay, faults: Sequence[rounds.Fault]
) -> pl.DataFrame:
    """Return everything that cannot be read as rows of the canonical table."""
    event, game_of = played.rounds["event"].to_list(), read.game
    rows: list[tuple[Any, ...]] = [
        (fault.code, number, None, None, fault.recorded, fault.expected, None, None)
        for number, game in enumerate(games)
        for fault in game.faults
    ]
    rows += [
        (each.code, game_of[at], at, event[at], each.recorded, each.expected, each.play, each.rest)
        for each in faults
        for at in [each.round]
    ]
    names = ("code", "game", "round", "event", "recorded", "expected", "play", "rest")
    frame = pl.DataFrame(rows, schema={name: tables.PROBLEMS[name] for name in names}, orient="row")
    return tables.problem_rows(frame.with_columns(pl.col("recorded").str.replace_all(r"[\r\n]+", " ")))


READER = Reader("tenhou_json", is_format, parse, ABSENT)
