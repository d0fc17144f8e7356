"""What the reader could not make sense of, as rows of the canonical table ``problems``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.log import tables
from auditor.readers.mjlog import structure
from auditor.readers.mjlog.play import NO_ROUND
from auditor.readers.mjlog.results import lists_ura
from auditor.readers.mjlog.values import CLOSING, SPEC

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from auditor.readers.mjlog.play import MjlogPlay
    from auditor.readers.mjlog.results import MjlogResults
    from auditor.readers.mjlog.tags import Tags
    from auditor.readers.mjlog.values import Values

    Bools = npt.NDArray[np.bool_]


def collect(
    tags: Tags,
    values: Values,
    played: MjlogPlay,
    ended: MjlogResults,
    *,
    odd: pl.DataFrame,
    holes: Bools,
    unread: Bools,
    cut: Sequence[bool],
) -> pl.DataFrame:
    """Return all problems of a batch with their places: unknown tags, attributes and values, tags out of place.

    ``odd`` (row, code, recorded, expected) are problems found before; ``holes`` bool[tags] are tags with a hole,
    ``unread`` those not read as play; ``cut`` says which files are known to end too early.
    """
    ends = pl.DataFrame({"row": tags.last_rows.astype(np.uint32)})
    rows = pl.concat(
        [
            odd,
            _unknown_tags(tags),
            values.problems.with_columns(code=_value_code()),
            played.problems,
            ended.problems.with_columns(code=pl.lit("L003")),
            _missing(values, tags),
            *_damaged(tags),
            structure.second_roots(tags).with_columns(
                code=pl.lit("L003"), recorded=pl.lit("a second <mjloggm>"), expected=pl.lit("one game a file")
            ),
            _headless(tags, values, unread),
            _unclosed(tags, ended, cut),
            _after_the_end(tags),
            _broken(tags.broken.join(ends, on="row", how="anti"), "L003", "a tag that ends in >"),
            _broken(tags.broken.join(ends, on="row", how="semi"), "L002", "the rest of the log: it ends inside a tag"),
        ],
        how="diagonal",
    )
    rows = rows.join(tags.others.select("row", "name"), on="row", how="left", maintain_order="left")
    at = rows["row"].to_numpy()
    round_of = pl.Series(played.round_of[at])
    return tables.conform(
        rows.with_columns(
            game=pl.Series(tags.game[at]),
            event=pl.Series(tags.event[at]),
            pos=pl.Series(tags.pos[at]),
            play=(pl.col("code") == "L003") & pl.col("name").is_in(_OF_PLAY) & ~pl.Series(holes[at]),
            rest=pl.Series(holes[at]),
            round=pl.select(pl.when(round_of != int(NO_ROUND)).then(round_of)).to_series(),
        ),
        tables.PROBLEMS,
    )


def unsupported(three_players: Sequence[bool]) -> pl.DataFrame:
    """Return an L007 problem for each game at a table of three."""
    games = [game for game, three in enumerate(three_players) if three]
    frame = pl.DataFrame({"game": pl.Series(games, dtype=pl.UInt32)}).with_columns(
        code=pl.lit("L007"),
        recorded=pl.lit("three players"),
        expected=pl.lit("four players: three are not supported yet"),
    )
    return tables.conform(frame, tables.PROBLEMS)


def _value_code() -> pl.Expr:
    """Return the code of a value that does not fit: a deal of tiles, but not of thirteen, has one of its own."""
    tile = r"(?:[0-9]{1,2}|1[0-2][0-9]|13[0-5])"
    dealt = pl.col("recorded").str.contains(rf'^INIT hai[0-3]="{tile}(,{tile})*"$')
    return (
        pl.when(dealt & (pl.col("recorded").str.count_matches(",") != 12))
        .then(pl.lit("T103"))
        .otherwise(pl.lit("L003"))
    )


def _unknown_tags(tags: Tags) -> pl.DataFrame:
    known = pl.Series([*SPEC, CLOSING])
    text = pl.col("text").str.strip_chars().str.slice(0, 80)
    return tags.others.filter(~pl.col("name").is_in(known.implode())).select(
        "row", code=pl.lit("L003"), recorded=text, expected=pl.lit("a tag of mjlog")
    )


_OF_PLAY = ["N", "REACH", "DORA"]
"""Tags without which the rest of a round cannot be followed."""

_NEEDED = {
    "SHUFFLE": ("seed",),
    "GO": ("type",),
    "TAIKYOKU": ("oya",),
    "INIT": ("seed", "ten", "oya", "hai0", "hai1", "hai2", "hai3"),
    "N": ("who", "m"),
    "REACH": ("who", "step"),
    "DORA": ("hai",),
    "BYE": ("who",),
    "AGARI": ("ba", "hai", "machi", "ten", "doraHai", "who", "fromWho", "sc"),
    "RYUUKYOKU": ("ba", "sc"),
}
"""Attributes that a tag always has, in every log of the corpus, from 2009 on."""

_PLAYERS = ("rate", "sx")
"""Of the UN that names the table, beside the names; ``dan`` too, but in games for gold."""
_SHOWN = {"reach4": 4, "ron3": 3, "yao9": 1}
"""How many hands are shown at a draw of this type, whatever they are."""
_DATED = "mt19937ar-sha512-n288-base64"
"""Seeds of 2010 and later, when all sticks have scores; logs without a seed, or of 2009, have them or have not."""


def _missing(values: Values, tags: Tags) -> pl.DataFrame:
    """Return the tags that lack an attribute they need: always, by what else they say, or as others of the log."""
    lacks = [
        _Lack(name, attribute, values.rows(name)[~values.has(name, attribute)])
        for name, attributes in _NEEDED.items()
        for attribute in attributes
    ]
    lacks += [*_lacks_of_table(values), *_lacks_of_wins(values), _lacks_of_draws(values)]
    lacks += [_lacks_of_sticks(values, tags), *(_lacks_of_deals(values, tags, name) for name in ("shuffle", "chip"))]
    schema = {"row": pl.UInt32, "name": pl.String, "attribute": pl.String}
    frame = pl.DataFrame(
        [(row, lack.name, lack.attribute) for lack in lacks for row in lack.rows.tolist()], schema=schema, orient="row"
    )
    return (
        frame.group_by("row", "name", maintain_order=True)
        .agg("attribute")
        .select(
            "row",
            code=pl.lit("L003"),
            recorded=pl.format("{} without {}", "name", pl.col("attribute").list.join(", ")),
            expected=pl.lit("all attributes that the tag needs"),
        )
    )


class _Lack(NamedTuple):
    """The rows of tags of a name that lack an attribute."""

    name: str
    attribute: str
    rows: npt.NDArray[np.uint32]


def of_table(values: Values) -> Bools:
    """Return which UN name the table: with one name alone it says that somebody is back."""
    named: Bools = np.sum([values.has("UN", f"n{seat}") for seat in range(tables.SEATS)], axis=0) > 1
    return named | values.has("UN", "rate") | values.has("UN", "sx")


def _lacks_of_table(values: Values) -> list[_Lack]:
    rows, table = values.rows("UN"), of_table(values)
    names = [values.has("UN", f"n{seat}") for seat in range(tables.SEATS)]
    ranked = values.has("UN", "dan") | values.has("UN", "gold")
    return [
        *(_Lack("UN", f"n{seat}", rows[table & ~named]) for seat, named in enumerate(names)),
        *(_Lack("UN", attribute, rows[table & ~values.has("UN", attribute)]) for attribute in _PLAYERS),
        _Lack("UN", "dan", rows[table & ~ranked]),
        _Lack("UN", "a name", rows[~table & ~np.any(names, axis=0)]),
    ]


def _lacks_of_wins(values: Values) -> list[_Lack]:
    """Return the wins without their yaku, and those without the indicators below though they list the dora of these."""
    told = ("yaku", "yakuman", "doraHaiUra")
    wins = pl.DataFrame({name: values.column("AGARI", name) for name in told}).with_columns(
        *(pl.Series(f"has_{name}", values.has("AGARI", name)) for name in told),
        row=pl.Series(values.rows("AGARI"), dtype=pl.UInt32),
    )
    # An empty list names none; what cannot be read is told already.
    none = {name: ~pl.col(f"has_{name}") | (pl.col(name).list.len() == 0).fill_null(value=False) for name in told}
    bare = wins.filter(none["yaku"], none["yakuman"])["row"]
    hidden = wins.filter(lists_ura(), none["doraHaiUra"])["row"]
    return [_Lack("AGARI", "yaku", bare.to_numpy()), _Lack("AGARI", "doraHaiUra", hidden.to_numpy())]


def _lacks_of_draws(values: Values) -> _Lack:
    shown = np.sum([values.has("RYUUKYOKU", f"hai{seat}") for seat in range(tables.SEATS)], axis=0)
    due = values.column("RYUUKYOKU", "type").replace_strict(_SHOWN, default=0, return_dtype=pl.Int64).to_numpy()
    return _Lack("RYUUKYOKU", "hands shown", values.rows("RYUUKYOKU")[shown < due])


def _lacks_of_sticks(values: Values, tags: Tags) -> _Lack:
    """Return the paid sticks without scores in logs that have them at other sticks, and in those after 2009."""
    step = values.column("REACH", "step").list.first()
    paid, scored = (step == 2).fill_null(value=False).to_numpy(), values.has("REACH", "ten")
    dated = values.column("SHUFFLE", "seed").str.starts_with(_DATED).fill_null(value=False)
    seeds = values.rows("SHUFFLE")[dated.to_numpy()]
    rows = values.rows("REACH")
    always = np.concatenate([tags.game[rows[paid & scored]], tags.game[seeds]])
    return _Lack("REACH", "ten", rows[paid & ~scored & np.isin(tags.game[rows], always)])


def _lacks_of_deals(values: Values, tags: Tags, name: str) -> _Lack:
    """Return the deals without this attribute in logs whose other deals have it."""
    rows, has = values.rows("INIT"), values.has("INIT", name)
    return _Lack("INIT", name, rows[~has & np.isin(tags.game[rows], tags.game[rows[has]])])


def _damaged(tags: Tags) -> list[pl.DataFrame]:
    """Return the tags of known names that lack a quote, and text between tags."""
    unquoted = tags.others.filter(pl.col("row").is_in(tags.unquoted.implode()), pl.col("name").is_in(list(SPEC)))
    controls = tags.controls[~np.isin(tags.controls, tags.loose["row"].to_numpy())]
    return [
        _broken(unquoted, "L003", "a quote before and after each value"),
        _broken(tags.loose, "L003", "a tag"),
        pl.DataFrame({"row": controls.astype(np.uint32)}).with_columns(
            code=pl.lit("L003"), recorded=pl.lit("a control character in a tag"), expected=pl.lit("text")
        ),
    ]


_HEADER = {"GO": "the table's type", "UN": "the players' names", "TAIKYOKU": "the first dealer"}


def _headless(tags: Tags, values: Values, unread: Bools) -> pl.DataFrame:
    """Return the last tag of each game that is played without one of the header's tags; those told again."""
    last = tags.last_rows
    played = np.isin(tags.game[last], tags.game[values.rows("INIT")])
    found = []
    for name, what in _HEADER.items():
        rows = values.rows(name)
        if name == "UN":
            rows = rows[of_table(values)]
        lacks = played & ~np.isin(tags.game[last], tags.game[rows])
        again = rows[~pl.Series(tags.game[rows]).is_first_distinct().to_numpy() & ~unread[rows]]
        found += [
            pl.DataFrame({"row": last[lacks].astype(np.uint32)}).with_columns(
                code=pl.lit("L003"), recorded=pl.lit(f"a log without {name}"), expected=pl.lit(f"{name} with {what}")
            ),
            pl.DataFrame({"row": again}).with_columns(
                code=pl.lit("L004"), recorded=pl.lit(f"a second {name}"), expected=pl.lit("the first: one a log")
            ),
        ]
    return pl.concat(found)


