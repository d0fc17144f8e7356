"""The configuration file: where it is, which keys it may have, what they may hold.

There is no list of keys: they are the parameters of the commands, by the names that help shows, in a table for every
command. What reads them is the command line itself (its ``default_map``); here they are found, checked and made
ready for it.
"""

from __future__ import annotations

import difflib
import json
import os
import tomllib
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, Union, cast, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperGroup

from auditor.cli_options import Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from typer.core import TyperArgument, TyperOption

    Parameter: TypeAlias = TyperArgument | TyperOption

Names: TypeAlias = tuple[str, ...]
"""A command: its name, before it that of its group."""
Settings: TypeAlias = "Mapping[Names, Mapping[str, Setting]]"
"""Every setting, by command and key."""

FILE, PROJECT, TABLE = "auditor.toml", "pyproject.toml", "tool.auditor"
PREFIX = "AUDITOR"

SHARED = ("rules", "format", "dir")
"""Keys that may stand above all tables, for every command that has them: they mean the same everywhere, as ``out``
does not."""

_WORDS: dict[type, tuple[str, str]] = {
    bool: ("true or false", "true"), int: ("a whole number", "4"), float: ("a number", "0.5"), str: ("a text", '"…"'),
}  # fmt: skip


class ConfigError(ValueError):
    """A configuration file that cannot be read, or says what no command takes."""


@dataclass(frozen=True)
class Setting:
    """A parameter of a command, as a file and the environment set it."""

    command: Names
    param: Parameter
    function: Callable[..., Any]

    @cached_property
    def key(self) -> str:
        """Its name in help: an option's without dashes, an argument's in small letters."""
        if self.param.param_type_name == "argument":
            return str(self.param.metavar or self.param.name).lower()
        return max(self.param.opts, key=len).lstrip("-")

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return "_".join((PREFIX, *self.command, self.key)).upper().replace("-", "_")

    @property
    def is_list(self) -> bool:
        """Whether it takes several values."""
        return bool(self.param.nargs == -1 or getattr(self.param, "multiple", False))

    @property
    def kind(self) -> type:
        """What a value of it is in a TOML file: bool, int, float or str."""
        found = _plain(_hints(self.function)[self.param.name])
        return next((kind for kind in (bool, int, float) if found is kind), str)

    @property
    def place(self) -> Place | None:
        """How its texts name files; None if they do not."""
        hint = _hints(self.function)[self.param.name]
        if _plain(hint) is Path:
            return Place(lambda _: False)
        return next((each for each in getattr(hint, "__metadata__", ()) if isinstance(each, Place)), None)


@cache
def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    return get_type_hints(function, include_extras=True)


def _plain(hint: Any) -> Any:  # noqa: ANN401  (annotations have no type in common)
    """Return the type of a value: without marks, None, and the list around it."""
    if get_origin(hint) is Annotated:
        return _plain(hint.__origin__)
    if get_origin(hint) in (Union, UnionType):
        return _plain(next(each for each in get_args(hint) if each is not NoneType))
    return _plain(get_args(hint)[0]) if get_origin(hint) is list else hint


def settings(group: TyperGroup, above: Names = ()) -> dict[Names, dict[str, Setting]]:
    """Return every parameter of every command below a group, by command and key."""
    found: dict[Names, dict[str, Setting]] = {}
    for name, command in group.commands.items():
        at = (*above, name)
        if isinstance(command, TyperGroup):
            found |= settings(command, at)
        elif command.callback is not None:
            each = [Setting(at, cast("Parameter", param), command.callback) for param in command.params]
            found[at] = {setting.key: setting for setting in each}
    return found


def nearest(name: str, names: Iterable[str]) -> str:
    """Return the one of some names that a misspelt one most likely meant."""
    return difflib.get_close_matches(name, list(names), n=1, cutoff=0.0)[0]


@dataclass(frozen=True)
class Configuration:
    """What a file sets: ``values`` by command and key, and for each ``where`` in the file it stands."""

    file: Path | None = None
    values: dict[tuple[Names, str], Any] = field(default_factory=dict)
    where: dict[tuple[Names, str], str] = field(default_factory=dict)


def find(start: Path) -> Path | None:
    """Return the nearest ``auditor.toml`` in a folder or above, else the nearest project file with our table."""
    folders = (start, *start.parents)
    own = (folder / FILE for folder in folders if os.path.lexists(folder / FILE))
    projects = (folder / PROJECT for folder in folders if (folder / PROJECT).is_file())
    return next(own, None) or next((file for file in projects if _table(file) is not None), None)


