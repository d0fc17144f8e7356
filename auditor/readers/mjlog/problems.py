"""Gathers everything that cannot be read or is out of place, as rows of the canonical table ``problems``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log import tables
from auditor.log.arrays import is_known, where_known
from auditor.readers.mjlog import missing, structure
from auditor.readers.mjlog.fields import CLOSING, NAME
from auditor.readers.mjlog.found import problems_at
from auditor.readers.mjlog.play import NO_ROUND
from auditor.readers.mjlog.players import NO_TILES, WHO_PLAYS, by_nobody

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from auditor.readers.mjlog.play import MjlogPlay
    from auditor.readers.mjlog.results import MjlogResults
    from auditor.readers.mjlog.tags import Tags
    from auditor.readers.mjlog.values import Values

    Bools = npt.NDArray[np.bool_]


def collect(
    tags: Tags,
    values: Values,
    played: MjlogPlay,
    ended: MjlogResults,
    *,
    earlier: list[pl.DataFrame],
    holes: Bools,
    unread: Bools,
    cut: Sequence[bool],
) -> list[pl.DataFrame]:
    """Return the problems of a batch that lie in a tag, with their places, as rows of the canonical table.

    ``earlier`` has problems that other modules found (row, code, recorded, expected). ``holes`` bool[tags] says which
    tags have a hole (structure.py), ``unread`` bool[tags] which are not read as play, and ``cut`` bool[games] which
    files are known to end too early.
    """
    lost = by_nobody(tags, values.players)
    found = [
        *earlier,
        *_quoted(tags, tags.rows[tags.names < 0], "a tag of mjlog", 80),
        *_impossible_values(values),
        *played.problems,
        *ended.problems,
        *missing.attributes(values, tags),
        *_damaged(tags),
        *problems_at(structure.second_roots(tags)["row"].to_numpy(), "a second <mjloggm>", "one game a file"),
        *_quoted(tags, lost, f"a draw or discard of seat 0, 1 or 2: {WHO_PLAYS}"),
        *_headless(tags, values, unread),
        *_first_dealer(values),
        *_unclosed(tags, values, ended, cut),
        *_after_the_end(tags, values),
        *_cut(tags),
    ]
    if not found:
        return []
    rows = pl.concat(found, how="diagonal").join(
        tags.others.select("row", "name"), on="row", how="left", maintain_order="left"
    )
    at = rows["row"].to_numpy()
    round_of = played.round_of[at]
    placed = rows.with_columns(
        game=pl.Series(tags.game[at]),
        event=pl.Series(tags.event[at]),
        pos=pl.Series(tags.pos[at]),
        play=((pl.col("code") == "L003") & pl.col("name").is_in(_OF_PLAY) & ~pl.Series(holes[at]))
        | pl.Series(np.isin(at, lost)),
        rest=pl.Series(holes[at]),
        round=where_known(round_of, round_of != NO_ROUND),
    )
    return [tables.problem_rows(placed)]


def _impossible_values(values: Values) -> list[pl.DataFrame]:
    """Return impossible values: as T103 a deal of more or fewer than thirteen tiles, else as L003."""
    if values.problems.is_empty():
        return []
    tile = r"(?:[0-9]{1,2}|1[0-2][0-9]|13[0-5])"
    dealt = pl.col("recorded").str.contains(rf'^INIT hai[0-3]="{tile}(,{tile})*"$')
    wrong = dealt & (pl.col("recorded").str.count_matches(",") != 12) & (pl.col("expected") != NO_TILES)
    return [values.problems.with_columns(code=pl.when(wrong).then(pl.lit("T103")).otherwise(pl.lit("L003")))]


_OF_PLAY = ["N", "REACH", "DORA"]
"""Tags without which the rest of a round cannot be followed."""


def _damaged(tags: Tags) -> list[pl.DataFrame]:
    """Return as problems the known tags that lack a quote, text between tags, and control characters."""
    unquoted = tags.unquoted
    if len(unquoted):  # else the search would take its time for nothing
        known = (tags.names >= 0) & (tags.names != NAME[CLOSING])
        unquoted = unquoted[np.isin(unquoted, tags.rows[known])]
    controls = tags.controls[~np.isin(tags.controls, tags.loose["row"])]
    return [
        *_quoted(tags, unquoted, "a quote before and after each value"),
        *_shown(tags.loose, "a tag"),
        *problems_at(controls, "a control character in a tag", "text"),
    ]


_HEADER = {"GO": "the table's type", "UN": "the players' names", "TAIKYOKU": "the first dealer"}


def _headless(tags: Tags, values: Values, unread: Bools) -> list[pl.DataFrame]:
    """Return as problems the header tags that a game with deals lacks (at its last tag), and repeated header tags."""
    played = _games(tags, values.rows("INIT"))
    found = []
    for name, what in _HEADER.items():
        rows = values.rows(name)
        if name == "UN":
            rows = rows[missing.names_table(values)]
        lacks = (played & ~_games(tags, rows))[tags.game[tags.last_rows]]
        again = rows[1:][(tags.game[rows[1:]] == tags.game[rows[:-1]]) & ~unread[rows[1:]]]
        found += problems_at(tags.last_rows[lacks], f"a log without {name}", f"{name} with {what}")
        found += problems_at(again, f"a second {name}", "the first: one a log", "L004")
    return found


def _first_dealer(values: Values) -> list[pl.DataFrame]:
    """Return as problems TAIKYOKU tags whose first dealer is not seat 0: seats are counted from the first dealer."""
    dealer = values.lists("TAIKYOKU", "oya").number()
    recorded = [f"TAIKYOKU oya={oya}" for oya in dealer[dealer > 0].tolist()]
    return problems_at(values.rows("TAIKYOKU")[dealer > 0], recorded, "seat 0: it deals first", "L006")


def _games(tags: Tags, rows: npt.NDArray[np.uint32]) -> Bools:
    """Return bool[games]: which games, up to the last one with tags, have one of these tags."""
    found = np.zeros(int(tags.game[-1]) + 1 if len(tags) else 0, dtype=bool)
    found[tags.game[rows]] = True
    return found


def _unclosed(tags: Tags, values: Values, ended: MjlogResults, cut: Sequence[bool]) -> list[pl.DataFrame]:
    """Return as problems the last tag of each game that is over but has no closing tag."""
    last = tags.last_rows[~_games(tags, values.rows(CLOSING))[tags.game[tags.last_rows]]]
    over = is_known(ended.finals["ended"]) & ~np.array(cut, dtype=bool)
    unclosed = last[over[tags.game[last]] & ~np.isin(last, tags.broken["row"])]
    return problems_at(unclosed, "the last result", f"<{CLOSING}>", "L002")


def _after_the_end(tags: Tags, values: Values) -> list[pl.DataFrame]:
    """Return one problem for each game with tags behind its closing tag: the first of them, and how many there are.

    Tags of a second log in the file do not count. Whether these tags or the closing tag are in the wrong place cannot
    be decided here; structure.py decides whether they are read as play.
    """
    ends = values.rows(CLOSING).astype(np.int64)
    ends = ends[np.append(True, tags.game[ends[1:]] != tags.game[ends[:-1]])[: len(ends)]]
    last = tags.last_rows[np.searchsorted(tags.last_rows, ends)]
    if (last == ends).all():
        return []
    roots = structure.second_roots(tags)["row"].to_numpy().astype(np.int64)
    until = np.append(roots, len(tags))[np.searchsorted(roots, ends)]
    count = np.minimum(last + 1, until) - ends - 1
    recorded = [f"log of {each} tag(s)" for each in count[count > 0].tolist()]
    return problems_at(ends[count > 0] + 1, recorded, f"the closing tag <{CLOSING}>", "L004")


def _cut(tags: Tags) -> list[pl.DataFrame]:
    """Return the tags without an end as problems."""
    if tags.broken.is_empty():
        return []
    at_end = pl.Series(np.isin(tags.broken["row"], tags.last_rows))
    return [
        *_shown(tags.broken.filter(~at_end), "a tag that ends in >"),
        *_shown(tags.broken.filter(at_end), "the rest of the log: it ends inside a tag", "L002"),
    ]


def _quoted(tags: Tags, rows: npt.NDArray[np.int64], expected: str, length: int = 40) -> list[pl.DataFrame]:
    """Return these tags as problems that show the beginning of their text."""
    return _shown(pl.DataFrame({"row": rows, "text": tags.texts(rows)}), expected, length=length) if len(rows) else []


def _shown(tags: pl.DataFrame, expected: str, code: str = "L003", length: int = 40) -> list[pl.DataFrame]:
    """Return tags (row, text) as problems that show the beginning of this text."""
    if tags.is_empty():
        return []
    return problems_at(tags["row"].to_numpy(), tags["text"].str.strip_chars().str.slice(0, length), expected, code)
