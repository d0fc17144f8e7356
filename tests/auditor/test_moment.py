"""Tables rebuilt at an event, compared with plain loops over the same games, and by hand where logs go wrong."""

from __future__ import annotations

import gzip
import random
from itertools import chain, pairwise

import polars as pl
import pytest

from auditor.audit.frames import Frames
from auditor.log.tile_ids import TILE_NAMES, name
from auditor.readers import majiang, mjlog
from auditor.show.moment import TableLookup
from auditor.show.table_text import WIDTH, lines
from auditor.sources import log_files
from tests.kit.audits import CHECKS, FIXTURES, LOGS, LOGS_OF_THREE, TENHOU, files_below, log_bytes, read_all, source
from tests.kit.plain.table_states import games_of, watch_mjlog, watch_paipu
from tests.kit.renamed_games import read_text

EVENTS_A_GAME = 10
PAIPU = FIXTURES / "sources" / "majiang.jsonl.gz"


def plain(moment, called=lambda tile_id: tile_id):
    """Give a rebuilt table as the plain lists of table_states.py; ``called`` names the tiles."""
    seats = moment.seats
    hands = [[*seat.hand.tiles, *([seat.hand.drawn] if seat.hand.drawn else [])] for seat in seats]
    melds = [[[*meld.tiles] for meld in seat.melds] for seat in seats]
    lying = [*moment.indicators, *chain(*hands), *chain(*chain(*melds)), *chain(*(seat.kita for seat in seats))]
    lying += [discard.tile for seat in seats for discard in seat.river]
    moved = [tile.tile_id for tile in lying if tile.moved]
    moved += [seat.hand.won for seat in seats if seat.hand.won is not None]
    return {
        "hands": [sorted(called(tile.tile_id) for tile in hand) for hand in hands],
        "drawn": [seat.hand.drawn and called(seat.hand.drawn.tile_id) for seat in seats],
        "melds": [
            [(meld.kind, sorted(called(tile.tile_id) for tile in meld.tiles), meld.source) for meld in seat.melds]
            for seat in seats
        ],
        "kita": [[called(tile.tile_id) for tile in seat.kita] for seat in seats],
        "rivers": [
            [(called(each.tile.tile_id), each.tsumogiri, each.riichi, each.called_by) for each in seat.river]
            for seat in seats
        ],
        "scores": [seat.score for seat in seats],
        "sticks": moment.sticks,
        "left": moment.left,
        "indicators": [called(tile.tile_id) for tile in moment.indicators],
        "moved": sorted(map(called, moved)),
    }


def some(states, seed):
    """Choose some of the states that a loop gives, with all results."""
    states = list(states)
    ends = [each for each in states if each[2] in ("AGARI", "RYUUKYOKU", "hule", "pingju", "N", "gang")]
    return random.Random(seed).sample(states, min(EVENTS_A_GAME, len(states))) + ends


@pytest.fixture(scope="module")
def shipped_tables(shipped):
    """Give the tables of all shipped games, and the first round of each game."""
    _, log = shipped
    first = log.rounds.group_by("game", maintain_order=True).agg(pl.col("round").first())
    return TableLookup(Frames(log, pl.DataFrame())), dict(first.rows())


@pytest.mark.parametrize("game", range(len(LOGS)), ids=[path.name[:33] for path in LOGS])
def test_mjlog_beside_a_loop(shipped_tables, game):
    """Hands, melds, rivers with marks, scores, sticks, indicators and the moved tile are those of the loop."""
    tables, first = shipped_tables
    for round_, event, kind, state in some(watch_mjlog(read_text(LOGS[game])), game):
        moment = tables.at(first[game] + round_, event)
        assert plain(moment) == state, (kind, event)
        assert all(seat.hand.trusted and seat.hand.dealt for seat in moment.seats)


@pytest.mark.long
def test_three_players_beside_a_loop(shared):
    """The same holds for real games of three players, with the norths that are set aside and with rons on them."""
    paths = files_below(shared / "corpus" / "tenhou-mjlog-3p")
    _, log = read_all(paths)
    tables = TableLookup(Frames(log, pl.DataFrame()))
    first = dict(log.rounds.group_by("game").agg(pl.col("round").first()).rows())
    aside, robbed = 0, 0
    for game, path in enumerate(paths):
        states = list(watch_mjlog(read_text(path)))
        rons = [end for call, end in pairwise(states) if (call[2], end[2]) == ("N", "AGARI")]
        for round_, event, kind, state in rons if game % 3 else some(states, game):
            moment = tables.at(first[game] + round_, event)
            assert plain(moment) == state, (path.name, kind, event)
            assert len(moment.seats) == 3
            assert all(seat.hand.trusted and seat.hand.dealt for seat in moment.seats)
            aside += len(list(chain(*state["kita"])))
            robbed += kind == "AGARI" and any(tile.moved for seat in moment.seats for tile in seat.kita)
    assert aside > 1000
    assert robbed > 0


