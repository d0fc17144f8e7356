"""Games written in another format and read again are the same games, in all that the format can say."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import product

import polars as pl
import pytest

from auditor.audit.audit_batch import Options, audit
from auditor.base.choices import Written
from auditor.cli.rule_option import load
from auditor.convert import completed
from auditor.log.tile_ids import KIND, PHYSICAL, RED
from auditor.readers import READERS, WRITERS
from auditor.readers.written.game import UnwritableError, games
from auditor.sources import log_files
from auditor.sources.log_files import Source
from engine.rules.parameters import PARAMETERS
from engine.rules.rule_sets import differences, preset, preset_names
from tests.kit.audits import FIXTURES, LOGS_OF_THREE
from tests.kit.audits import LOGS as LOGS_OF_FOUR
from tests.kit.command_line import auditor

READER = {
    "mjai": "mjai",
    "tenhou-json": "tenhou_json",
    "mjlog": "mjlog",
    "paipu": "majiang",
    "mahjong-soul": "mahjong_soul",
}
MORE = {
    "mjlog": ("fu", "points", "ura", "honba", "sticks", "before"),
    "paipu": ("points", "ura"),
    "tenhou-json": (),
    "mjai": ("fu", "points", "ura"),
    "mahjong-soul": ("fu", "points", "ura"),
}
"""Columns of results that a format states beside those that every format states."""


ONE_NAME = {40, 41, 45, 46, 47, 48}
"""Yakuman of which mjai does not say whether they are the dearer form."""


def tile(tile_id, reds):
    """Give the kind of a tile, and whether it is a red five."""
    if tile_id is None:
        return None
    return int(KIND[tile_id]), bool(RED[tile_id]) and (reds or tile_id >= PHYSICAL)


def told(log, more):
    """Give what every format states about each game, without the numbers of copies and of events."""
    found = []
    for game in games(log):
        reds = game.has_red_fives
        rounds = []
        for played in game.rounds:
            start = {name: played.row[name] for name in ("nth", "wind", "dealer", "honba", "sticks", "start")}
            play = [
                (each.kind, each.seat, each.source, *sorted(tile(one, reds) for one in each.tiles or (each.tile,)))
                for each in played.events
                if each.kind not in {"dora", "deposit", "leave", "return", "riichi", "result"}
            ]
            riichi = [(each.kind, each.seat) for each in played.events if each.kind in {"riichi", "deposit"}]
            results = []
            for each in played.results:
                claim = each.claim
                yaku = {number: han for number, han in zip(claim["yaku"] or (), claim["han"] or (), strict=True) if han}
                stated = {name: claim[name] for name in ("reason", "winner", "payer", "liable", "deltas", *more)}
                if claim["yakuman"]:  # not every platform states the fu of a yakuman, or the points of several
                    stated |= {"fu": None, "points": None}
                if "ura" in stated:
                    stated["ura"] = [tile(one, reds) for one in claim["ura"] or ()]
                drawn = claim["reason"] in {"exhaustive", "nagashi"}
                shown = None if each.untold else sorted(each.shown) if drawn else []
                results.append({**stated, "yaku": yaku, "yakuman": sorted(claim["yakuman"] or ()), "shown": shown})
                if more == MORE["mjai"] and ONE_NAME & set(claim["yakuman"] or ()):
                    results[-1]["yakuman"] = []
            dealt = [sorted(tile(one, reds) for one in hand) for hand in played.dealt]
            turned = [tile(each.tile, reds) for each in played.events if each.kind == "dora"]
            rounds.append((start, tile(played.row["dora"], reds), turned, dealt, play, sorted(riichi), results))
        found.append((game.players, game.row["names"], game.row["final_scores"], rounds))
    return found


def written(log, form):
    """Write each game of a log; give the texts as sources, and the games that were written."""
    sources, kept = [], []
    for number, game in enumerate(completed.games(log, WRITERS[form].needs)):
        try:
            text, _ = WRITERS[form].write(game)
        except UnwritableError:
            continue
        sources.append(Source(name=f"{game.row['source']}-{number}", data=text.encode()))
        kept.append(number)
    return sources, kept


def logs():
    """Give the shipped games, one log for each format that they stand in."""
    by_reader = {}
    others = [FIXTURES / "sources" / "majiang.jsonl.gz", *sorted((FIXTURES / "mahjong_soul").iterdir())]
    for path in [*LOGS_OF_FOUR, *LOGS_OF_THREE, *others]:
        source = log_files.read(path)
        reader = next(each for each in READERS if each.is_format(source.data))
        by_reader.setdefault(reader.name, (reader, []))[1].append(source)
    return {name: reader.read(sources, preset("tenhou")) for name, (reader, sources) in by_reader.items()}


LOGS = logs()


@pytest.mark.parametrize("form", [each.value for each in Written])
@pytest.mark.parametrize("origin", LOGS)
def test_a_game_survives_another_format(origin, form):
    """A shipped game, written in any format and read again, is the same game."""
    log = LOGS[origin]
    sources, kept = written(log, form)
    assert sources
    reader = next(each for each in READERS if each.name == READER[form])
    again = reader.read(sources, preset("tenhou"))
    # Tenhou's JSON lists the indicators of a round and states no times; 電脳麻将 has no fu for a yakuman.
    before, after = told(log, MORE[form]), told(again, MORE[form])
    for number, mine in zip(kept, after, strict=True):
        assert only_stated(mine, before[number]) == before[number]


FORMS = [each.value for each in Written]
SHORT = {("tenhou-json", "mjlog"), ("mjai", "tenhou-json"), ("mahjong-soul", "mjlog"), ("paipu", "mahjong-soul")}
"""Ways of the first log that are always tried; all others only in the long tests."""
WAYS = [
    pytest.param(*way, marks=[] if way[0] == "mjlog" and way[1:] in SHORT else pytest.mark.long)
    for way in product(LOGS, FORMS, FORMS)
]


@pytest.mark.parametrize(("origin", "between", "form"), WAYS)
def test_a_clean_game_is_clean_in_another_format(origin, between, form):
    """Whatever a log does not tell, the one that is written has no fault."""
    log = LOGS[origin]
    first, kept = written(log, between)
    reader = next(each for each in READERS if each.name == READER[between])
    sources, kept_too = written(reader.read(first, preset("tenhou")), form)
    findings = audit(sources, Options(preset("tenhou"))).tables["findings"]
    # How final points are rounded is a rule that not every format can say; the command names it.
    rounding = [log.rules[rules].final_points_rounding for rules in log.games["rules"]]
    rounded = [
        source.name
        for source, number in zip(sources, kept_too, strict=True)
        if rounding[kept[number]] != preset("tenhou").final_points_rounding
    ]
    findings = findings.filter(~(pl.col("source").is_in(rounded) & (pl.col("code") == "G107")))
    assert findings.select("code", "source", "round", "recorded", "expected").rows() == []


def only_stated(mine, before):
    """Leave out values of results that the first log does not state: some formats must have them."""
    for (*_, here), (*_, there) in zip(mine[3], before[3], strict=True):
        for one, other in zip(here, there, strict=True):
            one.update({name: None for name, value in other.items() if value is None})
            if one["shown"] is None:  # unpaid draws do not say in every format who was tenpai
                one["shown"] = other["shown"]
    return mine


def test_only_what_the_format_has_no_form_for_is_refused():
    """Three players cannot be written as a paipu; everything else can."""
    for log in LOGS.values():
        for form in (each.value for each in Written):
            _, kept = written(log, form)
            three = (log.games["players"] == 3).sum()
            assert len(kept) == len(log.games) - (three if form == "paipu" else 0)


def test_the_xml_of_tenhou_is_written_as_it_was():
    """A game in Tenhou's XML, written in the same format, has the same canonical tables."""
    log = LOGS["mjlog"]
    sources, _ = written(log, "mjlog")
    again = next(each for each in READERS if each.name == "mjlog").read(sources, preset("tenhou"))
    place = {"game_id", "source", "event", "pos", "start_time", "last_event", "last_pos", "row"}
    for table in TABLES:
        one, other = (getattr(each, table) for each in (log, again))
        columns = [name for name in one.columns if name not in place]
        if table == "games":
            columns.remove("rules")  # rules that depend on the date: the name of the new file has none
        assert one[columns].equals(other[columns]), table
    assert again.problems.is_empty()


