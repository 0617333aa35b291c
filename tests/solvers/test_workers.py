"""Threads share out ranges and leave the libraries' limits as they found them."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from problems import random_problem
from threadpoolctl import threadpool_info, threadpool_limits

from mcbench import CrammerSingerSVC
from solvers.workers import Workers, workers


def blas_threads():
    return [
        library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"
    ]


@pytest.mark.parametrize("n_threads", [1, 2, 5])
@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 100])
def test_every_number_is_covered_once(n, n_threads):
    team = Workers(n_threads)
    times = np.zeros(n, dtype=int)

    def work(low, high):
        assert 0 < high - low <= 8
        time.sleep(1e-4)
        times[low:high] += 1

    team.split(work, n, grain=8)
    np.testing.assert_array_equal(times, 1)
    if team.pool is not None:
        team.pool.shutdown()


@pytest.mark.parametrize("n_threads", [1, 3])
def test_an_error_in_a_range_is_told_and_ends_the_others(n_threads):
    team = Workers(n_threads)
    seen = []

    def work(low, high):
        seen.append(low)
        time.sleep(1e-3)
        raise KeyError(low)

    with pytest.raises(KeyError):
        team.split(work, 1000, grain=1)
    assert len(seen) < 1000
    if team.pool is not None:
        team.pool.shutdown()


@pytest.mark.parametrize("limit", [1, 2])
def test_blas_keeps_to_one_thread_meanwhile_and_gets_its_own_back(limit):
    with threadpool_limits(limit, user_api="blas"):
        before = blas_threads()
        with workers() as team:
            assert team.n_threads <= limit
            assert set(blas_threads()) == {1}
            with workers() as inner:
                assert inner.n_threads == team.n_threads
            assert set(blas_threads()) == {1}
        assert blas_threads() == before
        with pytest.raises(ZeroDivisionError), workers():
            raise ZeroDivisionError
        assert blas_threads() == before


@pytest.mark.parametrize("n", [300, 5000])
def test_the_number_of_threads_changes_no_bit(n):
    X, y = random_problem(n, 4, 6, seed=0)
    fits = []
    for limit in (1, 2, 2):
        with threadpool_limits(limit, user_api="blas"):
            fits.append(CrammerSingerSVC(1.0, gamma=0.3, tol=0.05).fit(X, y))
    for other in fits[1:]:
        np.testing.assert_array_equal(other.support_, fits[0].support_)
        np.testing.assert_array_equal(other.dual_coef_, fits[0].dual_coef_)
        assert other.n_iter_ == fits[0].n_iter_


def test_fits_at_once_do_not_disturb_each_other():
    X, y = random_problem(2500, 4, 6, seed=0)
    at_once = threading.Barrier(2)

    def fit(C):
        def look(progress):
            if progress.iteration == 0:
                at_once.wait(timeout=60)

        return CrammerSingerSVC(C, gamma=0.3, tol=0.05, callback=look).fit(X, y)

    with threadpool_limits(2, user_api="blas"):
        before = blas_threads()
        with ThreadPoolExecutor(2) as pool:
            found = list(pool.map(fit, [0.5, 2.0]))
        assert blas_threads() == before
        for machine in found:
            alone = CrammerSingerSVC(machine.C, gamma=0.3, tol=0.05).fit(X, y)
            np.testing.assert_array_equal(machine.dual_coef_, alone.dual_coef_)
