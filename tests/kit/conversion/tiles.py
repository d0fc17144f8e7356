"""Tiles, melds and the fu of yakuman as Tenhou writes them, for the converter of 電脳麻将 games.

Section numbers in brackets refer to the format notes on mjlog: 2 tiles, 5 melds, 7 wins.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Iterator, Sequence

Event = dict[str, Any]
Split = list[tuple[str, int]]

RED_IDS = (16, 52, 88)
KOKUSHI = {0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33}


class RefusedError(ValueError):
    """The game cannot be written as a Tenhou game without changes."""


def require(condition: object, message: str) -> None:
    """Refuse the game with this message unless the condition holds."""
    if not condition:
        raise RefusedError(message)


def face_of(tile: int, *, reds: bool) -> str:
    """Name the tile with this id as 電脳麻将 does: suit letter and digit, 0 for a red five."""
    kind = tile // 4
    if reds and tile in RED_IDS:
        return "mps"[kind // 9] + "0"
    return "mpsz"[kind // 9] + str(kind % 9 + 1)


def faces_of(notation: str) -> list[str]:
    """List the faces in a hand or meld string, ignoring every mark."""
    faces: list[str] = []
    suit = ""
    for char in notation:
        if char in "mpsz":
            suit = char
        elif char.isdigit():
            faces.append(suit + char)
    return faces


def wall_ids(wall: str, *, reds: bool, rng: random.Random) -> list[int]:
    """Give every tile of a wall its own id (section 2); copies of a kind are numbered in random order."""
    stock: dict[str, list[int]] = {}
    for tile in rng.sample(range(136), 136):
        stock.setdefault(face_of(tile, reds=reds), []).append(tile)
    faces = [wall[i : i + 2] for i in range(0, len(wall), 2)]
    require(len(faces) == 136, f"a wall of {len(faces)} tiles")
    return [stock[face].pop() for face in faces]


@dataclass
class Meld:
    """A meld: its own tiles, the claimed tile, its source, and the tile added by a kakan."""

    shape: str
    own: list[int]
    called: int = -1
    rel: int = 0
    added: int = -1

    def code(self) -> int:
        """Pack the meld into Tenhou's 16 bits (section 5)."""
        tiles = sorted([*self.own, *([] if self.called < 0 else [self.called])])
        kind = tiles[0] // 4
        if self.shape == "chi":
            copies = sum((tile % 4) << (3 + 2 * i) for i, tile in enumerate(tiles))
            place = (kind // 9 * 7 + kind % 9) * 3 + tiles.index(self.called)
            return self.rel | 4 | copies | place << 10
        if self.shape == "pon":
            unused = 6 - sum(tile % 4 for tile in tiles)
            bit, spare = (16, self.added % 4) if self.added >= 0 else (8, unused)
            return self.rel | bit | spare << 5 | (kind * 3 + tiles.index(self.called)) << 9
        return (kind * 4 if self.shape == "ankan" else self.called) << 8 | self.rel


# --- fu of a yakuman -------------------------------------------------------------------------------------


def groupings(counts: list[int], start: int = 0) -> Iterator[Split]:
    """Yield every way to divide the counted tiles into triplets and sequences."""
    kind = next((k for k in range(start, 34) if counts[k]), None)
    if kind is None:
        yield []
        return
    run = (kind, kind + 1, kind + 2)
    for name, members in (("triplet", (kind,) * 3), ("sequence", run)):
        legal = counts[kind] >= 3 if name == "triplet" else kind < 27 and kind % 9 < 7
        if legal and all(counts[k] for k in members):
            left = counts.copy()
            for member in members:
                left[member] -= 1
            yield from ([(name, kind), *rest] for rest in groupings(left, kind))


def splits(kinds: Sequence[int]) -> list[Split]:
    """List every division of concealed tiles into one pair and groups."""
    counts = [kinds.count(kind) for kind in range(34)]
    found: list[Split] = []
    for pair in range(34):
        if counts[pair] >= 2:
            left = counts.copy()
            left[pair] -= 2
            found += [[("pair", pair), *rest] for rest in groupings(left)]
    return found


def completes(kinds: Sequence[int]) -> bool:
    """Say whether the concealed tiles form a winning shape (pairs and orphans included)."""
    seven_pairs = len(kinds) == 14 and len(set(kinds)) == 7 and all(kinds.count(k) == 2 for k in kinds)
    orphans = len(kinds) == 14 and set(kinds) == KOKUSHI
    return seven_pairs or orphans or bool(splits(kinds))


def triplet_fu(kind: int, *, concealed: bool, kan: bool) -> int:
    """Give the fu of three or four equal tiles."""
    return 2 * (2 if kind in KOKUSHI else 1) * (2 if concealed else 1) * (4 if kan else 1)


def pair_fu(kind: int, winds: tuple[int, int]) -> int:
    """Give the fu of the pair: two for a dragon and for each wind that it is."""
    return 2 * ((kind >= 31) + winds.count(kind))


def split_fu(split: Split, place: int, win: int, melded: int, *, tsumo: bool, winds: tuple[int, int]) -> int:
    """Give the unrounded fu if the winning tile belongs to the group at this place of the split."""
    name, kind = split[place]
    fu = melded + (2 if tsumo else 0) + pair_fu(split[0][1], winds)
    if name == "pair" or (name == "sequence" and (win - kind == 1 or (win - kind, kind % 9) in ((2, 0), (0, 6)))):
        fu += 2
    return fu + sum(
        triplet_fu(k, concealed=tsumo or i != place, kan=False) for i, (n, k) in enumerate(split) if n == "triplet"
    )


def yakuman_fu(kinds: Sequence[int], win: int, melds: Sequence[Meld], *, tsumo: bool, winds: tuple[int, int]) -> int:
    """Give the fu that Tenhou records beside a yakuman: none for orphans, pinfu if it can be, else the most.

    All 25 yakuman of the real four-player logs at hand agree.
    """
    if set(kinds) == KOKUSHI:
        return 0
    readings = splits(kinds)
    if not readings:
        return 25
    melded = sum(
        triplet_fu(m.own[0] // 4, concealed=m.shape == "ankan", kan=m.shape != "pon" or m.added >= 0)
        for m in melds
        if m.shape != "chi"
    )
    closed = all(m.shape == "ankan" for m in melds)
    base = 30 if closed and not tsumo else 20
    sums = [
        split_fu(split, place, win, melded, tsumo=tsumo, winds=winds)
        for split in readings
        for place, (name, kind) in enumerate(split)
        if (0 <= win - kind <= 2 if name == "sequence" else win == kind)
    ]
    if closed and tsumo and min(sums) == 2:
        return 20
    return -(-(base + max(sums)) // 10) * 10


# --- one round -------------------------------------------------------------------------------------------


def csv_text(values: Iterable[object]) -> str:
    """Join values with commas, as every list in an attribute is."""
    return ",".join(str(value) for value in values)


def hundreds(points: Iterable[int]) -> list[int]:
    """Turn points into the hundreds that Tenhou writes."""
    values = list(points)
    require(all(value % 100 == 0 for value in values), f"points that are no hundreds: {values}")
    return [value // 100 for value in values]
