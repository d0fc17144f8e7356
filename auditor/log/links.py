"""Addresses at which platforms replay games: the one place that states them.

Readers fill ``games.link`` by :func:`game_link`, where a log says which game of which platform it is. Whoever prints a
finding gets the address at its round from :func:`round_link`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

TENHOU, MAHJONG_SOUL = "tenhou", "mahjong_soul"


@dataclass(frozen=True)
class Viewer:
    """Where a platform replays its games.

    Parameters
    ----------
    address
        the address up to the id of the game
    ids
        what ids look like; a text of another form is no id, and gets no link
    seat
        how the seat is stated from which the game is seen; None if the address does not state it
    round
        how the round is stated at which the replay begins, counted from 0; None if the platform cannot

    """

    address: str
    ids: re.Pattern[str]
    seat: str | None = None
    round: str | None = None


VIEWERS = {
    TENHOU: Viewer(
        "https://tenhou.net/0/?log=",
        re.compile(r"20\d{8}gm-[0-9a-f]{4}-\d{4,5}-(?:[0-9a-f]{8}|x[0-9a-f]{12})", re.ASCII),
        "&tw={}",
        "&ts={}",
    ),
    # Players of all regions share the games; each region's client opens them. This is the oldest of its addresses.
    MAHJONG_SOUL: Viewer(
        "https://game.maj-soul.com/1/?paipu=",
        re.compile(r"\d{6}-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII),
    ),
}
"""The platforms whose games have an address, by their names in ``games.platform``."""


def game_link(platform: str, log_id: str | None, seat: int = 0) -> str | None:
    """Return the address where a platform replays a game; None if the id is none, or the platform has no addresses.

    ``seat`` is where the viewer sits, where an address states that.
    """
    viewer = VIEWERS.get(platform)
    if viewer is None or log_id is None or not viewer.ids.fullmatch(log_id):
        return None
    return viewer.address + log_id + (viewer.seat.format(seat) if viewer.seat else "")


def log_id(link: str | None, platform: str) -> str | None:
    """Return the id of a platform's game in a link to it; None for any other link."""
    viewer = VIEWERS[platform]
    found = viewer.ids.match(link, len(viewer.address)) if link and link.startswith(viewer.address) else None
    return found[0] if found else None


def round_link(link: str | None, round_: int | None, seat: int | None = None) -> str | None:
    """Return the address of a game at a round, if the platform has that; else the address of the game.

    Parameters
    ----------
    link
        a value of ``games.link``; None gives None
    round_
        the round, counted from 0 in the platform's own log: ``rounds.round``, unless the file has only a part of the
        game. None: the game as a whole
    seat
        the seat to see it from; None: that of the link

    """
    viewer = next((each for each in VIEWERS.values() if link is not None and link.startswith(each.address)), None)
    if link is None or viewer is None or viewer.round is None or round_ is None:
        return link
    if seat is not None and viewer.seat is not None:
        link = link.removesuffix(link[viewer.ids.match(link, len(viewer.address)).end() :])  # type: ignore[union-attr]
        link += viewer.seat.format(seat)
    return link + viewer.round.format(round_)
