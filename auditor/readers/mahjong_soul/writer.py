"""Writes games as records of Mahjong Soul, in protobuf's JSON without default values (FORMAT.md sections 1 to 5).

What players are shown and offered, and the tiles of the wall, are written where the log states them.
"""

from __future__ import annotations

import json
from datetime import UTC, timedelta
from typing import TYPE_CHECKING, Any

from auditor.log import links
from auditor.log.tables import SEATS
from auditor.log.tile_ids import KIND, LIVE_TILES, PHYSICAL
from auditor.readers.contract import Writer
from auditor.readers.mahjong_soul.beside import LETTERS, Beside
from auditor.readers.mahjong_soul.config import config
from auditor.readers.mahjong_soul.games import level
from auditor.readers.mahjong_soul.result_records import drawn, hule
from auditor.readers.mahjong_soul.schema import PREFIX
from auditor.readers.written.game import Hands, UnwritableError, is_tsumogiri, with_indicators

if TYPE_CHECKING:
    from auditor.readers.written.game import Event, Game, Result, Round

    Content = dict[str, Any]

_VERSION = 210715
_HOURS = {links.MAHJONG_SOUL: 0, links.TENHOU: 9}
"""How far the platform's own time is ahead of UTC, in hours."""
_AWAY = {"leave", "return"}
_CALLS = {"chi": 0, "pon": 1, "daiminkan": 2}
_KANS = {"kakan": 2, "ankan": 3}
_UNSAID = {"ratings": "ratings of the players", "seed": "seed of the walls"}
"""What a log may state of a game, and a record never does."""
_STICK = 1000
_THOUSAND = 1000


def write(game: Game) -> tuple[str, list[str]]:
    """Return a game as text, and what it lacks because the log or the format cannot tell it.

    Raises
    ------
    UnwritableError
        if there is no round, the log does not name a tile, no record has such red fives, or a stick is paid where none
        states it

    """
    if not game.rounds:
        raise UnwritableError("a game without rounds")
    game = with_indicators(game, "before_draw")
    lacks = list(game.lacks)
    actions = [
        {"type": 1, "result": {"name": f"{PREFIX}Record{name}", "data": _stated(content)}}
        for played in game.rounds
        for name, content in RoundRecords(game, played, lacks).records()
    ]
    head = _head(game, lacks)
    details = {"name": f"{PREFIX}GameDetailRecords", "data": {"version": _VERSION, "actions": actions}}
    return json.dumps({"head": head, "data": details} if head else {"data": details}, ensure_ascii=False,
                      separators=(",", ":")), lacks  # fmt: skip


def _stated(content: Content) -> Content:
    """Return a message without default values."""
    return {name: value for name, value in content.items() if value not in (None, 0, "", [], False)}


def _head(game: Game, lacks: list[str]) -> Content:
    """Return the head; an empty one if the log states nothing of it."""
    row = game.row
    stated = config(game)
    lacks += stated.lacks
    names = row["names"] or []
    accounts = [
        {"seat": seat, "nickname": name, **_level(row["ranks"], seat, game.players, lacks)}
        for seat, name in enumerate(names)
        if name is not None
    ]
    if row["platform"] != links.MAHJONG_SOUL:
        lacks.append("where it was played")
    lacks += [what for name, what in _UNSAID.items() if row[name]]
    if any(each.row["dice"] for each in game.rounds):
        lacks.append("dice")
    result = _final(game, lacks, settles=stated.settles)
    head = {
        "uuid": links.log_id(row["link"], links.MAHJONG_SOUL),
        "start_time": _start(game, lacks, over=result is not None),
        "config": stated.config and stated.config.message(),
        "accounts": [_stated(each) for each in accounts],
        "result": result,
    }
    return _stated(head)


def _level(ranks: list[str | None] | None, seat: int, players: int, lacks: list[str]) -> Content:
    rank = ranks[seat] if ranks else None
    number = level(rank, players) if rank else None
    if rank and number is None:
        lacks.append("ranks that are none of Mahjong Soul")
    return {} if number is None else {"level" if players == SEATS else "level3": {"id": number}}


