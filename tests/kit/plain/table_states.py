"""Plain loops that follow a game event by event, for comparison with rebuilt tables.

A state is a dict of plain lists: ``hands`` (all concealed tiles with the drawn one, sorted), ``drawn``, ``melds``
(kind, sorted tiles, feeder), ``kita`` (norths set aside), ``rivers`` (tile, tsumogiri, riichi, caller), ``scores``,
``sticks``, ``left``, ``indicators``, ``moved`` (the tiles that the event moves, sorted). What seats have is a list with
an entry for each player. Tiles are ids in an mjlog, names in a paipu.
"""

from __future__ import annotations

import json
import re

from tests.kit.plain.mjlog_replay import DRAWN, MOVE, Replay, decode, tags


class Watched(Replay):
    """The second reader of mjlog, with the marks of rivers, which it does not need itself."""

    def tag_init(self, a):
        """Start a round with empty rivers."""
        super().tag_init(a)
        self.marks = [[], [], [], []]

    def discard(self, seat, tile):
        """Note whether the discard was tsumogiri, and declared riichi."""
        self.marks[seat].append([tile, self.drawn == (seat, tile), self.declared == seat, None])
        super().discard(seat, tile)

    def tag_n(self, a):
        """Note who called the discard."""
        meld = decode(int(a["m"]), int(a["who"]))
        if meld["called"] is not None and meld["shape"] != "kakan":
            self.marks[meld["from"]][-1][3] = int(a["who"])
        super().tag_n(a)
        self.drawn = None

    def state(self):
        """Give the state of the table now."""
        seats = range(self.players)
        drawn = [self.drawn[1] if self.drawn and self.drawn[0] == seat else None for seat in seats]
        melds = [[meld for meld in self.melds[seat] if meld["shape"] != "kita"] for seat in seats]
        return {
            "hands": [sorted(self.hands[seat]) for seat in seats],
            "drawn": drawn,
            "melds": [
                [(m["shape"], sorted(m["tiles"]), None if m["shape"] == "ankan" else m["from"]) for m in each]
                for each in melds
            ],
            "kita": [[m["tiles"][0] for m in self.melds[seat] if m["shape"] == "kita"] for seat in seats],
            "rivers": [[tuple(each) for each in self.marks[seat]] for seat in seats],
            "scores": list(self.scores),
            "sticks": self.sticks,
            "left": DRAWN[self.players] - self.draws,
            "indicators": list(self.indicators),
        }


def watch_mjlog(text):
    """Yield (round, number of the tag, name, state) for every tag within rounds, after the tag's own draw."""
    game, round_ = Watched(), -1
    for event, (name, a) in enumerate(tags(text), 1):
        move = MOVE.fullmatch(name)
        round_ += name == "INIT"
        state = moved = None
        if name in ("INIT", "DORA"):
            getattr(game, f"tag_{name.lower()}")(a)
            state, moved = game.state(), [int(a["hai"])] if name == "DORA" else []
        elif move and move[1] in "TUVW":
            game.draw("TUVW".index(move[1]), int(move[2]))
            state, moved = game.state(), [int(move[2])]
        elif round_ >= 0 and name != "UN":
            state, moved = game.state(), _moved(name, a, move)
        if state is not None:
            yield round_, event, name, {**state, "moved": moved}
        if move and move[1] in "DEFG":
            game.discard("DEFG".index(move[1]), int(move[2]))
        elif not move and name not in ("INIT", "DORA", "SHUFFLE", "UN", "TAIKYOKU", "BYE"):
            getattr(game, f"tag_{name.lower()}")(a)


def _moved(name, a, move):
    """List the tiles that a tag moves."""
    if move:
        return [int(move[2])]
    if name == "N":
        meld = decode(int(a["m"]), int(a["who"]))
        return [meld["added"]] if meld["shape"] == "kakan" else sorted(meld["tiles"])
    if name == "AGARI":
        # A tile won by ron is in the river or the kakan, or set aside, and comes to the winner's hand.
        return [int(a["machi"])] * (1 if a["who"] == a["fromWho"] else 2)
    return []


HONOURS = "ESWNPFC"
CALLER = {"+": 1, "=": 2, "-": 3}


def name(tile):
    """Name a tile of a paipu: m0 is 0m, z1 E."""
    return HONOURS[int(tile[1]) - 1] if tile[0] == "z" else tile[1] + tile[0]


def tiles_in(text):
    """List the tiles of ``m123p0z1``, without marks."""
    return [
        suit + digit for suit, digits in re.findall(r"([mpsz])([\d+=-]+)", text) for digit in digits if digit.isdigit()
    ]


