"""Compare the tiles of a log with the walls that it states, and these walls with their hashes.

Mahjong Soul deals from the front of a wall: four, four, four and one tile a seat from the dealer on, then the draws.
The dead wall lies at the end: replacement tiles from the last tile on, and before them the indicators and those below
them, in turn (auditor/readers/mahjong_soul/FORMAT.md 7). Old records state the wall without the dealt tiles.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.log.arrays import entries, filled, gathered, is_known, repeated, where_known
from auditor.log.event_kinds import PLAYS, REPLACED
from auditor.log.tables import SEATS
from auditor.log.tile_ids import BY_LETTERS, COPIES, HAND_SIZE, NONE, TILE_SETS
from auditor.replay.columns import PLACE, Columns
from auditor.replay.win_context import result_rows

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.tables import Log
    from auditor.replay.running_sums import Replay

    Ints = npt.NDArray[np.int64]

USES = pl.Enum(["dealt", "drawn", "drawn after a kan or kita", "turned", "below an indicator"])
"""What a tile of the wall is used for."""
DEALT, DRAWN, REPLACEMENT, TURNED, BELOW = range(len(USES.categories))

STATED_TILE_COLUMNS: Columns = {
    **PLACE,
    "use": USES,
    "tile_id": pl.Int16,  # the tile recorded
    "expected_tile_id": pl.Int16,  # the tile at this place of the wall; null where the wall does not reach
}
HASH_COLUMNS: Columns = {
    **PLACE,
    "recorded": pl.String,  # the hash that the log states, or the wall that is none
    "expected": pl.String,  # the hash of the wall or salt that it states; null where the kind of hash is unknown
}

_ALL = {players: COPIES * tiles.bit_count() for players, tiles in TILE_SETS.items()}
_INDICATOR = {4: 5, 3: 9}
"""How far from the end of the wall the first indicator lies, by the number of players; the others are two apart."""
_HASHES = {"md5": hashlib.md5, "sha256": hashlib.sha256}


class _Walls(NamedTuple):
    """Walls, n of them.

    ``round`` int64[n]; ``tiles`` int16[n, 137] by place from the front, NONE where unknown; ``size`` int64[n].
    """

    round: Ints
    tiles: npt.NDArray[np.int16]
    size: Ints


def _walls(log: Log) -> _Walls:
    rounds = np.flatnonzero(is_known(log.rounds["wall"]))
    tiles = np.full((len(rounds), max(_ALL.values()) + 1), NONE, dtype=np.int16)
    size = np.zeros(len(rounds), dtype=np.int64)
    for row, (text, players) in enumerate(
        zip(gathered(log.rounds["wall"], rounds).to_list(), log.players[rounds].tolist(), strict=True)
    ):
        found = decoded(text, players)
        if found is not None:
            size[row] = _ALL[players]
            tiles[row, size[row] - len(found) : size[row]] = found
    kept = size > 0
    return _Walls(rounds[kept], tiles[kept], size[kept])


def decoded(text: str, players: int) -> list[int] | None:
    """Return the tile ids of a wall as a log states it; None unless it is a whole one, or one without the deal."""
    found = [BY_LETTERS.get(text[at : at + 2], NONE) for at in range(0, len(text), 2)]
    whole = _ALL[players]
    return found if len(found) in (whole, whole - players * HAND_SIZE - 1) and NONE not in found else None


def tiles(log: Log, played: Replay) -> pl.DataFrame:
    """Return one row for each tile of rounds with a wall, with :data:`STATED_TILE_COLUMNS`.

    These are the dealt tiles, the draws, the replacement tiles, the indicators, and those below them that winners show.
    """
    walls = _walls(log)
    if not len(walls.round):
        return pl.DataFrame(schema=STATED_TILE_COLUMNS)
    at = np.full(len(log.rounds), -1, dtype=np.int64)
    at[walls.round] = np.arange(len(walls.round))
    unread = log.problems["round"].filter(log.problems["play"].fill_null(value=False)).drop_nulls().to_numpy()
    at[unread] = -1
    parts = [*_dealt(log, walls, at), *_drawn(log, played, walls, at), *_turned(log, played, walls, at)]
    return (
        pl.concat(part for part in parts if len(part))
        if any(map(len, parts))
        else pl.DataFrame(schema=STATED_TILE_COLUMNS)
    )


def _expected(walls: _Walls, row: Ints, place: Ints) -> pl.Series:
    tile = walls.tiles[row, np.clip(place, 0, walls.tiles.shape[1] - 1)]
    return where_known(tile, (tile != NONE) & (place >= 0)).alias("expected_tile_id")


def _rows(place: pl.DataFrame, use: int, tile: pl.Series, expected: pl.Series) -> pl.DataFrame:
    used = repeated(USES.categories[use], USES, len(place))
    return place.hstack([used.alias("use"), tile.cast(pl.Int16).alias("tile_id"), expected])


def _nth(round_: npt.NDArray[np.integer]) -> Ints:
    return np.arange(len(round_)) - np.searchsorted(round_, round_)


def _dealt(log: Log, walls: _Walls, at: Ints) -> list[pl.DataFrame]:
    """Return the dealt tiles of whole hands, each beside one of the wall: both in ascending order."""
    round_, seat = log.deals["round"].to_numpy().astype(np.int64), log.deals["seat"].to_numpy()
    hand = round_ * SEATS + seat
    whole = (log.dealt == HAND_SIZE)[hand] & (at[round_] >= 0) & is_known(log.rounds["dealer"])[round_]
    rows = np.flatnonzero(whole)
    round_, seat, hand = round_[rows], seat[rows], hand[rows]
    tile = log.deals["tile_id"].to_numpy()[rows]
    players = log.players[round_].astype(np.int64)
    offset = (seat - filled(log.rounds["dealer"], 0)[round_]) % players
    nth = np.arange(len(rows)) % HAND_SIZE
    place = np.where(nth < HAND_SIZE - 1, (nth // 4 * players + offset) * 4 + nth % 4, 12 * players + offset)
    due = walls.tiles[at[round_], place]
    due, tile = (np.sort(each.reshape(-1, HAND_SIZE), axis=1).ravel() for each in (due, tile))
    frame = log.rounds[["round", "event", "pos"]][round_].hstack([pl.Series("seat", seat)])
    expected = where_known(due, due != NONE).alias("expected_tile_id")
    return [_rows(frame.cast({"seat": pl.Int8}), DEALT, pl.Series(tile), expected)]


def _drawn(log: Log, played: Replay, walls: _Walls, at: Ints) -> list[pl.DataFrame]:
    draws, acts = played.rows("draw"), played.rows(*PLAYS)
    calls = played.rows(*REPLACED)
    after = acts[np.minimum(np.searchsorted(acts, calls, side="right"), len(acts) - 1)] if len(acts) else acts
    late = after[played.is_kind("draw")[after] & (played.round[after] == played.round[calls])]
    live = np.setdiff1d(draws, late, assume_unique=True)
    parts = []
    for rows, use in ((live, DRAWN), (late, REPLACEMENT)):
        nth = _nth(played.round[rows])
        kept = at[played.round[rows]] >= 0
        rows, nth = rows[kept], nth[kept]  # noqa: PLW2901
        round_ = played.round[rows]
        wall = at[round_]
        first = HAND_SIZE * log.players[round_].astype(np.int64)
        place = first + nth if use == DRAWN else walls.size[wall] - 1 - nth
        frame = log.events[[*PLACE]][rows]
        parts.append(_rows(frame, use, gathered(log.events["tile_id"], rows), _expected(walls, wall, place)))
    return parts


def _turned(log: Log, played: Replay, walls: _Walls, at: Ints) -> list[pl.DataFrame]:
    rows = played.rows("dora")
    claim, ura = entries(log.claims["ura"])
    where = ["round", "event", "pos"]
    shown = log.claims[["round", "event"]][claim]
    shown = shown.hstack([gathered(log.events["pos"], result_rows(played)[claim])])
    nobody = repeated(None, pl.Int8, len(log.rounds)).alias("seat")
    parts = [
        (log.rounds[where].hstack([nobody]), log.rounds["dora"], np.zeros(len(log.rounds), dtype=np.int64), TURNED),
        (log.events[[*PLACE]][rows], gathered(log.events["tile_id"], rows), 1 + _nth(played.round[rows]), TURNED),
        (shown.hstack([log.claims["winner"][claim].alias("seat")]), pl.Series(ura), _nth(claim), BELOW),
    ]
    found = []
    for frame, tile, nth, use in parts:
        round_ = frame["round"].to_numpy().astype(np.int64)
        kept = np.flatnonzero((at[round_] >= 0) & is_known(tile))
        wall = at[round_[kept]]
        first = np.array([_INDICATOR.get(int(each), 5) for each in log.players[round_[kept]]], dtype=np.int64)
        place = walls.size[wall] - first - 2 * nth[kept] - (use == BELOW)
        found.append(_rows(frame[kept], use, gathered(tile, kept), _expected(walls, wall, place)))
    return found


def hashes(log: Log) -> pl.DataFrame:
    """Return one row for each hash that a round states, and for each wall that is none, with :data:`HASH_COLUMNS`."""
    stated = log.rounds[["round", "event", "pos", "wall", "wall_hash", "salt", "salt_hash"]]
    if stated["wall"].null_count() == len(stated) and stated["salt_hash"].null_count() == len(stated):
        return pl.DataFrame(schema=HASH_COLUMNS)
    found: list[tuple[object, ...]] = []
    for row, (round_, event, pos, wall, wall_hash, salt, salt_hash) in enumerate(stated.iter_rows()):
        place = (round_, event, pos, None)
        if wall is not None and decoded(wall, int(log.players[row])) is None:
            found.append((*place, f"a wall of {len(wall) // 2} tiles", "a whole wall of known tiles"))
        for text, digits in ((None if wall is None else wall + (salt or ""), wall_hash), (salt, salt_hash)):
            if text is not None and digits is not None:
                found.append((*place, digits, _hashed(text, digits.partition(":")[0])))
    return pl.DataFrame(found, schema=HASH_COLUMNS, orient="row")


def _hashed(text: str, kind: str) -> str | None:
    make = _HASHES.get(kind)
    return None if make is None else f"{kind}:{make(text.encode()).hexdigest()}"
