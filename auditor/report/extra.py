"""The extra ``report``: whether the libraries that draw pages and plots are installed."""

from __future__ import annotations

from importlib.util import find_spec

LIBRARIES = {"altair": "Altair", "jinja2": "Jinja2", "vl_convert": "vl-convert"}
"""The modules that the extra brings, with the names of their libraries."""


class NotInstalledError(Exception):
    """The extra is not installed."""


def check_installed() -> None:
    """Look for the libraries of the extra, without importing them.

    Raises
    ------
    NotInstalledError
        when one of them is not there

    """
    lacking = [name for module, name in LIBRARIES.items() if find_spec(module) is None]
    if lacking:
        raise NotInstalledError(
            f"pages and plots need {', '.join(lacking)}, not installed here; "
            "install the extra: pip install 'riichi-log-auditor[report]'"
        )
