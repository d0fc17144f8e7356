"""Problems that lie in tags, as frames with row, code, recorded, expected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt


def problems_at(
    rows: npt.NDArray[np.integer[Any]] | Sequence[int],
    recorded: str | Sequence[str] | pl.Series,
    expected: str | Sequence[str],
    code: str = "L003",
) -> list[pl.DataFrame]:
    """Return a problem for each of these tags; no frame if there are none, as in most batches."""
    if not len(rows):
        return []
    row = pl.Series(rows, dtype=pl.UInt32)
    return [pl.DataFrame({"row": row, "code": code, "recorded": recorded, "expected": expected})]
