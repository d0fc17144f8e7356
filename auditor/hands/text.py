"""One hand explained, as text for a person."""

from __future__ import annotations

from typing import Any


def as_text(found: dict[str, Any]) -> str:
    """Return a description as text."""
    players = ", three players" if found["players"] == 3 else ""
    lines = [f"{_one_line(found['hand'])}   {found['tiles']} tiles{players}", "", *_format_shanten(found)]
    if found.get("missing melds"):
        number = found["missing melds"]
        lines.append(f"           from here on as if {number} meld{'s' * (number > 1)} more had been called")
    if "waits" in found:
        tiles = found["waits"]["tiles"]
        lines += [f"waits      {' '.join(tiles) or 'none'}"]
        lines += [f"           {split}" for split in found["waits"]["splits"]]
        lines += [f"useful     {_format_left(found['useful'])}"]
    for row in found.get("discards", []):
        lines.append(f"discard {row['discard']:3} {row['shanten']}-shanten, useful {_format_left(row['useful'])}")
    if "points" in found:
        lines += _format_win(found)
    return "\n".join(lines)


def _one_line(text: str) -> str:
    """Write a hand with single spaces, whatever white space it has."""
    return " ".join(text.split())


def _format_shanten(found: dict[str, Any]) -> list[str]:
    """Say shanten in words, and both definitions where they differ."""
    shanten = found["shanten"]
    if "exact" not in shanten:
        return [
            f"shanten    {shanten['block']} by the block formula only",
            f"           {found['tiles']} tiles: no hand of play, which has 13 or 14, each meld counted as three",
        ]
    words = {-1: "a winning hand", 0: "tenpai"}
    exact = shanten["exact"]
    lines = [f"shanten    {exact}{f' ({words[exact]})' if exact in words else ''}"]
    if exact != shanten["block"]:
        lines.append(f"           {shanten['block']} by the block formula: the missing block would need a fifth copy")
    forms = [f"{name} {shanten[name]}" for name in ("standard", "seven pairs", "thirteen orphans") if name in shanten]
    return [*lines, *([f"           {', '.join(forms)}"] if len(forms) > 1 else [])]


def _format_left(tiles: dict[str, int]) -> str:
    """Say useful tiles and their number: ``3m×4 6m×3 = 7``."""
    return f"{' '.join(f'{tile}×{count}' for tile, count in tiles.items()) or 'none'} = {sum(tiles.values())} left"


def _format_win(found: dict[str, Any]) -> list[str]:
    lines = []
    several = len(found["values"]) > 1
    for blocks, value in zip(found["readings"], found["values"], strict=True):
        lines.append(f"reading    {' '.join(blocks)}{'   (chosen)' if several and value['chosen'] else ''}")
        lines.append(
            f"           {_format_value(value)}: {_format_yaku(value)}" if _counts(value) else "           no yaku"
        )
    if not _counts(found):
        return [*lines, "no yaku: this hand cannot win", *(f"unknown    {each}" for each in found["depends on"])]
    for row in found["yaku"]:
        worth = "yakuman" if row["han"] is None else f"{row['han']} han"
        lines.append(f"yaku       {row['name']} ({row['english']}): {worth}")
        if row["name"] == "dora" and "kita" in found:
            norths, han = found["kita"]["norths"], found["kita"]["han"]
            lines.append(f"           {han} of them for {norths} North{'s' * (norths > 1)} set aside")
    lines += [f"fu         {name} {value}" for name, value in found["fu items"].items()]
    lines.append(f"value      {_format_value(found)}")
    if found["depends on"]:
        lines.append("unknown    this depends on rules that are not known; for them, the value uses Tenhou's:")
        lines += [f"           {each}" for each in found["depends on"]]
    if found["liable"]:
        lines.append(f"liable     {found['liable']}")
    return [*lines, *(f"{seat:10} {change:+}" for seat, change in found["payments"].items())]


def _format_yaku(value: dict[str, Any]) -> str:
    """Say the yaku of a reading with their han; a yakuman has none."""
    return ", ".join(row["name"] + (f" {row['han']}" if row["han"] else "") for row in value["yaku"])


def _counts(value: dict[str, Any]) -> bool:
    """Tell whether a reading has yaku enough to win."""
    return bool(value["yaku"] and value["points"])


def _format_value(value: dict[str, Any]) -> str:
    size = f"{value['yakuman']} yakuman" if value["yakuman"] else f"{value['han']} han {value['fu']} fu"
    return f"{size}{', ' + value['limit'] if value['limit'] else ''}: {value['points']} points"
