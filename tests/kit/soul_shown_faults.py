"""Faults planted in what Mahjong Soul records say that players are shown and offered, and in their heads.

They join ``KINDS`` of :mod:`tests.kit.soul_faults`. Nothing here is shared with the reader.
"""

from __future__ import annotations

from tests.kit.conversion.soul_offers import TYPES
from tests.kit.soul_faults import KINDS, STICKS, TILES, held, kind, of_name, one, plain

__all__ = ("KINDS", "NAMES")
NAMES = {number: name for name, number in TYPES.items()}
OWN, OTHERS = ("NewRound", "DealTile", "ChiPengGang"), ("DiscardTile", "AnGangAddGang", "BaBei")


def lists(events):
    """List the lists of offers of a round: place, the record's content, the list.

    What is offered of a tile that aborts the round, and after four kans, is not known.
    """
    found, kans = [], 0
    for at, (name, content) in enumerate(events[:-2] if events[-1][0] == "LiuJu" else events):
        kans += name == "AnGangAddGang" or (name == "ChiPengGang" and content.get("type") == 2)
        if kans == 4:
            break
        if name in OWN and "operation" in content:
            found.append((at, content, content["operation"]))
        found += [(at, content, each) for each in content.get("operations", [])] if name in OTHERS else []
    return found


def judged(events, at, name):
    """Say whether it is known what is offered: not for riichi with three tiles left and three players."""
    return name != "riichi" or len(events[0][1]["scores"]) == 4 or events[at][1].get("left_tile_count") != 3


def offers(events, name):
    """List the offers of a name: the record's content, the list, the offer."""
    return [
        (content, listed, offer) for at, content, listed in lists(events) for offer in listed["operation_list"]
        if NAMES[offer["type"]] == name and judged(events, at, name)
    ]  # fmt: skip


def withheld(name):
    """Make a kind: an offer of this name is left out."""

    def plant(events, rng):
        found = one(rng, offers(events, name))
        if found is None:
            return False
        content, listed, offer = found
        listed["operation_list"].remove(offer)
        if not listed["operation_list"] and "operations" in content:
            content["operations"].remove(listed)
        return True

    plant.__doc__ = f"No offer: {name}."
    return kind("O103")(plant)


def invented(name, combination, fits):
    """Make a kind: an offer of this name is added to a list of ``OWN`` or ``OTHERS`` that has none."""

    def plant(events, rng):
        found = [
            listed for at, _, listed in lists(events)
            if judged(events, at, name) and fits(events, at, listed)
            and all(NAMES[each["type"]] != name for each in listed["operation_list"])
        ]  # fmt: skip
        listed = one(rng, found)
        if listed is None:
            return False
        offer = {"type": TYPES[name], **({"combination": [combination]} if combination else {})}
        listed["operation_list"] = [*listed["operation_list"], offer]
        return True

    plant.__doc__ = f"An offer that is not legal: {name}."
    return kind("O104")(plant)


def _drawn(events, at, _listed):
    """Say whether the list is of a seat that has drawn."""
    return events[at][0] in ("NewRound", "DealTile")


def _thrown(events, at, _listed):
    """Say whether the list is about a discard."""
    return events[at][0] == "DiscardTile"


def _one_suit(tile):
    """Make a condition: a discard that is not of this tile's suit."""
    return lambda events, at, _: events[at][0] == "DiscardTile" and events[at][1]["tile"][1] != tile[1]


for each in TYPES:
    withheld(each)
for each, tiles, condition in (
    ("chi", "2s|4s", _one_suit("3s")), ("pon", "7z|7z", _one_suit("7z")), ("daiminkan", "7z|7z|7z", _one_suit("7z")),
    ("ankan", "2m|2m|2m|2m", _drawn), ("kakan", "2m|2m|2m|2m", _drawn), ("riichi", "2m", _drawn),
    ("tsumo", None, _drawn), ("ron", None, _thrown), ("kyuushu", None, _drawn), ("kita", None, _drawn),
):  # fmt: skip
    invented(each, tiles, condition)


@kind("O104")
def _second_discard(events, rng):
    """A discard offered in riichi."""
    either = {TYPES["discard"], TYPES["riichi"]}
    drawn = [listed for at, _, listed in lists(events) if _drawn(events, at, listed)]
    found = [listed for listed in drawn if not either & {each["type"] for each in listed["operation_list"]}]
    listed = one(rng, found)
    if listed is None:
        return False
    listed["operation_list"] = [*listed["operation_list"], {"type": TYPES["discard"]}]
    return True


