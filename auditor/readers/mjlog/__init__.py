"""Reader of Tenhou's XML logs (mjlog): a batch of unpacked files → canonical tables.

Facts: auditor/readers/mjlog/FORMAT.md. One file holds one game, ``<mjloggm>`` with a flat list of empty elements.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log import tables
from auditor.readers.contract import Reader
from auditor.readers.mjlog import file_name, header, markup, play, problems, results, structure
from auditor.readers.mjlog.absent import ABSENT
from auditor.readers.mjlog.rules import CHIPS, PARLOUR
from auditor.readers.mjlog.tags import scan
from auditor.readers.mjlog.values import read_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.sources.log_files import Source
    from engine.rules.rule_sets import RuleSet


def is_format(data: bytes) -> bool:
    """Return whether a file is an mjlog: it begins with a tag, and the root tag is near its beginning."""
    return markup.is_log(data)


def parse(sources: Sequence[Source], base: RuleSet) -> tables.Log:
    """Read a batch of files.

    Parameters
    ----------
    sources
        files whose ``data`` is UTF-8 text beginning with ``<``
    base
        rules that hold wherever the logs state none

    Returns
    -------
    Log
        one game for each source. One whose table type and deals are for different numbers of players has a row in
        ``games`` and an L007 problem, but no rounds.

    """
    plain = markup.plain([source.data for source in sources])
    types = [header.table_type(each.text) for each in plain]
    seats = [header.seats_told(each.text, table) for each, table in zip(plain, types, strict=True)]
    plain = [markup.Plain(b"") if _differ(*told) else each for each, told in zip(plain, seats, strict=True)]
    players = np.array([stated or dealt or tables.SEATS for stated, dealt in seats], dtype=np.int8)
    offsets = [source.offset for source in sources]
    tags = scan(plain, offsets)
    chips = np.array([table is not None and bool(table & (CHIPS | PARLOUR)) for table in types])
    values = read_values(tags, chips=chips, players=players)
    head = header.games(sources, types, tags, values, base)
    holes = structure.torn(tags, values)
    unread = structure.unread(tags, values, holes)
    played = play.read(tags, values, unread)
    ended = results.read(tags, values, played.round_of, unread, len(sources))
    cut = [source.cut for source in sources]
    earlier = [*markup.problems(plain, offsets, tags), *head.problems]
    found = [
        pl.DataFrame(schema=tables.PROBLEMS),
        *problems.collect(tags, values, played, ended, earlier=earlier, holes=holes, unread=unread, cut=cut),
        *problems.unsupported([told if _differ(*told) else None for told in seats]),
        *file_name.disagreements(sources, head, tags),
    ]
    return tables.Log(
        games=tables.conform(head.games | ended.finals, tables.GAMES, ABSENT["games"]),
        rounds=played.rounds,
        events=played.events,
        melds=played.melds,
        deals=played.deals,
        deposits=played.deposits,
        claims=ended.claims,
        shows=ended.shows,
        problems=pl.concat(found),
        rules=head.rules,
    )


def _differ(stated: int | None, dealt: int | None) -> bool:
    return None not in {stated, dealt} and stated != dealt


READER = Reader("mjlog", is_format, parse, ABSENT)
