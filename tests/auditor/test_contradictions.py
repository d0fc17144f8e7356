"""Impossible hands: `hand` and `score` refuse them in the same words. Possible hands pass both.

The rules of the game decide what is possible; if another scorer has the same case, the comment names it.
"""

from __future__ import annotations

import polars as pl
import pytest
from typer.testing import CliRunner

from auditor.cli.main import app
from auditor.hands.files import read_table
from auditor.hands.table import scored
from engine.rules.rule_sets import preset

PINFU = "234m567m234p55s67s"
"""Waits for 5s and 8s."""
CLOSED = {"hand": f"{PINFU}8s"}
RON = {"hand": PINFU, "win": "8s-"}
OPEN = {"hand": "234m567m55s67s8s,234p-"}
ANKAN = {"hand": "234m567m55s67s8s,9999p"}
OPTIONS = {"last_tile": "last", "first_turn": "first"}

IMPOSSIBLE = [
    # Riichi needs a closed hand; ippatsu and ura dora need riichi.
    ({**OPEN, "riichi": 1}, "riichi with an open hand"),
    ({**OPEN, "riichi": 2}, "riichi with an open hand"),
    ({**OPEN, "hand": "234m567m55s67s8s*,234p-"}, "riichi with an open hand"),
    ({**RON, "ippatsu": True}, "ippatsu without riichi"),
    ({**RON, "dora": "1m", "ura": "1p"}, "ura dora indicators without riichi"),
    ({**RON, "riichi": 1, "dora": "1m", "ura": "1p9p"}, "more ura dora indicators (2) than dora indicators (1)"),
    ({**RON, "dora": "1m1m1p1p9p9p"}, "6 dora indicators"),
    ({"hand": f"{PINFU}8s*", "riichi": 0}, "marked * as in riichi, but riichi is 0"),
    # Rinshan is an own draw after a kan, which ends ippatsu; it is never haitei.
    ({**ANKAN, "win": "8s-", "rinshan": True}, "rinshan on a ron"),
    ({**CLOSED, "rinshan": True}, "rinshan without a kan"),
    ({**OPEN, "rinshan": True}, "rinshan without a kan"),
    ({**ANKAN, "rinshan": True, "riichi": 1, "ippatsu": True}, "rinshan with ippatsu"),
    ({**ANKAN, "rinshan": True, "last_tile": True}, "rinshan with the last tile"),
    # A robbed kan is another seat's, holds all other copies of the tile, and is not the last draw.
    ({**CLOSED, "chankan": True}, "chankan on a tsumo"),
    ({**RON, "chankan": True, "last_tile": True}, "chankan with the last tile"),
    ({"hand": "234m567m234p55s88s", "win": "8s-", "chankan": True}, "chankan with another 8s in sight"),
    ({**RON, "chankan": True, "dora": "8s"}, "chankan with another 8s in sight"),
    ({**RON, "hand": "234m567m55s67s,888s=", "chankan": True}, "chankan with another 8s in sight"),
    # The first turn ends with any call or kan and with the own discard; East discards before anybody else.
    ({**OPEN, "first_turn": True}, "first turn with melds"),
    ({**ANKAN, "first_turn": True}, "first turn with melds"),
    ({**RON, "first_turn": True, "riichi": 1}, "first turn with riichi"),
    ({**RON, "first_turn": True, "seat": "E"}, "first turn on a ron by East"),
    ({**CLOSED, "first_turn": True, "last_tile": True}, "first turn with the last tile"),
    ({**RON, "first_turn": True, "chankan": True}, "first turn with chankan"),
    ({**CLOSED, "first_turn": True, "dora": "1m1p"}, "first turn with more than one dora indicator"),
    # Double riichi is declared in the first turn, and ippatsu needs that nothing interrupted since.
    ({**ANKAN, "riichi": 2, "ippatsu": True}, "ippatsu of a double riichi with melds"),
    ({**RON, "riichi": 2, "ippatsu": True, "last_tile": True}, "ippatsu of a double riichi with the last tile"),
    ({**RON, "riichi": 2, "ippatsu": True, "chankan": True}, "ippatsu of a double riichi with chankan"),
    ({**RON, "riichi": 2, "ippatsu": True, "dora": "1m1p"}, "ippatsu of a double riichi with more than one"),
    # Four copies of a tile, one red five a suit.
    ({"hand": "123m456m789m1p,1111p", "win": "1p="}, "a fifth copy of 1p"),
    ({"hand": "z55m123p456s99,z5555", "win": "9s="}, "a fifth copy of P"),
    ({"hand": "123m456m999s7p,777p=", "win": "7p-"}, "5 copies of 7p"),
    ({**RON, "dora": "8s8s8s8s"}, "5 copies of 8s"),
    ({**RON, "riichi": 1, "dora": "5s5s", "ura": "0s"}, "5 copies of 5s"),
    ({"hand": "234m067m234p00s67s", "win": "8s-"}, "2 red 5s"),
    ({"hand": "234m067m234p05s67s", "win": "8s-", "dora": "0m"}, "2 red 5m"),
    # The winning tile is one of the concealed tiles and completes the hand.
    ({"hand": "234m234p234s55m678p", "win": "9s="}, "the winning tile 9s is not among the concealed tiles"),
    ({"hand": "m234p234s22,m678-,p999=", "win": "9p"}, "the winning tile 9p is not among the concealed tiles"),
    ({"hand": "22233344466s,s8888", "win": "8s"}, "the winning tile 8s is not among the concealed tiles"),
    ({"hand": f"{PINFU}8s", "win": "0s"}, "the winning tile 0s is not among the concealed tiles"),
    ({"hand": PINFU, "win": "9s-"}, "9s does not complete it"),
    ({"hand": "123m", "win": "4m"}, "not 14 tiles but 3"),
    # Numbers.
    ({**RON, "honba": 1000}, "honba 1000 is not between 0 and 999"),
    ({**RON, "sticks": 30000}, "sticks 30000 is not between 0 and 999"),
    # Texts.
    ({**RON, "dora": "8z"}, "honours are 1z to 7z"),
    ({**RON, "dora": "1m", "riichi": 1, "ura": "3m-"}, "a mark - = + belongs to a meld"),
    ({**RON, "win": "9z="}, "honours are 1z to 7z"),
    ({**RON, "win": "8s8s"}, "expected one tile"),
    ({"hand": "234m234p234s5s67s,78m6m="}, "a chi is called from the left"),
    ({"hand": "234m234p\n234s55s678m"}, "not '\\n'"),
    ({"hand": "２３４m234p234s55m678p"}, "no plain digit"),
]  # fmt: skip

