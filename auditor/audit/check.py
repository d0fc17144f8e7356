"""What a check is, and the list of all.

A check is a module of ``auditor.audit.checks`` whose name begins with its code: its docstring is its documentation,
``CHECK`` its record, ``find`` its one function. The folder's listing is the registry.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.audit import checks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import polars as pl

    from auditor.audit.frames import Frames

    Find = Callable[[Frames], pl.DataFrame]


class Severity(StrEnum):
    """How bad a finding is (README.md)."""

    ERROR = "error"
    """Cannot be, under any rule."""
    RULE = "rule"
    """Forbidden by the stated rule set."""
    NOTE = "note"
    """Legal, worth a look."""


@dataclass(frozen=True)
class Check:
    """The record of a check.

    Parameters
    ----------
    severity
        of its findings
    message
        a sentence about one finding, with ``{recorded}`` and ``{expected}``
    subject
        the table of :class:`~auditor.audit.frames.Frames` that it looks at, row by row; None if it looks at the file
    needs
        columns of the subject without which a row is not checkable
    obeys
        rule parameters that the verdict depends on; where one is unknown, a mismatch is tried under all its values
    heeds
        further ones, of which the subject knows itself where they are unknown: it is null there, or no mismatch
    default
        whether it runs unless it is selected; False for what costs much time

    """

    severity: Severity
    message: str
    subject: str | None = None
    needs: tuple[str, ...] = ()
    obeys: tuple[str, ...] = ()
    heeds: tuple[str, ...] = ()
    default: bool = True
    code: str = field(default="", init=False)
    doc: str = field(default="", init=False)
    find: Find = field(default=None, init=False)  # type: ignore[assignment]

    @property
    def rules(self) -> tuple[str, ...]:
        """All rule parameters that the verdict depends on."""
        return self.obeys + self.heeds

    @property
    def title(self) -> str:
        """The first line of the documentation."""
        return self.doc.partition("\n")[0]


WHERE = ("round", "event", "pos", "seat")
"""Columns that place a finding within a round."""


def reported(rows: pl.DataFrame, **texts: pl.Expr) -> pl.DataFrame:
    """Return rows as findings: their place, unless it is told otherwise, and what is told.

    Where there are none, as nearly always, nothing is put into words.
    """
    return rows.select(*(name for name in WHERE if name not in texts), **texts) if len(rows) else rows


@cache
def all_checks() -> tuple[Check, ...]:
    """Return every check, by code."""
    return tuple(_load(name) for name in _names())


def titles() -> dict[str, str]:
    """Return every check's title by its code, read from the files: loading them takes longer than a shell may wait."""
    folder = Path(checks.__path__[0])
    docs = {name: ast.get_docstring(ast.parse((folder / f"{name}.py").read_bytes())) for name in _names()}
    return {_code(name): (doc or "").partition("\n")[0] for name, doc in docs.items()}


def _names() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(checks.__path__))


def _code(name: str) -> str:
    return name[:4].upper()


def _load(name: str) -> Check:
    """Complete a module's record with what stands elsewhere in it, so that it need not be said twice."""
    module = importlib.import_module(f"{checks.__name__}.{name}")
    check: Check = module.CHECK
    for part, value in (
        ("code", _code(name)),
        ("doc", (module.__doc__ or "").strip()),
        ("find", module.find),
    ):
        object.__setattr__(check, part, value)
    return check


NEAREST = 3
"""How many codes are named where one is unknown."""
EVERY = "ALL"
"""Selects every check."""


class UnknownCodeError(ValueError):
    """A code that no check has."""


def choose(select: Iterable[str], ignore: Iterable[str]) -> tuple[Check, ...]:
    """Return the checks whose code begins with one of ``select``, less the ignored.

    Several may stand in a text, a comma between.

    Nothing selected stands for all that run by default, ``ALL`` for these and the others.

    Raises
    ------
    UnknownCodeError
        if a code or prefix fits no check

    """
    select, ignore = (
        [code.strip().upper() for text in texts for code in text.split(",")] for texts in (select, ignore)
    )
    for prefix in (*select, *ignore):
        if prefix != EVERY and not any(check.code.startswith(prefix) for check in all_checks()):
            raise UnknownCodeError(f"no check has a code like {prefix!r}; {_near(prefix)} (auditor checks lists all)")
    return tuple(
        check
        for check in all_checks()
        if (check.default if not select else EVERY in select or check.code.startswith(tuple(select)))
        and not check.code.startswith(tuple(ignore) or ("\0",))
    )


def _near(prefix: str) -> str:
    """Say which codes are nearest to one that no check has: of the same letter if there are such."""
    codes = [check.code for check in all_checks()]
    same = [code for code in codes if code[:1] == prefix[:1]]
    # Of equals those of lower numbers: get_close_matches puts later ones first.
    near = get_close_matches(prefix, sorted(same or codes, reverse=True), n=NEAREST, cutoff=0.0 if same else 0.5)
    if near:
        return f"the nearest are {', '.join(sorted(near))}"
    return f"codes begin with {' '.join(sorted({code[0] for code in codes}))}"
