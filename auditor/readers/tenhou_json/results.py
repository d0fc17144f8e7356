"""The result of each round → claims (auditor/readers/tenhou_json/FORMAT.md 6).

A win is ``["和了", changes, detail, changes, detail, …]``, a draw ``[name]`` or ``[name, changes]``. A detail is
``[winner, payer, liable or winner, text of the points, yaku, …]``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from auditor.log import tables
from auditor.log.arrays import gathered, hand_numbers, lists, rows_where, where_known
from auditor.log.columns import RANGES, REASON, REASONS, SEATS
from auditor.log.event_kinds import is_kind
from auditor.log.seats import by_seat
from auditor.readers.json_text import shown
from auditor.readers.tenhou_json.absent import ABSENT
from auditor.readers.tenhou_json.rounds import Fault, Lists
from auditor.readers.tenhou_json.win_texts import ROUND_WIND, SEAT_WIND, worth, yaku

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from auditor.readers.tenhou_json.play import JsonPlay
    from auditor.readers.tenhou_json.rounds import Rounds

    Ints = npt.NDArray[np.int64]

WIN = "和了"
DRAWS = {
    "流局": "exhaustive", "全員聴牌": "exhaustive", "全員不聴": "exhaustive", "Ryuukyoku": "exhaustive",
    "流し満貫": "nagashi",
    "九種九牌": "kyuushu",
    "四家立直": "four_riichi",
    "三家和了": "triple_ron", "三家和": "triple_ron",
    "四槓散了": "four_kans", "四開槓": "four_kans",
    "四風連打": "four_winds",
}  # fmt: skip
"""The draws by their names: Tenhou's, then those of converters."""
_TENPAI = {"全員聴牌": SEATS, "全員不聴": 0}
"""Names that say how many hands are tenpai; nobody pays."""
_PAID = {"流局", "Ryuukyoku", "流し満貫"}
"""Names of draws at which seats pay; at the others nobody does, and no changes follow the name."""
_RIICHI = {1, 21}
_NULL = UNCLEAR = -1
_MOST = RANGES["claims"]["deltas"].high
_NUMBERS = ("round", "nth", "reason", "winner", "payer", "liable", "tenpai", "fu", "limit", "total_han", "points")
"""Columns of numbers, null where they are negative; the reason is a code."""
_NO_SEATS, _NO_WORTH = (_NULL,) * 3, (_NULL,) * 4
_REASONS = pl.Series(REASONS, dtype=pl.Enum(REASONS))


class Endings(NamedTuple):
    """How rounds end: ``results`` int[rounds] results; whether the last discard is ``won``, bool[rounds].

    ``lacks`` int8[rounds] is 1 if nothing follows the last take (a tsumo), 0 if a discard or a kan does, UNCLEAR if the
    result does not say (or for nine orphans: X105 reports those that are none).
    """

    results: Ints
    won: npt.NDArray[np.bool_]
    lacks: npt.NDArray[np.int8]


class _Yaku(NamedTuple):
    """The yaku of a win, the han of each, the yakuman, and whether riichi is among them."""

    yaku: list[int]
    han: list[int]
    yakuman: list[int]
    riichi: bool


_NO_YAKU = _Yaku([], [], [], riichi=False)


