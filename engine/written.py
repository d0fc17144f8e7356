"""Hands in writing: two notations, read tile by tile, with errors that point at the character.

*Suit last*: ``123m0p55z 4-56m``, as tenhou.net/2 and most programs write. *Suit first*: ``m123p0z55,m4-56``, as
電脳麻将 does. In both, 0 is a red five, honours 1 to 7 are East South West North white green red, and ``-``
(left), ``=`` (across) or ``+`` (right) after a tile of a meld says that this seat gave it. A word's first
character tells which it is, so that one text may even mix them.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from engine.melds import ANKAN, CHI, DAIMINKAN, KAKAN, LEFT, PON, SEAT_MARKS, SELF, Meld
from engine.tiles import KIND, KINDS, RUN_STARTS, SUIT_LETTERS, SUIT_START, SUITS, kinds_in, tile_name

if TYPE_CHECKING:
    from collections.abc import Sequence

_SEATS = {mark: seat for seat, mark in enumerate(SEAT_MARKS) if mark}
_RUN_KINDS = frozenset(kinds_in(RUN_STARTS))


class Written(NamedTuple):
    """A hand as it was written: concealed tiles (0 to 36) and melds, both in that order."""

    tiles: tuple[int, ...]
    melds: tuple[Meld, ...]


class _Place(NamedTuple):
    """A digit and later its tile, where it stands in the text, and the seat mark after it (or "")."""

    place: int
    digit: str
    mark: str = ""
    tile: int = -1


def read_hand(text: str) -> Written:
    """Read one hand: a word of concealed tiles, then a word for each meld, parted by spaces or commas.

    ``4-56m`` or ``m4-56`` is a chi, ``555=z`` a pon, ``1111+m`` a daiminkan, ``111+1m`` (the tile after the mark
    was added) a kakan, ``1111m`` an ankan. A pon without a mark has an unknown feeder.

    Raises
    ------
    ValueError
        If the text is no hand; the message shows the character.
    """
    words = _words(text)
    concealed = _tiles(text, *words[0]) if words else []
    melds = [_tiles(text, *word, marks=True) for word in words[1:]]
    if len(melds) > 4:
        raise _error(text, words[5][0], "a hand has at most four melds")
    _refuse_fifth(text, concealed + [tile for meld in melds for tile in meld])
    return Written(tuple(entry.tile for entry in concealed), tuple(_meld(text, meld) for meld in melds))


def read_tile(text: str) -> tuple[int, int]:
    """Read one tile with the seat it came from: ``s8=``, ``8=s``, ``8s=`` or ``8s`` to (tile, relative seat).

    Raises
    ------
    ValueError
        If the text is not one tile.
    """
    mark = text[-1:] if text[-1:] in _SEATS and text[-2:-1] in SUIT_LETTERS else ""
    tiles = _tiles(text, 0, text.removesuffix(mark), marks=True)
    if len(tiles) != 1 or (mark and tiles[0].mark):
        raise _error(text, 0, "expected one tile")
    return tiles[0].tile, _SEATS.get(mark or tiles[0].mark, SELF)


def _words(text: str) -> list[tuple[int, str]]:
    """Split into words, each with its place in the text."""
    words = []
    start = 0
    for word in text.replace(",", " ").split(" "):
        if word:
            words.append((start, word))
        start += len(word) + 1
    return words


def _tiles(text: str, start: int, word: str, *, marks: bool = False) -> list[_Place]:
    """Read the tiles of one word; `marks` allows seat marks."""
    suit_first = word[:1] in SUIT_LETTERS
    tiles: list[_Place] = []
    suit, digits = "", list[_Place]()
    for place, char in enumerate(word, start):
        if marks and char in _SEATS and digits and not digits[-1].mark:
            digits[-1] = digits[-1]._replace(mark=char)
        elif char.isascii() and char.isdigit():
            digits.append(_Place(place, char))
        elif char in SUIT_LETTERS and (digits or (suit_first and place == start)):
            tiles += [_with_tile(text, digit, suit if suit_first else char) for digit in digits]
            suit, digits = char, []
        else:
            raise _error(text, place, _expected(char, suit_first=suit_first, marks=marks))
    if suit_first != bool(digits):
        raise _error(text, start + max(len(word) - 1, 0), _NO_DIGIT if suit_first else _NO_SUIT)
    return tiles + [_with_tile(text, digit, suit) for digit in digits]


_NO_SUIT = "digits without a suit: add one of m p s z"
_NO_DIGIT = "expected digits 0-9 after the suit"


def _expected(char: str, *, suit_first: bool, marks: bool) -> str:
    if char in _SEATS and not marks:
        return "expected digits 0-9 and suits only: a mark - = + belongs to a meld"
    if suit_first and char in SUIT_LETTERS:
        return _NO_DIGIT
    return "expected digits 0-9, then one of m p s z" if not suit_first else "expected one of m p s z, then digits 0-9"


def _with_tile(text: str, digit: _Place, letter: str) -> _Place:
    suit, number = SUIT_LETTERS.index(letter), int(digit.digit)
    if suit == SUITS - 1 and not 1 <= number <= 7:
        raise _error(text, digit.place, f"honours are 1z to 7z, not {number}z")
    return digit._replace(tile=KINDS + suit if number == 0 else SUIT_START[suit] + number - 1)


def _refuse_fifth(text: str, tiles: Sequence[_Place]) -> None:
    seen: Counter[int] = Counter()
    for entry in tiles:
        kind = int(KIND[entry.tile])
        seen[kind] += 1
        if seen[kind] > 4:
            raise _error(text, entry.place, f"a fifth {tile_name(kind)}")


def _meld(text: str, entries: Sequence[_Place]) -> Meld:
    tiles = tuple(entry.tile for entry in entries)
    marked = [place for place, entry in enumerate(entries) if entry.mark]
    if len(marked) > 1:
        raise _error(text, entries[marked[1]].place, "a meld takes one tile: more than one is marked")
    called = marked[0] if marked else -1
    feeder = _SEATS[entries[called].mark] if marked else SELF
    kinds = sorted(int(KIND[tile]) for tile in tiles)
    lowest = kinds[0]
    if kinds == [lowest, lowest + 1, lowest + 2] and lowest in _RUN_KINDS:
        return Meld(CHI, tiles, feeder or LEFT, called)
    if kinds == [lowest] * 3:
        return Meld(PON, tiles, feeder, called)
    if kinds == [lowest] * 4:
        return Meld(ANKAN if not marked else KAKAN if called == 2 else DAIMINKAN, tiles, feeder, called)
    raise _error(text, entries[0].place, "a meld is a run, three or four equal tiles")


def _error(text: str, place: int, reason: str) -> ValueError:
    return ValueError(f"{reason}\n  {text}\n  {' ' * place}^ character {place + 1}")
