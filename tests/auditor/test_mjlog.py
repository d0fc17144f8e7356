"""The mjlog reader: every tag and attribute reaches the canonical tables, however the file was resaved or packed."""

from __future__ import annotations

import gzip
import re
from datetime import datetime

import polars as pl
import pytest

from auditor.audit.audit_batch import Options
from auditor.log import tables as canonical
from auditor.log.tile_ids import PHYSICAL
from auditor.readers import mjlog
from auditor.readers.mjlog import melds
from auditor.sources.log_files import read, unpack
from tests.kit.audits import CHECKS, LOGS, TENHOU, audited, events, log_bytes, source
from tests.kit.plain import mjlog_reader

TABLES = ("rounds", "events", "melds", "deals", "deposits", "claims", "shows")
GAME_COLUMNS = [
    name for name in canonical.GAMES if name not in ("game", "source", "start_time", "last_event", "last_pos")
]


@pytest.fixture(scope="module", params=["shipped", "corpus", "shipped_of_three", "corpus_of_three"])
def both(request):
    """Give each set of games as the reader reads it, and as a plain reading by ElementTree."""
    sources, log = request.getfixturevalue(request.param)
    return sources, log, [mjlog_reader.read(each.data) for each in sources]


def shifted(games, table, columns):
    """Give one table of many games; round and claim numbers continue from game to game."""
    rows, rounds, claims = [], 0, 0
    for game in games:
        for row in getattr(game, table):
            named = dict(zip(columns, row, strict=True))
            named |= {"round": named["round"] + rounds}
            named |= {"claim": named["claim"] + claims} if "claim" in named else {}
            rows.append(tuple(named.values()))
        rounds, claims = rounds + len(game.rounds), claims + len(game.claims)
    return rows


def offset(source):
    """Give the number of bytes of the unpacked file before the text that the reader gets."""
    return source.offset


def test_rounds(both):
    """INIT gives wind, dealer, honba, sticks, scores, first indicator and position."""
    _, log, games = both
    columns = ["round", "wind", "dealer", "honba", "sticks", "start", "dora", "event", "pos"]
    assert log.rounds.select(columns).rows() == shifted(games, "rounds", columns)
    assert log.rounds["nth"].to_list() == [nth for game in games for nth in range(len(game.rounds))]
    assert log.rounds["game"].to_list() == [place for place, game in enumerate(games) for _ in game.rounds]


def test_events(both):
    """Draws, discards, calls with feeder and tiles, riichi, indicators, results and absences are events, in order."""
    _, log, games = both
    columns = ["round", "event", "pos", "kind", "seat", "source", "tile_id", "others"]
    seen = events(log).select(columns)
    expected = shifted(games, "events", columns)
    assert len(seen) == len(expected)
    differing = [
        (found, wanted)
        for found, wanted in zip(seen.iter_rows(), expected, strict=True)
        if (*found[:-1], tuple(found[-1])) != (*wanted[:-1], tuple(sorted(wanted[-1])))
    ]
    assert differing[:3] == []


def test_positions_point_at_tags(both):
    """The byte of an event is the < of a tag of its kind."""
    sources, log, _ = both
    tag = {"draw": "[TUVW]", "discard": "[DEFG]", "deal": "INIT", "riichi": "REACH", "deposit": "REACH", "dora": "DORA",
           "result": "(AGARI|RYUUKYOKU)", "leave": "BYE", "return": "UN"}  # fmt: skip
    games = log.rounds["game"].to_list()
    places = log.events.group_by("kind").agg(pl.col("round").first(), pl.col("pos").first())
    assert len(places) > 10
    for kind, round_, pos in places.iter_rows():
        text = sources[games[round_]].data[pos - offset(sources[games[round_]]) :][:12].decode()
        assert re.match("<" + tag.get(kind, "N "), text), (kind, text)


