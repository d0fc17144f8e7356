"""The columns of the canonical log: of every table, each column's type, meaning, unit and bounds.

Readers fill these tables, and replay and checks read nothing else. Null always means that the log does not say;
no reader puts 0, false or a guess in its place. Tables refer to each other by row number: ``events.round`` is a row of
``rounds``. ``invariants.py`` checks the relations between rows and tables.

Seats are 0 to 3, counted in turn order from the game's first dealer. ``tile_ids.py`` defines the tile ids.

In a game of three players (``games.players``) seat 3 does not exist. Only the deal events name it, so that each round
has four of them; it has no tiles. Arrays by seat always have four entries, and the entry of a seat that does not exist
is null, never 0. Lists of names, ranks and ratings have an entry for each player. The winds of such a game are those of
four: its rounds are East 1 to 3, South 1 to 3, and so on, and a dealer is seat 0, 1 or 2.

The bounds are wide. They exclude only numbers that are impossible in any game or do not fit the column's type.
Checks find values that are possible but wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import polars as pl

from auditor.log.tile_ids import TILE_IDS
from engine.tiles.kinds import KINDS as KINDS_OF_TILES

SEATS = 4
"""The width of everything by seat, however many play: how many do is ``games.players``."""

KINDS = (
    "deal",  # a seat gets its first tiles (table deals); four in each round, before all other events
    "draw",
    "discard",
    "chi",
    "pon",
    "daiminkan",
    "ankan",
    "kakan",
    "kita",  # a north is set aside, which is no meld of the hand
    "riichi",  # declared, before the discard
    "deposit",  # the riichi stick is paid (table deposits has the scores after it, if the log states them)
    "dora",  # an indicator is turned
    "result",  # a win or a draw (table claims)
    "leave",  # a player is disconnected
    "return",  # the player is back
)
"""The kinds of events."""
CALLS = ("chi", "pon", "daiminkan", "ankan", "kakan", "kita")
"""The kinds of events that have a row in ``melds``."""
REASONS = ("win", "exhaustive", "nagashi", "kyuushu", "four_winds", "four_riichi", "four_kans", "triple_ron")
"""How a round can end: a win, an exhaustive draw, a nagashi mangan, or one of five aborts."""
REASON = {name: code for code, name in enumerate(REASONS)}
"""The code of each reason in ``Log.reasons``."""
OFFERS = (
    "discard", "chi", "pon", "ankan", "daiminkan", "kakan", "riichi", "tsumo", "ron", "kyuushu", "kita",
)  # fmt: skip
"""What a platform can offer a player to do (table offers)."""
KAN_INDICATORS = ("before_draw", "after_draw", "before_action", "after_kan", "untimed")
"""When a platform turns the indicators of kans (auditor/replay/indicators.py): Tenhou and three others; not stated."""

Kind = pl.Enum(KINDS)
Points = pl.Array(pl.Int32, SEATS)
TileIds = pl.List(pl.Int16)
Type = pl.DataType | type[pl.DataType]


class Range(NamedTuple):
    """The lowest and the highest value of a number, both included; ``whole`` if it has no fraction."""

    low: int
    high: int
    whole: bool = True

    def __str__(self) -> str:
        """Return the range as messages write it: ``a whole number in 0..3``."""
        return f"{'a whole number' if self.whole else 'a number'} in {self.low}..{self.high}"


SEAT = Range(0, SEATS - 1)
TILE_ID = Range(0, TILE_IDS - 1)
COUNTERS = Range(0, 99)
"""Bounds of the honba, and of the number of riichi sticks on the table."""
SCORE = Range(-10_000_000, 10_000_000)
_SEAT_MASK = Range(0, (1 << SEATS) - 1)
_SUM = Range(0, 1_000_000_000)
YAKU = Range(0, 255)
"""Tenhou's ids are 0 to 54; a reader gives 255 for a yaku that it does not know."""
_RATING = Range(-100_000, 100_000, whole=False)


@dataclass(frozen=True)
class LogColumn:
    """One column of a canonical table.

    Parameters
    ----------
    type
        its Polars type
    meaning
        what a value says
    bounds
        the range of a number, or of each number of a list or array. Numbers that come from the reader, not from the
        log, have none: row numbers, places in the file, meld signatures.
    unit
        the unit of its numbers; empty if they count or name something
    nullable
        whether it may be null
    wins_only
        in ``claims``: whether it is null for every draw

    """

    type: Type
    meaning: str
    bounds: Range | None = None
    unit: str = ""
    nullable: bool = True
    wins_only: bool = False


