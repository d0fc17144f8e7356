"""Recognises names of tags and attributes by comparing bytes, if they stand there as Tenhou writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from auditor.readers.mjlog.fields import ATTRIBUTE, CLOSING, FIELDS, NAME

if TYPE_CHECKING:
    import numpy.typing as npt

    _Codes = npt.NDArray[np.int8]
    _Ints = npt.NDArray[np.int64]
    _Words = npt.NDArray[np.uint64]

_KNOWN = [
    (text, NAME.get(name, -1), ATTRIBUTE.get(attribute, -1))
    for text, name, attribute in [
        *((f"<{tag} {attribute}=".encode(), tag, attribute) for tag, attribute, _ in FIELDS),
        *((f" {attribute}=".encode(), "", attribute) for attribute in ATTRIBUTE),
        (f"<{CLOSING}>".encode(), CLOSING, ""),
    ]
    if len(text) <= 2 * 8
]
"""What can stand before a value, and the closing tag; with the numbers of tag and attribute in fields.py."""
_TAG = np.array([*(tag for _, tag, _ in _KNOWN), -1], dtype=np.int8)
_ATTRIBUTE = np.array([*(attribute for *_, attribute in _KNOWN), -1], dtype=np.int8)
_LENGTH = np.array([len(text) for text, *_ in _KNOWN])
_FIRST, _LAST = (
    np.array([int.from_bytes(text[part], "little") for text, *_ in _KNOWN], dtype=np.uint64)
    for part in (slice(8), slice(-8, None))
)
_MASK = np.array([(1 << 8 * count) - 1 for count in range(9)], dtype=np.uint64)
"""Masks that keep the first bytes of a little-endian word."""


def recognised(buffer: bytes, begin: _Ints, end: _Ints) -> tuple[_Codes, _Codes]:
    """Return the numbers of tag and attribute that parts of a buffer name, int8[n] each; -1 for none.

    At least eight bytes of the buffer must follow the last part.
    """
    # A part of at most 16 bytes is known by its length, its first eight bytes and its last eight.
    words: _Words = np.ndarray(len(buffer) - 7, dtype="<u8", buffer=buffer, strides=(1,))
    length = end - begin
    mask = _MASK[np.minimum(length, 8)]
    first, last = words[begin] & mask, words[np.maximum(end - 8, begin)] & mask
    place = _PLACE[_hash(first, last)]
    same = (_FIRST[place] == first) & (_LAST[place] == last) & (_LENGTH[place] == length)
    place = np.where(same, place, np.int8(-1))
    return _TAG[place], _ATTRIBUTE[place]


def _hash(first: _Words, last: _Words) -> _Words:
    """Return a hash, 0 to 65535, of the first and last eight bytes of texts."""
    return (first * np.uint64(0x9E3779B97F4A7C15) ^ last * np.uint64(0xC2B2AE3D27D4EB4F)) >> np.uint64(48)


# Of two texts with the same hash, one would not be recognised, and tags.py would read it as a string.
_PLACE: _Codes = np.full(1 << 16, -1, dtype=np.int8)
_PLACE[_hash(_FIRST, _LAST)] = np.arange(len(_KNOWN))