def the_same(log, again):
    """Say whether records and what was written of them have the same tables, but for names of files."""
    for table in (*TABLES, "hints", "offers", "problems"):
        one, other = (getattr(each, table).drop("game_id", "source", "within", strict=False) for each in (log, again))
        assert one.equals(other), table
    assert log.rules == again.rules


TABLES = ("games", "rounds", "events", "melds", "deals", "deposits", "claims", "shows")


def test_records_of_mahjong_soul_are_written_as_they_were():
    """Records, written as records, have the same canonical tables, with all that players are shown and offered."""
    log = LOGS["mahjong_soul"]
    assert min(len(log.hints), len(log.offers)) > 100
    sources, _ = written(log, "mahjong-soul")
    the_same(log, next(each for each in READERS if each.name == "mahjong_soul").read(sources, preset("tenhou")))


def test_real_records_are_written_as_they_were(shared):
    """Real records in five renderings, of 2019 to 2023, of four and three players, have the same tables again."""
    paths = sorted(path for path in (shared / "corpus" / "majsoul").rglob("*") if path.is_file())
    reader = next(each for each in READERS if each.name == "mahjong_soul")
    log = reader.read([log_files.read(path) for path in paths], preset("tenhou"))
    assert len(log.rounds) == 54
    sources, _ = written(log, "mahjong-soul")
    the_same(log, reader.read(sources, preset("tenhou")))