def _key(meaning: str, kind: Type = pl.UInt32) -> LogColumn:
    """Return a column that is never null and whose numbers the reader assigns."""
    return LogColumn(kind, meaning, nullable=False)


_EVENT = "number of the event within its game's file: the tag's, the line's"
_POS = "the event's offset in the unpacked file"

TABLES: dict[str, dict[str, LogColumn]] = {
    "games": {
        "game": _key("its row"),
        "game_id": LogColumn(
            pl.String, "16 hex digits from the content, the same wherever the file lies", nullable=False
        ),
        "source": LogColumn(pl.String, "the file's path, as a person would write it", nullable=False),
        "within": LogColumn(pl.String, "which game of a file of several: number of its line or list entry, from 1"),
        "platform": LogColumn(pl.String, "where it was played", nullable=False),
        "rules": _key("row of Log.rules", pl.UInt16),
        "players": LogColumn(pl.UInt8, "how many play", Range(3, SEATS), nullable=False),
        "names": LogColumn(pl.List(pl.String), "players' names, by seat; one for each player"),
        "ranks": LogColumn(pl.List(pl.String), "players' ranks on the platform, by seat"),
        "ratings": LogColumn(pl.List(pl.Float64), "players' ratings on the platform, by seat", _RATING),
        "start_time": LogColumn(pl.Datetime("us"), "when it began, in the platform's own time"),
        "table": LogColumn(pl.String, "table and lobby, as the log writes them"),
        "room": LogColumn(pl.String, "the platform's room: phoenix, jade, friendly; auditor/readers/rooms.py has all"),
        "mode": LogColumn(pl.String, "East, South or one round, and what differs from open tanyao and red fives"),
        "link": LogColumn(pl.String, "the address where the platform replays the game (links.py)"),
        "ended": LogColumn(pl.Boolean, "true where the log says that the game is over, else null"),
        "states_end": LogColumn(
            pl.Boolean, "whether the format says when a game is over, so that a log without that is cut", nullable=False
        ),
        "final_scores": LogColumn(Points, "scores at the end, by seat", SCORE, "points"),
        "final_points": LogColumn(
            pl.Array(pl.Float64, SEATS), "scores after uma and oka, by seat", _RATING, "1000 points"
        ),
        "places": LogColumn(pl.Array(pl.UInt8, SEATS), "places by seat, 1 for first", Range(1, SEATS)),
        "seed": LogColumn(pl.String, "seed of all walls, as the platform writes it"),
        "deposits_inferred": LogColumn(
            pl.Boolean,
            "whether the format has no event for the payment of a riichi stick, so that the reader infers each deposit",
            nullable=False,
        ),
        "hands_shown": LogColumn(
            pl.Boolean,
            "whether a draw shows the hands that are tenpai; if not, only its payments tell which they are",
            nullable=False,
        ),
        "liable_stated": LogColumn(
            pl.Boolean, "whether a win states the seat that is liable for its yakuman, if there is one", nullable=False
        ),
        "kan_indicator": LogColumn(
            pl.Enum(KAN_INDICATORS),
            "when the platform turns the indicators of kans, as auditor/replay/indicators.py explains; null if unknown",
        ),
        "last_event": LogColumn(pl.UInt32, "number of the file's last event: where the log ends"),
        "last_pos": LogColumn(pl.UInt32, "that event's offset in the unpacked file", unit="bytes"),
    },
    "rounds": {
        "round": _key("its row"),
        "game": _key("row of games"),
        "nth": _key("which round of its game, from 0", pl.UInt16),
        "wind": LogColumn(pl.UInt8, "round wind: 0 East to 3 North", Range(0, 3)),
        "dealer": LogColumn(pl.Int8, "the dealer's seat", SEAT),
        "honba": LogColumn(pl.Int16, "honba at the start", COUNTERS),
        "sticks": LogColumn(pl.Int16, "riichi sticks on the table at the start", COUNTERS),
        "start": LogColumn(Points, "scores at the start, by seat", SCORE, "points"),
        "dora": LogColumn(pl.Int16, "the first indicator", TILE_ID),
        "dice": LogColumn(pl.Array(pl.UInt8, 2), "the two dice, each less one", Range(0, 5)),
        "shuffle": LogColumn(pl.String, "seed of this round's wall, where each has its own"),
        "wall": LogColumn(
            pl.String,
            "the wall, where the log states it: two letters a tile (tile_ids.BY_LETTERS), the first tile dealt first, "
            "or the first one after the deal; the last ones are the replacement tiles",
        ),
        "wall_hash": LogColumn(pl.String, "its hash, as the log states it: ``md5:`` or ``sha256:``, and the digits"),
        "salt": LogColumn(pl.String, "the text after the wall's that is hashed with it"),
        "salt_hash": LogColumn(pl.String, "the hash of the salt alone, as ``wall_hash``"),
        "event": LogColumn(pl.UInt32, f"{_EVENT}; null in a round without a readable event"),
        "pos": LogColumn(pl.UInt32, _POS, unit="bytes"),
    },
    "events": {
        "round": _key("row of rounds"),
        "event": LogColumn(pl.UInt32, f"{_EVENT}; null in a round without a readable event"),
        "pos": LogColumn(pl.UInt32, _POS, unit="bytes"),
        "kind": LogColumn(Kind, "what happens", nullable=False),
        "seat": LogColumn(pl.Int8, "who acts; null for dora and result", SEAT),
        "tile_id": LogColumn(pl.Int16, "the tile drawn, discarded, called, added or turned", TILE_ID),
        "tsumogiri": LogColumn(pl.Boolean, "of a discard: whether the log marks it as the tile just drawn"),
    },
    "melds": {
        "row": _key("row of events; it has the meld's kind, seat and first piece"),
        "source": LogColumn(pl.Int8, "the seat that fed it; null for ankan, kakan and kita", SEAT),
        "p1": LogColumn(pl.Int16, "the meld's second piece; a kakan's further pieces are those of its pon", TILE_ID),
        "p2": LogColumn(pl.Int16, "its third piece", TILE_ID),
        "p3": LogColumn(pl.Int16, "its fourth piece", TILE_ID),
    },
    "deals": {
        "round": _key("row of rounds"),
        "seat": LogColumn(pl.Int8, "who gets it", SEAT, nullable=False),
        "tile_id": LogColumn(pl.Int16, "a tile of the first thirteen", TILE_ID, nullable=False),
    },
    "deposits": {
        "round": _key("row of rounds"),
        "event": _key(_EVENT),
        "seat": LogColumn(pl.Int8, "who pays the stick", SEAT, nullable=False),
        "scores": LogColumn(Points, "scores after the payment, by seat", SCORE, "points"),
    },
    "claims": {
        "claim": _key("its row"),
        "round": _key("row of rounds"),
        "event": _key(_EVENT),
        "nth": _key("which result of its round, from 0"),
        "reason": LogColumn(pl.Enum(REASONS), "how the round ends"),
        "tenpai": LogColumn(pl.UInt8, "how many hands are tenpai, if the name of the draw says so", Range(0, SEATS)),
        "winner": LogColumn(pl.Int8, "the winner's seat", SEAT, wins_only=True),
        "payer": LogColumn(pl.Int8, "the seat that fed the winning tile; the winner on tsumo", SEAT, wins_only=True),
        "liable": LogColumn(pl.Int8, "the seat that is liable for a yakuman (pao)", SEAT, wins_only=True),
        "honba": LogColumn(pl.Int16, "honba, as the result states them", COUNTERS),
        "sticks": LogColumn(pl.Int16, "riichi sticks, as the result states them", COUNTERS),
        "win_tile_id": LogColumn(pl.Int16, "the winning tile", TILE_ID, wins_only=True),
        "fu": LogColumn(pl.Int16, "fu", Range(0, 1_000), wins_only=True),
        "points": LogColumn(pl.Int32, "what the hand is worth", Range(0, SCORE.high), "points", wins_only=True),
        "limit": LogColumn(
            pl.UInt8, "0 none, 1 mangan to 5 yakuman", Range(0, 99), wins_only=True
        ),  # W107 finds above 5
        "yaku": LogColumn(pl.List(pl.UInt8), "Tenhou's yaku ids; dora 52, ura 53, red 54 too", YAKU, wins_only=True),
        "han": LogColumn(pl.List(pl.Int16), "han of each yaku", Range(0, 99), wins_only=True),
        "yakuman": LogColumn(pl.List(pl.UInt8), "ids of yakuman", YAKU, wins_only=True),
        "units": LogColumn(pl.List(pl.UInt8), "how many yakuman each counts for", Range(0, 9), wins_only=True),
        "total_han": LogColumn(
            pl.Int16, "han of all yaku and dora, if the log states this sum", Range(0, 999), wins_only=True
        ),
        "total_units": LogColumn(
            pl.Int16, "number of yakuman, if the log states this sum", Range(0, 99), wins_only=True
        ),
        "dora": LogColumn(TileIds, "indicators shown", TILE_ID, wins_only=True),
        "ura": LogColumn(TileIds, "ura dora indicators, shown to a winner in riichi", TILE_ID, wins_only=True),
        "melds": LogColumn(
            pl.List(pl.Int64), "the winner's melds, as tables.meld_signature numbers them", wins_only=True
        ),
        "before": LogColumn(Points, "scores before the result, by seat", SCORE, "points"),
        "deltas": LogColumn(Points, "changes of score by seat, honba and sticks included", SCORE, "points"),
    },
    "shows": {
        "claim": _key("row of claims"),
        "round": _key("row of rounds"),
        "event": _key(_EVENT),
        "seat": LogColumn(pl.Int8, "whose hand is shown", SEAT, nullable=False),
        "tile_ids": LogColumn(
            TileIds, "its concealed tiles with the winning tile; null if they cannot be read", TILE_ID
        ),
    },
    "hints": {
        "game": _key("row of games"),
        "event": _key(_EVENT),
        "seat": LogColumn(
            pl.Int8, "the seat that it is about; for the columns of all seats, the one that acts", SEAT, nullable=False
        ),
        "waits": LogColumn(
            pl.Int64,
            "the waits that the player is shown, after a discard or at a draw that ends the wall, as a mask of kinds",
            Range(0, (1 << KINDS_OF_TILES) - 1),
        ),
        "furiten": LogColumn(pl.UInt8, "the seats that are marked as furiten, as a mask", _SEAT_MASK),
        "left": LogColumn(pl.UInt8, "how many tiles can still be drawn", Range(0, 255)),
        "asked": LogColumn(pl.UInt8, "the seats whose offers the log states (table offers), as a mask", _SEAT_MASK),
        "points": LogColumn(pl.Int32, "the seat's score after it has paid a stick, or after a win", SCORE, "points"),
        "sticks": LogColumn(pl.Int32, "the sticks on the table after a stick is paid", COUNTERS),
        "worth": LogColumn(pl.Int32, "what the winner's hand is worth, stated a second time", SCORE, "points"),
        "won": LogColumn(pl.Int32, "what all wins of the seat in the game are worth so far", _SUM, "points"),
        "dealer": LogColumn(pl.UInt8, "1 if the winner is marked as the dealer, else 0", Range(0, 1)),
        "riichi": LogColumn(pl.UInt8, "1 if the winner is marked as in riichi, else 0", Range(0, 1)),
    },
    "offers": {
        "game": _key("row of games"),
        "event": _key(_EVENT),
        "seat": LogColumn(pl.Int8, "the seat that may act", SEAT, nullable=False),
        "kind": LogColumn(pl.UInt8, "what it may do: the place in OFFERS", Range(0, len(OFFERS) - 1), nullable=False),
        "kinds": LogColumn(
            pl.Int64,
            "with which tiles, as a mask of kinds: the lowest tile from the hand for a call, the tile of a kan, the "
            "discards that declare riichi; for a discard, the kinds that are forbidden",
            Range(0, (1 << KINDS_OF_TILES) - 1),
            nullable=False,
        ),
        "reds": LogColumn(
            pl.Int64, "the same of choices with a red five", Range(0, (1 << KINDS_OF_TILES) - 1), nullable=False
        ),
    },
    "problems": {
        "code": LogColumn(pl.String, "the L check that reports it", nullable=False),
        "game": LogColumn(pl.UInt32, "row of games"),
        "round": LogColumn(pl.UInt32, "row of rounds"),
        "event": LogColumn(pl.UInt32, _EVENT),
        "pos": LogColumn(pl.UInt32, _POS, unit="bytes"),
        "seat": LogColumn(pl.Int8, "the seat concerned", SEAT),
        "recorded": LogColumn(pl.String, "what the log has there", nullable=False),
        "expected": LogColumn(pl.String, "what should be there", nullable=False),
        "play": LogColumn(pl.Boolean, "whether a part of the play is missing because of it"),
        "rest": LogColumn(pl.Boolean, "whether the rest of the round is unread because of it"),
    },
}
"""Every column, by table and name."""

Schema = dict[str, Type]

SCHEMAS: dict[str, Schema] = {
    table: {name: column.type for name, column in columns.items()} for table, columns in TABLES.items()
}
"""The type of every column, by table and name."""

RANGES: dict[str, dict[str, Range]] = {
    table: {name: column.bounds for name, column in columns.items() if column.bounds}
    for table, columns in TABLES.items()
}
"""The bounds of every column that has bounds, by table and name."""

WINS_ONLY = tuple(name for name, column in TABLES["claims"].items() if column.wins_only)
"""Columns of ``claims`` that are null for a draw."""
