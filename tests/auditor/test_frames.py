"""Frames: each has the columns that it states, whatever the log is, and is computed at most once a batch."""

from __future__ import annotations

from functools import cache

import polars as pl
import pytest

from auditor.audit import audit_batch
from auditor.audit.check import WHERE, Record, Severity, all_checks
from auditor.audit.frames import Frames
from auditor.audit.subject import Frame, Subject, subject
from auditor.replay.columns import PLACE
from auditor.sources import log_files
from tests.kit.audits import CHECKS, TENHOU, files_below

SHARED = [getattr(Frames, name) for name, value in vars(Frames).items() if isinstance(value, Frame)]
SUBJECTS = sorted({*SHARED, *(check.subject for check in all_checks() if check.subject)}, key=lambda each: each.name)


@cache
def batches():
    """Give the frames of every fixture, of right and wrong logs in all formats, and of an empty log."""
    files = [log_files.read(path) for path in files_below(CHECKS) if path.suffix != ".toml"]
    read, unread = audit_batch.read(files, TENHOU.rules)
    found = [
        Frames(batch.log, audit_batch.status(batch.sources, batch.log, readable=True))
        for batch in [*read, *audit_batch.read(files[:1], TENHOU.rules)[0]]  # one game, too
    ]
    none = audit_batch.no_log()
    return [*found, Frames(none, audit_batch.status(unread, none, readable=False))]


def test_the_fixtures_are_logs_of_several_formats():
    """The frames that these tests use come from logs of more than one format."""
    assert len(batches()) >= 4
    assert len(batches()[0].games) > 100


@pytest.mark.parametrize("asked", SUBJECTS, ids=[each.name for each in SUBJECTS])
def test_columns_are_those_stated(asked):
    """Names and types are as stated, both for faulty logs and for no log."""
    for frames in batches():
        assert dict(asked.of(frames).schema) == {name: as_instance(kind) for name, kind in asked.columns.items()}


def as_instance(kind):
    """Give a type as a schema has it: an instance, also if a class is stated."""
    return kind() if isinstance(kind, type) else kind


def test_the_columns_of_a_place_are_named_alike():
    """The names in check.py, which must not load Polars, are those of ``PLACE``."""
    assert tuple(PLACE) == WHERE


@pytest.mark.parametrize("asked", SUBJECTS, ids=[each.name for each in SUBJECTS])
def test_rows_can_be_placed(asked):
    """Every row of a subject has the columns that place a finding."""
    assert asked.doc.endswith(".")
    if asked is Frames.games:
        assert {"game", "source"} <= set(asked.columns)
    else:
        assert {*WHERE} - ({"seat"} if asked is Frames.rounds else set()) <= set(asked.columns)


def test_an_attribute_is_the_subject_and_its_table():
    """On the class the attribute is the subject; on a batch it is the table, the same object each time."""
    frames = batches()[0]
    assert isinstance(Frames.calls, Subject)
    assert frames.calls is Frames.calls.of(frames) is frames.calls


def test_a_table_is_computed_once_for_each_batch():
    """Two batches have separate tables, and each is computed once."""
    made = []

    @subject({"round": pl.UInt32})
    def _rows(frames):
        made.append(frames)
        return frames.rounds.select("round")

    one, other, *_ = batches()
    assert _rows.of(one) is _rows.of(one)
    assert len(_rows.of(other)) == len(other.rounds)
    assert made == [one, other]


def test_a_check_cannot_need_what_its_subject_lacks():
    """A record that needs a column which its subject lacks is refused, and so is a record without a subject."""
    with pytest.raises(ValueError, match=r"calls.* has no column not_lasst"):
        Record(Severity.ERROR, "", Frames.calls, needs=("not_last", "not_lasst"))
    with pytest.raises(ValueError, match="no column fu"):
        Record(Severity.ERROR, "", needs=("fu",))


def test_a_check_cannot_name_a_rule_twice():
    """A rule may be in ``tried_rules`` or in ``subject_rules``, not in both."""
    with pytest.raises(ValueError, match="red_fives"):
        Record(Severity.ERROR, "", Frames.rounds, tried_rules=("red_fives",), subject_rules=("red_fives",))
