"""Faults of kans in riichi (K107 to K111, K114)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.kit.mutate.calls import offset, waits
from tests.kit.mutate.fault import NoSite, fault, pick
from tests.kit.mutate.kan_sites import (
    KINDS,
    Site,
    call_tag,
    in_riichi,
    kan_places,
    kan_sites,
    open_kan,
    safe_tiles,
    turned,
)
from tests.kit.mutate.mjlog import copies, discard_tag, draw_tag
from tests.kit.mutate.turns import renamed

if TYPE_CHECKING:
    import random

    from tests.kit.mutate.mjlog import Game, Round


def _add_ankan(site: Site, kind: int, rng: random.Random) -> int:
    """Put an ankan with its indicator and replacement draw between a draw and the discard."""
    tags = site.round.game.tags
    like = tags[site.index]
    turned_up = turned(site.round, rng, like)
    tile = pick(rng, safe_tiles(site.round, turned_up))
    tags[site.index + 1 : site.index + 2] = [
        call_tag(site.seat, kind * 4 << 8, like),
        turned_up,
        draw_tag(site.seat, tile, like),
        discard_tag(site.seat, tile, tags[site.index + 1]),
    ]
    return site.round.nth


def _triples(site: Site) -> list[tuple[int, frozenset[int]]]:
    """List the tiles not in play of which the hand has the three others, with those three."""
    free = set(site.round.unused)
    found = []
    for kind in range(KINDS):
        mine = site.hand & set(copies(kind))
        fourth = set(copies(kind)) - mine
        if len(mine) == 3 and fourth <= free:
            found.append((*fourth, mine))
    return found


Fits = Callable[[set[int], set[int], int], bool]
"""Whether a kan is suitable, by the waits before and after it and its kind."""


def _fourth_drawn(game: Game, rng: random.Random, fits: Fits) -> int:
    """In riichi, draw the fourth of three tiles, and make the ankan."""
    sites = [(site, *triple) for site in kan_sites(game, riichi=True) for triple in _triples(site)]
    rng.shuffle(sites)
    for site, fourth, mine in sites:
        if fits(waits(site.hand), waits(site.hand - mine), fourth // 4):
            tag = game.tags[site.index]
            tag.name = f"{tag.name[0]}{fourth}"
            return _add_ankan(site, fourth // 4, rng)
    raise NoSite


@fault("K109", "ankan in riichi that changes the waits")
def waits_changed(game: Game, rng: random.Random) -> int:
    """Make an ankan of the drawn tile that changes the waits."""
    return _fourth_drawn(game, rng, lambda before, after, _: before != after)


@fault("K110", "ankan in riichi that changes the waits, where the shape must stay", riichi_ankan_level=1)
def shape_changed(game: Game, rng: random.Random) -> int:
    """Make the same ankan under a stricter rule."""
    return _fourth_drawn(game, rng, lambda before, after, _: before != after)


@fault("K111", "ankan in riichi where there is none", riichi_ankan_level=0)
def ankan_in_riichi(game: Game, rng: random.Random) -> int:
    """Make an ankan of the drawn tile that keeps the waits."""
    if any(_riichi_kans(round_) for round_ in game.rounds):
        raise NoSite  # the log has such a kan already
    return _fourth_drawn(game, rng, lambda before, after, _: before == after)


def _riichi_kans(round_: Round) -> list[int]:
    return [index for index in kan_places(round_) if round_.game.tags[index].seat in in_riichi(round_, index)]


@fault("K114", "ankan in riichi of a tile that is a wait", riichi_ankan_of_wait=False)
def ankan_of_wait(game: Game, rng: random.Random) -> int:
    """Make seven tiles of a hand like 3334566, which waits for 3 and 6 with or without the kan, and draw a 3."""
    sites = [(site, lowest) for site in kan_sites(game, riichi=True) for lowest in range(27) if lowest % 9 < 6]
    free = {site.round.nth: set(site.round.unused) for site, _ in sites}
    rng.shuffle(sites)
    for site, lowest in sites:
        drawn, shape = _waiting_triplet(free[site.round.nth], lowest)
        for kept in _two_runs(site.hand) if drawn is not None else ():
            hand = kept | set(shape)
            if lowest in waits(hand) and waits(hand) == waits(hand - set(copies(lowest))):
                renamed(site.round, {**dict(zip(sorted(site.hand - kept), shape, strict=True)), site.tile: drawn})
                return _add_ankan(site, lowest, rng)
    raise NoSite


def _waiting_triplet(free: set[int], lowest: int) -> tuple[int | None, list[int]]:
    """Give tiles not in play: a fourth of this kind, and three of it with 4566 above; None if there are too few."""
    each = [sorted(free & set(copies(lowest + step))) for step in range(4)]
    if any(len(have) < need for have, need in zip(each, (4, 1, 1, 2), strict=True)):
        return None, []
    return each[0][3], [*each[0][:3], each[1][0], each[2][0], *each[3][:2]]


def _two_runs(hand: frozenset[int]) -> list[frozenset[int]]:
    """List the ways to keep two runs of a hand."""
    return [one | other for one in _runs(hand) for other in _runs(hand - one)]


def _runs(hand: frozenset[int]) -> list[frozenset[int]]:
    """List the runs in a hand, by one copy of each kind."""
    one = {tile // 4: tile for tile in sorted(hand)}
    return [
        frozenset(one[lowest + step] for step in range(3))
        for lowest in range(25) if lowest % 9 < 7 and all(lowest + step in one for step in range(3))
    ]  # fmt: skip


@fault("K108", "ankan in riichi of four tiles of which none is just drawn")
def ankan_not_drawn(game: Game, rng: random.Random) -> int:
    """Make two runs of a hand like 111123, and an ankan of the 1 when another tile is drawn."""
    sites = [(site, lowest) for site in kan_sites(game, riichi=True) for lowest in range(27) if lowest % 9 < 7]
    free = {site.round.nth: set(site.round.unused) for site, _ in sites}
    rng.shuffle(sites)
    for site, lowest in sites:
        four = set(copies(lowest)) & free[site.round.nth]
        above = [sorted(free[site.round.nth] & set(copies(lowest + step))) for step in (1, 2)]
        if len(four) < 4 or not all(above) or site.tile // 4 == lowest:
            continue
        shape = [*sorted(four), above[0][0], above[1][0]]
        for runs in _two_runs(site.hand):
            if waits(site.hand - runs | set(shape)):
                renamed(site.round, dict(zip(sorted(runs), shape, strict=True)))
                return _add_ankan(site, lowest, rng)
    raise NoSite


@fault("K107", "daiminkan by a seat in riichi")
def daiminkan_in_riichi(game: Game, rng: random.Random) -> int:
    """Let a seat in riichi call the left neighbour's discard as a daiminkan, in place of its turn."""
    sites = []
    for site in kan_sites(game, riichi=True):
        fed = game.tags[site.index - 1].move
        for kind in range(KINDS):
            mine = site.hand & set(copies(kind))
            fourth = set(copies(kind)) - mine
            if fed and len(mine) == 3 and fourth <= set(site.round.unused) and fed.tile // 4 not in site.round.melded:
                sites.append((site, fed.tile, *fourth))
    site, old, fourth = pick(rng, sites)
    renamed(site.round, {old: fourth})
    game.tags[site.index : site.index + 2] = open_kan(
        site, fourth << 8 | offset(game.tags[site.index - 1].move.seat, site.seat), rng
    )
    return site.round.nth
