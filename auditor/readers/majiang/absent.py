"""The columns that a paipu never states (auditor/readers/majiang/FORMAT.md section 8)."""

from auditor.log.columns import TABLES

ABSENT = {
    "games": ("ranks", "ratings", "start_time", "room", "mode", "link", "seed", "last_pos"),
    "rounds": ("dice", "shuffle", "wall", "wall_hash", "salt", "salt_hash", "pos"),
    "events": ("pos",),
    "deposits": tuple(TABLES["deposits"]),
    "claims": ("tenpai", "honba", "sticks", "limit", "dora", "before"),
    "hints": tuple(TABLES["hints"]),
    "offers": tuple(TABLES["offers"]),
}
"""Columns that are null in every row, by table; of ``deposits`` there are no rows at all."""
