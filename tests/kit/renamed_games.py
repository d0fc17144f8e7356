"""Archives of any size, made from the shipped Tenhou logs, for benchmarks and load tests.

Every game is a shipped one with its tiles renamed: the three suits change places and the physical copies of
each kind are shuffled, in the same way throughout the game. No scored value depends on either (red fives
stay red, an indicator's successor stays in its suit), so every claim of the game remains as true as it was.
With three players the man suit, of which only 1m and 9m are in the set, stays. Only 緑一色 distinguishes suits: games
with it are left out. Long games are drawn more often than
short ones, in proportion to their rounds. A seed fixes every file; game n does not depend on the count.
"""

from __future__ import annotations

import gzip
import hashlib
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_LOGS = Path(__file__).resolve().parents[2] / "fixtures" / "logs"
FIXTURES, FIXTURES_OF_THREE = _LOGS / "tenhou", _LOGS / "tenhou-3p"
RED_IDS = (16, 52, 88)
RYUUIISOU = "43"
KITA = 0x20
"""The bit of the meld code of a north that is set aside."""
THREE_PLAYERS = 0x10
"""The bit of the table type."""

# Attributes and tags with tile ids: a draw or discard, a list, or the meld codes of a call (m) or a win (m too).
CARRIER = re.compile(
    r"<(?:[T-W]|[D-G])(?P<tile>\d+)(?= ?/>)"
    r'|<INIT seed="(?:\d+,){5}(?P<indicator>\d+)"'
    r'| m="(?P<melds>[\d,]+)"'
    r'| (?:machi|doraHai|doraHaiUra)="(?P<tiles>[\d,]+)"'
    r'| hai\d?="(?P<hand>[\d,]+)"'
)
Names = list[int]
Part = str | Callable[[Names], str]


