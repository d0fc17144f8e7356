"""Subjects about what players are shown and offered, which only some formats state; else they have no rows.

They are not attributes of :class:`~auditor.audit.frames.Frames`, because only O checks look at them.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING
from weakref import proxy

import numpy as np
import polars as pl

from auditor.audit.subject import subject
from auditor.log.arrays import filled, is_known
from auditor.replay import calls, furiten_marks, hints, offers
from auditor.replay.hints import FURITEN_COLUMNS, LEFT_COLUMNS, STICK_COLUMNS, WAIT_COLUMNS
from auditor.scoring import offered_wins, stated_sums
from auditor.scoring.offered_wins import OFFER_COLUMNS
from auditor.scoring.stated_sums import SUM_COLUMNS

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.audit.frames import Frames
    from auditor.replay.furiten_marks import Marks


class Basis:
    """What these subjects share, computed once a batch. The tables of the batch keep it, so it does not keep them."""

    def __init__(self, frames: Frames) -> None:
        self._frames: Frames = proxy(frames)

    @property
    def _out_of_place(self) -> pl.Series:
        """The rounds with an event that the reader found at an impossible place."""
        return self._frames.problems("L004")["round"].drop_nulls()

    @cached_property
    def followed(self) -> npt.NDArray[np.bool_]:
        """The rounds in which every hand can be followed: bool[rounds].

        No meld is impossible, no event is at an impossible place, and no tile contradicts a stated wall.
        """
        frames = self._frames
        found = offers.followed(frames.trust)
        tiles, melds = frames.stated_wall_tiles, calls.melds(frames.log, frames.played)
        for faulty in (
            tiles["round"].filter(tiles["tile_id"] != tiles["expected_tile_id"]),
            melds["round"].filter(melds["malformed"]),
            self._out_of_place,
        ):
            found[faulty.to_numpy()] = False
        return found

    @cached_property
    def marks(self) -> Marks:
        """Furiten and waits of every seat after every event."""
        log = self._frames.log
        asked = np.isin(log.rounds["game"].to_numpy(), log.hints["game"].to_numpy())
        return furiten_marks.marks(self._frames.played, asked, self._frames.rules)

    @cached_property
    def starts(self) -> hints.Starts:
        """The rounds whose scores and sticks can be counted from the start: those follow from the round before.

        Sticks cannot be counted where one is paid wrongly.
        """
        log, carried, riichis = self._frames.log, self._frames.scores, self._frames.riichis
        scores = is_known(log.rounds["start"])
        scores[carried["round"].to_numpy()[~filled(carried["carries"], value=True)]] = False
        sticks = is_known(log.rounds["sticks"]) & filled(self._frames.succession["sticks_fits"], value=True)
        for faulty in (riichis["round"].filter(riichis["paid"] != riichis["due"]), self._out_of_place):
            sticks[faulty.to_numpy()] = False
        return hints.Starts(scores, sticks)


def _basis(frames: Frames) -> Basis | None:
    """Return what the subjects of a batch share; None if no log of it says what players are shown."""
    return frames.shown if len(frames.log.hints) else None


@subject(WAIT_COLUMNS)
def waits_shown(frames: Frames) -> pl.DataFrame:
    """One row a hand whose waits the log states: recorded, and by replay."""
    if (basis := _basis(frames)) is None:
        return pl.DataFrame(schema=WAIT_COLUMNS)
    return hints.waits_shown(frames.log, frames.played, basis.followed, frames.rules)


@subject(FURITEN_COLUMNS)
def furiten_shown(frames: Frames) -> pl.DataFrame:
    """One row an event at which the log marks seats as furiten: recorded, and by replay."""
    if (basis := _basis(frames)) is None:
        return pl.DataFrame(schema=FURITEN_COLUMNS)
    return hints.furiten_shown(frames.log, frames.played, basis.marks, basis.followed, frames.rules)


@subject(LEFT_COLUMNS)
def left_shown(frames: Frames) -> pl.DataFrame:
    """One row a draw with the number of tiles left: recorded, and by replay."""
    if (basis := _basis(frames)) is None:
        return pl.DataFrame(schema=LEFT_COLUMNS)
    return hints.left_shown(frames.log, frames.played, basis.followed)


@subject(STICK_COLUMNS)
def sticks_shown(frames: Frames) -> pl.DataFrame:
    """Two rows a paid stick, the score and the sticks after it: recorded, and as they follow."""
    if (basis := _basis(frames)) is None:
        return pl.DataFrame(schema=STICK_COLUMNS)
    return hints.sticks_shown(frames.log, frames.played, basis.starts, frames.rules)


@subject(SUM_COLUMNS)
def stated_besides(frames: Frames) -> pl.DataFrame:
    """One row a value that a win states besides its claim: recorded, and as it follows from the rest."""
    if (basis := _basis(frames)) is None:
        return pl.DataFrame(schema=SUM_COLUMNS)
    return stated_sums.stated_sums(frames.log, frames.played, frames.wins, frames.succession, basis.followed)


@subject(OFFER_COLUMNS)
def offered(frames: Frames) -> pl.DataFrame:
    """One row an offer to a player: whether it is recorded, and whether the rules let the player do it."""
    if (basis := _basis(frames)) is None:
        return pl.DataFrame(schema=OFFER_COLUMNS)
    log, played, rules = frames.log, frames.played, frames.rules
    moments = offers.asked(log, played, basis.marks)
    options = offers.options(log, moments, frames.last_states, basis.followed, basis.starts.scores, rules)
    return offered_wins.offered(log, moments, basis.marks, options, basis.followed, rules)
