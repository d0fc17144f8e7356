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

from auditor.log.arrays import expanded
from auditor.log.columns import SEATS
from auditor.readers.mjlog import fields
from auditor.readers.mjlog import players as three
from auditor.readers.mjlog.lists import Lists
from auditor.readers.mjlog.markup import PART
from auditor.readers.mjlog.melds import exist

if TYPE_CHECKING:
    from auditor.readers.mjlog.tags import Tags

    _Bools = npt.NDArray[np.bool_]
    _Numbers = npt.NDArray[np.int32]
    _Places = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Values:
    """The attributes of a batch, and their problems.

    ``field`` int8 is the number in fields.py of each of ``tags.attributes``, -1 if unknown. ``numbers`` has a list for
    each attribute, none if it is text or cannot be read, and none behind them. ``texts`` are the values of fields that
    have no numbers, and a null behind them; ``at`` int64[attributes + 1] is the place of each attribute in them, -1 for
    other fields and at the end. ``problems`` has row, recorded, expected. ``players`` int8[games] is how many play.
    """

    tags: Tags
    field: npt.NDArray[np.int8]
    numbers: Lists
    texts: pl.Series
    at: _Places
    problems: pl.DataFrame
    players: npt.NDArray[np.int8]

    def rows(self, name: str) -> npt.NDArray[np.uint32]:
        """Return the rows of the tags of this name."""
        return self._rows[name]

    def lists(self, name: str, attribute: str) -> Lists:
        """Return an attribute's numbers for the tags of this name; no list if a tag lacks it or it cannot be read."""
        return self.lists_at(self.places(name, attribute))

    def lists_at(self, places: _Places) -> Lists:
        """Return the numbers of the attributes at these places; no list at -1."""
        return self.numbers[places]

    def column(self, name: str, attribute: str) -> pl.Series:
        """Return an attribute that is text for the tags of this name; null if a tag lacks it."""
        return self.texts_at(self.places(name, attribute))

    def texts_at(self, places: _Places) -> pl.Series:
        """Return the texts of the attributes at these places; null at -1."""
        # Indices of the type that Polars uses for rows take a tenth of the time; the remainder of -1 is the last place.
        return self.texts[pl.Series((self.at[places] % len(self.texts)).astype(np.uint32))]

    def has(self, name: str, attribute: str) -> _Bools:
        """Return bool[n]: which tags of this name have this attribute, readable or not."""
        return self.places(name, attribute) >= 0

    def places(self, name: str, attribute: str) -> _Places:
        """Return the place of each tag's attribute of this name: the first if it is repeated, -1 if there is none."""
        if (name, attribute) in self._known_places:
            return self._known_places[name, attribute]
        field = fields.FIELD[fields.NAME[name], fields.ATTRIBUTE[attribute]]
        found = np.flatnonzero(self.field == field)[::-1]  # the last assignment holds
        places = np.full(len(self._rows[name]), -1, dtype=np.int64)
        places[self._nth[self.tags.attributes.tag[found]]] = found
        self._known_places[name, attribute] = places
        return places

    @cached_property
    def _known_places(self) -> dict[tuple[str, str], _Places]:
        """What :meth:`places` has returned so far, because several modules ask for the same."""
        return {}

    @cached_property
    def _rows(self) -> dict[str, npt.NDArray[np.uint32]]:
        """The rows of the tags of each name."""
        rows = self.tags.rows.astype(np.uint32)
        return {name: rows[self.tags.names == number] for name, number in fields.NAME.items()}

    @cached_property
    def _nth(self) -> _Places:
        """The place of each of ``tags.rows`` among the tags of its name."""
        nth = np.zeros(len(self.tags.rows), dtype=np.int64)
        for name, number in fields.NAME.items():
            nth[self.tags.names == number] = np.arange(len(self._rows[name]))
        return nth


def read_values(tags: Tags, *, chips: _Bools, players: npt.NDArray[np.int8]) -> Values:
    """Turn attribute texts into numbers.

    ``chips`` bool[games] says which games are played for chips: their ``sc`` has 16 numbers instead of 8 (section 7).
    ``players`` int8[games] is the number of players of each game.
    """
    field = fields.FIELD[tags.names[tags.attributes.tag], tags.attributes.name]
    numeric = fields.NUMERIC[field]
    textual = np.flatnonzero(~numeric & (field >= 0))
    lists, whole = _lists(tags, numeric)
    fits = whole & _fits(lists, field)
    sums = np.flatnonzero(fields.SC[field])
    fits[sums] &= (lists.count[sums] == 16) == chips[_game(tags, sums)]
    faulty = numeric & ~fits
    if (players != SEATS).any():
        of_three = np.flatnonzero(numeric)
        of_three = of_three[(players != SEATS)[_game(tags, of_three)]]
        judged = three.judged(lists[of_three], field[of_three], whole[of_three], fits[of_three])
        fits[of_three], faulty[of_three] = judged
    at = np.full(len(field) + 1, -1, dtype=np.int64)
    at[textual] = np.arange(len(textual))
    texts = tags.values(textual)
    problems = _problems(tags, field, np.flatnonzero(faulty), chips, players)
    first, again = _repeated(tags, field)
    if len(first):
        differing = (tags.values(first) != tags.values(again)).to_numpy()
        doubtful = np.concatenate([first[differing], again[differing]])
        fits[doubtful] = False
        unreadable = at[doubtful[~numeric[doubtful]]]
        texts = texts.scatter(unreadable, UNREADABLE) if len(unreadable) else texts
        problems = problems.vstack(_twice(tags, first, again))
    return Values(
        tags=tags,
        field=field,
        numbers=Lists(lists.flat, np.append(lists.start, 0), np.append(np.where(fits, lists.count, -1), -1)),
        texts=texts.extend_constant(None, 1).rechunk(),
        at=at,
        problems=problems,
        players=players,
    )


