"""The page: everything put into the templates."""

from __future__ import annotations

import base64
import json
import zlib
from importlib.resources import files
from typing import TYPE_CHECKING

from auditor.base.printing import escaped
from auditor.report import drawing, gather, steps, tiles

if TYPE_CHECKING:
    import polars as pl


def page(tables: dict[str, pl.LazyFrame], found: pl.LazyFrame) -> str:
    """Return the page of findings of a dataset, as HTML."""
    import jinja2

    has = gather.gathered(tables, found)
    environment = jinja2.Environment(loader=jinja2.PackageLoader("auditor.report"), autoescape=True)
    environment.filters["seen"] = lambda text: escaped(str(text))
    folder = files("auditor.report") / "templates"
    return environment.get_template("page.html").render(
        title="The night",
        style=(folder / "page.css").read_text("utf-8"),
        script="",
        symbols=tiles.symbols(),
        cards=list(enumerate(has.cards, 1)),
        geometry=json.dumps(drawing.GEOMETRY),
        rounds=packed(has.rounds),
    )


def packed(rounds: list[str]) -> str:
    """Return the steps of rounds as compressed text that a browser can read: base64 of zlib of a JSON list."""
    return base64.b64encode(zlib.compress(json.dumps(rounds, ensure_ascii=False).encode(), 9)).decode()
