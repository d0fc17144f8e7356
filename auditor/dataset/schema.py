"""The output tables: every column with its type, its unit and a sentence, and the version of the schema.

The audit and the run write tables by these types; ``auditor tables`` prints them; a test compares datasets with them.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import polars as pl

from auditor.log.tables import CLAIMS, Kind
from auditor.log.words import Tile

VERSION = "5"
"""The version of all tables together; every Parquet file's metadata has it as ``schema_version``."""

Type = pl.DataType | type[pl.DataType]

_Seats = pl.List(pl.Int8)
_Points = pl.List(pl.Int32)  # of all seats, seat 0 first: SQL cannot index arrays
_Tiles = pl.List(Tile)
_PerCheck = pl.List(pl.Struct({
    "code": pl.String, "looked": pl.Int64, "not_checkable": pl.Int64, "findings": pl.Int64, "depends": pl.Int64,
    "depends_on": pl.List(pl.String),
}))  # fmt: skip
_GAME = "The game's id: 16 hex digits computed from its content, so the same in every copy."
_SOURCE = "The file or member that it was read from, as `sources` names it."
_WITHIN = "Which game of the file, if the file has several."
_PLAYERS = "How many play, 3 or 4; three have the seats 0 to 2."
_ROUND = "The round within its game, counted from 0."
_RIGHT_UNDER = (
    "Rule values, as in a rule file; each of them alone would make it right. Null: none would, or it was not tried: "
    "a batch has 600 trials for its findings."
)
_REGARDLESS_OF = (
    "Unknown rules that the check depends on, separated by commas: it is wrong under every value of them. Null: all "
    "rules that it depends on are known."
)
_PER_CHECK = (
    "For each check: rows looked at, rows not checkable, findings; then the mismatches that some value of an unknown "
    "rule makes right (they are no findings), and these rules."
)
_ONCE = "copies of a game have the same findings."
_EVENT = "Number of the event in the file: that of the tag or line."


@dataclass(frozen=True)
class Column:
    """A column: its name, its type, the unit of its numbers ("" without one), and a sentence about it."""

    name: str
    type: Type
    unit: str
    sentence: str


