"""Bytes of mjlog files → a table of tags, without a loop over tags.

A log is a flat list of empty elements. Nine in ten are draws and discards such as ``<T12/>``, whose digits are read
from the byte buffer of the whole batch. The others become Polars strings and are split into attributes.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import polars as pl

from auditor.readers.mjlog.markup import GREATER, QUOTE

if TYPE_CHECKING:
    from collections.abc import Sequence

PLAY_LETTERS = "TUVWDEFG"
"""Draws of seats 0–3, then discards of seats 0–3 (auditor/readers/mjlog/FORMAT.md section 4)."""

NOT_PLAY = 255

_LETTER = np.full(256, NOT_PLAY, dtype=np.uint8)
_LETTER[np.frombuffer(PLAY_LETTERS.encode(), dtype=np.uint8)] = np.arange(8)
_SPACED_PLAY = r"^<([TUVWDEFG])((?:[^\sA-Za-z_<>/=\"'][^\s<>/=\"']*)?)\s*/?>\s*$"
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});")
_WHITE = np.zeros(256, dtype=bool)
_WHITE[list(b" \t\r\n")] = True
_SHOWN = 80
_PAST_A_TAG = b" " * 8


@dataclass(frozen=True)
class Tags:
    """All tags of a batch, in file order. A tag's place in this order is its ``row``.

    Five arrays have one entry for each tag: ``game`` uint32, ``event`` uint32 (number within the file), ``pos`` uint32
    (byte within the file), ``letter`` uint8 (place in :data:`PLAY_LETTERS`, 255 for other tags) and ``number`` int32
    (-1 if there is none).

    ``unnumbered`` (row, text) are draws and discards without a readable number. ``others`` (row, name, text) are all
    tags that are neither draws nor discards, and ``attributes`` (row, name, attribute, value) are theirs. ``broken``
    (row, text) are tags without an end; they are not in ``others``, and their attributes are not read. ``loose`` (row,
    text) are tags with text behind them. ``unquoted`` has the rows of tags that lack a quote, and ``controls`` those of
    tags with a control character, which XML does not allow, within or behind them.
    """

    game: npt.NDArray[np.uint32]
    event: npt.NDArray[np.uint32]
    pos: npt.NDArray[np.uint32]
    letter: npt.NDArray[np.uint8]
    number: npt.NDArray[np.int32]
    unnumbered: pl.DataFrame
    others: pl.DataFrame
    attributes: pl.DataFrame
    broken: pl.DataFrame
    loose: pl.DataFrame
    unquoted: pl.Series
    controls: npt.NDArray[np.int64]

    def __len__(self) -> int:
        """Return the number of tags."""
        return len(self.game)

    @property
    def last_rows(self) -> npt.NDArray[np.int64]:
        """The row of each game's last tag, in order; a game without tags has none."""
        return np.flatnonzero(np.diff(self.game.astype(np.int64), append=-1))


def scan(texts: Sequence[bytes], offsets: Sequence[int]) -> Tags:
    """Cut the batch's texts (UTF-8, each beginning with ``<``, in the plain form of markup.py) into tags.

    ``offsets`` has the number of bytes before the text in each file, so that positions are those of the file.
    """
    buffer = b"\n".join([*texts, _PAST_A_TAG])
    code = np.frombuffer(buffer, dtype=np.uint8)
    lengths = np.array([len(text) + 1 for text in texts], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(lengths)])[: len(texts)].astype(np.int64)
    at = np.flatnonzero(code == ord("<"))
    first_tag = np.searchsorted(at, starts)
    game = np.repeat(np.arange(len(texts), dtype=np.uint32), np.diff(np.append(first_tag, len(at))))
    letter, number = _play(code, at)
    rows = np.flatnonzero(letter == NOT_PLAY)
    others = _names(rows, _slices(buffer, at, rows))
    others, unnumbered = _spaced_play(others, letter, number)
    ended = others["text"].str.contains(">", literal=True)
    broken, others = others.filter(~ended).select("row", "text"), others.filter(ended)
    attributes, unquoted = _attributes(others)
    if any(sign in buffer for sign in (b"&", GREATER, QUOTE)):
        attributes = attributes.with_columns(value=_read(attributes["value"]))
    return Tags(
        game=game,
        event=(np.arange(len(at)) - first_tag[game]).astype(np.uint32),
        pos=(at - (starts - np.asarray(offsets, dtype=np.int64))[game]).astype(np.uint32),
        letter=letter,
        number=number,
        unnumbered=unnumbered,
        others=others,
        attributes=attributes,
        broken=broken,
        loose=_loose(code, buffer, at),
        controls=_controls(code, at),
        unquoted=unquoted,
    )


def _play(
    code: npt.NDArray[np.uint8], at: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32]]:
    """Return letter and number of every tag that is a letter, one to three digits and ``/>``; else 255 and -1."""
    letter = _LETTER[code[at + 1]]
    number = np.zeros(len(at), dtype=np.int16)
    length = np.zeros(len(at), dtype=np.int64)
    still = letter != NOT_PLAY
    for place in (2, 3, 4):
        digit = code[at + place] - ord("0")  # wraps around below "0"
        still &= digit <= 9
        number = np.where(still, number * 10 + digit, number)
        length += still
    end = at + 2 + length
    plain = (length > 0) & (code[end] == ord("/")) & (code[end + 1] == ord(">"))
    return np.where(plain, letter, NOT_PLAY).astype(np.uint8), np.where(plain, number, -1).astype(np.int32)


