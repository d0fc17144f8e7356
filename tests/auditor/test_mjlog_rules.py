"""Rules from the log: what GO's type and csrule, the lobby and the date state, and what they leave unknown.

Expected values are those of RULES.md 4.1 and 4.2, written out here once more.
"""

from __future__ import annotations

import re
from dataclasses import fields

import polars as pl
import pytest

from auditor.audit.audit_batch import Options
from auditor.readers import mjlog
from engine.rules.rule_sets import RuleSet, preset
from tests.kit.audits import TENHOU, audited, codes, log_bytes, source, tally

LOG = log_bytes("East 4.0, dora 9p\n3 draws 7s\n3 discards 7s\n")


def go(data, **said):
    """Replace the GO tag of a log."""
    tag = "".join(f' {name}="{value}"' for name, value in said.items() if value is not None)
    return re.sub(rb"<GO [^>]*/>", f"<GO{tag}/>".encode(), data)


def rules_of(name="2023050101gm-0009-0000-00000000.mjlog", base=TENHOU.rules, **said):
    """Give the rules that the reader finds for a game with this GO tag."""
    log = mjlog.READER.read([source(go(LOG, **said), name)], base)
    log_bytes = log.problems.filter(pl.col("code") != "L006")  # the names of these files are arbitrary
    assert log_bytes["recorded"].to_list() == ([] if "type" in said else ["GO without type"])
    return log.rules[log.games["rules"][0]]


def differing(rules, others):
    """Name the parameters in which two rule sets differ."""
    return {each.name for each in fields(RuleSet) if getattr(rules, each.name) != getattr(others, each.name)}


PARLOUR = {"kiriage_mangan": True, "uma": None, "final_points_rounding": None}


@pytest.mark.parametrize("table", [1, 9, 41, 73, 97, 137, 161, 169, 225])
def test_ranked_tables_are_the_preset(table):
    """Ordinary tables differ only in length: class, speed and opponents are not rules."""
    rules = rules_of(type=table, lobby=0)
    assert rules == preset("tenhou").changed(game_length=2 if table & 8 else 1)


@pytest.mark.parametrize(
    ("bit", "expected"),
    [
        (0x2, {"red_fives": (0, 0, 0)}),
        (0x4, {"open_tanyao": False}),
        (0x8, {"game_length": 2}),
        (0x200, {**PARLOUR, "open_kan_dora_delayed": False}),
        (0x400, {**PARLOUR, "open_kan_dora_delayed": None, "honba_value": 500}),
        (0x20, {}),
        (0x40, {}),
        (0x80, {}),
        (0x100, {}),
        (0x1000, {}),
    ],
)
def test_type_bits(bit, expected):
    """Each bit changes only its own parameters."""
    plain, rules = rules_of(type=1, lobby=0), rules_of(type=1 | bit, lobby=0)
    assert {name: getattr(rules, name) for name in differing(rules, plain)} == expected


def test_clear_bits_are_said_too():
    """A clear bit outweighs the base: the log states red fives, open tanyao and an East game."""
    base = preset("tenhou").changed(red_fives=(0, 0, 0), open_tanyao=False, game_length=4)
    rules = rules_of(type=1, lobby=0, base=base)
    assert (rules.red_fives, rules.open_tanyao, rules.game_length) == ((1, 1, 1), True, 1)


def test_skill_match():
    """Type 2113 starts with 1000 points, and its settlement is unknown."""
    rules = rules_of(type=2113, lobby=0)
    names = ("starting_points", "return_points", "target_points", "uma", "game_length")
    assert [getattr(rules, name) for name in names] == [None] * 5
    assert rules.honba_value == 100


@pytest.mark.parametrize("missing", [{"lobby": 0}, {}])
def test_missing_type(missing):
    """Without a type the tile set, open tanyao, length and kiriage are unknown."""
    rules = rules_of(**missing)
    names = ("red_fives", "open_tanyao", "game_length", "kiriage_mangan")
    assert [getattr(rules, name) for name in names] == [None] * 4


