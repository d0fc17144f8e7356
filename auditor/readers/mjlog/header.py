"""Header tags (SHUFFLE, GO, UN) and the file's name → the games table and the rule sets."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

import polars as pl

from auditor.log import tables
from auditor.log.columns import RANGES
from auditor.log.ranges import bounded
from auditor.readers.mjlog.rules import THREE_PLAYERS, dated, rules
from auditor.readers.mjlog.tags import unescaped
from auditor.sources.log_files import content_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.readers.mjlog.tags import Tags
    from auditor.readers.mjlog.values import Values
    from auditor.sources.log_files import Source
    from engine.rules.rule_sets import RuleSet

_TABLE_TYPE = re.compile(rb"<GO\s(?:[^>]*?\s)?type\s*=\s*\"([^\"<]{1,40})\"")
_NUMBER = re.compile("[0-9]{1,5}")
_MOST = 0xFFFF
_SEXES = "^[MFC](?:,[MFC]){3}$"
_RATING = RANGES["games"]["ratings"]
_NAMES = ("n0", "n1", "n2", "n3")
_LOG_NAME = re.compile(r"(20\d{2})(\d{2})(\d{2})(\d{2})gm-[0-9a-f]{4}-\w+-\w+")
_RANKS = (
    "新人", "9級", "8級", "7級", "6級", "5級", "4級", "3級", "2級", "1級",
    "初段", "二段", "三段", "四段", "五段", "六段", "七段", "八段", "九段", "十段", "天鳳",
)  # fmt: skip


def table_type(data: bytes) -> int | None:
    """Return the table type that GO states; None if there is none. ``data`` is a log in the plain form of markup.py."""
    found = _TABLE_TYPE.search(data)
    text = unescaped(found[1].decode(errors="replace")) if found else ""
    return int(text) if _NUMBER.fullmatch(text) and int(text) <= _MOST else None


class Head(NamedTuple):
    """The header of each game of a batch.

    ``games`` has one row for each source, with the columns of the games table except final scores, final points and
    ``ended``. Its column ``rules`` is a place in the list ``rules``. ``problems`` has row, code, recorded, expected.
    """

    games: pl.DataFrame
    rules: list[RuleSet]
    problems: pl.DataFrame


def games(sources: Sequence[Source], types: Sequence[int | None], tags: Tags, values: Values, base: RuleSet) -> Head:
    """Read the header tags of a batch; ``types`` has each source's table type, ``base`` the rules of ``--rules``."""
    starts = [start_time(source.name) for source in sources]
    head = _head(types, tags, values)
    known: dict[tuple[object, ...], RuleSet] = {}
    eras: dict[date | None, dict[str, Any]] = {}
    found: dict[RuleSet, int] = {}
    chosen = []
    for header, start in zip(head.select("type", "lobby", "csrule").iter_rows(), starts, strict=True):
        day = start and start.date()
        if day not in eras:
            eras[day] = dated(base, day)
        era = eras[day]
        key = (*header, *era.values())
        if key not in known:
            table, lobby, csrule = header
            known[key] = rules(base, table, lobby, csrule, era)
            found.setdefault(known[key], len(found))
        chosen.append(found[known[key]])
    frame = head.with_columns(
        game_id=pl.Series([content_id(source.data) for source in sources], dtype=pl.String),
        source=pl.Series([source.name for source in sources], dtype=pl.String),
        platform=pl.lit("tenhou"),
        deposits_inferred=pl.lit(value=False),
        kan_indicator=pl.lit("before_draw"),
        rules=pl.Series(chosen, dtype=pl.UInt16),
        start_time=pl.Series(starts, dtype=pl.Datetime("us")),
    )
    return Head(frame, list(found), _texts(values))


def _texts(values: Values) -> pl.DataFrame:
    """Return as problems the ratings that are not four numbers, and the ``sx`` that are not four letters."""
    columns = {name: values.column("UN", name) for name in ("rate", "sx")}
    players = pl.DataFrame({"row": values.rows("UN"), **columns}).with_columns(ratings=_numbers("rate"))
    rating = f"{tables.SEATS} numbers in {_RATING.low}..{_RATING.high}"
    wrong = {
        "rate": (pl.col("ratings").is_null(), rating),
        "sx": (~pl.col("sx").str.contains(_SEXES), "four of M, F, C"),
    }
    return pl.concat(
        players.filter(pl.col(name).is_not_null(), bad).select(
            "row",
            recorded=pl.format('UN {}="{}"', pl.lit(name), pl.col(name).str.slice(0, 80)),
            expected=pl.lit(expected),
            code=pl.lit("L003"),
        )
        for name, (bad, expected) in wrong.items()
    )


