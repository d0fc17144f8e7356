"""Help of every command: examples, defaults, no heavy imports; and completion in a shell."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from auditor import __version__
from auditor.cli.main import app
from auditor.cli.settings import settings

ROOT = Path(__file__).resolve().parents[2]
LOGS = ROOT / "fixtures" / "logs" / "tenhou"
COMMANDS = settings(typer.main.get_command(app))
PAGES = [(), ("rules",), *COMMANDS]
NEEDED = {"polars", "numpy", "pyarrow"}
HEAVY = {*NEEDED, "pyarrow.compute", "pandas"}

PROGRAM = f"""
import atexit, sys
atexit.register(lambda: print("loaded", *sorted({HEAVY!r} & set(sys.modules)), file=sys.stderr))
from auditor.cli.main import app
"""


def run(program, cwd, **variables):
    """Run a program in its own process; give its output and the heavy libraries that it loads."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AUDITOR_")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM + program],
        capture_output=True, text=True, check=True, cwd=cwd,
        env={**kept, "PYTHONPATH": str(ROOT), "COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb", **variables},
    )  # fmt: skip
    return done.stdout, set(done.stderr.split("loaded")[-1].split())


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Give the help of every command, printed by one process with a configuration file, and the libraries loaded."""
    folder = tmp_path_factory.mktemp("help")
    (folder / "auditor.toml").write_text('rules = "mleague"\n[run]\nout = "out"\nsource = ["logs"]\njobs = 2\n')
    program = f"""
for words in {PAGES!r}:
    try:
        app([*words, "--help"], prog_name="auditor")
    except SystemExit as end:
        assert end.code == 0
    print("\\f")
"""
    text, loaded = run(program, folder)
    return dict(zip(PAGES, text.split("\f\n"), strict=False)), loaded


def test_help_loads_nothing_heavy(pages):
    """Help loads no heavy library, even with a configuration file."""
    assert pages[1] == set()


def test_a_run_starts_without_pandas(tmp_path):
    """A run of a log does not load pandas or Arrow's kernels, which Arrow and Polars load for many a conversion."""
    run_it = f"app(['run', {str(LOGS)!r}, '--out', 'out', '--jobs', '1', '--progress', 'none'])"
    assert run(run_it, tmp_path)[1] == NEEDED


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="asks Linux for the threads that a process has")
def test_workers_are_forked_before_polars_has_threads(tmp_path):
    """A thread that holds a lock does not exist in a fork, which would wait for it for ever."""
    program = f"""
import os
from pathlib import Path
threads = lambda: [file.read_text() for file in Path("/proc/self/task").glob("*/comm")]
os.register_at_fork(before=lambda: print("at fork:", *threads(), flush=True))
app(["run", {str(LOGS)!r}, "--out", "out", "--jobs", "2", "--progress", "none"])
"""
    forks = run(program, tmp_path)[0].split("at fork:")[1:]
    assert len(forks) == 2
    assert not re.search(r"polars-\d|tokio|async", "".join(forks))


@pytest.mark.parametrize("names", PAGES, ids=" ".join)
def test_example(pages, names):
    """Every page has an example of its own command."""
    example = re.search(r"Example: (auditor.*)", pages[0][names])[1]
    assert example.startswith(" ".join(("auditor", *names)))


@pytest.mark.parametrize("names", COMMANDS, ids=" ".join)
def test_texts_and_defaults(pages, names):
    """Every option and argument has a text and, if it has one to show, its default."""
    rows = pages[0][names].partition("╮\n")[2]
    for key, setting in COMMANDS[names].items():
        row = re.search(rf"^\W*{key}\b(.*(?:\n│ {{20}}.*)*)", rows, re.MULTILINE | re.IGNORECASE)[1]
        text = re.sub(r"<[^>]*>|\[[^]]*\]", "", row)
        assert len(re.findall(r"[A-Za-z]+", text)) > 1, row
        if setting.param.default not in (None, "", False):
            assert "[default: " in row, row


def wordy(text):
    """Give the words of a text in order, without the terminal's frames."""
    return " ".join(re.sub(r"[│╭╮╰╯─]", " ", text).split())


