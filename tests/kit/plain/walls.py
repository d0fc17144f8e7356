"""Tenhou's walls from their seeds, one number and one tile at a time, for comparison with auditor/replay/wall_seeds.py.

It shares no code with the auditor, not even NumPy's generator, so an error would have to occur in both. Sources:
auditor/readers/mjlog/FORMAT.md 9, and the Mersenne Twister as its authors publish it.
"""

from __future__ import annotations

import base64
import hashlib
import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

TILES = {4: list(range(136)), 3: [*range(4), *range(32, 136)]}
"""The tiles before they are shuffled, by the number of players."""
NORTHS = range(120, 124)
WORD = 0xFFFFFFFF


class Twister:
    """MT19937, keyed by a list of words."""

    def __init__(self, key: Sequence[int]) -> None:
        """Mix the key into the state (init_by_array)."""
        state = [19650218]
        for i in range(1, 624):
            state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + i) & WORD)
        i, j = 1, 0
        for _ in range(max(624, len(key))):
            state[i] = ((state[i] ^ (state[i - 1] ^ state[i - 1] >> 30) * 1664525) + key[j] + j) & WORD
            i, j = i + 1, (j + 1) % len(key)
            if i == 624:
                state[0], i = state[623], 1
        for _ in range(623):
            state[i] = ((state[i] ^ (state[i - 1] ^ state[i - 1] >> 30) * 1566083941) - i) & WORD
            i += 1
            if i == 624:
                state[0], i = state[623], 1
        state[0] = 0x80000000
        self.state, self.at = state, 624

    def next(self) -> int:
        """Draw a number of 32 bits."""
        if self.at == 624:
            state = self.state
            for i in range(624):
                y = (state[i] & 0x80000000) | (state[(i + 1) % 624] & 0x7FFFFFFF)
                state[i] = state[(i + 397) % 624] ^ y >> 1 ^ (0x9908B0DF if y & 1 else 0)
            self.at = 0
        y = self.state[self.at]
        self.at += 1
        y ^= y >> 11
        y ^= y << 7 & 0x9D2C5680
        y ^= y << 15 & 0xEFC60000
        return y ^ y >> 18


@dataclass
class Wall:
    """A round's wall: tiles in shuffled order (dealt from the end), two dice from 0, the kind of seed, the players."""

    tiles: list[int]
    dice: tuple[int, int]
    late: bool
    players: int = 4
    dealt: int = field(default=0)

    def draw(self) -> int:
        """Take the next tile."""
        self.dealt += 1
        return self.tiles[len(self.tiles) - self.dealt]

    def hands(self, dealer: int) -> list[list[int]]:
        """Deal: four tiles to each seat three times, then one."""
        hands: list[list[int]] = [[] for _ in range(self.players)]
        for count in (4, 4, 4, 1):
            for offset in range(self.players):
                hands[(dealer + offset) % self.players] += [self.draw() for _ in range(count)]
        return hands

    @property
    def kept(self) -> int:
        """How many tiles lie before the indicators: those that replace others, for kans and kita."""
        return 8 if self.players == 3 else 4

    def dora(self, nth: int) -> int:
        """Give an indicator; the first is 0."""
        return self.tiles[self.kept + (1 if self.late else 0) + 2 * nth]

    def ura(self, nth: int) -> int:
        """Give the ura indicator below it."""
        return self.tiles[self.kept + (0 if self.late else 1) + 2 * nth]

    def replacement(self, nth: int) -> int:
        """Give the replacement tile of a kan or kita; the first is 0."""
        return self.tiles[(1, 0, 3, 2, 5, 4)[nth] if self.late else nth]


def walls(seed: str, rounds: int, players: int = 4) -> list[Wall]:
    """Give the walls of a game's first rounds; for a round's own seed there is one."""
    kind, _, rest = seed.partition(",")
    late = kind.endswith("base64")
    data = base64.b64decode(rest) if late else b""
    key = list(struct.unpack(f"<{len(data) // 4}I", data)) if late else [int(word, 16) for word in rest.split(",")]
    twister = Twister(key)
    found = []
    for _ in range(rounds):
        if kind == "mt19937ar":
            numbers = [twister.next() for _ in range(len(TILES[players]) + 1)]
        else:
            numbers = []
            for _ in range(9):
                block = struct.pack("<32I", *(twister.next() for _ in range(32)))
                numbers += struct.unpack("<16I", hashlib.sha512(block).digest())
        tiles = list(TILES[players])
        count = len(tiles)
        for i in range(count - 1):
            other = i + numbers[i] % (count - i)
            tiles[i], tiles[other] = tiles[other], tiles[i]
        # The dice are the next two numbers, except that hashed ones are thrown from the same place for three players.
        one, two = numbers[-2:] if kind == "mt19937ar" else numbers[135:137]
        found.append(Wall(tiles, (one % 6, two % 6), late, players))
    return found


def noten_round(seed: str, place: int, scores: Sequence[int]) -> list[str]:
    """Write the tags of a round with this seed's wall, in which all seats discard the drawn tile.

    With three players a drawn north is set aside instead, unless it is the last tile.
    It is the game's last round and a draw without tenpai hands; the caller must choose a seed with which that is true.
    ``place`` counts rounds from East 1, four for each wind. There is a score for each player.
    """
    players = len(scores)
    (wall,) = walls(seed, 1, players)
    dealer = place % 4
    hands = [*wall.hands(dealer), *[[]] * (4 - players)]
    dealt = " ".join(f'hai{seat}="{_listed(hand)}"' for seat, hand in enumerate(hands))
    start = _listed([place, 0, 0, *wall.dice, wall.dora(0)])
    hundreds = [*(score // 100 for score in scores), *[0] * (4 - players)]
    tags = [f'<INIT seed="{start}" ten="{_listed(hundreds)}" oya="{dealer}" {dealt} shuffle="{seed}"/>']
    left, turn, replaced = len(wall.tiles) - 14 - 13 * players, 0, 0
    while left:
        seat, tile, left, turn = (dealer + turn) % players, wall.draw(), left - 1, turn + 1
        tags.append(f"<{'TUVW'[seat]}{tile}/>")
        while players == 3 and tile in NORTHS and left:
            tags.append(f'<N who="{seat}" m="{tile << 8 | 32}"/>')
            tile, left, replaced = wall.replacement(replaced), left - 1, replaced + 1
            tags.append(f"<{'TUVW'[seat]}{tile}/>")
        tags.append(f"<{'DEFG'[seat]}{tile}/>")
    order = sorted(range(players), key=lambda seat: -scores[seat])
    base, uma = {4: (30000, (40, 10, -10, -20)), 3: (40000, (35, 0, -20))}[players]
    worth = dict(zip(order, uma, strict=True))
    sc = _listed(f"{score},0" for score in hundreds)
    points = [(score - base) / 1000 + worth[seat] for seat, score in enumerate(scores)] + [0.0] * (4 - players)
    owari = _listed(f"{score},{point:.1f}" for score, point in zip(hundreds, points, strict=True))
    return [*tags, f'<RYUUKYOKU ba="0,0" sc="{sc}" owari="{owari}"/>']


def _listed(values: Iterable[object]) -> str:
    return ",".join(map(str, values))
