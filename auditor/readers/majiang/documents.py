"""Files of 電脳麻将 → one row for each game, decoded by Polars (auditor/readers/majiang/FORMAT.md sections 1, 4, 5, 6).

A file is one game, an array of games, or JSON Lines of games. A game may come with its rules, as
``{"rule": …, "paipu": …}``. A game that does not fit the grammar (grammar.py) is first read value by value, and
unreadable values are left out (faulty_game.py).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from auditor.readers.json_text import DECODER, SPACE, Repeated, apart
from auditor.readers.majiang.faulty_game import Game, NoGameError, read_faulty
from auditor.readers.majiang.fields import PAIPU
from auditor.readers.majiang.game_texts import texts
from auditor.readers.majiang.grammar import WRAPPED, fits
from auditor.sources.log_files import content_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from auditor.sources.log_files import Source

_NOTES = {
    "game": pl.UInt32, "nth": pl.UInt32, "event": pl.UInt32, "recorded": pl.String, "expected": pl.String,
    "play": pl.Boolean, "rest": pl.Boolean,
}  # fmt: skip


class Documents(NamedTuple):
    """The games of a batch, and the faults within them.

    ``games`` has one row for each text that should be a game: game, file (its place in the batch), within, game_id,
    rule (JSON text), ended, and the keys of the paipu. If a text is no game that can be read, rule, ended and the keys
    are null, and code and fault say why. ``notes`` has one row for each fault within a game: game, and the fields of
    faulty_values.Note.
    """

    games: pl.DataFrame
    notes: pl.DataFrame


@dataclass
class _Text:
    """A text that should be a game: its file, its place within the file, and the game or the reason why it is none."""

    file: int
    within: str | None
    text: str
    game: Game | None = None
    fault: NoGameError | None = None

    def read(self) -> _Text:
        try:
            self.game = read_faulty(self.text)
        except NoGameError as error:
            self.fault = error
        return self


def documents(sources: Sequence[Source]) -> Documents:
    """Return the games of these files."""
    found = [_Text(file, *each) for file, source in enumerate(sources) for each in texts(source.data)]
    wrapped = [unwrapped(each.text) for each in found]
    fitting = fits(pl.Series([paipu for paipu, _ in wrapped], dtype=pl.String))
    read: list[_Text] = []
    for each, (paipu, rule), fit in zip(found, wrapped, fitting, strict=True):
        if fit and paipu:
            each.game = Game(paipu, rule, ended=True, notes=[])
            read.append(each)
        else:
            read += _faulty(each)
    return _gathered(_without_noise(read), sources)


def unwrapped(text: str) -> tuple[str | None, str | None]:
    """Return the text of the paipu and of the rule object beside it; None for both if they cannot be separated."""
    begin = WRAPPED.search(text)
    if begin is None:
        return text, None
    try:
        head = DECODER.decode(f"{text[: begin.end()]}null}}")
    except (ValueError, RecursionError):
        return None, None
    rule = head.get("rule")
    within = rule.values() if isinstance(rule, dict) else ()
    if any(isinstance(each, Repeated) for each in (head, rule, *within)) or not text.endswith("}"):
        return None, None
    return text[begin.end() : -1].rstrip(SPACE), None if rule is None else json.dumps(rule)


def _faulty(each: _Text) -> Iterator[_Text]:
    """Yield the games of a text that does not fit the grammar; it may hold several."""
    parts = apart(each.text) if each.within is None else []
    if len(parts) > 1:
        yield from (_Text(each.file, str(number), part).read() for number, part in enumerate(parts, 1))
    else:
        yield each.read()


def _without_noise(read: list[_Text]) -> Iterator[_Text]:
    """Yield all texts, but only the first of a file in which no text is a game or begins as one."""
    with_games = {each.file for each in read if each.fault is None or each.fault.begun}
    seen: set[int] = set()
    for each in read:
        if each.file in with_games:
            yield each
        elif each.file not in seen:
            seen.add(each.file)
            yield _Text(each.file, None, each.text, fault=each.fault)


def _gathered(read: Iterable[_Text], sources: Sequence[Source]) -> Documents:
    """Return the tables of these texts."""
    listed = list(read)
    of_other_content = {each.file for each in listed if each.fault and not each.fault.begun}
    contents = {file: content_id(sources[file].data) for file in of_other_content}
    frame = pl.DataFrame(
        [(each.file, each.within, _identity(each, contents), *_columns(each)) for each in listed],
        schema={
            "file": pl.UInt32, "within": pl.String, "game_id": pl.String, "text": pl.String, "rule": pl.String,
            "ended": pl.Boolean, "code": pl.String, "fault": pl.String,
        },
        orient="row",
    )  # fmt: skip
    games = frame.drop("text").hstack(frame["text"].str.json_decode(pl.Struct(PAIPU)).struct.unnest())
    notes = [
        (number, *note) for number, each in enumerate(listed) if each.game and each.game.notes
        for note in each.game.notes
    ]  # fmt: skip
    return Documents(games.with_row_index("game"), pl.DataFrame(notes, schema=_NOTES, orient="row"))


def _columns(each: _Text) -> tuple[str | None, str | None, bool | None, str | None, str | None]:
    """Return the columns text, rule, ended, code and fault."""
    if each.game is not None:
        return each.game.paipu, each.game.rule, each.game.ended or None, None, None
    return None, None, None, each.fault.code if each.fault else None, str(each.fault)


def _identity(each: _Text, contents: Mapping[int, str]) -> str:
    """Return a game's identity, which is made from its text.

    The identity of a text that is no game is made from its whole file and its place there, so it equals only that of
    the same text in a copy of the file. ``contents`` has the identity of each such file, made from its content alone.
    """
    if each.fault is None or each.fault.begun:
        return content_id(each.text.encode())
    return content_id(f"{contents[each.file]} {each.within}".encode())
