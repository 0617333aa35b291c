"""LVQ2.1: Kohonen's rules step by step, the first codewords, scikit-learn's manners."""

import numpy as np
import pytest
import scipy.sparse as sp
from checks import ONE_COLUMN_PER_CLASS
from problems import random_problem
from sklearn.datasets import load_digits
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.estimator_checks import parametrize_with_checks
from solvers.core.lvq import LVQ1, LVQ21, OLVQ1

from mcbench import LVQ21Classifier
from mcbench.data import DataUnavailable, load
from solvers.lvq import first_codewords


@parametrize_with_checks(
    [
        LVQ21Classifier(),
        LVQ21Classifier(3, first_phase="lvq1", initialization="proportional"),
    ],
    expected_failed_checks=lambda estimator: ONE_COLUMN_PER_CLASS,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def codebook(seed, q=3, k=4, d=5, n=60):
    X, y = random_problem(n, k, d, seed=seed)
    owners = np.repeat(np.arange(k), q)
    prototypes = np.random.default_rng(seed).normal(size=(k * q, d))
    return X, y, prototypes, owners


def stated_lvq1(x, label, m, owners, alpha):
    """Kohonen 1990: the nearest codeword, towards x or away from it."""
    c = np.linalg.norm(x - m, axis=1).argmin()
    s = 1.0 if owners[c] == label else -1.0
    m[c] = m[c] + s * alpha * (x - m[c])


def stated_olvq1(x, label, m, owners, rates, most):
    """LVQ_PAK: the same with a rate of its own for each codeword."""
    c = np.linalg.norm(x - m, axis=1).argmin()
    s = 1.0 if owners[c] == label else -1.0
    rates[c] = min(rates[c] / (1.0 + s * rates[c]), most)
    m[c] = m[c] + s * rates[c] * (x - m[c])


def stated_lvq21(x, label, m, owners, alpha, window):
    """Kohonen 1990: the two nearest codewords, of the right and of a wrong class, in the window."""
    distance = np.linalg.norm(x - m, axis=1)
    i, j = np.argsort(distance)[:2]
    if (owners[i] == label) == (owners[j] == label):
        return 0
    ratio = distance[i] / distance[j]
    if min(ratio, 1 / ratio) <= (1 - window) / (1 + window):
        return 0
    right, wrong = (i, j) if owners[i] == label else (j, i)
    m[right] = m[right] + alpha * (x - m[right])
    m[wrong] = m[wrong] - alpha * (x - m[wrong])
    return 1


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("rule", ["lvq1", "olvq1", "lvq21"])
def test_every_step_is_that_of_the_rule(rule, seed):
    X, y, prototypes, owners = codebook(seed)
    stated, rate, steps, window = prototypes.copy(), 0.2, 150, 0.25
    rates, stated_rates = np.full(len(owners), rate), np.full(len(owners), rate)
    phase = {
        "lvq1": lambda: LVQ1(prototypes, owners, rate, steps),
        "olvq1": lambda: OLVQ1(prototypes, owners, rate, steps, rates),
        "lvq21": lambda: LVQ21(prototypes, owners, rate, steps, window),
    }[rule]()
    order = np.random.default_rng(seed).integers(0, len(X), steps + 10)
    moves = 0
    for t, i in enumerate(order):
        phase.run(X, y, order[t : t + 1])
        if t < steps:
            alpha = rate * (1 - t / steps)
            if rule == "lvq1":
                stated_lvq1(X[i], y[i], stated, owners, alpha)
            elif rule == "olvq1":
                stated_olvq1(X[i], y[i], stated, owners, stated_rates, rate)
                np.testing.assert_allclose(rates, stated_rates, rtol=1e-12)
            else:
                moves += stated_lvq21(X[i], y[i], stated, owners, alpha, window)
                assert phase.moves == moves
        np.testing.assert_allclose(prototypes, stated, rtol=1e-9, atol=1e-12)
    assert phase.done == steps
    assert rule != "lvq21" or 0 < moves < steps


@pytest.mark.parametrize(
    ("x", "label", "moves"),
    [
        (0.5, 0, True),  # on the border itself
        (0.45, 0, True),
        (0.55, 0, True),  # on the wrong side of it, in the window
        (0.3, 0, False),  # ratio 3/7 < 1/2, which is the bound for w = 1/3
        (0.7, 0, False),
        (0.34, 0, True),  # ratio 34/66 > 1/2
        (0.5, 2, False),  # neither of the two has the class
    ],
)
def test_the_window_decides_who_moves(x, label, moves):
    prototypes = np.array([[0.0], [1.0], [50.0]])
    phase = LVQ21(prototypes, np.array([0, 1, 2]), 0.1, 10, 1 / 3)
    phase.run(np.array([[x]]), np.array([label]), np.array([0]))
    assert phase.moves == moves
    expected = [0.1 * x, 1 - 0.1 * (x - 1), 50] if moves else [0, 1, 50]
    np.testing.assert_allclose(prototypes.ravel(), expected, rtol=1e-12)


def test_a_wider_window_lets_in_more():
    X, y = random_problem(300, 3, 4, seed=0)
    moves = [
        LVQ21Classifier(4, window=w, learning_rate=1e-9, random_state=0).fit(X, y).n_moves_
        for w in (0.01, 0.1, 0.3, 0.9)
    ]
    assert moves == sorted(set(moves))


def test_first_codewords_are_examples_that_their_neighbours_classify():
    X, y = random_problem(200, 4, 2, seed=3)
    shares = np.array([5, 5, 5, 5])
    chosen = first_codewords(X, y, shares, 5, np.random.RandomState(0))
    assert len(set(chosen)) == 20
    np.testing.assert_array_equal(y[chosen], np.repeat(np.arange(4), 5))
    neighbours = NearestNeighbors(n_neighbors=5).fit(X).kneighbors(return_distance=False)
    votes = np.stack([np.bincount(row, minlength=4) for row in y[neighbours]])
    correct = votes[np.arange(200), y] == votes.max(axis=1)
    assert not correct.all()
    assert correct[chosen].all()


def test_a_class_without_examples_classified_correctly_has_codewords_too():
    X = np.concatenate([np.linspace(0, 1, 20), [0.2, 0.5, 0.8]])[:, None]
    y = np.array([0] * 20 + [1] * 3)
    chosen = first_codewords(X, y, np.array([2, 3]), 5, np.random.RandomState(0))
    assert sorted(chosen[2:]) == [20, 21, 22]


def test_even_and_proportional_shares():
    X, y = random_problem(100, 3, 2, seed=0)
    y = np.repeat([0, 1, 2], [70, 27, 3])
    even = LVQ21Classifier(4, random_state=0).fit(X, y)
    np.testing.assert_array_equal(np.bincount(even.prototype_classes_), [4, 4, 3])
    shared = LVQ21Classifier(4, initialization="proportional", random_state=0).fit(X, y)
    np.testing.assert_array_equal(np.bincount(shared.prototype_classes_), [8, 3, 1])


@pytest.mark.parametrize("k", [2, 3, 7])
def test_columns_are_classes_and_argmax_is_predict(k):
    X, y = random_problem(90, k, 4, seed=k)
    names = np.array([f"class {chr(122 - c)}" for c in y])
    machine = LVQ21Classifier(3, random_state=0).fit(X, names)
    f = machine.decision_function(X)
    assert f.shape == (90, k)
    np.testing.assert_array_equal(machine.classes_[f.argmax(axis=1)], machine.predict(X))
    distances = ((X[:, None] - machine.prototypes_) ** 2).sum(axis=2)
    nearest = machine.prototype_classes_[distances.argmin(axis=1)]
    np.testing.assert_array_equal(machine.classes_[nearest], machine.predict(X))
    np.testing.assert_allclose(f.max(axis=1), -distances.min(axis=1), rtol=1e-12)


def test_sparse_input_gives_the_same_codebook():
    X, y = random_problem(80, 3, 4, seed=0, zero_rows=5)
    dense = LVQ21Classifier(2, random_state=1).fit(X, y)
    sparse = LVQ21Classifier(2, random_state=1).fit(sp.csr_array(X), y)
    np.testing.assert_array_equal(dense.prototypes_, sparse.prototypes_)
    np.testing.assert_array_equal(
        dense.decision_function(X), sparse.decision_function(sp.csr_array(X))
    )


def test_the_seed_decides_all():
    X, y = random_problem(80, 3, 4, seed=0)
    one, same, other = (LVQ21Classifier(2, random_state=s).fit(X, y).prototypes_ for s in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, other)


def test_steps_are_counted_and_the_input_is_left_alone():
    X, y = random_problem(50, 3, 4, seed=0)
    before = X.copy()
    machine = LVQ21Classifier(2, n_iter=70, first_n_iter=30, random_state=0).fit(X, y)
    assert (machine.n_iter_, machine.status_) == (6 * 100, "completed")
    assert LVQ21Classifier(2, n_iter=7, first_phase="none").fit(X, y).n_iter_ == 6 * 7
    np.testing.assert_array_equal(X, before)


def errors(X, y, seeds=3):
    return [
        np.mean(
            [1 - LVQ21Classifier(q, random_state=s).fit(X, y).score(X, y) for s in range(seeds)]
        )
        for q in (1, 5, 10)
    ]


def test_more_codewords_lower_the_training_error():
    X, y = load_digits(return_X_y=True)
    found = errors(X, y)
    assert found == sorted(found, reverse=True)
    assert found[0] < 0.15
    assert found[-1] < 0.03


@pytest.mark.slow
def test_more_codewords_lower_the_training_error_of_usps():
    try:
        data = load("usps")
    except DataUnavailable as error:
        pytest.skip(str(error))
    found = errors(data.X_train, data.y_train, seeds=1)
    assert found == sorted(found, reverse=True)
    assert found[-1] < 0.06


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"prototypes_per_class": 0}, "prototypes_per_class=0 is not an integer of at least 1"),
        ({"prototypes_per_class": 1.5}, "prototypes_per_class=1.5 is not an integer"),
        ({"window": 0.0}, "window=0.0 is not a finite number greater than 0"),
        ({"window": 1.0}, "window=1.0 is not less than 1"),
        ({"learning_rate": 2}, "learning_rate=2 is not less than 1"),
        ({"n_iter": 0}, "n_iter=0"),
        ({"first_phase": "lvq3"}, "'olvq1', 'lvq1', 'none'"),
        ({"first_learning_rate": "fast"}, "first_learning_rate='fast'"),
        ({"first_n_iter": -1}, "first_n_iter=-1"),
        ({"initialization": "evn"}, "did you mean 'even'"),
        ({"n_neighbors": True}, "n_neighbors=True"),
        ({"random_state": "x"}, "'x' cannot be used to seed"),
    ],
)
def test_bad_parameters(parameters, message):
    X, y = random_problem(10, 2, 2, seed=0)
    with pytest.raises(ValueError, match=message):
        LVQ21Classifier(**parameters).fit(X, y)


def test_bad_data():
    X, y = random_problem(20, 3, 2, seed=0)
    with pytest.raises(ValueError, match="NaN"):
        LVQ21Classifier().fit(np.where(X > 1, np.nan, X), y)
    with pytest.raises(ValueError, match="one class"):
        LVQ21Classifier().fit(X, np.ones(20))
    with pytest.raises(ValueError, match="scale the data"):
        LVQ21Classifier().fit(X * 1e160, y)
