"""The output tables of a batch, from its frames."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.audit import reading_text
from auditor.log.tables import SEATS
from auditor.log.words import format_kinds, format_tile, format_tiles, format_yaku
from engine.rules.rule_sets import RULE_NAMES, preset

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.audit.findings import Tally
    from auditor.audit.frames import Frames
    from engine.rules.rule_sets import RuleSet


_OF_GAME = ["game_id", "source", "within"]
"""The columns that identify a game; a batch can have several copies of a game."""


@dataclass(frozen=True)
class Report:
    """The result of a batch's audit: the output tables by name, and a tally a check."""

    tables: dict[str, pl.DataFrame]
    tallies: list[Tally]


def games(frames: Frames, findings: pl.DataFrame, *, walls: bool) -> pl.DataFrame:
    """Return the table of games; ``proven`` is null unless the ``walls`` were checked."""
    log = frames.log
    rounds = log.rounds.group_by("game").agg(rounds=pl.len())
    unchecked = pl.DataFrame(schema={"game": pl.UInt32, "proven": pl.Boolean})
    proven = frames.wall_proof.games if walls else unchecked
    counts = findings.group_by(_OF_GAME).agg(findings=pl.len())
    return (
        log.games.join(rounds, on="game", how="left", maintain_order="left")
        .join(counts, on=_OF_GAME, how="left", nulls_equal=True, maintain_order="left")
        .join(proven, on="game", how="left", maintain_order="left")
        .select(
            "game_id", "source", "within", "platform",
            rule_set=pl.Series([rule_text(rules) for rules in log.rules], dtype=pl.String).gather(log.games["rules"]),
            players="players", table="table", names="names", ranks="ranks", ratings="ratings", start_time="start_time",
            rounds=pl.col("rounds").fill_null(0),
            final_scores=pl.col("final_scores").arr.to_list(), final_points=pl.col("final_points").arr.to_list(),
            proven="proven", findings=pl.col("findings").fill_null(0),
        )
    )  # fmt: skip


def rule_text(rules: RuleSet) -> str:
    """Return a rule set as one line: the rules that differ from the preset ``tenhou``, and those that are unknown."""
    base = preset("tenhou")
    differing = [
        f"{name}={getattr(rules, name)}" for name in RULE_NAMES
        if getattr(rules, name) is not None and getattr(rules, name) != getattr(base, name)
    ]  # fmt: skip
    unknown = sorted(rules.unknown - base.unknown)
    return (
        "tenhou"
        + "".join(f"; {change}" for change in differing)
        + (f"; unknown: {', '.join(unknown)}" if unknown else "")
    )


def rounds(frames: Frames) -> pl.DataFrame:
    """Return the table of rounds."""
    log = frames.log
    results = log.claims.group_by("round", maintain_order=True).agg(
        result=pl.col("reason").first(),
        winners=pl.col("winner").drop_nulls(),
        end=pl.col("before").last(),
        change=pl.col("deltas").last(),
    )
    riichis = log.events.filter(pl.col("kind") == "riichi").group_by("round", maintain_order=True).agg(riichi="seat")
    shown = (
        log.shows.join(log.claims.filter(pl.col("reason").is_in(["exhaustive", "nagashi"])), on="claim", how="semi")
        .group_by("round")
        .agg(tenpai=pl.col("seat").unique().sort())
    )
    nobody = pl.lit([], dtype=pl.List(pl.Int8))
    drawn = pl.col("result").is_in(["exhaustive", "nagashi"])
    ends = pl.concat_arr(pl.col("end").arr.get(seat) + pl.col("change").arr.get(seat) for seat in range(SEATS))
    return (
        log.rounds.join(results, on="round", how="left", maintain_order="left")
        .join(riichis, on="round", how="left", maintain_order="left")
        .join(shown, on="round", how="left", maintain_order="left")
        .join(log.games.select("game", *_OF_GAME), on="game", maintain_order="left")
        .select(
            *_OF_GAME, round="nth", wind="wind", dealer="dealer", honba="honba", sticks="sticks", result="result",
            winners="winners", riichi=pl.col("riichi").fill_null(nobody),
            tenpai=pl.when(drawn).then(pl.col("tenpai").fill_null(nobody)),
            start_scores=pl.col("start").arr.to_list(),
            end_scores=pl.when(pl.col("end").is_not_null()).then(ends).arr.to_list(),
        )
    )  # fmt: skip


