"""What a run, or the removal of sources, changes in what is known about findings: the rows of the table `changes`.

The findings of the dataset, as it is now, are compared with the newest change of each finding (history.py). README.md
of this folder says when two findings are the same one, and when one is gone; `gone.py` decides the latter.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from auditor.dataset import gone
from auditor.dataset.history import APPEARED, GONE, SEEN, UNSEEN, keyed, latest
from auditor.dataset.schema import TABLES

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime

    from auditor.dataset.gone import Audit

    Tables = Mapping[str, pl.LazyFrame]

CHANGES = TABLES["changes"].types
_NOTED = ["sha256", "nth", *(name for name in CHANGES if name in TABLES["findings"].types)]
"""The columns of `changes` that describe the finding itself."""
_IN_FILE = ["source", "within", "code", "round", "seat", "player", "recorded"]
"""A finding of a file that was audited again is the same if it agrees in these, whatever its game's id and event."""
_MOVED = ["sha256", "code", "round", "event", "seat", "recorded"]
"""A finding without a game, of a file that is no source any more, is the same if it agrees in these."""


class Noted(NamedTuple):
    """What a run has changed: the rows of `changes`, and how many findings the dataset has, are new, and are gone."""

    rows: pl.DataFrame
    known: int
    new: int
    gone: int


def of_run(tables: Tables, audit: Audit) -> Noted:
    """Return what a run has changed, when all its parts are in place.

    Parameters
    ----------
    tables
        the dataset's tables `findings`, `sources`, `changes` and `runs`; the latter two without this run
    audit
        what the run looked for

    """
    tables = _read_once(tables)
    last = tables["runs"].select(pl.col("begun").max()).collect().item()
    here, known = _here(tables), _known(tables)
    again = _again(tables, known, here)
    fresh = _rows(tables, here.join(known, on="key", how="anti"))
    lacking = known.join(here, on="key", how="anti")
    left = _as_noted(tables, lacking.filter(pl.col("change") != GONE))
    forgotten = lacking.filter(pl.col("change") == GONE, pl.col("at") > last) if last else lacking.clear()
    same = _same(left, _as_noted(tables, forgotten), fresh, tables["sources"])
    new = _new(fresh.join(same, on="key", how="anti"), audit.at)
    lost = gone.judged(left.join(same, on="finding", how="anti"), tables, audit, last)
    rows = _changes([again, same, new, lost], audit.at)
    then = latest(tables["changes"], last).filter(pl.col("change") != GONE) if last else known.clear().lazy()
    old = then.select("finding").collect()
    now = pl.concat(
        [known.join(rows, on="finding", how="anti").select("finding", "change"), rows[["finding", "change"]]]
    )
    there = now.filter(pl.col("change") != GONE)
    return Noted(
        rows,
        known=here["key"].n_unique(),
        new=len(there.join(old, on="finding", how="anti")),
        gone=len(old.join(there, on="finding", how="anti")),
    )


def of_removal(tables: Tables, removed: Collection[str], at: datetime, *, whole: Collection[str]) -> pl.DataFrame:
    """Return the rows of `changes` that the removal of sources adds.

    A finding that another copy of its game still has is seen there. What an unfinished run has changed is left to the
    next run.

    Parameters
    ----------
    tables
        the tables `findings` and `sources` without the removed sources; `changes` and `runs` as they are
    removed
        the sources
    at
        when they are removed
    whole
        checks of the whole dataset: their findings can go too

    """
    tables = _read_once(tables)
    last = tables["runs"].select(pl.col("begun").max()).collect().item()
    here, known = _here(tables), _known(tables).filter(pl.col("change") != GONE)
    mine = pl.col("source").is_in(pl.Series(sorted(removed), dtype=pl.String).implode())
    touched = known.filter(mine)
    others = _as_noted(tables, known.filter(~mine)).filter(pl.col("code").is_in(list(whole)))
    again = _again(tables, touched, here)
    lost = pl.concat([_as_noted(tables, touched), others]).join(here, on="key", how="anti")
    why = pl.when(mine).then(pl.lit(gone.FORGOTTEN)).otherwise(pl.lit(gone.OTHER))
    return _changes([again, lost.with_columns(change=pl.lit(GONE), why=why, last_seen=gone.last_seen(last))], at)


def _read_once(tables: Tables) -> Tables:
    """Return the tables with those in memory that have a file for every run."""
    return {**tables, **{name: tables[name].collect().lazy() for name in ("changes", "runs")}}


def _here(tables: Tables) -> pl.DataFrame:
    """Return ``key``, ``source`` and ``sha256`` of each finding in the dataset."""
    digests = tables["sources"].select("source", "sha256")
    return keyed(tables["findings"]).select("key", "source").join(digests, on="source", how="left").collect()


