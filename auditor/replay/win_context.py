"""The moment of each win, from the replay: hand, melds, last tile, and all that yaku and payments ask about it.

Rows are those of ``log.claims`` that are wins; arrays run along them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log import tables as canonical
from auditor.log.event_kinds import CODE, MELD_TYPE_OF_CODE, NEW_MELDS, REPLACED
from auditor.log.tables import CALLS, SEATS
from auditor.log.tile_ids import KIND, NONE, RED
from auditor.replay.running_sums import UNITS, riichi_rows, round_starts
from auditor.replay.turns import LIVE_TILES
from engine.tiles import hands as engine_hands
from engine.tiles.hands import Hands
from engine.yaku.wins import Wins

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.replay.holdings import Holdings
    from auditor.replay.running_sums import Replay

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

_INDICATORS = 5


@dataclass(frozen=True)
class WinContexts:
    """The wins of a batch as the replay has them.

    ``claim`` (row of ``log.claims``) and ``last`` (row of ``log.events``: the draw, discard or kakan that won)
    say where; ``last_fits`` says that it is a draw of the winner on tsumo, a discard or kakan of the payer on
    ron; ``sound``, that nothing is wrong with the hand, and that the winner did not discard that tile itself;
    ``trusted``, that hand, winds and indicators are known as well; ``payable``, that dealer, honba and sticks
    are; ``counted``, that the dora are: where indicators were not turned as they should (K112), those shown at the
    win are taken. ``wins`` is what the engine scores under ``rules``, which has a row for each win.
    """

    claim: Ints
    last: Ints
    last_fits: Bools
    sound: Bools
    trusted: Bools
    payable: Bools
    counted: Bools
    wins: Wins
    rules: RulesByRow


@dataclass(frozen=True)
class _Melded:
    """Melds by hand (``round * SEATS + seat``), each array [hands, 4] in the order they were made.

    ``last_kan`` is the place of the meld that was made a kan last, -1 without any, int8[hands].
    """

    kind: npt.NDArray[np.uint8]
    tile: npt.NDArray[np.uint8]
    feeder: npt.NDArray[np.int8]
    last_kan: npt.NDArray[np.int8]


def result_rows(played: Replay) -> Ints:
    """Return the event row of each claim: both run in the order of the log."""
    return np.flatnonzero(played.kind == CODE["result"])


def win_contexts(log: Log, played: Replay, held: Holdings, rules: RulesByRow, odd: Bools) -> WinContexts:
    """Return the situation of every win whose winner and payer the log names.

    ``odd`` bool[rounds] are those whose indicators were not turned as they should be.
    """
    named = (pl.col("reason") == "win") & pl.col("winner").is_not_null() & pl.col("payer").is_not_null()
    claim = np.flatnonzero(log.claims.select(named.fill_null(value=False)).to_series().to_numpy())
    return _win_contexts(log, played, held, rules, odd, claims=log.claims[claim], at=result_rows(played)[claim])


def called_by_three(log: Log, played: Replay, held: Holdings, rules: RulesByRow, odd: Bools) -> WinContexts:
    """Return what the wins would be where three calls of ron abort a round: the other seats from the right on."""
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
    return _win_contexts(log, part, held, rules, odd, claims=thrice.with_columns(**seats), at=np.repeat(at, SEATS - 1))


def _win_contexts(
    log: Log, played: Replay, held: Holdings, rules: RulesByRow, odd: Bools, *, claims: pl.DataFrame, at: Ints
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
    trusted = held.sound[hand] & fits & _said(rounds, "wind", "dealer", "dora")
    melded = _melds(played, len(log.rounds))
    reds = (played.reds[own] + np.where(tsumo, 0, RED[win_tile_id])) * of_win.may_have_red_fives()
    riichi_row = riichi_rows(played, len(log.rounds))[hand]
    declared = (riichi_row >= 0) & (riichi_row < at)
    calls = np.cumsum(played.is_kind(*CALLS))
    start = round_starts(played, len(log.rounds))[round_]
    calls_before = calls[last] - chankan
    since_riichi = played.discards[own] - played.discards[riichi_row]
    untouched = calls[riichi_row] == calls[start]
    rinshan = tsumo & fits & played.is_kind(*REPLACED)[last_actions(played, last)]
    dealer = rounds["dealer"].fill_null(0).to_numpy().astype(np.int64)
    first = nth == 0
    dora, counted = _dora(log, played)[round_], ~odd[round_]
    shown = odd[round_] & claims["dora"].is_not_null().to_numpy()
    if shown.any():
        dora[shown], counted[shown] = _padded_kinds(claims["dora"].filter(pl.Series(shown))), True
    wins = Wins(
        hands=Hands(
            keys=np.where(trusted[:, None], keys, 0).astype(np.int32),
            meld_type=melded.kind[hand],
            meld_tile=melded.tile[hand],
            meld_from=melded.feeder[hand],
            reds=reds.astype(np.uint8),
        ),
        win_kind=np.where(trusted, KIND[win_tile_id], 0).astype(np.uint8),
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
    own = ~tsumo & np.isin(kind, (CODE["discard"], CODE["kakan"])) & (played.seat[last] == winner)
    payable = _said(rounds, "dealer", "honba", "sticks") & ~own & ~log.sticks_unknown[round_]
    sound = held.sound[hand] & ~own
    return WinContexts(claim, last, fits.astype(bool), sound, trusted.astype(bool), payable, counted, wins, of_win)


def _said(rounds: pl.DataFrame, *columns: str) -> Bools:
    """Return which of these rounds have a value in all columns; elsewhere what is reckoned from them is moot."""
    said: Bools = rounds.select(pl.all_horizontal(pl.col(*columns).is_not_null())).to_series().to_numpy()
    return said


def own_discards(log: Log, played: Replay) -> Bools:
    """Return which claims are rons by the seat that has the tile itself: they name the wrong seats (W109)."""
    last = last_actions(played, result_rows(played))
    winner, payer = (log.claims[name].fill_null(-1).to_numpy() for name in ("winner", "payer"))
    ron = (winner >= 0) & (winner != payer)
    found: Bools = ron & played.is_kind("discard", "kakan")[last] & (played.seat[last] == winner)
    return found


def turned(log: Log, played: Replay) -> pl.Series:
    """Return the indicators of each round, the first and those turned in play, as lists in order."""
    rows = np.flatnonzero(played.is_kind("dora"))
    later = pl.DataFrame(
        {"round": played.round[rows], "tile_id": played.tile_id[rows]}, schema_overrides={"round": pl.UInt32}
    )
    first = log.rounds.select("round", tile_id="dora").drop_nulls()
    lists = pl.concat([first, later]).group_by("round", maintain_order=True).agg("tile_id")
    return log.rounds.select("round").join(lists, on="round", how="left", maintain_order="left")["tile_id"]


def sticks_on_table(log: Log, played: Replay) -> Ints:
    """Return how many riichi sticks lie on the table at each round's end, int64[rounds]."""
    paid = sticks_paid(played, len(log.rounds)).sum(axis=1)
    sticks: Ints = log.rounds["sticks"].fill_null(0).to_numpy() + paid
    return sticks


