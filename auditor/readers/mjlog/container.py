"""Contradictions within a log (L006): its file's name against GO, the dealer of INIT against its round number.

Facts: auditor/readers/mjlog/FORMAT.md 1, 3, 4, 10.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log import tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from auditor.readers.mjlog.tags import Tags
    from auditor.readers.mjlog.values import Values
    from auditor.sources.log_files import Source

_NAME = r"(?P<day>\d{8})\d{0,2}gm-(?P<table>[0-9a-f]{4})-(?P<room>\d+)-[^/\\]*$"


def disagreements(
    sources: Sequence[Source], types: Sequence[int | None], tags: Tags, values: Values, starts: npt.NDArray[np.uint32]
) -> pl.DataFrame:
    """Return the contradictions of a batch as rows of the canonical table ``problems``.

    ``types`` are the table types of all games, three-player games included, whose tags are not read. ``starts`` are the
    rows of the tags that begin the rounds, in order.
    """
    told = pl.concat(
        [_names(sources, types, tags, values), _dealers(tags, values, starts), _first_dealer(tags, values)],
        how="diagonal_relaxed",
    )
    return tables.problem_rows(told.with_columns(code=pl.lit("L006")))


def _names(sources: Sequence[Source], types: Sequence[int | None], tags: Tags, values: Values) -> pl.DataFrame:
    """Compare the type and lobby in files' names with GO; the date in them must be one of the calendar."""
    said = pl.Series("name", [source.name for source in sources], dtype=pl.String).str.extract_groups(_NAME)
    go = _at(values.wide("GO").select("row", "lobby"), tags).unique("game", keep="first", maintain_order=True)
    games = (
        pl.DataFrame({"game": np.arange(len(sources), dtype=np.uint32), "type": pl.Series(types, dtype=pl.Int64)})
        .hstack(said.struct.unnest())
        .join(go, on="game", how="left", maintain_order="left")
        .with_columns(
            table=pl.col("table").str.to_integer(base=16, strict=False),
            lobby=pl.col("lobby").str.to_integer(strict=False),
            room=pl.col("room").str.to_integer(strict=False),
        )
    )
    no_day = pl.col("day").is_not_null() & pl.col("day").str.to_date("%Y%m%d", strict=False).is_null()
    pairs = [
        (no_day, pl.format("the date {} in the file's name", "day"), pl.lit("a day that there is")),
        (
            pl.col("type") != pl.col("table"),
            pl.format("GO type={}", "type"),
            pl.format("type {}, as in the file's name", "table"),
        ),
        (
            pl.col("lobby") != pl.col("room"),
            pl.format("GO lobby={}", "lobby"),
            pl.format("lobby {}, as in the file's name", "room"),
        ),
    ]
    return pl.concat(
        games.filter(differs).select("game", "event", "pos", recorded=recorded, expected=expected)
        for differs, recorded, expected in pairs
    ).unique("game", keep="first", maintain_order=True)


def _dealers(tags: Tags, values: Values, starts: npt.NDArray[np.uint32]) -> pl.DataFrame:
    """Compare the dealer that INIT names with the one that the round's number gives."""
    rounds = pl.DataFrame({"row": starts}).with_row_index("round")
    inits = values.wide("INIT").select("row", pl.col("oya").list.first(), place=pl.col("seed").list.first())
    told = _at(rounds.join(inits, on="row", maintain_order="left"), tags)
    return told.filter(pl.col("place") % tables.SEATS != pl.col("oya")).select(
        "game", "round", "event", "pos",
        recorded=pl.format("INIT oya={}", "oya"),
        expected=pl.format("seat {}, as round {} of seed has it", pl.col("place") % tables.SEATS, "place"),
    )  # fmt: skip


def _first_dealer(tags: Tags, values: Values) -> pl.DataFrame:
    """Return where TAIKYOKU names another first dealer than seat 0; seats are counted from the first dealer."""
    starts = _at(values.wide("TAIKYOKU").select("row", pl.col("oya").list.first()), tags)
    return starts.filter(pl.col("oya") != 0).select(
        "game", "event", "pos", recorded=pl.format("TAIKYOKU oya={}", "oya"), expected=pl.lit("seat 0: it deals first")
    )  # fmt: skip


def _at(frame: pl.DataFrame, tags: Tags) -> pl.DataFrame:
    """Add the places of tags: game, event, pos."""
    row = frame["row"].to_numpy()
    return frame.with_columns(
        game=pl.Series(tags.game[row]), event=pl.Series(tags.event[row]), pos=pl.Series(tags.pos[row])
    )
