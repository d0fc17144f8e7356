"""Noise in logs of 電脳麻将: events exchanged, missing, repeated, or of other seats."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from tests.kit.mutate.fault import NoSite, fault, pick
from tests.kit.mutate.paipu import DRAWS, MARKS

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from tests.kit.mutate.paipu import Deal, Paipu

    Event = dict[str, dict[str, Any]]
    Fits = Callable[[Deal, int], bool]

SEATS = range(4)


def _sites(game: Paipu, fits: Fits) -> list[tuple[Deal, int]]:
    return [(deal, place) for deal in game.deals for place in range(len(deal.events)) if fits(deal, place)]


def _told(deal: Deal, place: int) -> dict[str, Any]:
    return next(iter(deal.events[place].values()))


def _pair(deal: Deal, place: int, one: str, two: str) -> bool:
    return deal.name(place) == one and deal.name(place + 1) == two


def _is_kakan(deal: Deal, place: int) -> bool:
    return any(mark in _told(deal, place)["m"] for mark in MARKS)


def _called(deal: Deal, place: int) -> bool:
    """Say whether an event is a call followed by a discard: a chi or pon."""
    return _pair(deal, place, "fulou", "dapai")


def _named(*names: str) -> Fits:
    return lambda deal, at: deal.name(at) in names


def _exchange(game: Paipu, rng: random.Random, fits: Fits) -> int:
    deal, place = pick(rng, _sites(game, fits))
    deal.events[place : place + 2] = deal.events[place + 1], deal.events[place]
    return deal.nth


def _enter(title: str, act: Callable[[Paipu, random.Random, Fits], int], kinds: dict[str, tuple[str, Fits]]) -> None:
    for what, (code, fits) in kinds.items():

        @fault(code, title.format(what), form="paipu")
        def plant(game: Paipu, rng: random.Random, fits: Fits = fits) -> int:
            return act(game, rng, fits)


_enter("{} change places in a paipu", _exchange, {
    "a draw and its discard": (
        "D106",
        lambda deal, at: _pair(deal, at, "zimo", "dapai") and deal.name(at - 1) == "dapai"
        and deal.name(at + 2) == "zimo",
    ),
    "a discard and the next draw": ("D101", lambda deal, at: _pair(deal, at, "dapai", "zimo")),
    "a call and the discard that it takes": ("C102", lambda deal, at: _pair(deal, at, "dapai", "fulou")),
    "a call and the caller's discard": ("D106", lambda deal, at: _called(deal, at) and deal.name(at + 2) == "zimo"),
    "an own kan and the draw before it": ("L004", lambda deal, at: _pair(deal, at, "zimo", "gang")),
    "a kan and its replacement draw": (
        "D101", lambda deal, at: _pair(deal, at, "gang", "gangzimo") and _is_kakan(deal, at)
    ),
    "an ankan's replacement draw and its indicator": (
        "K112", lambda deal, at: _pair(deal, at, "gangzimo", "kaigang") and deal.name(at - 1) == "gang"
    ),
    "a result and the event before it": (
        "L004",
        lambda deal, at: deal.name(at) in ("zimo", "dapai") and deal.name(at + 1) in ("hule", "pingju")
        and at + 2 == len(deal.events),
    ),
    "a deal and the first draw": ("L004", lambda deal, at: _pair(deal, at, "qipai", "zimo")),
})  # fmt: skip


def _remove(game: Paipu, rng: random.Random, fits: Fits) -> int:
    deal, place = pick(rng, _sites(game, fits))
    del deal.events[place]
    return deal.nth


def _played_on(deal: Deal, place: int) -> bool:
    return deal.name(place + 1) not in ("hule", "pingju", "")


_enter("{} is missing from a paipu", _remove, {
    "a draw": (
        "D106",
        lambda deal, at: _pair(deal, at, "zimo", "dapai") and deal.name(at - 1) == "dapai" and _played_on(deal, at + 1),
    ),
    "a discard": ("D101", lambda deal, at: _pair(deal, at, "dapai", "zimo") and "*" not in _told(deal, at)["p"]),
    "a chi or pon": ("D106", _called),
    "an own kan": ("D101", lambda deal, at: _pair(deal, at, "gang", "gangzimo")),
    "a replacement draw": (
        "K113", _named("gangzimo")
    ),
    "an indicator": ("K112", lambda deal, at: deal.name(at) == "kaigang"),
    "the only result": (
        "L002", lambda deal, at: deal.name(at) in ("hule", "pingju") and _played_on(deal, at - 2) and
        deal.name(at - 1) not in ("hule", "pingju") and not deal.name(at + 1)
    ),
    "the deal": ("L004", lambda deal, at: deal.name(at) == "qipai" and deal.nth > 0),
})  # fmt: skip


def _double(game: Paipu, rng: random.Random, fits: Fits) -> int:
    deal, place = pick(rng, _sites(game, fits))
    deal.events.insert(place, copy.deepcopy(deal.events[place]))
    return deal.nth


_enter("{} told twice in a paipu", _double, {
    "a draw": ("D101", lambda deal, at: deal.name(at) in DRAWS and deal.name(at + 1) == "dapai"),
    "a discard": ("D106", lambda deal, at: _pair(deal, at, "dapai", "zimo") and "*" not in _told(deal, at)["p"]),
    "a call": ("L004", _named("fulou")),
    "an own kan": ("L004", _named("gang")),
    "an indicator": ("K112", _named("kaigang")),
    "a win": ("L004", _named("hule")),
    "a draw's result": ("L004", _named("pingju")),
    "the deal": ("L004", _named("qipai")),
})  # fmt: skip


@fault("L004", "a round told twice in a paipu", form="paipu")
def round_doubled(game: Paipu, rng: random.Random) -> int:
    """Write a round again."""
    deal = pick(rng, game.deals)
    game.record["paipu"]["log"].insert(deal.nth, copy.deepcopy(deal.events))
    return deal.nth


@fault("P105", "a round is missing from a paipu", form="paipu", also=("G101", "G102", "G103"))
def round_missing(game: Paipu, rng: random.Random) -> int:
    """Remove a round in which points moved, not the last."""
    moved = [
        deal for deal in game.deals[1:-1]
        if any(any(fields.get("fenpei", ())) for event in deal.events for fields in event.values())
    ]  # fmt: skip
    deal = pick(rng, moved)
    del game.record["paipu"]["log"][deal.nth]
    return deal.nth


@fault("P105", "the second of two wins is missing from a paipu", form="paipu")
def win_missing(game: Paipu, rng: random.Random) -> int:
    """Remove a win, not the dealer's."""
    sites = [
        (deal, at) for deal, at in _sites(game, lambda deal, at: _pair(deal, at - 1, "hule", "hule"))
        if _told(deal, at)["l"] and deal.nth + 1 < len(game.deals) and not deal.name(at + 1)
    ]  # fmt: skip
    deal, place = pick(rng, sites)
    del deal.events[place]
    return deal.nth + 1


