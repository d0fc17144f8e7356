"""The tiles as SVG symbols, our own drawing: a large number over the sign of its suit, or the character of an honor.

A tile is 30 units wide and 40 high. Its colours are classes, which the page's style gives for light, dark and print.
Characters are strokes, so that no font is needed; numbers are text, which every font has.
"""

from __future__ import annotations

from auditor.report.rows import NAMES

WIDTH, HEIGHT = 30, 40

_FACE = '<rect class="tf" x=".75" y=".75" width="28.5" height="38.5" rx="3.5"/><path class="te" d="M3 37h24"/>'
_MAN = (
    '<path class="tm" d="M8 24.8H22M13 25C13 30 11.6 33.6 7.8 36M12.6 29H18.6C18.5 32.5 18 34.5 17.2 35.6L14.8 34.8"/>'
)
_PIN = '<circle class="tp" cx="15" cy="30" r="5.6"/><circle class="tq" cx="15" cy="30" r="1.7"/>'
_SOU = (
    '<path class="ts" d="M10.5 24.6V35.6M15 24.6V35.6M19.5 24.6V35.6"/>'
    '<path class="tn" d="M8.6 30.1h3.8M13.1 30.1h3.8M17.6 30.1h3.8"/>'
)
_SUITS = {"m": _MAN, "p": _PIN, "s": _SOU}
_DISC = '<circle class="tr" cx="15" cy="12.6" r="10"/>'
# Each character stands in a box of 24 units, which is moved to the middle of the tile.
_HONORS = {
    "E": ("tb", (
        "M3 5H21M12 2V22.5M6 8.5H18V15H6ZM6 11.8H18M11.4 15.2C9.4 18 6.4 20 2.5 21M12.6 15.2C14.6 18 17.6 20 21.5 21"
    )),
    "S": ("tb", (
        "M3 5H21M12 2V9M4.5 22V9H19.5V20.4L17 21.4M9 11.5L10.2 14M15 11.5L13.8 14M7.8 14.8H16.2M7.3 17.8H16.7"
        "M12 14.8V22"
    )),
    "W": ("tb", "M3 4H21M5 9H19V21H5ZM9.7 4C9.7 10 9 13.4 6.6 15.4M14.3 4V13C14.3 14.8 15.4 15.4 17.6 15"),
    "N": ("tb", "M9 3V22M3 9H9M2.4 19L9 15.6M14.6 3V18.6C14.6 20.6 15.2 21 16.8 21H21.4V17.4M20.6 6.6L14.6 10.6"),
    "P": ("tw", "M4 .5H20V23.5H4ZM6.4 3H17.6V21H6.4Z"),
    "F": ("tg", (
        "M4.5 4H10C9 8 6.4 10.8 2.6 12.6M4.6 7L6.8 9M13.4 2.6C14.6 7 17.8 10.6 21.4 12.4M16.2 7L19.6 4.2M18.2 9.2"
        "L21 7.2M5 13.6H10V16.6H5V19.6H10.4C10.4 22 9.6 22.8 7.2 22.6M14 13.4V15.2C14 16.4 13.4 17.2 12.4 17.6"
        "M14 13.4H18.6V16.6H21M13 19H20C18.6 21.2 16.2 22.6 12.8 23.2M14.4 19.2C16.2 21.6 18.6 23 21.6 23.4"
    )),
    "C": ("tc", "M4 7H20V15.6H4ZM12 1.5V22.8"),
}  # fmt: skip


def symbols() -> str:
    """Return the symbols of all tiles, to be put into a page once: ``t1m`` is the id of the 1m."""
    return "".join(
        f'<symbol id="t{name}" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">{_drawn(name)}</symbol>'
        for name in NAMES
    )


def _drawn(name: str) -> str:
    if name == "back":
        return _FACE.replace('"tf"', '"tk"') + '<text class="tt tx" x="15" y="27">?</text>'
    if name in _HONORS:
        style, strokes = _HONORS[name]
        return f'{_FACE}<path class="{style}" transform="translate(3 8)" d="{strokes}"/>'
    digit, suit = name[0], name[1]
    number = f'<text class="tt n{suit}" x="15" y="20.6">{digit}</text>'
    if digit == "0":
        number = f'{_DISC}<text class="tt no" x="15" y="19.8">5</text>'
    return _FACE + number + _SUITS[suit]
