"""The logs in which faults are planted: games of ranked tables without a finding."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.kit.mutate.fault import form_of
from tests.kit.mutate.judge import findings
from tests.kit.mutate.mjlog import Game
from tests.kit.renamed_games import read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

CHIPS_OR_PARLOUR = 0x0600


def clean_logs(paths: Iterable[Path], players: int | None = None) -> dict[str, str]:
    """Read the logs of `log_texts` in which the auditor finds nothing."""
    return clean(log_texts(paths, players))


def log_texts(paths: Iterable[Path], players: int | None = None) -> dict[str, str]:
    """Read the logs of ranked tables at and below paths, by name; with ``players``, only those of so many players.

    Logs of other tables leave rules open, so that the auditor may rightly report nothing. A file of JSON may have a
    log on each line; logs of formats for which there is no kind of fault are left out.
    """
    below = [file for path in paths for file in ([path] if path.is_file() else path.rglob("*"))]
    files = sorted({file for file in below if file.is_file()})
    texts: dict[str, str] = {}
    for file in files:
        text = read_text(file)
        if text.startswith("{"):
            texts |= {f"{file.name}-{number}": game for number, game in enumerate(_games(text))}
        elif _is_ranked(text, players):
            texts.setdefault(file.name, text)
    return texts


def clean(texts: Mapping[str, str]) -> dict[str, str]:
    """Return those in which the auditor finds nothing."""
    found = findings((name, text.encode()) for name, text in texts.items())
    return {name: text for name, text in texts.items() if not found[name]}


def _games(text: str) -> list[str]:
    """Give the games of a JSON file: its lines, or the whole file if it is one game over several lines."""
    lines = text.splitlines()
    try:
        json.loads(lines[0])
    except ValueError:
        lines = [text]
    return [line for line in lines if form_of(line)]


def _is_ranked(text: str, players: int | None) -> bool:
    if "<mjloggm" not in text:
        return False
    game = Game.parse(text)
    go = game.first("GO").attributes
    if players not in (None, game.table.players):
        return False
    return not int(go["type"]) & CHIPS_OR_PARLOUR and go.get("lobby", "0") == "0" and "csrule" not in go
