"""What ``--rules`` names: a preset of the engine, or a TOML file with a preset and what differs from it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from engine.rules import preset, preset_names

if TYPE_CHECKING:
    from engine.rules import RuleSet


def load(name: str) -> RuleSet:
    """Return a rule set by preset name or TOML file; the file's key ``preset`` is its base (default ``tenhou``).

    Raises
    ------
    ValueError
        for a name that is neither, a file that is no TOML, an unknown key or a value that is not allowed
    OSError
        when the file cannot be read

    """
    path = Path(name)
    if name in preset_names():
        return preset(name)
    if not path.is_file():
        raise ValueError(f"neither a preset ({', '.join(preset_names())}) nor a file")
    values = tomllib.loads(path.read_text("utf-8"))
    return preset(str(values.pop("preset", "tenhou"))).changed(**values)
