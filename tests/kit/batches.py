"""Batches of single hands, and wins written in one line, for tests of the engine."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from engine.rules.consistency import in_force
from engine.rules.rule_sets import RULE_NAMES, RuleSet, preset
from engine.rules.rule_table import RuleTable
from engine.scoring.score import score
from engine.shapes.readings import find_readings
from engine.tiles.hands import Hands, parse_hand
from engine.yaku.all_yaku import ALL_YAKU
from engine.yaku.features import features
from engine.yaku.wins import Wins


def concatenated(hands):
    """Join batches of hands into one."""
    return Hands(*(np.concatenate([getattr(hand, field.name) for hand in hands]) for field in fields(Hands)))


def kinds(text):
    """Read "1m9p" as an array of kinds."""
    pairs = zip(text[::2], text[1::2], strict=True)
    return np.array(["mpsz".index(suit) * 9 + (int(digit) or 5) - 1 for digit, suit in pairs], dtype=np.uint8)


def win_of(text, **known):
    """Build a win from "tiles win melds": "234m567p23s55z 1s 777-z"; `known` as in `Wins.of`."""
    concealed, win, *melds = text.split(" ")
    known = {name: kinds(value) if isinstance(value, str) else value for name, value in known.items()}
    return Wins.of(parse_hand(",".join([concealed + win, *melds])), kinds(win), **known)


def rules_of(base="tenhou", **changes):
    """Give a table of one row: a preset with some changes. Rules that have no effect under the changes are off."""
    stated = {name: getattr(preset(base), name) for name in RULE_NAMES} | changes
    return RuleTable.from_rules([RuleSet.from_mapping(in_force(stated))])


def scored(text, rules=None, **known):
    """Score a win under Tenhou's rules with some changes."""
    return score(win_of(text, **known), rules_of(**(rules or {})))


def described(text, rules=None, **known):
    """Give the features of all readings of a win."""
    win = win_of(text, **known)
    return features(win, find_readings(win.hands, win.win_kind, ~win.tsumo), rules_of(**(rules or {})))


def yaku_names(scores):
    """Give the romaji names and han of the yaku of one win, yakuman with "*"."""
    names = {entry.id: entry.romaji for entry in ALL_YAKU}
    found = {names[int(i)]: int(scores.yaku[0, i]) for i in np.flatnonzero(scores.yaku[0])}
    return found | {names[int(i)]: "*" for i in np.flatnonzero(scores.yakuman[0])}
