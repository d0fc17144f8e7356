"""Faults of draws: exhausted walls, tenpai, nagashi mangan, aborts, and their payments (X101 to X107, P106, P107)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.mutate.fault import NoSite, fault, pick
from tests.kit.mutate.mjlog import SLOTS, Tag, copies, is_complete, meld
from tests.kit.mutate.payments import two_ways
from tests.kit.mutate.points import Win, carry, move, rounded
from tests.kit.mutate.riichi import declarers, turns

if TYPE_CHECKING:
    import random

    from tests.kit.mutate.mjlog import Game, Round

WINDS = range(27, 31)


def walls(game: Game, kind: str | None = None) -> list[Round]:
    """Return the rounds that end with the wall: ordinary draws, or those of a type."""
    return [
        round_
        for round_ in game.rounds
        if round_.results and not round_.wins and round_.result.attributes.get("type") == kind
    ]


def _noten(round_: Round) -> list[int]:
    """Give the payments for the hands that a draw shows."""
    gain, loss = round_.game.table.noten.get(len(round_.shown), (0, 0))
    return [(gain if seat in round_.shown else loss) if seat in round_.seats else 0 for seat in SLOTS]


def _nagashi(round_: Round, owner: int) -> list[int]:
    paid = [-(40 if round_.dealer in (seat, owner) else 20) if seat in round_.seats else 0 for seat in SLOTS]
    paid[owner] = 0
    return [-sum(paid) if seat == owner else paid[seat] for seat in SLOTS]


def _changes(round_: Round) -> list[int]:
    return round_.result.numbers("sc")[1::2]


def _pay(round_: Round, changes: list[int]) -> None:
    """Write other changes at a draw, and all later scores with them."""
    carry(round_.game, round_.results[0], move(round_.result, changes))


def _hands(round_: Round) -> list[frozenset[int]]:
    """Return the concealed hands at the result."""
    return next(hands for index, _, hands in round_.walk() if index == round_.results[0])


@fault("X101", "the last turn of the wall is not played")
def turn_missing(game: Game, rng: random.Random) -> int:
    """Leave out the last draw and its discard, if that is the drawn tile."""
    sites = []
    for round_ in walls(game):
        before, draw, discard = (game.tags[round_.results[0] - back].move for back in (3, 2, 1))
        if before and draw and discard and draw.drawn and draw.tile == discard.tile:
            sites.append(round_)
    round_ = pick(rng, sites)
    del game.tags[round_.results[0] - 2 : round_.results[0]]
    return round_.nth


def _not_the_dealer(game: Game, *, shown: bool) -> list[tuple[Round, int]]:
    return [
        (round_, seat)
        for round_ in walls(game)
        for seat in round_.seats
        if seat != round_.dealer and (seat in round_.shown) == shown and _changes(round_) == _noten(round_)
    ]


@fault("X102", "a noten hand shown, and paid")
def noten_paid(game: Game, rng: random.Random) -> int:
    """Show a noten hand, not the dealer's, and pay it as tenpai."""
    round_, seat = pick(rng, _not_the_dealer(game, shown=False))
    round_.result.put(f"hai{seat}", sorted(_hands(round_)[seat]))
    _pay(round_, _noten(round_))
    return round_.nth


@fault("X102", "a noten hand shown, not paid")
def noten_shown(game: Game, rng: random.Random) -> int:
    """Show a noten hand; the changes stay right."""
    round_, seat = pick(rng, _not_the_dealer(game, shown=False))
    round_.result.put(f"hai{seat}", sorted(_hands(round_)[seat]))
    return round_.nth


@fault("X103", "a tenpai hand hidden, and not paid")
def tenpai_unpaid(game: Game, rng: random.Random) -> int:
    """Hide a tenpai hand, not the dealer's, and let it pay as noten."""
    round_, seat = pick(rng, _not_the_dealer(game, shown=True))
    del round_.result.attributes[f"hai{seat}"]
    _pay(round_, _noten(round_))
    return round_.nth


@fault("X103", "a tenpai hand hidden, and paid")
def tenpai_hidden(game: Game, rng: random.Random) -> int:
    """Hide a tenpai hand; the changes stay right."""
    round_, seat = pick(rng, _not_the_dealer(game, shown=True))
    del round_.result.attributes[f"hai{seat}"]
    return round_.nth


