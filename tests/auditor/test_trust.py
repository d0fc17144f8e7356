"""Trust: the reasons that trust.py documents, for the round, the hands and the win of each planted fault."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from auditor.audit.check import all_checks
from auditor.audit.frames import Frames
from auditor.log.tables import SEATS
from auditor.readers import majiang, mjlog
from auditor.replay import trust
from auditor.replay.trust import Doubt
from tests.kit.audits import CHECKS, FIXTURES, TENHOU, log_bytes, source

NONE = Doubt(0)
PAIPU = FIXTURES / "sources/majiang.jsonl.gz"


def frames_of(data, reader=mjlog):
    """Give the frames of one log."""
    return Frames(reader.READER.read([source(data)], TENHOU.rules), pl.DataFrame())


def drawn(tale):
    """Give the log of a round with this play that ends in a draw."""
    play = tale.replace("; ", "\n")
    return log_bytes(
        f"East 4.0, dora 9p\n0 holds 123m 456m 789m 123p E\n1 holds 159m 159p 159s SWNP\n{play}\ndraw\nend\n"
    )


PLAY = "3 draws 7s; 3 discards 7s; 0 draws F; 0 discards F"
CLEAN = drawn(PLAY)
WON = """
East 4.0, dora 9p
0 holds 234m 678p 234s 56s 88s
3 draws 7s
3 discards 7s
0 wins 7s from 3
  fu 30
  points 2000
  yaku pinfu 1, tanyao 1
  change 2000 0 0 -2000
end
"""


def without(pattern, new=b"", log=CLEAN):
    """Replace one place of a log's text."""
    assert log.count(pattern) == 1
    return log.replace(pattern, new)


def failing(check):
    """Read a check's failing log."""
    return (CHECKS / check / "fail.mjlog").read_bytes()


# The faults, the reasons that each gives the round, and the reasons that it gives single hands.
ROUNDS = {
    "nothing": (CLEAN, NONE, {}),
    "a call that cannot be read": (drawn(f'{PLAY}; raw <N who="1" m="x"/>'), Doubt.PLAY_NOT_READ, {}),
    "the rest is not a tag": (
        without(b"<RYUUKYOKU", b"<RYUU\0"),
        Doubt.REST_NOT_READ | Doubt.NO_RESULT,
        {},
    ),
    "no seed": (
        without(b' seed="3,0,0,0,0,68"'),
        Doubt.WIND_NOT_STATED | Doubt.HONBA_NOT_STATED | Doubt.STICKS_NOT_STATED | Doubt.INDICATOR_NOT_STATED,
        {},
    ),
    "no dealer": (CLEAN.replace(b' oya="3"', b""), Doubt.DEALER_NOT_STATED, {}),
    "a second draw": (
        drawn("3 draws 7s; 3 draws S; 3 discards S; 0 draws E; 0 discards E; 1 draws C; 1 discards C"),
        Doubt.OUT_OF_ORDER,
        {3: Doubt.ACTION_MISSING},
    ),
    "a second draw just before the end": (
        drawn("3 draws 7s; 3 draws F; 3 discards F"),
        Doubt.OUT_OF_ORDER | Doubt.END_OUT_OF_ORDER,
        {3: Doubt.ACTION_MISSING},
    ),
    "draws and discards anyhow": (
        drawn(
            "3 draws 7s; 3 draws F; 0 draws E; 1 draws E; 1 draws C; 3 discards F; 1 discards S; 1 discards W;"
            " 1 discards N; 0 discards E; 2 draws C; 1 draws 2s; 3 draws 2s; 3 discards 2s; 0 draws C; 0 discards C;"
            " 1 draws P; 1 discards P"
        ),
        Doubt.OUT_OF_ORDER | Doubt.NO_ORDER,
        dict.fromkeys(range(SEATS), Doubt.ACTION_MISSING),
    ),
    "no result": (failing("l002_truncated"), Doubt.NO_RESULT, {}),
    "an indicator without a kan": (drawn(f"{PLAY}; dora P"), Doubt.INDICATORS_WRONG, {}),
    "a copy too many": (failing("t101_fifth_copy"), Doubt.EXTRA_COPY, {1: Doubt.HOLDS_EXTRA_COPY}),
    "no deal of a seat": (without(b" hai1=", b" hai9="), NONE, {1: Doubt.NOT_DEALT}),
    "a tile that was not held": (failing("t102_tile_not_in_hand"), NONE, {3: Doubt.TILE_NOT_HELD}),
}


@pytest.mark.parametrize("fault", ROUNDS)
def test_rounds_and_hands(fault):
    """Each fault gives the round and the hands the stated reasons; hands have those of their round, too."""
    log, of_round, of_hands = ROUNDS[fault]
    found = frames_of(log).trust
    assert [Doubt(bits) for bits in found.rounds.bits.tolist()] == [of_round]
    expected = [of_round | of_hands.get(seat, NONE) for seat in range(SEATS)]
    assert [Doubt(bits) for bits in found.hands.bits.tolist()] == expected