@fault("D101", "two seats' draws and discards change places through a round of a paipu", form="paipu", also=("T102",))
def moves_exchanged(game: Paipu, rng: random.Random) -> int:
    """Exchange two seats in draws and discards."""
    deal = pick(
        rng, [deal for deal in game.deals if len({each["zimo"]["l"] for each in deal.events if "zimo" in each}) == 4]
    )
    one, other = rng.sample(SEATS, 2)
    first = next(
        name for event in deal.events for name, fields in event.items()
        if name in (*DRAWS, "dapai") and fields["l"] in (one, other)
    )  # fmt: skip
    if first == "dapai":  # after a call, the discard is the event out of order
        raise NoSite
    for event in deal.events:
        for name, fields in event.items():
            if name in (*DRAWS, "dapai"):
                fields["l"] = {one: other, other: one}.get(fields["l"], fields["l"])
    return deal.nth


@fault("T102", "two seats' dealt hands change places in a paipu", form="paipu", also=("K101", "K103"))
def hands_exchanged(game: Paipu, rng: random.Random) -> int:
    """Exchange two hands of qipai, of seats that play for a while."""
    deals = [deal for deal in game.deals if sum("dapai" in event for event in deal.events) > 40]
    hands = pick(rng, deals).events[0]["qipai"]["shoupai"]
    nth = next(deal.nth for deal in game.deals if deal.events[0]["qipai"]["shoupai"] is hands)
    one, other = rng.sample(SEATS, 2)
    hands[one], hands[other] = hands[other], hands[one]
    return nth


