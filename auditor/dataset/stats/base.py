"""The rows that statistics count: games, seats of games, seats in rounds, wins and so on, as lazy frames.

Each frame has the columns that its statistics can be split by. A game that a dataset has more than once counts once.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

import polars as pl

from auditor.log.event_kinds import KANS

if TYPE_CHECKING:
    from collections.abc import Sequence

ROUND = ["game_id", "round"]
SEAT = ["game_id", "round", "seat"]
_OF_GAME = ["players", "platform", "client", "rules", "month", "source"]
_COPY = ["game_id", "source", "within"]


class Counted(StrEnum):
    """Which games a statistic counts; unreadable files have no games."""

    known = "all games, unsupported ones too"
    finished = "games with final scores"
    played = "games with a round (unsupported ones have none), truncated ones as far as they go"


class Base:
    """The rows of a dataset that statistics count."""

    def __init__(self, tables: dict[str, pl.LazyFrame], players: int | None = None) -> None:
        """Take the tables. Of them, read only the games, to see whether one is there twice, and how many play.

        ``players`` leaves only the games with so many players. ``mixed`` says whether games of three and of four
        players remain.
        """
        self._tables, self._players = tables, players
        twice, kinds = pl.col("game_id").is_duplicated().any(), pl.col("players").n_unique()
        found = tables["games"].select(twice=twice, kinds=kinds).collect().row(0, named=True)
        self._twice: bool = found["twice"]
        self.mixed: bool = players is None and found["kinds"] > 1

    def _table(self, name: str) -> pl.LazyFrame:
        """Return a table; of a game that is there more than once, it has only the rows of the copy that counts."""
        return self.counted_once(self._tables[name]).drop("source", "within", "players")

    def counted_once(self, rows: pl.LazyFrame) -> pl.LazyFrame:
        """Return rows of a table, of a game that is there more than once only those of the copy that counts."""
        if self._twice:
            rows = rows.join(self._counted, on=_COPY, how="semi", nulls_equal=True, maintain_order="left")
        return rows

    @cached_property
    def _counted(self) -> pl.LazyFrame:
        return self._tables["games"].select(_COPY).unique("game_id", keep="first", maintain_order=True)

    @cached_property
    def games(self) -> pl.LazyFrame:
        """One row a game, with the columns that games are split by. All other rows are of these games."""
        clients = self._tables["sources"].select("source", client="format").unique("source")
        games = self._tables["games"].unique("game_id", keep="first", maintain_order=True)
        if self._players is not None:
            games = games.filter(pl.col("players") == self._players)
        return games.join(clients, on="source", how="left", maintain_order="left").with_columns(
            rules="rule_set", month=pl.col("start_time").dt.strftime("%Y-%m")
        )

    @cached_property
    def seats(self) -> pl.LazyFrame:
        """One row a seat of a game: player, final score and points, place (if scores are equal, lower seat first)."""
        seats = self.games.select(
            "game_id", *_OF_GAME,
            seat=pl.int_ranges(0, "players", dtype=pl.Int8),
            player=pl.col("names"),
            final_score=pl.col("final_scores"), final_point=pl.col("final_points"),
        )  # fmt: skip

        def own(column: str) -> pl.Expr:
            return pl.col(column).list.get(pl.col("seat").cast(pl.Int64), null_on_oob=True)

        place = (pl.col("seat") - 4 * pl.col("final_score").cast(pl.Int64)).rank("ordinal").over("game_id")
        every = pl.col("final_score").is_not_null().all().over("game_id")
        return (
            seats.explode("seat")
            .with_columns(own("player"), own("final_score"), own("final_point"))
            .with_columns(place=pl.when(every).then(place))
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
    def listed_wins(self) -> pl.LazyFrame:
        """One row a win whose yaku are recorded; ``win`` numbers them."""
        return self.wins.filter(pl.col("yaku").is_not_null()).with_row_index("win")

    @cached_property
    def yaku(self) -> pl.LazyFrame:
        """One row for each yaku of a win, even if the log lists it twice."""
        listed = self.listed_wins.filter(pl.col("yaku") != "").with_columns(pl.col("yaku").str.split(", "))
        named = listed.explode("yaku").with_columns(pl.col("yaku").str.replace(r" \d+$", ""))
        return named.unique(["win", "yaku"], maintain_order=True)

    @cached_property
    def turns(self) -> pl.LazyFrame:
        """One row a draw or call, with its player."""
        return self._table("turns").join(
            self.seats.select("game_id", "seat", *_OF_GAME, "player"), on=["game_id", "seat"]
        )

    @cached_property
    def units(self) -> pl.LazyFrame:
        """One row a game (``round`` null), and one a round whose end is recorded: findings are counted over both."""
        games = self.games.select("game_id", *_OF_GAME, of_game=pl.lit(value=True))
        rounds = self.rounds.select(*ROUND, *_OF_GAME, of_game=pl.lit(value=False))
        return pl.concat([games, rounds], how="diagonal")

    @cached_property
    def affected(self) -> pl.LazyFrame:
        """One row for each code with findings in a unit, and their ``count``; of copies of a game, the largest."""
        found = self._tables["findings"].filter(pl.col("game_id").is_not_null())
        counts = found.drop_nulls("round").group_by(*ROUND, "code", "source", "within").agg(count=pl.len())
        marks = [
            found.select("game_id", "code", round=pl.lit(None, pl.UInt16), count=pl.lit(1, pl.UInt32)).unique(),
            counts.group_by("game_id", "code", "round").agg(pl.col("count").max()),
        ]
        return self.units.join(pl.concat(marks, how="diagonal"), on=ROUND, nulls_equal=True)

    @cached_property
    def seat_rounds(self) -> pl.LazyFrame:
        """One row a seat in a round whose end is recorded: whether it won, dealt in, called, and so on."""
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
            kita=(pl.col("kind") == "kita").sum(),
            kita_turn=pl.col("turn").filter(pl.col("kind") == "kita").min(),
        )
        flags = ("won", "tsumo", "rinshan", "dealt_in", "robbed", "called", "kan")

        def own(column: str) -> pl.Expr:
            return pl.col(column).list.get(pl.col("seat").cast(pl.Int64), null_on_oob=True)

        return (
            self.rounds.select(*ROUND, "result", "riichi", "tenpai", "start_scores", "end_scores")
            .join(self.seats.select("game_id", "seat", *_OF_GAME, "player"), on="game_id")
            .join(won, on=SEAT, how="left")
            .join(dealt, on=SEAT, how="left")
            .join(calls, on=SEAT, how="left")
            .with_columns(pl.col(flags).fill_null(value=False), pl.col("kita").fill_null(0))
            .with_columns(
                riichi=pl.col("riichi").list.contains(pl.col("seat")),
                tenpai=pl.col("tenpai").list.contains(pl.col("seat")),
                exhaustive=pl.col("result") == "exhaustive",
                change=own("end_scores") - own("start_scores"),
            )
        )

    @cached_property
    def kan_rounds(self) -> pl.LazyFrame:
        """One row for each kind of kan that a seat made in a round, with the columns of `seat_rounds`."""
        made = self._table("turns").filter(pl.col("kind").is_in(KANS))
        made = made.select(*SEAT, kind=pl.col("kind").cast(pl.String)).unique()
        return self.seat_rounds.join(made, on=SEAT)

    @cached_property
    def riichis(self) -> pl.LazyFrame:
        """One row a seat in a round with riichi and known waits, with the columns of `seat_rounds`.

        If a seat declared twice, its first declaration counts.
        """
        declared = self._table("riichis").unique(SEAT, keep="first", maintain_order=True)
        known = declared.filter(pl.col("waits").is_not_null())
        return self.seat_rounds.join(known.select(*SEAT, "turn", "kinds", "unseen"), on=SEAT)

    def games_by(self, group: Sequence[str], counted: Counted) -> pl.LazyFrame:
        """Return how many games each group has, as ``games``; without columns to group by, one row for all games."""
        games = pl.col("game_id").n_unique().alias("games")
        match counted:
            case Counted.known:
                of = self.seats
            case Counted.finished:
                of = self.seats.filter(pl.col("final_score").is_not_null())
            case Counted.played:
                of = self.seats.join(self._tables["rounds"], on="game_id", how="semi")
        return of.group_by(group).agg(games) if group else of.select(games)
