"""Faults of tiles: copies, possession, shown hands (T101, T102, T105)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tests.kit.mutate.fault import fault, pick
from tests.kit.mutate.mjlog import RED_IDS, Move, copies, discard_tag, meld, swapped
from tests.kit.mutate.points import all_wins

if TYPE_CHECKING:
    import random

    from tests.kit.mutate.mjlog import Game, Round, Tag


def _arrivals(round_: Round) -> set[int]:
    """Return the tiles dealt and drawn."""
    dealt = {tile for seat in round_.seats for tile in round_.init.numbers(f"hai{seat}")}
    return dealt | {tag.move.tile for tag in round_.tags if tag.move and tag.move.drawn}


def _indicators(round_: Round) -> set[int]:
    """Return the indicators turned up during play."""
    turned = {tag.numbers("hai")[0] for tag in round_.tags if tag.name == "DORA"}
    return turned | {round_.init.numbers("seed")[5]}


def _twice(round_: Round, tile: int, twin: int) -> int:
    round_.rename({tile: twin})
    return round_.nth


@fault("T101", "one physical tile twice: another copy of its kind")
def same_kind_twice(game: Game, rng: random.Random) -> int:
    """Give a tile the id of another copy in play in the whole round, melds and shown hands included."""
    round_ = pick(rng, game.rounds)
    tiles = {tile for tile in _arrivals(round_) if tile // 4 not in round_.melded} - RED_IDS
    return _twice(round_, *pick(rng, [(tile, twin) for tile in tiles for twin in copies(tile // 4)
                                      if twin != tile and twin in tiles]))  # fmt: skip


@fault("T101", "one physical tile twice: the indicator is in a hand")
def indicator_twice(game: Game, rng: random.Random) -> int:
    """Give a tile the id of a dora indicator of its kind, in the whole round."""
    sites = [
        (round_, tile, twin)
        for round_ in game.rounds
        for twin in _indicators(round_) - RED_IDS
        if twin // 4 not in round_.melded
        for tile in (set(copies(twin // 4)) & _arrivals(round_)) - RED_IDS - {twin}
    ]
    return _twice(*pick(rng, sites))


@fault("T101", "one physical tile twice: drawn and discarded as another")
def other_kind_twice(game: Game, rng: random.Random) -> int:
    """Give a tile that is drawn and discarded at once the id of one in play."""
    sites = [
        (round_, discard)
        for round_ in game.rounds
        for discard in round_.discards()
        if game.tags[discard.index - 1].move == Move(discard.seat, discard.tile, drawn=True)
    ]
    round_, discard = pick(rng, sites)
    twin = pick(rng, _arrivals(round_) - {discard.tile})
    for index in (discard.index - 1, discard.index):
        _rename_move(game.tags[index], twin)
    return round_.nth


def _rename_move(tag: Tag, tile: int) -> None:
    tag.name = f"{tag.name[0]}{tile}"


def _rivers(game: Game) -> list[Round]:
    """List the rounds whose result does not depend on what is in the rivers: no nagashi mangan."""
    return [round_ for round_ in game.rounds if round_.result.attributes.get("type") != "nm"]


@fault("T102", "two seats' discards changed for each other")
def discards_exchanged(game: Game, rng: random.Random) -> int:
    """Exchange the ids of two seats' discards."""
    round_ = pick(rng, _rivers(game))
    discards = round_.discards()
    one, other = pick(rng, [(a, b) for a in discards for b in discards if a.seat < b.seat])
    game.tags[one.index] = discard_tag(one.seat, other.tile, game.tags[one.index])
    game.tags[other.index] = discard_tag(other.seat, one.tile, game.tags[other.index])
    return round_.nth


@fault("T102", "tile discarded before it is drawn")
def discarded_early(game: Game, rng: random.Random) -> int:
    """Exchange two discards of a seat, the later one drawn after the earlier."""
    round_ = pick(rng, _rivers(game))
    discards = round_.discards()
    early, late = pick(rng, [(a, b) for a in discards for b in discards
                             if a.seat == b.seat and a.index < b.index and b.tile not in a.hand])  # fmt: skip
    game.tags[early.index] = discard_tag(early.seat, late.tile, game.tags[early.index])
    game.tags[late.index] = discard_tag(early.seat, early.tile, game.tags[late.index])
    return round_.nth


@fault("T102", "tile discarded a second time")
def discarded_again(game: Game, rng: random.Random) -> int:
    """Replace a discard by one that the seat has made before."""
    round_ = pick(rng, _rivers(game))
    discards = round_.discards()
    early, late = pick(rng, [(a, b) for a in discards for b in discards if a.seat == b.seat and a.index < b.index])
    game.tags[late.index] = discard_tag(late.seat, early.tile, game.tags[late.index])
    return round_.nth


