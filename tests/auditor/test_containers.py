"""One run over logs in every kind of container: each member has one row, and all copies have the same findings."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict

import polars as pl
import pytest

from tests.kit import containers
from tests.kit.audits import CHECKS, LOGS
from tests.kit.command_line import auditor

STATUSES = {"audited", "unsupported", "unreadable", "ignored", "missing", "archive"}
LARGE, LARGEST = 200_000, 1_000_000
"""Sizes in bytes: a larger shared file is packed into one container only, or (second number) into none."""


def audit(out, *given):
    """Run an audit in one process; give its tables."""
    code, printed, error = auditor("run", *given, "--out", out, "--jobs", 1, "--progress", "none")
    assert code == 1, error
    assert "Traceback" not in printed + error
    return {name: pl.read_parquet(sorted((out / name).glob("*.parquet"))) for name in ("sources", "findings", "games")}


def assert_all_there(sources, members, broken):
    """Check that every member, file and archive has one row, and that every row that is not audited has a reason."""
    names = Counter(sources.select("path", "member").rows())
    assert set(names.values()) == {1}
    known = {(str(member.path), member.member) for member in members}
    known |= {(str(member.path), None) for member in members} | {(str(path), None) for path in broken}
    bad = {str(path) for path in broken}
    assert {name for name in names if name[0] not in bad} == {name for name in known if name[0] not in bad}
    assert set(names) >= known
    assert set(sources["status"]) <= STATUSES
    assert sources.filter(pl.col("reason").is_null(), pl.col("status") != "audited").is_empty()
    assert not sources["reason"].str.contains("the auditor fails").any()


def assert_statuses(sources, members, logs):
    """Check the status of archives, of rows without a log (missing), and of empty files (unreadable)."""
    status = {(path, member): status for path, member, status in sources.select("path", "member", "status").iter_rows()}
    for member in members:
        if member.member is not None:
            assert status[str(member.path), None] == "archive"
        given_status = status[str(member.path), member.member]
        if member.log is None or (".db" in f"{member.path}!{member.member}" and not logs[member.log]):
            assert given_status == "missing"
        elif not logs[member.log]:
            assert given_status == "unreadable"
        else:
            assert given_status != "missing"


def by_log(tables, members):
    """Give the rows of each log, one entry for each container: source, games, findings except L005."""
    log_of = {f"{member.path}{f'!{member.member}' if member.member else ''}": member.log for member in members}
    said = {name: defaultdict(list) for name in log_of}
    sources_named = tables["sources"].with_columns(source=pl.col("path") + pl.format("!{}", "member").fill_null(""))
    for name, columns in {
        "sources": ["format", "status", "reason", "rule_set"],
        "games": pl.all().exclude("source"),
        "findings": pl.all().exclude("source"),
    }.items():
        table = sources_named if name == "sources" else tables[name]
        table = table.filter(pl.col("code") != "L005") if name == "findings" else table
        for source, row in zip(table["source"], table.select(columns).rows(), strict=True):
            if source in said:
                said[source][name].append(repr(row))
    found = defaultdict(list)
    for source, log in log_of.items():
        found[log].append({name: sorted(rows) for name, rows in said[source].items()})
    return found


def assert_same_everywhere(tables, members, logs):
    """Check that sources, games and findings of a log are the same in all containers, except for L005."""
    compared = 0
    for log, answers in by_log(tables, members).items():
        if log is not None and logs[log]:
            assert all(answer == answers[0] for answer in answers), log
            assert len(answers[0]["sources"]) == 1
            compared += len(answers) > 1
    return compared


def test_every_container(tmp_path):
    """Small logs with every kind of fault have the same tables in every container, with broken archives beside them."""
    names = ("w106_fu", "p101_payments", "l002_truncated", "l003_unknown_tag", "c104_call_in_riichi")
    logs = {f"2009/{name}.mjlog": (CHECKS / name / "fail.mjlog").read_bytes() for name in names}
    logs |= {"2010/no log.txt": b"hello\n", "empty.mjlog": b"", "2010/2.xml": LOGS[0].read_bytes()}
    members = [each for name in containers.NAMES for each in containers.make(name, logs, tmp_path / "logs")]
    broken = containers.make_broken(logs, tmp_path / "logs" / "broken")
    tables = audit(tmp_path / "out", tmp_path / "logs")
    assert_all_there(tables["sources"], members, broken)
    assert_statuses(tables["sources"], members, logs)
    assert assert_same_everywhere(tables, members, logs) == len(logs) - 1
    alone = audit(tmp_path / "alone", tmp_path / "logs" / "loose")
    loose = [member for member in members if member.path.is_relative_to(tmp_path / "logs" / "loose")]
    assert len(loose) == len(logs)
    for log, (answer,) in by_log(alone, loose).items():
        assert [answer] == by_log(tables, loose)[log]
    assert set(alone["findings"]["code"]) >= {"W106", "P101", "L002", "L003", "C104", "L001"}


@pytest.mark.long
def test_everything_in_shared(shared, tmp_path):
    """All shared files, loose and in containers, with broken archives beside them, give the same tables."""
    files = [path for path in sorted(shared.rglob("*")) if path.is_file() and path.stat().st_size < LARGEST]
    files = [path for path in files if not path.name.endswith((".tar", ".zip.gz"))]  # trials that are archives
    logs = {str(path.relative_to(shared)): path.read_bytes() for path in files}
    shares = {name: {} for name in containers.NAMES}
    kinds = len(containers.NAMES)
    for place, (name, data) in enumerate(logs.items()):
        if len(data) > LARGE:
            shares[containers.NAMES[place % kinds]][name] = data
        else:
            shares["loose"][name] = data
            shares[containers.NAMES[1 + place % (kinds - 1)]][name] = data
    members = [each for name, share in shares.items() for each in containers.make(name, share, tmp_path / "logs")]
    small = {name: data for name, data in logs.items() if len(data) < 20_000}
    broken = containers.make_broken(dict(list(small.items())[::20]), tmp_path / "logs" / "broken")
    tables = audit(tmp_path / "out", tmp_path / "logs")
    assert_all_there(tables["sources"], members, broken)
    assert_statuses(tables["sources"], members, logs)
    assert assert_same_everywhere(tables, members, logs) == sum(0 < len(data) <= LARGE for data in logs.values())
    digests = {hashlib.sha256(data).hexdigest() for name, data in shares["loose"].items()}
    assert digests <= set(tables["sources"]["sha256"])


@pytest.mark.parametrize("name", containers.NAMES)
def test_every_container_that_the_script_makes(name, tmp_path):
    """The script that makes containers writes what it prints."""
    made = containers.make(name, {"a/b.mjlog": b"<mjloggm/>"}, tmp_path)
    assert sum(member.log == "a/b.mjlog" for member in made) == 1
    assert all(member.path.is_file() for member in made)
