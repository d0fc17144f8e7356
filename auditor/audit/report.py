"""The output tables of a batch, from its frames."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.audit import reading_text
from auditor.dataset.schema import TABLES
from auditor.log.arrays import filled, gathered, is_known, lists, repeated, where_known
from auditor.log.columns import REASON
from auditor.log.seats import by_seat
from auditor.log.tables import SEATS
from auditor.log.words import format_kinds, format_tile, format_tiles, yaku_texts
from engine.rules.rule_sets import one_line, stand_in_name

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
    rule_sets = pl.Series([rule_text(rules) for rules in log.rules], dtype=pl.String)
    rounds = np.bincount(log.rounds["game"].to_numpy(), minlength=len(log.games)).astype(np.uint32)
    return table("games", log.games, {
        "rule_set": rule_sets[log.games["rules"]],
        "rounds": pl.Series(rounds),
        "final_scores": log.games["final_scores"].cast(pl.List(pl.Int32)),
        "final_points": log.games["final_points"].cast(pl.List(pl.Float64)),
        "proven": _proven(frames) if walls else repeated(None, pl.Boolean, len(log.games)),
        "findings": _counts(log.games, findings),
    })  # fmt: skip


def table(name: str, rows: pl.DataFrame, computed: dict[str, pl.Series]) -> pl.DataFrame:
    """Return an output table: its columns are ``computed``, or those of ``rows``."""
    columns = TABLES[name].types
    return pl.DataFrame([computed[each].alias(each) if each in computed else rows[each] for each in columns])


def _proven(frames: Frames) -> pl.Series:
    return frames.log.games.join(frames.wall_proof.games, on="game", how="left", maintain_order="left")["proven"]


def _counts(games: pl.DataFrame, findings: pl.DataFrame) -> pl.Series:
    """Return the number of findings in each game."""
    if findings.is_empty():
        return repeated(0, pl.UInt32, len(games))
    counts = findings.group_by(_OF_GAME).agg(count=pl.len())
    joined = games.join(counts, on=_OF_GAME, how="left", nulls_equal=True, maintain_order="left")
    return joined["count"].fill_null(0)


def rule_text(rules: RuleSet) -> str:
    """Return a rule set as one line: the rules that differ from Tenhou's preset, and those that are unknown."""
    return one_line(stand_in_name(rules), rules)