UNREADABLE = "?"
"""Replaces the text of an attribute that its tag has twice, with two different values."""


def _lists(tags: Tags, numeric: _Bools) -> tuple[Lists, _Bools]:
    """Read the numbers of all attributes, with commas between them; an empty text is an empty list.

    Return the lists, and which have nothing but whole numbers. Both count where ``numeric``, bool[attributes], is true.
    """
    # What stands between any mark and the next is read as a number, because that is faster than to choose the lists.
    code = np.frombuffer(tags.buffer, dtype=np.uint8)
    # The number behind the last mark is 0, so that Lists.number() finds one even in a log without marks.
    numbers, read = np.zeros(len(tags.marks) + 1, dtype=np.int32), np.zeros(len(tags.marks), dtype=bool)
    for first in range(0, len(tags.marks) - 1, PART):
        marks = tags.marks[first : first + PART + 1]
        part = slice(first, first + len(marks) - 1)
        numbers[part], read[part] = _whole_numbers(code, marks[:-1] + 1, marks[1:])
    read[tags.attributes.closing] = True  # names of attributes stand behind a closing quote
    opening, closing = tags.attributes.opening.copy(), tags.attributes.closing
    count, whole = closing - opening, np.ones(len(opening), dtype=bool)
    unread = np.flatnonzero(~read)
    owner = np.searchsorted(opening, unread, side="right") - 1
    odd = np.unique(owner[(unread < np.append(closing, -1)[owner]) & np.append(numeric, False)[owner]])
    empty = tags.marks[closing[odd]] - tags.marks[opening[odd]] == 1
    count[odd[empty]] = 0
    odd = odd[~empty]
    if not len(odd):
        return Lists(numbers, opening, count), whole
    # Polars knows more ways to write a number, such as "+5".
    texts = tags.values(odd)
    lists = texts.str.split(",").cast(pl.List(pl.Int32), strict=False)
    filled = lists.list.drop_nulls().list.len() == lists.list.len()
    whole[odd] = filled
    count[odd] = np.where(filled, lists.list.len(), 0)
    opening[odd] = len(numbers) + np.cumsum(count[odd]) - count[odd]
    return Lists(np.append(numbers, lists.filter(filled).explode()), opening, count), whole


def _whole_numbers(code: npt.NDArray[np.uint8], begin: _Places, end: _Places) -> tuple[_Numbers, _Bools]:
    """Return the numbers in these parts of a buffer, and which are an optional minus and up to nine digits."""
    numbers, read = _digits(code, begin, end)
    rest = np.flatnonzero(~read)
    rest = rest[code[begin[rest]] == ord("-")]
    negated, read[rest] = _digits(code, begin[rest] + 1, end[rest])
    numbers[rest] = -negated
    return numbers, read


def _digits(code: npt.NDArray[np.uint8], begin: _Places, end: _Places) -> tuple[_Numbers, _Bools]:
    """Return the numbers in these parts of a buffer, 0 if unreadable, and which are one to nine digits."""
    width = np.minimum(end - begin, 10).astype(np.uint8)
    read = (width > 0) & (width <= 9)
    hundreds = np.zeros(len(width), dtype=np.uint16)
    before = end - 3
    for place in range(3):
        digit = code[2 - place :][before] - np.uint8(ord("0"))  # wraps around below "0"
        digit *= width > place
        read &= digit <= 9
        hundreds += digit * np.uint16(10**place)
    numbers = (hundreds * read).astype(np.int32)
    wide = np.flatnonzero(read & (width > 3))
    if len(wide):
        thousands, read[wide] = _digits(code, begin[wide], before[wide])
        numbers[wide] += thousands * np.int32(1000)
    return numbers, read


