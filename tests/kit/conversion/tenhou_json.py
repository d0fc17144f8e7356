"""Tenhou mjlog XML written as Tenhou's viewer writes the same game in JSON.

It shares no code with the auditor's readers. The claims of the XML (yaku, fu, points, changes of score, final scores)
are copied; only the two payments of a tsumo are computed, because the XML states their sum. Facts:
auditor/readers/mjlog/FORMAT.md and auditor/readers/tenhou_json/FORMAT.md.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from tests.kit.plain.mjlog_replay import ATTRIBUTE, TAG, decode, numbers
from tests.kit.renamed_games import FIXTURES, FIXTURES_OF_THREE, read_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

YAKU = (
    "門前清自摸和", "立直", "一発", "槍槓", "嶺上開花", "海底摸月", "河底撈魚", "平和", "断幺九", "一盃口",
    "自風 東", "自風 南", "自風 西", "自風 北", "場風 東", "場風 南", "場風 西", "場風 北",
    "役牌 白", "役牌 發", "役牌 中", "両立直", "七対子", "混全帯幺九", "一気通貫", "三色同順", "三色同刻", "三槓子",
    "対々和", "三暗刻", "小三元", "混老頭", "二盃口", "純全帯幺九", "混一色", "清一色", "人和",
    "天和", "地和", "大三元", "四暗刻", "四暗刻単騎", "字一色", "緑一色", "清老頭", "九蓮宝燈", "純正九蓮宝燈",
    "国士無双", "国士無双１３面", "大四喜", "小四喜", "四槓子", "ドラ", "裏ドラ", "赤ドラ",
)  # fmt: skip
"""The names of the yaku by Tenhou's numbers."""
DRAWS = {
    "yao9": "九種九牌", "reach4": "四家立直", "ron3": "三家和了", "kan4": "四槓散了", "kaze4": "四風連打",
    "nm": "流し満貫",
}  # fmt: skip
LIMITS = ("", "満貫", "跳満", "倍満", "三倍満", "役満")
BASES = (0, 2000, 3000, 4000, 6000, 8000)
RANKS = ("新人", *(f"{9 - rank}級" for rank in range(9)), *(f"{dan}段" for dan in "初二三四五六七八九十"), "天鳳")
REDS = {16: 51, 52: 52, 88: 53}
NO_REDS, NO_OPEN_TANYAO, SOUTH, THREE = 2, 4, 8, 16
KITA = 0x20
SERVER, ADDRESSES = "2023112505gm-0009-0000-1917fe69", "2023010506gm-0009-0000-dd5caab4"
LINES = (
    "2023012707gm-0001-0000-f70d9ce8", "2023051112gm-000f-0000-1b419879", "2023102117gm-000f-0000-64852057",
    "2020011623gm-00b9-0000-9fdcd96f", "2020012821gm-00b9-0000-5a9aa9fe",
)  # fmt: skip
"""The games of the shipped files."""
DRAW_TAGS, DISCARD_TAGS = "TUVW", "DEFG"


def converted(text: str, name: str) -> dict[str, Any]:
    """Return a game; ``name`` is the file's name, of which the game's id is a part."""
    table = _Table()
    for tag, body in TAG.findall(text):
        table.read(tag, dict(ATTRIBUTE.findall(body)))
    found = re.search(r"\d{10}gm-[0-9a-f]{4}-\d+-[0-9a-f]+", name)
    return {"ver": 2.3, "ref": found[0] if found else "", "log": table.log, **table.head}


def render(game: dict[str, Any]) -> str:
    """Write a game as the server does, without blanks."""
    return json.dumps(game, ensure_ascii=False, separators=(",", ":"))