FIRST_WORD = {
    0x1: ("nagashi_mangan", False),
    0x2: ("kiriage_mangan", True),
    0x4: ("bust_threshold", "off"),
    0x8: ("open_kan_dora_delayed", False),
    0x10: ("dora", False),
    0x20: ("kan_dora", False),
    0x40: ("ura_dora", False),
    0x80: ("kan_ura_dora", False),
    0x100: ("abortive_four_winds", False),
    0x200: ("abortive_four_kans", False),
    0x400: ("abortive_four_riichi", False),
    0x800: ("abortive_kyuushu", False),
    0x1000: ("abortive_triple_ron", False),
    0x2000: ("max_simultaneous_ron", 1),
    0x4000: ("agari_yame", "none"),
    0x8000: ("tenpai_yame", "none"),
    0x10000: ("renchan_mode", None),  # two bits: no source says what they mean together
    0x20000: ("renchan_mode", None),
    0x40000: ("final_points_rounding", "thousand"),
    0x80000: ("ippatsu", False),
    0x100000: ("game_length", None),
    0x200000: ("extension_mode", None),
    0x1000000: ("renhou", None),  # on, but mangan or yakuman?
    0x2000000: ("riichi_without_next_draw", True),
    0x4000000: ("riichi_ankan_level", 1),
    0x8000000: ("fifth_tile_wait", "whole_hand"),
}
SECOND_WORD = {
    0x1: ("double_wind_pair_fu", 2),
    0x2: ("tie_break", None),
    0x8: ("pao_yakuman", ("daisangen", "daisuushi", "suukantsu")),
    0x10: ("kazoe_yakuman", False),
}


@pytest.mark.parametrize("bit", FIRST_WORD, ids=hex)
def test_first_csrule_word(bit):
    """Each bit of csrule's first word changes the one parameter that it names."""
    plain = rules_of(type=9, lobby=4321, csrule="0,0")
    rules = rules_of(type=9, lobby=4321, csrule=f"{bit:08X},00000000")
    name, value = FIRST_WORD[bit]
    assert {each: getattr(rules, each) for each in differing(rules, plain)} == {name: value}


@pytest.mark.parametrize("bit", SECOND_WORD, ids=hex)
def test_second_csrule_word(bit):
    """Each bit of the second word does, too."""
    plain = rules_of(type=9, lobby=4321, csrule="0,0")
    rules = rules_of(type=9, lobby=4321, csrule=f"0,{bit:X},,,,,")
    name, value = SECOND_WORD[bit]
    assert {each: getattr(rules, each) for each in differing(rules, plain)} == {name: value}


def test_many_bits_together():
    """A word is a sum of bits: 0FE0BF0B of the format notes' custom lobby."""
    rules = rules_of(type=9, lobby=4321, csrule="0FE0BF0B,0000001F,,,30000,30000,30000")
    for word, bits in ((0x0FE0BF0B, FIRST_WORD), (0x1F, SECOND_WORD)):
        for bit, (name, value) in bits.items():
            if word & bit:
                assert getattr(rules, name) == value, hex(bit)
    assert (rules.ura_dora, rules.agari_yame, rules.final_points_rounding) == (True, "automatic", "exact")
    assert (rules.starting_points, rules.target_points, rules.return_points) == (30000, 30000, 30000)


@pytest.mark.parametrize(("field", "name"), [(4, "starting_points"), (5, "target_points"), (6, "return_points")])
def test_csrule_scores(field, name):
    """Fields 4 to 6 are scores. A text that is no number makes them unknown; an empty field is the usual value."""
    said = ["0", "0", "", "", "", "", ""]
    plain = rules_of(type=9, lobby=4321, csrule=",".join(said))
    for text, value in (("35000", 35000), ("many", None)):
        said[field] = text
        rules = rules_of(type=9, lobby=4321, csrule=",".join(said))
        assert {each: getattr(rules, each) for each in differing(rules, plain)} == {name: value}


def test_csrule_that_is_no_number():
    """If the first word is unreadable, its parameters are unknown; the second word still counts."""
    rules = rules_of(type=9, lobby=4321, csrule="whatever,1")
    assert {name for name, _ in FIRST_WORD.values()} <= rules.unknown
    assert rules.double_wind_pair_fu == 2


def test_lobby_without_csrule():
    """In a private lobby without csrule, everything that its keeper can change is unknown, and the rest is known."""
    rules = rules_of(type=9, lobby=4321)
    names = {name for word in (FIRST_WORD, SECOND_WORD) for name, _ in word.values()}
    assert names | {"starting_points", "target_points", "return_points", "uma", "honba_value"} <= rules.unknown
    assert rules.red_fives == (1, 1, 1)
    assert rules.open_tanyao is True
    assert rules.yakuman_stacking is True


