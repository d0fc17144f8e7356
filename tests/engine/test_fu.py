"""Every source of fu on its own, then whole hands."""

from __future__ import annotations

import pytest

from engine.scoring.fu import SOURCES, fu, itemised
from tests.kit.batches import described, scored

HANDS = {
    "plain": "345m456p678s99p45s 3s",
    "dragons": "345m456p678s55z45s 6s",
    "seat wind": "345m456p678s22z45s 6s",
    "guest wind": "345m456p678s33z45s 6s",
}


@pytest.mark.parametrize(
    ("text", "situation", "source", "expected"),
    [
        (HANDS["plain"], {}, "base", 20),
        (HANDS["plain"], {}, "closed ron", 10),
        (HANDS["plain"], {"tsumo": True}, "closed ron", 0),
        (HANDS["plain"], {"tsumo": True}, "tsumo", 0),  # pinfu
        (HANDS["dragons"], {"tsumo": True}, "tsumo", 2),
        ("456p678s99p45s 3s 3-45m", {"tsumo": True}, "tsumo", 2),
        ("345m456p678s9p345s 9p", {}, "wait", 2),
        ("345m456p678s99p35s 4s", {}, "wait", 2),
        ("345m456p678s99p12s 3s", {}, "wait", 2),
        ("345m456p678s99p89s 7s", {}, "wait", 2),
        ("345m456p678s99p78s 9s", {}, "wait", 0),
        ("345m456p678s99p22s 2s", {}, "wait", 0),
        (HANDS["dragons"], {}, "pair of dragons", 2),
        (HANDS["seat wind"], {}, "pair of winds", 2),
        (HANDS["seat wind"], {"round_wind": 1}, "pair of winds", 4),
        (HANDS["guest wind"], {}, "pair of winds", 0),
        (HANDS["guest wind"], {"round_wind": 2}, "pair of winds", 2),
        ("456p678s99p45s 3s 222-m", {}, "open triplets, simple", 2),
        ("456p678s99p22s 2s 3-45m", {}, "open triplets, simple", 2),
        ("456p678s99p22s 2s 3-45m", {"tsumo": True}, "concealed triplets, simple", 4),
        ("456p678s99p45s 3s 333-z", {}, "open triplets, terminal or honour", 4),
        ("222m456p678s99p45s 3s", {}, "concealed triplets, simple", 4),
        ("111m456p678s99p45s 3s", {}, "concealed triplets, terminal or honour", 8),
        ("456p678s99p45s 3s 2222-m", {}, "open kans, simple", 8),
        ("456p678s99p45s 3s 999-9m", {}, "open kans, terminal or honour", 16),
        ("456p678s99p45s 3s 2222m", {}, "ankan, simple", 16),
        ("456p678s99p45s 3s 3333z", {}, "ankan, terminal or honour", 32),
    ],
)
def test_source(text, situation, source, expected):
    """Each source counts in one hand, and does not count in another that is close to it."""
    assert set(itemised(described(text, **situation))[source].tolist()) == {expected}


def test_every_source_is_tested():
    """A new source needs a row above."""
    marks = test_source.pytestmark
    assert {case[2] for case in marks[0].args[1]} == set(SOURCES)


@pytest.mark.parametrize(
    ("text", "rules", "situation", "source", "expected"),
    [
        (HANDS["seat wind"], {"double_wind_pair_fu": 2}, {"round_wind": 1}, "pair of winds", 2),
        (
            "456p678s99p45s 3s 2222m",
            {"rinshan_tsumo_fu": False},
            {"tsumo": True, "rinshan": True},
            "tsumo",
            0,
        ),
        ("456p678s99p45s 3s 2222m", {"rinshan_tsumo_fu": True}, {"tsumo": True, "rinshan": True}, "tsumo", 2),
        ("456p678s99p45s 3s 2222m", {"rinshan_tsumo_fu": False}, {"tsumo": True}, "tsumo", 2),
    ],
)
def test_rules_on_fu(text, rules, situation, source, expected):
    """Two rules change fu: those of double winds, and those of tsumo after a kan."""
    assert set(itemised(described(text, rules, **situation))[source].tolist()) == {expected}


@pytest.mark.parametrize(
    ("text", "situation", "expected"),
    [
        (HANDS["plain"], {"tsumo": True}, 20),  # pinfu
        (HANDS["plain"], {}, 30),
        ("456p678s99p45s 3s 3-45m", {}, 30),  # an open hand with only the 20
        ("456p678s99p45s 3s 3-45m", {"tsumo": True}, 30),
        ("1122m3344p5566s1z 1z", {}, 25),
        ("1122m3344p5566s1z 1z", {"tsumo": True}, 25),
        ("19m19p19s1123456z 7z", {}, 0),
        ("234m67p22s 8p 9999s 666-z", {}, 60),  # case fu-006
        ("234567m99s88p555z 8p", {"tsumo": True}, 40),  # case fu-002
    ],
)
def test_rounded_sum(text, situation, expected):
    """Sums are rounded up to ten; seven pairs and thirteen orphans have fixed fu."""
    assert set(fu(described(text, **situation)).tolist()) == {expected}


def test_best_reading_of_fu_counts_when_points_are_equal():
    """Of readings with equal points and han, the one with more fu counts."""
    # 222333444m67p99s: three triplets or three equal runs; 8p completes 678p (case dc-001).
    assert scored("222333444m67p99s 8p").fu.tolist() == [50]
