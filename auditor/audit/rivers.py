"""The discards of each hand, as columns of the output table ``hands``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from auditor.log.arrays import arrow, expanded, filled, is_known, lists
from auditor.log.event_kinds import CODE, OPEN_CALLS, PLAYS
from auditor.log.tables import SEATS
from auditor.log.tile_ids import KIND, NONE, PHYSICAL, RED
from auditor.log.words import tile_codes, tile_lists
from auditor.replay.trust import HAND_DOUBTS, ORDER_DOUBTS

if TYPE_CHECKING:
    import numpy.typing as npt
    import polars as pl

    from auditor.audit.frames import Frames

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]


def rivers(frames: Frames, there: Ints) -> dict[str, pl.Series]:
    """Return the discards of these hands, whether each is the tile just drawn, and who calls it, as lists."""
    played = frames.played
    row = played.rows("discard")
    drawn, told = _tsumogiri(frames, row)
    # One gather brings each into the order of hands.
    codes, flags = (np.zeros(len(played.kind), dtype=np.uint8) for _ in range(2))
    codes[row] = tile_codes(played.tile_id[row], frames.rules.of(played.round[row]).may_have_red_fives())
    flags[row] = drawn | told << 1
    rows, begin, count = frames.last_states.discards_by_hand
    length = count[there]
    row = rows[expanded(begin[there], length)[1]]
    caller, flags = _callers(frames)[row], flags[row]
    return {
        "discards": tile_lists(codes[row], length),
        "tsumogiri": lists(arrow(flags & 1 > 0, flags > 1), length),
        "called_by": lists(arrow(caller, caller >= 0), length),
    }


def _callers(frames: Frames) -> npt.NDArray[np.int8]:
    """Return for each event, int8[events], the seat that calls its tile; -1 where none does."""
    played = frames.played
    call = played.rows(*OPEN_CALLS)
    taken = played.latest(call - 1, *PLAYS)
    fits = (played.kind[taken] == CODE["discard"]) & (played.tile_id[taken] == played.tile_id[call])
    fits &= (played.round[taken] == played.round[call]) & (played.seat[taken] != played.seat[call])
    caller = np.full(len(played.kind), -1, dtype=np.int8)
    caller[taken[fits]] = played.seat[call[fits]]
    return caller


def _tsumogiri(frames: Frames, row: Ints) -> tuple[Bools, Bools]:
    """Return which of these discards are of the tile just drawn, and for which the log says that.

    Without a mark in the log it is known if the copies of the drawn and the discarded tile are numbered, if these are
    different tiles, or if the seat did not draw but call.
    """
    log, played = frames.log, frames.played
    marks = log.events["tsumogiri"]
    stated = len(marks) - marks.null_count()
    marked, mark = (np.zeros(len(row), dtype=bool) for _ in range(2))
    if stated:
        marked, mark = is_known(marks)[row], filled(marks, value=False)[row]
    if marked.all():
        return mark, marked
    before = played.latest(row - 1, *PLAYS)
    own = played.seat[before] == played.seat[row]
    drew, called = (own & played.is_kind(*kinds)[before] for kinds in (("draw",), ("chi", "pon")))
    drawn, thrown = played.tile_id[before], played.tile_id[row]
    numbered = (drawn < PHYSICAL) & (thrown < PHYSICAL)
    told = called | (drew & numbered)
    rest = np.flatnonzero(drew & ~numbered & (drawn < NONE) & (thrown < NONE))
    told[rest] = (KIND[drawn[rest]] != KIND[thrown[rest]]) | (RED[drawn[rest]] != RED[thrown[rest]])
    trust = frames.trust
    told &= (trust.rounds.free_of(ORDER_DOUBTS).repeat(SEATS) & trust.hands.free_of(HAND_DOUBTS))[played.hand[row]]
    return np.where(marked, mark, drew & (drawn == thrown)), marked | told
