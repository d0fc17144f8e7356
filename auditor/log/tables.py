"""The canonical tables: what every reader fills, column by column, and all that replay and checks see.

A :class:`Log` holds one batch of games. Tables refer to each other by row number: ``events.round`` is a row
of ``rounds``, ``rounds.game`` a row of ``games``, ``melds.row`` a row of ``events``, ``shows.claim`` a row of
``claims``. Points are in points,
seats are 0–3 with 0 the game's first dealer, tiles are tile ids (tile_ids.py). Null means that the log does not
say; no reader puts 0, false or a guess in its place.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    import numpy.typing as npt

    from engine.rules.rule_sets import RuleSet

KINDS = (
    "deal",  # a seat gets its first tiles (table deals); one a seat, before all else
    "draw",
    "discard",
    "chi",
    "pon",
    "daiminkan",
    "ankan",
    "kakan",
    "kita",
    "riichi",  # declared, before the discard
    "deposit",  # the stick is paid (table deposits has the scores, where the log repeats them)
    "dora",  # an indicator is turned
    "result",  # a win or a draw (table claims)
    "leave",
    "return",
)
Kind = pl.Enum(KINDS)
CALLS = ("chi", "pon", "daiminkan", "ankan", "kakan", "kita")

INFERRED_DEPOSITS = ("majiang",)
"""Platforms whose logs do not say that a stick is paid."""

SEATS = 4
Points = pl.Array(pl.Int32, SEATS)
TileIds = pl.List(pl.Int16)

GAMES: dict[str, pl.DataType | type[pl.DataType]] = {
    "game": pl.UInt32,
    "game_id": pl.String,  # 16 hex digits from the content, the same wherever the file lies
    "source": pl.String,  # path, as a person would write it
    "within": pl.String,  # which game of that file, where it holds several: the line's or the list's number from 1
    "platform": pl.String,
    "rules": pl.UInt16,  # row of Log.rules
    "players": pl.UInt8,
    "names": pl.List(pl.String),
    "ranks": pl.List(pl.String),
    "ratings": pl.List(pl.Float64),
    "start_time": pl.Datetime("us"),  # local to the platform
    "table": pl.String,  # what the log says of table and lobby, as it says it
    "ended": pl.Boolean,  # whether the log says that the game is over
    "final_scores": Points,
    "final_points": pl.Array(pl.Float64, SEATS),  # after uma and oka
    "places": pl.Array(pl.UInt8, SEATS),  # 1 for first
    "seed": pl.String,  # of all walls, as the platform writes it
    "last_event": pl.UInt32,  # where the log ends
    "last_pos": pl.UInt32,
}
ROUNDS: dict[str, pl.DataType | type[pl.DataType]] = {
    "round": pl.UInt32,
    "game": pl.UInt32,
    "nth": pl.UInt16,  # 0 for the game's first
    "wind": pl.UInt8,  # 0 East … 3 North
    "dealer": pl.Int8,
    "honba": pl.Int16,
    "sticks": pl.Int16,
    "start": Points,
    "dora": pl.Int16,  # first indicator
    "dice": pl.Array(pl.UInt8, 2),  # from 0
    "shuffle": pl.String,  # seed of this round's wall, where each has its own
    "event": pl.UInt32,
    "pos": pl.UInt32,
}
EVENTS: dict[str, pl.DataType | type[pl.DataType]] = {
    "round": pl.UInt32,
    "event": pl.UInt32,  # number within the file: the tag's, the line's
    "pos": pl.UInt32,  # byte offset within the (unpacked) file
    "kind": Kind,
    "seat": pl.Int8,  # who acts; null for dora and result
    "tile_id": pl.Int16,  # the tile drawn, discarded, called, added, turned
    "tsumogiri": pl.Boolean,  # of a discard: whether the log marks it as the tile just drawn
}
MELDS: dict[str, pl.DataType | type[pl.DataType]] = {
    "row": pl.UInt32,  # of events: its kind, seat and first tile
    "source": pl.Int8,  # who fed it
    "p1": pl.Int16,  # the meld's other tiles, as far as it has them; a kakan's are those of its pon
    "p2": pl.Int16,
    "p3": pl.Int16,
}
DEALS: dict[str, pl.DataType | type[pl.DataType]] = {
    "round": pl.UInt32,
    "seat": pl.Int8,
    "tile_id": pl.Int16,
}
DEPOSITS: dict[str, pl.DataType | type[pl.DataType]] = {
    "round": pl.UInt32,
    "event": pl.UInt32,
    "seat": pl.Int8,
    "scores": Points,  # after the deposit
}
CLAIMS: dict[str, pl.DataType | type[pl.DataType]] = {
    "claim": pl.UInt32,
    "round": pl.UInt32,
    "event": pl.UInt32,
    "nth": pl.UInt32,  # 0 first winner of the round, 1 second …
    "reason": pl.Enum(
        ["win", "exhaustive", "nagashi", "kyuushu", "four_winds", "four_riichi", "four_kans", "triple_ron"]
    ),
    "winner": pl.Int8,
    "payer": pl.Int8,  # equals winner on tsumo
    "liable": pl.Int8,  # who answers for a yakuman (pao)
    "honba": pl.Int16,
    "sticks": pl.Int16,
    "win_tile_id": pl.Int16,
    "fu": pl.Int16,
    "points": pl.Int32,  # without honba and sticks
    "limit": pl.UInt8,  # 0 none, 1 mangan … 5 yakuman
    "yaku": pl.List(pl.UInt8),  # Tenhou's ids; dora 52, ura 53, red 54 among them
    "han": pl.List(pl.Int16),  # beside yaku
    "yakuman": pl.List(pl.UInt8),
    "units": pl.List(pl.UInt8),  # beside yakuman: how many each counts for, where the log says
    "total_han": pl.Int16,  # of all yaku and dora, where the log says it beside their list
    "total_units": pl.Int16,  # of all yakuman, likewise
    "dora": TileIds,  # indicators shown
    "ura": TileIds,
    "melds": pl.List(pl.Int64),  # signatures, see meld_signature
    "before": Points,
    "deltas": Points,  # with honba and sticks
}
SHOWS: dict[str, pl.DataType | type[pl.DataType]] = {
    "claim": pl.UInt32,
    "round": pl.UInt32,
    "event": pl.UInt32,
    "seat": pl.Int8,
    "tile_ids": TileIds,  # concealed tiles, with the winning tile; null if they cannot be read
}
PROBLEMS: dict[str, pl.DataType | type[pl.DataType]] = {
    "code": pl.String,
    "game": pl.UInt32,
    "round": pl.UInt32,
    "event": pl.UInt32,
    "pos": pl.UInt32,
    "seat": pl.Int8,
    "recorded": pl.String,
    "expected": pl.String,
    "play": pl.Boolean,  # whether something of the play is missing for it
    "rest": pl.Boolean,  # whether for it the rest of the round is not read
}


@dataclass(frozen=True)
class Log:
    """A batch of games as canonical tables, sorted by game, round, event."""

    games: pl.DataFrame
    rounds: pl.DataFrame
    events: pl.DataFrame
    melds: pl.DataFrame
    deals: pl.DataFrame
    deposits: pl.DataFrame
    claims: pl.DataFrame
    shows: pl.DataFrame
    problems: pl.DataFrame
    rules: list[RuleSet] = field(default_factory=list)

    @property
    def disturbed(self) -> npt.NDArray[np.int64]:
        """Rounds of whose play something could not be read: their hands and turns cannot be followed."""
        rounds = self.problems.filter(pl.col("play").fill_null(value=False))["round"].drop_nulls().unique()
        return rounds.to_numpy().astype(np.int64)

    @cached_property
    def deposits_inferred(self) -> npt.NDArray[np.bool_]:
        """Rounds of platforms whose logs do not say that a riichi's stick is paid, so that readers infer it."""
        inferred = self.games["platform"].is_in(INFERRED_DEPOSITS).fill_null(value=False)
        return inferred.gather(self.rounds["game"]).to_numpy()

    @cached_property
    def sticks_unknown(self) -> npt.NDArray[np.bool_]:
        """Rounds of which nobody knows who paid sticks: inferred from play of which something could not be read."""
        unknown = np.zeros(len(self.rounds), dtype=bool)
        unknown[self.disturbed] = True
        return unknown & self.deposits_inferred

    @property
    def torn(self) -> pl.Series:
        """Rounds of which the rest could not be read, so that their results are missing."""
        return self.problems.filter(pl.col("rest").fill_null(value=False))["round"].drop_nulls().unique()


def meld_signature(kind: npt.NDArray[np.uint8], tile_ids: npt.NDArray[np.int16]) -> npt.NDArray[np.int64]:
    """Return one number a meld, equal for equal melds: its kind and its tiles in ascending order.

    ``kind`` uint8[n] counts in :data:`KINDS`; ``tile_ids`` int16[n, 4] are padded with
    :data:`auditor.log.tile_ids.NONE`.
    """
    signature = kind.astype(np.int64)
    for tile_id in np.sort(tile_ids, axis=1).T:
        signature = signature << 8 | tile_id
    return signature


def conform(frame: pl.DataFrame, schema: dict[str, pl.DataType | type[pl.DataType]]) -> pl.DataFrame:
    """Return the schema's columns, in order and type; a column that the frame lacks is null."""
    return frame.select(
        pl.col(name).cast(kind) if name in frame.columns else pl.lit(None, dtype=kind).alias(name)
        for name, kind in schema.items()
    )
