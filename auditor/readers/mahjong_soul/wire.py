"""Protobuf's wire format in columns: the fields of thousands of messages are found at once.

A message is a row of fields, each a tag (number and wire type) and a value: a number, or bytes with their length before
them. Where the next field begins depends on the one before, so :func:`scan` takes one field of every message at a time.
:func:`chained` is for few messages of very many fields, the lists of records: it looks at every place where a field
could begin, and follows all chains by doubling. :func:`top_fields` is for single wrappers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from auditor.log.arrays import expanded

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]
    Bytes = npt.NDArray[np.uint8]

_Kind = TypeVar("_Kind", bound=np.integer)

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5
TYPE_BITS = 3
"""How many bits of a tag are the wire type; the others are the field's number."""
_FIXED = np.zeros(8, dtype=np.int64)
_FIXED[[FIXED64, FIXED32]] = 8, 4
"""How many bytes a value has, by its wire type; 0 where the value tells it."""
_KNOWN = np.isin(np.arange(8), (VARINT, FIXED64, LENGTH, FIXED32))
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
WORD = 8
_ONE, _HIGH_BITS = np.uint64(1), np.uint64(0x8080808080808080)
_JOINED = [
    (np.uint64(lower), np.uint64(upper), np.uint64(shift))
    for lower, upper, shift in (
        (0x007F007F007F007F, 0x7F007F007F007F00, 1),
        (0x00003FFF00003FFF, 0x3FFF00003FFF0000, 2),
        (0x000000000FFFFFFF, 0x0FFFFFFF00000000, 4),
    )
]
"""How the seven bits of eight bytes become one number: neighbours are joined, then pairs, then fours."""


def tag_of(number: int, wire: int) -> int:
    """Return the tag of a field with a wire type."""
    return number << TYPE_BITS | wire


class Scan(NamedTuple):
    """The fields of n messages, in no order but that of each message.

    ``owner`` int64[m] is the message, ``tag`` uint32[m] the field's number and wire type. ``value`` int64[m] is the
    number, or the length of the bytes that begin at ``at`` int64[m]. ``broken`` int64[n] is the place where a message
    cannot be read any further, -1 if it is whole.
    """

    owner: Ints
    tag: npt.NDArray[np.uint32]
    value: Ints
    at: Ints
    broken: Ints

    def rows(self, number: int, wire: int) -> Ints:
        """Return the rows of a field with this wire type."""
        return np.flatnonzero(self.tag == tag_of(number, wire))


def buffer(parts: list[bytes]) -> tuple[Bytes, Ints, Ints]:
    """Return texts as one array of bytes, with the places where each begins and ends, int64[n] each."""
    length = np.array([len(part) for part in parts], dtype=np.int64)
    end = np.cumsum(length)
    return np.frombuffer(b"".join([*parts, bytes(PADDING)]), dtype=np.uint8), end - length, end


def words_at(data: Bytes, at: Ints) -> npt.NDArray[np.uint64]:
    """Return the eight bytes at each place as a number, uint64[n]; ``at`` may lie in the padding."""
    overlapping = np.ndarray((len(data) - WORD + 1,), dtype="<u8", buffer=data, strides=(1,))
    found: npt.NDArray[np.uint64] = overlapping[np.minimum(at, len(data) - WORD)]
    return found


def varints(data: Bytes, at: Ints) -> tuple[Ints, Ints]:
    """Return the numbers at n places, int64[n], and their sizes in bytes; a size of 0 marks one that does not end.

    A number that does not fit 64 bits loses its upper bits, as protobuf says.
    """
    words = words_at(data, at)
    ends = ~words & _HIGH_BITS
    below = (ends & -ends) - _ONE  # all bits below the highest one of the byte that ends the number
    size = (np.bitwise_count(below) >> 3).astype(np.int64) + 1
    value = words & below
    for lower, upper, shift in _JOINED:
        value = value & lower | (value & upper) >> shift
    long = np.flatnonzero(ends == 0)
    if len(long):
        ninth, tenth = (data[np.minimum(at[long] + nth, len(data) - 1)].astype(np.uint64) for nth in (8, 9))
        more = np.where(ninth < 128, 0, tenth << np.uint64(63))
        value[long] |= (ninth & np.uint64(127)) << np.uint64(56) | more
        size[long] = np.where(ninth < 128, 9, np.where(tenth < 128, 10, 0))
    return value.view(np.int64), size


