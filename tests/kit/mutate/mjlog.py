"""An mjlog as a list of tags that can be changed and written back, and a plain replay of its rounds.

It shares no code with the auditor, so an error would have to occur in both.
Facts: auditor/readers/mjlog/FORMAT.md, sections 2 and 4 to 8. Points are in hundreds, as in the file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tests.kit.mutate.table import FOUR, Table, table_of
from tests.kit.renamed_games import cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

SLOTS = range(4)
"""Places of seats in lists of scores; with three players the last one is 0."""
RED_IDS = {16, 52, 88}
DRAWS, DISCARDS = "TUVW", "DEFG"

KITA = 0x20
"""The bit of a meld code for a north that is set aside."""
KANS = ("daiminkan", "ankan", "kakan")

_ROOT = "<mjloggm"
_TAG = re.compile(r"<(?P<name>/?\w+)(?P<body>[^<>]*?)(?P<close>\s*/?>)(?P<gap>[^<]*)")
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_MOVE = re.compile(r"([T-W]|[D-G])(\d+)")


@dataclass(frozen=True)
class Move:
    """A draw or a discard."""

    seat: int
    tile: int
    drawn: bool


@dataclass
class Tag:
    """One tag; ``close`` and ``gap`` keep its original layout."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    close: str = "/>"
    gap: str = ""

    def __str__(self) -> str:
        """Write the tag."""
        body = "".join(f' {name}="{value}"' for name, value in self.attributes.items())
        return f"<{self.name}{body}{self.close}{self.gap}"

    def __contains__(self, attribute: str) -> bool:
        """Say whether the tag has an attribute."""
        return attribute in self.attributes

    def numbers(self, attribute: str) -> list[int]:
        """Return a comma list of whole numbers, empty if the attribute is missing."""
        text = self.attributes.get(attribute, "")
        return [int(part) for part in text.split(",")] if text else []

    def put(self, attribute: str, numbers: Iterable[int]) -> None:
        """Write a comma list."""
        self.attributes[attribute] = ",".join(map(str, numbers))

    def add(self, attribute: str, place: int, change: int) -> None:
        """Add to one number of a comma list."""
        numbers = self.numbers(attribute)
        numbers[place] += change
        self.put(attribute, numbers)

    @property
    def seat(self) -> int:
        """The seat in ``who``."""
        return int(self.attributes["who"])

    @property
    def move(self) -> Move | None:
        """The draw or discard that this tag is."""
        found = _MOVE.fullmatch(self.name)
        if not found:
            return None
        letter, tile = found.groups()
        return Move((DRAWS + DISCARDS).index(letter) % 4, int(tile), letter in DRAWS)

    @property
    def is_call(self) -> bool:
        """Whether this is a call or kan."""
        return self.name == "N"

    @property
    def is_result(self) -> bool:
        """Whether this ends a round."""
        return self.name in ("AGARI", "RYUUKYOKU")

    @property
    def passes(self) -> bool:
        """Whether this tag does not interrupt play."""
        return self.name in ("DORA", "BYE", "UN") or (self.name == "REACH" and self.attributes["step"] == "2")


def discard_tag(seat: int, tile: int, like: Tag) -> Tag:
    """Write a discard with the layout of another tag."""
    return Tag(f"{DISCARDS[seat]}{tile}", close=like.close, gap=like.gap)


def draw_tag(seat: int, tile: int, like: Tag) -> Tag:
    """Write a draw with the layout of another tag."""
    return Tag(f"{DRAWS[seat]}{tile}", close=like.close, gap=like.gap)


@dataclass(frozen=True)
class Meld:
    """A decoded meld code: its shape, all its tiles, and the one called or added (None in an ankan or kita)."""

    shape: str
    tiles: frozenset[int]
    taken: int | None

    @property
    def from_hand(self) -> frozenset[int]:
        """The tiles that leave the caller's hand."""
        if self.shape == "kakan":
            return frozenset({self.taken}) if self.taken is not None else frozenset()
        return self.tiles - {self.taken}


