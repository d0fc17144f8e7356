"""Texts of events → columns. Each distinct text is decoded once.

Most draws and discards of a batch are the same few texts.

A text that fits the grammar of fields.py is decoded by Polars. Any other text is read value by value (careful.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from auditor.log.arrays import filled, gathered, is_known
from auditor.log.event_kinds import CODE, is_kind
from auditor.log.tables import CALLS
from auditor.log.tile_ids import NONE
from auditor.readers.mjai import careful
from auditor.readers.mjai.fields import NEEDS, NORTH, SCHEMA, START_GAME, TILE_ID, UNREAD, grammar

if TYPE_CHECKING:
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]

NOTHING, HEAD, END_ROUND, END, HAIPAI = 255, 254, 253, 252, 251
"""Codes, beside those of kinds of events: no event, ``start_game``, ``end_kyoku``, ``end_game``, ``haipai``."""

KIND: dict[str, int] = {
    "start_kyoku": CODE["deal"],
    "haipai": HAIPAI,
    "tsumo": CODE["draw"],
    "dahai": CODE["discard"],
    **{name: CODE[name] for name in ("chi", "pon", "daiminkan", "ankan", "kakan", "kita", "dora")},
    "nukidora": CODE["kita"],
    "reach": CODE["riichi"],
    "reach_accepted": CODE["deposit"],
    "hora": CODE["result"],
    "ryukyoku": CODE["result"],
    "end_kyoku": END_ROUND,
    "end_game": END,
    START_GAME: HEAD,
}

_GRAMMAR = grammar()
_KEYS = r'"[ \t]*:'
_UNREAD_KEYS = rf'"(?:{"|".join(UNREAD)})"[ \t]*:'


class Texts(NamedTuple):
    """The distinct texts of a batch.

    ``of_line`` uint32[lines] is each line's text. ``kind`` uint8[texts] is the code of its event, ``actor`` and
    ``target`` int8[texts] are -1 where it names none, ``tile_id`` int16[texts] is -1 for a hidden tile or none,
    ``others`` int16[texts, 4] are the consumed tiles (NONE for none), ``tsumogiri`` int8[texts] is -1 if not told.
    ``frame`` has the fields as decoded; ``row`` int64[texts] is a text's row there, -1 for none. ``heads`` are the
    ``start_game`` objects by text. ``notes`` are the faults of each text that has any. ``written`` bool[texts] says
    whether it is not empty.
    """

    of_line: npt.NDArray[np.uint32]
    kind: npt.NDArray[np.uint8]
    actor: npt.NDArray[np.int8]
    target: npt.NDArray[np.int8]
    tile_id: npt.NDArray[np.int16]
    others: npt.NDArray[np.int16]
    tsumogiri: npt.NDArray[np.int8]
    frame: pl.DataFrame
    row: Ints
    heads: dict[int, dict[str, Any]]
    notes: dict[int, list[careful.Note]]
    written: npt.NDArray[np.bool_]


def distinct(lines: pl.Series) -> tuple[pl.Series, npt.NDArray[np.uint32]]:
    """Return the distinct texts of lines, without their line feeds, and each line's text, uint32[lines]."""
    found = lines.unique(maintain_order=True)
    of_line = lines.cast(pl.Enum(found)).to_physical().to_numpy()
    return found.str.strip_chars_end("\n"), of_line.astype(np.uint32, copy=False)


def odd(texts: pl.Series) -> npt.NDArray[np.bool_]:
    """Return which texts are no single object and may have one within, bool[n]."""
    begun = texts.str.starts_with("{") | (texts.str.len_bytes() == 0)
    found: npt.NDArray[np.bool_] = ~begun.to_numpy() | texts.str.contains("}{", literal=True).to_numpy()
    return found


def read(distinct: pl.Series, of_line: npt.NDArray[np.uint32]) -> Texts:
    """Decode distinct texts, each of an event or of something else."""
    fitting = distinct.str.contains(_GRAMMAR).to_numpy()
    fit = distinct.filter(pl.Series(fitting))
    frame = fit.str.json_decode(pl.Struct(SCHEMA)).struct.unnest()
    complete = _complete(frame) & _once(fit, frame)
    row = np.full(len(distinct), -1, dtype=np.int64)
    places = np.flatnonzero(fitting)
    row[places[complete]] = np.flatnonzero(complete)
    heads: dict[int, dict[str, Any]] = {}
    notes: dict[int, list[careful.Note]] = {}
    cleaned: list[str] = []
    for place in np.flatnonzero(row < 0).tolist():
        found = careful.read(distinct[place])
        if found.notes:
            notes[place] = found.notes
        if found.head is not None:
            heads[place] = found.head
        elif found.event is not None:
            row[place] = len(frame) + len(cleaned)
            cleaned.append(found.event)
    if cleaned:
        more = pl.Series(cleaned, dtype=pl.String).str.json_decode(pl.Struct(SCHEMA)).struct.unnest()
        frame = pl.concat([frame, more]).rechunk()
    written = (distinct.str.len_bytes() > 0).to_numpy()
    return _columns(of_line, frame, row, heads, notes)._replace(written=written)


