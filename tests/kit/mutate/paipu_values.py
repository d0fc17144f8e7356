"""Noise in logs of 電脳麻将: impossible values, missing keys, holes (L002, L003); a game of three (L007)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.kit.mutate.fault import NoSite, fault, pick

if TYPE_CHECKING:
    import random

    from tests.kit.mutate.paipu import Paipu

_SEAT = (4, -1, 9, None)
_TILE = ("z8", "x5", "m", "", None)
_HAND = ("m1x4", "z189", "m１２３")
VALUES: dict[str, tuple[str, str, tuple[Any, ...]]] = {
    "a wind": ("qipai", "zhuangfeng", (4, -1, None)),
    "a dealer": ("qipai", "jushu", (4, -1, None)),
    "honba": ("qipai", "changbang", (-1, 300, None)),
    "sticks": ("qipai", "lizhibang", (-1, 300, None)),
    "scores": ("qipai", "defen", ([25000] * 3, [25000] * 5, None)),
    "a first indicator": ("qipai", "baopai", _TILE),
    "hands": ("qipai", "shoupai", (["m1"] * 3, None)),
    "who draws": ("zimo", "l", _SEAT),
    "a tile drawn": ("zimo", "p", _TILE),
    "who discards": ("dapai", "l", _SEAT),
    "a tile discarded": ("dapai", "p", _TILE),
    "who calls": ("fulou", "l", _SEAT),
    "a meld": ("fulou", "m", ("m12", "q111-", "m123456", "", None)),
    "who makes a kan": ("gang", "l", _SEAT),
    "a kan": ("gang", "m", ("m11", "z8888", "", None)),
    "who draws after a kan": ("gangzimo", "l", _SEAT),
    "a replacement tile": ("gangzimo", "p", _TILE),
    "an indicator": ("kaigang", "baopai", _TILE),
    "who wins": ("hule", "l", _SEAT),
    "who pays": ("hule", "baojia", (4, -1, 9)),
    "a winner's hand": ("hule", "shoupai", (*_HAND, None)),
    "what a win is worth": ("hule", "defen", (-1, None)),
    "what a win moves": ("hule", "fenpei", ([0, 0, 0], [0] * 5, None)),
    "a win's yaku": ("hule", "hupai", (None,)),
    "an indicator below": ("hule", "fubaopai", (["z8"], ["x1"])),
    "the name of a draw": ("pingju", "name", ("九種十牌", "", None)),
    "hands at a draw": ("pingju", "shoupai", ([""] * 3, None)),
    "what a draw moves": ("pingju", "fenpei", ([0, 0, 0], [0] * 5, None)),
}
"""Event, key, and values that never occur there."""


def _enter(what: str, name: str, key: str, values: tuple[Any, ...]) -> None:
    @fault("L003", f"out of bounds in a paipu: {what}", form="paipu")
    def out_of_bounds(game: Paipu, rng: random.Random) -> int:
        sites = [
            (deal.nth, event[name]) for deal in game.deals for event in deal.events
            if name in event and (event[name][key] is not None or key not in ("baojia", "fubaopai"))
        ]  # fmt: skip
        nth, fields = pick(rng, sites)
        fields[key] = pick(rng, values)
        return nth


for _what, _site in VALUES.items():
    _enter(_what, *_site)


@fault("L003", "one of a paipu's hands cannot be read", form="paipu")
def hand_unreadable(game: Paipu, rng: random.Random) -> int:
    """Write a dealt hand with tiles that do not exist."""
    deal = pick(rng, game.deals)
    deal.events[0]["qipai"]["shoupai"][rng.randrange(4)] = pick(rng, _HAND)
    return deal.nth


@fault("L003", "an event of two keys in a paipu", form="paipu")
def two_keys(game: Paipu, rng: random.Random) -> int:
    """Write two events as one."""
    deal, place = pick(rng, [(deal, at) for deal in game.deals for at in range(1, len(deal.events) - 2)])
    if deal.name(place) == deal.name(place + 1):
        raise NoSite
    deal.events[place] |= deal.events.pop(place + 1)
    return deal.nth


@fault("L003", "an event of no known key in a paipu", form="paipu")
def unknown_key(game: Paipu, rng: random.Random) -> int:
    """Write an event that the format does not have."""
    deal = pick(rng, game.deals)
    deal.events.insert(rng.randrange(1, len(deal.events)), {pick(rng, ("lizhi", "kaiju", "x")): {"l": 0}})
    return deal.nth


@fault("L003", "a round of a paipu has no events", form="paipu")
def empty_round(game: Paipu, rng: random.Random) -> int:
    """Write an empty list in place of a round."""
    deal = pick(rng, game.deals[1:])
    deal.events.clear()
    return deal.nth


def _key(key: str, code: str) -> None:
    @fault(code, f"a paipu without {key}", form="paipu")
    def missing(game: Paipu, rng: random.Random) -> None:  # noqa: ARG001
        del game.record["paipu"][key]


for _name in ("title", "player", "qijia", "log", "defen", "rank", "point"):
    _key(_name, "L003")


def _pairs(game: Paipu) -> list[tuple[int, str, dict[str, Any]]]:
    """List round, name and content of all events."""
    return [(deal.nth, name, fields) for deal in game.deals for event in deal.events for name, fields in event.items()]


@fault("L003", "a key is missing from an event of a paipu", form="paipu")
def key_missing(game: Paipu, rng: random.Random) -> int:
    """Leave out one key of an event whose kind is drawn first."""
    kind = pick(rng, {name: None for _, name, _ in _pairs(game)})
    nth, _, fields = pick(rng, [each for each in _pairs(game) if each[1] == kind])
    del fields[pick(rng, fields)]
    return nth


_OTHER_TYPES = (None, True, 0.7, "0.7", [], {}, [[]], {"l": 0}, 10**20)
"""Values of other types than a key has; null is allowed for some."""


@fault("L003", "a value of another type in a paipu", form="paipu")
def type_wrong(game: Paipu, rng: random.Random) -> int:
    """Write a value of another JSON type."""
    kind = pick(rng, {name: None for _, name, _ in _pairs(game)})
    nth, _, fields = pick(rng, [each for each in _pairs(game) if each[1] == kind])
    key = pick(rng, fields)
    left_out = {str: (str,), list: (list, type(None))}.get(type(fields[key]), (type(None),))
    fields[key] = pick(rng, [value for value in _OTHER_TYPES if type(value) not in left_out])
    return nth


@fault("L003", "an event of a paipu that is no object", form="paipu")
def event_of_another_type(game: Paipu, rng: random.Random) -> int:
    """Write a number, a text, a list or nothing in place of an event or its content."""
    deal = pick(rng, game.deals)
    place, value = rng.randrange(len(deal.events)), pick(rng, (None, 7, "zimo", [], True))
    if rng.random() < 0.5:
        deal.events[place] = value
    else:
        deal.events[place] = {deal.name(place): value}
    return deal.nth


@fault("L003", "a key told twice in a paipu", form="paipu")
def key_twice(game: Paipu, rng: random.Random) -> int:
    """Repeat a key of an event, with the same value or another."""
    kind = pick(rng, {name: None for _, name, _ in _pairs(game)})
    nth, _, fields = pick(rng, [each for each in _pairs(game) if each[1] == kind])
    key = pick(rng, fields)
    again = pick(rng, (fields[key], None if fields[key] is not None else 0))
    fields["twice"] = [key, again]
    text = game.encode().decode()
    game.raw = text.replace(json.dumps("twice") + ": " + json.dumps([key, again], ensure_ascii=False),
                            json.dumps(key) + ": " + json.dumps(again, ensure_ascii=False)).encode()  # fmt: skip
    return nth


@fault("W113", "a win of a paipu states another total than its list", form="paipu")
def total_wrong(game: Paipu, rng: random.Random) -> int:
    """Write one han or yakuman more or less than the list has."""
    nth, fields = pick(rng, [(nth, fields) for nth, name, fields in _pairs(game) if name == "hule"])
    key = "damanguan" if "damanguan" in fields else "fanshu"
    fields[key] += pick(rng, (1, 2)) if fields[key] < 2 else pick(rng, (-1, 1))
    return nth


@fault("L003", "qijia out of bounds in a paipu", form="paipu")
def other_first_dealer(game: Paipu, rng: random.Random) -> None:
    """Name a player that does not exist."""
    game.record["paipu"]["qijia"] = pick(rng, (4, -1))


@fault("L003", "three final scores, ranks or points in a paipu", form="paipu")
def finals_miscounted(game: Paipu, rng: random.Random) -> None:
    """Leave out one number."""
    game.record["paipu"][pick(rng, ("defen", "rank", "point"))].pop()


@fault("L007", "a paipu of three players", form="paipu")
def three_players(game: Paipu, rng: random.Random) -> None:  # noqa: ARG001
    """Leave out what the game and its deals and payments say about one player."""
    whole = game.record["paipu"]
    of_results = [fields for _, name, fields in _pairs(game) if name in ("qipai", "hule", "pingju")]
    for holder in (whole, *of_results):
        for key, value in holder.items():
            if key != "log" and isinstance(value, list) and len(value) == 4:
                holder[key] = value[:-1]


@fault("L002", "a paipu cut", form="paipu")
def cut(game: Paipu, rng: random.Random) -> None:
    """Cut the text."""
    text = game.encode()
    game.raw = text[: rng.randrange(text.index(b'"qipai"') + 10, len(text) - 1)]


@fault("L002", "bytes lost in the middle of a paipu", form="paipu")
def hole(game: Paipu, rng: random.Random) -> None:
    """Lose some hundred bytes."""
    text = game.encode()
    start = rng.randrange(text.index(b'"qipai"') + 10, len(text) - 100)
    game.raw = text[:start] + text[start + rng.randrange(50, 2000) :]
    try:
        json.loads(game.raw)
    except ValueError:
        return
    raise NoSite
