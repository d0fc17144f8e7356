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

TILES = 136
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
    """A round's wall: tiles in shuffled order (dealt from the end), two dice from 0, the kind of seed."""

    tiles: list[int]
    dice: tuple[int, int]
    late: bool
    dealt: int = field(default=0)

    def draw(self) -> int:
        """Take the next tile."""
        self.dealt += 1
        return self.tiles[TILES - self.dealt]

    def hands(self, dealer: int) -> list[list[int]]:
        """Deal: four tiles to each seat three times, then one."""
        hands: list[list[int]] = [[], [], [], []]
        for count in (4, 4, 4, 1):
            for offset in range(4):
                hands[(dealer + offset) % 4] += [self.draw() for _ in range(count)]
        return hands

    def dora(self, nth: int) -> int:
        """Give an indicator; the first is 0."""
        return self.tiles[(5 if self.late else 4) + 2 * nth]

    def ura(self, nth: int) -> int:
        """Give the ura indicator below it."""
        return self.tiles[(4 if self.late else 5) + 2 * nth]

    def replacement(self, nth: int) -> int:
        """Give the replacement tile of a kan; the first is 0."""
        return self.tiles[(1, 0, 3, 2)[nth] if self.late else nth]


def walls(seed: str, rounds: int) -> list[Wall]:
    """Give the walls of a game's first rounds; for a round's own seed there is one."""
    kind, _, rest = seed.partition(",")
    late = kind.endswith("base64")
    data = base64.b64decode(rest) if late else b""
    key = list(struct.unpack(f"<{len(data) // 4}I", data)) if late else [int(word, 16) for word in rest.split(",")]
    twister = Twister(key)
    found = []
    for _ in range(rounds):
        if kind == "mt19937ar":
            numbers = [twister.next() for _ in range(137)]
        else:
            numbers = []
            for _ in range(9):
                block = struct.pack("<32I", *(twister.next() for _ in range(32)))
                numbers += struct.unpack("<16I", hashlib.sha512(block).digest())
        tiles = list(range(TILES))
        for i in range(TILES - 1):
            other = i + numbers[i] % (TILES - i)
            tiles[i], tiles[other] = tiles[other], tiles[i]
        found.append(Wall(tiles, (numbers[135] % 6, numbers[136] % 6), late))
    return found


def noten_round(seed: str, place: int, scores: Sequence[int]) -> list[str]:
    """Write the tags of a round with this seed's wall, in which all seats discard the drawn tile.

    It is the game's last round and a draw without tenpai hands; the caller must choose a seed with which that is true.
    ``place`` counts rounds from East 1.
    """
    (wall,) = walls(seed, 1)
    dealer = place % 4
    dealt = " ".join(f'hai{seat}="{_listed(hand)}"' for seat, hand in enumerate(wall.hands(dealer)))
    start = _listed([place, 0, 0, *wall.dice, wall.dora(0)])
    ten = _listed(score // 100 for score in scores)
    tags = [f'<INIT seed="{start}" ten="{ten}" oya="{dealer}" {dealt} shuffle="{seed}"/>']
    for turn in range(70):
        seat, tile = (dealer + turn) % 4, wall.draw()
        tags += [f"<{'TUVW'[seat]}{tile}/>", f"<{'DEFG'[seat]}{tile}/>"]
    order = sorted(range(4), key=lambda seat: -scores[seat])
    worth = dict(zip(order, (40, 10, -10, -20), strict=True))
    sc = _listed(f"{score // 100},0" for score in scores)
    points = [(score - 30000) / 1000 + worth[seat] for seat, score in enumerate(scores)]
    owari = _listed(f"{score // 100},{point:.1f}" for score, point in zip(scores, points, strict=True))
    return [*tags, f'<RYUUKYOKU ba="0,0" sc="{sc}" owari="{owari}"/>']


def _listed(values: Iterable[object]) -> str:
    return ",".join(map(str, values))
