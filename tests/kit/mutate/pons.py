"""Faults of pons that a table of any number of players can have (C104, C105)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.mutate.calls import called_instead, noten, offset, ronned_kinds
from tests.kit.mutate.fault import NoSite, fault, pick
from tests.kit.mutate.kan_sites import KINDS, call_tag, kan_sites
from tests.kit.mutate.mjlog import copies, discard_tag
from tests.kit.mutate.turns import exhaustive, renamed

if TYPE_CHECKING:
    import random

    from tests.kit.mutate.mjlog import Game, Round


def pon_code(called: int, own: tuple[int, int], feeder: int, caller: int) -> int:
    """Write a pon of a tile with two of the hand."""
    tiles = sorted((called, *own))
    spare = 6 - sum(tile % 4 for tile in tiles)
    return offset(feeder, caller) | 8 | spare << 5 | (called // 4 * 3 + tiles.index(called)) << 9


def _pairs(round_: Round, hand: frozenset[int]) -> list[tuple[int, tuple[int, int]]]:
    """List the tiles not in play of which a hand has two others, with those two."""
    free = set(round_.unused)
    found = []
    for kind in range(KINDS):
        mine = sorted(hand & set(copies(kind)))
        if len(mine) > 1:
            found += [(tile, (mine[0], mine[1])) for tile in free & set(copies(kind))]
    return found


@fault("C104", "pon by a seat in riichi")
def pon_in_riichi(game: Game, rng: random.Random) -> int:
    """Make the left neighbour's discard a tile of which a seat in riichi has two, and pon it in place of its turn."""
    sites = []
    for site in kan_sites(game, riichi=True):
        fed = game.tags[site.index - 1].move
        if fed and not fed.drawn and fed.tile // 4 not in site.round.melded:
            barred = ronned_kinds(site.round)
            sites += [
                (site, fed, called, own, barred | {called // 4}) for called, own in _pairs(site.round, site.hand)
                if called // 4 not in barred
            ]  # fmt: skip
    site, fed, called, own, barred = pick(rng, sites)
    rest = sorted(tile for tile in site.hand - set(own) if tile // 4 not in barred)
    renamed(site.round, {fed.tile: called})
    called_instead(site.round, site.index, site.seat, pon_code(called, own, fed.seat, site.seat), pick(rng, rest))
    return site.round.nth


@fault("C105", "the last discard ponned")
def last_ponned(game: Game, rng: random.Random) -> int:
    """Make the last discard a tile of which a seat that shows no hand has two, and let that seat pon it."""
    sites = []
    for round_ in exhaustive(game):
        end = round_.results[0]
        last = game.tags[end - 1].move
        if "type" in round_.result or not last or last.drawn or last.tile // 4 in round_.melded:
            continue
        hands = next(hands for index, _, hands in round_.walk() if index == end)
        sites += [
            (round_, last, seat, hands[seat], called, own) for seat in round_.seats
            if seat != last.seat and seat not in round_.shown for called, own in _pairs(round_, hands[seat])
        ]  # fmt: skip
    round_, last, seat, hand, called, own = pick(rng, sites)
    rest = hand - set(own)
    thrown = [tile for tile in sorted(rest) if tile // 4 != called // 4 and noten(rest - {tile})]
    if not thrown:
        raise NoSite
    renamed(round_, {last.tile: called})
    end = round_.results[0]
    game.tags[end:end] = [
        call_tag(seat, pon_code(called, own, last.seat, seat), game.tags[end]),
        discard_tag(seat, pick(rng, thrown), game.tags[end]),
    ]
    return round_.nth
