"""Fitted estimators in a file, without the risk of pickle.

The file is an .npz of plain arrays (numbers and text, no objects), one of which is a JSON text:
the class's name, the constructor's parameters and the fitted attributes. Arrays stand in it by
their names in the file. To read one executes nothing: only classes of this package are made, and
only attributes of a fitted estimator are set.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

FORMAT = 1
HEADER = "model"
WHAT = "mcbench model"
PLAIN = "biufcSUmM"  # kinds of arrays that are no objects

_FITTED = re.compile(r"[A-Za-z]\w*_")


def save_model(estimator: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted estimator to a file: the whole of it or, if that fails, nothing.

    Parameters
    ----------
    estimator : estimator
        One of this package's, fitted.
    path : str or path
        The file; one that is there is replaced. An ending is not added.

    Raises
    ------
    ValueError
        When the estimator is not fitted (`sklearn.exceptions.NotFittedError`), is not one of this
        package's, or holds what cannot be saved: a function, a random generator, an object.

    See Also
    --------
    load_model : Read it again.

    Examples
    --------
    >>> from mcbench import CrammerSingerSVC, load_model, save_model
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> save_model(CrammerSingerSVC().fit(X, y), "iris.npz")  # doctest: +SKIP
    >>> load_model("iris.npz").predict(X[:1])  # doctest: +SKIP
    array([0])
    """
    name = type(estimator).__name__
    if _classes().get(name) is not type(estimator):
        raise ValueError(f"{name} cannot be saved: it is not one of {', '.join(_classes())}")
    if not hasattr(estimator, "classes_"):
        raise NotFittedError(f"this {name} is not fitted: fit it, then save it")
    arrays: dict[str, np.ndarray] = {}
    fitted = {key: value for key, value in vars(estimator).items() if _FITTED.fullmatch(key)}
    header = {
        "what": WHAT,
        "format": FORMAT,
        "class": name,
        "parameters": {
            key: _encode(value, key, arrays)
            for key, value in estimator.get_params(deep=False).items()
        },
        "attributes": {key: _encode(value, key, arrays) for key, value in fitted.items()},
    }
    arrays[HEADER] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    _write(Path(path), arrays)


def load_model(path: str | os.PathLike[str]) -> Any:
    """Read an estimator that `save_model` wrote.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    estimator
        With the same parameters and attributes; it predicts the same to the last bit.

    Raises
    ------
    ValueError
        When the file is no model or is damaged, holds a class that is not one of this package's,
        or was written by a newer version with another format.
    OSError
        When it cannot be read.
    """
    with Path(path).open("rb") as file:
        arrays, header = _read(file, path)
    if header["format"] > FORMAT:
        raise ValueError(
            f"{path} has the format {header['format']} of a newer version of mcbench; this one "
            f"reads {FORMAT}: update mcbench"
        )
    known = _classes()
    if header["class"] not in known:
        raise ValueError(
            f"{path} holds a {header['class']!r}, which is not one of {', '.join(known)}"
        )
    try:
        given = {key: _decode(node, arrays) for key, node in header["parameters"].items()}
        estimator = known[header["class"]](**given)
        for key, node in header["attributes"].items():
            if not _FITTED.fullmatch(key):
                raise ValueError(f"{key!r} is no attribute of a fitted estimator")
            setattr(estimator, key, _decode(node, arrays))
    except Exception as error:  # whatever a damaged header leads to
        raise _damaged(path, error) from error
    return estimator


def _classes() -> dict[str, Any]:
    """The estimators of this package's public list."""
    package = import_module(__package__ or "solvers")
    public = {name: getattr(package, name) for name in package.__all__}
    return {
        name: item
        for name, item in public.items()
        if isinstance(item, type) and issubclass(item, BaseEstimator)
    }


def _encode(value: Any, name: str, arrays: dict[str, np.ndarray]) -> Any:
    """What JSON holds in place of a value; arrays are added to those of the file."""

    def keep(array: np.ndarray) -> str:
        key = str(len(arrays))
        arrays[key] = array
        return key

    if isinstance(value, np.generic) and value.dtype.kind in PLAIN:
        return {"scalar": keep(np.asarray(value))}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if type(value) is np.ndarray and value.dtype.kind in PLAIN:
        return {"array": keep(value)}
    if type(value) is np.ndarray and value.dtype == object:
        text = np.array(value, dtype=str)
        if all(isinstance(item, str) for item in value.flat) and (text == value).all():
            return {"strings": keep(text)}
    if sp.issparse(value) and value.format == "csr":
        parts = [keep(part) for part in (value.data, value.indices, value.indptr)]
        form = "csr_array" if isinstance(value, sp.sparray) else "csr_matrix"
        return {form: parts, "shape": [int(size) for size in value.shape]}
    if type(value) is dict and all(isinstance(key, str) for key in value):
        return {"dict": {key: _encode(item, name, arrays) for key, item in value.items()}}
    if type(value) in (list, tuple):
        items = [_encode(item, name, arrays) for item in value]
        return {type(value).__name__: items}
    raise ValueError(_refusal(name, value))


def _refusal(name: str, value: Any) -> str:
    if callable(value):
        return f"{name}={value!r} is a function, which cannot be saved"
    if isinstance(value, np.random.RandomState | np.random.Generator):
        return f"{name} is a random generator, which cannot be saved: give a number as the seed"
    return f"{name} is of the type {type(value).__name__}, which cannot be saved"


def _decode(node: Any, arrays: dict[str, np.ndarray]) -> Any:
    """The value that `_encode` put into JSON."""
    if not isinstance(node, dict):
        return node
    (form, content), *_ = node.items()
    if form == "scalar":
        return arrays[content][()]
    if form == "array":
        return arrays[content]
    if form == "strings":
        return arrays[content].astype(object)
    if form in ("csr_array", "csr_matrix"):
        make = sp.csr_array if form == "csr_array" else sp.csr_matrix
        matrix = make(tuple(arrays[key] for key in content), shape=tuple(node["shape"]))
        matrix.check_format(full_check=True)  # an index out of range would read foreign memory
        return matrix
    if form == "dict":
        return {key: _decode(item, arrays) for key, item in content.items()}
    items = (_decode(item, arrays) for item in content)
    return {"list": list, "tuple": tuple}[form](items)


def _write(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """Write beside the file, then rename."""
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with part.open("xb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _read(file: BinaryIO, path: Any) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """The arrays of a file and its header, whose parts have the right types."""
    try:
        with np.load(file, allow_pickle=False) as found:
            arrays = {key: found[key] for key in found.files}
        header = json.loads(arrays.pop(HEADER).tobytes())
        types = {"what": str, "format": int, "class": str, "parameters": dict, "attributes": dict}
        for key, kind in types.items():
            if type(header[key]) is not kind:
                raise TypeError(f"{key} is no {kind.__name__}")
        if header["what"] != WHAT:
            raise ValueError(f"it is a {header['what']}")
    except Exception as error:  # zip, NumPy and JSON have many ways to say it
        raise _damaged(path, error) from error
    return arrays, header


def _damaged(path: Any, error: Exception) -> ValueError:
    text = (str(error).strip().splitlines() or ["no reason given"])[0].rstrip(".")
    return ValueError(
        f"{path} is no model that save_model wrote, or it is damaged "
        f"({type(error).__name__}: {text})"
    )
