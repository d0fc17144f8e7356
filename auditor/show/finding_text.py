"""Findings as text: the message, the place, the table at that moment, the win, and why it is wrong.

The dataset does not have the table at an event, so the sources are read again. If a source is gone or has changed, the
text says so and has only what the dataset has.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import polars as pl

from auditor.audit.check import all_checks
from auditor.base.printing import escaped
from auditor.log.links import round_link
from auditor.log.words import format_round, format_source_of
from auditor.show.located import located
from auditor.show.moment import Moment
from auditor.show.table_text import LEGEND, labelled, lines, wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.show.win_text import Reading, Win

    Row = dict[str, Any]

_GAME = ["game_id", "source", "within"]
_ROUND = [*_GAME, "round"]
_OF_FINDING = (
    ("recorded", "recorded"), ("expected", "expected_value"), ("right if", "right_under"),
    ("whatever", "regardless_of"),
)  # fmt: skip
"""More columns of the table findings to print: label and column."""
_OF_WIN = ("fu", "han", "points", "yaku", "dora", "ura", "red", "limit", "deltas")


def format_findings(tables: dict[str, pl.LazyFrame], found: pl.LazyFrame, limit: int, asked: str = "") -> str:
    """Return findings of a dataset as text, a paragraph each.

    Parameters
    ----------
    tables
        lazy, as auditor.dataset.opened returns them
    found
        the findings to print: rows of the table `findings`, perhaps with ``first_seen``
    limit
        the most findings to print
    asked
        what they were chosen by, as text; empty: they are all

    """
    count = found.select(pl.len()).collect().item()
    rows = with_rounds(tables, found.head(limit))
    moments, wins = _moments(tables, rows)
    reasons = {check.code: reason_of(check.doc) for check in all_checks()}
    parts = ["\n".join(_paragraph(row, moments.get(at), wins.get(at), reasons)) for at, row in enumerate(rows)]
    last = f"{count:,} finding{'' if count == 1 else 's'}" + (
        f", {count - limit:,} not shown (--limit)" if count > limit else ""
    )
    last += f": nothing matches {asked}" if asked and not count else ""
    legend = (
        ["\n".join(wrapped(LEGEND.replace("\n", " "), after=""))]
        if any(isinstance(moment, Moment) for moment in moments.values())
        else []
    )
    return "\n\n".join([*parts, *legend, last])


def with_rounds(tables: dict[str, pl.LazyFrame], found: pl.LazyFrame) -> list[Row]:
    """Return findings joined with their rounds, games and wins, a dictionary each."""
    found = found.collect().lazy()
    sources = found.select(pl.col("source").unique()).collect()["source"].implode()

    def concerned(name: str) -> pl.LazyFrame:
        """Return the rows of these sources: a dataset may have a million others."""
        return tables[name].filter(pl.col("source").is_in(sources))

    rounds = (
        concerned("rounds")
        .with_columns(name=format_round().fill_null("?"))
        .unique(_ROUND, keep="first", maintain_order=True)
    )
    games = concerned("games").select(*_GAME, "names", "link").unique(_GAME, keep="first", maintain_order=True)
    # The platform counts the rounds of the whole game, and a file may have only some of them.
    start = (pl.col("wind") == 0) & (pl.col("dealer") == 0) & (pl.col("honba") == 0)
    whole = concerned("rounds").filter(pl.col("round") == 0).select(*_GAME, whole=start).unique(_GAME, keep="first")
    wins = concerned("wins").unique([*_ROUND, "event"], keep="first", maintain_order=True)
    joined = found
    for table, keys in ((rounds, _ROUND), (games, _GAME), (whole, _GAME), (wins, [*_ROUND, "event"])):
        joined = joined.join(table, on=keys, how="left", nulls_equal=True, maintain_order="left", suffix="_of_win")
    return joined.rename({"expected": "expected_value"}).collect().to_dicts()


def _moments(tables: dict[str, pl.LazyFrame], rows: Sequence[Row]) -> tuple[dict[int, Moment | str], dict[int, Win]]:
    """Return, by place in ``rows``, the table at each finding's event (or why it cannot be shown), and its win."""
    found: dict[int, Moment | str] = {}
    won: dict[int, Win] = {}
    for at, round_, seen, wins in located(tables, rows):
        if isinstance(round_, str):
            found[at] = round_
        elif seen is not None and wins is not None:
            found[at] = moment = seen.at(round_, rows[at]["event"])
            win = wins.at((round_, rows[at]["event"], rows[at]["winner"]), moment)
            won |= {} if win is None else {at: win}
    return found, won


def reason_of(doc: str) -> str:
    """Return the first line of a check's documentation, and its text on why that is wrong."""
    title = doc.partition("\n")[0]
    why = re.search(r"^Why it (?:is wrong|matters): (.*?)(?=^\w[\w ]*:|\Z)", doc, re.MULTILINE | re.DOTALL)
    return title if why is None else f"{title[:-1]}: {' '.join(why[1].split())}"


