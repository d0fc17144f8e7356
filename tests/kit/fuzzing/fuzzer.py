"""Mutants of every kind by seed and number, and runs of them with a time limit.

Kinds: ``mjlog``, ``sanma`` (an mjlog of three players, or taken for one), ``paipu``, ``tenhou_json`` and ``soul`` (a
changed log), ``lines`` (one line of a file of many), ``boxes`` (archives and compressed files), ``table`` (a row of a
table of hands), ``file`` (a file with such a table). A mutant's name, such as ``mjlog-0-1234``, determines its content.
"""

from __future__ import annotations

import gzip
import json
import tempfile
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import polars as pl

from auditor.sources.log_files import content_id
from tests.kit.conversion import tenhou_json
from tests.kit.fuzzing import boxes, logs, tables
from tests.kit.fuzzing.judge import Broken, Mutant, Witness, judged, loaded, watched
from tests.kit.renamed_games import read_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.sources.log_files import Source

ROOT = Path(__file__).resolve().parents[3]
MJLOGS, SANMA = (ROOT / "fixtures/logs" / name for name in ("tenhou", "tenhou-3p"))
RECORDS = ROOT / "fixtures/mahjong_soul"
PAIPU = ROOT / "fixtures/sources/majiang.jsonl.gz"
KINDS = ("mjlog", "sanma", "paipu", "tenhou_json", "soul", "lines", "boxes", "table", "file")
BATCH = 400
FILES, LINES = 50, 4
"""Files of lines in a batch, and the clean games in each."""


class Fuzz:
    """The logs to change, and the clean logs beside them with their tables, read and audited once."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        texts = sorted((read_text(path) for path in MJLOGS.iterdir()), key=len)
        lines = sorted(map(_game, filter(None, gzip.decompress(PAIPU.read_bytes()).decode().split("\n"))), key=len)
        three = sorted((read_text(path) for path in SANMA.iterdir()), key=len)
        records = [gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data for data in _bytes(RECORDS)]
        soul = [line for data in records for line in ([data] if b"\0" in data else data.split(b"\n"))]
        self.paipu, as_json = lines[2:10], sorted((text for _, text in tenhou_json.shipped()), key=len)
        self.logs = {
            "mjlog": (texts[1:-4], logs.xml, "mjlog"),
            "sanma": ([*three[1:], *texts[1:5]], logs.sanma, "mjlog"),
            "paipu": (self.paipu, logs.paipu, "json"),
            "tenhou_json": (as_json[1:-4], logs.tenhou_json, "json"),
            "soul": (soul, logs.record, "bin"),
        }
        self.within = [_retitled(lines[1], number) for number in range(FILES * LINES)]
        self.witness = Witness.of(
            {"beside.mjlog": texts[0].encode(), "three.mjlog": three[0].encode(), "beside.json": lines[0].encode()},
            {f"within {number}": line.encode() for number, line in enumerate(self.within)},
        )
        self.files = tables.files()
        self.boxes = boxes.made({f"{number}.mjlog": text.encode() for number, text in enumerate(texts[1:4])})

    def _rng(self, kind: str, number: int) -> Random:
        return Random(f"{self.seed} {kind} {number}")

    def mutant(self, kind: str, number: int) -> Mutant:
        """Make one mutant, the same for the same seed, kind and number; a row is given as JSON."""
        rng = self._rng(kind, number)
        name = f"{kind}-{self.seed}-{number}"
        if kind == "table":
            return Mutant(f"{name}.json", json.dumps([tables.row(rng)], ensure_ascii=False).encode())
        if kind == "file":
            ending, data = tables.file(*rng.choice(list(self.files.items())), rng)
            return Mutant(f"{name}.{ending}", data)
        if kind in self.logs:
            texts, changed, ending = self.logs[kind]
            return Mutant(f"{name}.{ending}", changed(rng.choice(texts), rng))
        if kind == "lines":
            return self._lines(f"{name}.jsonl", number, rng)
        box = rng.choice(list(self.boxes))
        return Mutant(f"{name}-{box}", boxes.box(box, self.boxes[box], rng))

    def _lines(self, name: str, number: int, rng: Random) -> Mutant:
        first = number % FILES * LINES
        clean = [line.encode() for line in self.within[first : first + LINES]]
        odd = logs.paipu(rng.choice(self.paipu), rng).replace(b"\n", b" ")
        at = rng.randrange(LINES + 1)
        return Mutant(name, b"\n".join([*clean[:at], odd, *clean[at:]]), tuple(map(content_id, clean)))

    def faults(self, kind: str, numbers: Sequence[int]) -> list[Broken]:
        """Make some mutants of a kind and judge them together."""
        if kind == "table":
            return tables.judged({f"{kind}-{self.seed}-{at}": tables.row(self._rng(kind, at)) for at in numbers})
        mutants = [self.mutant(kind, number) for number in numbers]
        if kind not in ("boxes", "file"):
            return judged([(mutant, loaded({mutant.name: mutant.data})) for mutant in mutants], self.witness)
        read: list[tuple[Mutant, list[Source]]] = []
        broken = []
        with tempfile.TemporaryDirectory() as folder:
            if kind == "file":
                return tables.read(mutants, Path(folder))
            for mutant in mutants:
                try:
                    with watched():
                        read.append((mutant, boxes.opened(mutant, Path(folder))))
                except (Exception, pl.exceptions.PanicException) as error:  # noqa: BLE001  (that is what is looked for)
                    broken.append(Broken(mutant.name, f"{type(error).__name__}: {error}"))
        return broken + judged(read, self.witness)


def _bytes(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(folder.iterdir())]


def _game(line: str) -> str:
    """Return the parts of a line of the shipped games that the auditor reads: the rule object and the paipu."""
    record = json.loads(line)
    return json.dumps({"rule": record["rule"], "paipu": record["paipu"]}, ensure_ascii=False)


def _retitled(line: str, number: int) -> str:
    """Return a paipu with a title of its own, so that it is another game."""
    game = json.loads(line)
    game["paipu"]["title"] = f"neighbour {number}"
    return json.dumps(game, ensure_ascii=False)


def run(fuzz: Fuzz, kinds: Sequence[str], mutants: int, seconds: float) -> tuple[dict[str, int], list[Broken]]:
    """Judge this number of mutants of each kind, kind after kind in turn, until the time is over."""
    begun = time.monotonic()
    done = dict.fromkeys(kinds, 0)
    broken: list[Broken] = []
    while time.monotonic() - begun < seconds and any(count < mutants for count in done.values()):
        for kind in kinds:
            size = min(FILES if kind == "lines" else BATCH, mutants - done[kind])
            broken += fuzz.faults(kind, range(done[kind], done[kind] + size)) if size else []
            done[kind] += size
    return done, broken
