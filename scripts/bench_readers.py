"""Measure what a game costs each reader, as a multiple of what the same game costs the reader of Tenhou's XML.

    python -m scripts.bench_readers [FORMAT...] [--games N] [--rounds N] [--pairs N]

The games are shipped ones with their tiles renamed (tests/kit/renamed_games.py), one a file, in every format: the same
rounds and turns. ``auditor convert``'s writers write them as JSON. The records of Mahjong Soul are the server's answers
as bytes, with waits after each discard; a game is there as often as in the other formats, but not renamed.

All games are one batch in this process, on one core. The XML reader and another reader take turns; the figure is the
median of the ratios of their processor times, with the lowest and the highest. Below it stand the steps of the reader,
which are the functions that its ``parse`` calls, each as a share of the XML reader's whole time. What is not in these
is ``rest``, and ``check`` is the check of the tables. Compare only figures of one run.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import re
import sys
import time
from collections import defaultdict
from dataclasses import replace
from functools import cache, partial
from statistics import median
from types import GeneratorType, ModuleType
from typing import TYPE_CHECKING, Any, cast
from unittest import mock

from auditor.log.invariants import check_rows
from auditor.readers import READERS, WRITERS, mjlog
from auditor.readers.written.game import games as written
from auditor.sources.log_files import Source
from engine.rules.rule_sets import preset
from scripts.bench import ONE_CORE
from tests.kit.conversion import soul
from tests.kit.conversion.soul_renderings import answer
from tests.kit.plain import mjlog_reader
from tests.kit.renamed_games import Template, load_templates, renaming

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from auditor.readers.contract import Reader

BASE = preset("tenhou")
WRITER_OF = {"tenhou_json": "tenhou-json", "majiang": "paipu", "mjai": "mjai"}
"""By reader: the name of the writer that ``auditor convert --to`` takes."""
_THREADS = "POLARS_MAX_THREADS"
UNCHANGED = list(range(136))
"""The renaming that leaves every tile as it is."""


def sources(count: int, rounds: int | None = None) -> dict[str, list[Source]]:
    """Make the files of each format: the same games in the same order, of so many rounds at most."""
    templates, rng = [_shortened(each, rounds) for each in load_templates()], random.Random(0)
    drawn = rng.choices(templates, weights=[template.rounds for template in templates], k=count)
    texts = [template.rename(renaming(rng)).encode() for template in drawn]
    data = {"mjlog": texts}
    games = list(written(mjlog.READER.read(_files(drawn, texts), BASE)))
    for name, form in WRITER_OF.items():
        data[name] = [WRITERS[form].write(game)[0].encode() for game in games]
    data["mahjong_soul"] = list(map(record, drawn))
    return {name: _files(drawn, each) for name, each in data.items()}


def _shortened(template: Template, rounds: int | None) -> Template:
    """Return the first rounds of a game, as if it ended with them; its final scores stay as they were."""
    begins = [at for at, part in enumerate(template.parts) if isinstance(part, str) and "<INIT" in part]
    if rounds is None or len(begins) <= rounds:
        return template
    last = cast("str", template.parts[begins[rounds]])
    finals = re.findall(r' owari="[^"]*"', cast("str", template.parts[-1]))[-1]
    end = f"{last[: last.index('<INIT')].rstrip().removesuffix('/>')}{finals} /></mjloggm>"
    parts = (*template.parts[: begins[rounds]], end)
    return replace(template, parts=parts, rounds=rounds)


def _files(drawn: Sequence[Template], data: Sequence[bytes]) -> list[Source]:
    pairs = enumerate(zip(drawn, data, strict=True))
    return [Source(name=f"{nth}/{template.name}", data=each) for nth, (template, each) in pairs]


@cache
def record(template: Template) -> bytes:
    """Make the record of a game that is not renamed."""
    return answer(soul.record(mjlog_reader.read(template.rename(UNCHANGED).encode()), hints=True))


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time of some work."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def steps(reader: Reader, files: Sequence[Source]) -> dict[str, float]:
    """Return the seconds of each step of reading a batch."""
    spent: dict[str, float] = defaultdict(float)
    module = sys.modules[reader.parse.__module__]
    with mock.patch.multiple(module, **dict(_timed_names(module, spent))):
        begun = time.process_time()
        log = reader.parse(files, BASE)
        spent["rest"] = time.process_time() - begun - sum(spent.values())
    spent["check"] = seconds(lambda: check_rows(log))
    return spent


def _timed_names(module: ModuleType, spent: dict[str, float]) -> Iterator[tuple[str, Any]]:
    """Yield what a module has from others of its package, with its functions timed."""
    for name, value in vars(module).items():
        if isinstance(value, ModuleType):
            if value.__name__.startswith(f"{module.__name__}."):
                yield name, _TimedModule(value, spent)
        elif callable(value) and getattr(value, "__module__", "").startswith(f"{module.__name__}."):
            yield name, partial(_timed, spent, name, value)


class _TimedModule:
    """A module whose functions are timed."""

    def __init__(self, module: ModuleType, spent: dict[str, float]) -> None:
        self._module, self._spent = module, spent

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - of any module
        found = getattr(self._module, name)
        label = f"{self._module.__name__.rpartition('.')[2]}.{name}"
        return partial(_timed, self._spent, label, found) if callable(found) else found


def _timed(spent: dict[str, float], name: str, work: Callable[..., Any], *given: object, **named: object) -> Any:  # noqa: ANN401
    begun = time.process_time()
    try:
        found = work(*given, **named)
        return list(found) if isinstance(found, GeneratorType) else found
    finally:
        spent[name] += time.process_time() - begun


def report(reader: Reader, files: dict[str, list[Source]], pairs: int) -> Iterator[str]:
    """Measure a reader; yield the figures as lines of text."""
    own, xml = files[reader.name], files["mjlog"]
    expected, found = (each.read(files[each.name], BASE) for each in (mjlog.READER, reader))
    if (len(found.rounds), len(found.claims)) != (len(expected.rounds), len(expected.claims)):
        raise SystemExit(f"{reader.name}: {found.problems['recorded'][:3].to_list()}")
    times = []
    for _ in range(pairs):
        base = seconds(lambda: mjlog.READER.read(xml, BASE))
        times.append((base, seconds(lambda: reader.read(own, BASE))))
    base, least = (min(column) for column in zip(*times, strict=True))
    ratios = [spent / base for base, spent in times]
    size = sum(len(file.data) for file in own) / len(own) / 1000
    yield (
        f"{reader.name:14}{median(ratios):6.2f} times mjlog ({min(ratios):.2f} to {max(ratios):.2f}); "
        f"{1e6 * least / len(own):.0f} and {1e6 * base / len(own):.0f} us a game; {size:.1f} kB a game"
    )
    shares = [steps(reader, own) for _ in range(pairs)]
    for name in shares[0]:
        yield f"  {name:24}{median(each[name] for each in shares) / median(base for base, _ in times):8.2f}"


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    names = [reader.name for reader in READERS]
    parser.add_argument("formats", nargs="*", metavar="FORMAT", help=f"which readers: {', '.join(names)} (all)")
    parser.add_argument("--games", type=int, default=600, help="how many games a batch has (default: %(default)s)")
    parser.add_argument("--pairs", type=int, default=7, help="how many times to measure (default: %(default)s)")
    parser.add_argument("--rounds", type=int, help="how many rounds of a game are kept (all)")
    options = parser.parse_args()
    if unknown := set(options.formats) - set(names):
        parser.error(f"no such format: {', '.join(sorted(unknown))}")
    files = sources(options.games, options.rounds)
    rounds = sum(file.data.count(b"<INIT") for file in files["mjlog"]) / options.games
    print(f"{options.games} games of {rounds:.1f} rounds")
    gc.freeze()  # as a run does once its modules are loaded
    for reader in READERS:
        if reader.name in (options.formats or names):
            print(*report(reader, files, options.pairs), sep="\n")


if __name__ == "__main__":
    if os.environ.get(_THREADS) != ONE_CORE[_THREADS]:  # it is read when Polars is imported
        os.execve(sys.executable, [sys.executable, "-m", "scripts.bench_readers", *sys.argv[1:]], os.environ | ONE_CORE)
    main()
