"""Faults of single tags and their order (L003, L004, T103, D101), and of the kind of table (L006)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.mutate.fault import NoSite, fault, pick
from tests.kit.mutate.mjlog import DISCARDS, DRAWS, Tag, draw_tag
from tests.kit.mutate.table import BIT

if TYPE_CHECKING:
    import random

    from tests.kit.mutate.mjlog import Game, Round


def _spot(game: Game, rng: random.Random) -> tuple[Round, int]:
    """Draw a place before a draw or discard."""
    round_ = pick(rng, game.rounds)
    return round_, pick(rng, [index for index in range(round_.start + 1, round_.end) if game.tags[index].move])


@fault("L003", "unknown tag")
def unknown_tag(game: Game, rng: random.Random) -> int:
    """Insert a tag of the live protocol, or one that does not exist in any version."""
    round_, index = _spot(game, rng)
    tag = pick(
        rng, (Tag("CHAT", {"text": "hello"}), Tag("FURITEN", {"show": "1"}), Tag("X12"), Tag("HAND"), Tag("g12"))
    )
    game.tags.insert(index, tag)
    return round_.nth


@fault("L003", "unknown attribute")
def unknown_attribute(game: Game, rng: random.Random) -> int:
    """Add an attribute that the tag never has."""
    round_ = pick(rng, game.rounds)
    tag = pick(rng, [tag for tag in round_.tags if tag.attributes and tag.name not in ("UN", "BYE", "/mjloggm")])
    tag.attributes[pick(rng, ("foo", "Who", "hai4", "time"))] = "1"
    return round_.nth


@fault("L003", "tile number 136 or more drawn and discarded")
def tile_beyond(game: Game, rng: random.Random) -> int:
    """Give a tile that is drawn and discarded at once a number beyond the set."""
    sites = [
        (round_, discard.index) for round_ in game.rounds for discard in round_.discards()
        if (drawn := game.tags[discard.index - 1].move) and drawn.drawn and drawn.tile == discard.tile
    ]  # fmt: skip
    round_, index = pick(rng, sites)
    number = pick(rng, (136, 137, 255, 999))
    for tag in game.tags[index - 1 : index + 1]:
        tag.name = f"{tag.name[0]}{number}"
    return round_.nth


@fault("L003", "tile number 136 or more in one tag")
def one_tile_beyond(game: Game, rng: random.Random) -> int:
    """Give one draw or discard of a tile that no result shows a number beyond the set."""
    round_ = pick(rng, game.rounds)
    discard = pick(rng, [discard for discard in round_.discards() if discard.seat not in round_.shown])
    tag = game.tags[discard.index]
    tag.name = f"{tag.name[0]}{pick(rng, (136, 140, 400))}"
    return round_.nth


@fault("L003", "five scores at the start of a round")
def five_scores(game: Game, rng: random.Random) -> int:
    """Write five numbers in INIT ten."""
    round_ = pick(rng, game.rounds)
    round_.init.put("ten", [*round_.init.numbers("ten"), 0])
    return round_.nth


@fault("L003", "fu, points and limit are two or four numbers")
def value_miscounted(game: Game, rng: random.Random) -> int:
    """Write two or four numbers in AGARI ten."""
    round_ = pick(rng, [round_ for round_ in game.rounds if round_.wins])
    ten = round_.result.numbers("ten")
    round_.result.put("ten", pick(rng, (ten[:2], [*ten, 0])))
    return round_.nth


@fault("L003", "sixteen numbers in sc")
def sixteen_scores(game: Game, rng: random.Random) -> int:
    """Write chips into the scores of a game without chips."""
    round_ = pick(rng, game.rounds)
    round_.result.put("sc", [*round_.result.numbers("sc"), *[0] * 8])
    return round_.nth


_NO_NUMBERS = ("NaN", "", "1,2,x,4", "undefined", "250,0,250,0,250.5,0,250,0")


@fault("L003", "letters where numbers belong")
def not_numbers(game: Game, rng: random.Random) -> int:
    """Write words into an attribute of numbers."""
    round_ = pick(rng, game.rounds)
    tag, name = pick(rng, [(round_.init, "ten"), (round_.result, "sc"), (round_.result, "ba")])
    tag.attributes[name] = pick(rng, _NO_NUMBERS)
    return round_.nth


@fault("L003", "letters where a round's numbers belong")
def round_not_numbers(game: Game, rng: random.Random) -> int:
    """Write words into INIT seed: wind, honba, sticks and indicator are unknown."""
    round_ = pick(rng, game.rounds)
    round_.init.attributes["seed"] = pick(rng, _NO_NUMBERS)
    return round_.nth


@fault("T103", "twelve or fourteen tiles dealt")
def deal_miscounted(game: Game, rng: random.Random) -> int:
    """Deal a seat that shows no hand one tile more or fewer."""
    round_ = pick(rng, game.rounds)
    seat = pick(rng, set(round_.seats) - round_.shown)
    hand = round_.init.numbers(f"hai{seat}")
    round_.init.put(f"hai{seat}", pick(rng, (hand[:-1], [*hand, pick(rng, round_.unused)])))
    return round_.nth


@fault("L003", "a tag lacks an attribute that it needs")
def attribute_missing(game: Game, rng: random.Random) -> int:
    """Remove sc or ba of a result, ten of a win, or who of a call."""
    round_ = pick(rng, game.rounds)
    sites = [(round_.result, "sc"), (round_.result, "ba")]
    sites += [(game.tags[index], name) for index in round_.wins for name in ("ten", "machi", "hai", "who", "fromWho")]
    tag, name = pick(rng, sites)
    del tag.attributes[name]
    return round_.nth


@fault("L003", "unknown kind of draw")
def unknown_draw(game: Game, rng: random.Random) -> int:
    """Give a draw a type that the format does not have."""
    round_ = pick(rng, [round_ for round_ in game.rounds if not round_.wins])
    round_.result.attributes["type"] = pick(rng, ("yao8", "ron2", "kaze", "1"))
    return round_.nth


def _early(round_: Round) -> bool:
    """Say whether one more draw keeps the round far from its last tile."""
    return sum(bool(tag.move and tag.move.drawn) for tag in round_.tags) < round_.game.table.live - 5


@fault("D101", "discard and the next seat's draw change places")
def draw_early(game: Game, rng: random.Random) -> int:
    """Let the next seat draw before the discard."""
    sites = [
        (round_, discard.index) for round_ in game.rounds for discard in round_.discards()
        if (after := game.tags[discard.index + 1].move) and after.drawn
    ]  # fmt: skip
    round_, index = pick(rng, sites)
    game.tags[index : index + 2] = game.tags[index + 1], game.tags[index]
    return round_.nth


@fault("D101", "two seats' turns change places")
def turns_exchanged(game: Game, rng: random.Random) -> int:
    """Let a seat draw and discard after the next seat."""
    sites = []
    for round_ in game.rounds:
        places = {discard.index for discard in round_.discards()}
        sites += [
            (round_, index) for index in sorted(places)
            if index + 2 in places and (drawn := game.tags[index - 1].move) and drawn.drawn
            and (next_ := game.tags[index + 1].move) and next_.drawn
        ]  # fmt: skip
    round_, index = pick(rng, sites)
    game.tags[index - 1 : index + 3] = [*game.tags[index + 1 : index + 3], *game.tags[index - 1 : index + 1]]
    return round_.nth


def _extra_draw(game: Game, rng: random.Random, *, shows: bool) -> int:
    sites = [
        (round_, discard) for round_ in game.rounds if _early(round_) and round_.wins for discard in round_.discards()
        if (discard.seat in round_.shown) == shows and game.tags[discard.index - 1].move
    ]  # fmt: skip
    round_, discard = pick(rng, sites)
    tile = pick(rng, round_.unused)
    game.tags.insert(discard.index, draw_tag(discard.seat, tile, game.tags[discard.index]))
    return round_.nth


@fault("D101", "a second draw in a turn")
def extra_draw(game: Game, rng: random.Random) -> int:
    """Insert the draw of a tile not in play, by a seat that shows no hand."""
    return _extra_draw(game, rng, shows=False)


@fault("D101", "a second draw in a turn of the winner")
def extra_draw_of_winner(game: Game, rng: random.Random) -> int:
    """Insert the draw of a tile not in play, by the winner, whose shown hand lacks it."""
    return _extra_draw(game, rng, shows=True)


@fault("D101", "a discard is missing")
def discard_missing(game: Game, rng: random.Random) -> int:
    """Remove a discard of a seat that shows no hand."""
    sites = [
        (round_, discard) for round_ in game.rounds for discard in round_.discards() if discard.seat not in round_.shown
    ]
    round_, discard = pick(rng, sites)
    del game.tags[discard.index]
    return round_.nth


@fault("L004", "a draw after the result")
def draw_after_result(game: Game, rng: random.Random) -> int:
    """Insert a draw after a round's result."""
    round_ = pick(rng, [round_ for round_ in game.rounds if _early(round_)])
    tile = pick(rng, round_.unused)
    game.tags.insert(round_.results[-1] + 1, Tag(f"{pick(rng, DRAWS[: game.table.players])}{tile}"))
    return round_.nth


