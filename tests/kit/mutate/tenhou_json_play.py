"""Faults of deals, takes, discards and indicators in Tenhou's JSON, and of its text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.kit.mutate.fault import pick, spoiled
from tests.kit.mutate.tenhou_json import TILES, kind, tiles_of

if TYPE_CHECKING:
    import random

    from tests.kit.mutate.tenhou_json import Round, TenhouJson

UNREADABLE = (
    0, 7, 40, 48, 54, 99, -11, None, True, 1.5, [], [11], {}, "", "x", "11x", "pp111111", "p1111", "c112131415",
)  # fmt: skip


def draws(game: TenhouJson) -> list[tuple[Round, int, int]]:
    """List round, seat and place of each drawn tile that is discarded at once, by a seat that does not win."""
    return [
        (each, seat, place)
        for each in game.rounds
        for seat in range(4)
        if seat not in {detail[0] for _, detail in each.wins} | {each.last_seat}
        for place, entry in enumerate(each.discards(seat)[:-1])
        if entry == 60
    ]


def from_hand(game: TenhouJson) -> list[tuple[Round, int, int]]:
    """List round, seat and place of each discard from the hand whose tile nobody calls, of a seat without riichi."""
    return [
        (each, seat, place)
        for each in game.rounds
        for seat in range(4)
        if seat not in each.riichi and seat != each.last_seat and seat not in {detail[0] for _, detail in each.wins}
        for place, entry in enumerate(each.discards(seat)[1:-1], 1)
        if isinstance(entry, int) and 10 < entry < 60 and entry not in each.called()
    ]


@spoiled("T101", "a fifth copy is drawn")
def fifth_copy(game: TenhouJson, rng: random.Random) -> int:
    """Let a seat draw, and discard at once, a tile of which four are seen."""
    each, seat, place, tile = pick(rng, [
        (each, seat, place, tile)
        for each, seat, place in draws(game)
        for tile, count in each.seen().items()
        if count == 4 and tile != kind(each.takes(seat)[place]) and place > 6 and seat not in each.riichi
        and not {tile, kind(each.takes(seat)[place])} & each.called() and tile < 40 and not each.wins
    ])  # fmt: skip
    each.takes(seat)[place] = tile
    return each.nth


@spoiled("T102", "a discard of a tile that the seat never has")
def tile_not_held(game: TenhouJson, rng: random.Random) -> int:
    """Discard another tile from the hand."""
    each, seat, place, tile = pick(rng, [
        (each, seat, place, tile)
        for each, seat, place in from_hand(game)
        for tile in TILES
        if tile not in {kind(held) for held in each.held(seat)} and tile not in each.called()
    ])  # fmt: skip
    each.discards(seat)[place] = tile
    return each.nth


@spoiled("T103", "a tile missing from a deal", also=("T102", "K101", "K103"))
def dealt_too_few(game: TenhouJson, rng: random.Random) -> int:
    """Leave out a tile of a deal."""
    each = pick(rng, [each for each in game.rounds if not each.wins and len(each.takes(0)) > 8])
    each.deal(pick(rng, range(4))).pop()
    return each.nth


@spoiled("C103", "a chi of tiles that are no run", also=("T102",))
def no_run(game: TenhouJson, rng: random.Random) -> int:
    """Write a chi with another second tile."""
    each, entries, place = pick(rng, [
        (each, entries, place) for each in game.rounds for _, entries, place in each.calls("c")
    ])  # fmt: skip
    own = entries[place][3:5]
    entries[place] = f"{entries[place][:3]}{pick(rng, [tile for tile in (11, 19, 22, 29, 33) if str(tile) != own])}41"
    return each.nth


@spoiled("C102", "a pon of another tile than was discarded", also=("T102", "K102"))
def pon_of_another_tile(game: TenhouJson, rng: random.Random) -> int:
    """Write a pon of another kind, which the seat does not have."""
    each, seat, entries, place = pick(rng, [
        (each, seat, entries, place) for each in game.rounds for seat, entries, place in each.calls("p")
    ])  # fmt: skip
    at = entries[place].index("p")
    free = [tile for tile in TILES if tile not in {kind(held) for held in each.held(seat)}]
    tile = str(pick(rng, free))
    entries[place] = tile * (at // 2) + "p" + tile * (3 - at // 2)
    return each.nth


@spoiled("K101", "a concealed kan with a tile that the seat does not have", also=("T102", "C103"))
def ankan_of_others(game: TenhouJson, rng: random.Random) -> int:
    """Write a concealed kan of another kind."""
    each, seat, entries, place = pick(rng, [
        (each, seat, entries, place) for each in game.rounds for seat, entries, place in each.calls("a")
    ])  # fmt: skip
    tile = str(pick(rng, [tile for tile in TILES if tile not in {kind(held) for held in each.held(seat)}]))
    entries[place] = f"{tile * 3}a{tile}"
    return each.nth


@spoiled("K112", "an indicator missing")
def indicator_missing(game: TenhouJson, rng: random.Random) -> int:
    """Leave out the last indicator of a round with a kan, in which nobody wins."""
    each = pick(rng, [each for each in game.rounds if len(each.value[2]) > 1 and not each.wins])
    each.value[2].pop()
    return each.nth


@spoiled("K112", "an indicator too many")
def indicator_extra(game: TenhouJson, rng: random.Random) -> int:
    """Turn an indicator without a kan, in a round that nobody wins."""
    each = pick(rng, [each for each in game.rounds if len(each.value[2]) < 5 and not each.wins])
    each.value[2].append(pick(rng, [tile for tile in TILES if each.seen()[tile] < 3]))
    return each.nth


@spoiled("D103", "a drawn tile marked as from the hand, in riichi", also=("R103",))
def not_as_drawn(game: TenhouJson, rng: random.Random) -> int:
    """Write the drawn tile in place of 60, of a kind that the seat has not in its hand."""
    sites = []
    for each in game.rounds:
        for seat in each.riichi:
            begin = next(at for at, entry in enumerate(each.discards(seat)) if str(entry).startswith("r"))
            for place, entry in enumerate(each.discards(seat)):
                tile = each.takes(seat)[place]
                before = [*each.deal(seat), *(tile for entry in each.takes(seat)[:place] for tile in tiles_of(entry))]
                if place > begin and entry == 60 and kind(tile) not in set(map(kind, before)):
                    sites.append((each, seat, place))
    each, seat, place = pick(rng, sites)
    each.discards(seat)[place] = each.takes(seat)[place]
    return each.nth


OF_RIICHI = ("R102", "R103", "R104", "R105", "C104", "K107", "P104", "P105", "W103", "G103", "G106")


@spoiled("R101", "riichi with an open hand", also=OF_RIICHI)
def riichi_open(game: TenhouJson, rng: random.Random) -> int:
    """Mark a discard as riichi after a call."""
    sites = []
    for each in game.rounds:
        for seat in set(range(4)) - each.riichi - {each.last_seat}:
            called = [at for at, entry in enumerate(each.takes(seat)) if isinstance(entry, str)]
            sites += [
                (each, seat, place)
                for place, entry in enumerate(each.discards(seat)[:-1])
                if called and place > called[0] and isinstance(entry, int) and entry
            ]
    each, seat, place = pick(rng, sites)
    each.discards(seat)[place] = f"r{each.discards(seat)[place]}"
    return each.nth


@spoiled("L004", "a take left out")
def take_missing(game: TenhouJson, rng: random.Random) -> int:
    """Leave out a take."""
    each, seat = pick(rng, [(each, seat) for each in game.rounds for seat in range(4) if len(each.takes(seat)) > 2])
    each.takes(seat).pop(pick(rng, range(len(each.takes(seat)))))
    return each.nth


@spoiled("L004", "a take told twice", also=("T101", "D102"))
def take_again(game: TenhouJson, rng: random.Random) -> int:
    """Write a take twice."""
    each, seat = pick(rng, [(each, seat) for each in game.rounds for seat in range(4) if len(each.takes(seat)) > 2])
    place = pick(rng, range(len(each.takes(seat))))
    each.takes(seat).insert(place, each.takes(seat)[place])
    return each.nth


@spoiled("L004", "a discard left out")
def discard_missing(game: TenhouJson, rng: random.Random) -> int:
    """Leave out a discard of a seat that does not act last."""
    each, seat = pick(rng, [
        (each, seat) for each in game.rounds for seat in range(4)
        if len(each.takes(seat)) == len(each.discards(seat)) > 2 and seat not in {detail[1] for _, detail in each.wins}
        and (each.wins or len(each.takes(seat)) < max(len(each.takes(other)) for other in range(4)))
    ])  # fmt: skip
    each.discards(seat).pop(pick(rng, range(len(each.discards(seat)))))
    return each.nth


@spoiled("L004", "a discard told twice")
def discard_again(game: TenhouJson, rng: random.Random) -> int:
    """Write a discard twice."""
    each, seat = pick(rng, [
        (each, seat) for each in game.rounds for seat in range(4)
        if len(each.takes(seat)) == len(each.discards(seat)) > 2
    ])  # fmt: skip
    place = pick(rng, range(len(each.discards(seat))))
    each.discards(seat).insert(place, each.discards(seat)[place])
    return each.nth


@spoiled("L003", "a take that is none")
def bad_take(game: TenhouJson, rng: random.Random) -> int:
    """Write something else in place of a take."""
    each, seat = pick(rng, [(each, seat) for each in game.rounds for seat in range(4) if each.takes(seat)])
    each.takes(seat)[pick(rng, range(len(each.takes(seat))))] = pick(rng, UNREADABLE)
    return each.nth


@spoiled("L003", "a discard that is none")
def bad_discard(game: TenhouJson, rng: random.Random) -> int:
    """Write something else in place of a discard."""
    each, seat = pick(rng, [
        (each, seat) for each in game.rounds for seat in range(4)
        if each.discards(seat) and not any("m" in str(take) for take in each.takes(seat))
    ])  # fmt: skip
    each.discards(seat)[pick(rng, range(len(each.discards(seat))))] = pick(rng, UNREADABLE)
    return each.nth


@spoiled("L003", "a deal with a number that is no tile")
def bad_deal(game: TenhouJson, rng: random.Random) -> int:
    """Write an impossible tile into a deal."""
    each = pick(rng, game.rounds)
    each.deal(pick(rng, range(4)))[pick(rng, range(13))] = pick(rng, (0, 10, 20, 48, 60, None, "x", [], "11"))
    return each.nth


@spoiled("L003", "indicators that are no tiles")
def bad_indicator(game: TenhouJson, rng: random.Random) -> int:
    """Write an impossible tile in place of an indicator."""
    each = pick(rng, game.rounds)
    each.value[2][-1] = pick(rng, (0, 10, 48, 60, None, "11", [11]))
    return each.nth


@spoiled("L003", "a round with a list too many or too few")
def other_lists(game: TenhouJson, rng: random.Random) -> int:
    """Add or leave out a list."""
    each = pick(rng, game.rounds)
    if rng.random() < 0.5:
        each.value.insert(pick(rng, range(17)), [])
    else:
        each.value.pop(pick(rng, range(17)))
    return each.nth


@spoiled("L003", "counters that cannot be")
def bad_counters(game: TenhouJson, rng: random.Random) -> int:
    """Write impossible counters."""
    each = pick(rng, game.rounds)
    each.value[0] = pick(rng, ([], [0, 0], [0] * 4, [16, 0, 0], [-1, 0, 0], ["0", 0, 0], [None, 0, 0], [0.5, 0, 0]))
    return each.nth


@spoiled("L003", "scores that cannot be")
def bad_scores(game: TenhouJson, rng: random.Random) -> int:
    """Write impossible scores."""
    each = pick(rng, game.rounds)
    each.value[1] = pick(rng, ([], each.value[1][:3], [*each.value[1], 0], ["a"] * 4, [25000.5] * 4, [10**9] * 4))
    return each.nth


@spoiled("L002", "the text breaks off")
def cut(game: TenhouJson, rng: random.Random) -> None:
    """Cut the text behind the first round."""
    text = game.encode().decode()
    begin = text.index(json.dumps(game.record["log"][0][0], separators=(",", ":"))) + 20
    game.raw = text[: pick(rng, range(begin, len(text) - 1))].encode()
