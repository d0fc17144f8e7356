"""The messages of Mahjong Soul that a record is made of: names, numbers and types of their fields, stated once.

Source: auditor/readers/mahjong_soul/FORMAT.md section 3. wire.py and records.py decode bytes by these numbers;
messages.py makes descriptors of them, with which the other renderings become bytes. Fields that the reader knows but
does not use are here too: a field that is not here is reported as unknown.
"""

from __future__ import annotations

from typing import NamedTuple

PACKAGE = "lq"
PREFIX = f".{PACKAGE}."
RECORD = "Record"
DETAILS = "GameDetailRecords"
ANSWER = "ResGameRecord"


class Field(NamedTuple):
    """A field of a message: its number, its type (a scalar of :data:`SCALARS` or a message), whether it is a list."""

    number: int
    kind: str
    repeated: bool


SCALARS = {"uint32": 13, "int32": 5, "bool": 8, "string": 9, "bytes": 12}
"""The scalar types that occur, with their numbers in protobuf's descriptors."""


# One line a message: number, name, type. A star marks a list. The type uint32 is left out.
_TEXT: dict[str, str] = {
    "Wrapper": "1 name string, 2 data bytes",
    "ResGameRecord": "1 error Error, 3 head RecordGame, 4 data bytes, 5 data_url string",
    "Error": "1 code, 2 u32_params *uint32, 3 str_params *string, 4 json_param string",
    "GameDetailRecords": "1 records *bytes, 2 version, 3 actions *GameAction, 4 bar bytes",
    "GameAction": "1 passed, 2 type, 3 result bytes, 4 user_input bytes, 5 user_event bytes, 6 game_event",
    # The head.
    "RecordGame": (
        "1 uuid string, 2 start_time, 3 end_time, 5 config GameConfig, 11 accounts *AccountInfo, "
        "12 result GameEndResult, 13 robots *AccountInfo, 14 standard_rule"
    ),
    "AccountInfo": (
        "1 account_id, 2 seat, 3 nickname string, 4 avatar_id, 5 character bytes, 6 title, 7 level AccountLevel, "
        "8 level3 AccountLevel, 9 avatar_frame, 10 verified, 11 views *bytes"
    ),
    "AccountLevel": "1 id, 2 score",
    "GameConfig": "1 category, 2 mode GameMode, 3 meta GameMetaData",
    "GameMetaData": "1 room_id, 2 mode_id, 3 contest_uid",
    "GameMode": (
        "1 mode, 4 ai bool, 5 extendinfo string, 6 detail_rule GameDetailRule, 7 testing_environment bytes, "
        "8 game_setting bytes"
    ),
    "GameDetailRule": (
        "1 time_fixed, 2 time_add, 3 dora_count, 4 shiduan, 5 init_point, 6 fandian, 7 can_jifei bool, "
        "8 tianbian_value, 9 liqibang_value, 10 changbang_value, 11 noting_fafu_1, 12 noting_fafu_2, "
        "13 noting_fafu_3, 14 have_liujumanguan bool, 15 have_qieshangmanguan bool, 16 have_biao_dora bool, "
        "17 have_gang_biao_dora bool, 18 ming_dora_immediately_open bool, 19 have_li_dora bool, "
        "20 have_gang_li_dora bool, 21 have_sifenglianda bool, 22 have_sigangsanle bool, 23 have_sijializhi bool, "
        "24 have_jiuzhongjiupai bool, 25 have_sanjiahele bool, 26 have_toutiao bool, 27 have_helelianzhuang bool, "
        "28 have_helezhongju bool, 29 have_tingpailianzhuang bool, 30 have_tingpaizhongju bool, 31 have_yifa bool, "
        "32 have_nanruxiru bool, 33 jingsuanyuandian, 34 shunweima_2 int32, 35 shunweima_3 int32, "
        "36 shunweima_4 int32, 37 bianjietishi bool, 38 ai_level, 39 have_zimosun bool, 40 disable_multi_yukaman bool, "
        "41 fanfu, 42 guyi_mode, 43 dora3_mode, 44 begin_open_mode, 45 jiuchao_mode, 46 muyu_mode, 47 open_hand, "
        "48 xuezhandaodi, 49 huansanzhang, 50 chuanma, 51 reveal_discard, 52 field_spell_mode, 53 zhanxing, "
        "54 tianming_mode, 60 disable_leijiyiman bool, 62 disable_double_yakuman, 63 disable_composite_yakuman, "
        "64 enable_shiti, 65 enable_nontsumo_liqi, 66 disable_double_wind_four_fu, 67 disable_angang_guoshi, "
        "68 enable_renhe, 69 enable_baopai_extend_settings, 70 yongchang_mode, 71 hunzhiyiji_mode, "
        "72 wanxiangxiuluo_mode, 73 beishuizhizhan_mode, 74 amusement_switches *uint32"
    ),
    "GameEndResult": "1 players *PlayerItem",
    "PlayerItem": "1 seat, 2 total_point int32, 3 part_point_1 int32, 4 part_point_2 int32, 5 grading_score int32, "
    "6 gold int32",
    # The records.
    "RecordNewRound": (
        "1 chang, 2 ju, 3 ben, 4 dora string, 5 scores *int32, 6 liqibang, 7 tiles0 *string, 8 tiles1 *string, "
        "9 tiles2 *string, 10 tiles3 *string, 11 tingpai *TingPai, 12 operation OptionalOperationList, 13 md5 string, "
        "14 paishan string, 15 left_tile_count, 16 doras *string, 17 opens *NewRoundOpenedTiles, 18 muyu bytes, "
        "19 operations *OptionalOperationList, 20 ju_count, 21 field_spell, 22 sha256 string, 23 yongchang bytes, "
        "24 saltSha256 string, 25 salt string, 26 xia_ke_shang bytes"
    ),
    "RecordDealTile": (
        "1 seat, 2 tile string, 3 left_tile_count, 5 liqi LiQiSuccess, 6 doras *string, 7 zhenting *bool, "
        "8 operation OptionalOperationList, 9 tile_state, 11 muyu bytes, 12 tile_index, 13 hun_zhi_yi_ji_info bytes"
    ),
    "RecordDiscardTile": (
        "1 seat, 2 tile string, 3 is_liqi bool, 5 moqie bool, 6 zhenting *bool, 7 tingpais *TingPaiInfo, "
        "8 doras *string, 9 is_wliqi bool, 10 operations *OptionalOperationList, 11 tile_state, 12 muyu bytes, "
        "13 yongchang bytes, 14 hun_zhi_yi_ji_info bytes, 27 liqi_type_beishuizhizhan"
    ),
    "RecordChiPengGang": (
        "1 seat, 2 type, 3 tiles *string, 4 froms *uint32, 5 liqi LiQiSuccess, 7 zhenting *bool, "
        "8 operation OptionalOperationList, 9 tile_states *uint32, 10 muyu bytes, 11 scores *int32, 12 liqibang, "
        "13 yongchang bytes, 14 hun_zhi_yi_ji_info bytes"
    ),
    "RecordAnGangAddGang": (
        "1 seat, 2 type, 3 tiles string, 6 doras *string, 7 operations *OptionalOperationList, 8 muyu bytes"
    ),
    "RecordBaBei": (
        "1 seat, 6 doras *string, 7 operations *OptionalOperationList, 8 moqie bool, 10 tile_state, 11 muyu bytes"
    ),
    "RecordHule": (
        "1 hules *HuleInfo, 2 old_scores *int32, 3 delta_scores *int32, 4 wait_timeout, 5 scores *int32, "
        "6 gameend GameEnd, 7 doras *string, 8 muyu bytes, 9 baopai int32, 10 hun_zhi_yi_ji_info bytes"
    ),
    "RecordNoTile": (
        "1 liujumanguan bool, 2 players *NoTilePlayerInfo, 3 scores *NoTileScoreInfo, 4 gameend bool, 5 muyu bytes, "
        "9 hules_history *HuleInfo"
    ),
    "RecordLiuJu": (
        "1 type, 2 gameend GameEnd, 3 seat, 4 tiles *string, 5 liqi LiQiSuccess, 6 allplayertiles *string, "
        "7 muyu bytes, 9 hules_history *HuleInfo"
    ),
    # Their parts.
    "HuleInfo": (
        "1 hand *string, 2 ming *string, 3 hu_tile string, 4 seat, 5 zimo bool, 6 qinjia bool, 7 liqi bool, "
        "8 doras *string, 9 li_doras *string, 10 yiman bool, 11 count, 12 fans *FanInfo, 13 fu, 14 title string, "
        "15 point_rong, 16 point_zimo_qin, 17 point_zimo_xian, 18 title_id, 19 point_sum, 20 dadian, 21 baopai, "
        "22 baopai_seats *uint32, 23 lines *string, 24 tianming_bonus, 25 baida_changed *string, "
        "26 hu_tile_baida_changed string"
    ),
    "FanInfo": "1 name string, 2 val, 3 id",
    "GameEnd": "1 scores *int32",
    "LiQiSuccess": "1 seat, 2 score int32, 3 liqibang, 4 failed bool, 5 liqi_type_beishuizhizhan",
    "NoTilePlayerInfo": "3 tingpai bool, 4 hand *string, 5 tings *TingPaiInfo, 6 already_hule bool",
    "NoTileScoreInfo": (
        "1 seat, 2 old_scores *int32, 3 delta_scores *int32, 4 hand *string, 5 ming *string, 6 doras *string, "
        "7 score, 8 taxes *int32, 9 lines *string"
    ),
    "TingPai": "1 seat, 2 tingpais1 *TingPaiInfo",
    "TingPaiInfo": (
        "1 tile string, 2 haveyi bool, 3 yiman bool, 4 count, 5 fu, 6 biao_dora_count, 7 yiman_zimo bool, "
        "8 count_zimo, 9 fu_zimo"
    ),
    "NewRoundOpenedTiles": "1 seat, 2 tiles *string, 3 count *uint32",
    "OptionalOperationList": "1 seat, 2 operation_list *OptionalOperation, 4 time_add, 5 time_fixed",
    "OptionalOperation": (
        "1 type, 2 combination *string, 3 change_tiles *string, 4 change_tile_states *int32, 5 gap_type"
    ),
}


