"""Mahjong Soul records: the same tables from every rendering, real records without findings, faults of a file."""

from __future__ import annotations

import json

import polars as pl
import pytest

from auditor.audit.audit_batch import Options
from auditor.log.tile_ids import KIND
from auditor.readers import mahjong_soul, mjlog, reader_of
from auditor.readers.mahjong_soul.messages import classes
from auditor.sources import log_files
from engine.rules.rule_sets import preset
from tests.kit.audits import LOGS, LOGS_OF_THREE, TENHOU, audited_whole, source, tally
from tests.kit.conversion import soul, soul_fixtures
from tests.kit.conversion.soul_renderings import BARE, WHOLE, records, websocket
from tests.kit.conversion.tiles import RefusedError
from tests.kit.plain import mjlog_reader
from tests.kit.renamed_games import read_text

RULES = preset("tenhou")
TABLES = ("rounds", "events", "melds", "deals", "deposits", "claims", "shows", "hints", "offers", "problems")
HEAD = (
    "names", "ranks", "start_time", "table", "room", "mode", "link", "final_scores", "final_points", "places", "rules",
    "source",
)  # fmt: skip
"""Columns of games that a record without its head does not fill, and those of its file."""


def made(path, number=0, *, hints=False):
    """Give a shipped game of Tenhou as a Mahjong Soul record; None if it cannot be written as one."""
    try:
        return soul.record(mjlog_reader.read(read_text(path).encode()), number, hints=hints)
    except RefusedError:
        return None


@pytest.fixture(scope="module")
def games():
    """Give the shipped games that can be written as records: file and record."""
    found = [(path, made(path, number)) for number, path in enumerate((*LOGS, *LOGS_OF_THREE))]
    kept = [each for each in found if each[1]]
    assert len(kept) == len(found)
    return kept


@pytest.fixture(scope="module")
def shown():
    """Give the shipped records, which say what players are shown and offered, by name."""
    return soul_fixtures.records()


@pytest.fixture(scope="module")
def pair(shown):
    """Give one record of four players and one of three."""
    return {4: shown["liable"], 3: shown["three"]}


def read(data, name="game"):
    """Read a file."""
    found = source(data, name)
    assert reader_of(found) is mahjong_soul.READER
    return mahjong_soul.READER.read([found], RULES)


def same(one, other, *, head):
    """Assert that two logs have the same tables."""
    for table in TABLES:
        assert getattr(one, table).equals(getattr(other, table)), table
    left_out = {"source", "within", *(() if head else HEAD)}
    assert one.games.drop(left_out).equals(other.games.drop(left_out))


@pytest.mark.parametrize("players", [4, 3])
@pytest.mark.parametrize("name", [*WHOLE, *BARE])
def test_every_rendering_gives_the_same_tables(pair, name, players):
    """A record in another rendering is the same game."""
    first = read(WHOLE["JSON"](pair[players]))
    assert not len(first.problems)
    assert len(first.hints)
    assert len(first.offers)
    same(first, read({**WHOLE, **BARE}[name](pair[players])), head=name in WHOLE)


def test_a_line_of_an_archive_is_a_game(pair):
    """Games one a line, in several renderings, are the games."""
    lines = [json.dumps(pair[4]).encode(), WHOLE["message in hex"](pair[3]).strip(), WHOLE["head and base64"](pair[3])]
    log = read(b"\n".join(lines))
    assert log.games["players"].to_list() == [4, 3, 3]
    assert log.games["within"].to_list() == ["1", "2", "3"]
    assert not len(log.problems)
    alone = read(lines[0])
    assert log.events.filter(pl.col("round") < len(alone.rounds)).equals(alone.events)
    listed = read(b"[" + b",".join([lines[0], lines[2]]) + b"]")
    assert listed.games["players"].to_list() == [4, 3]


def test_the_tables_are_those_of_the_other_format(games):
    """A game of Tenhou and the record made of it have the same play, wins and draws."""
    for path, record in games:
        other = mjlog.READER.read([log_files.read(path)], RULES)
        log = read(json.dumps(record).encode())
        plays = [
            each.events.filter(~pl.col("kind").is_in(["leave", "return"])).select(
                "round", "kind", "seat", pl.col("tile_id").map_elements(lambda tile: int(KIND[tile]), pl.Int64)
            ).filter(pl.col("kind") != "dora")
            for each in (other, log)
        ]  # fmt: skip
        assert plays[0].equals(plays[1])
        claims = ["round", "reason", "winner", "payer", pl.col("fu").fill_null(0), "points", "limit", "deltas"]
        assert log.claims.select(claims).equals(other.claims.select(claims))
        assert log.rounds.select("wind", "dealer", "honba", "sticks", "start").equals(
            other.rounds.select("wind", "dealer", "honba", "sticks", "start")
        )


