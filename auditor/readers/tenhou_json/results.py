"""The result of each round → claims, and who is tenpai at a draw (auditor/readers/tenhou_json/FORMAT.md 5).

A win is ``["和了", changes, detail, changes, detail, …]``, a draw ``[name]`` or ``[name, changes]``. A detail is
``[winner, payer, liable or winner, text of the points, yaku, …]``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from auditor.log import tables
from auditor.log.columns import RANGES
from auditor.log.seats import by_seat
from auditor.log.tables import SEATS
from auditor.log.yaku_names import fold, names
from auditor.readers.tenhou_json.absent import ABSENT
from engine.yaku.declaration import DORA

if TYPE_CHECKING:
    from collections.abc import Iterator

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
_ALL, _NOBODY = "全員聴牌", "全員不聴"
_LIMITS = {
    "": 0, "満貫": 1, "切り上げ満貫": 1, "跳満": 2, "倍満": 3, "三倍満": 4, "役満": 5, "数え役満": 5, "二倍役満": 5, "三倍役満": 5,
    "Mangan": 1, "Haneman": 2, "Baiman": 3, "Sanbaiman": 4, "Yakuman": 5, "Counted Yakuman": 5, "Kazoe Yakuman": 5,
}  # fmt: skip
"""The limits by their names: Tenhou's and those of converters, in two languages."""
_TEXT = re.compile(r"(?:(?P<fu>\d{1,4})符(?P<han>\d{1,3})飜|(?P<limit>\D*?)\s*)(?P<points>\d{1,7})(?:-(?P<dealer>\d{1,7}))?点(?P<all>∀?)")
_YAKU = re.compile(r"(?P<name>.+)\((?:(?P<han>\d{1,3})飜|(?P<yakuman>\D*役満))\)")
_UNKNOWN_YAKU = 255
_KITA = {fold(name) for name in ("抜きドラ", "抜ドラ", "Kita", "North Dora")}
_SEAT_WIND, _ROUND_WIND = 1001, 1002
_RIICHI = {1, 21}
_SHOWN = 60


class Worth(NamedTuple):
    """What the text of a win's points says; None where it does not."""

    fu: int | None
    han: int | None
    limit: int
    points: int
    dealer: int | None
    from_all: bool


@lru_cache(maxsize=1 << 14)
def worth(text: str) -> Worth | None:
    """Read the text of the points; None if it is none."""
    found = _TEXT.fullmatch(text)
    limit = _LIMITS.get(found["limit"] or "") if found else None
    if found is None or limit is None:
        return None
    fu, han, dealer = (None if found[name] is None else int(found[name]) for name in ("fu", "han", "dealer"))
    return Worth(fu, han, limit, int(found["points"]), dealer, bool(found["all"]))


@lru_cache(maxsize=1 << 14)
def named_yaku(text: str) -> tuple[int, int | None] | None:
    """Read an entry of the yaku: its number (or a group of yaku_names) and its han, None for a yakuman."""
    found = _YAKU.fullmatch(text)
    if found is None:
        return None
    folded = fold(found["name"])
    # A Nort set aside is a dora, and Tenhou counts it among them.
    number = DORA if folded in _KITA else names().get(folded, _UNKNOWN_YAKU)
    return number, None if found["han"] is None else int(found["han"])