def rounds(frames: Frames) -> pl.DataFrame:
    """Return the table of rounds."""
    log, count = frames.log, len(frames.log.rounds)
    claims, played = log.claims, frames.played
    round_, winner = claims["round"].to_numpy(), claims["winner"]
    won, drawn = is_known(winner), np.isin(log.reasons, (REASON["exhaustive"], REASON["nagashi"]))
    claimed = np.bincount(round_, minlength=count)
    has_result, end = claimed > 0, np.cumsum(claimed)
    was_drawn = np.append(drawn & ~log.untold, False)[np.where(has_result, end - claimed, -1)]
    claim, seat = np.nonzero(log.shown & drawn[:, None])
    tenpai = np.unique(round_[claim].astype(np.int64) * SEATS + seat)
    before, changes = (gathered(claims[name], end - 1, has_result) for name in ("before", "deltas"))
    riichi = played.rows("riichi")
    return table("rounds", log.rounds, {
        **_of_round(frames, log.rounds),
        "result": gathered(claims["reason"], end - claimed, has_result),
        "winners": where_known(_seats(round_[won], winner.to_numpy()[won], count), has_result),
        "riichi": _seats(played.round[riichi], played.seat[riichi], count),
        "tenpai": where_known(_seats(tenpai // SEATS, tenpai % SEATS, count), was_drawn),
        "start_scores": log.rounds["start"].cast(pl.List(pl.Int32)),
        "end_scores": (before + changes).cast(pl.List(pl.Int32)),
    })  # fmt: skip


def _seats(rounds: npt.NDArray[np.integer], seats: npt.NDArray[np.integer], count: int) -> pl.Series:
    """Return for each of ``count`` rounds the list of its seats; ``rounds`` has the round of each, in order."""
    return lists(seats.astype(np.int8), np.bincount(rounds, minlength=count))


def _of_round(frames: Frames, rows: pl.DataFrame, text: type[pl.DataType] = pl.String) -> dict[str, pl.Series]:
    """Return, for each row of a frame with ``round``, the columns of its game and the round's number within it."""
    log = frames.log
    game = log.rounds["game"][rows["round"]]
    of_game = {name: log.games[name].cast(text)[game] for name in _OF_GAME}
    return {**of_game, "players": log.games["players"][game], "round": log.rounds["nth"][rows["round"]]}


def turns(frames: Frames) -> pl.DataFrame:
    """Return the table of turns; texts that all turns of a game share are categories here, plain texts in the file."""
    return table("turns", frames.turns, _of_round(frames, frames.turns, pl.Categorical))


def riichis(frames: Frames) -> pl.DataFrame:
    """Return the table of riichi declarations."""
    riichis = frames.riichi_waits
    reds = frames.rules.of(riichis["round"].to_numpy()).may_have_red_fives()
    return table("riichis", riichis, {
        **_of_round(frames, riichis),
        "discard": format_tile(riichis["tile_id"], reds),
        "waits": riichis.select(format_kinds("waits")).to_series(),
        "kinds": riichis["waits"].bitwise_count_ones().cast(pl.UInt8),
    })  # fmt: skip


def wins(frames: Frames) -> pl.DataFrame:
    """Return the table of wins: recorded values beside computed ones."""
    wins, scored = frames.wins, frames.scored
    valid = wins["scoreable"].to_numpy()
    reds = frames.rules.of(wins["round"].to_numpy()).may_have_red_fives()
    shown = np.full(len(frames.log.claims) * SEATS, -1)
    shown[frames.shows["claim"].to_numpy() * SEATS + frames.shows["seat"].to_numpy()] = np.arange(len(frames.shows))
    shown = shown[wins["claim"].to_numpy() * SEATS + wins["winner"].to_numpy()]
    held = gathered(frames.shows["held"], shown, shown >= 0)
    yaku = yaku_texts(wins["recorded_yaku"])
    players = frames.log.players[wins["round"].to_numpy()]
    return table("wins", wins, {
        **_of_round(frames, wins),
        "hand": format_tiles(held, reds),
        "winning_tile": format_tile(wins["expected_win_tile_id"], reds).fill_null(""),
        "decomposition": _decompositions(frames, valid & (scored.best >= 0)),
        "riichi": pl.Series(frames.win_contexts.wins.riichi > 0),
        "han": wins["han"].list.sum(),
        "yaku": yaku,
        "expected_yaku": _expected_yaku(frames, yaku),
        **{name: wins[f"{name}_han"] for kind in ("dora", "ura", "red") for name in (kind, f"expected_{kind}")},
        "deltas": wins["deltas"].cast(pl.List(pl.Int32)),
        "expected_deltas": by_seat(scored.deltas.astype(np.int32), players, valid).cast(pl.List(pl.Int32)),
    })  # fmt: skip


def _expected_yaku(frames: Frames, recorded: pl.Series) -> pl.Series:
    """Return the yaku of each win by engine as text; ``recorded`` has the texts of the recorded ones."""
    other = filled(frames.other_yaku, value=True)
    if not other.any():
        return recorded
    texts = yaku_texts(frames.wins["expected_yaku"].filter(pl.Series(other)))
    return recorded.clone().scatter(np.flatnonzero(other), texts)


def _decompositions(frames: Frames, there: npt.NDArray[np.bool_]) -> pl.Series:
    """Return the best reading of each win as text, pair first; null where ``there``, bool[wins], is false."""
    best, hands = frames.scored.best[there], frames.win_contexts.wins.hands[there]
    texts = reading_text.format_readings(frames.scored.readings[best], hands)
    return gathered(texts, np.cumsum(there) - 1, there)
