"""Readers: one log format each, from a batch of files to the canonical tables of log.py.

A reader is a module or package with ``NAME``, ``is_format(data) -> bool`` and ``read(sources, base) -> Log``.
Which one reads a file is decided by the file's content.

Imports log, sources and base, and the engine's rules and yaku.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

from auditor.readers import majiang, mjlog

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.log.tables import Log
    from auditor.sources.log_files import Source
    from engine.rules.rule_sets import RuleSet


class Reader(Protocol):
    """What a reader's module offers."""

    NAME: str

    def is_format(self, data: bytes) -> bool:
        """Say whether an unpacked file with this content is of this format; looks at its beginning."""

    def read(self, sources: Sequence[Source], base: RuleSet) -> Log:
        """Read files of this format, all at once."""


READERS: tuple[Reader, ...] = (cast("Reader", mjlog), cast("Reader", majiang))


def reader_of(source: Source) -> Reader | None:
    """Return the reader for this file, None if it is no log of a known format."""
    return next((reader for reader in READERS if reader.is_format(source.data)), None)


def unknown_format(source: Source) -> str:
    """Say what a readable file that is no log begins with."""
    start = source.data[:60].split(b"\n")[0].decode(errors="replace")
    if start[:14].lower().startswith(("<!doctype html", "<html")):
        return f"an HTML page, not a log: {start!r}"
    formats = ", ".join(reader.NAME for reader in READERS)
    return f"no known log format ({formats}): begins with {start!r}"
