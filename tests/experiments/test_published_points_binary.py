"""The points at which Hsu & Lin's accuracies of the binary schemes (2002) are met to the digit."""

import numpy as np
import pytest

from mcbench import DAGSVC, OneVsOneSVC, OneVsRestSVC, load

slow = pytest.mark.slow

POINTS = [
    # scheme, data set, scaling, log2 C, log2 gamma, accuracy, support vectors
    # 86 examples of dna repeat others, and equal examples may share a coefficient in any way, so
    # its count depends on the solver's path: the paper has 967, another recomputation 952.
    (OneVsOneSVC, "dna", "none", 3, -6, 95.447, 967),
    (DAGSVC, "dna", "none", 3, -6, 95.363, 967),
    (OneVsRestSVC, "dna", "none", 2, -6, 95.784, 1139),
    (OneVsOneSVC, "satimage", "range", 4, 0, 91.300, 1610),
    (DAGSVC, "satimage", "range", 4, 0, 91.250, 1610),
    (OneVsRestSVC, "satimage", "range", 2, 1, 91.700, 2171),
    pytest.param(OneVsOneSVC, "shuttle", "range", 11, 3, 99.924, 270, marks=slow),
    pytest.param(DAGSVC, "shuttle", "range", 11, 3, 99.924, 270, marks=slow),
    pytest.param(OneVsRestSVC, "shuttle", "range", 9, 4, 99.910, 309, marks=slow),
]


@pytest.mark.parametrize(
    ("scheme", "name", "scaling", "log2_C", "log2_gamma", "accuracy", "n_support"), POINTS
)
def test_points(scheme, name, scaling, log2_C, log2_gamma, accuracy, n_support):
    data = load(name, scaling=scaling)
    machine = scheme(2.0**log2_C, gamma=2.0**log2_gamma, tol=1e-3)
    machine.fit(data.X_train, data.y_train)
    assert machine.status_ == "converged"
    assert machine.kkt_violation_ <= 1e-3
    assert 100 * machine.score(data.X_test, data.y_test) == pytest.approx(accuracy, abs=5.1e-4)
    assert len(machine.support_) == pytest.approx(n_support, rel=0.01)


@pytest.mark.parametrize(
    ("name", "scaling", "log2_C", "log2_gamma", "accuracy"),
    [("dna", "none", 3, -6, 95.447), ("satimage", "range", 4, 0, 91.250)],
)
def test_the_list_of_the_paper_is_in_order_of_appearance(
    name,
    scaling,
    log2_C,
    log2_gamma,
    accuracy,
):
    # The paper's software, LIBSVM, lists the classes as it meets them in the training file. For
    # dna one example of the test part depends on that, and only so is the printed value met.
    data = load(name, scaling=scaling)
    classes, first = np.unique(data.y_train, return_index=True)
    place = np.argsort(np.argsort(first))  # of each class in the list

    def renamed(y):
        return place[np.searchsorted(classes, y)]

    machine = DAGSVC(2.0**log2_C, gamma=2.0**log2_gamma)
    machine.fit(data.X_train, renamed(data.y_train))
    found = 100 * machine.score(data.X_test, renamed(data.y_test))
    assert found == pytest.approx(accuracy, abs=5.1e-4)


@pytest.mark.parametrize(
    ("scheme", "log2_C", "log2_gamma", "accuracy"),
    [(OneVsOneSVC, 3, -6, 95.447), (DAGSVC, 3, -6, 95.447), (OneVsRestSVC, 2, -6, 95.784)],
)
def test_without_a_bias_little_changes(scheme, log2_C, log2_gamma, accuracy):
    data = load("dna", scaling="none")
    for bias in ("none", "penalized"):
        machine = scheme(2.0**log2_C, gamma=2.0**log2_gamma, bias=bias, solver="pattern")
        machine.fit(data.X_train, data.y_train)
        assert machine.status_ == "converged"
        assert 100 * machine.score(data.X_test, data.y_test) == pytest.approx(accuracy, abs=0.5)
