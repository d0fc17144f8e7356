"""One game of a canonical log as Python objects, in the order of play: what a writer walks through.

Writing is for people who move games from one program to another. It goes game by game, unlike the audit.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.log.tables import SEATS
from auditor.log.tile_ids import KIND, PHYSICAL, RED
from engine.rules.rule_sets import SANMA_STAND_IN, STAND_IN, differences, preset
from engine.rules.rule_table import RuleTable
from engine.scoring.limits import limit_and_base
from engine.tiles import kinds

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    import polars as pl

    from auditor.log.tables import Log
    from engine.rules.rule_sets import RuleSet

Row = dict[str, Any]


class UnwritableError(ValueError):
    """A game has something for which a format has no form, such as a tile that the log does not name."""


@dataclass(frozen=True)
class Event:
    """One event: its kind, seat and tile, whether it is a tsumogiri (None: not stated), and its meld, if it makes one.

    ``tiles`` has the meld's tiles, the called or added one first; ``source`` the seat that fed it. Tiles are tile ids.
    ``scored`` says whether the log repeats the scores at a deposit.
    """

    kind: str
    seat: int | None
    tile: int | None
    tsumogiri: bool | None = None
    source: int | None = None
    tiles: tuple[int, ...] = ()
    scored: bool = False


@dataclass(frozen=True)
class Result:
    """One result: the row of ``claims``, and the hands that it shows, by seat (None if the log has no tiles for it).

    ``untold`` marks a draw that does not tell which hands are tenpai.
    """

    claim: Row
    shown: dict[int, list[int] | None]
    untold: bool = False


@dataclass(frozen=True)
class Round:
    """One round: the row of ``rounds``, the tiles dealt by seat, its events without deals, and its results.

    The nth event of kind ``result`` stands for the nth result.
    """

    row: Row
    dealt: list[list[int]]
    events: list[Event]
    results: list[Result]


@dataclass(frozen=True)
class Game:
    """One game: the row of ``games``, its rules, its rounds; ``lacks`` says what the log itself could not tell."""

    row: Row
    rules: RuleSet
    rounds: list[Round]
    lacks: list[str] = field(default_factory=list)

    @property
    def players(self) -> int:
        """How many play."""
        return int(self.row["players"])

    @property
    def has_red_fives(self) -> bool:
        """Whether the set has red fives, or may have them because the rule is unknown."""
        return self.rules.red_fives is None or any(self.rules.red_fives)

    def tile(self, tile_id: int) -> int:
        """Return a tile as one of the engine's 37: 0 to 33 by kind, 34 to 36 for a red five."""
        if tile_id >= PHYSICAL:
            return tile_id - PHYSICAL
        red = RED[tile_id] and self.has_red_fives
        return kinds.KINDS + int(KIND[tile_id]) // 9 if red else int(KIND[tile_id])


def limit_of(game: Game, fu: int | None, han: int) -> int:
    """Return the limit that the stated fu and han have under the game's rules: 0 none, 1 mangan to 5 yakuman.

    Formats that name the limit need it, and other logs state fu and han only.
    """
    if fu is None:
        return 0
    table = RuleTable.from_rules([game.rules])
    limit, _ = limit_and_base(np.array([fu], np.int16), np.array([han], np.int16), np.zeros(1, np.int64), table)
    return int(limit[0])


def other_rules(game: Game, said: Collection[str]) -> list[str]:
    """Return the rules of a game that differ from Tenhou's, beside those that the format can say."""
    standard = preset(SANMA_STAND_IN if game.players < SEATS else STAND_IN)
    found = differences(standard, game.rules).items()
    return [name for name, (_, own) in found if own is not None and name not in said]


def total_han(claim: Row) -> int:
    """Return the han of all yaku and dora: their sum, if the log states none."""
    return int(claim["total_han"] if claim["total_han"] is not None else sum(claim["han"] or ()))


class Hands:
    """The concealed tiles of each seat, followed event by event."""

    def __init__(self, played: Round) -> None:
        self.of = [list(dealt) for dealt in played.dealt]

    def follow(self, event: Event) -> None:
        """Let an event change the hand of its seat; a tile that the hand does not hold changes nothing."""
        if event.seat is None:
            return
        if event.kind == "draw" and event.tile is not None:
            self.of[event.seat].append(event.tile)
        gone = {"discard": (event.tile,), "kakan": (event.tile,), "kita": (event.tile,), "ankan": event.tiles}
        for tile in gone.get(event.kind, event.tiles[1:]):
            if tile in self.of[event.seat]:
                self.of[event.seat].remove(tile)


_BEFORE, _AFTER, _UNTIMED = "before_draw", "after_draw", "untimed"
_OPEN_KANS = frozenset({"kakan", "daiminkan"})


