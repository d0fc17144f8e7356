"""AGARI and RYUUKYOKU → claims, shown hands and final scores (auditor/readers/mjlog/FORMAT.md sections 7 and 8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.log import tables
from auditor.log.arrays import where_known
from auditor.log.columns import RANGES, REASON, REASONS
from auditor.log.seats import by_seat
from auditor.readers.mjlog.absent import ABSENT
from auditor.readers.mjlog.fields import SPEC
from auditor.readers.mjlog.found import problems_at
from auditor.readers.mjlog.lists import Lists, decimals, fits
from auditor.readers.mjlog.melds import decode
from auditor.readers.mjlog.play import NO_ROUND
from auditor.readers.mjlog.players import THREE, WHO_PLAYS

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.readers.mjlog.tags import Tags
    from auditor.readers.mjlog.values import Values

_REASON = {
    "nm": REASON["nagashi"],
    "yao9": REASON["kyuushu"],
    "kaze4": REASON["four_winds"],
    "reach4": REASON["four_riichi"],
    "kan4": REASON["four_kans"],
    "ron3": REASON["triple_ron"],
}
_UNKNOWN = len(REASONS)
_REASONS = pl.Series([*REASONS, None], dtype=pl.Enum(REASONS))
"""How a round can end; null, at place _UNKNOWN, if the type of a draw is unknown."""

_URA = 53
_NAMES = ("AGARI", "RYUUKYOKU")


class MjlogResults(NamedTuple):
    """The canonical tables claims and shows, how games end, and problems (row, code, recorded, expected).

    ``finals`` are columns of the games table: final_scores, final_points, and ended, which is true if it has ``owari``.
    """

    claims: pl.DataFrame
    shows: pl.DataFrame
    finals: dict[str, pl.Series]
    problems: list[pl.DataFrame]


@dataclass(frozen=True)
class _Results:
    """Wins and draws, in the order of the file.

    ``row`` uint32[n] are their tags; ``order`` int64[n] is each one's place among all wins, then all draws.
    """

    values: Values
    row: npt.NDArray[np.uint32]
    order: npt.NDArray[np.int64]

    def where(self, chosen: npt.NDArray[np.bool_]) -> _Results:
        """Return some of these results."""
        return _Results(self.values, self.row[chosen], self.order[chosen])

    @property
    def won(self) -> npt.NDArray[np.bool_]:
        """bool[n]: which are wins."""
        return self.order < len(self.values.rows("AGARI"))

    def at(self, attribute: str) -> npt.NDArray[np.int64]:
        """Return the place of each one's attribute in ``values``, int64[n]; -1 for none."""
        places = [
            self.values.places(name, attribute) if attribute in SPEC[name] else np.full(len(self.values.rows(name)), -1)
            for name in _NAMES
        ]
        return np.concatenate(places)[self.order]

    def lists(self, attribute: str) -> Lists:
        """Return the numbers of each one's attribute."""
        return self.values.lists_at(self.at(attribute))


def read(
    tags: Tags, values: Values, round_of: npt.NDArray[np.uint32], unread: npt.NDArray[np.bool_], games: int
) -> MjlogResults:
    """Return the results of a batch of so many games, except those that are marked in ``unread`` (bool[tags])."""
    row = np.concatenate([values.rows(name) for name in _NAMES])
    order = np.argsort(row)
    order = order[~unread[row[order]]]
    results = _Results(values, row[order], order)
    finals, unreadable = _finals(results, tags, games)
    results = results.where(round_of[results.row] != NO_ROUND)
    reasons = _reasons(values)
    types = values.texts_at(values.places("RYUUKYOKU", "type")[reasons == _UNKNOWN]).to_list()
    recorded = [f'RYUUKYOKU type="{text[:80]}"' for text in types]
    unknown = problems_at(values.rows("RYUUKYOKU")[reasons == _UNKNOWN], recorded, "a known draw")
    return MjlogResults(
        claims=_claims(results, reasons, round_of[results.row], tags.event[results.row]),
        shows=_shows(results, round_of, tags),
        finals=finals,
        problems=[*unknown, *unreadable],
    )


def lists_ura(yaku: Lists) -> npt.NDArray[np.bool_]:
    """Return which wins list ura dora, as every riichi win does. Such a win also has ura dora indicators.

    ``yaku`` are pairs of yaku and han.
    """
    ids = yaku.every(2, 0)
    listed = np.zeros(len(ids.count), dtype=bool)
    listed[ids.owner[ids.flat == _URA]] = True
    return listed


def _reasons(values: Values) -> npt.NDArray[np.uint8]:
    """Return each draw's place in REASONS, uint8[draws]."""
    at = values.places("RYUUKYOKU", "type")
    reasons = np.full(len(at), REASON["exhaustive"], dtype=np.uint8)
    # Only aborts have a type, so the loop is short.
    reasons[at >= 0] = [_REASON.get(text, _UNKNOWN) for text in values.texts_at(at[at >= 0])]
    return reasons


