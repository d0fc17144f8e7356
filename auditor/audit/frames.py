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

from auditor.log.round_rules import RulesByRow, round_rules
from auditor.log.tables import SEATS
from auditor.log.tile_ids import TILE_IDS
from auditor.replay import (
    calls,
    furiten,
    holdings,
    indicators,
    kans,
    last_states,
    riichi,
    riichi_waits,
    running_sums,
    tile_counts,
    tsumogiri,
    turn_order,
    turns,
    ura_indicators,
    wall_proof,
    win_context,
)
from auditor.scoring import aborts, draws, final_scores, game_end, payments, scored_wins, succession
from engine.rules.rule_sets import RuleTable
from engine.scoring.score import score

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.tables import Log
    from auditor.replay.holdings import Holdings
    from auditor.replay.last_states import LastStates
    from auditor.replay.turn_order import TurnOrder
    from auditor.replay.wall_proof import WallProof
    from auditor.replay.win_context import WinContexts
    from engine.scoring.score import Scores


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
    def rules(self) -> RulesByRow:
        """The rules of every round of the batch."""
        return round_rules(self.log, RuleTable.from_rules(self.log.rules))

    @cached_property
    def unsupported(self) -> pl.Series:
        """Games whose rounds were not read."""
        return self.log.problems.filter(pl.col("code") == "L007")["game"]

    @cached_property
    def played(self) -> running_sums.Replay:
        """The replay: state of the acting seat at every event."""
        return running_sums.replay(self.log)

    @cached_property
    def holdings(self) -> Holdings:
        """Who held which tile, and what is wrong about it."""
        spare = self.indicators.filter(pl.col("fault") == "extra")["row"].to_numpy().astype(np.int64)
        return holdings.holdings(self.log, self.played, self.turn_order, spare)

    @property
    def events(self) -> pl.DataFrame:
        """The canonical events."""
        return self.log.events

    @property
    def games(self) -> pl.DataFrame:
        """The canonical games."""
        return self.log.games

    @property
    def rounds(self) -> pl.DataFrame:
        """The canonical rounds."""
        return self.log.rounds

    @cached_property
    def turn_order(self) -> TurnOrder:
        """The actions in order, and what stands out of order."""
        return turn_order.turn_order(self.log, self.played)

    @property
    def misplaced(self) -> pl.DataFrame:
        """Events of play that the one before does not allow, with it and the code that names them."""
        return self.turn_order.misplaced

    @cached_property
    def last_states(self) -> LastStates:
        """Where each hand and round stands before its result."""
        return last_states.last_states(self.log, self.played, self.holdings, self.turn_order)

    @cached_property
    def riichis(self) -> pl.DataFrame:
        """One row a riichi declaration, with what it asks for."""
        return riichi.declarations(self.log, self.played, self.last_states, self.scores, self.rules)

    @cached_property
    def riichi_waits(self) -> pl.DataFrame:
        """One row a riichi declaration, with its waits and how many of those tiles the hand does not see."""
        return riichi_waits.riichi_waits(
            self.log, self.played, self.holdings, self.turn_order, self.last_states, self.riichis, self.odd_indicators
        )

    @cached_property
    def locked_discards(self) -> pl.DataFrame:
        """One row a discard of a hand in riichi, with the tile drawn before."""
        return riichi.locked_discards(self.log, self.played, self.last_states)

    @cached_property
    def rons(self) -> pl.DataFrame:
        """One row a ron, with the winner's waits and those that make it furiten."""
        return furiten.rons(self.log, self.played, self.last_states, self.win_contexts, self.rules)

    @cached_property
    def won_tiles(self) -> pl.DataFrame:
        """One row a tile won by ron: how many seats win it, and how many may."""
        return furiten.winners(self.log, self.played, self.last_states, self.rules)

    @cached_property
    def calls(self) -> pl.DataFrame:
        """One row a chi, pon or daiminkan, with the discards around it and what speaks against it."""
        return calls.calls(self.log, self.played, self.turn_order, self.holdings, self.rules)

    @cached_property
    def kans(self) -> pl.DataFrame:
        """One row a kan, with what speaks against it."""
        return kans.kans(self.log, self.played, self.turn_order, self.holdings, self.rules)

    @cached_property
    def indicators(self) -> pl.DataFrame:
        """One row an indicator turned in play, or due and not turned."""
        return indicators.indicators(self.log, self.played, self.turn_order, self.rules)

    @cached_property
    def ura_indicators(self) -> pl.DataFrame:
        """One row a win that shows the indicators below, with what is wrong about them."""
        odd = self.odd_indicators
        odd[self.log.disturbed] = True
        odd |= self.log.rounds["dora"].is_null().to_numpy()
        return ura_indicators.ura_indicators(self.log, self.played, self.holdings, self.rules, pl.Series(odd))

    @property
    def odd_indicators(self) -> npt.NDArray[np.bool_]:
        """The rounds whose indicators were not turned as they should be, bool[rounds]."""
        odd = np.zeros(len(self.log.rounds), dtype=bool)
        odd[self.indicators.filter(pl.col("fault") != "")["round"].to_numpy()] = True
        return odd

    @cached_property
    def discards(self) -> pl.DataFrame:
        """One row a discard, with the log's mark of where the tile came from."""
        return tsumogiri.discards(self.log, self.played, self.turn_order, self.holdings)

    @cached_property
    def melds(self) -> pl.DataFrame:
        """One row a meld, and whether its tiles form none."""
        return calls.melds(self.log, self.played)

    @cached_property
    def miscounted(self) -> pl.DataFrame:
        """Hands that were dealt or hold a wrong number of tiles."""
        return tile_counts.miscounted(self.log, self.played, self.turn_order)

    @cached_property
    def exhaustive_draws(self) -> draws.ExhaustiveDraws:
        """The draws that end a wall, as arrays."""
        return draws.exhaustive_draws(self.settled, self.played, self.last_states, self.rules)

    @cached_property
    def drawn_rounds(self) -> pl.DataFrame:
        """One row a draw that ends a wall: tiles drawn, nagashi mangan paid and owed."""
        return draws.drawn_rounds(self.log, self.exhaustive_draws, self.last_states, self.rules)

    @cached_property
    def hands_at_draw(self) -> pl.DataFrame:
        """One row a hand at such a draw: shown, tenpai, to be shown."""
        return draws.hands_at_draw(
            self.log, self.played, self.exhaustive_draws, self.last_states, self.shows, self.rules
        )

    @cached_property
    def aborted(self) -> pl.DataFrame:
        """One row a recorded abort: allowed, its condition met."""
        return aborts.aborts(self.log, self.played, self.last_states, self._moments, self._yakuless, self.rules)

    @property
    def _yakuless(self) -> npt.NDArray[np.bool_]:
        """Whether the hands of seats that abort a round by three calls of ron have no yaku, three an abort."""
        if not (self.log.claims["reason"] == "triple_ron").any():
            return np.zeros(0, dtype=bool)
        case = win_context.called_by_three(self.settled, self.played, self.holdings, self.rules, self.odd_indicators)
        scored = score(case.wins, self.rules.table)
        return case.trusted & scored.complete & ~scored.has_yaku

    @cached_property
    def overrun(self) -> pl.DataFrame:
        """One row a moment at which an automatic abort is due, with what comes next."""
        return aborts.overrun(self.log, self.played, self.last_states, self._moments, self.turn_order.row, self.rules)

    @cached_property
    def _moments(self) -> aborts.Moments:
        return aborts.moments(self.played, self.last_states, len(self.log.rounds))

    @cached_property
    def turns(self) -> pl.DataFrame:
        """One row a draw or call, with the hand's shanten."""
        return turns.turns(self.log, self.played, self.holdings)

    @cached_property
    def shows(self) -> pl.DataFrame:
        """Hands shown at results: recorded ``tile_ids``, replayed ``held``, and whether they are the same.

        ``held`` is null where the hand went wrong before, or is said to win by its own discard.
        """
        shows = self.log.shows
        hand = shows["round"].to_numpy().astype(np.int64) * SEATS + shows["seat"].to_numpy()
        claim = shows["claim"].to_numpy()
        held = self.holdings.held(hand)
        taken = scored_wins.taken_tile_ids(self.log, self.played)[claim]
        won = np.flatnonzero(taken < TILE_IDS)
        held[won, taken[won]] += 1
        astray = win_context.own_discards(self.log, self.played)[claim]
        # A robbed kan told after its draw: the tile won is not the last.
        ron = (self.log.claims["winner"] != self.log.claims["payer"]).fill_null(value=False).to_numpy()[claim]
        astray |= ron & ~self.last_states.sure[shows["round"].to_numpy()]
        count = held.clip(0)
        row, tile_id = np.nonzero(count)
        repeats = count[row, tile_id]
        lists = (
            pl.DataFrame({"row": np.repeat(row, repeats), "tile_id": np.repeat(tile_id, repeats).astype(np.int16)})
            .group_by("row", maintain_order=True)
            .agg("tile_id")
        )
        sound = pl.Series(self.holdings.sound[hand] & ~astray)
        return (
            shows.with_columns(
                pos=self.log.events["pos"].gather(win_context.result_rows(self.played)[claim]),
                row=pl.int_range(pl.len(), dtype=pl.Int64),
            )
            .join(lists.rename({"tile_id": "held"}), on="row", how="left", maintain_order="left")
            .with_columns(held=pl.when(sound).then(pl.col("held").fill_null([])))
            .with_columns(agrees=pl.col("tile_ids").list.sort() == pl.col("held"))
        )

    @cached_property
    def round_succession(self) -> succession.Succession:
        """Dealer, honba and sticks of every round beside those that follow, as arrays."""
        return succession.succession(self.log, succession.outcomes(self.log, self.played, self.rules))

    @cached_property
    def succession(self) -> pl.DataFrame:
        """One row a round: dealer, honba and sticks recorded, and as they follow from the results before."""
        return succession.succeeding(self.log, self.round_succession)

    @cached_property
    def settled(self) -> Log:
        """The log with the honba and sticks that follow where only a round's start names others."""
        return succession.settled(self.log, self.round_succession)

    @cached_property
    def win_contexts(self) -> WinContexts:
        """What the replay knows of every win, as arrays."""
        return win_context.win_contexts(self.settled, self.played, self.holdings, self.rules, self.odd_indicators)

    @cached_property
    def scored(self) -> Scores:
        """The engine's scores of :attr:`situations`."""
        return score(self.win_contexts.wins, self.rules.table)

    @cached_property
    def wins(self) -> pl.DataFrame:
        """One row a win: recorded, replayed and re-scored."""
        ends = self.last_states
        wins = scored_wins.wins(self.log, self.played, self.win_contexts, self.scored, self.shows, settled=ends.settled)
        sure = pl.Series(ends.sure).gather(wins["round"])
        # Indicators that are turned at a wrong time or not read say nothing of those shown at a win.
        odd = self.odd_indicators
        odd[self.log.disturbed] = True
        odd |= self.log.rounds["dora"].is_null().to_numpy()
        turned = win_context.turned(self.log, self.played).gather(wins["round"])
        # What cannot lie below makes no dora (W112).
        strange = self.ura_indicators.filter(pl.col("fault") != "")["claim"]
        return wins.with_columns(
            expected_ura_han=pl.when(~pl.col("claim").is_in(strange.implode())).then("expected_ura_han"),
            last_fits=pl.when(sure).then("last_fits"),
            turned=pl.when(~pl.Series(odd).gather(wins["round"])).then(turned),
        )

    @cached_property
    def payments(self) -> pl.DataFrame:
        """One row a result: recorded changes of score, those that follow, and what kind of difference it is."""
        return payments.payments(
            self.settled, self.played, self.win_contexts, self.scored, self.wins, drawn=self.exhaustive_draws
        )

    @property
    def win_payments(self) -> pl.DataFrame:
        """The payments of wins alone."""
        return self.payments.filter(pl.col("reason") == "win")

    @property
    def draw_payments(self) -> pl.DataFrame:
        """The payments of draws alone."""
        return self.payments.filter(pl.col("reason") != "win")

    @cached_property
    def scores(self) -> pl.DataFrame:
        """One row a seat and a place where the log states scores: recorded, and carried over from the last place."""
        unknown = self.turn_order.jumbled | self.log.sticks_unknown
        return payments.scores(self.log, self.played, self.payments, self.rules, unknown)

    @cached_property
    def ends(self) -> game_end.Ends:
        """The scores at the end of every round, as arrays."""
        ended = game_end.ends(self.log, self.round_succession, self.payments, self.scores, self.rules)
        return ended.without(self.turn_order.jumbled | self.log.sticks_unknown)

    @cached_property
    def game_ends(self) -> pl.DataFrame:
        """One row a round: whether the game goes on after it, and whether the rules let it."""
        return game_end.rounds(self.log, self.round_succession, self.ends, self.rules)

    @cached_property
    def final_scores(self) -> pl.DataFrame:
        """One row a game that ended: final scores, points and places, recorded and as they follow."""
        return final_scores.final_scores(self.log, self.played, self.round_succession, self.ends, self.rules)

    @cached_property
    def wall_proof(self) -> WallProof:
        """The tiles beside the walls that recorded seeds make; only checks of walls ask for it."""
        return wall_proof.prove(self.log, self.played)

    @property
    def wall_deals(self) -> pl.DataFrame:
        """One row a hand: whether the wall deals it."""
        return self.wall_proof.deals

    @property
    def live_wall_draws(self) -> pl.DataFrame:
        """One row a draw from the live wall: the tile recorded, and the one that was next."""
        return self.wall_proof.draws

    @property
    def wall_turned(self) -> pl.DataFrame:
        """One row an indicator or replacement tile: the one recorded, and the one that lies there."""
        return self.wall_proof.turned

    @property
    def wall_dice(self) -> pl.DataFrame:
        """One row a round: dice recorded, and those that the seed throws."""
        return self.wall_proof.dice

    @property
    def proven(self) -> pl.DataFrame | None:
        """Whether each game's walls are proven; None if no check has asked for walls."""
        return self.wall_proof.games if "wall_proof" in vars(self) else None
