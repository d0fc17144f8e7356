"""What of decoded paipu cannot be read: each named, and left out (formats/majiang-paipu.md sections 1 to 6).

An event whose seat or meld is none is left out, as is one of no known key or of several; any other value that is none
becomes null. A round whose seats nobody can tell, since its deal or its number is missing, is not read at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from auditor import log
from auditor.readers.majiang.documents import EVENTS

if TYPE_CHECKING:
    from collections.abc import Callable

_TILE = r"(?:[mps][0-9]|z[1-7])"
_SHAPE = r"(?:D[-+=]?DD|DD[-+=]?D|DDD[-+=]?|DDDD[-+=]?|DDD[-+=]D)"
_MELD = f"(?:[mps]{_SHAPE.replace('D', '[0-9]')}|z{_SHAPE.replace('D', '[1-7]')})"
_HAND = rf"^(?:_|[mps][0-9]+|z[1-7]+)*\*?(?:,(?:{_MELD})?)*$"
_MOST = 99
_POINTS = 1_000_000


class _Field(NamedTuple):
    """A key of an event: whether a value of it can be read, what is expected, whether nothing is left without it."""

    fits: Callable[[pl.Expr], pl.Expr]
    expected: str
    vital: bool = False


def _between(low: int, high: int) -> Callable[[pl.Expr], pl.Expr]:
    return lambda value: value.is_between(low, high)


def _like(pattern: str) -> Callable[[pl.Expr], pl.Expr]:
    return lambda value: value.str.contains(pattern)


def _four(fits: Callable[[pl.Expr], pl.Expr]) -> Callable[[pl.Expr], pl.Expr]:
    return lambda value: (value.list.len() == log.SEATS) & value.list.eval(fits(pl.element())).list.all()


def _or_none(fits: Callable[[pl.Expr], pl.Expr]) -> Callable[[pl.Expr], pl.Expr]:
    return lambda value: value.is_null() | fits(value)


_seat = _Field(_between(0, log.SEATS - 1), "a place, 0 to 3", vital=True)
_drawn = _Field(_like(rf"^(?:{_TILE}|_)_?\*?$"), "a tile")
_turned = _Field(_like(rf"^{_TILE}$"), "a tile")
_called = _Field(_like(rf"^{_MELD}$"), "a meld", vital=True)
_moved = _Field(_four(_between(-_POINTS, _POINTS)), "four numbers")
_TURN = {"l": _seat, "p": _drawn}
_CALL = {"l": _seat, "m": _called}
_FIELDS: dict[str, dict[str, _Field]] = {
    "qipai": {
        "zhuangfeng": _Field(_between(0, 3), "a wind, 0 to 3"),
        "changbang": _Field(_between(0, _MOST), f"honba, 0 to {_MOST}"),
        "lizhibang": _Field(_between(0, _MOST), f"riichi sticks, 0 to {_MOST}"),
        "defen": _moved,
        "baopai": _turned,
        "shoupai": _Field(_four(_like(_HAND)), "four hands"),
    },
    "zimo": _TURN,
    "dapai": _TURN,
    "fulou": _CALL,
    "gang": _CALL,
    "gangzimo": _TURN,
    "kaigang": {"baopai": _turned._replace(vital=True)},
    "hule": {
        "l": _seat._replace(vital=False),
        "baojia": _Field(_or_none(_between(0, log.SEATS - 1)), "a place, 0 to 3, or null"),
        "shoupai": _Field(_like(_HAND), "a hand"),
        "fubaopai": _Field(
            _or_none(lambda value: value.list.eval(pl.element().str.contains(rf"^{_TILE}$")).list.all()), "tiles"
        ),
        "defen": _Field(_between(0, _POINTS), "points"),
        "hupai": _Field(lambda value: value.is_not_null(), "a list of yaku"),
        "fenpei": _moved,
    },
    "pingju": {
        "shoupai": _Field(_four(_like(_HAND)), "four hands, empty where closed"),
        "fenpei": _moved,
    },
}  # fmt: skip


class Checked(NamedTuple):
    """Events that can be read, and what is said of the others."""

    acts: pl.DataFrame
    problems: pl.DataFrame


def checked(acts: pl.DataFrame) -> Checked:
    """Look through all events of a batch (columns game, round, event, and one a key)."""
    acts = acts.with_row_index("at")
    keys = pl.sum_horizontal(pl.col(name).is_not_null() for name in EVENTS)
    odd = acts.filter(keys != 1)
    found = [
        odd.select(
            "game", "round", "event",
            recorded=pl.when(keys == 0).then(pl.lit("an event without a known key"))
            .otherwise(pl.lit("an event of several keys")),
            expected=pl.lit(f"one of {', '.join(EVENTS)}"), play=pl.lit(value=True),
            rest=pl.any_horizontal(pl.col("hule", "pingju").is_not_null()),
        )
    ]  # fmt: skip
    lost = [odd["at"]]
    for name, fields in _FIELDS.items():
        told = acts.filter(pl.col(name).is_not_null(), keys == 1).select("at", "game", "round", "event", name)
        for key, field in fields.items():
            value = pl.col(name).struct.field(key)
            bad = told.filter(~field.fits(value).fill_null(value=False))
            if bad.is_empty():
                continue
            found.append(_problem(bad, name, key, field))
            if field.vital:
                lost.append(bad["at"])
            else:
                # Null for who pays would be a tsumo: then nobody knows who wins what.
                acts = _without(acts, bad["at"], name, "l" if (name, key) == ("hule", "baojia") else key)
    gone = pl.concat(lost)
    if len(gone):
        acts = acts.filter(~pl.col("at").is_in(gone.implode()))
    problems = [log.conform(each.with_columns(code=pl.lit("L003")), log.PROBLEMS) for each in found]
    return Checked(acts.drop("at"), pl.concat(problems))


def _problem(bad: pl.DataFrame, name: str, key: str, field: _Field) -> pl.DataFrame:
    value = pl.Series("value", [str(each) for each in bad[name].struct.field(key).to_list()], dtype=pl.String)
    return bad.select("game", "round", "event").with_columns(
        recorded=pl.format("{} {} {}", pl.lit(name), pl.lit(key), value.str.slice(0, 80)),
        expected=pl.lit(field.expected),
        # With a discard's text goes whether it declares riichi.
        play=pl.lit(field.vital or (name, key) == ("dapai", "p")),
    )


def _without(acts: pl.DataFrame, rows: pl.Series, name: str, key: str) -> pl.DataFrame:
    """Return events with one value null in these rows."""
    bad = pl.col("at").is_in(rows.implode())
    value = pl.when(~bad).then(pl.col(name).struct.field(key)).alias(key)
    told = pl.struct(
        *(value if each == key else pl.col(name).struct.field(each) for each in acts.schema[name].to_schema())  # type: ignore[attr-defined]
    )
    return acts.with_columns(pl.when(pl.col(name).is_not_null()).then(told).alias(name))


class Deals(NamedTuple):
    """The rounds of a batch and what is said of those without a proper start; ``acts`` are the events of the others."""

    rounds: pl.DataFrame
    acts: pl.DataFrame
    problems: pl.DataFrame


def deals(rounds: pl.DataFrame, acts: pl.DataFrame) -> Deals:
    """Find each round's deal among its events, and put it first.

    ``rounds`` (game, nth, round) are all there are, those without events too.
    """
    dealt = acts.filter(pl.col("qipai").is_not_null())
    first = acts.select("round", first="event").unique("round", keep="first", maintain_order=True)
    starts = dealt.unique("round", keep="first", maintain_order=True)
    again = dealt.filter(~pl.col("round").is_first_distinct())
    late = starts.join(first, on="round").filter(pl.col("event") != pl.col("first"))
    numbered = starts.filter(pl.col("qipai").struct.field("jushu").is_between(0, log.SEATS - 1))
    unnumbered = starts.join(numbered, on="round", how="anti", maintain_order="left")
    heads = rounds.join(numbered.select("round", "event", "qipai"), on="round", how="left", maintain_order="left")
    heads = heads.join(first, on="round", how="left", maintain_order="left").with_columns(
        event=pl.coalesce("event", "first")
    )
    bare = heads.filter(pl.col("qipai").is_null()).join(unnumbered, on="round", how="anti")
    place = ("game", "round", "event")
    told = [
        (again.select(place), "L004", "the deal, told again,", "itself", False),
        (late.select(place), "L004", "the deal", "play", False),
        (unnumbered.select(place), "L003", "qipai without jushu", "the dealer's number, 0 to 3", True),
        (
            bare.filter(pl.col("event").is_not_null()).select(place),
            "L004",
            "play",
            "the start of a round: its deal comes first",
            True,
        ),
        (
            bare.filter(pl.col("event").is_null()).select(place),
            "L003",
            "a round without events",
            "a deal and its play",
            True,
        ),
    ]
    problems = [
        log.conform(
            rows.with_columns(
                code=pl.lit(code), recorded=pl.lit(recorded), expected=pl.lit(expected), rest=pl.lit(rest)
            ),
            log.PROBLEMS,
        )
        for rows, code, recorded, expected, rest in told
    ]
    kept = acts.join(again.select("round", "event"), on=["round", "event"], how="anti", maintain_order="left")
    kept = kept.join(numbered.select("round"), on="round", how="semi", maintain_order="left")
    return Deals(heads.drop("first"), kept, pl.concat(problems))


_FOUR = {"player": "four names", "rank": "four places", "point": "four numbers", "defen": "four scores"}


def headers(games: pl.DataFrame) -> pl.DataFrame:
    """Return what is missing or miscounted in the keys beside the log, as problems."""
    whole = games.filter(pl.col("fault").is_null())
    found = [
        whole.filter(pl.col("title").is_null()).select("game", recorded=pl.lit("no title"), expected=pl.lit("a text"))
    ]
    found.append(
        whole.filter(~pl.col("qijia").is_between(0, log.SEATS - 1).fill_null(value=False)).select(
            "game", recorded=pl.format("qijia {}", pl.col("qijia").cast(pl.String).fill_null("null")),
            expected=pl.lit("the first dealer's number, 0 to 3"),
        )
    )  # fmt: skip
    for key, expected in _FOUR.items():
        count = pl.col(key).list.len()
        # A game without final scores is one that has no end (L002).
        wrong = (count != log.SEATS) if key == "defen" else (count != log.SEATS).fill_null(value=True)
        found.append(
            whole.filter(wrong).select(
                "game", recorded=pl.format("{} of {}", pl.lit(key), count.fill_null(0)), expected=pl.lit(expected)
            )
        )
    return pl.concat(log.conform(each.with_columns(code=pl.lit("L003")), log.PROBLEMS) for each in found)
