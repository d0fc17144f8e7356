"""Lookup tables against plain definitions, and the files that keep them."""

from __future__ import annotations

import multiprocessing
import os
import time
import warnings

import numpy as np
import pytest

from engine.shapes import cache, table_builders, tables
from tests.kit.plain import reference


def sample_keys(size, n=300):
    """Give keys of at most 14 tiles with their counts."""
    rng = np.random.default_rng(size)
    counts = np.array([np.bincount(rng.integers(size, size=rng.integers(15)), minlength=size) for _ in range(n)])
    counts = counts[counts.max(axis=1) <= 4]
    return counts @ 5 ** np.arange(size), counts


@pytest.mark.parametrize(("size", "sets"), [(9, table_builders.SUIT_SETS), (7, table_builders.HONOUR_SETS)])
def test_exact_vectors_count_the_missing_tiles(size, sets):
    """Exact vectors count the missing tiles."""
    keys, counts = sample_keys(size, 60)
    found = table_builders.exact_vectors(sets)[keys]
    for row, held in zip(found, counts.tolist(), strict=True):
        expected = [reference._missing(tuple(held), m, j, size == 9) for j in range(2) for m in range(5)]
        assert row.tolist() == [min(n, table_builders.FAR) for n in expected]


def test_block_vectors_count_the_unfilled_places():
    """Block vectors count the unfilled places."""
    keys, counts = sample_keys(9, 60)
    found = table_builders.block_vectors(table_builders.SUIT_BLOCKS)[keys]
    for row, held in zip(found, counts.tolist(), strict=True):
        used = [reference._most_used(tuple(held), m, j, runs=True) for j in range(2) for m in range(5)]
        wanted = [3 * m + 2 * j for j in range(2) for m in range(5)]
        assert row.tolist() == [w - u for w, u in zip(wanted, used, strict=True)]


def test_every_honour_key_is_exact_when_its_counts_are_sets_and_a_pair():
    """Every honour key is exact when its counts are sets and a pair."""
    _, honour = tables.shape_tables()
    for key in range(5**7):
        counts = [key // 5**i % 5 for i in range(7)]
        pairs, rest = counts.count(2), set(counts) - {0, 2, 3}
        sets = counts.count(3)
        exact = not rest and pairs <= 1 and sets <= 4
        assert honour.shape[key] == (exact and (table_builders.SETS_AND_PAIR if pairs else table_builders.SETS_ONLY))


def test_splits_of_a_key_are_its_divisions():
    """Splits of a key are its divisions."""
    suit, _ = tables.split_tables()
    rng = np.random.default_rng(3)
    for place in rng.integers(len(suit.key), size=200):
        counts = [int(suit.key[place]) // 5**i % 5 for i in range(9)] + [0] * 25
        rows = slice(suit.start[place], suit.start[place + 1])
        sets = sum(counts) // 3
        if sum(counts) % 3 == 2:
            expected = len(list(reference.divisions(counts, sets)))
        else:
            expected = len(reference._sets(tuple(counts), sets))
        assert len(suit.pair[rows]) == expected


def numbers():
    """Build a table, for the tests of its file."""
    built.append(1)
    return {"squares": np.arange(100) ** 2}


built: list[int] = []


@pytest.fixture
def table_folder(tmp_path, monkeypatch):
    """Keep tables in an empty folder and count the builds from zero."""
    monkeypatch.setenv("AUDITOR_CACHE", str(tmp_path))
    built.clear()
    return tmp_path


def test_a_table_is_built_once(table_folder):
    """A table is built once."""
    for _ in range(2):
        assert cache.load("squares", numbers)["squares"][9] == 81
    assert len(built) == 1
    assert len(list(table_folder.iterdir())) == 1


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[:100],
        lambda _: b"",
        lambda content: content[:200] + bytes([content[200] ^ 1]) + content[201:],
        lambda content: b"\0" * len(content),
        *(lambda _, count=count: b"\0" * count for count in (1, 4, 8, 16, 100)),
        lambda _: b"another file",
        lambda content: content + b"more",
    ],
)
def test_a_damaged_file_is_replaced(table_folder, damage):
    """A damaged file is replaced."""
    cache.load("squares", numbers)
    (path,) = table_folder.iterdir()
    sound = path.read_bytes()
    path.write_bytes(damage(sound))
    assert cache.load("squares", numbers)["squares"][9] == 81
    assert len(built) == 2
    assert path.read_bytes() == sound


def test_a_folder_that_cannot_be_written_costs_a_warning(table_folder, monkeypatch):
    """A folder that cannot be written costs a warning."""
    blocked = table_folder / "file"
    blocked.write_text("no folder")
    monkeypatch.setenv("AUDITOR_CACHE", str(blocked))
    with pytest.warns(UserWarning, match="AUDITOR_CACHE"):
        assert cache.load("squares", numbers)["squares"][9] == 81
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cache.load("squares", numbers)


def test_the_folder_follows_the_environment(monkeypatch, tmp_path):
    """The folder follows the environment."""
    monkeypatch.delenv("AUDITOR_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.folder().parent == tmp_path
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache.folder().parent == tmp_path / ".cache"


def build_in_a_process(folder):
    """Load a table in another process; give its sum, and how often it was built for this."""
    os.environ["AUDITOR_CACHE"] = folder
    before = len(built)
    return int(cache.load("squares", slow_numbers)["squares"].sum()), len(built) - before


def slow_numbers():
    """Build the table slowly, so that two processes would do so at once."""
    time.sleep(1)
    return numbers()


def test_two_processes_may_build_at_once(table_folder):
    """Two processes can ask for the same table at once; where there are locks, only one builds it."""
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        found = pool.map(build_in_a_process, [str(table_folder)] * 4, chunksize=1)
    assert [total for total, _ in found] == [328350] * 4
    assert os.name == "nt" or sum(times for _, times in found) == 1
    assert len(list(table_folder.iterdir())) == 1
