"""The same job as a plain Python loop: ElementTree, and PyPI ``mahjong`` for shanten and scores.

The loop only parses, counts shanten after every draw, and scores every win from the values of the result. It checks
nothing and writes nothing. ``scripts/bench.py`` measures it beside the auditor.
"""

from __future__ import annotations

import gzip
import time
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld
from mahjong.shanten import Shanten

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_DRAWS, _DISCARDS = "TUVW", "DEFG"


def plain_loop(files: Iterable[Path]) -> float:
    """Return the processor seconds that the loop takes over these files."""
    begun = time.process_time()
    for file in files:
        raw = file.read_bytes()
        game(ET.fromstring(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw))
    return time.process_time() - begun


def game(root: ET.Element) -> tuple[list[int], list[tuple[int | None, int | None]]]:
    """Return shanten after each draw, and (han, fu) of each win."""
    counter, calculator = Shanten(), HandCalculator()
    options = OptionalRules(has_aka_dora=True, has_open_tanyao=True)
    hands: list[list[int]] = [[] for _ in range(4)]
    found, scores = [], []
    for tag in root:
        name, value = tag.tag[:1], tag.tag[1:]
        if value.isdigit() and name in _DRAWS:
            hand = hands[_DRAWS.index(name)]
            hand[int(value) >> 2] += 1
            found.append(counter.calculate_shanten(hand))
        elif value.isdigit() and name in _DISCARDS:
            hands[_DISCARDS.index(name)][int(value) >> 2] -= 1
        elif tag.tag == "INIT":
            hands = [_counts(tag.get(f"hai{seat}", "")) for seat in range(4)]
            dealer = int(tag.get("oya", "0"))
            wind = int(tag.get("seed", "0").split(",")[0]) // 4
        elif tag.tag == "N":
            _call(hands[int(tag.get("who", "0"))], int(tag.get("m", "0")))
        elif tag.tag == "AGARI":
            scores.append(_score(calculator, tag, options, dealer, wind))
    return found, scores


def _counts(tiles: str) -> list[int]:
    counts = [0] * 34
    for tile in tiles.split(","):
        if tile:
            counts[int(tile) >> 2] += 1
    return counts


def _meld(code: int) -> tuple[str, list[int], int | None]:
    """Decode a meld code: kind, ids, and the id called (None for an ankan)."""
    if code & 4:
        shape = code >> 10
        base = shape // 3
        first = base // 7 * 9 + base % 7
        ids = [(first + place) * 4 + (code >> shift & 3) for place, shift in enumerate((3, 5, 7))]
        return Meld.CHI, ids, ids[shape % 3]
    if code & 24:
        shape = code >> 9
        ids = [shape // 3 * 4 + copy for copy in range(4)]
        left = ids[code >> 5 & 3]
        pon = [tile for tile in ids if tile != left]
        return (Meld.PON, pon, pon[shape % 3]) if code & 8 else (Meld.SHOUMINKAN, ids, left)
    ids = [(code >> 8) // 4 * 4 + copy for copy in range(4)]
    return Meld.KAN, ids, code >> 8 if code & 3 else None


def _call(hand: list[int], code: int) -> None:
    kind, ids, called = _meld(code)
    leaving = [called] if kind == Meld.SHOUMINKAN else [tile for tile in ids if tile != called]
    for tile in leaving:
        hand[tile >> 2] -= 1


def _score(
    calculator: HandCalculator, tag: ET.Element, options: OptionalRules, dealer: int, wind: int
) -> tuple[int | None, int | None]:
    yaku = [int(number) for number in (tag.get("yaku") or "").split(",")[::2] if number]
    yakuman = [int(number) for number in (tag.get("yakuman") or "").split(",") if number]
    melds = []
    tiles = [int(tile) for tile in tag.get("hai", "").split(",")]
    for code in (tag.get("m") or "").split(","):
        if code:
            kind, ids, called = _meld(int(code))
            melds.append(Meld(kind, tuple(ids), opened=called is not None))
            tiles += ids
    who = int(tag.get("who", "0"))
    config = HandConfig(
        is_tsumo=who == int(tag.get("fromWho", "0")),
        is_riichi=1 in yaku,
        is_daburu_riichi=21 in yaku,
        is_ippatsu=2 in yaku,
        is_chankan=3 in yaku,
        is_rinshan=4 in yaku,
        is_haitei=5 in yaku,
        is_houtei=6 in yaku,
        is_tenhou=37 in yakuman,
        is_chiihou=38 in yakuman,
        player_wind=27 + (who - dealer) % 4,
        round_wind=27 + wind,
        options=options,
    )
    indicators = [int(tile) for name in ("doraHai", "doraHaiUra") for tile in (tag.get(name) or "").split(",") if tile]
    result = calculator.estimate_hand_value(tiles, int(tag.get("machi", "0")), melds, indicators, config)
    return result.han, result.fu
