"""Statistics: each compared with a slow count of the logs' own tags; intervals, splits, bounds, errors."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from pathlib import Path

import polars as pl
import pytest

from auditor.base.choices import By
from auditor.dataset.opened import opened
from auditor.dataset.schema import TABLES
from auditor.dataset.stats import OF_GAMES, STATISTICS, computed
from auditor.dataset.stats.players import COLUMNS
from tests.kit.audits import CHECKS, LOGS, files_below, read_all
from tests.kit.command_line import auditor
from tests.kit.plain import stats as plain_stats

FIGURES = ["measure", "numerator", "denominator", "value", "low", "high", "se", "games"]
SETTLED = (*plain_stats.PLACES, "top2")
"""The shares of places, which cannot be otherwise in whole games."""


@pytest.fixture(scope="module")
def tables(shipped_dataset):
    """Give the tables of the shipped games."""
    return opened(shipped_dataset)


@pytest.fixture(scope="module")
def facts():
    """Give all facts of the shipped games, counted slowly."""
    sources = read_all(LOGS)[0]
    return [fact for path, each in zip(LOGS, sources, strict=True) for fact in plain_stats.facts(path, each.data)]


def assert_counted(rows, statistic, facts, *group):
    """Compare a statistic's rows, split by some columns, with the slow count of the facts."""
    facts = [fact for fact in facts if fact[1] == statistic.name]
    expected = plain_stats.totals(facts, *group)
    expected = {place[1:]: pair for place, pair in expected.items() if place[0] == statistic.name}
    found = {
        (tuple(row[each] for each in group), row[statistic.key] if statistic.key else None, row["measure"]): (
            row["numerator"], row["denominator"],
        )
        for row in rows
    }  # fmt: skip
    assert len(found) == len(rows)
    # A group without any row of a kind (a player who never won) has no figure, or nothing over nothing.
    for pairs in (found, expected):
        for place in [place for place, pair in pairs.items() if not pair[1]]:
            # A player who was never fourth has no stable dan, but a numerator.
            assert not pairs.pop(place)[0] or place[2] == "stable_dan"
    assert found.keys() == expected.keys()
    for place, pair in expected.items():
        assert found[place] == pytest.approx(pair), place
    assert_errors(rows, statistic, facts, *group)


def assert_errors(rows, statistic, facts, *group):
    """Compare the standard errors of a statistic's means with those of the values counted slowly; rates have none."""
    means = {measure.name for measure in statistic.measures if not measure.rate and not measure.largest}
    expected = plain_stats.errors(facts, *group)
    for row in rows:
        key = row[statistic.key] if statistic.key else None
        place = statistic.name, tuple(row[each] for each in group), key, row["measure"]
        settled = statistic.name == "placement" and "player" not in group and "seat" not in group
        if row["measure"] not in means or settled or not row["denominator"]:
            assert row["se"] is None
        else:
            assert (row["se"] is None) == (expected[place] is None), place
            assert row["se"] is None or row["se"] == pytest.approx(expected[place], rel=1e-6, abs=1e-9), place


SHORT = {None, By.player, By.dealer}
"""Splits that are always tried; the others only in the long tests. By rules the count of the logs cannot split."""


@pytest.mark.parametrize(
    ("name", "by"),
    [
        pytest.param(name, by, marks=[] if by in SHORT else pytest.mark.long)
        for name, statistic in STATISTICS.items()
        for by in (None, *statistic.splits)
        if name != "mismatches" and by != By.rules
    ],
)
def test_statistic_is_the_slow_count(tables, facts, name, by):
    """For every group and key, each figure's numerator and denominator are those of a count of the logs."""
    statistic = STATISTICS[name]
    rows = computed(tables, name, by).to_dicts()
    assert_counted(rows, statistic, facts, *([by] if by else []))
    if by is None:
        assert {row["measure"] for row in rows} == {measure.name for measure in statistic.measures}
        assert all(row["games"] == len(LOGS) for row in rows)


@pytest.mark.parametrize(
    "name", ["rates", *(pytest.param(name, marks=pytest.mark.long) for name in STATISTICS if name != "rates")]
)
def test_splits_add_up(tables, name):
    """Numerators of the groups sum to the whole in every split, and the columns are always the same."""
    statistic = STATISTICS[name]
    key = [statistic.key] if statistic.key else []
    whole = computed(tables, name)
    assert whole.columns == [*key, *FIGURES]
    for by in statistic.splits:
        parts = computed(tables, name, by)
        assert parts.columns == [by.value, *key, *FIGURES]
        sums = Counter()
        for row in parts.to_dicts():
            place = tuple(row[each] for each in [*key, "measure"])
            largest = row["measure"] == "longest"
            sums[place] = max(sums[place], row["numerator"]) if largest else sums[place] + row["numerator"]
        expected = {tuple(row[each] for each in [*key, "measure"]): row["numerator"] for row in whole.to_dicts()}
        assert dict(sums) == pytest.approx(expected)


