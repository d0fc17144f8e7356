"""The situation of each win, from the replay: hand, melds, last tile, and all that yaku and payments depend on.

Arrays have one entry for each win, in the order of ``log.claims``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from auditor.log import tables as canonical
from auditor.log.arrays import entries, filled, is_known, lists, rows_where, where_known
from auditor.log.columns import REASON
from auditor.log.event_kinds import CODE, MELD_TYPE_OF_CODE, NEW_MELDS, OFFERED, PLAYS, REPLACED, is_kind
from auditor.log.tables import CALLS, SEATS
from auditor.log.tile_ids import KIND, NONE, RED
from auditor.replay.running_sums import UNITS
from auditor.replay.trust import SCORE_DOUBTS, Doubt
from engine.tiles import hands as engine_hands
from engine.tiles.hands import Hands
from engine.tiles.kinds import NORTH
from engine.yaku.wins import Wins

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.replay.last_states import LastStates
    from auditor.replay.running_sums import Replay
    from auditor.replay.trust import Doubts

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

_INDICATORS = 5
_OF_CLAIM = ["claim", "round", "nth", "dora", "ura"]


@dataclass(frozen=True)
class WinContexts:
    """The wins of a batch, as the replay gives them.

    ``claim`` is the row in ``log.claims``, ``last`` the row in ``log.events`` of the last draw, discard or call before
    the result. ``doubts`` has the doubts about each win, its round and the winner's hand. ``wins`` is the engine's
    input; its hand is empty where there are :data:`SCORE_DOUBTS`. Its dora are the indicators turned in play, or, if
    these are wrong (K112), those shown at the win. ``rules`` has a row for each win.
    """

    claim: Ints
    last: Ints
    doubts: Doubts
    wins: Wins
    rules: RulesByRow


@dataclass(frozen=True)
class Melded:
    """Melds of each hand (``round * SEATS + seat``), arrays [hands, 4] in the order in which they were made.

    ``kind`` is the engine's meld type, ``tile`` the lowest kind of tile, ``feeder`` the feeder's seat relative to the
    caller (0 if none). ``last_kan`` int8[hands] is the place of the meld that became a kan last, -1 if there is none.
    """

    kind: npt.NDArray[np.uint8]
    tile: npt.NDArray[np.uint8]
    feeder: npt.NDArray[np.int8]
    last_kan: npt.NDArray[np.int8]


def result_rows(played: Replay) -> Ints:
    """Return the row in ``log.events`` of each claim's result, int64[claims]; both tables have the same order."""
    return played.rows("result")


def win_contexts(log: Log, played: Replay, ends: LastStates, rules: RulesByRow) -> WinContexts:
    """Return the situation of every win whose winner and payer the log states."""
    winner, payer = (log.claims[name] for name in ("winner", "payer"))
    named = (log.reasons == REASON["win"]) & is_known(winner) & is_known(payer)
    seats = (filled(seat, 0)[named].astype(np.int64) for seat in (winner, payer))
    return _win_contexts(log, played, ends, rules, rows_where(log.claims[_OF_CLAIM], named), *seats)


def called_by_three(log: Log, played: Replay, ends: LastStates, rules: RulesByRow) -> WinContexts:
    """Return the wins that three calls of ron would have been in each round that they abort.

    Each abort gives three wins: those of the other seats, in turn order from the discarder.
    """
    four = log.players[log.claims["round"].to_numpy()] == SEATS
    claims = rows_where(log.claims[_OF_CLAIM], (log.reasons == REASON["triple_ron"]) & four)
    at = result_rows(played)[claims["claim"].to_numpy()]
    payer = np.repeat(np.maximum(played.seat[last_actions(played, at)], 0).astype(np.int64), SEATS - 1)
    winner = (payer + np.tile(np.arange(1, SEATS), len(claims))) % SEATS
    thrice = claims[np.repeat(np.arange(len(claims)), SEATS - 1)]
    return _win_contexts(log, played, ends, rules, thrice, winner, payer)


