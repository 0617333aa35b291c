"""One against all: for each class a binary machine against all others (HL02 section II)."""

from __future__ import annotations

import numpy as np

from ..certificate import LargestScore
from .binary import BinaryMachines


class OneVsRest(LargestScore, BinaryMachines):
    """Machine r has class r on its positive side and all other classes on the negative one."""

    def codes(self, k: int) -> np.ndarray:
        """The code matrix of shape (k, k): 1 on the diagonal, -1 elsewhere."""
        return 2 * np.eye(k, dtype=np.int8) - 1
