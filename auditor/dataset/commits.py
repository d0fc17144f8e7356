"""The commits of a dataset on an object store: small objects that say which objects the dataset consists of.

Objects cannot be renamed, so what lies in a table's folder counts only if the commits name it. A commit is one object,
``.commits/<number>.json``: the parts that it adds or replaces, and those that it drops. It is written only if no object
of this number is there, so a commit counts as a whole, and of two runs only one can write it. Every so often
``.commits/<number>.all.json`` lists all parts, so that nobody needs to read the commits up to it.

An object of a table never changes: all objects of a part have the first digits of a digest of them in their names.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from auditor.dataset.manifest import Damage, ListedError
from auditor.dataset.objects import GoneError
from auditor.dataset.schema import TABLES, VERSION
from auditor.dataset.writing import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from auditor.dataset.objects import Bucket

FOLDER = ".commits"
_NAME = re.compile(rf"{FOLDER}/(\d{{12}})(\.all)?\.json")
TRIES = 5
"""How often a reader begins again, since a run removes commits that it needs no more."""


class Stored(NamedTuple):
    """An object of a table: its key in the dataset's folder, its size in bytes, and its SHA-256 in hex."""

    key: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Part:
    """A part: its objects by table, the number of its sources, and the archives that have members in it."""

    files: Mapping[str, Stored]
    sources: int = 0
    archives: tuple[str, ...] = ()

    @property
    def values(self) -> dict[str, object]:
        """The part as JSON has it."""
        return {"files": self.files, "sources": self.sources, "archives": self.archives}


def part_of(found: Any) -> Part:  # noqa: ANN401  (JSON has no type of its own)
    """Return a part from what JSON has of it; raises TypeError, KeyError, AttributeError or ValueError."""
    files = {str(table): Stored(str(key), int(size), str(sha)) for table, (key, size, sha) in found["files"].items()}
    return Part(files, int(found["sources"]), tuple(map(str, found["archives"])))


def stored(part: str, tables: Mapping[str, tuple[int, str]]) -> dict[str, Stored]:
    """Return the objects of a part by table, from their sizes and digests. One digest of all is in all their keys."""
    digest = hashlib.sha256("".join(f"{table} {tables[table][1]}\n" for table in sorted(tables)).encode()).hexdigest()
    return {table: Stored(f"{table}/{part}-{digest[:8]}.parquet", *each) for table, each in tables.items()}


PART_OF_KEY = r"([^/\\]+)-[0-9a-f]{8}\.parquet$"
"""Pattern of the key or the path of a table's object; its group is the part."""


@dataclass
class Committed:
    """The state of a dataset after its last commit: the commit's number, and the parts by name."""

    number: int = 0
    base: int = 0
    parts: dict[str, Part] = field(default_factory=dict)

    def keys(self, table: str, leaving_out: Iterable[str] = ()) -> list[str]:
        """Return the objects of a table, in the order of the parts' names."""
        left = set(leaving_out)
        return [
            part.files[table].key
            for name, part in sorted(self.parts.items())
            if table in part.files and name not in left
        ]

    def apply(self, parts: Mapping[str, Part], dropped: Iterable[str]) -> None:
        """Add or replace parts, and drop parts."""
        for name in dropped:
            self.parts.pop(name, None)
        self.parts.update(parts)


def name(number: int, *, whole: bool = False) -> str:
    """Return the key of a commit, or of the list of all parts after it."""
    return f"{FOLDER}/{number:012}{'.all' if whole else ''}.json"


def text(parts: Mapping[str, Part], dropped: Iterable[str], by: str) -> bytes:
    """Return a commit as the bytes of its object; ``by`` is the run that writes it."""
    values = {name: part.values for name, part in parts.items()}
    return json.dumps({"schema_version": VERSION, "by": by, "parts": values, "dropped": sorted(dropped)}).encode()


def read(bucket: Bucket) -> Committed | None:
    """Return the state of a dataset; None if nothing was ever committed there.

    Raises
    ------
    ListedError
        when a commit is missing, cannot be read, or has another version of the schema
    OutputError
        when the store cannot be read

    """
    for _ in range(TRIES):
        try:
            return _read(bucket)
        except GoneError:
            continue
    raise ListedError(f"{bucket}: commits go away while they are read; try again")


def _read(bucket: Bucket) -> Committed | None:
    found = [match for match in map(_NAME.fullmatch, bucket.sizes(FOLDER)) if match]
    if not found:
        return None
    base = max((int(match[1]) for match in found if match[2]), default=0)
    last = max(int(match[1]) for match in found)
    state = Committed(last, base)
    for number in range(base, last + 1):
        if number:
            _add(state, bucket, name(number, whole=number == base))
    return state


def _add(state: Committed, bucket: Bucket, key: str) -> None:
    try:
        values = json.loads(bucket.get(key))
        version = values["schema_version"]
        parts = {str(part): part_of(each) for part, each in values["parts"].items()}
        dropped = [str(part) for part in values["dropped"]]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ListedError(
            f"{bucket.address(key)}: cannot be read as a commit; delete the dataset, and run again"
        ) from error
    if version != VERSION:
        raise ListedError(
            f"{bucket}: has tables of schema version {version}, this auditor has {VERSION}; "
            "run the audit into another folder, or delete this one"
        )
    state.apply(parts, dropped)


def damage(bucket: Bucket, state: Committed, *, whole: bool) -> list[Damage]:
    """Compare the objects of a dataset with its commits; with ``whole``, also every digest."""
    there = {key: size for table in TABLES for key, size in bucket.sizes(table).items()}
    return [
        Damage(name_, bucket.address(each.key), fault, part.sources, part.archives)
        for name_, part in sorted(state.parts.items())
        for each in part.files.values()
        if (fault := _fault(bucket, each, there.get(each.key), whole=whole))
    ]


def _fault(bucket: Bucket, known: Stored, size: int | None, *, whole: bool) -> str | None:
    if size is None:
        return "is missing"
    if size != known.size:
        return f"has {size:,} bytes, a run wrote {known.size:,}"
    if whole:
        try:
            if hashlib.sha256(bucket.get(known.key)).hexdigest() != known.sha256:
                return "is not what a run wrote there (another digest)"
        except GoneError:
            return "is missing"
        except OutputError as error:
            return f"cannot be read ({error})"
    return None
