"""Faults of payments and scores (P101 to P105).

A wrong payment may be a slip of the result alone, after which the game continues with the right scores ("written
so"), or a bug of the software that kept the scores ("and carried on").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.mutate.fault import NoSite, fault, pick
from tests.kit.mutate.mjlog import SLOTS
from tests.kit.mutate.points import STICK, Win, carry, move, wins
from tests.kit.mutate.table import BOTH

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from tests.kit.mutate.mjlog import Game, Round

    Alter = Callable[[Game, random.Random], tuple[Round, int, list[int]]]


def two_ways(code: str, title: str, players: frozenset[int] = BOTH) -> Callable[[Alter], Alter]:
    """Enter a change of a result's payments as two faults: written so, and carried on."""

    def enter(alter: Alter) -> Alter:
        @fault(code, f"{title}: written so", players=players)
        def slip(game: Game, rng: random.Random) -> int:
            round_, index, changes = alter(game, rng)
            move(game.tags[index], changes)
            return round_.nth

        @fault(code, f"{title}: and carried on", players=players)
        def bug(game: Game, rng: random.Random) -> int:
            round_, index, changes = alter(game, rng)
            carry(game, index, move(game.tags[index], changes))
            return round_.nth

        return alter

    return enter


def _of(win: Win, changes: list[int]) -> tuple[Round, int, list[int]]:
    if changes == win.changes:
        raise NoSite
    return win.round, win.index, changes


@two_ways("P101", "another seat pays the ron")
def other_payer(game: Game, rng: random.Random) -> tuple[Round, int, list[int]]:
    """Move the discarder's payment to a bystander."""
    win = pick(rng, [win for win in wins(game) if not win.tsumo])
    return _of(win, win.payments(win.points, payer=pick(rng, set(win.round.seats) - {win.who, win.payer})))


@two_ways("P101", "shares of a tsumo exchanged")
def shares_exchanged(game: Game, rng: random.Random) -> tuple[Round, int, list[int]]:
    """Let another seat pay the dealer's share."""
    win = pick(rng, [win for win in wins(game) if win.tsumo and win.who != win.round.dealer])
    other = pick(rng, set(win.round.seats) - {win.who, win.round.dealer})
    changes = win.changes
    changes[other], changes[win.round.dealer] = changes[win.round.dealer], changes[other]
    return _of(win, changes)


@two_ways("P101", "ron paid at another value")
def other_value(game: Game, rng: random.Random) -> tuple[Round, int, list[int]]:
    """Let payer and winner move more or less than the stated points."""
    win = pick(rng, [win for win in wins(game) if not win.tsumo and win.points > 1000])
    return _of(win, win.payments(win.points + pick(rng, (-1000, -100, 100, 1000, 2000))))


@two_ways("P101", "ron paid too high or low by the worth of ten honba")
def far_value(game: Game, rng: random.Random) -> tuple[Round, int, list[int]]:
    """Let payer and winner move 3,000 more or less (2,000 with three players), which would be ten honba."""
    worth = 1000 * (game.table.players - 1)
    win = pick(rng, [win for win in wins(game) if not win.tsumo and win.points > worth])
    return _of(win, win.payments(win.points + pick(rng, (-worth, worth))))


@two_ways("P101", "tsumo paid by all alike")
def alike(game: Game, rng: random.Random) -> tuple[Round, int, list[int]]:
    """Split a non-dealer's tsumo into equal parts."""
    payers = game.table.players - 1
    fits = [win for win in wins(game) if win.tsumo and win.who != win.round.dealer and not win.points % (100 * payers)]
    win = pick(rng, fits)
    each = win.points // 100 // payers + win.honba
    changes = [-each if seat in win.round.seats else 0 for seat in SLOTS]
    changes[win.who] = payers * each + STICK * win.sticks
    return _of(win, changes)


@two_ways("P102", "one seat's change of a win off by 100")
def win_off(game: Game, rng: random.Random) -> tuple[Round, int, list[int]]:
    """Move one seat's score by 100 more or less."""
    win = pick(rng, wins(game))
    changes = win.changes
    changes[pick(rng, win.round.seats)] += pick(rng, (-1, 1))
    return _of(win, changes)


@two_ways("P102", "one seat's change of a draw off by 1,000")
def draw_off(game: Game, rng: random.Random) -> tuple[Round, int, list[int]]:
    """Move one seat's score by 1,000 more or less at a draw."""
    round_ = pick(rng, [round_ for round_ in game.rounds if not round_.wins])
    changes = round_.result.numbers("sc")[1::2]
    changes[pick(rng, round_.seats)] += pick(rng, (-10, 10))
    return round_, round_.results[0], changes


@two_ways("P103", "honba paid once more")
def honba_more(game: Game, rng: random.Random) -> tuple[Round, int, list[int]]:
    """Pay one honba too many."""
    win = pick(rng, [win for win in wins(game) if win.first])
    return _of(win, win.payments(win.points, honba=win.honba + 1))


