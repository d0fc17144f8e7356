"""Checks run over frames: findings as one table, and how much each check could see."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import polars as pl

from auditor.audit.check import all_checks
from auditor.base import steps
from auditor.dataset.schema import TABLES
from auditor.log.words import format_round

if TYPE_CHECKING:
    from collections.abc import Iterable

    from auditor.audit.check import Check
    from auditor.audit.frames import Frames

FINDINGS = TABLES["findings"].types


@dataclass(frozen=True)
class Tally:
    """How a check fared: rows it looked at, rows that it could not decide, findings.

    ``depends`` counts mismatches that some value of an unknown rule makes right, ``on`` them by the rules named.
    """

    code: str
    looked: int
    not_checkable: int
    findings: int
    depends: int = 0
    on: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: Tally) -> Tally:
        """Add up two tallies of one check."""
        return Tally(
            self.code,
            self.looked + other.looked,
            self.not_checkable + other.not_checkable,
            self.findings + other.findings,
            self.depends + other.depends,
            self.on + other.on,
        )


def run(frames: Frames, checks: Iterable[Check]) -> tuple[pl.DataFrame, list[Tally]]:
    """Return the findings of these checks, in the order of the log, and a tally a check.

    The columns are ``game`` (row of the log) and those of the output table; ``right_under`` is null. Mismatches that
    hang on an unknown rule are no findings here: they count as not checkable.
    """
    found, tallies = mismatches(frames, checks)
    return found.filter(~pl.col("hangs")).drop("hangs"), tallies


def mismatches(frames: Frames, checks: Iterable[Check]) -> tuple[pl.DataFrame, list[Tally]]:
    """Return the same with all mismatches: ``hangs`` tells those of games in which a rule that decides is unknown.

    What they are compared with is what the preset ``tenhou`` has in the place of unknown rules.
    """
    found, tallies = [pl.DataFrame(schema={"game": pl.UInt32, **FINDINGS, "hangs": pl.Boolean})], []
    checks = tuple(checks)
    for at, check in enumerate(checks):
        steps.reached(at / len(checks))
        looked, blind = _seen(check, frames)
        mismatched = check.find(frames)
        count = undecided = 0
        if len(mismatched):
            placed = _placed(mismatched, frames)
            hangs = _undecided(check, placed, frames)
            undecided = int(hangs.sum())
            count = len(placed) - undecided
            found.append(
                _with_sentences(placed, check).with_columns(hangs=hangs, regardless_of=_unknown(check, placed, frames))
            )
        tallies.append(Tally(check.code, looked, blind + undecided, count))
    return ordered(pl.concat(found)), tallies


def ordered(table: pl.DataFrame) -> pl.DataFrame:
    """Return findings in the order of the log."""
    return table.sort("game", "event", "code", nulls_last=False, maintain_order=True)


def worded(table: pl.DataFrame) -> pl.Series:
    """Return the sentence of each finding."""
    messages = {check.code: check.message for check in all_checks()}
    return pl.Series(
        "message",
        [
            messages[code].format(recorded=recorded, expected=expected, seat="?" if seat is None else seat)
            for code, recorded, expected, seat in table.select("code", "recorded", "expected", "seat").iter_rows()
        ],
        dtype=pl.String,
    )


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
    rounds = log.rounds.with_columns(round_name=format_round()).select(
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
    hangs = [bool(rules.unknown & set(check.obeys)) for rules in frames.log.rules]
    return _by_rules(pl.Series(hangs, dtype=pl.Boolean), found).fill_null(value=False)


def _unknown(check: Check, found: pl.DataFrame, frames: Frames) -> pl.Series:
    """Return the rules that a check depends on and that the game of each mismatch does not say, null where none."""
    names = [", ".join(sorted(rules.unknown & set(check.rules))) or None for rules in frames.log.rules]
    return _by_rules(pl.Series(names, dtype=pl.String), found)


def _by_rules(table: pl.Series, found: pl.DataFrame) -> pl.Series:
    """Return for each mismatch what a table says of its game's rule set, null where it is in no game."""
    if not len(table):
        return pl.repeat(None, len(found), dtype=table.dtype, eager=True)
    return table.gather(found["rules"].fill_null(0)).set(found["rules"].is_null(), None)


def _seen(check: Check, frames: Frames) -> tuple[int, int]:
    """Return how many rows a check looks at, and how many lack something it needs."""
    if check.subject is None:
        return 0, 0
    subject: pl.DataFrame = getattr(frames, check.subject)
    if not check.needs:
        return len(subject), 0
    blind = subject.select(pl.any_horizontal(pl.col(*check.needs).is_null()).sum()).item()
    return len(subject), int(blind or 0)


def _with_sentences(findings: pl.DataFrame, check: Check) -> pl.DataFrame:
    """Return findings as rows of the output table, each with its sentence."""
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
        message=worded(findings.with_columns(code=pl.lit(check.code))),
        right_under=pl.lit(None, pl.String),
        regardless_of=pl.lit(None, pl.String),
    )
