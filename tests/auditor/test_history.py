"""When findings were first and last seen, what is new and gone since a run, and why; beside a slow twin."""

from __future__ import annotations

import json
import random
import re
import shlex
import shutil
from datetime import datetime, timedelta

import polars as pl
import pytest

from auditor.dataset.history import RunError, before, between, findings_since, history, run_named, runs, with_history
from auditor.dataset.opened import opened
from auditor.dataset.writing import OutputError
from auditor.run import record
from tests.kit.audits import CHECKS
from tests.kit.command_line import auditor
from tests.kit.containers import zipped
from tests.kit.datasets import last_run, place, run

FU = (CHECKS / "w106_fu" / "fail.mjlog").read_bytes()
FU_CLEAN = (CHECKS / "w106_fu" / "pass.mjlog").read_bytes()
HONBA = (CHECKS / "p103_honba" / "fail.mjlog").read_bytes()
CHI = (CHECKS / "c101_chi_not_from_the_left" / "fail.mjlog").read_bytes()
TENPAI = (CHECKS / "c104_call_in_riichi" / "fail.mjlog").read_bytes()


def others(log):
    """Give the same game with other players."""
    return re.sub(rb'(n[0-3]=")[^"]*', rb"\1Z", log)


@pytest.fixture(name="logs")
def _logs(tmp_path):
    place(tmp_path / "logs" / "fu.mjlog", FU)
    place(tmp_path / "logs" / "honba.mjlog", HONBA)
    return tmp_path / "logs"


@pytest.fixture(name="out")
def _out(logs, tmp_path):
    run(tmp_path / "out", logs)
    return tmp_path / "out"


def since(out, name=None):
    """Give the codes of findings new and gone since a run, with the reasons."""
    found = findings_since(opened(out), name)
    return sorted(found.new["code"]), sorted(found.gone.select("code", "why").rows())


def told(out):
    """Give the history, a dictionary for each finding."""
    return history(opened(out)).collect().to_dicts()


def counts(out):
    """Give the newest run's counts of findings known, new and gone."""
    return tuple(last_run(out)[name] for name in ("known", "new", "gone"))


def test_the_first_run(out):
    """In the first run, every finding is new; nothing is gone."""
    assert since(out) == (["P103", "W106"], [])
    assert counts(out) == (2, 2, 0)
    begun = runs(opened(out))["begun"].to_list()
    assert [(each["first_seen"], each["last_seen"], each["gone"]) for each in told(out)] == [
        (begun[0], begun[0], None)
    ] * 2


def test_a_new_file_and_a_mended_one(logs, out):
    """A new file's finding is new, a mended file's is gone because the file changed; one that stays is neither."""
    place(logs / "chi.mjlog", CHI)
    place(logs / "fu.mjlog", FU_CLEAN, age=9)
    run(out, logs)
    assert since(out) == (["C101"], [("W106", "file changed")])
    assert counts(out) == (2, 1, 1)
    first, second = runs(opened(out))["begun"].to_list()
    seen = {each["code"]: (each["first_seen"], each["last_seen"], each["gone"]) for each in told(out)}
    assert seen == {"W106": (first, first, second), "P103": (first, second, None), "C101": (second, second, None)}


def test_nothing_happens(logs, out):
    """A run without change adds no row to the table `changes`; nothing is new or gone."""
    rows = len(opened(out)["changes"].collect())
    run(out, logs, code=(0,))
    assert since(out) == ([], [])
    assert counts(out) == (2, 0, 0)
    assert len(opened(out)["changes"].collect()) == rows


def test_moved_and_packed(logs, out):
    """A game in a moved file has the same findings, with the same ids, and so has one in an archive."""
    ids = {each["code"]: each["finding"] for each in told(out)}
    shutil.move(logs / "fu.mjlog", logs / "moved.mjlog")
    run(out, logs)
    assert auditor("forget", logs / "fu.mjlog", "--dir", out)[0] == 0
    assert since(out) == ([], [])
    assert {each["code"]: each["finding"] for each in told(out) if each["code"] != "L005"} == ids
    assert next(each for each in told(out) if each["code"] == "W106")["source"] == str(logs / "moved.mjlog")


def test_a_file_that_changed_elsewhere(logs, out):
    """A change in another place of the file alters the game's id, but the finding is the same."""
    ids = {each["code"]: each["finding"] for each in told(out)}
    place(logs / "fu.mjlog", FU.replace(b"<GO ", b'<BYE who="3"/><GO ', 1), age=9)
    run(out, logs)
    assert since(out) == ([], [])
    assert {each["code"]: each["finding"] for each in told(out)} == ids
    event = next(each for each in told(out) if each["code"] == "W106")["event"]
    now = opened(out)["findings"].filter(code="W106").collect()
    assert [event] == now["event"].to_list()


