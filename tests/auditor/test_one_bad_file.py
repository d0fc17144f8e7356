"""A run survives any one file: that file alone is named with its reason, and its neighbours are audited."""

from __future__ import annotations

import io
import lzma
import sqlite3
import tarfile
import tracemalloc
import zipfile
import zlib
from pathlib import Path

import pytest

from auditor.sources import archives, log_files, members, streams
from auditor.sources.piece import Names
from tests.kit.containers import PACK, database, tarred, zipped
from tests.kit.source_runs import GOOD, OTHER, statuses


def fetched(folder):
    """Read what is in a folder, without auditing it; give the sources by name within folder or archive."""
    found = [archives.fetch(piece) for piece in archives.pieces(log_files.find([folder]))]
    return {each.member or Path(each.path).name: each for each in found}


def beside(folder, name, data):
    """Write a file beside a good one; give the folder."""
    folder.mkdir()
    (folder / name).write_bytes(data)
    (folder / "good.mjlog").write_bytes(OTHER)
    return folder


def head(name, size, kind=tarfile.REGTYPE, more=None):
    """Make the head of a tar's member that states this size."""
    info = tarfile.TarInfo(name)
    info.size, info.type = size, kind
    if more:
        info.pax_headers = more
        return info.tobuf(tarfile.PAX_FORMAT)
    return info.tobuf(tarfile.GNU_FORMAT)


def block(data):
    """Fill data up to a multiple of a tar's block."""
    return data + bytes(-len(data) % 512)


FIRST = tarred({"first.mjlog": GOOD}, tarfile.GNU_FORMAT).rstrip(b"\0")
FIRST += bytes(-len(FIRST) % 512)
DIGITS = block(b"9" * 200_000)
TARS = {
    "a negative size": FIRST + head("evil", -512) + bytes(1024),
    "a size that leads back to the start": FIRST + head("evil", -(len(FIRST) + 512)) + bytes(1024),
    "a negative size, as pax states it": FIRST + head("evil", 0, more={"size": "-1024"}) + bytes(1024),
    "a name of 4 EiB": FIRST + head("././@LongLink", 1 << 62, tarfile.GNUTYPE_LONGNAME) + bytes(1024),
    "a pax head of 4 EiB": FIRST + head("pax", 1 << 62, tarfile.XHDTYPE) + bytes(1024),
    "a pax head that is one number": FIRST + head("pax", len(DIGITS), tarfile.XHDTYPE) + DIGITS + bytes(1024),
    "a member of 4 EiB": FIRST + head("evil", 1 << 62) + bytes(1024),
    "names upon names": FIRST
    + (head("././@LongLink", 5, tarfile.GNUTYPE_LONGNAME) + block(b"name\0")) * 3000
    + bytes(1024),
}


@pytest.mark.parametrize("packing", [None, "gz"])
@pytest.mark.parametrize("what", TARS)
def test_tars_that_lie(what, packing, tmp_path):
    """A tar is read as far as it is plausible, within the memory that there is, and the reason says where it ends."""
    data = TARS[what] if packing is None else PACK[packing](TARS[what])
    seen = fetched(beside(tmp_path / "logs", "lies.tar", data))
    assert seen["first.mjlog"].data == GOOD.strip()
    assert seen["good.mjlog"].data == OTHER.strip()
    assert not seen["lies.tar"].archive
    assert "cut or damaged after" in seen["lies.tar"].reason
    assert len(seen) <= 4


@pytest.mark.parametrize("name", ["neg_self.tar", "long_huge.tar", "tilde.zip.gz"])
def test_shared_trials(name, shared, tmp_path):
    """Files that once made a run hang, or lose all their neighbours."""
    data = (shared / "trials" / name).read_bytes()
    seen = statuses(tmp_path / "out", beside(tmp_path / "logs", "trial", data))
    assert seen.pop("good.mjlog") == ("audited", "")
    assert seen["trial"][0] == ("archive" if "tilde" in name else "unreadable")


