"""Faults of a game's course and end (G101 to G107).

If a fault moves points, all later scores follow (``points.carry``), so that nothing else is wrong.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.kit.mutate.calls import offset
from tests.kit.mutate.fault import NoSite, fault, pick
from tests.kit.mutate.mjlog import DISCARDS, DRAWS, SLOTS
from tests.kit.mutate.points import STICK, Win, carry, ends_with, final, move, order, put_final

if TYPE_CHECKING:
    import random

    from tests.kit.mutate.mjlog import Game, Round, Tag
    from tests.kit.mutate.paipu import Paipu

WIND, HONBA, STICKS = range(3)
"""Places in INIT seed."""
TENPAI_STOPS = 2016


def _place(round_: Round) -> int:
    return round_.init.numbers("seed")[WIND]


def _later(game: Game) -> list[Round]:
    """Return all rounds but the first."""
    return game.rounds[1:]


def _absent(round_: Round) -> bool:
    """Say whether a player leaves or returns: such tags name seats in a way of their own."""
    return any(tag.name in ("BYE", "UN") for tag in round_.tags)


@fault("G101", "a draw's round stands a wind on or back")
def other_wind(game: Game, rng: random.Random) -> int:
    """Move a round by four places, with the same dealer. Nobody wins in it, so no yaku depends on the wind."""
    sites = [
        (round_, step) for round_ in _later(game)[:-1] if not round_.wins for step in (-4, 4)
        if 0 <= _place(round_) + step <= game.table.last_place
    ]  # fmt: skip
    round_, step = pick(rng, sites)
    round_.init.add("seed", WIND, step)
    return round_.nth


@fault("G101", "the next seat deals, all the rest turned by one seat")
def next_dealer(game: Game, rng: random.Random) -> int:
    """Pass the dealer on by one too many. Hands, actions and wins turn with it, and scores do not."""
    last = game.rounds[-1]
    sites = [
        round_ for round_ in _later(game) if round_.start != last.start and round_.dealer != round_.seats[-1]
        and not _absent(round_)
    ]  # fmt: skip
    round_ = pick(rng, sites)
    before = ends_with(round_.tags)
    _turn(round_)
    carry(game, round_.results[-1], [new - old for new, old in zip(_replay_scores(round_), before, strict=True)])
    return round_.nth


def _turn(round_: Round) -> None:
    """Give each seat's part in a round to the next seat; the scores before the round stay."""
    players = len(round_.seats)
    later = {seat: (seat + 1) % players for seat in round_.seats}
    for tag in round_.tags:
        if tag.move:
            letters = DRAWS if tag.move.drawn else DISCARDS
            tag.name = f"{letters[later[tag.move.seat]]}{tag.move.tile}"
        if "m" in tag:
            tag.put("m", [_turned(code, tag.seat, later) for code in tag.numbers("m")])
        for name in ("who", "fromWho", "paoWho", "oya"):
            if name in tag:
                tag.attributes[name] = str(later[int(tag.attributes[name])])
        shown = {seat: tag.attributes.pop(f"hai{seat}") for seat in round_.seats if f"hai{seat}" in tag}
        turned = {f"hai{later[seat]}": tiles for seat, tiles in shown.items()}
        tag.attributes |= dict(sorted(turned.items()))
        if tag.is_result:
            changes = tag.numbers("sc")[1::2]
            move(tag, [changes[players - 1], *changes[: players - 1], *changes[players:]])
    round_.init.add("seed", WIND, 1)


def _turned(code: int, who: int, later: dict[int, int]) -> int:
    """Give the code of a meld, of which caller and feeder are the next seats."""
    if not code & 3:
        return code
    return code & ~3 | offset(later[(who + code) % 4], later[who])


def _replay_scores(round_: Round) -> list[int]:
    """Recompute the scores at deposits and results from the scores at the round's start; return the last."""
    scores = round_.init.numbers("ten")
    for tag in round_.tags:
        if tag.name == "REACH" and tag.attributes["step"] == "2":
            scores[tag.seat] -= STICK
            if "ten" in tag:
                tag.put("ten", scores)
        elif tag.is_result:
            changes = tag.numbers("sc")[1::2]
            tag.put("sc", [number for pair in zip(scores, changes, strict=True) for number in pair])
            scores = [score + change for score, change in zip(scores, changes, strict=True)]
        if min(scores) < 0:
            raise NoSite
    return scores


@fault("G102", "a round's start with one honba more or fewer")
def other_honba(game: Game, rng: random.Random) -> int:
    """Write another honba in INIT, but not in the result."""
    return _count_changed(game, rng, HONBA)


