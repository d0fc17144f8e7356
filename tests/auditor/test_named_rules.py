"""Each check names the rules on which its findings depend: proven by auditing logs under every other rule."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from auditor.audit import audit_batch, findings
from auditor.audit.check import all_checks
from auditor.audit.excerpts import taken
from auditor.audit.frames import Frames
from engine.rules.rule_sets import PARAMETERS, known_values
from tests.kit import wrong_rules
from tests.kit.audits import CHECKS, TENHOU, files_below, read_all, source

CHOSEN = tuple(check for check in all_checks() if check.default and not check.whole_dataset)
RULES = {check.code: check.rules for check in CHOSEN}
SANMA = {name for name, parameter in PARAMETERS.items() if parameter.sanma}
AT_ONCE = 12
UNUSED = {"players", "chip_value", "chombo_penalty", "head_bump_abort_order"}
"""Rules that no check uses."""
# A second value for parameters that have the same value in all presets.
OTHERS = {
    "max_rounds": (0, 6), "min_rounds": (0, 12), "score_ceiling": (0, 45000), "kan_max": (4, 2),
    "target_points": (30000, 40000), "riichi_stick_value": (1000, 500),
    "local_yaku": ((), PARAMETERS["local_yaku"].choices),
}  # fmt: skip
OTHERS_OF_THREE = OTHERS | {
    "target_points": (40000, 45000), "starting_points": (35000, 25000), "noten_payment": ((2000, 2000, 0), (0, 0, 0)),
    "uma": ((20.0, 0.0, -20.0), (10.0, 0.0, -10.0)), "honba_value": (100, 500), "floating_uma": ((),),
    "red_fives": ((0, 1, 1), (0, 0, 0)),
}  # fmt: skip
PLACE = ["game", "parameter", "value", "round"]
GAMES = 6
"""Real games of three players; in these, each rule of kita matters somewhere."""
KEY = [*PLACE, "event", "seat", "code", "recorded"]


def values_of(players):
    """Give the values to try for each rule that checks of games of so many players use, two at least of most."""
    others = OTHERS if players == 4 else OTHERS_OF_THREE
    skipped = UNUSED | (SANMA if players == 4 else set())
    return {name: others.get(name, known_values(name, players)) for name in PARAMETERS if name not in skipped}


def trials_of(players):
    """Give a row for each rule and value that is tried."""
    return pl.DataFrame(
        [(name, nth) for name, values in values_of(players).items() for nth in range(len(values))],
        schema={"parameter": pl.String, "value": pl.Int64},
        orient="row",
    )


def under_all(log, status):
    """Audit a log under its own rules and under every value of every parameter; all its games have as many players.

    Returns the findings, each with ``game`` (row of the log), ``parameter`` (null under the own rules) and ``value``
    (its place in the list of values, -1 for unknown).
    """
    (players,) = log.games["players"].unique()
    values = values_of(players)
    asked = list(values)
    parts = (asked[nth : nth + AT_ONCE] for nth in range(0, len(asked), AT_ONCE))
    return pl.concat(_under(log, status, {name: values[name] for name in names}) for names in parts).unique()


def _under(log, status, values):
    """Do the same for some parameters: all trials are games of one log."""
    trials = [(None, 0, None)] + [(name, nth, value) for name in values for nth, value in enumerate(values[name])]
    trials += [(name, -1, None) for name in values]
    count = len(log.games)
    own = [log.rules[row] for row in log.games["rules"]]
    sets = [rules if name is None else replace(rules, **{name: value}) for name, _, value in trials for rules in own]
    places = {rules: place for place, rules in enumerate(dict.fromkeys(sets))}
    copies = taken(log, np.tile(np.arange(count), len(trials)))
    rows = pl.Series([places[rules] for rules in sets], dtype=pl.UInt16)
    copies = replace(copies, games=copies.games.with_columns(rules=rows), rules=list(places))
    found, _ = findings.run(Frames(copies, status), CHOSEN)
    trial = pl.DataFrame(trials, schema={"parameter": pl.String, "value": pl.Int64, "_": pl.Object}, orient="row")
    at = found["game"] // count
    return found.with_columns(
        game=found["game"] % count, parameter=trial["parameter"].gather(at), value=trial["value"].gather(at)
    ).select(KEY)


def changes(found, players=4):
    """Give the findings that come or go under another value than the game's own."""
    own = found.filter(pl.col("parameter").is_null()).drop("parameter", "value")
    tried = found.filter(pl.col("value") >= 0, pl.col("parameter").is_not_null())
    before = own.join(trials_of(players), how="cross").select(KEY)
    gone = before.join(tried, on=KEY, how="anti", nulls_equal=True)
    new = tried.join(before, on=KEY, how="anti", nulls_equal=True)
    return pl.concat([gone, new])


