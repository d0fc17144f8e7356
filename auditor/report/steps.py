"""Every event of a round, as rows: what a page needs to step through it.

A round has about 130 events, so each step is written as what differs from the step before: for each part of the table
that changes, its name, where the change begins, how many characters go, and the new ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.log.tables import KINDS
from auditor.report.rows import ALPHABET, letters_for, rows_of
from auditor.report.walk import Walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from auditor.show.actions import Act
    from auditor.show.moment import Moment, TableLookup

FIRST = ord("0")
"""Places and counts are single characters from this one on."""
PHRASES = {
    "deal": "the round is dealt", "draw": "{who} draws {tile}", "discard": "{who} discards {tile}",
    "chi": "{who} calls chi of {tile}", "pon": "{who} calls pon of {tile}",
    "daiminkan": "{who} calls kan of {tile}", "ankan": "{who} makes an ankan of {tile}",
    "kakan": "{who} makes a kakan of {tile}", "kita": "{who} sets {tile} aside (kita)",
    "riichi": "{who} declares riichi", "deposit": "{who} pays its riichi stick",
    "dora": "the indicator {tile} is turned",
    "leave": "{who} leaves", "return": "{who} is back", "result": "{who} wins on {tile}",
}  # fmt: skip
"""What the page says of an act of each kind."""
DRAWN = "-"
"""The seat of a result without a winner."""


def events_of(lookup: TableLookup, round_: int) -> list[int]:
    """Return the numbers of a round's events, in the order of play."""
    span = lookup.rows_of_round(round_)
    return list(dict.fromkeys(lookup.log.events["event"][span.start : span.stop].to_list()))


def steps_of(lookup: TableLookup, round_: int) -> list[dict[str, str]]:
    """Return the rows at each event of a round, with its acts as ``aa`` and its number as ``ev``."""
    letters = letters_for(reds=lookup.has_red_fives(round_))
    return [
        rows | {"aa": "".join(_act(act, letters) for act in now), "ev": str(event)}
        for event, now, rows in Walk(lookup, round_, letters).steps()
    ]


def with_acts(moment: Moment, event: int) -> dict[str, str]:
    """Return the rows of a moment with its acts and the number of its event."""
    letters = letters_for(reds=moment.reds)
    return rows_of(moment) | {"aa": "".join(_act(act, letters) for act in moment.event), "ev": str(event)}


def _act(act: Act, letters: Mapping[int, str] | list[str]) -> str:
    """Return an act as three characters: its kind, its seat, its tile."""
    no_win = act.result is not None and act.result.reason != "win"
    seat = DRAWN if no_win else "?" if act.seat is None else str(act.seat)
    return chr(FIRST + KINDS.index(act.kind)) + seat + ("?" if act.tile_id is None else letters[act.tile_id])


def encoded(steps: Iterable[Mapping[str, str]]) -> str:
    """Return steps as text, a line each: what differs from the step before."""
    lines, before = [], dict[str, str]()
    for step in steps:
        lines.append("\t".join(
            part + _splice(before.get(part, ""), text) for part, text in step.items() if before.get(part, "") != text
        ))  # fmt: skip
        before = dict(step)
    return "\n".join(lines)


def _splice(old: str, new: str) -> str:
    begin = _alike(old, new)
    end = _alike(old[begin:][::-1], new[begin:][::-1])
    return chr(FIRST + begin) + chr(FIRST + len(old) - begin - end) + new[begin : len(new) - end]


def _alike(one: str, other: str) -> int:
    """Return how many characters two texts have in common at their beginnings."""
    for at, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return at
    return min(len(one), len(other))


def decoded(text: str) -> list[dict[str, str]]:
    """Return the steps of an encoded text, as ``page.js`` reads them."""
    steps, now = [], dict[str, str]()
    for line in text.split("\n"):
        for change in filter(None, line.split("\t")):
            part, begin, gone = change[:2], ord(change[2]) - FIRST, ord(change[3]) - FIRST
            old = now.get(part, "")
            now[part] = old[:begin] + change[4:] + old[begin + gone :]
        steps.append(dict(now))
    return steps


assert set(PHRASES) >= set(KINDS)
assert len(ALPHABET) == 38
