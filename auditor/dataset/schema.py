"""The output tables, stated once: every column with its type, its unit and a sentence; and their version.

What is written (report.py, findings.py, audit.py, run.py), what ``auditor tables`` prints and what a test compares
with a dataset all derive from here.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import polars as pl

from auditor.log.tables import CLAIMS, Kind

VERSION = "3"
"""Of all tables together; in every Parquet file's metadata as ``schema_version``."""

Type = pl.DataType | type[pl.DataType]

_Seats = pl.List(pl.Int8)
_Points = pl.List(pl.Int32)  # of all seats, seat 0 first: SQL cannot index arrays
_PerCheck = pl.List(
    pl.Struct(
        {
            "code": pl.String,
            "looked": pl.Int64,
            "not_checkable": pl.Int64,
            "findings": pl.Int64,
            "depends": pl.Int64,
            "depends_on": pl.List(pl.String),
        }
    )
)
_GAME = "The game, 16 hex digits made from its content: the same wherever the file lies."
_SOURCE = "The file it was read from, as `sources` names it."
_WITHIN = "Which game of that file, where it holds several."
_ROUND = "The round within its game, counted from 0."
_RIGHT_UNDER = (
    "Rules, as a rule file has them, under each of which alone it would be right; null: none. "
    "Asked of the first games with findings of a batch, up to 600 trials in all; null beyond."
)
_REGARDLESS_OF = (
    "Rules that the check depends on and nobody states, comma between: it is wrong under every value that they "
    "can have; null: all that it depends on are stated."
)
_PER_CHECK = (
    "Per check: rows it looked at, rows it could not decide, findings; apart the mismatches that some value of an "
    "unknown rule makes right, which are no findings, and the names of those rules."
)
_EVENT = "Number of the event within the file: the tag's, the line's."


@dataclass(frozen=True)
class Column:
    """A column: its name, its type, the unit of its numbers ("" where there is none), and what it says."""

    name: str
    type: Type
    unit: str
    sentence: str


@dataclass(frozen=True)
class Table:
    """A table: its name, what a row is, and its columns in order."""

    name: str
    row: str
    columns: tuple[Column, ...]

    @property
    def types(self) -> dict[str, Type]:
        """Types by column, in order."""
        return {column.name: column.type for column in self.columns}


def _table(name: str, row: str, *columns: tuple[str, Type, str, str]) -> Table:
    return Table(name, row, tuple(Column(*column) for column in columns))


TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        _table(
            "games", "a game",
            ("game_id", pl.String, "", _GAME),
            ("source", pl.String, "", _SOURCE),
            ("within", pl.String, "", _WITHIN),
            ("platform", pl.String, "", "Where it was played, as the format tells."),
            ("rule_set", pl.String, "", "The rules it was audited under: what differs from tenhou, what is unknown."),
            ("players", pl.UInt8, "players", "Seats that play."),
            ("table", pl.String, "", "What the log says of table and lobby, as it says it."),
            ("names", pl.List(pl.String), "", "Names by seat, seat 0 the first dealer."),
            ("ranks", pl.List(pl.String), "", "Ranks on the platform by seat."),
            ("ratings", pl.List(pl.Float64), "", "Ratings on the platform by seat."),
            ("start_time", pl.Datetime("us"), "", "When it began, in the platform's own time."),
            ("rounds", pl.UInt32, "rounds", "Rounds that the log has."),
            ("final_scores", _Points, "points", "Scores at the end by seat, as recorded."),
            ("final_points", pl.List(pl.Float64), "1000 points", "The same after uma and oka, as recorded."),
            ("proven", pl.Boolean, "", "Whether its walls were rebuilt from the seed and agree; null: not asked."),
            ("findings", pl.UInt32, "findings", "Findings in this game, of the batch's audit."),
        ),
        _table(
            "rounds", "a round (one deal)",
            ("game_id", pl.String, "", _GAME),
            ("source", pl.String, "", _SOURCE),
            ("within", pl.String, "", _WITHIN),
            ("round", pl.UInt16, "", _ROUND),
            ("wind", pl.UInt8, "", "Round wind: 0 East, 1 South, 2 West, 3 North."),
            ("dealer", pl.Int8, "seat", "The dealer."),
            ("honba", pl.Int16, "counters", "Honba at the deal."),
            ("sticks", pl.Int16, "sticks", "Riichi sticks on the table at the deal."),
            ("result", CLAIMS["reason"], "", "How it ended: win, exhaustive, nagashi or the abort; null: not told."),
            ("winners", _Seats, "seat", "Who won, in the order recorded; empty on a draw."),
            ("riichi", _Seats, "seat", "Who declared riichi, in that order, whether or not it was paid."),
            ("tenpai", _Seats, "seat", "Whose hands the log shows at a draw by exhaustion or nagashi; else null."),
            ("start_scores", _Points, "points", "Scores at the deal by seat."),
            ("end_scores", _Points, "points", "Scores after the payments by seat, as recorded."),
        ),
        _table(
            "turns", "a draw or a call",
            ("game_id", pl.String, "", _GAME),
            ("source", pl.String, "", _SOURCE),
            ("within", pl.String, "", _WITHIN),
            ("round", pl.UInt16, "", _ROUND),
            ("event", pl.UInt32, "", _EVENT),
            ("seat", pl.Int8, "seat", "Who draws or calls."),
            ("kind", Kind, "", "draw, chi, pon, daiminkan, ankan, kakan or kita."),
            ("turn", pl.UInt8, "", "The seat's turn, from 1: its discards so far and one."),
            ("shanten", pl.Int8, "tiles", "Exact shanten after it: 0 tenpai, -1 complete; null: not to be trusted."),
            ("melds", pl.UInt8, "melds", "The seat's melds after it."),
            ("riichi", pl.Boolean, "", "Whether the seat was in riichi before it."),
            ("tiles_left", pl.Int16, "tiles", "Tiles left to draw after it."),
        ),
        _table(
            "riichis", "a riichi declaration",
            ("game_id", pl.String, "", _GAME),
            ("source", pl.String, "", _SOURCE),
            ("within", pl.String, "", _WITHIN),
            ("round", pl.UInt16, "", _ROUND),
            ("event", pl.UInt32, "", _EVENT),
            ("seat", pl.Int8, "seat", "Who declares."),
            ("turn", pl.UInt8, "", "The seat's turn, as in `turns`."),
            ("discard", pl.String, "", "The tile discarded with it; null: the log has no such discard."),
            ("double", pl.Boolean, "", "Whether it is double riichi: own first turn, no call before; null: not known."),
            ("waits", pl.String, "",
             "The kinds that complete the hand after that discard, furiten too; empty: not tenpai; null: not known."),
            ("kinds", pl.UInt8, "kinds", "How many kinds these are."),
            ("unseen", pl.UInt8, "tiles",
             "Tiles of these kinds not in the own hand, a river, a meld or an indicator then; null: not known."),
            ("paid", pl.Boolean, "", "Whether its stick was paid; null: not known."),
        ),
        _table(
            "wins", "a win",
            ("game_id", pl.String, "", _GAME),
            ("source", pl.String, "", _SOURCE),
            ("within", pl.String, "", _WITHIN),
            ("round", pl.UInt16, "", _ROUND),
            ("event", pl.UInt32, "", _EVENT),
            ("winner", pl.Int8, "seat", "Who won."),
            ("payer", pl.Int8, "seat", "Who dealt in; the winner itself on tsumo."),
            ("liable", pl.Int8, "seat", "Who answers for a yakuman (pao), as recorded."),
            ("expected_liable", pl.Int8, "seat", "Who should, by replay and rules."),
            ("hand", pl.String, "", "The concealed tiles with the winning tile."),
            ("winning_tile", pl.String, "", "The winning tile."),
            ("decomposition", pl.String, "", "The reading that scores most, pair first; null where there is none."),
            ("riichi", pl.Boolean, "", "Whether the winner was in riichi, by replay."),
            ("fu", pl.Int16, "fu", "Recorded fu."),
            ("expected_fu", pl.Int16, "fu", "Fu by engine."),
            ("han", pl.Int64, "han", "Recorded han, dora included; 0 for yakuman."),
            ("expected_han", pl.Int16, "han", "Han by engine."),
            ("yaku", pl.String, "", "Recorded yaku with their han, comma between; dora apart."),
            ("expected_yaku", pl.String, "", "Yaku by engine."),
            ("dora", pl.Int16, "han", "Recorded han of dora (kan dora among them)."),
            ("expected_dora", pl.Int8, "han", "Han of dora by count."),
            ("ura", pl.Int16, "han", "Recorded han of ura dora."),
            ("expected_ura", pl.Int8, "han", "Han of ura dora by count."),
            ("red", pl.Int16, "han", "Recorded han of red fives."),
            ("expected_red", pl.Int8, "han", "Han of red fives by count."),
            ("limit", pl.UInt8, "", "Recorded limit: 0 none, 1 mangan, 2 haneman, 3 baiman, 4 sanbaiman, 5 yakuman."),
            ("expected_limit", pl.UInt8, "", "Limit by engine."),
            ("points", pl.Int32, "points", "Recorded worth of the hand, without honba and sticks."),
            ("expected_points", pl.Int32, "points", "Worth by engine."),
            ("deltas", _Points, "points", "Recorded changes of score by seat, honba and sticks included."),
            ("expected_deltas", _Points, "points", "Changes by engine."),
        ),
        _table(
            "findings", "a mismatch",
            ("code", pl.String, "", "The check; `auditor explain CODE` tells all of it."),
            ("severity", pl.String, "", "error (cannot be), rule (forbidden by the game's rules), note."),
            ("game_id", pl.String, "", _GAME + " Null where no game could be read."),
            ("source", pl.String, "", _SOURCE),
            ("within", pl.String, "", _WITHIN),
            ("round", pl.UInt16, "", _ROUND),
            ("round_name", pl.String, "", "The round as players call it: East 1.0, honba last."),
            ("event", pl.UInt32, "", _EVENT),
            ("pos", pl.UInt32, "bytes", "Where the event begins in the unpacked file."),
            ("seat", pl.Int8, "seat", "Whose doing."),
            ("recorded", pl.String, "", "What the log says."),
            ("expected", pl.String, "", "What replay, engine or earlier lines make of it."),
            ("message", pl.String, "", "The verdict as a sentence."),
            ("right_under", pl.String, "", _RIGHT_UNDER),
            ("regardless_of", pl.String, "", _REGARDLESS_OF),
        ),
        _table(
            "sources", "a file, or member of an archive",
            ("source", pl.String, "",
             "What all tables call it: the path, and of a member ! and its name; a ! of the path is written \\x21."),
            ("path", pl.String, "", "Path or URI of the file, as given or found when it was first met."),
            ("member", pl.String, "", "Name within the archive; null: the file itself."),
            ("file", pl.String, "", "The path that it has whatever links lead to it: what it is known by each night."),
            ("format", pl.String, "", "mjlog, majiang …, told by content; null: none that is known."),
            ("size", pl.UInt64, "bytes", "Its size as it lies there, packed if it is; 0 where it could not be read."),
            ("modified", pl.Datetime("ns", "UTC"), "", "When the file was last changed; null: not told, or a member."),
            ("sha256", pl.String, "", "Digest of these bytes; empty where they could not be read, and of archives."),
            ("status", pl.String, "",
             "audited, unsupported, unreadable, ignored (no log), missing (from its archive), archive (has members)."),
            ("reason", pl.String, "", "Why it is not audited, or what is doubtful; of an archive, how many members."),
            ("engine_version", pl.String, "", "Version of the auditor."),
            ("rule_set", pl.String, "", "Rule sets of its games."),
            ("audit", pl.String, "", "Digest of version, rules and checks audited with; `runs` spells them out."),
        ),
        _table(
            "runs", "a run",
            ("begun", pl.Datetime("us", "UTC"), "", "When it began."),
            ("ended", pl.Datetime("us", "UTC"), "", "When it ended."),
            ("version", pl.String, "", "Version of the auditor."),
            ("options", pl.String, "", "Rules and choice of checks, as JSON."),
            ("audit", pl.String, "", "Digest of version, rules and checks; `sources` refers to it."),
            ("stopped", pl.String, "", "The signal that ended it before its time; null: it went to the end."),
            ("files", pl.Int64, "files", "Files and members seen, and archives."),
            ("unchanged", pl.Int64, "files", "Of them, left as an earlier run audited them."),
            ("audited", pl.Int64, "files", "Of them, audited."),
            ("archives", pl.Int64, "files", "Of them, archives read to their end."),
            ("unreadable", pl.Int64, "files", "Of them, not readable."),
            ("unsupported", pl.Int64, "files", "Of them, set aside."),
            ("ignored", pl.Int64, "files", "Of them, plainly no logs."),
            ("missing", pl.Int64, "files", "Of them, those of which the archive itself says that it has no log."),
            ("games", pl.Int64, "games", "Games audited."),
            ("rounds", pl.Int64, "rounds", "Rounds audited."),
            ("turns", pl.Int64, "turns", "Draws and calls replayed."),
            ("wins", pl.Int64, "wins", "Wins scored again."),
            ("findings", pl.Int64, "findings", "Mismatches found."),
            ("checks", _PerCheck, "rows", _PER_CHECK),
        ),
    )
}  # fmt: skip
"""All tables by name."""

