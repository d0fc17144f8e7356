"""The columns that a record never states (auditor/readers/mahjong_soul/FORMAT.md section 9)."""

ABSENT = {
    "games": ("ratings", "last_pos", "seed"),
    "rounds": ("dice", "shuffle", "pos"),
    "events": ("pos",),
    "deposits": ("scores",),
    "claims": ("tenpai", "honba", "sticks"),
}
"""Columns that are null in every row, by table."""