def meld(code: int) -> Meld:
    """Decode a meld code (section 5)."""
    if code & 4:
        shape, place = divmod(code >> 10, 3)
        first = shape // 7 * 9 + shape % 7
        chi = [4 * (first + i) + (code >> (3 + 2 * i) & 3) for i in range(3)]
        return Meld("chi", frozenset(chi), chi[place])
    if code & 24:
        kind, place = divmod(code >> 9, 3)
        spare = 4 * kind + (code >> 5 & 3)
        pon = [tile for tile in copies(kind) if tile != spare]
        return Meld("pon", frozenset(pon), pon[place]) if code & 8 else Meld("kakan", frozenset([*pon, spare]), spare)
    tile = code >> 8
    if code & KITA:
        return Meld("kita", frozenset({tile}), None)
    return Meld("daiminkan" if code & 3 else "ankan", frozenset(copies(tile // 4)), tile if code & 3 else None)


def copies(kind: int) -> range:
    """Return the four physical tiles of a kind."""
    return range(4 * kind, 4 * kind + 4)


@dataclass(frozen=True)
class Discard:
    """A discard in its round: place in the game's tags, seat, tile, and the hand before it."""

    index: int
    seat: int
    tile: int
    hand: frozenset[int]


@dataclass
class Game:
    """A log. ``raw``, if set, are the bytes of a file that is no longer text with tags. ``name`` is its file name.

    ``table`` is what the clean log's table has.
    """

    head: str
    tags: list[Tag]
    raw: bytes | None = None
    name: str = ""
    table: Table = FOUR

    @classmethod
    def parse(cls, text: str, name: str = "") -> Game:
        """Split a log into tags; the text before the root is kept."""
        start = text.index(_ROOT)
        game = cls(text[:start], _tags(text[start:]), name=name)
        kinds = [int(tag.attributes["type"]) for tag in game.tags if tag.name == "GO"]
        return replace(game, table=table_of(*kinds[:1])) if kinds else game

    def copy(self) -> Game:
        """Return a copy to change."""
        tags = [Tag(tag.name, dict(tag.attributes), tag.close, tag.gap) for tag in self.tags]
        return Game(self.head, tags, self.raw, self.name, self.table)

    @property
    def year(self) -> int:
        """The year in the file name, 0 if there is none."""
        found = re.match(r"(20\d\d)\d{6}gm-", self.name)
        return int(found[1]) if found else 0

    def __str__(self) -> str:
        """Write the log."""
        return self.head + "".join(map(str, self.tags))

    def encode(self) -> bytes:
        """Return the bytes of the file."""
        return str(self).encode() if self.raw is None else self.raw

    @property
    def rounds(self) -> list[Round]:
        """The rounds, as views; invalid after tags are added or removed."""
        starts = [index for index, tag in enumerate(self.tags) if tag.name == "INIT"]
        end = next((index for index, tag in enumerate(self.tags) if tag.name == "/mjloggm"), len(self.tags))
        return [
            Round(self, nth, start, stop)
            for nth, (start, stop) in enumerate(zip(starts, [*starts[1:], end], strict=True))
        ]

    def first(self, name: str) -> Tag:
        """Return the first tag of a name."""
        return next(tag for tag in self.tags if tag.name == name)


def _tags(text: str) -> list[Tag]:
    return [
        Tag(match["name"], dict(_ATTRIBUTE.findall(match["body"])), match["close"], match["gap"])
        for match in _TAG.finditer(text)
    ]


@dataclass(frozen=True)
class Round:
    """One deal: the tags from ``start`` to ``end`` of a game."""

    game: Game
    nth: int
    start: int
    end: int

    @property
    def init(self) -> Tag:
        """The deal."""
        return self.game.tags[self.start]

    @property
    def tags(self) -> list[Tag]:
        """All tags, the deal first."""
        return self.game.tags[self.start : self.end]

    @property
    def seats(self) -> range:
        """The seats that exist."""
        return self.game.table.seats

    @property
    def unused(self) -> list[int]:
        """The tiles of the set that do not come into play."""
        return sorted(set(self.game.table.tiles) - self.used)

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return int(self.init.attributes["oya"])

    @property
    def results(self) -> list[int]:
        """Places of the results in the game's tags."""
        return [index for index in range(self.start, self.end) if self.game.tags[index].is_result]

    @property
    def result(self) -> Tag:
        """The first result."""
        return self.game.tags[self.results[0]]

    @property
    def wins(self) -> list[int]:
        """Places of the wins in the game's tags."""
        return [index for index in self.results if self.game.tags[index].name == "AGARI"]

    @property
    def used(self) -> set[int]:
        """All tiles dealt, drawn or turned up in this round."""
        tiles = {int(self.init.attributes["seed"].split(",")[5])}
        for tag in self.tags:
            for attribute in ("hai0", "hai1", "hai2", "hai3", "hai", "doraHai", "doraHaiUra"):
                tiles.update(tag.numbers(attribute))
            if tag.move:
                tiles.add(tag.move.tile)
        return tiles

    @property
    def shown(self) -> set[int]:
        """The seats whose hands a result shows."""
        seats = {self.game.tags[index].seat for index in self.wins}
        return seats | {seat for seat in self.seats if f"hai{seat}" in self.result}

    @property
    def melded(self) -> set[int]:
        """The kinds with a pon, kan or kita, whose code names the copies: none of their tiles can be renamed alone."""
        melds = [meld(tag.numbers("m")[0]) for tag in self.tags if tag.is_call]
        return {tile // 4 for made in melds if made.shape != "chi" for tile in made.tiles}

    def walk(self) -> Iterator[tuple[int, Tag, list[frozenset[int]]]]:
        """Yield every tag after the deal with the concealed hands before it."""
        hands = [set(self.init.numbers(f"hai{seat}")) for seat in self.seats]
        for index in range(self.start + 1, self.end):
            tag = self.game.tags[index]
            yield index, tag, [frozenset(hand) for hand in hands]
            move = tag.move
            if move and move.drawn:
                hands[move.seat].add(move.tile)
            elif move:
                hands[move.seat].discard(move.tile)
            elif tag.is_call:
                hands[tag.seat] -= meld(tag.numbers("m")[0]).from_hand

    def after(self, index: int) -> Tag:
        """Return the next tag of play after this place."""
        return next(tag for tag in self.game.tags[index + 1 : self.end] if not tag.passes)

    def before(self, index: int) -> Tag:
        """Return the last tag of play before this place."""
        return next(tag for tag in self.game.tags[index - 1 : self.start - 1 : -1] if not tag.passes)

    def discards(self) -> list[Discard]:
        """Return the discards that nobody takes, after a draw, by a seat not in riichi."""
        riichi: set[int] = set()
        found = []
        for index, tag, hands in self.walk():
            if tag.name == "REACH":
                riichi.add(tag.seat)
            move = tag.move
            if move is None or move.drawn or move.seat in riichi:
                continue
            before, after = self.before(index).move, self.after(index)
            if before and before.drawn and after.move:
                found.append(Discard(index, move.seat, move.tile, hands[move.seat]))
        return found

    def rename(self, names: Mapping[int, int]) -> None:
        """Give tiles other ids in the whole round."""
        text = "".join(map(str, self.tags))
        table = [names.get(tile, tile) for tile in range(136)]
        self.game.tags[self.start : self.end] = _tags(cut("", text).rename(table))


def swapped(tiles: Iterable[int], old: int, new: int) -> list[int]:
    """Return the tiles, sorted, with one replaced."""
    return sorted([*(tile for tile in tiles if tile != old), new])


def is_complete(tiles: Iterable[int]) -> bool:
    """Say whether concealed tiles, without melds, are sets and a pair, seven pairs, or thirteen orphans."""
    counts = [0] * 34
    for tile in tiles:
        counts[tile // 4] += 1
    seven_pairs = counts.count(2) == 7
    orphans = [counts[kind] for kind in range(34) if kind >= 27 or kind % 9 in (0, 8)]
    if seven_pairs or (sum(orphans) == 14 and min(orphans)):
        return True
    return any(_is_sets(_less(counts, {kind: 2})) for kind in range(34) if counts[kind] >= 2)


def _is_sets(counts: list[int]) -> bool:
    kind = next((kind for kind in range(34) if counts[kind]), None)
    if kind is None:
        return True
    if counts[kind] >= 3 and _is_sets(_less(counts, {kind: 3})):
        return True
    runs = kind < 27 and kind % 9 < 7 and counts[kind + 1] and counts[kind + 2]
    return bool(runs) and _is_sets(_less(counts, {kind: 1, kind + 1: 1, kind + 2: 1}))


def _less(counts: list[int], gone: dict[int, int]) -> list[int]:
    return [count - gone.get(kind, 0) for kind, count in enumerate(counts)]
