"""A table and the event as text: a seat has a line each for its hand, its melds and its river.

Lines are as wide as the terminal, at most 120 columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

from auditor.base import printing
from auditor.log.tile_ids import KIND, NONE, ORDER, TILE_NAMES, name
from auditor.log.words import ABORTS, WIND_LETTERS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from auditor.show.actions import Act, Result
    from auditor.show.hands import Hand
    from auditor.show.moment import Moment, Seat
    from auditor.show.open_tiles import Discard, TableMeld, Tile

Names: TypeAlias = Mapping[int, str]

_NAMES: Names = {**TILE_NAMES, NONE: "?"}
_PLAIN_NAMES: Names = {tile_id: text.replace("0", "5") for tile_id, text in _NAMES.items()}
"""Names for a set without red fives: the tile ids of red fives are ordinary fives."""

WIDTH = 120
_LABEL = 12
_ROW = 6
"""Discards in a row of the river."""

LEGEND = """\
Each table is as the event finds it. > seat that acts, [ ] tile that the event moves, + tile drawn or won, _ discard of
the tile just drawn, * discard with riichi, <1 from seat 1, >2 called by seat 2."""

_DRAWS = {
    "exhaustive": "drawn, the wall is exhausted",
    "nagashi": "drawn with nagashi mangan",
    **{reason: f"aborted, {cause}" for reason, cause in ABORTS.items()},
}


def wrapped(text: str, before: str = "", after: str = " " * _LABEL) -> list[str]:
    """Return a text as lines that fit; ``before`` is put before the first line, ``after`` before the others."""
    return printing.wrapped(text, before, after, min(printing.width(), WIDTH))


def labelled(label: str, text: str) -> list[str]:
    """Return a text with a label before it, as lines."""
    return wrapped(text, f"  {label:<{_LABEL - 2}}")


def lines(moment: Moment, seat: int | None) -> list[str]:
    """Return the table and the event as lines; a ``>`` marks the seats that act and the finding's ``seat``."""
    names = _NAMES if moment.reds else _PLAIN_NAMES
    left = f"{moment.left} tile{'' if moment.left == 1 else 's'} left"
    indicators = " ".join(_tile(tile, names) for tile in moment.indicators) or "not known"
    sticks = "?" if moment.sticks is None else moment.sticks
    found = labelled("table", f"{left}, indicators {indicators}, sticks {sticks}")
    for number, each in enumerate(moment.seats):
        wind = "?" if moment.dealer is None else WIND_LETTERS[(number - moment.dealer) % len(moment.seats)]
        drawn = _seat(f"seat {number} {wind}", each, names)
        found += [f">{drawn[0][1:]}", *drawn[1:]] if each.acts or number == seat else drawn
    for label, acts in (("before", moment.before), ("event", moment.event)):
        for at, (event, same) in enumerate(groupby(acts, key=lambda act: act.event)):
            text = "; ".join(describe_act(act, names) for act in same)
            found += labelled("" if at else label, f"{event}: {text}")
    return found


def _seat(label: str, seat: Seat, names: Names) -> list[str]:
    score = "?" if seat.score is None else seat.score
    riichi = "  in riichi" if seat.riichi else ""
    found = labelled(label, f"{score:>6}  {_hand(seat.hand, names)}{riichi}")
    if seat.melds:
        found += labelled("  melds", ", ".join(_meld(meld, names) for meld in seat.melds))
    if seat.kita:
        found += labelled("  kita", " ".join(_tile(tile, names) for tile in seat.kita))
    if seat.river:
        tiles = [_discard(each, names) for each in seat.river]
        rows = [" ".join(tiles[at : at + _ROW]) for at in range(0, len(tiles), _ROW)]
        found += labelled("  river", "  ".join(rows))
    if seat.hand.shown is not None:
        found += labelled("  shown", _tiles(seat.hand.shown, names) or "nothing")
    return found + [line for doubt in _doubts(seat.hand) for line in labelled("  doubt", doubt)]


