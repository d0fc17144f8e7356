"""Reader of Tenhou's XML logs (mjlog): a batch of unpacked files → canonical tables.

Facts: auditor/readers/mjlog/FORMAT.md. One file holds one game, ``<mjloggm>`` with a flat list of empty elements.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log import tables
from auditor.readers.contract import Reader
from auditor.readers.mjlog import file_name, header, markup, play, players, problems, results, structure
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
        one game for each source

    """
    plain = markup.plain([source.data for source in sources])
    types = [header.table_type(each.text) for each in plain]
    offsets = [source.offset for source in sources]
    tags = scan(plain, offsets)
    chips = np.array([table is not None and bool(table & (CHIPS | PARLOUR)) for table in types])
    seated = players.of_games(types, tags)
    values = read_values(tags, chips=chips, players=seated.number)
    head = header.games(sources, types, tags, values, base, seated)
    holes = structure.torn(tags, values)
    unread = structure.unread(tags, values, holes)
    played = play.read(tags, values, unread)
    ended = results.read(tags, values, played.round_of, unread, len(sources))
    cut = [source.cut for source in sources]
    earlier = [*markup.problems(plain, offsets, tags), *head.problems]
    found = [
        pl.DataFrame(schema=tables.PROBLEMS),
        *problems.collect(tags, values, played, ended, earlier=earlier, holes=holes, unread=unread, cut=cut),
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


READER = Reader("mjlog", is_format, parse, ABSENT)