def with_indicators(game: Game, time: str) -> Game:
    """Return a game with each kan's indicator where a platform turns it (``kan_indicator`` in the table of games).

    One platform turns it before an action, the other behind it. A log without times has each indicator behind its kan:
    there the rules say when it is turned. Where the log's own time is unknown, nothing changes.
    """
    own = game.row["kan_indicator"]
    delayed = game.rules.open_kan_dora_delayed is not False
    if own == _UNTIMED:
        rounds = [replace(each, events=_by_rule(each.events) if delayed else each.events) for each in game.rounds]
        game, own = replace(game, rounds=rounds), _BEFORE
    if own == time or own not in {_BEFORE, _AFTER}:
        return game
    later = time == _AFTER
    rounds = [replace(each, events=_moved(each.events, later=later, delayed=delayed)) for each in game.rounds]
    return replace(game, rounds=rounds)


def _by_rule(events: list[Event]) -> list[Event]:
    """Return events with the indicator of each open kan behind the next open kan or kita, or before any other act."""
    found: list[Event] = []
    waiting: list[Event] = []
    for place, each in enumerate(events):
        if each.kind == "dora" and events[place - 1].kind in _OPEN_KANS:
            waiting.append(each)
            continue
        behind = each.kind in _OPEN_KANS or each.kind == "kita"
        before = each.kind in {"discard", "ankan", "result"}
        found += [*waiting * before, each, *waiting * behind]
        waiting = [] if before or behind else waiting
    return found


def _moved(events: list[Event], *, later: bool, delayed: bool) -> list[Event]:
    """Return events with each indicator behind, or before, the action next to it.

    A delayed indicator that waits when another open kan is made is turned directly behind that kan on all platforms.
    """
    found = list(events)
    places = [place for place, each in enumerate(events) if each.kind == "dora"]
    for place in reversed(places) if later else places:
        if delayed and place and events[place - 1].kind in _OPEN_KANS:
            continue
        step = 1 if later else -1
        other = place + step
        while 0 <= other < len(found) and found[other].kind in {"riichi", "deposit", "leave", "return"}:
            other += step
        if 0 <= other < len(found) and found[other].kind in {"draw", "discard", "ankan"}:
            found.insert(other, found.pop(place))
    return found


def is_tsumogiri(event: Event, drawn: int | None) -> bool:
    """Return whether a discard is the tile just drawn: as the log says, or, where tiles have numbers, by its number."""
    return event.tsumogiri if event.tsumogiri is not None else drawn is not None and event.tile == drawn


def games(log: Log) -> Iterator[Game]:
    """Yield the games of a batch."""
    rounds = _by(log.rounds, "game")
    tables = {name: _by(getattr(log, name), "round") for name in ("events", "deals", "claims", "shows")}
    melds = {row["row"]: row for row in log.melds.iter_rows(named=True)}
    scored = set(log.deposits.select("round", "event", "seat").iter_rows())
    problems = _by(log.problems, "game")
    first = 0
    for row in log.games.iter_rows(named=True):
        played = []
        for each in rounds.get(row["game"], []):
            parts = {name: table.get(each["round"], []) for name, table in tables.items()}
            played.append(_round(each, parts, melds, scored, first))
            played[-1].results.extend(_results(parts, log))
            first += len(parts["events"])
        lacks = [f"{each['code']}: {each['recorded']}" for each in problems.get(row["game"], [])]
        yield Game(row, log.rules[row["rules"]], played, lacks)


def _by(frame: pl.DataFrame, key: str) -> dict[int, list[Row]]:
    """Return the rows of a table by a key."""
    found: dict[int, list[Row]] = {}
    for row in frame.iter_rows(named=True):
        found.setdefault(row[key], []).append(row)
    return found


def _round(
    row: Row, parts: dict[str, list[Row]], melds: dict[int, Row], scored: set[tuple[Any, ...]], first: int
) -> Round:
    """Return one round, still without results, whose first event is the row ``first`` of the table of events."""
    dealt: list[list[int]] = [[] for _ in range(SEATS)]
    for each in parts["deals"]:
        dealt[each["seat"]].append(each["tile_id"])
    events = [
        _event(each, melds.get(first + place), scored=(each["round"], each["event"], each["seat"]) in scored)
        for place, each in enumerate(parts["events"])
        if each["kind"] != "deal"
    ]
    return Round(row, dealt, events, [])


def _results(parts: dict[str, list[Row]], log: Log) -> Iterator[Result]:
    for claim in parts["claims"]:
        tiles = {each["seat"]: each["tile_ids"] for each in parts["shows"] if each["claim"] == claim["claim"]}
        shown = np.flatnonzero(log.shown[claim["claim"]]).tolist()
        yield Result(claim, {seat: tiles.get(seat) for seat in shown}, bool(log.untold[claim["claim"]]))


def _event(row: Row, meld: Row | None, *, scored: bool) -> Event:
    if meld is None:
        return Event(row["kind"], row["seat"], row["tile_id"], row["tsumogiri"], scored=scored)
    tiles = (row["tile_id"], meld["p1"], meld["p2"], meld["p3"])
    return Event(
        row["kind"],
        row["seat"],
        row["tile_id"],
        None,
        meld["source"],
        tuple(tile for tile in tiles if tile is not None),
    )
