"""Noise: bytes lost in the middle of a log (L003), so that the ends of two tags join."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.mutate.fault import fault, pick

if TYPE_CHECKING:
    import random

    from tests.kit.mutate.mjlog import Game, Round

LEAST = 4
"""The least number of lost tags."""


def _hole(game: Game, start: int, end: int, rng: random.Random, last: str = "=") -> None:
    """Lose everything from within one tag to the start of another, or to a place in it before its last attribute."""
    before, after = (str(game.tags[place]) for place in (start, end))
    kept = before[: rng.randrange(2, len(before.rstrip()) - 1)]
    rest = after[pick(rng, [0, *range(after.find(" ") + 1, after.rindex(last) - 1)]) :] if "=" in after else after
    left = "".join(map(str, game.tags[:start]))
    right = "".join(map(str, game.tags[end + 1 :]))
    game.raw = (game.head + left + kept + rest + right).encode()


def _moves(game: Game, round_: Round) -> list[int]:
    return [index for index in range(round_.start + 1, round_.results[0]) if game.tags[index].move]


@fault("L003", "bytes lost within a round")
def hole_in_round(game: Game, rng: random.Random) -> int:
    """Lose some turns, from within a draw or discard to a draw or discard."""
    round_ = pick(rng, game.rounds)
    moves = _moves(game, round_)
    start, end = pick(rng, [(one, two) for one in moves for two in moves if one + LEAST < two])
    _hole(game, start, end, rng)
    return round_.nth


@fault("L003", "bytes lost up to a round's result")
def hole_to_result(game: Game, rng: random.Random) -> int:
    """Lose the rest of a round and the beginning of its result."""
    round_ = pick(rng, game.rounds)
    start = pick(rng, _moves(game, round_))
    _hole(game, start, round_.results[0], rng)
    return round_.nth


@fault("L003", "bytes lost from one round to the next")
def hole_over_deal(game: Game, rng: random.Random) -> int:
    """Lose a round's end and the next one's deal: the two rounds become one."""
    round_ = pick(rng, game.rounds[:-1])
    later = pick(rng, game.rounds[round_.nth + 1 :][:2])
    _hole(game, pick(rng, _moves(game, round_)), pick(rng, _moves(game, later)), rng)
    return round_.nth


@fault("L003", "bytes lost from one round into the next one's deal")
def hole_into_deal(game: Game, rng: random.Random) -> int:
    """Lose a round's end and the beginning of an INIT."""
    round_ = pick(rng, game.rounds[:-1])
    later = pick(rng, game.rounds[round_.nth + 1 :][:2])
    _hole(game, pick(rng, _moves(game, round_)), later.start, rng)
    return round_.nth


@fault("L003", "bytes lost from a result to the next deal")
def hole_from_result(game: Game, rng: random.Random) -> int:
    """Lose the end of a result and the beginning of the next INIT, but not oya, as hands could be those of a draw.

    Not of the second of two wins: the first one is then the round's result, and the next round does not follow from it.
    """
    round_ = pick(rng, [round_ for round_ in game.rounds[:-1] if len(round_.results) == 1])
    _hole(game, round_.results[-1], game.rounds[round_.nth + 1].start, rng, last="oya=")
    return round_.nth
