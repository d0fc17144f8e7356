"""Pages and plots as files: which form a file's name asks for, and the writing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

PLOTS = (".svg", ".png", ".html")
"""The endings of plots."""


class FileError(Exception):
    """A page or a plot that cannot be written to this file."""


def form_of_plot(path: Path) -> str:
    """Return the form that a plot's file name asks for: ``svg``, ``png`` or ``html``.

    Raises
    ------
    FileError
        when it has another ending

    """
    if path.suffix.lower() not in PLOTS:
        raise FileError(f"--plot {path}: this ending is no form of a plot; use {', '.join(PLOTS[:-1])} or {PLOTS[-1]}")
    return path.suffix.lower()[1:]


def write(path: Path, content: str | bytes, option: str) -> None:
    """Write a file; ``option`` is how the command line names it.

    Raises
    ------
    FileError
        when it cannot be written

    """
    data = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
    try:
        path.write_bytes(data)
    except OSError as error:
        raise FileError(f"{option} {path}: cannot be written ({error.strerror or error}); give another file") from error
