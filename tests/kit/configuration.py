"""Helpers for tests of the configuration: all options, and the values that ``auditor config`` prints."""

from __future__ import annotations

import json

import typer
from typer.testing import CliRunner

from auditor.cli.main import app
from auditor.cli.settings import settings

KNOWN = settings(typer.main.get_command(app))
EVERY = [setting for own in KNOWN.values() for setting in own.values()]


def auditor(*arguments):
    """Run the command line on a wide terminal; give exit code, standard output, standard error."""
    result = CliRunner(env={"COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb"}).invoke(app, [*map(str, arguments)])
    assert not result.exception or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr


def shown(*arguments, before=()):
    """Run ``auditor config --json``; give its rows by command and key, and the configuration file."""
    code, text, _ = auditor(*before, "config", "--json", *arguments)
    assert code == 0
    answer = json.loads(text)
    return {(row["command"], row["key"]): row for row in answer["values"]}, answer["file"]


def value(row):
    """Give value, kind of origin and place of a row."""
    return row["value"], row["from"], row["where"]
