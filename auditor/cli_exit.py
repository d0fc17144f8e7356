"""Exit codes, and how a command says why it did not do its work."""

from __future__ import annotations

import typer

CLEAN, FINDINGS, FAILED = 0, 1, 2
"""Exit codes: nothing to report; findings, differences, changes; the command could not do its work."""


def failed(error: Exception) -> typer.Exit:
    """Print what went wrong; return the exit to raise."""
    typer.echo(f"auditor: {error}", err=True)
    return typer.Exit(FAILED)