@dataclass
class Results:
    """The results of a batch, row by row: the columns _NUMBERS, the changes (None for unknown), the yaku."""

    numbers: list[tuple[int, ...]] = field(default_factory=list)
    deltas: list[list[int] | None] = field(default_factory=list)
    yaku: list[_Yaku] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def fault(self, round_: int, name: str, value: object, expected: str) -> None:
        """Report what cannot be read."""
        self.faults.append(Fault(round_, f"{name} {shown(value)}", expected))

    def add(self, numbers: tuple[int, ...], deltas: list[int] | None, yaku: _Yaku) -> None:
        """Add a result."""
        self.numbers.append(numbers)
        self.deltas.append(deltas)
        self.yaku.append(yaku)

    @cached_property
    def columns(self) -> dict[str, Ints]:
        """The columns _NUMBERS, each int64[results]."""
        table = np.array(self.numbers, dtype=np.int64).reshape(-1, len(_NUMBERS))
        return dict(zip(_NUMBERS, table.T.copy(), strict=True))

    def endings(self, rounds: int) -> Endings:
        """Return how each of so many rounds ends."""
        round_, _, reason, winner, payer, *_ = self.columns.values()
        ron = (winner != payer) | (reason == REASON["triple_ron"])
        unclear = (reason < 0) | (reason == REASON["kyuushu"]) | ((reason == REASON["win"]) & (winner < 0))
        won, lacks = np.zeros(rounds, dtype=bool), np.full(rounds, UNCLEAR, dtype=np.int8)
        won[round_[ron]] = True
        lacks[round_] = np.where(unclear, UNCLEAR, (reason == REASON["win"]) & ~ron)
        return Endings(np.bincount(round_, minlength=rounds), won, lacks)


