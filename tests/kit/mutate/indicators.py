"""Faults of the indicators that kans turn (K112)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.mutate.fault import fault, pick
from tests.kit.mutate.kan_sites import kan_places, turned, won_kinds
from tests.kit.mutate.mjlog import Tag, meld

if TYPE_CHECKING:
    import random

    from tests.kit.mutate.mjlog import Game, Round


def _kan_dora(round_: Round) -> list[int]:
    """List the places of indicators turned in play."""
    return [index for index in range(round_.start, round_.end) if round_.game.tags[index].name == "DORA"]


@fault("K112", "a kan's indicator is missing")
def indicator_missing(game: Game, rng: random.Random) -> int:
    """Remove an indicator that counts for no winner, in doraHai too."""
    sites = [
        (round_, index)
        for round_ in game.rounds
        for index in _kan_dora(round_)
        if game.table.dora(game.tags[index].numbers("hai")[0]) not in won_kinds(round_)
        and not any("doraHaiUra" in game.tags[win] for win in round_.wins)
    ]
    round_, index = pick(rng, sites)
    tile = game.tags[index].numbers("hai")[0]
    for win in round_.wins:
        tag = game.tags[win]
        tag.put("doraHai", [each for each in tag.numbers("doraHai") if each != tile])
    del game.tags[index]
    return round_.nth


@fault("K112", "an indicator without a kan")
def indicator_extra(game: Game, rng: random.Random) -> int:
    """After some discard, turn one that counts for no winner."""
    sites = [
        (round_, discard.index) for round_ in game.rounds for discard in round_.discards() if not kan_places(round_)
    ]
    round_, index = pick(rng, sites)
    game.tags.insert(index + 1, turned(round_, rng, game.tags[index]))
    return round_.nth


@fault("K112", "an indicator told twice")
def indicator_doubled(game: Game, rng: random.Random) -> int:
    """Repeat it directly, in a round that nobody wins."""
    round_, index = pick(
        rng, [(round_, index) for round_ in game.rounds if not round_.wins for index in _kan_dora(round_)]
    )
    game.tags.insert(
        index, Tag("DORA", dict(game.tags[index].attributes), game.tags[index].close, game.tags[index].gap)
    )
    return round_.nth


def _exchanged(game: Game, rng: random.Random, shapes: tuple[str, ...], offset: int) -> int:
    """Exchange the replacement draw of a kan with its indicator, ``offset`` tags after it."""
    sites = []
    for round_ in game.rounds:
        for index in kan_places(round_):
            first, second = game.tags[index + offset : index + offset + 2]
            names = {first.name[:4], second.name[:4]}
            if (
                meld(game.tags[index].numbers("m")[0]).shape in shapes
                and "DORA" in names
                and (first.move or second.move)
            ):
                sites.append((round_, index + offset))
    round_, index = pick(rng, sites)
    game.tags[index : index + 2] = game.tags[index + 1], game.tags[index]
    return round_.nth


@fault("K112", "the indicator of an open kan before the draw")
def indicator_early(game: Game, rng: random.Random) -> int:
    """Turn the indicator at once."""
    return _exchanged(game, rng, ("daiminkan", "kakan"), 1)


@fault("K112", "the indicator of an ankan after the draw")
def indicator_late(game: Game, rng: random.Random) -> int:
    """Turn the indicator only before the discard."""
    return _exchanged(game, rng, ("ankan",), 1)