POSSIBLE = [
    ({**RON, "riichi": 2, "ippatsu": True, "dora": "1m", "ura": "9p"}, "12000"),  # 2, 1, pinfu, tanyao, a dora
    ({**RON, "riichi": 1, "ippatsu": True, "last_tile": True}, "8000"),  # riichi in the last go-round
    ({**RON, "riichi": 1, "ippatsu": True, "chankan": True}, "8000"),  # the robbed kan has not ended ippatsu
    ({**RON, "riichi": 1, "dora": "1m9m1p9p1s", "ura": "1p9p1m9m9s"}, None),  # four kans of others
    ({**RON, "riichi": 1, "ura": "1p"}, None),  # the indicator above is not given
    ({**ANKAN, "riichi": 2}, None),  # the kan came after the riichi
    ({**ANKAN, "riichi": 1, "ippatsu": True}, None),  # the kan came before it
    ({**ANKAN, "rinshan": True, "riichi": 1, "dora": "1m1p", "ura": "9m9m"}, None),
    ({**CLOSED, "first_turn": True}, "32000"),  # chiihou
    ({**CLOSED, "first_turn": True, "seat": "E"}, "48000"),  # tenhou
    ({**RON, "first_turn": True}, None),  # renhou, which Tenhou does not count: pinfu
    ({"hand": "99m19p19s1234567z", "win": "1m-", "chankan": True}, "32000"),
    ({"hand": f"{PINFU}8s*"}, None),
    ({"hand": "234m067m234p05s67s", "win": "8s-"}, None),
    ({**RON, "hand": "234m567m234p05s67s"}, None),
    ({"hand": "234m567m234p678s0s", "win": "5s="}, None),  # "5s" names the kind of a red five, too
    ({**RON, "honba": 999, "sticks": 999}, None),
    # Spaces begin no meld: riichi, tsumo, tanyao, 20 + 2 + 2 fu.
    ({"hand": "88m 234m 567p 345s 678s", "win": "8m", "riichi": 1}, "4000"),
    ({"hand": "234m 234p 234s 55m 67p", "win": "8p-"}, "7700"),
]


