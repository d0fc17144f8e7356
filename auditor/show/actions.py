"""The acts of a round, one by one; an act is a row of the canonical events, but a deal's rows are one act."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from auditor.log.tables import KINDS
from auditor.log.tile_ids import NONE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from auditor.log.tables import Log
    from auditor.replay.running_sums import Replay


@dataclass(frozen=True)
class Result:
    """The claim of the log about a win or a draw; None where the log does not say.

    ``reason`` is as in log.CLAIMS, ``points`` is the worth of the hand, ``deltas`` has the changes of score by seat,
    ``ura`` the indicators of ura dora, ``shown`` the hands shown, by seat.
    """

    reason: str | None
    winner: int | None
    payer: int | None
    tile_id: int | None
    points: int | None
    deltas: tuple[int, ...] | None
    ura: tuple[int, ...]
    shown: dict[int, tuple[int, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Act:
    """One act: number of its event, row of ``log.events``, kind (log.KINDS), seat and tile.

    ``source`` is the seat that feeds a call or pays for a win, ``others`` are the other tiles of a meld, ``result`` is
    the claim of a result. None where the log does not say.
    """

    event: int
    row: int
    kind: str
    seat: int | None
    tile_id: int | None
    source: int | None = None
    others: tuple[int, ...] = ()
    result: Result | None = None


def acts(log: Log, played: Replay, rows: range) -> tuple[Act, ...]:
    """Return the acts of these rows of ``log.events``, in order; the rows of a deal are one act."""
    melds = played.made
    first, last = np.searchsorted(melds.row, (rows.start, rows.stop))
    made = dict(zip(melds.row[first:last].tolist(), range(first, last), strict=True))
    claim = int(np.searchsorted(played.rows("result"), rows.start))
    found: list[Act] = []
    for row, event in zip(rows, log.events["event"][rows.start : rows.stop], strict=True):
        kind, seat, tile_id = KINDS[played.kind[row]], int(played.seat[row]), int(played.tile_id[row])
        if kind == "deal":
            found = found or [Act(event, row, kind, None, None)]
        elif kind == "result":
            result = _result(log, claim)
            claim += 1
            found.append(Act(event, row, kind, result.winner, result.tile_id, result.payer, result=result))
        else:
            source, others = -1, np.empty(0, dtype=np.int16)
            if row in made:
                source, others = int(melds.source[made[row]]), melds.tile_ids[made[row], 1:]
            found.append(
                Act(
                    event,
                    row,
                    kind,
                    _none_if(seat, -1),
                    _none_if(tile_id, NONE),
                    _none_if(source, -1),
                    tile_ids_of(others),
                )
            )
    return tuple(found)


def _none_if(number: int, unknown: int) -> int | None:
    return None if number == unknown else number


def tile_ids_of(padded: Iterable[int]) -> tuple[int, ...]:
    """Return tile ids without padding."""
    return tuple(int(tile_id) for tile_id in padded if tile_id < NONE)


def _result(log: Log, claim: int) -> Result:
    """Return the claim in this row of ``log.claims``."""
    said = log.claims.row(claim, named=True)
    shows = log.shows.filter(log.shows["claim"] == claim)
    deltas = said["deltas"]
    return Result(
        reason=said["reason"],
        winner=said["winner"],
        payer=said["payer"],
        tile_id=said["win_tile_id"],
        points=said["points"],
        deltas=None if deltas is None else tuple(each for each in deltas if each is not None),
        ura=_listed(said["ura"]),
        shown={seat: _listed(tile_ids) for seat, tile_ids in shows.select("seat", "tile_ids").iter_rows()},
    )


def _listed(tile_ids: list[int | None] | None) -> tuple[int, ...]:
    """Return a list of tiles as the log has it, with NONE for a value that is no tile."""
    return tuple(NONE if tile_id is None else tile_id for tile_id in tile_ids or ())
