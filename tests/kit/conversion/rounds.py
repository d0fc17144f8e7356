"""One round of 電脳麻将, replayed on Tenhou's tile ids and written as its tags.

Section numbers in brackets refer to the format notes on mjlog: 4 round tags, 6 order of events, 7 wins, 8 draws.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.kit.conversion.tiles import (
    Event,
    Meld,
    completes,
    csv_text,
    face_of,
    faces_of,
    hundreds,
    require,
    yakuman_fu,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

DRAW_TAGS, DISCARD_TAGS = "TUVW", "DEFG"

# In the order in which Tenhou lists them (seen in real wins; the order among value tiles varies there).
YAKU_IDS = {
    "立直": 1, "ダブル立直": 21, "一発": 2, "槍槓": 3, "嶺上開花": 4, "海底摸月": 5, "河底撈魚": 6,
    "門前清自摸和": 0, "平和": 7, "一盃口": 9, "二盃口": 32, "七対子": 22, "一気通貫": 24, "三色同順": 25,
    "三槓子": 27, "小三元": 30, "三暗刻": 29, "対々和": 28, "断幺九": 8, "三色同刻": 26,
    "自風 東": 10, "自風 南": 11, "自風 西": 12, "自風 北": 13,
    "場風 東": 14, "場風 南": 15, "場風 西": 16, "場風 北": 17,
    "翻牌 白": 18, "翻牌 發": 19, "翻牌 中": 20, "混全帯幺九": 23, "混老頭": 31, "純全帯幺九": 33,
    "混一色": 34, "清一色": 35, "ドラ": 52, "赤ドラ": 54, "裏ドラ": 53,
}  # fmt: skip
YAKUMAN_IDS = {
    "天和": 37, "地和": 38, "小四喜": 50, "大四喜": 49, "国士無双": 47, "国士無双十三面": 48,
    "九蓮宝燈": 45, "純正九蓮宝燈": 46, "大三元": 39, "四暗刻": 40, "四暗刻単騎": 41, "字一色": 42,
    "緑一色": 43, "清老頭": 44, "四槓子": 51,
}  # fmt: skip
URA = YAKU_IDS["裏ドラ"]
DRAW_TYPES = {
    "荒牌平局": None, "流し満貫": "nm", "九種九牌": "yao9", "四風連打": "kaze4",
    "四家立直": "reach4", "四開槓": "kan4", "三家和": "ron3",
}  # fmt: skip
REL = {"+": 1, "=": 2, "-": 3}


@dataclass
class Table:
    """The state between rounds: scores by seat, sticks on the table, and the game's options."""

    scores: list[int]
    sticks: int
    reds: bool
    early: bool
    tags: list[str] = field(default_factory=list)