PARTED = tuple(name for name in TABLES if name != "runs")
"""The tables that every part of a dataset has."""

METADATA = {"schema_version": VERSION}
"""Written into every Parquet file."""


def digest() -> str:
    """Return a number of names, types, units and order of all columns: it changes when the schema does."""
    stated = [(table.name, column.name, str(pl_type(column)), column.unit)
              for table in TABLES.values() for column in table.columns]  # fmt: skip
    return hashlib.sha256(repr(stated).encode()).hexdigest()[:16]


def pl_type(column: Column) -> pl.DataType:
    """Return a column's type as an instance."""
    return column.type if isinstance(column.type, pl.DataType) else column.type()


def type_name(column: Column) -> str:
    """Return a column's type as a reader of the documentation wants it, an enum without its list of values."""
    kind = pl_type(column)
    if isinstance(kind, pl.Enum):
        return "Enum"
    if isinstance(kind, pl.List):
        return "List(Struct)" if isinstance(kind.inner, pl.Struct) else f"List({kind.inner})"
    if isinstance(kind, pl.Datetime):
        return "Datetime(UTC)" if kind.time_zone else "Datetime"
    return str(kind)


def format_schema() -> str:
    """Return all schemas as text, a line a column."""
    lines = [
        f"schema version {VERSION}; null: the log does not say, or the hand was not to be trusted",
        "lists by seat: in SQL the first has number 1, so deltas[1] is seat 0, deltas[winner + 1] the winner:",
        "  SELECT winner, deltas[winner + 1] AS won, deltas[1] AS seat_0 FROM wins",
    ]
    for table in TABLES.values():
        lines += ["", f"{table.name}: one row per {table.row.removeprefix('a ')}"]
        for column in table.columns:
            unit = f" [{column.unit}]" if column.unit else ""
            lines.append(f"  {column.name:<15} {type_name(column):<18} {column.sentence}{unit}")
    return "\n".join(lines)
