"""The data of a run: its identity without loading it, and the last one loaded kept."""

import inspect
import lzma
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from mcbench.errors import UserError, suggest
from mcbench.identity import canonical_json
from mcbench.locate import locate

if TYPE_CHECKING:
    from mcbench.data import Data

_last: dict[str, "Data"] = {}
_hashes: dict[str, str] = {}

#: What any data set may be asked for; the rest are arguments of the function that gives it.
SETTINGS = ("name", "split", "train_size", "validation", "draw", "scaling", "fold")

#: What reading a user's file may raise: missing, unreadable, damaged, or not what was said.
UNREADABLE = (
    OSError,
    ValueError,
    TypeError,
    KeyError,
    EOFError,
    OverflowError,
    zipfile.BadZipFile,
    lzma.LZMAError,
    zlib.error,
)


def load_data(config: Mapping[str, Any]) -> "Data | None":
    """Return the data that a configuration names, None when it names none.

    The last data loaded are kept, since the runs of a sweep often share them, and cannot be
    written to: a solver that changes its examples would change those of the runs after it.
    """
    from mcbench.data import load

    dataset = config.get("dataset") or {}
    if dataset.get("name") is None:
        return None
    key = canonical_json([dataset, config["seed"]])
    if key not in _last:
        _last.clear()
        expected = UNREADABLE if dataset["name"] == "file" else (ValueError, TypeError)
        asked = dict(dataset)
        if "_target_" in dataset:
            function, arguments, asked = _called(dataset)
            asked["arrays"] = _arrays(function, arguments)
        try:
            _last[key] = _protected(load(**asked, seed=config["seed"]))
        except expected as error:
            raise UserError(
                f"The data cannot be loaded as asked for: {_sentence(error)}"
            ) from error
    return _last[key]


def _protected(data: "Data") -> "Data":
    """Return data whose arrays refuse to be changed in place."""
    parts: tuple[Any, ...] = (data.X_train, data.y_train, data.X_test, data.y_test)
    for part in parts:
        sparse = hasattr(part, "indptr")
        for array in (part.data, part.indices, part.indptr) if sparse else (part,):
            array.flags.writeable = False
    return data


def check_planned(data: "Data | None", content_hash: str | None) -> None:
    """Raise a `UserError` when data are not those whose hash a run was planned with."""
    if data is not None and content_hash is not None and data.content_hash != content_hash:
        raise UserError(
            "The data are not those that the run was planned for: they changed meanwhile. The same "
            "command plans it anew."
        )


def _called(dataset: Mapping[str, Any]) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """Return the function that gives the data, its arguments, and what `load` is told.

    Raises
    ------
    UserError
        When it does not take these arguments.
    SolverUnavailable
        When it needs a package that is not installed.
    """
    function = locate(str(dataset["_target_"]))
    settings = {key: value for key, value in dataset.items() if key != "_target_"}
    asked = {key: settings.pop(key) for key in SETTINGS if key in settings}
    try:
        inspect.signature(function).bind(**settings)
    except (TypeError, ValueError) as error:
        raise UserError(
            f"{dataset['_target_']} cannot be called with the settings of the data set: {error}."
        ) from error
    return function, settings, asked


def _arrays(function: Any, arguments: Mapping[str, Any]) -> Any:
    """Call the function that gives the data; whatever it raises is one sentence."""
    try:
        arrays = function(**arguments)
    except Exception as error:
        raise UserError(
            f"The data cannot be loaded: {function.__name__} raised {type(error).__name__}: "
            f"{_sentence(error)}"
        ) from error
    if arrays is None:
        raise UserError(f"The data cannot be loaded: {function.__name__} returned None.")
    return arrays


def check_dataset(config: Mapping[str, Any]) -> None:
    """Raise a `UserError` for a request that no data set can fulfil; loads nothing."""
    from mcbench.data import datasets
    from mcbench.data.load import check_request
    from mcbench.data.scaling import SCALINGS

    dataset = config.get("dataset") or {}
    own = "_target_" in dataset
    info = None if own else datasets().get(str(dataset.get("name")))
    if not own and dataset.get("name") not in (None, "file") and info is None:
        raise UserError(_wrong("data set", dataset["name"], [*datasets(), "file"]))
    if dataset.get("name") == "file" and dataset.get("path") in (None, "", "???"):
        raise UserError("dataset.path is not set: give the file, dataset.path=FILE.csv.")
    if dataset.get("scaling", "none") not in SCALINGS:
        raise UserError(_wrong("scaling", dataset["scaling"], SCALINGS))
    split = dataset.get("split")
    if info is not None and split is not None and split not in info.split_names:
        raise UserError(_wrong(f"split of {info.name}", split, info.split_names))
    seed = config.get("seed")
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**32:
        raise UserError(f"seed is {seed!r}: give a whole number, 0 or more and below 2^32.")
    if dataset.get("name") is None:
        if not config.get("measure"):
            raise UserError("A run without data needs something to measure: set measure={...}.")
        return
    asked = _called(dataset)[2] if own else dataset
    try:
        check_request(**{**asked, "name": "file"} if own else asked, seed=seed)
    except (ValueError, TypeError) as error:
        text = _sentence(error).replace("check_request()", "load()")
        raise UserError(f"The data cannot be loaded as asked for: {text}") from error


def _wrong(what: str, name: Any, allowed: Iterable[str]) -> str:
    return f"There is no {what} '{name}'; {suggest(str(name), allowed)}"


def _sentence(error: BaseException) -> str:
    """Return what an error says, in one line that ends like a sentence."""
    text = str(error)
    if isinstance(error, OSError) and error.strerror:
        text = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    elif isinstance(error, KeyError):
        text = f"there is no {error}"
    text = " ".join(text.split()) or type(error).__name__
    return text if text.endswith((".", "?")) else f"{text}."


def content_hash(config: Mapping[str, Any]) -> str | None:
    """Return the content hash of the data that a configuration names.

    The hash of a registered set is known without loading it; a user's own file is read.
    """
    from mcbench.data import datasets

    dataset = config.get("dataset") or {}
    name = dataset.get("name")
    if name is None:
        return None
    known = getattr(datasets().get(name), "content_hash", None)
    if known and "_target_" not in dataset:
        return str(known)
    key = canonical_json(dataset)
    if key not in _hashes:
        data = load_data(config)
        assert data is not None
        _hashes[key] = data.content_hash
    return _hashes[key]


def describe_data(data: "Data") -> dict[str, Any]:
    """Return what a record says about its data."""
    return {
        "name": data.name,
        "title": data.title,
        "split": data.split,
        "fold": data.fold,
        "folds": data.folds or None,
        "validation": data.validation,
        "scaling": data.scaling,
        "stand_in": data.stand_in,
        "n_train": int(data.X_train.shape[0]),
        "n_test": int(data.X_test.shape[0]),
        "n_features": int(data.n_features),
        "n_classes": int(data.n_classes),
        "density": float(data.density),
        "sparse": hasattr(data.X_train, "indptr"),
        "content_hash": data.content_hash,
        "split_hash": getattr(data, "split_hash", None),
        "licence": data.licence,
        "source": data.source,
    }
