"""Write Tenhou mjlog from a description in words that a person can read, for fixtures and tests.

    table 1                                          # the type bits of GO
    East 4.0, dora 9p, scores 30000 25000 25000 20000
    0 holds 234m 678p 234s 56s 88s                   # a seat without this line gets a hand far from winning
    3 draws 7s
    3 discards 7s
    0 wins 7s from 3
      fu 30                                          # indented: claims of the result above
      points 2000
      yaku pinfu 1, tanyao 1
      change 2000 0 0 -2000
    end                                              # the game ends; below it, other `final` scores and `points`

With three players (`table 17`) there are no tiles 2m–8m and no seat 3; lists of scores and changes have three numbers.
`0 kita N` sets a North aside, and the claim `norths 1` says how many of them a win lists, if not all.

Tiles are 1m–9m 1p–9p 1s–9s, 0m 0p 0s for red fives, E S W N, P (white), F (green), C (red). Other lines:
`0 pon P from 3`, `0 chi 7s with 56s`, `0 daiminkan P from 3`, `0 ankan P`, `0 kakan P`, `0 riichi`, `0 deposit`,
`dora 1m`, `rules 800` (csrule of GO), `draw` with `type` and `tenpai 0 2` below it, `raw <TAG/>`, and `cut` in place
of `end` for a file that breaks off in its last tag. Other claims: limit, yakuman, liable, ura, honba, sticks, before,
shows, tile (the winning one).

The writer knows no rules of scoring: it writes every claim, right or wrong. It chooses physical tiles, carries
scores on, and computes the final points. Section numbers in brackets refer to the format notes on mjlog.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


YAKU = {
    "tsumo": 0, "riichi": 1, "ippatsu": 2, "chankan": 3, "rinshan": 4, "haitei": 5, "houtei": 6, "pinfu": 7,
    "tanyao": 8, "iipeikou": 9, "round wind East": 14, "haku": 18, "hatsu": 19, "chun": 20, "double riichi": 21,
    "chiitoi": 22, "chanta": 23, "ittsuu": 24, "sanshoku": 25, "toitoi": 28, "sanankou": 29, "shousangen": 30,
    "honroutou": 31, "ryanpeikou": 32, "junchan": 33, "honitsu": 34, "chinitsu": 35, "dora": 52, "ura": 53, "red": 54,
}  # fmt: skip
YAKUMAN = {"tenhou": 37, "chiihou": 38, "daisangen": 39, "suuankou": 40, "kokushi": 47, "daisuushi": 49}
WINDS = {"East": 0, "South": 1, "West": 2}
HONOURS = "ESWNPFC"
RED_IDS = (16, 52, 88)

# Hands are filled in this order, with each kind at most once a hand, so that neighbours are far apart.
FILLING = [suit * 9 + place for start in range(3) for suit in range(3) for place in range(start, 9, 3)]
FILLING = [*FILLING[:9], *range(27, 34), *FILLING[9:]]
THREE_PLAYERS = 16
ABSENT = range(4, 32)
"""The tiles 2m to 8m, which three players do not have."""


def names(text: str) -> list[str]:
    """Split written tiles: ``"234m 0p EE"`` is 2m 3m 4m, a red 5p, two East."""
    found: list[str] = []
    for digits, suit, honours in re.findall(r"([0-9]+)([mps])|([ESWNPFC]+)", text):
        found += [digit + suit for digit in digits] + list(honours)
    return found


def name(tile: int) -> str:
    """Name the tile with this id [2]."""
    kind = tile // 4
    if kind >= 27:
        return HONOURS[kind - 27]
    return f"{0 if tile in RED_IDS else kind % 9 + 1}{'mps'[kind // 9]}"


def listed(values: Iterable[object]) -> str:
    """Join values with commas, as in every list of an attribute."""
    return ",".join(map(str, values))


def hundreds(points: Iterable[int]) -> list[int]:
    """Turn points into hundreds, as Tenhou writes them."""
    return [score // 100 for score in points]


def paired(before: Iterable[int], change: Iterable[int]) -> str:
    """Write scores and their changes, one pair for each seat."""
    pairs = zip(hundreds(before), hundreds(change), strict=True)
    return listed(each for pair in pairs for each in pair)


def blocks(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each line with the claims indented below it; skip comments and empty lines."""
    lines = [line.partition("#")[0].rstrip() for line in text.splitlines()]
    head: str | None = None
    claims: dict[str, str] = {}
    for line in filter(None, lines):
        if line.startswith("  "):
            word, _, rest = line.strip().partition(" ")
            claims[word] = rest
            continue
        if head is not None:
            yield head, claims
        head, claims = line, {}
    if head is not None:
        yield head, claims


