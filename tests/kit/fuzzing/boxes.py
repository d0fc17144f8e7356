"""Mutants of archives and compressed files: damaged bytes, or a false field in a header."""

from __future__ import annotations

import struct
from itertools import islice
from typing import TYPE_CHECKING

from auditor.sources import archives
from tests.kit.containers import ARCHIVES, NESTED, PACKED, packed
from tests.kit.fuzzing.values import damaged

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from random import Random

    from auditor.sources.log_files import Source
    from tests.kit.fuzzing.judge import Mutant

MOST_MEMBERS = 2000
"""More members than any container here has: an archive that gives more repeats some of them."""
SIZES = (0, 1, 2, 511, 512, 513, 2**31 - 1, 2**32 - 1, 2**32, 2**33 - 1, 2**63 - 1, 2**64 - 1, -1, -512)


def made(logs: Mapping[str, bytes]) -> dict[str, bytes]:
    """Make every container of the same logs; give them by name."""
    whole = {name: build(logs) for name, build in ARCHIVES.items()}
    whole |= {name: build(packed(logs, kind)) for name, (kind, build) in PACKED.items()}
    whole |= {name: around({inner: build(logs)}) for name, (inner, build, around) in NESTED.items()}
    name, data = next(iter(logs.items()))
    return whole | {
        f"{name}.{kind}": packed({name: data}, kind)[f"{name}.{kind}"] for kind in ("gz", "bz2", "xz", "zst")
    }


def box(name: str, data: bytes, rng: Random) -> bytes:
    """Make one to three changes in a container."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        if name.endswith(".tar") and rng.random() < 0.5:
            data = _lying_tar(data, rng)
        elif name.endswith(".zip") and rng.random() < 0.5:
            data = _lying_zip(data, rng)
        else:
            data = damaged(data, rng)
    return data


def _lying_tar(data: bytes, rng: Random) -> bytes:
    """Change a size, type or name in a header of a tar, with the right checksum."""
    blocks = [at for at in range(0, len(data) - 511, 512) if data[at + 257 : at + 262] == b"ustar"]
    if not blocks:
        return damaged(data, rng)
    at = rng.choice(blocks)
    header = bytearray(data[at : at + 512])
    how = rng.randrange(4)
    if how == 0:
        size = rng.choice(SIZES)
        header[124:136] = (
            (b"%011o\0" % size if 0 <= size < 8**11 else b"\x80" + (size & (2**88 - 1)).to_bytes(11, "big"))
            if size >= 0
            else b"\xff" + (size & (2**88 - 1)).to_bytes(11, "big")
        )
    elif how == 1:
        header[156] = rng.choice(b"\001234567LKxgSXVMN")
    elif how == 2:
        name = rng.choice((b"", b"/etc/passwd", b"../../x", b"a!b", b"\xff\xfe", b"x" * 100, b"\x1b[31m", b"a~2"))
        header[0:100] = name.ljust(100, b"\0")
    else:
        place = rng.randrange(500)
        header[place : place + 4] = bytes(rng.randrange(256) for _ in range(4))
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return data[:at] + bytes(header) + data[at + 512 :]


def _lying_zip(data: bytes, rng: Random) -> bytes:
    """Change one number in a header or the directory of a zip."""
    marks = [(b"PK\x03\x04", 30), (b"PK\x01\x02", 46), (b"PK\x05\x06", 22)]
    places = [(at, size) for mark, size in marks for at in range(len(data)) if data.startswith(mark, at)]
    if not places:
        return damaged(data, rng)
    at, size = rng.choice(places)
    place = at + rng.randrange(4, size - 3)
    value = rng.choice((0, 1, 8, 0xFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, rng.randrange(2**32)))
    return data[:place] + struct.pack("<I", value) + data[place + 4 :]


def opened(mutant: Mutant, folder: Path) -> list[Source]:
    """Write a container, open it and read what is in it.

    Raises
    ------
    ValueError
        when it gives more members than any container made here has

    """
    path = folder / mutant.name.replace("/", " ")
    path.write_bytes(mutant.data)
    try:
        pieces = list(islice(archives.pieces([path]), MOST_MEMBERS + 1))
        if len(pieces) > MOST_MEMBERS:
            raise ValueError(f"gives more than {MOST_MEMBERS} members")
        return [archives.fetch(piece) for piece in pieces]
    finally:
        path.unlink()
