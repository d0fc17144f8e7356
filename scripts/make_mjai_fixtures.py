"""Write ``fixtures/mjai/`` anew: games of ``fixtures/logs`` in the dialects of mjai.

    python -m scripts.make_mjai_fixtures

``tests/kit/mjai_writer.py`` says what each dialect states.
"""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path

from auditor.readers import mjlog
from auditor.sources import log_files
from engine.rules.rule_sets import preset
from tests.kit import mjai_writer

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
FOLDER = FIXTURES / "mjai"
GAMES = {
    "gimite.mjson": ("2023012707gm-0001-0000-f70d9ce8", "2023020922gm-0001-0000-3fa0f5fa"),
    "convlog.mjson": ("2023010506gm-0009-0000-dd5caab4",),
    "mortal.json.gz": ("2023112505gm-0009-0000-1917fe69",),
    "riichienv.jsonl.gz": ("2023020922gm-0001-0000-3fa0f5fa", "*gm-00b9-*"),
    "mahjong_soul.mjson": ("*gm-00b9-*",),
}
"""By file, whose name begins with the dialect: the beginnings of the games' names; a star stands for the shortest."""


def texts() -> dict[str, str]:
    """Return the text of each fixture, by its name."""
    paths = sorted(path for path in (FIXTURES / "logs").rglob("*") if path.is_file())
    found = {}
    for name, wanted in GAMES.items():
        chosen = [_chosen(paths, each) for each in wanted]
        log = mjlog.READER.read([log_files.read(path) for path in chosen], preset("tenhou"))
        dialect = name.partition(".")[0]
        games = mjai_writer.games(log, dialect)
        if name.startswith("riichienv"):
            lines = [mjai_writer.line_of_riichienv(log, game, events) for game, events in enumerate(games)]
            found[name] = mjai_writer.lines(lines)
        elif ".json" in name:
            found[name] = json.dumps({"events": games[0]}, ensure_ascii=False, indent=1) + "\n"
        else:
            found[name] = "".join(map(mjai_writer.lines, games))
    return found


def _chosen(paths: list[Path], name: str) -> Path:
    """Return the file of a game."""
    fitting = [path for path in paths if path.match(f"{name}*" if "*" not in name else name)]
    return min(fitting, key=lambda path: path.stat().st_size)


def main(argv: list[str] | None = None) -> None:
    """Write all fixtures anew."""
    argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0]).parse_args(argv)
    FOLDER.mkdir(exist_ok=True)
    written = texts()
    for name, text in written.items():
        data = text.encode()
        (FOLDER / name).write_bytes(gzip.compress(data, mtime=0) if name.endswith(".gz") else data)
    print(f"{len(written)} files in {FOLDER}")


if __name__ == "__main__":
    main()
