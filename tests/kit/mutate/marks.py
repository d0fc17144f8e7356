"""Faults that only logs of 電脳麻将 can show: tsumogiri marks, tiles of other sets (D103, T104, C103, C106)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tests.kit.mutate.fault import fault, pick
from tests.kit.mutate.paipu import DRAWS, MARKS, own_tiles, tiles_of

if TYPE_CHECKING:
    import random

    from tests.kit.mutate.paipu import Deal, Paipu

KUIKAE, REDS = "喰い替え許可レベル", "赤牌"


@fault("D103", "the only tile of its like, just drawn, marked as from the hand", form="paipu")
def drawn_as_kept(game: Paipu, rng: random.Random) -> int:
    """Leave the mark out."""
    sites = [
        (deal, fields)
        for deal in game.deals
        for _, name, fields, hands in deal.walk()
        if name == "dapai" and "_" in fields["p"] and hands[fields["l"]][fields["p"][:2]] == 1
    ]
    deal, fields = pick(rng, sites)
    fields["p"] = fields["p"].replace("_", "")
    return deal.nth


@fault("D103", "a tile of the hand marked as just drawn", form="paipu")
def kept_as_drawn(game: Paipu, rng: random.Random) -> int:
    """Add the mark after another tile was drawn."""
    sites = [
        (deal, fields)
        for deal in game.deals
        for place, name, fields, _ in deal.walk()
        if name == "dapai" and "_" not in fields["p"] and (before := deal.events[place - 1].get("zimo"))
        and before["p"][:2] != fields["p"][:2]
    ]  # fmt: skip
    deal, fields = pick(rng, sites)
    fields["p"] = f"{fields['p'][:2]}_{fields['p'][2:]}"
    return deal.nth


@fault("D103", "a discard after a call marked as just drawn", form="paipu")
def drawn_after_call(game: Paipu, rng: random.Random) -> int:
    """Add the mark where nothing was drawn."""
    sites = [
        (deal, fields)
        for deal in game.deals
        for place, name, fields, _ in deal.walk()
        if name == "dapai" and deal.name(place - 1) == "fulou"
    ]
    deal, fields = pick(rng, sites)
    fields["p"] = f"{fields['p'][:2]}_"
    return deal.nth


@fault("T104", "a red five where there are none", form="paipu")
def red_of_no_set(game: Paipu, rng: random.Random) -> int:
    """Make a five red that is drawn, discarded at once and taken by nobody."""
    sites = [
        (deal, deal.events[place - 1]["zimo"], fields)
        for deal in game.deals
        for place, name, fields, _ in deal.walk()
        if name == "dapai" and fields["p"][1:] == "5_" and deal.name(place - 1) == deal.name(place + 1) == "zimo"
        and fields["p"][0] in "mps" and not game.rule[REDS][fields["p"][0]]
    ]  # fmt: skip
    deal, *events = pick(rng, sites)
    for fields in events:
        fields["p"] = fields["p"].replace("5", "0")
    return deal.nth


def _arrival(deal: Deal, seat: int, tile: str, before: int) -> int | None:
    """Give the place where a tile last came to a hand before an event; 0 is the deal, None nowhere."""
    for place in range(before - 1, 0, -1):
        for name in DRAWS:
            fields = deal.events[place].get(name)
            if fields and fields["l"] == seat and fields["p"][:2] == tile:
                return place
    return 0 if tile in _dealt(deal, seat) else None


def _dealt(deal: Deal, seat: int) -> list[str]:
    """List the tiles dealt to a seat."""
    return tiles_of(deal.events[0]["qipai"]["shoupai"][seat])


def _arrive_as(deal: Deal, seat: int, tile: str, instead: str, before: int) -> None:
    """Deal or draw another tile in place of one."""
    place = _arrival(deal, seat, tile, before)
    if place:
        fields = next(deal.events[place][name] for name in DRAWS if name in deal.events[place])
        fields["p"] = instead + fields["p"][2:]
        return
    tiles = _dealt(deal, seat)
    tiles[tiles.index(tile)] = instead
    deal.events[0]["qipai"]["shoupai"][seat] = "".join(tiles)


def _leaves(deal: Deal, seat: int, tile: str, after: int) -> bool:
    """Say whether the hand uses a tile after an event."""
    for event in deal.events[after + 1 :]:
        for name, fields in event.items():
            if name in (*DRAWS, "dapai") and fields["l"] == seat and fields["p"][:2] == tile:
                return True
            if name in ("fulou", "gang") and fields["l"] == seat and tile in own_tiles(fields["m"]):
                return True
    return False


def _untaken(deal: Deal, seat: int, tile: str, after: int) -> bool:
    """Say whether the hand's next discard of a tile, if any, is neither called nor won."""
    for place, event in enumerate(deal.events[after + 1 :], after + 1):
        fields = event.get("dapai")
        if fields and fields["l"] == seat and fields["p"][:2] == tile:
            return deal.name(place + 1) == "zimo"
    return True


