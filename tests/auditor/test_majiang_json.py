"""A 電脳麻将 paipu with faulty values, keys or rules: each fault is named, and costs only itself."""

from __future__ import annotations

import gzip
import json
import random

import polars as pl
import pytest

from auditor.audit.audit_batch import Options
from auditor.readers.majiang import faulty_game, grammar
from auditor.readers.majiang.documents import unwrapped
from engine.rules.rule_sets import preset
from tests.kit.audits import audited, codes
from tests.kit.paipu import BY_GAME, LINES, PAIPU, found, game, report, reports, text

# Where it stands, what it becomes, what is told of it. An event's number is its place in the game.
TYPES = {
    "a number for an event": (("log", 0, 4), 7, "an event without a known key, 7"),
    "null for an event": (("log", 0, 4), None, "an event without a known key, null"),
    "a text for an event": (("log", 0, 4), "zimo", 'an event without a known key, "zimo"'),
    "a list for an event": (("log", 0, 4), [], "an event without a known key, []"),
    "a number for a deal": (("log", 0, 0), 7, "an event without a known key, 7"),
    "a number for a result": (("log", 0, -1), 7, "an event without a known key, 7"),
    "null for a deal's content": (("log", 0, 0, "qipai"), None, "qipai null"),
    "a seat of 0.7": (("log", 0, 1, "zimo", "l"), 0.7, "zimo l 0.7"),
    "a seat that is a text": (("log", 0, 1, "zimo", "l"), "0", 'zimo l "0"'),
    "a seat that is true": (("log", 0, 1, "zimo", "l"), True, "zimo l true"),
    "a seat beyond all numbers": (("log", 0, 1, "zimo", "l"), 10**40, f"zimo l {10**40}"),
    "a tile that is a number": (("log", 0, 1, "zimo", "p"), 5, "zimo p 5"),
    "half a character": (("log", 0, 1, "zimo", "p"), "m\ud800", 'zimo p "m\\ud800"'),
    "a dealer that is a text": (("log", 0, 0, "qipai", "jushu"), "0", 'qipai jushu "0"'),
    "honba beyond all numbers": (("log", 0, 0, "qipai", "changbang"), 10**12, f"qipai changbang {10**12}"),
    "three scores": (("log", 0, 0, "qipai", "defen"), [1, 2, 3], "qipai defen [1, 2, 3]"),
    "a score that is null": (("log", 0, 0, "qipai", "defen", 2), None, None),
    "hands that are one text": (("log", 0, 0, "qipai", "shoupai"), "m1", 'qipai shoupai "m1"'),
    "a name that is a number": (("player", 1), 5, None),
    "half a character in a name": (("player", 1), "\ud800", None),
    "a title that is a list": (("title",), [], "title []"),
    "a first dealer of 0.5": (("qijia",), 0.5, "qijia 0.5"),
    "a negative place": (("rank", 0), -1, None),
    "a place beyond all numbers": (("rank", 0), 10**30, None),
    "a point that is no number": (("point", 0), "x", None),
    "a log that is a text": (("log",), "x", 'log "x"'),
    "a round that is a number": (("log", 0), 7, "a round 7"),
}


def with_value(path, value):
    """Give a file of a game with another value at one place, and of another game."""
    told = game(2)
    place = told["paipu"]
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return json.dumps(told) + "\n" + LINES[0]


@pytest.fixture(scope="module")
def other_types():
    """Give the tables of files with one value of another type, audited in one batch."""
    return reports({what: with_value(path, value) for what, (path, value, _) in TYPES.items()})


@pytest.mark.parametrize("what", TYPES)
def test_a_value_of_another_type_costs_itself(what, other_types):
    """One finding, with the value as JSON writes it, at its event; the file's other game is as it was."""
    path, _, recorded = TYPES[what]
    tables = other_types[what]
    wrong = tables["findings"].row(0, named=True)
    assert tables["findings"]["code"].to_list() == ["L003"]
    assert wrong["within"] == "1"
    assert recorded is None or wrong["recorded"] == recorded
    if len(path) > 2:
        assert wrong["event"] == (path[2] if path[2] >= 0 else len(game(2)["paipu"]["log"][0]) - 1)
    assert len(tables["rounds"].filter(pl.col("game_id") == tables["games"]["game_id"][1]))


def wins_of(told):
    """List the wins of a game."""
    return [event["hule"] for events in told["paipu"]["log"] for event in events if "hule" in event]


def with_win(yakuman=False):
    """Give a game with a win, an ordinary one or one by yakuman, and the win in it."""
    for number in range(len(LINES)):
        told = game(number)
        for win in wins_of(told):
            if ("damanguan" in win) == yakuman:
                return told, win
    told = json.loads(next(line for line in gzip.decompress(PAIPU.read_bytes()).splitlines() if b'"damanguan"' in line))
    return told, next(win for win in wins_of(told) if "damanguan" in win)


KEYS_OF_A_WIN = ["l", "shoupai", "baojia", "fubaopai", "fu", "fanshu", "defen", "hupai", "fenpei"]
KEYS_OF_A_GAME = ["title", "player", "qijia", "log", "defen", "rank", "point"]


