"""Noise: tags and attributes that a log repeats (L003, L004, R106)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.kit.mutate.fault import NoSite, fault, pick
from tests.kit.mutate.order import made_by, reach
from tests.kit.mutate.table import THREE_PLAYERS

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable

    from tests.kit.mutate.mjlog import Game, Tag


def copied(tag: Tag) -> Tag:
    """Return a tag like another."""
    return replace(tag, attributes=dict(tag.attributes))


def _doubled(game: Game, rng: random.Random, fits: Callable[[Tag], bool]) -> int:
    """Write one of these tags again directly after itself."""
    sites = [
        (round_, index) for round_ in game.rounds for index in range(round_.start, round_.end)
        if fits(game.tags[index])
    ]  # fmt: skip
    round_, index = pick(rng, sites)
    game.tags.insert(index, copied(game.tags[index]))
    return round_.nth


@fault("L004", "a chi, pon or daiminkan told twice")
def call_doubled(game: Game, rng: random.Random) -> int:
    """Write N again."""
    return _doubled(game, rng, lambda tag: made_by(tag, "chi", "pon", "daiminkan"))


@fault("L004", "an ankan or kakan told twice")
def kan_doubled(game: Game, rng: random.Random) -> int:
    """Write N again."""
    return _doubled(game, rng, lambda tag: made_by(tag, "ankan", "kakan"))


@fault("L004", "a kita told twice", players=THREE_PLAYERS)
def kita_doubled(game: Game, rng: random.Random) -> int:
    """Write N again."""
    return _doubled(game, rng, lambda tag: made_by(tag, "kita"))


@fault("R106", "a riichi's declaration told twice")
def declaration_doubled(game: Game, rng: random.Random) -> int:
    """Write REACH step 1 again."""
    return _doubled(game, rng, lambda tag: reach(tag, 1))


@fault("L004", "a riichi's stick told twice")
def deposit_doubled(game: Game, rng: random.Random) -> int:
    """Write REACH step 2 again."""
    return _doubled(game, rng, lambda tag: reach(tag, 2))


@fault("L004", "a win told twice")
def win_doubled(game: Game, rng: random.Random) -> int:
    """Write AGARI again."""
    return _doubled(game, rng, lambda tag: tag.name == "AGARI")


@fault("L004", "a draw's result told twice")
def draw_doubled(game: Game, rng: random.Random) -> int:
    """Write RYUUKYOKU again."""
    return _doubled(game, rng, lambda tag: tag.name == "RYUUKYOKU")


@fault("L004", "a deal told twice")
def deal_doubled(game: Game, rng: random.Random) -> int:
    """Write INIT again."""
    return _doubled(game, rng, lambda tag: tag.name == "INIT")


@fault("L004", "a round told twice")
def round_doubled(game: Game, rng: random.Random) -> int:
    """Write a round again, from INIT to its result."""
    round_ = pick(rng, game.rounds)
    end = round_.results[-1] + 1
    game.tags[end:end] = map(copied, game.tags[round_.start : end])
    return round_.nth


def _header(game: Game, name: str) -> None:
    place = next((index for index, tag in enumerate(game.tags) if tag.name == name), None)
    if place is None:
        raise NoSite
    game.tags.insert(place, copied(game.tags[place]))


@fault("L004", "GO told twice")
def go_doubled(game: Game, rng: random.Random) -> None:  # noqa: ARG001
    """Write GO again."""
    _header(game, "GO")


@fault("L004", "UN told twice")
def un_doubled(game: Game, rng: random.Random) -> None:  # noqa: ARG001
    """Write the table of players again."""
    _header(game, "UN")


@fault("L004", "TAIKYOKU told twice")
def taikyoku_doubled(game: Game, rng: random.Random) -> None:  # noqa: ARG001
    """Write TAIKYOKU again."""
    _header(game, "TAIKYOKU")


@fault("L003", "the whole log twice in a file")
def log_doubled(game: Game, rng: random.Random) -> None:  # noqa: ARG001
    """Write the root and everything in it again."""
    game.raw = (str(game) + "".join(map(str, game.tags))).encode()


def _attributes(game: Game, names: Iterable[str]) -> list[tuple[int, Tag, str]]:
    """List the attributes of tags of these names: round, tag, attribute."""
    return [
        (round_.nth, tag, attribute) for round_ in game.rounds for tag in round_.tags if tag.name in names
        for attribute in tag.attributes
    ]  # fmt: skip


TOLD = ("INIT", "N", "REACH", "DORA", "AGARI", "RYUUKYOKU")


def _twice(tag: Tag, attribute: str, one: str, other: str) -> None:
    tag.attributes[attribute] = f'{one}" {attribute}="{other}'


@fault("L003", "an attribute twice in a tag, alike")
def attribute_doubled(game: Game, rng: random.Random) -> int:
    """Write an attribute again."""
    nth, tag, attribute = pick(rng, _attributes(game, TOLD))
    value = tag.attributes[attribute]
    _twice(tag, attribute, value, value)
    return nth


@fault("L003", "an attribute twice in a tag, differing")
def attribute_contradicted(game: Game, rng: random.Random) -> int:
    """Write an attribute again with the value of another tag, before or after the right one."""
    listed = _attributes(game, TOLD)
    nth, tag, attribute = pick(rng, listed)
    value = tag.attributes[attribute]
    others = {each.attributes[attribute] for _, each, name in listed if name == attribute and each.name == tag.name}
    both = [value, pick(rng, sorted(others - {value}))]
    rng.shuffle(both)
    _twice(tag, attribute, *both)
    return nth