class Paipu:
    """A round of a paipu after the deal. Indices count from its dealer; ``first`` is the dealer's seat."""

    def __init__(self, deal):
        self.first = deal["jushu"]
        turned = [(seat - self.first) % 4 for seat in range(4)]
        self.hands = [tiles_in(deal["shoupai"][at]) for at in turned]
        self.scores = [deal["defen"][at] for at in turned]
        self.sticks = deal["lizhibang"]
        self.indicators = [deal["baopai"]]
        self.melds, self.rivers = [[], [], [], []], [[], [], [], []]
        self.left, self.drawn, self.owed = 70, None, None
        self.last = None

    def seat(self, index):
        """Give the seat of an index."""
        return (index + self.first) % 4

    def state(self):
        """Give the state of the table now, with tiles by name."""
        here = [self.drawn[1] if self.drawn and self.drawn[0] == seat else None for seat in range(4)]
        return {
            "hands": [sorted(map(name, hand)) for hand in self.hands],
            "drawn": [tile and name(tile) for tile in here],
            "melds": [[(kind, sorted(map(name, tiles)), who) for kind, tiles, who in melds] for melds in self.melds],
            "kita": [[], [], [], []],
            "rivers": [[(name(tile), *marks) for tile, *marks in river] for river in self.rivers],
            "scores": list(self.scores),
            "sticks": self.sticks,
            "left": self.left,
            "indicators": list(map(name, self.indicators)),
        }

    def pay(self, following):
        """Pay the stick of a riichi whose discard nobody won."""
        ron = following.get("hule", {}).get("baojia") is not None
        if self.owed is not None and not ron and not following.get("pingju", {}).get("name", "").startswith("三家和"):
            self.scores[self.owed] -= 1000
            self.sticks += 1
            self.owed = None

    def zimo(self, e):
        """Draw."""
        self.drawn = (self.seat(e["l"]), e["p"])
        self.hands[self.drawn[0]].append(e["p"])
        self.left -= 1

    gangzimo = zimo

    def kaigang(self, e):
        """Turn an indicator."""
        self.indicators.append(e["baopai"])

    def dapai(self, e):
        """Discard."""
        seat, tile = self.seat(e["l"]), e["p"][:2]
        self.hands[seat].remove(tile)
        self.rivers[seat].append([tile, "_" in e["p"], "*" in e["p"], None])
        self.drawn, self.last = None, (seat, tile)
        self.owed = seat if "*" in e["p"] else None

    def fulou(self, e):
        """Call."""
        seat, tiles = self.seat(e["l"]), tiles_in(e["m"])
        mark = next(each for each in e["m"] if each in CALLER)
        called = e["m"][0] + e["m"][e["m"].index(mark) - 1]
        feeder = (seat + CALLER[mark]) % 4
        assert self.last == (feeder, called)
        self.rivers[feeder][-1][3] = seat
        own = list(tiles)
        own.remove(called)
        for tile in own:
            self.hands[seat].remove(tile)
        kinds = {tile.replace("0", "5") for tile in tiles}
        kind = "chi" if len(kinds) > 1 else "pon" if len(tiles) == 3 else "daiminkan"
        self.melds[seat].append((kind, tiles, feeder))

    def gang(self, e):
        """Make an ankan or a kakan."""
        seat, tiles = self.seat(e["l"]), tiles_in(e["m"])
        self.drawn = None
        if not set(e["m"]) & set(CALLER):
            for tile in tiles:
                self.hands[seat].remove(tile)
            self.melds[seat].append(("ankan", tiles, None))
            return
        self.hands[seat].remove(tiles[-1])
        at = next(
            at
            for at, (kind, old, _) in enumerate(self.melds[seat])
            if kind == "pon" and sorted([*old, tiles[-1]]) == sorted(tiles)
        )
        self.melds[seat][at] = ("kakan", tiles, self.melds[seat][at][2])
        self.last = (seat, tiles[-1])

    def moved(self, e, kind):
        """List the tiles that an event moves, by name."""
        if kind in ("zimo", "gangzimo", "dapai"):
            tiles = [e["p"][:2]]
        elif kind == "kaigang":
            tiles = [e["baopai"]]
        elif kind in ("fulou", "gang"):
            added = kind == "gang" and set(e["m"]) & set(CALLER)
            tiles = tiles_in(e["m"])[-1:] if added else tiles_in(e["m"])
        elif kind == "hule":
            tiles = [self.drawn[1]] if e["baojia"] is None else [self.last[1]] * 2
        else:
            tiles = []
        return sorted(map(name, tiles))


def watch_paipu(game):
    """Yield (round, event of the game, its name, state) for every event of a paipu, up to the round's first result."""
    event = 0
    for round_, log in enumerate(game["log"]):
        table = None
        for at, entry in enumerate(log):
            ((kind, e),) = entry.items()
            here, event = event, event + 1
            if kind == "qipai":
                table = Paipu(e)
                yield round_, here, kind, {**table.state(), "moved": []}
                continue
            table.pay(next((each for each in log[at:] if "kaigang" not in each), {}))
            if kind in ("zimo", "gangzimo", "kaigang"):
                getattr(table, kind)(e)
                yield round_, here, kind, {**table.state(), "moved": table.moved(e, kind)}
                continue
            yield round_, here, kind, {**table.state(), "moved": table.moved(e, kind)}
            if kind in ("hule", "pingju"):
                event += len(log) - at - 1
                break
            getattr(table, kind)(e)


def games_of(lines):
    """Read the games of a paipu file, a line each."""
    return [json.loads(line)["paipu"] for line in lines if line.strip()]
