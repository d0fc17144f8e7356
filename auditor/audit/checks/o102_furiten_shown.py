"""A player is shown as furiten who is not, or the reverse.

What it reports: draws, discards and calls that mark other seats as furiten than are. A seat is furiten if it waits for
a kind that it has discarded, or that another seat has discarded or added to a kan since its own last discard; in
riichi, since the declaring one. The tile that is discarded counts at once, also if it is won.
Why it is wrong: the platform computes the marks from the same play, so either the marks or the play were altered.
Not reported: logs without such marks; a seat of which an unknown rule decides (when the furiten of a passed tile ends);
rounds in which a hand cannot be followed or a tile contradicts the stated wall. A win in furiten is W103.
Source: auditor/readers/mahjong_soul/FORMAT.md 4.1.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.audit.shown_frames import furiten_shown
from auditor.log.columns import SEATS

CHECK = Record(
    Severity.ERROR,
    "{recorded} marked as furiten; furiten by the play: {expected}",
    subject=furiten_shown,
    needs=("furiten", "expected_furiten"),
    subject_rules=("fifth_tile_wait", "temporary_furiten_end"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the events with wrong marks."""
    shown = furiten_shown.of(frames)
    return reported(
        shown,
        shown["furiten"] != shown["expected_furiten"],
        recorded=_words("furiten"),
        expected=_words("expected_furiten"),
    )


def _words(column: str) -> pl.Expr:
    names = [pl.when(pl.col(column) // (1 << seat) % 2 == 1).then(pl.lit(f"seat {seat}")) for seat in range(SEATS)]
    listed = pl.concat_str(names, separator=", ", ignore_nulls=True)
    return pl.when(pl.col(column) == 0).then(pl.lit("nobody")).otherwise(listed)