def wilson(count, among):
    """Bound a rate by solving (p - share)² = z² p (1 - p) / n for p."""
    z, share = 1.959963984540054, count / among
    a, b, c = 1 + z**2 / among, -(2 * share + z**2 / among), share**2
    root = (b**2 - 4 * a * c) ** 0.5
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


@pytest.mark.parametrize("name", STATISTICS)
def test_values_and_intervals(tables, name):
    """A value is numerator over denominator; a rate has its Wilson interval, a mean has none."""
    rates = {measure.name: measure.rate for measure in STATISTICS[name].measures}
    for row in computed(tables, name, STATISTICS[name].splits[-1]).iter_rows(named=True):
        if row["denominator"] == 0:
            assert row["value"] is None
            continue
        among = 1 if row["measure"] == "longest" else row["denominator"]
        assert row["value"] == pytest.approx(row["numerator"] / among)
        if not rates[row["measure"]] or (name == "placement" and row["measure"] in SETTLED):
            assert (row["low"], row["high"]) == (None, None)
            continue
        among = row["denominator"] / (4 if (name, row["measure"]) == ("draws", "exhaustive") else 1)
        low, high = wilson(row["value"] * among, among)
        assert (row["low"], row["high"]) == (pytest.approx(low, abs=1e-12), pytest.approx(high, abs=1e-12))


@pytest.mark.parametrize("by", [None, *STATISTICS["placement"].splits])
def test_places_of_whole_games_are_certain(tables, by):
    """One of four seats ends in each place, so there is no interval, unless the figure is for some seats only."""
    whole = by in (None, *OF_GAMES)
    rows = [row for row in computed(tables, "placement", by).to_dicts() if row["measure"] in plain_stats.PLACES]
    assert rows
    for row in rows:
        assert (row["low"] is None) == whole == (row["high"] is None)
        assert not whole or row["value"] == 0.25


def test_wilson_known():
    """Published: 10 of 20 gives 0.299 to 0.701 (Newcombe 1998 has 81 of 263: 0.2553 to 0.3662)."""
    assert wilson(81, 263) == (pytest.approx(0.2553, abs=1e-4), pytest.approx(0.3662, abs=1e-4))


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    """Give the dataset of all checks' fixtures: findings of every code, two platforms, bad files."""
    out = tmp_path_factory.mktemp("faulty") / "out"
    assert auditor("run", CHECKS, "--out", out)[0] == 1
    return out


