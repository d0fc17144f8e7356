"""Checks run over frames: findings as one table, and how much each check could see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from auditor import steps
from auditor.schema import TABLES
from auditor.words import told_round

if TYPE_CHECKING:
    from collections.abc import Iterable

    from auditor.check import Check
    from auditor.frames import Frames

FINDINGS = TABLES["findings"].types


@dataclass(frozen=True)
class Tally:
    """How a check fared: rows it looked at, rows that lacked what it needs or hang on an unknown rule, findings."""

    code: str
    looked: int
    not_checkable: int
    findings: int


def run(frames: Frames, checks: Iterable[Check]) -> tuple[pl.DataFrame, list[Tally]]:
    """Return the findings of these checks, in the order of the log, and a tally a check.

    The columns are ``game`` (row of the log) and those of the output table; ``right_under`` is null.
    """
    found, tallies = [pl.DataFrame(schema={"game": pl.UInt32, **FINDINGS})], []
    checks = tuple(checks)
    for at, check in enumerate(checks):
        steps.reached(at / len(checks))
        looked, blind = _seen(check, frames)
        mismatches = check.find(frames)
        count = undecided = 0
        if len(mismatches):
            placed = _placed(mismatches, frames)
            hangs = _undecided(check, placed, frames)
            undecided = int(hangs.sum())
            count = len(placed) - undecided
            found.append(_told(placed.filter(~hangs), check))
        tallies.append(Tally(check.code, looked, blind + undecided, count))
    table = pl.concat(found).sort("game", "event", "code", nulls_last=False, maintain_order=True)
    return table, tallies


def _placed(found: pl.DataFrame, frames: Frames) -> pl.DataFrame:
    """Complete the place of findings: game, source, round, and the first event of the round if none is named."""
    log = frames.log
    whole = pl.DataFrame(
        schema={
            "game": pl.UInt32,
            "source": pl.String,
            "round": pl.UInt32,
            "event": pl.UInt32,
            "pos": pl.UInt32,
            "seat": pl.Int8,
            "recorded": pl.String,
            "expected": pl.String,
        }
    )
    found = pl.concat(
        [whole, found.cast({name: pl.String for name in ("recorded", "expected") if name in found.columns})],
        how="diagonal_relaxed",
    )
    rounds = log.rounds.with_columns(round_name=told_round()).select(
        "round", "nth", "round_name", of_game="game", of_event="event", of_pos="pos"
    )
    games = log.games.select("game", "game_id", "rules", "within", of_source="source")
    return (
        found.cast({"game": pl.UInt32, "round": pl.UInt32})
        .join(rounds, on="round", how="left", maintain_order="left")
        .with_columns(
            pl.coalesce("game", "of_game").alias("game"),
            pl.coalesce("event", "of_event").alias("event"),
            pl.coalesce("pos", "of_pos").alias("pos"),
        )
        .join(games, on="game", how="left", maintain_order="left")
        .with_columns(pl.coalesce("source", "of_source").alias("source"))
    )


def _undecided(check: Check, found: pl.DataFrame, frames: Frames) -> pl.Series:
    """Return which mismatches are in games one of whose rules, unknown, decides them."""
    unknown = [bool(rules.unknown & set(check.obeys)) for rules in frames.log.rules]
    table = pl.Series(unknown, dtype=pl.Boolean)
    return (
        table.gather(found["rules"].fill_null(0)) & found["rules"].is_not_null()
        if unknown
        else pl.repeat(value=False, n=len(found), eager=True)
    )


def _seen(check: Check, frames: Frames) -> tuple[int, int]:
    """Return how many rows a check looks at, and how many lack something it needs."""
    if check.subject is None:
        return 0, 0
    subject: pl.DataFrame = getattr(frames, check.subject)
    if not check.needs:
        return len(subject), 0
    blind = subject.select(pl.any_horizontal(pl.col(*check.needs).is_null()).sum()).item()
    return len(subject), int(blind or 0)


def _told(findings: pl.DataFrame, check: Check) -> pl.DataFrame:
    """Return findings as rows of the output table, each with its sentence."""
    messages = [
        check.message.format(recorded=recorded, expected=expected, seat="?" if seat is None else seat)
        for recorded, expected, seat in findings.select("recorded", "expected", "seat").iter_rows()
    ]
    return findings.select(
        "game",
        code=pl.lit(check.code, pl.String),
        severity=pl.lit(check.severity.value),
        game_id="game_id",
        source="source",
        within="within",
        round="nth",
        round_name="round_name",
        event="event",
        pos="pos",
        seat="seat",
        recorded="recorded",
        expected="expected",
        message=pl.Series(messages, dtype=pl.String),
        right_under=pl.lit(None, pl.String),
    )
