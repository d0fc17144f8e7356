"""Faults of kans and of their indicators (K101 to K109, K111, K112)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from tests.kit.mutate.calls import calls, calm, noten, ronned_kinds, waits
from tests.kit.mutate.fault import NoSite, fault, pick
from tests.kit.mutate.mjlog import Tag, copies, discard_tag, draw_tag, meld
from tests.kit.mutate.turns import exhaustive, renamed, unused

if TYPE_CHECKING:
    import random

    from tests.kit.mutate.mjlog import Game, Round

KINDS = 34
MOST_BEFORE = 1
"""Kans in a round to which one is added, so that no four end it."""


def dora_kind(indicator: int) -> int:
    """Give the kind that an indicator makes dora."""
    kind = indicator // 4
    if kind < 27:
        return kind // 9 * 9 + (kind + 1) % 9
    return 27 + (kind - 26) % 4 if kind < 31 else 31 + (kind - 30) % 3


def _won_kinds(round_: Round) -> set[int]:
    """List the kinds in winners' hands and melds."""
    tiles: set[int] = set()
    for index in round_.wins:
        tag = round_.game.tags[index]
        tiles.update(tag.numbers("hai"))
        for code in tag.numbers("m"):
            tiles |= meld(code).tiles
    return {tile // 4 for tile in tiles}


def idle(round_: Round) -> list[int]:
    """List the tiles not in play that, as indicators, count for no winner."""
    won = _won_kinds(round_)
    return [tile for tile in unused(round_) if dora_kind(tile) not in won]


def turned(round_: Round, rng: random.Random, like: Tag) -> Tag:
    """Give the tag that turns an indicator up which counts for nobody, and enter it at the wins, a hidden one too.

    Raises
    ------
    NoSite
        when there are too few tiles for it

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


def _kans(round_: Round) -> list[int]:
    """List the places of kans."""
    return [
        index for index in range(round_.start, round_.end)
        if round_.game.tags[index].is_call and len(meld(round_.game.tags[index].numbers("m")[0]).tiles) == 4
    ]  # fmt: skip


class Kan(NamedTuple):
    """A kan of a seat that shows no hand: its round and place, and the hand before it."""

    round: Round
    index: int
    shape: str
    tiles: frozenset[int]
    taken: int | None


def _hidden_kans(game: Game, shape: str) -> list[Kan]:
    found = []
    for round_ in game.rounds:
        for index in _kans(round_):
            made = meld(game.tags[index].numbers("m")[0])
            if made.shape == shape and game.tags[index].seat not in round_.shown:
                found.append(Kan(round_, index, shape, made.tiles, made.taken))
    return found


def _arrive_as(round_: Round, tile: int, instead: int) -> None:
    """Deal or draw another tile in place of one; what is done with it later stays as told."""
    for seat in range(4):
        hand = round_.init.numbers(f"hai{seat}")
        round_.init.put(f"hai{seat}", [instead if each == tile else each for each in hand])
    for tag in round_.tags:
        if tag.move and tag.move.drawn and tag.move.tile == tile:
            tag.name = f"{tag.name[0]}{instead}"


@fault("K101", "ankan of three and a tile that was never there")
def ankan_of_three(game: Game, rng: random.Random) -> int:
    """Deal or draw another tile for one of an ankan's."""
    kan = pick(rng, _hidden_kans(game, "ankan"))
    _arrive_as(kan.round, pick(rng, kan.tiles), pick(rng, unused(kan.round)))
    return kan.round.nth


@fault("K103", "daiminkan of two and a tile that was never there")
def daiminkan_of_two(game: Game, rng: random.Random) -> int:
    """Deal or draw another tile for one of a daiminkan's."""
    kan = pick(rng, _hidden_kans(game, "daiminkan"))
    _arrive_as(kan.round, pick(rng, kan.tiles - {kan.taken}), pick(rng, unused(kan.round)))
    return kan.round.nth


def _riichi(round_: Round, index: int) -> set[int]:
    """List the seats in riichi before this place."""
    return {tag.seat for tag in round_.game.tags[round_.start : index] if tag.name == "REACH"}


def kakan_code(kind: int, added: int) -> int:
    """Write a kakan of a kind to a pon from the right."""
    return 1 | 0x10 | (added % 4) << 5 | (kind * 3) << 9


@fault("K102", "ankan told as a kakan")
def ankan_as_kakan(game: Game, rng: random.Random) -> int:
    """Write a kakan, and its indicator after the draw."""
    sites = []
    for kan in _hidden_kans(game, "ankan"):
        tags = game.tags[kan.index + 1 : kan.index + 4]
        discard = tags[2].move
        if tags[0].name == "DORA" and tags[1].move and discard and not discard.drawn:
            sites.append(kan)
    kan = pick(rng, [kan for kan in sites if game.tags[kan.index].seat not in _riichi(kan.round, kan.index)])
    at, tile = kan.index, min(kan.tiles)
    game.tags[at].put("m", [kakan_code(tile // 4, tile)])
    game.tags[at + 1 : at + 3] = game.tags[at + 2], game.tags[at + 1]
    return kan.round.nth


class Site(NamedTuple):
    """A place where a hidden seat draws, discards that tile at once, and nobody takes it; its hand before."""

    round: Round
    index: int
    seat: int
    tile: int
    hand: frozenset[int]


def _sites(game: Game, *, riichi: bool) -> list[Site]:
    """List the places where a kan could be added to a round without another consequence."""
    found = []
    for round_ in game.rounds:
        if not (round_.wins and calm(round_) and len(_kans(round_)) <= MOST_BEFORE):
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


def _safe(round_: Round, turned_up: Tag) -> list[int]:
    """List the tiles not in play whose discard bars nobody's win; the new indicator is none of them."""
    barred = ronned_kinds(round_)
    return [tile for tile in unused(round_) if tile // 4 not in barred and tile not in turned_up.numbers("hai")]


def _n(seat: int, code: int, like: Tag) -> Tag:
    return Tag("N", {"who": str(seat), "m": str(code)}, close=like.close, gap=like.gap)


def _add_ankan(site: Site, kind: int, rng: random.Random) -> int:
    """Put an ankan with its indicator and replacement draw between a draw and the discard."""
    tags = site.round.game.tags
    like = tags[site.index]
    turned_up = turned(site.round, rng, like)
    tile = pick(rng, _safe(site.round, turned_up))
    tags[site.index + 1 : site.index + 2] = [
        _n(site.seat, kind * 4 << 8, like),
        turned_up,
        draw_tag(site.seat, tile, like),
        discard_tag(site.seat, tile, tags[site.index + 1]),
    ]
    return site.round.nth


def _triples(site: Site) -> list[tuple[int, frozenset[int]]]:
    """List the tiles not in play of which the hand has the three others, with those three."""
    free = set(unused(site.round))
    found = []
    for kind in range(KINDS):
        mine = site.hand & set(copies(kind))
        fourth = set(copies(kind)) - mine
        if len(mine) == 3 and fourth <= free:
            found.append((*fourth, mine))
    return found


Fits = Callable[[set[int], set[int], int], bool]
"""Tells whether a kan will do, by the waits before and after it and its kind."""


def _fourth_drawn(game: Game, rng: random.Random, fits: Fits) -> int:
    """Draw the fourth of three in riichi, and make the ankan."""
    sites = [(site, *triple) for site in _sites(game, riichi=True) for triple in _triples(site)]
    rng.shuffle(sites)
    for site, fourth, mine in sites:
        if fits(waits(site.hand), waits(site.hand - mine), fourth // 4):
            tag = game.tags[site.index]
            tag.name = f"{tag.name[0]}{fourth}"
            return _add_ankan(site, fourth // 4, rng)
    raise NoSite


@fault("K109", "ankan in riichi that changes the waits")
def waits_changed(game: Game, rng: random.Random) -> int:
    """Make an ankan of the drawn tile after which others are waited for."""
    return _fourth_drawn(game, rng, lambda before, after, _: before != after)


@fault("K110", "ankan in riichi that changes the waits, where the shape must stay", riichi_ankan_level=1)
def shape_changed(game: Game, rng: random.Random) -> int:
    """Make the same ankan under a stricter rule."""
    return _fourth_drawn(game, rng, lambda before, after, _: before != after)


@fault("K111", "ankan in riichi where there is none", riichi_ankan_level=0)
def ankan_in_riichi(game: Game, rng: random.Random) -> int:
    """Make an ankan of the drawn tile after which the waits are the same."""
    if any(_riichi_kans(round_) for round_ in game.rounds):
        raise NoSite  # the log has such a kan already
    return _fourth_drawn(game, rng, lambda before, after, _: before == after)


def _riichi_kans(round_: Round) -> list[int]:
    return [index for index in _kans(round_) if round_.game.tags[index].seat in _riichi(round_, index)]


@fault("K114", "ankan in riichi of a tile that is a wait", riichi_ankan_of_wait=False)
def ankan_of_wait(game: Game, rng: random.Random) -> int:
    """Make seven tiles of a hand like 3334566, which waits for 3 and 6 with the kan or without, and draw a 3."""
    sites = [(site, lowest) for site in _sites(game, riichi=True) for lowest in range(27) if lowest % 9 < 6]
    free = {site.round.nth: set(unused(site.round)) for site, _ in sites}
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
    """Give tiles not in play: a fourth of this kind, and three of it with 4566 above; None where there are too few."""
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
    """Make two runs of a hand the like of 111123, and an ankan of them when another tile is drawn."""
    sites = [(site, lowest) for site in _sites(game, riichi=True) for lowest in range(27) if lowest % 9 < 7]
    free = {site.round.nth: set(unused(site.round)) for site, _ in sites}
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


def _open_kan(site: Site, code: int, rng: random.Random) -> list[Tag]:
    """Write an open kan with replacement draw, indicator and discard."""
    tags = site.round.game.tags
    like = tags[site.index]
    turned_up = turned(site.round, rng, like)
    tile = pick(rng, _safe(site.round, turned_up))
    return [
        _n(site.seat, code, like),
        draw_tag(site.seat, tile, like),
        turned_up,
        discard_tag(site.seat, tile, tags[site.index + 1]),
    ]


@fault("K107", "daiminkan by a seat in riichi")
def daiminkan_in_riichi(game: Game, rng: random.Random) -> int:
    """Let a seat in riichi call the left discard, made the fourth of three, in place of its turn."""
    sites = []
    for site in _sites(game, riichi=True):
        fed = game.tags[site.index - 1].move
        for kind in range(KINDS):
            mine = site.hand & set(copies(kind))
            fourth = set(copies(kind)) - mine
            if fed and len(mine) == 3 and fourth <= set(unused(site.round)) and fed.tile // 4 not in site.round.melded:
                sites.append((site, fed.tile, *fourth))
    site, old, fourth = pick(rng, sites)
    renamed(site.round, {old: fourth})
    game.tags[site.index : site.index + 2] = _open_kan(site, fourth << 8 | 3, rng)
    return site.round.nth


def _pons(round_: Round, seat: int, until: int) -> list[int]:
    """List the kinds of a seat's pons before a place, those that became kans left out."""
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
    """Make the discard after a second call the fourth of a pon, and add it."""
    sites = []
    for round_ in game.rounds:
        if not (round_.wins and calm(round_) and len(_kans(round_)) <= MOST_BEFORE):
            continue
        for call in calls(round_):
            tile = game.tags[call.discard].move.tile
            for kind in _pons(round_, call.seat, call.index):
                free = set(unused(round_)) & set(copies(kind))
                if free and tile // 4 not in round_.melded:
                    sites.append((round_, call, tile, *free))
    round_, call, tile, fourth = pick(rng, sites)
    code = _pon_code(round_, call.seat, fourth // 4) ^ 0x18
    renamed(round_, {tile: fourth})
    site = Site(round_, call.index, call.seat, fourth, frozenset())
    game.tags[call.discard : call.discard + 1] = _open_kan(site, code, rng)
    return round_.nth


@fault("K104", "kakan with the last tile")
def kakan_with_last(game: Game, rng: random.Random) -> int:
    """Make the last draw the fourth of a pon, add it, and draw once more."""
    sites = []
    for round_ in exhaustive(game):
        end = round_.results[0]
        drawn, thrown = game.tags[end - 2].move, game.tags[end - 1].move
        if "type" in round_.result or len(_kans(round_)) > MOST_BEFORE or not (drawn and drawn.drawn and thrown):
            continue
        hands = next(hands for index, _, hands in round_.walk() if index == end - 2)
        for kind in _pons(round_, drawn.seat, end):
            free = set(unused(round_)) & set(copies(kind))
            if free and drawn.seat not in round_.shown and noten(hands[drawn.seat]):
                sites.append((Site(round_, end - 2, drawn.seat, *free, hands[drawn.seat]), kind))
    site, kind = pick(rng, sites)
    tags = game.tags
    code = _pon_code(site.round, site.seat, kind) ^ 0x18
    tags[site.index] = draw_tag(site.seat, site.tile, tags[site.index])
    kan = _open_kan(site, code, rng)
    tags[site.index + 1 : site.index + 2] = kan
    return site.round.nth


@fault("K105", "a fifth kan", also={"X105", "X106"})
def fifth_kan(game: Game, rng: random.Random) -> int:
    """Let the next seat make an ankan after the fourth kan's discard, though that ends the round."""
    sites = []
    for round_ in game.rounds:
        end = round_.results[0]
        last = game.tags[end - 1].move
        if len(_kans(round_)) == 4 and not round_.wins and last:
            seat = (last.seat + 1) % 4
            hand = next(hands[seat] for at, _, hands in round_.walk() if at == end)
            if seat not in round_.shown:
                sites += [(round_, end, seat, hand, kind) for kind in _four_to_be_had(round_, hand)]
    round_, end, seat, hand, kind = pick(rng, sites)
    missing = sorted(set(copies(kind)) - hand)
    for tile, instead in zip(sorted(hand - set(copies(kind))), missing[1:], strict=False):
        _arrive_as(round_, tile, instead)
    like = game.tags[end]
    tile = pick(rng, set(unused(round_)) - set(copies(kind)))
    game.tags[end:end] = [
        draw_tag(seat, missing[0], like),
        _n(seat, kind * 4 << 8, like),
        draw_tag(seat, tile, like),
        discard_tag(seat, tile, like),
    ]
    return round_.nth


def _four_to_be_had(round_: Round, hand: frozenset[int]) -> list[int]:
    """List the kinds of which a hand lacks one copy or more, none of those in play."""
    free = set(unused(round_))
    return [kind for kind in range(KINDS) if (missing := set(copies(kind)) - hand) and missing <= free]


def _kan_dora(round_: Round) -> list[int]:
    """List the places of indicators turned in play."""
    return [index for index in range(round_.start, round_.end) if round_.game.tags[index].name == "DORA"]


@fault("K112", "a kan's indicator is missing")
def indicator_missing(game: Game, rng: random.Random) -> int:
    """Remove one that counts for no winner, in doraHai too."""
    sites = [
        (round_, index)
        for round_ in game.rounds
        for index in _kan_dora(round_)
        if dora_kind(game.tags[index].numbers("hai")[0]) not in _won_kinds(round_)
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
    """Turn one that counts for no winner after some discard."""
    sites = [(round_, discard.index) for round_ in game.rounds for discard in round_.discards() if not _kans(round_)]
    round_, index = pick(rng, sites)
    game.tags.insert(index + 1, turned(round_, rng, game.tags[index]))
    return round_.nth


@fault("K112", "an indicator told twice")
def indicator_doubled(game: Game, rng: random.Random) -> int:
    """Write it a second time right after itself, in a round that nobody wins."""
    round_, index = pick(
        rng, [(round_, index) for round_ in game.rounds if not round_.wins for index in _kan_dora(round_)]
    )
    game.tags.insert(
        index, Tag("DORA", dict(game.tags[index].attributes), game.tags[index].close, game.tags[index].gap)
    )
    return round_.nth


def _exchanged(game: Game, rng: random.Random, shapes: tuple[str, ...], offset: int) -> int:
    """Let the replacement draw of such a kan and its indicator, ``offset`` after it, change places."""
    sites = []
    for round_ in game.rounds:
        for index in _kans(round_):
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
    """Turn it at once."""
    return _exchanged(game, rng, ("daiminkan", "kakan"), 1)


@fault("K112", "the indicator of an ankan after the draw")
def indicator_late(game: Game, rng: random.Random) -> int:
    """Turn it only before the discard."""
    return _exchanged(game, rng, ("ankan",), 1)
