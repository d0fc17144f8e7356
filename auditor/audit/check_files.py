"""The files of the checks: their names, codes and titles, without loading them.

Loading a check loads Polars, which takes longer than a shell may wait for the completion of a word.
"""

from __future__ import annotations

import ast
import pkgutil
from pathlib import Path

from auditor.audit import checks


def module_names() -> list[str]:
    """Return the names of the modules of all checks, in the order of their codes."""
    return sorted(module.name for module in pkgutil.iter_modules(checks.__path__))


def code_of(module_name: str) -> str:
    """Return the code with which the name of a check's module begins: ``w106_fu`` has W106."""
    return module_name[:4].upper()


def titles() -> dict[str, str]:
    """Return the title of every check, the first line of its docstring, by its code."""
    folder = Path(checks.__path__[0])
    docs = {name: ast.get_docstring(ast.parse((folder / f"{name}.py").read_bytes())) for name in module_names()}
    return {code_of(name): (doc or "").partition("\n")[0] for name, doc in docs.items()}
