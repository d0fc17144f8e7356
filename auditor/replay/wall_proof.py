"""Compare the tiles of a log (dealt, drawn, turned) with the walls that its seeds give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.event_kinds import REPLACED
from auditor.log.tables import SEATS
from auditor.log.tile_ids import HAND_SIZE, NONE, PHYSICAL
from auditor.replay.columns import PLACE, Columns
from auditor.replay.wall_seeds import BEYOND, DEALT, DORA, REPLACEMENTS, URA, SeedWalls, walls
from auditor.replay.win_context import last_actions, result_rows

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.tables import Log
    from auditor.replay.running_sums import Replay

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]


DEAL_COLUMNS: Columns = {
    **PLACE,
    "fits": pl.Boolean,  # the wall deals exactly this hand
    "recorded": pl.List(pl.Int16),  # recorded tiles that the wall does not deal to this seat
    "expected": pl.List(pl.Int16),  # tiles that the wall deals to this seat and the log does not
}
TILE_COLUMNS: Columns = {
    **PLACE,
    "tile_id": pl.Int16,  # the tile recorded
    "expected_tile_id": pl.Int16,  # the tile at this place of the wall
}
DICE_COLUMNS: Columns = {
    **PLACE,
    "dice": pl.Array(pl.UInt8, 2),  # recorded, each less one
    "expected_dice": pl.Array(pl.UInt8, 2),  # by the seed, each less one
}


@dataclass(frozen=True)
class WallProof:
    """The comparison of a batch with its walls.

    ``deals`` has one row for each hand, ``draws`` one for each draw from the live wall, ``turned`` one for each
    indicator or replacement tile, ``dice`` one for each round. These have the place of the row, and null in
    ``expected...`` (``fits`` in ``deals``) where no wall is known. ``seeds`` has the games whose seed cannot be read or
    gives other walls. ``games`` says for each game whether all its tiles fit (``proven``).
    """

    deals: pl.DataFrame
    draws: pl.DataFrame
    turned: pl.DataFrame
    dice: pl.DataFrame
    seeds: pl.DataFrame
    games: pl.DataFrame


def prove(log: Log, played: Replay) -> WallProof:
    """Compare the batch's tiles with its walls."""
    found = walls(log)
    at = np.full(len(log.rounds), -1, dtype=np.int64)
    at[found.round] = np.arange(len(found.round))
    differing, compared = _differing(log, found, at)
    # If most dealt tiles differ, the seed is wrong, not the tiles.
    foreign = compared & (differing.sum(axis=1) * 2 > SEATS * HAND_SIZE)
    at = np.where(foreign | ~compared, -1, at)
    look = _WallLookup(log, played, found, at)
    draws, replaced = _draws(look)
    turned = pl.concat([_indicators(look), replaced], how="diagonal")
    deals, dice = _deals(look, differing), _dice(look)
    wrong = [deals.filter(~pl.col("fits")), dice.filter(pl.col("dice") != pl.col("expected_dice"))]
    wrong += [tiles.filter(pl.col("tile_id") != pl.col("expected_tile_id")) for tiles in (draws, turned)]
    fits = at >= 0
    fits[pl.concat(each.select("round") for each in wrong)["round"]] = False
    return WallProof(deals, draws, turned, dice, _foreign(look, foreign), _proven(look, foreign, fits))


@dataclass(frozen=True)
class _WallLookup:
    """A log and its walls; ``at`` int64[rounds] is each round's row in ``walls``, -1 if it has no wall."""

    log: Log
    played: Replay
    walls: SeedWalls
    at: Ints

    def tile(self, round_: Ints, place: Ints) -> pl.Series:
        """Return the tiles at places of rounds' walls, Int16; null where unknown."""
        tile = self.walls.tiles[self.at[round_], np.where(place < 0, BEYOND, place)]
        return pl.select(pl.when(pl.Series(tile < NONE)).then(pl.Series(tile))).to_series()

    @property
    def late(self) -> Ints:
        """The row of :data:`DORA`, :data:`URA` and :data:`REPLACEMENTS` for each round, int64[rounds]."""
        late = np.zeros(len(self.at), dtype=np.int64)
        late[self.walls.round] = self.walls.late
        return late


