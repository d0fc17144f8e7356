"""Values that a format must have and a log does not tell: recomputed by the audit, and named."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from auditor.audit.frames import Frames
from auditor.log.tables import SHOWS
from auditor.readers.written.game import games as as_played

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from auditor.log.tables import Log
    from auditor.readers.written.game import Game

Told = dict[int, list[str]]
"""What was recomputed, by the row of the game."""

_DORA = {52: "expected_dora_han", 54: "expected_red_han", 53: "expected_ura_han"}
_VALUES = ("fu", "points")


def completed(log: Log, needs: Collection[str]) -> tuple[Log, Told]:
    """Return a log with the values that a format must have, and those that were recomputed because the log lacks them.

    A value that the replay cannot tell, because a tile or a rule is unknown, stays null.

    Parameters
    ----------
    log
        a batch's canonical tables
    needs
        what the format must have: ``yaku``, ``fu``, ``points``, ``final_points``, ``tenpai``

    """
    frames, told = Frames(log, pl.DataFrame()), defaultdict[int, list[str]](list)
    found = log
    if "tenpai" in needs and not log.games["hands_shown"].all():
        found = _with_tenpai(found, frames, told)
    won = log.claims.filter(reason="win")
    if "yaku" in needs and (won["yaku"].is_null() & won["yakuman"].is_null()).any():
        found = _with_yaku(found, frames, told)
    for name in _VALUES:
        if name in needs and won[name].has_nulls():
            found = _with_values(found, frames, name, told)
    if "final_points" in needs and log.games["final_points"].has_nulls():
        found = _with_final_points(found, frames, told)
    return found, told


def games(log: Log, needs: Collection[str]) -> Iterator[Game]:
    """Yield a log's games, completed; ``lacks`` names what was recomputed."""
    found, told = completed(log, needs)
    for game in as_played(found):
        yield replace(game, lacks=[*game.lacks, *told.get(game.row["game"], ())])


def _name(told: Told, log: Log, rounds: Iterable[int], what: str) -> None:
    """Add to what was recomputed a value of these rounds."""
    place = log.rounds.select("game", "nth").rows()
    for each in rounds:
        game, nth = place[each]
        told[game].append(f"round {nth}: {what}, which is recomputed")


def _with_values(log: Log, frames: Frames, name: str, told: Told) -> Log:
    """Return a log whose wins have recomputed fu, or points, where it states none."""
    expected = frames.wins.select("claim", pl.col(f"expected_{name}").cast(log.claims[name].dtype).alias("known"))
    claims = log.claims.join(expected, on="claim", how="left", maintain_order="left")
    _name(told, log, claims.filter(pl.col(name).is_null(), pl.col("known").is_not_null())["round"], name)
    claims = claims.with_columns(pl.coalesce(name, "known").alias(name)).drop("known")
    return replace(log, claims=claims)


def _with_yaku(log: Log, frames: Frames, told: Told) -> Log:
    """Return a log whose wins have recomputed lists of yaku where it states none."""
    wins = frames.wins.with_columns(total=pl.Series(frames.scored.units, dtype=pl.Int16))
    lacking = wins.filter(
        pl.col("yaku").is_null(),
        pl.col("yakuman").is_null(),
        pl.col("expected_yaku").is_not_null(),
        pl.col("scoreable"),
    )
    names = ("yaku", "han", "yakuman", "units", "total_units")
    columns: dict[str, list[Any]] = {name: log.claims[name].to_list() for name in names}
    for row in lacking.iter_rows(named=True):
        for name, value in _listed(row).items():
            columns[name][row["claim"]] = value
    _name(told, log, lacking["round"], "yaku")
    values = [pl.Series(name, each, dtype=log.claims[name].dtype) for name, each in columns.items()]
    return replace(log, claims=log.claims.with_columns(values))


def _listed(row: dict[str, Any]) -> dict[str, Any]:
    """Return the columns of a win's yaku, from those of its recomputed ones."""
    if row["total"]:
        yakuman, total = [each["yaku"] for each in row["expected_yaku"]], row["total"]
        units = [total] if len(yakuman) == 1 else [1] * len(yakuman) if total == len(yakuman) else None
        return {"yakuman": yakuman, "units": units, "total_units": total}
    yaku = {each["yaku"]: each["han"] for each in row["expected_yaku"]}
    yaku |= {number: row[name] for number, name in _DORA.items() if row[name]}
    return {"yaku": list(yaku), "han": list(yaku.values())}


def _with_final_points(log: Log, frames: Frames, told: Told) -> Log:
    """Return a log whose games have final points by the rules where it states none."""
    expected = frames.final_scores.select("game", pl.col("expected_points").alias("known"))
    games = log.games.join(expected, on="game", how="left", maintain_order="left")
    for game in games.filter(pl.col("final_points").is_null(), pl.col("known").is_not_null())["game"]:
        told[game].append("final points, which are recomputed")
    return replace(log, games=games.with_columns(final_points=pl.coalesce("final_points", "known")).drop("known"))


def _with_tenpai(log: Log, frames: Frames, told: Told) -> Log:
    """Return a log whose draws show the hands that they pay, or, if they do not tell, those that are tenpai by play.

    A game of which one hand's last state is unknown stays as it is.
    """
    draws = frames.exhaustive_draws
    game = log.rounds["game"].to_numpy()[draws.round]
    known = ~log.untold[draws.claim] | (draws.known | ~draws.case.seated).all(axis=1)
    changed = ~log.games["hands_shown"].to_numpy()
    changed[game[~known]] = False
    here = changed[game]
    _name(told, log, draws.round[here & log.untold[draws.claim]], "which hands are tenpai")
    draw, seat = np.nonzero(draws.shown & here[:, None])
    claim = draws.claim[draw]
    shows = log.claims[claim].select("claim", "round", "event")
    shows = shows.with_columns(pl.Series("seat", seat), pl.Series("tile_ids", [None] * len(seat))).cast(
        pl.Schema(SHOWS)
    )
    shows = pl.concat([log.shows, shows.select(*SHOWS)]).unique(["claim", "seat"], keep="first").sort("claim", "seat")
    games = log.games.with_columns(hands_shown=pl.Series(changed) | log.games["hands_shown"])
    return replace(log, shows=shows, games=games)
