"""Faults of the winner and its hand: hand, a yaku at all, winning tile, liability (W101, W102, W109, W111)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.mutate.fault import NoSite, fault, pick
from tests.kit.mutate.mjlog import SLOTS, Move, copies, discard_tag, is_complete, meld, swapped
from tests.kit.mutate.points import BONUS, STICK, Win, all_wins, shift, wins

if TYPE_CHECKING:
    import random

    from tests.kit.mutate.mjlog import Game, Round

RIICHI, IPPATSU, DOUBLE_RIICHI, TANYAO = 1, 2, 21, 8
RIICHI_ONLY = {RIICHI, IPPATSU, DOUBLE_RIICHI} | BONUS
NO_OPEN_TANYAO = 0x04
CLOSED = {"ankan", "kita"}
"""Shapes that leave a hand closed."""


def riichi_seats(round_: Round) -> set[int]:
    """Return the seats that declare riichi."""
    return {tag.seat for tag in round_.tags if tag.name == "REACH"}


@fault("W101", "ronned discard is another tile of the discarder's hand")
def other_tile_ronned(game: Game, rng: random.Random) -> int:
    """Ron another of the discarder's tiles, in discard, hand and machi alike."""
    sites = []
    for win in wins(game):
        if not win.alone or win.tsumo or win.payer in riichi_seats(win.round):
            continue
        for index, tag, hands in win.round.walk():
            drew = win.round.before(index).move
            if tag.move == Move(win.payer, win.tile, drawn=False) and drew and drew.drawn:
                sites += [(win, index, tile) for tile in hands[win.payer] if not _wins_with(win, tile)]
    win, index, tile = pick(rng, sites)
    game.tags[index] = discard_tag(win.payer, tile, game.tags[index])
    _win_by(win, tile)
    return win.round.nth


def _wins_with(win: Win, tile: int) -> bool:
    return is_complete(swapped(win.concealed, win.tile, tile))


def _win_by(win: Win, tile: int) -> None:
    win.tag.put("hai", swapped(win.concealed, win.tile, tile))
    win.tag.put("machi", [tile])


@fault("W101", "tsumo tile is another tile of the wall")
def other_tile_drawn(game: Game, rng: random.Random) -> int:
    """Win by a tile that nobody has, in draw, hand and machi alike."""
    sites = [
        (win, tile)
        for win in wins(game)
        if win.alone and win.tsumo and win.tile // 4 not in win.round.melded
        for tile in win.round.unused
        if tile // 4 not in win.round.melded and not _wins_with(win, tile)
    ]
    win, tile = pick(rng, sites)
    win.round.rename({win.tile: tile, tile: win.tile})
    return win.round.nth


@fault("W101", "winner kept another tile than the one it discarded")
def other_tile_kept(game: Game, rng: random.Random) -> int:
    """Exchange an earlier discard of the winner with a tile of its final hand."""
    sites = []
    for win in wins(game):
        if not win.alone or win.who in riichi_seats(win.round):
            continue
        kept = set(win.concealed) - {win.tile}
        for discard in win.round.discards():
            if discard.seat == win.who:
                sites += [(win, discard, tile) for tile in kept & discard.hand]
    win, discard, tile = pick(rng, sites)
    hand = swapped(win.concealed, tile, discard.tile)
    if is_complete(hand):
        raise NoSite
    game.tags[discard.index] = discard_tag(win.who, tile, game.tags[discard.index])
    win.tag.put("hai", hand)
    return win.round.nth


@fault("W102", "riichi of a riichi-only ron never declared")
def undeclared_riichi(game: Game, rng: random.Random) -> int:
    """Remove both REACH tags and the stick; the win is still recorded and paid as riichi."""
    win = pick(rng, [
        win for win in wins(game)
        if win.alone and not win.tsumo and set(win.yaku) <= RIICHI_ONLY and win.sticks and not win.yakuman
    ])  # fmt: skip
    reaches = [
        i for i in range(win.round.start, win.index) if game.tags[i].name == "REACH" and game.tags[i].seat == win.who
    ]
    back = [STICK * (seat == win.who) for seat in SLOTS]
    for tag in game.tags[reaches[1] : win.index + 1]:
        shift(tag, back)
    win.tag.add("ba", 1, -1)
    win.tag.add("sc", 2 * win.who + 1, -STICK)
    for index in reversed(reaches):
        del game.tags[index]
    return win.round.nth


