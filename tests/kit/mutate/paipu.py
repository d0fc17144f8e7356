"""A game of 電脳麻将 as its JSON, which can be changed and written back, and a plain replay of its rounds.

It shares no code with the auditor. Facts: auditor/readers/majiang/FORMAT.md. A seat ``l`` counts from the
round's dealer.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    Event = dict[str, dict[str, Any]]

DRAWS = ("zimo", "gangzimo")
MARKS = "+=-"


def tiles_of(hand: str) -> list[str]:
    """Split concealed tiles: ``m12p0`` is m1 m2 p0."""
    found, suit = [], ""
    for letter in hand.partition(",")[0]:
        if letter in "mpsz":
            suit = letter
        elif letter.isdigit():
            found.append(suit + letter)
    return found


def own_tiles(meld: str) -> list[str]:
    """List the tiles of a call or kan that come from the hand."""
    if len(meld) == 6 and meld[-2] in MARKS and meld[1:].replace("0", "5").count(meld[-1].replace("0", "5")) == 4:
        return [meld[0] + meld[-1]]
    marked = next((place for place, letter in enumerate(meld) if letter in MARKS), 0)
    return [meld[0] + letter for place, letter in enumerate(meld) if letter.isdigit() and place + 1 != marked]


@dataclass(frozen=True)
class Deal:
    """One round: its number and events."""

    nth: int
    events: list[Event]

    def walk(self) -> Iterator[tuple[int, str, dict[str, Any], list[Counter[str]]]]:
        """Yield place, name and content of every event after the deal with the hands before it."""
        hands = [Counter(tiles_of(hand)) for hand in self.events[0]["qipai"]["shoupai"]]
        for place, event in enumerate(self.events):
            for name, fields in event.items():
                yield place, name, fields, hands
                if name in DRAWS:
                    hands[fields["l"]][fields["p"][:2]] += 1
                elif name == "dapai":
                    hands[fields["l"]][fields["p"][:2]] -= 1
                elif name in ("fulou", "gang"):
                    hands[fields["l"]].subtract(own_tiles(fields["m"]))

    def name(self, place: int) -> str:
        """Name an event; empty if it has no name."""
        return next(iter(self.events[place])) if 0 <= place < len(self.events) else ""

    @property
    def shown(self) -> set[int]:
        """The places whose hands a result shows."""
        found: set[int] = set()
        for event in self.events:
            if "hule" in event:
                found.add(event["hule"]["l"])
            if "pingju" in event:
                found |= {place for place, hand in enumerate(event["pingju"]["shoupai"]) if hand}
        return found

    def seen(self) -> Counter[str]:
        """Count the tiles dealt, drawn and turned up, red fives as fives."""
        found: Counter[str] = Counter()
        for event in self.events:
            for name, fields in event.items():
                if name == "qipai":
                    found.update(tile for hand in fields["shoupai"] for tile in tiles_of(hand))
                    found[fields["baopai"]] += 1
                elif name in DRAWS:
                    found[fields["p"][:2]] += 1
                elif name == "kaigang":
                    found[fields["baopai"]] += 1
        kinds: Counter[str] = Counter()
        for tile, count in found.items():
            kinds[tile.replace("0", "5")] += count
        return kinds


@dataclass
class Paipu:
    """A line of a file: the paipu and its rules. ``raw``, if set, are the bytes of a file that is no longer JSON."""

    record: dict[str, Any]
    raw: bytes | None = None

    @classmethod
    def parse(cls, text: str) -> Paipu:
        """Read a line."""
        return cls(json.loads(text))

    def copy(self) -> Paipu:
        """Return a copy to change."""
        return Paipu(json.loads(json.dumps(self.record)))

    def encode(self) -> bytes:
        """Write the line."""
        return json.dumps(self.record, ensure_ascii=False).encode() if self.raw is None else self.raw

    @property
    def rule(self) -> dict[str, Any]:
        """The rule object."""
        found: dict[str, Any] = self.record["rule"]
        return found

    @property
    def deals(self) -> list[Deal]:
        """The rounds."""
        return [Deal(nth, events) for nth, events in enumerate(self.record["paipu"]["log"])]
