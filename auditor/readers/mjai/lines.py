"""Documents → lines with events, in games and rounds; what a game's first events say about its seats."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from auditor.log.arrays import filled, from_arrow
from auditor.log.event_kinds import CODE
from auditor.log.tables import SEATS
from auditor.readers.mjai import texts
from auditor.readers.mjai.containers import mended
from auditor.readers.mjai.fields import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    import polars as pl

    from auditor.readers.mjai.containers import Document
    from auditor.readers.mjai.texts import Texts

    Ints = npt.NDArray[np.int64]

NO_ROUND = -1


class Lines(NamedTuple):
    """The lines that are events, in the order of the files.

    ``doc``, ``game``, ``round`` (``NO_ROUND`` before the first deal of a game), ``number`` (of the line in its
    document, from 1), ``text`` (row of ``texts``) are int64[lines]; ``kind`` uint8[lines] is a code of texts.py.
    ``starts`` int64[rounds] are the lines of deals; ``heads`` int64[games] are the lines of ``start_game``, -1 for
    none; ``doc_of_game`` int64[games]. ``players`` int8[games]; ``shift`` int64[games] is the first dealer: the actor
    who has seat 0.
    ``faulty`` are the lines with faults: doc, number, text. ``last_of_doc`` int64[documents] is the number of each
    document's last line that is not empty; zeros if no line has a fault.
    """

    texts: Texts
    doc: Ints
    game: Ints
    round: Ints
    number: Ints
    text: Ints
    kind: npt.NDArray[np.uint8]
    starts: Ints
    heads: Ints
    doc_of_game: Ints
    players: npt.NDArray[np.int8]
    shift: Ints
    faulty: tuple[Ints, Ints, Ints]
    last_of_doc: Ints

    def of_games(self, chosen: npt.NDArray[np.bool_]) -> Lines:
        """Return the lines of some games, bool[games]; their rounds are numbered anew."""
        if chosen.all():
            return self
        kept = chosen[self.game]
        number = np.cumsum(chosen[self.game[self.starts]]) - 1
        place = np.cumsum(kept) - 1
        round_ = np.where(self.round >= 0, np.append(number, NO_ROUND)[self.round], NO_ROUND)
        return self._replace(
            doc=self.doc[kept], game=self.game[kept], round=round_[kept], number=self.number[kept],
            text=self.text[kept], kind=self.kind[kept], starts=place[self.starts[chosen[self.game[self.starts]]]],
        )  # fmt: skip

    def seat(self, actor: npt.NDArray[np.integer], game: Ints) -> npt.NDArray[np.int8]:
        """Return actors as seats, int8[n]; -1 for an actor that does not exist or is not named."""
        if not self.shift.any() and self.players.min(initial=SEATS) == SEATS:
            return actor.astype(np.int8)
        players = self.players[game].astype(np.int64)
        seat = (actor.astype(np.int64) - self.shift[game]) % players
        return np.where((actor >= 0) & (actor < players), seat, -1).astype(np.int8)


def read(documents: Sequence[Document]) -> Lines:
    """Return the lines of documents; each document has at least one game, even if it has no event."""
    doc, decoded = _decoded(list(documents))
    number = texts.nth_of(doc) + 1
    of_line = decoded.of_line.astype(np.int64)
    noted = np.zeros(len(decoded.kind), dtype=bool)
    noted[list(decoded.notes)] = True
    faulty = np.flatnonzero(noted[of_line])
    last = np.zeros(len(documents), dtype=np.int64)
    if len(faulty):
        written = np.flatnonzero(decoded.written[of_line])
        last[doc[written]] = number[written]
    kind = decoded.kind[of_line]
    rows = np.flatnonzero(kind != texts.NOTHING)
    kind, doc_of = kind[rows], doc[rows]
    game, doc_of_game = _games(kind, doc_of, len(documents))
    starts = np.flatnonzero(kind == CODE["deal"])
    nth = np.cumsum(kind == CODE["deal"]) - 1
    at = np.append(starts, -1)[nth]
    in_round = (nth >= 0) & (np.append(game, -1)[at] == game)
    heads = np.full(len(doc_of_game), -1, dtype=np.int64)
    found = np.flatnonzero(kind == texts.HEAD)[::-1]
    heads[game[found]] = found
    lines = Lines(
        decoded, doc_of, game, np.where(in_round, nth, NO_ROUND), number[rows], of_line[rows], kind, starts, heads,
        doc_of_game, np.empty(0, np.int8), np.empty(0, np.int64), (doc[faulty], number[faulty], of_line[faulty]), last,
    )  # fmt: skip
    players, shift = _seats(lines)
    return lines._replace(players=players, shift=shift)


def _decoded(documents: list[Document]) -> tuple[Ints, Texts]:
    """Return each line's document, int64[lines], and the texts of the lines."""
    doc, lines = _split(documents)
    distinct, of_line = texts.distinct(lines)
    odd = texts.odd(distinct)
    if odd.any():
        for number in np.unique(doc[odd[of_line]]).tolist():
            documents[number] = mended(documents[number])
        doc, lines = _split(documents)
        distinct, of_line = texts.distinct(lines)
    return doc, texts.read(distinct, of_line)


