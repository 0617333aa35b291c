"""Multiclass support vector machines, each as the paper states it, with a certificate.

Estimators in scikit-learn's manner; the compiled loops are in ``solvers.core``. This package
knows nothing of experiments, configuration or files.
"""

from .crammer_singer import CrammerSingerSVC
from .linear_program import LinearProgramSVC
from .progress import Progress

__all__ = ["CrammerSingerSVC", "LinearProgramSVC", "Progress"]
