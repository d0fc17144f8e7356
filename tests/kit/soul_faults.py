"""Faults planted in Mahjong Soul records: each kind changes one thing, and says which check must report it.

A kind takes the records of one round (name and content, without default values) and a random generator. It changes
them, or returns False if the round has no place for it. Nothing here is shared with the reader.
"""

from __future__ import annotations

import copy
import hashlib

from tests.kit.conversion.soul_renderings import records

KINDS = {}
"""By name: the codes of which one must be found in the round, the function, and whether it gets the whole record."""
ALSO = {}
"""By name: codes that may be found besides, because the fault makes them true too."""
STICKS = ("P104", "P105", "G103", "G106")
"""What a stick that is or is not told makes of the sticks that results and rounds count."""
TILES = [f"{digit}{suit}" for suit in "mps" for digit in range(1, 10)] + [f"{digit}z" for digit in range(1, 8)]


def kind(*codes, also=(), of_game=False):
    """Enter a kind; ``of_game``: the function gets all rounds and gives the number of the one that it changes."""

    def enter(function):
        name = function.__doc__.rstrip(".")
        KINDS[name], ALSO[name] = (codes, function, of_game), frozenset(also)
        return function

    return enter


def rounds(record):
    """List the records of each round."""
    found = []
    for name, content in records(record):
        if name.endswith("NewRound"):
            found.append([])
        found[-1].append((name[10:], content))
    return found


def held(events, end):
    """Give the concealed tiles of each seat before an event."""
    start = events[0][1]
    hands = [list(start.get(f"tiles{seat}", [])) for seat in range(4)]
    for name, content in events[1:end]:
        hand = hands[content.get("seat", 0)]
        if name == "DealTile":
            hand.append(content["tile"])
        elif name == "DiscardTile":
            hand.remove(content["tile"])
        elif name == "ChiPengGang":
            for tile in content["tiles"][:-1]:
                hand.remove(tile)
        elif name == "AnGangAddGang":
            same = [tile for tile in hand if plain(tile) == plain(content["tiles"])]
            for tile in same if content["type"] == 3 else [content["tiles"]]:
                hand.remove(tile)
        elif name == "BaBei":
            hand.remove("4z")
    return hands


def plain(tile):
    """Name a tile without its colour."""
    return tile.replace("0", "5")


def one(rng, listed):
    """Draw one; None from nothing."""
    return rng.choice(listed) if listed else None


def of_name(events, name):
    """List the places of records of a name."""
    return [at for at, (each, _) in enumerate(events) if each == name]


def passed(events):
    """List the places of discards that nobody takes, after the first ones, which may abort the round."""
    return [at for at in of_name(events, "DiscardTile") if at > 9 and events[at + 1][0] == "DealTile"]


def wins(events, *, single=True):
    """List the wins of the round's last record."""
    name, content = events[-1]
    if name != "Hule" or (single and len(content["hules"]) != 1):
        return []
    return content["hules"]


@kind("T102", also=("D104", "D105"))  # after a call, it may be the tile called
def _discard(events, rng):
    """A discard of a tile that the seat does not hold."""
    at = one(rng, passed(events))
    if at is None:
        return False
    content = events[at][1]
    hand = {plain(each) for each in held(events, at)[content.get("seat", 0)]}
    seen = {plain(content["tile"])} | hand
    other = one(rng, [tile for tile in TILES if tile not in seen and tile[1] != "m"])
    content["tile"] = other
    content.pop("moqie", None)
    return True


@kind("D103")
def _marked(events, rng):
    """A discard from the hand that is marked as the tile drawn."""
    found = [
        at
        for at in of_name(events, "DiscardTile")
        if at > 1 and events[at - 1][0] == "DealTile" and events[at - 1][1]["tile"] != events[at][1]["tile"]
    ]
    at = one(rng, found)
    if at is None:
        return False
    events[at][1]["moqie"] = True
    return True


