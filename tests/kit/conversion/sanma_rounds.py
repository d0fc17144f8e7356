"""One round of three players, as riichienv played it, written as Tenhou's tags.

Section numbers in brackets refer to the format notes on mjlog: 4 round tags, 6 order of events, 7 wins, 8 draws.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.kit.conversion.rounds import DISCARD_TAGS, DRAW_TAGS, YAKU_IDS, YAKUMAN_IDS, limit_of
from tests.kit.conversion.tiles import RED_IDS, Event, Meld, csv_text, hundreds, require, yakuman_fu

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PLAYERS = 3
NORTH, WEST = 30, 29
KITA = 0x20
LIVE_END = 14
"""The tiles of the wall that are never drawn in turn; replacements are its first, then indicators and ura."""
FIRST_INDICATOR = 8

# The numbers of riichienv's yaku. A seat wind and a round wind (10 and 11) depend on the seat and the round.
YAKU = {
    1: 0, 2: 1, 3: 3, 4: 4, 5: 5, 6: 6, 7: 18, 8: 19, 9: 20, 12: 8, 13: 9, 14: 7, 15: 23, 16: 24, 17: 25, 18: 21,
    19: 26, 20: 27, 21: 28, 22: 29, 23: 30, 24: 31, 25: 22, 26: 33, 27: 34, 28: 32, 29: 35, 30: 2,
}  # fmt: skip
YAKUMAN = {
    35: 37, 36: 38, 37: 39, 38: 40, 39: 42, 40: 43, 41: 44, 42: 47, 43: 50, 44: 51, 45: 45, 47: 46, 48: 41, 49: 48,
    50: 49,
}  # fmt: skip
SEAT_WIND, ROUND_WIND = 10, 11
BONUSES = {31, 32, 33, 34}
DORA, URA, RED = 52, 53, 54
TANYAO = 8
HAN = {21: 2, 22: 2, 23: 2, 24: 2, 25: 2, 26: 2, 27: 2, 28: 2, 29: 2, 30: 2, 31: 2, 32: 3, 33: 3, 34: 3, 35: 6}
"""Han of a closed hand where they are not one."""
LESS_OPEN = {23, 24, 25, 33, 34, 35}

DRAW_TYPES = {"exhaustive_draw": None, "nagashimangan": "nm", "kyushu_kyuhai": "yao9", "suukansansen": "kan4"}


@dataclass
class Table:
    """The state between rounds: scores by seat, sticks on the table, and the game's options."""

    scores: list[int]
    sticks: int = 0
    reds: bool = True
    open_tanyao: bool = True
    early: bool = False
    tags: list[str] = field(default_factory=list)


def face_of(tile: int) -> str:
    """Name the tile with this id as the log of riichienv does."""
    kind = tile // 4
    if kind >= 27:
        return "ESWNPFC"[kind - 27]
    return f"{kind % 9 + 1}{'mps'[kind // 9]}{'r' * (tile in RED_IDS)}"


def successor(kind: int) -> int:
    """Give the dora of an indicator: with three players 1m and 9m follow each other."""
    if kind in (0, 8):
        return 8 - kind
    if kind < 27:
        return kind // 9 * 9 + (kind % 9 + 1) % 9
    return 27 + (kind - 26) % 4 if kind < 31 else 31 + (kind - 30) % 3


