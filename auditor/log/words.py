"""Texts for findings: yaku by name, scores by seat, rounds as players call them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import entries, filled, gathered, is_known, lists, where_known
from auditor.log.columns import OFFERS
from auditor.log.tables import KINDS, SEATS
from auditor.log.tile_ids import ORDER, PHYSICAL, TILE_IDS, TILE_NAMES, name, names
from engine.scoring.limits import LIMIT_NAMES
from engine.yaku.all_yaku import BY_ID

if TYPE_CHECKING:
    import numpy.typing as npt

_YAKU = [BY_ID[number].romaji if number in BY_ID else "unknown yaku" for number in range(256)]
_TILE_AT = {int(ORDER[tile_id]): text for tile_id, text in TILE_NAMES.items()}
_TILES = pl.Series([_TILE_AT.get(place) for place in range(max(_TILE_AT) + 1)])
"""The name of a tile by its place in the order of a hand; a red five has an even place, any other tile an odd one."""
Tile = pl.Enum([_TILE_AT[place] for place in sorted(_TILE_AT)])
"""The names of all tiles, in the order of a hand."""
_CODES: npt.NDArray[np.uint8] = np.full((2, TILE_IDS + 1), 255, dtype=np.uint8)
"""The place in `Tile` of each tile id, in a set without red fives and in one with them; 255 for NONE."""
_CODES[0, :TILE_IDS], _CODES[1, :TILE_IDS] = (
    np.searchsorted(sorted(_TILE_AT), places) for places in (ORDER | 1, ORDER)
)


def _texts_of_masks(kinds: range) -> pl.Series:
    """Return for each mask of a suit's kinds, bit 0 the first, their names as a text; null for the empty mask."""
    texts = [""]
    for kind in kinds:  # the masks with this kind as their highest follow those of the kinds before, in the same order
        texts += [f"{text} {TILE_NAMES[PHYSICAL + kind]}" for text in texts]
    return pl.Series([text[1:] or None for text in texts])


_KINDS_OF_SUIT = [_texts_of_masks(kinds) for kinds in (range(9), range(9, 18), range(18, 27), range(27, 34))]
"""For each suit, the text of each mask of its kinds; null for the empty mask."""
WINDS = ("East", "South", "West", "North")
WIND_LETTERS = "".join(wind[0] for wind in WINDS)


def joined(texts: pl.Series, counts: npt.NDArray[np.integer], separator: str) -> pl.Series:
    """Return n texts: the i-th joins the next ``counts[i]`` of ``texts``."""
    return lists(texts.to_arrow(), counts).list.join(separator)


@cache
def format_yaku(column: str) -> pl.Expr:
    """Return a list column of (yaku, han) as text, as :func:`yaku_texts` does."""
    return pl.col(column).map_batches(yaku_texts, return_dtype=pl.String)


@cache
def yaku_names(column: str) -> pl.Expr:
    """Return lists of (yaku, han) as lists of yaku."""
    return pl.col(column).list.eval(pl.element().struct.field("yaku"))


def yaku_texts(yaku: pl.Series) -> pl.Series:
    """Return lists of (yaku, han) as text: ``riichi 1, pinfu 1``; a yakuman has no number. Null stays null."""
    (row, number), (_, han) = (entries(yaku, field) for field in ("yaku", "han"))
    pairs, pair = np.unique(number.astype(np.int32) << 16 | han.clip(0), return_inverse=True)
    texts = [_YAKU[int(each) >> 16] + (f" {each & 0xFFFF}" if each & 0xFFFF else "") for each in pairs]
    counts = np.bincount(row, minlength=len(yaku))
    return where_known(joined(gathered(pl.Series(texts, dtype=pl.String), pair), counts, ", "), is_known(yaku))


def format_tiles(tile_ids: pl.Series, reds: npt.NDArray[np.bool_]) -> pl.Series:
    """Return lists of tiles as text, sorted by kind, a red five before the other fives: ``1m 0p 5p E``.

    ``reds``, bool[n], is true where the set has red fives; elsewhere their ids are ordinary fives. Null stays null.
    """
    rows, each = entries(tile_ids)
    # All lists are sorted in one go, by a number for each tile: first its list, then its place.
    in_order = np.sort(rows << 8 | ORDER[each] | ~reds[rows], kind="stable") & 0xFF
    texts = joined(gathered(_TILES, in_order), np.bincount(rows, minlength=len(tile_ids)), " ")
    return where_known(texts, is_known(tile_ids))


def format_tile(tile_ids: pl.Series, reds: npt.NDArray[np.bool_]) -> pl.Series:
    """Return single tiles as text: ``0p`` where the set has red fives (``reds``), else ``5p``. Null stays null."""
    return gathered(_TILES, ORDER[filled(tile_ids, 0)] | ~reds, is_known(tile_ids))