@dataclass(frozen=True)
class Table:
    """A table: its name, the thing that a row stands for, and its columns in order."""

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
            ("platform", pl.String, "", "Where it was played, as the log states it."),
            ("rule_set", pl.String, "", "Rules of the audit: a preset, values that differ from it, unknown rules."),
            ("players", pl.UInt8, "players", _PLAYERS),
            ("table", pl.String, "", "Table and lobby, as the log states them."),
            ("room", pl.String, "",
             ("The platform's room: general, upper, expert, phoenix or lobby 1234 (Tenhou); bronze, silver, gold, "
              "jade, throne, friendly or tournament (Mahjong Soul).")),
            ("mode", pl.String, "",
             "East, South or one round; behind it what differs: no open tanyao, no red fives, four red fives, fast."),
            ("link", pl.String, "", "Address where the platform replays the game; null: the log does not name it."),
            ("names", pl.List(pl.String), "", "Players' names by seat; seat 0 is the first dealer."),
            ("ranks", pl.List(pl.String), "", "Ranks on the platform by seat."),
            ("ratings", pl.List(pl.Float64), "", "Ratings on the platform by seat."),
            ("start_time", pl.Datetime("us"), "", "When the game began, in the platform's own time."),
            ("rounds", pl.UInt32, "rounds", "Number of rounds in the log."),
            ("final_scores", _Points, "points", "Scores at the end by seat, as recorded."),
            ("final_points", pl.List(pl.Float64), "1000 points", "Final scores after uma and oka, as recorded."),
            ("proven", pl.Boolean, "", "Whether its walls, rebuilt from the seed, agree with it; null: not tried."),
            ("findings", pl.UInt32, "findings", "Number of findings in this game, without L005."),
        ),
        _table(
            "rounds", "a round (one deal)",
            ("game_id", pl.String, "", _GAME),
            ("source", pl.String, "", _SOURCE),
            ("within", pl.String, "", _WITHIN),
            ("players", pl.UInt8, "players", _PLAYERS),
            ("round", pl.UInt16, "", _ROUND),
            ("wind", pl.UInt8, "", "Round wind: 0 East, 1 South, 2 West, 3 North."),
            ("dealer", pl.Int8, "seat", "Seat of the dealer."),
            ("honba", pl.Int16, "counters", "Honba at the deal."),
            ("sticks", pl.Int16, "sticks", "Riichi sticks on the table at the deal."),
            ("indicators", _Tiles, "", "Dora indicators in the order in which they are turned; the first at the deal."),
            ("indicators_left", pl.List(pl.Int16), "tiles",
             "For each indicator, tiles left to draw when it is turned; null: the log does not say when."),
            ("result", CLAIMS["reason"], "", "How it ended: win, exhaustive, nagashi or an abort; null: not stated."),
            ("winners", _Seats, "seat", "Seats that won, in the recorded order; empty for a draw."),
            ("riichi", _Seats, "seat", "Seats that declared riichi, in that order, whether they paid or not."),
            ("tenpai", _Seats, "seat", "Seats whose hands the log shows at an exhaustive draw or nagashi; else null."),
            ("start_scores", _Points, "points", "Scores at the deal by seat."),
            ("end_scores", _Points, "points", "Scores after the payments by seat, as recorded."),
        ),
        _table(
            "hands", "a seat in a round",
            ("game_id", pl.String, "", _GAME),
            ("source", pl.String, "", _SOURCE),
            ("within", pl.String, "", _WITHIN),
            ("players", pl.UInt8, "players", _PLAYERS),
            ("round", pl.UInt16, "", _ROUND),
            ("seat", pl.Int8, "seat", "The seat; of three players, 0 to 2."),
            ("dealer", pl.Boolean, "", "Whether it is the dealer; null: not stated."),
            ("dealt", _Tiles, "", "The 13 tiles dealt to it, sorted; null: not stated."),
            ("shanten", pl.Int8, "tiles", "Shanten of these tiles."),
            ("discards", _Tiles, "", "Its discards in order, called ones too: the first is that of turn 1."),
            ("tsumogiri", pl.List(pl.Boolean), "",
             "For each discard, whether it is the tile just drawn, as a mark or the copies tell; null: not told."),
            ("called_by", _Seats, "seat", "For each discard, the seat that calls it (chi, pon, kan); null: none does."),
            ("tenpai_turn", pl.UInt8, "", "First turn with shanten 0 or less after an own draw or call; null: none."),
            ("chi", pl.UInt8, "calls", "Number of chi."),
            ("pon", pl.UInt8, "calls", "Number of pon."),
            ("daiminkan", pl.UInt8, "calls", "Number of open kans from a discard."),
            ("ankan", pl.UInt8, "calls", "Number of closed kans."),
            ("kakan", pl.UInt8, "calls", "Number of kans made of a pon."),
            ("kita", pl.UInt8, "calls", "Number of Norths set aside."),
            ("kita_turn", pl.UInt8, "", "Turn of the first kita; null: none."),
            ("riichi_turn", pl.UInt8, "",
             "Turn of its first riichi declaration, paid or not: which discard declares it; null: none."),
            ("riichi_order", pl.UInt8, "", "Whether it declares first in its round (1), second (2) …; null: never."),
            ("result", CLAIMS["reason"], "", "How the round ended, as in `rounds`; null: not stated, nor those below."),
            ("won", pl.Boolean, "", "Whether it won."),
            ("tsumo", pl.Boolean, "", "Whether it won by its own draw."),
            ("points", pl.Int32, "points", "Recorded worth of what it won, without honba and sticks; null: no win."),
            ("dealt_in", pl.Boolean, "", "Whether it fed the winning tile."),
            ("dealt_points", pl.Int32, "points", "Recorded worth of the hands that it dealt into; null: none."),
            ("tsumo_paid", pl.Int32, "points",
             "What it paid for another seat's win by own draw, honba included; null: there was none."),
            ("tenpai", pl.Boolean, "", "Whether it was shown tenpai at an exhaustive draw or nagashi; else null."),
            ("change", pl.Int32, "points", "Change of its score in the round, as recorded."),
        ),
        _table(
            "turns", "a draw or a call",
            ("game_id", pl.String, "", _GAME),
            ("source", pl.String, "", _SOURCE),
            ("within", pl.String, "", _WITHIN),
            ("players", pl.UInt8, "players", _PLAYERS),
            ("round", pl.UInt16, "", _ROUND),
            ("event", pl.UInt32, "", _EVENT),
            ("seat", pl.Int8, "seat", "The seat that draws or calls."),
            ("kind", Kind, "", "draw, chi, pon, daiminkan, ankan, kakan or kita."),
            ("turn", pl.UInt8, "", "The seat's turn: its discards so far, plus 1."),
            ("shanten", pl.Int8, "tiles", "Shanten after it: 0 tenpai, -1 complete; null: hand cannot be followed."),
            ("melds", pl.UInt8, "melds", "The seat's melds after it."),
            ("riichi", pl.Boolean, "", "Whether the seat was in riichi before it."),
            ("tiles_left", pl.Int16, "tiles", "Tiles left to draw after it."),
        ),
        _table(
            "riichis", "a riichi declaration",
            ("game_id", pl.String, "", _GAME),
            ("source", pl.String, "", _SOURCE),
            ("within", pl.String, "", _WITHIN),
            ("players", pl.UInt8, "players", _PLAYERS),
            ("round", pl.UInt16, "", _ROUND),
            ("event", pl.UInt32, "", _EVENT),
            ("seat", pl.Int8, "seat", "The seat that declares."),
            ("turn", pl.UInt8, "", "The seat's turn, as in `turns`."),
            ("discard", pl.String, "", "The tile discarded with it; null: the log has no discard for it."),
            ("double", pl.Boolean, "", "Whether it is double riichi: first turn, no call before; null: not known."),
            ("waits", pl.String, "",
             "Kinds that complete the hand after that discard, in furiten too; empty: not tenpai; null: not known."),
            ("kinds", pl.UInt8, "kinds", "Number of kinds in `waits`."),
            ("unseen", pl.UInt8, "tiles",
             "Tiles of these kinds not then in the own hand, a river, a meld or an indicator; null: not known."),
            ("furiten", pl.Boolean, "",
             "Whether the seat has discarded a kind that it waits for, with that discard or before; null: not known."),
            ("paid", pl.Boolean, "", "Whether its stick was paid; null: not known."),
        ),
        _table(
            "wins", "a win",
            ("game_id", pl.String, "", _GAME),
            ("source", pl.String, "", _SOURCE),
            ("within", pl.String, "", _WITHIN),
            ("players", pl.UInt8, "players", _PLAYERS),
            ("round", pl.UInt16, "", _ROUND),
            ("event", pl.UInt32, "", _EVENT),
            ("winner", pl.Int8, "seat", "Seat of the winner."),
            ("payer", pl.Int8, "seat", "Seat that dealt in; on tsumo the winner itself."),
            ("liable", pl.Int8, "seat", "Recorded seat that is liable for a yakuman (pao)."),
            ("expected_liable", pl.Int8, "seat", "Seat that is liable, by replay and rules."),
            ("turn", pl.UInt8, "",
             "The winner's turn: as in `turns`, or on ron that of its last discard, at least 1; null: not known."),
            ("hand", pl.String, "", "The concealed tiles, with the winning tile."),
            ("melds", pl.String, "",
             "Melds by replay, without kita, separated by commas: pon E E E; empty: none; null: not known."),
            ("open", pl.Boolean, "", "Whether one of them is not a closed kan; null: not known."),
            ("winning_tile", pl.String, "", "The winning tile."),
            ("decomposition", pl.String, "", "The reading that scores most, pair first; null: there is none."),
            ("riichi", pl.Boolean, "", "Whether the winner was in riichi, by replay."),
            ("fu", pl.Int16, "fu", "Recorded fu."),
            ("expected_fu", pl.Int16, "fu", "Fu by engine."),
            ("han", pl.Int64, "han", "Recorded han, dora included; 0 for yakuman."),
            ("expected_han", pl.Int16, "han", "Han by engine."),
            ("yaku", pl.String, "", "Recorded yaku with their han, separated by commas; without dora."),
            ("expected_yaku", pl.String, "", "Yaku by engine."),
            ("dora", pl.Int16, "han", "Recorded han of dora (kan dora and kita among them)."),
            ("expected_dora", pl.Int8, "han", "Han of dora by count."),
            ("ura", pl.Int16, "han", "Recorded han of ura dora."),
            ("ura_indicators", _Tiles, "", "Ura dora indicators shown to the winner; null: none are."),
            ("expected_ura", pl.Int8, "han", "Han of ura dora by count."),
            ("red", pl.Int16, "han", "Recorded han of red fives."),
            ("expected_red", pl.Int8, "han", "Han of red fives by count."),
            ("limit", pl.UInt8, "", "Recorded limit: 0 none, 1 mangan, 2 haneman, 3 baiman, 4 sanbaiman, 5 yakuman."),
            ("expected_limit", pl.UInt8, "", "Limit by engine."),
            ("points", pl.Int32, "points", "Recorded worth of the hand, without honba and sticks."),
            ("expected_points", pl.Int32, "points", "Worth by engine."),
            ("deltas", _Points, "points", "Recorded changes of score by seat, honba and sticks included."),
            ("expected_deltas", _Points, "points", "Changes of score by engine."),
        ),
        _table(
            "findings", "a mismatch",
            ("code", pl.String, "", "Code of the check; `auditor explain CODE` describes it."),
            ("severity", pl.String, "", "error (impossible), rule (forbidden by the rules of the game), note."),
            ("game_id", pl.String, "", _GAME + " Null: no game could be read."),
            ("source", pl.String, "", _SOURCE),
            ("within", pl.String, "", _WITHIN),
            ("round", pl.UInt16, "", _ROUND),
            ("round_name", pl.String, "", "The round as players call it: East 1.0 is East 1 with 0 honba."),
            ("event", pl.UInt32, "", _EVENT),
            ("pos", pl.UInt32, "bytes", "Offset of the event in the unpacked file."),
            ("seat", pl.Int8, "seat", "The seat that did it."),
            ("player", pl.String, "", "Name of the player in that seat; null: no seat, or the log has no name."),
            ("recorded", pl.String, "", "Value that the log states."),
            ("expected", pl.String, "", "Value by replay, engine or earlier lines of the log."),
            ("message", pl.String, "", "The finding as a sentence."),
            ("right_under", pl.String, "", _RIGHT_UNDER),
            ("regardless_of", pl.String, "", _REGARDLESS_OF),
        ),
        _table(
            "sources", "a file, or member of an archive",
            ("source", pl.String, "",
             "Name in all tables: the path; for a member then ! and its name. A ! in the path is written \\x21."),
            ("path", pl.String, "", "Path or URI of the file, as it was first given or found."),
            ("member", pl.String, "", "Name within the archive; null: the file itself."),
            ("file", pl.String, "", "Path without links, by which later runs recognise the file."),
            ("format", pl.String, "", "mjlog, majiang …, recognised by content; null: no known format."),
            ("size", pl.UInt64, "bytes", "Size as stored, compressed or not; 0: it could not be read."),
            ("modified", pl.Datetime("ns", "UTC"), "", "Modification time of the file; null: not known, or a member."),
            ("sha256", pl.String, "", "Digest of these bytes; empty: they could not be read, or it is an archive."),
            ("status", pl.String, "",
             "audited, unsupported, unreadable, ignored (no log), missing (from its archive), archive (has members)."),
            ("reason", pl.String, "", "Why it is not audited, or a doubt about it; for an archive, how many members."),
            ("engine_version", pl.String, "", "Version of the auditor."),
            ("rule_set", pl.String, "", "Rule sets of its games."),
            ("audit", pl.String, "", "Digest of version, rules and checks of the audit; `runs` has them in full."),
        ),
        _table(
            "runs", "a run",
            ("begun", pl.Datetime("us", "UTC"), "", "When the run began."),
            ("ended", pl.Datetime("us", "UTC"), "", "When the run ended."),
            ("version", pl.String, "", "Version of the auditor."),
            ("options", pl.String, "", "Rules and choice of checks, as JSON."),
            ("audit", pl.String, "", "Digest of version, rules and checks; `sources` refers to it."),
            ("stopped", pl.String, "", "Signal that ended the run early; null: it was complete."),
            ("files", pl.Int64, "files", "Files, archives and members that the run met."),
            ("unchanged", pl.Int64, "files", "Files that an earlier run has audited, so this one did not."),
            ("audited", pl.Int64, "files", "Files and members audited."),
            ("archives", pl.Int64, "files", "Archives read to their end."),
            ("unreadable", pl.Int64, "files", "Files and members that could not be read."),
            ("unsupported", pl.Int64, "files", "Files and members of variants that are not supported."),
            ("ignored", pl.Int64, "files", "Files and members that are plainly no logs."),
            ("missing", pl.Int64, "files", "Members for which the archive itself states that it has no log."),
            ("games", pl.Int64, "games", "Games read."),
            ("rounds", pl.Int64, "rounds", "Rounds audited."),
            ("turns", pl.Int64, "turns", "Draws and calls replayed."),
            ("wins", pl.Int64, "wins", "Wins scored again."),
            ("findings", pl.Int64, "findings", "Findings in what this run audited."),
            ("known", pl.Int64, "findings", "Findings in the whole dataset at its end, each once: " + _ONCE),
            ("new", pl.Int64, "findings", "Of `known`, those that the dataset did not have after the run before."),
            ("gone", pl.Int64, "findings", "Findings that it had after the run before, and that are gone."),
            ("checks", _PerCheck, "rows", _PER_CHECK),
        ),
        _table(
            "changes", "a change of what is known about a finding",
            ("finding", pl.String, "", "Id of the finding, 16 hex digits; it keeps it when its file is audited again."),
            ("at", pl.Datetime("us", "UTC"), "", "When the run began that noted the change, or `auditor forget` ran."),
            ("change", pl.String, "",
             "appeared; seen (again, or in a changed or another file); unseen (nobody looked); gone."),
            ("why", pl.String, "", "Why it is unseen or gone."),
            ("last_seen", pl.Datetime("us", "UTC"), "", "Unseen or gone: when the last run began that still had it."),
            ("sha256", pl.String, "", "Digest of the source's bytes then."),
            ("nth", pl.UInt32, "", "Its number among equal findings of its game, from 1."),
            ("code", pl.String, "", "Its row of `findings`, when it was last noted; so are the columns below."),
            ("severity", pl.String, "", "As in `findings`."),
            ("game_id", pl.String, "", "As in `findings`."),
            ("source", pl.String, "", "As in `findings`; of copies of a game, the first by name."),
            ("within", pl.String, "", "As in `findings`."),
            ("round", pl.UInt16, "", "As in `findings`."),
            ("round_name", pl.String, "", "As in `findings`."),
            ("event", pl.UInt32, "", "As in `findings`."),
            ("seat", pl.Int8, "seat", "As in `findings`."),
            ("player", pl.String, "", "As in `findings`."),
            ("recorded", pl.String, "", "As in `findings`."),
            ("expected", pl.String, "", "As in `findings`."),
            ("message", pl.String, "", "As in `findings`."),
        ),
    )
}  # fmt: skip
"""All tables by name."""

