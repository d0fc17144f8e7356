"""What a paipu never says (auditor/readers/majiang/FORMAT.md section 8)."""

from auditor.log.columns import TABLES

ABSENT = {
    "games": ("ranks", "ratings", "start_time", "seed", "last_pos"),
    "rounds": ("dice", "shuffle", "pos"),
    "events": ("pos",),
    "deposits": tuple(TABLES["deposits"]),
    "claims": ("honba", "sticks", "limit", "dora", "before"),
}
"""By table: columns that are null in every row, or of which there is no row."""
