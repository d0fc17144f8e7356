"""Compares what a client claims for each hand of a table with the engine's values.

Which claims are compared:

- ``points`` always.
- ``fu`` of a hand below yakuman; a client's 0 is no claim if a limit decides the points.
- ``han`` of a hand below yakuman; 13 can also mean more. For a yakuman, ``han`` is compared only if no points are
  claimed; it must then be the number of yakuman, or 13 for each.
- ``yaku`` as a set. Dora are no yaku: a list without dora claims nothing about them; a list that names them with
  numbers must have as many as the hand, all kinds together. Han beside other names are not compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from auditor.hands.columns import AMOUNTS, CLAIMS
from auditor.log.yaku_names import DORAS, GROUPS, read_names

if TYPE_CHECKING:
    from auditor.hands.cells import Cells

DEALER_MANGAN, MANGAN = 12000, 8000
COUNTED = 13
"""Han that clients write for a yakuman, or for a hand that counts as one."""


@dataclass(frozen=True)
class Claims:
    """The claims of a table, a row for each of its rows.

    Attributes
    ----------
    amounts
        ``fu``, ``han``, ``points``; null if nothing is claimed, or the claim cannot be read
    yaku
        ``row``, ``yaku``: the yaku claimed, without dora; may be groups of `GROUPS`
    lists
        ``keys``: the same as text, in order, null if no list is claimed; ``named``: whether it names dora;
        ``dora``: their number, null if one of them has no number
    unreadable
        claims that cannot be read, null for none

    """

    amounts: pl.DataFrame
    yaku: pl.DataFrame
    lists: pl.DataFrame
    unreadable: pl.Series


def read_claims(cells: Cells) -> Claims:
    """Read the claims of a table."""
    names = read_names(cells.claims["yaku"])
    is_dora = pl.col("yaku").is_in(DORAS)
    by_row = names.entries.group_by("row").agg(
        keys=_key(pl.col("yaku").filter(~is_dora)),
        named=(is_dora & (pl.col("han") != 0).fill_null(value=True)).any(),
        dora=pl.when((is_dora & pl.col("han").is_null()).any())
        .then(None)
        .otherwise(pl.col("han").filter(is_dora).sum()),
    )
    rows = pl.DataFrame({"row": pl.int_range(len(cells.claims), eager=True)})
    unreadable = pl.DataFrame({"amounts": cells.unreadable, "yaku": names.unreadable})
    return Claims(
        cells.claims.select(AMOUNTS),
        names.entries.filter(~is_dora).select("row", "yaku").unique(),
        rows.join(by_row, on="row", how="left", maintain_order="left").drop("row"),
        unreadable.select(pl.concat_list(pl.all()).list.drop_nulls().list.join(", ").replace("", None)).to_series(),
    )


def _key(numbers: pl.Expr) -> pl.Expr:
    return numbers.unique().sort().cast(pl.String).str.join(",")


def compared(claims: Claims, row: pl.Series, worth: pl.DataFrame) -> pl.DataFrame:
    """Compare claims with the engine's values.

    Parameters
    ----------
    claims
        claims of the table
    row
        row of the table for each hand
    worth
        for each hand ``fu``, ``han``, ``limit``, ``points``, ``units`` (of yakuman), ``dealer``, ``numbers`` (of
        its yaku, without dora), ``dora`` (how many)

    Returns
    -------
    DataFrame
        for each claim ``wrong NAME`` and ``compared NAME``, never null

    """
    both = pl.concat(
        [
            claims.amounts[row],
            claims.lists[row],
            worth.drop("numbers", "payments").select(pl.all().name.prefix("own ")),
        ],
        how="horizontal",
    ).with_columns(_with_groups(claims, row, worth))
    yakuman = pl.col("own units") > 0
    decided = (pl.col("own limit") > 0) | (
        pl.col("own points") >= pl.when("own dealer").then(DEALER_MANGAN).otherwise(MANGAN)
    )
    own_dora = pl.col("own dora")
    claimed_units = pl.col("han").is_in([0]) | (pl.col("han") == pl.col("own units")) | (
        pl.col("han") == COUNTED * pl.col("own units")
    )  # fmt: skip
    asked = {
        "fu": ~yakuman & ~((pl.col("fu") == 0) & decided),
        "han": ~yakuman | (pl.col("points").is_null() & (pl.col("han") != 0)),
        "points": pl.lit(value=True),
        "yaku": pl.lit(value=True),
    }
    wrong = {
        "fu": pl.col("fu") != pl.col("own fu"),
        "han": pl.when(yakuman)
        .then(~claimed_units)
        .otherwise(
            (pl.col("han") != pl.col("own han")) & ~((pl.col("han") == COUNTED) & (pl.col("own han") > COUNTED))
        ),
        "points": pl.col("points") != pl.col("own points"),
        "yaku": (pl.col("keys") != pl.col("own keys"))
        | (~yakuman & pl.col("named") & (pl.col("dora") != own_dora).fill_null(own_dora == 0)),
    }
    claimed = {name: pl.col("keys" if name == "yaku" else name).is_not_null() & asked[name] for name in CLAIMS}
    return both.select(
        *((claimed[name] & wrong[name]).fill_null(value=False).alias(f"wrong {name}") for name in CLAIMS),
        *(claimed[name].fill_null(value=False).alias(f"compared {name}") for name in CLAIMS),
    )


def _with_groups(claims: Claims, row: pl.Series, worth: pl.DataFrame) -> list[pl.Series]:
    """Return the claimed yaku and those of the hands, as text; a group means those of its yaku that the hand has."""
    own = (
        worth.select(pl.col("numbers").list.sort().cast(pl.List(pl.String)).list.join(","))
        .to_series()
        .alias("own keys")
    )
    is_group = pl.col("yaku").is_in(list(GROUPS))
    if claims.yaku.filter(is_group).is_empty():
        return [own]
    members = pl.DataFrame(
        [(group, each) for group, numbers in GROUPS.items() for each in numbers],
        schema={"group": pl.Int64, "yaku": pl.Int64},
        orient="row",
    )
    hands = pl.DataFrame({"hand": pl.int_range(len(row), eager=True), "row": row.cast(pl.Int64)})
    listed = claims.yaku.filter(pl.col("row").is_in(claims.yaku.filter(is_group)["row"].implode()))
    claimed = hands.join(listed, on="row")
    held = hands.select("hand", yaku=worth["numbers"].cast(pl.List(pl.Int64))).explode("yaku")
    meant = (
        claimed.filter(is_group)
        .join(members, left_on="yaku", right_on="group", suffix=" meant")
        .join(held, left_on=["hand", "yaku meant"], right_on=["hand", "yaku"], how="semi")
    )
    none = (
        claimed.filter(is_group).join(meant, on=["hand", "yaku"], how="anti").select("hand", yaku=pl.lit(-1, pl.Int64))
    )
    every = pl.concat([claimed.filter(~is_group).select("hand", "yaku"), meant.select("hand", yaku="yaku meant"), none])
    keys = every.group_by("hand").agg(keys=_key(pl.col("yaku")))
    found = hands.join(keys, on="hand", how="left", maintain_order="left")["keys"]
    plain = claims.lists["keys"][row]
    return [found.zip_with(found.is_not_null(), plain).alias("keys"), own]
