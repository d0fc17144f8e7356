"""Reads one text that is no ordinary event: value by value, so that each fault is named and the rest is kept."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from auditor.readers.json_text import DECODER, Number, Repeated, printable, shown
from auditor.readers.mjai.fields import COMPILED, FIELDS, HIDDEN, MOST_LISTED, NEEDS, PROTOCOL, START_GAME, TILE_ID
from auditor.readers.mjai.yaku_names import NAMES, UNKNOWN, YAKUMAN, numbered
from engine.yaku.all_yaku import BY_MAHJONG_SOUL


class Note(NamedTuple):
    """One fault of a text: the columns code, recorded, expected and play of the canonical table ``problems``."""

    code: str
    recorded: str
    expected: str
    play: bool = False


class Read(NamedTuple):
    """What a text is: a ``start_game`` object, an event's clean JSON, or neither; and its faults."""

    head: dict[str, Any] | None = None
    event: str | None = None
    notes: list[Note] = []  # noqa: RUF012 - never changed


OTHER_TILES = 2
"""From so many unknown tiles on, a deal's tiles are not those of mjai."""
MOST_HANDS = 4
NO_JSON = "no JSON: "
_TYPED = re.compile(r'"type"\s*:')


def read(text: str) -> Read:
    """Read a text. One that has no key ``type`` is no event but something beside the log, such as a drawn table."""
    if not _TYPED.search(text):
        return Read()
    try:
        value = DECODER.decode(text)
    except (ValueError, RecursionError):
        return Read(notes=[Note("L003", f"{NO_JSON}{printable(text[:80])}", "an event", play=True)])
    name = value.get("type") if isinstance(value, dict) else None
    if name is None or name in PROTOCOL:
        return Read()
    notes = _repeated(value)
    if name == START_GAME:
        return Read(head=value, notes=notes)
    if not isinstance(name, str) or name not in NEEDS:
        return Read(notes=[*notes, Note("L003", f"an event of type {shown(name)}", "a known event", play=True)])
    found = _values(name, value, notes)
    lost = [note for note in notes if note.play]
    return Read(event=None if lost else json.dumps(found), notes=notes)


def _repeated(value: dict[str, Any]) -> list[Note]:
    again = value.again if isinstance(value, Repeated) else {}
    texts = {key: f"{printable(key)[:40]} told twice{', differently' * differs}" for key, differs in again.items()}
    return [Note("L003", text, "it once", play=again[key] and key in FIELDS) for key, text in texts.items()]


def _values(name: str, value: dict[str, Any], notes: list[Note]) -> dict[str, Any]:
    """Return the fields of an event that can be read; each other one gets a note."""
    needs, found = NEEDS[name], {"type": name}
    if name == "start_kyoku":
        value = {**value, "tehais": _hands(value.get("tehais"), notes)}
    if name == "hora":
        value = {**_worth(value), **value}
    for key, form in FIELDS.items():
        each = value.get(key)
        if key == "type" or each is None:
            continue
        text = json.dumps(_plain(each), separators=(",", ":"), ensure_ascii=False)
        if COMPILED[key].fullmatch(text) and not (isinstance(each, list) and len(each) > MOST_LISTED):
            found[key] = _plain(each)
        else:
            notes.append(Note("L003", f"{name} {key} {shown(each)}", form.expected, play=key in needs))
    for key, count in needs.items():
        if key not in found:
            if value.get(key) is None:
                notes.append(Note("L003", f"{name} without {key}", FIELDS[key].expected, play=True))
        elif count and len(found[key]) != count:
            notes.append(Note("L003", f"{name} {key} {shown(found[key])}", f"{count} tiles", play=True))
    return found


def _worth(win: dict[str, Any]) -> dict[str, Any]:
    """Return what a win says in other words: ``majsoul_points``, ``meta.score``, or ``yaku`` and ``han``."""
    found: dict[str, Any] = {}
    points, meta, yaku = (win.get(key) for key in ("majsoul_points", "meta", "yaku"))
    by_ron = win.get("actor") != win.get("target")
    if isinstance(points, dict) and by_ron:
        found["hora_points"] = points.get("ron")
    score = meta.get("score") if isinstance(meta, dict) else None
    if isinstance(score, dict) and not _has_yakuman(score.get("yaku")):
        found |= {"fan": score.get("han"), "fu": score.get("fu")}
        if by_ron and isinstance(text := score.get("points"), str) and text.isdecimal():
            found["hora_points"] = int(text[:7])
    if isinstance(yaku, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in yaku):
        listed = [[numbered(str(each)), han] for each, han in yaku]
        # How many han these logs give a yakuman is not known.
        if not any(NAMES.get(each, UNKNOWN) in YAKUMAN for each, _ in listed):
            found |= {"yakus": listed, "fan": win.get("han")}
    return found


def _has_yakuman(numbers: Any) -> bool:  # noqa: ANN401  (JSON is anything)
    """Say whether a list of Mahjong Soul's numbers has a yakuman."""
    listed = [each for each in numbers if type(each) is int] if isinstance(numbers, list) else []
    return any(yaku.yakuman for each in listed for yaku in BY_MAHJONG_SOUL.get(each, ()))


def _hands(value: Any, notes: list[Note]) -> Any:  # noqa: ANN401  (JSON is anything)
    """Return hands, with null for each that has an unknown tile; note such tiles, or that all tiles are of others."""
    if not isinstance(value, list) or len(value) > MOST_HANDS:
        return value
    strange = {
        str(tile): None
        for hand in value
        if isinstance(hand, list)
        for tile in hand
        if not (isinstance(tile, str) and (tile in TILE_ID or tile == HIDDEN))
    }
    if len(strange) >= OTHER_TILES:
        recorded = f"tiles such as {', '.join(map(printable, list(strange)[:3]))}"
        notes.append(Note("L007", recorded[:80], "tiles as mjai writes them, such as 5mr and N"))
        return None
    notes += [Note("L003", f"start_kyoku tehais with {printable(tile)[:40]}", "tiles") for tile in strange]
    return [None if isinstance(hand, list) and any(str(tile) in strange for tile in hand) else hand for hand in value]


def _plain(value: Any) -> Any:  # noqa: ANN401  (JSON is anything)
    """Return a value with whole numbers that are written with a fraction as whole numbers."""
    if isinstance(value, Number):
        try:
            number = float(value)
        except ValueError:
            return str(value)
        return int(number) if number.is_integer() and abs(number) < 1e9 else number
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value
