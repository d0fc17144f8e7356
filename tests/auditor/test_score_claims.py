"""Claims of a scored table: which are compared, in which writings they are read, and what is said without claims."""

from __future__ import annotations

import polars as pl
import pytest

from auditor.hands.columns import misspelt
from auditor.hands.table import scored
from auditor.log.yaku_names import fold, names, read_names
from engine.rules.rule_sets import preset
from engine.yaku.all_yaku import BY_ID
from tests.kit.command_line import auditor

TENHOU = preset("tenhou")
FOUR_HAN = {"hand": "234m234p234s55m67p", "win": "8p-"}
"""Pinfu, tanyao, three colours of 234: 4 han 30 fu, 7700 points from a non-dealer (README of the hands)."""


def judged(rules=TENHOU, **row):
    """Score one row; give the compared columns, the mismatches and the unreadable cells."""
    table = scored(pl.DataFrame([row], infer_schema_length=None), rules)
    assert table["problem"][0] is None, table["problem"][0]
    return table.select("compared", "mismatch", "unreadable").row(0)


def written(tmp_path, text, name="hands.csv"):
    """Write a table to a file."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


# Points of yakuman and limits: a unit is 8000 base points, times six from a non-dealer to the dealer, times four
# between non-dealers. Clients write fu and han of yakuman in their own ways.
YAKUMAN = [
    ({"hand": "m111222333p444s55", "win": "4p"}, "32000"),  # four concealed triplets, drawn by South
    ({"hand": "m111222333p444s55", "win": "5s="}, "32000"),  # the same, waiting for the pair
    ({"hand": "m19p19s19z1234567", "win": "1m="}, "32000"),  # thirteen orphans
    ({"hand": "z11122233344455", "win": "5z="}, "96000"),  # big winds, all honours, four concealed triplets
]


@pytest.mark.parametrize(("hand", "points"), YAKUMAN)
@pytest.mark.parametrize("claim", [{"han": 13, "fu": 0}, {"han": 26, "fu": None}, {"han": 0, "fu": 50}, {"han": 1}])
def test_points_decide_of_a_yakuman(hand, points, claim):
    """Fu and han that clients write for a yakuman are no mismatch; wrong points are."""
    assert judged(**hand, **claim, points=points) == ("points", None, None)
    assert judged(**hand, **claim, points=8000)[1] == "points"


@pytest.mark.parametrize(("han", "wrong"), [(3, None), (39, None), (13, "han"), (1, "han"), (5, "han")])
def test_han_of_a_yakuman_without_points(han, wrong):
    """Without points, han must be the number of yakuman or 13 for each: three here."""
    assert judged(**YAKUMAN[3][0], han=han)[1] == wrong


@pytest.mark.parametrize(
    ("claim", "compared", "wrong"),
    [
        ({"fu": 0, "han": 11, "points": 24000}, "han, points", None),  # a sanbaiman: fu 0 states nothing
        ({"fu": 30, "han": 11}, "fu, han", None),  # other fu are compared
        ({"fu": 20, "han": 10}, "fu, han", "fu, han"),
    ],
)
def test_fu_where_a_limit_decides(claim, compared, wrong):
    """Full flush, ryanpeikou, pinfu and tanyao are 11 han by ron, with no fu or 30."""
    row = {"hand": "m22334455667788", "win": "8m="}
    table = scored(pl.DataFrame([row | claim]), TENHOU)
    assert table.select("compared", "mismatch").row(0) == (compared, wrong)


def test_zero_fu_is_wrong_where_fu_decide():
    """Below a limit, 0 fu is a claim, and is wrong."""
    assert judged(**FOUR_HAN, fu=0, han=4, points=7700) == ("fu, han, points", "fu", None)


@pytest.mark.parametrize(
    "yaku",
    [
        "pinfu, tanyao, sanshoku doujun",
        "Pinfu(1) Tanyao(1) Sanshoku Doujun(2)",
        "平和、断幺九、三色同順",
        "平和(1飜)|断幺九(1飜)|三色同順(2飜)",
        "7,8,25",
        "7 8 25",
        "pinfu;all simples;mixed triple sequence",
        "sanshoku doujun 2 tanyao 1 pinfu 1",
        "ピンフ・タンヤオ・三色",
        '["Pinfu", "Tanyao", "Sanshoku"]',
        "pinfu / tanyaochuu / sanshoku / dora 0",
        ["pinfu", "tanyao", "sanshoku doujun"],
        [["pinfu", "1"], ["tanyao", "1"], ["sanshoku", "2"]],
        [{"name": "Pinfu", "han": 1}, {"name": "Tanyao", "han": 1}, {"name": "Sanshoku", "han": 2}],
        [7.0, 8.0, 25.0],
    ],
)
def test_writings_of_yaku(yaku):
    """Names in several languages and Tenhou's numbers are read, with or without han, with any separator."""
    assert judged(**FOUR_HAN, yaku=yaku) == ("yaku", None, None)


