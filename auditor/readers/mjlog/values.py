"""Texts of attributes → numbers. Unknown attributes, and values that their field cannot hold, become problems.

fields.py says which values a field can hold. Any other value is null from here on, so nothing later depends on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import polars as pl

from auditor.readers.mjlog import fields
from auditor.readers.mjlog.melds import exist

if TYPE_CHECKING:
    from auditor.readers.mjlog.tags import Tags

    _Places = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Values:
    """The attributes of a batch, and their problems.

    ``tags`` (row, name) are all tags except draws and discards, also those without attributes. Four fields have one
    entry for each attribute: ``row``, its tag; ``field``, its number in fields.py, -1 if unknown; ``value``, its text;
    ``numbers_at``, the place of its list in ``numbers``, -1 if it has no numbers or cannot be read. ``problems`` has
    row, recorded, expected.
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
        """Return one row for each tag of this name, with its attributes as columns: lists of numbers, or text."""
        rows, spec = self.rows(name), fields.SPEC[name]
        found: dict[str, pl.Series] = {"row": pl.Series(rows, dtype=pl.UInt32)}
        # All attributes of a kind are gathered at once, because each gathering has a cost of its own.
        for numeric in (True, False):
            attributes = [attribute for attribute in spec if bool(spec[attribute]) is numeric]
            if attributes:
                places = np.concatenate([self._at(rows, name, attribute) for attribute in attributes])
                gathered = self._gathered(places, numeric=numeric)
                found |= {each: gathered.slice(at * len(rows), len(rows)) for at, each in enumerate(attributes)}
        return pl.DataFrame({column: found[column] for column in ("row", *spec)})

    def column(self, name: str, attribute: str) -> pl.Series:
        """Return one attribute of the tags of this name; null if a tag lacks it or it cannot be read."""
        places = self._at(self.rows(name), name, attribute)
        return self._gathered(places, numeric=bool(fields.SPEC[name][attribute]))

    def _gathered(self, places: npt.NDArray[np.int64], *, numeric: bool) -> pl.Series:
        """Return the lists of numbers, or the texts, of attributes at these places; null at -1."""
        if numeric:
            return self.numbers.gather(_nullable(np.where(places >= 0, self.numbers_at[places], -1)))
        return self.value.gather(_nullable(places))

    def has(self, name: str, attribute: str) -> npt.NDArray[np.bool_]:
        """Return bool[n]: which tags of this name have this attribute, readable or not."""
        return self._at(self.rows(name), name, attribute) >= 0

    def _at(self, rows: npt.NDArray[np.uint32], name: str, attribute: str) -> npt.NDArray[np.int64]:
        """Return the place of each tag's attribute of this name: the first if it is repeated, -1 if there is none."""
        found = np.flatnonzero(self.field == fields.FIELD[fields.TAG[name], fields.ATTRIBUTE[attribute]])[::-1]
        at = np.full(len(rows), -1, dtype=np.int64)
        at[np.searchsorted(rows, self.row[found])] = found
        return at


def _nullable(places: npt.NDArray[np.int64]) -> pl.Series:
    found = pl.Series(places)
    return found.set(found < 0, None)


def read_values(tags: Tags, *, chips: npt.NDArray[np.bool_]) -> Values:
    """Turn attribute texts into numbers.

    ``chips`` bool[games] says which games are played for chips: their ``sc`` has 16 numbers instead of 8 (section 7).
    """
    attributes = tags.attributes
    row = attributes["row"].to_numpy()
    with_chips = chips[tags.game[row]]
    tag = (
        tags.others["name"]
        .replace_strict(fields.TAG, default=-1, return_dtype=pl.Int16)
        .to_numpy()[np.searchsorted(tags.others["row"].to_numpy(), row)]
    )
    field = fields.FIELD[
        tag, attributes["attribute"].replace_strict(fields.ATTRIBUTE, default=-1, return_dtype=pl.Int16).to_numpy()
    ]
    numeric = np.flatnonzero(fields.NUMERIC[field])
    numbers = _listed(attributes["value"].gather(numeric))
    fits = _fits(numbers, field[numeric], with_chips[numeric])
    numbers_at = np.full(len(row), -1, dtype=np.int64)
    numbers_at[numeric[fits]] = np.flatnonzero(fits)
    value = attributes["value"]
    first, again = _repeated(row, field)
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
"""Replaces the text of an attribute that its tag has twice, with two different values."""


def _listed(texts: pl.Series) -> pl.Series:
    """Split texts of numbers with commas between them into lists; an empty text is an empty list."""
    numbers = texts.str.split(",").cast(pl.List(pl.Int32), strict=False)
    empty = texts.str.len_bytes() == 0
    if not empty.any():
        return numbers
    none = pl.lit([], dtype=pl.List(pl.Int32))
    return pl.select(pl.when(empty).then(none).otherwise(numbers)).to_series()


def _repeated(row: npt.NDArray[np.uint32], field: npt.NDArray[np.int16]) -> tuple[_Places, _Places]:
    """Return the places of attributes that their tag has twice: of the first ones, and of their repetitions."""
    found: list[_Places] = []
    places = np.arange(len(row))
    for step in range(1, len(fields.ATTRIBUTE)):
        same = row[step:] == row[:-step]
        if not same.any():
            break
        found.append(places[:-step][same & (field[step:] == field[:-step]) & (field[step:] >= 0)])
        found.append(found[-1] + step)
    none = [places[:0]]
    return np.concatenate(found[::2] or none), np.concatenate(found[1::2] or none)


def _twice(attributes: pl.DataFrame, first: _Places, again: _Places) -> pl.DataFrame:
    """Return the attributes that their tag has twice as problems."""
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
    """Return bool[n]: which lists are whole numbers, in the number and within the bounds that their fields allow."""
    count = numbers.list.len().to_numpy().astype(np.int64)
    whole = (numbers.list.drop_nulls().list.len().to_numpy() == count) if numbers.explode().has_nulls() else True
    low, high = (bound.fill_null(-(1 << 31)).to_numpy() for bound in (numbers.list.min(), numbers.list.max()))
    allowed = (fields.COUNTS[field] >> np.minimum(count, 62) & 1).astype(bool)
    within = (count == 0) | ((low >= fields.LOW[field]) & (high <= fields.HIGH[field]))
    fits: npt.NDArray[np.bool_] = allowed & whole & within & (~fields.SC[field] | ((count == 16) == chips))
    for placed in fields.PLACED:
        places = np.flatnonzero(fits & (field == placed))
        if len(places):
            highs = fields.FIELDS[placed][2].highs  # type: ignore[union-attr]
            listed = numbers.gather(places).list.to_array(len(highs)).to_numpy()
            fits[places] = (listed <= np.array(highs)).all(axis=1)
    places = np.flatnonzero(fits & fields.MELDS[field] & (count > 0))
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
    """Return as problems the values that do not fit, and the attributes that no tag of that name has."""
    expected = [
        ("16 numbers (scores and chips)" if chips[at] else "8 numbers")
        if fields.SC[field[at]]
        else str(fields.FIELDS[field[at]][2])
        for at in wrong
    ]
    unknown = np.flatnonzero((field < 0) & attributes["name"].is_in(list(fields.SPEC)).to_numpy())
    at = np.concatenate([wrong, unknown])
    return attributes[at].select(
        "row",
        recorded=pl.format('{} {}="{}"', "name", "attribute", pl.col("value").str.slice(0, 80)),
        expected=pl.Series(expected + ["no such attribute"] * len(unknown), dtype=pl.String),
    )