class _Table:
    """The game while its tags are read: ``log`` and ``head`` are those of the JSON."""

    def __init__(self) -> None:
        self.log: list[list[Any]] = []
        self.head: dict[str, Any] = {}
        self.seats, self.reds = 4, True

    def read(self, tag: str, a: dict[str, str]) -> None:
        """Read one tag."""
        move = re.fullmatch(r"([TUVWDEFG])(\d+)", tag)
        if move and move[1] in DRAW_TAGS:
            self.drawn = int(move[2])
            self.takes(DRAW_TAGS.index(move[1])).append(self.tile(self.drawn))
        elif move:
            self.discard(DISCARD_TAGS.index(move[1]), int(move[2]))
        elif tag in {"GO", "UN", "INIT", "N", "REACH", "DORA", "AGARI", "RYUUKYOKU"}:
            getattr(self, f"tag_{tag.lower()}")(a)
            if "owari" in a:
                final = a["owari"].split(",")
                self.head["sc"] = [float(each) * (100 if place % 2 == 0 else 1) for place, each in enumerate(final)]

    def tile(self, tile: int) -> int:
        """Return a tile's number in the JSON."""
        if self.reds and tile in REDS:
            return REDS[tile]
        suit, rank = divmod(tile // 4, 9)
        return 10 * (suit + 1) + rank + 1

    def takes(self, seat: int) -> list[Any]:
        """Return the list of takes of a seat in this round."""
        return self.round[5 + 3 * seat]

    def discards(self, seat: int) -> list[Any]:
        """Return the list of discards of a seat in this round."""
        return self.round[6 + 3 * seat]

    def tag_go(self, a: dict[str, str]) -> None:
        """Read the table type."""
        kind = int(a["type"])
        self.seats, self.reds = 3 if kind & THREE else 4, not kind & NO_REDS
        red = int(self.reds)
        words = (
            "三" * (self.seats == 3),
            "般",
            "南" if kind & SOUTH else "東",
            "喰" * (not kind & NO_OPEN_TANYAO),
            "赤" * red,
        )
        self.head |= {
            "ratingc": f"PF{self.seats}",
            "rule": {"disp": "".join(words), "aka53": red, "aka52": red, "aka51": red},
            "lobby": int(a.get("lobby", 0)),
        }

    def tag_un(self, a: dict[str, str]) -> None:
        """Read the players; later tags of this name tell that one is back."""
        if "dan" in a:
            self.head |= {
                "dan": [RANKS[each] for each in numbers(a["dan"])],
                "rate": [float(each) for each in a["rate"].split(",")],
                "sx": a["sx"].split(","),
                "name": [unquote(a.get(f"n{seat}", "")) for seat in range(4)],
            }

    def tag_init(self, a: dict[str, str]) -> None:
        """Begin a round."""
        place, honba, sticks, _, _, dora = numbers(a["seed"])
        scores = [100 * each for each in numbers(a["ten"])]
        hands = [sorted(numbers(a.get(f"hai{seat}", ""))) for seat in range(4)]
        lists = [each for hand in hands for each in ([self.tile(tile) for tile in hand], [], [])]
        self.round = [[place, honba, sticks], [*scores, 0][:4], [self.tile(dora)], [], *lists, []]
        self.log.append(self.round)
        self.drawn, self.riichi, self.pons = -1, False, {}

    def tag_dora(self, a: dict[str, str]) -> None:
        """Turn an indicator."""
        self.round[2].append(self.tile(int(a["hai"])))

    def tag_reach(self, a: dict[str, str]) -> None:
        """Declare riichi; the payment is not written."""
        self.riichi |= a["step"] == "1"

    def discard(self, seat: int, tile: int) -> None:
        """Write a discard."""
        mark = 60 if tile == self.drawn else self.tile(tile)
        self.discards(seat).append(f"r{mark}" if self.riichi else mark)
        self.drawn, self.riichi = -1, False

    def tag_n(self, a: dict[str, str]) -> None:
        """Write a call: the letter stands before the called tile, after as many own tiles as the feeder is away."""
        seat, code = int(a["who"]), int(a["m"])
        if code & 0x3F == KITA:
            self.discards(seat).append("f44")
            return
        meld = decode(code, seat)
        own = [self.tile(tile) for tile in meld["tiles"] if tile not in {meld["called"], meld["added"]}]
        if meld["shape"] != "chi":
            own.sort()  # so that the red five stands last
        away = (meld["who"] - meld["from"] - 1) % 4
        called = "" if meld["called"] is None else self.tile(meld["called"])
        if meld["shape"] == "ankan":
            self.discards(seat).append("".join(map(str, [*own[:3], f"a{own[3]}"])))
        elif meld["shape"] == "kakan":
            self.discards(seat).append(_placed(own, min(away, 2), f"k{self.tile(meld['added'])}{called}"))
        else:
            letter = {"chi": "c", "pon": "p", "daiminkan": "m"}[meld["shape"]]
            place = 0 if letter == "c" else min(away, len(own)) if letter == "p" or away < 2 else 3
            self.takes(seat).append(_placed(own, place, f"{letter}{called}"))
            self.discards(seat).extend([0] * (letter == "m"))
        self.drawn = -1

    def tag_agari(self, a: dict[str, str]) -> None:
        """Write a win; the winner in riichi shows the ura dora indicators."""
        result = self.round[-1]
        result += [] if result else ["和了"]
        winner, payer = int(a["who"]), int(a["fromWho"])
        if "doraHaiUra" in a:
            self.round[3] = [self.tile(tile) for tile in numbers(a["doraHaiUra"])]
        listed = numbers(a.get("yaku", ""))
        pairs = [(yaku, han) for yaku, han in zip(listed[::2], listed[1::2], strict=True) if han]
        fu, _, limit = numbers(a["ten"])
        yakuman = numbers(a.get("yakuman", ""))
        base = BASES[limit] * max(1, len(yakuman)) if limit else fu << (2 + sum(han for _, han in pairs))
        value = LIMITS[limit] if limit else f"{fu}符{sum(han for _, han in pairs)}飜"
        worth = value + self.payments(base, winner, payer)
        names = [f"{YAKU[yaku]}({han}飜)" for yaku, han in pairs]
        names += [f"{YAKU[yaku]}(役満)" for yaku in yakuman]
        result += [self.changes(a), [winner, payer, int(a.get("paoWho", winner)), worth, *names]]

    def payments(self, base: int, winner: int, payer: int) -> str:
        """Write what is paid for a hand: one payment, two, or the same from all."""
        dealer = winner == self.round[0][0] % 4
        one, two, four, six = (-(-base * times // 100) * 100 for times in (1, 2, 4, 6))
        if winner != payer:
            return f"{six if dealer else four}点"
        return f"{two}点∀" if dealer else f"{one}-{two}点"

    def changes(self, a: dict[str, str]) -> list[int]:
        """Return the changes of score of four seats."""
        return [*(100 * each for each in numbers(a["sc"])[1::2]), 0][:4]

    def tag_ryuukyoku(self, a: dict[str, str]) -> None:
        """Write a draw: its name says so if all hands are tenpai, or none."""
        kind, shown = a.get("type"), sum(f"hai{seat}" in a for seat in range(4))
        if kind is None and shown in {0, self.seats}:
            self.round[-1] = ["全員聴牌" if shown else "全員不聴"]
        elif kind in {None, "nm"}:
            self.round[-1] = [DRAWS.get(kind or "", "流局"), self.changes(a)]
        else:
            self.round[-1] = [DRAWS[kind or ""]]


def _placed(own: Sequence[int], place: int, called: str) -> str:
    """Write tiles of the hand with the called one among them."""
    return "".join([*map(str, own[:place]), called, *map(str, own[place:])])


def shipped(folder: Path = FIXTURES) -> Iterator[tuple[str, str]]:
    """Yield name and text of each shipped game in Tenhou's XML, as JSON."""
    for path in sorted(folder.iterdir()):
        yield path.name.partition(".")[0], render(converted(read_text(path), path.name))


def edited(game: dict[str, Any]) -> list[str]:
    """Return a game as the viewer's editor hands it out: each round by itself, without the server's keys."""
    head = {"title": ["", ""], "name": game["name"], "rule": game["rule"]}
    return [render(head | {"log": [each]}) for each in game["log"]]


def files() -> dict[str, str]:
    """Return the shipped files of this format by name: a game as served, games in lines, rounds as addresses."""
    games = dict(shipped()) | dict(shipped(FIXTURES_OF_THREE))
    rounds = edited(json.loads(games[ADDRESSES]))
    return {
        "server.json": games[SERVER] + "\n",
        "lines.jsonl": "".join(games[name] + "\n" for name in LINES),
        "addresses.txt": "".join(f"https://tenhou.net/6/#json={each}\n" for each in rounds),
    }
