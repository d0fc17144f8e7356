"""Readers: one log format each, from a batch of files to the canonical tables of ``auditor.log``.

A format is a package with a ``READER``, an instance of ``contract.Reader``; ``READERS`` below lists them. README.md
walks through writing one. The content of a file decides which reader reads it.

Imports log, sources and base, and the engine's rules and yaku.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.readers import mahjong_soul, majiang, mjai, mjlog, tenhou_json
from auditor.readers.mahjong_soul import writer as mahjong_soul_writer
from auditor.readers.majiang import writer as majiang_writer
from auditor.readers.mjai import writer as mjai_writer
from auditor.readers.mjlog import writer as mjlog_writer
from auditor.readers.tenhou_json import writer as tenhou_json_writer

if TYPE_CHECKING:
    from auditor.readers.contract import Reader, Writer
    from auditor.sources.log_files import Source

READERS: tuple[Reader, ...] = (
    mjlog.READER, mahjong_soul.READER, majiang.READER, mjai.READER, tenhou_json.READER,
)  # fmt: skip
"""All formats. The first one whose ``is_format`` is true for a file reads it."""


WRITERS: dict[str, Writer] = {
    "mjai": mjai_writer.WRITER,
    "tenhou-json": tenhou_json_writer.WRITER,
    "mjlog": mjlog_writer.WRITER,
    "paipu": majiang_writer.WRITER,
    "mahjong-soul": mahjong_soul_writer.WRITER,
}
"""How to write each format, by its name: a value of :class:`auditor.base.choices.Written`."""


def reader_of(source: Source) -> Reader | None:
    """Return the reader for this file; None if it is no log of a known format."""
    return next((reader for reader in READERS if reader.is_format(source.data)), None)


def unknown_format(source: Source) -> str:
    """Return the message about a file of no known format: what it begins with."""
    start = source.data[:60].split(b"\n")[0].decode(errors="replace")
    if start[:14].lower().startswith(("<!doctype html", "<html")):
        return f"an HTML page, not a log: {start!r}"
    formats = ", ".join(reader.name for reader in READERS)
    return f"no known log format ({formats}): begins with {start!r}"