class Round:
    """Replays one round and writes its tags."""

    def __init__(self, table: Table, source: Event) -> None:
        self.table, self.wall = table, list(source["wall"])
        start = source["start"]
        self.index: int = "ESW".index(start["bakaze"]) * 4 + start["kyoku"] - 1
        self.dealer, self.honba = start["oya"], start["honba"]
        self.hands: list[list[int]] = [list(hand) for hand in source["hands"]]
        self.calls: list[list[Meld | int]] = [[], [], []]
        self.drawn, self.last, self.declared = -1, (-1, -1), -1
        self.riichi: set[int] = set()
        self.replacements, self.shown, self.winners = 0, 1, 0
        self.owed = self.replaces = self.robbed = False
        self.open(start)

    def write(self, tag: str) -> None:
        """Append one tag to the log."""
        self.table.tags.append(tag)

    def expect(self, tile: int, face: str) -> int:
        """Give the tile, after checking that it has this face."""
        require(face_of(tile) == face, f"{face_of(tile)} where the log has {face}")
        return tile

    def open(self, start: Event) -> None:
        """Write INIT."""
        require(self.dealer == self.index % 4, "the dealer is not that of the round")
        require(start["scores"] == self.table.scores, "scores differ from the last round's")
        require(start["kyotaku"] == self.table.sticks, "sticks differ from the last round's")
        for hand, faces in zip(self.hands, start["tehais"], strict=True):
            require(sorted(map(face_of, hand)) == sorted(faces), "a hand differs from the log's")
        tiles = [*self.wall, *(tile for hand in self.hands for tile in hand)]
        require(sorted(tiles) == [*range(4), *range(32, 136)], "the wall and the hands are not the 108 tiles")
        indicator = self.expect(self.indicator(0), start["dora_marker"])
        seed = csv_text((self.index, self.honba, self.table.sticks, *self.dice(), indicator))
        hands = " ".join(f'hai{seat}="{csv_text(hand)}"' for seat, hand in enumerate([*self.hands, []]))
        ten = csv_text(hundreds([*self.table.scores, 0]))
        self.write(f'<INIT seed="{seed}" ten="{ten}" oya="{self.dealer}" {hands}/>')

    def dice(self) -> tuple[int, int]:
        """Invent two dice, which the source does not have, from the wall."""
        return self.wall[0] % 6, self.wall[1] % 6

    def indicator(self, number: int, *, ura: bool = False) -> int:
        """Give an indicator, or the tile below it."""
        return self.wall[FIRST_INDICATOR + 2 * number + ura]

    # Events, one method for each type of the source.

    def tsumo(self, event: Event) -> None:
        """Write a draw; replacement draws look the same."""
        seat = event["actor"]
        if self.replaces:
            tile = self.wall[self.replacements]
            self.replacements += 1
        else:
            tile = self.wall.pop()
            require(len(self.wall) >= LIVE_END + self.replacements, "a draw from the dead wall")
        self.replaces = False
        self.drawn = self.expect(tile, event["pai"])
        self.hands[seat].append(tile)
        self.write(f"<{DRAW_TAGS[seat]}{tile}/>")

    def reach(self, event: Event) -> None:
        """Write the first half of a riichi."""
        self.declared = event["actor"]
        self.write(f'<REACH who="{self.declared}" step="1"/>')

    def dahai(self, event: Event) -> None:
        """Write a discard."""
        seat, tile = event["actor"], self.expect(event["tile"], event["pai"])
        require(event["tsumogiri"] == (tile == self.drawn), "a discard of the drawn tile that is not marked so")
        require(not self.owed, "a discard before an indicator")
        self.hands[seat].remove(tile)
        self.drawn, self.last = -1, (seat, tile)
        self.write(f"<{DISCARD_TAGS[seat]}{tile}/>")

    def reach_accepted(self, event: Event) -> None:
        """Write the second half of a riichi."""
        seat, self.declared = self.declared, -1
        require(event["actor"] == seat, "a riichi that nobody declared")
        self.riichi.add(seat)
        self.table.scores[seat] -= 1000
        self.table.sticks += 1
        ten = "" if self.table.early else f' ten="{csv_text(hundreds([*self.table.scores, 0]))}"'
        self.write(f'<REACH who="{seat}"{ten} step="2"/>')

    def pon(self, event: Event) -> None:
        """Write a pon or, with three own tiles, a daiminkan."""
        seat, called, own = event["actor"], event["tile"], event["own"]
        require(self.last == (event["target"], called), "a claim of another tile than the last")
        for tile in own:
            self.hands[seat].remove(tile)
        open_kan = len(own) == 3
        self.owed = self.replaces = open_kan
        self.drawn = -1
        meld = Meld("daiminkan" if open_kan else "pon", own, called, (event["target"] - seat) % 4)
        self.call(seat, meld, meld.code())

    daiminkan = pon

    def call(self, seat: int, call: Meld | int, code: int) -> None:
        """Write a new meld or a kita."""
        self.calls[seat].append(call)
        self.write(f'<N who="{seat}" m="{code}" />')

    def ankan(self, event: Event) -> None:
        """Write a closed kan."""
        seat = event["actor"]
        require(not self.owed, "an ankan before an indicator, which Tenhou turns first")
        for tile in event["own"]:
            self.hands[seat].remove(tile)
        self.replaces = True
        meld = Meld("ankan", list(event["own"]))
        self.call(seat, meld, meld.code())

    def kakan(self, event: Event) -> None:
        """Replace a pon by its kakan."""
        seat, tile = event["actor"], event["tile"]
        self.hands[seat].remove(tile)
        meld = next(m for m in self.melds(seat) if m.shape == "pon" and m.added < 0 and m.called // 4 == tile // 4)
        meld.added = tile
        self.owed = self.replaces = True
        self.last = (seat, tile)
        self.write(f'<N who="{seat}" m="{meld.code()}" />')

    def kita(self, event: Event) -> None:
        """Write a north that is set aside."""
        seat, tile = event["actor"], self.expect(event["tile"], event["pai"])
        require(seat not in self.riichi or tile == self.drawn, "a kita in riichi of another north than the drawn one")
        self.hands[seat].remove(tile)
        self.replaces = True
        self.last = (seat, tile)
        self.call(seat, tile, tile << 8 | KITA)

    def dora(self, event: Event) -> None:
        """Write an indicator where the source has it: the order is Tenhou's [6]."""
        tile = self.expect(self.indicator(self.shown), event["dora_marker"])
        self.shown += 1
        self.owed = False
        self.write(f'<DORA hai="{tile}" />')

    # Results.

    def melds(self, seat: int) -> list[Meld]:
        """List the melds of a seat without its norths."""
        return [call for call in self.calls[seat] if isinstance(call, Meld)]

    def norths(self, seat: int) -> int:
        """Count the norths that a seat has set aside."""
        return sum(isinstance(call, int) for call in self.calls[seat])

    def stakes(self) -> str:
        """Write honba and the sticks that this result hands over."""
        return f'ba="{self.honba},{0 if self.winners else self.table.sticks}"'

    def settle(self, changes: list[int]) -> str:
        """Write scores and changes, and apply the changes. The seat that does not exist has zeros."""
        pairs = zip(hundreds([*self.table.scores, 0]), hundreds([*changes, 0]), strict=True)
        text = csv_text(value for pair in pairs for value in pair)
        self.table.scores = [score + change for score, change in zip(self.table.scores, changes, strict=True)]
        return f'sc="{text}"'

    def hora(self, event: Event) -> None:
        """Write a win [7]."""
        who, source = event["actor"], event["target"]
        tsumo = who == source
        tile = self.drawn if tsumo else self.last[1]
        require(tsumo or self.last[0] == source, "a ron from a seat that did not discard")
        require(
            tsumo or tile // 4 != NORTH or not self.owed, "a ron on a kita before an indicator (not known of Tenhou)"
        )
        require(event["liable"] is None, "a liability (not known of Tenhou with three players)")
        hand = sorted(self.hands[who] if tsumo else [*self.hands[who], tile])
        riichi = who in self.riichi or self.declared == who
        ura = [self.indicator(number, ura=True) for number in range(self.shown)] if riichi else []
        require(list(map(face_of, ura)) == event["ura_markers"], "ura indicators differ from the wall")
        codes = [call << 8 | KITA if isinstance(call, int) else call.code() for call in reversed(self.calls[who])]
        shown = csv_text(self.indicator(number) for number in range(self.shown))
        parts = [
            f'AGARI {self.stakes()} hai="{csv_text(hand)}"',
            *([f'm="{csv_text(codes)}"'] if codes else []),
            f'machi="{tile}"',
            self.value(event, who, hand, tile, ura=ura, riichi=riichi),
            f'doraHai="{shown}"',
            *([f'doraHaiUra="{csv_text(ura)}"'] if riichi else []),
            f'who="{who}" fromWho="{source}"',
            self.settle(event["deltas"]),
        ]
        self.write(f"<{' '.join(parts)} />")
        self.table.sticks = 0
        self.winners += 1

    def points(self, event: Event, who: int) -> int:
        """Give what the hand itself is worth, after checking that the payments are in Tenhou's way."""
        changes, tsumo = event["deltas"], event["actor"] == event["target"]
        honba = 0 if self.winners else 100 * self.honba
        sticks = 0 if self.winners else 1000 * self.table.sticks
        require(sum(changes) == sticks, "payments do not balance")
        payers = [seat for seat in range(PLAYERS) if seat != who and changes[seat]]
        require(len(payers) == (2 if tsumo else 1), "other seats pay than the two of a tsumo or the one of a ron")
        return int(changes[who]) - sticks - 2 * honba

    def value(self, event: Event, who: int, hand: list[int], tile: int, *, ura: list[int], riichi: bool) -> str:
        """Write fu, points, limit and the yaku that the source claims."""
        points = self.points(event, who)
        if event["yakuman"]:
            return self.yakuman(event, who, hand, tile, points)
        closed = all(meld.shape == "ankan" for meld in self.melds(who))
        winds = {SEAT_WIND: 10 + (who - self.dealer) % PLAYERS, ROUND_WIND: 14 + self.index // 4}
        ids = [winds.get(number) or YAKU[number] for number in event["yaku"] if number not in BONUSES]
        require(self.table.open_tanyao or closed or TANYAO not in ids, "an open tanyao")
        pairs = {yaku: HAN.get(yaku, 1) - (not closed and yaku in LESS_OPEN) for yaku in ids}
        pairs |= self.bonuses(who, hand, ura, riichi=riichi)
        require(sum(pairs.values()) == event["han"], f"yaku of {sum(pairs.values())} han claimed as {event['han']}")
        order = list(YAKU_IDS.values())
        listed = csv_text(f"{yaku},{pairs[yaku]}" for yaku in sorted(pairs, key=order.index))
        return f'ten="{event["fu"]},{points},{limit_of(event["han"], event["fu"])}" yaku="{listed}"'

    def bonuses(self, who: int, hand: Sequence[int], ura: Sequence[int], *, riichi: bool) -> dict[int, int]:
        """Count the dora, which the source gives as a part of the han only."""
        melds = [tile for m in self.melds(who) for tile in (*m.own, m.called, m.added) if tile >= 0]
        tiles, norths = [*hand, *melds], self.norths(who)
        kinds = [tile // 4 for tile in tiles] + [NORTH] * norths

        def count(indicators: Sequence[int]) -> int:
            return sum(kinds.count(successor(tile // 4)) for tile in indicators)

        reds = sum(tile in RED_IDS for tile in tiles)
        require(self.table.reds or not reds, "a win with a red five")
        dora = norths + count([self.indicator(number) for number in range(self.shown)])
        found = {DORA: dora, RED: reds}
        return {yaku: han for yaku, han in found.items() if han} | ({URA: count(ura)} if riichi else {})

    def yakuman(self, event: Event, who: int, hand: list[int], tile: int, points: int) -> str:
        """Write a yakuman; each counts once on Tenhou. Its fu are computed: the source has others."""
        ids = [YAKUMAN[number] for number in event["yaku"]]
        require(not (37 in ids and len(ids) > 1), "天和 in a compound: the winning tile is a matter of taste")
        winds = (27 + self.index // 4, 27 + (who - self.dealer) % PLAYERS)
        tsumo = event["actor"] == event["target"]
        fu = yakuman_fu([t // 4 for t in hand], tile // 4, self.melds(who), tsumo=tsumo, winds=winds)
        ids.sort(key=list(YAKUMAN_IDS.values()).index)
        return f'ten="{fu},{points},5" yakuman="{csv_text(ids)}"'

    def ryukyoku(self, event: Event) -> None:
        """Write a draw [8]."""
        kind, changes = DRAW_TYPES[event["reason"]], event["deltas"]
        require(sum(changes) == 0, "payments at a draw do not balance")
        gains = [seat for seat in range(PLAYERS) if changes[seat] > 0]
        require(kind != "nm" or len(gains) == 1, "two seats with 流し満貫")
        require(kind != "nm" or gains != [self.dealer], "流し満貫 of the dealer (not known of Tenhou)")
        name = f'type="{kind}" ' if kind else ""
        shown = "".join(f' hai{seat}="{csv_text(sorted(self.hands[seat]))}"' for seat in self.shows(kind, event))
        self.write(f"<RYUUKYOKU {name}{self.stakes()} {self.settle(changes)}{shown} />")

    def shows(self, kind: str | None, event: Event) -> Iterator[int]:
        """Name the seats that show their hands."""
        if kind == "yao9":
            yield from (seat for seat in range(PLAYERS) if len(self.hands[seat]) == 14)
        elif kind in (None, "nm"):
            ready = [seat for seat in range(PLAYERS) if event["tenpai"][seat]]
            fees = {1: (2000, -1000), 2: (1000, -2000)}.get(len(ready), (0, 0))
            paid = [fees[seat not in ready] for seat in range(PLAYERS)]
            require(kind == "nm" or event["deltas"] == paid, "noten payments that are not Tenhou's")
            yield from ready

    def play(self, events: Sequence[Event]) -> None:
        """Write every event of the round after its deal."""
        for event in events:
            getattr(self, event["type"])(event)
