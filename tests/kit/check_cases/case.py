"""What a check's fixtures are made from: a log in words that passes, and the lines replaced in those that fail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    Changes = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Case:
    """A check's passing log, and by name the lines replaced in each failing one: pairs (line, new line).

    A log that is no mjlog stands as its bytes; ``rules`` are those it is audited under, where they are not Tenhou's.
    """

    passes: str | bytes
    fails: Mapping[str, Changes | bytes]
    rules: str = ""


def one(line: str, instead: str) -> Mapping[str, Changes]:
    """Give the only failing log of a case, in which one line differs."""
    return {"fail": ((line, instead),)}