def _once(texts: pl.Series, frame: pl.DataFrame) -> npt.NDArray[np.bool_]:
    """Return which texts have each key once, bool[n]; ``frame`` has them decoded."""
    read = np.zeros(len(texts), dtype=np.int64)
    for column in frame.iter_columns():
        read += is_known(column)
    once: npt.NDArray[np.bool_] = texts.str.count_matches(_KEYS).to_numpy() == read
    if not once.all():
        others = np.flatnonzero(~once)
        rest = gathered(texts, others)
        unread = rest.str.extract_all(_UNREAD_KEYS)
        alone = (unread.list.n_unique() == unread.list.len()).to_numpy()
        once[others] = alone & (rest.str.count_matches(_KEYS).to_numpy() == read[others] + unread.list.len().to_numpy())
    return once


def _complete(frame: pl.DataFrame) -> npt.NDArray[np.bool_]:
    """Return which decoded events have all fields that their type needs, bool[n]."""
    place = {name: number for number, name in enumerate(NEEDS)}
    kind = filled(frame["type"].replace_strict(place, default=NOTHING, return_dtype=pl.UInt8), NOTHING)
    found = kind != NOTHING
    known = {name: is_known(frame[name]) for name in ("actor", "target", "pai", "dora_marker")}
    count = filled(frame["consumed"].list.len(), 0)
    for name, needs in NEEDS.items():
        for field, length in needs.items():
            found &= (kind != place[name]) | (count == length if length else known[field])
    complete: npt.NDArray[np.bool_] = found
    return complete


def tile_ids(names: pl.Series) -> npt.NDArray[np.int16]:
    """Return tiles as ids, int16[n]; -1 for a hidden tile or none."""
    found: npt.NDArray[np.int16] = filled(names.replace_strict(TILE_ID, default=-1, return_dtype=pl.Int16), -1)
    return found


def _columns(
    of_line: npt.NDArray[np.uint32],
    frame: pl.DataFrame,
    row: Ints,
    heads: dict[int, dict[str, Any]],
    notes: dict[int, list[careful.Note]],
) -> Texts:
    kind = filled(frame["type"].replace_strict(KIND, default=NOTHING, return_dtype=pl.UInt8), NOTHING)
    tile = tile_ids(frame["pai"].fill_null(frame["dora_marker"])).copy()
    others = np.full((len(frame), 4), NONE, dtype=np.int16)
    at, names = entries_of(frame["consumed"])
    nth = nth_of(at)
    some = nth < others.shape[1]
    others[at[some], nth[some]] = tile_ids(names)[some]
    ankan = np.flatnonzero(kind == CODE["ankan"])
    tile[ankan] = others[ankan, 0]
    others[ankan, :3], others[ankan, 3] = others[ankan, 1:], NONE
    tile[kind == CODE["kita"]] = NORTH
    tile[~is_kind(kind, "draw", "discard", "dora", *CALLS)] = -1
    mark = filled(frame["tsumogiri"].cast(pl.Int8), -1).copy()
    mark[kind != CODE["discard"]] = -1
    there = np.append(row, -1)[:-1]
    known = there >= 0

    def of_text(values: npt.NDArray[Any], missing: int) -> npt.NDArray[Any]:
        found = np.full((len(row), *values.shape[1:]), missing, dtype=values.dtype)
        found[known] = values[there[known]]
        return found

    kinds = of_text(kind, NOTHING)
    kinds[list(heads)] = HEAD
    return Texts(
        of_line,
        kinds,
        of_text(filled(frame["actor"], -1), -1),
        of_text(filled(frame["target"], -1), -1),
        of_text(tile, -1),
        of_text(others, NONE),
        of_text(mark, -1),
        frame,
        row,
        heads,
        notes,
        np.empty(0, dtype=bool),
    )


def entries_of(column: pl.Series) -> tuple[Ints, pl.Series]:
    """Return row and value of each entry of a column of lists of any type."""
    count = filled(column.list.len(), 0).astype(np.int64)
    return np.repeat(np.arange(len(column)), count), column.filter(pl.Series(count > 0)).explode()


def nth_of(row: Ints) -> Ints:
    """Return the place of each entry within its row, int64[n]; rows are ascending."""
    place = np.arange(len(row))
    begins = np.append(True, row[1:] != row[:-1])[: len(row)]
    found: Ints = place - np.maximum.accumulate(np.where(begins, place, 0))
    return found