@fault("X104", "an abort that the lobby's rules leave out")
def abort_left_out(game: Game, rng: random.Random) -> int:
    """Set the lobby rule's bit that forbids the only abort of a log, and the bit for whole final points if they are."""
    bits = game.table.aborts
    aborted = [round_ for round_ in game.rounds if round_.result.attributes.get("type") in bits]
    if len(aborted) != 1 or "csrule" in game.first("GO"):
        raise NoSite
    bit = bits[aborted[0].result.attributes["type"]] | rounded(game)
    game.first("GO").attributes["csrule"] = f"{bit:x}"
    return pick(rng, aborted).nth


def _repeats(game: Game) -> list[Round]:
    """Return ordinary draws after which the dealer stays, without riichi, not the game's last."""
    return [
        round_ for round_ in walls(game)
        if round_.dealer in round_.shown and not declarers(round_) and "owari" not in round_.result
    ]  # fmt: skip


def abort(round_: Round, index: int, kind: str, shown: dict[int, frozenset[int]]) -> int:
    """Let a round be aborted before this place."""
    game, result = round_.game, round_.result
    before = _changes(round_)
    attributes = {"type": kind, "ba": result.attributes["ba"], "sc": result.attributes["sc"]}
    attributes |= {f"hai{seat}": ",".join(map(str, sorted(hand))) for seat, hand in shown.items()}
    abort = Tag("RYUUKYOKU", attributes, result.close, result.gap)
    move(abort, [0] * 4)
    game.tags[index : round_.results[0] + 1] = [abort]
    carry(game, index, [-change for change in before])
    return round_.nth


@fault("X105", "nine orphans declared later than in the first turn")
def late_orphans(game: Game, rng: random.Random) -> int:
    """In a round after which the dealer stays, abort in a later turn."""
    round_ = pick(rng, _repeats(game))
    turn = pick(
        rng, [turn for turn in turns(game) if turn.round.nth == round_.nth and turn.left < game.table.live - 10]
    )
    return abort(round_, turn.index, "yao9", {turn.seat: turn.rest | {turn.tile}})


def after_a_discard(game: Game, rng: random.Random) -> tuple[Round, int, list[frozenset[int]], int]:
    """Choose a place after a discard that nobody takes; give the hands there, and the seat of the discard."""
    round_ = pick(rng, _repeats(game))
    index, hands = pick(rng, [
        (index, hands) for index, tag, hands in round_.walk()
        if tag.move and tag.move.drawn and index > round_.start + 1
        and (last := game.tags[index - 1].move) and not last.drawn
    ])  # fmt: skip
    discard = game.tags[index - 1].move
    return round_, index, hands, discard.seat if discard else -1


@fault("X105", "four winds, riichi or kans that are not there")
def not_there(game: Game, rng: random.Random) -> int:
    """In a round after which the dealer stays, abort after any discard."""
    round_, index, hands, _ = after_a_discard(game, rng)
    kind = pick(rng, [kind for kind in ("kaze4", "reach4", "kan4") if kind in game.table.aborts])
    return abort(round_, index, kind, dict(enumerate(hands)) if kind == "reach4" else {})


@fault("X105", "three calls of ron by hands that do not win")
def no_calls(game: Game, rng: random.Random) -> int:
    """In a round after which the dealer stays, abort by three hands of which one is not complete."""
    round_, index, hands, source = after_a_discard(game, rng)
    tile = game.tags[index - 1].move
    others = {seat: hands[seat] for seat in round_.seats if seat != source}
    if tile and all(is_complete([*hand, tile.tile]) for hand in others.values()):
        raise NoSite
    return abort(round_, index, "ron3", others)


@fault("X106", "four first discards of one wind, and play goes on")
def winds_overrun(game: Game, rng: random.Random) -> int:
    """Exchange the first four discards with the copies of a wind, which are in losers' hands or nowhere."""
    sites = [(round_, wind, firsts) for round_ in game.rounds if (firsts := _firsts(round_)) for wind in WINDS]
    order = rng.sample(sites, len(sites))
    for round_, wind, firsts in order:
        names = _harmless(round_, wind, firsts)
        if names:
            round_.rename(names)
            return round_.nth
    raise NoSite


def _firsts(round_: Round) -> list[int]:
    """Return the tiles of the first four discards of a round that one seat wins, if nothing is called."""
    if len(round_.wins) != 1:
        return []
    tags = round_.game.tags[round_.start + 1 : round_.start + 9]
    moves = [tag.move for tag in tags]
    if len(moves) < 8 or any(move is None for move in moves) or not round_.game.tags[round_.start + 9].move:
        return []
    return [move.tile for move in moves if move and not move.drawn]


