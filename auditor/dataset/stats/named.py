"""The named statistics: what each counts over which rows of :mod:`auditor.dataset.stats.base`."""

from __future__ import annotations

import polars as pl

from auditor.dataset.stats.base import Counted
from auditor.dataset.stats.measures import Measure, largest, mean, rate
from auditor.dataset.stats.statistic import OF_GAMES, OF_HANDS, Statistic

_any = pl.col("game_id").is_not_null()
_won, _riichi, _kan, _kita = pl.col("won"), pl.col("riichi"), pl.col("kan"), pl.col("kita")
_game = pl.col("of_game")
_any_dora = (pl.col("dora") > 0) | (pl.col("ura") > 0) | (pl.col("red") > 0)
# Of each whole game, one seat has each place, so these shares cannot be otherwise. A seat is a third or a quarter of
# its game: 4 or 3 of 12 parts.
_placed = pl.col("place").is_not_null()
_whole_games = (12 // pl.col("players").filter(_placed)).sum() == 12 * pl.col("game").filter(_placed).n_unique()
# All seats of a round have the same end.
_rounds = pl.struct("game_id", "round").n_unique()
_open, _limit = pl.col("open"), pl.col("limit")
_worth = mean(
    "won", "worth of hands won, without honba and sticks / rounds won, worth recorded", "won_points", among=_won
)
_tsumo, _dealt_in, _exhaustive = pl.col("tsumo"), pl.col("dealt_in"), pl.col("exhaustive")


def _of_riichi(which: str, turn: str = "turn") -> tuple[Measure, ...]:
    """Return the measures over riichi; ``which`` describes a group, ``turn`` is the column of the turn."""
    among = f"rounds with riichi {which}"
    return (
        rate("win", f"rounds won / {among}", "won"),
        rate("tsumo", f"rounds won by own draw / {among}", "tsumo"),
        rate("deal_in", f"rounds dealt in / {among}", "dealt_in"),
        rate("exhaustive", f"rounds drawn by exhaustion / {among}", "exhaustive"),
        _worth,
        mean("change", f"changes of score / {among}", "change"),
        mean("turn", f"turns of the declarations / {among}", turn),
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
            splits=OF_HANDS,
        ),
        Statistic(
            "wins", "how hands are won", lambda base: base.wins,
            (
                mean("turn", "winner's turns, from 1 (on ron that of its last discard) / wins, table trusted", "turn"),
                rate("tsumo", "wins by own draw / wins", pl.col("payer") == pl.col("winner")),
                rate("riichi", "wins in riichi / wins", "riichi"),
                rate("dama", "wins without riichi and without chi, pon or open kan / wins whose melds are known",
                     ~_riichi & ~_open),
                rate("open", "wins with chi, pon or open kan / wins whose melds are known", "open"),
                rate("ippatsu", "wins with recorded ippatsu / wins in riichi whose yaku are recorded",
                     pl.col("yaku").str.contains("ippatsu"), among=_riichi),
                rate("limit", "wins of mangan and more / wins whose limit is recorded", _limit > 0),
                rate("yakuman", "wins of yakuman, counted ones too / wins whose limit is recorded", _limit == 5),
                mean("points", "worth of hands won, without honba and sticks / wins whose worth is recorded", "points"),
            ),
            splits=OF_HANDS,
        ),
        Statistic(
            "limits", "limits of wins, as recorded (0 none, 1 mangan, 2 haneman, 3 baiman, 4 sanbaiman, 5 yakuman)",
            lambda base: base.wins.filter(_limit.is_not_null()),
            (Measure("share", "wins with that limit / wins whose limit is recorded", _any, _any),),
            key="limit", whole=lambda base: base.wins.filter(_limit.is_not_null()), splits=OF_HANDS,
        ),
        Statistic(
            "open", "outcomes of rounds with an own chi, pon or open kan",
            lambda base: base.seat_rounds.filter("called"),
            (
                rate("win", "rounds won / rounds with a call", "won"),
                rate("tsumo", "rounds won by own draw / rounds with a call", "tsumo"),
                rate("deal_in", "rounds dealt in / rounds with a call", "dealt_in"),
                mean("calls", "chi, pon and open kans / rounds with a call", "calls"),
                _worth,
                mean("change", "changes of score / rounds with a call", "change"),
            ),
            splits=OF_HANDS,
        ),
        Statistic(
            "points", "points won and lost in rounds", lambda base: base.seat_rounds,
            (
                _worth,
                mean("dealt_in", "worth of hands dealt into, without honba and sticks / rounds dealt in, if recorded",
                     "dealt_points", among=_dealt_in),
                mean("change", "changes of score, honba and sticks included / rounds played", "change"),
                mean("tsumo_paid", "points paid for a win of another seat by own draw, honba included / such rounds",
                     "tsumo_paid"),
            ),
            splits=OF_HANDS,
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
                rate("top2", "seats that ended in first or second place / seats of games with final scores",
                     pl.col("place") <= 2, settled=_whole_games),
                rate("below_zero", "seats that ended below 0 / seats of games with final scores",
                     pl.col("final_score") < 0),
                mean("place", "places / seats of games with final scores", "place", settled=_whole_games),
                mean("final_score", "final scores / seats of games with final scores", "final_score",
                     settled=_whole_games),
                mean("final_points", "scores after uma and oka / seats of games that record them", "final_point",
                     settled=_whole_games),
                Measure("stable_dan", "points won less those lost at 0 dan / points that a dan more loses, in "
                        "ranked games on Tenhou", pl.col("dan_won"), pl.col("dan_lost"), rate=False,
                        settled=_whole_games, units=pl.col("dan_counts").sum()),
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
                mean("dealt", "shanten of the tiles dealt / rounds played, deal known", "shanten"),
            ),
            splits=OF_HANDS,
        ),
        Statistic(
            "deals", "outcomes of hands that are dealt with that many shanten",
            lambda base: base.seat_rounds.filter(pl.col("shanten").is_not_null()),
            (
                rate("win", "rounds won / rounds with such a deal", "won"),
                rate("deal_in", "rounds dealt in / rounds with such a deal", "dealt_in"),
                rate("riichi", "rounds with riichi declared / rounds with such a deal", "riichi"),
                rate("call", "rounds with chi, pon or open kan / rounds with such a deal", "called"),
                rate("tenpai", "rounds with shanten 0 or less after some own draw or call / rounds with such a deal",
                     pl.col("tenpai_turn").is_not_null()),
                mean("change", "changes of score / rounds with such a deal", "change"),
            ),
            key="shanten", splits=OF_HANDS,
        ),
        Statistic(
            "dealerships", "rounds that a seat is dealer one after the other (of rounds with a recorded end)",
            lambda base: base.dealerships,
            (
                mean("length", "rounds / dealerships", "length"),
                largest("longest", "the longest, in rounds / dealerships (the value is the longest)", "length"),
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
            splits=OF_HANDS,
        ),
        Statistic(
            "results", "how rounds end", lambda base: base.rounds,
            (Measure("share", "rounds with that result / rounds with a recorded end", _any, _any),),
            key="result", whole=lambda base: base.rounds, splits=OF_GAMES,
        ),
        Statistic(
            "yaku", "which yaku wins have, as recorded", lambda base: base.yaku,
            (Measure("share", "wins with the yaku / wins whose yaku are recorded", _any, _any),),
            key="yaku", whole=lambda base: base.listed_wins, splits=OF_HANDS,
        ),
        Statistic(
            "riichi", "outcomes of a declared riichi", lambda base: base.declared,
            (
                rate("win", "rounds won / rounds with riichi declared", "won"),
                rate("tsumo", "rounds won by own draw / rounds with riichi declared", "tsumo"),
                rate("deal_in", "rounds dealt in / rounds with riichi declared", "dealt_in"),
                rate("exhaustive", "rounds drawn by exhaustion / rounds with riichi declared", "exhaustive"),
                _worth,
                mean("change", "changes of score / rounds with riichi declared", "change"),
                mean("turn", "turns of the declarations, from 1 / rounds with riichi declared", "riichi_turn"),
                rate("ippatsu", "rounds won with ippatsu / rounds with riichi declared (if won: with recorded yaku)",
                     "ippatsu"),
                rate("first", "rounds in which no seat declared before / rounds with riichi declared",
                     pl.col("riichi_order") == 1),
                rate("chasing", "rounds in which another seat declared before / rounds with riichi declared",
                     pl.col("riichi_order") > 1),
                rate("furiten", "riichi that waits for a kind that the seat has discarded / riichi with known waits",
                     "furiten"),
            ),
            splits=OF_HANDS,
        ),
        Statistic(
            "riichi_orders", "outcomes of a riichi (1: the first of its round, 2: the second …)",
            lambda base: base.declared, _of_riichi("of that order", turn="riichi_turn"),
            key="riichi_order", splits=OF_HANDS,
        ),
        Statistic(
            "waits", "outcomes of a declared riichi (kinds waited for; 0: it was not tenpai)",
            lambda base: base.riichis, (*_of_riichi("that waits for that many kinds, hand trusted"),
                mean("unseen", "tiles waited for that the seat does not see / riichi that waits for that many kinds, "
                     "table trusted", "unseen"),
            ),
            key="kinds", splits=OF_HANDS,
        ),
        Statistic(
            "unseen", "outcomes of a declared riichi (tiles waited for that the seat does not see)",
            lambda base: base.riichis.filter(pl.col("unseen").is_not_null()),
            (*_of_riichi("with that many unseen, hand trusted"),
                mean("kinds", "kinds waited for / riichi with that many unseen", "kinds"),
            ),
            key="unseen", splits=OF_HANDS,
        ),
        Statistic(
            "kans", "outcomes of rounds with an own kan of any kind", lambda base: base.seat_rounds,
            (
                rate("kan", "rounds with a kan / rounds played", "kan"),
                rate("win", "rounds won / rounds with a kan", _won, among=_kan),
                rate("deal_in", "rounds dealt in / rounds with a kan", _dealt_in, among=_kan),
                mean("change", "changes of score / rounds with a kan", "change", among=_kan),
            ),
            splits=OF_HANDS,
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
                _worth,
                mean("change", "changes of score / rounds with that kind of kan", "change"),
            ),
            key="kind", splits=OF_HANDS,
        ),
        Statistic(
            "kita", "north tiles set aside (kita)", lambda base: base.seat_rounds,
            (
                rate("any", "rounds with a kita / rounds played", _kita > 0),
                mean("kita", "kita / rounds played", "kita"),
                mean("turn", "turns of the first kita, from 1 / rounds with a kita", "kita_turn"),
                mean("kita_of_wins", "kita / rounds won", "kita", among=_won),
            ),
            splits=OF_HANDS,
        ),
        Statistic(
            "kita_counts", "outcomes of rounds with that many own kita", lambda base: base.seat_rounds,
            (
                rate("win", "rounds won / rounds with that many kita", "won"),
                rate("tsumo", "rounds won by own draw / rounds with that many kita", "tsumo"),
                rate("deal_in", "rounds dealt in / rounds with that many kita", "dealt_in"),
                rate("riichi", "rounds with riichi declared / rounds with that many kita", "riichi"),
                _worth,
                mean("change", "changes of score / rounds with that many kita", "change"),
            ),
            key="kita", splits=OF_HANDS,
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
                     among=_limit != 5),
            ),
            splits=OF_HANDS,
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
