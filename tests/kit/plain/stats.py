"""Statistics of mjlog files counted slowly: ElementTree (mjlog_reader.py), plain loops, one fact at a time.

``facts`` gives (group, statistic, key, measure, numerator, denominator) for every countable thing; ``totals`` adds
them up. Nothing is shared with auditor.dataset.stats, nor with the tables of a dataset.
"""

from __future__ import annotations

import re
import statistics
from collections import defaultdict

from engine.yaku.all_yaku import BY_ID
from tests.kit.plain import mjlog_reader, reference

PLACES = ("first", "second", "third", "fourth")
DORA, URA, RED = 52, 53, 54


def facts(path, data):
    """List all facts of one game."""
    game = mjlog_reader.read(data)
    date = re.match(r"(\d{4})(\d\d)", path.name)
    found = []
    players = game.head["players"]
    whole = {"platform": "tenhou", "client": "mjlog", "month": f"{date[1]}-{date[2]}", "source": str(path)}
    whole |= {"players": players} | dict(zip(("room", "mode"), _room(game.head), strict=True))

    def add(name, key, measure, numerator, denominator, seat=None, number=None):  # noqa: PLR0917
        split = whole | ({} if seat is None else {"seat": seat, "player": game.head["names"][seat]})
        split |= {} if number is None else {"dealer": game.rounds[number][2] == seat}
        found.append((split, name, key, measure, numerator, denominator))

    _placement(game, add)
    _dealerships(game, add)
    ready, waits = _ready(game, add)
    for number, _ in enumerate(game.rounds):
        claims = [claim for claim in game.claims if claim["round"] == number]
        add("results", claims[0]["reason"], "share", 1, 0)
        add("results", None, "share", 0, 1)
        for claim in claims:
            if claim["reason"] == "win":
                _win(game, claim, _declared(game, number, claim["winner"]), in_round(add, number))
        for seat in range(players):
            place = number, seat
            _seat_round(game, number, seat, claims, ready.get(place), waits.get(place), in_round(add, number))
            _dealt(game, number, seat, claims, ready.get(place), in_round(add, number))
    return found


def _room(head):
    """Name the room and the mode of a table type (RULES.md 4.1)."""
    kind, lobby = int(head["type"]), int(head["lobby"] or 0)
    room = f"lobby {lobby}" if lobby else {"00": "general", "01": "upper", "10": "expert", "11": "phoenix"}[
        f"{bool(kind & 0x20):d}{bool(kind & 0x80):d}"
    ]  # fmt: skip
    without = [words for bit, words in ((4, "no open tanyao"), (2, "no red fives")) if kind & bit]
    return room, ", ".join(["South" if kind & 8 else "East", *without, *(["fast"] if kind & 0x40 else [])])


def in_round(add, number):
    """Give ``add`` for facts of a seat in a round: the seat is the dealer or not."""
    return lambda *fact: add(*fact, number)


def _placement(game, add):
    if "final_scores" not in game.head:
        return
    scores, players = game.head["final_scores"], game.head["players"]
    order = sorted(range(players), key=lambda seat: (-scores[seat], seat))
    for seat in range(players):
        place = order.index(seat)
        for at, name in enumerate(PLACES[:players]):
            add("placement", None, name, place == at, 1, seat)
        add("placement", None, "top2", place < 2, 1, seat)
        _stable_dan(game, place, lambda *fact, seat=seat: add("placement", None, "stable_dan", *fact, seat))
        add("placement", None, "below_zero", scores[seat] < 0, 1, seat)
        add("placement", None, "place", place + 1, 1, seat)
        add("placement", None, "final_score", scores[seat], 1, seat)
        add("placement", None, "final_points", game.head["final_points"][seat], 1, seat)


