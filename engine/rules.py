"""Rules: one flat frozen record a rule set, presets as data files, and a table of the rule sets of a batch.

Every parameter is one line of `RuleSet`. ``None`` is "not known": logs seldom state all their rules. Names
are those proposed in RULES.md 1, 1.2 and 4.1, where each value's effect and the platforms that use it are
recorded.
"""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.arrays import I16, I64, Bools, Strings

PAO_YAKUMAN = ("daisangen", "daisuushi", "suukantsu")
"""Yakuman for which a feeder can be liable, in the order of ``RuleTable.pao_yakuman``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """The rules of one game; ``None`` is unknown. Comments give meaning, unit and place in RULES.md."""

    # The table and the game's length.
    players: int | None = None  # 3 or 4
    starting_points: int | None = None  # 1
    return_points: int | None = None  # settlement base; oka is 4 times its distance to the start (1.2)
    target_points: int | None = None  # what ends an extension (1.2)
    uma: tuple[float, ...] | None = None  # by place, in thousands, without oka (1)
    floating_uma: tuple[tuple[float, ...], ...] | None = None  # by players below the start (4.1)
    game_length: int | None = None  # scheduled winds: 0 one hand, 1 East, 2 East and South, 4 all (1)
    min_rounds: int | None = None  # csrule, 0 for none (4.1)
    max_rounds: int | None = None  # csrule, 0 for none (4.1)
    score_ceiling: int | None = None  # a score that ends the game, 0 for none (4.1, 4.5)
    extension_mode: int | None = None  # 0 none, 1 sudden death, 2 repeats go first, 3 four hands (1)
    bust_ends_game: bool | None = None  # a score below zero ends the game (1)
    agari_yame: bool | None = None  # the last dealer stops by a win while leading (1.2)
    tenpai_yame: bool | None = None  # the same by tenpai (1.2)
    renchan_mode: int | None = None  # dealer repeats by 0 nothing, 1 win, 2 tenpai, 3 noten too (1)
    tie_break: Literal["seat_order", "split"] | None = None  # places of equal scores (1.2)
    leftover_riichi_sticks: Literal["first_place", "stay"] | None = None  # at the end of the game (1.2)
    final_points_rounding: Literal["exact", "thousand"] | None = None  # csrule 0x40000 (4.1)
    chip_value: int | None = None  # points of a chip, 0 for none (4.1)

    # Tiles and dora.
    red_fives: tuple[int, int, int] | None = None  # in m, p, s (1)
    dora: bool | None = None  # csrule 0x10 (4.1)
    ura_dora: bool | None = None  # 1
    kan_dora: bool | None = None  # 1
    kan_ura_dora: bool | None = None  # needs ura_dora and kan_dora (1)
    open_kan_dora_delayed: bool | None = None  # turned after the discard that follows an open kan (2.9)

    # Yaku and fu.
    min_han: int | None = None  # yaku needed to win, dora not counted (1.2)
    open_tanyao: bool | None = None  # 1
    ippatsu: bool | None = None  # 1
    renhou: Literal["none", "mangan", "yakuman"] | None = None  # mangan: five han (1.2)
    double_wind_pair_fu: int | None = None  # 2 or 4 (1)
    rinshan_tsumo_fu: bool | None = None  # two fu for the tsumo also after a kan (1.2)

    # Limits and yakuman.
    kiriage_mangan: bool | None = None  # base 1920 becomes 2000 (1)
    kazoe_yakuman: bool | None = None  # 13 han count as a yakuman (1)
    double_yakuman: bool | None = None  # two units for ids 41, 46, 48, 49 (1)
    yakuman_stacking: bool | None = None  # false: one unit at most (1)
    nagashi_mangan: bool | None = None  # 1

    # Payments.
    honba_value: int | None = None  # points from each payer, by honba (1.2)
    riichi_stick_value: int | None = None  # 1.2
    noten_payment: tuple[int, int, int] | None = None  # pool paid when 1, 2, 3 hands are tenpai (1.2)
    sanma_tsumo_split: bool | None = None  # the missing seat's share is divided: csrule 0x800000 (4.1)
    pao_yakuman: tuple[str, ...] | None = None  # subset of PAO_YAKUMAN (1.2)
    pao_scope: Literal["whole_hand", "liable_yakuman"] | None = None  # what the liable seat covers (1.2)
    pao_ron_honba_payer: Literal["liable", "discarder"] | None = None  # 1.2
    max_simultaneous_ron: int | None = None  # 1 head bump, 2 or 3 (1)

    # Draws.
    abortive_kyuushu: bool | None = None  # nine kinds of orphans in the first hand (2.10)
    abortive_four_winds: bool | None = None  # 2.10
    abortive_four_riichi: bool | None = None  # 2.10
    abortive_four_kans: bool | None = None  # 2.10
    abortive_triple_ron: bool | None = None  # 2.8
    fifth_tile_wait: Literal["concealed_only", "whole_hand"] | None = None  # 3.6

    # Calls and riichi.
    kuikae_level: int | None = None  # 0 none, 1 the other end of a run, 2 all (1)
    riichi_min_points: int | None = None  # 1.2
    riichi_without_next_draw: bool | None = None  # 1
    riichi_ankan_level: int | None = None  # 0 none, 1 shape unchanged, 2 waits unchanged (2.6)
    kita: bool | None = None  # csrule 0x400000 (4.1)

    def __post_init__(self) -> None:
        """Refuse values that would be read as something else.

        Raises
        ------
        ValueError
            If a value is none of those its parameter allows.
        """
        for name, allowed in _ALLOWED.items():
            value = getattr(self, name)
            if value is not None and value not in allowed:
                raise ValueError(f"rule {name} is one of {', '.join(map(repr, allowed))}, not {value!r}")
        wrong = set(self.pao_yakuman or ()) - set(PAO_YAKUMAN)
        if wrong:
            raise ValueError(f"rule pao_yakuman is of {', '.join(PAO_YAKUMAN)}, not {', '.join(wrong)}")

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Self:
        """Build a rule set from names and values, such as a parsed TOML or JSON object.

        Raises
        ------
        ValueError
            If a name is unknown (the message names the nearest right one) or a value is not allowed.
        """
        return cls(**_checked(values))

    def changed(self, **values: object) -> Self:
        """Give a copy with some parameters replaced.

        Raises
        ------
        ValueError
            As `from_mapping`.
        """
        return replace(self, **_checked(values))

    @property
    def unknown(self) -> frozenset[str]:
        """Name the parameters that are not known."""
        return frozenset(name for name in RULE_NAMES if getattr(self, name) is None)


RULE_NAMES = tuple(entry.name for entry in fields(RuleSet))

_ALLOWED: dict[str, tuple[object, ...]] = {
    "players": (3, 4),
    "game_length": (0, 1, 2, 4),
    "extension_mode": (0, 1, 2, 3),
    "renchan_mode": (0, 1, 2, 3),
    "tie_break": ("seat_order", "split"),
    "leftover_riichi_sticks": ("first_place", "stay"),
    "final_points_rounding": ("exact", "thousand"),
    "renhou": ("none", "mangan", "yakuman"),
    "double_wind_pair_fu": (2, 4),
    "pao_scope": ("whole_hand", "liable_yakuman"),
    "pao_ron_honba_payer": ("liable", "discarder"),
    "max_simultaneous_ron": (1, 2, 3),
    "fifth_tile_wait": ("concealed_only", "whole_hand"),
    "kuikae_level": (0, 1, 2),
    "riichi_ankan_level": (0, 1, 2),
}


def _checked(values: Mapping[str, Any]) -> dict[str, Any]:
    """Refuse unknown names; turn lists, which data files hold, into tuples."""
    for name in values:
        if name not in RULE_NAMES:
            near = difflib.get_close_matches(name, RULE_NAMES, n=1, cutoff=0.0)[0]
            raise ValueError(f"no rule is called {name!r}; the nearest name is {near!r}")
    return {name: _frozen(value) for name, value in values.items()}


def _frozen(value: object) -> object:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


PRESETS = Path(__file__).parent / "presets"


def preset_names() -> tuple[str, ...]:
    """List the presets."""
    return tuple(sorted(path.stem for path in PRESETS.glob("*.toml")))


@cache
def preset(name: str) -> RuleSet:
    """Give a named rule set; each is a file of ``presets/``.

    Raises
    ------
    ValueError
        If there is none of that name.
    """
    if name not in preset_names():
        raise ValueError(f"no preset is called {name!r}; there are {', '.join(preset_names())}")
    return RuleSet.from_mapping(tomllib.loads((PRESETS / f"{name}.toml").read_text("utf-8")))


@dataclass(frozen=True, slots=True)
class RuleTable:
    """What scoring asks of the rules: one row for each different rule set of a batch, one array a parameter.

    Unknown values are those of the preset ``"tenhou"``; whoever needs to know asks
    ``rule_sets[row].unknown``.

    Attributes
    ----------
    rule_sets
        The different rule sets, by row.
    row_of
        Row of each rule set that was given; int16.
    pao_yakuman
        Liability by yakuman, columns as ``PAO_YAKUMAN``; bool [rows, 3].

    The other fields are the parameters of `RuleSet` of the same name; [rows].
    """

    rule_sets: tuple[RuleSet, ...]
    row_of: I16
    pao_yakuman: Bools
    dora: Bools = field(metadata={"dtype": np.bool_})
    ura_dora: Bools = field(metadata={"dtype": np.bool_})
    kan_dora: Bools = field(metadata={"dtype": np.bool_})
    kan_ura_dora: Bools = field(metadata={"dtype": np.bool_})
    min_han: I64 = field(metadata={"dtype": np.int64})
    open_tanyao: Bools = field(metadata={"dtype": np.bool_})
    ippatsu: Bools = field(metadata={"dtype": np.bool_})
    renhou: Strings = field(metadata={"dtype": np.str_})
    double_wind_pair_fu: I64 = field(metadata={"dtype": np.int64})
    rinshan_tsumo_fu: Bools = field(metadata={"dtype": np.bool_})
    kiriage_mangan: Bools = field(metadata={"dtype": np.bool_})
    kazoe_yakuman: Bools = field(metadata={"dtype": np.bool_})
    double_yakuman: Bools = field(metadata={"dtype": np.bool_})
    yakuman_stacking: Bools = field(metadata={"dtype": np.bool_})
    honba_value: I64 = field(metadata={"dtype": np.int64})
    riichi_stick_value: I64 = field(metadata={"dtype": np.int64})
    pao_scope: Strings = field(metadata={"dtype": np.str_})
    pao_ron_honba_payer: Strings = field(metadata={"dtype": np.str_})

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.rule_sets)

    @classmethod
    def from_rules(cls, rules: Sequence[RuleSet]) -> Self:
        """Build the table of some rule sets, equal ones sharing a row."""
        different = {rule: row for row, rule in enumerate(dict.fromkeys(rules))}
        known = [_completed(rule) for rule in different]
        columns = {
            entry.name: np.array([getattr(rule, entry.name) for rule in known], dtype=entry.metadata["dtype"])
            for entry in fields(cls)
            if entry.metadata
        }
        liable = [[name in (rule.pao_yakuman or ()) for name in PAO_YAKUMAN] for rule in known]
        return cls(
            rule_sets=tuple(different),
            row_of=np.array([different[rule] for rule in rules], dtype=np.int16),
            pao_yakuman=np.array(liable, dtype=np.bool_).reshape(-1, len(PAO_YAKUMAN)),
            **columns,
        )


def _completed(rule: RuleSet) -> RuleSet:
    standard = preset("tenhou")
    return rule.changed(**{name: getattr(standard, name) for name in rule.unknown})