def _win_contexts(  # noqa: PLR0917
    log: Log, played: Replay, ends: LastStates, rules: RulesByRow, claims: pl.DataFrame, winner: Ints, payer: Ints
) -> WinContexts:
    claim = claims["claim"].to_numpy().astype(np.int64)
    round_ = claims["round"].to_numpy().astype(np.int64)
    hand = round_ * SEATS + winner
    tsumo = winner == payer
    at = result_rows(played)[claim]
    last = last_actions(played, at)
    kind, actor, last_tile_id = played.kind[last], played.seat[last], played.tile_id[last]
    offered = is_kind(kind, *OFFERED)
    fits = np.where(tsumo, (kind == CODE["draw"]) & (actor == winner), offered & (actor == payer))
    fits &= (last_tile_id < NONE) & ((kind != CODE["kita"]) | (KIND[last_tile_id] == NORTH))
    win_tile_id = np.where(fits, last_tile_id, NONE)
    taken = np.where(tsumo, NONE, win_tile_id)
    own = ends.own[hand]
    melded = melds_of(played, hand)
    reds = (played.reds[own] + RED[taken]) * rules.of(round_).may_have_red_fives()
    first = claims["nth"].to_numpy() == 0
    wrong = ~ends.trust.rounds.free_of(Doubt.INDICATORS_WRONG)[round_]
    dora, shown = _dora(log, played)[round_], wrong & is_known(claims["dora"])
    if shown.any():
        dora[shown] = _padded_kinds(claims["dora"].filter(pl.Series(shown)))
    doubts = ends.trust.hands.of(hand).plus(
        {
            Doubt.TILE_IS_NOT_LAST: ~fits,
            Doubt.OWN_TILE: ~tsumo & offered & (actor == winner),
            Doubt.DORA_UNKNOWN: wrong & ~shown,
        }
    )
    scored = doubts.free_of(SCORE_DOUBTS)
    honba = filled(log.rounds["honba"], 0)[round_].astype(np.int64)
    wins = wins_at(
        log, played, rules, Moments(round_, winner, payer, last, own, at, fits),
        Hands(
            keys=np.where(scored[:, None], played.keys.take(own, axis=0) + UNITS[taken], 0).astype(np.int32),
            meld_type=melded.kind[hand],
            meld_tile=melded.tile[hand],
            meld_from=melded.feeder[hand],
            reds=reds.astype(np.uint8),
        ),
        win_kind=np.where(scored, KIND[win_tile_id], 0).astype(np.uint8),
        dora=dora,
        ura=_padded_kinds(claims["ura"]),
        honba=np.where(first, honba, 0).astype(np.int16),
        sticks=np.where(first, sticks_on_table(log, played)[round_], 0).astype(np.int16),
        last_kan=melded.last_kan[hand],
        norths=_set_aside(played, hand),
    )  # fmt: skip
    return WinContexts(claim, last, doubts, wins, rules.of(round_))


class Moments(NamedTuple):
    """n moments at which seats win or could win, int64[n] each.

    ``last`` is the row of the winning tile's event, ``own`` the winner's last row before a ron, and its draw for a
    tsumo. ``end`` is a row after which a declaration of riichi comes too late. ``fits`` bool[n]: ``last`` is an event
    that can be won on.
    """

    round: Ints
    winner: Ints
    payer: Ints
    last: Ints
    own: Ints
    end: Ints
    fits: Bools


