"""Hands of a table from their texts: concealed tiles, melds, winning tile and situation, whole columns at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.hand_strings import PIECE, concealed, melds
from auditor.log import KINDS as EVENT_KINDS
from auditor.pieces import KIND, RED
from auditor.situations import MELD_TYPE
from engine.hands import Hands
from engine.wins import Wins

if TYPE_CHECKING:
    import numpy.typing as npt

FLAGS = ("ippatsu", "rinshan", "chankan", "last_tile", "first_turn")
NUMBERS = ("riichi", "honba", "sticks")
TEXTS = ("hand", "win", "seat", "round", "dora", "ura", "yaku")
_WIND = {"E": 0, "S": 1, "W": 2, "N": 3}
_MARK = {"+": 1, "=": 2, "-": 3}
_INDICATORS = 5


def _suit_first(column: str) -> pl.Expr:
    """Return hand strings with the suit before its digits, words parted by commas."""
    text = pl.col(column).str.strip_chars().str.replace_all(r"\s+", ",")
    turned = text.str.replace_all(r"([\d\-+=]+)([mpsz])", "${2}${1}")
    return pl.when(text.str.contains(r"^\d")).then(turned).otherwise(text)


_HAND = r"^(?:[mpsz]\d+)+\*?(?:,[mpsz][\d\-+=]+)*$"


def read_hands(known: pl.DataFrame) -> tuple[Hands, pl.Series]:
    """Return the hands with their winning tiles, and what is wrong with each text (null if nothing)."""
    count = len(known)
    texts = known.select(hand=_suit_first("hand"), win=_suit_first("win")).with_row_index("row")
    written = concealed(texts.select("row", "hand"))
    apart = _win_pieces(texts["win"])
    size = np.bincount(written["row"].to_numpy(), minlength=count)
    calls = texts.select("row", meld=pl.col("hand").str.split(",").list.slice(1)).explode("meld")
    calls = calls.filter(pl.col("meld").str.len_bytes() > 0)
    whole = size + 3 * np.bincount(calls["row"].to_numpy(), minlength=count)
    added = (apart >= 0) & (whole == 13)
    row = np.concatenate([written["row"].to_numpy(), np.flatnonzero(added)])
    piece = np.concatenate([written["piece"].fill_null(PIECE["m1"]).to_numpy(), apart[added]])
    counts = np.zeros((count, 34), dtype=np.int64)
    np.add.at(counts, (row, KIND[piece]), 1)
    reds = np.bincount(row, weights=RED[piece], minlength=count).astype(np.int64)
    kinds, lowest, feeder, melded_reds = _melds(calls, count)
    problem = pl.Series([None] * count, dtype=pl.String)
    wrong = ~texts["hand"].str.contains(_HAND).fill_null(value=False)
    problem = problem.set(wrong, "the hand is not in a known notation")
    problem = problem.set(pl.Series((counts > 4).any(axis=1)) & problem.is_null(), "a fifth copy of a tile")
    problem = problem.set(pl.Series(whole + added != 14) & problem.is_null(), "not 14 tiles, melds counted as three")
    return Hands.from_counts(np.minimum(counts, 4), kinds, lowest, feeder, reds + melded_reds), problem


def _win_pieces(texts: pl.Series) -> npt.NDArray[np.int64]:
    """Return the winning tile that stands apart, -1 where none does."""
    named = texts.str.replace_all(r"[-+=]", "").str.head(2).replace_strict(PIECE, default=None, return_dtype=pl.Int16)
    return named.fill_null(-1).to_numpy().astype(np.int64)


def _melds(calls: pl.DataFrame, count: int) -> tuple[npt.NDArray[np.int64], ...]:
    """Return meld types, lowest kinds and feeders [n, 4] and the red fives among melds [n]."""
    decoded = melds(calls["meld"])
    row = calls["row"].to_numpy()
    place = calls.select(pl.int_range(pl.len()).over("row")).to_series().to_numpy()
    fits = place < 4
    row, place = row[fits], place[fits]
    table = np.zeros((3, count, 4), dtype=np.int64)
    engine_type = np.zeros(len(EVENT_KINDS), dtype=np.int64)
    for kind, number in MELD_TYPE.items():
        engine_type[EVENT_KINDS.index(kind)] = number
    table[0, row, place] = engine_type[decoded.kind[fits]]
    table[1, row, place] = KIND[decoded.pieces[fits]].min(axis=1)
    table[2, row, place] = decoded.feeder[fits]
    reds = np.bincount(row, weights=RED[decoded.pieces[fits]].sum(axis=1), minlength=count).astype(np.int64)
    return (*table, reds)


def read_wins(known: pl.DataFrame, hands: Hands) -> Wins:
    """Return the wins that the rows tell, the winner in seat 0, with what their hands are read as."""
    texts = known.select(hand=_suit_first("hand"), win=_suit_first("win"))
    last = texts["hand"].str.split(",").list.first().str.extract_all(r"[mpsz]\d+").list.last()
    drawn = (last.str.head(1) + last.str.slice(-1)).replace_strict(PIECE, default=None, return_dtype=pl.Int16)
    apart = _win_pieces(texts["win"])
    piece = np.where(apart >= 0, apart, drawn.fill_null(PIECE["m1"]).to_numpy())
    mark = texts["win"].str.extract(r"([-+=])").replace_strict(_MARK, default=None, return_dtype=pl.Int8)
    feeder = mark.fill_null(0).to_numpy()
    seat = _wind(known["seat"], "S")
    return Wins.of(
        hands,
        KIND[piece],
        tsumo=feeder == 0,
        winner=0,
        payer=feeder,
        dealer=(4 - seat) % 4,
        seat_wind=seat,
        round_wind=_wind(known["round"], "E"),
        dora=_indicators(known, "dora"),
        ura=_indicators(known, "ura"),
        **{name: known[name].fill_null(value=False).to_numpy() for name in FLAGS},
        **{name: known[name].fill_null(0).to_numpy() for name in NUMBERS},
    )


def _wind(column: pl.Series, missing: str) -> npt.NDArray[np.int8]:
    winds = column.fill_null(missing).replace_strict(_WIND, default=0, return_dtype=pl.Int8)
    numbers: npt.NDArray[np.int8] = winds.to_numpy()
    return numbers


def unreadable(known: pl.DataFrame) -> pl.Series:
    """Return what is wrong with the other texts of each row, null if nothing."""
    tiles = r"^(?:(?:\d+[mpsz])|(?:[mpsz]\d+))*$"
    one = r"^(?:\d[-+=]?[mpsz]|[mpsz]\d)[-+=]?$"
    faults = [
        pl.when(~pl.col("win").str.contains(one)).then(pl.lit("win is not one tile")),
        *(
            pl.when(~pl.col(name).is_in(list(_WIND))).then(pl.lit(f"{name} is none of E S W N"))
            for name in ("seat", "round")
        ),
        *(pl.when(~pl.col(name).str.contains(tiles)).then(pl.lit(f"{name} are not tiles")) for name in ("dora", "ura")),
    ]
    return known.select(pl.coalesce(faults)).to_series()


def _indicators(known: pl.DataFrame, column: str) -> npt.NDArray[np.uint8]:
    """Return indicators as kinds [n, 5], padded with 255."""
    texts = known.select(hand=_suit_first(column).str.replace_all(",", "")).with_row_index("row")
    tiles = (
        concealed(texts).with_columns(place=pl.int_range(pl.len()).over("row")).filter(pl.col("place") < _INDICATORS)
    )
    kinds = np.full((len(known), _INDICATORS), 255, dtype=np.uint8)
    kinds[tiles["row"].to_numpy(), tiles["place"].to_numpy()] = KIND[tiles["piece"].to_numpy()]
    return kinds
