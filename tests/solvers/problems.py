"""Small random problems with everything that real data have and should not."""

import numpy as np


def random_problem(n, k, d, seed, *, duplicates=0, contradictions=0, zero_rows=0, integer=False):
    """Examples and labels 0 .. k-1, each class at least once (n >= k)."""
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
    rng.shuffle(y)
    centres = rng.normal(size=(k, d))
    X = centres[y] + rng.normal(size=(n, d))
    if integer:
        X = np.round(3 * X)
    for i in range(duplicates):
        X[n - 1 - i], y[n - 1 - i] = X[i], y[i]
    for i in range(contradictions):
        X[n // 2 + i] = X[i]
    X[rng.permutation(n)[:zero_rows]] = 0.0
    # duplicates may have overwritten the only example of a class
    return X, np.unique(y, return_inverse=True)[1]