@pytest.mark.parametrize("lobby", ["0", None])
def test_public_lobby(lobby):
    """Lobby 0 is the public one; logs before 2010 name no lobby."""
    assert rules_of(type=9, lobby=lobby) == preset("tenhou")


@pytest.mark.parametrize(
    ("stamp", "kuikae", "rounding"),
    [
        ("2009013023", 2, "thousand"),
        ("2012123123", 2, "thousand"),
        ("2013010100", None, "thousand"),
        ("2013123123", None, "thousand"),
        ("2014010100", 0, "thousand"),
        ("2021073123", 0, "thousand"),
        ("2021080100", 0, None),
        ("2022053123", 0, None),
        ("2022060100", 0, "exact"),
        ("2026112900", 0, "exact"),
    ],
)
def test_dates(stamp, kuikae, rounding):
    """Kuikae was allowed until 2013 or 2014; final points were whole until 2021 or 2022."""
    for name in (f"{stamp}gm-0009-0000-0123abcd.mjlog", f"/archive/x/{stamp}gm-0009-0000-0123abcd&tw=2.xml.gz"):
        rules = rules_of(name, type=9, lobby=0)
        assert (rules.kuikae_level, rules.final_points_rounding) == (kuikae, rounding)


@pytest.mark.parametrize("name", ["game.mjlog", "2023133199gm-0009-0000-0123abcd.mjlog", "99990101.xml"])
def test_without_a_date(name):
    """If the name has no date or an impossible one, the rules that changed with time are unknown."""
    rules = rules_of(name, type=9, lobby=0)
    assert (rules.kuikae_level, rules.final_points_rounding) == (None, None)


@pytest.mark.parametrize(
    ("name", "said", "recorded", "expected"),
    [
        ("2023050101gm-0009-0000-0123abcd.mjlog", {"type": 9, "lobby": 0}, None, None),
        ("2023050101gm-0009-0000-0123abcd&tw=2.xml", {"type": 9, "lobby": 0}, None, None),
        ("20080501gm-0009-0000-0123abcd.mjlog", {"type": 9}, None, None),
        ("a game.mjlog", {"type": 9, "lobby": 4321}, None, None),
        ("2023050101gm-0009-4321-0123abcd/1.mjlog", {"type": 1, "lobby": 0}, None, None),
        (
            "2023050101gm-0029-0000-0123abcd.mjlog",
            {"type": 9, "lobby": 0},
            "GO type=9",
            "type 41, as in the file's name",
        ),
        (
            "2023050101gm-0009-4321-0123abcd.mjlog",
            {"type": 9, "lobby": 0},
            "GO lobby=0",
            "lobby 4321, as in the file's name",
        ),
        ("2023050101gm-0009-10011-0123abcd.mjlog", {"type": 9, "lobby": 10011}, None, None),
        (
            "2023133101gm-0009-0000-0123abcd.mjlog",
            {"type": 9, "lobby": 0},
            "the date 20231331 in the file's name",
            "a day that there is",
        ),
        (
            "2023050101gm-00b9-0000-0123abcd.mjlog",
            {"type": 169, "lobby": 0},
            "GO type=169",
            "type 185, as in the file's name",
        ),
        (
            "2023050101gm-00a9-0000-0123abcd.mjlog",
            {"type": 185, "lobby": 0},
            "GO type=185",
            "a type of four players, without bit 16: seat 3 is dealt tiles",
        ),
    ],
)
def test_name_against_go(name, said, recorded, expected):
    """If the file's name states type and lobby, they must agree with GO (L006); other names state nothing."""
    log = mjlog.READER.read([source(go(LOG, **said), name)], TENHOU.rules)
    found = log.problems.filter(pl.col("code") == "L006").select("game", "recorded", "expected").rows()
    assert found == ([(0, recorded, expected)] if recorded else [])