# Points of Tenhou's ranked games [3: bits of the type]: by room and length, what the first and the second place gain,
# and what the fourth loses at 1 dan and for each dan more (https://mahjong-dora2.com/game/02-07.html).
RANKED = {
    ("general", "south"): (30, 15, 45, 15), ("upper", "south"): (60, 15, 45, 15), ("expert", "south"): (75, 30, 45, 15),
    ("phoenix", "south"): (90, 45, 45, 15), ("general", "east"): (20, 10, 30, 10), ("upper", "east"): (40, 10, 30, 10),
    ("expert", "east"): (50, 20, 30, 10), ("phoenix", "east"): (60, 30, 30, 10),
}  # fmt: skip


def _stable_dan(game, place, add):
    """Count what a place moves: at the stable dan, gains are losses. In units of 5 points."""
    bits = {1 << bit for bit in range(16) if int(game.head["type"]) >> bit & 1}
    if game.head["lobby"] != "0" or game.head["players"] != 4 or 1 not in bits or bits & {0x200, 0x400, 0x800}:
        return
    room = {(): "general", (0x80,): "upper", (0x20,): "expert", (0x20, 0x80): "phoenix"}
    kind = room[tuple(sorted(bits & {0x20, 0x80}))], "south" if 8 in bits else "east"
    first, second, lost, more = RANKED[kind]
    # The loss at 1 dan is three times that of a dan more: it would be nothing at -2 dan.
    assert lost == 3 * more
    add((first, second, 0, -2 * more)[place] / 5, more / 5 if place == 3 else 0)


def _dealerships(game, add):
    dealers = [each[2] for each in game.rounds]
    begins = [at for at, seat in enumerate(dealers) if not at or dealers[at - 1] != seat]
    for begin, end in zip(begins, [*begins[1:], len(dealers)], strict=True):
        add("dealerships", None, "length", end - begin, 1, dealers[begin])
        add("dealerships", None, "longest", end - begin, 1, dealers[begin])


def _declared(game, number, seat):
    return any(event[0] == number and event[3:5] == ("riichi", seat) for event in game.events)


def _before(game, claim, seat, *kinds):
    """Count a seat's events of some kinds before the result of a claim."""
    return sum(
        each[0] == claim["round"] and each[1] < claim["event"] and each[4] == seat and each[3] in kinds
        for each in game.events
    )


def _win(game, claim, riichi, add):
    seat = claim["winner"]
    tsumo = claim["payer"] == seat
    discards = _before(game, claim, seat, "discard")
    is_open = _before(game, claim, seat, "chi", "pon", "daiminkan") > 0
    add("wins", None, "turn", discards + 1 if tsumo else max(discards, 1), 1, seat)
    for measure, count in (
        ("tsumo", tsumo), ("riichi", riichi), ("dama", not riichi and not is_open), ("open", is_open),
        ("limit", claim["limit"] > 0), ("yakuman", claim["limit"] == 5), ("points", claim["points"]),
    ):  # fmt: skip
        add("wins", None, measure, count, 1, seat)
    add("wins", None, "ippatsu", riichi and 2 in (claim["yaku"] or []), riichi, seat)
    add("limits", claim["limit"], "share", 1, 0, seat)
    add("limits", None, "share", 0, 1, seat)
    pairs = dict(zip(claim["yaku"] or [], claim["han"] or [], strict=True))
    named = [number for number in pairs if number not in (DORA, URA, RED)] + (claim["yakuman"] or [])
    for number in named:
        add("yaku", BY_ID[number].romaji, "share", 1, 0, seat)
    add("yaku", None, "share", 0, 1, seat)
    dora, ura, red = (pairs.get(number, 0) for number in (DORA, URA, RED))
    add("dora", None, "any", dora + ura + red > 0, 1, seat)
    add("dora", None, "dora", dora, 1, seat)
    add("dora", None, "red", red, 1, seat)
    add("dora", None, "ura", ura * riichi, riichi, seat)
    add("dora", None, "any_ura", (ura > 0) * riichi, riichi, seat)
    if claim["limit"] != 5:  # a yakuman, including counted ones
        add("dora", None, "han", sum(pairs.values()), 1, seat)


