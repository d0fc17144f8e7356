"""Plain scalar definitions, for comparison with the engine's array code.

A hand is a list of 34 counts. Nothing here is fast, and nothing here comes from the engine.
"""

from __future__ import annotations

from functools import cache
from itertools import product

SUITS = ((0, 9, True), (9, 18, True), (18, 27, True), (27, 34, False))
"""First kind, kind after the last, whether there are runs."""

SANMA = (0, *range(8, 34))
"""The kinds of three players: 1m, 9m, and all others but 2m to 8m."""

ORPHANS = (0, 8, 9, 17, 18, 26, *range(27, 34))


def exact_standard(counts, sets):
    """Give the fewest tiles to add for `sets` sets and a pair, with at most four of a kind, minus one."""
    return _shared(_missing, _suits(counts), sets) - 1


def sanma_standard(counts, sets):
    """Give the same with three players: the man suit has two kinds, 1m and 9m, and no runs."""
    return _shared(_missing, [((counts[0], counts[8]), False), *_suits(counts)[1:]], sets) - 1


def block_standard(counts, sets):
    """Give 3 * sets + 2, minus the most tiles that `sets` blocks and a pair can use, minus one."""
    unused = _shared(lambda suit, m, j, runs: 3 * m + 2 * j - _most_used(suit, m, j, runs), _suits(counts), sets)
    return unused - 1


def _suits(counts):
    """Give the counts of each suit, and whether it has runs."""
    return [(tuple(counts[first:last]), runs) for first, last, runs in SUITS]


def _shared(cost, suits, sets):
    """Give the least total cost over all ways to share the sets and the pair among the suits."""
    ways = []
    for m in product(range(sets + 1), repeat=4):
        if sum(m) == sets:
            for head in range(4):
                parts = [cost(s, n, int(i == head), r) for i, ((s, r), n) in enumerate(zip(suits, m, strict=True))]
                ways.append(sum(parts))
    return min(ways)


@cache
def _missing(suit, sets, pairs, runs, opened=(0, 0)):
    """Give the fewest tiles that a suit lacks; `opened` are the runs that began one and two positions before."""
    if not suit:
        return 0 if sets == pairs == 0 and opened == (0, 0) else 100
    best = 100
    for started in range(sets + 1 if runs else 1):
        for triplet in range(min(1, sets - started) + 1):
            for pair in range(pairs + 1):
                used = started + sum(opened) + 3 * triplet + 2 * pair
                if used > 4:
                    continue
                rest = _missing(suit[1:], sets - started - triplet, pairs - pair, runs, (started, opened[0]))
                best = min(best, max(0, used - suit[0]) + rest)
    return best


@cache
def _most_used(suit, bodies, heads, runs):
    """Give the most tiles of a suit that so many blocks can use."""
    first = next((i for i, n in enumerate(suit) if n), None)
    if first is None or bodies + heads == 0:
        return 0
    best = _most_used(_without(suit, first, (1,)), bodies, heads, runs)
    shapes = [(1,), (2,), (3,)] + ([(1, 1), (1, 0, 1), (1, 1, 1)] if runs else [])
    for shape in shapes:
        rest = _without(suit, first, shape)
        if rest is None:
            continue
        if bodies:
            best = max(best, sum(shape) + _most_used(rest, bodies - 1, heads, runs))
        if heads and shape in ((1,), (2,)):
            best = max(best, sum(shape) + _most_used(rest, bodies, heads - 1, runs))
    return best


def _without(suit, first, shape):
    rest = list(suit)
    for i, n in enumerate(shape, first):
        if i >= len(rest) or rest[i] < n:
            return None
        rest[i] -= n
    return tuple(rest)


def seven_pairs(counts):
    """Give the shanten of seven pairs: 6 minus the pairs, plus the kinds that lack to seven."""
    kinds = sum(n > 0 for n in counts)
    return 6 - min(7, sum(n >= 2 for n in counts)) + max(0, 7 - kinds)


def thirteen_orphans(counts):
    """Give the shanten of thirteen orphans: 13 minus the kinds of orphans, minus one if there is a pair of them."""
    held = [counts[kind] for kind in ORPHANS]
    return 13 - sum(n > 0 for n in held) - any(n >= 2 for n in held)


def shanten(counts, melds, standard):
    """Give the least shanten of the three forms of hand; with melds only of the standard form."""
    found = [standard(counts, 4 - melds)]
    if melds == 0:
        found += [seven_pairs(counts), thirteen_orphans(counts)]
    return min(found)


def waits(counts, melds, kinds=range(34)):
    """List the kinds, held fewer than four times, that complete the hand."""
    return [k for k in kinds if counts[k] < 4 and complete(_plus(counts, k), melds)]


def complete(counts, melds):
    """Say whether the tiles are a winning hand."""
    special = melds == 0 and min(seven_pairs(counts), thirteen_orphans(counts)) == -1
    return special or any(True for _ in divisions(counts, 4 - melds))


def _plus(counts, kind):
    return [n + (k == kind) for k, n in enumerate(counts)]


def divisions(counts, sets):
    """Yield every division into sets and a pair: the pair's kind and a sorted tuple of blocks."""
    for pair in range(34):
        if counts[pair] >= 2:
            rest = [n - 2 * (k == pair) for k, n in enumerate(counts)]
            for blocks in _sets(tuple(rest), sets):
                yield pair, blocks


@cache
def _sets(counts, sets):
    """List the divisions into exactly so many sets, each a sorted tuple of (name, lowest kind)."""
    first = next((k for k, n in enumerate(counts) if n), None)
    if first is None:
        return ((),) if sets == 0 else ()
    found = set()
    if sets and counts[first] >= 3:
        rest = tuple(n - 3 * (k == first) for k, n in enumerate(counts))
        found |= {tuple(sorted([("triplet", first), *more])) for more in _sets(rest, sets - 1)}
    if sets and first < 27 and first % 9 <= 6 and min(counts[first : first + 3]) > 0:
        rest = tuple(n - (first <= k <= first + 2) for k, n in enumerate(counts))
        found |= {tuple(sorted([("run", first), *more])) for more in _sets(rest, sets - 1)}
    return tuple(sorted(found))


def readings(counts, sets, win):
    """List every division with every block that the winning tile can have completed."""
    found = set()
    for pair, blocks in divisions(counts, sets):
        for name, lowest in {("pair", pair), *blocks}:
            if lowest <= win <= lowest + 2 * (name == "run"):
                found.add((pair, blocks, name, lowest))
    return found
