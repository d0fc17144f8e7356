"""Records → the identity of each game: made from what the records say, and so the same in every rendering.

A rendering may write default values or leave them out. So the identity is made from decoded fields: a number for each
record, summed over its fields. What players were offered does not count.
"""

from __future__ import annotations

import hashlib
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from auditor.readers.mahjong_soul.fields import nth_of
from auditor.readers.mahjong_soul.records import OTHER
from auditor.readers.mahjong_soul.schema import MESSAGES
from auditor.readers.mahjong_soul.wire import LENGTH, TYPE_BITS, VARINT, WORD, tag_of, words_at

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.readers.mahjong_soul.fields import Messages
    from auditor.readers.mahjong_soul.records import Records

    Words = npt.NDArray[np.uint64]

PARTS = ("hules", "fans", "players", "scores", "liqi", "tingpais")
"""The fields of messages whose own fields count."""
_FACTOR, _SHIFT, _TOP = np.uint64(0x9E3779B97F4A7C15), np.uint64(29), np.uint64(56)
_BLOCK = 1 << 14
"""How many fields are looked at together: what is made of them stays in the processor's cache."""
_NUMBER, _TEXT, _PART, _LEFT_OUT = range(4)
_LAST = 1 << 9
"""A tag that no known field has, nor any larger one."""
_MASKS = np.array([(1 << 8 * size) - 1 for size in range(WORD + 1)], dtype=np.uint64)
"""The bytes of a word that belong to a text, by its size."""


def identities(records: Records, games: int) -> list[str | None]:
    """Return 16 hex digits for each game; None where it has no known record."""
    words = np.zeros(len(records.game), dtype=np.uint64)
    for kind in range(OTHER):
        rows, messages = records.of(kind)
        words[rows] = _mixed(_signature(messages) + np.uint64(kind))
    begin = np.searchsorted(records.game, np.arange(games))
    end = np.searchsorted(records.game, np.arange(games), side="right")
    known = np.bincount(records.game[records.kind != OTHER], minlength=games) > 0
    return [
        hashlib.sha256(words[start:stop].tobytes()).hexdigest()[:16] if some else None
        for start, stop, some in zip(begin.tolist(), end.tolist(), known.tolist(), strict=True)
    ]


def _mixed(words: Words) -> Words:
    """Return numbers whose bits depend on all bits of the given ones."""
    mixed = words * _FACTOR
    mixed ^= mixed >> _SHIFT
    mixed *= _FACTOR
    return mixed


def _signature(messages: Messages) -> Words:
    """Return a number for each message, uint64[n]."""
    total = np.zeros(messages.count, dtype=np.uint64)
    uses = _uses(messages.name)
    for first in range(0, len(messages.scan.owner), _BLOCK):
        block = slice(first, first + _BLOCK)
        owner, value, at = (column[block] for column in (messages.scan.owner, messages.scan.value, messages.scan.at))
        tag = messages.scan.tag[block]
        how = uses[np.minimum(tag, _LAST)]
        words = value.astype(np.uint64)
        texts = np.flatnonzero(how == _TEXT)
        words[texts] = _of_texts(messages.data, at[texts], value[texts])
        counted = np.flatnonzero((how <= _TEXT) & (value != 0))
        number = (tag[counted] >> TYPE_BITS).astype(np.uint64)
        np.add.at(total, owner[counted], _mixed(number << _TOP ^ words[counted]))
    for name, field in MESSAGES[messages.name].items():
        if _use(name, field.kind) == _PART:
            owner, parts = messages.parts(name)
            words = _signature(parts) + nth_of(owner).astype(np.uint64) + np.uint64(field.number << 8)
            np.add.at(total, owner, _mixed(words))
    return total


def _of_texts(data: npt.NDArray[np.uint8], at: npt.NDArray[np.int64], size: npt.NDArray[np.int64]) -> Words:
    """Return a number for each text, uint64[n]: its bytes, or of a long one, a number made from them."""
    words = words_at(data, at) & _MASKS[np.minimum(size, WORD)]
    for long in np.unique(size[size > WORD]).tolist():  # texts of one kind, such as walls, have one length
        rows = np.flatnonzero(size == long)
        nth = np.arange(1, 1 + long, dtype=np.uint64) << np.uint64(8)
        words[rows] = _mixed(nth | sliding_window_view(data, long)[at[rows]]).sum(axis=1)
    return words


def _use(name: str, kind: str) -> int:
    if kind in ("uint32", "int32", "bool"):
        return _NUMBER
    return _TEXT if kind == "string" else _PART if name in PARTS else _LEFT_OUT


@cache
def _uses(message: str) -> npt.NDArray[np.int8]:
    """Return how each field of a message counts, by its tag: a list of numbers may be packed, as a text."""
    found = np.full(_LAST + 1, _LEFT_OUT, dtype=np.int8)
    for name, field in MESSAGES[message].items():
        if _use(name, field.kind) in (_NUMBER, _TEXT):
            found[tag_of(field.number, VARINT)] = _NUMBER
            found[tag_of(field.number, LENGTH)] = _TEXT
    return found
