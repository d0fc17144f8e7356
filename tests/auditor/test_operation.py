"""Unattended runs: one writer at a time, orderly stopping, and reports for people and machines."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from auditor.audit.audit_batch import audit
from auditor.dataset import store
from auditor.run import run_batches
from tests.kit.audits import CHECKS, LOGS
from tests.kit.datasets import last_run, place, process, rows, run, whole

FAULTY = (CHECKS / "w106_fu" / "fail.mjlog").read_bytes()
CORRECT = (CHECKS / "w106_fu" / "pass.mjlog").read_bytes()
NOTE = CHECKS / "l006_contradiction" / "fail.mjlog"


def six_games(folder):
    """Write six games into a folder."""
    for number, path in enumerate(LOGS[:6]):
        place(folder / f"{number}.mjlog", path.read_bytes())
    return folder


@pytest.fixture
def logs(tmp_path):
    """Give a folder of six games."""
    return six_games(tmp_path / "logs")


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """Give a folder of 46 games; no test may change it."""
    folder = six_games(tmp_path_factory.mktemp("many") / "logs")
    for copy in range(40):
        place(folder / f"copy-{copy}.mjlog", CORRECT + b"\n" * copy)
    return folder


@pytest.fixture(scope="module")
def undisturbed(many, tmp_path_factory):
    """Give the rows of a run over them that nothing stops."""
    out = tmp_path_factory.mktemp("undisturbed") / "out"
    run(out, many)
    return rows(out)


def test_work_is_shared_evenly():
    """Little work is one batch; more is an even number of batches of one size, none larger than is allowed."""
    full = run_batches.BATCH_BYTES
    assert [run_batches.batch_bytes(todo) for todo in (0, 1, full)] == [full] * 3
    assert [run_batches.batch_bytes(n * full) for n in (2, 3, 4, 5)] == [full, 3 * full // 4, full, 5 * full // 6]


@pytest.mark.long
def test_one_writer_at_a_time(logs, tmp_path):
    """A second run into the same folder is refused and names the first; with --wait it runs after it."""
    out = tmp_path / "out"
    with store.locked(out, wait=False):
        result = run(out, logs, code=(2,))
        assert "another run writes there" in result.output
        assert "--wait" in result.output
        waiting = process(out, logs, "--wait")
        with pytest.raises(subprocess.TimeoutExpired):
            waiting.wait(timeout=2)
    assert waiting.wait() == 0
    waiting.communicate()
    assert last_run(out)["games"] == 6


def under_way(out, logs, jobs, **more):
    """Start a run over many logs; give its process when the first part is written."""
    begun = process(out, logs, "--jobs", jobs, **more)
    while not list((out / "sources").glob("*.parquet")):
        assert begun.poll() is None, begun.communicate()
        time.sleep(0.01)
    return begun


@pytest.mark.parametrize(("number", "jobs"), [
    (signal.SIGINT, "1"), (signal.SIGTERM, "2"),
    pytest.param(signal.SIGINT, "2", marks=pytest.mark.long), pytest.param(signal.SIGTERM, "1", marks=pytest.mark.long),
])  # fmt: skip
def test_stopped_by_a_signal(number, jobs, many, undisturbed, tmp_path):
    """On a signal, begun batches are finished and recorded; the same command continues from there."""
    out = tmp_path / "out"
    stopped = under_way(out, many, jobs)
    stopped.send_signal(number)
    printed, errors = stopped.communicate()
    assert stopped.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143}[number], errors
    assert "Traceback" not in errors
    assert f"stopped by {number.name}" in printed
    row = last_run(out)
    assert row["stopped"] == number.name
    assert 0 < row["audited"] < 46
    assert not (out / ".staged").exists()
    run(out, many)
    assert last_run(out)["unchanged"] == row["audited"]
    assert last_run(out)["stopped"] is None
    assert rows(out) == undisturbed


@pytest.mark.long
def test_stopped_with_its_workers(many, undisturbed, tmp_path):
    """A signal to all processes, as systemd sends it, leaves no traceback and a dataset that the next run completes."""
    out = tmp_path / "out"
    stopped = under_way(out, many, "2", start_new_session=True)
    os.killpg(stopped.pid, signal.SIGTERM)
    printed, errors = stopped.communicate()
    assert stopped.returncode == 143, errors
    assert "stopped by SIGTERM" in printed
    assert "Traceback" not in errors
    run(out, many)
    assert rows(out) == undisturbed


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.long)])
def test_stopped_at_once(jobs, many, undisturbed, tmp_path):
    """The first signal explains how to stop at once; the second does so, and the next run completes the dataset."""
    out = tmp_path / "out"
    stopped = under_way(out, many, jobs)
    stopped.send_signal(signal.SIGINT)
    line = stopped.stderr.readline()
    assert "SIGINT: finishing" in line
    assert "again" in line
    stopped.send_signal(signal.SIGINT)
    printed, errors = stopped.communicate()
    assert stopped.returncode == 130, errors
    assert "Traceback" not in errors
    assert "stopped" in printed + errors
    whole(out)
    run(out, many)
    assert rows(out) == undisturbed


def _children(process):
    """List the child processes of a process, as Linux states them."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [{name: Path(f"/proc/{child}/{name}").read_bytes() for name in ("cmdline", "status")} for child in children]


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="asks Linux for the processes that a run has")
@pytest.mark.parametrize("fresh", [True, False])
@pytest.mark.long
def test_ctrl_c_while_workers_start(fresh, logs, tmp_path):
    """Ctrl-C also reaches workers that do not yet ignore it: they print nothing."""
    out = tmp_path / "out"
    stopped = process(out, logs, "--jobs", "2", fresh=fresh, start_new_session=True)
    workers = []
    while not (workers and out.exists()):
        assert stopped.poll() is None, stopped.communicate()
        workers = [child for child in _children(stopped.pid) if b"resource_tracker" not in child["cmdline"]]
        time.sleep(0.01)
    for worker in workers:
        masks = re.findall(rb"^Sig(?:Blk|Ign):\s*(\w+)$", worker["status"], re.MULTILINE)
        assert any(int(mask, 16) >> (signal.SIGINT - 1) & 1 for mask in masks)
    os.killpg(stopped.pid, signal.SIGINT)
    printed, errors = stopped.communicate()
    assert stopped.returncode == 130, errors
    assert "stopped by SIGINT" in printed
    assert "Traceback" not in errors
    run(out, logs)
    run(tmp_path / "undisturbed", logs)
    assert rows(out) == rows(tmp_path / "undisturbed")


