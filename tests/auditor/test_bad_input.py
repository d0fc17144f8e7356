"""Bad input on the command line: the message names the file and the place, and the rest of the run is unharmed."""

from __future__ import annotations

import errno
import gzip
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from auditor.cli.main import app
from auditor.dataset import store
from auditor.dataset.schema import PARTED
from auditor.run import run_batches
from tests.kit.audits import CHECKS, FIXTURES

GOOD = (CHECKS / "w106_fu" / "pass.mjlog").read_bytes()
FAULTY = (CHECKS / "w106_fu" / "fail.mjlog").read_bytes()
LONG = (FIXTURES / "logs" / "tenhou" / "2023112505gm-0009-0000-1917fe69.mjlog").read_bytes()
INIT = re.search(rb"<INIT[^>]*/>", GOOD)[0]


def auditor(*arguments):
    """Run the command line in this process."""
    return CliRunner().invoke(app, [str(each) for each in arguments])


def process(*arguments, **options):
    """Run the command line in a process of its own."""
    program = "from auditor.cli.main import main; main()"
    return subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=FIXTURES.parent,
        check=False,
        **options,
    )


def table(out, name):
    """Read one table of a dataset."""
    return pl.read_parquet(sorted((out / name).glob("*.parquet")))


def files(out):
    """List all files below a folder by relative path."""
    return sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())


def assert_nothing_half_written(out):
    """Check that no temporary file is left, and that every part is in all tables."""
    names = files(out)
    assert [name for name in names if name.endswith(".tmp") or name.startswith(store.STAGED)] == []
    parts = {folder: {Path(name).name for name in names if name.startswith(f"{folder}/")} for folder in PARTED}
    assert len({frozenset(found) for found in parts.values()}) == 1


# What the file is, the code of its finding, words of the reason.
UNREADABLE = {
    "empty": (b"", "L001", "empty"),
    "blank": (b" \n\t\n", "L001", "white space"),
    "binary": (bytes(range(256)) * 8, "L001", "binary"),
    "html": (b"<!DOCTYPE html>\n<html><body>not found</body></html>", "L001", "HTML page"),
    "html without doctype": (b"<HTML><body>busy</body></HTML>", "L001", "HTML page"),
    "text": (b"hello, this is no log\n", "L001", "no known log format"),
    "text about logs": (b"# A log begins with <mjloggm>\n", "L001", "no known log format"),
    "shift-jis": (GOOD.replace(b"%42", "山田".encode("shift_jis")), "L001", "not UTF-8 at byte"),
    "latin-1": (GOOD.replace(b"%42", b"Ren\xe9"), "L001", "not UTF-8 at byte"),
    "utf-16": (GOOD.decode().encode("utf-16"), "L001", "UTF-16"),
    "gzip of nothing": (gzip.compress(b""), "L001", "white space"),
    "gzip cut at once": (gzip.compress(LONG)[:12], "L001", "gzip stream ends before any data"),
    "gzip of rubbish": (b"\x1f\x8b" + b"rubbish" * 30, "L001", "damaged gzip"),
    "gzip of html": (gzip.compress(b"<html>busy</html>"), "L001", "HTML page"),
}


@pytest.fixture(scope="module")
def unreadable(tmp_path_factory):
    """Audit each of these files in a folder of its own beside a log; give the folder and the output of the one run."""
    top = tmp_path_factory.mktemp("unreadable")
    for what, (data, *_) in UNREADABLE.items():
        (top / "logs" / what).mkdir(parents=True)
        (top / "logs" / what / "bad.mjlog").write_bytes(data)
        (top / "logs" / what / "good.mjlog").write_bytes(GOOD)
    result = auditor("run", top / "logs", "--out", top / "out", "--ignore", "L005")
    assert result.exit_code == 1
    return top, result.stdout


