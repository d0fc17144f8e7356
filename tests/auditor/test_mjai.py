"""The mjai reader against the shipped games, which a writer of the tests puts into every dialect."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from auditor.audit.audit_batch import audit
from auditor.log.tile_ids import KIND, PHYSICAL, RED
from auditor.readers import mjai
from auditor.readers.mjai.dialects import DIALECTS
from auditor.readers.mjai.yaku_names import GIMITE
from engine.yaku.all_yaku import BY_ID
from tests.kit import mjai_writer
from tests.kit.audits import FIXTURES, TENHOU, codes, source
from tests.kit.audits import events as events_of


def read(*texts):
    """Read mjai logs, given as text."""
    return mjai.READER.read([source(text.encode(), f"{place}.mjson") for place, text in enumerate(texts)], TENHOU.rules)


@pytest.fixture(scope="module", params=mjai_writer.DIALECTS)
def dialect(request):
    """Give the name of a dialect that the writer writes."""
    return request.param


@pytest.fixture(scope="module")
def written(shipped, dialect):
    """Give the shipped games as mjai in a dialect, and the log that the reader makes of them."""
    texts = [mjai_writer.lines(game) for game in mjai_writer.games(shipped[1], dialect)]
    return texts, read(*texts)


def plain(log, column):
    """Give the expression that turns physical tiles of a log into tiles without copies, as mjai names them."""
    reds = [any(rules.red_fives or ()) for rules in log.rules]
    table = np.append(KIND, 0).astype(np.int16) + PHYSICAL
    red = np.where(np.append(RED, 0) == 1, PHYSICAL + 34 + table // 9 % 15, table)
    for tile_id, place in ((16, 34), (52, 35), (88, 36)):
        red[tile_id] = PHYSICAL + place
    return reds, table, red, column


def without_copies(log, frame, *columns):
    """Replace the physical tiles in columns of a frame, which has the column round."""
    reds, table, red, _ = plain(log, None)
    game = log.rounds["game"].gather(frame["round"])
    has = np.array(reds)[log.games["rules"].gather(game).to_numpy()]

    def named(values):
        numbers = values.fill_null(0).to_numpy()
        numbers = np.where(numbers < PHYSICAL, np.where(has, red[numbers], table[numbers]), numbers)
        return pl.select(pl.when(values.is_not_null()).then(pl.Series(numbers))).to_series().cast(pl.Int16)

    return frame.with_columns(named(frame[name]).alias(name) for name in columns)


def compared(log, columns=("tsumogiri", "event", "pos")):
    """Give the events of a log without what only one format has: connections, numbers of lines."""
    frame = events_of(log)
    others = frame["others"]
    frame = without_copies(log, frame, "tile_id")
    frame = frame.with_columns(others=others).filter(~pl.col("kind").is_in(["leave", "return"]))
    # Of an ankan it is unsettled which tile comes first, and a red five may.
    return frame.drop("others", *columns).with_columns(
        pl.when(pl.col("kind") == "ankan").then(pl.col("tile_id").clip(0, 0)).otherwise("tile_id").alias("tile_id")
    )


def test_games_are_those_of_the_xml(shipped, written):
    """Rounds, events, deals and changes of score are those of the same games in Tenhou's format."""
    log, found = shipped[1], written[1]
    assert len(found.problems) == 0
    same = ["game", "nth", "wind", "dealer", "honba", "sticks", "start", "dora"]
    assert without_copies(log, log.rounds, "dora").select(same).equals(found.rounds.select(same))
    assert compared(log).equals(compared(found))
    deals = without_copies(log, log.deals, "tile_id").sort("round", "seat", "tile_id")
    assert deals.equals(found.deals.sort("round", "seat", "tile_id"))
    results = ["round", "nth", "reason", "winner", "payer", "deltas"]
    assert log.claims.select(results).equals(found.claims.select(results))


def test_turned_seats_give_the_same_game(shipped, dialect, written):
    """A game whose first dealer is another actor is the same game."""
    turned = read(*(mjai_writer.lines(game) for game in mjai_writer.games(shipped[1], dialect, turned=2)))
    for name in ("rounds", "events", "melds", "deals", "deposits", "claims", "shows"):
        assert getattr(turned, name).equals(getattr(written[1], name)), name
    assert turned.games["names"].to_list() == written[1].games["names"].to_list()


def test_games_have_no_findings(shipped, dialect, written):
    """The games are clean in Tenhou's format and in mjai, which seldom says the length and the red fives."""
    rules, row = shipped[1].rules, shipped[1].games["rules"].to_list()
    texts = [text for text, each in zip(written[0], row, strict=True)
             if dialect == "convlog" or (any(rules[each].red_fives) and rules[each].game_length == 2)]  # fmt: skip
    assert len(texts) > 4
    report = audit([source(text.encode(), f"{place}.mjson") for place, text in enumerate(texts)], TENHOU)
    assert report.tables["findings"].select("code", "message").rows() == []


