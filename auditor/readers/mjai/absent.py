"""The columns that an mjai log never states (auditor/readers/mjai/FORMAT.md section 9)."""

from auditor.log.columns import TABLES

ABSENT = {
    "games": ("ratings", "last_pos", "final_points", "start_time"),
    "rounds": ("dice", "shuffle", "wall", "wall_hash", "salt", "salt_hash", "pos"),
    "events": ("pos",),
    "claims": ("tenpai", "honba", "sticks", "limit", "dora", "melds"),
    "hints": tuple(TABLES["hints"]),
    "offers": tuple(TABLES["offers"]),
}
"""Columns that are null in every row, by table."""
