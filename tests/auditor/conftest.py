"""Fixtures for the tests of the auditor: an empty working folder, an S3 server, logs that are read once."""

from __future__ import annotations

import os
from functools import cache

import pytest
import typer.testing

# Typer's runner builds the whole command line anew for every call, which takes longer than most commands.
typer.testing._get_command = cache(typer.testing._get_command)


@pytest.fixture(scope="session", autouse=True)
def checked_repairs():
    """Check the canonical log again after its repair, in every test. A run checks only what readers return."""
    from auditor.audit import audit_batch
    from auditor.log.invariants import check_rows

    mended = audit_batch.mended

    def checked(log):
        found = mended(log)
        if found is not log:
            check_rows(found, repaired=True)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(audit_batch, "mended", checked)
        yield


@pytest.fixture
def unconfigured(tmp_path, monkeypatch):
    """Run in a folder of its own, without variables of the caller."""
    for name in [name for name in os.environ if name.startswith("AUDITOR_") and name != "AUDITOR_CACHE"]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="session")
def shipped():
    """Give the shipped games: their sources and their log."""
    from tests.kit.audits import LOGS, read_all

    return read_all(LOGS)


@pytest.fixture(scope="session")
def corpus(shared):
    """Give the sources and the log of the real games in the shared data; skip the test if the data is missing."""
    from tests.kit.audits import files_below, read_all

    return read_all(files_below(shared / "corpus" / "tenhou-mjlog-4p"))


@pytest.fixture(scope="session")
def shipped_of_three():
    """Give the shipped games of three players: their sources and their log."""
    from tests.kit.audits import LOGS_OF_THREE, read_all

    return read_all(LOGS_OF_THREE)


@pytest.fixture(scope="session")
def corpus_of_three(shared):
    """Give the sources and the log of the real games of three players; skip the test if the data is missing."""
    from tests.kit.audits import files_below, read_all

    return read_all(files_below(shared / "corpus" / "tenhou-mjlog-3p"))


@pytest.fixture(scope="session")
def shipped_dataset(tmp_path_factory):
    """Give the dataset that a run over the shipped games writes. Tests must not change it."""
    from typer.testing import CliRunner

    from auditor.cli.main import app
    from tests.kit.audits import LOGS

    out = tmp_path_factory.mktemp("shipped") / "out"
    result = CliRunner().invoke(app, ["run", *map(str, LOGS), "--out", str(out)])
    assert result.exit_code in (0, 1), result.output[-500:]
    return out


@pytest.fixture(scope="session")
def server():
    """Give an S3 server of this machine; it ends with the session."""
    from tests.kit.s3 import Server

    started = Server()
    yield started
    started.stop()


@pytest.fixture
def no_other_keys(monkeypatch):
    """Hide the AWS settings of this machine from a test."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", os.devnull)
    monkeypatch.setenv("AWS_CONFIG_FILE", os.devnull)