def load(file: Path | None, known: Settings, context: typer.Context) -> Configuration:
    """Read a file and check it against the commands.

    Parameters
    ----------
    file
        None for none
    known
        every setting there is
    context
        of the command line, for the conversion of values

    Raises
    ------
    ConfigError
        if it cannot be read, a key is not known or a value is not what its option takes; all faults at once

    """
    if file is None:
        return Configuration()
    table = _table(file)
    if table is None:
        raise ConfigError(f"{file}: there is no table [{TABLE}] in it; add it, or name another file")
    reading = _Reading(file, known, context)
    reading.read(table)
    if reading.faults:
        raise ConfigError("\n".join(f"{file}: {fault}" for fault in reading.faults))
    return Configuration(file, reading.values, reading.where)


def _table(file: Path) -> dict[str, Any] | None:
    """Return what a file says to us: all of it, or a project file's table, if it has one."""
    try:
        read = tomllib.loads(file.read_text("utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read ({error.strerror}); name another file with --config") from error
    except ValueError as error:
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
    """One file being read: values so far, and what is wrong."""

    def __init__(self, file: Path, known: Settings, context: typer.Context) -> None:
        self.folder = file.absolute().parent
        self.context = context
        self.known = known
        self.values: dict[tuple[Names, str], Any] = {}
        self.where: dict[tuple[Names, str], str] = {}
        self.faults: list[str] = []

    def read(self, table: Mapping[str, Any]) -> None:
        """Take over the table: what all share first, so that a command's own value replaces it."""
        shared = {key: value for key, value in table.items() if key in SHARED and not isinstance(value, dict)}
        for key, value in shared.items():
            for own in self.known.values():
                if key in own:
                    self._take(own[key], value, key)
        for name, value in table.items():
            if name not in shared:
                self._entry((name,), value)

    def _entry(self, at: Names, value: Any) -> None:  # noqa: ANN401  (a TOML value)
        if not any(names[: len(at)] == at for names in self.known):
            self._unknown(at, value)
        elif not isinstance(value, dict):
            self._wrong(".".join(at), f"expected a table [{'.'.join(at)}], found {_shown(value)}")
        elif at in self.known:
            self._options(at, value)
        else:
            for name, below in value.items():
                self._entry((*at, name), below)

    def _options(self, at: Names, table: Mapping[str, Any]) -> None:
        own = self.known[at]
        seen: set[str] = set()
        for written, value in table.items():
            key = written.replace("_", "-")
            place = f"[{'.'.join(at)}] {written}"
            if key in seen:
                self._wrong(place, "stands there twice; leave one")
            elif key in own:
                self._take(own[key], value, place)
            else:
                takes = f"nearest: {nearest(key, own)}" if own else "it takes none"
                self._wrong(place, f"no such option; {takes} (see auditor {' '.join(at)} --help)")
            seen.add(key)

    def _unknown(self, at: Names, value: object) -> None:
        *above, name = at
        owners = [f"[{'.'.join(names)}]" for names, own in self.known.items() if name.replace("_", "-") in own]
        commands = {names[len(above)] for names in self.known if [*names[: len(above)]] == above}
        if isinstance(value, dict):
            near = ".".join((*above, nearest(name, commands)))
            self._wrong(f"[{'.'.join(at)}]", f"no command is called so; nearest: [{near}]")
        elif owners:
            self._wrong(".".join(at), f"belongs in the table of a command: {', '.join(owners)}")
        else:
            near = nearest(name, {*SHARED, *(key for own in self.known.values() for key in own)})
            self._wrong(".".join(at), f"no such option; nearest: {near} (auditor config shows all)")

    def _take(self, setting: Setting, value: Any, place: str) -> None:  # noqa: ANN401  (a TOML value)
        fault = _fault(setting, value) or self._refused(setting, value)
        if fault:
            self._wrong(place, fault)
            return
        at = (setting.command, setting.key)
        self.values[at] = (
            [self._placed(setting, each) for each in value] if setting.is_list else (self._placed(setting, value))
        )
        self.where[at] = place

    def _refused(self, setting: Setting, value: object) -> str | None:
        """Ask the command line itself whether it takes a value."""
        try:
            setting.param.process_value(self.context, value)
        except typer.BadParameter as error:
            return f"{_shown(value)} is not allowed: {error.message}"
        return None

    def _placed(self, setting: Setting, value: Any) -> Any:  # noqa: ANN401  (a TOML value)
        """Return what names a file as seen from the configuration file's folder."""
        if setting.place is None or setting.place.otherwise(value):
            return value
        return str(self.folder / Path(value).expanduser())

    def _wrong(self, place: str, fault: str) -> None:
        self.faults.append(f"{place}: {fault}")


def _fault(setting: Setting, value: Any) -> str | None:  # noqa: ANN401  (a TOML value)
    """Say what is wrong with the type of a value."""
    words, example = _WORDS[setting.kind]
    if setting.is_list:
        right = isinstance(value, list) and all(_is(each, setting.kind) for each in value)
        return None if right else f"expected a list, such as [{example}], found {_shown(value)}"
    return None if _is(value, setting.kind) else f"expected {words}, found {_shown(value)}"


def _is(value: object, kind: type) -> bool:
    return type(value) is kind or (kind is float and type(value) is int)
