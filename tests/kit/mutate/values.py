"""Faults of a win's value: yaku, han, fu, points, dora (W104 to W108).

In "value left" only the list is wrong; in "paid so" value, payment and later scores follow it, as with a bug.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.mutate.fault import NoSite, fault, pick
from tests.kit.mutate.points import BONUS, DORA, RED, URA, Win, wins

if TYPE_CHECKING:
    import random

    from tests.kit.mutate.mjlog import Game

OPEN_HAN = {23: 1, 24: 1, 25: 1, 33: 2, 34: 2, 35: 5}
"""Yaku that are worth one han more in a closed hand."""
SWAPPABLE = (8, 9, *range(10, 21), 24, 25, 28, 29)
"""Yaku that are easily named instead of another."""


def _ordinary(game: Game) -> list[Win]:
    """Return wins that list yaku with han, below a counted yakuman even after a fault."""
    return [win for win in wins(game) if win.yaku and win.han < 12]


def _drop(game: Game, rng: random.Random) -> Win:
    win, number = pick(rng, [(win, number) for win in _ordinary(game) if len(win.named) > 1 for number in win.named])
    win.list_yaku({other: han for other, han in win.yaku.items() if other != number})
    return win


@fault("W104", "yaku dropped, value left")
def yaku_dropped(game: Game, rng: random.Random) -> int:
    """Leave a yaku out of the list."""
    return _drop(game, rng).round.nth


@fault("W104", "yaku dropped and paid so")
def yaku_dropped_paid(game: Game, rng: random.Random) -> int:
    """Miss a yaku; value, payment and all later scores follow the list."""
    win = _drop(game, rng)
    win.revalue()
    return win.round.nth


def _foreign(win: Win, rng: random.Random) -> int:
    number: int = pick(rng, [number for number in SWAPPABLE if number not in win.yaku])
    return number


@fault("W104", "yaku added, value left")
def yaku_added(game: Game, rng: random.Random) -> int:
    """List a yaku too many."""
    win = pick(rng, _ordinary(game))
    win.list_yaku({_foreign(win, rng): 1} | win.yaku)
    return win.round.nth


@fault("W104", "yaku added and paid so")
def yaku_added_paid(game: Game, rng: random.Random) -> int:
    """Count a yaku that is not there; value, payment and later scores follow."""
    win = pick(rng, _ordinary(game))
    win.list_yaku({_foreign(win, rng): 1} | win.yaku)
    win.revalue()
    return win.round.nth


@fault("W104", "yaku named as another of as many han")
def yaku_swapped(game: Game, rng: random.Random) -> int:
    """List another yaku; value and payment stay right."""
    win = pick(rng, _ordinary(game))
    old, new = pick(rng, win.named), _foreign(win, rng)
    win.list_yaku({new if number == old else number: han for number, han in win.yaku.items()})
    return win.round.nth


@fault("W104", "yakuman named as another")
def yakuman_swapped(game: Game, rng: random.Random) -> int:
    """List another yakuman."""
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
    """List a han too many."""
    return _overcounted(game, rng).round.nth


@fault("W105", "a yaku's han one too many and paid so")
def han_raised_paid(game: Game, rng: random.Random) -> int:
    """Count a yaku too high: value, payment and later scores follow."""
    win = _overcounted(game, rng)
    win.revalue()
    return win.round.nth


@fault("W105", "open hand's yaku with the han of a closed one, paid so")
def closed_han(game: Game, rng: random.Random) -> int:
    """Keep the closed han of honitsu, sanshoku and the like in an open hand."""
    sites = [
        (win, number) for win in _ordinary(game) for number in OPEN_HAN.keys() & win.yaku.keys()
        if win.yaku[number] == OPEN_HAN[number]
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
    """State other fu beside the right value."""
    win = pick(rng, wins(game))
    win.tag.put("ten", [_other_fu(win, rng), win.points, win.limit])
    return win.round.nth


@fault("W106", "other fu and paid so")
def fu_changed_paid(game: Game, rng: random.Random) -> int:
    """Count other fu; value, payment and later scores follow."""
    win = pick(rng, [win for win in wins(game) if win.limit == 0])
    win.revalue(_other_fu(win, rng))
    return win.round.nth


@fault("W107", "other points, paid rightly")
def points_changed(game: Game, rng: random.Random) -> int:
    """State other points than are paid."""
    win = pick(rng, wins(game))
    more = pick(rng, [more for more in (-1000, -300, -100, 100, 300, 1000, 8000) if win.points + more > 0])
    win.state(win.points + more, win.limit)
    return win.round.nth


@fault("W107", "other points, paid so")
def points_changed_paid(game: Game, rng: random.Random) -> int:
    """State and pay a ron with a value that fu and han do not give."""
    win = pick(rng, [win for win in wins(game) if not win.tsumo])
    points = win.points + pick(rng, [more for more in (-1000, -300, -100, 100, 300, 1000) if win.points + more > 0])
    win.state(points, win.limit)
    win.pay(win.payments(points))
    return win.round.nth


@fault("W107", "other limit")
def limit_changed(game: Game, rng: random.Random) -> int:
    """State the limit above or below."""
    win = pick(rng, [win for win in wins(game) if not (win.limit == 1 and win.han < 5)])
    win.state(win.points, pick(rng, [limit for limit in (win.limit - 1, win.limit + 1) if 0 <= limit <= 5]))
    return win.round.nth


@fault("W107", "mangan of fewer than five han not called one")
def mangan_unnamed(game: Game, rng: random.Random) -> int:
    """State limit 0 for a mangan by fu (40 fu 4 han and the like)."""
    win = pick(rng, [win for win in wins(game) if win.limit == 1 and win.han < 5])
    win.state(win.points, 0)
    return win.round.nth


@fault("W107", "30 fu 4 han rounded up to mangan, paid so")
def kiriage(game: Game, rng: random.Random) -> int:
    """Round 7,700 (11,600) up, although the rules do not."""
    win = pick(rng, [win for win in wins(game) if (win.fu, win.han) in ((30, 4), (60, 3))])
    points, limit = win.value(win.fu, 5)
    win.state(points, limit)
    win.pay(win.payments(points))
    return win.round.nth


def with_han(win: Win, number: int, han: int) -> None:
    """Write the han of one kind of dora, at its place in the list."""
    kept = win.yaku | {number: han}
    ordered = sorted(kept.items(), key=lambda pair: pair[0] if pair[0] in BONUS else -1)
    win.list_yaku({key: count for key, count in ordered if count or key == URA})


@fault("W108", "a dora too many, value left")
def dora_added(game: Game, rng: random.Random) -> int:
    """List a dora too many."""
    win = pick(rng, _ordinary(game))
    with_han(win, DORA, win.yaku.get(DORA, 0) + 1)
    return win.round.nth


@fault("W108", "dora dropped and paid so")
def dora_dropped_paid(game: Game, rng: random.Random) -> int:
    """Count no dora; value, payment and later scores follow."""
    win = pick(rng, [win for win in _ordinary(game) if DORA in win.yaku])
    with_han(win, DORA, 0)
    win.revalue()
    return win.round.nth


@fault("W108", "red fives miscounted, value left")
def red_changed(game: Game, rng: random.Random) -> int:
    """List a red five more or fewer."""
    win = pick(rng, _ordinary(game))
    red = win.yaku.get(RED, 0)
    with_han(win, RED, pick(rng, [red + 1, red - 1] if red else [1]))
    return win.round.nth


@fault("W108", "red fives not counted and paid so")
def red_dropped_paid(game: Game, rng: random.Random) -> int:
    """Count no red fives; value, payment and later scores follow."""
    win = pick(rng, [win for win in _ordinary(game) if RED in win.yaku])
    with_han(win, RED, 0)
    win.revalue()
    return win.round.nth


@fault("W108", "ura dora miscounted, value left")
def ura_changed(game: Game, rng: random.Random) -> int:
    """List an ura dora more or fewer."""
    win = pick(rng, [win for win in _ordinary(game) if URA in win.yaku])
    ura = win.yaku[URA]
    with_han(win, URA, pick(rng, [ura + 1, ura - 1] if ura else [1]))
    return win.round.nth


@fault("W108", "other ura indicator")
def ura_indicator(game: Game, rng: random.Random) -> int:
    """Replace an ura indicator by a tile that makes other dora, where no other winner shows it too."""
    sites = []
    for win in _ordinary(game):
        if sum("doraHaiUra" in game.tags[index] for index in win.round.wins) > 1:
            continue
        for place, tile in enumerate(win.tag.numbers("doraHaiUra")):
            sites += [(win, place, new) for new in win.round.unused if _made(win, new) != _made(win, tile)]
    win, place, new = pick(rng, sites)
    indicators = win.tag.numbers("doraHaiUra")
    indicators[place] = new
    win.tag.put("doraHaiUra", indicators)
    return win.round.nth


@fault("W112", "ura indicator told twice")
def ura_twice(game: Game, rng: random.Random) -> int:
    """Repeat one of the ura indicators, in place of another or after all."""
    win, shown, _ = _shown(game, rng, "doraHaiUra")
    again = pick(rng, shown)
    others = [place for place, tile in enumerate(shown) if tile != again]
    if others and rng.random() < 1 / 2:
        shown[pick(rng, others)] = again
    else:
        shown.append(again)
    win.tag.put("doraHaiUra", shown)
    return win.round.nth


@fault("W112", "one ura indicator more than indicators")
def ura_more(game: Game, rng: random.Random) -> int:
    """Add a tile of the wall to the ura indicators."""
    win, shown, unused = _shown(game, rng, "doraHaiUra")
    win.tag.put("doraHaiUra", [*shown, pick(rng, [tile for tile in unused if tile not in shown])])
    return win.round.nth


@fault("W112", "one ura indicator fewer than indicators")
def ura_fewer(game: Game, rng: random.Random) -> int:
    """Leave out one of several."""
    win = pick(rng, [win for win in wins(game) if len(win.tag.numbers("doraHaiUra")) > 1])
    win.tag.put("doraHaiUra", win.tag.numbers("doraHaiUra")[:-1])
    return win.round.nth


@fault("W112", "ura indicator that is in play")
def ura_in_play(game: Game, rng: random.Random) -> int:
    """Show a tile that somebody holds, discarded or melded, or that is turned."""
    win, shown, _ = _shown(game, rng, "doraHaiUra")
    shown[rng.randrange(len(shown))] = pick(rng, sorted(_in_play(win) - set(shown)))
    win.tag.put("doraHaiUra", shown)
    return win.round.nth


def _in_play(win: Win) -> set[int]:
    """Return the tiles dealt, drawn and turned in a win's round."""
    moves = {tag.move.tile for tag in win.round.tags if tag.move}
    return moves | set(win.concealed) | set(win.tag.numbers("doraHai"))


