"""Aims: goals of a hand, such as a yaku, described by the sets and pairs that a finished hand can have.

An aim has one plan or several, and a hand reaches it by any of them. A plan states which runs, triplets and pairs are
allowed, which sets the hand must have, and whether seven pairs or thirteen orphans are allowed. Aims combine:
``AIMS["honitsu"] & AIMS["toitoi"]`` needs both, ``AIMS["haku"] | AIMS["hatsu"]`` at least one. Names are those of the
yaku in `engine.yaku`.

A plan describes only sets and pairs. So the aim pinfu does not need the open-ended wait, chanta and junchan do not need
a run, and chanta does not need an honour.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

from engine.tiles.kinds import (
    ALL_KINDS,
    DRAGONS,
    EAST,
    GREEN,
    HONOURS,
    ORPHANS,
    RUN_STARTS,
    SANMA,
    SIMPLES,
    SUIT_LETTERS,
    SUIT_MASKS,
    SUIT_START,
    TERMINAL_RUNS,
    TERMINALS,
    WINDS,
    kinds_in,
    mask_of,
)


class Set(NamedTuple):
    """A set that a plan must have: its lowest kind, and whether it is a run or a triplet."""

    lowest: int
    run: bool

    @property
    def kinds(self) -> tuple[int, ...]:
        """The kinds of its three tiles."""
        return tuple(self.lowest + i * self.run for i in range(3))


@dataclass(frozen=True, slots=True)
class Plan:
    """One way to an aim. Masks have one bit for each kind; a run is the bit of its lowest kind.

    Attributes
    ----------
    runs, triplets, pairs
        Sets (kans are triplets) and pairs that a standard hand can have. If no pair is allowed, no standard hand
        follows the plan.
    required
        Sets that a standard hand must have, sorted; the same set can be needed twice.
    seven_pairs
        Kinds that seven pairs can have; 0 if seven pairs are not allowed.
    orphans
        Whether thirteen orphans are allowed.
    closed
        Whether melds other than ankan are forbidden.
    """

    runs: int = RUN_STARTS
    triplets: int = ALL_KINDS
    pairs: int = ALL_KINDS
    required: tuple[Set, ...] = ()
    seven_pairs: int = 0
    orphans: bool = False
    closed: bool = False

    @property
    def standard(self) -> bool:
        """Whether four sets and a pair can follow the plan."""
        allowed = all(self.runs >> s.lowest & 1 if s.run else self.triplets >> s.lowest & 1 for s in self.required)
        enough = bool(self.runs | self.triplets) or len(self.required) == 4
        return bool(self.pairs) and allowed and enough and len(self.required) <= 4

    @property
    def possible(self) -> bool:
        """Whether any form of hand can follow the plan."""
        return self.standard or self.seven_pairs.bit_count() >= 7 or self.orphans

    def __and__(self, other: Plan) -> Plan:
        """Give the plan of a hand that follows both."""
        required = Counter(self.required) | Counter(other.required)
        return Plan(
            runs=self.runs & other.runs,
            triplets=self.triplets & other.triplets,
            pairs=self.pairs & other.pairs,
            required=tuple(sorted(required.elements())),
            seven_pairs=self.seven_pairs & other.seven_pairs,
            orphans=self.orphans and other.orphans,
            closed=self.closed or other.closed,
        )


@dataclass(frozen=True, slots=True)
class Aim:
    """Some plans; a hand reaches the aim by any of them. Without a plan the aim cannot be reached."""

    plans: tuple[Plan, ...]

    def __and__(self, other: Aim) -> Aim:
        """Give the aim at a hand that fulfils both."""
        both = (one & two for one, two in product(self.plans, other.plans))
        return Aim(tuple(dict.fromkeys(plan for plan in both if plan.possible)))

    def __or__(self, other: Aim) -> Aim:
        """Give the aim at a hand that fulfils at least one of the two."""
        return Aim(tuple(dict.fromkeys(self.plans + other.plans)))


def yakuhai(seat_wind: int, round_wind: int) -> Aim:
    """Give the aim at a triplet of dragons, of the seat wind or of the round wind (winds are 0 East to 3 North)."""
    return Aim(tuple(_triplets(kind) for kind in _values(seat_wind, round_wind)))


def pinfu(seat_wind: int, round_wind: int) -> Aim:
    """Give the aim at four concealed runs and a pair without value, winds as in `yakuhai`; any wait is allowed."""
    return Aim((Plan(triplets=0, pairs=ALL_KINDS & ~mask_of(_values(seat_wind, round_wind)), closed=True),))


def _values(seat_wind: int, round_wind: int) -> tuple[int, ...]:
    return kinds_in(DRAGONS | 1 << EAST + seat_wind | 1 << EAST + round_wind)


def _kinds(kinds: int, *, seven_pairs: bool = True) -> Plan:
    """Give the plan of a hand that has some kinds only."""
    runs = RUN_STARTS & kinds & kinds >> 1 & kinds >> 2
    return Plan(runs=runs, triplets=kinds, pairs=kinds, seven_pairs=kinds if seven_pairs else 0)


def _runs(*kinds: int) -> Plan:
    """Give the plan of a hand with the runs that begin at these kinds."""
    return Plan(required=tuple(Set(kind, run=True) for kind in sorted(kinds)))


def _triplets(*kinds: int, pairs: int = ALL_KINDS) -> Plan:
    """Give the plan of a hand with triplets of these kinds."""
    return Plan(pairs=pairs, required=tuple(Set(kind, run=False) for kind in sorted(kinds)))


def _all_but_one(kinds: int) -> Aim:
    """Give the aim at triplets of all these kinds but one, and a pair of that one."""
    return Aim(tuple(_triplets(*kinds_in(kinds & ~(1 << kind)), pairs=1 << kind) for kind in kinds_in(kinds)))


_HONOURS = dict(zip(("ton", "nan", "shaa", "pei", "haku", "hatsu", "chun"), kinds_in(HONOURS), strict=True))
_SUITS = {letter: mask for letter, mask in zip(SUIT_LETTERS, SUIT_MASKS, strict=True) if letter != "z"}

AIMS: dict[str, Aim] = {
    "any": Aim((replace(_kinds(ALL_KINDS), orphans=True),)),
    "tanyao": Aim((_kinds(SIMPLES),)),
    "honitsu": Aim(tuple(_kinds(suit | HONOURS) for suit in _SUITS.values())),
    **{f"honitsu {letter}": Aim((_kinds(suit | HONOURS),)) for letter, suit in _SUITS.items()},
    "chinitsu": Aim(tuple(map(_kinds, _SUITS.values()))),
    **{f"chinitsu {letter}": Aim((_kinds(suit),)) for letter, suit in _SUITS.items()},
    "toitoi": Aim((Plan(runs=0),)),
    "chiitoitsu": Aim((Plan(runs=0, triplets=0, pairs=0, seven_pairs=ALL_KINDS),)),
    "kokushi": Aim((Plan(runs=0, triplets=0, pairs=0, orphans=True),)),
    "chanta": Aim((Plan(runs=TERMINAL_RUNS, triplets=ORPHANS, pairs=ORPHANS),)),
    "junchan": Aim((Plan(runs=TERMINAL_RUNS, triplets=TERMINALS, pairs=TERMINALS),)),
    "honroutou": Aim((_kinds(ORPHANS),)),
    "chinroutou": Aim((_kinds(TERMINALS, seven_pairs=False),)),
    "tsuuiisou": Aim((_kinds(HONOURS),)),
    "ryuuiisou": Aim((_kinds(GREEN, seven_pairs=False),)),
    "sanshoku doujun": Aim(tuple(_runs(i, i + 9, i + 18) for i in range(7))),
    "sanshoku doukou": Aim(tuple(_triplets(i, i + 9, i + 18) for i in range(9))),
    "ittsuu": Aim(tuple(_runs(start, start + 3, start + 6) for start in SUIT_START[:3])),
    "iipeikou": Aim(tuple(replace(_runs(kind, kind), closed=True) for kind in kinds_in(RUN_STARTS))),
    **{name: Aim((_triplets(kind),)) for name, kind in _HONOURS.items()},
    "shousangen": _all_but_one(DRAGONS),
    "daisangen": Aim((_triplets(*kinds_in(DRAGONS)),)),
    "shousuushi": _all_but_one(WINDS),
    "daisuushi": Aim((_triplets(*kinds_in(WINDS)),)),
}
"""Aims that do not depend on the seat, by name.

``"ton"`` to ``"chun"`` need a triplet of that honour. Any complete hand fulfils ``"any"``.
"""

THREE_PLAYERS = Aim((replace(_kinds(SANMA), orphans=True),))
"""The aim at any complete hand of three players. Others combine with it: ``AIMS["chanta"] & THREE_PLAYERS``."""
