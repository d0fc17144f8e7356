"""Kans: each with the tiles that the hand held and drew before, and the rules that it breaks.

A value is null where it is not checkable: a hand with doubts (trust.py), an unknown rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from auditor.log.arrays import repeated
from auditor.log.event_kinds import CODE, KANS
from auditor.log.tables import Kind
from auditor.log.tile_ids import KIND
from auditor.replay.calls import made_in_play, tiles_left
from auditor.replay.columns import PLACE, Columns
from auditor.replay.running_sums import UNITS
from auditor.replay.trust import HAND_DOUBTS, TILE_DOUBTS
from auditor.replay.win_context import melds_of
from engine.legality.actions import without
from engine.legality.kans import ankan
from engine.legality.reasons import Reason
from engine.shapes.waits import waits_of
from engine.tiles.hands import Hands

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.replay.holdings import Holdings
    from auditor.replay.running_sums import Made, Replay
    from auditor.replay.turn_order import TurnOrder

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]


KAN_COLUMNS: Columns = {
    **PLACE,
    "kind": Kind,
    "tile_id": pl.Int16,
    "row": pl.Int64,  # of Log.events
    "nth": pl.Int64,  # kans of the round before it
    "most": pl.Int64,  # kans that the rules allow
    "missing": pl.List(pl.Int16),  # tiles that the hand does not hold
    "no_pon": pl.Boolean,  # a kakan without its pon
    "tiles_left": pl.Int16,  # in the wall
    "in_riichi": pl.Boolean,
    "level": pl.Int64,  # the rule riichi_ankan_level
    "not_drawn": pl.Boolean,  # an ankan in riichi of a kind that was not drawn
    "shape_changes": pl.Boolean,  # an ankan in riichi that changes the hand's shape, which the rule forbids
    "of_wait": pl.Boolean,  # an ankan in riichi of a kind that the hand waits for, which the rules may forbid
    "waits_before": pl.Int64,  # masks of kinds; not 0 if an ankan in riichi changes the waits and must not
    "waits_after": pl.Int64,
}


def kans(log: Log, played: Replay, order: TurnOrder, held: Holdings, rules: RulesByRow) -> pl.DataFrame:
    """Return one row for each kan before its round's result; :data:`KAN_COLUMNS` says what each column means.

    A kan is wrong if ``nth`` reaches ``most``, ``missing`` is not null, ``no_pon`` is true, ``tiles_left`` is too low,
    or it is open and ``in_riichi``. The last five columns are about ankan in riichi (RULES.md 2.6 has the levels);
    they are false or 0 for other kans, and for hands with HAND_DOUBTS.
    """
    made = made_in_play(played, *KANS)
    row = made.row
    round_ = played.round[row]
    of_kan = rules.of(round_)
    no_pon = _without_pon(played, row) & held.trust.hands.free_of(TILE_DOUBTS)[played.hand[row]]
    return log.events[[*PLACE, "kind", "tile_id"]][row].hstack(
        pl.DataFrame(
            {
                "row": row,
                "nth": np.arange(len(row)) - np.searchsorted(round_, round_),
                "most": of_kan.assumed("kan_max"),
                "missing": _missing(held, row),
                "no_pon": no_pon,
                "tiles_left": tiles_left(played, held.trust, row),
                "in_riichi": played.riichi[row] > 0,
                "level": of_kan.assumed("riichi_ankan_level"),
                **_in_riichi(played, made, order, held, _Rules.of(of_kan)),
            }
        )
    )


def _missing(held: Holdings, row: Ints) -> pl.Series:
    """Return the tiles that each kan takes and its hand does not hold, as lists; null if it holds all."""
    if not len(held.absent):
        return repeated(None, pl.List(pl.Int16), len(row))
    lists = held.absent.cast({"row": pl.Int64}).group_by("row", maintain_order=True).agg("tile_id")
    return pl.DataFrame({"row": row}).join(lists, on="row", how="left", maintain_order="left")["tile_id"]


def _without_pon(played: Replay, row: Ints) -> Bools:
    """Return which of these kans are a kakan whose hand has no pon of its kind that is not yet a kan, bool[kans]."""
    calls = played.made[played.is_kind("pon", "kakan")[played.made.row]]
    place = played.hand[calls.row] * 64 + KIND[calls.tile_ids[:, 0]]
    order = np.argsort(place, kind="stable")
    place, at = place[order], calls.row[order]
    # Sorted so, a kakan comes directly after its pon.
    is_kakan = played.kind[at] == CODE["kakan"]
    paired = np.zeros(len(at), dtype=bool)
    paired[1:] = ~is_kakan[:-1] & (place[1:] == place[:-1])
    return np.isin(row, at[is_kakan & ~paired])


class _Rules(NamedTuple):
    """The rules about an ankan in riichi, for each kan.

    ``level`` is riichi_ankan_level, ``gates`` is riichi_ankan_yaku_loss, ``whole`` says that a wait for a tile whose
    four copies the whole hand holds does not count. ``no_wait`` says that the rules forbid, or may forbid, an ankan of
    a kind that the hand waits for.
    """

    level: Ints
    gates: Bools
    whole: Bools
    no_wait: Bools

    @classmethod
    def of(cls, rules: RulesByRow) -> _Rules:
        """Return these rules of each row."""
        return cls(
            rules.assumed("riichi_ankan_level"),
            rules.assumed("riichi_ankan_yaku_loss"),
            rules.holds("fifth_tile_wait", "whole_hand"),
            ~rules.holds("riichi_ankan_of_wait"),
        )


def _in_riichi(
    played: Replay, made: Made, order: TurnOrder, held: Holdings, rules: _Rules
) -> dict[str, npt.NDArray[Any]]:
    """Return the last five columns of :func:`kans`.

    Only the ankans of hands in riichi, without HAND_DOUBTS, directly after an own draw are judged; other kans get false
    and 0.
    """
    verdicts: dict[str, npt.NDArray[Any]] = {
        **{name: np.zeros(len(made.row), dtype=np.bool_) for name in ("not_drawn", "shape_changes", "of_wait")},
        **{name: np.zeros(len(made.row), dtype=np.int64) for name in ("waits_before", "waits_after")},
    }
    row = made.row
    chosen = np.flatnonzero((played.kind[row] == CODE["ankan"]) & (played.riichi[row] > 0))
    chosen = chosen[held.trust.hands.free_of(HAND_DOUBTS)[played.hand[row[chosen]]]]
    if not len(chosen):
        return verdicts
    drawn = order.before(row[chosen])
    drew = (played.kind[drawn] == CODE["draw"]) & (played.seat[drawn] == played.seat[row[chosen]])
    chosen, drawn = chosen[drew], drawn[drew]
    row, tile_ids = row[chosen], made.tile_ids[chosen]
    level, gates, whole, no_wait = (each[chosen] for each in rules)
    kind, tile = KIND[tile_ids[:, 0]].astype(np.int64), KIND[played.tile_id[drawn]].astype(np.int64)
    # The hand with the drawn tile, before the kan.
    keys = played.keys[row] + UNITS[tile_ids].sum(axis=1, dtype=np.int32)
    hands = _hands(played, row, keys, played.melds[row] - 1)
    bits = ankan(
        hands, kind, tiles_left=1, kans=0, riichi=True, drawn=tile, level=level, nine_gates=gates, whole_hand=whole
    )
    waits = waits_of(without(hands, tile), whole_hand=whole)
    own = bits & (Reason.NOT_DRAWN | Reason.NOT_HELD) == 0
    changed = own & (bits & Reason.WAITS_CHANGE != 0)
    verdicts["not_drawn"][chosen] = bits & Reason.NOT_DRAWN != 0
    verdicts["shape_changes"][chosen] = bits & Reason.SHAPE_CHANGES != 0
    verdicts["of_wait"][chosen] = own & ~changed & (waits >> kind & 1 == 1) & no_wait
    row = row[changed]
    after = _hands(played, row, played.keys[row], played.melds[row])
    verdicts["waits_before"][chosen[changed]] = waits[changed]
    verdicts["waits_after"][chosen[changed]] = waits_of(after, whole_hand=whole[changed])
    return verdicts


def _hands(played: Replay, row: Ints, keys: npt.NDArray[np.int32], count: npt.NDArray[np.int16]) -> Hands:
    """Return the hands of the seats that act at these rows: concealed ``keys`` and the hand's first ``count`` melds."""
    hand, melded = played.hand[row], melds_of(played, played.hand[row])
    there = np.arange(4) < count[:, None]
    melds, tiles = (np.where(there, of_hand[hand], 0).astype(np.uint8) for of_hand in (melded.kind, melded.tile))
    return Hands(keys.astype(np.int32), melds, tiles, np.zeros_like(melds, dtype=np.int8), np.zeros(len(row), np.uint8))