def test_deals(both):
    """hai0 to hai3 give the dealt tiles, in the order of the file."""
    _, log, games = both
    assert log.deals.rows() == shifted(games, "deals", ["round", "seat", "tile_id"])


def test_deposits(both):
    """REACH step 2 gives a deposit and the scores after it; early logs have no scores there."""
    _, log, games = both
    assert log.deposits.rows() == shifted(games, "deposits", ["round", "event", "seat", "scores"])


def test_claims(both):
    """AGARI and RYUUKYOKU give winner, payer, liable, fu, points, limit, yaku, indicators, melds, scores, changes."""
    _, log, games = both
    rounds = 0
    found = iter(log.claims.with_columns(pl.col("reason").cast(pl.String)).iter_rows(named=True))
    for game in games:
        for expected in game.claims:
            claim = next(found)
            claim["melds"] = sorted(signed(each) for each in claim["melds"] or [])
            wanted = {"melds": []} | expected | {"round": expected["round"] + rounds}
            assert {name: claim[name] for name in wanted} == wanted
            assert [
                name for name in canonical.CLAIMS if claim[name] is not None and name not in (*wanted, "claim")
            ] == []
        rounds += len(game.rounds)
    assert next(found, None) is None


def signed(signature):
    """Split a meld signature into its kind and its tiles."""
    tile_ids = [signature >> shift & 255 for shift in (24, 16, 8, 0)]
    return canonical.KINDS[signature >> 32], [tile_id for tile_id in tile_ids if tile_id < PHYSICAL]


def test_shown_hands(both):
    """The winner's hai, and at draws each haiN, are the shown hands."""
    _, log, games = both
    assert log.shows.rows() == shifted(games, "shows", ["claim", "round", "event", "seat", "tile_ids"])


def test_games(both):
    """UN, GO and owari give names, ranks, ratings, table, final scores and points."""
    _, log, games = both
    for row, game in zip(log.games.iter_rows(named=True), games, strict=True):
        head = game.head
        for name in ("names", "ranks", "ratings", "final_scores", "final_points"):
            assert row[name] == head.get(name), name
        assert row["ended"] == (True if "final_scores" in head else None)
        table = f"GO type={head['type']} lobby={head['lobby'] or '-'}"
        assert row["table"] == table + (f" csrule={head['csrule']}" if head["csrule"] else "")
        assert (row["players"], row["platform"]) == (game.players, "tenhou")


def test_start_time_is_in_the_name(both):
    """A name in Tenhou's form gives year, month, day and hour; other names give no start time."""
    sources, log, _ = both
    for each, start in zip(sources, log.games["start_time"], strict=True):
        stamp = re.search(r"(\d{10})gm-", each.name)
        assert start == (stamp and datetime.strptime(stamp[1], "%Y%m%d%H"))  # noqa: DTZ007


@pytest.mark.parametrize("further", [b"%41", b"raw %41", b"%0A%0a", b"%4", b"%  ", b"%%%414141", b"%E3%81"])
def test_names_do_not_depend_on_the_batch(further):
    """A name is decoded in the same way whatever names the other games of its batch have."""
    first = read(LOGS[0]).data
    other = re.sub(rb'(<UN n0=")[^"]*', lambda found: found[1] + further, first, count=1)
    assert other != first

    def names(*texts):
        return mjlog.READER.read([source(text) for text in texts], TENHOU.rules).games["names"].to_list()

    assert names(first, other) == names(first) + names(other)


def test_no_problems_in_shipped_games(shipped):
    """The shipped logs have no problem."""
    assert shipped[1].problems.rows() == []


