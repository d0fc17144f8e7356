"""Frames: the tables that checks look at, each computed once, when it is first needed.

This module only wires: each property calls one function of the rooms ``replay`` and ``scoring`` with its arguments. A
table that a check names as its subject is made by :func:`~auditor.audit.subject.frame`, with its columns; other results
are plain cached properties. A table that only one check looks at is in that check's module.

Every subject has the columns ``round``, ``event``, ``pos`` and ``seat``, which place a finding (only ``games`` and
``rounds`` lack some). Recorded values keep their canonical names; names of values that the replay or the engine
computes begin with ``expected_``.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import polars as pl

from auditor.audit.shown_frames import Basis
from auditor.audit.subject import Subject, frame
from auditor.log.arrays import rows_where
from auditor.log.round_rules import RulesByRow, round_rules
from auditor.log.tables import EVENTS, GAMES, ROUNDS
from auditor.replay import (
    calls,
    holdings,
    indicators,
    kans,
    kitas,
    last_states,
    riichi,
    riichi_waits,
    running_sums,
    stated_walls,
    turn_order,
    turns,
    ura_indicators,
    wall_proof,
    win_context,
)
from auditor.replay.calls import CALL_COLUMNS
from auditor.replay.indicators import INDICATOR_COLUMNS
from auditor.replay.kans import KAN_COLUMNS
from auditor.replay.kitas import KITA_COLUMNS
from auditor.replay.riichi import RIICHI_COLUMNS
from auditor.replay.stated_walls import HASH_COLUMNS, STATED_TILE_COLUMNS
from auditor.replay.trust import STICK_DOUBTS, as_read
from auditor.replay.turns import TURN_COLUMNS
from auditor.replay.ura_indicators import BELOW_COLUMNS
from auditor.replay.wall_proof import DEAL_COLUMNS, DICE_COLUMNS, TILE_COLUMNS
from auditor.scoring import (
    aborts,
    draws,
    final_scores,
    game_end,
    payments,
    scored_wins,
    shown_hands,
    succession,
)
from auditor.scoring.aborts import ABORT_COLUMNS, OVERRUN_COLUMNS
from auditor.scoring.draws import WALL_DRAW_COLUMNS, WALL_HAND_COLUMNS
from auditor.scoring.final_scores import FINAL_COLUMNS
from auditor.scoring.game_end import GAME_END_COLUMNS
from auditor.scoring.payments import PAYMENT_COLUMNS, SCORE_COLUMNS
from auditor.scoring.scored_wins import WIN_COLUMNS
from auditor.scoring.shown_hands import SHOWN_HAND_COLUMNS
from auditor.scoring.succession import SUCCESSION_COLUMNS
from engine.rules.rule_table import RuleTable
from engine.scoring.score import score

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from auditor.log.tables import Log
    from auditor.replay.holdings import Holdings
    from auditor.replay.last_states import LastStates
    from auditor.replay.trust import Trust
    from auditor.replay.turn_order import TurnOrder
    from auditor.replay.wall_proof import WallProof
    from auditor.replay.win_context import WinContexts
    from engine.scoring.score import Scores


class Frames:
    """The tables of one batch, for checks.

    Parameters
    ----------
    log
        the canonical tables
    sources
        the batch's files: source, status, reason, cut

    """

    def __init__(self, log: Log, sources: pl.DataFrame) -> None:
        self.log = log
        self.sources = sources
        self.computed: dict[Subject, pl.DataFrame] = {}

    @cached_property
    def rules(self) -> RulesByRow:
        """The rules of every round of the batch."""
        return round_rules(self.log, RuleTable.from_rules(self.log.rules))

    # The log.

    @frame(GAMES)
    def games(self) -> pl.DataFrame:
        """One row a game, as the log has it."""
        return self.log.games

    @frame(ROUNDS)
    def rounds(self) -> pl.DataFrame:
        """One row a round, as the log has it."""
        return self.log.rounds

    @frame(EVENTS)
    def events(self) -> pl.DataFrame:
        """One row an event, as the log has it."""
        return self.log.events

    def problems(self, code: str) -> pl.DataFrame:
        """Return the problems of reading that the check with this code reports."""
        return rows_where(self.log.problems, self.log.problems["code"] == code)

    # Play.

    @cached_property
    def played(self) -> running_sums.Replay:
        """The replay: state of the acting seat at every event."""
        return running_sums.replay(self.log)

    @cached_property
    def trust_as_read(self) -> Trust:
        """Doubts about rounds and hands that reading the log has raised."""
        return as_read(self.log)

    @cached_property
    def turn_order(self) -> TurnOrder:
        """The actions in order, and the events out of order."""
        return turn_order.turn_order(self.log, self.played, self.trust_as_read)

    @property
    def misplaced(self) -> pl.DataFrame:
        """Events of play that the event before does not allow, with that event and the code of the check for it."""
        return self.turn_order.misplaced

    @cached_property
    def holdings(self) -> Holdings:
        """Which seat held which tile, and contradictions about that."""
        return holdings.holdings(self.log, self.played, self.turn_order, self.indicators)

    @cached_property
    def last_states(self) -> LastStates:
        """The state of each hand and round before its result."""
        return last_states.last_states(self.played, self.holdings, self.turn_order)

    @property
    def trust(self) -> Trust:
        """All doubts about rounds and hands that the replay has raised."""
        return self.last_states.trust

    @frame(TURN_COLUMNS)
    def turns(self) -> pl.DataFrame:
        """One row a draw or call, with the hand's shanten."""
        return turns.turns(self.log, self.played, self.trust)

    @frame(CALL_COLUMNS)
    def calls(self) -> pl.DataFrame:
        """One row a chi, pon or daiminkan, with the discards around it and whether it is legal."""
        return calls.calls(self.log, self.played, self.turn_order, self.trust, self.rules)

    @frame(KAN_COLUMNS)
    def kans(self) -> pl.DataFrame:
        """One row a kan, with whether it is legal."""
        return kans.kans(self.log, self.played, self.turn_order, self.holdings, self.rules)

    @frame(KITA_COLUMNS)
    def kitas(self) -> pl.DataFrame:
        """One row a kita, with whether it is legal."""
        return kitas.kitas(self.log, self.played, self.turn_order, self.holdings, self.rules)

    @frame(INDICATOR_COLUMNS)
    def indicators(self) -> pl.DataFrame:
        """One row an indicator turned in play, or missing."""
        return indicators.indicators(self.log, self.played, self.turn_order, self.rules)

    @frame(BELOW_COLUMNS)
    def ura_indicators(self) -> pl.DataFrame:
        """One row a win that shows ura dora indicators, with what is wrong about them."""
        return ura_indicators.ura_indicators(self.log, self.played, self.holdings, self.rules)

    @frame(RIICHI_COLUMNS)
    def riichis(self) -> pl.DataFrame:
        """One row a riichi declaration, with the conditions for it."""
        return riichi.declarations(self.log, self.played, self.last_states, self.scores, self.rules)

    @cached_property
    def riichi_waits(self) -> pl.DataFrame:
        """One row a riichi declaration, with its waits and how many of those tiles the hand does not see."""
        return riichi_waits.riichi_waits(self.log, self.played, self.last_states, self.riichis, self.rules)

    # Wins.

    @cached_property
    def win_contexts(self) -> WinContexts:
        """Hand and situation of every win by replay, as arrays."""
        return win_context.win_contexts(self.corrected_log, self.played, self.last_states, self.rules)

    @cached_property
    def scored(self) -> Scores:
        """The engine's scores of :attr:`win_contexts`."""
        return score(self.win_contexts.wins, self.rules.table)

    @frame(SHOWN_HAND_COLUMNS)
    def shows(self) -> pl.DataFrame:
        """One row a hand shown at a result: recorded, replayed, and whether they are the same."""
        return shown_hands.shown_hands(self.log, self.played, self.holdings, self.last_states)

    @frame(WIN_COLUMNS)
    def wins(self) -> pl.DataFrame:
        """One row a win: recorded, replayed and re-scored."""
        return scored_wins.wins(
            self.log, self.played, self.win_contexts, self.scored, shows=self.shows, below=self.ura_indicators
        )

    @cached_property
    def other_yaku(self) -> pl.Series:
        """Which wins have another list of yaku or han than recorded; null where a list is not known."""
        return self.wins["recorded_yaku"] != self.wins["expected_yaku"]

    @cached_property
    def other_melds(self) -> pl.Series:
        """Which wins list other melds, or in another order, than were made; null where that is not known."""
        return self.wins["melds"] != self.wins["played_melds"]

    # Draws.

    @cached_property
    def exhaustive_draws(self) -> draws.ExhaustiveDraws:
        """The draws that end a wall, as arrays."""
        return draws.exhaustive_draws(self.corrected_log, self.played, self.last_states, self.rules)

    @frame(WALL_DRAW_COLUMNS)
    def drawn_rounds(self) -> pl.DataFrame:
        """One row a draw that ends a wall: tiles drawn, nagashi mangan paid and owed."""
        return draws.drawn_rounds(self.log, self.exhaustive_draws, self.last_states, self.rules)

    @frame(WALL_HAND_COLUMNS)
    def hands_at_draw(self) -> pl.DataFrame:
        """One row a hand at a draw that ends a wall: whether it was shown, is tenpai, and had to be shown."""
        return draws.hands_at_draw(
            self.log, self.played, self.exhaustive_draws, self.last_states, self.shows, self.rules
        )

    @cached_property
    def _abort_moments(self) -> aborts.Moments:
        return aborts.moments(self.played, self.last_states, self.log.players, self.rules)

    @frame(ABORT_COLUMNS)
    def aborted(self) -> pl.DataFrame:
        """One row a recorded abort: whether the rules allow it, and whether its condition is met."""
        yakuless = aborts.yakuless(self.corrected_log, self.played, self.last_states, self.rules)
        return aborts.aborts(self.log, self.played, self.last_states, self._abort_moments, yakuless, self.rules)

    @frame(OVERRUN_COLUMNS)
    def overrun(self) -> pl.DataFrame:
        """One row a moment at which the round must abort, with the event that follows."""
        return aborts.overrun(
            self.log, self.played, self.last_states, self._abort_moments, self.turn_order.row, self.rules
        )

    # From result to result.

    @cached_property
    def round_succession(self) -> succession.Succession:
        """Dealer, honba and sticks of every round, recorded and as they follow from the results before, as arrays."""
        misshown = draws.misshown_dealers(self.log, self.played, self.last_states, self.rules)
        return succession.succession(
            self.log, succession.outcomes(self.log, self.played, self.trust, self.rules, misshown)
        )

    @frame(SUCCESSION_COLUMNS)
    def succession(self) -> pl.DataFrame:
        """One row a round: dealer, honba and sticks recorded, and as they follow from the results before."""
        return succession.succeeding(self.log, self.round_succession)

    @cached_property
    def corrected_log(self) -> Log:
        """The log with corrected honba and sticks, where only a round's start contradicts the rest of the log."""
        return succession.with_corrected_starts(self.log, self.round_succession)

    @frame(PAYMENT_COLUMNS)
    def payments(self) -> pl.DataFrame:
        """One row a result: recorded changes of score, expected ones, and the kind of difference."""
        return payments.payments(
            self.corrected_log, self.played, self.win_contexts, self.scored, self.wins, drawn=self.exhaustive_draws
        )

    @frame(PAYMENT_COLUMNS)
    def win_payments(self) -> pl.DataFrame:
        """One row a win, as in :attr:`payments`."""
        return self.payments.filter(pl.col("reason") == "win")

    @frame(PAYMENT_COLUMNS)
    def draw_payments(self) -> pl.DataFrame:
        """One row a draw or abort, as in :attr:`payments`."""
        return self.payments.filter(pl.col("reason") != "win")

    @cached_property
    def _unknown_payers(self) -> npt.NDArray[np.bool_]:
        """The rounds in which it is not known which seats paid riichi sticks, bool[rounds]."""
        return ~self.trust.rounds.free_of(STICK_DOUBTS)

    @frame(SCORE_COLUMNS)
    def scores(self) -> pl.DataFrame:
        """One row a seat and a place where the log states scores: recorded, and carried over from the last place."""
        return payments.scores(self.log, self.played, self.payments, self.rules, self._unknown_payers)

    @cached_property
    def ends(self) -> game_end.Ends:
        """The scores at the end of every round, as arrays."""
        ended = game_end.ends(self.log, self.round_succession, self.payments, self.scores, self.rules)
        return ended.without(self._unknown_payers)

    @frame(GAME_END_COLUMNS)
    def game_ends(self) -> pl.DataFrame:
        """One row a round: whether the game goes on after it, and whether the rules let it."""
        return game_end.rounds(self.log, self.round_succession, self.ends, self.rules)

    @frame(FINAL_COLUMNS)
    def final_scores(self) -> pl.DataFrame:
        """One row a game that ended: final scores, points and places, recorded and as they follow."""
        return final_scores.final_scores(self.log, self.played, self.round_succession, self.ends, self.rules)

    # Walls.

    @cached_property
    def wall_proof(self) -> WallProof:
        """The recorded tiles, compared with the walls that recorded seeds make; the hashing takes long."""
        return wall_proof.prove(self.log, self.played)

    @frame(DEAL_COLUMNS)
    def wall_deals(self) -> pl.DataFrame:
        """One row a hand: whether the wall deals it."""
        return self.wall_proof.deals

    @frame(TILE_COLUMNS)
    def live_wall_draws(self) -> pl.DataFrame:
        """One row a draw from the live wall: the recorded tile, and the next tile of the wall."""
        return self.wall_proof.draws

    @frame(TILE_COLUMNS)
    def wall_turned(self) -> pl.DataFrame:
        """One row an indicator or replacement tile: the recorded tile, and the tile in that place of the wall."""
        return self.wall_proof.turned

    @frame(DICE_COLUMNS)
    def wall_dice(self) -> pl.DataFrame:
        """One row a round: the recorded dice, and those that follow from the seed."""
        return self.wall_proof.dice

    @frame(STATED_TILE_COLUMNS)
    def stated_wall_tiles(self) -> pl.DataFrame:
        """One row a tile of a round whose wall the log states: the recorded tile, and the one in its place."""
        return stated_walls.tiles(self.log, self.played)

    @frame(HASH_COLUMNS)
    def stated_hashes(self) -> pl.DataFrame:
        """One row a hash of a wall that the log states: the recorded one, and that of the stated wall."""
        return stated_walls.hashes(self.log)

    # What players are shown: shown_frames.py has the tables.

    @cached_property
    def shown(self) -> Basis:
        """What those tables share."""
        return Basis(self)


WALLS = frozenset({Frames.wall_deals, Frames.live_wall_draws, Frames.wall_turned, Frames.wall_dice})
"""The subjects for which walls are made from seeds."""
