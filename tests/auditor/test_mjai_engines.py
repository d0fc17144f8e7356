"""Every mjai log of the shared data: each finding has a cause, an engine's fault or a cut log, which is named here.

The counts are those of the files; a finding without a cause, or another number of them, fails.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter

import pytest

from auditor.audit.audit_batch import audit
from auditor.sources import log_files
from tests.kit.audits import TENHOU, files_below


def findings(paths):
    """Audit files one by one; give their findings, and the problems of files that are no logs."""
    found = []
    for path in paths:
        tables = audit([log_files.read(path)], TENHOU).tables
        assert set(tables["sources"]["format"]) == {"mjai"}, path
        found += [row | {"path": path} for row in tables["findings"].iter_rows(named=True)]
    return found


def counted(found, cause_of):
    """Count findings by code and cause."""
    return dict(Counter((row["code"], cause_of(row)) for row in found))


def riichienv(row):
    """Name the cause of a finding in RiichiEnv's games."""
    if row["code"] == "P101":
        return "the liable seat pays all honba of a tsumo that it shares with others"
    return None


@pytest.mark.long
def test_riichienv(shared):
    """RiichiEnv's 4,999 games under their own rules: one payment differs."""
    found = findings(files_below(shared / "selfplay" / "riichienv"))
    assert counted(found, riichienv) == {
        ("P101", "the liable seat pays all honba of a tsumo that it shares with others"): 1
    }


@pytest.fixture(scope="module")
def of_jansou(shared):
    """Give the findings in jansou's games, each with its game."""
    found = findings(files_below(shared / "selfplay" / "jansou"))
    lines = {path: gzip.decompress(path.read_bytes()).splitlines() for path in {row["path"] for row in found}}
    for row in found:
        row["line"] = json.loads(lines[row["path"]][int(row["within"]) - 1])
    return found


def jansou(row):
    """Name the cause of a finding in jansou's games, if the game has it."""
    rules, events = row["line"]["rules"], row["line"]["mjai"]
    at = row["event"] - 1
    event = events[at]
    holds = {
        "C102": (
            rules["player_count"] == 3 and event.get("target") == (event.get("actor", 0) - 1) % 3,
            "a call from the next seat of three names the seat before",
        ),
        "L003": (event.get("kyotaku") == 100, "a hundred sticks on the table"),
        "R102": (
            any(each["type"] == "ankan" and each["actor"] == event.get("actor") for each in events[:at]),
            "riichi counts a wait for the kind of an own ankan, which draws do not",
        ),
        "W103": (
            not _declared(events, at, event.get("actor")),
            "passing a tile that completes a hand without yaku makes no furiten",
        ),
        "W109": (
            event["type"] == "hora" and events[at - 1]["type"] in {"tsumo", "hora"},
            "a robbed kan or kita leaves no event",
        ),
        "W110": (
            not rules["multiple_ron"] and len(row["line"]["deals"][row["round"]]["wins"]) == 3,
            "three rons are all paid where only one may win",
        ),
        "W111": (rules["pao_daiminkan"], "nobody is liable for a rinshan, although a rule says so"),
        "X103": (
            rules["tenpai_declaration"] and _declared(events, at, row["seat"]),
            "a hand in riichi is not shown where hands need not be",
        ),
        "X106": (event["type"] in {"chi", "pon"}, "the discard after a fourth kan can be called before the abort"),
    }
    holding, cause = holds.get(row["code"], (False, None))
    return cause if holding else None


def _declared(events, at, actor):
    """Say whether an actor has declared riichi in the round of an event."""
    start = max(place for place in range(at) if events[place]["type"] == "start_kyoku")
    return any(each["type"] == "reach" and each["actor"] == actor for each in events[start:at])


JANSOU = {
    ("C102", "a call from the next seat of three names the seat before"): 1409,
    ("L003", "a hundred sticks on the table"): 1,
    ("R102", "riichi counts a wait for the kind of an own ankan, which draws do not"): 2,
    ("W103", "passing a tile that completes a hand without yaku makes no furiten"): 5,
    ("W109", "a robbed kan or kita leaves no event"): 31,
    ("W110", "three rons are all paid where only one may win"): 44,
    ("W111", "nobody is liable for a rinshan, although a rule says so"): 4,
    ("X103", "a hand in riichi is not shown where hands need not be"): 44,
    ("X106", "the discard after a fourth kan can be called before the abort"): 2,
}


@pytest.mark.long
def test_jansou(of_jansou):
    """Jansou's 1,750 games under their own rules: every finding is one of its faults."""
    assert counted(of_jansou, jansou) == JANSOU


CUT = "the log ends within a game"
EARLY = "ippatsu is not counted"
CAUSES = {
    "0c454856 0e6c007e 233397df 3112cc69 443aafae 4b5107d5 4ba29290 4d9b5f96 5458a942 5f09ef7b 6f0daf38 ab38b892 "
    "bb8845ef bbe3e82f c1232f2e c1631a80 e6d9fe21 ebd01c2b f64976c0": {"L007": "Chinese-official rules"},
    "79b3c109 ed7235f0": {
        "P101": EARLY, "W113": EARLY, "G105": "the log does not say that only East is played",
        "G106": "sticks that are left stay on the table",
    },
    "08c77429 2026-06-18 2026-06-19-030401 chiihou chiitoitsu double_riichi kokushimusou self_draw temporary two_games":
        {"L002": CUT},
    "kuikae": {"L002": CUT, "D105": "a log about kuikae", "C106": "a log about kuikae"},
}  # fmt: skip
"""The causes by the beginnings of files' names, and code."""


def corpus(row):
    """Name the cause of a finding in the corpus."""
    name = row["path"].name
    return next(
        (
            codes.get(row["code"])
            for names, codes in CAUSES.items()
            if any(name.startswith(each) for each in names.split())
        ),
        None,
    )


@pytest.mark.long
def test_corpus(shared):
    """The 105 files of people, bots and test cases: cut logs, other rules, and two faults of an early akochan."""
    folders = ("mjai", "ai-selfplay/mjai", "synthetic/mjai")
    found = findings([path for folder in folders for path in files_below(shared / "corpus" / folder)])
    assert counted(found, corpus) == {
        ("L007", "Chinese-official rules"): 19,
        ("L002", CUT): 14,
        ("P101", EARLY): 4,
        ("W113", EARLY): 4,
        ("G106", "sticks that are left stay on the table"): 2,
        ("G105", "the log does not say that only East is played"): 1,
        ("D105", "a log about kuikae"): 1,
        ("C106", "a log about kuikae"): 1,
    }
