"""Faults of calls and of the discards that follow them (C101 to C105, D104, D105)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from tests.kit.mutate.fault import NoSite, fault, pick
from tests.kit.mutate.mjlog import Meld, Tag, copies, discard_tag, draw_tag, is_complete, meld
from tests.kit.mutate.turns import exhaustive, renamed

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable

    from tests.kit.mutate.mjlog import Game, Round

KUIKAE_SINCE = 2014
"""Before this year Tenhou allowed kuikae, or nobody knows (RULES.md 4.2)."""
IPPATSU, HONOURS, KINDS = 2, 27, 34
AT_LEAST_LEFT = 5


class Call(NamedTuple):
    """A call and the discard of the same seat after it: their places, the meld's code, the meld, and the seat."""

    index: int
    discard: int
    code: int
    made: Meld
    seat: int


def calls(round_: Round) -> list[Call]:
    """List chi and pon of seats whose hands no result shows, if nobody takes the discard."""
    found = []
    tags = round_.game.tags
    for index in range(round_.start + 1, round_.end - 1):
        tag, move = tags[index], tags[index + 1].move
        if not tag.is_call or tag.seat in round_.shown or move is None or move.drawn:
            continue
        code = tag.numbers("m")[0]
        made = meld(code)
        if made.shape in ("chi", "pon") and round_.after(index + 1).move:
            found.append(Call(index, index + 1, code, made, tag.seat))
    return found


def calm(round_: Round) -> bool:
    """Say whether no win depends on an interruption or on the number of draws: no ippatsu, no last tile."""
    if not round_.wins:
        return "type" not in round_.result
    drawn = sum(bool(tag.move and tag.move.drawn) for tag in round_.tags)
    yaku = {yaku for index in round_.wins for yaku in round_.game.tags[index].numbers("yaku")[::2]}
    return IPPATSU not in yaku and drawn < round_.game.table.live - AT_LEAST_LEFT


