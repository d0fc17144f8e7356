"""A check's fixtures: a described log that passes, and the lines that are replaced in those that fail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    Changes = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Case:
    """A check's passing log, and by name the lines replaced in each failing one: pairs (line, new line).

    A log that is no mjlog is given as bytes. ``rules`` are the rules of the audit, if not Tenhou's.
    """

    passes: str | bytes
    fails: Mapping[str, Changes | bytes]
    rules: str = ""


def one(line: str, instead: str) -> Mapping[str, Changes]:
    """Make a case with one failing log, in which one line differs."""
    return {"fail": ((line, instead),)}
