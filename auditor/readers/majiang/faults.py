"""Finds impossible values in decoded paipu: each becomes a problem.

Facts: auditor/readers/majiang/FORMAT.md sections 1 to 6. Values that are missing or of the wrong JSON type are null by
now, and faulty_game.py has noted them. An event with an impossible seat or meld is left out; any other impossible value
becomes null. A round without its deal or its dealer's number is not read at all, because its seats are unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from auditor.log import tables
from auditor.readers.majiang.fields import END, EVENTS, HEAD

if TYPE_CHECKING:
    from auditor.readers.majiang.fields import Field


_SHOWN = 80
"""The number of characters of a value that a message shows."""


class Checked(NamedTuple):
    """The events that can be read, and the faults of all events as problems."""

    acts: pl.DataFrame
    problems: pl.DataFrame


def checked(acts: pl.DataFrame) -> Checked:
    """Check all events of a batch: columns game, round, event, and one for each kind of event."""
    acts = acts.filter(pl.any_horizontal(pl.col(name).is_not_null() for name in EVENTS)).with_row_index("at")
    found, lost = [pl.DataFrame(schema=tables.PROBLEMS)], []
    for name, keys in EVENTS.items():
        of_kind = acts.filter(pl.col(name).is_not_null()).select("at", "game", "round", "event", name)
        for key_name, key in keys.items():
            if key.fits is None:
                continue
            value = pl.col(name).struct.field(key_name)
            bad = of_kind.filter(~key.fits(value).fill_null(value=True))
            if bad.is_empty():
                continue
            found.append(_problem(bad, name, key_name, key))
            if key.vital:
                lost.append(bad["at"])
            else:
                # Null in baojia would mean a tsumo, so the winner becomes unknown instead.
                acts = _without(acts, bad["at"], name, "l" if (name, key_name) == ("hule", "baojia") else key_name)
    if lost:
        acts = acts.filter(~pl.col("at").is_in(pl.concat(lost).implode()))
    return Checked(acts.drop("at"), pl.concat(found))


def _problem(bad: pl.DataFrame, name: str, key_name: str, key: Field) -> pl.DataFrame:
    value = pl.Series("value", [str(each) for each in bad[name].struct.field(key_name).to_list()], dtype=pl.String)
    found = bad.select("game", "round", "event").with_columns(
        code=pl.lit("L003"),
        recorded=pl.format("{} {} {}", pl.lit(name), pl.lit(key_name), value.str.slice(0, _SHOWN)),
        expected=pl.lit(key.expected),
        # Without the text of a discard it is unknown whether it declares riichi.
        play=pl.lit(key.vital or (name, key_name) == ("dapai", "p")),
        rest=pl.lit(key.rest),
    )
    return tables.problem_rows(found)


def _without(acts: pl.DataFrame, rows: pl.Series, name: str, key: str) -> pl.DataFrame:
    """Return the events with null for one key of one kind of event in these rows (values of column ``at``)."""
    bad = pl.col("at").is_in(rows.implode())
    value = pl.when(~bad).then(pl.col(name).struct.field(key)).alias(key)
    changed = pl.struct(
        *(value if each == key else pl.col(name).struct.field(each) for each in acts.schema[name].to_schema())  # type: ignore[attr-defined]
    )
    return acts.with_columns(pl.when(pl.col(name).is_not_null()).then(changed).alias(name))


class Deals(NamedTuple):
    """The rounds of a batch, the events of rounds that begin with a deal, and the faults of deals as problems."""

    rounds: pl.DataFrame
    acts: pl.DataFrame
    problems: pl.DataFrame


def deals(rounds: pl.DataFrame, acts: pl.DataFrame, unread: pl.Series) -> Deals:
    """Find the deal of each round among its events.

    ``rounds`` (game, nth, round, event) are all rounds, also those without events; ``event`` is the first of each.
    ``unread`` are the rounds that an earlier problem already calls unreadable. In the result, ``rounds`` also has the
    deal (``qipai``), null if there is none.
    """
    dealt = acts.filter(pl.col("qipai").is_not_null())
    first = acts.select("round", first="event").unique("round", keep="first", maintain_order=True)
    starts = dealt.unique("round", keep="first", maintain_order=True)
    again = dealt.filter(~pl.col("round").is_first_distinct())
    late = starts.join(first, on="round").filter(pl.col("event") != pl.col("first"))
    numbered = starts.filter(pl.col("qipai").struct.field("jushu").is_not_null())
    heads = rounds.join(numbered.select("round", "qipai"), on="round", how="left", maintain_order="left")
    undealt = heads.filter(pl.col("qipai").is_null(), ~pl.col("round").is_in(unread.implode()))
    faults = [
        (again, "the deal, told again,", "itself", False),
        (late, "the deal", "play", False),
        (undealt, "play", "the start of a round: its deal comes first", True),
    ]
    problems = [
        tables.problem_rows(
            rows.select("game", "round", "event").with_columns(
                code=pl.lit("L004"), recorded=pl.lit(recorded), expected=pl.lit(expected), rest=pl.lit(rest)
            )
        )
        for rows, recorded, expected, rest in faults
    ]
    kept = acts.join(again.select("round", "event"), on=["round", "event"], how="anti", maintain_order="left")
    kept = kept.join(numbered.select("round"), on="round", how="semi", maintain_order="left")
    return Deals(heads, kept, pl.concat(problems))


def headers(games: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the games with null for impossible values of the keys beside ``log``, and these values as problems."""
    found = [pl.DataFrame(schema=tables.PROBLEMS)]
    for name, key in (HEAD | END).items():
        if key.fits is None:
            continue
        wrong = ~key.fits(pl.col(name)).fill_null(value=True)
        bad = games.filter(wrong).select(
            "game", name, code=pl.lit("L003"), expected=pl.lit(key.expected),
        )  # fmt: skip
        if bad.is_empty():
            continue
        value = pl.Series([str(each) for each in bad[name].to_list()], dtype=pl.String).str.slice(0, _SHOWN)
        found.append(tables.problem_rows(bad.with_columns(recorded=pl.format("{} {}", pl.lit(name), value))))
        games = games.with_columns(pl.when(~wrong).then(name).alias(name))
    return games, pl.concat(found)