def test_gimite_states_yaku(shipped):
    """The names of gimite's server are the numbers of Tenhou, dragons among them; the form of a yakuman is not told."""
    log = shipped[1]
    found = read(*(mjai_writer.lines(game) for game in mjai_writer.games(log, "gimite"))).claims
    ordinary = log.claims["yaku"].is_not_null()
    assert ordinary.sum() > 50

    def pairs(claims):
        rows = claims.filter(ordinary).select("yaku", "han").iter_rows()
        return [sorted((yaku, han) for yaku, han in zip(*row, strict=True) if han) for row in rows]

    assert pairs(found) == pairs(log.claims)
    for name in ("fu", "points", "liable"):
        assert found[name].equals(log.claims[name]), name
    untold = {41, 40, 45, 46, 47, 48}
    for stated, given in zip(log.claims["yakuman"], found["yakuman"], strict=True):
        if stated is not None and not untold & set(stated):
            assert sorted(stated) == sorted(given)


def test_a_dialect_states_what_its_table_says(dialect, written):
    """The table of dialects lists the claims that the reader finds in their logs, and no other."""
    log = written[1]
    entry = next(each for each in DIALECTS if each.name == dialect)
    assert dialect in set(log.games["platform"])
    columns = ("win_tile_id", "fu", "total_han", "yaku", "points", "deltas", "ura", "liable")
    stated = {name for name in columns if log.claims[name].null_count() < len(log.claims)}
    won = log.claims["winner"].is_not_null().gather(log.shows["claim"])
    stated |= {name for name, some in (("hand", won.any()), ("tenpai", (~won).any())) if some}
    assert stated == entry.states


def test_other_words_for_the_worth_of_a_win(shipped):
    """A viewer puts han and fu into ``meta``, and other logs have Japanese names: the claims are the same."""
    usual = mjai_writer.games(shipped[1], "gimite")
    kept = ("type", "actor", "target", "deltas")
    kanji = {name: BY_ID[number].kanji for name, number in GIMITE.items() if number in BY_ID}

    def rewritten(form):
        games = [
            [{key: event[key] for key in kept} | form(event) if event["type"] == "hora" else event for event in game]
            for game in usual
        ]
        return read(*map(mjai_writer.lines, games)).claims

    named = read(*map(mjai_writer.lines, usual)).claims
    meta = rewritten(lambda win: {"meta": {"score": {"han": win["fan"], "fu": win["fu"], "yaku": [2]}}})
    assert meta["fu"].equals(named["fu"])
    assert meta["total_han"].equals(named["total_han"])
    japanese = rewritten(
        lambda win: {"yaku": [[kanji.get(name, name), han] for name, han in win["yakus"]], "han": win["fan"]}
    )
    ordinary = named["total_han"].is_not_null() & named["yakuman"].is_null()
    rows = [claims.filter(ordinary)["yaku"].list.sort().to_list() for claims in (japanese, named)]
    # Gimite's server names the dragons together; without the hand they cannot be told apart.
    pairs = [(one, other) for one, other in zip(*rows, strict=True) if not {18, 19, 20} & {*other}]
    assert len(pairs) > 20
    assert [one for one, _ in pairs] == [other for _, other in pairs]


LEAST = """{"type":"start_game","names":["A","B","C","D"],"kyoku_first":4,"aka_flag":true}
{"type":"start_kyoku","bakaze":"E","dora_marker":"1p","kyoku":1,"honba":0,"kyotaku":0,"oya":0,\
"scores":[25000,25000,25000,25000],"tehais":[["1m","9m","1p","9p","1s","9s","E","S","W","N","P","F","2m"],\
["1m","2m","3m","4m","5mr","6m","7m","8m","9m","1s","2s","3s","4s"],\
["2p","2p","3p","3p","4p","4p","5p","5p","6p","6p","7p","7p","8p"],\
["2s","3s","4s","5s","6s","7s","8s","E","S","W","N","P","F"]]}
{"type":"tsumo","actor":0,"pai":"3m"}
{"type":"ryukyoku","deltas":[0,0,0,0]}
{"type":"end_kyoku"}
{"type":"end_game"}
"""


def test_a_reason_that_is_not_named_is_inferred():
    """Converters write all draws alike: the events say that this one is nine kinds of orphans."""
    log = read(LEAST)
    assert log.claims["reason"].to_list() == ["kyuushu"]
    assert codes(audit([source(LEAST.encode(), "a.mjson")], TENHOU)) == ["G105"]


