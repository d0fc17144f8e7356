"""The melds that a win lists, and the tiles of kakans (auditor/readers/mahjong_soul/FORMAT.md sections 4 and 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from auditor.log.arrays import lists, where_known
from auditor.log.event_kinds import CODE
from auditor.log.tables import SEATS, meld_signature
from auditor.log.tile_ids import KIND, NONE, PHYSICAL
from auditor.readers.mahjong_soul.fields import NO_TILE, TILES, tiles_at
from auditor.readers.mahjong_soul.yaku import KITA

if TYPE_CHECKING:
    import numpy.typing as npt
    import polars as pl

    from auditor.readers.mahjong_soul.fields import Messages

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

_FORMS = {b"shunzi": ("chi", 3), b"kezi": ("pon", 3), b"minggang": ("daiminkan", 4), b"angang": ("ankan", 4)}
"""The words before the tiles of a meld: its kind, and how many tiles it has."""
_KINDS = 64
THREE = 3


class MeldKeys(NamedTuple):
    """Some melds of a batch: ``key`` int64[k], ascending, is that of round, seat and kind of tile; ``at`` int64[k]."""

    key: Ints
    at: Ints

    @classmethod
    def of(cls, round_: Ints, seat: Ints, kind: npt.NDArray[np.integer], at: Ints) -> MeldKeys:
        """Return the keys of melds at ``at``."""
        key = key_of(round_, seat, kind)
        order = np.argsort(key, kind="stable")
        return cls(key[order], at[order])

    def find(self, key: Ints) -> Ints:
        """Return the first meld of each key, int64[n]; -1 where there is none."""
        if not len(self.key):
            return np.full(len(key), -1, dtype=np.int64)
        place = np.minimum(np.searchsorted(self.key, key), len(self.key) - 1)
        return np.where(self.key[place] == key, self.at[place], -1)


def key_of(round_: Ints, seat: Ints, kind: npt.NDArray[np.integer]) -> Ints:
    """Return one number for round, seat and kind of tile, int64[n]."""
    key: Ints = (round_ * SEATS + seat) * _KINDS + kind
    return key


def listed(hules: Messages, round_: Ints, players: Ints, added: MeldKeys) -> pl.Series:
    """Return the melds of each win as a column of lists of signatures, in ascending order, with its norths.

    ``round_`` and ``players`` int64[wins] are the round, and how many play. ``added`` are the kakans of the batch: a
    win calls them and a daiminkan by the same word.
    The norths set aside are no melds here: the fan says how many there are.
    """
    owner, at, length = hules.entries("ming")
    kind = np.zeros(len(owner), dtype=np.uint8)
    tiles = np.full((len(owner), 4), NONE, dtype=np.int16)
    read = np.zeros(len(owner), dtype=bool)
    for word, (name, size) in _FORMS.items():
        rows = np.flatnonzero((length == len(word) + 1 + 3 * size) & _begins(hules.data, at, word))
        kind[rows] = CODE[name]
        read[rows] = True
        for nth in range(size):
            tiles[rows, nth] = tiles_at(hules.data, at[rows] + len(word) + 1 + 3 * nth)
    read &= (tiles != NO_TILE).all(axis=1)
    tiles = np.where(tiles == NO_TILE, NONE, tiles)
    seat = hules.numbers("seat")[owner]
    of_kan = np.flatnonzero(read & (kind == CODE["daiminkan"]))
    grown = added.find(key_of(round_[owner[of_kan]], seat[of_kan], KIND[tiles[of_kan, 0]])) >= 0
    kind[of_kan[grown]] = CODE["kakan"]
    signature = meld_signature(kind, tiles)
    row, fans = hules.parts("fans")
    norths = np.where(fans.numbers("id") == KITA, np.clip(fans.numbers("val"), 0, 4), 0)
    north = np.array([[TILES["4z"], NONE, NONE, NONE]], dtype=np.int16)
    kita = meld_signature(np.array([CODE["kita"]], dtype=np.uint8), north)[0]
    owner = np.append(owner, np.repeat(row, norths))
    signature = np.append(signature, np.full(int(norths.sum()), kita))
    unread = np.bincount(owner[: len(read)][~read], minlength=hules.count) > 0
    # A yakuman of three players lists no norths, nor does a win without fans: their melds are not told as a whole.
    unlisted = (hules.numbers("yiman") != 0) | (np.bincount(row, minlength=hules.count) == 0)
    unread |= unlisted & (players == THREE)
    order = np.lexsort((signature, owner))
    return where_known(lists(signature[order], np.bincount(owner, minlength=hules.count)), ~unread)


def _begins(data: npt.NDArray[np.uint8], at: Ints, word: bytes) -> Bools:
    same = np.ones(len(at), dtype=bool)
    for nth, letter in enumerate(word + b"("):
        same &= data[at + nth] == letter
    return same


def plain(kind: npt.NDArray[np.integer]) -> npt.NDArray[np.int16]:
    """Return the tile ids of kinds of tiles that are no red fives, int16[n]."""
    return (PHYSICAL + kind).astype(np.int16)
