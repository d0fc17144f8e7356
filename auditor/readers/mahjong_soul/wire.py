"""Protobuf's wire format in columns: the fields of thousands of messages are found at once.

A message is a row of fields, each a tag (number and wire type) and a value: a number, or bytes with their length before
them. Where the next field begins depends on the one before, so :func:`scan` takes one field of every message at a time.
:func:`chained` is for few messages of very many fields, the lists of records: it looks at every place where a field
could begin, and follows all chains by doubling.
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
        following = content + np.where(of_bytes, value, 0)
        right = (following <= last) & (content > at) & (value >= 0) | (~of_bytes & (following <= last) & (content > at))
        if not right.all():
            broken[owner[~right]] = at[~right]
        keep = right
        found.append((owner[keep], tag[keep] >> 3, wire[keep], value[keep], content[keep]))
        more = keep & (following < last)
        owner, at, last = owner[more], following[more], last[more]
    broken[owner] = at
    if not found:
        none = np.zeros(0, dtype=np.int64)
        return Scan(none, none, none.astype(np.uint8), none, none, broken)
    columns = [np.concatenate(column) for column in zip(*found, strict=True)]
    return Scan(columns[0], columns[1], columns[2].astype(np.uint8), columns[3], columns[4], broken)


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
    """Return the entries of lists of bytes, fields ``numbers`` (below 16), of long messages."""
    tags = [number << 3 | LENGTH for number in numbers]
    owner, at, entry, last = [], [], [], []
    slow = []
    for message in range(len(start)):
        ends = _follow(data[start[message] : end[message]], tags)
        if ends is None:
            slow.append(message)
            continue
        places, contents, following = ends
        owner.append(np.full(len(places), message))
        at.append(places + start[message])
        entry.append(contents + start[message])
        last.append(following + start[message])
    broken = np.full(len(start), -1, dtype=np.int64)
    if slow:
        rows = np.array(slow, dtype=np.int64)
        scanned = scan(data, start[rows], end[rows])
        broken[rows] = scanned.broken
        listed = np.isin(scanned.number, numbers) & (scanned.wire == LENGTH)
        owner.append(rows[scanned.owner[listed]])
        at.append(scanned.at[listed])
        entry.append(scanned.at[listed])
        last.append(scanned.at[listed] + scanned.value[listed])
    if not owner:
        none = np.zeros(0, dtype=np.int64)
        return Chain(none, none, none, none, broken)
    owners, places, contents, ends_ = (np.concatenate(each) for each in (owner, at, entry, last))
    order = np.lexsort((contents, owners)) if slow else np.arange(len(owners))
    # Places of a slow message are those of the contents, which have no tag: its number is in the scan.
    number = data[places].astype(np.int64) >> 3
    if slow:
        number[len(number) - int(listed.sum()) :] = scanned.number[listed]
    return Chain(owners[order], number[order], contents[order], ends_[order], broken)


def _follow(data: Bytes, tags: list[int]) -> tuple[Ints, Ints, Ints] | None:
    """Return where the entries of one message lie (tag, content, end), int64[m] each; None if it has other fields.

    A few numbers before, between or after the entries are allowed for.
    """
    size = len(data)
    padded = np.append(data, np.zeros(PADDING, dtype=np.uint8))
    candidate = np.zeros(size, dtype=bool)
    for tag in tags:
        candidate |= data == tag
    place = np.flatnonzero(candidate)
    length, width = padded[place + 1].astype(np.int64), np.ones(len(place), dtype=np.int64)
    long = length >= 128
    if long.any():
        length[long], width[long] = varints(padded, place[long] + 1)
    content = place + 1 + width
    following = content + length
    fits = (following <= size) & (width > 0) & (length >= 0)
    place, content, following = place[fits], content[fits], following[fits]
    rank = np.full(size + 1, -1, dtype=np.int64)
    rank[place] = np.arange(len(place))
    rank[size] = len(place)  # the end
    # Other fields than the lists: a number such as the version, which stands between two chains.
    begin = 0
    chains: list[Ints] = []
    others = 0
    while begin < size:
        if rank[begin] < 0:
            others += 1
            found, _, after = _whole(padded, np.array([begin]))
            if int(found[0]) & 7 != VARINT or not 0 < int(after[0]) <= size or others > 8:
                return None
            begin = int(after[0])
            continue
        step = rank[following]
        dead = np.append(np.where(step < 0, len(place), step), len(place))
        reached = np.array([rank[begin]])
        jump = dead
        while True:
            more = jump[reached]
            more = more[more < len(place)]
            if not len(more):
                break
            reached = np.concatenate([reached, more])
            jump = jump[jump]
        reached.sort()
        chains.append(reached)
        begin = int(following[reached[-1]])
    rows = np.concatenate(chains) if chains else np.zeros(0, dtype=np.int64)
    return place[rows], content[rows], following[rows]


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
