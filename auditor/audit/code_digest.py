"""Which program this is, byte for byte: between two releases, too, one may not find what another does."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("auditor", "engine")


@cache
def digest() -> str:
    """Return a digest of the auditor's and the engine's files."""
    told = hashlib.sha256()
    for package in PACKAGES:
        spec = find_spec(package)
        assert spec is not None
        for root in map(Path, spec.submodule_search_locations or ()):
            for path in sorted(each for each in root.rglob("*") if each.suffix in {".py", ".toml"}):
                told.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes())
    return told.hexdigest()