@fault("W102", "guest wind counted as yakuhai")
def guest_wind(game: Game, rng: random.Random) -> int:
    """Exchange a hand's only yakuhai, all four tiles, with a wind that is no yakuhai for this seat."""
    sites = [(win, kind) for win in wins(game) if win.alone and (kind := _only_yakuhai(win)) is not None]
    win, kind = pick(rng, sites)
    seat_wind = 27 + (win.who - win.round.dealer) % win.players
    round_wind = 27 + win.round.init.numbers("seed")[0] // 4
    guests = set(range(27, 27 + win.players)) - {seat_wind, round_wind}
    held = [*win.concealed, *(tile for code in win.tag.numbers("m") for tile in meld(code).tiles)]
    guest = pick(rng, sorted(guest for guest in guests if sum(tile // 4 == guest for tile in held) < 3))
    names = dict(zip([*copies(kind), *copies(guest)], [*copies(guest), *copies(kind)], strict=True))
    win.round.rename(names)
    return win.round.nth


def _only_yakuhai(win: Win) -> int | None:
    """Return the kind of tile of the hand's only yaku, if that is one yakuhai."""
    if len(win.named) != 1 or not 10 <= win.named[0] <= 20:
        return None
    number = win.named[0]
    return 31 + number - 18 if number >= 18 else 27 + (number - 10) % 4


@fault("W102", "open tanyao at a table without it")
def forbidden_tanyao(game: Game, rng: random.Random) -> int:
    """Set the table type's bit that forbids open tanyao, the only yaku of one win."""
    table = int(game.first("GO").attributes["type"])
    opened = [win for win in wins(game) if any(meld(code).shape not in CLOSED for code in win.tag.numbers("m"))]
    resting = [win for win in opened if TANYAO in win.yaku]
    if table & NO_OPEN_TANYAO or len(resting) != 1 or resting[0].named != [TANYAO]:
        raise NoSite
    game.first("GO").attributes["type"] = str(table | NO_OPEN_TANYAO)
    return pick(rng, resting).round.nth


@fault("W109", "machi is another tile of the hand")
def other_machi(game: Game, rng: random.Random) -> int:
    """Name a winning tile that was already in the hand."""
    win = pick(rng, wins(game))
    win.tag.put("machi", [pick(rng, [tile for tile in win.concealed if tile != win.tile])])
    return win.round.nth


def _fed_by(win: Win, payer: int, points: int) -> int:
    changes = win.payments(points, payer=payer)
    win.tag.put("fromWho", [payer])
    win.pay(changes)
    return win.round.nth


@fault("W109", "ron from another seat, which pays")
def other_payer(game: Game, rng: random.Random) -> int:
    """Name another seat than the discarder, and let it pay."""
    win = pick(rng, [win for win in wins(game) if not win.tsumo])
    return _fed_by(win, pick(rng, set(win.round.seats) - {win.who, win.payer}), win.points)


@fault("W109", "tsumo recorded as a ron")
def tsumo_as_ron(game: Game, rng: random.Random) -> int:
    """Say that a seat fed a tsumo, and let it pay all."""
    win = pick(rng, [win for win in wins(game) if win.tsumo])
    return _fed_by(win, pick(rng, set(win.round.seats) - {win.who}), win.points)


@fault("W109", "ron recorded as a tsumo")
def ron_as_tsumo(game: Game, rng: random.Random) -> int:
    """Say that a ron was a tsumo, and let all pay."""
    win = pick(rng, [win for win in wins(game) if not win.tsumo and win.alone])
    return _fed_by(win, win.who, win.points)


def _liable(game: Game) -> list[Win]:
    """Return wins with pao whose recorded payments this module computes."""
    return [
        win
        for win in all_wins(game)
        if win.liable is not None and win.payments(win.points, liable=win.liable) == win.changes
    ]


def _free(game: Game) -> list[Win]:
    return [win for win in wins(game) if win.yakuman]


@fault("W111", "liable seat not named, paid rightly")
def pao_missing(game: Game, rng: random.Random) -> int:
    """Remove the attribute."""
    win = pick(rng, _liable(game))
    del win.tag.attributes["paoWho"]
    return win.round.nth


@fault("W111", "liability missed and paid so")
def pao_missing_paid(game: Game, rng: random.Random) -> int:
    """Ignore pao: payment as for any win."""
    win = pick(rng, _liable(game))
    changes = win.payments(win.points)
    del win.tag.attributes["paoWho"]
    win.pay(changes)
    return win.round.nth


@fault("W111", "another seat named liable, paid rightly")
def pao_elsewhere(game: Game, rng: random.Random) -> int:
    """Name another seat."""
    win = pick(rng, _liable(game))
    win.tag.put("paoWho", [pick(rng, set(win.round.seats) - {win.who, win.liable})])
    return win.round.nth


@fault("W111", "another seat named liable, which pays")
def pao_elsewhere_paid(game: Game, rng: random.Random) -> int:
    """Make another seat liable for the yakuman, and let it pay."""
    win = pick(rng, _liable(game))
    return _answered(win, pick(rng, set(win.round.seats) - {win.who, win.liable}))


@fault("W111", "liable seat named where there is none, paid rightly")
def pao_added(game: Game, rng: random.Random) -> int:
    """Name a liable seat for a yakuman without pao."""
    win = pick(rng, _free(game))
    win.tag.put("paoWho", [pick(rng, set(win.round.seats) - {win.who})])
    return win.round.nth


@fault("W111", "liability seen where there is none, paid so")
def pao_added_paid(game: Game, rng: random.Random) -> int:
    """Make a seat liable for a yakuman that it did not feed, and let it pay."""
    win = pick(rng, _free(game))
    return _answered(win, pick(rng, set(win.round.seats) - {win.who}))


def _answered(win: Win, liable: int) -> int:
    changes = win.payments(win.points, liable=liable)
    win.tag.put("paoWho", [liable])
    win.pay(changes)
    return win.round.nth
