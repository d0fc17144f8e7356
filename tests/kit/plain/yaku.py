"""Whether a complete hand has a yaku: plain loops over all ways to read it, for the offers that the test kit writes.

Kinds are 0 to 33. Nothing here comes from the engine.
"""

from __future__ import annotations

from tests.kit.plain.reference import ORPHANS

DRAGONS = (31, 32, 33)


def readings(kinds):
    """Yield every division of tiles into a pair and sets: (pair, list of (run or set, lowest kind))."""
    for pair in sorted(set(kinds)):
        if kinds.count(pair) >= 2:
            rest = sorted(kinds)
            rest.remove(pair)
            rest.remove(pair)
            for sets in divided(rest):
                yield pair, sets


def divided(kinds):
    """Yield every division of sorted tiles into sets."""
    if not kinds:
        yield []
        return
    low = kinds[0]
    if kinds.count(low) >= 3:
        for sets in divided(kinds[3:]):
            yield [("set", low), *sets]
    if low < 27 and low % 9 <= 6 and low + 1 in kinds and low + 2 in kinds:
        rest = list(kinds)
        for kind in (low, low + 1, low + 2):
            rest.remove(kind)
        for sets in divided(rest):
            yield [("run", low), *sets]


def has_yaku(kinds, melds, win, *, tsumo, winds, open_tanyao=True):
    """Say whether a complete hand has a yaku by its tiles alone: no riichi, last tile, kan or first turn.

    ``kinds`` are the concealed tiles with the winning one; ``melds`` are (name, kinds); ``winds`` the two of value.
    """
    closed = all(name == "ankan" for name, _ in melds)
    if closed and tsumo:
        return True
    everything = [*kinds, *(kind for _, tiles in melds for kind in tiles)]
    pairs = len(kinds) == 14 and sorted(kinds)[::2] == sorted(kinds)[1::2] and len(set(kinds)) == 7
    if pairs or (len(kinds) == 14 and set(kinds) == set(ORPHANS)):
        return True
    if not set(everything) & set(ORPHANS) and (closed or open_tanyao):
        return True
    if len({kind // 9 for kind in everything if kind < 27}) <= 1:
        return True
    called = [("run" if name == "chi" else "set", min(tiles)) for name, tiles in melds]
    hidden = [("set", min(tiles)) for name, tiles in melds if name == "ankan"]
    kans = sum(name in ("ankan", "kakan", "daiminkan") for name, _ in melds)
    return kans >= 3 or any(
        of_reading(pair, sets, called, hidden, win, closed=closed, tsumo=tsumo, winds=winds)
        for pair, sets in readings(kinds)
    )


def of_reading(pair, sets, called, hidden, win, *, closed, tsumo, winds):  # noqa: PLR0911
    """Say whether one reading has a yaku."""
    every = [*sets, *called]
    runs, triplets = ({low for name, low in every if name == kind} for kind in ("run", "set"))
    value = {*DRAGONS, *winds}
    if triplets & value or not runs:
        return True
    if any({low, low + 9, low + 18} <= runs for low in range(9)):
        return True
    if any({low, low + 9, low + 18} <= triplets for low in range(9)):
        return True
    if any({low, low + 3, low + 6} <= runs for low in (0, 9, 18)):
        return True
    outside = pair in ORPHANS and all(low in ORPHANS if name == "set" else low % 9 in (0, 6) for name, low in every)
    if outside:
        return True
    dark = [low for name, low in sets if name == "set"] + [low for _, low in hidden]
    # The tile of a ron completes a triplet only if nothing else of the concealed hand can hold it.
    elsewhere = pair == win or any(name == "run" and low <= win <= low + 2 for name, low in sets)
    if len(dark) - (not tsumo and win in dark and not elsewhere) >= 3:
        return True
    if not closed:
        return False
    listed = [low for name, low in sets if name == "run"]
    if len(set(listed)) < len(listed):
        return True
    sided = any(
        (win == low and low % 9 != 6) or (win == low + 2 and low % 9 != 0) for name, low in sets if name == "run"
    )
    return len(listed) == 4 and pair not in value and sided
