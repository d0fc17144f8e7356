"""Random wins to compare engines: hands of many kinds, in situations that a game can produce.

A win is a plain record that each engine gets in its own form; `batch` makes many into input for this engine. No tile
appears more than four times among hand and indicators, and no win combines situations that exclude each other
(rinshan and haitei, an open hand and riichi, …). Some wins have no yaku.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from engine.tiles.hands import Hands
from engine.tiles.kinds import EAST, GREEN, KIND, KINDS, NORTH, ORPHANS, RED_FIVES, SUIT_LETTERS, kinds_in
from engine.tiles.melds import (  # fmt: skip
    ANKAN,
    CALLED_PLACES,
    CHI,
    DAIMINKAN,
    KAKAN,
    LEFT,
    MELD_SHAPES,
    PON,
    RIGHT,
    SEAT_MARKS,
    SELF,
    Meld,
)
from engine.yaku.wins import Wins

if TYPE_CHECKING:
    from collections.abc import Sequence

Blocks = list[tuple[int, ...]]

FIVES = (4, 13, 22)

FLAGS = ("tsumo", "ippatsu", "rinshan", "chankan", "last_tile", "first_turn", "open_riichi", "on_kita", "after_kita")
NUMBERS = ("riichi", "winner", "dealer", "payer", "round_wind", "honba", "sticks", "players", "norths")
"""Fields of a win with the same name in `engine.yaku.wins.Wins`."""

LEAST = 4
"""Of fewer kinds no hand is made."""

SANMA = (0, 8, *range(9, KINDS))
"""Kinds of tiles in games of three players."""


@dataclass(frozen=True, slots=True)
class Win:
    """One win, with the field names of `engine.yaku.wins.Wins`.

    `tiles` are the concealed ones, red fives 34 to 36, the winning one last.
    """

    tiles: tuple[int, ...]
    melds: tuple[Meld, ...]
    tsumo: bool
    riichi: int
    ippatsu: bool
    rinshan: bool
    chankan: bool
    last_tile: bool
    first_turn: bool
    open_riichi: bool
    winner: int
    dealer: int
    payer: int
    round_wind: int
    honba: int
    sticks: int
    dora: tuple[int, ...]
    ura: tuple[int, ...]
    players: int
    norths: int = 0
    on_kita: bool = False
    after_kita: bool = False

    def __str__(self) -> str:
        """Write the hand as `hand_text` does, and its situation."""
        said = [name for name in FLAGS if getattr(self, name)]
        numbers = [f"{name} {getattr(self, name)}" for name in NUMBERS]
        shown = [f"{name} {''.join(map(tile_text, getattr(self, name)))}" for name in ("dora", "ura")]
        return " ".join([hand_text(self.tiles, self.melds), *said, *numbers, *shown])

    @property
    def seat_wind(self) -> int:
        """Give the winner's wind, 0 for the dealer."""
        return (self.winner - self.dealer) % self.players

    @property
    def closed(self) -> bool:
        """Say whether the only melds are ankans."""
        return all(meld.type == ANKAN for meld in self.melds)

    def fewer_reds(self, most: int) -> Win:
        """Give the win with at most this number of red fives a suit; the others become plain fives."""
        left = dict.fromkeys(RED_FIVES, most)

        def plain(tile: int) -> int:
            if tile < KINDS:
                return tile
            left[tile] -= 1
            return tile if left[tile] >= 0 else FIVES[RED_FIVES.index(tile)]

        melds = tuple(meld._replace(tiles=tuple(map(plain, meld.tiles))) for meld in self.melds)
        return replace(self, tiles=tuple(map(plain, self.tiles)), melds=melds)


def deal(n: int, seed: int, players: int = 4) -> list[Win]:
    """Deal this number of wins."""
    rng = random.Random(seed)
    return [_win(rng, players) for _ in range(n)]


def deal_short(wins: Sequence[Win], seed: int) -> list[Win]:
    """Make hands that lack one tile, near tenpai and not, from wins."""
    rng = random.Random(seed)
    return [_short(rng, win) for win in wins]