def test_another_game_in_the_place_of_a_file(logs, out):
    """A file that is overwritten with a game of other players has other findings."""
    place(logs / "fu.mjlog", others(FU), age=9)
    run(out, logs)
    assert since(out) == (["W106"], [("W106", "file changed")])


def test_back_again(logs, out):
    """A finding that comes back has its id and its first time; it is new since the run that did not have it."""
    first = runs(opened(out))["begun"].to_list()[0]
    wanted = next(each["finding"] for each in told(out) if each["code"] == "W106")
    for data, age in ((FU_CLEAN, 9), (FU, 18)):
        place(logs / "fu.mjlog", data, age)
        run(out, logs)
    now = next(each for each in told(out) if each["code"] == "W106")
    assert (now["finding"], now["first_seen"], now["gone"]) == (wanted, first, None)
    assert since(out) == (["W106"], [])
    assert since(out, "-3") == ([], [])


@pytest.mark.parametrize(
    ("words", "change", "why"),
    [
        (("--ignore", "W"), "unseen", "check not selected"),
        (("--select", "L,P"), "unseen", "check not selected"),
        (("--force",), "appeared", None),
    ],
)
def test_nobody_looked(words, change, why, logs, out):
    """If its check did not run, a finding is unseen, neither gone nor, when it is seen again, new."""
    run(out, logs, *words)
    found = next(each for each in told(out) if each["code"] == "W106")
    assert (found["change"], found["why"], found["gone"]) == (change, why, None)
    assert since(out) == ([], [])
    run(out, logs)
    assert since(out) == ([], [])
    assert next(each for each in told(out) if each["code"] == "W106")["change"] in ("seen", change)


def test_unreadable_is_not_gone(logs, out):
    """If the file cannot be opened, its finding is unseen; if its bytes are no log any more, it is gone."""
    (logs / "fu.mjlog").unlink()
    (logs / "fu.mjlog").symlink_to(logs / "fu.mjlog")
    run(out, logs)
    found = next(each for each in told(out) if each["code"] == "W106")
    assert (found["change"], found["why"]) == ("unseen", "file not readable")
    assert since(out) == (["L001"], [])
    (logs / "fu.mjlog").unlink()
    place(logs / "fu.mjlog", b"no log", age=9)
    run(out, logs)
    assert ("W106", "file changed") in since(out, "-3")[1]


def test_other_rules(logs, out, tmp_path):
    """A finding that other rules make right is gone because the rules changed; what they make wrong is new."""
    (tmp_path / "rules.toml").write_text('preset = "tenhou"\nhonba_value = 500\n')
    run(out, logs, "--rules", tmp_path / "rules.toml")
    new, gone = since(out)
    assert {why for _, why in gone} <= {"rules changed"}
    run(out, logs)
    back = since(out)
    assert (sorted(code for code, _ in gone), sorted(code for code, _ in back[1])) == (back[0], new)


def test_equal_findings_are_counted(logs, tmp_path):
    """Of several equal findings in a game each has its own id; copies of the game count once."""
    out = tmp_path / "out"
    place(logs / "later.mjlog", FU + b"\n")
    run(out, logs)
    assert counts(out) == (3, 3, 0)  # W106, P103, L005
    assert sorted(each["code"] for each in told(out)) == ["L005", "P103", "W106"]
    assert len(opened(out)["findings"].filter(code="W106").collect()) == 2
    rows = with_history(opened(out)).filter(code="W106").collect()
    assert rows["finding"].n_unique() == 1
    assert sorted(findings_since(opened(out)).new["code"]) == ["L005", "P103", "W106"]
    (logs / "later.mjlog").unlink()
    auditor("forget", logs / "later.mjlog", "--dir", out)
    assert since(out, "-1") == ([], [("L005", "file forgotten")])


def test_names_of_runs(logs, out):
    """A run is named by its time, its beginning, or by -1, -2; a day means the last run before it."""
    run(out, logs)
    tables = opened(out)
    first, second = runs(tables)["begun"].to_list()
    for text, begun in (
        ("-1", second),
        ("-2", first),
        (first.isoformat(), first),
        (f"{second:%Y%m%dT%H%M%S%f}", second),
    ):
        assert run_named(tables, text) == begun
    assert before(tables, None) == first
    assert before(tables, "2100-01-01") == second
    assert before(tables, "2000-01-01") is None
    for text in ("-3", "-0", "", "x", "2026-13-41", f"{first:%Y}", "1999-01-01T", "٣", "٢٠٢٦", "--"):
        with pytest.raises(RunError, match="run"):
            before(tables, text)


