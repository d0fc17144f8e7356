"""30,000 hands and 7,000 wins whose values another engine computed (../shared/truth)."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest

from engine.rules.rule_sets import preset
from engine.rules.rule_table import RuleTable
from engine.scoring.score import score
from engine.shapes.shanten import seven_pairs, shanten, standard, thirteen_orphans
from engine.tiles.hands import Hands, parse_hand
from engine.yaku.all_yaku import BY_MAJIANG
from engine.yaku.wins import Wins
from tests.kit.batches import concatenated
from tests.kit.notations import from_majiang, kind_of

IDS = {name: entry.id for name, entry in BY_MAJIANG.items()}


def load(path):
    """Read a gzipped JSON file."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return json.load(file)


@pytest.fixture(scope="module", params=["shanten_1", "shanten_2", "shanten_3"])
def shanten_truth(request, shared):
    """Give hands and their shanten: standard, thirteen orphans, seven pairs."""
    records = load(shared / "truth" / f"{request.param}.json.gz")
    counts = np.array([np.bincount([kind_of(t) for t in r["q"]], minlength=34) for r in records])
    return Hands.from_counts(counts), np.array([r["x"] for r in records])


@pytest.mark.parametrize("definition", ["exact", "block"])
def test_standard_shanten_agrees_by_both_definitions(shanten_truth, definition):
    """On these hands both definitions give the same."""
    hands, expected = shanten_truth
    found = standard(hands.keys, hands.n_melds, definition)
    np.testing.assert_array_equal(found, expected[:, 0])
    np.testing.assert_array_equal(shanten(hands.keys, hands.n_melds, definition), expected.min(axis=1))


def test_special_forms_agree(shanten_truth):
    """Thirteen orphans and seven pairs."""
    hands, expected = shanten_truth
    np.testing.assert_array_equal(thirteen_orphans(hands.keys), expected[:, 1])
    np.testing.assert_array_equal(seven_pairs(hands.keys), expected[:, 2])


@pytest.fixture(scope="module")
def wins_truth(shared):
    """Give the records, and our scores under the same rules."""
    records = load(shared / "truth" / "wins.json.gz")
    table = RuleTable.from_rules([preset("majiang")])
    return records, score(wins_of([record["in"] for record in records]), table)


def wins_of(inputs):
    """Turn the inputs of the records into one batch; in the records seat 0 is the dealer."""
    texts, kinds = zip(*(from_majiang(r["shoupai"], r.get("rongpai")) for r in inputs), strict=True)
    situation = [r["param"] for r in inputs]
    special = [p["hupai"] for p in situation]
    winner = np.array([p["menfeng"] for p in situation])
    feeder = np.array(["_+=-".index((r.get("rongpai") or "___")[-1]) for r in inputs])
    return Wins.of(
        concatenated([parse_hand(text) for text in texts]),
        np.array(kinds),
        winner=winner,
        payer=(winner + feeder) % 4,
        tsumo=feeder == 0,
        round_wind=np.array([p["zhuangfeng"] for p in situation]),
        riichi=np.array([s.get("lizhi", 0) for s in special]),
        ippatsu=np.array([s.get("yifa", False) for s in special]),
        last_tile=np.array([s.get("haidi", 0) > 0 for s in special]),
        rinshan=np.array([s.get("lingshang", False) for s in special]),
        dora=indicators([p["baopai"] for p in situation]),
        ura=indicators([p["fubaopai"] or [] for p in situation]),
        honba=np.array([p["jicun"]["changbang"] for p in situation]),
        sticks=np.array([p["jicun"]["lizhibang"] for p in situation]),
    )


def indicators(lists):
    """Pad lists of indicators to a rectangle."""
    table = np.full((len(lists), 5), 255, dtype=np.uint8)
    for row, tiles in enumerate(lists):
        table[row, : len(tiles)] = [kind_of(tile) for tile in tiles]
    return table


def test_all_wins_are_wins(wins_truth):
    """Every recorded win is complete and has a yaku."""
    _, scores = wins_truth
    assert scores.has_yaku.all()


def test_yaku_and_han_agree(wins_truth):
    """The same yaku with the same han, dora included."""
    records, scores = wins_truth
    for row, record in enumerate(records):
        expected = {yaku_id(y["name"], record): y["fanshu"] for y in record["out"]["hupai"]}
        found = {int(i): int(scores.yaku[row, i]) for i in np.flatnonzero(scores.yaku[row])}
        found |= {int(i): "*" for i in np.flatnonzero(scores.yakuman[row])}
        assert found == expected, record["in"]


def yaku_id(name, record):
    """Give the number of a yaku by its name in the records; the yaku of winds carry the kind of wind in both."""
    return IDS[name] if name in IDS else pytest.fail(f"unknown yaku {name} in {record['in']}")


def test_fu_and_han_agree(wins_truth):
    """Han and fu are the same; the other engine states no fu for yakuman."""
    records, scores = wins_truth
    limited = np.array([r["out"]["damanguan"] is not None for r in records])
    expected_fu = np.array([r["out"]["fu"] or 0 for r in records])
    expected_han = np.array([r["out"]["fanshu"] or 0 for r in records])
    np.testing.assert_array_equal(scores.fu[~limited], expected_fu[~limited])
    np.testing.assert_array_equal(scores.han, expected_han)
    np.testing.assert_array_equal(scores.units, [r["out"]["damanguan"] or 0 for r in records])


def test_points_and_payments_agree(wins_truth):
    """Points and payments are the same, with honba, sticks and pao."""
    records, scores = wins_truth
    np.testing.assert_array_equal(scores.points, [r["out"]["defen"] for r in records])
    np.testing.assert_array_equal(scores.deltas, [r["out"]["fenpei"] for r in records])
