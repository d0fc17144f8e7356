"""Kans: each beside what the hand held and what was drawn before, and what speaks against it.

Null is what cannot be judged: a hand that is not sound (possession.py), a rule set that does not say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.calls import over
from auditor.log import SEATS
from auditor.pieces import KIND
from auditor.replay import CALLED, CODE, UNITS
from auditor.situations import MELD_TYPE, rule_rows
from auditor.turns import LIVE_TILES
from engine.hands import Hands
from engine.kans import ankan
from engine.legality import without
from engine.reasons import Reason
from engine.waits import waits_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.actions import Actions
    from auditor.log import Log
    from auditor.possession import Possession
    from auditor.replay import Made, Replay
    from engine.rules import RuleTable

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

KANS = ("daiminkan", "ankan", "kakan")


def kans(log: Log, played: Replay, order: Actions, held: Possession, rules: RuleTable) -> pl.DataFrame:
    """Return one row a kan before its round's result.

    ``nth`` counts the kans of the round before it, ``most`` how many the rules allow. What speaks against it:
    ``missing`` (pieces that it takes and the hand has not), ``no_pon``, ``tiles_left``, ``in_riichi``. Of an ankan in
    riichi also ``not_drawn``; and if it is of the drawn tile ``waits_before`` and ``waits_after`` where the rule's
    ``level`` forbids that they differ, ``shape_changes`` where it forbids that, ``of_wait`` where the rules may forbid
    a kan of a tile that is itself a wait.
    """
    made = played.made[played.is_kind(*KANS)[played.made.row]]
    row = made.row
    kind, round_ = played.kind[row], played.round[row]
    at = log.events[row]
    rule = rule_rows(log, rules, log.rounds["game"])[round_]
    frame = pl.DataFrame(
        {
            "row": row,
            "round": at["round"],
            "event": at["event"],
            "pos": at["pos"],
            "seat": at["seat"],
            "kind": at["kind"],
            "piece": at["piece"],
            "nth": np.arange(len(row)) - np.searchsorted(round_, round_),
            "most": rules.kan_max[rule],
            "no_pon": (kind == CODE["kakan"]) & ~_has_pon(played, made),
            "tiles_left": (LIVE_TILES - played.draws[row]).astype(np.int16),
            "in_riichi": played.riichi[row] > 0,
            "level": rules.riichi_ankan_level[rule],
        }
    )
    missing = held.absent.group_by("row").agg(missing="piece").cast({"row": pl.Int64})
    judged = _in_riichi(log, played, order, held, rules)
    return (
        frame.join(missing, on="row", how="left", maintain_order="left")
        .join(judged, on="row", how="left", maintain_order="left")
        .filter(~over(log, played, row))
    )


def _has_pon(played: Replay, made: Made) -> Bools:
    """Return which of these melds have a pon of their kind by the same seat before them, not yet made a kan."""

    def places(melds: Made, kind: str) -> tuple[Ints, Ints]:
        mine = melds[played.kind[melds.row] == CODE[kind]]
        place = played.hand[mine.row] * 256 + KIND[mine.pieces[:, 0]]
        order = np.argsort(place, kind="stable")
        return place[order], mine.row[order]

    pons, added = places(played.made, "pon"), places(played.made, "kakan")
    place = played.hand[made.row] * 256 + KIND[made.pieces[:, 0]]
    first = np.searchsorted(pons[0], place)
    there = first < len(pons[0])
    there[there] = (pons[0][first[there]] == place[there]) & (pons[1][first[there]] < made.row[there])
    earlier = np.searchsorted(added[0], place)
    taken = earlier < len(added[0])
    taken[taken] = (added[0][earlier[taken]] == place[taken]) & (added[1][earlier[taken]] < made.row[taken])
    found: Bools = there & ~taken
    return found


_RIICHI = {
    "row": pl.Int64,
    "not_drawn": pl.Boolean,
    "waits_before": pl.Int64,
    "waits_after": pl.Int64,
    "shape_changes": pl.Boolean,
    "of_wait": pl.Boolean,
}


def _in_riichi(log: Log, played: Replay, order: Actions, held: Possession, rules: RuleTable) -> pl.DataFrame:
    """Judge the ankans of sound hands in riichi that have just drawn."""
    made = played.made
    made = made[(played.is_kind("ankan") & (played.riichi > 0))[made.row]]
    made = made[held.sound[played.hand[made.row]]]
    if not len(made.row):
        return pl.DataFrame(schema=_RIICHI)
    before = order.before(made.row)
    drew = (played.kind[before] == CODE["draw"]) & (played.seat[before] == played.seat[made.row])
    kan, drawn = made[drew], before[drew]
    kind = KIND[kan.pieces[:, 0]].astype(np.int64)
    hands = _hands_before(played, kan)
    rule = rule_rows(log, rules, log.rounds["game"])[played.round[kan.row]]
    whole = rules.fifth_tile_wait[rule] == "whole_hand"
    level, gates = rules.riichi_ankan_level[rule], rules.riichi_ankan_yaku_loss[rule]
    tile = KIND[played.piece[drawn]].astype(np.int64)
    bits = ankan(
        hands, kind, tiles_left=1, kans=0, riichi=True, drawn=tile, level=level, nine_gates=gates, whole_hand=whole
    )
    waits = waits_of(without(hands, tile), whole_hand=whole)
    same = bits & (Reason.NOT_DRAWN | Reason.NOT_HELD) == 0
    after = waits_of(_with_ankan(played, kan), whole_hand=whole)
    changed = same & (bits & Reason.WAITS_CHANGE != 0)
    return pl.DataFrame(
        {
            "row": kan.row,
            "not_drawn": bits & Reason.NOT_DRAWN != 0,
            "waits_before": np.where(changed, waits, 0),
            "waits_after": np.where(changed, after, 0),
            "shape_changes": bits & Reason.SHAPE_CHANGES != 0,
            "of_wait": same & ~changed & (waits >> kind & 1 == 1) & _no_kan_of_wait(rules)[rule],
        },
        schema=_RIICHI,
    )


def _no_kan_of_wait(rules: RuleTable) -> Bools:
    """Return which rule sets forbid, or may forbid, an ankan in riichi of a tile that is waited for."""
    return np.array([rule_set.riichi_ankan_of_wait is not True for rule_set in rules.rule_sets], dtype=np.bool_)


def _hands_before(played: Replay, kan: Made) -> Hands:
    """Return the hands, with the drawn tile, just before these ankans."""
    keys = played.keys[kan.row] + UNITS[kan.pieces].sum(axis=1, dtype=np.int32)
    return _hands(played, kan.row, keys, played.melds[kan.row] - 1)


def _with_ankan(played: Replay, kan: Made) -> Hands:
    """Return the hands after these ankans, before the replacement draw."""
    return _hands(played, kan.row, played.keys[kan.row], played.melds[kan.row])


def _hands(played: Replay, row: Ints, keys: npt.NDArray[np.int32], count: npt.NDArray[np.int32]) -> Hands:
    """Return hands at some rows with the first ``count`` melds of each."""
    hand = played.hand[row]
    own = played.made[np.isin(played.hand[played.made.row], hand) & played.is_kind(*CALLED)[played.made.row]]
    slot = np.minimum(played.melds[own.row] - 1, SEATS - 1)
    names, back = np.unique(hand, return_inverse=True)
    type_, tile = (np.zeros((len(names), 4), dtype=np.uint8) for _ in range(2))
    engine_type = np.zeros(len(CODE), dtype=np.uint8)
    for name, number in MELD_TYPE.items():
        engine_type[CODE[name]] = number
    place = np.searchsorted(names, played.hand[own.row])
    type_[place, slot] = engine_type[played.kind[own.row]]
    tile[place, slot] = KIND[own.pieces].min(axis=1)
    there = np.arange(4) < count[:, None]
    melds = np.where(there, type_[back], 0).astype(np.uint8)
    tiles = np.where(there, tile[back], 0).astype(np.uint8)
    return Hands(keys.astype(np.int32), melds, tiles, np.zeros_like(melds, dtype=np.int8), np.zeros(len(row), np.uint8))
