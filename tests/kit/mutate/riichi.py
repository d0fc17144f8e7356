"""Faults of riichi, furiten and of several winners (R101 to R107, W103, W110)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tests.kit.mutate.calls import waits
from tests.kit.mutate.fault import NoSite, fault, pick
from tests.kit.mutate.mjlog import SLOTS, Tag, discard_tag, is_complete, meld
from tests.kit.mutate.points import STICK, Win, all_wins, carry, move, rounded, shift

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from tests.kit.mutate.mjlog import Game, Round

LEAST = 10
HEAD_BUMP = 0x2000


class Turn(NamedTuple):
    """A discard after a draw: place, seat, tile, the hand after it, and the number of tiles left."""

    round: Round
    index: int
    seat: int
    tile: int
    rest: frozenset[int]
    left: int


def turns(game: Game) -> Iterator[Turn]:
    """Yield every discard that follows a draw, in all rounds."""
    for round_ in game.rounds:
        left = game.table.live
        for index, tag, hands in round_.walk():
            if tag.is_result:
                break
            if tag.move and tag.move.drawn:
                left -= 1
            elif tag.move and (before := round_.before(index).move) and before.drawn:
                yield Turn(round_, index, tag.move.seat, tag.move.tile, hands[tag.move.seat] - {tag.move.tile}, left)


def called(round_: Round, seat: int, until: int | None = None, *, ankan: bool = False) -> bool:
    """Say whether a seat has melds before a place; ankan counts only on request."""
    calls = [tag for tag in round_.game.tags[round_.start : until or round_.end] if tag.is_call and tag.seat == seat]
    shapes = {meld(tag.numbers("m")[0]).shape for tag in calls} - {"kita"}
    return bool(shapes if ankan else shapes - {"ankan"})


def declarers(round_: Round) -> list[int]:
    """Return the seats that declare riichi, in order."""
    return [tag.seat for tag in round_.tags if tag.name == "REACH" and tag.attributes["step"] == "1"]


def points_of(round_: Round, seat: int) -> int:
    """Return the points of a seat at the start, in hundreds."""
    return round_.init.numbers("ten")[seat]


def ronned_turns(game: Game) -> list[Turn]:
    """Return the discards that are won on, by seats not in riichi, since a riichi declared with one is not paid."""
    return [
        turn
        for turn in turns(game)
        if turn.round.after(turn.index).name == "AGARI" and turn.seat not in declarers(turn.round)
    ]


def _declare(turn: Turn) -> int:
    like = turn.round.game.tags[turn.index]
    tag = Tag("REACH", {"who": str(turn.seat), "step": "1"}, like.close, like.gap)
    turn.round.game.tags.insert(turn.index, tag)
    return turn.round.nth


def _in_time(turn: Turn) -> bool:
    return turn.left >= turn.round.game.table.players and points_of(turn.round, turn.seat) >= LEAST


@fault("R101", "riichi declared with an open hand")
def open_riichi(game: Game, rng: random.Random) -> int:
    """Declare riichi with a discard of an open, tenpai hand that is won on."""
    sites = [turn for turn in ronned_turns(game) if _in_time(turn) and called(turn.round, turn.seat, turn.index)]
    return _declare(pick(rng, [turn for turn in sites if waits(turn.rest)]))


@fault("R102", "riichi declared with a noten hand")
def noten_riichi(game: Game, rng: random.Random) -> int:
    """Declare riichi with a discard of a closed hand, not tenpai, that is won on."""
    sites = [turn for turn in ronned_turns(game) if _in_time(turn) and not called(turn.round, turn.seat, turn.index)]
    return _declare(pick(rng, [turn for turn in sites if not waits(turn.rest)]))


def _locked(game: Game) -> list[Turn]:
    """Return discards of seats in riichi, after the declaring one, that nobody takes or wins."""
    found = []
    for turn in turns(game):
        reaches = [i for i in range(turn.round.start, turn.index) if game.tags[i].name == "REACH"]
        mine = [i for i in reaches if game.tags[i].seat == turn.seat]
        if not mine or turn.index <= mine[0] + 1 or not turn.round.after(turn.index).move:
            continue
        found.append(turn)
    return found


@fault("R103", "a tile of the hand discarded in riichi, the drawn one kept")
def not_drawn(game: Game, rng: random.Random) -> int:
    """Exchange a later discard of a seat in riichi that does not win with a tile of its hand."""
    sites = []
    for turn in _locked(game):
        wins = [Win(turn.round, index) for index in turn.round.wins]
        losers = wins and all(win.who != turn.seat for win in wins)
        if losers and not called(turn.round, turn.seat, ankan=True):
            sites += [(turn, tile) for tile in turn.rest if not any(_completes(win, tile) for win in wins)]
    turn, tile = pick(rng, sites)
    game.tags[turn.index] = discard_tag(turn.seat, tile, game.tags[turn.index])
    return turn.round.nth


def _completes(win: Win, tile: int) -> bool:
    """Tell whether a winner waits for this kind."""
    return is_complete([*(each for each in win.concealed if each != win.tile), tile])


@fault("R104", "riichi declared with less than 1,000 points")
def poor_riichi(game: Game, rng: random.Random) -> int:
    """Move points from the start on, so that a seat has too few when it declares riichi, and wins."""
    sites = [
        win
        for win in all_wins(game)
        if win.first and any(seat == win.who for _, seat in _reaches(win))
        and points_of(win.round, win.who) == min(points_of(round_, win.who) for round_ in game.rounds)
    ]  # fmt: skip
    win = pick(rng, sites)
    final = _final(game)
    difference = [0] * 4
    difference[win.who] = -(points_of(win.round, win.who) // LEAST * LEAST)  # in thousands, as some logs round
    difference[max(set(win.round.seats) - {win.who}, key=lambda seat: final[seat])] -= difference[win.who]
    carry(game, -1, difference, least=-LEAST)
    if (
        min(min(round_.init.numbers("ten")) for round_ in game.rounds) < 0
        or game.rounds[-1].init.numbers("seed")[0] > 7
    ):
        raise NoSite
    return win.round.nth


def _final(game: Game) -> list[int]:
    last = next(tag for tag in reversed(game.tags) if tag.is_result)
    return [int(float(text)) for text in last.attributes["owari"].split(",")[::2]]


@fault("R105", "riichi declared with too few tiles left")
def late_riichi(game: Game, rng: random.Random) -> int:
    """Declare riichi with a tenpai seat's last discard before the wall is empty; the next winner takes the stick."""
    sites = []
    for turn in turns(game):
        round_ = turn.round
        fits = (
            turn.left < game.table.players
            and not round_.wins
            and "type" not in round_.result
            and turn.seat in round_.shown
        )
        fits &= not called(round_, turn.seat) and turn.seat not in declarers(round_) and len(declarers(round_)) < 3
        if fits and points_of(round_, turn.seat) >= LEAST:
            sites.append(turn)
    turn = pick(rng, sites)
    later = [other for other in turns(game) if other.round.nth == turn.round.nth and other.index > turn.index]
    if any(other.seat == turn.seat for other in later):
        raise NoSite
    _pay(turn)
    return _declare(turn)


