"""A complete reader of a made-up format, which auditor/readers/README.md explains step by step.

A toy log is text with one event a line; test_toy_reader.py has an example. Four play, with seats 0 to 3. Tiles are
``1m`` to ``7z``, and ``0m`` is a red five.
"""

from __future__ import annotations

import polars as pl

from auditor.log import tables
from auditor.log.columns import TABLES
from auditor.log.ranges import bounded
from auditor.log.tile_ids import PHYSICAL
from auditor.readers.contract import Reader
from auditor.sources.log_files import content_id
from engine.rules.rule_sets import for_players

KIND = {
    "draw": "draw", "discard": "discard", "chi": "chi", "pon": "pon", "riichi": "riichi", "stick": "deposit",
    "win": "result",
}  # fmt: skip
"""The first word of a line, and its kind in the canonical log."""
SEATED = (*KIND, "hand")
"""Lines of a round whose second word is a seat."""
OTHERS = ("toy", "names", "round", "end")
TILE = (
    {f"{digit}{suit}": PHYSICAL + 9 * row + digit - 1 for row, suit in enumerate("mps") for digit in range(1, 10)}
    | {f"{digit}z": PHYSICAL + 27 + digit - 1 for digit in range(1, 8)}
    | {f"0{suit}": PHYSICAL + 34 + row for row, suit in enumerate("mps")}
)
ABSENT = {
    "games": (
        "within", "ranks", "ratings", "start_time", "table", "room", "mode", "link", "final_scores", "final_points",
        "places", "seed",
        "kan_indicator", "last_pos",
    ),
    "rounds": ("dice", "shuffle", "wall", "wall_hash", "salt", "salt_hash", "pos"),
    "events": ("pos", "tsumogiri"),
    "melds": ("p3",),
    "deposits": ("scores",),
    "claims": (
        "tenpai", "liable", "honba", "sticks", "limit", "yakuman", "units", "total_han", "total_units", "dora", "ura",
        "melds", "before",
    ),
    "hints": tuple(TABLES["hints"]),
    "offers": tuple(TABLES["offers"]),
}  # fmt: skip


def is_format(data):
    """Say whether a file is a toy log, by its first line."""
    return data.startswith(b"toy log")


def word(place, kind=pl.String):
    """Return one word of a line as a number or a tile; null if it is neither."""
    text = pl.col("words").list.get(place, null_on_oob=True)
    if kind == "tile":
        return text.replace_strict(TILE, default=None, return_dtype=pl.Int16)
    return text.cast(kind, strict=False)


def tiles(place):
    """Return one word as a list of tiles, which are written without separators."""
    written = word(place).str.extract_all("[0-9][mpsz]")
    return written.list.eval(pl.element().replace_strict(TILE, default=None, return_dtype=pl.Int16))


def four(place):
    """Return one word as an array of four numbers, separated by commas; null if they are not four."""
    numbers = word(place).str.split(",").cast(pl.List(pl.Int64), strict=False)
    return pl.when(numbers.list.len() == tables.SEATS).then(numbers).list.to_array(tables.SEATS)


def parts(place, pattern):
    """Return a list of numbers: what a pattern finds in each comma-separated part of one word."""
    return word(place).str.split(",").list.eval(pl.element().str.extract(pattern).cast(pl.Int64, strict=False))


def parse(sources, base):
    """Read toy logs: all lines as one table, from which the canonical tables are selected."""
    texts = [source.data.decode(errors="replace").splitlines() for source in sources]
    lines = pl.DataFrame({"game": range(len(texts)), "line": texts}, {"game": pl.UInt32, "line": pl.List(pl.String)})
    lines = lines.explode("line").with_columns(
        event=pl.int_range(pl.len(), dtype=pl.UInt32).over("game"), words=pl.col("line").str.split(" ")
    )
    lines = lines.with_columns(name=word(0)).with_columns(begins=pl.col("name") == "round")
    lines = lines.with_columns(
        nth=pl.col("begins").cum_sum().over("game").cast(pl.Int32) - 1,
        round=pl.col("begins").cum_sum().cast(pl.Int32) - 1,
    )
    of_round = pl.col("name").is_in(SEATED) & word(1, pl.Int64).is_between(0, 3) & (pl.col("nth") >= 0)
    wrong = lines.filter(~(pl.col("name").is_in(OTHERS) | of_round.fill_null(value=False)))
    lines = lines.join(wrong, on=["game", "event"], how="anti", maintain_order="left")
    claims, beyond = _claims(lines)
    events = _events(lines)
    return tables.Log(
        games=_games(lines, sources),
        rounds=_rounds(lines),
        events=tables.conform(events, tables.EVENTS, ABSENT["events"]),
        melds=_melds(events),
        deals=_deals(lines),
        deposits=tables.conform(events.filter(pl.col("kind") == "deposit"), tables.DEPOSITS, ABSENT["deposits"]),
        claims=claims,
        shows=_shows(lines, claims),
        problems=pl.concat([_problems(wrong), beyond]),
        rules=[for_players(base, tables.SEATS).changed(game_length=None)],  # players end a toy game when they like
    )