@fault("T102", "tile discarded that nobody has")
def discarded_from_nowhere(game: Game, rng: random.Random) -> int:
    """Replace a discard by a tile that is not in play."""
    round_ = pick(rng, _rivers(game))
    discard = pick(rng, round_.discards())
    tile = pick(rng, round_.unused)
    game.tags[discard.index] = discard_tag(discard.seat, tile, game.tags[discard.index])
    return round_.nth


class Chi(NamedTuple):
    """A chi code with another copy of one tile, and that tile."""

    code: int
    old: int
    new: int


def _other_copies(code: int) -> list[Chi]:
    """Return the codes that differ from a chi's in one copy from the caller's hand."""
    made = meld(code)
    if made.shape != "chi":
        return []
    found = []
    for place, tile in enumerate(sorted(made.tiles)):
        rest = code & ~(3 << (3 + 2 * place))
        found += [Chi(rest | (copy & 3) << (3 + 2 * place), tile, copy) for copy in copies(tile // 4)
                  if tile in made.from_hand and copy != tile]  # fmt: skip
    return found


@fault("T102", "chi with a copy that the caller does not hold")
def called_with_foreign(game: Game, rng: random.Random) -> int:
    """Name another copy of a chi's tile, in the call and in the winner's melds alike."""
    sites = [
        (round_, index, chi)
        for round_ in game.rounds
        for index, tag, hands in round_.walk()
        if tag.is_call
        for chi in _other_copies(tag.numbers("m")[0])
        if chi.new not in hands[tag.seat]
    ]
    round_, index, chi = pick(rng, sites)
    old = game.tags[index].numbers("m")[0]
    for tag in game.tags[index : round_.end]:
        if "m" in tag:
            tag.put("m", [chi.code if code == old else code for code in tag.numbers("m")])
    return round_.nth


@fault("T105", "one tile of the winner's hand is another")
def won_hand_altered(game: Game, rng: random.Random) -> int:
    """Replace a tile of AGARI hai, not the winning one, by one that is not in play."""
    win = pick(rng, all_wins(game))
    old = pick(rng, [tile for tile in win.concealed if tile != win.tile])
    win.tag.put("hai", swapped(win.concealed, old, pick(rng, win.round.unused)))
    return win.round.nth


@fault("T105", "winner's hand without the winning tile")
def won_hand_short(game: Game, rng: random.Random) -> int:
    """Show the hand without the tile of the ron."""
    win = pick(rng, [win for win in all_wins(game) if not win.tsumo])
    win.tag.put("hai", [tile for tile in win.concealed if tile != win.tile])
    return win.round.nth


@fault("T105", "one tile of a hand shown at a draw is another")
def shown_hand_altered(game: Game, rng: random.Random) -> int:
    """Replace a tile of a shown tenpai hand by one that is not in play."""
    sites = [(round_, seat) for round_ in game.rounds if not round_.wins for seat in round_.shown]
    round_, seat = pick(rng, sites)
    hand = round_.result.numbers(f"hai{seat}")
    round_.result.put(f"hai{seat}", swapped(hand, pick(rng, hand), pick(rng, round_.unused)))
    return round_.nth


@fault("T105", "hands shown at a draw change places")
def shown_hands_exchanged(game: Game, rng: random.Random) -> int:
    """Exchange the hands of two tenpai seats."""
    sites = [
        (round_, a, b) for round_ in game.rounds if not round_.wins for a in round_.shown for b in round_.shown if a < b
    ]
    round_, one, other = pick(rng, sites)
    shown = round_.result.attributes
    shown[f"hai{one}"], shown[f"hai{other}"] = shown[f"hai{other}"], shown[f"hai{one}"]
    return round_.nth


@fault("T105", "a meld missing from the winner's")
def meld_dropped(game: Game, rng: random.Random) -> int:
    """Remove one meld code of AGARI; with the last one, the attribute."""
    win = pick(rng, [win for win in all_wins(game) if win.open])
    codes = win.tag.numbers("m")
    codes.remove(pick(rng, [code for code in codes if meld(code).shape != "kita"]))
    win.tag.put("m", codes)
    if not codes:
        del win.tag.attributes["m"]
    return win.round.nth


@fault("T105", "a meld of the winner has another copy of a tile")
def meld_altered(game: Game, rng: random.Random) -> int:
    """Name another copy in a chi of AGARI."""
    sites = [(win, code, chi) for win in all_wins(game) for code in win.tag.numbers("m") for chi in _other_copies(code)]
    win, old, chi = pick(rng, sites)
    win.tag.put("m", [chi.code if code == old else code for code in win.tag.numbers("m")])
    return win.round.nth


@fault("T105", "a kakan of the winner still told as the pon")
def kakan_as_pon(game: Game, rng: random.Random) -> int:
    """Write the pon instead of the kakan in AGARI."""
    sites = [(win, code) for win in all_wins(game) for code in win.tag.numbers("m") if meld(code).shape == "kakan"]
    win, old = pick(rng, sites)
    win.tag.put("m", [code ^ 0x18 if code == old else code for code in win.tag.numbers("m")])
    return win.round.nth
