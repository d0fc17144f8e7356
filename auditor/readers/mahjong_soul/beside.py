"""What records state beside the play, written again: waits, furiten, tiles left, sticks, offers (FORMAT.md 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from auditor.log.columns import OFFERS
from auditor.log.tile_ids import BY_LETTERS, KIND, PHYSICAL
from engine.tiles import kinds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from auditor.readers.written.game import Event, Game, Row

    Content = dict[str, Any]

LETTERS = {tile_id - PHYSICAL: letters for letters, tile_id in BY_LETTERS.items()}
"""The two letters of each of the engine's 37 tiles."""
_FIVES = {4: "0m", 13: "0p", 22: "0s"}
_TILES = {"discard": 1, "riichi": 1, "pon": 2, "ankan": 4, "daiminkan": 3, "kakan": 4}
"""How many equal tiles a choice of an offer has; that of a chi has two that differ."""


class Beside:
    """What a log states beside the play of a game."""

    def __init__(self, game: Game) -> None:
        self._hints, self._offers, self._players = game.hints, game.offers, game.players

    def _rows(self, number: int | None, column: str) -> Iterator[Row]:
        """Yield the rows of hints of an event that have a column."""
        return (row for row in self._hints.get(-1 if number is None else number, ()) if row[column] is not None)

    def _of_seat(self, number: int | None, seat: int | None, column: str) -> Any:  # noqa: ANN401 - number or mask
        return next((row[column] for row in self._rows(number, column) if row["seat"] == seat), None)

    def left(self, number: int | None, counted: int) -> int | None:
        """Return how many tiles are left: as the log states it; logs of other formats never do, and it is counted."""
        return next((row["left"] for row in self._rows(number, "left")), None) if self._hints else counted

    def waits(self, number: int | None, seat: int | None) -> list[Content]:
        """Return the waits that a seat is shown."""
        return [{"tile": LETTERS[kind]} for kind in _kinds(self._of_seat(number, seat, "waits") or 0)]

    def furiten(self, event: Event) -> Content:
        """Return the marks of furiten at an event."""
        mask = next((row["furiten"] for row in self._rows(event.number, "furiten")), None)
        return {} if mask is None else {"zhenting": [bool(mask >> seat & 1) for seat in range(self._players)]}

    def paid(self, number: int | None, seat: int, counted: Content) -> Content:
        """Return a stick that is paid, with the score after it and the sticks on the table, as ``left`` does."""
        if not self._hints:
            return counted
        score, sticks = (self._of_seat(number, seat, name) for name in ("points", "sticks"))
        return {"seat": seat, "score": score, "liqibang": sticks}

    def of_win(self, number: int | None, seat: int, column: str, counted: Any) -> Any:  # noqa: ANN401 - any column
        """Return what a win repeats; ``counted`` stands for it in logs of other formats, which never state it."""
        return self._of_seat(number, seat, column) if self._hints else counted

    def offered(self, number: int | None, seat: int | None, event: Event | None, *, own: bool) -> Content:
        """Return what players may do after a record: the one who acts and goes on (``own``), or the others."""
        rows = self._offers.get(-1 if number is None else number, [])
        asked = next((row["asked"] for row in self._rows(number, "asked")), 0)
        if own:
            stated = asked >> (seat or 0) & 1
            return {"operation": self._list(seat or 0, rows, event)} if stated else {}
        seats = sorted({row["seat"] for row in rows})
        return {"operations": [self._list(each, rows, event) for each in seats]} if seats else {}

    @staticmethod
    def _list(seat: int, rows: list[Row], event: Event | None) -> Content:
        listed = []
        for row in rows:
            if row["seat"] == seat:
                choices = [
                    _choice(OFFERS[row["kind"]], kind, event, red=red)
                    for name, red in (("kinds", False), ("reds", True))
                    for kind in _kinds(row[name])
                ]
                listed.append({"type": row["kind"] + 1, **({"combination": choices} if choices else {})})
        return {**({"seat": seat} if seat else {}), **({"operation_list": listed} if listed else {})}


def _kinds(mask: int) -> Iterator[int]:
    """Yield the kinds of a mask."""
    return (kind for kind in range(kinds.KINDS) if mask >> kind & 1)


def _choice(offer: str, kind: int, event: Event | None, *, red: bool) -> str:
    """Return the tiles of a choice whose lowest kind is ``kind``; ``red`` if one of them is a red five."""
    found = [kind] * _TILES.get(offer, 1)
    if offer == "chi":
        called = int(KIND[event.tile]) if event is not None and event.tile is not None else kind - 1
        found = [kind, kind + 2 if called == kind + 1 else kind + 1]
    letters = [LETTERS[each] for each in found]
    if red:
        at = next((at for at, each in enumerate(found) if each in _FIVES), None)
        if at is not None:
            letters[at] = _FIVES[found[at]]
    return "|".join(letters)
