"""Some games of a log as a log of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.tables import CLAIMS, DEALS, DEPOSITS, EVENTS, GAMES, MELDS, PROBLEMS, ROUNDS, SHOWS, Log, conform

if TYPE_CHECKING:
    import numpy.typing as npt


def taken(log: Log, games: npt.NDArray[np.int64]) -> Log:
    """Return some games of a log, given as rows of ``log.games``, as a log of their own; a game can be taken twice.

    Tables are renumbered; the rule sets stay the same.
    """
    game = _followed(log.games, "game", pl.DataFrame({"game": games, "new_game": np.arange(len(games))}))
    rounds = _followed(log.rounds, "game", game.select("game", "new_game")).with_row_index("new_round")
    of_round = rounds.select("round", "new_round")
    events = _followed(log.events.with_row_index("row"), "round", of_round).with_row_index("new_row")
    claims = _followed(log.claims, "round", of_round).with_row_index("new_claim")
    problems = _followed(log.problems, "game", game.select("game", "new_game"))
    inner = rounds.select("round", "new_round", "new_game")
    return Log(
        games=_renumbered(game, GAMES),
        rounds=_renumbered(rounds, ROUNDS),
        events=_renumbered(events, EVENTS),
        melds=_renumbered(_followed(log.melds, "row", events.select("row", "new_row")), MELDS),
        deals=_renumbered(_followed(log.deals, "round", of_round), DEALS),
        deposits=_renumbered(_followed(log.deposits, "round", of_round), DEPOSITS),
        claims=_renumbered(claims, CLAIMS),
        shows=_renumbered(_followed(log.shows, "claim", claims.select("claim", "new_claim", "new_round")), SHOWS),
        problems=_renumbered(
            problems.join(inner, on=["round", "new_game"], how="left", maintain_order="left"), PROBLEMS
        ),
        rules=log.rules,
    )


def _followed(table: pl.DataFrame, key: str, chosen: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of a table that refer to the chosen ones, in their order, with columns of new numbers."""
    return chosen.cast({key: table.schema[key]}).join(
        table, on=key, how="inner", nulls_equal=False, maintain_order="left_right"
    )


def _renumbered(table: pl.DataFrame, schema: dict[str, pl.DataType | type[pl.DataType]]) -> pl.DataFrame:
    """Return the schema's columns; the new numbers (``new_round`` …) replace the old ones."""
    new = {name: f"new_{name}" for name in schema if f"new_{name}" in table.columns}
    return conform(table.drop(*new).rename({other: name for name, other in new.items()}), schema)