@pytest.mark.parametrize("by", [None, *OF_GAMES])
def test_mismatches(faulty, by):
    """The games and rounds with findings of a code, over all in the group, are those counted from the rows."""
    games = {}
    for row in pl.read_parquet(f"{faulty}/games/*.parquet").to_dicts():
        month = row["start_time"] and f"{row['start_time']:%Y-%m}"
        as_json = "mahjong_soul" if row["platform"] == "mahjong_soul" else "majiang"
        kind = {".mjlog": "mjlog", ".json": as_json}[Path(row["source"]).suffix]
        games.setdefault(row["game_id"], row | {"rules": row["rule_set"], "month": month, "client": kind})
    split = ["players", *([by.value] if by and by is not By.players else [])]  # fixtures are of three and of four
    group = {game_id: tuple(row[each] for each in split) for game_id, row in games.items()}
    ended = {(row["game_id"], row["round"]) for row in pl.read_parquet(f"{faulty}/rounds/*.parquet").to_dicts()
             if row["result"] is not None}  # fmt: skip
    rounds, all_games = Counter(group[game_id] for game_id, _ in ended), Counter(group.values())
    affected, of_rounds = {}, {}
    for row in pl.read_parquet(f"{faulty}/findings/*.parquet").to_dicts():
        if row["game_id"] is None:
            continue
        place = group[row["game_id"]], row["code"]
        affected.setdefault(place, set()).add(row["game_id"])
        if (row["game_id"], row["round"]) in ended:
            of_rounds.setdefault(place, Counter())[row["game_id"], row["round"], row["source"], row["within"]] += 1
    expected = {}
    for (of, code), ids in affected.items():
        counts = {}
        for (game_id, round_, *_), count in of_rounds.get((of, code), {}).items():
            counts[game_id, round_] = max(count, counts.get((game_id, round_), 0))
        expected[of, code, "games"] = (len(ids), all_games[of])
        expected[of, code, "rounds"] = (len(counts), rounds[of])
        expected[of, code, "per_round"] = (sum(counts.values()), rounds[of])
    found = {
        (tuple(row[each] for each in split), row["code"], row["measure"]): (row["numerator"], row["denominator"])
        for row in computed(opened(faulty), "mismatches", by).to_dicts()
    }
    assert found == expected
    assert len({code for _, code, _ in found}) > 60


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """Give games of all sorts: faulty, unsupported, truncated, with a yaku listed twice, copied; and another file."""
    folder = tmp_path_factory.mktemp("mixed")
    logs = folder / "logs"
    shutil.copytree(CHECKS, logs / "checks")
    for name in ("w106_fu", "l007_unsupported_variant", "r106_declared_twice", "l002_truncated"):
        shutil.copytree(CHECKS / name, logs / "again" / name)
    for path in LOGS[:4]:
        shutil.copy(path, logs / path.name)
        shutil.copy(path, logs / f"again-{path.name}")
    win = (CHECKS / "w106_fu" / "pass.mjlog").read_text("utf-8")
    assert 'yaku="7,1,8,1"' in win
    (logs / "twice.mjlog").write_text(win.replace('yaku="7,1,8,1"', 'yaku="7,1,8,1,8,1"'), "utf-8")
    agari = re.search(r"<AGARI[^>]*/>", win)[0]
    (logs / "won-twice.mjlog").write_text(win.replace(agari, agari * 2), "utf-8")
    (logs / "none").write_bytes(b"no log")
    assert auditor("run", logs, "--out", folder / "out")[0] == 1
    return opened(folder / "out")


@pytest.mark.parametrize("name", STATISTICS)
def test_numerators_are_part_of_denominators(mixed, name):
    """In every split, numerators are part of their denominators, and groups sum to the whole."""
    statistic = STATISTICS[name]
    rates = {measure.name for measure in statistic.measures if measure.rate}
    key = ["players", *([statistic.key] if statistic.key else [])]
    whole = {tuple(row[each] for each in [*key, "measure"]): row for row in computed(mixed, name).to_dicts()}
    for by in (None, *statistic.splits):
        numerators, denominators = Counter(), Counter()
        for row in computed(mixed, name, by).to_dicts():
            place = tuple(row[each] for each in [*key, "measure"])
            more = numerators[place] + row["numerator"]
            numerators[place] = max(numerators[place], row["numerator"]) if row["measure"] == "longest" else more
            denominators[place] += row["denominator"]
            assert None not in (row["numerator"], row["denominator"], row["games"])
            if row["measure"] in rates:
                assert 0 <= row["numerator"] <= row["denominator"], (by, row)
                assert row["value"] is None or 0 <= row["value"] <= 1
                if row["low"] is not None:
                    assert 0 <= row["low"] <= row["value"] <= row["high"] <= 1
        assert numerators == pytest.approx({place: row["numerator"] for place, row in whole.items()}), by
        if statistic.whole is None:
            assert dict(denominators) == {place: row["denominator"] for place, row in whole.items()}, by