@fault("G103", "a round's start with one stick more or fewer")
def other_sticks(game: Game, rng: random.Random) -> int:
    """Write other sticks in INIT, but not in the result."""
    return _count_changed(game, rng, STICKS)


def _count_changed(game: Game, rng: random.Random, place: int) -> int:
    round_ = pick(rng, _later(game))
    round_.init.add("seed", place, pick(rng, (-1, 1) if round_.init.numbers("seed")[place] else (1,)))
    return round_.nth


@fault("G102", "a honba too many from a round on, paid so")
def honba_kept(game: Game, rng: random.Random) -> int:
    """Count one honba too many until the next win, which pays for it."""
    return _kept(game, rng, HONBA)


@fault("G103", "a stick too many from a round on, won so")
def sticks_kept(game: Game, rng: random.Random) -> int:
    """Count one stick too many until the next win, which takes it."""
    return _kept(game, rng, STICKS)


def _kept(game: Game, rng: random.Random, place: int) -> int:
    round_ = pick(rng, _later(game)[:-1])
    for each in game.rounds[round_.nth :]:
        each.init.add("seed", place, 1)
        for index in each.results:
            if place == HONBA or index == each.results[0]:
                game.tags[index].add("ba", place - 1, 1)
        if each.wins:
            win = Win(each, each.wins[0])
            won = win.round.nth, win.payments(win.points, liable=win.liable)
            # If the dealer wins, its honba plus one goes to the next round.
            if place == HONBA and win.round.dealer in {game.tags[index].seat for index in each.wins}:
                raise NoSite
            win.pay(won[1])
            return round_.nth
    raise NoSite


@fault("G104", "one more round after the end")
def round_too_many(game: Game, rng: random.Random) -> int:
    """Continue the game: a draw of the same dealer, taken from earlier in the game, becomes the next round."""
    last = game.rounds[-1]
    place, honba, sticks = _next(last)
    sites = [
        round_ for round_ in game.rounds if not round_.wins and round_.dealer == place % 4 and not _absent(round_)
        and not any(tag.name == "REACH" for tag in round_.tags)
    ]  # fmt: skip
    # Whether a leading dealer's tenpai ends a game is known only for later years.
    if place > game.table.last_place or (honba and place == _place(last) and game.year < TENPAI_STOPS):
        raise NoSite
    copied = _copy(pick(rng, sites))
    result = game.tags[last.results[-1]]
    scores, whole = ends_with(last.tags), final(game).whole
    del result.attributes["owari"]
    copied[0].put("seed", [place, honba, sticks, *copied[0].numbers("seed")[3:]])
    copied[0].put("ten", scores)
    for tag in copied:
        if tag.is_result:
            tag.put("ba", [honba, sticks])
            changes = tag.numbers("sc")[1::2]
            tag.put("sc", [number for pair in zip(scores, changes, strict=True) for number in pair])
            scores = [score + change for score, change in zip(scores, changes, strict=True)]
    _with_sticks(game, scores, sticks)
    game.tags[last.results[-1] + 1 : last.results[-1] + 1] = copied
    put_final(game, scores, whole=whole)
    return last.nth + 1


def _copy(round_: Round) -> list[Tag]:
    tags = [
        replace(tag, attributes=dict(tag.attributes)) for tag in round_.tags[: round_.results[-1] - round_.start + 1]
    ]
    for tag in tags:
        tag.attributes.pop("owari", None)
    return tags


def _next(round_: Round) -> tuple[int, int, int]:
    """Return place, honba and sticks for the next round: a dealer who wins or is tenpai stays."""
    place, honba, sticks = round_.init.numbers("seed")[:3]
    winners = {round_.game.tags[index].seat for index in round_.wins}
    abort = not winners and round_.result.attributes.get("type", "nm") != "nm"
    stays = abort or round_.dealer in winners or (not winners and f"hai{round_.dealer}" in round_.result)
    paid = sum(tag.name == "REACH" and tag.attributes["step"] == "2" for tag in round_.tags)
    return (
        place if stays else round_.game.table.next(place),
        honba + 1 if stays or not winners else 0,
        0 if winners else sticks + paid,
    )


def _with_sticks(game: Game, scores: list[int], sticks: int) -> None:
    """Give leftover sticks to the first."""
    scores[order(scores, game.table)[0]] += STICK * sticks


