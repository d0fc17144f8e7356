"""The commands for hands that somebody wrote down: one hand, a table of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from auditor import cli_options
from auditor.choices import Wind
from auditor.cli_exit import CLEAN, FINDINGS, failed


def hand(
    tiles: Annotated[str, typer.Argument(help="A hand: 123m406p789s, or m123p406s789 with melds ,z111= after it.")],
    win: Annotated[
        str | None, typer.Option(help="Winning tile and who gave it (- left, = across, + right): 8s=.")
    ] = None,
    rules: cli_options.Rules = "tenhou",
    date: cli_options.Date = None,
    seat: Annotated[Wind, typer.Option(help="Own wind.")] = Wind.S,
    round_wind: Annotated[Wind, typer.Option("--round", help="Round wind.")] = Wind.E,
    riichi: Annotated[int, typer.Option(help="1 riichi, 2 double riichi.", min=0, max=2)] = 0,
    ippatsu: Annotated[bool, typer.Option("--ippatsu", help="Within the first go-round after riichi.")] = False,
    rinshan: Annotated[bool, typer.Option("--rinshan", help="Drawn after a kan.")] = False,
    chankan: Annotated[bool, typer.Option("--chankan", help="Robbing a kan.")] = False,
    last: Annotated[bool, typer.Option("--last", help="With the last tile.")] = False,
    first: Annotated[bool, typer.Option("--first", help="In the first turn, before any call.")] = False,
    dora: Annotated[str, typer.Option(help="Indicators, such as 3p1z.")] = "",
    ura: Annotated[str, typer.Option(help="Indicators below.")] = "",
    honba: Annotated[int, typer.Option(help="Honba counters on the table.", min=0)] = 0,
    sticks: Annotated[int, typer.Option(help="Riichi sticks on the table.", min=0)] = 0,
    visible: Annotated[str, typer.Option(help="Other tiles seen: they are no longer to be drawn.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Explain one hand: shanten, waits, useful tiles; a won one with readings, yaku, fu and points.

    Example: auditor hand 234m234p234s55m67p --win 8p- --riichi 1 --dora 1m
    """
    import json

    from auditor.hands.explain import WINDS, Situation, describe, told
    from auditor.ruleset import named

    winds = {name[0]: number for number, name in enumerate(WINDS)}
    try:
        situation = Situation(
            win=win, riichi=riichi, ippatsu=ippatsu, rinshan=rinshan, chankan=chankan, last_tile=last, first_turn=first,
            seat=winds[seat], round=winds[round_wind], dora=dora, ura=ura, honba=honba, sticks=sticks, visible=visible,
            rules=[named(rules, date)],
        )  # fmt: skip
        found = describe(tiles, situation)
    except ValueError as error:
        raise failed(error) from None
    typer.echo(json.dumps(found, ensure_ascii=False, indent=2) if as_json else told(found))


def score(
    file: Annotated[Path, typer.Argument(help="Table of won hands: CSV, JSON Lines or Parquet.")],
    out: Annotated[Path | None, typer.Option(help="Where to write it scored (.parquet, .csv, .jsonl).")] = None,
    rules: cli_options.Rules = "tenhou",
    date: cli_options.Date = None,
) -> None:
    """Score a table of won hands and compare with what it claims.

    Example: auditor score hands.csv --out scored.parquet

    Columns: hand, win, riichi, seat, round, dora, ura, … and the claims fu, han, points, yaku (README).
    Exit code 0: all claims are right; 1: some differ; 2: the table cannot be scored.
    """
    from auditor.hands.claims import mismatches
    from auditor.hands.files import TableError, read_table, write_table
    from auditor.hands.table import scored
    from auditor.ruleset import RulesError, named

    try:
        table = scored(read_table(file), named(rules, date))
        if out:
            write_table(table, out)
    except (TableError, RulesError, OSError) as error:
        raise failed(error) from None
    typer.echo(mismatches(table))
    raise typer.Exit(FINDINGS if table["mismatch"].count() else CLEAN)
