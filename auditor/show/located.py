"""Findings at their tables: which round of which re-read log each finding is in.

The dataset does not have the table at an event, so the sources of the findings are read again.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from auditor.show.moment import TableLookup
from auditor.show.reread import Known, read_again
from auditor.show.win_text import WinLookup
from engine.rules.rule_sets import RuleSet, preset

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Row = Mapping[str, Any]


class Located(NamedTuple):
    """A finding's place in a log that was read again.

    ``at`` is the finding's place in the list that was asked for; ``round`` is the row of ``log.rounds``, or the reason
    why the round cannot be shown. ``tables`` and ``wins`` are those of the batch, None with a reason.
    """

    at: int
    round: int | str
    tables: TableLookup | None = None
    wins: WinLookup | None = None


def located(tables: Mapping[str, pl.LazyFrame], rows: Sequence[Row]) -> Iterator[Located]:
    """Read the sources of findings again, and yield each finding that has a round and an event, at its place.

    Parameters
    ----------
    tables
        of the dataset, lazy
    rows
        the findings, with the columns source, within, game_id, round and event

    """
    by_source: dict[str, list[int]] = defaultdict(list)
    for at, row in enumerate(rows):
        if row["round"] is not None and row["event"] is not None:
            by_source[row["source"]].append(at)
    left = {at for places in by_source.values() for at in places}
    known = _known(tables["sources"], by_source) if by_source else []
    for batch in read_again(known, rules_of_last_run(tables["runs"])) if known else ():
        for name, fault in batch.faults.items():
            left -= set(by_source[name])
            yield from (Located(at, fault) for at in by_source[name])
        for frames in batch.frames:
            seen, wins = TableLookup(frames), WinLookup(frames)
            games = frames.games.select("source", "within", "game_id", "game").rows()
            game_of = {tuple(place): game for *place, game in games}
            round_of = {tuple(place): round_ for *place, round_ in frames.rounds.select("game", "nth", "round").rows()}
            for name in frames.games["source"].unique():
                for at in by_source[name]:
                    row = rows[at]
                    game = game_of.get((name, row["within"], row["game_id"]))
                    round_ = round_of.get((game, row["round"]))
                    if round_ is not None:
                        left.discard(at)
                        yield Located(at, round_, seen, wins)
    yield from (Located(at, "the source has no such round any more") for at in sorted(left))


def _known(sources: pl.LazyFrame, names: Mapping[str, list[int]]) -> list[Known]:
    """Return the sources with these names, with the digests of all their rows."""
    rows = (
        sources.filter(pl.col("source").is_in(list(names)))
        .group_by("source", "path", "member", "file", maintain_order=True)
        .agg("sha256")
        .collect()
    )
    return [
        Known(name, path, member, frozenset(digests), file) for name, path, member, file, digests in rows.iter_rows()
    ]


def rules_of_last_run(runs: pl.LazyFrame) -> RuleSet:
    """Return the rules of the last run; if no run is recorded, the preset ``tenhou``."""
    options = runs.sort("begun").select("options").last().collect()["options"].to_list()
    return RuleSet.from_mapping(json.loads(options[0])["rules"]) if options else preset("tenhou")
