"""Gathers everything that cannot be read or is out of place, as rows of the canonical table ``problems``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log import tables
from auditor.readers.mjlog import missing, structure
from auditor.readers.mjlog.fields import CLOSING
from auditor.readers.mjlog.play import NO_ROUND

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
    earlier: pl.DataFrame,
    holes: Bools,
    unread: Bools,
    cut: Sequence[bool],
) -> pl.DataFrame:
    """Return all problems of a batch with their places, as the canonical table.

    ``earlier`` has problems that other modules found (row, code, recorded, expected). ``holes`` bool[tags] says which
    tags have a hole (structure.py), ``unread`` bool[tags] which are not read as play, and ``cut`` bool[games] which
    files are known to end too early.
    """
    ends = pl.DataFrame({"row": tags.last_rows.astype(np.uint32)})
    rows = pl.concat(
        [
            earlier,
            _unknown_tags(tags),
            values.problems.with_columns(code=_value_code()),
            played.problems,
            ended.problems.with_columns(code=pl.lit("L003")),
            missing.attributes(values, tags),
            *_damaged(tags),
            structure.second_roots(tags).with_columns(
                code=pl.lit("L003"), recorded=pl.lit("a second <mjloggm>"), expected=pl.lit("one game a file")
            ),
            _headless(tags, values, unread),
            _unclosed(tags, ended, cut),
            _after_the_end(tags),
            _broken(tags.broken.join(ends, on="row", how="anti"), "L003", "a tag that ends in >"),
            _broken(tags.broken.join(ends, on="row", how="semi"), "L002", "the rest of the log: it ends inside a tag"),
        ],
        how="diagonal",
    )
    rows = rows.join(tags.others.select("row", "name"), on="row", how="left", maintain_order="left")
    at = rows["row"].to_numpy()
    round_of = pl.Series(played.round_of[at])
    return tables.problem_rows(
        rows.with_columns(
            game=pl.Series(tags.game[at]),
            event=pl.Series(tags.event[at]),
            pos=pl.Series(tags.pos[at]),
            play=(pl.col("code") == "L003") & pl.col("name").is_in(_OF_PLAY) & ~pl.Series(holes[at]),
            rest=pl.Series(holes[at]),
            round=pl.select(pl.when(round_of != int(NO_ROUND)).then(round_of)).to_series(),
        )
    )


def unsupported(three_players: Sequence[bool]) -> pl.DataFrame:
    """Return an L007 problem for each three-player game."""
    games = [game for game, three in enumerate(three_players) if three]
    frame = pl.DataFrame({"game": pl.Series(games, dtype=pl.UInt32)}).with_columns(
        code=pl.lit("L007"),
        recorded=pl.lit("three players"),
        expected=pl.lit("four players: three are not supported yet"),
    )
    return tables.problem_rows(frame)


def _value_code() -> pl.Expr:
    """Return the code of an impossible value: T103 for a deal of more or fewer than thirteen tiles, else L003."""
    tile = r"(?:[0-9]{1,2}|1[0-2][0-9]|13[0-5])"
    dealt = pl.col("recorded").str.contains(rf'^INIT hai[0-3]="{tile}(,{tile})*"$')
    return (
        pl.when(dealt & (pl.col("recorded").str.count_matches(",") != 12))
        .then(pl.lit("T103"))
        .otherwise(pl.lit("L003"))
    )


def _unknown_tags(tags: Tags) -> pl.DataFrame:
    rows = tags.rows[tags.names < 0]
    return pl.DataFrame({"row": rows.astype(np.uint32), "text": tags.texts(rows)}).select(
        "row",
        code=pl.lit("L003"),
        recorded=pl.col("text").str.strip_chars().str.slice(0, 80),
        expected=pl.lit("a tag of mjlog"),
    )


_OF_PLAY = ["N", "REACH", "DORA"]
"""Tags without which the rest of a round cannot be followed."""


def _damaged(tags: Tags) -> list[pl.DataFrame]:
    """Return as problems the known tags that lack a quote, text between tags, and control characters."""
    known = tags.unquoted[np.isin(tags.unquoted, tags.rows[tags.names >= 0])]
    unquoted = pl.DataFrame({"row": known.astype(np.uint32), "text": tags.texts(known)})
    controls = tags.controls[~np.isin(tags.controls, tags.loose["row"].to_numpy())]
    return [
        _broken(unquoted, "L003", "a quote before and after each value"),
        _broken(tags.loose, "L003", "a tag"),
        pl.DataFrame({"row": controls.astype(np.uint32)}).with_columns(
            code=pl.lit("L003"), recorded=pl.lit("a control character in a tag"), expected=pl.lit("text")
        ),
    ]


_HEADER = {"GO": "the table's type", "UN": "the players' names", "TAIKYOKU": "the first dealer"}


def _headless(tags: Tags, values: Values, unread: Bools) -> pl.DataFrame:
    """Return as problems the header tags that a game with deals lacks (at its last tag), and repeated header tags."""
    last = tags.last_rows
    played = np.isin(tags.game[last], tags.game[values.rows("INIT")])
    found = []
    for name, what in _HEADER.items():
        rows = values.rows(name)
        if name == "UN":
            rows = rows[missing.names_table(values)]
        lacks = played & ~np.isin(tags.game[last], tags.game[rows])
        again = rows[~pl.Series(tags.game[rows]).is_first_distinct().to_numpy() & ~unread[rows]]
        found += [
            pl.DataFrame({"row": last[lacks].astype(np.uint32)}).with_columns(
                code=pl.lit("L003"), recorded=pl.lit(f"a log without {name}"), expected=pl.lit(f"{name} with {what}")
            ),
            pl.DataFrame({"row": again}).with_columns(
                code=pl.lit("L004"), recorded=pl.lit(f"a second {name}"), expected=pl.lit("the first: one a log")
            ),
        ]
    return pl.concat(found)


def _unclosed(tags: Tags, ended: MjlogResults, cut: Sequence[bool]) -> pl.DataFrame:
    """Return as problems the last tag of each game that is over but has no closing tag."""
    last = tags.last_rows
    closed = np.isin(tags.game[last], tags.game[_closing(tags)])
    whole = np.isin(tags.game[last], ended.finals["game"].to_numpy()) & ~np.array(cut, dtype=bool)[tags.game[last]]
    unclosed = last[whole & ~closed & ~np.isin(last, tags.broken["row"].to_numpy())]
    return pl.DataFrame({"row": unclosed.astype(np.uint32)}).with_columns(
        code=pl.lit("L002"), recorded=pl.lit("the last result"), expected=pl.lit("</mjloggm>")
    )


def _closing(tags: Tags) -> npt.NDArray[np.uint32]:
    return tags.others.filter(pl.col("name") == CLOSING)["row"].to_numpy()


def _after_the_end(tags: Tags) -> pl.DataFrame:
    """Return one problem for each game with tags behind its closing tag: the first of them, and how many there are.

    Tags of a second log in the file do not count. Whether these tags or the closing tag are in the wrong place cannot
    be decided here; structure.py decides whether they are read as play.
    """
    closing = _closing(tags)
    ends = closing[pl.Series(tags.game[closing]).is_first_distinct().to_numpy()].astype(np.int64)
    last = tags.last_rows
    last = last[np.searchsorted(tags.game[last], tags.game[ends])]
    roots = structure.second_roots(tags)["row"].to_numpy().astype(np.int64)
    until = np.append(roots, len(tags))[np.searchsorted(roots, ends)]
    count = np.minimum(last + 1, until) - ends - 1
    more = count > 0
    return pl.DataFrame({"row": (ends[more] + 1).astype(np.uint32), "count": count[more]}).select(
        "row", code=pl.lit("L004"), recorded=pl.format("log of {} tag(s)", "count"),
        expected=pl.lit("the closing tag </mjloggm>"),
    )  # fmt: skip


def _broken(cut: pl.DataFrame, code: str, expected: str) -> pl.DataFrame:
    return cut.select(
        "row",
        code=pl.lit(code),
        recorded=pl.col("text").str.strip_chars().str.slice(0, 40),
        expected=pl.lit(expected),
    )
