"""The check behind ``auditor config --check``: it finds the values that a command would refuse if it ran.

No check is written twice. Each value goes to the function that the command itself calls with it. For SQL, a statistic
and a hand, the whole command runs; the first two read a dataset without rows.
"""

from __future__ import annotations

import io
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from auditor.audit.check import UnknownCodeError, choose
from auditor.cli import ask, hands
from auditor.cli.exits import FAILED
from auditor.cli.rule_option import RulesError, named
from auditor.dataset import lock
from auditor.dataset.schema import METADATA, TABLES
from auditor.dataset.writing import OutputError
from auditor.sources import log_files, remote
from auditor.sources.log_files import SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from auditor.cli.settings import Names

NO_HAND = "19m19p19s1234567z"
"""The hand to use if only other options of ``hand`` are given. It has no tile twice, so no indicator can be one copy
too many."""


def faults(command: Names, given: Mapping[str, tuple[Any, str]], values: Mapping[str, Any]) -> list[str]:
    """Return the values that a command would refuse, as a line each.

    Parameters
    ----------
    command
        its name, after that of its group
    given
        by key, each value that is set, and the place where it is set
    values
        by key, all values, also defaults

    """
    found = []
    for key, (value, where) in given.items():
        judge = _JUDGES.get((command, key)) or _JUDGES.get(((), key))
        each = value if isinstance(value, (list, tuple)) else [value]
        if judge is not None and value is not None:
            found += [f"{where}: {fault}" for one in each if (fault := judge(one)) is not None]
    tried = _TRIED.get(command)
    if tried is not None and not found and (asked := [where for key, (_, where) in given.items() if key in tried[0]]):
        fault = tried[1](values)
        found += [f"{', '.join(asked)}: {fault}"] if fault else []
    return found


def _codes(text: str) -> str | None:
    try:
        choose([text], [])
    except UnknownCodeError as error:
        return str(error)
    return None


def _rules(name: str) -> str | None:
    try:
        named(name)
    except RulesError as error:
        return str(error)
    return None


def _out(folder: Path) -> str | None:
    try:
        return lock.refused(folder)
    except OutputError as error:
        return str(error)
    except OSError as error:
        return f"{folder}: cannot be written ({error.strerror})"


def _source(text: str) -> str | None:
    """Check what is on this machine. No server is asked, and standard input is not read."""
    return None if text == "-" or remote.is_uri(text) else _found([text], [])


def _list(name: str) -> str | None:
    return None if name == "-" else _found([], [name])


def _found(paths: Sequence[str], lists: Sequence[str]) -> str | None:
    try:
        next(iter(log_files.find(paths, None, lists)))
    except SourceError as error:
        return str(error)
    return None


_JUDGES: dict[tuple[Names, str], Callable[[Any], str | None]] = {
    ((), "rules"): _rules,
    (("rules", "show"), "name"): _rules,
    (("rules", "diff"), "one"): _rules,
    (("rules", "diff"), "other"): _rules,
    (("run",), "select"): _codes,
    (("run",), "ignore"): _codes,
    (("show",), "code"): _codes,
    (("compare",), "code"): _codes,
    (("explain",), "code"): _codes,
    (("run",), "out"): _out,
    (("run",), "source"): _source,
    (("run",), "from"): _list,
}
"""By command and key the function that checks one value; an empty command stands for every command with the key."""


def _said_nothing() -> typer.Context:
    """Return the context of an empty command line."""
    return typer.Context(typer.core.TyperCommand("check"))


def _query(values: Mapping[str, Any]) -> str | None:
    if values["sql"] is None:
        return None
    return _over_nothing(lambda folder: ask.query(_said_nothing(), folder, values["sql"]))


def _stats(values: Mapping[str, Any]) -> str | None:
    if values["name"] is None:
        return None
    return _over_nothing(lambda folder: ask.stats(_said_nothing(), folder, values["name"], values["by"]))


def _hand(values: Mapping[str, Any]) -> str | None:
    """Explain the hand; if none is given, explain `NO_HAND` with the options that do not describe a win."""
    own = {key: values[key] for key in ("rules", "dora", "ura", "visible", "honba", "sticks")}
    if values["tiles"] is None:
        return _refusal(lambda: hands.hand(NO_HAND, **own))
    at = {key: values[key] for key in ("win", "seat", "riichi", "ippatsu", "rinshan", "chankan", "last", "first")}
    return _refusal(lambda: hands.hand(values["tiles"], round_wind=values["round"], **own, **at))


_TRIED: dict[Names, tuple[tuple[str, ...], Callable[[Mapping[str, Any]], str | None]]] = {
    ("query",): (("sql",), _query),
    ("stats",): (("name", "by"), _stats),
    ("hand",): (
        ("tiles", "win", "riichi", "ippatsu", "rinshan", "chankan", "last", "first", "dora", "ura", "visible"), _hand,
    ),
}  # fmt: skip
"""Commands that are tried as a whole: the keys whose values this checks, and the trial."""


def _over_nothing(command: Callable[[Path], None]) -> str | None:
    """Try a command over a dataset that has every table and no row."""
    import polars as pl

    with tempfile.TemporaryDirectory() as folder:
        for name, table in TABLES.items():
            (Path(folder) / name).mkdir()
            pl.DataFrame(schema=table.types).write_parquet(Path(folder) / name / "0.parquet", metadata=METADATA)
        return _refusal(lambda: command(Path(folder)))


def _refusal(command: Callable[[], None]) -> str | None:
    """Run a command that changes nothing; return its message if it refuses, else None."""
    errors = io.StringIO()
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(errors):
            command()
    except typer.Exit as end:
        if end.exit_code == FAILED:
            return " ".join(errors.getvalue().removeprefix("auditor: ").split())
    return None
