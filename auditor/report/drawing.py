"""A table drawn as SVG from its rows: each seat before its own edge, as on a real table, seen by one of them.

``templates/page.js`` draws the same rows in the browser, from the numbers in :data:`GEOMETRY`; a test compares the two.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from auditor.report.rows import (
    ALPHABET,
    BAR,
    CALLED,
    CLOSED,
    DRAWN,
    GAP,
    MARKS,
    MOVED,
    NAMES,
    STACKED,
    TURNED,
)
from auditor.report.tiles import HEIGHT, WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

HALF = 322
"""Half of the width and height of the table."""
GEOMETRY: dict[str, Any] = {
    "alphabet": ALPHABET, "names": NAMES, "width": WIDTH, "height": HEIGHT, "gap": 9,
    "hand": {"x": -256, "y": 274, "room": 568, "apart": 12}, "river": {"x": -92, "y": 106, "row": 6, "rows": 3},
    "indicators": {"x": -56, "y": -22, "scale": 0.75, "places": 5},
    "score": {"y": 97}, "stick": {"y": 74},
}  # fmt: skip
"""Where things lie before a seat, in units, from the middle of the table; ``page.js`` gets these numbers too."""
_TURNS = {3: (0, -90, 90), 4: (0, -90, 180, 90)}
"""The angle of each seat by its distance from the one that looks: the next sits to its right."""
_TOKEN = re.compile(rf"([{re.escape(MARKS)}]*)(.)", re.DOTALL)
CLASSES = {MOVED: "mv", CALLED: "ca", DRAWN: "dr", CLOSED: "cl"}


def drawn(
    rows: Mapping[str, str], players: int, seat: int, dealer: int | None, *, name: str = "", says: str = ""
) -> str:
    """Return a table as SVG.

    Parameters
    ----------
    rows
        its rows, as :func:`~auditor.report.rows.rows_of` returns them
    players
        how many play
    seat
        the seat that looks: it sits at the lower edge
    dealer
        seat of the dealer, None: not known
    name
        the round as players call it, without honba; already escaped for HTML
    says
        the label of the picture, already escaped for HTML

    """
    parts = [(
        f'<svg class="table" viewBox="{-HALF} {-HALF} {2 * HALF} {2 * HALF}" role="img" aria-label="{says}">'
        f'<rect class="felt" x="{-HALF}" y="{-HALF}" width="{2 * HALF}" height="{2 * HALF}" rx="18"/>'
        '<rect class="mid" x="-100" y="-100" width="200" height="200" rx="10"/>'
        f'<text class="rn" y="-42">{name}</text>'
        f'<g data-p="dd">{indicators(rows["dd"])}</g>'
        f'<text class="lf" y="32"><tspan data-p="nn">{rows["nn"]}</tspan> left</text>'
        f'<text class="lf" y="52">sticks <tspan data-p="tt">{rows["tt"]}</tspan></text>'
    )]  # fmt: skip
    for step, angle in enumerate(_TURNS[players]):
        number = (seat + step) % players
        wind = "?" if dealer is None else "ESWN"[(number - dealer) % players]
        parts.append(
            f'<g class="seat" data-seat="{number}" transform="rotate({angle})">'
            f'<g data-p="h{number}">{hand(rows[f"h{number}"])}</g><g data-p="r{number}">{river(rows[f"r{number}"])}</g>'
            f'<g class="sc"><text class="wd" x="-88" y="96">{wind}</text>'
            f'<g data-p="s{number}">{score(rows[f"s{number}"])}</g></g></g>'
        )
    return "".join([*parts, "</svg>"])


def hand(row: str) -> str:
    """Draw a hand and what lies at its right: norths and melds, smaller if there is no room for them."""
    place = GEOMETRY["hand"]
    own, _, aside = row.partition(BAR)
    x, y, room = place["x"], place["y"], place["room"]
    held = "".join(_laid(own, x, y))
    if not aside:
        return held
    width, left = _width(aside), room - _width(own) - place["apart"]
    size = min(1.0, left / width)
    start = _number(x + room - width * size)
    scale = "" if size == 1 else f" scale({_number(size)})"
    lies = (
        f'<g transform="translate({start} {_number(y + HEIGHT * (1 - size))}){scale}">{"".join(_laid(aside, 0, 0))}</g>'
    )
    return held + lies


def river(row: str) -> str:
    """Draw a river: rows of six discards; the last row goes on."""
    place = GEOMETRY["river"]
    tokens = _TOKEN.findall(row)
    found: list[str] = []
    for line in range(place["rows"]):
        last = None if line == place["rows"] - 1 else (line + 1) * place["row"]
        part = "".join(marks + tile for marks, tile in tokens[line * place["row"] : last])
        found += _laid(part, place["x"], place["y"] + line * HEIGHT)
    return "".join(found)


def indicators(row: str) -> str:
    """Draw the indicators, and backs where none is turned."""
    place = GEOMETRY["indicators"]
    shown = row + "?" * (place["places"] - sum(mark not in MARKS for mark in row))
    return (
        f'<g transform="translate({place["x"]} {place["y"]}) scale({place["scale"]})">{"".join(_laid(shown, 0, 0))}</g>'
    )


def score(row: str) -> str:
    """Draw a seat's score, and its riichi stick."""
    acts, riichi = row[:1] == ">", "!" in row[:2]
    stick = f'<rect class="st" x="-40" y="{GEOMETRY["stick"]["y"]}" width="80" height="6" rx="3"/>' if riichi else ""
    stick += f'<circle class="sd" cx="0" cy="{GEOMETRY["stick"]["y"] + 3}" r="2"/>' if riichi else ""
    style = "pt act" if acts else "pt"
    return f'{stick}<text class="{style}" x="0" y="{GEOMETRY["score"]["y"]}">{row.lstrip(">!")}</text>'


def _laid(row: str, x: float, y: float) -> Iterator[str]:
    """Yield the tiles of a row from left to right; a tile that lies on its side stands on the lower edge of the row."""
    before = x
    for marks, tile in _TOKEN.findall(row):
        if tile == GAP:
            x += GEOMETRY["gap"]
            continue
        names = " ".join(name for mark, name in CLASSES.items() if mark in marks)
        style = f' class="{names}"' if names else ""
        href = f'<use href="#t{NAMES[ALPHABET.index(tile)]}"{style}'
        if TURNED not in marks:
            yield f'{href} x="{_number(x)}" y="{_number(y)}"/>'
            x += WIDTH
            continue
        lifted = WIDTH if STACKED in marks else 0
        at = before if STACKED in marks else x
        yield f'{href} transform="translate({_number(at)} {_number(y + HEIGHT - lifted)}) rotate(-90)"/>'
        before = at
        x += 0 if STACKED in marks else HEIGHT


def _width(row: str) -> float:
    width = 0
    for marks, tile in _TOKEN.findall(row):
        if STACKED not in marks:
            width += GEOMETRY["gap"] if tile == GAP else HEIGHT if TURNED in marks else WIDTH
    return width


def _number(value: float) -> str:
    """Return a number as short text."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
