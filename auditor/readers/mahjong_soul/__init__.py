"""Reader of Mahjong Soul (雀魂) records, in every rendering: protobuf bytes, hex, base64, JSON, text dumps.

Facts: auditor/readers/mahjong_soul/FORMAT.md. All renderings become bytes (containers.py), so that one way leads to the
tables.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.base import steps
from auditor.log import tables
from auditor.log.arrays import where_known
from auditor.readers.contract import Reader
from auditor.readers.mahjong_soul import containers, games, hints, offers, places, play, results
from auditor.readers.mahjong_soul.absent import ABSENT
from auditor.readers.mahjong_soul.records import Fault, Records
from auditor.sources.likeness import is_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.sources.log_files import Source
    from engine.rules.rule_sets import RuleSet

SEARCHED = 1 << 20
_MARKS = re.compile(
    rb'\.lq\.(?:Record|GameDetail|Action)|"@type"\s*:\s*"(?:\.?lq\.)?Record[A-Z]|"ChUubHEuR2FtZURldGFpbFJlY29yZHMS'
    rb'|"name"\s*:\s*"(?:Record)?(?:NewRound|DealTile|DiscardTile)"'
    rb'|"gamedata"\s*:\s*\{[^{}]{0,200}"source"\s*:\s*"majsoul"'
    rb"|\(\s*['\"]\.?(?:lq\.)?Record(?:NewRound|DealTile|DiscardTile)['\"]"
)
"""What only these records have: names of messages, and a wrapper's beginning in base64."""
_HEXED = re.compile(rb"(?:0[123][0-9a-f]{4})?0a(?:15|00|11)[0-9a-f]{2}|1a[0-9a-f]{2}", re.IGNORECASE)
_BASED = re.compile(rb"ChUubHEuR2FtZURldGFpbFJlY29yZHMS|[AGC][A-Za-z0-9+/_-]{39,}={0,2}\s*(?:\n|\Z)")
_DIGITS = re.compile(rb"[A-Za-z0-9+/_=\s-]*")


def is_format(data: bytes) -> bool:
    """Return whether a file is a record of Mahjong Soul: bytes, text of them, or JSON with names of its messages."""
    if is_record(data):
        return True
    start = data[:SEARCHED]
    if data[:1] in (b"{", b"[", b"("):
        return bool(_MARKS.search(start))
    if not _DIGITS.fullmatch(start):
        return b".lq.Record" in start or bool(_MARKS.match(start))
    return bool(_HEXED.match(start) or _BASED.match(start)) and containers.is_encoded(data)


def parse(sources: Sequence[Source], base: RuleSet) -> tables.Log:
    """Read a batch of files.

    Parameters
    ----------
    sources
        files whose ``data`` is bytes or UTF-8 text
    base
        rules of ``--rules``: see rules.py

    Returns
    -------
    Log
        one game for each record in the files, and for each text that should be one

    """
    found = [(file, each) for file, source in enumerate(sources) for each in containers.documents(source.data)]
    documents = [each for _, each in found]
    records = Records(documents)
    steps.reached(0.4)
    faults: list[Fault] = []
    heads = games.heads(documents, faults)
    players = play.players_of(records, np.array([each.players for each in heads], dtype=np.int8))
    headed = games.read(records, heads, [file for file, _ in found], sources, base, players, faults)
    records.note_modes()
    records.leave_out(set(records.modes))
    played = play.read(records, players)
    steps.reached(0.7)
    ended = results.read(records, players, played.rounds)
    columns = headed.games | {"last_event": _last_events(records, len(documents))}
    offered = offers.read(records, players)
    faults += offered.faults + _of_documents(documents, records)
    listed = places.fault_rows(records, faults + records.faults + records.unfit())
    return tables.Log(
        games=tables.conform(columns, tables.GAMES, ABSENT["games"]),
        rounds=played.rounds,
        events=played.events,
        melds=played.melds,
        deals=played.deals,
        deposits=played.deposits,
        claims=ended.claims,
        shows=ended.shows,
        problems=pl.concat([listed, *map(tables.problem_rows, played.problems + ended.problems)]),
        rules=headed.rules,
        hints=hints.read(records, players, offered.asked),
        offers=offered.table,
    )


def _last_events(records: Records, games: int) -> pl.Series:
    """Return the number of each game's last record; null if it has none."""
    last = np.searchsorted(records.game, np.arange(games), side="right") - 1
    some = np.isin(np.arange(games), records.game)
    number = np.append(records.number, 0)[last]
    return where_known(number.astype(np.uint32), some)


def _of_documents(documents: Sequence[containers.Document], records: Records) -> list[Fault]:
    """Return the faults of texts, and the games that are no riichi."""
    found = [
        Fault(game, 0, code, recorded[:120], expected)
        for game, each in enumerate(documents)
        for code, recorded, expected in each.faults
    ]
    found += [
        Fault(game, number, "L003", recorded[:120], expected, play=True)
        for game, each in enumerate(documents)
        for number, recorded, expected in each.notes
        if game not in records.modes
    ]
    return found + [
        Fault(game, 0, "L007", f"event mode: {mode}", "a game of riichi") for game, mode in records.modes.items()
    ]


READER = Reader("mahjong_soul", is_format, parse, ABSENT)
