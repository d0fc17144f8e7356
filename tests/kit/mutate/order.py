"""Noise: tags of a log that have changed places (D106, D101, C102, L004).

Each fault's code is that of the misplaced tag; the consequences are no faults of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.mutate.fault import fault, pick
from tests.kit.mutate.mjlog import meld

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from tests.kit.mutate.mjlog import Game, Round, Tag

    Site = tuple[Round, int]


def exchange(game: Game, rng: random.Random, sites: list[Site]) -> int:
    """Exchange the tag at one of these places with the next."""
    round_, index = pick(rng, sites)
    game.tags[index : index + 2] = game.tags[index + 1], game.tags[index]
    return round_.nth


def places(game: Game, fits: Callable[[Tag, Tag], bool]) -> list[Site]:
    """List the places of a round's tags that fit, together with the next tag."""
    return [
        (round_, index)
        for round_ in game.rounds
        for index in range(round_.start, round_.end - 1)
        if fits(game.tags[index], game.tags[index + 1])
    ]


def made_by(tag: Tag, *shapes: str) -> bool:
    """Say whether a tag is a call or kan of one of these shapes."""
    return tag.is_call and meld(tag.numbers("m")[0]).shape in shapes


def thrown(tag: Tag) -> bool:
    """Say whether a tag is a discard."""
    return tag.move is not None and not tag.move.drawn


def drawn(tag: Tag) -> bool:
    """Say whether a tag is a draw."""
    return tag.move is not None and tag.move.drawn


def reach(tag: Tag, step: int) -> bool:
    """Say whether a tag declares riichi (1) or pays its stick (2)."""
    return tag.name == "REACH" and tag.attributes["step"] == str(step)


@fault("D106", "a draw and its discard change places")
def discard_first(game: Game, rng: random.Random) -> int:
    """Write the discard before the draw."""
    sites = [
        (round_, discard.index - 1) for round_ in game.rounds for discard in round_.discards()
        if drawn(game.tags[discard.index - 1]) and discard.index - 2 > round_.start
        and thrown(game.tags[discard.index - 2])
    ]  # fmt: skip
    return exchange(game, rng, sites)


@fault("C102", "a call and the discard that it takes change places")
def call_first(game: Game, rng: random.Random) -> int:
    """Write the call before the discard."""
    return exchange(game, rng, places(game, lambda one, two: thrown(one) and two.is_call))


@fault("D106", "a chi or pon and the caller's discard change places")
def call_late(game: Game, rng: random.Random) -> int:
    """Write the call after the discard that follows it."""
    sites = places(game, lambda one, two: made_by(one, "chi", "pon") and thrown(two))
    return exchange(game, rng, [(round_, index) for round_, index in sites if drawn(round_.after(index + 1))])


@fault("L004", "an ankan or kakan and the draw before it change places")
def kan_first(game: Game, rng: random.Random) -> int:
    """Write the kan before the draw."""
    sites = places(game, lambda one, two: drawn(one) and made_by(two, "ankan", "kakan"))
    return exchange(game, rng, [(round_, index) for round_, index in sites if not round_.before(index).is_call])


@fault("D101", "a kakan and its replacement draw change places")
def replaced_first(game: Game, rng: random.Random) -> int:
    """Write the replacement draw before the kan."""
    return exchange(game, rng, places(game, lambda one, two: made_by(one, "kakan") and drawn(two)))


@fault("L004", "a riichi and the draw before it change places")
def declared_undrawn(game: Game, rng: random.Random) -> int:
    """Declare before the draw."""
    return exchange(game, rng, places(game, lambda one, two: drawn(one) and reach(two, 1)))


@fault("L004", "a riichi and its discard change places")
def declared_late(game: Game, rng: random.Random) -> int:
    """Declare after the discard."""
    return exchange(game, rng, places(game, lambda one, two: reach(one, 1) and thrown(two)))


@fault("L004", "a riichi's discard and its stick change places")
def paid_early(game: Game, rng: random.Random) -> int:
    """Pay the stick before the discard."""
    return exchange(game, rng, places(game, lambda one, two: thrown(one) and reach(two, 2)))


@fault("L004", "a riichi's stick and the draw after it change places")
def paid_late(game: Game, rng: random.Random) -> int:
    """Pay the stick only after the next draw."""
    return exchange(game, rng, places(game, lambda one, two: reach(one, 2) and drawn(two)))


@fault("L004", "a result and the tag before it change places")
def result_early(game: Game, rng: random.Random) -> int:
    """Write the round's only result before the last draw or discard."""
    sites = places(game, lambda one, two: one.move is not None and two.is_result)
    return exchange(game, rng, [(round_, index) for round_, index in sites if len(round_.results) == 1])


@fault("L004", "a result and the deal after it change places")
def deal_early(game: Game, rng: random.Random) -> int:
    """Write the next round's INIT before the only result, which then belongs to that round."""
    ends = [(round_, round_.results[-1]) for round_ in game.rounds[:-1] if len(round_.results) == 1]
    sites = [(round_, index) for round_, index in ends if game.tags[index + 1].name == "INIT"]
    return exchange(game, rng, sites) + 1