def _paragraph(row: Row, moment: Moment | str | None, win: Win | None, reasons: dict[str, str]) -> list[str]:
    place = [format_source_of(row["source"], row["within"])]
    place += [f"event {row['event']}"] if row["event"] is not None else []
    place += [f"byte {row['pos']}"] if row["pos"] is not None else []
    texts = wrapped(f"{row['code']} {row['severity']}: {row['message']}")
    texts += labelled("at", ", ".join(place))
    texts += labelled("game", row["game_id"]) if row["game_id"] is not None else []
    # One line, however long, so that it can be opened.
    texts += [] if row["link"] is None else [f"  {'link':<9} {escaped(_link(row))}"]
    texts += labelled("round", _round(row)) if row["name"] is not None else []
    texts += labelled("players", _players(row["names"])) if any(row["names"] or ()) else []
    if isinstance(moment, str):
        texts += labelled("table", f"not shown: {moment}")
    elif moment is not None:
        texts += lines(moment, row["seat"])
    if row["seat"] is not None:
        texts += labelled("seat", f"{row['seat']}, {row['player']}" if row["player"] else str(row["seat"]))
    for label, key in _OF_FINDING:
        texts += labelled(label, str(row[key])) if row.get(key) is not None else []
    if row.get("first_seen") is not None:
        texts += labelled("new", f"first seen by the run of {row['first_seen']:%Y-%m-%d %H:%M:%S} UTC")
    texts += _win(row) if row["winner"] is not None else []
    texts += _fu(row, win) if win is not None else []
    return texts + (labelled("why", reasons[row["code"]]) if row["code"] in reasons else [])


def _link(row: Row) -> str:
    """Return the address of the game, at the round and from the seat of the finding if the platform has that."""
    return round_link(row["link"], row["round"] if row["whole"] else None, row["seat"]) or ""


def _round(row: Row) -> str:
    dealer, honba, sticks = ("?" if row[name] is None else row[name] for name in ("dealer", "honba", "sticks"))
    scores = "?" if row["start_scores"] is None else " ".join(str(each) for each in _of_players(row["start_scores"]))
    return f"{row['name'].partition('.')[0]}, dealer seat {dealer}, honba {honba}, sticks {sticks}, scores {scores}"


def _players(names: Sequence[str | None]) -> str:
    """Return the players' names by seat, as far as they are known."""
    return ", ".join(f"{seat} {name}" for seat, name in enumerate(names) if name)


def _win(row: Row) -> list[str]:
    """Describe a win: hand, tile, reading, and each recorded value beside the expected one, ``*`` if they differ."""
    by = "by own draw" if row["payer"] == row["winner"] else f"from seat {row['payer']}"
    riichi = ", in riichi" if row["riichi_of_win"] else ""
    texts = labelled("win", f"seat {row['winner']} {by}: {row['hand'] or '?'}, on {row['winning_tile'] or '?'}{riichi}")
    texts += labelled("reading", row["decomposition"] or "none")
    for name, recorded, expected, differs in values_of_win(row):
        texts += labelled(name, f"{recorded} recorded, {expected} expected{' *' if differs else ''}")
    return texts


def values_of_win(row: Row) -> list[tuple[str, str, str, bool]]:
    """Return the name of each value of a win, recorded and expected as text, and whether they differ."""
    found = []
    for name in _OF_WIN:
        recorded, expected = _value(row[name]), _value(row[f"expected_{name}"])
        if recorded is not None or expected is not None:
            differs = None not in (recorded, expected) and recorded != expected
            found.append((name, recorded or "-", expected or "-", differs))
    return found


def _fu(row: Row, win: Win) -> list[str]:
    """Itemise the fu, compare the sum with a recorded total that differs, and give the command for the hand."""
    texts = [line for at, text in enumerate(fu_of_win(row, win)) for line in labelled("" if at else "fu items", text)]
    # One line, however long, so that it can be copied.
    return [*texts, f"  {'again':<9} {escaped(win.command)}"]


def fu_of_win(row: Row, win: Win) -> list[str]:
    """Return the fu item by item, and what the recorded total means if it is another one: a sentence each."""
    best, *others = win.readings
    texts = [f"{_items(best)} expected"]
    recorded = row["fu"]
    if recorded is not None and recorded != best.fu:
        texts.append(f"{_recorded(recorded, best)}; logs do not record items")
        texts += [f"read as {each.text}: {_items(each)}" for each in others if each.fu == recorded]
    return texts


def _items(reading: Reading) -> str:
    """Return fu item by item: ``base 20 + closed ron 10 = 30``."""
    total = sum(reading.items.values())
    rounded = "" if total == reading.fu else f", rounded up to {reading.fu}"
    return f"{' + '.join(f'{name} {value}' for name, value in reading.items.items())} = {total}{rounded}"


def _recorded(recorded: int, best: Reading) -> str:
    """Compare a recorded total, which is rounded up to ten, with the sum of the items."""
    total = sum(best.items.values())
    if recorded % 10 or recorded < 20:
        return f"{recorded} recorded, which no sum of items is but that of seven pairs or a yakuman"
    low, high = max(recorded - 8, 20), recorded
    if total > high:
        return f"{recorded} recorded: items of {low} to {high} in all, at least {total - high} less"
    return f"{recorded} recorded: items of {low} to {high} in all, {max(low - total, 0)} to {high - total} more"


def _value(value: object) -> str | None:
    if value is None:
        return None
    return " ".join(f"{each:+d}" for each in _of_players(value)) if isinstance(value, list) else str(value)


def _of_players(by_seat: list[int | None]) -> list[int]:
    """Return the numbers of the seats that exist: that of a seat that does not is null."""
    return [each for each in by_seat if each is not None]
