"""Lines → rounds, events, melds, deals and deposits (auditor/readers/mjai/FORMAT.md sections 3 and 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.log import tables
from auditor.log.arrays import filled, gathered, is_known, where_known
from auditor.log.event_kinds import CODE, is_kind
from auditor.log.seats import by_seat
from auditor.log.tables import SEATS
from auditor.log.tile_ids import HAND_SIZE, NONE
from auditor.readers.mjai.absent import ABSENT
from auditor.readers.mjai.fields import WIND
from auditor.readers.mjai.lines import NO_ROUND
from auditor.readers.mjai.texts import HAIPAI, entries_of, nth_of, tile_ids

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.readers.mjai.lines import Lines

    Ints = npt.NDArray[np.int64]

LARGEST_NOTEN_PAYMENT = 3000
"""What a seat can get at an exhaustive draw without a nagashi mangan, in points."""


class Acts(NamedTuple):
    """The lines that are events of rounds: ``line`` int64[n], and their ``seat`` int8[n], -1 for nobody."""

    line: Ints
    seat: npt.NDArray[np.int8]


class MjaiPlay(NamedTuple):
    """The canonical tables of a batch's play.

    ``results`` int64[results] are the lines of results. ``players`` int8[rounds] is the number of players, and ``paid``
    int32[rounds, SEATS] counts the sticks of each seat. ``problems`` are rows of that table.
    """

    rounds: pl.DataFrame
    events: pl.DataFrame
    melds: pl.DataFrame
    deals: pl.DataFrame
    deposits: pl.DataFrame
    problems: list[pl.DataFrame]
    results: Ints
    players: npt.NDArray[np.int8]
    paid: npt.NDArray[np.int32]


def points(column: pl.Series, lines: Lines, game: Ints) -> pl.Series:
    """Return lists by actor as points by seat; null where a list has not a number for each player."""
    players, width = lines.players[game].astype(np.int64), filled(column.list.len(), 0).astype(np.int64)
    known = (width == players) | (width == SEATS)
    row, value = entries_of(column.filter(pl.Series(known)))
    row = np.flatnonzero(known)[row]
    actor = nth_of(row)
    values = np.zeros((len(column), SEATS), dtype=np.int32)
    seat = lines.seat(actor, game[row])
    values[row[seat >= 0], seat[seat >= 0]] = filled(value, 0)[seat >= 0]
    return by_seat(values, players, known)


def at(lines: Lines, rows: Ints) -> Ints:
    """Return the rows of lines in ``texts.frame``."""
    return lines.texts.row[lines.text[rows]]


def problems_at(
    lines: Lines, rows: Ints, recorded: list[str], expected: str, code: str, *, play: bool = False
) -> list[pl.DataFrame]:
    """Return a problem at each of these lines, as a frame in a list; an empty list if there is none."""
    if not len(rows):
        return []
    placed = lines.round[rows]
    return [
        tables.problem_rows(
            pl.DataFrame({
                "code": [code] * len(rows), "game": lines.game[rows],
                "round": where_known(placed, placed != NO_ROUND), "event": lines.number[rows],
                "recorded": recorded, "expected": [expected] * len(rows), "play": [play] * len(rows),
            })
        )
    ]  # fmt: skip


def read(lines: Lines, first_mark: npt.NDArray[np.bool_], feeder: npt.NDArray[np.bool_]) -> MjaiPlay:
    """Return the play of a batch; ``first_mark`` bool[games] says whether the dealer's first discard has its mark.

    ``feeder`` bool[games] says whether calls state whose discard they take.
    """
    acts, problems = _acts(lines)
    hands = _hands(lines)
    results = acts.line[lines.kind[acts.line] == CODE["result"]]
    fourth = _fourth_riichi(lines, acts)
    events, row_of = _events(lines, acts, hands, fourth, first_mark)
    paid = np.zeros((len(lines.starts), SEATS), dtype=np.int32)
    sticks = lines.kind[acts.line] == CODE["deposit"]
    np.add.at(paid, (lines.round[acts.line[sticks]], acts.seat[sticks]), 1)
    return MjaiPlay(
        rounds=_rounds(lines),
        events=events,
        melds=_melds(lines, acts, row_of, feeder),
        deals=hands.deals,
        deposits=_deposits(lines, acts),
        problems=[*problems, *hands.problems],
        results=results,
        players=lines.players[lines.game[lines.starts]],
        paid=paid,
    )


def _acts(lines: Lines) -> tuple[Acts, list[pl.DataFrame]]:
    """Return the lines that are events; as problems those before a deal, and those of actors that do not exist."""
    of_play = lines.kind < HAIPAI
    early = np.flatnonzero(of_play & (lines.round == NO_ROUND))
    _, first, count = np.unique(lines.game[early], return_index=True, return_counts=True)
    found = problems_at(
        lines, early[first], [f"play of {each} events" for each in count.tolist()],
        "the start of a round: start_kyoku comes first", "L004",
    )  # fmt: skip
    line = np.flatnonzero(of_play & (lines.round != NO_ROUND))
    actor = lines.texts.actor[lines.text[line]]
    seat = lines.seat(actor, lines.game[line])
    kind = lines.kind[line]
    nobody = (seat < 0) & ~is_kind(kind, "deal", "dora", "result")
    wrong = line[nobody]
    recorded = [f"actor {each}" for each in actor[nobody].tolist()]
    found += problems_at(lines, wrong, recorded, "a player", "L003", play=True)
    seat[is_kind(kind, "dora", "result")] = -1
    return Acts(line[~nobody], seat[~nobody]), found


class _Hands(NamedTuple):
    """The hands dealt. ``drawn`` int16[rounds] is a dealer's 14th tile, -1 for none."""

    deals: pl.DataFrame
    drawn: npt.NDArray[np.int16]
    problems: list[pl.DataFrame]


