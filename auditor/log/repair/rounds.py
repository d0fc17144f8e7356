"""Slips of rounds and results: repeated, in the next round, before the last tile, or without a deal."""

from __future__ import annotations

import numpy as np
import polars as pl

from auditor.log.event_kinds import CODE, OFFERED, is_kind
from auditor.log.repair.plan import ROOM
from auditor.log.repair.suspicion import begin_alike
from auditor.log.repair.view import FULL, View
from auditor.log.tables import CALLS, SEATS

_HEAD = ["game", "wind", "dealer", "honba", "sticks", "start", "dora"]
"""Two rounds in a row never have all of these in common."""
_REPORTED_BY_READERS = ("L003", "L004")
_WON = ("win", "triple_ron")
"""Results on a declaring discard by which the riichi is not paid."""


def _repeated_rounds(view: View) -> None:
    """Drop a round that repeats the round before, or a round without play whose deal the next round repeats."""
    log = view.plan.log
    heads = log.rounds[_HEAD]
    for again in begin_alike(log).tolist():
        if not heads[again].equals(heads[again - 1]):
            continue
        deals = [log.deals.filter(pl.col("round") == nth).drop("round") for nth in (again - 1, again)]
        rows = [np.arange(*view.begin[nth : nth + 2]) for nth in (again - 1, again)]
        played = [log.events[part].select("kind", "seat", "tile_id", "tsumogiri") for part in rows]
        if not deals[0].equals(deals[1]):
            continue
        if len(rows[0]) == SEATS:
            _drop(view, again - 1)
            view.plan.say(int(rows[1][0]), "the deal, told again,", "itself")
        elif played[0].equals(played[1]):
            _drop(view, again)
            view.plan.say(int(rows[1][0]), "the round, told again,", "itself", at=int(rows[0][0]))


def _drop(view: View, round_: int) -> None:
    view.plan.kept_round[round_] = False
    view.plan.kept[view.begin[round_] : view.begin[round_ + 1]] = False


def _repeated_calls(view: View) -> None:
    """Drop a call or kan that repeats the action directly before it."""
    place = np.flatnonzero(is_kind(view.kind[view.acts[:-1]], *CALLS))
    one, two = view.acts[place], view.acts[place + 1]
    alike = np.ones(len(place), dtype=bool)
    for values in (view.kind, view.seat, view.round):
        alike &= values[one] == values[two]
    if not alike.any():
        return
    tile_id = view.plan.log.events["tile_id"]
    alike &= (tile_id.gather(one) == tile_id.gather(two)).fill_null(value=False).to_numpy()
    melds = view.plan.log.melds
    for first, again in zip(one[alike].tolist(), two[alike].tolist(), strict=True):
        made = [melds.filter(pl.col("row") == row).drop("row") for row in (first, again)]
        if made[0].equals(made[1]):
            view.plan.kept[again] = False
            view.plan.say(again, view.describe(again), "itself")


def _results_in_the_next_round(view: View) -> None:
    """Move results that come before all play of their round to the round before, if that has no result."""
    game = view.plan.log.rounds["game"].to_numpy()
    count = np.bincount(view.round[view.results()], minlength=len(game))
    first = np.append(view.acts, len(view.kind))[np.searchsorted(view.acts, view.begin[:-1])]
    first = first[first < view.begin[1:]]
    early = first[view.kind[first] == CODE["result"]]
    for row in early.tolist():
        here = int(view.round[row])
        if here == 0 or count[here - 1] or game[here] != game[here - 1]:
            continue
        for each in view.of_round(here).tolist():
            if view.kind[each] != CODE["result"]:
                break
            view.plan.round[each] = (here - 1) * ROOM
        view.plan.say(row, "the result of the round before", "the deal of this one", at=int(view.begin[here]))


