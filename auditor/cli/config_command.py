"""Options set by a configuration file or the environment, and the command ``auditor config``."""

from __future__ import annotations

import copy
import json
import os
import re
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from rich.markup import escape
from typer.core import TyperGroup

from auditor.cli import config_file
from auditor.cli.config_file import ConfigError, Configuration
from auditor.cli.exits import FAILED, echo
from auditor.cli.settings import PREFIX, Setting, settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from auditor.cli.settings import Names, Settings


File = Annotated[
    Path | None,
    typer.Option(
        "--config",
        envvar=f"{PREFIX}_CONFIG",
        help="Configuration file, instead of the nearest auditor.toml or [tool.auditor] of a pyproject.toml.",
    ),
]


class Commands(TyperGroup):
    """All commands. It notes whether help was asked for, because help is printed even if the configuration is wrong.

    Help texts are no markup of Rich: brackets, such as in [run], are printed.
    """

    def __init__(self, **known: Any) -> None:  # noqa: ANN401  (whatever typer knows of a group)
        """Make the group, and keep brackets in help texts."""
        super().__init__(**known)
        _as_written(self)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401  (typer gives its type no name)
        """Read the arguments before the command's name."""
        ctx.meta[__name__] = not set(ctx.help_option_names).isdisjoint(args)
        return super().parse_args(ctx, args)


def _as_written(command: Any) -> None:  # noqa: ANN401  (typer gives its type no name)
    """Escape brackets in the help texts of a command, its options and its commands, so that Rich prints them."""
    for each in (command, *command.params):
        if getattr(each, "help", None):
            each.help = escape(each.help)
    for below in getattr(command, "commands", {}).values():
        _as_written(below)


def configure(context: typer.Context, file: Path | None) -> None:
    """Give every option its environment variable, and make the values of the configuration file defaults.

    Help and error messages name a variable only if it is set.
    """
    known = _known(context)
    for setting in _all(known):
        setting.param.envvar = setting.variable
        setting.param.show_envvar = setting.variable in os.environ
    try:
        context.obj = config_file.load(file or config_file.find(Path.cwd()), known, context)
    except (ConfigError, OSError) as error:
        for line in str(error).split("\n"):
            echo(f"auditor: {line}", err=True)
        if not context.meta[__name__]:
            raise typer.Exit(FAILED) from None
        return
    context.default_map = _default_map(known, context.obj)
    _hide_secrets(known, context.obj)


def _hide_secrets(known: Settings, found: Configuration) -> None:
    """Let help show the file's URIs without the keys that they may hold."""
    for (names, key), value in found.values.items():
        each = value if isinstance(value, list | tuple) else [value]
        if any("://" in str(one) and re.search("[@?]", str(one)) for one in each):
            known[names][key].param.show_default = ", ".join(str(_plain(str(one))) for one in each)


def _known(context: typer.Context) -> Settings:
    return settings(cast("TyperGroup", context.find_root().command))


def _all(known: Settings) -> list[Setting]:
    return [setting for own in known.values() for setting in own.values()]


def _default_map(known: Settings, found: Configuration) -> dict[str, Any]:
    """Return the file's values as click's ``default_map``: nested by command, then by the parameter's name."""
    tree: dict[str, Any] = {}
    for (names, key), value in found.values.items():
        table = tree
        for name in names:
            table = table.setdefault(name, {})
        table[known[names][key].param.name] = value
    return tree


def commands(context: typer.Context, incomplete: str) -> list[str]:
    """Complete the name of a command."""
    return [name for name in cast("TyperGroup", context.find_root().command).commands if name.startswith(incomplete)]


def show_config(
    context: typer.Context,
    command: Annotated[
        list[str] | None,
        typer.Argument(help="Only this command, as it would run with the arguments after it.", autocompletion=commands),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Print only errors, including those in environment variables.")
    ] = False,
) -> None:
    """Show the value of every option and where it comes from: command line, environment, file or default.

    Exit code 0: nothing is wrong; 2: the file, a variable or an argument is wrong.

    Example: auditor config run --jobs 8
    """
    known = _known(context)
    faults = [] if command else _strays(_all(known))
    rows = []
    for names in _asked(context, known, command or []):
        parsed = _parsed(context, names, command)
        rows += _rows(context, known, names, parsed)
        faults += _refused(known[names], parsed, context.obj)
    for fault in dict.fromkeys(faults):
        echo(f"auditor: {fault}", err=True)
    found: Configuration = context.obj
    if as_json and not check:
        echo(json.dumps({"file": _plain(found.file), "values": rows}, ensure_ascii=False, indent=2))
    elif not check:
        echo(f"{_named(context)}\n{_table(rows)}")
    if check and faults:
        raise typer.Exit(FAILED)


