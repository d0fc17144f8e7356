"""Protobuf's wire format in columns: the fields of thousands of messages are found at once.

A message is a row of fields, each a tag (number and wire type) and a value: a number, or bytes with their length before
them. Where the next field begins depends on the one before, so :func:`scan` takes one field of every message at a time.
:func:`chained` is for few messages of very many fields, the lists of records: it looks at every place where a field
could begin, and follows all chains by doubling. :func:`top_fields` is for single wrappers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from auditor.log.arrays import expanded

if TYPE_CHECKING:
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]
    Bytes = npt.NDArray[np.uint8]

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5
PADDING = 24
"""How many zero bytes must follow the messages, so that a value's first bytes can be read before its length is judged.
"""
MOST_FIELDS = 20_000
"""How many fields of a message are read; no list of records has a sixth of these."""
MOST_NUMBERS = 4
"""How many numbers may stand between the entries of a list for :func:`chained` to follow it."""
BLOCK = 1 << 13
"""How many messages are scanned together."""
BLOCK_BITS = 18
"""Long messages that begin within so many bits' worth of bytes are followed together."""
LONGEST = 10
"""How many bytes a number has at most."""


class Scan(NamedTuple):
    """The fields of n messages, in no order but that of each message.

    ``owner`` int64[m] is the message, ``number`` int64[m] the field's number, ``wire`` uint8[m] its wire type.
    ``value`` int64[m] is the number, or the length of the bytes that begin at ``at`` int64[m]. ``broken`` int64[n] is
    the place where a message cannot be read any further, -1 if it is whole.
    """

    owner: Ints
    number: Ints
    wire: npt.NDArray[np.uint8]
    value: Ints
    at: Ints
    broken: Ints


def buffer(parts: list[bytes]) -> tuple[Bytes, Ints, Ints]:
    """Return texts as one array of bytes, with the places where each begins and ends, int64[n] each."""
    length = np.array([len(part) for part in parts], dtype=np.int64)
    end = np.cumsum(length)
    return np.frombuffer(b"".join([*parts, bytes(PADDING)]), dtype=np.uint8), end - length, end


def varints(data: Bytes, at: Ints) -> tuple[Ints, Ints]:
    """Return the numbers at n places, int64[n], and their sizes in bytes; a size of 0 marks one that does not end.

    A number that does not fit 64 bits loses its upper bits, as protobuf says.
    """
    value, size = np.zeros(len(at), dtype=np.uint64), np.zeros(len(at), dtype=np.int64)
    rows = np.arange(len(at))
    for nth in range(LONGEST):
        byte = data[np.minimum(at[rows] + nth, len(data) - 1)]
        value[rows] |= (byte & 127).astype(np.uint64) << np.uint64(7 * nth)
        ends = byte < 128
        size[rows[ends]] = nth + 1
        rows = rows[~ends]
        if not len(rows):
            break
    return value.view(np.int64), size


def scan(data: Bytes, start: Ints, end: Ints) -> Scan:
    """Return all fields of messages that lie at ``start`` to ``end``, int64[n] each."""
    broken = np.full(len(start), -1, dtype=np.int64)
    none = np.zeros(0, dtype=np.int64)
    found = [(none, none, none, none, none)]
    for first in range(0, len(start), BLOCK):  # what is looked at together stays in the processor's cache
        block = slice(first, first + BLOCK)
        found += _scanned(data, start[block], end[block], broken[block], first)
    owner, number, wire, value, at = (np.concatenate(column) for column in zip(*found, strict=True))
    return Scan(owner, number, wire.astype(np.uint8), value, at, broken)


def _scanned(
    data: Bytes, start: Ints, end: Ints, broken: Ints, first: int
) -> list[tuple[Ints, Ints, Ints, Ints, Ints]]:
    """Return the fields of some messages, in the order of :class:`Scan`, and fill in where they are ``broken``.

    ``first`` is the number of the first message.
    """
    owner = np.flatnonzero(start < end)
    at, last = start[owner], end[owner]
    found = []
    for _ in range(MOST_FIELDS):
        if not len(owner):
            break
        tag, value = data[at].astype(np.int64), data[at + 1].astype(np.int64)
        wire = tag & 7
        of_bytes = wire == LENGTH
        content = at + 2
        plain = ((tag | value) < 128) & (of_bytes | (wire == VARINT)) & (tag > 7)
        if not plain.all():
            rows = np.flatnonzero(~plain)
            tag[rows], value[rows], content[rows] = _whole(data, at[rows])
            wire = tag & 7
            of_bytes = wire == LENGTH
        following = content + of_bytes * value
        right = (following <= last) & (content > at)
        if right.all():
            found.append((owner + first, tag >> 3, wire, value, content))
            more = np.flatnonzero(following < last)
        else:
            broken[owner[~right]] = at[~right]
            found.append((owner[right] + first, tag[right] >> 3, wire[right], value[right], content[right]))
            more = np.flatnonzero(right & (following < last))
        owner, at, last = owner[more], following[more], last[more]
    broken[owner] = at
    return found


