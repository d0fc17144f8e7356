"""Games that are right by their own rules, audited with one rule wrong.

Each finding must be right under the value that was played, which the log states and the audit does not know.
"""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.audit import audit_batch, findings, rule_trials
from auditor.audit.check import all_checks
from auditor.audit.excerpts import taken
from auditor.audit.frames import Frames
from auditor.sources import log_files
from engine.rules.declaration import format_value
from engine.rules.rule_sets import known_values, preset

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from auditor.log.tables import Log

CHECKS = tuple(check for check in all_checks() if check.default and not check.whole_dataset)


class Games(NamedTuple):
    """Log and files of games that state their rules and are right by them."""

    log: Log
    files: pl.DataFrame


def read(paths: Sequence[Path], games: int) -> Games:
    """Read the first games of each file, except those with findings, because the engine has faults of its own."""
    texts = [b"\n".join(gzip.decompress(path.read_bytes()).splitlines()[:games]) for path in paths]
    files = [
        log_files.unpack(log_files.Source(path.name, len(data), hashlib.sha256(data).hexdigest()), data)
        for path, data in zip(paths, texts, strict=True)
    ]
    ((_, files, log),), _ = audit_batch.read(files, preset("majiang"))
    status = audit_batch.status(files, log, readable=True)
    wrong = findings.run(Frames(log, status), CHECKS)[0]["game"]
    return Games(taken(log, np.setdiff1d(np.arange(len(log.games)), wrong.to_numpy())), status)


def found(games: Games, name: str, value: object) -> pl.DataFrame:
    """Give the findings caused by one wrong rule, with the value that was ``played``, and whether it is ``named``.

    Games whose own value is none of the known ones keep it.
    """
    log = games.log
    wrong = [
        replace(rules, **{name: value}) if getattr(rules, name) in known_values(name) else rules for rules in log.rules
    ]
    table, _ = rule_trials.run(Frames(replace(log, rules=wrong), games.files), CHECKS)
    values = pl.Series([f"{name}={format_value(getattr(rules, name))}" for rules in log.rules], dtype=pl.String)
    played = log.games.select("source", "within", played=values.gather(log.games["rules"]))
    return table.join(
        played, on=["source", "within"], how="left", nulls_equal=True, maintain_order="left"
    ).with_columns(named=pl.col("right_under").str.split("; ").list.contains(pl.col("played")).fill_null(value=False))
