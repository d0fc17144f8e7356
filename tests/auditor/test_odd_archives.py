"""Archives as other programs write them, and archives made to do harm."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import struct
import subprocess
import tarfile
import zipfile
import zlib
from pathlib import Path

import pytest

from auditor.sources import archives, members, streams
from tests.kit.audits import CHECKS, FIXTURES
from tests.kit.containers import PACK, streamed, tarred, zipped

GOOD = (CHECKS / "w106_fu" / "pass.mjlog").read_bytes()
OTHER = (CHECKS / "w107_points" / "fail.mjlog").read_bytes()
LONG = (FIXTURES / "logs" / "tenhou" / "2023112505gm-0009-0000-1917fe69.mjlog").read_bytes()
TWO = {"a.mjlog": GOOD, "b.mjlog": OTHER}


def read(path, data=None):
    """Give the members of an archive by name, or the archive itself if it has none."""
    if data is not None:
        path.write_bytes(data)
    found = [archives.fetch(piece) for piece in archives.pieces([path])]
    assert len({each.name for each in found}) == len(found)
    return {each.member or "": each for each in found}


@pytest.mark.parametrize(
    "form",
    [
        "{:06o}\0 ",
        "{:07o}\0",
        " {:o}\0junk",
        "{:08o}",
        "\t{:o}  ",
        "\x1c{:o}",
        "0O{:o}\0",
        "+0_{:o}\0",
        "\x80\0\0\0{wide}",
    ],
)
def test_every_way_to_write_the_checksum_of_a_tar(form):
    """A tar is recognised by any checksum that the standard library reads, and by no other."""
    block = tarred({"a": GOOD})[:512]
    total = int(block[148:154], 8)
    wide = total.to_bytes(4, "big").decode("latin-1")
    field = form.format(total, wide=wide).encode("latin-1").ljust(8, b"\0")[:8]
    header = block[:148] + field + block[156:]
    assert tarfile.TarInfo.frombuf(header, "utf-8", "surrogateescape").chksum == total
    assert streams.kind_of(header) == "tar"
    assert streams.kind_of(block[:148] + field.replace(field[-5:-4], b"9") + block[156:]) == ""


def assert_whole(found, logs):
    """Check that all logs are read unchanged."""
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in logs.items()}
    assert {name: each.sha256 for name, each in found.items() if name} == digests
    assert found[""].archive


# zip


def test_zip64(tmp_path, monkeypatch):
    """Zips with a 64-bit directory (over 65,535 members or 4 GiB), and with sizes after the members, as from a pipe."""
    logs = {f"{place}.mjlog": GOOD + b" " * place for place in range(5)}
    with monkeypatch.context() as patch:
        patch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 3)
        patch.setattr(zipfile, "ZIP64_LIMIT", 100)
        data = zipped(logs)
    assert b"PK\x06\x06" in data
    assert_whole(read(tmp_path / "a", data), logs)
    assert_whole(read(tmp_path / "b", streamed(logs)), logs)
    cut = read(tmp_path / "c", streamed(logs)[:-200])
    assert [cut[name].data for name in logs] == list(logs.values())
    assert "no directory at its end" in cut[""].reason


def resized(data, name, by):
    """Change the stated size of a zip's member, in the directory and in its head."""
    data = bytearray(data)
    for mark, size, length in ((b"PK\x03\x04", 22, 30), (b"PK\x01\x02", 24, 46)):
        at = -1
        while (at := data.find(mark, at + 1)) >= 0:
            if data[at + length :].startswith(name):
                stated = struct.unpack_from("<I", data, at + size)[0]
                struct.pack_into("<I", data, at + size, stated + by)
    return bytes(data)


@pytest.mark.parametrize("by", [-100, 100, -len(OTHER), 1 << 31])
def test_a_member_of_another_size_than_stated(by, tmp_path):
    """A member with another size than stated is itself or damaged; its neighbours are unaffected."""
    logs = {"a.mjlog": GOOD, "b.mjlog": OTHER, "c.mjlog": LONG}
    found = read(tmp_path / "a", resized(zipped(logs), b"b.mjlog", by))
    odd = found.pop("b.mjlog")
    assert odd.data == OTHER.strip() if by == 100 else odd.reason
    assert {name: each.data for name, each in found.items() if name} == {
        "a.mjlog": GOOD.strip(),
        "c.mjlog": LONG.strip(),
    }


