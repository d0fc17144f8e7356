"""The grammar of written tiles, and the tokenizer that reads a whole column of texts at once.

A *tile* is written in one of these ways:

- As a digit with its suit. The suit is last, ``123m406p55z``, as tenhou.net/2 and most programs write it, or first,
  ``m123p406z55``, as 電脳麻将 writes it. The first character of a group of digits and suits decides which. 0 is a red
  five; so is ``5mr`` (mjai). Honours 1 to 7 are East, South, West, North, white, green, red.
- As a letter: ``E S W N`` for the winds, ``P F C`` for white, green and red.
- As a picture of Unicode, U+1F000 to U+1F021. A variation selector may follow it.

A text is read in one of three modes:

- A *hand* begins with the concealed tiles. Each comma begins a meld. Spaces and tabs only separate groups of tiles:
  the hand ``88m 234m 567p`` has no meld. A comma at the very end means nothing; 電脳麻将 writes one. A mark after a
  tile of a meld names the seat that gave the tile: ``-`` left, ``=`` across, ``+`` right, as in ``4-56m``, ``m4-56``,
  ``555z=``, ``EEE=``. ``*`` after the concealed tiles means that the hand is in riichi.
- A *list* holds tiles; commas separate them like spaces.
- A *single* is one tile, with or without a mark.

Only ``0`` to ``9`` are digits. Full-width digits, and all characters that are not named here, are faults.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from engine.tiles.faults import (
    EMPTY_SUIT,
    EXPECTED_TILES,
    LOOSE_MARK,
    MARKED_CONCEALED,
    NO_DIGIT,
    NO_HONOUR,
    NO_SUIT,
    NOT_RED,
    STAR,
    TWICE_MARKED,
)
from engine.tiles.kinds import KINDS, SUIT_LETTERS, SUIT_START, SUITS
from engine.tiles.melds import SEAT_MARKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.tiles.arrays import U8, Bools, Ints
    from engine.tiles.faults import Fault

Mode = Literal["hand", "list", "single"]

_DIGIT, _SUIT, _MARK, _RED, _LETTER, _PICTURE, _SELECTOR, _SPACE, _COMMA, _STAR, _OTHER, _END = range(12)
_LETTERS = "ESWNPFC"
_FIRST_PICTURE = 0x1F000
_PICTURES: U8 = np.array([*range(27, 31), 33, 32, 31, *range(9), *range(18, 27), *range(9, 18)], dtype=np.uint8)
"""The kinds of the pictures in the order of Unicode: winds, red, green, white, manzu, souzu, pinzu."""


class Tokens(NamedTuple):
    """The k tiles of a column of texts, in their order; an integer array [k] for each field.

    Attributes
    ----------
    row
        Row of the text.
    part
        Number of commas before the tile: 0 is a concealed tile, 1 the first meld.
    place
        Place of the tile's digit, letter or picture in the text, from 0.
    tile
        0 to 36.
    seat
        Relative seat that the tile's mark names, 0 without a mark.
    mark
        Place of the mark in the text, 0 without a mark.
    """

    row: Ints
    part: Ints
    place: Ints
    tile: Ints
    seat: Ints
    mark: Ints


class TokenizedTexts(NamedTuple):
    """The tiles of n texts, the texts that have a ``*``, and the faults of their characters.

    Attributes
    ----------
    tokens
        The tiles of all texts. Those of a text with a fault may be among them.
    star
        Whether a ``*`` follows the concealed tiles; bool [n].
    faults
        All faults found so far.
    """

    tokens: Tokens
    star: Bools
    faults: list[Fault]


def _class_table() -> U8:
    """Tabulate the class of every character up to the last picture, and one entry for all characters above."""
    table = np.full(_FIRST_PICTURE + len(_PICTURES) + 1, _OTHER, dtype=np.uint8)
    table[_FIRST_PICTURE:-1] = _PICTURE
    for chars, name in (
        ("0123456789", _DIGIT), (SUIT_LETTERS, _SUIT), ("".join(SEAT_MARKS), _MARK), ("r", _RED), (_LETTERS, _LETTER),
        (" \t\u00a0\u3000", _SPACE), (",", _COMMA), ("*", _STAR), ("\ufe0e\ufe0f", _SELECTOR),
    ):  # fmt: skip
        table[[ord(char) for char in chars]] = name
    return table


_CLASS = _class_table()


def _among(*names: int) -> Bools:
    """Make a table of flags by class, true for the classes named. Looking up costs a fraction of ``np.isin``."""
    return np.isin(np.arange(_END + 1), names)


def _by_char(chars: Sequence[str], first: int) -> Ints:
    """Make a table by character: those given count up from `first`, all others are 0."""
    table = np.zeros(_ASCII + 1, dtype=np.int64)
    table[[ord(char) for char in chars]] = range(first, first + len(chars))
    return table


_ASCII = 127
_SUIT_OF, _LETTER_OF = _by_char(SUIT_LETTERS, 0), _by_char(_LETTERS, SUIT_START[-1])
_SEAT_OF = _by_char(SEAT_MARKS[1:], 1)
_TEXTS = 4096
"""Texts in a chunk, so few that their arrays stay in the processor's cache."""

