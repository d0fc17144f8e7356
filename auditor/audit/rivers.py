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
    row, thrown = played.rows("discard"), played.is_kind("discard")
    flags = np.zeros(len(played.kind), dtype=np.uint8)
    marks = log.events["tsumogiri"]
    if len(marks) > marks.null_count():
        known = is_known(marks)
        flags[known] = filled(marks, value=False)[known].view(np.uint8) | _TOLD
    if (flags[row] & _TOLD).all():
        return flags
    # Almost always the event before is the draw or the call; only the others are searched.
    last = slice(None, -1)
    own = (played.seat[1:] == played.seat[last]) & thrown[1:]
    drew, called = (own & played.is_kind(*kinds)[last] for kinds in (("draw",), ("chi", "pon")))
    same = drew & (played.tile_id[1:] == played.tile_id[last])
    found = (same | (drew | called).view(np.uint8) << 1).astype(np.uint8)
    apart = np.flatnonzero(thrown[1:] & ~played.is_kind(*PLAYS)[last]) + 1
    before = played.latest(apart - 1, *PLAYS)
    own = played.seat[before] == played.seat[apart]
    drew, called = (own & played.is_kind(*kinds)[before] for kinds in (("draw",), ("chi", "pon")))
    same = drew & (played.tile_id[before] == played.tile_id[apart])
    found[apart - 1] = same | (drew | called).view(np.uint8) << 1
    found = np.append(np.uint8(0), found)
    if played.tile_id[row].max(initial=0) >= PHYSICAL:
        _forget_copies(frames, found)
    trusted = frames.trust.rounds.free_of(ORDER_DOUBTS).repeat(SEATS) & frames.trust.hands.free_of(HAND_DOUBTS)
    if not trusted.all():
        found[row] *= trusted[played.hand[row]]
    return np.where(flags & _TOLD, flags, found)


def _forget_copies(frames: Frames, flags: npt.NDArray[np.uint8]) -> None:
    """Take the flag _TOLD from discards whose tile may be the one drawn or another copy of it."""
    played = frames.played
    row = played.rows("discard")
    before = played.latest(row - 1, *PLAYS)
    drawn, thrown = played.tile_id[before], played.tile_id[row]
    alike = (KIND[drawn] == KIND[thrown]) & (RED[drawn] == RED[thrown]) & ((drawn >= PHYSICAL) | (thrown >= PHYSICAL))
    unclear = played.is_kind("draw")[before] & (alike | (drawn >= NONE) | (thrown >= NONE))
    flags[row[unclear]] &= ~np.uint8(_TOLD)
