"""Faults that only the recorded seed reveals (S101 to S105): a tile is written as another copy of its kind."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from tests.kit.mutate.fault import NoSite, fault, pick
from tests.kit.mutate.mjlog import RED_IDS, copies

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable

    from tests.kit.mutate.mjlog import Game, Round

DICE, INDICATOR = (3, 4), 5
"""Places in INIT seed."""
KEY = "0123456789ABCDEF"
BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def _seeded(game: Game) -> list[Round]:
    """Return the rounds of a game that records a seed."""
    rounds = game.rounds
    shuffle = next((tag.attributes["seed"] for tag in game.tags if tag.name == "SHUFFLE"), "")
    if not shuffle.startswith("mt19937ar") and "shuffle" not in rounds[0].init:
        raise NoSite
    return rounds


def _renamed(rng: random.Random, sites: Iterable[tuple[Round, int]]) -> int:
    """Rename one of these tiles in its whole round, as a copy that is not in play and equally red."""
    choices = []
    for round_, group in groupby(sites, key=itemgetter(0)):
        melded, used = round_.melded, round_.used
        choices += [
            (round_, tile, other) for _, tile in group if tile // 4 not in melded
            for other in copies(tile // 4) if other not in used and (tile in RED_IDS) == (other in RED_IDS)
        ]  # fmt: skip
    round_, tile, other = pick(rng, choices)
    round_.rename({tile: other, other: tile})
    return round_.nth


@fault("S101", "another copy of a tile dealt")
def dealt(game: Game, rng: random.Random) -> int:
    """Rename a tile that a seat is dealt."""
    hands = [
        (round_, tile)
        for round_ in _seeded(game)
        for seat in round_.seats
        for tile in round_.init.numbers(f"hai{seat}")
    ]
    return _renamed(rng, hands)


@fault("S101", "two seats are dealt each other's copy of a tile")
def dealt_crosswise(game: Game, rng: random.Random) -> int:
    """Exchange two copies of a kind that two seats are dealt."""
    sites = []
    for round_ in _seeded(game):
        owner = {tile: seat for seat in round_.seats for tile in round_.init.numbers(f"hai{seat}")}
        sites += [
            (round_, tile, other) for tile in owner for other in copies(tile // 4)
            if owner.get(other, owner[tile]) != owner[tile] and not {tile, other} & RED_IDS
            and tile // 4 not in round_.melded
        ]  # fmt: skip
    round_, tile, other = pick(rng, sites)
    round_.rename({tile: other, other: tile})
    return round_.nth


def _drawn(round_: Round, *, after_kan: bool) -> list[int]:
    tags, found = round_.tags, []
    for index, tag in enumerate(tags):
        before = next((each for each in reversed(tags[:index]) if not each.passes), None)
        if tag.move and tag.move.drawn and before is not None and before.is_call == after_kan:
            found.append(tag.move.tile)
    return found


@fault("S102", "another copy of a tile drawn")
def drawn(game: Game, rng: random.Random) -> int:
    """Rename a tile that a seat draws from the live wall."""
    sites = [(round_, tile) for round_ in _seeded(game) for tile in _drawn(round_, after_kan=False)]
    return _renamed(rng, sites)


@fault("S103", "another copy as the indicator")
def indicator(game: Game, rng: random.Random) -> int:
    """Rename the first indicator."""
    return _renamed(rng, [(round_, round_.init.numbers("seed")[INDICATOR]) for round_ in _seeded(game)])


@fault("S103", "another copy as an indicator below")
def indicator_below(game: Game, rng: random.Random) -> int:
    """Rename an indicator that a winner in riichi shows."""
    sites = [
        (round_, tile) for round_ in _seeded(game) for index in round_.wins
        for tile in game.tags[index].numbers("doraHaiUra")
    ]  # fmt: skip
    return _renamed(rng, sites)


@fault("S103", "another copy drawn after a kan or kita")
def replacement(game: Game, rng: random.Random) -> int:
    """Rename a replacement tile."""
    sites = [(round_, tile) for round_ in _seeded(game) for tile in _drawn(round_, after_kan=True)]
    return _renamed(rng, sites)


@fault("S104", "another number on a die")
def die(game: Game, rng: random.Random) -> int:
    """Change a die."""
    round_ = pick(rng, _seeded(game))
    place = pick(rng, DICE)
    seed = round_.init.numbers("seed")
    seed[place] = pick(rng, set(range(6)) - {seed[place]})
    round_.init.put("seed", seed)
    return round_.nth


@fault("S105", "one character of the seed")
def seed_character(game: Game, rng: random.Random) -> int:
    """Change a character of the seed for all of the game's walls to another valid one."""
    kind, rest = _whole_seed(game).split(",", 1)
    place = pick(rng, [place for place, letter in enumerate(rest) if letter != ","])
    letters = BASE64 if kind.endswith("base64") else KEY
    other = pick(rng, [letter for letter in letters if letter != rest[place].upper() and letter != rest[place]])
    game.first("SHUFFLE").attributes["seed"] = f"{kind},{rest[:place]}{other}{rest[place + 1 :]}"
    return 0


@fault("S105", "a character that no seed has")
def seed_damaged(game: Game, rng: random.Random) -> int:
    """Write a character that is not in the seed's alphabet."""
    seed = _whole_seed(game)
    place = rng.randrange(seed.index(",") + 1, len(seed))
    game.first("SHUFFLE").attributes["seed"] = f"{seed[:place]}~{seed[place + 1 :]}"
    return 0


@fault("S105", "seed cut short")
def seed_cut(game: Game, rng: random.Random) -> int:
    """Leave out the seed's end."""
    seed = _whole_seed(game)
    game.first("SHUFFLE").attributes["seed"] = seed[: rng.randrange(seed.index(",") + 1, len(seed) - 1)]
    return 0


def _whole_seed(game: Game) -> str:
    seed = next((tag.attributes["seed"] for tag in game.tags if tag.name == "SHUFFLE"), "")
    if not seed.startswith("mt19937ar"):
        raise NoSite
    return seed
