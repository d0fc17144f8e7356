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

# The path of the value, its replacement, the recorded text. An event's number is its place in the game.
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
    """Give a file of two games, the first with another value at one place."""
    changed_game = game(2)
    place = changed_game["paipu"]
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return json.dumps(changed_game) + "\n" + LINES[0]


@pytest.fixture(scope="module")
def other_types():
    """Audit files with one value of another type in one batch; give their tables."""
    return reports({what: with_value(path, value) for what, (path, value, _) in TYPES.items()})


@pytest.mark.parametrize("what", TYPES)
def test_a_value_of_another_type_costs_itself(what, other_types):
    """The wrong value is one finding at its event, written as JSON; the file's other game is unchanged."""
    path, _, recorded = TYPES[what]
    tables = other_types[what]
    wrong = tables["findings"].row(0, named=True)
    assert tables["findings"]["code"].to_list() == ["L003"]
    assert wrong["within"] == "1"
    assert recorded is None or wrong["recorded"] == recorded
    if len(path) > 2:
        assert wrong["event"] == (path[2] if path[2] >= 0 else len(game(2)["paipu"]["log"][0]) - 1)
    assert len(tables["rounds"].filter(pl.col("game_id") == tables["games"]["game_id"][1]))


def wins_of(changed_game):
    """List the wins of a game."""
    return [event["hule"] for events in changed_game["paipu"]["log"] for event in events if "hule" in event]


def with_win(yakuman=False):
    """Give a game with an ordinary win or one by yakuman, and that win."""
    for number in range(len(LINES)):
        changed_game = game(number)
        for win in wins_of(changed_game):
            if ("damanguan" in win) == yakuman:
                return changed_game, win
    changed_game = json.loads(
        next(line for line in gzip.decompress(PAIPU.read_bytes()).splitlines() if b'"damanguan"' in line)
    )
    return changed_game, next(win for win in wins_of(changed_game) if "damanguan" in win)


KEYS_OF_A_WIN = ["l", "shoupai", "baojia", "fubaopai", "fu", "fanshu", "defen", "hupai", "fenpei"]
KEYS_OF_A_GAME = ["title", "player", "qijia", "log", "defen", "rank", "point"]


@pytest.fixture(scope="module")
def lacking():
    """Give code and recorded text of the findings for each missing key, audited in one batch."""
    texts = {}
    for key in KEYS_OF_A_WIN:
        changed_game, win = with_win()
        del win[key]
        texts["win", key] = text(changed_game)
    for key in KEYS_OF_A_GAME:
        changed_game = game()
        del changed_game["paipu"][key]
        texts["game", key] = text(changed_game)
    return {name: tables["findings"].select("code", "recorded").rows() for name, tables in reports(texts).items()}


@pytest.mark.parametrize("key", KEYS_OF_A_WIN)
def test_a_key_that_every_win_has_is_missed(key, lacking):
    """A win without one of its keys is one finding that names the key."""
    assert lacking["win", key] == [("L003", f"hule without {key}")]


def test_yakuman_are_missed_where_the_list_has_one():
    """A win by yakuman must state the number of yakuman."""
    changed_game, win = with_win(yakuman=True)
    assert found(text(changed_game)) == []
    del win["damanguan"]
    assert [(code, text_) for code, _, _, text_ in found(text(changed_game))] == [("L003", "hule without damanguan")]


@pytest.mark.parametrize("key", KEYS_OF_A_GAME)
def test_a_key_that_every_game_has_is_missed(key, lacking):
    """A game without one of its keys is one finding."""
    assert lacking["game", key] == [("L003", f"no {key}")]


def test_a_game_without_an_end_is_cut():
    """A game without scores, places and points is cut off (L002)."""
    changed_game = game()
    for key in ("defen", "rank", "point"):
        del changed_game["paipu"][key]
    assert [code for code, *_ in found(text(changed_game))] == ["L002"]


@pytest.mark.parametrize(
    ("key", "again", "words"),
    [
        ('"l": 0,', '"l": 0, "l": 0,', "zimo l told twice"),
        ('"l": 0,', '"l": 0, "l": 1,', "zimo l told twice, differently"),
        ('"zimo": ', '"zimo": {"l": 0, "p": "m1"}, "zimo": ', "zimo told twice, differently"),
        ('"l": 0,', '"l": 0, "mood": "glad",', "zimo mood"),
    ],
)
def test_duplicate_and_unknown_keys_are_named(key, again, words):
    """A key that occurs twice is a finding, with equal or different values; so is an unknown key."""
    changed_game = text(game(2))
    start = changed_game.index('"zimo": {"l": 0,')
    data = changed_game[:start] + changed_game[start:].replace(key, again, 1)
    assert [(code, text_) for code, _, _, text_ in found(data)] == [("L003", words)]


