"""With what a table was measured: no host names and no paths, so that it can be published."""

import os
from collections.abc import Mapping
from typing import Any

from mcbench.bench.peers import versions
from mcbench.machine import provenance, thread_pools

SHOWN = ("numpy", "scipy", "scikit-learn")


def environment() -> dict[str, str]:
    """Return machine, system, versions and commit."""
    import numpy  # noqa: F401  (its BLAS library is to be seen)

    found = provenance()
    machine = found["machine"]
    pools = [pool for pool in thread_pools() if pool["user_api"] == "blas"]
    blas = {f"{pool['internal_api']} {pool['version']} {pool['architecture']}" for pool in pools}
    return {
        "processor": f"{machine['cpu']}, {machine['cores']} cores",
        "memory": f"{machine['memory_mb']} MB",
        "system": f"{machine['distribution']}, {machine['system']} {machine['release']}",
        "mcbench": _version(found),
        "Python": found["python"],
        **{name: found["packages"].get(name, "-") for name in SHOWN},
        "BLAS": ", ".join(sorted(blas)) or "unknown",
        **versions(),
    }


def load() -> str:
    """Return how busy the machine has been in the last minute."""
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


def _version(found: Mapping[str, Any]) -> str:
    git = found["git"]
    if not git:
        return str(found["mcbench"])
    dirty = " with changes" if git["dirty"] else ""
    return f"{found['mcbench']}, commit {git['commit'][:12]}{dirty}"