def test_which_games_count(tmp_path):
    """Seven games, two of them of three players and cut before their first deal, an empty file, a copy: by hand."""
    folder = tmp_path / "logs"
    folder.mkdir()
    for path in LOGS[:5]:
        shutil.copy(path, folder / path.name)
    shutil.copy(LOGS[0], folder / "copy.mjlog")
    head = (CHECKS / "w106_fu" / "pass.mjlog").read_text("utf-8").partition("<INIT")[0]
    three = re.sub(r'type="\d+"', 'type="17"', head) + "</mjloggm>"
    (folder / "2020010100gm-0011-0000-00000001.mjlog").write_text(three, "utf-8")
    (folder / "2020010100gm-0011-0000-00000002.mjlog").write_text(three.replace('n0="', 'n0="x'), "utf-8")
    (folder / "none").write_bytes(b"no log")
    auditor("run", folder, "--out", tmp_path / "out")
    tables = opened(tmp_path / "out")
    rounds = sum(each.data.count(b"<INIT") for each in read_all(LOGS[:5])[0])
    found = {(row["players"], row["code"], row["measure"]): row for row in computed(tables, "mismatches").to_dicts()}
    expected = {
        (4, "L005", "games"): (1, 5), (4, "L005", "rounds"): (0, rounds), (4, "L005", "per_round"): (0, rounds),
        (3, "L002", "games"): (2, 2), (3, "L002", "rounds"): (0, 0), (3, "L002", "per_round"): (0, 0),
    }  # fmt: skip
    assert {place: (row["numerator"], row["denominator"]) for place, row in found.items()} == expected
    (month,) = [row for row in computed(tables, "mismatches", By.month).to_dicts()
                if (row["month"], row["code"], row["measure"]) == ("2020-01", "L002", "games")]  # fmt: skip
    assert (month["numerator"], month["denominator"], month["games"]) == (2, 2, 2)
    for name, games in (("mismatches", {(4, 5), (3, 2)}), ("placement", {(4, 5)}), ("rates", {(4, 5)})):
        assert set(computed(tables, name).select("players", "games").rows()) == games, name


def test_a_yaku_listed_twice_is_one(mixed):
    """A win of two lists tanyao twice (W104): both have it once."""
    (row,) = [row for row in computed(mixed, "yaku", By.source).to_dicts()
              if row["source"].endswith("/twice.mjlog") and row["yaku"] == "tanyao"]  # fmt: skip
    assert (row["numerator"], row["denominator"]) == (1, 1)


@pytest.fixture(scope="module")
def of_both(shared, facts, tmp_path_factory):
    """Give the tables of the shipped games and of ten real ones of three players, and all their facts."""
    three = files_below(shared / "corpus" / "tenhou-mjlog-3p" / "Agony5757+mahjong")[::7]
    out = tmp_path_factory.mktemp("both") / "out"
    assert auditor("run", *LOGS, *three, "--out", out)[0] < 2
    return opened(out), facts + [fact for path in three for fact in plain_stats.facts(path, path.read_bytes())]


def test_rows_say_how_many_play(of_both):
    """A row of a round, turn, riichi or win has the number of players of its game, which real logs of both have."""
    tables, every = of_both
    expected = {split["source"]: split["players"] for split, *_ in every}
    for name in ("games", "rounds", "hands", "turns", "riichis", "wins"):
        found = tables[name].select("source", "players").unique().collect()
        assert set(found.rows()) <= expected.items(), name
        assert set(found["players"]) == {3, 4}, name


@pytest.mark.parametrize(
    ("name", "by"),
    [(name, by) for name, each in STATISTICS.items() for by in (None, *each.splits)
     if name != "mismatches" and by is not By.rules],
)  # fmt: skip
def test_real_games_of_three_and_four(of_both, name, by):
    """Of a dataset of both, each half is the slow count of its own games, in every split but that by rules."""
    tables, every = of_both
    group = ["players", *([by.value] if by and by is not By.players else [])]
    rows = computed(tables, name, by).to_dicts()
    assert {row["players"] for row in rows} == {3, 4}
    assert_counted(rows, STATISTICS[name], every, *group)


def test_a_game_that_is_there_twice_counts_once(shipped_dataset, tmp_path):
    """The same game in two files, or audited again into the same folder, changes no statistic."""
    shutil.copytree(shipped_dataset, tmp_path / "out")
    (tmp_path / "logs").mkdir()
    for path in LOGS[:3]:
        shutil.copy(path, tmp_path / "logs" / f"again-{path.name}")
    auditor("run", tmp_path / "logs", "--out", tmp_path / "out")
    once, twice = opened(shipped_dataset), opened(tmp_path / "out")
    assert twice["games"].collect().height == len(LOGS) + 3
    for name in STATISTICS:
        if name != "mismatches":
            assert computed(twice, name, By.platform).equals(computed(once, name, By.platform)), name


def test_min_games(shipped_dataset):
    """Groups with fewer games are left out; the others do not change."""
    command = ("stats", shipped_dataset, "rates", "--by", "player", "--format", "json")
    every = json.loads(auditor(*command)[1])
    some = json.loads(auditor(*command, "--min-games", "2")[1])
    assert some == [row for row in every if row["games"] >= 2]
    assert 0 < len(some) < len(every)


def test_list_states_every_figure():
    """Each statistic, measure and split is listed, and each measure states its numerator and denominator."""
    code, text, _ = auditor("stats", "--list")
    assert code == 0
    for statistic in STATISTICS.values():
        assert statistic.doc in text
        for measure in statistic.measures:
            assert len(measure.says.split(" / ")) == 2