def waits(hand: Iterable[int]) -> set[int]:
    """List the kinds that complete concealed tiles, without melds; not one of which they hold four."""
    return set(_waits(tuple(sorted(tile // 4 for tile in hand))))


@cache
def _waits(kinds: tuple[int, ...]) -> frozenset[int]:
    tiles = [4 * kind for kind in kinds]
    return frozenset(
        kind for kind in range(KINDS) if kinds.count(kind) < 4 and is_complete([*tiles, 4 * kind])
    )  # fmt: skip


def ronned_kinds(round_: Round) -> set[int]:
    """List the waits of seats that win by ron: if they had passed one before, they would be furiten."""
    found: set[int] = set()
    for index in round_.wins:
        tag = round_.game.tags[index]
        if tag.attributes["who"] != tag.attributes["fromWho"]:
            found |= waits(set(tag.numbers("hai")) - set(tag.numbers("machi")))
    return found


def _renamed_discard(game: Game, rng: random.Random, sites: Iterable[tuple[Round, Call, int]]) -> int:
    """Rename the discard after a call to a tile of this kind that is not in play, in the whole round."""
    if game.year < KUIKAE_SINCE:
        raise NoSite
    places = []
    barred = {round_.nth: ronned_kinds(round_) for round_ in game.rounds}
    for round_, call, kind in sites:
        tile = game.tags[call.discard].move.tile
        free = set(round_.unused) & set(copies(kind))
        safe = calm(round_) and kind not in barred[round_.nth]
        if safe and free and tile // 4 != kind and tile // 4 not in round_.melded:
            places.append((round_, tile, min(free)))
    round_, tile, instead = pick(rng, places)
    renamed(round_, {tile: instead})
    return round_.nth


def _beyond(made: Meld) -> int | None:
    """Give the kind at the other end of a run, opposite the called tile; None if there is none."""
    lowest, called = min(made.tiles) // 4, made.taken // 4
    if made.shape != "chi":
        return None
    if called == lowest and lowest % 9 < 6:
        return lowest + 3
    return lowest - 1 if called == lowest + 2 and lowest % 9 > 0 else None


@fault("D104", "the called tile's like discarded after a chi")
def same_after_chi(game: Game, rng: random.Random) -> int:
    """Discard the called kind after a chi."""
    return _renamed_discard(game, rng, [(round_, call, call.made.taken // 4) for round_ in game.rounds
                                        for call in calls(round_) if call.made.shape == "chi"])  # fmt: skip


@fault("D104", "the fourth copy discarded after a pon")
def same_after_pon(game: Game, rng: random.Random) -> int:
    """Discard the called kind after a pon."""
    return _renamed_discard(game, rng, [(round_, call, call.made.taken // 4) for round_ in game.rounds
                                        for call in calls(round_) if call.made.shape == "pon"])  # fmt: skip


@fault("D105", "the run's other end discarded after a chi")
def suji_after_chi(game: Game, rng: random.Random) -> int:
    """Discard the tile at the run's other end after a chi."""
    sites = [(round_, call, _beyond(call.made)) for round_ in game.rounds for call in calls(round_)]
    return _renamed_discard(game, rng, [(round_, call, kind) for round_, call, kind in sites if kind is not None])


def _recode(round_: Round, old: int, new: int) -> None:
    """Replace a meld code everywhere in the round."""
    for tag in round_.tags:
        if "m" in tag:
            tag.put("m", [new if code == old else code for code in tag.numbers("m")])


def _coded(round_: Round, shape: str) -> list[tuple[int, int]]:
    """List the codes of calls of a shape, each with its caller."""
    return [
        (code, tag.seat) for tag in round_.tags
        if tag.is_call and meld(code := tag.numbers("m")[0]).shape == shape
    ]  # fmt: skip


def offset(seat: int, of: int) -> int:
    """Give the place of a seat as a meld code counts it, from 1: four to a table, even with three players."""
    return (seat - of) % 4


@fault("C101", "chi told as from another seat")
def chi_from_another(game: Game, rng: random.Random) -> int:
    """Write right or across into a chi's code."""
    round_, code = pick(rng, [(round_, code) for round_ in game.rounds for code, _ in _coded(round_, "chi")])
    _recode(round_, code, code & ~3 | pick(rng, (1, 2)))
    return round_.nth


@fault("C102", "pon told as from another seat")
def pon_from_another(game: Game, rng: random.Random) -> int:
    """Write another feeder into a pon's code; not of honours, for which a feeder may be liable."""
    sites = [
        (round_, code, other)
        for round_ in game.rounds
        for code, caller in _coded(round_, "pon")
        if min(meld(code).tiles) // 4 < HONOURS and not _added(round_, code)
        for seat in round_.seats
        if (other := offset(seat, caller)) not in (0, code & 3)
    ]
    round_, code, other = pick(rng, sites)
    _recode(round_, code, code & ~3 | other)
    return round_.nth


def _added(round_: Round, code: int) -> bool:
    """Say whether a pon becomes a kakan, whose code repeats the feeder."""
    return any(meld(other).tiles > meld(code).tiles for other, _ in _coded(round_, "kakan"))


@fault("C102", "a draw between a discard and its call")
def draw_before_call(game: Game, rng: random.Random) -> int:
    """Let the next seat draw a tile that is not in play before another seat calls the discard."""
    sites = []
    for round_ in game.rounds:
        if round_.wins and calm(round_):
            for call in calls(round_):
                before = round_.before(call.index).move
                seat = (before.seat + 1) % len(round_.seats) if before else call.seat
                if seat != call.seat and seat not in round_.shown:
                    sites.append((round_, call.index, seat))
    round_, index, seat = pick(rng, sites)
    game.tags.insert(index, draw_tag(seat, pick(rng, round_.unused), game.tags[index]))
    return round_.nth


@fault("C102", "chi says that it called another of its tiles")
def another_called(game: Game, rng: random.Random) -> int:
    """Write another place of the called tile into a chi's code."""
    round_, call = pick(
        rng, [(round_, call) for round_ in game.rounds for call in calls(round_) if call.made.shape == "chi"]
    )
    shape, place = divmod(call.code >> 10, 3)
    _recode(round_, call.code, call.code & 0x3FF | shape * 3 + pick(rng, {0, 1, 2} - {place}) << 10)
    return round_.nth


@fault("C103", "chi of three winds")
def chi_of_winds(game: Game, rng: random.Random) -> int:
    """Rename the tiles of a chi to E, S and W that are not in play."""
    sites = []
    for round_ in game.rounds:
        free = [set(round_.unused) & set(copies(HONOURS + place)) for place in range(3)]
        for call in calls(round_):
            tiles = sorted(call.made.tiles)
            if (
                calm(round_)
                and HONOURS not in ronned_kinds(round_)
                and all(free)
                and call.made.shape == "chi"
                and call.made.taken == tiles[0]
            ):
                sites.append((round_, call, tiles, [min(each) for each in free]))
    round_, call, tiles, winds = pick(rng, sites)
    renamed(round_, dict(zip(tiles, winds, strict=True)))
    copied = sum((wind % 4) << (3 + 2 * place) for place, wind in enumerate(winds))
    game.tags[call.index].put("m", [3 | 4 | copied | (21 * 3) << 10])
    return round_.nth


def _fed(round_: Round) -> list[tuple[int, int, int, list[int]]]:
    """List turns of hidden seats in riichi that could be a chi: place of the draw, seat, chi code, hand."""
    found, riichi = [], set()
    tags = round_.game.tags
    for index, tag, hands in round_.walk():
        if tag.name == "REACH" and tag.attributes["step"] == "2":
            riichi.add(tag.seat)
        move, fed = tag.move, tags[index - 1].move
        if not (move and move.drawn and move.seat in riichi - round_.shown and fed and not fed.drawn):
            continue
        thrown = tags[index + 1].move
        if thrown and thrown.tile == move.tile and round_.after(index + 1).move:
            found += [(index, move.seat, code, sorted(hands[move.seat] - meld(code).tiles))
                      for code in chi_codes(fed.tile, hands[move.seat])]  # fmt: skip
    return found


def chi_codes(called: int, hand: Iterable[int]) -> list[int]:
    """Give every chi code of a tile with two of a hand."""
    found, kind = [], called // 4
    for lowest in range(kind - 2, kind + 1):
        run = range(lowest, lowest + 3)
        if lowest < 0 or kind >= HONOURS or run[0] // 9 != run[-1] // 9:
            continue
        tiles = [called if each == kind else next((tile for tile in hand if tile // 4 == each), None) for each in run]
        if None not in tiles:
            copied = sum((tile % 4) << (3 + 2 * place) for place, tile in enumerate(tiles))
            shape = (lowest // 9 * 7 + lowest % 9) * 3 + kind - lowest
            found.append(3 | 4 | copied | shape << 10)
    return found


def kuikae(code: int) -> set[int | None]:
    """Give the kinds that cannot be discarded after a chi."""
    made = meld(code)
    return {made.taken // 4, _beyond(made)}


def called_instead(round_: Round, index: int, seat: int, code: int, thrown: int) -> None:
    """Replace a draw and its discard by a chi and a discard."""
    tags = round_.game.tags
    tags[index : index + 2] = [
        Tag("N", {"who": str(seat), "m": str(code)}, close=tags[index].close, gap=tags[index].gap),
        discard_tag(seat, thrown, tags[index + 1]),
    ]


@fault("C104", "chi by a seat in riichi")
def chi_in_riichi(game: Game, rng: random.Random) -> int:
    """Let a seat in riichi call the left neighbour's discard, in place of its turn."""
    sites = [
        (round_, index, seat, code, tile)
        for round_ in game.rounds
        if round_.wins and calm(round_) and not ronned_kinds(round_)
        for index, seat, code, hand in _fed(round_)
        for tile in hand
        if tile // 4 not in kuikae(code)
    ]
    round_, index, seat, code, tile = pick(rng, sites)
    called_instead(round_, index, seat, code, tile)
    return round_.nth


def noten(tiles: Iterable[int]) -> bool:
    """Say whether nothing completes concealed tiles, without melds."""
    return not waits(tiles)


@fault("C105", "the last discard called")
def last_called(game: Game, rng: random.Random) -> int:
    """Let the next seat, whose hand no result shows, call chi of the last discard."""
    sites = []
    for round_ in exhaustive(game):
        end = round_.results[0]
        last = game.tags[end - 1].move
        hands = next(hands for index, _, hands in round_.walk() if index == end)
        seat = (last.seat + 1) % len(round_.seats)
        if seat in round_.shown or "type" in round_.result:
            continue
        for code in chi_codes(last.tile, hands[seat]):
            rest = hands[seat] - meld(code).tiles
            sites += [(round_, end, seat, code, tile) for tile in rest
                      if tile // 4 not in kuikae(code) and noten(rest - {tile})]  # fmt: skip
    round_, end, seat, code, tile = pick(rng, sites)
    like = game.tags[end]
    game.tags[end:end] = [
        Tag("N", {"who": str(seat), "m": str(code)}, close=like.close, gap=like.gap),
        discard_tag(seat, tile, like),
    ]
    return round_.nth