@pytest.mark.parametrize("what", UNREADABLE)
def test_unreadable_file(what, unreadable):
    """An unreadable file gives one L001 with name and reason, also in ``sources``; the game beside it is audited."""
    _, code, reason = UNREADABLE[what]
    folder, out = unreadable[0] / "logs" / what, unreadable[0] / "out"
    own = pl.col("source").str.starts_with(f"{folder}/")
    found = table(out, "findings").filter(own)
    assert found.select("code", "source").rows() == [(code, str(folder / "bad.mjlog"))]
    assert reason in found["recorded"][0]
    assert f"{code} error {folder / 'bad.mjlog'}" in unreadable[1]
    seen = {row["path"]: row for row in table(out, "sources").filter(own).iter_rows(named=True)}
    assert {Path(path).name: row["status"] for path, row in seen.items()} == {
        "bad.mjlog": "unreadable",
        "good.mjlog": "audited",
    }
    assert reason in seen[str(folder / "bad.mjlog")]["reason"]
    assert len(table(out, "games").filter(own)) == len(table(out, "wins").filter(own)) == 1
    assert_nothing_half_written(out)


PACKED = gzip.compress(GOOD, compresslevel=0)  # the text is in the file literally

# What the file is, the codes of its findings, the first recorded value. All findings name a byte of the file.
DAMAGED = {
    "gzip cut in the middle": (gzip.compress(LONG)[:3000], ["L002"], "<"),
    "gzip cut between tags": (PACKED[: PACKED.index(b"</mjloggm>")], ["L002"], "gzip stream ends early"),
    "cut in a tag": (GOOD[:-60], ["L002"], "<AGARI"),
    "cut in INIT": (GOOD[: GOOD.index(INIT) + 60], ["L002"], "<INIT"),
    "cut between tags": (GOOD[: GOOD.index(b"<AGARI")], ["L002"], "the start of the round"),
    "root only": (b'<mjloggm ver="2.3">', ["L002"], ""),
    "root, closed": (b'<mjloggm ver="2.3"></mjloggm>', ["L002"], ""),
    "unknown tag": (GOOD.replace(b"<AGARI", b"<FOO/><AGARI"), ["L003"], "<FOO/>"),
    "unknown attribute": (GOOD.replace(b'who="0"', b'who="0" mood="glad"'), ["L003"], 'AGARI mood="glad"'),
    "tile out of range": (GOOD.replace(b'machi="', b'machi="9'), ["L003"], "AGARI machi="),
    "dealt tile out of range": (GOOD.replace(b'hai0="', b'hai0="136,'), ["L003"], "INIT hai0="),
    "drawn tile out of range": (re.sub(rb"<W\d+/>", b"<W136/>", GOOD), ["L003"], "<W136"),
    "table type out of range": (GOOD.replace(b'type="1"', b'type="65537"'), ["L003"], 'GO type="65537"'),
    "seat out of range": (GOOD.replace(b'fromWho="3"', b'fromWho="4"'), ["L003"], 'AGARI fromWho="4"'),
    "score out of range": (GOOD.replace(b'ten="300,', b'ten="9999999999,'), ["L003"], "INIT ten="),
    "no number": (GOOD.replace(b'ten="30,2000,0"', b'ten="thirty,2000,0"'), ["L003"], "AGARI ten="),
    "16 numbers in sc": (GOOD.replace(b',-20" owari', b',-20,0,0,0,0,0,0,0,0" owari'), ["L003"], "AGARI sc="),
    "6 numbers in sc": (GOOD.replace(b'sc="300,20,', b'sc="'), ["L003"], "AGARI sc="),
    "odd yaku": (GOOD.replace(b'yaku="7,1,8,1"', b'yaku="7,1,8"'), ["L003"], "AGARI yaku="),
    "missing attribute": (GOOD.replace(b'machi="96" ', b""), ["L003"], "AGARI without machi"),
    "unquoted attribute": (GOOD.replace(b'machi="96"', b"machi=96"), ["L003"], "AGARI without machi"),
    "owari without points": (re.sub(rb'owari="[^"]*"', b'owari="320"', GOOD), ["L003"], "owari="),
    "tag without end": (GOOD.replace(b"<AGARI", b"<FOO <AGARI"), ["L003"], "<FOO"),
}


@pytest.fixture(scope="module")
def damaged(tmp_path_factory):
    """Give the dataset of one run over all damaged logs, each in a folder of its own beside another log."""
    top = tmp_path_factory.mktemp("damaged")
    for what, (data, *_) in DAMAGED.items():
        (top / "logs" / what).mkdir(parents=True)
        (top / "logs" / what / "bad.mjlog").write_bytes(data)
        (top / "logs" / what / "good.mjlog").write_bytes(FAULTY)
    assert auditor("run", top / "logs", "--out", top / "out", "--ignore", "L005").exit_code == 1
    return top / "out"


