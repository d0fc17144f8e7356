"""The table of games: names, dialect, rules and final scores; games that are not read, and problems of texts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from auditor.log import links, tables
from auditor.log.arrays import filled, gathered, is_known, where_known
from auditor.log.columns import RANGES
from auditor.log.event_kinds import CODE
from auditor.log.tables import SEATS
from auditor.readers.json_text import printable
from auditor.readers.mjai import rules
from auditor.readers.mjai.careful import NO_JSON, Note
from auditor.readers.mjai.dialects import JANSOU, RIICHIENV, Dialect, dialect_of
from auditor.readers.mjai.texts import END, entries_of
from auditor.readers.rooms import Room, mode_id
from auditor.readers.tenhou_ids import log_id
from auditor.sources.log_files import content_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from auditor.readers.mjai.containers import Document
    from auditor.readers.mjai.lines import Lines
    from auditor.sources.log_files import Source
    from engine.rules.rule_sets import RuleSet

    Ints = npt.NDArray[np.int64]

_ADDRESS = re.compile(r"https?://(?:tenhou\.net/\d/\?log=\S+|[\w./-]+/\?paipu=(?P<uuid>[0-9a-f-]+))", re.ASCII)
"""Addresses of games of Tenhou and of Mahjong Soul."""
_CHINESE = "a game of Chinese-official rules, which has no dora indicator"
_SCALE = 100


class Games(NamedTuple):
    """The games of a batch: columns of the games table, their dialects, problems.

    ``first_mark`` bool[games]: whether the dealer's first discard of a round is marked if it is the tile drawn.
    ``unread`` bool[games]: the games that are not read.
    """

    games: dict[str, Any]
    dialects: list[Dialect]
    first_mark: npt.NDArray[np.bool_]
    unread: npt.NDArray[np.bool_]
    rules: list[RuleSet]
    problems: list[pl.DataFrame]

    def of_dialect(self, fact: str) -> npt.NDArray[np.bool_]:
        """Return a fact of each game's dialect, bool[games]."""
        return np.array([getattr(each, fact) for each in self.dialects], dtype=bool)


