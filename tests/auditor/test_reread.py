"""Reading the sources of a dataset again: each once, from any container, and only if it is unchanged."""

from __future__ import annotations

import hashlib
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from auditor.show import reread
from auditor.show.reread import Known, read_again
from auditor.sources import archives, log_files
from tests.kit.audits import CHECKS, LOGS, TENHOU

PLAIN, PACKED = (next(path for path in LOGS if path.name.endswith(end)) for end in (".mjlog", ".gz"))


def known(path, member=None, data=None):
    """Give what a dataset states about a source."""
    name = str(path) if member is None else f"{path}!{member}"
    return Known(
        name, str(path), member, frozenset() if data is None else frozenset([hashlib.sha256(data).hexdigest()])
    )


def reread_all(asked):
    """Read sources again; give the names of those with games, and the faults."""
    batches = list(read_again(asked, TENHOU.rules))
    came = [name for batch in batches for frames in batch.frames for name in frames.games["source"]]
    return came, {name: fault for batch in batches for name, fault in batch.faults.items()}


@pytest.fixture
def kept(tmp_path):
    """Store two logs in every way that a run can read; give the sources."""
    data = {path.name: path.read_bytes() for path in (PLAIN, PACKED)}
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for name, each in data.items():
            archive.writestr(f"in/{name}", each)
    with tarfile.open(tmp_path / "b.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "a.zip", "inner.zip")
        archive.add(PLAIN, PLAIN.name)
    (tmp_path / "lone").write_bytes(data[PLAIN.name])
    found = [known(tmp_path / "lone", None, data[PLAIN.name]), known(PACKED, None, data[PACKED.name])]
    for name, each in data.items():
        found += [
            known(tmp_path / "a.zip", f"in/{name}", each),
            known(tmp_path / "b.tar.gz", f"inner.zip!in/{name}", each),
        ]
    found += [known(tmp_path / "b.tar.gz", PLAIN.name, data[PLAIN.name])]
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/\xe3\x82.mjlog")  # Shift_JIS
    Path(odd).write_bytes(data[PLAIN.name])
    found += [known(log_files.shown(odd), None, data[PLAIN.name])]
    return found


def test_every_container(kept):
    """Files, compressed files, members, members of nested archives and names that are not UTF-8 are read."""
    came, faults = reread_all(kept)
    assert faults == {}
    assert sorted(came) == sorted(each.name for each in kept)


def test_each_is_read_once(kept, monkeypatch):
    """An archive is read once for all of its members, and only as far as needed."""
    opened, fetched = [], []
    pieces, fetch = archives.pieces, archives.fetch
    monkeypatch.setattr(archives, "pieces", lambda places: opened.extend(places) or pieces(opened[-1:]))
    monkeypatch.setattr(archives, "fetch", lambda piece: fetched.append(piece) or fetch(piece))
    reread_all(kept)
    assert len(opened) == len({each.path for each in kept})
    assert len(fetched) == len(kept)


def test_a_missing_or_changed_source_is_a_fault(tmp_path):
    """A missing or changed file or member is a fault and is not used; the others are."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("one.mjlog", PLAIN.read_bytes())
    cases = {
        known(tmp_path / "gone.mjlog"): "is not there any more",
        known(tmp_path): "is not there any more",
        known("nonsense://x/y"): "a scheme that is not known here; s3, gs, hdfs and file are",
        known(tmp_path / "a.zip", "two.mjlog"): "has no such member any more",
        known(tmp_path / "a.zip", "one.mjlog", b"other"): "has changed since it was audited",
        known(PLAIN, None, b"other"): "has changed since it was audited",
    }
    came, faults = reread_all([*cases, known(PACKED)])
    assert came == [str(PACKED)]
    assert set(faults) == {each.name for each in cases}
    assert all(faults[each.name].endswith(said) for each, said in cases.items())


def test_an_unreadable_source_gives_nothing():
    """An unreadable source gives no games, and no fault."""
    assert reread_all([known(CHECKS / "l001_unreadable" / "fail.mjlog")]) == ([], {})


def test_batches_are_bounded(kept, monkeypatch):
    """No more files are held at once than a batch has."""
    monkeypatch.setattr(reread, "BATCH_FILES", 3)
    sizes = [sum(len(frames.games) for frames in batch.frames) for batch in read_again(kept, TENHOU.rules)]
    assert sizes == [3, 3, 2]
