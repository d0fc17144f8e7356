"""The columns that an mjlog never states."""

ABSENT = {
    "games": ("within", "places"),
    "events": ("tsumogiri",),
    "claims": ("tenpai", "units", "total_han", "total_units"),
}
"""Columns that are null in every row, by table."""
