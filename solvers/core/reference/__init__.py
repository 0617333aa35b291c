"""The pattern family in plain NumPy: the same algorithm, to be read and to be compared with.

Nothing is clever here: kernel rows are computed when they are needed, the scores of all examples
are brought up to date after every step, and every scan looks at everything. The compiled loops
choose the same examples and take the same steps, up to rounding.
"""

from .loops import ArgmaxLoop, CyclicLoop, ReferenceLoop, ThresholdLoop
from .reduced_problem import solve_reduced

__all__ = ["ArgmaxLoop", "CyclicLoop", "ReferenceLoop", "ThresholdLoop", "solve_reduced"]