def test_duplicate_keys_outside_the_play_are_named():
    """The same holds in the head, the wrapper and the rules."""
    changed_game = text(game())
    for old, new, words in (
        ('"qijia":', '"title": "x", "qijia":', "title told twice, differently"),
        ('{"rule":', '{"id": 1, "id": 1, "rule":', "id told twice"),
        ('"場数":', '"場数": 0, "場数":', "rule 場数 told twice, differently"),
    ):
        assert [(code, text_) for code, _, _, text_ in found(changed_game.replace(old, new, 1))] == [("L003", words)]


RULES = [
    5, "x", [], True, {"配給原点": 10**19}, {"配給原点": 10**9}, {"配給原点": -1}, {"配給原点": True}, {"場数": 2.0},
     {"順位点": ["nan", "1", "1", "1"]}, {"順位点": ["1e9", "0", "0", "0"]}, {"順位点": ["１", "0", "0", "0"]},
     {"順位点": [20, 10, -10, -20]}, {"順位点": "x"}, {"赤牌": 1}, {"赤牌": {"m": 99, "p": 0, "s": 0}},
]  # fmt: skip


@pytest.fixture(scope="module")
def odd_rules():
    """Audit a game under each of these rules in one batch; give the tables."""
    return reports({at: text(game() | {"rule": rule}) for at, rule in enumerate(RULES)})


@pytest.mark.parametrize("at", range(len(RULES)), ids=[text(rule) for rule in RULES])
def test_rules_that_cannot_be_are_named(at, odd_rules):
    """Impossible rules are one finding; all rules are unknown, and the game is audited."""
    tables = odd_rules[at]
    assert tables["findings"]["code"].to_list() == ["L003"]
    assert "rule" in tables["findings"]["recorded"][0]
    assert len(tables["rounds"])


def test_a_rule_of_null_states_no_rules():
    """A rule of null is the same as no rule."""
    changed_game = game() | {"rule": None}
    assert found(text(changed_game)) == found(text(changed_game["paipu"]))


# South 4, won by 国士無双, as a client before January 2022 wrote it: final points rounded, no rules stated.
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
        # The points of places 2 to 4 are rounded, and first place takes the rest.
        ([-23300, 25000, 25000, 73300], [-73, 5, -15, 83], []),
        ([-23300, 25000, 25000, 73300], ["-73", "5", "-15", "83"], []),
        ([-23300, 25000, 25000, 73300], [-73, 5, -15, 84], ["G107"]),
        ([-23300, 25000, 25000, 73300], ["-73.0", "5.0", "-15.0", "83.0"], ["G107"]),
        ([-23300, 25000, 25000, 73300], ["-73.3", "5.0", "-15.0", "83.3"], []),
    ],
)
def test_whole_points_of_a_bare_paipu_are_rounded_ones(rules, scores, point, expected):
    """In a paipu without rules, four whole numbers as points mean that points were rounded; others are exact."""
    changed_game = json.loads(text(OLD | {"point": point, "defen": scores}))
    changed_game["log"][0][0]["qipai"]["defen"] = [scores[3] - 48000, scores[0] + 48000, 25000, 25000]
    found_ = audited(text(changed_game).encode(), options=Options(preset(rules)))
    assert [code for code in codes(found_) if code == "G107"] == expected


def test_stated_rules_are_not_inferred_from_points():
    """With a rule object, four whole numbers do not mean that points were rounded."""
    changed_game = {"rule": {}, "paipu": json.loads(text(OLD)) | {"defen": [-23300, 25000, 25000, 73300]}}
    changed_game["paipu"]["log"][0][0]["qipai"]["defen"] = [25300, 24700, 25000, 25000]
    assert "G107" in codes(report(text(changed_game)))


@pytest.mark.parametrize("name", ["11_old_paipu_whole_points.json"])
def test_trial_of_an_old_paipu(shared, name):
    """An old paipu from the trials has no finding."""
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
"""The findings in the trials. In one game the engine logs a tile just drawn as one from the hand (D103)."""


@pytest.mark.parametrize("name", TRIALS)
def test_trials(shared, name):
    """Each fault of a trial file is named with its line, and nothing else is found."""
    tables = report((shared / "trials" / name).read_text("utf-8"), name).tables
    assert sorted(tables["findings"].select("code", "within").rows(), key=str) == TRIALS[name]
    assert tables["rounds"]["game_id"].n_unique() == (12 if name.endswith("l") else 1)


def test_plain_texts_sift_to_themselves():
    """A text that fits the grammar has no fault for the value-by-value reader, which reads the same from it."""
    for line in LINES:
        paipu, _ = unwrapped(line)
        assert grammar.fits(pl.Series([paipu])).to_list() == [True]
        sifted = faulty_game.read_faulty(line)
        assert sifted.notes == []
        assert json.loads(sifted.paipu) == said(json.loads(paipu))


def said(paipu):
    """Give a paipu with all the keys that a win can have, and han as texts."""
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
    """The order of keys in a game does not change its tables."""
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
