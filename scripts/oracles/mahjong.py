"""PyPI ``mahjong``."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from mahjong.constants import EAST
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, HandConstants, OptionalRules
from mahjong.hand_calculating.yaku_config import YakuConfig
from mahjong.meld import Meld
from mahjong.shanten import Shanten

from engine.tiles.kinds import KIND, KINDS, RED_FIVES
from engine.tiles.melds import ANKAN, CHI, DAIMINKAN, KAKAN, PON
from engine.yaku.declaration import DORA, RED_FIVE, URA_DORA
from scripts.oracles.answers import ALLOWED, Answer, Case, Oracle, chankan, indicators, moved, rinshan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.rules.rule_sets import RuleSet
    from tests.kit.random_wins import Win

YAKU = {
    "tsumo": 0, "riichi": 1, "ippatsu": 2, "chankan": 3, "rinshan": 4, "haitei": 5, "houtei": 6, "pinfu": 7,
    "tanyao": 8, "iipeiko": 9, "seat_wind_east": 10, "seat_wind_south": 11, "seat_wind_west": 12,
    "seat_wind_north": 13, "round_wind_east": 14, "round_wind_south": 15, "round_wind_west": 16,
    "round_wind_north": 17, "haku": 18, "hatsu": 19, "chun": 20, "daburu_riichi": 21, "chiitoitsu": 22, "chantai": 23,
    "ittsu": 24, "sanshoku": 25, "sanshoku_douko": 26, "sankantsu": 27, "toitoi": 28, "sanankou": 29,
    "shosangen": 30, "honroto": 31, "ryanpeiko": 32, "junchan": 33, "honitsu": 34, "chinitsu": 35, "renhou": 36,
    "renhou_yakuman": 36, "tenhou": 37, "chiihou": 38, "daisangen": 39, "suuankou": 40, "suuankou_tanki": 41,
    "tsuisou": 42, "ryuisou": 43, "chinroto": 44, "chuuren_poutou": 45, "daburu_chuuren_poutou": 46, "kokushi": 47,
    "daburu_kokushi": 48, "daisuushi": 49, "shosuushi": 50, "suukantsu": 51, "dora": DORA, "ura_dora": URA_DORA,
    "aka_dora": RED_FIVE, "daisharin": 118, "daichisei": 122, "open_riichi": 131, "daburu_open_riichi": 132,
}  # fmt: skip

WHEEL_OF_SUIT, HONOURS = (120, 118, 119), 3
SEVEN_STARS, ALL_HONOURS = 122, 42
WHEELS_BY_NAME = {"Daisharin": 118, "Daichikurin": 119, "Daisuurin": 120}
WHEELS = ("daisharin", "daichikurin", "daisuurin")


def ask(wins: Sequence[Win], rules: Sequence[RuleSet]) -> list[Answer]:
    """Ask PyPI ``mahjong``."""
    return [_answer(*pair) for pair in zip(wins, rules, strict=True)]


def _answer(win: Win, rules: RuleSet) -> Answer:
    used = [0] * KINDS
    names = {CHI: Meld.CHI, PON: Meld.PON, DAIMINKAN: Meld.KAN, ANKAN: Meld.KAN, KAKAN: Meld.SHOUMINKAN}
    concealed = _numbers(win.tiles, used)
    melds = [Meld(names[meld.type], _numbers(meld.tiles, used), opened=meld.type != ANKAN) for meld in win.melds]
    dora, ura = indicators(win, rules)
    config = _config(win, rules)
    result = HandCalculator.estimate_hand_value(
        sorted(concealed + [tile for meld in melds for tile in meld.tiles]),
        concealed[-1],
        melds=melds,
        dora_indicators=[4 * kind + 3 for kind in dora],
        ura_dora_indicators=[4 * kind + 3 for kind in ura],
        config=config,
    )
    if result.error:
        if result.error != HandCalculator.ERR_NO_YAKU:
            raise ValueError(f"mahjong refuses {win}: {result.error}")
        return Answer()
    # There, a wheel in another suit has a name of its own, but no number.
    found = {WHEELS_BY_NAME.get(yaku.name, _names()[yaku.yaku_id]): yaku for yaku in result.yaku}
    yakuman = frozenset(number for number, yaku in found.items() if yaku.is_yakuman)
    cost = result.cost
    honba = cost["main_bonus"] * (win.players - 1 if win.tsumo else 1)
    dealer_wins = win.winner == win.dealer
    main, additional = cost["main"], cost["additional"]
    paid = {
        "points": cost["total"] - cost["kyoutaku_bonus"] - honba,
        "deltas": moved(win, ron=main, dealer=main, other=main if dealer_wins else additional, honba=honba),
    }
    if yakuman:
        return Answer(won=True, units=result.han // 13, yakuman=yakuman, **paid)
    yaku = {number: each.han_closed if win.closed else each.han_open for number, each in found.items()}
    return Answer(won=True, fu=result.fu, han=result.han, yaku=yaku, **paid)


def one_red_a_suit(win: Win) -> Win:
    """Keep one red five a suit, and none in a suit with four plain ones, since the first would be red."""
    one = win.fewer_reds(1)
    tiles = [*one.tiles, *(tile for meld in one.melds for tile in meld.tiles)]
    return one.fewer_reds(0) if any(tiles.count(int(KIND[red])) == 4 for red in RED_FIVES) else one


def _numbers(tiles: Sequence[int], used: list[int]) -> list[int]:
    """Give tiles numbers from 0 to 135; `used` counts the plain tiles of each kind so far."""
    numbers = []
    for tile in tiles:
        kind = int(KIND[tile])
        used[kind] += tile < KINDS
        # A red five is the first of its kind; plain ones take the next places, and the first place last.
        place = 0 if tile >= KINDS else used[kind] % 4
        numbers.append(4 * kind + place)
    return numbers


def _config(win: Win, rules: RuleSet) -> HandConfig:
    reds = any(tile >= KINDS for tile in (*win.tiles, *(tile for meld in win.melds for tile in meld.tiles)))
    options = OptionalRules(
        has_open_tanyao=rules.open_tanyao,
        has_aka_dora=reds,
        has_double_yakuman=rules.double_yakuman,
        kazoe_limit=HandConstants.KAZOE_LIMITED if rules.kazoe_yakuman else HandConstants.KAZOE_SANBAIMAN,
        kiriage=rules.kiriage_mangan,
        renhou_as_yakuman=rules.renhou == "yakuman",
        has_daisharin="daisharin" in rules.local_yaku,
        has_daisharin_other_suits="daisuurin" in rules.local_yaku,
        has_daichisei="daichisei" in rules.local_yaku,
        limit_to_sextuple_yakuman=False,
        is_three_player=win.players == 3,
    )
    first = win.first_turn and win.tsumo
    return HandConfig(
        is_tsumo=win.tsumo,
        is_riichi=win.riichi == 1,
        is_daburu_riichi=win.riichi == 2,
        is_ippatsu=win.ippatsu and rules.ippatsu,
        is_rinshan=rinshan(win, rules),
        is_chankan=chankan(win, rules),
        is_haitei=win.last_tile and win.tsumo,
        is_houtei=win.last_tile and not win.tsumo,
        is_tenhou=first and win.winner == win.dealer,
        is_chiihou=first and win.winner != win.dealer,
        is_renhou=win.first_turn and not win.tsumo and win.winner != win.dealer and rules.renhou != "none",
        is_open_riichi=win.open_riichi and "open_riichi" in rules.local_yaku,
        player_wind=EAST + win.seat_wind,
        round_wind=EAST + win.round_wind,
        kyoutaku_number=win.sticks,
        tsumi_number=win.honba,
        num_nuki_dora=win.norths,
        options=options,
    )


@cache
def _names() -> dict[int, int]:
    config = YakuConfig()
    return {getattr(config, name).yaku_id: number for name, number in YAKU.items()}


def seven_stars(case: Case) -> Answer | None:
    """There, seven pairs of honours are also all honours: two yakuman, whether doubles count or not."""
    if not {SEVEN_STARS} <= case.ours.yakuman:
        return None
    own = 2 if case.rules.double_yakuman else 1
    return case.revalued(yakuman=case.ours.yakuman | {ALL_HONOURS}, units=case.ours.units - own + 2)


def open_wheel(case: Case) -> Answer | None:
    """There, 22334455667788 of a suit is a wheel also with called runs; it must be seven pairs."""
    tiles = [*case.win.tiles, *(tile for meld in case.win.melds for tile in meld.tiles)]
    kinds = sorted(int(KIND[tile]) for tile in tiles)
    start = kinds[0] // 9
    if case.win.closed or start == HONOURS or kinds != [9 * start + place for place in range(1, 8) for _ in range(2)]:
        return None
    return case.revalued(yaku={}, fu=0, han=0, yakuman=frozenset({WHEEL_OF_SUIT[start]}), units=1)


def shanten(counts: list[list[int]], n_melds: list[int]) -> list[int]:
    """Ask for shanten, with melds by the number of tiles."""
    del n_melds
    return [Shanten.calculate_shanten(each) for each in counts]


ORACLE = Oracle(
    "mahjong",
    ALLOWED
    | {
        "double_wind_pair_fu": (4,),
        "yakuman_stacking": (True,),
        "renhou": ("none", 5, "yakuman"),
        "local_yaku": ((), ("daisharin",), WHEELS, ("daichisei", *WHEELS), ("open_riichi", "open_double_riichi")),
    },
    ask,
    possible=one_red_a_suit,
    causes={"seven pairs of honours are all honours too": seven_stars, "a wheel may be open": open_wheel},
    shanten=shanten,
)
