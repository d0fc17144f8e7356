"""A run that is killed at any moment leaves a readable dataset, and the next run completes it."""

from __future__ import annotations

import random
import signal
import time

import pytest

from tests.kit.audits import CHECKS, LOGS
from tests.kit.containers import zipped
from tests.kit.datasets import place, process, rows, whole

pytestmark = pytest.mark.long
FAULTY = (CHECKS / "w106_fu" / "fail.mjlog").read_bytes()
MOMENTS = 20


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Give a folder of games, a faulty game, copies, an archive, and a file that is no log."""
    folder = tmp_path_factory.mktemp("crash") / "logs"
    games = [path.read_bytes() for path in LOGS[:5]]
    for number, data in enumerate([*games, FAULTY, games[0] + b"\n", b"no log"]):
        place(folder / f"{number}.mjlog", data)
    place(folder / "a.zip", zipped({f"{number}.mjlog": data for number, data in enumerate(games[2:])}))
    return folder


@pytest.fixture(scope="module")
def undisturbed(logs, tmp_path_factory):
    """Give the rows and the duration of a run that nothing disturbs."""
    out = tmp_path_factory.mktemp("undisturbed") / "out"
    begun = time.monotonic()
    assert not ended(process(out, logs))
    return rows(out), time.monotonic() - begun


def ended(run):
    """Wait for a process; say whether it was killed."""
    _, errors = run.communicate()
    assert "Traceback" not in errors
    assert run.returncode in (0, 1, -signal.SIGKILL), errors
    return run.returncode == -signal.SIGKILL


@pytest.mark.parametrize("first", [(), ("--ignore", "P")], ids=["into nothing", "over another audit"])
def test_killed_within_a_change(first, logs, undisturbed, tmp_path):
    """A run is killed in the middle of its n-th change on disk, with growing n, until a run ends by itself."""
    out = tmp_path / "out"
    if first:
        assert not ended(process(out, logs, *first))
    kills = 0
    # Each run continues after the killed one, so its n-th change comes later.
    for at in (3, 9, 14, 17, 21, 25, 30, 33, 38, 60, 8, 16):
        if not ended(process(out, logs, "--jobs", "1", kill_at=at)):
            break
        kills += 1
        whole(out)
    assert kills >= 5
    ended(process(out, logs, "--jobs", "1"))
    assert rows(out) == undisturbed[0]
    assert len(set(map(frozenset, whole(out).values()))) == 1
    assert not (out / ".staged").exists()


def test_killed_at_random_moments(logs, undisturbed, tmp_path):
    """A run with workers is killed at random moments; every other run audits everything anew."""
    chance = random.Random(1)
    wanted, seconds = undisturbed
    out = tmp_path / "out"
    kills = 0
    for moment in range(MOMENTS):
        run = process(out, logs, "--jobs", "2", *(["--force"] if moment % 2 else []))
        time.sleep(seconds * chance.uniform(0.2, 1.1))
        run.kill()
        kills += ended(run)
        if out.exists():
            whole(out)
    assert kills
    assert not ended(process(out, logs))
    assert rows(out) == wanted
    assert not (out / ".staged").exists()
