"""Writes games in Tenhou's XML (auditor/readers/mjlog/FORMAT.md).

The format must have some values that other logs lack: dice, ranks, ratings, and sexes of the players. Then the writer
puts what Tenhou writes for guests, and says that the log lacks them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from auditor.log.tables import SEATS
from auditor.log.tile_ids import NONE
from auditor.readers.contract import Writer
from auditor.readers.mjlog.header import RANKS
from auditor.readers.tenhou_ids import table_type
from auditor.readers.written.copies import Copies
from auditor.readers.written.game import UnwritableError, limit_of, other_rules, total_han, with_indicators

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from auditor.readers.written.game import Event, Game, Result, Round

_DRAW, _DISCARD = "TUVW", "DEFG"
_TYPES = {
    "nagashi": "nm", "kyuushu": "yao9", "four_winds": "kaze4", "four_riichi": "reach4", "four_kans": "kan4",
    "triple_ron": "ron3",
}  # fmt: skip
_GUEST_RATING = 1500.0
_TABLE = re.compile(r"GO type=(\d+) lobby=(\S+)(?: csrule=(\S+))?")
_CHIPS = 0x0600
_SAID_BY_TYPE = {"red_fives", "open_tanyao", "game_length", "players"}


def write(game: Game) -> tuple[str, list[str]]:
    """Return a game as text, and what it lacks because the log or the format cannot tell it.

    Raises
    ------
    UnwritableError
        if the log does not name a tile, which the format must number

    """
    game = with_indicators(game, "before_draw")
    lacks = list(game.lacks)
    tags = ['<mjloggm ver="2.3">', *_header(game, lacks)]
    for number, played in enumerate(game.rounds):
        last = number == len(game.rounds) - 1
        tags += _Round(game, played, lacks).tags(_owari(game, lacks) if last else "")
    return "".join([*tags, "</mjloggm>"]), lacks


def _listed(values: Iterable[object]) -> str:
    return ",".join(map(str, values))


def _hundreds(points: Sequence[int | None]) -> list[int]:
    return [(each or 0) // 100 for each in points]


def _header(game: Game, lacks: list[str]) -> list[str]:
    """Return the tags before the first round."""
    row, absent = game.row, SEATS - game.players
    names = [*(row["names"] or [""] * game.players), *[""] * absent]
    ranks, ratings = row["ranks"], row["ratings"]
    lacks += [
        f"{what} of the players"
        for what, value in (("names", row["names"]), ("ranks", ranks), ("ratings", ratings))
        if not value
    ]
    dan = [RANKS.index(each) if each in RANKS else 0 for each in ranks or [""] * game.players]
    rate = [f"{each:.2f}" for each in [*(ratings or [_GUEST_RATING] * game.players), *[_GUEST_RATING] * absent]]
    seed = f'<SHUFFLE seed="{row["seed"]}" ref=""/>' if row["seed"] else ""
    players = " ".join(f'n{seat}="{quote(name)}"' for seat, name in enumerate(names))
    return [
        seed,
        _go(game, lacks),
        f'<UN {players} dan="{_listed([*dan, *[0] * absent])}" rate="{_listed(rate)}" sx="{_listed(["C"] * SEATS)}"/>',
        '<TAIKYOKU oya="0"/>',
    ]


def _go(game: Game, lacks: list[str]) -> str:
    """Return the tag of the table: its type as Tenhou wrote it, or the bits of the rules that it can say."""
    table = _TABLE.fullmatch(game.row["table"] or "")
    if table:
        kind = int(table[1])
        if kind & _CHIPS:
            lacks.append("the chips")
        lobby = "" if table[2] == "-" else f' lobby="{table[2]}"'
        rule = f' csrule="{table[3]}"' if table[3] else ""
        return f'<GO type="{kind & ~_CHIPS}"{lobby}{rule}/>'
    named = table_type(game.row["source"])
    if named is not None:
        return f'<GO type="{named & ~_CHIPS}" lobby="0"/>'
    rules = game.rules
    kind = 1 | (0x10 if game.players < SEATS else 0)
    kind |= 0x2 if rules.red_fives is not None and not any(rules.red_fives) else 0
    kind |= 0x4 if rules.open_tanyao is False else 0
    kind |= 0x8 if rules.game_length == 2 else 0
    lacks += [f"the rule {name}, which Tenhou's table type cannot say" for name in other_rules(game, _SAID_BY_TYPE)]
    return f'<GO type="{kind}" lobby="0"/>'


def _owari(game: Game, lacks: list[str]) -> str:
    """Return the attribute with the final scores; empty if the log does not state them."""
    row = game.row
    if not row["final_scores"]:
        lacks.append("final scores")
        return ""
    points = row["final_points"] or [0.0] * SEATS
    pairs = zip(_hundreds(row["final_scores"]), (f"{each or 0:.1f}" for each in points), strict=True)
    return f' owari="{_listed(each for pair in pairs for each in pair)}"'


class _Round:
    """Writes one round: follows hands, scores and indicators as far as the events state them."""

    def __init__(self, game: Game, played: Round, lacks: list[str]) -> None:
        self.game, self.played, self.lacks = game, played, lacks
        self.where = f"round {played.row['nth']}"
        self.copies = Copies(game)
        self.scores = [each or 0 for each in played.row["start"] or [0] * SEATS]
        self.sticks = played.row["sticks"] or 0
        self.dora: list[int] = []
        self.melds: dict[int, list[tuple[int, list[int]]]] = {seat: [] for seat in range(SEATS)}
        self.drawn: dict[int, int] = {}
        self.ura: list[int] = []
        self.last = NONE

    def tags(self, owari: str) -> list[str]:
        """Return the tags of the round; the last one has the final scores."""
        found, results = [self._init()], iter(enumerate(self.played.results, 1))
        for each in self.played.events:
            if each.kind == "result":
                number, result = next(results)
                found.append(self._result(result, number, owari if number == len(self.played.results) else ""))
            else:
                found.append(self._event(each))
        if not self.played.results:
            self.lacks.append(f"{self.where}: its result")
        return found

    def _init(self) -> str:
        row = self.played.row
        stated = ("wind", "dealer", "honba", "sticks", "start", "dora", "dice")
        self.lacks += [f"{self.where}: {name}" for name in stated if row[name] is None]
        hands = [[self.copies.new(tile, seat) for tile in dealt] for seat, dealt in enumerate(self.played.dealt)]
        self.dora.append(self.copies.new(row["dora"]))
        place = SEATS * (row["wind"] or 0) + (row["dealer"] or 0)
        seed = [place, row["honba"] or 0, row["sticks"] or 0, *(row["dice"] or (0, 0)), self.dora[0]]
        dealt = " ".join(f'hai{seat}="{_listed(hand)}"' for seat, hand in enumerate(hands))
        shuffle = f' shuffle="{row["shuffle"]}"' if row["shuffle"] else ""
        scores = f'ten="{_listed(_hundreds(self.scores))}" oya="{row["dealer"] or 0}"'
        return f'<INIT seed="{_listed(seed)}" {scores} {dealt}{shuffle}/>'

    def _event(self, event: Event) -> str:
        """Return the tag of one event."""
        seat = event.seat if event.seat is not None else 0
        match event.kind:
            case "draw":
                self.last = self.drawn[seat] = self.copies.new(event.tile, seat)
                return f"<{_DRAW[seat]}{self.last}/>"
            case "discard":
                self.last = self.copies.given(event.tile, seat, just_drawn=self._is_drawn(event, seat))
                return f"<{_DISCARD[seat]}{self.last}/>"
            case "riichi":
                return f'<REACH who="{seat}" step="1"/>'
            case "deposit":
                return self._deposit(event, seat)
            case "dora":
                self.dora.append(self.copies.new(event.tile))
                return f'<DORA hai="{self.dora[-1]}" />'
        return self._other(event, seat)

    def _other(self, event: Event, seat: int) -> str:
        """Return the tag of a call, or of a player who leaves or comes back."""
        if event.kind == "leave":
            return f'<BYE who="{seat}" />'
        if event.kind == "return":
            name = (self.game.row["names"] or [""] * SEATS)[seat]
            return f'<UN n{seat}="{quote(name)}"/>'
        return f'<N who="{seat}" m="{self._meld(event, seat)}" />'

    def _deposit(self, event: Event, seat: int) -> str:
        """Return the tag of a paid stick, with the scores if the log has them or has no such event."""
        self.scores[seat] -= 1000
        self.sticks += 1
        stated = event.scored or self.game.row["deposits_inferred"]
        scores = f' ten="{_listed(_hundreds(self.scores))}"' if stated else ""
        return f'<REACH who="{seat}"{scores} step="2"/>'

    def _is_drawn(self, event: Event, seat: int) -> bool:
        """Return whether a discard is the tile just drawn; a tile with a number needs no mark."""
        drawn = self.drawn.pop(seat, None)
        return drawn is not None and bool(event.tsumogiri)

    def _meld(self, event: Event, seat: int) -> int:
        """Return the code of a call, and keep it for the winner's list."""
        self.drawn.pop(seat, None)
        offset = 0 if event.source is None else (event.source - seat) % SEATS
        if event.kind in {"chi", "pon", "daiminkan"}:
            called = self.last
            tiles = [called, *(self.copies.given(tile, seat) for tile in event.tiles[1:])]
        elif event.kind == "kakan":
            self.last = self.copies.given(event.tile, seat)
            return self._kakan(seat)
        else:
            tiles = [self.copies.given(tile, seat) for tile in event.tiles or (event.tile,)]
            called = tiles[0]
            self.last = called if event.kind == "kita" else self.last
        code = _code(event.kind, tiles, called, offset)
        self.melds[seat].append((code, tiles))
        return code

    def _kakan(self, seat: int) -> int:
        """Return the code of a kakan, which replaces that of its pon."""
        for number, (code, tiles) in enumerate(self.melds[seat]):
            if code & 0x1C == 0x8 and tiles[0] // 4 == self.last // 4:
                changed = (code & ~0x8) | 0x10
                self.melds[seat][number] = changed, [*tiles, self.last]
                return changed
        raise UnwritableError(f"a kakan of seat {seat} without its pon")

    def _result(self, result: Result, number: int, owari: str) -> str:
        claim = result.claim
        honba = claim["honba"] if claim["honba"] is not None else self.played.row["honba"] or 0
        sticks = claim["sticks"] if claim["sticks"] is not None else (self.sticks if number == 1 else 0)
        before = [each or 0 for each in claim["before"] or self.scores]
        moved = [each or 0 for each in claim["deltas"] or [0] * SEATS]
        if claim["deltas"] is None:
            self.lacks.append(f"{self.where}: changes of score")
        self.scores = [score + change for score, change in zip(before, moved, strict=True)]
        pairs = zip(_hundreds(before), _hundreds(moved), strict=True)
        sums = f'sc="{_listed(each for pair in pairs for each in pair)}"{owari}'
        if claim["reason"] == "win":
            return f'<AGARI ba="{honba},{sticks}" {self._win(result)} {sums} />'
        kind = f'type="{_TYPES[claim["reason"]]}" ' if claim["reason"] in _TYPES else ""
        if claim["reason"] is None:
            self.lacks.append(f"{self.where}: why it is drawn")
        seats = sorted(result.shown) or self._showing(claim["reason"])
        shown = "".join(f' hai{seat}="{_listed(self.copies.hand(seat))}"' for seat in seats)
        return f'<RYUUKYOKU {kind}ba="{honba},{sticks}" {sums}{shown} />'

    def _showing(self, reason: str | None) -> list[int]:
        """Return the seats whose hands Tenhou shows at an abort, though the log shows none (FORMAT.md 8)."""
        if reason == "kyuushu":
            return list(self.drawn)
        fed = [each.seat for each in self.played.events if each.kind in {"discard", "kakan", "kita"}][-1:]
        hidden = {"four_riichi": [], "triple_ron": fed}.get(reason or "", range(SEATS))
        return [seat for seat in range(SEATS) if seat not in hidden]

    def _win(self, result: Result) -> str:
        """Return the attributes of a win but the sums."""
        claim = result.claim
        winner, payer = claim["winner"], claim["payer"]
        if winner is None or payer is None:
            raise UnwritableError(f"{self.where}: a win without winner or payer")
        hand = self.copies.hand(winner) if winner == payer else sorted([*self.copies.hand(winner), self.last])
        fu, points = claim["fu"], claim["points"]
        self.lacks += [f"{self.where}: {name}" for name, value in (("fu", fu), ("points", points)) if value is None]
        if claim["yaku"] is None and claim["yakuman"] is None:
            self.lacks.append(f"{self.where}: yaku")
        limit = claim["limit"]
        if limit is None:
            limit = 5 if claim["yakuman"] else limit_of(self.game, fu, total_han(claim))
        codes = [code for code, _ in reversed(self.melds[winner])]
        found = [f'hai="{_listed(hand)}"']
        if codes:
            found.append(f'm="{_listed(codes)}"')
        found += [f'machi="{self.last}"', f'ten="{fu or 0},{points or 0},{limit}"']
        if claim["yaku"] is not None:
            pairs = zip(claim["yaku"], claim["han"], strict=True)
            found.append(f'yaku="{_listed(each for pair in pairs for each in pair)}"')
        if claim["yakuman"] is not None:
            found.append(f'yakuman="{_listed(claim["yakuman"])}"')
        found.append(f'doraHai="{_listed(self.dora)}"')
        if claim["ura"]:
            # All winners of a round see the same tiles.
            self.ura = self.ura or [self.copies.new(tile) for tile in claim["ura"]]
            found.append(f'doraHaiUra="{_listed(self.ura)}"')
        found += [f'who="{winner}"', f'fromWho="{payer}"']
        if claim["liable"] is not None:
            found.append(f'paoWho="{claim["liable"]}"')
        return " ".join(found)


def _code(kind: str, tiles: Sequence[int], called: int, offset: int) -> int:
    """Return the sixteen bits of a meld (FORMAT.md 5)."""
    ordered = sorted(tiles)
    lowest = ordered[0] // 4
    if kind == "chi":
        copies = sum(tile % 4 << 3 + 2 * place for place, tile in enumerate(ordered))
        shape = (lowest // 9 * 7 + lowest % 9) * 3 + ordered.index(called)
        return offset | 0x4 | copies | shape << 10
    if kind == "pon":
        spare = 6 - sum(tile % 4 for tile in ordered)
        return offset | 0x8 | spare << 5 | lowest * 3 + ordered.index(called) << 9
    if kind == "kita":
        return called << 8 | 0x20
    return called << 8 | offset


WRITER = Writer(".mjlog", write, frozenset({"yaku", "fu", "points", "final_points", "tenpai"}))
