"""Questions to another engine and its answers, in this engine's terms.

An `Oracle` is an engine to compare with: the values of the scoring rules that it can express, the function that asks
it, and the known causes of differences. A cause is a function that gives the answer of the other engine if this cause
alone made the difference, and None if the cause is impossible. So only predicted answers are excused.

Rules on hidden values (ippatsu, dora) are applied before asking: an engine gets only the values that count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from engine.rules.consistency import in_force
from engine.scoring.limits import YAKUMAN_BASE, limit_and_base
from engine.scoring.shares import shares

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.rules.rule_sets import RuleSet
    from engine.rules.rule_table import RuleTable
    from tests.kit.random_wins import Win


class Answer(NamedTuple):
    """The value of a win; fu, han and `yaku` (han by number) are empty for a yakuman, all for a hand without yaku."""

    won: bool = False
    fu: int = 0
    han: int = 0
    units: int = 0
    yaku: dict[int, int] = {}  # noqa: RUF012 - never changed
    yakuman: frozenset[int] = frozenset()
    points: int = 0
    deltas: tuple[int, ...] = (0, 0, 0, 0)


class Case(NamedTuple):
    """A win with two different answers; `row` is the row of its rules in `table`."""

    win: Win
    rules: RuleSet
    table: RuleTable
    row: int
    ours: Answer
    theirs: Answer

    def __str__(self) -> str:
        """Write the case so that it can be tried again."""
        pairs = zip(Answer._fields, self.ours, self.theirs, strict=True)
        differ = ", ".join(f"{name} {own} here, {other} there" for name, own, other in pairs if own != other)
        return f"{self.win}: {differ}"

    def revalued(self, **changed: Any) -> Answer:  # noqa: ANN401 - fields of an answer
        """Give this engine's answer with other yaku, fu, han or units, and the points and payments that follow."""
        answer = self.ours._replace(**changed)
        fu, han = (np.array([value], dtype=np.int16) for value in (answer.fu, answer.han))
        _, base = limit_and_base(fu, han, np.array([self.row]), self.table)
        base = np.array([YAKUMAN_BASE * answer.units]) if answer.units else base
        win = self.win
        paid = shares(base, np.array([win.winner == win.dealer]), np.array([win.players]))
        ron, dealer, other, tsumo = (int(value[0]) for value in (paid.ron, paid.dealer, paid.other, paid.tsumo))
        honba = self.rules.honba_value * (win.players - 1) * win.honba
        return answer._replace(
            points=tsumo if win.tsumo else ron,
            deltas=moved(win, ron=ron, dealer=dealer, other=other, honba=honba),
        )


Cause = Callable[[Case], Answer | None]


@dataclass(frozen=True, slots=True)
class Oracle:
    """An engine to compare with.

    Attributes
    ----------
    name
        Its name.
    allowed
        Values of rules that it can express, the usual one first.
    ask
        Gives answers for wins, each under its own rules.
    possible
        The win in a form for that engine, None if it has none.
    settle
        Switches off rules without effect there.
    one_name
        Yakuman whose double form has no name of its own.
    causes
        Known causes of differences, by their description.
    shanten
        Shanten of concealed counts and numbers of melds, None if another tool compares it or the engine lacks it.
    waits
        Waits, as kinds, of concealed counts and lists of melds, with copies in melds counted.
    """

    name: str
    allowed: dict[str, tuple[Any, ...]]
    ask: Callable[[Sequence[Win], Sequence[RuleSet]], list[Answer]]
    possible: Callable[[Win], Win | None] = lambda win: win
    settle: Callable[[dict[str, Any]], dict[str, Any]] = in_force
    one_name: dict[int, int] = field(default_factory=dict)
    causes: dict[str, Cause] = field(default_factory=dict)
    shanten: Callable[[list[list[int]], list[int]], list[int]] | None = None
    waits: Callable[[Sequence[Win], list[list[int]]], list[tuple[int, ...]]] | None = None

    def named(self, answer: Answer) -> Answer:
        """Rename the yakuman of an answer as this engine does."""
        return answer._replace(yakuman=frozenset(self.one_name.get(each, each) for each in answer.yakuman))


ALLOWED: dict[str, tuple[Any, ...]] = {
    "ippatsu": (True, False),
    "dora": (True, False),
    "ura_dora": (True, False),
    "kan_dora": (True, False),
    "kan_ura_dora": (True, False),
    "open_tanyao": (True, False),
    "kiriage_mangan": (False, True),
    "kazoe_yakuman": (True, False),
    "double_yakuman": (True, False),
    "min_han": (1,),
    "renhou": ("none",),
    "local_yaku": ((),),
    "ryuuiisou_requires_hatsu": (False,),
    "chuuren_nine_waits_only": (False,),
    "rinshan_tsumo_fu": (True,),
    "first_turn_yakuman_stacking": (True,),
    "honba_value": (100,),
    "riichi_stick_value": (1000,),
    "pao_yakuman": ((),),
    "daiminkan_rinshan_pao": (False,),
    "tsumo_loss": (True,),
    "kita_han": (1,),
    "kita_rinshan_yaku": (True, False),
    "kita_chankan": (False, True),
    "north_is_value": (False,),
}
"""Values that most engines can express."""


def rinshan(win: Win, rules: RuleSet) -> bool:
    """Say whether the win has rinshan, which rules can refuse to the replacement of a kita."""
    return win.rinshan and (not win.after_kita or bool(rules.kita_rinshan_yaku))


def chankan(win: Win, rules: RuleSet) -> bool:
    """Say whether the win has chankan, which rules can give to a ron on a North set aside."""
    return win.chankan or (win.on_kita and bool(rules.kita_chankan))


def indicators(win: Win, rules: RuleSet) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Give the indicators of dora and of ura dora that count."""
    dora = win.dora if rules.kan_dora else win.dora[:1]
    ura = win.ura if rules.kan_dora and rules.kan_ura_dora else win.ura[:1]
    return dora if rules.dora else (), ura if rules.ura_dora and win.riichi else ()


def moved(win: Win, *, ron: int, dealer: int, other: int, honba: int) -> tuple[int, ...]:
    """Give the changes of all seats: from a discarder, or from dealer and others, with honba and sticks."""
    deltas = [0] * 4
    if win.tsumo:
        for seat in range(win.players):
            paid = (dealer if seat == win.dealer else other) + honba // (win.players - 1)
            deltas[seat] = -paid if seat != win.winner else 0
    else:
        deltas[win.payer] = -ron - honba
    deltas[win.winner] = 1000 * win.sticks - sum(deltas)
    return tuple(deltas)
