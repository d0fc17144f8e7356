"""The commands for hands that somebody wrote down: for one hand, and for a table of them."""

from __future__ import annotations

from typing import Annotated

import typer

from auditor.base.choices import Format, Wind
from auditor.cli import options
from auditor.cli.exits import CLEAN, FINDINGS, echo, failed
from auditor.cli.tables import As, Out, RawCsv, form_of, give, is_stated


def hand(
    tiles: Annotated[
        str, typer.Argument(help="A hand: 123m 406p 789s or m123p406s789, and each meld after a comma: ,z111=")
    ],
    win: Annotated[
        str | None, typer.Option(help="Winning tile and who gave it (- left, = across, + right): 8s=.")
    ] = None,
    rules: options.Rules = "tenhou",
    date: options.Date = None,
    seat: Annotated[Wind, typer.Option(help="Own wind.")] = Wind.S,
    round_wind: Annotated[Wind, typer.Option("--round", help="Round wind.")] = Wind.E,
    players: Annotated[
        int | None, typer.Option(help="How many play; if not stated, as the rules say.", min=3, max=4)
    ] = None,
    riichi: Annotated[
        int | None, typer.Option(help="1 riichi, 2 double riichi; 0, or 1 if the hand says *.", min=0, max=2)
    ] = None,
    ippatsu: Annotated[bool, typer.Option("--ippatsu", help="Within the first go-round after riichi.")] = False,
    rinshan: Annotated[bool, typer.Option("--rinshan", help="Drawn after a kan or kita.")] = False,
    chankan: Annotated[bool, typer.Option("--chankan", help="Robbing a kan.")] = False,
    last: Annotated[bool, typer.Option("--last", help="With the last tile.")] = False,
    kita: Annotated[int, typer.Option(help="Norths set aside, with three players.", min=0, max=4)] = 0,
    on_kita: Annotated[bool, typer.Option("--on-kita", help="Ron on a North that another seat set aside.")] = False,
    first: Annotated[bool, typer.Option("--first", help="In the first turn, before any call.")] = False,
    dora: Annotated[str, typer.Option(help="Dora indicators, such as 3p1z.")] = "",
    ura: Annotated[str, typer.Option(help="Ura dora indicators.")] = "",
    honba: Annotated[int, typer.Option(help="Honba counters on the table.", min=0)] = 0,
    sticks: Annotated[int, typer.Option(help="Riichi sticks on the table.", min=0)] = 0,
    visible: Annotated[str, typer.Option(help="Other visible tiles: they cannot be drawn any more.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Explain one hand: shanten, waits, useful tiles; with --win also readings, yaku, fu and points.

    Example: auditor hand 234m234p234s55m67p --win 8p- --riichi 1 --dora 1m
    """
    import json

    from auditor.cli.rule_option import named
    from auditor.hands.explain import WINDS, Situation, describe
    from auditor.hands.text import as_text

    winds = {name[0]: number for number, name in enumerate(WINDS)}
    try:
        situation = Situation(
            win=win, riichi=riichi, ippatsu=ippatsu, rinshan=rinshan, chankan=chankan, last_tile=last, first_turn=first,
            seat=winds[seat], round=winds[round_wind], players=players, kita=kita, on_kita=on_kita, dora=dora, ura=ura,
            honba=honba, sticks=sticks, visible=visible, rules=[named(rules, date)],
        )  # fmt: skip
        found = describe(tiles, situation)
    except ValueError as error:
        raise failed(error) from None
    echo(json.dumps(found, ensure_ascii=False, indent=2) if as_json else as_text(found))


def score(
    context: typer.Context,
    file: Annotated[
        str,
        typer.Argument(help="Table of won hands: CSV, TSV, JSON, JSON Lines, Parquet; - is standard input."),
        options.LIST,
    ],
    out: Out = None,
    form: As = None,
    raw: RawCsv = False,
    input_form: Annotated[
        Format | None, typer.Option("--input-format", help="Format of the table, whatever its name says.")
    ] = None,
    rules: options.Rules = "tenhou",
    date: options.Date = None,
) -> None:
    """Score a table of won hands, and compare the scores with those that the table claims.

    Example: auditor score hands.csv --out scored.parquet

    Columns: hand, win, riichi, seat, round, dora, ura, … and the claims fu, han, points, yaku
    (auditor/hands/README.md). With --out, or --format on the command line, the command also gives the scored table.

    Exit code 0: all claims are right, or depend on an unknown rule; 1: a claim differs, or a row cannot be read; 2: the
    table cannot be scored, or has no claim to compare.
    """
    from auditor.cli.rule_option import RulesError, named
    from auditor.dataset.formats import TableError
    from auditor.hands.files import read_table
    from auditor.hands.report import format_report, refusal, warnings
    from auditor.hands.table import scored

    chosen = form_of(context, form, out)
    given = out is not None or (form is not None and is_stated(context))
    try:
        table = read_table(file, input_form)
        for warning in warnings(table):
            echo(f"auditor: {warning}", err=True)
        result = scored(table, named(rules, date))
    except (TableError, RulesError) as error:
        raise failed(error) from None
    fault = refusal(result, given=given)
    if fault:
        raise failed(TableError(fault))
    if given:
        give(result, chosen, out, raw=raw)
    echo(format_report(result), err=given and out is None)
    raise typer.Exit(FINDINGS if result["mismatch"].count() or result["unreadable"].count() else CLEAN)