@pytest.mark.parametrize(
    ("yaku", "wrong", "unreadable"),
    [
        ("pinfu, tanyao", "yaku", None),
        ("pinfu, tanyao, sanshoku doukou", "yaku", None),
        ("pinfu, tanyao, foo", None, "yaku 'foo'"),
        ("pinfu tanyao sanshokku", None, "yaku 'pinfu tanyao sanshokku'"),
        ("-1", None, "yaku '-1'"),
        ("999", None, "yaku '999'"),
    ],
)
def test_wrong_and_unreadable_yaku(yaku, wrong, unreadable):
    """A yaku that the hand lacks is a mismatch; an unknown name is unreadable."""
    assert judged(**FOUR_HAN, yaku=yaku)[1:] == (wrong, unreadable)


@pytest.mark.parametrize(
    ("yaku", "wrong"),
    [
        ("riichi, pinfu, tanyao", None),  # states nothing about dora
        ("riichi, pinfu, tanyao, dora 2", None),
        ("riichi, pinfu, tanyao, dora 1, aka dora 1", None),
        ("riichi, pinfu, tanyao, dora, dora, ura dora 0", None),
        ("riichi, pinfu, tanyao, dora 3", "yaku"),
        ("riichi, pinfu, tanyao, ura dora 1", "yaku"),
    ],
)
def test_dora_among_yaku(yaku, wrong):
    """Dora in the list must be as many as the hand has: 2m by the indicator 1m, and a red five."""
    row = {"hand": "234m678m406p5567s", "win": "8s-", "riichi": 1, "dora": "1m"}
    assert judged(**row, yaku=yaku)[1] == wrong


@pytest.mark.parametrize(
    ("yaku", "wrong"),
    [
        ("yakuhai", None),
        ("Yakuhai (wind of place)", None),
        ("自風", None),
        ("自風 西", None),
        ("seat wind west", None),
        ("Yakuhai (wind of round)", "yaku"),
        ("yakuhai, tanyao", "yaku"),
        ("白", "yaku"),
    ],
)
def test_names_that_leave_the_tile_open(yaku, wrong):
    """A triplet of the seat wind may be claimed by a name that does not say which wind."""
    assert judged(hand="123m456p99s78s,333=z", win="9s-", seat="W", yaku=yaku)[1] == wrong


def test_every_name_of_the_engine_is_read():
    """Every name and number of every yaku is read, and no name means two yaku."""
    for number, yaku in BY_ID.items():
        assert read_names(pl.Series([str(number)])).entries["yaku"].to_list() == [number]
        for name in filter(None, (yaku.name, yaku.kanji, yaku.romaji, yaku.english, yaku.majiang)):
            found = read_names(pl.Series([name, f"{name} (3)"]))
            assert found.unreadable.null_count() == 2, name
            assert found.entries["yaku"].to_list() == [number, number], name
    assert all(names()[fold(yaku.kanji)] == number for number, yaku in BY_ID.items())


@pytest.mark.parametrize(
    ("cell", "read"), [("7,700", True), ("7700点", True), ("7700.0", True), ("7.7k", False), ("9" * 30, False)]
)
def test_amounts_in_texts(cell, read):
    """A number with a unit is read. Another text is an unreadable claim, and the other claims are compared."""
    compared, wrong, unreadable = judged(**FOUR_HAN, han="4 han", points=cell)
    assert wrong is None
    assert compared == ("han, points" if read else "han")
    assert unreadable == (None if read else f"points '{cell[:40]}'")


@pytest.mark.parametrize(("cell", "value"), [(each, True) for each in ("y", "T", "x", "yes", "TRUE", "1", "on", 1.0)]
                         + [(each, False) for each in ("n", "f", "NO", "false", "0", 0, "", None)])  # fmt: skip
def test_flags_in_texts(cell, value):
    """Words for yes mean a last tile, one han more; words for no and empty cells do not."""
    table = scored(pl.DataFrame([{**FOUR_HAN, "last_tile": cell}]), TENHOU)
    assert (table["problem"][0], table["expected_han"][0]) == (None, 4 + value)