def _made(win: Win, indicator: int) -> int:
    """Count the tiles without melds that an indicator makes dora; no site if there are melds."""
    if win.open:
        raise NoSite
    following = win.round.game.table.dora(indicator)
    return sum(tile // 4 == following for tile in [*win.concealed, *win.norths])


def _shown(game: Game, rng: random.Random, attribute: str) -> tuple[Win, list[int], list[int]]:
    """Choose a win that shows such indicators; give it with them and the tiles not in play."""
    win = pick(rng, [win for win in wins(game) if attribute in win.tag])
    return win, win.tag.numbers(attribute), win.round.unused


@fault("W108", "another dora indicator shown at a win")
def indicator_changed(game: Game, rng: random.Random) -> int:
    """Name a tile in doraHai that was not turned."""
    win, shown, unused = _shown(game, rng, "doraHai")
    shown[rng.randrange(len(shown))] = pick(rng, unused)
    win.tag.put("doraHai", shown)
    return win.round.nth


@fault("W108", "one dora indicator more shown at a win")
def indicator_more(game: Game, rng: random.Random) -> int:
    """Add a tile to doraHai that was not turned."""
    win, shown, unused = _shown(game, rng, "doraHai")
    win.tag.put("doraHai", [*shown, pick(rng, unused)])
    return win.round.nth


@fault("W108", "one dora indicator fewer shown at a win")
def indicator_less(game: Game, rng: random.Random) -> int:
    """Leave one of several indicators out of doraHai."""
    win = pick(rng, [win for win in wins(game) if len(win.tag.numbers("doraHai")) > 1])
    win.tag.put("doraHai", win.tag.numbers("doraHai")[:-1])
    return win.round.nth
