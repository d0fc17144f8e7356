"""PyPI ``jansou``."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from jansou.analysis.shanten import shanten_counts
from jansou.analysis.waits import waits_counts
from jansou.core.hand import CallSource, Hand, Meld, MeldType
from jansou.core.rules import Rules
from jansou.core.tiles import Tile, TileKind, Wind
from jansou.scoring.context import WinContext
from jansou.scoring.score import ScoringError, score
from jansou.scoring.yaku import CATALOG_ORDER

from engine.rules.rule_sets import THREE
from engine.tiles import melds as ours
from engine.tiles.kinds import KIND, KINDS
from engine.yaku.declaration import DORA, RED_FIVE, URA_DORA
from scripts.check_jansou_scores import ONE_NAME, YAKU
from scripts.oracles.answers import ALLOWED, Answer, Case, Oracle, chankan, indicators, moved, rinshan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.rules.rule_sets import RuleSet
    from tests.kit.random_wins import Win

TYPES = {
    ours.CHI: MeldType.CHII,
    ours.PON: MeldType.PON,
    ours.DAIMINKAN: MeldType.DAIMINKAN,
    ours.ANKAN: MeldType.ANKAN,
    ours.KAKAN: MeldType.SHOUMINKAN,
}
SOURCES = (None, CallSource.SHIMOCHA, CallSource.TOIMEN, CallSource.KAMICHA)
WINDS = (Wind.EAST, Wind.SOUTH, Wind.WEST, Wind.NORTH)


def ask(wins: Sequence[Win], rules: Sequence[RuleSet]) -> list[Answer]:
    """Ask PyPI ``jansou``."""
    return [_answer(*pair) for pair in zip(wins, rules, strict=True)]


def _answer(win: Win, rules: RuleSet) -> Answer:

    melds = tuple(map(_meld, win.melds))
    dora, ura = indicators(win, rules)
    context = WinContext(
        rules=_rules(rules, win.players),
        round_wind=WINDS[win.round_wind],
        seat_wind=WINDS[win.seat_wind],
        is_tsumo=win.tsumo,
        riichi=win.riichi == 1,
        double_riichi=win.riichi == 2,
        ippatsu=win.ippatsu and bool(rules.ippatsu),
        haitei=win.last_tile and win.tsumo,
        houtei=win.last_tile and not win.tsumo,
        rinshan=rinshan(win, rules),
        chankan=chankan(win, rules),
        tenhou=win.first_turn and win.tsumo and win.winner == win.dealer,
        chiihou=win.first_turn and win.tsumo and win.winner != win.dealer,
        dora_indicators=tuple(map(_tile, dora)),
        ura_indicators=tuple(map(_tile, ura)),
        nuki_count=win.norths,
        honba=win.honba,
        riichi_sticks=win.sticks,
    )
    concealed = tuple(map(_tile, win.tiles))
    try:
        result = score(Hand(concealed, melds), concealed[-1], context)
    except ScoringError as error:
        if "no yaku" not in str(error):
            raise
        return Answer()
    cost = result.payment
    paid = {
        "points": cost.total - cost.honba - cost.sticks,
        "deltas": moved(win, ron=cost.ron, dealer=cost.tsumo_dealer, other=cost.tsumo_non_dealer, honba=cost.honba),
    }
    winds = {"YAKUHAI_SEAT": 10 + win.seat_wind, "YAKUHAI_ROUND": 14 + win.round_wind}
    found = {(YAKU | winds)[each.yaku.name]: each.value for each in result.yaku}
    if result.is_yakuman:
        return Answer(won=True, units=sum(found.values()), yakuman=frozenset(found), **paid)
    counted = {DORA: result.dora.dora + result.dora.nuki, URA_DORA: result.dora.ura, RED_FIVE: result.dora.aka}
    yaku = found | {number: han for number, han in counted.items() if han}
    return Answer(won=True, fu=result.fu.total, han=result.han, yaku=yaku, **paid)


@cache
def _rules(rules: RuleSet, players: int) -> Rules:

    return Rules(
        player_count=players,
        honba_value=rules.honba_value,
        double_wind_fu=rules.double_wind_pair_fu,
        kiriage_mangan=rules.kiriage_mangan,
        kazoe_yakuman=rules.kazoe_yakuman,
        multiple_yakuman=rules.yakuman_stacking,
        double_yakuman=rules.double_yakuman,
        ura_dora=rules.ura_dora,
        nuki_dora=players == THREE and rules.kita_han == 1,
        kuitan=rules.open_tanyao,
    )


def _tile(tile: int) -> Tile:
    return Tile(TileKind(int(KIND[tile])), red=tile >= KINDS)


def _meld(meld: ours.Meld) -> Meld:
    tiles = tuple(map(_tile, meld.tiles))
    called = None if meld.type == ours.ANKAN else tiles[meld.called]
    added = tiles[-1] if meld.type == ours.KAKAN else None
    return Meld(TYPES[meld.type], tiles, called, SOURCES[meld.feeder], added)


def one_of_several(case: Case) -> Answer | None:
    """If yakuman do not add up, jansou names the dearest, or the first of equal ones; this engine names all."""
    if case.rules.yakuman_stacking or not case.ours.units:
        return None
    kinds = [int(KIND[tile]) for tile in case.win.tiles]
    doubles = {2: {40, 45, 47, 49}, 4: {45, 49}}.get(kinds.count(kinds[-1]), {49})
    catalogue = {YAKU[yaku.name]: -place for yaku, place in CATALOG_ORDER.items() if yaku.name in YAKU}
    units = {number: 1 + (case.rules.double_yakuman and number in doubles) for number in case.ours.yakuman}
    dearest = max(units, key=lambda number: (units[number], catalogue[number]))
    return case.ours._replace(yakuman=frozenset({dearest}))


def shanten(counts: list[list[int]], n_melds: list[int]) -> list[int]:
    """Ask for shanten."""
    return list(map(shanten_counts, counts, n_melds))


def waits(wins: Sequence[Win], counts: list[list[int]]) -> list[tuple[int, ...]]:
    """Ask for waits, without kinds of which hand and melds hold four."""
    melds = (tuple(map(_meld, win.melds)) for win in wins)
    return [tuple(sorted(map(int, waits_counts(*each)))) for each in zip(counts, melds, strict=True)]


ORACLE = Oracle(
    "jansou",
    ALLOWED
    | {"double_wind_pair_fu": (4, 2), "yakuman_stacking": (True, False), "honba_value": (100, 0), "kita_han": (1, 0)},
    ask,
    one_name=ONE_NAME,
    causes={"of yakuman that do not add up it names the dearest": one_of_several},
    shanten=shanten,
    waits=waits,
)
