"""The rules that a Tenhou game was played under, from its table type, lobby and date.

Sources: RULES.md 4.1 (type bits, csrule words), 4.2 (changes over the years), auditor/readers/mjlog/FORMAT.md 3 and 8.
A rule that type, csrule and date leave open is None, and a check that depends on it is not checkable.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from auditor.log.columns import SCORE
from auditor.readers.mjlog.players import THREE
from engine.rules.rule_sets import SANMA_STAND_IN, STAND_IN, based_on, era, for_players, preset

if TYPE_CHECKING:
    from datetime import date

    from engine.rules.rule_sets import RuleSet

Era = tuple[tuple[str, Any], ...]
"""Parameters and their values."""

NO_RED_FIVES = 0x0002
NO_OPEN_TANYAO = 0x0004
EAST_AND_SOUTH = 0x0008
CHIPS = 0x0200
PARLOUR = 0x0400
SKILL_MATCH = 0x0800

_FLAGS: dict[int, tuple[str, Any]] = {
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
    0x40000: ("final_points_rounding", "thousand"),
    0x80000: ("ippatsu", False),
    0x400000: ("kita", True),
    0x800000: ("tsumo_loss", False),
    0x2000000: ("riichi_without_next_draw", True),
    0x4000000: ("riichi_ankan_level", 1),
    0x8000000: ("fifth_tile_wait", "whole_hand"),
}
"""First csrule word: each bit, and the parameter and value that it sets."""

_FLAGS_UNSETTLED: dict[int, tuple[str, ...]] = {
    0x10000: ("renchan_mode",),
    0x20000: ("renchan_mode",),
    0x100000: ("game_length",),
    0x200000: ("extension_mode",),
    0x1000000: ("renhou",),
}
"""Bits of the first word whose exact value no source states: the parameters that they touch become unknown."""

_MORE_FLAGS: dict[int, tuple[str, Any]] = {
    0x1: ("double_wind_pair_fu", 2),
    0x4: ("leftover_riichi_sticks", "first_place"),
    0x8: ("pao_yakuman", ("daisangen", "daisuushi", "suukantsu")),
    0x10: ("kazoe_yakuman", False),
}
"""Second csrule word, in the same way."""

_MORE_FLAGS_UNSETTLED: dict[int, tuple[str, ...]] = {0x2: ("tie_break",)}

_UNSEEN = (
    "starting_points",
    "return_points",
    "target_points",
    "noten_payment",
    "honba_value",
    "kita_han",
    "tsumo_loss",
    "missing_share",
)
"""Rules of chip and parlour tables that may be others with three players: no log of such a table has been seen."""

_NUMBERS = {4: "starting_points", 5: "target_points", 6: "return_points"}
"""Numbers in csrule by their place in the list, which two logs confirm by the scores of their INIT."""

_POINTS = re.compile("[0-9]{1,9}")

_NUMBERS_UNSETTLED = {
    7: "score_ceiling",
    8: "min_rounds",
    9: "max_rounds",
    10: "riichi_stick_value",
    11: "honba_value",
    12: "noten_payment",
    13: "noten_payment",
    14: "noten_payment",
}

CUSTOMISABLE = frozenset(
    [name for name, _ in (*_FLAGS.values(), *_MORE_FLAGS.values())]
    + [name for names in (*_FLAGS_UNSETTLED.values(), *_MORE_FLAGS_UNSETTLED.values()) for name in names]
    + [*_NUMBERS.values(), *_NUMBERS_UNSETTLED.values(), "uma", "missing_share"]
)
"""The rules that the owner of a lobby can change; unknown if the log of a lobby has no csrule."""


def rules(  # noqa: PLR0917
    base: RuleSet, players: int, table: int | None, lobby: str | None, csrule: str | None, day: date | None
) -> RuleSet:
    """Return the rule set of one game.

    Parameters
    ----------
    base
        rules that hold wherever the log states none, from ``--rules``
    players
        how many play
    table, lobby, csrule
        attributes of ``GO``: ``type`` as a number, the others as text; None for a missing one
    day
        the day of the game, on which some rules depend; None if it is unknown

    """
    base = for_players(base, players)
    return _rules(
        base, preset(SANMA_STAND_IN if players == THREE else STAND_IN), table, lobby, csrule, dated(base, day)
    )


@lru_cache(maxsize=4096)
def _rules(  # noqa: PLR0917
    base: RuleSet, standard: RuleSet, table: int | None, lobby: str | None, csrule: str | None, era: Era
) -> RuleSet:
    """Return :func:`rules`; ``base`` and ``standard``, Tenhou's rules, are those of the game's number of players."""
    changes: dict[str, Any] = dict(era)
    if table is None:
        unsaid = ("red_fives", "open_tanyao", "game_length", "kiriage_mangan", "uma")
        return replace(base, **changes, **dict.fromkeys(unsaid))
    changes |= {
        "red_fives": (0, 0, 0) if table & NO_RED_FIVES else standard.red_fives,
        "open_tanyao": not table & NO_OPEN_TANYAO,
        "game_length": 2 if table & EAST_AND_SOUTH else 1,
    }
    if lobby is None and not table & EAST_AND_SOUTH:
        changes["uma"] = None  # East games of 2009, which name no lobby, have another uma: 10 5 -5 -10 in two logs
    if table & (CHIPS | PARLOUR):
        # Chip tables turn all indicators at once (auditor/readers/mjlog/FORMAT.md 6). No open kan of a parlour table
        # was seen.
        changes |= {"kiriage_mangan": True, "final_points_rounding": None, "uma": None}
        changes |= {"open_kan_dora_delayed": None if table & PARLOUR else False}
    if table & PARLOUR and not csrule:
        changes |= {"honba_value": 500}  # type 1569; a lobby of type 1601 with csrule pays the usual 100
    if table & (CHIPS | PARLOUR) and base.players == THREE:
        changes |= dict.fromkeys(_UNSEEN)
    if table & SKILL_MATCH:
        changes |= dict.fromkeys(("starting_points", "return_points", "target_points", "uma", "game_length"))
    if csrule:
        lobby_rules = _lobby(csrule, standard)
        if lobby_rules.get("game_length") is not None:
            del lobby_rules["game_length"]  # the table type states the length unless csrule changes it
        changes |= lobby_rules
    elif lobby not in (None, "0"):
        changes |= dict.fromkeys(CUSTOMISABLE)
    return replace(base, **changes)


@lru_cache(maxsize=4096)
def dated(base: RuleSet, day: date | None) -> Era:
    """Return the parameters of ``--rules`` that changed over the years, with their values on a day.

    Tenhou has logs of many years. So under Tenhou's preset a parameter that changed is unknown (None) if ``day`` is
    None. Whoever chooses another preset for a log without a date means its rules of today.
    """
    found = era(base, day)
    return tuple(found.items()) if day or based_on(base) in {STAND_IN, SANMA_STAND_IN} else ()


def _lobby(csrule: str, standard: RuleSet) -> dict[str, Any]:
    """Decode a csrule list; an undecoded bit makes every parameter that its word could touch unknown."""
    fields = csrule.split(",")
    changes: dict[str, Any] = {"uma": None}
    for field, (flags, unsettled) in enumerate(((_FLAGS, _FLAGS_UNSETTLED), (_MORE_FLAGS, _MORE_FLAGS_UNSETTLED))):
        changes |= _word(fields[field] if field < len(fields) else "", flags, unsettled, standard)
    if changes["tsumo_loss"] is not True:
        changes["missing_share"] = None  # a half, but how it rounds is unknown (RULES.md 4.6)
    for field, name in _NUMBERS.items():
        if field < len(fields) and fields[field]:
            points = int(fields[field]) if _POINTS.fullmatch(fields[field]) else None
            changes[name] = points if points is not None and points <= SCORE.high else None
    for field, name in _NUMBERS_UNSETTLED.items():
        if field < len(fields) and fields[field]:
            changes[name] = None
    return changes


def _word(
    text: str, flags: dict[int, tuple[str, Any]], unsettled: dict[int, tuple[str, ...]], standard: RuleSet
) -> dict[str, Any]:
    every = [name for name, _ in flags.values()] + [name for names in unsettled.values() for name in names]
    try:
        word = int(text or "0", 16)
    except ValueError:
        return dict.fromkeys(every)
    undecoded = word & ~sum((*flags, *unsettled))
    # A bit that no source decodes may touch any parameter, except those that a decoded bit sets.
    changes = {name: None if undecoded else getattr(standard, name) for name in every}
    changes |= {name: value for bit, (name, value) in flags.items() if word & bit}
    for bit, names in unsettled.items():
        if word & bit:
            changes |= dict.fromkeys(names)
    return changes
