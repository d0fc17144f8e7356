"""The keys beside the rounds → columns of games: players, room, scores (auditor/readers/tenhou_json/FORMAT.md 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from auditor.log import tables
from auditor.log.columns import RANGES, SEATS
from auditor.log.seats import by_seat
from auditor.readers.json_text import Number, printable, shown
from auditor.readers.tenhou_json import rounds
from auditor.readers.tenhou_json.documents import Fault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.log.columns import Range
    from auditor.readers.tenhou_json.documents import Game

_THREE = "三"
"""In the name of a Tenhou room for three players."""
_RANGES = RANGES["games"]


class Head(NamedTuple):
    """What a game says beside its rounds; None where it does not. ``final`` has score and points of each player."""

    players: int
    names: list[str] | None
    ranks: list[str] | None
    ratings: list[float] | None
    table: str | None
    final: list[tuple[float, float]] | None


def read(game: Game) -> Head:
    """Read the keys of a game, and add what is wrong with them to its faults."""
    seats = _players(game)
    ranks, ratings = _texts(game, "dan", seats), _numbers(game, "rate", seats, _RANGES["ratings"])
    return Head(seats, _texts(game, "name", seats), ranks, ratings, _table(game), _final(game, seats))


def rule_object(game: Game) -> dict[str, Any]:
    """Return the object under the key ``rule``, empty if there is none."""
    rule = game.head.get("rule")
    return rule if isinstance(rule, dict) else {}


def columns(heads: Sequence[Head]) -> dict[str, Any]:
    """Return the columns of the canonical table that heads state."""
    players = np.array([each.players for each in heads], dtype=np.int8)
    known = np.array([each.final is not None for each in heads], dtype=bool)
    final = np.zeros((len(heads), SEATS, 2))
    for row, each in enumerate(heads):
        final[row, : each.players] = each.final or 0
    lists = {
        name: pl.Series([getattr(each, name) for each in heads], dtype=tables.GAMES[name])
        for name in ("names", "ranks", "ratings")
    }
    return {
        "players": players,
        **lists,
        "table": pl.Series([each.table for each in heads], dtype=pl.String),
        "ended": pl.Series([True if each else None for each in known.tolist()], dtype=pl.Boolean),
        "final_scores": by_seat(final[:, :, 0].astype(np.int32), players, known),
        "final_points": by_seat(final[:, :, 1], players, known),
    }


def _players(game: Game) -> int:
    """Return how many play, from the rounds; if the head says otherwise, the rounds are not read."""
    by_rounds = rounds.players(game.rounds)
    group, room = game.head.get("ratingc"), rule_object(game).get("disp")
    stated = {"PF3": SEATS - 1, "PF4": SEATS}.get(group if isinstance(group, str) else "")
    if stated is None and isinstance(room, str) and room.startswith(_THREE):
        stated = SEATS - 1
    if stated is not None and by_rounds not in {stated, None}:
        game.faults.append(Fault("L007", f"rounds of {by_rounds} players", f"{stated}, as its head says"))
        game.rounds = []
    return by_rounds or stated or SEATS


def _of_seats(game: Game, key: str, seats: int, kinds: tuple[type, ...], expected: str) -> list[Any] | None:
    """Return the values of a list of the head by seat; None if the head lacks the list, or it is wrong."""
    value = game.head.get(key)
    if value is None or value == []:
        return None
    if isinstance(value, list) and len(value) in {seats, SEATS} and all(type(each) in kinds for each in value[:seats]):
        return value[:seats]
    game.faults.append(Fault("L003", f"{key} {shown(value)}", f"{seats} {expected}"))
    return None


def _texts(game: Game, key: str, seats: int) -> list[str] | None:
    """Return a text for each player."""
    found = _of_seats(game, key, seats, (str,), "texts")
    return None if found is None else list(map(printable, found))


def _numbers(game: Game, key: str, seats: int, bounds: Range) -> list[float] | None:
    """Return a number for each player."""
    found = _of_seats(game, key, seats, (int, Number), "numbers")
    if found is None:
        return None
    numbers = list(map(_float, found))
    if all(bounds.low <= each <= bounds.high for each in numbers):
        return numbers
    game.faults.append(Fault("L003", f"{key} {shown(found)}", f"each {bounds}"))
    return None


def _float(value: int | Number) -> float:
    """Return a number; one that is too large is infinite."""
    try:
        return float(value)
    except OverflowError:
        return float("inf")


def _table(game: Game) -> str | None:
    """Return the room as the game names it."""
    rule = game.head.get("rule")
    if rule is not None and not isinstance(rule, dict):
        game.faults.append(Fault("L003", f"rule {shown(rule)}", "an object"))
    room = rule_object(game).get("disp")
    return printable(room) if isinstance(room, str) and room else None


def _final(game: Game, seats: int) -> list[tuple[float, float]] | None:
    """Return final score and points of each player, from a list in which they alternate."""
    value = game.head.get("sc")
    if value is None or value == []:
        return None
    kept = value[: 2 * seats] if isinstance(value, list) and len(value) in {2 * seats, 2 * SEATS} else []
    numbers = [_float(each) for each in kept if type(each) in {int, Number}]
    pairs = list(zip(numbers[::2], numbers[1::2], strict=False))
    scores, points = _RANGES["final_scores"], _RANGES["final_points"]
    if len(numbers) == 2 * seats and all(
        scores.low <= score <= scores.high and score == int(score) and points.low <= point <= points.high
        for score, point in pairs
    ):
        return pairs
    game.faults.append(Fault("L003", f"sc {shown(value)}", f"{seats} final scores, each with its points"))
    return None
