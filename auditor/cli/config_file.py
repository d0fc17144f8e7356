"""Finding, reading and checking the configuration file.

Its keys are the parameters of the commands (settings.py), in a table for each command. The values become defaults of
the command line (click's ``default_map``), so they are converted and used as if somebody had typed them. Click itself
neither finds a file nor refuses unknown keys and values of a wrong type: that is done here.
"""

from __future__ import annotations

import difflib
import json
import os
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from auditor.cli.settings import Names, Setting, Settings

FILE, PROJECT, TABLE = "auditor.toml", "pyproject.toml", "tool.auditor"

SHARED = ("rules", "format", "dir")
"""Keys that are allowed above all tables. They hold for every command that has them and mean the same in each; ``out``
would not."""

_WORDS: dict[type, tuple[str, str]] = {
    bool: ("true or false", "true"), int: ("a whole number", "4"), float: ("a number", "0.5"), str: ("a text", '"…"'),
}  # fmt: skip


class ConfigError(ValueError):
    """A configuration file that cannot be read, or has a key or value that no command takes."""


def nearest(name: str, names: Iterable[str], listed: Iterable[str] | None = None) -> str:
    """Return a hint for a misspelt name: the most similar one of ``names``; else all of them (or ``listed``)."""
    near = difflib.get_close_matches(name, sorted(names), n=1, cutoff=0.5)
    every = ", ".join(sorted(names if listed is None else listed))
    return f"nearest: {near[0]}" if near else f"there are: {every}" if every else "there are none"


@dataclass(frozen=True)
class Configuration:
    """The settings of a file: ``values`` by command and key, and the place of each in the file (``where``)."""

    file: Path | None = None
    values: dict[tuple[Names, str], Any] = field(default_factory=dict)
    where: dict[tuple[Names, str], str] = field(default_factory=dict)


def find(start: Path) -> Path | None:
    """Return the nearest ``auditor.toml`` in a folder or above, else the nearest ``pyproject.toml`` with our table."""
    folders = (start, *start.parents)
    own = (folder / FILE for folder in folders if os.path.lexists(folder / FILE))
    projects = (folder / PROJECT for folder in folders if os.path.isfile(folder / PROJECT))  # noqa: PTH113  (never raises)
    return next(own, None) or next((file for file in projects if _table(file) is not None), None)


def load(file: Path | None, known: Settings, context: typer.Context) -> Configuration:
    """Read a file and check it against the commands.

    Parameters
    ----------
    file
        the file; None if there is none
    known
        every setting there is
    context
        of the command line; needed to convert values

    Raises
    ------
    ConfigError
        if it cannot be read, a key is not known or a value is not what its option takes; all faults at once

    """
    if file is None:
        return Configuration()
    table = _table(file)
    if table is None:
        raise ConfigError(f"{file}: there is no table [{TABLE}] in it; add it, or name another file with --config")
    reading = _Reading(file, known, context)
    reading.read(table)
    if reading.faults:
        raise ConfigError("\n".join(f"{file}: {fault}" for fault in reading.faults))
    return Configuration(file, reading.values, reading.where)