def _pay(turn: Turn) -> None:
    """Pay a stick after a discard of a round that nobody wins, and let the game's next winner take it."""
    game, round_ = turn.round.game, turn.round
    taker = next((Win(later, later.results[0]) for later in game.rounds[round_.nth + 1 :] if later.wins), None)
    if taker is None:
        raise NoSite
    paid = [-STICK * (seat == turn.seat) for seat in SLOTS]
    gained = [STICK * (seat == taker.who) for seat in SLOTS]
    for tag in game.tags[taker.index + 1 :]:
        shift(tag, [one + other for one, other in zip(paid, gained, strict=True)])
    _carry_final(game, taker, [one + other for one, other in zip(paid, gained, strict=True)])
    for tag in game.tags[turn.index + 1 : taker.index + 1]:
        shift(tag, paid)
        if tag.name == "INIT":
            tag.add("seed", 2, 1)
        elif tag.is_result:
            tag.add("ba", 1, 1)
    taker.tag.add("sc", 2 * taker.who + 1, STICK)
    deposits = [
        tag.seat
        for tag in game.tags[round_.start : turn.index]
        if tag.name == "REACH" and tag.attributes["step"] == "2"
    ]
    scores = [points_of(round_, seat) - STICK * (deposits.count(seat) + (seat == turn.seat)) for seat in SLOTS]
    like = game.tags[turn.index]
    game.tags.insert(turn.index + 1, _paid(game, turn.seat, scores, like))


def _paid(game: Game, seat: int, scores: list[int], like: Tag) -> Tag:
    """Write the second half of a riichi, with scores unless those of the game are without them."""
    paid = [tag for tag in game.tags if tag.name == "REACH" and tag.attributes["step"] == "2"]
    ten = {"ten": ",".join(map(str, scores))} if any("ten" in tag for tag in paid) or not paid else {}
    return Tag("REACH", {"who": str(seat), **ten, "step": "2"}, like.close, like.gap)


def _carry_final(game: Game, win: Win, difference: list[int]) -> None:
    """Add to the final scores only, like `carry`."""
    last = max(index for index, tag in enumerate(game.tags) if tag.is_result)
    if win.index > last:
        raise NoSite
    carry(game, last, difference)


@fault("R106", "riichi declared a second time")
def twice(game: Game, rng: random.Random) -> int:
    """Declare riichi again with a later discard."""
    return _declare(pick(rng, _locked(game)))


def _reaches(win: Win) -> list[tuple[int, int]]:
    """Return the places of each deposit before a win, with the seat."""
    game = win.round.game
    return [
        (index, game.tags[index].seat)
        for index in range(win.round.start, win.index)
        if game.tags[index].name == "REACH" and game.tags[index].attributes["step"] == "2"
    ]


