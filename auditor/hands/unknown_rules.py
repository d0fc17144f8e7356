"""The value of wins if some rules are unknown: they are scored under every value that the unknown rules can take.

A *filling* gives each unknown rule one of its values. Few rules touch a hand: the limit for 13 han touches only hands
with that many, kiriage mangan only hands of 30 fu 4 han or 60 fu 3 han. `_TOUCHES` has a condition for each rule; it
holds for every win that the rule can touch, whatever the other rules are. Each win is scored under all fillings of the
rules that can touch it. A value that is the same under all of them is certain.

If a hand wins under some fillings, the others cannot be the rules of the game, since the hand did win: ignore them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.rules.declaration import format_value
from engine.rules.rule_sets import THREE, for_players, known_values
from engine.rules.rule_table import RuleTable
from engine.scoring.limits import HANEMAN, MANGAN
from engine.scoring.score import score
from engine.tiles.hands import DAIMINKAN, NO_MELD, PON
from engine.tiles.kinds import DORA_OF, DORA_OF_SANMA, GREEN, NO_TILE, NORTH, ORPHANS, kind_mask
from engine.yaku.all_yaku import DOUBLE_FORMS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.rules.rule_sets import RuleSet
    from engine.scoring.score import Scores
    from engine.tiles.arrays import I32, I64, Bools
    from engine.yaku.wins import Wins

AT_ONCE = 20_000
"""The most outcomes that are scored at once. It bounds memory, and the number of rule sets in one table."""
MOST_FILLINGS = 4096
"""A win with more fillings than this is not decided."""

_MOST: dict[str, Any] = {
    "ryuuiisou_requires_hatsu": False,
    "chuuren_nine_waits_only": False,
    "double_wind_pair_fu": 4,
    "min_han": 1,
    "kita_han": 1,
    "double_yakuman_forms": DOUBLE_FORMS,
}
"""The value of a rule under which a hand is worth most; of a rule not listed here it is the last known one (true)."""


@dataclass(frozen=True)
class Outcomes:
    """Consecutive wins, with what they are worth under each filling of the unknown rules that touch them.

    Attributes
    ----------
    start, stop
        the wins from ``start`` up to ``stop``
    row
        the win of each outcome, counted from ``start``, in order; int64 [m]
    filling
        which of ``fillings`` the outcome is under; int32 [m]
    fillings
        values of unknown rules by name; the first is empty: no unknown rule touches the win
    scores
        of the outcomes; [m]
    counted
        whether an outcome counts: the hand wins under its filling, or under none; bool [m]
    depends
        for each win the names of the rules on which some value depends, with commas between; empty for none
    undecided
        wins with more than `MOST_FILLINGS` fillings: their one outcome means nothing; bool [stop - start]

    """

    start: int
    stop: int
    row: I64
    filling: I32
    fillings: list[dict[str, Any]]
    scores: Scores
    counted: Bools
    depends: list[str]
    undecided: Bools


def outcomes(wins: Wins, rules: RuleSet) -> Iterator[Outcomes]:
    """Score wins under one rule set of which some values may be unknown; in parts that follow each other.

    Where a win has another number of players than the rules, these are used as that number plays them.
    """
    numbers = np.unique(wins.players).tolist()
    of_number = np.searchsorted(numbers, wins.players)
    rule_sets = [for_players(rules, players) for players in numbers]
    played = list(zip(rule_sets, numbers, strict=True))
    unknown = [name for name in _TOUCHES if any(_is_open(name, *each) for each in played)]
    if not unknown or not len(wins):
        table = RuleTable.from_rules(rule_sets or [rules])
        result = score(replace(wins, rule=table.row_of[of_number]), table)
        row = np.arange(len(wins))
        yield Outcomes(
            0, len(wins), row, np.zeros(len(wins), np.int32), [{}], result, np.ones(len(wins), np.bool_),
            [""] * len(wins), np.zeros(len(wins), np.bool_),
        )  # fmt: skip
        return
    is_open = np.array([[_is_open(name, *each) for name in unknown] for each in played])
    most = [_worth_most(*each) for each in played]
    table = RuleTable.from_rules(most)
    seen = _Seen.of(wins, score(replace(wins, rule=table.row_of[of_number]), table), frozenset(unknown))
    touched = np.stack([_TOUCHES[name](seen) for name in unknown], axis=1) & is_open[of_number]
    patterns, pattern_of = np.unique(np.column_stack([touched, of_number]), axis=0, return_inverse=True)
    named = [[name for name, holds in zip(unknown, pattern, strict=False) if holds] for pattern in patterns.tolist()]
    pairs = zip(named, patterns[:, -1].tolist(), strict=True)
    choices = [[known_values(name, numbers[last]) for name in names] for names, last in pairs]
    fills = [_fillings(*each) for each in zip(named, choices, strict=True)]
    counts = np.array([len(each) for each in fills])[pattern_of]
    bases = [most[number] for number in patterns[:, -1]]
    for start, stop in _parts(counts):
        yield _scored(wins[start:stop], start, _Patterns(pattern_of[start:stop], bases, named, choices, fills))


def _is_open(name: str, rules: RuleSet, players: int) -> bool:
    """Return whether a rule is unknown, can have several values, and has an effect under the other rules."""
    idle = {"missing_share": rules.tsumo_loss is True, "double_yakuman_forms": rules.double_yakuman is False}
    return getattr(rules, name) is None and not idle.get(name) and len(known_values(name, players)) > 1


def _worth_most(rules: RuleSet, players: int) -> RuleSet:
    """Return the rules with the values of unknown ones under which hands are worth most."""
    unknown = [name for name in _TOUCHES if _is_open(name, rules, players)]
    return replace(rules, **{name: _MOST.get(name, known_values(name, players)[-1]) for name in unknown})


def _fillings(names: list[str], choices: list[tuple[Any, ...]]) -> list[dict[str, Any]]:
    """Return every combination of the values of some rules; a single empty one where there are too many."""
    if math.prod(map(len, choices)) > MOST_FILLINGS:
        return [{}]
    return [dict(zip(names, values, strict=True)) for values in product(*choices)]


def _parts(counts: I64) -> Iterator[tuple[int, int]]:
    """Yield start and stop of the parts that rows are cut into, each of about `AT_ONCE` outcomes."""
    part = (np.cumsum(counts) - counts) // AT_ONCE
    edges = [0, *(np.flatnonzero(np.diff(part)) + 1).tolist(), len(counts)]
    yield from pairwise(edges)


@cache
def _filled(rules: RuleSet, values: tuple[tuple[str, Any], ...]) -> RuleSet:
    """Return a rule set with some values. It is cached, because making one checks every value."""
    return replace(rules, **dict(values))


@dataclass(frozen=True)
class _Patterns:
    """Which unknown rules touch each win: the number of its pattern.

    For each pattern, the rule set with all rules filled; names and values of the unknown rules that touch it; and the
    fillings of these.
    """

    of: I64
    rules: list[RuleSet]
    names: list[list[str]]
    values: list[list[tuple[Any, ...]]]
    fillings: list[list[dict[str, Any]]]


def _scored(wins: Wins, start: int, patterns: _Patterns) -> Outcomes:
    """Score some wins under every filling of their pattern."""
    lengths = np.array([len(each) for each in patterns.fillings])
    sizes = lengths[patterns.of]
    row = np.repeat(np.arange(len(wins)), sizes)
    nth = np.arange(len(row)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    used, filling = np.unique((np.cumsum(lengths) - lengths)[patterns.of[row]] + nth, return_inverse=True)
    every = [(rules, each) for rules, own in zip(patterns.rules, patterns.fillings, strict=True) for each in own]
    fillings = [every[each][1] for each in used.tolist()]
    table = RuleTable.from_rules([_filled(every[each][0], tuple(every[each][1].items())) for each in used.tolist()])
    scores = score(replace(wins[row], rule=table.row_of[filling]), table)
    winning = scores.complete & scores.has_yaku
    ever = np.zeros(len(wins), dtype=np.bool_)
    np.logical_or.at(ever, row, winning)
    counted = winning | ~ever[row]
    over = np.array([bool(names) for names in patterns.names]) & (lengths == 1)
    return Outcomes(
        start, start + len(wins), row, filling.astype(np.int32), fillings, scores, counted,
        _depends(_signature(scores), counted, patterns, sizes), over[patterns.of],
    )  # fmt: skip


def _signature(scores: Scores) -> I64:
    """Return a number for each outcome, the same where all is the same; int64 [m]."""
    worth = np.concatenate([scores.yaku, scores.yakuman], axis=1)
    worth = worth[:, worth.any(axis=0)].astype(np.int64)
    rest = np.stack([scores.fu, scores.han, scores.limit, scores.points, *scores.deltas.T], axis=1).astype(np.int64)
    every = np.concatenate([worth, rest], axis=1)
    # Odd factors of 64 bits, fixed: two different rows give one number in one of 2**64 cases.
    factors = np.random.default_rng(0).integers(2**62, size=every.shape[1], dtype=np.int64) * 2 + 1
    signature: I64 = every @ factors
    return signature


def _depends(signature: I64, counted: Bools, patterns: _Patterns, sizes: I64) -> list[str]:
    """Return for each win the rules that change its outcome if only that rule has another value."""
    begin = np.cumsum(sizes) - sizes
    depends = np.full(len(patterns.of), "", dtype=object)
    for pattern in np.unique(patterns.of).tolist():
        names = patterns.names[pattern]
        if not names:
            continue
        rows = np.flatnonzero(patterns.of == pattern)
        if sizes[rows[0]] == 1:  # too many to be tried
            depends[rows] = ", ".join(names)
            continue
        shape = (len(rows), *map(len, patterns.values[pattern]))
        at = begin[rows][:, None] + np.arange(sizes[rows[0]])
        values, counts = signature[at].reshape(shape), counted[at].reshape(shape)
        least, most = np.iinfo(np.int64).min, np.iinfo(np.int64).max
        highest, lowest = np.where(counts, values, least), np.where(counts, values, most)
        for axis, name in enumerate(names, 1):
            differs = highest.max(axis=axis) > lowest.min(axis=axis)
            matters = differs.reshape(len(rows), -1).any(axis=1)
            depends[rows[matters]] += name + ", "
    return [each.removesuffix(", ") for each in depends]


def describe_dependence(found: Outcomes) -> list[str]:
    """Say what one win is worth under each value of the rules on which it depends; a line for each, none if certain."""
    if found.undecided[0]:
        return [f"more than {MOST_FILLINGS} ways to fill {found.depends[0]}"]
    names = found.depends[0].split(", ") if found.depends[0] else []
    worth: dict[str, list[str]] = {}
    for at in np.flatnonzero(found.counted).tolist() if names else ():
        filling = found.fillings[found.filling[at]]
        under = ", ".join(f"{name}={format_value(filling[name])}" for name in names)
        points, fu, han, units = (
            int(getattr(found.scores, name)[at]) for name in ("points", "fu", "han", "units")
        )  # fmt: skip
        size = f"{units} yakuman" if units else f"{han} han {fu} fu"
        paid = f", with honba and sticks {found.scores.deltas[at].max()}" if {*names} & {*_PAYMENTS} else ""
        worth.setdefault(f"{points} points ({size}){paid}", []).append(under)
    return [f"{under}: {value}" for value, unders in worth.items() for under in dict.fromkeys(unders)]


@dataclass(frozen=True)
class _Seen:
    """What the conditions of `_TOUCHES` look at: wins, their highest scores, and which rules are unknown."""

    wins: Wins
    scores: Scores
    unknown: frozenset[str]
    first_dora: Bools
    further_dora: Bools
    first_ura: Bools
    further_ura: Bools
    several_readings: Bools

    @classmethod
    def of(cls, wins: Wins, scores: Scores, unknown: frozenset[str]) -> _Seen:
        """Compute what the conditions need of some wins."""
        counts = wins.hands.all_counts()
        counts[:, NORTH] += wins.norths.astype(np.uint8)
        row = np.arange(len(wins))

        def hit(indicators: Any) -> Bools:  # noqa: ANN401  (uint8 [n, k])
            shown = indicators != NO_TILE
            kind = np.where(shown, indicators, 0)
            kinds = np.where(wins.players[:, None] == 3, DORA_OF_SANMA[kind], DORA_OF[kind])
            held: Bools = (shown & (counts[row[:, None], kinds] > 0)).any(axis=1)
            return held

        takes_ura = wins.riichi > 0
        return cls(
            wins, scores, unknown, hit(wins.dora[:, :1]), hit(wins.dora[:, 1:]), takes_ura & hit(wins.ura[:, :1]),
            takes_ura & hit(wins.ura[:, 1:]), np.bincount(scores.readings.hand, minlength=len(wins)) > 1,
        )  # fmt: skip

    @property
    def renhou(self) -> Bools:
        """Wins that may be renhou."""
        wins = self.wins
        renhou: Bools = wins.first_turn & ~wins.tsumo & (wins.winner != wins.dealer)
        return renhou

    @property
    def sanma(self) -> Bools:
        """Wins of three players."""
        three: Bools = self.wins.players == THREE
        return three

    @property
    def kinds(self) -> I64:
        """Masks of the kinds held."""
        return kind_mask(self.wins.hands.all_counts() > 0)

    @property
    def melds(self) -> Bools:
        """Which places hold a meld; [n, 4]."""
        melds: Bools = self.wins.hands.meld_type != NO_MELD
        return melds

    @property
    def unbounded(self) -> Bools:
        """Wins that another unknown rule may make worth more than the scores say."""
        return (self.renhou & ("renhou" in self.unknown)) | ("local_yaku" in self.unknown)

    @property
    def yakuman(self) -> Bools:
        """Wins that are a yakuman under some filling."""
        return (self.scores.units > 0) | self.unbounded

    @property
    def liable(self) -> Bools:
        """Wins for which a seat may be liable."""
        liable: Bools = ((self.wins.hands.meld_type >= PON).sum(axis=1) >= 3) & self.yakuman
        return liable

    @property
    def lower(self) -> Bools:
        """Wins that may be worth less than the scores say, by another unknown rule."""
        lower = np.zeros(len(self.wins), dtype=np.bool_)
        for name in self.unknown - {*_LIMITS, *_PAYMENTS}:
            lower |= _TOUCHES[name](self)
        return lower

    @property
    def near_mangan(self) -> Bools:
        """Wins whose points kiriage may change: worth 1920 base points or a mangan, or more where that may be less."""
        base = self.scores.fu.astype(np.int64) << np.minimum(self.scores.han + 2, 7).astype(np.int64)
        enough = (base >= 1920) | (self.scores.limit >= MANGAN) | self.yakuman
        return enough & ((self.scores.limit < HANEMAN) | self.lower)


_LIMITS = (
    *("kiriage_mangan", "kazoe_yakuman", "double_yakuman", "double_yakuman_forms"),
    *("yakuman_stacking", "first_turn_yakuman_stacking"),
)
"""Rules that leave yaku, han and fu as they are."""
_PAYMENTS = ("pao_yakuman", "pao_scope", "pao_ron_honba_payer", "daiminkan_rinshan_pao", "honba_value",
             "riichi_stick_value")  # fmt: skip
"""Rules that move points and make none."""

_TOUCHES: dict[str, Callable[[_Seen], Bools]] = {
    "dora": lambda s: s.first_dora | s.further_dora,
    "kan_dora": lambda s: s.further_dora | s.further_ura,
    "ura_dora": lambda s: s.first_ura | s.further_ura,
    "kan_ura_dora": lambda s: s.further_ura,
    "min_han": lambda s: s.several_readings | s.renhou,
    "open_tanyao": lambda s: ~s.wins.hands.closed & (s.kinds & ORPHANS == 0),
    "ippatsu": lambda s: s.wins.ippatsu,
    "renhou": lambda s: s.renhou,
    "local_yaku": lambda s: np.ones(len(s.wins), dtype=np.bool_),
    "ryuuiisou_requires_hatsu": lambda s: s.kinds & ~GREEN == 0,
    "chuuren_nine_waits_only": lambda s: ~s.melds.any(axis=1) & s.yakuman,
    "double_wind_pair_fu": lambda s: s.wins.seat_wind == s.wins.round_wind,
    "rinshan_tsumo_fu": lambda s: s.wins.rinshan & s.wins.tsumo,
    "double_yakuman": lambda s: s.yakuman,
    "double_yakuman_forms": lambda s: s.yakuman,
    "yakuman_stacking": lambda s: s.yakuman,
    "first_turn_yakuman_stacking": lambda s: s.yakuman & s.wins.first_turn,
    "kazoe_yakuman": lambda s: (s.scores.han >= 13) | (s.yakuman & s.lower),
    "kiriage_mangan": lambda s: s.near_mangan,
    "pao_yakuman": lambda s: s.liable,
    "pao_scope": lambda s: s.liable,
    "pao_ron_honba_payer": lambda s: s.liable & ~s.wins.tsumo & (s.wins.honba > 0),
    "daiminkan_rinshan_pao": lambda s: (
        s.wins.rinshan & s.wins.tsumo & (s.wins.hands.meld_type == DAIMINKAN).any(axis=1)
    ),
    "tsumo_loss": lambda s: s.sanma & s.wins.tsumo,
    "missing_share": lambda s: s.sanma & s.wins.tsumo,
    "kita_han": lambda s: s.wins.norths > 0,
    "kita_rinshan_yaku": lambda s: s.wins.rinshan & s.wins.after_kita,
    "kita_chankan": lambda s: s.wins.on_kita,
    "north_is_value": lambda s: s.sanma & (s.kinds & 1 << NORTH != 0),
    "honba_value": lambda s: s.wins.honba > 0,
    "riichi_stick_value": lambda s: s.wins.sticks > 0,
}
"""For each rule that scoring asks for: the wins that it can touch, whatever the other rules are."""
