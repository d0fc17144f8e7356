"""What a run shows: bytes done of those known of, batches under way by their share, and what a signal does."""

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
    """Seconds as a test tells them."""

    now = 0.0

    def __call__(self):
        """Give them."""
        return self.now


@pytest.fixture
def board():
    """Give a board for three batches."""
    return Board.of(3)


def test_bytes_are_counted(board):
    """What is listed is known of; a batch counts by its share; what it was taken for is replaced by what it is."""
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
    """A line every half minute, though no batch ends."""
    clock = Clock()
    lines = progress.Lines(board, as_json=as_json, clock=clock)
    lines.listed(1, 4000)
    lines.begun(0, 4000, 4000)
    told = []
    for clock.now, share in ((29.0, 0.1), (30.0, 0.25), (59.0, 0.3), (60.0, 0.5), (61.0, 0.6)):
        board.cells[0] = share
        lines.tick()
        told.append(capsys.readouterr().err)
    assert [bool(text) for text in told] == [False, True, False, True, False]
    if as_json:
        assert [json.loads(told[at])["done_bytes"] for at in (1, 3)] == [1000, 2000]
        assert json.loads(told[1])["known_bytes"] == 4000
    else:
        assert "1,000 done bytes, 4,000 known bytes" in told[1]


def test_the_bar_moves_within_a_batch(board, capsys):
    """Each look draws it anew, with how much is done by then."""
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
    """At least twice a second on a terminal, whatever the run does meanwhile."""
    assert progress.TICK <= 0.5
    ticks = []

    class Over:
        """Say five times that the run goes on."""

        def wait(self, seconds):
            """Note how long it would be waited."""
            ticks.append(seconds)
            return len(ticks) > 5

        def set(self):
            """Be over."""

    monkeypatch.setattr(progress, "Event", Over)
    with progress.shown(Show.bar, board, as_json=False):
        pass
    assert ticks == [progress.TICK] * 6
    assert capsys.readouterr().err


@pytest.fixture
def told(monkeypatch):
    """Note what is told of a batch in this process, in order."""
    shares = []
    real = steps.reached

    def noted(share):
        real(share)
        shares.append(steps._Here.board.share(steps._Here.slot))

    monkeypatch.setattr(steps, "reached", noted)
    return shares


@pytest.mark.parametrize("kind", ["one large file", "many files"])
def test_a_batch_tells_how_far_it_is(kind, told, tmp_path):
    """Not only its end: reading, and each check, and never less than before."""
    log = gzip.compress(CORRECT) if kind == "one large file" else None
    if log:
        place(tmp_path / "logs" / "a.mjlog.gz", log)
    else:
        for number, path in enumerate(LOGS[:3]):
            place(tmp_path / "logs" / f"{number}.mjlog", path.read_bytes())
    run(tmp_path / "out", tmp_path / "logs")
    assert told == sorted(told)
    assert len(set(told)) > 50
    assert told[-1] == 1.0
    assert told[0] < running.FETCHED


def test_packed_files_are_taken_for_more(tmp_path, monkeypatch):
    """Bytes known of when a file is listed, and when it is opened, are of the same order; at the end all are done."""
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
    """What goes on, and how to end it harder, in one line; no batch is begun any more."""
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
    """The first is told by another thread, though the main one is in native code; the second ends the process."""
    heard, ended = [], []
    ear = io.BytesIO(bytes([number, signal.SIGWINCH, number]))
    ear.recv = ear.read
    monkeypatch.setattr(stopping.os, "_exit", ended.append)
    stop = stopping.Stop(heard=lambda by: heard.append(("heard", by)), halted=lambda by: heard.append(("halted", by)))
    stop._listen(ear)
    assert stop.by == number.name
    assert heard == [("heard", number.name), ("halted", number.name)]
    assert ended == [code]
