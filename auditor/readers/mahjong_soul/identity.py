"""Records → the identity of each game: made from what the records say, and so the same in every rendering.

A rendering may write default values or leave them out. So the identity is made from decoded fields: a number for each
record, summed over its fields. What players were offered does not count.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from auditor.log.arrays import expanded
from auditor.readers.mahjong_soul.fields import WORD, nth_of, words_at
from auditor.readers.mahjong_soul.records import OTHER
from auditor.readers.mahjong_soul.schema import MESSAGES
from auditor.readers.mahjong_soul.wire import LENGTH, VARINT

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.readers.mahjong_soul.fields import Messages
    from auditor.readers.mahjong_soul.records import Records

    Words = npt.NDArray[np.uint64]

PARTS = ("hules", "fans", "players", "scores", "liqi", "tingpais")
"""The fields of messages whose own fields count."""
_FACTOR, _SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)
_OWN, _PART, _LEFT_OUT = range(3)
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
    words = words * _FACTOR
    mixed: Words = (words ^ words >> _SHIFT) * _FACTOR
    return mixed


def _signature(messages: Messages) -> Words:
    """Return a number for each message, uint64[n]."""
    scan = messages.scan
    number = np.minimum(scan.number, _LAST)
    how = _uses(messages.name)[number]
    tag = number.astype(np.uint64) << np.uint64(56)
    rows = np.flatnonzero((how == _OWN) & (scan.wire == VARINT) & (scan.value != 0))
    owners, words = [scan.owner[rows]], [tag[rows] ^ scan.value[rows].astype(np.uint64)]
    texts = (how == _OWN) & (scan.wire == LENGTH) & (scan.value > 0)
    rows = np.flatnonzero(texts & (scan.value <= WORD))
    owners.append(scan.owner[rows])
    words.append(tag[rows] ^ words_at(messages.data, scan.at[rows]) & _MASKS[scan.value[rows]])
    rows = np.flatnonzero(texts & (scan.value > WORD))
    which, place = expanded(scan.at[rows], scan.value[rows])
    text = np.zeros(len(rows), dtype=np.uint64)
    nth = (place - scan.at[rows][which] + 1).astype(np.uint64)
    np.add.at(text, which, _mixed(nth << np.uint64(8) | messages.data[place].astype(np.uint64)))
    owners.append(scan.owner[rows])
    words.append(tag[rows] ^ text)
    for name, field in MESSAGES[messages.name].items():
        if _use(name, field.kind) == _PART:
            owner, parts = messages.parts(name)
            owners.append(owner)
            words.append(_signature(parts) + nth_of(owner).astype(np.uint64) + np.uint64(field.number << 8))
    total = np.zeros(messages.count, dtype=np.uint64)
    np.add.at(total, np.concatenate(owners), _mixed(np.concatenate(words)))
    return total


_LAST = 63


def _use(name: str, kind: str) -> int:
    if kind in ("uint32", "int32", "bool", "string"):
        return _OWN
    return _PART if name in PARTS else _LEFT_OUT


def _uses(message: str) -> npt.NDArray[np.int8]:
    """Return how each field of a message counts, by its number."""
    found = np.full(_LAST + 1, _LEFT_OUT, dtype=np.int8)
    for name, field in MESSAGES[message].items():
        found[field.number] = _use(name, field.kind)
    return found