def renaming(rng: random.Random, players: int = 4) -> Names:
    """Draw a table from old tile ids to new ones: suits permuted, copies shuffled, red ids red.

    With three players the suit of 1m and 9m stays.
    """
    suits = rng.sample(range(3), 3) if players == 4 else [0, *rng.sample((1, 2), 2)]
    table: Names = []
    for kind in range(34):
        target = suits[kind // 9] * 9 + kind % 9 if kind < 27 else kind
        copies = rng.sample(range(4), 4)
        if 4 * kind in RED_IDS:
            copies = [0, *rng.sample((1, 2, 3), 3)]
        table += [4 * target + copy for copy in copies]
    return table


def rename_meld(code: int, names: Names) -> int:
    """Rename the tiles inside the code of a meld or a kita (section 5 of the format notes)."""
    rel = code & 3
    if code & 4:
        base, place = divmod(code >> 10, 3)
        kind = base // 7 * 9 + base % 7
        tiles = [names[4 * (kind + i) + (code >> (3 + 2 * i) & 3)] for i in range(3)]
        first = tiles[0] // 4
        copies = sum((tile & 3) << (3 + 2 * i) for i, tile in enumerate(tiles))
        return rel | 4 | copies | ((first // 9 * 7 + first % 9) * 3 + place) << 10
    if code & 24:
        kind, place = divmod(code >> 9, 3)
        spare = 4 * kind + (code >> 5 & 3)
        old = [tile for tile in range(4 * kind, 4 * kind + 4) if tile != spare]
        new = sorted(names[tile] for tile in old)
        where = new.index(names[old[place]])
        return rel | code & 24 | (names[spare] & 3) << 5 | (new[0] // 4 * 3 + where) << 9
    tile = code >> 8
    if code & KITA:
        return names[tile] << 8 | KITA
    return (names[tile] if rel else names[tile] // 4 * 4 + tile % 4) << 8 | rel


def one_tile(text: str) -> Part:
    """Rename one tile."""
    tile = int(text)
    return lambda names: str(names[tile])


def tile_list(text: str, *, in_order: bool) -> Part:
    """Rename a list of tiles, sorted again if it was sorted."""
    tiles = [int(part) for part in text.split(",")]
    if in_order:
        return lambda names: ",".join(map(str, sorted([names[tile] for tile in tiles])))
    return lambda names: ",".join([str(names[tile]) for tile in tiles])


def meld_list(text: str) -> Part:
    """Rename the meld codes of a call or a win."""
    codes = [int(part) for part in text.split(",")]
    return lambda names: ",".join([str(rename_meld(code, names)) for code in codes])


def carrier(match: re.Match[str], *, dealt: bool) -> Part:
    """Make the part that renames the tiles in one match of CARRIER."""
    group = match.lastgroup or ""
    text = match[group]
    if group in ("tile", "indicator"):
        return one_tile(text)
    if group == "melds":
        return meld_list(text)
    return tile_list(text, in_order=group == "hand" and not dealt)


@dataclass(frozen=True)
class Template:
    """A shipped game, split into fixed text and parts with tiles."""

    name: str
    parts: tuple[Part, ...]
    rounds: int
    players: int = 4

    def rename(self, names: Names) -> str:
        """Write the game with other tile names."""
        return "".join([part if isinstance(part, str) else part(names) for part in self.parts])


def cut(name: str, text: str) -> Template:
    """Split a log into a template. Only the hands in INIT are unsorted."""
    parts: list[Part] = []
    end = 0
    for match in CARRIER.finditer(text):
        start, stop = match.span(match.lastgroup or 0)
        dealt = text.startswith("<INIT", text.rfind("<", 0, start))
        parts += [text[end:start], carrier(match, dealt=dealt)]
        end = stop
    return Template(name, (*parts, text[end:]), text.count("<INIT "), _players(text))


def _players(text: str) -> int:
    """Give the number of players by the table type; four if there is none, as in a part of a log."""
    kind = re.search(r'<GO type="(\d+)"', text)
    return 3 if kind and int(kind[1]) & THREE_PLAYERS else 4


def read_text(path: Path) -> str:
    """Read a log, compressed or not."""
    data = path.read_bytes()
    return (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()


def load_templates(folder: Path = FIXTURES) -> list[Template]:
    """Split every shipped log that stays valid after a change of suits."""
    texts = {path.name.split(".")[0]: read_text(path) for path in sorted(folder.iterdir())}
    return [cut(name, text) for name, text in texts.items() if not holds_ryuuiisou(text)]


def holds_ryuuiisou(text: str) -> bool:
    """Say whether a win of the log is 緑一色."""
    return any(RYUUIISOU in listed.split(",") for listed in re.findall(r'yakuman="([\d,]+)"', text))


def make_game(templates: list[Template], seed: int, number: int, three: float = 0) -> tuple[str, str]:
    """Make game n of a seed: its file name without suffix, and its text. ``three`` is the chance of three players."""
    rng = random.Random(f"{seed}/{number}")
    players = 3 if three and rng.random() < three else 4
    fitting = [template for template in templates if template.players == players]
    template = rng.choices(fitting, weights=[template.rounds for template in fitting])[0]
    names = renaming(rng, players)
    digest = hashlib.sha256(f"{template.name}/{names}".encode()).hexdigest()[:8]
    return f"{template.name.rsplit('-', 1)[0]}-{digest}", template.rename(names)


def make_archive(count: int, folder: Path, *, seed: int = 0, packed: bool = False, three: float = 0) -> None:
    """Write an archive of distinct games, of which ``three`` is the share with three players."""
    templates = load_templates() + (load_templates(FIXTURES_OF_THREE) if three else [])
    folder.mkdir(parents=True, exist_ok=True)
    used: set[str] = set()
    number = 0
    while len(used) < count:
        name, text = make_game(templates, seed, number, three)
        number += 1
        if name in used:
            continue
        used.add(name)
        data = text.encode()
        path = folder / f"{name}.mjlog{'.gz' if packed else ''}"
        path.write_bytes(gzip.compress(data, mtime=0) if packed else data)