def test_forms(shipped_dataset, tmp_path):
    """Table, CSV and Parquet have the same figures."""
    code, text, _ = auditor("stats", shipped_dataset, "yaku", "--format", "csv")
    auditor("stats", shipped_dataset, "yaku", "--format", "parquet", "--out", tmp_path / "yaku")
    assert code == 0
    assert text == pl.read_parquet(tmp_path / "yaku").write_csv()
    table = auditor("stats", shipped_dataset, "yaku")[1].splitlines()
    assert table[0].split() == ["yaku", *FIGURES]
    assert len(table) == len(text.splitlines())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["DIR", "nothing"], "rates"),
        (["DIR", "rtes"], "the nearest is rates"),
        (["DIR", "Tenpai"], "the nearest is tenpai"),
        (["DIR"], "--list"),
        ([], "--list"),
        (["DIR", "results", "--by", "seat"], "platform"),
        (["DIR", "rates", "--by", "moon"], "moon"),
        (["nowhere", "rates"], "nowhere"),
    ],
)
def test_errors(shipped_dataset, arguments, said):
    """An unknown name is reported with the names that exist; exit code 2."""
    code, text, error = auditor("stats", *[shipped_dataset if each == "DIR" else each for each in arguments])
    assert (code, text) == (2, "")
    assert said in error


def test_two_splits(tables, facts):
    """Two splits count what the slow count has for both; a split that is named twice is one."""
    for name, splits in (
        ("rates", [By.player, By.dealer]),
        ("yaku", [By.month, By.seat]),
        ("results", [By.month, By.source]),
    ):
        group = [by.value for by in splits]
        found = computed(tables, name, splits)
        assert found.columns[:2] == group
        assert_counted(found.to_dicts(), STATISTICS[name], facts, *group)
    assert computed(tables, "rates", [By.seat, By.seat]).equals(computed(tables, "rates", By.seat))


CONDITIONS = [
    # a condition, and which facts it leaves
    ("players = 3", lambda split: split["players"] == 3),
    ("month >= '2023-03' AND players = 4", lambda split: split["month"] >= "2023-03" and split["players"] == 4),
    ("seat = 2", lambda split: split.get("seat") == 2),
    ("room = 'phoenix' AND mode LIKE 'South%'",
     lambda split: split["room"] == "phoenix" and split["mode"].startswith("South")),
    ("player LIKE 'eager:%' AND players = 4", lambda split: split.get("player", "").startswith("eager:")),
    ("seat IN (0, 1) AND source LIKE '%gm-0001-%'",
     lambda split: split.get("seat", 9) < 2 and "gm-0001-" in split["source"]),
]  # fmt: skip


@pytest.mark.parametrize(("condition", "holds"), CONDITIONS)
@pytest.mark.parametrize(
    "name",
    ["rates", "wins", *(
        pytest.param(name, marks=pytest.mark.long)
        for name in ("deals", "dealerships", "placement", "riichi_orders", "yaku", "shanten")
    )],
)  # fmt: skip
def test_where(of_both, name, condition, holds):
    """A condition on games or on their seats leaves the rows of these, in every kind of statistic."""
    tables, facts = of_both
    some = [fact for fact in facts if holds(fact[0])]
    rows = computed(tables, name, By.seat, where=condition).to_dicts()
    assert rows
    group = (["players"] if {row.get("players") for row in rows} != {None} else []) + ["seat"]
    expected = plain_stats.totals([fact for fact in some if fact[1] == name], *group)
    found = {
        (name, tuple(row[each] for each in group), row.get(STATISTICS[name].key), row["measure"]): (
            row["numerator"], row["denominator"],
        )
        for row in rows if row["denominator"]
    }  # fmt: skip
    assert found == {place: pytest.approx(pair) for place, pair in expected.items() if pair[1]}


@pytest.mark.parametrize(
    ("name", "condition", "said"),
    [
        ("rates", "moon = 3", "no column moon; there are players, platform"),
        ("rates", "players", "no condition on a column"),
        ("rates", "1 = 1", "no condition on a column"),
        ("rates", "players = ", "no condition ("),
        ("rates", "platform = 3", "no condition ("),
        ("rates", "players IN (SELECT players FROM games)", "no condition ("),
        ("rates", "source = read_csv('/etc/passwd')", "refused"),
        ("rates", "players = 4" + " OR players = 4" * 400, "operators"),
        ("results", "seat = 1", "results counts whole games and rounds"),
    ],
)
def test_conditions_that_are_none(shipped_dataset, name, condition, said):
    """What is no condition on games or seats is refused, and the message says why."""
    code, text, error = auditor("stats", shipped_dataset, name, "--where", condition)
    assert (code, text) == (2, "")
    assert said in " ".join(error.split())


