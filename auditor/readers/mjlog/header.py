"""Header tags (GO, UN, TAIKYOKU) and the file's name → the games table and the rule sets."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import polars as pl

from auditor import log
from auditor.readers.mjlog.rules import THREE_PLAYERS, dated, rules
from auditor.readers.mjlog.tags import without_comments
from auditor.sources import content_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.readers.mjlog.tags import Tags
    from auditor.readers.mjlog.values import Values
    from auditor.sources import Source
    from engine.rules import RuleSet

_TABLE_TYPE = re.compile(rb"<GO\s[^>]*?type\s*=\s*[\"'](\d{1,5})[\"']")
_MOST = 0xFFFF
_NAMES = ("n0", "n1", "n2", "n3")
_LOG_NAME = re.compile(r"(20\d{2})(\d{2})(\d{2})(\d{2})gm-[0-9a-f]{4}-\w+-\w+")
_RANKS = (
    "新人", "9級", "8級", "7級", "6級", "5級", "4級", "3級", "2級", "1級",
    "初段", "二段", "三段", "四段", "五段", "六段", "七段", "八段", "九段", "十段", "天鳳",
)  # fmt: skip


def table_type(data: bytes) -> int | None:
    """Return the number that ``GO type`` gives for table and rules, None where the log has none."""
    found = _TABLE_TYPE.search(without_comments(data))
    return int(found[1]) if found and int(found[1]) <= _MOST else None


def games(
    sources: Sequence[Source], types: Sequence[int | None], tags: Tags, values: Values, base: RuleSet
) -> tuple[pl.DataFrame, list[RuleSet]]:
    """Return the games table, a row a source, and the distinct rule sets its column ``rules`` points into."""
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
        rules=pl.Series(chosen, dtype=pl.UInt16),
        start_time=pl.Series(starts, dtype=pl.Datetime("us")),
    )
    return log.conform(frame, log.GAMES), list(found)


def start_time(name: str) -> datetime | None:
    """Return when the game began, from a file named as Tenhou names its logs (section 10), else None."""
    found = _LOG_NAME.search(name)
    if not found:
        return None
    try:
        return datetime(*map(int, found.groups()))  # type: ignore[arg-type]  # noqa: DTZ001
    except ValueError:
        return None


def _head(types: Sequence[int | None], tags: Tags, values: Values) -> pl.DataFrame:
    """Return one row a game: what GO, UN and the last tag say."""
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
            ranks=pl.col("dan")
            .str.split(",")
            .list.eval(pl.element().replace_strict({str(n): name for n, name in enumerate(_RANKS)}, default=None)),
            ratings=pl.col("rate").str.split(",").cast(pl.List(pl.Float64), strict=False),
        )
    )


def _unquoted(name: str | None) -> str | None:
    """Return a percent-encoded name as text; bytes that are not UTF-8 are written as U+FFFD."""
    if name is None:
        return None
    if name.count("%") * 3 == len(name):  # encoded through and through, as Tenhou does it
        try:
            return bytes.fromhex(name.replace("%", "")).decode(errors="replace")
        except ValueError:
            pass
    return unquote(name)


def _first(frame: pl.DataFrame, tags: Tags) -> pl.DataFrame:
    """Return the first of these tags in each game, with ``game`` for ``row``."""
    game = pl.Series(tags.game[frame["row"].to_numpy()], dtype=pl.UInt32)
    return frame.drop("row").with_columns(game=game).unique("game", keep="first", maintain_order=True)


def final_scores(frame: pl.DataFrame) -> pl.DataFrame:
    """Split ``owari`` (score in hundreds, final points; a pair a seat) into final_scores and final_points."""
    pairs = pl.col("owari").str.split(",").cast(pl.List(pl.Float64), strict=False)
    whole = (pairs.list.len() >= 2 * log.SEATS) & (
        pairs.list.head(2 * log.SEATS).list.drop_nulls().list.len() == 2 * log.SEATS
    )
    pairs = pl.when(whole).then(pairs)
    scores: Any = [(pairs.list.get(2 * seat, null_on_oob=True) * 100).cast(pl.Int32) for seat in range(log.SEATS)]
    points: Any = [pairs.list.get(2 * seat + 1, null_on_oob=True) for seat in range(log.SEATS)]
    return frame.with_columns(
        final_scores=pl.when(whole).then(pl.concat_arr(scores)),
        final_points=pl.when(whole).then(pl.concat_arr(points)),
    )
