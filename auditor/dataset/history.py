"""What a dataset knows about its findings over time: when each was first and last seen, and what is new since a run.

For reading. These functions take the tables as :func:`auditor.dataset.opened.opened` returns them::

    tables = opened(folder)
    found = findings_since(tables)              # against the run before the newest; or "2026-11-30", or a run's name
    found.new                                   # pl.DataFrame, a row a finding: the dataset has it, and had it not then
    found.gone                                  # pl.DataFrame, a row a finding: the dataset had it then, and has it not
    runs(tables)                                # pl.DataFrame, a row a run, oldest first
    history(tables)                             # pl.LazyFrame, a row a finding that was ever there
    with_history(tables)                        # pl.LazyFrame, all rows of `findings`, with finding and first_seen

- ``new`` has the columns of the table `findings`, then ``finding`` (the id, 16 hex digits) and ``first_seen``. Of
  copies of a game only one row counts. Findings that no run has noted yet (one goes on just now, or was killed) are new
  too; their ``finding`` and ``first_seen`` are null.
- ``gone`` has the columns `HISTORY`: ``finding``, ``first_seen``, ``last_seen``, ``gone``, ``change``, ``why``, then
  the finding's values as they were last noted (code, severity, game_id, source … message).
- ``runs`` has the columns of the table `runs`, after ``run``, the run's name. ``known``, ``new`` and ``gone`` count.
- ``history`` has the columns `HISTORY` too. ``change`` is the state: appeared or seen (the dataset has it), unseen
  (its check or its file was not looked at again, so nobody knows), gone. ``first_seen``, ``last_seen`` and ``gone`` are
  when the run began (``gone``: or when `auditor forget` ran). ``last_seen`` is the newest run if the dataset has it.

Times are UTC. README.md of this folder says when two findings are the same one.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from auditor.dataset.schema import TABLES, VIEWS

if TYPE_CHECKING:
    from collections.abc import Mapping

    Tables = Mapping[str, pl.LazyFrame]

NAME = "%Y%m%dT%H%M%S%f"
"""How a run is named, by the time when it began, as `summaries/<run>.json` is."""
APPEARED, SEEN, UNSEEN, GONE = "appeared", "seen", "unseen", "gone"
"""The changes of what is known about a finding."""
HISTORY = [*VIEWS["history"].types]
"""The columns of :func:`history`."""
_OF_GAME = ["code", "round", "event", "seat", "recorded"]
"""With its game and its number among equal ones, they make a finding what it is."""


class RunError(Exception):
    """No run has this name, or more than one has."""


class Since(NamedTuple):
    """What is new and what is gone, and the run that it is compared with; None: there is no run before."""

    new: pl.DataFrame
    gone: pl.DataFrame
    run: datetime | None


def keyed(findings: pl.LazyFrame) -> pl.LazyFrame:
    """Return findings with ``nth`` and ``key``, a text that is the same for two findings if they are the same one.

    ``nth`` numbers equal findings of one game of one source, from 1. If the columns have ``nth``, it stays.
    """
    subject = pl.coalesce("game_id", pl.format("{}\x1f{}", "source", pl.col("within").fill_null("")))
    parts = [subject, *(pl.col(name).cast(pl.String).fill_null("") for name in _OF_GAME)]
    if "nth" not in findings.collect_schema():
        same = ["source", "within", "game_id", *_OF_GAME]
        findings = findings.with_columns(nth=pl.int_range(1, pl.len() + 1, dtype=pl.UInt32).over(same))
    return findings.with_columns(key=pl.concat_str(*parts, pl.col("nth").cast(pl.String), separator="\x1f"))


def latest(changes: pl.LazyFrame, until: datetime | None = None) -> pl.LazyFrame:
    """Return the newest change of each finding (until a time), with ``first_seen``."""
    if until is not None:
        changes = changes.filter(pl.col("at") <= until)
    first = pl.col("at").filter(pl.col("change") == APPEARED).min()
    return changes.sort("at").group_by("finding").agg(pl.all().last(), first_seen=first)


def history(tables: Tables) -> pl.LazyFrame:
    """Return a row for each finding that was ever there, with the columns `HISTORY`."""
    newest = tables["runs"].select(newest=pl.col("begun").max())
    return (
        latest(tables["changes"])
        .join(newest, how="cross")
        .with_columns(
            last_seen=pl.coalesce("last_seen", "newest"),
            gone=pl.when(pl.col("change") == GONE).then("at"),
        )
        .select(HISTORY)
        .sort("first_seen", "code", "source", "event", "finding")
    )


def runs(tables: Tables) -> pl.DataFrame:
    """Return the runs, oldest first, each with its name ``run``."""
    found = tables["runs"].sort("begun").collect()
    names = [begun.strftime(NAME) for begun in found["begun"]]
    return found.insert_column(0, pl.Series("run", names, pl.String))


def run_named(tables: Tables, text: str) -> datetime:
    """Return when a run began. It is named by its time (the beginning suffices), or by -1, -2 …: the newest, and so on.

    Raises
    ------
    RunError
        when no run has this name, or more than one has

    """
    begun = _begun(tables)
    if re.fullmatch(r"-\d{1,9}", text) and 0 < int(text[1:]) <= len(begun):
        return begun[int(text)]
    digits = _digits(text)
    found = [each for each in begun if digits and each.strftime("%Y%m%d%H%M%S%f").startswith(digits)]
    if len(found) == 1:
        return found[0]
    some = ", ".join(each.strftime(NAME) for each in (found or begun)[-5:])
    what = "names more than one run" if found else "names no run"
    raise RunError(f"{text}: {what}; runs are named by the time when they began (UTC), the newest are {some or 'none'}")


def _begun(tables: Tables) -> list[datetime]:
    """Return when each run began, in order."""
    return tables["runs"].select(pl.col("begun").sort()).collect()["begun"].to_list()


def newest(tables: Tables) -> datetime | None:
    """Return when the newest run began, or when `auditor forget` last changed something; None: neither was ever."""
    times = [
        tables[name].select(pl.col(at).max()).collect().item() for name, at in (("runs", "begun"), ("changes", "at"))
    ]
    return max((each for each in times if each is not None), default=None)


def _digits(text: str) -> str:
    """Return the digits of a date, a time or a run's name; an empty text if it is none of them."""
    return re.sub(r"\D", "", found[1]) if (found := re.fullmatch(r"([0-9]{4}[-0-9:T .]*)(Z|\+00:?00)?", text)) else ""