_UNREAD = _among(_OTHER, _SELECTOR)
_TAKES_MARK = _among(_DIGIT, _LETTER, _PICTURE, _RED)
_BEHIND_SUIT = _among(_SUIT, _RED)
_IN_RUN_NO_DIGIT = _among(_SUIT, _MARK, _RED)


class _Chars(NamedTuple):
    """The characters of all texts one after another, each text followed by an end; an array [c] for each field."""

    code: Ints
    row: Ints
    place: Ints
    cls: U8


def _chars(texts: Sequence[str], mode: Mode) -> _Chars:
    code = np.frombuffer("\0".join([*texts, ""]).encode("utf-32-le", "surrogatepass"), dtype="<u4")
    length = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)) + 1
    row = np.repeat(np.arange(len(texts)), length)
    end = np.cumsum(length) - 1
    cls = _CLASS[np.minimum(code, len(_CLASS) - 1)]
    cls[end] = _END
    place = np.arange(len(code)) - (end - length + 1)[row]
    if mode == "list":
        cls[cls == _COMMA] = _SPACE
    elif mode == "single":
        cls[(cls == _COMMA) | (cls == _STAR)] = _OTHER
    if mode == "list":
        cls[cls == _STAR] = _OTHER
    picture = np.append(False, cls[:-1] == _PICTURE)
    kept = ~((cls == _SELECTOR) & picture)
    return _Chars(*(column[kept] for column in (code, row, place, cls)))


def tokenize(texts: Sequence[str], mode: Mode) -> TokenizedTexts:
    """Read the tiles of texts.

    Parameters
    ----------
    texts
        n texts.
    mode
        What the texts are: ``"hand"``, ``"list"`` or ``"single"``.

    Returns
    -------
    TokenizedTexts
        Look at the faults first: tiles of faulty texts may be among the tokens.
    """
    none = np.zeros(0, dtype=np.int64)
    found = [TokenizedTexts(Tokens(*[none] * 6), none.astype(np.bool_), [])]
    for start in range(0, len(texts), _TEXTS):
        part = _tokenize(texts[start : start + _TEXTS], mode)
        faults = [(row + start, place, reason) for row, place, reason in part.faults]
        found.append(TokenizedTexts(part.tokens._replace(row=part.tokens.row + start), part.star, faults))
    return TokenizedTexts(
        Tokens(*map(np.concatenate, zip(*(part.tokens for part in found), strict=True))),
        np.concatenate([part.star for part in found]),
        [fault for part in found for fault in part.faults],
    )


