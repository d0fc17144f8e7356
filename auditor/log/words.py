"""Texts for findings: yaku by name, scores by seat, rounds as players call them."""

from __future__ import annotations

import polars as pl

from auditor.log.tables import KINDS, SEATS
from auditor.log.tile_ids import KIND, ORDER, PHYSICAL, TILE_IDS, TILE_NAMES, name
from engine.scoring.limits import LIMIT_NAMES
from engine.yaku.all_yaku import BY_ID

_NAMES = {number: yaku.romaji for number, yaku in BY_ID.items()}
_PLACE = {tile_id: int(ORDER[tile_id]) for tile_id in TILE_NAMES}
_PLACE_WITHOUT_REDS = {tile_id: int(KIND[tile_id]) * 2 + 1 for tile_id in TILE_NAMES}
_TILE_AT = {place: TILE_NAMES[tile_id] for tile_id, place in _PLACE.items()}


def _texts_of_masks(kinds: range) -> pl.Series:
    """Return for each mask of a suit's kinds, bit 0 the first, their names as a text; null for the empty mask."""
    texts = [""]
    for kind in kinds:  # the masks with this kind as their highest follow those of the kinds before, in the same order
        texts += [f"{text} {TILE_NAMES[PHYSICAL + kind]}" for text in texts]
    return pl.Series([text[1:] or None for text in texts])


_KINDS_OF_SUIT = [_texts_of_masks(kinds) for kinds in (range(9), range(9, 18), range(18, 27), range(27, 34))]
"""For each suit, the text of each mask of its kinds; null for the empty mask."""
_TILES = pl.Series([TILE_NAMES[tile_id] for tile_id in range(TILE_IDS)])
_TILES_WITHOUT_REDS = pl.Series([TILE_NAMES[PHYSICAL + int(KIND[tile_id])] for tile_id in range(TILE_IDS)])
WINDS = ("East", "South", "West", "North")
WIND_LETTERS = "".join(wind[0] for wind in WINDS)


def format_yaku(column: str) -> pl.Expr:
    """Return a list column of (yaku, han) as text: ``riichi 1, pinfu 1``; a yakuman has no number."""
    yaku = pl.element().struct.field("yaku").replace_strict(_NAMES, default="unknown yaku", return_dtype=pl.String)
    han = pl.element().struct.field("han")
    named = pl.when(han > 0).then(pl.format("{} {}", yaku, han)).otherwise(yaku)
    return pl.col(column).list.eval(named).list.join(", ")


def format_tiles(tile_ids: pl.Expr, reds: pl.Expr) -> pl.Expr:
    """Return lists of tiles as text, sorted by kind, a red five before the other fives: ``1m 0p 5p E``.

    ``reds`` is true where the set has red fives; elsewhere the ids of red fives are ordinary fives.
    """

    def named(places: dict[int, int]) -> pl.Expr:
        place = pl.element().replace_strict(places, default=None, return_dtype=pl.UInt8)
        tile = place.sort().replace_strict(_TILE_AT, default="?", return_dtype=pl.String)
        return tile_ids.list.eval(tile).list.join(" ")

    return pl.when(reds).then(named(_PLACE)).otherwise(named(_PLACE_WITHOUT_REDS))


def format_tile(tile_id: str, reds: pl.Expr) -> pl.Expr:
    """Return single tiles as text: ``0p`` where the set has red fives (``reds``), else ``5p``."""
    with_reds, without = (pl.lit(names).gather(pl.col(tile_id)) for names in (_TILES, _TILES_WITHOUT_REDS))
    return pl.when(reds).then(with_reds).otherwise(without)


def format_melds(signatures: pl.Series) -> str:
    """Return melds, given by their signatures (tables.meld_signature), as text: ``chi 1m#0 2m#4 3m#8, pon …``."""
    texts = []
    for signature in signatures.to_list():
        *kind, first, second, third, fourth = signature.to_bytes(8, "big")
        found = [name(tile_id) for tile_id in (first, second, third, fourth) if tile_id < TILE_IDS]
        texts.append(f"{KINDS[int.from_bytes(kind, 'big')]} {' '.join(found)}")
    return ", ".join(texts) or "no melds"


def format_kinds(column: str) -> pl.Expr:
    """Return masks of kinds as text: ``3p 6p``."""
    mask, names = pl.col(column), []
    for suit, texts in enumerate(_KINDS_OF_SUIT):
        names.append(pl.lit(texts).gather(mask // (1 << 9 * suit) % (1 << 9)))
    return pl.when(mask.is_not_null()).then(pl.concat_str(names, separator=" ", ignore_nulls=True))


ABORTS = {
    "kyuushu": "nine orphans",
    "four_winds": "four winds",
    "four_riichi": "four riichi",
    "four_kans": "four kans",
    "triple_ron": "three calls of ron",
}
"""The causes of abortive draws, as players call them."""


def format_reason(column: str) -> pl.Expr:
    """Return the cause of an abort as players call it."""
    return pl.col(column).cast(pl.String).replace(ABORTS)


def format_seats(column: str, unnamed: str | None = None) -> pl.Expr:
    """Return masks of seats as text: ``seat 0 2``.

    The empty mask is ``nobody``, or ``some seat`` where the column ``unnamed`` is true.
    """
    named = {mask: " ".join(str(seat) for seat in range(SEATS) if mask >> seat & 1) for mask in range(1, 1 << SEATS)}
    listed = pl.format("seat {}", pl.col(column).replace_strict(named, default="", return_dtype=pl.String))
    nobody = pl.when(unnamed).then(pl.lit("some seat")).otherwise(pl.lit("nobody")) if unnamed else pl.lit("nobody")
    return pl.when(pl.col(column) > 0).then(listed).otherwise(nobody)


def format_points(column: str) -> pl.Expr:
    """Return points by seat as text: ``-2000 +5000 -2000 -1000``."""
    return pl.concat_str([pl.col(column).arr.get(seat).cast(pl.String) for seat in range(SEATS)], separator=" ")


def format_round() -> pl.Expr:
    """Return the name of a round (columns wind, dealer, honba) as players call it: ``East 1.0``, honba last."""
    wind = pl.col("wind").replace_strict(dict(enumerate(WINDS)), default="?", return_dtype=pl.String)
    return pl.format("{} {}.{}", wind, pl.col("dealer") + 1, "honba")


def format_limit(column: str) -> pl.Expr:
    """Return limits (0 none, 1 mangan to 5 yakuman) by name."""
    named = {number: name or "no limit" for number, name in enumerate(LIMIT_NAMES)}
    return pl.col(column).replace_strict(named, default="limit not told", return_dtype=pl.String)


def format_place(wind: str, dealer: str) -> pl.Expr:
    """Return a round's wind and number, from columns of wind and dealer: ``South 2``."""
    return pl.format("{} {}", pl.col(wind).replace_strict(dict(enumerate(WINDS)), default="?"), pl.col(dealer) + 1)


def format_previous() -> pl.Expr:
    """Return the event before (columns previous, previous_seat) as text: ``discard of seat 2``, or ``the deal``."""
    seat = pl.format(" of seat {}", "previous_seat").fill_null("")
    return pl.coalesce(pl.format("{}{}", "previous", seat), pl.lit("the deal"))


def format_source() -> pl.Expr:
    """Return the place of a game (columns source and within) as text: ``games.json#3``."""
    return pl.concat_str("source", pl.format("#{}", "within").fill_null(""))


def format_source_of(source: object, within: object) -> str:
    """Return the place of one game as text; ``within`` is None if its source has no other game."""
    return f"{source}" if within is None else f"{source}#{within}"
