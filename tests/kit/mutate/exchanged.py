"""Noise: seats that have changed places in part of a log (D101, C101, C102, L004, T102, G106, W109).

Exchanged names of players cannot be found: nothing else in a log says who they are.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from tests.kit.mutate.fault import NoSite, fault, pick
from tests.kit.mutate.mjlog import DISCARDS, DRAWS
from tests.kit.mutate.order import made_by, reach
from tests.kit.mutate.points import all_wins, final

if TYPE_CHECKING:
    import random

    from tests.kit.mutate.mjlog import Game, Round


@fault("D101", "two seats' draws and discards change places through a round", also=("T102",))
def moves_exchanged(game: Game, rng: random.Random) -> int:
    """Exchange the letters of two seats in their draws and discards; hands, calls and wins stay.

    From the first exchanged draw on each draw is out of turn, and later discards are of tiles dealt to the other seat.
    """
    sites = [
        (round_, {a: b, b: a})
        for round_ in game.rounds
        if _long(round_)
        for a, b in combinations(round_.seats, 2)
        if not _called_first(round_, (a, b))
    ]
    round_, seats = pick(rng, sites)
    for tag in round_.tags:
        if tag.move:
            letters = DRAWS if tag.move.drawn else DISCARDS
            tag.name = f"{letters[seats.get(tag.move.seat, tag.move.seat)]}{tag.move.tile}"
    return round_.nth


def _called_first(round_: Round, seats: tuple[int, int]) -> bool:
    """Say whether the first move of these seats is a discard after a call, which is then the event out of order."""
    first = next(tag.move for tag in round_.tags if tag.move and tag.move.seat in seats)
    return not first.drawn


def _long(round_: Round) -> bool:
    """Say whether every seat draws."""
    return len({tag.move.seat for tag in round_.tags if tag.move and tag.move.drawn}) == len(round_.seats)


@fault("T102", "two seats' dealt hands change places", also=("K101", "K103", "N101"))
def hands_exchanged(game: Game, rng: random.Random) -> int:
    """Exchange two hands of INIT. Both seats later discard, call with or set aside a tile of their own deal."""
    sites = []
    for round_ in game.rounds:
        dealt = {seat: set(round_.init.numbers(f"hai{seat}")) for seat in round_.seats}
        gone = {seat: {tag.move.tile for tag in round_.tags if tag.move and not tag.move.drawn} & dealt[seat]
                for seat in round_.seats}  # fmt: skip
        sites += [(round_, one, other) for one, other in combinations(round_.seats, 2) if gone[one] and gone[other]]
    round_, one, other = pick(rng, sites)
    attributes = round_.init.attributes
    attributes[f"hai{one}"], attributes[f"hai{other}"] = attributes[f"hai{other}"], attributes[f"hai{one}"]
    return round_.nth


def _called_by_another(game: Game, rng: random.Random, shape: str) -> int:
    sites = [
        (round_, index) for round_ in game.rounds for index in range(round_.start, round_.end)
        if made_by(game.tags[index], shape)
    ]  # fmt: skip
    places = []
    for round_, index in sites:
        tag, feeder = game.tags[index], round_.before(index).move.seat
        told = tag.numbers("m")[0] & 3  # the feeder, counted from the caller
        places += [
            (round_, tag, seat) for seat in round_.seats
            if seat not in (tag.seat, feeder) and (seat + told) % 4 in round_.seats
        ]  # fmt: skip
    round_, tag, seat = pick(rng, places)
    tag.attributes["who"] = str(seat)
    return round_.nth


@fault("C101", "a chi told of another seat")
def chi_by_another(game: Game, rng: random.Random) -> int:
    """Name another seat in N, not the feeder."""
    return _called_by_another(game, rng, "chi")


@fault("C102", "a pon told of another seat")
def pon_by_another(game: Game, rng: random.Random) -> int:
    """Name another seat in N, not the feeder. The code counts from the caller, so it then means another feeder."""
    return _called_by_another(game, rng, "pon")


@fault("L004", "a riichi told of another seat")
def riichi_by_another(game: Game, rng: random.Random) -> int:
    """Name another seat, which has not drawn, in both steps of REACH."""
    sites = [
        (round_, index) for round_ in game.rounds for index in range(round_.start, round_.end)
        if reach(game.tags[index], 1)
    ]  # fmt: skip
    round_, index = pick(rng, sites)
    seat = game.tags[index].seat
    declared = {tag.seat for tag in round_.tags if tag.name == "REACH"}
    other = pick(rng, set(round_.seats) - declared)
    for tag in round_.tags:
        if tag.name == "REACH" and tag.seat == seat:
            tag.attributes["who"] = str(other)
    return round_.nth


@fault("W109", "winner and discarder change places")
def winner_exchanged(game: Game, rng: random.Random) -> int:
    """Exchange who and fromWho of a ron."""
    win = pick(rng, [win for win in all_wins(game) if not win.tsumo])
    attributes = win.tag.attributes
    attributes["who"], attributes["fromWho"] = attributes["fromWho"], attributes["who"]
    return win.round.nth


@fault("G106", "two seats' final scores and points change places")
def finals_exchanged(game: Game, rng: random.Random) -> int:
    """Exchange two pairs of owari."""
    end = final(game)
    scores, points = list(end.scores), list(end.points)
    seats = game.table.seats
    if len({scores[seat] for seat in seats}) < len(seats):  # of seats with equal scores the lower is first
        raise NoSite
    one, other = pick(rng, [(a, b) for a in seats for b in seats if scores[a] < scores[b]])
    for listed in (scores, points):
        listed[one], listed[other] = listed[other], listed[one]
    end.write(scores, points)
    return game.rounds[-1].nth
