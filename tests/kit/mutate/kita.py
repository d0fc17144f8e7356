"""Faults of kita, the norths that are set aside with three players (N101 to N107, D101, W108)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tests.kit.mutate.calls import calls, calm, noten
from tests.kit.mutate.fault import NoSite, fault, pick
from tests.kit.mutate.kan_sites import call_tag, in_riichi, kan_sites, safe
from tests.kit.mutate.kans import arrive_as
from tests.kit.mutate.mjlog import KITA, copies, draw_tag, meld
from tests.kit.mutate.points import DORA, Win, all_wins, wins
from tests.kit.mutate.table import FOUR_PLAYERS, THREE_PLAYERS
from tests.kit.mutate.turns import exhaustive, renamed
from tests.kit.mutate.values import with_han
from tests.kit.mutate.wins import riichi_seats

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable

    from tests.kit.mutate.mjlog import Game, Round

NORTH, HONOURS = 30, range(27, 34)


class Kita(NamedTuple):
    """A kita: its round, its place, the seat, the north, and the hand before it."""

    round: Round
    index: int
    seat: int
    tile: int
    hand: frozenset[int]


def code(tile: int) -> int:
    """Write the code of a north that is set aside."""
    return tile << 8 | KITA


def kitas(game: Game) -> list[Kita]:
    """List the kitas of seats that show no hand and are not in riichi."""
    found = []
    for round_ in game.rounds:
        for index, tag, hands in round_.walk():
            if not tag.is_call or meld(tag.numbers("m")[0]).shape != "kita":
                continue
            if tag.seat not in round_.shown | in_riichi(round_, index):
                found.append(Kita(round_, index, tag.seat, tag.numbers("m")[0] >> 8, hands[tag.seat]))
    return found


def _kept(round_: Round, seat: int, hand: Iterable[int], index: int) -> list[int]:
    """List the tiles, in no meld, that a seat holds from a place to the end; none of a seat before its riichi."""
    if seat in riichi_seats(round_) - in_riichi(round_, index):
        return []
    gone = {tag.move.tile for tag in round_.tags if tag.move and not tag.move.drawn and tag.move.seat == seat}
    for tag in round_.game.tags[index : round_.end]:
        if tag.is_call and tag.seat == seat:
            gone |= meld(tag.numbers("m")[0]).tiles
    return sorted(set(hand) - gone)


def _free_norths(round_: Round) -> list[int]:
    return [tile for tile in round_.unused if tile // 4 == NORTH]


def _set_aside(round_: Round, index: int, seat: int, north: int, drawn: int) -> None:
    """Put a kita and its replacement draw before a place."""
    like = round_.game.tags[index]
    round_.game.tags[index:index] = [call_tag(seat, code(north), like), draw_tag(seat, drawn, like)]


def _two(rng: random.Random, round_: Round) -> tuple[int, int]:
    """Choose a north and a tile to replace it, neither of them in play."""
    north = pick(rng, _free_norths(round_))
    return north, pick(rng, [tile for tile in round_.unused if tile != north])


@fault("N101", "kita of a north that was never there", players=THREE_PLAYERS)
def never_there(game: Game, rng: random.Random) -> int:
    """Deal or draw another tile for a north that is set aside."""
    kita = pick(rng, kitas(game))
    arrive_as(kita.round, kita.tile, pick(rng, kita.round.unused))
    return kita.round.nth


@fault("N101", "kita of a copy that the seat does not hold", players=THREE_PLAYERS)
def other_copy(game: Game, rng: random.Random) -> int:
    """Name another north, which is not in play."""
    kita, north = pick(rng, [(kita, north) for kita in kitas(game) for north in _free_norths(kita.round)])
    game.tags[kita.index].put("m", [code(north)])
    return kita.round.nth


@fault("N101", "kita of a tile that is no north", players=THREE_PLAYERS)
def no_north(game: Game, rng: random.Random) -> int:
    """Set another tile of the hand aside."""
    kita, tile = pick(rng, [
        (kita, tile) for kita in kitas(game) for tile in _kept(kita.round, kita.seat, kita.hand, kita.index)
        if tile // 4 != NORTH
    ])  # fmt: skip
    game.tags[kita.index].put("m", [code(tile)])
    return kita.round.nth


@fault("N102", "kita straight after a pon", players=THREE_PLAYERS)
def after_pon(game: Game, rng: random.Random) -> int:
    """Make a tile that a hand keeps a north, and set it aside between a pon and the discard after it."""
    sites = []
    for round_ in game.rounds:
        made = calls(round_) if round_.wins and calm(round_) and _free_norths(round_) else []
        places = {call.discard: call for call in made if call.made.shape == "pon"}
        for index, _, hands in round_.walk():
            if index in places:
                seat = places[index].seat
                sites += [(round_, index, seat, tile) for tile in _kept(round_, seat, hands[seat], index)]
    round_, index, seat, tile = pick(rng, sites)
    north, drawn = _two(rng, round_)
    renamed(round_, {tile: north})
    _set_aside(round_, index, seat, north, drawn)
    return round_.nth


@fault("N102", "kita in another seat's turn", players=THREE_PLAYERS)
def out_of_turn(game: Game, rng: random.Random) -> int:
    """Make a tile that a hand keeps a north, and set it aside after another seat's draw, replaced by the next draw."""
    sites = []
    for site in kan_sites(game, riichi=False):
        hands = next(hands for index, _, hands in site.round.walk() if index == site.index)
        for seat in site.round.seats:
            if seat != site.seat and seat not in site.round.shown | in_riichi(site.round, site.index):
                kept = _kept(site.round, seat, hands[seat], site.index)
                sites += [(site.round, site.index + 1, seat, tile) for tile in kept if _free_norths(site.round)]
    round_, index, seat, tile = pick(rng, sites)
    north = pick(rng, _free_norths(round_))
    renamed(round_, {tile: north})
    game.tags.insert(index, call_tag(seat, code(north), game.tags[index]))
    return round_.nth