def _repeated(tags: Tags, field: npt.NDArray[np.int8]) -> tuple[_Places, _Places]:
    """Return the places of attributes that their tag has twice: of the first ones, and of their repetitions."""
    tag, known = tags.attributes.tag, np.flatnonzero(field >= 0)
    seen = np.zeros((len(tags.rows), len(fields.ATTRIBUTE)), dtype=bool)
    seen[tag[known], tags.attributes.name[known]] = True
    if np.count_nonzero(seen) == len(known):
        return known[:0], known[:0]
    first: list[_Places] = []
    again: list[_Places] = []
    for step in range(1, len(fields.ATTRIBUTE)):
        same = tag[step:] == tag[:-step]
        if not same.any():
            break
        first.append(np.flatnonzero(same & (field[step:] == field[:-step]) & (field[step:] >= 0)))
        again.append(first[-1] + step)
    return np.concatenate(first), np.concatenate(again)


_NO_PROBLEMS = pl.DataFrame(schema={"row": pl.UInt32, "recorded": pl.String, "expected": pl.String})


def _twice(tags: Tags, first: _Places, again: _Places) -> pl.DataFrame:
    """Return the attributes that their tag has twice as problems."""
    return _stated(tags, first).with_columns(other=tags.values(again)).select(
        "row",
        recorded=pl.format(
            '{} {}="{}" {}="{}"', "name", "attribute", pl.col("value").str.slice(0, 40), "attribute",
            pl.col("other").str.slice(0, 40),
        ),
        expected=pl.lit("each attribute once"),
    )  # fmt: skip


def _stated(tags: Tags, places: _Places) -> pl.DataFrame:
    """Return attributes as the log writes them (row, name, attribute, value), given by their places."""
    tag = tags.attributes.tag[places]
    return tags.others[tag].with_columns(attribute=tags.attribute_names(places), value=tags.values(places))


def _fits(lists: Lists, field: npt.NDArray[np.int8]) -> _Bools:
    """Return bool[n]: which lists have as many numbers as their fields allow, and all within their bounds."""
    numbers, starts, count = lists.flat, lists.start, lists.count
    fits: _Bools = (fields.COUNTS[field] >> np.minimum(count, 62) & 1).astype(bool)
    # Most lists lie in order. What lies between two of them is compared, too, and left out afterwards.
    order = np.argsort(starts, kind="stable")
    first = np.append(starts[order], len(numbers))
    low, high = np.repeat(fields.BOUNDS.take(field[order], axis=0), np.diff(first), axis=0).T
    outside = np.flatnonzero((numbers[first[0] :] < low) | (numbers[first[0] :] > high)) + first[0]
    owner = order[np.searchsorted(first, outside, side="right") - 1]
    fits[owner[outside < starts[owner] + count[owner]]] = False
    for placed in fields.PLACED:
        places = np.flatnonzero(field == placed)
        places = places[fits[places]]
        highs = np.array(fields.FIELDS[placed][2].highs)  # type: ignore[union-attr]
        fits[places] = (numbers[starts[places, None] + np.arange(len(highs))] <= highs).all(axis=1)
    places = np.flatnonzero(fits & fields.MELDS[field])
    if len(places):
        place, at = expanded(starts[places], count[places])
        fits[places[place[~exist(numbers[at].astype(np.int64))]]] = False
    return fits


def _game(tags: Tags, places: _Places) -> npt.NDArray[np.uint32]:
    """Return the game of each of these attributes."""
    return tags.game[tags.rows[tags.attributes.tag[places]]]


def _problems(
    tags: Tags, field: npt.NDArray[np.int8], wrong: _Places, chips: _Bools, players: npt.NDArray[np.int8]
) -> pl.DataFrame:
    """Return as problems the values that do not fit, and the attributes that no tag of that name has.

    ``wrong`` are the places of these values; ``chips`` bool[games] says which games are played for chips, ``players``
    int8[games] how many play.
    """
    name = tags.names[tags.attributes.tag]
    unknown = np.flatnonzero((field < 0) & (name >= 0) & (name != fields.NAME[fields.CLOSING]))
    if not len(wrong) and not len(unknown):
        return _NO_PROBLEMS
    game = _game(tags, wrong)
    of_wrong = zip(field[wrong].tolist(), chips[game], players[game], strict=True)
    expected = [_expected(at, chip=chip, players=seats) for at, chip, seats in of_wrong]
    return _stated(tags, np.concatenate([wrong, unknown])).select(
        "row",
        recorded=pl.format('{} {}="{}"', "name", "attribute", pl.col("value").str.slice(0, 80)),
        expected=pl.Series(expected + ["no such attribute"] * len(unknown), dtype=pl.String),
    )


def _expected(field: int, *, chip: bool, players: int) -> str:
    """Return the text for messages that says what a field holds, in a game for chips, and with so many players."""
    if fields.SC[field] and chip:
        return "16 numbers (scores and chips)"
    if players != SEATS:
        return three.expected(field)
    return "8 numbers" if fields.SC[field] else str(fields.FIELDS[field][2])
