"""A player was offered what the rules forbid.

What it reports: moments at which the log states that a seat was offered a discard, chi, pon, kan, riichi, tsumo, ron,
nine orphans or kita that it could not do, or a choice of tiles that is not legal: a ron in furiten or without yaku, a
riichi with too few points, a discard that is kuikae.
Why it is wrong: the platform offers only what is legal. Either the list or the play was altered, or the platform made a
mistake.
Not reported: as O103, which reports what is missing. Whether the seat does it is judged by C, D, K, N, R and W checks.
Source: engine/RULES.md 2.1 to 2.8; auditor/readers/mahjong_soul/FORMAT.md 4.2.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.audit.shown_frames import offered
from auditor.log.words import format_offer
from auditor.replay.offers import OFFER_RULES
from auditor.scoring.offered_wins import YAKU_RULES

CHECK = Record(
    Severity.RULE,
    "seat {seat} is offered {recorded}; the rules allow {expected}",
    subject=offered,
    needs=("excessive",),
    tried_rules=YAKU_RULES,
    subject_rules=OFFER_RULES,
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the offers with something illegal."""
    offers = offered.of(frames)
    return reported(
        offers,
        offers["excessive"],
        recorded=format_offer("offered", "kinds", "reds"),
        expected=format_offer("expected", "expected_kinds", "expected_reds"),
    )
