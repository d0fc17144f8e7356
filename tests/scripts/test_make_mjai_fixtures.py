"""The shipped mjai games are those that the tool writes, and are clean."""

from __future__ import annotations

from auditor.audit.audit_batch import audit
from auditor.sources import log_files
from scripts.make_mjai_fixtures import FOLDER, main, texts
from tests.kit.audits import TENHOU, files_below


def test_shipped_files_are_written_anew(tmp_path, monkeypatch):
    """The tool writes the files that are shipped, as far as their text goes."""
    monkeypatch.setattr("scripts.make_mjai_fixtures.FOLDER", tmp_path)
    main([])
    written = {path.name: log_files.read(path).data for path in files_below(tmp_path)}
    assert written == {path.name: log_files.read(path).data for path in files_below(FOLDER)}
    assert set(written) == set(texts())


def test_shipped_files_are_clean():
    """They have no findings under Tenhou's rules."""
    tables = audit([log_files.read(path) for path in files_below(FOLDER)], TENHOU).tables
    assert tables["findings"].select("code", "message").rows() == []
    assert set(tables["games"]["players"]) == {3, 4}
