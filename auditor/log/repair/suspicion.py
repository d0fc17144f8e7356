"""The rounds that can have slips, found by a few comparisons of the few events that slips are about.

A round without riichi, calls and results out of the ordinary is free of suspicion; :func:`suspects` says what is
ordinary. Suspicion is no proof: the slips themselves look closely, at these rounds only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from auditor.log.arrays import points_by_seat
from auditor.log.columns import REASONS
from auditor.log.event_kinds import CODE, is_kind
from auditor.log.repair.view import ACTS, FULL
from auditor.log.tables import CALLS, SEATS

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.tables import Log

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]
    Codes = npt.NDArray[np.uint8]

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
    kind = log.events["kind"].to_physical().to_numpy()
    round_ = log.events["round"].to_numpy()
    wins = log.reasons == REASONS.index("win")
    won = np.zeros(len(log.rounds), dtype=bool)
    won[log.claims["round"].to_numpy()[wins]] = True
    found = begins_alike(log) | _several_results(log, wins)
    for rows in (_odd_riichi(log, kind, won), _odd_deposits(kind), _odd_results(kind), _odd_calls(kind)):
        found[round_[rows]] = True
    # A slip can concern two rounds.
    found[:-1] |= found[1:]
    return found


def begins_alike(log: Log) -> Bools:
    """Return which rounds have the indicator and the scores of the round before in their game."""
    alike = np.zeros(len(log.rounds), dtype=bool)
    game, dora = (log.rounds[name].to_numpy() for name in ("game", "dora"))
    start = points_by_seat(log.rounds["start"])
    same = np.flatnonzero((game[1:] == game[:-1]) & (dora[1:] == dora[:-1])) + 1
    alike[same] = (start[same] == start[same - 1]).all(axis=1)
    return alike


def _several_results(log: Log, wins: Bools) -> Bools:
    """Return which rounds have several results, other than two wins by different seats."""
    several = np.zeros(len(log.rounds), dtype=bool)
    round_, nth = (log.claims[name].to_numpy() for name in ("round", "nth"))
    more = np.flatnonzero(nth > 0)
    winner = log.claims["winner"].to_numpy()  # an unknown winner is NaN, which differs from every winner
    ordinary = (nth[more] == 1) & wins[more] & wins[more - 1] & (winner[more] != winner[more - 1])
    several[round_[more[~ordinary]]] = True
    return several


# A round begins with deals, so neighbours of a riichi or a result that are no deals are in its round. Beyond the last
# event ("clip") comes that event again: as a neighbour of itself, a result is ordinary, and a riichi or call is not.


def _odd_riichi(log: Log, kind: Codes, won: Bools) -> Ints:
    """Return the rows of riichi with odd neighbours, or of a hand's second; ``won`` bool[rounds]: the round is won."""
    round_, seat = log.events["round"].to_numpy(), log.events["seat"].fill_null(-1).to_numpy()
    row = np.flatnonzero(kind == CODE["riichi"])
    discard, after = (np.minimum(row + step, len(kind) - 1) for step in (1, 2))
    paid = (kind[after] == CODE["deposit"]) & (seat[after] == seat[row])
    ordinary = _FULL[kind[row - 1]] & (seat[row - 1] == seat[row])
    ordinary &= (kind[discard] == CODE["discard"]) & (seat[discard] == seat[row])
    ordinary &= paid | ((kind[after] == CODE["result"]) & won[round_[row]])
    hand = round_[row].astype(np.int64) * SEATS + seat[row]
    odd: Ints = row[~ordinary | (np.bincount(hand)[hand] > 1)]
    return odd


def _odd_deposits(kind: Codes) -> Ints:
    """Return the rows of deposits without a riichi two events before; :func:`_odd_riichi` compares the seats."""
    row = np.flatnonzero(kind == CODE["deposit"])
    odd: Ints = row[kind[row - 2] != CODE["riichi"]]
    return odd


def _odd_results(kind: Codes) -> Ints:
    """Return the rows of results without an action shortly before, or with anything but a deal or result after."""
    row = np.flatnonzero(kind == CODE["result"])
    one, two = (kind.take(row + step, mode="clip") for step in (1, 2))
    over = _OVER[one] | (~_ACTS[one] & _OVER[two])
    odd: Ints = row[~over | ~(_ACTS[kind[row - 1]] | _ACTS[kind[row - 2]])]
    return odd


def _odd_calls(kind: Codes) -> Ints:
    """Return the rows of calls that one of the same kind follows, or two events that are no actions."""
    row = np.flatnonzero(is_kind(kind, *CALLS))
    one, two = (kind.take(row + step, mode="clip") for step in (1, 2))
    odd: Ints = row[(one == kind[row]) | (~_ACTS[one] & ((two == kind[row]) | ~_ACTS[two]))]
    return odd