@two_ways("P103", "honba paid twice")
def honba_twice(game: Game, rng: random.Random) -> tuple[Round, int, list[int]]:
    """Pay all honba twice."""
    win = pick(rng, [win for win in wins(game) if win.honba])
    return _of(win, win.payments(win.points, honba=2 * win.honba))


@two_ways("P103", "honba not paid")
def honba_unpaid(game: Game, rng: random.Random) -> tuple[Round, int, list[int]]:
    """Pay no honba."""
    win = pick(rng, [win for win in wins(game) if win.honba])
    return _of(win, win.payments(win.points, honba=0))


@fault("P103", "another number of honba at a win")
def honba_at_win(game: Game, rng: random.Random) -> int:
    """Name one honba more or fewer than INIT."""
    return _deposit_changed(game, rng, 0, won=True)


@fault("P103", "another number of honba at a draw")
def honba_at_draw(game: Game, rng: random.Random) -> int:
    """Name one honba more or fewer than INIT."""
    return _deposit_changed(game, rng, 0, won=False)


def _deposit_changed(game: Game, rng: random.Random, place: int, *, won: bool) -> int:
    round_, index = pick(rng, [
        (round_, index) for round_ in game.rounds if bool(round_.wins) == won for index in round_.results
    ])  # fmt: skip
    count = game.tags[index].numbers("ba")[place]
    game.tags[index].add("ba", place, pick(rng, (1, -1) if count else (1,)))
    return round_.nth


@two_ways("P104", "riichi sticks not taken")
def sticks_untaken(game: Game, rng: random.Random) -> tuple[Round, int, list[int]]:
    """Do not give the winner the sticks."""
    win = pick(rng, [win for win in wins(game) if win.sticks])
    return _of(win, win.payments(win.points, sticks=0))


@two_ways("P104", "a riichi stick too many taken")
def stick_more(game: Game, rng: random.Random) -> tuple[Round, int, list[int]]:
    """Give the winner one stick too many."""
    win = pick(rng, wins(game))
    return _of(win, win.payments(win.points, sticks=win.sticks + 1))


@fault("P104", "another number of sticks at a win")
def sticks_at_win(game: Game, rng: random.Random) -> int:
    """State one stick more or fewer than are on the table."""
    return _deposit_changed(game, rng, 1, won=True)


@fault("P104", "another number of sticks at a draw")
def sticks_at_draw(game: Game, rng: random.Random) -> int:
    """State one stick more or fewer than are on the table."""
    return _deposit_changed(game, rng, 1, won=False)


@fault("P105", "a round begins with another score of one seat")
def start_changed(game: Game, rng: random.Random) -> int:
    """Change one number of INIT ten, no other."""
    round_ = pick(rng, game.rounds[1:])
    round_.init.add("ten", pick(rng, round_.seats), pick(rng, (-10, -1, 1, 10)))
    return round_.nth


@fault("P105", "a round begins with two seats' scores exchanged")
def start_exchanged(game: Game, rng: random.Random) -> int:
    """Exchange two numbers of INIT ten."""
    round_ = pick(rng, game.rounds[1:])
    ten = round_.init.numbers("ten")
    one, other = pick(rng, [(a, b) for a in round_.seats for b in round_.seats if ten[a] < ten[b]])
    ten[one], ten[other] = ten[other], ten[one]
    round_.init.put("ten", ten)
    return round_.nth


@fault("P105", "a score jumps between two rounds and goes on from there")
def start_jumps(game: Game, rng: random.Random) -> int:
    """Change one seat's score from one INIT on, to the end of the game."""
    round_ = pick(rng, game.rounds[1:])
    difference = [0] * 4
    difference[pick(rng, round_.seats)] = pick(rng, (-10, -1, 1, 10))
    carry(game, round_.start - 1, difference)
    return round_.nth


@fault("P105", "another score of one seat at a riichi")
def riichi_score_changed(game: Game, rng: random.Random) -> int:
    """Change one number of REACH ten."""
    sites = [(round_, tag) for round_ in game.rounds for tag in round_.tags if tag.name == "REACH" and "ten" in tag]
    round_, tag = pick(rng, sites)
    tag.add("ten", pick(rng, round_.seats), pick(rng, (-10, -1, 1, 10)))
    return round_.nth


@fault("P105", "scores at a riichi without the stick")
def riichi_score_early(game: Game, rng: random.Random) -> int:
    """State the scores as they were before the deposit."""
    sites = [(round_, tag) for round_ in game.rounds for tag in round_.tags if tag.name == "REACH" and "ten" in tag]
    round_, tag = pick(rng, sites)
    tag.add("ten", tag.seat, STICK)
    return round_.nth


@fault("P105", "another score of one seat before a result")
def score_before_changed(game: Game, rng: random.Random) -> int:
    """Change one number of sc, no change of score."""
    round_, index = pick(rng, [(round_, index) for round_ in game.rounds for index in round_.results])
    game.tags[index].add("sc", 2 * pick(rng, round_.seats), pick(rng, (-10, -1, 1, 10)))
    return round_.nth