def _of_round(frames: Frames, frame: pl.DataFrame) -> list[pl.Series]:
    """Return, for each row of a frame with ``round``, the columns of its game and the round's number within it."""
    log = frames.log
    at = frame["round"]
    game = log.rounds["game"].gather(at)
    return [*log.games.select(_OF_GAME)[game].get_columns(), log.rounds["nth"].gather(at).alias("round")]


def turns(frames: Frames) -> pl.DataFrame:
    """Return the table of turns."""
    turns = frames.turns
    columns = ("event", "seat", "kind", "turn", "shanten", "melds", "riichi", "tiles_left")
    return turns.select(*_of_round(frames, turns), *columns)


def riichis(frames: Frames) -> pl.DataFrame:
    """Return the table of riichi declarations."""
    riichis = frames.riichi_waits
    reds = pl.Series(frames.rules.of(riichis["round"].to_numpy()).may_have_red_fives())
    return riichis.select(
        *_of_round(frames, riichis), "event", "seat", "turn",
        discard=format_tile("tile_id", pl.lit(reds)), double="double", waits=format_kinds("waits"),
        kinds=pl.col("waits").bitwise_count_ones().cast(pl.UInt8), unseen="unseen", paid="paid",
    )  # fmt: skip


def wins(frames: Frames) -> pl.DataFrame:
    """Return the table of wins: recorded values beside computed ones."""
    wins = frames.wins
    valid = wins["scoreable"]
    deltas = pl.Series(frames.scored.deltas, dtype=pl.Array(pl.Int32, SEATS))
    hands = frames.shows.select("claim", "seat", "held")
    tile = pl.concat_list("expected_win_tile_id").list.drop_nulls()
    reds = pl.Series(frames.rules.of(wins["round"].to_numpy()).may_have_red_fives())
    return (
        wins.with_columns(_of_round(frames, wins))
        .with_columns(
            expected_deltas=pl.select(pl.when(valid).then(deltas)).to_series(),
            decomposition=_decompositions(frames, valid.to_numpy()),
            riichi=pl.Series(frames.win_contexts.wins.riichi > 0),
        )
        .join(hands, on=["claim", "seat"], how="left", maintain_order="left")
        .select(
            *_OF_GAME, "round", "event", "winner", "payer", "liable", "expected_liable",
            hand=format_tiles(pl.col("held"), pl.lit(reds)), winning_tile=format_tiles(tile, pl.lit(reds)),
            decomposition="decomposition", riichi="riichi",
            fu="fu", expected_fu="expected_fu",
            han=pl.col("han").list.sum(), expected_han="expected_han",
            yaku=format_yaku("recorded_yaku"), expected_yaku=format_yaku("expected_yaku"),
            dora="dora_han", expected_dora="expected_dora_han",
            ura="ura_han", expected_ura="expected_ura_han",
            red="red_han", expected_red="expected_red_han",
            limit="limit", expected_limit="expected_limit",
            points="points", expected_points="expected_points",
            deltas=pl.col("deltas").arr.to_list(), expected_deltas=pl.col("expected_deltas").arr.to_list(),
        )
    )  # fmt: skip


def _decompositions(frames: Frames, valid: npt.NDArray[np.bool_]) -> pl.Series:
    """Return the best reading of each win as text, pair first; null if there is none."""
    scored = frames.scored
    rows = np.flatnonzero(valid & (scored.best >= 0))
    texts = reading_text.format_readings(scored.readings[scored.best[rows]], frames.win_contexts.wins.hands[rows])
    return pl.DataFrame({"row": np.arange(len(valid))}).join(
        pl.DataFrame({"row": rows, "text": texts}), on="row", how="left", maintain_order="left"
    )["text"]
