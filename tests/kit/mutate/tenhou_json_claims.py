"""Faults of counters, scores and results in Tenhou's JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.kit.mutate.fault import pick, spoiled

if TYPE_CHECKING:
    import random

    from tests.kit.mutate.tenhou_json import Round, TenhouJson

MONEY = ("P105",)
"""Changes of score that are wrong do not lead to the next scores."""


def later(game: TenhouJson) -> list[Round]:
    """List the rounds but the first."""
    return game.rounds[1:]


@spoiled("P105", "another score at the start of a round")
def score_wrong(game: TenhouJson, rng: random.Random) -> int:
    """Give a seat points from another, or from nowhere."""
    each = pick(rng, later(game))
    seat = pick(rng, range(4))
    each.value[1][seat] += pick(rng, (-1000, 100, 700))
    return each.nth


@spoiled("G101", "another round number", also=("W102", "W104"))
def round_wrong(game: TenhouJson, rng: random.Random) -> int:
    """Write the same dealer in another wind."""
    each = pick(rng, later(game))
    each.value[0][0] = (each.value[0][0] + pick(rng, (4, 8))) % 12
    return each.nth


@spoiled("G102", "another honba", also=("P101", "P103"))
def honba_wrong(game: TenhouJson, rng: random.Random) -> int:
    """Write one honba more."""
    each = pick(rng, later(game))
    each.value[0][1] += 1
    return each.nth


@spoiled("G103", "other riichi sticks", also=("P104", "G106"))
def sticks_wrong(game: TenhouJson, rng: random.Random) -> int:
    """Write one stick more."""
    each = pick(rng, later(game))
    each.value[0][2] += 1
    return each.nth


def paid(game: TenhouJson, rng: random.Random, change: int) -> tuple[Round, list[int], list[Any]]:
    """Add to the gain of a single win, and return it; the payer pays the same amount more."""
    each, moved, detail = pick(rng, [site for site in game.wins if len(site[0].wins) == 1 and site[2][0] != site[2][1]])
    moved[detail[0]] += change
    return each, moved, detail


@spoiled("P101", "a ron paid at another value", also=MONEY)
def value_wrong(game: TenhouJson, rng: random.Random) -> int:
    """Let the payer pay more, and the winner get it."""
    change = pick(rng, (100, 400, 1600))
    each, moved, detail = paid(game, rng, change)
    moved[detail[1]] -= change
    return each.nth


@spoiled("P102", "changes that do not balance", also=MONEY)
def unbalanced(game: TenhouJson, rng: random.Random) -> int:
    """Let the winner get what nobody pays."""
    return paid(game, rng, pick(rng, (100, 200, 700, 1500)))[0].nth


@spoiled("P103", "honba not paid", also=MONEY)
def honba_unpaid(game: TenhouJson, rng: random.Random) -> int:
    """Leave out the honba of a ron."""
    each, moved, detail = pick(rng, [
        site for site in game.wins
        if site[0].value[0][1] and len(site[0].wins) == 1 and site[2][0] != site[2][1] and site[2][2] == site[2][0]
    ])  # fmt: skip
    moved[detail[0]] -= 300 * each.value[0][1]
    moved[detail[1]] += 300 * each.value[0][1]
    return each.nth


@spoiled("P104", "riichi sticks not given to the winner", also=MONEY)
def sticks_unpaid(game: TenhouJson, rng: random.Random) -> int:
    """Leave out a stick."""
    each, moved, detail = pick(rng, [
        (each, *each.wins[0]) for each in game.rounds if len(each.wins) == 1 and sum(each.wins[0][0]) >= 1000
    ])  # fmt: skip
    moved[detail[0]] -= 1000
    return each.nth


@spoiled("P104", "a stick counted whose tile is won", also=MONEY)
def stick_of_a_won_tile(game: TenhouJson, rng: random.Random) -> int:
    """Count one stick too many, as some converters do."""
    each, moved, detail = pick(rng, [(each, *each.wins[0]) for each in game.rounds if len(each.wins) == 1])
    moved[detail[0]] += 1000
    return each.nth


@spoiled("P106", "noten payments of another number of seats", also=MONEY)
def noten_wrong(game: TenhouJson, rng: random.Random) -> int:
    """Change the payments of a draw so that they fit no seats."""
    each = pick(rng, [each for each in game.rounds if each.result[0] == "流局"])
    moved = each.result[1]
    change = pick(rng, (100, 500, 1000))
    moved[pick(rng, [seat for seat in range(4) if moved[seat] > 0])] += change
    moved[pick(rng, [seat for seat in range(4) if moved[seat] < 0])] -= change
    return each.nth


@spoiled("X103", "all hands noten, though some are tenpai", also=(*MONEY, "G101", "G102", "G104", "G106"))
def nobody_tenpai(game: TenhouJson, rng: random.Random) -> int:
    """Call a draw with payments one without tenpai hands."""
    each = pick(rng, [each for each in game.rounds if each.result[0] == "流局"])
    each.value[16] = ["全員不聴"]
    return each.nth


@spoiled("X102", "all hands tenpai, though some are noten", also=(*MONEY, "G101", "G102", "G105", "G106"))
def all_tenpai(game: TenhouJson, rng: random.Random) -> int:
    """Call a draw one with only tenpai hands."""
    each = pick(rng, [each for each in game.rounds if each.result[0] in ("流局", "全員不聴")])
    each.value[16] = ["全員聴牌"]
    return each.nth


@spoiled("X105", "an abort without cause", also=(*MONEY, "G101", "G102", "G105", "G106"))
def abort(game: TenhouJson, rng: random.Random) -> int:
    """Call a draw an abort."""
    each = pick(rng, [each for each in game.rounds if each.result[0] in ("流局", "全員不聴", "全員聴牌")])
    each.value[16] = [pick(rng, ("九種九牌", "四家立直", "四槓散了", "四風連打"))]
    return each.nth


@spoiled("X101", "a draw before the wall is empty", also=(*MONEY, "X103", "X107", "G101", "G102", "G103", "G106"))
def drawn_early(game: TenhouJson, rng: random.Random) -> int:
    """Call a win a draw."""
    each = pick(rng, [each for each in game.rounds if each.wins and each.wins[0][1][0] != each.wins[0][1][1]])
    each.value[16] = ["全員不聴"]
    return each.nth


@spoiled("L003", "a result of an unknown name")
def other_result(game: TenhouJson, rng: random.Random) -> int:
    """Write another name."""
    each = pick(rng, game.rounds)
    each.value[16][0] = pick(rng, ("和", "流", "ron", "", 5, None))
    return each.nth


@spoiled("L002", "a round without result")
def no_result(game: TenhouJson, rng: random.Random) -> int:
    """Empty the result."""
    each = pick(rng, game.rounds)
    each.value[16] = []
    return each.nth


def seat_pairs(game: TenhouJson) -> list[tuple[int, int]]:
    """Give the places of two different seats' final scores, for each pair; none if the game states none."""
    seats = range(len(game.record["name"]) if game.record.get("sc") else 0)
    return [(2 * one, 2 * two) for one in seats for two in seats if one != two]


