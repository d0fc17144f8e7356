"""One file is one source, however it is named, and every row names its source: replacing one touches no other."""

from __future__ import annotations

import gzip
import os
import shutil

import polars as pl
import pytest

from auditor.dataset.schema import PARTED
from auditor.sources import log_files, places, remote
from auditor.sources.piece import source_name
from tests.kit.audits import CHECKS, LOGS
from tests.kit.command_line import auditor
from tests.kit.containers import zipped
from tests.kit.datasets import OLD, last_run, place, rows, run, whole

FAULTY = (CHECKS / "w106_fu" / "fail.mjlog").read_bytes()
CORRECT = (CHECKS / "w106_fu" / "pass.mjlog").read_bytes()
GAME = LOGS[0].read_bytes()
PAIPU = CHECKS.parent / "sources" / "majiang.jsonl.gz"


def table(out, name):
    """Read one table of a dataset."""
    return pl.read_parquet(sorted((out / name).glob("*.parquet")))


def of_source(out, source):
    """Give the rows of one source in every table, except findings that compare it with other sources."""
    found = {name: table(out, name).filter(pl.col("source") == source) for name in PARTED}
    found["findings"] = found["findings"].filter(pl.col("code") != "L005")
    return {name: each.rows() for name, each in found.items()}


def test_every_row_names_its_source(shipped_dataset):
    """Each row belongs to one row of ``sources``, by one column, and the counts of games and findings agree."""
    names = table(shipped_dataset, "sources")["source"]
    assert names.n_unique() == len(names)
    for name in PARTED:
        assert set(table(shipped_dataset, name)["source"]) <= set(names)
    games = table(shipped_dataset, "games").select("game_id", "source", "within")
    for name in ("rounds", "hands", "turns", "riichis", "wins"):
        of = table(shipped_dataset, name).select("game_id", "source", "within").unique()
        assert of.join(games, on=["game_id", "source", "within"], nulls_equal=True).height == of.height > 0


TWIN = GAME.replace(b"<T", b"<T ", 1).replace(b'who="', b'who=" ', 1).replace(b'seed="0,', b'seed=" 0,', 1)
"""The same game with other white space, which makes some tags unreadable."""


@pytest.mark.parametrize("changed", ["a", "b"])
def test_twins_in_all_but_white_space(changed, tmp_path):
    """Two such files share their game's id, but not their rows: when one changes, the other's rows stay."""
    folder, out = tmp_path / "logs", tmp_path / "out"
    place(folder / "a.mjlog", GAME)
    place(folder / "b.mjlog", TWIN)
    run(out, folder)
    ids = table(out, "games")["game_id"].to_list()
    assert len(ids) == 2
    assert len(set(ids)) == 1
    other = str(folder / ("b.mjlog" if changed == "a" else "a.mjlog"))
    before = of_source(out, other)
    assert len(before["turns"]) > 100
    place(folder / f"{changed}.mjlog", CORRECT, age=9)
    run(out, folder)
    whole(out)
    assert of_source(out, other) == before
    run(tmp_path / "fresh", folder)
    assert rows(out) == rows(tmp_path / "fresh")


def test_shared_twins(shared, tmp_path):
    """The same for the two files of the report."""
    folder, out = tmp_path / "logs", tmp_path / "out"
    for name in ("twin_a.mjlog", "twin_b.mjlog"):
        place(folder / name, (shared / "trials" / name).read_bytes())
    run(out, folder)
    other = str(folder / "twin_b.mjlog")
    before = of_source(out, other)
    assert len(before["rounds"]) > 5
    place(folder / "twin_a.mjlog", CORRECT, age=9)
    run(out, folder)
    assert of_source(out, other) == before


