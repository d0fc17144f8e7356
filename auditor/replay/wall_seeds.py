"""Walls: the order of tiles that a recorded seed gives.

Tenhou publishes the seed of its random numbers, so every tile of a game can be verified
(auditor/readers/mjlog/FORMAT.md 9). A seed initialises the Mersenne Twister. Some of its numbers, hashed or not,
shuffle a round's tiles and throw its dice. The shuffle runs step by step for all rounds of a batch at once; rounds of
three players, who have fewer tiles, are shuffled by themselves. The generator and the hash run in a loop, over games
and blocks: NumPy has no array operation for them.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.log.arrays import filled, is_known, rows_where
from auditor.log.tables import SEATS
from auditor.log.tile_ids import BIT, DEAD_WALL, HAND_SIZE, LIVE_TILES, NONE, PHYSICAL, TILE_SETS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy.typing as npt

    from auditor.log.tables import Log

    Ints = npt.NDArray[np.int64]
    Words = npt.NDArray[np.uint32]

NUMBERS = PHYSICAL + 1
"""How many random numbers a round uses at most: one for each swap (a swap for each tile but the last), two for the
dice."""
HASHED = 288
"""How many numbers a round takes from the generator if they are hashed, in blocks of 32."""
BLOCK = 128
KEY_BYTES = 4 * 624

PLAIN, HEX, BASE64 = "mt19937ar", "mt19937ar-sha512-n288", "mt19937ar-sha512-n288-base64"
"""The three kinds of seeds: of a round (early 2009), of a game (until January 2010), of a game (since)."""

TILES: dict[int, npt.NDArray[np.uint8]] = {
    players: np.flatnonzero(BIT[:PHYSICAL] & kinds).astype(np.uint8) for players, kinds in TILE_SETS.items()
}
"""The tile ids before they are shuffled, by the number of players."""


class Layout(NamedTuple):
    """Where the tiles of a wall lie, and which random numbers throw the dice: what has been observed in logs.

    ``dice`` is the place of the first die's number; the second follows. ``dora`` and ``ura`` are the places of the
    first indicators; each further one lies two places on. ``replacements`` has the places of the replacement tiles in
    the order of drawing. What has not been observed is missing, or None.
    """

    dice: int
    dora: int
    ura: int | None
    replacements: tuple[int, ...]


LAYOUTS: dict[tuple[int, str], Layout] = {
    (4, PLAIN): Layout(135, 4, 5, (0, 1)),
    (4, HEX): Layout(135, 4, 5, (0, 1)),
    (4, BASE64): Layout(135, 5, 4, (1, 0, 3, 2)),
    (3, PLAIN): Layout(107, 8, None, (0, 1)),
    (3, BASE64): Layout(135, 9, 8, (1, 0, 3, 2, 5, 4)),
}
"""The layouts, by the number of players and the kind of seed. No log with three players and HEX has been seen."""

ROW = {which: row for row, which in enumerate(LAYOUTS)}
"""The row of each layout in the tables that follow."""
BEYOND = PHYSICAL
"""A place beyond the wall, for an unknown tile."""
INDICATORS = 5


def _places(groups: Iterable[Sequence[int]]) -> Ints:
    """Return one row of places for each layout; the last column, and what is missing, is :data:`BEYOND`."""
    rows = list(groups)
    count = max(map(len, rows)) + 1
    return np.array([[*row, *[BEYOND] * (count - len(row))] for row in rows], dtype=np.int64)


def _indicators(first: int | None) -> range:
    return range(0) if first is None else range(first, first + 2 * INDICATORS, 2)


def _dealt(players: int) -> Ints:
    """Return the places of the dealt tiles, int64[SEATS, HAND_SIZE]; seats that do not exist have :data:`BEYOND`.

    Each seat in turn takes four tiles, three times, and then one.
    """
    offset, tile = np.arange(players)[:, None], np.arange(HAND_SIZE)
    block, within = tile // 4, tile % 4
    taken = np.where(block < HAND_SIZE // 4, (block * players + offset) * 4 + within, 12 * players + offset)
    places = np.full((SEATS, HAND_SIZE), BEYOND, dtype=np.int64)
    places[:players] = len(TILES[players]) - 1 - taken
    return places


PLAYERS: Ints = np.array([players for players, _ in LAYOUTS], dtype=np.int64)
DICE: Ints = np.array([[layout.dice, layout.dice + 1] for layout in LAYOUTS.values()], dtype=np.int64)
DORA = _places(_indicators(layout.dora) for layout in LAYOUTS.values())
URA = _places(_indicators(layout.ura) for layout in LAYOUTS.values())
REPLACEMENTS = _places(layout.replacements for layout in LAYOUTS.values())
DEALT: Ints = np.stack([_dealt(players) for players, _ in LAYOUTS])
"""Places of the dealt tiles, int64[layouts, SEATS, HAND_SIZE]; the dealer is row 0 of each layout."""
LIVE: Ints = DEAD_WALL - 1 + LIVE_TILES[PLAYERS].astype(np.int64)
"""The place of the first draw, int64[layouts]; each further one lies a place before."""


class BadSeedError(ValueError):
    """The words of a seed of a known kind cannot be read."""


def key(seed: str) -> tuple[str, Words] | None:
    """Return a seed's kind, and the words that initialise the generator; None if its kind is unknown.

    Raises
    ------
    BadSeedError
        if the kind is known but its words cannot be read

    """
    kind, _, rest = seed.partition(",")
    if kind == BASE64:
        try:
            data = base64.b64decode(rest, validate=True)
        except ValueError as error:  # not base64, or not ASCII
            raise BadSeedError(str(error)) from error
        if len(data) != KEY_BYTES:
            raise BadSeedError(f"{len(data)} bytes, not {KEY_BYTES}")
        return kind, np.frombuffer(data, dtype="<u4").astype(np.uint32)
    if kind not in (PLAIN, HEX):
        return None
    try:
        return kind, np.array([int(word, 16) for word in rest.split(",")], dtype=np.uint32)
    except (ValueError, OverflowError) as error:
        raise BadSeedError(str(error)) from error


_GENERATOR = np.random.MT19937()
"""One for all seeds, because making a generator takes seven times as long as seeding it."""


def numbers(kind: str, words: Words, rounds: int) -> npt.NDArray[np.uint32]:
    """Return the random numbers of a game's first ``rounds`` rounds, uint32[rounds, NUMBERS]."""
    _GENERATOR._legacy_seeding(words)  # noqa: SLF001 - init_by_array has no other name
    if kind == PLAIN:
        return _GENERATOR.random_raw(NUMBERS * rounds).astype(np.uint32).reshape(rounds, NUMBERS)
    raw = _GENERATOR.random_raw(HASHED * rounds).astype("<u4").tobytes()
    hashed = b"".join([hashlib.sha512(raw[at : at + BLOCK]).digest() for at in range(0, len(raw), BLOCK)])
    return np.frombuffer(hashed, dtype="<u4").reshape(rounds, HASHED // 2)[:, :NUMBERS]


def shuffled(random: npt.NDArray[np.uint32], players: int) -> npt.NDArray[np.uint8]:
    """Return the walls that random numbers uint32[n, NUMBERS] give, uint8[tiles, n]: one column for each round.

    Tiles are dealt from the end.
    """
    count, tiles = len(random), TILES[players]
    column = np.arange(count)
    wall = np.repeat(tiles[:, None], count, axis=1)
    by_step = np.ascontiguousarray(random[:, : len(tiles) - 1].T)
    for step in range(len(tiles) - 1):
        other = by_step[step] % np.uint32(len(tiles) - step) + np.uint32(step)
        here = wall[step].copy()
        wall[step] = wall[other, column]
        wall[other, column] = here
    return wall


@dataclass(frozen=True)
class SeedWalls:
    """The n walls of a batch.

    ``round`` int64[n] is the row of ``log.rounds``, and ``layout`` int64[n] the row of :data:`DORA` and the other
    tables of places. ``tiles`` int16[n + 1, PHYSICAL + 1] has the tile at each place. Its last row (for rounds without
    a wall), and each place beyond a wall, :data:`BEYOND` among them, are NONE. ``dice`` uint8[n, 2] are the dice, each
    less one. ``bad`` has one row for each seed that cannot be read, with its game, its first round, and the reason.
    """

    round: Ints
    layout: Ints
    tiles: npt.NDArray[np.int16]
    dice: npt.NDArray[np.uint8]
    bad: pl.DataFrame


def walls(log: Log) -> SeedWalls:
    """Return the wall of every round with a readable seed of a known kind."""
    made: list[tuple[int, Ints, Words]] = []
    bad: list[tuple[int, int, str, str]] = []
    for game, seed, rows in _seeds(log):
        try:
            found = key(seed)
        except BadSeedError as error:
            bad.append((game, int(rows[0]), f"{seed[:40]}...", str(error)))
            continue
        kind, words = found or ("", None)
        layout = ROW.get((int(log.players[rows[0]]), kind))
        if words is not None and layout is not None:
            made.append((layout, rows, numbers(kind, words, len(rows))))
    made.sort(key=lambda each: PLAYERS[each[0]])
    layouts = np.repeat(np.array([row for row, _, _ in made], dtype=np.int64), [len(rows) for _, rows, _ in made])
    random = np.concatenate([np.zeros((0, NUMBERS), dtype=np.uint32), *(each for _, _, each in made)])
    return SeedWalls(
        round=np.concatenate([np.zeros(0, dtype=np.int64), *(rows for _, rows, _ in made)]),
        layout=layouts,
        tiles=_tiles(random, PLAYERS[layouts]),
        dice=(np.take_along_axis(random, DICE[layouts], axis=1) % 6).astype(np.uint8),
        bad=pl.DataFrame(
            bad,
            schema={"game": pl.UInt32, "round": pl.UInt32, "recorded": pl.String, "expected": pl.String},
            orient="row",
        ),
    )


def _tiles(random: Words, players: Ints) -> npt.NDArray[np.int16]:
    """Return :attr:`SeedWalls.tiles` for random numbers uint32[n, NUMBERS]; ``players`` int64[n] ascends."""
    tiles = np.full((len(random) + 1, PHYSICAL + 1), NONE, dtype=np.int16)
    for count, tile_set in TILES.items():
        here = slice(*np.searchsorted(players, [count, count + 1]))
        if here.start < here.stop:
            tiles[here, : len(tile_set)] = shuffled(random[here], count).T
    return tiles


def _seeds(log: Log) -> Iterator[tuple[int, str, Ints]]:
    """Yield every seed with its game and the rows of the rounds whose walls it gives.

    A seed is either that of one round, or that of a game. The latter is yielded only if the log begins with East 1:
    otherwise the number of earlier rounds is unknown.
    """
    rounds = log.rounds[["round", "game", "shuffle"]]
    for round_, game, seed in rows_where(rounds, is_known(rounds["shuffle"])).iter_rows():
        yield game, seed, np.array([round_])
    first = np.logical_and.reduce([filled(log.rounds[name], 1) == 0 for name in ("nth", "wind", "dealer", "honba")])
    of_game = log.rounds["game"].to_numpy()
    opens = np.isin(log.games["game"].to_numpy(), of_game[first]) & is_known(log.games["seed"])
    for game, seed in rows_where(log.games[["game", "seed"]], opens).iter_rows():
        yield game, seed, np.arange(*np.searchsorted(of_game, [game, game + 1]))