def _with_choices(events, rng, names, least):
    """Draw an offer of one of some names with at least this many choices."""
    found = [
        offer for name in names for _, _, offer in offers(events, name) if len(offer.get("combination", ())) >= least
    ]
    return one(rng, found)


def _several(events):
    """List the offers of a chi, pon or riichi with choices of different tiles."""
    return [offer for name in ("chi", "pon", "riichi") for _, _, offer in offers(events, name)
            if len(set(offer["combination"])) > 1]  # fmt: skip


@kind("O103")
def _choice(events, rng):
    """A choice of tiles less."""
    offer = one(rng, _several(events))
    if offer is None:
        return False
    gone = rng.choice(offer["combination"])
    riichi = NAMES[offer["type"]] == "riichi"
    rest = [each for each in offer["combination"] if (plain(each) != plain(gone) if riichi else each != gone)]
    if not rest:  # a red five and another: for riichi they are one choice
        return False
    offer["combination"] = rest
    return True


@kind("O104")
def _more_choice(events, rng):
    """A discard more that declares riichi."""
    found = []
    for at, content, listed in lists(events):
        for offer in listed["operation_list"]:
            if NAMES[offer["type"]] == "riichi" and judged(events, at, "riichi"):
                hand = held(events, at + 1)[content.get("seat", events[0][1].get("ju", 0))]
                shown = {plain(each) for each in offer["combination"]}
                found += [(offer, tile) for tile in TILES if tile not in shown and tile in map(plain, hand)]
    if not found:
        return False
    offer, tile = rng.choice(found)
    offer["combination"] = [*offer["combination"], tile]
    return True


@kind("O104")
def _allowed(events, rng):
    """A discard less that is forbidden after a call."""
    offer = _with_choices(events, rng, ("discard",), 1)
    if offer is None:
        return False
    offer["combination"] = offer["combination"][1:]
    return True


@kind("O103")
def _forbidden(events, rng):
    """A discard more that is forbidden after a call."""
    offer = _with_choices(events, rng, ("discard",), 1)
    if offer is None:
        return False
    other = one(rng, [tile for tile in TILES if tile not in map(plain, offer["combination"])])
    offer["combination"] = [*offer["combination"], other]
    return True


@kind("O101")
def _no_waits(events, rng):
    """A hand that waits, shown without waits."""
    at = one(rng, [at for at in of_name(events, "DiscardTile") if events[at][1].get("tingpais")])
    if at is None:
        return False
    del events[at][1]["tingpais"]
    return True


@kind("O101")
def _waits_of_none(events, rng):
    """A hand that waits for nothing, shown with a wait."""
    at = one(rng, [at for at in of_name(events, "DiscardTile") if "zhenting" in events[at][1]
                   and not events[at][1].get("tingpais")])  # fmt: skip
    if at is None:
        return False
    events[at][1]["tingpais"] = [{"tile": one(rng, TILES)}]
    return True


@kind("O101")
def _waits_at_draw(events, rng):
    """Other waits at the end of the wall."""
    name, content = events[-1]
    shown = [each for each in content["players"] if each.get("tings")] if name == "NoTile" else []
    player = one(rng, shown)
    if player is None:
        return False
    known = {each["tile"] for each in player["tings"]}
    player["tings"] = [*player["tings"][1:], {"tile": one(rng, [tile for tile in TILES if tile not in known])}]
    return True


def _mark(events, rng, name):
    """Set a mark of furiten in a record of this name."""
    found = [(content, seat) for each, content in events if each == name
             for seat, mark in enumerate(content.get("zhenting", ())) if not mark]  # fmt: skip
    if not found:
        return False
    content, seat = rng.choice(found)
    content["zhenting"] = [mark or seat == at for at, mark in enumerate(content["zhenting"])]
    return True


@kind("O102")
def _no_furiten(events, rng):
    """A hand that is furiten shown as not furiten."""
    # What ends the furiten of a tile that passed is not known, only what begins it.
    found, before = [], [False] * 4
    for name, content in events:
        marks = content.get("zhenting", before)
        if name == "DiscardTile":
            found += [(content, seat) for seat, mark in enumerate(marks) if mark and not before[seat]]
        before = marks if name in ("DiscardTile", "DealTile", "ChiPengGang") else before
    if not found:
        return False
    content, seat = rng.choice(found)
    content["zhenting"] = [mark and seat != at for at, mark in enumerate(content["zhenting"])]
    return True


