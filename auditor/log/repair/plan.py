"""The plan of a repair, and the rebuilding of a log by it: events moved, added or dropped, and rounds added or dropped.

``rounds.py`` and ``riichi.py`` find the slips and write them into the plan.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.tables import (
    CLAIMS,
    DEALS,
    DEPOSITS,
    EVENTS,
    MELDS,
    PROBLEMS,
    ROUNDS,
    SHOWS,
    conform,
    problem_rows,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from auditor.log.tables import Log

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

ROOM = 16
"""How many free places the plan has for each event and each round, for events and rounds that are put in between."""


@dataclass
class Mending:
    """A plan for the events of a log: slips change it step by step, then :meth:`applied` rebuilds the log.

    Arrays have one entry for each event: ``round`` (the round times ROOM) and ``place`` (the row times ROOM) give its
    new position, ``seat`` its seat (-1 none), and ``kept`` whether it stays. ``kept_round`` says whether each round
    stays. ``added`` has the columns of further events, ``begun`` those of further rounds, and ``problems`` those of the
    problems to report; ``key`` is the round, times ROOM.
    """

    log: Log
    round: Ints
    place: Ints
    seat: npt.NDArray[np.int8]
    kept: Bools
    kept_round: Bools
    added: list[dict[str, object]] = field(default_factory=list)
    begun: list[dict[str, object]] = field(default_factory=list)
    problems: list[dict[str, object]] = field(default_factory=list)

    @classmethod
    def of(cls, log: Log) -> Mending:
        """Return a plan that leaves the log unchanged."""
        count = len(log.events)
        return cls(
            log=log,
            round=log.events["round"].to_numpy().astype(np.int64) * ROOM,
            place=np.arange(0, count * ROOM, ROOM, dtype=np.int64),
            seat=log.events["seat"].fill_null(-1).to_numpy().copy(),
            kept=np.ones(count, dtype=bool),
            kept_round=np.ones(len(log.rounds), dtype=bool),
        )

    def say(self, row: int, recorded: str, expected: str, code: str = "L004", *, at: int | None = None) -> None:
        """Report the event of this row as a problem, in its planned round or in that of the row ``at``."""
        key, seat = int(self.round[row if at is None else at]), int(self.seat[row])
        said = {
            "code": code,
            "key": key,
            "seat": None if seat < 0 else seat,
            "recorded": recorded,
            "expected": expected,
        }
        self.problems.append(said | self._place(row))

    def _place(self, row: int) -> dict[str, object]:
        """Return the game, the event number and the offset in the file of the event of this row."""
        event = self.log.events.row(row, named=True)
        return {"game": self.log.rounds["game"][event["round"]], "event": event["event"], "pos": event["pos"]}

    def put(self, row: int, *, before: int | None = None, after: int | None = None) -> None:
        """Move an event directly before or after another."""
        target, step = (before, -1) if before is not None else (after, 1)
        assert target is not None
        self.round[row], self.place[row] = self.round[target], self.place[target] + step

    def add(self, kind: str, seats: Sequence[int], *, like: int, before: int | None = None, after: int = 0) -> None:
        """Add an event for each of these seats, before or after that of a row.

        The new events have the event number and the offset in the file of the row ``like``.
        """
        target, step = (before, -ROOM // 2) if before is not None else (after, 1)
        key, place = int(self.round[target]), int(self.place[target]) + step
        for nth, seat in enumerate(seats):
            self.added.append({"key": key, "place": place + nth, "kind": kind, "seat": seat} | self._place(like))

    def begin(self, row: int, key: int) -> None:
        """Add a round with an unknown start, beginning before the event of this row; ``key`` is its planned round."""
        self.begun.append({"key": key} | self._place(row))

    def applied(self) -> Log:
        """Return the log after the plan; the same log if the plan changes nothing."""
        if not self.problems and not self.begun:
            return self.log
        return _Rebuilt.of(self).log()


@dataclass(frozen=True)
class _Rebuilt:
    """A plan with the new tables of rounds (``key`` is the planned round) and events (``old`` is the old row)."""

    plan: Mending
    rounds: pl.DataFrame
    events: pl.DataFrame

    @classmethod
    def of(cls, plan: Mending) -> _Rebuilt:
        """Renumber the rounds and events that stay or are added."""
        log = plan.log
        rounds = log.rounds.with_columns(key=pl.col("round").cast(pl.Int64) * ROOM).filter(pl.Series(plan.kept_round))
        rounds = pl.concat([rounds, _frame(plan.begun)], how="diagonal").sort("key")
        rounds = rounds.with_columns(
            round=pl.int_range(pl.len(), dtype=pl.UInt32), nth=pl.int_range(pl.len()).over("game")
        )
        events = log.events.with_columns(
            key=pl.Series(plan.round),
            place=pl.Series(plan.place),
            seat=pl.when(pl.Series(plan.seat) >= 0).then(pl.Series(plan.seat)),
            old=pl.int_range(pl.len(), dtype=pl.Int64),
        ).filter(pl.Series(plan.kept))
        events = pl.concat([events.drop("round"), _frame(plan.added)], how="diagonal")
        events = events.sort("key", "place", maintain_order=True)
        return cls(plan, rounds, events.join(rounds.select("key", "round"), on="key", maintain_order="left"))

    def log(self) -> Log:
        """Return the log with all tables rebuilt."""
        log = self.plan.log
        row = np.full(len(log.events), -1, dtype=np.int64)
        old = self.events["old"].fill_null(-1).to_numpy()
        row[old[old >= 0]] = np.flatnonzero(old >= 0)
        keys = self.rounds.select("round", old=pl.col("key"))
        deals = log.deals.with_columns(old=pl.col("round").cast(pl.Int64) * ROOM).drop("round")
        melds = log.melds.with_columns(row=pl.Series(row).gather(log.melds["row"]))
        claims = self._claims(row)
        shows = log.shows.drop("round").join(claims.select("old", "new", "round"), left_on="claim", right_on="old")
        return replace(
            log,
            rounds=conform(self.rounds, ROUNDS),
            events=conform(self.events, EVENTS),
            melds=conform(melds.filter(pl.col("row") >= 0).sort("row"), MELDS),
            deals=conform(deals.join(keys, on="old", maintain_order="left"), DEALS),
            deposits=conform(self._deposits(), DEPOSITS),
            claims=conform(claims.rename({"new": "claim"}), CLAIMS),
            shows=conform(shows.drop("claim").rename({"new": "claim"}).sort("claim", "seat"), SHOWS),
            problems=conform(self._problems(), PROBLEMS),
        )

    def _claims(self, row: Ints) -> pl.DataFrame:
        """Return the claims that stay, in the order of their results, with the numbers ``old`` and ``new``."""
        log = self.plan.log
        results = np.flatnonzero((log.events["kind"] == "result").to_numpy())
        claims = log.claims.rename({"claim": "old"}).with_columns(row=pl.Series(row[results])).drop("round")
        claims = claims.filter(pl.col("row") >= 0).sort("row")
        return claims.with_columns(
            round=self.events["round"].gather(claims["row"]), new=pl.int_range(pl.len(), dtype=pl.UInt32)
        ).with_columns(nth=pl.int_range(pl.len()).over("round"))

    def _deposits(self) -> pl.DataFrame:
        """Return the deposits that stay, with the rounds and seats of their events."""
        log = self.plan.log
        paid = self.events.filter(pl.col("kind") == "deposit", pl.col("old").is_not_null())
        before = (
            log.events.select("event", was_round="round", was_seat="seat").with_row_index("old").cast({"old": pl.Int64})
        )
        moved = paid.select("old", "round", "seat").join(before, on="old", maintain_order="left")
        return log.deposits.rename({"round": "was_round", "seat": "was_seat"}).join(
            moved, on=["was_round", "event", "was_seat"], maintain_order="right"
        )

    def _problems(self) -> pl.DataFrame:
        """Return all problems, those of the plan and those of the log.

        A problem of the log is in the last round that begins at or before its event.
        """
        log, rounds = self.plan.log, self.rounds.select("key", new="round")
        starts = self.rounds.select("game", "event", new="round").drop_nulls().sort("game", "event")
        problems = log.problems.with_columns(at=pl.int_range(pl.len()), key=pl.col("round").cast(pl.Int64) * ROOM)
        timed = (pl.col("round").is_not_null()) & pl.col("event").is_not_null()
        placed = (
            problems.filter(timed)
            .sort("game", "event")
            .join_asof(starts, on="event", by="game", check_sortedness=False)
        )
        rest = problems.filter(~timed).join(rounds, on="key", how="left", maintain_order="left")
        old = pl.concat([placed, rest], how="diagonal").sort("at").drop("round").rename({"new": "round"})
        every = [old]
        if self.plan.problems:
            said = _frame(self.plan.problems).join(rounds, on="key", maintain_order="left")
            every.append(said.rename({"new": "round"}))
        return pl.concat(map(problem_rows, every))


def _frame(rows: list[dict[str, object]]) -> pl.DataFrame:
    """Return rows of a plan as a frame; their columns are those of events and problems, ``key`` and ``place``."""
    types = {"key": pl.Int64, "place": pl.Int64, **PROBLEMS, **EVENTS}
    return pl.DataFrame(rows, schema={name: types[name] for name in (rows[0] if rows else ("key", "event"))})
