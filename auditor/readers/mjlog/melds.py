"""Tenhou's 16-bit meld code → kind, feeder and tiles (auditor/readers/mjlog/FORMAT.md section 5), for arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from auditor.log.event_kinds import CODE
from auditor.log.tile_ids import NONE, PHYSICAL

if TYPE_CHECKING:
    import numpy.typing as npt

CHI, PON, DAIMINKAN, ANKAN, KAKAN, KITA = (CODE[kind] for kind in ("chi", "pon", "daiminkan", "ankan", "kakan", "kita"))
_OTHERS_OF = np.array([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]])
"""By copy: the other three copies of the kind."""
_CALLED_FIRST = np.array([[0, 1, 2], [1, 2, 0], [2, 0, 1]])
"""By the place of the called tile among three: the three places, with that one at the front."""

_KINDS = PHYSICAL // 4


@dataclass(frozen=True)
class Melds:
    """Decoded meld codes.

    ``kind`` uint8[n] is the place in :data:`~auditor.log.tables.KINDS`. ``feeder`` int8[n] says who discarded the
    called tile, counted from the caller: 1 right, 2 across, 3 left, 0 nobody. ``tile_ids`` int16[n, 4] has the called
    or added tile first, and NONE where the meld has fewer than four. A kakan's other tiles are those of its pon.
    """

    kind: npt.NDArray[np.uint8]
    feeder: npt.NDArray[np.int8]
    tile_ids: npt.NDArray[np.int16]


def decode(code: npt.NDArray[np.int64]) -> Melds:
    """Decode meld codes int64[n]; :func:`exist` must be true for each."""
    kind = _KIND[code & 0x3F]
    tile_ids = np.full((len(code), 4), NONE, dtype=np.int16)
    for member, build in _BUILD.items():
        rows = np.flatnonzero(kind == member)
        if len(rows):
            built = build(code[rows])
            tile_ids[rows, : built.shape[1]] = built
    return Melds(kind, (code & 3).astype(np.int8), tile_ids)


def exist(code: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Return bool[n]: which numbers int64[n] in 0..65535 are meld codes.

    A meld code names existing tiles, and its spare bits are 0. A chi of honours has such a code (C103 reports it), and
    so has a kita of another tile than North (N101).
    """
    chi, pon, kakan, kita = (code & bit != 0 for bit in (4, 8, 16, 32))
    return np.select(
        [chi, pon, kakan, kita],
        [
            code & 0x200 == 0,
            (code & 0x190 == 0) & (code >> 9 < _KINDS * 3),
            (code & 0x180 == 0) & (code >> 9 < _KINDS * 3),
            (code & 0xC3 == 0) & (code >> 8 < PHYSICAL),
        ],
        (code & 0xC0 == 0) & (code >> 8 < PHYSICAL),
    )


def _chi(code: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    shape = code >> 10
    base, place = shape // 3, _CALLED_FIRST[shape % 3]
    lowest = base // 7 * 9 + base % 7
    return (lowest[:, None] + place) * 4 + (code[:, None] >> 3 + 2 * place & 3)  # type: ignore[no-any-return]


def _pon(code: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    shape = code >> 9
    copies: npt.NDArray[np.int64] = _OTHERS_OF[(code >> 5 & 3)[:, None], _CALLED_FIRST[shape % 3]]
    return (shape // 3 * 4)[:, None] + copies


def _kakan(code: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    added = (code >> 9) // 3 * 4 + (code >> 5 & 3)
    return np.concatenate([added[:, None], _pon(code)], axis=1)


def _kita(code: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return (code >> 8)[:, None]


def _kan(code: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    tile = code >> 8
    return np.concatenate([tile[:, None], (tile // 4 * 4)[:, None] + _OTHERS_OF[tile % 4]], axis=1)


_KIND: npt.NDArray[np.uint8] = np.array(
    [
        next((kind for bit, kind in ((4, CHI), (8, PON), (16, KAKAN), (32, KITA), (3, DAIMINKAN)) if low & bit), ANKAN)
        for low in range(64)
    ],
    dtype=np.uint8,
)
"""The kind of a meld, by the lowest six bits of its code."""
_BUILD = {CHI: _chi, PON: _pon, KAKAN: _kakan, KITA: _kita, ANKAN: _kan, DAIMINKAN: _kan}
"""By kind: the function that returns a meld's tiles, int[n, 1 to 4], from codes int[n]."""
