"""Faults of kans outside riichi (K101 to K106)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tests.kit.mutate.calls import calls, calm, noten, offset, ronned_kinds
from tests.kit.mutate.fault import fault, pick
from tests.kit.mutate.kan_sites import KINDS, MOST_BEFORE, Site, call_tag, in_riichi, kan_places, open_kan
from tests.kit.mutate.mjlog import copies, discard_tag, draw_tag, meld
from tests.kit.mutate.turns import exhaustive, renamed

if TYPE_CHECKING:
    import random

    from tests.kit.mutate.mjlog import Game, Round


class Kan(NamedTuple):
    """A kan of a seat that shows no hand: its round, its place, and the hand before it."""

    round: Round
    index: int
    shape: str
    tiles: frozenset[int]
    taken: int | None


def _hidden_kans(game: Game, shape: str) -> list[Kan]:
    found = []
    for round_ in game.rounds:
        for index in kan_places(round_):
            made = meld(game.tags[index].numbers("m")[0])
            if made.shape == shape and game.tags[index].seat not in round_.shown:
                found.append(Kan(round_, index, shape, made.tiles, made.taken))
    return found


def arrive_as(round_: Round, tile: int, instead: int) -> None:
    """Deal or draw another tile in place of one; later actions with the tile stay."""
    for seat in round_.seats:
        hand = round_.init.numbers(f"hai{seat}")
        round_.init.put(f"hai{seat}", [instead if each == tile else each for each in hand])
    for tag in round_.tags:
        if tag.move and tag.move.drawn and tag.move.tile == tile:
            tag.name = f"{tag.name[0]}{instead}"


@fault("K101", "ankan of three and a tile that was never there")
def ankan_of_three(game: Game, rng: random.Random) -> int:
    """Deal or draw another tile for one of an ankan's."""
    kan = pick(rng, _hidden_kans(game, "ankan"))
    arrive_as(kan.round, pick(rng, kan.tiles), pick(rng, kan.round.unused))
    return kan.round.nth


@fault("K103", "daiminkan of two and a tile that was never there")
def daiminkan_of_two(game: Game, rng: random.Random) -> int:
    """Deal or draw another tile for one of a daiminkan's."""
    kan = pick(rng, _hidden_kans(game, "daiminkan"))
    arrive_as(kan.round, pick(rng, kan.tiles - {kan.taken}), pick(rng, kan.round.unused))
    return kan.round.nth


def kakan_code(round_: Round, seat: int, kind: int, added: int) -> int:
    """Write a kakan of a kind to a pon from the right."""
    return offset((seat + 1) % len(round_.seats), seat) | 0x10 | (added % 4) << 5 | (kind * 3) << 9