@spoiled("G106", "other final scores", also=("G107",))
def final_wrong(game: TenhouJson, rng: random.Random) -> int:
    """Give a seat points from another."""
    place, other = pick(rng, seat_pairs(game))
    change = pick(rng, (100, 300))
    game.record["sc"][place] += change
    game.record["sc"][other] -= change
    return len(game.rounds) - 1


@spoiled("G107", "other final points")
def final_points_wrong(game: TenhouJson, rng: random.Random) -> int:
    """Give a seat points from another."""
    place, other = pick(rng, seat_pairs(game))
    game.record["sc"][place + 1] += 10.0
    game.record["sc"][other + 1] -= 10.0
    return len(game.rounds) - 1


@spoiled("L003", "final scores that are no numbers", also=("L002",))
def bad_final(game: TenhouJson, rng: random.Random) -> None:
    """Write something else."""
    pick(rng, seat_pairs(game))
    game.record["sc"] = pick(rng, (7, {}, game.record["sc"][:7], ["a"] * 8, [None] * 8))


@spoiled("L002", "no final scores")
def no_final(game: TenhouJson, rng: random.Random) -> None:
    """Leave out the final scores."""
    pick(rng, seat_pairs(game))
    game.record["sc"] = pick(rng, ([], None))


@spoiled("L007", "another number of players")
def players_wrong(game: TenhouJson, rng: random.Random) -> None:
    """Name a table for three."""
    pick(rng, [name for name in game.record["name"][3:] if name])
    if pick(rng, (True, False)):
        game.record["ratingc"] = "PF3"
    else:
        game.record.pop("ratingc", None)
        game.record["rule"] = game.record.get("rule", {}) | {"disp": "三般南喰赤"}


@spoiled("L003", "names that are no texts")
def bad_names(game: TenhouJson, rng: random.Random) -> None:
    """Write something else."""
    game.record["name"] = pick(rng, (7, "A", {}, ["A", "B", "C"], ["A", "B", "C", 4], [None] * 4))
