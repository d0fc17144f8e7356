"""What a check's fixtures are made from: a told log that passes, and what is told otherwise in those that fail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    Changes = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Case:
    """A check's passing log, and by name what is told otherwise in each failing one: (line, told instead).

    A log that is no mjlog stands as its bytes; ``rules`` are those it is audited under, where they are not Tenhou's.
    """

    passes: str | bytes
    fails: Mapping[str, Changes | bytes]
    rules: str = ""


def one(line: str, instead: str) -> Mapping[str, Changes]:
    """Give the only failing log of a case, in which one line differs."""
    return {"fail": ((line, instead),)}