def _known(tables: Tables) -> pl.DataFrame:
    """Return, as last noted, each finding's ``finding``, ``key``, ``source``, ``sha256``, ``change`` and ``at``."""
    return keyed(latest(tables["changes"])).select("finding", "key", "source", "sha256", "change", "at").collect()


def _rows(tables: Tables, keys: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of the findings with these keys, as `changes` has them, with ``key``; copies by their sources."""
    digests = tables["sources"].select("source", "sha256")
    found = keyed(tables["findings"]).join(keys.select("key").unique().lazy(), on="key", how="semi")
    found = found.join(digests, on="source", how="left")
    return found.select("key", *_NOTED).sort("source", "within", "nth", "event", maintain_order=True).collect()


def _as_noted(tables: Tables, which: pl.DataFrame) -> pl.DataFrame:
    """Return the newest row of `changes` of each of these findings, with ``key``."""
    rows = latest(tables["changes"]).join(which.select("finding").lazy(), on="finding", how="semi")
    return keyed(rows).select("key", *CHANGES).collect()


def _again(tables: Tables, known: pl.DataFrame, here: pl.DataFrame) -> pl.DataFrame:
    """Return findings that are back, or that are there in a changed file or another one, as they are now."""
    back = known.filter(pl.col("change").is_in([GONE, UNSEEN])).join(here, on="key", how="semi")
    stays = known.join(here, on=["key", "source", "sha256"], how="semi", nulls_equal=True)
    moved = known.join(here, on="key", how="semi").join(stays, on="finding", how="anti")
    which = pl.concat([back, moved]).unique("finding").select("key", "finding", "change")
    was_gone = pl.col("change") == GONE
    rows = _rows(tables, which).unique("key", keep="first", maintain_order=True).join(which, on="key")
    return rows.with_columns(change=pl.when(was_gone).then(pl.lit(APPEARED)).otherwise(pl.lit(SEEN)))


def _same(left: pl.DataFrame, forgotten: pl.DataFrame, fresh: pl.DataFrame, sources: pl.LazyFrame) -> pl.DataFrame:
    """Return the findings that have another key and are the same: their file has changed, or it was moved.

    Parameters
    ----------
    left
        findings that are known, and whose key is not there any more
    forgotten
        those of files that were forgotten since the last run
    fresh
        findings whose key is not known
    sources
        the dataset's sources

    """
    in_file = _paired(left, fresh, _IN_FILE)
    rest, new = left.join(in_file, on="finding", how="anti"), fresh.join(in_file, on="key", how="anti")
    no_source = rest.lazy().join(sources, on="source", how="anti").collect()
    no_game = pl.col("game_id").is_null() & (pl.col("sha256") != "")
    moved = _paired(pl.concat([no_source, forgotten]).filter(no_game), new.filter(no_game), _MOVED)
    was_gone = pl.col("change") == GONE
    change = pl.when(was_gone).then(pl.lit(APPEARED)).otherwise(pl.lit(SEEN))
    return pl.concat([in_file, moved]).with_columns(change=change)


def _paired(old: pl.DataFrame, new: pl.DataFrame, by: list[str]) -> pl.DataFrame:
    """Return the rows of ``new`` that have a partner in ``old``, with its ``finding`` and ``change``, one to one.

    Partners agree in ``by``; of several, the first in the file belongs to the first.
    """
    nth = pl.int_range(pl.len()).over(by)
    olds = old.sort("event", "nth", maintain_order=True).with_columns(at=nth).select("finding", "change", "at", *by)
    news = new.sort("event", "nth", maintain_order=True).with_columns(at=nth)
    found = news.join(olds, on=["at", *by], nulls_equal=True)
    return found.unique("finding", keep="first", maintain_order=True).unique("key", keep="first", maintain_order=True)


def _new(fresh: pl.DataFrame, at: datetime) -> pl.DataFrame:
    """Return findings that nobody has seen before, each once, with an id."""
    first = fresh.unique("key", keep="first", maintain_order=True)
    ids = [hashlib.sha256(f"{key}\x1f{at}".encode()).hexdigest()[:16] for key in first["key"]]
    return first.with_columns(finding=pl.Series(ids, dtype=pl.String), change=pl.lit(APPEARED))


def _changes(parts: list[pl.DataFrame], at: datetime) -> pl.DataFrame:
    """Return rows of the table `changes`; what a part does not have is null."""
    blank = {"why": pl.String, "last_seen": CHANGES["last_seen"]}
    whole = [
        part.with_columns(pl.lit(None, kind).alias(name) for name, kind in blank.items() if name not in part.columns)
        .with_columns(at=pl.lit(at, CHANGES["at"]))
        .select(pl.col(name).cast(kind) for name, kind in CHANGES.items())
        for part in parts
    ]
    return pl.concat(whole).sort("code", "source", "event", "nth", "finding")