def test_games_without_a_finding(games):
    """The records made of clean games have no findings, and every tile of their walls is compared."""
    files = [source(json.dumps(record).encode(), f"{number}.json") for number, (_, record) in enumerate(games)]
    report = audited_whole(files, options=TENHOU)
    assert report.tables["findings"].select("code", "source", "message").rows() == []
    assert report.tables["games"]["rounds"].sum() == sum(
        name.endswith("NewRound") for _, record in games for name, _ in records(record)
    )


def test_the_shipped_records_are_those_of_the_converter(shown):
    """The shipped files are what the converter writes, and have no finding."""
    for name, data in soul_fixtures.files(shown).items():
        assert (soul_fixtures.FOLDER / name).read_bytes() == data
    report = audited_whole([log_files.read(path) for path in sorted(soul_fixtures.FOLDER.iterdir())], options=TENHOU)
    assert report.tables["findings"].rows() == []
    assert sorted(report.tables["games"]["players"]) == [3, 4, 4, 4]
    assert compared(report, *SHOWN) == stated(shown.values())


SHOWN = ("O101", "O102", "O103", "O104", "O105", "O106", "O107")


def compared(report, *codes):
    """Give the number of rows that each check compared."""
    return {code: (each := tally(report, code)).looked - each.not_checkable for code in codes}


def stated(listed):
    """Count in records what each check must compare: waits, records with marks, offers, tiles left, sticks."""
    waits = marks = offers = left = sticks = besides = 0
    for record in listed:
        for name, data in records(record):
            waits += name.endswith("DiscardTile") + sum("tings" in each for each in data.get("players", []))
            marks += "zhenting" in data
            left += name.endswith(("DealTile", "NewRound"))
            sticks += 2 * ("liqi" in data)
            lists = [*data.get("operations", []), *([data["operation"]] if "operation" in data else [])]
            offers += sum(len(each["operation_list"]) for each in lists)
            # Of each win four values, and a score of each seat.
            besides += 4 * len(data.get("hules", [])) + (len(data["scores"]) if name.endswith("Hule") else 0)
    return {"O101": waits, "O102": marks, "O103": offers, "O104": offers, "O105": left, "O106": sticks, "O107": besides}


@pytest.mark.long
def test_what_players_are_shown_in_every_shipped_game():
    """Waits, marks and offers of all shipped games, made by plain loops, are what the auditor computes.

    Not judged: offers of a tile that aborts the round or of kans after the fourth, waits in a game that shows none.
    """
    made_of = [made(path, number, hints=True) for number, path in enumerate((*LOGS, *LOGS_OF_THREE))]
    files = [source(json.dumps(record).encode(), f"{number}.json") for number, record in enumerate(made_of)]
    report = audited_whole(files, options=TENHOU)
    assert report.tables["findings"].select("code", "source", "message").rows() == []
    due = stated(made_of)
    found = compared(report, *SHOWN)
    assert {code: due[code] - found[code] for code in SHOWN} == dict.fromkeys(SHOWN, 0) | {
        "O101": 1,
        "O103": 11,
        "O104": 11,
    }
    assert due["O103"] > 10_000


def test_real_records(shared):
    """Real records of six renderings are read without a problem or finding; two of them are the same game."""
    files = [log_files.read(path) for path in sorted((shared / "corpus" / "majsoul").rglob("*.*")) if path.is_file()]
    assert len(files) == 6
    assert all(reader_of(each) is mahjong_soul.READER for each in files)
    report = audited_whole(files, options=Options(RULES))
    # The same game twice is found when the dataset is complete (L005), and nothing else.
    assert report.tables["findings"]["code"].to_list() == ["L005"]
    # What the records claim, and how many of these claims the auditor has compared: all of them.
    counts = {
        "O101": 2492, "O102": 4969, "O103": 3155, "O104": 3155, "O105": 2412, "O106": 92, "O107": 371, "W104": 52,
        "W105": 52, "W106": 52, "W107": 52, "W108": 52, "W111": 52, "W113": 52, "P101": 52, "S107": 54, "G106": 5,
        "G107": 5, "X102": 7, "X103": 7,
    }  # fmt: skip
    assert compared(report, *counts) == counts
    assert all(tally(report, code).not_checkable == 0 for code in counts)
    ids = dict(zip(report.tables["games"]["source"], report.tables["games"]["game_id"], strict=True))
    twins = [each for name, each in ids.items() if "3Dnnkr" in name]
    assert (len(twins), len(set(twins)), len(set(ids.values()))) == (2, 1, 5)
    log = mahjong_soul.READER.read(files, RULES)
    assert (len(log.rounds), log.claims["winner"].is_not_null().sum()) == (54, 52)
    one, other = (read(each.data) for each in files if "3Dnnkr" in each.name)
    same(one, other, head=True)


