"""The situation of each win, from the replay: hand, melds, last tile, and all that yaku and payments depend on.

Arrays have one entry for each win, in the order of ``log.claims``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log import tables as canonical
from auditor.log.arrays import filled, lists, where_known
from auditor.log.event_kinds import CODE, MELD_TYPE_OF_CODE, NEW_MELDS, REPLACED
from auditor.log.tables import CALLS, SEATS
from auditor.log.tile_ids import KIND, NONE, RED
from auditor.replay.running_sums import UNITS
from auditor.replay.trust import SCORE_DOUBTS, Doubt
from auditor.replay.turns import LIVE_TILES
from engine.tiles import hands as engine_hands
from engine.tiles.hands import Hands
from engine.yaku.wins import Wins

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.replay.running_sums import Replay
    from auditor.replay.trust import Doubts, Trust

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

_INDICATORS = 5


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
class _Melded:
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
    return np.flatnonzero(played.kind == CODE["result"])


def win_contexts(log: Log, played: Replay, trust: Trust, rules: RulesByRow) -> WinContexts:
    """Return the situation of every win whose winner and payer the log states."""
    named = (pl.col("reason") == "win") & pl.col("winner").is_not_null() & pl.col("payer").is_not_null()
    claim = np.flatnonzero(log.claims.select(named.fill_null(value=False)).to_series().to_numpy())
    return _win_contexts(log, played, trust, rules, claims=log.claims[claim], at=result_rows(played)[claim])


def called_by_three(log: Log, played: Replay, trust: Trust, rules: RulesByRow) -> WinContexts:
    """Return the wins that three calls of ron would have been in each round that they abort.

    Each abort gives three wins: those of the other seats, in turn order from the discarder.
    """
    claims = log.claims.filter(pl.col("reason") == "triple_ron")
    asked = np.zeros(len(log.rounds), dtype=bool)
    asked[claims["round"].to_numpy()] = True
    part = played.of_rounds(asked)
    at = result_rows(part)[np.unique(part.round[result_rows(part)], return_index=True)[1]]
    last = last_actions(part, at)
    payer = np.repeat(np.maximum(part.seat[last], 0), SEATS - 1)
    winner = (payer + np.tile(np.arange(1, SEATS), len(claims))) % SEATS
    thrice = claims[np.repeat(np.arange(len(claims)), SEATS - 1)]
    seats = {"winner": pl.Series(winner, dtype=pl.Int8), "payer": pl.Series(payer, dtype=pl.Int8)}
    return _win_contexts(log, part, trust, rules, claims=thrice.with_columns(**seats), at=np.repeat(at, SEATS - 1))


def _win_contexts(
    log: Log, played: Replay, trust: Trust, rules: RulesByRow, *, claims: pl.DataFrame, at: Ints
) -> WinContexts:
    claim = claims["claim"].to_numpy().astype(np.int64)
    winner, payer = (claims[name].to_numpy().astype(np.int64) for name in ("winner", "payer"))
    nth = claims["nth"].to_numpy()
    round_ = claims["round"].to_numpy().astype(np.int64)
    of_win = rules.of(round_)
    tsumo = winner == payer
    last = last_actions(played, at)
    kind = played.kind[last]
    chankan = ~tsumo & (kind == CODE["kakan"])
    fits = np.where(
        tsumo,
        (kind == CODE["draw"]) & (played.seat[last] == winner),
        np.isin(kind, (CODE["discard"], CODE["kakan"])) & (played.seat[last] == payer),
    )
    fits &= played.tile_id[last] < NONE
    win_tile_id = np.where(fits, played.tile_id[last], NONE).astype(np.int16)

    own = _last_own_row(played, at, winner)
    hand = round_ * SEATS + winner
    keys = played.keys[own] + np.where(tsumo[:, None], 0, UNITS[win_tile_id])
    rounds = log.rounds[round_]
    melded = _melds(played, len(log.rounds))
    reds = (played.reds[own] + np.where(tsumo, 0, RED[win_tile_id])) * of_win.may_have_red_fives()
    riichi_row = played.declared[hand]
    declared = (riichi_row >= 0) & (riichi_row < at)
    calls = np.cumsum(played.is_kind(*CALLS))
    start = played.start[round_]
    calls_before = calls[last] - chankan
    since_riichi = played.discards[own] - played.discards[riichi_row]
    untouched = calls[riichi_row] == calls[start]
    rinshan = tsumo & fits & played.is_kind(*REPLACED)[last_actions(played, last)]
    dealer = rounds["dealer"].fill_null(0).to_numpy().astype(np.int64)
    first = nth == 0
    wrong = ~trust.rounds.free_of(Doubt.INDICATORS_WRONG)[round_]
    dora, shown = _dora(log, played)[round_], wrong & claims["dora"].is_not_null().to_numpy()
    if shown.any():
        dora[shown] = _padded_kinds(claims["dora"].filter(pl.Series(shown)))
    own_tile = ~tsumo & np.isin(kind, (CODE["discard"], CODE["kakan"])) & (played.seat[last] == winner)
    doubts = trust.hands.of(hand).plus(
        {Doubt.TILE_IS_NOT_LAST: ~fits, Doubt.OWN_TILE: own_tile, Doubt.DORA_UNKNOWN: wrong & ~shown}
    )
    scored = doubts.free_of(SCORE_DOUBTS)
    wins = Wins(
        hands=Hands(
            keys=np.where(scored[:, None], keys, 0).astype(np.int32),
            meld_type=melded.kind[hand],
            meld_tile=melded.tile[hand],
            meld_from=melded.feeder[hand],
            reds=reds.astype(np.uint8),
        ),
        win_kind=np.where(scored, KIND[win_tile_id], 0).astype(np.uint8),
        tsumo=tsumo,
        riichi=np.where(declared, np.where(untouched & (played.discards[riichi_row] == 0), 2, 1), 0).astype(np.uint8),
        ippatsu=declared & (since_riichi <= 1) & (calls_before == calls[riichi_row]),
        rinshan=rinshan,
        chankan=chankan,
        last_tile=(played.draws[last] >= LIVE_TILES) & ~rinshan & ~chankan,
        first_turn=(played.discards[own] == 0) & (calls_before == calls[start]) & ~rinshan,
        seat_wind=((winner - dealer) % SEATS).astype(np.int8),
        round_wind=rounds["wind"].fill_null(0).to_numpy().astype(np.int8),
        dora=dora,
        ura=_padded_kinds(claims["ura"]),
        winner=winner.astype(np.int8),
        payer=payer.astype(np.int8),
        dealer=dealer.astype(np.int8),
        players=np.full(len(claim), SEATS, dtype=np.int8),
        honba=np.where(first, rounds["honba"].fill_null(0).to_numpy(), 0).astype(np.int16),
        sticks=np.where(first, sticks_on_table(log, played)[round_], 0).astype(np.int16),
        rule=of_win.row,
        last_kan=melded.last_kan[hand],
    )
    return WinContexts(claim, last, doubts, wins, of_win)


def own_discards(log: Log, played: Replay) -> Bools:
    """Return which claims are a ron on the winner's own last discard or kakan, bool[claims] (W109)."""
    last = last_actions(played, result_rows(played))
    winner, payer = (filled(log.claims[name], -1) for name in ("winner", "payer"))
    ron = (winner >= 0) & (winner != payer)
    found: Bools = ron & played.is_kind("discard", "kakan")[last] & (played.seat[last] == winner)
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
    paid = sticks_paid(played, len(log.rounds)).sum(axis=1)
    sticks: Ints = log.rounds["sticks"].fill_null(0).to_numpy() + paid
    return sticks


