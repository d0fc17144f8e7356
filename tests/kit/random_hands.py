"""Seeded hands with situations, most of them nearly right: noise for `hand` and `score`."""

from __future__ import annotations

import random

import polars as pl

from auditor.hands.explain import Situation, describe
from auditor.hands.table import scored
from auditor.hands.text import as_text
from engine.rules.rule_sets import preset

SUITS = "mps"
STRANGE = (
    *"0123456789mpszrESWNPFC-=+*,. _x", "\t", "\n", "\0", "\x1b[31m", "１", "²", "𝟗", "🀄", "🀐\ufe0f", "\ufe0e", "5mr",
    ",m1-23", "\u3000", "\u202e", "一", "%", "{}", "\\",
)  # fmt: skip
MELDS = ("m4-56", "456-s", "z777=", "777=z", "p1111", "1111+p", "s222=2", "EEE=", "m5=67", "m7+77-", "z123-", "m7-", "")


def _hand(rng):
    """Write sets and a pair as a closed or open hand in some notation; there can be too many tiles."""
    sets = rng.choice((1, 2, 3, 4, 4, 4, 4, 5))
    suits = [rng.choice(SUITS) for _ in range(sets)]
    starts = [rng.randint(1, 7) for _ in range(sets)]
    groups = [
        "".join(map(str, (start, start + 1, start + 2) if rng.random() < 0.6 else (start,) * 3)) for start in starts
    ]
    pair = str(rng.randint(1, 7)) * 2
    first = rng.random() < 0.5
    words = [suit + group if first else group + suit for suit, group in zip(suits, groups, strict=True)]
    words.append("z" + pair if first else pair + "z")
    called = rng.randint(0, 2) if rng.random() < 0.4 else 0
    return rng.choice(("", " ")).join(words[called:]) + "".join("," + rng.choice(MELDS) for _ in range(called))


def _spoilt(rng, text):
    """Change some characters."""
    for _ in range(rng.choice((0, 0, 1, 1, 2, 6))):
        place = rng.randint(0, len(text))
        text = text[:place] + rng.choice(STRANGE) + text[place + rng.randint(0, 2) :]
    return text


def _tiles(rng, most):
    return "".join(f"{rng.randint(0, 9)}{rng.choice(SUITS)}" for _ in range(rng.randint(0, most)))


def case(rng):
    """Make one hand with a situation: a quiet one, in which only the hand can be wrong, or a wild one."""
    hand, quiet = _hand(rng), rng.random() < 0.5
    win = rng.choice(("", "", f"{rng.randint(0, 9)}{rng.choice('mpsz')}{rng.choice(('', '-', '=', '+'))}"))
    closed = "," not in hand
    return {
        "hand": hand if quiet or rng.random() < 0.3 else _spoilt(rng, hand),
        "win": "" if quiet else _spoilt(rng, win) if rng.random() < 0.2 else win,
        "riichi": rng.choice((0, 1, 2)) * closed if quiet else rng.choice((None, 0, 1, 2, -1, 3, 1 << 14)),
        **{
            name: not quiet and rng.random() < 0.2
            for name in ("ippatsu", "rinshan", "chankan", "last_tile", "first_turn")
        },
        "players": (players := rng.choice((None, None, 3, 4))),
        "kita": rng.choice((0, 0, 1, 2) if players == 3 else (0,)) if quiet else rng.choice((0, 0, 0, 0, 1, 4, 5, -1)),
        "on_kita": not quiet and rng.random() < 0.1,
        "seat": rng.choice("ESWN"),
        "round": rng.choice("ESWN"),
        "dora": "1m" if quiet else _spoilt(rng, _tiles(rng, 3)) if rng.random() < 0.2 else _tiles(rng, 2),
        "ura": "" if quiet or rng.random() < 0.8 else _tiles(rng, 6),
        "honba": rng.choice((0, 1, 7) if quiet else (0, 0, 0, -1, 32767)),
        "sticks": rng.choice((0, 1, 5) if quiet else (0, 0, 0, -3, 32767)),
    }


def by_hand(known, rules):
    """Give the description of a hand, or the message that refuses it."""
    winds = {name: "ESWN".index(known[name]) for name in ("seat", "round")}
    others = {name: value for name, value in known.items() if name not in ("hand", "seat", "round")}
    try:
        found = describe(known["hand"], Situation(**winds, **others, rules=[rules]))
    except ValueError as error:
        return str(error)
    assert as_text(found)
    return found


def tried(seed, number, one_by_one, rules="tenhou"):
    """Score cases with `score`, and the first ones with `hand` too.

    Gives cases, descriptions or messages (None if `hand` was not run), rows of the table.
    """
    rng = random.Random(seed)
    cases = [case(rng) for _ in range(number)]
    chosen = preset(rules)
    rows = scored(pl.DataFrame(cases, infer_schema_length=None), chosen).rows(named=True)
    found = [by_hand(known, chosen) if place < one_by_one else None for place, known in enumerate(cases)]
    return zip(cases, found, rows, strict=True)


def kind(found):
    """Name the outcome of a hand."""
    return "refused" if isinstance(found, str) else "won" if "points" in found else "not won"