@pytest.fixture(scope="module")
def lacking():
    """Give code and recorded text of the findings where a key is missing, audited in one batch."""
    texts = {}
    for key in KEYS_OF_A_WIN:
        told, win = with_win()
        del win[key]
        texts["win", key] = text(told)
    for key in KEYS_OF_A_GAME:
        told = game()
        del told["paipu"][key]
        texts["game", key] = text(told)
    return {name: tables["findings"].select("code", "recorded").rows() for name, tables in reports(texts).items()}


@pytest.mark.parametrize("key", KEYS_OF_A_WIN)
def test_a_key_that_every_win_has_is_missed(key, lacking):
    """A win without one of its keys is one finding that names it."""
    assert lacking["win", key] == [("L003", f"hule without {key}")]


def test_yakuman_are_missed_where_the_list_has_one():
    """A win by yakuman states how many, not fu and han."""
    told, win = with_win(yakuman=True)
    assert found(text(told)) == []
    del win["damanguan"]
    assert [(code, text_) for code, _, _, text_ in found(text(told))] == [("L003", "hule without damanguan")]


@pytest.mark.parametrize("key", KEYS_OF_A_GAME)
def test_a_key_that_every_game_has_is_missed(key, lacking):
    """A game without one of its keys is one finding; one without any of its end is cut (L002)."""
    assert lacking["game", key] == [("L003", f"no {key}")]


def test_a_game_without_an_end_is_cut():
    """Scores, places and points are all missing: nothing says that the game was over."""
    told = game()
    for key in ("defen", "rank", "point"):
        del told["paipu"][key]
    assert [code for code, *_ in found(text(told))] == ["L002"]


@pytest.mark.parametrize(
    ("key", "again", "words"),
    [
        ('"l": 0,', '"l": 0, "l": 0,', "zimo l told twice"),
        ('"l": 0,', '"l": 0, "l": 1,', "zimo l told twice, differently"),
        ('"zimo": ', '"zimo": {"l": 0, "p": "m1"}, "zimo": ', "zimo told twice, differently"),
        ('"l": 0,', '"l": 0, "mood": "glad",', "zimo mood"),
    ],
)
def test_keys_told_twice_and_unknown_ones_are_named(key, again, words):
    """A key told twice is a finding, whether or not it says the same; so is one that the format does not have."""
    told = text(game(2))
    start = told.index('"zimo": {"l": 0,')
    data = told[:start] + told[start:].replace(key, again, 1)
    assert [(code, text_) for code, _, _, text_ in found(data)] == [("L003", words)]


def test_keys_told_twice_beside_the_play_are_named():
    """In the head, the wrapper and the rules; rules that say two things are unknown."""
    told = text(game())
    for old, new, words in (
        ('"qijia":', '"title": "x", "qijia":', "title told twice, differently"),
        ('{"rule":', '{"id": 1, "id": 1, "rule":', "id told twice"),
        ('"場数":', '"場数": 0, "場数":', "rule 場数 told twice, differently"),
    ):
        assert [(code, text_) for code, _, _, text_ in found(told.replace(old, new, 1))] == [("L003", words)]


RULES = [
    5, "x", [], True, {"配給原点": 10**19}, {"配給原点": 10**9}, {"配給原点": -1}, {"配給原点": True}, {"場数": 2.0},
     {"順位点": ["nan", "1", "1", "1"]}, {"順位点": ["1e9", "0", "0", "0"]}, {"順位点": ["１", "0", "0", "0"]},
     {"順位点": [20, 10, -10, -20]}, {"順位点": "x"}, {"赤牌": 1}, {"赤牌": {"m": 99, "p": 0, "s": 0}},
]  # fmt: skip


@pytest.fixture(scope="module")
def odd_rules():
    """Give the tables of a game under each of these rules, audited in one batch."""
    return reports({at: text(game() | {"rule": rule}) for at, rule in enumerate(RULES)})


@pytest.mark.parametrize("at", range(len(RULES)), ids=[text(rule) for rule in RULES])
def test_rules_that_cannot_be_are_named(at, odd_rules):
    """One finding, no rule is known, and the game is audited."""
    tables = odd_rules[at]
    assert tables["findings"]["code"].to_list() == ["L003"]
    assert "rule" in tables["findings"]["recorded"][0]
    assert len(tables["rounds"])


def test_a_rule_of_null_tells_no_rules():
    """It is as if it were not there."""
    told = game() | {"rule": None}
    assert found(text(told)) == found(text(told["paipu"]))


# A win in South 4 by 国士無双, as a client before January 2022 wrote it: final points rounded, rules not told.
OLD = {
    "title": "old", "player": ["A", "B", "C", "D"], "qijia": 0,
    "log": [[
        {"qipai": {"zhuangfeng": 1, "jushu": 3, "changbang": 0, "lizhibang": 0, "defen": [25000] * 4, "baopai": "p5",
                   "shoupai": ["m119p19s19z123456", "m2345p2346s2346z7", "m6677p678s678z123", "m344p1234s345z123"]}},
        {"zimo": {"l": 0, "p": "p8"}}, {"dapai": {"l": 0, "p": "p8_"}},
        {"zimo": {"l": 1, "p": "z7"}}, {"dapai": {"l": 1, "p": "z7_"}},
        {"hule": {"l": 0, "shoupai": "m119p19s19z1234567", "baojia": 1, "fubaopai": None, "damanguan": 1,
                  "defen": 48000, "hupai": [{"name": "国士無双", "fanshu": "*"}], "fenpei": [48000, -48000, 0, 0]}},
    ]],
    "defen": [-23000, 25000, 25000, 73000], "rank": [4, 2, 3, 1], "point": [-73, 5, -15, 83],
}  # fmt: skip


