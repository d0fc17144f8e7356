"""Kuikae and ankans in riichi that a stricter rule forbids: counted by a plain loop, and found by an audit.

Games that were played with kuikae, or with ankan in riichi, are audited as if that were forbidden. A loop over every
call counts kuikae; 電脳麻将's own `Game.get_gang_mianzi` says whether an ankan in riichi is allowed.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
from typing import TYPE_CHECKING, Any

from auditor.audit.audit_batch import Options, audit
from auditor.sources import log_files
from engine.rules.rule_sets import preset

if TYPE_CHECKING:
    from collections.abc import Iterator

KUIKAE, ANKAN = "喰い替え許可レベル", "リーチ後暗槓許可レベル"
CODES = {KUIKAE: ("C106", "D104", "D105"), ANKAN: ("K108", "K109", "K110", "K111")}
STRICTER = [(KUIKAE, 0), (KUIKAE, 1), (ANKAN, 1), (ANKAN, 0)]

Event = tuple[int, int]
"""A game's number in its file, and an event's number in the game."""

PROGRAM = """
const M = require(process.argv[1]);
const lines = require('fs').readFileSync(0, 'utf-8').split('\\n').filter(line => line);
for (const line of lines) {
    const c = JSON.parse(line);
    const rule = M.rule({'リーチ後暗槓許可レベル': c.level});
    const allowed = M.Game.get_gang_mianzi(rule, M.Shoupai.fromString(c.hand), null, 40, 0);
    console.log(JSON.stringify(allowed.map(m => m.replace(/0/g, '5')).includes(c.gang.replace(/0/g, '5'))));
}
"""


def plain(tile: str) -> str:
    """Name the kind of a tile: a red five is a five."""
    return tile[0] + tile[1].replace("0", "5")


def tiles_of(hand: str) -> list[str]:
    """Split concealed tiles: ``m12p0`` is m1 m2 p0."""
    found, suit = [], ""
    for letter in hand:
        if letter in "mpsz":
            suit = letter
        elif letter.isdigit():
            found.append(suit + letter)
    return found


def taken(meld: str) -> list[str]:
    """List the tiles of a meld that come from the caller's hand: all but the one before the mark."""
    suit, found = meld[0], []
    for place, letter in enumerate(meld[1:], 1):
        if letter.isdigit() and (place + 1 == len(meld) or meld[place + 1] not in "+=-"):
            found.append(suit + letter)
    return found


class Table:
    """The hands of a round, and the violations of a rule."""

    def __init__(self, deal: list[str], kuikae: int) -> None:
        self.hands = [tiles_of(hand) for hand in deal]
        self.melds: list[list[str]] = [[], [], [], []]
        self.riichi = [False] * 4
        self.called: str | None = None
        self.kuikae = kuikae

    def act(self, name: str, fields: dict[str, Any]) -> str | dict[str, str] | None:
        """Play one event; give the code of a violation, or the question for the other engine."""
        seat = fields.get("l", 0)
        if name in ("zimo", "gangzimo"):
            self.hands[seat].append(fields["p"][:2])
        elif name == "dapai":
            return self._discard(seat, fields["p"])
        elif name == "fulou":
            return self._call(seat, fields["m"])
        elif name == "gang":
            return self._kan(seat, fields["m"])
        return None

    def _discard(self, seat: int, text: str) -> str | None:
        called, self.called = self.called, None
        self.hands[seat].remove(text[:2])
        self.riichi[seat] |= "*" in text
        if called is None:
            return None
        same, suji = forbidden(called, self.kuikae)
        return "D104" if plain(text) in same else "D105" if plain(text) in suji else None

    def _call(self, seat: int, meld: str) -> str | None:
        for tile in taken(meld):
            self.hands[seat].remove(tile)
        self.melds[seat].append(meld)
        if len(taken(meld)) == 3:
            return None
        same, suji = forbidden(meld, self.kuikae)
        if all(plain(tile) in same + suji for tile in self.hands[seat]):
            return "C106"
        self.called = meld
        return None

    def _kan(self, seat: int, meld: str) -> dict[str, str] | None:
        hand = self.hands[seat]
        if any(mark in meld for mark in "+=-"):
            hand.remove(meld[0] + meld[-1])
            return None
        question = None
        if self.riichi[seat]:
            *rest, drawn = hand
            written = "".join(sorted(rest)) + drawn + "*" + "".join(f",{each}" for each in self.melds[seat])
            question = {"hand": written, "gang": meld, "drawn": drawn}
        for tile in tiles_of(meld):
            hand.remove(tile)
        self.melds[seat].append(meld)
        return question


def forbidden(meld: str, level: int) -> tuple[list[str], list[str]]:
    """List the kinds that must not be discarded after a call: the called one, and the one at the run's other end."""
    if level == 2:
        return [], []
    suit, text = meld[0], meld.replace("0", "5")
    place = next(place for place, letter in enumerate(text) if letter in "+=-") - 1
    called = int(text[place])
    digits = sorted(int(letter) for letter in text[1:] if letter.isdigit())
    suji = []
    if level == 0 and digits[0] != digits[1]:
        if called == digits[0] and called + 3 <= 9:
            suji.append(f"{suit}{called + 3}")
        if called == digits[2] and called - 3 >= 1:
            suji.append(f"{suit}{called - 3}")
    return [f"{suit}{called}"], suji


def walk(games: list[dict[str, Any]], kuikae: int) -> Iterator[tuple[Event, str | dict[str, str]]]:
    """Play all games and yield the results of `Table.act`, each with its event."""
    for number, game in enumerate(games, 1):
        event = 0
        for round_ in game["paipu"]["log"]:
            table = Table(round_[0]["qipai"]["shoupai"], kuikae)
            for each in round_:
                ((name, fields),) = each.items()
                found = table.act(name, fields)
                if found:
                    yield (number, event), found
                event += 1


def counted_kuikae(games: list[dict[str, Any]], level: int) -> dict[Event, str]:
    """Give the violations of kuikae at this level, by event."""
    return {event: found for event, found in walk(games, level) if isinstance(found, str)}


def counted_ankans(games: list[dict[str, Any]], level: int, engine: str) -> dict[Event, str]:
    """Give the ankans in riichi that the other engine would not offer at this level, by event."""
    asked = [(event, found) for event, found in walk(games, 2) if isinstance(found, dict)]
    lines = "\n".join(json.dumps({**question, "level": level}) for _, question in asked)
    run = subprocess.run(["node", "-e", PROGRAM, engine], input=lines, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    violations = {}
    for (event, question), allowed in zip(asked, answers, strict=True):
        if not allowed:
            other = plain(question["drawn"]) != plain(question["gang"])
            violations[event] = "K111" if level == 0 else "K108" if other else f"K{111 - level}"
    return violations


def audited(games: list[dict[str, Any]], rule: str, level: int) -> dict[Event, str]:
    """Audit the games under a stricter rule; give the findings of that rule's codes by event."""
    lines = [json.dumps({**game, "rule": {**game["rule"], rule: level}}, ensure_ascii=False) for game in games]
    data = "\n".join(lines).encode()
    source = log_files.unpack(log_files.Source("games.jsonl", len(data), hashlib.sha256(data).hexdigest()), data)
    table = audit([source], Options(preset("majiang"), CODES[rule])).tables["findings"]
    numbers = table["within"] if len(games) > 1 else ["1"] * len(table)
    return {(int(number), event): code for number, event, code in zip(numbers, table["event"], table["code"],
                                                                      strict=True)}  # fmt: skip
