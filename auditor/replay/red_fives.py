"""How many red fives a hand holds at some time of a round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import expanded, hand_numbers
from auditor.log.event_kinds import CODE, KANS, is_kind
from auditor.log.tables import SEATS
from auditor.log.tile_ids import KIND, RED

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.tables import Log
    from auditor.replay.running_sums import Replay

    Ints = npt.NDArray[np.int64]


def red_fives_held(log: Log, played: Replay, hand: Ints, five: Ints, at: Ints) -> Ints:
    """Return how many red fives of a kind the concealed tiles of hands hold after a row, int64[n].

    ``hand`` int64[n] are the numbers of the hands, ``five`` int64[n] the kinds, ``at`` int64[n] the rows.
    """
    asked_hands = np.isin(played.hand, hand)
    rows = np.flatnonzero(asked_hands & (RED[played.tile_id] != 0) & (played.seat >= 0))
    kind = played.kind[rows]
    change = np.select([kind == CODE["draw"], is_kind(kind, "discard", "ankan", "kakan")], [1, -1], 0)
    made = played.made
    from_hand = is_kind(played.kind[made.row], "chi", "pon", *KANS) & (played.kind[made.row] != CODE["kakan"])
    melded, slot = np.nonzero((RED[made.tile_ids[:, 1:]] != 0) & from_hand[:, None])
    deals = log.deals.filter(pl.Series(RED[log.deals["tile_id"].to_numpy()] != 0))
    dealt = hand_numbers(deals)
    owner = np.concatenate([dealt, played.hand[rows], played.hand[made.row[melded]]])
    row = np.concatenate([played.start[dealt // SEATS], rows, made.row[melded]])
    tile = np.concatenate([
        KIND[deals["tile_id"].to_numpy()], KIND[played.tile_id[rows]], KIND[made.tile_ids[melded, slot + 1]],
    ]).astype(np.int64)  # fmt: skip
    change = np.concatenate([np.ones(len(dealt), dtype=np.int64), change, np.full(len(melded), -1)])
    return _sums(owner, tile, row, change, (hand, five, at))


def _sums(owner: Ints, tile: Ints, row: Ints, change: Ints, asked_for: tuple[Ints, Ints, Ints]) -> Ints:
    """Return the sum of changes of a hand's tile up to a row, for each of some triples of these."""
    hand, five, at = asked_for
    found = np.zeros(len(hand), dtype=np.int64)
    order = np.argsort(owner * 64 + tile, kind="stable")
    place = (owner * 64 + tile)[order]
    begin, end = (np.searchsorted(place, hand * 64 + five, side) for side in ("left", "right"))
    which, nth = expanded(begin, end - begin)
    nth = order[nth]
    early = row[nth] <= at[which]
    np.add.at(found, which[early], change[nth[early]])
    return found
