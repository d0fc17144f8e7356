"""Kan indicators: when the log turns each, and when the platform and the rules turn it.

A *gap* is the time between one action and the next; the row of the first action is its number. The indicator of a kan
is turned in one gap, or never: if the kan is robbed, or the round ends before. The orders (RULES.md 2.9, 4.3):

- ``before_draw`` (Tenhou): at once after the kan. A delayed indicator is turned between replacement draw and discard.
  If another kan comes before the discard, it is turned before an ankan, or after a kakan that is not robbed.
- ``before_action`` (jansou): as ``before_draw``, but a delayed indicator is turned before the seat's next action,
  whatever it is.
- ``after_kan`` (RiichiEnv): as ``before_draw``, but if an ankan comes before the discard, a delayed indicator is turned
  after it.
- ``after_draw`` (電脳麻将): after the replacement draw. A delayed indicator is turned after the discard. If another kan
  comes before the discard, it is turned after that kan, robbed or not (rule ``declared``), or, in converted logs, after
  that kan's replacement draw (rule ``succeeds``).
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.log.arrays import filled, gathered
from auditor.log.columns import KAN_INDICATORS, KINDS, SEATS
from auditor.log.event_kinds import CODE, KANS
from auditor.replay.columns import PLACE, Columns
from auditor.replay.trust import ORDER_DOUBTS

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.replay.running_sums import Replay
    from auditor.replay.turn_order import TurnOrder

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

MOST = 4
"""How many indicators kans can turn: the dead wall has five, the first included."""

_FAULTS = pl.Series(["", "extra", "missing", "time"])
_EXTRA, _MISSING, _TIME = range(1, len(_FAULTS))

NONE, UNSETTLED = -1, -2
"""In place of a gap: no indicator is turned; the gap is unknown."""


class _UnknownRule(NamedTuple):
    """A rule (``name`` is a field of :class:`_Rounds`) that is unknown in some ``rounds``, bool[rounds]."""

    name: str
    rounds: Bools


class _Rounds(NamedTuple):
    """The platform's order and the rules about kan indicators in each round, bool[rounds].

    ``before`` and ``after``: the platform turns them before or after the replacement draw, if no rule delays them.
    ``at_once``: a delayed one is turned before the next action; ``late``: it is turned after an ankan, not before it.
    ``turned``: kans turn indicators. ``delayed``: those of daiminkan and kakan are delayed. ``declared``: a further kan
    ends the delay when it is declared. ``unknown_rules`` has the unknown rules.
    """

    before: Bools
    after: Bools
    at_once: Bools
    late: Bools
    turned: Bools
    delayed: Bools
    declared: Bools
    unknown_rules: tuple[_UnknownRule, ...]


INDICATOR_COLUMNS: Columns = {
    "row": pl.Int64,  # of Log.events
    **PLACE,
    "tile_id": pl.Int64,  # the indicator; -1 where it is missing
    "fault": pl.String,  # "", "extra", "missing" or "time"
    "turned": pl.String,  # when it is turned, in words
    "due": pl.String,  # when it should be, in words
}


def indicators(log: Log, played: Replay, order: TurnOrder, rules: RulesByRow) -> pl.DataFrame:
    """Return one row for each indicator that was turned in play, or that should have been.

    ``fault`` is "" where the indicator is right, else "extra", "missing" or "time" (turned at a wrong time). It is null
    where the rules or the platform do not decide, or the round has ORDER_DOUBTS. A missing indicator has the place and
    seat of its kan. Where a rule is unknown, there is a fault only if there is one under every value of the rule.
    """
    kan = played.rows(*KANS)
    dora = played.rows("dora")
    rounds = _rounds(log, rules)
    concerned = np.zeros(len(log.rounds), dtype=bool)
    concerned[played.round[np.concatenate([kan, dora])]] = True
    # The rows under the assumed values of unknown rules: a fault under all values is among these rows.
    usual = _faults(log, played, order, (kan, dora), rounds)
    unknown_rules = [each for each in rounds.unknown_rules if (each.rounds & concerned).any()]
    if not unknown_rules:
        return usual
    every = [usual]
    for values in product((False, True), repeat=len(unknown_rules)):
        known = rounds._asdict()
        for each, value in zip(unknown_rules, values, strict=True):
            known[each.name] = np.where(each.rounds, value, known[each.name])
        every.append(_faults(log, played, order, (kan, dora), _Rounds(**known)))
    right = pl.col("fault") == ""
    agreed = (
        pl.concat(every)
        .group_by("row")
        .agg(
            agreed=(right.all() | ~right.any()) & (pl.len() == len(every)) & pl.col("fault").is_not_null().all(),
            differ=pl.col("fault").n_unique() > 1,
            dues=pl.col("due").drop_nulls().unique().sort().str.join(" or "),
        )
    )
    return (
        usual.join(agreed, on="row", how="left", maintain_order="left")
        .with_columns(fault=pl.when("agreed").then(pl.when("differ").then(pl.lit("time")).otherwise("fault")))
        .with_columns(due=pl.when("agreed", pl.col("dues") != "").then("dues").otherwise("due"))
        .drop("agreed", "differ", "dues")
    )


def _faults(log: Log, played: Replay, order: TurnOrder, turns: tuple[Ints, Ints], rounds: _Rounds) -> pl.DataFrame:
    """Return the rows of :func:`indicators` for known rules; ``turns`` are the rows of the kans and indicators."""
    kan, dora = turns
    due = _due(played, order, kan, rounds)
    blind = ~order.trust.rounds.free_of(ORDER_DOUBTS)
    blind[played.round[kan[due == UNSETTLED]]] = True
    blind |= ~(rounds.before | rounds.after | ~rounds.turned)
    blind |= np.bincount(played.round[kan], minlength=len(blind)) > MOST
    kan, due = kan[due >= 0], due[due >= 0]
    turned = order.before(dora)
    spare, lack = _unmatched(turned, due)
    extra, late = _paired(played.round[dora[spare]], played.round[kan[lack]])
    missing = np.flatnonzero(lack)[~late]
    none = np.full(len(missing), NONE)
    fault = np.append(np.zeros_like(dora), np.full_like(missing, _MISSING))
    fault[: len(dora)][spare] = np.where(extra >= 0, _TIME, _EXTRA)
    right = np.full(len(dora), NONE, dtype=np.int64)
    right[spare] = np.append(due[lack], NONE)[extra]
    rows = np.concatenate([dora, kan[missing]])
    return pl.DataFrame(
        {
            "row": rows,
            **log.events[[*PLACE]][rows].to_dict(),
            "tile_id": np.concatenate([played.tile_id[dora], none]),
            "fault": gathered(_FAULTS, fault, ~blind[played.round[rows]]),
            "turned": _format_gaps(played, np.concatenate([turned, none])),
            "due": _format_gaps(played, np.concatenate([right, due[missing]])),
        }
    )


def _rounds(log: Log, rules: RulesByRow) -> _Rounds:
    time = filled(log.games["kan_indicator"].to_physical(), len(KAN_INDICATORS))[log.rounds["game"].to_numpy()]
    return _Rounds(
        before=(time < len(KAN_INDICATORS)) & (time != KAN_INDICATORS.index("after_draw")),
        after=time == KAN_INDICATORS.index("after_draw"),
        at_once=time == KAN_INDICATORS.index("before_action"),
        late=time == KAN_INDICATORS.index("after_kan"),
        turned=rules.assumed("kan_dora"),
        delayed=rules.assumed("open_kan_dora_delayed"),
        declared=rules.holds("open_kan_dora_chain", "declared"),
        unknown_rules=(
            _UnknownRule("turned", rules.unknown("kan_dora")),
            _UnknownRule("delayed", rules.unknown("open_kan_dora_delayed")),
            _UnknownRule("declared", rules.unknown("open_kan_dora_chain")),
        ),
    )


def _due(played: Replay, order: TurnOrder, kan: Ints, rounds: _Rounds) -> Ints:
    """Return the gap in which each kan's indicator should be turned, or NONE or UNSETTLED, int64[kans]."""
    if not len(kan):
        return kan
    kind, here = played.kind[kan], played.round[kan]
    # The three actions after a kan: normally its replacement draw, the seat's next action, and the one after it.
    one, two, three = _following(played, order, kan)
    robbed = _is(played, one, "result")
    replaced = _is(played, one, "draw")
    late = rounds.delayed[here] & (kind != CODE["ankan"])
    ankan, kakan = _is(played, two, "ankan"), _is(played, two, "kakan")
    over, drawn = _is(played, two, "result"), _is(played, three, "draw")
    cut = _is(played, three, "result")
    declared, at_once, after_kan = (each[here] for each in (rounds.declared, rounds.at_once, rounds.late))
    kita = _is(played, two, "kita")
    never, unsettled = (np.full(len(kan), gap, dtype=np.int64) for gap in (NONE, UNSETTLED))
    before: list[tuple[Bools, Ints]] = [
        (robbed | (late & replaced & over), never),
        (~late, kan),
        (late & ~replaced, unsettled),
        (_is(played, two, "discard"), one),
        (at_once & (ankan | kakan | kita), one),
        (after_kan & ankan & drawn, two),
        (ankan & ~declared, one),
        (kakan & (drawn | (cut & declared)), two),
        (kakan & cut, never),
        (kita & drawn, two),
    ]
    after: list[tuple[Bools, Ints]] = [
        (robbed | (late & replaced & over), never),
        (~replaced, unsettled),
        (~late, one),
        (_is(played, two, "discard"), two),
        ((ankan | kakan) & declared, two),
        ((ankan | kakan) & drawn, three),
        (kakan & cut, never),
    ]
    due = [np.select([case for case, _ in cases], [gap for _, gap in cases], UNSETTLED) for cases in (before, after)]
    found: Ints = np.select([~rounds.turned[here], rounds.before[here], rounds.after[here]], [never, *due], UNSETTLED)
    # If the log breaks off soon after a kan, the missing part may have its indicator.
    ended = np.zeros(len(rounds.turned), dtype=bool)
    ended[played.round[played.rows("result")]] = True
    return np.where(~ended[here] & (three < 0), UNSETTLED, found)


