"""How a frame's columns are stated: name and type, beside the function that computes the frame.

``tests/auditor/test_frames.py`` compares what is stated with what the functions return.
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
"""What places a row of a frame within its log, and so a finding about it."""