@kind("D101")
def _turn(events, rng):
    """A draw of the seat after the one whose turn it is."""
    found = [at for at in of_name(events, "DealTile") if at + 1 < len(events) and events[at + 1][0] == "DiscardTile"
             and events[at - 1][0] == "DiscardTile" and events[at + 1][1]["tile"] == events[at][1]["tile"]]  # fmt: skip
    at = one(rng, [at for at in found if at + 1 in passed(events)])
    if at is None:
        return False
    players = len(events[0][1]["scores"])
    for nth in (at, at + 1):
        events[nth][1]["seat"] = (events[nth][1].get("seat", 0) + 1) % players
    return True


@kind("S106")
def _wall(events, rng):
    """Two tiles of the wall that change places, hashed again."""
    start = events[0][1]
    wall = [start["paishan"][at : at + 2] for at in range(0, len(start["paishan"]), 2)]
    players = len(start["scores"])
    drawn = len(of_name(events, "DealTile"))
    one_, other = 13 * players + rng.randrange(max(drawn // 2, 1)), len(wall) - (5 if players == 4 else 9)
    if wall[one_] == wall[other]:
        return False
    wall[one_], wall[other] = wall[other], wall[one_]
    start["paishan"] = "".join(wall)
    start["sha256"] = hashlib.sha256((start["paishan"] + start["salt"]).encode()).hexdigest()
    return True


@kind("S107")
def _hash(events, rng):
    """Another digit in the hash of a wall."""
    digits = events[0][1]["sha256"]
    at = rng.randrange(len(digits))
    events[0][1]["sha256"] = digits[:at] + ("0" if digits[at] != "0" else "1") + digits[at + 1 :]
    return True


@kind("S107")
def _salt(events, rng):
    """Another salt."""
    events[0][1]["salt"] = f"{rng.getrandbits(64):016x}"
    return True


@kind("T101", "T102", "S106", also=("T105", "R102", "N101", "X102", "X103"))
def _dealt(events, rng):
    """Another tile in a hand as dealt."""
    start = events[0][1]
    seat = rng.randrange(len(start["scores"]))
    hand = start[f"tiles{seat}"]
    at = rng.randrange(13)
    hand[at] = one(rng, [tile for tile in TILES if tile != plain(hand[at]) and tile[1] in "ps"])
    return True


@kind("C101", "C102")
def _source(events, rng):
    """A call that names another seat as the one that discarded."""
    found = [at for at in of_name(events, "ChiPengGang") if len(events[0][1]["scores"]) == 4]
    at = one(rng, found)
    if at is None:
        return False
    content = events[at][1]
    seat = content.get("seat", 0)
    others = [each for each in range(4) if each not in (seat, content["froms"][-1])]
    content["froms"] = [*content["froms"][:-1], one(rng, others)]
    return True


@kind("C103", "C102")
def _meld(events, rng):
    """A call with a tile that does not fit."""
    at = one(rng, of_name(events, "ChiPengGang"))
    if at is None:
        return False
    content = events[at][1]
    hand = [tile for tile in held(events, at)[content.get("seat", 0)] if tile[1] != content["tiles"][0][1]]
    other = one(rng, hand)
    if other is None:
        return False
    content["tiles"] = [other, *content["tiles"][1:]]
    return True


@kind("K112")
def _indicator(events, rng):
    """A kan without its indicator."""
    found = [at for at in of_name(events, "AnGangAddGang") if events[at][1]["type"] == 3 and at + 1 < len(events)
             and events[at + 1][1].get("doras")]  # fmt: skip
    if not found:
        return False
    length = len(events[found[0] + 1][1]["doras"]) - 1
    for _, content in events[1:]:
        if len(content.get("doras", [])) > length:
            content["doras"] = content["doras"][:length]
    return True


@kind("R107", also=STICKS)
def _stick(events, rng):
    """A stick that is not paid."""
    found = [at for at, (_, content) in enumerate(events) if content.get("liqi")]
    at = one(rng, found)
    if at is None:
        return False
    del events[at][1]["liqi"]
    return True


@kind("W104", "W105")
def _fan(events, rng):
    """Another fan in the list of a win."""
    found = [
        fan for win in wins(events) if not win.get("yiman") for fan in win["fans"] if fan["id"] in (7, 8, 9, 12, 14)
    ]
    fan = one(rng, found)
    if fan is None:
        return False
    fan["id"] = 13 if fan["id"] != 13 else 12
    return True


@kind("W113", "W105")
def _count(events, rng):
    """A count that is not the sum of the fans."""
    win = one(rng, [win for win in wins(events) if not win.get("yiman")])
    if win is None:
        return False
    win["count"] += 1
    return True


@kind("W106")
def _fu(events, rng):
    """Another fu."""
    win = one(rng, [win for win in wins(events) if not win.get("yiman") and win.get("fu", 0) not in (0, 25)])
    if win is None:
        return False
    win["fu"] += 10
    return True


@kind("W107")
def _points(events, rng):
    """Another value of a hand."""
    win = one(rng, wins(events))
    if win is None:
        return False
    win["point_zimo_xian" if win.get("zimo") else "point_rong"] += 100
    return True


@kind("W107")
def _title(events, rng):
    """Another title."""
    win = one(rng, [win for win in wins(events) if not win.get("yiman")])
    if win is None:
        return False
    win["title_id"] = (win.get("title_id", 0) + 1) % 4
    return True


@kind("W108")
def _dora(events, rng):
    """Another number of dora."""
    found = [(win, fan) for win in wins(events) for fan in win["fans"] if fan["id"] == 31]
    if not found:
        return False
    win, fan = rng.choice(found)
    fan["val"] += 1
    win["count"] += 1
    return True


@kind("W109", "T105")
def _winning_tile(events, rng):
    """Another winning tile."""
    win = one(rng, wins(events))
    if win is None:
        return False
    win["hu_tile"] = one(rng, [tile for tile in TILES if tile != plain(win["hu_tile"]) and tile[1] in "ps"])
    return True


@kind("T105")
def _hand(events, rng):
    """Another tile in the hand of a winner."""
    win = one(rng, wins(events))
    if win is None:
        return False
    at = rng.randrange(len(win["hand"]))
    win["hand"][at] = one(rng, [tile for tile in TILES if tile != plain(win["hand"][at]) and tile[1] in "ps"])
    return True


@kind("T105")
def _ming(events, rng):
    """A meld of the winner that was not called."""
    # A yakuman of three players does not tell its norths, so its melds are not compared.
    three = len(events[0][1]["scores"]) == 3
    win = one(rng, [win for win in wins(events) if win.get("ming") and not (three and win.get("yiman"))])
    if win is None:
        return False
    win["ming"] = [*win["ming"][:-1], "kezi(2s,2s,2s)" if "2s,2s,2s" not in win["ming"][-1] else "kezi(8s,8s,8s)"]
    return True


@kind("S106", "W108", "W112")
def _below(events, rng):
    """Another tile below an indicator."""
    win = one(rng, [win for win in wins(events) if win.get("li_doras")])
    if win is None:
        return False
    old = plain(win["li_doras"][0])
    win["li_doras"] = [one(rng, [tile for tile in TILES if tile != old and tile[1] in "ps"]), *win["li_doras"][1:]]
    return True


@kind("W111")
def _liable(events, rng):
    """A seat that is liable for nothing."""
    win = one(rng, wins(events))
    if win is None:
        return False
    seat = (win.get("seat", 0) + 1) % len(events[0][1]["scores"])
    win |= {"baopai": seat + 1, "baopai_seats": [seat]}
    return True


@kind("P101")
def _change(events, rng):
    """A thousand points more from payer to winner."""
    content = events[-1][1]
    if not wins(events) or wins(events)[0].get("baopai"):  # how a liable seat pays depends on rules that are unknown
        return False
    deltas = content["delta_scores"]
    high, low = deltas.index(max(deltas)), deltas.index(min(deltas))
    deltas[high] += 700
    deltas[low] -= 700
    return True


@kind("P102", "P104", "P101")
def _balance(events, rng):
    """Points that come from nowhere."""
    if not wins(events) or wins(events)[0].get("baopai"):
        return False
    deltas = events[-1][1]["delta_scores"]
    deltas[deltas.index(max(deltas))] += 300 + 100 * rng.randrange(5)
    return True


@kind("P105")
def _before(events, rng):
    """Other scores before a win."""
    if not wins(events):
        return False
    events[-1][1]["old_scores"][rng.randrange(3)] += 1100
    return True


@kind("P106", "X102", "X103")
def _noten(events, rng):
    """Other payments at a draw."""
    name, content = events[-1]
    if name != "NoTile" or content.get("liujumanguan") or "delta_scores" not in content["scores"][0]:
        return False
    deltas = content["scores"][0]["delta_scores"]
    deltas[deltas.index(max(deltas))] += 500
    deltas[deltas.index(min(deltas))] -= 500
    return True


@kind("X103")
def _hidden(events, rng):
    """A tenpai hand that is not shown."""
    name, content = events[-1]
    if name != "NoTile":
        return False
    at = one(rng, [at for at, player in enumerate(content["players"]) if player.get("tingpai")])
    if at is None:
        return False
    content["players"][at] = {}
    return True


@kind("X102", "T105")
def _shown(events, rng):
    """A noten hand that is shown as tenpai."""
    name, content = events[-1]
    if name != "NoTile":
        return False
    at = one(rng, [at for at, player in enumerate(content["players"]) if not player.get("tingpai")])
    if at is None:
        return False
    content["players"][at] = {"tingpai": True, "hand": held(events, len(events))[at]}
    return True


@kind("O101")
def _waits(events, rng):
    """Other waits shown after a discard."""
    at = one(rng, [at for at in of_name(events, "DiscardTile") if events[at][1].get("tingpais")])
    if at is None:
        return False
    content = events[at][1]
    shown = {each["tile"] for each in content["tingpais"]}
    content["tingpais"] = [{"tile": one(rng, [tile for tile in TILES if tile not in shown])}]
    return True


@kind("O102")
def _furiten(events, rng):
    """A hand that is not furiten shown as furiten."""
    declared, found = set(), []
    for at in of_name(events, "DiscardTile"):
        content = events[at][1]
        seat = content.get("seat", 0)
        declared |= {seat} if content.get("is_liqi") else set()
        # Whether a call ends the furiten of a tile that passed is not known.
        drawn = events[at - 1][0] != "ChiPengGang"
        if drawn and seat not in declared and "zhenting" in content and not content["zhenting"][seat]:
            found.append((content, seat))
    if not found:
        return False
    content, seat = rng.choice(found)
    content["zhenting"][seat] = True
    return True


@kind("L003")
def _tile(events, rng):
    """A tile that does not exist."""
    at = one(rng, of_name(events, "DealTile"))
    if at is None:
        return False
    events[at][1]["tile"] = "9z"
    return True


@kind("L003")
def _seat(events, rng):
    """A seat that does not exist."""
    at = one(rng, [at for at in of_name(events, "DiscardTile") if not events[at][1].get("is_liqi")])
    if at is None:
        return False
    events[at][1]["seat"] = 7
    return True


def _one_more(listed, rng, field):
    """Raise a number at the start of a round that is not the first."""
    if len(listed) < 2:
        return None
    at = rng.randrange(1, len(listed))
    listed[at][0][1][field] = listed[at][0][1].get(field, 0) + 1
    return at


@kind("G101", of_game=True, also=("W102", "W104", "W106", "W107", "O103", "O104"))  # a wind may be a yaku
def _dealer(listed, rng):
    """Another dealer, and another wind."""
    return _one_more(listed, rng, "chang")


@kind("G102", of_game=True)
def _honba(listed, rng):
    """Another number of honba."""
    return _one_more(listed, rng, "ben")


@kind("G103", of_game=True)
def _sticks(listed, rng):
    """Another number of sticks."""
    return _one_more(listed, rng, "liqibang")


@kind("P105", of_game=True)
def _scores(listed, rng):
    """Other scores at the start of a round."""
    if len(listed) < 2:
        return None
    at = rng.randrange(1, len(listed))
    listed[at][0][1]["scores"][rng.randrange(3)] += 700
    return at


def planted(record, name, rng):
    """Give a copy of a record with a fault of a kind, and the round's number; None if there is no place."""
    _, function, of_game = KINDS[name]
    changed = copy.deepcopy(record)
    listed = rounds(changed)
    if of_game:
        at = function(listed, rng)
        return None if at is None else (changed, at)
    order = list(range(len(listed)))
    rng.shuffle(order)
    for at in order:
        if function(listed[at], rng):
            return changed, at
    return None
