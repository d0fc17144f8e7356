"""Kans and indicators of a log, and places where a kan can be added without other consequences."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tests.kit.mutate.calls import calm, ronned_kinds
from tests.kit.mutate.fault import NoSite, pick
from tests.kit.mutate.mjlog import KANS, Tag, discard_tag, draw_tag, meld

if TYPE_CHECKING:
    import random

    from tests.kit.mutate.mjlog import Game, Round

KINDS = 34
MOST_BEFORE = 1
"""At most this many kans before one is added, so that four kans do not end the round."""


def won_kinds(round_: Round) -> set[int]:
    """List the kinds in winners' hands and melds."""
    tiles: set[int] = set()
    for index in round_.wins:
        tag = round_.game.tags[index]
        tiles.update(tag.numbers("hai"))
        for code in tag.numbers("m"):
            tiles |= meld(code).tiles
    return {tile // 4 for tile in tiles}


def idle(round_: Round) -> list[int]:
    """List the tiles not in play that would count for no winner as indicators."""
    won = won_kinds(round_)
    return [tile for tile in round_.unused if round_.game.table.dora(tile) not in won]


def turned(round_: Round, rng: random.Random, like: Tag) -> Tag:
    """Give the tag that turns an indicator which counts for nobody, and enter it at the wins, with a hidden one.

    Raises
    ------
    NoSite
        if there are too few tiles
    """
    free = idle(round_)
    rng.shuffle(free)
    for index in round_.wins:
        tag = round_.game.tags[index]
        for attribute, tile in zip(("doraHai", "doraHaiUra"), free[:2], strict=True):
            if attribute in tag:
                tag.put(attribute, [*tag.numbers(attribute), tile])
    if len(free) < 3:
        raise NoSite
    return Tag("DORA", {"hai": str(free[0])}, close=like.close, gap=like.gap)


def kan_places(round_: Round) -> list[int]:
    """List the places of kans."""
    return [
        index for index in range(round_.start, round_.end)
        if round_.game.tags[index].is_call and meld(round_.game.tags[index].numbers("m")[0]).shape in KANS
    ]  # fmt: skip


def in_riichi(round_: Round, index: int) -> set[int]:
    """List the seats in riichi before this place."""
    return {tag.seat for tag in round_.game.tags[round_.start : index] if tag.name == "REACH"}


class Site(NamedTuple):
    """A place where a hidden seat draws and discards the drawn tile, nobody takes it; and its hand before."""

    round: Round
    index: int
    seat: int
    tile: int
    hand: frozenset[int]


def kan_sites(game: Game, *, riichi: bool) -> list[Site]:
    """List the places where a kan could be added to a round without another consequence."""
    found = []
    for round_ in game.rounds:
        if not (round_.wins and calm(round_) and len(kan_places(round_)) <= MOST_BEFORE):
            continue
        locked: set[int] = set()
        for index, tag, hands in round_.walk():
            if tag.name == "REACH" and tag.attributes["step"] == "2":
                locked.add(tag.seat)
            move, thrown = tag.move, game.tags[index + 1].move if index + 1 < round_.end else None
            if not (move and move.drawn and thrown and thrown.tile == move.tile and move.seat not in round_.shown):
                continue
            if (move.seat in locked) == riichi and round_.after(index + 1).move:
                found.append(Site(round_, index, move.seat, move.tile, hands[move.seat]))
    return found


def safe(round_: Round) -> list[int]:
    """List the tiles not in play that make nobody furiten when discarded."""
    barred = ronned_kinds(round_)
    return [tile for tile in round_.unused if tile // 4 not in barred]


def safe_tiles(round_: Round, turned_up: Tag) -> list[int]:
    """List those of `safe` without the new indicator."""
    return [tile for tile in safe(round_) if tile not in turned_up.numbers("hai")]


def call_tag(seat: int, code: int, like: Tag) -> Tag:
    """Write a call or kan with this meld code, with the layout of another tag."""
    return Tag("N", {"who": str(seat), "m": str(code)}, close=like.close, gap=like.gap)


def open_kan(site: Site, code: int, rng: random.Random) -> list[Tag]:
    """Write an open kan with replacement draw, indicator and discard."""
    tags = site.round.game.tags
    like = tags[site.index]
    turned_up = turned(site.round, rng, like)
    tile = pick(rng, safe_tiles(site.round, turned_up))
    return [
        call_tag(site.seat, code, like),
        draw_tag(site.seat, tile, like),
        turned_up,
        discard_tag(site.seat, tile, tags[site.index + 1]),
    ]