def _harmless(round_: Round, wind: int, firsts: list[int]) -> dict[int, int]:
    """Return an exchange of the first discards with a wind's copies that changes only these discards."""
    win = Win(round_, round_.wins[0])
    rest = [tile for tile in copies(wind) if tile not in firsts]
    pairs = dict(zip([tile for tile in firsts if tile // 4 != wind], rest, strict=True))
    quiet = set(round_.seats) - {win.who, win.payer} - set(declarers(round_))
    moved = {*pairs, *pairs.values()}
    if {tile // 4 for tile in moved} & round_.melded or moved & (_fixed(round_) | set(win.concealed)):
        return {}
    concealed = [tile for tile in win.concealed if tile != win.tile]
    if any(is_complete([*concealed, tile]) for tile in moved):
        return {}
    owners = {tile: _owner(round_, tile) for tile in rest}
    if any(owner is not None and owner not in quiet for owner in owners.values()):
        return {}
    return {**pairs, **{new: old for old, new in pairs.items()}}


def _fixed(round_: Round) -> set[int]:
    """Return the tiles that must not change: melded ones, indicators, ura indicators."""
    called = {tile for tag in round_.tags if tag.is_call for tile in range(136) if tile // 4 in round_.melded}
    turned = {tag.numbers("hai")[0] for tag in round_.tags if tag.name == "DORA"}
    chis = {tile for tag in round_.tags if tag.is_call for tile in _chi(tag)}
    ura = {tile for tag in round_.tags for tile in tag.numbers("doraHaiUra")}
    return called | turned | chis | ura | {round_.init.numbers("seed")[5]}


def _chi(tag: Tag) -> frozenset[int]:
    return meld(tag.numbers("m")[0]).tiles


def _owner(round_: Round, tile: int) -> int | None:
    """Return the seat that is dealt or draws a tile."""
    for seat in round_.seats:
        if tile in round_.init.numbers(f"hai{seat}"):
            return seat
    return next((tag.move.seat for tag in round_.tags if tag.move and tag.move.drawn and tag.move.tile == tile), None)


@fault("X107", "a nagashi mangan that is not called so")
def nagashi_unnamed(game: Game, rng: random.Random) -> int:
    """Pay nagashi mangan at a draw that is recorded as an ordinary one."""
    round_ = pick(rng, walls(game, "nm"))
    del round_.result.attributes["type"]
    return round_.nth


@fault("X107", "a nagashi mangan that no river makes")
def nagashi_undue(game: Game, rng: random.Random) -> int:
    """Pay a seat a mangan at an ordinary draw."""
    round_ = pick(rng, walls(game))
    round_.result.attributes = {"type": "nm", **round_.result.attributes}
    _pay(round_, _nagashi(round_, pick(rng, round_.seats)))
    return round_.nth


@two_ways("P106", "noten payments shared otherwise")
def noten_otherwise(game: Game, rng: random.Random) -> tuple[Round, int, list[int]]:
    """Move 500 or 1,000 more than is due between two seats."""
    round_ = pick(rng, [round_ for round_ in walls(game) if any(_changes(round_))])
    changes = _changes(round_)
    one, other = rng.sample(round_.seats, 2)
    more = pick(rng, (5, 10))
    changes[one] += more
    changes[other] -= more
    return round_, round_.results[0], changes


@two_ways("P106", "an abort moves points")
def abort_paid(game: Game, rng: random.Random) -> tuple[Round, int, list[int]]:
    """Let one seat pay another at an abort."""
    round_ = pick(rng, [round_ for kind in game.table.aborts for round_ in walls(game, kind)])
    changes = [0] * 4
    one, other = rng.sample(round_.seats, 2)
    changes[one], changes[other] = 10, -10
    return round_, round_.results[0], changes


@two_ways("P107", "nagashi mangan paid otherwise")
def nagashi_otherwise(game: Game, rng: random.Random) -> tuple[Round, int, list[int]]:
    """Let one seat pay 1,000 more."""
    round_ = pick(rng, walls(game, "nm"))
    changes = _changes(round_)
    owner = changes.index(max(changes))
    payer = pick(rng, set(round_.seats) - {owner})
    changes[owner] += 10
    changes[payer] -= 10
    return round_, round_.results[0], changes
