"""What a person chooses among on the command line; nothing heavy is loaded for it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class Wind(StrEnum):
    """A wind on the command line."""

    E = "E"
    S = "S"
    W = "W"
    N = "N"


class Format(StrEnum):
    """How a table is given out."""

    table = "table"
    csv = "csv"
    tsv = "tsv"
    json = "json"
    jsonl = "jsonl"
    parquet = "parquet"


class By(StrEnum):
    """What a statistic is split by."""

    player = "player"
    platform = "platform"
    client = "client"
    rules = "rules"
    month = "month"
    seat = "seat"
    source = "source"


class Show(StrEnum):
    """How a run shows its progress."""

    auto = "auto"
    bar = "bar"
    log = "log"
    none = "none"


class FailOn(StrEnum):
    """From which severity on findings make a run's exit code 1."""

    error = "error"
    rule = "rule"
    note = "note"
    never = "never"

    def failed(self, severities: Iterable[str]) -> bool:
        """Say whether findings of these severities are to be told by the exit code."""
        order = list(FailOn)
        return any(order.index(FailOn(each)) <= order.index(self) for each in severities) and self is not FailOn.never
