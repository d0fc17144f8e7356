"""A win as the engine scores it: fu item by item, and the command that scores the same hand again."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from auditor.audit import reading_text
from auditor.audit.check import all_checks
from auditor.audit.report import rule_text
from auditor.log.tile_ids import KIND, RED
from auditor.log.words import WIND_LETTERS
from auditor.replay.trust import SCORE_DOUBTS
from engine.rules.rule_sets import RULE_NAMES, preset, stand_in_name
from engine.scoring.fu import fu, itemised
from engine.shapes.readings import SEVEN_PAIRS, STANDARD
from engine.tiles.kinds import NO_TILE, SUIT_LETTERS
from engine.tiles.melds import SEAT_MARKS
from engine.yaku.features import features

if TYPE_CHECKING:
    from collections.abc import Iterable

    from auditor.audit.frames import Frames
    from auditor.show.moment import Moment
    from auditor.show.open_tiles import TableMeld
    from engine.rules.rule_sets import RuleSet


@dataclass(frozen=True)
class Reading:
    """A reading of a hand, its fu, and the items of the fu; seven pairs and thirteen orphans are a single item."""

    text: str
    fu: int
    items: dict[str, int]


@dataclass(frozen=True)
class Win:
    """A win: its readings, the best first, and the command that explains it."""

    readings: tuple[Reading, ...]
    command: str


class WinLookup:
    """The wins of one batch, one by one."""

    def __init__(self, frames: Frames) -> None:
        self._frames = frames
        self._rows = {
            place: row
            for row, place in enumerate(
                frames.corrected_log.claims[frames.win_contexts.claim].select("round", "event", "winner").rows()
            )
        }

    def at(self, place: tuple[int, int, int], moment: Moment) -> Win | None:
        """Return the win at a place; None if there is none, or its hand cannot be trusted or scored.

        Parameters
        ----------
        place
            round (row of ``log.rounds``), event, winner
        moment
            the table at that event

        """
        row = self._rows.get(place)
        frames = self._frames
        wins = frames.win_contexts.wins
        if row is None or not frames.win_contexts.doubts.free_of(SCORE_DOUBTS)[row] or not frames.scored.complete[row]:
            return None
        won = _winning_tile(moment, int(wins.winner[row]), int(wins.payer[row]))
        return None if won is None else Win(self._readings(row), self._command(row, moment, won))

    def _readings(self, row: int) -> tuple[Reading, ...]:
        scored, wins = self._frames.scored, self._frames.win_contexts.wins
        rows = np.flatnonzero(scored.readings.hand == row)
        rows = rows[np.argsort(rows != scored.best[row], kind="stable")]
        parts = scored.readings[rows]
        described = features(wins, parts, self._frames.rules.table)
        items = itemised(described)
        texts = reading_text.format_readings(parts, wins.hands[parts.hand]).to_list()
        found = []
        for at, (text, value, form) in enumerate(zip(texts, fu(described).tolist(), parts.form.tolist(), strict=True)):
            name = "seven pairs" if form == SEVEN_PAIRS else "thirteen orphans"
            counted = {source: int(each[at]) for source, each in items.items() if each[at]}
            found.append(Reading(text, value, counted if form == STANDARD else {name: value}))
        return tuple(found)

    def _command(self, row: int, moment: Moment, won: int) -> str:
        """Return the command line ``auditor hand …`` for this win, with everything that its value depends on."""
        wins = self._frames.win_contexts.wins
        winner, payer, players = int(wins.winner[row]), int(wins.payer[row]), int(wins.players[row])
        seat = moment.seats[winner]
        words = [",".join([_tiles((tile.tile_id for tile in seat.hand.tiles), reds=moment.reds),
                           *(_meld(meld, winner, players, reds=moment.reds) for meld in seat.melds)])]  # fmt: skip
        words += ["--win", _tiles([won], reds=moment.reds) + _mark(winner, payer, players)]
        words += ["--seat", WIND_LETTERS[wins.seat_wind[row]], "--round", WIND_LETTERS[wins.round_wind[row]]]
        riichi = int(wins.riichi[row])
        words += ["--riichi", str(riichi)] if riichi else []
        flags = {"ippatsu": wins.ippatsu, "rinshan": wins.rinshan, "chankan": wins.chankan, "last": wins.last_tile,
                 "first": wins.first_turn, "on-kita": wins.on_kita}  # fmt: skip
        words += [f"--{name}" for name, values in flags.items() if values[row]]
        for name, kinds in (("dora", wins.dora[row]), ("ura", wins.ura[row] if riichi else [])):
            indicators = "".join(_format_kind(int(kind)) for kind in kinds if kind != NO_TILE)
            words += [f"--{name}", indicators] if indicators else []
        for name, count in (("kita", len(seat.kita)), ("honba", wins.honba[row]), ("sticks", wins.sticks[row])):
            words += [f"--{name}", str(count)] if count else []
        rules = self._frames.rules.table.rule_sets[wins.rule[row]]
        words += ["--rules", _rules(rules)]
        words += [] if rules.players == players else ["--players", str(players)]
        return shlex.join(["auditor", "hand", *words])


def _winning_tile(moment: Moment, winner: int, payer: int) -> int | None:
    """Return the tile that completes a hand: as the result names it, as drawn, or as it is taken from the payer."""
    hand, other = moment.seats[winner].hand, moment.seats[payer]
    if hand.won is not None:
        return hand.won
    if hand.drawn is not None:
        return hand.drawn.tile_id
    lying = [*(each.tile for each in other.river), *(tile for meld in other.melds for tile in meld.tiles), *other.kita]
    return next((tile.tile_id for tile in lying if tile.moved), None)


def _format_kind(kind: int) -> str:
    """Write a tile with its suit before it: ``m5``."""
    return f"{SUIT_LETTERS[kind // 9]}{kind % 9 + 1}"


def _digit(tile_id: int, *, reds: bool) -> str:
    return "0" if reds and RED[tile_id] else str(int(KIND[tile_id]) % 9 + 1)


def _tiles(tile_ids: Iterable[int], *, reds: bool) -> str:
    """Write tiles, each suit before its digits: ``m123p406z55``."""
    texts = [""] * len(SUIT_LETTERS)
    for tile_id in sorted(tile_ids, key=lambda tile_id: (int(KIND[tile_id]), -int(RED[tile_id]))):
        texts[int(KIND[tile_id]) // 9] += _digit(tile_id, reds=reds)
    return "".join(letter + digits for letter, digits in zip(SUIT_LETTERS, texts, strict=True) if digits)


def _mark(seat: int, source: int, players: int) -> str:
    """Return the mark of a seat that gave a tile: + for the next seat, - for the one before, = for the one across."""
    step = (source - seat) % players
    return SEAT_MARKS[step - players if step == players - 1 else step]


def _meld(meld: TableMeld, seat: int, players: int, *, reds: bool) -> str:
    """Write a meld, with the mark of the feeding seat after the called tile: ``m4-56``, ``z111=``, ``p505+5``."""
    tile_ids = [tile.tile_id for tile in meld.tiles]
    mark = "" if meld.source is None else _mark(seat, meld.source, players)
    called, *others = tile_ids
    added: list[int] = []
    if meld.kind == "kakan":
        *others, last = others
        added = [last]
    order = (
        sorted(tile_ids, key=lambda tile_id: int(KIND[tile_id])) if meld.kind == "chi" else [*others, called, *added]
    )
    digits = [_digit(tile_id, reds=reds) + (mark if tile_id == called else "") for tile_id in order]
    return SUIT_LETTERS[int(KIND[called]) // 9] + "".join(digits)


def _rules(rules: RuleSet) -> str:
    """Write the rules on which a win's value depends, as ``--rules`` reads them."""
    base = preset(stand_in_name(rules))
    asked = {name for check in all_checks() if check.code[0] in "WP" for name in check.rules}
    return rule_text(replace(rules, **{name: getattr(base, name) for name in set(RULE_NAMES) - asked}))
