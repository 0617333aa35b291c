"""The parts around the loop of Weston & Watkins' machine: Newton steps, balance, a free bias."""

import clarabel
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import minimize
from problems import random_problem
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel

from mcbench import WestonWatkinsSVC
from solvers.balance import balanced
from solvers.free_set import box_maximum


@given(st.integers(1, 30), st.integers(0, 2**32 - 1), st.sampled_from([0.01, 1.0, 1e3, np.inf]))
@settings(max_examples=60, deadline=None)
def test_the_program_over_the_box_is_solved(m, seed, C):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(m, m + 3))
    Q, G = A @ A.T, 10 * rng.normal(size=m)
    top = min(C, 1.0)
    alpha = top * rng.choice([0.0, 1.0, rng.uniform()], size=m)
    found = box_maximum(Q, G, alpha, C)
    assert np.all((found >= 0.0) & (found <= C))
    bounded = [-sp.eye_array(m)], [np.zeros(m)]
    if np.isfinite(C):
        bounded = [-sp.eye_array(m), sp.eye_array(m)], [np.zeros(m), np.full(m, C)]
    rows, b = sp.vstack(bounded[0], format="csc"), np.concatenate(bounded[1])
    hessian = sp.triu(sp.csc_array(Q), format="csc")
    best = minimize(hessian, -(G + Q @ alpha), rows, b, [clarabel.NonnegativeConeT(len(b))])
    best = np.clip(best, 0.0, C)

    def value(x):
        return (x - alpha) @ (G - 0.5 * Q @ (x - alpha))

    size = abs(value(best)) + np.abs(G) @ np.abs(best - alpha)
    assert value(found) >= value(best) - 1e-9 * size


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_steps_on_a_singular_program_do_not_lower_its_value(seed):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(40, 3))
    Q, G, alpha = A @ A.T, rng.normal(size=40), rng.choice([0.0, 0.5, 1.0], size=40)
    for C in (1.0, np.inf):
        d = box_maximum(Q, G, alpha, C) - alpha
        assert d @ G - 0.5 * d @ Q @ d >= -1e-12 * (np.abs(d) @ np.abs(G))


@given(
    st.integers(0, 2**32 - 1),
    st.integers(2, 9),
    st.sampled_from([0.01, 1.0, 4096.0]),
    st.booleans(),
)
@settings(max_examples=100, deadline=None)
def test_whatever_is_in_the_box_can_be_balanced(seed, k, C, hard):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(k, 40))
    y = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
    alpha = C * rng.choice([0.0, 0.0, 1.0, rng.uniform()], size=(n, k))
    alpha[np.arange(n), y] = 0.0
    a = -alpha
    a[np.arange(n), y] = alpha.sum(axis=1)
    even = balanced(a, y, np.inf if hard else C)
    wrong = np.arange(k) != y[:, None]
    assert np.all(even[wrong] <= 0.0)
    assert hard or np.all(even[wrong] >= -C)
    assert np.abs(even.sum(axis=0)).max() <= 1e-10 * max(np.abs(a).max(), 1e-300)
    np.testing.assert_allclose(even.sum(axis=1), 0.0, atol=1e-12 * C * k)


@pytest.mark.parametrize("C", [0.1, 1.0, 50.0, np.inf])
def test_weak_duality_at_every_checkpoint_of_a_free_bias(C):
    X, y = random_problem(60, 4, 3, seed=3)
    K = rbf_kernel(X, gamma=1.0)
    own = np.eye(4, dtype=bool)[y]
    values = []

    def look(progress):
        a, w = progress.dual_coef, K @ progress.dual_coef
        f = w + progress.intercept
        assert np.abs(a.sum(axis=0)).max() <= 1e-9 * max(np.abs(a).max(), 1e-300)
        G = np.maximum(2 - f[own][:, None] + f, 0.0)[~own]
        dual = 2 * a[own].sum() - 0.5 * np.sum(a * w)
        if np.isfinite(C):
            assert dual <= (0.5 * np.sum(a * w) + C * G.sum()) * (1 + 1e-9)
        values.append(dual)

    machine = WestonWatkinsSVC(C, gamma=1.0, bias="exact", tol=1e-6, callback=look).fit(X, y)
    assert machine.status_ == "converged"
    assert len(values) > 5
    assert values[-1] == pytest.approx(machine.dual_objective_, rel=1e-9)
    assert max(values) <= machine.primal_objective_ * (1 + 1e-9)


@pytest.mark.parametrize("bias", ["none", "penalized", "exact"])
def test_an_ill_conditioned_kernel_is_no_long_way(bias):
    # Seven classes in the plane, far from the origin: the kernel has values of a thousand and
    # six dimensions. One example at a time does not end within a million steps.
    X, y = random_problem(43, 7, 2, seed=1)
    kernel = {"kernel": "poly", "gamma": 0.05, "degree": 2, "coef0": 1.0}
    machine = WestonWatkinsSVC(50.0, **kernel, bias=bias, tol=1e-6, max_iter=50_000)
    machine.fit(X + 30.0, y)
    assert machine.status_ == "converged"
    assert machine.duality_gap_ <= 1e-6
    K = polynomial_kernel(X + 30.0, gamma=0.05, degree=2, coef0=1.0)
    f = K[:, machine.support_] @ machine.dual_coef_ + machine.intercept_
    np.testing.assert_allclose(machine.decision_function(X + 30.0), f, atol=1e-5)


@pytest.mark.parametrize("bias", ["none", "penalized", "exact"])
def test_same_input_same_bits(bias):
    X, y = random_problem(300, 5, 4, seed=0)
    one, other = (WestonWatkinsSVC(1e3, gamma=0.1, bias=bias).fit(X, y) for _ in range(2))
    np.testing.assert_array_equal(one.dual_coef_, other.dual_coef_)
    np.testing.assert_array_equal(one.intercept_, other.intercept_)