def read(lines: Lines, found: Sequence[tuple[int, Document]], sources: Sequence[Source], base: RuleSet) -> Games:
    """Return the games; ``found`` has each document with its file's place in ``sources``."""
    count = len(lines.doc_of_game)
    heads = [lines.texts.heads[int(lines.text[line])] if line >= 0 else {} for line in lines.heads]
    besides = [found[doc][1].beside or {} for doc in lines.doc_of_game]
    dialects = _dialects(lines, heads, besides)
    problems: list[tuple[int, str, str, str]] = []
    sets: dict[RuleSet, int] = {}
    row = []
    for game, (head, beside, dialect) in enumerate(zip(heads, besides, dialects, strict=True)):
        ruled, fault = _rules(base, head, beside, dialect, int(lines.players[game]))
        row.append(sets.setdefault(ruled, len(sets)))
        if fault:
            problems.append((game, "L003", fault, "the rules of the game"))
    of_game = lines.doc_of_game
    told = _of_texts(lines)
    unread = _not_riichi(lines, problems)
    other = told.filter(pl.col("code") == "L007").unique("game", keep="first", maintain_order=True)
    problems += [(row["game"], "L007", row["recorded"], row["expected"]) for row in other.iter_rows(named=True)]
    unread[other["game"].to_numpy()] = True
    told = told.filter(~pl.col("game").is_in(other["game"].implode()))
    for game in np.flatnonzero(np.bincount(lines.game, minlength=count) == 0).tolist():
        doc = found[of_game[game]][1]
        unread[game] = True
        problems.append((game, "L001", doc.fault or "a text without mjai events", "the events of a game"))
    ends, scores = _ends(lines, besides, count)
    alone = np.bincount(of_game, minlength=len(found)) == 1
    first = np.searchsorted(lines.game, np.arange(count))
    number = np.append(lines.number, 0)[first]
    within = [found[doc][1].within if alone[doc] else str(number[game]) for game, doc in enumerate(of_game.tolist())]
    last = np.searchsorted(lines.game, np.arange(count), side="right") - 1
    games = {
        "game": np.arange(count),
        "game_id": [
            _identity(sources[found[doc][0]], found[doc][1], alone[doc], number[game])
            for game, doc in enumerate(of_game.tolist())
        ],
        "source": [sources[found[doc][0]].name for doc in of_game],
        "within": within,
        "platform": [each.name for each in dialects],
        "rules": row,
        "players": lines.players,
        "names": [_by_seat(lines, game, head.get("names")) for game, head in enumerate(heads)],
        "ranks": [_by_seat(lines, game, _inner(head, "majsoul").get("ranks")) for game, head in enumerate(heads)],
        "table": [_table(head, beside) for head, beside in zip(heads, besides, strict=True)],
        "room": pl.Series([_room(head).room for head in heads], dtype=pl.String),
        "mode": pl.Series([_room(head).mode for head in heads], dtype=pl.String),
        "link": pl.Series([_link(head) for head in heads], dtype=pl.String),
        "seed": [_seed(head, beside) for head, beside in zip(heads, besides, strict=True)],
        "ended": pl.Series([True if each else None for each in ends.tolist()], dtype=pl.Boolean),
        "final_scores": scores,
        "places": [_places(lines, game, beside, dialects[game]) for game, beside in enumerate(besides)],
        "deposits_inferred": [False] * count,
        "states_end": [True] * count,
        "hands_shown": _hands_shown(lines, dialects),
        "liable_stated": ["liable" in each.states for each in dialects],
        "kan_indicator": [
            # jansou can delay the indicator of an ankan, which no rule of the auditor says.
            None if _jansou_rules(head, beside).get("closed_kan_indicator_immediate") is False else each.kan_indicator
            for each, head, beside in zip(dialects, heads, besides, strict=True)
        ],
        "last_event": pl.Series([int(lines.number[at]) if at >= 0 else None for at in last], dtype=pl.UInt32),
    }
    frame = pl.DataFrame(
        problems, schema={"game": pl.UInt32, "code": pl.String, "recorded": pl.String, "expected": pl.String},
        orient="row",
    )  # fmt: skip
    marked = [
        each.first_mark and _inner(beside, "rule").get("dealer_first_discard_is_tedashi") is not True
        for each, beside in zip(dialects, besides, strict=True)
    ]
    return Games(
        games,
        dialects,
        np.array(marked, dtype=bool),
        unread,
        list(sets),
        [tables.problem_rows(frame), _renumbered(told, lines, unread)],
    )


def _identity(source: Source, document: Document, alone: bool, number: int) -> str:  # noqa: FBT001
    text = content_id(source.data if document.within is None else document.text)
    return text if alone else content_id(f"{text} {number}".encode())


def _inner(holder: dict[str, Any], key: str) -> dict[str, Any]:
    value = holder.get(key)
    return value if isinstance(value, dict) else {}


def _jansou_rules(head: dict[str, Any], beside: dict[str, Any]) -> dict[str, Any]:
    return _inner(beside, "rules") or _inner(head, "rules")


def _by_seat(lines: Lines, game: int, listed: Any) -> list[str] | None:  # noqa: ANN401
    """Return texts by actor as texts by seat; None unless there is one for each player."""
    players = int(lines.players[game])
    if not isinstance(listed, list) or len(listed) not in (players, SEATS):
        return None
    if not all(isinstance(each, str) for each in listed[:players]):
        return None
    return [printable(listed[(seat + int(lines.shift[game])) % players]) for seat in range(players)]


def _table(head: dict[str, Any], beside: dict[str, Any]) -> str | None:
    for value in (head.get("gametype"), _inner(head, "majsoul").get("room"), beside.get("rule_name"),
                  head.get("preset"), beside.get("mode")):  # fmt: skip
        if isinstance(value, str):
            return printable(value)
    return None


def _room(head: dict[str, Any]) -> Room:
    """Return the room of a game of Mahjong Soul."""
    return mode_id(_inner(head, "majsoul").get("mode_id"))


def _link(head: dict[str, Any]) -> str | None:
    """Return the address of a game that was played elsewhere, if the log names the game."""
    uuid, address = _inner(head, "majsoul").get("uuid"), head.get("uri")
    if isinstance(uuid, str):
        return links.game_link(links.MAHJONG_SOUL, uuid)
    found = _ADDRESS.match(address) if isinstance(address, str) else None
    if found is None or found["uuid"]:
        return links.game_link(links.MAHJONG_SOUL, found and found["uuid"])
    named = log_id(found[0])
    return named and named.link


