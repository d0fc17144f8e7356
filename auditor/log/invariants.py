"""Relations between the rows of a canonical log, whatever the format: a reader that breaks one has a bug.

Each rule is a function that returns how many rows break it. Its docstring states the rule and is the error message.
Together they take 2 % of an audit, so :func:`check_rows` runs over every batch.

Why not ``dataframely``, which is made for Polars? We tried version 3.1.2 on 133,000 events. It supports all column
types used here, nested ones too, and names the rule that fails. But its import adds 0.10 s to the start of every run
and worker. Checking types, nulls and bounds took 0.021 s; all rules of this module take 0.003 s. If a table has
``hoba`` in place of ``honba``, it reports only that ``honba`` is missing. Rules between tables (``Collection``)
need a primary key that all members share, but these tables refer to each other by row numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
import polars as pl

from auditor.log.arrays import filled, from_arrow, gathered, is_known, rows_where
from auditor.log.columns import CALLS, RANGES, REASON, SEATS, TABLES, WINS_ONLY
from auditor.log.event_kinds import CODE, is_kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

    from auditor.log.tables import Log

_REFERENCES = (
    ("games", "rules", "rules"),
    ("rounds", "game", "games"),
    ("events", "round", "rounds"),
    ("melds", "row", "events"),
    ("deals", "round", "rounds"),
    ("deposits", "round", "rounds"),
    ("hints", "game", "games"),
    ("offers", "game", "games"),
    ("claims", "round", "rounds"),
    ("shows", "claim", "claims"),
    ("shows", "round", "rounds"),
    ("problems", "game", "games"),
    ("problems", "round", "rounds"),
)
"""Each reference: a table, its column, and the table whose row numbers the column holds."""

_SORTED = (
    ("rounds", "game"),
    ("events", "round"),
    ("melds", "row"),
    ("deals", "round", "seat"),
    ("deposits", "round", "event"),
    ("hints", "game", "event", "seat"),
    ("offers", "game", "event", "seat", "kind"),
    ("claims", "round"),
    ("shows", "claim", "seat"),
)
"""Each sorted table, and the columns that sort its rows."""


class RowError(ValueError):
    """Rows of a log break rules that hold for every log."""


def check_rows(log: Log, *, repaired: bool = False) -> None:
    """Check all rows of a log.

    Parameters
    ----------
    log
        the log, from a reader or after repair
    repaired
        whether the log was repaired: repair moves events out of the order of the file, so that rule is skipped

    Raises
    ------
    RowError
        with each broken rule, and how many rows break it

    """
    # Each step needs the one before: the rules look up rows by columns that must be filled, in bounds and sorted.
    found = (
        _nulls(log)
        or [*_bounds(log), *_references(log)]
        or _order(log)
        or [
            f"{rule.__doc__} ({count} rows do not)"
            for rule in RULES
            if not (repaired and rule is _event_numbers) and (count := rule(log))
        ]
    )
    if found:
        raise RowError("; ".join(found))


def _nulls(log: Log) -> list[str]:
    """Return a message for each column that must not be null and has nulls."""
    return [
        f"{table}.{name} may not be null ({count} rows are)"
        for table, columns in TABLES.items()
        for name, column in columns.items()
        if not column.nullable and (count := getattr(log, table)[name].null_count())
    ]


def _bounds(log: Log) -> list[str]:
    """Return a message for each column with numbers out of bounds."""
    return [
        f"{table}.{name}: {low}..{high}, but each is {bounds}"
        for table, columns in RANGES.items()
        for name, bounds in columns.items()
        for low, high in _extremes(getattr(log, table)[name])
        if not (bounds.low <= low and high <= bounds.high)
    ]


def _extremes(values: pl.Series) -> Iterator[tuple[float, float]]:
    """Yield the lowest and the highest number of a column of numbers, lists or arrays; nothing if all are null."""
    if values.null_count() == len(values):
        return
    if values.dtype.is_nested():
        # Series.explode plans a query, and Arrow imports its kernels to flatten lists.
        values = from_arrow(values.filter(pl.Series(is_known(values))).to_arrow().values)
    if values.null_count() < len(values):
        yield cast("float", values.min()), cast("float", values.max())


def _references(log: Log) -> list[str]:
    """Return a message for each column with a row number that the other table does not have."""
    found = []
    for table, name, other in _REFERENCES:
        rows = len(log.rules) if other == "rules" else len(getattr(log, other))
        for _, highest in _extremes(getattr(log, table)[name]):
            if highest >= rows:
                found.append(f"{table}.{name} names row {highest} of {other}, which has {rows}")
    return found


def _order(log: Log) -> list[str]:
    """Return a message for each table whose rows are not numbered from 0, or not sorted."""
    found = []
    for table, name in (("games", "game"), ("rounds", "round"), ("claims", "claim")):
        number = getattr(log, table)[name].to_numpy()
        if (number != np.arange(len(number))).any():
            found.append(f"{table}.{name} is not 0, 1, 2 …")
    for table, *names in _SORTED:
        first, *rest = (getattr(log, table)[name].to_numpy() for name in names)
        falls, same = first[1:] < first[:-1], first[1:] == first[:-1]
        for minor in rest:
            falls |= same & (minor[1:] < minor[:-1])
            same &= minor[1:] == minor[:-1]
        if falls.any():
            found.append(f"{table} is not sorted by {', '.join(names)}")
    return found


def _kinds(log: Log) -> npt.NDArray[np.uint8]:
    """Return the place of each event's kind in KINDS, uint8[events]."""
    return log.events["kind"].to_physical().to_numpy()


