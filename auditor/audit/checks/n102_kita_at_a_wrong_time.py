"""Kita is made when the seat may not make it.

What it reports: a kita of a seat that has not just drawn a tile: in another seat's turn, before its own draw, or right
after a pon or chi. In riichi also a kita if the tile just drawn is no North.
Why it is wrong: a North is set aside between a draw and the discard after it, and riichi locks the hand.
Not reported: a kita after the round's end (L004), after the last draw (N106), or right after a kita or kan without a
replacement draw (N103, K113); any kita where the rules have none (N105). Which of two Norths a hand in riichi sets
aside does not matter.
Source: engine/RULES.md 4.6 (6,547 of 6,547 kitas follow an own draw; in riichi 273 of 273 are of the drawn tile).
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.arrays import filled, stacked
from auditor.log.tile_ids import KIND, NONE
from auditor.log.words import format_previous, named_call, named_tile
from auditor.replay.kitas import of_rounds
from engine.tiles.kinds import NORTH

CHECK = Record(Severity.ERROR, "seat {seat} makes a {recorded}; the action before is {expected}", subject=Frames.kitas)


def find(frames: Frames) -> pl.DataFrame:
    """Return kitas without a draw before, and those of another North than the drawn one in riichi."""
    misplaced, kitas = frames.misplaced, frames.kitas
    early = reported(misplaced, misplaced["code"] == "N102", recorded=named_call(), expected=format_previous())
    if len(early):
        early = early.filter(of_rounds(frames.log, frames.rules)[early["round"]].fill_null(value=True))
    drawn = filled(kitas["drawn"], NONE)
    locked = reported(
        kitas,
        kitas["in_riichi"].to_numpy() & (drawn < NONE) & (KIND[drawn] != NORTH),
        pl.col("allowed").fill_null(value=True),
        recorded=pl.format("kita of {} in riichi", named_tile("tile_id")),
        expected=pl.format("its draw of {}", named_tile("drawn")),
    )
    return stacked(early, locked)
