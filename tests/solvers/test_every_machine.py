"""What holds for every machine alike."""

import pytest
from checks import MACHINES
from problems import random_problem
from sklearn.exceptions import NotFittedError


@pytest.mark.parametrize("machine", MACHINES, ids=lambda cls: cls.__name__)
def test_an_interrupted_fit_is_no_fit(machine):
    X, y = random_problem(30, 3, 4, seed=0)

    def interrupt(progress):
        raise KeyboardInterrupt

    fitted = machine(callback=interrupt)
    with pytest.raises(KeyboardInterrupt):
        fitted.fit(X, y)
    with pytest.raises(NotFittedError):
        fitted.predict(X)