def _table(file: Path) -> dict[str, Any] | None:
    """Return the auditor's part of a file: the table [tool.auditor] of a ``pyproject.toml``, or all of another file."""
    try:
        read = tomllib.loads(file.read_text("utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read ({error.strerror}); name another file with --config") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{file}: not TOML: {error}; mend it, or name another file with --config") from error
    if file.name != PROJECT:
        return read
    tool = read.get("tool")
    found = tool.get("auditor") if isinstance(tool, dict) else None
    if found is not None and not isinstance(found, dict):
        raise ConfigError(f"{file}: tool.auditor: expected a table [{TABLE}], found {_shown(found)}")
    return found


def _shown(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


class _Reading:
    """The reading of one file: the values found so far, and the faults."""

    def __init__(self, file: Path, known: Settings, context: typer.Context) -> None:
        self.folder = file.absolute().parent
        self.prefix = (TABLE,) if file.name == PROJECT else ()
        self.context = context
        self.known = known
        self.values: dict[tuple[Names, str], Any] = {}
        self.where: dict[tuple[Names, str], str] = {}
        self.faults: list[str] = []

    def read(self, table: Mapping[str, Any]) -> None:
        """Read the whole table. Shared keys come first, so that a command's own value replaces them."""
        shared = {key: value for key, value in table.items() if key in SHARED and not isinstance(value, dict)}
        for key, value in shared.items():
            for own in self.known.values():
                if key in own:
                    self._take(own[key], value, self._place((), key))
        for name, value in table.items():
            if name not in shared:
                self._entry((name,), value)

    def _place(self, names: Names, key: str = "") -> str:
        table = ".".join((*self.prefix, *names))
        return f"{f'[{table}] ' if table else ''}{key}".rstrip()

    def _entry(self, at: Names, value: Any) -> None:  # noqa: ANN401  (a TOML value)
        if not any(names[: len(at)] == at for names in self.known):
            self._unknown(at, value)
        elif not isinstance(value, dict):
            self._wrong(self._place(at[:-1], at[-1]), f"expected a table {self._place(at)}, found {_shown(value)}")
        elif at in self.known:
            self._options(at, value)
        else:
            for name, below in value.items():
                self._entry((*at, name), below)

    def _unknown(self, at: Names, value: object) -> None:
        *above, name = at
        if above or isinstance(value, dict):
            commands = {names[len(above)] for names in self.known if [*names[: len(above)]] == above}
            self._wrong(self._place(at), f"no command has this name; {nearest(name, commands)}")
        else:
            options = {*SHARED, *(key for own in self.known.values() for key in own)}
            fault = self._elsewhere(name) or f"no such option; {nearest(name, options, SHARED)}"
            self._wrong(self._place((), name), fault)

    def _options(self, at: Names, table: Mapping[str, Any]) -> None:
        own = self.known[at]
        seen: set[str] = set()
        for written, value in table.items():
            key, place = _key(written), self._place(at, written)
            if key in seen:
                self._wrong(place, "is there twice; remove one")
            elif key in own:
                self._take(own[key], value, place)
            else:
                fault = self._elsewhere(written) or f"no such option; {nearest(key, own)}"
                self._wrong(place, f"{fault} (auditor {' '.join(at)} --help)")
            seen.add(key)

    def _elsewhere(self, written: str) -> str | None:
        """Return a message with the tables that an option belongs in; None if no command has it."""
        tables = [self._place(names) for names, own in self.known.items() if _key(written) in own]
        return f"no option here; belongs in {', '.join(tables)}" if tables else None

    def _take(self, setting: Setting, value: Any, place: str) -> None:  # noqa: ANN401  (a TOML value)
        fault = _fault(setting, value) or self._refused(setting, value)
        if fault:
            self._wrong(place, fault)
            return
        at = (setting.command, setting.key)
        placed = [self._placed(setting, each) for each in (value if setting.is_list else [value])]
        self.values[at] = placed if setting.is_list else placed[0]
        self.where[at] = place

    def _refused(self, setting: Setting, value: object) -> str | None:
        """Return why the command line would refuse a value; None if it accepts it."""
        try:
            setting.param.process_value(self.context, value)
        except typer.BadParameter as error:
            return f"{_shown(value)} is not allowed: {error.message}"
        return None

    def _placed(self, setting: Setting, value: Any) -> Any:  # noqa: ANN401  (a TOML value)
        """Return a value; a path is made relative to the configuration file's folder."""
        if setting.place is None or setting.place.otherwise(value):
            return value
        return str(self.folder / os.path.expanduser(value))  # noqa: PTH111  (pathlib's raises for an unknown user)

    def _wrong(self, place: str, fault: str) -> None:
        if (line := f"{place}: {fault}") not in self.faults:
            self.faults.append(line)


def _key(written: str) -> str:
    return written.replace("_", "-")


def _fault(setting: Setting, value: Any) -> str | None:  # noqa: ANN401  (a TOML value)
    """Return what is wrong with the type of a value; None if nothing is."""
    words, example = _WORDS[setting.kind]
    if setting.is_list:
        right = isinstance(value, list) and all(_is(each, setting.kind) for each in value)
        if not right:
            return f"expected a list, such as [{example}], found {_shown(value)}"
    elif not _is(value, setting.kind):
        return f"expected {words}, found {_shown(value)}"
    if setting.place and "" in (value if setting.is_list else [value]):
        return f"expected a path, found {_shown(value)}"  # joined with the file's folder, it would be that folder
    return None


def _is(value: object, kind: type) -> bool:
    if isinstance(value, str) and "\0" in value:  # no file has such a name, and no command line can pass it
        return False
    return type(value) is kind or (kind is float and type(value) is int)
