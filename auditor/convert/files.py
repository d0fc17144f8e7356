"""Files → games → files: the work of ``auditor convert``."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from auditor.convert import completed
from auditor.readers import WRITERS, reader_of, unknown_format
from auditor.readers.written.game import UnwritableError
from auditor.sources import archives, likeness

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from auditor.sources.log_files import Place, Source
    from engine.rules.rule_sets import RuleSet

_TOGETHER = 200
"""How many files are read at once."""
_UNSAFE = re.compile(r"[^\w.\-]+")
_ENDINGS = re.compile(r"(\.(gz|bz2|xz|zst|mjlog|xml|json|jsonl|ndjson|mjson|mjai|txt|paipu))+$", re.IGNORECASE)


class Written(NamedTuple):
    """One game: its source, the file that it was written to, and what this file does not tell.

    ``file`` is None if the game cannot be written; then ``lacks`` has the reason.
    """

    source: str
    file: Path | None
    lacks: list[str]


@dataclass
class Totals:
    """What a conversion did: numbers of games, the files that are no logs, and what could not be told, with counts."""

    written: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    unread: dict[str, str] = field(default_factory=dict)
    lacks: Counter[str] = field(default_factory=Counter)

    def add(self, game: Written) -> None:
        """Count one game; numbers in what it lacks do not tell its kinds apart."""
        if game.file is None:
            self.refused.update(game.lacks)
        else:
            self.written += 1
            self.lacks.update({re.sub(r"\d+", "N", each) for each in game.lacks})


def convert(places: Iterable[Place | Path], form: str, out: Path, rules: RuleSet) -> Totals:
    """Write each game of these places into a folder, one file a game.

    Parameters
    ----------
    places
        logs, folders and archives, as ``auditor run`` takes them
    form
        a value of :class:`auditor.base.choices.Written`
    out
        the folder; it is made if it does not exist. A file of the same name is replaced.
    rules
        rules that hold wherever a log states none

    Raises
    ------
    OSError
        if a file cannot be written
    SourceError
        if a place cannot be listed

    """
    out.mkdir(parents=True, exist_ok=True)
    totals, names = Totals(), Counter[str]()
    for batch in _batches(places):
        for game in _written(batch, form, out, rules, names, totals):
            totals.add(game)
    return totals


def _batches(places: Iterable[Place | Path]) -> Iterator[list[Source]]:
    """Yield the files of these places, some at a time; archives stand for their members."""
    held: list[Source] = []
    for piece in archives.pieces(places):
        if not piece.archive:
            held.append(archives.fetch(piece))
        if len(held) >= _TOGETHER:
            yield held
            held = []
    yield held


def _written(  # noqa: PLR0917
    sources: list[Source], form: str, out: Path, rules: RuleSet, names: Counter[str], totals: Totals
) -> Iterator[Written]:
    """Write the games of these files."""
    writer = WRITERS[form]
    by_reader: dict[str, list[Source]] = {}
    readers = {}
    for source in sources:
        reader = reader_of(source) if source.readable else None
        if reader is None:
            reason = source.reason if source.reason and not source.readable else unknown_format(source)
            if source.named or likeness.is_meant(source):
                totals.unread[source.name] = reason
            continue
        readers[reader.name] = reader
        by_reader.setdefault(reader.name, []).append(source)
    for name, group in by_reader.items():
        for game in completed.games(readers[name].read(group, rules), writer.needs):
            source, within = game.row["source"], game.row["within"]
            try:
                text, lacks = writer.write(game)
            except UnwritableError as error:
                yield Written(source, None, [f"{source}{f' game {within}' if within else ''}: {error}"])
                continue
            file = out / _name(source, within, writer.ending, names)
            file.write_text(text, "utf-8")
            yield Written(source, file, lacks)


def _name(source: str, within: str | None, ending: str, names: Counter[str]) -> str:
    """Return a file's name: that of its source, with the number of the game, and a number if the name is taken."""
    stem = _ENDINGS.sub("", re.split(r"[/\\!#?]", source)[-1]) or "game"
    stem = _UNSAFE.sub("_", stem) + (f"-{within}" if within else "")
    names[stem] += 1
    return f"{stem}{f'~{names[stem]}' if names[stem] > 1 else ''}{ending}"