def _fields(text: str) -> dict[str, Field]:
    found = {}
    for entry in text.split(", "):
        number, name, *kind = entry.split()
        typed = kind[0] if kind else "uint32"
        found[name] = Field(int(number), typed.lstrip("*"), typed[0] == "*")
    return found


MESSAGES: dict[str, dict[str, Field]] = {name: _fields(text) for name, text in _TEXT.items()}
"""Every field, by message and name."""

RECORDS = tuple(name for name in MESSAGES if name.startswith(RECORD) and name != "RecordGame")
"""The messages that are records of a round, in a fixed order: NewRound first."""

ROUND_MODES = {"opens": "open hands", "field_spell": "field spells"}
"""Fields of RecordNewRound that only event modes fill, with the mode's name in words."""

EVENT_MODES = {
    "RecordHuleXueZhanMid": "battle to the end",
    "RecordHuleXueZhanEnd": "battle to the end",
    "RecordHuleXueLiuMid": "river of blood",
    "RecordHuleXueLiuEnd": "river of blood",
    "RecordGangResult": "Sichuan kans",
    "RecordGangResultEnd": "Sichuan kans",
    "RecordSelectGap": "Sichuan: a suit is left out",
    "RecordChangeTile": "exchange of three tiles",
    "RecordRevealTile": "hidden discards",
    "RecordUnveilTile": "hidden discards",
    "RecordLockTile": "hidden discards",
    "RecordFillAwaitingTiles": "a hand that is filled up",
}
"""Records of event modes, which are not riichi, with the mode's name in words."""