def broken_paipu():
    """Give a game of 電脳麻将 without one discarded tile in its first round, and the seat of that discard."""
    game = json.loads(gzip.decompress(PAIPU.read_bytes()).split(b"\n")[0])["paipu"]
    event = next(each for each in game["log"][0] if "dapai" in each)
    del event["dapai"]["p"]
    return json.dumps(game).encode()


def test_sticks_of_play_that_was_not_read():
    """If a reader infers from the play who paid a stick (電脳麻将), it is unknown after an unreadable discard."""
    found = frames_of(broken_paipu(), majiang).trust
    assert Doubt(int(found.rounds.bits[0])) == Doubt.PLAY_NOT_READ | Doubt.STICKS_UNKNOWN
    assert set(found.rounds.bits[1:].tolist()) == {0}


def test_tile_that_the_log_does_not_name():
    """A last draw of an unknown tile is a reason for its hand and for the end of the round."""
    log = frames_of(drawn("3 draws 7s; 3 discards 7s; 0 draws F")).log
    events = log.events.with_columns(
        tile_id=pl.when(pl.col("kind") == "draw", pl.col("seat") == 0).then(None).otherwise("tile_id")
    )
    found = Frames(replace(log, events=events), pl.DataFrame()).trust
    expected = {0: Doubt.LAST_TILE_NOT_READ | Doubt.TILE_NOT_READ}
    assert Doubt(int(found.rounds.bits[0])) == Doubt.LAST_TILE_NOT_READ
    assert [Doubt(bits) for bits in found.hands.bits.tolist()] == [
        expected.get(seat, Doubt.LAST_TILE_NOT_READ) for seat in range(SEATS)
    ]


def test_hand_with_a_tile_too_few():
    """Twelve dealt tiles are a reason only for the number of tiles at the round's end."""
    log = frames_of(CLEAN).log
    deals = log.deals.filter(~((pl.col("seat") == 2) & (pl.int_range(pl.len()).over("round", "seat") == 0)))
    found = Frames(replace(log, deals=deals), pl.DataFrame()).trust
    assert [Doubt(bits) for bits in found.hands.bits.tolist()] == [NONE, NONE, Doubt.WRONG_NUMBER, NONE]


TURNED = log_bytes(WON.replace("3 draws 7s", "3 draws 7s\ndora P"))
WINS = {
    "nothing": (log_bytes(WON), NONE),
    "another payer": (log_bytes(WON).replace(b'fromWho="3"', b'fromWho="2"'), Doubt.TILE_IS_NOT_LAST),
    "the payer wins": (
        log_bytes(WON).replace(b'who="0" fromWho="3"', b'who="3" fromWho="0"'),
        Doubt.TILE_IS_NOT_LAST | Doubt.OWN_TILE,
    ),
    "indicators wrong, but shown": (TURNED, Doubt.INDICATORS_WRONG),
    "indicators wrong and not shown": (
        TURNED.replace(TURNED[TURNED.index(b" doraHai=") : TURNED.index(b" who=")], b""),
        Doubt.INDICATORS_WRONG | Doubt.DORA_UNKNOWN,
    ),
}


@pytest.mark.parametrize("fault", WINS)
def test_wins(fault):
    """The reasons of a win, besides those of its round and hand."""
    log, expected = WINS[fault]
    assert [Doubt(bits) for bits in frames_of(log).win_contexts.doubts.bits.tolist()] == [expected]


@pytest.mark.parametrize("early", ["trust_as_read", "turn_order"])
def test_asking_a_stage_too_early_is_an_error(early):
    """It is an error, not "no", to ask a stage for a reason that only a later stage determines."""
    found = getattr(frames_of(CLEAN), early)
    rounds = (found if early == "trust_as_read" else found.trust).rounds
    with pytest.raises(ValueError, match="INDICATORS_WRONG"):
        rounds.free_of(trust.INDICATOR_DOUBTS)


def test_every_reason_is_one_bit_with_its_meaning():
    """Each reason is one bit of an unsigned 32-bit number, and the source gives its meaning."""
    assert [doubt.value for doubt in Doubt] == [1 << place for place in range(len(Doubt))]
    assert len(Doubt) <= 32
    lines = Path(trust.__file__).read_text("utf-8").splitlines()
    for doubt in Doubt:
        at = lines.index(f"    {doubt.name} = auto()")
        assert lines[at + 1].startswith('    """'), doubt.name


def test_the_table_names_what_is_there():
    """The table in the docstring names all sets of doubts and no others, and only checks that exist."""
    table = trust.__doc__.partition("=====")[2]
    sets = {name for name in vars(trust) if name.endswith("_DOUBTS")}
    assert set(re.findall(r"\b[A-Z_]+_DOUBTS\b", table)) == sets
    assert set(re.findall(r"\b[A-Z]\d{3}\b", table)) <= {check.code for check in all_checks()}
