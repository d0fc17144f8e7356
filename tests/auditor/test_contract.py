"""The contract of readers: columns have the stated types, rows fit together, and absent columns stay null."""

from __future__ import annotations

import re
from dataclasses import replace

import polars as pl
import pytest

from auditor.log import invariants, tables
from auditor.log.columns import RANGES, TABLES
from auditor.log.invariants import RowError, check_rows
from auditor.log.tables import ColumnError, conform
from auditor.readers import READERS, mjlog
from auditor.sources import log_files
from tests.kit.audits import FIXTURES, TENHOU, files_below, source


@pytest.fixture(scope="module")
def log(shipped, shipped_of_three):
    """Give a log that has rows in every table, of four players and of three."""
    found = mjlog.READER.read([*shipped[0], *shipped_of_three[0]], TENHOU.rules)
    some = conform(pl.DataFrame({"code": "L003", "game": 1, "recorded": "a", "expected": "b", "round": 20}), *PROBLEM)
    hints = conform({name: [1] for name in tables.HINTS}, tables.HINTS)
    offers = conform({name: [1] for name in tables.OFFERS}, tables.OFFERS)
    return replace(found, problems=pl.concat([found.problems, some]), hints=hints, offers=offers)


PROBLEM = (tables.PROBLEMS, ("event", "pos", "seat", "play", "rest"))


def changed(log, table, **columns):
    """Give the log with columns of one table replaced, in their own types."""
    frame = getattr(log, table)
    return replace(log, **{table: frame.with_columns(**columns).cast(dict(frame.schema))})


def test_a_misspelt_column_is_named():
    """A misspelt column is reported with the columns that exist."""
    frame = pl.DataFrame({name: [] for name in tables.ROUNDS}).rename({"honba": "hoba"})
    with pytest.raises(ColumnError, match=r"missing: honba \(other columns there: hoba\)"):
        conform(frame, tables.ROUNDS)
    with pytest.raises(ColumnError, match="missing: honba"):
        conform(frame, tables.ROUNDS, ("dice",))
    with pytest.raises(ColumnError, match="no such column: hoba"):
        conform(frame, tables.ROUNDS, ("hoba",))


def test_an_absent_column_is_null_and_may_not_be_there():
    """A column that a reader declares absent is null, and a value in it is refused."""
    frame = pl.DataFrame({"round": [0], "event": [3], "seat": [1]})
    assert conform(frame, tables.DEPOSITS, ("scores",))["scores"].to_list() == [None]
    with pytest.raises(ColumnError, match="stated to be absent, but there: seat"):
        conform(frame, tables.DEPOSITS, ("scores", "seat"))


@pytest.mark.parametrize("table", TABLES)
def test_a_log_takes_no_other_columns(log, table):
    """A column too many, too few, of another type or in another order is refused by name."""
    frame = getattr(log, table)
    name = frame.columns[-1]
    wrong = {
        f"table {table}: no column {name}": frame.drop(name),
        f"table {table}: an unknown column hoba": frame.with_columns(hoba=1),
        f"table {table}: {name} is Time, not ": frame.with_columns(pl.lit(None, pl.Time).alias(name)),
        f"table {table}: columns in another order": frame.select(reversed(frame.columns)),
    }
    for message, bad in wrong.items():
        with pytest.raises(ColumnError) as raised:
            replace(log, **{table: bad})
        assert message in str(raised.value)


@pytest.mark.parametrize(
    ("table", "name"),
    [(table, name) for table, columns in TABLES.items() for name in columns if not columns[name].nullable],
)
def test_a_null_in_a_required_column_is_found(log, table, name):
    """A null in a column that must not be null is found."""
    with pytest.raises(RowError, match=rf"{table}\.{name} may not be null \(1 rows are\)"):
        check_rows(changed(log, table, **{name: pl.when(pl.int_range(pl.len()) > 0).then(name)}))


def beyond(table, name):
    """Give the number after a column's highest, or null if its type cannot hold it."""
    kind = TABLES[table][name].type
    return pl.Series([RANGES[table][name].high + 1]).cast(getattr(kind, "inner", kind), strict=False)[0]


@pytest.mark.parametrize(
    ("table", "name"),
    [(table, name) for table in RANGES for name in RANGES[table] if beyond(table, name) is not None],
)
def test_bounds_hold_in_rows(log, table, name):
    """A number beyond its bounds is found, also in a list or an array."""
    kind, value = TABLES[table][name].type, beyond(table, name)
    if isinstance(kind, pl.List | pl.Array):
        value = pl.Series([[value] * getattr(kind, "size", 1)], dtype=kind).first()
    first = pl.int_range(pl.len()) == 0
    with pytest.raises(RowError, match=rf"{table}\.{name}: "):
        check_rows(changed(log, table, **{name: pl.when(first).then(pl.lit(value, kind)).otherwise(name)}))


