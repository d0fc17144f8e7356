"""Declarations of frames' columns: name and type, beside the function that computes the frame.

``tests/auditor/test_frames.py`` compares them with the frames that the functions return.
"""

from __future__ import annotations

import polars as pl

Columns = dict[str, pl.DataType | type[pl.DataType]]
"""Column types by name."""

PLACE: Columns = {
    "round": pl.UInt32,  # row of Log.rounds
    "event": pl.UInt32,  # number of the event within the file: the tag's, the line's
    "pos": pl.UInt32,  # byte offset within the (unpacked) file
    "seat": pl.Int8,  # the seat concerned; null where a finding is about no single seat
}
"""The columns that give the place of a frame's row in its log; a finding about the row has the same place."""
