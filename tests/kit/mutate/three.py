"""Faults of a program that takes a table of three players for one of four, and of seat 3, which does not exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.mutate.calls import called_instead, calm, chi_codes, kuikae, offset, ronned_kinds
from tests.kit.mutate.draws import abort, after_a_discard, walls
from tests.kit.mutate.fault import fault, pick
from tests.kit.mutate.mjlog import SLOTS, meld
from tests.kit.mutate.payments import two_ways
from tests.kit.mutate.points import Win, final, order, rounded_up, wins
from tests.kit.mutate.table import FOUR, THREE_PLAYERS
from tests.kit.mutate.turns import drawn_and_thrown
from tests.kit.mutate.wins import riichi_seats

if TYPE_CHECKING:
    import random

    from tests.kit.mutate.mjlog import Game, Round

HAND = 13
NOBODY = 3
"""The seat that does not exist."""
CHARACTERS = range(4, 32)
"""The tiles 2m to 8m."""


@fault("T104", "a tile from 2m to 8m drawn and discarded", players=THREE_PLAYERS)
def other_set(game: Game, rng: random.Random) -> int:
    """Give a tile that is drawn and discarded at once the id of one that is not in the set, and no orphan either."""
    rounds = [round_ for round_ in game.rounds if round_.result.attributes.get("type") != "nm"]
    round_, discard = pick(rng, [(round_, discard) for round_ in rounds for discard in drawn_and_thrown(round_)])
    tile = pick(rng, CHARACTERS)
    for tag in game.tags[discard.index - 1 : discard.index + 1]:
        tag.name = f"{tag.name[0]}{tile}"
    return round_.nth


@fault("T104", "a tile from 2m to 8m dealt and never discarded", players=THREE_PLAYERS)
def other_set_dealt(game: Game, rng: random.Random) -> int:
    """Deal a seat that shows no hand a tile that is not in the set."""
    sites = []
    for round_ in game.rounds:
        moved = {tag.move.tile for tag in round_.tags if tag.move}
        for seat in set(round_.seats) - round_.shown:
            hand = round_.init.numbers(f"hai{seat}")
            sites += [(round_, seat, hand, tile) for tile in hand
                      if tile not in moved and tile // 4 not in round_.melded]  # fmt: skip
    round_, seat, hand, old = pick(rng, sites)
    new = pick(rng, CHARACTERS)
    round_.init.put(f"hai{seat}", [new if tile == old else tile for tile in hand])
    return round_.nth


@fault("C107", "a chi at a table of three players", players=THREE_PLAYERS)
def chi(game: Game, rng: random.Random) -> int:
    """Let a seat call chi of its left neighbour's discard, in place of its turn."""
    sites = []
    for round_ in game.rounds:
        if not (round_.wins and calm(round_)):
            continue
        barred, riichi = ronned_kinds(round_), riichi_seats(round_)
        places = {discard.index - 1 for discard in drawn_and_thrown(round_) if discard.seat not in riichi}
        for index, tag, hands in round_.walk():
            fed = game.tags[index - 1].move
            if index not in places or not fed or fed.drawn or not tag.move:
                continue
            seat = tag.move.seat
            for code in chi_codes(fed.tile, hands[seat]):
                told = code & ~3 | offset(fed.seat, seat)
                gone = _later(round_, index, seat)
                if not gone & meld(code).from_hand:
                    sites += [(round_, index, seat, told, tile) for tile in hands[seat] - gone - meld(code).tiles
                              if tile // 4 not in kuikae(code) | barred]  # fmt: skip
    round_, index, seat, told, tile = pick(rng, sites)
    called_instead(round_, index, seat, told, tile)
    return round_.nth


def _later(round_: Round, index: int, seat: int) -> set[int]:
    """Return the tiles that a seat discards, calls with or sets aside after its turn at a place."""
    found = set()
    for tag in round_.game.tags[index + 2 : round_.end]:
        if tag.move and not tag.move.drawn and tag.move.seat == seat:
            found.add(tag.move.tile)
        elif tag.is_call and tag.seat == seat:
            found |= meld(tag.numbers("m")[0]).tiles
    return found


@fault("L003", "a draw by seat 3", players=THREE_PLAYERS)
def draw_by_nobody(game: Game, rng: random.Random) -> int:
    """Write the letter of seat 3 into a draw."""
    round_, discard = pick(rng, [(round_, discard) for round_ in game.rounds for discard in drawn_and_thrown(round_)])
    tag = game.tags[discard.index - 1]
    tag.name = f"W{tag.name[1:]}"
    return round_.nth


@fault("L003", "a discard by seat 3", players=THREE_PLAYERS)
def discard_by_nobody(game: Game, rng: random.Random) -> int:
    """Write the letter of seat 3 into a discard."""
    round_, discard = pick(rng, [(round_, discard) for round_ in game.rounds for discard in drawn_and_thrown(round_)])
    tag = game.tags[discard.index]
    tag.name = f"G{tag.name[1:]}"
    return round_.nth


def _told_of_nobody(game: Game, rng: random.Random, name: str, attribute: str) -> int:
    sites = [(round_, tag) for round_ in game.rounds for tag in round_.tags if tag.name == name and attribute in tag]
    round_, tag = pick(rng, sites)
    tag.attributes[attribute] = str(NOBODY)
    return round_.nth


@fault("L003", "a call by seat 3", players=THREE_PLAYERS)
def call_by_nobody(game: Game, rng: random.Random) -> int:
    """Name seat 3 in a call, kan or kita."""
    return _told_of_nobody(game, rng, "N", "who")


@fault("L003", "a riichi by seat 3", players=THREE_PLAYERS)
def riichi_by_nobody(game: Game, rng: random.Random) -> int:
    """Name seat 3 in a step of a riichi."""
    return _told_of_nobody(game, rng, "REACH", "who")


@fault("L003", "a win of seat 3", players=THREE_PLAYERS)
def win_of_nobody(game: Game, rng: random.Random) -> int:
    """Name seat 3 as the winner."""
    return _told_of_nobody(game, rng, "AGARI", "who")


@fault("L003", "a win that seat 3 feeds", players=THREE_PLAYERS)
def fed_by_nobody(game: Game, rng: random.Random) -> int:
    """Name seat 3 as the payer."""
    return _told_of_nobody(game, rng, "AGARI", "fromWho")


@fault("L003", "a round that seat 3 deals", players=THREE_PLAYERS)
def dealt_by_nobody(game: Game, rng: random.Random) -> int:
    """Name seat 3 as the dealer, or give the round the number of the wind's fourth."""
    round_ = pick(rng, game.rounds)
    if rng.random() < 1 / 2:
        round_.init.attributes["oya"] = str(NOBODY)
    else:
        seed = round_.init.numbers("seed")
        round_.init.put("seed", [seed[0] // 4 * 4 + NOBODY, *seed[1:]])
    return round_.nth


@fault("L003", "a hand dealt to seat 3", players=THREE_PLAYERS)
def hand_of_nobody(game: Game, rng: random.Random) -> int:
    """Deal seat 3 thirteen tiles in one round."""
    round_ = pick(rng, [round_ for round_ in game.rounds if len(round_.unused) >= HAND])
    round_.init.put(f"hai{NOBODY}", rng.sample(round_.unused, HAND))
    return round_.nth


@fault("L003", "a score of seat 3", players=THREE_PLAYERS)
def score_of_nobody(game: Game, rng: random.Random) -> int:
    """Give seat 3 points at the start of a round, at a riichi or before a result."""
    sites = [
        (round_, tag, attribute, NOBODY if attribute == "ten" else 2 * NOBODY)
        for round_ in game.rounds for tag in round_.tags for attribute in ("ten", "sc")
        if attribute in tag and (attribute == "sc" or tag.name != "AGARI")
    ]  # fmt: skip
    round_, tag, attribute, place = pick(rng, sites)
    tag.add(attribute, place, pick(rng, (350, 250, 10, -10)))
    return round_.nth


@fault("L003", "a share of seat 3", players=THREE_PLAYERS)
def share_of_nobody(game: Game, rng: random.Random) -> int:
    """Let seat 3 pay to the winner of a tsumo what a fourth player would, or get something at a draw."""
    round_ = pick(rng, game.rounds)
    tag = round_.result
    tag.add("sc", 2 * NOBODY + 1, pick(rng, (-20, -10, 10)))
    return round_.nth


def _honba_of_four(game: Game, rng: random.Random, odd: int) -> tuple[Round, int, list[int]]:
    """Let the discarder of a ron pay 300 for each honba."""
    win = pick(rng, [win for win in wins(game) if win.honba and not win.tsumo and win.honba % 2 == odd])
    changes = win.changes
    changes[win.payer] -= win.honba
    changes[win.who] += win.honba
    return win.round, win.index, changes


@two_ways("P103", "an even number of honba paid as with four players", players=THREE_PLAYERS)
def even_honba_of_four(game: Game, rng: random.Random) -> tuple[Round, int, list[int]]:
    """Pay 300 for each: as much as for some honba more."""
    return _honba_of_four(game, rng, odd=0)


@two_ways("P101", "an odd number of honba paid as with four players", players=THREE_PLAYERS)
def odd_honba_of_four(game: Game, rng: random.Random) -> tuple[Round, int, list[int]]:
    """Pay 300 for each, which no number of honba comes to."""
    return _honba_of_four(game, rng, odd=1)


@two_ways("P101", "the share of a fourth player paid by the two others of a tsumo", players=THREE_PLAYERS)
def share_split(game: Game, rng: random.Random) -> tuple[Round, int, list[int]]:
    """Split what a fourth player would pay, if that is not as much as for some honba more."""
    win, half = pick(rng, [
        (win, half) for win in wins(game) if win.tsumo and (half := _half_share(win)) > max(win.honba, 1)
    ])  # fmt: skip
    changes = [change - half if change < 0 else change for change in win.changes]
    changes[win.who] += half * (game.table.players - 1)
    return win.round, win.index, changes


def _half_share(win: Win) -> int:
    """Return half of what a fourth player, not the dealer, would pay for a tsumo."""
    share = min(-win.changes[seat] for seat in win.round.seats if seat != win.who) - win.honba
    return rounded_up(100 * share // 2) // 100


@fault("W107", "points of a tsumo as with four players, paid rightly", players=THREE_PLAYERS)
def points_of_four(game: Game, rng: random.Random) -> int:
    """State the sum that three seats would pay."""
    win = pick(rng, [win for win in wins(game) if win.tsumo])
    shares = [-win.changes[seat] - win.honba for seat in win.round.seats if seat != win.who]
    win.state(win.points + 100 * min(shares), win.limit)
    return win.round.nth


@two_ways("P106", "noten payments of four players", players=THREE_PLAYERS)
def noten_of_four(game: Game, rng: random.Random) -> tuple[Round, int, list[int]]:
    """Share 3,000 points at a draw."""
    round_ = pick(rng, [round_ for round_ in walls(game) if len(round_.shown) in (1, 2)])
    tenpai = len(round_.shown)
    gain, loss = 30 // tenpai, -30 // (len(round_.seats) - tenpai)
    changes = [0 if seat == NOBODY else gain if seat in round_.shown else loss for seat in SLOTS]
    return round_, round_.results[0], changes


@fault("G107", "30,000 points returned, as with four players", players=THREE_PLAYERS)
def return_of_four(game: Game, rng: random.Random) -> int:  # noqa: ARG001
    """Compute final points from 30,000 points; the first takes what the others give."""
    end = final(game)
    points = list(end.points)
    first, *others = order(end.scores, game.table)
    for seat in others:
        points[seat] += (game.table.returned - FOUR.returned) / 10
        points[first] -= (game.table.returned - FOUR.returned) / 10
    end.write(end.scores, points)
    return game.rounds[-1].nth


@fault("G107", "uma of the first three of four", players=THREE_PLAYERS)
def uma_of_four(game: Game, rng: random.Random) -> int:  # noqa: ARG001
    """Use +20, +10 and -10; the first takes what the others give."""
    end = final(game)
    points = list(end.points)
    first, *others = order(end.scores, game.table)
    for seat, ours, theirs in zip(others, game.table.uma[1:], FOUR.uma[1:], strict=False):
        points[seat] += theirs - ours
        points[first] -= theirs - ours
    end.write(end.scores, points)
    return game.rounds[-1].nth


@fault("X104", "an abort by four winds, which only four players have", players=THREE_PLAYERS)
def abort_of_four(game: Game, rng: random.Random) -> int:
    """In a round after which the dealer stays, abort after any discard."""
    round_, index, *_ = after_a_discard(game, rng)
    return abort(round_, index, "kaze4", {})
