"""Turns, calls, kans and indicators, compared with plain counts, in orders that the fixtures do not have."""

from __future__ import annotations

import gzip
import json
from itertools import pairwise

import polars as pl
import pytest

from auditor.audit.audit_batch import Options, audit
from engine.rules.rule_sets import preset
from tests.kit.audits import FIXTURES, TENHOU, audited, codes, log_bytes, source
from tests.kit.check_cases.calls import ANKAN_HAND, round_won, turns
from tests.kit.stricter.calls import KUIKAE, counted_kuikae
from tests.kit.stricter.calls import audited as audited_under

LINES = gzip.decompress((FIXTURES / "sources" / "majiang.jsonl.gz").read_bytes()).decode().splitlines()
GAMES = [json.loads(line) for line in LINES]
DELAYED = "カンドラ後乗せ"


@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.long
def test_kuikae_under_stricter_rules(level, shared):
    """Under a stricter kuikae rule, the findings are the violations that a loop over every call counts."""
    lines = gzip.decompress((shared / "selfplay" / "majiang" / "eagermix-0.jsonl.gz").read_bytes()).splitlines()
    looser = [game for game in map(json.loads, lines) if game["rule"][KUIKAE] > level]
    counted = counted_kuikae(looser, level)
    assert len(counted) > 10
    assert audited_under(looser, KUIKAE, level) == counted


def findings_of(game, **rule):
    """Audit one game of 電脳麻将 under one changed rule."""
    text = json.dumps({**game, "rule": {**game["rule"], **rule}}, ensure_ascii=False)
    return audit([source(text.encode(), "game.json")], Options(preset("majiang"), ("K",))).tables["findings"]


def test_indicators_under_the_other_timing():
    """A game with an open kan and a later discard is wrong under the other timing of kan dora."""
    compared = 0
    for game in GAMES:
        names = [next(iter(event)) for round_ in game["paipu"]["log"] for event in round_]
        open_kan = any(
            "fulou" in event and len(event["fulou"]["m"]) == 6 and after and "gangzimo" in after
            for round_ in game["paipu"]["log"]
            for event, after in pairwise(round_)
        )
        if not open_kan or not game["rule"]["カンドラあり"] or "kaigang" not in names:
            continue
        assert findings_of(game).rows() == []
        assert set(findings_of(game, **{DELAYED: not game["rule"][DELAYED]})["code"]) == {"K112"}
        compared += 1
    assert compared > 3


KAN = f"{turns('3P 0W')}\n1 draws 9m\n1 ankan 9m\ndora P"
FED = f"{turns('3P 09m')}\n1 daiminkan 9m from 0\n1 draws 9p"
WITH_9P = "999m 999p 14p 14s ESW"
AFTER_ANKAN = f"{KAN}\n1 draws 9p\n1 ankan 9p\ndora F\n1 draws C\n1 discards C"


@pytest.mark.parametrize(
    ("play", "expected"),
    [
        (AFTER_ANKAN, []),
        (f"{FED}\ndora P\n1 ankan 9p\ndora F\n1 draws C\n1 discards C", []),
        (f"{FED}\n1 ankan 9p\ndora P\ndora F\n1 draws C\n1 discards C", ["K112"]),
        (f"{FED}\n1 ankan 9p\ndora F\n1 draws C\n1 discards C", ["K112"]),
        (AFTER_ANKAN.replace("dora P\n", "").replace("dora F", "dora P\ndora F"), ["K112"]),
    ],
    ids=["two ankans", "open kan, then ankan", "both at once", "one missing", "first late"],
)
def test_chain_of_kans(play, expected):
    """If an open kan precedes an ankan, Tenhou turns its indicator before the ankan (RULES.md 4.3)."""
    # 9p is no longer the first indicator: three of its copies are melded.
    text = round_won(play, of_1=WITH_9P).replace("dora 9p", "dora 2p")
    assert codes(audited(log_bytes(text))) == expected


@pytest.mark.parametrize(
    ("line", "instead", "expected"),
    [
        ("1 draws C\n1 discards C", "2 draws C\n1 discards E", ["D101"]),
        ("1 draws C", "1 draws C\n2 discards N", ["D106"]),
        ("1 draws 9m\n", "", ["L004"]),
        ("3 draws P\n3 discards P", "3 discards P", ["D106"]),
        (
            "0 draws W\n0 discards W",
            "0 draws W\n1 draws F\n0 discards W\n1 discards F\n1 draws N\n1 discards N",
            ["D101"],
        ),
    ],
    ids=["replaced by another", "two discard", "kan without a draw", "dealer does not draw", "draws change places"],
)
def test_one_fault_has_one_code(line, instead, expected):
    """One fault gives one code; its consequences are not reported."""
    text = round_won(f"{turns('3P 0W')}\n1 draws 9m\n1 ankan 9m\ndora S\n1 draws C\n1 discards C", of_1=ANKAN_HAND[8:])
    assert codes(audited(log_bytes(text.replace(line, instead)))) == expected


def test_an_unknown_kuikae_rule_gives_no_finding():
    """If a private lobby may have allowed kuikae, a discard after a call is no finding."""
    table = audited(
        log_bytes(round_won(f"{turns('3P 02m')}\n1 chi 2m with 34m\n1 discards 5m", of_1="345m 147p 14s ESWNP"))
    )
    tallies = {tally.code: tally for tally in table.tallies}
    assert table.tables["findings"].filter(pl.col("code") == "D105").rows() == []
    assert (tallies["D105"].depends, tallies["D105"].on) == (1, {"kuikae_level": 1})
    assert TENHOU.rules.kuikae_level == 0