@pytest.mark.parametrize(
    ("log", "fail_on", "code"),
    [
        (FAULTY, "error", 0), (FAULTY, "rule", 1), (FAULTY, "note", 1), (FAULTY, "never", 0), (CORRECT, "note", 0),
        (b"no log", "error", 1), (b"no log", "never", 0),
    ],
)  # fmt: skip
def test_fail_on(log, fail_on, code, tmp_path):
    """--fail-on chooses the severity from which the exit code is 1."""
    place(tmp_path / "log", log)
    run(tmp_path / "out", tmp_path / "log", "--fail-on", fail_on, code=(code,))


@pytest.mark.parametrize(("fail_on", "code"), [("error", 0), ("rule", 0), ("note", 1)])
def test_fail_on_ignores_milder_findings(fail_on, code, tmp_path):
    """A copy of a game is only a note."""
    for name in "ab":
        place(tmp_path / "logs" / name, LOGS[0].read_bytes())
    run(tmp_path / "out", tmp_path / "logs", "--fail-on", fail_on, code=(code,))


def test_summary_file(tmp_path):
    """Each run writes a summary file: counts, findings by code, what was not checkable, which files were not read."""
    for name, log in {"a": FAULTY, "b.mjlog": b"no log", "c": LOGS[0].read_bytes()}.items():
        place(tmp_path / "logs" / name, log)
    run(tmp_path / "out", tmp_path / "logs")
    (path,) = (tmp_path / "out" / "summaries").iterdir()
    record = json.loads(path.read_text())
    assert [record[name] for name in ("files", "audited", "unreadable", "games", "findings")] == [3, 2, 1, 2, 2]
    assert record["findings_by_code"] == {"L001": 1, "W106": 1}
    assert sum(record["findings_by_severity"].values()) == 2
    (unread,) = record["not_read"]
    assert (unread["path"], unread["member"], unread["status"]) == (
        str(tmp_path / "logs" / "b.mjlog"),
        None,
        "unreadable",
    )
    assert "no known log format" in unread["reason"]
    assert record["not_checkable"]["D103"]["of"] >= record["not_checkable"]["D103"]["rows"] > 0
    assert record["games_per_second"] > 0
    row = last_run(tmp_path / "out")
    assert (record["audit"], record["version"]) == (row["audit"], row["version"])


def test_json_lines(logs, tmp_path):
    """With --log-json every line on stderr is JSON; the last one reports the end."""
    result = run(tmp_path / "out", logs, "--log-json")
    events = [json.loads(line) for line in result.stderr.splitlines()]
    assert events[-1]["event"] == "end"
    assert events[-1]["games"] == 6
    assert "games" in result.stdout


def test_a_failed_run_in_json(tmp_path):
    """With --log-json the error that ends a run is JSON, too."""
    result = run(tmp_path / "out", tmp_path / "gone", "--log-json", code=(2,))
    record = json.loads(result.stderr)
    assert record["event"] == "error"
    assert "no such file or folder" in record["message"]


def test_progress(logs, tmp_path, monkeypatch):
    """Progress is lines without a terminal, a bar on request, and nothing with none."""
    monkeypatch.setattr("auditor.run.progress.EVERY", 0.0)
    assert "6 games" in run(tmp_path / "1", logs).stderr
    assert "6 games" in run(tmp_path / "2", logs, "--progress", "log").stderr
    bar = run(tmp_path / "3", logs, "--progress", "bar").stderr
    assert "100%" in bar
    assert "games=6" in bar
    assert run(tmp_path / "4", logs, "--progress", "none").stderr == ""


def test_a_log_that_breaks_the_auditor(logs, tmp_path, monkeypatch):
    """A log that raises within the auditor is one unreadable file with the reason; all others are audited."""

    def broken(files, options):
        if any(file.name.endswith("3.mjlog") and file.data for file in files):
            raise KeyError("nobody foresaw it")
        return audit(files, options)

    monkeypatch.setattr("auditor.audit.audit_batch.audit", broken)
    run(tmp_path / "out", logs, code=(1,))
    monkeypatch.undo()
    record = json.loads(next((tmp_path / "out" / "summaries").iterdir()).read_text())
    assert (record["games"], record["unreadable"]) == (5, 1)
    assert record["not_read"][0]["path"].endswith("3.mjlog")
    assert "KeyError" in record["not_read"][0]["reason"]
    assert record["findings_by_code"] == {"L001": 1}
