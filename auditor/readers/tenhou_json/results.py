"""The result of each round → claims (auditor/readers/tenhou_json/FORMAT.md 6).

A win is ``["和了", changes, detail, changes, detail, …]``, a draw ``[name]`` or ``[name, changes]``. A detail is
``[winner, payer, liable or winner, text of the points, yaku, …]``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
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
    from collections.abc import Sequence

    import numpy.typing as npt

    from auditor.readers.tenhou_json.play import JsonPlay
    from auditor.readers.tenhou_json.rounds import Rounds

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
_NUMBERS = ("winner", "payer", "liable", "tenpai", "fu", "limit", "total_han", "points")
"""Columns of numbers that are null where they are negative."""
_REASONS = pl.Series(REASONS, dtype=pl.Enum(REASONS))


class Endings(NamedTuple):
    """How rounds end: ``results`` int[rounds] results; whether the last discard is ``won``, bool[rounds].

    ``lacks`` int8[rounds] is 1 if nothing follows the last take (a tsumo), 0 if a discard or a kan does, UNCLEAR if the
    result does not say (or for nine orphans: X105 reports those that are none).
    """

    results: npt.NDArray[np.int64]
    won: npt.NDArray[np.bool_]
    lacks: npt.NDArray[np.int8]


@dataclass
class Results:
    """The results of a batch as columns of claims.

    ``reason`` has codes (_NULL for none), ``numbers`` the columns _NUMBERS, ``deltas`` the changes (None for unknown);
    ``yaku``, ``han``, ``yakuman`` have a list for each result, ``ura`` whether it shows ura dora indicators.
    """

    round: list[int] = field(default_factory=list)
    nth: list[int] = field(default_factory=list)
    reason: list[int] = field(default_factory=list)
    deltas: list[list[int] | None] = field(default_factory=list)
    numbers: dict[str, list[int]] = field(default_factory=lambda: {name: [] for name in _NUMBERS})
    yaku: Lists = field(default_factory=Lists)
    han: Lists = field(default_factory=Lists)
    yakuman: Lists = field(default_factory=Lists)
    ura: list[bool] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def fault(self, round_: int, name: str, value: object, expected: str) -> None:
        """Report what cannot be read."""
        self.faults.append(Fault(round_, f"{name} {shown(value)}", expected))

    def add(self, round_: int, nth: int, reason: int, deltas: list[int] | None, **numbers: int) -> None:
        """Add a result without yaku."""
        self.round.append(round_)
        self.nth.append(nth)
        self.reason.append(reason)
        self.deltas.append(deltas)
        for name, column in self.numbers.items():
            column.append(numbers.get(name, _NULL))

    def endings(self, rounds: int) -> Endings:
        """Return how each of so many rounds ends."""
        round_, reason = np.array(self.round, dtype=np.int64), np.array(self.reason, dtype=np.int64)
        winner, payer = (np.array(self.numbers[name], dtype=np.int64) for name in ("winner", "payer"))
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
    found.add(round_, 0, _NULL if reason is None else REASON[reason], moved, tenpai=tenpai)
    _no_yaku(found)


def _no_yaku(found: Results) -> None:
    for column in (found.yaku, found.han, found.yakuman):
        column.add([[]])
    found.ura.append(False)


def _win(  # noqa: PLR0917
    found: Results, rounds: Rounds, round_: int, nth: int, value: list[Any], seats: int
) -> None:
    """Add a win: ``value`` has its changes and its detail."""
    win = REASON["win"]
    detail: list[Any] = value[1] if len(value) > 1 and isinstance(value[1], list) else []
    named = detail[:3]
    fits = len(named) > 1 and all(type(seat) is int and 0 <= seat < seats for seat in named)
    if not fits:
        found.fault(round_, "win", value[1:2], "winner, payer, liable seat, points, yaku")
        moved = _deltas(found, round_, value[0], seats) if len(value) > 1 else None
        found.add(round_, nth, win, moved)
        _no_yaku(found)
        return
    winner, payer, liable = (*named, named[0])[:3]
    numbers = {"winner": winner, "payer": payer, "liable": _NULL if liable == winner else liable}
    _yaku(found, rounds, round_, winner, detail[4:])
    if len(detail) > 3:
        text = detail[3]
        stated = worth(text) if isinstance(text, str) else None
        if stated is None:
            found.fault(round_, "points", text, "such as 30符1飜1000点 or 満貫8000点")
        else:
            numbers |= {"limit": stated.limit, "points": stated.total(seats)}
            if stated.fu is not None and stated.han is not None:
                numbers |= {"fu": stated.fu, "total_han": stated.han}
    found.add(round_, nth, win, _deltas(found, round_, value[0], seats), **numbers)


def _yaku(found: Results, rounds: Rounds, round_: int, winner: int, entries: list[Any]) -> None:
    """Add the yaku of a win."""
    place = max(rounds.place[round_], 0)
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
    for column, values in ((found.yaku, ordinary), (found.han, han), (found.yakuman, yakuman)):
        column.add([values])
    found.ura.append(declared)


def _deltas(found: Results, round_: int, value: Any, seats: int) -> list[int] | None:  # noqa: ANN401
    """Return the changes of score of four seats; None if they cannot be read."""
    fits = isinstance(value, list) and len(value) in {seats, SEATS} and set(map(type, value)) == {int}
    if fits and not any(value[seats:]) and max(map(abs, value)) <= _MOST:
        return value if len(value) == SEATS else [*value, 0]
    found.fault(round_, "changes", value, f"{seats} whole numbers")
    return None


def claims(found: Results, rounds: Rounds, play: JsonPlay, players: npt.NDArray[np.int8]) -> pl.DataFrame:
    """Return the canonical table of claims; ``players`` int8[rounds] is how many play."""
    round_ = np.array(found.round, dtype=np.int64)
    reason = np.array(found.reason, dtype=np.int64)
    stated = np.array([each is not None for each in found.deltas], dtype=bool)
    changes = np.array([each or [0] * SEATS for each in found.deltas], dtype=np.int32).reshape(-1, SEATS)
    numbers = {name: np.array(column, dtype=np.int64) for name, column in found.numbers.items()}
    shows = np.array(found.ura, dtype=bool) | _in_riichi(play, round_, numbers["winner"])
    frame = {
        "claim": np.arange(len(round_)),
        "round": round_,
        "event": play.events["event"].to_numpy()[play.result],
        "nth": np.array(found.nth, dtype=np.int64),
        "reason": gathered(_REASONS, np.maximum(reason, 0), reason >= 0),
        "deltas": by_seat(changes, players[round_], stated),
        **{name: where_known(column, column >= 0) for name, column in numbers.items()},
        **{name: _lists(column.flat, column.count, np.uint8) for name, column in
           (("yaku", found.yaku), ("yakuman", found.yakuman))},
        "han": _lists(found.han.flat, found.han.count, np.int16),
        "ura": _ura(rounds, np.where(shows, round_, -1)),
    }  # fmt: skip
    return tables.conform(frame, tables.CLAIMS, ABSENT["claims"])


def _in_riichi(play: JsonPlay, round_: npt.NDArray[np.int64], seat: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Return which of these seats have declared riichi, bool[n]: a yakuman does not name it."""
    kind = play.events["kind"].to_physical().to_numpy()
    declared = rows_where(play.events[["round", "seat"]], is_kind(kind, "riichi"))
    return np.isin(round_ * SEATS + seat, hand_numbers(declared))


def _lists(values: Sequence[int], lengths: npt.NDArray[np.int32], kind: type[np.integer]) -> pl.Series:
    """Return a column of lists, null where a list is empty."""
    return where_known(lists(np.array(values, dtype=kind), lengths), lengths > 0)


def _ura(rounds: Rounds, round_: npt.NDArray[np.int64]) -> pl.Series:
    """Return the ura dora indicators of these rounds as a column of lists, null for the round -1."""
    counts = np.append(rounds.ura.count, 0)
    of_round = lists(np.array(rounds.ura.flat, dtype=np.int16), counts)
    return gathered(of_round, np.where(counts[round_] > 0, round_, len(counts) - 1), counts[round_] > 0)
