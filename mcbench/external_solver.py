"""A program as a solver: a command that trains and, with it or after it, one that predicts."""

import hashlib
import re
import shutil
import sys
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from mcbench.errors import SolverUnavailable, UserError
from mcbench.external import Ran, run
from mcbench.external_files import FORMATS, read_predictions, write_examples
from mcbench.locate import HASH_LENGTH, local_folders
from solvers.kernels import numeric_gamma

#: Version of the harness's part.
VERSION = "1"

#: Variables that tell libraries how many threads to start.
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")

FILES = ("train", "test", "model", "predictions")
NUMBERS = ("C", "kernel", "gamma", "degree", "coef0", "seed", "threads", "python")
PREDICTING = ("test", "predictions")

#: Where the template's script is.
EXAMPLES = Path(__file__).parent / "peers"

_PLACE = re.compile(r"\{(\w+)\}")


class ExternalSolver(ClassifierMixin, BaseEstimator):
    """A classifier that is a command, run without a shell in a folder of its own.

    In the arguments {train}, {test}, {model} and {predictions} stand for files, {C}, {kernel},
    {gamma}, {degree}, {coef0}, {seed} and {threads} for numbers and words, {python} for this
    interpreter, and the names of `settings` for their values. A file of the user's is named as it
    lies in the working directory or in a folder of MCBENCH_CONF; {examples}/ begins the name of a
    script of mcbench's own.

    Labels in the files are 0 .. k-1, those of a test file all 0. The program writes one label a
    line to {predictions}. Times are those of the whole process, reading and writing included.

    Parameters
    ----------
    command : list of str
        Trains. Without a `predict_command` it also predicts {test} into {predictions}, and runs
        once for each part that is predicted.
    predict_command : list of str, optional
        Predicts {test} into {predictions} with what `command` wrote to {model}.
    format : {"libsvm", "csv"}
        Of the files: LIBSVM's sparse text, or comma-separated values under a line of names, the
        label first.
    settings : mapping, optional
        Further values for the arguments.
    version : str, optional
        Of the program; it belongs to a run's identity. Without it a hash of the user's files that
        the commands name does.
    C, kernel, gamma, degree, coef0
        As for a support vector machine; gamma "scale" and "auto" become numbers.
    random_state : int, optional
        The {seed}.
    time_limit : float, optional
        Seconds after which a command is killed, with all that it has started.

    Attributes
    ----------
    classes_ : ndarray
        The classes, in order.
    process_, predict_process_ : Ran
        What training and the last prediction used.
    """

    def __init__(
        self,
        command: Sequence[str] = (),
        predict_command: Sequence[str] | None = None,
        *,
        format: str = "libsvm",
        settings: Mapping[str, Any] | None = None,
        version: str | None = None,
        C: float = 1.0,
        kernel: str = "rbf",
        gamma: str | float = "scale",
        degree: float = 3,
        coef0: float = 0.0,
        random_state: int | None = None,
        time_limit: float | None = None,
    ) -> None:
        self.command = command
        self.predict_command = predict_command
        self.format = format
        self.settings = settings
        self.version = version
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.random_state = random_state
        self.time_limit = time_limit

    @staticmethod
    def solver_version(solver: Mapping[str, Any]) -> str:
        """Return the version of a program: the one given, else a hash of the user's files."""
        if solver.get("version") is not None:
            return f"{VERSION} {solver['version']}"
        words = [*(solver.get("command") or ()), *(solver.get("predict_command") or ())]
        files = [file for word in words if (file := _file(str(word))) is not None]
        if not files:
            return VERSION
        digest = hashlib.sha256()
        for file in files:
            digest.update(hashlib.sha256(file.read_bytes()).digest())
        return f"{VERSION} source {digest.hexdigest()[:HASH_LENGTH]}"

    def check_parameters(self) -> None:
        """Refuse commands that cannot work, and say which program is not installed."""
        if self.format not in FORMATS:
            raise ValueError(f"format={self.format!r} must be one of {', '.join(FORMATS)}")
        if not isinstance(self.kernel, str):
            raise ValueError("a program takes kernels by their names only")
        known = [*FILES, *NUMBERS, "examples", *(self.settings or {})]
        one = self.predict_command is None
        for name, command, needed in (
            ("command", self.command, ("train", *PREDICTING) if one else ("train",)),
            ("predict_command", self.predict_command, PREDICTING),
        ):
            if command is None:
                continue
            if isinstance(command, str) or not command:
                raise ValueError(
                    f"{name}={command!r} must be a list, [program, argument, ...]: no shell reads "
                    "it"
                )
            places = [place for word in command for place in _PLACE.findall(str(word))]
            for place in {*places} - {*known}:
                if close := get_close_matches(place, known, n=1, cutoff=0.75):
                    raise ValueError(f"{name} has {{{place}}}; did you mean {{{close[0]}}}?")
            if lacking := [place for place in needed if place not in places]:
                raise ValueError(f"{name} must name the file {{{lacking[0]}}}")
            program = str(command[0])
            if program != "{python}" and not (shutil.which(program) or _file(program)):
                if "/" in program:
                    raise ValueError(f"{name} names {program}, which is no file here")
                raise SolverUnavailable(f"The program {program} is not installed.")

    def fit(self, X: Any, y: Any) -> "ExternalSolver":
        """Train.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d)
        y : array of shape (n,)
        """
        self.check_parameters()
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("there must be two classes or more, not 1")
        self.gamma_ = float(numeric_gamma(self.gamma, X))
        self._folder = Path(tempfile.mkdtemp(prefix="mcbench-"))
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        write_examples(self._path("train"), X, codes, self.format)
        if self.predict_command is None:
            self._trained_on = X
            self._on_training, self.process_ = self._predicted(self.command, X)
        else:
            self.process_ = self._run(self.command)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return the classes that the program gives to examples."""
        check_is_fitted(self, "classes_")
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        if self.predict_command is None and _equal(X, self._trained_on):
            self.predict_process_ = self.process_
            return np.asarray(self.classes_[self._on_training])
        codes, self.predict_process_ = self._predicted(self.predict_command or self.command, X)
        return np.asarray(self.classes_[codes])

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of this estimator."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _predicted(self, command: Sequence[str], X: Any) -> tuple[np.ndarray, Ran]:
        """Run a command that predicts."""
        write_examples(self._path("test"), X, np.zeros(X.shape[0], dtype=np.int64), self.format)
        self._path("predictions").unlink(missing_ok=True)
        ran = self._run(command)
        name = Path(str(command[0])).name
        path = self._path("predictions")
        return read_predictions(path, X.shape[0], len(self.classes_), name), ran

    def _run(self, command: Sequence[str]) -> Ran:
        threads = str(_threads())
        values: dict[str, Any] = {name: self._path(name) for name in FILES}
        values |= {"C": self.C, "kernel": self.kernel, "gamma": repr(self.gamma_)}
        values |= {"degree": self.degree, "coef0": self.coef0, "seed": self.random_state or 0}
        values |= {"threads": threads, "python": sys.executable, **(self.settings or {})}

        def word(text: str) -> str:
            file = _file(text)
            if file is not None:
                return str(file)
            return _PLACE.sub(lambda found: str(values.get(found[1], found[0])), text)

        folder = self._folder
        environment = dict.fromkeys(THREADS, threads)
        try:
            return run([word(str(item)) for item in command], folder, environment, self.time_limit)
        except RuntimeError as error:
            raise UserError(f"{error}.".replace("..", ".")) from error

    def _path(self, name: str) -> Path:
        return self._folder / name


def _file(word: str) -> Path | None:
    """Return the file that a word of a command names, the user's or an example of mcbench's."""
    start, slash, rest = word.partition("/")
    if start == "{examples}" and slash:
        return EXAMPLES / rest
    places = (folder / word for folder in local_folders())  # a whole path stays what it is
    return next((place for place in places if place.is_file()), None)


def _equal(A: Any, B: Any) -> bool:
    """Return whether two matrices have the same values."""
    if A.shape != B.shape or hasattr(A, "nnz") != hasattr(B, "nnz"):
        return False
    return bool((A != B).nnz == 0 if hasattr(A, "nnz") else np.array_equal(A, B))


def _threads() -> int:
    """Return how many threads libraries may use here, which a program is told too."""
    from threadpoolctl import threadpool_info

    return max((pool["num_threads"] for pool in threadpool_info()), default=1)