@fault("L004", "the last discard after the result")
def discard_after_result(game: Game, rng: random.Random) -> int:
    """Move the last discard of an exhaustive draw behind it."""
    sites = []
    for round_ in game.rounds:
        index = round_.results[0] - 1
        last = game.tags[index].move
        if not round_.wins and last and not last.drawn and last.seat not in round_.shown:
            sites.append((round_, index))
    round_, index = pick(rng, sites)
    game.tags[index : index + 2] = game.tags[index + 1], game.tags[index]
    return round_.nth


@fault("L004", "play before the first deal")
def play_before_deal(game: Game, rng: random.Random) -> None:
    """Insert draw and discard before INIT."""
    start = game.rounds[0].start
    tile, seat = pick(rng, game.table.tiles), pick(rng, game.table.seats)
    game.tags[start:start] = [draw_tag(seat, tile, Tag("")), Tag(f"{DISCARDS[seat]}{tile}")]


@fault("L006", "table type of another number of players")
def other_players(game: Game, rng: random.Random) -> None:  # noqa: ARG001
    """Change the bit for three players in the table type; deals and draws say how many play."""
    go = game.first("GO")
    if game.table.players == len(DRAWS) and not any(tag.move and tag.move.seat == len(DRAWS) - 1 for tag in game.tags):
        raise NoSite  # the last seat never acts
    go.attributes["type"] = str(int(go.attributes["type"]) ^ BIT)