def _hands(lines: Lines) -> _Hands:
    frame = lines.texts.frame
    start = at(lines, lines.starts)
    game = lines.game[lines.starts]
    round_, hands = entries_of(gathered(frame["tehais"], start))
    seat = lines.seat(nth_of(round_), game[round_])
    # The oldest logs deal each hand by an event of its own.
    apart = np.flatnonzero((lines.kind == HAIPAI) & (lines.round != NO_ROUND))
    if len(apart):
        round_ = np.append(round_, lines.round[apart])
        seat = np.append(seat, lines.seat(lines.texts.actor[lines.text[apart]], lines.game[apart]))
        hands = pl.concat([hands, gathered(frame["pais"], at(lines, apart))])
    size = filled(hands.list.len(), 0).astype(np.int64)
    hand, names = entries_of(hands)
    tile = tile_ids(names)
    shown = np.bincount(hand[tile >= 0], minlength=len(size))
    dealer = seat == lines.seat(filled(gathered(frame["oya"], start), -1), game)[round_]
    extra = dealer & (size == HAND_SIZE + 1)
    dealt = (seat >= 0) & (size == shown) & ((size == HAND_SIZE) | extra)
    nth = nth_of(hand)
    kept = dealt[hand] & (nth < HAND_SIZE)
    drawn = np.full(len(start), -1, dtype=np.int16)
    last = extra[hand] & dealt[hand] & (nth == HAND_SIZE)
    drawn[round_[hand[last]]] = tile[last]
    deals = {"round": round_[hand[kept]], "seat": seat[hand[kept]], "tile_id": tile[kept]}
    place = deals["round"] * SEATS + deals["seat"]
    if (place[1:] < place[:-1]).any():
        order = np.argsort(place, kind="stable")
        deals = {name: values[order] for name, values in deals.items()}
    wrong = np.flatnonzero((seat >= 0) & ~dealt & (shown > 0) & ((size != HAND_SIZE) | (shown == size)))
    recorded = [f"a hand of {each} tiles" for each in size[wrong].tolist()]
    problems = problems_at(lines, lines.starts[round_[wrong]], recorded, "hands of 13 tiles", "L003")
    return _Hands(tables.conform(deals, tables.DEALS), drawn, problems)


def _fourth_riichi(lines: Lines, acts: Acts) -> npt.NDArray[np.int8]:
    """Return the seat whose stick the log does not mention: the fourth riichi that aborts a round, int8[rounds].

    Converters leave out its event, but the next round has the stick on the table. -1 for none.
    """
    round_, kind = lines.round[acts.line], lines.kind[acts.line]
    count = len(lines.starts)
    declared = np.bincount(round_[kind == CODE["riichi"]], minlength=count)
    paid = np.bincount(round_[kind == CODE["deposit"]], minlength=count)
    found = np.full(count, -1, dtype=np.int8)
    riichi = kind == CODE["riichi"]
    found[round_[riichi]] = acts.seat[riichi]  # the last one in order
    found[(declared != SEATS) | (paid != SEATS - 1)] = -1
    last = np.full(count, -1, dtype=np.int64)
    played = kind != CODE["result"]
    last[round_[played]] = np.flatnonzero(played)
    discarded = (kind[last] == CODE["discard"]) & (acts.seat[last] == found) if len(kind) else found >= 0
    result = np.minimum(last + 1, max(len(kind) - 1, 0))
    drawn = (
        (kind[result] == CODE["result"]) & (lines.texts.actor[lines.text[acts.line[result]]] < 0) if len(kind) else 0
    )
    found[~(discarded & drawn)] = -1
    return found


