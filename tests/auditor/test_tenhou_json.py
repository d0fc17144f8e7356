"""Tenhou's JSON against the same games in other formats, and every finding in the shared files with its cause."""

from __future__ import annotations

import json
import re
from functools import cache

import polars as pl
import pytest

from auditor.audit.audit_batch import audit
from auditor.readers import tenhou_json
from auditor.sources import log_files
from engine.rules.rule_sets import for_players, preset
from tests.kit.audits import FIXTURES, TENHOU, source
from tests.kit.conversion.tenhou_json import converted, files, shipped
from tests.kit.renamed_games import FIXTURES as FOUR
from tests.kit.renamed_games import FIXTURES_OF_THREE as THREE
from tests.kit.renamed_games import read_text

PLACES = ("game_id", "source", "within", "event", "pos")
UNSTATED = {
    "rounds": {"end_scores", "tenpai", "indicators_left"},
    "turns": set(),
    "riichis": set(),
    "wins": {"hand", "fu"},
    "games": {"table"},
}
"""Columns that Tenhou's XML states and its JSON does not, or not always."""
GAME_ID = re.compile(r"\d{10}gm-[0-9a-f]{4}-\d+-[0-9a-f]+")


def same_tables(xml, of_json):
    """Say which columns differ between the audits of the same games in two formats."""
    different = set()
    for name, columns in UNSTATED.items():
        left, right = xml[name], of_json[name]
        assert len(left) == len(right) > 0
        for column in set(left.columns) - set(PLACES) - columns:
            if not left[column].equals(right[column], null_equal=True):
                different.add((name, column))
    return different


@pytest.fixture(scope="module", params=[FOUR, THREE], ids=["four players", "three players"])
def both(request):
    """Audit the shipped games of four or of three players in XML and in JSON."""
    paths = sorted(request.param.iterdir())
    xml = [source(read_text(path).encode(), path.name.removesuffix(".gz")) for path in paths]
    of_json = [source(text.encode(), f"{name}.json") for name, text in shipped(request.param)]
    return audit(xml, TENHOU).tables, audit(of_json, TENHOU).tables


def test_our_games_are_the_same_in_both_formats(both):
    """Rounds, turns, riichi, wins and games are equal, and neither format has a finding."""
    xml, of_json = both
    assert same_tables(xml, of_json) == set()
    assert xml["findings"].is_empty()
    assert of_json["findings"].is_empty()


def test_what_only_xml_states(both):
    """The fu of a limit are not stated; who is tenpai is stated, except at a nagashi mangan."""
    xml, of_json = both
    fu = of_json["wins"]["fu"]
    assert (fu.is_null() | (fu == xml["wins"]["fu"])).all()
    assert of_json["wins"].filter(pl.col("limit") == 0)["fu"].null_count() == 0
    told = of_json["rounds"].filter(pl.col("result") != "nagashi")["tenpai"]
    assert told.equals(xml["rounds"].filter(pl.col("result") != "nagashi")["tenpai"], null_equal=True)


def test_shipped_files_are_those_of_the_converter():
    """``python -m scripts.make_tenhou_json_fixtures`` writes them."""
    written = {path.name: path.read_text() for path in (FIXTURES / "tenhou_json").iterdir()}
    assert written == files()


def test_shipped_files_have_no_findings():
    """A game as served, games in lines, and rounds as addresses."""
    report = audit([log_files.read(path) for path in sorted((FIXTURES / "tenhou_json").iterdir())], TENHOU)
    assert report.tables["findings"].is_empty()
    assert report.tables["sources"]["format"].to_list() == ["tenhou_json"] * 3
    assert sorted(report.tables["games"]["players"]) == [3, 3, 4, 4, 4, 4, 4]


@pytest.mark.parametrize(
    "text",
    [
        '{"log":[[[0,0,0],',
        '[{"title":["",""], "log" : [[',
        "https://tenhou.net/6/#json=%7B%22log%22%3A%5B%5B",
        '\ufeff{"log":[]}',
    ],
)
def test_format_is_told_by_its_rounds(text):
    """A list of rounds under ``log`` makes the format, in JSON or in an address."""
    assert tenhou_json.is_format(text.encode())


@pytest.mark.parametrize(
    "text", ["<mjloggm>", '{"log":{}}', '{"log":[[{"qipai":{}}]]}', '{"type":"start_game"}\n{"log":[]}', ""]
)
def test_other_formats_are_not_it(text):
    """XML, paipu and mjai are not taken for it."""
    assert not tenhou_json.is_format(text.encode()) or '"start_game"' in text


