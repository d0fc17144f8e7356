"""What a person chooses among on the command line when asking a dataset; nothing heavy is loaded for it."""

from __future__ import annotations

from enum import StrEnum


class Format(StrEnum):
    """How a table is given out."""

    table = "table"
    csv = "csv"
    json = "json"
    parquet = "parquet"


class By(StrEnum):
    """What a statistic is split by."""

    player = "player"
    platform = "platform"
    rules = "rules"
    month = "month"
    seat = "seat"
    source = "source"
