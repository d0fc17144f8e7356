"""The definition of a check, and the list of all checks.

A check is a module of ``auditor.audit.checks`` whose name begins with its code. Its docstring is its documentation,
``CHECK`` is its record, and ``find`` is its function from frames to findings. The folder's listing is the registry.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from auditor.audit import checks
from auditor.audit.check_files import code_of, module_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy as np
    import numpy.typing as npt
    import polars as pl

    from auditor.audit.frames import Frames
    from auditor.audit.subject import Subject

    Find = Callable[[Frames], pl.DataFrame]


class Severity(StrEnum):
    """How bad a finding is (README.md)."""

    ERROR = "error"
    """Impossible under any rules."""
    RULE = "rule"
    """Forbidden by the stated rule set."""
    NOTE = "note"
    """Legal, worth a look."""


@dataclass(frozen=True)
class Record:
    """The facts that the module of a check states.

    Parameters
    ----------
    severity
        of its findings
    message
        a sentence about one finding, with ``{seat}``, ``{recorded}`` and ``{expected}``
    subject
        the table that it looks at, row by row; None if it looks at the file
    needs
        columns of the subject without which a row is not checkable
    tried_rules
        rule parameters that the verdict depends on; if one is unknown, a mismatch is tried under all its values
    subject_rules
        further rule parameters that the verdict depends on; if one is unknown, the subject itself has null there, or
        shows no mismatch
    default
        whether it runs without being selected; False for a check that takes long
    whole_dataset
        whether it needs all batches: a run judges it when they are written (run/repeats.py), and its module has no
        ``find``

    Raises
    ------
    ValueError
        if the subject lacks a column of ``needs``, or a rule is named twice

    """

    severity: Severity
    message: str
    subject: Subject | None = None
    needs: tuple[str, ...] = ()
    tried_rules: tuple[str, ...] = ()
    subject_rules: tuple[str, ...] = ()
    default: bool = True
    whole_dataset: bool = False

    def __post_init__(self) -> None:
        """Refuse a contradictory record before any log is read."""
        if missing := [name for name in self.needs if self.subject is None or name not in self.subject.columns]:
            raise ValueError(f"{self.subject} has no column {', '.join(missing)}")
        if twice := set(self.tried_rules) & set(self.subject_rules):
            raise ValueError(f"rules named twice: {', '.join(sorted(twice))}")

    @property
    def rules(self) -> tuple[str, ...]:
        """All rule parameters that the verdict depends on."""
        return self.tried_rules + self.subject_rules


@dataclass(frozen=True, kw_only=True)
class Check(Record):
    """A check: its record, and the other parts of its module.

    Parameters
    ----------
    code
        the beginning of the module's name, in capitals
    doc
        the module's docstring
    find
        the module's function from frames to findings; None if the check needs the whole dataset

    """

    code: str
    doc: str
    find: Find | None

    @property
    def title(self) -> str:
        """The first line of the documentation."""
        return self.doc.partition("\n")[0]


WHERE = ("round", "event", "pos", "seat")
"""Columns that place a finding within a round: the names of ``PLACE`` (replay/columns.py). They are repeated here,
since that module loads Polars, and shell completion imports this one for `titles`."""


def reported(
    rows: pl.DataFrame, wrong: pl.Series | npt.NDArray[np.bool_] | None = None, /, *and_if: pl.Expr, **values: pl.Expr
) -> pl.DataFrame:
    """Return the wrong rows of a frame as findings: the columns of their place, and ``values``.

    Usually no row is wrong. So ``wrong`` should be a comparison of whole columns, which takes microseconds; expressions
    are computed only for the rows that it leaves.

    Parameters
    ----------
    rows
        the frame, or without ``wrong`` only its wrong rows
    wrong
        bool[rows], the rows that are wrong if all of ``and_if`` are true; null: the row is not wrong
    values
        columns of the findings; a place column here replaces the row's own

    """
    if wrong is not None:
        rows = rows.filter(wrong) if wrong.any() else rows.clear()
    if and_if and len(rows):
        rows = rows.filter(*and_if)
    return rows.select(*(name for name in WHERE if name not in values), **values) if len(rows) else rows


@cache
def all_checks() -> tuple[Check, ...]:
    """Return every check, in the order of codes."""
    return tuple(_load(name) for name in module_names())


def _load(name: str) -> Check:
    module = importlib.import_module(f"{checks.__name__}.{name}")
    record: Record = module.CHECK
    find: Find | None = None if record.whole_dataset else module.find
    return Check(**vars(record), code=code_of(name), doc=(module.__doc__ or "").strip(), find=find)


NEAREST = 3
"""How many codes the message about an unknown code names."""
EVERY = "ALL"
"""Selects every check."""


class UnknownCodeError(ValueError):
    """A code that no check has."""


def choose(select: Iterable[str], ignore: Iterable[str]) -> tuple[Check, ...]:
    """Return the checks whose code begins with one of ``select``, without those that begin with one of ``ignore``.

    A text may name several, separated by commas. If nothing is selected, these are the checks that run by default;
    ``ALL`` selects every check.

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
    """Return a hint that names the codes most like an unknown one, with the same letter if there are any."""
    codes = [check.code for check in all_checks()]
    same = [code for code in codes if code[:1] == prefix[:1]]
    # Sorted backwards, because get_close_matches puts later ones of equal likeness first.
    near = get_close_matches(prefix, sorted(same or codes, reverse=True), n=NEAREST, cutoff=0.0 if same else 0.5)
    if near:
        return f"the nearest are {', '.join(sorted(near))}"
    return f"codes begin with {' '.join(sorted({code[0] for code in codes}))}"