def _after_results(view: View) -> list[int]:
    """Return the rounds with an action directly after a result."""
    kind, round_ = view.kind[view.acts], view.plan.round[view.acts]
    goes_on = (kind[:-1] == CODE["result"]) & (kind[1:] != CODE["result"]) & (round_[:-1] == round_[1:])
    found: list[int] = np.unique(round_[:-1][goes_on] // ROOM).tolist()
    return found


def _rounds_without_a_deal(view: View) -> None:
    """Make a new round, without a deal, of play after a result that begins with a draw and has its own result."""
    log, rounds = view.plan.log, _after_results(view)
    if not rounds:
        return
    reported = log.problems.filter(pl.col("code").is_in(_REPORTED_BY_READERS)).select("game", "event").rows()
    for round_ in rounds:
        rows = view.of_round(round_)
        rows = rows[view.plan.round[rows] == round_ * ROOM]
        result = view.kind[rows] == CODE["result"]
        starts = np.flatnonzero(result[:-1] & ~result[1:]) + 1
        ends = [*starts[1:], len(rows)]
        for nth, (start, end) in enumerate(zip(starts, ends, strict=True), 1):
            if view.kind[rows[start]] != CODE["draw"] or not result[start:end].any():
                continue
            first = int(rows[start])
            key = round_ * ROOM + nth
            rest = slice(first, int(view.begin[round_ + 1]))
            view.plan.round[rest] = np.where(view.plan.round[rest] // ROOM == round_, key, view.plan.round[rest])
            view.plan.begin(first, key)
            view.plan.add("deal", range(SEATS), like=first, before=first)
            before = (log.rounds["game"][round_], log.events["event"][int(rows[start - 1])])
            if before not in reported:
                view.plan.say(first, view.describe(first), "the result of a round: a deal comes first")


def _repeated_results(view: View) -> None:
    """Drop a further result of a round, unless it and the first are wins, and its seat has not won before."""
    results = view.of_kind("result")
    results = results[view.plan.kept[results] & (np.bincount(view.round[results])[view.round[results]] > 1)]
    if not len(results):
        return
    claims = view.plan.log.claims[np.searchsorted(view.results(), results)]
    wrong = claims.select("winner", "reason", key=pl.Series(view.plan.round[results])).select(
        (pl.int_range(pl.len()).over("key") > 0)
        & (
            (~pl.struct("key", "winner").is_first_distinct() & pl.col("winner").is_not_null())
            | (pl.col("reason").fill_null("win") != "win")
            | (pl.col("reason").first().over("key").fill_null("win") != "win")
        )
    )
    for row in results[wrong.to_series().to_numpy()].tolist():
        view.plan.kept[row] = False
        view.plan.say(row, "a further result", "the result of the round")


def _results_before_the_last_tile(view: View) -> None:
    """Move a result behind the single draw or discard that comes after it, if the result can belong to that action."""
    log = view.plan.log
    claim_at = {int(row): claim for claim, row in enumerate(view.results())}
    for round_ in _after_results(view):
        rows = view.of_round(round_)
        rows = rows[(view.plan.round[rows] == round_ * ROOM) & view.plan.kept[rows]]
        result = view.kind[rows] == CODE["result"]
        if result.sum() != 1 or result[-1] or not result[-2]:
            continue
        row, last = rows[-2:].tolist()
        claim = log.claims.row(claim_at[row], named=True)
        if _ends_with(view, claim, last, int(rows[-3]) if len(rows) > 2 else -1):
            view.plan.put(row, after=last)
            if claim["reason"] in _WON and bool(log.deposits_inferred[round_]):
                _unpay(view, last)
            view.plan.say(last, view.describe(last), "the result of its round")


def _unpay(view: View, discard: int) -> None:
    """Drop the deposit that the reader inferred after a declaring discard, because the result is a ron on it."""
    rows = np.arange(discard + 1, view.begin[view.round[discard] + 1])
    view.plan.kept[rows[(view.kind[rows] == CODE["deposit"]) & (view.seat[rows] == view.seat[discard])]] = False


def _ends_with(view: View, claim: dict[str, object], last: int, before: int) -> bool:
    """Return whether the claim's round can have ended with the action ``last``, which came after ``before``."""
    kind, seat = view.kind[last], view.seat[last]
    if claim["reason"] == "win":
        won_by = ("draw",) if claim["winner"] == claim["payer"] else OFFERED
        tile_id = view.plan.log.events["tile_id"][last]
        taken = seat == claim["payer"] and tile_id in (claim["win_tile_id"], None)
        return bool(taken and kind in [CODE[each] for each in won_by])
    if claim["reason"] == "kyuushu":
        following = (view.seat[before] + 1) % view.players(int(view.round[last]))
        turn = before < 0 or (view.kind[before] == CODE["discard"] and seat == following)
        return bool(kind == CODE["draw"] and turn)
    return kind == CODE["discard"] and before >= 0 and seat == view.seat[before] and view.kind[before] in FULL


SLIPS = (
    _repeated_rounds,
    _repeated_calls,
    _results_in_the_next_round,
    _rounds_without_a_deal,
    _repeated_results,
    _results_before_the_last_tile,
)