RULES = {
    "a Tenhou id": ({"ref": "2023010506gm-0009-0000-dd5caab4"}, "tenhou", {"game_length": 2, "open_tanyao": True}),
    "a Tenhou id of an East game": ({"ref": "2023010506gm-0001-0000-dd5caab4"}, "tenhou", {"game_length": 1}),
    "a Tenhou lobby": ({"ref": "2023010506gm-0009-1234-dd5caab4"}, "tenhou", {"uma": None, "game_length": None}),
    "a Mahjong Soul id": ({"ref": "220714-faa69c2d-8321-4748-b027-0"}, "mahjong_soul", {"kiriage_mangan": False}),
    "a Mahjong Soul room": ({"rule": {"disp": "玉の間南喰赤", "aka": 1}}, "mahjong_soul", {"game_length": 2}),
    "an English room": ({"rule": {"disp": "Jade Room East", "aka": 1}}, "mahjong_soul", {"game_length": 1}),
    "a private room": ({"rule": {"disp": "友人戦南喰赤", "aka": 1}}, "mahjong_soul", {"uma": None, "game_length": 2}),
    "reds by suit": ({"rule": {"disp": "", "aka51": 1, "aka52": 2, "aka53": 1}}, "unknown", {"red_fives": (1, 2, 1)}),
    "no reds": ({"rule": {"disp": "四南喰", "aka": 0}}, "unknown", {"red_fives": (0, 0, 0), "game_length": 2}),
    "Denno Mahjong": (
        {"rule": {"disp": "電脳麻将", "aka": 1}},
        "majiang",
        {"red_fives": (1, 1, 1), "game_length": None},
    ),
}


@pytest.mark.parametrize("what", RULES)
def test_rules_of_a_game(what):
    """The reference, the room and the red fives say where a game was played, and by which rules."""
    head, platform, expected = RULES[what]
    game = json.loads(dict(shipped())["2023010506gm-0009-0000-dd5caab4"])
    text = json.dumps({"name": game["name"], "log": game["log"]} | head)
    log = tenhou_json.READER.read([source(text.encode(), "log.json")], TENHOU.rules)
    rules = log.rules[log.games["rules"].item()]
    assert log.games["platform"].item() == platform
    assert {name: getattr(rules, name) for name in expected} == expected


def test_rules_of_three_players_in_a_room_of_mahjong_soul():
    """The preset of three players holds, without red fives of the characters, unless ``--rules`` names another."""
    game = json.loads(dict(shipped(THREE))["2020011623gm-00b9-0000-9fdcd96f"])
    head = {"name": game["name"], "rule": {"disp": "三玉の間南赤", "aka51": 0, "aka52": 1, "aka53": 1}}
    files = [source(json.dumps(head | {"log": game["log"]}).encode(), "log.json")]
    shown = {"red_fives": (0, 1, 1), "game_length": 2}
    for base, expected in (("tenhou", "mahjong_soul_sanma"), ("mleague", None)):
        log = tenhou_json.READER.read(files, preset(base))
        rules = for_players(preset(base), 3) if expected is None else preset(expected)
        assert log.rules == [rules.changed(**shown)]
        assert log.games["players"].item() == 3


# --- shared files ----------------------------------------------------------------------------------------


def pairs(shared):
    """List the real games that the corpus has in XML and in the server's JSON: both texts by id."""
    xml = {}
    for path in sorted((shared / "corpus" / "tenhou-mjlog-4p").rglob("*")):
        found = GAME_ID.search(path.name)
        if found and path.is_file():
            xml.setdefault(found[0], path)
    found = {}
    for path in sorted((shared / "corpus" / "tenhou-json-4p").rglob("*.json")):
        text = path.read_text()
        name = re.search(r'"ref": ?"([^"]+)"', text)
        if name and name[1] in xml:
            found.setdefault(name[1], (read_text(xml[name[1]]), text))
    return found


def plain(value):
    """Give a round as text, with sorted deals, and with the tiles of calls sorted: their order is free."""
    text = json.dumps([sorted(each) if place in (4, 7, 10, 13) else each for place, each in enumerate(value)])
    return re.sub(r'"[0-9]*[cpmkaf][0-9]+"', lambda call: "".join(sorted(re.findall(r"\d\d|[a-z]", call[0]))), text)


def test_real_games_are_the_same_in_both_formats(shared):
    """The converter of the tests writes what the server wrote, and both formats have the same tables."""
    games = pairs(shared)
    assert len(games) >= 7
    for name, (xml, text) in games.items():
        made, real = converted(xml, name), json.loads(text)
        assert [plain(each) for each in made["log"]] == [plain(each) for each in real["log"]]
        assert {key: made[key] for key in ("sc", "dan", "rate", "name")} == {
            key: real[key] for key in ("sc", "dan", "rate", "name")
        }
    tables = [
        audit([source(both[place].encode(), f"{name}.{ending}") for name, both in games.items()], TENHOU).tables
        for place, ending in enumerate(("mjlog", "json"))
    ]
    assert same_tables(*tables) == set()


