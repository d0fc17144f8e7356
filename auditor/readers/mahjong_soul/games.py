"""Heads → the games table and the rule sets (auditor/readers/mahjong_soul/FORMAT.md sections 2 and 6)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from auditor.log import links
from auditor.log.columns import RANGES, SEATS
from auditor.log.seats import by_seat
from auditor.readers.mahjong_soul import rules
from auditor.readers.mahjong_soul.identity import identities
from auditor.readers.mahjong_soul.messages import classes
from auditor.readers.mahjong_soul.records import Fault
from auditor.readers.mahjong_soul.schema import MESSAGES
from auditor.readers.rooms import Room, mahjong_soul
from auditor.sources.log_files import content_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from google.protobuf.message import Message

    from auditor.readers.mahjong_soul.containers import Document
    from auditor.readers.mahjong_soul.records import Records
    from auditor.sources.log_files import Source
    from engine.rules.rule_sets import RuleSet

_RANKS = {1: "初心", 2: "雀士", 3: "雀杰", 4: "雀豪", 5: "雀圣", 6: "魂天", 7: "魂天"}
"""The ranks by the hundreds of a level's number; its last two digits count the steps."""
_TENS = 10
_NO_FINALS = [(0, 0, 0)] * SEATS
_LATEST = 1 << 32


class Head(NamedTuple):
    """What a head says. ``players`` is 0 where it does not say how many play."""

    uuid: str
    start: int
    players: int
    category: int
    mode: int | None
    table: str | None
    room: Room
    stated: tuple[tuple[str, int], ...]
    switches: tuple[int, ...]
    names: dict[int, str]
    levels: dict[int, tuple[int, int]]
    finals: list[tuple[int, int, int]]
    ended: bool
    said: bool


_NONE = Head("", 0, 0, 0, None, None, Room(), (), (), {}, {}, [], ended=True, said=False)
"""Without a head nothing says that the game is over, and so no such record is cut."""


class Games(NamedTuple):
    """Columns of the games table, all but the last event's number, and the rule sets."""

    games: dict[str, Any]
    rules: list[RuleSet]


def heads(documents: Sequence[Document], faults: list[Fault]) -> list[Head]:
    """Return what each document's head says."""
    return [_head(game, each.head, faults) if each.head is not None else _NONE for game, each in enumerate(documents)]


