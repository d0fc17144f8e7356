"""The shipped Tenhou logs are consistent, and the converter makes them from their sources."""

import csv
import itertools
import re
from pathlib import Path

import pytest

from tests.kit.conversion import games as cm
from tests.kit.conversion import rounds as mjlog_round
from tests.kit.conversion import tiles as mjlog_tiles
from tests.kit.conversion.readme import FIXTURES, table_rows
from tests.kit.plain.mjlog_replay import decode, replay
from tests.kit.renamed_games import read_text

FOLDER = "tenhou"
LOGS = sorted((FIXTURES / "logs" / FOLDER).iterdir())
WANTED = """
chi,pon,daiminkan,ankan,kakan,ankan in riichi,chain of kans,red five melded
riichi,ron on a riichi tile,double riichi,ippatsu,chankan,rinshan,haitei,houtei,kan ura
draw with 0 tenpai,draw with 1 tenpai,draw with 2 tenpai,draw with 3 tenpai,draw with 4 tenpai
yao9,kaze4,kan4,reach4,ron3,nm,double ron
yakuman,compound yakuman,counted yakuman,pao
red fives,no red fives,no open tanyao,East only,hanchan,bust,extra wind
"""


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_log_replays_and_shows_the_features_listed(path):
    """Tiles, hands, melds, indicators, payments and scores agree, and the README names the game's features."""
    assert replay(read_text(path)) == table_rows(FOLDER)[path.name]


def test_logs_cover_every_wanted_feature():
    """The logs together have every feature that a reader and a scorer should meet."""
    wanted = set(re.split(r"[,\n]", WANTED.strip()))
    assert wanted <= set().union(*table_rows(FOLDER).values())


def test_logs_hold_every_common_yaku():
    """All yaku of the self-played games occur in the logs."""
    listed = [found for path in LOGS for found in re.findall(r' yaku="([\d,]+)"', read_text(path))]
    ids = {int(number) for text in listed for number in text.split(",")[::2]}
    assert ids == set(range(36)) - {17, 26, 27} | {52, 53, 54}


def test_table_lists_exactly_the_files():
    """The README lists exactly the files that exist."""
    assert set(table_rows(FOLDER)) == {path.name for path in LOGS}


def test_type_in_the_name_is_the_type_in_the_log():
    """The file name carries the GO type in hexadecimal."""
    for path in LOGS:
        assert int(path.name.split("-")[1], 16) == int(re.search(r'<GO type="(\d+)"', read_text(path))[1])


def test_styles_differ_as_promised():
    """There are compressed, re-saved, stripped and early files."""
    texts = {path: read_text(path) for path in LOGS}
    assert sum(path.read_bytes()[:2] == b"\x1f\x8b" for path in LOGS) == 3
    assert sum(text.startswith("<!--") and "\n" in text for text in texts.values()) == 1
    assert sum("<SHUFFLE" not in text for text in texts.values()) == 2
    assert sum("lobby=" not in text for text in texts.values()) == 1


def reconvert(sources: list[Path]) -> dict[str, bytes]:
    """Convert the games of the manifest anew."""
    manifest = cm.read_manifest(FIXTURES / "sources" / "manifest.csv")
    games = (game for game in cm.read_games(sources) if game["id"] in manifest)
    return {
        cm.file_name(game, style): cm.render(cm.convert(game, early=style == "early"), style)
        for game in games
        for style in [manifest[game["id"]]]
    }


def unpacked(data: bytes) -> bytes:
    """Unpack gzip, because its bytes depend on the library and the text does not."""
    return cm.gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def test_sources_give_the_shipped_files():
    """Converting the shipped sources again changes nothing."""
    made = reconvert([FIXTURES / "sources" / "majiang.jsonl.gz"])
    assert {name: unpacked(data) for name, data in made.items()} == {
        path.name: unpacked(path.read_bytes()) for path in LOGS
    }


@pytest.mark.long
def test_shared_sources_are_the_shipped_ones(shared):
    """The shipped sources are unchanged lines of the self-play files."""
    with (FIXTURES / "sources" / "manifest.csv").open(encoding="utf-8") as rows:
        wanted = {row["game"] for row in csv.DictReader(rows)}
    shipped = {game["id"]: game for game in cm.read_games([FIXTURES / "sources" / "majiang.jsonl.gz"])}
    files = sorted((shared / "selfplay" / "majiang").glob("*.gz"))
    assert shipped == {game["id"]: game for game in cm.read_games(files) if game["id"] in wanted}


@pytest.mark.parametrize("kind", [0, 8, 13, 24, 33])
def test_meld_codes_of_equal_tiles_decode_to_the_meld(kind):
    """Pon, kakan, daiminkan and ankan survive an independent decoder."""
    for called, spare, rel in itertools.product(range(4), range(4), (1, 2, 3)):
        if called == spare:
            continue
        tiles = [4 * kind + copy for copy in range(4) if copy != spare]
        own = [tile for tile in tiles if tile % 4 != called]
        meld = mjlog_tiles.Meld("pon", own, 4 * kind + called, rel)
        expected = {"who": 2, "from": (2 + rel) % 4, "called": 4 * kind + called, "added": None}
        assert decode(meld.code(), 2) == expected | {"shape": "pon", "tiles": tiles}
        meld.added = 4 * kind + spare
        grown = {"shape": "kakan", "tiles": [*tiles, meld.added], "added": meld.added}
        assert decode(meld.code(), 2) == expected | grown
        three = [4 * kind + copy for copy in range(4) if copy != called]
        big = mjlog_tiles.Meld("daiminkan", three, 4 * kind + called, rel)
        assert decode(big.code(), 2) == expected | {
            "shape": "daiminkan",
            "tiles": sorted([*three, big.called]),
        }
    four = list(range(4 * kind, 4 * kind + 4))
    assert decode(mjlog_tiles.Meld("ankan", four).code(), 1)["tiles"] == four


