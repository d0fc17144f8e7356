"""The columns that an mjlog never states."""

from auditor.log.columns import TABLES

ABSENT = {
    "games": ("within", "places"),
    "rounds": ("wall", "wall_hash", "salt", "salt_hash"),
    "events": ("tsumogiri",),
    "claims": ("tenpai", "units", "total_han", "total_units"),
    "hints": tuple(TABLES["hints"]),
    "offers": tuple(TABLES["offers"]),
}
"""Columns that are null in every row, by table."""
