"""Which findings to show: by code, severity, game, player, and by the run that first saw them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

import polars as pl

from auditor.dataset import history

if TYPE_CHECKING:
    from collections.abc import Mapping

    Tables = Mapping[str, pl.LazyFrame]


FEW = 4
"""How many codes a message does not name one by one."""


class ChoiceError(Exception):
    """The dataset has no such game, player or run."""


@dataclass(frozen=True)
class Choice:
    """The findings to choose; all conditions must hold.

    Parameters
    ----------
    codes
        whole codes; None: all
    severities
        empty: all
    game
        the id of a game, or its beginning
    player
        a name, or a pattern with ``*`` (any text) and ``?`` (one character): what this player did, and what nobody in
        particular did in a game of this player
    run
        the run that first saw them, as in :func:`auditor.dataset.history.run_named`
    since
        they are new since then, as in :func:`auditor.dataset.history.before`; ``new`` takes the run before the newest

    """

    codes: tuple[str, ...] | None = None
    severities: tuple[str, ...] = ()
    game: str | None = None
    player: str | None = None
    run: str | None = None
    since: str | None = None
    new: bool = False

    def findings(self, tables: Tables) -> pl.LazyFrame:
        """Return the findings of a dataset; with ``finding`` and ``first_seen`` if a run is named, or ``new``.

        Raises
        ------
        ChoiceError
            when the dataset has no such game, player or run

        """
        try:
            found = self._by_run(tables)
        except history.RunError as error:
            raise ChoiceError(str(error)) from error
        return found.filter(self._asked(tables))

    def _by_run(self, tables: Tables) -> pl.LazyFrame:
        if self.new or self.since is not None:
            found = history.findings_since(tables, self.since).new.lazy()
        else:
            found = tables["findings"]
        if self.run is None:
            return found
        begun = history.run_named(tables, self.run)
        if "first_seen" not in found.collect_schema():
            found = history.with_history(tables).drop("key")
        return found.filter(pl.col("first_seen") == begun)

    def of_datasets(self, *datasets: Tables) -> list[dict[str, pl.LazyFrame]]:
        """Return the tables of each with only the findings that agree in code, severity, game and player.

        A dataset that lacks the game or the player has no such findings.

        Raises
        ------
        ChoiceError
            when no dataset has such a game or player

        """
        found, errors = [], []
        for tables in datasets:
            try:
                found.append({**tables, "findings": tables["findings"].filter(self._asked(tables))})
            except ChoiceError as error:
                errors.append(error)
                found.append({**tables, "findings": tables["findings"].limit(0)})
        if errors and len(errors) == len(datasets):
            raise errors[0]
        return found

    def of_changes(self, tables: Tables, changes: pl.DataFrame) -> pl.DataFrame:
        """Return the rows of a frame with the columns of the history that agree in code, severity, game and player."""
        return changes.lazy().filter(self._asked(tables)).collect()

    def _asked(self, tables: Tables) -> pl.Expr:
        """Return the conditions but those of runs."""
        asked = pl.lit(value=True)
        if self.codes is not None:
            asked &= pl.col("code").is_in(list(self.codes))
        if self.severities:
            asked &= pl.col("severity").is_in(list(self.severities))
        if self.game is not None:
            asked &= _of_game(tables, self.game)
        if self.player is not None:
            asked &= _of_player(tables, self.player)
        return asked

    @property
    def text(self) -> str:
        """The conditions as text, for a person who finds nothing: ``code W106, player A*``."""
        codes = self.codes or ()
        parts = {
            "code": ", ".join(codes) if len(codes) < FEW else f"{codes[0]} … {codes[-1]}",
            "severity": " or ".join(self.severities),
            "game": self.game,
            "player": self.player,
            "first seen by the run": self.run,
            "new since": self.since or ("the run before the newest" if self.new else None),
        }
        return ", ".join(f"{name} {value}" for name, value in parts.items() if value)


def _of_game(tables: Tables, game: str) -> pl.Expr:
    asked = pl.col("game_id").str.starts_with(game.lower())
    known = [tables[name].select("game_id") for name in ("games", "changes")]
    if pl.concat(known).filter(asked).limit(1).collect().is_empty():
        raise ChoiceError(f'no game {game}; the ids are in the table games (auditor query DIR "SELECT …")')
    return asked


def _of_player(tables: Tables, player: str) -> pl.Expr:
    """Return the condition that a player did it; or, where a finding has no seat, that the player is in the game."""
    pattern = re.compile("".join({"*": ".*", "?": "."}.get(each) or re.escape(each) for each in player), re.DOTALL)
    seats = tables["games"].select("game_id", player=pl.col("names")).explode("player")
    known = pl.concat([seats, tables["changes"].select("game_id", "player")]).drop_nulls("player").unique().collect()
    names = known["player"].unique().to_list()
    asked = pl.Series([name for name in names if pattern.fullmatch(name)], dtype=pl.String)
    if asked.is_empty():
        near = get_close_matches(player, names, n=1)
        hint = f"the nearest is {near[0]}" if near else "give a name as the log has it, or a pattern with * and ?"
        raise ChoiceError(f"no player {player}; {hint}")
    games = known.filter(known["player"].is_in(asked.implode()))["game_id"].unique()
    nobody = pl.col("seat").is_null() & pl.col("game_id").is_in(games.implode())
    return pl.col("player").is_in(asked.implode()).fill_null(value=False) | nobody.fill_null(value=False)