def _start(game: Game, lacks: list[str], *, over: bool) -> int | None:
    """Return the start in seconds, UTC; none if that would make a game without a result (``over``) one that is cut."""
    start, hours = game.row["start_time"], _HOURS.get(game.row["platform"])
    if start is None:
        return None
    cut = game.row["states_end"] and not game.row["ended"]
    if hours is None or not (over or cut):
        lacks.append("when it began")
        return None
    return int((start.replace(tzinfo=UTC) - timedelta(hours=hours)).timestamp())


def _final(game: Game, lacks: list[str], *, settles: bool) -> Content | None:
    """Return the scores at the end, by place; and the points, if they are those of the record's rules (``settles``)."""
    scores, points, places = (game.row[name] for name in ("final_scores", "final_points", "places"))
    if not scores or any(each is None for each in scores[: game.players]):
        lacks.append("final scores")
        return None
    if points is None or not settles:
        lacks.append("final points" if points is None else "final points, which are of other rules than a record's")
        points = None
    order = sorted(range(game.players), key=lambda seat: (places[seat] if places else -scores[seat], seat))
    return {
        "players": [
            _stated({
                "seat": seat, "part_point_1": scores[seat],
                "total_point": points and round((points[seat] or 0) * _THOUSAND),
            })
            for seat in order
        ]
    }  # fmt: skip


