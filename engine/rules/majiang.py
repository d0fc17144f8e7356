"""The rule object of 電脳麻将: its 28 keys, and the parameters that each of them states.

The source of every key, default and effect is RULES.md 1 (lib/rule.js of majiang-core 1.4.1). The library keeps an
unknown key without a message. Here an unknown key is an error: it would have no effect there, so it is most likely
misspelt.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from engine.rules.consistency import in_force
from engine.rules.parameters import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Translation = Callable[[Any], dict[str, Any]]


def _same(name: str) -> Translation:
    return lambda value: {name: value}


def _points_by_place(texts: list[str]) -> dict[str, Any]:
    """First place gets minus the sum of the others. If no text has a decimal, results are whole numbers."""
    if not isinstance(texts, list) or len(texts) != 4:
        raise ValueError("four texts are needed")
    others = [float(text) for text in texts[1:]]
    whole = not any(re.search(r"\.\d", text) for text in texts)
    return {"uma": (-sum(others), *others), "final_points_rounding": "thousand_half_up" if whole else "exact"}


def _aborts(value: bool) -> dict[str, Any]:  # noqa: FBT001 - a value of the rule object
    """Switch four aborts; the key 最大同時和了数 decides on the abort by three rons."""
    names = ("abortive_kyuushu", "abortive_four_winds", "abortive_four_riichi", "abortive_four_kans")
    return dict.fromkeys(names, value)


def _ron(value: int) -> dict[str, Any]:
    """With two winners at most, three rons abort the round, but not if they rob a kan (RULES.md 2.8)."""
    return {"max_simultaneous_ron": value, "abortive_triple_ron": value == 2}


def _bust(value: bool) -> dict[str, Any]:  # noqa: FBT001 - a value of the rule object
    """Set two rules: if a bust ends the game, riichi needs 1000 points (RULES.md 2.5)."""
    return {"bust_threshold": "below_zero" if value else "off", "riichi_min_points": 1000 if value else 0}


def _last_round(value: bool) -> dict[str, Any]:  # noqa: FBT001 - a value of the rule object
    return dict.fromkeys(("agari_yame", "tenpai_yame"), "automatic" if value else "none")


def _ankan(level: int) -> dict[str, Any]:
    """At level 1 a kan must not take nine gates away either (RULES.md 2.6)."""
    return {"riichi_ankan_level": level, "riichi_ankan_yaku_loss": level < 2}


_BOOL, _LEVELS = (True, False), (0, 1, 2)

_KEYS: dict[str, tuple[tuple[Any, ...], Translation]] = {
    "配給原点": ((), _same("starting_points")),
    "順位点": ((), _points_by_place),
    "連風牌は2符": (_BOOL, lambda value: {"double_wind_pair_fu": 2 if value else 4}),
    "赤牌": ((), lambda value: {"red_fives": tuple(value[suit] for suit in "mps")}),
    "クイタンあり": (_BOOL, _same("open_tanyao")),
    "喰い替え許可レベル": (_LEVELS, _same("kuikae_level")),
    "場数": ((0, 1, 2, 4), _same("game_length")),
    "途中流局あり": (_BOOL, _aborts),
    "流し満貫あり": (_BOOL, _same("nagashi_mangan")),
    "ノーテン宣言あり": (_BOOL, _same("tenpai_declaration_optional")),
    "ノーテン罰あり": (_BOOL, lambda value: {"noten_payment": (3000,) * 3 if value else (0,) * 3}),
    "最大同時和了数": ((1, 2, 3), _ron),
    "連荘方式": ((0, 1, 2, 3), _same("renchan_mode")),
    "トビ終了あり": (_BOOL, _bust),
    "オーラス止めあり": (_BOOL, _last_round),
    "延長戦方式": ((0, 1, 2, 3), _same("extension_mode")),
    "一発あり": (_BOOL, _same("ippatsu")),
    "裏ドラあり": (_BOOL, _same("ura_dora")),
    "カンドラあり": (_BOOL, _same("kan_dora")),
    "カン裏あり": (_BOOL, _same("kan_ura_dora")),
    "カンドラ後乗せ": (_BOOL, _same("open_kan_dora_delayed")),
    "ツモ番なしリーチあり": (_BOOL, _same("riichi_without_next_draw")),
    "リーチ後暗槓許可レベル": (_LEVELS, _ankan),
    "役満の複合あり": (_BOOL, _same("yakuman_stacking")),
    "ダブル役満あり": (_BOOL, _same("double_yakuman")),
    "数え役満あり": (_BOOL, _same("kazoe_yakuman")),
    "役満パオあり": (_BOOL, lambda value: {"pao_yakuman": ("daisangen", "daisuushi") if value else ()}),
    "切り上げ満貫あり": (_BOOL, _same("kiriage_mangan")),
}
"""The values of each key (empty where they cannot be listed), and the parameters that it states."""

MAJIANG_KEYS = tuple(_KEYS)


def effective_in_majiang(values: Mapping[str, Any]) -> dict[str, Any]:
    """Switch off rules without effect in 電脳麻将: without stacking it counts no yakuman twice (RULES.md 1)."""
    doubles = values["double_yakuman"] and values["yakuman_stacking"]
    return in_force({**values, "double_yakuman": doubles})


def translate(values: Mapping[str, Any]) -> dict[str, Any]:
    """Give the parameters that a rule object states.

    Raises
    ------
    ValueError
        If a key is unknown, or the library does not know its value.
    """
    found: dict[str, Any] = {}
    for key, value in values.items():
        if key not in _KEYS:
            near = nearest(key, MAJIANG_KEYS)
            raise ValueError(f"電脳麻将 has no rule {key!r}; the nearest is {near!r}")
        allowed, says = _KEYS[key]
        if allowed and not any(type(value) is type(each) and value == each for each in allowed):
            raise ValueError(f"rule {key} of 電脳麻将 is one of {', '.join(map(repr, allowed))}, not {value!r}")
        try:
            found |= says(value)
        except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
            raise ValueError(f"rule {key} of 電脳麻将 cannot be {value!r}: {error}") from error
    return found
