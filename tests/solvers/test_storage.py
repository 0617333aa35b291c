"""Models in files: the same bits again, and nothing but models."""

import importlib.util
import io
import json
import zipfile

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from problems import random_problem
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

import solvers
from mcbench import CrammerSingerSVC, LVQ21Classifier, load_model, save_model
from solvers.storage import FORMAT

PUBLIC = [getattr(solvers, name) for name in solvers.__all__]
ESTIMATORS = [item for item in PUBLIC if isinstance(item, type) and issubclass(item, BaseEstimator)]


def fitted(cls=CrammerSingerSVC, labels="numbers", sparse=False, **parameters):
    if cls.__name__ == "RelevanceVectorClassifier" and not importlib.util.find_spec("fastrvm"):
        pytest.skip('needs fastrvm: pip install "mcbench[rvm]"')
    X, y = random_problem(60, 3, 4, seed=1)
    names = {"numbers": y - 1, "strings": np.array(["one", "ßßß", "three words"])[y]}
    names["objects"] = names["strings"].astype(object)
    if "random_state" in cls().get_params():
        parameters["random_state"] = 3
    Z = sp.csr_array(X) if sparse else X
    return cls(**parameters).fit(Z, names[labels]), Z


def same(a, b):
    """Whether two attributes are the same, type and bits included."""
    if type(a) is not type(b):
        return False
    if sp.issparse(a):
        return a.shape == b.shape and all(
            same(getattr(a, part), getattr(b, part)) for part in ("data", "indices", "indptr")
        )
    if isinstance(a, np.ndarray) and a.dtype != object:
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and bool((a == b).all())
    return a == b or (a != a and b != b)


def check_same(one, other):
    assert type(other) is type(one)
    assert other.get_params() == one.get_params()
    attributes = {key: value for key, value in vars(one).items() if key.endswith("_")}
    assert attributes.keys() == {key for key in vars(other) if key.endswith("_")}
    for key, value in attributes.items():
        assert same(value, getattr(other, key)), key


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
@pytest.mark.parametrize("labels", ["numbers", "strings", "objects"])
@pytest.mark.parametrize("cls", ESTIMATORS)
def test_every_estimator_comes_back_as_it_was(cls, labels, sparse, tmp_path):
    machine, X = fitted(cls, labels, sparse)
    save_model(machine, tmp_path / "model.npz")
    again = load_model(str(tmp_path / "model.npz"))
    check_same(machine, again)
    f, g = machine.decision_function(X), again.decision_function(X)
    assert f.tobytes() == g.tobytes()
    np.testing.assert_array_equal(machine.predict(X), again.predict(X))
    assert [path.name for path in tmp_path.iterdir()] == ["model.npz"]


@pytest.mark.parametrize(
    "parameters",
    [
        {"kernel": "linear", "bias": "penalized"},
        {"kernel": "poly", "degree": np.float32(2), "coef0": np.int64(1), "gamma": 0.1},
        {"C": np.inf, "gamma": 5.0},
        {"C": 1 / 3, "gamma": 1e-300, "gap_tol": None},
    ],
)
def test_parameters_keep_value_and_type(parameters, tmp_path):
    machine, X = fitted(**parameters)
    save_model(machine, tmp_path / "m")
    again = load_model(tmp_path / "m")
    check_same(machine, again)
    for key, value in parameters.items():
        assert type(getattr(again, key)) is type(value)
    assert machine.decision_function(X).tobytes() == again.decision_function(X).tobytes()


def test_names_of_features_are_kept(tmp_path):
    X, y = random_problem(40, 3, 2, seed=0)
    frame = pd.DataFrame(X, columns=["width", "größe"])
    save_model(LVQ21Classifier(random_state=0).fit(frame, y), tmp_path / "m.npz")
    again = load_model(tmp_path / "m.npz")
    assert list(again.feature_names_in_) == ["width", "größe"]
    assert again.n_features_in_ == 2
    again.predict(frame)
    with pytest.raises(ValueError, match="feature names"):
        again.predict(frame.rename(columns={"width": "height"}))


def test_lists_tuples_and_scalars_of_all_kinds(tmp_path):
    machine, _ = fitted()
    machine.mixed_ = [np.arange(3), sp.csr_matrix(np.eye(2)), [], (2.5, None, True, "x")]
    machine.scalars_ = (np.float32(0.1), np.bool_(True), np.str_("s"), float("inf"), 2**80)
    save_model(machine, tmp_path / "m")
    again = load_model(tmp_path / "m")
    assert all(map(same, machine.mixed_, again.mixed_))
    assert isinstance(again.mixed_, list)
    assert all(map(same, machine.scalars_, again.scalars_))


def linear(A, B):
    return A @ B.T


class Own(CrammerSingerSVC):
    pass


def nested():
    machine, _ = fitted()
    machine.inner_ = CrammerSingerSVC()
    return machine


def objects():
    machine, _ = fitted()
    machine.objects_ = np.array([1, "a"], dtype=object)
    return machine


