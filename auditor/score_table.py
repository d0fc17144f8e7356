"""A table of won hands with what a client claims for them → the same table with what the engine makes of them.

Columns that are read (README says the same): ``hand`` (電脳麻将 ``m123p406,z111=`` or suit-last ``123m406p,111=z``;
the winning tile among the concealed ones, last, or apart in ``win``), ``win`` (the winning tile with the mark of
the seat that gave it, ``8s=``; none is a tsumo), ``riichi`` (0, 1, 2), ``ippatsu``, ``rinshan``, ``chankan``,
``last_tile``, ``first_turn``, ``seat`` and ``round`` (``E S W N``), ``dora`` and ``ura`` (indicators), ``honba``,
``sticks``, and the claims: ``fu``, ``han``, ``points``, ``yaku`` (numbers, or names in any of the engine's
languages, parted by commas). Only ``hand`` is needed; what is missing is none, the seat South, the round East, or
not claimed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from auditor.hand_strings import PIECE, concealed, melds
from auditor.log import KINDS as EVENT_KINDS
from auditor.pieces import KIND, RED
from auditor.situations import MELD_TYPE
from engine.hands import Hands
from engine.rules import RuleTable
from engine.score import score
from engine.wins import Wins
from engine.yaku import BY_ID

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from engine.rules import RuleSet
    from engine.score import Scores

_FLAGS = ("ippatsu", "rinshan", "chankan", "last_tile", "first_turn")
_NUMBERS = ("riichi", "honba", "sticks")
_TEXTS = ("hand", "win", "seat", "round", "dora", "ura", "yaku")
_WIND = {"E": 0, "S": 1, "W": 2, "N": 3}
_CLAIMS = ("fu", "han", "points", "yaku")
_MARK = {"+": 1, "=": 2, "-": 3}
_INDICATORS = 5

_YAKU_OF = {
    name.lower(): str(number)
    for number, yaku in BY_ID.items()
    for name in (yaku.name, yaku.kanji, yaku.romaji, yaku.english, yaku.majiang, str(number))
    if name
}


class TableError(ValueError):
    """The table lacks a column, or a column cannot be read."""


def read_table(path: Path) -> pl.DataFrame:
    """Return a table from a CSV, JSON Lines or Parquet file.

    Raises
    ------
    TableError
        when the file is of another kind or cannot be read as its own

    """
    kind = path.suffix.lower()
    try:
        if kind == ".csv":
            return pl.read_csv(path, infer_schema_length=None)
        if kind in (".jsonl", ".ndjson"):
            return pl.read_ndjson(path, infer_schema_length=None)
        if kind == ".parquet":
            return pl.read_parquet(path)
    except pl.exceptions.PolarsError as error:
        raise TableError(f"{path}: cannot be read as {kind[1:]}: {str(error).splitlines()[0]}") from error
    raise TableError(f"{path}: give a .csv, .jsonl or .parquet file")


def write_table(table: pl.DataFrame, path: Path) -> None:
    """Write a scored table in the form that the file's name says.

    Raises
    ------
    TableError
        when the name says no form

    """
    kind = path.suffix.lower()
    if kind == ".csv":
        lists = [name for name, dtype in table.schema.items() if dtype.is_nested()]
        flat = pl.col(lists).arr.eval(pl.element().cast(pl.String)).arr.join(" ")
        (table.with_columns(flat) if lists else table).write_csv(path)
    elif kind in (".jsonl", ".ndjson"):
        table.write_ndjson(path)
    elif kind == ".parquet":
        table.write_parquet(path)
    else:
        raise TableError(f"{path}: give a name that ends in .csv, .jsonl or .parquet")


SHOWN = 20


def mismatches(table: pl.DataFrame) -> str:
    """Say how many rows of a scored table differ, and the first of them."""
    wrong = table.with_row_index("row", offset=1).filter(pl.col("mismatch").is_not_null())
    lines = [
        f"row {row['row']}: {row['hand']}: {row['mismatch']}"
        + ("" if row["problem"] else f"; expected {row['expected_han']} han {row['expected_fu']} fu"
           f" {row['expected_points']} points: {row['expected_yaku']}")
        for row in wrong.head(SHOWN).iter_rows(named=True)
    ]  # fmt: skip
    more = [f"... and {len(wrong) - SHOWN:,} more"] if len(wrong) > SHOWN else []
    return "\n".join([*lines, *more, f"{len(table):,} hands, {len(wrong):,} differ"])


def scored(table: pl.DataFrame, rules: RuleSet) -> pl.DataFrame:
    """Return the table with ``expected_fu``, ``expected_han``, ``expected_yaku``, ``expected_limit``,
    ``expected_points``, ``expected_payments`` and ``mismatch``, the names of the claims that differ.

    ``problem`` says why a hand could not be scored; its expected values are null.

    Raises
    ------
    TableError
        when there is no column ``hand``, or a column is of a type that it cannot be

    """  # noqa: D205
    known = _known(table)
    hands, problem = _hands(known)
    unreadable = _unreadable(known)
    problem = unreadable.zip_with(unreadable.is_not_null(), problem)
    wins = _wins(known, hands)
    result = score(wins, RuleTable.from_rules([rules]))
    problem = problem.set(pl.Series(~result.complete) & problem.is_null(), "no winning hand")
    problem = problem.set(pl.Series(~result.has_yaku) & problem.is_null(), "no yaku")
    found = _expected(result).with_columns(problem=problem)
    valid = pl.col("problem").is_null()
    expected = found.select(pl.when(valid).then(pl.exclude("problem")).name.keep(), pl.col("problem"))
    return table.hstack(expected.drop("yaku_ids")).with_columns(mismatch=_mismatch(known, expected))


def _known(table: pl.DataFrame) -> pl.DataFrame:
    """Return the columns that are read, each of its type, in place of missing ones null."""
    if "hand" not in table.columns:
        raise TableError(f"no column 'hand'; there are {', '.join(table.columns)}")
    types: dict[str, Any] = {
        **dict.fromkeys(_TEXTS, pl.String), **dict.fromkeys(_FLAGS, pl.Boolean), **dict.fromkeys(_NUMBERS, pl.Int16),
        "fu": pl.Int32, "han": pl.Int32, "points": pl.Int32,
    }  # fmt: skip
    columns = []
    for name, kind in types.items():
        if name not in table.columns:
            columns.append(pl.Series(name, [None], dtype=kind).new_from_index(0, len(table)))
            continue
        try:
            columns.append(_as(table[name], kind).alias(name))
        except pl.exceptions.PolarsError as error:
            raise TableError(f"column {name!r} ({table[name].dtype}) cannot be read as {kind}: {error}") from error
    return pl.DataFrame(columns)


def _as(column: pl.Series, kind: Any) -> pl.Series:  # noqa: ANN401  (a Polars type)
    if kind == pl.Boolean and column.dtype == pl.String:
        return column.str.to_lowercase().is_in(["true", "1", "yes"])
    return column.cast(kind)


def _suit_first(column: str) -> pl.Expr:
    """Return hand strings with the suit before its digits, words parted by commas."""
    text = pl.col(column).str.strip_chars().str.replace_all(r"\s+", ",")
    turned = text.str.replace_all(r"([\d\-+=]+)([mpsz])", "${2}${1}")
    return pl.when(text.str.contains(r"^\d")).then(turned).otherwise(text)


_HAND = r"^(?:[mpsz]\d+)+\*?(?:,[mpsz][\d\-+=]+)*$"


def _hands(known: pl.DataFrame) -> tuple[Hands, pl.Series]:
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


def _wins(known: pl.DataFrame, hands: Hands) -> Wins:
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
        **{name: known[name].fill_null(value=False).to_numpy() for name in _FLAGS},
        **{name: known[name].fill_null(0).to_numpy() for name in _NUMBERS},
    )


def _wind(column: pl.Series, missing: str) -> npt.NDArray[np.int8]:
    winds = column.fill_null(missing).replace_strict(_WIND, default=0, return_dtype=pl.Int8)
    numbers: npt.NDArray[np.int8] = winds.to_numpy()
    return numbers


def _unreadable(known: pl.DataFrame) -> pl.Series:
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


def _expected(result: Scores) -> pl.DataFrame:
    row, yaku = np.nonzero((result.yaku > 0) | result.yakuman)
    lists = (
        pl.DataFrame({"row": row, "yaku": yaku})
        .with_columns(
            name=pl.col("yaku").replace_strict(
                {n: y.romaji for n, y in BY_ID.items()}, default="?", return_dtype=pl.String
            ),
            han=pl.Series(np.where(result.yakuman[row, yaku], 0, result.yaku[row, yaku])),
        )
        .group_by("row", maintain_order=True)
        .agg(
            names=pl.when(pl.col("han") > 0).then(pl.format("{} {}", "name", "han")).otherwise("name").str.join(", "),
            ids=pl.col("yaku").cast(pl.String).sort().str.join(","),
        )
    )
    named = pl.DataFrame({"row": np.arange(len(result.fu))}).join(lists, on="row", how="left", maintain_order="left")
    return pl.DataFrame(
        {
            "expected_fu": result.fu,
            "expected_han": result.han,
            "expected_yaku": named["names"],
            "yaku_ids": named["ids"],
            "expected_limit": result.limit,
            "expected_points": result.points,
            "expected_payments": pl.Series(result.deltas, dtype=pl.Array(pl.Int32, 4)),
        }
    )


def _mismatch(known: pl.DataFrame, expected: pl.DataFrame) -> pl.Series:
    """Return the names of claims that differ, parted by commas; null where all that is claimed is right.

    A claim about a hand that cannot be scored is a mismatch: its problem's name stands there.
    """
    name = pl.element().str.strip_chars().str.replace(r"\s+\d+$", "")
    number = name.replace_strict(_YAKU_OF, default="?", return_dtype=pl.String)
    claimed = pl.col("yaku").str.to_lowercase().str.split(",").list.eval(number).list.sort().list.join(",")
    both = known.select(*_CLAIMS).with_columns(claimed=claimed).hstack(expected)
    differs = {
        "fu": pl.col("fu") != pl.col("expected_fu"),
        "han": pl.col("han") != pl.col("expected_han"),
        "points": pl.col("points") != pl.col("expected_points"),
        "yaku": pl.col("claimed") != pl.col("yaku_ids"),
    }
    names = pl.concat_list(
        pl.col("problem"),
        *(pl.when(wrong.fill_null(value=False)).then(pl.lit(name)) for name, wrong in differs.items()),
    )
    joined = names.list.drop_nulls().list.join(", ")
    return both.select(pl.when(joined != "").then(joined)).to_series()
