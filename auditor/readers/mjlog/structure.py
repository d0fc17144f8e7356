"""Finds the parts of a log that cannot be read as play: behind a hole, or behind the start of a second log.

A hole is a place where bytes are lost. It leaves a tag without its end or its quotes, two tags run together, or text
between tags. How much is lost is unknown, so the rest of that round, up to the next deal, is not read as play. A
riichi step that cannot be read counts as a hole, because it may have been a stick that was paid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.tables import SEATS
from auditor.readers.mjlog.fields import CLOSING, NAME

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.readers.mjlog.tags import Tags
    from auditor.readers.mjlog.values import Values

    Bools = npt.NDArray[np.bool_]
    Ints = npt.NDArray[np.int64]

_CLEAN = r"^<(?:[/?!]|[A-Za-z_]+\d*(?:\s|/?>))"
"""A tag's name and the characters that must follow it; a closing tag can have any name."""
_PLAY_WITH_ATTRIBUTES = r"^<[TUVWDEFG]\d*\s+\w"
_RESULTS = ("AGARI", "RYUUKYOKU")


def torn(tags: Tags, values: Values) -> Bools:
    """Return bool[tags]: which tags have a hole within them or directly behind them. The end of a log is no hole.

    The first win of a double ron counts as torn if a deal is lost in the hole of the second.
    """
    found = np.zeros(len(tags), dtype=bool)
    found[tags.broken["row"]] = True
    found[tags.last_rows] = False
    found[tags.loose["row"]] = True
    found[tags.unquoted] = True
    unknown = tags.rows[tags.names < 0]
    if len(unknown):
        text = tags.texts(unknown)
        found[unknown[~text.str.contains(_CLEAN) | text.str.contains(_PLAY_WITH_ATTRIBUTES)]] = True
    for rows in (_run_together(tags, values), _before_play(tags, values), _unread_riichi(values)):
        found[rows] = True
    if found.any():
        found[_wins_before(tags, values, found)] = True
    return found


def _run_together(tags: Tags, values: Values) -> Ints:
    """Return the tags with an attribute that only other tags have: two tags may have run together."""
    foreign = tags.attributes.tag[(values.field < 0) & (tags.attributes.name >= 0)]
    # A UN is left out.
    known = (tags.names[foreign] >= 0) & (tags.names[foreign] != NAME["UN"])
    rows: Ints = tags.rows[foreign[known]]
    return rows


def _before_play(tags: Tags, values: Values) -> Ints:
    """Return the faulty results that a draw of a tile follows: the deal between them is lost."""
    results: Ints = tags.rows[np.isin(tags.names, [NAME[name] for name in _RESULTS])]
    lacking = [values.rows(name)[~values.has(name, "sc")] for name in _RESULTS]
    wrong = np.concatenate([values.problems["row"].to_numpy(), *lacking])
    results = results[np.isin(results, wrong)]
    after = np.minimum(results + 1, len(tags) - 1)
    drawn = (tags.letter[after] < SEATS) & (tags.game[after] == tags.game[results])
    return results[drawn]  # type: ignore[no-any-return]


def _wins_before(tags: Tags, values: Values, holes: Bools) -> Ints:
    """Return the first wins of double rons whose second has a hole up to a draw: the deal between is lost.

    With only the first win, the round after the lost one would look like the next.
    """
    wins = values.rows("AGARI").astype(np.int64)
    second = wins[1:][(np.diff(wins) == 1) & (tags.game[wins[1:]] == tags.game[wins[:-1]])]
    second = second[holes[second]]
    after = np.minimum(second + 1, len(tags) - 1)
    return second[tags.letter[after] < SEATS] - 1  # type: ignore[no-any-return]


def _unread_riichi(values: Values) -> npt.NDArray[np.uint32]:
    """Return the riichi steps whose seat or step is unknown: they may be sticks that a seat paid."""
    lacking = values.rows("REACH")[~(values.has("REACH", "who") & values.has("REACH", "step"))]
    if values.problems.is_empty():
        return lacking
    bad = values.problems.filter(pl.col("recorded").str.contains("^REACH (?:who|step)="))["row"]
    return np.concatenate([bad.to_numpy(), lacking])


def second_roots(tags: Tags) -> pl.DataFrame:
    """Return every root tag (row) that follows another root tag in its file."""
    roots = tags.rows[tags.names == NAME["mjloggm"]]
    again = np.diff(tags.game[roots].astype(np.int64), prepend=-1) == 0
    return pl.DataFrame({"row": roots[again].astype(np.uint32)})


def unread(tags: Tags, values: Values, holes: Bools) -> Bools:
    """Return bool[tags]: which tags are not read as play.

    These are the tags with a hole, the tags between a hole and the next deal, a second log in the file, and the tags
    behind the closing tag of a game that is over.
    """
    roots = second_roots(tags)["row"].to_numpy()
    ends = _ends(tags, values)
    torn_apart = holes.any()
    hidden = np.zeros(len(tags), dtype=bool)
    if not torn_apart and not len(roots) and not len(ends):
        return hidden
    rows = np.arange(len(tags))
    first = rows - tags.event
    if torn_apart:
        is_deal = np.isin(rows, values.rows("INIT"))
        deal, hole = _last(rows, is_deal), _last(rows, holes)
        hidden = (hole >= first) & (hole >= deal) & ((rows > hole) | ~is_deal)
    for after in (roots, ends):
        if len(after):
            hidden |= _last(rows, np.isin(rows, after)) >= first
    return hidden


def _ends(tags: Tags, values: Values) -> Ints:
    """Return the closing tags that follow the last result of a game but are not the last tag of the file."""
    closing: Ints = tags.rows[tags.names == NAME[CLOSING]]
    closing = closing[~np.isin(closing, tags.last_rows)]
    if not len(closing):
        return closing
    last = [values.rows(name)[values.has(name, "owari")] for name in _RESULTS]
    return closing[np.isin(closing - 1, np.concatenate(last))]


def _last(rows: Ints, where: Bools) -> Ints:
    """Return for each row the last row at or before it for which ``where`` is true; -1 if there is none."""
    found: Ints = np.maximum.accumulate(np.where(where, rows, -1))
    return found