def sticks_paid(played: Replay, rounds: int) -> Ints:
    """Return how many riichi sticks each seat pays during each round, int64[rounds, 4]."""
    paid = np.zeros((rounds, SEATS), dtype=np.int64)
    rows = played.rows("deposit")
    np.add.at(paid, (played.round[rows], played.seat[rows]), 1)
    return paid


def last_actions(played: Replay, before: Ints) -> Ints:
    """Return the row of the last draw, discard or call before each of these rows; if there is none, of the deal."""
    return played.acted[before - 1]


def _last_own_row(played: Replay, at: Ints, seat: Ints) -> Ints:
    """Return the row of each seat's last event before each of these rows."""
    found = np.zeros_like(at)
    for here in range(SEATS):
        mine = seat == here
        rows = np.flatnonzero(played.seat == here)
        found[mine] = np.append(rows, 0)[np.searchsorted(rows, at[mine]) - 1]
    return found


def _melds(played: Replay, rounds: int) -> _Melded:
    melded = _Melded(
        np.zeros((rounds * SEATS, 4), dtype=np.uint8),
        np.zeros((rounds * SEATS, 4), dtype=np.uint8),
        np.zeros((rounds * SEATS, 4), dtype=np.int8),
        np.full(rounds * SEATS, -1, dtype=np.int8),
    )
    made = played.made[(played.is_kind(*NEW_MELDS) & (played.melds <= 4))[played.made.row]]
    rows = made.row
    hand, place = played.hand[rows], played.melds[rows] - 1
    melded.kind[hand, place] = MELD_TYPE_OF_CODE[played.kind[rows]]
    # The lowest kind is that of a real tile: NONE has kind 255.
    melded.tile[hand, place] = KIND[made.tile_ids].min(axis=1)
    melded.feeder[hand, place] = np.where(made.source >= 0, (made.source - played.seat[rows]) % SEATS, 0)
    added = played.rows("kakan")
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
    rounds = len(log.rounds)
    kinds = np.full((rounds, _INDICATORS), 255, dtype=np.uint8)
    kinds[:, 0] = KIND[log.rounds["dora"].fill_null(NONE).to_numpy()]
    rows = played.rows("dora")
    turned = pl.DataFrame({"round": played.round[rows]}).select(pl.int_range(1, pl.len() + 1).over("round")).to_series()
    fits = turned.to_numpy() < _INDICATORS
    kinds[played.round[rows][fits], turned.to_numpy()[fits]] = KIND[played.tile_id[rows[fits]]]
    return kinds


def _padded_kinds(tile_ids: pl.Series) -> npt.NDArray[np.uint8]:
    """Return a list column of indicators as kinds, uint8[n, 5]; 255 pads."""
    padded = pl.DataFrame({"list": tile_ids}).select(
        pl.col("list").list.get(place, null_on_oob=True).fill_null(NONE).alias(str(place))
        for place in range(_INDICATORS)
    )
    kinds: npt.NDArray[np.uint8] = KIND[padded.to_numpy()]
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
