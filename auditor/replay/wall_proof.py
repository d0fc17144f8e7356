"""Compare the tiles of a log (dealt, drawn, turned) with the walls that its seeds give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import entries, filled, gathered, hand_numbers, is_known, repeated, rows_where, where_known
from auditor.log.event_kinds import PLAYS, REPLACED
from auditor.log.seats import steps_on
from auditor.log.tables import SEATS
from auditor.log.tile_ids import HAND_SIZE, NONE
from auditor.replay.columns import PLACE, Columns
from auditor.replay.wall_seeds import BEYOND, DEALT, DORA, LIVE, REPLACEMENTS, URA, SeedWalls, walls
from auditor.replay.win_context import result_rows

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
    foreign = compared & (differing.sum(axis=1) * 2 > log.players * HAND_SIZE)
    at = np.where(foreign | ~compared, -1, at)
    look = _WallLookup(log, played, found, at)
    draws, replaced = _draws(look)
    turned = pl.concat([*_indicators(look), replaced])
    deals, dice = _deals(look, differing), _dice(look)
    fits = at >= 0
    for frame, wrong in (
        (deals, ~deals["fits"]),
        (dice, dice["dice"] != dice["expected_dice"]),
        (draws, draws["tile_id"] != draws["expected_tile_id"]),
        (turned, turned["tile_id"] != turned["expected_tile_id"]),
    ):
        fits[frame["round"].filter(wrong).to_numpy()] = False
    return WallProof(deals, draws, turned, dice, _foreign(look, foreign), _proven(look, foreign, fits))


@dataclass(frozen=True)
class _WallLookup:
    """A log and its walls; ``at`` int64[rounds] is each round's row in ``walls``, -1 if it has no wall."""

    log: Log
    played: Replay
    walls: SeedWalls
    at: Ints

    def tile(self, round_: npt.NDArray[np.integer], place: Ints) -> pl.Series:
        """Return the tiles at places of rounds' walls, Int16; null where unknown."""
        tile = np.full(len(place), NONE, dtype=np.int16)
        here = np.flatnonzero(self.at[round_] >= 0)
        tile[here] = self.walls.tiles[self.at[round_[here]], np.where(place < 0, BEYOND, place)[here]]
        return where_known(tile, tile < NONE).alias("expected_tile_id")

    def nth(self, round_: npt.NDArray[np.integer]) -> Ints:
        """Return the number of each row within its round, from 0; ``round_`` int[n] ascends."""
        first = np.searchsorted(round_, np.arange(len(self.at)))
        nth: Ints = np.arange(len(round_)) - first[round_]
        return nth

    @property
    def layout(self) -> Ints:
        """The row of :data:`DORA` and the other tables of places for each round, int64[rounds]."""
        layout = np.zeros(len(self.at), dtype=np.int64)
        layout[self.walls.round] = self.walls.layout
        return layout


def _owners(log: Log, found: SeedWalls) -> npt.NDArray[np.int8]:
    """Return the seat to which each wall deals each tile, int8[n + 1, tiles]; -1 if to none."""
    owners = np.full((len(found.round) + 1, NONE + 1), -1, dtype=np.int8)
    dealer, players = filled(log.rounds["dealer"], 0)[found.round], log.players[found.round]
    # A place in the flattened array takes half the time of a row and a column.
    row = np.arange(len(found.round))[:, None]
    for offset in range(SEATS):
        tiles = found.tiles.ravel().take(row * found.tiles.shape[1] + DEALT[found.layout, offset])
        owners.ravel()[row * owners.shape[1] + tiles] = ((dealer + offset) % players)[:, None]
    return owners


def _differing(log: Log, found: SeedWalls, at: Ints) -> tuple[Ints, Bools]:
    """Return how many dealt tiles of each hand the wall does not deal to it, int64[rounds, SEATS].

    Also return which rounds can be compared, bool[rounds]: those with a wall, a dealer, and a full hand of each seat.
    """
    deals = rows_where(log.deals, at[log.deals["round"].to_numpy()] >= 0)
    round_, seat = deals["round"].to_numpy(), deals["seat"].to_numpy()
    owner = _owners(log, found)[at[round_], deals["tile_id"].to_numpy()]
    other = hand_numbers(deals)[owner != seat]
    differing = np.bincount(other, minlength=len(log.dealt)).reshape(-1, SEATS)
    full = (log.dealt == HAND_SIZE * log.seated).reshape(-1, SEATS).all(axis=1)
    return differing, full & (at >= 0) & is_known(log.rounds["dealer"])


_WHERE = ["round", "event", "pos"]


