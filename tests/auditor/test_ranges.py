"""Bounds of numbers in the canonical tables: each column has them, and a number beyond becomes null and a problem."""

from __future__ import annotations

import warnings

import polars as pl
import pytest

from auditor.log import tables
from auditor.log.columns import RANGES, SCHEMAS
from auditor.log.ranges import bounded

COUNTED = {"game", "round", "row", "claim", "nth", "rules", "event", "pos", "last_event", "last_pos", "melds"}
"""Columns that a reader numbers itself, or makes from tiles (``claims.melds``): no log states them."""


def _inner(kind):
    return getattr(kind, "inner", None) or kind


@pytest.mark.parametrize("table", SCHEMAS)
def test_every_number_has_bounds_that_its_column_can_store(table):
    """Every numeric column has bounds, each bound is for an existing column, and no bound overflows its type."""
    numeric = {name: _inner(kind) for name, kind in SCHEMAS[table].items() if _inner(kind).is_numeric()}
    assert set(RANGES[table]) == set(numeric) - COUNTED
    for name, bounds in RANGES[table].items():
        assert bounds.low <= bounds.high
        assert bounds.whole == (not numeric[name].is_float())
        ends = pl.Series([bounds.low, bounds.high], dtype=pl.Int64)
        assert ends.cast(numeric[name]).cast(pl.Int64).equals(ends), name


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (100, pl.Int64), (-1, pl.Int64), (300, pl.Int64), (10**18, pl.Int64), (10**30, pl.Int128), (0.7, pl.Float64),
        (float("nan"), pl.Float64), (float("inf"), pl.Float64), (float("-inf"), pl.Float64),
    ],
)  # fmt: skip
def test_a_number_out_of_bounds_is_null_and_a_problem(value, kind):
    """A limit has at most two digits: a larger one is null, with value and place in a problem, and nothing raises."""
    frame = pl.DataFrame({"event": [7, 8, 9], "limit": pl.Series([1, value, None], dtype=kind, strict=False)})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kept, problems = bounded(frame, "claims", {"limit": "AGARI ten"})
        read = kept.cast({"limit": tables.CLAIMS["limit"]})
    assert read["limit"].to_list() == [1, None, None]
    assert problems["code"].to_list() == ["L003"]
    assert problems["event"].to_list() == [8]
    assert problems["recorded"][0].startswith("AGARI ten ")
    assert problems["expected"][0] == "a whole number in 0..99"


def test_a_list_with_one_number_out_of_bounds_is_null():
    """If one number of a list is beyond its bounds, the whole list is null."""
    frame = pl.DataFrame({"deltas": [[1, 2, 3, 4], [1, 2, 3, 10**12], [1, None, 3, 4]], "han": [[1], [1, 500], []]})
    kept, problems = bounded(frame, "claims")
    assert kept["deltas"].to_list() == [[1, 2, 3, 4], None, [1, None, 3, 4]]
    assert kept["han"].to_list() == [[1], None, []]
    assert problems["recorded"].to_list() == ["deltas 1,2,3,1000000000000", "han 1,500"]
    arrays, problems = bounded(pl.DataFrame({"start": [[0, 0, 0, 10**8]]}, {"start": pl.Array(pl.Int64, 4)}), "rounds")
    assert arrays["start"].to_list() == [None]
    assert len(problems) == 1


def test_values_within_bounds_do_not_change():
    """Values within bounds give no copy and no problem; a text in a numeric column is left as it is."""
    frame = pl.DataFrame({"seat": [0, 3], "tile_id": [0, 172], "kind": ["draw", "discard"]})
    kept, problems = bounded(frame, "events")
    assert kept.equals(frame)
    assert problems.is_empty()
    assert problems.schema == pl.Schema(tables.PROBLEMS)
    assert bounded(pl.DataFrame({"seat": ["x"]}), "events")[0]["seat"].to_list() == ["x"]