def _tokenize(texts: Sequence[str], mode: Mode) -> TokenizedTexts:
    """Read the tiles of one chunk of texts, of at least one text."""
    chars = _chars(texts, mode)
    cls, part = chars.cls, _parts(chars)
    groups = _groups(chars)
    tile = _tiles(chars, groups)
    marks = _marks(chars, groups)
    star, loose_star = _stars(cls, part)
    faults = [
        (_UNREAD[cls], EXPECTED_TILES),
        *groups.faults,
        ((cls == _DIGIT) & groups.owned & (tile < 0), NO_HONOUR),
        ((cls == _MARK) & (part == 0) & (mode != "single"), MARKED_CONCEALED),
        *marks.faults,
        (loose_star, STAR),
    ]
    is_tile = ((cls == _DIGIT) & groups.owned & (tile >= 0)) | (cls == _LETTER) | (cls == _PICTURE)
    columns = (chars.row, part, chars.place, tile, marks.seat, marks.place)
    return TokenizedTexts(
        tokens=Tokens(*(column[is_tile] for column in columns)),
        star=np.bincount(chars.row[star], minlength=len(texts)) > 0,
        faults=[(chars.row[wrong], chars.place[wrong], reason) for wrong, reason in faults if wrong.any()],
    )


class _Groups(NamedTuple):
    """The suit of each digit; an array [c], one entry for each character, in every field.

    Attributes
    ----------
    owner
        Index of the character that is the suit of a digit.
    owned
        Whether the digit has a suit.
    red
        Whether the digit is a five made red by ``r``.
    last_digit
        Index of the last digit up to this character.
    suit_first
        Whether the run of digits, suits and marks begins with a suit.
    faults
        Flags by character, with the reason.
    """

    owner: Ints
    owned: Bools
    red: Bools
    last_digit: Ints
    suit_first: Bools
    faults: list[tuple[Bools, int]]


def _groups(chars: _Chars) -> _Groups:
    cls, code, index = chars.cls, chars.code, np.arange(len(chars.cls))
    digit, suit, red = cls == _DIGIT, cls == _SUIT, cls == _RED
    after = np.append(cls[1:], np.uint8(_END))
    run, suit_first = _runs(cls)
    owner, owned = _suits_of(cls, run, suit_first)
    digits_of = np.bincount(owner[digit & owned], minlength=len(cls))
    last_digit = np.maximum.accumulate(np.where(digit, index, 0))
    reddens = red & (cls[index - 1] == _SUIT) & ~suit_first & (code[last_digit] == ord("5")) & (last_digit == index - 2)
    reddens &= (digits_of[index - 1] == 1) & (code[index - 1] != ord("z"))
    red_five = np.zeros(len(cls), dtype=np.bool_)
    red_five[index[reddens] - 2] = True
    # The fault is reported at the last digit, unless the character after the digits is itself a fault.
    stops = np.minimum.accumulate(np.where(cls > _RED, index, len(cls))[::-1])[::-1]
    unowned = digit & ~owned & ~_UNREAD[cls[stops]] & (last_digit[stops - 1] == index)
    no_digit = suit & suit_first & (after != _DIGIT)
    in_run = _IN_RUN_NO_DIGIT[after]
    faults = [
        (unowned, NO_SUIT),
        (no_digit & ~in_run, NO_DIGIT),
        (np.append(False, (no_digit & in_run)[:-1]), NO_DIGIT),
        (suit & ~suit_first & (digits_of == 0), EMPTY_SUIT),
        (red & ~reddens, NOT_RED),
    ]
    return _Groups(owner, owned, red_five, last_digit, suit_first, faults)


class _Marks(NamedTuple):
    """The seat that each tile's mark names and the mark's place, by the tile's character; [c], 0 without a mark."""

    seat: Ints
    place: Ints
    faults: list[tuple[Bools, int]]


