"""Overrides that name something that does not exist, caught before anything runs."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hydra.core.override_parser.types import Override

from mcbench.conf_files import PLUGGABLE
from mcbench.errors import SolverUnavailable, UserError, suggest

#: Characters of a file's name.
LONGEST = 200

#: Values that are one of a few words wherever they are given.
CHOICES = {"on_error": ("continue", "stop")}


def check_overrides(
    overrides: Iterable[Override],
    groups: Mapping[str, Sequence[str]],
    config: Mapping[str, Any] | None = None,
) -> None:
    """Raise a `UserError` for the first override that cannot be meant.

    Parameters
    ----------
    overrides : iterable of Override
        What was asked for.
    groups : mapping of str to sequence of str
        The configuration groups and the names that each allows.
    config : mapping, optional
        The configuration that the other overrides gave; when given, keys are checked too.
    """
    for override in overrides:
        key = override.key_or_group
        if key.partition(".")[0] == "choices":
            raise UserError(
                f"'{override.input_line}' would rename what was chosen: choose with dataset=NAME, "
                "kernel=NAME, solver=NAME or protocol=NAME."
            )
        if override.is_sweep_override():
            raise UserError(f"'{override.input_line}' asks for several runs: add -m.")
        if key in groups:
            _check_choice(key, str(override.value()), groups[key])
        elif config is not None:
            _check_key(key, override, groups, config)
            if key == "results_dir" and override.value() == "":
                raise UserError("results_dir is empty: write results_dir=FOLDER, or leave it out.")
            if key in CHOICES and override.value() not in CHOICES[key]:
                raise UserError(
                    f"{key} has no value '{override.value()}'; "
                    f"{suggest(str(override.value()), CHOICES[key])}"
                )


def slip(override: str) -> str:
    """Return the sentence on a text that is no override, with the likeliest reason."""
    key, equals, value = override.partition("=")
    if not equals or not key.strip("+~ "):
        hint = "write key=value, for example solver.C=4"
    elif key != key.strip() or value != value.strip():
        hint = "leave out the blanks around ="
    elif any(value.count(a) != value.count(b) for a, b in ("[]", "{}", "()")):
        hint = "a bracket is not closed or was taken by the shell: quote the whole, '...'"
    elif value.endswith(","):
        hint = "there is a comma too many at its end"
    elif value.count("'") % 2 or value.count('"') % 2:
        hint = "a quotation mark is not closed"
    elif value.startswith("="):
        hint = "write = once"
    elif not value.isdecimal():
        hint = f"quote a value with special signs once more: '{key}=\"...\"'"
    else:
        hint = "the value is too long"
    return f"'{override}' is not an override: {hint}."


def _check_choice(group: str, name: str, allowed: Sequence[str]) -> None:
    if name not in allowed:
        if "." in name and group in PLUGGABLE:
            raise UserError(f"There is no {group} '{name}': write {group}._target_={name}.")
        here = Path("conf") / group / f"{name}.yaml"
        if name.isidentifier() and len(name) < LONGEST and here.is_file():
            raise UserError(
                f"There is no {group} '{name}': {here} is found with MCBENCH_CONF=conf before the "
                "command."
            )
        raise UserError(f"There is no {group} '{name}'; {suggest(name, allowed)}")


def _check_key(
    key: str, override: Override, groups: Mapping[str, Sequence[str]], config: Mapping[str, Any]
) -> None:
    """Walk down the dotted key; what is missing on the way is named with what is there."""
    adds = override.is_add() or override.is_force_add()
    if adds and key.partition(".")[0] in config:
        return
    node: Any = config
    walked: list[str] = []
    for part in key.split("."):
        names = [str(name) for name in node] if isinstance(node, Mapping) else []
        if part not in names and len(walked) == 1:
            more = _parameters(walked[0], config)
            if more is None:
                return
            names += more
        if walked == ["measure"] and not names:
            return
        if part not in names:
            if walked == ["solver"]:
                _elsewhere(part, override)
            where = ".".join(walked)
            owner = f"{where} has no setting" if where else "There is no setting"
            if not walked:
                names += [name for name in groups if "/" not in name]
            raise UserError(f"{owner} '{part}' (in '{override.input_line}'); "
                            f"{suggest(part, set(names) - {'choices'})}")  # fmt: skip
        node = node.get(part) if isinstance(node, Mapping) and part in node else None
        walked.append(part)


def _elsewhere(part: str, override: Override) -> None:
    """Say where a parameter of the estimator is set that the solver's settings do not hold."""
    value = (override.input_line or "").partition("=")[2] or "..."
    where = {"kernel": "kernel"}
    where |= {name: f"kernel.{name}" for name in ("gamma", "degree", "coef0")}
    if part in where:
        raise UserError(f"'{part}' is no setting of the solver: write {where[part]}={value}.")


def _parameters(group: str, config: Mapping[str, Any]) -> list[str] | None:
    """Return what the code that a group names takes beyond its settings; None: it cannot tell."""
    if group == "solver":
        try:
            return solver_parameters(config)
        except SolverUnavailable:  # the run will be skipped, with the reason
            return None
    called = group in ("dataset", "kernel") and config[group].get("_target_")
    return None if called else []  # a function's arguments are checked where it is called


def solver_parameters(config: Mapping[str, Any]) -> list[str]:
    """Return the parameters that the configured estimator has beyond those in its file."""
    from mcbench.estimator import HARNESS_PARAMETERS, estimator_class, parameters

    names = parameters(estimator_class(config["solver"]))
    return [name for name in names if name not in HARNESS_PARAMETERS]