def tile_codes(tile_ids: npt.NDArray[np.integer], reds: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """Return single tiles as places in :data:`Tile`, uint8[n], 255 for NONE; ``reds`` as in :func:`format_tiles`."""
    codes: npt.NDArray[np.uint8] = _CODES[1].take(tile_ids) if reds.all() else _CODES[reds.view(np.uint8), tile_ids]
    return codes


def tile_lists(codes: npt.NDArray[np.uint8], lengths: npt.NDArray[np.integer]) -> pl.Series:
    """Return n lists of tiles: ``lengths``, int[n], says how many of the ``codes`` (:func:`tile_codes`) each one gets.

    It takes a tenth of the time of texts. A code of 255 becomes null.
    """
    tiles = pl.element() if codes.max(initial=0) < len(Tile.categories) else pl.element().replace(255, None)
    return lists(codes, lengths).list.eval(tiles.cat.to(Tile))


@cache
def named_tile(column: str) -> pl.Expr:
    """Return single tiles as text, physical ones with their id: ``5m#17``."""
    return pl.col(column).map_elements(name, return_dtype=pl.String)


@cache
def named_tiles(column: str) -> pl.Expr:
    """Return lists of tiles as text, in the order of the list: ``5m#17 0m#16``."""
    return pl.col(column).map_elements(lambda tiles: names(tiles.to_list()), return_dtype=pl.String)


@cache
def named_call() -> pl.Expr:
    """Return calls (columns kind and tile_id) as text: ``pon of 5m#17``."""
    return pl.format("{} of {}", pl.col("kind").cast(pl.String), named_tile("tile_id"))


@cache
def format_melds(column: str) -> pl.Expr:
    """Return lists of melds, as signatures (tables.meld_signature), as text: ``chi 1m#0 2m#4 3m#8, pon …``."""
    return pl.col(column).map_elements(_meld_texts, return_dtype=pl.String)


def _meld_texts(signatures: pl.Series) -> str:
    texts = []
    for signature in signatures.to_list():
        *kind, first, second, third, fourth = signature.to_bytes(8, "big")
        found = [name(tile_id) for tile_id in (first, second, third, fourth) if tile_id < TILE_IDS]
        texts.append(f"{KINDS[int.from_bytes(kind, 'big')]} {' '.join(found)}")
    return ", ".join(texts) or "no melds"


@cache
def format_kinds(column: str) -> pl.Expr:
    """Return masks of kinds as text: ``3p 6p``."""
    mask, names = pl.col(column), []
    for suit, texts in enumerate(_KINDS_OF_SUIT):
        names.append(pl.lit(texts).gather(mask // (1 << 9 * suit) % (1 << 9)))
    return pl.when(mask.is_not_null()).then(pl.concat_str(names, separator=" ", ignore_nulls=True))


OFFER_WORDS = {"kyuushu": "the abort by nine orphans", "kita": "a north to set aside"}
"""Offers that a reader would not understand by their name."""


@cache
def format_offer(there: str, kinds: str, reds: str) -> pl.Expr:
    """Return offers as text: ``chi with 4p``, ``a discard, but not 4s 7s``, ``no ron``. The columns: see OFFER_COLUMNS.

    ``there`` says whether there is one, ``kinds`` and ``reds`` are masks of choices.
    """
    names = pl.Series([OFFER_WORDS.get(name, name) for name in OFFERS])
    named = pl.lit(names).gather(pl.col("kind"))
    red = pl.when(pl.col(reds) != 0).then(pl.format("{} and a red five", format_kinds(reds)))
    plain = pl.when(pl.col(kinds) != 0).then(format_kinds(kinds))
    choices = pl.concat_str([plain, red], separator=" or ", ignore_nulls=True)
    discards = pl.col("kind") == OFFERS.index("discard")
    link = pl.when(discards).then(pl.lit(", but not ")).otherwise(pl.lit(" with "))
    some = pl.when(choices != "").then(pl.concat_str([named, link, choices])).otherwise(named)
    return pl.when(pl.col(there)).then(some).otherwise(pl.format("no {}", named))


_KITA = KINDS.index("kita")
_OPEN = [KINDS.index(kind) for kind in ("chi", "pon", "daiminkan", "kakan")]


def meld_texts(signatures: pl.Series, reds: npt.NDArray[np.bool_]) -> tuple[pl.Series, pl.Series]:
    """Return lists of melds (tables.meld_signature) as text, ``chi 3m 4m 5m, pon E E E``, and which are of open hands.

    Kitas are left out. ``reds`` as in :func:`format_tiles`. Null stays null.
    """
    row, signature = entries(signatures)
    melds = signature >> 32 != _KITA
    row, signature = row[melds], signature[melds]
    kind = signature >> 32
    ids = signature[:, None] >> np.array([24, 16, 8, 0]) & 0xFF
    # The same melds of other copies of tiles have one text, so only few are written.
    places = np.sort(np.where(ids < TILE_IDS, ORDER.take(ids, mode="clip") | ~reds[row, None], 0xFF), axis=1)
    alike, of = np.unique(kind << 32 | places @ (1 << np.array([24, 16, 8, 0])), return_inverse=True)
    names = [
        " ".join([KINDS[meld >> 32], *(_TILE_AT[place] for place in meld.to_bytes(8, "big")[4:] if place != 0xFF)])
        for meld in alike.tolist()
    ]
    count = np.bincount(row, minlength=len(signatures))
    is_open = np.bincount(row, weights=np.isin(kind, _OPEN), minlength=len(signatures)) > 0
    known = is_known(signatures)
    texts = joined(gathered(pl.Series(names, dtype=pl.String), of), count, ", ")
    return where_known(texts, known), where_known(is_open, known)


ABORTS = {
    "kyuushu": "nine orphans",
    "four_winds": "four winds",
    "four_riichi": "four riichi",
    "four_kans": "four kans",
    "triple_ron": "three calls of ron",
}
"""The causes of abortive draws, as players call them."""


@cache
def format_reason(column: str) -> pl.Expr:
    """Return the cause of an abort as players call it."""
    return pl.col(column).cast(pl.String).replace(ABORTS)


@cache
def format_seats(column: str, unnamed: str | None = None) -> pl.Expr:
    """Return masks of seats as text: ``seat 0 2``.

    The empty mask is ``nobody``, or ``some seat`` where the column ``unnamed`` is true.
    """
    named = {mask: " ".join(str(seat) for seat in range(SEATS) if mask >> seat & 1) for mask in range(1, 1 << SEATS)}
    listed = pl.format("seat {}", pl.col(column).replace_strict(named, default="", return_dtype=pl.String))
    nobody = pl.when(unnamed).then(pl.lit("some seat")).otherwise(pl.lit("nobody")) if unnamed else pl.lit("nobody")
    return pl.when(pl.col(column) > 0).then(listed).otherwise(nobody)


@cache
def format_points(column: str) -> pl.Expr:
    """Return points by seat as text: ``-2000 5000 -2000 -1000``, three if three play. Null stays null."""
    points = [pl.col(column).arr.get(seat).cast(pl.String) for seat in range(SEATS)]
    return pl.when(pl.col(column).is_not_null()).then(pl.concat_str(points, separator=" ", ignore_nulls=True))


@cache
def format_round() -> pl.Expr:
    """Return the name of a round (columns wind, dealer, honba) as players call it: ``East 1.0``, honba last."""
    wind = pl.col("wind").replace_strict(dict(enumerate(WINDS)), default="?", return_dtype=pl.String)
    return pl.format("{} {}.{}", wind, pl.col("dealer") + 1, "honba")


@cache
def format_limit(column: str) -> pl.Expr:
    """Return limits (0 none, 1 mangan to 5 yakuman) by name."""
    named = {number: name or "no limit" for number, name in enumerate(LIMIT_NAMES)}
    return pl.col(column).replace_strict(named, default="limit not told", return_dtype=pl.String)


@cache
def format_place(wind: str, dealer: str) -> pl.Expr:
    """Return a round's wind and number, from columns of wind and dealer: ``South 2``."""
    return pl.format("{} {}", pl.col(wind).replace_strict(dict(enumerate(WINDS)), default="?"), pl.col(dealer) + 1)


@cache
def format_previous() -> pl.Expr:
    """Return the event before (columns previous, previous_seat) as text: ``discard of seat 2``, or ``the deal``."""
    seat = pl.format(" of seat {}", "previous_seat").fill_null("")
    return pl.coalesce(pl.format("{}{}", "previous", seat), pl.lit("the deal"))


@cache
def format_actor(without_seat: str) -> pl.Expr:
    """Return events (columns kind and seat) as text: ``discard of seat 2``; an event of no seat is ``without_seat``."""
    return pl.format("{} of seat {}", pl.col("kind").cast(pl.String), "seat").fill_null(without_seat)


def format_source() -> pl.Expr:
    """Return the place of a game (columns source and within) as text: ``games.json#3``."""
    return pl.concat_str("source", pl.format("#{}", "within").fill_null(""))


def format_source_of(source: object, within: object) -> str:
    """Return the place of one game as text; ``within`` is None if its source has no other game."""
    return f"{source}" if within is None else f"{source}#{within}"