_KEPT = [name for name in TABLES["changes"].types if name in TABLES["findings"].types]
_TIME = pl.Datetime("us", "UTC")
VIEWS: dict[str, Table] = {
    "history": _table(
        "history", "a finding that the dataset has or had",
        ("finding", pl.String, "", "Id of the finding, as in `changes`."),
        ("first_seen", _TIME, "", "When the first run began that had it."),
        ("last_seen", _TIME, "", "When the last run began that had it; while the dataset has it, the newest run."),
        ("gone", _TIME, "", "When the run began that noted that it is gone, or `auditor forget` ran; null: not gone."),
        ("change", pl.String, "", "Its newest change: appeared or seen (the dataset has it), unseen, gone."),
        ("why", pl.String, "", "Why it is unseen or gone."),
        *((name, TABLES["findings"].types[name], "", "As in `changes`.") for name in _KEPT),
    ),
}  # fmt: skip
"""Tables that no file has; they are made from others when they are asked for."""

PARTED = tuple(name for name in TABLES if name not in ("runs", "changes"))
"""The tables that every part of a dataset has; a run adds a part with the other two."""

METADATA = {"schema_version": VERSION}
"""Written into every Parquet file."""


def digest() -> str:
    """Return a digest of the names, types, units and order of all columns, 16 hex digits."""
    stated = [(table.name, column.name, str(pl_type(column)), column.unit)
              for table in TABLES.values() for column in table.columns]  # fmt: skip
    return hashlib.sha256(repr(stated).encode()).hexdigest()[:16]