@fault("N102", "kita in riichi of a north that is not the tile just drawn", players=THREE_PLAYERS)
def not_drawn(game: Game, rng: random.Random) -> int:
    """Make the equal honours of a hand in riichi norths, and set one aside after another tile is drawn."""
    sites = []
    for site in kan_sites(game, riichi=True):
        free = _free_norths(site.round)
        kept = _kept(site.round, site.seat, site.hand, site.index)
        for kind in HONOURS:
            held = [tile for tile in site.hand if tile // 4 == kind]
            if kind != NORTH and 1 < len(held) <= len(free) and set(held) <= set(kept) and site.tile // 4 != NORTH:
                sites.append((site, held, free))
    site, held, free = pick(rng, sites)
    renamed(site.round, dict(zip(held, free, strict=False)))
    drawn = pick(rng, safe(site.round))
    game.tags[site.index + 1].name = f"{game.tags[site.index + 1].name[0]}{drawn}"
    _set_aside(site.round, site.index + 1, site.seat, free[0], drawn)
    return site.round.nth


@fault("N103", "a kita's replacement draw is missing", players=THREE_PLAYERS)
def replacement_missing(game: Game, rng: random.Random) -> int:
    """Remove the draw after a kita."""
    tags = game.tags
    kita = pick(rng, [
        kita for kita in kitas(game) if kita.round.wins and calm(kita.round)
        and (drawn := tags[kita.index + 1].move) and drawn.drawn
        and (thrown := tags[kita.index + 2].move) and not thrown.drawn
    ])  # fmt: skip
    del tags[kita.index + 1]
    return kita.round.nth


def _with_kita(game: Game) -> list[Win]:
    return [win for win in all_wins(game) if win.norths]


@fault("N104", "a kita missing from the winner's", players=THREE_PLAYERS)
def winner_lacks(game: Game, rng: random.Random) -> int:
    """Remove a north from the melds of AGARI; with the last one, the attribute."""
    win = pick(rng, _with_kita(game))
    codes = win.tag.numbers("m")
    codes.remove(code(pick(rng, win.norths)))
    win.tag.put("m", codes)
    if not codes:
        del win.tag.attributes["m"]
    return win.round.nth


@fault("N104", "a kita too many of the winner's", players=THREE_PLAYERS)
def winner_has_more(game: Game, rng: random.Random) -> int:
    """Add a north to the melds of AGARI that the winner did not set aside."""
    sites = [
        (win, north) for win in all_wins(game) if "m" in win.tag for north in copies(NORTH)
        if north not in win.norths and north not in win.concealed
    ]  # fmt: skip
    win, north = pick(rng, sites)
    win.tag.put("m", [code(north), *win.tag.numbers("m")])
    return win.round.nth


@fault("N104", "another north than the winner set aside", players=THREE_PLAYERS)
def winner_has_another(game: Game, rng: random.Random) -> int:
    """Name another copy in the melds of AGARI."""
    sites = [
        (win, old, new) for win in _with_kita(game) for old in win.norths for new in copies(NORTH)
        if new not in win.norths and new not in win.concealed
    ]  # fmt: skip
    win, old, new = pick(rng, sites)
    win.tag.put("m", [code(new) if each == code(old) else each for each in win.tag.numbers("m")])
    return win.round.nth


def _counted(game: Game, rng: random.Random, sign: int) -> Win:
    """Count the norths of a winner not at all, or twice."""
    win = pick(rng, [win for win in wins(game) if win.norths and DORA in win.yaku and win.han < 10])
    with_han(win, DORA, win.yaku[DORA] + sign * len(win.norths))
    return win


@fault("W108", "kita not counted, value left", players=THREE_PLAYERS)
def kita_uncounted(game: Game, rng: random.Random) -> int:
    """List as many dora fewer as the winner has set norths aside."""
    return _counted(game, rng, -1).round.nth


@fault("W108", "kita not counted and paid so", players=THREE_PLAYERS)
def kita_uncounted_paid(game: Game, rng: random.Random) -> int:
    """Count no kita; value, payment and later scores follow."""
    win = _counted(game, rng, -1)
    win.revalue()
    return win.round.nth


@fault("W108", "kita counted twice and paid so", players=THREE_PLAYERS)
def kita_doubled_paid(game: Game, rng: random.Random) -> int:
    """Count each kita as two dora; value, payment and later scores follow."""
    win = _counted(game, rng, 1)
    win.revalue()
    return win.round.nth


@fault("N105", "kita in a game of four players", players=FOUR_PLAYERS)
def four_players(game: Game, rng: random.Random) -> int:
    """Make a tile that a hand keeps a north, set it aside after a draw, and draw once more."""
    sites = [
        (site, tile) for site in kan_sites(game, riichi=False) if _free_norths(site.round)
        for tile in _kept(site.round, site.seat, site.hand, site.index)
    ]  # fmt: skip
    site, tile = pick(rng, sites)
    north, drawn = _two(rng, site.round)
    renamed(site.round, {tile: north})
    _set_aside(site.round, site.index + 1, site.seat, north, drawn)
    return site.round.nth


@fault("N106", "kita after the last tile", players=THREE_PLAYERS)
def after_the_last(game: Game, rng: random.Random) -> int:
    """Make a tile that a hand keeps a north, set it aside after the last draw, and draw once more."""
    sites = []
    for round_ in exhaustive(game):
        end = round_.results[0]
        last, thrown = game.tags[end - 2].move, game.tags[end - 1].move
        if "type" in round_.result or not (last and last.drawn and thrown) or last.seat in round_.shown:
            continue
        hands = next(hands for index, _, hands in round_.walk() if index == end - 1)
        kept = _kept(round_, last.seat, hands[last.seat], end - 1) if _free_norths(round_) else []
        sites += [(round_, end - 1, last.seat, tile, hands[last.seat] - {thrown.tile}) for tile in kept]
    round_, index, seat, tile, hand = pick(rng, sites)
    north, drawn = _two(rng, round_)
    if not noten(hand - {tile} | {drawn}):
        raise NoSite
    renamed(round_, {tile: north})
    _set_aside(round_, index, seat, north, drawn)
    return round_.nth


@fault("N107", "ron on a kita where the rules have none", players=THREE_PLAYERS, kita_ron=False)
def ron_on_kita(game: Game, rng: random.Random) -> int:
    """Audit a log with a ron on a kita, which is legal, under other rules."""
    return pick(rng, [
        win for win in all_wins(game) if not win.tsumo and game.tags[win.round.results[0] - 1].is_call
        and meld(game.tags[win.round.results[0] - 1].numbers("m")[0]).shape == "kita"
    ]).round.nth  # fmt: skip


@fault("D101", "a kita is missing", players=THREE_PLAYERS)
def kita_missing(game: Game, rng: random.Random) -> int:
    """Remove a kita: the seat then draws twice."""
    kita = pick(rng, kitas(game))
    del game.tags[kita.index]
    return kita.round.nth


def _adjoining(game: Game, *, drawn_first: bool) -> list[int]:
    """List the places where a draw and a kita of another tile stand side by side, by seats that show no hand."""
    found = []
    for kita in kitas(game):
        near = game.tags[kita.index + (-1 if drawn_first else 1)].move
        fed = kita.round.before(kita.index - 1)
        if near and near.drawn and near.tile != kita.tile and (not drawn_first or not fed.is_call):
            found.append(kita.index - drawn_first)
    return found


def _round_at(game: Game, index: int) -> int:
    return next(round_.nth for round_ in game.rounds if round_.start <= index < round_.end)


@fault("N102", "a kita and the draw before it change places", players=THREE_PLAYERS)
def kita_first(game: Game, rng: random.Random) -> int:
    """Write the kita before the draw."""
    index = pick(rng, _adjoining(game, drawn_first=True))
    game.tags[index : index + 2] = game.tags[index + 1], game.tags[index]
    return _round_at(game, index)


@fault("D101", "a kita and its replacement draw change places", players=THREE_PLAYERS)
def replaced_first(game: Game, rng: random.Random) -> int:
    """Write the replacement draw before the kita."""
    index = pick(rng, _adjoining(game, drawn_first=False))
    game.tags[index : index + 2] = game.tags[index + 1], game.tags[index]
    return _round_at(game, index)


@fault("N102", "a kita told of another seat", players=THREE_PLAYERS)
def kita_of_another(game: Game, rng: random.Random) -> int:
    """Name another seat, which shows no hand."""
    sites = [(kita, seat) for kita in kitas(game) for seat in set(kita.round.seats) - {kita.seat} - kita.round.shown]
    kita, seat = pick(rng, sites)
    game.tags[kita.index].attributes["who"] = str(seat)
    return kita.round.nth
