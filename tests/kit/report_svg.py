"""Tiles read back from a drawn table, by where they lie; knows nothing of how the drawing is made."""

from __future__ import annotations

import re
from dataclasses import dataclass

WIDTH, HEIGHT = 30, 40


@dataclass(frozen=True)
class Box:
    """A tile of a drawing: its name, its edges, and how it looks."""

    name: str
    left: float
    right: float
    bottom: float
    turned: bool
    stacked: bool
    styles: frozenset[str]

    @property
    def row(self):
        """Give the lower edge: tiles of one row share it."""
        return round(self.bottom)

    @property
    def moved(self):
        """Say whether it is framed."""
        return "mv" in self.styles

    @property
    def called(self):
        """Say whether it is pale."""
        return "ca" in self.styles

    @property
    def drawn(self):
        """Say whether it is darker."""
        return "dr" in self.styles

    @property
    def dark(self):
        """Say whether its face is down."""
        return "cl" in self.styles


def boxes(group, *, deep=True):
    """List the tiles in a group of the SVG, in the order of drawing; not ``deep``: only those directly in it."""
    found: list[Box] = []
    for use in group.iter("use") if deep else group.findall("use"):
        moved = re.fullmatch(r"translate\((\S+) (\S+)\) rotate\(-90\)", use.get("transform", ""))
        # Turned by a quarter, a tile reaches from its corner to the right and upwards.
        left = float(moved[1] if moved else use.get("x"))
        bottom = float(moved[2]) if moved else float(use.get("y")) + HEIGHT
        right = left + (HEIGHT if moved else WIDTH)
        stacked = any(before.left == left and before.turned for before in found[-1:])
        styles = frozenset(use.get("class", "").split())
        name = use.get("href").removeprefix("#t")
        found.append(Box(name, left, right, bottom, bool(moved), stacked, styles))
    return found


def groups(group):
    """Give the tiles in a group, apart where there is a gap between them."""
    found: list[list[Box]] = []
    for tile in boxes(group):
        if not found or tile.left - max(each.right for each in found[-1]) > WIDTH / 8:
            found.append([])
        found[-1].append(tile)
    return found