def test_players(tables, facts, of_both):
    """One row a player, most games first; each column is the value of the figure that it names."""
    answer = computed(tables, "players", players=4)
    assert answer.columns == ["player", "games", "rounds", *COLUMNS]
    assert answer["player"].is_unique().all()
    assert answer["games"].to_list() == sorted(answer["games"], reverse=True)
    expected = plain_stats.totals([fact for fact in facts if fact[0]["players"] == 4], "player")
    for row in answer.to_dicts():
        assert row["rounds"] == expected["rates", (row["player"],), None, "win"][1]
        for column, (name, measure) in COLUMNS.items():
            above, below = expected.get((name, (row["player"],), None, measure), (0, 0))
            value = above if measure == "longest" else below and above / below
            assert row[column] == (pytest.approx(value) if below else None), (column, row["player"])
    both = computed(of_both[0], "players")
    assert both.columns[:2] == ["players", "player"]
    assert set(both["players"]) == {3, 4}
    assert both.filter(players=4).drop("players").equals(answer)
    by_month = computed(tables, "players", By.month, players=4)
    assert by_month.columns[:2] == ["player", "month"]
    assert by_month["rounds"].sum() == answer["rounds"].sum()
    assert computed(tables, "players", min_games=3, players=4).equals(answer.filter(pl.col("games") >= 3))


@pytest.mark.parametrize(
    ("sort", "column", "down"), [("win", "win", False), ("-win", "win", True), ("player", "player", False)]
)
def test_sort(shipped_dataset, sort, column, down):
    """Rows come in the order of a column; those without a value come last; others keep their order."""
    rows = json.loads(auditor("stats", shipped_dataset, "players", "--sort", sort, "--format", "json")[1])
    known = [row[column] for row in rows if row[column] is not None]
    assert known == sorted(known, reverse=down)
    assert [row[column] for row in rows[len(known) :]] == [None] * (len(rows) - len(known))
    code, text, error = auditor("stats", shipped_dataset, "players", "--sort", "moon")
    assert (code, text) == (2, "")
    assert "no column moon; there are player, games" in " ".join(error.split())


# Games by place in a room and the stable dan that the room's published formula gives for them
# (https://mahjong-dora2.com/game/02-10.html: three firsts, four seconds, three fourths in the highest room are 8).
ROOMS = [
    (169, [3, 4, 3, 3], 8.0), (161, [3, 4, 3, 3], 8.0), (41, [3, 4, 3, 3], (5 * 3 + 2 * 4) / 3 - 2),
    (137, [3, 4, 3, 3], (4 * 3 + 4) / 3 - 2), (9, [3, 4, 3, 3], (2 * 3 + 4) / 3 - 2), (169, [1, 0, 0, 0], None),
    (168, [3, 4, 3, 3], None), (1601, [3, 4, 3, 3], None),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "places", "dan"), ROOMS)
def test_stable_dan(kind, places, dan):
    """The stable dan of a player is what the published formula of the room makes of the places."""
    games = [
        {"game_id": f"{place}-{nth}", "source": "log", "platform": "tenhou", "rule_set": "tenhou", "players": 4,
         "table": f"GO type={kind} lobby=0", "names": ["me" if seat == place else "other" for seat in range(4)],
         "final_scores": [40000, 30000, 20000, 10000]}
        for place, count in enumerate(places) for nth in range(count)
    ]  # fmt: skip
    tables = {
        name: pl.DataFrame(
            [{column: row.get(column) for column in table.types} for row in (games if name == "games" else [])],
            schema=table.types,
        ).lazy()
        for name, table in TABLES.items()
    }
    (row,) = computed(tables, "placement", By.player).filter(player="me", measure="stable_dan").to_dicts()
    assert row["value"] == (None if dan is None else pytest.approx(dan))
    elsewhere = tables | {"games": tables["games"].with_columns(table=pl.lit(f"GO type={kind} lobby=1111"))}
    (row,) = computed(elsewhere, "placement", By.player).filter(player="me", measure="stable_dan").to_dicts()
    assert row["value"] is None
