"""Frames: the derived tables that checks look at, each computed once, when the first check asks for it.

Every frame that a check compares has the columns ``round``, ``event``, ``pos`` and ``seat``, which place a
finding. Recorded values keep their canonical names; what the replay or the engine makes of them begins with
``expected_``.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor import actions, flow, ledger, possession, replay, situations, turns, winning
from auditor.log import SEATS
from auditor.pieces import PIECES
from engine.rules import RuleTable
from engine.score import score

if TYPE_CHECKING:
    from auditor.log import Log
    from auditor.situations import Situations
    from engine.score import Scores


class Frames:
    """One batch, for checks.

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

    @cached_property
    def rules(self) -> RuleTable:
        """The rule sets of the batch; ``games.rules`` gives the row through ``rules.row_of``."""
        return RuleTable.from_rules(self.log.rules)

    @cached_property
    def unsupported(self) -> pl.Series:
        """Games whose rounds were not read."""
        return self.log.problems.filter(pl.col("code") == "L007")["game"]

    @cached_property
    def played(self) -> replay.Replay:
        """The replay: state of the acting seat at every event."""
        return replay.replay(self.log)

    @cached_property
    def possession(self) -> possession.Possession:
        """Who held which piece, and what is wrong about it."""
        return possession.possession(self.log, self.played)

    @property
    def events(self) -> pl.DataFrame:
        """The canonical events."""
        return self.log.events

    @property
    def rounds(self) -> pl.DataFrame:
        """The canonical rounds."""
        return self.log.rounds

    @cached_property
    def misplaced(self) -> pl.DataFrame:
        """Events of play that the one before does not allow, with it."""
        return actions.misplaced(self.log, self.played)

    @cached_property
    def turns(self) -> pl.DataFrame:
        """One row a draw or call, with the hand's shanten."""
        return turns.turns(self.log, self.played, self.possession)

    @cached_property
    def shows(self) -> pl.DataFrame:
        """Hands shown at results: recorded ``pieces``, replayed ``held``, and whether they are the same.

        ``held`` is null where the hand went wrong before.
        """
        shows = self.log.shows
        hand = shows["round"].to_numpy().astype(np.int64) * SEATS + shows["seat"].to_numpy()
        claim = shows["claim"].to_numpy()
        held = self.possession.held(hand)
        taken = winning.taken_pieces(self.log, self.played)[claim]
        won = np.flatnonzero(taken < PIECES)
        held[won, taken[won]] += 1
        count = held.clip(0)
        row, piece = np.nonzero(count)
        repeats = count[row, piece]
        lists = (
            pl.DataFrame({"row": np.repeat(row, repeats), "piece": np.repeat(piece, repeats).astype(np.int16)})
            .group_by("row", maintain_order=True)
            .agg("piece")
        )
        sound = pl.Series(self.possession.sound[hand])
        return (
            shows.with_columns(
                pos=self.log.events["pos"].gather(situations.result_rows(self.played)[claim]),
                row=pl.int_range(pl.len(), dtype=pl.Int64),
            )
            .join(lists.rename({"piece": "held"}), on="row", how="left", maintain_order="left")
            .with_columns(held=pl.when(sound).then(pl.col("held").fill_null([])))
            .with_columns(agrees=pl.col("pieces").list.sort() == pl.col("held"))
        )

    @cached_property
    def flow(self) -> flow.Succession:
        """Dealer, honba and sticks of every round beside those that follow, as arrays."""
        return flow.succession(self.log, flow.outcomes(self.log, self.played, self.rules))

    @cached_property
    def succession(self) -> pl.DataFrame:
        """One row a round: dealer, honba and sticks recorded, and as they follow from the results before."""
        return flow.succeeding(self.log, self.flow)

    @cached_property
    def settled(self) -> Log:
        """The log with the honba and sticks that follow where only a round's start names others."""
        return flow.settled(self.log, self.flow)

    @cached_property
    def situations(self) -> Situations:
        """What the replay knows of every win, as arrays."""
        return situations.situations(self.settled, self.played, self.possession, self.rules)

    @cached_property
    def scored(self) -> Scores:
        """The engine's scores of :attr:`situations`."""
        return score(self.situations.wins, self.rules)

    @cached_property
    def wins(self) -> pl.DataFrame:
        """One row a win: recorded, replayed and re-scored."""
        return winning.wins(self.log, self.played, self.situations, self.scored, self.shows)

    @cached_property
    def payments(self) -> pl.DataFrame:
        """One row a result: recorded changes of score, those that follow, and what kind of difference it is."""
        return ledger.payments(self.settled, self.played, self.situations, self.scored, self.wins)

    @property
    def win_payments(self) -> pl.DataFrame:
        """The payments of wins alone."""
        return self.payments.filter(pl.col("reason") == "win")

    @cached_property
    def scores(self) -> pl.DataFrame:
        """One row a seat and a place where the log states scores: recorded, and carried over from the last place."""
        return ledger.scores(self.log, self.played, self.payments, self.rules)