@kind("O102")
def _mark_at_draw(events, rng):
    """A mark of furiten at a draw."""
    return _mark(events, rng, "DealTile")


@kind("O102")
def _mark_at_call(events, rng):
    """A mark of furiten at a call."""
    return _mark(events, rng, "ChiPengGang")


@kind("O102")
def _mark_of_other(events, rng):
    """Another seat's mark of furiten at a discard."""
    found = [(content, seat) for name, content in events if name == "DiscardTile"
             for seat, mark in enumerate(content.get("zhenting", ()))
             if seat != content.get("seat", 0) and not mark]  # fmt: skip
    if not found:
        return False
    content, seat = rng.choice(found)
    content["zhenting"] = [mark or seat == at for at, mark in enumerate(content["zhenting"])]
    return True


@kind("O105")
def _left(events, rng):
    """Another number of tiles left after a draw."""
    at = one(rng, [at for at in of_name(events, "DealTile") if events[at][1].get("left_tile_count", 0) > 1])
    if at is None:
        return False
    events[at][1]["left_tile_count"] += rng.choice((-1, 1, 4))
    return True


@kind("O105")
def _left_at_start(events, rng):
    """Another number of tiles left after the deal."""
    events[0][1]["left_tile_count"] += rng.choice((-1, 1, 14))
    return True


def _paid(events, rng):
    """Draw a stick that is paid."""
    return one(rng, [content["liqi"] for _, content in events if content.get("liqi")])


@kind("O106")
def _score_of_payer(events, rng):
    """Another score after a stick."""
    stick = _paid(events, rng)
    if stick is None:
        return False
    stick["score"] = stick.get("score", 0) + rng.choice((-1000, 100, 1000))
    return True


@kind("O106")
def _sticks_on_table(events, rng):
    """Another number of sticks on the table after one is paid."""
    stick = _paid(events, rng)
    if stick is None:
        return False
    stick["liqibang"] += rng.choice((1, 2))
    return True


@kind("R107", also=STICKS)
def _failed(events, rng):
    """A stick that failed to be paid although the declaring discard was not won."""
    stick = _paid(events, rng)
    if stick is None:
        return False
    stick["failed"] = True
    return True


@kind("L004", also=STICKS)
def _undeclared(events, rng):
    """A stick of a seat that has declared nothing."""
    declared = {content.get("seat", 0) for _, content in events if content.get("is_liqi")}
    found = [
        (at, seat) for at in of_name(events, "DealTile") for seat in range(len(events[0][1]["scores"]))
        if not events[at][1].get("liqi") and seat not in declared and seat != events[at - 1][1].get("seat", 0)
    ]  # fmt: skip
    if not found:
        return False
    at, seat = rng.choice(found)
    events[at][1]["liqi"] = {"seat": seat, "score": events[0][1]["scores"][seat] - 1000,
                             "liqibang": 1 + events[0][1].get("liqibang", 0) + sum(
                                 "liqi" in content for _, content in events[:at])}  # fmt: skip
    return True


def _one_win(events, rng):
    """Draw a win."""
    return one(rng, events[-1][1]["hules"]) if events[-1][0] == "Hule" else None


def _in_a_win(events, rng, field, change):
    """Change a field of a win; say whether there is one."""
    win = _one_win(events, rng)
    if win is not None:
        win[field] = change(win.get(field, 0))
    return win is not None


@kind("O107")
def _worth(events, rng):
    """Another worth of a hand where a win repeats it."""
    return _in_a_win(events, rng, "dadian", lambda value: value + rng.choice((-100, 100, 4000)))


@kind("O107")
def _won(events, rng):
    """Another sum of what a seat has won so far."""
    return _in_a_win(events, rng, "point_sum", lambda value: value + rng.choice((-100, 100, 4000)))


@kind("O107")
def _is_dealer(events, rng):
    """A winner who is or is not marked as the dealer."""
    return _in_a_win(events, rng, "qinjia", lambda marked: not marked)


@kind("O107")
def _in_riichi(events, rng):
    """A winner who is or is not marked as in riichi."""
    win = _one_win(events, rng)
    if win is None or (not win.get("liqi") and not win.get("li_doras")):
        return False
    win["liqi"] = not win.get("liqi", False)
    return True


@kind("O107")
def _after(events, rng):
    """Another score after a win."""
    if _one_win(events, rng) is None:
        return False
    scores = events[-1][1]["scores"]
    scores[rng.randrange(len(scores))] += rng.choice((-1000, 100, 300))
    return True
