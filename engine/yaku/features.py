"""`Features`: one flat record of every reading, its hand and the moment of winning.

Each yaku and each source of fu (`engine.scoring.fu`) is one expression over this record.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.shapes.nine_gates import surplus
from engine.shapes.readings import RYANMEN, SEVEN_PAIRS, STANDARD, TANKI, THIRTEEN_ORPHANS
from engine.tiles.hands import CHI
from engine.tiles.kinds import DRAGONS, EAST, NORTH, ORPHANS, UNIT, some
from engine.yaku.rule_columns import RulesByReading

if TYPE_CHECKING:
    from engine.shapes.readings import Readings
    from engine.tiles.arrays import I8, I32, I64, U8, Bools
    from engine.yaku.rule_columns import RuleColumns
    from engine.yaku.wins import Wins


@dataclass(frozen=True, slots=True)
class Features:
    """Readings with the facts about their wins; every array has one entry for each reading.

    Sets of kinds and of blocks are int64 masks; the other arrays are bool unless a type is stated.

    Attributes
    ----------
    standard, seven_pairs, orphans
        The form of the hand.
    closed
        The hand has no meld but ankan.
    tsumo, riichi, double_riichi, ippatsu, rinshan, chankan, last_tile, first_turn, dealer
        The moment of winning, as in `Wins`; `riichi` is true for double riichi too, `ippatsu` only where the rules have
        it. `rinshan` and `chankan` are true for kita too where the rules give the yaku for it.
    kinds
        All kinds of the hand, melds included.
    pair, runs, concealed_runs, runs2, runs3, runs4, triplets, concealed_triplets, open_triplets, kans
        Blocks, as in `Readings`, but `runs` includes chi and `concealed_runs` does not.
    wait
        As in `Readings`; uint8.
    seat_wind, round_wind
        Mask of the one kind; `seat_wind` has North too where the rules give it value for every seat.
    win
        Mask of the winning kind.
    win_unit
        The amount that the winning tile adds to its suit's key; int32.
    surplus
        The tile of the hand beyond nine gates, as `engine.shapes.nine_gates.surplus` gives it; int32.
    rules
        The rules, one value for each reading.
    wins, hand
        The wins, and the row of each reading in them, for facts that few yaku depend on.
    """

    standard: Bools
    seven_pairs: Bools
    orphans: Bools
    closed: Bools
    tsumo: Bools
    riichi: Bools
    double_riichi: Bools
    ippatsu: Bools
    rinshan: Bools
    chankan: Bools
    last_tile: Bools
    first_turn: Bools
    dealer: Bools
    kinds: I64
    pair: I64
    runs: I64
    concealed_runs: I64
    runs2: I64
    runs3: I64
    runs4: I64
    triplets: I64
    concealed_triplets: I64
    open_triplets: I64
    kans: I64
    wait: U8
    seat_wind: I64
    round_wind: I64
    win: I64
    win_unit: I32
    surplus: I32
    rules: RulesByReading
    wins: Wins
    hand: I64

    @property
    def pinfu(self) -> Bools:
        """Whether the reading is pinfu: closed, four runs, a pair without value, an open-ended wait (RULES.md 3.1)."""
        blocks_of_value = self.triplets | self.pair & (DRAGONS | self.seat_wind | self.round_wind)
        holds: Bools = self.standard & self.closed & ~some(blocks_of_value) & (self.wait == RYANMEN)
        return holds

    @property
    def tanki(self) -> Bools:
        """Whether the winning tile completed the pair."""
        holds: Bools = self.wait == TANKI
        return holds

    @property
    def renhou(self) -> Bools:
        """Whether the win is renhou: ron by a non-dealer before the first own draw and any call."""
        return self.first_turn & ~self.tsumo & ~self.dealer

    @property
    def renhou_han(self) -> I8:
        """Han of renhou under the rules of each reading; 0 where the rules do not count it in han. int8."""
        value = self.rules.columns.renhou
        number = np.where(np.char.isdecimal(value), value, "0").astype(np.int8)
        return number[self.rules.row]

    def same_runs(self, copies: int) -> I64:
        """Mask the runs that the hand holds at least so many times, chi included; int64 [readings].

        `copies` is 1 to 4.
        """
        concealed = (np.full(len(self.hand), -1), self.concealed_runs, self.runs2, self.runs3, self.runs4)
        chi = self.wins.hands.meld_type == CHI
        bits = np.where(chi, np.int64(1) << self.wins.hands.meld_tile.astype(np.int64), 0)
        melded = [np.full(len(bits), -1), *np.zeros((4, len(bits)), dtype=np.int64)]
        for bit in bits.T:
            for times in (4, 3, 2, 1):
                melded[times] = melded[times] | melded[times - 1] & bit
        found = [concealed[copies - times] & melded[times][self.hand] for times in range(copies + 1)]
        mask: I64 = np.bitwise_or.reduce(found)
        return mask


def features(wins: Wins, readings: Readings, table: RuleColumns) -> Features:
    """Describe the readings of wins.

    Parameters
    ----------
    wins
        The wins; ``wins.rule`` are rows of `table`.
    readings
        Readings of ``wins.hands``.
    table
        The rules of the batch.

    Returns
    -------
    Features
        One entry for each reading.
    """
    hand = readings.hand
    rule = wins.rule[hand]
    rinshan, chankan, own_winds = _with_kita(wins, table)
    return Features(
        standard=readings.form == STANDARD,
        seven_pairs=readings.form == SEVEN_PAIRS,
        orphans=readings.form == THIRTEEN_ORPHANS,
        closed=wins.hands.closed[hand],
        tsumo=wins.tsumo[hand],
        riichi=wins.riichi[hand] > 0,
        double_riichi=wins.riichi[hand] == 2,
        ippatsu=wins.ippatsu[hand] & table.ippatsu[rule],
        rinshan=rinshan[hand],
        chankan=chankan[hand],
        last_tile=wins.last_tile[hand],
        first_turn=wins.first_turn[hand],
        dealer=(wins.winner == wins.dealer)[hand],
        kinds=_kinds(readings),
        pair=readings.pair,
        runs=readings.all_runs,
        concealed_runs=readings.runs,
        runs2=readings.runs2,
        runs3=readings.runs3,
        runs4=readings.runs4,
        triplets=readings.triplets,
        concealed_triplets=readings.concealed_triplets,
        open_triplets=readings.open_triplets,
        kans=readings.kans,
        wait=readings.wait,
        seat_wind=own_winds[hand],
        round_wind=(np.int64(1) << EAST + wins.round_wind.astype(np.int64))[hand],
        win=(np.int64(1) << wins.win_kind.astype(np.int64))[hand],
        win_unit=UNIT[wins.win_kind][hand],
        surplus=surplus(wins.hands)[hand],
        rules=RulesByReading(table, rule),
        wins=wins,
        hand=hand,
    )


def _with_kita(wins: Wins, table: RuleColumns) -> tuple[Bools, Bools, I64]:
    """Find rinshan, chankan and the winds of value to the seat, with what the rules of three players say of North.

    Returns
    -------
    bool [wins], bool [wins], int64 [wins]
        The winds are masks.
    """
    own = np.int64(1) << EAST + wins.seat_wind.astype(np.int64)
    three = wins.players == 3
    if not three.any():
        return wins.rinshan, wins.chankan, own
    valued = three & table.north_is_value[wins.rule]
    rinshan = wins.rinshan & ~(wins.after_kita & ~table.kita_rinshan_yaku[wins.rule])
    chankan = wins.chankan | wins.on_kita & table.kita_chankan[wins.rule]
    return rinshan, chankan, own | np.where(valued, np.int64(1) << NORTH, 0)


def _kinds(readings: Readings) -> I64:
    """Mask all kinds in the blocks of readings; int64 [readings]."""
    runs = readings.all_runs
    kinds = readings.pair | readings.triplets | runs | runs << 1 | runs << 2
    return np.where(readings.form == THIRTEEN_ORPHANS, ORPHANS, kinds)