@fault("K102", "ankan told as a kakan")
def ankan_as_kakan(game: Game, rng: random.Random) -> int:
    """Write a kakan, and its indicator after the draw."""
    sites = []
    for kan in _hidden_kans(game, "ankan"):
        tags = game.tags[kan.index + 1 : kan.index + 4]
        discard = tags[2].move
        if tags[0].name == "DORA" and tags[1].move and discard and not discard.drawn:
            sites.append(kan)
    kan = pick(rng, [
        kan for kan in sites if game.tags[kan.index].seat not in in_riichi(kan.round, kan.index)
        and min(kan.tiles) // 4 not in ronned_kinds(kan.round)  # a kakan can be robbed
    ])  # fmt: skip
    at, tile = kan.index, min(kan.tiles)
    game.tags[at].put("m", [kakan_code(kan.round, game.tags[at].seat, tile // 4, tile)])
    game.tags[at + 1 : at + 3] = game.tags[at + 2], game.tags[at + 1]
    return kan.round.nth


def _pons(round_: Round, seat: int, until: int) -> list[int]:
    """List the kinds of a seat's pons before a place, except those that became kans."""
    shapes = {}
    for tag in round_.game.tags[round_.start : until]:
        if tag.is_call and tag.seat == seat:
            made = meld(tag.numbers("m")[0])
            shapes[min(made.tiles) // 4] = made.shape
    return [kind for kind, shape in shapes.items() if shape == "pon"]


def _pon_code(round_: Round, seat: int, kind: int) -> int:
    return next(
        code for tag in round_.tags if tag.is_call and tag.seat == seat
        if meld(code := tag.numbers("m")[0]).shape == "pon" and min(meld(code).tiles) // 4 == kind
    )  # fmt: skip


@fault("K106", "kakan straight after a call")
def kakan_after_call(game: Game, rng: random.Random) -> int:
    """Make the discard after a second call the fourth tile of a pon, and add it."""
    sites = []
    for round_ in game.rounds:
        if not (round_.wins and calm(round_) and len(kan_places(round_)) <= MOST_BEFORE):
            continue
        for call in calls(round_):
            tile = game.tags[call.discard].move.tile
            for kind in _pons(round_, call.seat, call.index):
                free = set(round_.unused) & set(copies(kind))
                if free and tile // 4 not in round_.melded:
                    sites.append((round_, call, tile, *free))
    round_, call, tile, fourth = pick(rng, sites)
    code = _pon_code(round_, call.seat, fourth // 4) ^ 0x18
    renamed(round_, {tile: fourth})
    site = Site(round_, call.index, call.seat, fourth, frozenset())
    game.tags[call.discard : call.discard + 1] = open_kan(site, code, rng)
    return round_.nth


@fault("K104", "kakan with the last tile")
def kakan_with_last(game: Game, rng: random.Random) -> int:
    """Make the last draw the fourth tile of a pon, add it, and draw once more."""
    sites = []
    for round_ in exhaustive(game):
        end = round_.results[0]
        drawn, thrown = game.tags[end - 2].move, game.tags[end - 1].move
        if "type" in round_.result or len(kan_places(round_)) > MOST_BEFORE or not (drawn and drawn.drawn and thrown):
            continue
        hands = next(hands for index, _, hands in round_.walk() if index == end - 2)
        for kind in _pons(round_, drawn.seat, end):
            free = set(round_.unused) & set(copies(kind))
            if free and drawn.seat not in round_.shown and noten(hands[drawn.seat]):
                sites.append((Site(round_, end - 2, drawn.seat, *free, hands[drawn.seat]), kind))
    site, kind = pick(rng, sites)
    tags = game.tags
    code = _pon_code(site.round, site.seat, kind) ^ 0x18
    tags[site.index] = draw_tag(site.seat, site.tile, tags[site.index])
    kan = open_kan(site, code, rng)
    tags[site.index + 1 : site.index + 2] = kan
    return site.round.nth


@fault("K105", "a fifth kan", also={"X105", "X106"})
def fifth_kan(game: Game, rng: random.Random) -> int:
    """After the fourth kan's discard, which ends the round, let the next seat make an ankan."""
    sites = []
    for round_ in game.rounds:
        end = round_.results[0]
        last = game.tags[end - 1].move
        if len(kan_places(round_)) == 4 and not round_.wins and last:
            seat = (last.seat + 1) % len(round_.seats)
            hand = next(hands[seat] for at, _, hands in round_.walk() if at == end)
            if seat not in round_.shown:
                sites += [(round_, end, seat, hand, kind) for kind in _four_to_be_had(round_, hand)]
    round_, end, seat, hand, kind = pick(rng, sites)
    missing = sorted(set(copies(kind)) - hand)
    for tile, instead in zip(sorted(hand - set(copies(kind))), missing[1:], strict=False):
        arrive_as(round_, tile, instead)
    like = game.tags[end]
    tile = pick(rng, set(round_.unused) - set(copies(kind)))
    game.tags[end:end] = [
        draw_tag(seat, missing[0], like),
        call_tag(seat, kind * 4 << 8, like),
        draw_tag(seat, tile, like),
        discard_tag(seat, tile, like),
    ]
    return round_.nth


def _four_to_be_had(round_: Round, hand: frozenset[int]) -> list[int]:
    """List the kinds of which a hand lacks at least one copy, if none of these is in play."""
    free = set(round_.unused)
    return [kind for kind in range(KINDS) if (missing := set(copies(kind)) - hand) and missing <= free]