@pytest.mark.parametrize(
    ("column", "cell"),
    [("last_tile", "perhaps"), ("riichi", "abc"), ("honba", 10**30), ("honba", 5_000_000), ("sticks", 2**63),
     ("sticks", "x1"), ("ippatsu", 7), ("riichi", 5)],
)  # fmt: skip
def test_a_bad_cell_is_a_problem_of_its_row(column, cell):
    """The row names column and cell, and its neighbours are scored."""
    rows = [{**FOUR_HAN, column: "0"}, {**FOUR_HAN, column: str(cell)}, {**FOUR_HAN, column: ""}]
    table = scored(pl.DataFrame(rows), TENHOU)
    assert table["expected_points"].to_list() == [7700, None, 7700]
    assert column in table["problem"][1]
    assert str(cell)[:20] in table["problem"][1]
    assert table["problem"].null_count() == 2


@pytest.mark.parametrize(
    ("header", "rows", "said"),
    [
        ("hand,win,fuu", "30", ["nearest: fu", "'fuu'"]),
        ("hand,win,point", "7700", ["nearest: points"]),
        ("hand,win,yakus", "pinfu", ["nearest: yaku"]),
        ("hand,win,note", "x", ["no column claims anything"]),
        ("hand,win,fan", "4", ["is it han?"]),
        ("hand,win,fu", "", ["claims are empty"]),
        ("hand,win,yaku", "gibberish", ["none of its claims can be read"]),
    ],
)
def test_nothing_compared_is_no_success(tmp_path, header, rows, said):
    """If nothing was compared, the exit code is 2 with a reason, never "0 differ"."""
    path = written(tmp_path, f"{header}\n234m234p234s55m67p,8p-,{rows}\n")
    code, out, err = auditor("score", path)
    assert code == 2
    assert "differ" not in out + err
    for word in said:
        assert word in err


def test_values_alone_can_be_asked_for(tmp_path):
    """Without claims, --out gives the values; a misspelt claim is still refused."""
    path = written(tmp_path, "hand,win,id\n234m234p234s55m67p,8p-,7\n")
    code, out, _ = auditor("score", path, "--out", tmp_path / "scored.csv")
    assert (code, out) == (0, "1 hands, nothing was compared\n")
    assert pl.read_csv(tmp_path / "scored.csv").select("id", "expected_points").rows() == [(7, 7700)]
    path = written(tmp_path, "hand,win,fuu\n234m234p234s55m67p,8p-,7\n")
    code, _, err = auditor("score", path, "--out", tmp_path / "none.csv")
    assert (code, "rename" in err, (tmp_path / "none.csv").exists()) == (2, True, False)


def test_a_misspelt_column_is_reported(tmp_path):
    """A misspelt column is reported on stderr, and known columns are compared; a client's other columns are ignored."""
    path = written(tmp_path, "hand,win,richi,points,note,id\n234m234p234s55m67p,8p-,0,7700,x,1\n")
    code, out, err = auditor("score", path)
    assert (code, out) == (0, "1 hands, 0 differ\n")
    assert err == "auditor: column 'richi' is not read; nearest: riichi\n"
    assert misspelt(["Hand", "Last Tile", "note", "id", "case", "game", "comment", "date", "player"]) == {}


def test_unreadable_claims_are_counted_apart(tmp_path):
    """Unreadable claims are no mismatch, but counted: exit code 1."""
    path = written(tmp_path, "hand,win,han,yaku\n234m234p234s55m67p,8p-,4,pinfu|foo\n")
    code, out, _ = auditor("score", path)
    assert code == 1
    assert out.splitlines() == [
        "row 1: 234m234p234s55m67p: unreadable claim: yaku 'foo'",
        "1 hands, 0 differ; 1 with claims that cannot be read",
    ]


def test_scored_again_is_the_same(tmp_path):
    """Columns of an earlier scoring are replaced, whatever they contain."""
    path = written(tmp_path, "hand,win,points,note\n234m234p234s55m67p,8p-,7700,=1+1\nhello,,1,\n")
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    assert auditor("score", path, "--out", one)[0] == 1
    code, _, err = auditor("score", one, "--out", two)
    assert (code, one.read_text("utf-8")) == (1, two.read_text("utf-8"))
    assert "replaced" in err
    assert "None" not in auditor("score", path)[1]


def test_cells_reach_the_terminal_in_print():
    """Line ends and escape sequences of a hand are printed escaped."""
    from auditor.hands.report import format_report

    table = scored(pl.DataFrame({"hand": ["\x1b[31m\nx", None], "points": [1, 2]}), TENHOU)
    lines = format_report(table).splitlines()
    assert len(lines) == 3
    assert "\x1b" not in lines[0]
    assert lines[1].startswith("row 2: no hand")


def test_trial_of_claims_for_yakuman(shared):
    """Five yakuman and limits as clients write them have no mismatch."""
    code, out, _ = auditor("score", shared / "trials" / "17_score_yakuman_claims.csv")
    assert (code, out) == (0, "5 hands, 0 differ\n")
