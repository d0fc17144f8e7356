"""Finds hands that cannot exist: tiles, melds and situations that contradict each other, for whole columns at once.

The contradictions follow from the rules of the game. A riichi hand is closed. Ippatsu, rinshan and chankan exclude each
other, or other situations, by definition. The game has four copies of a tile, and as many red fives as the rules state.
It has at most four kans, and one indicator more than kans. ``auditor hand`` refuses an impossible hand; ``auditor
score`` reports its row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.hands.parsing import FLAGS, INDICATORS, MOST, NUMBERS, PLAYERS, WHOLE, by_kind, in_range
from engine.rules.rule_sets import for_players
from engine.shapes.shanten import shanten, thirteen_orphans
from engine.tiles.kinds import ALL_KINDS, KIND, KINDS, NORTH, SANMA, TILES, kinds_in, tile_name
from engine.tiles.melds import ACROSS, CHI, DAIMINKAN, NO_MELD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from auditor.hands.parsing import ParsedHands
    from engine.rules.rule_sets import RuleSet
    from engine.tiles.arrays import Bools, Ints

    Words = str | Callable[[int], str]
    Found = Iterator[tuple[Bools, Words]]

_EAST, _NORTH = 0, 3
_MISSING = list(kinds_in(ALL_KINDS & ~SANMA))
"""The kinds that three players do not have: 2m to 8m."""
_COPIES = 4
_OF_PON = 3
"""Copies in the pon that a robbed tile was added to."""


def contradictions(rows: ParsedHands, rules: RuleSet, *, won: Bools) -> pl.Series:
    """Return the contradictions in each row.

    Parameters
    ----------
    rows
        n rows. A row that cannot be read is an empty hand here, and its result is meaningless: look at
        ``rows.unreadable`` first.
    rules
        Rules that state the number of red fives, and what three players may do; as any number of players plays them.
    won
        Rows that claim a win, bool [n]. The other rows must not state how they won.

    Returns
    -------
    Series
        A text for each row, String [n]; null if there is no contradiction.
    """
    problems = pl.Series([None] * len(rows), dtype=pl.List(pl.String))
    found = [
        *_numbers(rows), *_three_players(rows), *_kita(rows, for_players(rules, PLAYERS[0])), *_tiles(rows, rules),
        *_situation(rows, for_players(rules, PLAYERS[0])), *_first_go_round(rows, for_players(rules, PLAYERS[0])),
        *_win(rows, won),
    ]  # fmt: skip
    columns = [_column(mask, words) for mask, words in found if mask.any()]
    if not columns:
        return problems.list.join("; ")
    frame = pl.DataFrame({str(number): column for number, column in enumerate(columns)})
    joined = pl.concat_list(pl.all()).list.drop_nulls().list.join("; ")
    return frame.select(pl.when(joined != "").then(joined)).to_series()


def is_won(rows: ParsedHands) -> Bools:
    """Return which rows hold a complete winning hand; bool [n]."""
    won: Bools = (rows.size == WHOLE) & (shanten(rows.hands.keys, rows.hands.n_melds) == -1)
    return won


def _column(mask: Bools, words: Words) -> pl.Series:
    """Return a column with the words where the mask is true, null elsewhere."""
    rows = np.flatnonzero(mask)
    texts = [words] * len(rows) if isinstance(words, str) else [words(row) for row in rows.tolist()]
    return pl.Series([None] * len(mask), dtype=pl.String).scatter(rows, texts)


def _numbers(rows: ParsedHands) -> Found:
    for name in NUMBERS:
        values = getattr(rows, name)
        yield ~in_range(name, values), _out_of_range(name, values)
    yield rows.starred, "the hand is marked * as in riichi, but riichi is 0"


def _out_of_range(name: str, values: Ints) -> Callable[[int], str]:
    return lambda row: out_of_range(name, int(values[row]))


def out_of_range(name: str, value: int) -> str:
    """Say that a number is out of its range."""
    return f"{name} {value} is not between 0 and {MOST[name]}"


def _three_players(rows: ParsedHands) -> Found:
    """Find tiles and seats that three players do not have."""
    missing = by_kind(rows)[:, _MISSING] > 0
    yield (
        rows.sanma & missing.any(axis=1),
        lambda row: f"{tile_name(_MISSING[int(missing[row].argmax())])}: three players play without 2m to 8m",
    )
    yield rows.sanma & (rows.seat == _NORTH), "seat N: three players have no North seat"
    across = (rows.feeder == ACROSS) | (rows.hands.meld_from == ACROSS).any(axis=1)
    yield rows.sanma & across, "mark = with three players: mark the next seat + and the seat before it -"


def _kita(rows: ParsedHands, rules: RuleSet) -> Found:
    """Find what nobody can do with a North, and calls that the rules of three players do not have."""
    aside, robbed = (rows.kita > 0) & in_range("kita", rows.kita), rows.flags["on_kita"]
    for here, name in ((aside, "kita"), (robbed, "on kita")):
        yield here & ~rows.sanma, f"{name} with four players: North is set aside with three only"
        yield here & rows.sanma & (rules.kita is False), f"{name}, but the rules have no kita"
    yield robbed & rows.sanma & (rules.kita_ron is False), "on kita: the rules have no ron on a North set aside"
    yield robbed & (rows.feeder == 0), "on kita on a tsumo: another seat set the North aside"
    yield robbed & (rows.win >= 0) & (rows.win != NORTH), "on kita with another winning tile than North"
    yield robbed & rows.flags["chankan"], "on kita with chankan: a North set aside is no kan"
    yield robbed & rows.flags["last_tile"], "on kita with the last tile: a replacement is still to be drawn"
    chi = (rows.hands.meld_type == CHI).any(axis=1)
    yield rows.sanma & chi & (rules.chi is False), "chi: the rules of three players have none"


def _tiles(rows: ParsedHands, rules: RuleSet) -> Found:
    """Find more tiles than the game has."""
    counts = by_kind(rows)
    robbed = rows.flags["chankan"] & (rows.win >= 0)
    row, kind = np.arange(len(rows)), KIND[np.maximum(rows.win, 0)]
    elsewhere = counts[row, kind] - 1
    yield (
        robbed & (elsewhere > _COPIES - 1 - _OF_PON) & (elsewhere < _COPIES),
        lambda row: f"chankan with another {tile_name(int(kind[row]))} in sight: the robbed kan holds all others",
    )
    most = counts.argmax(axis=1)
    yield (
        counts.max(axis=1) > _COPIES,
        lambda row: (
            f"{counts[row, most[row]]} copies of {tile_name(int(most[row]))} in hand, melds and other tiles seen"
        ),
    )
    for red, number in zip(range(KINDS, TILES), rules.red_fives or (_COPIES,) * 3, strict=True):
        reds = rows.tiles[:, red]
        yield (reds > number) & (reds <= _COPIES), _too_red(red, reds, number)
    yield rows.shown > INDICATORS, lambda row: f"{rows.shown[row]} dora indicators: four kans give {INDICATORS}"
    # Every round has a dora indicator, so a row without one leaves them out: its ura dora are not compared with them.
    yield (
        (rows.shown > 0) & (rows.below > rows.shown),
        lambda row: f"more ura dora indicators ({rows.below[row]}) than dora indicators ({rows.shown[row]})",
    )
    yield (rows.below > 0) & (rows.riichi <= 0), "ura dora indicators without riichi"


def _too_red(red: int, reds: Ints, number: int) -> Callable[[int], str]:
    return lambda row: f"{reds[row]} red {tile_name(int(KIND[red]))}: the rules have {number}"


def _situation(rows: ParsedHands, rules: RuleSet) -> Found:
    """Find situations that exclude each other; `rules` are those of three players."""
    flag = rows.flags
    tsumo, riichi = rows.feeder == 0, rows.riichi > 0
    kan, aside = (rows.hands.meld_type >= DAIMINKAN).any(axis=1), rows.kita > 0
    yield riichi & ~rows.hands.closed, "riichi with an open hand"
    yield flag["ippatsu"] & ~riichi, "ippatsu without riichi"
    yield flag["rinshan"] & ~tsumo, "rinshan on a ron: it is a win by the tile drawn after an own kan"
    yield flag["rinshan"] & ~kan & ~aside & ~rows.sanma, "rinshan without a kan among the melds"
    yield flag["rinshan"] & ~kan & ~aside & rows.sanma, "rinshan without a kan among the melds, and without kita"
    ended = kan & ~aside | (rules.kita_interrupts is True)
    yield flag["rinshan"] & flag["ippatsu"] & ended, "rinshan with ippatsu: an own kan or kita ends ippatsu"
    yield flag["rinshan"] & flag["last_tile"], "rinshan with the last tile: a tile drawn after a kan is never haitei"
    yield flag["chankan"] & tsumo, "chankan on a tsumo: a kan is robbed from another seat"
    yield flag["chankan"] & flag["last_tile"], "chankan with the last tile: a robbed kan is no last discard"


def _first_go_round(rows: ParsedHands, rules: RuleSet) -> Found:
    """Find what is impossible before the first call: in the first turn, and in ippatsu after double riichi.

    `rules` are those of three players.
    """
    flag = rows.flags
    first, double = flag["first_turn"], (rows.riichi > 1) & flag["ippatsu"]
    melds = (rows.hands.meld_type != NO_MELD).any(axis=1)
    # Thirteen orphans can rob a concealed kan, which counts as a call only from its replacement draw on.
    robbed = flag["chankan"] & (thirteen_orphans(rows.hands.keys) == -1)
    for here, name in ((first, "first turn"), (double & ~first, "ippatsu of a double riichi")):
        yield here & melds, f"{name} with melds: it ends with the first call or kan"
        yield here & (rows.kita > 0) & (rules.kita_interrupts is True), f"{name} with kita, which ends it"
        yield here & flag["last_tile"], f"{name} with the last tile"
        yield here & flag["chankan"] & ~robbed, f"{name} with chankan: a pon went before the kan"
        yield here & (rows.shown > 1) & ~robbed, f"{name} with more than one dora indicator: a kan went before"
    yield first & (rows.riichi > 0), "first turn with riichi: it is before the first own discard"
    yield (
        first & (rows.feeder > 0) & (rows.seat == _EAST),
        "first turn on a ron by East, who discards before all others",
    )


def _win(rows: ParsedHands, won: Bools) -> Found:
    """Find claimed wins that are no winning hands, and circumstances of a win for hands that are not won."""
    whole = rows.size == WHOLE

    def tile(row: int) -> str:
        return tile_name(int(rows.win[row]))

    yield won & ~whole, lambda row: f"not {WHOLE} tiles but {rows.size[row]}, melds counted as three"
    yield (
        won & whole & ~rows.holds & (rows.win >= 0),
        lambda row: f"the winning tile {tile(row)} is not among the concealed tiles",
    )
    open_all = won & whole & (rows.win < 0)
    yield open_all, "no winning tile"
    none = won & whole & rows.holds & ~is_won(rows)
    yield none & rows.stated, lambda row: f"no winning hand: {tile(row)} does not complete it"
    yield none & ~rows.stated, "no winning hand"
    for name in FLAGS:
        yield rows.flags[name] & ~won, f"{name.replace('_', ' ')}, but the hand is not won"
