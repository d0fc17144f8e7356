"""Faults: the definition, the list of all, and planting one in a clean log."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from tests.kit.mutate.mjlog import Game
from tests.kit.mutate.paipu import Paipu
from tests.kit.mutate.table import BOTH, tables_for
from tests.kit.mutate.tenhou_json import TenhouJson

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Plant = Callable[[Any, random.Random], int | None]

T = TypeVar("T")


class NoSite(Exception):  # noqa: N818  (no error: most logs have no pao)
    """A log has no place for this fault."""


@dataclass(frozen=True)
class Fault:
    """A kind of fault.

    Attributes
    ----------
    code
        the check that must report it
    title
        the change in words
    plant
        changes a game and returns the number of the spoiled round, None for the whole file
    also
        other codes that are then right, too
    form
        format of the logs: ``mjlog``, ``paipu`` for those of 電脳麻将, or ``tenhou_json``
    rules
        parameters of the audit that are not Tenhou's
    players
        the tables that can have this fault, by their number of players
    """

    code: str
    title: str
    plant: Plant
    also: frozenset[str] = frozenset()
    form: str = "mjlog"
    rules: tuple[tuple[str, object], ...] = ()
    players: frozenset[int] = BOTH

    def __str__(self) -> str:
        """Name the kind."""
        return f"{self.code} {self.title}"


FAULTS: list[Fault] = []


def fault(
    code: str,
    title: str,
    *,
    also: Iterable[str] = (),
    form: str = "mjlog",
    players: frozenset[int] = BOTH,
    **rules: object,
) -> Callable[[Plant], Plant]:
    """Enter a function into the list of faults."""

    def enter(plant: Plant) -> Plant:
        tables = tables_for(f"{code} {title}", players)
        entered = Fault(code, title, plant, frozenset(also), form, tuple(rules.items()), tables)
        if any(str(each) == str(entered) for each in FAULTS):
            raise ValueError(f"two kinds of one name: {entered}")
        FAULTS.append(entered)
        return plant

    return enter


def spoiled(code: str, title: str, *, also: Iterable[str] = ()) -> Callable[[Plant], Plant]:
    """Enter a function into the list of faults, as one of Tenhou's JSON."""
    return fault(code, f"{title}, in JSON", also=also, form="tenhou_json")


def pick(rng: random.Random, sites: Iterable[T]) -> T:
    """Draw one of these places.

    Raises
    ------
    NoSite
        when there is none

    """
    listed = list(sites)
    if not listed:
        raise NoSite
    rng.found = True  # type: ignore[attr-defined]
    return rng.choice(listed)


@dataclass(frozen=True)
class Mutant:
    """A log with one fault: ``name`` is its file name, ``log`` the clean log's, ``nth`` the spoiled round's number."""

    fault: Fault
    log: str
    name: str
    data: bytes
    nth: int | None


ATTEMPTS = 4
"""Attempts on a log before it counts as having no more places: some chosen places turn out to be unsuitable."""


def breed(fault: Fault, logs: Mapping[str, str], count: int, seed: int = 0) -> list[Mutant]:
    """Plant a fault ``count`` times, in as many different logs as possible, never twice in the same way."""
    names = sorted(name for name, text in logs.items() if _can_have(fault, name, text))
    random.Random(f"{seed}/{fault}").shuffle(names)
    found: dict[tuple[str, bytes], Mutant] = {}
    for attempt in range(ATTEMPTS):
        barren = set()
        for name in names:
            if len(found) == count:
                return list(found.values())
            rng = random.Random(f"{seed}/{fault}/{name}/{attempt}")
            mutant = _planted(fault, name, logs[name], rng, len(found))
            if mutant:
                found.setdefault((name, mutant.data), mutant)
            elif not hasattr(rng, "found"):  # no place at the first attempt: there is none
                barren.add(name)
        names = [name for name in names if name not in barren]
    return list(found.values())


def form_of(text: str) -> str | None:
    """Return the format of a log, None for one without kinds of fault."""
    if not text.startswith("{"):
        return "mjlog"
    keys = {'"qipai"': "paipu", '"log"': "tenhou_json"}
    return next((form for key, form in keys.items() if key in text), None)


def _can_have(fault: Fault, name: str, text: str) -> bool:
    if form_of(text) != fault.form:
        return False
    game = _parsed(fault.form, name, text)
    return not isinstance(game, Game) or game.table.players in fault.players


@cache
def _parsed(form: str, log: str, text: str) -> Game | Paipu | TenhouJson:
    if form == "tenhou_json":
        return TenhouJson.parse(text)
    return Paipu.parse(text) if form == "paipu" else Game.parse(text, log)


def _planted(fault: Fault, log: str, text: str, rng: random.Random, number: int) -> Mutant | None:
    game = _parsed(fault.form, log, text).copy()
    try:
        nth = fault.plant(game, rng)
    except NoSite:
        return None
    return Mutant(fault, log, f"{fault.code}/{number}/{fault.title}/{_file_name(log, game)}", game.encode(), nth)


def _file_name(log: str, game: Game | Paipu | TenhouJson) -> str:
    """Return the log's file name, with the table type of its GO if there is one."""
    if not isinstance(game, Game):
        return log
    go = next((tag for tag in game.tags if tag.name == "GO"), None)
    return log if go is None else re.sub(r"gm-[0-9a-f]{4}", f"gm-{int(go.attributes['type']):04x}", log)
