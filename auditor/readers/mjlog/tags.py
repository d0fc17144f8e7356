"""Bytes of mjlog files → a table of tags and their attributes, without a loop over tags.

A log is a flat list of empty elements. Nine in ten are draws and discards such as ``<T12/>``, whose digits are read
from the byte buffer of the whole batch. The others are cut at their quotes. Names that stand there as Tenhou writes
them are recognised by comparing bytes; only the rest becomes Polars strings.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa

from auditor.log.arrays import expanded, from_arrow
from auditor.readers.mjlog.fields import ATTRIBUTE, NAME, NAMES
from auditor.readers.mjlog.markup import GREATER, PART, QUOTE
from auditor.readers.mjlog.names import recognised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.readers.mjlog.markup import Plain

    _Bytes = npt.NDArray[np.uint8]
    _Ints = npt.NDArray[np.int64]

PLAY_LETTERS = "TUVWDEFG"
"""Draws of seats 0–3, then discards of seats 0–3 (auditor/readers/mjlog/FORMAT.md section 4)."""

NOT_PLAY = 255

_LETTER = np.full(256, NOT_PLAY, dtype=np.uint8)
_LETTER[np.frombuffer(PLAY_LETTERS.encode(), dtype=np.uint8)] = np.arange(8)
_NAME = r"^<([/?!]?[A-Za-z_][A-Za-z_]*\d*)"
_SPACED_PLAY = r"^<([TUVWDEFG])((?:[^\sA-Za-z_<>/=\"'][^\s<>/=\"']*)?)\s*/?>\s*$"
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});")
_WHITE = b" \t\r\n"
_IS_WHITE = np.isin(np.arange(256), list(_WHITE))
_SHOWN = 80
_PAST_A_TAG = b" " * 8
_NO_TAGS = pl.DataFrame(schema={"row": pl.UInt32, "text": pl.String})
_NAME_TEXTS = pl.Series([*NAMES, ""])


class Attributes(NamedTuple):
    """All attributes of a batch, in file order.

    ``tag`` int64[n] is the place of its tag in ``Tags.rows``, and ``name`` int8[n] its number in fields.ATTRIBUTE, -1
    if unknown. ``begin`` int64[n] is the byte behind the attribute before it, or where its tag begins. ``opening`` and
    ``closing`` int64[n] are the places of its quotes in ``Tags.marks``.
    """

    tag: _Ints
    name: npt.NDArray[np.int8]
    begin: _Ints
    opening: _Ints
    closing: _Ints


@dataclass(frozen=True)
class Tags:
    """All tags of a batch, in file order. A tag's place in this order is its ``row``.

    Five arrays have one entry for each tag: ``game`` uint32, ``event`` uint32 (number within the file), ``pos`` uint32
    (byte within the file), ``letter`` uint8 (place in :data:`PLAY_LETTERS`, 255 for other tags) and ``number`` int32
    (-1 if there is none).

    ``rows`` int64 are the tags that are neither draws nor discards, and ``names`` int8 their numbers in fields.NAMES,
    -1 if unknown; ``attributes`` are theirs. ``unnumbered`` (row, text) are draws and discards without a readable
    number. ``broken`` (row, text) are tags without an end; they are not in ``rows``, and their attributes are not
    read. ``loose`` (row, text) are tags with text behind them. ``unquoted`` has the rows of tags that lack a quote,
    and ``controls`` those of tags with a control character, which XML does not allow, within or behind them.
    ``last_rows`` has the row of each game's last tag, in order; a game without tags has none.

    ``buffer`` has the texts of all files. ``at`` and ``until`` int64[tags] are the bytes in it where each tag and the
    next one begin, and ``marks`` int64 those of all quotes and commas.
    """

    game: npt.NDArray[np.uint32]
    event: npt.NDArray[np.uint32]
    pos: npt.NDArray[np.uint32]
    letter: npt.NDArray[np.uint8]
    number: npt.NDArray[np.int32]
    rows: _Ints
    names: npt.NDArray[np.int8]
    attributes: Attributes
    unnumbered: pl.DataFrame
    broken: pl.DataFrame
    loose: pl.DataFrame
    unquoted: _Ints
    controls: _Ints
    last_rows: _Ints
    buffer: bytes
    at: _Ints
    until: _Ints
    marks: _Ints

    def __len__(self) -> int:
        """Return the number of tags."""
        return len(self.game)

    @cached_property
    def others(self) -> pl.DataFrame:
        """All tags that are neither draws nor discards (row, name); the name of an unknown tag is empty."""
        return pl.DataFrame({"row": self.rows.astype(np.uint32), "name": _NAME_TEXTS.gather(self.names)})

    def texts(self, rows: npt.NDArray[np.integer]) -> pl.Series:
        """Return the texts of tags, each up to the next tag."""
        return _texts(self.buffer, self.at[rows], self.until[rows])

    def values(self, places: _Ints) -> pl.Series:
        """Return the texts of attributes, given by their places in ``attributes``."""
        opening, closing = self.marks[self.attributes.opening[places]], self.marks[self.attributes.closing[places]]
        values = _texts(self.buffer, opening + 1, closing)
        return _read(values) if any(sign in self.buffer for sign in (b"&", GREATER, QUOTE)) else values

    def attribute_names(self, places: _Ints) -> pl.Series:
        """Return the names of attributes, given by their places in ``attributes``, as the log writes them."""
        begin, opening = self.attributes.begin[places], self.marks[self.attributes.opening[places]]
        return _attribute_names(_texts(self.buffer, begin, opening))


def scan(logs: Sequence[Plain], offsets: Sequence[int]) -> Tags:
    """Cut the batch's logs (UTF-8, each empty or beginning with ``<``) into tags.

    ``offsets`` has the number of bytes before the text in each file, so that positions are those of the file.
    """
    texts = [log.text for log in logs]
    buffer = b" ".join([*texts, _PAST_A_TAG])
    code = np.frombuffer(buffer, dtype=np.uint8)
    starts = np.cumsum([0, *(len(text) + 1 for text in texts)])[:-1]
    ends = starts + np.array([len(text.rstrip(_WHITE)) for text in texts], dtype=np.int64)
    at = np.flatnonzero(code == ord("<"))
    first = np.searchsorted(at, starts)
    letter, number = _play(code, at)
    count = np.append(first[1:], len(at)) - first
    last_rows = (first + count - 1)[count > 0]
    until = np.empty_like(at)
    until[:-1], until[last_rows] = at[1:], ends[count > 0]
    found = _named(buffer, at, until, letter, number)
    return Tags(
        game=np.repeat(np.arange(len(texts), dtype=np.uint32), count),
        event=np.arange(len(at), dtype=np.uint32) - np.repeat(first.astype(np.uint32), count),
        pos=at.astype(np.uint32) - np.repeat((starts - np.asarray(offsets, dtype=np.int64)).astype(np.uint32), count),
        letter=letter,
        number=number,
        **found._asdict(),
        loose=_NO_TAGS if all(log.regular for log in logs) else _loose(buffer, code, at, until),
        controls=_controls(code, at),
        last_rows=last_rows,
        buffer=buffer,
        at=at,
        until=until,
    )


def _play(code: _Bytes, at: _Ints) -> tuple[_Bytes, npt.NDArray[np.int32]]:
    """Return letter and number of every tag that is a letter, one to three digits and ``/>``; else 255 and -1."""
    letters = np.full(len(at), NOT_PLAY, dtype=np.uint8)
    numbers = np.full(len(at), -1, dtype=np.int32)
    for first in range(0, len(at), PART):
        begin = at[first : first + PART]
        letter = _LETTER.take(code[1:][begin])
        number = np.zeros(len(begin), dtype=np.int16)
        plain = np.zeros(len(begin), dtype=bool)
        still = letter != NOT_PLAY
        here, following = (code[place:][begin] for place in (2, 3))
        for place in (4, 5, 6):
            digit = here - ord("0")  # wraps around below "0"
            still &= digit <= 9
            number += (number * 9 + digit) * still
            here, following = following, code[place:][begin]
            plain |= still & (here == ord("/")) & (following == ord(">"))
        np.copyto(letters[first : first + PART], letter, where=plain)
        np.copyto(numbers[first : first + PART], number, where=plain)
    return letters, numbers


class _Named(NamedTuple):
    """The tags that are neither draws nor discards, and their attributes, as in :class:`Tags`."""

    rows: _Ints
    names: npt.NDArray[np.int8]
    attributes: Attributes
    marks: _Ints
    unquoted: _Ints
    unnumbered: pl.DataFrame = _NO_TAGS
    broken: pl.DataFrame = _NO_TAGS


def _named(buffer: bytes, at: _Ints, until: _Ints, letter: _Bytes, number: npt.NDArray[np.int32]) -> _Named:
    """Find the tags that are neither draws nor discards, cut them at their quotes, and recognise their names.

    Draws and discards that stand there in another form than Tenhou's are added to ``letter`` and ``number``.
    """
    code = np.frombuffer(buffer, dtype=np.uint8)
    marks = np.flatnonzero((code == ord('"')) | (code == ord(",")))
    quotes = np.flatnonzero(code[marks] == ord('"'))
    quoted = marks[quotes]
    rows = np.flatnonzero(letter == NOT_PLAY)
    begin, end = at[rows], until[rows]
    first = np.searchsorted(quoted, begin)
    count = np.searchsorted(quoted, end) - first
    # An odd number of quotes leaves a last part that no quote closes: it is no value.
    pairs = count // 2
    some = pairs > 0
    leading = np.cumsum(pairs) - pairs
    opening = np.repeat(first - 2 * leading, pairs) + 2 * np.arange(pairs.sum())
    parts = quoted[opening - 1] + 1
    parts[leading[some]] = begin[some]
    names = np.empty(len(rows), dtype=np.int8)
    of_part, attribute = recognised(buffer, parts, quoted[opening])
    names[some], names[~some] = of_part[leading[some]], recognised(buffer, begin[~some], end[~some])[0]
    tag = np.repeat(np.arange(len(rows)), pairs)
    attributes = Attributes(tag, attribute, parts, quotes[opening], quotes[opening + 1])
    unknown = np.flatnonzero(attribute < 0)
    if len(unknown):
        read = _attribute_names(_texts(buffer, parts[unknown], quoted[opening[unknown]]))
        attribute[unknown] = [ATTRIBUTE.get(name, -1) for name in read]
    unquoted = count % 2 == 1
    odd = np.flatnonzero((names < 0) | (code[end - 1] != ord(">")))
    if not len(odd):
        return _Named(rows, names, attributes, marks, rows[unquoted])
    tags = pl.DataFrame({"row": rows[odd].astype(np.uint32), "text": _texts(buffer, begin[odd], end[odd])})
    names[odd] = tags["text"].str.extract(_NAME).replace_strict(NAME, default=-1, return_dtype=pl.Int8)
    spaced, unnumbered = _spaced_play(tags, letter, number)
    broken = ~tags["text"].str.contains(">", literal=True)
    kept = np.ones(len(rows), dtype=bool)
    kept[odd] = ~(broken | spaced).to_numpy()
    if not kept.all():
        attributes = Attributes(*(column[kept[tag]] for column in attributes))  # type: ignore[arg-type]
        attributes = attributes._replace(tag=(np.cumsum(kept) - 1)[attributes.tag])
    return _Named(rows[kept], names[kept], attributes, marks, rows[kept & unquoted], unnumbered, tags.filter(broken))


def _loose(buffer: bytes, code: _Bytes, at: _Ints, until: _Ints) -> pl.DataFrame:
    """Return the tags that have more than white space between their end and the next tag (row, text)."""
    # A tag ends at its first ">". A tag without one has nothing behind it.
    ends = np.flatnonzero(code == ord(">"))
    ends = np.minimum(np.append(ends, len(code))[np.searchsorted(ends, at)], until)
    gap = np.maximum(until - ends - 1, 0)
    tag, behind = expanded(ends + 1, gap)
    rows = np.unique(tag[~_IS_WHITE[code[behind]]])
    texts = [_printed(buffer[ends[row] + 1 : until[row]]) for row in rows.tolist()]
    return pl.DataFrame({"row": rows.astype(np.uint32), "text": texts}, schema_overrides={"text": pl.String})


def _printed(text: bytes) -> str:
    """Return the beginning of a text, with characters that do not print written as numbers."""
    start = text.strip(_WHITE)[:_SHOWN].decode(errors="replace")
    return "".join(each if each.isprintable() else f"\\x{ord(each):02x}" for each in start)


def _controls(code: _Bytes, at: _Ints) -> _Ints:
    """Return the rows of tags with a control character other than white space within or behind them."""
    low = np.flatnonzero(code < GREATER[0])
    low = low[~_IS_WHITE[code[low]]]
    rows: _Ints = np.unique(np.searchsorted(at, low, side="right") - 1)
    return rows[rows >= 0]


def unescaped(text: str) -> str:
    """Return a value with entities and character numbers replaced by their characters."""
    return _ENTITY.sub(lambda found: html.unescape(found[0]), text)


def _read(values: pl.Series) -> pl.Series:
    """Return values with entities, and the replacement bytes of markup.py, turned into their characters."""
    plain = values.str.replace_all(GREATER.decode(), ">", literal=True).str.replace_all(
        QUOTE.decode(), '"', literal=True
    )
    at = plain.str.contains("&", literal=True).arg_true()
    read = [unescaped(value) for value in plain.gather(at)]
    return plain.scatter(at, read) if read else plain


def _texts(buffer: bytes, begin: _Ints, end: _Ints) -> pl.Series:
    """Return these parts of the buffer, in any order."""
    bounds = np.stack([begin, end], axis=1).ravel()
    if not len(bounds) or (bounds[1:] < bounds[:-1]).any():
        return pl.Series(
            [buffer[at:to].decode() for at, to in zip(begin.tolist(), end.tolist(), strict=True)], dtype=pl.String
        )
    # Arrow takes parts that follow each other as they lie in memory. Every second one is that between two of these.
    parts = pa.LargeStringArray.from_buffers(len(bounds) - 1, pa.py_buffer(bounds), pa.py_buffer(buffer))
    return from_arrow(parts).gather_every(2)


def _spaced_play(odd: pl.DataFrame, letter: _Bytes, number: npt.NDArray[np.int32]) -> tuple[pl.Series, pl.DataFrame]:
    """Fill in letters and numbers of draws and discards of files that were saved again (``<T12 />``).

    Return which of these tags (row, text) they are, and those that have no number behind their letter (row, text).
    """
    letters = odd["text"].str.extract(_SPACED_PLAY, 1)
    spaced = letters.is_not_null()
    if not spaced.any():
        return spaced, _NO_TAGS
    played = odd.filter(spaced)
    numbers = played["text"].str.extract(_SPACED_PLAY, 2).str.extract("^([0-9]{1,6})$").cast(pl.Int32)
    rows = played["row"].to_numpy()
    letter[rows] = letters.filter(spaced).cast(pl.Enum(list(PLAY_LETTERS))).to_physical().to_numpy()
    number[rows] = numbers.fill_null(-1).to_numpy()
    return spaced, played.filter(numbers.is_null()).with_columns(pl.col("text").str.strip_chars())


def _attribute_names(parts: pl.Series) -> pl.Series:
    """Return the attribute at the end of each text, which stands between two values or before the first."""
    names = parts.str.strip_chars(" =\t\r\n")
    # "<AGARI ba" has the tag's own name before it, "machi=96 ten" an attribute without quotes.
    more = parts.str.starts_with("<") | names.str.contains("=", literal=True)
    return names.str.extract(r"\s(\w+)$").fill_null("").zip_with(more, names)
