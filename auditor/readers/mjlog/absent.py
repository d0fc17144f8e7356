"""The columns that an mjlog never states."""

ABSENT = {
    "games": ("within", "places"),
    "rounds": ("wall", "wall_hash", "salt", "salt_hash"),
    "events": ("tsumogiri",),
    "claims": ("tenpai", "units", "total_han", "total_units"),
    "hints": ("game", "event", "waits", "furiten"),
}
"""Columns that are null in every row, by table."""
