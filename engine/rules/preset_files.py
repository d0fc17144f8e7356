"""The files of ``presets/``: their folder, their names, and the sources of their values.

Imports almost nothing, because the shell's completion loads it while somebody types.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

PRESETS = Path(__file__).parent / "presets"

_LINE = re.compile(r'^"?(?P<key>[^"=\s]+)"? = [^#]*?(?:\s+# (?P<comment>.*))?$')


@cache
def preset_names() -> tuple[str, ...]:
    """List the names of the presets, sorted."""
    return tuple(sorted(path.stem for path in PRESETS.glob("*.toml")))


class Sources(NamedTuple):
    """The comments of a preset's file.

    Attributes
    ----------
    of
        The source of each key's value; numbers are sections of RULES.md.
    dated
        The same for each entry of ``[[dated]]``, in order. For an entry without a value: why it is unknown.
    """

    of: dict[str, str]
    dated: tuple[str, ...]


def sources(name: str) -> Sources:
    """Read the comments of a preset's file; each value has a line of its own, and the comment is at its end.

    Raises
    ------
    OSError
        If no preset has that name.
    """
    head, *entries = (PRESETS / f"{name}.toml").read_text("utf-8").split("[[dated]]")
    dated = [_comments(entry) for entry in entries]
    return Sources(_comments(head), tuple(each.get("value", "; ".join(each.values())) for each in dated))


def _comments(text: str) -> dict[str, str]:
    """Give the comment of each line by the line's key."""
    found = (_LINE.match(line) for line in text.splitlines())
    return {line["key"]: line["comment"] for line in found if line and line["comment"]}