def _strays(known: Sequence[Setting]) -> list[str]:
    """List environment variables that are named like ours but set no option."""
    ours = {setting.variable for setting in known}
    starts = tuple({f"{PREFIX}_{setting.command[0].upper()}_" for setting in known})
    return [
        f"{name}: no option has this variable; {config_file.nearest(name, ours)}"
        for name in sorted(os.environ)
        if name.startswith(starts) and name not in ours
    ]


def _asked(context: typer.Context, known: Settings, words: list[str]) -> list[Names]:
    """Return the commands that words name: without words, all commands; for a group's name, those of the group."""
    asked = [names for names in known if list(names[: len(words)]) == words[: len(names)]]
    if not asked:
        near = config_file.nearest(" ".join(words), [" ".join(names) for names in known])
        context.fail(f"no command is called {words[0]!r}; {near}")
    return asked


def _parsed(context: typer.Context, names: Names, words: list[str] | None) -> typer.Context:
    """Let click parse the words after a command's name, as if the command ran; nothing is required."""
    here = context.find_root()
    for name in names[:-1]:
        here = typer.Context(cast("TyperGroup", here.command).commands[name], parent=here, info_name=name)
    command = copy.copy(cast("TyperGroup", here.command).commands[names[-1]])
    command.params = [copy.copy(param) for param in command.params]
    for param in command.params:
        param.required = False
    return cast("typer.Context", command.make_context(names[-1], (words or [])[len(names) :], parent=here))


def _refused(own: Mapping[str, Setting], parsed: typer.Context, found: Configuration) -> list[str]:
    """List the values that the command would refuse, with the place each comes from. Defaults are not checked."""
    given: dict[str, tuple[Any, str]] = {}
    for key, setting in own.items():
        source = parsed.get_parameter_source(str(setting.param.name))
        origin = _origin(setting, source, found)
        if origin["from"] not in ("default", "required"):
            given[key] = (parsed.params[str(setting.param.name)], origin["where"] or f"{origin['from']}: {key}")
    if not given:
        return []
    from auditor.cli import config_check  # it imports what the commands use, which takes time

    command = next(iter(own.values())).command
    values = {key: parsed.params[str(setting.param.name)] for key, setting in own.items()}
    return config_check.faults(command, given, values)


def _rows(context: typer.Context, known: Settings, names: Names, parsed: typer.Context) -> list[dict[str, Any]]:
    """Return a command's values, and the place each comes from."""
    return [
        {
            "command": " ".join(names),
            "key": key,
            "value": _plain(parsed.params[setting.param.name]),
            **_origin(setting, parsed.get_parameter_source(setting.param.name), context.obj),
        }
        for key, setting in known[names].items()
    ]


def _origin(setting: Setting, source: Any, found: Configuration) -> dict[str, str | None]:  # noqa: ANN401
    """Return the place a value comes from: its kind and the place; for a default without a value, its description."""
    match source.name:
        case "COMMANDLINE":
            return {"from": "command line", "where": None}
        case "ENVIRONMENT":
            return {"from": "environment", "where": setting.variable}
        case "DEFAULT_MAP":
            return {"from": "file", "where": f"{found.file}: {found.where[setting.command, setting.key]}"}
        case _ if setting.param.required:
            return {"from": "required", "where": None}
        case _:
            words = setting.param.show_default
            return {"from": "default", "where": f"({words})" if isinstance(words, str) else None}


def _plain(value: Any) -> Any:  # noqa: ANN401  (whatever an option's value is)
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, str) and "://" in value:
        from auditor.sources.remote import masked  # it loads Arrow, which takes time: only for URIs

        return masked(value)
    if isinstance(value, Path):
        from auditor.dataset.objects import shown  # (as above)

        return shown(value)
    return value


def _named(context: typer.Context) -> str:
    """Name the configuration file in use, and the option or variable that named it."""
    found: Configuration = context.obj
    if found.file is None:
        return f"file: none (no {config_file.FILE} nor [{config_file.TABLE}] here or above)"
    source = context.find_root().get_parameter_source("config")
    named = {"COMMANDLINE": " (--config)", "ENVIRONMENT": f" ({PREFIX}_CONFIG)"}
    return f"file: {found.file}{named.get(source.name if source else '', '')}"


def _table(rows: Sequence[dict[str, Any]]) -> str:
    """Return the values in columns, with a heading for each command."""
    shown = [{**row, "value": _toml(row["value"])} for row in rows]
    widths = {name: max((len(row[name]) for row in shown), default=0) for name in ("key", "value")}
    lines, heading = [], None
    for row in shown:
        if row["command"] != heading:
            heading = row["command"]
            lines += ["", f"[{heading.replace(' ', '.')}]"]
        where = f" {row['where']}" if row["where"] else ""
        lines.append(f"  {row['key']:<{widths['key']}}  {row['value']:<{widths['value']}}  {row['from']}{where}")
    return "\n".join(lines)


def _toml(value: object) -> str:
    """Return a value as it is written in the file (JSON, which TOML reads); an empty text for None."""
    return "" if value is None else json.dumps(value, ensure_ascii=False)