def _whole(data: Bytes, at: Ints) -> tuple[Ints, Ints, Ints]:
    """Return tag, value, and the place where the value or its bytes begin or, for a number, end; 0 if it is broken."""
    tag, size = varints(data, at)
    value, long = varints(data, at + size)
    wire = tag & 7
    after = at + size
    content = np.select(
        [wire == FIXED64, wire == FIXED32, (wire == VARINT) | (wire == LENGTH)], [after + 8, after + 4, after + long], 0
    )
    value = np.where((wire == FIXED64) | (wire == FIXED32), 0, value)
    wrong = (size == 0) | (tag <= 7) | (tag >> 32 != 0) | (((wire == VARINT) | (wire == LENGTH)) & (long == 0))
    wrong |= (wire == LENGTH) & ((value < 0) | (value > len(data)))
    return tag, np.where(wrong, 0, value), np.where(wrong, 0, content)


class Chain(NamedTuple):
    """The list entries of n messages in order.

    ``owner`` int64[m] is the message, ``number`` int64[m] the field; the entry's bytes are at ``start`` to ``end``,
    int64[m] each. ``broken`` int64[n] is as in :class:`Scan`.
    """

    owner: Ints
    number: Ints
    start: Ints
    end: Ints
    broken: Ints


def chained(data: Bytes, start: Ints, end: Ints, numbers: tuple[int, ...]) -> Chain:
    """Return the entries of lists of bytes, fields ``numbers`` (below 16), of n long messages, which lie in order."""
    tags = np.array([number << 3 | LENGTH for number in numbers])
    # A message has one of the lists: the one that begins it, or the last one behind a number.
    which = np.argmax(np.append(data[start, None] == tags[:-1], np.ones((len(start), 1), dtype=bool), axis=1), axis=1)
    block = (start >> BLOCK_BITS) * len(tags) + which
    parts, rest = [], []
    for each in np.unique(block).tolist():  # blocks of a size that stays in the processor's cache
        games = np.flatnonzero(block == each)
        found, left = _followed(data, start[games], end[games], int(tags[each % len(tags)]))
        parts.append(found._replace(owner=games[found.owner]))
        rest.append(games[left])
    slow = np.sort(np.concatenate([*rest, np.zeros(0, dtype=np.int64)]))
    broken = np.full(len(start), -1, dtype=np.int64)
    scanned = scan(data, start[slow], end[slow])
    broken[slow] = scanned.broken
    listed = np.flatnonzero(np.isin(scanned.number, numbers) & (scanned.wire == LENGTH))
    at, size = scanned.at[listed], scanned.value[listed]
    parts = [*(_without(part, slow) for part in parts),
             Chain(slow[scanned.owner[listed]], scanned.number[listed], at, at + size, broken)]  # fmt: skip
    owner, number, begin, stop = (np.concatenate([part[column] for part in parts]) for column in range(4))
    order = np.argsort(begin, kind="stable")
    return Chain(owner[order], number[order], begin[order], stop[order], broken)


def _without(chain: Chain, messages: Ints) -> Chain:
    """Return a chain without the entries of some messages."""
    if not len(messages):
        return chain
    kept = ~np.isin(chain.owner, messages)
    return Chain(chain.owner[kept], chain.number[kept], chain.start[kept], chain.end[kept], chain.broken)


def _followed(data: Bytes, start: Ints, end: Ints, tag: int) -> tuple[Chain, Ints]:
    """Return the entries of a list, and the messages that have other fields than this list and a few numbers."""
    if not len(start):
        none = np.zeros(0, dtype=np.int64)
        return Chain(none, none, none, none, none), none
    base, stop = int(start[0]), int(end[-1])
    places, jump, rank = _candidates(data[base : stop + PADDING], start - base, end - base, tag)
    places = _Places(places.owner, *(each + base for each in places[1:]))
    begin = start.copy()
    reached = []
    for _ in range(2 * MOST_NUMBERS):
        alive = np.flatnonzero((begin >= 0) & (begin < end))
        if not len(alive):
            break
        first = rank[begin[alive] - base].astype(np.int64)
        first[first == len(jump) - 1] = -1
        other = alive[first < 0]
        if len(other):  # a number, such as the version, or something else, which ends it
            met, _, after = _whole(data, begin[other])
            begin[other] = np.where((met & 7 == VARINT) & (after > 0) & (after <= end[other]), after, -1)
        if len(other) < len(alive):
            chain = _doubled(first[first >= 0], jump)
            reached.append(chain)
            np.maximum.at(begin, places.owner[chain], places.end[chain])
    rows = np.sort(np.concatenate(reached)) if reached else np.zeros(0, dtype=np.int64)
    rest = np.flatnonzero(begin != end)
    number = data[places.at[rows]].astype(np.int64) >> 3
    chain_ = Chain(places.owner[rows], number, places.start[rows], places.end[rows], np.zeros(0, dtype=np.int64))
    return chain_, rest


