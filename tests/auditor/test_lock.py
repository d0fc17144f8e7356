"""The dataset's lock between processes: who holds it, what releases it, and file systems without locks."""

from __future__ import annotations

import errno
import os
import subprocess
import sys

import pytest

from auditor.dataset import lock
from auditor.dataset.writing import OutputError

HOLDER = """
import sys
from pathlib import Path
from auditor.dataset import lock
with lock.taken(Path(sys.argv[1]), wait=False):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path):
    """Give a process that holds the lock of the folder ``out`` until it ends."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path / "out")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_another_process_is_named(holder, tmp_path):
    """A refused process is told which process writes; killing that process releases the lock."""
    with (
        pytest.raises(OutputError, match=rf"another run writes there \(process {holder.pid}\)"),
        lock.taken(tmp_path / "out", wait=False),
    ):
        pass
    holder.kill()
    holder.wait()
    with lock.taken(tmp_path / "out", wait=False) as held:
        held.still()
        assert (tmp_path / "out" / lock.LOCK).read_text("ascii") == f"process {os.getpid()}"


def test_the_lock_ends_with_the_context(tmp_path):
    """The end of the context releases the lock, also after an error; the lock file stays."""
    with pytest.raises(ValueError, match="within"), lock.taken(tmp_path, wait=False):
        raise ValueError("within")
    with lock.taken(tmp_path, wait=False):
        pass
    assert (tmp_path / lock.LOCK).exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no fcntl")
@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP])
def test_a_file_system_without_locks(number, tmp_path, monkeypatch):
    """A file system without locks is refused by name, since another kind of lock could be left over."""
    import fcntl

    def refuse(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", refuse)
    message = rf"\.lock: cannot be locked \({os.strerror(number)}\); give a folder of a local disk"
    with pytest.raises(OutputError, match=message), lock.taken(tmp_path, wait=False):
        pass
