"""Dumps of MajsoulPaipuAnalyzer, made from Mahjong Soul records in JSON.

Facts: auditor/readers/mahjong_soul/FORMAT.md section 10. Nothing here is shared with the reader.
"""

from __future__ import annotations

from tests.kit.conversion.soul import FANS
from tests.kit.conversion.tiles import require

YAKU = {fan: yaku for yaku, fan in FANS.items() if yaku not in range(10, 18)}
ABORTS = {1: "Y9", 2: "YF", 3: "YK", 4: "YR"}


def dump(record):
    """Write a game of four players, as JSON has it. RefusedError: it has something that no dump has shown."""
    head = record["head"]
    rounds = []
    for action in record["data"]["data"]["actions"]:
        if "result" in action:
            name, content = action["result"]["name"].removeprefix(".lq.Record"), action["result"]["data"]
            if name == "NewRound":
                rounds.append(Round(content))
            else:
                rounds[-1].add(name, content)
    finals = {each.get("seat", 0): each["part_point_1"] for each in head["result"]["players"]}
    names = {each.get("seat", 0): each["nickname"] for each in head["accounts"]}
    rules = {name: value for name, value in head["config"]["mode"]["detail_rule"].items() if name != "time_fixed"}
    return {
        "gamedata": {
            "source": "majsoul",
            "accountid": 1,
            "uuid": head["uuid"],
            "starttime": head["start_time"],
            "endtime": head["end_time"],
            "version": "0.5.3",
            "playerdata": [{"id": 9, "name": names[seat], "rank": 3, "finalpoint": finals[seat]} for seat in range(4)],
            "roomdata": {**rules, "room": 0, "player": 4, "round": 4 * (head["config"]["mode"]["mode"] % 10)},
        },
        "record": [each.value for each in rounds],
    }


class Round:
    """Writes one round."""

    def __init__(self, start):
        hands = [start[f"tiles{seat}"] for seat in range(4)]
        self.wind, self.dealer, self.scores = start.get("chang", 0), start.get("ju", 0), list(start["scores"])
        self.kan, self.doras = False, start["doras"]
        self.last = self.dealer
        self.actions = []
        self.value = {
            "round": 4 * self.wind + self.dealer,
            "yama": "".join(map("".join, hands)) + start["paishan"],
            "dice": -1,
            "point": start["scores"],
            "east": self.dealer,
            "hand": ["".join(hand) for hand in hands],
            "dora": start["doras"][0],
            "honba": start.get("ben", 0),
            "kyoutaku": start.get("liqibang", 0),
            "remain": 69,
            "action": self.actions,
        }

    def add(self, name, content):
        """Write a record as actions."""
        seat = content.get("seat", 0)
        if "liqi" in content:
            self.scores[content["liqi"].get("seat", 0)] -= 1000
        new = content.get("doras", [])
        self.doras = new or self.doras
        if name == "DealTile":
            self.actions.append(f"B{seat}{content['tile']}" + "".join(self.doras if self.kan else []))
        elif name == "DiscardTile":
            riichi = 2 if content.get("is_wliqi") else 1 if content.get("is_liqi") else 0
            mark = int(content.get("moqie", False))
            self.actions.append(f"A{seat}{content['tile']}{mark}{riichi}" + "".join(new))
        elif name == "ChiPengGang":
            *own, called = content["tiles"]
            self.actions.append(f"C{content['froms'][-1]}{called}{seat}{''.join(own)}")
        elif name == "AnGangAddGang":
            self.actions.append(f"D{seat}{content['tiles']}{content['type'] - 2}")
        else:
            self.end(name, content)
        self.kan = name == "AnGangAddGang" or (name == "ChiPengGang" and content.get("type") == 2)
        self.last = seat

    def end(self, name, content):
        """Write a result, and the scores after it."""
        changes = content.get("delta_scores")
        if name == "Hule":
            self.actions += [self.win(each) for each in content["hules"]]
        elif name == "NoTile":
            flags = "".join(str(int(each.get("tingpai", False))) for each in content["players"])
            self.actions.append(f"YN{flags}")
            changes = content["scores"][0].get("delta_scores")
        else:
            require(content["type"] in ABORTS, "an abort by three rons, which no dump has shown")
            self.actions.append(ABORTS[content["type"]])
        after = [score + change for score, change in zip(self.scores, changes or [0] * 4, strict=True)]
        self.actions.append("Z" + "|".join(map(str, after)))

    def win(self, hule):
        """Write a win."""
        seat, open_, closed, yaku = hule.get("seat", 0), [], [], []
        for meld in hule.get("ming", []):
            word, _, tiles = meld.partition("(")
            (closed if word == "angang" else open_).append(tiles.strip(")").replace(",", ""))
        for fan in hule["fans"]:
            number = {10: 10 + (seat - self.dealer) % 4, 11: 14 + self.wind}.get(fan["id"])
            yaku += [YAKU[fan["id"]] if number is None else number, fan.get("val", 0)]
        fed = -1 if hule.get("zimo") else self.last
        liable = hule.get("baopai", 0) - 1
        parts = (
            seat, "".join(hule["hand"]), "|".join(open_), "|".join(closed), hule["hu_tile"], "".join(hule["doras"]),
            "".join(hule.get("li_doras", [])), hule.get("fu", 0), "|".join(map(str, yaku)), fed, liable,
        )  # fmt: skip
        return "X," + ",".join(map(str, parts))
