"""Faults of wins: hand, yaku, fu, value, dora, winning tile, liability (W101 to W111)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mutate.fault import NoSite, fault, pick
from mutate.mjlog import RED_IDS, SEATS, TILES, copies, discard_tag, is_complete
from mutate.points import BONUS, DORA, RED, STICK, URA, Win, all_wins, shift, wins

if TYPE_CHECKING:
    import random

    from mutate.mjlog import Game, Round

RIICHI, IPPATSU, DOUBLE_RIICHI, TANYAO = 1, 2, 21, 8
RIICHI_ONLY = {RIICHI, IPPATSU, DOUBLE_RIICHI} | BONUS
CLOSED_MORE = {23, 24, 25, 33, 34, 35}
"""Yaku worth one han more in a closed hand."""
SWAPPABLE = (8, 9, *range(10, 21), 24, 25, 28, 29)
"""Yaku that a careless writer might name instead of another."""
PAO_YAKUMAN = {39, 49}
NO_OPEN_TANYAO = 0x04


def riichi_seats(round_: Round) -> set[int]:
    """Return the seats that declare riichi."""
    return {tag.seat for tag in round_.tags if tag.name == "REACH"}


def swapped(tiles: list[int], old: int, new: int) -> list[int]:
    """Return tiles in order with one replaced."""
    return sorted([*(tile for tile in tiles if tile != old), new])


@fault("W101", "ronned discard is another tile of the discarder's hand")
def other_tile_ronned(game: Game, rng: random.Random) -> int:
    """The discard that is ronned is another of the discarder's tiles, in discard, hand and machi alike."""
    sites = []
    for win in wins(game):
        if not win.alone or win.tsumo or win.payer in riichi_seats(win.round):
            continue
        for index, tag, hands in win.round.walk():
            drew = win.round.before(index).move
            if tag.move == (move := tag.move) and move and move.tile == win.tile and not move.drawn and drew and drew.drawn:
                sites += [(win, index, tile) for tile in hands[move.seat] if not _wins_with(win, tile)]
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
    """The winning draw is a tile that nobody has, in draw, hand and machi alike."""
    sites = [
        (win, tile)
        for win in wins(game)
        if win.alone and win.tsumo
        for tile in set(TILES) - win.round.used
        if not _wins_with(win, tile)
    ]
    win, tile = pick(rng, sites)
    win.round.rename({win.tile: tile, tile: win.tile})
    return win.round.nth


@fault("W101", "winner kept another tile than the one it discarded")
def other_tile_kept(game: Game, rng: random.Random) -> int:
    """An earlier discard of the winner is a tile of its final hand, which has the discarded one instead."""
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
    """Both REACH tags are missing and no stick lies there; the win is paid as if."""
    win = pick(rng, [
        win for win in wins(game)
        if win.alone and not win.tsumo and set(win.yaku) <= RIICHI_ONLY and win.sticks and not win.yakuman
    ])  # fmt: skip
    reaches = [i for i in range(win.round.start, win.index) if game.tags[i].name == "REACH" and game.tags[i].seat == win.who]
    back = [STICK * (seat == win.who) for seat in SEATS]
    for tag in game.tags[reaches[1] : win.index + 1]:
        shift(tag, back)
    win.tag.add("ba", 1, -1)
    win.tag.add("sc", 2 * win.who + 1, -STICK)
    for index in reversed(reaches):
        del game.tags[index]
    return win.round.nth


