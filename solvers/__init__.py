"""Multiclass support vector machines, each as the paper states it, with a certificate.

Estimators in scikit-learn's manner; the compiled loops are in ``solvers.core``. This package
knows nothing of experiments, configuration or files.
"""

from .crammer_singer import CrammerSingerSVC
from .lvq import LVQ21Classifier
from .progress import Progress
from .relevance_vector import RelevanceVectorClassifier

__all__ = ["CrammerSingerSVC", "LVQ21Classifier", "Progress", "RelevanceVectorClassifier"]
