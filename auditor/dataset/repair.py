"""The repair of a dataset before a run writes to it: damaged parts are dropped, parts without a list get one.

The dataset no longer has the sources of a dropped part, so a run that meets them audits them again. This holds for
members of archives too: the archive's own row is dropped with the part, so the archive is opened again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from auditor.dataset import encoding, in_bucket, manifest, store
from auditor.dataset.manifest import State
from auditor.dataset.objects import Bucket
from auditor.dataset.writing import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from auditor.dataset.manifest import Damage
    from auditor.dataset.store import Out

_NAMES = ["source", "path", "member"]
MOST_NAMED = 5
"""How many sources a message names."""


class Repaired(NamedTuple):
    """The parts that a repair has dropped: a line for each damaged file, and the names of the sources, if known."""

    messages: tuple[str, ...] = ()
    sources: frozenset[str] = frozenset()


def repaired(out: Out, *, whole: bool) -> Repaired:
    """Compare a locked dataset with its lists, drop damaged parts, and return what was dropped.

    Parameters
    ----------
    out
        folder of the dataset
    whole
        whether to compare the digest of every file, not only of those with another time

    Raises
    ------
    OutputError
        when there are files that no run of this version wrote, or a damaged part cannot be dropped

    """
    try:
        if isinstance(out, Bucket):
            state = State(in_bucket.damage(out, whole=whole))
        else:
            state = manifest.look(out, whole=whole, writer=True)
    except manifest.ListedError as error:
        raise OutputError(str(error)) from error
    if not isinstance(out, Bucket):
        _relist(out, state)
    if not state.damage:
        return Repaired()
    parts = sorted({damage.part for damage in state.damage})
    lost = {part: _sources(out, part, state.damage) for part in parts}
    store.drop(out, parts, _archives_of(out, parts, state.damage, lost))
    names = frozenset(name for rows in lost.values() if rows is not None for name in rows["source"])
    messages = tuple(
        f"{each.path}: {each.what}; its part is dropped{_again(each, lost[each.part])}" for each in state.damage
    )
    return Repaired(messages, names)


def _relist(out: Path, state: State) -> None:
    """Write the lists of parts that have none, and of those whose files have other times."""
    for part in state.unlisted:
        _adopt(out, part)
    for part, listing in state.moved.items():
        if not any(damage.part == part for damage in state.damage):
            store.relist(listing, out, part)


def _again(damage: Damage, rows: pl.DataFrame | None) -> str:
    """Say how many files will be audited again."""
    count = damage.sources if rows is None else len(rows)
    if count == 0:
        return ""
    files = "the files of it are" if count is None else "1 file is" if count == 1 else f"{count:,} files are"
    return f", {files} audited again if this run meets them"


def _adopt(out: Path, part: str) -> None:
    """Write the list of a part that has none, since it is from before there were lists."""
    paths = {path.parent.name: path for path in out.glob(f"[!.]*/{part}{manifest.SUFFIX}")}
    with store.reading(out):
        files = {table: manifest.entry(path) for table, path in paths.items()}
        sources = pl.read_parquet(paths["sources"], glob=False) if "sources" in paths else None
    store.relist(encoding.listing_of(sources, files), out, part)


def _sources(out: Out, part: str, damage: Iterable[Damage]) -> pl.DataFrame | None:
    """Return source, path and member of each source of a damaged part; None if they cannot be known."""
    mine = [each for each in damage if each.part == part]
    if isinstance(out, Bucket):
        return in_bucket.sources_of(out, part, mine, _NAMES)
    place = out / "sources" / f"{part}{manifest.SUFFIX}"
    if any(each.sources == 0 for each in mine):
        return pl.DataFrame(schema=dict.fromkeys(_NAMES, pl.String))
    if any(each.path == place for each in mine) or manifest.schema_fault(place, "sources"):
        return None
    with store.reading(out):
        return pl.read_parquet(place, columns=_NAMES, glob=False)


def _archives_of(
    out: Out, parts: Sequence[str], damage: Iterable[Damage], lost: Mapping[str, pl.DataFrame | None]
) -> dict[str, set[str]]:
    """Return, by part, the sources of the archives' own rows that must go, since a dropped part had members of them.

    If neither the table nor the list of a dropped part says which archives these are, the rows of all archives must go.
    """
    sources = store.scanned(out, "sources", leaving_out=parts)
    if sources is None:
        return {}
    own = pl.col("member").is_null()
    listings = {each.part: each.archives for each in damage}
    paths = {path for archives in listings.values() for path in archives or ()}
    for rows in lost.values():
        paths |= set() if rows is None else set(rows.filter(~own)["path"])
    with store.reading(out):
        if any(lost[part] is None and archives is None for part, archives in listings.items()):
            paths |= set(sources.filter(~own | (pl.col("status") == "archive")).select("path").collect()["path"])
        asked = pl.col("path").is_in(pl.Series(sorted(paths), dtype=pl.String).implode())
        found = sources.filter(own & asked).select("part", "source").collect()
    leaving: dict[str, set[str]] = {}
    for part, source in found.iter_rows():
        leaving.setdefault(part, set()).add(source)
    return leaving


def missed(out: Out, lost: Repaired) -> str | None:
    """Return a message about the sources of dropped parts that the run did not meet again; None if there are none."""
    if not lost.sources:
        return None
    rows = store.scanned(out, "sources")
    with store.reading(out):
        met = set() if rows is None else set(rows.select("source").collect()["source"].to_list())
    gone = sorted(lost.sources - met)
    if not gone:
        return None
    more = f" and {len(gone) - MOST_NAMED:,} more" if len(gone) > MOST_NAMED else ""
    return (
        f"{out}: damaged rows were dropped, and this run did not audit their sources again: "
        f"{', '.join(gone[:MOST_NAMED])}{more}; run the audit over them too"
    )
