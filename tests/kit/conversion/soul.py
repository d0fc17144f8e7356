"""Games written as Mahjong Soul records: from Tenhou logs, as the plain reader of ``tests.kit.plain`` reads them.

Real records must not be passed on, so the project ships these. What wins and draws are worth are claims of the log. A
record has its own rule object, which states Tenhou's rules. The log lacks what is invented here: the tiles of the wall
that nobody drew, salts, times and the tail of the identifier.

Facts: auditor/readers/mahjong_soul/FORMAT.md. Nothing here is shared with the reader.
"""

from __future__ import annotations

import hashlib
import random

from tests.kit.conversion.soul_offers import Watch
from tests.kit.conversion.tiles import require

FANS = {
    0: 1, 1: 2, 2: 30, 3: 3, 4: 4, 5: 5, 6: 6, 7: 14, 8: 12, 9: 13, 10: 10, 11: 10, 12: 10, 13: 10, 14: 11, 15: 11,
    16: 11, 17: 11, 18: 7, 19: 8, 20: 9, 21: 18, 22: 25, 23: 15, 24: 16, 25: 17, 26: 19, 27: 20, 28: 21, 29: 22, 30: 23,
    31: 24, 32: 28, 33: 26, 34: 27, 35: 29, 37: 35, 38: 36, 39: 37, 40: 38, 41: 48, 42: 39, 43: 40, 44: 41, 45: 45,
    46: 47, 47: 42, 48: 49, 49: 50, 50: 43, 51: 44, 52: 31, 53: 33, 54: 32,
}  # fmt: skip
"""The fan of each of Tenhou's yaku."""
KITA, DORA = 34, 31
ABORTS = {"kyuushu": 1, "four_winds": 2, "four_kans": 3, "four_riichi": 4, "triple_ron": 5}
CALLS = {"chi": 0, "pon": 1, "daiminkan": 2}
WORDS = {"chi": "shunzi", "pon": "kezi", "daiminkan": "minggang", "kakan": "minggang", "ankan": "angang"}
LIVE = {4: 70, 3: 55}
DEAD = {4: 5, 3: 9}
"""How far from the end of the wall the first indicator lies."""
RED_IDS = (16, 52, 88)
ORDINARY = 0x2 | 0x4 | 0x8
"""The bits of the table type that a record's rules can follow."""


def rules(kind, players):
    """Write Tenhou's rules as a full rule object; ``kind`` is the table type."""
    on = [
        "can_jifei",
        "have_liujumanguan",
        "have_biao_dora",
        "have_gang_biao_dora",
        "have_li_dora",
        "have_gang_li_dora",
        "have_sigangsanle",
        "have_jiuzhongjiupai",
        "have_helelianzhuang",
        "have_helezhongju",
        "have_tingpailianzhuang",
        "have_tingpaizhongju",
        "have_yifa",
        "have_nanruxiru",
    ]
    four = ["have_sifenglianda", "have_sijializhi", "have_sanjiahele"] if players == 4 else ["have_zimosun"]
    points = {"init_point": 25000, "fandian": 30000, "jingsuanyuandian": 30000, "changbang_value": 300,
              "noting_fafu_1": 1000, "noting_fafu_2": 1500, "noting_fafu_3": 3000, "shunweima_2": 10,
              "shunweima_3": -10, "shunweima_4": -20, "dora_count": 3}  # fmt: skip
    if players == 3:
        points |= {"init_point": 35000, "fandian": 40000, "jingsuanyuandian": 40000, "changbang_value": 200,
                   "noting_fafu_2": 2000, "noting_fafu_3": 0, "shunweima_2": 0, "shunweima_3": -20,
                   "shunweima_4": 0, "dora_count": 2}  # fmt: skip
    found = points | dict.fromkeys([*on, *four], True) | {
        "liqibang_value": 1000, "fanfu": 1, "disable_double_yakuman": 1, "disable_angang_guoshi": 1,
        "shiduan": int(not kind & 4), "time_fixed": 5, "time_add": 20,
    }  # fmt: skip
    if kind & 2:
        found["dora_count"] = 0
    return {name: value for name, value in found.items() if value}