def _events(
    lines: Lines, acts: Acts, hands: _Hands, fourth: npt.NDArray[np.int8], first_mark: npt.NDArray[np.bool_]
) -> tuple[pl.DataFrame, Ints]:
    """Return the events, and the row there of each of the ``acts``, int64[acts]."""
    line = acts.line
    kind, round_ = lines.kind[line].copy(), lines.round[line]
    is_deal = kind == CODE["deal"]
    # A dealer with 14 tiles has drawn already. A fourth riichi gets its stick just before the result.
    drawn = np.full(len(line), -1, dtype=np.int16)
    drawn[is_deal] = hands.drawn[round_[is_deal]]
    first_result = (kind == CODE["result"]) & np.append(True, kind[:-1] != CODE["result"])[: len(kind)]
    stick = first_result & (fourth[round_] >= 0) if len(fourth) else first_result & False
    copies = np.where(is_deal, SEATS + (drawn >= 0), 1 + stick)
    row_of = np.cumsum(copies) - copies
    row = np.repeat(np.arange(len(line)), copies)
    nth = np.arange(len(row)) - row_of[row]
    text = lines.text[line][row]
    kinds, seat, tile = kind[row], acts.seat[row].copy(), lines.texts.tile_id[text].copy()
    dealt = is_deal[row]
    seat[dealt] = nth[dealt]
    tile[dealt] = -1
    extra = dealt & (nth == SEATS)
    kinds[extra], tile[extra] = CODE["draw"], drawn[row[extra]]
    dealer = gathered(lines.texts.frame["oya"], at(lines, lines.starts))
    seat[extra] = lines.seat(filled(dealer, -1), lines.game[lines.starts])[round_[row[extra]]]
    paid = stick[row] & (nth == 0)
    kinds[paid], seat[paid] = CODE["deposit"], fourth[round_[row[paid]]] if len(fourth) else 0
    mark = lines.texts.tsumogiri[text].copy()
    thrown = np.flatnonzero(kinds == CODE["discard"])
    first = thrown[np.append(True, round_[row[thrown[1:]]] != round_[row[thrown[:-1]]])[: len(thrown)]]
    mark[first[~first_mark[lines.game[line[row[first]]]]]] = -1
    frame = {
        "round": round_[row],
        "event": lines.number[line][row],
        "kind": pl.Series(kinds).cat.to(tables.Kind),
        "seat": where_known(seat, seat >= 0),
        "tile_id": where_known(tile, tile >= 0),
        "tsumogiri": where_known(mark == 1, mark >= 0),
    }
    return tables.conform(frame, tables.EVENTS, ABSENT["events"]), row_of


def _rounds(lines: Lines) -> pl.DataFrame:
    frame = lines.texts.frame
    start = at(lines, lines.starts)
    game = lines.game[lines.starts]
    dealer = lines.seat(filled(gathered(frame["oya"], start), -1), game)
    dora = tile_ids(gathered(frame["dora_marker"], start))
    table = {
        "round": np.arange(len(start)),
        "game": game,
        "nth": np.arange(len(start)) - np.searchsorted(game, game),
        "wind": gathered(frame["bakaze"], start).replace_strict(WIND, default=None, return_dtype=pl.UInt8),
        "dealer": where_known(dealer, dealer >= 0),
        "honba": gathered(frame["honba"], start),
        "sticks": gathered(frame["kyotaku"], start),
        "start": points(gathered(frame["scores"], start), lines, game),
        "dora": where_known(dora, dora >= 0),
        "event": lines.number[lines.starts],
    }
    return tables.conform(table, tables.ROUNDS, ABSENT["rounds"])


def _melds(lines: Lines, acts: Acts, row_of: Ints, feeder: npt.NDArray[np.bool_]) -> pl.DataFrame:
    called = np.flatnonzero(is_kind(lines.kind[acts.line], *tables.CALLS))
    line = acts.line[called]
    text = lines.text[line]
    source = lines.seat(lines.texts.target[text], lines.game[line])
    # A dialect that does not say whose discard is called leaves only the last one.
    untold = ~feeder[lines.game[line]]
    source[untold] = acts.seat[np.maximum(called[untold] - 1, 0)]
    fed = is_kind(lines.kind[line], "chi", "pon", "daiminkan") & (source >= 0) & (source != acts.seat[called])
    others = lines.texts.others[text]
    table = {
        "row": row_of[called],
        "source": where_known(source, fed),
        **{f"p{place}": where_known(others[:, place - 1].copy(), (others[:, place - 1] != NONE)
                                    & (others[:, place - 1] >= 0)) for place in (1, 2, 3)},
    }  # fmt: skip
    return tables.conform(table, tables.MELDS)


def _deposits(lines: Lines, acts: Acts) -> pl.DataFrame:
    """Return the paid sticks whose events repeat the scores."""
    paid = np.flatnonzero(lines.kind[acts.line] == CODE["deposit"])
    line = acts.line[paid]
    scores = points(gathered(lines.texts.frame["scores"], at(lines, line)), lines, lines.game[line])
    stated = is_known(scores)
    line = line[stated]
    table = {
        "round": lines.round[line],
        "event": lines.number[line],
        "seat": acts.seat[paid[stated]],
        "scores": scores.filter(pl.Series(stated)),
    }
    return tables.conform(table, tables.DEPOSITS)
