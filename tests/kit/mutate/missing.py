"""Noise: missing tags (D101, D106, K112, L003, L004, P105, R107)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.mutate.fault import NoSite, fault, pick
from tests.kit.mutate.order import made_by, reach

if TYPE_CHECKING:
    import random

    from tests.kit.mutate.mjlog import Game, Round


def _removed(game: Game, rng: random.Random, sites: list[tuple[Round, int]]) -> int:
    round_, index = pick(rng, sites)
    del game.tags[index]
    return round_.nth


def _all(game: Game, *shapes: str) -> list[tuple[Round, int]]:
    """List the places of calls and kans of these shapes that are followed by a tag of play."""
    return [
        (round_, index)
        for round_ in game.rounds
        for index in range(round_.start, round_.end)
        if made_by(game.tags[index], *shapes) and not round_.after(index).is_result
    ]


def _next_in_turn(round_: Round, index: int) -> bool:
    """Say whether the caller would have been next anyway."""
    taken = round_.before(index).move
    return bool(taken) and (taken.seat + 1) % len(round_.seats) == round_.game.tags[index].seat


@fault("D106", "a chi or pon is missing")
def call_missing(game: Game, rng: random.Random) -> int:
    """Remove a call; the discard after it has no cause then."""
    return _removed(game, rng, _all(game, "chi", "pon"))


@fault("D101", "an ankan or kakan is missing")
def kan_missing(game: Game, rng: random.Random) -> int:
    """Remove a kan: a seat then draws twice."""
    return _removed(game, rng, _all(game, "ankan", "kakan"))


@fault("D101", "a daiminkan out of turn is missing")
def daiminkan_missing(game: Game, rng: random.Random) -> int:
    """Remove a daiminkan: a seat then draws out of turn."""
    return _removed(game, rng, [site for site in _all(game, "daiminkan") if not _next_in_turn(*site)])


def _riichi_wins(round_: Round) -> bool:
    """Say whether a winner declared riichi, which is worth more if nobody calls."""
    declared = {tag.seat for tag in round_.tags if tag.name == "REACH"}
    return any(round_.game.tags[index].seat in declared for index in round_.wins)


@fault("K112", "a daiminkan by the next seat is missing")
def daiminkan_in_turn_missing(game: Game, rng: random.Random) -> int:
    """Remove a daiminkan of the next seat: its draw looks ordinary, but an indicator is turned."""
    return _removed(game, rng, [
        (round_, index) for round_, index in _all(game, "daiminkan")
        if _next_in_turn(round_, index) and game.tags[index].seat not in round_.shown
        and round_.result.attributes.get("type") != "kan4" and not _riichi_wins(round_)
        and any(tag.name == "DORA" for tag in game.tags[index : index + 4])
    ])  # fmt: skip


def _reaches(game: Game, step: int) -> list[tuple[Round, int]]:
    return [
        (round_, index) for round_ in game.rounds for index in range(round_.start, round_.end)
        if reach(game.tags[index], step)
    ]  # fmt: skip


@fault("L004", "a riichi whose stick is paid is not declared")
def declaration_missing(game: Game, rng: random.Random) -> int:
    """Remove REACH step 1."""
    paid = {(round_.nth, game.tags[index].seat) for round_, index in _reaches(game, 2)}
    sites = [site for site in _reaches(game, 1) if (site[0].nth, game.tags[site[1]].seat) in paid]
    return _removed(game, rng, sites)


@fault("R107", "the tag of a riichi's stick is missing")
def deposit_missing(game: Game, rng: random.Random) -> int:
    """Remove REACH step 2; all scores stay as with it."""
    return _removed(game, rng, _reaches(game, 2))


@fault("K112", "the tag of an indicator is missing")
def dora_missing(game: Game, rng: random.Random) -> int:
    """Remove DORA; the winner still shows and counts it."""
    sites = [
        (round_, index) for round_ in game.rounds for index in range(round_.start, round_.end)
        if game.tags[index].name == "DORA"
    ]  # fmt: skip
    return _removed(game, rng, sites)


@fault("L004", "a round's INIT is missing")
def init_missing(game: Game, rng: random.Random) -> int:
    """Remove INIT: play continues after a result."""
    return _removed(game, rng, [(round_, round_.start) for round_ in game.rounds[1:]])


@fault("L004", "the first round's INIT is missing")
def first_init_missing(game: Game, rng: random.Random) -> None:
    """Remove the first INIT: play begins without a deal, in no round."""
    _removed(game, rng, [(round_, round_.start) for round_ in game.rounds[:1]])


@fault("P105", "the second of two wins is missing")
def win_missing(game: Game, rng: random.Random) -> int:
    """Remove a win, not the dealer's: the next round begins with scores that no result gives."""
    sites = [
        (round_, round_.wins[1]) for round_ in game.rounds[:-1]
        if len(round_.wins) == 2 and game.tags[round_.wins[1]].seat != round_.dealer
    ]  # fmt: skip
    return _removed(game, rng, sites) + 1


@fault("P105", "a round is missing", also=("G101", "G102", "G103"))
def round_missing(game: Game, rng: random.Random) -> int:
    """Remove a round in which points moved: the next scores, dealer and honba do not follow."""
    sites = [
        round_ for round_ in game.rounds[1:-1]
        if any(tag.numbers("sc")[2 * seat + 1] for tag in round_.tags if tag.is_result for seat in range(4))
    ]  # fmt: skip
    round_ = pick(rng, sites)
    del game.tags[round_.start : round_.end]
    return round_.nth


def _header(game: Game, name: str) -> None:
    places = [index for index, tag in enumerate(game.tags[: game.rounds[0].start]) if tag.name == name]
    if len(places) != 1:
        raise NoSite
    del game.tags[places[0]]


@fault("L003", "GO is missing")
def go_missing(game: Game, rng: random.Random) -> None:  # noqa: ARG001
    """Remove the tag with the rules."""
    _header(game, "GO")


@fault("L003", "UN is missing")
def un_missing(game: Game, rng: random.Random) -> None:  # noqa: ARG001
    """Remove the players' names."""
    _header(game, "UN")


@fault("L003", "TAIKYOKU is missing")
def taikyoku_missing(game: Game, rng: random.Random) -> None:  # noqa: ARG001
    """Remove the tag that begins the game."""
    _header(game, "TAIKYOKU")


@fault("L002", "the closing tag is missing")
def closing_missing(game: Game, rng: random.Random) -> None:  # noqa: ARG001
    """Remove the closing tag of the root."""
    places = [index for index, tag in enumerate(game.tags) if tag.name == "/mjloggm"]
    if len(places) != 1:
        raise NoSite
    del game.tags[places[0] :]
