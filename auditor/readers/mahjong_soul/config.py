"""The config of a head, for games that are written as records: category, mode, room, and the object of rules.

It is the reverse of rules.py, which decides what of it holds: the rules that a config states are those that the reader
finds in it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from auditor.log.links import MAHJONG_SOUL
from auditor.log.tables import SEATS
from auditor.readers import rooms
from auditor.readers.mahjong_soul import rules as reading
from auditor.readers.mahjong_soul.rules import THREE
from auditor.readers.mahjong_soul.schema import MESSAGES
from auditor.readers.written.game import UnwritableError
from engine.rules.parameters import PARAMETERS
from engine.rules.rule_sets import differences, one_line, preset

if TYPE_CHECKING:
    from auditor.readers.written.game import Game
    from engine.rules.rule_sets import RuleSet

_WORD = re.compile(r"(\w+)=(\d{1,9})")
_UNITS = {0: 4, 1: 1, 2: 2}
"""The last digit of a mode by the number of scheduled winds."""
_REPEATS = {
    1: ("have_helelianzhuang",), 2: ("have_helelianzhuang", "have_tingpailianzhuang"),
    3: ("have_tingpailianzhuang",),
}  # fmt: skip
"""How a dealer repeats. No two fields say 3, after any draw; but what they say of it is read as unknown."""


_SETTLING = (
    "starting_points", "return_points", "uma", "floating_uma", "final_points_rounding", "chip_value", "tie_break",
    "leftover_riichi_sticks",
)  # fmt: skip
"""The rules by which final scores become points."""


class Config(NamedTuple):
    """A config: category, mode (None: not stated), the numbers of the room, and the fields of the rule object."""

    category: int
    mode: int | None
    meta: dict[str, int]
    rules: dict[str, int]

    def message(self) -> dict[str, Any]:
        """Return it as the message GameConfig."""
        mode: dict[str, Any] = {} if self.mode is None else {"mode": self.mode}
        mode["detail_rule"] = {
            name: bool(value) if MESSAGES["GameDetailRule"][name].kind == "bool" else value
            for name, value in self.rules.items()
        }
        return {"category": self.category, "mode": mode, "meta": self.meta}


class Stated(NamedTuple):
    """The config that states a game's rules best, what it does not state, and whether final points are settled by it.

    Without a ``config`` it is a record of Mahjong Soul that states none at all.
    """

    config: Config | None
    lacks: list[str]
    settles: bool


def config(game: Game) -> Stated:
    """Return what a record can state of a game's rules."""
    rules, players = game.rules, game.players
    full = _object(rules, players)
    numbers = {name: value for name, value in full.items() if name not in reading.ON}
    words = {name: int(value) for name, value in _WORD.findall(game.row["table"] or "")}
    tens = 10 * (players == THREE)
    mode = _mode(tens, rules)
    own = game.row["platform"] == MAHJONG_SOUL
    found: list[Config | None] = []
    if own and "category" in words:
        meta = {name: words[name] for name in MESSAGES["GameMetaData"] if name in words}
        stated = words.get("mode") or None
        found = [Config(words["category"], stated, meta, each) for each in ({}, numbers, full)]
    elif own:
        ranked = rooms.ranked(game.row["room"], rules.game_length, three=players == THREE)
        category = rooms.CATEGORIES.get(game.row["room"])
        if ranked is not None:
            found.append(Config(rooms.RANKED, mode, {"mode_id": ranked}, {}))
        if category is not None:
            found += [Config(category, mode, {}, each) for each in ({}, full)]
        found += [None, Config(0, mode, {}, {})]
    if not found or not own:
        # Without switches a rule object says less, and what it does not say can be stated when it is read.
        found += [Config(rooms.CATEGORIES[rooms.FRIENDLY], mode, {}, each) for each in (numbers, full)]
    base = preset(reading.PRESET[players])
    best = min(found, key=lambda each: _misstated(each, rules, base))
    differing = _differences(best, rules, base)
    settled = all(differing[name][0] is None for name in _SETTLING if name in differing)
    return Stated(best, _lacks(best, rules, base), settled)


def _mode(tens: int, rules: RuleSet) -> int | None:
    """Return the number of a mode; None if no mode has this length."""
    length = 0 if rules.game_length is None and rules.max_rounds == 1 else rules.game_length
    return None if length not in _UNITS else tens + _UNITS[length]


def _differences(stated: Config | None, rules: RuleSet, base: RuleSet) -> dict[str, tuple[Any, Any]]:
    """Return the rules that are read from a config with ``--rules base``, and those of the game, where they differ."""
    players = base.players or SEATS
    if stated is None:
        found, _ = reading.rules(base, players, 0, None, ())
    else:
        fields = tuple(stated.rules.items())
        found, _ = reading.rules(base, players, stated.category, stated.mode, fields)
    other = differences(found, rules)
    if players != THREE:
        other = {name: pair for name, pair in other.items() if not PARAMETERS[name].sanma}
    return {name: pair for name, pair in other.items() if name != "players"}


def _helped(stated: Config | None, rules: RuleSet, base: RuleSet) -> dict[str, Any]:
    """Return the rules that ``--rules`` must state so that a config is read as the game's rules, as far as it goes."""
    differing = _differences(stated, rules, base)
    # A record has no equal places, whatever the rules say of them. Limits of rounds end games, though it has none.
    wrong = {
        name: own for name, (found, own) in differing.items()
        if (found is not None and name != "tie_break") or (own and name in {"min_rounds", "max_rounds"})
    }  # fmt: skip
    known = {name: own for name, own in wrong.items() if own is not None}
    for changes in (wrong, known):
        left = _left(stated, rules, base, changes)
        made_up = {name: own for name, own in changes.items() if name not in left}
        # Rules too far from those of the platform are not taken for its own: then nothing holds.
        if left.keys() < differing.keys() and left == _left(stated, rules, base, made_up):
            return made_up
    return {}


