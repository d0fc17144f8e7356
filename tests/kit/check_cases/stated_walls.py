"""Cases of checks of stated walls and of what players are shown (S106, S107, O101 to O107): Mahjong Soul records."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.kit.check_cases.case import Case
from tests.kit.conversion import soul, soul_offers
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


def _shown(name: str = "", change: Callable[[list[dict[str, Any]]], None] | None = None) -> bytes:
    """Write a game with hints; ``change`` changes the contents of the records whose name ends like this, in order."""
    # The tiles that nobody draws are others, so that these are not all the same game.
    number = sum(map(ord, change.__name__)) if change else 0
    record = soul.record(mjlog_reader.read(_HINTED.read_bytes()), number, hints=True)
    if change:
        results = [action["result"] for action in record["data"]["data"]["actions"] if "result" in action]
        change([result["data"] for result in results if result["name"].endswith(name)])
    return json.dumps(record, ensure_ascii=False).encode()


def _other_waits(discards: list[dict[str, Any]]) -> None:
    """Leave the waits of a tenpai hand out."""
    del next(data for data in discards if data.get("tingpais"))["tingpais"]


def _other_mark(discards: list[dict[str, Any]]) -> None:
    """Mark a hand that is not tenpai as furiten."""
    last = next(data for data in reversed(discards) if not data.get("tingpais"))
    last["zhenting"][last.get("seat", 0)] = True


def _no_pon(discards: list[dict[str, Any]]) -> None:
    """Leave out that a seat may call pon."""
    for data in discards:
        for listed in data.get("operations", []):
            for offer in listed["operation_list"]:
                if offer["type"] == soul_offers.TYPES["pon"]:
                    listed["operation_list"].remove(offer)
                    return


def _tsumo(draws: list[dict[str, Any]]) -> None:
    """Offer a win to a hand that is not complete."""
    draws[0]["operation"]["operation_list"].append({"type": soul_offers.TYPES["tsumo"]})


def _fewer_left(draws: list[dict[str, Any]]) -> None:
    """State a tile less that is left."""
    draws[4]["left_tile_count"] -= 1


def _other_stick(draws: list[dict[str, Any]]) -> None:
    """State another score after a stick is paid."""
    next(data for data in draws if "liqi" in data)["liqi"]["score"] += 100


def _other_sum(wins: list[dict[str, Any]]) -> None:
    """State another sum of what the winner has won."""
    wins[0]["hules"][0]["point_sum"] += 100


CASES = {
    "o101_waits_shown": Case(_shown(), {"fail": _shown("DiscardTile", _other_waits)}),
    "o102_furiten_shown": Case(_shown(), {"fail": _shown("DiscardTile", _other_mark)}),
    "o103_not_offered": Case(_shown(), {"fail": _shown("DiscardTile", _no_pon)}),
    "o104_offered_against_the_rules": Case(_shown(), {"fail": _shown("DealTile", _tsumo)}),
    "o105_tiles_left": Case(_shown(), {"fail": _shown("DealTile", _fewer_left)}),
    "o106_stick_paid": Case(_shown(), {"fail": _shown("DealTile", _other_stick)}),
    "o107_stated_besides": Case(_shown(), {"fail": _shown("RecordHule", _other_sum)}),
    "s106_tile_not_of_the_stated_wall": Case(_record(), {"fail": _record(_other_tiles)}),
    "s107_wall_hash": Case(_record(), {"fail": _record(_other_hash), "fail_salt": _record(_other_salt)}),
}