@pytest.mark.parametrize("rules", ["majiang", "tenhou"])
@pytest.mark.parametrize(
    ("scores", "point", "expected"),
    [
        ([-23000, 25000, 25000, 73000], [-73, 5, -15, 83], []),
        # Places 2 to 4 are rounded each, and first place takes the rest.
        ([-23300, 25000, 25000, 73300], [-73, 5, -15, 83], []),
        ([-23300, 25000, 25000, 73300], ["-73", "5", "-15", "83"], []),
        ([-23300, 25000, 25000, 73300], [-73, 5, -15, 84], ["G107"]),
        ([-23300, 25000, 25000, 73300], ["-73.0", "5.0", "-15.0", "83.0"], ["G107"]),
        ([-23300, 25000, 25000, 73300], ["-73.3", "5.0", "-15.0", "83.3"], []),
    ],
)
def test_whole_points_of_a_bare_paipu_are_rounded_ones(rules, scores, point, expected):
    """A paipu without rules shows by four whole numbers that its points were rounded; others are exact."""
    told = json.loads(text(OLD | {"point": point, "defen": scores}))
    told["log"][0][0]["qipai"]["defen"] = [scores[3] - 48000, scores[0] + 48000, 25000, 25000]
    found_ = audited(text(told).encode(), options=Options(preset(rules)))
    assert [code for code in codes(found_) if code == "G107"] == expected


def test_rules_that_are_told_are_not_read_off_points():
    """With a rule object whose points have tenths, four whole numbers do not follow."""
    told = {"rule": {}, "paipu": json.loads(text(OLD)) | {"defen": [-23300, 25000, 25000, 73300]}}
    told["paipu"]["log"][0][0]["qipai"]["defen"] = [25300, 24700, 25000, 25000]
    assert "G107" in codes(report(text(told)))


@pytest.mark.parametrize("name", ["11_old_paipu_whole_points.json"])
def test_trial_of_an_old_paipu(shared, name):
    """It is clean."""
    assert codes(report((shared / "trials" / name).read_text("utf-8"))) == []


TRIALS = {
    "01badline.jsonl": [("L001", "6")],
    "05u2028.jsonl": [],
    "24spaces.jsonl": [],
    "14nestline.jsonl": [("L003", "2")],
    "crash_fanshu.json": [("D103", None), ("L003", None)],
    "crash_rank.json": [("D103", None), ("L003", None)],
    "crash_rulenum.json": [("D103", None), ("L003", None)],
    "one_number_event.json": [("D103", None), ("L003", None)],
}
"""What is wrong in trials; in one game the engine logs a tile just drawn as one from the hand (D103)."""


@pytest.mark.parametrize("name", TRIALS)
def test_trials(shared, name):
    """Each fault is named, with the line, and nothing else."""
    tables = report((shared / "trials" / name).read_text("utf-8"), name).tables
    assert sorted(tables["findings"].select("code", "within").rows(), key=str) == TRIALS[name]
    assert tables["rounds"]["game_id"].n_unique() == (12 if name.endswith("l") else 1)


def test_plain_texts_sift_to_themselves():
    """What the grammar calls plain has no fault for the sieve, and says the same after it; most games are plain."""
    for line in LINES:
        paipu, _ = unwrapped(line)
        assert grammar.fits(pl.Series([paipu])).to_list() == [True]
        sifted = faulty_game.read_faulty(line)
        assert sifted.notes == []
        assert json.loads(sifted.paipu) == said(json.loads(paipu))


def said(paipu):
    """Give a paipu with all the keys that a win can have, han as texts."""
    for events in paipu["log"]:
        for event in events:
            for win in event.values() if "hule" in event else ():
                for key in ("fu", "fanshu", "damanguan"):
                    win.setdefault(key, None)
                for yaku in win["hupai"]:
                    yaku["fanshu"] = str(yaku["fanshu"])
                    yaku.setdefault("baojia", None)
    return paipu


def test_order_of_keys_changes_nothing():
    """A game with its keys in another order is read value by value, to the same tables."""
    rng = random.Random(0)

    def shuffled(value):
        if isinstance(value, dict):
            keys = rng.sample(sorted(value), len(value))
            return {key: shuffled(value[key]) for key in keys}
        return [shuffled(each) for each in value] if isinstance(value, list) else value

    tables = report("\n".join(text(shuffled(json.loads(line))) for line in LINES)).tables
    ordered = report("\n".join(LINES)).tables
    for name in BY_GAME:
        assert tables[name].drop("game_id").equals(ordered[name].drop("game_id"))
