"""A table as short texts, a text for each row of tiles, so that a page can draw it and keep every step of a round.

A tile is one character (:data:`ALPHABET`); the marks before it say how it lies (:data:`MARKS`). So ``a-bc`` is a 1m, a
2m that is turned, and a 3m. A moment is a mapping from the name of a part to its text:

=========  ============================================================================================
``h0``     what lies before seat 0: hand, a gap, the tile drawn or won; after a bar the norths and melds
``r0``     its river
``s0``     its score; before it ``>`` if the seat acts, and ``!`` if it is in riichi
``dd``     the indicators
``nn``     how many tiles are left to draw
``tt``     how many riichi sticks lie on the table
=========  ============================================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.log.tile_ids import KIND, NONE, ORDER, RED, TILE_IDS
from engine.tiles.kinds import TILE_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.show.hands import Hand
    from auditor.show.moment import Moment, Seat
    from auditor.show.open_tiles import Discard, TableMeld, Tile

ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJK?"
"""The character of each tile: the engine's 34 kinds, the three red fives, and a tile that the log does not tell."""
NAMES = (*TILE_NAMES, "back")
"""The name of each character's tile; ``back`` for the last."""
MOVED, TURNED, CALLED, DRAWN, CLOSED, STACKED = MARKS = "*-^_#="
"""Marks: the event moves it; it lies on its side; somebody called it; it was drawn just before; its face is down; it
lies on the tile before it."""
GAP, BAR = " ", "|"

_UNKNOWN = ALPHABET[-1]
_PLAIN = [*(ALPHABET[KIND[tile_id]] for tile_id in range(TILE_IDS)), _UNKNOWN]
_RED = [ALPHABET[34 + KIND[at] // 9] if at < TILE_IDS and RED[at] else text for at, text in enumerate(_PLAIN)]


def rows_of(moment: Moment) -> dict[str, str]:
    """Return the parts of a moment."""
    letters = letters_for(reds=moment.reds)
    players = len(moment.seats)
    found = {}
    for number, seat in enumerate(moment.seats):
        found[f"h{number}"] = _before(seat, number, players, letters)
        found[f"r{number}"] = "".join(
            discard_of(each, letters, called=each.called_by is not None, moved=each.tile.moved) for each in seat.river
        )
        found[f"s{number}"] = score_of(seat.score, acts=seat.acts, riichi=seat.riichi)
    found["dd"] = "".join(_tile(tile, letters) for tile in moment.indicators)
    found["nn"] = str(moment.left)
    found["tt"] = "?" if moment.sticks is None else str(moment.sticks)
    return found


def letters_for(*, reds: bool) -> list[str]:
    """Return the character of each tile id: if the set has no red fives, the ids 16, 52 and 88 are plain ones."""
    return _RED if reds else _PLAIN


def score_of(score: int | None, *, acts: bool, riichi: bool) -> str:
    """Return the row of a seat's score."""
    text = "?" if score is None else f"{score:,}".replace("-", "\N{MINUS SIGN}")
    return (">" if acts else "") + ("!" if riichi else "") + text


def _tile(tile: Tile, letters: Sequence[str]) -> str:
    return (MOVED if tile.moved else "") + letters[tile.tile_id]


def discard_of(discard: Discard, letters: Sequence[str], *, called: bool, moved: bool) -> str:
    """Return a discard in its river."""
    marks = (TURNED if discard.riichi else "") + (CALLED if called else "") + (DRAWN if discard.tsumogiri else "")
    return marks + (MOVED if moved else "") + letters[discard.tile.tile_id]


def _before(seat: Seat, number: int, players: int, letters: Sequence[str]) -> str:
    aside = aside_of(seat.kita, seat.melds, number, players, letters)
    return _hand(seat.hand, letters) + (BAR + aside if aside else "")


def aside_of(
    kita: Sequence[Tile], melds: Sequence[TableMeld], number: int, players: int, letters: Sequence[str]
) -> str:
    """Return what lies at the right of a seat's hand: its norths set aside and its melds, the last one first."""
    aside = ["".join(_tile(tile, letters) for tile in kita)] if kita else []
    return GAP.join([*aside, *(_meld(meld, number, players, letters) for meld in reversed(melds))])


def _hand(hand: Hand, letters: Sequence[str]) -> str:
    text = "".join(_tile(tile, letters) for tile in hand.tiles)
    text += "" if hand.drawn is None else GAP + _tile(hand.drawn, letters)
    return text + ("" if hand.won is None else f"{GAP}{MOVED}{letters[hand.won]}")


def _meld(meld: TableMeld, seat: int, players: int, letters: Sequence[str]) -> str:
    """Return a meld as it lies: the called tile turned, at the side of the seat that gave it."""
    texts = [_tile(tile, letters) for tile in meld.tiles]
    if meld.kind == "ankan":
        return "".join(CLOSED + text if at in (0, 3) else text for at, text in enumerate(texts))
    if not texts:
        return ""
    if meld.source is None:  # the log does not say who gave it, so no tile is turned
        return "".join(texts[at] for at in sorted(range(len(texts)), key=lambda at: _order(meld.tiles[at].tile_id)))
    called, added = texts[0], ""
    rest = list(range(1, len(meld.tiles)))
    if meld.kind == "kakan":
        added = f"{STACKED}{TURNED}{texts[-1]}" if rest else ""
        rest = rest[:-1]
    rest.sort(key=lambda at: _order(meld.tiles[at].tile_id))
    others = [texts[at] for at in rest]
    step = (meld.source - seat) % players
    place = len(others) if step == 1 else 0 if step == players - 1 else 1
    return "".join([*others[:place], TURNED + called + added, *others[place:]])


def _order(tile_id: int) -> int:
    return TILE_IDS if tile_id >= NONE else int(ORDER[tile_id])
