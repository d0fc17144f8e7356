"""Which values of rules go together: rules without effect, and values that contradict each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.rules.parameters import RuleSet

_NEEDS = {
    "kan_ura_dora": ("ura_dora", "kan_dora"),
    "open_kan_dora_delayed": ("kan_dora",),
}
"""Rules that have no effect without others, as the configuration page of 電脳麻将 couples them (RULES.md 1)."""


def in_force(values: Mapping[str, Any]) -> dict[str, Any]:
    """Switch off the rules that have no effect because a rule that they need is off."""
    off = [name for name, needs in _NEEDS.items() if any(values.get(need) is False for need in needs)]
    return {**values, **{name: False for name in off if values.get(name)}}


def contradictions(rules: RuleSet) -> list[str]:
    """Say which values of a rule set contradict each other, one sentence each; an unknown value contradicts nothing."""
    found = [
        f"rule {name} = true means nothing with {need} = false: set one of them otherwise"
        for name, needs in _NEEDS.items()
        for need in needs
        if getattr(rules, name) is True and getattr(rules, need) is False
    ]
    if rules.max_simultaneous_ron == 3 and rules.abortive_triple_ron:
        found.append(
            "rule abortive_triple_ron = true contradicts max_simultaneous_ron = 3: three calls of ron win or abort"
        )
    if rules.players == 4 and rules.kita:
        found.append("rule kita = true contradicts players = 4: North is set aside with three players only")
    if rules.red_fives and max(rules.red_fives) > 4:
        found.append(f"rule red_fives has {max(rules.red_fives)} in a suit of four fives")
    if rules.max_rounds and rules.min_rounds and rules.max_rounds < rules.min_rounds:
        found.append(f"rule max_rounds = {rules.max_rounds} is less than min_rounds = {rules.min_rounds}")
    for name, uma in [("uma", rules.uma), *(("floating_uma", each) for each in rules.floating_uma or ())]:
        if uma is None:
            continue
        if len(uma) != (rules.players or len(uma)):
            found.append(f"rule {name} has {len(uma)} places for players = {rules.players}")
        if abs(sum(uma)) > 1e-9:
            found.append(f"rule {name} adds up to {sum(uma):g}, not 0: oka is no part of it (see return_points)")
    if rules.floating_uma and len(rules.floating_uma) != (rules.players or len(rules.floating_uma)):
        rows = len(rules.floating_uma)
        found.append(f"rule floating_uma has {rows} rows for players = {rules.players}: one for each number of losers")
    return found
