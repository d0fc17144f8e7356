"""What each tag and attribute may say: unknown names and values out of range become problems, values become numbers.

From auditor/readers/mjlog/FORMAT.md sections 3, 4, 7 and 8. A value that does not fit is reported with its place and
read as null, so that nothing later builds on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa

from auditor.log.ranges import RANGES, SCORE, SEAT
from auditor.readers.mjlog.melds import exist

if TYPE_CHECKING:
    from auditor.readers.mjlog.tags import Tags

    _Places = npt.NDArray[np.int64]

TILE_ID = (0, 135)
MANY = range(1, 15)


@dataclass(frozen=True)
class Numbers:
    """A comma-separated list of whole numbers: how many, between which bounds; ``highs`` are those of each place.

    ``melds`` says that they are meld codes.
    """

    counts: tuple[int, ...]
    low: int
    high: int
    highs: tuple[int, ...] = ()
    melds: bool = False

    def __str__(self) -> str:
        """Say what is expected, for a message."""
        if self.highs:
            return f"{len(self.highs)} whole numbers in {', '.join(f'{self.low}..{high}' for high in self.highs)}"
        few, most = min(self.counts), max(self.counts)
        if self.melds:
            return f"{most if few == most else f'{few}-{most}'} meld code(s), spare bits 0"
        count = f"{few}" if few == most else f"{few}-{most}" if len(self.counts) > 2 else f"{few} or {most}"
        return f"{count} whole number(s) in {self.low}..{self.high}"


def _one(low: int, high: int) -> Numbers:
    return Numbers((1,), low, high)


def _each(*highs: int) -> Numbers:
    return Numbers((len(highs),), 0, max(highs), highs)


_ROUND, _CLAIM = RANGES["rounds"], RANGES["claims"]
_SEAT = _one(*SEAT[:2])
_SCORE = SCORE.high // 100
_COUNTERS = (_ROUND["honba"].high, _ROUND["sticks"].high)
_LAST_ROUND = (_ROUND["wind"].high + 1) * (SEAT.high + 1) - 1
_DICE = (_ROUND["dice"].high,) * 2
_HAI = Numbers(tuple(MANY), *TILE_ID)
_SHOWN = Numbers(tuple(range(6)), *TILE_ID)
"""Indicators; bots write an empty text for none, as for no melds."""
_RESULT = {
    "ba": _each(*_COUNTERS),
    "sc": Numbers((8, 16), -_SCORE, _SCORE),
    "owari": None,
    "chip": None,
    "ratio": None,
}
SPEC: dict[str, dict[str, Numbers | None]] = {
    "mjloggm": {"ver": None},
    "SHUFFLE": {"seed": None, "ref": None},
    "GO": {
        "type": _one(0, 0xFFFF),
        "lobby": None,
        "title": None,
        "rule": None,
        "ranking": None,
        "csrule": None,
    },
    "UN": {
        **dict.fromkeys(("n0", "n1", "n2", "n3")),
        "dan": _each(*[20] * 4),
        **dict.fromkeys(("rate", "sx", "rc", "gold")),
    },
    "TAIKYOKU": {"oya": _SEAT, "log": None},
    "BYE": {"who": _SEAT},
    "INIT": {
        "seed": _each(_LAST_ROUND, *_COUNTERS, *_DICE, TILE_ID[1]),
        "ten": Numbers((4,), -_SCORE, _SCORE),
        "oya": _SEAT,
        **{f"hai{seat}": Numbers((13,), *TILE_ID) for seat in range(4)},
        "shuffle": None,
        "chip": Numbers((4,), -_SCORE, _SCORE),
    },
    "N": {"who": _SEAT, "m": Numbers((1,), 0, 0xFFFF, melds=True)},
    "REACH": {"who": _SEAT, "step": _one(1, 2), "ten": Numbers((4,), -_SCORE, _SCORE)},
    "DORA": {"hai": _one(*TILE_ID)},
    "AGARI": {
        **_RESULT,
        "hai": _HAI,
        "m": Numbers(tuple(range(9)), 0, 0xFFFF, melds=True),
        "machi": _one(*TILE_ID),
        "ten": _each(*(_CLAIM[name].high for name in ("fu", "points", "limit"))),
        "yaku": Numbers(tuple(range(0, 60, 2)), 0, _CLAIM["han"].high),
        "yakuman": Numbers(tuple(range(9)), 0, 54),
        "doraHai": _SHOWN,
        "doraHaiUra": _SHOWN,
        "who": _SEAT,
        "fromWho": _SEAT,
        "paoWho": _SEAT,
    },
    "RYUUKYOKU": {**_RESULT, "type": None, **{f"hai{seat}": _HAI for seat in range(4)}},
}
CLOSING = "/mjloggm"

_FIELDS = [(tag, attribute, numbers) for tag, attributes in SPEC.items() for attribute, numbers in attributes.items()]
_TAG = {tag: number for number, tag in enumerate(SPEC)}
_ATTRIBUTE = {name: number for number, name in enumerate(dict.fromkeys(attribute for _, attribute, _ in _FIELDS))}
_FIELD: npt.NDArray[np.int16] = np.full((len(_TAG) + 1, len(_ATTRIBUTE) + 1), -1, dtype=np.int16)
for _number, (_tag, _attribute, _) in enumerate(_FIELDS):
    _FIELD[_TAG[_tag], _ATTRIBUTE[_attribute]] = _number
"""Number of a field by tag and attribute, the last row and column for unknown ones."""
_NUMERIC = np.array([numbers is not None for _, _, numbers in _FIELDS] + [False])
_LOW = np.array([numbers.low if numbers else 0 for _, _, numbers in _FIELDS])
_HIGH = np.array([numbers.high if numbers else 0 for _, _, numbers in _FIELDS])
_COUNTS = np.array([sum(1 << count for count in numbers.counts) if numbers else 0 for _, _, numbers in _FIELDS])
"""A bit for each number of numbers that a field may have."""
_SC = np.array([attribute == "sc" for _, attribute, _ in _FIELDS])
_PLACED = [number for number, (_, _, numbers) in enumerate(_FIELDS) if numbers and numbers.highs]
_MELDS = np.array([numbers is not None and numbers.melds for _, _, numbers in _FIELDS] + [False])


@dataclass(frozen=True)
class Values:
    """The attributes of a batch, and what was wrong with them.

    ``tags`` (row, name) are the tags they belong to, those without attributes among them. ``row``, ``field``
    (int16, number of tag and attribute, -1 if unknown), ``value`` and ``numbers_at`` run along the attributes:
    the last is where the readable lists stand in ``numbers``, else -1. Problems have row, recorded, expected.
    """

    tags: pl.DataFrame
    row: npt.NDArray[np.uint32]
    field: npt.NDArray[np.int16]
    value: pl.Series
    numbers: pl.Series
    numbers_at: npt.NDArray[np.int64]
    problems: pl.DataFrame

    def rows(self, name: str) -> npt.NDArray[np.uint32]:
        """Return the rows of the tags of this name."""
        return self._rows.get(name, np.zeros(0, dtype=np.uint32))

    @cached_property
    def _rows(self) -> dict[str, npt.NDArray[np.uint32]]:
        parts = self.tags.partition_by("name", as_dict=True)
        return {str(name): part["row"].to_numpy() for (name,), part in parts.items()}

    def wide(self, name: str) -> pl.DataFrame:
        """Return one row a tag of this name, its attributes as columns: lists of numbers, or text."""
        columns = {"row": pl.Series(self.rows(name), dtype=pl.UInt32)}
        return pl.DataFrame(columns | {attribute: self.column(name, attribute) for attribute in SPEC[name]})

    def column(self, name: str, attribute: str) -> pl.Series:
        """Return what the tags of this name say in one attribute, null where they do not or it cannot be read."""
        at = self._at(self.rows(name), name, attribute)
        if SPEC[name][attribute]:
            return self.numbers.gather(_nullable(np.where(at >= 0, self.numbers_at[at], -1)))
        return self.value.gather(_nullable(at))

    def has(self, name: str, attribute: str) -> npt.NDArray[np.bool_]:
        """Return which of the tags of this name have this attribute."""
        return self._at(self.rows(name), name, attribute) >= 0

    def _at(self, rows: npt.NDArray[np.uint32], name: str, attribute: str) -> npt.NDArray[np.int64]:
        """Return where each of these tags has this attribute, -1 where it has not; the first, if twice."""
        found = np.flatnonzero(self.field == _FIELD[_TAG[name], _ATTRIBUTE[attribute]])[::-1]
        at = np.full(len(rows), -1, dtype=np.int64)
        at[np.searchsorted(rows, self.row[found])] = found
        return at


def _nullable(places: npt.NDArray[np.int64]) -> pl.Series:
    return pl.Series(pa.array(places, mask=places < 0))


def parse(tags: Tags, *, chips: npt.NDArray[np.bool_]) -> Values:
    """Turn attribute texts into numbers.

    ``chips`` bool[games] says whether a game's scores come with chips, which doubles ``sc`` to 16 numbers
    (section 7).
    """
    attributes = tags.attributes
    row = attributes["row"].to_numpy()
    with_chips = chips[tags.game[row]]
    tag = (
        tags.others["name"]
        .replace_strict(_TAG, default=-1, return_dtype=pl.Int16)
        .to_numpy()[np.searchsorted(tags.others["row"].to_numpy(), row)]
    )
    field = _FIELD[
        tag, attributes["attribute"].replace_strict(_ATTRIBUTE, default=-1, return_dtype=pl.Int16).to_numpy()
    ]
    numeric = np.flatnonzero(_NUMERIC[field])
    numbers = _listed(attributes["value"].gather(numeric))
    fits = _fits(numbers, field[numeric], with_chips[numeric])
    numbers_at = np.full(len(row), -1, dtype=np.int64)
    numbers_at[numeric[fits]] = np.flatnonzero(fits)
    value = attributes["value"]
    first, again = _told_again(row, field)
    differing = (value.gather(first) != value.gather(again)).to_numpy()
    doubtful = np.concatenate([first[differing], again[differing]])
    numbers_at[doubtful] = -1
    return Values(
        tags=tags.others.select("row", "name"),
        row=row,
        field=field,
        value=value.scatter(doubtful, UNREADABLE) if len(doubtful) else value,
        numbers=numbers,
        numbers_at=numbers_at,
        problems=pl.concat(
            [_problems(attributes, field, numeric[~fits], with_chips), _twice(attributes, first, again)]
        ),
    )


UNREADABLE = "?"
"""Stands for a text of which the log tells two."""


def _listed(texts: pl.Series) -> pl.Series:
    """Return texts of numbers with commas between as lists; an empty text is an empty list."""
    numbers = texts.str.split(",").cast(pl.List(pl.Int32), strict=False)
    bare = texts.str.len_bytes() == 0
    if not bare.any():
        return numbers
    none = pl.lit([], dtype=pl.List(pl.Int32))
    return pl.select(pl.when(bare).then(none).otherwise(numbers)).to_series()


def _told_again(row: npt.NDArray[np.uint32], field: npt.NDArray[np.int16]) -> tuple[_Places, _Places]:
    """Return the places of attributes that stand a second time in their tag: of the first, and of the second."""
    found: list[_Places] = []
    places = np.arange(len(row))
    for step in range(1, len(_ATTRIBUTE)):
        same = row[step:] == row[:-step]
        if not same.any():
            break
        found.append(places[:-step][same & (field[step:] == field[:-step]) & (field[step:] >= 0)])
        found.append(found[-1] + step)
    none = [places[:0]]
    return np.concatenate(found[::2] or none), np.concatenate(found[1::2] or none)


def _twice(attributes: pl.DataFrame, first: _Places, again: _Places) -> pl.DataFrame:
    """Return the attributes that stand twice in their tag as problems."""
    other = pl.DataFrame({"other": attributes["value"].gather(again)})
    return attributes[first].hstack(other).select(
        "row",
        recorded=pl.format(
            '{} {}="{}" {}="{}"', "name", "attribute", pl.col("value").str.slice(0, 40), "attribute",
            pl.col("other").str.slice(0, 40),
        ),
        expected=pl.lit("each attribute once"),
    )  # fmt: skip


def _fits(numbers: pl.Series, field: npt.NDArray[np.int16], chips: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return which lists are whole numbers, as many and as large as their fields allow."""
    count = numbers.list.len().to_numpy().astype(np.int64)
    whole = (numbers.list.drop_nulls().list.len().to_numpy() == count) if numbers.explode().has_nulls() else True
    low, high = (bound.fill_null(-(1 << 31)).to_numpy() for bound in (numbers.list.min(), numbers.list.max()))
    allowed = (_COUNTS[field] >> np.minimum(count, 62) & 1).astype(bool)
    within = (count == 0) | ((low >= _LOW[field]) & (high <= _HIGH[field]))
    fits: npt.NDArray[np.bool_] = allowed & whole & within & (~_SC[field] | ((count == 16) == chips))
    for placed in _PLACED:
        places = np.flatnonzero(fits & (field == placed))
        if len(places):
            highs = _FIELDS[placed][2].highs  # type: ignore[union-attr]
            listed = numbers.gather(places).list.to_array(len(highs)).to_numpy()
            fits[places] = (listed <= np.array(highs)).all(axis=1)
    places = np.flatnonzero(fits & _MELDS[field] & (count > 0))
    if len(places):
        codes = numbers.gather(places).explode().to_numpy().astype(np.int64)
        starts = np.cumsum(count[places]) - count[places]
        fits[places] = np.logical_and.reduceat(exist(codes), starts)
    return fits


def _problems(
    attributes: pl.DataFrame,
    field: npt.NDArray[np.int16],
    wrong: npt.NDArray[np.int64],
    chips: npt.NDArray[np.bool_],
) -> pl.DataFrame:
    """Return the values that do not fit and the attributes that no tag of that name has."""
    expected = [
        ("16 numbers (scores and chips)" if chips[at] else "8 numbers")
        if _SC[field[at]]
        else str(_FIELDS[field[at]][2])
        for at in wrong
    ]
    strange = np.flatnonzero((field < 0) & attributes["name"].is_in(list(SPEC)).to_numpy())
    at = np.concatenate([wrong, strange])
    return attributes[at].select(
        "row",
        recorded=pl.format('{} {}="{}"', "name", "attribute", pl.col("value").str.slice(0, 80)),
        expected=pl.Series(expected + ["no such attribute"] * len(strange), dtype=pl.String),
    )
