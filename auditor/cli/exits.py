"""Exit codes, and how a command says why it did not do its work."""

from __future__ import annotations

import typer

from auditor.base import printing

CLEAN, FINDINGS, FAILED = 0, 1, 2
"""Exit codes: nothing to report; findings, differences, changes; the command could not do its work."""


def echo(text: str, *, err: bool = False) -> None:
    """Print a text of one or more lines, what is not seen in it escaped."""
    typer.echo(printing.lines(text), err=err)


def failed(error: Exception) -> typer.Exit:
    """Print what went wrong; return the exit to raise."""
    typer.echo(printing.message(f"auditor: {describe_error(error)}"), err=True)
    return typer.Exit(FAILED)


def describe_error(error: Exception) -> str:
    """Return what an error says; the system's own: the file, the reason and what to do, no number."""
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    place = f"{error.filename}: " if error.filename is not None else ""
    return f"{place}cannot be read or written ({error.strerror}); give another path, or mend what stands in its way"
