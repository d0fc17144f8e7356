"""A player was not offered what the rules allow.

What it reports: moments at which the log states what a seat was offered, and a discard, chi, pon, kan, riichi, tsumo,
ron, nine orphans or kita is missing there, or one of its choices, although the seat could do it.
Why it is wrong: the platform offers everything that is legal. Either the list or the play was altered, or the platform
made a mistake that cost the player a choice.
Not reported: logs without such lists; seats that have no list in the whole game (the computer's); rules that are
unknown; calls of a discard that aborts the round; rounds in which a hand cannot be followed, or a tile contradicts the
stated wall. An offer of too much is O104.
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
    needs=("withheld",),
    tried_rules=YAKU_RULES,
    subject_rules=OFFER_RULES,
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the offers that lack something."""
    offers = offered.of(frames)
    return reported(
        offers,
        offers["withheld"],
        recorded=format_offer("offered", "kinds", "reds"),
        expected=format_offer("expected", "expected_kinds", "expected_reds"),
    )