def _seed(head: dict[str, Any], beside: dict[str, Any]) -> str | None:
    value = head.get("seed", beside.get("seed"))
    if isinstance(value, list):
        return printable(",".join(str(each) for each in value)[:200])
    return printable(str(value)[:200]) if isinstance(value, int | str) and not isinstance(value, bool) else None


def _dialects(lines: Lines, heads: list[dict[str, Any]], besides: list[dict[str, Any]]) -> list[Dialect]:
    count = len(heads)
    result = np.flatnonzero(lines.kind == CODE["result"])
    game = lines.game[result]
    frame = lines.texts.frame[["yakus", "fan", "reason"]][lines.texts.row[lines.text[result]]]

    def any_of(column: str) -> npt.NDArray[np.bool_]:
        return np.bincount(game[is_known(frame[column])], minlength=count) > 0

    yaku, han = any_of("yakus"), any_of("fan")
    named = is_known(frame["reason"])
    reasons: dict[int, set[str]] = {}
    for number, reason in zip(game[named].tolist(), frame["reason"].filter(pl.Series(named)).to_list(), strict=True):
        reasons.setdefault(number, set()).add(reason)
    return [
        dialect_of(
            frozenset(head), str(beside.get("engine", "")), reasons=frozenset(reasons.get(number, ())),
            yaku=bool(yaku[number]), han=bool(han[number]),
        )
        for number, (head, beside) in enumerate(zip(heads, besides, strict=True))
    ]  # fmt: skip


def _hands_shown(lines: Lines, dialects: list[Dialect]) -> list[bool]:
    """Return whether each game's draws show the tenpai hands: its dialect does, and no exhaustive draw is without."""
    drawn = np.flatnonzero(lines.kind == CODE["result"])
    frame = lines.texts.frame[["type", "tenpais", "tehais"]][lines.texts.row[lines.text[drawn]]]
    bare = (frame["type"] == "ryukyoku").to_numpy() & ~is_known(frame["tenpais"]) & ~is_known(frame["tehais"])
    without = np.zeros(len(dialects), dtype=bool)
    without[lines.game[drawn[bare]]] = True
    return [each.hands_shown and not bool(without[game]) for game, each in enumerate(dialects)]


def _rules(
    base: RuleSet, head: dict[str, Any], beside: dict[str, Any], dialect: Dialect, players: int
) -> tuple[RuleSet, str | None]:
    values = (
        _inner(beside, "rule") if dialect is RIICHIENV else _jansou_rules(head, beside) if dialect is JANSOU else {}
    )
    engine, mode = dialect.name if values else "", str(beside.get("mode", ""))
    try:
        return rules.stated(base, head, engine=engine, values=values, mode=mode, players=players), None
    except rules.RuleObjectError as error:  # no rule is known
        found = rules.stated(type(base)(), {}, engine="", values=None, mode="", players=players)
        return found, printable(str(error))


def _not_riichi(lines: Lines, problems: list[tuple[int, str, str, str]]) -> npt.NDArray[np.bool_]:
    """Return the games of other rules or of other tiles, bool[games], and say why in ``problems`` (L007)."""
    count = len(lines.doc_of_game)
    start = lines.starts
    game = lines.game[start]
    deal = lines.texts.frame[["dora_marker", "scores"]][lines.texts.row[lines.text[start]]]
    row, score = entries_of(deal["scores"])
    single = np.bincount(row[filled(score, 0) % _SCALE != 0], minlength=len(start)) > 0
    rounds = np.bincount(game, minlength=count)
    turned = np.bincount(game[is_known(deal["dora_marker"])], minlength=count)
    chinese: npt.NDArray[np.bool_] = (rounds > 0) & (turned == 0)
    chinese |= 2 * np.bincount(game[single], minlength=count) > rounds
    problems += [(number, "L007", _CHINESE, "a game of riichi") for number in np.flatnonzero(chinese).tolist()]
    return chinese


