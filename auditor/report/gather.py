"""What the page says about each finding: texts, the table at its event, and the steps of its round."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import polars as pl

from auditor.audit.check import all_checks
from auditor.base.printing import escaped, shortened
from auditor.log.links import round_link
from auditor.log.words import WIND_LETTERS, format_source_of
from auditor.report import drawing, rows, steps
from auditor.show import finding_text
from auditor.show.located import located
from auditor.show.table_text import lines

if TYPE_CHECKING:
    from auditor.show.moment import Moment
    from auditor.show.win_text import Win

MOST_NAME = 40
"""Columns of a player's name that the page shows; a longer one is shortened in its middle."""


@dataclass
class Card:
    """A finding as the page shows it; every text is escaped, so that no name can move or hide others.

    Parameters
    ----------
    row
        the finding, joined with its round, its win and its game
    why, source
        of its check: why that is wrong, and the source of the rule
    players
        wind, name and score at the deal of each seat
    table
        the table as rows, or None
    text
        the table as text, or the reason why there is none
    steps
        where its round is in ``Gathered.rounds``, and the step of its event; None: no table
    win
        each recorded value of a win beside the expected one, and whether they differ
    fu, command
        texts about the fu, and the command that scores the hand again
    seats, name
        how many play, and the round as players call it
    link
        the address of the round in the platform's viewer
    is_new
        whether the run that the page is about saw it first
    picks
        the value of each filter, as the page's form has it

    """

    row: dict[str, Any]
    title: str
    why: str
    source: str
    place: str
    players: list[tuple[str, str, str]]
    table: dict[str, str] | None = None
    seat: int = 0
    text: str | None = None
    fault: str | None = None
    steps: tuple[int, int] | None = None
    win: list[tuple[str, str, str, bool]] = field(default_factory=list)
    fu: list[str] = field(default_factory=list)
    command: str | None = None
    svg: str | None = None
    seats: int = 4
    name: str = "?"
    link: str | None = None
    is_new: bool = False
    picks: dict[str, str] = field(default_factory=dict)

    def value(self, name: str) -> str:
        """Return the value that a filter asks for; empty if it is not known."""
        return escaped(str(self.row[{"rules": "of_rules"}.get(name, name)] or ""))


@dataclass(frozen=True)
class Gathered:
    """Findings, and the steps of their rounds, encoded."""

    cards: list[Card]
    rounds: list[str]


def gathered(tables: dict[str, pl.LazyFrame], found: pl.LazyFrame) -> Gathered:
    """Return cards for findings of a dataset, in their order; their logs are read again."""
    found = found.collect().lazy()
    sources = pl.col("source").is_in(found.select(pl.col("source").unique()).collect()["source"].implode())
    links = ["link"] if "link" in tables["games"].collect_schema() else []
    games = tables["games"].filter(sources).select(
        "game_id", "source", "within", "platform", *links, of_rules="rule_set"
    ).unique(["game_id", "source", "within"], keep="first", maintain_order=True)  # fmt: skip
    clients = (
        tables["sources"].filter(sources).select("source", client="format")
        .unique("source", keep="first", maintain_order=True)
    )  # fmt: skip
    joined = found.join(
        games, on=["game_id", "source", "within"], how="left", nulls_equal=True, maintain_order="left"
    ).join(clients, on="source", how="left", maintain_order="left")
    entries = finding_text.with_rounds(tables, joined)
    checks = {check.code: check for check in all_checks()}
    cards = [_card(row, checks.get(row["code"])) for row in entries]
    rounds: list[str] = []
    known: dict[tuple[Any, ...], tuple[int, dict[int, int]]] = {}
    for at, round_, lookup, wins in located(tables, entries):
        card = cards[at]
        if isinstance(round_, str) or lookup is None or wins is None:
            card.fault = escaped(str(round_))
            continue
        row = card.row
        moment = lookup.at(round_, row["event"])
        _draw(card, moment)
        _describe_win(card, wins.at((round_, row["event"], row["winner"]), moment))
        key = (row["source"], row["within"], row["game_id"], row["round"])
        if key not in known:
            each = steps.steps_of(lookup, round_)
            known[key] = len(rounds), {int(step["ev"]): number for number, step in enumerate(each)}
            rounds.append(steps.encoded(each))
        place, numbers = known[key]
        if row["event"] in numbers:
            card.steps = place, numbers[row["event"]]
    return Gathered(cards, rounds)


def _card(row: dict[str, Any], check: Any) -> Card:  # noqa: ANN401
    place = [format_source_of(escaped(row["source"]), row["within"])]
    place += [f"event {row['event']}"] if row["event"] is not None else []
    place += [f"byte {row['pos']}"] if row["pos"] is not None else []
    doc = "" if check is None else check.doc
    source = re.search(r"^Source: (.*?)(?=^\w[\w ]*:|\Z)", doc, re.MULTILINE | re.DOTALL)
    return Card(
        row=row,
        title="" if check is None else check.title,
        why=finding_text.reason_of(doc),
        source="" if source is None else " ".join(source[1].split()),
        place=", ".join(place),
        players=_players(row),
        is_new=bool(row.get("is_new")),
        link=round_link(row.get("link"), row["round"], row["seat"]),
    )


def _players(row: dict[str, Any]) -> list[tuple[str, str, str]]:
    names, scores, dealer = row["names"] or [], row["start_scores"] or [], row["dealer"]
    found = []
    for seat, name in enumerate(names):
        wind = "?" if dealer is None else WIND_LETTERS[(seat - dealer) % len(names)]
        score = scores[seat] if seat < len(scores) else None
        found.append((wind, shortened(escaped(name or "?"), MOST_NAME), "?" if score is None else f"{score:,}"))
    return found


def _draw(card: Card, moment: Moment) -> None:
    row = card.row
    acting = next((number for number, seat in enumerate(moment.seats) if seat.acts), 0)
    asked = row["seat"]
    card.seat = asked if asked is not None and 0 <= asked < len(moment.seats) else acting
    card.table = rows.rows_of(moment)
    card.text = "\n".join(lines(moment, asked))
    card.seats = len(moment.seats)
    card.name = "?" if row["name"] is None else row["name"].partition(".")[0]
    says = f"The table at event {row['event']}, {card.name}; as text below"
    card.svg = drawing.drawn(card.table, card.seats, card.seat, moment.dealer, name=card.name, says=says)


def _describe_win(card: Card, win: Win | None) -> None:
    row = card.row
    if row["winner"] is not None:
        card.win = finding_text.values_of_win(row)
    if win is not None:
        card.fu = finding_text.fu_of_win(row, win)
        card.command = escaped(win.command)
