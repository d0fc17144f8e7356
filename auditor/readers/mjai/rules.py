"""The rules of a game, from what its log says: the rule objects of engines, and the marks of dialects.

Source: auditor/readers/mjai/FORMAT.md section 6.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from engine.rules.parameters import PAO_YAKUMAN
from engine.rules.rule_sets import SANMA_STAND_IN, STAND_IN, RuleSet, for_players, preset

if TYPE_CHECKING:
    from collections.abc import Mapping

_DOUBLES = {
    "is_suuankou_tanki_double": "suuankou_tanki",
    "is_junsei_chuurenpoutou_double": "pure_chuuren",
    "is_kokushi_musou_13machi_double": "kokushi_thirteen_waits",
    "is_daisuushii_double": "daisuushi",
}
"""RiichiEnv's flags for yakuman that count twice, with the names of these yakuman."""


RIICHIENV = "riichienv"


class RuleObjectError(ValueError):
    """A rule object that cannot be read; the message says why."""


def stated(base: RuleSet, head: Mapping[str, Any], *, engine: str, values: object, mode: str, players: int) -> RuleSet:
    """Return the rules of a game: those of its rule object, else ``base`` with what its ``start_game`` says.

    Parameters
    ----------
    base
        rules that hold where the log states none
    head
        the ``start_game`` event
    engine
        ``riichienv`` or ``jansou`` if the game has a rule object of it, else empty
    values
        that rule object
    mode
        RiichiEnv's name of the kind of game, such as ``4p-red-half``
    players
        3 or 4

    Raises
    ------
    RuleObjectError
        if the rule object cannot be read

    """
    if engine:
        return _of_engine(engine, json.dumps(values), mode, players)
    first, length = head.get("kyoku_first"), {"tonpu": 1, "tonnan": 2}.get(str(head.get("gametype")))
    if type(first) is int:
        length = {0: 2, 4: 1}.get(first, length)
    return _marked(base, players, length, red=head.get("aka_flag") is not False)


@lru_cache(maxsize=4096)
def _of_engine(engine: str, values: str, mode: str, players: int) -> RuleSet:
    flags = json.loads(values)
    return riichienv(flags, mode, players) if engine == RIICHIENV else jansou(flags, players)


@lru_cache(maxsize=4096)
def _marked(base: RuleSet, players: int, length: int | None, *, red: bool) -> RuleSet:
    """Return ``base`` for so many players, with the length of the game if it is known, and red fives or none."""
    changes: dict[str, Any] = {} if length is None else {"game_length": length}
    if not red:
        changes["red_fives"] = (0, 0, 0)
    found = for_players(base, players).changed(**changes)
    return found if found.players else found.tried(players=players)


def riichienv(values: Mapping[str, Any], mode: str, players: int) -> RuleSet:
    """Return the rules of a game of RiichiEnv: those of Tenhou, with the nine that its rule object has.

    Raises
    ------
    RuleObjectError
        if a flag is missing or is not true or false

    """
    flags = _Flags(values, "RiichiEnv")
    doubles = tuple(form for name, form in _DOUBLES.items() if flags.truth(name))
    abort = flags.truth("sanchaho_is_draw")
    changes: dict[str, Any] = {
        "double_yakuman": bool(doubles),
        "double_yakuman_forms": doubles,
        "kokushi_ankan_chankan": flags.truth("allows_ron_on_ankan_for_kokushi_musou"),
        "pao_scope": "liable_yakuman" if flags.truth("yakuman_pao_is_liability_only") else "whole_hand",
        "kuikae_level": 0 if flags.truth("kuikae_forbidden") else 2,
        "game_length": {"east": 1, "half": 2}.get(mode.rsplit("-", 1)[-1]),
        "uma": None,
        "final_points_rounding": None,
    }
    if mode.endswith("-single"):  # a round by itself, from a state in the middle of a game
        changes |= {"max_rounds": 1, "leftover_riichi_sticks": "stay"}
    if players == 4:
        changes |= {"abortive_triple_ron": abort, "max_simultaneous_ron": 2 if abort else 3}
    return _tenhou(players).changed(**changes)