def test_twins_count_once_and_as_one_of_them(tmp_path):
    """Statistics count one of the two copies, and ``show`` reads the finding's own copy."""
    folder = tmp_path / "logs"
    place(folder / "a.mjlog", GAME)
    run(tmp_path / "one", folder)
    place(folder / "b.mjlog", TWIN)
    run(tmp_path / "two", folder)
    for name in ("rates", "results", "shanten", "riichi", "draws"):
        answers = [auditor("stats", tmp_path / out, name, "--format", "csv") for out in ("one", "two")]
        assert answers[0] == answers[1], name
    text = auditor("show", tmp_path / "two", "--code", "L003")[1]
    assert "b.mjlog" in text
    assert "a.mjlog" not in text


def test_a_member_and_a_file_of_its_name(tmp_path):
    """``a.zip`` with a member ``m``, a file ``a.zip!m``, and nested members all have different names."""
    folder, out = tmp_path / "logs", tmp_path / "out"
    place(folder / "a.zip", zipped({"m": FAULTY, "n!m": CORRECT}))
    place(folder / "a.zip!m", GAME)
    place(folder / "a.zip!n", zipped({"m": LOGS[1].read_bytes()}))
    run(out, folder)
    seen = table(out, "sources")
    assert len(seen) == seen["source"].n_unique() == 6
    member, file = f"{folder}/a.zip!m", f"{folder}/a.zip\\x21m"
    assert {member, file, f"{folder}/a.zip!n!m", f"{folder}/a.zip\\x21n!m"} <= set(seen["source"])
    assert table(out, "findings").filter(pl.col("code") == "W106")["source"].to_list() == [member]
    before = of_source(out, member)
    place(folder / "a.zip!m", LOGS[2].read_bytes(), age=9)
    run(out, folder)
    assert [last_run(out)[name] for name in ("audited", "unchanged")] == [1, 5]
    assert of_source(out, member) == before
    run(tmp_path / "fresh", folder)
    assert rows(out) == rows(tmp_path / "fresh")
    assert "a.zip!m, event" in auditor("show", out, "--code", "W106")[1]


@pytest.mark.parametrize(
    "name",
    ["plain.mjlog", "山 %20.mjlog", b"\xff\xfe.mjlog", "a\nb\x1b[31m.mjlog", r"\xff.mjlog", r"\x5c\x21", "\u202e.x"],
)
def test_names_can_be_had_again(name):
    """The printed form of a name is one line, differs from every other name's, and leads back to the file."""
    path = places.Path(os.fsdecode(name))
    answers = places.shown(path)
    assert answers.isprintable() or "\u3000" in answers
    assert places.path_of(answers) == path
    others = [os.fsdecode(b"\xff.mjlog"), r"\xff.mjlog", r"\x5cxff.mjlog", "ÿ.mjlog"]
    assert len({places.shown(other) for other in others}) == 4
    assert [str(places.path_of(places.shown(other))) for other in others] == others


def test_names_of_members_and_files_are_apart():
    """The first ``!`` of a source's name is always the one before the member."""
    pairs = [
        ("a", "b!c"),
        ("a!b", "c"),
        ("a!b!c", None),
        ("a", "!b!c"),
        ("a!", "b!c"),
        (r"a\x21b", "c"),
        (r"a\x5cx21b", "c"),
    ]
    assert len({source_name(places.shown(path), member) for path, member in pairs}) == len(pairs)


# one folder, many names


@pytest.fixture(name="logs")
def _logs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number, data in enumerate([GAME, FAULTY, b"no log"]):
        place(tmp_path / "logs" / "2024" / f"{number}.mjlog", data)
    place(tmp_path / "logs" / "a.zip", zipped({"m.mjlog": CORRECT}))
    (tmp_path / "link").symlink_to("logs")
    (tmp_path / "auditor.toml").write_text('[run]\nsource = ["logs"]\nout = "out"\n')
    return tmp_path / "logs"


WAYS = {
    "relative": "logs", "absolute": "{here}/logs", "by the parent": "logs/../logs", "by a dot": "./logs/.",
    "with a slash": "logs/", "by a link": "link", "by a link and its parent": "{here}/link/../logs", "as a URI": "file://{here}/logs",
}  # fmt: skip