@dataclass
class Meld:
    """A meld, or a North set aside, and its code [5]."""

    kind: str
    tiles: list[int]
    called: int = -1
    offset: int = 0
    added: int = -1

    def code(self) -> int:
        """Pack the meld into 16 bits."""
        tiles = sorted(self.tiles)
        kind = tiles[0] // 4
        if self.kind == "chi":
            copies = sum((tile % 4) << (3 + 2 * place) for place, tile in enumerate(tiles))
            return self.offset | 4 | copies | (kind // 9 * 7 + kind % 9) * 3 + tiles.index(self.called) << 10
        if self.kind in ("pon", "kakan"):
            spare = 6 - sum(tile % 4 for tile in tiles)
            mark = 8 if self.kind == "pon" else 16
            return self.offset | mark | spare << 5 | kind * 3 + tiles.index(self.called) << 9
        if self.kind == "kita":
            return tiles[0] << 8 | 32
        return (kind * 4 if self.kind == "ankan" else self.called) << 8 | self.offset


@dataclass
class Writer:
    """Turn one description into a log."""

    table: int = 1
    lobby_rules: str = ""
    scores: list[int] = field(default_factory=lambda: [25000] * 4)
    """By seat; a seat that does not exist has none."""
    sticks: int = 0
    tags: list[str] = field(default_factory=list)
    opened: int | None = None
    """The index in ``tags`` at which the INIT of the current round belongs."""

    def write(self, text: str) -> bytes:
        """Write the whole log."""
        cut = False
        for line, claims in blocks(text):
            self._line(line, claims)
            cut = line == "cut"
        self._close_round()
        rates = listed(["1500.00"] * 4)
        last = "%44" if self.players == 4 else ""
        rules = f' csrule="{self.lobby_rules}"' if self.lobby_rules else ""
        head = [
            '<mjloggm ver="2.3">',
            f'<GO type="{self.table}" lobby="0"{rules}/>',
            f'<UN n0="%41" n1="%42" n2="%43" n3="{last}" dan="0,0,0,0" rate="{rates}" sx="C,C,C,C"/>',
            '<TAIKYOKU oya="0"/>',
        ]
        log = "".join([*head, *self.tags])
        return (log[: log.rindex("<") + 6] if cut else log + "</mjloggm>").encode()

    @property
    def players(self) -> int:
        """How many play, by the type of the table."""
        return 3 if self.table & THREE_PLAYERS else 4

    def _line(self, line: str, claims: dict[str, str]) -> None:
        first, _, rest = line.partition(" ")
        if first in WINDS:
            self._close_round()
            self._open_round(WINDS[first], rest)
        elif first.isdigit():
            verb, _, rest = rest.partition(" ")
            if verb == "wins":
                self._win(int(first), rest, claims)
            else:
                getattr(self, f"_{verb}")(int(first), rest)
        elif first == "table":
            self.table = int(rest)
        elif first == "rules":
            self.lobby_rules = rest
        elif first == "raw":
            self.tags.append(rest)
        elif first == "dora":
            self.indicators.append(self._take(rest))
            self.tags.append(f'<DORA hai="{self.indicators[-1]}"/>')
        elif first == "draw":
            self._draw(claims)
        elif first in ("end", "cut"):
            self.tags[-1] = self.tags[-1].replace("/>", f' owari="{listed(self._final(claims))}"/>')
        else:
            raise ValueError(f"not understood: {line!r}")

    # A round, and the tiles that are still free.

    def _open_round(self, wind: int, rest: str) -> None:
        number, *parts = rest.split(", ")
        options = dict(part.split(" ", 1) for part in parts)
        self.index = wind * 4 + int(number[0]) - 1
        self.honba = int(number[2:])
        self.sticks = int(options.get("sticks", self.sticks))
        if "scores" in options:
            self.scores = self._by_seat(options["scores"])
        self.start = list(self.scores)
        self.first_sticks = self.sticks
        self.free = [tile for tile in range(136) if self.players == 4 or tile not in ABSENT]
        self.hands: list[list[int]] = [[], [], [], []]
        self.dealt: dict[int, list[int]] = {}
        self.melds: list[list[Meld]] = [[], [], [], []]
        self.indicators = [self._take(options["dora"])]
        self.last = self.drawn = -1
        self.winners = 0
        self.opened = len(self.tags)

    def _close_round(self) -> None:
        """Write INIT [4], now that the tiles which seats without named hands can have are known."""
        if self.opened is None:
            return
        self.dealt |= {seat: [] for seat in range(self.players, 4)}
        for seat in range(4):
            if seat not in self.dealt:
                self.dealt[seat] = self._filled()
        hands = " ".join(f'hai{seat}="{listed(self.dealt[seat])}"' for seat in range(4))
        seed = listed([self.index, self.honba, self.first_sticks, 0, 0, self.indicators[0]])
        ten = listed(hundreds(self.start))
        self.tags.insert(self.opened, f'<INIT seed="{seed}" ten="{ten}" oya="{self.index % 4}" {hands}/>')
        self.opened = None

    def _filled(self) -> list[int]:
        hand: list[int] = []
        for kind in FILLING:
            tile = next((tile for tile in self.free if tile // 4 == kind), None)
            if tile is not None and len(hand) < 13:
                self.free.remove(tile)
                hand.append(tile)
        return hand

    def _take(self, tile: str) -> int:
        """Take the next free copy of a tile; if there is none, a copy that is already in play."""
        found = next((each for each in self.free if name(each) == tile), None)
        if found is None:
            return next(each for each in range(136) if name(each) == tile)
        self.free.remove(found)
        return found

    def _from_hand(self, seat: int, tile: str) -> int:
        """Take a tile out of a hand, the drawn one first. A tile that is not there is taken nevertheless."""
        held = [each for each in self.hands[seat] if name(each) == tile]
        if not held:
            return self._take(tile)
        found = self.drawn if self.drawn in held else held[0]
        self.hands[seat].remove(found)
        return found

    # Actions of seats: the verbs of a description.

    def _holds(self, seat: int, rest: str) -> None:
        self.hands[seat] = [self._take(tile) for tile in names(rest)]
        self.dealt[seat] = list(self.hands[seat])

    def _draws(self, seat: int, rest: str) -> None:
        self.drawn = self._take(rest)
        self.hands[seat].append(self.drawn)
        self.tags.append(f"<{'TUVW'[seat]}{self.drawn}/>")

    def _discards(self, seat: int, rest: str) -> None:
        self.last = self._from_hand(seat, rest)
        self.tags.append(f"<{'DEFG'[seat]}{self.last}/>")

    def _riichi(self, seat: int, _: str) -> None:
        self.tags.append(f'<REACH who="{seat}" step="1"/>')

    def _deposit(self, seat: int, _: str) -> None:
        self.scores[seat] -= 1000
        self.sticks += 1
        ten = listed(hundreds(self.scores))
        self.tags.append(f'<REACH who="{seat}" ten="{ten}" step="2"/>')

    def _call(self, seat: int, kind: str, own: list[str], source: int) -> None:
        tiles = [self._from_hand(seat, tile) for tile in own]
        self._meld(seat, Meld(kind, [*tiles, self.last], self.last, (source - seat) % 4))

    def _meld(self, seat: int, meld: Meld) -> None:
        self.melds[seat].insert(0, meld)
        self.tags.append(f'<N who="{seat}" m="{meld.code()}"/>')

    def _chi(self, seat: int, rest: str) -> None:
        """Read ``0 chi 7s with 56s``."""
        self._call(seat, "chi", names(rest.partition(" with ")[2]), (seat - 1) % self.players)

    def _pon(self, seat: int, rest: str) -> None:
        """Read ``0 pon P from 3``, or ``0 pon 5p from 3 with 05p`` if the copies matter."""
        tile, source, own = self._called(rest)
        self._call(seat, "pon", own or [tile] * 2, source)

    def _daiminkan(self, seat: int, rest: str) -> None:
        tile, source, own = self._called(rest)
        self._call(seat, "daiminkan", own or [tile] * 3, source)

    def _called(self, rest: str) -> tuple[str, int, list[str]]:
        called, _, own = rest.partition(" with ")
        tile, _, source = called.partition(" from ")
        return tile, int(source), names(own)

    def _ankan(self, seat: int, rest: str) -> None:
        tiles = names(rest)
        self._meld(seat, Meld("ankan", [self._from_hand(seat, tile) for tile in tiles * (4 // len(tiles))]))

    def _kakan(self, seat: int, rest: str) -> None:
        self.last = self._from_hand(seat, rest)
        pon = next(meld for meld in self.melds[seat] if meld.tiles[0] // 4 == self.last // 4)
        pon.kind, pon.added = "kakan", self.last
        self.tags.append(f'<N who="{seat}" m="{pon.code()}"/>')

    def _kita(self, seat: int, rest: str) -> None:
        self.last = self._from_hand(seat, rest)
        self._meld(seat, Meld("kita", [self.last]))

    # Results: the description is written as it is, right or wrong.

    def _win(self, seat: int, rest: str, claims: dict[str, str]) -> None:
        """Read ``0 wins 7s from 3`` or, for a tsumo, ``0 wins 7s``."""
        tile, _, source = rest.partition(" from ")
        payer = int(source or seat)
        won = self.drawn if payer == seat else self.last
        if name(won) != tile:
            raise ValueError(f"the last tile is {name(won)}, not {tile}")
        hand = sorted({*self.hands[seat], won})
        if "shows" in claims:
            hand = self._shown(hand, claims["shows"])
        winning = next((each for each in hand if name(each) == claims.get("tile")), won)
        norths = [meld.code() for meld in self.melds[seat] if meld.kind == "kita"]
        melds = [meld.code() for meld in self.melds[seat] if meld.kind != "kita"]
        melds += norths[: int(claims.get("norths", len(norths)))]
        yaku = [part.rsplit(" ", 1) for part in claims.get("yaku", "").split(", ") if part]
        yakuman = [part for part in claims.get("yakuman", "").split(", ") if part]
        before, change, head = self._scored(claims)
        attributes = {
            "ba": head,
            "hai": listed(hand),
            "m": listed(melds) or None,
            "machi": winning,
            "ten": listed([claims["fu"], claims["points"], claims.get("limit", 0)]),
            "yaku": listed(f"{YAKU[each]},{han}" for each, han in yaku) or None,
            "yakuman": listed(YAKUMAN[each] for each in yakuman) or None,
            "doraHai": listed(self.indicators),
            "doraHaiUra": listed(self._take(each) for each in names(claims.get("ura", ""))) or None,
            "who": seat,
            "fromWho": payer,
            "paoWho": claims.get("liable"),
            "sc": listed(each for pair in zip(hundreds(before), hundreds(change), strict=True) for each in pair),
        }
        self._tag("AGARI", attributes)
        self.sticks = 0
        self.winners += 1

    def _draw(self, claims: dict[str, str]) -> None:
        before, change, head = self._scored(claims)
        shown = {seat: listed(sorted(self.hands[int(seat)])) for seat in claims.get("tenpai", "").split()}
        hands = {f"hai{seat}": hand for seat, hand in shown.items()}
        attributes = {"type": claims.get("type"), "ba": head, "sc": paired(before, change), **hands}
        self._tag("RYUUKYOKU", attributes)

    def _tag(self, tag: str, attributes: Mapping[str, object]) -> None:
        said = "".join(f' {key}="{value}"' for key, value in attributes.items() if value is not None)
        self.tags.append(f"<{tag}{said}/>")

    def _shown(self, hand: list[int], text: str) -> list[int]:
        shown: list[int] = []
        for tile in names(text):
            held = [each for each in hand if name(each) == tile and each not in shown]
            shown.append(held[0] if held else self._take(tile))
        return sorted(shown)

    def _scored(self, claims: dict[str, str]) -> tuple[list[int], list[int], str]:
        """Apply the claimed changes of points; give the scores before, the changes, and honba and sticks."""
        before = self._by_seat(claims["before"]) if "before" in claims else list(self.scores)
        change = self._by_seat(claims.get("change", "0 0 0 0"))
        self.scores = [score + moved for score, moved in zip(before, change, strict=True)]
        honba, sticks = claims.get("honba", self.honba), claims.get("sticks", self.sticks)
        return before, change, f"{honba},{sticks}"

    def _by_seat(self, text: str) -> list[int]:
        """Read a number for each seat; a seat that does not exist has 0, as in Tenhou's logs."""
        return [*map(int, text.split()), 0][:4]

    def _final(self, claims: Mapping[str, str]) -> list[object]:
        """Give score and final points by seat: sticks to the first, ties by seat [8].

        Uma 20 10 -10 -20, oka 20; with three players uma 20 0 -20, oka 15.
        """
        order = sorted(range(self.players), key=lambda seat: (-self.scores[seat], seat))
        scores = list(self.scores)
        scores[order[0]] += 1000 * self.sticks
        if "final" in claims:
            scores = self._by_seat(claims["final"])
        base, uma = (30000, (40, 10, -10, -20)) if self.players == 4 else (40000, (35, 0, -20))
        points = [0.0] * 4
        for seat, more in zip(order, uma, strict=True):
            points[seat] = (scores[seat] - base) / 1000 + more
        if "points" in claims:
            points = [float(each) for each in claims["points"].split()]
        return [each for seat in range(4) for each in (scores[seat] // 100, f"{points[seat]:.1f}")]
