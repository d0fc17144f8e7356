"""What each tag and attribute may say: unknown names and values out of range become problems, values become numbers.

From formats/tenhou-mjlog.md sections 3, 4, 7 and 8. A value that does not fit is reported with its place and
read as null, so that nothing later builds on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from auditor.readers.mjlog.tags import Tags

PIECE = (0, 135)
MANY = range(1, 15)


@dataclass(frozen=True)
class Numbers:
    """A comma-separated list of whole numbers: how many, and between which bounds."""

    counts: tuple[int, ...]
    low: int
    high: int

    def __str__(self) -> str:
        """Say what is expected, for a message."""
        few, most = min(self.counts), max(self.counts)
        count = f"{few}" if few == most else f"{few}-{most}" if len(self.counts) > 2 else f"{few} or {most}"
        return f"{count} whole number(s) in {self.low}..{self.high}"


def _one(low: int, high: int) -> Numbers:
    return Numbers((1,), low, high)


_SEAT = _one(0, 3)
_SCORE = 100_000
_HAI = Numbers(tuple(MANY), *PIECE)
_RESULT = {
    "ba": Numbers((2,), 0, 99),
    "sc": Numbers((8, 16), -_SCORE, _SCORE),
    "owari": None,
    "chip": None,
    "ratio": None,
}
SPEC: dict[str, dict[str, Numbers | None]] = {
    "mjloggm": {"ver": None},
    "SHUFFLE": {"seed": None, "ref": None},
    "GO": {"type": _one(0, 0xFFFF), "lobby": None, "title": None, "rule": None, "ranking": None, "csrule": None},
    "UN": dict.fromkeys(("n0", "n1", "n2", "n3", "dan", "rate", "sx", "rc", "gold")),
    "TAIKYOKU": {"oya": _SEAT, "log": None},
    "BYE": {"who": _SEAT},
    "INIT": {
        "seed": Numbers((6,), 0, 135),
        "ten": Numbers((4,), -_SCORE, _SCORE),
        "oya": _SEAT,
        **{f"hai{seat}": Numbers((13,), *PIECE) for seat in range(4)},
        "shuffle": None,
        "chip": Numbers((4,), -_SCORE, _SCORE),
    },
    "N": {"who": _SEAT, "m": _one(0, 0xFFFF)},
    "REACH": {"who": _SEAT, "step": _one(1, 2), "ten": Numbers((4,), -_SCORE, _SCORE)},
    "DORA": {"hai": _one(*PIECE)},
    "AGARI": {
        **_RESULT,
        "hai": _HAI,
        "m": Numbers(tuple(range(1, 9)), 0, 0xFFFF),
        "machi": _one(*PIECE),
        "ten": Numbers((3,), 0, 10_000_000),
        "yaku": Numbers(tuple(range(2, 60, 2)), 0, 99),
        "yakuman": Numbers(tuple(range(1, 9)), 0, 54),
        "doraHai": Numbers(tuple(range(1, 6)), *PIECE),
        "doraHaiUra": Numbers(tuple(range(1, 6)), *PIECE),
        "who": _SEAT,
        "fromWho": _SEAT,
        "paoWho": _SEAT,
    },
    "RYUUKYOKU": {**_RESULT, "type": None, **{f"hai{seat}": _HAI for seat in range(4)}},
}
CLOSING = ("/mjloggm", "?xml")

_RULES = pl.DataFrame(
    [
        (tag, attribute, list(numbers.counts) if numbers else None, numbers and numbers.low, numbers and numbers.high,
         numbers and str(numbers))
        for tag, attributes in SPEC.items()
        for attribute, numbers in attributes.items()
    ],
    schema={
        "name": pl.String,
        "attribute": pl.String,
        "counts": pl.List(pl.UInt32),
        "low": pl.Int32,
        "high": pl.Int32,
        "expected": pl.String,
    },
    orient="row",
)


@dataclass(frozen=True)
class Values:
    """The attributes of a batch: ``table`` (row, name, attribute, value, numbers) and what was wrong with them.

    ``tags`` (row, name) are the tags they belong to, those without attributes among them.
    """

    tags: pl.DataFrame
    table: pl.DataFrame
    problems: pl.DataFrame

    def wide(self, name: str) -> pl.DataFrame:
        """Return one row a tag of this name, its attributes as columns: lists of numbers, or text."""
        here = self.table.filter(pl.col("name") == name)
        frame = self.tags.filter(pl.col("name") == name).select("row")
        for attribute, numbers in SPEC[name].items():
            column = here.filter(pl.col("attribute") == attribute).select(
                "row", pl.col("numbers" if numbers else "value").alias(attribute)
            )
            frame = frame.join(column, on="row", how="left", maintain_order="left")
        return frame


def parse(tags: Tags, *, chips: npt.NDArray[np.bool_]) -> Values:
    """Turn attribute texts into numbers.

    ``chips`` bool[games] says whether a game's scores come with chips, which doubles ``sc`` to 16 numbers
    (section 7). Problems have row, recorded, expected.
    """
    attributes = tags.attributes
    numbers = pl.col("numbers")
    table = (
        attributes.with_columns(chips=pl.Series(chips[tags.game[attributes["row"]]], dtype=pl.Boolean))
        .unique(["row", "attribute"], keep="first", maintain_order=True)
        .join(_RULES, on=["name", "attribute"], how="left", maintain_order="left")
        .with_columns(
            numbers=pl.when(pl.col("counts").is_not_null())
            .then(pl.col("value").str.strip_chars().str.split(","))
            .cast(pl.List(pl.Int32), strict=False)
        )
        .with_columns(
            fits=pl.col("counts").list.contains(numbers.list.len())
            & (numbers.list.drop_nulls().list.len() == numbers.list.len())
            & (numbers.list.min() >= pl.col("low"))
            & (numbers.list.max() <= pl.col("high"))
            & ((pl.col("attribute") != "sc") | ((numbers.list.len() == 16) == pl.col("chips")))
        )
        .with_columns(numbers=pl.when("fits").then(numbers))
    )
    wrong = table.filter(~pl.col("fits"))
    known = pl.Series(list(SPEC))
    strange = table.filter(
        pl.col("name").is_in(known.implode())
        & ~pl.struct("name", "attribute").is_in(_RULES.select(pl.struct("name", "attribute")).to_series().implode())
    )
    problems = pl.concat([
        wrong.select(
            "row",
            recorded=pl.format('{} {}="{}"', "name", "attribute", pl.col("value").str.slice(0, 80)),
            expected=pl.when(pl.col("attribute") == "sc")
            .then(pl.when("chips").then(pl.lit("16 numbers (scores and chips)")).otherwise(pl.lit("8 numbers")))
            .otherwise("expected"),
        ),
        strange.select(
            "row",
            recorded=pl.format('{} {}="{}"', "name", "attribute", pl.col("value").str.slice(0, 80)),
            expected=pl.lit("no such attribute"),
        ),
    ])
    return Values(tags.others.select("row", "name"), table.select("row", "name", "attribute", "value", "numbers"), problems)