class RoundRecords:
    """Writes one round: follows hands, scores and indicators as far as the events state them."""

    def __init__(self, game: Game, played: Round, lacks: list[str]) -> None:
        self.game, self.played, self.lacks = game, played, lacks
        self.where = f"round {played.row['nth']}"
        self.found: list[tuple[str, Content]] = []
        self.hands = Hands(played)
        self.beside = Beside(game)
        start = played.row["start"]
        self.scores: list[int] | None = None if start is None else [each or 0 for each in start]
        self.sticks: int = played.row["sticks"] or 0
        self.shown: list[int | None] = [played.row["dora"]]
        self.left = int(LIVE_TILES[game.players])
        self.pending = False
        self.stick: Content | None = None
        self.riichi: int | None = None
        self.declared: set[int | None] = set()
        self.drawn: Event | None = None
        self.last: Event | None = None
        self.before: Event | None = None

    def records(self) -> list[tuple[str, Content]]:
        """Return the records of the round: name without its prefix, and content."""
        events = self.played.events
        first = next((each for each in events if each.kind not in _AWAY), None)
        own = first if first and first.kind == "draw" and first.seat == self.played.row["dealer"] else None
        self._start(own)
        for event in events:
            if event is own:
                continue
            if event.kind == "result":
                self._results()
                break
            self._event(event)
        else:
            self.lacks.append(f"{self.where}: its result")
        if self.stick:
            # Without it no score behind it would add up.
            raise UnwritableError("a stick that is paid directly before an exhaustive draw")
        return self.found

    def tile(self, tile_id: int | None) -> str:
        """Return a tile as two letters.

        Raises
        ------
        UnwritableError
            if it is not known

        """
        if tile_id is None:
            raise UnwritableError("a tile that the log does not name")
        return LETTERS[self.game.tile(tile_id)]

    def tiles(self, tile_ids: list[int]) -> list[str]:
        """Return tiles as letters, two each."""
        return [self.tile(each) for each in tile_ids]

    def indicators(self) -> list[str]:
        """Return the indicators that are turned."""
        return [self.tile(each) for each in self.shown if each is not None]

    def _start(self, own: Event | None) -> None:
        """Write the start of the round; ``own`` is the dealer's first draw."""
        row = self.played.row
        self.lacks += [
            f"{self.where}: {name}"
            for name in ("wind", "dealer", "honba", "sticks", "start", "dora")
            if row[name] is None
        ]
        hands = [list(dealt) for dealt in self.played.dealt[: self.game.players]]
        if own is not None:
            hands[own.seat or 0].append(own.tile if own.tile is not None else -1)
            self._follow(own)
        if not all(hands) or any(tile < 0 for hand in hands for tile in hand):
            raise UnwritableError("a hand that the log does not show")
        kind, _, digest = (row["wall_hash"] or "").partition(":")
        number = row["event"]
        self._add("NewRound", {
            "chang": row["wind"], "ju": row["dealer"], "ben": row["honba"], "liqibang": row["sticks"],
            "scores": self.seated(row["start"]),
            **{f"tiles{seat}": self.tiles(hand) for seat, hand in enumerate(hands)},
            "doras": self.indicators(), "left_tile_count": self.beside.left(number, self.left),
            "paishan": row["wall"], "salt": row["salt"], "saltSha256": (row["salt_hash"] or "").partition(":")[2],
            **({kind: digest} if kind in {"md5", "sha256"} else {}),
            **self.beside.offered(number, row["dealer"], None, own=True),
        })  # fmt: skip

    def seated(self, values: list[Any] | None) -> list[Any]:
        """Return the values of the seats that play."""
        return [each or 0 for each in values[: self.game.players]] if values else []

    def _add(self, name: str, content: Content) -> None:
        self.found.append((name, content))

    def _follow(self, event: Event) -> None:
        """Let an event change the hands and the number of tiles left."""
        self.hands.follow(event)
        if event.kind == "draw":
            self.left -= 1
        if event.kind not in {"dora", "riichi", "deposit", "leave", "return"}:
            self.drawn = event if event.kind == "draw" else None
            self.last, self.before = event, self.last

    def _event(self, event: Event) -> None:
        """Write an event of play, or keep it for the record that states it."""
        match event.kind:
            case "draw":
                self._draw(event)
            case "discard":
                self._discard(event)
            case "chi" | "pon" | "daiminkan":
                self._call(event)
            case "ankan" | "kakan" | "kita":
                self._kan(event)
            case "riichi":
                self.riichi = event.seat
                self.declared.add(event.seat)
            case "deposit":
                self._deposit(event)
            case "dora":
                self._dora(event)
            case _:
                self.lacks.append(f"{self.where}: that seat {event.seat} {event.kind}s")
        self._follow(event)

    def _draw(self, event: Event) -> None:
        self._add("DealTile", {
            "seat": event.seat, "tile": self.tile(event.tile),
            "left_tile_count": self.beside.left(event.number, self.left - 1),
            "liqi": self.paid(), "doras": self._turned(), **self.beside.furiten(event),
            **self.beside.offered(event.number, event.seat, None, own=True),
        })  # fmt: skip

    def _discard(self, event: Event) -> None:
        declared = self.riichi is not None and self.riichi == event.seat
        own = self.drawn.tile if self.drawn else None
        known = event.tsumogiri is not None or own is None or own != event.tile or own < PHYSICAL
        if not known and len(self.found) > 1:  # the first discard of a round has no mark that says anything
            self.lacks.append(f"{self.where}: which discards are the tile just drawn")
        self._add("DiscardTile", {
            "seat": event.seat, "tile": self.tile(event.tile), "is_liqi": declared,
            "is_wliqi": declared and self._is_first_turn(event.seat), "moqie": is_tsumogiri(event, own),
            "doras": self._turned(), "tingpais": self.beside.waits(event.number, event.seat),
            **self.beside.furiten(event), **self.beside.offered(event.number, event.seat, event, own=False),
        })  # fmt: skip
        self.riichi = None

    def _is_first_turn(self, seat: int | None) -> bool:
        """Return whether a seat has not discarded yet, and nobody has called."""
        calls = any(name not in {"NewRound", "DealTile", "DiscardTile"} for name, _ in self.found)
        return not calls and not any(name == "DiscardTile" and each["seat"] == seat for name, each in self.found)

    def _call(self, event: Event) -> None:
        called, *others = event.tiles
        froms = [event.seat or 0] * len(others) + [event.source or 0]
        self._add("ChiPengGang", {
            "seat": event.seat, "type": _CALLS[event.kind], "tiles": self.tiles([*others, called]), "froms": froms,
            "liqi": self.paid(), **self.beside.furiten(event),
            **self.beside.offered(event.number, event.seat, None, own=True),
        })  # fmt: skip

    def _kan(self, event: Event) -> None:
        if event.kind == "kita":
            own = self.drawn.tile if self.drawn else None
            drawn_one = own is not None and event.tile is not None and int(KIND[own]) == int(KIND[event.tile])
            content: Content = {"seat": event.seat, "moqie": drawn_one}
        else:
            # Which of the four tiles of an ankan is named says nothing: the reader takes all from the hand.
            tile = self.tile(event.tile) if event.kind == "kakan" else LETTERS[int(KIND[event.tiles[0]])]
            content = {"seat": event.seat, "type": _KANS[event.kind], "tiles": tile}
        if event.kind == "ankan":
            content["doras"] = self._turned()
        name = "BaBei" if event.kind == "kita" else "AnGangAddGang"
        self._add(name, {**content, **self.beside.offered(event.number, event.seat, event, own=False)})

    def _deposit(self, event: Event) -> None:
        seat = event.seat or 0
        self.sticks += 1
        paid = self.game.rules.riichi_stick_value
        if self.scores is not None:
            self.scores[seat] -= _STICK if paid is None else paid
        score = self.scores[seat] if self.scores is not None else None
        self.stick = self.beside.paid(event.number, seat, {"seat": seat, "score": score, "liqibang": self.sticks})

    def paid(self) -> Content | None:
        """Return the stick that was just paid, for the record that states it."""
        paid, self.stick = self.stick, None
        return None if paid is None else (_stated(paid) or {"seat": 0})

    def _dora(self, event: Event) -> None:
        """Turn an indicator: the record of a kakan or north just before shows it, or the next draw or discard."""
        self.shown.append(event.tile)
        timed = self.game.row["kan_indicator"] is not None
        replaced = self.drawn is not None and self.before is not None and self.before.kind == "ankan"
        if self.last is not None and (self.last.kind in {"kakan", "kita"} or (replaced and not timed)):
            self.found[-1][1]["doras"] = self.indicators()
        else:
            self.pending = True

    def _turned(self) -> list[str]:
        """Return the indicators if there is a new one."""
        new, self.pending = self.pending, False
        return self.indicators() if new else []

    def _results(self) -> None:
        """Write the result: all winners at once, or the draw."""
        if self.pending:
            self._late()
        results = [each for each in self.played.results if each.claim["reason"] == "win"]
        if results:
            self._wins(results)
        elif self.played.results:
            name, content = drawn(self, self.played.results[0])
            if name:
                self._add(name, content)

    def _late(self) -> None:
        """Show an indicator that no record follows in the last record that can."""
        self.lacks.append(f"{self.where}: when the last indicator is turned")
        at = next((at for at in reversed(range(len(self.found))) if self.found[at][0] != "ChiPengGang"), 0)
        self.found[at][1]["doras"] = self.indicators()
        self.pending = False

    def _wins(self, results: list[Result]) -> None:
        known = [each for each in results if each.claim["winner"] is not None]
        if len(known) < len(results):
            self.lacks.append(f"{self.where}: who wins")
        changes = [self.seated(each.claim["deltas"]) for each in known]
        before = self.seated(known[0].claim["before"] if known else None) or self.seated(self.scores)
        total = [sum(each) for each in zip(*changes, strict=True)] if changes and all(changes) else []
        if not total:
            self.lacks.append(f"{self.where}: changes of score")
        if len(known) > 1 and total:
            self._shared(known)
        after = [old + change for old, change in zip(before, total, strict=True)] if before and total else []
        self._add("Hule", {
            "hules": [_stated(hule(self, each)) for each in known], "old_scores": before, "delta_scores": total,
            "scores": after,
        })  # fmt: skip

    def _shared(self, results: list[Result]) -> None:
        """Name what the sum of several winners' changes does not tell: a record has nothing else."""
        for each in results[1:]:
            claim = each.claim
            moved = {seat: change for seat, change in enumerate(claim["deltas"]) if change}
            gain = moved.pop(claim["winner"], 0)
            others = [one.claim["deltas"][claim["winner"]] for one in results if one is not each]
            if moved != ({claim["payer"]: -gain} if gain else {}) or any(others):
                self.lacks.append(f"{self.where}: the changes of score of each winner")
                return


WRITER = Writer(".json", write, frozenset({"yaku", "fu", "points", "tenpai"}))