def test_names_that_grow(tmp_path):
    """Members a, a~2, a~2~2 … and repeats of them: each has a row with a unique name."""
    names = ["a"]
    while len(names) < 1100:
        names.append(f"{names[-1]}~2")
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, b"x")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a", b"x")
    (tmp_path / "a.zip").write_bytes(file.getvalue())
    found = [piece.member for piece in archives.pieces([tmp_path / "a.zip"])]
    assert found[:1100] == names
    assert len(set(found)) == 1102
    given = Names()
    assert [given.only(name) for name in ("a", "a~2", "a", "a", "a~2", "a~3")] == [
        "a", "a~2", "a~3", "a~4", "a~2~2", "a~3~2",
    ]  # fmt: skip


def hole(path, size):
    """Make a file that is only a hole; skip if the file system has no holes."""
    try:
        with path.open("wb") as file:
            file.truncate(size)
    except OSError as error:
        pytest.skip(f"no file of {size} bytes here: {error}")
    if path.stat().st_blocks > 1000:
        pytest.skip("no holes in files here")


@pytest.mark.parametrize("size", [3 << 30, 100 << 30])
def test_files_with_nothing_in_them(size, tmp_path):
    """A file that is larger than any log is not read, whatever its size, and takes less than a MiB of memory."""
    folder = beside(tmp_path / "logs", "a.mjlog", b"")
    hole(folder / "a.mjlog", size)
    hole(folder / "b", size)
    tracemalloc.start()
    odd = [archives.fetch(piece) for piece in archives.pieces([folder / "a.mjlog", folder / "b"])]
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1 << 20
    assert [each.reason for each in odd] == ["larger than 256 MiB: not read"] * 2
    assert [each.size for each in odd] == [size] * 2
    seen = statuses(tmp_path / "out", folder)
    assert {name: status for name, (status, _) in seen.items()} == {
        "a.mjlog": "unreadable", "b": "ignored", "good.mjlog": "audited",
    }  # fmt: skip


def test_plain_and_packed_files_have_one_limit(tmp_path, monkeypatch):
    """A file and a member have the same size limit: one byte more is too much."""
    for module in (streams, members, archives):
        monkeypatch.setattr(module, "MOST_BYTES", len(GOOD))
    (tmp_path / "just").write_bytes(GOOD)
    (tmp_path / "more").write_bytes(GOOD + b"\n")
    (tmp_path / "more.tar").write_bytes(tarred({"more": GOOD + b"\n", "just": GOOD}))
    found = [archives.fetch(piece) for piece in archives.pieces(sorted(tmp_path.iterdir()))]
    assert [each.readable for each in found] == [True, False, False, True, False]
    assert all("not read" in each.reason for each in found[1:3])


def test_memory_that_a_head_asks_for(tmp_path):
    """An xz stream that claims to need 4 GiB is refused without allocating them."""
    data = bytearray(lzma.compress(GOOD))
    length = (data[12] + 1) * 4
    at = data.index(b"\x21\x01", 12)
    data[at + 2] = 40
    data[12 + length - 4 : 12 + length] = zlib.crc32(data[12 : 12 + length - 4]).to_bytes(4, "little")
    seen = statuses(tmp_path / "out", beside(tmp_path / "logs", "a.xz", bytes(data)))
    assert "damaged xz: Memory usage limit" in seen["a.xz"][1]
    assert seen["good.mjlog"] == ("audited", "")


def test_a_bomb_in_a_zip_that_is_cut(tmp_path, monkeypatch):
    """A cut zip has no directory with sizes: a member that grows too much is dropped, as in a whole zip."""
    monkeypatch.setattr(members, "FREE", 1 << 16)
    data = zipped({"good.mjlog": GOOD, "bomb": bytes(16 << 20)})
    (tmp_path / "a.zip").write_bytes(data[: data.rindex(b"PK\x01\x02")])
    good, bomb, whole = (archives.fetch(piece) for piece in archives.pieces([tmp_path / "a.zip"]))
    assert good.data == GOOD.strip()
    assert "unpacks to too much" in bomb.reason
    assert "1 whole members" in whole.reason