class Round:
    """Replays one round of 電脳麻将 on Tenhou's ids and writes its tags."""

    def __init__(self, table: Table, wall: list[int], qipai: Event) -> None:
        self.table, self.wall = table, wall
        self.index: int = qipai["zhuangfeng"] * 4 + qipai["jushu"]
        self.honba: int = qipai["changbang"]
        self.next_draw, self.kans = 136, 0
        self.hands: list[list[int]] = [[], [], [], []]
        self.melds: list[list[Meld]] = [[], [], [], []]
        self.drawn = -1
        self.last = (-1, -1)
        self.declared = -1
        self.riichi: set[int] = set()
        self.shown, self.flipped = 1, 1
        self.open_kan = self.due = False
        self.winners = 0

    def seat(self, wind: int) -> int:
        """Turn a seat wind of this round into a seat counted from the first dealer."""
        return (self.index + wind) % 4

    def by_seat(self, values: Sequence[Any]) -> list[Any]:
        """Reorder a list by wind into a list by seat."""
        return [values[(seat - self.index) % 4] for seat in range(4)]

    def write(self, tag: str) -> None:
        """Append one tag to the log."""
        self.table.tags.append(tag)

    def face(self, tile: int) -> str:
        """Name a tile in the source's notation."""
        return face_of(tile, reds=self.table.reds)

    def expect(self, tile: int, face: str) -> int:
        """Give the tile, after checking that the wall and the log agree on it."""
        require(self.face(tile) == face, f"the wall has {self.face(tile)} where the log has {face}")
        return tile

    def take(self, seat: int, face: str, spare: int = -1) -> int:
        """Remove the lowest copy of a face from a hand, but not the spared tile."""
        tile = min((t for t in self.hands[seat] if self.face(t) == face and t != spare), default=-1)
        require(tile >= 0, f"seat {seat} holds no {face}")
        self.hands[seat].remove(tile)
        return tile

    def deal(self, qipai: Event, dice: tuple[int, int]) -> None:
        """Write INIT: 電脳麻将 deals thirteen tiles at once, the dealer first."""
        for wind in range(4):
            hand = [self.pop() for _ in range(13)]
            self.hands[self.seat(wind)] = hand
            self.check_hand(self.seat(wind), qipai["shoupai"][wind])
        require(self.by_seat(qipai["defen"]) == self.table.scores, "scores differ from the last round's")
        require(qipai["lizhibang"] == self.table.sticks, "sticks differ from the last round's")
        self.expect(self.wall[4], qipai["baopai"])
        seed = csv_text((self.index, self.honba, self.table.sticks, *dice, self.wall[4]))
        hands = " ".join(f'hai{seat}="{csv_text(hand)}"' for seat, hand in enumerate(self.hands))
        ten = csv_text(hundreds(self.table.scores))
        self.write(f'<INIT seed="{seed}" ten="{ten}" oya="{self.seat(0)}" {hands}/>')

    def check_hand(self, seat: int, notation: str, extra: Sequence[int] = ()) -> None:
        """Compare a hand of the log, melds included, with the replayed one."""
        tiles = [*self.hands[seat], *extra]
        for meld in self.melds[seat]:
            tiles += [*meld.own, *(tile for tile in (meld.called, meld.added) if tile >= 0)]
        same = sorted(map(self.face, tiles)) == sorted(faces_of(notation))
        require(same, f"seat {seat} holds no {notation}")

    def pop(self) -> int:
        """Take the next tile from the end of the wall."""
        self.next_draw -= 1
        return self.wall[self.next_draw]

    # Events, one method for each key of the source.

    def draw(self, event: Event, tile: int) -> None:
        """Write a draw; replacement draws look the same."""
        seat = self.seat(event["l"])
        self.drawn = self.expect(tile, event["p"])
        self.hands[seat].append(tile)
        self.write(f"<{DRAW_TAGS[seat]}{tile}/>")

    def zimo(self, event: Event) -> None:
        """Write an ordinary draw."""
        self.draw(event, self.pop())

    def gangzimo(self, event: Event) -> None:
        """Write a replacement draw; an earlier kan's indicator comes first (section 6)."""
        self.show_due()
        self.due, self.open_kan = self.open_kan, False
        self.kans += 1
        self.draw(event, self.wall[self.kans - 1])

    def show(self) -> None:
        """Write the next indicator."""
        self.write(f'<DORA hai="{self.wall[4 + self.shown]}" />')
        self.shown += 1

    def show_due(self) -> None:
        """Write the indicator of an open kan that is still missing."""
        if self.due:
            self.show()
            self.due = False

    def kaigang(self, event: Event) -> None:
        """Check the source's indicator; ``show`` writes it at Tenhou's moment."""
        self.expect(self.wall[4 + self.flipped], event["baopai"])
        self.flipped += 1

    def dapai(self, event: Event) -> None:
        """Write a discard, a missing indicator before it, and the first half of a riichi."""
        seat, mark = self.seat(event["l"]), event["p"]
        self.show_due()
        if "*" in mark:
            self.write(f'<REACH who="{seat}" step="1"/>')
            self.declared = seat
        if mark[2:3] == "_":
            tile = self.expect(self.drawn, mark[:2])
            self.hands[seat].remove(tile)
        else:
            lone = [t for t in self.hands[seat] if self.face(t) == mark[:2]] == [self.drawn]
            require(not lone, f"{mark[:2]} leaves the hand, though its only copy was just drawn")
            tile = self.take(seat, mark[:2], spare=self.drawn)
        self.drawn, self.last = -1, (seat, tile)
        self.write(f"<{DISCARD_TAGS[seat]}{tile}/>")

    def accept_riichi(self) -> None:
        """Write the second half of a riichi whose tile nobody won."""
        if self.declared < 0:
            return
        seat, self.declared = self.declared, -1
        self.riichi.add(seat)
        self.table.scores[seat] -= 1000
        self.table.sticks += 1
        ten = "" if self.table.early else f' ten="{csv_text(hundreds(self.table.scores))}"'
        self.write(f'<REACH who="{seat}"{ten} step="2"/>')

    def fulou(self, event: Event) -> None:
        """Write a chi, pon or daiminkan."""
        seat, text = self.seat(event["l"]), event["m"]
        mark = next(char for char in text if char in REL)
        source, called = self.last
        require((seat + REL[mark]) % 4 == source, f"{text} claims from the wrong seat")
        place = len(faces_of(text[: text.index(mark)])) - 1
        faces = faces_of(text)
        self.expect(called, faces.pop(place))
        own = [self.take(seat, face) for face in faces]
        shape = {3: "daiminkan", 2: "pon" if called // 4 == own[0] // 4 else "chi"}[len(own)]
        self.open_kan = shape == "daiminkan"
        self.drawn = -1
        self.call(seat, Meld(shape, own, called, REL[mark]))

    def call(self, seat: int, meld: Meld) -> None:
        """Write a new meld."""
        self.melds[seat].append(meld)
        self.write(f'<N who="{seat}" m="{meld.code()}" />')

    def gang(self, event: Event) -> None:
        """Write an ankan or a kakan."""
        seat, faces = self.seat(event["l"]), faces_of(event["m"])
        if any(char in REL for char in event["m"]):
            self.kakan(seat, faces[-1])
            return
        if seat in self.riichi:
            waited = completes([tile // 4 for tile in self.hands[seat]])
            require(not waited, "an ankan of a waited tile in riichi (not known of Tenhou)")
        self.show_due()
        self.call(seat, Meld("ankan", [self.take(seat, face) for face in faces]))
        self.show()

    def kakan(self, seat: int, face: str) -> None:
        """Replace a pon by its kakan."""
        tile = self.take(seat, face)
        meld = next(m for m in self.melds[seat] if m.shape == "pon" and m.called // 4 == tile // 4)
        meld.added = tile
        self.open_kan, self.last = True, (seat, tile)
        self.write(f'<N who="{seat}" m="{meld.code()}" />')

    # Results.

    def stakes(self) -> str:
        """Write honba and the sticks that this result hands over."""
        return f'ba="{self.honba},{0 if self.winners else self.table.sticks}"'

    def settle(self, changes: list[int]) -> str:
        """Write scores and changes, and apply the changes."""
        pairs = zip(hundreds(self.table.scores), hundreds(changes), strict=True)
        text = csv_text(value for pair in pairs for value in pair)
        self.table.scores = [score + change for score, change in zip(self.table.scores, changes, strict=True)]
        return f'sc="{text}"'

    def hule(self, event: Event) -> None:
        """Write a win (section 7)."""
        who = self.seat(event["l"])
        tsumo = event["baojia"] is None
        source = who if tsumo else self.seat(event["baojia"])
        tile = self.drawn if tsumo else self.last[1]
        require(tsumo or self.last[0] == source, "a ron from a seat that did not discard")
        require(self.shown == self.flipped, "電脳麻将 had turned an indicator that Tenhou still withholds")
        require(self.winners < 2, "three seats rob one kakan: Tenhou aborts")
        self.check_hand(who, event["shoupai"], () if tsumo else (tile,))
        hand = sorted(self.hands[who] if tsumo else [*self.hands[who], tile])
        melds = csv_text(meld.code() for meld in reversed(self.melds[who]))
        parts = [
            f'AGARI {self.stakes()} hai="{csv_text(hand)}"',
            *([f'm="{melds}"'] if melds else []),
            f'machi="{tile}"',
            self.value(event, who, hand, tile, tsumo=tsumo),
            *self.indicators(event),
            f'who="{who}" fromWho="{source}"',
            *self.liability(event, who, source),
            self.pay(event, who, tsumo=tsumo),
        ]
        self.write(f"<{' '.join(parts)} />")
        self.winners += 1

    def value(self, event: Event, who: int, hand: list[int], tile: int, *, tsumo: bool) -> str:
        """Write fu, points, limit and the yaku that the source claims."""
        names = {item["name"]: item["fanshu"] for item in event["hupai"]}
        if "damanguan" in event:
            return self.yakuman(event, who, hand, tile, tsumo=tsumo)
        pairs = {YAKU_IDS[name]: han for name, han in names.items()}
        if event["fubaopai"] is not None:
            pairs.setdefault(URA, 0)
        han, fu, points = event["fanshu"], event["fu"], event["defen"]
        require(sum(pairs.values()) == han, f"yaku of {sum(pairs.values())} han claimed as {han}")
        order = list(YAKU_IDS.values())
        ranked = sorted(pairs, key=order.index)
        listed = csv_text(f"{yaku},{pairs[yaku]}" for yaku in ranked)
        return f'ten="{fu},{points},{limit_of(han, fu)}" yaku="{listed}"'

    def yakuman(self, event: Event, who: int, hand: list[int], tile: int, *, tsumo: bool) -> str:
        """Write a yakuman; each counts once on Tenhou."""
        ids = [YAKUMAN_IDS[item["name"]] for item in event["hupai"]]
        require(event["damanguan"] == len(ids), "a double yakuman")
        require(not (37 in ids and len(ids) > 1), "天和 in a compound: the winning tile is a matter of taste")
        winds = (27 + self.index // 4, 27 + event["l"])
        kinds = [t // 4 for t in hand]
        fu = yakuman_fu(kinds, tile // 4, self.melds[who], tsumo=tsumo, winds=winds)
        order = list(YAKUMAN_IDS.values())
        ids.sort(key=order.index)
        return f'ten="{fu},{event["defen"]},5" yakuman="{csv_text(ids)}"'

    def indicators(self, event: Event) -> Iterator[str]:
        """Write the indicators shown and, for riichi winners, those below them."""
        yield f'doraHai="{csv_text(self.wall[4 : 4 + self.shown])}"'
        if event["fubaopai"] is not None:
            below = self.wall[9 : 9 + self.shown]
            faces = [self.face(tile) for tile in below]
            require(faces == event["fubaopai"], "ura indicators differ from the wall")
            yield f'doraHaiUra="{csv_text(below)}"'

    def liability(self, event: Event, who: int, source: int) -> Iterator[str]:
        """Write the liable seat, if both sites settle the liability alike."""
        marks = [item["baojia"] for item in event["hupai"] if "baojia" in item]
        if not marks:
            return
        liable = (who + REL[marks[0]]) % 4
        require(len(event["hupai"]) == 1, "a liability in a compound yakuman")
        require(source != liable, "a ron from the liable seat itself")
        require(source == who or self.honba == 0 or self.winners, "a liability, a ron and honba")
        yield f'paoWho="{liable}"'

    def pay(self, event: Event, who: int, *, tsumo: bool) -> str:
        """Write the payments, after checking them against the claimed points."""
        changes = self.by_seat(event["fenpei"])
        bonus = 0 if self.winners else self.honba * 300 + self.table.sticks * 1000
        require(changes[who] == event["defen"] + bonus, f"a win of {event['defen']} pays {changes[who]}")
        require(sum(changes) == (0 if self.winners else self.table.sticks * 1000), "payments do not balance")
        require(tsumo or self.declared != who, "a declarer wins from its own discard")
        text = self.settle(changes)
        self.table.sticks = 0 if not self.winners else self.table.sticks
        return text

    def pingju(self, event: Event) -> None:
        """Write a draw (section 8)."""
        name = event["name"]
        if name != "三家和":
            self.accept_riichi()
        changes = self.by_seat(event["fenpei"]) if event["fenpei"] else [0, 0, 0, 0]
        require(sum(changes) == 0, "payments at a draw do not balance")
        require(name != "流し満貫" or sum(change > 0 for change in changes) == 1, "two seats with 流し満貫")
        kind = f'type="{DRAW_TYPES[name]}" ' if DRAW_TYPES[name] else ""
        shown = "".join(self.shown_hands(name, self.by_seat(event["shoupai"])))
        self.write(f"<RYUUKYOKU {kind}{self.stakes()} {self.settle(changes)}{shown} />")

    def shown_hands(self, name: str, hands: list[str]) -> Iterator[str]:
        """Write the concealed tiles of every seat that shows its hand."""
        for seat, notation in enumerate(hands):
            if notation:
                self.check_hand(seat, notation, self.won_tile(name, seat, notation))
                yield f' hai{seat}="{csv_text(sorted(self.hands[seat]))}"'

    def won_tile(self, name: str, seat: int, notation: str) -> tuple[int, ...]:
        """Give the tile of 三家和 if the hand string includes it; Tenhou shows the hand without it."""
        held = sum(len(m.own) + (m.called >= 0) + (m.added >= 0) for m in self.melds[seat])
        carries = len(faces_of(notation)) > held + len(self.hands[seat])
        return (self.last[1],) if name == "三家和" and carries else ()

    def play(self, events: Sequence[Event]) -> None:
        """Write every event of the round after its deal."""
        for event in events:
            ((key, body),) = event.items()
            if key not in ("kaigang", "hule", "pingju"):
                self.accept_riichi()
            getattr(self, key)(body)


def limit_of(han: int, fu: int) -> int:
    """Give Tenhou's limit code: 0 none, 1 mangan … 4 sanbaiman, 5 counted yakuman."""
    for code, least in ((5, 13), (4, 11), (3, 8), (2, 6), (1, 5)):
        if han >= least:
            return code
    return int(fu << (han + 2) >= 2000)


# --- the game --------------------------------------------------------------------------------------------
