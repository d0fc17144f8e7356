"""Walls from seeds: the auditor's arrays compared with a plain version (tests/kit/plain/walls.py), and real games."""

from __future__ import annotations

import base64
import re
import struct
from collections import Counter

import numpy as np
import pytest

from auditor.audit.audit_batch import Options, audit
from auditor.replay import wall_seeds
from engine.rules.rule_sets import preset
from tests.kit.audits import EVERY, TENHOU, audited, files_below, log_bytes, read_all
from tests.kit.plain.walls import Twister, noten_round, walls
from tests.kit.renamed_games import read_text

SCORES = {4: (30000, 25000, 25000, 20000), 3: (40000, 35000, 30000)}
"""Scores at the end of a game, by the number of players."""
WORDS = [0x01010101 * (word + 1) & 0xFFFFFFFF for word in range(624)]
SEEDS = {
    "of a round": "mt19937ar," + ",".join(f"{word:08X}" for word in WORDS[:8]),
    "of a round, long": "mt19937ar," + ",".join(f"{word:08X}" for word in WORDS[:32]),
    "hex": "mt19937ar-sha512-n288," + ",".join(f"{word:08X}" for word in WORDS[:32]),
    "base64": "mt19937ar-sha512-n288-base64," + base64.b64encode(struct.pack("<624I", *WORDS)).decode(),
}
ROUNDS = 3

of_every_kind = pytest.mark.parametrize(
    ("name", "players"), [(name, players) for players in (4, 3) for name in SEEDS if (name, players) != ("hex", 3)]
)
"""Every kind of seed, with every number of players with which it has been seen."""


def rounds_of(name):
    """Give the number of rounds to make for a kind of seed."""
    return 1 if "round" in name else ROUNDS


def row_of(seed, players):
    """Give the row of a seed's layout in the tables of places."""
    return wall_seeds.ROW[players, seed.partition(",")[0]]


def test_twister():
    """The plain generator gives the numbers that its authors publish for this key."""
    twister = Twister([0x123, 0x234, 0x345, 0x456])
    assert [twister.next() for _ in range(5)] == [1067595299, 955945823, 477289528, 4107218783, 4228976476]


@of_every_kind
def test_walls_equal_the_twins(name, players):
    """Tiles and dice are equal for all kinds of seeds, round by round."""
    kind, words = wall_seeds.key(SEEDS[name])
    numbers = wall_seeds.numbers(kind, words, rounds_of(name))
    twins = walls(SEEDS[name], rounds_of(name), players)
    assert wall_seeds.shuffled(numbers, players).T.tolist() == [twin.tiles for twin in twins]
    dice = wall_seeds.DICE[row_of(SEEDS[name], players)]
    assert (numbers[:, dice] % 6).tolist() == [list(twin.dice) for twin in twins]


@of_every_kind
def test_places_equal_the_twins(name, players):
    """Dealt tiles, the next draw, indicators and replacement tiles are equal; what was never seen is unknown."""
    row = row_of(SEEDS[name], players)
    twin = walls(SEEDS[name], 1, players)[0]
    tiles = np.full(wall_seeds.BEYOND + 1, -1)
    tiles[: len(twin.tiles)] = twin.tiles
    unseen_ura = (players, "base64" in name) == (3, False)
    replacements = {(4, True): 4, (3, True): 6}.get((players, "base64" in name), 2)
    assert tiles[wall_seeds.DORA[row]].tolist() == [*(twin.dora(nth) for nth in range(5)), -1]
    assert tiles[wall_seeds.URA[row]].tolist() == [*(-1 if unseen_ura else twin.ura(nth) for nth in range(5)), -1]
    found = tiles[wall_seeds.REPLACEMENTS[row]].tolist()
    assert found[:replacements] == [twin.replacement(nth) for nth in range(replacements)]
    assert set(found[replacements:]) == {-1}
    for dealer in range(players):
        twin = walls(SEEDS[name], 1, players)[0]
        hands = twin.hands(dealer)
        assert [tiles[wall_seeds.DEALT[row, (seat - dealer) % players]].tolist() for seat in range(players)] == hands
        assert tiles[wall_seeds.LIVE[row]] == twin.draw()