def _loose(code: npt.NDArray[np.uint8], buffer: bytes, at: npt.NDArray[np.int64]) -> pl.DataFrame:
    """Return the tags that have more than white space between their end and the next tag (row, text)."""
    ends, until = np.flatnonzero(code == ord(">")), np.append(at[1:], len(code))
    if len(ends) != len(at) or bool((ends < at).any()) or bool((ends > until).any()):
        # A tag ends at its first ">". A tag without one has nothing behind it.
        after = np.append(ends, len(code))[np.searchsorted(ends, at)]
        ends = np.minimum(after, until)
    gap = np.maximum(until - ends - 1, 0)
    behind = np.arange(gap.sum()) + np.repeat(ends + 1 - np.cumsum(gap) + gap, gap)
    rows = np.unique(np.repeat(np.arange(len(at)), gap)[~_WHITE[code[behind]]])
    texts = [_printed(buffer[ends[row] + 1 : until[row]]) for row in rows.tolist()]
    return pl.DataFrame({"row": rows.astype(np.uint32), "text": texts}, schema_overrides={"text": pl.String})


def _printed(text: bytes) -> str:
    """Return the beginning of a text, with characters that do not print written as numbers."""
    start = text.strip(b" \t\r\n")[:_SHOWN].decode(errors="replace")
    return "".join(each if each.isprintable() else f"\\x{ord(each):02x}" for each in start)


def _controls(code: npt.NDArray[np.uint8], at: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the rows of tags with a control character other than white space within or behind them."""
    low = np.flatnonzero(code < GREATER[0])
    low = low[~_WHITE[code[low]]]
    rows: npt.NDArray[np.int64] = np.unique(np.searchsorted(at, low, side="right") - 1)
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


def _slices(buffer: bytes, at: npt.NDArray[np.int64], rows: npt.NDArray[np.int64]) -> pl.Series:
    """Return the text from the ``<`` of each of these tags to the next ``<``."""
    start, stop = at[rows], np.append(at, len(buffer))[rows + 1]
    cut = pl.lit(buffer).bin.slice(pl.lit(pl.Series(start)), pl.lit(pl.Series(stop - start)))
    return pl.select(text=cut.cast(pl.String)).to_series()


def _names(rows: npt.NDArray[np.int64], text: pl.Series) -> pl.DataFrame:
    return pl.DataFrame({"row": rows.astype(np.uint32), "text": text}).with_columns(
        name=pl.col("text").str.extract(r"^<([/?!]?[A-Za-z_][A-Za-z_]*\d*)").fill_null(""),
    )


def _spaced_play(
    others: pl.DataFrame, letter: npt.NDArray[np.uint8], number: npt.NDArray[np.int32]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Move draws and discards of files that were saved again (``<T12 />``) from ``others`` to the arrays.

    Return the remaining tags, and the draws and discards that have no number behind their letter (row, text).
    """
    played = others.select(
        "row", "text",
        letter=pl.col("text").str.extract(_SPACED_PLAY, 1).cast(pl.Enum(list(PLAY_LETTERS))).to_physical(),
        number=pl.col("text").str.extract(_SPACED_PLAY, 2).str.extract("^([0-9]{1,6})$").cast(pl.Int32),
    ).drop_nulls("letter")  # fmt: skip
    if played.is_empty():
        return others, played.select("row", "text")
    rows = played["row"].to_numpy()
    letter[rows] = played["letter"].to_numpy()
    number[rows] = played["number"].fill_null(-1).to_numpy()
    unnumbered = played.filter(pl.col("number").is_null()).select("row", pl.col("text").str.strip_chars())
    return others.join(played, on="row", how="anti", maintain_order="left"), unnumbered


def _attributes(others: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series]:
    """Return the attributes of these tags (row, name, attribute, value), and the rows of tags that lack a quote.

    The text is split at quotes: parts at even places end in an attribute's name, parts at odd places are values.
    """
    text = others["text"]
    lists = text.str.split('"')
    count = lists.list.len().to_numpy().astype(np.int64)
    tag = np.repeat(np.arange(len(others)), count)
    place = np.arange(len(tag)) - np.repeat(np.cumsum(count) - count, count)
    value_at = np.flatnonzero(place % 2 == 1)
    # An odd number of quotes leaves a last part that no quote closes: it is no value.
    value_at = value_at[place[value_at] < count[tag[value_at]] - (count[tag[value_at]] % 2 == 0)]
    part = lists.explode()
    named = others[tag[value_at]]
    name = part.gather(value_at - 1).str.strip_chars(" =\t\r\n")
    # "<AGARI ba" has the tag's own name before it, "machi=96 ten" an attribute without quotes.
    more = np.flatnonzero((place[value_at] == 1) | name.str.contains("=", literal=True).to_numpy())
    name = name.scatter(more, name.gather(more).str.extract(r"\s(\w+)$").fill_null(""))
    columns = {"row": named["row"], "name": named["name"], "attribute": name, "value": part.gather(value_at)}
    return pl.DataFrame(columns), others["row"].filter(pl.Series(count % 2 == 0))