def scan(data: Bytes, start: Ints, end: Ints) -> Scan:
    """Return all fields of messages that lie at ``start`` to ``end``, int64[n] each."""
    broken = np.full(len(start), -1, dtype=np.int64)
    none = np.zeros(0, dtype=np.int64)
    found: list[tuple[npt.NDArray[np.integer], ...]] = [(none, none, none, none)]
    for first in range(0, len(start), BLOCK):  # what is looked at together stays in the processor's cache
        block = slice(first, first + BLOCK)
        found += _scanned(data, start[block], end[block], broken[block], first)
    owner, tag, value, at = zip(*found, strict=True)
    return Scan(
        _joined(owner, np.int64), _joined(tag, np.uint32), _joined(value, np.int64), _joined(at, np.int64), broken
    )


def _joined(parts: Sequence[npt.NDArray[np.integer]], kind: type[_Kind]) -> npt.NDArray[_Kind]:
    return np.concatenate(parts, dtype=kind, casting="unsafe")


def _scanned(
    data: Bytes, start: Ints, end: Ints, broken: Ints, first: int
) -> list[tuple[npt.NDArray[np.integer], ...]]:
    """Return the fields of some messages, in the order of :class:`Scan`, and fill in where they are ``broken``.

    ``first`` is the number of the first message.
    """
    owner = np.flatnonzero(start < end)
    at, last = start[owner], end[owner]
    found: list[tuple[npt.NDArray[np.integer], ...]] = []
    for _ in range(MOST_FIELDS):
        if not len(owner):
            break
        # Most tags and values have one byte each; bytes are compared eight times as fast as whole numbers.
        tag: npt.NDArray[np.integer] = data[at]
        value: npt.NDArray[np.integer] = data[at + 1]
        content = at + 2
        of_bytes = tag & 7 == LENGTH
        plain = ((tag | value) < 128) & (of_bytes | (tag & 7 == VARINT)) & (tag > 7)
        following = content + of_bytes * value
        if not plain.all():
            rows = np.flatnonzero(~plain)
            tag, value = tag.astype(np.int64), value.astype(np.int64)
            tag[rows], value[rows], content[rows] = _whole(data, at[rows])
            after = content[rows] + (tag[rows] & 7 == LENGTH) * value[rows]
            following[rows] = np.where(content[rows] > at[rows], after, len(data))
        right = following <= last
        if right.all():
            found.append((owner + first, tag, value, content))
        else:
            broken[owner[~right]] = at[~right]
            found.append((owner[right] + first, tag[right], value[right], content[right]))
            following[~right] = len(data)
        more = np.flatnonzero(following < last)
        owner, at, last = owner[more], following[more], last[more]
    broken[owner] = at
    return found


def _whole(data: Bytes, at: Ints) -> tuple[Ints, Ints, Ints]:
    """Return tag, value, and the place where the value or its bytes begin or, for a number, end; 0 if it is broken."""
    tag, size = data[at].astype(np.int64), np.ones(len(at), dtype=np.int64)
    wide = np.flatnonzero(tag > 127)
    if len(wide):
        tag[wide], size[wide] = varints(data, at[wide])
    value, long = varints(data, at + size)
    wire = tag & 7
    fixed = np.flatnonzero(_FIXED[wire])
    value[fixed], long[fixed] = 0, _FIXED[wire[fixed]]
    right = (size > 0) & (long > 0) & (tag > 7) & (tag >> 32 == 0) & _KNOWN[wire]
    right &= (wire != LENGTH) | ((value >= 0) & (value <= len(data)))
    return tag, value * right, (at + size + long) * right


