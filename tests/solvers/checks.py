"""What tests of several machines share."""

from mcbench import (
    DAGSVC,
    CrammerSingerSVC,
    LinearProgramSVC,
    MultiPrototypeSVC,
    OneVsOneSVC,
    OneVsRestSVC,
    WestonWatkinsSVC,
)

MACHINES = [
    CrammerSingerSVC,
    WestonWatkinsSVC,
    LinearProgramSVC,
    MultiPrototypeSVC,
    OneVsRestSVC,
    OneVsOneSVC,
    DAGSVC,
]

#: The solvers that both all-together machines have for any kernel.
SOLVERS = ("block", "pattern")

REASON = "decision_function has one column per class, for two classes also"

#: Checks of scikit-learn that no estimator here passes, with the reason.
ONE_COLUMN_PER_CLASS = {"check_classifiers_train": REASON, "check_classifiers_classes": REASON}