def jansou(values: Mapping[str, Any], players: int) -> RuleSet:
    """Return the rules of a game of jansou, from its flags.

    Raises
    ------
    RuleObjectError
        if a flag is missing, the engine does not know its value, or another number of players play

    """
    flags = _Flags(values, "jansou")
    if flags.number("player_count") != players:
        raise RuleObjectError(f"rule player_count of jansou is {flags.number('player_count')}, but {players} play")
    multiple, triple = flags.truth("multiple_ron"), flags.truth("abort_sanchahou")
    dora, later = flags.truth("kan_dora"), flags.truth("open_kan_indicator_immediate")
    pool, target = flags.number("noten_penalty_pool"), flags.number("sudden_death_target")
    changes: dict[str, Any] = {
        "starting_points": flags.number("starting_points"),
        # Without an extension the last dealer stops by leading, whatever the target.
        "target_points": target if flags.truth("sudden_death") else 0,
        "game_length": {"E": 1, "EAST": 1, "S": 2, "SOUTH": 2}.get(str(values.get("game_length"))),
        "extension_mode": 2 if flags.truth("sudden_death") else 0,
        "bust_threshold": "off" if flags.truth("allow_negative_scores") else "below_zero",
        "agari_yame": "automatic" if flags.truth("agari_yame") else "none",
        "tenpai_yame": "none",
        "renchan_mode": 2 if flags.truth("dealer_repeat_on_tenpai") else 1,
        "tie_break": "split" if flags.truth("rank_ties_shared") else "seat_order",
        "leftover_riichi_sticks": "first_place" if flags.truth("leftover_deposits_to_first") else "stay",
        "uma": None,
        "return_points": None,
        "final_points_rounding": None,
        "red_fives": ((1, 1, 1) if players == 4 else (0, 1, 1)) if flags.truth("aka_dora") else (0, 0, 0),
        "ura_dora": flags.truth("ura_dora"),
        "kan_dora": dora,
        "kan_ura_dora": flags.truth("ura_dora") and dora,
        "open_kan_dora_delayed": dora and not later,
        "open_kan_dora_chain": None,
        "open_tanyao": flags.truth("kuitan"),
        "ippatsu": flags.truth("ippatsu"),
        "double_wind_pair_fu": flags.number("double_wind_fu"),
        "kiriage_mangan": flags.truth("kiriage_mangan"),
        "kazoe_yakuman": flags.truth("kazoe_yakuman"),
        "double_yakuman": flags.truth("double_yakuman"),
        "yakuman_stacking": flags.truth("multiple_yakuman"),
        "nagashi_mangan": flags.truth("nagashi_mangan"),
        "honba_value": flags.number("honba_value"),
        "noten_payment": (pool, pool, pool if players == 4 else 0),
        # Where a hand without yaku is not tenpai, it is unknown which hands must be shown.
        "tenpai_declaration_optional": flags.truth("tenpai_declaration") if flags.truth("formal_tenpai") else None,
        "pao_yakuman": tuple(name for name in PAO_YAKUMAN if flags.truth(f"pao_{name}")),
        "pao_scope": "whole_hand",
        "pao_ron_honba_payer": "liable" if flags.truth("pao_honba_to_liable") else "discarder",
        "daiminkan_rinshan_pao": flags.truth("pao_daiminkan"),
        "max_simultaneous_ron": (2 if triple else 3) if multiple else 1,
        "abortive_triple_ron": triple,
        "abortive_kyuushu": flags.truth("abort_kyuushu_kyuuhai"),
        "abortive_four_winds": flags.truth("abort_suufon_renda"),
        "abortive_four_riichi": flags.truth("abort_suucha_riichi"),
        "abortive_four_kans": flags.truth("abort_suukaikan"),
        "kuikae_level": 0 if flags.truth("kuikae_ban") else 2,
        "riichi_without_tenpai": flags.truth("riichi_without_tenpai"),
        "fifth_tile_wait": "whole_hand",
        "riichi_without_next_draw": flags.truth("riichi_without_draw"),
        "kokushi_ankan_chankan": flags.truth("kokushi_ankan_chankan"),
    }
    if players == 3:
        changes["kita_han"] = int(flags.truth("nuki_dora"))  # it is offered in any case
    if not flags.truth("closed_kan_after_riichi"):
        changes["riichi_ankan_level"] = 0
    try:
        return _tenhou(players).changed(**changes)
    except ValueError as error:
        raise RuleObjectError(f"rules of jansou: {error}") from error


class _Flags:
    """A rule object whose values are read with their types."""

    def __init__(self, values: Mapping[str, Any], engine: str) -> None:
        self.values, self.engine = values, engine

    def truth(self, name: str) -> bool:
        value = self.values.get(name)
        if type(value) is not bool:
            raise RuleObjectError(f"rule {name} of {self.engine} is {value!r}, not true or false")
        return value

    def number(self, name: str) -> int:
        value = self.values.get(name)
        if type(value) is not int or not 0 <= value <= 1_000_000:
            raise RuleObjectError(f"rule {name} of {self.engine} is {value!r}, not a number of points")
        return value


def _tenhou(players: int) -> RuleSet:
    return preset(SANMA_STAND_IN if players == 3 else STAND_IN)