last = pl.int_range(pl.len()) == pl.len() - 1
kind, event = pl.col("kind"), pl.col("event")
POINTS = pl.Array(pl.Int32, 4)
BROKEN = {
    "games.game is not 0, 1, 2": ("games", {"game": pl.col("game").reverse()}),
    "rounds.game names row 9999 of games": ("rounds", {"game": pl.when(last).then(9999).otherwise("game")}),
    "games.rules names row 99 of rules": ("games", {"rules": pl.when(last).then(99).otherwise("rules")}),
    "deals is not sorted by round, seat": ("deals", {"seat": pl.col("seat").reverse()}),
    "_round_numbers": ("rounds", {"nth": pl.col("nth") + 1}),
    "_deals": (
        "events",
        {"kind": pl.when((kind == "deal") & (pl.col("seat") == 3)).then(pl.lit("draw")).otherwise(kind)},
    ),
    "_event_numbers": ("events", {"event": pl.when(last).then(0).otherwise("event")}),
    "_seats": ("events", {"seat": pl.when(kind != "draw").then("seat")}),
    "_seats_that_exist": ("claims", {"liable": pl.when(last).then(3).otherwise("liable")}),
    "_entries_by_seat": ("claims", {"before": pl.when(last).then(pl.lit([1, 2, 3, 4], POINTS)).otherwise("before")}),
    "_players_listed": ("games", {"ranks": pl.when(last).then(pl.lit(["9級"] * 4)).otherwise("ranks")}),
    "_melds": ("events", {"kind": pl.when(kind == "pon").then(pl.lit("draw")).otherwise(kind)}),
    "_results": ("claims", {"event": event + 1}),
    "_claim_numbers": ("claims", {"nth": pl.lit(1)}),
    "_worth_of_draws": ("claims", {"fu": pl.lit(30)}),
    "_yaku": ("claims", {"han": pl.col("han").list.head(1)}),
    "_shows": ("shows", {"round": pl.lit(0)}),
    "_deposits": ("deposits", {"event": event + 1}),
    "_places_of_problems": ("problems", {"game": pl.lit(0)}),
}
"""By message or rule: a table and columns that break it."""


@pytest.mark.parametrize("rule", BROKEN)
def test_a_rule_that_is_broken_is_named(log, rule):
    """Each rule finds the rows that break it, and its message says what should hold."""
    table, columns = BROKEN[rule]
    message = getattr(invariants, rule).__doc__ if rule.startswith("_") else rule
    with pytest.raises(RowError) as raised:
        check_rows(changed(log, table, **columns))
    assert message in str(raised.value)


def test_every_rule_is_broken_above():
    """Every rule has an entry in BROKEN."""
    assert {rule.__name__ for rule in invariants.RULES} == {rule for rule in BROKEN if rule.startswith("_")}


@pytest.fixture(scope="module")
def by_reader():
    """Give all fixtures of each format as its reader reads them."""
    files = [log_files.read(path) for path in files_below(FIXTURES)]
    seeded = next(each.data for each in files if each.name.endswith(".mjlog"))
    seeded = seeded.replace(b"<GO ", b'<SHUFFLE seed="none of ours has one" ref=""/><GO ', 1)
    majsoul = b'"majsoul":{"mode_id":12,"uuid":"220714-faa69c2d-8321-4748-b027-0b13edfeb704"},"type":'
    start = re.compile(rb'"type":\s*(?="start_game")')
    named = next(start.sub(majsoul, each.data, count=1) for each in files if start.search(each.data))
    files = [*(each for each in files if each.readable), source(seeded), source(named, "named.mjson")]
    return {
        reader.name: reader.read([each for each in files if reader.is_format(each.data)], TENHOU.rules)
        for reader in READERS
    }


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_absent_columns_are_those_never_filled(by_reader, reader):
    """The columns that a reader declares absent are exactly those that no fixture of its format fills."""
    log = by_reader[reader.name]
    empty = {
        (table, name)
        for table in TABLES
        for name in TABLES[table]
        if getattr(log, table)[name].null_count() == len(getattr(log, table)) and table != "problems"
    }
    assert empty == {(table, name) for table, names in reader.absent.items() for name in names}