def test_compare_two_runs(logs, out):
    """``compare --before`` lists what appeared and disappeared between two runs; exit code 1 if anything did."""
    place(logs / "chi.mjlog", CHI)
    run(out, logs)
    place(logs / "fu.mjlog", FU_CLEAN, age=9)
    run(out, logs)

    def compared(*words):
        code, text, _ = auditor("compare", out, *words, "--format", "json")
        rows = sorted((row["change"], row["code"], row["why"]) for row in json.loads(text))
        assert code == bool(rows)
        return rows

    appeared, disappeared = ("appeared", "C101", None), ("disappeared", "W106", "file changed")
    assert compared("--before", "-3") == [appeared, disappeared]
    assert compared("--before", "-2") == [disappeared]
    assert compared("--before", "-3", "--after", "-2") == [appeared]
    assert compared("--before", "-1") == []
    assert compared("--before", "-3", "--code", "W") == [disappeared]
    assert compared("--before", "-3", "--severity", "note") == []
    assert compared("--before", "-3", "--player", "B") == []
    for words in (
        (),
        ("--before", "-1", "--after", "-2"),
        ("--before", "-9"),
        ("--after", "-1"),
        (out, "--before", "-1"),
    ):
        assert auditor("compare", out, *words)[0] == 2


def test_the_commands_of_the_readme(logs, out):
    """The commands in "What is new" and "Forget" of auditor/dataset/README.md do what they say, or would."""
    for name in "ab":
        place(logs / f"{name}.mjlog", CHI.replace(b'n0="%41"', f'n0="{name}"'.encode()))
        run(out, logs)
    text = (CHECKS.parents[1] / "auditor" / "dataset" / "README.md").read_text("utf-8")
    section = text.split("## What is new\n")[1].split("## On an object store")[0]
    lines = [line.partition("#")[0] for line in section.splitlines() if line.startswith("auditor ")]
    assert len(lines) == 9
    places = {"out": out, "logs": logs, "logs/2019": logs / "a.mjlog", "game.mjlog": logs / "b.mjlog"}
    for line in lines:
        words = [places.get(word, word) for word in shlex.split(line)[1:]]
        code, _, error = auditor(*words)
        assert code in (0, 1), (line, error)


# beside a slow twin

GAMES = {"W": FU, "P": HONBA, "C101": CHI, "C104": TENPAI, "clean": FU_CLEAN}
KEY = ["game_id", "code", "round", "event", "seat", "recorded"]


class Twin:
    """What is known about findings, by the definition alone: plain sets, and one pass for each run."""

    def __init__(self):
        self.known, self.first, self.looked, self.source, self.after = set(), {}, {}, {}, []

    def ran(self, rows, sources, codes, begun):
        """Note a run: the findings that the dataset has, the sources that exist now, and the checks that ran."""
        self.looked |= dict.fromkeys(sources, codes)
        there = {tuple(row[name] for name in KEY): row["source"] for row in rows}
        lost = {key for key in self.known - there.keys() if self._looked(key)}
        self.known = self.known - lost | there.keys()
        self.source |= there
        for key in there:
            self.first.setdefault(key, begun)
        self.after.append((begun, frozenset(self.known)))

    def _looked(self, key):
        return key[1].startswith(tuple(self.looked[self.source[key]]))

    def forgot(self, sources):
        """Note that sources left."""
        self.known = {key for key in self.known if self.source[key] not in sources}
        for each in sources:
            self.looked.pop(each, None)


def keys(frame):
    """Give the findings of a frame as the twin knows them."""
    return set(frame.select(KEY).rows())


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 20))])
def test_beside_a_slow_twin(seed, tmp_path):
    """After random changes of files, runs with other checks, and ``forget``, history is what sets make of it."""
    chance, twin, out, logs = random.Random(seed), Twin(), tmp_path / "out", tmp_path / "logs"
    names = [logs / f"{name}.mjlog" for name in "abcd"]
    contents = dict(zip(names, GAMES.values(), strict=False))
    for age in range(1, 11):
        for name in chance.sample(names, 2):
            match chance.choice(("write", "write", "remove", "restore")):
                case "write":  # each file has games of its own, so that no game is there twice
                    own = [contents[name], others(contents[name]), FU_CLEAN]
                    place(name, chance.choice(own), age)
                case "restore":
                    place(name, contents[name], age)
                case "remove":
                    name.unlink(missing_ok=True)
        if not any(name.exists() for name in names):
            place(names[0], contents[names[0]], age)
        codes = chance.choice([("W", "P", "C"), ("W", "P", "C"), ("W", "C"), ("P",), ("C",)])
        run(out, logs, "--select", ",".join(codes), *(["--force"] * chance.randint(0, 1)))
        tables = opened(out)
        there = [str(name) for name in names if name.exists()]
        twin.ran(tables["findings"].collect().to_dicts(), there, codes, runs(tables)["begun"][-1])
        if not chance.randint(0, 3):
            known = tables["sources"].collect()["source"].to_list()
            picked = chance.sample(known, chance.randint(1, len(known)))
            assert auditor("forget", *picked, "--dir", out)[0] == 0
            twin.forgot(picked)
        compared(out, twin, chance)


