"""Writes games of a canonical log as mjai, in the dialects that state most and least; made for tests and fixtures.

It looks at one event after the other, and knows nothing of the reader: what the reader makes of its texts must be the
log again, as far as the dialect says it.
"""

from __future__ import annotations

import json

from auditor.readers.mjai.yaku_names import GIMITE as NUMBERS

KIND_NAMES = [*(f"{digit}{suit}" for suit in "mps" for digit in range(1, 10)), *"ESWNPFC"]
RED = {16: "5mr", 52: "5pr", 88: "5sr"}
PLAIN_36 = 136
NAME = {number: name for name, number in NUMBERS.items()} | {41: "suanko", 46: "churenpoton", 48: "kokushimuso"}
WINDS = range(10, 18)
DRAGONS = (18, 19, 20)
GIMITE_REASONS = {
    "exhaustive": "fanpai", "nagashi": "nagashimangan", "kyuushu": "kyushukyuhai", "four_winds": "sufonrenta",
    "four_riichi": "suchareach", "four_kans": "sukaikan", "triple_ron": "sanchaho",
}  # fmt: skip
RIICHIENV_REASONS = {
    "exhaustive": "exhaustive_draw", "nagashi": "nagashimangan", "kyuushu": "kyushu_kyuhai",
    "four_winds": "sufuurenta", "four_riichi": "suucha_riichi", "four_kans": "suukansansen", "triple_ron": "sanchaho",
}  # fmt: skip
REASONS = {"gimite": GIMITE_REASONS, "riichienv": RIICHIENV_REASONS}
DIALECTS = ("gimite", "convlog", "mortal", "riichienv", "mahjong_soul")
TENHOU_FLAGS = {
    "allows_ron_on_ankan_for_kokushi_musou": False, "is_kokushi_musou_13machi_double": False,
    "is_suuankou_tanki_double": False, "is_junsei_chuurenpoutou_double": False, "is_daisuushii_double": False,
    "yakuman_pao_is_liability_only": False, "sanchaho_is_draw": True, "kuikae_forbidden": True,
    "dealer_first_discard_is_tedashi": False,
}  # fmt: skip
"""Tenhou's rules as RiichiEnv's rule object."""