def _claims(
    results: _Results, reasons: npt.NDArray[np.uint8], rounds: npt.NDArray[np.uint32], event: npt.NDArray[np.uint32]
) -> pl.DataFrame:
    """Return the table claims; ``reasons`` uint8[draws], ``rounds`` and ``event`` of each result."""
    listed = {name: results.lists(name) for name in SPEC["AGARI"] if SPEC["AGARI"][name]}

    def number(attribute: str, place: int = 0) -> pl.Series:
        numbers = listed[attribute].number(place)
        return where_known(numbers, numbers >= 0)

    reason = np.append(np.full(len(results.values.rows("AGARI")), REASON["win"]), reasons)[results.order]
    yaku, yakuman, ura, score = (listed[name] for name in ("yaku", "yakuman", "doraHaiUra", "sc"))
    pairs = score.first(2 * tables.SEATS).reshape(-1, tables.SEATS, 2) * 100
    players = results.values.players[results.values.tags.game[results.row]]
    before, deltas = (by_seat(pairs[:, :, at], players, score.known) for at in (0, 1))
    frame = {
        "claim": np.arange(len(rounds)),
        "round": rounds,
        "event": event,
        "nth": np.arange(len(rounds)) - np.searchsorted(rounds, rounds),
        "reason": _REASONS[reason],
        "winner": number("who"),
        "payer": number("fromWho"),
        "liable": number("paoWho"),
        "honba": number("ba", 0),
        "sticks": number("ba", 1),
        "win_tile_id": number("machi"),
        "fu": number("ten", 0),
        "points": number("ten", 1),
        "limit": number("ten", 2),
        # An empty list is the same as none; missing.py reports a win without yaku.
        "yaku": yaku.where(yaku.count > 0).column(np.uint8, 2, 0),
        "han": yaku.where(yaku.count > 0).column(np.int16, 2, 1),
        "yakuman": yakuman.where(yakuman.count > 0).column(np.uint8),
        "dora": listed["doraHai"].column(np.int16),
        "ura": ura.where((ura.count > 0) | ~lists_ura(yaku)).column(np.int16),
        # A win without the attribute has no melds; an attribute that cannot be read says nothing of them.
        "melds": _signatures(listed["m"], results.won & ((results.at("m") < 0) | listed["m"].known)),
        "before": before,
        "deltas": deltas,
    }
    return tables.conform(frame, tables.CLAIMS, ABSENT["claims"])


def _signatures(melds: Lists, said: npt.NDArray[np.bool_]) -> pl.Series:
    """Return each win's meld codes as a list of meld signatures in ascending order; an empty list if there are none.

    ``said`` bool[n] says which results tell the melds; the others have null.
    """
    codes = melds.every(1, 0)
    decoded = decode(codes.flat.astype(np.int64))
    signature = tables.meld_signature(decoded.kind, decoded.tile_ids)
    signature = signature[np.lexsort((signature, codes.owner))]
    return Lists(signature, codes.start, np.where(said, np.maximum(codes.count, 0), -1)).column(np.int64)


def _shows(results: _Results, round_of: npt.NDArray[np.uint32], tags: Tags) -> pl.DataFrame:
    """Return the hands that results show: the winner's, and at a draw those of the seats that show theirs.

    If a hand shown at a draw cannot be read, its ``tile_ids`` are null.
    """
    at = np.stack([results.at(f"hai{seat}") for seat in range(tables.SEATS)], axis=1)
    winner, hand = results.lists("who").number(), results.at("hai")
    won = np.flatnonzero((winner >= 0) & results.values.lists_at(hand).known)
    at[won, winner[won]] = hand[won]
    at[_of_nobody(results)] = -1
    claim, seat = np.nonzero(at >= 0)
    frame = {
        "claim": claim,
        "round": round_of[results.row[claim]],
        "event": tags.event[results.row[claim]],
        "seat": seat,
        "tile_ids": results.values.lists_at(at[claim, seat]).column(np.int16),
    }
    return tables.conform(frame, tables.SHOWS)


def _finals(results: _Results, tags: Tags, games: int) -> tuple[dict[str, pl.Series], list[pl.DataFrame]]:
    """Return how games end, from the last ``owari`` of each, and the unreadable ones as problems.

    ``owari`` has a pair of numbers for each seat: score in hundreds, final points. If one of them is impossible, both
    results are null.
    """
    results = results.where(results.at("owari") >= 0)
    text = results.values.texts_at(results.at("owari"))
    with np.errstate(over="ignore"):
        pairs = decimals(text, 2 * tables.SEATS)[0].reshape(-1, tables.SEATS, 2) * [100, 1]
    game = tags.game[results.row]
    players = results.values.players
    fit = fits(pairs[:, :, 0], RANGES["games"]["final_scores"]) & fits(pairs[:, :, 1], RANGES["games"]["final_points"])
    faulty = ~fit | (pairs != 0).any(axis=(1, 2), where=_of_nobody(results)[:, :, None])
    ended, known = np.zeros(games, dtype=bool), np.zeros(games, dtype=bool)
    final = np.zeros((games, tables.SEATS, 2))
    # A later owari replaces an earlier one, because NumPy assigns in order.
    ended[game], known[game] = True, fit
    final[game] = np.where(fit[:, None, None], pairs, 0)
    finals = {
        "final_scores": by_seat(final[:, :, 0].astype(np.int32), players, known),
        "final_points": by_seat(final[:, :, 1], players, known),
        "ended": where_known(ended, ended),
    }
    recorded = [f'owari="{each[:80]}"' for each in text.filter(pl.Series(faulty))]
    expected = [_PAIRS[int(count)] for count in players[game[faulty]]]
    return finals, problems_at(results.row[faulty], recorded, expected)


_PAIRS = {
    tables.SEATS: "score and points of each seat",
    THREE: f"score and points of each seat, the last two 0: {WHO_PLAYS}",
}


def _of_nobody(results: _Results) -> npt.NDArray[np.bool_]:
    """Return for each result which seats do not exist, bool[n, SEATS]."""
    players = results.values.players[results.values.tags.game[results.row]]
    return np.arange(tables.SEATS) >= players[:, None]
