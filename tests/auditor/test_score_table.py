"""The table of scored hands: right claims of another engine, wrong claims, and rows that cannot be read."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from auditor.cli.main import app
from auditor.hands.files import TableError, read_table
from auditor.hands.table import scored
from engine.rules.rule_sets import preset

HANDS = read_table(Path(__file__).resolve().parents[2] / "fixtures" / "hands" / "published.csv")
"""Disputed hands on whose value three other engines agree (their ids in column ``case``)."""


def test_published_hands_are_scored_right():
    """Every claim of the published values is right."""
    table = scored(HANDS, preset("tenhou"))
    assert table["problem"].null_count() == len(HANDS)
    assert table["mismatch"].null_count() == len(HANDS)


@pytest.mark.parametrize("claim", ["fu", "han", "points"])
def test_a_wrong_claim_is_named(claim):
    """A claim that is changed by ten is the only mismatch of its row."""
    wrong = HANDS.with_columns(
        pl.when(pl.int_range(pl.len()) == 2).then(pl.col(claim) + 10).otherwise(claim).alias(claim)
    )
    assert scored(wrong, preset("tenhou"))["mismatch"].to_list() == [None, None, claim, None]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"hand": "123m"}, "not 14 tiles"),
        ({"hand": "11111m234p567s99s"}, "a fifth copy"),
        ({"hand": "hello"}, "hand, character 1: expected digits"),
        ({"hand": "1133m2244p6688s5z", "win": "x"}, "win, character 1: expected digits"),
        ({"hand": "1133m2244p6688s55z", "seat": "Q"}, "seat 'Q' is none of"),
        ({"hand": "1133m2244p6688s55z", "round": "0"}, "round '0' is none of"),
        ({"hand": "1133m2244p6688s55z", "riichi": "double"}, "riichi 'double' is none of 0, 1, 2"),
        ({"hand": "1133m2244p6688s55z", "honba": "many"}, "honba 'many' is no whole number from 0 to 999"),
        ({"hand": "1133m2244p6688s55z", "dora": "9x"}, "dora, character 2: expected digits"),
        ({"hand": "147m258p369s11234z"}, "no winning hand"),
        ({"hand": "123m456p789s5z55m,444=z", "win": "5-z"}, "not 14 tiles"),
    ],
)
def test_a_row_that_cannot_be_scored_says_why(row, problem):
    """An unreadable row states the reason and counts as a mismatch; nothing is guessed."""
    table = scored(pl.DataFrame([row]), preset("tenhou"))
    assert problem in table["problem"][0]
    assert problem in table["mismatch"][0]
    assert table["expected_points"][0] is None


def test_rows_may_write_hands_and_yaku_each_in_its_own_way(tmp_path):
    """Lists of tiles, lists of melds and texts in one column are read row by row, by the README's grammar."""
    tiles = ["2m", "3m", "4m", "2p", "3p", "4p", "2s", "3s", "4s", "5m", "5m", "6p", "7p"]
    melds = [["2m", "3m", "4m", "2p", "3p", "4p", "5m", "5m", "6p", "7p"], ["2s-", "3s", "4s"]]
    rows = [
        {"hand": tiles, "win": "8p-", "yaku": ["Pinfu", "Tanyao", "Sanshoku"], "points": 7700},
        {"hand": melds, "win": "8p-", "yaku": [["tanyao", 1], ["sanshoku", 1]], "points": 2000},
        {"hand": [["P"], *[["E", "E", "E="]] * 2], "win": "P-", "yaku": "haku", "points": 1000},
        {"hand": [["P"], melds[1], ["E", "E", "E="], ["9m", "9m", "9m", "9m+"], ["C", "C", "C", "C"]],
         "win": "P-", "yaku": "Chun, Bakaze", "points": 8000},
    ]  # fmt: skip
    for name, text in (("a.jsonl", "\n".join(map(json.dumps, rows))), ("a.json", json.dumps(rows))):
        (tmp_path / name).write_text(text)
        table = scored(read_table(tmp_path / name), preset("tenhou"))
        # Pinfu, tanyao and three colours: 4 han 30 fu, 7,700; open, without pinfu: 2 han 30 fu, 2,000.
        # An open triplet of East, an open and a closed kan, a pair of dragons, a wait for it: 20 base fu and
        # 4 + 16 + 32 + 2 + 2, so 80 fu; with 2 han 5,200.
        assert table["expected_points"].to_list() == [7700, 2000, None, 5200]
        assert table["mismatch"][:2].to_list() == [None, None]
        assert "a fifth copy of E" in table["problem"][2]
        assert table["mismatch"][3] == "points"