def read(rounds: Rounds, players: npt.NDArray[np.int8]) -> Results:
    """Return all results; ``players`` int8[rounds] is how many play."""
    found = Results()
    for round_, (value, seats) in enumerate(zip(rounds.results, players.tolist(), strict=True)):
        if value and value[0] == WIN:
            for nth in range(max(1, len(value) // 2)):
                _win(found, rounds, round_, nth, value[1 + 2 * nth : 3 + 2 * nth], seats)
        elif value:
            _draw(found, round_, value, seats)
    return found


def _draw(found: Results, round_: int, value: list[Any], seats: int) -> None:
    name = value[0] if isinstance(value[0], str) else ""
    reason = DRAWS.get(name)
    if reason is None or len(value) > 2:
        found.fault(round_, "result", value, "a win, or a draw and the changes of score")
    nothing = [0] * SEATS if reason is not None and name not in _PAID else None
    moved = _deltas(found, round_, value[1], seats) if reason is not None and len(value) > 1 else nothing
    tenpai = min(_TENPAI.get(name, _NULL), seats)
    number = _NULL if reason is None else REASON[reason]
    found.add((round_, 0, number, *_NO_SEATS, tenpai, *_NO_WORTH), moved, _NO_YAKU)


def _win(  # noqa: PLR0917
    found: Results, rounds: Rounds, round_: int, nth: int, value: list[Any], seats: int
) -> None:
    """Add a win: ``value`` has its changes and its detail."""
    key = (round_, nth, REASON["win"])
    detail: list[Any] = value[1] if len(value) > 1 and isinstance(value[1], list) else []
    named = detail[:3]
    if len(named) < 2 or not all(type(seat) is int and 0 <= seat < seats for seat in named):
        found.fault(round_, "win", value[1:2], "winner, payer, liable seat, points, yaku")
        moved = _deltas(found, round_, value[0], seats) if len(value) > 1 else None
        found.add((*key, *_NO_SEATS, _NULL, *_NO_WORTH), moved, _NO_YAKU)
        return
    winner, payer, liable = (*named, named[0])[:3]
    of_hand = _NO_WORTH
    if len(detail) > 3:
        stated = worth(detail[3]) if isinstance(detail[3], str) else None
        if stated is None:
            found.fault(round_, "points", detail[3], "such as 30符1飜1000点 or 満貫8000点")
        else:
            of_hand = (_or_null(stated.fu), stated.limit, _or_null(stated.han), stated.total(seats))
    listed = _yaku(found, round_, max(rounds.place[round_], 0), winner, detail[4:])
    moved = _deltas(found, round_, value[0], seats)
    found.add((*key, winner, payer, _NULL if liable == winner else liable, _NULL, *of_hand), moved, listed)


def _or_null(value: int | None) -> int:
    return _NULL if value is None else value


def _yaku(found: Results, round_: int, place: int, winner: int, entries: list[Any]) -> _Yaku:
    """Return the yaku of a win; ``place`` is 4 * wind + dealer."""
    ordinary, han, yakuman, declared = [], [], [], False
    for entry in entries:
        read = yaku(entry) if isinstance(entry, str) else None
        if read is None:
            found.fault(round_, "yaku", entry, "such as 立直(1飜) or 大三元(役満)")
            continue
        number, value = read
        if number == SEAT_WIND:
            number = 10 + (winner - place) % SEATS
        elif number == ROUND_WIND:
            number = 14 + place // SEATS
        declared |= number in _RIICHI
        if value is None:
            yakuman.append(number)
        else:
            ordinary.append(number)
            han.append(value)
    return _Yaku(ordinary, han, yakuman, declared)


def _deltas(found: Results, round_: int, value: Any, seats: int) -> list[int] | None:  # noqa: ANN401
    """Return the changes of score of four seats; None if they cannot be read."""
    fits = isinstance(value, list) and len(value) in {seats, SEATS} and set(map(type, value)) == {int}
    if fits and not any(value[seats:]) and max(map(abs, value)) <= _MOST:
        return value if len(value) == SEATS else [*value, 0]
    found.fault(round_, "changes", value, f"{seats} whole numbers")
    return None


def claims(found: Results, rounds: Rounds, play: JsonPlay, players: npt.NDArray[np.int8]) -> pl.DataFrame:
    """Return the canonical table of claims; ``players`` int8[rounds] is how many play."""
    numbers = dict(found.columns)
    round_, nth, reason = (numbers.pop(name) for name in ("round", "nth", "reason"))
    stated = np.array([each is not None for each in found.deltas], dtype=bool)
    changes = np.array([each or [0] * SEATS for each in found.deltas], dtype=np.int32).reshape(-1, SEATS)
    shows = np.array([each.riichi for each in found.yaku], dtype=bool)
    shows |= _in_riichi(play, round_, numbers["winner"])
    frame = {
        "claim": np.arange(len(round_)),
        "round": round_,
        "event": play.events["event"].to_numpy()[play.result],
        "nth": nth,
        "reason": gathered(_REASONS, np.maximum(reason, 0), reason >= 0),
        "deltas": by_seat(changes, players[round_], stated),
        **{name: where_known(column, column >= 0) for name, column in numbers.items()},
        "yaku": _lists([each.yaku for each in found.yaku], np.uint8),
        "han": _lists([each.han for each in found.yaku], np.int16),
        "yakuman": _lists([each.yakuman for each in found.yaku], np.uint8),
        "ura": _ura(rounds, np.where(shows, round_, -1)),
    }
    return tables.conform(frame, tables.CLAIMS, ABSENT["claims"])


def _in_riichi(play: JsonPlay, round_: Ints, seat: Ints) -> npt.NDArray[np.bool_]:
    """Return which of these seats have declared riichi, bool[n]: a yakuman does not name it."""
    kind = play.events["kind"].to_physical().to_numpy()
    declared = rows_where(play.events[["round", "seat"]], is_kind(kind, "riichi"))
    found: npt.NDArray[np.bool_] = (seat >= 0) & np.isin(round_ * SEATS + seat, hand_numbers(declared))
    return found


def _lists(values: Iterable[list[int]], kind: type[np.integer]) -> pl.Series:
    """Return a column of lists, null where a list is empty."""
    each = Lists(values)
    return where_known(lists(np.array(each.flat, dtype=kind), each.lengths), each.lengths > 0)


def _ura(rounds: Rounds, round_: Ints) -> pl.Series:
    """Return the ura dora indicators of these rounds as a column of lists, null for the round -1."""
    counts = np.append(rounds.ura.lengths, 0)
    of_round = lists(np.array(rounds.ura.flat, dtype=np.int16), counts)
    return gathered(of_round, np.where(counts[round_] > 0, round_, len(counts) - 1), counts[round_] > 0)
