"""Short names for the types of arrays in signatures; `Ints` is an array of any integer type."""

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
"""Arrays by name, as a file of lookup tables holds them."""
