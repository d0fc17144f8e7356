"""The replay: running sums and hands compared with plain loops over the same events."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest

from auditor.audit.audit_batch import Options
from auditor.audit.frames import Frames
from auditor.readers import mjlog
from auditor.replay import running_sums
from auditor.replay.trust import HAND_DOUBTS
from tests.kit.audits import LOGS, TENHOU, audited, codes, events, log_bytes, source
from tests.kit.plain import mjlog_reader, reference

RED_IDS = {16, 52, 88}


def running(changes, which, seat, restart):
    """Give the sums that ``running_sums.running`` writes, [k, n], and the last rows that it returns."""
    sums = np.empty((len(changes), len(which)), dtype=np.int64)
    last = running_sums.running(changes, which, seat, restart, tuple(sums))
    return sums, last


def loop_twin(changes, seat, restart):
    """Add up each seat's changes one by one: the definition of ``running_sums.running``."""
    sums = np.zeros_like(changes)
    total = {}
    for row in range(len(changes)):
        if seat[row] < 0:
            continue
        if restart[row]:
            total[seat[row]] = np.zeros_like(changes[row])
        total[seat[row]] = total[seat[row]] + changes[row]
        sums[row] = total[seat[row]]
    return sums


@pytest.mark.parametrize("seed", range(8))
def test_running_is_its_loop(seed):
    """Random events of four seats and of nobody, with restarts of single seats, give the sums of the loop."""
    random = np.random.default_rng(seed)
    count = int(random.integers(4, 400))
    seat = np.concatenate([np.arange(4), random.integers(-1, 4, count)]).astype(np.int8)
    restart = np.concatenate([np.ones(4, bool), (random.random(count) < 0.1) & (seat[4:] >= 0)])
    changes = random.integers(-(2**40), 2**40, (50, 3))
    which = random.integers(0, len(changes), len(seat))
    sums, last = running(changes.T, which, seat, restart)
    np.testing.assert_array_equal(sums.T, loop_twin(changes[which], seat, restart))
    rows = [np.flatnonzero(seat == each) for each in range(4)]
    ends = [row for mine in rows for row, end in zip(mine, [*restart[mine[1:]], True], strict=True) if end]
    assert last.tolist() == ends


def test_running_sums_do_not_overflow():
    """No hand's sum overflows, although the sums of a whole batch pass 2**63."""
    rows = 20000
    seat = np.zeros(rows, dtype=np.int8)
    restart = np.arange(rows) % 4 == 0
    changes = np.array([[2**60]])
    expected = (np.arange(rows) % 4 + 1) * 2**60
    sums, _ = running(changes, np.zeros(rows, dtype=int), seat, restart)
    assert sums[0].tolist() == expected.tolist()


def test_running_with_seats_that_never_act():
    """A seat without rows, and a table without rows, give no error."""
    seat = np.array([2, 2, -1], dtype=np.int8)
    restart = np.array([True, False, False])
    changes, which = np.array([[1, 2, 9]]), np.arange(3)
    sums, last = running(changes, which, seat, restart)
    assert (sums.tolist(), last.tolist()) == ([[1, 3, 0]], [1])
    assert running(changes, which[:0], seat[:0], restart[:0])[0].tolist() == [[]]


TURNS = ("draw", "chi", "pon", "daiminkan", "ankan", "kakan", "kita")
LIVE = {3: 55, 4: 70}
"""How many tiles can be drawn in a round, by the number of players."""