def compared(out, twin, chance):
    """Compare a dataset's history with the twin's."""
    tables = opened(out)
    rows = history(tables).collect()
    assert keys(rows.filter(pl.col("change") != "gone")) == twin.known
    assert dict(zip(rows.select(KEY).rows(), rows["first_seen"], strict=True)) == twin.first
    noted = twin.after[-2][1] if len(twin.after) > 1 else frozenset()
    now = twin.after[-1][1]
    row = last_run(out)
    assert (row["new"], row["gone"]) == (len(now - noted), len(noted - now))
    (then, old), (later, new) = sorted(chance.choices(twin.after, k=2), key=lambda each: each[0])
    found = between(tables, then, None)
    there = keys(tables["findings"].collect())
    assert (keys(found.new), keys(found.gone)) == (there - old, old - twin.known)
    found = between(tables, then, later)
    assert (keys(found.new), keys(found.gone)) == (new - old, old - new)


def test_what_a_broken_run_changed(logs, out, monkeypatch):
    """If a run ends before it notes what it changed, its findings count as new, and the next run notes them."""
    before_it = counts(out)
    place(logs / "chi.mjlog", CHI)
    place(logs / "fu.mjlog", FU_CLEAN, age=9)
    with monkeypatch.context() as patch:
        patch.setattr(record, "write", lambda *_, **__: (_ for _ in ()).throw(OutputError("no space")))
        run(out, logs, code=(2,))
    found = findings_since(opened(out), "-1")
    assert found.new.select("code", "finding", "first_seen").rows() == [("C101", None, None)]
    assert counts(out) == before_it
    run(out, logs, code=(0,))
    assert counts(out) == (2, 1, 1)
    assert since(out) == (["C101"], [("W106", "file changed")])
    assert next(each for each in told(out) if each["code"] == "C101")["first_seen"] == last_run(out)["begun"]


def test_runs_are_in_order_though_the_clock_is_not(logs, out, monkeypatch):
    """If the clock was set back, the next run begins later than the last one all the same."""
    from auditor.run import run_batches

    class Clock(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime(2001, 1, 1, tzinfo=tz)

    monkeypatch.setattr(run_batches, "datetime", Clock)
    place(logs / "chi.mjlog", CHI)
    run(out, logs)
    assert since(out)[0] == ["C101"]
    row = last_run(out)
    assert timedelta(0) <= row["ended"] - row["begun"] < timedelta(minutes=1)


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_copies_moves_and_archives(seed, tmp_path):
    """After random copies, moves and archives, the history has each finding of the dataset, and no other."""
    chance, logs, out, first = random.Random(seed), tmp_path / "logs", tmp_path / "out", {}
    names = [*(logs / f"{name}.mjlog" for name in "abcde"), logs / "z.zip"]
    contents = [*GAMES.values(), b"no log", b"no log\n", FU + b"\n", FU.replace(b"<GO ", b'<BYE who="3"/><GO ', 1)]
    for age in range(1, 16):
        for name in chance.sample(names, 2):
            match chance.choice(("write", "write", "move", "remove")):
                case "write" if name.suffix == ".zip":
                    members = [chance.choice(contents) for _ in range(chance.randint(1, 3))]
                    place(name, zipped({f"{nth}.mjlog": data for nth, data in enumerate(members)}), age)
                case "write":
                    place(name, chance.choice(contents), age)
                case "move" if name.suffix != ".zip" and name.exists():
                    shutil.move(name, chance.choice(names[:5]))
                case "remove":
                    name.unlink(missing_ok=True)
        if not any(name.exists() for name in names):
            place(names[0], FU, age)
        run(out, logs, *chance.choice(([], [], ["--force"], ["--ignore", "W,L005"], ["--select", "W,L"])))
        if chance.random() < 0.3:
            paths = opened(out)["sources"].collect()["path"].unique().sort().to_list()
            assert auditor("forget", *chance.sample(paths, chance.randint(1, len(paths))), "--dir", out)[0] == 0
        rows, now = history(opened(out)).collect(), with_history(opened(out)).collect()
        there = rows.filter(pl.col("change").is_in(["appeared", "seen"]))
        assert rows["finding"].is_unique().all()
        assert set(now["finding"]) == set(there["finding"])
        assert set(there.select("finding", "source").rows()) <= set(now.select("finding", "source").rows())
        assert there["why"].is_null().all()
        assert rows.filter(pl.col("change").is_in(["gone", "unseen"]))["why"].is_not_null().all()
        assert all(first.setdefault(finding, at) == at for finding, at in rows.select("finding", "first_seen").rows())
