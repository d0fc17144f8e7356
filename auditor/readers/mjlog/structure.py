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
from auditor.readers.mjlog.fields import CLOSING, SPEC

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.readers.mjlog.tags import Tags
    from auditor.readers.mjlog.values import Values

    Bools = npt.NDArray[np.bool_]
    Ints = npt.NDArray[np.int64]

_CLEAN = r"^<[/?!]?[A-Za-z_]+\d*(?:\s|/?>)"
"""A tag's name and the characters that must follow it."""
_PLAY_WITH_ATTRIBUTES = r"^<[TUVWDEFG]\d*\s+\w"
_ALL_ATTRIBUTES = {attribute for attributes in SPEC.values() for attribute in attributes}
_FOREIGN = {name: _ALL_ATTRIBUTES - set(attributes) for name, attributes in SPEC.items() if name != "UN"}
"""By tag: the attributes that only other tags have. A UN is left out."""


def torn(tags: Tags, values: Values) -> Bools:
    """Return bool[tags]: which tags have a hole within them or directly behind them. The end of a log is no hole."""
    found = np.zeros(len(tags), dtype=bool)
    ends = tags.last_rows
    found[tags.broken["row"].to_numpy()] = True
    found[ends] = False
    found[tags.loose["row"].to_numpy()] = True
    others = tags.others
    # Few tags have an unknown name, so a regular expression over their text is affordable.
    unknown = others.filter(~pl.col("name").is_in(list(SPEC)))
    unknown = unknown.filter(~pl.col("text").str.contains(r"^<[/?!]"))
    bad = unknown.filter(~pl.col("text").str.contains(_CLEAN) | pl.col("text").str.contains(_PLAY_WITH_ATTRIBUTES))
    suspects = (_run_together(tags, values), _before_play(tags, values))
    for rows in (tags.unquoted, bad["row"], *suspects, _unread_riichi(values)):
        found[rows.to_numpy()] = True
    return found


def _run_together(tags: Tags, values: Values) -> pl.Series:
    """Return the tags with an attribute that only other tags have: two tags may have run together."""
    unknown = tags.attributes.filter(pl.Series(values.field < 0))
    foreign = pl.struct("name", "attribute").is_in(
        [{"name": name, "attribute": each} for name, attributes in _FOREIGN.items() for each in sorted(attributes)]
    )
    return unknown.filter(foreign)["row"]


def _before_play(tags: Tags, values: Values) -> pl.Series:
    """Return the faulty results that a draw of a tile follows: the deal between them is lost."""
    results = tags.others.filter(pl.col("name").is_in(["AGARI", "RYUUKYOKU"]))["row"]
    lacking = [pl.Series(values.rows(name)[~values.has(name, "sc")]) for name in ("AGARI", "RYUUKYOKU")]
    wrong = pl.concat([values.problems["row"], *lacking])
    after = np.minimum(results.to_numpy().astype(np.int64) + 1, len(tags) - 1)
    drawn = (tags.letter[after] < SEATS) & (tags.game[after] == tags.game[results.to_numpy()])
    return results.filter(results.is_in(wrong.implode()) & pl.Series(drawn))


def _unread_riichi(values: Values) -> pl.Series:
    """Return the riichi steps whose seat or step is unknown: they may be sticks that a seat paid."""
    rows = values.rows("REACH")
    lacking = rows[~(values.has("REACH", "who") & values.has("REACH", "step"))]
    bad = values.problems.filter(pl.col("recorded").str.contains("^REACH (?:who|step)="))["row"]
    return pl.concat([bad, pl.Series(lacking)])


def second_roots(tags: Tags) -> pl.DataFrame:
    """Return every root tag (row) that follows another root tag in its file."""
    roots = tags.others.filter(pl.col("name") == "mjloggm").select("row")
    game = pl.Series(tags.game[roots["row"].to_numpy()])
    return roots.filter(~game.is_first_distinct())


def unread(tags: Tags, values: Values, holes: Bools) -> Bools:
    """Return bool[tags]: which tags are not read as play.

    These are the tags with a hole, the tags between a hole and the next deal, a second log in the file, and the tags
    behind the closing tag of a game that is over.
    """
    rows = np.arange(len(tags))
    hidden = np.zeros(len(tags), dtype=bool)
    roots = second_roots(tags)["row"].to_numpy()
    ends = _ends(tags, values)
    if not holes.any() and not len(roots) and not len(ends):
        return hidden
    begins = np.flatnonzero(np.diff(tags.game.astype(np.int64), prepend=-1))
    first = np.zeros(len(tags), dtype=np.int64)
    first[begins] = begins
    first = np.maximum.accumulate(first)
    inits = values.rows("INIT")
    if holes.any():
        deal, hole = (_last(rows, where) for where in (np.isin(rows, inits), holes))
        hidden = (hole >= first) & (hole >= deal) & ((rows > hole) | ~np.isin(rows, inits))
    for after in (roots, ends):
        if len(after):
            hidden |= _last(rows, np.isin(rows, after)) >= first
    return hidden


def _ends(tags: Tags, values: Values) -> Ints:
    """Return the closing tags that follow the last result of a game but are not the last tag of the file."""
    closing = tags.others.filter(pl.col("name") == CLOSING)["row"].to_numpy().astype(np.int64)
    closing = closing[~np.isin(closing, tags.last_rows)]
    last = [values.rows(name)[values.has(name, "owari")] for name in ("AGARI", "RYUUKYOKU")]
    found: Ints = closing[np.isin(closing - 1, np.concatenate(last))]
    return found


def _last(rows: Ints, where: Bools) -> Ints:
    """Return for each row the last row at or before it for which ``where`` is true; -1 if there is none."""
    found: Ints = np.maximum.accumulate(np.where(where, rows, -1))
    return found
