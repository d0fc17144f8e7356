"""The one grammar in which tiles are written, read for a whole column of texts at once.

A *tile* is a digit with its suit, or a sign of its own:

- suit last, ``123m406p55z``, as tenhou.net/2 and most programs write, or suit first, ``m123p406z55``, as 電脳麻将 does.
  0 is a red five; so is ``5mr`` (mjai). Honours 1 to 7 are East South West North white green red;
- a letter: ``E S W N`` for winds, ``P F C`` for white, green and red;
- a picture of Unicode, U+1F000 to U+1F021 (a variation selector may follow).

In a *hand* the concealed tiles come first. A comma begins a meld, and nothing else does: spaces and tabs only part
groups of tiles, so that ``88m 234m 567p`` is closed. A comma at the very end is allowed, as 電脳麻将 writes it. ``-``
(left), ``=`` (across) or ``+`` (right) behind a tile of a meld says that this seat gave it: ``4-56m`` or ``m4-56``,
``555z=``, ``EEE=``. ``*`` behind the concealed tiles says that the hand is in riichi. In a *list* of tiles commas part
as spaces do. A *single* tile may have a mark and stands alone.

Which notation a group of digits is in, its first character tells. Digits are ``0`` to ``9`` alone: full-width and other
digits are refused, as every other character is.
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
"""Tiles of the pictures in the order of Unicode: winds, red, green, white, characters, bamboos, circles."""


class Tokens(NamedTuple):
    """Tiles as they stand in texts, in their order; [k] each.

    ``row`` is the text, ``part`` the commas before the tile (0 is concealed), ``place`` its character, ``tile`` 0 to
    36, ``seat`` the relative seat of its mark (0 without), ``mark`` the mark's character.
    """

    row: Ints
    part: Ints
    place: Ints
    tile: Ints
    seat: Ints
    mark: Ints


class TokenizedTexts(NamedTuple):
    """Texts read: their tiles, ``star`` [n] for those with a ``*``, and faults of their characters."""

    tokens: Tokens
    star: Bools
    faults: list[Fault]


def _class_table() -> U8:
    """Tabulate the class of every character up to the last picture; all above are others."""
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
    """Tabulate which classes are among some: a look-up costs a fraction of ``np.isin``."""
    return np.isin(np.arange(_END + 1), names)


def _by_char(chars: Sequence[str], first: int) -> Ints:
    """Give a table from characters to numbers from `first` on; all others are 0."""
    table = np.zeros(_ASCII + 1, dtype=np.int64)
    table[[ord(char) for char in chars]] = range(first, first + len(chars))
    return table


_ASCII = 127
_SUIT_OF, _LETTER_OF = _by_char(SUIT_LETTERS, 0), _by_char(_LETTERS, SUIT_START[-1])
_SEAT_OF = _by_char(SEAT_MARKS[1:], 1)
_TEXTS = 4096
"""Texts at a time: their columns stay in the processor's cache."""

_UNREAD = _among(_OTHER, _SELECTOR)
_TAKES_MARK = _among(_DIGIT, _LETTER, _PICTURE, _RED)
_BEHIND_SUIT = _among(_SUIT, _RED)
_IN_RUN_NO_DIGIT = _among(_SUIT, _MARK, _RED)


class _Chars(NamedTuple):
    """Characters of all texts in one line, an end after each text; [c] each."""

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
        What each is: a hand, a list of tiles, a single tile.

    Returns
    -------
    TokenizedTexts
        Tiles of faulty texts may be among the tokens: look at the faults first.
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
    """Read the tiles of some texts, at least one."""
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
    """Digits and their suits, character by character; [c] each.

    ``owner`` is the character that is a digit's suit, ``owned`` whether it has one, ``red`` the fives before ``r``,
    ``last_digit`` the last digit up to here, ``suit_first`` whether the run begins with its suit.
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
    # Digits without a suit are told at the last one, unless the character behind them is the fault.
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
    """Seat of each tile's mark, 0 without, and the place of the mark; by the character of the tile, [c] each."""

    seat: Ints
    place: Ints
    faults: list[tuple[Bools, int]]


def _marks(chars: _Chars, groups: _Groups) -> _Marks:
    cls, index = chars.cls, np.arange(len(chars.cls))
    mark, before = cls == _MARK, np.append(np.uint8(_END), cls[:-1])
    of_tile = mark & (_TAKES_MARK[before] | ((before == _SUIT) & ~groups.suit_first))
    tile = np.where(_BEHIND_SUIT[before], groups.last_digit, index - 1)
    # The last digit may be that of another text.
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
    """Give the number of each run of digits, suits, marks and r, and whether the run begins with a suit."""
    inside = cls <= _RED
    run = np.cumsum(inside & ~np.append(False, inside[:-1]))
    core = np.flatnonzero(cls <= _SUIT)
    first = core[np.diff(run[core], prepend=-1) != 0]
    suit_first = np.zeros(run[-1] + 1, dtype=np.bool_)
    suit_first[run[first]] = cls[first] == _SUIT
    return run, suit_first[run] & inside


def _suits_of(cls: U8, run: Ints, suit_first: Bools) -> tuple[Ints, Bools]:
    """Find the suit that each digit belongs to: the one before it or after it in its run; and whether there is one."""
    index, suit = np.arange(len(cls)), cls == _SUIT
    earlier = np.maximum.accumulate(np.where(suit, index, -1))
    later = np.minimum.accumulate(np.where(suit, index, len(cls))[::-1])[::-1]
    owner = np.where(suit_first, earlier, later)
    owner = np.where((owner >= 0) & (owner < len(cls)), owner, 0)
    return owner, (cls[owner] == _SUIT) & (run[owner] == run)


def _tiles(chars: _Chars, groups: _Groups) -> Ints:
    """Give the tile of each character that is one, -1 for honours that are none; other entries mean nothing."""
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
    """Tell which ``*`` stand behind concealed tiles, and which do not."""
    index = np.arange(len(cls))
    solid = np.minimum.accumulate(np.where(cls != _SPACE, index, len(cls))[::-1])[::-1]
    following = cls[np.append(solid[1:], len(cls) - 1).clip(max=len(cls) - 1)]
    star = cls == _STAR
    right = star & (part == 0) & ((following == _COMMA) | (following == _END))
    return right, star & ~right