def _games(lines, sources):
    named = (
        lines.filter(pl.col("name") == "names")
        .unique("game", keep="first")
        .select("game", names=word(1).str.split(","))
    )
    games = lines.group_by("game", maintain_order=True).agg(
        last_event=pl.col("event").max(), ended=pl.when((pl.col("name") == "end").any()).then(pl.lit(value=True))
    )
    games = games.join(named, on="game", how="left", maintain_order="left").with_columns(
        game_id=pl.Series([content_id(source.data) for source in sources], dtype=pl.String),
        source=pl.Series([source.name for source in sources], dtype=pl.String),
        platform=pl.lit("toy"),
        rules=pl.lit(0),
        players=pl.lit(tables.SEATS),  # with three players, all entries of seat 3 would be null, and its deals empty
        liable_stated=pl.lit(value=True),
        states_end=pl.lit(value=True),
        hands_shown=pl.lit(value=True),  # so that a draw's result lists them
        deposits_inferred=pl.lit(value=False),  # the format has a line for each stick that is paid
    )
    return tables.conform(games, tables.GAMES, ABSENT["games"])


def _rounds(lines):
    """Read ``round WIND DEALER HONBA STICKS INDICATOR SCORES``."""
    rounds = lines.filter("begins").with_columns(
        wind=word(1, pl.Int64), dealer=word(2, pl.Int64), honba=word(3, pl.Int64), sticks=word(4, pl.Int64),
        dora=word(5, "tile"), start=four(6),
    )  # fmt: skip
    return tables.conform(bounded(rounds, "rounds")[0], tables.ROUNDS, ABSENT["rounds"])


def _deals(lines):
    """Read ``hand SEAT TILES``."""
    hands = lines.filter(pl.col("name") == "hand").select("round", seat=word(1, pl.Int8), tile_id=tiles(2))
    hands = hands.sort("round", "seat").explode("tile_id").drop_nulls()
    return tables.conform(hands, tables.DEALS)


def _events(lines):
    """Read ``draw SEAT TILE``, ``pon SEAT TILE OTHER_TILES SOURCE`` and so on, behind each round's four deals."""
    played = lines.with_columns(kind=pl.col("name").replace_strict(KIND, default=None, return_dtype=pl.String))
    played = played.drop_nulls("kind").with_columns(
        seat=pl.when(pl.col("kind") != "result").then(word(1, pl.Int8)),
        tile_id=pl.when(pl.col("kind") != "result").then(word(2, "tile")),
    )
    seats = pl.DataFrame({"seat": pl.Series(range(tables.SEATS), dtype=pl.Int8), "kind": "deal"})
    deals = lines.filter("begins").join(seats, how="cross", maintain_order="left_right")
    return pl.concat([deals, played], how="diagonal").sort(
        "round", pl.col("kind") != "deal", "event", maintain_order=True
    )


def _melds(events):
    calls = events.with_row_index("row").filter(pl.col("kind").is_in(["chi", "pon"]))
    others = tiles(3).list
    calls = calls.with_columns(
        source=word(4, pl.Int64), p1=others.get(0, null_on_oob=True), p2=others.get(1, null_on_oob=True)
    )
    return tables.conform(bounded(calls, "melds")[0], tables.MELDS, ABSENT["melds"])


def _claims(lines):
    """Read ``win WINNER PAYER TILE FU POINTS ID+HAN,ID+HAN DELTAS HAND``."""
    wins = lines.filter(pl.col("name") == "win").with_row_index("claim").with_columns(
        nth=pl.int_range(pl.len()).over("round"), reason=pl.lit("win"), winner=word(1, pl.Int64),
        payer=word(2, pl.Int64), win_tile_id=word(3, "tile"), fu=word(4, pl.Int64), points=word(5, pl.Int64),
        yaku=parts(6, r"^(\d+)\+"), han=parts(6, r"\+(\d+)$"), deltas=four(7),
    )  # fmt: skip
    wins, beyond = bounded(wins, "claims")
    return tables.conform(wins, tables.CLAIMS, ABSENT["claims"]), beyond


def _shows(lines, claims):
    hands = lines.filter(pl.col("name") == "win").select(tile_ids=tiles(8))
    return tables.conform(claims.select("claim", "round", "event", seat="winner").hstack(hands), tables.SHOWS)


def _problems(wrong):
    return tables.problem_rows(
        wrong.select(
            "game", "event", round=pl.when(pl.col("nth") >= 0).then("round"), code=pl.lit("L003"), recorded="line",
            expected=pl.lit("a line of a toy log"), play=pl.lit(value=True),
        )
    )  # fmt: skip


READER = Reader("toy", is_format, parse, ABSENT)
