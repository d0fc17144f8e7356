"""A digest of the code that an audit runs: when it changes, a dataset's logs are audited again.

It covers only code that can change a result: in the packages ``auditor`` and ``engine``, every module that the audit of
a batch imports, directly or through others, and the values in TOML files (the presets of rules). Comments, docstrings,
layout, and modules that only print do not count.

Two versions of Python can give two digests of the same code.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import sys
import tomllib
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import auditor
import engine
from auditor.dataset.writing import OutputError, write_text
from engine.shapes.cache import folder

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOTS = ("auditor.audit.audit_batch", "auditor.audit.checks", "auditor.sources")
"""Modules and packages that an audit begins with: the audit itself; the checks, which are found by listing their
folder; and the sources, which find logs in files and return their bytes. Everything that they import counts too."""


@cache
def digest() -> str:
    """Return the digest of the installed packages, 64 hex digits.

    Parsing all modules takes about a second. It is done once for each state of the files: the result is kept in the
    folder of the engine's tables (:func:`engine.shapes.cache.folder`), under a name made of all bytes of the files.
    """
    code = read([Path(package.__path__[0]) for package in (auditor, engine)])
    state = hashlib.sha256(repr(sys.version_info[:2]).encode())
    for path, content in sorted(code.items()):
        state.update(f"{path} {len(content)} ".encode() + content)
    kept = folder() / f"code-{state.hexdigest()[:16]}.txt"
    with suppress(OSError, UnicodeDecodeError):
        if re.fullmatch(r"[0-9a-f]{64}", text := kept.read_text("ascii")):
            return text
    found = digest_of(code)
    with suppress(OSError, OutputError):  # without the kept digest, the next call only takes longer
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_text(found, kept)
    return found


def read(packages: list[Path]) -> dict[str, bytes]:
    """Return the content of every Python and TOML file of some packages, by path from the folder above each package."""
    found = {}
    for package in packages:
        for place, _, names in os.walk(package):  # every run reads them all: Path.rglob takes twice as long
            below = Path(place).relative_to(package.parent)
            for name in names:
                if name.endswith((".py", ".toml")):
                    found[f"{below.as_posix()}/{name}"] = Path(place, name).read_bytes()
    return found


def digest_of(code: Mapping[str, bytes]) -> str:
    """Return the digest of files as :func:`read` returns them."""
    values = {path: tomllib.loads(content.decode()) for path, content in code.items() if path.endswith(".toml")}
    presets = json.dumps(values, sort_keys=True, default=str)  # a date is written as text
    return hashlib.sha256(f"{presets}\n{sorted(_reachable(code).items())}".encode()).hexdigest()


def _reachable(code: Mapping[str, bytes]) -> dict[str, str]:
    """Return digests of the modules that the roots import, directly or through others, by the modules' names."""
    modules = {_name(path): content for path, content in code.items() if path.endswith(".py")}
    waiting = [name for name in modules if name.startswith(ROOTS)]
    found: dict[str, str] = {}
    while waiting:
        name = waiting.pop()
        if name in modules and name not in found:
            found[name], imported = _module(modules[name])
            waiting += [name.rpartition(".")[0], *imported]
    return found


def _name(path: str) -> str:
    """Return the dotted name of a module."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@cache
def _module(content: bytes) -> tuple[str, frozenset[str]]:
    """Return the digest of a module's code, and the names that it imports, which may be modules or their members."""
    names: set[str] = set()
    code = _plain(ast.parse(content), names)
    return hashlib.sha256(repr(code).encode()).hexdigest(), frozenset(names)


def _plain(node: object, names: set[str]) -> object:
    """Return a syntax tree as tuples and lists, and add the names that it imports to ``names``.

    Unlike :func:`ast.dump`, it leaves out empty fields, because versions of Python differ in them.
    """
    match node:
        case ast.Constant():
            return repr(node.value)
        case ast.Import():
            names.update(each.name for each in node.names)
        case ast.ImportFrom():
            names.update((str(node.module), *(f"{node.module}.{each.name}" for each in node.names)))
        case list():
            return [_plain(each, names) for each in node if not _does_nothing(each)]
    if not isinstance(node, ast.AST):
        return node
    fields = [(name, _plain(getattr(node, name, None), names)) for name in node._fields if name != "ctx"]
    return (type(node).__name__, *(field for field in fields if field[1] not in (None, [])))


def _does_nothing(node: object) -> bool:
    """Say whether a node is a statement without effect: a docstring, or imports that only annotations need."""
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING"), orelse=[]):
            return True
    return False