@pytest.mark.parametrize("first", [0, 6, 9, 15, 18, 24])
def test_chi_codes_decode_to_the_meld(first):
    """Every choice of copies and of the claimed tile survives an independent decoder."""
    for copies in itertools.product(range(4), repeat=3):
        tiles = [4 * (first + i) + copy for i, copy in enumerate(copies)]
        for called in tiles:
            meld = mjlog_tiles.Meld("chi", [tile for tile in tiles if tile != called], called, 3)
            read = decode(meld.code(), 1)
            assert (read["shape"], read["tiles"], read["called"], read["from"]) == ("chi", tiles, called, 0)


@pytest.mark.parametrize(
    ("key", "value"),
    [("連風牌は2符", True), ("ダブル役満あり", True), ("場数", 4), ("赤牌", {"m": 1, "p": 2, "s": 1})],
)
def test_other_rules_are_refused(key, value):
    """A rule that Tenhou does not have is named in the refusal."""
    rule = cm.TENHOU_RULE | {"順位点": ["20", "10", "-10", "-20"], "場数": 2, "クイタンあり": True}
    rule |= {"赤牌": {"m": 1, "p": 1, "s": 1}}
    assert cm.game_type(rule) == 9
    with pytest.raises(mjlog_tiles.RefusedError, match=key):
        cm.game_type(rule | {key: value})


@pytest.mark.parametrize(("dealer_wins", "refused"), [(True, True), (False, False)])
def test_sudden_death_with_a_dealer_repeat_is_refused(dealer_wins, refused):
    """A game that 電脳麻将 ends and Tenhou would continue is refused."""
    log = [[{"qipai": {"zhuangfeng": 1, "jushu": 0}}, {"hule": {"l": 0 if dealer_wins else 1}}]]
    if refused:
        with pytest.raises(mjlog_tiles.RefusedError, match="sudden death"):
            cm.refuse_sudden_death(log, [40000, 20000, 20000, 20000], {"場数": 1})
    else:
        cm.refuse_sudden_death(log, [40000, 20000, 20000, 20000], {"場数": 1})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            lambda log: log[0][0]["qipai"].update(baopai="z1" if log[0][0]["qipai"]["baopai"] != "z1" else "z2"),
            "wall",
        ),
        (lambda log: log[0][0]["qipai"].update(defen=[25000, 25000, 25000, 24000]), "scores differ"),
        (
            lambda log: log[-1][-1].get("hule", log[-1][-1].get("pingju"))["fenpei"].reverse(),
            "pays|balance|final",
        ),
        (lambda log: log[0].pop(1), "wall|holds no"),
    ],
)
def test_a_damaged_source_is_refused(change, reason):
    """A log that contradicts its wall or its own sums is refused."""
    game = next(cm.read_games([FIXTURES / "sources" / "majiang.jsonl.gz"]))
    change(game["paipu"]["log"])
    with pytest.raises(mjlog_tiles.RefusedError, match=reason):
        cm.convert(game)


@pytest.mark.parametrize(
    ("hand", "win", "melds", "tsumo", "fu"),
    [
        ([0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33, 33], 33, [], False, 0),
        ([27, 27, 28, 28, 29, 29, 30, 30, 31, 31, 32, 32, 33, 33], 33, [], True, 25),
        ([1, 1, 1, 3, 3, 3, 12, 12, 12, 22, 22, 22, 5, 5], 5, [], True, 40),
        ([0, 1, 2, 10, 11, 12, 13, 14, 15, 24, 25, 26, 5, 5], 15, [], True, 20),
        (
            [31, 31, 31, 4, 4],
            4,
            [mjlog_tiles.Meld("pon", [128, 129], 130, 1), mjlog_tiles.Meld("ankan", [132, 133, 134, 135])],
            False,
            70,
        ),
    ],
)
def test_fu_of_a_yakuman(hand, win, melds, tsumo, fu):
    """Orphans 0, pairs 25, pinfu 20, else counted: Tenhou records fu although nothing depends on them."""
    assert mjlog_tiles.yakuman_fu(hand, win, melds, tsumo=tsumo, winds=(27, 28)) == fu


@pytest.mark.parametrize(
    ("han", "fu", "code"),
    [
        (4, 30, 0),
        (4, 40, 1),
        (3, 60, 0),
        (3, 70, 1),
        (5, 30, 1),
        (6, 30, 2),
        (8, 30, 3),
        (11, 30, 4),
        (13, 30, 5),
    ],
)
def test_limit_codes(han, fu, code):
    """Nothing is rounded up to mangan; thirteen han are a counted yakuman."""
    assert mjlog_round.limit_of(han, fu) == code


def test_final_points_are_exact_tenths():
    """The first takes what the others give, oka included."""
    assert cm.final_points([45500, 32100, 14000, 8400], [1, 2, 3, 4]) == [555, 121, -260, -416]
