"""Exit codes, and the message of a command that could not do its work."""

from __future__ import annotations

import typer

from auditor.base import printing

CLEAN, FINDINGS, FAILED, UNREAD = 0, 1, 2, 141
"""Exit codes. 0: nothing to report; 1: findings, differences or changes; 2: the command could not do its work;
141: the reader of the output, such as ``head``, has gone (a shell reports this code for a process ended by SIGPIPE)."""


def echo(text: str, *, err: bool = False) -> None:
    """Print a text of one or more lines; invisible characters in it are escaped."""
    typer.echo(printing.lines(text), err=err)


def failed(error: Exception) -> typer.Exit:
    """Print an error; return the exit to raise."""
    typer.echo(printing.message(f"auditor: {format_error(error)}"), err=True)
    return typer.Exit(FAILED)


def format_error(error: Exception) -> str:
    """Return the message of an error; for an error of the operating system: file, reason, and what to do."""
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    place = f"{error.filename}: " if error.filename is not None else ""
    return f"{place}cannot be read or written ({error.strerror}); give another path, or fix this one"