def _owners(log: Log, found: SeedWalls) -> npt.NDArray[np.int8]:
    """Return the seat to which each wall deals each tile, int8[n + 1, tiles]; -1 if to none."""
    owners = np.full((len(found.round) + 1, NONE + 1), -1, dtype=np.int8)
    dealer = log.rounds["dealer"].fill_null(0).gather(found.round).to_numpy()
    row = np.arange(len(found.round))[:, None]
    for offset, places in enumerate(DEALT):
        owners[row, found.tiles[:-1, places]] = ((dealer + offset) % SEATS)[:, None]
    return owners


def _differing(log: Log, found: SeedWalls, at: Ints) -> tuple[Ints, Bools]:
    """Return how many dealt tiles of each hand the wall does not deal to it, int64[rounds, 4].

    Also return which rounds can be compared, bool[rounds]: those with a wall, a dealer and four full hands.
    """
    round_, seat = (log.deals[name].to_numpy().astype(np.int64) for name in ("round", "seat"))
    owner = _owners(log, found)[at[round_], log.deals["tile_id"].to_numpy()]
    hand = round_ * SEATS + seat
    count = len(log.rounds) * SEATS
    differing = np.bincount(hand, weights=owner != seat, minlength=count).astype(np.int64).reshape(-1, SEATS)
    full = (np.bincount(hand, minlength=count).reshape(-1, SEATS) == HAND_SIZE).all(axis=1)
    return differing, full & (at >= 0) & log.rounds["dealer"].is_not_null().to_numpy()


_WHERE = ("round", "event", "pos")


def _deals(look: _WallLookup, differing: Ints) -> pl.DataFrame:
    """Return one row for each hand, with :data:`DEAL_COLUMNS`; ``differing`` is that of :func:`_differing`."""
    rounds = look.log.rounds.select(*_WHERE)
    hands = rounds.select(pl.all().repeat_by(SEATS).explode()).with_columns(
        seat=pl.Series(np.tile(np.arange(SEATS, dtype=np.int8), len(rounds)), dtype=pl.Int8),
        fits=pl.when(pl.Series(np.repeat(look.at >= 0, SEATS))).then(pl.Series(differing.ravel() == 0)),
    )
    wrong = hands.filter(~pl.col("fits")).select("round", "seat")
    dealer = look.log.rounds["dealer"].fill_null(0).gather(wrong["round"]).to_numpy()
    places = DEALT[(wrong["seat"].to_numpy() - dealer) % SEATS]
    tiles = look.walls.tiles[look.at[wrong["round"].to_numpy()][:, None], places]
    due = wrong.with_columns(tile_id=pl.Series(tiles, dtype=pl.Array(pl.Int16, HAND_SIZE))).explode("tile_id")
    had = look.log.deals.join(wrong, on=["round", "seat"], how="semi")
    keys = ["round", "seat", "tile_id"]
    sides = [
        one.join(other, on=keys, how="anti").group_by("round", "seat").agg(pl.col("tile_id").sort().alias(name))
        for name, one, other in (("recorded", had, due), ("expected", due, had))
    ]
    for side in sides:
        hands = hands.join(side, on=["round", "seat"], how="left", maintain_order="left")
    return hands


def _draws(look: _WallLookup) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the draws from the live wall, and the replacement draws, each with the wall's next tile."""
    played = look.played
    rows = played.rows("draw")
    round_ = played.round[rows]
    before = last_actions(played, rows)
    replaces = played.is_kind(*REPLACED)[before] & (played.round[before] == round_)
    starts = np.flatnonzero(np.diff(round_, prepend=-1))
    lengths = np.diff(np.append(starts, len(rows)))
    frames = []
    for chosen in (~replaces, replaces):
        count = np.cumsum(chosen) - chosen
        nth = count - np.repeat(count[starts], lengths)
        place = PHYSICAL - 1 - SEATS * HAND_SIZE - nth
        if chosen is replaces:
            place = REPLACEMENTS[look.late[round_], np.minimum(nth, REPLACEMENTS.shape[1] - 1)]
        expected = look.tile(round_, place)
        frame = look.log.events[rows].select(*_WHERE, "seat", "tile_id").with_columns(expected_tile_id=expected)
        frames.append(frame.filter(pl.Series(chosen)))
    return frames[0], frames[1]