def test_all_meld_codes():
    """Each of the 65,536 codes that names tiles is decoded as the format says."""
    import numpy as np

    every = np.arange(1 << 16)
    found = melds.decode(every)
    compared = 0
    for code in every.tolist():
        kind, source, tile_id, others = mjlog_reader.meld(code, 0)
        if code & 0x3C == 0x20 or not all(0 <= tile < PHYSICAL for tile in (tile_id, *others)):
            continue
        tile_ids = found.tile_ids[code].tolist()
        feeder = int(found.feeder[code]) or None
        assert canonical.KINDS[found.kind[code]] == kind
        assert kind == "kakan" or feeder == source
        assert (tile_ids[0], sorted(tile for tile in tile_ids[1:] if tile < PHYSICAL)) == (tile_id, sorted(others))
        compared += 1
    assert compared > 40000


@pytest.mark.parametrize(
    ("code", "kind", "feeder", "tile_ids"),
    [
        (31008, "kita", 0, [121]),  # auditor/readers/mjlog/FORMAT.md 13.4
        (0b000000_0_00_00_00_1_11, "chi", 3, [0, 4, 8]),
    ],
)
def test_single_meld_codes(code, kind, feeder, tile_ids):
    """Codes whose tiles follow from the format notes or from their bits are decoded to these tiles."""
    import numpy as np

    found = melds.decode(np.array([code]))
    assert canonical.KINDS[found.kind[0]] == kind
    assert found.feeder[0] == feeder
    assert [tile for tile in found.tile_ids[0].tolist() if tile < PHYSICAL] == tile_ids


PLAIN = next(path for path in LOGS if "501001" not in path.name and path.name.startswith("2023112505"))


def indented(data):
    """Put every tag on a line of its own."""
    return data.replace(b"/><", b"/>\n  <").replace(b"><GO", b">\n  <GO").replace(b"</mjloggm>", b"\n</mjloggm>\n")


RESAVED = {
    "indented": indented,
    "space before />": lambda data: data.replace(b"/>", b" />"),
    "indented, space before />": lambda data: indented(data).replace(b"/>", b" />"),
    "windows line ends": lambda data: indented(data).replace(b"\n", b"\r\n"),
    "single quotes": lambda data: data.replace(b'"', b"'"),
    "comment before the root": lambda data: b"<!-- saved by <T1/> -->\n" + data,
    "comments with tags inside": lambda data: data.replace(b"<INIT", b"<!-- <D5/> <INIT/> --><INIT"),
    "byte-order mark": lambda data: b"\xef\xbb\xbf" + data,
    "leading blank lines": lambda data: b"\n\n " + data,
    "gzip": gzip.compress,
    "gzip in two members": lambda data: gzip.compress(data[:5000]) + gzip.compress(data[5000:]),
    "gzip of indented": lambda data: gzip.compress(indented(data)),
    "no SHUFFLE": lambda data: re.sub(rb"<SHUFFLE[^>]*/>", b"", data),
    "attributes in another order": lambda data: re.sub(
        rb"<(REACH|N|INIT|AGARI) ([^>]*?)/>",
        lambda found: b"<%s %s/>" % (found[1], b" ".join(reversed(found[2].split()))),
        data,
    ),
}


@pytest.mark.parametrize("how", RESAVED)
def test_resaved_copies_read_the_same(how):
    """A copy that an editor, archive or converter saved is the same game; positions are those in the copy."""
    data = PLAIN.read_bytes()
    copy = RESAVED[how](data)
    assert copy != data
    original = mjlog.READER.read([source(data)], TENHOU.rules)
    resaved = mjlog.READER.read([source(copy)], TENHOU.rules)
    assert resaved.problems.rows() == []
    place = ["pos", "event"] if how == "no SHUFFLE" else ["pos"]
    for name in TABLES:
        left, right = (getattr(each, name) for each in (original, resaved))
        left, right = (frame.drop([column for column in place if column in frame.columns]) for frame in (left, right))
        assert left.equals(right), name
    columns = [name for name in GAME_COLUMNS if name != "game_id"]
    assert original.games.select(columns).equals(resaved.games.select(columns))
    file = gzip.decompress(copy) if how.startswith("gzip") else copy
    at = resaved.events.filter(pl.col("kind") == "result")["pos"].to_list()
    assert [re.match(rb"<(AGARI|RYUUKYOKU)\s", file[pos:]) is not None for pos in at] == [True] * len(at)