def _deals(look: _WallLookup, differing: Ints) -> pl.DataFrame:
    """Return one row for each hand, with :data:`DEAL_COLUMNS`; ``differing`` is that of :func:`_differing`."""
    round_, seat = np.divmod(np.flatnonzero(look.log.seated), SEATS)
    hands: pl.DataFrame = look.log.rounds[_WHERE][round_].hstack([
        pl.Series("seat", seat.astype(np.int8)),
        where_known(differing[round_, seat] == 0, look.at[round_] >= 0).alias("fits"),
    ])  # fmt: skip
    wrong = rows_where(hands, ~hands["fits"])[["round", "seat"]]
    if not len(wrong):
        none = repeated(None, pl.List(pl.Int16), len(hands))
        return hands.hstack([none.alias("recorded"), none.alias("expected")])
    in_round, dealer = wrong["round"].to_numpy(), filled(look.log.rounds["dealer"], 0)
    offset = steps_on(wrong["seat"].to_numpy(), dealer[in_round], look.log.players, in_round)
    tiles = look.walls.tiles[look.at[in_round][:, None], DEALT[look.layout[in_round], offset]]
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
    played, events = look.played, look.log.events[[*PLACE, "tile_id"]]
    calls, acts = played.rows(*REPLACED), played.rows(*PLAYS)
    after = acts[np.minimum(np.searchsorted(acts, calls, side="right"), len(acts) - 1)]
    late = after[played.is_kind("draw")[after] & (played.round[after] == played.round[calls])]
    is_live = played.is_kind("draw").copy()
    is_live[late] = False
    live, replaced = rows_where(events, is_live), events[late]
    round_, late_round = live["round"].to_numpy(), played.round[late]
    place = LIVE[look.layout][round_] - look.nth(round_)
    late_place = REPLACEMENTS[look.layout[late_round], np.minimum(look.nth(late_round), REPLACEMENTS.shape[1] - 1)]
    return live.hstack([look.tile(round_, place)]), replaced.hstack([look.tile(late_round, late_place)])


def _indicators(look: _WallLookup) -> list[pl.DataFrame]:
    """Return the first indicators, those of kans, and the ura dora's that winners show, each with the wall's tile."""
    log, played = look.log, look.played
    rows = played.rows("dora")
    claim, ura = entries(log.claims["ura"])
    shown = log.claims[["round", "event", "winner"]][claim]
    pos = gathered(log.events["pos"], result_rows(played)[claim])
    parts = [
        (log.rounds[_WHERE], log.rounds["dora"], np.zeros(len(log.rounds), dtype=np.int64), DORA),
        (log.events[_WHERE][rows], gathered(log.events["tile_id"], rows), 1 + look.nth(played.round[rows]), DORA),
        (shown.hstack([pos]), pl.Series(ura), np.arange(len(claim)) - np.searchsorted(claim, claim), URA),
    ]
    frames = []
    for at, tile_id, nth, places in parts:
        round_ = at["round"].to_numpy().astype(np.int64)
        expected = look.tile(round_, places[look.layout[round_], np.minimum(nth, places.shape[1] - 1)])
        seat = at["winner"] if "winner" in at else repeated(None, pl.Int8, len(at))
        frames.append(at[_WHERE].hstack([seat.alias("seat"), tile_id.alias("tile_id"), expected]))
    return frames


def _dice(look: _WallLookup) -> pl.DataFrame:
    """Return each round's dice, recorded and by the seed."""
    dice = np.zeros((len(look.at), 2), dtype=np.uint8)
    dice[look.walls.round] = look.walls.dice
    expected = where_known(pl.Series(dice, dtype=pl.Array(pl.UInt8, 2)), look.at >= 0)
    seat = repeated(None, pl.Int8, len(expected))
    return look.log.rounds[[*_WHERE, "dice"]].hstack([seat.alias("seat"), expected.alias("expected_dice")])


def _foreign(look: _WallLookup, foreign: Bools) -> pl.DataFrame:
    """Return one row for each game whose seed cannot be read or gives other walls, placed at the first such round."""
    bad = look.walls.bad
    if not len(bad) and not foreign.any():
        return bad
    rounds = look.log.rounds.join(look.log.games.select("game", "seed"), on="game", maintain_order="left")
    other = rounds.with_columns(foreign=pl.Series(foreign)).with_columns(
        count=pl.col("foreign").sum().over("game"), of=pl.len().over("game")
    )
    other = other.filter("foreign").unique("game", keep="first", maintain_order=True).select(
        "game", *_WHERE,
        recorded=pl.format("{}...", pl.coalesce("seed", "shuffle").str.head(40)),
        expected=pl.format("a seed that makes the tiles of {} of {} rounds", "count", "of"),
    )  # fmt: skip
    place = look.log.rounds.select(_WHERE)
    bad = bad.unique("game", keep="first", maintain_order=True).join(place, on="round", maintain_order="left")
    return pl.concat([bad, other], how="diagonal_relaxed").sort("game", maintain_order=True)


def _proven(look: _WallLookup, foreign: Bools, fits: Bools) -> pl.DataFrame:
    """Return for each game whether its tiles are those of its walls.

    It is null if no tile differs but some round has no wall.
    """
    of_game = look.log.rounds["game"].to_numpy()
    games, compared = np.unique(of_game), foreign | (look.at >= 0)
    wrong = np.isin(games, of_game[compared & ~fits]) | np.isin(games, look.walls.bad["game"].to_numpy())
    partly = np.isin(games, of_game[~compared])
    return pl.DataFrame({"game": games, "proven": where_known(~wrong, wrong | ~partly)})
