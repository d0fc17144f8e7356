"""Walls from seeds: the auditor's arrays compared with a plain version (tests/kit/plain/walls.py), and real games."""

from __future__ import annotations

import base64
import struct

import numpy as np
import pytest

from auditor.audit.audit_batch import Options, audit
from auditor.replay import wall_seeds
from engine.rules.rule_sets import preset
from tests.kit.audits import EVERY, TENHOU, audited, files_below, log_bytes, read_all
from tests.kit.plain.walls import Twister, noten_round, walls

SCORES = (30000, 25000, 25000, 20000)
WORDS = [0x01010101 * (word + 1) & 0xFFFFFFFF for word in range(624)]
SEEDS = {
    "of a round": "mt19937ar," + ",".join(f"{word:08X}" for word in WORDS[:8]),
    "of a round, long": "mt19937ar," + ",".join(f"{word:08X}" for word in WORDS[:32]),
    "hex": "mt19937ar-sha512-n288," + ",".join(f"{word:08X}" for word in WORDS[:32]),
    "base64": "mt19937ar-sha512-n288-base64," + base64.b64encode(struct.pack("<624I", *WORDS)).decode(),
}
ROUNDS = 3


def rounds_of(name):
    """Give the number of rounds to make for a kind of seed."""
    return 1 if "round" in name else ROUNDS


def test_twister():
    """The plain generator gives the numbers that its authors publish for this key."""
    twister = Twister([0x123, 0x234, 0x345, 0x456])
    assert [twister.next() for _ in range(5)] == [1067595299, 955945823, 477289528, 4107218783, 4228976476]


@pytest.mark.parametrize("name", SEEDS)
def test_walls_equal_the_twins(name):
    """Tiles and dice are equal for all kinds of seeds, round by round."""
    kind, words = wall_seeds.key(SEEDS[name])
    numbers = wall_seeds.numbers(kind, words, rounds_of(name))
    twins = walls(SEEDS[name], rounds_of(name))
    assert wall_seeds.shuffled(numbers).T.tolist() == [twin.tiles for twin in twins]
    assert (numbers[:, 135:] % 6).tolist() == [list(twin.dice) for twin in twins]


@pytest.mark.parametrize("name", SEEDS)
def test_places_equal_the_twins(name):
    """Dealt tiles, indicators and replacement tiles are equal."""
    late = int(name == "base64")
    twin = walls(SEEDS[name], 1)[0]
    tiles = np.array([*twin.tiles, -1])
    assert wall_seeds.DORA.shape == wall_seeds.URA.shape
    assert [tiles[place] for place in wall_seeds.DORA[late][:5]] == [twin.dora(nth) for nth in range(5)]
    assert [tiles[place] for place in wall_seeds.URA[late][:5]] == [twin.ura(nth) for nth in range(5)]
    assert [tiles[place] for place in wall_seeds.REPLACEMENTS[late][:2]] == [twin.replacement(nth) for nth in range(2)]
    for dealer in range(4):
        hands = walls(SEEDS[name], 1)[0].hands(dealer)
        assert [tiles[wall_seeds.DEALT[(seat - dealer) % 4]].tolist() for seat in range(4)] == hands


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize("name", ["of a round", "of a round, long"])
def test_round_with_its_own_seed_is_proven(name, dealer):
    """A round that is dealt and drawn from its wall is proven, whoever the dealer is."""
    report = audited(log_of(noten_round(SEEDS[name], 4 + dealer, SCORES)), options=Options(preset("tenhou"), ("S",)))
    assert report.tables["findings"].rows() == []
    assert report.tables["games"]["proven"].to_list() == [True]


def log_of(tags):
    """Write tags as a game."""
    return log_bytes("\n".join(["table 9", *(f"raw {tag}" for tag in tags)]))


@pytest.mark.parametrize(
    ("seed", "bad"),
    [
        ("mt19937ar,01010101,0101O101", "0101O101"),
        ("mt19937ar,", "''"),
        ("mt19937ar,100000000", "int too big|out of bounds|too large"),
        ("mt19937ar-sha512-n288,-1", "negative|out of bounds|too large"),
        ("mt19937ar-sha512-n288-base64,AAAA", "3 bytes, not 2496"),
        ("mt19937ar-sha512-n288-base64,AAA", "padding"),
        ("mt19937ar-sha512-n288-base64,A~AA", "base64|discouraged|[Oo]nly"),
    ],
)
def test_damaged_seed(seed, bad):
    """A seed of a known kind with impossible words is refused, and the text says why."""
    with pytest.raises(wall_seeds.BadSeedError, match=bad):
        wall_seeds.key(seed)


@pytest.mark.parametrize("seed", ["", "test", "0.7654626590555946", "mt19937ar-sha512-n288-base85,abc"])
def test_seed_of_no_known_kind(seed):
    """An anonymised, forged or future seed gives no finding, and proves nothing."""
    tags = noten_round(SEEDS["of a round"], 3, SCORES)
    tags[0] = tags[0].replace(SEEDS["of a round"], seed)
    report = audited(log_of(tags).replace(b'type="9"', b'type="1"'), options=EVERY)
    assert report.tables["findings"].rows() == []
    assert report.tables["games"]["proven"].to_list() == [None]
    assert all(each.not_checkable == each.looked for each in report.tallies if each.code in ("S101", "S102", "S104"))


def test_walls_are_proven_only_when_asked_for():
    """By default walls are not checked."""
    log = log_of(noten_round(SEEDS["of a round"], 3, SCORES))
    report = audited(log, options=TENHOU)
    assert report.tables["games"]["proven"].to_list() == [None]
    assert not any(each.code.startswith("S") for each in report.tallies)


def test_log_that_begins_in_the_middle_is_not_checkable():
    """If the log begins in the middle, the number of earlier rounds is unknown, so nothing is checkable."""
    tags = noten_round(SEEDS["of a round"], 5, SCORES)
    head = [f'<SHUFFLE seed="{SEEDS["hex"]}" ref=""/>', tags[0].replace(f' shuffle="{SEEDS["of a round"]}"', "")]
    report = audited(log_of([*head, *tags[1:]]), options=Options(preset("tenhou"), ("S",)))
    assert report.tables["findings"].rows() == []
    assert report.tables["games"]["proven"].to_list() == [None]


def test_real_games_are_proven(shared):
    """Every real game with a seed is proven, cut ones too, except the one with another game's header."""
    paths = files_below(shared / "corpus" / "tenhou-mjlog-4p") + files_below(shared / "corpus" / "truncated")
    sources, _ = read_all(paths)
    report = audit(sources, Options(preset("tenhou"), ("S",)))
    findings = report.tables["findings"]
    assert [(source.rpartition("/")[2], code) for source, code in findings.select("source", "code").rows()] == [
        ("west.xml", "S105")
    ]
    seeds = {each.name: b"mt19937ar" in each.data for each in sources}
    proven = dict(report.tables["games"].select("source", "proven").rows())
    assert {source for source, is_proven in proven.items() if is_proven is None} == {
        source for source, has_seed in seeds.items() if not has_seed
    }
    assert sum(is_proven is True for is_proven in proven.values()) == 260