def _unclosed(tags: Tags, ended: MjlogResults, cut: Sequence[bool]) -> pl.DataFrame:
    """Return the last tag of each game that has its end, but is closed nowhere."""
    last = tags.last_rows
    closed = np.isin(tags.game[last], tags.game[_closing(tags)])
    whole = np.isin(tags.game[last], ended.finals["game"].to_numpy()) & ~np.array(cut, dtype=bool)[tags.game[last]]
    bare = last[whole & ~closed & ~np.isin(last, tags.broken["row"].to_numpy())]
    return pl.DataFrame({"row": bare.astype(np.uint32)}).with_columns(
        code=pl.lit("L002"), recorded=pl.lit("the last result"), expected=pl.lit("</mjloggm>")
    )


def _closing(tags: Tags) -> npt.NDArray[np.uint32]:
    return tags.others.filter(pl.col("name") == CLOSING)["row"].to_numpy()


def _after_the_end(tags: Tags) -> pl.DataFrame:
    """Return the first tag behind the closing one of each game, with how many there are; a second log's are none.

    They are read as any other: which of the tags is in the wrong place nobody can say.
    """
    closing = _closing(tags)
    ends = closing[pl.Series(tags.game[closing]).is_first_distinct().to_numpy()].astype(np.int64)
    last = tags.last_rows
    last = last[np.searchsorted(tags.game[last], tags.game[ends])]
    roots = structure.second_roots(tags)["row"].to_numpy().astype(np.int64)
    until = np.append(roots, len(tags))[np.searchsorted(roots, ends)]
    count = np.minimum(last + 1, until) - ends - 1
    more = count > 0
    return pl.DataFrame({"row": (ends[more] + 1).astype(np.uint32), "count": count[more]}).select(
        "row", code=pl.lit("L004"), recorded=pl.format("log of {} tag(s)", "count"),
        expected=pl.lit("the closing tag </mjloggm>"),
    )  # fmt: skip


def _broken(cut: pl.DataFrame, code: str, expected: str) -> pl.DataFrame:
    return cut.select(
        "row",
        code=pl.lit(code),
        recorded=pl.col("text").str.strip_chars().str.slice(0, 40),
        expected=pl.lit(expected),
    )