def by_hand(case, *more):
    """Run the command for one hand."""
    words = ["hand", case["hand"], *more]
    for name, value in case.items():
        option = f"--{OPTIONS.get(name, name)}"
        words += [] if name == "hand" else [option] if value is True else [option, str(value)]
    return CliRunner().invoke(app, words)


def by_score(cases, rules="tenhou"):
    """Score the cases as one table."""
    return scored(pl.DataFrame(cases, infer_schema_length=None), preset(rules))


@pytest.fixture(scope="module")
def table():
    """Score all impossible hands in one table: no row may affect another."""
    return by_score([case for case, _ in IMPOSSIBLE])["problem"].to_list()


@pytest.mark.parametrize("row", range(len(IMPOSSIBLE)))
def test_an_impossible_hand_is_refused_by_both(row, table):
    """Both commands name the same contradiction, and `hand` ends with exit code 2."""
    case, words = IMPOSSIBLE[row]
    result = by_hand(case)
    assert result.exit_code == 2, result.output
    assert words in result.output
    assert words in (table[row] or "")


@pytest.mark.parametrize(("case", "points"), POSSIBLE)
def test_a_rare_hand_is_scored(case, points):
    """Rare situations that the rules allow have the same value in both commands."""
    result = by_hand(case)
    assert result.exit_code == 0, result.output
    row = by_score([case]).row(0, named=True)
    assert (row["problem"] or "no yaku") == "no yaku"
    if points:
        assert str(row["expected_points"]) == points
        assert f": {points} points" in result.output


def test_all_that_is_wrong_is_named():
    """A row lists all its contradictions."""
    (problem,) = by_score([{**OPEN, "riichi": 1, "rinshan": True}])["problem"]
    assert problem == "riichi with an open hand; rinshan without a kan among the melds"


@pytest.mark.parametrize("riichi", [-1, 3, 5])
def test_riichi_is_none_single_or_double(riichi):
    """The column riichi takes 0, 1 or 2; other numbers are refused."""
    assert by_hand({**RON, "riichi": riichi}).exit_code == 2
    assert by_score([{**RON, "riichi": riichi}])["problem"][0] == f"riichi {riichi} is not between 0 and 2"


def test_numbers_beyond_all_bounds_are_refused():
    """A number such as 2 ** 70 sticks gives a message, not a traceback."""
    result = by_hand({**RON, "sticks": 2**70})
    assert (result.exit_code, str(2**70) in result.output) == (2, True)


@pytest.mark.parametrize(
    ("rules", "problem"),
    [("tenhou", None), ("ema2025", "1 red 5s: the rules have 0"), ("wrc", None)],  # WRC: sources conflict, unknown
)
def test_red_fives_are_those_of_the_rules(rules, problem):
    """A red five is refused if the rules have none; if the number is unknown, it is accepted."""
    assert by_score([{**RON, "hand": "234m567m234p05s67s"}], rules)["problem"][0] == problem


@pytest.mark.parametrize("flag", ["ippatsu", "rinshan", "chankan", "last_tile", "first_turn"])
def test_how_a_hand_was_won_needs_a_win(flag):
    """A situation of winning, such as rinshan, is refused for a hand that is not won."""
    result = by_hand({"hand": PINFU, flag: True, "riichi": 1})
    assert result.exit_code == 2
    assert "but the hand is not won" in result.output


@pytest.mark.parametrize("number", [2, 3, 4, 5, 6, 7])
def test_trials(number, shared):
    """In the tables that trial users sent, the rows that their notes call right are scored; the others are problems."""
    (path,) = (shared / "trials").glob(f"0{number}_*.csv")
    right = {2: [0, 1], 3: [0]}.get(number, [])
    problems = scored(read_table(path), preset("tenhou"))["problem"].to_list()
    assert [row for row, problem in enumerate(problems) if problem is None] == right
