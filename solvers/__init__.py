"""Multiclass support vector machines, each as the paper states it, with a certificate.

Estimators in scikit-learn's manner; the compiled loops are in ``solvers.core``. This package
knows nothing of experiments and configuration, and of no files but those of fitted models.
"""

from .crammer_singer import CrammerSingerSVC
from .lvq import LVQ21Classifier
from .progress import Progress
from .relevance_vector import RelevanceVectorClassifier
from .storage import load_model, save_model

__all__ = [
    "CrammerSingerSVC",
    "LVQ21Classifier",
    "Progress",
    "RelevanceVectorClassifier",
    "load_model",
    "save_model",
]