@pytest.mark.parametrize("what", DAMAGED)
def test_damaged_log(what, damaged):
    """The fault is named with its byte; the rest of the log and the other logs are audited."""
    data, expected, recorded = DAMAGED[what]
    assert data not in (GOOD, LONG)
    folder, out = damaged.parent / "logs" / what, damaged
    found = table(out, "findings")
    assert found.filter(pl.col("source") == str(folder / "good.mjlog"))["code"].to_list() == ["W106"]
    bad = found.filter(pl.col("source") == str(folder / "bad.mjlog"))
    assert bad["code"].to_list() == expected
    assert bad["recorded"][0].startswith(recorded)
    text = {"gzip cut in the middle": LONG, "gzip cut between tags": GOOD}.get(what, data)
    assert text[bad["pos"][0] :].startswith(b"<")
    sources = table(out, "sources").filter(pl.col("path").str.starts_with(f"{folder}/"))
    assert sources["status"].to_list() == ["audited"] * 2
    assert_nothing_half_written(out)


def test_an_unreadable_value_is_not_checkable(tmp_path):
    """A win with unreadable fu is counted as not checkable, and is no finding."""
    (tmp_path / "bad.mjlog").write_bytes(FAULTY.replace(b'ten="40,', b'ten="fu,'))
    result = auditor("run", tmp_path / "bad.mjlog", "--out", tmp_path / "out")
    assert table(tmp_path / "out", "findings")["code"].to_list() == ["L003"]
    checks = {row["code"]: row for row in table(tmp_path / "out", "runs")["checks"][0]}
    assert (checks["W106"]["looked"], checks["W106"]["not_checkable"], checks["W106"]["findings"]) == (1, 1, 0)
    assert "W106" in result.stdout.partition("not checkable")[2]


def test_missing_init(tmp_path):
    """Play without a deal is out of order and named at its first tag; no hand is judged by it."""
    bad, good, out = tmp_path / "bad.mjlog", tmp_path / "good.mjlog", tmp_path / "out"
    bad.write_bytes(GOOD.replace(INIT, b""))
    good.write_bytes(FAULTY)
    assert auditor("run", bad, good, "--out", out).exit_code == 1
    found = table(out, "findings")
    at = found.filter(pl.col("source") == str(bad))
    assert at["code"][0] == "L004"
    assert bad.read_bytes()[at["pos"][0] :].startswith(b"<W")
    assert set(at["code"]) <= {"L002", "L004"}
    assert found.filter(pl.col("source") == str(good))["code"].to_list() == ["W106"]


def test_missing_init_between_rounds(tmp_path):
    """Play that goes on after a result is one finding, at its first event."""
    second = list(re.finditer(rb"<INIT[^>]*/>", LONG))[1]
    bad = tmp_path / "bad.mjlog"
    bad.write_bytes(LONG[: second.start()] + LONG[second.end() :])
    assert auditor("run", bad, "--out", tmp_path / "out").exit_code == 1
    found = table(tmp_path / "out", "findings")
    assert found.filter(pl.col("code") == "L004")["pos"].to_list() == [second.start()]


def test_all_bad_files_in_one_run(tmp_path):
    """All kinds of bad files in one folder: every file is in ``sources`` once, and every good one is audited."""
    folder, out = tmp_path / "logs", tmp_path / "out"
    folder.mkdir()
    for place, (data, *_) in enumerate([*UNREADABLE.values(), *DAMAGED.values()]):
        (folder / f"{place:02}-bad.mjlog").write_bytes(data)
        (folder / f"{place:02}-good").write_bytes(GOOD)
    assert auditor("run", folder, "--out", out, "--ignore", "L005").exit_code == 1
    sources = table(out, "sources")
    assert sorted(sources["path"]) == sorted(str(path) for path in folder.iterdir())
    good = sources.filter(pl.col("path").str.ends_with("-good"))
    assert set(good["status"]) == {"audited"}
    found = table(out, "findings")
    assert found.filter(pl.col("source").str.ends_with("-good")).rows() == []
    assert found["code"].to_list().count("L001") == len(UNREADABLE)


