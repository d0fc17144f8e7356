"""Cases of checks of stated walls (S106, S107): a round of a Mahjong Soul record."""

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


CASES = {
    "s106_tile_not_of_the_stated_wall": Case(_record(), {"fail": _record(_other_tiles)}),
    "s107_wall_hash": Case(_record(), {"fail": _record(_other_hash), "fail_salt": _record(_other_salt)}),
}
