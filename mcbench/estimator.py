"""From the configuration of a solver to an estimator."""

import inspect
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from mcbench.errors import UserError, suggest
from mcbench.kernel import complete_kernel, kernel_of
from mcbench.locate import check_optional, locate, version_of

#: Given by the harness, never by the solver's file.
KERNEL_PARAMETERS = {"kernel": "name", "gamma": "gamma", "degree": "degree", "coef0": "coef0"}
HARNESS_PARAMETERS = (*KERNEL_PARAMETERS, "callback")


def estimator_class(solver: Mapping[str, Any]) -> Any:
    """Return the class that a solver's configuration names."""
    target = solver.get("_target_")
    if not target:
        raise UserError("The solver's configuration has no _target_: name its class.")
    return locate(str(target))


@lru_cache
def parameters(cls: Any) -> dict[str, Any]:
    """Return an estimator's parameters and their defaults."""
    return {
        name: item.default
        for name, item in inspect.signature(cls).parameters.items()
        if item.kind in (item.POSITIONAL_OR_KEYWORD, item.KEYWORD_ONLY)
    }


def complete(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the configuration with the estimator's default for every parameter not given.

    So a record says all that its solver was told, and a default that is written out is the same
    run as one that is not.
    """
    if config.get("measure"):
        return dict(config)
    cls = estimator_class(config["solver"])
    filled = {
        name: default
        for name, default in parameters(cls).items()
        if name not in (*HARNESS_PARAMETERS, "random_state")
        and default is not inspect.Parameter.empty
    }
    kernel = complete_kernel(config["kernel"])
    return {**config, "kernel": kernel, "solver": {**filled, **config["solver"]}}


def build(config: Mapping[str, Any], callback: Any = None) -> Any:
    """Return the unfitted estimator that a configuration describes.

    The kernel's arguments, the seed and the callback are passed as far as the estimator has
    parameters of these names.

    Parameters
    ----------
    config : mapping
        The resolved configuration of a run.
    callback : callable, optional
        Called by the solver at checkpoints.
    """
    solver = config["solver"]
    cls = estimator_class(solver)
    names = parameters(cls)
    arguments = {key: _value(value) for key, value in solver.items() if key != "_target_"}
    for key in arguments:
        if key not in names:
            raise UserError(f"{cls.__name__} has no parameter '{key}'; {suggest(key, names)}")
    kernel = kernel_of(config["kernel"])
    offered: dict[str, Any] = {"kernel": kernel}
    if not callable(kernel):
        offered |= {
            name: _value(config["kernel"].get(source)) for name, source in KERNEL_PARAMETERS.items()
        }
    offered |= {"random_state": config["seed"], "callback": callback}
    for name, value in offered.items():
        if name in names and value is not None:
            arguments.setdefault(name, value)
    return cls(**arguments)


def check(estimator: Any) -> None:
    """Refuse an estimator that cannot be fitted, before any data are loaded.

    Raises
    ------
    UserError
        When a parameter has a value that the estimator does not allow.
    SolverUnavailable
        When the estimator needs an optional package that is not installed.
    """
    checks = {"check_parameters": "check_parameters", "_parameter_constraints": "_validate_params"}
    for mark, name in checks.items():
        if not hasattr(estimator, mark):
            continue
        try:
            getattr(estimator, name)()
        except ImportError as error:
            check_optional(type(estimator).__name__, error)
            raise
        except (ValueError, TypeError) as error:
            text = str(error)
            end = "" if text.endswith((".", "?")) else "."
            raise UserError(f"{type(estimator).__name__}: {text}{end}") from error


def solver_version(config: Mapping[str, Any]) -> str:
    """Return what a solver declares as its version, or that of its package or its source."""
    if config.get("measure"):
        return str(getattr(locate(config["measure"]["_target_"]), "version", "1"))
    cls = estimator_class(config["solver"])
    declared = getattr(cls, "solver_version", None)
    if callable(declared):  # it depends on the parameters
        return str(declared(config["solver"]))
    return version_of(cls, "solver_version")


def _value(value: Any) -> Any:
    """Turn what YAML writes as text into what is meant: "inf" is the number."""
    return float(value) if value in ("inf", "-inf") else value
