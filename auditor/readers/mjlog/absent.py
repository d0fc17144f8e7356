"""What an mjlog never says."""

ABSENT = {
    "games": ("within", "places"),
    "events": ("tsumogiri",),
    "claims": ("units", "total_han", "total_units"),
}
"""By table: columns that are null in every row."""