def sticks_paid(played: Replay, rounds: int) -> Ints:
    """Return how many riichi sticks are paid during each round, by seat, int64[rounds, 4]."""
    paid = np.zeros((rounds, SEATS), dtype=np.int64)
    rows = np.flatnonzero(played.is_kind("deposit"))
    np.add.at(paid, (played.round[rows], played.seat[rows]), 1)
    return paid


def last_actions(played: Replay, before: Ints) -> Ints:
    """Return the row of the last draw, discard or call before these rows; of a deal, if the round has none before."""
    return played.acted[before - 1]


def _last_own_row(played: Replay, at: Ints, seat: Ints) -> Ints:
    """Return the row of each seat's last event before these rows."""
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
    # The lowest kind: absent tiles have kind 255.
    melded.tile[hand, place] = KIND[made.tile_ids].min(axis=1)
    melded.feeder[hand, place] = np.where(made.source >= 0, (made.source - played.seat[rows]) % SEATS, 0)
    added = np.flatnonzero(played.is_kind("kakan"))
    hand, tile = played.hand[added], KIND[played.tile_id[added]]
    pon = (melded.kind[hand] == engine_hands.PON) & (melded.tile[hand] == tile[:, None])
    found = pon.any(axis=1)
    melded.kind[hand[found], pon.argmax(axis=1)[found]] = engine_hands.KAKAN
    called = np.flatnonzero(played.is_kind("daiminkan", "ankan")[rows])
    at = np.concatenate([rows[called], added[found]])
    of = np.concatenate([played.hand[rows[called]], hand[found]])
    where = np.concatenate([played.melds[rows[called]] - 1, pon.argmax(axis=1)[found]])
    order = np.argsort(at)  # of several kans of a hand the last one stands
    melded.last_kan[of[order]] = where[order]
    return melded


def _dora(log: Log, played: Replay) -> npt.NDArray[np.uint8]:
    """Return the kinds of each round's indicators, uint8[rounds, 5], 255 where none."""
    rounds = len(log.rounds)
    kinds = np.full((rounds, _INDICATORS), 255, dtype=np.uint8)
    kinds[:, 0] = KIND[log.rounds["dora"].fill_null(NONE).to_numpy()]
    rows = np.flatnonzero(played.is_kind("dora"))
    turned = pl.DataFrame({"round": played.round[rows]}).select(pl.int_range(1, pl.len() + 1).over("round")).to_series()
    fits = turned.to_numpy() < _INDICATORS
    kinds[played.round[rows][fits], turned.to_numpy()[fits]] = KIND[played.tile_id[rows[fits]]]
    return kinds


def _padded_kinds(tile_ids: pl.Series) -> npt.NDArray[np.uint8]:
    """Return a list column of indicators as kinds, uint8[n, 5], 255 where none."""
    padded = pl.DataFrame({"list": tile_ids}).select(
        pl.col("list").list.get(place, null_on_oob=True).fill_null(NONE).alias(str(place))
        for place in range(_INDICATORS)
    )
    kinds: npt.NDArray[np.uint8] = KIND[padded.to_numpy()]
    return kinds


def meld_signatures(played: Replay) -> pl.DataFrame:
    """Return the melds of every hand that has some (hand, signatures), a kakan in the place of its pon."""
    made = played.made
    hand, kind, tile = played.hand[made.row], played.kind[made.row], KIND[made.tile_ids[:, 0]].astype(np.int64)
    place = hand * 64 + tile
    upgraded = (kind == CODE["pon"]) & np.isin(place, place[kind == CODE["kakan"]])
    return (
        pl.DataFrame({"hand": hand, "signature": canonical.meld_signature(kind, made.tile_ids)})
        .filter(pl.Series(~upgraded))
        .sort("hand", "signature")
        .group_by("hand", maintain_order=True)
        .agg(pl.col("signature").alias("signatures"))
    )