def test_a_cut_log_is_told():
    """A line that breaks off is a cut log, and nothing else."""
    report = audit([source(LEAST[: LEAST.index('"ryukyoku"') + 4].encode(), "a.mjson")], TENHOU)
    rows = report.tables["findings"].select("code", "recorded").rows()
    assert rows == [("L002", '{"type":"ryu')]


@pytest.mark.long
def test_every_cut_and_every_hole_is_read():
    """Every beginning of a log, and a log without any one of its lines, is read; what is missing is told."""
    text = (FIXTURES / "mjai" / "gimite.mjson").read_text("utf-8")
    lines = text.splitlines(keepends=True)
    for cut in range(0, len(text), 97):
        log = read(text[:cut] + " ")
        assert cut == 0 or len(log.games) > 0
    for hole in range(0, len(lines), 3):
        log = read("".join(lines[:hole] + lines[hole + 1 :]))
        assert len(log.games) == 2 or '"start_game"' in lines[hole]


HIDDEN = """{"type":"start_game","id":1,"names":["A","B","C","D"]}
{"type":"start_kyoku","bakaze":"E","dora_marker":"1p","kyoku":1,"honba":0,"kyotaku":0,"oya":0,\
"scores":[25000,25000,25000,25000],"tehais":[["?","?","?","?","?","?","?","?","?","?","?","?","?"],\
["1m","2m","3m","4m","5mr","6m","7m","8m","9m","1s","2s","3s","4s"],\
["?","?","?","?","?","?","?","?","?","?","?","?","?"],["?","?","?","?","?","?","?","?","?","?","?","?","?"]]}
{"type":"tsumo","actor":0,"pai":"?"}
{"type":"dahai","actor":0,"pai":"W","tsumogiri":true}
{"type":"tsumo","actor":1,"pai":"N"}
{"type":"dahai","actor":1,"pai":"%s","tsumogiri":false}
{"type":"tsumo","actor":2,"pai":"?"}
{"type":"hora","actor":2,"target":2,"deltas":[-4000,-2000,8000,-2000],"ura_markers":[]}
{"type":"end_kyoku"}
"""


def test_hidden_hands_are_no_fault():
    """Of a log that one seat sees, only what it shows is audited: its own hand, and the sums."""
    clean = HIDDEN % "1s"
    log = read(clean)
    assert set(log.deals["seat"]) == {1}
    assert log.events.filter(pl.col("kind") == "draw")["tile_id"].is_null().to_list() == [True, False, True]
    assert codes(audit([source(clean.encode(), "a.mjson")], TENHOU)) == ["L002"]
    assert codes(audit([source((HIDDEN % "9p").encode(), "a.mjson")], TENHOU)) == ["L002", "T102"]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"dora_marker":"1p",', "", "a game of Chinese-official rules"),
        ('"E","S","W","N","P","F"', '"1z","2z","3z","4z","5z","6z"', "tiles such as 1z, 2z, 3z"),
    ],
)
def test_other_games_are_set_aside(old, new, reason):
    """A game of other rules, and one with other names of tiles, is not read, and the reason is told."""
    report = audit([source(LEAST.replace(old, new).encode(), "a.mjson")], TENHOU)
    rows = report.tables["findings"].select("code", "recorded").rows()
    assert [code for code, _ in rows] == ["L007"]
    assert rows[0][1].startswith(reason)


NORTH_LEFT = '{"type":"nukidora","actor":0,"pai":"N"}\n'


def three(places):
    """Write the start of a game of three players, with lists of three or four places."""
    scores, ghost = [35000] * 3 + [0] * (places - 3), [["?"] * 13] * (places - 3)
    hands = [["1m", "9m", "1p", "9p", "1s", "9s", "E", "S", "W", "N", "P", "F", "2p"], *[["1p"] * 13] * 2, *ghost]
    start = {"type": "start_kyoku", "bakaze": "E", "dora_marker": "1p", "kyoku": 1, "honba": 0, "kyotaku": 0}
    begin = [{"type": "start_game"}, start | {"oya": 0, "scores": scores, "tehais": hands}]
    return mjai_writer.lines([*begin, {"type": "tsumo", "actor": 0, "pai": "N"}]) + NORTH_LEFT


@pytest.mark.parametrize("places", [3, 4])
def test_three_players_with_and_without_a_ghost(places):
    """Lists of four places with an empty last seat are those of three players."""
    log = read(three(places))
    assert log.games["players"].to_list() == [3]
    assert log.rounds["start"].to_list() == [[35000, 35000, 35000, None]]
    assert set(log.deals["seat"]) == {0, 1, 2}
    assert log.events["kind"].cast(pl.String).to_list()[-1] == "kita"