def _indicators(look: _WallLookup) -> pl.DataFrame:
    """Return all indicators (first, of kans, and ura dora's that winners show), each with the wall's tile."""
    log, played = look.log, look.played
    first = log.rounds.select(*_WHERE, tile_id="dora", nth=pl.lit(0))
    later = log.events.filter(pl.Series(played.is_kind("dora"))).select(
        *_WHERE, "tile_id", nth=pl.int_range(1, pl.len() + 1).over("round")
    )
    shown = (
        log.claims.select("round", "event", seat="winner", tile_id="ura")
        .with_columns(pos=log.events["pos"].gather(result_rows(played)))
        .with_columns(nth=pl.int_ranges(pl.col("tile_id").list.len()))
        .explode("tile_id", "nth")
        .drop_nulls("tile_id")
    )
    upper = pl.concat([first, later], how="diagonal_relaxed")
    frames = []
    for frame, places in ((upper, DORA), (shown, URA)):
        round_ = frame["round"].to_numpy().astype(np.int64)
        nth = np.minimum(frame["nth"].to_numpy(), places.shape[1] - 1)
        expected = look.tile(round_, places[look.late[round_], nth])
        frames.append(frame.drop("nth").with_columns(expected_tile_id=expected))
    return pl.concat(frames, how="diagonal_relaxed")


def _dice(look: _WallLookup) -> pl.DataFrame:
    """Return each round's dice, recorded and by the seed."""
    dice = np.zeros((len(look.at), 2), dtype=np.uint8)
    dice[look.walls.round] = look.walls.dice
    expected = pl.when(pl.Series(look.at >= 0)).then(pl.Series(dice, dtype=pl.Array(pl.UInt8, 2)))
    return look.log.rounds.select(*_WHERE, pl.lit(None, pl.Int8).alias("seat"), "dice", expected_dice=expected)


def _foreign(look: _WallLookup, foreign: Bools) -> pl.DataFrame:
    """Return one row for each game whose seed cannot be read or gives other walls, placed at the first such round."""
    rounds = look.log.rounds.join(look.log.games.select("game", "seed"), on="game", maintain_order="left")
    other = rounds.with_columns(foreign=pl.Series(foreign)).with_columns(
        count=pl.col("foreign").sum().over("game"), of=pl.len().over("game")
    )
    other = other.filter("foreign").unique("game", keep="first", maintain_order=True).select(
        "game", *_WHERE,
        recorded=pl.format("{}...", pl.coalesce("seed", "shuffle").str.head(40)),
        expected=pl.format("a seed that makes the tiles of {} of {} rounds", "count", "of"),
    )  # fmt: skip
    place = look.log.rounds.select(*_WHERE)
    bad = look.walls.bad.unique("game", keep="first", maintain_order=True).join(
        place, on="round", maintain_order="left"
    )
    return pl.concat([bad, other], how="diagonal_relaxed").sort("game", maintain_order=True)


def _proven(look: _WallLookup, foreign: Bools, fits: Bools) -> pl.DataFrame:
    """Return for each game whether its tiles are those of its walls.

    It is null if no tile differs but some round has no wall.
    """
    compared = pl.Series(foreign | (look.at >= 0))
    rounds = look.log.rounds.select("game").with_columns(
        proven=pl.when(compared).then(pl.Series(fits)), bad=pl.col("game").is_in(look.walls.bad["game"].implode())
    )
    return rounds.group_by("game", maintain_order=True).agg(
        proven=pl.when(pl.col("bad").any() | ~pl.col("proven").all(ignore_nulls=True))
        .then(pl.lit(value=False))
        .when(pl.col("proven").null_count() == 0)
        .then(pl.lit(value=True))
    )
