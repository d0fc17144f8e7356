"""Statistics of mjlog files counted slowly: ElementTree (mjlog_reader.py), plain loops, one fact at a time.

``facts`` gives (group, statistic, key, measure, numerator, denominator) for every countable thing; ``totals`` adds
them up. Nothing is shared with auditor.dataset.stats, nor with the tables of a dataset.
"""

from __future__ import annotations

import re
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

    def add(name, key, measure, numerator, denominator, seat=None):  # noqa: PLR0917
        split = whole | ({} if seat is None else {"seat": seat, "player": game.head["names"][seat]})
        found.append((split, name, key, measure, numerator, denominator))

    _placement(game, add)
    ready, waits = _ready(game, add)
    for number, _ in enumerate(game.rounds):
        claims = [claim for claim in game.claims if claim["round"] == number]
        add("results", claims[0]["reason"], "share", 1, 0)
        add("results", None, "share", 0, 1)
        for claim in claims:
            if claim["reason"] == "win":
                _win(claim, _declared(game, number, claim["winner"]), add)
        for seat in range(players):
            _seat_round(game, number, seat, claims, ready.get((number, seat)), waits.get((number, seat)), add)
    return found


def _room(head):
    """Name the room and the mode of a table type (RULES.md 4.1)."""
    kind, lobby = int(head["type"]), int(head["lobby"] or 0)
    room = f"lobby {lobby}" if lobby else {"00": "general", "01": "upper", "10": "expert", "11": "phoenix"}[
        f"{bool(kind & 0x20):d}{bool(kind & 0x80):d}"
    ]  # fmt: skip
    without = [words for bit, words in ((4, "no open tanyao"), (2, "no red fives")) if kind & bit]
    return room, ", ".join(["South" if kind & 8 else "East", *without, *(["fast"] if kind & 0x40 else [])])


def _placement(game, add):
    if "final_scores" not in game.head:
        return
    scores, players = game.head["final_scores"], game.head["players"]
    order = sorted(range(players), key=lambda seat: (-scores[seat], seat))
    for seat in range(players):
        place = order.index(seat)
        for at, name in enumerate(PLACES[:players]):
            add("placement", None, name, place == at, 1, seat)
        add("placement", None, "below_zero", scores[seat] < 0, 1, seat)
        add("placement", None, "place", place + 1, 1, seat)
        add("placement", None, "final_score", scores[seat], 1, seat)
        add("placement", None, "final_points", game.head["final_points"][seat], 1, seat)


def _declared(game, number, seat):
    return any(event[0] == number and event[3:5] == ("riichi", seat) for event in game.events)


def _win(claim, riichi, add):
    seat = claim["winner"]
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
        for measure, count in (("win", won), ("tsumo", tsumo), ("deal_in", dealt), ("exhaustive", drawn)):
            add("riichi", None, measure, count, 1, seat)
        add("riichi", None, "won", worth, won, seat)
        add("riichi", None, "change", change, 1, seat)
        for name, key in (("waits", waits["kinds"]), ("unseen", waits["unseen"])):
            for measure, count in (
                ("win", won), ("tsumo", tsumo), ("deal_in", dealt), ("exhaustive", drawn), ("change", change),
                ("turn", waits["turn"]),
            ):  # fmt: skip
                add(name, key, measure, count, 1, seat)
            add(name, key, "won", worth, won, seat)
        add("waits", waits["kinds"], "unseen", waits["unseen"], 1, seat)
        add("unseen", waits["unseen"], "kinds", waits["kinds"], 1, seat)


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
        if kind == "riichi":
            declared.add(place)
        elif kind == "discard" and place in declared and place not in waits:
            waits[place] = _waits(hands[place], melds[place], table[number], kinds) | {"turn": discards[place]}
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
    """List each riichi: round, event, seat, turn, discard, double, kinds waited for, unseen, paid."""
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
        rows.append((number, event, seat, found["turn"], found["discard"], double, names, unseen, paid))
    return rows


def _given(kind, piece, others):
    """List the tiles that leave the hand with an event."""
    if kind in ("discard", "kakan", "kita"):
        return [piece]
    if kind == "ankan":
        return [piece, *others]
    return others if kind in ("chi", "pon", "daiminkan") else []


def totals(found, *by):
    """Add facts up: numerator and denominator by (statistic, group, key, measure).

    ``by`` names splits, and the group is the tuple of their values.
    If a denominator is counted over the whole (its facts have no key), every key gets it.
    """
    sums, whole = defaultdict(lambda: [0, 0]), defaultdict(int)
    for split, name, key, measure, numerator, denominator in found:
        if not split.keys() >= set(by):
            continue
        group = tuple(split[each] for each in by)
        if name in ("results", "yaku") and key is None:
            whole[name, group, measure] += denominator
            continue
        sums[name, group, key, measure][0] += numerator
        sums[name, group, key, measure][1] += denominator
    for (name, group, key, measure), pair in sums.items():
        if name in ("results", "yaku"):
            sums[name, group, key, measure][1] = pair[1] + whole[name, group, measure]
    return {place: tuple(pair) for place, pair in sums.items()}