QUICK = ("absolute", "by a link and its parent", "as a URI")


@pytest.mark.parametrize("way", [way if way in QUICK else pytest.param(way, marks=pytest.mark.long) for way in WAYS])
def test_a_folder_named_in_another_way(way, logs, tmp_path):
    """A folder named in another way is the same folder, within a run and between runs; its files keep their names."""
    given = WAYS[way].format(here=tmp_path)
    run("both", "logs", given)
    assert len(table(tmp_path / "both", "sources")) == 5
    run("out", "logs")
    before = rows(tmp_path / "out")
    run("out", given, code=(0,))
    assert [last_run(tmp_path / "out")[name] for name in ("audited", "unreadable", "unchanged")] == [0, 0, 5]
    assert rows(tmp_path / "out") == before
    place(logs / "2024" / "0.mjlog", CORRECT.replace(b"<mjloggm", b"<mjloggm "), age=9)
    place(logs / "a.zip", zipped({"m.mjlog": CORRECT, "n.mjlog": FAULTY}), age=9)
    run("out", given)
    assert set(table(tmp_path / "out", "sources")["path"]) == {
        "logs/a.zip", *(f"logs/2024/{number}.mjlog" for number in range(3)),
    }  # fmt: skip
    assert len(table(tmp_path / "out", "sources")) == 6
    run("fresh", "logs")
    assert rows(tmp_path / "out") == rows(tmp_path / "fresh")


@pytest.mark.usefixtures("logs")
def test_as_the_configuration_names_it(tmp_path):
    """A folder named in the configuration and then on the command line is the same folder."""
    assert auditor("run", "--jobs", 1)[0] == 1
    assert auditor("run", tmp_path / "logs", "--jobs", 1)[0] == 0
    assert len(table(tmp_path / "out", "sources")) == 5
    assert last_run(tmp_path / "out")["unchanged"] == 5


def test_a_file_and_links_to_it(logs, tmp_path):
    """A link to a file, inside or outside the folder, is no second file; nor is a link to a folder."""
    (logs / "again.mjlog").symlink_to("2024/1.mjlog")
    (logs / "2025").symlink_to("2024")
    place(tmp_path / "outside" / "o.mjlog", CORRECT.replace(b"<mjloggm", b"<mjloggm "))
    (logs / "o1.mjlog").symlink_to("../outside/o.mjlog")
    (logs / "o2.mjlog").symlink_to("../outside/o.mjlog")
    (logs / "outside").symlink_to("../outside")
    found = [str(each.path) for each in log_files.find(["logs"])]
    assert found == ["logs/a.zip", "logs/o1.mjlog", *(f"logs/2024/{number}.mjlog" for number in range(3))]
    assert [each.file for each in log_files.find([*found, "logs"])] == [each.file for each in log_files.find(["logs"])]


def test_two_folders_of_one_name(tmp_path, monkeypatch):
    """Two folders of the same relative name, seen from two places, are both kept under different names."""
    out = tmp_path / "out"
    for where, data in (("here", GAME), ("there", FAULTY)):
        place(tmp_path / where / "logs" / "a.mjlog", data)
        monkeypatch.chdir(tmp_path / where)
        run(out, "logs")
    seen = table(out, "sources")
    assert seen.select("source", "path", "file").sort("file").rows() == [
        ("logs/a.mjlog", "logs/a.mjlog", f"{tmp_path}/here/logs/a.mjlog"),
        (f"{tmp_path}/there/logs/a.mjlog", f"{tmp_path}/there/logs/a.mjlog", f"{tmp_path}/there/logs/a.mjlog"),
    ]
    assert len(table(out, "games")) == 2
    for where in ("here", "there"):
        monkeypatch.chdir(tmp_path / where)
        run(out, "logs", code=(0,))
        assert last_run(out)["unchanged"] == 1
    text = auditor("show", out, "--code", "W106")[1]
    assert "\n  table " in text
    assert "not shown" not in text