def test_members_in_one_place(tmp_path):
    """Many names for the same bytes: each is refused or right, and the total stays bounded."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.mjlog", GOOD)
        first = archive.infolist()[0]
        for place in range(50):
            again = zipfile.ZipInfo(f"{place}.mjlog")
            again.compress_type, again.CRC = first.compress_type, first.CRC
            again.compress_size, again.file_size, again.header_offset = first.compress_size, first.file_size, 0
            archive.filelist.append(again)
    found = read(tmp_path / "a", file.getvalue())
    assert len(found) == 52
    assert all(each.data == GOOD.strip() or each.reason for each in found.values())


def test_a_zip_behind_something_else(tmp_path):
    """Bytes before the first member move all offsets, and the file does not begin like a zip: it is none."""
    found = read(tmp_path / "a", b"#!/bin/sh\n\0" + zipped(TWO))
    assert list(found) == [""]
    assert "binary data" in found[""].reason


# tar

LONG_NAMES = {f"{'folder/' * 40}{place}/{'name' * 30}.mjlog": data for place, data in enumerate(TWO.values())} | {
    f"{'山' * 80}.mjlog": LONG
}


@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
@pytest.mark.parametrize("packing", [None, "gz", "zst"])
def test_long_names(form, packing, tmp_path):
    """Names that are too long for a tar's head are read, in pax and GNU form."""
    data = tarred(LONG_NAMES, form)
    assert_whole(read(tmp_path / "a", PACK[packing](data) if packing else data), LONG_NAMES)


def test_old_and_general_heads(tmp_path):
    """Tars from before the standard, global pax heads, and sizes in pax heads are read."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT, pax_headers={"comment": "all"}) as archive:
        info = tarfile.TarInfo("a.mjlog")
        info.size, info.pax_headers = len(GOOD), {"size": str(len(GOOD)), "mtime": "1.5"}
        archive.addfile(info, io.BytesIO(GOOD))
    assert_whole(read(tmp_path / "a", file.getvalue()), {"a.mjlog": GOOD})
    head = bytearray(tarfile.TarInfo("b.mjlog").tobuf(tarfile.USTAR_FORMAT))
    head[257:512] = bytes(255)  # no "ustar"
    head[124:136] = b"%011o\0" % len(OTHER)
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    body = OTHER + bytes(-len(OTHER) % 512)
    assert_whole(read(tmp_path / "b", bytes(head) + body + bytes(1024)), {"b.mjlog": OTHER})


def sparse(folder, name, data, size):
    """Make a file that ends in a hole."""
    with (folder / name).open("wb") as file:
        file.write(data)
        file.truncate(size)


@pytest.mark.parametrize("form", ["gnu", "pax"])
@pytest.mark.parametrize("packing", [None, "gz"])
def test_sparse_members(form, packing, tmp_path, monkeypatch):
    """A sparse file is read with its full length; one that is almost all hole is a bomb, and is not unpacked."""
    monkeypatch.setattr(members, "FREE", 1 << 20)
    sparse(tmp_path, "whole", LONG, len(LONG) + 500_000)
    sparse(tmp_path, "hollow", GOOD, 2 << 30)
    (tmp_path / "plain").write_bytes(OTHER)
    command = ["tar", "--sparse", f"--format={form}", "-cf", "a.tar", "whole", "hollow", "plain"]
    try:
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("no tar here")
    if done.returncode or (tmp_path / "a.tar").stat().st_size > 1 << 20:
        pytest.skip("the tar here, or this file system, knows no holes")
    data = (tmp_path / "a.tar").read_bytes()
    found = read(tmp_path / "a", PACK[packing](data) if packing else data)
    assert found["whole"].sha256 == hashlib.sha256(LONG + bytes(500_000)).hexdigest()
    assert found["plain"].data == OTHER.strip()
    assert "times its size: not read" in found["hollow"].reason
    assert found[""].archive


# no regular files


def test_devices_and_empty_folders(tmp_path):
    """A link to a device is not read, because it has no end; an empty folder has no row."""
    (tmp_path / "zero").symlink_to("/dev/zero")
    (tmp_path / "none").symlink_to("/dev/null")
    assert "a device" in read(tmp_path / "zero")[""].reason
    assert "a device" in read(tmp_path / "none")[""].reason


def test_a_file_that_goes_meanwhile(tmp_path):
    """A file that is gone, or has become a folder, when it is read has a row with the reason."""
    for name in ("a", "b", "c"):
        (tmp_path / name).write_bytes(GOOD)
    found = list(archives.pieces([tmp_path / name for name in ("a", "b", "c")]))
    (tmp_path / "a").unlink()
    (tmp_path / "b").unlink()
    (tmp_path / "b").mkdir()
    gone, folder, there = map(archives.fetch, found)
    assert "No such file" in gone.reason
    assert "a folder" in folder.reason
    assert there.data == GOOD.strip()


def test_an_archive_that_changes_meanwhile(tmp_path):
    """Members of a zip that is rewritten meanwhile come from the new one or are named; none has another's content."""
    path = tmp_path / "a.zip"
    path.write_bytes(zipped(TWO))
    found = list(archives.pieces([path]))
    assert archives.fetch(found[0]).data == GOOD.strip()
    path.write_bytes(zipped({"b.mjlog": OTHER}))
    os.utime(path, (1e9, 1e9))
    late = archives.fetch(found[1])
    assert late.reason or late.data == OTHER.strip()
    path.unlink()
    assert archives.fetch(found[1]).reason


