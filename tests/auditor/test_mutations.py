"""Faults planted in clean logs: each is reported in its round, and nothing else is.

The faults are those of tests/kit/mutate. FEW lists the kinds that have fewer than PER_KIND places in the shipped logs.
If fewer logs have places, other rounds of the same logs are used. All mutants are audited together.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from auditor.audit.check import all_checks
from tests.kit import soul_shown_faults
from tests.kit.conversion import tenhou_json
from tests.kit.mutate import FAULTS, breed
from tests.kit.mutate.clean_logs import clean, clean_logs, log_texts
from tests.kit.mutate.judge import Verdict, judge
from tests.kit.mutate.mjlog import Game
from tests.kit.mutate.points import Win, all_wins
from tests.kit.mutate.table import FOUR_ONLY
from tests.kit.renamed_games import read_text

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
LOGS = {4: FIXTURES / "logs" / "tenhou", 3: FIXTURES / "logs" / "tenhou-3p"}
PAIPU = FIXTURES / "sources" / "majiang.jsonl.gz"
SHARED = {4: "tenhou-mjlog-4p", 3: "tenhou-mjlog-3p"}
PER_KIND = 3
SHARED_PER_KIND = 2
SHARED_LOGS = 40
SHARED_PAIPU = 50
SERVER_JSON = "corpus/tenhou-json-4p/Xerxes-2+janpo"
"""Games in Tenhou's JSON as its server wrote them."""
FORMS = ("paoWho", 'type="nm"', 'type="ron3"')
"""Logs that are included for their rare form."""
RARE = (
    "2016052515gm-00a9-0000-c4d72066.mjlog",
    "2019103023gm-00a9-0000-f90e0fe9.xml",
    "26.txt",
    "34.txt",
    "bug4.xml",
    "tripleyakuman.xml",
    "eager-1.jsonl.gz-63",
)
"""Logs that have places for rare kinds."""

FEW = {
    4: {
        "W111 liable seat not named, paid rightly": 1,
        "W111 liability missed and paid so": 0,
        "W111 another seat named liable, paid rightly": 2,
        "W111 another seat named liable, which pays": 1,
        "T105 a kakan of the winner still told as the pon": 2,
        "C106 a chi that leaves nothing but kuikae": 0,
        "K104 kakan with the last tile": 0,
        "K108 ankan in riichi of four tiles of which none is just drawn": 0,
        "K109 ankan in riichi that changes the waits": 0,
        "K110 ankan in riichi that changes the waits, where the shape must stay": 0,
        "K114 ankan in riichi of a tile that is a wait": 0,
        "G106 leftover sticks given to nobody": 1,
        "G106 leftover sticks given to the second": 1,
        "P107 nagashi mangan paid otherwise: written so": 2,
        "P107 nagashi mangan paid otherwise: and carried on": 1,
        "R105 riichi declared with too few tiles left": 2,
        "R107 stick paid though the tile is won on": 1,
        "W110 two winners at a table with head bump": 1,
        "X107 a nagashi mangan that is not called so": 1,
        "P105 the second of two wins is missing": 1,
        "P105 the second of two wins is missing from a paipu": 1,
        "K112 a daiminkan by the next seat is missing": 2,
    },
    3: {
        "R107 stick paid though the tile is won on": 1,
        "W110 two winners at a table with head bump": 2,
        "W111 liability seen where there is none, paid so": 2,
        "N102 kita in riichi of a north that is not the tile just drawn": 0,
        "N107 ron on a kita where the rules have none": 1,
        "K112 a daiminkan by the next seat is missing": 1,
        "K114 ankan in riichi of a tile that is a wait": 0,
        "K108 ankan in riichi of four tiles of which none is just drawn": 0,
        "P103 an even number of honba paid as with four players: and carried on": 2,
    },
}
"""Kinds with fewer places in the shipped logs than PER_KIND, and how many, by the number of players."""

NOT_IN_REAL_LOGS = {
    4: (),
    3: ("K103 daiminkan of two", "K104", "K105", "D101 a daiminkan", "K112 a daiminkan", "X107 a nagashi", "N107"),
}
"""Kinds that may have no place in the real logs, in which three players make no daiminkan and no fourth kan."""

WITHOUT_A_FAULT = {"C101", "C103", "C106", "D105", "X106", "N105", "D103", "W113", "L005", "L007"}
"""Checks that no fault of three players concerns: of chi, four winds, kita of four players, and of other formats."""

ONLY_IN_RECORDS = {"S106", "S107", *(f"O10{nth}" for nth in range(1, 8))}
"""Checks of what only records of Mahjong Soul state; ``test_mahjong_soul_faults.py`` plants their faults."""

PATHS = sorted(path for folder in LOGS.values() for path in folder.iterdir())
KINDS = [
    (players, str(fault)) for players in LOGS for fault in FAULTS
    if players in fault.players and (players == 4 or fault.form == "mjlog")
]  # fmt: skip


def bred(players: int, logs: dict[str, str], count: int) -> dict[tuple[int, str], list[Verdict]]:
    """Plant every kind of fault, audit all mutants together, and sort the verdicts by players and kind."""
    faults = [fault for fault in FAULTS if (players, str(fault)) in KINDS]
    verdicts = judge([mutant for fault in faults for mutant in breed(fault, logs, count)])
    found: dict[tuple[int, str], list[Verdict]] = {(players, str(fault)): [] for fault in faults}
    for verdict in verdicts:
        found[players, str(verdict.mutant.fault)].append(verdict)
    return found


