"""Games of 電脳麻将 as JSON lines, to change and audit them, and to compare them game by game."""

from __future__ import annotations

import gzip
import json
import warnings

import polars as pl

from auditor.audit.audit_batch import Options, audit
from engine.rules.rule_sets import preset
from tests.kit.audits import FIXTURES, audited_apart, source

PAIPU = FIXTURES / "sources" / "majiang.jsonl.gz"
LINES = sorted(gzip.decompress(PAIPU.read_bytes()).decode().split("\n"), key=len)[1:7]
MAJIANG = Options(preset("majiang"))
BY_GAME = ("rounds", "turns", "riichis", "wins")


def game(number=0):
    """Give a game with its rules, for a test to change."""
    line = json.loads(LINES[number])
    return {"rule": line["rule"], "paipu": line["paipu"]}


def text(value):
    """Write JSON without escapes."""
    return json.dumps(value, ensure_ascii=False)


def report(data, name="log.jsonl"):
    """Audit one file; a warning of NumPy is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return audit([source(data.encode("utf-8", "surrogatepass"), name)], MAJIANG)


def found(data):
    """List code, game, event and recorded text of each finding."""
    table = report(data).tables["findings"]
    return table.select("code", "within", "event", "recorded").rows()


def reports(texts):
    """Audit files, by name, in one batch; give the tables of each. A warning of NumPy is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return audited_apart(
            {name: data.encode("utf-8", "surrogatepass") for name, data in texts.items()}, MAJIANG, "jsonl"
        )


def of_games(tables, lines):
    """Give the tables of the games in these lines, without line numbers and file names."""
    games = tables["games"].filter(pl.col("within").is_in(lines))
    ids = games["game_id"].to_list()
    rows = {name: tables[name].filter(pl.col("game_id").is_in(ids)).drop("within", "source").rows() for name in BY_GAME}
    findings = tables["findings"].filter(pl.col("within").is_in(lines)).drop("within", "source").rows()
    return rows | {"games": games.drop("within", "source").rows(), "findings": findings}