def trailing_zero():
    machine, _ = fitted()
    machine.classes_ = np.array(["a", "b", "c\0"], dtype=object)
    return machine


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: CrammerSingerSVC(), "this CrammerSingerSVC is not fitted"),
        (lambda: fitted(kernel=linear)[0], "kernel=<function linear.*is a function, which cannot"),
        (lambda: fitted(callback=print)[0], "callback=<built-in function print> is a function"),
        (
            lambda: LVQ21Classifier(random_state=np.random.RandomState(0)).fit(
                [[0.0], [1]], [0, 1]
            ),
            "random_state is a random generator, which cannot be saved: give a number",
        ),
        (
            lambda: Own().fit([[0.0], [1]], [0, 1]),
            "Own cannot be saved: it is not one of .*CrammerSingerSVC",
        ),
        (lambda: pd.DataFrame(), "DataFrame cannot be saved"),
        (nested, "inner_ is of the type CrammerSingerSVC, which cannot be saved"),
        (objects, "objects_ is of the type ndarray, which cannot be saved"),
        (trailing_zero, "classes_ is of the type ndarray, which cannot be saved"),
    ],
)
def test_what_cannot_be_saved_is_said_and_nothing_is_written(make, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        save_model(make(), tmp_path / "m.npz")
    assert not list(tmp_path.iterdir())


def test_not_fitted_is_scikit_learns_error(tmp_path):
    with pytest.raises(NotFittedError):
        save_model(LVQ21Classifier(), tmp_path / "m.npz")


def test_a_failed_write_leaves_the_file_that_was_there(tmp_path, monkeypatch):
    path = tmp_path / "m.npz"
    first, _ = fitted()
    save_model(first, path)
    before = path.read_bytes()

    def full(file, **arrays):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(OSError, match="No space"):
        save_model(first, path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.fixture
def model(tmp_path):
    """A saved model: its path, and a function that writes it again with another header."""
    path = tmp_path / "m.npz"
    save_model(fitted(sparse=True)[0], path)
    with np.load(path) as found:
        arrays = dict(found)

    def change(**changes):
        header = json.loads(arrays["model"].tobytes())
        for key, value in changes.items():
            header[key] = {**header[key], **value} if isinstance(value, dict) else value
        text = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
        np.savez(path, **{**arrays, "model": text})
        return path

    return path, change


def test_a_file_holds_plain_arrays_only(model):
    with np.load(model[0], allow_pickle=False) as found:
        assert all(found[key].dtype != object for key in found.files)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": FORMAT + 1}, "format 2 of a newer version of mcbench; this one reads 1"),
        ({"class": "Popen"}, "holds a 'Popen', which is not one of .*CrammerSingerSVC"),
        ({"class": "Progress"}, "holds a 'Progress', which is not one of"),
        ({"what": "picture"}, "it is a picture"),
        ({"format": "1"}, "format is no int"),
        ({"parameters": {"no_such": 1}}, "no_such"),
        ({"attributes": {"predict": None}}, "'predict' is no attribute of a fitted estimator"),
        ({"attributes": {"__class_": None}}, "'__class_' is no attribute"),
        ({"attributes": {"x_": {"array": "99"}}}, "damaged"),
        ({"attributes": {"x_": {"call": []}}}, "damaged"),
        ({"attributes": {"x_": {}}}, "damaged"),
        (
            {"attributes": {"support_vectors_": {"csr_array": ["0", "1", "2"], "shape": [1, 1]}}},
            "damaged",
        ),
    ],
)
def test_a_header_that_is_not_ours_is_refused(changes, message, model):
    path = model[1](**changes)
    with pytest.raises(ValueError, match=message) as caught:
        load_model(path)
    assert str(path) in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def npy(value):
    file = io.BytesIO()
    np.save(file, value, allow_pickle=True)
    return file.getvalue()


def archive(**members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as zipped:
        for name, content in members.items():
            zipped.writestr(f"{name}.npy", content)
    return file.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"hello",
        b"PK\x03\x04 no",
        b"\x80\x04N.",  # a pickle
        npy(np.eye(2)),
        archive(data=npy(np.eye(2))),
        archive(model=npy(np.eye(2))),
        archive(model=npy(np.array([{"what": "a pickle"}], dtype=object))),
        archive(model=npy(np.frombuffer(b"[1]", dtype=np.uint8))),
    ],
)
def test_a_file_that_is_no_model_is_refused(content, tmp_path):
    (tmp_path / "x.npz").write_bytes(content)
    with pytest.raises(ValueError, match="is no model that save_model wrote, or it is damaged"):
        load_model(tmp_path / "x.npz")


def test_a_damaged_file_is_refused_or_gives_the_same_model(model):
    path, _ = model
    whole, one = path.read_bytes(), load_model(path)
    for size in range(0, len(whole), 97):
        path.write_bytes(whole[:size])
        with pytest.raises(ValueError, match="damaged"):
            load_model(path)
    refused = intact = 0
    places = range(0, len(whole), 53)
    for place in places:
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        try:
            again = load_model(path)
        except ValueError as error:
            refused += "damaged" in str(error)
        else:
            intact += 1
            check_same(one, again)  # dates and the like do not count
    assert refused + intact == len(places)
    assert refused > 0.8 * len(places)


def test_a_file_that_is_not_there_is_an_error_of_the_system(tmp_path):
    with pytest.raises(FileNotFoundError):
        load_model(tmp_path / "nothing.npz")
