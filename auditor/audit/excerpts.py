"""Some games of a log as a log of their own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import expanded
from auditor.log.tables import Log

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from engine.rules.rule_sets import RuleSet

    Ints = npt.NDArray[np.int64]


def taken(log: Log, games: Ints, *, only_ends: bool = False) -> Log:
    """Return some games of a log, given as rows of ``log.games``, as a log of their own; a game can be taken twice.

    Tables are renumbered; the rule sets stay the same. If ``only_ends``, each game consists of its last round.
    """
    rounds, of_game = _owned(log.rounds["game"], games)
    if only_ends:
        last = np.flatnonzero(np.diff(of_game, append=-1))
        rounds, of_game = rounds[last], of_game[last]
    events, of_round = _owned(log.events["round"], rounds)
    melds, of_event = _owned(log.melds["row"], events)
    deals, dealt = _owned(log.deals["round"], rounds)
    deposits, deposited = _owned(log.deposits["round"], rounds)
    hints, hinted = _owned(log.hints["game"], games)
    offers, offered = _owned(log.offers["game"], games)
    claims, claimed = _owned(log.claims["round"], rounds)
    shows, of_claim = _owned(log.shows["claim"], claims)
    by_game = log.problems.drop_nulls("game").sort("game", maintain_order=True)
    if only_ends:
        by_game = by_game.filter(by_game["round"].is_null() | by_game["round"].is_in(rounds))
    problems, concerned = _owned(by_game["game"], games)
    # The rounds of a game stay together, so all its round numbers move by the same amount.
    begin = np.searchsorted(of_game, np.arange(len(games)))
    moved = begin - np.append(rounds, 0)[begin]
    return Log(
        games=_copied(log.games, games, game=np.arange(len(games))),
        rounds=_copied(log.rounds, rounds, round=np.arange(len(rounds)), game=of_game),
        events=_copied(log.events, events, round=of_round),
        melds=_copied(log.melds, melds, row=of_event),
        deals=_copied(log.deals, deals, round=dealt),
        deposits=_copied(log.deposits, deposits, round=deposited),
        claims=_copied(log.claims, claims, claim=np.arange(len(claims)), round=claimed),
        shows=_copied(log.shows, shows, claim=of_claim, round=claimed[of_claim]),
        problems=_copied(
            by_game, problems, game=concerned, round=by_game["round"].gather(problems) + pl.Series(moved[concerned])
        ),
        rules=log.rules,
        hints=_copied(log.hints, hints, game=hinted),
        offers=_copied(log.offers, offers, game=offered),
    )


def under(log: Log, rules: Sequence[RuleSet]) -> Log:
    """Return a log under other rules, a rule set for each game."""
    different: dict[RuleSet, int] = {}
    rows = pl.Series([different.setdefault(each, len(different)) for each in rules], dtype=log.games.schema["rules"])
    return replace(log, games=log.games.with_columns(rules=rows), rules=list(different))


def _owned(owner: pl.Series, chosen: Ints) -> tuple[Ints, Ints]:
    """Return the rows of a table that belong to the chosen owners, in their order, and the place of each one's owner.

    ``owner`` says for each row of the table, sorted, to what it belongs.
    """
    owners = owner.to_numpy()
    begin, end = (np.searchsorted(owners, chosen.astype(owners.dtype), side) for side in ("left", "right"))
    place, rows = expanded(begin, end - begin)
    return rows, place


def _copied(table: pl.DataFrame, rows: Ints, **numbers: Ints | pl.Series) -> pl.DataFrame:
    """Return rows of a table with new numbers in some columns."""
    index = pl.Series(rows, dtype=pl.UInt32)
    return pl.DataFrame([
        pl.Series(name, numbers[name]).cast(kind) if name in numbers else table[name][index]
        for name, kind in table.schema.items()
    ])  # fmt: skip
