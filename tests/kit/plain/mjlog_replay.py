"""A small second reader of mjlog: it replays every tile, decodes melds itself, and names the features of a game.

It shares no code with the converter, so an error would have to occur in both. `replay` raises AssertionError at the
first inconsistency and gives the set of features that the game shows.
"""

import re

TAG = re.compile(r"<(\w+)([^<>]*?)/?>")
ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
MOVE = re.compile(r"([T-W]|[D-G])(\d+)")
RED = {16, 52, 88}

YAKU = {
    1: "riichi", 2: "ippatsu", 3: "chankan", 4: "rinshan", 5: "haitei", 6: "houtei", 21: "double riichi",
    22: "chiitoi", 27: "sankantsu",
}  # fmt: skip
YAKUMAN = {
    37: "tenhou", 38: "chiihou", 39: "daisangen", 40: "suuankou", 41: "suuankou single", 42: "tsuuiisou",
    43: "ryuuiisou", 44: "chinroutou", 45: "chuuren", 46: "pure chuuren", 47: "kokushi", 48: "kokushi 13",
    49: "daisuushi", 50: "shousuushi", 51: "suukantsu",
}  # fmt: skip
DRAWS = {"yao9", "kaze4", "reach4", "kan4", "ron3", "nm"}


def numbers(text: str) -> list[int]:
    """Split a comma list of whole numbers."""
    return [int(part) for part in text.split(",")] if text else []