def _seat_round(game, number, seat, claims, ready, waits, add):  # noqa: PLR0917
    own = {event[3] for event in game.events if event[0] == number and event[4] == seat}
    wins = [claim for claim in claims if claim.get("winner") == seat]
    paid = [claim for claim in claims if claim.get("payer") == seat != claim["winner"]]
    tsumo = any(claim["payer"] == seat for claim in wins)
    drawn = claims[0]["reason"] == "exhaustive"
    won, worth = bool(wins), sum(claim["points"] for claim in wins)
    dealt, price = bool(paid), sum(claim["points"] for claim in paid)
    last = claims[-1]
    change = last["before"][seat] + last["deltas"][seat] - game.rounds[number][5][seat]
    riichi, kan = "riichi" in own, bool(own & {"ankan", "kakan", "daiminkan"})

    for measure, count in (
        ("win", won), ("tsumo", tsumo), ("ron", won and not tsumo), ("deal_in", dealt), ("riichi", riichi),
        ("call", bool(own & {"chi", "pon", "daiminkan"})),
    ):  # fmt: skip
        add("rates", None, measure, count, 1, seat)
    add("rates", None, "tsumo_share", tsumo, won, seat)
    add("points", None, "won", worth, won, seat)
    add("points", None, "dealt_in", price, dealt, seat)
    add("points", None, "change", change, 1, seat)
    for claim in (each for each in claims if each.get("payer") == each.get("winner") not in (seat, None)):
        add("points", None, "tsumo_paid", -claim["deltas"][seat], 1, seat)
    calls = sum(
        each[0] == number and each[4] == seat and each[3] in ("chi", "pon", "daiminkan") for each in game.events
    )
    outcome = {"win": won, "tsumo": tsumo, "deal_in": dealt, "change": change}
    if calls:
        for measure, count in (outcome | {"calls": calls}).items():
            add("open", None, measure, count, 1, seat)
        add("open", None, "won", worth, won, seat)
    add("draws", None, "exhaustive", drawn, 1, seat)
    shown = [show[3] for show in game.shows if show[1] == number and drawn]
    add("draws", None, "tenpai", seat in shown, drawn, seat)
    add("tenpai", None, "reached", ready is not None, 1, seat)
    add("tenpai", None, "turn", ready or 0, ready is not None, seat)
    add("kans", None, "kan", kan, 1, seat)
    for measure, count in (("win", won), ("deal_in", dealt), ("change", change)):
        add("kans", None, measure, count * kan, kan, seat)
    kita = _kita(game, number, seat, won, add)
    for measure, count in (
        ("win", won), ("tsumo", tsumo), ("deal_in", dealt), ("riichi", riichi), ("change", change),
    ):  # fmt: skip
        add("kita_counts", kita, measure, count, 1, seat)
    add("kita_counts", kita, "won", worth, won, seat)
    rinshan, robbed = (any(yaku in (claim["yaku"] or []) for claim in of) for yaku, of in ((4, wins), (3, paid)))
    for kind in own & {"ankan", "kakan", "daiminkan"}:
        for measure, count in (
            ("win", won), ("tsumo", tsumo), ("rinshan", rinshan), ("robbed", robbed), ("deal_in", dealt),
            ("change", change),
        ):  # fmt: skip
            add("kan_kinds", kind, measure, count, 1, seat)
        add("kan_kinds", kind, "won", worth, won, seat)
    if riichi:
        _riichi(game, number, seat, wins, waits, outcome | {"exhaustive": drawn}, add)


def _riichi(game, number, seat, wins, waits, outcome, add):  # noqa: PLR0917
    won, worth = bool(wins), sum(claim["points"] for claim in wins)
    order = [each[4] for each in game.events if each[0] == number and each[3] == "riichi"].index(seat) + 1
    for name, key in (
        ("riichi", None), ("riichi_orders", order), ("waits", waits["kinds"]), ("unseen", waits["unseen"])
    ):  # fmt: skip
        for measure, count in (outcome | {"turn": waits["turn"]}).items():
            add(name, key, measure, count, 1, seat)
        add(name, key, "won", worth, won, seat)
    add("riichi", None, "ippatsu", any(2 in (claim["yaku"] or []) for claim in wins), 1, seat)
    add("riichi", None, "first", order == 1, 1, seat)
    add("riichi", None, "chasing", order > 1, 1, seat)
    add("riichi", None, "furiten", waits["furiten"], 1, seat)
    add("waits", waits["kinds"], "unseen", waits["unseen"], 1, seat)
    add("unseen", waits["unseen"], "kinds", waits["kinds"], 1, seat)


def _dealt(game, number, seat, claims, ready, add):  # noqa: PLR0917
    counts = [0] * 34
    for tile in (each[2] for each in game.deals if each[:2] == (number, seat)):
        counts[tile // 4] += 1
    standard = reference.sanma_standard if game.head["players"] == 3 else reference.block_standard
    shanten = reference.shanten(counts, 0, standard)
    own = {event[3] for event in game.events if event[0] == number and event[4] == seat}
    last = claims[-1]
    add("tenpai", None, "dealt", shanten, 1, seat)
    for measure, count in (
        ("win", any(claim.get("winner") == seat for claim in claims)),
        ("deal_in", any(claim.get("payer") == seat != claim["winner"] for claim in claims)),
        ("riichi", "riichi" in own), ("call", bool(own & {"chi", "pon", "daiminkan"})), ("tenpai", ready is not None),
        ("change", last["before"][seat] + last["deltas"][seat] - game.rounds[number][5][seat]),
    ):  # fmt: skip
        add("deals", shanten, measure, count, 1, seat)


def _kita(game, number, seat, won, add):
    own = [event[3] for event in game.events if event[0] == number and event[4] == seat]
    kita = own.count("kita")
    add("kita", None, "any", kita > 0, 1, seat)
    add("kita", None, "kita", kita, 1, seat)
    add("kita", None, "kita_of_wins", kita * won, won, seat)
    if kita:
        add("kita", None, "turn", own[: own.index("kita")].count("discard") + 1, 1, seat)
    return kita


def _ready(game, add):
    """Replay all hands tile by tile; give the turn in which each seat is first tenpai, and the waits of riichi."""
    hands, melds, discards, ready = defaultdict(list), defaultdict(int), defaultdict(int), {}
    rivers = defaultdict(set)
    table = {number: [each[6]] for number, each in enumerate(game.rounds)}
    declared, waits = set(), {}
    three = game.head["players"] == 3
    standard = reference.sanma_standard if three else reference.block_standard
    kinds = reference.SANMA if three else range(34)
    for number, seat, tile in game.deals:
        hands[number, seat].append(tile)
    for number, _, _, kind, seat, _, piece, others in game.events:
        place = number, seat
        discards[place] += kind == "discard"
        melds[place] += kind in ("chi", "pon", "daiminkan", "ankan")
        hands[place] += [piece] if kind == "draw" else []
        for tile in _given(kind, piece, others):
            hands[place].remove(tile)
            table[number].append(tile)
        table[number] += [piece] if kind == "dora" else []
        rivers[place] |= {piece // 4} if kind == "discard" else set()
        if kind == "riichi":
            declared.add(place)
        elif kind == "discard" and place in declared and place not in waits:
            waits[place] = _waits(hands[place], melds[place], table[number], kinds) | {"turn": discards[place]}
            waits[place]["furiten"] = bool(rivers[place] & set(waits[place]["names"]))
        if kind in ("draw", "chi", "pon", "daiminkan", "ankan", "kakan", "kita"):
            counts = [0] * 34
            for tile in hands[place]:
                counts[tile // 4] += 1
            shanten = reference.shanten(counts, melds[place], standard)
            turn = discards[place] + 1
            if shanten <= 0:
                ready.setdefault(place, turn)
            if kind == "draw":
                add("shanten", turn, "shanten", shanten, 1, seat)
                add("shanten", turn, "tenpai", shanten <= 0, 1, seat)
    return ready, waits


def _waits(hand, melds, table, among):
    """Count the kinds of those in play that complete a hand, by trying each, and the unseen tiles of these kinds."""
    counts = [sum(tile // 4 == kind for tile in hand) for kind in range(34)]
    kinds = reference.waits(counts, melds, among)
    # Physical tiles are a set, so that one that is seen in two ways counts once.
    seen = {*hand, *table}
    unseen = sorted({tile for kind in kinds for tile in range(4 * kind, 4 * kind + 4)} - seen)
    return {"kinds": len(kinds), "unseen": len(unseen), "names": kinds, "discard": table[-1]}


def riichis(game):
    """List each riichi: round, event, seat, turn, discard, double, kinds waited for, unseen, furiten, paid."""
    waits = _ready(game, lambda *_: None)[1]
    rows = []
    for at, (number, event, _, kind, seat, *_) in enumerate(game.events):
        if kind != "riichi":
            continue
        before = [each[3:5] for each in game.events[:at] if each[0] == number]
        calls = {"chi", "pon", "daiminkan", "ankan", "kakan", "kita"}
        double = ("discard", seat) not in before and not calls & {act for act, _ in before}
        paid = any(each[0] == number and each[3:5] == ("deposit", seat) for each in game.events)
        found = waits[number, seat]
        names, unseen = found["names"], found["unseen"]
        furiten = found["furiten"]
        rows.append((number, event, seat, found["turn"], found["discard"], double, names, unseen, furiten, paid))
    return rows


def _given(kind, piece, others):
    """List the tiles that leave the hand with an event."""
    if kind in ("discard", "kakan", "kita"):
        return [piece]
    if kind == "ankan":
        return [piece, *others]
    return others if kind in ("chi", "pon", "daiminkan") else []


def errors(found, *by):
    """Give the standard error of each mean, by (statistic, group, key, measure); None for fewer than two rows.

    Of a plain mean it is the standard deviation of the values, divided by the root of their number. Of a quotient of
    sums it is the same of the residuals x - R y, divided by the mean of y.
    """
    rows = defaultdict(list)
    for split, name, key, measure, numerator, denominator in found:
        if split.keys() >= set(by) and (denominator or measure == "stable_dan"):
            rows[name, tuple(split[each] for each in by), key, measure].append((numerator, denominator))
    found = {}
    for place, pairs in rows.items():
        whole, count = sum(below for _, below in pairs), len(pairs)
        ratio = whole and sum(above for above, _ in pairs) / whole
        rest = [above - ratio * below for above, below in pairs]
        error = statistics.stdev(rest) / count**0.5 / (whole / count) if count > 1 and whole else None
        found[place] = error
    return found


def totals(found, *by):
    """Add facts up: numerator and denominator by (statistic, group, key, measure).

    ``by`` names splits, and the group is the tuple of their values.
    If a denominator is counted over the whole (its facts have no key), every key gets it.
    """
    whole_of = ("results", "yaku", "limits")
    sums, whole = defaultdict(lambda: [0, 0]), defaultdict(int)
    for split, name, key, measure, numerator, denominator in found:
        if not split.keys() >= set(by):
            continue
        group = tuple(split[each] for each in by)
        if name in whole_of and key is None:
            whole[name, group, measure] += denominator
            continue
        pair = sums[name, group, key, measure]
        pair[0] = max(pair[0], numerator) if measure == "longest" else pair[0] + numerator
        sums[name, group, key, measure][1] += denominator
    for (name, group, key, measure), pair in sums.items():
        if name in whole_of:
            sums[name, group, key, measure][1] = pair[1] + whole[name, group, measure]
    return {place: tuple(pair) for place, pair in sums.items()}