def as_record(game):
    """Write a game as a record; give it with the rules of ``--rules`` and all the rules that the command names."""
    text, lacks = WRITERS["mahjong-soul"].write(game)
    said = "; ".join(each for each in lacks if each.startswith("rules "))
    option = re.search(r'--rules "([^"]+)"', said)
    return Source(name=f"{game.row['game']}", data=text.encode()), load(option[1] if option else "mahjong_soul"), said


@pytest.fixture(scope="module")
def one_of_each():
    """Give a game of four players and one of three."""
    log = LOGS["mjlog"]
    firsts = {players: log.games.filter(players=players)["game"][0] for players in (4, 3)}
    return {game.players: game for game in games(log) if game.row["game"] in firsts.values()}


@pytest.mark.parametrize("name", preset_names())
def test_the_rules_that_a_record_does_not_state_are_named(one_of_each, name):
    """Under the option that the command names, a record has the game's rules, but for those that it names."""
    game = replace(one_of_each[preset(name).players or 4], rules=preset(name))
    source, rules, said = as_record(game)
    read = next(each for each in READERS if each.name == "mahjong_soul").read([source], rules)
    differing = differences(read.rules[0], game.rules)
    sanma = {each for each in differing if PARAMETERS[each].sanma} if game.players == 4 else set()
    assert all(each in said for each in differing.keys() - sanma), differing


@pytest.mark.long
def test_records_of_games_under_many_rules_are_clean(shared):
    """500 games of self-play without findings have none as records, under the option that the command names."""
    source = log_files.read(shared / "selfplay" / "riichienv" / "4p-single-1.jsonl.gz")
    reader = next(each for each in READERS if each.is_format(source.data))
    by_rules = {}
    for game in completed.games(reader.read([source], preset("tenhou")), WRITERS["mahjong-soul"].needs):
        written_game, rules, _ = as_record(game)
        by_rules.setdefault(rules, []).append(written_game)
    assert sum(map(len, by_rules.values())) == 500
    assert len(by_rules) > 20
    for rules, sources in by_rules.items():
        assert audit(sources, Options(rules)).tables["findings"].select("code", "recorded", "expected").rows() == []


