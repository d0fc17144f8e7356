"""Batches put together from single hands."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from engine.hands import Hands


def concatenated(hands):
    """Join batches of hands into one."""
    return Hands(*(np.concatenate([getattr(hand, field.name) for hand in hands]) for field in fields(Hands)))
