"""The files of ``presets/``: where they are and what their names are. Loads nothing: a shell asks while one types."""

from __future__ import annotations

from pathlib import Path

PRESETS = Path(__file__).parent / "presets"


def preset_names() -> tuple[str, ...]:
    """List the presets."""
    return tuple(sorted(path.stem for path in PRESETS.glob("*.toml")))