def _round_numbers(log: Log) -> int:
    """The rounds of a game count from 0."""  # noqa: D401
    return _miscounted(log.rounds["game"], log.rounds["nth"])


def _miscounted(group: pl.Series, nth: pl.Series) -> int:
    """Return how many rows are not numbered from 0 within their group; the groups are sorted."""
    groups = group.to_numpy()
    return int((nth.to_numpy() != np.arange(len(groups)) - np.searchsorted(groups, groups)).sum())


def _deals(log: Log) -> int:
    """Each round begins with four deals, one to each seat in order, and has no other."""
    begins = np.searchsorted(log.events["round"].to_numpy(), np.arange(len(log.rounds), dtype=np.uint32))
    expected = (begins[:, None] + np.arange(SEATS)).ravel()
    deals = np.flatnonzero(_kinds(log) == CODE["deal"])
    seats = filled(gathered(log.events["seat"], deals), -1)
    return abs(len(deals) - len(expected)) or int(
        ((deals != expected) | (seats != np.arange(len(deals)) % SEATS)).sum()
    )


def _event_numbers(log: Log) -> int:
    """After its deals, the events of a round are in the order of the file."""
    event, round_ = filled(log.events["event"], 0), log.events["round"].to_numpy()
    # Few rows have a lower number than the row before: mostly those where the next game begins.
    falls = np.flatnonzero(event[1:] < event[:-1])
    both_played = ~is_kind(_kinds(log)[falls], "deal") & ~is_kind(_kinds(log)[falls + 1], "deal")
    return int((both_played & (round_[falls] == round_[falls + 1])).sum())


def _seats(log: Log) -> int:
    """Every event but dora and result has a seat, and these have none."""
    seat = log.events["seat"]
    seatless = np.flatnonzero(is_kind(_kinds(log), "dora", "result"))
    return seat.null_count() + len(seatless) - 2 * gathered(seat, seatless).null_count()


_OF_SEATS = (
    ("rounds", "dealer"),
    ("events", "seat"),
    ("deals", "seat"),
    ("deposits", "seat"),
    ("claims", "winner"),
    ("claims", "payer"),
    ("claims", "liable"),
    ("shows", "seat"),
)
"""Each column that names a seat, in a table with a column ``round``."""


def _seats_that_exist(log: Log) -> int:
    """Where three play, nothing names seat 3 but the deals that each round begins with."""
    if (log.players == SEATS).all():
        return 0
    of_events = log.events["round"].to_numpy()
    named = [
        (filled(getattr(log, table)[name], -1), getattr(log, table)["round"].to_numpy()) for table, name in _OF_SEATS
    ]
    named.append((filled(log.melds["source"], -1), of_events[log.melds["row"].to_numpy()]))
    beyond = sum(int((seat >= log.players[round_]).sum()) for seat, round_ in named)
    deals = np.flatnonzero(is_kind(_kinds(log), "deal"))
    return beyond - int((filled(gathered(log.events["seat"], deals), -1) >= log.players[of_events[deals]]).sum())


_BY_SEAT = (
    ("games", "final_scores"),
    ("games", "final_points"),
    ("games", "places"),
    ("rounds", "start"),
    ("deposits", "scores"),
    ("claims", "before"),
    ("claims", "deltas"),
)
"""Each column of arrays with an entry for each seat."""


