"""Reader of mjai event logs, in every dialect: JSON Lines, arrays, objects with a list of events → canonical tables.

Facts: auditor/readers/mjai/FORMAT.md. A log seldom states its rules; where it does not, ``--rules`` holds.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import polars as pl

from auditor.base import steps
from auditor.log import tables
from auditor.readers.contract import Reader
from auditor.readers.mjai import games, lines, play, results
from auditor.readers.mjai.absent import ABSENT
from auditor.readers.mjai.containers import documents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.sources.log_files import Source
    from engine.rules.rule_sets import RuleSet

SEARCHED = 1 << 20
_ROUND = re.compile(rb'"type"\s*:\s*"start_kyoku"')
_GAME = re.compile(rb'[^\n]*"type"\s*:\s*"start_game"')
_COMMENTS = re.compile(rb"(?:[ \t]*(?:(?:#|//)[^\n]*)?\n)*")
_OTHER = (b'"qipai"', b'"msg"')
"""Keys of other formats: paipu, and reports that have such messages within."""


def is_format(data: bytes) -> bool:
    """Return whether a file is an mjai log: JSON, or mostly lines of it, with the event that begins a round.

    Comments can stand before it. The event that begins a game is enough in the first line: a log can break off there.
    """
    start = data[:SEARCHED]
    if not (_ROUND.search(start) or _GAME.match(start)) or any(key in start for key in _OTHER):
        return False
    first = _COMMENTS.sub(b"", start, count=1)
    if first[:1] in (b"{", b"[") or first[:2] in (b"<-", b"->"):
        return True
    lines = [line for line in start.split(b"\n") if line.strip()]
    return 2 * sum(b"{" in line and b'"type"' in line for line in lines) >= len(lines)


def parse(sources: Sequence[Source], base: RuleSet) -> tables.Log:
    """Read a batch of files.

    Parameters
    ----------
    sources
        files whose ``data`` is UTF-8 text
    base
        rules of games that state none

    Returns
    -------
    Log
        one game for each game in the files, and for each text that should be a game

    """
    found = [(file, each) for file, source in enumerate(sources) for each in documents(source.data)]
    read = lines.read([each for _, each in found])
    steps.reached(0.4)
    headed = games.read(read, found, sources, base)
    read = read.of_games(~headed.unread)
    played = play.read(read, headed.first_mark, headed.of_dialect("feeder"))
    steps.reached(0.8)
    ended = results.read(read, played, [each.beside for _, each in found], headed.of_dialect("whole_fu"))
    problems = [pl.DataFrame(schema=tables.PROBLEMS), *headed.problems, *played.problems, *ended.problems]
    return tables.Log(
        games=tables.conform(headed.games, tables.GAMES, ABSENT["games"]),
        rounds=played.rounds,
        events=played.events,
        melds=played.melds,
        deals=played.deals,
        deposits=played.deposits,
        claims=ended.claims,
        shows=ended.shows,
        problems=pl.concat(problems),
        rules=headed.rules,
    )


READER = Reader("mjai", is_format, parse, ABSENT)