def test_a_round_of_three_players_with_its_own_seed():
    """A round of June 2009 (2009060321gm-00b9-0000-75b25bcf): dice, indicator, dealt hands, draws, replacements."""
    seed = "mt19937ar,5EE931AE,6705E689,792A825C,D96AAEBB,D335223E,025A7B84,9697551A,0A449EA2"
    kind, words = wall_seeds.key(seed)
    numbers, row = wall_seeds.numbers(kind, words, 1), row_of(seed, 3)
    wall = wall_seeds.shuffled(numbers, 3)[:, 0]
    assert (numbers[0, wall_seeds.DICE[row]] % 6).tolist() == [1, 3]
    assert wall[wall_seeds.DORA[row, 0]] == 118
    assert wall[wall_seeds.DEALT[row, 0]].tolist() == [3, 84, 135, 86, 98, 67, 123, 91, 75, 133, 48, 134, 65]
    assert wall[wall_seeds.DEALT[row, 1]].tolist() == [69, 41, 1, 43, 37, 89, 54, 109, 44, 38, 52, 72, 94]
    assert wall[wall_seeds.LIVE[row] - np.arange(3)].tolist() == [88, 124, 95]
    assert wall[wall_seeds.REPLACEMENTS[row, :2]].tolist() == [85, 58]


ROUND = re.compile(
    r'<INIT seed="\d+,\d+,\d+,(?P<dice>\d+,\d+),(?P<dora>\d+)"[^>]*? oya="(?P<dealer>\d)" '
    r'hai0="(?P<hai0>[\d,]+)" hai1="(?P<hai1>[\d,]+)" hai2="(?P<hai2>[\d,]+)" hai3=""'
)
TAG = re.compile(
    r'<(?:[T-W](?P<drawn>\d+)|(?P<discard>[D-G])\d+|N who="\d" m="(?P<call>\d+)"|DORA hai="(?P<turned>\d+)"'
    r'|AGARI [^>]*? doraHaiUra="(?P<below>[\d,]+)"[^>]*)\s*/>'
)


def numbers_in(text):
    """Split a list of whole numbers."""
    return list(map(int, text.split(",")))


def test_real_rounds_of_three_players(shared):
    """All tiles that the text of real logs names are those of the arrays, in 67 games."""
    counted = Counter()
    for path in files_below(shared / "corpus" / "tenhou-mjlog-3p"):
        text = read_text(path)
        seed = re.search('<SHUFFLE seed="([^"]+)"', text)[1]
        deals = list(ROUND.finditer(text))
        kind, words = wall_seeds.key(seed)
        numbers, row = wall_seeds.numbers(kind, words, len(deals)), row_of(seed, 3)
        for nth, deal in enumerate(deals):
            wall = wall_seeds.shuffled(numbers, 3)[:, nth]
            end = deals[nth + 1].start() if nth + 1 < len(deals) else len(text)
            live, replacements, turned, below = played(text[deal.end() : end])
            dealt = wall_seeds.DEALT[row, (np.arange(3) - int(deal["dealer"])) % 3]
            assert wall[dealt].tolist() == [numbers_in(deal[f"hai{seat}"]) for seat in range(3)]
            assert wall[wall_seeds.LIVE[row] - np.arange(len(live))].tolist() == live
            assert wall[wall_seeds.REPLACEMENTS[row, : len(replacements)]].tolist() == replacements
            turned = [int(deal["dora"]), *turned]
            assert wall[wall_seeds.DORA[row, : len(turned)]].tolist() == turned
            assert all(wall[wall_seeds.URA[row, : len(shown)]].tolist() == shown for shown in below)
            assert (numbers[nth, wall_seeds.DICE[row]] % 6).tolist() == numbers_in(deal["dice"])
            counted += Counter(
                rounds=1, live=len(live), replacements=len(replacements), turned=len(turned), below=len(below)
            )
    assert counted == {"rounds": 605, "live": 19900, "replacements": 1668, "turned": 696, "below": 241}