def test_dealer_against_number_behind_a_deal_that_is_not_read():
    """The contradiction (L006) names its own round, also where a file before has a deal that begins none."""
    twice = LOG.replace(b"</mjloggm>", LOG[LOG.index(b"<mjloggm") :])  # a second log in the file is not read
    other = re.sub(rb'(<INIT [^>]*oya)="\d"', rb'\1="1"', LOG)
    assert twice.count(b"<INIT") == 2
    log = mjlog.READER.read([source(twice, "twice"), source(other, "other")], TENHOU.rules)
    found = log.problems.filter(pl.col("code") == "L006").select("game", "round", "recorded").rows()
    assert found == [(1, 1, "INIT oya=1")]


def test_base_counts_where_the_log_says_nothing():
    """``--rules`` gives the values that the log does not state."""
    base = preset("tenhou").changed(double_yakuman=True, kiriage_mangan=True)
    rules = rules_of(type=1, lobby=0, base=base)
    assert (rules.double_yakuman, rules.kiriage_mangan) == (True, True)


# Pinfu, tanyao and two dora: 30 fu, four han, 7700; or 8000 with kiriage, which Tenhou does not
# call a limit.
ROUNDED_UP = """
East 4.0, dora 7s, scores 30000 25000 25000 20000
0 holds 234m 678p 234s 56s 88s
3 draws 7s
3 discards 7s
0 wins 7s from 3
  fu 30
  points {0}
  yaku pinfu 1, tanyao 1, dora 2
  change {0} 0 0 -{0}
end
"""
PLAIN, ROUNDED = (log_bytes(ROUNDED_UP.format(points)) for points in (7700, 8000))


@pytest.mark.parametrize(
    ("said", "plain", "rounded"),
    [
        ({"type": 1, "lobby": 0}, [], ["W107"]),
        ({"type": 1, "lobby": 4321}, [], []),  # unknown: neither is a finding
        ({"type": 1, "lobby": 4321, "csrule": "2,0"}, ["W107"], []),
        ({"type": 1, "lobby": 4321, "csrule": "0,0"}, [], ["W107"]),
        ({"lobby": 0}, [], []),
    ],
)
def test_disputed_value(said, plain, rounded):
    """A mismatch that depends on a rule which the log leaves unknown is counted as not checkable."""
    for data, expected in ((PLAIN, plain), (ROUNDED, rounded)):
        assert codes(audited(go(data, **said))) == ([] if "type" in said else ["L003"]) + expected
    report = audited(go(PLAIN, **said), go(ROUNDED, **said))
    assert tally(report, "W107").depends == (0 if plain or rounded else 1)
    assert tally(report, "W107").findings == len(plain) + len(rounded)


def test_rounded_up_by_base():
    """The base rules decide here: each log is right under its own base."""
    rounding = Options(preset("tenhou").changed(kiriage_mangan=True))
    assert codes(audited(ROUNDED, options=rounding)) == []
    assert codes(audited(PLAIN, options=rounding)) == ["W107"]


def test_games_keep_their_own_rules():
    """Each game of a batch has its own rules, also with another game between two of the same rules."""
    report = audited(go(ROUNDED, type=1, lobby=1, csrule="2"), ROUNDED, go(ROUNDED, type=1, lobby=2, csrule="2"))
    assert report.tables["findings"].select("source", "code").rows() == [("log-1.mjlog", "W107")]
    named = report.tables["games"]["rule_set"].to_list()
    assert named[0] == named[2] != named[1]
    assert "kiriage_mangan=True" in named[0]


def test_unknown_rules_are_named():
    """The table of games names the unknown rules."""
    report = audited(go(PLAIN, type=1, lobby=4321))
    text = report.tables["games"]["rule_set"][0]
    assert "unknown:" in text
    assert "kiriage_mangan" in text.partition("unknown:")[2]


def test_what_chip_and_parlour_tables_of_three_players_do_not_show():
    """No log of such a table has been seen, so its stakes are unknown. Those of ranked tables are known."""
    three = log_bytes("table 17\nEast 3.0, dora 9p, scores 35000 35000 35000\n2 draws 7s\n2 discards 7s\n")
    names = ("starting_points", "honba_value", "tsumo_loss", "kita_han")

    def stakes(table):
        name = f"2020050101gm-{table:04x}-0000-00000000.mjlog"
        log = mjlog.READER.read([source(go(three, type=table, lobby=0), name)], TENHOU.rules)
        return [getattr(log.rules[log.games["rules"][0]], name) for name in names]

    assert stakes(0x19) == [35000, 100, True, 1]
    assert stakes(0x219) == stakes(0x419) == [None] * 4