def start_time(name: str) -> datetime | None:
    """Return when the game began if the file is named as Tenhou names its logs (section 10), else None."""
    found = _LOG_NAME.search(name)
    if not found:
        return None
    try:
        return datetime(*map(int, found.groups()))  # type: ignore[arg-type]  # noqa: DTZ001
    except ValueError:
        return None


def _head(types: Sequence[int | None], tags: Tags, values: Values) -> pl.DataFrame:
    """Return one row for each game, from GO, SHUFFLE and UN, with the place of its last tag."""
    go = _first(values.wide("GO"), tags).drop("type")
    seed = _first(values.wide("SHUFFLE").select("row", "seed"), tags).filter(pl.col("seed") != "")
    table = values.wide("UN").filter(pl.col("dan").is_not_null() | pl.col("n1").is_not_null())
    un = _first(table, tags)
    un = un.with_columns(pl.Series(name, map(_unquoted, un[name]), dtype=pl.String) for name in _NAMES)
    end = tags.last_rows
    last = pl.DataFrame({"game": tags.game[end], "last_event": tags.event[end], "last_pos": tags.pos[end]})
    kind = pl.col("type")
    return (
        pl.DataFrame({"game": pl.Series(range(len(types)), dtype=pl.UInt32), "type": pl.Series(types, dtype=pl.Int32)})
        .join(go, on="game", how="left", maintain_order="left")
        .join(seed, on="game", how="left", maintain_order="left")
        .join(un, on="game", how="left", maintain_order="left")
        .join(last, on="game", how="left", maintain_order="left")
        .with_columns(
            players=pl.when(kind & THREE_PLAYERS != 0).then(3).otherwise(4),
            table=pl.format("GO type={} lobby={}", kind, pl.col("lobby").fill_null("-"))
            + pl.when(pl.col("csrule").is_not_null()).then(pl.format(" csrule={}", "csrule")).otherwise(pl.lit("")),
            names=pl.concat_list(_NAMES),
            ranks=pl.col("dan").list.eval(
                pl.element().replace_strict(dict(enumerate(_RANKS)), default=None, return_dtype=pl.String)
            ),
            ratings=_numbers("rate"),
        )
    )


def _numbers(name: str) -> pl.Expr:
    """Return a text of four ratings as a list of numbers; null if the text is anything else."""
    numbers = pl.col(name).str.split(",").cast(pl.List(pl.Float64), strict=False)
    fits = pl.element().is_between(_RATING.low, _RATING.high).fill_null(value=False)
    return pl.when(numbers.list.len() == tables.SEATS, numbers.list.eval(fits).list.all()).then(numbers)


def _unquoted(name: str | None) -> str | None:
    """Decode a percent-encoded name; bytes that are not UTF-8 become U+FFFD."""
    if name is None:
        return None
    if name.count("%") * 3 == len(name):  # every byte is encoded, as Tenhou does it; this is faster
        try:
            return bytes.fromhex(name.replace("%", "")).decode(errors="replace")
        except ValueError:
            pass
    return unquote(name)


def _first(frame: pl.DataFrame, tags: Tags) -> pl.DataFrame:
    """Return the first of these tags in each game; the column ``game`` replaces ``row``."""
    game = pl.Series(tags.game[frame["row"].to_numpy()], dtype=pl.UInt32)
    return frame.drop("row").with_columns(game=game).unique("game", keep="first", maintain_order=True)


def final_scores(frame: pl.DataFrame) -> pl.DataFrame:
    """Split ``owari`` into final_scores and final_points.

    ``owari`` has a pair of numbers for each seat: score in hundreds, final points. If one of them is impossible, both
    results are null.
    """
    pairs = pl.col("owari").str.split(",").cast(pl.List(pl.Float64), strict=False)
    whole = (pairs.list.len() >= 2 * tables.SEATS) & (
        pairs.list.head(2 * tables.SEATS).list.drop_nulls().list.len() == 2 * tables.SEATS
    )
    scores = frame.with_columns(pairs=pl.when(whole).then(pairs)).with_columns(
        final_scores=pl.when(whole).then(_every_second(0).list.eval(pl.element() * 100)),
        final_points=pl.when(whole).then(_every_second(1)),
    )
    # An owari with an impossible number counts for nothing; results.py reports it.
    fit = bounded(scores, "games")[0].with_columns(
        pl.col("final_scores", "final_points").list.to_array(tables.SEATS),
    )
    both = pl.all_horizontal(pl.col("final_scores", "final_points").is_not_null())
    return fit.drop("pairs").with_columns(pl.when(both).then(pl.col("final_scores", "final_points")))


def _every_second(place: int) -> pl.Expr:
    return pl.col("pairs").list.head(2 * tables.SEATS).list.gather_every(2, place)
