"""hora and ryukyoku → claims and shown hands (auditor/readers/mjai/FORMAT.md section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from auditor.log import tables
from auditor.log.arrays import filled, gathered, is_known, lists, points_by_seat, where_known
from auditor.log.columns import REASON, REASONS
from auditor.log.event_kinds import CODE, KANS, is_kind
from auditor.log.seats import by_seat
from auditor.log.tables import SEATS
from auditor.log.tile_ids import HAND_SIZE, KIND, LIVE_TILES
from auditor.readers.mjai import beside, yaku
from auditor.readers.mjai.absent import ABSENT
from auditor.readers.mjai.play import LARGEST_NOTEN_PAYMENT, at, points, problems_at
from auditor.readers.mjai.texts import entries_of, nth_of, tile_ids
from auditor.readers.mjai.yaku_names import YAKUMAN_HAN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from auditor.readers.mjai.lines import Lines
    from auditor.readers.mjai.play import MjaiPlay

    Ints = npt.NDArray[np.int64]

_UNKNOWN = len(REASONS)
_REASONS = pl.Series([*REASONS, None], dtype=pl.Enum(REASONS))

REASON_NAMES = {
    **dict.fromkeys(("fanpai", "exhaustive_draw", "exhaustive"), REASON["exhaustive"]),
    **dict.fromkeys(("nagashimangan", "nm"), REASON["nagashi"]),
    **dict.fromkeys(("kyushukyuhai", "kyushu_kyuhai", "yao9"), REASON["kyuushu"]),
    **dict.fromkeys(("sufonrenta", "sufuurenta", "kaze4"), REASON["four_winds"]),
    **dict.fromkeys(("suchareach", "suucha_riichi", "reach4"), REASON["four_riichi"]),
    **dict.fromkeys(("sukaikan", "suukansansen", "kan4"), REASON["four_kans"]),
    **dict.fromkeys(("sanchaho", "ron3"), REASON["triple_ron"]),
}
"""The kinds of draws by the names of all dialects: gimite, RiichiEnv, jansou."""


_FIELDS = (
    "type", "pai", "scores", "tehais", "deltas", "reason", "tenpais", "hora_tehais", "hora_points", "fu", "fan",
    "yakus", "pao", "ura_markers", "uradora_markers", "uradora_marker",
)  # fmt: skip


class MjaiResults(NamedTuple):
    """The canonical tables claims and shows, and problems."""

    claims: pl.DataFrame
    shows: pl.DataFrame
    problems: list[pl.DataFrame]


def read(
    lines: Lines, played: MjaiPlay, besides: Sequence[Mapping[str, Any] | None], whole_fu: npt.NDArray[np.bool_]
) -> MjaiResults:
    """Return the results of a batch; ``besides`` has the object around each document's events.

    ``whole_fu`` bool[games] says whether fu are rounded up to tens.
    """
    line = played.results
    frame = lines.texts.frame[list(_FIELDS)][at(lines, line)]
    game, round_ = lines.game[line], lines.round[line]
    actor = lines.texts.actor[lines.text[line]]
    won = (frame["type"] == "hora").to_numpy()
    winner = np.where(won, lines.seat(actor, game), -1)
    payer = np.where(won, lines.seat(lines.texts.target[lines.text[line]], game), -1)
    liable = np.where(won, lines.seat(filled(frame["pao"], -1), game), -1)
    deltas, before = _changes(lines, played, frame, game, round_)
    reason, problems = _reasons(lines, played, frame, won, deltas)
    tile, fu, fan = tile_ids(frame["pai"]), filled(frame["fu"], 0), filled(frame["fan"], 0)
    ordinary = won & is_known(frame["fan"]) & (fan < YAKUMAN_HAN)
    ura = frame["ura_markers"].zip_with(frame["ura_markers"].is_not_null(), frame["uradora_markers"])
    ura = ura.zip_with(ura.is_not_null(), frame["uradora_marker"])
    table: dict[str, Any] = {
        "claim": np.arange(len(line)),
        "round": round_,
        "event": lines.number[line],
        "nth": np.arange(len(line)) - np.searchsorted(round_, round_),
        "reason": _REASONS[reason],
        "winner": where_known(winner, winner >= 0),
        "payer": where_known(payer, payer >= 0),
        "liable": where_known(liable, liable >= 0),
        "win_tile_id": where_known(tile, won & (tile >= 0)),
        "fu": where_known(
            np.where(whole_fu[game] | (fu == _PAIRS_FU), fu, -(-fu // 10) * 10), won & is_known(frame["fu"])
        ),
        "points": where_known(frame["hora_points"], won & is_known(frame["hora_points"])),
        "total_han": where_known(fan, ordinary),
        "ura": where_known(_tile_lists(ura), won & is_known(ura)),
        "before": before,
        "deltas": deltas,
        "total_units": where_known((fan // YAKUMAN_HAN).astype(np.int16), won & (fan >= YAKUMAN_HAN)),
    }
    listed = frame["yakus"]
    told = _told_beside(lines, played, actor, won, besides)
    if told:
        listed = _merged(listed, told, "yakus")
        table |= {name: _merged(pl.Series(table[name]), told, name) for name in _BESIDE}
    shows = _shows(lines, line, frame, won, winner)
    table |= yaku.columns(listed, {"round": pl.Series(round_), "winner": table["winner"]}, played, shows)
    claims = tables.conform(table, tables.CLAIMS, ABSENT["claims"])
    return MjaiResults(claims, shows, problems)


_HONBA = 100
"""What RiichiEnv adds to a ron for each honba and each payer of a tsumo."""
_PAIRS_FU = 25
"""The fu of seven pairs, which are never rounded."""
_BESIDE = ("fu", "points", "total_han", "total_units", "liable", "win_tile_id")
"""The columns of claims that the object around a game can state."""


def _told_beside(
    lines: Lines,
    played: MjaiPlay,
    actor: npt.NDArray[np.int8],
    won: npt.NDArray[np.bool_],
    besides: Sequence[Mapping[str, Any] | None],
) -> dict[int, dict[str, Any]]:
    """Return what the object around a game says about its wins, by claim."""
    found: dict[int, dict[str, Any]] = {}
    game, round_ = lines.game[played.results], lines.round[played.results]
    nth = played.rounds["nth"].to_numpy()[round_]
    honba, first = filled(played.rounds["honba"], 0), np.append(True, round_[1:] != round_[:-1])
    wins: dict[int, dict[tuple[int, int], dict[str, Any]]] = {}
    some = np.array([bool(each) for each in besides], dtype=bool)
    for claim in np.flatnonzero(won & some[lines.doc_of_game[game]]).tolist():
        number = int(game[claim])
        if number not in wins:
            wins[number] = beside.wins(besides[lines.doc_of_game[number]] or {})
        each = wins[number].get((int(nth[claim]), int(actor[claim])))
        if each is not None:
            liable = each.get("liable")
            seat = None if liable is None else int(lines.seat(np.array([liable]), game[claim : claim + 1])[0])
            found[claim] = each | {"liable": seat if seat is not None and seat >= 0 else None}
            if each.get("points_with_honba"):
                counted = int(honba[round_[claim]]) if first[claim] else 0
                payers = int(played.players[round_[claim]]) - 1
                found[claim]["points"] = each["points_with_honba"] - _HONBA * payers * counted
    return found


def _merged(column: pl.Series, told: dict[int, dict[str, Any]], name: str) -> pl.Series:
    """Return a column with the values told beside the game where it has none."""
    values = column.to_list()
    for claim, each in told.items():
        if values[claim] is None:
            values[claim] = each.get(name)
    return pl.Series(values, dtype=column.dtype)


def _tile_lists(column: pl.Series) -> pl.Series:
    """Return lists of tiles as lists of tile ids; hidden tiles are left out."""
    row, names = entries_of(column)
    tile = tile_ids(names)
    shown = tile >= 0
    return lists(tile[shown], np.bincount(row[shown], minlength=len(column)))


def _changes(
    lines: Lines, played: MjaiPlay, frame: pl.DataFrame, game: Ints, round_: Ints
) -> tuple[pl.Series, pl.Series]:
    """Return the changes of score by each result, and the scores before it.

    Some dialects state the scores after the result in place of the changes, or beside them. The scores before a round's
    first result are then those at its start, less the sticks that were paid.
    """
    deltas, after = (points(frame[name], lines, game) for name in ("deltas", "scores"))
    stated, known = is_known(deltas), is_known(after)
    change, later = points_by_seat(deltas), points_by_seat(after)
    start = played.rounds["start"]
    earlier = points_by_seat(start)[round_] - 1000 * played.paid[round_]
    follows = np.append(False, round_[1:] == round_[:-1])[: len(round_)]
    earlier[follows] = np.roll(later, 1, axis=0)[follows]
    from_start = is_known(start)[round_] & (~follows | np.roll(known, 1))
    inferred = known & ~stated & from_start
    change = np.where(inferred[:, None], later - earlier, change)
    players = lines.players[game].astype(np.int64)
    both = known & (stated | inferred)
    return (
        by_seat(change.astype(np.int32), players, stated | inferred),
        by_seat((later - change).astype(np.int32), players, both),
    )


def _reasons(
    lines: Lines, played: MjaiPlay, frame: pl.DataFrame, won: npt.NDArray[np.bool_], deltas: pl.Series
) -> tuple[npt.NDArray[np.uint8], list[pl.DataFrame]]:
    """Return how each result ends its round, as a place in REASONS, and as problems the draws with an unknown name."""
    named = frame["reason"]
    reason = filled(named.replace_strict(REASON_NAMES, default=_UNKNOWN, return_dtype=pl.UInt8), _UNKNOWN).copy()
    reason[won] = REASON["win"]
    told = is_known(named) & ~won
    wrong = np.flatnonzero(told & (reason == _UNKNOWN))
    recorded = [f"ryukyoku reason {each}" for each in named.gather(wrong).to_list()]
    problems = problems_at(lines, played.results[wrong], recorded, "a known draw", "L003")
    untold = ~won & ~told
    if untold.any():
        reason[untold] = _inferred(lines, played, deltas)[untold]
    return reason, problems


def _inferred(lines: Lines, played: MjaiPlay, deltas: pl.Series) -> npt.NDArray[np.uint8]:
    """Return the reason of each result if it is a draw, as far as the round's events tell it: uint8[results].

    Dialects that name no reason write all draws alike. The wall is exhausted, or the events fit one of the aborts.
    """
    events = played.events
    kind, round_ = events["kind"].to_physical().to_numpy(), events["round"].to_numpy().astype(np.int64)
    seat, tile = filled(events["seat"], -1), filled(events["tile_id"], -1)
    count = len(played.rounds)

    def counted(*kinds: str) -> Ints:
        return np.bincount(round_[is_kind(kind, *kinds)], minlength=count)

    acted = np.flatnonzero(is_kind(kind, "draw", "discard", *tables.CALLS))
    last = np.full(count, -1, dtype=np.int64)
    last[round_[acted]] = acted
    there = last >= 0
    ended, by = np.where(there, kind[last], 255), np.where(there, seat[last], -1)
    discards, draws, calls = counted("discard"), counted("draw"), counted(*tables.CALLS)
    discard = np.flatnonzero(kind == CODE["discard"])
    own = np.bincount(round_[discard] * SEATS + seat[discard], minlength=count * SEATS)
    fresh = there & (own[np.arange(count) * SEATS + np.maximum(by, 0)] == 0)
    winds = np.bincount(round_[discard], weights=np.isin(KIND[tile[discard]], (27, 28, 29, 30)), minlength=count)
    low = np.full(count, 99, dtype=np.int64)
    high = np.zeros(count, dtype=np.int64)
    few = discard[discards[round_[discard]] == SEATS]
    np.minimum.at(low, round_[few], KIND[tile[few]])
    np.maximum.at(high, round_[few], KIND[tile[few]])
    same_wind = (discards == SEATS) & (calls == 0) & (winds == SEATS) & (low == high)
    thrown = ended == CODE["discard"]
    players = played.players
    most = points_by_seat(deltas).max(axis=1, initial=0)
    of_claim = lines.round[played.results]
    cases = [
        (draws >= LIVE_TILES[players])[of_claim] & (most > LARGEST_NOTEN_PAYMENT),
        (draws >= LIVE_TILES[players])[of_claim] | (most > 0),
        ((ended == CODE["draw"]) & fresh)[of_claim],
        (thrown & same_wind)[of_claim],
        (thrown & (counted("riichi") == SEATS))[of_claim],
        ((thrown | (ended == CODE["draw"]) | is_kind(ended.astype(np.uint8), *KANS)) & (counted(*KANS) == 4))[of_claim],
        (thrown | (ended == CODE["kakan"]))[of_claim],
    ]
    names = ("nagashi", "exhaustive", "kyuushu", "four_winds", "four_riichi", "four_kans", "triple_ron")
    return np.select(cases, [np.uint8(REASON[name]) for name in names], np.uint8(_UNKNOWN))


def _shows(
    lines: Lines, line: Ints, frame: pl.DataFrame, won: npt.NDArray[np.bool_], winner: npt.NDArray[np.integer]
) -> pl.DataFrame:
    """Return the hands that results show: a winner's with the winning tile, and at a draw those that are tenpai."""
    game = lines.game[line]
    claims, seats, hands = [], [], []
    of_win = np.flatnonzero(won & (winner >= 0) & is_known(frame["hora_tehais"]))
    claims.append(of_win)
    seats.append(winner[of_win].astype(np.int64))
    hands.append(_with_winning_tile(frame, of_win))
    row, hand = entries_of(frame["tehais"].filter(pl.Series(~won)))
    row = np.flatnonzero(~won)[row]
    actor = nth_of(row)
    seat = lines.seat(actor, game[row])
    kept = _tenpai(frame["tenpais"], hand, row, actor) & (seat >= 0)
    claims.append(row[kept])
    seats.append(seat[kept].astype(np.int64))
    hands.append(_whole(hand.filter(pl.Series(kept))))
    row, tenpai = entries_of(frame["tenpais"])
    actor = nth_of(row)
    seat = lines.seat(actor, game[row])
    alone = filled(tenpai, value=False) & (seat >= 0) & ~is_known(frame["tehais"])[row]
    claims.append(row[alone])
    seats.append(seat[alone].astype(np.int64))
    hands.append(pl.Series([None], dtype=tables.TileIds).new_from_index(0, int(alone.sum())))
    claim, seat = np.concatenate(claims), np.concatenate(seats)
    order = np.argsort(claim * SEATS + seat, kind="stable")
    table = {
        "claim": claim[order],
        "round": lines.round[line][claim[order]],
        "event": lines.number[line][claim[order]],
        "seat": seat[order],
        "tile_ids": gathered(pl.concat(hands), order),
    }
    return tables.conform(table, tables.SHOWS)