@fault("C101", "a chi told of another seat in a paipu", form="paipu")
def chi_by_another(game: Paipu, rng: random.Random) -> int:
    """Name another seat, not the feeder."""
    return _by_another(game, rng, chi=True)


@fault("C102", "a pon told of another seat in a paipu", form="paipu")
def pon_by_another(game: Paipu, rng: random.Random) -> int:
    """Name another seat, not the feeder."""
    return _by_another(game, rng, chi=False)


def _by_another(game: Paipu, rng: random.Random, *, chi: bool) -> int:
    def fits(deal: Deal, at: int) -> bool:
        if not _called(deal, at):
            return False
        digits = {letter for letter in _told(deal, at)["m"].replace("0", "5") if letter.isdigit()}
        return (len(digits) > 1) == chi

    deal, place = pick(rng, _sites(game, fits))
    fields, feeder = _told(deal, place), _told(deal, place - 1)["l"]
    fields["l"] = pick(rng, set(SEATS) - {fields["l"], feeder})
    return deal.nth


@fault("W109", "winner and discarder change places in a paipu", form="paipu")
def winner_exchanged(game: Paipu, rng: random.Random) -> int:
    """Exchange l and baojia of a ron."""
    deal, place = pick(
        rng, _sites(game, lambda deal, at: deal.name(at) == "hule" and _told(deal, at)["baojia"] is not None)
    )
    fields = _told(deal, place)
    fields["l"], fields["baojia"] = fields["baojia"], fields["l"]
    return deal.nth


def _two_of(rng: random.Random, scores: list[int]) -> None:
    one, other = pick(rng, [(a, b) for a in SEATS for b in SEATS if scores[a] < scores[b]])
    scores[one], scores[other] = scores[other], scores[one]


@fault("P105", "two seats' scores at a round's start change places in a paipu", form="paipu")
def starts_exchanged(game: Paipu, rng: random.Random) -> int:
    """Exchange two numbers of qipai defen."""
    deal = pick(rng, game.deals[1:])
    _two_of(rng, deal.events[0]["qipai"]["defen"])
    return deal.nth


@fault("G106", "two seats' final scores change places in a paipu", form="paipu", also=("G107",))
def finals_exchanged(game: Paipu, rng: random.Random) -> int:
    """Exchange two numbers of defen; ranks and points are then those of the right scores."""
    _two_of(rng, game.record["paipu"]["defen"])
    return game.deals[-1].nth


def _slip(game: Paipu, rng: random.Random, key: str) -> int:
    if len(game.deals) < 2:
        raise NoSite
    fields = pick(rng, game.deals[1:]).events[0]["qipai"]
    nth = next(deal.nth for deal in game.deals if deal.events[0]["qipai"] is fields)
    fields[key] += pick(rng, (-1, 1) if fields[key] else (1,))
    return nth


@fault("G102", "a round's start with one honba more or fewer in a paipu", form="paipu")
def honba_slip(game: Paipu, rng: random.Random) -> int:
    """Write another honba in qipai; the payments are right."""
    return _slip(game, rng, "changbang")


@fault("G103", "a round's start with one stick more or fewer in a paipu", form="paipu")
def sticks_slip(game: Paipu, rng: random.Random) -> int:
    """Write other sticks in qipai; the payments are right."""
    return _slip(game, rng, "lizhibang")
