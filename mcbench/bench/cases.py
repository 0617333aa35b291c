"""The problems of the benchmark: data set, kernel and C."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class Case:
    """A training problem.

    Attributes
    ----------
    name : str
        How it is asked for on the command line.
    C : float
        Weight of the slacks in Crammer & Singer's problem; in Weston & Watkins's with margin 1.
    kernel : mapping
        Values of the kernel's configuration, `name` among them.
    dataset : mapping
        Values of the data set's configuration: `name`, `split`, ...; empty for a generated one.
    generator : mapping
        `_target_` of a function of `mcbench.bench.synthetic` and its arguments.
    """

    name: str
    C: float
    kernel: Mapping[str, Any]
    dataset: Mapping[str, Any] = field(default_factory=dict)
    generator: Mapping[str, Any] = field(default_factory=dict)

    @property
    def overrides(self) -> list[str]:
        """What chooses the data set and the kernel from conf/."""
        chosen = [f"kernel={self.kernel['name']}"]
        if not self.dataset:
            return ["dataset=none", *chosen]
        values = {key: item for key, item in self.dataset.items() if key != "conf"}
        return [
            f"dataset={self.dataset['conf']}",
            *chosen,
            *(f"dataset.{key}={item}" for key, item in values.items()),
        ]

    def missing(self) -> str:
        """Return why the data cannot be had here without a download, "" when they can."""
        from mcbench.data import datasets

        if not self.dataset:
            return ""
        name = str(resolve_name(self.dataset["conf"]))
        info = datasets()[name]
        return "" if info.available() else f"{name} is not here: mcbench data fetch {name}"

    def with_rows(self, n: int) -> "Case":
        """Return the case with the first n training rows."""
        return replace(
            self, name=f"{self.name}, n = {n}", dataset={**self.dataset, "train_size": n}
        )

    def with_kernel(self, C: float, **kernel: Any) -> "Case":
        """Return the case with another C and kernel."""
        return replace(self, C=C, kernel=kernel)


def resolve_name(conf: str) -> str:
    """Return the data set that a file of conf/dataset names."""
    from mcbench.config import resolve

    return str(resolve([f"dataset={conf}"])["dataset"]["name"])


def rbf(gamma: float) -> dict[str, Any]:
    """Return the configuration of exp(-gamma ||x - z||^2)."""
    return {"name": "rbf", "gamma": gamma}


LINEAR = {"name": "linear"}

#: Kernel machines: scaled as in conf/dataset, [-1, 1] from the training part where it says range.
KERNEL_CASES = {
    case.name: case
    for case in (
        Case("satimage", 16.0, rbf(1.0), {"conf": "satimage"}),
        Case("letter", 16.0, rbf(4.0), {"conf": "letter"}),
        Case("letter_5000", 16.0, rbf(4.0), {"conf": "letter_5000"}),
        Case("usps", 10.0, rbf(2.0**-7), {"conf": "usps"}),
        Case("mnist_5000", 10.0, rbf(0.02), {"conf": "mnist_5000"}),
        Case("mnist_20000", 10.0, rbf(0.02), {"conf": "mnist", "train_size": 20000}),
        Case("mnist_60000", 10.0, rbf(0.02), {"conf": "mnist"}),
    )
}

#: Linear machines, C = 1; "text" is generated.
LINEAR_CASES = {
    case.name: case
    for case in (
        Case("satimage", 1.0, LINEAR, {"conf": "satimage"}),
        Case("usps", 1.0, LINEAR, {"conf": "usps"}),
        Case("letter", 1.0, LINEAR, {"conf": "letter"}),
        Case("mnist_20000", 1.0, LINEAR, {"conf": "mnist", "train_size": 20000}),
        Case("mnist_60000", 1.0, LINEAR, {"conf": "mnist"}),
        Case(
            "text",
            1.0,
            LINEAR,
            generator={"_target_": "text_like", "n": 50_000, "d": 100_000, "density": 0.001},
        ),
        Case(
            "text_small",
            1.0,
            LINEAR,
            generator={"_target_": "text_like", "n": 5_000, "d": 10_000, "density": 0.006},
        ),
    )
}