def _marks(chars: _Chars, groups: _Groups) -> _Marks:
    cls, index = chars.cls, np.arange(len(chars.cls))
    mark, before = cls == _MARK, np.append(np.uint8(_END), cls[:-1])
    of_tile = mark & (_TAKES_MARK[before] | ((before == _SUIT) & ~groups.suit_first))
    tile = np.where(_BEHIND_SUIT[before], groups.last_digit, index - 1)
    # The last digit may belong to another text.
    of_tile &= chars.row[tile] == chars.row
    tile = tile[of_tile]
    seat, place = np.zeros((2, len(cls)), dtype=np.int64)
    seat[tile], place[tile] = _SEAT_OF[chars.code[of_tile]], chars.place[of_tile]
    repeated = np.zeros(len(cls), dtype=np.bool_)
    repeated[index[of_tile][1:]] = tile[1:] == tile[:-1]
    faults = [
        (mark & ~of_tile & (before != _MARK), LOOSE_MARK),
        (mark & ((before == _MARK) | repeated), TWICE_MARKED),
    ]
    return _Marks(seat, place, faults)


def _runs(cls: U8) -> tuple[Ints, Bools]:
    """Find the runs of digits, suits, marks and ``r``: the number of each, and whether it begins with a suit; [c]."""
    inside = cls <= _RED
    run = np.cumsum(inside & ~np.append(False, inside[:-1]))
    core = np.flatnonzero(cls <= _SUIT)
    first = core[np.diff(run[core], prepend=-1) != 0]
    suit_first = np.zeros(run[-1] + 1, dtype=np.bool_)
    suit_first[run[first]] = cls[first] == _SUIT
    return run, suit_first[run] & inside


def _suits_of(cls: U8, run: Ints, suit_first: Bools) -> tuple[Ints, Bools]:
    """Find the suit of each digit, before or after it in its run; the second array is false where it has none."""
    index, suit = np.arange(len(cls)), cls == _SUIT
    earlier = np.maximum.accumulate(np.where(suit, index, -1))
    later = np.minimum.accumulate(np.where(suit, index, len(cls))[::-1])[::-1]
    owner = np.where(suit_first, earlier, later)
    owner = np.where((owner >= 0) & (owner < len(cls)), owner, 0)
    return owner, (cls[owner] == _SUIT) & (run[owner] == run)


def _tiles(chars: _Chars, groups: _Groups) -> Ints:
    """Give the tile at each character that is one, -1 for an honour other than 1 to 7; other entries mean nothing."""
    suit = _SUIT_OF[np.minimum(chars.code[groups.owner], _ASCII)]
    number = chars.code.astype(np.int64) - ord("0")
    tile = np.where((number == 0) | groups.red, KINDS + suit, np.array(SUIT_START)[suit] + number - 1)
    tile[(suit == SUITS - 1) & ((number < 1) | (number > len(_LETTERS)))] = -1
    tile = np.where(chars.cls == _LETTER, _LETTER_OF[np.minimum(chars.code, _ASCII)], tile)
    picture = np.clip(chars.code.astype(np.int64) - _FIRST_PICTURE, 0, len(_PICTURES) - 1)
    return np.where(chars.cls == _PICTURE, _PICTURES.astype(np.int64)[picture], tile)


def _parts(chars: _Chars) -> Ints:
    """Count the commas before each character in its text."""
    commas: Ints = np.cumsum(chars.cls == _COMMA)
    begin = np.flatnonzero(chars.place == 0)
    before: Ints = commas[begin] - (chars.cls[begin] == _COMMA)
    return commas - before[chars.row]


def _stars(cls: U8, part: Ints) -> tuple[Bools, Bools]:
    """Flag the ``*`` that follow the concealed tiles, and those elsewhere; bool [c] each."""
    index = np.arange(len(cls))
    solid = np.minimum.accumulate(np.where(cls != _SPACE, index, len(cls))[::-1])[::-1]
    following = cls[np.append(solid[1:], len(cls) - 1).clip(max=len(cls) - 1)]
    star = cls == _STAR
    right = star & (part == 0) & ((following == _COMMA) | (following == _END))
    return right, star & ~right
