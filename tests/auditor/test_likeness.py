"""A file that is plainly no log is ignored and counted. A file that should be a log and is none is a finding."""

from __future__ import annotations

import gzip
import json

import polars as pl
import pytest

from auditor.sources.likeness import begins_like_one, is_named_like_one
from tests.kit.audits import CHECKS
from tests.kit.command_line import auditor
from tests.kit.containers import tarred, zipped
from tests.kit.datasets import last_run, place, run

GOOD = (CHECKS / "w106_fu" / "pass.mjlog").read_bytes()
PNG = b"\x89PNG\r\n\x1a\n" + bytes(100)
PLAINLY_NONE = {
    "README.txt": b"Logs of the league, 2009 to 2024.\n",
    "README.md": "# 牌譜\n".encode(),
    "notes": "覚え書き".encode("shift_jis"),
    ".DS_Store": b"\0\0\0\x01Bud1" + bytes(100),
    "Thumbs.db": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500),
    "desktop.ini": "[.ShellClassInfo]\r\n".encode("utf-16"),
    ".gitkeep": b"",
    "__init__.py": b"",
    "fetch.py": b"import requests\n",
    "table.png": PNG,
    "scores.csv": b"name,score\na,1\n",
    "package.json": b'{"name": "viewer", "version": "1.0.0"}',
    "pom.xml": b'<?xml version="1.0"?><project><name>viewer</name></project>',
    "server.log": b"2024-01-01 00:00:00 started\n",
    "page.html": b"<!DOCTYPE html><html><body>hello</body></html>",
    "about.txt": b"A log begins with <mjloggm ver=2.3>\n",
    "._a.mjlog": b"\0\x05\x16\x07\0\x02\0\0Mac OS X" + bytes(80),
    "notes.txt.gz": gzip.compress(b"notes"),
    "unpacked.txt.gz": b"notes that somebody has unpacked under their old name",
    "table.png.gz": gzip.compress(PNG),
}
SHOULD_BE = {
    "empty.mjlog": (b"", "empty"),
    "empty.xml": (b"", "empty"),
    "empty.json": (b" \n", "white space"),
    "empty.jsonl.gz": (gzip.compress(b""), "white space"),
    "a.mjlog": (b"hello\n", "no known log format"),
    "busy.mjlog": (b"<html><body>busy</body></html>", "HTML page"),
    "busy.xml": (b"<html><body>busy</body></html>", "HTML page"),
    "2009010100gm-00a9-0000-0123abcd": (b"not found", "no known log format"),
    "2009010100gm-00a9-0000-0123abcd.gz": (gzip.compress(PNG), "binary data"),
    "shift-jis": (GOOD.replace(b"%42", "山田".encode("shift_jis")), "not UTF-8"),
    "begun": (b"<mjlo", "no known log format"),
    "other format": (b'{"title":["",""],"name":["a","b","c","d"],"log":[[[0,0,0],[25000]]]}', "no known log format"),
    "city.txt": (b'{"handRecord":[],"handCardEncode":"6s3p4z"}\n', "no known log format"),
    "damaged.gz": (b"\x1f\x8b" + b"rubbish" * 30, "damaged gzip"),
    "2024.zip": (bytes(5000), "no known log format"),
    "2024.tar": (b"", "empty"),
    "2024.tgz": (b"<html><body>busy</body></html>", "HTML page"),
    "2024.gz": (bytes(5000), "no known log format"),
    "2024.zst": (b"\x50\x2a\x4d\x18" + b"\0\xff" * 60, "binary data"),
    "empty.xz": (b"", "empty"),
    "2024.db": (bytes(4096), "no known log format"),
    "zeros.json": (bytes(700), "no known log format"),
    "prefix.zip": (b"MZ" * 100 + b"PK\x03\x04\xff\0", "binary data"),
    "logs.7z": (b"7z\xbc\xaf\x27\x1c" + bytes(90), "7-Zip"),
}


def folder_of(folder, logs):
    """Write files into a folder."""
    for name, data in logs.items():
        place(folder / name, data)
    return folder


def sources(out):
    """Give status and reason of every source by its name within its folder or archive."""
    rows = pl.read_parquet(sorted((out / "sources").glob("*.parquet"))).iter_rows(named=True)
    return {row["member"] or row["path"].rpartition("/")[2]: (row["status"], row["reason"] or "") for row in rows}


@pytest.mark.parametrize("how", ["folder", "zip", "tar", "list"])
def test_plainly_no_logs(how, tmp_path):
    """Each ignored file has a row with the reason and is counted in summary and record; no finding, exit code 0."""
    logs = {"good.mjlog": GOOD, **PLAINLY_NONE}
    out = tmp_path / "out"
    if how in ("folder", "list"):
        given = [folder_of(tmp_path / "logs", logs)]
    else:
        given = [place(tmp_path / "logs" / "all", zipped(logs) if how == "zip" else tarred(logs)).parent]
    if how == "list":
        (tmp_path / "list").write_text("\n".join(str(path) for path in sorted(given[0].iterdir())))
        given = ["--from", tmp_path / "list"]
    result = run(out, *given, code=(0,))
    seen = sources(out)
    assert {name for name, (status, _) in seen.items() if status == "ignored"} == set(PLAINLY_NONE)
    assert all(reason for status, reason in seen.values() if status == "ignored")
    assert seen["good.mjlog"] == ("audited", "")
    assert f"{len(PLAINLY_NONE)} ignored" in result.stdout
    assert "0 unreadable" in result.stdout
    assert last_run(out)["ignored"] == len(PLAINLY_NONE)
    summary = json.loads(next((out / "summaries").iterdir()).read_text())
    assert (summary["ignored"], summary["unreadable"], summary["not_read"]) == (len(PLAINLY_NONE), 0, [])
    assert pl.read_parquet(sorted((out / "findings").glob("*.parquet"))).is_empty()
    run(out, *given, code=(0,))
    assert last_run(out)["unchanged"] == len(seen)


