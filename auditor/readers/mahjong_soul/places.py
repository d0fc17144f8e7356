"""Places of records in tables: columns of game, round and event, problems, and lists of points by seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log import tables
from auditor.log.arrays import where_known
from auditor.log.ranges import bounded
from auditor.log.seats import by_seat
from auditor.log.tables import SEATS
from auditor.readers.mahjong_soul.fields import by_place
from auditor.readers.mahjong_soul.records import NO_ROUND

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.readers.mahjong_soul.records import Fault, Records

    Ints = npt.NDArray[np.int64]


def fault_rows(records: Records, faults: list[Fault]) -> pl.DataFrame:
    """Return faults as rows of the table of problems."""
    if not faults:
        return pl.DataFrame(schema=tables.PROBLEMS)
    first = np.searchsorted(records.game, [each.game for each in faults])
    rows = first + np.array([max(each.number, 1) - 1 for each in faults])
    round_ = np.append(records.round, NO_ROUND)[np.minimum(rows, len(records.game))]
    whole = np.array([each.number == 0 for each in faults])
    # A fault of the whole game has no round; what breaks off belongs to the last one.
    last = np.searchsorted(records.game, [each.game for each in faults], side="right") - 1
    ends = np.array([each.rest for each in faults]) & whole & (last >= first)
    round_ = np.where(ends, np.append(records.round, NO_ROUND)[last], np.where(whole, NO_ROUND, round_))
    frame = pl.DataFrame({
        "code": [each.code for each in faults], "game": [each.game for each in faults],
        "round": where_known(round_, round_ != NO_ROUND),
        "event": where_known(np.array([each.number for each in faults]), ~whole),
        "recorded": [each.recorded for each in faults], "expected": [each.expected for each in faults],
        "play": [each.play or None for each in faults], "rest": [each.rest or None for each in faults],
    })  # fmt: skip
    return tables.problem_rows(frame)


def place_of(records: Records, rows: Ints) -> dict[str, pl.Series]:
    """Return the columns game, round and event of records, by row."""
    return {
        "game": pl.Series(records.game[rows].astype(np.uint32)),
        "round": pl.Series(records.round[rows].astype(np.uint32)),
        "event": pl.Series(records.number[rows].astype(np.uint32)),
    }


def points_at(
    lists: tuple[Ints, Ints], players: npt.NDArray[np.integer], table: str, column: str, place: dict[str, pl.Series]
) -> tuple[pl.Series, list[pl.DataFrame]]:
    """Return lists of points by seat as a column; null where a list has not a number for each player.

    ``lists`` are owners and numbers. Also return the problems: numbers that are impossible. ``place`` places the rows.
    """
    owner, value = lists
    count = len(players)
    points, size = by_place(owner, value, count, SEATS)
    known = size == players
    wide = by_seat(points, players, known).alias(column)
    checked, problems = bounded(pl.DataFrame(place).with_columns(wide), table)
    return checked[column].cast(tables.Points), [problems] if len(problems) else []
