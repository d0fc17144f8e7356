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

_DRAWN, _TOLD = 1, 2


def rivers(frames: Frames, there: Ints) -> dict[str, pl.Series]:
    """Return the discards of these hands, whether each is the tile just drawn, and who calls it, as lists."""
    played = frames.played
    rows, begin, count = frames.last_states.discards_by_hand
    length = count[there]
    row = rows[expanded(begin[there], length)[1]]
    flags, caller = _tsumogiri(frames)[row], _callers(frames)[row]
    reds = frames.rules.of(np.arange(played.rounds)).may_have_red_fives()
    codes = tile_codes(played.tile_id[row], reds if reds.all() else reds[played.round[row]])
    return {
        "discards": tile_lists(codes, length),
        "tsumogiri": lists(arrow(flags & _DRAWN > 0, flags > _DRAWN), length),
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


def _tsumogiri(frames: Frames) -> npt.NDArray[np.uint8]:
    """Return for each event, uint8[events], if it is a discard: _DRAWN: of the tile just drawn; _TOLD: the log says it.

    Without a mark in the log it is known if the copies of the drawn and the discarded tile are numbered, if these are
    different tiles, or if the seat did not draw but call.
    """
    log, played = frames.log, frames.played
    row, flags = played.rows("discard"), np.zeros(len(played.kind), dtype=np.uint8)
    marks = log.events["tsumogiri"]
    stated = len(marks) - marks.null_count()
    marked, mark = (np.zeros(len(row), dtype=bool) for _ in range(2))
    if stated:
        marked, mark = is_known(marks)[row], filled(marks, value=False)[row]
    if marked.all():
        flags[row] = mark.view(np.uint8) | _TOLD
        return flags
    before = played.latest(row - 1, *PLAYS)
    own = played.seat[before] == played.seat[row]
    drew, called = (own & played.is_kind(*kinds)[before] for kinds in (("draw",), ("chi", "pon")))
    drawn, thrown = played.tile_id[before], played.tile_id[row]
    told = called | drew
    if max(drawn.max(initial=0), thrown.max(initial=0)) >= PHYSICAL:
        rest = np.flatnonzero(drew & ((drawn >= PHYSICAL) | (thrown >= PHYSICAL)))
        is_tile = (drawn[rest] < NONE) & (thrown[rest] < NONE)
        told[rest] = is_tile & ((KIND[drawn[rest]] != KIND[thrown[rest]]) | (RED[drawn[rest]] != RED[thrown[rest]]))
    trusted = frames.trust.rounds.free_of(ORDER_DOUBTS).repeat(SEATS) & frames.trust.hands.free_of(HAND_DOUBTS)
    if not trusted.all():
        told &= trusted[played.hand[row]]
    flags[row] = np.where(marked, mark, drew & (drawn == thrown)) | (marked | told).view(np.uint8) << 1
    return flags