def played(text):
    """Split the tiles of a round, given as text, into draws, replacement draws, indicators, and lists of ura dora."""
    found = [], [], [], []
    live, replacements, turned, below = found
    replaces = False
    for tag in TAG.finditer(text):
        if tag["drawn"]:
            (replacements if replaces else live).append(int(tag["drawn"]))
        elif tag["turned"]:
            turned.append(int(tag["turned"]))
        elif tag["below"]:
            below.append(numbers_in(tag["below"]))
        if tag["call"]:  # all calls but chi and pon
            code = int(tag["call"])
            replaces = not code & 4 and not code & 8
        elif tag["drawn"] or tag["discard"]:
            replaces = False
    return found


@pytest.mark.parametrize("name", ["of a round", "of a round, long"])
@pytest.mark.parametrize(("players", "dealer"), [(players, dealer) for players in (4, 3) for dealer in range(players)])
def test_round_with_its_own_seed_is_proven(name, players, dealer):
    """A round that is dealt and drawn from its wall is proven, whoever the dealer is."""
    tags = noten_round(SEEDS[name], 4 + dealer, SCORES[players])
    report = audited(log_of(tags, players), options=Options(preset("tenhou"), ("S",)))
    assert report.tables["findings"].rows() == []
    assert report.tables["games"]["proven"].to_list() == [True]


def log_of(tags, players=4):
    """Write tags as a game."""
    return log_bytes("\n".join([f"table {9 if players == 4 else 25}", *(f"raw {tag}" for tag in tags)]))


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
    tags = noten_round(SEEDS["of a round"], 3, SCORES[4])
    tags[0] = tags[0].replace(SEEDS["of a round"], seed)
    report = audited(log_of(tags).replace(b'type="9"', b'type="1"'), options=EVERY)
    assert report.tables["findings"].rows() == []
    assert report.tables["games"]["proven"].to_list() == [None]
    assert all(each.not_checkable == each.looked for each in report.tallies if each.code in ("S101", "S102", "S104"))


def test_walls_are_proven_only_when_asked_for():
    """By default no wall is computed from a seed; walls that a record states (S106, S107) cost little."""
    log = log_of(noten_round(SEEDS["of a round"], 3, SCORES[4]))
    report = audited(log, options=TENHOU)
    assert report.tables["games"]["proven"].to_list() == [None]
    assert {each.code for each in report.tallies if each.code.startswith("S")} == {"S106", "S107"}


def test_log_that_begins_in_the_middle_is_not_checkable():
    """If the log begins in the middle, the number of earlier rounds is unknown, so nothing is checkable."""
    tags = noten_round(SEEDS["of a round"], 5, SCORES[4])
    head = [f'<SHUFFLE seed="{SEEDS["hex"]}" ref=""/>', tags[0].replace(f' shuffle="{SEEDS["of a round"]}"', "")]
    report = audited(log_of([*head, *tags[1:]]), options=Options(preset("tenhou"), ("S",)))
    assert report.tables["findings"].rows() == []
    assert report.tables["games"]["proven"].to_list() == [None]


def test_seed_that_was_never_seen_with_three_players():
    """For three players, the places of tiles under the second kind of seed are unknown, so nothing is checkable."""
    tags = noten_round(SEEDS["of a round"], 0, SCORES[3])
    tags[0] = tags[0].replace(f' shuffle="{SEEDS["of a round"]}"', "")
    log = log_of([f'<SHUFFLE seed="{SEEDS["hex"]}" ref=""/>', *tags], players=3)
    report = audited(log, options=Options(preset("tenhou"), ("S",)))
    assert report.tables["findings"].rows() == []
    assert report.tables["games"]["proven"].to_list() == [None]


def test_real_games_are_proven(shared):
    """Every real game with a seed is proven, cut ones too, except the one with another game's header.

    Games of three and four players are in one batch.
    """
    folders = ("tenhou-mjlog-4p", "tenhou-mjlog-3p", "truncated")
    paths = [path for folder in folders for path in files_below(shared / "corpus" / folder)]
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
    assert sum(is_proven is True for is_proven in proven.values()) == 260 + 67
