"""The named statistics: what each counts over which rows of :mod:`auditor.dataset.stats.base`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from auditor.base.choices import By
from auditor.dataset.stats.base import Base, Counted
from auditor.dataset.stats.measures import Measure, mean, rate

if TYPE_CHECKING:
    from collections.abc import Callable

LIST_SAYS = (
    "Each figure is a numerator / a denominator. A game that is in a dataset more than once counts once, as its first "
    "copy; files that cannot be read have no game. Rates have Wilson's 95 % interval, which assumes independent rows "
    "(the seats of a round are not quite independent). A rate that cannot be otherwise has no interval. If a "
    "dataset has games of three and of four players, the column players splits every statistic; --players counts only "
    "one of them."
)
"""The text before the list of statistics."""

OF_SEATS = (By.player, By.players, By.platform, By.client, By.rules, By.room, By.mode, By.month, By.seat, By.source)
OF_GAMES = (By.players, By.platform, By.client, By.rules, By.room, By.mode, By.month, By.source)


@dataclass(frozen=True)
class Statistic:
    """A statistic: figures over rows, grouped by the split and by a key of its own.

    Parameters
    ----------
    name, title
        its name, and a description
    rows
        the rows that numerators count
    measures
        its figures
    key
        column to group by, besides the split
    whole
        the rows that denominators count, whatever the key; ``rows`` has each of them at most once per key. None:
        denominators count ``rows`` too
    counted
        which games it counts
    splits
        the splits that it allows

    """

    name: str
    title: str
    rows: Callable[[Base], pl.LazyFrame]
    measures: tuple[Measure, ...]
    key: str | None = None
    whole: Callable[[Base], pl.LazyFrame] | None = None
    counted: Counted = Counted.played
    splits: tuple[By, ...] = OF_SEATS

    @property
    def doc(self) -> str:
        """Its description: a line of its own, a line for each measure, the games it counts, and its splits."""
        key = f" by {self.key}" if self.key else ""
        lines = [f"{self.name}: {self.title}{key}"]
        lines += [f"  {measure.name:<16} {measure.says}" for measure in self.measures]
        lines.append(f"  games counted    {self.counted}")
        lines.append("  players          games of three and of four are never in one figure")
        lines.append(f"  --by {'|'.join(self.splits)}")
        return "\n".join(lines)


_any = pl.col("game_id").is_not_null()
_won, _riichi, _kan, _kita = pl.col("won"), pl.col("riichi"), pl.col("kan"), pl.col("kita")
_game = pl.col("of_game")
_any_dora = (pl.col("dora") > 0) | (pl.col("ura") > 0) | (pl.col("red") > 0)
# Of each whole game, one seat has each place, so these shares cannot be otherwise. A seat is a third or a quarter of
# its game: 4 or 3 of 12 parts.
_placed = pl.col("place").is_not_null()
_whole_games = (12 // pl.col("players").filter(_placed)).sum() == 12 * pl.col("game_id").filter(_placed).n_unique()
# All seats of a round have the same end.
_rounds = pl.struct("game_id", "round").n_unique()
_tsumo, _dealt_in, _exhaustive = pl.col("tsumo"), pl.col("dealt_in"), pl.col("exhaustive")


def _of_riichi(which: str) -> tuple[Measure, ...]:
    """Return the measures over riichi; ``which`` describes a group."""
    among = f"rounds with riichi {which}, hand trusted"
    return (
        rate("win", f"rounds won / {among}", "won"),
        rate("tsumo", f"rounds won by own draw / {among}", "tsumo"),
        rate("deal_in", f"rounds dealt in / {among}", "dealt_in"),
        rate("exhaustive", f"rounds drawn by exhaustion / {among}", "exhaustive"),
        mean("won", "worth of hands won, without honba and sticks / rounds won", "won_points", among=_won),
        mean("change", f"changes of score / {among}", "change"),
        mean("turn", f"turns of the declarations / {among}", "turn"),
    )


STATISTICS = {
    statistic.name: statistic
    for statistic in (
        Statistic(
            "rates", "outcomes of rounds for a seat, aborts and draws included", lambda base: base.seat_rounds,
            (
                rate("win", "rounds won / rounds played", "won"),
                rate("tsumo", "rounds won by own draw / rounds played", "tsumo"),
                rate("ron", "rounds won by a discard or a robbed kan or kita / rounds played", _won & ~_tsumo),
                rate("tsumo_share", "rounds won by own draw / rounds won", _tsumo, among=_won),
                rate("deal_in", "rounds dealt in (once, also to several winners) / rounds played", "dealt_in"),
                rate("riichi", "rounds with riichi declared (paid or not) / rounds played", "riichi"),
                rate("call", "rounds with chi, pon or open kan / rounds played", "called"),
            ),
        ),
        Statistic(
            "points", "points won and lost in rounds", lambda base: base.seat_rounds,
            (
                mean("won", "worth of hands won, without honba and sticks / rounds won", "won_points", among=_won),
                mean("dealt_in", "worth of hands dealt into, without honba and sticks / rounds dealt in",
                     "dealt_points", among=_dealt_in),
                mean("change", "changes of score, honba and sticks included / rounds played", "change"),
            ),
        ),
        Statistic(
            "placement", "places and scores at the end of games; if scores are equal, the lower seat is first",
            lambda base: base.seats,
            (
                *(
                    rate(name, f"seats that ended in {name} place / seats of games that have it and final scores",
                         pl.col("place") == place, among=pl.col("players") >= place, settled=_whole_games)
                    for place, name in enumerate(("first", "second", "third", "fourth"), 1)
                ),
                rate("below_zero", "seats that ended below 0 / seats of games with final scores",
                     pl.col("final_score") < 0),
                mean("place", "places / seats of games with final scores", "place"),
                mean("final_score", "final scores / seats of games with final scores", "final_score"),
                mean("final_points", "scores after uma and oka / seats of games that record them", "final_point"),
            ),
            counted=Counted.finished,
        ),
        Statistic(
            "shanten", "hands at a draw, in rounds that reach that turn",
            lambda base: base.turns.filter(pl.col("kind") == "draw"),
            (
                mean("shanten", "shanten with the tile drawn / draws in that turn, hand trusted", "shanten"),
                rate("tenpai", "draws with shanten 0 or -1 / draws in that turn, hand trusted",
                     pl.col("shanten") <= 0),
            ),
            key="turn",
        ),
        Statistic(
            "tenpai", "how often and when a hand is tenpai", lambda base: base.seat_rounds,
            (
                rate("reached", "rounds with shanten 0 or less after some own draw or call / rounds played",
                     pl.col("tenpai_turn").is_not_null()),
                mean("turn", "first such turn, from 1 / rounds that reach it", "tenpai_turn"),
            ),
        ),
        Statistic(
            "draws", "rounds played to the last tile", lambda base: base.seat_rounds,
            (
                rate("exhaustive", "rounds drawn by exhaustion / rounds played (the interval counts rounds, not seats)",
                     "exhaustive", units=_rounds),
                rate("tenpai", "hands shown tenpai / rounds drawn by exhaustion (without nagashi)", "tenpai",
                     among=_exhaustive),
            ),
        ),
        Statistic(
            "results", "how rounds end", lambda base: base.rounds,
            (Measure("share", "rounds with that result / rounds with a recorded end", _any, _any),),
            key="result", whole=lambda base: base.rounds, splits=OF_GAMES,
        ),
        Statistic(
            "yaku", "which yaku wins have, as recorded", lambda base: base.yaku,
            (Measure("share", "wins with the yaku / wins whose yaku are recorded", _any, _any),),
            key="yaku", whole=lambda base: base.listed_wins,
        ),
        Statistic(
            "riichi", "outcomes of a declared riichi", lambda base: base.seat_rounds.filter("riichi"),
            (
                rate("win", "rounds won / rounds with riichi declared", "won"),
                rate("tsumo", "rounds won by own draw / rounds with riichi declared", "tsumo"),
                rate("deal_in", "rounds dealt in / rounds with riichi declared", "dealt_in"),
                rate("exhaustive", "rounds drawn by exhaustion / rounds with riichi declared", "exhaustive"),
                mean("won", "worth of hands won, without honba and sticks / rounds won", "won_points", among=_won),
                mean("change", "changes of score / rounds with riichi declared", "change"),
            ),
        ),
        Statistic(
            "waits", "outcomes of a declared riichi (kinds waited for; 0: it was not tenpai)",
            lambda base: base.riichis, (*_of_riichi("that waits for that many kinds"),
                mean("unseen", "tiles waited for that the seat does not see / riichi that waits for that many kinds, "
                     "table trusted", "unseen"),
            ),
            key="kinds",
        ),
        Statistic(
            "unseen", "outcomes of a declared riichi (tiles waited for that the seat does not see)",
            lambda base: base.riichis.filter(pl.col("unseen").is_not_null()), (*_of_riichi("with that many unseen"),
                mean("kinds", "kinds waited for / riichi with that many unseen", "kinds"),
            ),
            key="unseen",
        ),
        Statistic(
            "kans", "outcomes of rounds with an own kan of any kind", lambda base: base.seat_rounds,
            (
                rate("kan", "rounds with a kan / rounds played", "kan"),
                rate("win", "rounds won / rounds with a kan", _won, among=_kan),
                rate("deal_in", "rounds dealt in / rounds with a kan", _dealt_in, among=_kan),
                mean("change", "changes of score / rounds with a kan", "change", among=_kan),
            ),
        ),
        Statistic(
            "kan_kinds", "outcomes of rounds with an own kan", lambda base: base.kan_rounds,
            (
                rate("win", "rounds won / rounds with that kind of kan", "won"),
                rate("tsumo", "rounds won by own draw / rounds with that kind of kan", "tsumo"),
                rate("rinshan", "rounds won with recorded rinshan, after kan or kita / rounds with that kind of kan",
                     "rinshan"),
                rate("robbed", "rounds dealt in with recorded chankan / rounds with that kind of kan", "robbed"),
                rate("deal_in", "rounds dealt in, also by a robbed kan / rounds with that kind of kan", "dealt_in"),
                mean("won", "worth of hands won, without honba and sticks / rounds won", "won_points", among=_won),
                mean("change", "changes of score / rounds with that kind of kan", "change"),
            ),
            key="kind",
        ),
        Statistic(
            "kita", "north tiles set aside (kita)", lambda base: base.seat_rounds,
            (
                rate("any", "rounds with a kita / rounds played", _kita > 0),
                mean("kita", "kita / rounds played", "kita"),
                mean("turn", "turns of the first kita, from 1 / rounds with a kita", "kita_turn"),
                mean("kita_of_wins", "kita / rounds won", "kita", among=_won),
            ),
        ),
        Statistic(
            "kita_counts", "outcomes of rounds with that many own kita", lambda base: base.seat_rounds,
            (
                rate("win", "rounds won / rounds with that many kita", "won"),
                rate("tsumo", "rounds won by own draw / rounds with that many kita", "tsumo"),
                rate("deal_in", "rounds dealt in / rounds with that many kita", "dealt_in"),
                rate("riichi", "rounds with riichi declared / rounds with that many kita", "riichi"),
                mean("won", "worth of hands won, without honba and sticks / rounds won", "won_points", among=_won),
                mean("change", "changes of score / rounds with that many kita", "change"),
            ),
            key="kita",
        ),
        Statistic(
            "dora", "dora in winning hands, as recorded", lambda base: base.wins,
            (
                rate("any", "wins with dora, ura or red fives / wins that record them", _any_dora),
                mean("dora", "dora, kan dora and kita included / wins", "dora"),
                mean("red", "red fives / wins", "red"),
                mean("ura", "ura dora / wins in riichi", "ura", among=_riichi),
                rate("any_ura", "wins with ura dora / wins in riichi", pl.col("ura") > 0, among=_riichi),
                mean("han", "all han / wins below yakuman, counted yakuman left out too", "han",
                     among=pl.col("limit") != 5),
            ),
        ),
        Statistic(
            "mismatches", "findings in games (findings about unreadable files are in no game)",
            lambda base: base.affected,
            (
                Measure("games", "games with a finding of that code / games", _game, _game),
                Measure("rounds", "rounds with a finding of that code / rounds with a recorded end", ~_game, ~_game),
                Measure("per_round", "findings of that code in rounds with a recorded end / these rounds",
                        pl.when(~_game).then("count").otherwise(0), ~_game, rate=False),
            ),
            key="code", whole=lambda base: base.units, counted=Counted.known, splits=OF_GAMES,
        ),
    )
}  # fmt: skip
"""All statistics by name."""
