"""The rules of a game, from its head: the mode of ranked rooms, the rule object of friendly and tournament games.

Source: auditor/readers/mahjong_soul/FORMAT.md section 6, RULES.md 4.5. The client reads what is left out as the
platform's default. Only an object that switches a rule on (``have_...``) is a full one, in which the rest is off.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from engine.rules.parameters import PAO_YAKUMAN
from engine.rules.rule_sets import based_on, for_players, preset
from engine.yaku.all_yaku import BY_MAHJONG_SOUL

if TYPE_CHECKING:
    from engine.rules.rule_sets import RuleSet

THREE = 3
PRESET = {4: "mahjong_soul", THREE: "mahjong_soul_sanma"}
RANKED = 2
LENGTHS = {1: 1, 2: 2, 0: 0, 4: 0}
"""The scheduled winds by the last digit of ``mode.mode``; 3, a game against the computer, has no settled length."""
EVENT_MODES = {
    "dora3_mode": "dora madness", "begin_open_mode": "open hands", "jiuchao_mode": "eagle's nest",
    "muyu_mode": "wooden fish", "open_hand": "open hands", "xuezhandaodi": "battle to the end",
    "huansanzhang": "exchange of three tiles", "chuanma": "Sichuan rules", "reveal_discard": "hidden discards",
    "field_spell_mode": "field spells", "zhanxing": "astrology", "tianming_mode": "tiles of fate",
    "yongchang_mode": "chanting", "hunzhiyiji_mode": "one strike of the soul",
    "wanxiangxiuluo_mode": "wild tiles (万象修罗)", "beishuizhizhan_mode": "back to the water (背水之战)",
}  # fmt: skip
"""The fields of a rule object that stand for event modes, which are not riichi, with their names in words."""
SWITCHES = "amusement_switches"
"""The field that lists event modes by number."""
SWITCHED_MODES = {18: "the lower overcomes the higher (下克上)"}
"""The numbers of event modes in SWITCHES that are known."""
REDS = {4: {0: (0, 0, 0), 3: (1, 1, 1), 4: (1, 2, 1)}, THREE: {0: (0, 0, 0), 2: (0, 1, 1)}}
ON = (
    "can_jifei", "have_liujumanguan", "have_qieshangmanguan", "have_biao_dora", "have_gang_biao_dora",
    "ming_dora_immediately_open", "have_li_dora", "have_gang_li_dora", "have_sifenglianda", "have_sigangsanle",
    "have_sijializhi", "have_jiuzhongjiupai", "have_sanjiahele", "have_toutiao", "have_helelianzhuang",
    "have_helezhongju", "have_tingpailianzhuang", "have_tingpaizhongju", "have_yifa", "have_nanruxiru",
)  # fmt: skip
SAME = {
    "have_liujumanguan": "nagashi_mangan", "have_qieshangmanguan": "kiriage_mangan", "have_biao_dora": "dora",
    "have_gang_biao_dora": "kan_dora", "have_li_dora": "ura_dora", "have_gang_li_dora": "kan_ura_dora",
    "have_sigangsanle": "abortive_four_kans", "have_jiuzhongjiupai": "abortive_kyuushu", "have_yifa": "ippatsu",
}  # fmt: skip
FOUR_ONLY = {"have_sifenglianda": "abortive_four_winds", "have_sijializhi": "abortive_four_riichi"}
OFF = {
    "disable_leijiyiman": "kazoe_yakuman", "disable_double_yakuman": "double_yakuman",
    "disable_composite_yakuman": "yakuman_stacking", "disable_angang_guoshi": "kokushi_ankan_chankan",
}  # fmt: skip
RENHOU = {0: "none", 1: "mangan", 2: "yakuman"}
LIABLE = {0: PAO_YAKUMAN[:2], 1: PAO_YAKUMAN, 2: ()}
_ANCIENT = tuple(yaku.name for fan in range(51, 65) for yaku in BY_MAHJONG_SOUL.get(fan, ()) if yaku.local)
"""The yaku of ``guyi_mode``, the platform's ancient yaku: its fans 51 to 64. Fan 59, renhou, has a rule of its own."""
_NOT_KNOWN = ("disable_multi_yukaman",)
"""Fields whose meaning no source settles: the rules that they may touch become unknown."""


def rules(
    base: RuleSet, players: int, category: int, mode: int | None, stated: tuple[tuple[str, int], ...]
) -> tuple[RuleSet, str | None]:
    """Return the rules of a game, and what is wrong with its rule object; None if nothing is.

    Parameters
    ----------
    base
        the rules of ``--rules``: they hold if they are those of Mahjong Soul, with whatever is changed in them
    players
        how many play
    category
        1 friends, 2 ranked, 4 tournament; 0 if the record does not say
    mode
        tens: 0 for four players, 1 for three; units: the length. None if the record does not say
    stated
        the fields of the rule object that are not zero

    """
    return _rules(base, players, category, mode, stated)


