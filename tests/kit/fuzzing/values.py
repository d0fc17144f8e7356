"""Values that no reader expects, and changes that work in any format."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

NUMBERS = (
    "-1", "0", "1", "4", "5", "13", "34", "37", "99", "127", "128", "136", "137", "255", "256", "32767", "32768",
    "65535", "65536", "2147483647", "2147483648", "4294967296", "-2147483649", "9223372036854775807",
    "9223372036854775808", "-9223372036854775809", "18446744073709551616", "1" * 40, "-" + "9" * 25, "00", "007",
    "+1", "1.5", "0.7", "-0.0", "1e9", "1e999", ".5", "1_000", "0x10", "NaN", "Infinity", "-Infinity",
)  # fmt: skip
"""Numbers as texts: around every width of integer, and spellings that only some languages read."""
TEXTS = (
    "", " ", "\t", ",", ",,,", "1,", ",1", "1,,2", "1;2", "x", "null", "true", "None", "-", "=", "+", "%", "%4", "%ff",
    "%00", "%E3%81", "٣", "２", "¼", "１２３m", "🀇", "é", "\u2028", "\x85", "\x1c", "\x0b", "\u202e", "\ufeff",
    "\x1b[31m", "A" * 5000, "1," * 3000, "<", ">", "&", "&amp;", "&#0;", "&#x110000;", "]]>", "'", '"', "--", "a\nb",
)  # fmt: skip
"""Texts: empty lists, broken escapes, digits of other scripts, control characters, marks of XML, very long ones."""
BYTES = (
    b"\0", b"\0\0\0\0", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80",
    b"\x80", b"\n", b"\r", b"\r\n", b"\xe2\x80\xa8", b"\xc2\x85", b"\x1c", b"{", b"}", b"[", b"]", b'"', b"<", b">",
    b"</mjloggm>", b"<!--", b"-->", b"\\ud800", b"\\u0000",
)  # fmt: skip


def damaged(data: bytes, rng: Random) -> bytes:
    """Return bytes with one piece flipped, cut out, doubled, moved, cut off or inserted."""
    size = len(data)
    at = rng.randrange(size) if size else 0
    end = min(size, at + rng.choice((1, 1, 2, 8, 60, 500, 5000)))
    before, piece, after = data[:at], data[at:end], data[end:]
    rest = before + after
    to = rng.randrange(len(rest) + 1)
    return rng.choice((
        before + bytes(byte ^ (1 << rng.randrange(8)) for byte in piece) + after,
        rest,
        before + piece * rng.choice((2, 2, 4)) + after,
        rest[:to] + piece + rest[to:],
        before,
        before + bytes(rng.randrange(256) for _ in piece) + after,
        before + rng.choice(BYTES) + piece + after,
    ))  # fmt: skip


def odd_text(old: str, rng: Random) -> str:
    """Return an odd text, or the old one with one of its numbers or characters replaced."""
    how = rng.randrange(6)
    if how == 0:
        return rng.choice(TEXTS)
    if how == 1 or not old:
        return rng.choice(NUMBERS)
    parts = old.split(",")
    place = rng.randrange(len(parts))
    if how == 2:
        parts[place] = rng.choice(NUMBERS)
    elif how == 3:
        parts.pop(place)
    elif how == 4:
        parts.insert(place, rng.choice((rng.choice(parts), rng.choice(NUMBERS), rng.choice(TEXTS))))
    else:
        at = rng.randrange(len(old))
        return old[:at] + rng.choice((*TEXTS[:40], "9", "0", "-")) + old[at + rng.randrange(2) :]
    return ",".join(parts)
