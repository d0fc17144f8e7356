"""The records that the project ships in fixtures/mahjong_soul/: which game in which rendering.

``python -m tests.kit.conversion.soul_fixtures`` writes them again.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from tests.kit.conversion import soul
from tests.kit.conversion.soul_renderings import WHOLE
from tests.kit.plain import mjlog_reader
from tests.kit.renamed_games import read_text

ROOT = Path(__file__).resolve().parents[3] / "fixtures"
FOLDER = ROOT / "mahjong_soul"
GAMES = {
    "liable": "tenhou/2023012707gm-0001-0000-f70d9ce8.mjlog",
    "orphans": "tenhou/2023051112gm-000f-0000-1b419879.mjlog",
    "long": "tenhou/2023112006gm-0009-0000-c8370e02.mjlog",
    "three": "tenhou-3p/2024111107gm-00b9-0000-1dec8ff2.mjlog",
}


def records():
    """Give the records by name; they say what players are shown and offered."""
    return {
        name: soul.record(mjlog_reader.read(read_text(ROOT / "logs" / path).encode()), number, hints=True)
        for number, (name, path) in enumerate(GAMES.items(), 1)
    }


def files(games):
    """Give the files of the records: their bytes by name."""
    lines = [json.dumps(games["orphans"]).encode(), WHOLE["head and base64"](games["long"])]
    return {
        "liable.bin": WHOLE["answer"](games["liable"]),
        "three.json": WHOLE["head and base64"](games["three"]),
        "two_games.jsonl.gz": gzip.compress(b"\n".join(lines), 9, mtime=0),
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, data in files(records()).items():
        (FOLDER / name).write_bytes(data)
