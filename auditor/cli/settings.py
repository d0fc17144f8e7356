"""The settings of a configuration file and the environment: a key, a variable and a type for each parameter.

There is no list of settings: they are read from the commands. Types come from annotations, because the attribute in
which typer keeps them differs from version to version.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, Union, cast, get_args, get_origin, get_type_hints

from typer.core import TyperGroup

from auditor.cli.options import Place

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from typer.core import TyperArgument, TyperOption

    Parameter: TypeAlias = TyperArgument | TyperOption

PREFIX = "AUDITOR"

Names: TypeAlias = tuple[str, ...]
"""A command: its name, after that of its group."""
Settings: TypeAlias = "Mapping[Names, Mapping[str, Setting]]"
"""Every setting, by command and key."""


@dataclass(frozen=True)
class Setting:
    """A parameter of a command, as a configuration file and the environment set it."""

    command: Names
    param: Parameter
    function: Callable[..., Any]

    @cached_property
    def key(self) -> str:
        """Its key in the file: an option's name without leading dashes, or an argument's name in lower case."""
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
        """The type of a value in a TOML file: bool, int, float or str."""
        found = _plain(_hints(self.function)[self.param.name])
        return next((kind for kind in (bool, int, float) if found is kind), str)

    @property
    def place(self) -> Place | None:
        """The mark that its texts name files; None if they do not."""
        hint = _hints(self.function)[self.param.name]
        if _plain(hint) is Path:
            return Place(lambda text: "://" in text)  # a URI stays as it is
        return next((each for each in getattr(hint, "__metadata__", ()) if isinstance(each, Place)), None)


@cache
def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    return get_type_hints(function, include_extras=True)


def _plain(hint: Any) -> Any:  # noqa: ANN401  (annotations have no type in common)
    """Return the type of a single value: the annotation without marks, None and the list around it."""
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