def test_a_row_larger_than_a_log(tmp_path, monkeypatch):
    """A row that is larger than any log is not read; its neighbours are."""
    monkeypatch.setattr(members, "MOST_BYTES", 1 << 20)
    logs = {"a": GOOD, "b": b"<" + b" " * (2 << 20), "c": OTHER}
    (tmp_path / "logs").mkdir()
    database(tmp_path / "logs" / "x.db", "plain text", logs)
    seen = statuses(tmp_path / "out", tmp_path / "logs")
    assert seen["a"] == seen["c"] == ("audited", "")
    assert seen["b"][0] == "unreadable"
    assert "too big" in seen["b"][1]


def test_a_database_that_another_program_has_to_itself(tmp_path):
    """A locked database is reported after a moment; the run does not wait for the lock."""
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "good.mjlog").write_bytes(GOOD)
    database(tmp_path / "logs" / "x.db", "plain text", {"a": GOOD})
    connection = sqlite3.connect(tmp_path / "logs" / "x.db")
    connection.execute("PRAGMA journal_mode = wal")
    connection.execute("PRAGMA locking_mode = exclusive")
    connection.execute("BEGIN EXCLUSIVE")
    connection.execute("INSERT INTO logs VALUES ('b', 'x')")
    seen = statuses(tmp_path / "out", tmp_path / "logs")
    connection.close()
    assert seen["good.mjlog"] == ("audited", "")
    assert seen["x.db"] == ("unreadable", "cannot be read: database is locked (SQLite)")


def test_a_database_whose_pages_lead_to_one_place(tmp_path):
    """A page that the tree reaches many times is read once, and its rows do not appear under other ids."""
    path = tmp_path / "x.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE logs (id TEXT, log BLOB)")
    connection.executemany("INSERT INTO logs VALUES (?, ?)", [(f"{place}", GOOD) for place in range(200)])
    connection.commit()
    connection.close()
    data = bytearray(path.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    root = next(at for at in range(size, len(data), size) if data[at] == 5)  # the page above the others
    cells = int.from_bytes(data[root + 3 : root + 5], "big")
    pointers = [int.from_bytes(data[root + 12 + 2 * cell : root + 14 + 2 * cell], "big") for cell in range(cells)]
    child = data[root + pointers[0] : root + pointers[0] + 4]
    for pointer in pointers:
        data[root + pointer : root + pointer + 4] = child
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "x.db").write_bytes(data)
    seen = statuses(tmp_path / "out", tmp_path / "logs")
    assert "the same row again" in seen["x.db"][1] or "malformed" in seen["x.db"][1]
    assert len(seen) < 200


@pytest.mark.parametrize("error", [MemoryError(), RecursionError("deep"), AssertionError("unforeseen"), KeyError("x")])
@pytest.mark.parametrize("stage", ["of_zip", "fetched"])
def test_any_exception_concerns_one_file(stage, error, tmp_path, monkeypatch):
    """Any exception, at any stage, makes only that file unreadable."""

    def fail(*_, **__):
        raise error

    folder = beside(tmp_path / "logs", "a.zip", zipped({"b.mjlog": GOOD}))
    if stage == "of_zip":
        monkeypatch.setattr(members, "of_zip", fail)
    else:
        monkeypatch.setattr(archives, "_zip", fail)
    seen = fetched(folder)
    assert seen["good.mjlog"].data == OTHER.strip()
    odd = seen["a.zip" if stage == "of_zip" else "b.mjlog"]
    assert not odd.readable
    assert type(error).__name__ in odd.reason or str(error) in odd.reason