def _short(rng: random.Random, win: Win) -> Win:
    """Remove the winning tile, and exchange up to four others."""
    tiles = [int(KIND[tile]) for tile in win.tiles[:-1]]
    melded = [int(KIND[tile]) for meld in win.melds for tile in meld.tiles]
    rng.shuffle(tiles)
    for place in range(min(len(tiles), rng.choice((0, 0, 1, 2, 3, 4)))):
        held = Counter(tiles + melded)
        near = [tiles[place] + step for step in (-2, -1, 0, 1, 2) if 0 <= tiles[place] + step < KINDS]
        wanted = rng.choice(near if rng.random() < 0.5 else range(KINDS))
        tiles[place] = wanted if held[wanted] < 4 else tiles[place]
    return replace(win, tiles=tuple(tiles))


def hands_of(wins: Sequence[Win]) -> Hands:
    """Give the hands as a batch."""
    counts = np.zeros((len(wins), KINDS), dtype=np.int64)
    melds = np.zeros((3, len(wins), 4), dtype=np.int64)
    reds = np.zeros(len(wins), dtype=np.int64)
    for row, win in enumerate(wins):
        for tile in win.tiles:
            counts[row, KIND[tile]] += 1
        for place, meld in enumerate(win.melds):
            melds[:, row, place] = meld.type, meld.lowest, meld.feeder
        reds[row] = sum(tile >= KINDS for tile in win.tiles) + sum(meld.reds for meld in win.melds)
    return Hands.from_counts(counts, *melds, reds=reds)


def batch(wins: Sequence[Win], rule: np.ndarray) -> Wins:
    """Give the wins as input of this engine, each with a row of its rules."""
    indicators = {name: np.full((len(wins), 5), 255, dtype=np.uint8) for name in ("dora", "ura")}
    for name, filled in indicators.items():
        for row, win in enumerate(wins):
            filled[row, : len(getattr(win, name))] = getattr(win, name)
    return Wins.of(
        hands_of(wins),
        KIND[[win.tiles[-1] for win in wins]],
        rule=rule,
        **indicators,
        **{name: np.array([getattr(win, name) for win in wins]) for name in FLAGS + NUMBERS},
    )