def test_real_games_of_three_are_the_same_in_both_formats(shared):
    """Real games of three players, converted, have the same tables as in XML."""
    paths = [path for path in sorted((shared / "corpus" / "tenhou-mjlog-3p").rglob("*")) if path.is_file()]
    texts = {path.name: read_text(path) for path in paths}
    texts = {name: text for name, text in texts.items() if GAME_ID.search(name) and "owari" in text}
    xml = audit([source(text.encode(), name) for name, text in texts.items()], TENHOU).tables
    made = audit(
        [source(json.dumps(converted(text, name)).encode(), f"{name}.json") for name, text in texts.items()], TENHOU
    )
    assert len(xml["games"]) > 20
    assert same_tables(xml, made.tables) == set()


CORPUS = {
    ("yakuman-kazoe-17.json", "G107", 5): "made by hand: the points are of another uma",
    ("riichi_sengen_ron.1.3.1.json", "P104", 5): "the converter counts the stick of a riichi whose tile is won",
    ("riichi_sengen_ron.1.4.0.json", "P104", 5): "the converter counts the stick of a riichi whose tile is won",
    ("kokushi_peinuki.json", "P104", 3): "the converter leaves out the stick of a riichi although its tile is not won",
    ("tensoul_hanchan_with_noname.json", "W104", 5): "the winner's wind is North; the file says West",
}


def test_findings_in_the_corpus_are_explained(shared):
    """All files are read; the findings are those of CORPUS."""
    folders = ("tenhou-json-4p", "tenhou-json-3p", "synthetic/tenhou-json-4p")
    paths = [path for folder in folders for path in sorted((shared / "corpus" / folder).rglob("*")) if path.is_file()]
    tables = audit([log_files.read(path) for path in paths], TENHOU).tables
    assert tables["sources"]["format"].unique().to_list() == ["tenhou_json"]
    found = tables["findings"].select(pl.col("source").str.extract(r"([^/]+)$"), "code", "round").rows()
    assert len(tables["games"]) == len(paths) == 154
    assert sorted(found) == sorted(CORPUS)


@cache
def _lines(path):
    return [json.loads(line) for line in log_files.read(path).data.decode().split("\n") if line]


def five_as_chi(round_):
    """Say whether a round has a pon or kan of fives that is written as a chi: the converter's fault with two reds."""
    calls = [re.findall(r"\d\d", entry) for each in round_[5:16] for entry in each if str(entry).startswith("c")]
    return any(len({int(tile) % 10 if tile < "50" else 5 for tile in tiles}) == 1 for tiles in calls)


@pytest.mark.long
def test_findings_in_converted_games_are_explained(shared):
    """Findings in 737 games that tenhou-url-log wrote: its own faults, or those of the records of 電脳麻将."""
    converted_files = sorted((shared / "selfplay" / "tenhou_json").iterdir())
    games = {(path.name, number): line for path in converted_files for number, line in enumerate(_lines(path), 1)}
    ids = {line["id"] for line in games.values()}
    recorded = set()
    for path in converted_files:
        origin = shared / "selfplay" / "majiang" / path.name
        tables = audit([log_files.read(origin)], TENHOU).tables["findings"]
        lines = dict(enumerate(_lines(origin), 1))
        recorded |= {
            (lines[int(within)]["id"], code, nth)
            for within, code, nth in tables.select("within", "code", "round").iter_rows()
            if lines[int(within)]["id"] in ids
        }
    report = audit([log_files.read(path) for path in converted_files], TENHOU)
    assert len(report.tables["games"]) == len(games) == 737
    causes = {}
    for name, within, code, nth in report.tables["findings"].select("source", "within", "code", "round").iter_rows():
        line = games[name.rpartition("/")[2], int(within)]
        multiple = line["multi_ron_rounds"]
        if (line["id"], code, nth) in recorded:
            cause = "recorded so"
        elif nth in multiple or (nth - 1 in multiple and code[0] in "GP"):
            cause = "only the last win of several"
        elif five_as_chi(line["tenhou"]["log"][nth]):
            cause = "a call of fives as a chi"
        elif code == "W107" and (line["id"], "W108", nth) in recorded:
            cause = "recorded so"
        elif code == "W111":
            cause = "the liable seat is left out where it pays anyway"
        else:
            cause = "?"
        causes.setdefault(cause, set()).add(code)
    assert causes == {
        "recorded so": {"D103", "W107", "W108"},
        "only the last win of several": {"G101", "G104", "P102", "P103", "P104", "P105", "W107"},
        "a call of fives as a chi": {"C102", "C103", "L003", "L004"},
        "the liable seat is left out where it pays anyway": {"W111"},
    }
