"""Walls: the order of tiles that a recorded seed gives, beside what was dealt, drawn and turned up.

Tenhou publishes the seed of its random numbers, so every tile of a game can be proven (formats/tenhou-mjlog.md 9).
A seed keys the Mersenne Twister; 137 of its numbers, hashed or not, shuffle a round's tiles and throw its dice. The
tiles are swapped for all rounds of a batch at once, step by step; numbers are drawn game by game and hashed block by
block, which no array can do.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.log import SEATS
from auditor.pieces import NONE, PHYSICAL
from auditor.replay import CODE
from auditor.situations import last_actions, result_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from auditor.log import Log
    from auditor.replay import Replay

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]
    Words = npt.NDArray[np.uint32]

NUMBERS = PHYSICAL + 1
"""Random numbers that a round uses: a swap for each tile but the last, and two dice."""
HASHED = 288
"""Numbers that a round takes from the generator where they are hashed, by blocks of 32."""
BLOCK = 128
KEY_BYTES = 4 * 624
HELD = 13

KANS = ("daiminkan", "ankan", "kakan", "kita")
"""Calls that are followed by the draw of a replacement tile."""

PLAIN, HEX, BASE64 = "mt19937ar", "mt19937ar-sha512-n288", "mt19937ar-sha512-n288-base64"
"""The three kinds of seeds: of a round (early 2009), of a game (until January 2010), of a game (since)."""


class Places(NamedTuple):
    """Where in the wall things lie: indicators, those below, replacement tiles in the order they are drawn.

    Of the early kinds only two replacement tiles have been seen.
    """

    dora: tuple[int, ...]
    ura: tuple[int, ...]
    replacements: tuple[int, ...]


_EARLY = Places((4, 6, 8, 10, 12), (5, 7, 9, 11, 13), (0, 1))
_LATE = Places((5, 7, 9, 11, 13), (4, 6, 8, 10, 12), (1, 0, 3, 2))
_UNSEEN = PHYSICAL
"""A place beyond the wall: what lies there is unknown."""


def _padded(groups: tuple[tuple[int, ...], tuple[int, ...]], count: int) -> npt.NDArray[np.int64]:
    return np.array([[*group, *[_UNSEEN] * (count - len(group))] for group in groups], dtype=np.int64)


# Rows: early, late.
DORA = _padded((_EARLY.dora, _LATE.dora), 6)
URA = _padded((_EARLY.ura, _LATE.ura), 6)
REPLACEMENTS = _padded((_EARLY.replacements, _LATE.replacements), 5)


class BadSeedError(ValueError):
    """A seed of a known kind whose words cannot be read."""


def key(seed: str) -> tuple[str, Words] | None:
    """Return a seed's kind and the words that key the generator; None for a seed of no known kind.

    Raises
    ------
    BadSeedError
        if the kind is known and the words are not what it takes

    """
    kind, _, rest = seed.partition(",")
    if kind == BASE64:
        try:
            data = base64.b64decode(rest, validate=True)
        except binascii.Error as error:
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


def numbers(kind: str, words: Words, rounds: int) -> npt.NDArray[np.uint32]:
    """Return the random numbers of a game's first rounds, uint32[rounds, NUMBERS]."""
    generator = np.random.MT19937()
    generator._legacy_seeding(words)  # noqa: SLF001 - init_by_array has no other name
    if kind == PLAIN:
        return generator.random_raw(NUMBERS * rounds).astype(np.uint32).reshape(rounds, NUMBERS)
    raw = generator.random_raw(HASHED * rounds).astype("<u4").tobytes()
    hashed = b"".join([hashlib.sha512(raw[at : at + BLOCK]).digest() for at in range(0, len(raw), BLOCK)])
    return np.frombuffer(hashed, dtype="<u4").reshape(rounds, HASHED // 2)[:, :NUMBERS]


def shuffled(random: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint8]:
    """Return the walls that random numbers give, uint8[PHYSICAL, n], a column a round; tiles are dealt from the end."""
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


def _dealt_places() -> npt.NDArray[np.int64]:
    """Return where the tiles of the seats lie, int64[SEATS, HELD], the dealer first: three times four, then one."""
    offset, tile = np.arange(SEATS)[:, None], np.arange(HELD)
    block, within = tile // 4, tile % 4
    return PHYSICAL - 1 - np.where(block < HELD // 4, block * 16 + offset * 4 + within, 48 + offset)


@dataclass(frozen=True)
class Walls:
    """The walls of a batch: ``round`` int64[n], rows of ``log.rounds``; ``tiles`` int16[n + 1, PHYSICAL + 1].

    The last row and column of ``tiles`` are NONE: what rounds without a wall have, and what lies beyond. ``late``
    int64[n] is the row of :data:`DORA` and the like, ``dice`` uint8[n, 2] as INIT counts them (from 0).
    ``bad`` are games with a seed that cannot be read, and why.
    """

    round: Ints
    tiles: npt.NDArray[np.int16]
    late: Ints
    dice: npt.NDArray[np.uint8]
    bad: pl.DataFrame


def walls(log: Log) -> Walls:
    """Return the wall of every round whose seed is readable."""
    rounds: list[npt.NDArray[np.int64]] = []
    random: list[npt.NDArray[np.uint32]] = []
    late: list[int] = []
    bad: list[tuple[int, str, str]] = []
    for game, seed, rows in _seeds(log):
        try:
            found = key(seed)
        except BadSeedError as error:
            bad.append((game, f"{seed[:40]}...", str(error)))
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
    return Walls(
        round=np.concatenate([np.zeros(0, dtype=np.int64), *rounds]),
        tiles=tiles,
        late=np.repeat(np.array(late, dtype=np.int64), count),
        dice=(all_numbers[:, PHYSICAL - 1 :] % 6).astype(np.uint8),
        bad=pl.DataFrame(bad, schema={"game": pl.UInt32, "recorded": pl.String, "expected": pl.String}, orient="row"),
    )


def _seeds(log: Log) -> Iterator[tuple[int, str, Ints]]:
    """Yield every seed with its game and the rows of the rounds that it makes: one round's, or a game's from East 1 on.

    Of a log that begins in the middle of a game nobody knows how many rounds went before.
    """
    rounds = log.rounds.select("round", "game", "shuffle", opens=(pl.col("nth") == 0) & _is_first())
    for round_, game, seed in rounds.select("round", "game", "shuffle").drop_nulls().iter_rows():
        yield game, seed, np.array([round_])
    whole = rounds.group_by("game", maintain_order=True).agg(pl.col("round").min(), pl.len(), pl.col("opens").any())
    games = log.games.select("game", "seed").drop_nulls().join(whole.filter("opens"), on="game", maintain_order="left")
    for game, seed, start, count in games.select("game", "seed", "round", "len").iter_rows():
        yield game, seed, np.arange(start, start + count)


def _is_first() -> pl.Expr:
    return (pl.col("wind") == 0) & (pl.col("dealer") == 0) & (pl.col("honba") == 0)


@dataclass(frozen=True)
class Proof:
    """What the walls say.

    Each frame has ``round``, ``event``, ``pos``, ``seat`` and is null in ``expected...`` where no wall says. ``deals``
    has one row a hand (``fits``, and of those that do not, the tiles ``recorded`` and ``expected`` that the other
    lacks), ``draws`` one a draw from the live wall, ``turned`` one an indicator or replacement tile, ``dice`` one a
    round. ``seeds`` are games whose seed cannot be read or makes other walls; ``games`` whether all fits (``proven``).
    """

    deals: pl.DataFrame
    draws: pl.DataFrame
    turned: pl.DataFrame
    dice: pl.DataFrame
    seeds: pl.DataFrame
    games: pl.DataFrame


def prove(log: Log, played: Replay) -> Proof:
    """Lay the batch's tiles beside its walls."""
    found = walls(log)
    at = np.full(len(log.rounds), -1, dtype=np.int64)
    at[found.round] = np.arange(len(found.round))
    strange, compared = _strange(log, found, at)
    # Where most tiles are others it is the seed that is wrong, not the tiles.
    foreign = compared & (strange.sum(axis=1) * 2 > SEATS * HELD)
    at = np.where(foreign, -1, at)
    look = _Look(log, played, found, at)
    draws, replaced = _draws(look)
    turned = pl.concat([_indicators(look), replaced], how="diagonal")
    deals, dice = _deals(look, strange, compared), _dice(look)
    wrong = [deals.filter(~pl.col("fits")), dice.filter(pl.col("dice") != pl.col("expected_dice"))]
    wrong += [tiles.filter(pl.col("piece") != pl.col("expected_piece")) for tiles in (draws, turned)]
    fits = compared & (at >= 0)
    fits[pl.concat(each.select("round") for each in wrong)["round"]] = False
    return Proof(deals, draws, turned, dice, _foreign(look, foreign), _proven(look, foreign, fits))


@dataclass(frozen=True)
class _Look:
    """The log beside its walls: ``at`` int64[rounds] is each round's row in ``walls``, -1 where it has none."""

    log: Log
    played: Replay
    walls: Walls
    at: Ints

    def tile(self, round_: Ints, place: Ints) -> pl.Series:
        """Return what lies at places of rounds' walls; null where nobody knows."""
        tile = self.walls.tiles[self.at[round_], np.where(place < 0, _UNSEEN, place)]
        return pl.select(pl.when(pl.Series(tile < NONE)).then(pl.Series(tile))).to_series()

    @property
    def late(self) -> Ints:
        """The row of :data:`DORA` and the like for each round."""
        late = np.zeros(len(self.at), dtype=np.int64)
        late[self.walls.round] = self.walls.late
        return late


def _owners(log: Log, found: Walls) -> npt.NDArray[np.int8]:
    """Return to whom each wall deals each tile, int8[n, pieces], -1 nobody."""
    owners = np.full((len(found.round) + 1, NONE + 1), -1, dtype=np.int8)
    dealer = log.rounds["dealer"].fill_null(0).gather(found.round).to_numpy()
    row = np.arange(len(found.round))[:, None]
    for offset, places in enumerate(_dealt_places()):
        owners[row, found.tiles[:-1, places]] = ((dealer + offset) % SEATS)[:, None]
    return owners


def _strange(log: Log, found: Walls, at: Ints) -> tuple[Ints, Bools]:
    """Return how many tiles of each hand the wall does not deal it, int64[rounds, 4], and which rounds are compared."""
    round_, seat = (log.deals[name].to_numpy().astype(np.int64) for name in ("round", "seat"))
    owner = _owners(log, found)[at[round_], log.deals["piece"].to_numpy()]
    hand = round_ * SEATS + seat
    count = len(log.rounds) * SEATS
    strange = np.bincount(hand, weights=owner != seat, minlength=count).astype(np.int64).reshape(-1, SEATS)
    full = (np.bincount(hand, minlength=count).reshape(-1, SEATS) == HELD).all(axis=1)
    return strange, full & (at >= 0) & log.rounds["dealer"].is_not_null().to_numpy()


_WHERE = ("round", "event", "pos")


def _deals(look: _Look, strange: Ints, compared: Bools) -> pl.DataFrame:
    """Return one row a hand."""
    rounds = look.log.rounds.select(*_WHERE)
    hands = rounds.select(pl.all().repeat_by(SEATS).explode()).with_columns(
        seat=pl.Series(np.tile(np.arange(SEATS, dtype=np.int8), len(rounds)), dtype=pl.Int8),
        fits=pl.when(pl.Series(np.repeat(compared & (look.at >= 0), SEATS))).then(pl.Series(strange.ravel() == 0)),
    )
    wrong = hands.filter(~pl.col("fits")).select("round", "seat")
    dealer = look.log.rounds["dealer"].fill_null(0).gather(wrong["round"]).to_numpy()
    places = _dealt_places()[(wrong["seat"].to_numpy() - dealer) % SEATS]
    tiles = look.walls.tiles[look.at[wrong["round"].to_numpy()][:, None], places]
    due = wrong.with_columns(piece=pl.Series(tiles, dtype=pl.Array(pl.Int16, HELD))).explode("piece")
    had = look.log.deals.join(wrong, on=["round", "seat"], how="semi")
    keys = ["round", "seat", "piece"]
    sides = [
        one.join(other, on=keys, how="anti").group_by("round", "seat").agg(pl.col("piece").sort().alias(name))
        for name, one, other in (("recorded", had, due), ("expected", due, had))
    ]
    for side in sides:
        hands = hands.join(side, on=["round", "seat"], how="left", maintain_order="left")
    return hands


def _draws(look: _Look) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the draws from the live wall and those of replacement tiles, each with the tile that was next."""
    played = look.played
    rows = np.flatnonzero(played.is_kind("draw"))
    round_ = played.round[rows]
    before = last_actions(played, rows)
    replaces = np.isin(played.kind[before], [CODE[name] for name in KANS]) & (played.round[before] == round_)
    starts = np.flatnonzero(np.diff(round_, prepend=-1))
    lengths = np.diff(np.append(starts, len(rows)))
    frames = []
    for chosen in (~replaces, replaces):
        count = np.cumsum(chosen) - chosen
        nth = count - np.repeat(count[starts], lengths)
        place = PHYSICAL - 1 - SEATS * HELD - nth
        if chosen is replaces:
            place = REPLACEMENTS[look.late[round_], np.minimum(nth, REPLACEMENTS.shape[1] - 1)]
        expected = look.tile(round_, place)
        frame = look.log.events[rows].select(*_WHERE, "seat", "piece").with_columns(expected_piece=expected)
        frames.append(frame.filter(pl.Series(chosen)))
    return frames[0], frames[1]


def _indicators(look: _Look) -> pl.DataFrame:
    """Return indicators with the tiles that lie there: the first, those of kans, and those below that winners show."""
    log, played = look.log, look.played
    first = log.rounds.select(*_WHERE, piece="dora", nth=pl.lit(0))
    later = log.events.filter(pl.Series(played.is_kind("dora"))).select(
        *_WHERE, "piece", nth=pl.int_range(1, pl.len() + 1).over("round")
    )
    shown = (
        log.claims.select("round", "event", seat="winner", piece="ura")
        .with_columns(pos=log.events["pos"].gather(result_rows(played)))
        .with_columns(nth=pl.int_ranges(pl.col("piece").list.len()))
        .explode("piece", "nth")
        .drop_nulls("piece")
    )
    upper = pl.concat([first, later], how="diagonal_relaxed")
    frames = []
    for frame, places in ((upper, DORA), (shown, URA)):
        round_ = frame["round"].to_numpy().astype(np.int64)
        nth = np.minimum(frame["nth"].to_numpy(), places.shape[1] - 1)
        expected = look.tile(round_, places[look.late[round_], nth])
        frames.append(frame.drop("nth").with_columns(expected_piece=expected))
    return pl.concat(frames, how="diagonal_relaxed")


def _dice(look: _Look) -> pl.DataFrame:
    """Return each round's dice, as INIT counts them."""
    dice = np.zeros((len(look.at), 2), dtype=np.uint8)
    dice[look.walls.round] = look.walls.dice
    expected = pl.when(pl.Series(look.at >= 0)).then(pl.Series(dice, dtype=pl.Array(pl.UInt8, 2)))
    return look.log.rounds.select(*_WHERE, pl.lit(None, pl.Int8).alias("seat"), "dice", expected_dice=expected)


def _foreign(look: _Look, foreign: Bools) -> pl.DataFrame:
    """Return the games whose seed cannot be read, or makes other walls than were played: the first such round."""
    rounds = look.log.rounds.join(look.log.games.select("game", "seed"), on="game", maintain_order="left")
    other = rounds.with_columns(foreign=pl.Series(foreign)).with_columns(
        count=pl.col("foreign").sum().over("game"), of=pl.len().over("game")
    )
    other = other.filter("foreign").unique("game", keep="first", maintain_order=True).select(
        "game", *_WHERE,
        recorded=pl.format("{}...", pl.coalesce("seed", "shuffle").str.head(40)),
        expected=pl.format("a seed that makes the tiles of {} of {} rounds", "count", "of"),
    )  # fmt: skip
    bad = look.walls.bad.unique("game", keep="first", maintain_order=True)
    return pl.concat([bad, other], how="diagonal_relaxed").sort("game", maintain_order=True)


def _proven(look: _Look, foreign: Bools, fits: Bools) -> pl.DataFrame:
    """Return whether each game's tiles are those of its walls; null where one of its rounds has none to compare."""
    said = pl.Series(foreign | (look.at >= 0))
    rounds = look.log.rounds.select("game").with_columns(
        proven=pl.when(said).then(pl.Series(fits)), bad=pl.col("game").is_in(look.walls.bad["game"].implode())
    )
    return rounds.group_by("game", maintain_order=True).agg(
        proven=pl.when(pl.col("bad").any() | ~pl.col("proven").all(ignore_nulls=True))
        .then(pl.lit(value=False))
        .when(pl.col("proven").null_count() == 0)
        .then(pl.lit(value=True))
    )