@dataclass
class Results:
    """The results of a batch as columns of claims; ``problems`` has (round, what is there, what should be)."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    problems: list[tuple[int, str, str]] = field(default_factory=list)
    count: list[int] = field(default_factory=list)

    def won(self) -> npt.NDArray[np.bool_]:
        """Return in which rounds the last tile was won by ron, or called by three seats: bool[rounds]."""
        found = np.zeros(len(self.count), dtype=bool)
        for row in self.rows:
            if row["reason"] == "triple_ron" or (row["winner"] is not None and row["winner"] != row["payer"]):
                found[row["round"]] = True
        return found


def read(rounds: Rounds, players: npt.NDArray[np.int8]) -> Results:
    """Return all results; ``players`` int8[rounds] is how many play."""
    found = Results()
    for round_, (value, seats) in enumerate(zip(rounds.results, players.tolist(), strict=True)):
        before = len(found.rows)
        if value:
            _read_result(found, rounds, round_, value, seats)
        found.count.append(len(found.rows) - before)
    return found


def _read_result(found: Results, rounds: Rounds, round_: int, value: list[Any], seats: int) -> None:
    name = value[0] if isinstance(value[0], str) else ""
    if name == WIN:
        for nth, (moved, detail) in enumerate(_pairs(value)):
            found.rows.append(_win(found, rounds, round_, nth, moved, detail, seats))
        return
    reason = DRAWS.get(name)
    if reason is None:
        found.problems.append((round_, f"result {value}"[:_SHOWN], "a win or a known draw"))
    moved = _deltas(found, round_, value[1], seats) if len(value) > 1 else None
    found.rows.append(_draw(found, round_, name, reason, moved, seats))


def _pairs(value: list[Any]) -> Iterator[tuple[Any, Any]]:
    """Yield changes and detail of each winner; None for what is missing."""
    for at in range(1, max(len(value), 2), 2):
        yield (*value[at : at + 2], None, None)[:2]


def _draw(found: Results, round_: int, name: str, reason: str | None, moved: list[int] | None, seats: int) -> dict[str, Any]:
    """Return a draw as a row of claims, and note who shows a hand."""
    if moved is None and reason not in {None, "nagashi"} and name not in {"流局", "Ryuukyoku"}:
        moved = [0] * SEATS  # the name says that nobody pays
    return _row(round_, 0, reason, moved, tenpai={_ALL: seats, _NOBODY: 0}.get(name))


def _row(round_: int, nth: int, reason: str | None, moved: list[int] | None, **others: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"round": round_, "nth": nth, "reason": reason, "deltas": moved, "tenpai": None, **dict.fromkeys(_OF_WINS), **others}


_OF_WINS = ("winner", "payer", "liable", "fu", "points", "limit", "yaku", "han", "yakuman", "total_han", "ura")


def _win(  # noqa: PLR0917
    found: Results, rounds: Rounds, round_: int, nth: int, value: Any, detail: Any, seats: int  # noqa: ANN401
) -> dict[str, Any]:
    """Return a win as a row of claims."""
    moved = _deltas(found, round_, value, seats)
    named = detail[:3] if isinstance(detail, list) else []
    fits = len(named) > 1 and all(type(seat) is int and 0 <= seat < seats for seat in named)
    if not fits:
        found.problems.append((round_, f"win {detail}"[:_SHOWN], "winner, payer, liable seat, points, yaku"))
        return _row(round_, nth, "win", moved)
    winner, payer, liable = (*named, named[0])[:3]
    row = _row(round_, nth, "win", moved, winner=winner, payer=payer, liable=None if liable == winner else liable)
    row |= _yaku(found, rounds, round_, winner, detail[4:])
    if len(detail) > 3:  # noqa: PLR2004
        value_of = worth(detail[3]) if isinstance(detail[3], str) else None
        if value_of is None:
            found.problems.append((round_, f"points {detail[3]}"[:_SHOWN], "such as 30符1飜1000点 or 満貫8000点"))
        else:
            units = len(row["yakuman"] or ())
            row |= {"fu": value_of.fu, "total_han": value_of.han, "limit": value_of.limit}
            # Tenhou writes the points of one yakuman, however many there are.
            row["points"] = None if units > 1 else _points(value_of, seats)
    return row


def _points(value: Worth, seats: int) -> int:
    """Return what a hand is worth in all, from the payments of a tsumo or the points of a ron."""
    if value.from_all:
        return value.points * (seats - 1)
    return value.points if value.dealer is None else value.points * (seats - 2) + value.dealer


def _yaku(found: Results, rounds: Rounds, round_: int, winner: int, entries: list[Any]) -> dict[str, Any]:
    """Return the columns yaku, han, yakuman and ura of a win."""
    listed = [named_yaku(each) if isinstance(each, str) else None for each in entries]
    wrong = [entry for entry, read in zip(entries, listed, strict=True) if read is None]
    if wrong:
        found.problems.append((round_, f"yaku {wrong[0]}"[:_SHOWN], "such as 立直(1飜) or 大三元(役満)"))
    place = max(rounds.place[round_], 0)
    winds = {_SEAT_WIND: 10 + (winner - place) % SEATS, _ROUND_WIND: 14 + place // SEATS}
    known = [(winds.get(number, number), han) for number, han in filter(None, listed)]
    ordinary, yakuman = [each for each in known if each[1] is not None], [number for number, han in known if han is None]
    most = RANGES["claims"]["han"].high
    declared = any(number in _RIICHI for number, _ in known)
    return {
        "yaku": [min(number, _UNKNOWN_YAKU) for number, _ in ordinary] or None,
        "han": [min(han or 0, most) for _, han in ordinary] or None,
        "yakuman": [min(number, _UNKNOWN_YAKU) for number in yakuman] or None,
        "ura": rounds.ura[round_] if declared and rounds.ura[round_] else None,
    }


def _deltas(found: Results, round_: int, value: Any, seats: int) -> list[int] | None:  # noqa: ANN401
    """Return the changes of score of four seats; None if they cannot be read."""
    most = RANGES["claims"]["deltas"].high
    fits = isinstance(value, list) and len(value) in {seats, SEATS} and all(type(each) is int for each in value)
    if fits and not any(value[seats:]) and all(abs(each) <= most for each in value):
        return [*value, *[0] * (SEATS - len(value))]
    found.problems.append((round_, f"changes {value}"[:_SHOWN], f"{seats} whole numbers"))
    return None


def claims(found: Results, play: JsonPlay, players: npt.NDArray[np.int8]) -> pl.DataFrame:
    """Return the canonical table of claims."""
    round_ = np.array([row["round"] for row in found.rows], dtype=np.int64)
    event = play.events["event"].to_numpy()[play.result]
    moved = [row["deltas"] for row in found.rows]
    stated = np.array([each is not None for each in moved], dtype=bool)
    changes = np.array([each or [0] * SEATS for each in moved], dtype=np.int32).reshape(-1, SEATS)
    kinds = {name: tables.CLAIMS[name] for name in ("nth", "reason", "tenpai", *_OF_WINS)}
    frame = {name: pl.Series([row[name] for row in found.rows], dtype=kind) for name, kind in kinds.items()}
    whole = {
        "claim": np.arange(len(round_)),
        "round": round_,
        "event": event,
        "deltas": by_seat(changes, players[round_], stated),
        **frame,
    }
    return tables.conform(whole, tables.CLAIMS, ABSENT["claims"])