@pytest.mark.long
def test_a_real_record_in_every_rendering(shared):
    """A real record that is rewritten into each other rendering gives the same tables."""
    path = next((shared / "corpus" / "majsoul").rglob("paifu.json"))
    record = json.loads(path.read_text("utf-8"))
    for action in record["data"]["data"]["actions"]:
        for key in ("user_event", "game_event"):
            if action.pop(key, None) is not None:
                action["user_input"] = {}
    first = read(path.read_bytes())
    for account in record["head"]["accounts"]:  # parts that the schema keeps as bytes
        del account["character"]
        account.pop("views", None)
    for name, write in (WHOLE | BARE).items():
        same(first, read(write(record)), head=name in WHOLE)


def test_numbers_of_fields_are_those_of_the_protobuf_package(pair):
    """What the columns decode is what protobuf decodes from the same bytes."""
    data = WHOLE["answer"](pair[4])
    parsed = classes()["ResGameRecord"].FromString(data)
    inner = classes()["Wrapper"].FromString(parsed.data)
    listed = classes()["GameDetailRecords"].FromString(inner.data)
    tiles = []
    for action in listed.actions:
        wrapped = classes()["Wrapper"].FromString(action.result)
        if wrapped.name == ".lq.RecordDiscardTile":
            tiles.append(classes()["RecordDiscardTile"].FromString(wrapped.data).tile)
    log = read(data)
    discards = log.events.filter(pl.col("kind") == "discard")["tile_id"]
    assert [int(KIND[each]) for each in discards] == [
        "mpsz".index(tile[1]) * 9 + (int(tile[0]) or 5) - 1 for tile in tiles
    ]


def changed(record, name, **values):
    """Give a record with values of the first message of a name changed."""
    copy = json.loads(json.dumps(record))
    content = next(data for each, data in records(copy) if each.endswith(name))
    content |= values
    return copy


def test_an_unknown_field_is_reported_once_and_passed_over(pair):
    """A field that no schema has costs nothing."""
    log = read(json.dumps(changed(pair[4], "DiscardTile", shiny_new=3)).encode())
    assert log.problems.select("code", "recorded").rows() == [("L003", "field RecordDiscardTile.shiny_new")]
    assert log.events.equals(read(json.dumps(pair[4]).encode()).events)


def test_an_unknown_record_is_reported_and_passed_over(pair):
    """A message that no schema has costs nothing but itself."""
    copy = json.loads(json.dumps(pair[4]))
    copy["data"]["data"]["actions"].insert(9, {"type": 1, "result": {"name": ".lq.RecordNovelty", "data": {"x": 1}}})
    log = read(json.dumps(copy).encode())
    assert log.problems.select("code", "recorded").rows() == [("L003", "record RecordNovelty")]
    events = read(json.dumps(pair[4]).encode()).events
    assert log.events.drop("event").equals(events.drop("event"))


@pytest.mark.parametrize("name", ["RecordHuleXueZhanMid", "RecordChangeTile"])
def test_an_event_mode_is_no_riichi(pair, name):
    """A record of an event mode is L007 with the mode's name, and nothing else of it is read."""
    copy = json.loads(json.dumps(pair[4]))
    copy["data"]["data"]["actions"].insert(9, {"type": 1, "result": {"name": f".lq.{name}", "data": {}}})
    log = read(json.dumps(copy).encode())
    ((code, recorded),) = log.problems.select("code", "recorded").rows()
    assert (code, name in recorded) == ("L007", True)
    assert not len(log.events)


def test_an_event_mode_of_the_rules(pair):
    """A rule object that switches an event mode on makes the game no riichi."""
    copy = json.loads(json.dumps(pair[4]))
    copy["head"]["config"]["mode"]["detail_rule"]["chuanma"] = 1
    assert read(json.dumps(copy).encode()).problems["code"].to_list() == ["L007"]


def test_bytes_that_break_off(games):
    """Of a record that is cut, everything before the cut is read, and the cut is reported."""
    data = BARE["list"](max((record for _, record in games), key=lambda record: len(records(record))))
    whole = read(data)
    log = read(data[: len(data) // 2])
    assert set(log.problems["code"]) == {"L002"}
    count = len(log.events)
    assert 100 < count < len(whole.events)
    assert log.events["kind"].equals(whole.events["kind"].head(count))


def test_a_head_without_records():
    """An answer that only says where the records lie is reported."""
    head = classes()["RecordGame"](uuid="230101-00000000-0000-4000-8000-000000000000")
    data = classes()["ResGameRecord"](head=head, data_url="https://x/y").SerializeToString()
    log = read(websocket(data))
    assert log.problems["code"].to_list() == ["L002"]