WRITTEN = [
    ("234m234p234s55m67p", "8p-"),
    ("m234p234s234m55p67", "p8-"),
    ("234m 234p 234s 55m 67p", "8-p"),
    ("2m 3m 4m 2p 3p 4p 2s 3s 4s  5m 5m 6p 7p", "8p-"),
    ("m234 234p s234 5m5m p67", "8p-"),
    ("🀈🀉🀊🀚🀛🀜🀑🀒🀓🀋🀋🀞🀟", "🀠-"),
]
"""One hand in the writings of README: pinfu, tanyao and three colours of 234, 4 han 30 fu from a non-dealer."""


def test_every_writing_has_its_value():
    """Columns in mixed writings give the values of single hands."""
    hands, wins = zip(*WRITTEN, strict=True)
    table = scored(pl.DataFrame({"hand": hands, "win": wins}), preset("tenhou"))
    assert table["problem"].to_list() == [None] * len(WRITTEN)
    assert table["expected_points"].to_list() == [7700] * len(WRITTEN)


def test_lists_of_tiles_are_hands():
    """A list of tiles, or of concealed tiles and melds, is a hand in JSON Lines and Parquet."""
    closed = ["2m", "3m", "4m", "2p", "3p", "4p", "2s", "3s", "4s", "5m", "5mr", "6p", "7p", "8p"]
    table = scored(pl.DataFrame({"hand": [closed, [*closed[:-1], None], [*closed[:-1], ""]]}), preset("tenhou"))
    assert table["expected_han"].to_list() == [6, None, None]  # the tsumo and the red five, too
    assert "not '?'" in table["problem"][1]
    assert "not '?'" in table["problem"][2]
    melds = [["2m", "3m", "4m", "2p", "3p", "4p", "5m", "5m", "6p", "7p", "8p"], ["2s-", "3s", "4s"]]
    table = scored(pl.DataFrame({"hand": [melds], "dora": [["1m", "E"]]}), preset("tenhou"))
    assert (table["problem"][0], table["expected_han"][0]) == (None, 3)  # tanyao, three colours, a dora


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet"])
def test_every_form_goes_in_and_out(tmp_path, ending):
    """The command reads and writes each format; the exit code shows mismatches."""
    source, out = tmp_path / f"hands{ending}", tmp_path / f"scored{ending}"
    {".csv": HANDS.write_csv, ".jsonl": HANDS.write_ndjson, ".parquet": HANDS.write_parquet}[ending](source)
    result = CliRunner().invoke(app, ["score", str(source), "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert "4 hands, 0 differ" in result.output
    assert read_table(out)["expected_points"].to_list() == HANDS["points"].to_list()


def test_unknown_form_and_missing_column(tmp_path):
    """A file in another format, and a table without hands, are refused with advice."""
    other = tmp_path / "hands.xlsx"
    other.write_bytes(b"x")
    with pytest.raises(TableError, match=r"\.csv, .*\.parquet"):
        read_table(other)
    with pytest.raises(TableError, match="no column 'hand'"):
        scored(pl.DataFrame({"tiles": ["1m"]}), preset("tenhou"))


def test_wins_of_another_engine(shared):
    """The claims of 7,000 wins by majiang-core all agree under its rules."""
    rows = []
    for line in json.loads(gzip.decompress((shared / "truth" / "wins.json.gz").read_bytes())):
        param, out = line["in"]["param"], line["out"]
        if out is None or out.get("defen") is None:
            continue
        situation = param["hupai"]
        rows.append(
            {
                "hand": line["in"]["shoupai"],
                "win": line["in"].get("rongpai"),
                "seat": "ESWN"[param["menfeng"]],
                "round": "ESWN"[param["zhuangfeng"]],
                "riichi": situation.get("lizhi", 0),
                "ippatsu": bool(situation.get("yifa")),
                "rinshan": bool(situation.get("lingshang")),
                "chankan": bool(situation.get("qianggang")),
                "last_tile": bool(situation.get("haidi")),
                "first_turn": bool(situation.get("tianhu")),
                "dora": "".join(param["baopai"]),
                "ura": "".join(param["fubaopai"] or []),
                "fu": out.get("fu"),
                "han": out.get("fanshu"),
                "points": out["defen"],
            }
        )
    assert len(rows) > 4000
    table = scored(pl.DataFrame(rows, infer_schema_length=None), preset("majiang"))
    assert table.filter(pl.col("mismatch").is_not_null()).select("hand", "win", "mismatch").rows() == []