def decode(code: int, who: int) -> dict:
    """Decode a meld into shape, all tiles (None for unknown), claimed tile and source seat."""
    rel, meld = code & 3, {"who": who, "from": (who + (code & 3)) % 4, "called": None, "added": None}
    if code >> 2 & 1:
        base, place = divmod(code >> 10, 3)
        first = base // 7 * 9 + base % 7
        tiles = [4 * (first + i) + (code >> (3 + 2 * i) & 3) for i in range(3)]
        assert rel == 3
        return meld | {"shape": "chi", "tiles": tiles, "called": tiles[place]}
    if code >> 3 & 3:
        kind, place = divmod(code >> 9, 3)
        spare = 4 * kind + (code >> 5 & 3)
        tiles = [t for t in range(4 * kind, 4 * kind + 4) if t != spare]
        meld |= {"tiles": tiles, "called": tiles[place]}
        return meld | (
            {"shape": "pon"} if code >> 3 & 1 else {"shape": "kakan", "added": spare, "tiles": [*tiles, spare]}
        )
    tile = code >> 8
    tiles = list(range(tile // 4 * 4, tile // 4 * 4 + 4))
    return meld | (
        {"shape": "daiminkan", "tiles": tiles, "called": tile} if rel else {"shape": "ankan", "tiles": tiles}
    )


class Replay:
    """The state of one game while its tags are read."""

    def __init__(self):
        self.features = set()
        self.type = self.scores = None
        self.sticks = 0
        self.over = False

    def tag_go(self, a):
        """Read the rules."""
        self.type = int(a["type"])
        self.features |= {"no red fives" if self.type & 2 else "red fives"}
        self.features |= {"no open tanyao"} if self.type & 4 else set()
        self.features |= {"hanchan" if self.type & 8 else "East only"}

    def tag_init(self, a):
        """Start a round: check the scores against the last round's, and deal."""
        index, honba, sticks, die1, die2, indicator = numbers(a["seed"])
        assert not self.over
        assert max(die1, die2) < 6
        assert int(a["oya"]) == index % 4
        self.index, self.honba, self.oya = index, honba, index % 4
        assert sticks == self.sticks
        ten = [100 * v for v in numbers(a["ten"])]
        assert self.scores in (None, ten)
        assert sum(ten) + 1000 * sticks == 100000
        self.scores = ten
        self.hands = [set(numbers(a[f"hai{seat}"])) for seat in range(4)]
        self.seen = [indicator, *(t for hand in self.hands for t in hand)]
        self.indicators = [indicator]
        self.melds = [[], [], [], []]
        self.rivers = [[], [], [], []]
        self.draws, self.wins, self.kans = 0, 0, 0
        self.riichi, self.declared = set(), None
        self.drawn = self.last = None

    def draw(self, seat, tile):
        """Take a tile."""
        self.draws += 1
        self.hands[seat].add(tile)
        self.seen.append(tile)
        self.drawn = (seat, tile)

    def discard(self, seat, tile):
        """Remove a discard from the hand; in riichi only the drawn tile is allowed."""
        assert tile in self.hands[seat]
        assert seat not in self.riichi or self.drawn == (seat, tile)
        self.hands[seat].remove(tile)
        self.rivers[seat].append(tile)
        self.last, self.drawn = (seat, tile), None
        assert len(self.hands[seat]) + 3 * len(self.melds[seat]) == 13

    def tag_reach(self, a):
        """Declare riichi, or pay the stick."""
        seat = int(a["who"])
        if a["step"] == "1":
            assert self.drawn[0] == seat
            self.declared = seat
            return
        assert self.declared == seat == self.last[0]
        self.declared = None
        self.riichi.add(seat)
        self.scores[seat] -= 1000
        self.sticks += 1
        assert "ten" not in a or [100 * v for v in numbers(a["ten"])] == self.scores

    def tag_n(self, a):
        """Meld tiles that the hand has."""
        seat = int(a["who"])
        meld = decode(int(a["m"]), seat)
        self.features.add(meld["shape"])
        if meld["shape"] == "kakan":
            self.hands[seat].remove(meld["added"])
            old = next(m for m in self.melds[seat] if m["shape"] == "pon" and m["called"] == meld["called"])
            assert old["from"] == meld["from"]
            assert set(old["tiles"]) < set(meld["tiles"])
            self.melds[seat][self.melds[seat].index(old)] = meld | {"code": int(a["m"])}
            self.last, self.kans = (seat, meld["added"]), self.kans + 1
            return
        if meld["called"] is not None:
            assert self.last == (meld["from"], meld["called"])
            self.rivers[meld["from"]][-1] = None
            self.drawn = None
        own = set(meld["tiles"]) - {meld["called"]}
        assert own <= self.hands[seat]
        self.hands[seat] -= own
        self.melds[seat].append(meld | {"code": int(a["m"])})
        self.kans += meld["shape"] in ("ankan", "daiminkan")
        if own & RED and not self.type & 2:
            self.features.add("red five melded")
        if seat in self.riichi:
            self.features.add("ankan in riichi")

    def tag_dora(self, a):
        """Turn an indicator."""
        self.indicators.append(int(a["hai"]))
        self.seen.append(int(a["hai"]))

    def settle(self, a):
        """Check honba, sticks and scores, and apply the changes."""
        honba, sticks = numbers(a["ba"])
        assert honba == self.honba
        assert sticks == (0 if self.wins else self.sticks)
        sc = numbers(a["sc"])
        assert [100 * v for v in sc[::2]] == self.scores
        changes = sc[1::2]
        self.scores = [s + 100 * c for s, c in zip(self.scores, changes, strict=True)]
        if "owari" in a:
            self.finish(a["owari"].split(","))
        return changes

    def tag_agari(self, a):
        """Check a win against the replayed hand."""
        who, source, tile = int(a["who"]), int(a["fromWho"]), int(a["machi"])
        sticks, honba = self.sticks, self.honba
        assert (self.drawn if who == source else self.last) == (source, tile)
        hand = self.hands[who] | {tile}
        assert numbers(a["hai"]) == sorted(hand)
        assert numbers(a.get("m", "")) == [meld["code"] for meld in reversed(self.melds[who])]
        assert numbers(a["doraHai"]) == self.indicators
        assert ("doraHaiUra" in a) == (who in self.riichi or self.declared == who)
        below = numbers(a.get("doraHaiUra", ""))
        assert len(below) in (0, len(self.indicators))
        if not self.wins:
            self.seen += below
        changes = self.settle(a)
        _, points, limit = numbers(a["ten"])
        first = not self.wins
        assert changes[who] * 100 == points + first * (300 * honba + 1000 * sticks)
        assert sum(changes) == first * 10 * sticks
        self.sticks = 0
        self.wins += 1
        self.features |= {"double ron"} if self.wins == 2 else set()
        self.name_win(a, limit, who != source)

    def name_win(self, a, limit, ron):
        """Name the features of a win."""
        yaku = numbers(a.get("yaku", ""))
        ids, han = yaku[::2], sum(yaku[1::2])
        assert ("yaku" in a) != ("yakuman" in a)
        if "yaku" in a:
            assert (53 in ids) == ("doraHaiUra" in a)
            assert (limit == 5) == (han >= 13)
            self.features |= {"counted yakuman"} if limit == 5 else set()
        self.features |= {YAKU[i] for i in ids if i in YAKU}
        yakuman = numbers(a.get("yakuman", ""))
        self.features |= {YAKUMAN[i] for i in yakuman} | ({"compound yakuman"} if yakuman[1:] else set())
        self.features |= {"pao"} if "paoWho" in a else set()
        self.features |= {"ron on a riichi tile"} if ron and self.declared is not None else set()
        self.features |= {"kan ura"} if len(numbers(a.get("doraHaiUra", ""))) > 1 else set()
        self.features |= {("none", "mangan", "haneman", "baiman", "sanbaiman", "yakuman")[limit]} - {"none"}

    def tag_ryuukyoku(self, a):
        """Check hands and payments of a draw."""
        kind = a.get("type")
        assert kind is None or kind in DRAWS
        shown = [seat for seat in range(4) if f"hai{seat}" in a]
        for seat in shown:
            assert numbers(a[f"hai{seat}"]) == sorted(self.hands[seat])
        changes = self.settle(a)
        assert sum(changes) == 0
        if kind is None:
            fees = {1: (30, -10), 2: (15, -15), 3: (10, -30)}.get(len(shown), (0, 0))
            assert changes == [fees[0] if seat in shown else fees[1] for seat in range(4)]
            self.features.add(f"draw with {len(shown)} tenpai")
        else:
            assert kind == "nm" or not any(changes)
            self.features.add(kind)
        if kind in (None, "nm"):
            assert self.draws == 70
            assert self.riichi <= set(shown)

    def finish(self, owari):
        """Check final scores and points."""
        self.over = True
        scores = [100 * int(v) for v in owari[::2]]
        points = [float(v) for v in owari[1::2]]
        order = sorted(range(4), key=lambda seat: -scores[seat])
        assert sum(scores) == 100000
        assert abs(sum(points)) < 1e-6
        for place, seat in enumerate(order[1:], start=1):
            exact = (scores[seat] - 30000) / 1000 + (20, 10, -10, -20)[place]
            assert abs(points[seat] - exact) <= (0.5 if "." not in owari[1] else 0.001)
        self.features |= {"bust"} if min(scores) < 0 else set()
        self.features |= {"extra wind"} if self.index >= (8 if self.type & 8 else 4) else set()

    def check_round(self):
        """Check that no tile occurs twice."""
        assert len(self.seen) == len(set(self.seen))
        assert set(self.seen) <= set(range(136))


def tags(text: str):
    """Yield name and attributes of every tag inside the root."""
    body = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    assert body.strip().startswith('<mjloggm ver="2.3">')
    assert body.strip().endswith("</mjloggm>")
    for name, rest in TAG.findall(body):
        if name != "mjloggm":
            yield name, dict(ATTRIBUTE.findall(rest))


# The order of events (section 6 of the format notes) as one pattern. Letters: d draw, x discard, c chi or
# pon, m daiminkan, k kakan, a ankan, I indicator, r and R the halves of riichi, A win, Y draw. An open kan
# and its replacement draw owe an indicator, which is turned before the discard, before the replacement draw
# of another kakan, or before an ankan.
OWED = "(?:kId)*"
SETTLED = f"(?:aId)*(?:kd{OWED}IaId(?:aId)*)*"
TURN = f"(?:(?:d|md{OWED}IaId){SETTLED}(?:rxR?|x|kd{OWED}Ix)|md{OWED}Ix|cx)"
LAST_DRAW = f"(?:(?:d|md{OWED}IaId){SETTLED}(?:kd{OWED}k?|k)?|md{OWED}k?)"
ROUND = re.compile(f"{TURN}*(?:{LAST_DRAW}A{{1,2}}|dY|A{{1,2}}|Y)")
LETTERS = {"DORA": "I", "AGARI": "A", "RYUUKYOKU": "Y"}


def letter(name: str, attributes: dict) -> str:
    """Give the letter of a tag in the pattern of a round."""
    if MOVE.fullmatch(name):
        return "d" if name[0] in "TUVW" else "x"
    if name == "REACH":
        return "r" if attributes["step"] == "1" else "R"
    if name == "N":
        shape = decode(int(attributes["m"]), int(attributes["who"]))["shape"]
        return {"chi": "c", "pon": "c", "daiminkan": "m", "kakan": "k", "ankan": "a"}[shape]
    return LETTERS.get(name, "")


def check_order(letters: str) -> set[str]:
    """Match a round against the pattern; name the features of its kans."""
    assert ROUND.fullmatch(letters), letters
    assert "rxd" not in letters
    assert "rxc" not in letters
    return {"chain of kans"} if re.search("kId|Ia|kdk|mdk", letters) else set()


def replay(text: str) -> set[str]:
    """Replay a whole game and give its features."""
    game = Replay()
    rounds: list[str] = []
    for name, attributes in tags(text):
        if name == "INIT":
            rounds.append("")
        if rounds:
            rounds[-1] += letter(name, attributes)
        if move := MOVE.fullmatch(name):
            seats, act = ("TUVW", game.draw) if move[1] in "TUVW" else ("DEFG", game.discard)
            act(seats.index(move[1]), int(move[2]))
        elif name == "INIT":
            game.tag_init(attributes)
        elif method := getattr(game, f"tag_{name.lower()}", None):
            method(attributes)
        else:
            assert name in ("SHUFFLE", "UN", "TAIKYOKU")
        if name in ("AGARI", "RYUUKYOKU"):
            game.check_round()
    assert game.over
    return game.features.union(*map(check_order, rounds))