def in_order(data: Bytes, start: Ints, end: Ints, tags: Sequence[int]) -> tuple[Ints, Bools]:
    """Read messages that have nothing but these fields, in this order, each at most once: :func:`scan` takes longer.

    Tags have one byte. Return place and length of the bytes of each field, int64[fields, 2, n], of which a number has
    none (a length of -1, as where the field is left out), and which messages are so, bool[n].
    """
    found = np.full((len(tags), 2, len(start)), -1, dtype=np.int64)
    whole = np.zeros(len(start), dtype=bool)
    for first in range(0, len(start), BLOCK):
        block = slice(first, first + BLOCK)
        at, last = start[block], end[block]
        for tag, spans in zip(tags, found[:, :, block], strict=True):
            there = (data[at] == tag) & (at < last)
            content = at + 1
            if tag & 7 == VARINT:
                for _ in range(LONGEST):
                    more = data[content] > 127
                    if not more.any():
                        break
                    content += more
                following = content + 1 + more * len(data)  # none that has more bytes than a number can have
            else:
                length, second = data[content].astype(np.int64), data[content + 1]
                content += 1 + (length > 127)
                # A length of more than two bytes is left to scan().
                longer = np.where(second > 127, len(data), (length & 127) | second.astype(np.int64) << 7)
                length = np.where(length > 127, longer, length)
                following = content + length
                spans[:] = np.where(there, (content, length), -1)
            at = np.minimum(np.where(there, following, at), last + 1)
        whole[block] = at == last
    return found, whole


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
    tags = np.array([tag_of(number, LENGTH) for number in numbers])
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
    listed = np.flatnonzero(np.isin(scanned.tag, tags))
    number = (scanned.tag[listed] >> TYPE_BITS).astype(np.int64)
    at, size = scanned.at[listed], scanned.value[listed]
    parts = [*(_without(part, slow) for part in parts),
             Chain(slow[scanned.owner[listed]], number, at, at + size, broken)]  # fmt: skip
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
    base, stop = int(start[0]), int(end[-1])
    data, end = data[base : stop + PADDING], end - base
    places, jump, rank = _candidates(data, start - base, end, tag)
    begin = start - base
    reached = np.zeros(len(jump), dtype=bool)
    for _ in range(2 * MOST_NUMBERS):
        alive = np.flatnonzero((begin >= 0) & (begin < end))
        if not len(alive):
            break
        first = rank[begin[alive]].astype(np.int64)
        first[first == len(jump) - 1] = -1
        other = alive[first < 0]
        if len(other):  # a number, such as the version, or something else, which ends it
            met, _, after = _whole(data, begin[other])
            begin[other] = np.where((met & 7 == VARINT) & (after > 0) & (after <= end[other]), after, -1)
        if len(other) < len(alive):
            chain = _doubled(first[first >= 0], jump)
            reached[chain] = True
            np.maximum.at(begin, places.owner[chain], places.end[chain])
    rows = np.flatnonzero(reached)
    found = Chain(
        places.owner[rows], np.full(len(rows), tag >> TYPE_BITS), places.start[rows] + base, places.end[rows] + base,
        np.zeros(0, dtype=np.int64),
    )  # fmt: skip
    return found, np.flatnonzero(begin != end)


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
    """Where entries can lie: ``owner`` of each, ``start`` and ``end`` of its bytes, int64[m] each."""

    owner: Ints
    start: Ints
    end: Ints


def _candidates(data: Bytes, start: Ints, end: Ints, tag: int) -> tuple[_Places, Ints, npt.NDArray[np.int32]]:
    """Return where entries can lie, and for each the place of the one that follows, m for none, int64[m + 1].

    Also return the number of the entry that begins at each byte, m for none.
    """
    place = np.flatnonzero(data[: len(data) - PADDING] == tag)
    owner = np.repeat(np.arange(len(start)), np.diff(np.searchsorted(place, start), append=len(place)))
    length, content = data[place + 1].astype(np.int64), place + 2
    long = np.flatnonzero(length >= 128)
    second = data[content[long]].astype(np.int64)
    # Two bytes of length are enough for a record; a longer one is left to scan().
    length[long] = np.where(second < 128, (length[long] & 127) | second << 7, len(data))
    content[long] += 1
    following, last = content + length, end[owner]
    after = data[np.minimum(following, last)]
    # Every entry begins with a field of a small number, and another entry, a number or the end comes after it.
    fits = ((after == tag) | (after & 7 == VARINT) | (following == last)) & (following <= last) & (data[content] < 64)
    place, content, following, owner, last = (each[fits] for each in (place, content, following, owner, last))
    rank = np.full(len(data), len(place), dtype=np.int32)
    rank[place] = np.arange(len(place))
    jump = np.append(np.where(following == last, len(place), rank[following]), len(place)).astype(np.int64)
    return _Places(owner, content, following), jump, rank


def packed(data: Bytes, start: Ints, length: Ints) -> tuple[Ints, Ints]:
    """Return the numbers of n packed lists: the list that each belongs to, and the number, int64[m] each."""
    row, at = expanded(start, length)
    byte = data[at]
    ends = byte < 128
    if ends.all():
        return row, byte.astype(np.int64)
    first = np.append(True, ends[:-1])[: len(ends)]
    first |= np.append(True, row[1:] != row[:-1])[: len(row)]
    begins = np.flatnonzero(first)
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
