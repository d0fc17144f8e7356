"""Noise in logs of 電脳麻将: values that cannot stand where they do, keys that are missing, holes (L002, L003)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mutate.fault import NoSite, fault, pick

if TYPE_CHECKING:
    import random

    from mutate.paipu import Paipu

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
"""Event, key, and values that it never has."""


def _enter(what: str, name: str, key: str, values: tuple[Any, ...]) -> None:
    @fault("L003", f"out of bounds in a paipu: {what}", form="paipu")
    def out_of_bounds(game: Paipu, rng: random.Random) -> int:
        sites = [
            (deal.nth, event[name]) for deal in game.deals for event in deal.events
            if name in event and (event[name][key] is not None or key not in ("baojia", "fubaopai"))
        ]  # fmt: skip
        nth, told = pick(rng, sites)
        told[key] = pick(rng, values)
        return nth


for _what, _site in VALUES.items():
    _enter(_what, *_site)


@fault("L003", "one of a paipu's hands cannot be read", form="paipu")
def hand_unreadable(game: Paipu, rng: random.Random) -> int:
    """Write a dealt hand with tiles that there are not."""
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
        del game.told["paipu"][key]


for _name in ("title", "player", "qijia", "log", "defen", "rank", "point"):
    _key(_name, "L003")


@fault("L003", "qijia out of bounds in a paipu", form="paipu")
def other_first_dealer(game: Paipu, rng: random.Random) -> None:
    """Name a player that there is not."""
    game.told["paipu"]["qijia"] = pick(rng, (4, -1))


@fault("L003", "three final scores, ranks or points in a paipu", form="paipu")
def finals_miscounted(game: Paipu, rng: random.Random) -> None:
    """Leave out one number."""
    game.told["paipu"][pick(rng, ("defen", "rank", "point"))].pop()


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