def test_paipu_beside_a_loop():
    """The same holds for logs that name no physical tiles."""
    log = majiang.READER.read([log_files.read(PAIPU)], TENHOU.rules)
    tables = TableLookup(Frames(log, pl.DataFrame()))
    first = dict(log.rounds.group_by("game").agg(pl.col("round").first()).rows())
    games = games_of(gzip.decompress(PAIPU.read_bytes()).decode().splitlines())
    assert len(games) == len(first)
    for game, paipu in list(enumerate(games))[::3]:
        for round_, event, kind, state in some(watch_paipu(paipu), game):
            found = plain(tables.at(first[game] + round_, event), TILE_NAMES.get)
            assert found == state, (game, kind, event)


def table_of(data, round_=0, event=0, reader=mjlog):
    """Rebuild the table at an event of a log given as bytes."""
    return TableLookup(Frames(reader.READER.read([source(data)], TENHOU.rules), pl.DataFrame())).at(round_, event)


def failing(check):
    """Read a check's failing log."""
    return (CHECKS / check / "fail.mjlog").read_bytes()


def test_a_tile_that_is_not_held():
    """T102: the discarded 7s is in no hand. The table shows the hand as far as it is known, and names the tile."""
    hand = table_of(failing("t102_tile_not_in_hand"), event=6).seats[3].hand
    assert [name(tile_id) for tile_id in hand.lacking] == ["7s#96"]
    assert (len(hand.tiles), hand.drawn and name(hand.drawn.tile_id), hand.trusted) == (13, "E#108", False)
    assert not any(tile.moved for tile in hand.tiles)


def test_a_copy_too_many():
    """T101: the repeated copy is named with the hand that has it."""
    seats = table_of(failing("t101_fifth_copy"), event=4).seats
    assert [[name(tile_id) for tile_id in seat.hand.twice] for seat in seats] == [[], ["E#108"], [], []]


def test_a_deal_that_cannot_be_read():
    """T103: the twelve tiles of seat 1 are no deal; the other hands are shown."""
    seats = table_of(failing("t103_wrong_number_of_tiles"), event=4).seats
    assert [seat.hand.dealt for seat in seats] == [True, False, True, True]
    assert [len(seat.hand.tiles) for seat in seats] == [13, 0, 13, 13]


def test_an_event_that_is_no_play():
    """L003: at an unknown tag the table is that of the event before."""
    moment = table_of(failing("l003_unknown_tag"), event=7)
    assert (moment.event, [act.event for act in moment.before]) == ((), [6])
    assert [TILE_NAMES[each.tile.tile_id] for each in moment.seats[3].river] == ["7s"]


def test_an_event_after_the_result():
    """L004: play after a result moves nothing. Scores are those after the result, and the sticks are gone."""
    moment = table_of(failing("l004_event_out_of_order"), event=8)
    assert [seat.score for seat in moment.seats] == [32000, 25000, 25000, 18000]
    assert [act.kind for act in moment.before] == ["result"]
    assert all(seat.hand.drawn is None for seat in moment.seats)


def test_a_deal_follows_the_results_before():
    """The first event of a round shows the deal; before it comes the last round's result."""
    moment = table_of(failing("g101_wrong_next_round"), 1, 8)
    assert [len(seat.hand.tiles) for seat in moment.seats] == [13] * 4
    assert not any(tile.moved for seat in moment.seats for tile in (*seat.hand.tiles, *moment.indicators))
    assert [(act.event, act.result.winner, act.result.deltas) for act in moment.before] == [(7, 0, (2000, 0, -2000, 0))]
    assert [act.kind for act in moment.event] == ["deal"]


def test_other_shown_hand():
    """T105: the hand that the result shows is printed beside the played one if they differ."""
    seats = table_of(failing("t105_shown_hand"), event=7).seats
    played = " ".join(TILE_NAMES[tile.tile_id] for tile in seats[0].hand.tiles)
    shown = " ".join(TILE_NAMES[tile_id] for tile_id in seats[0].hand.shown)
    assert played == "2m 3m 4m 6p 7p 8p 2s 3s 4s 5s 6s 8s 8s"
    assert shown == "2m 3m 4m 7p 8p 9p 2s 3s 4s 5s 6s 7s 8s 8s"
    assert all(seat.hand.shown is None for seat in seats[1:])