def _left(stated: Config | None, rules: RuleSet, base: RuleSet, changes: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Return the rules that differ still if ``--rules`` changes some; all, if these contradict each other."""
    try:
        return _differences(stated, rules, base.changed(**changes))
    except ValueError:
        return _differences(stated, rules, base)


def _misstated(stated: Config | None, rules: RuleSet, base: RuleSet) -> tuple[int, int, int]:
    """Count the known rules that a config states wrongly, those wrong in spite of ``--rules``, and all that differ."""
    differing = _differences(stated, rules, base)
    pairs = differing.values()
    against = sum(None not in pair for pair in pairs)
    made_up = _helped(stated, rules, base)
    wrong = sum(found is not None and name not in made_up for name, (found, _) in differing.items())
    return against, wrong, len(differing)


def _lacks(stated: Config | None, rules: RuleSet, base: RuleSet) -> list[str]:
    """Name the rules that are not read from a config, with the option of ``auditor run`` that makes up for it."""
    differing, made_up = _differences(stated, rules, base), _helped(stated, rules, base)
    left = _named({name: pair for name, pair in differing.items() if name not in made_up})
    if not made_up:
        return left
    text = one_line(reading.PRESET[base.players or SEATS], base.changed(**made_up))
    return [f'rules that a record states otherwise: read it with --rules "{text}"', *left]


def _named(differing: dict[str, tuple[Any, Any]]) -> list[str]:
    """Name rules by what a record says of them: nothing, something that the log does not say, or another value."""
    unstated = [name for name, (found, _) in differing.items() if found is None]
    beyond = [f"{name}={found}" for name, (found, own) in differing.items() if own is None]
    other = [f"{name}={found}, not {own}" for name, (found, own) in differing.items() if None not in {found, own}]
    titles = {
        "rules that a record cannot state": ", ".join(unstated),
        "rules that a record states, and the log does not": ", ".join(beyond),
        "rules that a record states otherwise": "; ".join(other),
    }
    return [f"{title}: {listed}" for title, listed in titles.items() if listed]


def _object(rules: RuleSet, players: int) -> dict[str, int]:
    """Return the full object of rules; an unknown rule is as the platform plays it in its rooms."""
    own = preset(reading.PRESET[players])
    known = replace(own, **{
        name: value for name, (_, value) in differences(own, rules).items()
        if value is not None and name != "players" and (players == THREE or not PARAMETERS[name].sanma)
    })  # fmt: skip
    found: dict[str, Any] = {
        "dora_count": _reds(players, known.red_fives),
        "shiduan": known.open_tanyao,
        "fanfu": known.min_han,
        "disable_double_wind_four_fu": known.double_wind_pair_fu == 2,
        "enable_shiti": known.kuikae_level == 2,
        "enable_nontsumo_liqi": known.riichi_without_next_draw,
        "enable_renhe": _key(reading.RENHOU, known.renhou),
        "enable_baopai_extend_settings": _key(reading.LIABLE, known.pao_yakuman),
        "init_point": known.starting_points,
        "fandian": known.target_points,
        "jingsuanyuandian": known.return_points,
        "tianbian_value": known.score_ceiling,
        "liqibang_value": known.riichi_stick_value,
        "changbang_value": (known.honba_value or 0) * (players - 1),
        "have_zimosun": players == THREE and known.tsumo_loss,
        "can_jifei": known.bust_threshold == "below_zero",
        "ming_dora_immediately_open": known.open_kan_dora_delayed is False,
        "have_helezhongju": known.agari_yame == "automatic",
        "have_tingpaizhongju": known.tenpai_yame == "automatic",
        "have_nanruxiru": known.extension_mode != 0,
        "have_sanjiahele": players != THREE and known.abortive_triple_ron,
        "have_toutiao": known.max_simultaneous_ron == 1,
        **{name: getattr(known, rule) is False for name, rule in reading.OFF.items()},
        **{name: getattr(known, rule) for name, rule in reading.SAME.items()},
        **dict.fromkeys(_REPEATS.get(known.renchan_mode or 0, ()), True),
    }
    if players != THREE:
        found |= {name: getattr(known, rule) for name, rule in reading.FOUR_ONLY.items()}
    noten, uma = known.noten_payment, known.uma
    if noten:
        shares = (2, 1) if players == THREE else (3, 2, 1)
        found |= {
            f"noting_fafu_{nth}": paid // share for nth, (paid, share) in enumerate(zip(noten, shares, strict=False), 1)
        }
    if uma:
        found |= {f"shunweima_{nth}": int(each) for nth, each in enumerate(uma[1:players], 2)}
    if known.local_yaku:
        found["guyi_mode"] = 1
    return {name: int(value) for name, value in found.items() if value}


def _reds(players: int, reds: tuple[int, ...] | None) -> int:
    """Return the number of red fives, from which the platform's sets follow; of another set it says how many.

    Raises
    ------
    UnwritableError
        if it would stand for another set

    """
    found = _key(reading.REDS[players], reds)
    number = found or sum(reds or ())
    if not found and number in reading.REDS[players] and number:
        raise UnwritableError(f"red fives {reds}: {number} stand for {reading.REDS[players][number]}")
    return number


def _key(numbers: dict[int, Any], value: object) -> int:
    """Return the number that stands for a value; 0 if none does."""
    return next((number for number, each in numbers.items() if each == value), 0)
