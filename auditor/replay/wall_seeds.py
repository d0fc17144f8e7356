"""Walls: the order of tiles that a recorded seed gives.

Tenhou publishes the seed of its random numbers, so every tile of a game can be verified
(auditor/readers/mjlog/FORMAT.md 9). A seed initialises the Mersenne Twister. 137 of its numbers, hashed or not, shuffle
a round's tiles and throw its dice. The shuffle runs step by step for all rounds of a batch at once. The generator and
the hash run in a loop, over games and blocks: NumPy has no array operation for them.
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
from auditor.log.tile_ids import HAND_SIZE, NONE, PHYSICAL

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from auditor.log.tables import Log

    Ints = npt.NDArray[np.int64]
    Words = npt.NDArray[np.uint32]

NUMBERS = PHYSICAL + 1
"""How many random numbers a round uses: one for each swap (a swap for each tile but the last), two for the dice."""
HASHED = 288
"""How many numbers a round takes from the generator if they are hashed, in blocks of 32."""
BLOCK = 128
KEY_BYTES = 4 * 624

PLAIN, HEX, BASE64 = "mt19937ar", "mt19937ar-sha512-n288", "mt19937ar-sha512-n288-base64"
"""The three kinds of seeds: of a round (early 2009), of a game (until January 2010), of a game (since)."""


class Places(NamedTuple):
    """Places in the wall: of the dora and ura dora indicators, and of the replacement tiles in the order of drawing.

    For the early kinds of seeds, only two replacement tiles have been observed.
    """

    dora: tuple[int, ...]
    ura: tuple[int, ...]
    replacements: tuple[int, ...]


_EARLY = Places((4, 6, 8, 10, 12), (5, 7, 9, 11, 13), (0, 1))
_LATE = Places((5, 7, 9, 11, 13), (4, 6, 8, 10, 12), (1, 0, 3, 2))
BEYOND = PHYSICAL
"""A place beyond the wall, for an unknown tile."""


def _padded(groups: tuple[tuple[int, ...], tuple[int, ...]], count: int) -> npt.NDArray[np.int64]:
    return np.array([[*group, *[BEYOND] * (count - len(group))] for group in groups], dtype=np.int64)


# Rows: early kinds of seeds, late kind.
DORA = _padded((_EARLY.dora, _LATE.dora), 6)
URA = _padded((_EARLY.ura, _LATE.ura), 6)
REPLACEMENTS = _padded((_EARLY.replacements, _LATE.replacements), 5)


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


def shuffled(random: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint8]:
    """Return the walls that random numbers uint32[n, NUMBERS] give, uint8[PHYSICAL, n]: one column for each round.

    Tiles are dealt from the end.
    """
    count = len(random)
    column = np.arange(count)
    wall = np.repeat(np.arange(PHYSICAL, dtype=np.uint8)[:, None], count, axis=1)
    by_step = np.ascontiguousarray(random[:, : PHYSICAL - 1].T)
    for step in range(PHYSICAL - 1):
        other = by_step[step] % np.uint32(PHYSICAL - step) + np.uint32(step)
        here = wall[step].copy()
        wall[step] = wall[other, column]
        wall[other, column] = here
    return wall


def _dealt() -> npt.NDArray[np.int64]:
    """Return the places of the dealt tiles: each seat in turn takes four tiles, three times, and then one."""
    offset, tile = np.arange(SEATS)[:, None], np.arange(HAND_SIZE)
    block, within = tile // 4, tile % 4
    return PHYSICAL - 1 - np.where(block < HAND_SIZE // 4, block * 16 + offset * 4 + within, 48 + offset)


DEALT = _dealt()
"""Places of the dealt tiles in the wall, int64[SEATS, HAND_SIZE]; the dealer is row 0."""


@dataclass(frozen=True)
class SeedWalls:
    """The n walls of a batch.

    ``round`` int64[n] is the row of ``log.rounds``. ``tiles`` int16[n + 1, PHYSICAL + 1] has the tile at each place.
    Its last row (for rounds without a wall) and last column (:data:`BEYOND`) are NONE. ``late`` int64[n] is the row of
    :data:`DORA`, :data:`URA` and :data:`REPLACEMENTS`. ``dice`` uint8[n, 2] are the dice, each less one. ``bad`` has
    one row for each seed that cannot be read, with its game, its first round, and the reason.
    """

    round: Ints
    tiles: npt.NDArray[np.int16]
    late: Ints
    dice: npt.NDArray[np.uint8]
    bad: pl.DataFrame


def walls(log: Log) -> SeedWalls:
    """Return the wall of every round with a readable seed."""
    rounds: list[npt.NDArray[np.int64]] = []
    random: list[npt.NDArray[np.uint32]] = []
    late: list[int] = []
    bad: list[tuple[int, int, str, str]] = []
    for game, seed, rows in _seeds(log):
        try:
            found = key(seed)
        except BadSeedError as error:
            bad.append((game, int(rows[0]), f"{seed[:40]}...", str(error)))
            continue
        if found is not None:
            kind, words = found
            rounds.append(rows)
            random.append(numbers(kind, words, len(rows)))
            late.append(int(kind == BASE64))
    count = [len(rows) for rows in rounds]
    all_numbers = np.concatenate([np.zeros((0, NUMBERS), dtype=np.uint32), *random])
    tiles = np.full((len(all_numbers) + 1, PHYSICAL + 1), NONE, dtype=np.int16)
    tiles[:-1, :PHYSICAL] = shuffled(all_numbers).T
    return SeedWalls(
        round=np.concatenate([np.zeros(0, dtype=np.int64), *rounds]),
        tiles=tiles,
        late=np.repeat(np.array(late, dtype=np.int64), count),
        dice=(all_numbers[:, PHYSICAL - 1 :] % 6).astype(np.uint8),
        bad=pl.DataFrame(
            bad,
            schema={"game": pl.UInt32, "round": pl.UInt32, "recorded": pl.String, "expected": pl.String},
            orient="row",
        ),
    )


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
