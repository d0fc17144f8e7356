"""The cases of all checks, and the fixtures written from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.check_cases import calls, flow, results, stated_walls, three, walls
from tests.kit.log_writer import Writer

if TYPE_CHECKING:
    from pathlib import Path

    from tests.kit.check_cases.case import Case

CASES = results.CASES | flow.CASES | calls.CASES | walls.CASES | stated_walls.CASES | three.CASES
"""Cases by the name of the check's module."""


def failing(case: Case, name: str) -> bytes:
    """Make one failing log of a case, by its name in ``fails``; give its bytes.

    Raises
    ------
    ValueError
        If a line to replace does not occur exactly once in the passing description.
    """
    changes = case.fails[name]
    if isinstance(changes, bytes):
        return changes
    text = str(case.passes)
    for line, instead in changes:
        if text.count(f"\n{line}\n") != 1:
            raise ValueError(f"stands {text.count(line)} times, not once: {line!r}")
        text = text.replace(f"\n{line}\n", f"\n{instead}\n")
    return Writer().write(text)


def write(folder: Path) -> None:
    """Write each check's logs into a folder of its own, with their rules if those are not Tenhou's."""
    for check, case in CASES.items():
        below = folder / check
        below.mkdir(parents=True)
        described = isinstance(case.passes, str)
        suffix = "mjlog" if described else "json"
        (below / f"pass.{suffix}").write_bytes(Writer().write(case.passes) if described else case.passes)
        for name in case.fails:
            (below / f"{name}.{suffix}").write_bytes(failing(case, name))
        if case.rules:
            (below / "rules.toml").write_text(case.rules)