def _is_run(meld: str) -> bool:
    """Say whether a meld's digits are consecutive."""
    digits = sorted(int(letter) for letter in meld if letter.isdigit())
    return [digit - digits[0] for digit in digits] == [0, 1, 2]


@fault("C103", "a chi of tiles that are no run", form="paipu")
def chi_of_no_run(game: Paipu, rng: random.Random) -> int:
    """Call with another tile of the suit, which the hand keeps to the end."""
    sites = []
    for deal in game.deals:
        for place, name, fields, hands in deal.walk():
            if name != "fulou" or fields["l"] in deal.shown or len(set(fields["m"].replace("0", "5")[1:])) < 4:
                continue
            meld = fields["m"]
            for own in own_tiles(meld):
                sites += [
                    (deal, fields, own[1], other[1])
                    for other, count in hands[fields["l"]].items()
                    if count and other[0] == meld[0] and "0" not in other + own
                    and abs(int(other[1]) - int(own[1])) > 2
                    and not _is_run(meld.replace("0", "5").replace(own[1], other[1]))
                    and not any(_leaves(deal, fields["l"], tile, place) for tile in (own, other))
                ]  # fmt: skip
    deal, fields, own, other = pick(rng, sites)
    called = fields["m"][next(at for at, letter in enumerate(fields["m"]) if letter in MARKS) - 1]
    digits = [called if letter == called else other if letter == own else letter for letter in fields["m"]]
    fields["m"] = "".join(digits)
    return deal.nth


@fault("C106", "a chi that leaves nothing but kuikae", form="paipu")
def stuck(game: Paipu, rng: random.Random) -> int:
    """Give the two tiles that are left after a fourth call the called kind."""
    sites = []
    for deal in game.deals:
        if game.rule[KUIKAE]:
            continue
        for place, name, fields, hands in deal.walk():
            if name != "fulou" or fields["l"] in deal.shown:
                continue
            meld = fields["m"].replace("0", "5")
            called = meld[0] + meld[next(at for at, letter in enumerate(meld) if letter in MARKS) - 1]
            rest = list((hands[fields["l"]] - Counter(own_tiles(fields["m"]))).elements())
            thrown = deal.events[place + 1].get("dapai")
            untaken = all(_untaken(deal, fields["l"], tile, place) for tile in rest)
            if (
                len(rest) == 2
                and rest[0] != rest[1]
                and untaken
                and thrown
                and deal.seen()[called] <= 2
                and called not in rest
            ):
                sites.append((deal, place, fields["l"], rest, called))
    deal, place, seat, rest, called = pick(rng, sites)
    for tile in rest:
        for event in deal.events[place + 1 :]:
            fields = event.get("dapai")
            if fields and fields["l"] == seat and fields["p"][:2] == tile:
                fields["p"] = called + fields["p"][2:]
                break
        _arrive_as(deal, seat, tile, called, place)
    return deal.nth