def _of_texts(lines: Lines) -> pl.DataFrame:
    """Return the faults of texts as problems, at each line that has one."""
    doc, number, text = lines.faulty
    if not len(doc):
        return pl.DataFrame(schema=tables.PROBLEMS)
    last = lines.last_of_doc
    # The last event before the line has its game and round.
    place = lines.doc * (1 << 32) + lines.number
    before = np.searchsorted(place, doc * (1 << 32) + number, side="right") - 1
    rows = []
    for at, line_doc, line, each in zip(before.tolist(), doc.tolist(), number.tolist(), text.tolist(), strict=True):
        inside = at >= 0 and lines.doc[at] == line_doc
        games = np.flatnonzero(lines.doc_of_game == line_doc)
        game = int(lines.game[at]) if inside else int(games[0])
        round_ = int(lines.round[at]) if inside and lines.round[at] >= 0 else None
        for note in lines.texts.notes[each]:
            cut = note.code == "L003" and note.recorded.startswith(NO_JSON) and line == last[line_doc]
            ended = Note("L002", note.recorded.removeprefix(NO_JSON), "the rest of the event")
            rows.append((game, round_, line, *(ended if cut else note)))
    schema = {
        "game": pl.UInt32, "round": pl.UInt32, "event": pl.UInt32, "code": pl.String, "recorded": pl.String,
        "expected": pl.String, "play": pl.Boolean,
    }  # fmt: skip
    return tables.problem_rows(pl.DataFrame(rows, schema=schema, orient="row"))


def _renumbered(problems: pl.DataFrame, lines: Lines, unread: npt.NDArray[np.bool_]) -> pl.DataFrame:
    """Return problems with the numbers that rounds have without those of unread games."""
    if not len(problems) or not unread.any():
        return problems
    kept = ~unread[lines.game[lines.starts]]
    number = where_known(np.append(np.cumsum(kept) - 1, 0).astype(np.uint32), np.append(kept, False))
    rows = filled(problems["round"], len(kept)).astype(np.int64)
    return problems.with_columns(gathered(number, rows).alias("round"))


def _ends(lines: Lines, besides: list[dict[str, Any]], count: int) -> tuple[npt.NDArray[np.bool_], pl.Series]:
    """Return whether each game says that it is over, and its final scores by seat."""
    ended = np.zeros(count, dtype=bool)
    end = np.flatnonzero(lines.kind == END)
    ended[lines.game[end]] = True
    stated: list[list[int] | None] = [None] * count
    listed = gathered(lines.texts.frame["scores"], lines.texts.row[lines.text[end]]).to_list()
    for game, scores in zip(lines.game[end].tolist(), listed, strict=True):
        stated[game] = scores
    low, high = RANGES["games"]["final_scores"].low, RANGES["games"]["final_scores"].high
    found: list[list[int | None] | None] = []
    for game, beside in enumerate(besides):
        scores = stated[game] if stated[game] is not None else beside.get("scores")
        players = int(lines.players[game])
        good = isinstance(scores, list) and len(scores) in (players, SEATS)
        if not good or not all(type(each) is int and low <= each <= high for each in scores or ()):
            found.append(None)
            continue
        turned: list[int | None] = [scores[(seat + int(lines.shift[game])) % players] for seat in range(players)]  # type: ignore[index]
        found.append(turned + [None] * (SEATS - players))
    return ended, pl.Series(found, dtype=tables.GAMES["final_scores"])


def _places(lines: Lines, game: int, beside: dict[str, Any], dialect: Dialect) -> list[int | None] | None:
    """Return places by seat: RiichiEnv's ``ranks`` by actor, jansou's ``ranking`` of actors."""
    players = int(lines.players[game])
    if dialect is JANSOU and isinstance(order := beside.get("ranking"), list):
        if sorted(map(str, order)) != [str(actor) for actor in range(players)]:
            return None
        scores = beside.get("scores")
        if not isinstance(scores, list) or len({*map(str, scores)}) < players:
            return None  # an order of seats does not say whether equal scores share a place
        ranks: Any = [order.index(actor) + 1 for actor in range(players)]
    else:
        ranks = beside.get("ranks")
    if not isinstance(ranks, list) or len(ranks) != players or not all(type(each) is int for each in ranks):
        return None
    if not all(1 <= each <= SEATS for each in ranks):
        return None
    turned = [ranks[(seat + int(lines.shift[game])) % players] for seat in range(players)]
    return [*turned, *[None] * (SEATS - players)]
