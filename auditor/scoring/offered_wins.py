"""Wins that players could call at the moments whose offers the log states, and all offers beside the recorded ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import where_known
from auditor.log.event_kinds import CODE, is_kind
from auditor.log.tile_ids import BIT, KIND
from auditor.replay import offers
from auditor.replay.columns import PLACE, Columns
from auditor.replay.offers import OFFER
from auditor.replay.running_sums import UNITS
from auditor.replay.win_context import Moments, wins_at
from engine.scoring.score import score
from engine.shapes.waits import waits
from engine.tiles.hands import Hands
from engine.tiles.kinds import ORPHANS

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.replay.furiten_marks import Marks
    from auditor.replay.offers import Asked, Options
    from auditor.replay.running_sums import Replay

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

OFFER_COLUMNS: Columns = {
    **PLACE,
    "kind": pl.UInt8,  # what is or would be offered: the place in OFFERS
    "offered": pl.Boolean,
    "kinds": pl.Int64,  # the choices offered, masks of kinds: without and with a red five
    "reds": pl.Int64,
    "expected": pl.Boolean,  # the rules allow it
    "expected_kinds": pl.Int64,
    "expected_reds": pl.Int64,
    "withheld": pl.Boolean,  # the rules allow more than is offered
    "excessive": pl.Boolean,  # more is offered than the rules allow
}
_EITHER = tuple(OFFER[name] for name in ("discard", "ankan", "daiminkan", "kakan", "riichi"))
"""Offers in which a red five is no choice of its own: how the log names the fives does not matter."""
YAKU_RULES = ("open_tanyao", "renhou", "min_han", "kita_rinshan_yaku", "kita_chankan", "north_is_value", "local_yaku")
"""The rules that decide whether a complete hand has the yaku that a win needs."""


def offered(  # noqa: PLR0917
    log: Log, moments: Asked, marks: Marks, found: Options, followed: Bools, rules: RulesByRow
) -> pl.DataFrame:
    """Return one row for each offer that is recorded or expected; :data:`OFFER_COLUMNS` says what each column means.

    ``found`` is that of :func:`auditor.replay.offers.options`; the wins are added to it. Where an offer of this kind is
    not known, the expected values are null; so are those of rounds that cannot be ``followed``, bool[rounds].
    """
    stated = offers.recorded(log, moments)
    _wins(log, moments, found, marks, followed, rules)
    for each in (found, stated):
        each.kinds[:, _EITHER] |= each.reds[:, _EITHER]
        each.reds[:, _EITHER] = 0
    at, kind = np.nonzero(stated.there | found.there)
    known = found.known[at, kind]
    there, due = stated.there[at, kind], found.there[at, kind]
    withheld, excessive = due & ~there, there & ~due
    # A discard's offer names the kinds that it forbids.
    forbids = kind == OFFER["discard"]
    for recorded, expected in ((stated.kinds, found.kinds), (stated.reds, found.reds)):
        more, less = recorded[at, kind] & ~expected[at, kind] != 0, expected[at, kind] & ~recorded[at, kind] != 0
        withheld |= there & due & np.where(forbids, more, less)
        excessive |= there & due & np.where(forbids, less, more)
    place: pl.DataFrame = log.events[["round", "event", "pos"]][moments.row[at]]
    return place.hstack([
        pl.Series("seat", moments.seat[at].astype(np.int8)),
        pl.Series("kind", kind.astype(np.uint8)),
        pl.Series("offered", there),
        pl.Series("kinds", stated.kinds[at, kind]),
        pl.Series("reds", stated.reds[at, kind]),
        where_known(due, known).alias("expected"),
        where_known(found.kinds[at, kind], known).alias("expected_kinds"),
        where_known(found.reds[at, kind], known).alias("expected_reds"),
        where_known(withheld, known).alias("withheld"),
        where_known(excessive, known).alias("excessive"),
    ])  # fmt: skip


def _wins(  # noqa: PLR0917
    log: Log, moments: Asked, found: Options, marks: Marks, followed: Bools, rules: RulesByRow
) -> None:
    """Enter the wins."""
    good = followed[moments.round]
    played = moments.played
    kind = played.kind[moments.row]
    drawn = np.flatnonzero(good & moments.own & (kind == CODE["draw"]))
    drawn = drawn[_completed(played, moments, drawn)]
    found.known[good, OFFER["tsumo"]] = True
    can, known = _with_yaku(log, moments, drawn, rules)
    found.add("tsumo", drawn[can])
    found.known[drawn[~known], OFFER["tsumo"]] = False
    found.known[good, OFFER["ron"]] = True
    waiting = marks.waits[np.maximum(moments.row - 1, 0), moments.seat] & BIT[played.tile_id[moments.row]] != 0
    rons = np.flatnonzero(good & ~moments.own & waiting & ~is_kind(kind, "draw"))
    barred, clear = (each[moments.row[rons] - 1, moments.seat[rons]] for each in (marks.furiten, marks.known))
    allowed, ruled = _of_kind(moments, rons, rules)
    can, known = _with_yaku(log, moments, rons, rules)
    won = can & allowed & ~barred
    found.add("ron", rons[won])
    settled = (known & ruled & clear) | (known & ~can) | (ruled & ~allowed) | (clear & barred)
    # Whether a head bump keeps the second seat from being asked, no record shows.
    several = np.bincount(moments.row[rons[won]], minlength=len(played.kind))[moments.row[rons]] > 1
    every = (
        rules.of(moments.round[rons]).values("max_simultaneous_ron").to_numpy() >= log.players[moments.round[rons]] - 1
    )
    settled &= ~several | every
    found.known[rons[~settled], OFFER["ron"]] = False


def _completed(played: Replay, moments: Asked, drawn: Ints) -> Bools:
    """Return which draws complete the hand."""
    rows = moments.row[drawn]
    before = played.keys[rows] - UNITS[played.tile_id[rows]]
    found: Bools = waits(before.astype(np.int32), played.melds[rows]) & BIT[played.tile_id[rows]] != 0
    return found


def _of_kind(moments: Asked, rons: Ints, rules: RulesByRow) -> tuple[Bools, Bools]:
    """Return whether the rules let a tile be taken from an event of this kind, and whether that is known."""
    played = moments.played
    kind = played.kind[moments.row[rons]]
    of_rule = rules.of(moments.round[rons])
    ankan, kita = kind == CODE["ankan"], kind == CODE["kita"]
    closed = played.melds[moments.at[rons]] == 0
    counts = moments.chosen(rons).hands.counts()
    orphans = closed & (np.where((ORPHANS >> np.arange(counts.shape[1]) & 1) == 1, 0, counts).sum(axis=1) == 0)
    allowed = np.where(ankan, orphans & of_rule.holds("kokushi_ankan_chankan"), ~kita | of_rule.holds("kita_ron"))
    known = ~(ankan & of_rule.unknown("kokushi_ankan_chankan")) & ~(kita & of_rule.unknown("kita_ron"))
    return allowed, known


def _with_yaku(log: Log, moments: Asked, which: Ints, rules: RulesByRow) -> tuple[Bools, Bools]:
    """Return which of some complete hands have the yaku that a win needs, and whether that is known."""
    if not len(which):
        none = np.zeros(0, dtype=bool)
        return none, none
    played = moments.played
    some = moments.chosen(which)
    hands, row = some.hands, some.row
    ron = ~some.own
    keys = hands.keys + np.where(ron[:, None], UNITS[played.tile_id[row]], 0)
    padding = np.full((len(row), 1), 255, dtype=np.uint8)
    north = played.rows("kita")
    norths = np.array([((played.hand[north] == hand) & (north <= at)).sum()
                       for hand, at in zip(some.hand.tolist(), row.tolist(), strict=True)])  # fmt: skip
    payer = np.where(ron, np.maximum(played.seat[row], 0), some.seat).astype(np.int64)
    wins = wins_at(
        log, played, rules, Moments(some.round, some.seat, payer, row, some.at, row, np.ones(len(row), dtype=bool)),
        Hands(keys.astype(np.int32), hands.meld_type, hands.meld_tile, hands.meld_from, hands.reds),
        win_kind=KIND[played.tile_id[row]],
        dora=padding, ura=padding,
        honba=np.zeros(len(row), dtype=np.int16), sticks=np.zeros(len(row), dtype=np.int16),
        last_kan=np.full(len(row), -1, dtype=np.int8), norths=norths.astype(np.int8),
    )  # fmt: skip
    scored = score(wins, rules.table)
    return scored.has_yaku | (played.kind[row] == CODE["ankan"]), np.ones(len(row), dtype=bool)