class Writer:
    """Writes one game as a list of records, name and content each, without default values."""

    def __init__(self, game, seed=0, *, hints=False):
        self.hints = hints
        self.game, self.rng = game, random.Random(seed)
        self.kind = int(game.head["type"])
        self.reds = not self.kind & 2
        self.players = game.players
        self.records = []
        self.sums = [0] * 4

    def tile(self, tile_id):
        """Name a tile: ``5p``, ``0p`` for a red five."""
        kind = tile_id // 4
        if self.reds and tile_id in RED_IDS:
            return "0" + "mps"[kind // 9]
        return str(kind % 9 + 1) + "mpsz"[kind // 9]

    def names(self, tile_ids):
        """Name tiles."""
        return [self.tile(each) for each in tile_ids]

    def add(self, name, **content):
        """Add a record; what is 0, false or empty is left out."""
        kept = {key: value for key, value in content.items() if value not in (0, None, "", [], False)}
        self.records.append(("Record" + name, kept))
        return kept

    def write(self):
        """Write all rounds; give the records."""
        for row in self.game.rounds:
            self.round(row)
        return self.records

    def round(self, row):
        """Write one round."""
        round_, wind, dealer, honba, sticks, start, dora, _, _ = row
        events = [each for each in self.game.events if each[0] == round_ and each[3] != "deal"]
        hands = [[tile for of, seat, tile in self.game.deals if of == round_ and seat == who] for who in range(4)]
        claims = [(at, each) for at, each in enumerate(self.game.claims) if each["round"] == round_]
        self.dealer, self.honba, self.ura = dealer, honba, [each["ura"] for _, each in claims if each.get("ura")]
        self.shown, self.left = [dora], LIVE[self.players]
        self.stick, self.riichi, self.pending, self.after_kan = None, None, False, False
        self.scores, self.table = list(start), sticks
        self.kitas = [0] * 4
        wall = self.wall(hands, events, dealer)
        require(events[0][3] == "draw" and events[0][4] == dealer, "the dealer does not draw first")
        hands[dealer] = [*hands[dealer], events[0][6]]
        self.left -= 1
        self.held = [list(hand) for hand in hands]
        self.watch = Watch(self.held, self.tile, players=self.players, dealer=dealer, wind=wind, scores=start,
                           open_tanyao=not self.kind & 4)  # fmt: skip
        salt = f"{self.rng.getrandbits(64):016x}"
        self.add(
            "NewRound", chang=wind, ju=dealer, ben=honba, liqibang=sticks, scores=start[: self.players],
            **{f"tiles{seat}": self.names(hand) for seat, hand in enumerate(hands)},
            doras=self.names(self.shown), left_tile_count=self.left, paishan=wall, salt=salt,
            sha256=hashlib.sha256((wall + salt).encode()).hexdigest(),
            saltSha256=hashlib.sha256(salt.encode()).hexdigest(),
            operation=self.watch.own(dealer, events[0][6], self.left) if self.hints else None,
        )  # fmt: skip
        self.drawn = None
        for place, (_, event, _, kind, seat, source, tile, others) in enumerate(events[1:], 1):
            if kind == "result":
                self.result([each for each in claims if each[1]["event"] >= event], events[place - 1])
                return
            if kind in WORDS or kind == "kita":
                self.call(kind, seat, source, tile, others)
            else:
                getattr(self, f"on_{kind}")(seat, tile)

    def wall(self, hands, events, dealer):
        """Write the wall: the known tiles in their places, and the others in a random order."""
        size = 136 if self.players == 4 else 108
        places = [None] * size
        for seat in range(self.players):
            offset = (seat - dealer) % self.players
            for nth, tile in enumerate(hands[seat]):
                block, within = divmod(nth, 4)
                places[12 * self.players + offset if nth == 12 else (block * self.players + offset) * 4 + within] = tile
        live, replaced, replace, turned = 13 * self.players, 0, False, 1
        places[size - DEAD[self.players]] = self.shown[0]
        for _, _, _, kind, _, _, tile, _ in events:
            if kind == "draw":
                if replace:
                    replaced += 1
                    places[size - replaced] = tile
                else:
                    places[live] = tile
                    live += 1
                replace = False
            elif kind in ("ankan", "kakan", "daiminkan", "kita"):
                replace = True
            elif kind == "dora":
                places[size - DEAD[self.players] - 2 * turned] = tile
                turned += 1
        for below in self.ura[:1]:
            for nth, tile in enumerate(below):
                places[size - DEAD[self.players] - 1 - 2 * nth] = tile
        known = [tile for tile in places if tile is not None]
        require(len(set(known)) == len(known), "a tile that lies in two places of the wall")
        every = [tile for tile in range(136) if size == 136 or tile < 4 or tile >= 32]
        rest = [tile for tile in every if tile not in set(known)]
        self.rng.shuffle(rest)
        return "".join(self.tile(rest.pop() if tile is None else tile) for tile in places)

    def paid(self):
        """Give the stick that was just paid, for the next record."""
        stick, self.stick = self.stick, None
        return stick

    def indicators(self, *, always=False):
        """Give the list of indicators if it has grown."""
        new, self.pending = self.pending, False
        return self.names(self.shown) if new or always else []

    def on_draw(self, seat, tile):
        """Write a draw."""
        self.left -= 1
        self.drawn = tile
        self.held[seat].append(tile)
        self.add("DealTile", seat=seat, tile=self.tile(tile), left_tile_count=self.left, liqi=self.paid(),
                 doras=self.indicators(always=self.after_kan), **self.shown_marks(before=tile),
                 **({"operation": self.watch.own(seat, tile, self.left)} if self.hints else {}))  # fmt: skip
        self.after_kan = False

    def shown_marks(self, before=None):
        """Give the marks of furiten; ``before`` is a tile that the seat has just drawn, which they do not count."""
        if not self.hints:
            return {}
        at = next((hand for hand in self.held if before in hand), None)
        if at is not None:
            at.remove(before)
        marks = self.watch.marks()
        if at is not None:
            at.append(before)
        return {"zhenting": marks}

    def on_discard(self, seat, tile):
        """Write a discard; if ``hints`` says so, with the waits, the marks of furiten, and what others may do."""
        self.held[seat].remove(tile)
        self.watch.declaring = self.riichi
        self.watch.discarded(seat, tile)
        found = self.add("DiscardTile", seat=seat, tile=self.tile(tile), is_liqi=self.riichi == seat,
                         moqie=tile == self.drawn, doras=self.indicators())  # fmt: skip
        if self.hints:
            found["tingpais"] = [{"tile": self.tile(4 * kind + 1)} for kind in self.watch.waits(seat)]
            found["operations"] = self.watch.of_others(seat, tile, self.left)
            self.watch.let_pass(seat, tile)
            found |= self.shown_marks()
            found = {key: value for key, value in found.items() if value}
            self.records[-1] = ("RecordDiscardTile", found)
        self.riichi = self.drawn = None

    def call(self, kind, seat, source, tile, others):
        """Write a call, a kan or a kita."""
        marks = self.shown_marks()
        for each in others if kind in CALLS else [tile] if kind in ("kakan", "kita") else [tile, *others]:
            self.held[seat].remove(each)
        self.watch.called(seat, kind, tile, others)
        if kind in CALLS:
            froms = [seat] * len(others) + [source]
            offer = {"operation": self.watch.after_call(seat, kind, tile, others)} if kind != "daiminkan" else {}
            self.add("ChiPengGang", seat=seat, type=CALLS[kind], tiles=self.names([*others, tile]), froms=froms,
                     liqi=self.paid(), **marks, **(offer if self.hints else {}))  # fmt: skip
        elif kind == "kita":
            self.kitas[seat] += 1
            self.add(
                "BaBei", seat=seat, moqie=self.drawn == tile, doras=self.indicators(), **self.robbed(kind, seat, tile)
            )
        else:
            self.add("AnGangAddGang", seat=seat, type=2 if kind == "kakan" else 3, tiles=self.tile(tile),
                     doras=self.indicators(), **self.robbed(kind, seat, tile))  # fmt: skip
        self.drawn = None
        self.after_kan = kind in ("daiminkan", "kakan", "ankan")

    def robbed(self, kind, seat, tile):
        """Give what the others may do with the tile of a kan or kita."""
        if not self.hints:
            return {}
        found = {"operations": self.watch.of_others(seat, tile, self.left, kind=kind)}
        if kind == "kakan":
            self.watch.let_pass(seat, tile)
        return found

    def on_dora(self, _seat, tile):
        """Turn an indicator: the next record shows it, or the kita just before."""
        self.shown.append(tile)
        self.pending = True
        name, content = self.records[-1]
        if name == "RecordBaBei":
            content["doras"] = self.indicators()

    def on_riichi(self, seat, _tile):
        """Note a declaration: the next discard has its mark."""
        self.riichi = seat

    def on_deposit(self, seat, _tile):
        """Note a stick that is paid."""
        self.scores[seat] -= 1000
        self.table += 1
        self.stick = {"seat": seat, "score": self.scores[seat], "liqibang": self.table}
        self.stick = {key: value for key, value in self.stick.items() if value}

    def on_leave(self, _seat, _tile):
        """Pass over a player who is away."""

    on_return = on_leave

    def result(self, claims, last):
        """Write the result."""
        first = claims[0][1]
        if first["reason"] == "win":
            require(self.stick is None, "a stick just before a win")
            hules = [self.hule(claim, at) for at, claim in claims]
            deltas = [sum(claim["deltas"][seat] for _, claim in claims) for seat in range(self.players)]
            before = first["before"][: self.players]
            after = [old + change for old, change in zip(before, deltas, strict=True)]
            self.add("Hule", hules=hules, old_scores=before, delta_scores=deltas, scores=after)
            self.records[-1][1]["gameend"] = {}
        elif first["reason"] in ("exhaustive", "nagashi"):
            require(self.stick is None, "a stick just before a draw")
            hands = {seat: tiles for of, _, _, seat, tiles in self.game.shows if of == claims[0][0]}
            players = [
                {"tingpai": True, "hand": self.names(hands[seat]), **self.tings(seat)} if seat in hands else {}
                for seat in range(self.players)
            ]
            deltas = first["deltas"][: self.players]
            scores = {"old_scores": first["before"][: self.players]}
            if any(deltas):
                scores["delta_scores"] = deltas
            self.add("NoTile", liujumanguan=first["reason"] == "nagashi", players=players, scores=[scores])
        else:
            hands = {seat: tiles for of, _, _, seat, tiles in self.game.shows if of == claims[0][0]}
            nine = first["reason"] == "kyuushu"
            self.add("LiuJu", type=ABORTS[first["reason"]], seat=last[4] if nine else 0, liqi=self.paid(),
                     tiles=self.names(hands[last[4]]) if nine else [])  # fmt: skip

    def tings(self, seat):
        """Give the waits of a hand at the end of a wall."""
        return {"tings": [{"tile": self.tile(4 * kind + 1)} for kind in self.watch.waits(seat)]} if self.hints else {}

    def hule(self, claim, at):
        """Write one win."""
        winner = claim["winner"]
        tsumo = claim["payer"] == winner
        hand = next(list(tiles) for of, _, _, seat, tiles in self.game.shows if of == at and seat == winner)
        hand.remove(claim["win_tile_id"])
        fans, count, units = self.fans(claim, winner)
        dealer = winner == self.dealer
        qin = xian = 0
        if tsumo:
            taken = [-change - 100 * self.honba for change in claim["deltas"][: self.players]]
            children = {taken[seat] for seat in range(self.players) if seat not in (winner, self.dealer)}
            if claim["liable"] is not None:  # who pays alone; the hand is worth what all would pay
                xian, qin = claim["points"] // (3 if dealer else 4), 0 if dealer else claim["points"] // 2
            else:
                require(len(children) == 1, "children who pay unequal sums")
                xian, qin = children.pop(), 0 if dealer else taken[self.dealer]
        self.sums[winner] += claim["points"]
        limit = claim["limit"]
        found = {
            "hand": self.names(hand), "ming": [self.ming(*each) for each in claim["melds"] if each[0] != "kita"],
            "hu_tile": self.tile(claim["win_tile_id"]), "seat": winner, "zimo": tsumo, "qinjia": dealer,
            "liqi": claim["ura"] is not None, "doras": self.names(claim["dora"]),
            "li_doras": self.names(claim["ura"] or []), "yiman": bool(units), "count": units or count, "fans": fans,
            "fu": claim["fu"], "point_rong": 0 if tsumo else claim["points"], "point_zimo_qin": qin,
            "point_zimo_xian": xian, "title_id": 4 + units if units else 11 if limit == 5 else limit,
            "point_sum": self.sums[winner], "dadian": claim["points"],
        }  # fmt: skip
        if claim["liable"] is not None:
            found |= {"baopai": claim["liable"] + 1, "baopai_seats": [claim["liable"]]}
        return {key: value for key, value in found.items() if value not in (0, "", [], False)}

    def fans(self, claim, winner):
        """Write the list of fans; give it with the han and the units of yakuman."""
        if claim["yakuman"]:
            return [{"id": FANS[each], "val": 1} for each in claim["yakuman"]], 0, len(claim["yakuman"])
        found = []
        norths = self.kitas[winner]
        for yaku, han in zip(claim["yaku"], claim["han"], strict=True):
            if yaku == 52 and norths:
                found.append({"id": KITA, "val": norths})
                han -= norths  # noqa: PLW2901
                if not han:
                    continue
            found.append({"id": FANS[yaku], "val": han} if han else {"id": FANS[yaku]})
        return found, sum(claim["han"]), 0

    def ming(self, kind, tiles):
        """Write a meld of a win."""
        return f"{WORDS[kind]}({','.join(self.names(tiles))})"


def record(game, number=0, *, hints=False):
    """Write a game as the JSON that the client's protobuf gives, without default values: head and data.

    With ``hints``, records say what players are shown and offered: waits, furiten, operations. That takes long.
    """
    writer = Writer(game, seed=number, hints=hints)
    rows = writer.write()
    actions = [
        {"passed": 1000 * nth, "type": 1, "result": {"name": f".lq.{name}", "data": content}}
        for nth, (name, content) in enumerate(rows, 1)
    ]
    actions.insert(1, {"passed": 1500, "type": 2, "user_input": {"seat": 1, "type": 2}})
    players = game.players
    scores = game.head["final_scores"]
    order = sorted(range(players), key=lambda seat: (-scores[seat], seat))
    uma, returned = ((10, -10, -20), 30000) if players == 4 else ((0, -20), 40000)
    points = {seat: scores[seat] - returned + 1000 * extra for seat, extra in zip(order[1:], uma, strict=True)}
    points[order[0]] = -sum(points.values())
    mode = (10 if players == 3 else 0) + (2 if writer.kind & 8 else 1)
    head = {
        "uuid": f"23010{number % 10}-00000000-0000-4000-8000-{number:012x}",
        "start_time": 1672531200 + 86400 * number, "end_time": 1672533000 + 86400 * number,
        "config": {"category": 1, "mode": {"mode": mode, "detail_rule": rules(writer.kind, players)},
                   "meta": {"room_id": 10000 + number}},
        "accounts": [
            {"account_id": seat + 1, "nickname": f"P{seat}", "level": {"id": 10301}, "level3": {"id": 20201}}
            | ({"seat": seat} if seat else {})
            for seat in reversed(range(players))
        ],
        "result": {"players": [
            {"seat": seat, "part_point_1": int(scores[seat]), "total_point": int(points[seat])}
            for seat in order
        ]},
    }  # fmt: skip
    data = {"name": ".lq.GameDetailRecords", "data": {"version": 210715, "actions": actions}}
    return {"head": head, "data": data}