def _hand(hand: Hand, names: Names) -> str:
    by_suit = groupby(hand.tiles, key=lambda tile: min(int(KIND[tile.tile_id]) // 9, 3))
    suits = [" ".join(_tile(tile, names) for tile in tiles) for _, tiles in by_suit] if hand.dealt else ["not known"]
    last = [] if hand.drawn is None else [f"+ {_tile(hand.drawn, names)}"]
    last += [] if hand.won is None else [f"+ [{names[hand.won]}]"]
    return "  ".join(suits + last)


def _doubts(hand: Hand) -> list[str]:
    """Return the reasons not to trust a hand."""
    found = [f"gave away {_named(hand.lacking)} without holding it"] if hand.lacking else []
    found += [f"the round has {_named(hand.twice)} too often"] if hand.twice else []
    if not hand.dealt:
        return ["its deal is missing, or cannot be read", *found]
    if not hand.trusted and not found:
        found.append("this hand goes wrong in this round; it is shown as far as the log tells")
    return found


def _named(tile_ids: Iterable[int]) -> str:
    """Return tiles with their ids, as findings about single tiles name them."""
    return ", ".join(name(tile_id) for tile_id in tile_ids)


def _tile(tile: Tile, names: Names) -> str:
    text = names[tile.tile_id]
    return f"[{text}]" if tile.moved else text


def _tiles(tile_ids: Iterable[int], names: Names) -> str:
    ordered = sorted(tile_ids, key=lambda tile_id: (ORDER[tile_id], tile_id))
    return " ".join(names[tile_id] for tile_id in ordered)


def _discard(discard: Discard, names: Names) -> str:
    marks = ("_" if discard.tsumogiri else "") + ("*" if discard.riichi else "")
    called = "" if discard.called_by is None else f">{discard.called_by}"
    return f"{_tile(discard.tile, names)}{marks}{called}"


def _meld(meld: TableMeld, names: Names) -> str:
    tiles = [_tile(tile, names) for tile in meld.tiles]
    if meld.source is not None and tiles:
        tiles[0] += f"<{meld.source}"
    return " ".join([meld.kind, *tiles])


_SAID = {
    "deal": "the round is dealt",
    "draw": "{who} draws {tile}",
    "discard": "{who} discards {tile}",
    "riichi": "{who} declares riichi",
    "deposit": "{who} pays its riichi stick",
    "dora": "the indicator {tile} is turned",
    "kita": "{who} sets {tile} aside (kita)",
    "leave": "{who} leaves",
    "return": "{who} is back",
}


def describe_act(act: Act, names: Names) -> str:
    """Return an act as a sentence."""
    who = "some seat" if act.seat is None else f"seat {act.seat}"
    tile = "?" if act.tile_id is None else names[act.tile_id]
    if act.result is not None:
        return _result(act.result, who, tile, names)
    if act.kind in _SAID:
        return _SAID[act.kind].format(who=who, tile=tile)
    others = " ".join(names[tile_id] for tile_id in act.others)
    if act.kind == "ankan":
        return f"{who} makes an ankan of {tile} {others}"
    if act.kind == "kakan":
        return f"{who} makes a kakan: {tile} to {others}"
    source = "an unknown seat" if act.source is None else f"seat {act.source}"
    return f"{who} calls {act.kind} of {tile} from {source} with {others}"


def _result(result: Result, who: str, tile: str, names: Names) -> str:
    deltas = "" if result.deltas is None else "; changes " + " ".join(f"{each:+d}" for each in result.deltas)
    if result.reason != "win":
        seats = " ".join(map(str, sorted(result.shown)))
        shown = f"; hands are shown by seat {seats}" if seats else ""
        return f"the round is {_DRAWS.get(result.reason or '', 'over, reason not stated')}{shown}{deltas}"
    source = "an unknown seat" if result.payer is None else f"seat {result.payer}"
    by = "its own draw" if result.payer == result.winner else f"a tile of {source}"
    ura = f"; indicators below {_tiles(result.ura, names)}" if result.ura else ""
    points = "" if result.points is None else f", {result.points} points"
    return f"{who} wins on {tile}, {by}{points}{ura}{deltas}"