def _entries_by_seat(log: Log) -> int:
    """An array by seat is null, or has null for exactly the seats that do not exist."""  # noqa: D401
    all_play = bool((log.games["players"].to_numpy() == SEATS).all())
    wrong = 0
    for table, name in _BY_SEAT:
        column = getattr(log, table)[name]
        if column.null_count() == len(column):
            continue
        known = is_known(column)
        entries = from_arrow((column if known.all() else column.filter(pl.Series(known))).to_arrow().values)
        if all_play:
            wrong += entries.null_count()
            continue
        rows = getattr(log, table)
        players = rows["players"].to_numpy() if table == "games" else log.players[rows["round"].to_numpy()]
        exists = np.arange(SEATS) < players[known, None]
        wrong += int((is_known(entries).reshape(-1, SEATS) != exists).any(axis=1).sum())
    return wrong


def _players_listed(log: Log) -> int:
    """Names, ranks and ratings are null, or have an entry for each player."""
    players, wrong = log.games["players"].to_numpy(), 0
    for name in ("names", "ranks", "ratings"):
        column = log.games[name]
        if column.null_count() < len(column):
            counts = np.diff(from_arrow(column.to_arrow().offsets).to_numpy())
            wrong += int(((counts != players) & is_known(column)).sum())
    return wrong


def _melds(log: Log) -> int:
    """Each call, kan and kita has one row in melds, and no other event has."""
    called = np.flatnonzero(is_kind(_kinds(log), *CALLS))
    row = log.melds["row"].to_numpy()
    return abs(len(row) - len(called)) or int((row != called).sum())


def _results(log: Log) -> int:
    """The n-th result event belongs to the n-th claim: both have the same round and event."""  # noqa: D401
    return _differing(log.events, np.flatnonzero(_kinds(log) == CODE["result"]), log.claims)


def _claim_numbers(log: Log) -> int:
    """The claims of a round count from 0."""  # noqa: D401
    return _miscounted(log.claims["round"], log.claims["nth"])


def _worth_of_draws(log: Log) -> int:
    """A draw has no winner, no yaku, and nothing else that only a win has."""  # noqa: D401
    draws = np.flatnonzero(log.reasons > REASON["win"])
    return max(int(is_known(log.claims[name])[draws].sum()) for name in WINS_ONLY)


def _yaku(log: Log) -> int:
    """If neither is null, yaku and han have the same length, and so have yakuman and units."""
    yaku, han, yakuman, units = (pl.col(name).list.len() for name in ("yaku", "han", "yakuman", "units"))
    return int(log.claims.select(((yaku != han) | (yakuman != units)).sum()).item())


def _shows(log: Log) -> int:
    """A hand shown has the round and event of its claim."""  # noqa: D401
    return _differing(log.claims, log.shows["claim"].to_numpy(), log.shows)


def _deposits(log: Log) -> int:
    """Each row of deposits has a deposit event of its round, number and seat."""
    paid = np.flatnonzero(_kinds(log) == CODE["deposit"])
    stated, there = np.zeros(len(log.deposits), dtype=np.int64), np.zeros(len(paid), dtype=np.int64)
    for name, bits in (("round", 0), ("event", 32), ("seat", 2)):
        stated = stated << bits | log.deposits[name].to_numpy()
        there = there << bits | filled(gathered(log.events[name], paid), 0)
    there.sort()  # np.isin takes ten times as long
    return int((np.append(there, -1)[np.searchsorted(there, stated)] != stated).sum())


def _places_of_problems(log: Log) -> int:
    """A problem with a round has that round's game."""  # noqa: D401
    placed = rows_where(log.problems[["game", "round"]], is_known(log.problems["round"]))
    return int(placed["game"].ne_missing(gathered(log.rounds["game"], placed["round"].to_numpy())).sum())


def _differing(one: pl.DataFrame, rows: npt.NDArray[np.integer], other: pl.DataFrame) -> int:
    """Return how many of these rows of one table have another round or event than those of the other, in order."""
    if len(rows) != len(other):
        return abs(len(rows) - len(other))
    round_differs, event_differs = (
        filled(gathered(one[name], rows), 0) != other[name].to_numpy() for name in ("round", "event")
    )
    return int((round_differs | event_differs).sum())


RULES: tuple[Callable[[Log], int], ...] = (
    _round_numbers,
    _deals,
    _event_numbers,
    _seats,
    _seats_that_exist,
    _entries_by_seat,
    _players_listed,
    _melds,
    _results,
    _claim_numbers,
    _worth_of_draws,
    _yaku,
    _shows,
    _deposits,
    _places_of_problems,
)
"""Each returns how many rows break it; its docstring states the rule."""