PAIRS = pl.DataFrame(
    [(code, name) for code, names in RULES.items() for name in names],
    schema={"code": pl.String, "parameter": pl.String},
    orient="row",
)


def unnamed(changed):
    """Give the changes by checks that do not name the rule, unless a check that names it reports there instead."""
    named = changed.join(PAIRS, on=["code", "parameter"], how="semi")
    others = changed.join(PAIRS, on=["code", "parameter"], how="anti")
    return sorted(
        others.join(named, on=PLACE, how="anti", nulls_equal=True).select("code", "parameter").unique().rows()
    )


def hanging(found, players=4):
    """Give the findings under an unknown rule that one of its values would not make."""
    unknown = found.filter(pl.col("value") == -1).drop("value")
    every = unknown.join(trials_of(players), on="parameter")
    of_game = pl.col("code").str.starts_with("G") | pl.col("round").is_null()
    still = found.select(PLACE).unique()
    rounds = every.filter(~of_game).join(still, on=PLACE, how="anti", nulls_equal=True)
    games = every.filter(of_game).join(still, on=PLACE[:3], how="anti")
    return sorted(pl.concat([rounds, games]).select("code", "parameter").unique().rows())


def in_fixtures(players):
    """Give the findings in fixtures of checks that depend on rules, from Tenhou's rules, under every value."""
    concerned = {code for code, names in RULES.items() if names}
    paths = [path for path in files_below(CHECKS) if path.parent.name[:4].upper() in concerned]
    paths = [path for path in paths if not (path.parent / "rules.toml").exists()]
    files = [source(path.read_bytes(), f"{path.parent.name}/{path.name}") for path in paths]
    batches, _ = audit_batch.read(files, TENHOU.rules)
    return of_batches(batches, players)


def of_batches(batches, players):
    """Give the findings in the games of so many players."""
    tables = []
    for each in batches:
        status = audit_batch.status(each.sources, each.log, readable=True)
        games = np.flatnonzero(each.log.games["players"] == players)
        if len(games):
            tables.append(under_all(taken(each.log, games), status))
    return pl.concat(table.with_columns(pl.col("game") + 1000 * nth) for nth, table in enumerate(tables))


@pytest.fixture(scope="module")
def fixtures():
    """Give the findings in fixtures of four players."""
    return in_fixtures(4)


@pytest.fixture(scope="module")
def fixtures_of_three():
    """Give the findings in fixtures of three players."""
    return in_fixtures(3)


@pytest.fixture(scope="module")
def real_games_of_three(shared):
    """Give the findings in real games of three players, which are right under Tenhou's rules."""
    paths = files_below(shared / "corpus" / "tenhou-mjlog-3p")[:GAMES]
    batches, _ = audit_batch.read(read_all(paths)[0], TENHOU.rules)
    return of_batches(batches, 3)


@pytest.fixture(scope="module")
def played(shared):
    """Give the findings in games of 電脳麻将's self-play, from each game's own rules, under every value."""
    games = wrong_rules.read(files_below(shared / "selfplay" / "majiang"), 1)
    return under_all(games.log, games.files)


def test_findings_in_fixtures_depend_on_named_rules(fixtures):
    """If a finding comes or goes with a rule, its check names that rule."""
    assert len(changes(fixtures)) > 500
    assert unnamed(changes(fixtures)) == []


@pytest.mark.long
def test_findings_in_self_play_depend_on_named_rules(played):
    """The same holds in whole games under many rule sets."""
    assert len(changes(played)) > 500
    assert unnamed(changes(played)) == []


def test_no_finding_depends_on_an_unknown_rule(fixtures):
    """If a rule is unknown, there is no finding that one of its values would not make, too."""
    assert hanging(fixtures) == []


@pytest.mark.long
def test_no_finding_in_self_play_depends_on_an_unknown_rule(played):
    """The same holds in whole games under many rule sets."""
    assert hanging(played) == []


def test_findings_of_three_players_depend_on_named_rules(fixtures_of_three):
    """The same holds with three players, whose rules are more."""
    assert len(changes(fixtures_of_three, 3)) > 10
    assert unnamed(changes(fixtures_of_three, 3)) == []
    assert hanging(fixtures_of_three, 3) == []


def test_findings_in_real_games_of_three_players_depend_on_named_rules(real_games_of_three):
    """The same holds in whole games of three players."""
    changed = changes(real_games_of_three, 3)
    assert len(changed) > 500
    assert unnamed(changed) == []
    assert hanging(real_games_of_three, 3) == []
