"""Names for the array types that the engine passes around, one spelling each."""

from typing import Any

import numpy as np
import numpy.typing as npt

Bools = npt.NDArray[np.bool_]
U8 = npt.NDArray[np.uint8]
U16 = npt.NDArray[np.uint16]
I8 = npt.NDArray[np.int8]
I16 = npt.NDArray[np.int16]
I32 = npt.NDArray[np.int32]
I64 = npt.NDArray[np.int64]
Strings = npt.NDArray[np.str_]
Ints = npt.NDArray[np.integer]
Arrays = dict[str, npt.NDArray[Any]]
"""A table on its way to or from a file."""
