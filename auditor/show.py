"""Findings as a person reads them, from the tables: the verdict, its place, the round, and a win's hand and yaku.

The table at that moment (all hands, melds, rivers) is not in the tables and not told here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from auditor.check import choose
from auditor.words import told_round

if TYPE_CHECKING:
    from collections.abc import Sequence

_ROUND = ["game_id", "round"]
_OF_WIN = ("fu", "han", "points", "yaku", "dora", "ura", "red", "limit", "deltas")


class NotThereError(Exception):
    """The dataset has no such game."""


def told(tables: dict[str, pl.LazyFrame], game: str | None, codes: Sequence[str], limit: int) -> str:
    """Return findings of a dataset as text, a paragraph each.

    Parameters
    ----------
    tables
        lazy, as auditor.tables gives them
    game
        only the games whose id begins so
    codes
        only checks whose code begins so
    limit
        at most so many

    Raises
    ------
    NotThereError
        when no game's id begins so

    """
    found = tables["findings"]
    if game is not None:
        asked = pl.col("game_id").str.starts_with(game.lower())
        if tables["games"].filter(asked).limit(1).collect().is_empty():
            raise NotThereError(f'no game {game}; the ids are in the table games (auditor query DIR "SELECT …")')
        found = found.filter(asked)
    if codes:
        found = found.filter(pl.col("code").is_in([check.code for check in choose(list(codes), [])]))
    count = found.select(pl.len()).collect().item()
    rounds = (
        tables["rounds"]
        .with_columns(name=told_round().fill_null("?"))
        .unique(_ROUND, keep="first", maintain_order=True)
    )
    wins = tables["wins"].unique([*_ROUND, "event"], keep="first", maintain_order=True)
    rows = (
        found.head(limit)
        .join(rounds, on=_ROUND, how="left", maintain_order="left")
        .join(wins, on=[*_ROUND, "event"], how="left", maintain_order="left", suffix="_of_win")
        .rename({"expected": "expected_value"})
        .collect()
    )
    parts = ["\n".join(_paragraph(row)) for row in rows.iter_rows(named=True)]
    last = f"{count:,} finding{'' if count == 1 else 's'}" + (
        f", {count - limit:,} not shown (--limit)" if count > limit else ""
    )
    return "\n\n".join([*parts, last])


def _paragraph(row: dict[str, Any]) -> list[str]:
    within = "" if row["within"] is None else f"#{row['within']}"
    place = [f"{row['source']}{within}"]
    place += [f"event {row['event']}"] if row["event"] is not None else []
    place += [f"byte {row['pos']}"] if row["pos"] is not None else []
    lines = [f"{row['code']} {row['severity']}: {row['message']}", f"  at        {', '.join(place)}"]
    if row["game_id"] is not None:
        lines.append(f"  game      {row['game_id']}")
    if row["name"] is not None:
        lines.append(f"  round     {_round(row)}")
    if row["seat"] is not None:
        lines.append(f"  seat      {row['seat']}")
    lines += [f"  {name:<9} {row[key]}" for name, key in (("recorded", "recorded"), ("expected", "expected_value"))
              if row[key] is not None]  # fmt: skip
    return lines + (_win(row) if row["winner"] is not None else [])


def _round(row: dict[str, Any]) -> str:
    dealer, honba, sticks = ("?" if row[name] is None else row[name] for name in ("dealer", "honba", "sticks"))
    scores = "?" if row["start_scores"] is None else " ".join(map(str, row["start_scores"]))
    return f"{row['name'].partition('.')[0]}, dealer seat {dealer}, honba {honba}, sticks {sticks}, scores {scores}"


def _win(row: dict[str, Any]) -> list[str]:
    """Tell a win: hand, tile, reading, and every recorded value beside the expected one, differing ones marked."""
    by = "by own draw" if row["payer"] == row["winner"] else f"from seat {row['payer']}"
    riichi = ", in riichi" if row["riichi_of_win"] else ""
    lines = [
        f"  win       seat {row['winner']} {by}: {row['hand'] or '?'}, on {row['winning_tile'] or '?'}{riichi}",
        f"  reading   {row['decomposition'] or 'none'}",
    ]
    for name in _OF_WIN:
        recorded, expected = _value(row[name]), _value(row[f"expected_{name}"])
        if recorded is not None or expected is not None:
            differs = " *" if None not in (recorded, expected) and recorded != expected else ""
            lines.append(f"  {name:<9} {recorded or '-'} recorded, {expected or '-'} expected{differs}")
    return lines


def _value(value: object) -> str | None:
    if value is None:
        return None
    return " ".join(f"{each:+d}" for each in value) if isinstance(value, list) else str(value)