CALLS = """
table 1
East 1.0, dora 9p
0 holds 123m 456p 789s ESWN
1 holds 55m 123p 468s PPF CC
2 holds 46m 0m 147p 258s ENPF
0 draws 5m
0 discards 5m
1 pon 5m from 0 with 55m
raw <N who="2" m="{chi}"/>
1 discards F
draw
end
"""


def test_two_calls_of_one_discard():
    """C102: a pon and a chi take the same discard. The pon comes first and takes it; both are melds."""
    # Section 5 of the format notes: a chi of 4m 5m 6m, the 5m called, from the left (3).
    ids = dict(zip("456", (12, 19, 20), strict=True))
    code = 3 | 4 | (ids["4"] % 4) << 3 | (ids["5"] % 4) << 5 | (ids["6"] % 4) << 7 | (3 * 3 + 1) << 10
    moment = table_of(log_bytes(CALLS.format(chi=code)), event=9)
    assert [act.kind for act in moment.event] == ["discard"]
    assert [each.called_by for each in moment.seats[0].river] == [1]
    assert [[meld.kind for meld in seat.melds] for seat in moment.seats] == [[], ["pon"], ["chi"], []]


def test_marks_of_logs_that_name_no_copies():
    """D103: a discard marked as drawn leaves the hand if the drawn tile is another one."""
    data = (CHECKS / "d103_tsumogiri_mark" / "fail_drawn.json").read_bytes()
    east = table_of(data, event=2, reader=majiang).seats[3]
    assert [TILE_NAMES[tile.tile_id] for tile in east.hand.tiles if tile.moved] == ["7s"]
    assert (TILE_NAMES[east.hand.drawn.tile_id], east.hand.drawn.moved) == ("9m", False)
    (discard,) = table_of(data, event=3, reader=majiang).seats[3].river
    assert (TILE_NAMES[discard.tile.tile_id], discard.tsumogiri, discard.riichi) == ("7s", True, False)


def test_a_kakan_keeps_who_gave_its_pon():
    """In a kakan the added tile is last, and the called one first."""
    log = """
    table 1
    East 1.0, dora 9p
    1 holds 55m 123p 468s PPF CC
    0 draws 5m
    0 discards 5m
    1 pon 5m from 0
    1 discards F
    2 draws N
    2 discards N
    3 draws N
    3 discards N
    0 draws N
    0 discards N
    1 draws 0m
    1 kakan 5m
    1 draws S
    draw
    end
    """.replace("\n    ", "\n")
    (meld,) = table_of(log_bytes(log), event=17).seats[1].melds
    assert (meld.kind, meld.source, [TILE_NAMES[tile.tile_id] for tile in meld.tiles]) == (
        "kakan", 0, ["5m", "5m", "5m", "0m"],
    )  # fmt: skip


def spoiled(text, chance):
    """Spoil a log: lose, repeat or exchange tags, change numbers, cut off the end."""
    found = text.replace("/>", "/>\0").split("\0")
    for _ in range(chance.randint(1, 5)):
        at = chance.randrange(len(found))
        match chance.randrange(5):
            case 0:
                del found[at]
            case 1:
                found.insert(at, found[at])
            case 2:
                found[at], found[at - 1] = found[at - 1], found[at]
            case 3:
                digits = [place for place, letter in enumerate(found[at]) if letter.isdigit()]
                if digits:
                    place = chance.choice(digits)
                    found[at] = found[at][:place] + str(chance.randrange(10)) + found[at][place + 1 :]
            case 4:
                found = found[: max(at, 8)]
    return "".join(found).encode()


def test_whatever_is_wrong_a_table_is_drawn():
    """A spoiled log has a table at every event, and it can be printed."""
    chance = random.Random(4)
    texts = [read_text(path) for path in (*LOGS, *LOGS_OF_THREE) if "resaved" not in path.name]
    files = [source(spoiled(chance.choice(texts), chance), f"{at}.mjlog") for at in range(40)]
    log = mjlog.READER.read(files, TENHOU.rules)
    tables = TableLookup(Frames(log, pl.DataFrame()))
    events = log.events.select("round", "event").unique(maintain_order=True).sample(400, seed=4)
    for round_, event in events.iter_rows():
        for seat, at in ((None, event), (event % 4, event + 1)):
            drawn = lines(tables.at(round_, at), seat)
            assert len([line for line in drawn if " seat " in line[:8]]) == log.players[round_]
            assert max(map(len, drawn)) <= WIDTH
