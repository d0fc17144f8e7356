"""A small second reader of mjlog: it replays every tile, decodes melds itself, and names the features of a game.

It shares no code with the converter, so an error would have to occur in both. `replay` raises AssertionError at the
first inconsistency and gives the set of features that the game shows.
"""

import re

TAG = re.compile(r"<(\w+)([^<>]*?)/?>")
ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
MOVE = re.compile(r"([T-W]|[D-G])(\d+)")
RED = {16, 52, 88}
NORTHS = range(120, 124)

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
DRAWS_OF_THREE = {"yao9", "kan4", "nm"}
WALLS = {3: {*range(4), *range(32, 136)}, 4: set(range(136))}
# By number of players: all points, draws of a whole wall, points returned, uma, and fees at a draw by hands shown.
TOTAL, DRAWN, RETURNED = {3: 105000, 4: 100000}, {3: 55, 4: 70}, {3: 40000, 4: 30000}
UMA = {3: (20, 0, -20), 4: (20, 10, -10, -20)}
FEES = {3: {1: (20, -10), 2: (10, -20)}, 4: {1: (30, -10), 2: (15, -15), 3: (10, -30)}}


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
    if code >> 5 & 1:
        assert tile in NORTHS
        return meld | {"shape": "kita", "tiles": [tile]}
    tiles = list(range(tile // 4 * 4, tile // 4 * 4 + 4))
    return meld | (
        {"shape": "daiminkan", "tiles": tiles, "called": tile} if rel else {"shape": "ankan", "tiles": tiles}
    )


class Replay:
    """The state of one game while its tags are read."""

    def __init__(self):
        self.features = set()
        self.type = self.scores = None
        self.players = 4
        self.sticks = 0
        self.over = False

    def tag_go(self, a):
        """Read the rules."""
        self.type = int(a["type"])
        self.players = 3 if self.type & 16 else 4
        self.features |= {"three players"} if self.players == 3 else set()
        self.features |= {"no red fives" if self.type & 2 else "red fives"}
        self.features |= {"no open tanyao"} if self.type & 4 else set()
        self.features |= {"hanchan" if self.type & 8 else "East only"}

    def points(self, hundreds):
        """Turn hundreds into points. The seat that does not exist has none."""
        assert hundreds[self.players :] == [0] * (4 - self.players)
        return [100 * value for value in hundreds[: self.players]]

    def tag_init(self, a):
        """Start a round: check the scores against the last round's, and deal."""
        index, honba, sticks, die1, die2, indicator = numbers(a["seed"])
        assert not self.over
        assert max(die1, die2) < 6
        assert int(a["oya"]) == index % 4
        self.index, self.honba, self.oya = index, honba, index % 4
        assert sticks == self.sticks
        ten = self.points(numbers(a["ten"]))
        assert self.scores in (None, ten)
        assert sum(ten) + 1000 * sticks == TOTAL[self.players]
        self.scores = ten
        self.hands = [set(numbers(a[f"hai{seat}"])) for seat in range(4)]
        assert [len(hand) for hand in self.hands] == [13] * self.players + [0] * (4 - self.players)
        self.seen = [indicator, *(t for hand in self.hands for t in hand)]
        self.indicators = [indicator]
        self.melds = [[], [], [], []]
        self.rivers = [[], [], [], []]
        self.draws, self.wins, self.kans, self.kita = 0, 0, 0, 0
        self.replaces = None
        self.riichi, self.declared = set(), None
        self.drawn = self.last = None

    def draw(self, seat, tile):
        """Take a tile."""
        self.draws += 1
        self.rinshan, self.replaces = self.replaces, None
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
        assert len(self.hands[seat]) + 3 * sum(meld["shape"] != "kita" for meld in self.melds[seat]) == 13
        self.kita = 0

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
        assert "ten" not in a or self.points(numbers(a["ten"])) == self.scores

    def tag_n(self, a):
        """Meld tiles that the hand has."""
        seat = int(a["who"])
        meld = decode(int(a["m"]), seat)
        self.features.add(meld["shape"])
        if meld["shape"] == "kita":
            self.set_aside(seat, meld | {"code": int(a["m"])})
            return
        assert self.players == 4 or meld["shape"] != "chi"
        if meld["shape"] not in ("chi", "pon"):
            self.replaces = "kan"
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

    def set_aside(self, seat, meld):
        """Set a north aside: after an own draw, with a tile left to replace it; in riichi only the drawn one."""
        (tile,) = meld["tiles"]
        assert self.players == 3
        assert self.drawn is not None
        assert self.drawn[0] == seat
        assert self.draws < DRAWN[3]
        self.hands[seat].remove(tile)
        self.melds[seat].append(meld)
        if seat in self.riichi:
            assert self.drawn[1] == tile
            self.features.add("kita in riichi")
        self.kita += 1
        self.features |= {f"{self.kita} kita in a turn"} if self.kita > 1 else set()
        self.last, self.replaces = (seat, tile), "kita"

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
        assert self.points(sc[::2]) == self.scores
        changes = [change // 100 for change in self.points(sc[1::2])]
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
        assert changes[who] * 100 == points + first * (100 * (self.players - 1) * honba + 1000 * sticks)
        assert sum(changes) == first * 10 * sticks
        self.sticks = 0
        self.wins += 1
        self.features |= {"double ron"} if self.wins == 2 else set()
        if self.players == 3:
            assert who == source or all(changes[seat] == 0 for seat in {0, 1, 2} - {who, source})
            assert self.bonus_han(a, who) == {i: v for i, v in self.bonuses(a) if i in (52, 53) and (v or i == 53)}
            kita = any(meld["shape"] == "kita" for meld in self.melds[who])
            self.features |= {"kita and a kan"} if kita and self.kans else set()
            self.features |= {"ron on a kita"} if who != source and self.replaces == "kita" else set()
        rinshan = 4 in numbers(a.get("yaku", ""))[::2]
        self.features |= {"rinshan after kita"} if rinshan and self.rinshan == "kita" else set()
        self.name_win(a, limit, who != source)

    def bonuses(self, a):
        """List the yaku of a win with their han; none beside a yakuman."""
        yaku = numbers(a.get("yaku", ""))
        return zip(yaku[::2], yaku[1::2], strict=True)

    def bonus_han(self, a, who):
        """Count dora with kita (52) and ura (53) of a win of three players."""
        if "yakuman" in a:
            return {}
        norths = sum(meld["shape"] == "kita" for meld in self.melds[who])
        tiles = numbers(a["hai"]) + [tile for meld in self.melds[who] for tile in meld["tiles"]]

        def count(indicators):
            return sum(tile // 4 == follower(shown // 4) for shown in indicators for tile in tiles)

        dora = norths + count(self.indicators)
        ura = {53: count(numbers(a["doraHaiUra"]))} if "doraHaiUra" in a else {}
        return ({52: dora} if dora else {}) | ura

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
        assert kind is None or kind in (DRAWS if self.players == 4 else DRAWS_OF_THREE)
        shown = [seat for seat in range(4) if f"hai{seat}" in a]
        for seat in shown:
            assert numbers(a[f"hai{seat}"]) == sorted(self.hands[seat])
        changes = self.settle(a)
        assert sum(changes) == 0
        if kind is None:
            fees = FEES[self.players].get(len(shown), (0, 0))
            assert changes == [fees[0] if seat in shown else fees[1] for seat in range(self.players)]
            self.features.add(f"draw with {len(shown)} tenpai")
        else:
            assert kind == "nm" or not any(changes)
            self.features.add(kind)
        if kind in (None, "nm"):
            assert self.draws == DRAWN[self.players]
            assert self.riichi <= set(shown)

    def finish(self, owari):
        """Check final scores and points."""
        self.over = True
        scores = self.points([int(v) for v in owari[::2]])
        points = [float(v) for v in owari[1::2]]
        assert points[self.players :] == [0] * (4 - self.players)
        order = sorted(range(self.players), key=lambda seat: -scores[seat])
        assert sum(scores) == TOTAL[self.players]
        assert abs(sum(points)) < 1e-6
        for place, seat in enumerate(order[1:], start=1):
            exact = (scores[seat] - RETURNED[self.players]) / 1000 + UMA[self.players][place]
            rounded = all(point == int(point) for point in points)
            assert abs(points[seat] - exact) <= (0.5 if rounded else 0.001)
        self.features |= {"bust"} if min(scores) < 0 else set()
        self.features |= {"extra wind"} if self.index >= (8 if self.type & 8 else 4) else set()

    def check_round(self):
        """Check that no tile occurs twice."""
        assert len(self.seen) == len(set(self.seen))
        assert set(self.seen) <= WALLS[self.players]


def follower(kind: int) -> int:
    """Give the dora of an indicator at a table of three, where 1m and 9m follow each other."""
    if kind < 27:
        return {0: 8, 8: 0}.get(kind, kind // 9 * 9 + (kind + 1) % 9)
    return 27 + (kind - 26) % 4 if kind < 31 else 31 + (kind - 30) % 3


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
# of another kakan or a kita (n), or before an ankan. Nothing is turned for a kita itself.
OWED = "(?:kId)*"
PAID = f"{OWED}(?:IaId|nId)"
SETTLED = f"(?:aId|nd|kd{PAID})*"
TURN = f"(?:(?:d|md{PAID}){SETTLED}(?:rxR?|x|kd{OWED}Ix)|md{OWED}Ix|cx)"
LAST_DRAW = f"(?:(?:d|md{PAID}){SETTLED}(?:kd{OWED}k?|k|n)?|md{OWED}k?)"
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
        return {"chi": "c", "pon": "c", "daiminkan": "m", "kakan": "k", "ankan": "a", "kita": "n"}[shape]
    return LETTERS.get(name, "")


def check_order(letters: str) -> set[str]:
    """Match a round against the pattern; name the features of its kans."""
    assert ROUND.fullmatch(letters), letters
    assert "rxd" not in letters
    assert "rxc" not in letters
    found = {"kita before a kan's indicator"} if re.search("[km]dnI", letters) else set()
    return found | ({"chain of kans"} if re.search("kId|Ia|kdk|mdk", letters) else set())


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
            assert name in ("SHUFFLE", "UN", "TAIKYOKU", "BYE")
        if name in ("AGARI", "RYUUKYOKU"):
            game.check_round()
    assert game.over
    return game.features.union(*map(check_order, rounds))
