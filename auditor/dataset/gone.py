"""Why findings are not in the dataset any more: they are gone, or nobody has looked for them.

A finding is gone only if its check ran on its file again and did not report it, or if its file is no source any more.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from auditor.dataset.history import GONE, UNSEEN

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime

FORGOTTEN, FILE, RULES, AUDITOR, OTHER, AGAIN = (
    "file forgotten", "file changed", "rules changed", "auditor changed", "another file changed", "audited again",
)  # fmt: skip
"""Why a finding is gone."""
NOT_SELECTED, NOT_READ, LOST = "check not selected", "file not readable", "rows of its file were damaged"
UNKNOWN = (NOT_SELECTED, NOT_READ, LOST)
"""Why nobody knows whether a finding is still there."""


class Audit(NamedTuple):
    """What a run looks for.

    ``at`` is when it began, ``digest`` that of its audit, ``options`` its rules and checks as JSON, ``codes`` its
    checks. ``whole`` has the checks of the whole dataset, which every run that has them makes anew.
    """

    at: datetime
    digest: str
    options: str
    codes: Collection[str]
    whole: Collection[str]


def judged(left: pl.DataFrame, tables: Mapping[str, pl.LazyFrame], audit: Audit, last: datetime | None) -> pl.DataFrame:
    """Return those of ``left`` about which something new is known, with ``change``, ``why`` and ``last_seen``.

    Parameters
    ----------
    left
        rows of `changes`: findings that were known, and that the dataset has no more
    tables
        the dataset's tables `sources` and `runs`
    audit
        the run that judges
    last
        when the run before began

    """
    rows = (
        left.lazy()
        .with_columns(own=pl.when(_MEMBER).then(pl.col("source").str.split("!").list.first()))
        .join(tables["sources"].select("source", "status", "audit", now="sha256"), on="source", how="left")
        .join(tables["sources"].select(own="source", archive=pl.lit(value=True)), on="own", how="left")
        .join(_looked(tables["runs"], audit), on=["audit", "code"], how="left")
        .join(_causes(tables["runs"], audit, last).lazy(), on="audit", how="left")
        .with_columns(why=_why(audit))
        .with_columns(new=pl.when(pl.col("why").is_in(UNKNOWN)).then(pl.lit(UNSEEN)).otherwise(pl.lit(GONE)))
        .filter(pl.col("why").is_not_null(), (pl.col("new") == GONE) | (pl.col("change") != UNSEEN))
    )
    return rows.with_columns(change="new", last_seen=last_seen(last)).select(left.columns).collect()


def last_seen(last: datetime | None) -> pl.Expr:
    """Return when a finding was last seen: as noted, or when the run before began, or when it was noted."""
    return pl.coalesce("last_seen", pl.lit(last, pl.Datetime("us", "UTC")), "at")


_MEMBER = pl.col("source").str.contains("!", literal=True)


def _why(audit: Audit) -> pl.Expr:
    """Return the reason why each finding is not there; null: it is not known which checks ran on its file."""
    code, missing = pl.col("code"), pl.col("status").is_null()
    unread = (pl.col("status") == "unreadable") & (pl.col("now") == "") & pl.col("game_id").is_not_null()
    changed = pl.col("now").ne_missing(pl.col("sha256"))
    whole = code.is_in(list(audit.whole))
    cases = (
        (whole & ~code.is_in(list(audit.codes)), NOT_SELECTED),
        (missing & pl.col("archive").is_not_null(), FILE),
        (missing, LOST),
        (whole & changed, FILE),
        (whole, OTHER),
        (unread, NOT_READ),
        (pl.col("cause").is_null(), None),
        (pl.col("looked").is_null(), NOT_SELECTED),
        (changed, FILE),
    )
    said = pl.col("cause")
    for holds, why in reversed(cases):
        said = pl.when(holds).then(pl.lit(why, pl.String)).otherwise(said)
    return said


def _looked(runs: pl.LazyFrame, audit: Audit) -> pl.LazyFrame:
    """Return a row for each check of each audit that is known: ``audit``, ``code``, ``looked``."""
    codes = pl.col("checks").list.eval(pl.element().struct["code"])
    past = runs.select("audit", code=codes).explode("code")
    mine = pl.LazyFrame({"audit": audit.digest, "code": list(audit.codes)}, {"audit": pl.String, "code": pl.String})
    return pl.concat([past, mine]).unique().with_columns(looked=pl.lit(value=True))


def _causes(runs: pl.LazyFrame, audit: Audit, last: datetime | None) -> pl.DataFrame:
    """Return for each audit that is known what makes it differ from that of the run before: ``audit``, ``cause``."""
    said = runs.select("begun", "audit", "options").collect()
    options = {digest: json.loads(text) for _, digest, text in said.iter_rows()} | {
        audit.digest: json.loads(audit.options)
    }
    before: dict[str, Any] = next((json.loads(text) for begun, _, text in said.iter_rows() if begun == last), {})
    causes = {digest: _cause(before, each) for digest, each in options.items()}
    return pl.DataFrame(
        {"audit": list(causes), "cause": list(causes.values())}, {"audit": pl.String, "cause": pl.String}
    )


def _cause(before: dict[str, Any], now: dict[str, Any]) -> str:
    if before.get("rules") != now.get("rules"):
        return RULES
    return AUDITOR if before.get("program") != now.get("program") else AGAIN