@fault("W102", "guest wind counted as yakuhai")
def guest_wind(game: Game, rng: random.Random) -> int:
    """All tiles of a hand's only yakuhai change places with those of a wind that is none for this seat."""
    sites = [(win, kind) for win in wins(game) if win.alone and (kind := _only_yakuhai(win)) is not None]
    win, kind = pick(rng, sites)
    seat_wind = 27 + (win.who - win.round.dealer) % 4
    round_wind = 27 + win.round.init.numbers("seed")[0] // 4
    guests = {27, 28, 29, 30} - {seat_wind, round_wind}
    guest = pick(rng, sorted(guest for guest in guests if sum(tile // 4 == guest for tile in win.concealed) < 3))
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
    """The table type says that open tanyao does not count; one win rests on it alone."""
    table = int(game.first("GO").attributes["type"])
    resting = [win for win in wins(game) if win.open and TANYAO in win.yaku]
    if table & NO_OPEN_TANYAO or len(resting) != 1 or resting[0].named != [TANYAO]:
        raise NoSite
    game.first("GO").attributes["type"] = str(table | NO_OPEN_TANYAO)
    return pick(rng, resting).round.nth


def _ordinary(game: Game) -> list[Win]:
    """Return wins that list yaku with han, short of a counted yakuman and of any whose number might become one."""
    return [win for win in wins(game) if win.yaku and win.han < 12]


def _drop(game: Game, rng: random.Random) -> Win:
    win, number = pick(rng, [(win, number) for win in _ordinary(game) if len(win.named) > 1 for number in win.named])
    win.list_yaku({other: han for other, han in win.yaku.items() if other != number})
    return win


@fault("W104", "yaku dropped, value left")
def yaku_dropped(game: Game, rng: random.Random) -> int:
    """One yaku is missing from the list."""
    return _drop(game, rng).round.nth


@fault("W104", "yaku dropped and paid so")
def yaku_dropped_paid(game: Game, rng: random.Random) -> int:
    """The writer missed a yaku: value, payment and all later scores follow its list."""
    win = _drop(game, rng)
    win.revalue()
    return win.round.nth


def _foreign(win: Win, rng: random.Random) -> int:
    return pick(rng, [number for number in SWAPPABLE if number not in win.yaku])


@fault("W104", "yaku added, value left")
def yaku_added(game: Game, rng: random.Random) -> int:
    """One yaku too many is listed."""
    win = pick(rng, _ordinary(game))
    win.list_yaku({_foreign(win, rng): 1} | win.yaku)
    return win.round.nth


@fault("W104", "yaku added and paid so")
def yaku_added_paid(game: Game, rng: random.Random) -> int:
    """The writer saw a yaku that is not there, and paid it."""
    win = pick(rng, _ordinary(game))
    win.list_yaku({_foreign(win, rng): 1} | win.yaku)
    win.revalue()
    return win.round.nth


@fault("W104", "yaku named as another of as many han")
def yaku_swapped(game: Game, rng: random.Random) -> int:
    """The list names another yaku; value and payment stay right."""
    win = pick(rng, _ordinary(game))
    old, new = pick(rng, win.named), _foreign(win, rng)
    win.list_yaku({new if number == old else number: han for number, han in win.yaku.items()})
    return win.round.nth


@fault("W104", "yakuman named as another")
def yakuman_swapped(game: Game, rng: random.Random) -> int:
    """The list names another yakuman of those that cannot go together with it."""
    win = pick(rng, [win for win in wins(game) if win.yakuman])
    new = pick(rng, [number for number in (39, 40, 42, 43, 44, 45, 47, 50, 51) if number not in win.yakuman])
    win.tag.put("yakuman", [new, *win.yakuman[1:]])
    return win.round.nth


def _overcounted(game: Game, rng: random.Random) -> Win:
    win = pick(rng, _ordinary(game))
    number = pick(rng, win.named)
    win.list_yaku(win.yaku | {number: win.yaku[number] + 1})
    return win


@fault("W105", "a yaku's han one too many, value left")
def han_raised(game: Game, rng: random.Random) -> int:
    """One han too many is listed."""
    return _overcounted(game, rng).round.nth


@fault("W105", "a yaku's han one too many and paid so")
def han_raised_paid(game: Game, rng: random.Random) -> int:
    """The writer counts a yaku too high: value, payment and later scores follow."""
    win = _overcounted(game, rng)
    win.revalue()
    return win.round.nth


@fault("W105", "open hand's yaku with the han of a closed one, paid so")
def closed_han(game: Game, rng: random.Random) -> int:
    """Honitsu, sanshoku and the like keep their closed han in an open hand."""
    sites = [
        (win, number) for win in _ordinary(game) for number in CLOSED_MORE & set(win.yaku)
        if win.yaku[number] == {23: 1, 24: 1, 25: 1, 33: 2, 34: 2, 35: 5}[number]
    ]  # fmt: skip
    win, number = pick(rng, sites)
    win.list_yaku(win.yaku | {number: win.yaku[number] + 1})
    win.revalue()
    return win.round.nth


def _other_fu(win: Win, rng: random.Random) -> int:
    if win.fu == 25:
        return pick(rng, (20, 30, 50))
    return pick(rng, [fu for fu in (win.fu - 10, win.fu + 10) if 20 <= fu <= 110])


@fault("W106", "other fu, value left")
def fu_changed(game: Game, rng: random.Random) -> int:
    """The fu differ; the value is that of the right ones."""
    win = pick(rng, wins(game))
    win.tag.put("ten", [_other_fu(win, rng), win.points, win.limit])
    return win.round.nth


@fault("W106", "other fu and paid so")
def fu_changed_paid(game: Game, rng: random.Random) -> int:
    """The writer counts other fu: value, payment and later scores follow."""
    win = pick(rng, [win for win in wins(game) if win.limit == 0])
    win.revalue(_other_fu(win, rng))
    return win.round.nth


@fault("W107", "other points, paid rightly")
def points_changed(game: Game, rng: random.Random) -> int:
    """The points differ; what is paid is right."""
    win = pick(rng, wins(game))
    more = pick(rng, [more for more in (-1000, -300, -100, 100, 300, 1000, 8000) if win.points + more > 0])
    win.state(win.points + more, win.limit)
    return win.round.nth


@fault("W107", "other points, paid so")
def points_changed_paid(game: Game, rng: random.Random) -> int:
    """A ron is stated and paid at a value that fu and han do not give."""
    win = pick(rng, [win for win in wins(game) if not win.tsumo])
    points = win.points + pick(rng, [more for more in (-1000, -300, -100, 100, 300, 1000) if win.points + more > 0])
    win.state(points, win.limit)
    win.pay(win.payments(points))
    return win.round.nth


@fault("W107", "other limit")
def limit_changed(game: Game, rng: random.Random) -> int:
    """The limit is another one step away."""
    win = pick(rng, [win for win in wins(game) if not (win.limit == 1 and win.han < 5)])
    win.state(win.points, pick(rng, [limit for limit in (win.limit - 1, win.limit + 1) if 0 <= limit <= 5]))
    return win.round.nth


@fault("W107", "mangan of fewer than five han not called one")
def mangan_unnamed(game: Game, rng: random.Random) -> int:
    """A mangan by fu (40 fu 4 han and the like) has limit 0."""
    win = pick(rng, [win for win in wins(game) if win.limit == 1 and win.han < 5])
    win.state(win.points, 0)
    return win.round.nth


@fault("W107", "30 fu 4 han rounded up to mangan, paid so")
def kiriage(game: Game, rng: random.Random) -> int:
    """The writer rounds 7,700 (11,600) up, where the rules do not."""
    win = pick(rng, [win for win in wins(game) if (win.fu, win.han) in ((30, 4), (60, 3))])
    points, limit = win.value(win.fu, 5)
    win.state(points, limit)
    win.pay(win.payments(points))
    return win.round.nth


def _with_han(win: Win, number: int, han: int) -> None:
    """Write the han of one kind of dora, at its place in the list."""
    kept = win.yaku | {number: han}
    ordered = sorted(kept.items(), key=lambda pair: pair[0] if pair[0] in BONUS else -1)
    win.list_yaku({key: count for key, count in ordered if count or key == URA})


@fault("W108", "a dora too many, value left")
def dora_added(game: Game, rng: random.Random) -> int:
    """One dora too many is listed."""
    win = pick(rng, _ordinary(game))
    _with_han(win, DORA, win.yaku.get(DORA, 0) + 1)
    return win.round.nth


@fault("W108", "dora dropped and paid so")
def dora_dropped_paid(game: Game, rng: random.Random) -> int:
    """The writer misses all dora: value, payment and later scores follow."""
    win = pick(rng, [win for win in _ordinary(game) if DORA in win.yaku])
    _with_han(win, DORA, 0)
    win.revalue()
    return win.round.nth


@fault("W108", "red fives miscounted, value left")
def red_changed(game: Game, rng: random.Random) -> int:
    """One red five more or fewer is listed."""
    win = pick(rng, _ordinary(game))
    red = win.yaku.get(RED, 0)
    _with_han(win, RED, pick(rng, [red + 1, red - 1] if red else [1]))
    return win.round.nth


@fault("W108", "red fives not counted and paid so")
def red_dropped_paid(game: Game, rng: random.Random) -> int:
    """The writer knows no red fives."""
    win = pick(rng, [win for win in _ordinary(game) if RED in win.yaku])
    _with_han(win, RED, 0)
    win.revalue()
    return win.round.nth


@fault("W108", "ura dora miscounted, value left")
def ura_changed(game: Game, rng: random.Random) -> int:
    """One ura dora more or fewer is listed."""
    win = pick(rng, [win for win in _ordinary(game) if URA in win.yaku])
    ura = win.yaku[URA]
    _with_han(win, URA, pick(rng, [ura + 1, ura - 1] if ura else [1]))
    return win.round.nth


@fault("W108", "other ura indicator")
def ura_indicator(game: Game, rng: random.Random) -> int:
    """An ura indicator is a tile that makes other dora."""
    sites = []
    for win in _ordinary(game):
        for place, tile in enumerate(win.tag.numbers("doraHaiUra")):
            unused = set(TILES) - win.round.used
            sites += [(win, place, new) for new in unused if _made(win, new) != _made(win, tile)]
    win, place, new = pick(rng, sites)
    indicators = win.tag.numbers("doraHaiUra")
    indicators[place] = new
    win.tag.put("doraHaiUra", indicators)
    return win.round.nth


def _made(win: Win, indicator: int) -> int:
    """Count the concealed tiles that an indicator makes dora; a site is only where melds (ankan) are none."""
    if win.open:
        raise NoSite
    kind = indicator // 4
    if kind < 27:
        following = kind // 9 * 9 + (kind % 9 + 1) % 9
    else:
        following = 27 + (kind - 26) % 4 if kind < 31 else 31 + (kind - 30) % 3
    return sum(tile // 4 == following for tile in win.concealed)


@fault("W109", "machi is another tile of the hand")
def other_machi(game: Game, rng: random.Random) -> int:
    """The winning tile named is one that was in the hand already."""
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
    """Another seat than the discarder is named, and pays."""
    win = pick(rng, [win for win in wins(game) if not win.tsumo])
    return _fed_by(win, pick(rng, set(SEATS) - {win.who, win.payer}), win.points)


@fault("W109", "tsumo recorded as a ron")
def tsumo_as_ron(game: Game, rng: random.Random) -> int:
    """One seat is said to have fed a tsumo, and pays it all."""
    win = pick(rng, [win for win in wins(game) if win.tsumo])
    return _fed_by(win, pick(rng, set(SEATS) - {win.who}), win.points)


@fault("W109", "ron recorded as a tsumo")
def ron_as_tsumo(game: Game, rng: random.Random) -> int:
    """A ron is said to be a tsumo, and all pay."""
    win = pick(rng, [win for win in wins(game) if not win.tsumo and win.alone])
    return _fed_by(win, win.who, win.points)


def _liable(game: Game) -> list[Win]:
    """Return wins with pao that are paid as this module reckons."""
    return [win for win in all_wins(game) if win.liable is not None and win.payments(win.points, liable=win.liable) == win.changes]


def _free(game: Game) -> list[Win]:
    return [win for win in wins(game) if win.yakuman]


@fault("W111", "liable seat not named, paid rightly")
def pao_missing(game: Game, rng: random.Random) -> int:
    """The attribute is missing."""
    win = pick(rng, _liable(game))
    del win.tag.attributes["paoWho"]
    return win.round.nth


@fault("W111", "liability missed and paid so")
def pao_missing_paid(game: Game, rng: random.Random) -> int:
    """The writer knows no pao: payment as for any win."""
    win = pick(rng, _liable(game))
    changes = win.payments(win.points)
    del win.tag.attributes["paoWho"]
    win.pay(changes)
    return win.round.nth


@fault("W111", "another seat named liable, paid rightly")
def pao_elsewhere(game: Game, rng: random.Random) -> int:
    """The attribute names another seat."""
    win = pick(rng, _liable(game))
    win.tag.put("paoWho", [pick(rng, set(SEATS) - {win.who, win.liable})])
    return win.round.nth


@fault("W111", "another seat named liable, which pays")
def pao_elsewhere_paid(game: Game, rng: random.Random) -> int:
    """Another seat answers for the yakuman."""
    win = pick(rng, _liable(game))
    return _answered(win, pick(rng, set(SEATS) - {win.who, win.liable}))


@fault("W111", "liable seat named where there is none, paid rightly")
def pao_added(game: Game, rng: random.Random) -> int:
    """A yakuman without pao names a liable seat."""
    win = pick(rng, _free(game))
    win.tag.put("paoWho", [pick(rng, set(SEATS) - {win.who})])
    return win.round.nth


@fault("W111", "liability seen where there is none, paid so")
def pao_added_paid(game: Game, rng: random.Random) -> int:
    """A seat answers for a yakuman that it did not feed."""
    win = pick(rng, _free(game))
    return _answered(win, pick(rng, set(SEATS) - {win.who}))


def _answered(win: Win, liable: int) -> int:
    changes = win.payments(win.points, liable=liable)
    win.tag.put("paoWho", [liable])
    win.pay(changes)
    return win.round.nth
