"""Kinds of events: their codes in arrays, and groups of kinds that the replay treats alike."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from auditor.log.tables import CALLS, KINDS
from engine.tiles import hands

CODE = {kind: code for code, kind in enumerate(KINDS)}
"""The code of each kind of event in arrays: its place in :data:`~auditor.log.tables.KINDS`."""


def is_kind(codes: npt.NDArray[np.uint8], *kinds: str) -> npt.NDArray[np.bool_]:
    """Return for each code, uint8[n], whether it is the code of one of these kinds: bool[n]."""
    found = np.zeros(len(codes), dtype=bool)
    for kind in kinds:  # a comparison of bytes takes a thirtieth of a lookup
        found |= codes == CODE[kind]
    return found


OPEN_CALLS = ("chi", "pon", "daiminkan")
"""Calls of another seat's discard."""
NEW_MELDS = (*OPEN_CALLS, "ankan")
"""Calls that make a new meld. A kakan adds a tile to a pon, and a kita makes no meld."""
KANS = ("daiminkan", "ankan", "kakan")
REPLACED = (*KANS, "kita")
"""Calls after which the seat draws a replacement tile from the dead wall."""
OFFERED = ("discard", "kakan", "kita")
"""Events whose tile another seat can take for a ron, as far as the rules allow it."""
PLAYS = ("deal", "draw", "discard", *CALLS)
"""Events that change a hand. The others (riichi, deposit, dora, leave, return, result) do not."""

MELD_TYPE = {
    "chi": hands.CHI,
    "pon": hands.PON,
    "daiminkan": hands.DAIMINKAN,
    "ankan": hands.ANKAN,
    "kakan": hands.KAKAN,
}
"""The engine's meld type for each call that makes or extends a meld."""
MELD_TYPE_OF_CODE: npt.NDArray[np.uint8] = np.array([MELD_TYPE.get(kind, 0) for kind in KINDS], dtype=np.uint8)
"""The engine's meld type by event code, uint8[kinds]; 0 for events that make no meld."""
