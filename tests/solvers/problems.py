"""Small random problems with everything that real data have and should not."""

import numpy as np

#: Sizes of a random problem, kernel and C: what every machine has to solve to the optimum.
PROBLEMS = {
    "two classes": ({"n": 24, "k": 2, "d": 3, "seed": 0}, "rbf", 1.0),
    "duplicates": ({"n": 30, "k": 3, "d": 2, "seed": 1, "duplicates": 6}, "rbf", 10.0),
    "contradictions": ({"n": 30, "k": 4, "d": 2, "seed": 2, "contradictions": 8}, "rbf", 4.0),
    "zero rows": ({"n": 24, "k": 3, "d": 3, "seed": 3, "zero_rows": 6}, "linear", 0.5),
    "one example per class": ({"n": 26, "k": 26, "d": 4, "seed": 4}, "rbf", 1.0),
    "26 classes": ({"n": 52, "k": 26, "d": 5, "seed": 5, "integer": True}, "poly", 0.01),
    "small C": ({"n": 40, "k": 5, "d": 4, "seed": 6}, "rbf", 0.01),
}
GAMMA = {"gamma": 0.5, "degree": 2, "coef0": 1.0}


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
