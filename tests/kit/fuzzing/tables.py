"""Mutants of tables of hands: odd cells, and files of tables with damaged bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from auditor.dataset.formats import TableError
from auditor.hands.files import read_table
from auditor.hands.table import scored
from engine.rules.rule_sets import preset
from tests.kit.fuzzing.judge import Broken, watched
from tests.kit.fuzzing.values import NUMBERS, TEXTS, damaged, odd_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from random import Random

    from tests.kit.fuzzing.judge import Mutant

Row = dict[str, str | None]

_HANDS = (
    "234m234p234s55m67p", "m234p234s23455m789", "m234p234s23455,m777-", "123m406p789s 55z", "m19p19s19z1234567",
    "1133m2244p6688s5z", "m234p456s78s33,p1111", "z55m123p456s99,z555=5", "88m 234m 567p 345s 678s",
)  # fmt: skip
_WINS = ("8p-", "5s=", "5s", "7p", "1z", "0m+", "")
_OTHERS: dict[str, tuple[str | None, ...]] = {
    "riichi": ("0", "1", "2"), "ippatsu": ("true", "0"), "rinshan": ("false", "1"), "chankan": ("n", "y"),
    "last_tile": ("", "true"), "first_turn": (None, "x"), "seat": ("E", "S"), "round": ("E", "W"),
    "dora": ("1m", "4p9s"), "ura": ("", "2z"), "honba": ("0", "3"), "sticks": ("1", "2"),
    "fu": ("30", "0"), "han": ("2", "13"), "points": ("2000", "8000"), "yaku": ("riichi, pinfu", "tanyao|dora 2"),
}  # fmt: skip
NOTE = "neighbour"
NEIGHBOURS = tuple(
    {**dict.fromkeys(_OTHERS), "hand": "234m234p234s55m67p", "win": "8p-", "riichi": str(riichi), "points": "2000",
     "note": NOTE} for riichi in (0, 1)
)  # fmt: skip
"""Correct rows, for the table's beginning, middle and end."""


def row(rng: Random) -> Row:
    """Return a row of a table with one to four odd cells."""
    made: Row = {name: rng.choice(values) if rng.random() < 0.4 else None for name, values in _OTHERS.items()}
    made |= {"hand": rng.choice(_HANDS), "win": rng.choice(_WINS), "note": "mutant"}
    for _ in range(rng.randrange(1, 5)):
        name = rng.choice(list(made) if rng.random() < 0.5 else ["hand", "win", "dora", "ura"])
        made[name] = odd_text(made[name] or "", rng) if rng.random() < 0.7 else rng.choice((*TEXTS, *NUMBERS))
    return made


def judged(rows: Mapping[str, Row]) -> list[Broken]:
    """Score rows with correct ones between them; return those that raise, or change the value of a correct one."""
    names = list(rows)
    middle = len(names) // 2
    first, second = ([rows[name] for name in half] for half in (names[:middle], names[middle:]))
    table = pl.DataFrame([NEIGHBOURS[0], *first, NEIGHBOURS[1], *second, NEIGHBOURS[0]], infer_schema_length=None)
    try:
        with watched():
            found = scored(table, preset("tenhou")).filter(pl.col("note") == NOTE)
            alone = scored(pl.DataFrame([NEIGHBOURS[0], NEIGHBOURS[1], NEIGHBOURS[0]]), preset("tenhou"))
        how = "" if found.drop("note").equals(alone.drop("note")) else "changes its neighbours"
    except (Exception, pl.exceptions.PanicException) as error:  # noqa: BLE001  (that is what is looked for)
        how = f"{type(error).__name__}: {error}"
    if not how:
        return []
    if len(names) == 1:
        return [Broken(names[0], how)]
    halves = ({name: rows[name] for name in half} for half in (names[:middle], names[middle:]))
    return [broken for half in halves for broken in judged(half)] or [Broken(names[0], f"{how}, only in its batch")]


def files() -> dict[str, bytes]:
    """Give one table in every text format."""
    table = pl.DataFrame(NEIGHBOURS).drop_nulls("hand")
    table = table.select(name for name in table.columns if table[name].null_count() < len(table))
    text = table.write_csv()
    return {
        "csv": text.encode(), "tsv": text.replace(",", "\t").encode(), "jsonl": table.write_ndjson().encode(),
        "json": table.write_json().encode(), "utf16.csv": text.encode("utf-16"),
    }  # fmt: skip


def file(name: str, data: bytes, rng: Random) -> tuple[str, bytes]:
    """Give a table's file, damaged once or twice, under its own name or another's."""
    for _ in range(rng.choice((1, 2))):
        data = damaged(data, rng)
    return (name if rng.random() < 0.8 else rng.choice(("csv", "tsv", "jsonl", "json", "parquet", "csv.gz"))), data


def read(mutants: Sequence[Mutant], folder: Path) -> list[Broken]:
    """Read and score files; return those that raise another error than that they cannot be read."""
    broken = []
    for mutant in mutants:
        path = folder / f"table.{mutant.name.partition('.')[2]}"
        path.write_bytes(mutant.data)
        try:
            with watched():
                scored(read_table(path), preset("tenhou"))
        except TableError:
            continue
        except (Exception, pl.exceptions.PanicException) as error:  # noqa: BLE001  (that is what is looked for)
            broken.append(Broken(mutant.name, f"{type(error).__name__}: {error}"))
    return broken
