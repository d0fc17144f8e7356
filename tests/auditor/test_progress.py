"""The progress of a run: bytes done of known bytes, shares of running batches, and the effect of signals."""

from __future__ import annotations

import gzip
import io
import json
import signal

import pytest

from auditor.base import steps
from auditor.base.choices import Show
from auditor.base.steps import Board
from auditor.run import progress, stopping
from auditor.run import run_batches as running
from auditor.run.totals import Totals
from tests.kit.audits import CHECKS, LOGS
from tests.kit.datasets import place, run

CORRECT = (CHECKS / "w106_fu" / "pass.mjlog").read_bytes()


class Clock:
    """A clock that a test sets, in seconds."""

    now = 0.0

    def __call__(self):
        """Give the time."""
        return self.now


@pytest.fixture
def board():
    """Give a board for three batches."""
    return Board.of(3)


def test_bytes_are_counted(board):
    """A batch counts by its share of the estimated bytes; the actual bytes replace the estimate."""
    meter = progress.Meter(board)
    meter.listed(2, 800)
    meter.begun(0, 1000, 600)
    assert (meter.reached, meter.known) == (0, 1200)
    board.cells[0] = 0.25
    assert meter.reached == 250
    meter.begun(1, 100, 100)
    board.cells[1] = 1.0  # done, but not its turn yet
    assert meter.reached == 350
    meter.done(0, Totals(files=1, games=5))
    board.clear(0)
    assert meter.reached == 1100
    assert meter.counted["games"] == 5
    meter.done(None, Totals(files=7, unchanged=7))
    assert meter.reached == 1100
    assert meter.counted["unchanged"] == 7


@pytest.mark.parametrize("as_json", [False, True])
def test_lines_come_by_the_clock(board, as_json, capsys):
    """A line is printed every half minute, even if no batch ends."""
    clock = Clock()
    lines = progress.Lines(board, as_json=as_json, clock=clock)
    lines.listed(1, 4000)
    lines.begun(0, 4000, 4000)
    printed = []
    for clock.now, share in ((29.0, 0.1), (30.0, 0.25), (59.0, 0.3), (60.0, 0.5), (61.0, 0.6)):
        board.cells[0] = share
        lines.tick()
        printed.append(capsys.readouterr().err)
    assert [bool(text) for text in printed] == [False, True, False, True, False]
    if as_json:
        assert [json.loads(printed[at])["done_bytes"] for at in (1, 3)] == [1000, 2000]
        assert json.loads(printed[1])["known_bytes"] == 4000
    else:
        assert "1,000 done bytes, 4,000 known bytes" in printed[1]


def test_the_bar_moves_within_a_batch(board, capsys):
    """Each look at the bar draws it anew with the current share."""
    bar = progress.Bar(board, clock=Clock())
    bar.listed(1, 1 << 20)
    bar.begun(2, 1 << 20, 1 << 20)
    for share in (0.25, 0.5, 0.75):
        board.cells[2] = share
        bar.tick()
    bar.bar.close()
    drawn = capsys.readouterr().err
    for percent in (" 25%", " 50%", " 75%"):
        assert percent in drawn


def test_the_board_is_looked_at_now_and_then(board, monkeypatch, capsys):
    """On a terminal the board is drawn at least twice a second."""
    assert progress.TICK <= 0.5
    ticks = []

    class Over:
        """Say five times that the run is not over."""

        def wait(self, seconds):
            """Note the time of waiting."""
            ticks.append(seconds)
            return len(ticks) > 5

        def set(self):
            """End the run."""

    monkeypatch.setattr(progress, "Event", Over)
    with progress.shown(Show.bar, board, as_json=False):
        pass
    assert ticks == [progress.TICK] * 6
    assert capsys.readouterr().err


@pytest.fixture
def shares(monkeypatch):
    """Collect the shares that a batch reports in this process, in order."""
    shares = []
    real = steps.reached

    def noted(share):
        real(share)
        shares.append(steps._Here.board.share(steps._Here.slot))

    monkeypatch.setattr(steps, "reached", noted)
    return shares


@pytest.mark.parametrize("kind", ["one large file", "many files"])
def test_a_batch_reports_its_progress(kind, shares, tmp_path):
    """A batch reports its share while reading and after each check, and it never decreases."""
    log = gzip.compress(CORRECT) if kind == "one large file" else None
    if log:
        place(tmp_path / "logs" / "a.mjlog.gz", log)
    else:
        for number, path in enumerate(LOGS[:3]):
            place(tmp_path / "logs" / f"{number}.mjlog", path.read_bytes())
    run(tmp_path / "out", tmp_path / "logs")
    assert shares == sorted(shares)
    assert len(set(shares)) > 50
    assert shares[-1] == 1.0
    assert shares[0] < running.FETCHED


def test_packed_files_are_taken_for_more(tmp_path, monkeypatch):
    """Estimates for packed files are of the right order, when listed and when opened; at the end all bytes are done."""
    seen = []

    class Watched(progress.Meter):
        def listed(self, files, size):
            super().listed(files, size)
            seen.append((files, size))

        def ended(self, stopped):
            assert stopped is None
            assert self.reached == self.known == len(data)

    monkeypatch.setattr(progress, "Lines", Watched)
    data = CORRECT + b"\n" * 5
    place(tmp_path / "logs" / "a.mjlog.gz", packed := gzip.compress(data))
    run(tmp_path / "out", tmp_path / "logs")
    run(tmp_path / "out", tmp_path / "logs", "--force")
    assert seen == [(1, 8 * len(packed))] * 2


def test_a_signal_is_answered_at_once(board, capsys):
    """The first signal prints one line: what still runs, and how to stop at once. No new batch begins."""
    meter = progress.Meter(board)
    meter.begun(0, 10, 10)
    meter.begun(1, 10, 10)
    meter.begun(2, 10, 10)
    for slot in (0, 1):
        with steps.batch(slot, board):
            pass
    meter.stopping("SIGINT")
    (line,) = capsys.readouterr().err.splitlines()
    assert "SIGINT: finishing 2 batches begun" in line
    assert "Ctrl-C again" in line
    assert "at once" in line
    assert "nothing begun is kept" in line
    steps.share_with(board.cells)
    assert running.work([], None, None, 0) is None


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_the_second_signal(number, code, monkeypatch):
    """Another thread prints the first line while native code runs; the second signal ends the process."""
    heard, ended = [], []
    ear = io.BytesIO(bytes([number, signal.SIGWINCH, number]))
    ear.recv = ear.read
    monkeypatch.setattr(stopping.os, "_exit", ended.append)
    stop = stopping.Stop(heard=lambda by: heard.append(("heard", by)), halted=lambda by: heard.append(("halted", by)))
    stop._listen(ear)
    assert stop.by == number.name
    assert heard == [("heard", number.name), ("halted", number.name)]
    assert ended == [code]
