"""A North that was set aside is won, though the rules do not allow that.

What it reports: a ron on the North that another seat has just set aside, where the rules let nobody win it.
Why it is wrong: there only a discard, or a tile added to a kan, can be won.
Not reported: a win by another tile than that North (W109); the yaku of such a win (W104).
Source: engine/RULES.md 4.6.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import named_tile

CHECK = Record(
    Severity.RULE,
    "seat {seat} wins {recorded}, which was set aside; expected {expected}",
    subject=Frames.wins,
    subject_rules=("kita_ron",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return rons on a North where the rules forbid them."""
    wins = frames.wins
    on_kita = (wins["last_kind"] == "kita") & (wins["payer"] != wins["winner"])
    if not on_kita.any():
        return wins.clear()
    forbidden = pl.Series(frames.rules.holds("kita_ron", value=False)[wins["round"].to_numpy()])
    return reported(
        wins,
        on_kita & forbidden,
        pl.col("last_fits"),
        recorded=named_tile("win_tile_id"),
        expected=pl.lit("a ron on a discard"),
    )