@pytest.mark.parametrize("how", ["gzip", "byte-order mark", "indented", "windows line ends", "leading blank lines"])
def test_game_id_is_the_content(how):
    """Packing and white space do not change the id of a game; any other byte does."""
    data = PLAIN.read_bytes()
    files = [data, RESAVED[how](data), data.replace(b'oya="0"', b'oya="1"', 1)]
    log = mjlog.READER.read([source(each) for each in files], TENHOU.rules)
    original, copy, other = log.games["game_id"]
    assert original == copy != other
    assert re.fullmatch("[0-9a-f]{16}", original)


def test_games_of_a_batch_do_not_mix(shipped):
    """The tables of a batch are those of its games read one by one, in the given order."""
    sources, log = shipped
    alone = [mjlog.READER.read([each], TENHOU.rules) for each in reversed(sources)]
    backwards = mjlog.READER.read(list(reversed(sources)), TENHOU.rules)
    assert backwards.games["source"].to_list() == [each.name for each in reversed(sources)]
    for name in ("events", "melds", "deals", "claims", "shows"):
        drop = ["round", "claim", "row"]
        frames = [getattr(each, name).drop(drop, strict=False) for each in alone]
        assert pl.concat(frames).equals(getattr(backwards, name).drop(drop, strict=False)), name
    assert log.rounds["nth"].to_list() != backwards.rounds["nth"].to_list()


def test_a_contradiction_is_in_its_own_round_behind_deals_that_are_not_read():
    """A second root of a file is not read, so its deals do not count when rounds are numbered."""
    wrong = (CHECKS / "l006_tables_disagree" / "fail.mjlog").read_bytes()
    ordinary = log_bytes("East 4.0, dora 9p\n3 draws 7s\n3 discards 7s\ndraw\nend\n")
    log = mjlog.READER.read([source(ordinary * 2, "twice"), source(wrong, "wrong")], TENHOU.rules)
    (contradiction,) = log.problems.filter(pl.col("code") == "L006", pl.col("round").is_not_null())["round"]
    assert log.rounds["game"][contradiction] == 1


def three_players():
    """Give a log of three players."""
    return (CHECKS / "n102_kita_at_a_wrong_time" / "pass.mjlog").read_bytes()


def test_without_a_table_type_the_deals_say_how_many_play():
    """A log of three players without GO is read as one of three players; the missing tag is the only problem."""
    data = three_players()
    whole, headless = (
        mjlog.READER.read([source(each)], TENHOU.rules)
        for each in (data, data.replace(b'<GO type="17" lobby="0"/>', b""))
    )
    assert [each.games["players"].item() for each in (whole, headless)] == [3, 3]
    assert headless.problems["code"].to_list() == ["L003"]
    assert headless.deals.equals(whole.deals)
    (rules,) = headless.rules
    assert (rules.players, rules.target_points) == (3, 40000)


WRONG_VALUES = {
    "tile 136": (b'<DORA hai="136"/>', "DORA hai"),
    "five numbers in ten": (b'<REACH who="0" ten="250,250,250,250,250" step="2"/>', "REACH ten"),
    "seat 4": (b'<N who="4" m="1"/>', "N who"),
    "seat -1": (b'<BYE who="-1"/>', "BYE who"),
    "no number": (b'<BYE who="one"/>', "BYE who"),
    "empty": (b'<BYE who=""/>', "BYE who"),
    "meld beyond 16 bits": (b'<N who="0" m="65536"/>', "N m"),
    "unknown attribute": (b'<BYE who="0" reason="tired"/>', "BYE reason"),
    "unknown tag": (b"<FURITEN/>", "<FURITEN/>"),
    "live draw": (b"<U/>", "<U/>"),
    "live discard": (b"<e14/>", "<e14/>"),
    "draw of a tile 136": (b"<T136/>", "<T136>"),
    "draw of a tile 1000": (b"<T1000/>", "<T1000>"),
    "missing attribute": (b"<DORA/>", "DORA without hai"),
}