def _following(played: Replay, order: TurnOrder, rows: Ints) -> list[Ints]:
    """Return the rows of the first, second and third action after each of ``rows``; -1 where the round has none."""
    found, at = [], rows
    for _ in range(3):
        after = np.where(at >= 0, order.after(np.maximum(at, 0)), -1)
        at = np.where((after > at) & (played.round[after] == played.round[rows]), after, -1)
        found.append(at)
    return found


def _is(played: Replay, rows: Ints, kind: str) -> Bools:
    found: Bools = (rows >= 0) & (played.kind[rows] == CODE[kind])
    return found


def _unmatched(turned: Ints, due: Ints) -> tuple[Bools, Bools]:
    """Return which gaps of either array have no equal partner in the other; each gap can occur several times."""

    def left_over(mine: Ints, others: Ints) -> Bools:
        placed = np.argsort(mine, kind="stable")
        ordered = mine[placed]
        nth = np.arange(len(mine)) - np.searchsorted(ordered, ordered)
        count = np.searchsorted(np.sort(others), ordered, "right") - np.searchsorted(np.sort(others), ordered)
        found = np.zeros(len(mine), dtype=bool)
        found[placed] = nth >= count
        return found

    return left_over(turned, due), left_over(due, turned)


def _paired(extra: Ints, missing: Ints) -> tuple[Ints, Bools]:
    """Pair the nth extra indicator of a round with its nth missing one; the arguments are their rounds, ascending.

    Return the place of each extra one's partner (-1 if it has none), and which missing ones have a partner.
    """
    nth = np.arange(len(extra)) - np.searchsorted(extra, extra)
    at = np.searchsorted(missing, extra) + nth
    there = at < np.searchsorted(missing, extra, side="right")
    taken = np.zeros(len(missing), dtype=bool)
    taken[at[there]] = True
    return np.where(there, at, -1), taken


def _format_gaps(played: Replay, rows: Ints) -> pl.Series:
    """Return gaps as text: ``after the discard of seat 2``; null for a negative row."""
    seat = played.seat[rows]
    gap = played.kind[rows].astype(np.int64) * SEATS + np.maximum(seat, 0)
    return gathered(_GAPS, gap, (rows >= 0) & (seat >= 0))


_GAPS = pl.Series([f"after the {kind} of seat {seat}" for kind in KINDS for seat in range(SEATS)])
"""The text of each gap, by the kind and the seat of the action before it."""
