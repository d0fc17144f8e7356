"""Lists of yaku by name → columns of claims (auditor/readers/mjai/FORMAT.md section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log import tables
from auditor.log.arrays import entries, expanded, filled, is_known, lists, where_known
from auditor.log.event_kinds import is_kind
from auditor.log.tables import SEATS
from auditor.log.tile_ids import KIND
from auditor.readers.mjai.texts import entries_of
from auditor.readers.mjai.yaku_names import (
    DRAGONS,
    NAMES,
    OF_DRAGONS,
    OF_ROUND,
    OF_SEAT,
    ONE_NAME,
    ROUND_WIND,
    SEAT_WIND,
    UNKNOWN,
    YAKUMAN,
    YAKUMAN_HAN,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.readers.mjai.play import MjaiPlay

    Ints = npt.NDArray[np.int64]

_WHITE = 31
"""The kind of the first dragon."""
_IS_YAKUMAN = np.isin(np.arange(2000), list(YAKUMAN))
_FORM_UNTOLD = np.isin(np.arange(2000), list(ONE_NAME.values()))
_DEARER = np.arange(2000)
for _form, _named in ONE_NAME.items():
    _DEARER[_named] = _form


def columns(
    listed: pl.Series, claims: dict[str, pl.Series], played: MjaiPlay, shows: pl.DataFrame
) -> dict[str, pl.Series]:
    """Return the four columns.

    Parameters
    ----------
    listed
        for each claim a list of pairs: the name of a yaku, and its han as text; null if it has none
    claims
        the columns round and winner of the claims
    played
        the play of the batch
    shows
        the table of shown hands

    """
    count = len(listed)
    if not is_known(listed).any():
        return {name: pl.Series([None], dtype=tables.CLAIMS[name]).new_from_index(0, count)
                for name in ("yaku", "han", "yakuman", "units")}  # fmt: skip
    row, pair = entries_of(listed)
    number = pair.list.get(0).replace_strict(NAMES, default=UNKNOWN, return_dtype=pl.Int64).to_numpy().copy()
    han = filled(pair.list.get(1).cast(pl.Int64, strict=False), 0).astype(np.int64)
    round_, winner = (filled(claims[name], 0).astype(np.int64) for name in ("round", "winner"))
    wind, dealer = (filled(played.rounds[name], 0).astype(np.int64)[round_] for name in ("wind", "dealer"))
    number = np.where(number == OF_SEAT, SEAT_WIND + (winner - dealer)[row] % _players(played)[round_[row]], number)
    number = np.where(number == OF_ROUND, ROUND_WIND + wind[row], number)
    numbered = filled(pair.list.get(0).str.starts_with("#"), value=False)
    by_number = np.bincount(row[numbered], minlength=count) > 0
    row, number, han = _with_dragons(row, number, han, _dragons(round_, winner, played, shows))
    yakuman = _IS_YAKUMAN[number]
    units = np.where(han >= YAKUMAN_HAN, han // YAKUMAN_HAN, han)
    # A dialect that has one name for both forms tells the dearer one by its units only.
    number = np.where(yakuman & (units >= 2), _DEARER[number], number)
    untold = np.bincount(row[yakuman & _FORM_UNTOLD[number] & ~by_number[row]], minlength=count) > 0
    plain = ~yakuman

    def column(values: Ints, chosen: npt.NDArray[np.bool_], dtype: type, known: npt.NDArray[np.bool_]) -> pl.Series:
        size = np.bincount(row[chosen], minlength=count)
        return where_known(lists(values[chosen].astype(dtype), size), known & (size > 0))

    return {
        "yaku": column(number, plain, np.uint8, ~untold),
        "han": column(han, plain, np.int16, ~untold),
        "yakuman": column(number, yakuman, np.uint8, ~untold),
        "units": column(units, yakuman, np.uint8, ~untold),
    }


def _players(played: MjaiPlay) -> Ints:
    return played.players.astype(np.int64)


def _dragons(round_: Ints, winner: Ints, played: MjaiPlay, shows: pl.DataFrame) -> npt.NDArray[np.bool_]:
    """Return which sets of dragons each claim's winner has, bool[claims, 3], in the shown hand and in melds."""
    held = np.zeros((len(round_), len(DRAGONS)), dtype=np.int64)
    row, tile = entries(shows["tile_ids"])
    claim = shows["claim"].to_numpy().astype(np.int64)[row]
    own = (shows["seat"].to_numpy()[row] == winner[claim]) & (KIND[tile] >= _WHITE) & (KIND[tile] < _WHITE + 3)
    np.add.at(held, (claim[own], KIND[tile[own]].astype(np.int64) - _WHITE), 1)
    sets = held >= 3
    kinds = played.events["kind"].to_physical().to_numpy()
    called = np.flatnonzero(is_kind(kinds, "pon", "daiminkan", "ankan"))
    tile = filled(played.events["tile_id"], 0)[called]
    called = called[(KIND[tile] >= _WHITE) & (KIND[tile] < _WHITE + 3)]
    melded = np.zeros((len(played.rounds) * SEATS, len(DRAGONS)), dtype=bool)
    hand = played.events["round"].to_numpy().astype(np.int64) * SEATS + filled(played.events["seat"], 0)
    melded[hand[called], KIND[filled(played.events["tile_id"], 0)[called]].astype(np.int64) - _WHITE] = True
    found: npt.NDArray[np.bool_] = sets | melded[round_ * SEATS + winner]
    return found


def _with_dragons(row: Ints, number: Ints, han: Ints, dragons: npt.NDArray[np.bool_]) -> tuple[Ints, Ints, Ints]:
    """Return the entries with one for each set of dragons: the name that they share gives only their number."""
    shared = number == OF_DRAGONS
    if not shared.any():
        return row, number, han
    sets = dragons[row].sum(axis=1)
    fits = shared & (sets == han)
    number = np.where(shared & ~fits, UNKNOWN, number)
    copies = np.where(fits, han, 1)
    at, nth = expanded(np.zeros(len(row), dtype=np.int64), copies)
    order = np.argsort(~dragons, axis=1, kind="stable")
    which = np.array(DRAGONS)[order[row[at], np.minimum(nth, 2)]]
    return row[at], np.where(fits[at], which, number[at]), np.where(fits[at], 1, han[at])