def pl_type(column: Column) -> pl.DataType:
    """Return a column's type as an instance."""
    return column.type if isinstance(column.type, pl.DataType) else column.type()


def type_name(column: Column) -> str:
    """Return a column's type as a short name for documentation; an enum comes without its values."""
    kind = pl_type(column)
    if isinstance(kind, pl.Enum):
        return "Enum"
    if isinstance(kind, pl.List):
        named = isinstance(kind.inner, pl.Struct | pl.Enum)
        return f"List({type(kind.inner).__name__ if named else kind.inner})"
    if isinstance(kind, pl.Datetime):
        return "Datetime(UTC)" if kind.time_zone else "Datetime"
    return str(kind)


def format_schema() -> str:
    """Return the schema of all tables as text, a line for each column."""
    lines = [
        f"schema version {VERSION}; null: the log does not say, or the hand could not be followed",
        "lists by seat: SQL counts from 1, so deltas[1] is seat 0 and deltas[winner + 1] the winner:",
        "  SELECT winner, deltas[winner + 1] AS won, deltas[1] AS seat_0 FROM wins",
        "with three players, the value of seat 3 is null or the list is shorter",
    ]
    for table in (*TABLES.values(), *VIEWS.values()):
        view = " (for `auditor query`; it has no files)" if table.name in VIEWS else ""
        lines += ["", f"{table.name}: one row per {table.row.removeprefix('a ')}{view}"]
        for column in table.columns:
            unit = f" [{column.unit}]" if column.unit else ""
            lines.append(f"  {column.name:<15} {type_name(column):<18} {column.sentence}{unit}")
    return "\n".join(lines)
