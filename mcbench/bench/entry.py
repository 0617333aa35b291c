"""One thing to be measured: who, on which problem, with how many threads."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mcbench.bench.cases import Case
from mcbench.config import resolve

MEASURES = "mcbench.bench.measures"


@dataclass(frozen=True)
class Entry:
    """A row of a table, measured as often as the options say.

    Attributes
    ----------
    section, label : str
        Where it belongs, and how it is called there.
    case : Case
        Data set and kernel.
    solver : mapping
        The estimator, `_target_` and its parameters. For a peer that is no estimator: an
        estimator of ours, which states the problem that the peer has to solve.
    measure : str
        The function of `mcbench.bench.measures` that does it, as module.function.
    arguments : mapping
        What that function is told besides.
    threads : int
        BLAS and OpenMP threads.
    """

    section: str
    label: str
    case: Case
    solver: Mapping[str, Any]
    measure: str = "fitting.fit"
    arguments: Mapping[str, Any] = field(default_factory=dict)
    threads: int = 1

    def config(self, repetition: int, time_s: float | None) -> dict[str, Any]:
        """Return the configuration of one measurement.

        Parameters
        ----------
        repetition : int
            From 0; the seed of the run.
        time_s : float or None
            The limit on the whole measurement, in seconds.
        """
        config = resolve([*self.case.overrides, "protocol=untraced", f"seed={repetition}"])
        config["kernel"] |= dict(self.case.kernel)
        config["solver"] = dict(self.solver)
        config["choices"]["solver"] = self.label
        config["protocol"] |= {
            "threads": self.threads,
            "isolate": True,
            "limits": {"time_s": time_s, "memory_mb": None},
        }
        generator = {"generator": dict(self.case.generator)} if self.case.generator else {}
        config["measure"] = {
            "_target_": f"{MEASURES}.{self.measure}",
            "case": self.case.name,
            "section": self.section,
            **generator,
            **self.arguments,
        }
        return config
