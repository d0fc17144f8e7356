"""Reads lists of yaku as clients write them: names in many spellings, with or without han.

An entry is a name (in one of the engine's languages, 電脳麻将's, or another common spelling) or a number of Tenhou's.
Its han may follow: ``riichi 1``, ``Riichi(1)``, ``立直(1飜)``, ``"riichi": 1``. Entries are separated by commas,
semicolons, bars, ``、``, slashes, ``+`` or line ends; if there are none of these, by blanks.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

import polars as pl

from engine.yaku.all_yaku import BY_ID
from engine.yaku.declaration import DORA, RED_FIVE, URA_DORA

DORAS = (DORA, URA_DORA, RED_FIVE)

GROUPS = {
    1000: (*range(10, 18), 18, 19, 20),
    1001: (10, 11, 12, 13),
    1002: (14, 15, 16, 17),
    1010: (10, 14),
    1011: (11, 15),
    1012: (12, 16),
    1013: (13, 17),
}
"""Groups of yaku that one name may mean: any value tiles, the seat or round wind, one wind as either of these."""

_SPELLINGS = {
    0: "tsumo; mentsumo; menzen; menzen tsumohou; menzenchin tsumohou; self draw; concealed self draw; fully concealed;"
    " 自摸; ツモ; 門前自摸; 門清自摸; 門前清自摸; 门前清自摸和",
    1: "reach; ready; ready hand; リーチ; 立直; 竪直",
    2: "one shot; 一發; 一発",
    3: "robbing the kan; robbing a quad; robbing the quad; 搶槓; 抢杠",
    4: "rinshan; dead wall draw; after a quad; after a kong; 嶺上; 岭上开花",
    5: "haitei raoyue; haitei raoyui; haitei mooyue; last tile from the wall; last draw; 海底; 海底撈月; 海底捞月",
    6: "houtei raoyui; houtei raoyue; last discard; 河底; 河底捞鱼",
    7: "pin fu; all sequences; no points hand; ピンフ",
    8: "tanyao chuu; tanyaochuu; タンヤオ; 断幺; 断么; 断么九; 斷幺九; 斷么九; 断ヤオ",
    9: "pure double chow; pure double run; identical sequences; イーペーコー; 一杯口",
    10: "自風牌 東; 自風東; seat wind ton",
    11: "自風牌 南; 自風南; seat wind nan",
    12: "自風牌 西; 自風西; seat wind shaa; seat wind sha",
    13: "自風牌 北; 自風北; seat wind pei",
    14: "場風牌 東; 場風東; round wind east; round wind ton",
    15: "場風牌 南; 場風南; round wind south; round wind nan",
    16: "場風牌 西; 場風西; round wind west; round wind shaa; round wind sha",
    17: "場風牌 北; 場風北; round wind north; round wind pei",
    18: "白; 白板; 役牌白; yakuhai haku; yakuhai white; dragon haku; white",
    19: "發; 発; 緑發; 役牌發; 役牌発; yakuhai hatsu; yakuhai green; dragon hatsu; green",
    20: "中; 紅中; 役牌中; yakuhai chun; yakuhai red; dragon chun; red",
    21: "daburu riichi; daburii; double reach; double ready; w riichi; wリーチ; w立直; ダブル立直; ダブルリーチ;"
    " ダブリー; 兩立直; 两立直",
    22: "chiitoi; chitoitsu; chii toitsu; 七対; 七對子; 七对子; チートイツ",
    23: "chantaiyao; honchan; honchan taiyao; honchan taiyaochuu; honchantaiyaochuu; outside hand; mixed outside hand;"
    " common ends; チャンタ; 混全帯么九; 混全帯; 混全帶么九; 混全帶幺九; 全帯幺九",
    24: "itsu; ittsu; ikki tsuukan; ikkitsuukan; straight; full straight; 一通; 一気; 一氣通貫; 一气通贯; イッツー",
    25: "sanshoku; sanshoku doujun; mixed triple chow; mixed triple run; three colour straight; three color straight;"
    " three colored straight; three coloured straight; 三色",
    26: "sanshoku dookoo; mixed triple triplet; triple triplet; three colour triplets; three color triplets",
    27: "three kans; three kongs; 三杠子",
    28: "toitoihou; toi toi; all pungs; 対々; 対対和; 對對和; 对对和; トイトイ",
    29: "san ankou; three concealed pungs; three closed triplets",
    30: "shou sangen; little dragons; small three dragons; three little dragons",
    31: "hon routou; all terminals and honors; terminals and honors; terminals and honours; 混老头",
    32: "twice pure double chow; two double sequences; 二杯口; 両盃口; リャンペーコー",
    33: "junchan taiyao; junchan taiyaochuu; junchantaiyaochuu; pure outside hand; terminals in all sets;"
    " perfect ends; 純チャン; 純全帯么九; 純全; 純全帶么九; 純全帶幺九; 纯全带幺九",
    34: "hon itsu; hon iisou; honiisou; common flush; 混一; ホンイツ",
    35: "chin itsu; chin iisou; chiniisou; perfect flush; 清一; チンイツ",
    36: "renho; hand of man",
    37: "tenho; heavenly hand; hand of heaven",
    38: "chiho; earthly hand; hand of earth",
    39: "dai sangen; big dragons",
    40: "suu ankou; four concealed pungs; four closed triplets",
    41: "suu ankou tanki; suuankou tanki machi; four concealed triplets single wait;"
    " four concealed pungs single wait; 四暗刻単騎待ち; 四暗刻單騎; 四暗刻单骑",
    42: "tsu iisou; tsuu iisou; tsuuiisoo; all honors",
    43: "ryuu iisou; ryuuiisoo; 绿一色",
    44: "chin routou; 清老头",
    45: "chuuren; chuuren poutou; chuurenpootoo; 九蓮宝灯; 九莲宝灯",
    46: "junsei chuuren; daburu chuuren poutou; pure nine gates; 純正九蓮宝灯; 纯正九莲宝灯",
    47: "kokushi; 国士; 國士無雙; 国士无双",
    48: "kokushi juusanmen; kokushi musou 13 men; kokushi musou juusan men machi;"
    " kokushi musou juusanmen machi; daburu kokushi musou; thirteen orphans 13 wait; thirteen orphans 13 sided wait;"
    " 国士無双13面; 国士無双十三面待ち; 国士無双13面待ち; 国士无双十三面",
    49: "dai suushii; big four winds; four big winds; 大四喜",
    50: "shou suushii; small four winds; little four winds; 小四喜",
    51: "suu kantsu; four kans; four kongs; 四杠子",
    # Norths set aside are claimed as dora (Tenhou) or by a name of their own; the sum of all dora is compared.
    52: "dora; ドラ; 宝牌; kita; nuki dora; nukidora; kita dora; pei dora; north dora; 抜きドラ; 北抜きドラ;"
    " 北ドラ; 拔北; 拔北宝牌",
    53: "uradora; ura; hidden dora; 裏; 裏ドラ; 里ドラ; 里宝牌",
    54: "aka dora; aka; red dora; red fives; red five; akadora; 赤; 赤ドラ; 赤五; 赤宝牌",
    1000: "yakuhai; fanpai; value tiles; honor tiles; honour tiles; 役牌; 翻牌; 飜牌",
    1001: "seat wind; own wind; jikaze; yakuhai wind of place; yakuhai seat wind; 自風; 自風牌; 門風; 門風牌",
    1002: "round wind; prevalent wind; prevailing wind; bakaze; yakuhai wind of round; yakuhai round wind;"
    " 場風; 場風牌",
    1010: "yakuhai east; yakuhai ton; 役牌東",
    1011: "yakuhai south; yakuhai nan; 役牌南",
    1012: "yakuhai west; yakuhai shaa; 役牌西",
    1013: "yakuhai north; yakuhai pei; 役牌北",
}
"""Other spellings in use, beside the names of the engine; a semicolon between."""

_PARTED = r"[;|、，；｜/／・+&\n\r]+"
_OUTER = " \t[]{}\"'「」『』"
_SHOUT = re.compile(r"[(（]?\s*(?:ダブル|double\s+)?(?:役満|役满|yakuman)\s*[)）]?$")
_HAN = re.compile(
    r"^(?P<name>.*[^\W\d][\s)]*?)(?:\s+x|[\s:=×*(（\"']*)(?<!\d)(?P<han>[0-9]{1,2})\s*(?:han|fan|翻|飜|番)?\s*[)）]?$"
)
MOST_WORDS = 6
_LONG = {"ou": "o", "oo": "o", "uu": "u", "ii": "i", "aa": "a", "ee": "e"}


def fold(text: str) -> str:
    """Return a name in one spelling: without differences of case, width, blanks, marks and length of Latin vowels."""
    plain = unicodedata.normalize("NFKC", text).lower()
    kept = "".join(char for char in unicodedata.normalize("NFKD", plain) if char.isalnum())
    for long, short in _LONG.items():
        kept = kept.replace(long, short)
    return kept


@cache
def names() -> dict[str, int]:
    """Return every spelling, folded, with its yaku or group."""
    found: dict[str, int] = {}
    for number, yaku in BY_ID.items():
        for name in (yaku.name, yaku.kanji, yaku.romaji, yaku.english, yaku.majiang, str(number)):
            if name:
                found.setdefault(fold(name), number)
    for number, spellings in _SPELLINGS.items():
        for name in spellings.split(";"):
            found.setdefault(fold(name), number)
    return found


@dataclass(frozen=True)
class Named:
    """Lists of yaku, read.

    Attributes
    ----------
    entries
        ``row``, ``yaku`` (a number, or one of `GROUPS`), ``han`` (null where it is not said); only of rows that can
        be read whole
    unreadable
        for each row the entries that name no yaku, ``yaku 'foo'``; null for none

    """

    entries: pl.DataFrame
    unreadable: pl.Series


def read_names(texts: pl.Series) -> Named:
    """Read lists of yaku, one for each row; a null has no entries."""
    texts = texts.str.to_lowercase()
    for name in (yaku.english for yaku in BY_ID.values() if "," in yaku.english):
        texts = texts.str.replace_all(name, name.replace(",", ""), literal=True)
    entry = (
        pl.DataFrame({"row": pl.int_range(len(texts), eager=True), "entry": texts})
        .drop_nulls()
        .with_columns(pl.col("entry").str.replace_all(_PARTED, ",").str.split(","))
        .explode("entry")
        .with_columns(pl.col("entry").str.strip_chars(_OUTER))
        .filter(pl.col("entry") != "")
    )
    read = [(text, *_read(text)) for text in entry["entry"].unique().to_list()]
    known = pl.DataFrame(
        read, schema={"entry": pl.String, "yaku": pl.List(pl.Int64), "han": pl.List(pl.Int64)}, orient="row"
    )
    entries = entry.join(known, on="entry", how="left")
    foreign = entries.filter(pl.col("yaku").list.len() == 0)
    unreadable = foreign.group_by("row", maintain_order=True).agg(
        message=pl.format("yaku '{}'", pl.col("entry").str.slice(0, 40)).str.join(", ")
    )
    rows = pl.DataFrame({"row": pl.int_range(len(texts), eager=True)})
    return Named(
        entries.join(unreadable, on="row", how="anti").explode("yaku", "han").select("row", "yaku", "han"),
        rows.join(unreadable, on="row", how="left", maintain_order="left")["message"],
    )


def _read(text: str) -> tuple[list[int], list[int | None]]:
    """Return the yaku of an entry with their han; empty lists where it cannot be read. Called once for each text."""
    bare = _SHOUT.sub("", text).strip() or text
    return _one(bare) or _many(bare.split()) or ([], [])


def _one(text: str) -> tuple[list[int], list[int | None]] | None:
    """Read an entry as one yaku, with its han or without."""
    folded = fold(text)
    if folded.isdecimal():  # a number has no other spellings: -1 and 1.5 are none
        folded = text.removesuffix(".0") if text.isascii() else ""
    number = names().get(folded)
    if number is not None:
        return [number], [None]
    with_han = _HAN.match(text)
    number = names().get(fold(with_han["name"])) if with_han else None
    return ([number], [int(with_han["han"])]) if with_han and number is not None else None


def _many(words: list[str]) -> tuple[list[int], list[int | None]] | None:
    """Read words as several yaku, the longest names first; None unless all words can be read."""
    numbers = all(word.isdecimal() for word in words)
    found: list[int] = []
    han: list[int | None] = []
    while words:
        most = 1 if numbers else MOST_WORDS
        for size in range(min(most, len(words)), 0, -1):
            read = _one(" ".join(words[:size]))
            if read and (numbers or not words[0].isdecimal()):
                break
        else:
            return None
        found += read[0]
        han += read[1]
        words = words[size:]
    return (found, han) if found else None
