"""Who holds which piece: every tile's way from wall to hand to table, and what is wrong about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log import SEATS
from auditor.pieces import NONE, PHYSICAL
from auditor.replay import CALLED

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from auditor.log import Log
    from auditor.replay import Replay


@dataclass(frozen=True)
class Moves:
    """Every piece that comes into a hand or leaves it before the round's result.

    ``arrivals`` and ``departures`` have row (of ``log.events``), round, seat and piece; ``indicators`` the same
    but seat: those turned during play, and the first, whose row is the round's first event. ``unclear``
    bool[rounds * SEATS] are hands that were not dealt, or drew or lost a piece that the log does not name.
    """

    arrivals: pl.DataFrame
    departures: pl.DataFrame
    indicators: pl.DataFrame
    unclear: npt.NDArray[np.bool_]


def moves(log: Log, played: Replay) -> Moves:
    """Return what moved where."""
    dealt_row = np.flatnonzero(played.is_kind("deal"))
    deals = log.deals
    dealt = pl.DataFrame(
        {
            "row": dealt_row[deals["round"].to_numpy().astype(np.int64) * SEATS + deals["seat"].to_numpy()],
            "round": deals["round"].to_numpy().astype(np.int64),
            "seat": deals["seat"],
            "piece": deals["piece"],
        }
    )
    drawn = _moved(played, np.flatnonzero(played.is_kind("draw")))
    rounds = len(log.rounds)
    gone = [_moved(played, np.flatnonzero(played.is_kind("discard", "kakan", "ankan", "kita")))]
    melded = played.made[played.is_kind(*CALLED)[played.made.row]]
    gone += [_moved(played, melded.row, melded.pieces[:, place]) for place in (1, 2, 3)]
    turned = _moved(played, np.flatnonzero(played.is_kind("dora"))).select("row", "round", "piece")
    first = pl.DataFrame(
        {
            "row": dealt_row[::SEATS],
            "round": np.arange(len(log.rounds)),
            "piece": log.rounds["dora"],
        }
    ).drop_nulls()
    arrivals, departures = pl.concat([dealt, drawn]), pl.concat(gone)
    unread = [_hand(frame.filter(pl.col("piece") == NONE)) for frame in (drawn, gone[0])]
    unclear = np.bincount(_hand(dealt), minlength=rounds * SEATS) == 0
    unclear[np.concatenate(unread)] = True
    in_play = _in_play(played, rounds)
    return Moves(in_play(arrivals), in_play(departures), in_play(pl.concat([first, turned])), unclear)


def _in_play(played: Replay, rounds: int) -> Callable[[pl.DataFrame], pl.DataFrame]:
    """Return what leaves out moves after a round's result and moves of no piece."""
    end = np.full(rounds, len(played.kind), dtype=np.int64)
    results = np.flatnonzero(played.is_kind("result"))[::-1]
    end[played.round[results]] = results

    def kept(moved: pl.DataFrame) -> pl.DataFrame:
        early = moved["row"].to_numpy() < end[moved["round"].to_numpy()]
        return moved.filter(pl.Series(early), pl.col("piece") < NONE)

    return kept


def _hand(moved: pl.DataFrame) -> npt.NDArray[np.int64]:
    """Return ``round * SEATS + seat`` of each row."""
    hand: npt.NDArray[np.int64] = moved["round"].to_numpy() * SEATS + moved["seat"].to_numpy()
    return hand


def _moved(played: Replay, rows: npt.NDArray[np.int64], piece: npt.NDArray[np.int16] | None = None) -> pl.DataFrame:
    """Return what moves at these events: the event's own piece, or another."""
    return pl.DataFrame(
        {
            "row": rows,
            "round": played.round[rows],
            "seat": played.seat[rows],
            "piece": played.piece[rows] if piece is None else piece,
        }
    )


@dataclass(frozen=True)
class Possession:
    """Who holds which physical piece: all that is wrong about it, and which hands can be trusted.

    ``twice`` (round, piece, row: where it appears again) has the pieces that come into play more often than they
    exist, ``absent`` (row, round, seat, piece) the departures of pieces that are not in that hand then. ``sound``
    bool[rounds * SEATS] are the hands about which nothing is wrong, ``held`` bool[rounds * SEATS, PHYSICAL] is
    what each holds at the end.
    """

    twice: pl.DataFrame
    absent: pl.DataFrame
    sound: npt.NDArray[np.bool_]
    held: npt.NDArray[np.bool_]


def possession(log: Log, played: Replay) -> Possession:
    """Follow every physical piece from hand to table, without sorting: a piece has one owner a round."""
    moved, rounds = moves(log, played), len(log.rounds)
    arrivals, departures = moved.arrivals, moved.departures
    place_in = _place(arrivals)
    place_out = _place(departures)
    hand_in, hand_out = _hand(arrivals), _hand(departures)
    owner = np.full(rounds * PHYSICAL, -1, dtype=np.int64)
    since = np.full(rounds * PHYSICAL, -1, dtype=np.int64)
    owner[place_in] = hand_in
    since[place_in] = arrivals["row"].to_numpy()

    uses = np.bincount(np.concatenate([place_in, _place(moved.indicators)]), minlength=rounds * PHYSICAL)
    twice = uses > 1
    left = np.bincount(place_out, minlength=rounds * PHYSICAL)
    late = since[place_out] > departures["row"].to_numpy()
    absent = (owner[place_out] != hand_out) | late | (left[place_out] > 1)
    absent &= ~twice[place_out] & ~moved.unclear[hand_out]
    sound = ~moved.unclear
    sound[hand_out[absent]] = False
    sound[hand_in[twice[place_in]]] = False
    held = np.zeros((rounds * SEATS, PHYSICAL), dtype=bool)
    held[hand_in, place_in % PHYSICAL] = True
    held[hand_out, place_out % PHYSICAL] = False
    where = np.flatnonzero(twice)
    return Possession(
        twice=_again(moved, pl.DataFrame({"round": where // PHYSICAL, "piece": (where % PHYSICAL).astype(np.int16)})),
        absent=departures.filter(pl.Series(absent)),
        sound=sound,
        held=held,
    )


def _again(moved: Moves, twice: pl.DataFrame) -> pl.DataFrame:
    """Return these pieces with the row of their second appearance in the round."""
    columns = ("round", "piece", "row")
    seen = pl.concat([moved.arrivals.select(columns), moved.indicators.select(columns)])
    rows = (
        seen.join(twice, on=["round", "piece"], how="semi")
        .sort("row")
        .group_by("round", "piece", maintain_order=True)
        .agg(pl.col("row").get(1))
    )
    return rows.sort("row")


def _place(frame: pl.DataFrame) -> npt.NDArray[np.int64]:
    """Return ``round * PHYSICAL + piece`` of each row."""
    place: npt.NDArray[np.int64] = frame["round"].to_numpy().astype(np.int64) * PHYSICAL + frame["piece"].to_numpy()
    return place
