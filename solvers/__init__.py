"""Multiclass support vector machines, each as the paper states it, with a certificate.

Estimators in scikit-learn's manner; the compiled loops are in ``solvers.core``. This package
knows nothing of experiments, configuration or files of results.
"""

from .crammer_singer import CrammerSingerSVC
from .dag import DAGSVC
from .hard_margin import InseparableError
from .linear_program import LinearProgramSVC
from .lvq import LVQ21Classifier
from .multi_prototype import MultiPrototypeSVC
from .one_vs_one import OneVsOneSVC
from .one_vs_rest import OneVsRestSVC
from .progress import Progress
from .relevance_vector import RelevanceVectorClassifier
from .storage import load_model, save_model
from .weston_watkins import WestonWatkinsSVC

__all__ = [
    "DAGSVC",
    "CrammerSingerSVC",
    "InseparableError",
    "LVQ21Classifier",
    "LinearProgramSVC",
    "MultiPrototypeSVC",
    "OneVsOneSVC",
    "OneVsRestSVC",
    "Progress",
    "RelevanceVectorClassifier",
    "WestonWatkinsSVC",
    "load_model",
    "save_model",
]
