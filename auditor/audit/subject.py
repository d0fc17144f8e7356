"""Subjects: the tables that checks look at, each with stated columns, computed at most once a batch.

A subject is made from a function of :class:`~auditor.audit.frames.Frames`. A subject of several modules is an attribute
of that class: ``Frames.calls`` is the subject, ``frames.calls`` its table of one batch::

    class Frames:
        @frame(CALL_COLUMNS)
        def calls(self) -> pl.DataFrame:
            ...

A subject of one check is in that check's module: ``_melds`` is the subject, ``_melds.of(frames)`` its table::

    @subject(MELD_COLUMNS)
    def _melds(frames: Frames) -> pl.DataFrame:
        ...
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, overload

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars as pl

    from auditor.replay.columns import Columns


class Batch(Protocol):
    """The input of subjects; it keeps the tables that have been computed."""

    computed: dict[Subject, pl.DataFrame]


class Subject:
    """A table that checks look at.

    Parameters
    ----------
    compute
        the function from frames to the table; its name and docstring are the subject's
    columns
        the table's columns with their types, in any order

    """

    def __init__(self, compute: Callable[[Any], pl.DataFrame], columns: Columns) -> None:
        self.name = compute.__name__.lstrip("_")
        self.doc = (compute.__doc__ or "").strip()
        self.columns = columns
        self._compute = compute

    def __repr__(self) -> str:
        """Return the name, for messages."""
        return f"<subject {self.name}>"

    def of(self, batch: Batch) -> pl.DataFrame:
        """Return the table of a batch; it is computed at the first call."""
        if self not in batch.computed:
            batch.computed[self] = self._compute(batch)
        return batch.computed[self]


class Frame:
    """A subject as an attribute: the class has the subject, an instance has its table."""

    def __init__(self, of_class: Subject) -> None:
        self._subject = of_class
        self.__doc__ = of_class.doc

    @overload
    def __get__(self, batch: None, owner: type[Batch]) -> Subject: ...

    @overload
    def __get__(self, batch: Batch, owner: type[Batch]) -> pl.DataFrame: ...

    def __get__(self, batch: Batch | None, owner: type[Batch]) -> Subject | pl.DataFrame:
        """Return the subject, or its table."""
        return self._subject if batch is None else self._subject.of(batch)


def subject(columns: Columns) -> Callable[[Callable[[Any], pl.DataFrame]], Subject]:
    """Make a function of frames a subject with these columns."""
    return lambda compute: Subject(compute, columns)


def frame(columns: Columns) -> Callable[[Callable[[Any], pl.DataFrame]], Frame]:
    """Make a method of ``Frames`` a subject with these columns."""
    return lambda compute: Frame(Subject(compute, columns))