def wins_at(log: Log, played: Replay, rules: RulesByRow, at: Moments, hands: Hands, **stated: npt.NDArray[Any]) -> Wins:
    """Return the engine's input for wins at these moments.

    ``hands`` have the winning tile; ``stated`` has the fields of Wins that the play alone does not tell.
    """
    round_, last, own = at.round, at.last, at.own
    tsumo = at.winner == at.payer
    kind, start = played.kind[last], played.start[round_]
    riichi_row = played.declared[round_ * SEATS + at.winner]
    declared = (riichi_row >= 0) & (riichi_row < at.end)
    robbed = ~tsumo & is_kind(kind, "kakan", "kita")
    call_rows = interruptions(played, rules)
    calls_to_start, calls_to_riichi, calls_to_last = (
        np.searchsorted(call_rows, rows, side="right")
        for rows in (start, riichi_row, last - robbed)  # a robbed tile interrupts nothing
    )
    untouched = calls_to_riichi == calls_to_start
    discards = played.discards[own]
    called = played.kind[last_actions(played, last)]
    replaced = tsumo & at.fits & is_kind(called, *REPLACED)
    dealer, wind = (filled(log.rounds[name], 0)[round_].astype(np.int64) for name in ("dealer", "wind"))
    return Wins(
        hands=hands,
        tsumo=tsumo,
        riichi=np.where(declared, np.where(untouched & (played.discards[riichi_row] == 0), 2, 1), 0).astype(np.uint8),
        ippatsu=declared & (discards - played.discards[riichi_row] <= 1) & (calls_to_last == calls_to_riichi),
        rinshan=replaced,
        chankan=~tsumo & (kind == CODE["kakan"]),
        last_tile=(played.left[last] <= 0) & ~replaced & ~is_kind(kind, "kakan", "kita"),
        first_turn=(discards == 0) & (calls_to_last == calls_to_start) & ~replaced,
        seat_wind=((at.winner - dealer) % log.players[round_]).astype(np.int8),
        round_wind=wind.astype(np.int8),
        winner=at.winner.astype(np.int8),
        payer=at.payer.astype(np.int8),
        dealer=dealer.astype(np.int8),
        players=log.players[round_],
        rule=rules.of(round_).row,
        on_kita=~tsumo & (kind == CODE["kita"]),
        after_kita=replaced & (called == CODE["kita"]),
        **stated,
    )


def interruptions(played: Replay, rules: RulesByRow) -> Ints:
    """Return the rows of the calls that end ippatsu and the first turn: all but kitas whose rules say otherwise."""
    rows, ends = played.rows(*CALLS), rules.assumed("kita_interrupts")
    return rows if ends.all() else rows[ends[played.round[rows]] | (played.kind[rows] != CODE["kita"])]


def _set_aside(played: Replay, hands: Ints) -> npt.NDArray[np.int8]:
    """Return how many Norths each of these hands has set aside before the result, int8[n]."""
    rows = played.rows("kita")
    rows = rows[~played.over[rows]]
    return np.bincount(played.hand[rows], minlength=played.rounds * SEATS)[hands].astype(np.int8)


def own_discards(log: Log, played: Replay) -> Bools:
    """Return which claims are a ron on the winner's own last discard, kakan or kita, bool[claims] (W109)."""
    last = last_actions(played, result_rows(played))
    winner, payer = (filled(log.claims[name], -1) for name in ("winner", "payer"))
    ron = (winner >= 0) & (winner != payer)
    found: Bools = ron & played.is_kind(*OFFERED)[last] & (played.seat[last] == winner)
    return found


def turned(log: Log, played: Replay) -> pl.Series:
    """Return the indicators of each round as lists of tile ids: the first one, then those turned in play, in order.

    It is null for a round without any.
    """
    rows, first = played.rows("dora"), filled(log.rounds["dora"], NONE)
    stated = np.flatnonzero(first < NONE)
    round_ = np.concatenate([stated, played.round[rows]])
    tile_id = np.concatenate([first[stated], played.tile_id[rows]])
    count = np.bincount(round_, minlength=len(first))
    return where_known(lists(tile_id[np.argsort(round_, kind="stable")], count), count > 0)


def sticks_on_table(log: Log, played: Replay) -> Ints:
    """Return how many riichi sticks lie on the table at each round's end, before the result: int64[rounds]."""
    paid = np.bincount(played.round[played.rows("deposit")], minlength=len(log.rounds))
    sticks: Ints = filled(log.rounds["sticks"], 0) + paid
    return sticks


def sticks_paid(played: Replay, rounds: int) -> Ints:
    """Return how many riichi sticks each seat pays during each round, int64[rounds, 4]."""
    return np.bincount(played.hand[played.rows("deposit")], minlength=rounds * SEATS).reshape(-1, SEATS)