def test_a_folder_that_has_moved(tmp_path, monkeypatch):
    """A folder that moved and is linked from its old name holds the same logs: no game is in the dataset twice."""
    monkeypatch.chdir(tmp_path)
    for number, data in enumerate([GAME, FAULTY]):
        place(tmp_path / "disk1" / f"{number}.mjlog", data)
    (tmp_path / "logs").symlink_to("disk1")
    run("out", "logs")
    shutil.move("disk1", "disk2")
    (tmp_path / "logs").unlink()
    (tmp_path / "logs").symlink_to("disk2")
    for path in (tmp_path / "disk2").iterdir():
        os.utime(path, (OLD, OLD))
    run("out", "logs")
    assert len(table(tmp_path / "out", "games")) == 2
    assert set(table(tmp_path / "out", "sources")["file"]) == {f"{tmp_path}/disk2/{number}.mjlog" for number in (0, 1)}
    run("fresh", "logs")
    assert rows(tmp_path / "out") == rows(tmp_path / "fresh")
    run("out", "logs", code=(0,))
    assert last_run(tmp_path / "out")["unchanged"] == 2


@pytest.mark.parametrize("what", ["folder", "files"])
def test_logs_that_moved_and_are_linked_are_the_same(what, tmp_path, monkeypatch):
    """Logs that moved to another disk and are linked from their old place are the same sources."""
    monkeypatch.chdir(tmp_path)
    for number, data in enumerate([GAME, FAULTY, zipped({"m": LOGS[1].read_bytes()})]):
        place(tmp_path / "logs" / str(number), data)
    run("out", "logs")
    shutil.move("logs", "disk")
    if what == "folder":
        (tmp_path / "logs").symlink_to("disk")
    else:
        (tmp_path / "logs").mkdir()
        for number in range(3):
            (tmp_path / "logs" / str(number)).symlink_to(tmp_path / "disk" / str(number))
    for path in (tmp_path / "disk").iterdir():
        os.utime(path, (OLD, OLD))
    run("out", "logs")
    whole(tmp_path / "out")
    assert len(table(tmp_path / "out", "games")) == 3
    run("fresh", "logs")
    assert rows(tmp_path / "out") == rows(tmp_path / "fresh")
    run("out", "logs", code=(0,))
    assert last_run(tmp_path / "out")["unchanged"] == 4


def test_one_object_behind_two_uris():
    """A region or a time limit in a URI does not change the object; another server does."""
    names = [
        "s3://b/a",
        "s3://b/a?region=x",
        "s3://b/a?endpoint_override=h:1",
        "s3://b/a?region=x&endpoint_override=h:1",
    ]
    files = [remote.Remote("", "", name).file for name in names]
    assert files[0] == files[1] != files[2] == files[3]


def test_show_reads_from_anywhere(logs, tmp_path, monkeypatch):
    """``show`` finds the logs from any working folder."""
    run("out", "logs")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    text = auditor("show", tmp_path / "out", "--code", "W106")[1]
    assert f"{logs.name}/2024/1.mjlog" in text
    assert "not shown" not in text


def test_a_line_that_is_no_game(tmp_path):
    """The id of a line that is no game depends on its content, not on the file's name or packing."""
    game = next(line for line in gzip.decompress(PAIPU.read_bytes()).split(b"\n") if line)
    lines = b"\n".join([game, b"garbage", b"garbage"])
    for name, data in (("a.jsonl", lines), ("b.jsonl.gz", gzip.compress(lines)), ("c.zip", zipped({"m": lines}))):
        place(tmp_path / "logs" / name, data)
    run(tmp_path / "out", tmp_path / "logs")
    ids = table(tmp_path / "out", "games").group_by("source").agg(pl.col("game_id").sort())
    assert len(ids) == 3
    assert ids["game_id"].n_unique() == 1
    assert len(set(ids["game_id"][0])) == 3
