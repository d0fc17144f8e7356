"""Convert self-played games of 電脳麻将 (majiang-core) into Tenhou mjlog XML.

Real Tenhou logs may not be shipped, so the project ships these: the tiles, hands, yaku, fu, points and
payments are the other engine's claims, written as Tenhou would have written the same game. A game in
which the two rule sets would have gone apart is refused (`RefusedError`), never bent.

Invented, because the source has no such thing: dice (any value from 0 to 5), which of several equal
copies a player discards (the lowest that was not just drawn), the order of ids within a kind, ranks and
ratings, the date in the file name, and the fu of a yakuman, which 電脳麻将 leaves out and Tenhou records.

Section numbers in brackets refer to the format notes on mjlog: 2 tiles, 3 header, 5 melds, 6 order of
events, 7 wins, 8 draws.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import json
import random
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Event = dict[str, Any]
Split = list[tuple[str, int]]

RED_IDS = (16, 52, 88)
DRAW_TAGS, DISCARD_TAGS = "TUVW", "DEFG"
KOKUSHI = {0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33}

# Every value that Tenhou's ranked tables fix; the three freedoms are bits of the GO type.
TENHOU_RULE: dict[str, Any] = {
    "配給原点": 25000,
    "連風牌は2符": False,
    "喰い替え許可レベル": 0,
    "途中流局あり": True,
    "流し満貫あり": True,
    "ノーテン宣言あり": False,
    "ノーテン罰あり": True,
    "最大同時和了数": 2,
    "連荘方式": 2,
    "トビ終了あり": True,
    "オーラス止めあり": True,
    "延長戦方式": 1,
    "一発あり": True,
    "裏ドラあり": True,
    "カンドラあり": True,
    "カン裏あり": True,
    "カンドラ後乗せ": True,
    "ツモ番なしリーチあり": False,
    "リーチ後暗槓許可レベル": 2,
    "役満の複合あり": True,
    "ダブル役満あり": False,
    "数え役満あり": True,
    "役満パオあり": True,
    "切り上げ満貫あり": False,
}
UMA = (20, 10, -10, -20)

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


class RefusedError(ValueError):
    """The game cannot be written as a Tenhou game without changing what happened in it."""


def require(condition: object, message: str) -> None:
    """Refuse the game with the message unless the condition holds."""
    if not condition:
        raise RefusedError(message)


# --- tiles and melds -------------------------------------------------------------------------------------


def face_of(tile: int, *, reds: bool) -> str:
    """Name the tile with this id as 電脳麻将 does: suit letter and digit, 0 for a red five."""
    kind = tile // 4
    if reds and tile in RED_IDS:
        return "mps"[kind // 9] + "0"
    return "mpsz"[kind // 9] + str(kind % 9 + 1)


def faces_of(notation: str) -> list[str]:
    """List the faces in a hand or meld string, ignoring every mark."""
    faces: list[str] = []
    suit = ""
    for char in notation:
        if char in "mpsz":
            suit = char
        elif char.isdigit():
            faces.append(suit + char)
    return faces


def wall_ids(wall: str, *, reds: bool, rng: random.Random) -> list[int]:
    """Give every tile of a wall its own id (section 2); copies of a kind are numbered in random order."""
    stock: dict[str, list[int]] = {}
    for tile in rng.sample(range(136), 136):
        stock.setdefault(face_of(tile, reds=reds), []).append(tile)
    faces = [wall[i : i + 2] for i in range(0, len(wall), 2)]
    require(len(faces) == 136, f"a wall of {len(faces)} tiles")
    return [stock[face].pop() for face in faces]


@dataclass
class Meld:
    """A meld: its own tiles, the claimed tile, where that came from, and the tile added by a kakan."""

    shape: str
    own: list[int]
    called: int = -1
    rel: int = 0
    added: int = -1

    def code(self) -> int:
        """Pack the meld into Tenhou's 16 bits (section 5)."""
        tiles = sorted([*self.own, *([] if self.called < 0 else [self.called])])
        kind = tiles[0] // 4
        if self.shape == "chi":
            copies = sum((tile % 4) << (3 + 2 * i) for i, tile in enumerate(tiles))
            place = (kind // 9 * 7 + kind % 9) * 3 + tiles.index(self.called)
            return self.rel | 4 | copies | place << 10
        if self.shape == "pon":
            unused = 6 - sum(tile % 4 for tile in tiles)
            bit, spare = (16, self.added % 4) if self.added >= 0 else (8, unused)
            return self.rel | bit | spare << 5 | (kind * 3 + tiles.index(self.called)) << 9
        return (kind * 4 if self.shape == "ankan" else self.called) << 8 | self.rel


# --- fu of a yakuman -------------------------------------------------------------------------------------


def groupings(counts: list[int], start: int = 0) -> Iterator[Split]:
    """Yield every way to divide the counted tiles into triplets and sequences."""
    kind = next((k for k in range(start, 34) if counts[k]), None)
    if kind is None:
        yield []
        return
    run = (kind, kind + 1, kind + 2)
    for name, members in (("triplet", (kind,) * 3), ("sequence", run)):
        legal = counts[kind] >= 3 if name == "triplet" else kind < 27 and kind % 9 < 7
        if legal and all(counts[k] for k in members):
            left = counts.copy()
            for member in members:
                left[member] -= 1
            yield from ([(name, kind), *rest] for rest in groupings(left, kind))


def splits(kinds: Sequence[int]) -> list[Split]:
    """List every division of concealed tiles into one pair and groups."""
    counts = [kinds.count(kind) for kind in range(34)]
    found: list[Split] = []
    for pair in range(34):
        if counts[pair] >= 2:
            left = counts.copy()
            left[pair] -= 2
            found += [[("pair", pair), *rest] for rest in groupings(left)]
    return found


def completes(kinds: Sequence[int]) -> bool:
    """Tell whether the concealed tiles form a winning shape (pairs and orphans included)."""
    seven_pairs = len(kinds) == 14 and len(set(kinds)) == 7 and all(kinds.count(k) == 2 for k in kinds)
    orphans = len(kinds) == 14 and set(kinds) == KOKUSHI
    return seven_pairs or orphans or bool(splits(kinds))


def triplet_fu(kind: int, *, concealed: bool, kan: bool) -> int:
    """Give the fu of three or four equal tiles."""
    return 2 * (2 if kind in KOKUSHI else 1) * (2 if concealed else 1) * (4 if kan else 1)


def pair_fu(kind: int, winds: tuple[int, int]) -> int:
    """Give the fu of the pair: two for a dragon and for each wind that it is."""
    return 2 * ((kind >= 31) + winds.count(kind))


def split_fu(split: Split, place: int, win: int, melded: int, *, tsumo: bool, winds: tuple[int, int]) -> int:
    """Give the unrounded fu when the winning tile belongs to the group at this place of the split."""
    name, kind = split[place]
    fu = melded + (2 if tsumo else 0) + pair_fu(split[0][1], winds)
    if name == "pair" or (
        name == "sequence" and (win - kind == 1 or (win - kind, kind % 9) in ((2, 0), (0, 6)))
    ):
        fu += 2
    return fu + sum(
        triplet_fu(k, concealed=tsumo or i != place, kan=False)
        for i, (n, k) in enumerate(split)
        if n == "triplet"
    )


def yakuman_fu(
    kinds: Sequence[int], win: int, melds: Sequence[Meld], *, tsumo: bool, winds: tuple[int, int]
) -> int:
    """Give the fu that Tenhou records beside a yakuman: none for orphans, pinfu if it can be, else the most.

    All 25 yakuman of the real four-player logs at hand agree.
    """
    if set(kinds) == KOKUSHI:
        return 0
    readings = splits(kinds)
    if not readings:
        return 25
    melded = sum(
        triplet_fu(m.own[0] // 4, concealed=m.shape == "ankan", kan=m.shape != "pon" or m.added >= 0)
        for m in melds
        if m.shape != "chi"
    )
    closed = all(m.shape == "ankan" for m in melds)
    base = 30 if closed and not tsumo else 20
    sums = [
        split_fu(split, place, win, melded, tsumo=tsumo, winds=winds)
        for split in readings
        for place, (name, kind) in enumerate(split)
        if (0 <= win - kind <= 2 if name == "sequence" else win == kind)
    ]
    if closed and tsumo and min(sums) == 2:
        return 20
    return -(-(base + max(sums)) // 10) * 10


# --- one round -------------------------------------------------------------------------------------------


def csv_text(values: Iterable[object]) -> str:
    """Join values with commas, as every list in an attribute is."""
    return ",".join(str(value) for value in values)


def hundreds(points: Iterable[int]) -> list[int]:
    """Turn points into the hundreds that Tenhou writes."""
    values = list(points)
    require(all(value % 100 == 0 for value in values), f"points that are no hundreds: {values}")
    return [value // 100 for value in values]


@dataclass
class Table:
    """What outlives a round: scores by seat, sticks on the table, and the game's options."""

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
        """Return the tile after making sure that the wall and the log agree on it."""
        require(self.face(tile) == face, f"the wall has {self.face(tile)} where the log has {face}")
        return tile

    def take(self, seat: int, face: str, spare: int = -1) -> int:
        """Remove the lowest copy of a face from a hand, leaving the spared tile."""
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
        """Write the indicator that an open kan still owes."""
        if self.due:
            self.show()
            self.due = False

    def kaigang(self, event: Event) -> None:
        """Check the source's indicator; Tenhou's own moment is chosen elsewhere."""
        self.expect(self.wall[4 + self.flipped], event["baopai"])
        self.flipped += 1

    def dapai(self, event: Event) -> None:
        """Write a discard, the indicator due before it, and the first half of a riichi."""
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
        """Write the second half of a riichi whose tile was not ronned."""
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
        """Write a kakan in the place of its pon."""
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
        """Write the liable seat where both sites settle a liability alike."""
        marks = [item["baojia"] for item in event["hupai"] if "baojia" in item]
        if not marks:
            return
        liable = (who + REL[marks[0]]) % 4
        require(len(event["hupai"]) == 1, "a liability in a compound yakuman")
        require(source != liable, "a ron from the liable seat itself")
        require(source == who or self.honba == 0 or self.winners, "a liability, a ron and honba")
        yield f'paoWho="{liable}"'

    def pay(self, event: Event, who: int, *, tsumo: bool) -> str:
        """Write the payments after checking them against the points claimed."""
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
        """Give the tile of 三家和 when the hand string carries it; Tenhou shows the hand without."""
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


def game_type(rule: Event) -> int:
    """Give the GO type of a rule object after checking that it is Tenhou's (section 3)."""
    for key, value in TENHOU_RULE.items():
        require(rule[key] == value, f"rule {key} is {rule[key]}, not {value}")
    require([float(text) for text in rule["順位点"]] == list(UMA), f"rule 順位点 is {rule['順位点']}")
    require(set(rule["赤牌"].values()) in ({0}, {1}), f"rule 赤牌 is {rule['赤牌']}")
    require(rule["場数"] in (1, 2), f"rule 場数 is {rule['場数']}")
    bits = 1 | (0 if rule["赤牌"]["m"] else 2) | (0 if rule["クイタンあり"] else 4)
    return bits | (8 if rule["場数"] == 2 else 0)


def refuse_sudden_death(log: list[list[Event]], scores: list[int], rule: Event) -> None:
    """Refuse games that 電脳麻将 ends in an extra hand although the dealer repeats: Tenhou plays on."""
    deal, result = log[-1][0]["qipai"], log[-1][-1]
    if deal["zhuangfeng"] < rule["場数"] or min(scores) < 0:
        return
    wins = [event["hule"]["l"] for event in log[-1] if "hule" in event]
    repeat = 0 in wins if wins else bool(result["pingju"]["shoupai"][0])
    require(not repeat, "sudden death ended while the dealer repeats")


def percent(name: str) -> str:
    """Encode a name as Tenhou does, every byte of it."""
    return "".join(f"%{byte:02X}" for byte in name.encode())


def header(game: Event, kind: int, *, early: bool) -> list[str]:
    """Write the tags before the first round; seat 0 is the first dealer."""
    paipu = game["paipu"]
    names = [paipu["player"][(paipu["qijia"] + seat) % 4] for seat in range(4)]
    people = " ".join(f'n{seat}="{percent(name)}"' for seat, name in enumerate(names))
    rate = csv_text(["1500" if early else "1500.00"] * 4)
    lobby = "" if early else ' lobby="0"'
    return [
        f'<GO type="{kind}"{lobby}/>',
        f'<UN {people} dan="0,0,0,0" rate="{rate}" sx="C,C,C,C"/>',
        '<TAIKYOKU oya="0"/>',
    ]


def final_points(scores: list[int], ranks: list[int]) -> list[int]:
    """Give the exact final points in tenths: 30000 returned, uma, and the oka for the first."""
    points = [(score - 30000) // 100 + 10 * UMA[rank - 1] for score, rank in zip(scores, ranks, strict=True)]
    points[ranks.index(1)] -= sum(points)
    return points


def owari(table: Table, paipu: Event) -> str:
    """Write the final scores and points, checked against the ranks and points that the source claims."""

    def by_seat(key: str) -> list[int]:
        return [int(paipu[key][(paipu["qijia"] + seat) % 4]) for seat in range(4)]

    scores, ranks, claimed = by_seat("defen"), by_seat("rank"), by_seat("point")
    expected = list(table.scores)
    expected[ranks.index(1)] += table.sticks * 1000
    require(scores == expected, f"final scores {scores}, but the last round leaves {expected}")
    tenths = final_points(scores, ranks)
    rounded = [(value + 5) // 10 for value in tenths]
    rounded[ranks.index(1)] -= sum(rounded)
    require(rounded == claimed, f"final points {claimed} instead of {rounded}")
    if table.early:
        halves = any(value % 10 == 5 and value < 0 for value in tenths)
        require(not halves, "a negative half point, which the two sites round apart")
    texts = map(str, rounded) if table.early else (f"{value / 10:.1f}" for value in tenths)
    pairs = zip(hundreds(scores), texts, strict=True)
    return f'owari="{csv_text(value for pair in pairs for value in pair)}"'


def convert(game: Event, *, early: bool = False) -> list[str]:
    """Turn a line of the self-play files into the tags of an mjlog, the root and SHUFFLE left out."""
    rule, paipu = game["rule"], game["paipu"]
    kind = game_type(rule)
    tags = header(game, kind, early=early)
    table = Table([rule["配給原点"]] * 4, 0, reds=not kind & 2, early=early, tags=tags)
    require(len(game["walls"]) == len(paipu["log"]), "walls and rounds differ in number")
    for number, (wall, (deal, *events)) in enumerate(zip(game["walls"], paipu["log"], strict=True)):
        rng = random.Random(f"{game['id']}/{number}")
        ids = wall_ids(wall, reds=table.reds, rng=rng)
        current = Round(table, ids, deal["qipai"])
        current.deal(deal["qipai"], (rng.randrange(6), rng.randrange(6)))
        current.play(events)
    refuse_sudden_death(paipu["log"], table.scores, rule)
    table.tags[-1] = f"{table.tags[-1][:-3]} {owari(table, paipu)} />"
    return table.tags


# --- files -----------------------------------------------------------------------------------------------

SHUFFLE = '<SHUFFLE seed="" ref=""/>'
STYLES = ("plain", "gzip", "resaved", "stripped", "early")


def render(tags: list[str], style: str = "plain") -> bytes:
    """Write the file as served, packed, re-saved with indentation, stripped of SHUFFLE, or as in 2009."""
    tags = tags if style in ("stripped", "early") else [SHUFFLE, *tags]
    if style == "resaved":
        lines = [f"\t{tag[:-2].rstrip()} />" for tag in tags]
        text = "\n".join(("<!-- saved by hand -->", '<mjloggm ver="2.3">', *lines, "</mjloggm>", ""))
    else:
        text = f'<mjloggm ver="2.3">{"".join(tags)}</mjloggm>'
    return gzip.compress(text.encode(), mtime=0) if style == "gzip" else text.encode()


def file_name(game: Event, style: str = "plain") -> str:
    """Name the file as Tenhou does; hour and last part come from a hash of the self-play id."""
    digest = hashlib.sha256(game["id"].encode()).digest()
    day = f"{'2009' if style == 'early' else '2023'}{digest[4] % 12 + 1:02}{digest[5] % 28 + 1:02}"
    suffix = ".gz" if style == "gzip" else ""
    return f"{day}{digest[6] % 24:02}gm-{game_type(game['rule']):04x}-0000-{digest[:4].hex()}.mjlog{suffix}"


def read_games(paths: Iterable[Path]) -> Iterator[Event]:
    """Read the games of self-play files, one a line."""
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def read_manifest(path: Path) -> dict[str, str]:
    """Read which games to write in which style."""
    with path.open(encoding="utf-8", newline="") as rows:
        return {row["game"]: row["style"] for row in csv.DictReader(rows)}


def main(argv: list[str] | None = None) -> int:
    """Convert self-play files; say which games were refused and why."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", nargs="+", type=Path, help="*.jsonl.gz of selfplay/majiang")
    parser.add_argument("--out", type=Path, required=True, help="folder for the logs")
    parser.add_argument("--manifest", type=Path, help="CSV with columns game,style: convert only these games")
    parser.add_argument("--style", choices=STYLES, default="plain", help="style without a manifest")
    options = parser.parse_args(argv)
    wanted = read_manifest(options.manifest) if options.manifest else None
    options.out.mkdir(parents=True, exist_ok=True)
    refused = 0
    for game in read_games(options.sources):
        if wanted is not None and game["id"] not in wanted:
            continue
        style = wanted[game["id"]] if wanted else options.style
        try:
            data = render(convert(game, early=style == "early"), style)
        except RefusedError as reason:
            refused += 1
            print(f"{game['id']} ({game['rule_name']}) refused: {reason}", file=sys.stderr)
        else:
            (options.out / file_name(game, style)).write_bytes(data)
    return int(bool(wanted) and refused > 0)


if __name__ == "__main__":
    sys.exit(main())