def last_actions(played: Replay, before: Ints) -> Ints:
    """Return the row of the last draw, discard or call before each of these rows; if there is none, of the deal."""
    return played.latest(before - 1, *PLAYS)


def melds_of(played: Replay, hands: Ints) -> Melded:
    """Return the melds that these hands have at the end; other hands have none."""
    count = played.rounds * SEATS
    kinds, tiles = np.zeros((2, count, 4), dtype=np.uint8)
    melded = Melded(kinds, tiles, np.zeros((count, 4), dtype=np.int8), np.full(count, -1, dtype=np.int8))
    asked = np.zeros(count, dtype=bool)
    asked[hands] = True
    rows = played.made.row
    made = played.made[asked[played.hand[rows]] & played.is_kind(*NEW_MELDS)[rows] & (played.melds[rows] <= 4)]
    rows = made.row
    hand, place = played.hand[rows], played.melds[rows] - 1
    melded.kind[hand, place] = MELD_TYPE_OF_CODE[played.kind[rows]]
    # The lowest kind is that of a real tile: NONE has kind 255.
    melded.tile[hand, place] = KIND[made.tile_ids].min(axis=1)
    melded.feeder[hand, place] = np.where(made.source >= 0, (made.source - played.seat[rows]) % SEATS, 0)
    added = played.rows("kakan")
    added = added[asked[played.hand[added]]]
    hand, tile = played.hand[added], KIND[played.tile_id[added]]
    pon = (melded.kind[hand] == engine_hands.PON) & (melded.tile[hand] == tile[:, None])
    found = pon.any(axis=1)
    melded.kind[hand[found], pon.argmax(axis=1)[found]] = engine_hands.KAKAN
    called = np.flatnonzero(played.is_kind("daiminkan", "ankan")[rows])
    at = np.concatenate([rows[called], added[found]])
    of = np.concatenate([played.hand[rows[called]], hand[found]])
    where = np.concatenate([played.melds[rows[called]] - 1, pon.argmax(axis=1)[found]])
    order = np.argsort(at)  # a hand's last kan is assigned last, and stays
    melded.last_kan[of[order]] = where[order]
    return melded


def _dora(log: Log, played: Replay) -> npt.NDArray[np.uint8]:
    """Return the kinds of each round's indicators, uint8[rounds, 5]; 255 pads."""
    kinds = np.full((len(log.rounds), _INDICATORS), 255, dtype=np.uint8)
    kinds[:, 0] = KIND[filled(log.rounds["dora"], NONE)]
    rows = played.rows("dora")
    round_ = played.round[rows]
    nth = 1 + np.arange(len(rows)) - np.searchsorted(round_, round_)
    fits = nth < _INDICATORS
    kinds[round_[fits], nth[fits]] = KIND[played.tile_id[rows[fits]]]
    return kinds


def _padded_kinds(tile_ids: pl.Series) -> npt.NDArray[np.uint8]:
    """Return a list column of indicators as kinds, uint8[n, 5]; 255 pads."""
    kinds = np.full((len(tile_ids), _INDICATORS), 255, dtype=np.uint8)
    row, tile_id = entries(tile_ids)
    nth = np.arange(len(row)) - np.searchsorted(row, row)
    fits = nth < _INDICATORS
    kinds[row[fits], nth[fits]] = KIND[tile_id[fits]]
    return kinds


def meld_signatures(played: Replay, hands: Ints) -> pl.Series:
    """Return the melds of each of these hands as a sorted list of signatures; a kakan replaces its pon."""
    made = played.made[np.isin(played.hand[played.made.row], hands)]
    hand, kind, tile = played.hand[made.row], played.kind[made.row], KIND[made.tile_ids[:, 0]].astype(np.int64)
    place = hand * 64 + tile
    kept = (kind != CODE["pon"]) | ~np.isin(place, place[kind == CODE["kakan"]])
    hand, signature = hand[kept], canonical.meld_signature(kind[kept], made.tile_ids[kept])
    of_each = lists(signature[np.lexsort((signature, hand))], np.bincount(hand, minlength=hands.max(initial=-1) + 1))
    return of_each[hands]