@pytest.mark.parametrize("level", [1, 9])
def test_gzip_with_all_its_heads(level, tmp_path):
    """Name, comment, extra field and checksum in the head, two streams in a row, and zeros after them are accepted."""
    packed = zlib.compressobj(level, wbits=-15)
    body = packed.compress(GOOD[:300]) + packed.flush()
    head = struct.pack("<BBBBIBB", 0x1F, 0x8B, 8, 0b11110, 0, 0, 3)
    head += struct.pack("<H", 4) + b"abcd" + b"name\0" + b"comment\0"
    head += struct.pack("<H", zlib.crc32(head) & 0xFFFF)
    one = head + body + struct.pack("<II", zlib.crc32(GOOD[:300]), 300)
    found = read(tmp_path / "a.gz", one + gzip.compress(GOOD[300:], level) + bytes(700))
    assert found[""].data == GOOD.strip()
    assert not found[""].cut


def test_names_that_are_no_names(tmp_path):
    """Members with empty names, dots, or a slash at the end have a row each."""
    logs = {"": GOOD, ".": GOOD, "./c.mjlog": GOOD, "d!e.mjlog": GOOD, "f ": GOOD}
    data = zipped({name or " ": each for name, each in logs.items()})
    found = read(tmp_path / "a.zip", data)
    assert set(found) == {" ", ".", "./c.mjlog", "d!e.mjlog", "f ", ""}
    found = read(tmp_path / "b.tar", tarred({name or " ": each for name, each in logs.items()}))
    assert {Path(name).name for name in found} >= {"c.mjlog", "d!e.mjlog"}
    assert len(found) == 6


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz"])
def test_bytes_after_a_compressed_log(kind, tmp_path):
    """Bytes after a compressed log are ignored, as gzip does. Damage within the stream is reported as damage."""
    packed = PACK[kind](GOOD)
    found = read(tmp_path / "a", packed + b"garbage, garbage, garbage, garbage")[""]
    assert found.data == GOOD.strip()
    assert not found.cut
    assert "something else stands behind the" in found.reason
    damaged = read(tmp_path / "b", packed[:-6] + bytes(6))[""]
    assert damaged.cut or not damaged.readable
    assert "damaged" in damaged.reason
