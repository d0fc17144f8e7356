"""Protobuf's bytes in columns (wire.py) beside a plain reading, byte by byte, of random and damaged messages."""

from __future__ import annotations

import random

import numpy as np
import pytest

from auditor.readers.mahjong_soul import wire

MOST = 1 << 32
USUAL = (0x08, 0x10, 0x1A, 0x22)
"""Tags of one byte: two numbers, two texts."""


def written(number):
    """Write a number."""
    found = b""
    while number > 127:
        found += bytes([number & 127 | 128])
        number >>= 7
    return found + bytes([number])


def number_at(data, at):
    """Read a number; give it and the place behind it, which is 0 if it has more than ten bytes."""
    value = 0
    for nth in range(10):
        value |= (data[at + nth] & 127) << 7 * nth
        if data[at + nth] < 128:
            return value & (1 << 64) - 1, at + nth + 1
    return value, 0


def signed(value):
    """Give the number of 64 bits with a sign."""
    return value - (value >> 63 << 64)


def plain(data, start, end):
    """Read the fields of a message (tag, value, place), and where it breaks off, -1 if it does not."""
    found, at = [], start
    while at < end:
        tag, behind = number_at(data, at)
        kind = tag & 7
        value, after = number_at(data, behind) if kind in (0, 2) else (0, {1: behind + 8, 5: behind + 4}.get(kind, 0))
        if not behind or not after or tag < 8 or tag >= MOST:
            return found, at
        following = after + value * (kind == 2)
        if following > end:
            return found, at
        found.append((tag, signed(value), after))
        at = following
    return found, -1


def field(rng):
    """Write a random field: mostly one of the usual ones, sometimes one that is wrong."""
    tag = rng.choice(USUAL) if rng.random() < 0.7 else rng.choice([1, 2, 6, 15, 16, 63, 5000, 1 << 28]) << 3
    tag += 0 if tag & 7 else rng.choice([0, 0, 0, 0, 1, 2, 3, 5]) if tag not in USUAL else 0
    if tag & 7 == 0:
        number = rng.choice([rng.randrange(128), rng.randrange(1 << 14), rng.randrange(1 << 40), (1 << 64) - 3])
        return written(tag) + (written(number) if rng.random() < 0.95 else b"\xff" * rng.randint(8, 12))
    size = rng.choice([0, 2, 2, 8, 130, 20000])
    return written(tag) + (written(size + (rng.random() < 0.05)) + bytes(size) if tag & 7 == 2 else bytes(4))


@pytest.fixture(scope="module")
def messages():
    """Give random messages, in the usual order or in none, some of them cut."""
    rng = random.Random(0)
    found = []
    for _ in range(3000):
        parts = [field(rng) for _ in range(rng.randint(0, 5))]
        message = b"".join(sorted(parts) if rng.random() < 0.7 else parts)
        found.append(message[: rng.randrange(len(message) + 1)] if rng.random() < 0.1 else message)
    return wire.buffer(found)


def test_a_scan_finds_what_a_plain_reading_finds(messages):
    """Every field has the same tag, value and place, and every message breaks off at the same place."""
    data, start, end = messages
    scanned = wire.scan(*messages)
    found = [[] for _ in start]
    for owner, *entry in zip(*(column.tolist() for column in scanned[:4]), strict=True):
        found[owner].append(tuple(entry))
    text = data.tobytes()
    expected = [plain(text, *each) for each in zip(start.tolist(), end.tolist(), strict=True)]
    assert [sorted(each, key=lambda entry: entry[2]) for each in found] == [fields for fields, _ in expected]
    assert scanned.broken.tolist() == [broken for _, broken in expected]
    assert sum(broken >= 0 for _, broken in expected) > 300


def test_messages_with_usual_fields(messages):
    """A message counts as usual only if it has no other field; the places are then those of the plain reading."""
    data, start, end = messages
    found, whole = wire.in_order(data, start, end, USUAL)
    text = data.tobytes()
    for row in np.flatnonzero(whole).tolist():
        fields, broken = plain(text, int(start[row]), int(end[row]))
        assert broken < 0
        tags = [tag for tag, _, _ in fields]
        assert tags == [tag for tag in USUAL if tag in tags]
        spans = {tag: (at, value) for tag, value, at in fields if tag & 7 == 2}
        assert [tuple(each) for each in found[:, :, row].tolist()] == [spans.get(tag, (-1, -1)) for tag in USUAL]
    assert whole.sum() > 500


def test_numbers(messages):
    """A number at any place has the same value and size; what a message ends with does not matter."""
    data, _, end = messages
    places = np.arange(int(end[-1]))[::17]
    text = data.tobytes()
    value, size = wire.varints(data, places)
    expected = [number_at(text, at) for at in places.tolist()]
    assert size.tolist() == [max(behind - at, 0) for at, (_, behind) in zip(places.tolist(), expected, strict=True)]
    ends = size > 0
    assert value[ends].tolist() == [signed(number) for number, behind in expected if behind]
    assert (~ends).any()
