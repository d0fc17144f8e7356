"""Reads the rows of a table of hands into arrays. Whether a hand can exist in play is judged elsewhere.

Tiles are written in the grammar of `engine.tiles.tokens`. The command for one hand reads a table of one row.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from engine.tiles.hands import Hands
from engine.tiles.kinds import KIND, KINDS, NO_TILE, NORTH, TILES
from engine.tiles.melds import ACROSS, LEFT, PON
from engine.tiles.notation import read_hands, read_lists, read_singles
from engine.yaku.wins import Wins

if TYPE_CHECKING:
    from engine.rules.rule_sets import RuleSet
    from engine.tiles.arrays import I8, U8, Bools, Ints
    from engine.tiles.faults import Faults

FLAGS = ("ippatsu", "rinshan", "chankan", "last_tile", "first_turn", "on_kita")
NUMBERS = ("riichi", "kita", "honba", "sticks")
TEXTS = ("hand", "win", "seat", "round", "dora", "ura", "yaku")
TILES_IN: tuple[str, ...] = ("hand", "win", "dora", "ura", "visible")
"""Texts of tiles: a hand, a single tile, and lists."""
WHOLE = 14
"""Tiles of a won hand, each meld counted as three."""
INDICATORS = 5
PLAYERS = (3, 4)
LONGEST = 40
"""The most characters of a wrong cell that a message quotes."""
_WIND = {"E": 0, "S": 1, "W": 2, "N": 3}
_MISSING = {"seat": "S", "round": "E"}


@dataclass(frozen=True, slots=True)
class ParsedHands:
    """The hands and situations that n rows describe.

    Attributes
    ----------
    hands
        Hands, the winning tile included; empty where the text cannot be read.
    size
        Tiles, melds counted as three; int64 [n].
    win
        The winning tile, 0 to 36: the one stated, else the concealed tile that is written last, -1 for none.
    stated
        The row states the winning tile beside the hand; bool [n].
    holds
        The concealed tiles hold the winning tile; bool [n]. A plain five names a red one too.
    feeder
        Relative seat that gave it, 0 for an own draw; int64 [n].
    tiles
        Copies of each tile in sight, 0 to 36: hand, melds, Norths set aside, indicators, other visible tiles;
        int64 [n, 37].
    dora, ura
        Kinds of indicators, padded with 255; uint8 [n, 5]. ``shown`` and ``below`` count them; int64 [n].
    seat, round
        Winds, 0 East; int8 [n].
    players
        How many play, 3 or 4; int64 [n].
    riichi, kita, honba, sticks
        As given, even out of range; int64 [n]. Where a row does not say ``riichi``, a ``*`` in the hand means 1.
        ``kita`` counts the Norths that the winner set aside.
    starred
        The hand is marked ``*``, though the row says riichi 0; bool [n].
    flags
        ``ippatsu``, ``rinshan``, ``chankan``, ``last_tile``, ``first_turn``, ``on_kita``; bool [n] each.
    unreadable
        Which text of the row cannot be read, where and why; null if all can be read; String [n].
    """

    hands: Hands
    size: Ints
    win: Ints
    stated: Bools
    holds: Bools
    feeder: Ints
    tiles: Ints
    dora: U8
    ura: U8
    shown: Ints
    below: Ints
    seat: I8
    round: I8
    players: Ints
    riichi: Ints
    kita: Ints
    honba: Ints
    sticks: Ints
    starred: Bools
    flags: dict[str, Bools]
    unreadable: pl.Series

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.size)

    @property
    def sanma(self) -> Bools:
        """Flag the rows of three players; bool [n]."""
        three: Bools = self.players == PLAYERS[0]
        return three

    def wins(self) -> Wins:
        """Return the rows as wins, the winner in seat 0; a number out of range becomes 0.

        Three players sit at a table for four whose last seat is empty: the seat before seat 0 is seat 2, across.
        """
        numbers = {name: np.where(in_range(name, values := getattr(self, name)), values, 0) for name in NUMBERS}
        kans = (self.hands.meld_type > PON).any(axis=1)
        return Wins.of(
            replace(self.hands, meld_from=self._from_seat_0(self.hands.meld_from, self.sanma[:, None]).astype(np.int8)),
            KIND[np.maximum(self.win, 0)],
            tsumo=self.feeder == 0,
            winner=0,
            payer=self._from_seat_0(self.feeder, self.sanma),
            dealer=(self.players - self.seat) % self.players,
            players=self.players,
            seat_wind=self.seat,
            round_wind=self.round,
            dora=self.dora,
            ura=self.ura,
            norths=numbers.pop("kita"),
            # Whoever has both a kan and a North is taken to have drawn for the kan: that matters to liability only.
            after_kita=self.flags["rinshan"] & ~kans,
            **self.flags,
            **numbers,
        )

    @staticmethod
    def _from_seat_0(marked: Ints, sanma: Bools) -> Ints:
        """Give the relative seats of marks as the engine needs them."""
        return np.where(sanma & (marked == LEFT), ACROSS, marked)


MOST = {"riichi": 2, "kita": 4, "honba": 999, "sticks": 999}
"""The largest value of each number; no game has seen a thousand counters or sticks."""


def in_range(name: str, values: Ints) -> Bools:
    """Return which values of a number are possible; bool [n]."""
    return (values >= 0) & (values <= MOST[name])


def in_writing(column: pl.Series) -> pl.Series:
    """Return a column of tiles as texts: lists are joined by spaces, lists of lists (melds) by commas.

    An empty or missing entry of a list becomes ``?``. That is no tile, so the row is reported as unreadable.
    """
    if isinstance(column.dtype, pl.Array):
        column = column.arr.to_list()
    if column.dtype == pl.List(pl.List(pl.String)):
        column = column.list.eval(pl.element().list.eval(_entry()).list.join(" "))
        return column.list.eval(pl.element().fill_null("?")).list.join(",")
    return column.list.eval(_entry()).list.join(" ") if column.dtype == pl.List(pl.String) else column


def _entry() -> pl.Expr:
    return pl.when(pl.element().str.strip_chars() != "").then(pl.element()).otherwise(pl.lit("?"))


def parse_hands(known: pl.DataFrame, rules: RuleSet) -> ParsedHands:
    """Read the rows of a table. Where a row does not say how many play, the rules do; else four play.

    ``known`` has the columns of ``TEXTS`` as texts, of ``FLAGS`` as booleans, of ``NUMBERS`` and
    ``players`` as integers, null where a row does not say; ``visible``, other tiles in sight, may be missing.
    """
    count = len(known)
    texts = {name: _texts(known, name) for name in TILES_IN if name in known.columns}
    written = read_hands(texts["hand"])
    apart, feeder, win_faults = read_singles(texts["win"])
    stated = np.array([bool(text) for text in texts["win"]], dtype=np.bool_)
    lists = {name: read_lists(texts[name]) for name in TILES_IN[2:] if name in texts}
    size = written.concealed.sum(axis=1) + 3 * (written.meld_type > 0).sum(axis=1)
    added = (apart >= 0) & (size == WHOLE - 1)
    concealed = written.concealed.copy()
    concealed[np.flatnonzero(added), apart[added]] += 1
    win = np.where(stated, apart, written.last)
    # The keys of a hand have no room for a fifth copy; `tiles` keeps it, and contradictions.py reports it.
    counts = np.minimum(_by_kind(concealed), 4)
    reds = (concealed + written.melded)[:, KINDS:].sum(axis=1)
    riichi = known["riichi"]
    tiles = concealed + written.melded
    for row, tile, _ in lists.values():
        tiles = tiles + _tally(row, tile, count)
    kita = _number(known, "kita")
    tiles[:, NORTH] += np.where(in_range("kita", kita), kita, 0)
    faults = {"hand": written.faults, "win": win_faults, **{name: found[2] for name, found in lists.items()}}
    if len(win_faults.row):
        faults["win"] = _of_rows(win_faults, stated)
    dora, ura = (_indicators(*lists[name][:2], count) for name in ("dora", "ura"))
    return ParsedHands(
        hands=Hands.from_counts(counts, written.meld_type, written.meld_tile, written.meld_from, reds),
        size=size + added,
        win=win,
        stated=stated,
        holds=_holds(concealed, win),
        feeder=feeder,
        tiles=tiles,
        dora=dora,
        ura=ura,
        shown=np.bincount(lists["dora"][0], minlength=count),
        below=np.bincount(lists["ura"][0], minlength=count),
        seat=_wind(known, "seat"),
        round=_wind(known, "round"),
        players=known["players"].fill_null(rules.players or PLAYERS[1]).to_numpy(),
        riichi=np.where(written.star & riichi.is_null().to_numpy(), 1, _number(known, "riichi")),
        kita=kita,
        honba=_number(known, "honba"),
        sticks=_number(known, "sticks"),
        starred=written.star & (riichi == 0).fill_null(value=False).to_numpy(),
        flags={name: known[name].fill_null(value=False).to_numpy() for name in FLAGS},
        unreadable=_unreadable(known, texts, faults),
    )


def _texts(known: pl.DataFrame, name: str) -> list[str]:
    """Return the texts of a column; null and blank cells become empty texts."""
    blank = known[name].str.strip_chars(" \t") == ""
    return known.select(pl.when(~blank).then(name).fill_null("")).to_series().to_list()


def _number(known: pl.DataFrame, name: str) -> Ints:
    values: Ints = known[name].fill_null(0).cast(pl.Int64).to_numpy()
    return values


def _wind(known: pl.DataFrame, name: str) -> I8:
    winds = known[name].fill_null(_MISSING[name]).replace_strict(_WIND, default=0, return_dtype=pl.Int8)
    numbers: I8 = winds.to_numpy()
    return numbers


def _by_kind(tiles: Ints) -> Ints:
    """Count kinds, a red five as a five; [n, 37] to [n, 34]."""
    counts = tiles[:, :KINDS].copy()
    counts[:, KIND[KINDS:]] += tiles[:, KINDS:]
    return counts


def by_kind(rows: ParsedHands) -> Ints:
    """Count the tiles in sight of each kind; int64 [n, 34]."""
    return _by_kind(rows.tiles)


def _holds(concealed: Ints, win: Ints) -> Bools:
    row, tile = np.arange(len(win)), np.maximum(win, 0)
    held: Bools = concealed[row, tile] > 0
    for red in range(KINDS, TILES):
        held |= (tile == KIND[red]) & (concealed[:, red] > 0)
    return held & (win >= 0)


def _tally(row: Ints, tile: Ints, count: int) -> Ints:
    return np.bincount(row * TILES + tile, minlength=count * TILES).reshape(count, TILES)


def _indicators(row: Ints, tile: Ints, count: int) -> U8:
    """Return indicators as kinds [n, 5], padded with 255; more than five are left out."""
    place = np.arange(len(row)) - np.searchsorted(row, row)
    kinds = np.full((count, INDICATORS), NO_TILE, dtype=np.uint8)
    fits = place < INDICATORS
    kinds[row[fits], place[fits]] = KIND[tile[fits]]
    return kinds


def _of_rows(faults: Faults, rows: Bools) -> Faults:
    kept = rows[faults.row]
    return type(faults)(*(column[kept] for column in faults))


def _unreadable(known: pl.DataFrame, texts: dict[str, list[str]], faults: dict[str, Faults]) -> pl.Series:
    """Return for each row the texts that cannot be read. The loops are over faults, which are few."""
    empty = (pl.Series(texts["hand"], dtype=pl.String) == "").arg_true().to_list()
    problems: dict[int, list[str]] = {row: ["no hand"] for row in empty}
    for name, found in faults.items():
        for row, said in zip(found.row.tolist(), found.messages(texts[name]), strict=True):
            problems.setdefault(row, []).append(f"{name}, {said}")
    for name in ("seat", "round"):
        strange = ~known[name].is_in(list(_WIND)).fill_null(value=True)
        for row in strange.arg_true().to_list():
            problems.setdefault(row, []).append(f"{name} {known[name][row][:LONGEST]!r} is none of E S W N")
    none = pl.Series([None] * len(known), dtype=pl.String)
    return none.scatter(list(problems), ["; ".join(texts) for texts in problems.values()]) if problems else none