class Writer:
    """Writes one game of a log; ``seats`` is how far actors are turned from seats."""

    def __init__(self, log, game, dialect, *, turned=0):
        self.log, self.game, self.dialect, self.turned = log, game, dialect, turned
        self.row = log.games.row(game, named=True)
        self.players = self.row["players"]
        self.reds = any(log.rules[self.row["rules"]].red_fives or ())

    def actor(self, seat):
        """Give the number of the player at a seat."""
        return (seat + self.turned) % self.players

    def tile(self, tile_id):
        """Name a tile."""
        if tile_id in RED and self.reds:
            return RED[tile_id]
        if tile_id < PLAIN_36:
            return KIND_NAMES[tile_id // 4]
        place = tile_id - PLAIN_36
        return KIND_NAMES[place] if place < len(KIND_NAMES) else f"5{'mps'[place - len(KIND_NAMES)]}r"

    def tiles(self, tile_ids):
        """Name tiles, in order."""
        return [self.tile(each) for each in sorted(tile_ids)]

    def by_actor(self, values):
        """Give values by seat as values by actor."""
        return [values[(actor - self.turned) % self.players] for actor in range(self.players)]

    def events(self):
        """Give all events of the game."""
        yield self.head()
        rounds = self.log.rounds.filter(self.log.rounds["game"] == self.game)
        for each in rounds.iter_rows(named=True):
            yield from self.round(each)
        end = {"type": "end_game"}
        if self.dialect == "gimite":
            end["scores"] = self.by_actor(self.row["final_scores"])
        yield end

    def head(self):
        """Give start_game."""
        names = self.by_actor(self.row["names"])
        half = self.log.rules[self.row["rules"]].game_length == 2
        if self.dialect == "gimite":
            kind, uri = "tonnan" if half else "tonpu", "mjsonp://localhost:11600/default"
            return {"type": "start_game", "names": names, "uri": uri, "gametype": kind}
        if self.dialect == "riichienv":
            return {"type": "start_game"}
        if self.dialect == "mahjong_soul":
            ranks = self.by_actor(self.row["ranks"] or ["?"] * self.players)
            return {"majsoul": {"room": "jade", "ranks": ranks}, "names": names, "type": "start_game"}
        if self.dialect == "mortal":
            return {"type": "start_game", "names": names, "seed": [10000, 2000]}
        return {"type": "start_game", "names": names, "kyoku_first": 0 if half else 4, "aka_flag": self.reds}

    def round(self, this):
        """Give the events of one round."""
        number, start = this["round"], this["start"]
        deals = self.log.deals.filter(self.log.deals["round"] == number)
        hands = [self.tiles(deals.filter(deals["seat"] == seat)["tile_id"]) for seat in range(self.players)]
        rows = list(
            self.log.events.with_row_index("row").filter(self.log.events["round"] == number).iter_rows(named=True)
        )
        self.scores = list(start[: self.players])
        self.pons, self.drawn = {}, None
        if self.dialect == "mahjong_soul":
            first = next(row for row in rows if row["kind"] == "draw")
            rows.remove(first)
            hands[this["dealer"]].append(self.tile(first["tile_id"]))
        yield {
            "type": "start_kyoku", "bakaze": "ESWN"[this["wind"]], "dora_marker": self.tile(this["dora"]),
            "kyoku": this["dealer"] + 1, "honba": this["honba"], "kyotaku": this["sticks"],
            "oya": self.actor(this["dealer"]), "scores": self.by_actor(start),
            "tehais": self.by_actor(hands),
        }  # fmt: skip
        for event in rows:
            yield from self.event(event)
        yield {"type": "end_kyoku"}

    def event(self, event):
        """Give the mjai events of one event."""
        kind, tile_id = event["kind"], event["tile_id"]
        actor = {"actor": self.actor(event["seat"])} if event["seat"] is not None else {}
        if kind == "draw":
            self.drawn = tile_id
            yield {"type": "tsumo", **actor, "pai": self.tile(tile_id)}
        elif kind == "discard":
            yield {"type": "dahai", **actor, "pai": self.tile(tile_id), "tsumogiri": tile_id == self.drawn}
            self.drawn = None
        elif kind == "riichi":
            yield {"type": "reach", **actor}
        elif kind == "deposit":
            self.scores[event["seat"]] -= 1000
            paid = {"type": "reach_accepted", **actor}
            if self.dialect == "gimite":
                paid["deltas"] = self.by_actor([-1000 * (seat == event["seat"]) for seat in range(self.players)])
                paid["scores"] = self.by_actor(self.scores)
            yield paid
        elif kind == "dora":
            yield {"type": "dora", "dora_marker": self.tile(tile_id)}
        elif kind == "kita":
            yield {"type": "kita" if self.dialect == "riichienv" else "nukidora", **actor, "pai": "N"}
        elif kind == "result":
            yield self.result(event)
        elif kind not in ("deal", "leave", "return"):
            yield self.call(kind, event, actor)

    def call(self, kind, event, actor):
        """Give a call or a kan."""
        meld = self.log.melds.filter(self.log.melds["row"] == event["row"]).row(0, named=True)
        others = [meld[name] for name in ("p1", "p2", "p3") if meld[name] is not None]
        found = {"type": kind, **actor, "pai": self.tile(event["tile_id"])}
        if kind == "ankan":
            del found["pai"]
            return found | {"consumed": self.tiles([event["tile_id"], *others])}
        if kind == "kakan":
            return found | {"consumed": self.tiles(self.pons[event["seat"], event["tile_id"] // 4])}
        if kind == "pon":
            self.pons[event["seat"], event["tile_id"] // 4] = [event["tile_id"], *others]
        source = event["seat"] if self.dialect == "mahjong_soul" else meld["source"]  # it names the caller itself
        return found | {"target": self.actor(source), "consumed": self.tiles(others)}

    def result(self, event):
        """Give hora or ryukyoku."""
        here = (self.log.claims["round"] == event["round"]) & (self.log.claims["event"] == event["event"])
        claim = self.log.claims.filter(here).row(0, named=True)
        shown = {row["seat"]: row["tile_ids"] for row in
                 self.log.shows.filter(self.log.shows["claim"] == claim["claim"]).iter_rows(named=True)}  # fmt: skip
        deltas = claim["deltas"][: self.players]
        self.scores = [score + change for score, change in zip(self.scores, deltas, strict=True)]
        changes = {"deltas": self.by_actor(deltas)}
        if self.dialect == "gimite":
            changes["scores"] = self.by_actor(self.scores)
        if claim["reason"] != "win":
            return self.draw(claim, shown) | changes
        found = {"type": "hora", "actor": self.actor(claim["winner"]), "target": self.actor(claim["payer"])}
        ura = self.tiles_in_order(claim["ura"] or ())
        if self.dialect == "mahjong_soul":
            rest = list(shown[claim["winner"]])
            rest.remove(claim["win_tile_id"])
            points = {"ron": claim["points"], "tsumo_dealer": 0, "tsumo_non_dealer": 0}
            hand = {"pai": self.tile(claim["win_tile_id"]), "fu": claim["fu"], "hora_tehais": self.tiles(rest)}
            return found | hand | changes | {"majsoul_points": points, "scores": self.by_actor(self.scores)}
        if self.dialect != "gimite":
            return found | changes | {"ura_markers": ura}
        return found | self.worth(claim, shown[claim["winner"]]) | {"uradora_markers": ura} | changes

    def tiles_in_order(self, tile_ids):
        """Name tiles, as they stand."""
        return [self.tile(each) for each in tile_ids]

    def worth(self, claim, hand):
        """Give what gimite's server says about a win."""
        tsumo = claim["winner"] == claim["payer"]
        rest = list(hand)
        rest.remove(claim["win_tile_id"])
        listed = list(zip(claim["yaku"] or (), claim["han"] or (), strict=True))
        listed += [(number, 100) for number in claim["yakuman"] or ()]
        dragons = sum(number in DRAGONS for number, _ in listed)
        yakus = [[self.yaku(number), han] for number, han in listed if number not in DRAGONS and han]
        if dragons:
            yakus.append(["sangenpai", dragons])
        found = {
            "pai": self.tile(claim["win_tile_id"]), "yakus": yakus, "fu": claim["fu"],
            "fan": sum(han for _, han in yakus), "hora_points": claim["points"],
            "hora_tehais": self.tiles(rest) + ([self.tile(claim["win_tile_id"])] if tsumo else []),
        }  # fmt: skip
        if claim["liable"] is not None:
            found["pao"] = self.actor(claim["liable"])
        return found

    def yaku(self, number):
        """Name a yaku; the four winds have the same name."""
        if number in WINDS:
            return "jikaze" if number < WINDS[4] else "bakaze"
        return NAME[number]

    def draw(self, claim, shown):
        """Give a draw; only gimite's server says more than the changes."""
        found = {"type": "ryukyoku"}
        if self.dialect in REASONS:
            found["reason"] = REASONS[self.dialect][claim["reason"]]
        if self.dialect == "gimite":
            found["tenpais"] = self.by_actor([seat in shown for seat in range(self.players)])
            hands = [self.tiles(shown[seat]) if shown.get(seat) else ["?"] * 13 for seat in range(self.players)]
            found["tehais"] = self.by_actor(hands)
        return found


def line_of_riichienv(log, game, events):
    """Give the object of a game as RiichiEnv's files have it: rules, scores and places beside the events."""
    row = log.games.row(game, named=True)
    players, half = row["players"], log.rules[row["rules"]].game_length == 2
    scores = row["final_scores"][:players]
    order = sorted(range(players), key=lambda seat: (-scores[seat], seat))
    return {
        "id": row["game_id"], "engine": "riichienv, as tests/kit/mjai_writer.py writes it",
        "mode": f"{players}p-red-{'half' if half else 'east'}", "kind": "full", "rule": TENHOU_FLAGS, "scores": scores,
        "ranks": [order.index(seat) + 1 for seat in range(players)], "wins": None, "events": events,
    }  # fmt: skip


def games(log, dialect, *, turned=0):
    """Give each game of a log as a list of events."""
    return [list(Writer(log, game, dialect, turned=turned).events()) for game in range(len(log.games))]


def lines(events):
    """Write events as JSON Lines."""
    return "".join(f"{json.dumps(event, ensure_ascii=False, separators=(',', ':'))}\n" for event in events)