@pytest.mark.parametrize("form", [each.value for each in Written])
def test_a_tile_is_as_drawn_whoever_leaves_meanwhile(form):
    """A discard has the number of the tile just drawn: it is as drawn, also if somebody leaves in between."""
    text = (FIXTURES / "logs/tenhou/2009090310gm-0009-0000-0aee1fb1.mjlog").read_text()
    as_drawn = r"<([TUVW])(\d+)/>(<(?:REACH|DORA)[^>]*>)*(?=<[DEFG]\2/>)"
    count = len(re.findall(as_drawn, text))
    assert count > 50
    marks = []
    for each in (text, re.sub(as_drawn, r'\g<0><BYE who="3"/><UN n3="D"/>', text)):
        log = read("mjlog", each)
        again = next(one for one in READERS if one.name == READER[form]).read(written(log, form)[0], preset("tenhou"))
        marks.append(again.events.filter(kind="discard")["tsumogiri"].to_list())
    assert marks[0] == marks[1]
    assert form in {"mjlog", "mahjong-soul"} or sum(marks[1]) == count  # they mark none, or not the first of a round


def test_the_end_of_a_game_is_written_also_without_final_scores():
    """An mjai log may say only that the game is over (gimite/mjai: end_game); written as mjai, it says so again."""
    (source, *_), _ = written(LOGS["mjlog"], "mjai")
    *lines, end = source.data.decode().splitlines()
    assert json.loads(end)["type"] == "end_game"
    for last in (['{"type":"end_game"}'], []):
        (again,), _ = written(read("mjai", "".join(f"{line}\n" for line in [*lines, *last])), "mjai")
        assert again.data.decode().splitlines()[len(lines) :] == last


def read(name, text):
    """Read one text in a format."""
    reader = next(each for each in READERS if each.name == name)
    return reader.read([Source(name="x", data=text.encode())], preset("tenhou"))


@pytest.mark.parametrize("form", ["tenhou-json", "mjlog", "mahjong-soul"])
def test_a_game_with_hidden_tiles_is_refused(form):
    """A log as one player sees it has hands and draws without tiles, for which these formats have no form."""
    hidden = ["?"] * 13
    hand = ["1m", "2m", "3m", "E", "E", "E", "S", "S", "S", "W", "W", "W", "N"]
    start = {"type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0,
             "dora_marker": "8m", "scores": [25000] * 4, "tehais": [hand, hidden, hidden, hidden]}  # fmt: skip
    draws = [{"type": "tsumo", "actor": 0, "pai": "9s"},
             {"type": "dahai", "actor": 0, "pai": "9s", "tsumogiri": True},
             {"type": "tsumo", "actor": 1, "pai": "?"}]  # fmt: skip
    lines = [{"type": "start_game", "names": ["A", "B", "C", "D"]}, start, *draws]
    text = "".join(json.dumps(each) + "\n" for each in lines)
    assert written(read("mjai", text), form) == ([], [])


def test_the_command_writes_a_file_for_each_game(tmp_path):
    """``auditor convert`` names what it wrote, what it did not, and why."""
    folder = FIXTURES / "logs"
    code, out, _ = auditor("convert", folder, "--to", "paipu", "--out", tmp_path)
    assert f"{len(LOGS_OF_FOUR)} games written" in out
    assert "three players" in out
    assert len(list(tmp_path.iterdir())) == len(LOGS_OF_FOUR)
    assert code == 1


@pytest.mark.long
@pytest.mark.parametrize("form", [each.value for each in Written])
def test_hundreds_of_games_survive_another_format(shared, form):
    """Hundreds of games of self-play, under many rule sets, are the same games in every format that can say them."""
    path = next(iter(sorted((shared / "selfplay" / "majiang").glob("legacy-*.gz"))))
    source = log_files.read(path)
    log = next(each for each in READERS if each.name == "majiang").read([source], preset("tenhou"))
    sources, kept = written(log, form)
    again = next(each for each in READERS if each.name == READER[form]).read(sources, preset("tenhou"))
    before = told(log, MORE[form])
    different = [
        number
        for number, mine in zip(kept, told(again, MORE[form]), strict=True)
        if only_stated(mine, before[number]) != before[number]
    ]
    assert len(kept) > len(before) // 2  # Tenhou's XML cannot tell two red fives of a suit apart
    assert different == []
