"""A rule and a yaku are declared in one place each: one declaration adds a rule, or a yaku, to a copy of the engine."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import engine

RULE = """
    sky_is_green: bool | None = rule("what the sky is", "nowhere", majiang="")
"""
YAKU = '''

@yaku(159, "\u4e8c\u5341\u4e00", "nijuuichi", "twenty-one", closed=3, open=2, beats=(8,))
def nijuuichi(f: Features) -> Bools:
    """Nothing but 2 and 3, under a green sky."""
    return only(f.kinds, mask_of((1, 2, 10, 11, 19, 20))) & f.rules.on("sky_is_green")
'''
USE = """
import numpy as np
from engine.tiles.hands import parse_hand
from engine.rules.rule_sets import PARAMETERS, RuleSet, differences, preset
from engine.rules.rule_table import RuleTable
from engine.scoring.score import score
from engine.yaku.wins import Wins
from engine.yaku.all_yaku import BY_ID

tenhou = preset("tenhou").changed(sky_is_green=False)
green = tenhou.changed(sky_is_green=True, local_yaku=["nijuuichi"])
assert differences(tenhou, green)["sky_is_green"] == (False, True)
assert PARAMETERS["sky_is_green"].meaning == "what the sky is"
for wrong in ({"sky_is_gren": True}, {"sky_is_green": 1}, {"local_yaku": ["nijuichi"]}):
    try:
        RuleSet.from_mapping(wrong)
    except ValueError as error:
        assert "sky_is_green" in str(error) or "nijuuichi" in str(error), error
    else:
        raise AssertionError(wrong)
table = RuleTable.from_rules([tenhou, green])
assert table.sky_is_green.tolist() == [False, True]
wins = Wins.of(parse_hand("222m333m222p33p,333-s")[[0, 0]], np.array([11, 11]), rule=[0, 1])
print([BY_ID[number].english for number in np.flatnonzero(score(wins, table).yaku[1])], score(wins, table).han.tolist())
"""


def test_a_copy_with_one_more_of_each(tmp_path):
    """Validation, rule files, the table, differences, scoring, replacement and names follow from the declarations."""
    package = tmp_path / "engine"
    shutil.copytree(Path(engine.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    rules, local = package / "rules" / "parameters.py", package / "yaku" / "local.py"
    before, anchor, after = rules.read_text("utf-8").partition("\n    def __post_init__")
    rules.write_text(before + RULE + anchor + after, "utf-8")
    local.write_text(local.read_text("utf-8") + YAKU, "utf-8")
    done = subprocess.run([sys.executable, "-c", USE], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout == "['all triplets', 'three concealed triplets', 'twenty-one'] [5, 6]\n"