def test_fourteen_tiles_of_the_dealer_are_a_hand_and_a_draw():
    """A dialect that deals 14 tiles to the dealer means 13 and a draw; it does not name the feeder of a call."""
    text = LEAST.replace('"F","2m"]', '"F","2m","3m"]').replace('{"type":"tsumo","actor":0,"pai":"3m"}\n', "")
    calls = '{"type":"dahai","actor":0,"pai":"9m","tsumogiri":false}\n'
    calls += '{"type":"pon","actor":2,"target":2,"pai":"9m","consumed":["9m","9m"]}\n'
    text = text.replace('"kyoku_first":4,"aka_flag":true', '"majsoul":{"room":"jade"}')
    log = read(text.replace('{"type":"ryukyoku"', calls + '{"type":"ryukyoku"'))
    assert log.events["kind"].cast(pl.String).to_list()[:6] == [*["deal"] * 4, "draw", "discard"]
    assert log.deals.filter(pl.col("seat") == 0).height == 13
    assert log.melds["source"].to_list() == [0]
    assert log.games["platform"].to_list() == ["mahjong_soul"]


OLDEST = """# Original file: test.mjlog
{"type":"start_game","uri":"http://tenhou.net/0/?log=test&tw=0","names":["A","B","C","D"]}
{"type":"start_kyoku","oya":0,"dora_marker":"6s"}
E-1 kyoku 0 honba  dora_marker: 6s
 {0} tehai:
{"type":"haipai","actor":0,"pais":["8m","9s","1m","1p","P","6s","6s","4s","4m","7m","7s","9s","3p"]}
{"type":"haipai","actor":1,"pais":["5p","5s","9s","P","4m","W","8s","6p","S","3s","5p","8s","3s"]}
{"type":"haipai","actor":2,"pais":["4s","6p","2m","5pr","7m","4p","F","5m","C","S","6m","E","9m"]}
{"type":"haipai","actor":3,"pais":["9m","E","W","4s","2m","5p","C","F","5m","4s","S","7m","1s"]}
{"type":"tsumo","actor":0,"pai":"4p"}
*{0} tehai: 1m 4m 7m 8m 1p 3p 4s 6s 6s 7s 9s 9s P  4p
{"type":"dahai","actor":0,"pai":"%s"}
{"type":"hora","actor":1,"target":0,"pai":"1m"}
{"type":"end_kyoku"}
{"type":"end_game"}
"""


def test_the_oldest_logs_deal_by_hand():
    """The first converter wrote one event for each hand, marked no discard, and said little of a win."""
    log = read(OLDEST % "1m")
    assert log.problems.rows() == []
    assert log.dealt.tolist() == [13] * 4
    assert log.events["kind"].cast(pl.String).to_list() == [*["deal"] * 4, "draw", "discard", "result"]
    assert log.events["tsumogiri"].null_count() == 7
    assert log.claims.select("deltas", "fu", "yaku", "total_han").row(0) == (None,) * 4
    assert codes(audit([source((OLDEST % "1m").encode(), "a.log")], TENHOU)) == []  # no wind is stated
    assert "T102" in codes(audit([source((OLDEST % "N").encode(), "a.log")], TENHOU))


def test_two_games_in_a_file():
    """Games that follow one another are told by the line at which each begins."""
    log = read(LEAST + LEAST.replace('"A"', '"X"'))
    assert log.games["within"].to_list() == ["1", "7"]
    assert log.rounds["event"].to_list() == [2, 8]
    assert log.games["ended"].to_list() == [True, True]


@pytest.mark.parametrize(
    ("old", "new", "code", "recorded"),
    [
        ('"pai":"3m"', '"pai":"3x"', "L003", 'tsumo pai "3x"'),
        ('"pai":"3m"', '"pai":"3m","pai":"4m"', "L003", "pai told twice, differently"),
        ('"actor":0,"pai"', '"actor":7,"pai"', "L003", "tsumo actor 7"),
        ('"type":"tsumo"', '"type":"draw"', "L003", 'an event of type "draw"'),
        (',"pai":"3m"', "", "L003", "tsumo without pai"),
        ('"2m"]', '"2m","2m","2m"]', "L003", "a hand of 15 tiles"),
    ],
)
def test_faults_are_named(old, new, code, recorded):
    """Each fault is one problem, which says where it is and what is there."""
    log = read(LEAST.replace(old, new, 1))
    assert log.problems.select("code", "recorded").rows() == [(code, recorded)]
