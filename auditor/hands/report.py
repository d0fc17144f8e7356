"""The report on a scored table of hands: columns that are not read, wrong claims, and how many rows were compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from auditor.base.printing import escaped
from auditor.hands.columns import ADDED, CLAIMS, in_other_words, misspelt, name_of

if TYPE_CHECKING:
    from collections.abc import Iterable

SHOWN = 20


def format_report(table: pl.DataFrame) -> str:
    """List the first rows that differ or cannot be read, and count these and the rows that are not checkable."""
    rows = table.with_row_index("row", offset=1)
    wrong = rows.filter(pl.col("mismatch").is_not_null())
    unread = rows.filter(pl.col("unreadable").is_not_null() & pl.col("mismatch").is_null())
    lines = [
        *(_line(row, str(row["mismatch"]), expected=row["problem"] is None) for row in wrong.head(SHOWN).to_dicts()),
        *_more(wrong),
        *(_line(row, f"unreadable claim: {row['unreadable']}") for row in unread.head(SHOWN).to_dicts()),
        *_more(unread),
    ]
    return "\n".join([*lines, "; ".join(_counts(table))])


def _more(rows: pl.DataFrame) -> list[str]:
    return [f"... and {len(rows) - SHOWN:,} more"] if len(rows) > SHOWN else []


def _line(row: dict[str, object], what: str, *, expected: bool = False) -> str:
    parts = [f"row {row['row']}", escaped(str(row["hand"])) if row["hand"] else "no hand", escaped(what)]
    return ": ".join(parts) + (f"; expected {_worth(row)}" if expected else "")


def _worth(row: dict[str, object]) -> str:
    """Return a hand's expected value as text, as far as it is known."""
    size = [f"{row[f'expected_{name}']} {name}" for name in ("han", "fu") if row[f"expected_{name}"] is not None]
    if row["expected_limit"] == 5 and row["expected_han"] == 0:
        size = ["yakuman"]
    known = [*size, *([f"{row['expected_points']} points"] if row["expected_points"] is not None else [])]
    yaku = f": {row['expected_yaku']}" if row["expected_yaku"] else ""
    hangs = f" (depends on {row['depends_on']})" if row["depends_on"] else ""
    return " ".join(known) + yaku + hangs


def _counts(table: pl.DataFrame) -> list[str]:
    differ, unread = table["mismatch"].count(), table["unreadable"].count()
    open_rows = table.filter(pl.col("not_checkable").is_not_null())
    first = f"{len(table):,} hands, "
    parts = [first + (f"{differ:,} differ" if differ or table["compared"].count() else "nothing was compared")]
    if table["problem"].count():
        parts[0] += f" ({table['problem'].count():,} cannot be scored)"
    if len(open_rows):
        rules = sorted(set(", ".join(open_rows["depends_on"].drop_nulls()).split(", ")))
        parts.append(f"{len(open_rows):,} not checkable (the rules do not say {', '.join(rules)})")
    if unread:
        parts.append(f"{unread:,} with claims that cannot be read")
    return parts


def warnings(table: pl.DataFrame) -> list[str]:
    """List columns that are not read though their names look like known ones, and columns that scoring replaces."""
    slips = misspelt(table.columns)
    words = {column: name for column, name in in_other_words(table.columns).items() if column not in slips}
    there = {name_of(column) for column in table.columns}
    lines = [f"column {_quoted([column])} is not read; nearest: {name}" for column, name in slips.items()]
    lines += [
        f"column {_quoted([column])} is not read; is it {name}?" for column, name in words.items() if name not in there
    ]
    earlier = [column for column in table.columns if column in ADDED]
    if earlier:
        lines.append(f"columns of an earlier scoring are replaced: {', '.join(earlier)}")
    return lines


def refusal(table: pl.DataFrame, *, given: bool) -> str | None:
    """Return why a scored table has no result: no claim was compared, and the values were not requested; else None.

    Parameters
    ----------
    table
        as scored
    given
        whether the scored table is given out; then the values are what was asked for, unless a claim is misspelt

    """
    results = table.select("mismatch", "compared", "not_checkable", "unreadable")
    if any(results[name].count() for name in ("mismatch", "compared", "not_checkable")):
        return None
    if any(name_of(column) in CLAIMS for column in table.columns):
        if given:
            return None
        unread = results["unreadable"].drop_nulls()
        why = (
            f"none of its claims can be read: {escaped(unread[0])}"
            if len(unread)
            else "its claims are empty or say nothing"
        )
        return f"nothing was compared: {why}" if len(table) else "nothing was compared: the table has no rows"
    slips = {column: name for column, name in misspelt(table.columns).items() if name in CLAIMS}
    if given and not slips:
        return None
    claims = f"no column claims anything ({', '.join(CLAIMS)})"
    near = "; ".join(f"nearest to {name}: {_quoted([column])}, rename it" for column, name in slips.items())
    return f"nothing was compared: {claims}; {near or 'give --out for the values alone'}"


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"'{escaped(name)}'" for name in names)
