"""What the object around a game says about its wins: jansou's ``deals``, RiichiEnv's ``wins`` of a single round.

Each becomes the fields of its ``hora`` event, as if the event had them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from auditor.readers.mjai.fields import TILE_ID
from engine.yaku.all_yaku import BY_MAHJONG_SOUL

if TYPE_CHECKING:
    from collections.abc import Mapping

_DORA = {"dora": "dora", "nuki": "dora", "ura": "uradora", "aka": "akadora"}
"""jansou's kinds of dora, and their names in a list of yaku. It counts the Norths set aside by themselves."""
_UNIT_HAN = 13
"""The han that RiichiEnv counts for a yakuman."""
_MOST = 10_000_000


def wins(beside: Mapping[str, Any]) -> dict[tuple[int, int], dict[str, Any]]:
    """Return what is said about each win, by round of the game and by the winner's actor number.

    The keys of the result are those of ``claims`` (``fu``, ``points``, ``total_han``, ``total_units``, ``liable``,
    ``win_tile_id``), ``points_with_honba``, and ``yakus``: pairs of a name and its han, as text.
    """
    found: dict[tuple[int, int], dict[str, Any]] = {}
    deals, rules = beside.get("deals"), beside.get("rules")
    # Where yakuman do not add up, jansou names only the dearest.
    whole = not isinstance(rules, dict) or rules.get("multiple_yakuman") is not False
    for nth, deal in enumerate(deals if isinstance(deals, list) else ()):
        listed = deal.get("wins") if isinstance(deal, dict) else None
        for each in listed if isinstance(listed, list) else ():
            if isinstance(each, dict) and _whole(each.get("seat")) is not None:
                found[nth, each["seat"]] = _jansou(each, whole=whole)
    single = beside.get("wins")
    for actor, each in single.items() if isinstance(single, dict) else ():
        if isinstance(each, dict) and actor.isdecimal():
            found[0, int(actor)] = _riichienv(each)
    return found


def _whole(value: Any) -> int | None:  # noqa: ANN401  (JSON is anything)
    return value if type(value) is int and 0 <= value <= _MOST else None


def _object(value: Any) -> dict[str, Any]:  # noqa: ANN401  (JSON is anything)
    return value if isinstance(value, dict) else {}


def _jansou(win: dict[str, Any], *, whole: bool) -> dict[str, Any]:
    payment, dora = (_object(win.get(name)) for name in ("payment", "dora"))
    total, honba, sticks = (_whole(payment.get(name)) for name in ("total", "honba", "sticks"))
    points = None if total is None or honba is None or sticks is None else total - honba - sticks
    counted: dict[str, int] = {}
    for name, kind in _DORA.items():
        counted[kind] = counted.get(kind, 0) + (_whole(dora.get(name)) or 0)
    yaku = [[str(part) for part in pair] for pair in win.get("yaku") or () if isinstance(pair, list) and len(pair) == 2]
    yakuman = win.get("yakuman") is True
    return {
        "fu": None if yakuman else _whole(win.get("fu")),
        "points": points,
        "total_han": None if yakuman else _whole(win.get("han")),
        "liable": _whole(win.get("liable")),
        "win_tile_id": TILE_ID.get(str(win.get("tile"))),
        "yakus": None
        if yakuman and not whole
        else [*yaku, *([kind, str(han)] for kind, han in counted.items() if han and not yakuman)],
    }


def _riichienv(win: dict[str, Any]) -> dict[str, Any]:
    """Return RiichiEnv's claims. It lists yaku without their han, so only yakuman are read, where it is clear."""
    han, yakuman = _whole(win.get("han")), win.get("yakuman") is True
    units = han // _UNIT_HAN if yakuman and han is not None else None
    payments = [_whole(win.get(name)) or 0 for name in ("ron", "tsumo_oya", "tsumo_ko")]
    return {
        "fu": None if yakuman else _whole(win.get("fu")),
        "points_with_honba": payments[0] or None,
        "total_han": None if yakuman else han,
        "total_units": units,
        "yakus": _yakuman(win.get("yaku_ids"), units),
    }


def _yakuman(numbers: Any, units: int | None) -> list[list[str]] | None:  # noqa: ANN401  (JSON is anything)
    """Return yakuman by Mahjong Soul's numbers, with their units: all of one, or one with all; None if unclear."""
    listed = numbers if isinstance(numbers, list) else []
    found = [yaku.id for each in listed if type(each) is int for yaku in BY_MAHJONG_SOUL.get(each, ()) if yaku.yakuman]
    if not units or len(found) not in (1, units) or len(found) != len(listed):
        return None
    return [[f"#{number}", str(units // len(found))] for number in found]
