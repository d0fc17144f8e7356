"""電脳麻将's notation as engine input, and tiles and reasons by name."""

from __future__ import annotations

from engine.legality.reasons import reasons
from engine.tiles.kinds import KIND, TILE_NAMES


def from_majiang(text: str, ron: str | None = None) -> tuple[str, int]:
    """Turn 電脳麻将 notation (suit letter first, melds after commas) into that of `parse_hand`.

    Returns the text and the kind of the winning tile: `ron`, or the last concealed tile.
    """
    concealed, *melds = text.split(",")
    tiles = majiang_tiles(concealed)
    if ron:
        tiles.append(ron[:2])
    words = ["".join(digit + suit for suit, digit in tiles)]
    words += [meld[1:] + meld[0] for meld in melds if meld]
    return ",".join(words), kind_of(tiles[-1])


def majiang_tiles(text: str) -> list[str]:
    """Split "m12p0" into "m1", "m2", "p0"."""
    tiles, suit = [], ""
    for char in text:
        if char.isalpha():
            suit = char
        elif char.isdigit():
            tiles.append(suit + char)
    return tiles


def kind_of(tile: str) -> int:
    """Give the kind of "m0", "p3", "z7"."""
    return "mpsz".index(tile[0]) * 9 + (int(tile[1]) or 5) - 1


def tile(name: str) -> int:
    """Give the number of "5m", "0s" or "3z"."""
    return 26 + int(name[0]) if name[1] == "z" else TILE_NAMES.index(name)


def kind(name: str) -> int:
    """Give the kind of "5m", "0s" or "3z"."""
    return int(KIND[tile(name)])


def named(bits) -> list[tuple[str, ...]]:
    """Name the reasons of each value."""
    return [reasons(value) for value in bits.tolist()]
