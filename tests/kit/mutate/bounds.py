"""Noise: numbers beyond the bounds of their place (L003, W104, W106, W107); auditor/readers/mjlog/FORMAT.md 2 to 8."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.mutate.fault import fault, pick

if TYPE_CHECKING:
    import random

    from tests.kit.mutate.mjlog import Game

    Site = tuple[str, str, int, tuple[int, ...]]

PLACES = {
    "round": (0, (16, 40, -1)),
    "honba": (1, (300, -1, 1000)),
    "sticks": (2, (300, -1, 1000)),
    "first die": (3, (6, 9, -1)),
    "second die": (4, (6, 9, -1)),
    "indicator": (5, (136, 300, -1)),
}
"""A place in INIT seed, and numbers that never occur there."""

ELSEWHERE = {
    "a dealer": ("INIT", "oya", 0, (4, 9, -1)),
    "a caller": ("N", "who", 0, (4, -1)),
    "a meld": ("N", "m", 0, (65536, 99999)),
    "a riichi's step": ("REACH", "step", 0, (0, 3)),
    "an indicator turned": ("DORA", "hai", 0, (136, 255)),
    "a win's honba": ("AGARI", "ba", 0, (300, -1)),
    "a win's sticks": ("AGARI", "ba", 1, (300, -1)),
    "an indicator at a win": ("AGARI", "doraHai", 0, (136, 999)),
    "a winner": ("AGARI", "who", 0, (4, 7)),
    "who pays": ("AGARI", "fromWho", 0, (4, 7)),
    "a tile won with": ("AGARI", "machi", 0, (136, 999)),
    "a tile of a winner's hand": ("AGARI", "hai", 0, (136, 999)),
    "an indicator below": ("AGARI", "doraHaiUra", 0, (136, 999)),
    "a change of score": ("AGARI", "sc", 1, (10**6, -(10**6))),
    "a score at a round's start": ("INIT", "ten", 2, (10**6, -(10**6))),
    "a draw's honba": ("RYUUKYOKU", "ba", 0, (300, -1)),
    "a change of score at a draw": ("RYUUKYOKU", "sc", 1, (10**6, -(10**6))),
    **{f"a tile dealt to seat {seat}": ("INIT", f"hai{seat}", 7, (136, 999)) for seat in range(4)},
    **{f"a tile shown by seat {seat} at a draw": ("RYUUKYOKU", f"hai{seat}", 2, (136, 999)) for seat in range(4)},
}
"""Tag, attribute, place in its list, and numbers that never occur there."""


NAMED = {
    "W104 a yaku that there is not": ("AGARI", "yaku", 0, (55, 70, 99)),
    "W106 fu that no hand has": ("AGARI", "ten", 0, (500, 1000)),
    "W107 a limit that there is not": ("AGARI", "ten", 2, (6, 9)),
}
"""Readable values whose fault has a code of its own."""


def _enter(code: str, title: str, site: Site) -> None:
    name, attribute, place, numbers = site

    @fault(code, title)
    def out_of_bounds(game: Game, rng: random.Random) -> int:
        sites = [
            (round_, tag)
            for round_ in game.rounds
            for tag in round_.tags
            if tag.name == name and tag.numbers(attribute)
        ]
        round_, tag = pick(rng, sites)
        listed = tag.numbers(attribute)
        listed[min(place, len(listed) - 1)] = pick(rng, numbers)
        tag.put(attribute, listed)
        return round_.nth


for _what, (_place, _numbers) in PLACES.items():
    _enter("L003", f"out of bounds at a round's start: {_what}", ("INIT", "seed", _place, _numbers))
for _what, _site in ELSEWHERE.items():
    _enter("L003", f"out of bounds: {_what}", _site)
for _what, _site in NAMED.items():
    _enter(_what[:4], _what[5:], _site)
