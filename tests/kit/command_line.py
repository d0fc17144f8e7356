"""The command line, called in this process."""

from __future__ import annotations

from typer.testing import CliRunner

from auditor.cli.main import app


def auditor(*arguments):
    """Run a command; give its exit code, standard output and standard error."""
    result = CliRunner(env={"COLUMNS": "120", "NO_COLOR": "1", "TERM": "dumb"}).invoke(app, list(map(str, arguments)))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr
