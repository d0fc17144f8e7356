"""The output table ``hands``, and columns of ``rounds`` and ``wins``, counted from mjlog files.

All is read by ElementTree (mjlog_reader.py) and counted by plain loops over one round at a time.
"""

from __future__ import annotations

from tests.kit.plain import mjlog_reader

HONOURS = "ESWNPFC"
CALLS = ("chi", "pon", "daiminkan", "ankan", "kakan", "kita")


def name(tile, reds):
    """Give a tile's name; a red five is 0."""
    kind, copy = divmod(tile, 4)
    if kind >= 27:
        return HONOURS[kind - 27]
    suit, number = divmod(kind, 9)
    return f"{0 if reds and number == 4 and copy == 0 else number + 1}{'mps'[suit]}"


def place(text):
    """Give the place of a name in a hand: suits, numbers, honours; the red five before the five."""
    if text in HONOURS:
        return (3, HONOURS.index(text), 0)
    number = 5 if text[0] == "0" else int(text[0])
    return ("mps".index(text[1]), number, text[0] != "0")


def hands(data):
    """List the rows of ``hands`` of a game, as dicts, without the columns that name the game, and without shanten."""
    game = mjlog_reader.read(data)
    rows = []
    for number, (_, _, dealer, *_) in enumerate(game.rounds):
        claims = [claim for claim in game.claims if claim["round"] == number]
        order = [each[4] for each in game.events if each[0] == number and each[3] == "riichi"]
        for seat in range(game.head["players"]):
            row = {"round": number, "seat": seat, "dealer": seat == dealer}
            row |= _dealt(game, number, seat) | _played(game, number, seat)
            row["riichi_order"] = order.index(seat) + 1 if seat in order else None
            rows.append(row | _ended(game, number, seat, claims))
    return rows


def reds_of(game):
    """Say whether a game has red fives [3]."""
    return not int(game.head["type"]) & 2


def _dealt(game, number, seat):
    tiles = [each[2] for each in game.deals if each[:2] == (number, seat)]
    return {"dealt": sorted((name(tile, reds_of(game)) for tile in tiles), key=place)}


def _played(game, number, seat):
    """Go through a round: the seat's discards, who calls them, and its calls."""
    discards, drawn, called, turns = [], [], [], {"kita": None, "riichi": None}
    counts = dict.fromkeys(CALLS, 0)
    draw, last = None, None
    for _, _, _, kind, who, _, tile, _ in (each for each in game.events if each[0] == number):
        if kind == "discard" and who == seat:
            discards.append(name(tile, reds_of(game)))
            drawn.append(tile == draw)
            called.append(None)
        if who == seat and kind in counts:
            counts[kind] += 1
        if who == seat and kind in turns and turns[kind] is None:
            turns[kind] = len(discards) + 1
        if kind in ("chi", "pon", "daiminkan") and last == seat:
            called[-1] = who
        if who == seat and kind in ("draw", "chi", "pon"):
            draw = tile if kind == "draw" else None
        if kind == "discard":
            last = who
    return counts | {
        "discards": discards, "tsumogiri": drawn, "called_by": called, "kita_turn": turns["kita"],
        "riichi_turn": turns["riichi"],
    }  # fmt: skip


def _ended(game, number, seat, claims):
    wins = [claim for claim in claims if claim.get("winner") == seat]
    fed = [claim for claim in claims if claim.get("payer") == seat != claim["winner"]]
    others = [
        claim for claim in claims if claim.get("winner") is not None and claim["payer"] == claim["winner"] != seat
    ]
    drawn = claims[0]["reason"] in ("exhaustive", "nagashi")
    last = claims[-1]
    return {
        "result": claims[0]["reason"],
        "won": bool(wins),
        "tsumo": any(claim["payer"] == seat for claim in wins),
        "points": sum(claim["points"] for claim in wins) if wins else None,
        "dealt_in": bool(fed),
        "dealt_points": sum(claim["points"] for claim in fed) if fed else None,
        "tsumo_paid": -others[0]["deltas"][seat] if others else None,
        "tenpai": any(show[1] == number and show[3] == seat for show in game.shows) if drawn else None,
        "change": last["before"][seat] + last["deltas"][seat] - game.rounds[number][5][seat],
    }


def indicators(data):
    """List for each round the indicators and the tiles left when each is turned; sixteen kinds of a set of three."""
    game = mjlog_reader.read(data)
    rows = []
    for number, each in enumerate(game.rounds):
        left = 70 if game.head["players"] == 4 else 55
        found = [(name(each[6], reds_of(game)), left)]
        for _, _, _, kind, _, _, tile, _ in (event for event in game.events if event[0] == number):
            left -= kind == "draw"
            if kind == "dora":
                found.append((name(tile, reds_of(game)), left))
        rows.append(
            {"round": number, "indicators": [text for text, _ in found], "indicators_left": [at for _, at in found]}
        )
    return rows


def wins(data):
    """List for each win its round, winner, turn, melds, whether it is open, and the indicators below."""
    game = mjlog_reader.read(data)
    rows = []
    for claim in (claim for claim in game.claims if claim["reason"] == "win"):
        seat, own = claim["winner"], []
        discards = 0
        for number, event, _, kind, who, _, tile, others in game.events:
            if number != claim["round"] or event >= claim["event"] or who != seat:
                continue
            discards += kind == "discard"
            if kind == "kakan":
                own = [meld for meld in own if meld[0] != "pon" or meld[1][0] // 4 != tile // 4]
            if kind in CALLS and kind != "kita":
                own.append((kind, sorted([tile, *others], key=lambda each: place(name(each, reds_of(game))))))
        names = [f"{kind} {' '.join(name(tile, reds_of(game)) for tile in tiles)}" for kind, tiles in own]
        tsumo = claim["payer"] == seat
        rows.append({
            "round": claim["round"], "winner": seat, "turn": discards + 1 if tsumo else max(discards, 1),
            "melds": sorted(names), "open": any(kind != "ankan" for kind, _ in own),
            "ura_indicators": [name(tile, reds_of(game)) for tile in claim["ura"] or []] or None,
        })  # fmt: skip
    return rows