def before(tables: Tables, text: str | None) -> datetime | None:
    """Return the time of the run to compare with; None: no run was before.

    Parameters
    ----------
    tables
        the dataset's tables
    text
        a run (:func:`run_named`); or a date: the last run that began before that day (UTC); None: the run before the
        newest

    Raises
    ------
    RunError
        when it is neither

    """
    begun = _begun(tables)
    if text is None:
        return begun[-2] if len(begun) > 1 else None
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        try:
            day = datetime.fromisoformat(text).replace(tzinfo=UTC)
        except ValueError as error:
            raise RunError(f"{text}: no date ({error}); give YYYY-MM-DD, or the name of a run") from error
        earlier = [each for each in begun if each < day]
        return earlier[-1] if earlier else None
    return run_named(tables, text)


def findings_since(tables: Tables, since: str | None = None) -> Since:
    """Return the findings that the dataset has and had not after an earlier run, and those that it had and has no more.

    Parameters
    ----------
    tables
        the dataset's tables
    since
        as in :func:`before`

    Raises
    ------
    RunError
        when no run has this name

    """
    run = before(tables, since)
    return between(tables, run, None)


def between(tables: Tables, then: datetime | None, now: datetime | None) -> Since:
    """Return what is new and gone at one time against another; ``now`` None: in the dataset as it is.

    At an earlier ``now``, the rows of ``new`` are those of the history, with the columns `HISTORY`.
    """
    known = pl.col("change") != GONE
    empty = tables["changes"].limit(0)
    old = (latest(tables["changes"], then) if then else latest(empty)).filter(known).select("finding").collect()
    states = latest(tables["changes"], now)
    current = states.filter(known).select("finding").collect()
    told = history(_until(tables, now) if now else tables)
    gone = told.join(old.lazy().join(current.lazy(), on="finding", how="anti"), on="finding", how="semi").collect()
    if now:
        new = told.join(current.lazy().join(old.lazy(), on="finding", how="anti"), on="finding", how="semi").collect()
        return Since(new, gone, then)
    rows = with_history(tables)
    fresh = rows.join(old.lazy(), on="finding", how="anti").unique("key", keep="first", maintain_order=True)
    return Since(fresh.drop("key").collect(), gone, then)


def _until(tables: Tables, now: datetime) -> Tables:
    """Return the tables of what runs noted, as they were after the run that began then."""
    changes, runs_ = tables["changes"].filter(pl.col("at") <= now), tables["runs"].filter(pl.col("begun") <= now)
    return {**tables, "changes": changes, "runs": runs_}


def with_history(tables: Tables) -> pl.LazyFrame:
    """Return the rows of `findings`, then ``finding``, ``first_seen`` and ``key`` (:func:`keyed`), in their order."""
    states = keyed(latest(tables["changes"])).select("key", "finding", "first_seen")
    return keyed(tables["findings"]).drop("nth").join(
        states.unique("key"), on="key", how="left", maintain_order="left"
    ).select(*TABLES["findings"].types, "finding", "first_seen", "key")  # fmt: skip