@pytest.mark.parametrize("what", WRONG_VALUES)
def test_wrong_values_are_named_with_their_place(what):
    """A value that the format does not have is L003, at the byte of its tag, with the recorded text."""
    tag, recorded = WRONG_VALUES[what]
    data = log_bytes("East 4.0, dora 9p\n3 draws 7s\n3 discards 7s\nraw <HERE/>\ndraw\nend\n").replace(b"<HERE/>", tag)
    problems = mjlog.READER.read([source(data)], TENHOU.rules).problems
    assert problems["code"].to_list() == ["L003"]
    assert problems["pos"].to_list() == [data.index(tag)]
    assert problems["recorded"][0].startswith(recorded)


@pytest.mark.parametrize("position", ["before", "after"])
def test_tags_around_a_wrong_one_are_kept(position):
    """An unreadable tag does not change its neighbours."""
    text = "East 4.0, dora 9p\n3 draws 7s\n3 discards 7s\n0 draws 9m\n0 discards 9m\ndraw\nend\n"
    clean = mjlog.READER.read([source(log_bytes(text))], TENHOU.rules)
    line = {"before": "3 draws 7s", "after": "0 draws 9m"}[position]
    broken = mjlog.READER.read([source(log_bytes(text.replace(line, f'raw <FOO bar="1"/>\n{line}')))], TENHOU.rules)
    assert broken.events.drop("event", "pos").equals(clean.events.drop("event", "pos"))


def test_empty_batch():
    """Without files, the tables are empty and have the right columns."""
    log = mjlog.READER.read([], TENHOU.rules)
    assert [len(getattr(log, name)) for name in ("games", *TABLES)] == [0] * 8
    assert dict(log.events.schema) == dict(pl.DataFrame(schema=canonical.EVENTS).schema)


def test_absent_players():
    """BYE and a UN with one name are leave and return, also between rounds."""
    text = """
East 4.0, dora 9p
raw <BYE who="2"/>
3 draws 7s
3 discards 7s
draw
raw <UN n2="%43"/>
East 4.1, dora 9p
draw
end
"""
    log = mjlog.READER.read([source(log_bytes(text))], TENHOU.rules)
    absences = log.events.filter(pl.col("kind").is_in(["leave", "return"])).select("round", "kind", "seat")
    assert absences.rows() == [(0, "leave", 2), (0, "return", 2)]
    assert log.problems.rows() == []
    assert log.games["names"].to_list() == [["A", "B", "C", "D"]]
    found = audited(log_bytes(text), options=Options(TENHOU.rules, ("L", "T"))).tables["findings"]
    assert found.rows() == []


@pytest.mark.parametrize(("text", "name"), [("%E5%A4%A9", "天"), ("plain", "plain"), ("", "")])
def test_names_are_percent_encoded(text, name):
    """A name is percent-decoded as UTF-8; a name that is not encoded stays as it is."""
    data = log_bytes("East 4.0, dora 9p\ndraw\nend\n").replace(b'n1="%42"', f'n1="{text}"'.encode())
    log = mjlog.READER.read([source(data)], TENHOU.rules)
    assert log.games["names"][0].to_list() == ["A", name, "C", "D"]


def test_unpacking_keeps_positions():
    """Bytes dropped before the text are counted: positions are those in the unpacked file."""
    data = b"\xef\xbb\xbf \n" + PLAIN.read_bytes()
    packed = unpack(source(b"", "x"), gzip.compress(data))
    log = mjlog.READER.read([packed], TENHOU.rules)
    assert data[log.rounds["pos"][0] :].startswith(b"<INIT ")