def played_by_hand(games):
    """Replay games tile by tile; give the acting seat's state and the tiles left after every event, and final hands."""
    states, finals = [], []
    for game in games:
        dealt = {}
        for round_, seat, tile in game.deals:
            dealt.setdefault((round_, seat), []).append(tile)
        tables = {}
        for round_, _, _, kind, seat, _, tile_id, others in game.events:
            if round_ not in tables:
                seats = [hand(dealt.get((round_, each), [])) for each in range(4)]
                tables[round_] = {"left": LIVE[game.players], "seats": seats}
            table = tables[round_]
            table["left"] -= kind == "draw"
            if seat is None:
                states.append((None, table["left"]))
                continue
            act(table["seats"][seat], kind, tile_id, others)
            state = table["seats"][seat]
            counts = [0] * 34
            for tile in state["tiles"]:
                counts[tile // 4] += 1
            reds = len(RED_IDS & {*state["tiles"], *state["melded"]})
            states.append(((counts, state["melds"], state["discards"], int(state["riichi"]), reds), table["left"]))
        finals += [set(state["tiles"]) for table in tables.values() for state in table["seats"]]
    return states, finals


def hand(tiles):
    """Give a seat after the deal."""
    return {"tiles": set(tiles), "melded": set(), "melds": 0, "discards": 0, "riichi": False}


def act(state, kind, tile_id, others):
    """Change a seat by one event."""
    if kind == "draw":
        state["tiles"].add(tile_id)
    elif kind == "discard":
        state["tiles"].remove(tile_id)
        state["discards"] += 1
    elif kind in ("chi", "pon", "daiminkan", "ankan"):
        state["melds"] += 1
        own = {*others, tile_id} if kind == "ankan" else set(others)
        assert own <= state["tiles"]
        state["tiles"] -= own
        state["melded"] |= {*others, tile_id}
    elif kind == "kakan":
        state["tiles"].remove(tile_id)
        state["melded"].add(tile_id)
    elif kind == "kita":
        state["tiles"].remove(tile_id)
    elif kind == "riichi":
        state["riichi"] = True


def digits(keys):
    """Read four suit keys as 34 counts: nine base-five digits a suit, seven for honours."""
    counts = []
    for suit, length in enumerate((9, 9, 9, 7)):
        key = int(keys[suit])
        for _ in range(length):
            key, count = divmod(key, 5)
            counts.append(count)
        assert key == 0
    return counts


@pytest.fixture(scope="module", params=["shipped", "corpus", "shipped_of_three", "corpus_of_three"])
def replayed(request):
    """Give sets of games: log, frames and plain replay."""
    sources, log = request.getfixturevalue(request.param)
    frames = Frames(log, pl.DataFrame())
    return log, frames, *played_by_hand([mjlog_reader.read(each.data) for each in sources])


def test_every_state(replayed):
    """After every event the state of the acting seat, and the number of tiles left, are those of the loop."""
    _, frames, states, _ = replayed
    played = frames.played
    assert len(states) == len(played.kind)
    for row, (state, left) in enumerate(states):
        assert played.left[row] == left
        if state is None:
            continue
        counts, melds, discards, riichi, reds = state
        assert digits(played.keys[row]) == counts
        found = (played.melds[row], played.discards[row], min(played.riichi[row], 1), played.reds[row])
        assert found == (melds, discards, riichi, reds)


def test_final_hands(replayed):
    """The tiles of each seat at the round's end are the loop's, and clean logs have no fault."""
    _, frames, _, finals = replayed
    held = frames.holdings.held(np.arange(len(finals)))
    assert held.max() == 1
    assert [set(np.flatnonzero(row).tolist()) for row in held] == finals
    assert frames.trust.hands.free_of(HAND_DOUBTS).all()
    assert len(frames.holdings.absent) == len(frames.holdings.twice) == 0


def test_turns(replayed):
    """Each draw or call is one row, with the turn number, melds, riichi and tiles left of the plain replay."""
    log, frames, states, _ = replayed
    rows = [row for row, kind in enumerate(log.events["kind"].cast(pl.String)) if kind in TURNS]
    turns = frames.turns
    assert turns["event"].to_list() == log.events["event"].gather(rows).to_list()
    expected = [(states[row][0][2] + 1, states[row][0][1], bool(states[row][0][3]), states[row][1]) for row in rows]
    assert turns.select("turn", "melds", "riichi", "tiles_left").rows() == expected


def test_shanten_of_turns(replayed):
    """The shanten of some turns, and of every winning turn, is that of the scalar definition."""
    log, frames, states, _ = replayed
    kinds = log.events["kind"].cast(pl.String).to_list()
    rows = [row for row, kind in enumerate(kinds) if kind in TURNS]
    sample = np.random.default_rng(7).choice(len(rows), 250, replace=False).tolist()
    sample += [place for place, row in enumerate(rows) if kinds[row + 1 : row + 2] == ["result"]][:60]
    shanten = frames.turns["shanten"]
    for place in sample:
        counts, melds, *_ = states[rows[place]][0]
        three = log.players[log.events["round"][rows[place]]] == 3
        standard = reference.sanma_standard if three else reference.exact_standard
        assert shanten[place] == reference.shanten(counts, melds, standard)
    tsumo = [place for place in sample[250:] if kinds[rows[place]] == "draw"]
    assert -1 in {shanten[place] for place in tsumo}


def test_shanten_beside_another_library(shipped):
    """PyPI mahjong gives the same shanten for every turn, except where a missing tile would be a fifth copy."""
    other = pytest.importorskip("mahjong.shanten").Shanten()
    sources, log = shipped
    states, _ = played_by_hand([mjlog_reader.read(each.data) for each in sources])
    frames = Frames(log, pl.DataFrame())
    rows = [row for row, state in enumerate(states) if state[0] and log.events["kind"][row] in
            ("draw", "chi", "pon", "daiminkan", "ankan", "kakan")]  # fmt: skip
    assert len(rows) == len(frames.turns) > 5000
    for row, found in zip(rows, frames.turns["shanten"], strict=True):
        counts, melds, *_ = states[row][0]
        theirs = other.calculate_shanten(counts)
        if found != theirs:
            assert found == reference.shanten(counts, melds, reference.exact_standard)


ROUND = """
East 4.0, dora 9p
0 holds 123m 456m 789m 123p E
1 holds 159m 159p 159s SWNP
{}
draw
end
"""


def frames_of(tale):
    """Give the frames of a round with this play."""
    log = mjlog.READER.read([source(log_bytes(ROUND.format(lines(tale))))], TENHOU.rules)
    return Frames(log, pl.DataFrame({"source": ["log.mjlog"], "status": ["audited"], "cut": [False], "reason": [None]}))


def lines(text):
    """Split a short play at its semicolons."""
    return text.replace("; ", "\n")


FOREIGN = {
    "of another seat": ("3 draws 7s; 3 discards 7s; 0 draws F; 0 discards 5p", 0),
    "drawn later": ("3 draws 7s; 3 discards 7s; 0 draws F; 0 discards 8s; 1 draws 8s; 1 discards 8s", 0),
    "gone already": (
        (
            "3 draws 7s; 3 discards 7s; 0 draws F; 0 discards F; 1 draws C; 1 discards C; 2 draws 2s; 2 discards 2s;"
            " 3 draws 3s; 3 discards 3s; 0 draws 1p; 0 discards F"
        ),
        0,
    ),
    "pon": ("3 draws F; 3 discards F; 1 pon F from 3; 1 discards S", 1),
    "chi": ("3 draws 5s; 3 discards 5s; 0 chi 5s with 46s; 0 discards E", 0),
    "kan": ("3 draws 5s; 3 discards 5s; 0 draws 5s; 0 ankan C; 0 draws 2s; 0 discards E", 0),
}


@pytest.mark.parametrize("how", FOREIGN)
def test_tiles_that_are_not_there(how):
    """A tile that is used without being held is found, and its hand is no longer trusted."""
    tale, culprit = FOREIGN[how]
    frames = frames_of(tale)
    possession, trusted = frames.holdings, frames.trust.hands.free_of(HAND_DOUBTS)
    assert set(possession.absent["seat"]) == {culprit}
    assert [seat for seat in range(4) if not trusted[seat]] == [culprit]


def test_untrusted_hands_have_no_shanten():
    """A hand that went wrong has null for shanten; the other seats have their numbers."""
    turns = frames_of(FOREIGN["of another seat"][0]).turns
    assert turns.select("seat", pl.col("shanten").is_null()).rows() == [(3, False), (0, True)]


def test_tile_twice():
    """A physical tile that is dealt or turned twice is found, with the hands that hold it."""
    frames = frames_of("2 holds EEE 1m 4m 7m 1p 4p 7p 2s S WW; 3 draws E; 3 discards E")
    possession = frames.holdings
    assert possession.twice["tile_id"].to_list() == [108]
    assert frames.trust.hands.rows_with(HAND_DOUBTS).to_list() != []
    assert len(possession.absent) == 0


ORDERS = {
    "ordinary": ("3 draws 7s; 3 discards 7s; 0 draws F; 0 discards F", []),
    "pon passes the turn": (
        "2 holds 159m 159p 147s FFNP; 3 draws F; 3 discards F; 2 pon F from 3; 2 discards N; 3 draws 7s",
        [],
    ),
    "not the dealer": ("0 draws F; 0 discards F", ["D101"]),
    "seat left out": ("3 draws 7s; 3 discards 7s; 1 draws F; 1 discards F", ["D101"]),
    "second draw": ("3 draws 7s; 3 draws F; 3 discards F", ["D101"]),
    "discard of another": ("3 draws 7s; 0 discards E", ["D106"]),
    "discard first": ("0 discards E", ["D106"]),
    "second discard": ("3 draws 7s; 3 discards 7s; 0 discards E", ["D106"]),
    "chi from the right": (
        "2 holds 46s 159m 159p 1s SWNP; 3 draws 5s; 3 discards 5s; 2 chi 5s with 46s; 2 discards S",
        ["C101"],
    ),
    "pon of an own discard": (
        "3 holds FF 159m 159p 15s SWN; 3 draws F; 3 discards F; 3 pon F from 3; 3 discards S",
        ["C102"],
    ),
    "call without a discard": ("0 ankan E", ["L004"]),
    "replacement draw of another": (
        "3 holds 777s 159m 159p SWNP; 3 draws 7s; 3 ankan 7s; 0 draws F; 0 discards F",
        ["D101"],
    ),
    "no replacement draw": ("3 holds 777s 159m 159p SWNP; 3 draws 7s; 3 ankan 7s; 3 discards P", ["K113"]),
}


@pytest.mark.parametrize("how", ORDERS)
def test_order_of_events(how):
    """Each break of the turn order has exactly the code that fits best."""
    tale, expected = ORDERS[how]
    log = log_bytes(ROUND.format(lines(tale)))
    found = audited(log, options=Options(TENHOU.rules, ("L004", "D", "C", "K"))).tables["findings"]
    assert found["code"].to_list() == expected


def test_events_helper_joins_melds():
    """``events`` of the test kit keeps every event and joins each meld's tiles."""
    log = frames_of("3 draws F; 3 discards F; 1 pon F from 3; 1 discards S").log
    melded = events(log).filter(pl.col("others").list.len() > 0)
    assert melded.select("kind", "seat", "source", "tile_id", "others").rows() == [("pon", 1, 3, 128, [129, 130])]
    assert Counter(events(log)["kind"])["deal"] == 4


def test_events_after_a_result_are_no_play():
    """Ten draws of one tile after the end of the round are out of order, and no hand counts them."""
    text = next(path for path in LOGS if path.suffix == ".mjlog").read_text()
    before, tag, rest = text.partition("<AGARI")
    end = rest.index("/>") + 2
    clean, odd = audited(text.encode()), audited(f"{before}{tag}{rest[:end]}{'<T32/>' * 10}{rest[end:]}".encode())
    assert codes(odd) == ["L004"]
    for name in ("turns", "wins"):
        here, there = (
            report.tables[name].filter(pl.col("round") != before.count("<INIT") - 1).drop("game_id", "event")
            for report in (odd, clean)
        )
        assert here.equals(there), name
