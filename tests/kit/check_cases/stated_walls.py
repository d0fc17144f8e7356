"""Cases of checks of stated walls and of what players are shown (S106, S107, O101, O102): Mahjong Soul records."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.kit.check_cases.case import Case
from tests.kit.conversion import soul
from tests.kit.plain import mjlog_reader

if TYPE_CHECKING:
    from collections.abc import Callable

_LOG = Path(__file__).resolve().parents[3] / "fixtures/logs/tenhou/2023090723gm-000f-0000-09d97587.mjlog"
"""A game of one round."""
_HINTED = _LOG.with_name("2023051112gm-000f-0000-1b419879.mjlog")
"""A short game."""


def _record(change: Callable[[dict[str, Any]], None] | None = None) -> bytes:
    """Write the game as a record; ``change`` changes the content of its RecordNewRound."""
    record = soul.record(mjlog_reader.read(_LOG.read_bytes()))
    if change:
        change(record["data"]["data"]["actions"][0]["result"]["data"])
    return json.dumps(record, ensure_ascii=False).encode()


def _other_tiles(start: dict[str, Any]) -> None:
    """Exchange the first indicator and the tile below it in the wall, which is hashed again."""
    wall = start["paishan"]
    start["paishan"] = wall[:-12] + wall[-10:-8] + wall[-12:-10] + wall[-8:]
    start["sha256"] = hashlib.sha256((start["paishan"] + start["salt"]).encode()).hexdigest()


def _other_hash(start: dict[str, Any]) -> None:
    """State another hash."""
    start["sha256"] = start["sha256"][::-1]


def _other_salt(start: dict[str, Any]) -> None:
    """State another hash of the salt."""
    start["saltSha256"] = start["saltSha256"][::-1]


def _shown(change: Callable[[list[dict[str, Any]]], None] | None = None) -> bytes:
    """Write a game with hints; ``change`` changes the discards of the game, those of tenpai hands first."""
    record = soul.record(mjlog_reader.read(_HINTED.read_bytes()), hints=True)
    if change:
        results = (action["result"]["data"] for action in record["data"]["data"]["actions"] if "result" in action)
        change(sorted((data for data in results if "zhenting" in data), key=lambda data: not data["tingpais"]))
    return json.dumps(record, ensure_ascii=False).encode()


def _other_waits(discards: list[dict[str, Any]]) -> None:
    """Leave the waits of a tenpai hand out."""
    discards[0]["tingpais"] = []


def _other_mark(discards: list[dict[str, Any]]) -> None:
    """Mark a hand that is not tenpai as furiten."""
    discards[-1]["zhenting"][discards[-1].get("seat", 0)] = True


CASES = {
    "o101_waits_shown": Case(_shown(), {"fail": _shown(_other_waits)}),
    "o102_furiten_shown": Case(_shown(), {"fail": _shown(_other_mark)}),
    "s106_tile_not_of_the_stated_wall": Case(_record(), {"fail": _record(_other_tiles)}),
    "s107_wall_hash": Case(_record(), {"fail": _record(_other_hash), "fail_salt": _record(_other_salt)}),
}
