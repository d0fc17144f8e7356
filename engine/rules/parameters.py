"""`RuleSet`: every parameter of the rules, in one flat frozen record.

A parameter is one declaration here: its name, type, meaning, sections in RULES.md, unit, and the key of the rule object
of 電脳麻将 that states it. Validation, rule files, the columns of `RuleTable` and documentation follow from it.
``None`` means "unknown": logs and rule sheets seldom state every rule.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

from engine.rules.consistency import contradictions
from engine.rules.declaration import declared, rule
from engine.yaku.all_yaku import DOUBLE_FORMS, LOCAL_YAKU

if TYPE_CHECKING:
    from collections.abc import Mapping

_Rules = TypeVar("_Rules", bound="RuleSet")

PAO_YAKUMAN = ("daisangen", "daisuushi", "suukantsu")
"""Yakuman for which the seat that fed the last meld can be liable, in the order of the columns of `RuleTable`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """The rules of one game; ``None`` means unknown."""

    # The table and the game's length.
    players: Literal[3, 4] | None = rule("seats", "1, 4.6")
    starting_points: int | None = rule("score of every seat at the start", "1", unit="points", majiang="配給原点")
    return_points: int | None = rule(
        "score that settles to 0 before uma; first place gets the difference to starting_points from all seats (oka)",
        "1.2, 4.5", unit="points",
    )  # fmt: skip
    target_points: int | None = rule("score that ends an extension and lets the last dealer stop", "1.2", unit="points")
    uma: tuple[float, ...] | None = rule(
        "bonus of each place from first to last, without oka; adds up to 0", "1, auditor/readers/mjlog/FORMAT.md 8",
        unit="thousands of points", majiang="順位点", elsewhere=((10.0, 5.0, -5.0, -10.0),),
    )  # fmt: skip
    floating_uma: tuple[tuple[float, ...], ...] | None = rule(
        "one uma for each number of seats that ended below starting_points, from 0 on; empty if uma always holds",
        "4.1", unit="thousands of points",
    )  # fmt: skip
    game_length: Literal[0, 1, 2, 4] | None = rule(
        "scheduled winds: 0 one round, 1 East, 2 East and South, 4 all four", "1", majiang="場数"
    )
    min_rounds: int | None = rule("rounds that are played in any case; 0 for no such rule", "4.1", unit="rounds")
    max_rounds: int | None = rule("rounds after which the game ends; 0 for no such rule", "4.1", unit="rounds")
    score_ceiling: int | None = rule("score that ends the game; 0 for no such rule", "4.1, 4.5", unit="points")
    extension_mode: Literal[0, 1, 2, 3] | None = rule(
        "when nobody has target_points after the last round: 0 the game ends, 1 sudden death, 2 sudden death, but a "
        "dealer who repeats plays on, 3 four more rounds", "1, 2.12", majiang="延長戦方式",
    )  # fmt: skip
    bust_threshold: Literal["off", "below_zero", "zero_or_less"] | None = rule(
        "score of a seat that ends the game; off: none",
        "1.2, 5.29",
        majiang="トビ終了あり",
    )
    agari_yame: Literal["none", "automatic", "chosen"] | None = rule(
        "the game ends when the dealer wins the last round and leads: never; automatically; or if the dealer chooses",
        "1.2, 2.12",
        majiang="オーラス止めあり",
    )
    tenpai_yame: Literal["none", "automatic", "chosen"] | None = rule(
        "the same when the dealer is tenpai in the last round and leads", "1.2, 2.12", majiang="オーラス止めあり"
    )
    renchan_mode: Literal[0, 1, 2, 3] | None = rule(
        "the dealer repeats after: 0 nothing, 1 a win, 2 also a draw in tenpai, 3 also a draw in noten",
        "1",
        majiang="連荘方式",
    )
    tie_break: Literal["seat_order", "split"] | None = rule(
        "equal scores: the seat that dealt earlier is ahead, or the seats share uma and oka of their places",
        "1.2, 4.2",
    )
    leftover_riichi_sticks: Literal["first_place", "stay"] | None = rule(
        "riichi sticks left at the end of the game: first_place gets them, or they stay", "1.2, 4.2"
    )
    final_points_rounding: Literal["exact", "thousand", "thousand_half_up", "thousand_five_down"] | None = rule(
        "exact: not rounded. thousand: each score to the nearest thousand, 500 away from zero (Tenhou). "
        "thousand_half_up: each result to a whole number, a half upwards (電脳麻将). thousand_five_down: each score to "
        "the nearest thousand, 500 towards zero. First place takes the difference",
        "1, 4.1, 5.31, auditor/readers/mjlog/FORMAT.md 8",
        majiang="順位点",
    )  # fmt: skip
    chip_value: int | None = rule("worth of a chip; 0 for no chips", "4.1", unit="points")
    chombo_penalty: float | None = rule(
        "final points that a chombo costs; 0 for nothing", "4.2, 5.32", unit="thousands of points"
    )

    # Tiles and dora.
    red_fives: tuple[int, int, int] | None = rule("number of red fives in m, p, s", "1", unit="tiles", majiang="赤牌")
    dora: bool | None = rule("the first indicator counts", "4.1, 4.5")
    ura_dora: bool | None = rule(
        "the indicators below the dora indicators count for a winner in riichi", "1", majiang="裏ドラあり"
    )
    kan_dora: bool | None = rule("a kan turns a further indicator", "1", majiang="カンドラあり")
    kan_ura_dora: bool | None = rule(
        "the indicators below those of kans count for a winner in riichi", "1", majiang="カン裏あり"
    )
    open_kan_dora_delayed: bool | None = rule(
        "the indicator of an open kan is turned with the discard, not before the draw",
        "1, 2.9",
        majiang="カンドラ後乗せ",
    )
    open_kan_dora_chain: Literal["declared", "succeeds"] | None = rule(
        "when a delayed indicator is turned if a further kan comes first: when that kan is declared, or when nobody "
        "robbed it", "2.9, 4.3, 5.9",
    )  # fmt: skip

    # Yaku and fu.
    min_han: int | None = rule("han of yaku needed to win; dora do not count", "1.2, 4.5", unit="han", elsewhere=(2, 4))
    open_tanyao: bool | None = rule("open hands have tanyao", "1", majiang="クイタンあり")
    ippatsu: bool | None = rule("a win within a turn after riichi is a yaku", "1", majiang="一発あり")
    renhou: int | Literal["none", "mangan", "yakuman"] | None = rule(
        "ron before the first own draw and any call: nothing; a number of han, added to other yaku; a mangan if the "
        "hand is worth less; a yakuman",
        "1.2, 5.22", unit="han",
    )  # fmt: skip
    local_yaku: tuple[str, ...] | None = rule("local yaku that are played, by name", "4.7", choices=tuple(LOCAL_YAKU))
    ryuuiisou_requires_hatsu: bool | None = rule("all green needs a green dragon", "1.2, 5.21")
    chuuren_nine_waits_only: bool | None = rule("nine gates count only with nine waits", "5.21")
    double_wind_pair_fu: Literal[2, 4] | None = rule(
        "fu of a pair of a wind that is both seat wind and round wind", "1, 3.1", unit="fu", majiang="連風牌は2符"
    )
    rinshan_tsumo_fu: bool | None = rule("rinshan has the two fu of tsumo", "1.2, 5.14")

    # Limits and yakuman.
    kiriage_mangan: bool | None = rule(
        "30 fu 4 han and 60 fu 3 han are rounded up to mangan", "1, 5.17", majiang="切り上げ満貫あり"
    )
    kazoe_yakuman: bool | None = rule("13 han count as a yakuman", "1, 3.2", majiang="数え役満あり")
    double_yakuman: bool | None = rule(
        "some yakuman count twice, as double_yakuman_forms says", "1, 3.4", majiang="ダブル役満あり"
    )
    double_yakuman_forms: tuple[str, ...] | None = rule(
        "which yakuman count twice with double_yakuman; local ones always do", "1.2, 3.4, 5.19", choices=DOUBLE_FORMS,
        elsewhere=(("daisuushi",),),
    )  # fmt: skip
    yakuman_stacking: bool | None = rule(
        "several yakuman add up; else only the highest counts", "1, 3.4, 4.3", majiang="役満の複合あり"
    )
    first_turn_yakuman_stacking: bool | None = rule(
        "tenhou, chiihou and renhou add up with other yakuman; else nothing counts beside them", "4.3, 5.20"
    )
    nagashi_mangan: bool | None = rule(
        "a river of only terminals and honours, none of them called, is paid as a mangan at an exhaustive draw",
        "1, 2.10",
        majiang="流し満貫あり",
    )
    nagashi_as_win: bool | None = rule("nagashi mangan is a win, with honba and riichi sticks, not a draw", "1.2, 5.27")
    nagashi_renchan: Literal["tenpai", "nagashi_winner"] | None = rule(
        "after nagashi mangan the dealer repeats if in tenpai, or if the nagashi mangan is the dealer's",
        "1.2, 5.27",
    )

    # Payments.
    honba_value: int | None = rule(
        "share of each payer of a tsumo for each honba; on ron the discarder pays the sum of these shares",
        "1.2, 3.2, auditor/readers/mjlog/FORMAT.md 7", unit="points", elsewhere=(500,),
    )  # fmt: skip
    riichi_stick_value: int | None = rule("value of one riichi stick", "1.2", unit="points")
    noten_payment: tuple[int, int, int] | None = rule(
        "sum that the noten seats pay when 1, 2, 3 seats are tenpai; zeros for nothing. With three players the "
        "third has no meaning", "1.2, 2.10, 4.6", unit="points",
        majiang="ノーテン罰あり",
    )  # fmt: skip
    tenpai_declaration_optional: bool | None = rule(
        "a tenpai hand that is not shown counts as noten, unless it is in riichi", "1", majiang="ノーテン宣言あり"
    )
    pao_yakuman: tuple[str, ...] | None = rule(
        "yakuman for which the seat that fed the last meld is liable",
        "1.2, 2.11",
        majiang="役満パオあり",
        choices=PAO_YAKUMAN,
    )
    pao_scope: Literal["whole_hand", "liable_yakuman"] | None = rule(
        "points that the liable seat pays: those of the whole hand, or of the yakuman that it is liable for", "1.2, 5.1"
    )
    pao_ron_honba_payer: Literal["liable", "discarder"] | None = rule(
        "who pays the honba of a ron that the liable seat and the discarder pay together", "1.2, 5.2"
    )
    daiminkan_rinshan_pao: bool | None = rule(
        "the seat that fed a daiminkan pays all of the rinshan tsumo that follows", "1.2, 5.4"
    )
    max_simultaneous_ron: Literal[1, 2, 3] | None = rule("most seats that can win by one tile", "1, 2.8",
                                                         majiang="最大同時和了数")  # fmt: skip
    multiple_ron_honba: Literal["first", "each"] | None = rule(
        "which of several winners of one tile get honba: the first in turn order, who gets the riichi sticks, or each",
        "2.8, 5.33",
    )

    # Draws.
    abortive_kyuushu: bool | None = rule(
        "a seat with nine kinds of terminals and honours at its first draw can abort the round",
        "1.2, 2.10",
        majiang="途中流局あり",
    )
    abortive_four_winds: bool | None = rule(
        "four first discards of the same wind abort the round", "1.2, 2.10", majiang="途中流局あり"
    )
    abortive_four_riichi: bool | None = rule(
        "riichi by all seats, four or three, aborts the round", "1.2, 2.10, 4.6", majiang="途中流局あり"
    )
    abortive_four_kans: bool | None = rule(
        "four kans by more than one seat abort the round", "1.2, 2.10", majiang="途中流局あり"
    )
    abortive_triple_ron: bool | None = rule(
        "three calls of ron for one tile abort the round", "1.2, 2.8", majiang="最大同時和了数"
    )
    abortive_triple_ron_on_kan: bool | None = rule(
        "three calls of ron for the tile of a kan abort the round", "2.8, 5.23"
    )
    abort_takes_riichi_stick: bool | None = rule(
        "riichi costs its stick if its discard aborts the round by four winds or four kans", "2.10, 4.4, 5.24"
    )
    head_bump_abort_order: Literal["abort", "bump"] | None = rule(
        "which rule goes first if only one seat can win by a tile and three calls of ron abort the round", "1.2"
    )
    fifth_tile_wait: Literal["concealed_only", "whole_hand", "none"] | None = rule(
        "a kind is not a wait if the hand holds four of it, counted over the concealed tiles only, or over melds too; "
        "none: such a kind is a wait", "1.2, 3.6",
    )  # fmt: skip

    # Calls and riichi.
    kuikae_level: Literal[0, 1, 2] | None = rule(
        "legal discards after a call: 0 neither the called kind nor the kind at the other end of the run, 1 the other "
        "end too, 2 everything",
        "1, 2.3, 2.4", majiang="喰い替え許可レベル",
    )  # fmt: skip
    kan_max: int | None = rule("most kans in a round", "1.2, 2.2", unit="kans")
    riichi_min_points: int | None = rule("score needed for riichi; 0 for any score", "1.2, 2.5", unit="points",
                                         majiang="トビ終了あり")  # fmt: skip
    riichi_without_tenpai: bool | None = rule("riichi is possible with a hand that is not tenpai", "1.2, 2.5")
    riichi_without_next_draw: bool | None = rule(
        "riichi is possible without an own draw left", "1, 2.5", majiang="ツモ番なしリーチあり"
    )
    riichi_ankan_level: Literal[0, 1, 2] | None = rule(
        "ankan after riichi: 0 never, 1 if no reading is lost, 2 if no wait is lost",
        "1, 2.6",
        majiang="リーチ後暗槓許可レベル",
    )
    riichi_ankan_yaku_loss: bool | None = rule(
        "an ankan after riichi must not take nine gates away", "1.2, 4.2", majiang="リーチ後暗槓許可レベル"
    )
    riichi_ankan_of_wait: bool | None = rule("an ankan after riichi can be of a kind that is a wait", "2.6, 5.8")
    temporary_furiten_end: Literal["own_discard", "own_action", "own_draw", "any_call"] | None = rule(
        "event that ends the furiten of a hand outside riichi that passed a winning tile: its seat's next discard; the "
        "seat's next discard, draw or call; the seat's next draw; or a call by anybody", "2.7, 4.4, 5.25",
    )  # fmt: skip
    kokushi_ankan_chankan: bool | None = rule("thirteen orphans can rob an ankan", "1.2, 5.10")

    # Three players.
    chi: bool | None = rule("with three players, a discard of the left seat can be called for a run", "4.6", sanma=True)
    tsumo_loss: bool | None = rule(
        "nobody pays the missing seat's share of a tsumo; else the others pay it as missing_share says", "1.2, 4.6",
        sanma=True,
    )  # fmt: skip
    missing_share: Literal["halved", "halved_apart", "thousand_each", "ron_value"] | None = rule(
        "what the payers of a tsumo pay for the missing seat, without tsumo_loss. halved: half of its share each, "
        "rounded together with the own share; halved_apart: half of its rounded share, rounded by itself; "
        "thousand_each: 1000 points each; ron_value: together they pay what a ron would cost, the dealer twice as much "
        "as the other seat",
        "4.6", sanma=True,
    )  # fmt: skip
    kita: bool | None = rule("North can be set aside as a dora (kita)", "1.2, 4.6", sanma=True)
    kita_han: int | None = rule(
        "worth of each North set aside; it is worth more if an indicator makes North dora", "4.6", unit="han",
        sanma=True, elsewhere=(0,),
    )  # fmt: skip
    kita_rinshan_yaku: bool | None = rule("a win by the tile drawn after kita is rinshan", "1.2, 4.6", sanma=True)
    kita_ron: bool | None = rule("a North set aside can be won by ron", "1.2, 4.6", sanma=True)
    kita_chankan: bool | None = rule("a ron on a North set aside has the yaku chankan", "4.6", sanma=True)
    kita_interrupts: bool | None = rule("kita ends ippatsu and the first turn, as a call does", "4.6", sanma=True)
    north_is_value: bool | None = rule(
        "North is a tile of value for every seat: a triplet is a yaku, a pair has 2 fu", "1.2, 4.6", sanma=True
    )

    def __post_init__(self) -> None:
        """Refuse values that a parameter cannot have.

        Raises
        ------
        ValueError
            If a value is not of the parameter's type, or not one of those allowed.
        """
        for name, parameter in PARAMETERS.items():
            value = getattr(self, name)
            reason = "" if value is None else parameter.refusal(value)
            if reason:
                raise ValueError(reason)

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Self:
        """Build a rule set from names and values, such as a parsed TOML or JSON object; missing names are unknown.

        Raises
        ------
        ValueError
            If a name is unknown (the message gives the nearest one), a value is not allowed, or two values contradict
            each other.
        """
        return _consistent(cls(**_known(values)))

    def changed(self, **values: object) -> Self:
        """Give a copy with some parameters replaced.

        Raises
        ------
        ValueError
            As `from_mapping`.
        """
        return _consistent(replace(self, **_known(values)))

    def tried(self, **values: object) -> Self:
        """Give a copy with some parameters replaced by values that are known to be allowed, and so not judged again."""
        copy = object.__new__(type(self))
        for name, value in (*zip(RULE_NAMES, _values_of(self), strict=True), *values.items()):
            object.__setattr__(copy, name, value)
        return copy

    @property
    def unknown(self) -> frozenset[str]:
        """Names of the parameters that are unknown."""
        return frozenset(name for name in RULE_NAMES if getattr(self, name) is None)


PARAMETERS = declared(RuleSet)
"""Every parameter by name, in order."""

RULE_NAMES = tuple(PARAMETERS)
_values_of = attrgetter(*RULE_NAMES)


def nearest(name: str, names: tuple[str, ...]) -> str:
    """Give the one of some names that is most like a misspelt one."""
    return difflib.get_close_matches(name, names, n=1, cutoff=0.0)[0]


def _known(values: Mapping[str, Any]) -> dict[str, Any]:
    """Refuse unknown names of parameters and in lists of names; turn lists, as data files have them, into tuples."""
    for name, value in values.items():
        if name not in PARAMETERS:
            raise ValueError(f"no rule is called {name!r}; the nearest name is {nearest(name, RULE_NAMES)!r}")
        choices = PARAMETERS[name].choices
        for entry in value if choices and isinstance(value, list | tuple) else ():
            if isinstance(entry, str) and entry not in choices:
                raise ValueError(f"rule {name} knows no {entry!r}; the nearest name is {nearest(entry, choices)!r}")
    return {name: _frozen(value) for name, value in values.items()}


def _frozen(value: object) -> object:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _consistent(rules: _Rules) -> _Rules:
    for contradiction in contradictions(rules):
        raise ValueError(contradiction)
    return rules