def tile_text(tile: int) -> str:
    """Write a tile, 0 to 36, as 電脳麻将 does: ``m0``."""
    return SUIT_LETTERS[int(KIND[tile]) // 9] + ("0" if tile >= KINDS else str(int(KIND[tile]) % 9 + 1))


def hand_text(tiles: Sequence[int], melds: Sequence[Meld]) -> str:
    """Write concealed tiles with the winning one apart, and melds: ``m123p0z55s5,m4-56``."""
    ordered = sorted(tiles[:-1], key=lambda tile: (int(KIND[tile]), tile))
    return ",".join([_joined([*map(tile_text, ordered)]) + tile_text(tiles[-1]), *map(_meld_text, melds)])


def _joined(names: list[str]) -> str:
    """Write each suit's letter once."""
    return "".join(
        name if place == 0 or names[place - 1][0] != name[0] else name[1] for place, name in enumerate(names)
    )


def _meld_text(meld: Meld) -> str:
    marks = (SEAT_MARKS[meld.feeder] if place == meld.called else "" for place in range(len(meld.tiles)))
    return tile_text(meld.tiles[0])[0] + "".join(
        tile_text(tile)[1] + mark for tile, mark in zip(meld.tiles, marks, strict=True)
    )


def _win(rng: random.Random, players: int) -> Win:
    """Deal a hand, meld some of it, and choose a situation."""
    while True:
        blocks = _hand(rng, players)
        concealed, melds = _melded(rng, blocks)
        held = Counter(int(KIND[tile]) for tile in concealed + [tile for meld in melds for tile in meld.tiles])
        possible = players == 4 or (held.keys() <= set(SANMA) and all(meld.type != CHI for meld in melds))
        if possible and concealed and max(held.values()) <= 4:
            break
    rng.shuffle(concealed)
    melds = [meld._replace(feeder=min(meld.feeder, players - 1)) for meld in melds]
    return _situation(rng, *_reddened(rng, concealed, melds), held, players)


def _hand(rng: random.Random, players: int) -> Blocks:
    """Choose blocks: sets and a pair, seven pairs, or a special form; nothing if three players lack the kinds."""
    form = rng.random()
    if form < 0.04:
        kinds = kinds_in(ORPHANS)
        return [(kind,) for kind in (*kinds, rng.choice(kinds))]
    if form < 0.07:
        start = 9 * rng.randrange(3)
        gates = [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, rng.randrange(9)]
        return [(start + place,) for place in gates]
    if form < 0.09:
        return _honour_sets(rng)
    pool, run = _pool(rng)
    if players == 3:
        pool = [kind for kind in pool if kind in SANMA]
    if len(pool) < LEAST:
        return []
    if form < 0.16 and len(pool) >= 7:
        return [(kind, kind) for kind in rng.sample(pool, 7)]
    pair = rng.choice(pool)
    sets = [_set(rng, pool, run) for _ in range(4)]
    if rng.random() < 0.15:
        sets[1] = sets[0]
    return [(pair, pair), *sets]


def _honour_sets(rng: random.Random) -> Blocks:
    """Take all dragons or all winds, so that feeders become liable."""
    if rng.random() < 0.5:
        pair, last = rng.sample(range(31), 2)
        return [(pair,) * 2, (31,) * 3, (32,) * 3, (33,) * 3, _set(rng, [last, last + 1, last + 2], 0.5)]
    pair = rng.randrange(27)
    return [(pair,) * 2, *((wind,) * 3 for wind in range(27, 31))]


def _pool(rng: random.Random) -> tuple[list[int], float]:
    """Choose the kinds for a hand, and the probability that a set is a run."""
    suit = 9 * rng.randrange(3)
    low = rng.randrange(6)
    pools: list[tuple[Sequence[int], float, int]] = [
        (range(KINDS), 0.7, 20),
        (range(KINDS), 0.1, 12),
        (range(27), 0.9, 10),
        (range(suit, suit + 9), 0.7, 10),
        ([*range(suit, suit + 9), *range(27, 34)], 0.5, 8),
        (range(27, 34), 0.0, 6),
        (kinds_in(ORPHANS), 0.0, 5),
        ([start + i for start in (0, 9, 18) for i in (0, 1, 2, 6, 7, 8)] + [*range(27, 34)], 0.8, 8),
        ([start + i for start in (0, 9, 18) for i in range(1, 8)], 0.7, 8),
        ([start + low + i for start in (0, 9, 18) for i in range(4)], 0.7, 8),
        (kinds_in(GREEN), 0.5, 3),
        (range(suit, suit + 4), 0.6, 3),
    ]
    kinds, run, _ = rng.choices(pools, [weight for *_, weight in pools])[0]
    return list(kinds), run


def _set(rng: random.Random, pool: list[int], run: float) -> tuple[int, ...]:
    lowest = rng.choice(pool)
    if rng.random() < run and lowest < 27 and lowest % 9 < 7 and {lowest + 1, lowest + 2} <= set(pool):
        return (lowest, lowest + 1, lowest + 2)
    return (lowest,) * 3


def _melded(rng: random.Random, blocks: Blocks) -> tuple[list[int], list[Meld]]:
    """Meld some sets of a hand that can have melds; give the concealed tiles and the melds in any order."""
    chance = rng.choice((0.0, 0.0, 0.0, 0.4, 0.8, 1.0))
    kan = rng.choice((0.1, 0.5, 0.9))
    types = rng.choice(((PON, DAIMINKAN, KAKAN, ANKAN), (ANKAN,), (DAIMINKAN, KAKAN, ANKAN)))
    concealed: list[int] = []
    melds: list[Meld] = []
    for block in blocks:
        if len(block) < 3 or rng.random() >= chance:
            concealed += block
        elif block[0] != block[1]:
            melds.append(Meld(CHI, block, LEFT, rng.randrange(3)))
        else:
            kind = rng.choice(types) if rng.random() < kan or PON not in types else PON
            tiles = tuple(block[0] + step for step in MELD_SHAPES[kind])
            feeder = SELF if kind == ANKAN else rng.randint(RIGHT, LEFT)
            melds.append(Meld(kind, tiles, feeder, CALLED_PLACES[kind]))
    rng.shuffle(melds)
    return concealed, melds


def _reddened(rng: random.Random, concealed: list[int], melds: list[Meld]) -> tuple[list[int], list[Meld]]:
    """Make some fives red, sometimes several of a suit."""
    for red, five in zip(RED_FIVES, FIVES, strict=True):
        chance = rng.choice((0.0, 0.0, 0.3, 0.3, 0.9))

        def dyed(tile: int, red: int = red, five: int = five, chance: float = chance) -> int:
            return red if tile == five and rng.random() < chance else tile

        concealed = [dyed(tile) for tile in concealed]
        melds = [meld._replace(tiles=tuple(map(dyed, meld.tiles))) for meld in melds]
    return concealed, melds


def _situation(rng: random.Random, concealed: list[int], melds: list[Meld], held: Counter[int], players: int) -> Win:
    """Choose how the hand was won; with three players often with Norths that were set aside."""
    closed = all(meld.type == ANKAN for meld in melds)
    kans = sum(meld.type in (DAIMINKAN, ANKAN, KAKAN) for meld in melds)
    tsumo = rng.random() < 0.5
    riichi = rng.choice((0, 1, 1, 2)) if closed else 0
    norths = min(rng.choice((0, 0, 0, 1, 1, 2, 3, 4)), 4 - held[NORTH]) if players == 3 else 0
    first_turn = not melds and not riichi and not norths and rng.random() < 0.15
    rinshan = tsumo and kans + norths > 0 and rng.random() < 0.3
    chankan = not tsumo and not first_turn and held[int(KIND[concealed[-1]])] == 1 and rng.random() < 0.3
    robs_north = players == 3 and not (tsumo or first_turn or chankan) and concealed[-1] == NORTH
    on_kita = robs_north and rng.random() < 0.7
    winner, round_wind = rng.randrange(players), _wind(rng, held, players)
    dealer = (winner - _wind(rng, held, players)) % players
    shown = min(5, 1 + kans + rng.choice((0, 0, 0, 1, 2)))
    held = held + Counter({NORTH: norths})
    left = [kind for kind in (range(KINDS) if players == 4 else SANMA) for _ in range(4 - held[kind])]
    indicators = rng.sample(left, 2 * shown)
    return Win(
        tiles=tuple(concealed),
        melds=tuple(melds),
        tsumo=tsumo,
        riichi=riichi,
        ippatsu=riichi > 0 and not rinshan and rng.random() < 0.4,
        rinshan=rinshan,
        chankan=chankan,
        last_tile=not (first_turn or rinshan or chankan or on_kita) and rng.random() < 0.2,
        first_turn=first_turn,
        open_riichi=riichi > 0 and rng.random() < 0.3,
        winner=winner,
        dealer=dealer,
        payer=winner if tsumo else (winner + rng.randrange(1, players)) % players,
        round_wind=round_wind,
        honba=rng.choice((0, 0, 1, 3)),
        sticks=rng.choice((0, 0, 1, 2)),
        dora=tuple(indicators[:shown]),
        ura=tuple(indicators[shown:]),
        players=players,
        norths=norths,
        on_kita=on_kita,
        after_kita=rinshan and norths > 0 and (kans == 0 or rng.random() < 0.5),
    )


def _wind(rng: random.Random, held: Counter[int], seats: int) -> int:
    """Choose a wind, often one that the hand holds."""
    own = [wind for wind in range(seats) if held[EAST + wind]]
    return rng.choice(own) if own and rng.random() < 0.6 else rng.randrange(seats)