@fault("G105", "the last round is missing")
def round_too_few(game: Game, rng: random.Random) -> int:  # noqa: ARG001
    """End the game a round early, with the final scores and points of the round before."""
    *_, before, last = [None, *game.rounds]
    if before is None:
        raise NoSite
    whole = final(game).whole
    del game.tags[last.start : last.results[-1] + 1]
    scores = ends_with(before.tags)
    _with_sticks(game, scores, _next(before)[2])
    game.tags[before.results[-1]].attributes["owari"] = ""
    put_final(game, scores, whole=whole)
    return before.nth


@fault("G106", "one final score off, points as they were")
def final_score_off(game: Game, rng: random.Random) -> int:
    """Change one final score, by so little that the order stays."""
    end = final(game)
    scores = list(end.scores)
    scores[pick(rng, game.table.seats)] += pick(rng, (-2, -1, 1, 2))
    if order(scores, game.table) != order(end.scores, game.table):
        raise NoSite
    end.write(scores, end.points)
    return game.rounds[-1].nth


@fault("G106", "one final score off, and the points with it")
def final_score_off_with_points(game: Game, rng: random.Random) -> int:
    """Change one final score, and the points that depend on it."""
    end = final(game)
    scores = list(end.scores)
    scores[pick(rng, game.table.seats)] += pick(rng, (-10, -1, 1, 10))
    if order(scores, game.table) != order(end.scores, game.table):
        raise NoSite
    put_final(game, scores, whole=end.whole)
    return game.rounds[-1].nth


@fault("G106", "leftover sticks given to nobody")
def sticks_left(game: Game, rng: random.Random) -> int:  # noqa: ARG001
    """Leave the sticks of a last draw on the table."""
    end, (*_, sticks) = final(game), _next(game.rounds[-1])
    scores = list(end.scores)
    scores[order(scores, game.table)[0]] -= STICK * sticks
    if not sticks or order(scores, game.table) != order(end.scores, game.table):
        raise NoSite
    put_final(game, scores, whole=end.whole)
    return game.rounds[-1].nth


@fault("G106", "leftover sticks given to the second")
def sticks_to_second(game: Game, rng: random.Random) -> int:  # noqa: ARG001
    """Give the sticks of a last draw to another seat."""
    end, (*_, sticks) = final(game), _next(game.rounds[-1])
    scores = list(end.scores)
    first, second, *_ = order(scores, game.table)
    scores[first] -= STICK * sticks
    scores[second] += STICK * sticks
    if not sticks or order(scores, game.table) != order(end.scores, game.table):
        raise NoSite
    put_final(game, scores, whole=end.whole)
    return game.rounds[-1].nth


@fault("G107", "one seat's final points off")
def points_off(game: Game, rng: random.Random) -> int:
    """Change one seat's points."""
    end = final(game)
    points = list(end.points)
    points[pick(rng, game.table.seats)] += pick(rng, (-10, -1, 1, 10))
    end.write(end.scores, points)
    return game.rounds[-1].nth


@fault("G107", "two seats' final points exchanged")
def points_exchanged(game: Game, rng: random.Random) -> int:
    """Exchange the points of two seats, as if their ranks were."""
    end, seats = final(game), game.table.seats
    points = list(end.points)
    one, other = pick(
        rng, [(one, other) for one in seats for other in seats[one + 1 :] if points[one] != points[other]]
    )
    points[one], points[other] = points[other], points[one]
    end.write(end.scores, points)
    return game.rounds[-1].nth


@fault("G107", "another uma")
def other_uma(game: Game, rng: random.Random) -> int:
    """Use the uma of other tables."""
    end = final(game)
    uma = pick(rng, game.table.other_uma)
    points = list(end.points)
    for seat, ours, theirs in zip(order(end.scores, game.table), game.table.uma, uma, strict=True):
        points[seat] += theirs - ours
    end.write(end.scores, points)
    return game.rounds[-1].nth


@fault("G107", "no oka")
def no_oka(game: Game, rng: random.Random) -> int:  # noqa: ARG001
    """Do not give the oka to the first."""
    end = final(game)
    points = list(end.points)
    points[order(end.scores, game.table)[0]] -= game.table.oka
    end.write(end.scores, points)
    return game.rounds[-1].nth


@fault("G107", "two seats' ranks exchanged", form="paipu")
def ranks_exchanged(game: Paipu, rng: random.Random) -> None:
    """Exchange two places; points stay."""
    rank = game.record["paipu"]["rank"]
    one, other = pick(rng, [(one, other) for one in SLOTS for other in SLOTS[one + 1 :]])
    rank[one], rank[other] = rank[other], rank[one]
