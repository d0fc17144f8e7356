"""Faults planted in mjai logs of several dialects: the right check finds each, in the right round, and nothing else."""

from __future__ import annotations

import copy

import pytest

from auditor.audit.audit_batch import audit
from tests.kit import mjai_writer
from tests.kit.audits import TENHOU, source


@pytest.fixture(scope="module")
def clean(shipped):
    """Give the shipped games with red fives and South rounds as events, by dialect: what every dialect can say."""
    log = shipped[1]
    rules = [log.rules[row] for row in log.games["rules"]]
    usual = [game for game, each in enumerate(rules) if each.game_length == 2 and any(each.red_fives)]
    return {
        dialect: [list(mjai_writer.Writer(log, game, dialect).events()) for game in usual]
        for dialect in mjai_writer.DIALECTS
    }


def some(events, kind, fits=lambda _: True, *, last=False):
    """Give the place of the first (or last) event of a type that fits; None if there is none."""
    places = [place for place, event in enumerate(events) if event["type"] == kind and fits(event)]
    return places[-1 if last else 0] if places else None


def change(kind, fits=None, **values):
    """Make a fault that replaces values of an event; a function gets the old value."""

    def plant(events):
        place = some(events, kind, fits or (lambda _: True))
        if place is None:
            return None
        event = events[place]
        for name, value in values.items():
            event[name] = value(event[name]) if callable(value) else value
        return place

    return plant


def remove(kind, fits=None):
    """Make a fault that removes an event."""

    def plant(events):
        place = some(events, kind, fits or (lambda _: True))
        if place is not None:
            del events[place]
        return place

    return plant


def moved(points):
    """Give changes of score with points moved from the one who pays most to the one who gets most."""
    found = list(points)
    found[found.index(max(found))] += 1000
    found[found.index(min(found))] -= 1000
    return found


def more(points):
    """Give changes of score that do not balance."""
    return [*points[:-1], points[-1] + 100]


def later(event):
    """Say whether a round is not the first of its game."""
    return (event["bakaze"], event["kyoku"], event["honba"]) != ("E", 1, 0)


def without_riichi(yakus):
    """Give a list of yaku without riichi."""
    return [each for each in yakus if each[0] != "reach"]


def in_riichi(event):
    """Say whether a win has riichi, and something else that is no dora."""
    names = {name for name, _ in event["yakus"]} - {"dora", "uradora", "akadora"}
    return "reach" in names and len(names) > 1 and event["fan"] < 100


def ordinary(event):
    """Say whether a win is no yakuman, and below mangan."""
    return event["fan"] < 4


def paid(event):
    """Say whether a draw has payments."""
    return any(event["deltas"]) and max(event["deltas"]) <= 3000


def less_fan(event_fan):
    """Take one han away."""
    return event_fan - 1


ALL = mjai_writer.DIALECTS
FAULTS = {
    "P101 deltas": ("P101", ALL, change("hora", deltas=moved)),
    "P102 deltas": ("P102", ("gimite", "convlog", "riichienv"), change("hora", deltas=more)),
    "P106 deltas": ("P106", ("gimite",), change("ryukyoku", paid, deltas=moved)),
    "G102 honba": ("G102", ALL, change("start_kyoku", later, honba=lambda honba: honba + 3)),
    "G103 sticks": ("G103", ALL, change("start_kyoku", later, kyotaku=lambda sticks: sticks + 3)),
    "G106 scores": ("G106", ("gimite",), change("end_game", scores=moved)),
    "K112 no indicator": ("K112", ("convlog", "mortal", "riichienv"), remove("dora")),
    "R107 no stick": ("R107", ALL, remove("reach_accepted")),
    "W104 no riichi": ("W104", ("gimite",), change("hora", in_riichi, yakus=without_riichi, fan=less_fan)),
    "W106 fu": ("W106", ("gimite",), change("hora", ordinary, fu=lambda fu: fu + 10)),
    "W107 points": ("W107", ("gimite",), change("hora", ordinary, hora_points=lambda points: points + 100)),
    "W109 tile": ("W109", ("gimite",), change("hora", pai=lambda tile: "P" if tile != "P" else "F")),
    "W113 han": ("W113", ("gimite",), change("hora", ordinary, fan=lambda fan: fan + 1)),
    "C103 meld": ("C103", ("convlog",), change("chi", consumed=["E", "S"])),
    "D103 mark": ("D103", ("convlog",), change("dahai", lambda event: not event["tsumogiri"], tsumogiri=True)),
    "L003 tile": ("L003", ALL, change("tsumo", pai="9z")),
    "L003 type": ("L003", ALL, change("tsumo", type="draw")),
}


EXTRA = {
    # The log states scores beside the changes, so one of the two contradicts the other.
    "P101 deltas": {"P105"}, "P102 deltas": {"P105"}, "P106 deltas": {"P105"},
    # The log states the counters once, at the start, so the payments contradict them.
    "G102 honba": {"P103"}, "G103 sticks": {"P104"}, "R107 no stick": {"P104", "P105"},
    # The hand shown is the rest of the hand with the winning tile.
    "W109 tile": {"T105"},
    "C103 meld": {"T102"},
}  # fmt: skip
"""Other codes that a fault can give."""


@pytest.mark.parametrize(
    ("name", "dialect"), [(name, dialect) for name, (_, dialects, _) in FAULTS.items() for dialect in dialects]
)
def test_a_fault_is_found(clean, name, dialect):
    """The check of the fault finds it in its round, in each game that has a place for it."""
    code, _, plant = FAULTS[name]
    planted = 0
    for game in clean[dialect]:
        events = copy.deepcopy(game)
        place = plant(events)
        if place is None:
            continue
        planted += 1
        report = audit([source(mjai_writer.lines(events).encode(), "a.mjson")], TENHOU)
        found = report.tables["findings"]
        nth = sum(event["type"] == "start_kyoku" for event in events[: place + 1]) - 1
        assert code in found["code"].to_list(), (name, found["code"].to_list())
        rounds = found.filter(found["code"] == code)["round"].to_list()
        assert nth in rounds or None in rounds or code.startswith("G"), (nth, rounds)
        assert EXTRA.get(name, set()) >= set(found["code"]) - {code}, found["message"].to_list()
    assert planted
