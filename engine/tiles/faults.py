"""Faults in written tiles and hands: the possible reasons, and messages that point at the character."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.tiles.kinds import tile_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.tiles.arrays import Ints

TILES = "digits 0-9 with one of m p s z, or E S W N P F C"
REASONS = (
    f"expected {TILES}",
    "digits without a suit: add one of m p s z",
    "expected digits 0-9 after the suit",
    "expected digits 0-9 before the suit",
    "honours are 1z to 7z",
    "r makes a single five red: 5mr",
    "a mark - = + belongs to a meld, and a comma begins each meld",
    "a mark - = + stands behind the tile that was given",
    "a tile has one mark",
    "* stands behind the concealed tiles: riichi",
    "expected one tile",
    "a meld takes one tile: more than one is marked",
    "a chi is called from the left: mark it -",
    "a meld is a run, or three or four equal tiles",
    "a hand has at most four melds",
)
(
    EXPECTED_TILES, NO_SUIT, NO_DIGIT, EMPTY_SUIT, NO_HONOUR, NOT_RED, MARKED_CONCEALED, LOOSE_MARK, TWICE_MARKED, STAR,
    NOT_ONE, TWO_MARKS, NOT_FROM_LEFT, NO_MELD_SHAPE, FIVE_MELDS,
) = range(len(REASONS))  # fmt: skip
FIFTH = len(REASONS)
"""Reasons from this number on mean a fifth copy of a kind: ``FIFTH + kind``."""


Fault = tuple["Ints", "Ints", "Ints | int"]
"""Some faults: the row of each text, the place of each character, and the reason (one for all or one for each)."""


class Faults(NamedTuple):
    """The first fault of each text that has one, in the order of the texts.

    Attributes
    ----------
    row
        Row of the text; [faults].
    place
        Place of the character in it, from 0; [faults].
    reason
        Number of the reason: a row of ``REASONS``, or ``FIFTH`` plus a kind; [faults].
    """

    row: Ints
    place: Ints
    reason: Ints

    @classmethod
    def of(cls, parts: Sequence[Fault]) -> Faults:
        """Join groups of faults and keep the first fault of each text."""
        none = np.zeros(0, dtype=np.int64)
        row = np.concatenate([none, *(part[0] for part in parts)])
        place = np.concatenate([none, *(part[1] for part in parts)])
        reason = np.concatenate([none, *(np.broadcast_to(part[2], len(part[0])) for part in parts)])
        order = np.lexsort((place, row))
        first = order[np.diff(row[order], prepend=-1) != 0]
        return cls(row[first], place[first], reason[first])

    def messages(self, texts: Sequence[str]) -> list[str]:
        """Write each fault as one line with the place of the character, counted from 1, and the reason.

        `texts` are the texts that were read.
        """
        entries = zip(self.row.tolist(), self.place.tolist(), self.reason.tolist(), strict=True)
        return [
            f"character {place + 1}: {describe_reason(texts[row], place, reason)}" for row, place, reason in entries
        ]

    def error(self, texts: Sequence[str]) -> ValueError:
        """Give an error for the first fault; its message shows the text with a mark below the character."""
        text, place = texts[int(self.row[0])], int(self.place[0])
        shown = [_escape(char) for char in text]
        room = sum(map(_width, "".join(shown[:place])))
        reason = describe_reason(text, place, int(self.reason[0]))
        return ValueError(f"{reason}\n  {''.join(shown)}\n  {' ' * room}^ character {place + 1}")


def describe_reason(text: str, place: int, reason: int) -> str:
    """Write a reason; the one that says what was expected also names the character at this place of the text."""
    if reason == EXPECTED_TILES and place < len(text):
        char = text[place]
        name = " (no plain digit)" if char.isdigit() else ""
        return f"{REASONS[reason]}, not '{_escape(char)}'{name}"
    return REASONS[reason] if reason < FIFTH else f"a fifth copy of {tile_name(reason - FIFTH)}"


def _escape(char: str) -> str:
    """Give a character as it is, or its escape if a terminal cannot show it or would act on it."""
    return char if char.isprintable() else char.encode("unicode_escape", "backslashreplace").decode("ascii")


def _width(char: str) -> int:
    """Count the columns that a character fills in a terminal."""
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
