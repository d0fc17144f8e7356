"""Files of 電脳麻将 paipu → one row a game, decoded by Polars (formats/majiang-paipu.md sections 1, 4, 5, 6).

A file is one game, an array of games, or JSON Lines of games; a game stands bare or, with its rules, as
``{"rule": …, "paipu": …}``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import polars as pl

from auditor.sources import content_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from auditor.sources import Source

_TURN = pl.Struct({"l": pl.Int8, "p": pl.String})
_CALL = pl.Struct({"l": pl.Int8, "m": pl.String})
_EVENT = pl.Struct({
    "qipai": pl.Struct({
        "zhuangfeng": pl.Int8,
        "jushu": pl.Int8,
        "changbang": pl.Int16,
        "lizhibang": pl.Int16,
        "defen": pl.List(pl.Int32),
        "baopai": pl.String,
        "shoupai": pl.List(pl.String),
    }),
    "zimo": _TURN,
    "dapai": _TURN,
    "fulou": _CALL,
    "gang": _CALL,
    "gangzimo": _TURN,
    "kaigang": pl.Struct({"baopai": pl.String}),
    "hule": pl.Struct({
        "l": pl.Int8,
        "shoupai": pl.String,
        "baojia": pl.Int8,
        "fubaopai": pl.List(pl.String),
        "fu": pl.Int16,
        "fanshu": pl.Int16,
        "damanguan": pl.Int16,
        "defen": pl.Int32,
        "hupai": pl.List(pl.Struct({"name": pl.String, "fanshu": pl.String, "baojia": pl.String})),
        "fenpei": pl.List(pl.Int32),
    }),
    "pingju": pl.Struct({"name": pl.String, "shoupai": pl.List(pl.String), "fenpei": pl.List(pl.Int32)}),
})  # fmt: skip
EVENTS = tuple(field.name for field in _EVENT.fields)
_PAIPU: dict[str, pl.DataType | type[pl.DataType]] = {
    "title": pl.String,
    "player": pl.List(pl.String),
    "qijia": pl.Int8,
    "log": pl.List(pl.List(_EVENT)),
    "defen": pl.List(pl.Int32),
    "rank": pl.List(pl.Int8),
    "point": pl.List(pl.String),
}
_GAME = pl.Struct({**_PAIPU, "paipu": pl.Struct(_PAIPU)})


def documents(sources: Sequence[Source]) -> pl.DataFrame:
    """Return one row a game: file (its place in ``sources``), within, game_id, rule (JSON text), fault, and the paipu.

    ``fault`` says why a text is no game; its paipu is null then.
    """
    rows = [(file, *game) for file, source in enumerate(sources) for game in _games(source.data)]
    frame = pl.DataFrame(
        [(file, within, content_id(text.encode()), _rule(text), text) for file, within, text in rows],
        schema={"file": pl.UInt32, "within": pl.String, "game_id": pl.String, "rule": pl.String, "text": pl.String},
        orient="row",
    )
    decoded, faults = _decoded(frame["text"])
    paipu = [pl.coalesce(pl.col("paipu").struct.field(name), name).alias(name) for name in _PAIPU]
    return frame.drop("text").with_columns(fault=faults).hstack(decoded.struct.unnest().select(paipu))


def _games(data: bytes) -> Iterator[tuple[str | None, str]]:
    """Yield (number within the file, text) of each game; a text that is no JSON is one game with a fault."""
    text = data.decode().strip()
    lines = [line for line in text.splitlines() if line.strip()]
    if text.startswith("[") and (games := _array(text)) is not None:
        yield from ((str(number), json.dumps(game, ensure_ascii=False)) for number, game in enumerate(games, 1))
    elif len(lines) > 1 and all(line.startswith("{") for line in lines):
        yield from ((str(number), line) for number, line in enumerate(lines, 1))
    else:
        yield None, text


def _array(text: str) -> list[object] | None:
    try:
        games = json.loads(text)
    except ValueError:
        return None
    return games if isinstance(games, list) else None


def _rule(text: str) -> str | None:
    """Return the rule object that stands beside the paipu, as JSON text."""
    at = text.find('"rule"')
    if at < 0:
        return None
    start = text.find("{", at)
    if start < 0 or text[at + 6 : start].strip() != ":":
        return None
    try:
        rule, _ = json.JSONDecoder().raw_decode(text, start)
    except ValueError:
        return None
    return json.dumps(rule, ensure_ascii=False)


def _decoded(texts: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Decode texts as games; where one fails, only that one is null, with its fault."""
    none = pl.Series([None] * len(texts), dtype=pl.String)
    try:
        return texts.str.json_decode(_GAME), none
    except pl.exceptions.ComputeError:
        faults = pl.Series([_fault(text) for text in texts], dtype=pl.String)
        good = pl.select(pl.when(faults.is_null()).then(texts)).to_series()
        return good.str.json_decode(_GAME), faults


def _fault(text: str) -> str | None:
    """Say why a text is no game."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return f"{error.msg} at character {error.pos}"
    try:
        pl.Series([text]).str.json_decode(_GAME)
    except pl.exceptions.ComputeError as error:
        return str(error).splitlines()[0]
    return None
