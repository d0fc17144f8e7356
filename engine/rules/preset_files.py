"""The files of ``presets/``: where they are, what their names are, and what they say of their values' sources.

Loads nothing but paths: a shell asks for the names while one types.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

PRESETS = Path(__file__).parent / "presets"

_LINE = re.compile(r'^"?(?P<key>[^"=\s]+)"? = [^#]*?(?:\s+# (?P<comment>.*))?$')


def preset_names() -> tuple[str, ...]:
    """List the presets."""
    return tuple(sorted(path.stem for path in PRESETS.glob("*.toml")))


class Sources(NamedTuple):
    """What the comments of a preset's file say.

    Attributes
    ----------
    of
        Where the value of each key is from; sections are those of RULES.md.
    dated
        The same for each entry of ``[[dated]]``, in order; where that has no value, why it is unknown.
    """

    of: dict[str, str]
    dated: tuple[str, ...]


def sources(name: str) -> Sources:
    """Read the comments at the ends of a file's lines, one line a value.

    Raises
    ------
    OSError
        If no preset is called so.
    """
    head, *entries = (PRESETS / f"{name}.toml").read_text("utf-8").split("[[dated]]")
    dated = [_comments(entry) for entry in entries]
    return Sources(_comments(head), tuple(each.get("value", "; ".join(each.values())) for each in dated))


def _comments(text: str) -> dict[str, str]:
    """Give the comments of lines by key."""
    found = (_LINE.match(line) for line in text.splitlines())
    return {line["key"]: line["comment"] for line in found if line and line["comment"]}
