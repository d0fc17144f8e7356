"""The tables of ``fixtures/README.md``: the converted games, with the features that each shows."""

from __future__ import annotations

import re
from pathlib import Path

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"

_ROW = re.compile(r"^\| `([^`]+\.mjlog[^`]*)` \| [^|]+\| [^|]+\| ([^|]*) \|$", re.MULTILINE)


def table_rows(folder: str) -> dict[str, set[str]]:
    """Read file and features from the table in the section of a folder of logs."""
    text = (FIXTURES / "README.md").read_text(encoding="utf-8")
    (section,) = (part for part in text.split("\n## ") if part.startswith(f"`logs/{folder}/`"))
    return {name: {part.strip() for part in features.split(",")} for name, features in _ROW.findall(section)}
