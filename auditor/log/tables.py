"""One batch of games as canonical tables: readers make this record; replay and checks read it.

``columns.py`` defines the tables and their columns; ``invariants.py`` checks the relations between rows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from auditor.log.arrays import filled, gathered, hand_numbers, is_known, points_by_seat
from auditor.log.columns import CALLS, KINDS, REASON, SCHEMAS, SEATS, WINS_ONLY, Kind, Points, Schema, TileIds

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    import numpy.typing as npt

    from engine.rules.rule_sets import RuleSet

__all__ = (
    "CALLS",
    "CLAIMS",
    "DEALS",
    "DEPOSITS",
    "EVENTS",
    "GAMES",
    "HINTS",
    "KINDS",
    "MELDS",
    "OFFERS",
    "PROBLEMS",
    "ROUNDS",
    "SEATS",
    "SHOWS",
    "WINS_ONLY",
    "ColumnError",
    "Kind",
    "Log",
    "Points",
    "TileIds",
    "conform",
    "meld_signature",
    "problem_rows",
)  # fmt: skip

GAMES = SCHEMAS["games"]
ROUNDS = SCHEMAS["rounds"]
EVENTS = SCHEMAS["events"]
MELDS = SCHEMAS["melds"]
DEALS = SCHEMAS["deals"]
DEPOSITS = SCHEMAS["deposits"]
CLAIMS = SCHEMAS["claims"]
SHOWS = SCHEMAS["shows"]
HINTS = SCHEMAS["hints"]
OFFERS = SCHEMAS["offers"]
PROBLEMS = SCHEMAS["problems"]


class ColumnError(ValueError):
    """The columns of a table, or their types, are not those of ``columns.py``."""


@dataclass(frozen=True)
class Log:
    """A batch of games as canonical tables, sorted by game, round, event.

    Each table must have exactly the columns of its schema, in that order and with those types. ``rules`` has the
    different rule sets of the games; ``games.rules`` is the index into it.

    Raises
    ------
    ColumnError
        if a table does not match its schema

    """

    games: pl.DataFrame
    rounds: pl.DataFrame
    events: pl.DataFrame
    melds: pl.DataFrame
    deals: pl.DataFrame
    deposits: pl.DataFrame
    claims: pl.DataFrame
    shows: pl.DataFrame
    problems: pl.DataFrame
    rules: list[RuleSet] = field(default_factory=list)
    hints: pl.DataFrame = field(default_factory=partial(pl.DataFrame, schema=HINTS))
    offers: pl.DataFrame = field(default_factory=partial(pl.DataFrame, schema=OFFERS))

    def __post_init__(self) -> None:
        """Check the columns of all tables, and put each table into one chunk, which arrays can share."""
        for table, schema in SCHEMAS.items():
            frame = getattr(self, table)
            _check_columns(table, frame.schema, schema)
            object.__setattr__(self, table, frame.rechunk())

    @cached_property
    def reasons(self) -> npt.NDArray[np.int8]:
        """The reason of each claim as its place in :data:`~auditor.log.columns.REASONS`, int8[claims]; -1 if null."""
        return filled(self.claims["reason"].to_physical().cast(pl.Int8), -1)

    @cached_property
    def deposits_inferred(self) -> npt.NDArray[np.bool_]:
        """Rounds of a format without deposit events, whose reader infers each deposit: bool[rounds]."""
        return self.games["deposits_inferred"][self.rounds["game"]].to_numpy()

    @cached_property
    def liable_stated(self) -> npt.NDArray[np.bool_]:
        """Rounds whose wins state the seat that is liable for a yakuman, bool[rounds]."""
        stated: npt.NDArray[np.bool_] = self.games["liable_stated"].to_numpy()[self.rounds["game"].to_numpy()]
        return stated

    @cached_property
    def shown(self) -> npt.NDArray[np.bool_]:
        """Which hands each result shows, bool[claims, SEATS].

        In games without ``hands_shown`` an exhaustive draw shows the hands that it pays, or all if its name says so.
        """
        found = np.zeros((len(self.claims), SEATS), dtype=bool)
        found[self.shows["claim"].to_numpy(), self.shows["seat"].to_numpy()] = True
        told_by_payment = self._unshown & (self.reasons == REASON["exhaustive"])
        if told_by_payment.any():
            found[told_by_payment] = points_by_seat(self.claims["deltas"])[told_by_payment] > 0
            players = self.players[self.claims["round"].to_numpy()]
            named = np.flatnonzero(filled(self.claims["tenpai"], 0) == players)
            found[named] = np.arange(SEATS) < players[named, None]
        return found

    @cached_property
    def untold(self) -> npt.NDArray[np.bool_]:
        """The draws that do not tell which hands are tenpai, bool[claims].

        If nobody pays, all hands are tenpai or none is; some names of draws say which. A nagashi mangan pays whatever
        they are, and a draw without stated changes of score tells nothing.
        """
        if not self._unshown.any():
            return np.zeros(len(self.claims), dtype=bool)
        unpaid = ~points_by_seat(self.claims["deltas"]).any(axis=1) & ~is_known(self.claims["tenpai"])
        drawn, nagashi = self.reasons == REASON["exhaustive"], self.reasons == REASON["nagashi"]
        untold: npt.NDArray[np.bool_] = self._unshown & ((drawn & unpaid) | nagashi)
        return untold

    @cached_property
    def _unshown(self) -> npt.NDArray[np.bool_]:
        """The claims of games without ``hands_shown``, bool[claims]."""
        of_round = ~self.games["hands_shown"].to_numpy()[self.rounds["game"].to_numpy()]
        unshown: npt.NDArray[np.bool_] = of_round[self.claims["round"].to_numpy()]
        return unshown

    @cached_property
    def players(self) -> npt.NDArray[np.int8]:
        """The number of players in each round, int8[rounds]."""
        return gathered(self.games["players"], self.rounds["game"].to_numpy()).to_numpy().view(np.int8)

    @cached_property
    def seated(self) -> npt.NDArray[np.bool_]:
        """Which hands exist, bool[rounds * SEATS]: with three players, those of seats 0 to 2."""
        return (np.arange(SEATS) < self.players[:, None]).ravel()

    @cached_property
    def dealt(self) -> npt.NDArray[np.int64]:
        """How many tiles each hand is dealt, int64[rounds * SEATS]."""
        return np.bincount(hand_numbers(self.deals), minlength=len(self.rounds) * SEATS)


def meld_signature(kind: npt.NDArray[np.uint8], tile_ids: npt.NDArray[np.int16]) -> npt.NDArray[np.int64]:
    """Return one number for each meld, int64[n]: equal melds (same kind, same tiles in any order) have equal numbers.

    ``kind`` uint8[n] is the place in :data:`KINDS`; ``tile_ids`` int16[n, 4] is padded with
    :data:`auditor.log.tile_ids.NONE`.
    """
    signature = kind.astype(np.int64)
    for tile_id in np.sort(tile_ids, axis=1).T:
        signature = signature << 8 | tile_id
    return signature


_OF_KITA = pl.element() // (1 << 4 * 8) == KINDS.index("kita")


@cache
def norths_of(melds: str) -> pl.Expr:
    """Return the tiles of the kitas in a column of lists of meld signatures, in ascending order."""
    return pl.col(melds).list.eval(pl.element().filter(_OF_KITA).sort() // (1 << 3 * 8) % (1 << 8))


@cache
def without_norths(melds: str) -> pl.Expr:
    """Return a column of lists of meld signatures without its kitas, in ascending order."""
    return pl.col(melds).list.eval(pl.element().filter(~_OF_KITA).sort())


def conform(frame: pl.DataFrame | Mapping[str, Any], schema: Schema, absent: Collection[str] = ()) -> pl.DataFrame:
    """Return a frame with exactly the columns of a schema, in its order and types.

    Parameters
    ----------
    frame
        a frame, or columns by name; has each column of the schema except the ``absent`` ones, and others are dropped
    schema
        for example :data:`CLAIMS`
    absent
        columns of the schema that the frame does not have; the result has null in every row

    Raises
    ------
    ColumnError
        if the frame lacks a column that is not ``absent``, or has one that is
    polars.exceptions.InvalidOperationError
        if a value cannot be cast to its column's type

    """
    columns = frame.to_dict() if isinstance(frame, pl.DataFrame) else frame
    wrong = [f"no such column: {name}" for name in absent if name not in schema]
    wrong += [f"stated to be absent, but there: {name}" for name in absent if name in columns]
    missing = [name for name in schema if name not in columns and name not in absent]
    if missing:
        others = [name for name in columns if name not in schema]
        wrong.append(f"missing: {', '.join(missing)} (other columns there: {', '.join(others) or 'none'})")
    if wrong:
        raise ColumnError("; ".join(wrong))
    # Series by Series, because a query takes ten times as long for a small frame.
    found = {name: pl.Series(name, columns[name]).cast(kind) for name, kind in schema.items() if name not in absent}
    height = len(next(iter(found.values())))
    found |= {name: pl.Series(name, [None], dtype=schema[name]).new_from_index(0, height) for name in absent}
    return pl.DataFrame([found[name] for name in schema])


_OPTIONAL = ("game", "round", "event", "pos", "seat", "play", "rest")
"""Columns of ``problems`` that :func:`problem_rows` fills with null if they are missing."""


def problem_rows(frame: pl.DataFrame) -> pl.DataFrame:
    """Return rows of the table ``problems``.

    ``frame`` must have ``code``, ``recorded`` and ``expected``; other columns that it lacks become null.

    Raises
    ------
    ColumnError
        if one of these three is missing

    """
    return conform(frame, PROBLEMS, [name for name in _OPTIONAL if name not in frame.columns])


def _check_columns(table: str, found: pl.Schema, stated: Schema) -> None:
    """Raise ColumnError unless a table has exactly the stated columns."""
    if found == stated:
        return
    wrong = [f"no column {name}" for name in stated if name not in found]
    wrong += [f"an unknown column {name}" for name in found if name not in stated]
    wrong += [
        f"{name} is {found[name]}, not {kind}" for name, kind in stated.items() if name in found and found[name] != kind
    ]
    raise ColumnError(f"table {table}: {'; '.join(wrong) or 'columns in another order'}")