def _doubled(first: Ints, jump: Ints) -> Ints:
    """Return all places that chains reach from their first ones; ``jump`` is one step, its last entry the end."""
    found = first
    while True:
        more = jump[found]
        more = more[more < len(jump) - 1]
        if not len(more):
            return found
        found = np.concatenate([found, more])
        jump = jump[jump]


class _Places(NamedTuple):
    """Where entries can lie: ``owner`` of each, the place ``at`` of its tag, ``start`` and ``end``, int64[m] each."""

    owner: Ints
    at: Ints
    start: Ints
    end: Ints


def _candidates(data: Bytes, start: Ints, end: Ints, tag: int) -> tuple[_Places, Ints, npt.NDArray[np.int32]]:
    """Return where entries can lie, and for each the place of the one that follows, m for none, int64[m + 1].

    Also return the number of the entry that begins at each byte, m for none.
    """
    place = np.flatnonzero(data[: len(data) - PADDING] == tag)
    length, width = data[place + 1].astype(np.int64), np.ones(len(place), dtype=np.int64)
    long = np.flatnonzero(length >= 128)
    second = data[place[long] + 2].astype(np.int64)
    # Two bytes of length are enough for a record; a longer one is left to scan().
    length[long] = np.where(second < 128, (length[long] & 127) | second << 7, len(data))
    width[long] = 2
    content = place + 1 + width
    following = content + length
    after = data[np.minimum(following, len(data) - 1)]
    # Every entry begins with a field of a small number, and another entry, a number or the end comes after it.
    fits = (following <= len(data) - PADDING) & (data[content] < 64)
    fits &= (after == tag) | (after & 7 == VARINT) | np.isin(following, end)
    place, content, following = place[fits], content[fits], following[fits]
    owner = np.searchsorted(start, place, side="right") - 1
    fits = following <= end[owner]
    place, content, following, owner = (each[fits] for each in (place, content, following, owner))
    rank = np.full(len(data), len(place), dtype=np.int32)
    rank[place] = np.arange(len(place))
    jump = np.append(np.where(following == end[owner], len(place), rank[following]), len(place)).astype(np.int64)
    return _Places(owner, place, content, following), jump, rank


def packed(data: Bytes, start: Ints, length: Ints) -> tuple[Ints, Ints]:
    """Return the numbers of n packed lists: the list that each belongs to, and the number, int64[m] each."""
    row, at = expanded(start, length)
    byte = data[at]
    ends = byte < 128
    first = np.append(True, ends[:-1])[: len(ends)]
    first |= np.append(True, row[1:] != row[:-1])[: len(row)]
    begins = np.flatnonzero(first)
    if not len(begins):
        return row, at
    if len(begins) == len(row):
        return row, byte.astype(np.int64)
    value, size = varints(data, at[begins])
    inside = (size > 0) & (at[begins] + size <= (start + length)[row[begins]])
    return row[begins][inside], value[inside]


def top_fields(raw: bytes) -> tuple[list[tuple[int, int | bytes]], int]:
    """Return the fields of one message, and where it breaks off; 0 if it is whole.

    Bytes whose length goes beyond the end are given as far as they go.
    """
    found: list[tuple[int, int | bytes]] = []
    at = 0
    while at < len(raw):
        begin = at
        tag, at = _varint(raw, at)
        value, at = _varint(raw, at) if at else (0, 0)
        if not at or tag & 7 not in (VARINT, LENGTH) or tag < 8:
            return found, begin or 1
        if tag & 7 == VARINT:
            found.append((tag >> 3, value))
            continue
        found.append((tag >> 3, raw[at : at + value]))
        at += value
        if at > len(raw):
            return found, begin or 1
        if len(found) > 8:
            break
    return found, 0


def _varint(raw: bytes, at: int) -> tuple[int, int]:
    """Return the number at a place, and the place after it; 0 for none."""
    value = 0
    for nth, byte in enumerate(raw[at : at + LONGEST]):
        value |= (byte & 127) << 7 * nth
        if byte < 128:
            return value, at + nth + 1
    return 0, 0
