"""The output tables of a batch, from its frames."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.audit import reading_text
from auditor.dataset.schema import TABLES
from auditor.log.arrays import entries, filled, gathered, is_known, lists, repeated, where_known
from auditor.log.columns import REASON
from auditor.log.seats import by_seat
from auditor.log.tables import SEATS
from auditor.log.tile_ids import LIVE_TILES, NONE
from auditor.log.words import format_kinds, format_tile, format_tiles, meld_texts, tile_codes, tile_lists, yaku_texts
from auditor.replay.trust import TURN_DOUBTS
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
        **of_round(frames, log.rounds),
        **_indicators(frames),
        "result": gathered(claims["reason"], end - claimed, has_result),
        "winners": where_known(_seats(round_[won], winner.to_numpy()[won], count), has_result),
        "riichi": _seats(played.round[riichi], played.seat[riichi], count),
        "tenpai": where_known(_seats(tenpai // SEATS, tenpai % SEATS, count), was_drawn),
        "start_scores": log.rounds["start"].cast(pl.List(pl.Int32)),
        "end_scores": (before + changes).cast(pl.List(pl.Int32)),
    })  # fmt: skip


def _indicators(frames: Frames) -> dict[str, pl.Series]:
    """Return each round's indicators in order, and how many tiles are left when each is turned."""
    log, played = frames.log, frames.played
    first, later = filled(log.rounds["dora"], NONE), played.rows("dora")
    stated = np.flatnonzero(first < NONE)
    round_ = np.concatenate([stated, played.round[later]])
    order = np.argsort(round_, kind="stable")
    untimed = log.games["kan_indicator"] == "untimed"
    timed = ~filled(untimed, value=False)[log.rounds["game"].to_numpy()[played.round[later]]]
    left = np.concatenate([LIVE_TILES[log.players[stated]], played.left[later]]).astype(np.int16)
    left_known = where_known(left[order], np.append(np.ones(len(stated), dtype=bool), timed)[order])
    codes = tile_codes(np.concatenate([first[stated], played.tile_id[later]]), _reds(frames, round_))
    count = np.bincount(round_, minlength=len(first))
    return {
        "indicators": where_known(tile_lists(codes[order], count), count > 0),
        "indicators_left": where_known(lists(left_known.to_arrow(), count), count > 0),
    }


def _reds(frames: Frames, rounds: npt.NDArray[np.integer]) -> npt.NDArray[np.bool_]:
    """Return for each of these rounds whether its tiles may include red fives."""
    return frames.rules.of(rounds).may_have_red_fives()


def _seats(rounds: npt.NDArray[np.integer], seats: npt.NDArray[np.integer], count: int) -> pl.Series:
    """Return for each of ``count`` rounds the list of its seats; ``rounds`` has the round of each, in order."""
    return lists(seats.astype(np.int8), np.bincount(rounds, minlength=count))


def of_round(frames: Frames, rows: pl.DataFrame, text: type[pl.DataType] = pl.String) -> dict[str, pl.Series]:
    """Return, for each row of a frame with ``round``, the columns of its game and the round's number within it."""
    log = frames.log
    game = log.rounds["game"][rows["round"]]
    of_game = {name: log.games[name].cast(text)[game] for name in _OF_GAME}
    return {**of_game, "players": log.games["players"][game], "round": log.rounds["nth"][rows["round"]]}


def turns(frames: Frames) -> pl.DataFrame:
    """Return the table of turns; texts that all turns of a game share are categories here, plain texts in the file."""
    return table("turns", frames.turns, of_round(frames, frames.turns, pl.Categorical))


def riichis(frames: Frames) -> pl.DataFrame:
    """Return the table of riichi declarations."""
    riichis = frames.riichi_waits
    reds = _reds(frames, riichis["round"].to_numpy())
    return table("riichis", riichis, {
        **of_round(frames, riichis),
        "discard": format_tile(riichis["tile_id"], reds),
        "waits": riichis.select(format_kinds("waits")).to_series(),
        "kinds": riichis["waits"].bitwise_count_ones().cast(pl.UInt8),
    })  # fmt: skip


def wins(frames: Frames) -> pl.DataFrame:
    """Return the table of wins: recorded values beside computed ones."""
    wins, scored = frames.wins, frames.scored
    valid = wins["scoreable"].to_numpy()
    reds = _reds(frames, wins["round"].to_numpy())
    shown = np.full(len(frames.log.claims) * SEATS, -1)
    shown[frames.shows["claim"].to_numpy() * SEATS + frames.shows["seat"].to_numpy()] = np.arange(len(frames.shows))
    shown = shown[wins["claim"].to_numpy() * SEATS + wins["winner"].to_numpy()]
    held = gathered(frames.shows["held"], shown, shown >= 0)
    yaku = yaku_texts(wins["recorded_yaku"])
    melds, is_open = meld_texts(wins["played_melds"], reds)
    players = frames.log.players[wins["round"].to_numpy()]
    return table("wins", wins, {
        **of_round(frames, wins),
        "turn": _win_turns(frames),
        "hand": format_tiles(held, reds),
        "melds": melds,
        "open": is_open,
        "winning_tile": format_tile(wins["expected_win_tile_id"], reds).fill_null(""),
        "decomposition": _decompositions(frames, valid & (scored.best >= 0)),
        "riichi": pl.Series(frames.win_contexts.wins.riichi > 0),
        "han": wins["han"].list.sum(),
        "yaku": yaku,
        "expected_yaku": _expected_yaku(frames, yaku),
        **{name: wins[f"{name}_han"] for kind in ("dora", "ura", "red") for name in (kind, f"expected_{kind}")},
        "ura_indicators": _below(wins["ura"], reds),
        "deltas": wins["deltas"].cast(pl.List(pl.Int32)),
        "expected_deltas": by_seat(scored.deltas.astype(np.int32), players, valid).cast(pl.List(pl.Int32)),
    })  # fmt: skip


def _below(ura: pl.Series, reds: npt.NDArray[np.bool_]) -> pl.Series:
    """Return lists of ura dora indicators as tiles; an empty one is null, as if the log had none."""
    win, tile_id = entries(ura)
    count = np.bincount(win, minlength=len(ura))
    return where_known(tile_lists(tile_codes(tile_id, reds[win]), count), count > 0)


def _win_turns(frames: Frames) -> pl.Series:
    """Return the winner's turn of each win: on tsumo that of its draw, on ron that of its last discard, at least 1."""
    case, played = frames.win_contexts, frames.played
    hand = frames.wins["hand"].to_numpy()
    discards = played.discards[played.own[hand]].astype(np.int64)
    turn = np.where(case.wins.tsumo, discards + 1, np.maximum(discards, 1)).astype(np.uint8)
    return where_known(turn, frames.trust.rounds.free_of(TURN_DOUBTS)[hand // SEATS])


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