def _tenpai(tenpais: pl.Series, hand: pl.Series, row: Ints, actor: Ints) -> npt.NDArray[np.bool_]:
    """Return which hands at draws are tenpai: as ``tenpais`` says, else those that are shown."""
    shown = is_known(hand) & ~filled(hand.list.contains("?"), value=False)
    at_row, value = entries_of(tenpais)
    told = np.zeros((len(tenpais), SEATS + 1), dtype=bool)
    place = nth_of(at_row)
    told[at_row, np.minimum(place, SEATS)] = filled(value, value=False)
    return np.where(is_known(tenpais)[row], told[row, np.minimum(actor, SEATS)], shown)


def _whole(hands: pl.Series) -> pl.Series:
    """Return hands as lists of tile ids; null if a tile is hidden or the list is empty."""
    found = _tile_lists(hands)
    whole = (found.list.len() == hands.list.len()) & (hands.list.len() > 0)
    return where_known(found, filled(whole, value=False))


def _with_winning_tile(frame: pl.DataFrame, rows: Ints) -> pl.Series:
    """Return the hands of winners as tile ids; a hand that lacks the winning tile gets it."""
    hands = gathered(frame["hora_tehais"], rows)
    size = filled(hands.list.len(), 0)
    row, names = entries_of(hands)
    tile = tile_ids(names)
    last = tile_ids(gathered(frame["pai"], rows))
    lacking = size % 3 == HAND_SIZE % 3
    row, tile = np.append(row, np.flatnonzero(lacking)), np.append(tile, last[lacking])
    order = np.argsort(row, kind="stable")
    row, tile = row[order], tile[order]
    hidden = np.bincount(row[tile < 0], minlength=len(rows)) > 0
    return where_known(
        lists(tile[tile >= 0].astype(np.int16), np.bincount(row[tile >= 0], minlength=len(rows))), ~hidden
    )
