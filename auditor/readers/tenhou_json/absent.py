"""The columns that Tenhou's JSON never states (auditor/readers/tenhou_json/FORMAT.md 8)."""

from auditor.log.columns import TABLES

ABSENT = {
    "games": ("places", "seed", "last_pos"),
    "rounds": ("dice", "shuffle", "wall", "wall_hash", "salt", "salt_hash", "pos"),
    "events": ("pos",),
    "deposits": tuple(TABLES["deposits"]),
    "shows": tuple(TABLES["shows"]),
    "claims": ("honba", "sticks", "win_tile_id", "units", "total_units", "dora", "melds", "before"),
    "hints": tuple(TABLES["hints"]),
    "offers": tuple(TABLES["offers"]),
}
"""Columns that are null in every row, by table; of ``deposits`` and ``shows`` there are no rows at all."""
