"""The values that options of the command line allow; this module loads nothing heavy."""

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
    """The format in which a table is printed or written."""

    table = "table"
    csv = "csv"
    tsv = "tsv"
    json = "json"
    jsonl = "jsonl"
    parquet = "parquet"


class Written(StrEnum):
    """The formats in which games can be written."""

    mjai = "mjai"
    tenhou_json = "tenhou-json"
    mjlog = "mjlog"
    paipu = "paipu"


class By(StrEnum):
    """The columns that a statistic can be split by."""

    player = "player"
    players = "players"
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


class Severity(StrEnum):
    """How bad a finding is."""

    error = "error"
    rule = "rule"
    note = "note"


class FailOn(StrEnum):
    """The lowest severity of a finding that makes a run's exit code 1."""

    error = "error"
    rule = "rule"
    note = "note"
    never = "never"

    def failed(self, severities: Iterable[str]) -> bool:
        """Say whether findings of these severities make the exit code 1."""
        order = list(FailOn)
        return any(order.index(FailOn(each)) <= order.index(self) for each in severities) and self is not FailOn.never
