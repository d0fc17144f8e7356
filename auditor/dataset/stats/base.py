"""The rows that statistics count: games, seats of games, seats in rounds, wins and so on, as lazy frames.

Each frame has the columns that its statistics can be split by. A game that a dataset has more than once counts once.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

import polars as pl

from auditor.base.choices import By
from auditor.dataset.stats import tenhou_dan
from auditor.dataset.stats.conditions import OF_GAME, SPLITS
from auditor.log.event_kinds import KANS, OPEN_CALLS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from auditor.dataset.stats.conditions import Condition

ROUND = ["game_id", "round"]
SEAT = ["game_id", "round", "seat"]
_COPY = ["game_id", "source", "within"]


class Counted(StrEnum):
    """Which games a statistic counts; unreadable files have no games."""

    known = "all games, unsupported ones too"
    finished = "games with final scores"
    played = "games with a round (unsupported ones have none), truncated ones as far as they go"


class Base:
    """The rows of a dataset that statistics count."""

    def __init__(
        self,
        tables: dict[str, pl.LazyFrame],
        players: int | None = None,
        where: Condition | None = None,
        splits: Collection[By] = (),
    ) -> None:
        """Take the tables. Of them, read only the games, to see whether one is there twice, and how many play.

        ``players`` leaves only the games with so many players, ``where`` only the games or seats that fulfil it.
        ``splits`` are those that will be asked for.
        ``mixed`` says whether games of three and of four players remain.
        """
        self._tables, self._players, self._where, self._splits = tables, players, where, set(splits)
        self._every = players is None and where is None
        twice = tables["games"].select(pl.col("game_id").is_duplicated().any())
        kinds = self.games.select(pl.col("players").n_unique())
        found = pl.collect_all([twice, kinds])
        self._twice: bool = found[0].item()
        self.mixed: bool = found[1].item() > 1

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
        games = self._tables["games"].unique("game_id", keep="first", maintain_order=True).with_row_index("game")
        if self._players is not None:
            games = games.filter(pl.col("players") == self._players)
        games = games.join(clients, on="source", how="left", maintain_order="left").with_columns(
            rules="rule_set", month=pl.col("start_time").dt.strftime("%Y-%m")
        )
        return games.filter(self._where.of_games) if self._where else games

    @cached_property
    def seats(self) -> pl.LazyFrame:
        """One row a seat of a game: player, rank, final score and points, place.

        If scores are equal, the lower seat is first.
        """
        scored = pl.col("final_scores").list.drop_nulls().list.len() == pl.col("players")
        places = pl.col("final_scores").list.eval(pl.element().rank("ordinal", descending=True))
        seats = self.games.select(
            "game_id", "game", *OF_GAME,
            seat=pl.int_ranges(0, "players", dtype=pl.Int8),
            player=pl.col("names"),
            final_score=pl.col("final_scores"), final_point=pl.col("final_points"),
            rank=pl.col("ranks"), rating=pl.col("ratings"), place=pl.when(scored).then(places),
        )  # fmt: skip

        def own(column: str) -> pl.Expr:
            return pl.col(column).list.get(pl.col("seat").cast(pl.Int64), null_on_oob=True)

        lists = ("player", "final_score", "final_point", "rank", "rating", "place")
        seats = (
            seats.explode("seat")
            .with_columns(map(own, lists))
            .with_columns(dan_won=tenhou_dan.WON, dan_lost=tenhou_dan.LOST, dan_counts=tenhou_dan.COUNTS)
        )
        return seats.filter(self._where.of_seats) if self._where else seats

    @cached_property
    def rounds(self) -> pl.LazyFrame:
        """One row a round whose end is recorded."""
        rounds = self._table("rounds").filter(pl.col("result").is_not_null())
        return rounds.join(self.games.select("game_id", *SPLITS), on="game_id")

    @cached_property
    def wins(self) -> pl.LazyFrame:
        """One row a win, with its winner's seat and player."""
        seats = self.seats.select("game_id", *SPLITS, "player", winner="seat")
        dealers = self._table("rounds").select(*ROUND, "dealer").unique(ROUND, keep="first")
        wins = self._table("wins").join(seats, on=["game_id", "winner"]).join(dealers, on=ROUND, how="left")
        return wins.with_columns(seat="winner", dealer=pl.col("dealer") == pl.col("winner"))

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
        """One row a draw or call, with its player.

        There are so many that those of all games are not joined with their games if no split asks for it.
        """
        if self._every and not self._twice and not self._splits - {By.players}:
            return self._tables["turns"]
        return self._table("turns").join(
            self.seats.select("game_id", "seat", *SPLITS, "player"), on=["game_id", "seat"]
        )

    @cached_property
    def units(self) -> pl.LazyFrame:
        """One row a game (``round`` null), and one a round whose end is recorded: findings are counted over both."""
        games = self.games.select("game_id", *SPLITS, of_game=pl.lit(value=True))
        rounds = self.rounds.select(*ROUND, *SPLITS, of_game=pl.lit(value=False))
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
        calls = [pl.col(kind) > 0 for kind in OPEN_CALLS]
        hands = self._table("hands").filter(pl.col("result").is_not_null())
        return hands.join(self.seats.select("game_id", "seat", *SPLITS, "player"), on=["game_id", "seat"]).with_columns(
            called=pl.any_horizontal(calls),
            kan=pl.any_horizontal(pl.col(kind) > 0 for kind in KANS),
            riichi=pl.col("riichi_turn").is_not_null(),
            exhaustive=pl.col("result") == "exhaustive",
            won_points="points",
            calls=pl.sum_horizontal(pl.col(kind).cast(pl.Int16) for kind in OPEN_CALLS),
        )

    @cached_property
    def yaku_rounds(self) -> pl.LazyFrame:
        """The rows of `seat_rounds`, and whether the seat won with some yaku, or dealt in with chankan.

        A win whose yaku are not recorded has null there.
        """
        wins = self._table("wins").select(*ROUND, "winner", "payer", "yaku")
        of_winner = wins.group_by(*ROUND, seat="winner").agg(
            ippatsu=pl.col("yaku").str.contains("ippatsu").any(ignore_nulls=False),
            rinshan=pl.col("yaku").str.contains("rinshan").any(),
        )
        of_payer = (
            wins.filter(pl.col("payer") != pl.col("winner"))
            .group_by(*ROUND, seat="payer")
            .agg(robbed=pl.col("yaku").str.contains("chankan").any())
        )
        return (
            self.seat_rounds.join(of_winner, on=SEAT, how="left")
            .join(of_payer, on=SEAT, how="left")
            .with_columns(
                ippatsu=pl.col("ippatsu") & pl.col("won"),
                rinshan=pl.col("rinshan").fill_null(value=False),
                robbed=pl.col("robbed").fill_null(value=False),
            )
        )

    @cached_property
    def kan_rounds(self) -> pl.LazyFrame:
        """One row for each kind of kan that a seat made in a round, with the columns of `yaku_rounds`."""
        kinds = pl.concat_list(pl.when(pl.col(kind) > 0).then(pl.lit(kind)) for kind in KANS)
        return self.yaku_rounds.filter("kan").with_columns(kind=kinds.list.drop_nulls()).explode("kind")

    @cached_property
    def declared(self) -> pl.LazyFrame:
        """One row a seat in a round with riichi, with the columns of `yaku_rounds` and of its first declaration."""
        first = self._table("riichis").unique(SEAT, keep="first", maintain_order=True)
        return self.yaku_rounds.filter("riichi").join(
            first.select(*SEAT, "turn", "waits", "kinds", "unseen", "furiten"), on=SEAT, how="left"
        )

    @cached_property
    def riichis(self) -> pl.LazyFrame:
        """The rows of `declared` whose waits are known."""
        return self.declared.filter(pl.col("waits").is_not_null())

    @cached_property
    def dealerships(self) -> pl.LazyFrame:
        """One row a dealership: rounds of a game, one after the other, with the same dealer; ``length`` counts them."""
        deals = self._table("rounds").filter(pl.col("result").is_not_null(), pl.col("dealer").is_not_null())
        deals = deals.select(*ROUND, "dealer").sort(ROUND)
        begins = pl.any_horizontal(pl.col(each) != pl.col(each).shift() for each in ("game_id", "dealer"))
        runs = deals.group_by(begins.fill_null(value=True).cum_sum().alias("run")).agg(
            pl.col("game_id").first(), seat=pl.col("dealer").first(), length=pl.len()
        )
        return runs.join(self.seats.select("game_id", "seat", *SPLITS, "player"), on=["game_id", "seat"])

    def games_by(self, group: Sequence[str], counted: Counted) -> pl.LazyFrame:
        """Return how many games each group has, as ``games``; without columns to group by, one row for all games."""
        games = pl.col("game_id").n_unique().alias("games")
        match counted:
            case Counted.known:
                of = self.seats
            case Counted.finished:
                of = self.seats.filter(pl.col("final_score").is_not_null())
            case Counted.played if By.dealer in group:
                of = self.seat_rounds
            case Counted.played:
                of = self.seats.join(self._tables["rounds"], on="game_id", how="semi")
        return of.group_by(group).agg(games) if group else of.select(games)