def _head(game: int, raw: bytes, faults: list[Fault]) -> Head:
    message: Any = classes()["RecordGame"]()
    try:
        message.ParseFromString(raw)
    except Exception as error:  # noqa: BLE001 - protobuf's DecodeError has no public base
        faults.append(Fault(game, 0, "L003", f"a head that cannot be read ({error})"[:80], "the head of a record"))
        return _NONE._replace(ended=False)
    mode, meta, category = message.config.mode, message.config.meta, message.config.category
    rule = mode.detail_rule
    switches = tuple(getattr(rule, rules.SWITCHES))
    stated = tuple((field.name, int(value)) for field, value in rule.ListFields() if field.name != rules.SWITCHES)
    faults += _unknown_rules(game, rule, switches)
    places = {name: getattr(meta, name) for name in MESSAGES["GameMetaData"]}
    words = {"category": category, "mode": mode.mode, **{name: value for name, value in places.items() if value}}
    known = bool(mode.mode)
    return Head(
        uuid=message.uuid,
        start=message.start_time,
        players=(3 if mode.mode // _TENS == 1 else 4) if known else 0,
        category=category,
        mode=mode.mode if known else None,
        table=" ".join(f"{name}={value}" for name, value in words.items()) if message.HasField("config") else None,
        room=mahjong_soul(category, mode.mode if known else None, meta.mode_id, dict(stated)),
        stated=stated,
        switches=switches,
        names={each.seat: each.nickname for each in message.accounts},
        levels={each.seat: (each.level.id, each.level3.id) for each in message.accounts},
        finals=[(each.seat, each.part_point_1, each.total_point) for each in message.result.players],
        ended=bool(message.end_time or message.result.players),
        said=True,
    )


def _unknown_rules(game: int, rule: Message, switches: tuple[int, ...]) -> list[Fault]:
    """Return the fields of a rule object that the schema lacks, and the switches of unknown event modes."""
    from google.protobuf.unknown_fields import UnknownFieldSet  # noqa: PLC0415 - see messages.py

    found = [
        f"field {number} of GameDetailRule" for number in sorted({each.field_number for each in UnknownFieldSet(rule)})
    ]
    found += [f"{rules.SWITCHES} {each}" for each in sorted({*switches} - {*rules.SWITCHED_MODES})]
    return [Fault(game, 0, "L003", each, "a rule that is known; it is passed over") for each in found]


def read(  # noqa: PLR0917
    records: Records, found: Sequence[Head], files: Sequence[int], sources: Sequence[Source], base: RuleSet,
    players: npt.NDArray[np.int8], faults: list[Fault],
) -> Games:  # fmt: skip
    """Return the games; ``files`` has each document's file, ``players`` int8[games] how many play."""
    sets: dict[RuleSet, int] = {}
    row = []
    for game, head in enumerate(found):
        ruled, fault = rules.rules(base, int(players[game]), head.category, head.mode, head.stated)
        row.append(sets.setdefault(ruled, len(sets)))
        if fault:
            faults.append(Fault(game, 0, "L003", fault[:120], "rules that go together"))
        if head.players and head.players != players[game]:
            faults.append(
                Fault(game, 0, "L006", f"mode {head.mode}: {head.players} players", f"{players[game]}, who have scores")
            )
    modes = [each for head in found for each in [_event_mode(head)]]
    for game, mode in enumerate(modes):
        if mode:
            records.modes.setdefault(game, mode)
    finals = [_finals(game, head, int(players[game]), faults) for game, head in enumerate(found)]
    ended = np.array([each is not None for each in finals], dtype=bool)
    numbers = np.array([each or _NO_FINALS for each in finals], dtype=np.int64).reshape(-1, SEATS, 3)
    # Places are worth something, so that the points of all are never 0: a record that leaves them out has none.
    settled = ended & numbers[:, :, 1].any(axis=1)
    columns = {
        "game": np.arange(len(found)),
        "game_id": _identities(records, sources, files),
        "source": [sources[file].name for file in files],
        "within": [each.within for each in records.documents],
        "platform": ["mahjong_soul"] * len(found),
        "rules": row,
        "players": players,
        "names": [_by_seat(head.names, int(players[game])) if head.names else None for game, head in enumerate(found)],
        "ranks": [_ranks(head, int(players[game])) for game, head in enumerate(found)],
        "start_time": pl.Series([_time(head.start) for head in found], dtype=pl.Datetime("us")),
        "table": [head.table for head in found],
        "room": pl.Series([head.room.room for head in found], dtype=pl.String),
        "mode": pl.Series([head.room.mode for head in found], dtype=pl.String),
        "link": pl.Series([links.game_link(links.MAHJONG_SOUL, head.uuid) for head in found], dtype=pl.String),
        "ended": pl.Series([head.ended or None for head in found], dtype=pl.Boolean),
        "final_scores": by_seat(numbers[:, :, 0].astype(np.int32), players, ended),
        "final_points": by_seat(numbers[:, :, 1] / 1000, players, settled),
        "places": by_seat(numbers[:, :, 2].astype(np.uint8), players, ended),
        "deposits_inferred": [False] * len(found),
        # A head has both times, but one that somebody made may have none.
        "states_end": [bool(head.start) or not head.said for head in found],
        "hands_shown": [True] * len(found),
        "liable_stated": [True] * len(found),
        "kan_indicator": ["before_draw"] * len(found),
    }
    return Games(columns, list(sets))


def _event_mode(head: Head) -> str | None:
    stated = dict(head.stated)
    named = [f"{words} ({name})" for name, words in rules.EVENT_MODES.items() if stated.get(name)]
    named += [
        f"{words} ({rules.SWITCHES} {number})"
        for number, words in rules.SWITCHED_MODES.items()
        if number in head.switches
    ]
    return next(iter(named), None)


def _identities(records: Records, sources: Sequence[Source], files: Sequence[int]) -> list[str]:
    """Return each game's identity: that of its records, or of its text if it has none."""
    return [
        known or content_id(f"{content_id(sources[file].data)} {document.within}".encode())
        for known, document, file in zip(identities(records, len(files)), records.documents, files, strict=True)
    ]


def _time(start: int) -> datetime | None:
    return datetime.fromtimestamp(start, UTC).replace(tzinfo=None) if 0 < start < _LATEST else None


def _by_seat(values: dict[int, str], players: int) -> list[str | None]:
    """Return texts by seat; null for the computer's seats, which the head leaves out."""
    return [values.get(seat) for seat in range(players)]


def _ranks(head: Head, players: int) -> list[str | None] | None:
    which = 1 if players == rules.THREE else 0
    if not any(level[which] for level in head.levels.values()):
        return None
    return _by_seat({seat: _rank(level[which]) for seat, level in head.levels.items() if level[which]}, players)


def _rank(level: int) -> str:
    return f"{_RANKS.get(level // 100 % 100, level // 100)}{level % 100}"


def level(rank: str, players: int) -> int | None:
    """Return the number of a rank, the reverse of the column ``ranks``; None if it is none of Mahjong Soul."""
    hundreds = next((number for number, name in _RANKS.items() if rank.startswith(name)), None)
    step = rank.removeprefix(_RANKS[hundreds]) if hundreds else ""
    if hundreds is None or not step.isdecimal() or len(step) > 2:
        return None
    return (20_000 if players == rules.THREE else 10_000) + 100 * hundreds + int(step)


def _finals(game: int, head: Head, players: int, faults: list[Fault]) -> list[tuple[int, int, int]] | None:
    """Return final score, points in thousandths, and place of each of four seats; None unless each player has them."""
    if not head.finals:
        return None
    seats = [seat for seat, _, _ in head.finals]
    score, points = RANGES["games"]["final_scores"], RANGES["games"]["final_points"]
    fits = all(
        score.low <= part <= score.high and points.low <= total / 1000 <= points.high for _, part, total in head.finals
    )
    if sorted(seats) != list(range(players)) or not fits:
        recorded = ", ".join(f"seat {seat}: {part}" for seat, part, _ in head.finals)
        faults.append(Fault(game, 0, "L003", f"result {recorded}"[:80], "a possible result of each seat"))
        return None
    seated = sorted((seat, part, total, place) for place, (seat, part, total) in enumerate(head.finals, 1))
    return [*(each[1:] for each in seated), *_NO_FINALS[players:]]