@lru_cache(maxsize=4096)
def _rules(
    base: RuleSet, players: int, category: int, mode: int | None, stated: tuple[tuple[str, int], ...]
) -> tuple[RuleSet, str | None]:
    own = based_on(base).startswith(PRESET[4])
    found = for_players(base, players) if own else preset(PRESET[players])
    changes: dict[str, Any] = {"game_length": None if mode is None else LENGTHS.get(mode % 10)}
    if category != RANKED and category:
        if stated:
            changes |= _changes(found, players, dict(stated))
        else:
            changes |= {"red_fives": None, "open_tanyao": None, "min_han": None}
    try:
        return found.changed(**changes), None
    except ValueError as error:
        return found.changed(game_length=changes["game_length"]), f"detail_rule: {error}"


def _changes(base: RuleSet, players: int, stated: dict[str, int]) -> dict[str, Any]:
    """Return what a rule object states."""
    full = any(stated.get(name) for name in ON)
    get = stated.get
    found: dict[str, Any] = {
        "red_fives": REDS[players].get(get("dora_count", 0)),
        "open_tanyao": bool(get("shiduan")),
        "min_han": get("fanfu", 0) or 1,
        "double_wind_pair_fu": 2 if get("disable_double_wind_four_fu") else base.double_wind_pair_fu,
        "kuikae_level": 2 if get("enable_shiti") else base.kuikae_level,
        "riichi_without_next_draw": bool(get("enable_nontsumo_liqi")),
        "renhou": RENHOU.get(get("enable_renhe", 0)),
        "pao_yakuman": LIABLE.get(get("enable_baopai_extend_settings", 0)),
    }
    found |= {rule: False for name, rule in OFF.items() if get(name)}
    found |= _scores(base, players, stated)
    if get("guyi_mode"):
        found |= {"local_yaku": _ANCIENT, "renhou": "yakuman"}
    if any(get(name) for name in _NOT_KNOWN):
        found |= {"double_yakuman": None, "yakuman_stacking": None}
    if players == THREE:
        # The object of a game with tsumo loss has it, but one without any full rule may leave it out.
        found["tsumo_loss"] = True if get("have_zimosun") else False if full else None
    return found | (_switches(players, stated) if full else {})


def _scores(base: RuleSet, players: int, stated: dict[str, int]) -> dict[str, Any]:
    """Return the rules that are numbers of points; 0 stands for the default."""
    found: dict[str, Any] = {}
    get = stated.get
    if get("init_point"):
        found["starting_points"] = stated["init_point"]
    if get("fandian"):
        found["target_points"] = stated["fandian"]
    if get("jingsuanyuandian"):
        found["return_points"] = stated["jingsuanyuandian"]
    elif get("init_point", base.starting_points) != base.starting_points:
        found["return_points"] = None
    if get("tianbian_value"):
        found["score_ceiling"] = stated["tianbian_value"]
    if get("liqibang_value"):
        found["riichi_stick_value"] = stated["liqibang_value"]
    if get("changbang_value"):
        share, rest = divmod(stated["changbang_value"], players - 1)
        found["honba_value"] = None if rest else share
    noten = [get(f"noting_fafu_{nth}", 0) for nth in (1, 2, 3)]
    if any(noten):
        found["noten_payment"] = (
            (2 * noten[0], noten[1], 0) if players == THREE else (3 * noten[0], 2 * noten[1], noten[2])
        )
    uma = [get(f"shunweima_{nth}", 0) for nth in range(2, players + 1)]
    if any(uma):
        found["uma"] = tuple(float(each) for each in (-sum(uma), *uma))
    return found


def _switches(players: int, stated: dict[str, int]) -> dict[str, Any]:
    """Return the rules of a full object: what it leaves out is off."""
    on = {name: bool(stated.get(name)) for name in ON}
    repeats = {(True, True): 2, (True, False): 1, (False, False): 0}
    found: dict[str, Any] = {rule: on[name] for name, rule in SAME.items()}
    found |= {
        "bust_threshold": "below_zero" if on["can_jifei"] else "off",
        "open_kan_dora_delayed": not on["ming_dora_immediately_open"],
        "renchan_mode": repeats.get((on["have_helelianzhuang"], on["have_tingpailianzhuang"])),
        "agari_yame": "automatic" if on["have_helezhongju"] else "none",
        "tenpai_yame": "automatic" if on["have_tingpaizhongju"] else "none",
    }
    if not on["have_nanruxiru"]:
        found["extension_mode"] = 0
    if not on["have_gang_biao_dora"]:
        # Nothing is turned, so nothing lies below.
        found |= {"open_kan_dora_delayed": None, "kan_ura_dora": False}
    elif not on["have_li_dora"] and on["have_gang_li_dora"]:
        found["kan_ura_dora"] = None
    most = players - 1
    if players != THREE:
        found |= {rule: on[name] for name, rule in FOUR_ONLY.items()}
        found["abortive_triple_ron"] = on["have_sanjiahele"]
        most -= on["have_sanjiahele"]
    found["max_simultaneous_ron"] = 1 if on["have_toutiao"] else most
    return found
