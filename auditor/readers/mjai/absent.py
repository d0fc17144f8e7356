"""The columns that an mjai log never states (auditor/readers/mjai/FORMAT.md section 9)."""

ABSENT = {
    "games": ("ratings", "last_pos", "final_points", "start_time"),
    "rounds": ("dice", "shuffle", "wall", "wall_hash", "salt", "salt_hash", "pos"),
    "events": ("pos",),
    "claims": ("tenpai", "honba", "sticks", "limit", "dora", "melds"),
    "hints": ("game", "event", "waits", "furiten"),
}
"""Columns that are null in every row, by table."""
