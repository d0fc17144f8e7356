"""Types of options that several commands share, and how a shell completes them. Heavy imports are inside functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from auditor import __version__
from auditor.base.choices import Severity

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Place:
    """A mark on a parameter's type: its texts name files or folders, except those for which ``otherwise`` is true.

    A parameter of type Path needs no such mark.
    """

    otherwise: Callable[[str], bool]


def _standard_input(text: str) -> bool:
    return text == "-"


def _no_local_file(text: str) -> bool:
    if "://" not in text:
        return _standard_input(text)
    from auditor.sources.remote import is_uri

    return is_uri(text)


def _preset(text: str) -> bool:
    from engine.rules.preset_files import preset_names

    return ";" in text or text in preset_names()


SOURCE = Place(_no_local_file)
LIST = Place(_standard_input)
RULES = Place(_preset)


def presets(incomplete: str) -> list[str]:
    """Complete the name of a preset."""
    from engine.rules.preset_files import preset_names

    return [name for name in preset_names() if name.startswith(incomplete)]


def codes(incomplete: str) -> list[tuple[str, str]]:
    """Complete the last of several check codes separated by commas; return codes with titles."""
    from auditor.audit.check_files import titles

    before, comma, last = incomplete.rpartition(",")
    return [(before + comma + code, title) for code, title in titles().items() if code.startswith(last.upper())]


def statistics(incomplete: str) -> list[tuple[str, str]]:
    """Complete the name of a statistic, with its title."""
    from auditor.dataset.stats import STATISTICS

    return [(name, each.title) for name, each in STATISTICS.items() if name.startswith(incomplete)]


Codes = Annotated[
    list[str] | None, typer.Option("--code", help="Only these codes, such as W or P101.", autocompletion=codes)
]
Severities = Annotated[
    list[Severity] | None, typer.Option("--severity", help="Only findings of this severity; may be given twice.")
]
Game = Annotated[str | None, typer.Option(help="Only games whose id is this, or begins with it.")]
Player = Annotated[
    str | None,
    typer.Option(help="Only findings about this player: the whole name, or a pattern with * and ?.", metavar="NAME"),
]
Code = Annotated[str, typer.Argument(help="A check's code, such as W106.", autocompletion=codes)]
Rules = Annotated[str, typer.Option(help="A preset's name, or a file.", autocompletion=presets), RULES]
Date = Annotated[
    str | None, typer.Option(metavar="YYYY-MM-DD", help="Take the rules as they were on this day, not today's.")
]
RuleSetName = Annotated[str, typer.Argument(help="A preset's name, or a file.", autocompletion=presets), RULES]


def _version(asked: bool) -> None:  # noqa: FBT001  (what typer calls it with)
    if asked:
        typer.echo(f"auditor {__version__}")
        raise typer.Exit


Version = Annotated[
    bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True, show_default=False)
]