def _split(documents: list[Document]) -> tuple[Ints, pl.Series]:
    """Return the lines of documents, each with its line feed, and the document of each, int64[lines]."""
    size = np.array([len(each.text) + 1 for each in documents], dtype=np.int64)
    data = b"\n".join([*(each.text for each in documents), b""])
    # Arrow takes the lines as they lie in memory.
    ends = np.append(0, np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == _FEED) + 1)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(data)]
    doc = np.repeat(np.arange(len(size)), np.diff(np.searchsorted(ends, np.append(0, np.cumsum(size)))))
    return doc, from_arrow(pa.Array.from_buffers(pa.large_string(), len(doc), buffers))


_FEED = ord("\n")


def _games(kind: npt.NDArray[np.uint8], doc: Ints, documents: int) -> tuple[Ints, Ints]:
    """Return each line's game, int64[lines], and each game's document, int64[games]."""
    first = np.ones(len(kind), dtype=bool)
    first[1:] = doc[1:] != doc[:-1]
    before = np.append(texts.END, kind[:-1]) if len(kind) else kind
    head = (kind == texts.HEAD) & (before != texts.HEAD)
    begins = first | head | ((kind == CODE["deal"]) & (before == texts.END))
    of_line = np.cumsum(begins) - 1
    of_game = doc[begins]
    empty = np.setdiff1d(np.arange(documents), of_game)
    if not len(empty):
        return of_line, of_game
    every = np.concatenate([of_game, empty])
    order = np.argsort(every, kind="stable")
    place = np.empty(len(every), dtype=np.int64)
    place[order] = np.arange(len(every))
    return place[of_line], every[order]


def _seats(lines: Lines) -> tuple[npt.NDArray[np.int8], Ints]:
    """Return each game's number of players, and the actor who has seat 0, from the first deal of the game."""
    games = len(lines.doc_of_game)
    players, shift = np.full(games, SEATS, dtype=np.int8), np.zeros(games, dtype=np.int64)
    game = lines.game[lines.starts]
    first = np.flatnonzero(np.append(True, game[1:] != game[:-1])) if len(game) else game
    deal = lines.texts.frame[["tehais", "scores", "oya", "kyoku"]]
    deal = deal[lines.texts.row[lines.text[lines.starts[first]]]]
    hands, scores = deal["tehais"], deal["scores"]
    count = np.maximum(filled(hands.list.len(), 0), filled(scores.list.len(), 0))
    # A fork for three players keeps four places: the last one has only hidden tiles and no points.
    last = hands.list.get(3, null_on_oob=True)
    ghost = (last.list.len() == last.list.count_matches(HIDDEN)) & (scores.list.get(3, null_on_oob=True) == 0)
    acts = np.zeros(games, dtype=bool)
    moves = lines.texts.actor[lines.text] == SEATS - 1
    acts[lines.game[moves]] = True
    kita = np.zeros(games, dtype=bool)
    kita[lines.game[lines.kind == CODE["kita"]]] = True
    three = (count == 3) | (filled(ghost, value=False) & ~acts[game[first]] & kita[game[first]])
    players[game[first]] = np.where(three, 3, SEATS)
    oya, kyoku = filled(deal["oya"], 0).astype(np.int64), filled(deal["kyoku"], 1).astype(np.int64)
    shift[game[first]] = (oya - (kyoku - 1)) % players[game[first]]
    return players, shift