@pytest.mark.parametrize("names", PAGES, ids=" ".join)
def test_help_is_as_written(pages, names):
    """Help shows every word of the texts, including those in brackets."""
    group = typer.main.get_command(app)
    for name in names:
        group = group.commands[name]
    shown = wordy(pages[0][names])
    texts = [group.callback.__doc__ if group.callback else None]
    texts += [getattr(param, "help", None) for param in group.params]
    for text in filter(None, texts):
        # Rich escapes a bracket with a backslash before it.
        for paragraph in text.replace("\\[", "[").split("\n\n"):
            columns = wordy(paragraph)
            assert columns in shown or all(word in shown for word in columns.split()), paragraph


def test_brackets_are_shown(pages):
    """Help shows brackets that a person must type."""
    assert "auditor.toml ([run] jobs = 4)" in wordy(pages[0][()])
    assert "[tool.auditor] of a pyproject.toml" in wordy(pages[0][()])
    assert "\\[" not in "".join(pages[0].values())


def test_short_help_and_version(tmp_path):
    """-h is --help for the program and each command; --version prints the version with any configuration."""
    (tmp_path / "auditor.toml").write_text("[rnu]\n")
    program = f"""
for words in [["--version"], *[[*names, "-h"] for names in {PAGES!r}]]:
    try:
        app(words, prog_name="auditor")
    except SystemExit as end:
        assert end.code == 0
    print("\\f")
"""
    version, *helps = run(program, tmp_path)[0].split("\f\n")
    assert version.split() == ["auditor", __version__]
    assert len([text for text in helps if "Usage: auditor" in text]) == len(PAGES)


def completed(lines, folder):
    """Give Bash's completions for the last word of each line, from one process, and the libraries that it loads."""
    program = f"""
import os
for line in {lines!r}:
    os.environ |= dict(_AUDITOR_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=str(line.count(" ")))
    try:
        app(prog_name="auditor")
    except SystemExit as end:
        assert end.code == 0
    print("\f")
"""
    text, loaded = run(program, folder)
    return {line: offered.split() for line, offered in zip(lines, text.split("\f\n"), strict=False)}, loaded


CODES = sorted(path.name[:4].upper() for path in (ROOT / "auditor" / "audit" / "checks").glob("[a-z][0-9]*.py"))
PRESETS = sorted(path.stem for path in (ROOT / "engine" / "rules" / "presets").glob("*.toml"))
OFFERED = {
    "auditor run --select W1": [code for code in CODES if code.startswith("W1")],
    "auditor run --ignore P105,R": [f"P105,{code}" for code in CODES if code[0] == "R"],
    "auditor explain L": [code for code in CODES if code[0] == "L"],
    "auditor show out --code T": [code for code in CODES if code[0] == "T"],
    "auditor run --rules m": [name for name in PRESETS if name[0] == "m"],
    "auditor rules show e": [name for name in PRESETS if name[0] == "e"],
    "auditor rules diff tenhou w": [name for name in PRESETS if name[0] == "w"],
    "auditor query out q --format c": ["csv"],
    "auditor rules d": ["diff"],
    "auditor config comp": ["compare"],
    "auditor run --jo": ["--jobs"],
}


def test_completion(tmp_path):
    """Codes, presets, choices, commands and options are completed without heavy imports, whatever is configured."""
    assert all(OFFERED.values())
    (tmp_path / "auditor.toml").write_text("[rnu]\n")
    assert completed([*OFFERED], tmp_path) == (OFFERED, set())


def test_completion_of_statistics(tmp_path):
    """Names of statistics are completed as ``stats --list`` has them."""
    listed, _ = run("app(['stats', '--list'])", tmp_path)
    names = [name for name in re.findall(r"^(\w+): ", listed, re.MULTILINE) if name.startswith("r")]
    assert names
    assert completed(["auditor stats out r"], tmp_path)[0] == {"auditor stats out r": names}


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_completion_in_bash(tmp_path):
    """The script that --show-completion prints works in a real shell."""
    program = tmp_path / "auditor"
    program.write_text(f"#!{sys.executable}{PROGRAM}app()\n")
    program.chmod(0o755)
    script = (
        'eval "$(_AUDITOR_COMPLETE=source_bash auditor)"; COMP_WORDS=(auditor run --rules wr); COMP_CWORD=3; '
        '_auditor_completion auditor; echo "${COMPREPLY[@]}"; complete -p auditor'
    )
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path,
        env={**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
    )  # fmt: skip
    assert done.stdout.splitlines()[0] == "wrc"
    assert "_auditor_completion" in done.stdout.splitlines()[1]
