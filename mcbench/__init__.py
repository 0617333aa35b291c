"""mcbench: reproduce, compare and beat the classic multiclass SVM papers.

>>> from mcbench import CrammerSingerSVC, load
>>> data = load("iris", scaling="range")
>>> model = CrammerSingerSVC(C=1.0, kernel="rbf").fit(data.X_train, data.y_train)
"""

import importlib
from typing import TYPE_CHECKING, Any

from mcbench._version import __version__

if TYPE_CHECKING:
    from mcbench.data import load
    from mcbench.tidy import load_results, load_traces
    from solvers import (
        DAGSVC,
        CrammerSingerSVC,
        InseparableError,
        LinearProgramSVC,
        LVQ21Classifier,
        MultiPrototypeSVC,
        OneVsOneSVC,
        OneVsRestSVC,
        RelevanceVectorClassifier,
        WestonWatkinsSVC,
        load_model,
        save_model,
    )

__all__ = [
    "DAGSVC",
    "CrammerSingerSVC",
    "InseparableError",
    "LVQ21Classifier",
    "LinearProgramSVC",
    "MultiPrototypeSVC",
    "OneVsOneSVC",
    "OneVsRestSVC",
    "RelevanceVectorClassifier",
    "WestonWatkinsSVC",
    "__version__",
    "load",
    "load_model",
    "load_results",
    "load_traces",
    "save_model",
]

# What is imported when it is first used, so that `import mcbench` is instant.
_HOMES = {
    "CrammerSingerSVC": "solvers",
    "DAGSVC": "solvers",
    "InseparableError": "solvers",
    "LVQ21Classifier": "solvers",
    "LinearProgramSVC": "solvers",
    "MultiPrototypeSVC": "solvers",
    "OneVsOneSVC": "solvers",
    "OneVsRestSVC": "solvers",
    "RelevanceVectorClassifier": "solvers",
    "WestonWatkinsSVC": "solvers",
    "save_model": "solvers",
    "load_model": "solvers",
    "load": "mcbench.data",
    "load_results": "mcbench.tidy",
    "load_traces": "mcbench.tidy",
}


def __getattr__(name: str) -> Any:
    """Import what was asked for."""
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'mcbench' has no attribute '{name}'")


def __dir__() -> list[str]:
    """Names that there are, imported or not."""
    return sorted({*globals(), *__all__})
