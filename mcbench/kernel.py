"""The kernel of a run: one by name, or a function of the user's or of a plug-in.

A function takes two blocks of examples (arrays, or CSR matrices where the data are sparse) and
returns their matrix of kernel values. Its further arguments are set as `kernel.NAME=VALUE`:

    def laplacian(A, B, gamma=1.0):
        return np.exp(-gamma * scipy.spatial.distance.cdist(A, B, "cityblock"))
"""

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from mcbench.errors import UserError, suggest
from mcbench.locate import locate, version_of

#: Settings of a kernel that are not arguments of its function.
OWN = ("name", "_target_", "version")


def kernel_of(kernel: Mapping[str, Any]) -> str | Callable[[Any, Any], Any]:
    """Return the name of a kernel or, for one with a `_target_`, its function of two blocks."""
    if not kernel.get("_target_"):
        return str(kernel["name"])
    function = locate(str(kernel["_target_"]))
    known = arguments(function)
    given = {name: value for name, value in kernel.items() if name not in OWN}
    for name in given:
        if name not in known:
            raise UserError(f"The kernel has no setting '{name}'; {suggest(name, known)}")
    return partial(function, **given) if given else function


def complete_kernel(kernel: Mapping[str, Any]) -> dict[str, Any]:
    """Return a kernel's configuration with the defaults and the version of its function.

    So both belong to the identity of a run; those of a kernel without `_target_` stay as they are.
    """
    if not kernel.get("_target_"):
        return dict(kernel)
    function = locate(str(kernel["_target_"]))
    return {**arguments(function), **kernel, "version": version_of(function)}


def arguments(function: Any) -> dict[str, Any]:
    """Return what a kernel's function takes beside the two blocks, with the defaults.

    Raises
    ------
    UserError
        When it is no function of two blocks.
    """
    name = getattr(function, "__name__", type(function).__name__)
    try:
        first, second, *others = inspect.signature(function).parameters.values()
    except (TypeError, ValueError) as error:
        raise UserError(f"The kernel {name} is no function of two blocks of examples.") from error
    free = [item.name for item in others if item.default is item.empty and item.kind < 2]
    if first.kind > 1 or second.kind > 1 or free:
        raise UserError(
            f"The kernel {name} must be a function of two blocks of examples whose further "
            "arguments have defaults."
        )
    return {item.name: item.default for item in others if item.default is not item.empty}
