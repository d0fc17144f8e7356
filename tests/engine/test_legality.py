"""Discards, calls and riichi: RULES.md 2.1 to 2.5, disputed cases (../shared/cases), and a plain definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.legality.actions import chi, discard, kuikae_kinds, pon, riichi
from engine.legality.reasons import Reason
from engine.tiles.hands import CHI, PON, Hands, parse_hand
from engine.tiles.kinds import kinds_in
from tests.kit.batches import concatenated
from tests.kit.deals import deal
from tests.kit.notations import kind, named, tile
from tests.kit.plain import reference

LEVELS = np.arange(3)


def at_levels(text):
    """Repeat a hand for the three levels of a rule."""
    return concatenated([parse_hand(text)] * 3)


@pytest.mark.parametrize(
    ("meld", "called", "lowest", "level", "expected"),
    [
        (CHI, "5s", "5s", 0, ["5s", "8s"]),  # ku-001, ku-007
        (CHI, "5s", "5s", 1, ["5s"]),
        (CHI, "5s", "5s", 2, []),
        (CHI, "7s", "7s", 0, ["7s"]),  # ku-006: no kind beyond the nine
        (CHI, "3m", "1m", 0, ["3m"]),  # no kind below the one
        (CHI, "4m", "2m", 0, ["1m", "4m"]),
        (CHI, "6p", "6p", 0, ["6p", "9p"]),
        (CHI, "5p", "4p", 0, ["5p"]),  # called in the middle
        (PON, "5p", "5p", 0, ["5p"]),
        (PON, "5p", "5p", 1, ["5p"]),
        (PON, "5p", "5p", 2, []),
        (0, "5p", "5p", 0, []),
        (4, "5p", "5p", 0, []),
    ],
)
def test_kuikae_kinds(meld, called, lowest, level, expected):
    """Kuikae: the called kind, and after a chi by one end of a run the kind beyond the other (RULES.md 2.3, 2.4)."""
    (found,) = kuikae_kinds(meld, kind(called), kind(lowest), level).tolist()
    assert kinds_in(found) == tuple(map(kind, expected))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("0s", [("KUIKAE_SAME",), ("KUIKAE_SAME",), ()]),
        ("5s", [("KUIKAE_SAME",), ("KUIKAE_SAME",), ()]),
        ("8s", [("KUIKAE_SUJI",), (), ()]),
        ("2s", [(), (), ()]),
        ("9s", [("NOT_HELD",)] * 3),
    ],
)
def test_discards_after_chi(name, expected):
    """Cases ku-001, ku-002, ku-003: for kuikae a red five is a five, whichever of the two was called."""
    hands = at_levels("2058s23m58p12z,5-67s")
    called = [kind("5s")] * 3
    found = discard(
        hands,
        np.array([tile(name)] * 3),
        meld_type=CHI,
        called=called,
        lowest=called,
        kuikae_level=LEVELS,
    )
    assert named(found) == expected


def test_in_riichi_only_the_drawn_tile_is_discarded():
    """In riichi a red five is not the plain five that was drawn."""
    hands = at_levels("123m456p78950s112z")
    tiles = np.array([tile("0s"), tile("5s"), tile("2z")])
    found = discard(hands, tiles, drawn=tile("0s"), riichi=np.array([True, True, False]))
    assert named(found) == [(), ("RIICHI_HAND",), ()]


@pytest.mark.parametrize(
    ("text", "called", "lowest", "expected"),
    [
        ("1234m,555p,666s,777z", "4m", "2m", [("NO_DISCARD",), (), ()]),  # RULES.md 2.3 [X]
        ("2344m,555p,666s,777z", "4m", "2m", [("NO_DISCARD",), ("NO_DISCARD",), ()]),
        ("3456m,555p,666s,777z", "6m", "4m", [("NO_DISCARD",), (), ()]),  # ku-008
        ("1123m,555p,666s,777z", "1m", "1m", [("NO_DISCARD",), ("NO_DISCARD",), ()]),
        ("1123444m,666s,777z", "1m", "1m", [("NO_DISCARD",), (), ()]),
        ("1123444m,666s,777z", "4m", "2m", [("NO_DISCARD",), (), ()]),
        ("3455m,555p,666s,777z", "5m", "3m", [("NO_DISCARD",), ("NO_DISCARD",), ()]),  # red called: see RULES.md 2.3
        ("3405m,555p,666s,777z", "5m", "3m", [("NO_DISCARD",), ("NO_DISCARD",), ()]),
        ("34m19p,555p,666s,777z", "5m", "3m", [(), (), ()]),
        ("4556m,555p,666s,777z", "5m", "4m", [("NO_DISCARD",)] * 2 + [()]),
        ("34m19p,555p,666s,777z", "5m", "4m", [("NOT_HELD",)] * 3),
    ],
)
def test_chi_needs_a_tile_to_discard(text, called, lowest, expected):
    """A call after which every discard is kuikae is not possible."""
    n = 3
    found = chi(at_levels(text), np.full(n, kind(called)), np.full(n, kind(lowest)), tiles_left=10, kuikae_level=LEVELS)
    assert named(found) == expected


@pytest.mark.parametrize(
    ("text", "called", "lowest", "expected"),
    [
        ("12z45m19p", "3z", "1z", ("NO_RUN",)),
        ("89m19p1s55z", "1p", "8m", ("NO_RUN",)),
        ("34m19p55z6s", "6m", "3m", ("NO_RUN",)),
        ("34m19p55z6s", "1m", "3m", ("NO_RUN",)),
    ],
)
def test_chi_makes_a_run(text, called, lowest, expected):
    """A run is not of honours, not from 9 to 1, and holds the called tile."""
    found = chi(parse_hand(text), np.array([kind(called)]), np.array([kind(lowest)]), tiles_left=10)
    assert named(found) == [expected]


def test_all_reasons_against_a_call_are_given():
    """All reasons are given together: last tile, riichi, wrong seat, tiles not held."""
    hand = parse_hand("123m456p789s1122z")
    found = chi(hand, np.array([4]), np.array([4]), tiles_left=0, from_left=False, riichi=True)
    assert named(found) == [("NOT_HELD", "LAST_TILE", "RIICHI_HAND", "NOT_FROM_LEFT")]
    assert named(pon(hand, np.array([4]), tiles_left=0, riichi=True)) == [("NOT_HELD", "LAST_TILE", "RIICHI_HAND")]
    assert named(pon(hand, np.array([27]), tiles_left=1)) == [()]


@given(st.integers(0, 2**32), st.sampled_from([4, 7, 10, 13]), st.sampled_from(["flush", "quads", "half flush"]))
@settings(max_examples=60, deadline=None)
def test_calls_agree_with_trying_every_discard(seed, tiles, dealt):
    """A call is legal exactly if a legal discard follows. After pon there always is one (RULES.md 2.3)."""
    rng = np.random.default_rng(seed)
    counts = deal(dealt, 1, tiles, seed=seed)
    held, melds = counts[0], 4 - tiles // 3
    before = Hands.from_counts(counts, meld_type=np.array([[PON] * melds + [0] * (4 - melds)]))
    called = int(rng.choice(np.flatnonzero((held < 4) & (np.arange(34) < 27))))
    for level in range(3):
        assert not chi_bits(before, called, called, level) & Reason.NO_RUN or called % 9 > 6
        for lowest in range(max(called - 2, called // 9 * 9), min(called, called // 9 * 9 + 6) + 1):
            own = [k for k in range(lowest, lowest + 3) if k != called]
            rest = held - np.bincount(own, minlength=34)
            legal = rest.min() >= 0 and any(rest[k] and not barred(k, called, lowest, level) for k in range(34))
            assert (chi_bits(before, called, lowest, level) == 0) == legal
        bits = pon(before, np.array([called]), tiles_left=9, kuikae_level=level)[0]
        assert bits == (0 if held[called] >= 2 else Reason.NOT_HELD)


def chi_bits(hands, called, lowest, level):
    """Judge one chi."""
    return int(chi(hands, np.array([called]), np.array([lowest]), tiles_left=9, kuikae_level=level)[0])


def barred(discarded, called, lowest, level):
    """Return whether a discard is kuikae: with this tile the hand had the run without the call."""
    if level == 2:
        return False
    own = sorted({lowest, lowest + 1, lowest + 2} - {called})
    completes = own[1] - own[0] == 1 and discarded in (own[0] - 1, own[1] + 1) and discarded // 9 == called // 9
    return discarded == called or (level == 0 and completes)


def declared(text, name, **known):
    """Judge riichi with the discard of one tile."""
    hand = parse_hand(text)
    return named(riichi(hand, np.array([tile(name)]), **{"tiles_left": 40, "points": 25000, **known}))[0]


@pytest.mark.parametrize(
    ("text", "name", "known", "expected"),
    [
        ("123m456p78s111223z", "3z", {}, ()),
        ("123m456p78s111223z", "3z", {"points": 900}, ("TOO_FEW_POINTS",)),  # ri-001
        ("123m456p78s111223z", "3z", {"points": 1000}, ()),
        ("123m456p78s111223z", "3z", {"points": -100, "min_points": 0}, ()),
        ("123m456p78s111223z", "3z", {"tiles_left": 3}, ("NO_NEXT_DRAW",)),  # ri-002
        ("123m456p78s111223z", "3z", {"tiles_left": 4}, ()),
        ("123m456p78s111223z", "3z", {"tiles_left": 0, "without_next_draw": True}, ()),
        ("2345p678999s1z,1111m", "1z", {}, ()),  # ri-003: an ankan keeps the hand closed
        ("2345p678999s1z,111=m", "1z", {}, ("OPEN_HAND",)),
        ("123m456p78s111223z", "1m", {}, ("NOT_TENPAI",)),
        ("123m456p78s111223z", "9m", {}, ("NOT_HELD",)),
        ("123456m789p11115z", "5z", {}, ("NO_WAIT",)),  # wt-001
        ("11223344m556677p", "1m", {}, ()),  # furiten does not forbid riichi
        (
            "123m456p78s111223z",
            "3z",
            {"points": 0, "tiles_left": 1, "declared": True},
            ("DECLARED", "NO_NEXT_DRAW", "TOO_FEW_POINTS"),
        ),
    ],
)
def test_riichi(text, name, known, expected):
    """Every reason against riichi is found, also several at once (RULES.md 2.5)."""
    assert declared(text, name, **known) == expected


def test_riichi_on_a_tile_of_which_a_meld_holds_four():
    """Case wt-002 is tenpai if copies are counted over the concealed tiles, and noten if over the whole hand."""
    assert declared("13m456p789s115z,2222m", "5z") == ()
    assert declared("13m456p789s115z,2222m", "5z", whole_hand=True) == ("NO_WAIT",)


def test_a_batch_may_mix_rules():
    """Values of rules can be arrays, so that hands of a batch have different rules."""
    hands = concatenated([parse_hand("123m456p78s111223z")] * 4)
    found = riichi(
        hands,
        np.full(4, tile("3z")),
        tiles_left=np.array([3, 3, 70, 70]),
        points=np.array([25000, 25000, 0, 0]),
        without_next_draw=np.array([False, True, False, False]),
        min_points=np.array([1000, 1000, 1000, 0]),
    )
    assert named(found) == [("NO_NEXT_DRAW",), (), ("TOO_FEW_POINTS",), ()]


@pytest.mark.parametrize("dealt", ["near", "quads", "flush"])
def test_riichi_agrees_with_the_scalar_waits(dealt):
    """Riichi is legal exactly if the scalar definition finds a wait after the discard."""
    counts = deal(dealt, 60, 14, seed=4)
    rng = np.random.default_rng(4)
    discards = np.array([rng.choice(np.flatnonzero(row)) for row in counts])
    found = riichi(Hands.from_counts(counts), discards, tiles_left=40, points=1000)
    rest = counts - np.eye(34, dtype=np.int64)[discards]
    assert (found == 0).tolist() == [bool(reference.waits(row.tolist(), 0)) for row in rest]


@pytest.mark.parametrize(("left", "players", "legal"), [(4, 4, True), (3, 4, False), (3, 3, True), (2, 3, False)])
def test_riichi_needs_a_draw_for_each_player(left, players, legal):
    """Riichi needs as many tiles as there are players (RULES.md 4.6)."""
    hand = parse_hand("111999m123p1123s5z")
    found = riichi(hand, np.array([tile("5z")]), tiles_left=left, points=25000, players=players)
    assert named(found) == [() if legal else ("NO_NEXT_DRAW",)]