@fault("R107", "stick not paid though the tile passed")
def unpaid(game: Game, rng: random.Random) -> int:
    """Remove a deposit; the winner gets no stick for it."""
    wins = [win for win in all_wins(game) if win.first and win.sticks]
    win, (index, seat) = pick(rng, [(win, reach) for win in wins for reach in _reaches(win)])
    _stick(win, index + 1, seat, -1)
    del game.tags[index]
    return win.round.nth


@fault("R107", "stick paid though the tile is won on")
def paid_in_vain(game: Game, rng: random.Random) -> int:
    """Pay the stick of a riichi whose discard is won; the winner takes it."""
    sites = []
    for win in all_wins(game):
        riichi = game.tags[win.index - 2]
        if win.first and not win.tsumo and riichi.name == "REACH" and riichi.attributes["step"] == "1":
            sites.append(win)
    win = pick(rng, sites)
    like = game.tags[win.index - 1]
    deposits = [seat for _, seat in _reaches(win)] + [win.payer]
    scores = [points_of(win.round, seat) - STICK * deposits.count(seat) for seat in SLOTS]
    _stick(win, win.index, win.payer, 1)
    game.tags.insert(win.index, _paid(game, win.payer, scores, like))
    return win.round.nth


def _stick(win: Win, start: int, seat: int, more: int) -> None:
    """Let a seat pay a stick more or less from a place on, which the round's first winner takes."""
    game = win.round.game
    paid = [-STICK * more * (each == seat) for each in SLOTS]
    gained = [STICK * more * (each == win.who) for each in SLOTS]
    for tag in game.tags[start : win.index + 1]:
        shift(tag, paid)
    win.tag.add("ba", 1, more)
    move(win.tag, [old + new for old, new in zip(win.changes, gained, strict=True)])
    total = [one + other for one, other in zip(paid, gained, strict=True)]
    carry(game, win.index, total)


class Passing(NamedTuple):
    """A tile that is drawn, discarded at once and taken by nobody, in a round that one seat wins by ron."""

    win: Win
    turn: Turn


def _passing(game: Game) -> list[Passing]:
    found = []
    for turn in turns(game):
        drawn = turn.round.before(turn.index).move
        if len(turn.round.wins) != 1 or not drawn or drawn.tile != turn.tile:
            continue
        win = Win(turn.round, turn.round.wins[0])
        if not win.tsumo and turn.tile != win.tile and turn.round.after(turn.index).move:
            found.append(Passing(win, turn))
    return found


def _become_a_wait(rng: random.Random, sites: list[Passing]) -> int:
    """Rename such a tile in its whole round to a tile that the winner waits for and nobody has."""
    listed = [
        (place, tile)
        for place in sites
        if place.turn.tile // 4 not in place.win.round.melded
        for tile in place.win.round.unused
        if tile // 4 not in place.win.round.melded and tile // 4 != place.turn.tile // 4 and _completes(place.win, tile)
    ]
    (win, turn), tile = pick(rng, listed)
    win.round.rename({turn.tile: tile, tile: turn.tile})
    return win.round.nth


def _own_discards(round_: Round, seat: int) -> list[int]:
    return [index for index in range(round_.start, round_.end) if (move := round_.game.tags[index].move)
            and not move.drawn and move.seat == seat]  # fmt: skip


@fault("W103", "winner discarded a tile that it waits for")
def own_discard(game: Game, rng: random.Random) -> int:
    """Make one of the winner's own discards a tile that completes its hand."""
    return _become_a_wait(rng, [place for place in _passing(game) if place.turn.seat == place.win.who])


@fault("W103", "winner let a tile pass since its last discard")
def passed(game: Game, rng: random.Random) -> int:
    """Make another seat's discard after the winner's last own one a tile that completes its hand."""
    return _become_a_wait(rng, [
        place for place in _passing(game)
        if place.turn.seat != place.win.who
        and place.turn.index > max(_own_discards(place.win.round, place.win.who), default=-1)
    ])  # fmt: skip


@fault("W103", "winner let a tile pass in riichi")
def passed_in_riichi(game: Game, rng: random.Random) -> int:
    """Make another seat's discard between the winner's riichi and its last discard a tile that it waits for."""
    sites = []
    for place in _passing(game):
        win, turn = place
        reaches = [index for index, seat in _reaches(win) if seat == win.who]
        if reaches and turn.seat != win.who and reaches[0] < turn.index < _own_discards(win.round, win.who)[-1]:
            sites.append(place)
    return _become_a_wait(rng, sites)


@fault("W110", "two winners at a table with head bump")
def head_bump(game: Game, rng: random.Random) -> int:
    """Set the lobby rule's bit for one winner in a log with one double ron, and the bit for whole final points."""
    several = [round_ for round_ in game.rounds if len(round_.wins) > 1]
    if len(several) != 1 or "csrule" in game.first("GO"):
        raise NoSite
    game.first("GO").attributes["csrule"] = f"{HEAD_BUMP | rounded(game):x}"
    return pick(rng, several).nth