@pytest.mark.parametrize("how", ["folder", "zip"])
def test_a_file_that_should_be_a_log(how, tmp_path):
    """A file with a log's name or beginning, or of unknown kind, is L001; exit code 1."""
    logs = {name: data for name, (data, _) in SHOULD_BE.items()}
    given = folder_of(tmp_path / "logs", logs if how == "folder" else {"all.zip": zipped(logs)})
    run(tmp_path / "out", given, code=(1,))
    seen = sources(tmp_path / "out")
    seen.pop("all.zip", None)
    assert {name: status for name, (status, _) in seen.items()} == dict.fromkeys(SHOULD_BE, "unreadable")
    for name, (_, reason) in SHOULD_BE.items():
        assert reason in seen[name][1], name
    assert last_run(tmp_path / "out")["findings"] == len(SHOULD_BE)


@pytest.mark.parametrize("name", ["README.txt", ".DS_Store", "package.json", "__init__.py"])
def test_named_itself(name, tmp_path):
    """A file named on the command line that is no log is a finding, even if an earlier run ignored it in its folder."""
    folder = folder_of(tmp_path / "logs", {name: PLAINLY_NONE[name], "good.mjlog": GOOD})
    assert auditor("run", folder / name, "--out", tmp_path / "one")[0] == 1
    run(tmp_path / "two", folder, code=(0,))
    run(tmp_path / "two", folder / name, code=(1,))
    assert sources(tmp_path / "two")[name][0] == "unreadable"


def test_folders_of_version_control(tmp_path):
    """Folders of version control are not entered: each has one row, and so has a file named .git."""
    folder = folder_of(
        tmp_path / "logs",
        {
            "good.mjlog": GOOD, ".git/HEAD": b"ref", ".git/objects/ab/cd": b"x\x9c", "sub/.svn/entries": b"12",
            "tree/.git": b"gitdir: elsewhere\n", "sub/.hidden/b.mjlog": GOOD.replace(b"<mjloggm", b"<mjloggm "),
        },
    )  # fmt: skip
    run(tmp_path / "out", folder, "--ignore", "L005", code=(0,))
    rows = pl.read_parquet(sorted((tmp_path / "out" / "sources").glob("*.parquet")))
    seen = {path.removeprefix(f"{folder}/"): status for path, status in rows.select("path", "status").rows()}
    assert seen == {
        "good.mjlog": "audited", ".git": "ignored", "sub/.svn": "ignored", "tree/.git": "ignored",
        "sub/.hidden/b.mjlog": "audited",
    }  # fmt: skip
    assert rows.filter(pl.col("path").str.ends_with("logs/.git"))["reason"].item() == "a folder of git: not entered"
    run(tmp_path / "named", folder / ".git", code=(0,))
    assert len(pl.read_parquet(sorted((tmp_path / "named" / "sources").glob("*.parquet")))) == 2


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.mjlog", True), ("in/a.MJLOG.gz", True), ("a.mjlog~2", True), ("x.zip!in/a.mjlog.bz2", True),
        ("s3://b/a.mjlog.gz?endpoint_override=h:9", True), ("s3://b/a.txt?region=a.mjlog", False),
        ("2009031712gm-00b9-0000-6a8e1b5f&tw=2", True), ("20090317gm", False), (".a.mjlog", False),
        ("in/a.zip", True), ("a.tar.gz", True), ("a.zipped", False), ("zip", False), ("a.db", False),
        ("a.mjlog.swp", False), ("mjlog", False), ("a.txt", False),
    ],
)  # fmt: skip
def test_names_of_logs(name, expected):
    """A log's name is recognised with any packing and in any folder."""
    assert is_named_like_one(name, b"x") is expected


def test_beginnings_of_logs():
    """A log's beginning is recognised in any encoding and case, wherever it is cut; prose about logs is not."""
    text = GOOD[:4096]
    summary = text.decode()
    for encoding in ("utf-8", "utf-16", "utf-16-le", "shift_jis"):
        assert begins_like_one(summary.encode(encoding))
    assert begins_like_one(text.lower())
    assert begins_like_one(b'<?xml version="1.0"?>\n<!DOCTYPE mjloggm>' + text)
    for length in (2, 5, 8, 9):
        assert begins_like_one(text[:length])
    for other in (b"", b"<", b"<html>", b"<project/>", b"# <mjloggm>", b'{"log": "x"}', b"[1, 2]", PNG):
        assert not begins_like_one(other)