def test_folder_holds_other_things(tmp_path):
    """Dangling links, pipes and links in circles are named in ``sources``, and the run does not hang."""
    folder, out = tmp_path / "logs", tmp_path / "out"
    folder.mkdir()
    (folder / "good.mjlog").write_bytes(GOOD)
    (folder / "nowhere").symlink_to(folder / "missing")
    os.mkfifo(folder / "pipe")
    (folder / "circle").symlink_to(folder)
    assert auditor("run", folder, "--out", out).exit_code == 1
    sources = {Path(row["path"]).name: row for row in table(out, "sources").iter_rows(named=True)}
    assert sources["good.mjlog"]["status"] == "audited"
    assert {sources[name]["status"] for name in ("nowhere", "pipe")} == {"unreadable"}
    assert sources["pipe"]["reason"]


# Impossible sources and options: the arguments, and words of the message.
RULES = ["{good}", "--out", "{tmp}/out", "--rules"]
REFUSED = {
    "no such path": (["{tmp}/missing", "--out", "{tmp}/out"], ["{tmp}/missing", "no such file or folder"]),
    "one of two missing": (["{good}", "{tmp}/missing", "--out", "{tmp}/out"], ["{tmp}/missing", "no such file"]),
    "folder without logs": (["{tmp}/empty", "--out", "{tmp}/out"], ["{tmp}/empty", "no files"]),
    "logs in out": (["{good}", "{tmp}/empty", "--out", "{tmp}"], ["good.mjlog", "lies in the --out folder"]),
    "out is a file": (["{good}", "--out", "{tmp}/file"], ["{tmp}/file", "is a file", "--out"]),
    "out below a file": (["{good}", "--out", "{tmp}/file/below"], ["{tmp}/file/below", "cannot be written", "--out"]),
    "out not writable": (["{good}", "--out", "/proc/auditor"], ["/proc/auditor", "cannot be written", "--out"]),
    "unknown rules": ([*RULES, "tenho"], ["--rules tenho", "the nearest preset is 'tenhou'"]),
    "rules are a folder": ([*RULES, "{tmp}/empty"], ["{tmp}/empty", "nor a file"]),
    "rules with a wrong key": ([*RULES, "{tmp}/key.toml"], ["key.toml", "'ippatu'", "'ippatsu'"]),
    "rules with a wrong value": ([*RULES, "{tmp}/value.toml"], ["value.toml", "renhou", '"maybe"']),
    "rules with a wrong preset": ([*RULES, "{tmp}/preset.toml"], ["preset.toml", "'nope'", "majiang"]),
    "rules that are no TOML": ([*RULES, "{tmp}/broken.toml"], ["broken.toml", "Invalid value"]),
    "rules that are no text": ([*RULES, "{tmp}/bytes.toml"], ["bytes.toml", "utf-8"]),
    "unknown code selected": (
        ["{good}", "--out", "{tmp}/out", "--select", "W999"], ["'W999'", "the nearest are W109, "],
    ),
    "unknown code ignored": (
        ["{good}", "--out", "{tmp}/out", "--ignore", "Z"], ["'Z'", "begin with C D G", "auditor checks"],
    ),
    "no jobs": (["{good}", "--out", "{tmp}/out", "--jobs", "0"], ["--jobs"]),
    "no out": (["{good}"], ["--out"]),
    "no source": (["--out", "{tmp}/out"], ["source"]),
    "unknown option": (["{good}", "--out", "{tmp}/out", "--fast"], ["--fast"]),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_refused(what, tmp_path):
    """The run ends with exit code 2 and one clear message on stderr; it writes nothing and prints no traceback."""
    arguments, words = REFUSED[what]
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("kept")
    (tmp_path / "good.mjlog").write_bytes(GOOD)
    for name, text in {
        "key": "ippatu = false",
        "value": 'renhou = "maybe"',
        "preset": 'preset = "nope"',
        "broken": "ippatsu =",
    }.items():
        (tmp_path / f"{name}.toml").write_text(text)
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    names = {"tmp": tmp_path, "good": tmp_path / "good.mjlog"}
    before = files(tmp_path)
    result = auditor("run", *(each.format(**names) for each in arguments))
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    for word in words:
        assert word.format(**names) in re.sub(r"\x1b\[[0-9;]*m", "", result.stderr)
    assert "Traceback" not in result.output
    assert [name for name in files(tmp_path) if name not in before] == []
    assert (tmp_path / "file").read_text() == "kept"


def test_out_is_a_link_into_the_source(tmp_path):
    """If --out is a link to a dataset, a run also skips that dataset where it finds it by its own name."""
    (tmp_path / "log").write_bytes(GOOD)
    (tmp_path / "dataset").mkdir()
    (tmp_path / "current").symlink_to("dataset")
    for _ in range(2):
        assert auditor("run", tmp_path, "--out", tmp_path / "current").exit_code == 0
    assert table(tmp_path / "dataset", "sources")["path"].to_list() == [str(tmp_path / "log")]


def test_out_is_no_uri(tmp_path, monkeypatch):
    """A URI that no dataset can have is refused, and no folder of that name is made."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log").write_bytes(GOOD)
    result = auditor("run", "log", "--out", "hdfs://host/out")
    assert result.exit_code == 2
    assert "is a URI" in result.stderr
    assert files(tmp_path) == ["log"]


def test_explain_refuses_unknown_codes():
    """``explain`` refuses an unknown code."""
    result = auditor("explain", "W999")
    assert result.exit_code == 2
    assert "the nearest are W109, " in result.stderr


@pytest.mark.parametrize(("log", "code"), [(GOOD, 0), (FAULTY, 1)])
def test_exit_codes_of_a_process(log, code, tmp_path):
    """A run without findings ends with 0, one with findings with 1. Both write the tables."""
    (tmp_path / "log").write_bytes(log)
    done = process("run", tmp_path / "log", "--out", tmp_path / "out")
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert len(table(tmp_path / "out", "games")) == 1


@pytest.mark.parametrize("full_at", [*PARTED, "runs"])
def test_disk_fills_up(full_at, tmp_path, monkeypatch):
    """On a full disk, the batch that does not fit leaves nothing behind, and the batches before it are complete."""
    monkeypatch.setattr(run_batches, "BATCH_FILES", 1)
    for name, data in (("1.mjlog", GOOD), ("2.mjlog", FAULTY)):
        (tmp_path / name).write_bytes(data)
    out, real, count = tmp_path / "out", store._write, {full_at: 0}

    def full(table, place):
        count[place.parent.name] = count.get(place.parent.name, 0) + 1
        if place.parent.name == full_at and count[full_at] == (1 if full_at == "runs" else 2):
            monkeypatch.setattr(pl.DataFrame, "write_parquet", out_of_space)
        return real(table, place)

    def out_of_space(_, file, **__):
        file.write(b"PAR1 and no more")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(store, "_write", full)
    result = auditor("run", tmp_path / "1.mjlog", tmp_path / "2.mjlog", "--out", out, "--jobs", 1)
    monkeypatch.undo()
    assert result.exit_code == 2
    assert "No space left on device" in result.stderr
    assert str(out) in result.stderr
    assert_nothing_half_written(out)
    assert {Path(path).name for path in table(out, "sources")["path"]} == (
        {"1.mjlog", "2.mjlog"} if full_at == "runs" else {"1.mjlog"}
    )
    assert not (out / "runs").exists() or files(out / "runs") == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_disk_fills_up_in_a_process(jobs, tmp_path):
    """Under a real limit on file sizes the exit code is 2, the message says what to do, and nothing is left behind."""
    (tmp_path / "log").write_bytes(LONG)
    limit = 6000
    done = process(
        "run", tmp_path / "log", "--out", tmp_path / "out", "--jobs", jobs,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )  # fmt: skip
    assert done.returncode == 2, done.stderr[-300:]
    assert "File too large" in done.stderr
    assert "free space" in done.stderr
    assert "Traceback" not in done.stderr
    assert_nothing_half_written(tmp_path / "out")
    assert files(tmp_path / "out") == [store.LOCK]


def test_out_inside_the_source(tmp_path):
    """A dataset within the source folder is skipped: its own tables do not become findings of the next run."""
    (tmp_path / "log.mjlog").write_bytes(GOOD)
    for _ in range(2):
        auditor("run", tmp_path, "--out", tmp_path / "audit")
    games = table(tmp_path / "audit", "games")
    assert set(games["source"]) == {str(tmp_path / "log.mjlog")}
