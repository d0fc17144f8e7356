"""Faults of turns: draws and discards missing, repeated, out of turn, after the wall (T103, D101, D102, D106, K113)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.mutate.fault import fault, pick
from tests.kit.mutate.mjlog import DISCARDS, DRAWS, KANS, Discard, Tag, discard_tag, draw_tag, meld

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from tests.kit.mutate.mjlog import Game, Round


def exhaustive(game: Game) -> list[Round]:
    """List the rounds that ended because the wall was empty."""
    return [round_ for round_ in game.rounds if not round_.wins and round_.result.attributes.get("type", "nm") == "nm"]


def hidden(round_: Round) -> list[Discard]:
    """List the discards of `Round.discards` by seats whose hands no result shows."""
    return [discard for discard in round_.discards() if discard.seat not in round_.shown]


def drawn_and_thrown(round_: Round) -> list[Discard]:
    """List those of `hidden` that discard the tile just drawn, which replaces no other."""
    tags = round_.game.tags
    return [
        discard for discard in hidden(round_)
        if (move := tags[discard.index - 1].move) and move.drawn and move.tile == discard.tile
        and not round_.before(discard.index - 1).is_call
    ]  # fmt: skip


def renamed(round_: Round, names: Mapping[int, int]) -> None:
    """Give tiles that are dealt, drawn and discarded, and in no meld or shown hand, other ids."""
    for seat in round_.seats:
        hand = round_.init.numbers(f"hai{seat}")
        round_.init.put(f"hai{seat}", [names.get(tile, tile) for tile in hand])
    for tag in round_.tags:
        if tag.move:
            tag.name = f"{tag.name[0]}{names.get(tag.move.tile, tag.move.tile)}"


@fault("D101", "a turn is missing, draw and discard")
def turn_missing(game: Game, rng: random.Random) -> int:
    """Leave out a whole turn."""
    round_, discard = pick(
        rng, [(round_, discard) for round_ in game.rounds if round_.wins for discard in drawn_and_thrown(round_)]
    )
    del game.tags[discard.index - 1 : discard.index + 1]
    return round_.nth


@fault("D101", "a draw told twice")
def draw_doubled(game: Game, rng: random.Random) -> int:
    """Repeat a draw directly, with no indicator between it and the discard."""
    sites = [(round_, discard) for round_ in game.rounds for discard in hidden(round_)]
    round_, discard = pick(rng, [site for site in sites if game.tags[site[1].index - 1].move])
    game.tags.insert(
        discard.index, draw_tag(discard.seat, game.tags[discard.index - 1].move.tile, game.tags[discard.index])
    )
    return round_.nth


@fault("D101", "a draw by the wrong seat")
def draw_by_another(game: Game, rng: random.Random) -> int:
    """Let another seat draw, and the right one discard."""
    round_, discard = pick(rng, [(round_, discard) for round_ in game.rounds for discard in drawn_and_thrown(round_)])
    other = pick(rng, set(round_.seats) - {discard.seat} - round_.shown)
    tag = game.tags[discard.index - 1]
    tag.name = f"{DRAWS[other]}{tag.name[1:]}"
    return round_.nth


@fault("D102", "a turn more than the wall has")
def turn_too_many(game: Game, rng: random.Random) -> int:
    """Let the next seat draw and discard once more before an exhaustive draw."""
    round_ = pick(rng, [round_ for round_ in exhaustive(game) if "type" not in round_.result])
    end = round_.results[0]
    seat = (round_.before(end).move.seat + 1) % len(round_.seats)
    tile = pick(rng, round_.unused)
    like = game.tags[end]
    game.tags[end:end] = [draw_tag(seat, tile, like), discard_tag(seat, tile, like)]
    return round_.nth


@fault("T103", "the last discard before an exhaustive draw is missing")
def last_discard_missing(game: Game, rng: random.Random) -> int:
    """Remove the last discard, of a seat that shows no hand."""
    sites = [
        (round_, index)
        for round_ in exhaustive(game)
        if (index := round_.results[0] - 1) and (move := game.tags[index].move)
        and not move.drawn and move.seat not in round_.shown and game.tags[index - 1].move
        and _simples(round_, move.seat) > 1
    ]  # fmt: skip
    round_, index = pick(rng, sites)
    del game.tags[index]
    return round_.nth


def _simples(round_: Round, seat: int) -> int:
    """Count a seat's discards that are no orphans: without any, the draw would be a nagashi mangan."""
    moves = [tag.move for tag in round_.tags if tag.move and not tag.move.drawn and tag.move.seat == seat]
    return sum(move.tile // 4 < 27 and move.tile // 4 % 9 not in (0, 8) for move in moves)


@fault("D106", "a draw is missing")
def draw_missing(game: Game, rng: random.Random) -> int:
    """Remove a draw of a seat that shows no hand."""
    round_, discard = pick(
        rng,
        [
            (round_, discard)
            for round_ in game.rounds
            if round_.wins
            for discard in hidden(round_)
            if _plain(round_, discard)
        ],
    )
    del game.tags[discard.index - 1]
    return round_.nth


def _plain(round_: Round, discard: Discard) -> bool:
    """Say whether the draw before a discard follows a discard, not a kan."""
    tags = round_.game.tags
    drawn = tags[discard.index - 1].move
    before = round_.before(discard.index - 1).move
    return bool(drawn and drawn.drawn and before and not before.drawn)


@fault("D106", "a discard told twice")
def discard_doubled(game: Game, rng: random.Random) -> int:
    """Repeat a discard directly."""
    round_, discard = pick(rng, [(round_, discard) for round_ in game.rounds for discard in hidden(round_)])
    game.tags.insert(discard.index, discard_tag(discard.seat, discard.tile, game.tags[discard.index]))
    return round_.nth


@fault("D106", "a discard by the wrong seat")
def discard_by_another(game: Game, rng: random.Random) -> int:
    """Let another seat discard the drawn tile."""
    round_, discard = pick(
        rng,
        [
            (round_, discard)
            for round_ in game.rounds
            for discard in drawn_and_thrown(round_)
            if _plain(round_, discard)
        ],
    )
    other = pick(rng, set(round_.seats) - {discard.seat} - round_.shown)
    tag = game.tags[discard.index]
    tag.name = f"{DISCARDS[other]}{tag.name[1:]}"
    return round_.nth


@fault("K113", "a replacement draw is missing")
def replacement_missing(game: Game, rng: random.Random) -> int:
    """Remove the draw after a kan of a seat that shows no hand."""
    sites = [
        (round_, index)
        for round_ in game.rounds
        if sum(bool(tag.move and tag.move.drawn) for tag in round_.tags) < game.table.live  # or the last tile changes
        for index in range(round_.start + 1, round_.end)
        if (move := game.tags[index].move) and move.drawn and move.seat not in round_.shown
        and (kan := _kan_before(round_, index)) and kan.seat == move.seat
    ]  # fmt: skip
    round_, index = pick(rng, sites)
    del game.tags[index]
    return round_.nth


def _kan_before(round_: Round, index: int) -> Tag | None:
    before = round_.before(index)
    return before if before.is_call and meld(before.numbers("m")[0]).shape in KANS else None
