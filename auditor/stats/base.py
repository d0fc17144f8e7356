"""What statistics count over: games, seats of games, seats in rounds, wins; lazily, each with what it can be split by.

A game that lies in a dataset more than once counts once.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from auditor.choices import By

ROUND = ["game_id", "round"]
SEAT = ["game_id", "round", "seat"]
_OF_GAME = ["platform", "client", "rules", "month", "source"]
KANS = ["daiminkan", "ankan", "kakan"]
_COPY = ["game_id", "source", "within"]


class Base:
    """The tables of a dataset as statistics need them."""

    def __init__(self, tables: dict[str, pl.LazyFrame]) -> None:
        """Take the tables; look only at the games' ids, for games that are there twice."""
        self._tables = tables
        self._twice = bool(tables["games"].select(pl.col("game_id").is_duplicated().any()).collect().item())

    def _table(self, name: str) -> pl.LazyFrame:
        """Return a table; of a game that is there more than once, the rows of the copy that is counted."""
        table = self._tables[name]
        if self._twice:
            table = table.join(self._counted, on=_COPY, how="semi", nulls_equal=True, maintain_order="left")
        return table.drop("source", "within")

    @cached_property
    def _counted(self) -> pl.LazyFrame:
        return self._tables["games"].select(_COPY).unique("game_id", keep="first", maintain_order=True)

    @cached_property
    def games(self) -> pl.LazyFrame:
        """One row a game, with what games are split by."""
        clients = self._tables["sources"].select("source", client="format").unique("source")
        return (
            self._tables["games"]
            .unique("game_id", keep="first", maintain_order=True)
            .join(clients, on="source", how="left", maintain_order="left")
            .with_columns(rules="rule_set", month=pl.col("start_time").dt.strftime("%Y-%m"))
        )

    @cached_property
    def seats(self) -> pl.LazyFrame:
        """One row a seat of a game: player, final score and points, place (of equal scores the lower seat's first)."""
        seats = self.games.select(
            "game_id", *_OF_GAME, "players",
            seat=pl.lit([0, 1, 2, 3], dtype=pl.List(pl.Int8)),
            player=pl.col("names"),
            final_score=pl.col("final_scores").arr.to_list(), final_point=pl.col("final_points").arr.to_list(),
        )  # fmt: skip

        def own(column: str) -> pl.Expr:
            return pl.col(column).list.get(pl.col("seat").cast(pl.Int64), null_on_oob=True)

        place = (pl.col("seat") - 4 * pl.col("final_score").cast(pl.Int64)).rank("ordinal").over("game_id")
        return (
            seats.explode("seat")
            .filter(pl.col("seat") < pl.col("players"))
            .with_columns(own("player"), own("final_score"), own("final_point"))
            .with_columns(place=pl.when(pl.col("final_score").is_not_null()).then(place))
        )

    @cached_property
    def rounds(self) -> pl.LazyFrame:
        """One row a round whose end is recorded."""
        rounds = self._table("rounds").filter(pl.col("result").is_not_null())
        return rounds.join(self.games.select("game_id", *_OF_GAME), on="game_id")

    @cached_property
    def wins(self) -> pl.LazyFrame:
        """One row a win, with its winner's seat and player."""
        seats = self.seats.select("game_id", *_OF_GAME, "player", winner="seat")
        return self._table("wins").join(seats, on=["game_id", "winner"]).with_columns(seat="winner")

    @cached_property
    def turns(self) -> pl.LazyFrame:
        """One row a draw or call, with its player."""
        return self._table("turns").join(
            self.seats.select("game_id", "seat", *_OF_GAME, "player"), on=["game_id", "seat"]
        )

    @cached_property
    def findings(self) -> pl.LazyFrame:
        """One row a finding in a game."""
        games = self.games.select("game_id", *[name for name in _OF_GAME if name != "source"])
        return self._tables["findings"].unique(maintain_order=True).join(games, on="game_id")

    @cached_property
    def seat_rounds(self) -> pl.LazyFrame:
        """One row a seat in a round whose end is recorded: what became of it."""
        wins, turns = self._table("wins"), self._table("turns")
        won = wins.group_by(*ROUND, seat="winner").agg(
            won=pl.lit(value=True),
            tsumo=(pl.col("payer") == pl.col("winner")).any(),
            won_points=pl.col("points").sum(),
            rinshan=pl.col("yaku").str.contains("rinshan").any(),
        )
        dealt = (
            wins.filter(pl.col("payer") != pl.col("winner"))
            .group_by(*ROUND, seat="payer")
            .agg(
                dealt_in=pl.lit(value=True),
                dealt_points=pl.col("points").sum(),
                robbed=pl.col("yaku").str.contains("chankan").any(),
            )
        )
        calls = turns.group_by(SEAT).agg(
            called=pl.col("kind").is_in(["chi", "pon", "daiminkan"]).any(),
            kan=pl.col("kind").is_in(KANS).any(),
            tenpai_turn=pl.col("turn").filter(pl.col("shanten") <= 0).min(),
        )
        flags = ("won", "tsumo", "rinshan", "dealt_in", "robbed", "called", "kan")

        def own(column: str) -> pl.Expr:
            return pl.col(column).arr.get(pl.col("seat").cast(pl.Int64))

        return (
            self.rounds.select(*ROUND, "result", "riichi", "tenpai", "start_scores", "end_scores")
            .join(self.seats.select("game_id", "seat", *_OF_GAME, "player"), on="game_id")
            .join(won, on=SEAT, how="left")
            .join(dealt, on=SEAT, how="left")
            .join(calls, on=SEAT, how="left")
            .with_columns(pl.col(flags).fill_null(value=False))
            .with_columns(
                riichi=pl.col("riichi").list.contains(pl.col("seat")),
                tenpai=pl.col("tenpai").list.contains(pl.col("seat")),
                exhaustive=pl.col("result") == "exhaustive",
                change=own("end_scores") - own("start_scores"),
            )
        )

    @cached_property
    def kan_rounds(self) -> pl.LazyFrame:
        """One row a seat in a round and kind of kan that it made."""
        made = self._table("turns").filter(pl.col("kind").is_in(KANS))
        made = made.select(*SEAT, kind=pl.col("kind").cast(pl.String)).unique()
        return self.seat_rounds.join(made, on=SEAT)

    @cached_property
    def riichis(self) -> pl.LazyFrame:
        """One row a seat in a round with riichi declared and known waits: these, and what became of it."""
        known = self._table("riichis").filter(pl.col("waits").is_not_null())
        return self.seat_rounds.join(known.select(*SEAT, "turn", "kinds", "unseen"), on=SEAT)

    def games_by(self, by: By | None) -> pl.LazyFrame:
        """Return how many games each group has; all of them in one row where there is none."""
        games = pl.col("game_id").n_unique().alias("games")
        return self.seats.group_by(by.value).agg(games) if by else self.seats.select(games)