@pytest.fixture(scope="module")
def shipped_logs() -> dict[int, dict[str, str]]:
    """Give the shipped logs that have no finding, by the number of players; those of four as JSON of Tenhou, too."""
    as_json = clean({f"{name}.json": text for name, text in tenhou_json.shipped()})
    return {4: clean_logs([LOGS[4], PAIPU]) | as_json, 3: clean_logs([LOGS[3]])}


@pytest.fixture(scope="module")
def shipped_verdicts(shipped_logs):
    """Give the verdicts on mutants of the shipped logs."""
    return bred(4, shipped_logs[4], PER_KIND) | bred(3, shipped_logs[3], PER_KIND)


@pytest.fixture(scope="module")
def corpus_verdicts(shared):
    """Give the verdicts on mutants of real logs, rare forms among them, and of 電脳麻将's self-play."""
    logs = log_texts([shared / "corpus" / SHARED[4]])
    paipu = log_texts([shared / "selfplay" / "majiang" / "eager-1.jsonl.gz"])
    chosen = [name for name, text in logs.items() if name in RARE or any(form in text for form in FORMS)]
    chosen += random.Random(0).sample(sorted(logs.keys() - chosen), SHARED_LOGS - len(chosen))
    chosen += [name for number, name in enumerate(paipu) if number < SHARED_PAIPU or name in RARE]
    as_json = {path.name: path.read_text() for path in sorted((shared / SERVER_JSON).iterdir())}
    chosen += sorted(as_json)[:SHARED_LOGS]
    four = clean({name: text for name, text in (logs | paipu | as_json).items() if name in chosen})
    three = clean_logs([shared / "corpus" / SHARED[3]])
    return bred(4, four, SHARED_PER_KIND) | bred(3, three, SHARED_PER_KIND)


every_kind = pytest.mark.parametrize(("players", "kind"), KINDS, ids=[f"{kind}, {players}p" for players, kind in KINDS])


def missed(verdicts: list[Verdict]) -> list[str]:
    """List the mutants whose fault was not found."""
    return [
        f"{verdict.mutant.name}: round {verdict.mutant.nth}, found {sorted(verdict.found, key=str)}"
        for verdict in verdicts
        if not verdict.recalled
    ]


def blurred(verdicts: list[Verdict]) -> list[str]:
    """List the mutants with findings of other codes."""
    return [f"{verdict.mutant.name}: {sorted(verdict.stray, key=str)}" for verdict in verdicts if verdict.stray]


def test_every_check_has_a_fault_to_find():
    """Every code of the catalogue has a planted fault; also of three players, but for those that cannot have one."""
    codes = {check.code for check in all_checks()}
    of_records = set().union(*(found for found, *_ in soul_shown_faults.KINDS.values()))
    assert codes <= {fault.code for fault in FAULTS} | of_records
    three = {kind[:4] for players, kind in KINDS if players == 3}
    assert codes - three - ONLY_IN_RECORDS == WITHOUT_A_FAULT


def test_kinds_of_four_players_only_exist():
    """Every kind that table.py keeps from three players is a kind."""
    assert set().union(*FOUR_ONLY.values()) <= {str(fault) for fault in FAULTS}


@every_kind
def test_shipped_logs_offer_places(players, kind, shipped_verdicts):
    """Every kind is planted PER_KIND times, or as often as FEW says. Shipped logs have no seeds."""
    few = 0 if kind.startswith("S") else PER_KIND
    assert len(shipped_verdicts[players, kind]) >= FEW[players].get(kind, few)


@every_kind
def test_fault_is_named_in_its_round(players, kind, shipped_verdicts):
    """A mutant has the expected code in the expected round."""
    assert missed(shipped_verdicts[players, kind]) == []


@every_kind
def test_nothing_else_is_found(players, kind, shipped_verdicts):
    """A mutant has no finding of another code."""
    assert blurred(shipped_verdicts[players, kind]) == []


@pytest.mark.long
@every_kind
def test_fault_in_a_real_log_is_named_in_its_round(players, kind, corpus_verdicts):
    """A mutant of a real log has the expected code in the expected round."""
    assert corpus_verdicts[players, kind] or kind.startswith(NOT_IN_REAL_LOGS[players]), "no place in the corpus"
    assert missed(corpus_verdicts[players, kind]) == []


@pytest.mark.long
@every_kind
def test_nothing_else_is_found_in_a_real_log(players, kind, corpus_verdicts):
    """A mutant of a real log has no finding of another code."""
    assert blurred(corpus_verdicts[players, kind]) == []


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_unaltered_log_is_written_back(path):
    """Splitting a log into tags and writing it back changes no byte."""
    text = read_text(path)
    assert str(Game.parse(text)) == text


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_mutator_reckons_clean_wins_rightly(path):
    """For all shipped wins, the mutator's own value and payment are the recorded ones."""
    odd = [win.tag.attributes["ten"] for win in all_wins(Game.parse(read_text(path))) if not reckoned(win)]
    assert odd == []


def reckoned(win: Win) -> bool:
    """Say whether a win is paid as the mutator would pay it."""
    value = (win.points, win.limit)
    return win.value(win.fu, win.han) == value and win.payments(win.points, liable=win.liable) == win.changes


def test_mutants_are_the_same_every_time(shipped_logs):
    """The same seed gives the same mutants."""
    fault = FAULTS[-1]
    assert breed(fault, shipped_logs[4], PER_KIND) == breed(fault, shipped_logs[4], PER_KIND)
