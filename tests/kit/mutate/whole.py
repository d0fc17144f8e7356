"""Faults of a log as a whole: the same game twice, and contradicting statements (L005, L006)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.kit.mutate.fault import NoSite, fault, pick

if TYPE_CHECKING:
    import random

    from tests.kit.mutate.mjlog import Game
    from tests.kit.mutate.paipu import Paipu

LOG_NAME = re.compile(r"\d{10}gm-[0-9a-f]{4}-0000-")


@fault("L005", "the same game twice in a file", form="paipu")
def twice(game: Paipu, rng: random.Random) -> None:  # noqa: ARG001
    """Write the game, and write it again."""
    game.record = [game.record, game.record]  # type: ignore[assignment]


@fault("L006", "another lobby than in the file's name")
def other_lobby(game: Game, rng: random.Random) -> None:
    """Name a lobby in GO."""
    go = game.first("GO")
    if not LOG_NAME.match(game.name) or "lobby" not in go:
        raise NoSite
    go.attributes["lobby"] = str(rng.randrange(1000, 10000))


@fault("L006", "another dealer than the round's number gives")
def other_dealer(game: Game, rng: random.Random) -> int:
    """Write another seat into INIT oya."""
    round_ = pick(rng, game.rounds)
    round_.init.attributes["oya"] = str((round_.dealer + rng.randrange(1, game.table.players)) % game.table.players)
    return round_.nth


@fault("L006", "another round's number than the dealer gives")
def other_number(game: Game, rng: random.Random) -> int:
    """Write another number into INIT seed, with another dealer."""
    round_ = pick(rng, game.rounds)
    place = round_.init.numbers("seed")[0]
    numbers = [each for each in range(game.table.last_place + 1) if each % 4 in game.table.seats]
    steps = [step for step in (-3, -2, -1, 1, 2, 3) if place + step in numbers]
    round_.init.add("seed", 0, pick(rng, [step for step in steps if step % 4]))
    return round_.nth


@fault("L006", "another first dealer than seat 0")
def other_first_dealer(game: Game, rng: random.Random) -> None:
    """Write another seat into TAIKYOKU oya."""
    game.first("TAIKYOKU").attributes["oya"] = str(rng.randrange(1, game.table.players))
