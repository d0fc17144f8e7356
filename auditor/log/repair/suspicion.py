"""The rounds that can have slips, found by a few comparisons of the few events that slips are about.

A round without riichi, calls and results out of the ordinary is free of suspicion; :func:`suspects` says what is
ordinary. Suspicion is no proof: the slips themselves look closely, at these rounds only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from auditor.log.arrays import filled, points_by_seat
from auditor.log.columns import REASON
from auditor.log.event_kinds import CODE, is_kind
from auditor.log.repair.view import ACTS, FULL
from auditor.log.tables import CALLS, SEATS

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.tables import Log

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

_ACTS: Bools = np.isin(np.arange(len(CODE)), [CODE[kind] for kind in ACTS])
_OVER: Bools = np.isin(np.arange(len(CODE)), [CODE["deal"], CODE["result"]])
_FULL: Bools = np.isin(np.arange(len(CODE)), FULL)


def suspects(log: Log) -> Bools:
    """Return which rounds can have a slip, or come before one that can, bool[rounds].

    In the others all this holds: the round does not begin like the one before. A riichi stands directly between a draw,
    chi or pon and the discard of its seat; the deposit follows, or a win. There are no other deposits, and a hand
    declares once. A result follows an action, and only the result of another win by another seat follows it. No call
    is repeated. One event that is no action can lie between a result or a call and its neighbours.
    """
    wins = log.reasons == REASON["win"]
    found = np.zeros(len(log.rounds), dtype=bool)
    for rounds in (begin_alike(log), _with_several_results(log, wins), _with_odd_events(log, wins)):
        found[rounds] = True
    # A slip can concern two rounds.
    found[:-1] |= found[1:]
    return found


def begin_alike(log: Log) -> Ints:
    """Return the rounds that have the indicator and the scores of the round before in their game, in order."""
    game, dora = (log.rounds[name].to_numpy() for name in ("game", "dora"))
    start = points_by_seat(log.rounds["start"])
    same = np.flatnonzero((game[1:] == game[:-1]) & (dora[1:] == dora[:-1])) + 1
    alike: Ints = same[(start[same] == start[same - 1]).all(axis=1)]
    return alike


def _with_several_results(log: Log, wins: Bools) -> Ints:
    """Return the rounds with several results, other than two wins by different seats."""
    round_, nth = (log.claims[name].to_numpy() for name in ("round", "nth"))
    more = np.flatnonzero(nth > 0)
    winner = log.claims["winner"].to_numpy()  # an unknown winner is NaN, which differs from every winner
    ordinary = (nth[more] == 1) & wins[more] & wins[more - 1] & (winner[more] != winner[more - 1])
    several: Ints = round_[more[~ordinary]]
    return several


def _with_odd_events(log: Log, wins: Bools) -> Ints:
    """Return the rounds of riichi, deposits, results and calls with neighbours out of the ordinary."""
    kinds, seats = log.events["kind"].to_physical().to_numpy(), filled(log.events["seat"], -1)
    row = np.flatnonzero(~is_kind(kinds, "deal", "draw", "discard"))
    round_ = log.events["round"].to_numpy()[row].astype(np.int64)
    won = np.zeros(len(log.rounds), dtype=bool)
    won[log.claims["round"].to_numpy()[wins]] = True
    # A round begins with deals, so neighbours that are no deals are in its round. Beyond the last event ("clip") comes
    # that event again: as a neighbour of itself, a result is ordinary, and a riichi or call is not.
    near = row + np.arange(-2, 3)[:, None]
    earlier, before, kind, after, later = kinds.take(near, mode="clip")
    _, seat_before, seat, seat_after, seat_later = seats.take(near, mode="clip")

    riichi, deposit, result, calls = (is_kind(kind, *some) for some in (["riichi"], ["deposit"], ["result"], CALLS))
    in_turn = _FULL[before] & (after == CODE["discard"]) & (seat_before == seat) & (seat_after == seat)
    paid = ((later == CODE["deposit"]) & (seat_later == seat)) | ((later == CODE["result"]) & won[round_])
    hand = np.where(riichi, round_ * SEATS + seat, 0)
    once = np.bincount(hand, weights=riichi)[hand] == 1
    declared = earlier == CODE["riichi"]  # in_turn compares the seats of the two
    over = _OVER[after] | (~_ACTS[after] & _OVER[later])
    acted = _ACTS[before] | _ACTS[earlier]
    repeated = (after == kind) | (~_ACTS[after] & ((later == kind) | ~_ACTS[later]))
    rules = [(riichi, in_turn & paid & once), (deposit, declared), (result, over & acted), (calls, ~repeated)]
    odd: Ints = round_[np.any([of & ~ordinary for of, ordinary in rules], axis=0)]
    return odd
