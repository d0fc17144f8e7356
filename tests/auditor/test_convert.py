"""Games written in another format and read again are the same games, in all that the format can say."""

from __future__ import annotations

import polars as pl
import pytest

from auditor.audit.audit_batch import Options, audit
from auditor.base.choices import Written
from auditor.convert import completed
from auditor.log.tile_ids import KIND, PHYSICAL, RED
from auditor.readers import READERS, WRITERS
from auditor.readers.written.game import UnwritableError, games
from auditor.sources import log_files
from auditor.sources.log_files import Source
from engine.rules.rule_sets import preset
from tests.kit.audits import FIXTURES, LOGS_OF_THREE
from tests.kit.audits import LOGS as LOGS_OF_FOUR
from tests.kit.command_line import auditor

READER = {"mjai": "mjai", "tenhou-json": "tenhou_json", "mjlog": "mjlog", "paipu": "majiang"}
MORE = {
    "mjlog": ("fu", "points", "ura", "honba", "sticks", "before"),
    "paipu": ("points", "ura"),
    "tenhou-json": (),
    "mjai": ("fu", "points", "ura"),
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
    for path in [*LOGS_OF_FOUR, *LOGS_OF_THREE, FIXTURES / "sources" / "majiang.jsonl.gz"]:
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


@pytest.mark.parametrize("form", [each.value for each in Written])
@pytest.mark.parametrize("between", [each.value for each in Written])
@pytest.mark.parametrize("origin", LOGS)
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
    for table in ("games", "rounds", "events", "melds", "deals", "deposits", "claims", "shows"):
        one, other = (getattr(each, table) for each in (log, again))
        columns = [name for name in one.columns if name not in place]
        if table == "games":
            columns.remove("rules")  # rules that depend on the date: the name of the new file has none
        assert one[columns].equals(other[columns]), table
    assert again.problems.is_empty()


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
