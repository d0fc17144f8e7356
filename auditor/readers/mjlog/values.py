"""What each tag and attribute may say: unknown names and values out of range become problems, values become numbers.

From formats/tenhou-mjlog.md sections 3, 4, 7 and 8. A value that does not fit is reported with its place and
read as null, so that nothing later builds on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
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
    "GO": {
        "type": _one(0, 0xFFFF),
        "lobby": None,
        "title": None,
        "rule": None,
        "ranking": None,
        "csrule": None,
    },
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

_FIELDS = [(tag, attribute, numbers) for tag, attributes in SPEC.items() for attribute, numbers in attributes.items()]
_FIELD = {f"{tag} {attribute}": number for number, (tag, attribute, _) in enumerate(_FIELDS)}
_FIELD_TABLE = pl.DataFrame(
    [
        (list(numbers.counts), numbers.low, numbers.high, str(numbers)) if numbers else (None, None, None, None)
        for _, _, numbers in _FIELDS
    ],
    schema={"counts": pl.List(pl.UInt32), "low": pl.Int32, "high": pl.Int32, "expected": pl.String},
    orient="row",
)
_SC = [number for number, (_, attribute, _) in enumerate(_FIELDS) if attribute == "sc"]


@dataclass(frozen=True)
class Values:
    """The attributes of a batch, and what was wrong with them.

    ``tags`` (row, name) are the tags they belong to, those without attributes among them; ``field`` int16 is
    each attribute's number in the list of those known, -1 for others; ``row``, ``value`` and ``numbers`` run
    along with it. Problems have row, recorded, expected.
    """

    tags: pl.DataFrame
    row: npt.NDArray[np.uint32]
    field: npt.NDArray[np.int16]
    value: pl.Series
    numbers: pl.Series
    problems: pl.DataFrame

    def rows(self, name: str) -> npt.NDArray[np.uint32]:
        """Return the rows of the tags of this name."""
        return self.tags.filter(pl.col("name") == name)["row"].to_numpy()

    def wide(self, name: str) -> pl.DataFrame:
        """Return one row a tag of this name, its attributes as columns: lists of numbers, or text."""
        rows = self.rows(name)
        columns = {"row": pl.Series(rows, dtype=pl.UInt32)}
        for attribute, numbers in SPEC[name].items():
            at = self._at(rows, name, attribute)
            columns[attribute] = (self.numbers if numbers else self.value).gather(at)
        return pl.DataFrame(columns)

    def has(self, name: str, attribute: str) -> npt.NDArray[np.bool_]:
        """Return which of the tags of this name have this attribute."""
        return self._at(self.rows(name), name, attribute).is_not_null().to_numpy()

    def _at(self, rows: npt.NDArray[np.uint32], name: str, attribute: str) -> pl.Series:
        """Return where each of these tags has this attribute, null where it has not; the first, if twice."""
        found = np.flatnonzero(self.field == _FIELD[f"{name} {attribute}"])[::-1]
        at = np.full(len(rows), -1, dtype=np.int64)
        at[np.searchsorted(rows, self.row[found])] = found
        return pl.select(pl.when(pl.Series(at) >= 0).then(pl.Series(at))).to_series()


def parse(tags: Tags, *, chips: npt.NDArray[np.bool_]) -> Values:
    """Turn attribute texts into numbers.

    ``chips`` bool[games] says whether a game's scores come with chips, which doubles ``sc`` to 16 numbers
    (section 7).
    """
    attributes = tags.attributes
    row = attributes["row"].to_numpy()
    numbers = pl.col("numbers")
    table = (
        attributes.lazy()
        .with_columns(
            field=pl.format("{} {}", "name", "attribute").replace_strict(_FIELD, default=-1, return_dtype=pl.Int16),
            chips=pl.Series(chips[tags.game[row]], dtype=pl.Boolean),
        )
        .collect()
    )
    field = table["field"].to_numpy()
    spec = _FIELD_TABLE[np.where(field < 0, 0, field)]
    parsed = pl.DataFrame({"value": table["value"], "counts": spec["counts"], "low": spec["low"], "high": spec["high"],
                           "chips": table["chips"], "field": table["field"]}).lazy().with_columns(
        numbers=pl.when(pl.col("low").is_not_null(), pl.col("field") >= 0)
        .then(pl.col("value").str.strip_chars().str.split(","))
        .cast(pl.List(pl.Int32), strict=False)
    ).select(
        "numbers",
        fits=pl.col("counts").list.contains(numbers.list.len())
        & (numbers.list.drop_nulls().list.len() == numbers.list.len())
        & (numbers.list.min() >= pl.col("low"))
        & (numbers.list.max() <= pl.col("high"))
        & (~pl.col("field").is_in(_SC) | ((numbers.list.len() == 16) == pl.col("chips"))),
    ).collect()  # fmt: skip
    fits = parsed["fits"]
    return Values(
        tags=tags.others.select("row", "name"),
        row=row,
        field=field,
        value=table["value"],
        numbers=parsed.select(pl.when("fits").then("numbers")).to_series(),
        problems=_problems(table, spec["expected"], fits),
    )


def _problems(table: pl.DataFrame, expected: pl.Series, fits: pl.Series) -> pl.DataFrame:
    """Return the values that do not fit and the attributes that no tag of that name has."""
    told = pl.format('{} {}="{}"', "name", "attribute", pl.col("value").str.slice(0, 80))
    wrong = pl.Series(~fits.fill_null(value=True)) & (table["field"] >= 0)
    strange = (table["field"] < 0) & table["name"].is_in(list(SPEC))
    sc = pl.when("chips").then(pl.lit("16 numbers (scores and chips)")).otherwise(pl.lit("8 numbers"))
    return pl.concat(
        [
            table.with_columns(expected=expected)
            .filter(wrong)
            .select(
                "row",
                recorded=told,
                expected=pl.when(pl.col("field").is_in(_SC)).then(sc).otherwise("expected"),
            ),
            table.filter(strange).select("row", recorded=told, expected=pl.lit("no such attribute")),
        ]
    )
